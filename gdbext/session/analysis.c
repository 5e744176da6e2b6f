/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/session/internal.h"

#include "solver/answer/json-read.h"
#include "tui/report/report.h"

#include <string.h>
#include <unistd.h>

/* Answers that come sooner are not announced by what was found on the way. */
enum { TICK_MS = 250, SOON_US = 1000000 };

struct analysis {
	struct session *session;
	enum analysis_kind kind;
	char *typed; /* as the user did */
	char **words;
	struct context context;
	char *run;	     /* which one it is about */
	struct child *child; /* NULL: not started */
	bool from_record, cancelled;
	gint64 started;		   /* monotonic microseconds */
	unsigned lines;		   /* that were typed when it was asked */
	unsigned spoken;	   /* ... when it last said what was found; 0: never */
	gsize read;		   /* of what the child said */
	struct explanation *found; /* so far; NULL: nothing */
	GHashTable *told;	   /* char *: which suspects were shown */
};

static void analysis_free(struct analysis *a)
{
	child_free(a->child);
	explanation_free(a->found);
	g_hash_table_destroy(a->told);
	context_clear(&a->context);
	g_strfreev(a->words);
	g_free(a->typed);
	g_free(a->run);
	g_free(a);
}

static struct analysis *at_work(const struct session *s)
{
	return g_queue_peek_head(s->analyses);
}

static gboolean on_tick(gpointer arg)
{
	struct session *s = arg;

	s->tick = true;
	return G_SOURCE_CONTINUE;
}

/* --- starting --- */

static char **command_line(struct analysis *a)
{
	struct session *s = a->session;
	g_autoptr(GPtrArray) words = g_ptr_array_new();
	const char *save = NULL;

	a->from_record = kept_is_there(s->kept, a->run);
	if (a->kind == ANALYSIS_SUSPECTS) {
		g_ptr_array_add(words, (char *)"--format=json");
		g_ptr_array_add(words, (char *)"--stream");
	} else if (a->kind == ANALYSIS_TREE) {
		g_ptr_array_add(words, (char *)"--color=never");
	}
	if (a->kind != ANALYSIS_TRY) {
		g_ptr_array_add(words, (char *)"--progress");
		save = a->from_record ? NULL : kept_take_new(s->kept, a->run);
	}
	if (save) {
		g_ptr_array_add(words, (char *)"--save-record");
		g_ptr_array_add(words, (char *)save);
	}
	for (char **word = a->words; *word; word++)
		g_ptr_array_add(words, *word);
	g_ptr_array_add(words, NULL);
	return context_command_line(s, &a->context, a->from_record ? kept_file(s->kept) : NULL,
				    a->kind == ANALYSIS_TRY ? "try" : "ask",
				    (const char *const *)words->pdata);
}

/* The first of those that wait, unless one is at work; those that cannot be are gone. */
static void start_next(struct session *s)
{
	struct analysis *a;

	while ((a = at_work(s)) && !a->child) {
		g_auto(GStrv) argv = command_line(a);
		g_autoptr(GError) error = NULL;

		a->started = g_get_monotonic_time();
		a->child = child_start(argv, &a->context, &error);
		if (a->child)
			break;
		fprintf(stderr, "%s\n", error->message);
		analysis_free(g_queue_pop_head(s->analyses));
	}
	if (a && !s->ticker)
		s->ticker = g_timeout_add(TICK_MS, on_tick, s);
	if (!a && s->ticker) {
		g_source_remove(s->ticker);
		s->ticker = 0;
	}
}

/* --- what it says --- */

static void show(const struct explanation *e, bool rows_only)
{
	struct tui_options o = { .max_suspects = SHOWN_SUSPECTS,
				 .others = rows_only ? NULL : "suspects",
				 .rows_only = rows_only };

	tui_print(stdout, e, &o);
}

/* Its last whole line; a line stands for all before it. */
static void read_found(struct analysis *a)
{
	const GString *said = child_said(a->child);
	const char *last = g_strrstr_len(said->str, (gssize)said->len, "\n");
	gsize end = last ? (gsize)(last - said->str) : 0, begin = end;
	struct explanation *e;

	if (a->kind != ANALYSIS_SUSPECTS || end <= a->read)
		return;
	while (begin && said->str[begin - 1] != '\n')
		begin--;
	a->read = end;
	e = tui_json_read(said->str + begin, (gssize)(end - begin), NULL);
	if (!e)
		return;
	explanation_free(a->found);
	a->found = e;
}

/* The same suspect has the same one in each line. */
static char *name_of(const struct explanation_suspect *suspect)
{
	GString *out = g_string_new(NULL);

	for (guint i = 0; i < suspect->statements->len; i++) {
		const struct explanation_statement *st =
			&g_array_index(suspect->statements, struct explanation_statement, i);

		g_string_append_printf(out, "%s:%u:%u:%s ", st->file, st->line, st->column,
				       st->clause);
	}
	return g_string_free(out, FALSE);
}

static void show_found(struct analysis *a)
{
	g_autoptr(GPtrArray) fresh = g_ptr_array_new();
	struct explanation part = *a->found;

	for (guint i = 0; i < a->found->suspects->len; i++)
		if (g_hash_table_add(a->told, name_of(a->found->suspects->pdata[i])))
			g_ptr_array_add(fresh, a->found->suspects->pdata[i]);
	if (!fresh->len)
		return;
	if (a->spoken != a->session->lines)
		printf("Found so far, for `%s':\n", a->typed);
	a->spoken = a->session->lines;
	part.suspects = fresh;
	show(&part, true);
}

static bool has_found_more(const struct analysis *a)
{
	return !a->session->in_order && !a->cancelled && a->found &&
	       a->found->suspects->len > g_hash_table_size(a->told) &&
	       g_get_monotonic_time() - a->started > SOON_US;
}

static const char *phase_of(const struct analysis *a)
{
	const GString *said = child_complaints(a->child);
	const char *last = g_strrstr_len(said->str, (gssize)said->len, "progress: ");

	if (a->kind == ANALYSIS_TRY)
		return "running the program with the change";
	if (!last || g_str_has_prefix(last, "progress: record"))
		return a->from_record ? "reading the record" : "recording the run";
	return g_str_has_prefix(last, "progress: prove") ? "proving" : "solving";
}

char *analysis_status(const struct session *s)
{
	const struct analysis *a = at_work(s);
	GString *out;

	if (!a || !a->child)
		return NULL;
	out = g_string_new(NULL);
	g_string_printf(out, "%s: %s", a->typed, a->cancelled ? "being cancelled" : phase_of(a));
	if (a->found && a->found->suspects->len)
		g_string_append_printf(out, ", %u found", a->found->suspects->len);
	g_string_append_printf(out, ", %u s",
			       (unsigned)((g_get_monotonic_time() - a->started) / 1000000));
	if (s->analyses->length > 1)
		g_string_append_printf(out, "; %u waiting", s->analyses->length - 1);
	g_string_append(out, " (Ctrl-C cancels)");
	return g_string_free(out, FALSE);
}

/* --- its end --- */

static void complain(const struct analysis *a)
{
	g_auto(GStrv) lines = g_strsplit(child_complaints(a->child)->str, "\n", -1);

	for (char **line = lines; *line; line++) {
		const char *text = *line;

		if (g_str_has_prefix(text, "gdb-why: "))
			text += strlen("gdb-why: ");
		if (*text && !g_str_has_prefix(text, "progress: "))
			fprintf(stderr, "%s\n", text);
	}
}

/* What the record is not good for is asked anew. */
static bool is_to_be_run(const struct analysis *a, int status)
{
	struct session *s = a->session;

	if (!a->from_record || a->cancelled)
		return false;
	return strstr(child_complaints(a->child)->str, kept_file(s->kept)) ||
	       (a->kind == ANALYSIS_SUSPECTS && a->found && a->found->not_run) ||
	       (a->kind == ANALYSIS_TRY && status);
}

/* The answer stays, for the other commands. */
static void take_answer(struct analysis *a)
{
	struct session *s = a->session;
	const GString *said = child_said(a->child);

	if (a->kind == ANALYSIS_TRY || !said->len) {
		fputs(said->str, stdout);
	} else if (a->kind == ANALYSIS_TREE) {
		g_free(s->tree);
		s->tree = g_strdup(said->str);
		fputs(s->tree, stdout);
	} else if (a->found) {
		g_clear_pointer(&s->tree, g_free);
		explanation_free(s->answer);
		s->answer = g_steal_pointer(&a->found);
		show(s->answer, false);
	}
}

/* Shows it and what it complains of; an answer that comes late says to what. */
static void finish(struct analysis *a, int status)
{
	if (a->cancelled) {
		printf("`%s' is cancelled.\n", a->typed);
		return;
	}
	if (a->lines != a->session->lines)
		printf("Answer to `%s':\n", a->typed);
	fflush(stdout);
	a->session->command_failed = status != 0;
	complain(a);
	if (status > 128)
		fprintf(stderr, "The analysis was ended by signal %d.\n", status - 128);
	else
		take_answer(a);
}

static void run_again(struct analysis *a)
{
	kept_is_useless(a->session->kept);
	g_clear_pointer(&a->child, child_free);
	g_clear_pointer(&a->found, explanation_free);
	a->read = 0;
}

/* --- what the prompt does --- */

bool analysis_has_news(const struct session *s)
{
	struct analysis *a = at_work(s);
	int status;

	if (!a || !a->child)
		return false;
	read_found(a);
	return child_has_ended(a->child, &status) || has_found_more(a);
}

void analysis_show_news(struct session *s)
{
	struct analysis *a = at_work(s);
	int status;

	if (a && child_has_ended(a->child, &status)) {
		if (is_to_be_run(a, status)) {
			run_again(a);
		} else {
			g_queue_pop_head(s->analyses);
			finish(a, status);
			analysis_free(a);
		}
		start_next(s);
	} else if (a && has_found_more(a)) {
		show_found(a);
	}
	fflush(stdout);
}

bool analysis_is_busy(const struct session *s)
{
	return at_work(s) != NULL;
}

const char *analysis_of_suspects(const struct session *s, const struct explanation **found)
{
	for (GList *l = s->analyses->head; l; l = l->next) {
		const struct analysis *a = l->data;

		*found = a->found;
		if (a->kind == ANALYSIS_SUSPECTS && !a->cancelled)
			return a->typed;
	}
	return NULL;
}

void analysis_cancel(struct session *s)
{
	struct analysis *a = at_work(s);

	if (!a)
		return;
	a->cancelled = true;
	child_cancel(a->child);
	while (s->analyses->length > 1) {
		struct analysis *waiting = g_queue_pop_tail(s->analyses);

		printf("`%s' is cancelled.\n", waiting->typed);
		analysis_free(waiting);
	}
}

/* In scripts one line follows the other. */
static void wait_for_all(struct session *s)
{
	bool shows = isatty(STDOUT_FILENO);

	while (at_work(s)) {
		g_autofree char *status = shows ? analysis_status(s) : NULL;

		if (status)
			printf("\r\033[K%s", status);
		fflush(stdout);
		session_turn(s);
		if (s->interrupted || s->hung_up || s->lost)
			analysis_cancel(s);
		s->interrupted = false;
		if (!analysis_has_news(s))
			continue;
		if (shows)
			fputs("\r\033[K", stdout);
		analysis_show_news(s);
	}
}

void analysis_ask(struct session *s, enum analysis_kind kind, const char *typed, char **words,
		  struct context *c)
{
	struct analysis *a = g_new0(struct analysis, 1);
	const struct analysis *before = at_work(s);

	a->session = s;
	a->kind = kind;
	a->typed = g_strdup(typed);
	a->words = words;
	a->context = *c;
	*c = (struct context){ 0 };
	a->run = kept_describe_run(s, &a->context);
	a->lines = s->lines;
	a->told = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	if (before)
		printf("`%s' will be answered after `%s'; Ctrl-C cancels both.\n", typed,
		       before->typed);
	g_queue_push_tail(s->analyses, a);
	start_next(s);
	if (s->in_order)
		wait_for_all(s);
}

void analysis_end_all(struct session *s)
{
	struct analysis *a = at_work(s);
	int status;

	if (a) {
		child_cancel(a->child);
		while (!child_has_ended(a->child, &status))
			g_main_context_iteration(NULL, TRUE);
	}
	while ((a = g_queue_pop_head(s->analyses)))
		analysis_free(a);
	start_next(s);
}
