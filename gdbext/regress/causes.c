/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why the failing run failed, from its trace; and what the old version's run did instead. */
#include "gdbext/regress/flow-private.h"
#include "gdbext/replay/interrupt.h"
#include "gdbext/question/failure.h"
#include "gdbext/regress/folders.h"
#include "gdbext/replay/replay.h"
#include "solver/regress/set.h"
#include "solver/regress/trace.h"

#include <signal.h>
#include <string.h>

/* Causes that are looked for, and for how long in all. */
enum { MOST_CAUSES = 48, SECONDS_FOR_CAUSES = 20 };
/* Lines without code that a statement may go on over. */
enum { MOST_LINES_OF_STATEMENT = 10 };

/* One version's run. */
struct looking {
	struct regression *r;
	gint64 deadline;
	struct replay *replay;
	struct replay_failing failing;
	struct regress_trace *trace;
	const char *folder;
	GHashTable *paths; /* as debug information names files -> as the tree does */
	GArray *numbers;   /* by statement of all causes, in their order: its definition (guint);
			    * NUMBERLESS = it has none */
	GError *error;
};

enum { NUMBERLESS = G_MAXINT32 };

/* ---- recording ---- */

static bool record(struct looking *l, const char *folder)
{
	const struct options *o = l->r->o;
	const struct replay_options options = { .argv = o->program,
						.directory = folder,
						.stdin_file = l->r->stdin_file,
						.gdb = o->gdb,
						.run_timeout = o->run_timeout,
						.max_bytes = o->max_record,
						.jit = o->engine == OPTIONS_ENGINE_JIT };
	struct regress_record record = { .until = { l->deadline, o->timeout,
						    replay_interrupt_flag() } };

	l->paths = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	l->replay = replay_new(&options, &l->error);
	if (!l->replay || !replay_record_failing(l->replay, &l->failing, &l->error))
		return false;
	record.images = replay_images(l->replay, &record.n_images);
	record.directory = l->failing.record;
	record.thread = l->failing.thread;
	record.end = failure_end(&l->failing);
	if (record.end.end == RUN_PASSED) {
		record.end.end = RUN_STATUS;
		record.end.status = 0;
	}
	l->trace = regress_trace_new(&record, &l->error);
	return l->trace != NULL;
}

static void forget(struct looking *l)
{
	regress_trace_free(l->trace);
	replay_failing_clear(&l->failing);
	replay_free(l->replay);
	g_clear_pointer(&l->paths, g_hash_table_unref);
	g_clear_error(&l->error);
}

/* ---- from statements to changes ---- */

/* As the tree calls the file; NULL = it is not of the tree. */
static const char *below(struct looking *l, const char *file)
{
	char *path;

	if (!file)
		return NULL;
	if (!g_hash_table_contains(l->paths, file)) {
		path = regress_folder_find(l->folder, file);
		g_hash_table_insert(l->paths, g_strdup(file), path);
	}
	return g_hash_table_lookup(l->paths, file);
}

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
	if (line > first || first - line > MOST_LINES_OF_STATEMENT)
		return false;
	for (l = line + 1; l <= first && coverage_of(r->new_coverage, path, l) < 0; l++)
		;
	return r->new_coverage && l > first;
}

static GArray *changes_on(const struct regression *r, const char *path, unsigned line)
{
	const struct regress_changes *c = r->versions->changes;
	int file = path ? regress_file_named(c, path) : -1;
	GArray *found = regress_set_new();

	for (guint i = 0; file >= 0 && i < regress_changes_count(c); i++) {
		const struct regress_change *x = regress_change_at(c, i);

		if (x->file != (unsigned)file)
			continue;
		if (x->kind == REGRESS_ADDED ||
		    (x->kind == REGRESS_LINES && stands_on(r, x, path, line)))
			g_array_append_val(found, i);
	}
	return found;
}

/* The line as the new version has it; NULL = it is not known. */
static char *text_of(const struct looking *l, const char *path, unsigned line)
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

static bool is_there(const struct regress_cause *c, const char *file,
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

/* What says nothing beside another value of the same line: a part of it, or a branch whose sense is
 * not known. */
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
	const char *path = below(l, d->file);
	g_autofree char *text = text_of(l, path, d->line);
	struct regress_statement s = { .line = d->line };

	s.file = regress_answer_string(a, path ? path : d->file);
	if (is_mute(d) ? is_on_line(c, s.file, d->line) : is_there(c, s.file, d))
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
	path = below(l, d.file);
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
	    !is_on_line(regress_answer_cause(l->r->answer, cause), below(l, d.file), d.line))
		add_statement(l, cause, &d, NUMBERLESS);
	return why;
}

/* Breadth first: a whole generation before the next. */
static void find_all(struct looking *l)
{
	g_autoptr(GPtrArray) whys = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
	g_autoptr(GHashTable) asked = g_hash_table_new(NULL, NULL);
	GArray *first = add_cause(l, REGRESS_FAILURE, -1);

	if (first)
		g_ptr_array_add(whys, first);
	for (guint i = 0; i < whys->len; i++) {
		const GArray *why = whys->pdata[i];

		for (guint k = why->len; k-- > 0;) {
			g_autoptr(GArray) critical =
				regress_trace_critical(l->trace, g_array_index(why, guint, k));

			for (guint b = critical->len; b-- > 0;) {
				guint branch = g_array_index(critical, guint, b);
				GArray *next;

				if (whys->len >= MOST_CAUSES ||
				    g_get_monotonic_time() >= l->deadline)
					return;
				if (!g_hash_table_add(asked, GUINT_TO_POINTER(branch)))
					continue;
				next = add_cause(l, branch, (int)i);
				if (next)
					g_ptr_array_add(whys, next);
			}
		}
	}
}

/* ---- the old version's values ---- */

static unsigned line_in_old(const struct regress_changes *c, int file, unsigned line)
{
	unsigned old = file < 0 ? line : regress_old_line(c, (unsigned)file, line);

	for (guint i = 0; !old && i < regress_changes_count(c); i++) {
		const struct regress_change *x = regress_change_at(c, i);

		if (x->file == (unsigned)file && x->kind == REGRESS_LINES && line >= x->new_first &&
		    line < x->new_first + x->new_count && x->old_count)
			old = x->old_first + MIN(line - x->new_first, x->old_count - 1);
	}
	return old;
}

/* The same of the old version's run: as often executed, on the same line, of the same kind. */
static const char *value_in_old(struct looking *l, const char *path, unsigned line,
				const struct regress_definition *newer)
{
	struct regress_definition d;
	const char *value = NULL;

	for (guint i = 0; i < regress_trace_count(l->trace); i++) {
		if (!regress_trace_is_on(l->trace, i, line) ||
		    !regress_trace_describe(l->trace, i, &d) ||
		    g_strcmp0(below(l, d.file), path) != 0 || d.kind != newer->kind ||
		    d.execution != newer->execution)
			continue;
		if (d.is_branch || g_strcmp0(d.clause, newer->clause) == 0)
			value = d.value;
	}
	return value;
}

struct both {
	struct looking *newer, *old;
};

static void look_at_old(const char *folder, void *arg)
{
	struct both *both = arg;
	struct looking *l = both->old;
	struct regress_answer *a = l->r->answer;
	const struct regress_changes *c = l->r->versions->changes;
	guint at = 0;

	l->folder = folder;
	if (!record(l, folder)) {
		g_debug("the old version's run: %s", l->error ? l->error->message : "no trace");
		return;
	}
	for (guint i = 0; i < a->causes->len; i++) {
		GArray *statements = regress_answer_cause(a, i)->statements;

		for (guint k = 0; k < statements->len; k++, at++) {
			struct regress_statement *s =
				&g_array_index(statements, struct regress_statement, k);
			guint number = g_array_index(both->newer->numbers, guint, at);
			int file = s->file ? regress_file_named(c, s->file) : -1;
			const struct regress_file *f = file < 0 ? NULL : c->files->pdata[file];
			unsigned line = line_in_old(c, file, s->line);
			struct regress_definition d;

			if (!line || !s->value || number == NUMBERLESS ||
			    !regress_trace_describe(both->newer->trace, number, &d))
				continue;
			s->before = regress_answer_string(
				a, value_in_old(l, f ? f->old_path : s->file, line, &d));
		}
	}
}

static void look_at_new(const char *folder, void *arg)
{
	struct looking *l = arg;
	struct regress_answer *a = l->r->answer;
	struct looking old = { .r = l->r, .deadline = l->deadline };
	struct both both = { l, &old };
	g_autofree char *failure = NULL;

	l->folder = folder;
	if (!record(l, folder))
		return;
	failure = failure_in_words(&l->failing);
	if (failure) {
		g_free(a->failure);
		a->failure = g_steal_pointer(&failure);
	}
	find_all(l);
	if (a->causes->len && l->r->w.jobs > 1)
		workshop_lend(l->r->workshop, l->r->all, look_at_old, &both);
	forget(&old);
}

void regression_find_causes(struct regression *r)
{
	struct looking l = { .r = r,
			     .numbers = g_array_new(FALSE, FALSE, sizeof(guint)),
			     .deadline = MIN(r->deadline,
					     g_get_monotonic_time() +
						     SECONDS_FOR_CAUSES * G_USEC_PER_SEC) };
	gint64 start = g_get_monotonic_time();

	if (r->o->run && workshop_lend(r->workshop, r->none, look_at_new, &l) && l.error)
		regress_answer_note(
			r->answer,
			"The failing run could not be followed, so the candidates are the "
			"changes that it executes: %s",
			l.error->message);
	forget(&l);
	g_array_unref(l.numbers);
	r->answer->stats.analysis_s = (double)(g_get_monotonic_time() - start) / G_USEC_PER_SEC;
}
