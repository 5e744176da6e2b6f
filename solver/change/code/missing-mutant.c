/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/change/code/missing-mutant.h"

#include "solver/change/code/code-piece-private.h"
#include "solver/change/code/code-statement.h"
#include "solver/change/code/code-value.h"
#include "solver/source/operand-text.h"
#include "solver/image/variable/variable.h"

#include <string.h>

/* ---- the source at an instruction ---- */

/* Does the line of the statement there begin with this word, or with that one behind `else' or a
 * brace? */
static bool begins_with(struct mutant_maker *x, uint64_t addr, const char *word)
{
	size_t at;
	const struct source *s = mutant_maker_source(x, addr, &at);

	if (!s)
		return false;
	while (at && s->code[at - 1] != '\n')
		at--;
	at = source_skip(s, at);
	while (s->code[at] == '}' || s->code[at] == '{' || source_has_word(s, at, "else"))
		at = source_skip(s, at + (s->code[at] == 'e' ? strlen("else") : 1));
	return source_has_word(s, at, word);
}

static bool is_between(const struct source *s, size_t from, size_t to, const char *word)
{
	for (size_t at = from; at < to; at++)
		if (source_has_word(s, at, word))
			return true;
	return false;
}

/* Does the statement there stand behind a label of a `switch'? */
static bool is_labelled(struct mutant_maker *x, uint64_t addr)
{
	size_t at, from;
	const struct source *s = mutant_maker_source(x, addr, &at);

	if (!s)
		return false;
	for (from = at; from && !strchr(";}", s->code[from - 1]); from--)
		;
	return is_between(s, from, at, "case") || is_between(s, from, at, "default");
}

/* ---- ways that lead elsewhere ---- */

/* The ways to a place from the code in front of it, and where they are to lead. */
struct detour {
	const struct image_function *function;
	uint64_t from, at; /* the code in front of the place: [from, at) */
	uint64_t to;
	const char *words;
};

static bool falls_through(const struct trace_insn *insn)
{
	return insn->flow == TRACE_FLOW_NONE || insn->flow == TRACE_FLOW_CALL ||
	       insn->flow == TRACE_FLOW_COND;
}

static bool jumps_to(const struct trace_insn *insn, uint64_t target)
{
	return (insn->flow == TRACE_FLOW_COND || insn->flow == TRACE_FLOW_JUMP) &&
	       insn->target == target;
}

static bool put_jump(struct code_piece *c, const uint8_t *opcode, unsigned size, uint64_t to)
{
	return code_piece_bytes(c, opcode, size) &&
	       code_piece_bytes(c, (const uint8_t[4]){ 0 }, 4) &&
	       code_piece_link(c, c->size - 4, c->size, to);
}

/* The instruction leads to d->to where it led to d->at. */
static bool write_detour(struct code_piece *c, const struct trace_insn *insn, const uint8_t *now,
			 const struct detour *d)
{
	const uint8_t jump[] = { 0xe9 };
	uint8_t branch[] = { 0x0f, (uint8_t)(0x80 | (now[now[0] == 0x0f] & 15)) };

	if (!jumps_to(insn, d->at))
		return code_piece_insns(c, now, insn->length, insn->addr) &&
		       put_jump(c, jump, sizeof jump, d->to);
	return insn->flow == TRACE_FLOW_JUMP ? put_jump(c, jump, sizeof jump, d->to)
					     : put_jump(c, branch, sizeof branch, d->to);
}

/* One instruction of the detour; before: those that lead elsewhere already. */
static struct mutant *add_way(struct mutant_maker *x, const struct trace_insn *insn,
			      const struct detour *d, const struct mutant *before)
{
	struct code_piece *piece = mutant_maker_piece(x);
	struct mutant *made = mutant_maker_mutant(x);
	size_t avail = 0;
	const uint8_t *now = image_bytes(x->im, insn->addr, &avail);

	*made = (struct mutant){ .kind = MUTANT_MISSING,
				 .addr = insn->addr,
				 .length = insn->length,
				 .piece = piece,
				 .words = d->words,
				 .also = before };
	return now && avail >= insn->length && write_detour(piece, insn, now, d) ? made : NULL;
}

/* All ways from there, but those of a `switch', which knows where it leads. */
static void add_detour(struct mutant_maker *x, const struct detour *d, GArray *all)
{
	const struct trace_insn *insn = image_insn_at(x->im, d->from);
	struct mutant *made = NULL;

	for (; insn && insn->addr < d->at; insn = image_insn_at(x->im, insn->addr + insn->length)) {
		bool is_last = insn->addr + insn->length == d->at && falls_through(insn);

		if ((!is_last && !jumps_to(insn, d->at)) || begins_with(x, insn->addr, "switch"))
			continue;
		made = add_way(x, insn, d, made);
		if (!made)
			return;
	}
	if (made)
		g_array_append_val(all, *made);
}

/* ---- `break' ---- */

/* Where the next `break' behind a place leads, or the last one in front of it. */
static uint64_t end_of_switch(struct mutant_maker *x, const struct image_function *f,
			      uint64_t place)
{
	const struct trace_insn *insn = image_insn_at(x->im, f->lo);
	uint64_t found = 0;

	for (; insn && insn->addr < f->hi; insn = image_insn_at(x->im, insn->addr + insn->length)) {
		if (insn->flow != TRACE_FLOW_JUMP || insn->target <= place ||
		    insn->target >= f->hi || !begins_with(x, insn->addr, "break"))
			continue;
		found = insn->target;
		if (insn->addr >= place)
			break;
	}
	return found;
}

static void add_break(struct mutant_maker *x, const struct image_function *f,
		      const struct trace_insn *last, GArray *all)
{
	struct detour d = { .function = f, .from = f->lo, .words = "`break' put behind it" };

	d.at = last->addr + last->length;
	if (!falls_through(last) || d.at >= f->hi || !is_labelled(x, d.at))
		return;
	d.to = end_of_switch(x, f, d.at);
	if (d.to)
		add_detour(x, &d, all);
}

/* ---- `while' and `else' ---- */

/* The code that an `if' executes when its conditions hold. */
struct body {
	uint64_t from, end; /* where control goes when they do not */
};

static bool find_body(const struct image *im, const struct image_function *f, const GArray *addrs,
		      struct body *out)
{
	*out = (struct body){ 0 };
	for (guint i = 0; i < addrs->len; i++) {
		const struct trace_insn *insn =
			image_insn_at(im, g_array_index(addrs, uint64_t, i));

		if (insn->flow == TRACE_FLOW_COND && insn->target > insn->addr &&
		    insn->target < f->hi && insn->target >= out->end)
			*out = (struct body){ insn->addr + insn->length, insn->target };
	}
	return out->end > out->from;
}

static const struct trace_insn *insn_before(const struct image *im, uint64_t from, uint64_t at)
{
	const struct trace_insn *insn = image_insn_at(im, from);

	while (insn && insn->addr + insn->length < at)
		insn = image_insn_at(im, insn->addr + insn->length);
	return insn && insn->addr + insn->length == at ? insn : NULL;
}

static void add_while(struct mutant_maker *x, const struct image_function *f, uint64_t condition,
		      const struct body *body, GArray *all)
{
	const struct trace_insn *last = insn_before(x->im, body->from, body->end);
	const struct detour d = { f, body->from, body->end, condition, "`while' for `if'" };

	/* an `else' is jumped over */
	if (last && falls_through(last))
		add_detour(x, &d, all);
}

static unsigned line_of(const struct image *im, uint64_t addr)
{
	const struct image_row *row = image_row_at(im, addr);

	return row ? image_statement(im, row->statement)->line : 0;
}

/* The outermost `if' that the one with this condition stands behind: where its body begins; 0 =
 * none. */
static uint64_t body_before(struct mutant_maker *x, const struct image_function *f,
			    uint64_t condition)
{
	const struct trace_insn *insn = image_insn_at(x->im, f->lo);
	uint64_t from = 0;
	unsigned line = 0;

	for (; insn && insn->addr < condition;
	     insn = image_insn_at(x->im, insn->addr + insn->length)) {
		if (insn->flow != TRACE_FLOW_COND || insn->target != condition ||
		    (line ? line_of(x->im, insn->addr) != line : !begins_with(x, insn->addr, "if")))
			continue;
		line = line_of(x->im, insn->addr);
		from = insn->addr + insn->length;
	}
	return from;
}

static void add_else(struct mutant_maker *x, const struct image_function *f, uint64_t condition,
		     const struct body *body, GArray *all)
{
	const struct trace_insn *last = insn_before(x->im, body->from, body->end);
	struct detour d = { f, body_before(x, f, condition), condition, body->end,
			    "`else' put before it" };

	if (last && last->flow == TRACE_FLOW_JUMP && last->target > body->end)
		d.to = last->target; /* it has an `else' of its own */
	if (d.from && last)
		add_detour(x, &d, all);
}

static void add_of_if(struct mutant_maker *x, const struct image_function *f, const GArray *addrs,
		      GArray *all)
{
	uint64_t condition = g_array_index(addrs, uint64_t, 0);
	struct body body;

	if (!begins_with(x, condition, "if") || !find_body(x->im, f, addrs, &body))
		return;
	add_while(x, f, condition, &body, all);
	add_else(x, f, condition, &body, all);
}

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

static size_t back_over_blanks(const struct source *s, size_t at)
{
	while (at && g_ascii_isspace(s->code[at - 1]))
		at--;
	return at;
}

/* Is the bracket that closes there the end of the head of an `if' or a loop? */
static bool ends_head(const struct source *s, size_t close)
{
	static const char *const words[] = { "if", "for", "while", "switch" };
	size_t from = source_opening(s, close);
	bool found = false;

	from = from == SIZE_MAX ? 0 : back_over_blanks(s, from);
	while (from && source_is_word(s->code[from - 1]))
		from--;
	for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
		found |= source_has_word(s, from, words[i]);
	return found;
}

static bool begins_statement(const struct source *s, size_t at)
{
	size_t end = back_over_blanks(s, at);

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

static bool is_name(const char *text)
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

typedef bool write_statement(struct code_piece *c, const struct trace_insn *insn,
			     const uint8_t *now, const struct code_statement *s);

static bool write_before(struct code_piece *c, const struct trace_insn *insn, const uint8_t *now,
			 const struct code_statement *s)
{
	return code_piece_save(c) && code_statement_put(c, s) && code_piece_restore(c) &&
	       code_piece_insns(c, now, insn->length, insn->addr);
}

/* format: of the words, with the statement's text. */
static void add_mirrored(struct mutant_maker *x, const struct trace_insn *insn, const char *text,
			 write_statement *write, const char *format, GArray *all)
{
	struct code_statement *s = code_statement_new(x->im, insn->addr, text, x->limits);
	struct code_piece *piece = mutant_maker_piece(x);
	struct mutant made = {
		.kind = MUTANT_MIRRORED, .addr = insn->addr, .length = insn->length, .piece = piece
	};
	/* NOLINTNEXTLINE(clang-diagnostic-format-nonliteral): one of two */
	g_autofree char *words = g_strdup_printf(format, text);
	size_t avail = 0;
	const uint8_t *now = image_bytes(x->im, insn->addr, &avail);

	made.words = g_string_chunk_insert_const(x->words, words);
	if (s && now && avail >= insn->length && write(piece, insn, now, s))
		g_array_append_val(all, made);
	code_statement_free(s);
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
		for (guint k = i + 1; k < texts->len && is_name(texts->pdata[i]); k++) {
			const char *a = texts->pdata[i], *b = texts->pdata[k];
			g_autofree char *other = is_name(b) ? mirrored_in(text, a, b) : NULL;
			const struct image_type *t = other ? type_at(x, first->addr, a) : NULL;
			const struct image_type *u = t ? type_at(x, first->addr, b) : NULL;

			if (u && code_value_is_of_one_type(t, u))
				add_mirrored(x, first, other, write_before, "`%s' put before it",
					     all);
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
	       put_jump(c, jump, sizeof jump, insn->addr + insn->length) && code_piece_save(c) &&
	       code_statement_put(c, s) && code_piece_restore(c) &&
	       put_jump(c, jump, sizeof jump, insn->target);
}

/* Is there an `else' behind the branch whose first statement this is? */
static bool has_else(const struct source *s, struct source_span first)
{
	const size_t before = back_over_blanks(s, first.from);
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
	const struct image_type *t =
		is_name(other) && strcmp(place, other) != 0 ? type_at(x, insn->addr, other) : NULL;
	const struct image_type *own = t ? type_at(x, insn->addr, place) : NULL;
	g_autofree char *text = NULL;

	if (!own || !code_value_is_of_one_type(t, own) || strcmp(other, value) == 0)
		return;
	text = g_strdup_printf("%s = %s", other, value);
	add_mirrored(x, insn, text, write_else, "`else %s' put behind it", all);
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
	for (guint i = 0; i < texts->len; i++)
		add_else_for(x, insn, place, texts->pdata[i], value, all);
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
	if (only && begins_with(x, only->addr, "if"))
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
	const struct trace_insn *call = last_call(x->im, addrs), *last;
	const struct image_function *f;

	if (!addrs->len)
		return;
	last = image_insn_at(x->im, g_array_index(addrs, uint64_t, addrs->len - 1));
	f = image_function_at(x->im, last->addr);
	if (!f || f->moving)
		return;
	add_of_if(x, f, addrs, all);
	add_break(x, f, last, all);
	add_mirrors(x, f, image_insn_at(x->im, g_array_index(addrs, uint64_t, 0)), all);
	add_mirrored_else(x, f, addrs, all);
	if (call)
		add_lost(x, call, all);
}
