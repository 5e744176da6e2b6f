/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/specs/path.h"

#include "solver/formula/requirement.h"
#include "solver/specs/leave.h"
#include "solver/specs/text-input.h"

#include <string.h>

enum { PROGRAM, MOST_ARGUMENTS = 64, MOST_TEXT = 4096, POINTER = 8, FIRST_DEFINITIONS = 32 };

/* Where the program's arguments lie. */
struct arguments {
	uint64_t argv; /* runtime address of the array; 0 = not known */
	uint64_t n;
	uint64_t at[MOST_ARGUMENTS]; /* 0 = the program did not look at it */
};

/* A call that makes a number of text. */
struct conversion {
	uint64_t step;
	uint64_t text;
	bool is_int;
};

struct path {
	const struct path_question *q;
	struct term_pool *pool;
	struct formula *formula;
	struct selector_table *selectors;
	struct trace_summary *summary;
	struct smt *smt;
	struct arguments arguments;
	struct text_input *text; /* NULL = it is not chosen */
	GArray *conversions;	 /* struct conversion, by step */
	GArray *inputs;		 /* struct path_input */
	GArray *decisions;	 /* uint32_t: numbers of definitions */
	uint32_t n;		 /* definitions up to the last decision */
	uint8_t *depends;	 /* by definition: enum dependence */
	GArray *terms;		 /* struct term_facts, by term */
	struct leave *leave;	 /* NULL = path_leaves was not asked yet */
};

struct term_facts {
	bool depends;  /* on what a test can choose */
	uint32_t last; /* the greatest number of a definition in it */
};

/* ---- what the run read ---- */

static const struct {
	const char *name;
	bool is_int;
} makers[] = {
	{ "atoi", true },
	{ "atol", false },
	{ "atoll", false },
	{ "strtol", false },
	{ "strtoll", false },
	{ "strtoul", false },
	{ "strtoull", false },
	{ "__isoc23_strtol", false },
	{ "__isoc23_strtoll", false },
	{ "__isoc23_strtoul", false },
	{ "__isoc23_strtoull", false },
};

static void note_conversion(struct path *p, const struct trace_step *step, uint64_t text)
{
	for (size_t i = 0; step->native_name && i < G_N_ELEMENTS(makers); i++) {
		struct conversion c = { step->number, text, makers[i].is_int };

		if (!strcmp(step->native_name, makers[i].name))
			g_array_append_val(p->conversions, c);
	}
}

static void note_read_argument(struct path *p, const struct trace_step *step)
{
	struct arguments *a = &p->arguments;

	for (unsigned i = 0; i < step->n_reads; i++) {
		uint64_t at = step->reads[i].address - a->argv;

		if (step->reads[i].size == POINTER && !(at % POINTER) && at / POINTER < a->n &&
		    at / POINTER < MOST_ARGUMENTS)
			memcpy(&a->at[at / POINTER], step->reads[i].bytes, POINTER);
	}
}

static bool walk_program_path(struct path *p, struct lift *lift, GError **error)
{
	const struct image_function *f = image_function_named(p->q->program, "main");
	struct trace_cursor *c = trace_cursor_new(p->q->run, trace_run_chosen(p->q->run), lift);
	const struct trace_module *m = trace_run_module(p->q->run, PROGRAM);
	uint64_t given[] = { trace_cursor_reg(c, TRACE_RDI), 0, 0 };
	struct trace_step step;
	int got;

	if (f && trace_cursor_pc(c) == f->entry + m->bias) {
		p->arguments.argv = trace_cursor_reg(c, TRACE_RSI);
		p->arguments.n = trace_cursor_reg(c, TRACE_RDI) & UINT32_MAX;
	}
	while ((got = trace_cursor_step(c, &step, error)) == 1 && step.number <= p->q->last) {
		note_read_argument(p, &step);
		if (step.exit_kind == TRACE_EXIT_NATIVE)
			note_conversion(p, &step, given[0]);
		if (step.exit_kind == TRACE_EXIT_NATIVE && p->text && step.native_name)
			text_input_note(p->text, &step, given, trace_cursor_reg(c, TRACE_RAX));
		given[0] = trace_cursor_reg(c, TRACE_RDI);
		given[1] = trace_cursor_reg(c, TRACE_RSI);
		given[2] = trace_cursor_reg(c, TRACE_RDX);
	}
	trace_cursor_free(c);
	return got >= 0;
}

/* The argument whose text holds this address. */
static bool argument_holding(const struct path *p, uint64_t at, unsigned *argument,
			     unsigned *offset)
{
	const struct arguments *a = &p->arguments;
	bool found = false;

	for (unsigned i = 1; i < a->n && i < MOST_ARGUMENTS; i++) {
		if (!a->at[i] || at < a->at[i] || at - a->at[i] >= MOST_TEXT ||
		    (found && at - a->at[i] >= *offset))
			continue;
		*argument = i;
		*offset = (unsigned)(at - a->at[i]);
		found = true;
	}
	return found;
}

static const struct conversion *conversion_at(const struct path *p, uint64_t step)
{
	for (guint i = 0; i < p->conversions->len; i++)
		if (g_array_index(p->conversions, struct conversion, i).step == step)
			return &g_array_index(p->conversions, struct conversion, i);
	return NULL;
}

static const struct path_memory *memory_of(const struct path *p, const struct definition *d)
{
	const GArray *all = p->q->memory;

	for (guint i = 0; d->address && i < all->len; i++) {
		const struct path_memory *m = &g_array_index(all, struct path_memory, i);

		if (d->address >= m->address && d->address - m->address < m->size)
			return m;
	}
	return NULL;
}

static void add_memory_input(struct path *p, uint32_t number, const struct definition *d)
{
	const struct path_memory *m = memory_of(p, d);
	struct path_input in = { .kind = PATH_MEMORY,
				 .address = d->address,
				 .size = d->size,
				 .fixed = m && m->fixed,
				 .definition = number,
				 .actual = (int64_t)d->actual };

	if (m)
		g_array_append_val(p->inputs, in);
}

static void add_text_input(struct path *p, uint32_t number, const struct definition *d)
{
	const struct conversion *c =
		d->reg == TRACE_RAX && !d->address ? conversion_at(p, d->step) : NULL;
	struct path_input in = { .definition = number, .actual = (int64_t)d->actual };

	if (c && text_input_at(p->text, c->text, c->step, &in.offset)) {
		in.kind = PATH_NUMBER;
		in.is_int = c->is_int;
		in.actual = c->is_int ? (int32_t)in.actual : in.actual;
	} else if (d->reg == TRACE_RAX && !d->address &&
		   text_input_returned(p->text, d->step, &in.offset)) {
		in.kind = PATH_BYTE;
		in.is_int = true;
		in.actual = (int32_t)in.actual;
	} else if (d->address && d->size == 1 &&
		   text_input_at(p->text, d->address, d->step, &in.offset)) {
		in.kind = PATH_BYTE;
	} else {
		return;
	}
	g_array_append_val(p->inputs, in);
}

static void add_path_input(struct path *p, uint32_t number, const struct definition *d)
{
	const struct conversion *c =
		d->reg == TRACE_RAX && !d->address ? conversion_at(p, d->step) : NULL;
	struct path_input in = { .definition = number, .actual = (int64_t)d->actual };

	if (c && argument_holding(p, c->text, &in.argument, &in.offset)) {
		in.kind = PATH_NUMBER;
		in.is_int = c->is_int;
		in.actual = c->is_int ? (int32_t)in.actual : in.actual;
	} else if (number < FIRST_DEFINITIONS && d->reg == TRACE_RDI && !d->address &&
		   d->step == DEFINITION_OF_ANOTHER_RUN && p->arguments.argv) {
		in.kind = PATH_COUNT;
	} else if (d->address && argument_holding(p, d->address, &in.argument, &in.offset)) {
		in.kind = PATH_BYTE;
	} else {
		return;
	}
	g_array_append_val(p->inputs, in);
}

static bool matters_for_path(const struct path *p, const struct definition *d)
{
	return d->step == DEFINITION_OF_ANOTHER_RUN || d->step <= p->q->last;
}

/* Terms and variables come after what they are made of, so each term is looked at once. */
static void look_at_terms(struct path *p, uint32_t last)
{
	struct term_facts f = { 0 };

	if (!p->terms->len)
		g_array_append_val(p->terms, f); /* 0 is none */
	for (uint32_t t = p->terms->len; t <= last; t++) {
		const struct term_node *n = term_node(p->pool, t);

		f = (struct term_facts){ 0 };
		if (n->kind == TERM_VAR) {
			f.depends = p->depends[n->a] != FIXED;
			f.last = n->a;
		} else if (n->kind != IR_CONST) {
			const uint32_t operands[] = { n->a, n->b, n->c };

			for (size_t i = 0; i < G_N_ELEMENTS(operands); i++) {
				const struct term_facts *o =
					&g_array_index(p->terms, struct term_facts, operands[i]);

				f.depends |= o->depends;
				f.last = MAX(f.last, o->last);
			}
		}
		g_array_append_val(p->terms, f);
	}
}

static const struct term_facts *facts_of_term(struct path *p, uint32_t term)
{
	look_at_terms(p, term);
	return &g_array_index(p->terms, struct term_facts, term);
}

/* Operands of a definition come before it. */
static void find_inputs(struct path *p)
{
	const struct trace_module *m = trace_run_module(p->q->run, PROGRAM);

	p->depends = g_new0(uint8_t, MAX(p->formula->definitions->len, 1));
	for (guint i = 0; i < p->formula->definitions->len; i++) {
		const struct definition *d =
			&g_array_index(p->formula->definitions, struct definition, i);
		guint before = p->inputs->len;
		uint64_t link;

		if (!matters_for_path(p, d))
			continue;
		if (d->kind == DEF_INPUT && p->q->memory)
			add_memory_input(p, i, d);
		else if (d->kind == DEF_INPUT && p->text)
			add_text_input(p, i, d);
		else if (d->kind == DEF_INPUT)
			add_path_input(p, i, d);
		else if (d->expr && facts_of_term(p, d->expr)->depends)
			p->depends[i] = DEPENDS;
		if (p->inputs->len > before)
			p->depends[i] = INPUT;
		if (d->kind != DEF_GUARD || !p->depends[i] ||
		    trace_run_module_at(p->q->run, d->pc, &link) != m)
			continue;
		g_array_append_val(p->decisions, i);
		p->n = i + 1;
	}
}

/* ---- questions ---- */

static void tell_solver(struct path *p)
{
	const struct formula *f = p->formula;

	for (guint i = 0; i < p->n; i++) {
		const struct definition *d = &g_array_index(f->definitions, struct definition, i);

		smt_expect(p->smt, d->variable, d->actual);
		if (p->depends[i] == DEPENDS)
			smt_assert(p->smt, term_eq(p->pool, d->variable, d->expr));
		else if (p->depends[i] == FIXED && d->kind != DEF_UNKNOWN)
			smt_assert(p->smt, term_eq(p->pool, d->variable,
						   term_const_wide(p->pool,
								   term_width(p->pool, d->variable),
								   d->actual)));
	}
	for (guint i = 0; i < f->constraints->len; i++) {
		const struct constraint *c = &g_array_index(f->constraints, struct constraint, i);

		if (!c->requirement && facts_of_term(p, c->term)->depends &&
		    facts_of_term(p, c->term)->last < p->n)
			smt_assert(p->smt, c->term);
	}
}

/* A text has no NULs; a call gives a byte, or the end. */
static void bound_byte(struct path *p, const struct path_input *in, uint32_t v)
{
	struct term_pool *t = p->pool;
	unsigned width = term_width(t, v);
	uint32_t is_byte =
		width > 8 ? term_op2(t, IR_ULT, v, term_const(t, width, 256)) : term_const(t, 1, 1);
	uint32_t is_end =
		in->is_int ? term_eq(t, v, term_const(t, width, UINT32_MAX)) : term_const(t, 1, 0);

	smt_assert(p->smt, term_op2(t, IR_ULT, term_const(t, width, 0), v));
	smt_assert(p->smt, term_op2(t, IR_OR, is_byte, is_end));
}

/* One argument more than there were is enough: the next test can have the next one. */
static void bound_inputs(struct path *p)
{
	struct term_pool *t = p->pool;

	for (guint i = 0; i < p->inputs->len; i++) {
		const struct path_input *in = &g_array_index(p->inputs, struct path_input, i);
		uint32_t v =
			g_array_index(p->formula->definitions, struct definition, in->definition)
				.variable;

		if (in->fixed)
			smt_assert(p->smt,
				   term_eq(t, v,
					   term_const(t, term_width(t, v), (uint64_t)in->actual)));
		if (p->text && in->kind == PATH_BYTE)
			bound_byte(p, in, v);
		if (in->kind != PATH_COUNT)
			continue;
		smt_assert(p->smt,
			   term_op2(t, IR_ULT, v,
				    term_const(t, 64, MIN(in->actual + 2, MOST_ARGUMENTS))));
		smt_assert(p->smt, term_op2(t, IR_ULT, term_const(t, 64, 0), v));
	}
}

unsigned path_decisions(const struct path *p)
{
	return p->decisions->len;
}

const GArray *path_inputs(const struct path *p)
{
	return p->inputs;
}

static uint32_t decided_outcome(const struct path *p, unsigned decision, bool as_it_was)
{
	const struct definition *d =
		&g_array_index(p->formula->definitions, struct definition,
			       g_array_index(p->decisions, uint32_t, decision));

	return !d->actual == !as_it_was ? d->variable : term_not(p->pool, d->variable);
}

static int64_t value_of_input(struct path *p, const struct path_input *in)
{
	const struct definition *d =
		&g_array_index(p->formula->definitions, struct definition, in->definition);
	uint64_t v = (uint64_t)smt_value(p->smt, d->variable);

	return in->is_int ? (int32_t)v : (int64_t)v;
}

static enum smt_answer check_path_assuming(struct path *p, const GArray *assumed)
{
	return smt_check(p->smt, (const uint32_t *)(void *)assumed->data, assumed->len,
			 (unsigned)p->q->limits->core_ms);
}

unsigned path_leaves(struct path *p, const GArray *values)
{
	const struct leave_path path = { p->pool, p->formula->definitions, p->depends, p->decisions,
					 p->n };

	if (!p->leave)
		p->leave = leave_new(&path);
	return leave_at(p->leave, values);
}

/* Lets as many inputs as possible be as they were. */
static void keep_inputs(struct path *p, unsigned decision, GArray *values)
{
	for (guint i = 0; i < p->inputs->len; i++) {
		int64_t *value = &g_array_index(values, int64_t, i), chosen = *value;

		*value = g_array_index(p->inputs, struct path_input, i).actual;
		if (*value != chosen && path_leaves(p, values) != decision)
			*value = chosen;
	}
}

static void make_solver(struct path *p)
{
	p->smt = smt_new(p->pool, p->q->solver);
	smt_end_at(p->smt, p->q->until);
	tell_solver(p);
	bound_inputs(p);
}

bool path_other_side(struct path *p, unsigned decision, GArray **values)
{
	g_autoptr(GArray) assumed = g_array_new(FALSE, FALSE, sizeof(uint32_t));

	for (unsigned i = 0; i <= decision; i++) {
		uint32_t literal = decided_outcome(p, i, i < decision);
		uint64_t constant;

		if (term_is_const(p->pool, literal, &constant)) {
			if (!constant)
				return false;
			continue;
		}
		g_array_append_val(assumed, literal);
	}
	if (!p->smt)
		make_solver(p);
	if (check_path_assuming(p, assumed) != SMT_SAT)
		return false;
	*values = g_array_new(FALSE, FALSE, sizeof(int64_t));
	for (guint i = 0; i < p->inputs->len; i++) {
		int64_t v = value_of_input(p, &g_array_index(p->inputs, struct path_input, i));

		g_array_append_val(*values, v);
	}
	keep_inputs(p, decision, *values);
	return true;
}

/* ---- words ---- */

static void set_argument_number(char **word, unsigned offset, int64_t value)
{
	g_autofree char *number = g_strdup_printf("%" G_GINT64_FORMAT, value);
	char *text = g_strdup_printf("%.*s%s", (int)MIN(offset, strlen(*word)), *word, number);

	g_free(*word);
	*word = text;
}

/* The end of a text may be made longer, or come earlier. */
static void set_argument_byte(char **word, unsigned offset, int64_t value)
{
	size_t length = strlen(*word);

	if (offset < length) {
		(*word)[offset] = (char)value;
	} else if (offset == length && value) {
		char *text = g_strdup_printf("%s%c", *word, (char)value);

		g_free(*word);
		*word = text;
	}
}

/* Goes from the end on, so that what is changed stays where it is. */
static char **changed_text(const struct path *p, const char *text, const GArray *values)
{
	char **words = g_new0(char *, 2);

	words[0] = g_strdup(text);
	for (guint i = p->inputs->len; i > 0; i--) {
		const struct path_input *in = &g_array_index(p->inputs, struct path_input, i - 1);
		int64_t value = g_array_index(values, int64_t, i - 1);

		if (value == in->actual)
			continue;
		if (in->kind == PATH_NUMBER)
			text_input_set_number(&words[0], in->offset, value);
		else if (value < 0 && in->offset < strlen(words[0]))
			words[0][in->offset] = '\0';
		else
			set_argument_byte(&words[0], in->offset, value);
	}
	return words;
}

static char **changed_arguments(const struct path *p, char *const *words, const GArray *values)
{
	GPtrArray *all = g_ptr_array_new_with_free_func(g_free);
	guint count = g_strv_length((char **)words);

	for (char *const *w = words; *w; w++)
		g_ptr_array_add(all, g_strdup(*w));
	for (guint i = 0; i < p->inputs->len; i++) {
		const struct path_input *in = &g_array_index(p->inputs, struct path_input, i);
		int64_t value = g_array_index(values, int64_t, i);

		if (in->kind == PATH_COUNT)
			count = (guint)value;
		if (value == in->actual || in->kind == PATH_COUNT || in->argument >= all->len)
			continue;
		if (in->kind == PATH_NUMBER)
			set_argument_number((char **)&all->pdata[in->argument], in->offset, value);
		else
			set_argument_byte((char **)&all->pdata[in->argument], in->offset, value);
	}
	while (all->len < count)
		g_ptr_array_add(all, g_strdup("0"));
	g_ptr_array_set_size(all, (gint)count);
	g_ptr_array_set_free_func(all, NULL);
	g_ptr_array_add(all, NULL);
	return (char **)g_ptr_array_free(all, FALSE);
}

char **path_words(const struct path *p, char *const *words, const GArray *values)
{
	if (p->text)
		return changed_text(p, words[0], values);
	return changed_arguments(p, words, values);
}

/* ---- the whole ---- */

static bool walk_path(struct path *p, struct lift *lift, GError **error)
{
	struct walk_run run = { .record = p->q->run, .failed = true, .open = true };
	struct walk_options options = { .selectors = p->selectors,
					.granularity = WALK_BY_LINE,
					.other_sides = WALK_SIDES_LOST,
					.unroll = (unsigned)p->q->limits->unroll,
					.summary = p->summary,
					.requirement = p->q->requirement,
					.until = p->q->until,
					.limits = p->q->limits };

	p->formula = walk_runs(p->pool, &run, 1, lift, &options, error);
	return p->formula;
}

struct path *path_new(const struct path_question *q, struct lift *lift, GError **error)
{
	struct path *p = g_new0(struct path, 1);

	p->q = g_memdup2(q, sizeof *q);
	p->pool = term_pool_new();
	term_pool_set_limits(p->pool, q->limits);
	p->selectors = selector_table_new();
	p->conversions = g_array_new(FALSE, FALSE, sizeof(struct conversion));
	p->inputs = g_array_new(FALSE, TRUE, sizeof(struct path_input));
	p->terms = g_array_new(FALSE, FALSE, sizeof(struct term_facts));
	p->decisions = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	p->text = q->text ? text_input_new(q->text) : NULL;
	trace_run_narrow(q->run, q->first, q->last < G_MAXUINT64 ? q->last + 1 : 0);
	p->summary = trace_summary_new(q->run, lift, error);
	if (!p->summary || !(q->memory || walk_program_path(p, lift, error)) ||
	    !walk_path(p, lift, error)) {
		path_free(p);
		return NULL;
	}
	find_inputs(p);
	return p;
}

void path_free(struct path *p)
{
	if (!p)
		return;
	smt_free(p->smt);
	leave_free(p->leave);
	formula_free(p->formula);
	term_pool_free(p->pool);
	trace_summary_free(p->summary);
	selector_table_free(p->selectors);
	text_input_free(p->text);
	g_array_unref(p->conversions);
	g_array_unref(p->inputs);
	g_free(p->depends);
	g_array_unref(p->decisions);
	g_array_unref(p->terms);
	g_free((struct path_question *)p->q);
	g_free(p);
}
