/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/change/missing/null-check-mutant.h"

#include "solver/change/code/code-piece-private.h"
#include "solver/change/code/code-statement.h"
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

/* The stretch of code that begins with the i-th of addrs.  Its first instruction is the first
 * one that has an effect. */
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
 * a jump there is other code; behind the last one nothing gives a result.  Another jump at the end
 * leads over an `else'. */
static GArray *ways_around(const struct image *im, const struct stretch *s, bool returns)
{
	GArray *ways = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	const struct trace_insn *insn = s->first;

	for (; insn && insn->addr < s->end; insn = image_insn_at(im, insn->addr + insn->length)) {
		bool last = insn->addr + insn->length == s->end;
		uint64_t target = insn->target;

		if (last && (insn->flow == TRACE_FLOW_JUMP) == returns && s->end < s->function->hi)
			g_array_append_val(ways, s->end);
		else if (last && insn->flow == TRACE_FLOW_JUMP)
			g_array_append_val(ways, target);
		if (insn->flow == TRACE_FLOW_COND && (target < s->first->addr || target >= s->end))
			g_array_append_val(ways, target);
	}
	return ways;
}

/* ---- mutants ---- */

/* What is compared with 0, and the short jump that is taken where it holds. */
struct zero_check {
	const char *holds;
	uint8_t jump;
};

static const struct zero_check not_null = { "!= NULL", 0x75 };
static const struct zero_check of_unsigned[] = { { "!= 0", 0x75 } };
static const struct zero_check of_signed[] = {
	{ "> 0", 0x7f }, { ">= 0", 0x7d }, { "< 0", 0x7c }, { "!= 0", 0x75 }
};

/* Where control goes when the check does not hold. */
struct way {
	uint64_t to;
	bool is_return; /* the function's end, with 0 as its result */
};

static bool write_check(const struct mutant_maker *x, struct code_piece *c,
			const struct trace_insn *at, const struct code_value *v,
			const struct zero_check *check, const struct way *way)
{
	static const uint8_t zero[] = { 0x31, 0xc0 };		     /* xor %eax,%eax */
	const uint8_t test[] = { 0x48, 0x85, 0xc0, check->jump, 0 }; /* test %rax,%rax; j.. */
	static const uint8_t jump[] = { 0xe9, 0, 0, 0, 0 };
	size_t avail = 0;
	const uint8_t *now = image_bytes(x->im, at->addr, &avail);
	unsigned branch;

	if (!now || avail < at->length || !code_piece_save(c) || !code_value_put(c, v) ||
	    !code_piece_bytes(c, test, sizeof test))
		return false;
	branch = c->size;
	if (!code_piece_restore(c) || (way->is_return && !code_piece_bytes(c, zero, sizeof zero)) ||
	    !code_piece_bytes(c, jump, sizeof jump) ||
	    !code_piece_link(c, c->size - 4, c->size, way->to))
		return false;
	c->bytes[branch - 1] = (uint8_t)(c->size - branch);
	return code_piece_restore(c) && code_piece_insns(c, now, at->length, at->addr);
}

static char *words_of_zero_check(const struct image *im, const struct stretch *s, const char *text,
				 const struct zero_check *check, const struct way *way)
{
	return way->is_return ? g_strdup_printf("`if (%s == NULL) return%s;' added before it", text,
						image_return_type(im, s->function) ? " 0" : "")
			      : g_strdup_printf("`%s %s' checked before it", text, check->holds);
}

static void add_check_mutant(struct mutant_maker *x, const struct stretch *s, const char *words,
			     const struct code_value *v, const struct zero_check *check,
			     const struct way *way, GArray *all)
{
	struct code_piece *piece = mutant_maker_piece(x);
	struct mutant made = { .kind = check == &not_null ? MUTANT_CHECK : MUTANT_ZERO_CHECK,
			       .addr = s->first->addr,
			       .length = s->first->length,
			       .link_to = way->to,
			       .piece = piece };

	if (!write_check(x, piece, s->first, v, check, way))
		return;
	made.words = g_string_chunk_insert_const(x->words, words);
	g_array_append_val(all, made);
}

static void add_named_check(struct mutant_maker *x, const struct stretch *s, const char *text,
			    const struct code_value *v, const struct zero_check *check,
			    const struct way *way, GArray *all)
{
	g_autofree char *words = words_of_zero_check(x->im, s, text, check, way);

	add_check_mutant(x, s, words, v, check, way, all);
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
		g_strdup_printf("(?<![\\w.>])%s *[!=<>]=? *(NULL|nullptr|0)\\b|\\b(NULL|nullptr|0) "
				"*[!=<>]=? *%s(?![\\w.\\[-])",
				name, name);

	return g_regex_match_simple(pattern, line, 0, 0);
}

/* Does the line give it a value, and do nothing else with it?  Before the line, its value is of no
 * use. */
static bool is_only_assigned_in(const char *line, const char *text)
{
	g_autofree char *name = g_regex_escape_string(text, -1);
	g_autofree char *pattern = g_strdup_printf("(?<![\\w.>])%s *=(?!=)", name);
	g_autoptr(GRegex) regex = g_regex_new(pattern, 0, 0, NULL);
	g_autoptr(GMatchInfo) found = NULL;
	int end;

	return regex && g_regex_match(regex, line, 0, &found) &&
	       g_match_info_fetch_pos(found, 0, NULL, &end) && !operand_text_has(line + end, text);
}

/* What is looked for. */
struct wanted_checks {
	bool numbers; /* of numbers that have a sign, or of pointers */
	GArray *all;
};

/* *n checks; 0: the value is none that is looked for. */
static const struct zero_check *checks_of(const struct wanted_checks *w, const struct code_value *v,
					  size_t *n)
{
	const struct image_type *t = v ? code_value_type(v) : NULL;
	const bool number = t && (t->kind == IMAGE_TYPE_INT || t->kind == IMAGE_TYPE_ENUM);

	*n = 0;
	if (t && t->kind == IMAGE_TYPE_POINTER && !w->numbers) {
		*n = 1;
		return &not_null;
	}
	if (!number || !w->numbers)
		return NULL;
	*n = t->is_signed ? G_N_ELEMENTS(of_signed) : G_N_ELEMENTS(of_unsigned);
	return t->is_signed ? of_signed : of_unsigned;
}

/* The code of the function's closing bracket, which returns what is in the register of the result;
 * false: it has no such code, or other code returns, too. */
static bool find_closing_return(const struct image *im, const struct image_function *f,
				struct way *way)
{
	const struct trace_insn *insn = image_insn_at(im, f->lo);
	const struct image_row *row = NULL;
	unsigned n = 0;

	for (; insn && insn->addr < f->hi; insn = image_insn_at(im, insn->addr + insn->length))
		if (insn->flow == TRACE_FLOW_RET) {
			row = image_row_at(im, insn->addr);
			n++;
		}
	insn = row ? image_insn_at(im, row->lo) : NULL;
	if (n != 1 || !insn || image_moves_result(im, row, insn))
		return false;
	*way = (struct way){ row->lo, true };
	return true;
}

/* `if (n > most)' before `most = n': where a greatest or least value is looked for, each execution
 * assigns. */
static void add_extremes(struct mutant_maker *x, const struct stretch *s, const struct way *way,
			 GArray *all)
{
	static const struct zero_check checks[] = { { ">", 0x7f }, { "<", 0x7c } };
	size_t at;
	const struct source *source = mutant_maker_source(x, s->first->addr, &at);
	g_autofree char *text = source ? source_text(source, source_statement(source, at)) : NULL;
	const char *value = text ? code_statement_value(text) : NULL;
	g_autofree char *place = value ? code_statement_place(text) : NULL;
	g_autofree char *more = place ? g_strdup_printf("(%s) - (%s)", value, place) : NULL;
	struct code_value *v = more ? code_value_new(x->im, s->first->addr, more, x->limits) : NULL;
	const struct image_type *t = v ? code_value_type(v) : NULL;

	for (size_t i = 0; t && i < G_N_ELEMENTS(checks) && t->kind == IMAGE_TYPE_INT; i++) {
		g_autofree char *words = g_strdup_printf("`%s %s %s' checked before it", value,
							 checks[i].holds, place);

		if (t->is_signed)
			add_check_mutant(x, s, words, v, &checks[i], way, all);
	}
	code_value_free(v);
}

static void add_of_stretch(struct mutant_maker *x, const struct stretch *s, const char *line,
			   const struct wanted_checks *w)
{
	const GPtrArray *texts = expression_texts_of(x->texts, s->function);
	bool returns = g_regex_match_simple("\\breturn\\b", line, 0, 0);
	g_autoptr(GArray) around = ways_around(x->im, s, returns);
	g_autoptr(GArray) ways = g_array_new(FALSE, FALSE, sizeof(struct way));
	struct way end;

	for (guint i = 0; i < around->len; i++) {
		const struct way way = { g_array_index(around, uint64_t, i), false };

		g_array_append_val(ways, way);
	}
	if (!w->numbers && strcmp(s->function->name, "main") != 0 &&
	    find_closing_return(x->im, s->function, &end))
		g_array_append_val(ways, end);

	for (guint k = 0; w->numbers && k < ways->len; k++)
		add_extremes(x, s, &g_array_index(ways, struct way, k), w->all);
	for (guint i = 0; i < texts->len; i++) {
		const char *text = texts->pdata[i];
		struct code_value *v =
			operand_text_has(line, text) && may_be_null(text) &&
					!is_checked_in(line, text) &&
					!is_only_assigned_in(line, text)
				? code_value_new(x->im, s->first->addr, text, x->limits)
				: NULL;
		size_t n;
		const struct zero_check *checks = checks_of(w, v, &n);

		for (size_t c = 0; c < n; c++)
			for (guint k = 0; k < ways->len; k++)
				add_named_check(x, s, text, v, &checks[c],
						&g_array_index(ways, struct way, k), w->all);
		code_value_free(v);
	}
}

static void add_checks_of_line(struct mutant_maker *x, const GArray *addrs,
			       const struct wanted_checks *w)
{
	g_autofree char *line =
		addrs->len ? mutant_maker_line(x, g_array_index(addrs, uint64_t, 0)) : NULL;
	struct stretch s;

	for (guint i = 0; line && i < addrs->len;) {
		i = next_stretch(x->im, addrs, i, &s);
		/* a jump to the condition of a loop is no code of the condition */
		if (s.function && !s.function->moving && s.first->flow != TRACE_FLOW_JUMP)
			add_of_stretch(x, &s, line, w);
	}
}

void null_check_mutants_of_line(struct mutant_maker *x, const GArray *addrs, GArray *all)
{
	const struct wanted_checks pointers = { false, all };

	add_checks_of_line(x, addrs, &pointers);
}

void zero_check_mutants_of_line(struct mutant_maker *x, const GArray *addrs, GArray *all)
{
	const struct wanted_checks numbers = { true, all };

	add_checks_of_line(x, addrs, &numbers);
}

bool zero_check_left_out(struct mutant_maker *x, const struct mutant *of, struct mutant *out)
{
	static const uint8_t jump[] = { 0xe9, 0, 0, 0, 0 };
	struct code_piece *piece = mutant_maker_piece(x);

	*out = *of;
	out->piece = piece;
	return code_piece_bytes(piece, jump, sizeof jump) &&
	       code_piece_link(piece, piece->size - 4, piece->size, of->link_to);
}
