#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# In optimized code putc_unlocked and its kin are no calls: which line put each character is known
# all the same, also where other streams get characters in between, or the buffer is full.
set -u
. tests/support/samples-lib.sh
need_tool

cat >"$dir/put.c" <<'END'
#include <stdio.h>
#include <stdlib.h>
static void digits(FILE *out, unsigned n)
{
	if (n > 9)
		digits(out, n / 10);
	putc_unlocked('0' + n % 10, out);
}
int main(int argc, char **argv)
{
	FILE *other = fopen("/dev/null", "w");
	int n = atoi(argv[1]);

	for (int i = 1; i <= n; i++) {
		digits(other, i);
		digits(i % 7 ? stdout : stderr, i);
		for (int k = i % 5 + 1; k > 0; k--)
			putchar_unlocked(' ');
		if (i % 3)
			fputc_unlocked('x' + i % 2, stdout);
		else
			printf("%d", i);
		putc_unlocked('\n', stdout);
	}
	return 0;
}
END
"$CC" -g -O2 -w -o "$dir/put" "$dir/put.c" || complain "put.c does not compile"
objdump -d "$dir/put" | grep -q 'call.*<putc\|call.*<fputc' && { echo "$CC makes calls of them"; exit 77; }

# What each line of the output was put by, as the program says.
expected() { # LINES
	for i in $(seq "$1"); do
		[ $((i % 7)) -eq 0 ] || for digit in $(echo "$i" | sed 's/./& /g'); do echo 7; done
		for k in $(seq $((i % 5 + 1))); do echo 18; done
		[ $((i % 3)) -eq 0 ] && echo 22 || echo 20
		echo 23
	done | uniq >"$dir/expected"
}

for lines in 30 700; do
	"$WHY_BIN" ask 'why output' -- "$dir/put" "$lines" >"$dir/text" 2>"$dir/err" || complain "$lines: $(cat "$dir/err")"
	grep -o 'put.c:[0-9]*' "$dir/text" | cut -d: -f2 | uniq >"$dir/got"
	expected "$(grep -c put.c: "$dir/text")"
	cmp "$dir/got" "$dir/expected" || complain "$lines lines: $(diff "$dir/got" "$dir/expected" | head -n 5)"
done
[ "$(grep -c put.c: "$dir/text")" -ge 100 ] || complain "few lines: $(wc -l <"$dir/text")"
"$WHY_BIN" ask 'why output 22' -- "$dir/put" 30 >"$dir/text" 2>&1
grep -q "^'x' + i % 2 = x at .*put.c:20 in main" "$dir/text" || complain "the argument: $(cat "$dir/text")"

# What is wrong is explained.
"$dir/put" 9 2>/dev/null | sed 's/^4.*/4     y/' >"$dir/right"
"$WHY_BIN" explain --expect "$dir/right" --format json -- "$dir/put" 9 >"$dir/answer" 2>"$dir/err"
jq -e '[.suspects[] | select(.replay == "passes") | .statements[].line] | index(20) != null' "$dir/answer" >/dev/null ||
	complain "explain: $(cat "$dir/err" "$dir/answer" | head -c 2000)"
[ $failures -eq 0 ]
