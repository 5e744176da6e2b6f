#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# timeout: 480
# limits: any
# Programs that check and count by themselves, and exit with a status: what only compares, counts and
# hands on is not what is tested.
set -u
. tests/support/samples-lib.sh
need_tool

cat >"$dir/tested.h" <<'C'
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int days_in(int month, int year)
{
	static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	int leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
	if (month == 2 && leap)
		return 29;
	return days[month]; /* fault */
}
static int first_weekday(int year)
{
	return (year + year / 4 - year / 100 + year / 400) % 7;
}
C
# Each is a way to check, as people write it: main calls it with C, what is got, and W, what is wanted.
write() {
	{ cat "$dir/tested.h" && cat; } >"$dir/$1.c"
}
write function <<'C'
static int fails, total;
static void check_int(const char *what, int got, int want)
{
	total++;
	if (got != want) {
		printf("%s: got %d, want %d\n", what, got, want);
		fails++;
	}
}
int main(void)
{
	check_int("leap", days_in(2, 2024), 29);
	check_int("january", days_in(1, 2023), 31);
	check_int("weekday", first_weekday(2024), 2);
	printf("%d of %d\n", fails, total);
	return fails ? 1 : 0;
}
C
write compare <<'C'
static struct { int tests, bad; } result;
static void same(const char *got, const char *want)
{
	result.tests++;
	if (strcmp(got, want) != 0)
		result.bad++;
}
int main(void)
{
	char text[20];
	sprintf(text, "%d days", days_in(2, 2024));
	same(text, "29 days");
	sprintf(text, "%d days", days_in(1, 2023));
	same(text, "31 days");
	return result.bad;
}
C
write macro <<'C'
static int fails;
#define CHECK(x) do { if (!(x)) { printf("%s:%d: %s\n", __FILE__, __LINE__, #x); fails++; } } while (0)
int main(void)
{
	CHECK(days_in(2, 2024) == 29);
	CHECK(days_in(1, 2023) == 31);
	CHECK(first_weekday(2024) == 2);
	return fails != 0;
}
C
write report <<'C'
static int fails;
static void report(const char *text, int line)
{
	fprintf(stderr, "%d: %s\n", line, text);
	fails++;
}
#define CHECK(x) ((x) ? (void)0 : report(#x, __LINE__))
int main(void)
{
	CHECK(days_in(2, 2024) == 29);
	CHECK(days_in(1, 2023) == 31);
	return fails > 0;
}
C
write returns <<'C'
static int test_days(void)
{
	if (days_in(2, 2024) != 29)
		return 1;
	if (days_in(1, 2023) != 31)
		return 1;
	return 0;
}
static int test_weekday(void)
{
	return first_weekday(2024) != 2;
}
int main(void)
{
	int bad = 0;
	bad += test_weekday();
	bad += test_days();
	return bad;
}
C
write flag <<'C'
int main(void)
{
	bool ok = true;
	ok = ok && days_in(2, 2024) == 29;
	ok = ok && days_in(1, 2023) == 31;
	ok = ok && first_weekday(2024) == 2;
	return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
C
write table <<'C'
static const struct { int month, year, want; } cases[] = { { 2, 2024, 29 }, { 2, 2023, 28 }, { 1, 2023, 31 } };
int main(void)
{
	int failed = 0;
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		int got = days_in(cases[i].month, cases[i].year);
		if (got != cases[i].want)
			failed = 1;
	}
	return failed;
}
C
write exits <<'C'
int main(void)
{
	if (days_in(2, 2024) != 29)
		exit(1);
	if (days_in(1, 2023) != 31) {
		fprintf(stderr, "january\n");
		exit(1);
	}
	return 0;
}
C
write cases <<'C'
#include <math.h>
struct counters { unsigned run, bad; };
static const struct { int month, year; double want; } cases[] = { { 2, 2024, 29 }, { 2, 2023, 28 }, { 1, 2023, 31 } };
static bool close_to(double a, double b)
{
	return fabs(a - b) < 1e-9;
}
static void run_case(int i, struct counters *c)
{
	double got = days_in(cases[i].month, cases[i].year);
	c->run++;
	if (!close_to(got, cases[i].want)) {
		fprintf(stderr, "case %d: %g, want %g\n", i, got, cases[i].want);
		c->bad++;
	}
}
int main(void)
{
	struct counters c = { 0, 0 };
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
		run_case(i, &c);
	return c.bad == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
C
write expects <<'C'
#define EXPECT(c) do { if (!(c)) { fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #c); return 1; } } while (0)
#define EXPECT_INT(a, b) do { int got = (a), want = (b); if (got != want) { fprintf(stderr, "%d, not %d\n", got, want); return 1; } } while (0)
static int test_days(void)
{
	EXPECT_INT(days_in(2, 2024), 29);
	EXPECT_INT(days_in(1, 2023), 31);
	return 0;
}
static int test_weekday(void)
{
	EXPECT(first_weekday(2024) == 2);
	return 0;
}
int main(void)
{
	int bad = 0;
	bad += test_days();
	bad += test_weekday();
	printf("%d failed\n", bad);
	return bad;
}
C
cat "$dir/tested.h" - >"$dir/class.cc" <<'C'
#include <iostream>
class TestRunner {
	int passed = 0, failed = 0;
public:
	template <class T> void equal(const char *name, const T &got, const T &want)
	{
		if (got == want) {
			passed++;
		} else {
			std::cerr << name << ": got " << got << ", want " << want << "\n";
			failed++;
		}
	}
	int result() const { return failed ? 1 : 0; }
};
int main()
{
	TestRunner t;
	t.equal("leap", days_in(2, 2024), 29);
	t.equal("january", days_in(1, 2023), 31);
	t.equal("weekday", (long)first_weekday(2024), 2L);
	return t.result();
}
C
cat "$dir/tested.h" - >"$dir/throws.cc" <<'C'
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <vector>
struct Failure : std::runtime_error { using std::runtime_error::runtime_error; };
template <typename T> void check_equal(const T &got, const T &want)
{
	if (!(got == want)) {
		std::ostringstream os;
		os << "got " << got << ", want " << want;
		throw Failure(os.str());
	}
}
static void test_days() { check_equal(days_in(2, 2024), 29); check_equal(days_in(1, 2023), 31); }
static void test_weekday() { check_equal(first_weekday(2024), 2); }
int main()
{
	int failed = 0;
	const std::vector<void (*)()> tests = { test_days, test_weekday };
	for (const auto &test : tests) {
		try {
			test();
		} catch (const Failure &f) {
			std::cout << f.what() << "\n";
			++failed;
		}
	}
	return failed == 0 ? 0 : 1;
}
C
write messages <<'C'
#define mu_assert(message, test) do { if (!(test)) return message; } while (0)
#define mu_run_test(test) do { const char *message = test(); tests_run++; if (message) return message; } while (0)
static int tests_run;
static const char *test_weekday(void)
{
	mu_assert("weekday", first_weekday(2024) == 2);
	return NULL;
}
static const char *test_days(void)
{
	mu_assert("leap", days_in(2, 2024) == 29);
	mu_assert("january", days_in(1, 2023) == 31);
	return NULL;
}
static const char *all_tests(void)
{
	mu_run_test(test_weekday);
	mu_run_test(test_days);
	return NULL;
}
int main(void)
{
	const char *result = all_tests();
	puts(result ? result : "ALL TESTS PASSED");
	return result != NULL;
}
C
write tests <<'C'
static bool test_days(void)
{
	if (days_in(2, 2024) != 29)
		return false;
	return days_in(1, 2023) == 31;
}
static bool test_weekday(void)
{
	return first_weekday(2024) == 2;
}
static const struct { const char *name; bool (*run)(void); } tests[] = { { "weekday", test_weekday }, { "days", test_days } };
int main(void)
{
	int failed = 0;
	for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
		bool ok = tests[i].run();
		printf("%s: %s\n", tests[i].name, ok ? "PASS" : "FAIL");
		if (!ok)
			failed++;
	}
	return failed;
}
C
write strings <<'C'
static int expect_str(const char *name, const char *got, const char *want)
{
	if (strcmp(got, want) == 0) {
		printf("PASS %s\n", name);
		return 1;
	}
	printf("FAIL %s: got '%s', want '%s'\n", name, got, want);
	return 0;
}
int main(void)
{
	char buf[64];
	int ok = 1;
	snprintf(buf, sizeof buf, "%d days", days_in(2, 2024));
	ok &= expect_str("leap", buf, "29 days");
	snprintf(buf, sizeof buf, "%d days", days_in(1, 2023));
	ok &= expect_str("january", buf, "31 days");
	return ok ? 0 : 1;
}
C
write members <<'C'
struct day { int days, weekday; };
int main(void)
{
	static const struct day want = { 31, 0 };
	int bad = 0;
	struct day got = { days_in(1, 2023), first_weekday(2023) };
	if (got.days != want.days ||
	    got.weekday != want.weekday)
		bad++;
	return bad;
}
C
fault=$(grep -n '/\* fault \*/' "$dir/tested.h" | cut -d: -f1)

# explain NAME: its answer in $dir/answer, the line that each suspect begins with in $dir/index.
explain() {
	if [ -e "$dir/$1.cc" ]; then
		"${CXX:-g++}" -g -w -O0 -o "$dir/$1" "$dir/$1.cc"
	else
		"$CC" -g -w -O0 -o "$dir/$1" "$dir/$1.c" -lm
	fi || complain "$1 does not compile"
	"$WHY_BIN" explain --format=json -- "$dir/$1" >"$dir/answer" 2>"$dir/err"
	explained_or_cut $? || complain "$1: $(cat "$dir/err")"
	jq -c '[.suspects[] | select(.replay == "passes") | .statements[0].line]' "$dir/answer" >"$dir/index"
}

# What is told of the check that failed, of each that is known as one.
declare -A told=(
	[function]="a failed check is counted, \`fails++'; got = 28, want = 31"
	[compare]="a failed check is counted, \`bad++'; got = \"28 days\", want = \"31 days\""
	[macro]="\`CHECK(days_in(1, 2023) == 31)' failed; days_in(1, 2023) = 28"
	[returns]="the test fails by \`return 1'; "
	[table]="the test fails by \`failed = 1'; got = 31, cases[i].want = 28, i = 1"
	[cases]="a failed check is counted, \`bad++'; got = 31, cases[i].want = 28, i = 1"
	[expects]="\`EXPECT_INT(days_in(1, 2023), 31)' failed; got = 28, want = 31"
	[throws]="the test fails by \`throw Failure(os.str())'; got = 28, want = 31"
	[messages]="\`mu_assert(\"january\", days_in(1, 2023) == 31)' failed; days_in(1, 2023) = 28"
	[strings]="the test fails by \`return 0'; got = \"28 days\", want = \"31 days\""
	[members]="a failed check is counted, \`bad++'; got.days = 28, want.days = 31, got.weekday = 0, want.weekday = 0"
	[class]="a failed check is counted, \`failed++'; got = 28, want = 31"
)
for name in function compare macro report returns flag table exits cases expects class throws messages tests strings members; do
	explain $name
	words=$(jq -r '.failure.cause + "; " + (.failure.values | map(.name + " = " + .value) | join(", "))' "$dir/answer")
	[ -z "${told[$name]:-}" ] || [ "$words" = "${told[$name]}" ] || complain "$name: $words"
	! default_limits || jq -e --argjson fault "$fault" '.[0] == $fault' "$dir/index" >/dev/null ||
		complain "$name: $(cat "$dir/index"), but $fault is the fault"
done

# Two faults: the first check that failed is asked about, and the other one is named.
sed -i 's/year \/ 400) % 7/year \/ 400 + 1) % 7/' "$dir"/*.c "$dir"/*.cc
for name in function macro expects class; do
	explain $name
	jq -e '.failure.kind == "check" and (.notes | any(test("^another check fails at ")))' "$dir/answer" >/dev/null ||
		complain "two faults, $name: $(jq -c '[.failure.cause, .notes]' "$dir/answer")"
	! default_limits || jq -e --argjson fault "$fault" '.[0] == $fault' "$dir/index" >/dev/null ||
		complain "two faults, $name: $(cat "$dir/index")"
done
# A change that mends the check leaves the other one as it was, and `try' says why the test fails.
"$WHY_BIN" try --suspect "$dir/answer:1" -- "$dir/class" >"$dir/said" 2>&1
grep -q "^another check fails: the answer is about the one at $(jq -r '.failure | "\(.file | split("/") | last):\(.line)"' "$dir/answer") alone" "$dir/said" ||
	! default_limits || complain "try: $(cat "$dir/said")"
# What GDB shows where that check is counted.
explain function
line=$(jq .failure.line "$dir/answer")
gdb -nx -batch -ex "break function.c:$line" -ex run -ex 'print got' -ex 'print want' "$dir/function" >"$dir/gdb" 2>&1
[ "$(jq -r '.failure.values | map("= " + .value) | join(" ")' "$dir/answer")" = \
	"$(grep '^\$' "$dir/gdb" | cut -d' ' -f2- | paste -sd' ')" ] ||
	complain "values: $(jq -c .failure.values "$dir/answer"), and GDB: $(cat "$dir/gdb")"
# A typed correction of the line lets the check pass, and the other one fail as it did.
sed 's/days\[month\]/days[month - 1]/' "$dir/function.c" >"$dir/mended.c"
"$CC" -g -w -o "$dir/mended" "$dir/mended.c"
"$dir/mended" >"$dir/out" && complain "the program with one fault passes"
grep -q '^1 of 3' "$dir/out" || complain "$(cat "$dir/out")"

# The count of failed checks is not what is changed, although another function counts with `++' as well.
{ cat "$dir/tested.h" && cat <<'C'; } >"$dir/pool.c"
struct pool { int items[10]; int n; };
static int errors;
static void check_int(const char *what, int got, int want)
{
	if (got != want) {
		printf("%s: got %d, expected %d\n", what, got, want);
		errors++;
	}
}
static void add(struct pool *p, int item)
{
	p->items[p->n] = item;
	p->n++;
}
static void take(struct pool *p, int item)
{
	for (int i = 0; i < p->n; i++)
		if (p->items[i] == item) {
			p->items[i] = p->items[p->n - 1]; /* fault */
			return;
		}
}
static int sum(const struct pool *p)
{
	int s = 0;
	for (int i = 0; i < p->n; i++)
		s += p->items[i];
	return s;
}
int main(void)
{
	struct pool p = { .n = 0 };
	add(&p, 4);
	add(&p, 7);
	add(&p, 9);
	check_int("added", sum(&p), 20);
	take(&p, 7);
	check_int("taken", sum(&p), 13);
	return errors ? 1 : 0;
}
C
explain pool
jq -e 'all(.suspects[].evidence.change // ""; test("errors") | not)' "$dir/answer" >/dev/null ||
	complain "pool: $(jq -c '[.suspects[].evidence.change]' "$dir/answer")"
! default_limits || jq -e --argjson fault "$(grep -n 'n - 1. *; ...fault' "$dir/pool.c" | cut -d: -f1)" '.[0] == $fault' "$dir/index" >/dev/null ||
	complain "pool: $(cat "$dir/index")"

# A program whose status is what it computes has no checks of its own.
{ cat "$dir/tested.h" && cat <<'C'; } >"$dir/computed.c"
static int long_months(int year)
{
	int count = 0;
	for (int i = 1; i <= 11; i++)
		if (days_in(i, year) > 30)
			count++;
	return count;
}
int main(void)
{
	return long_months(2023) == 7 ? 0 : 3;
}
C
explain computed
[ "$(jq -r .failure.kind "$dir/answer")" = status ] || complain "computed: $(jq -c .failure "$dir/answer")"
[ $failures -eq 0 ]
