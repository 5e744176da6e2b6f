/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/command/evaluate.h"

#include "gdbext/command/evaluate-show.h"
#include "gdbext/evaluate/flow.h"
#include "gdbext/evaluate/import.h"
#include "gdbext/evidence/rank-formula.h"
#include "gdbext/question/ending.h"
#include "gdbext/replay/cage/supervisor.h"

#include <stdio.h>
#include <string.h>

/* "2/5" */
static bool read_shard(const char *text, struct flow *f, GError **error)
{
	g_auto(GStrv) words = g_strsplit(text ? text : "1/1", "/", 2);
	guint64 shard, shards;

	if (!words[0] || !words[1] ||
	    !g_ascii_string_to_unsigned(words[1], 10, 1, G_MAXINT32, &shards, NULL) ||
	    !g_ascii_string_to_unsigned(words[0], 10, 1, shards, &shard, NULL))
		return options_wrong(error,
				     "--shard takes I/N, the I-th of N parts, such as 2/5, "
				     "not `%s'",
				     text);
	f->shard = (unsigned)shard;
	f->shards = (unsigned)shards;
	return true;
}

/* "100,50": the largest first. */
static GArray *read_sizes(const char *text, GError **error)
{
	g_auto(GStrv) words = g_strsplit(text ? text : "100", ",", -1);
	GArray *sizes = g_array_new(FALSE, FALSE, sizeof(unsigned));

	for (char **w = words; *w; w++) {
		guint64 percent;
		unsigned size;

		if (!g_ascii_string_to_unsigned(g_strstrip(*w), 10, 1, 100, &percent, NULL)) {
			options_wrong(error,
				      "--sizes takes percentages of the suite, such as "
				      "100,75,50,25, not `%s'",
				      *w);
			g_array_unref(sizes);
			return NULL;
		}
		size = (unsigned)percent;
		g_array_append_val(sizes, size);
	}
	return sizes;
}

/* What measurements depend on. */
static char *describe_settings(const struct options *o, const struct measure *m)
{
	GString *text = g_string_new("techniques:");

	for (guint i = 0; i < m->techniques->len; i++)
		g_string_append_printf(
			text, " %s,",
			technique_name(&g_array_index(m->techniques, struct technique, i)));
	g_string_append(text, "\nsizes:");
	for (guint i = 0; i < m->suites.percents->len; i++)
		g_string_append_printf(text, " %u", g_array_index(m->suites.percents, unsigned, i));
	g_string_append_printf(text,
			       "\nseeds: %u\nfailing: %s\ntimeout: %g\nrun-timeout: %g\n"
			       "evidence: %s\n",
			       m->suites.seeds, o->failing ? o->failing : OPTIONS_FAILING,
			       o->timeout, o->run_timeout, o->no_evidence ? "no" : "yes");
	for (char **word = o->limit_words; word && *word; word++)
		g_string_append_printf(text, "limit: %s\n", *word);
	return g_string_free(text, FALSE);
}

static bool read_measure(const struct options *o, struct measure *m, GError **error)
{
	m->o = o;
	m->techniques =
		rank_formula_techniques(o->technique ? o->technique : "all", &o->limits, error);
	m->suites.percents = m->techniques ? read_sizes(o->sizes, error) : NULL;
	m->suites.seeds = o->seeds;
	return m->suites.percents;
}

static gint by_name(gconstpointer a, gconstpointer b)
{
	const struct subject *x = *(struct subject *const *)a, *y = *(struct subject *const *)b;

	return subject_compare_names(&x->name, &y->name);
}

static bool read_subjects(const struct options *o, GPtrArray *subjects, GError **error)
{
	for (char **word = o->program; *word; word++)
		if (!import_subjects(*word, o->output, subjects, error))
			return false;
	g_ptr_array_sort(subjects, by_name);
	for (guint i = 1; i < subjects->len; i++)
		if (!by_name(&subjects->pdata[i - 1], &subjects->pdata[i]))
			return options_wrong(error,
					     "there are two subjects %s; give one another name in "
					     "its subject.conf, or, where it has none, rename its "
					     "folder and name another --output",
					     ((struct subject *)subjects->pdata[i])->name);
	return subjects->len || options_wrong(error, "no subject was named; gdb-why evaluate takes "
						     "folders with a file subject.conf, such as "
						     "samples/advisory");
}

static void print_versions(const GPtrArray *subjects)
{
	for (guint i = 0; i < subjects->len; i++) {
		const struct subject *s = subjects->pdata[i];

		for (guint k = 0; k < s->versions->len; k++) {
			const struct subject_version *v = s->versions->pdata[k];

			printf("%s\t%s\t", s->name, v->name);
			for (guint n = 0; n < v->faulty->len; n++) {
				const struct subject_place *p =
					&g_array_index(v->faulty, struct subject_place, n);

				printf("%s%s%s%u", n ? "," : "", p->file ? p->file : "",
				       p->file ? ":" : "", p->line);
			}
			printf("%s\n", v->omission ? "\tomission" : "");
		}
	}
}

/* shards: of how many parts this is one; the versions of the others are then not missed. */
static bool gather_evaluations(const struct workplace *w, unsigned shards, GError **error)
{
	struct workplace_count count;
	g_autofree char *missing = NULL;

	if (!workplace_gather(w, &count, error))
		return false;
	if (count.missing && shards == 1)
		missing = g_strdup_printf(", %u not measured yet", count.missing);
	fprintf(stderr, "gdb-why: %u version%s measured, %u skipped%s%s; %s/results.csv\n",
		count.measured, count.measured == 1 ? "" : "s", count.skipped,
		count.skipped ? " (skipped.csv says why)" : "", missing ? missing : "", w->folder);
	return true;
}

static bool run_evaluation(struct flow *f, GError **error)
{
	struct workplace *w = f->measure.place;
	struct flow_count count;
	bool ok;

	w->supervisor = supervisor_new(NULL, NULL, 0, error);
	ok = w->supervisor && workplace_expect(w, f->subjects, error) && flow_run(f, &count, error);
	/* what there is is worth looking at, also after an interrupt */
	return gather_evaluations(w, f->shards, ok ? error : NULL) && ok;
}

static int evaluate_by_measuring(const struct options *o, GError **error)
{
	g_autoptr(GPtrArray) subjects =
		g_ptr_array_new_with_free_func((GDestroyNotify)subject_free);
	struct flow f = { .subjects = subjects };
	g_autofree char *settings = NULL;
	bool ok = read_shard(o->shard, &f, error) && read_measure(o, &f.measure, error) &&
		  read_subjects(o, subjects, error);

	if (ok && o->list) {
		print_versions(subjects);
	} else if (ok) {
		settings = describe_settings(o, &f.measure);
		f.measure.place = workplace_new(o->output, settings, o->build_timeout, error);
		ok = f.measure.place && run_evaluation(&f, error);
	}
	workplace_free(f.measure.place);
	if (f.measure.techniques)
		g_array_unref(f.measure.techniques);
	if (f.measure.suites.percents)
		g_array_unref(f.measure.suites.percents);
	return ok ? OPTIONS_EXIT_EXPLAINED : ending_status(*error);
}

/* The settings of the first one are those of all. */
static int merge_evaluations(const struct options *o, GError **error)
{
	g_autofree char *path =
		g_build_filename(o->program[0] ? o->program[0] : "", "settings.txt", NULL);
	g_autofree char *settings = NULL;
	struct workplace *w;
	bool ok;

	if (!o->program[0]) {
		options_wrong(error, "--merge takes the --output folders of the parts: gdb-why "
				     "evaluate --merge -o ALL PART1 PART2");
		return OPTIONS_EXIT_USAGE;
	}
	if (!g_file_get_contents(path, &settings, NULL, NULL)) {
		options_wrong(error, "%s is not the --output folder of an evaluation",
			      o->program[0]);
		return OPTIONS_EXIT_USAGE;
	}
	w = workplace_new(o->output, settings, o->build_timeout, error);
	ok = w;
	for (char **word = o->program; ok && *word; word++)
		ok = workplace_check(w, *word, error) && workplace_take(w, *word, error);
	ok = ok && gather_evaluations(w, 1, error);
	workplace_free(w);
	return ok ? OPTIONS_EXIT_EXPLAINED : OPTIONS_EXIT_USAGE;
}

int evaluate_command(const struct options *given, GError **error)
{
	struct options o = *given;
	g_autofree char *output = g_strdup(o.output ? o.output : "evaluation");

	o.output = output;
	if (o.merge)
		return merge_evaluations(&o, error);
	if (o.table || o.accuracy_graph || o.page)
		return evaluate_show(&o, error);
	return evaluate_by_measuring(&o, error);
}
