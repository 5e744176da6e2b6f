#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# timeout: 180
# When nobody reads the answer any more, as after `| head -1', every command ends by SIGPIPE, says nothing,
# and leaves nothing behind: no folders, no processes.
set -u
. tests/support/specs-lib.sh
complain() {
	echo "FAILED $*"
	sed 's/^/    /' err
	failed=1
}
nothing_left() {
	[ -z "$(ls -A folders)" ] || complain "folders are left: $*"
	pgrep -f "$tmp" | grep -vx $$ >left && complain "processes are left ($(tr '\n' ' ' <left)): $*"
}
# The descriptor 4 is a pipe that nobody reads.
mkfifo pipe && exec 3<>pipe 4>pipe 3<&- || exit 1
closed() { # OPTIONS...
	"$WHY_BIN" "$@" >&4 2>err </dev/null 3<&-
	local got=$?
	[ $got = $((128 + 13)) ] || complain "status $got: $*"
	# the checked program says that it is stopped
	grep -v '^size: .*Assertion' err && complain "something is said: $*"
	nothing_left "$@"
}

$CC -g -O0 -DSIZE_ERR -o size "$samples/list.c" || exit 1
cat >sum.c <<'C'
#include <assert.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	int sum = 0;
	for (int i = 1; i < argc; i++)
		sum += atoi(argv[i]) + 1;
	assert(sum == 5);
	return 0;
}
C
$CC -g -O0 -o sum sum.c || exit 1
printf '4\n1\n2\n' >suite
spec=$samples/list-spec.c
closed specs --spec "$spec" --save-tests kept -- ./size 1 1 2
[ -e kept ] && complain "it went on when its reader had gone"
closed specs --spec "$spec" --input heap --format json -- ./size 1 1 2
closed specs --check --spec "$spec" -- ./size 1 1 2
closed explain -- ./sum 1 1
closed explain --tests suite -- ./sum
closed rank --tests suite -- ./sum
closed ask "why sum" -- ./sum 1 1
closed try --set 'sum = 0' --at sum.c:8 -- ./sum 1 1
closed --help
# One line is read; the rest may have been written by then.
"$WHY_BIN" specs --spec "$spec" -- ./size 1 1 2 2>err </dev/null | head -1 >out
got=${PIPESTATUS[0]}
[ "$got" = 0 ] || [ "$got" = 141 ] || complain "status $got before head"
grep -q '^size_ok (list-spec.c:56) does not hold' out || complain "the first line is lost"
[ -s err ] && complain "something is said before head"
nothing_left head
# Who ignores SIGPIPE gets the answer's status, as ever.
(trap '' PIPE && exec "$WHY_BIN" specs --spec "$spec" -- ./size 1 1 2 >&4 2>err </dev/null)
got=$?
[ $got != 141 ] || complain "an ignored SIGPIPE ends it"
nothing_left ignored
done_testing
