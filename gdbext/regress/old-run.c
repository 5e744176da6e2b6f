/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the old version's run did at the statements that the failure was caused by.
 *
 *     old               new              the failing run does not show that something is missing
 *     x = 5;            x = 5;
 *     if (big)                           the old run does: its x at use() comes from `x = 7', which
 *       x = 7;                           no statement of the new run is aligned with
 *     use(x);           use(x);
 */
#include "gdbext/regress/looking-private.h"
#include "solver/regress/trace/align.h"
#include "solver/regress/set.h"

struct both {
	struct looking *newer, *old;
	struct regress_alignment *in_new, *in_old;
};

/* The line of the old version for a line of the new one; for a changed line, the line that it
 * was made of. 0 = there is none. */
static unsigned line_in_old(const struct regress_changes *c, int file, unsigned line)
{
	const struct regress_file *f = file < 0 ? NULL : c->files->pdata[file];
	unsigned old = f ? regress_old_line(c, (unsigned)file, line) : line;

	for (guint i = f ? f->first : 0; f && !old && i < f->first + f->count; i++) {
		const struct regress_change *x = regress_change_at(c, i);

		if (x->kind == REGRESS_LINES && line >= x->new_first &&
		    line < x->new_first + x->new_count && x->old_count)
			old = x->old_first + MIN(line - x->new_first, x->old_count - 1);
	}
	return old;
}

static guint64 place_key(const char *path, unsigned line)
{
	return (guint64)g_str_hash(path) << 32 | line;
}

static guint64 place_in_new(void *arg, const char *file, unsigned line)
{
	struct looking *l = arg;
	const struct regress_changes *c = l->r->versions->changes;
	const char *path = looking_file(l, file);
	int at = path ? regress_file_named(c, path) : -1;
	const struct regress_file *f = at < 0 ? NULL : c->files->pdata[at];
	unsigned old = path ? line_in_old(c, at, line) : 0;

	return old ? place_key(f && f->old_path ? f->old_path : path, old) : 0;
}

static guint64 place_in_old(void *arg, const char *file, unsigned line)
{
	const char *path = looking_file(arg, file);

	return path ? place_key(path, line) : 0;
}

/* Is there nothing in the new version that could have been executed in its place? */
static bool is_lost(const struct regression *r, const struct regress_change *x)
{
	const char *path = regress_file_of(r->versions->changes, x->number)->new_path;

	for (unsigned i = 0; i < x->new_count; i++)
		if (coverage_of(r->new_coverage, path, x->new_first + i) >= 0)
			return false;
	return x->kind == REGRESS_LINES && (!x->new_count || r->new_coverage);
}

/* Adds the changes that took the line of the old version away. */
static void add_changes_of_old(struct looking *old, guint number, GArray *changes)
{
	const struct regress_changes *c = old->r->versions->changes;
	struct regress_definition d;
	const char *path;

	if (!regress_trace_describe(old->trace, number, &d) || !(path = looking_file(old, d.file)))
		return;
	for (guint i = 0; i < regress_changes_count(c); i++) {
		const struct regress_change *x = regress_change_at(c, i);

		if (d.line >= x->old_first && d.line < x->old_first + x->old_count &&
		    is_lost(old->r, x) && g_strcmp0(regress_file_of(c, i)->old_path, path) == 0)
			regress_set_add(changes, i);
	}
}

static bool is_in_new(const struct both *b, guint number)
{
	return regress_alignment_find(b->in_new, regress_alignment_index(b->in_old, number)) >= 0;
}

/* What a definition of the old run rests on there, as far as only that run has it. */
static void follow_old(struct both *b, guint number, GHashTable *seen, GArray *changes)
{
	g_autoptr(GArray) uses = regress_trace_uses(b->old->trace, number);
	g_autoptr(GArray) branches = regress_trace_critical(b->old->trace, number);

	g_array_append_vals(uses, branches->data, branches->len);
	for (guint i = 0; i < uses->len; i++) {
		guint use = g_array_index(uses, guint, i);

		if (use >= number || !g_hash_table_add(seen, GUINT_TO_POINTER(use + 1)) ||
		    g_hash_table_size(seen) > b->old->r->o->limits.regress_definitions)
			continue;
		add_changes_of_old(b->old, use, changes);
		if (!is_in_new(b, use))
			follow_old(b, use, seen, changes);
	}
}

/* The old run did not come to the statement: a branch before it, which the new version has no more,
 * may have gone another way. */
static void add_lost_branches(struct both *b, const struct regress_statement *s, GArray *changes)
{
	const struct regress_changes *c = b->old->r->versions->changes;
	unsigned line = line_in_old(c, s->file ? regress_file_named(c, s->file) : -1, s->line);

	for (guint i = 0; i < regress_trace_count(b->old->trace); i++) {
		struct regress_definition d;

		if (!regress_trace_is_branch(b->old->trace, i) || is_in_new(b, i) ||
		    !regress_trace_describe(b->old->trace, i, &d))
			continue;
		if (g_strcmp0(d.function, s->function) == 0 && d.line <= line)
			add_changes_of_old(b->old, i, changes);
	}
}

/* Where the failure is no definition of the new run: what the old run did on its line.  False: it
 * did not come there. */
static bool follow_line(struct both *b, const struct regress_statement *s, GHashTable *seen)
{
	const struct regress_changes *c = b->old->r->versions->changes;
	int file = s->file ? regress_file_named(c, s->file) : -1;
	const struct regress_file *f = file < 0 ? NULL : c->files->pdata[file];
	const char *path = f ? f->old_path : s->file;
	unsigned line = line_in_old(c, file, s->line);
	bool found = false;

	for (guint i = 0; path && i < regress_trace_count(b->old->trace); i++) {
		struct regress_definition d;

		if (!regress_trace_describe(b->old->trace, i, &d) || d.line != line ||
		    g_strcmp0(looking_file(b->old, d.file), path) != 0)
			continue;
		follow_old(b, i, seen, s->changes);
		found = true;
	}
	return found;
}

static void hold_changes(struct regress_cause *cause, const struct regress_statement *s)
{
	for (guint i = 0; i < s->changes->len; i++)
		regress_set_add(cause->changes, regress_set_at(s->changes, i));
}

static void compare_statement(struct both *b, struct regress_cause *cause,
			      struct regress_statement *s, guint number)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
	struct regress_definition now, then;
	gint64 old;

	if (number == NUMBERLESS) {
		if (!follow_line(b, s, seen))
			add_lost_branches(b, s, s->changes);
		hold_changes(cause, s);
		return;
	}
	if (!regress_trace_describe(b->newer->trace, number, &now))
		return;
	old = regress_alignment_find(b->in_old, regress_alignment_index(b->in_new, number));
	if (old < 0)
		add_lost_branches(b, s, s->changes);
	if (old >= 0 && s->value && regress_trace_describe(b->old->trace, (guint)old, &then) &&
	    (then.is_branch || g_strcmp0(then.clause, now.clause) == 0))
		s->before = regress_answer_string(b->newer->r->answer, then.value);
	if (s->value && g_strcmp0(s->value, s->before) == 0)
		return;
	if (old >= 0)
		follow_old(b, (guint)old, seen, s->changes);
	hold_changes(cause, s);
}

static void look_at_old(const char *folder, void *arg)
{
	struct both *b = arg;
	struct regress_answer *a = b->old->r->answer;
	guint at = 0;

	b->old->folder = folder;
	if (!looking_record(b->old, folder)) {
		g_debug("the old version's run: %s",
			b->old->error ? b->old->error->message : "no trace");
		return;
	}
	b->in_new = regress_alignment_new(b->newer->trace, place_in_new, b->newer);
	b->in_old = regress_alignment_new(b->old->trace, place_in_old, b->old);
	for (guint i = 0; i < a->causes->len; i++) {
		struct regress_cause *cause = regress_answer_cause(a, i);

		for (guint k = 0; k < cause->statements->len; k++, at++)
			compare_statement(
				b, cause,
				&g_array_index(cause->statements, struct regress_statement, k),
				g_array_index(b->newer->numbers, guint, at));
	}
	regress_alignment_free(b->in_new);
	regress_alignment_free(b->in_old);
}

void regression_compare_runs(struct looking *newer)
{
	struct looking old = { .r = newer->r, .deadline = newer->deadline };
	struct both both = { .newer = newer, .old = &old };

	workshop_lend(newer->r->workshop, newer->r->all, look_at_old, &both);
	looking_forget(&old);
}
