/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/regress/trace-private.h"

#include <string.h>

static const struct deadline *until_of(const struct regress_trace *t)
{
	return t->record.until.end ? &t->record.until : NULL;
}

static bool open_run(struct regress_trace *t, GError **error)
{
	const struct regress_record *r = &t->record;

	t->run = trace_run_open(r->directory, r->images, r->n_images, error);
	if (!t->run || !trace_run_choose(t->run, r->thread, error))
		return false;
	trace_run_end_at(t->run, until_of(t));
	t->lift = lift_new();
	t->summary = trace_summary_new(t->run, t->lift, error);
	return t->summary && (!t->requirement->kind->looks_back ||
			      trace_summary_note_end(t->summary, t->run, t->lift, error));
}

static bool make_formula(struct regress_trace *t, GError **error)
{
	const struct walk_run run = { .record = t->run,
				      .failed = t->record.end.end != RUN_STATUS,
				      .status = t->record.end.status };
	const struct walk_options options = { .selectors = t->selectors,
					      .granularity = WALK_BY_INSTANCE,
					      .unroll = 1,
					      .summary = t->summary,
					      .requirement = t->requirement,
					      .until = until_of(t) };

	t->formula = walk_runs(t->pool, &run, 1, t->lift, &options, error);
	return t->formula != NULL;
}

static bool look_at_end(struct regress_trace *t, GError **error)
{
	t->point = trace_point_new(t->record.images, t->record.n_images, t->record.directory,
				   t->record.thread, t->record.end.line, NULL, until_of(t), error);
	if (t->point)
		t->naming = naming_new(t->e, t->point);
	return t->point != NULL;
}

struct regress_trace *regress_trace_new(const struct regress_record *record, GError **error)
{
	struct regress_trace *t = g_new0(struct regress_trace, 1);

	t->record = *record;
	t->requirement = requirement_new(&record->end);
	t->selectors = selector_table_new();
	t->pool = term_pool_new();
	t->e = explanation_new();
	t->described = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	if (!t->requirement)
		g_set_error_literal(error, TRACE_ERROR, TRACE_ERROR_LONG,
				    "The run ended in a way that no cause can be asked for.");
	else if (open_run(t, error) && make_formula(t, error) && look_at_end(t, error))
		return t;
	regress_trace_free(t);
	return NULL;
}

void regress_trace_free(struct regress_trace *t)
{
	if (!t)
		return;
	naming_free(t->naming);
	trace_point_free(t->point);
	if (t->formula)
		formula_free(t->formula);
	term_pool_free(t->pool);
	selector_table_free(t->selectors);
	trace_summary_free(t->summary);
	lift_free(t->lift);
	trace_run_free(t->run);
	requirement_free(t->requirement);
	explanation_free(t->e);
	g_hash_table_unref(t->described);
	g_free(t);
}

guint regress_trace_count(const struct regress_trace *t)
{
	return t->formula->definitions->len;
}

/* How often its line had given such a thing a value before, and that. */
static unsigned execution_of(struct regress_trace *t, const struct definition *of)
{
	unsigned n = 0;

	for (guint i = 0; i < t->formula->definitions->len; i++) {
		const struct definition *d = regress_definition_at(t, i);

		n += d->pc == of->pc && d->kind == of->kind && d->reg == of->reg;
		if (d == of)
			break;
	}
	return n;
}

/* NULL where the words for it are empty: a branch whose sense is not known. */
static const char *value_of(struct regress_trace *t, const struct name *name,
			    const struct definition *d)
{
	const char *value = naming_value(t->naming, name, d, d->actual, d->actual);

	return g_strcmp0(value, "one way") == 0 || g_strcmp0(value, "one address") == 0 ? NULL
											: value;
}

static struct regress_definition *describe(struct regress_trace *t, guint number)
{
	const struct definition *d = regress_definition_at(t, number);
	struct regress_definition *out;
	struct name name;

	if (!d->statement || !naming_name(t->naming, t->formula, d, &name))
		return NULL;
	out = g_new0(struct regress_definition, 1);
	out->file = name.statement->file;
	out->function = name.statement->function;
	out->line = name.statement->line;
	out->clause = name.clause;
	out->value = value_of(t, &name, d);
	out->is_branch = d->kind == DEF_GUARD;
	out->kind = (int)d->kind;
	out->execution = execution_of(t, d);
	return out;
}

bool regress_trace_describe(struct regress_trace *t, guint number, struct regress_definition *d)
{
	void *key = GUINT_TO_POINTER(number + 1);
	struct regress_definition *known = g_hash_table_lookup(t->described, key);

	if (!known && !g_hash_table_contains(t->described, key)) {
		known = describe(t, number);
		g_hash_table_insert(t->described, key, known);
	}
	if (known)
		*d = *known;
	return known != NULL;
}

bool regress_trace_is_on(const struct regress_trace *t, guint number, unsigned line)
{
	const struct image_statement *s = regress_definition_at(t, number)->statement;

	return s && s->line == line;
}

bool regress_trace_failure(struct regress_trace *t, struct regress_definition *d)
{
	const struct image_statement *s = trace_point_statement(t->point);

	if (!s)
		return false;
	*d = (struct regress_definition){
		.file = s->file, .function = s->function, .line = s->line, .execution = 1
	};
	return true;
}

static void collect(void *arg, uint32_t variable)
{
	g_array_append_val((GArray *)arg, variable);
}

/* Adds the branches among the variables of a term, through copies that are no statement's. */
static void add_branches(const struct regress_trace *t, uint32_t term, GArray *out)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
	g_autoptr(GArray) variables = g_array_new(FALSE, FALSE, sizeof(uint32_t));

	term_variables(t->pool, term, seen, collect, variables);
	for (guint i = 0; i < variables->len; i++) {
		guint number = term_node(t->pool, g_array_index(variables, uint32_t, i))->a;
		const struct definition *d = regress_definition_at(t, number);

		if (regress_is_branch(d))
			g_array_append_val(out, number);
		else if (d->selector == SELECTOR_HARD && d->expr)
			term_variables(t->pool, d->expr, seen, collect, variables);
	}
}

static int compare_numbers(gconstpointer a, gconstpointer b)
{
	guint x = *(const guint *)a, y = *(const guint *)b;

	return x < y ? -1 : x > y;
}

GArray *regress_trace_critical(struct regress_trace *t, guint number)
{
	const struct definition *d = regress_definition_at(t, number);
	g_autoptr(GArray) around = g_array_new(FALSE, FALSE, sizeof(guint));
	GArray *critical = g_array_new(FALSE, FALSE, sizeof(guint));
	guint closest = 0;
	bool found = false;

	/* direct: the innermost branch that the path here depends on */
	add_branches(t, d->reach, around);
	for (guint i = 0; i < around->len; i++) {
		guint branch = g_array_index(around, guint, i);

		if (branch < number && (!found || branch > closest)) {
			closest = branch;
			found = true;
		}
	}
	if (found)
		g_array_append_val(critical, closest);
	/* indirect: where sides met again, what was read is a choice between them */
	if (d->expr)
		add_branches(t, d->expr, critical);
	g_array_sort(critical, compare_numbers);
	return critical;
}
