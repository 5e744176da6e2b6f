/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why the failing run failed, from its trace; and what the old version's run did instead. */
#include "gdbext/regress/looking-private.h"
#include "gdbext/replay/interrupt.h"
#include "gdbext/question/failure.h"
#include "gdbext/regress/workshop/folders.h"
#include "gdbext/replay/replay.h"
#include "solver/regress/set.h"
#include "solver/regress/trace/trace.h"

#include <signal.h>
#include <string.h>

/* ---- from statements to changes ---- */

/* Does the change stand on that line, or on lines without code that follow it, or were its lines
 * deleted next to it? */
static bool stands_on(const struct regression *r, const struct regress_change *x, const char *path,
		      unsigned line)
{
	unsigned first = x->new_first, l;

	if (!x->new_count)
		return line == first || line == first + 1;
	if (line >= first && line < first + x->new_count)
		return true;
	if (line > first || first - line > r->o->limits.regress_statement_lines)
		return false;
	for (l = line + 1; l <= first && coverage_of(r->new_coverage, path, l) < 0; l++)
		;
	return r->new_coverage && l > first;
}

static GArray *changes_on(const struct regression *r, const char *path, unsigned line)
{
	const struct regress_changes *c = r->versions->changes;
	int file = path ? regress_file_named(c, path) : -1;
	const struct regress_file *f = file < 0 ? NULL : c->files->pdata[file];
	GArray *found = regress_set_new();

	for (guint i = f ? f->first : 0; f && i < f->first + f->count; i++) {
		const struct regress_change *x = regress_change_at(c, i);

		if (x->kind == REGRESS_ADDED ||
		    (x->kind == REGRESS_LINES && stands_on(r, x, path, line)))
			g_array_append_val(found, i);
	}
	return found;
}

/* The line as the new version has it; NULL = it is not known. */
static char *text_of_new_line(const struct looking *l, const char *path, unsigned line)
{
	g_autofree char *file = path ? g_build_filename(l->folder, path, NULL) : NULL;
	g_autofree char *all = NULL;
	g_auto(GStrv) lines = NULL;

	if (!file || !line || !g_file_get_contents(file, &all, NULL, NULL))
		return NULL;
	lines = g_strsplit(all, "\n", -1);
	return line <= g_strv_length(lines) ? g_strdup(g_strstrip(lines[line - 1])) : NULL;
}

/* ---- causes ---- */

static bool is_on_line(const struct regress_cause *c, const char *file, unsigned line)
{
	for (guint i = 0; i < c->statements->len; i++) {
		const struct regress_statement *s =
			&g_array_index(c->statements, struct regress_statement, i);

		if (s->line == line && g_strcmp0(s->file, file) == 0)
			return true;
	}
	return false;
}

static bool is_cause_stated(const struct regress_cause *c, const char *file,
			    const struct regress_definition *d)
{
	for (guint i = 0; i < c->statements->len; i++) {
		const struct regress_statement *s =
			&g_array_index(c->statements, struct regress_statement, i);

		if (s->line == d->line && g_strcmp0(s->file, file) == 0 &&
		    g_strcmp0(s->clause, d->clause) == 0 && g_strcmp0(s->value, d->value) == 0)
			return true;
	}
	return false;
}

/* Does it say nothing beside another value of the same line?  A part of that value does not, nor a
 * branch whose polarity is not known. */
static bool is_mute(const struct regress_definition *d)
{
	return !d->value || g_strcmp0(d->clause, "an intermediate result") == 0;
}

/* Takes the last statement back where it is mute and of this line. */
static void drop_mute(struct looking *l, struct regress_cause *c, const char *file, unsigned line)
{
	const struct regress_statement *last =
		c->statements->len ? &g_array_index(c->statements, struct regress_statement,
						    c->statements->len - 1)
				   : NULL;

	if (!last || last->clause || last->line != line || g_strcmp0(last->file, file) != 0)
		return;
	g_array_set_size(c->statements, c->statements->len - 1);
	g_array_set_size(l->numbers, l->numbers->len - 1);
}

static void add_statement(struct looking *l, unsigned cause, const struct regress_definition *d,
			  guint number)
{
	struct regress_answer *a = l->r->answer;
	struct regress_cause *c = regress_answer_cause(a, cause);
	const char *path = looking_file(l, d->file);
	g_autofree char *text = text_of_new_line(l, path, d->line);
	struct regress_statement s = { .line = d->line };

	s.file = regress_answer_string(a, path ? path : d->file);
	if (is_mute(d) ? is_on_line(c, s.file, d->line) : is_cause_stated(c, s.file, d))
		return;
	drop_mute(l, c, s.file, d->line);
	s.function = regress_answer_string(a, d->function);
	s.text = regress_answer_string(a, text);
	if (!is_mute(d)) {
		s.clause = regress_answer_string(a, d->clause);
		s.value = regress_answer_string(a, d->value);
	}
	s.changes = changes_on(l->r, path, d->line);
	for (guint i = 0; i < s.changes->len; i++)
		regress_set_add(c->changes, regress_set_at(s.changes, i));
	g_array_append_val(c->statements, s);
	g_array_append_val(l->numbers, number);
}

/* "x < y went false at f.c:13". */
static char *predicate_words(struct looking *l, guint branch)
{
	struct regress_definition d;
	const char *path;

	if (!regress_trace_describe(l->trace, branch, &d))
		return g_strdup("a branch went the way that it did");
	path = looking_file(l, d.file);
	if (!d.clause && !d.value)
		return g_strdup_printf("the branch at %s:%u went as it did", path ? path : d.file,
				       d.line);
	return g_strdup_printf("%s went %s at %s:%u", d.clause ? d.clause : "a condition",
			       d.value ? d.value : "the way that it did", path ? path : d.file,
			       d.line);
}

/* One cause more: its definitions, in the order of the run. */
static GArray *add_cause(struct looking *l, guint branch, int effect)
{
	GArray *why = regress_trace_why(l->trace, branch);
	struct regress_definition d;
	g_autofree char *predicate = branch == REGRESS_FAILURE ? NULL : predicate_words(l, branch);
	unsigned cause;

	if (!why)
		return NULL;
	cause = regress_answer_add_cause(l->r->answer, effect, predicate);
	for (guint i = 0; i < why->len; i++) {
		guint number = g_array_index(why, guint, i);

		if (regress_trace_describe(l->trace, number, &d))
			add_statement(l, cause, &d, number);
	}
	if (branch == REGRESS_FAILURE && regress_trace_failure(l->trace, &d) &&
	    !is_on_line(regress_answer_cause(l->r->answer, cause), looking_file(l, d.file), d.line))
		add_statement(l, cause, &d, NUMBERLESS);
	return why;
}

/* A branch that let a statement of a cause be executed. */
struct waiting {
	guint branch;
	int effect; /* the cause's number */
};

/* What is to be asked, breadth first: a whole generation before the next.  Branches of which
 * another execution went the same way come last, since they mostly name the same changes. */
struct agenda {
	struct looking *looking;
	GArray *first, *later; /* struct waiting */
	guint first_at, later_at;
	GHashTable *branches; /* all of both, by their numbers ... */
	GHashTable *words;    /* ... and by their words */
};

static void add_critical(struct agenda *a, const GArray *why, int effect)
{
	struct looking *l = a->looking;

	for (guint k = why->len; k-- > 0;) {
		g_autoptr(GArray) critical =
			regress_trace_critical(l->trace, g_array_index(why, guint, k));

		for (guint b = critical->len; b-- > 0;) {
			struct waiting w = { g_array_index(critical, guint, b), effect };
			bool fresh;

			if (!g_hash_table_add(a->branches, GUINT_TO_POINTER(w.branch)))
				continue;
			fresh = g_hash_table_add(a->words, predicate_words(l, w.branch));
			g_array_append_val(fresh ? a->first : a->later, w);
		}
	}
}

/* NULL = there is none. */
static const struct waiting *next_waiting(struct agenda *a)
{
	if (a->first_at < a->first->len)
		return &g_array_index(a->first, struct waiting, a->first_at++);
	if (a->later_at < a->later->len)
		return &g_array_index(a->later, struct waiting, a->later_at++);
	return NULL;
}

static void find_all(struct looking *l)
{
	struct agenda a = {
		.looking = l,
		.first = g_array_new(FALSE, FALSE, sizeof(struct waiting)),
		.later = g_array_new(FALSE, FALSE, sizeof(struct waiting)),
		.branches = g_hash_table_new(NULL, NULL),
		.words = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
	};
	const GArray *causes = l->r->answer->causes;
	struct waiting now = { REGRESS_FAILURE, -1 };
	const struct waiting *next = &now;

	while (next && causes->len < l->r->o->limits.regress_causes &&
	       g_get_monotonic_time() < l->deadline) {
		g_autoptr(GArray) why = NULL;

		now = *next;
		why = add_cause(l, now.branch, now.effect);
		if (why)
			add_critical(&a, why, (int)causes->len - 1);
		next = next_waiting(&a);
	}
	g_array_unref(a.first);
	g_array_unref(a.later);
	g_hash_table_unref(a.branches);
	g_hash_table_unref(a.words);
}

static void look_at_new(const char *folder, void *arg)
{
	struct looking *l = arg;
	struct regress_answer *a = l->r->answer;
	g_autofree char *failure = NULL;

	l->folder = folder;
	if (!looking_record(l, folder))
		return;
	failure = regress_trace_output(l->trace) ? g_strdup(regress_trace_output(l->trace))
						 : failure_in_words(&l->failing);
	if (failure) {
		g_free(a->failure);
		a->failure = g_steal_pointer(&failure);
	}
	find_all(l);
	if (a->causes->len)
		regression_compare_runs(l);
}

void regression_find_causes(struct regression *r)
{
	struct looking l = { .r = r,
			     .is_new = true,
			     .numbers = g_array_new(FALSE, FALSE, sizeof(guint)),
			     .deadline = MIN(r->deadline,
					     g_get_monotonic_time() +
						     (gint64)r->o->limits.regress_cause_seconds *
							     G_USEC_PER_SEC) };
	gint64 start = g_get_monotonic_time();

	if (r->o->run && workshop_lend(r->workshop, r->none, look_at_new, &l) && l.error)
		regress_answer_note(
			r->answer,
			"The failing run could not be followed, so the candidates are the "
			"changes that it executes: %s",
			l.error->message);
	looking_forget(&l);
	g_array_unref(l.numbers);
	r->answer->stats.analysis_s = (double)(g_get_monotonic_time() - start) / G_USEC_PER_SEC;
}
