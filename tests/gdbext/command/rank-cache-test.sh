#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A second run takes from the cache what it may: nothing is executed again unless
# the program, what the test's command names, the folder or the time limit is
# another, or --no-cache asks for it.
set -u
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
export XDG_CACHE_HOME=$tmp/cache
failed=0

# Each run adds a byte to the file runs.
cat >"$tmp/p.c" <<'C'
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int fd = open(getenv("RUNS"), O_WRONLY | O_APPEND | O_CREAT, 0600), n = -1;
	if (write(fd, "x", 1) != 1)
		return 9;
	if (argc > 1)
		n = atoi(argv[1]);
	else if (scanf("%d", &n) != 1)
		return 8;
	printf("%d\n", n);
	if (n > MOST)
		return 1;
	return 0;
}
C
"$CC" -g -O0 -DMOST=10 -o "$tmp/p" "$tmp/p.c" && "$CC" -g -O0 -DMOST=15 -o "$tmp/golden" "$tmp/p.c" || exit 1
export RUNS=$tmp/runs
echo 11 >"$tmp/in"
printf '%s\n' 1 2 12 '{} <in' 'cat in | {}' '20' >"$tmp/suite"

# ranks EXECUTED CACHED FAILED OPTIONS...
ranks() {
	local executed=$1 cached=$2 fail=$3 said
	shift 3
	: >"$RUNS"
	"$WHY_BIN" rank -C "$tmp" --tests suite --format=json "$@" -- ./p >"$tmp/answer" || failed=1
	said="$(wc -c <"$RUNS") $(jq -r '[.counts.cached, .counts.failed] | @tsv' "$tmp/answer" | tr '\t' ' ')"
	[ "$said" = "$executed $cached $fail" ] || {
		echo "rank $*: executed, cached, failed are $said, not $executed $cached $fail"
		failed=1
	}
	jq -c '[.lines, [.tests[].verdict]]' "$tmp/answer" >"$tmp/ranking"
}

ranks 6 0 4
cp "$tmp/ranking" "$tmp/first"
ranks 0 6 4
cmp "$tmp/ranking" "$tmp/first" || failed=1
ranks 0 6 4 --technique all --scheme worst
ranks 6 0 4 --no-cache
cmp "$tmp/ranking" "$tmp/first" || failed=1
ranks 6 0 4 --run-timeout 5

# An input that the command names; the others are as they were.
sleep 0.01 && echo 9 >"$tmp/in"
ranks 2 4 2
ranks 0 6 2

# Another test only.
echo 3 >>"$tmp/suite"
ranks 1 6 2

# The verdict's other side: outputs were not looked at before, then they are known.
ranks 14 0 1 --golden ./golden
ranks 0 7 1 --golden ./golden
"$CC" -g -O0 -DMOST=20 -o "$tmp/golden" "$tmp/p.c"
ranks 7 7 2 --golden ./golden

# Another build, and back; another folder.
mv "$tmp/p" "$tmp/old" && "$CC" -g -O0 -DMOST=2 -o "$tmp/p" "$tmp/p.c"
ranks 7 0 5
mv "$tmp/p" "$tmp/new" && mv "$tmp/old" "$tmp/p"
ranks 0 7 2
mkdir "$tmp/other" && cp "$tmp/suite" "$tmp/in" "$tmp/p" "$tmp/other"
(tmp=$tmp/other && ranks 7 0 2 && exit $failed) || failed=1

# Two at once both find everything afterwards.
rm -r "$tmp/cache"
for half in '1,3' '4,7'; do
	sed -n "${half}p" "$tmp/suite" >"$tmp/half-$half"
	"$WHY_BIN" rank -C "$tmp" --tests "half-$half" -- ./p >/dev/null 2>&1 &
done
wait
ranks 0 7 2

# A damaged cache counts for nothing; one that cannot be written costs nothing.
for f in "$tmp"/cache/gdb-why/*.profiles; do truncate -s -5 "$f"; done
ranks 7 0 2
rm -r "$tmp/cache" && : >"$tmp/cache"
ranks 7 0 2
ranks 7 0 2
exit $failed
