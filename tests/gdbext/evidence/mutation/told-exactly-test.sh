#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What is told of a change says which number, and which way a condition goes: typed so, the test passes.
set -u
. tests/support/samples-lib.sh
need_tool

# check NAME LINE WORDS RIGHT: the words are told of the line, and the program with RIGHT there passes
check() {
	local name=$1 line=$2 words=$3
	awk -v line="$line" -v right="$4" 'NR == line { print right; next } { print }' "$dir/$name.c" >"$dir/$name-right.c"
	build "$dir/$name.c" "$dir/$name"
	build "$dir/$name-right.c" "$dir/$name-right"
	"$dir/$name-right" >"$dir/printed" 2>&1 || complain "$name: $4 does not mend it: $(cat "$dir/printed")"
	"$WHY_BIN" explain --format json -- "$dir/$name" >"$dir/answer" 2>"$dir/err" || complain "$(cat "$dir/err")"
	jq -r --argjson line "$line" '.suspects[] | select(.statements[0].line == $line) | .evidence.change // empty' \
		"$dir/answer" | grep -qxF -- "$words" || complain "$name: $(jq -c '.suspects[] | [.statements[0].line, .evidence.change]' "$dir/answer")"
}

cat >"$dir/trace.c" <<'C'
#include <assert.h>
static double trace(double m[2][2])
{
	double s = 1;
	for (int i = 0; i < 2; i++)
		s += m[i][i];
	return s;
}
int main(void)
{
	double m[2][2] = { { 4, 1 }, { 2, 5 } };
	double t = trace(m);
	assert(t == 9);
	return t < 0.0 || t == 1.5;
}
C
check trace 4 '0 for 1' '	double s = 0;'
rank=$(jq '[.suspects[] | select(.statements[0].line == 4)][0].rank' "$dir/answer")
[ "$rank" = 1 ] || complain "trace: rank $rank"

cat >"$dir/name.c" <<'C'
#include <assert.h>
#include <string.h>
static void copy(char *to, const char *from, unsigned long n)
{
	memcpy(to, from, n);
	to[n] = '\0';
}
int main(void)
{
	const char *text = "[net]";
	char name[8];
	unsigned long n = strlen(text);
	copy(name, text + 1, n - 1);
	assert(strcmp(name, "net") == 0);
	return 0;
}
C
check name 13 "\`- 2' for \`- 1'" '	copy(name, text + 1, n - 2);'

cat >"$dir/last.c" <<'C'
#include <assert.h>
static int count, open_word;
static void end_word(void)
{
	count++;
	open_word = 0;
}
static void feed(const char *text)
{
	for (; *text; text++)
		if (*text == ' ')
			end_word();
		else
			open_word = 1;
	if (open_word)
		end_word();
}
int main(void)
{
	feed("one two ");
	feed("three");
	assert(count == 2);
	return 0;
}
C
check last 15 "\`open_word' never true" '	if (0)'
# two comparisons in one condition, and the compiler exchanges the operands of the wrong one
cat >"$dir/both.c" <<'C'
#include <assert.h>
static unsigned long sum(const int *v, unsigned long n, unsigned long top)
{
	unsigned long s = 0;
	for (unsigned long i = 0; i <= top && i < n; i++)
		s += (unsigned long)v[i];
	return s;
}
int main(void)
{
	static const int v[] = { 5, 3, 9, 8, 2, 6 };
	unsigned long s = sum(v, 6, 4);
	assert(s == 25);
	return 0;
}
C
check both 5 "\`i < top' for \`i <= top'" '	for (unsigned long i = 0; i < top && i < n; i++)'
[ $failures -eq 0 ]
