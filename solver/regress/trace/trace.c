/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/regress/trace/trace-private.h"

#include "solver/formula/requirement/requirement-output.h"
#include "solver/limits/limits.h"

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

/* What is required where the run prints what is not expected: the first difference. */
static bool plan_output(struct regress_trace *t, GError **error)
{
	const struct regress_record *r = &t->record;

	t->printing = trace_run_open(r->directory, r->images, r->n_images, error);
	if (!t->printing || !trace_run_choose(t->printing, r->thread, error))
		return false;
	trace_run_end_at(t->printing, until_of(t));
	t->printed = printed_new(t->printing, r->out, r->err, limits_or_default(r->limits), error);
	t->plan = t->printed ? output_plan_new(t->printed, r->end.expected, t->printing,
					       limits_or_default(r->limits)->output_steps, error)
			     : NULL;
	if (!t->plan)
		return false;
	output_plan_keep_first(t->plan);
	t->requirement = requirement_new_output(&r->end, t->plan);
	return true;
}

static bool require_end_of_record(struct regress_trace *t, GError **error)
{
	if (t->record.end.expected)
		return plan_output(t, error);
	t->requirement = requirement_new(&t->record.end);
	if (!t->requirement)
		g_set_error_literal(error, TRACE_ERROR, TRACE_ERROR_LONG,
				    "The run ended in a way that no cause can be asked for.");
	return t->requirement != NULL;
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
					      .limits = t->record.limits,
					      .until = until_of(t) };

	t->formula = walk_runs(t->pool, &run, 1, t->lift, &options, error);
	return t->formula != NULL;
}

/* The call that prints what is wrong. */
static void stop_at_output(struct regress_trace *t)
{
	const struct printed_call *call = t->plan->call;
	uint64_t link = call->insn->addr;
	const struct image_row *row = image_row_at(call->module->image, link);

	t->stop = (struct stop){ .image = call->module->image,
				 .places = g_array_new(FALSE, FALSE, sizeof(uint64_t)),
				 .count = call->nth };
	if (row)
		t->stop.text = g_strdup(image_statement(call->module->image, row->statement)->file);
	g_array_append_val(t->stop.places, link);
}

static bool look_at_end(struct regress_trace *t, GError **error)
{
	const struct regress_record *r = &t->record;

	if (t->plan && t->plan->call) {
		stop_at_output(t);
		t->point = trace_point_new_at(r->images, r->n_images, r->directory, r->thread,
					      &t->stop, 0, t->index, until_of(t), error);
	} else
		t->point = trace_point_new(t->record.images, t->record.n_images,
					   t->record.directory, t->record.thread,
					   t->record.end.line, t->index, until_of(t), error);
	if (t->point)
		t->naming = naming_new(t->e, t->point);
	return t->point != NULL;
}

struct regress_trace *regress_trace_new(const struct regress_record *record, GError **error)
{
	struct regress_trace *t = g_new0(struct regress_trace, 1);

	t->record = *record;
	t->index = reverse_index_new(limits_or_default(record->limits));
	t->selectors = selector_table_new();
	t->pool = term_pool_new();
	t->e = explanation_new();
	t->described = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	if (require_end_of_record(t, error) && open_run(t, error) && make_formula(t, error) &&
	    look_at_end(t, error))
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
	reverse_index_free(t->index);
	if (t->formula)
		formula_free(t->formula);
	term_pool_free(t->pool);
	selector_table_free(t->selectors);
	trace_summary_free(t->summary);
	lift_free(t->lift);
	trace_run_free(t->run);
	requirement_free(t->requirement);
	output_plan_free(t->plan);
	printed_free(t->printed);
	trace_run_free(t->printing);
	stop_clear(&t->stop);
	explanation_free(t->e);
	g_hash_table_unref(t->described);
	g_free(t);
}

guint regress_trace_count(const struct regress_trace *t)
{
	return t->formula->definitions->len;
}

/* NULL where the words for it are empty: a branch whose polarity is not known. */
static const char *value_in_words(struct regress_trace *t, const struct name *name,
				  const struct definition *d)
{
	const char *value = naming_value(t->naming, name, d, d->actual, d->actual);

	return g_strcmp0(value, "one way") == 0 || g_strcmp0(value, "one address") == 0 ? NULL
											: value;
}

static struct regress_definition *describe_traced_definition(struct regress_trace *t, guint number)
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
	out->value = value_in_words(t, &name, d);
	out->is_branch = d->kind == DEF_GUARD;
	return out;
}

bool regress_trace_describe(struct regress_trace *t, guint number, struct regress_definition *d)
{
	void *key = GUINT_TO_POINTER(number + 1);
	struct regress_definition *known = g_hash_table_lookup(t->described, key);

	if (!known && !g_hash_table_contains(t->described, key)) {
		known = describe_traced_definition(t, number);
		g_hash_table_insert(t->described, key, known);
	}
	if (known)
		*d = *known;
	return known != NULL;
}

const char *regress_trace_output(const struct regress_trace *t)
{
	return t->plan ? t->plan->sentence : NULL;
}

bool regress_trace_is_branch(const struct regress_trace *t, guint number)
{
	return regress_is_branch(regress_definition_at(t, number));
}

bool regress_trace_failure(struct regress_trace *t, struct regress_definition *d)
{
	const struct image_statement *s = trace_point_statement(t->point);

	if (!s)
		return false;
	*d = (struct regress_definition){ .file = s->file,
					  .function = s->function,
					  .line = s->line };
	return true;
}

static void collect_traced_variable(void *arg, uint32_t variable)
{
	g_array_append_val((GArray *)arg, variable);
}

/* Adds the branches among the variables of a term, or the others, through copies that are no
 * statement's. */
static void add_used(const struct regress_trace *t, uint32_t term, bool branches, GArray *out)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
	g_autoptr(GArray) variables = g_array_new(FALSE, FALSE, sizeof(uint32_t));

	term_variables(t->pool, term, seen, collect_traced_variable, variables);
	for (guint i = 0; i < variables->len; i++) {
		guint number = term_node(t->pool, g_array_index(variables, uint32_t, i))->a;
		const struct definition *d = regress_definition_at(t, number);

		if (regress_is_branch(d) ? branches : !branches && d->statement)
			g_array_append_val(out, number);
		else if (!regress_is_branch(d) && d->selector == SELECTOR_HARD && d->expr)
			term_variables(t->pool, d->expr, seen, collect_traced_variable, variables);
	}
}

GArray *regress_trace_uses(struct regress_trace *t, guint number)
{
	const struct definition *d = regress_definition_at(t, number);
	GArray *uses = g_array_new(FALSE, FALSE, sizeof(guint));

	if (d->expr)
		add_used(t, d->expr, false, uses);
	return uses;
}

static int compare_definition_numbers(gconstpointer a, gconstpointer b)
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
	add_used(t, d->reach, true, around);
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
		add_used(t, d->expr, true, critical);
	g_array_sort(critical, compare_definition_numbers);
	return critical;
}
