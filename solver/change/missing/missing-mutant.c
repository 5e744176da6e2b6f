/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/change/missing/missing-mutant.h"

#include "solver/change/code/code-piece-private.h"
#include "solver/change/code/code-statement.h"
#include "solver/change/code/code-value.h"
#include "solver/change/missing/exit-mutant.h"
#include "solver/change/missing/larger-mutant.h"
#include "solver/change/missing/missing-step.h"
#include "solver/change/missing/missing-way.h"
#include "solver/source/operand-text.h"
#include "solver/image/variable/variable.h"

#include <string.h>

/* ---- a result that is lost ---- */

/* A variable, member or element that the result of a call can be assigned to. */
struct receiver {
	struct code_value *address;
	uint64_t size;
	char *text;
};

static bool find_receiver(struct mutant_maker *x, uint64_t addr, char *text,
			  const struct image_type *result, struct receiver *out)
{
	g_autofree char *address = g_strdup_printf("&(%s)", text);

	*out = (struct receiver){ code_value_new(x->im, addr, address, x->limits), 0, text };
	if (out->address) {
		const struct image_type *to = code_value_type(out->address)->target;

		out->size = code_value_is_word(to) && code_value_is_word(result) &&
					    code_value_is_of_one_type(to, result)
				    ? to->size
				    : 0;
	}
	return out->size;
}

/* The call, then the store of what it returned. */
static bool write_received(const struct mutant_maker *x, struct code_piece *c,
			   const struct trace_insn *call, const struct receiver *r)
{
	static const uint8_t keep[] = { 0x50 }, load[] = { 0x59 }; /* push %rax; pop %rcx */
	size_t avail = 0;
	const uint8_t *now = image_bytes(x->im, call->addr, &avail);

	return now && avail >= call->length && code_piece_insns(c, now, call->length, call->addr) &&
	       code_piece_bytes(c, keep, sizeof keep) && code_value_put(c, r->address) &&
	       code_piece_bytes(c, load, sizeof load) && code_piece_store(c, r->size);
}

static void add_received(struct mutant_maker *x, const struct trace_insn *call,
			 const struct receiver *r, GArray *all)
{
	struct code_piece *piece = mutant_maker_piece(x);
	struct mutant made = {
		.kind = MUTANT_MISSING, .addr = call->addr, .length = call->length, .piece = piece
	};
	g_autofree char *words = g_strdup_printf("`%s =' before the call", r->text);

	if (!write_received(x, piece, call, r))
		return;
	made.words = g_string_chunk_insert_const(x->words, words);
	g_array_append_val(all, made);
}

/* Is the bracket that closes there the end of the head of an `if' or a loop? */
static bool ends_head(const struct source *s, size_t close)
{
	static const char *const words[] = { "if", "for", "while", "switch" };
	size_t from = source_opening(s, close);
	bool found = false;

	from = from == SIZE_MAX ? 0 : source_end_before(s, from);
	while (from && source_is_word(s->code[from - 1]))
		from--;
	for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
		found |= source_has_word(s, from, words[i]);
	return found;
}

static bool begins_statement(const struct source *s, size_t at)
{
	size_t end = source_end_before(s, at);

	if (!end || strchr(";{}:", s->code[end - 1]))
		return true;
	return s->code[end - 1] == ')' ? ends_head(s, end - 1)
				       : end >= 4 && source_has_word(s, end - 4, "else");
}

/* A statement that is a call of a function of the program and nothing else. */
struct lone_call {
	struct source_span arguments; /* between the brackets */
	const struct image_type *result;
};

static bool is_lone_call(struct mutant_maker *x, const struct source *s, size_t at,
			 struct lone_call *out)
{
	const struct image_function *f;
	g_autofree char *name = NULL;
	size_t open = at, close;

	while (source_is_word(s->code[open]))
		open++;
	close = open > at && s->code[open] == '(' ? source_closing(s, open) : SIZE_MAX;
	if (close == SIZE_MAX || s->code[source_skip(s, close + 1)] != ';' ||
	    !begins_statement(s, at))
		return false;
	name = g_strndup(s->code + at, open - at);
	f = image_function_named(x->im, name);
	*out = (struct lone_call){ { open + 1, close }, f ? image_return_type(x->im, f) : NULL };
	return out->result != NULL;
}

/* The text of the argument that begins there; *at: behind it and the comma. */
static char *next_argument(const struct source *s, size_t end, size_t *at)
{
	size_t from = *at, to = from;

	while (to < end && s->code[to] != ',') {
		size_t close = strchr("([", s->code[to]) ? source_closing(s, to) : to;

		to = MIN(close, end - 1) + 1;
	}
	*at = to + 1;
	return source_text(s, source_trim(s, from, to));
}

static void add_lost(struct mutant_maker *x, const struct trace_insn *call, GArray *all)
{
	size_t at;
	const struct source *s = mutant_maker_source(x, call->addr, &at);
	struct lone_call lone;

	if (!s || !is_lone_call(x, s, at, &lone))
		return;
	for (at = lone.arguments.from; at < lone.arguments.to;) {
		g_autofree char *text = next_argument(s, lone.arguments.to, &at);
		struct receiver r;

		if (text && find_receiver(x, call->addr, text, lone.result, &r))
			add_received(x, call, &r, all);
		if (text)
			code_value_free(r.address);
	}
}

/* ---- a statement that mirrors this one ---- */

static bool is_place_name(const char *text)
{
	for (const char *at = text; *at; at++)
		if (!source_is_word(*at) && !strchr(".->", *at))
			return false;
	return !g_ascii_isdigit(*text);
}

/* NULL: it has no value there. */
static const struct image_type *type_at(const struct mutant_maker *x, uint64_t addr,
					const char *text)
{
	struct code_value *v = code_value_new(x->im, addr, text, x->limits);
	const struct image_type *type = v ? code_value_type(v) : NULL;

	code_value_free(v);
	return type;
}

/* What mirrors the statement in two variables, both of which it has, or in two members of one
 * object, one of which it has; NULL: nothing does. */
static char *mirrored_in(const char *text, const char *a, const char *b)
{
	const char *x = operand_text_last_word(a), *y = operand_text_last_word(b);
	g_autofree char *other = operand_text_mirrored(text, x, y);
	bool variables = x == a && y == b;

	if (variables ? !operand_text_has(text, a) || !operand_text_has(text, b)
		      : !operand_text_is_of_one_object(a, b))
		return NULL;
	return strcmp(other, text) != 0 ? g_steal_pointer(&other) : NULL;
}

static void add_mirrors(struct mutant_maker *x, const struct image_function *f,
			const struct trace_insn *first, GArray *all)
{
	const GPtrArray *texts = expression_texts_of(x->texts, f);
	size_t at;
	const struct source *s = mutant_maker_source(x, first->addr, &at);
	g_autofree char *text = s ? source_text(s, source_statement(s, at)) : NULL;
	g_autofree char *place = text ? code_statement_place(text) : NULL;

	for (guint i = 0; place && i < texts->len; i++)
		for (guint k = i + 1; k < texts->len && is_place_name(texts->pdata[i]); k++) {
			const char *a = texts->pdata[i], *b = texts->pdata[k];
			g_autofree char *other = is_place_name(b) ? mirrored_in(text, a, b) : NULL;
			const struct image_type *t = other ? type_at(x, first->addr, a) : NULL;
			const struct image_type *u = t ? type_at(x, first->addr, b) : NULL;

			if (u && code_value_is_of_one_type(t, u))
				mutant_maker_put_before(x, first, other, MUTANT_MIRRORED, all);
		}
}

/* ---- an `else' that mirrors its branch ---- */

/* The conditional jump over one to what follows, then the statement, then where it jumps. */
static bool write_else(struct code_piece *c, const struct trace_insn *insn, const uint8_t *now,
		       const struct code_statement *s)
{
	const uint8_t over_jump[] = { (uint8_t)(0x70 | (now[now[0] == 0x0f] & 15)), 5 };
	const uint8_t jump[] = { 0xe9 };

	return code_piece_bytes(c, over_jump, sizeof over_jump) &&
	       code_piece_jump(c, jump, sizeof jump, insn->addr + insn->length) &&
	       code_piece_save(c) && code_statement_put(c, s) && code_piece_restore(c) &&
	       code_piece_jump(c, jump, sizeof jump, insn->target);
}

/* Is there an `else' behind the branch whose first statement this is? */
static bool has_else(const struct source *s, struct source_span first)
{
	const size_t before = source_end_before(s, first.from);
	size_t end = before && s->code[before - 1] == '{' ? source_closing(s, before - 1)
							  : source_skip(s, first.to);

	return end == SIZE_MAX || !s->code[end] ||
	       source_has_word(s, source_skip(s, end + 1), "else");
}

/* What a branch assigns first, and what to; false: it begins with no assignment, or there is an
 * `else' to it. */
static bool assignment_of(struct mutant_maker *x, uint64_t addr, char **place, const char **value,
			  char **text)
{
	size_t at;
	const struct source *s = mutant_maker_source(x, addr, &at);
	const struct source_span span = s ? source_statement(s, at) : (struct source_span){ 0, 0 };

	*text = s && !has_else(s, span) ? source_text(s, span) : NULL;
	*place = *text ? code_statement_place(*text) : NULL;
	if (!*place || !g_str_has_prefix(*text, *place) ||
	    !g_str_has_prefix(*text + strlen(*place), " = "))
		return false;
	*value = *text + strlen(*place) + strlen(" = ");
	return true;
}

/* `else head = n->next', where the branch has `prev->next = n->next'. */
static void add_else_for(struct mutant_maker *x, const struct trace_insn *insn, const char *place,
			 const char *other, const char *value, GArray *all)
{
	const struct image_type *t = is_place_name(other) && strcmp(place, other) != 0
					     ? type_at(x, insn->addr, other)
					     : NULL;
	const struct image_type *own = t ? type_at(x, insn->addr, place) : NULL;
	g_autofree char *text = NULL;

	if (!own || !code_value_is_of_one_type(t, own) || strcmp(other, value) == 0)
		return;
	text = g_strdup_printf("%s = %s", other, value);
	mutant_maker_put(x, insn, text, MUTANT_MIRRORED, write_else, "`else %s' put behind it",
			 all);
}

/* Members of what the function has another member of: `l->last', where it has `l->first'. */
static void add_else_members(struct mutant_maker *x, const struct trace_insn *insn,
			     const char *place, const char *member, const char *value,
			     const GPtrArray *texts, GArray *all)
{
	const char *last = operand_text_last_word(member);
	const size_t n = (size_t)(last - member);
	const bool points = n > 2 && strncmp(last - 2, "->", 2) == 0;
	g_autofree char *object = points ? g_strndup(member, n - 2) : NULL;
	const struct image_type *t =
		points && is_place_name(object) ? type_at(x, insn->addr, object) : NULL;

	if (!t || t->kind != IMAGE_TYPE_POINTER || !t->target)
		return;
	for (uint32_t i = 0; i < t->target->n_members; i++) {
		const char *name = t->target->members[i].name;
		g_autofree char *other = name ? g_strconcat(object, "->", name, NULL) : NULL;

		if (other &&
		    !g_ptr_array_find_with_equal_func((GPtrArray *)texts, other, g_str_equal, NULL))
			add_else_for(x, insn, place, other, value, all);
	}
}

/* The variables of the function, and those of the file that it does not name. */
static void add_elses(struct mutant_maker *x, const struct image_function *f,
		      const struct trace_insn *insn, GArray *all)
{
	const GPtrArray *texts = expression_texts_of(x->texts, f);
	const struct image_variable *const *globals;
	size_t n = image_globals(x->im, &globals);
	g_autofree char *place = NULL, *text = NULL;
	const char *value;

	if (!assignment_of(x, insn->addr + insn->length, &place, &value, &text))
		return;
	for (guint i = 0; i < texts->len; i++) {
		add_else_for(x, insn, place, texts->pdata[i], value, all);
		add_else_members(x, insn, place, texts->pdata[i], value, texts, all);
	}
	for (size_t i = 0; i < n; i++)
		if (globals[i]->name && g_strcmp0(globals[i]->file, f->file) == 0 &&
		    !g_ptr_array_find_with_equal_func((GPtrArray *)texts, globals[i]->name,
						      g_str_equal, NULL))
			add_else_for(x, insn, place, globals[i]->name, value, all);
}

static void add_mirrored_else(struct mutant_maker *x, const struct image_function *f,
			      const GArray *addrs, GArray *all)
{
	const struct trace_insn *only = NULL;

	for (guint i = 0; i < addrs->len; i++) {
		const struct trace_insn *insn =
			image_insn_at(x->im, g_array_index(addrs, uint64_t, i));

		if (insn->flow != TRACE_FLOW_COND)
			continue;
		if (only)
			return; /* several conditions */
		only = insn;
	}
	if (only && mutant_maker_line_begins(x, only->addr, "if"))
		add_elses(x, f, only, all);
}

/* ---- */

static const struct trace_insn *last_call(const struct image *im, const GArray *addrs)
{
	for (guint i = addrs->len; i > 0; i--) {
		const struct trace_insn *insn =
			image_insn_at(im, g_array_index(addrs, uint64_t, i - 1));

		if (insn->flow == TRACE_FLOW_CALL)
			return insn;
	}
	return NULL;
}

void missing_mutants_of_line(struct mutant_maker *x, const GArray *addrs, GArray *all)
{
	const struct trace_insn *call = last_call(x->im, addrs);
	const struct image_function *f =
		addrs->len ? image_function_at(x->im, g_array_index(addrs, uint64_t, 0)) : NULL;

	if (!f || f->moving)
		return;
	missing_ways_of_line(x, f, addrs, all);
	exit_mutants_of_line(x, f, addrs, all);
	missing_steps_of_line(x, f, addrs, all);
	larger_mutants_of_line(x, addrs, all);
	add_mirrors(x, f, image_insn_at(x->im, g_array_index(addrs, uint64_t, 0)), all);
	add_mirrored_else(x, f, addrs, all);
	if (call)
		add_lost(x, call, all);
}
