#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Wrong output whose fault is a word that is missing, or another argument of a function: each
# program of tests/outputs/slips has a suspect on the faulty line, with the change that mends it,
# and the run with that change prints what the fixed program does.
set -u
. tests/support/samples-lib.sh
need_tool

for file in tests/outputs/slips/*.c tests/outputs/slips/*.cc; do
	name=$(basename "${file%.c*}")
	compiler=$CC
	case $file in *.cc)
		compiler=${CXX:-g++}
		command -v "$compiler" >"$dir/out" || continue
		;;
	esac
	fault=$(grep -n '/\* fault \*/' "$file" | cut -d: -f1)
	change=$(field "$file" change)
	read -ra arguments <<<"$(field "$file" test)"
	"$compiler" -g -O0 -w -o "$dir/$name" "$file"
	"$compiler" -g -O0 -w -DFIXED -o "$dir/$name-fixed" "$file"
	"$WHY_BIN" explain --format=json --max-suspects 0 --golden "$dir/$name-fixed" -- \
		"$dir/$name" "${arguments[@]}" >"$dir/answer" 2>"$dir/err"
	rank=$(jq --argjson fault "$fault" --arg change "$change" '[.suspects[] |
		.replay == "passes" and .statements[0].line == $fault and
		.evidence.change == $change] | index(true) + 1' "$dir/answer")
	[ "${rank:-null}" != null ] && [ "$rank" -le 3 ] || {
		complain "$file: line $fault with $change: ${rank:-no answer}"
		jq -c '.suspects[] | [.replay, .statements[0].line, .statements[0].witness, .evidence.change]' "$dir/answer"
		continue
	}
	"$WHY_BIN" try --suspect "$dir/answer:$rank" -- "$dir/$name" "${arguments[@]}" >"$dir/tried" 2>"$dir/err"
	"$dir/$name-fixed" "${arguments[@]}" >"$dir/right"
	diff "$dir/right" <("$dir/$name" "${arguments[@]}") | sed -n 's/^< //p' >"$dir/wanted"
	sed -n 's/^  is   //p' "$dir/tried" | grep -vx '(nothing)' | diff "$dir/wanted" - >"$dir/differ" ||
		complain "$file: try prints something else: $(cat "$dir/differ" "$dir/tried" "$dir/err")"
done
# A number is assigned where one should be compared: there is no branch to be changed, but it is said.
cat >"$dir/light.c" <<'C'
#include <stdio.h>
static int state;
static void tick(void)
{
	int on;

	if ((on = 1) && state < 0)
		state = on;
	if (state = 2)
		state = 0;
	else
		state++;
}
int main(void)
{
	for (int i = 0; i < 4; i++) {
		printf("%d %d\n", i, state);
		tick();
	}
	return 0;
}
C
"$CC" -g -O0 -w -o "$dir/light" "$dir/light.c"
printf '%s\n' '0 0' '1 1' '2 2' '3 0' >"$dir/right"
"$WHY_BIN" explain --format=json --expect "$dir/right" -- "$dir/light" >"$dir/answer" 2>"$dir/err"
jq -e '[.notes[] | select(test("seems to compare"))] ==
	["light.c:9 assigns where it seems to compare: `state = 2'"'"'; was `=='"'"' meant?"]' "$dir/answer" >"$dir/index" ||
	complain "an assignment in a condition: $(jq -c .notes "$dir/answer") $(cat "$dir/err")"
# Two numbers are divided as whole ones: the compiler leaves no division, but it is said.
cat >"$dir/celsius.c" <<'C'
#include <stdio.h>
static double celsius(double f)
{
	return 5 / 9 * (f - 32);
}
int main(void)
{
	int half = 7 / 2;
	printf("%.1f %d\n", celsius(212), half);
	return 0;
}
C
"$CC" -g -O0 -w -o "$dir/celsius" "$dir/celsius.c"
echo '100.0 3' >"$dir/right"
"$WHY_BIN" explain --format=json --expect "$dir/right" -- "$dir/celsius" >"$dir/answer" 2>"$dir/err"
jq -e '[.notes[] | select(test("divides whole numbers"))] ==
	["celsius.c:4 divides whole numbers: `5 / 9'"'"', which is 0; was `5.0 / 9'"'"' meant?"]' "$dir/answer" >"$dir/index" ||
	complain "whole numbers are divided: $(jq -c .notes "$dir/answer") $(cat "$dir/err")"
[ $failures -eq 0 ]
