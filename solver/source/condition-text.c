/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/source/condition-text.h"

#include <string.h>

static bool is_blank_in_condition(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* ---- atoms ---- */

/* The next && or || of this kind outside of brackets; `to' when there is none. */
static size_t find_operator(const struct source *s, size_t from, size_t to, const char *op)
{
	for (size_t i = from; i + 1 < to; i++) {
		if (strchr("([{", s->code[i])) {
			i = source_closing(s, i);
			if (i >= to)
				return to;
		} else if (strncmp(s->code + i, op, strlen(op)) == 0) {
			return i;
		}
	}
	return to;
}

static bool is_compound(const struct source *s, struct source_span in)
{
	return find_operator(s, in.from, in.to, "?") == in.to &&
	       (find_operator(s, in.from, in.to, "||") < in.to ||
		find_operator(s, in.from, in.to, "&&") < in.to);
}

static bool is_bracketed_condition(const struct source *s, struct source_span in)
{
	return in.from < in.to && s->code[in.from] == '(' &&
	       source_closing(s, in.from) == in.to - 1;
}

/* Does a `!' negate all of it, and not the first of several parts: `!a || b'? */
static bool is_negation(const struct source *s, struct source_span in)
{
	while (in.from < in.to && s->code[in.from] == '!')
		in = source_trim(s, in.from + 1, in.to);
	return is_bracketed_condition(s, in);
}

/* Takes the brackets or `!( )' around a compound off. */
static bool unwrap_condition(const struct source *s, struct source_span *in, bool *negated)
{
	struct source_span inner = *in;
	bool negative = false, again = false;

	for (;;) {
		if (inner.from < inner.to && s->code[inner.from] == '!' && is_negation(s, inner)) {
			negative = !negative;
			inner = source_trim(s, inner.from + 1, inner.to);
		} else if (is_bracketed_condition(s, inner)) {
			inner = source_trim(s, inner.from + 1, inner.to - 1);
			again = true;
		} else {
			break;
		}
	}
	if (!again || !is_compound(s, inner))
		return false;
	*in = inner;
	*negated = negative;
	return true;
}

static int count_atoms(const struct source *s, struct source_span in)
{
	bool negated;
	const char *op = "||";
	int n = 0;

	while (unwrap_condition(s, &in, &negated))
		;
	if (!is_compound(s, in))
		return 1;
	if (find_operator(s, in.from, in.to, op) == in.to)
		op = "&&";
	for (size_t from = in.from; from < in.to;) {
		size_t end = find_operator(s, from, in.to, op);

		n += count_atoms(s, source_trim(s, from, end));
		from = end + 2;
	}
	return n;
}

static void add_atoms(const struct source *s, struct source_span in, int if_true, int if_false,
		      GArray *atoms)
{
	bool negated;
	const char *op = "||";

	while (unwrap_condition(s, &in, &negated)) {
		int swapped = if_true;

		if (!negated)
			continue;
		if_true = if_false;
		if_false = swapped;
	}
	if (!is_compound(s, in)) {
		struct condition_atom a = { in, if_true, if_false };

		g_array_append_val(atoms, a);
		return;
	}
	if (find_operator(s, in.from, in.to, op) == in.to)
		op = "&&";
	for (size_t from = in.from; from < in.to;) {
		size_t end = find_operator(s, from, in.to, op);
		struct source_span part = source_trim(s, from, end);
		int next = (int)atoms->len + count_atoms(s, part);
		bool last = end + 2 >= in.to;

		if (*op == '|')
			add_atoms(s, part, if_true, last ? if_false : next, atoms);
		else
			add_atoms(s, part, last ? if_true : next, if_false, atoms);
		from = end + 2;
	}
}

/* ---- bodies ---- */

static size_t after_brackets(const struct source *s, size_t at)
{
	size_t open = at + strcspn(s->code + at, "({;"), close;

	if (open >= s->length || s->code[open] != '(')
		return s->length;
	close = source_closing(s, open);
	return close == SIZE_MAX ? s->length : close + 1;
}

static size_t end_of_simple(const struct source *s, size_t at)
{
	for (size_t i = at; i < s->length; i++) {
		if (strchr("([{", s->code[i])) {
			i = source_closing(s, i);
			if (i == SIZE_MAX)
				break;
		} else if (s->code[i] == ';' || s->code[i] == '}') {
			return i + 1;
		}
	}
	return s->length;
}

static bool has_head(const struct source *s, size_t at)
{
	return source_has_word(s, at, "if") || source_has_word(s, at, "while") ||
	       source_has_word(s, at, "for") || source_has_word(s, at, "switch");
}

/* Where the statement that starts at a place ends. */
static size_t end_of_any(const struct source *s, size_t at, unsigned depth)
{
	size_t end, next;

	at = source_skip(s, at);
	if (at >= s->length || depth > 64)
		return s->length;
	if (s->code[at] == '{') {
		end = source_closing(s, at);
		return end == SIZE_MAX ? s->length : end + 1;
	}
	if (source_has_word(s, at, "do"))
		return end_of_simple(s, end_of_any(s, at + 2, depth + 1));
	if (!has_head(s, at))
		return end_of_simple(s, at);
	end = end_of_any(s, after_brackets(s, at), depth + 1);
	next = source_skip(s, end);
	if (source_has_word(s, at, "if") && source_has_word(s, next, "else"))
		end = end_of_any(s, next + 4, depth + 1);
	return end;
}

/* The `do` whose body ends before a place, or SIZE_MAX. */
static size_t find_do(const struct source *s, size_t at)
{
	size_t end = source_end_before(s, at), open;

	if (end == 0 || s->code[end - 1] != '}')
		return SIZE_MAX;
	open = source_opening(s, end - 1);
	if (open == SIZE_MAX)
		return SIZE_MAX;
	end = source_end_before(s, open);
	return end >= 2 && source_has_word(s, end - 2, "do") ? end - 2 : SIZE_MAX;
}

/* ---- where a row stands ---- */

/* The `:' of `for (auto &x : all)'; `to': there is none. */
static size_t find_colon_of_range(const struct source *s, size_t from, size_t to)
{
	size_t at = find_operator(s, from, to, ":");

	while (at + 1 < to && s->code[at + 1] == ':')
		at = find_operator(s, at + 2, to, ":");
	return at;
}

/* From what is in the brackets of a `for' to its condition: all of it for one over a range, which
 * has neither a condition nor a step of its own. */
static bool take_parts_of_for(const struct source *s, size_t *from, size_t *to,
			      struct condition_text *c)
{
	size_t first = find_operator(s, *from, *to, ";");
	size_t second = first < *to ? find_operator(s, first + 1, *to, ";") : *to;

	if (first >= *to)
		return find_colon_of_range(s, *from, *to) < *to;
	if (second >= *to)
		return false;
	c->step = source_trim(s, second + 1, *to);
	*from = first + 1;
	*to = second;
	return true;
}

static bool take_loop_head(const struct source *s, size_t head, struct condition_text *c)
{
	size_t end = after_brackets(s, head), open = head + strcspn(s->code + head, "(");
	size_t from = open + 1, to = end - 1, start;

	if (end >= s->length && (end == 0 || open >= s->length || s->code[to] != ')'))
		return false;
	c->head = head;
	c->kind = source_has_word(s, head, "if")       ? CONDITION_IF
		  : source_has_word(s, head, "switch") ? CONDITION_SWITCH
		  : source_has_word(s, head, "for")    ? CONDITION_FOR
						       : CONDITION_WHILE;
	if (c->kind == CONDITION_FOR && !take_parts_of_for(s, &from, &to, c))
		return false;
	c->whole = source_trim(s, from, to);
	start = c->kind == CONDITION_WHILE ? find_do(s, head) : SIZE_MAX;
	if (start != SIZE_MAX) {
		c->kind = CONDITION_DO;
		c->body = source_trim(s, start + 2, head);
	} else {
		c->body = source_trim(s, end, end_of_any(s, end, 0));
	}
	return c->whole.from < c->whole.to;
}

/* The keyword before the brackets around a place, or SIZE_MAX. */
static size_t head_around(const struct source *s, size_t at)
{
	static const char *const heads[] = { "if", "while", "for", "switch" };
	unsigned depth = 0;

	for (size_t i = at + 1; i > 0; i--) {
		char c = s->code[i - 1];
		size_t word;

		if (c == ')' && i - 1 != at)
			depth++;
		if (c == '{' || c == '}')
			return SIZE_MAX;
		if (c != '(' || depth-- > 0)
			continue;
		depth = 0;
		word = source_end_before(s, i - 1);
		for (size_t k = 0; k < G_N_ELEMENTS(heads); k++) {
			size_t n = strlen(heads[k]);

			if (word >= n && source_has_word(s, word - n, heads[k]))
				return word - n;
		}
	}
	return SIZE_MAX;
}

static size_t head_at(const struct source *s, size_t at)
{
	size_t next;

	if (has_head(s, at))
		return at;
	if (source_has_word(s, at, "do"))
		next = source_skip(s, end_of_any(s, at + 2, 0));
	else if (s->code[at] == '}')
		next = source_skip(s, at + 1);
	else
		return head_around(s, at);
	return source_has_word(s, next, "while") ? next : SIZE_MAX;
}

/* Where the text of the value begins that the statement assigns or returns, if it does so before
 * `until'. */
static size_t value_from(const struct source *s, size_t at, struct source_span in, size_t until)
{
	struct source_span left = source_assigned(s, at), returned = source_returned(s, at);

	if (left.from < left.to && left.to < until)
		return left.to + strcspn(s->code + left.to, "=") + 1;
	return returned.from < returned.to ? returned.from : in.from;
}

/* Finds c ? a : b at the top level of the statement. */
static bool take_choice(const struct source *s, size_t at, struct condition_text *c)
{
	struct source_span in = source_statement(s, at);
	size_t question = find_operator(s, in.from, in.to, "?"), colon, from;

	if (question == in.to)
		return false;
	from = value_from(s, at, in, question);
	colon = find_operator(s, question, in.to, ":");
	if (colon == in.to || from >= question ||
	    find_operator(s, question + 1, colon, "?") < colon)
		return false;
	c->kind = CONDITION_CHOICE;
	c->whole = source_trim(s, from, question);
	c->head = c->whole.from;
	c->body = source_trim(s, question + 1, colon);
	c->step = (struct source_span){ colon, colon + 1 };
	return true;
}

/* Finds a && b or a || b that the statement assigns or returns. */
static bool take_assigned_value(const struct source *s, size_t at, struct condition_text *c)
{
	struct source_span in = source_statement(s, at);
	size_t from = value_from(s, at, in, in.to), to = in.to;

	while (to > from && (is_blank_in_condition(s->code[to - 1]) || s->code[to - 1] == ';'))
		to--;
	c->whole = source_trim(s, from, to);
	c->head = c->whole.from;
	c->kind = CONDITION_VALUE;
	return from > in.from && is_compound(s, c->whole);
}

/* ---- inside of an expression ---- */

/* Finds `a && b', `a || b' or `c ? x : y' that fills this part of a statement. */
static bool take_part(const struct source *s, struct source_span part, struct condition_text *c)
{
	size_t question = find_operator(s, part.from, part.to, "?");
	size_t colon = find_operator(s, question, part.to, ":");

	c->kind = question < part.to ? CONDITION_CHOICE : CONDITION_VALUE;
	c->whole = source_trim(s, part.from, question);
	if (c->kind == CONDITION_VALUE)
		return is_compound(s, c->whole);
	c->body = source_trim(s, MIN(question + 1, colon), colon);
	c->step = (struct source_span){ colon, colon + 1 };
	return colon < part.to && c->whole.from < c->whole.to &&
	       find_operator(s, question + 1, colon, "?") == colon;
}

/* Looks for these parts in all brackets: `n + (a && b)', `print(c ? x : y)'.  *c is the last that
 * is there, and the result tells how many are. */
static unsigned count_nested(const struct source *s, struct source_span in,
			     struct condition_text *c)
{
	unsigned n = 0;

	for (size_t i = in.from; i < in.to; i++) {
		size_t close = strchr("([{", s->code[i]) ? source_closing(s, i) : i;

		if (close == i)
			continue;
		if (close >= in.to)
			return n;
		for (size_t from = i + 1; from <= close;) {
			size_t end = find_operator(s, from, close, ",");
			struct source_span part = source_trim(s, from, end);
			struct condition_text found = { 0 };

			if (take_part(s, part, &found)) {
				*c = found;
				n++;
			} else {
				n += count_nested(s, part, c);
			}
			from = end + 1;
		}
		i = close;
	}
	return n;
}

/* Finds the only such part of a statement, whose rows may all stand at its beginning. */
static bool take_nested(const struct source *s, size_t at, struct condition_text *c)
{
	struct source_span in = source_statement(s, at);

	if (count_nested(s, in, c) != 1)
		return false;
	c->head = in.from;
	return true;
}

static bool is_over_range(const struct condition_text *c)
{
	return c->kind == CONDITION_FOR && !c->step.to;
}

/* `auto &&x : all' has no operator. */
static void add_atom_of_range(struct condition_text *c)
{
	const struct condition_atom atom = { c->whole, CONDITION_TRUE, CONDITION_FALSE };

	g_array_append_val(c->atoms, atom);
}

bool condition_text_find(const struct source *s, size_t at, struct condition_text *out)
{
	struct condition_text c = { 0 };
	size_t head = head_at(s, at);

	if (head != SIZE_MAX ? !take_loop_head(s, head, &c)
			     : !take_choice(s, at, &c) && !take_assigned_value(s, at, &c) &&
				       !take_nested(s, at, &c))
		return false;
	/* The other parts of a for's head are statements of their own. */
	if (c.kind == CONDITION_FOR && at != c.head && !condition_text_covers(&c, at))
		return false;
	c.atoms = g_array_new(FALSE, FALSE, sizeof(struct condition_atom));
	if (is_over_range(&c))
		add_atom_of_range(&c);
	else if (c.kind != CONDITION_SWITCH)
		add_atoms(s, c.whole, CONDITION_TRUE, CONDITION_FALSE, c.atoms);
	*out = c;
	return true;
}

void condition_text_clear(struct condition_text *c)
{
	g_clear_pointer(&c->atoms, g_array_unref);
}

bool condition_text_covers(const struct condition_text *c, size_t at)
{
	if (at >= c->whole.from && at < c->whole.to)
		return true;
	if (c->kind == CONDITION_FOR)
		return at == c->head;
	if (c->kind == CONDITION_VALUE)
		return at >= c->head && at < c->whole.from;
	if (c->kind == CONDITION_CHOICE)
		return at >= c->head && (at < c->body.from || at == c->step.from);
	/* from the keyword, or the brace before it, to the bracket */
	return at + (c->kind == CONDITION_DO ? 2 : 0) >= c->head && at < c->whole.from;
}
