#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Which lines the failing run executed, and which tests did; lines say it themselves.
set -u
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
export XDG_CACHE_HOME=$tmp/cache
cd "$tmp" || exit 1
cat >p.c <<'C'
#include <assert.h>
#include <stdlib.h>

static inline int twice(int x)
{                         /* ran */
	return 2 * x;     /* ran */
}                         /* ran */

static int never(int x)
{                         /* not */
	return x - 1;     /* not */
}                         /* not */

static int limit(int x)
{                         /* ran */
	if (x > 5)        /* ran */
		x = 5;    /* not 1 */
	else if (x < 0)   /* ran */
		x = never(x); /* not */
	return twice(x);  /* ran */
}                         /* ran */

int main(int argc, char **argv)
{                                          /* ran */
	int n = argc > 1 ? atoi(argv[1]) : 1; /* ran */

	for (int i = 0; i < 2; i++)        /* ran */
		n = limit(n);              /* ran */
	assert(n != 4);                    /* ran */
	return 0;                          /* not 2 */
}                                          /* not 2 */
C
"$CC" -g -O0 -o p p.c || exit 1
printf '1\n2\n7\n' >suite

lines_marked() { grep -n "/\* $1" p.c | cut -d: -f1 | paste -sd' '; }

check() { # what, options: coverage as lines
	"$WHY_BIN" explain --format=json "${@:2}" -- ./p 1 >answer || { echo "$1: status $?"; exit 1; }
	python3 "$OLDPWD/tests/validate.py" "$OLDPWD/tests/answer.schema.json" <answer || exit 1
	for kind in executed:ran not_executed:not; do
		got=$(jq -r "[.coverage[0].${kind%:*}[] | range(.[0]; .[1] + 1)] | map(tostring) | join(\" \")" answer)
		[ "$got" = "$(lines_marked "${kind#*:}")" ] || {
			echo "$1: ${kind%:*}: $got, not $(lines_marked "${kind#*:}")"
			exit 1
		}
	done
}

check plain
jq -e '.coverage | length == 1 and .[0].tests == []' answer >/dev/null || { echo "tests of none"; exit 1; }
last=$(jq -r ".line_values[] | select(.line == $(grep -n 'n = limit' p.c | cut -d: -f1)) | .name + \" = \" + .value" answer)
[ "$last" = "n = 4" ] || { echo "the last n: $last"; exit 1; }
check suite --tests suite
passed() { jq ".coverage[0].tests[] | select(.[0] == $1) | .[1]" answer; }
for n in 1 2; do
	for line in $(grep -n "/\* not $n" p.c | cut -d: -f1); do
		[ "$(passed "$line")" = $n ] || { echo "line $line: $(passed "$line") passed"; exit 1; }
	done
done
[ -z "$(passed "$(grep -n 'never(x);' p.c | cut -d: -f1)")" ] || { echo "what no test executed"; exit 1; }

# Of the end of a run alone it is not known what was not executed.
cat >long.c <<'C'
#include <assert.h>
int main(void)
{
	int n = 0;
	for (int i = 0; i < 5000; i++)
		n += 1;
	assert(n == 3);
	return 0;
}
C
"$CC" -g -O0 -o long long.c || exit 1
"$WHY_BIN" explain --format=json --window 2K -- ./long >answer
jq -e '.coverage[0] | (.executed | length > 0) and .not_executed == []' answer >/dev/null ||
	{ echo "window: $(jq -c .coverage answer)"; exit 1; }
