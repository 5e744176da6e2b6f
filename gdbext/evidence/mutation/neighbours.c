/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/evidence/mutation/neighbours.h"

#include "gdbext/question/runs/golden.h"
#include "solver/rank/spectrum.h"
#include "solver/rank/units.h"

static void neighbour_free(gpointer p)
{
	struct neighbour *t = p;

	suite_command_clear(&t->command);
	g_free(t->lines);
	g_free(t);
}

guint8 *neighbours_lines(const struct suite_result *r, unsigned row)
{
	const struct units *u = profile_plan_units(r->plan);
	guint8 *lines = g_new0(guint8, u->lines->len + 1);
	struct spectrum_row s = spectrum_row(r->spectrum, row, SPECTRUM_STATEMENT);

	while (spectrum_next(&s))
		lines[g_array_index(u->statements, struct unit_statement, s.unit).line] = 1;
	return lines;
}

static const struct suite_outcome *outcome_of_test(const struct suite_result *r, unsigned i)
{
	return &g_array_index(r->outcomes, struct suite_outcome, i);
}

static struct neighbour *neighbour_new(const struct suite_result *r, unsigned i)
{
	struct neighbour *t = g_new0(struct neighbour, 1);

	t->number = i;
	t->name = ((const struct suite_test *)r->suite->tests->pdata[i])->name;
	suite_result_command(r, i, &t->command);
	t->lines = neighbours_lines(r, outcome_of_test(r, i)->row);
	t->hangs = outcome_of_test(r, i)->end.kind == SUITE_TIMED_OUT;
	return t;
}

static bool can_be_run(const struct suite_outcome *o)
{
	return o->direct && o->row != UNIT_NONE;
}

static void choose_failing(struct neighbours *n, unsigned most)
{
	g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(unsigned));

	for (unsigned i = 0; i < n->r->outcomes->len; i++)
		if (suite_is_failure(outcome_of_test(n->r, i)->verdict) &&
		    can_be_run(outcome_of_test(n->r, i)))
			g_array_append_val(all, i);
	most = MIN(most, all->len);
	for (unsigned i = 0; i < most; i++)
		g_ptr_array_add(
			n->failing,
			neighbour_new(n->r, g_array_index(all, unsigned, i * all->len / most)));
}

/* The number of lines that both execute, divided by the number that at least one does. */
static double likeness_of_tests(const guint8 *a, const guint8 *b, unsigned n)
{
	unsigned both = 0, any = 0;

	for (unsigned i = 0; i < n; i++) {
		both += a[i] && b[i];
		any += a[i] || b[i];
	}
	return any ? (double)both / any : 0;
}

static gint more_alike(gconstpointer a, gconstpointer b)
{
	const struct neighbour *x = *(struct neighbour *const *)a;
	const struct neighbour *y = *(struct neighbour *const *)b;

	if (x->likeness != y->likeness)
		return x->likeness > y->likeness ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static void choose_passing(struct neighbours *n)
{
	unsigned n_lines = profile_plan_units(n->r->plan)->lines->len;

	for (unsigned i = 0; i < n->r->outcomes->len; i++) {
		struct neighbour *t;

		if (outcome_of_test(n->r, i)->verdict != SUITE_PASSED ||
		    !can_be_run(outcome_of_test(n->r, i)))
			continue;
		t = neighbour_new(n->r, i);
		for (guint k = 0; k < n->failing->len; k++) {
			const struct neighbour *of = n->failing->pdata[k];

			t->likeness =
				MAX(t->likeness, likeness_of_tests(t->lines, of->lines, n_lines));
		}
		g_ptr_array_add(n->passing, t);
	}
	g_ptr_array_sort(n->passing, more_alike);
}

static void expected_free(gpointer p)
{
	if (p)
		expected_clear(p);
	g_free(p);
}

static struct neighbours *new_neighbours(void)
{
	struct neighbours *n = g_new0(struct neighbours, 1);

	n->failing = g_ptr_array_new_with_free_func(neighbour_free);
	n->passing = g_ptr_array_new_with_free_func(neighbour_free);
	n->expected = g_hash_table_new_full(NULL, NULL, NULL, expected_free);
	return n;
}

struct neighbours *neighbours_new(const struct suite_result *r, const struct options *o)
{
	struct neighbours *n = new_neighbours();

	n->r = r;
	n->o = o;
	choose_failing(n, (unsigned)o->limits.evidence_failing);
	choose_passing(n);
	return n;
}

struct neighbours *neighbours_of_one(const char *program, char *const *argv, const char *stdin_file,
				     const struct expected_output *expected)
{
	struct neighbours *n = new_neighbours();
	struct neighbour *t = g_new0(struct neighbour, 1);

	t->name = "the test";
	t->command = (struct suite_command){ .path = g_strdup(program),
					     .argv = g_strdupv((char **)argv),
					     .stdin_file = g_strdup(stdin_file),
					     .direct = true };
	n->of_one = expected;
	g_ptr_array_add(n->failing, t);
	return n;
}

void neighbours_free(struct neighbours *n)
{
	if (!n)
		return;
	g_ptr_array_unref(n->failing);
	g_ptr_array_unref(n->passing);
	g_hash_table_destroy(n->expected);
	g_free(n);
}

char *neighbours_expected_file(const struct options *o, const struct suite_result *r,
			       const char *name)
{
	g_autofree char *folder = g_canonicalize_filename(o->expected, r->directory);
	g_autofree char *file = g_strconcat(name, ".out", NULL);

	return g_build_filename(folder, file, NULL);
}

/* What the golden program printed when the suite was run; false: it was not kept, or is not all
 * that is expected. */
static bool take_golden_of_suite(const struct neighbours *n, const struct neighbour *t,
				 struct expected_output *e)
{
	const struct suite_outcome *o = outcome_of_test(n->r, t->number);
	gsize size;
	const char *text;

	if (!o->golden_printed || n->o->output_file || n->o->expect_stderr)
		return false;
	text = g_bytes_get_data(o->golden_printed, &size);
	e->text[PRINTED_OUT] = g_string_new_len(size ? text : "", (gssize)size);
	e->status = o->golden_status;
	return true;
}

/* NULL: it cannot be had. */
static struct expected_output *expected_new(const struct neighbours *n, const struct neighbour *t)
{
	struct expected_output *e = g_new0(struct expected_output, 1);
	struct options test = *n->o;
	g_autofree char *file = NULL;
	bool ok;

	if (n->o->golden) {
		test.program = t->command.argv;
		test.stdin_file = t->command.stdin_file;
		ok = take_golden_of_suite(n, t, e) || golden_run(&test, e, NULL);
	} else {
		file = neighbours_expected_file(n->o, n->r, t->name);
		ok = expected_read(e, file, NULL, 0, NULL);
		e->any_status = true;
	}
	if (!ok)
		g_clear_pointer(&e, g_free);
	return e;
}

bool neighbours_expected(const struct neighbours *n, const struct neighbour *t,
			 const struct expected_output **out)
{
	gpointer known;

	*out = n->of_one;
	if (!n->o || (!n->o->golden && !n->o->expected))
		return true;
	if (!g_hash_table_lookup_extended(n->expected, t, NULL, &known)) {
		known = expected_new(n, t);
		g_hash_table_insert(n->expected, (gpointer)t, known);
	}
	*out = known;
	return known;
}

unsigned neighbours_line(const struct neighbours *n, const char *file, unsigned line)
{
	return n->r ? units_find_line(profile_plan_units(n->r->plan), file, line) : UNIT_NONE;
}
