/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/evaluate/flow.h"

#include <stdio.h>
#include <unistd.h>

/* One line on a terminal, which is written anew. */
static void show_progress(const struct subject *s, const struct subject_version *v, unsigned number,
			  unsigned all)
{
	if (!isatty(STDERR_FILENO))
		return;
	if (v)
		fprintf(stderr, "\r\033[K%u of %u versions: %s %s", number, all, s->name, v->name);
	else
		fprintf(stderr, "\r\033[K");
	fflush(stderr);
}

static bool measure_cell(const struct flow *f, const struct subject *s,
			 const struct subject_version *v, GError **error)
{
	g_autoptr(GString) rows = g_string_new(NULL), times = g_string_new(NULL);
	struct spectra_rows out = { rows, times };
	g_autofree char *skipped = NULL;
	struct workplace_cell cell;

	if (!measure_version(&f->measure, s, v, &out, &skipped, error))
		return false;
	cell = (struct workplace_cell){ rows->str, times->str, skipped };
	return workplace_put(f->measure.place, s, v, &cell, error);
}

static unsigned count_versions(const struct flow *f)
{
	unsigned n = 0;

	for (guint i = 0; i < f->subjects->len; i++)
		n += ((const struct subject *)f->subjects->pdata[i])->versions->len;
	return n;
}

struct pass {
	enum workplace_state of; /* which versions are measured in it */
	GHashTable *done;	 /* those that this flow measured before, or skipped */
};

/* number: of the subject's first version among all. */
static bool run_subject(const struct flow *f, const struct subject *s, unsigned number,
			const struct pass *pass, struct flow_count *count, GError **error)
{
	unsigned all = count_versions(f);

	for (guint i = 0; i < s->versions->len; i++) {
		struct subject_version *v = s->versions->pdata[i];

		if ((number + i) % f->shards != f->shard - 1 ||
		    workplace_state(f->measure.place, s, v) != pass->of ||
		    !g_hash_table_add(pass->done, v))
			continue;
		show_progress(s, v, number + i + 1, all);
		if (!measure_cell(f, s, v, error))
			return false;
		count->measured++;
	}
	return true;
}

static bool run_pass(const struct flow *f, const struct pass *pass, struct flow_count *count,
		     GError **error)
{
	unsigned number = 0;
	bool ok = true;

	for (guint i = 0; ok && i < f->subjects->len; i++) {
		const struct subject *s = f->subjects->pdata[i];

		ok = run_subject(f, s, number, pass, count, error);
		number += s->versions->len;
	}
	return ok;
}

/* What was skipped is tried again, because the reason may be gone, but after all others: so each
 * attempt of several that are ended early comes farther. */
bool flow_run(const struct flow *f, struct flow_count *count, GError **error)
{
	g_autoptr(GHashTable) done = g_hash_table_new(NULL, NULL);
	const struct pass first = { WORKPLACE_NEW, done }, again = { WORKPLACE_SKIPPED, done };
	bool ok;

	*count = (struct flow_count){ 0 };
	ok = run_pass(f, &first, count, error) && run_pass(f, &again, count, error);
	show_progress(NULL, NULL, 0, 0);
	return ok;
}
