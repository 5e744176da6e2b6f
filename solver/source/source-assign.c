/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a statement assigns to, returns, and passes on. */
#include "solver/source/source.h"

#include <string.h>

static const struct source_span nothing = { 0, 0 };

static bool is_blank_in_assignment(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static size_t back_over_blanks(const struct source *s, size_t from, size_t at)
{
	while (at > from && is_blank_in_assignment(s->code[at - 1]))
		at--;
	return at;
}

/* The start of the name that ends at a place, with the brackets that belong to it. */
static size_t start_of_operand(const struct source *s, size_t from, size_t at)
{
	for (;;) {
		at = back_over_blanks(s, from, at);
		while (at > from && (s->code[at - 1] == ']' || s->code[at - 1] == ')')) {
			size_t open = source_opening(s, at - 1);

			if (open == SIZE_MAX || open < from)
				return at;
			at = back_over_blanks(s, from, open);
		}
		while (at > from && source_is_word(s->code[at - 1]))
			at--;
		size_t before = back_over_blanks(s, from, at);

		if (before > from && s->code[before - 1] == '.')
			at = before - 1;
		else if (before > from + 1 && strncmp(s->code + before - 2, "->", 2) == 0)
			at = before - 2;
		else
			return at;
	}
}

/* The lvalue that ends at a place: `*p` of `*p = 1`, but `p` of `int *p = q`. */
static struct source_span lvalue_before(const struct source *s, size_t from, size_t at)
{
	size_t end = back_over_blanks(s, from, at);
	size_t start = start_of_operand(s, from, end), stars = start, before;

	if (start == end)
		return nothing;
	while (stars > from &&
	       (s->code[stars - 1] == '*' || is_blank_in_assignment(s->code[stars - 1])))
		stars--;
	before = back_over_blanks(s, from, stars);
	if (before == from)
		start = source_skip(s, stars);
	return source_trim(s, start, end);
}

/* The lvalue that starts at a place, after ++ or --. */
static struct source_span lvalue_after(const struct source *s, size_t at, size_t to)
{
	size_t from = source_skip(s, at), end = from;

	while (end < to) {
		char c = s->code[end];

		if (c == '[' || (c == '(' && end == from)) {
			size_t close = source_closing(s, end);

			if (close >= to)
				break;
			end = close + 1;
		} else if (source_is_word(c) || c == '.' || (c == '*' && end == from)) {
			end++;
		} else if (strncmp(s->code + end, "->", 2) == 0) {
			end += 2;
		} else {
			break;
		}
	}
	return source_trim(s, from, end);
}

/* The `=' of an assignment; *start: the first character of its operator. */
static bool is_assignment(const char *code, size_t at, size_t *start)
{
	char before = at ? code[at - 1] : ' ', two = at > 1 ? code[at - 2] : ' ';

	if (code[at] != '=' || code[at + 1] == '=' || before == '=' || before == '!')
		return false;
	*start = at;
	if (before == '<' || before == '>') {
		*start = at - 2;
		return two == before;
	}
	if (strchr("+-*/%&|^", before))
		*start = at - 1;
	return true;
}

static bool is_step(const char *code, size_t at)
{
	return (code[at] == '+' && code[at + 1] == '+') || (code[at] == '-' && code[at + 1] == '-');
}

/* `i++` and `++i`. */
static struct source_span stepped_lvalue(const struct source *s, size_t from, size_t op, size_t to)
{
	struct source_span before = lvalue_before(s, from, op);

	return before.from < before.to ? before : lvalue_after(s, op + 2, to);
}

/* The declarator or expression between commas that holds the place. */
static struct source_span between_commas(const struct source *s, struct source_span in, size_t at)
{
	size_t from = in.from;

	for (size_t i = in.from; i < in.to; i++) {
		if (strchr("([{", s->code[i])) {
			size_t close = source_closing(s, i);

			i = MIN(close, in.to);
		} else if (s->code[i] == ',') {
			if (at < i)
				return source_trim(s, from, i);
			from = i + 1;
		}
	}
	return source_trim(s, from, in.to);
}

/* Does a block begin there, of a function, say? */
static bool opens_block(const struct source *s, size_t at)
{
	const size_t before = back_over_blanks(s, 0, at);

	return s->code[at] == '{' && before && s->code[before - 1] == ')';
}

/* The span without the block that begins in it behind the place: who gives first values in a
 * constructor's head does what none of the statements in its body, or behind that, say. */
static struct source_span without_block(const struct source *s, struct source_span in, size_t at)
{
	for (size_t i = at; i < in.to; i++)
		if (opens_block(s, i))
			return source_trim(s, in.from, i);
	return in;
}

struct source_span source_assigned(const struct source *s, size_t at)
{
	struct source_span in = source_statement(s, at), found = nothing;

	in = without_block(s, in, at);
	in = between_commas(s, in, at);
	for (size_t i = in.from; i < in.to; i++) {
		struct source_span here = nothing;
		size_t op;

		if (is_assignment(s->code, i, &op))
			here = lvalue_before(s, in.from, op);
		else if (is_step(s->code, i))
			here = stepped_lvalue(s, in.from, op = i++, in.to);
		if (here.from >= here.to)
			continue;
		/* The operator at the place, or else the first one. */
		if (found.from >= found.to || op == at || i == at)
			found = here;
	}
	return found;
}

struct source_span source_returned(const struct source *s, size_t at)
{
	struct source_span in = source_statement(s, at);

	if (!source_has_word(s, in.from, "return"))
		return nothing;
	return source_trim(s, in.from + strlen("return"), in.to);
}

static size_t find_call_in_span(const struct source *s, struct source_span in, const char *function)
{
	for (size_t i = in.from; i < in.to; i++) {
		size_t open = source_skip(s, i + strlen(function));

		if (source_has_word(s, i, function) && open < in.to && s->code[open] == '(')
			return open;
	}
	return SIZE_MAX;
}

struct source_span source_argument(const struct source *s, size_t at, const char *function,
				   unsigned n)
{
	size_t open = find_call_in_span(s, source_statement(s, at), function);
	size_t close = open == SIZE_MAX ? SIZE_MAX : source_closing(s, open);
	size_t from = open + 1;

	if (close == SIZE_MAX)
		return nothing;
	for (size_t i = open + 1; i <= close; i++) {
		if (strchr("([{", s->code[i]) && i < close) {
			i = MIN(source_closing(s, i), close);
		} else if (s->code[i] == ',' || i == close) {
			if (n-- == 0)
				return source_trim(s, from, i);
			from = i + 1;
		}
	}
	return nothing;
}

static bool is_put_sign_place(const struct source *s, size_t at)
{
	return s->code[at] == '<' && s->code[at + 1] == '<' && s->code[at + 2] != '=';
}

/* Where the n-th `<<' of a statement is, from 0; SIZE_MAX = there is none. */
static size_t put_sign_place(const struct source *s, struct source_span in, unsigned n)
{
	for (size_t i = in.from; i < in.to; i++) {
		if (strchr("([{", s->code[i]))
			i = MIN(source_closing(s, i), in.to);
		else if (is_put_sign_place(s, i) && !n--)
			return i;
		else if (is_put_sign_place(s, i))
			i++;
	}
	return SIZE_MAX;
}

struct source_span source_put(const struct source *s, size_t at, unsigned before)
{
	const struct source_span in = source_statement(s, at);
	unsigned n = 0;
	size_t from, to;

	while (put_sign_place(s, in, n) <= at)
		n++;
	if (n <= before)
		return nothing;
	from = put_sign_place(s, in, n - 1 - before) + strlen("<<");
	to = put_sign_place(s, in, n - before);
	return source_trim(s, from, MIN(to, in.to));
}
