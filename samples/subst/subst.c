/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Replaces what a pattern matches in each line of standard input.
 *
 *     subst PATTERN REPLACEMENT
 *
 * A pattern is made of characters, `.' (any), `[abc]', `[a-z]', `[^...]', `\d' (a digit), `\w' (of
 * a word), `\C' (the character C), each of them perhaps with `*' (as often as possible), `+' or `?'
 * behind it; `^' at its start and `$' at its end.  In the replacement `&' is what was matched, `\n'
 * a new line, `\t' a tab, `\u' turns the next character into a capital one.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 40, LINE = 200, ALL = 256 };
enum { ONCE, STAR, PLUS, MAYBE };
enum { SAME = 1000, UPPER };

struct item {
	bool set[ALL];
	int repeat;
};

struct pattern {
	struct item items[MOST];
	int n;
	bool at_start, at_end;
};

struct replacement {
	int codes[MOST];
	int n;
};

static void add_range(struct item *item, int from, int to)
{
	for (int c = from; c <= to; c++)
		item->set[c] = true;
}

static void negate(struct item *item)
{
	for (int c = 1; c < ALL; c++)
		item->set[c] = !item->set[c];
	item->set['\n'] = false;
}

static void add_escape(struct item *item, int c)
{
	switch (c) {
	case 'd':
		add_range(item, '0', '9');
		break;
	case 'w':
		add_range(item, '0', '9');
		add_range(item, 'a', 'z');
		add_range(item, 'A', 'Z');
		item->set['_'] = true;
		break;
	case 't':
		item->set['\t'] = true;
		break;
	default:
		item->set[c] = true;
	}
}

/* From behind the bracket to behind the closing one; NULL = it is not closed. */
static const char *read_class(const char *at, struct item *item)
{
	bool negated = *at == '^';

	if (negated)
		at++;
	do {
		if (!*at)
			return NULL;
		if (*at == '\\' && at[1]) {
			add_escape(item, (unsigned char)at[1]);
			at += 2;
		} else if (at[1] == '-' && at[2] && at[2] != ']') {
			if (at[0] > at[2])
				return NULL;
			add_range(item, (unsigned char)at[0], (unsigned char)at[2]);
			at += 3;
		} else {
			item->set[(unsigned char)*at] = true;
			at++;
		}
	} while (*at != ']');
	if (negated)
		negate(item);
	return at + 1;
}

static const char *read_item(const char *at, struct item *item)
{
	memset(item, 0, sizeof *item);
	if (*at == '.') {
		negate(item);
		return at + 1;
	}
	if (*at == '[')
		return read_class(at + 1, item);
	if (*at == '\\' && at[1]) {
		add_escape(item, (unsigned char)at[1]);
		return at + 2;
	}
	item->set[(unsigned char)*at] = true;
	return at + 1;
}

static const char *read_repeat(const char *at, struct item *item)
{
	item->repeat = ONCE;
	if (*at == '*')
		item->repeat = STAR;
	else if (*at == '+')
		item->repeat = PLUS;
	else if (*at == '?')
		item->repeat = MAYBE;
	else
		return at;
	return at + 1;
}

static bool read_pattern(const char *at, struct pattern *p)
{
	p->n = 0;
	p->at_end = false;
	p->at_start = *at == '^';
	if (p->at_start)
		at++;
	while (*at) {
		if (*at == '$' && !at[1]) {
			p->at_end = true;
			return true;
		}
		if (p->n == MOST)
			return false;
		at = read_item(at, &p->items[p->n]);
		if (!at)
			return false;
		at = read_repeat(at, &p->items[p->n]);
		p->n++;
	}
	return p->n > 0 || p->at_start;
}

static bool read_replacement(const char *at, struct replacement *r)
{
	r->n = 0;
	for (; *at; at++) {
		int code = (unsigned char)*at;

		if (r->n == MOST)
			return false;
		if (*at == '&') {
			code = SAME;
		} else if (*at == '\\' && at[1]) {
			at++;
			code = *at == 'n' ? '\n' : *at == 't' ? '\t' : *at == 'u' ? UPPER : *at;
		}
		r->codes[r->n++] = code;
	}
	return true;
}

static bool fits(const struct item *item, const char *text)
{
	return *text && item->set[(unsigned char)*text];
}

/* Where the rest of the pattern, from item i on, ends in the text; NULL = it does not match. */
static const char *match(const struct pattern *p, int i, const char *text)
{
	const struct item *item = &p->items[i];
	int least, most, n = 0;

	if (i == p->n)
		return p->at_end && *text && *text != '\n' ? NULL : text;
	least = item->repeat == ONCE || item->repeat == PLUS ? 1 : 0;
	most = item->repeat == ONCE || item->repeat == MAYBE ? 1 : LINE;
	while (n < most && fits(item, text + n))
		n++;
	for (; n >= least; n--) {
		const char *end = match(p, i + 1, text + n);

		if (end)
			return end;
	}
	return NULL;
}

static void put(int c, bool *upper)
{
	putchar(*upper ? toupper(c) : c);
	*upper = false;
}

static void replace(const struct replacement *r, const char *from, const char *to)
{
	bool upper = false;

	for (int i = 0; i < r->n; i++) {
		if (r->codes[i] == SAME) {
			for (const char *c = from; c < to; c++)
				put((unsigned char)*c, &upper);
		} else if (r->codes[i] == UPPER) {
			upper = true;
		} else {
			put(r->codes[i], &upper);
		}
	}
}

static int change_line(const struct pattern *p, const struct replacement *r, const char *line)
{
	const char *at = line, *last = NULL;
	int changes = 0;

	while (*at) {
		const char *end = p->at_start && at != line ? NULL : match(p, 0, at);

		if (end && end != last) {
			replace(r, at, end);
			last = end;
			changes++;
		}
		if (!end || end == at)
			putchar(*at++);
		else
			at = end;
	}
	return changes;
}

int main(int argc, char **argv)
{
	struct pattern pattern;
	struct replacement replacement;
	char line[LINE];
	int changes = 0, lines = 0;

	if (argc != 3) {
		printf("usage: subst PATTERN REPLACEMENT\n");
		return 2;
	}
	if (!read_pattern(argv[1], &pattern)) {
		printf("illegal pattern\n");
		return 2;
	}
	if (!read_replacement(argv[2], &replacement)) {
		printf("illegal replacement\n");
		return 2;
	}
	while (fgets(line, sizeof line, stdin)) {
		int n = change_line(&pattern, &replacement, line);

		changes += n;
		if (n > 0)
			lines++;
	}
	printf("%d in %d lines\n", changes, lines);
	return 0;
}
