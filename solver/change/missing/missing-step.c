/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/change/missing/missing-step.h"

#include "solver/change/code/code-piece-private.h"
#include "solver/change/code/code-statement.h"
#include "solver/change/code/code-value.h"
#include "solver/change/missing/missing-way.h"
#include "solver/image/variable/variable.h"
#include "solver/source/operand-text.h"

#include <string.h>

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
	g_autofree char *pattern = NULL;

	if (!operand_text_has_word(text, variable))
		return false;
	pattern = g_strdup_printf("(?<![\\w.>])%1$s\\s*((?:[-+*/%%&|^]|<<|>>)?=(?!=)|\\+\\+|--)|"
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

/* Does the brace stand behind `)', or what may follow that before a function's body? */
static bool opens_function_or_block(const struct source *s, size_t brace)
{
	static const char *const words[] = { ")", "const", "override", "noexcept", "final" };
	const size_t end = source_end_before(s, brace);

	for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
		const size_t length = strlen(words[i]);

		if (end >= length && strncmp(s->code + end - length, words[i], length) == 0)
			return true;
	}
	return false;
}

/* The function's body, also in a class; NULL: it is not known.  Free it. */
static char *body_around(const struct source *s, size_t at)
{
	size_t brace = source_brace_around(s, at), outer = SIZE_MAX;

	for (; brace != SIZE_MAX; brace = source_brace_around(s, brace))
		if (opens_function_or_block(s, brace))
			outer = brace;
	return outer == SIZE_MAX || source_closing(s, outer) == SIZE_MAX
		       ? NULL
		       : text_between(s, outer, source_closing(s, outer));
}

/* How the program counts a member or a global variable of that name: up, down. */
struct counting {
	bool up, down;
};

static struct counting counting_in(const struct source *s, const char *name)
{
	g_autofree char *code = g_strndup(s->code, s->length);
	g_autofree char *up =
		g_strdup_printf("\\b%1$s\\s*\\+\\+|\\+\\+\\s*([\\w.]|->)*\\b%1$s\\b", name);
	g_autofree char *down = g_strdup_printf("\\b%1$s\\s*--|--\\s*([\\w.]|->)*\\b%1$s\\b", name);

	return (struct counting){ g_regex_match_simple(up, code, 0, 0),
				  g_regex_match_simple(down, code, 0, 0) };
}

/* The same; the source is read once for each name, however many lines ask. */
static struct counting counting_of(struct mutant_maker *x, const struct source *s, const char *name)
{
	g_autofree char *key = g_strdup_printf("%p %s", (const void *)s, name);
	const struct counting *known = g_hash_table_lookup(x->countings, key);
	struct counting how;

	if (known)
		return *known;
	how = counting_in(s, name);
	g_hash_table_insert(x->countings, g_steal_pointer(&key), g_memdup2(&how, sizeof how));
	return how;
}

/* A function that may have forgotten to count. */
struct forgetful {
	const struct source *s;
	char *body;
	const struct trace_insn *at; /* the step goes behind it, or before it where it is a call's
				      * first instruction */
	bool before, leaves;	     /* leaves: a value is returned there */
};

/* Is what is returned there another value when the variable is counted before? */
static bool returns_counted(struct mutant_maker *x, const struct forgetful *f, const char *variable)
{
	size_t at;
	const struct source *s = mutant_maker_source(x, f->at->addr, &at);
	g_autofree char *text = s ? source_text(s, source_returned(s, at)) : NULL;

	return !text || strchr(text, '(') ||
	       operand_text_has_word(text, operand_text_last_word(variable));
}

static void put_step(struct mutant_maker *x, const struct forgetful *f, const char *text,
		     const char *step, GArray *all)
{
	g_autofree char *statement = g_strconcat(text, step, NULL);

	mutant_maker_put(x, f->at, statement, MUTANT_MIRRORED,
			 f->before ? mutant_maker_write_before : write_behind,
			 f->before || (f->leaves && !returns_counted(x, f, text))
				 ? "`%s' put before it"
			 : f->leaves ? "`%s' put behind its value"
				     : "`%s' put behind it",
			 all);
}

/* Of what the function asks: `r->count--' where another one has `q->count++'. */
static void add_counted_that_is_asked(struct mutant_maker *x, const struct forgetful *f,
				      const char *text, GArray *all)
{
	const char *name = operand_text_last_word(text);
	struct counting how;

	if (f->before || !*name || strpbrk(text, " ([") ||
	    (name == text && !mutant_maker_is_global(x, name)) ||
	    is_variable_changed(f->body, text))
		return;
	how = counting_of(x, f->s, name);
	if (!how.up && !how.down)
		return;
	put_step(x, f, text, "--", all);
	put_step(x, f, text, "++", all);
}

static bool changes_member(const char *body, const char *object, const char *arrow)
{
	g_autofree char *pattern =
		g_strdup_printf("\\b%s\\s*%s\\s*\\w+\\s*(=(?!=)|\\+\\+|--|[-+]=)", object,
				*arrow == '.' ? "\\." : "->");

	return g_regex_match_simple(pattern, body, 0, 0);
}

static bool has_member_of_name(const char *body, const char *name)
{
	g_autofree char *pattern = g_strdup_printf("(->|\\.)\\s*%s\\b", name);

	return g_regex_match_simple(pattern, body, 0, 0);
}

/* Of what it does not ask: `l->length--' where it changes other members of `l', and the program
 * counts `length' in the other direction only. */
static void add_counted_members(struct mutant_maker *x, const struct forgetful *f,
				const struct image_variable *v, const GPtrArray *texts, GArray *all)
{
	const bool points = v->type && v->type->kind == IMAGE_TYPE_POINTER;
	const struct image_type *t = points ? v->type->target : v->type;
	const char *arrow = points ? "->" : ".";

	if (!v->name || !t || t->kind != IMAGE_TYPE_STRUCT ||
	    !changes_member(f->body, v->name, arrow))
		return;
	for (uint32_t i = 0; i < t->n_members; i++) {
		const struct image_member *m = &t->members[i];
		g_autofree char *text = g_strconcat(v->name, arrow, m->name ? m->name : "", NULL);
		struct counting how;

		if (!m->name || !m->type || m->type->kind != IMAGE_TYPE_INT ||
		    has_member_of_name(f->body, m->name) ||
		    g_ptr_array_find_with_equal_func((GPtrArray *)texts, text, g_str_equal, NULL))
			continue;
		how = counting_of(x, f->s, m->name);
		if (how.up != how.down)
			put_step(x, f, text, how.up ? "--" : "++", all);
	}
}

static bool changes_variable_of(const char *body, const struct image_type *t)
{
	for (uint32_t i = 0; i < t->n_members; i++)
		if (t->members[i].name && is_variable_changed(body, t->members[i].name))
			return true;
	return false;
}

/* In C++ of the function's own object, where it changes other members: `moves_++', as other
 * functions do. */
static void add_counted_of_object(struct mutant_maker *x, const struct forgetful *f,
				  const struct image_function *of, GArray *all)
{
	const struct image_type *t =
		image_function_has_object(x->im, of) && !image_function_keeps_object(x->im, of)
			? image_parameter_type(x->im, of, 0)->target
			: NULL;

	if (!t || !changes_variable_of(f->body, t))
		return;
	for (uint32_t i = 0; i < t->n_members; i++) {
		const struct image_member *m = &t->members[i];
		struct counting how;

		if (!m->name || !m->type || m->type->kind != IMAGE_TYPE_INT ||
		    operand_text_has_word(f->body, m->name))
			continue;
		how = counting_of(x, f->s, m->name);
		if (how.up)
			put_step(x, f, m->name, "++", all);
		if (how.down || how.up)
			put_step(x, f, m->name, "--", all);
	}
}

/* A step of what other functions count, behind the line, or before one that calls. */
static void add_counted_elsewhere(struct mutant_maker *x, const struct image_function *f,
				  const GArray *addrs, GArray *all)
{
	const struct trace_insn *last =
		image_insn_at(x->im, g_array_index(addrs, uint64_t, addrs->len - 1));
	const uint64_t first = g_array_index(addrs, uint64_t, 0);
	const GPtrArray *texts = expression_texts_of(x->texts, f);
	const bool before = last->flow == TRACE_FLOW_CALL;
	struct forgetful g = { .at = before ? image_insn_at(x->im, first) : last,
			       .before = before,
			       .leaves = mutant_maker_line_begins(x, first, "return") };
	const struct image_variable *const *variables;
	const size_t n = image_variables_at(x->im, last->addr, &variables);
	/* what is compiled asks for variables, too */
	g_autofree const struct image_variable **own =
		g_memdup2((const void *)variables, n * sizeof *variables);
	g_autofree char *body = NULL;
	size_t at;

	g.s = mutant_maker_source(x, last->addr, &at);
	if (g.s && (before || last->flow == TRACE_FLOW_NONE))
		g.body = body = body_around(g.s, at);
	if (!body)
		return;
	for (guint i = 0; i < texts->len; i++)
		add_counted_that_is_asked(x, &g, texts->pdata[i], all);
	for (size_t i = 0; i < n; i++)
		add_counted_members(x, &g, own[i], texts, all);
	add_counted_of_object(x, &g, f, all);
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

void missing_steps_of_line(struct mutant_maker *x, const struct image_function *f,
			   const GArray *addrs, GArray *all)
{
	const uint64_t first = g_array_index(addrs, uint64_t, 0);
	const struct trace_insn *last =
		image_insn_at(x->im, g_array_index(addrs, uint64_t, addrs->len - 1));

	add_counted_elsewhere(x, f, addrs, all);
	add_end_of_text(x, f, first, all);
	add_first_change(x, last, all);
	add_lost_steps(x, addrs, all);
}
