#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Tests that fail by what they print: each program of tests/outputs is its own golden
# program.  The faulty line has to be found, by a run that prints what is right.  timeout: 180
set -u
. tests/support/samples-lib.sh
need_tool

compile() { # file, options: to $program
	compiler=$CC
	case $1 in *.cc) compiler=${CXX:-g++} ;; esac
	program=$dir/$(basename "${1%.c*}")
	"$compiler" -g -O0 -w -DFIXED -o "$program-fixed" "$1" && "$compiler" -g -O0 -w -o "$program" "$1"
}

explain() { # options
	"$WHY_BIN" explain --format=json --max-suspects 0 "$@" -- "$program" "${arguments[@]}" >"$dir/answer" 2>"$dir/err"
}

check() { # file
	compile "$1" || { complain "$1 does not compile"; return; }
	fault=$(grep -n '/\* fault \*/' "$1" | cut -d: -f1)
	finds=$(field "$1" finds)
	read -ra arguments <<<"$(field "$1" test)"
	"$program-fixed" "${arguments[@]}" >"$dir/out" 2>"$dir/expected-err" </dev/null
	explain --limit mutant_runs=0 --expect "$dir/out" --expect-stderr "$dir/expected-err" --expect-status $? ||
		complain "$1: status $?: $(cat "$dir/err")"
	says=$(jq -r '"\(.failure.cause) at"' "$dir/answer")
	[ "$says" = "$(field "$1" says)" ] || complain "$1 says: $says"
	jq -e --argjson fault "$fault" --arg finds "$finds" \
		'[.suspects[] | select(if $finds == "further" then .further.to > .further.from else .replay == "passes" end) |
		  .statements[].line] | index($fault)' "$dir/answer" >"$dir/index" ||
		complain "$1: line $fault is not found: $(jq -c '[.suspects[] | [.replay, .further, .statements[].line]]' "$dir/answer")"
	jq -e "$all_is_told" "$dir/answer" >"$dir/index" ||
		complain "$1: a proof changes more than is told: $(jq -c '.suspects[] | [.statements, .instances, .actions]' "$dir/answer")"
}

# Each execution that a proof changes something after is among the instances that its suspect is told with.
all_is_told='[.suspects[] | select(.replay == "passes" and all(.statements[]; .kind != "code" and .kind != "data")) |
	([.actions[] | split(" ")[6:9] | join(" ")] | unique | length) <= (.instances | length)] | all'

for file in tests/outputs/*.c; do
	check "$file"
done
command -v "${CXX:-g++}" >"$dir/out" &&
	for file in tests/outputs/*.cc; do
		check "$file"
	done

# What another program prints is expected as well.
arguments=(3 4 5) program=$dir/total
explain --golden "$dir/total-fixed" || complain "--golden: status $?: $(cat "$dir/err")"
jq -e '.failure.kind == "output" and .suspects[0].replay == "passes"' "$dir/answer" >"$dir/index" ||
	complain "--golden: $(jq -c .failure "$dir/answer")"

# What it writes to standard error is, too, where that is asked for.
program=$dir/wrapper
read -ra arguments <<<"$(field tests/outputs/wrapper.c test)"
explain --golden "$dir/wrapper-fixed" --expect-stderr - || complain "--expect-stderr -: status $?: $(cat "$dir/err")"
[ "$(jq -r '"\(.failure.cause) at"' "$dir/answer")" = "$(field tests/outputs/wrapper.c says)" ] ||
	complain "--expect-stderr -: $(jq -c .failure "$dir/answer")"
explain --expect-stderr -
[ $? -eq 2 ] && grep -q 'what the program of --golden writes' "$dir/err" || complain "no golden: $(cat "$dir/err")"

# A program's own name in a message is not what differs.
for name in named named-fixed; do
	printf '#include <stdio.h>\nint main(int argc, char **argv) { fprintf(stderr, "%%s: bad\\n", argv[0]); return argc; }\n' >"$dir/$name.c"
	"$CC" -g -w -o "$dir/$name" "$dir/$name.c"
done
program=$dir/named arguments=()
explain --golden "$dir/named-fixed" --expect-stderr -
[ $? -eq 1 ] || complain "its own name: $(cat "$dir/err") $(jq -c .failure "$dir/answer")"

# A way ends at the first difference, and not in what is wrong after it.
arguments=(+ pen 2 5 + pen 2 3 - pen 7 0) program=$dir/shop
explain --golden "$dir/shop-fixed" || complain "shop: status $?: $(cat "$dir/err")"
later=$(grep -n 'earned %d' tests/outputs/shop.c | cut -d: -f1)
jq -e --argjson later "$later" '.chain as $links |
	[.suspects[] | select(.replay == "passes" and .size == 1) | $links[.chain[]].line] |
	length > 2 and index($later) == null' "$dir/answer" >"$dir/index" ||
	complain "shop: $(jq -c '[.chain[].line]' "$dir/answer")"

# Slips of the pen are tried with the same judgement.
"$WHY_BIN" explain --golden "$dir/end-fixed" -- "$dir/end" >"$dir/text"
grep -q '7 for 6 here: the test passes with that, too' "$dir/text" || complain "slip: $(cat "$dir/text")"

# The failing tests of a suite, by their output.
printf '%s\n' 'few: 1 2' 'more: 3 4 5' >"$dir/suite"
mkdir "$dir/wanted"
"$dir/total-fixed" 1 2 >"$dir/wanted/few.out"
"$dir/total-fixed" 3 4 5 >"$dir/wanted/more.out"
for by in "--golden $dir/total-fixed" "--expected $dir/wanted"; do
	# shellcheck disable=SC2086
	"$WHY_BIN" explain --format=json --no-cache --tests "$dir/suite" $by -- "$dir/total" >"$dir/answer" 2>"$dir/err" ||
		complain "--tests $by: status $?: $(cat "$dir/err")"
	jq -e '(.tests.explained | length == 2) and .failure.kind == "output" and .suspects[0].replay == "passes" and .suspects[0].tests == 2' \
		"$dir/answer" >"$dir/index" || complain "--tests $by: $(jq -c '[.tests, .failure.kind, .suspects[0]]' "$dir/answer")"
done

# In words: what gets further is said.
program=$dir/two arguments=()
"$program-fixed" >"$dir/out"
"$WHY_BIN" explain --expect "$dir/out" -- "$program" >"$dir/text"
grep -q 'gets further: from line 2 of its output to line 5' <(tr '\n' ' ' <"$dir/text" | tr -s ' ') ||
	complain "further: $(cat "$dir/text")"
grep -q 'of the first difference only' "$dir/text" || complain "count: $(sed -n 2p "$dir/text")"

# A line that mends the test by two values is told with both.
program=$dir/pair
explain --limit mutant_runs=0 --golden "$dir/pair-fixed"
jq -e '[.suspects[] | select(.size == 1 and .replay == "passes")][0] |
	([.statements[].clause] == ["argument 2 of printf", "argument 3 of printf"]) and
	([.statements[].witness] == ["2", "5"]) and (.actions | length) == 2' "$dir/answer" >"$dir/index" ||
	complain "two arguments: $(jq -c '[.suspects[] | [.replay, .statements, .actions]]' "$dir/answer")"

# A value that has to stay as it was, though another change gives it another one, is told as well.
program=$dir/nested
explain --limit mutant_runs=0 --limit nearby_runs=0 --golden "$dir/nested-fixed"
jq -e '[.suspects[] | select(.replay == "passes" and .statements[0].clause == "argument 1 of take")][0] |
	[.statements[] | [.clause, .actual == .witness]] == [["argument 1 of take", false], ["argument 3 of printf", true]]' \
	"$dir/answer" >"$dir/index" || complain "held: $(jq -c '[.suspects[] | [.replay, .statements]]' "$dir/answer")"

# Runs near the failure: what is wrong twice in a line is changed twice, with other rounds between; where only
# one change is allowed, it is told which gets further, before those that mend nothing.
program=$dir/tabs
explain --limit nearby_from=0 --limit nearby_alone_from=0 --limit mutant_runs=0 --max-suspects 1 --golden "$dir/tabs-fixed"
jq -e '.suspects[0] | .replay == "passes" and .statements[0].changes == 2' "$dir/answer" >"$dir/index" ||
	complain "twice: $(jq -c '.suspects[0]' "$dir/answer")"
"$WHY_BIN" explain --limit nearby_from=0 --limit nearby_gap=0 --limit mutant_runs=0 --golden "$dir/tabs-fixed" -- "$program" >"$dir/text"
grep -A 3 '^ 1 ' "$dir/text" | tr '\n' ' ' | tr -s ' ' | grep -q 'while (--spaces).*the test gets further in line 1 of its output' ||
	complain "further in a line: $(cat "$dir/text")"

# What cannot be seen is said.
program=$dir/total arguments=(3 4 5)
printf 'count 3%%\ntotal    9\nend\n' >"$dir/out"
"$WHY_BIN" explain --expect "$dir/out" -- "$program" 3 4 5 >"$dir/text"
tr '\n' ' ' <"$dir/text" | tr -s ' ' | grep -q 'expected "total 9": 5 blanks in place of 4 blanks at column 6' ||
	complain "blanks: $(head -n 3 "$dir/text")"

# A test that prints what it should does not fail, and what nothing prints is said.
program=$dir/total-fixed arguments=(1 2)
"$program" 1 2 >"$dir/out"
explain --expect "$dir/out"
[ $? -eq 1 ] && grep -q 'did not fail: .* printed what is expected' "$dir/err" || complain "passing: $(cat "$dir/err")"
echo 'something else' >"$dir/out"
explain --expect "$dir/out" --max-runs 4
jq -e '[.notes[] | select(test("no format and no constant of the program prints"))] | length == 1' "$dir/answer" >"$dir/index" ||
	complain "nothing prints: $(jq -c .notes "$dir/answer") $(cat "$dir/err")"
explain --expect "$dir/no-such-file"
[ $? -eq 2 ] && grep -q 'expected output cannot be read' "$dir/err" || complain "no file: $(cat "$dir/err")"

[ $failures -eq 0 ]
