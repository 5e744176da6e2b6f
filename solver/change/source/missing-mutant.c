/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/change/source/missing-mutant.h"

#include "solver/change/code/code-piece-private.h"
#include "solver/change/code/code-statement.h"
#include "solver/change/code/code-value.h"
#include "solver/change/source/exit-mutant.h"
#include "solver/change/source/missing-way.h"
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

/* ---- what ends a text ---- */

/* The assignment that ends what the line appends to, in a loop; NULL: it appends nothing.  Free
 * it. */
static char *end_of_text(const char *line)
{
	static const char pattern[] = "(\\*\\s*(\\w+)\\s*\\+\\+|(?<![\\w.>])([\\w.]|->)+"
				      "\\[\\s*([\\w.]|->)+\\s*(\\+\\+\\s*)?\\])\\s*=(?!=)";
	g_autoptr(GRegex) regex = g_regex_new(pattern, 0, 0, NULL);
	g_autoptr(GMatchInfo) found = NULL;
	g_autoptr(GString) text = NULL;
	g_autofree char *place = NULL;

	if (!g_regex_match(regex, line, 0, &found))
		return NULL;
	place = g_match_info_fetch(found, 1);
	text = g_string_new(place);
	g_string_replace(text, "++", "", 0);
	g_string_append(text, " = 0");
	return g_string_free(g_steal_pointer(&text), FALSE);
}

static bool assigns_byte(const struct mutant_maker *x, uint64_t addr, const char *text)
{
	g_autofree char *place = g_strndup(text, strlen(text) - strlen(" = 0"));
	struct code_value *v = code_value_new(x->im, addr, place, x->limits);
	bool is = v && code_value_type(v)->size == 1;

	code_value_free(v);
	return is;
}

/* `*to = 0' behind the loop that does `*to++ = *from'. */
static void add_end_of_text(struct mutant_maker *x, const struct image_function *f, uint64_t addr,
			    GArray *all)
{
	g_autofree char *line = mutant_maker_line(x, addr);
	g_autofree char *text = line ? end_of_text(line) : NULL;
	const uint64_t behind = text ? missing_way_behind_loop(x, f, addr) : 0;
	const struct trace_insn *insn = behind ? image_insn_at(x->im, behind) : NULL;

	if (insn && assigns_byte(x, behind, text))
		mutant_maker_put(x, insn, text, MUTANT_MISSING, mutant_maker_write_before,
				 "`%s' put behind the loop", all);
}

/* ---- a variable that nothing changes ---- */

/* The statement behind the instruction. */
static bool write_behind(struct code_piece *c, const struct trace_insn *insn, const uint8_t *now,
			 const struct code_statement *s)
{
	return code_piece_insns(c, now, insn->length, insn->addr) && code_piece_save(c) &&
	       code_statement_put(c, s) && code_piece_restore(c);
}

static char *text_between(const struct source *s, size_t from, size_t to)
{
	return g_strndup(s->code + from, to - from);
}

/* The body of the innermost loop around a place, and what stands before it in the function. */
static bool loop_body_around(const struct source *s, size_t at, char **body, char **before)
{
	size_t loop = source_brace_around(s, at), whole, brace, end;

	while (loop != SIZE_MAX && !mutant_maker_opens_loop(s, loop, true))
		loop = source_brace_around(s, loop);
	if (loop == SIZE_MAX || source_closing(s, loop) == SIZE_MAX)
		return false;
	for (whole = brace = loop; brace != SIZE_MAX; brace = source_brace_around(s, brace)) {
		end = source_end_before(s, brace);
		if (end && s->code[end - 1] == ')')
			whole = brace;
	}
	*body = text_between(s, loop, source_closing(s, loop));
	*before = text_between(s, whole, loop);
	return whole < loop;
}

/* Does the text count the variable, assign to it, or take its address? */
static bool is_variable_changed(const char *text, const char *variable)
{
	g_autofree char *pattern =
		g_strdup_printf("(?<![\\w.>])%1$s\\s*((?:[-+*/%%&|^]|<<|>>)?=(?!=)|\\+\\+|--)|"
				"(?:\\+\\+|--|(?<!&)&)\\s*%1$s\\b",
				variable);

	return g_regex_match_simple(pattern, text, 0, 0);
}

/* Is it declared as one? */
static bool is_constant(const char *text, gint at)
{
	gint from = at;

	while (from && !strchr(";{}", text[from - 1]))
		from--;
	return g_strstr_len(text + from, at - from, "const ") != NULL;
}

/* What a loop may have forgotten to do with a variable that begins with this value: a sign turns, a
 * flag is set, a number is counted. */
static void add_changes(struct mutant_maker *x, const struct trace_insn *insn, const char *variable,
			const char *value, GArray *all)
{
	const struct {
		const char *value, *change;
	} changes[] = { { "1", "%1$s = -%1$s" }, { "1", "%1$s = 0" },	 { "0", "%1$s = 1" },
			{ "0", "%1$s++" },	 { "true", "%1$s = 0" }, { "false", "%1$s = 1" } };

	for (size_t i = 0; i < G_N_ELEMENTS(changes); i++) {
		g_autofree char *text = NULL;

		if (strcmp(value, changes[i].value) != 0)
			continue;
		/* NOLINTNEXTLINE(clang-diagnostic-format-nonliteral): of the table */
		text = g_strdup_printf(changes[i].change, variable);
		mutant_maker_put(x, insn, text, MUTANT_MISSING, write_behind, "`%s' put behind it",
				 all);
	}
}

/* `sign = -sign' behind the last instruction of a line of a loop that uses `sign', which is 1 from
 * the beginning and stays so. */
static void add_first_change(struct mutant_maker *x, const struct trace_insn *last, GArray *all)
{
	static const char set[] =
		"(?<![\\w.>])(\\w+)\\s*=\\s*-?(1|0|true|false)(?:\\.0*)?\\s*(?=[,;])";
	g_autofree char *body = NULL, *before = NULL;
	g_autoptr(GRegex) regex = NULL;
	g_autoptr(GMatchInfo) found = NULL;
	size_t at;
	const struct source *s = mutant_maker_source(x, last->addr, &at);

	if (!s || last->flow != TRACE_FLOW_NONE || !loop_body_around(s, at, &body, &before))
		return;
	regex = g_regex_new(set, 0, 0, NULL);
	g_regex_match(regex, before, 0, &found);
	for (; g_match_info_matches(found); g_match_info_next(found, NULL)) {
		g_autofree char *name = g_match_info_fetch(found, 1);
		g_autofree char *value = g_match_info_fetch(found, 2);
		gint from, end;

		if (g_match_info_fetch_pos(found, 0, &from, &end) && !is_constant(before, from) &&
		    operand_text_has_word(body, name) && !is_variable_changed(body, name) &&
		    !is_variable_changed(before + end, name))
			add_changes(x, last, name, value, all);
	}
}

/* ---- a step that other functions do ---- */

/* The function's body; NULL: it is not known.  Free it. */
static char *body_around(const struct source *s, size_t at)
{
	size_t brace = source_brace_around(s, at), outer = brace;

	while (brace != SIZE_MAX) {
		outer = brace;
		brace = source_brace_around(s, brace);
	}
	return outer == SIZE_MAX || source_closing(s, outer) == SIZE_MAX
		       ? NULL
		       : text_between(s, outer, source_closing(s, outer));
}

/* Is it a member, or a global variable, that is counted, but not in the body? */
static bool is_counted(const struct mutant_maker *x, const struct source *s, const char *body,
		       const char *text)
{
	const char *name = operand_text_last_word(text);
	g_autofree char *counted = g_strdup_printf(
		"\\b%1$s\\s*(\\+\\+|--)|(\\+\\+|--)\\s*([\\w.]|->)*\\b%1$s\\b", name);
	g_autofree char *code = g_strndup(s->code, s->length);

	return *name && !strpbrk(text, " ([") &&
	       (name != text || mutant_maker_is_global(x, name)) &&
	       !is_variable_changed(body, text) && g_regex_match_simple(counted, code, 0, 0);
}

/* `r->count--' behind the line of a function that asks `r->count' and does not change it, where
 * another one has `q->count++'. */
static void add_counted_elsewhere(struct mutant_maker *x, const struct image_function *f,
				  const struct trace_insn *last, GArray *all)
{
	static const char *const steps[] = { "--", "++" };
	const GPtrArray *texts = expression_texts_of(x->texts, f);
	size_t at;
	const struct source *s = mutant_maker_source(x, last->addr, &at);
	g_autofree char *body = s && last->flow == TRACE_FLOW_NONE ? body_around(s, at) : NULL;

	for (guint i = 0; body && i < 2 * texts->len; i++) {
		const char *text = texts->pdata[i / 2];
		g_autofree char *step = g_strconcat(text, steps[i % 2], NULL);

		if (is_counted(x, s, body, text))
			mutant_maker_put(x, last, step, MUTANT_MIRRORED, write_behind,
					 "`%s' put behind it", all);
	}
}

/* ---- a step that is missing ---- */

/* The only branch of the line, before which a step is still part of its condition, or its last
 * instruction; NULL: there are several branches. */
static const struct trace_insn *lost_step_place(const struct image *im, const GArray *addrs)
{
	const struct trace_insn *branch = NULL, *last = NULL;

	for (guint i = 0; i < addrs->len; i++) {
		last = image_insn_at(im, g_array_index(addrs, uint64_t, i));
		if (last->flow == TRACE_FLOW_COND && branch)
			return NULL;
		if (last->flow == TRACE_FLOW_COND)
			branch = last;
	}
	if (branch || last->flow == TRACE_FLOW_NONE || last->flow == TRACE_FLOW_CALL)
		return branch ? branch : last;
	return NULL;
}

/* `*from++' for `*from', and `to[n++]' for `to[n]'. */
static void add_lost_steps(struct mutant_maker *x, const GArray *addrs, GArray *all)
{
	static const char read[] =
		"(?:(?:^|[=(,!+<>&|?:-]|\\breturn\\b)\\s*(\\*\\s*)|(\\w\\[\\s*))"
		"([A-Za-z_]\\w*)(?(2)\\s*\\]|\\b(?!\\s*(?:\\+\\+|--|->|[.(\\[\\w])))";
	const struct trace_insn *end = lost_step_place(x->im, addrs);
	g_autofree char *line = end ? mutant_maker_line(x, end->addr) : NULL;
	g_autoptr(GRegex) regex = g_regex_new(read, 0, 0, NULL);
	g_autoptr(GMatchInfo) found = NULL;

	if (line)
		g_regex_match(regex, line, 0, &found);
	for (; line && g_match_info_matches(found); g_match_info_next(found, NULL)) {
		g_autofree char *name = g_match_info_fetch(found, 3);
		g_autofree char *star = g_match_info_fetch(found, 1);
		g_autofree char *step = g_strconcat(name, "++", NULL);
		g_autofree char *words = g_strdup_printf(
			*star ? "`*%s++' for `*%s'" : "`[%s++]' for `[%s]'", name, name);
		const char *once = strstr(line, name);

		if (!operand_text_has_word(once + strlen(name), name))
			mutant_maker_put(x, end, step, MUTANT_MISSING,
					 end->flow == TRACE_FLOW_COND ? mutant_maker_write_before
								      : write_behind,
					 words, all);
	}
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
	add_counted_elsewhere(
		x, f, image_insn_at(x->im, g_array_index(addrs, uint64_t, addrs->len - 1)), all);
	add_mirrors(x, f, image_insn_at(x->im, g_array_index(addrs, uint64_t, 0)), all);
	add_mirrored_else(x, f, addrs, all);
	add_end_of_text(x, f, g_array_index(addrs, uint64_t, 0), all);
	add_first_change(x, image_insn_at(x->im, g_array_index(addrs, uint64_t, addrs->len - 1)),
			 all);
	add_lost_steps(x, addrs, all);
	if (call)
		add_lost(x, call, all);
}
