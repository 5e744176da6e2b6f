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
# a statement that is put behind a `return' is put nowhere
cat >"$dir/trim.c" <<'C'
#include <stdio.h>
#include <string.h>
static char *trim(char *s)
{
	while (*s == ' ')
		s++;
	char *end = s + strlen(s);
	while (end > s && end[-1] == ' ')
		end--;
	return s;
}
int main(int argc, char **argv)
{
	char text[32];
	strcpy(text, argv[argc - 1]);
	printf("%s!\n", trim(text));
	return 0;
}
C
build "$dir/trim.c" "$dir/trim"
echo 'net!' >"$dir/expected"
"$WHY_BIN" explain --format json --expect "$dir/expected" -- "$dir/trim" ' net  ' >"$dir/answer" 2>"$dir/err" || complain "$(cat "$dir/err")"
jq -e '.suspects[] | select(.statements[0].line == 10 and .evidence.change == "`*end = 0\u0027 put before it")' "$dir/answer" >"$dir/found" ||
	complain "trim: $(jq -c '.suspects[] | [.statements[0].line, .evidence.change]' "$dir/answer")"
jq -e '[.suspects[].statements[0].line] | index(11)' "$dir/answer" >"$dir/brace" && complain "trim: $(jq -c '.suspects[] | [.statements[0].line, .evidence.change]' "$dir/answer")"

# a condition is asked of, and the test fails, too: what makes the test pass says nothing of the condition
cat >"$dir/asked.c" <<'C'
#include <assert.h>
static int sum(int n)
{
	int s = 0;
	for (int i = 0; i <= n; i++)
		s += i;
	return s;
}
int main(void)
{
	int s = sum(4);
	assert(s == 6);
	return 0;
}
C
build "$dir/asked.c" "$dir/asked"
"$WHY_BIN" explain --require 'asked.c:7 s > 100' --format json -- "$dir/asked" >"$dir/answer" 2>"$dir/err" || complain "$(cat "$dir/err")"
[ "$(jq '[.suspects[] | select(.evidence.change != null)] | length' "$dir/answer")" = 0 ] && [ "$(jq '.suspects | length' "$dir/answer")" -gt 0 ] ||
	complain "asked: $(jq -c '.suspects[] | [.statements[0].line, .evidence]' "$dir/answer")"

# a store of one execution goes elsewhere, and another one stores another value: both are told
cat >"$dir/calc.c" <<'C'
#include <ctype.h>
#include <stdio.h>
static int nums[64], nnums, nops;
static char ops[64];
static int rank(char op)
{
	return op == '%' || op == '*' ? 2 : 1;
}
static int apply(char op, int a, int b)
{
	switch (op) {
	case '+': return a + b;
	case '-': return a - b;
	case '*': return a * b;
	case '%': return b != 0 ? a % b : 0;
	}
	return 0;
}
static void reduce(void)
{
	int b = nums[--nnums];
	int a = nums[--nnums];
	char op = ops[--nops];
	nums[nnums++] = apply(op, a, b);
}
static int eval(const char *s)
{
	nnums = nops = 0;
	while (*s) {
		if (isdigit((unsigned char)*s)) {
			int v = 0;
			while (isdigit((unsigned char)*s))
				v = v * 10 + (*s++ - '0');
			nums[nnums++] = v;
			continue;
		}
		while (nops && rank(ops[nops - 1]) >= rank(*s))
			reduce();
		ops[nops++] = *s++;
	}
	while (nops)
		reduce();
	return nums[0];
}
int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		printf("%s = %d\n", argv[i], eval(argv[i]));
	return 0;
}
C
build "$dir/calc.c" "$dir/calc"
"$WHY_BIN" ask --at calc.c:49 --format json 'why not nums[0] == 5' -- "$dir/calc" '2+3*4' 2*7-3-10 3+5 '2*3*2' 100-20-5%3 >"$dir/answer" 2>"$dir/err" ||
	complain "$(cat "$dir/err")"
[ "$(jq '.suspects | length' "$dir/answer")" -gt 2 ] || complain "calc: $(cat "$dir/answer")"
# executions of stores that are changed, and those that the answer tells of
jq -c '.suspects[] | {line: .statements[0].line, done: [.actions[] | select(startswith("memory")) | split(" execution ")[1] | split(" ")[0]] | unique,
	told: [.instances[].execution | tostring] | unique} | select(.done - .told != [])' "$dir/answer" >"$dir/untold"
[ -s "$dir/untold" ] && complain "calc: $(cat "$dir/untold")"
# one of two numbers that are alike, of two conditions, and of two values
cat >"$dir/two.c" <<'C'
#include <assert.h>
static int alternate(const int *v, int n)
{
	int sum = 1, sign = 1;
	for (int i = 0; i < n; i++) {
		sum += sign * v[i];
		sign = -sign;
	}
	return sum;
}
int main(void)
{
	static const int v[] = { 9, 4, 7, 1 };
	int s = alternate(v, 4);
	assert(s == 11);
	return 0;
}
C
check two 4 "\`sum = 0' for \`sum = 1'" '	int sum = 0, sign = 1;'
cat >"$dir/yes.c" <<'C'
#include <assert.h>
#include <string.h>
static int is_yes(const char *v)
{
	return strcmp(v, "yes") == 0 || strcmp(v, "on") || strcmp(v, "1") == 0;
}
int main(void)
{
	int a = is_yes("off"), b = is_yes("on");
	assert(a == 0 && b == 1);
	return 0;
}
C
check yes 5 "\`strcmp(v, \"on\")' negated" '	return strcmp(v, "yes") == 0 || !strcmp(v, "on") || strcmp(v, "1") == 0;'
# a member, where the line has a variable of that name, too
cat >"$dir/member.c" <<'C'
#include <assert.h>
struct item {
	int count, price;
};
static int take(struct item *i, int count)
{
	i->count -= count;
	return count * i->count;
}
int main(void)
{
	struct item tea = { 12, 4 }, milk = { 6, 2 };
	int earned = take(&tea, 3) + take(&milk, 2);
	assert(earned == 16);
	return 0;
}
C
check member 8 "\`i->price' for \`i->count'" '	return count * i->price;'

# The place of a result that a call returns in memory is no argument of the source.
cat >"$dir/divide.c" <<'C'
#include <assert.h>
struct result { long quotient, rest, sign; };
static struct result divide(const long *a, const long *b)
{
	struct result r = { *a / *b, *a % *b, 1 };
	return r;
}
int main(void)
{
	long n[2] = { 3, 17 };
	struct result r = divide(&n[0], &n[1]);
	assert(r.quotient == 5);
	return 0;
}
C
check divide 11 'arguments 1 and 2 exchanged' '	struct result r = divide(&n[1], &n[0]);'

# The operator is the one that the line has.
cat >"$dir/wrong.c" <<'C'
#include <stdio.h>
static int odd(int n)
{
	return n % 2;
}
int main(void)
{
	int wrong = 0;
	if (odd(3) != 1)
		wrong |= 1;
	if (odd(-3) != 1)
		wrong |= 2;
	printf("%d\n", wrong);
	return wrong;
}
C
check wrong 12 "\`&=' for \`|='" '		wrong &= 2;'
[ $failures -eq 0 ]
