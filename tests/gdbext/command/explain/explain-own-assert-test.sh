#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# timeout: 120
# limits: any
# An assertion that a program defines itself: its condition is what failed, however the program ends
# then: by abort, by an exit status, or by a crash of what reports it.
set -u
. tests/support/samples-lib.sh
need_tool
cat >"$dir/own.c" <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct server { char *log; };
static struct server *server;
static char how;
void report(const char *text, const char *file, int line)
{
	if (how == 'c')
		printf("%s", server->log);
	fprintf(stderr, "%s:%d: %s\n", file, line, text);
	if (how == 'e')
		exit(4);
	abort();
}
#define check(x) ((x) ? (void)0 : report(#x, __FILE__, __LINE__))
__attribute__((noinline)) static int total(const int *p, int n)
{
	int sum = 0;
	for (int i = 1; i < n; i++) /* fault */
		sum += p[i];
	return sum;
}
int main(int argc, char **argv)
{
	int a[] = { 3, 4, argc + 3 };
	how = argc > 1 ? *argv[1] : 'a';
	check(total(a, 0) == 0);
	check(total(a, 3) ==
	      12 && argc < 9);
	return 0;
}
C
fault=$(grep -n '/\* fault \*/' "$dir/own.c" | cut -d: -f1)
for level in -O0 "-O0 -no-pie" -O2; do
	# shellcheck disable=SC2086
	"$CC" -g $level -o "$dir/own" "$dir/own.c" || complain "it does not compile"
	for how in abort exit crash; do
		"$WHY_BIN" explain --format=json -- "$dir/own" $how >"$dir/answer" 2>"$dir/err"
		status=$?
		explained_or_cut $status || complain "$level $how: status $status: $(cat "$dir/err")"
		jq -e '.failure.cause | test("^assertion `total\\(a, 3\\) == ?12 && argc < 9. failed$")' "$dir/answer" >"$dir/index" ||
			complain "$level $how: $(jq -c .failure "$dir/answer")"
		[ "$level" = -O2 ] || [ "$(jq -c '[.failure.values[] | [.name, .value]]' "$dir/answer")" = '[["total(a, 3)","9"],["a","{3, 4, 5}"],["argc","2"]]' ] ||
			complain "$level $how: $(jq -c .failure.values "$dir/answer")"
		! default_limits || [ "$level" = -O2 ] || jq -e --argjson fault "$fault" \
			'.suspects[:3] | any(.replay == "passes" and .statements[0].line == $fault)' "$dir/answer" >"$dir/index" ||
			complain "$level $how: $(jq -c '[.suspects[] | [.statements[0].line, .replay]]' "$dir/answer")"
	done
done

# A function that is always called, and looks itself whether it was given a truth, is no such report.
cat >"$dir/always.c" <<'C'
#include <stdio.h>
#include <stdlib.h>
static void look(int ok, const char *text, const char *file, int line)
{
	if (!ok) {
		fprintf(stderr, "%s:%d: %s\n", file, line, text);
		abort();
	}
}
#define check(x) look((x), #x, __FILE__, __LINE__)
int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 0;
	check(n > 2 || n < -2);
	return 0;
}
C
"$CC" -g -O0 -o "$dir/always" "$dir/always.c" || complain "it does not compile"
"$WHY_BIN" explain --format=json -- "$dir/always" 1 >"$dir/answer" 2>"$dir/err"
[ "$(jq -r .failure.cause "$dir/answer")" = SIGABRT ] || complain "always called: $(jq -c .failure "$dir/answer")"
[ $failures -eq 0 ]
