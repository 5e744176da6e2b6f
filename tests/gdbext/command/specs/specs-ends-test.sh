#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# timeout: 60
# gdb-why specs that is stopped: by who reads no further, by Ctrl-C, and by --timeout.  What was found is told, and
# nothing is left behind.
set -u
. tests/support/specs-lib.sh
$CC -g -O0 -DRIGHT_ERR -o tree "$samples/bst.c" || exit 1
violation='^key_added (bst-spec.c:75) does not hold when bst_add (bst.c:22) returns, the 2nd time:$'
"$WHY_BIN" specs --input heap --spec "$samples/bst-spec.c" -- ./tree 5 7 2>err </dev/null | head -1 >out
status=${PIPESTATUS[0]}
[ "$status" = 141 ] || complain "a closed pipe: status $status"
grep -q "$violation" out || complain "a closed pipe: the violation is not told"
[ -s err ] && cp err out && complain "a closed pipe: something is said"
ls -A folders >out
[ -s out ] && complain "a closed pipe: folders are left"
for how in --check "--input heap --rounds 5"; do
	# shellcheck disable=SC2086
	env --default-signal=INT "$WHY_BIN" specs $how --spec "$samples/bst-spec.c" -- ./tree 5 7 >out 2>err </dev/null &
	while ! [ -s out ] && kill -0 $! 2>/dev/null; do sleep 0.02; done
	kill -INT $!
	wait $!
	status=$?
	[ $status = 130 ] || complain "$how, interrupted: status $status"
	says 'key_added \(bst-spec.c:75\) does not hold'
	cp err out
	says '^gdb-why: Interrupted by SIGINT.$'
	ls -A folders >out
	[ -s out ] && complain "$how, interrupted: folders are left"
done
# a program that itself takes longer than the time there is, however fast the machine
cat >slow.c <<'EOF'
#include <unistd.h>
__attribute__((constructor)) static void slowly(void)
{
	usleep(500000);
}
EOF
$CC -g -O0 -DRIGHT_ERR -o slow "$samples/bst.c" slow.c || exit 1
for how in "" "--check"; do
	# shellcheck disable=SC2086
	"$WHY_BIN" specs $how --timeout 0.05 --spec "$samples/bst-spec.c" -- ./slow 5 7 >out 2>err </dev/null
	status=$?
	[ $status = 3 ] || complain "specs $how without time: status $status"
	tail -n 1 err | grep -q 'with --timeout\.$' || complain "specs $how without time: $(cat err)"
done
done_testing
