/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/evidence/evidence.h"

#include "gdbext/evidence/elsewhere.h"
#include "gdbext/evidence/mended-line.h"
#include "gdbext/question/ending.h"
#include "solver/answer/describe.h"
#include "solver/answer/order/evidence.h"

#include <limits.h>
#include <string.h>

/* The stages in which lines are tried: the parts of enum mutation_part, then conditions.  All
 * lines go through a stage before the next one begins, because the last mutants of a line are
 * many and rarely right.  Conditions are tried only where no common slip mends all failing
 * tests. */
enum evidence_stage { EVIDENCE_GUARDED = MUTATION_PARTS, EVIDENCE_STAGES };

struct evidence {
	struct question *first;
	struct limits limits;
	struct consistency *consistency;
	bool checked;
	bool mends;  /* a change mends all failing tests; seen by evidence_look */
	bool common; /* it is a common slip */
	bool any;    /* a change mends all, whatever it costs */
	gint64 deadline;
	double ms; /* that it took so far */
	struct neighbours *tests;
	struct mutation *mutation;
	struct elsewhere *elsewhere; /* NULL = .mutation is NULL */
	/* Text of a line → struct mended_line; NULL = nothing of this stage does. */
	GHashTable *known[EVIDENCE_STAGES];
};

bool evidence_is_wanted(const struct options *o)
{
	return !o->no_evidence && !o->window;
}

struct evidence *evidence_new(struct question *first, struct consistency *c,
			      const struct suite_result *r, double seconds)
{
	struct evidence *v = g_new0(struct evidence, 1);
	bool by_output;

	v->first = first;
	v->limits = first->o->limits;
	v->limits.reached = &first->e->reached;
	v->consistency = c;
	v->tests = neighbours_new(r, first->o);
	/* tests that are judged by what they print need not make the program's own check */
	by_output = first->o->golden || first->o->expected;
	v->mutation = first->run.replay
			      ? mutation_new(first->run.replay, v->tests,
					     by_output ? NULL : first->e->failure.file,
					     first->e->failure.line,
					     trace_point_executed(first->point), &v->limits)
			      : NULL;
	if (v->mutation)
		v->elsewhere = elsewhere_new(v->mutation, v->tests, r, &v->limits);
	for (unsigned i = 0; i < EVIDENCE_STAGES; i++)
		v->known[i] =
			g_hash_table_new_full(g_str_hash, g_str_equal, g_free, mended_line_free);
	evidence_go_on(v, seconds);
	return v;
}

void evidence_go_on(struct evidence *v, double seconds)
{
	question_go_on(v->first, seconds);
	v->deadline = g_get_monotonic_time() + (gint64)(seconds * 1e6);
	if (v->mutation)
		mutation_until(v->mutation, v->deadline);
}

void evidence_free(struct evidence *v)
{
	if (!v)
		return;
	elsewhere_free(v->elsewhere);
	mutation_free(v->mutation);
	neighbours_free(v->tests);
	for (unsigned i = 0; i < EVIDENCE_STAGES; i++)
		g_hash_table_destroy(v->known[i]);
	g_free(v);
}

static char *key_of_answer_line(const struct explanation_line *l)
{
	return g_strdup_printf("%s:%u", l->file, l->line);
}

/* Reads a whole number of 32 bits: only such a number is tried as a constant of the code. */
static bool read_constant_number(const char *text, int64_t *out)
{
	char *end = NULL;

	if (!text || !*text)
		return false;
	*out = g_ascii_strtoll(text, &end, 10);
	return *end == '\0' && *out == (int32_t)*out;
}

/* What the explanations that change this line alone would have it compute. */
static GArray *mutation_hints_of(const struct explanation *e, const struct explanation_line *l)
{
	GArray *hints = g_array_new(FALSE, FALSE, sizeof(struct mutation_hint));

	for (guint i = 0; i < e->suspects->len; i++) {
		const struct explanation_suspect *s = e->suspects->pdata[i];
		const struct explanation_statement *st;
		struct mutation_hint h;

		if (s->size != 1 || s->statements->len != 1 || s->replay != REPLAY_PASSES)
			continue;
		st = &g_array_index(s->statements, struct explanation_statement, 0);
		if (st->line == l->line && g_strcmp0(st->file, l->file) == 0 &&
		    read_constant_number(st->actual, &h.actual) &&
		    read_constant_number(st->witness, &h.witness))
			g_array_append_val(hints, h);
	}
	return hints;
}

static bool try_line_of_answer(struct evidence *v, const struct explanation *e,
			       const struct explanation_line *l, unsigned stage,
			       struct mutation_verdict *verdict, GError **error)
{
	g_autoptr(GArray) hints = NULL;

	if (stage == EVIDENCE_GUARDED)
		return mutation_judge_guarded(v->mutation, l->file, l->line, verdict, error);
	hints = mutation_hints_of(e, l);
	return mutation_judge(v->mutation, l->file, l->line, (enum mutation_part)stage, hints,
			      verdict, error);
}

/* Tries the line's small changes, unless that was done before; NULL in *out: none mends all. */
static bool judge_named_line(struct evidence *v, const struct explanation *e,
			     const struct explanation_line *l, unsigned stage,
			     const struct mended_line **out, GError **error)
{
	g_autofree char *key = key_of_answer_line(l);
	struct mutation_verdict verdict = { 0 };
	struct mended_line *made = NULL;
	gpointer known = NULL;

	if (!g_hash_table_lookup_extended(v->known[stage], key, NULL, &known)) {
		if (!try_line_of_answer(v, e, l, stage, &verdict, error))
			return false;
		if (verdict.mended && !verdict.broken)
			made = mended_line_new(v->mutation, l->file, l->line, &verdict);
		if (made && !evidence_is_of_test(e, l->file))
			mutation_need_less(v->mutation, made->evidence.effort);
		/* a line for which the time was up may be tried later */
		if (made || g_get_monotonic_time() < v->deadline)
			g_hash_table_insert(v->known[stage], g_steal_pointer(&key), made);
		known = made;
	}
	*out = known;
	return true;
}

static bool is_named_enough(const struct evidence *v, const struct explanation_line *l, unsigned n)
{
	return 100 * l->tests >= v->limits.evidence_lines * n;
}

/* By an earlier look. */
static bool was_mended(const struct evidence *v, const struct explanation_line *l, unsigned stage)
{
	g_autofree char *key = key_of_answer_line(l);

	return g_hash_table_lookup(v->known[stage], key) != NULL;
}

static bool is_known(const GPtrArray *mended, const char *file, unsigned line)
{
	for (guint i = 0; i < mended->len; i++) {
		const struct mended_line *known = mended->pdata[i];

		if (known->line == line && strcmp(known->file, file) == 0)
			return true;
	}
	return false;
}

/* Adds the lines of elsewhere.h that are not among these yet. */
static void add_lines_from_elsewhere(const struct evidence *v, GPtrArray *mended)
{
	const GPtrArray *others = elsewhere_found(v->elsewhere);

	for (guint i = 0; i < others->len; i++) {
		const struct mended_line *m = others->pdata[i];

		if (!is_known(mended, m->file, m->line))
			g_ptr_array_add(mended, others->pdata[i]);
	}
}

static bool answer_has_line(const struct explanation *e, const char *file, unsigned line)
{
	for (guint i = 0; i < e->lines->len; i++) {
		const struct explanation_line *l =
			&g_array_index(e->lines, struct explanation_line, i);

		if (l->line == line && g_strcmp0(l->file, file) == 0)
			return true;
	}
	return false;
}

static gint compare_mended_lines(gconstpointer a, gconstpointer b)
{
	const struct mended_line *x = a, *y = b;
	int files = strcmp(x->file, y->file);

	return files ? files : x->line < y->line ? -1 : x->line > y->line;
}

/* Adds the lines of which a change was found when the first test was explained, and that the answer
 * does not name.  A joint answer has only lines that each test is explained by, and later tests
 * are looked at for a short time once such a change is known. */
static void add_earlier(const struct evidence *v, const struct explanation *e, GPtrArray *mended)
{
	for (unsigned i = 0; i < EVIDENCE_STAGES; i++) {
		g_autoptr(GList) lines =
			g_list_sort(g_list_remove_all(g_hash_table_get_values(v->known[i]), NULL),
				    compare_mended_lines);

		for (const GList *l = lines; l; l = l->next) {
			const struct mended_line *m = l->data;

			if (!answer_has_line(e, m->file, m->line) &&
			    !is_known(mended, m->file, m->line))
				g_ptr_array_add(mended, l->data);
		}
	}
}

/* Conditions are not looked for once many lines are mended by one: such lines then tell little,
 * and each costs many runs. */
static guint most_of(const struct evidence *v, unsigned stage)
{
	return stage == EVIDENCE_GUARDED ? (guint)v->limits.guards_enough : G_MAXUINT;
}

/* Adds those lines of e, an answer about n tests, of which a change mends all failing tests and
 * breaks none: of_test, those of the test's own file, or all others.  No line is begun after so
 * many runs. */
static bool add_lines_of_files(struct evidence *v, const struct explanation *e, unsigned n,
			       unsigned stage, bool of_test, unsigned until, GPtrArray *mended,
			       GError **error)
{
	guint most = most_of(v, stage), found = 0;
	bool ok = true;

	for (guint i = 0;
	     ok && i < e->lines->len && found < most && mutation_runs(v->mutation) < until; i++) {
		const struct explanation_line *l =
			&g_array_index(e->lines, struct explanation_line, i);
		const struct mended_line *m = NULL;

		if (evidence_is_of_test(e, l->file) == of_test &&
		    (is_named_enough(v, l, n) || was_mended(v, l, stage)) &&
		    !is_known(mended, l->file, l->line))
			ok = judge_named_line(v, e, l, stage, &m, error);
		if (!m)
			continue;
		g_ptr_array_add(mended, (gpointer)m);
		found++;
	}
	return ok;
}

/* Is there a mended line whose change costs less than effort, in hundredths?  A change of the
 * test's own file does not count, because it mostly weakens the check; the search goes on then. */
static bool has_cheaper(const struct explanation *e, const GPtrArray *mended, uint64_t effort)
{
	for (guint i = 0; i < mended->len; i++) {
		const struct mended_line *l = mended->pdata[i];

		if (l->evidence.effort * 100 < (double)effort && !evidence_is_of_test(e, l->file))
			return true;
	}
	return false;
}

static bool has_any(const struct explanation *e, const GPtrArray *mended)
{
	return has_cheaper(e, mended, G_MAXUINT64);
}

/* Is one of them no `n++' that is put beside the line?  That may belong elsewhere, too. */
static bool has_change_in_place(const struct explanation *e, const GPtrArray *mended)
{
	for (guint i = 0; i < mended->len; i++) {
		const struct mended_line *l = mended->pdata[i];

		if (!evidence_is_of_test(e, l->file) &&
		    !g_regex_match_simple("(\\+\\+|--)' put (before|behind) it$", l->change, 0, 0))
			return true;
	}
	return false;
}

static bool add_lines_of_answer(struct evidence *v, const struct explanation *e, unsigned n,
				unsigned stage, unsigned until, GPtrArray *mended, GError **error)
{
	return add_lines_of_files(v, e, n, stage, false, until, mended, error);
}

/* Tries the plain changes of the test's own lines.  A check has hundreds that weaken it, so they
 * come last, and only where nothing else mends all. */
static bool add_lines_of_test(struct evidence *v, const struct explanation *e, unsigned n,
			      GPtrArray *mended, GError **error)
{
	bool ok = true;

	for (unsigned part = 0; ok && part < MUTATION_PARTS; part++)
		ok = add_lines_of_files(v, e, n, part, true, UINT_MAX, mended, error);
	return ok;
}

/* Tries the plain changes of the answer's lines, except the last part, whose many mutants are
 * rarely right. */
static bool try_plain_changes(struct evidence *v, const struct explanation *e, unsigned n,
			      GPtrArray *mended, GError **error)
{
	bool ok = true;

	for (unsigned part = 0; ok && part < MUTATION_REST; part++)
		ok = add_lines_of_answer(v, e, n, part, UINT_MAX, mended, error);
	return ok;
}

static bool add_rest(struct evidence *v, const struct explanation *e, unsigned n, GPtrArray *mended,
		     GError **error)
{
	return add_lines_of_answer(v, e, n, MUTATION_REST, UINT_MAX, mended, error);
}

/* Tries conditions for the lines of the answer.  They have runs of their own, which other
 * changes leave to them. */
static bool add_guarded(struct evidence *v, const struct explanation *e, unsigned n,
			GPtrArray *mended, GError **error)
{
	mutation_allow(v->mutation, v->limits.guards_first_runs);
	return add_lines_of_answer(
		v, e, n, EVIDENCE_GUARDED,
		mutation_runs(v->mutation) + (unsigned)v->limits.guards_first_runs, mended, error);
}

/* The mended lines that the answer names or, when there is none, other lines: struct
 * mended_line, owned by v.  NULL with error when it was interrupted. */
static GPtrArray *mended_lines(struct evidence *v, const struct explanation *e, unsigned n,
			       GError **error)
{
	GPtrArray *mended = g_ptr_array_new();
	bool ok = try_plain_changes(v, e, n, mended, error);

	add_earlier(v, e, mended);
	/* where an entry of a table is wrong, a guard at its use mends, too */
	if (ok && !has_cheaper(e, mended, v->limits.guards_from))
		ok = elsewhere_look_at_data(v->elsewhere, v->first, error);
	add_lines_from_elsewhere(v, mended);
	if (ok && !has_cheaper(e, mended, v->limits.guards_from))
		ok = add_guarded(v, e, n, mended, error);
	ok = ok && add_rest(v, e, n, mended, error);
	/* another value under some condition mends nearly everything */
	if (ok && !has_cheaper(e, mended, v->limits.slip_guard_value))
		ok = elsewhere_look(v->elsewhere, e, n, error) != NULL;
	else if (ok && has_cheaper(e, mended, v->limits.first_look_effort))
		ok = elsewhere_look_beside(v->elsewhere, e, n, error);
	add_lines_from_elsewhere(v, mended);
	if (ok && !has_change_in_place(e, mended))
		ok = elsewhere_look_inserted(v->elsewhere, e, error);
	add_lines_from_elsewhere(v, mended);
	if (ok && !has_any(e, mended))
		ok = add_lines_of_test(v, e, n, mended, error);
	ok = ok || ending_forgive_time(error);
	if (!ok)
		g_clear_pointer(&mended, g_ptr_array_unref);
	return mended;
}

static void name_answer_lines(const struct evidence *v, const struct explanation *e)
{
	for (guint i = 0; i < e->lines->len; i++) {
		const struct explanation_line *l =
			&g_array_index(e->lines, struct explanation_line, i);

		mutation_name_line(v->mutation, l->file, l->line);
	}
}

/* Lines that no explanation names, and data. */
static bool look_elsewhere(struct evidence *v, const struct explanation *e, GError **error)
{
	return elsewhere_look_first(v->elsewhere, e, error) &&
	       (elsewhere_found(v->elsewhere)->len ||
		elsewhere_look_at_data(v->elsewhere, v->first, error));
}

/* Tries the commonest changes of the lines that are named by now, then of all others: the runs
 * cost less than it takes to name the right one. */
static bool look_quickly(struct evidence *v, const struct explanation *e, bool *mends,
			 GError **error)
{
	g_autoptr(GPtrArray) plain = g_ptr_array_new();

	if (!add_lines_of_answer(v, e, 1, MUTATION_COMMON, UINT_MAX, plain, error))
		return false;
	*mends = has_cheaper(e, plain, v->limits.guards_from);
	if (*mends)
		return true;
	if (!elsewhere_look_quickly(v->elsewhere, e, error))
		return false;
	*mends = has_cheaper(e, elsewhere_found(v->elsewhere), v->limits.guards_from);
	return true;
}

static bool try_answer_lines(struct evidence *v, const struct explanation *e, bool *mends,
			     GError **error)
{
	g_autoptr(GPtrArray) plain = g_ptr_array_new(), guarded = g_ptr_array_new();
	const GPtrArray *others = elsewhere_found(v->elsewhere);
	const uint64_t enough = v->limits.first_look_effort;
	bool in_place;

	if (!try_plain_changes(v, e, 1, plain, error))
		return false;
	/* where an entry of a table is wrong, a guard at its use mends, too */
	if (!has_cheaper(e, plain, v->limits.guards_from) &&
	    !elsewhere_look_at_data(v->elsewhere, v->first, error))
		return false;
	if (!has_cheaper(e, plain, v->limits.guards_from) &&
	    !has_cheaper(e, others, v->limits.guards_from) && !add_guarded(v, e, 1, guarded, error))
		return false;
	/* another value under some condition mends nearly everything */
	*mends = has_cheaper(e, guarded, v->limits.slip_guard_value);
	if (!*mends && !add_rest(v, e, 1, plain, error))
		return false;
	if (!*mends && !has_any(e, plain) && !look_elsewhere(v, e, error))
		return false;
	in_place = *mends || has_change_in_place(e, plain) || has_change_in_place(e, others);
	*mends |= has_cheaper(e, plain, enough) || has_cheaper(e, others, enough);
	if (in_place)
		return true;
	if (!elsewhere_look_inserted(v->elsewhere, e, error))
		return false;
	*mends |= others->len > 0;
	return true;
}

/* The same of all changes that are known. */
static bool saw_cheaper(const struct evidence *v, const struct explanation *e, uint64_t effort)
{
	g_autoptr(GPtrArray) all = g_ptr_array_new();

	for (unsigned i = 0; i < EVIDENCE_STAGES; i++) {
		GHashTableIter lines;
		gpointer line;

		g_hash_table_iter_init(&lines, v->known[i]);
		while (g_hash_table_iter_next(&lines, NULL, &line))
			if (line)
				g_ptr_array_add(all, line);
	}
	return has_cheaper(e, all, effort) || has_cheaper(e, elsewhere_found(v->elsewhere), effort);
}

static double ms_since(gint64 start)
{
	return (double)(g_get_monotonic_time() - start) / 1e3;
}

bool evidence_look(struct evidence *v, const struct explanation *e, bool quick, bool *mends,
		   GError **error)
{
	gint64 start = g_get_monotonic_time();
	bool ok;

	/* what was enough stays so when a search of more of the run looks again */
	*mends = v->mends;
	if (!v->mutation || e->not_run || v->mends)
		return true;
	name_answer_lines(v, e);
	ok = quick ? look_quickly(v, e, mends, error) : try_answer_lines(v, e, mends, error);
	v->mends = *mends;
	v->common = *mends && saw_cheaper(v, e, v->limits.first_look_effort);
	v->any = saw_cheaper(v, e, G_MAXUINT64);
	v->ms += ms_since(start);
	return ok;
}

bool evidence_saw_any(const struct evidence *v)
{
	return v->any;
}

bool evidence_saw_common(const struct evidence *v)
{
	return v->common;
}

static bool line_mends(const struct evidence *v, const struct mended_line *l,
		       const struct neighbour *t)
{
	return l && mutation_mends(v->mutation, t, l->actions);
}

bool evidence_mends(struct evidence *v, const struct neighbour *t)
{
	const GPtrArray *others = v->mutation ? elsewhere_found(v->elsewhere) : NULL;
	bool mends = false;

	for (unsigned i = 0; v->mutation && i < EVIDENCE_STAGES && !mends; i++) {
		GHashTableIter lines;
		gpointer line;

		g_hash_table_iter_init(&lines, v->known[i]);
		while (!mends && g_hash_table_iter_next(&lines, NULL, &line))
			mends = line_mends(v, line, t);
	}
	for (guint i = 0; others && i < others->len && !mends; i++)
		mends = line_mends(v, others->pdata[i], t);
	return mends;
}

/* What passing tests say against the lines that are named. */
static void add_contradictions(const struct evidence *v, struct explanation *e)
{
	for (guint i = 0; i < e->lines->len; i++) {
		const struct explanation_line *l =
			&g_array_index(e->lines, struct explanation_line, i);
		const struct explanation_evidence against = {
			.contradicted = consistency_of(v->consistency, l->file, l->line),
		};

		if (against.contradicted)
			evidence_add(e, l->file, l->line, &against);
	}
}

/* Adds values that passing tests have at a line and failing tests do not. */
static void add_usual_values(const struct evidence *v, struct explanation *e)
{
	for (guint i = 0; i < e->suspects->len; i++) {
		struct explanation_suspect *s = e->suspects->pdata[i];
		struct explanation_statement *st;

		if (s->replay != REPLAY_PASSES || s->statements->len != 1)
			continue;
		st = &g_array_index(s->statements, struct explanation_statement, 0);
		if (st->witness && !st->witness_is && g_strcmp0(st->kind, "condition") != 0 &&
		    consistency_is_usual(v->consistency, st->file, st->line))
			st->witness_is = "as in passing tests";
	}
}

static void add_mended(const struct evidence *v, struct explanation *e, const GPtrArray *mended,
		       unsigned n)
{
	struct image *const *images = v->first->run.images;

	for (guint i = 0; i < mended->len; i++) {
		const struct mended_line *l = mended->pdata[i];
		struct explanation_evidence found = l->evidence;

		found.contradicted = consistency_of(v->consistency, l->file, l->line);
		if (mended_line_show(l, images[0], e, n))
			evidence_add(e, l->file, l->line, &found);
	}
	if (mended->len)
		describe_sources(e, images, v->first->run.n_images);
}

bool evidence_gather(struct evidence *v, struct explanation *e, unsigned n, GError **error)
{
	g_autoptr(GPtrArray) mended = NULL;
	gint64 start = g_get_monotonic_time();

	if (!v->mutation || e->not_run)
		return true;
	if (!v->checked && !consistency_check(v->consistency, v->first->run.replay, v->tests,
					      v->mends ? v->limits.consistency_mended
						       : v->limits.consistency_tests,
					      v->deadline, error))
		return false;
	v->checked = true;
	mended = mended_lines(v, e, n, error);
	if (mended) {
		add_contradictions(v, e);
		add_usual_values(v, e);
		add_mended(v, e, mended, n);
		evidence_order(e, &v->limits);
	}
	e->complete &= g_get_monotonic_time() < v->deadline;
	v->ms += ms_since(start);
	explanation_add_stage(e, "evidence", v->ms, mutation_runs(v->mutation), "runs");
	g_debug("%u runs with changed code, by %u processes", mutation_runs(v->mutation),
		mutation_processes(v->mutation));
	return mended != NULL;
}
