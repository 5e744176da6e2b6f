#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The running example of the AFTER paper: theta 0 = {s3, s7, s10, s13} holds C3 (s2, where x, y and z
# come in, is no statement of C); theta 1 = {s5} holds C2; theta 2 = {s9} holds no change of the
# root and is dropped.  The root is {C2, C3}; delta debugging says {C3}, which is wrong.
# timeout: 120
set -u
tests=$PWD/tests
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
failed=0
mkdir old new
cp "$tests/gdbext/regress/programs/example-old.c" old/f.c
printf 'f: f.c\n\t%s -g -O0 -o f f.c\n' "${CC:-gcc}" | tee old/Makefile >new/Makefile
sed -e '/C1/s/true/false/' -e '/C2/s/>/</' -e '/C3/s/+=/-=/' -e '/C4/s/-=/+=/' old/f.c >new/f.c
cp -a new before

check() { # what, jq filter
	jq -e "$2" answer >out || { echo "not so: $1"; jq . answer; failed=1; }
}

"$WHY_BIN" regress --old old --new new --run ./f --format json -- 3 2 1 >answer 2>err
[ $? = 0 ] || { echo "after failed"; cat err answer; exit 1; }
check "the root is C2 and C3" '[.root[].number] == [2, 3]'
check "nothing was auxiliary" '.auxiliary == []'
check "it was found by causes, the second generation" '.basis == "causes" and .stats.candidates == [1, 2]'
check "theta 0" '[.causes[0].statements[].line] == [11, 17, 21, 25] and .causes[0].changes == [3]'
check "theta 1" '[.causes[] | select(.statements[-1].text | startswith("if (x < y)"))]
	| length == 1 and .[0].effect == 0 and .[0].changes == [2] and .[0].relevant'
check "theta 2" '[.causes[] | select(.statements[-1].text | startswith("if (z > 0)"))]
	| length == 1 and .[0].effect == 0 and .[0].changes == [] and (.[0].relevant | not)'
check "what the statement gave, and gave before" '.causes[0].statements[2] | .value == "1" and .before == "4"'
check "the proof" '.proof.new_without_root == "passes" and .proof.old_with_root == "fails"'
check "builds: both versions, {C3}, {C2, C3}, {C2}, and old with the root" '.stats.builds == 6'
"$tests/validate.py" "$tests/regress.schema.json" <answer
s=$?
[ $s = 0 ] || [ $s = 77 ] || failed=1

for technique in dd add; do
	"$WHY_BIN" regress --old old --new new --run ./f --technique $technique --format json \
		-- 3 2 1 >answer 2>err
	[ $? = 3 ] || { echo "$technique: status"; cat err; failed=1; }
	check "$technique says C3 alone" '[.root[].number] == [3]'
	check "$technique is wrong, and it is said" '.proof.new_without_root == "fails"'
done
diff -r new before || { echo "the user's tree was changed"; failed=1; }

# Text in 80 columns, a page and a graph.
for format in text html dot; do
	"$WHY_BIN" regress --old old --new new --run ./f --format $format --jobs 1 -- 3 2 1 >$format ||
		failed=1
done
awk 'length > 80 { exit 1 }' text || { echo "wider than 80 columns"; cat text; failed=1; }
grep -q '^2 of 4 changes to blame$' text || { cat text; failed=1; }
grep -q 'the new version without them: the test passes' text || { cat text; failed=1; }
! grep -q 'z > 0' text || { echo "theta 2 is shown"; failed=1; }
grep -q '</html>' html || failed=1
grep -q 'change2 -> cause[0-9]' dot && grep -q 'cause0 -> failure' dot || { cat dot; failed=1; }
exit $failed
