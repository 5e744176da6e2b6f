#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# limits: any
#
# --memory: each program of tests/endings/memory says what is invalid, and in which line; with its
# right arguments nothing is said, optimized or not.  memcheck, where it is installed, agrees on the
# accesses that it can see.  timeout: 200
set -u
. tests/support/samples-lib.sh
need_tool

answer() { # program, arguments
	"$WHY_BIN" explain --memory --format=json -- "$@" >"$dir/answer" 2>"$dir/err"
	status=$?
}

check_wrong() { # file
	fault=$(grep -n '/\* .*fault' "$1" | cut -d: -f1)
	wrong=$(grep -n 'wrong \*/' "$1" | cut -d: -f1)
	says=$(field "$1" says)
	read -ra arguments <<<"$(field "$1" test)"
	answer "$dir/program" "${arguments[@]}"
	[ -z "$fault" ] || explained_or_cut $status || complain "$1: status $status: $(cat "$dir/err")"
	jq -e --arg says "$says" --argjson line "$wrong" \
		'.failure | .kind == "memory" and .cause == $says and .line == $line' "$dir/answer" >"$dir/same" ||
		complain "$1: $(jq -c .failure "$dir/answer")"
	# the story of a block, as it is in the notes
	jq -e '([.notes[] | capture("^the block was allocated by (?<by>[^ ]*) at [^ :]*:(?<line>[0-9]+) in ")] |
			map([.by, .line])) == ([.failure.story[]? | select(.what == "allocated") | [.by, (.line | tostring)]]) and
		([.notes[] | select(test("^it was freed by "))] | length) == ([.failure.story[]? | select(.what == "freed")] | length)' \
		"$dir/answer" >"$dir/same" || complain "$1: $(jq -c '[.failure.story, .notes]' "$dir/answer")"
	[ -z "$fault" ] || ! default_limits || jq -e --argjson fault "$fault" \
		'[.suspects[] | select(.replay == "passes") | .statements[].line] | index($fault)' \
		"$dir/answer" >"$dir/index" ||
		complain "$1: line $fault is no proven suspect: $(jq -c '[.suspects[].statements[].line]' "$dir/answer")"
	[ -z "$(field "$1" first)" ] || ! default_limits || [ "$(cat "$dir/index")" = 0 ] ||
		complain "$1: the fault is number $(cat "$dir/index")"
}

check_right() { # file, level
	read -ra arguments <<<"$(field "$1" right)"
	answer "$dir/program" "${arguments[@]}"
	[ $status = 1 ] && grep -q 'no invalid access to memory was found' "$dir/err" ||
		complain "$1 -O$2, right: status $status: $(cat "$dir/err") $(jq -c .failure.cause "$dir/answer")"
}

# What memcheck calls invalid lies on the same line.
check_with_memcheck() { # file
	read -ra arguments <<<"$(field "$1" test)"
	valgrind "$dir/program" "${arguments[@]}" 2>&1 >"$dir/out" |
		grep -m1 -A9 -E '^==[0-9]+== (Invalid|Conditional)' |
		grep -m1 -oE "$(basename "$1"):[0-9]+" >"$dir/seen"
	case $1 in
	*/stack.c | */cache.c) return ;; # it has no bounds of variables
	esac
	[ "$(cat "$dir/seen")" = "$(basename "$1"):$(grep -n 'wrong \*/' "$1" | cut -d: -f1)" ] ||
		complain "$1: memcheck says $(cat "$dir/seen")"
}

for file in tests/endings/memory/*.c; do
	"$CC" -g -O0 -w -fno-stack-protector -o "$dir/program" "$file" || complain "$file does not compile"
	check_wrong "$file"
	check_right "$file" 0
	! command -v valgrind >"$dir/out" || check_with_memcheck "$file"
	"$CC" -g -O2 -w -o "$dir/program" "$file" || complain "$file does not compile"
	check_right "$file" 2
done

# The output is wrong because of an access in front of the array: a note says so, and with --memory
# the question is about it.
cat >"$dir/letters.c" <<'END'
#include <stdio.h>
#include <stdlib.h>
static void count(int *counts, const char *text)
{
	for (; *text; text++)
		counts[*text - 'a']++; /* wrong */
}
int main(void)
{
	char *before = calloc(64, 1);
	int *counts = calloc(26, sizeof *counts);
	count(counts, "Zoo");
	printf("o %d, z %d\n", counts['o' - 'a'], counts['z' - 'a']);
	return before[0];
}
END
"$CC" -g -O0 -fno-stack-protector -o "$dir/letters" "$dir/letters.c" || complain "letters.c does not compile"
echo 'o 2, z 1' >"$dir/letters.expect"
says='invalid read: reads 4 bytes, 28 bytes before the beginning of a block of 104 bytes'
"$WHY_BIN" explain --format=json --expect "$dir/letters.expect" -- "$dir/letters" >"$dir/answer" 2>"$dir/err"
jq -e --arg says "$says" '.failure.kind == "output" and
	([.notes[] | select(test($says + ".*letters.c:6; --memory explains that"))] | length == 1)' "$dir/answer" \
	>"$dir/same" || complain "letters: $(jq -c '[.failure, .notes]' "$dir/answer")"
"$WHY_BIN" explain --memory --format=json --expect "$dir/letters.expect" -- "$dir/letters" >"$dir/answer" 2>"$dir/err"
jq -e --arg says "$says" '.failure | .kind == "memory" and .line == 6 and (.cause | test($says))' "$dir/answer" \
	>"$dir/same" || complain "letters, --memory: $(jq -c .failure "$dir/answer")"

[ $failures -eq 0 ]
