#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# timeout: 240
# A change with which every test passes because nothing is read any more is no evidence.
set -u
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
export XDG_CACHE_HOME=$tmp/cache
failed=0

cat >"$tmp/p.c" <<'C'
#include <assert.h>
#include <stdlib.h>

struct order { int boxes, loose, free; };

static void read_order(struct order *o, char **argv)
{
	o->boxes = atoi(argv[1]);
	o->loose = atoi(argv[2]);
	o->free = atoi(argv[3]);
}

/* What the program has to compute. */
static int wanted(const struct order *o)
{
	return o->boxes / 12 + o->loose * 3 - o->free;
}

static int cost(const struct order *o)
{
	int boxes = o->boxes / 11;
	int loose = o->loose * 3;
	int all = boxes + loose;

	all = all - o->free;
	return all;
}

int main(int argc, char **argv)
{
	static struct order o;

	if (argc == 4) /* READ */
		read_order(&o, argv);
	assert(cost(&o) == wanted(&o));
	return 0;
}
C
"$CC" -g -O0 -o "$tmp/p" "$tmp/p.c" || exit 1
for order in "0 1 2" "1 2 0" "10 7 1" "12 3 3" "13 9 2" "20 1 1" "9 0 4" "3 3 1" "11 4 0" "23 5 2" "47 8 1" "119 2 6"; do
	echo "$order"
done >"$tmp/suite"
line() {
	grep -n "$1" "$tmp/p.c" | cut -d: -f1
}

explain() { # FILE OPTIONS...
	"$WHY_BIN" explain --all --format=json --failing 1 --tests "$tmp/suite" "${@:2}" -- "$tmp/p" >"$tmp/$1" 2>"$tmp/err" || {
		echo "$1: status $?: $(cat "$tmp/err")"
		failed=1
	}
}
at_read() { # FILE: the changes by which nothing is read and which count
	jq -c --argjson line "$(line READ)" '.suspects[] | select(.evidence.change)
		| select(.statements[0].line == ($line, $line + 1)) | .evidence.change' "$tmp/$1"
}

explain without --limit vacuity_least=0
[ -n "$(at_read without)" ] || {
	echo "no change keeps it from reading, so that this shows nothing: $(jq -c '.suspects[] | [.statements[0].line, .evidence]' "$tmp/without")"
	failed=1
}
explain with
[ -z "$(at_read with)" ] || {
	echo "the program reads nothing: $(at_read with)"
	failed=1
}

# In another file than the check's another share decides.
sed '/^int main/,$d' "$tmp/p.c" >"$tmp/other.c"
cat >>"$tmp/other.c" <<'C'
int is_right(int argc, char **argv)
{
	static struct order o;

	if (argc == 4) /* READ */
		read_order(&o, argv);
	return cost(&o) == wanted(&o);
}
C
cat >"$tmp/check.c" <<'C'
#include <assert.h>
int is_right(int argc, char **argv);
int main(int argc, char **argv)
{
	assert(is_right(argc, argv));
	return 0;
}
C
"$CC" -g -O0 -o "$tmp/p" "$tmp/other.c" "$tmp/check.c" || exit 1
mv "$tmp/other.c" "$tmp/p.c"
for order in "30 1 2" "31 2 0" "33 7 1" "35 3 3" "41 9 2" "44 1 1" "50 0 4" "2 3 1" "4 4 0"; do
	echo "$order"
done >>"$tmp/suite"
explain far
[ -z "$(at_read far)" ] || {
	echo "the program reads nothing: $(at_read far)"
	failed=1
}
explain far --limit vacuity_share_far=100 --limit vacuity_check_share=100
[ -n "$(at_read far)" ] || {
	echo "vacuity_share_far does not decide: $(jq -c '.suspects[] | [.statements[0].line, .evidence]' "$tmp/far")"
	failed=1
}
explain far --limit vacuity_share=100 --limit vacuity_check_share=100
[ -z "$(at_read far)" ] || {
	echo "vacuity_share decides: $(at_read far)"
	failed=1
}

# One of several checks that is weakened is none either.
cat >"$tmp/p.c" <<'C'
#include <assert.h>
#include <math.h>
#include <stdlib.h>

struct sums { int n, odd, least, most; double all, squares; };

static void add(struct sums *s, int value)
{
	if (!s->n || value < s->least)
		s->least = value;
	if (!s->n || value > s->most)
		s->most = value;
	s->odd += value % 2 != 0;
	s->all += value;
	s->squares += (double)value * value;
	s->n++;
}

static double spread(const struct sums *s)
{
	double mean = s->all / s->n;
	double squares = s->squares / s->n;

	return squares - mean * mean + (s->n > 3 ? s->n : 0); /* no small change mends it */
}

static int near(double got, double wanted)
{
	return fabs(got - wanted) <= 1e-9; /* NEAR */
}

int main(int argc, char **argv)
{
	struct sums s = { 0 };

	for (int i = 6; i < argc; i++)
		add(&s, atoi(argv[i]));
	assert(s.n == atoi(argv[1]));
	assert(s.odd == atoi(argv[2]));
	assert(s.least == atoi(argv[3]));
	assert(s.most == atoi(argv[4]));
	assert(near(spread(&s), atof(argv[5])));
	return 0;
}
C
"$CC" -g -O0 -o "$tmp/p" "$tmp/p.c" -lm || exit 1
cat >"$tmp/suite" <<'S'
1 1 7 7 0 7
1 0 4 4 0 4
2 1 4 7 2.25 4 7
2 2 1 9 16 1 9
2 0 2 8 9 8 2
3 2 3 9 6 3 9 6
3 2 1 4 1.5555555555555554 4 1 3
4 2 1 4 1.25 1 2 3 4
4 4 1 7 5 1 3 5 7
5 2 2 6 2 2 3 4 5 6
S
at_near() {
	jq -c --argjson line "$(line NEAR)" '.suspects[] | select(.evidence.change)
		| select(.statements[0].line == $line) | .evidence.change' "$tmp/$1"
}
explain without --limit vacuity_least=0
[ -n "$(at_near without)" ] || {
	echo "no change weakens the check, so that this shows nothing: $(jq -c '.suspects[] | [.statements[0].line, .evidence]' "$tmp/without")"
	failed=1
}
explain with
[ -z "$(at_near with)" ] || {
	echo "the check compares nothing: $(at_near with)"
	failed=1
}

# With the right comparison most tests go by the other of two methods, so what is changed in the first
# one does no harm any more; the change is not vacuous, since what comes behind both still does.
cat >"$tmp/sums.c" <<'C'
/* The sum of the first numbers, small ones one by one. */
static long by_steps(long n)
{
	long sum = 0, most = n;

	if (most > 1000)
		most = 1000;
	for (long i = 1; i <= most; i++)
		sum += i;
	return sum;
}

static long by_formula(long n)
{
	long half, sum;

	half = n / 2;
	if (half < 50)
		half = 50;
	sum = half * (n + 1);
	if (n % 2)
		sum += half + 1;
	return sum;
}

long sum_to(long n)
{
	long sum;

	if (n > 500) /* TURNED */
		sum = by_steps(n);
	else
		sum = by_formula(n);
	sum = sum * 3;
	sum = sum - n;
	return sum;
}
C
cat >"$tmp/check.c" <<'C'
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

long sum_to(long n);

static int is_number(const char *text)
{
	int digits = 0;

	while (text[digits] >= '0' && text[digits] <= '9')
		digits++;
	return digits > 0 && !text[digits];
}

static int usage(void)
{
	puts("sum N EXPECTED");
	return 2;
}

int main(int argc, char **argv)
{
	long n, sum;

	if (argc != 3)
		return usage();
	if (!is_number(argv[1]))
		return usage();
	if (!is_number(argv[2]))
		return usage();
	n = atol(argv[1]);
	sum = sum_to(n);
	assert(sum == atol(argv[2]));
	return 0;
}
C
"$CC" -g -O0 -o "$tmp/turned" "$tmp/sums.c" "$tmp/check.c" || exit 1
for n in 3 10 44 70 150 1001 1500 2000 3001 $(seq 211 19 1000); do
	echo "$n $((n * (n + 1) / 2 * 3 - n))"
done >"$tmp/numbers"
"$WHY_BIN" explain --no-cache --tests "$tmp/numbers" --format json -- "$tmp/turned" >"$tmp/answer"
jq -e --argjson line "$(grep -n '/\* TURNED \*/' "$tmp/sums.c" | cut -d: -f1)" '
	.suspects[0] | .statements[0].line == $line and .evidence.change == "`<'"'"' for `>'"'"'"' "$tmp/answer" >/dev/null || {
	echo "TURNED: $(jq -c '.suspects[] | [.statements[0].line, .evidence.change]' "$tmp/answer")"
	failed=1
}
exit $failed
