/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A literal status that a helper is given.
 * test: (())
 * ends: exit status 2
 * levels: 0
 */
#include <stdio.h>
#include <stdlib.h>
static void die(const char *why, int code)
{
	fprintf(stderr, "%s\n", why);
	exit(code);
}
struct parser {
	const char *p;
	int depth, errors;
};
static void expect(struct parser *s, char c)
{
	if (*s->p != c)
		s->errors++;
	else
		s->p++;
}
static void parse(struct parser *s)
{
	while (*s->p == '(') {
		s->p++;
		s->depth++;
		parse(s);
		expect(s, ']'); /* fault */
	}
}
int main(int argc, char **argv)
{
	struct parser s = { argv[1], 0, 0 };
	parse(&s);
	if (s.errors > 1)
		die("too many errors", 2);
	if (s.errors)
		die("an error", 3);
	return 0;
}
