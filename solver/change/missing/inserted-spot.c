/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/change/missing/inserted-spot.h"

#include "solver/change/code/code-line.h"
#include "solver/change/code/code-piece-private.h"
#include "solver/image/variable/variable.h"
#include "solver/source/operand-text.h"
#include "solver/source/source.h"

#include <string.h>

char *inserted_statement_text(struct expression_texts *texts, const struct image_statement *st)
{
	const struct source *s = sources_get(expression_texts_sources(texts), st->file);
	size_t at;

	if (!s || !source_place(s, st->line, st->column, &at))
		return NULL;
	return source_text(s, source_statement(s, at));
}

/* Where the line's code begins.  *last: its last instruction, where it is one piece without
 * conditions, so that control comes to its end; else NULL. */
static const struct trace_insn *find_line_code(const struct image *im, const char *file,
					       unsigned line, const struct trace_insn **last)
{
	const struct trace_insn *insns, *first = NULL;
	size_t n = image_insns(im, &insns);
	bool straight = true;

	*last = NULL;
	for (size_t i = 0; i < n; i++) {
		if (!code_stands_on(im, insns[i].addr, file, line))
			continue;
		straight &= insns[i].flow != TRACE_FLOW_COND && (!*last || *last == &insns[i - 1]);
		*last = &insns[i];
		first = first ? first : &insns[i];
	}
	if (!straight)
		*last = NULL;
	return first;
}

static bool leaves_for_good(const char *statement)
{
	static const char *const words[] = { "return", "break", "continue", "goto" };

	for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
		if (g_str_has_prefix(statement, words[i]))
			return true;
	return false;
}

/* Does the line end in a statement that leaves it for good? */
static bool leaves_line_for_good(const struct image *im, struct expression_texts *texts,
				 const struct trace_insn *last)
{
	const struct image_row *row = image_row_at(im, last->addr);
	g_autofree char *text = inserted_statement_text(texts, image_statement(im, row->statement));

	return !text || leaves_for_good(text);
}

/* Is it the code of a function's last brace behind a `return'?  Control comes there from the
 * `return', but not to a statement that is written there. */
static bool is_brace_behind_return(const struct image *im, struct expression_texts *texts,
				   const struct trace_insn *first)
{
	const struct image_row *row = image_row_at(im, first->addr);
	const struct image_statement *st = row ? image_statement(im, row->statement) : NULL;
	const struct source *s = st ? sources_get(expression_texts_sources(texts), st->file) : NULL;
	g_autofree char *text = NULL;
	size_t at, end;

	if (!s || !image_row_begins_with(im, row, '}') ||
	    !source_place(s, st->line, st->column, &at))
		return false;
	end = source_end_before(s, at);
	text = end > 1 ? source_text(s, source_statement(s, end - 2)) : NULL;
	return text && leaves_for_good(text);
}

/* Does control leave a block there, whose head stands above the line: of an `if' with an `else'? */
static bool jumps_out_of_block(const struct image *im, uint64_t addr, unsigned line)
{
	const struct trace_insn *insn = image_insn_at(im, addr);
	const struct image_row *row = image_row_at(im, addr);

	return insn && insn->flow == TRACE_FLOW_JUMP && row &&
	       image_statement(im, row->statement)->line < line;
}

/* Is a statement at the end of the line in front another one than one before this place?  It is
 * where control comes here from elsewhere, too, or where nobody wrote what stands here. */
static bool is_end(const struct image *im, const struct image_function *f, uint64_t addr,
		   unsigned line)
{
	const struct image_block *b = image_block_at(im, f, addr);
	const struct image_row *row = image_row_at(im, addr);

	return (b && b->lo == addr) || (row && image_row_begins_with(im, row, '}')) ||
	       jumps_out_of_block(im, addr, line);
}

/* The end of a block: what comes behind it is not what comes before the next line. */
static bool spot_behind(const struct image *im, struct expression_texts *texts,
			const struct image_function *f, const struct trace_insn *last,
			unsigned line, struct inserted_spot *out)
{
	uint64_t next = last->addr + last->length;
	bool jumps = last->flow == TRACE_FLOW_JUMP;
	bool ends = (last->flow == TRACE_FLOW_NONE || last->flow == TRACE_FLOW_CALL) &&
		    next < f->hi && is_end(im, f, next, line);

	*out = (struct inserted_spot){ last, !jumps, "behind" };
	return (jumps || ends) && !leaves_line_for_good(im, texts, last);
}

bool inserted_spot_write(const struct image *im, const struct inserted_spot *at,
			 const struct code_statement *s, struct code_piece *c)
{
	size_t avail = 0;
	const uint8_t *now = image_bytes(im, at->insn->addr, &avail);
	unsigned length = at->insn->length;

	if (!now || avail < length)
		return false;
	return (!at->behind || code_piece_insns(c, now, length, at->insn->addr)) &&
	       code_piece_save(c) && code_statement_put(c, s) && code_piece_restore(c) &&
	       (at->behind || code_piece_insns(c, now, length, at->insn->addr));
}

/* `else if (...)', `} else': nothing can be written before it. */
static bool is_behind_else(struct expression_texts *texts, const char *file, unsigned line)
{
	const struct source *s = sources_get(expression_texts_sources(texts), file);
	size_t at =
		s && line && line <= s->lines->len ? g_array_index(s->lines, size_t, line - 1) : 0;

	while (s && at < s->length && (g_ascii_isspace(s->code[at]) || s->code[at] == '}'))
		at++;
	return s && operand_text_begins(s->code + at, "else");
}

unsigned inserted_spots(const struct image *im, struct expression_texts *texts, const char *file,
			unsigned line, struct inserted_spot out[INSERTED_SPOTS])
{
	const struct trace_insn *last, *first = find_line_code(im, file, line, &last);
	const struct image_function *f = first ? image_function_at(im, first->addr) : NULL;
	unsigned n = 0;

	if (!f || f->moving || is_brace_behind_return(im, texts, first))
		return 0;
	if (!is_behind_else(texts, file, line))
		out[n++] = (struct inserted_spot){ first, false, "before" };
	return n + (last && last != first && spot_behind(im, texts, f, last, line, &out[n]));
}

bool inserted_spot_is_early(const struct image *im, const struct inserted_spot *at,
			    const char *statement, const char *file, unsigned line)
{
	const struct image_variable *const *variables;
	const size_t n = image_variables_at(im, at->insn->addr, &variables);

	for (size_t i = 0; i < n; i++)
		if (variables[i]->function && !variables[i]->parameter &&
		    variables[i]->line >= line && g_strcmp0(variables[i]->file, file) == 0 &&
		    operand_text_has_word(statement, variables[i]->name))
			return true;
	return false;
}

bool inserted_spot_keeps_object(const struct image *im, const struct image_function *f,
				const char *statement)
{
	g_autofree char *place = code_statement_place(statement);
	const struct image_type *t = NULL;
	size_t word = 0;

	if (!place || !image_function_keeps_object(im, f) || !image_function_has_object(im, f))
		return false;
	if (g_str_has_prefix(place, "this->"))
		return true;
	t = image_parameter_type(im, f, 0)->target;
	while (source_is_word(place[word]))
		word++;
	for (uint32_t i = 0; t && i < t->n_members; i++)
		if (t->members[i].name && strlen(t->members[i].name) == word &&
		    strncmp(t->members[i].name, place, word) == 0)
			return true;
	return false;
}
