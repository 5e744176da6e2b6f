/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/change/code/conditional-skip.h"

#include "solver/change/code/code-line.h"
#include "solver/image/variable/variable.h"

#include <string.h>

/* The statement of user code at an address; NULL: a prologue, or no line. */
static const struct image_statement *statement_at_code(const struct image *im, uint64_t addr)
{
	const struct image_row *row = image_row_at(im, addr);
	const struct image_statement *s =
		row && !row->prologue ? image_statement(im, row->statement) : NULL;

	return s && !s->prologue && s->file ? s : NULL;
}

/* Does control leave the line by what it says, and not because a block ends behind it? */
static bool leaves_by_itself(const struct image *im, const struct image_statement *s)
{
	const char *text = image_source_line(im, s->file, s->line);

	return text && g_regex_match_simple("\\b(return|break|continue|goto)\\b", text, 0, 0);
}

static void add_conditional(GArray *all, const struct mutant *like, uint64_t to, unsigned last,
			    unsigned returns)
{
	struct mutant m = *like;

	m.link_to = to;
	m.from = last;
	m.to = returns;
	g_array_append_val(all, m);
}

/* ---- the line and some of those below it ---- */

/* Is line `to' reached from `from' without leaving a block or going into one? */
static bool is_same_block(const struct image *im, const char *file, unsigned from, unsigned to)
{
	int depth = 0;

	for (unsigned line = from + 1; line <= to; line++) {
		const char *text = image_source_line(im, file, line);

		for (const char *at = text; line < to && at && *at; at++) {
			depth += (*at == '{') - (*at == '}');
			if (depth < 0)
				return false;
		}
		if (line == to && text && text[strspn(text, " \t")] == '}')
			return false;
	}
	return depth == 0;
}

/* Braces that are opened and not closed from one line to another. */
static int braces_left_open(const struct image *im, const char *file, unsigned from, unsigned to)
{
	int depth = 0;

	for (unsigned line = from; line <= to; line++) {
		const char *text = image_source_line(im, file, line);

		for (const char *at = text; at && *at; at++)
			depth += (*at == '{') - (*at == '}');
	}
	return depth;
}

static bool line_matches(const struct image *im, const char *file, unsigned line,
			 const char *pattern)
{
	const char *text = image_source_line(im, file, line);

	return text && g_regex_match_simple(pattern, text, 0, 0);
}

/* Can the lines stand in braces?  *last goes on to where a block ends that begins in them. */
static bool are_whole_statements(const struct image *im, const char *file, unsigned from,
				 unsigned *last)
{
	enum { MOST_LINES = 32 };
	static const char ends[] = "[;}]\\s*(//.*|/\\*.*\\*/\\s*)?$",
			  is_head[] = "(\\)|\\b(else|do))\\s*(//.*|/\\*.*\\*/\\s*)?$";
	int depth;

	while ((depth = braces_left_open(im, file, from, *last)) > 0 && *last - from < MOST_LINES)
		++*last;
	return depth == 0 && line_matches(im, file, *last, ends) &&
	       !line_matches(im, file, *last + 1, "^\\s*else\\b") &&
	       (from == 1 || !line_matches(im, file, from - 1, is_head));
}

/* Where control goes on without what ends at an address: a jump behind the last statement of a
 * block leads around what is no part of it. */
static uint64_t way_past(const struct image *im, uint64_t last, uint64_t end)
{
	const struct trace_insn *insn = image_insn_at(im, last);
	const struct image_statement *s = statement_at_code(im, last);

	return insn && s && insn->flow == TRACE_FLOW_JUMP && !leaves_by_itself(im, s) ? insn->target
										      : end;
}

static bool is_return(const struct image *im, const struct image_statement *s)
{
	const char *text = image_source_line(im, s->file, s->line);

	return text && g_regex_match_simple("^\\s*return\\b", text, 0, 0);
}

static void add_blocks(const struct image *im, const char *file, unsigned line,
		       const struct mutant *like, const struct limits *limits, GArray *all)
{
	const struct image_function *f = image_function_at(im, like->addr);
	const struct trace_insn *insn = image_insn_at(im, like->addr);
	unsigned last_line = line, n = 0;
	uint64_t before = like->addr;

	for (; insn && insn->addr < f->hi; insn = image_insn_at(im, insn->addr + insn->length)) {
		const struct image_statement *s = statement_at_code(im, insn->addr);

		if (!s || strcmp(s->file, file) != 0 || s->line < last_line)
			return;
		if (s->line > last_line) {
			unsigned end = last_line;

			if (n++ && are_whole_statements(im, file, line, &end))
				add_conditional(all, like, way_past(im, before, insn->addr), end,
						0);
			/* without its `return' the function would give what is left over */
			if (n > limits->condition_lines || is_return(im, s) ||
			    !is_same_block(im, file, line, s->line))
				return;
		}
		last_line = s->line;
		before = insn->addr;
	}
}

/* ---- the rest of the function ---- */

/* The end of a function that returns nothing also serves. */
static bool is_way_out(const struct image *im, const struct image_function *f,
		       const struct trace_insn *insn, const struct image_statement *s)
{
	const char *text = image_source_line(im, s->file, s->line);

	if (is_return(im, s))
		return true;
	return !image_return_type(im, f) && text && *text == '}' &&
	       insn->addr == image_row_at(im, insn->addr)->lo;
}

static void add_returns(const struct image *im, unsigned line, const struct mutant *like,
			const struct limits *limits, GArray *all)
{
	const struct image_function *f = image_function_at(im, like->addr);
	const struct trace_insn *insn = image_insn_at(im, f->body);
	unsigned seen = 0, n = 0;

	if (strcmp(f->name, "main") == 0)
		return;
	for (; insn && insn->addr < f->hi && n < limits->condition_returns;
	     insn = image_insn_at(im, insn->addr + insn->length)) {
		const struct image_statement *s = statement_at_code(im, insn->addr);

		if (!s || s->line == seen || s->line == line || !is_way_out(im, f, insn, s))
			continue;
		add_conditional(all, like, insn->addr, 0, s->line);
		seen = s->line;
		n++;
	}
}

/* Can an `if' be put before the line?  Not where it declares something, or goes on with what began
 * in another line. */
static bool may_follow_if(const char *text)
{
	static const char declares[] = "^\\s*(?!return\\b|goto\\b)[A-Za-z_][\\w ]*[\\s*]+\\**\\w+"
				       "(\\[\\w*\\])*\\s*[=,;]",
			  goes_on[] =
				  "^\\s*(\\}|\\{|\\)|[&|?:+*/=-][^*&-]|else\\b|case\\b|default\\b)";

	return text && !g_regex_match_simple(declares, text, 0, 0) &&
	       !g_regex_match_simple(goes_on, text, 0, 0);
}

GArray *conditional_skips(const struct image *im, const char *file, unsigned line,
			  const struct limits *limits)
{
	GArray *all = code_skips(im, file, line);
	const struct image_function *f;
	struct mutant like;

	if (!all->len)
		return all;
	like = g_array_index(all, struct mutant, 0);
	f = image_function_at(im, like.addr);
	if (!f || f->moving)
		return all;
	if (may_follow_if(image_source_line(im, file, line)))
		add_blocks(im, file, line, &like, limits, all);
	else
		g_array_set_size(all, 0);
	add_returns(im, line, &like, limits, all);
	return all;
}
