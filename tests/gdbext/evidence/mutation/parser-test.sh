#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# timeout: 120
# A parser of character classes: one more where the source has no number for it, and a condition
# about a character further on.
. tests/support/samples-lib.sh
need_tool

cat >"$dir/right.c" <<'C'
#include <stdbool.h>
#include <stdio.h>

struct set {
	bool has[128];
};

static void add_range(struct set *s, int from, int to)
{
	for (int c = from; c <= to; c++)
		s->has[c] = true;
}

static const char *read_class(const char *at, struct set *s)
{
	do {
		if (!*at)
			return NULL;
		if (at[1] == '-' && at[2] && at[2] != ']') {
			add_range(s, at[0], at[2]);
			at += 3;
		} else {
			s->has[(int)*at] = true;
			at++;
		}
	} while (*at != ']');
	return at + 1;
}

int main(int argc, char **argv)
{
	struct set s = { { false } };
	const char *rest;

	if (argc < 3 || argv[1][0] != '[')
		return 0;
	rest = read_class(argv[1] + 1, &s);
	if (!rest) {
		printf("open\n");
		return 0;
	}
	printf("%d %s\n", s.has[(int)argv[2][0] & 127], rest);
	return 0;
}
C
build "$dir/right.c" "$dir/right"
for class in a-c x - 0-9 b- a-cx x-z0 k- A-C- q pq- m-o a-f0-9 c-e- t-v s-; do
	for c in a b x 5; do
		echo "'[$class]' $c"
		echo "'[$class]st' $c"
	done
done | awk 'NR % 3 != 2' >"$dir/suite"
printf '%s\n' "'[abc' a" "'[' b" "x y" >>"$dir/suite"

check_first 27 "\`+ 1' added" '27s/at + 1/at/'
check_first 19 "\`&& at[2] != ']'' added" "19s/ && at.2. != '.'//"

# A test that comes to the place once more where the condition holds seems to speak against it: of
# `$$' the program as it is never sees the second sign.
cat >"$dir/right.c" <<'C'
#include <stdio.h>

static int items, at_end;

static void read_pattern(const char *at)
{
	while (*at) {
		if (*at == '$' && !at[1]) {
			at_end = 1;
			return;
		}
		items++;
		at++;
	}
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return 0;
	read_pattern(argv[1]);
	printf("%d", at_end);
	if (argc > 2)
		printf(" %d", items);
	printf("\n");
	return 0;
}
C
build "$dir/right.c" "$dir/right"
for text in 'a$ b' 'a$b' '$b' 'a$bcd' 'ab$a' '$$' 'ab$' 'a$' 'abc$' 'abcd$' '$' 'abc' 'ab' 'a' 'x$' 'xy$' 'xyz$' 'zz$'; do
	echo "'$text'"
	echo "'$text' 1"
done | grep -v -e '\$\$. 1' >"$dir/suite"
check_first 8 "\`&& at[1] <= 0' added" "8s/ && !at.1.//"
finish
