#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A program that prints something else than the old version did, with status 0 in both: what the old
# version prints is right, and the causes start at the call that printed the difference.
set -u
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
failed=0
mkdir old
cat >old/p.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static int total(int n, int tax)
{
	int sum = 0, i;

	for (i = 1; i <= n; i++)
		sum += i;
	return sum + tax;
}
int main(int n, char **v)
{
	int tax = 2;
	int unused = n;

	if (n > 2)
		printf("%ld %p\n", (long)clock(), malloc(1));
	printf("items %s\n", v[1]);
	printf("total %d\n", total(atoi(v[1]), tax));
	return unused > 100;
}
C
printf 'p: p.c\n\t%s -g -O0 -o p p.c\n' "${CC:-gcc}" >old/Makefile
cp -a old new
sed -i -e 's/i <= n/i < n/' -e 's/unused > 100/unused > 101/' -e 's/int unused = n;/int unused = n + 0;/' new/p.c

"$WHY_BIN" regress --old old --new new --run ./p --format json -- 3 >out 2>err || { echo "no answer"; cat err; exit 1; }
check() {
	jq -e "$2" out >/dev/null || { echo "not so: $1"; jq '.basis, .failure, .root, .notes, .causes' out; failed=1; }
}
check "the root" '(.root | length) == 1 and (.root[0].text | contains("i < n"))'
check "both proofs" '.proof.new_without_root == "passes" and .proof.old_with_root == "fails"'
check "found by causes" '.basis == "causes"'
check "what is wrong" '.failure | contains("total 5") and contains("total 8")'
check "it is said what is expected" '[.notes[] | select(contains("what the old version prints is taken for right"))] | length == 1'
check "old and new value" '[.causes[].statements[] | select(.value == "5" and .before == "8")] | length >= 1'

# What differs from run to run says nothing.
"$WHY_BIN" regress --old old --new new --run ./p -- 3 x >out 2>&1
s=$?
[ $s = 1 ] && grep -q "passes with both versions" out || { echo "clock: status $s"; cat out; failed=1; }
exit $failed
