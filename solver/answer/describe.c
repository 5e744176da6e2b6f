/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/answer/describe.h"
#include "solver/answer/chain.h"
#include "solver/answer/code-copies.h"
#include "solver/answer/witness-words.h"
#include "solver/answer/stops.h"
#include "solver/naming/naming.h"

#include <string.h>

struct describer {
	struct explanation *e;
	const struct trace_point *point;
	struct naming *naming;
	GPtrArray *nearby; /* struct explanation_suspect *: e's, by describe_nearby */
	/* The values of terms in the failing run.  They are kept while an answer is described,
	 * because it may change thousands of values of a large formula. */
	struct term_memo *run;
};

struct describer *describer_new(struct explanation *e, const struct trace_point *m)
{
	struct describer *d = g_new0(struct describer, 1);

	d->e = e;
	d->point = m;
	e->stack = trace_point_stack(m);
	d->naming = naming_new(e, m);
	d->nearby = g_ptr_array_new();
	return d;
}

void describer_free(struct describer *d)
{
	if (!d)
		return;
	naming_free(d->naming);
	g_ptr_array_unref(d->nearby);
	g_free(d);
}

static term_bits value_in_the_run(void *arg, uint32_t number)
{
	return g_array_index(((const struct formula *)arg)->definitions, struct definition, number)
		.actual;
}

/* What the statement gave: in the failing run if control came there, otherwise what it would
 * have given with the changes before it. */
static term_bits value_given_by_statement(struct term_memo *run, const struct definition *d,
					  const struct model_path_change *c)
{
	return term_eval(run, d->reach) ? d->actual : c->natural;
}

static void put_statement(const struct name *name, struct explanation_statement *out)
{
	out->function = name->statement->function;
	out->file = name->statement->file;
	out->line = name->statement->line;
	out->column = name->statement->column;
	out->text = name->text;
	out->kind = name->kind;
	out->clause = name->clause;
}

static const struct definition *changed_def(const struct search_answer *a, int i)
{
	return &g_array_index(a->changed, struct definition, (guint)i);
}

static const struct model_path_change *path_change_at(const struct search_answer *a, int i)
{
	return &g_array_index(a->path->changes, struct model_path_change, (guint)i);
}

/* The last change of the selector's branches, or of its other values; -1 = none. */
static int last_change(const struct search_answer *a, unsigned selector, bool guards)
{
	int last = -1;

	for (int i = 0; i < (int)a->changed->len; i++) {
		const struct definition *d = changed_def(a, i);

		if (d->selector == selector && (d->kind == DEF_GUARD) == guards)
			last = i;
	}
	return last;
}

static bool is_change_seen(struct term_memo *run, const struct search_answer *a, int i)
{
	return i >= 0 && value_given_by_statement(run, changed_def(a, i), path_change_at(a, i)) !=
				 path_change_at(a, i)->value;
}

static const struct definition *last_definition(const struct formula *f, unsigned selector)
{
	for (guint i = f->definitions->len; i > 0; i--) {
		const struct definition *d =
			&g_array_index(f->definitions, struct definition, i - 1);

		if (d->selector == selector)
			return d;
	}
	return NULL;
}

/* The execution as a stop that gdb-why understands and, without the count, GDB: "push+37:2".
 * It is where the instruction's row begins, so that nothing of the row is done yet; but the
 * instruction itself when the row was entered more or less often than it, or when s is NULL. */
static const char *stop_of_execution(struct describer *w, const struct search *s,
				     const struct definition *d, uint64_t execution)
{
	uint64_t bias = 0;
	const struct image *im = trace_point_image_at(w->point, d->pc, &bias);
	uint64_t link = d->pc - bias;
	const struct image_function *f = im ? image_function_at(im, link) : NULL;
	const struct image_row *row = im ? image_row_at(im, link) : NULL;
	g_autofree char *text = NULL;

	if (!f || f->parent)
		return NULL;
	if (s && row && row->lo >= f->lo &&
	    search_executions(s, row->lo + bias) == search_executions(s, d->pc))
		link = row->lo;
	text = g_strdup_printf("%s+%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT, f->name, link - f->lo,
			       execution);
	return explanation_string(w->e, text);
}

/* Finds where the row began that the execution belongs to.  The row may have called its own
 * function in between, so the numbers of the two differ. */
static struct explanation_execution start_of_row(struct describer *w, const struct limits *limits,
						 const struct explanation_execution *at)
{
	uint64_t bias = 0;
	const struct image *im = trace_point_image_at(w->point, at->pc, &bias);
	const struct image_row *row = im ? image_row_at(im, at->pc - bias) : NULL;
	struct explanation_execution start = { .step = UINT64_MAX };

	if (!row || at->step == UINT64_MAX || row->lo == at->pc - bias)
		return start;
	start.pc = row->lo + bias;
	start.step = trace_point_in_frame(w->point, limits, at->step, start.pc);
	return start;
}

/* Each execution may give another thing its value: a[3], and then a[4].  Returns the clause that
 * is right for the one before and for this one. */
static const char *common_clause(struct describer *w, const struct definition *d,
				 const char *before, const struct name *own)
{
	const char *assigned;

	if (g_strcmp0(before, own->clause) == 0)
		return before;
	assigned = naming_assigned(w->naming, d);
	return assigned ? assigned : own->text ? own->text : before;
}

/* What the last changed execution gave that the failing run comes to; the changed run may have more
 * of them.  NULL = it comes to none. */
static const char *actual_in_run(const struct explanation_suspect *suspect,
				 const struct explanation_statement *of)
{
	for (guint i = suspect->instances->len; i > 0; i--) {
		const struct explanation_instance *one =
			&g_array_index(suspect->instances, struct explanation_instance, i - 1);

		if (one->statement == suspect->statements->len && one->execution <= of->executions)
			return one->actual;
	}
	return NULL;
}

/* The executions in which the witness changes the same thing as the i-th change does. */
static void describe_instances(struct describer *w, const struct search *s,
			       const struct search_answer *a, int i, const struct name *name,
			       struct explanation_suspect *suspect,
			       struct explanation_statement *out)
{
	const struct definition *of = changed_def(a, i);
	const struct formula *f = search_formula(s);
	uint64_t last = 0;

	for (int k = 0; k < (int)a->changed->len; k++) {
		const struct definition *d = changed_def(a, k);
		uint64_t nth = g_array_index(a->path->actions, struct trace_action, (guint)k).nth +
			       search_executions_before(s, d->pc);
		term_bits given = value_given_by_statement(w->run, d, path_change_at(a, k));
		struct explanation_instance one = { .statement = suspect->statements->len,
						    .execution = nth,
						    .stop = stop_of_execution(w, s, d, nth) };
		struct name own;

		/* a store that goes elsewhere is two changes: it is undone here and made there */
		if (d->pc != of->pc || d->kind != of->kind || d->reg != of->reg || nth == last)
			continue;
		if (!naming_name(w->naming, f, d, &own))
			own = *name;
		naming_narrow(w->naming, d, given, path_change_at(a, k)->value, &own);
		out->clause = common_clause(w, d, out->clause, &own);
		one.actual = naming_value(w->naming, &own, d, given, given);
		one.witness = naming_value(w->naming, &own, d, path_change_at(a, k)->value, given);
		one.at.step = naming_step(w->naming, d);
		one.at.pc = d->pc;
		one.start = start_of_row(w, f->limits, &one.at);
		g_array_append_val(suspect->instances, one);
		out->execution = out->changes++ ? 0 : nth;
		last = nth;
	}
	out->executions = code_has_copies(w->point, w->naming, of, name->clause)
				  ? 0
				  : search_executions(s, of->pc);
	if (last > out->executions && !code_has_copies(w->point, w->naming, of, name->clause))
		out->actual = actual_in_run(suspect, out);
}

static void describe_change(struct describer *w, const struct search *s,
			    const struct search_answer *a, int i,
			    struct explanation_suspect *suspect)
{
	const struct formula *f = search_formula(s);
	struct explanation_statement out = { 0 };
	const struct definition *d = changed_def(a, i);
	const struct model_path_change *c = path_change_at(a, i);
	term_bits given = value_given_by_statement(w->run, d, c);
	struct name name;

	if (!naming_name(w->naming, f, d, &name))
		return;
	naming_narrow(w->naming, d, given, c->value, &name);
	put_statement(&name, &out);
	if (term_eval(w->run, d->reach)) /* else only the changed run comes there */
		out.actual = naming_value(w->naming, &name, d, given, given);
	out.witness = naming_value(w->naming, &name, d, c->value, given);
	describe_instances(w, s, a, i, &name, suspect, &out);
	if (strcmp(name.kind, "store") == 0)
		out.witness = witness_words_stored(w->e, w->point, suspect, d->pc, out.witness);
	g_array_append_val(suspect->statements, out);
}

static uint64_t execution_of_change(const struct search_answer *a, int i)
{
	return g_array_index(a->path->actions, struct trace_action, (guint)i).nth;
}

/* Are several executions of the store changed? */
static bool changes_several_stores(const struct search_answer *a, const struct definition *store)
{
	uint64_t first = 0;

	for (int i = 0; i < (int)a->changed->len; i++) {
		const uint64_t nth = execution_of_change(a, i);

		if (changed_def(a, i)->pc != store->pc)
			continue;
		if (first && nth != first)
			return true;
		first = nth;
	}
	return false;
}

/* Do both change the same thing?  A store that goes elsewhere is two changes: it is undone here and
 * made there, perhaps with another value.  Where another execution of it stores another value, that
 * says nothing of the place. */
static bool is_one_thing(const struct search_answer *a, const struct definition *one,
			 const struct definition *other)
{
	const bool is_store = one->kind == DEF_ADDRESS || other->kind == DEF_ADDRESS;

	if (one->pc != other->pc)
		return false;
	if (one->kind == DEF_GUARD || other->kind == DEF_GUARD || one->kind == DEF_REGISTER ||
	    other->kind == DEF_REGISTER)
		return one->kind == other->kind && one->reg == other->reg;
	return one->kind == other->kind || !is_store || !changes_several_stores(a, one);
}

/* Is it the last change that differs from the failing run, of what its instruction gives? */
static bool is_last_seen(struct term_memo *run, const struct search_answer *a, int i)
{
	const struct definition *d = changed_def(a, i);

	if (!is_change_seen(run, a, i))
		return false;
	for (int k = i + 1; k < (int)a->changed->len; k++)
		if (is_one_thing(a, changed_def(a, k), d) && is_change_seen(run, a, k))
			return false;
	return true;
}

/* Is it the last of what its instruction gives, all of which stays what it was?  The proof needs
 * that (candidate_leave_out_idle): otherwise another change would give it another value. */
static bool is_last_held(struct term_memo *run, const struct search_answer *a, int i)
{
	const struct definition *d = changed_def(a, i);

	if (a->replay != REPLAY_PASSES)
		return false;
	for (int k = 0; k < (int)a->changed->len; k++)
		if (is_one_thing(a, changed_def(a, k), d) && (k > i || is_change_seen(run, a, k)))
			return false;
	return true;
}

typedef bool is_told(struct term_memo *run, const struct search_answer *a, int i);

static void describe_those(struct describer *w, const struct search *s,
			   const struct search_answer *a, unsigned selector, bool guards,
			   is_told *told, struct explanation_suspect *suspect)
{
	for (int i = 0; i < (int)a->changed->len; i++) {
		const struct definition *d = changed_def(a, i);

		if (d->selector == selector && (d->kind == DEF_GUARD) == guards &&
		    told(w->run, a, i))
			describe_change(w, s, a, i, suspect);
	}
}

/* What the statement decides otherwise comes first, then what else it computes: a call may need
 * two other arguments; and last what stays as it was. */
static void describe_seen(struct describer *w, const struct search *s,
			  const struct search_answer *a, unsigned selector,
			  struct explanation_suspect *suspect)
{
	describe_those(w, s, a, selector, true, is_last_seen, suspect);
	describe_those(w, s, a, selector, false, is_last_seen, suspect);
	describe_those(w, s, a, selector, true, is_last_held, suspect);
	describe_those(w, s, a, selector, false, is_last_held, suspect);
}

/* A statement of the set that the witness did not need to change has no values. */
static void describe_statement(struct describer *w, const struct search *s,
			       const struct search_answer *a, unsigned selector,
			       struct explanation_suspect *suspect)
{
	const struct formula *f = search_formula(s);
	int value = last_change(a, selector, false), last;
	const struct definition *d = last_definition(f, selector);
	const guint before = suspect->statements->len;
	struct explanation_statement out = { 0 };
	struct name name;

	describe_seen(w, s, a, selector, suspect);
	if (suspect->statements->len > before)
		return;
	last = value >= 0 ? value : last_change(a, selector, true);
	if (last >= 0)
		describe_change(w, s, a, last, suspect);
	if (last >= 0 || !d || !naming_name(w->naming, f, d, &name))
		return;
	put_statement(&name, &out);
	g_array_append_val(suspect->statements, out);
}

static bool is_suspect_of_line(const struct explanation_suspect *s,
			       const struct explanation_statement *of)
{
	const struct explanation_statement *a =
		&g_array_index(s->statements, struct explanation_statement, 0);

	return a->line == of->line && strcmp(a->file, of->file) == 0;
}

static bool mends_as_much(const struct explanation_suspect *s, const struct explanation_suspect *as)
{
	if (s->replay == REPLAY_PASSES || as->replay == REPLAY_PASSES)
		return s->replay == REPLAY_PASSES;
	return s->further_to >= as->further_to; /* as is of a run nearby, so it has some */
}

/* Removes what a run alone showed of a suspect, when the same line is found again with a way to the
 * failure, and mends as much. */
static void drop_nearby(struct describer *w, struct explanation_suspect *better)
{
	if (better->size != 1 || !better->statements->len)
		return;
	for (guint i = w->nearby->len; i > 0; i--) {
		struct explanation_suspect *s = w->nearby->pdata[i - 1];

		if (!mends_as_much(better, s) ||
		    !is_suspect_of_line(
			    s, &g_array_index(better->statements, struct explanation_statement, 0)))
			continue;
		better->distance = s->distance;
		better->avoids = s->avoids;
		g_ptr_array_remove_index(w->nearby, i - 1);
		g_ptr_array_remove(w->e->suspects, s);
	}
}

/* The search counts executions from where its record begins, others from the beginning. */
static GArray *actions_of_whole_run(const struct search *s, const struct search_answer *a)
{
	GArray *actions = g_array_copy(a->path->actions);

	for (guint i = 0; i < actions->len && i < a->changed->len; i++)
		g_array_index(actions, struct trace_action, i).nth +=
			search_executions_before(s, changed_def(a, (int)i)->pc);
	return actions;
}

void describe_answer(struct describer *w, const struct search *s, const struct search_answer *a)
{
	const struct formula *f = search_formula(s);
	struct explanation_suspect *suspect;

	/* the formula holds when nothing is changed, since too little of the run is in it */
	if (!a->selectors->len)
		return;
	suspect = explanation_suspect_new();
	naming_count_from(w->naming, search_steps_before(s));
	suspect->rank = w->e->suspects->len + 1;
	suspect->size = a->selectors->len;
	suspect->weight = search_weight(s, a);
	suspect->score = search_score(s, a) /
			 (a->replay == REPLAY_PASSES
				  ? 1
				  : 100 / (double)limits_or_default(f->limits)->order_unproven);
	suspect->needs_run = a->needs_run;
	suspect->replay = a->replay;
	suspect->note = a->note;
	suspect->further_from = a->further_from;
	suspect->further_to = a->further_to;
	suspect->actions = actions_of_whole_run(s, a);
	w->run = term_memo_new(f->pool, value_in_the_run, (gpointer)f);
	for (guint i = 0; i < a->selectors->len; i++) {
		unsigned selector = g_array_index(a->selectors, unsigned, i);

		describe_statement(w, s, a, selector, suspect);
	}
	g_clear_pointer(&w->run, term_memo_free);
	chain_describe(w->e, w->naming, f, a, suspect);
	drop_nearby(w, suspect);
	g_ptr_array_add(w->e->suspects, suspect);
}

void describe_nearby(struct describer *w, const struct nearby_answer *a,
		     const struct weighting *weighting)
{
	const struct definition *d = &a->definition;
	struct explanation_statement out = { .changes = a->n_actions,
					     .execution = a->n_actions == 1 ? a->actions->nth : 0,
					     .executions = a->executions };
	struct explanation_suspect *suspect;
	struct name name;

	naming_count_from(w->naming, 0);
	/* a register has a name only where the source says what received the value */
	if (!naming_name(w->naming, NULL, d, &name) || (d->kind == DEF_REGISTER && !name.type))
		return;
	naming_narrow(w->naming, d, d->actual, a->value, &name);
	put_statement(&name, &out);
	out.actual = naming_value(w->naming, &name, d, d->actual, d->actual);
	out.witness = naming_value(w->naming, &name, d, a->value, d->actual);
	suspect = explanation_suspect_new();
	suspect->rank = w->e->suspects->len + 1;
	suspect->size = 1;
	suspect->weight = weighting ? weighting_of(weighting, out.file, out.line) : 0;
	suspect->score = weighting ? weighting_score(weighting, suspect->weight) : 1;
	suspect->replay = a->further_to ? REPLAY_FAILS : REPLAY_PASSES;
	suspect->further_from = a->further_from;
	suspect->further_to = a->further_to;
	suspect->distance = a->distance;
	suspect->avoids = a->avoids;
	suspect->actions = g_array_new(FALSE, FALSE, sizeof(struct trace_action));
	g_array_append_vals(suspect->actions, a->actions, a->n_actions);
	g_array_append_val(suspect->statements, out);
	for (unsigned i = 0; i < a->n_actions; i++) {
		struct explanation_instance one = { .execution = a->actions[i].nth,
						    .stop = stop_of_execution(w, NULL, d,
									      a->actions[i].nth),
						    .witness = out.witness };

		/* the others were not in the failing run */
		if (i == 0) {
			one.actual = out.actual;
			one.at.step = naming_step(w->naming, d);
			one.at.pc = one.at.step == UINT64_MAX ? 0 : d->pc;
		}
		g_array_append_val(suspect->instances, one);
	}
	g_ptr_array_add(w->e->suspects, suspect);
	g_ptr_array_add(w->nearby, suspect);
}

bool describe_has_nearby(const struct describer *w, const struct explanation_suspect *s)
{
	return g_ptr_array_find(w->nearby, s, NULL);
}

void describe_code_change(struct explanation *e, const struct image *im,
			  const struct code_change *c)
{
	const struct image_statement *s = c->statement;
	struct explanation_suspect *suspect = explanation_suspect_new();
	const char *text = image_source_line(im, s->file, s->line);
	g_autofree char *trimmed = text ? g_strstrip(g_strdup(text)) : NULL;
	struct explanation_statement out = {
		.function = s->function,
		.file = s->file,
		.line = s->line,
		.text = explanation_string(e, trimmed),
		.kind = c->is_data ? "data" : "code",
		.witness = explanation_string(e, c->words),
	};

	suspect->rank = e->suspects->len + 1;
	suspect->size = 1;
	suspect->score = 1;
	suspect->replay = REPLAY_PASSES;
	suspect->distance = c->distance;
	suspect->called_back = c->is_called_back;
	suspect->actions = g_array_copy((GArray *)c->actions);
	g_array_append_val(suspect->statements, out);
	g_ptr_array_add(e->suspects, suspect);
}

/* --- values of lines --- */

/* Does it tell a person anything?  A thing without a name, or without a value that can be
 * written, does not. */
static bool tells_a_person(const char *name, const char *value)
{
	return value && strcmp(name, value) != 0 && strcmp(name, "an intermediate result") != 0 &&
	       strcmp(value, "one way") != 0 && strcmp(value, "one address") != 0;
}

static bool value_of_line(struct describer *w, const struct formula *f, const struct definition *d,
			  struct explanation_line_value *out)
{
	struct name name;

	if (d->kind == DEF_ADDRESS || !naming_name(w->naming, f, d, &name) || !name.clause ||
	    g_strcmp0(name.kind, "call") == 0)
		return false;
	*out = (struct explanation_line_value){
		.file = name.statement->file,
		.line = name.statement->line,
		/* what is returned may have another type than its text */
		.value = { g_strcmp0(name.kind, "return") == 0 ? "result" : name.clause,
			   naming_value(w->naming, &name, d, d->actual, d->actual) },
	};
	out->at.step = naming_step(w->naming, d);
	out->at.pc = out->at.step == UINT64_MAX ? 0 : d->pc;
	return tells_a_person(name.clause, out->value.value);
}

enum { HAS_VALUE = G_MAXINT };

/* May the line have a value that is not known yet?  asked: struct image_statement * → how often. */
static bool may_have_unknown_value(GHashTable *asked, const struct image_statement *s,
				   const struct limits *limits)
{
	return s && s->file &&
	       (guint64)GPOINTER_TO_INT(g_hash_table_lookup(asked, s)) < limits->value_asks;
}

static void note_asked(GHashTable *asked, const struct image_statement *s, bool told)
{
	int times = told ? HAS_VALUE : GPOINTER_TO_INT(g_hash_table_lookup(asked, s)) + 1;

	g_hash_table_insert(asked, (gpointer)s, GINT_TO_POINTER(times));
}

void describe_values(struct describer *w, const struct search *s, const struct deadline *until)
{
	const struct formula *f = search_formula(s);
	struct term_memo *memo = term_memo_new(f->pool, value_in_the_run, (gpointer)f);
	g_autoptr(GHashTable) asked = g_hash_table_new(image_line_hash, image_line_equal);
	g_autoptr(GPtrArray) all = formula_executed(f);

	naming_count_from(w->naming, search_steps_before(s));
	g_array_set_size(w->e->line_values, 0);
	for (guint i = 0; i < all->len && !deadline_is_over(until); i++) {
		const struct definition *d = all->pdata[i];
		struct explanation_line_value v;
		bool told;

		if (!may_have_unknown_value(asked, d->statement, limits_or_default(f->limits)) ||
		    !term_eval(memo, d->reach))
			continue;
		told = value_of_line(w, f, d, &v);
		note_asked(asked, d->statement, told);
		if (told)
			g_array_append_val(w->e->line_values, v);
	}
	term_memo_free(memo);
}

void describe_stops(struct describer *w)
{
	stops_describe(w->e, w->point);
}
