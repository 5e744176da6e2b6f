#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Programs built with -fsanitize=undefined or =address: what the sanitizer reports is the failure,
# whether the program ends there or goes on, and its own code is no suspect; nor are the branches in
# front of its traps.  timeout: 180
set -u
. tests/support/samples-lib.sh
need_tool
echo 'int main(void) { return 0; }' >"$dir/none.c"
"$CC" -fsanitize=undefined -o "$dir/none" "$dir/none.c" 2>"$dir/err" || { echo "no -fsanitize=undefined"; exit 77; }

check() { # file, options of the compiler
	program=$dir/$(basename "$1" .c)
	"$CC" -g -O0 -w -fsanitize=undefined "${@:2}" -o "$program" "$1" || { complain "$1 does not compile"; return; }
	read -ra test <<<"$(field "$1" test)"
	read -ra passes <<<"$(field "$1" passes)"
	"$program" "${test[@]}" >"$dir/out" 2>"$dir/report"
	line=$(sed -nE '1s/^[^:]*:([0-9]+):[0-9]+: runtime error: .*/\1/p' "$dir/report")
	fault=$(grep -n '/\* fault \*/' "$1" | cut -d: -f1)
	"$WHY_BIN" explain --format=json -- "$program" "${test[@]}" >"$dir/answer" 2>"$dir/err" ||
		complain "$program ${*:2}: status $?: $(cat "$dir/err")"
	jq -e --argjson line "${line:-0}" '.failure.line == $line and (.failure.cause | startswith("UBSan: "))' "$dir/answer" >"$dir/index" ||
		complain "$program ${*:2}: reported in line $line, told: $(jq -c .failure "$dir/answer")"
	# where the program goes on, its status does not tell which change of the code mends it
	if [ "$line" != "$fault" ] || [ $# -gt 1 ]; then
		! default_limits || jq -e --argjson fault "$fault" '.suspects[0] | .replay == "passes" and .statements[0].line == $fault' "$dir/answer" >"$dir/index" ||
			complain "$program ${*:2}: line $fault is not first: $(jq -c '[.suspects[].statements[].line]' "$dir/answer")"
	fi
	"$WHY_BIN" explain -- "$program" "${passes[@]}" >"$dir/text" 2>"$dir/err"
	[ $? -eq 1 ] && grep -q 'did not fail' "$dir/err" || complain "$program ${*:2}: passes: $(cat "$dir/text" "$dir/err")"
}

# With traps: the processor says SIGILL, in the line that is reported without them.
check_trap() { # file, compiler, its option
	program=$dir/$(basename "$1" .c)
	"$2" -g -O0 -w -fsanitize=undefined "$3" -o "$program" "$1" || { complain "$1 does not compile"; return; }
	read -ra test <<<"$(field "$1" test)"
	"$CC" -g -O0 -w -fsanitize=undefined -o "$program.tells" "$1"
	line=$("$program.tells" "${test[@]}" 2>&1 | sed -nE 's/^[^:]*:([0-9]+):[0-9]+: runtime error: .*/\1/p;T;q')
	fault=$(grep -n '/\* fault \*/' "$1" | cut -d: -f1)
	"$WHY_BIN" explain --format=json -- "$program" "${test[@]}" >"$dir/answer" 2>"$dir/err" ||
		complain "$program $2: status $?: $(cat "$dir/err")"
	jq -e --argjson line "${line:-0}" '.failure.line == $line and .failure.cause == "SIGILL"' "$dir/answer" >"$dir/index" ||
		complain "$program $2: trapped in line $line, told: $(jq -c .failure "$dir/answer")"
	! default_limits || jq -e --argjson line "${line:-0}" --argjson fault "$fault" '(.suspects[0].replay == "passes") and
		($line == $fault or .suspects[0].statements[0].line == $fault) and
		([.suspects[].statements[] | select(.line == $line and .kind == "condition")] == [])' "$dir/answer" >"$dir/index" ||
		complain "$program $2: line $fault is not first: $(jq -c '[.suspects[].statements[] | [.line, .kind]]' "$dir/answer")"
}

# Each program in two of the four ways, which take turns; with THOROUGH=1 in all of them.
number=0
for file in tests/endings/sanitized/*.c; do
	number=$((number + 1))
	if [ $((number % 2)) -eq 1 ] || [ "${THOROUGH:-}" ]; then
		check "$file"
		check_trap "$file" "$CC" -fsanitize-undefined-trap-on-error
	fi
	if [ $((number % 2)) -eq 0 ] || [ "${THOROUGH:-}" ] || [ -z "$(command -v clang)" ]; then
		check "$file" -fno-sanitize-recover=all
		[ -z "$(command -v clang)" ] || check_trap "$file" clang -fsanitize-trap=undefined
	fi
done

# AddressSanitizer: the line that it reports is the failure, or the library function's call; the fault
# is proven among the first three, and its own code is no suspect.
check_address() { # file, compiler
	program=$dir/$(basename "$1" .c)
	"$2" -g -O0 -w -fsanitize=address -o "$program" "$1" 2>"$dir/err" || { complain "$1 does not compile"; return; }
	read -ra test <<<"$(field "$1" test)"
	read -ra right <<<"$(field "$1" right)"
	"$program" "${test[@]}" >"$dir/out" 2>"$dir/report"
	line=$(sed -nE 's/.* in [^ ]+ [^ ]*'"$(basename "$1")"':([0-9]+)(:[0-9]+)?$/\1/p' "$dir/report" | head -1)
	fault=$(grep -n '/\* fault \*/' "$1" | cut -d: -f1)
	"$WHY_BIN" explain --format=json -- "$program" "${test[@]}" >"$dir/answer" 2>"$dir/err" ||
		complain "$program $2: status $?: $(cat "$dir/err")"
	jq -e --argjson line "${line:-0}" '.failure.line == $line and (.failure.cause | test("^(ASan: )?invalid|^double free"))' "$dir/answer" >"$dir/index" ||
		complain "$program $2: reported in line $line, told: $(jq -c .failure "$dir/answer")"
	# where the program's own check reported it, no library function did
	jq -e '(.failure.cause | startswith("ASan: ") | not) or ([.notes[] | select(test("reports .*, in a library function"))] == [])' "$dir/answer" >"$dir/index" ||
		complain "$program $2: who reported it: $(jq -c '[.failure.cause, .notes]' "$dir/answer")"
	! default_limits || jq -e --argjson fault "$fault" '[.suspects[:3][] | select(.replay == "passes") | .statements[].line] | index($fault)' "$dir/answer" >"$dir/index" ||
		complain "$program $2: line $fault is not among the first: $(jq -c '[.suspects[].statements[].line]' "$dir/answer")"
	! grep -q '__asan' "$dir/answer" || complain "$program $2: names its own code: $(grep __asan "$dir/answer")"
	"$WHY_BIN" explain -- "$program" "${right[@]}" >"$dir/text" 2>"$dir/err"
	[ $? -eq 1 ] && grep -q 'did not fail' "$dir/err" || complain "$program $2: right: $(cat "$dir/text" "$dir/err")"
}
"$CC" -g -fsanitize=address -o "$dir/none" "$dir/none.c" 2>"$dir/err" || { finish; exit; }
for name in heap stack short-block; do
	check_address "tests/endings/memory/$name.c" "$CC"
	# one of them compiled by clang, too; with THOROUGH=1 each
	[ "$name" = heap ] || [ "${THOROUGH:-}" ] || continue
	[ -z "$(command -v clang)" ] || check_address "tests/endings/memory/$name.c" clang
done
# What the user says to it stays.
ASAN_OPTIONS=exitcode=7 "$WHY_BIN" explain -- "$dir/none" 2>"$dir/err"
[ $? -eq 1 ] || complain "none: $(cat "$dir/err")"
"$CC" -g -O0 -w -fsanitize=address -o "$dir/freed" tests/endings/memory/freed-twice.c
ASAN_OPTIONS=exitcode=7 "$WHY_BIN" explain --format=json -- "$dir/freed" 0 >"$dir/answer" 2>"$dir/err"
jq -e '(.failure.cause | startswith("double free")) and .suspects[0].replay == "passes"' "$dir/answer" >"$dir/index" ||
	complain "freed-twice: $(jq -c .failure "$dir/answer") $(cat "$dir/err")"
finish
