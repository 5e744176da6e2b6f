/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/session/internal.h"

#include "gdbext/ipc/child.h"
#include "tui/report/report.h"

#include <unistd.h>

/* Answers that come sooner are not announced by what was found on the way. */
enum { TICK_MS = 250, SOON_US = 1000000 };

struct analysis {
	struct session *session;
	enum analysis_kind kind;
	char *typed; /* as the user did */
	char **words;
	struct context context;
	char *run;		 /* which one it is about */
	struct ipc_child *child; /* NULL: not started */
	bool from_record, cancelled;
	gint64 started;	 /* monotonic microseconds */
	unsigned lines;	 /* that were typed when it was asked */
	unsigned spoken; /* ... when it last said what was found; 0: never */
	enum event_stage stage;
	struct explanation *found; /* so far; NULL: nothing */
	char *text;		   /* the answer, when it has no suspects; NULL: not yet */
	char *asked;		   /* what it says before it waits for a word; NULL: nothing new */
	bool waits;		   /* for a word of the user (analysis_say) */
	GHashTable *told;	   /* char *: which suspects were shown */
};

static void analysis_free(struct analysis *a)
{
	ipc_child_free(a->child);
	explanation_free(a->found);
	g_free(a->text);
	g_free(a->asked);
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

static const char *const commands[] = {
	[ANALYSIS_SUSPECTS] = "ask",
	[ANALYSIS_TREE] = "ask",
	[ANALYSIS_TRY] = "try",
	[ANALYSIS_SPECS] = "specs",
};

static bool is_asking(const struct analysis *a)
{
	return a->kind == ANALYSIS_SUSPECTS || a->kind == ANALYSIS_TREE;
}

/* Options alone ask about a whole run, which has to be made for it. */
static bool is_analysis_of_run(const struct analysis *a)
{
	const guint n = g_strv_length(a->words);

	return a->kind == ANALYSIS_SUSPECTS && n && *a->words[0] == '-' &&
	       !g_str_has_prefix(a->words[n - 1], "why not ");
}

static char **command_line(struct analysis *a)
{
	struct session *s = a->session;
	g_autoptr(GPtrArray) words = g_ptr_array_new();
	const char *save = NULL;

	/* specs runs another program: a copy whose calls are checked */
	a->from_record = a->kind != ANALYSIS_SPECS && !is_analysis_of_run(a) &&
			 kept_is_there(s->kept, a->run);
	if (is_asking(a) && !is_analysis_of_run(a) && !a->from_record)
		save = kept_take_new(s->kept, a->run);
	if (save) {
		g_ptr_array_add(words, (char *)"--save-record");
		g_ptr_array_add(words, (char *)save);
	}
	for (char **word = a->words; *word; word++)
		g_ptr_array_add(words, *word);
	g_ptr_array_add(words, NULL);
	return context_command_line(s, &a->context, a->from_record ? kept_file(s->kept) : NULL,
				    is_analysis_of_run(a) ? "explain" : commands[a->kind],
				    (const char *const *)words->pdata);
}

static void on_analysis_event(void *arg, struct event *e)
{
	struct analysis *a = arg;

	if (e->kind == EVENT_PROGRESS)
		a->stage = e->stage;
	if (e->answer) {
		explanation_free(a->found);
		a->found = g_steal_pointer(&e->answer);
	}
	if (e->kind == EVENT_ASK) {
		g_free(a->asked);
		a->asked = g_strdup(e->text);
		a->waits = true;
	}
	if (e->kind == EVENT_RESULT && e->text) {
		g_free(a->text);
		a->text = g_strdup(e->text);
	}
}

/* Who waits for it looks at its status. */
static void on_analysis_end(void *arg)
{
	(void)arg;
}

static bool start_analysis(struct analysis *a, GError **error)
{
	g_auto(GStrv) argv = command_line(a);
	const struct ipc_start how = { .argv = argv,
				       .environment = a->context.environment,
				       .directory = a->context.directory,
				       .is_answered = a->kind == ANALYSIS_SPECS,
				       .on_event = on_analysis_event,
				       .on_end = on_analysis_end,
				       .arg = a };

	a->started = g_get_monotonic_time();
	a->stage = EVENT_RECORD;
	a->child = ipc_child_new(&how, error);
	return a->child != NULL;
}

/* The first of those that wait, unless one is at work; those that cannot be are gone. */
static void start_next(struct session *s)
{
	struct analysis *a;

	while ((a = at_work(s)) && !a->child) {
		g_autoptr(GError) error = NULL;

		if (start_analysis(a, &error))
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

static void show_answer(struct session *s, const struct explanation *e, bool rows_only)
{
	struct tui_options o = { .max_suspects = SHOWN_SUSPECTS,
				 .others = rows_only ? NULL : "suspects",
				 .way = "chain 1",
				 .go_to = WHAT_NEXT,
				 .rows_only = rows_only };

	log_show(s, e, &o);
}

/* A name for the suspect, the same in each event. */
static char *name_of_suspect(const struct explanation_suspect *suspect)
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

static void show_found_suspects(struct analysis *a)
{
	g_autoptr(GPtrArray) fresh = g_ptr_array_new();
	struct explanation part = *a->found;

	for (guint i = 0; i < a->found->suspects->len; i++)
		if (g_hash_table_add(a->told, name_of_suspect(a->found->suspects->pdata[i])))
			g_ptr_array_add(fresh, a->found->suspects->pdata[i]);
	if (!fresh->len)
		return;
	if (a->spoken != a->session->lines)
		printf("Found so far, for `%s':\n", a->typed);
	a->spoken = a->session->lines;
	part.suspects = fresh;
	show_answer(a->session, &part, true);
}

static bool has_found_more(const struct analysis *a)
{
	return !a->session->in_order && !a->cancelled && a->found &&
	       a->found->suspects->len > g_hash_table_size(a->told) &&
	       g_get_monotonic_time() - a->started > SOON_US;
}

static const char *phase_of(const struct analysis *a)
{
	if (a->kind == ANALYSIS_TRY)
		return "running the program with the change";
	if (a->stage == EVENT_RECORD)
		return a->from_record ? "reading the record" : "recording the run";
	return a->stage == EVENT_PROVE ? "proving" : "solving";
}

char *analysis_status(const struct session *s)
{
	const struct analysis *a = at_work(s);
	GString *out;

	if (!a || !a->child || a->waits)
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

/* What the record is not good for is asked anew. */
static bool is_to_be_run(const struct analysis *a)
{
	if (!a->from_record || a->cancelled)
		return false;
	return ipc_child_blames_record(a->child) ||
	       (a->kind == ANALYSIS_SUSPECTS && a->found && a->found->not_run) ||
	       (a->kind == ANALYSIS_TRY && ipc_child_status(a->child));
}

/* The question whose answer has rows to go on from, behind its options; NULL: it has none. */
static const char *question_with_rows(const struct analysis *a)
{
	const char *question =
		a->kind == ANALYSIS_TREE ? a->words[g_strv_length(a->words) - 1] : "why output";
	const char *about = ask_behind_word(question, "why"), *denied;

	about = about ? row_behind_options(about) : question;
	denied = ask_behind_word(about, "not");
	return ask_behind_word(denied ? denied : about, "output") ? NULL : question;
}

static void take_tree(struct session *s, struct analysis *a)
{
	g_free(s->tree);
	g_free(s->tree_question);
	g_free(s->tree_about);
	s->tree = g_steal_pointer(&a->text);
	s->tree_question = g_strdup(question_with_rows(a));
	s->tree_about = row_about(a->context.options, a->run);
}

/* Of the question's words those that say what has to be printed, which a change is judged by, too.
 * Free them. */
static char **words_that_judge(char *const *words)
{
	GPtrArray *out = g_ptr_array_new();

	for (; words && *words; words++) {
		if (!g_str_has_prefix(*words, "--expect") && !g_str_has_prefix(*words, "--golden"))
			continue;
		g_ptr_array_add(out, g_strdup(*words));
		if (!strchr(*words, '=') && words[1])
			g_ptr_array_add(out, g_strdup(*++words));
	}
	g_ptr_array_add(out, NULL);
	return (char **)g_ptr_array_free(out, FALSE);
}

/* The answer stays, for the other commands. */
static void take_answer(struct analysis *a)
{
	struct session *s = a->session;

	if (a->text)
		log_say(s, a->text);
	if ((a->kind == ANALYSIS_TREE || a->kind == ANALYSIS_SPECS) && a->text) {
		take_tree(s, a);
	} else if (a->kind == ANALYSIS_SUSPECTS && a->found) {
		g_clear_pointer(&s->tree, g_free);
		g_clear_pointer(&s->tree_question, g_free);
		explanation_free(s->answer);
		g_strfreev(s->judges);
		s->judges = words_that_judge(a->words);
		s->answer = g_steal_pointer(&a->found);
		show_answer(s, s->answer, false);
		predict_compare(s, s->answer);
	}
}

/* Shows it and what it complains of; an answer that comes late says to what. */
static void finish_analysis(struct analysis *a)
{
	int status = ipc_child_status(a->child);

	if (a->cancelled) {
		printf("`%s' is cancelled.\n", a->typed);
		return;
	}
	if (a->lines != a->session->lines)
		printf("Answer to `%s':\n", a->typed);
	fflush(stdout);
	a->session->command_failed = status != 0;
	fputs(ipc_child_complaints(a->child), stderr);
	if (status < 128)
		take_answer(a);
}

static void run_again(struct analysis *a)
{
	kept_is_useless(a->session->kept);
	g_clear_pointer(&a->child, ipc_child_free);
	g_clear_pointer(&a->found, explanation_free);
}

/* --- what the prompt does --- */

static bool analysis_has_ended(const struct analysis *a)
{
	return ipc_child_status(a->child) >= 0;
}

bool analysis_has_news(const struct session *s)
{
	const struct analysis *a = at_work(s);

	return a && a->child && (analysis_has_ended(a) || a->asked || has_found_more(a));
}

static void wait_for_all(struct session *s);

/* The user answers by a command, as other commands may be wanted first. */
static void show_asked(struct analysis *a)
{
	printf("%sAnswer with `say continue', `say stop', `say right LINE', `say pass' or `say "
	       "fail'.\n",
	       a->asked);
	g_clear_pointer(&a->asked, g_free);
}

void analysis_say(struct session *s, const char *words)
{
	struct analysis *a = at_work(s);

	if (!a || !a->waits) {
		puts("Nothing waits for an answer; `why --spec FILE --interactive' asks.");
		s->command_failed = true;
		return;
	}
	a->waits = false;
	a->lines = s->lines;
	ipc_child_tell(a->child, words);
	if (s->in_order)
		wait_for_all(s);
}

void analysis_show_news(struct session *s)
{
	struct analysis *a = at_work(s);

	if (a && analysis_has_ended(a)) {
		if (is_to_be_run(a)) {
			run_again(a);
		} else {
			g_queue_pop_head(s->analyses);
			finish_analysis(a);
			analysis_free(a);
		}
		start_next(s);
	} else if (a && a->asked) {
		show_asked(a);
	} else if (a && has_found_more(a)) {
		show_found_suspects(a);
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

char *analysis_rows_asked(const struct session *s, char **about)
{
	for (GList *l = s->analyses->tail; l; l = l->prev) {
		const struct analysis *a = l->data;

		if (a->kind != ANALYSIS_TREE || a->cancelled)
			continue;
		*about = row_about(a->context.options, a->run);
		return g_strdup(question_with_rows(a));
	}
	*about = g_strdup(s->tree_about);
	return g_strdup(s->tree_question);
}

void analysis_cancel(struct session *s)
{
	struct analysis *a = at_work(s);

	if (!a)
		return;
	a->cancelled = true;
	ipc_child_cancel(a->child);
	while (s->analyses->length > 1) {
		struct analysis *waiting = g_queue_pop_tail(s->analyses);

		printf("`%s' is cancelled.\n", waiting->typed);
		analysis_free(waiting);
	}
}

/* In scripts one line follows the other; the next one may be a word that it waits for. */
static void wait_for_all(struct session *s)
{
	bool shows = isatty(STDOUT_FILENO);

	while (at_work(s) && !(at_work(s)->waits && !at_work(s)->asked)) {
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

	if (a) {
		ipc_child_cancel(a->child);
		while (!analysis_has_ended(a))
			g_main_context_iteration(NULL, TRUE);
	}
	while ((a = g_queue_pop_head(s->analyses)))
		analysis_free(a);
	start_next(s);
}
