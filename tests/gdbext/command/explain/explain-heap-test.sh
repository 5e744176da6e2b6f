#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# How large the blocks are that library functions return, seen in what a wrong index or
# pointer could have been: only another place of the same block, or a block of the same
# size, is a correction.
. tests/support/samples-lib.sh
need_tool

cat >"$dir/heap.c" <<'C'
#include <assert.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct big {
	char pad[3 << 20];
	int v;
};

static int filled(int *p)
{
	for (int k = 0; k < 4; k++)
		p[k] = k + 10;
	return 0;
}

static int sum(const char *s)
{
	int all = 0;

	for (; *s; s++)
		all += *s;
	return all;
}

int main(int argc, char **argv)
{
	char what = argc > 1 ? argv[1][0] : 0, *s = NULL;
	int *p = NULL, i = 1;
	size_t n = 0;

	if (what == 's') {
		s = strdup("abcd");
		i = 1; /* strdup */
		assert(s[i] == 'd');
	} else if (what == 'n') {
		s = strndup("abcd", 3);
		i = 0; /* strndup */
		assert(s[i] == 'c');
	} else if (what == 'p') {
		if (posix_memalign((void **)&p, 64, 4 * sizeof *p))
			return 0;
		i = filled(p); /* posix_memalign */
		assert(p[i] == 12);
	} else if (what == 'a') {
		p = aligned_alloc(16, 4 * sizeof *p);
		i = filled(p); /* aligned_alloc */
		assert(p[i] == 13);
	} else if (what == 'r') {
		p = reallocarray(NULL, 4, sizeof *p);
		i = filled(p); /* reallocarray */
		assert(p[i] == 11);
	} else if (what == 'f') {
		if (asprintf(&s, "%d", 1234) < 0 || !sum(s))
			return 0;
		i = 0; /* asprintf */
		assert(s[i] == '3');
	} else if (what == 'l') {
		if (getline(&s, &n, stdin) < 0 || !sum(s))
			return 0;
		i = 2; /* getline */
		assert(s[i] == 'w');
	} else if (what == 'c') {
		struct big *a = calloc(1, sizeof *a), *b = calloc(1, sizeof *b), *q;

		a->v = 5;
		q = a; /* calloc */
		assert(q->v == 0);
		free(b);
	}
	return 0;
}
C
gcc -D_GNU_SOURCE -g -O0 -w -o "$dir/heap" "$dir/heap.c" || exit 1
echo word >"$dir/word"

# corrects CASE FUNCTION BEFORE AFTER: the line that a comment names is proven to
# be a correction, with this value.
corrects() {
	line=$(grep -nF "/* $2 */" "$dir/heap.c" | cut -d: -f1)
	"$WHY_BIN" explain --limit mutant_runs=0 --format=json --max-suspects 0 --stdin "$dir/word" -- "$dir/heap" "$1" \
		>"$dir/answer.json" 2>"$dir/err" || {
		complain "$2: exit status $?"
		cat "$dir/err"
		return
	}
	jq -r '.suspects[] | select(.replay == "passes" and (.statements | length) == 1) |
		.statements[] | "\(.line) \(.actual) \(.witness)"' "$dir/answer.json" >"$dir/found"
	grep -qE "^$line $3 $4\$" "$dir/found" || {
		complain "$2: line $line with $3 -> $4 is missing"
		cat "$dir/found"
	}
}

corrects s strdup 1 3
corrects n strndup 0 2
corrects p posix_memalign 0 2
corrects a aligned_alloc 0 3
corrects r reallocarray 0 1
corrects f asprintf 0 2
corrects l getline 2 0
corrects c calloc '[^ ]*.*' '.*'
finish
