/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/question/waiting.h"

#include "solver/image/variable/variable.h"
#include "solver/trace/waiting.h"

/* "p.c:6", or the address where the code has no line; caller frees. */
static char *place_of_code(const struct trace_run *run, uint64_t pc)
{
	uint64_t link;
	const struct trace_module *m = trace_run_module_at(run, pc, &link);
	const struct image_row *row = m ? image_row_at(m->image, link) : NULL;
	const struct image_statement *s = row ? image_statement(m->image, row->statement) : NULL;
	g_autofree char *file = s && s->file ? g_path_get_basename(s->file) : NULL;

	return file ? g_strdup_printf("%s:%u", file, s->line)
		    : g_strdup_printf("%#" G_GINT64_MODIFIER "x", pc);
}

static bool read_nothing(void *arg, uint64_t address, unsigned size, uint64_t *value)
{
	(void)arg, (void)address, (void)size, (void)value;
	return false;
}

/* "`b'", the variable in which the lock is, or its address; caller frees. */
static char *name_of_lock(const struct trace_run *run, uint64_t pc, uint64_t lock)
{
	uint64_t link;
	const struct trace_module *m = trace_run_module_at(run, pc, &link);
	struct image_frame frame = { .pc = link, .read = read_nothing };
	struct image_lvalue lv;
	char *name = NULL;

	if (m)
		frame.bias = m->bias;
	if (m && image_name_memory(m->image, &frame, lock, 4, &lv)) {
		/* the lock, and not its first member */
		name = g_strdup_printf("`%.*s'", (int)strcspn(lv.text, "."), lv.text);
		image_lvalue_clear(&lv);
	}
	return name ? name : g_strdup_printf("the lock at %#" G_GINT64_MODIFIER "x", lock);
}

static void add_owner(GString *text, const struct trace_run *run, const GArray *threads,
		      const struct waiting *w)
{
	g_autofree char *name = name_of_lock(run, w->pc, w->lock);

	g_string_append_printf(text, " for %s", name);
	for (guint i = 0; i < threads->len; i++) {
		const struct held_lock *held =
			waiting_holds(&g_array_index(threads, struct waiting, i), w->lock);
		g_autofree char *place = held ? place_of_code(run, held->pc) : NULL;

		if (held)
			g_string_append_printf(text, ", which thread %u took at %s", i + 1, place);
	}
}

/* The thread that holds what this one waits for; 0 = none does. */
static guint next_in_circle(const GArray *threads, guint thread)
{
	const struct waiting *w = &g_array_index(threads, struct waiting, thread - 1);

	for (guint i = 0; i < threads->len; i++)
		if (waiting_holds(&g_array_index(threads, struct waiting, i), w->lock))
			return i + 1;
	return 0;
}

static bool is_deadlock(const GArray *threads)
{
	for (guint first = 1; first <= threads->len; first++) {
		guint at = next_in_circle(threads, first);

		for (guint n = 0; at && at != first && n < threads->len; n++)
			at = next_in_circle(threads, at);
		if (at == first)
			return true;
	}
	return false;
}

/* Does each thread wait, without a limit of time, for what only another one can do? */
static bool all_wait(const GArray *threads)
{
	static const char *const names[] = { "pthread_cond_wait", "pthread_join",
					     "pthread_mutex_lock", NULL };

	for (guint i = 0; i < threads->len; i++) {
		const struct waiting *w = &g_array_index(threads, struct waiting, i);

		if (!w->pc || !w->name || !g_strv_contains(names, w->name))
			return false;
	}
	return threads->len > 1;
}

static char *in_words(const struct trace_run *run, const GArray *threads)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < threads->len; i++) {
		const struct waiting *w = &g_array_index(threads, struct waiting, i);
		g_autofree char *place = w->pc ? place_of_code(run, w->pc) : NULL;

		if (!w->pc)
			continue;
		g_string_append_printf(text, "%s%s", text->len ? "; " : "",
				       threads->len > 1 ? "thread " : "it");
		if (threads->len > 1)
			g_string_append_printf(text, "%u", i + 1);
		g_string_append_printf(text, " waits in %s at %s",
				       w->name ? w->name : "code of a library", place);
		if (w->lock)
			add_owner(text, run, threads, w);
	}
	if (is_deadlock(threads))
		g_string_append(text, ": a deadlock");
	else if (all_wait(threads))
		g_string_append(text, ": each waits for another one, a deadlock");
	return g_string_free(text, FALSE);
}

static void clear_waiting_thread(gpointer w)
{
	waiting_clear(w);
}

char *waiting_in_words(struct question *q, GError **error)
{
	const struct run_source *s = &q->run;
	struct trace_run *run = trace_run_open(s->failing.record, s->images, s->n_images, error);
	g_autoptr(GArray) threads = g_array_new(FALSE, FALSE, sizeof(struct waiting));
	char *text = NULL;
	bool ok = run != NULL;

	g_array_set_clear_func(threads, clear_waiting_thread);
	if (run)
		trace_run_end_at(run, &q->until);
	for (unsigned i = 0; ok && i < trace_run_threads(run); i++) {
		struct waiting w;

		ok = waiting_find(run, i, &w, error);
		if (ok)
			g_array_append_val(threads, w);
	}
	if (ok)
		text = in_words(run, threads);
	trace_run_free(run);
	return text;
}
