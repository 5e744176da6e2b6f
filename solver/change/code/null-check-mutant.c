/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/change/code/null-check-mutant.h"

#include "solver/change/code/code-piece-private.h"
#include "solver/change/code/code-value.h"
#include "solver/source/operand-text.h"

#include <string.h>

/* ---- the code of a line ---- */

/* Some of it without other code in between: [at, end). */
struct stretch {
	const struct trace_insn *first;
	uint64_t end;
	const struct image_function *function;
};

/* The stretch that begins with addrs' i-th; its first instruction is one that does something. */
static guint next_stretch(const struct image *im, const GArray *addrs, guint i, struct stretch *out)
{
	const struct trace_insn *insn = image_insn_at(im, g_array_index(addrs, uint64_t, i));

	out->first = insn;
	out->function = image_function_at(im, insn->addr);
	do {
		out->end = insn->addr + insn->length;
		insn = ++i < addrs->len ? image_insn_at(im, g_array_index(addrs, uint64_t, i))
					: NULL;
	} while (insn && insn->addr == out->end);
	return i;
}

/* uint64_t: where control may go on without the stretch, each once.  returns: behind a return with
 * a jump there is other code; behind the last one nothing gives a result. */
static GArray *ways_around(const struct image *im, const struct stretch *s, bool returns)
{
	GArray *ways = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	const struct trace_insn *insn = s->first;

	for (; insn && insn->addr < s->end; insn = image_insn_at(im, insn->addr + insn->length)) {
		bool last = insn->addr + insn->length == s->end;
		uint64_t target = insn->target;

		if (last && (insn->flow == TRACE_FLOW_JUMP) == returns && s->end < s->function->hi)
			g_array_append_val(ways, s->end);
		if (insn->flow == TRACE_FLOW_COND && (target < s->first->addr || target >= s->end))
			g_array_append_val(ways, target);
	}
	return ways;
}

/* ---- mutants ---- */

static bool write_check(const struct mutant_maker *x, struct code_piece *c,
			const struct trace_insn *at, const struct code_value *v, uint64_t to)
{
	static const uint8_t test[] = { 0x48, 0x85, 0xc0, 0x75, 0 }, /* test %rax,%rax; jne */
		jump[] = { 0xe9, 0, 0, 0, 0 };
	size_t avail = 0;
	const uint8_t *now = image_bytes(x->im, at->addr, &avail);
	unsigned branch;

	if (!now || avail < at->length || !code_piece_save(c) || !code_value_put(c, v) ||
	    !code_piece_bytes(c, test, sizeof test))
		return false;
	branch = c->size;
	if (!code_piece_restore(c) || !code_piece_bytes(c, jump, sizeof jump) ||
	    !code_piece_link(c, c->size - 4, c->size, to))
		return false;
	c->bytes[branch - 1] = (uint8_t)(c->size - branch);
	return code_piece_restore(c) && code_piece_insns(c, now, at->length, at->addr);
}

static void add_check(struct mutant_maker *x, const struct stretch *s, const char *text,
		      const struct code_value *v, uint64_t to, GArray *all)
{
	struct code_piece *piece = mutant_maker_piece(x);
	struct mutant made = { .kind = MUTANT_CHECK,
			       .addr = s->first->addr,
			       .length = s->first->length,
			       .piece = piece };
	g_autofree char *words = g_strdup_printf("`%s != NULL' checked before it", text);

	if (!write_check(x, piece, s->first, v, to))
		return;
	made.words = g_string_chunk_insert_const(x->words, words);
	g_array_append_val(all, made);
}

/* The whole line there, without what is a comment; NULL: there is no source. */
static char *line_at(struct mutant_maker *x, uint64_t addr)
{
	size_t at, end;
	const struct source *s = mutant_maker_source(x, addr, &at);

	if (!s)
		return NULL;
	while (at && s->code[at - 1] != '\n')
		at--;
	for (end = at; end < s->length && s->code[end] != '\n'; end++)
		;
	return source_text(s, (struct source_span){ at, end });
}

/* Nothing is checked where the null pointer itself is meant, or an address. */
static bool may_be_null(const char *text)
{
	return *text != '&' && strcmp(text, "NULL") != 0 && strcmp(text, "nullptr") != 0;
}

/* Does the line compare the pointer with NULL already?  Then that is what is wrong there. */
static bool is_checked_in(const char *line, const char *text)
{
	g_autofree char *name = g_regex_escape_string(text, -1);
	g_autofree char *pattern =
		g_strdup_printf("(?<![\\w.>])%s *[!=]= *(NULL|nullptr|0)\\b|\\b(NULL|nullptr|0) "
				"*[!=]= *%s(?![\\w.\\[-])",
				name, name);

	return g_regex_match_simple(pattern, line, 0, 0);
}

static bool is_pointer(const struct code_value *v)
{
	const struct image_type *t = code_value_type(v);

	return t && t->kind == IMAGE_TYPE_POINTER;
}

static void add_of_stretch(struct mutant_maker *x, const struct stretch *s, const char *line,
			   GArray *all)
{
	const GPtrArray *texts = expression_texts_of(x->texts, s->function);
	bool returns = g_regex_match_simple("\\breturn\\b", line, 0, 0);
	g_autoptr(GArray) ways = ways_around(x->im, s, returns);

	for (guint i = 0; i < texts->len; i++) {
		const char *text = texts->pdata[i];
		struct code_value *v =
			operand_text_has(line, text) && may_be_null(text) &&
					!is_checked_in(line, text)
				? code_value_new(x->im, s->first->addr, text, x->limits)
				: NULL;

		for (guint k = 0; v && is_pointer(v) && k < ways->len; k++)
			add_check(x, s, text, v, g_array_index(ways, uint64_t, k), all);
		code_value_free(v);
	}
}

void null_check_mutants_of_line(struct mutant_maker *x, const GArray *addrs, GArray *all)
{
	g_autofree char *line = addrs->len ? line_at(x, g_array_index(addrs, uint64_t, 0)) : NULL;
	struct stretch s;

	for (guint i = 0; line && i < addrs->len;) {
		i = next_stretch(x->im, addrs, i, &s);
		/* a jump to the condition of a loop is no code of the condition */
		if (s.function && !s.function->moving && s.first->flow != TRACE_FLOW_JUMP)
			add_of_stretch(x, &s, line, all);
	}
}
