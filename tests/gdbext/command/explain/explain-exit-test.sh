#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# An exit status is explained from the decision that led to the call of exit, not from the handler
# of atexit that ran behind it, or the code that reported.  timeout: 120
set -u
. tests/support/samples-lib.sh
need_tool

cat >"$dir/fatal.c" <<'C'
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int opened;
static char *names[16];
static int n_names;

static void close_all(void)
{
	for (int k = 0; k < 2000; k++)
		opened += k & 1;
	for (int i = 0; i < n_names; i++)
		opened -= names[i] != NULL;
	if (fflush(stdout))
		_Exit(3);
}

static void report(const char *format, ...)
{
	va_list args;
	char text[200];
	int n = 0;

	n += snprintf(text, sizeof text, "prog: ");
	va_start(args, format);
	vsnprintf(text + n, sizeof text - n, format, args);
	va_end(args);
	for (char *p = text; *p; p++)
		if (*p == '\t')
			*p = ' ';
	fprintf(stderr, "%s\n", text);
}

static void fatal(int status, const char *what, const char *name)
{
	report("*** %s: %s.  Stop", what, name);
	if (n_names > 8)
		report("too many names");
	exit(status ? status : 2);
}

static int find(const char *name)
{
	for (int i = 0; i < n_names - 1; i++) /* fault */
		if (strcmp(names[i], name) == 0)
			return i;
	return -1;
}

static void add(const char *name)
{
	names[n_names++] = strdup(name);
	opened++;
}

int main(int argc, char **argv)
{
	atexit(close_all);
	for (int i = 2; i < argc; i++)
		add(argv[i]);
	if (find(argv[1]) < 0)
		fatal(0, "no rule to make target", argv[1]);
	printf("found %s\n", argv[1]);
	return 0;
}
C
build "$dir/fatal.c" "$dir/fatal"
line() { grep -n -F "$1" "$dir/fatal.c" | cut -d: -f1; }
exits=$(line 'exit(status ?') fault=$(line '/* fault */') decides=$(line 'find(argv[1]) < 0')

"$WHY_BIN" explain --format json -- "$dir/fatal" c a b c >"$dir/json" 2>"$dir/err" || complain "status $?: $(cat "$dir/err")"
jq -e --argjson line "$exits" '.failure | .cause == "exit status 2" and .line == $line and .function == "fatal"' "$dir/json" >"$dir/is" ||
	complain "fails at $(jq -c .failure "$dir/json")"
jq -e --argjson line "$decides" '[.opening[].line] | index($line)' "$dir/json" >"$dir/is" ||
	complain "the opening has no line $decides: $(jq -c '[.opening[].line]' "$dir/json")"
jq -e '[.opening[], .suspects[].statements[] | .function] | index("close_all") == null' "$dir/json" >"$dir/is" ||
	complain "the handler is blamed"
! default_limits || jq -e --argjson line "$fault" '[.suspects[:3][].statements[].line] | index($line)' "$dir/json" >"$dir/is" ||
	complain "line $fault is not among the first: $(jq -c '[.suspects[].statements[].line]' "$dir/json")"

# What happens in a handler is explained there: its own status, and a crash.
cat >"$dir/handler.c" <<'C'
#include <stdlib.h>
static int *p;
static int crash;
static void last(void)
{
	if (crash)
		*p = 1;
	else
		_Exit(3);
}
int main(int argc, char **argv)
{
	(void)argv;
	crash = argc > 1;
	atexit(last);
	exit(2);
}
C
build "$dir/handler.c" "$dir/handler"
at() { # what failed and where
	"$WHY_BIN" explain --format json -- "$dir/handler" $2 2>"$dir/err" | jq -c '[.failure.cause, .failure.function]' >"$dir/is"
	[ "$(cat "$dir/is")" = "$1" ] || complain "handler $2: $(cat "$dir/is")"
}
at '["exit status 3","last"]' ''
at '["SIGSEGV","last"]' x

# The main function is a library's, as a test framework's may be: no code of the program itself was executed.
echo 'int main(void) { return 1; }' >"$dir/main.c"
echo 'int spare(void) { return 2; }' >"$dir/none.c"
"$CC" -shared -fPIC -o "$dir/libmain.so" "$dir/main.c"
"$CC" -g -O0 -o "$dir/none" "$dir/none.c" -L"$dir" -lmain -Wl,-rpath,"$dir"
"$WHY_BIN" explain -- "$dir/none" >"$dir/text" 2>"$dir/err"
status=$?
[ $status -eq 3 ] && grep -q '^no explanation was found' "$dir/text" ||
	complain "a program without code of its own: status $status, $(cat "$dir/text" "$dir/err")"
finish
