/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/regress/workshop/bench.h"
#include "gdbext/regress/workshop/folders.h"
#include "gdbext/replay/folder.h"
#include "solver/regress/set.h"

#include <string.h>

/* Files' times are as coarse as the kernel's clock tick (4 ms): what was built must be older than
 * what is written next. */
enum { TICK_US = 10000 };

struct bench *bench_new(char *folder, char *log)
{
	struct bench *b = g_new0(struct bench, 1);

	b->folder = folder;
	b->log = log;
	b->answers = g_strconcat(folder, ".answers", NULL);
	return b;
}

void bench_free(void *bench)
{
	struct bench *b = bench;

	g_free(b->folder);
	g_free(b->log);
	g_free(b->answers);
	g_clear_pointer(&b->reverted, g_array_unref);
	g_clear_pointer(&b->built, g_array_unref);
	g_free(b);
}

bool bench_make(struct bench *b, struct bench_plan *plan, const struct bench *built, GError **error)
{
	const char *from = built ? built->folder : plan->versions->new_folder;

	plan->left_out = 0;
	g_clear_pointer(&plan->example, g_free);
	if (!regress_folder_copy(from, b->folder,
				 plan->anywhere ? plan->versions->new_folder : NULL,
				 &plan->left_out, &plan->example, error))
		return false;
	if (built ? !regress_folder_copy(built->answers, b->answers, NULL, NULL, NULL, error)
		  : !regress_folder_make(b->answers, error))
		return false;
	b->reverted = built ? regress_set_copy(built->reverted) : regress_set_new();
	b->built = built ? regress_set_copy(built->built) : NULL;
	return true;
}

/* Going from one set to another. */
struct turn {
	struct bench *bench;
	const struct regress_changes *changes;
	const struct dependents *dependents;
	const GArray *reverted;
	gint64 time; /* all files that are written or touched get the same, ns */
	bool whole;  /* so much may depend on what differs that all has to be built again */
};

static bool same_state(const struct regress_state *a, const struct regress_state *b)
{
	return g_strcmp0(a->path, b->path) == 0 && a->mode == b->mode &&
	       (!a->path || g_bytes_equal(a->bytes, b->bytes));
}

/* All files that go are away before one comes: a folder may become a file. */
enum step { REMOVE, WRITE };

static bool turn_file(struct turn *t, unsigned file, enum step step, GError **error)
{
	const char *folder = t->bench->folder;
	struct regress_state was, is;
	bool ok = true;

	regress_file_compose(t->changes, file, t->bench->reverted, &was);
	regress_file_compose(t->changes, file, t->reverted, &is);
	if (!same_state(&was, &is)) {
		const char *path = is.path ? is.path : was.path;
		bool moved = g_strcmp0(was.path, is.path) != 0;

		if (step == REMOVE && was.path && moved)
			regress_folder_delete(folder, was.path);
		t->whole |= moved || dependents_is_of_the_build(path);
		if (step == WRITE && is.path)
			ok = regress_folder_write(folder, is.path, is.mode, is.bytes, t->time,
						  error);
		if (step == WRITE)
			dependents_touch(t->dependents, folder, path, t->time);
	}
	g_clear_pointer(&was.bytes, g_bytes_unref);
	g_clear_pointer(&is.bytes, g_bytes_unref);
	return ok;
}

/* The files in which two sets differ.  A new array. */
static GArray *files_between(const struct regress_changes *c, const GArray *a, const GArray *b)
{
	g_autoptr(GArray) added = regress_set_minus(a, b), removed = regress_set_minus(b, a);
	g_autoptr(GArray) differ = regress_set_union(added, removed);

	return regress_files_of(c, differ);
}

static bool turn_files(struct turn *t, const GArray *files, GError **error)
{
	static const enum step steps[] = { REMOVE, WRITE };

	for (size_t k = 0; k < G_N_ELEMENTS(steps); k++)
		for (guint i = 0; i < files->len; i++)
			if (!turn_file(t, regress_set_at(files, i), steps[k], error))
				return false;
	return true;
}

bool bench_turn_to(struct bench *b, const struct bench_plan *plan, const GArray *reverted,
		   GError **error)
{
	struct turn t = { b, plan->versions->changes, plan->dependents, reverted, 0, false };
	g_autoptr(GArray) files = files_between(t.changes, reverted, b->reverted);

	if (files->len)
		g_usleep(TICK_US);
	t.time = g_get_real_time() * 1000;
	if (!turn_files(&t, files, error))
		return false;
	if (t.whole) {
		folder_remove(b->answers); /* the questions may be others now */
		if (!regress_folder_make(b->answers, error))
			return false;
		dependents_touch_all(t.dependents, b->folder, t.time);
	}
	g_array_unref(b->reverted);
	b->reverted = regress_set_copy(reverted);
	return true;
}
