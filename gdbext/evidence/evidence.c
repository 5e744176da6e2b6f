/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/evidence/evidence.h"

#include "gdbext/evidence/elsewhere.h"
#include "gdbext/evidence/mutation.h"
#include "solver/answer/evidence.h"

struct evidence {
	const struct question *first;
	struct limits limits;
	struct consistency *consistency;
	bool checked;
	gint64 deadline;
	struct neighbours *tests;
	struct mutation *mutation;
	struct elsewhere *elsewhere; /* NULL = .mutation is NULL */
	GHashTable *known;	     /* text of a line → struct explanation_evidence, owned */
	GStringChunk *words;	     /* theirs */
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

	question_go_on(first, seconds);
	v->first = first;
	v->limits = first->o->limits;
	v->limits.reached = &first->e->reached;
	v->consistency = c;
	v->tests = neighbours_new(r, first->o);
	v->deadline = g_get_monotonic_time() + (gint64)(seconds * 1e6);
	/* tests that are judged by what they print need not make the program's own check */
	by_output = first->o->golden || first->o->expected;
	v->mutation = first->run.replay
			      ? mutation_new(first->run.replay, v->tests,
					     by_output ? NULL : first->e->failure.file,
					     first->e->failure.line, v->deadline, &v->limits)
			      : NULL;
	if (v->mutation)
		v->elsewhere = elsewhere_new(first, v->mutation, v->tests, r, &v->limits);
	v->known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	v->words = g_string_chunk_new(256);
	return v;
}

void evidence_free(struct evidence *v)
{
	if (!v)
		return;
	elsewhere_free(v->elsewhere);
	mutation_free(v->mutation);
	neighbours_free(v->tests);
	g_hash_table_destroy(v->known);
	g_string_chunk_free(v->words);
	g_free(v);
}

/* Reads a whole number of 32 bits: only such a number is tried as a constant of the code. */
static bool number_of(const char *text, int64_t *out)
{
	char *end = NULL;

	if (!text || !*text)
		return false;
	*out = g_ascii_strtoll(text, &end, 10);
	return *end == '\0' && *out == (int32_t)*out;
}

/* What the explanations that change this line alone would have it compute. */
static GArray *hints_of(const struct explanation *e, const struct explanation_line *l)
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
		    number_of(st->actual, &h.actual) && number_of(st->witness, &h.witness))
			g_array_append_val(hints, h);
	}
	return hints;
}

static bool judge(struct evidence *v, const struct explanation *e, const struct explanation_line *l,
		  unsigned n, struct explanation_evidence *out, GError **error)
{
	g_autoptr(GArray) hints = hints_of(e, l);
	struct mutation_verdict verdict = { 0 };

	*out = (struct explanation_evidence){ .contradicted = consistency_of(v->consistency,
									     l->file, l->line) };
	if (100 * l->tests >= v->limits.evidence_lines * n &&
	    !mutation_judge(v->mutation, l->file, l->line, hints, &verdict, error))
		return false;
	if (verdict.mended && !verdict.broken) {
		g_autofree char *change = verdict.guard
						  ? g_strdup(verdict.change)
						  : mutation_describe(v->mutation, &verdict.best);

		out->change = g_string_chunk_insert(v->words, change);
		if (verdict.guard)
			out->condition = g_string_chunk_insert(v->words, verdict.guard);
		out->effort =
			verdict.guard ? verdict.effort : mutant_effort(&verdict.best, &v->limits);
		out->mended = verdict.mended;
		out->failing = verdict.failing;
		out->broken = verdict.broken;
		out->passing = verdict.passing;
	}
	return true;
}

static bool add_line(struct evidence *v, struct explanation *e, const struct explanation_line *l,
		     unsigned n, GError **error)
{
	g_autofree char *key = g_strdup_printf("%s:%u", l->file, l->line);
	const struct explanation_evidence *known = g_hash_table_lookup(v->known, key);
	struct explanation_evidence found;

	if (!known && !judge(v, e, l, n, &found, error))
		return false;
	if (!known) {
		known = g_memdup2(&found, sizeof found);
		g_hash_table_insert(v->known, g_steal_pointer(&key), (gpointer)known);
	}
	if (known->change || known->contradicted)
		evidence_add(e, l->file, l->line, known);
	return true;
}

/* Does a change of a line mend all failing tests, and break none? */
static bool is_mended(const struct explanation *e)
{
	for (guint i = 0; i < e->lines->len; i++) {
		const struct explanation_evidence *v =
			g_array_index(e->lines, struct explanation_line, i).evidence;

		if (v && v->change && v->mended == v->failing && !v->broken)
			return true;
	}
	return false;
}

bool evidence_gather(struct evidence *v, struct explanation *e, unsigned n, GError **error)
{
	bool ok = true;

	if (!v->mutation || e->not_run)
		return true;
	if (!v->checked)
		ok = consistency_check(v->consistency, v->first->run.replay, v->tests, v->deadline,
				       error);
	v->checked = true;
	for (guint i = 0; ok && i < e->lines->len; i++)
		ok = add_line(v, e, &g_array_index(e->lines, struct explanation_line, i), n, error);
	if (ok && !is_mended(e))
		ok = elsewhere_add(v->elsewhere, e, n, error);
	if (!ok && g_error_matches(*error, DEADLINE_ERROR, DEADLINE_ERROR_TIME)) {
		g_clear_error(error); /* what was found stands */
		ok = true;
	}
	if (ok)
		evidence_order(e);
	e->complete &= g_get_monotonic_time() < v->deadline;
	g_debug("%u runs with changed code", mutation_runs(v->mutation));
	return ok;
}
