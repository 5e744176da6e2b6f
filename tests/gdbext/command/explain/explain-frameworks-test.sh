#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Tests that fail by a check of a framework: each program of tests/frameworks says what its failing
# check says, and its faulty line has to be found, by a run in which the check passes.  timeout: 400
set -u
. tests/support/samples-lib.sh
need_tool

compile() { # file: to $program
	compiler=$CC libs=
	case $1 in *.cc) compiler=${CXX:-g++} ;; esac
	program=$dir/$(basename "${1%.c*}")
	[ ! -x "$program" ] || return 0
	needs=$(field "$1" needs)
	[ -z "$needs" ] || libs=$(pkg-config --cflags --libs "$needs")
	# shellcheck disable=SC2086
	"$compiler" -g -O0 -w -o "$program" "$1" $libs 2>"$dir/err"
}

check() { # file
	compile "$1" || { complain "$1 does not compile: $(cat "$dir/err")"; return; }
	fault=$(grep -n '/\* fault \*/' "$1" | cut -d: -f1)
	others=$(field "$1" others)
	read -ra arguments <<<"$(field "$1" test)"
	read -ra options <<<"$(field "$1" options)"
	"$WHY_BIN" explain --format=json --max-suspects 4 "${options[@]//\~/ }" -- "$program" "${arguments[@]}" >"$dir/answer" 2>"$dir/err" ||
		complain "$1: status $?: $(cat "$dir/err")"
	says=$(jq -r '"\(.failure.cause) at"' "$dir/answer")
	[ "$says" = "$(field "$1" says)" ] || complain "$1 says: $says"
	jq -e --argjson fault "$fault" '[.suspects[] | select(.replay == "passes") | .statements[].line] | index($fault)' \
		"$dir/answer" >"$dir/index" ||
		complain "$1: line $fault is not found: $(jq -c '[.suspects[] | [.replay, .statements[].line]]' "$dir/answer")"
	jq -e --argjson others "${others:-0}" '[.notes[] | select(test("another check fails"))] | length == $others' \
		"$dir/answer" >"$dir/index" || complain "$1: others: $(jq -c .notes "$dir/answer")"
}

for file in ${ONLY:-tests/frameworks/*.c tests/frameworks/*.cc}; do
	check "$file"
done

# Criterion's tests run in this process, also in GDB when it is told what the answer says.
compile tests/frameworks/criterion.c
"$WHY_BIN" explain -- "$program" >"$dir/text" 2>"$dir/err"
sed -n '/^try:/,$p' "$dir/text" | sed 's/^try: *gdb//; s/^ *//' | tr '\n' ' ' >"$dir/hint"
eval "gdb -nx -q -batch $(cat "$dir/hint")" >"$dir/text" 2>"$dir/err" </dev/null
grep -q '^Breakpoint 1, largest (a=5, b=5)' "$dir/text" ||
	complain "the command that is suggested: $(cat "$dir/hint" "$dir/text" "$dir/err")"
"$WHY_BIN" explain --test 'smallest/*' -- "$program" >"$dir/text" 2>"$dir/err" ||
	complain "--test of Criterion: $(cat "$dir/err")"
grep -q '^Criterion: cr_expect(largest(-3, -5) == -3' "$dir/text" || complain "--test of Criterion: $(cat "$dir/text")"

# A change with which the failing test is not run any more shows nothing.
compile tests/frameworks/cmocka-one.c
first=$(grep -n '^int main' tests/frameworks/cmocka-one.c | cut -d: -f1)
"$WHY_BIN" explain --format=json --max-suspects 0 -- "$program" >"$dir/answer" 2>"$dir/err"
jq -e --argjson first "$first" '[.suspects[].statements[] | select(.line >= $first)] | length == 0' "$dir/answer" >"$dir/index" ||
	complain "tests left out: $(jq -c '[.suspects[].statements[].line]' "$dir/answer")"

# One test of several, by the framework's filter.
compile tests/frameworks/gtest.cc
"$WHY_BIN" explain --test Largest.First -- "$program" >"$dir/text" 2>"$dir/err"
[ $? -eq 1 ] && grep -q 'did not fail' "$dir/err" || complain "--test that passes: $(cat "$dir/text" "$dir/err")"
"$WHY_BIN" explain --test Largest.Second -- "$program" >"$dir/text" 2>"$dir/err" || complain "--test: $(cat "$dir/err")"
compile tests/frameworks/cunit.c
"$WHY_BIN" explain --test some -- "$program" >"$dir/text" 2>"$dir/err"
[ $? -eq 2 ] && grep -q 'CUnit cannot be told to run one test' "$dir/err" || complain "no filter: $(cat "$dir/err")"

# A table and a function of the user's own, and wrong ones.
printf '[mine]\ndie = never -- %%s($rdi)\n' >"$dir/table"
compile tests/frameworks/die.c
"$WHY_BIN" explain --fail-table "$dir/table" -- "$program" 5 3 >"$dir/text" 2>"$dir/err" &&
	grep -q '^mine: not the smaller one at' "$dir/text" || complain "--fail-table: $(cat "$dir/text" "$dir/err")"
"$WHY_BIN" explain -- "$program" 5 3 >"$dir/text" 2>"$dir/err"
[ $? -eq 1 ] || complain "die fails without --fail-call: $(cat "$dir/text")"
"$WHY_BIN" explain --fail-call dye -- "$program" 5 3 2>"$dir/err"
[ $? -eq 2 ] && grep -q 'calls dye;' "$dir/err" || complain "--fail-call dye: $(cat "$dir/err")"
printf 'die = never\n' >"$dir/table"
"$WHY_BIN" explain --fail-table "$dir/table" -- "$program" 5 3 2>"$dir/err"
[ $? -eq 2 ] && grep -q 'not as its format has it' "$dir/err" || complain "bad table: $(cat "$dir/err")"
printf '[mine]\n.colour = red\n' >"$dir/table"
"$WHY_BIN" explain --fail-table "$dir/table" -- "$program" 5 3 2>"$dir/err"
[ $? -eq 2 ] && grep -q "unknown setting .\.colour'" "$dir/err" || complain "bad setting: $(cat "$dir/err")"

[ $failures -eq 0 ]
