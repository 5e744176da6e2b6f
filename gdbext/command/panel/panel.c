/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/command/panel/panel.h"
#include "gdbext/options/output-file.h"

#include "gdbext/command/explain/explain.h"
#include "gdbext/ipc/child.h"
#include "gdbext/command/panel/panel-leave.h"
#include "gdbext/command/panel/panel-lesson.h"
#include "tui/report/color.h"
#include "tui/panel/panel.h"

#include <errno.h>
#include <langinfo.h>
#include <stdarg.h>
#include <string.h>

struct work {
	const struct options *o;
	struct panel *p;
	struct ipc_child *search;   /* NULL: it has ended */
	struct ipc_child *question; /* NULL: none is being answered */
	char *asked;		    /* the question, in words */
	char *answer;		    /* its answer; NULL: not yet */
	bool asks, has_asked;	    /* it waits for a word of the user; it has at least once */
	char *ends;		    /* how a run that was tried ends, in short; NULL: not yet */
	char *tried_file;	    /* NULL: the question is not what a change does */
	unsigned tried_line;
	char *tried;			  /* the change, in short */
	struct explanation *e;		  /* what the panel shows */
	struct panel_lesson_work *lesson; /* NULL: the program is of none */
	char *last;			  /* GDB is to do that when the panel is left */
};

static void say_in_panel(struct panel *p, const char *format, ...) G_GNUC_PRINTF(2, 3);

static void say_in_panel(struct panel *p, const char *format, ...)
{
	va_list args;
	g_autofree char *text = NULL;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	panel_say(p, text);
}

/* --- children --- */

static char **child_words(const struct options *o, const char *const *first, const char *question)
{
	char **given = strcmp(first[0], "try") == 0	? o->given_try
		       : strcmp(first[0], "ask") == 0	? o->given_ask
		       : strcmp(first[0], "specs") == 0 ? o->given_specs
							: o->given;
	g_autoptr(GPtrArray) words = g_ptr_array_new();

	g_ptr_array_add(words, g_file_read_link("/proc/self/exe", NULL));
	for (; *first; first++)
		g_ptr_array_add(words, g_strdup(*first));
	for (; *given; given++)
		g_ptr_array_add(words, g_strdup(*given));
	if (question)
		g_ptr_array_add(words, g_strdup(question));
	g_ptr_array_add(words, g_strdup("--"));
	for (char **word = o->program; *word; word++)
		g_ptr_array_add(words, g_strdup(*word));
	g_ptr_array_add(words, NULL);
	return (char **)g_ptr_array_free(g_steal_pointer(&words), FALSE);
}

/* What it had to complain about, without a newline at its end; NULL: nothing. */
static char *complaint_of(const struct ipc_child *c)
{
	const char *text = ipc_child_complaints(c);

	return *text ? g_strchomp(g_strdup(text)) : NULL;
}

static void show_in_panel(struct work *w, struct explanation *e, const char *busy)
{
	panel_set(w->p, e, busy);
	if (w->e != e)
		explanation_free(w->e);
	w->e = e;
}

static void show_panel_output(struct panel *p, const struct event *e)
{
	const bool is_printed = strcmp(e->name, "standard output") == 0;
	g_autofree char *title =
		g_strdup_printf("> the test's %s%s", e->name, *e->text ? "" : " was empty");

	panel_output(p, title);
	if (is_printed)
		panel_test_output(p, e->text);
	else
		panel_output(p, e->text);
}

static void search_event(void *arg, struct event *e)
{
	struct work *w = arg;

	if (e->answer)
		show_in_panel(w, g_steal_pointer(&e->answer), "searching");
	else if (e->kind == EVENT_OUTPUT)
		show_panel_output(w->p, e);
}

static void search_end(void *arg)
{
	struct work *w = arg;
	g_autofree char *complaint = complaint_of(w->search);

	show_in_panel(w, w->e, NULL);
	panel_lesson_compare(w->lesson, w->e);
	if (complaint)
		panel_say(w->p, complaint);
	g_clear_pointer(&w->search, ipc_child_free);
}

static char *text_of_explanation(const struct explanation *e, const struct options *o)
{
	const struct tui_options t = { .color = TUI_COLOR_NEVER,
				       .max_suspects = o->max_suspects,
				       .go_to = "`s' in the line of 1 stops there",
				       .width = 80 };
	char *text = NULL;
	size_t n = 0;
	FILE *out = open_memstream(&text, &n);

	tui_print(out, e, &t);
	fclose(out);
	return text;
}

/* What is said so far; the user answers as one asks, with `w'. */
static void show_asking(struct work *w, const char *text)
{
	g_autofree char *shown =
		w->has_asked ? g_strdup(text) : g_strconcat("> ", w->asked, "\n", text, NULL);

	w->asks = w->has_asked = true;
	panel_answer(w->p, shown, true);
	panel_entitle_output(w->p, "specification: the ranking, and what you say of it");
	panel_say(w->p, "w, and then: continue, stop, right LINE, pass, fail, or help");
}

static void question_event(void *arg, struct event *e)
{
	struct work *w = arg;

	if (e->kind == EVENT_ASK)
		show_asking(w, e->text);
	if (e->kind != EVENT_RESULT)
		return;
	g_free(w->answer);
	w->answer = e->answer ? text_of_explanation(e->answer, w->o) : g_strdup(e->text);
	w->ends = g_strdup(e->ends);
}

/* Beside the line where it was tried. */
static void show_result(struct work *w, const char *complaint)
{
	g_autofree char *text =
		g_strdup_printf("%s: %s", w->tried, w->ends ? w->ends : "no answer");

	panel_remark(w->p, w->tried_file, w->tried_line, PANEL_REMARK_RESULT,
		     complaint ? NULL : text);
	panel_say(w->p, complaint ? complaint : text);
	g_clear_pointer(&w->tried_file, g_free);
	g_clear_pointer(&w->tried, g_free);
}

static void forget_question(struct work *w)
{
	g_clear_pointer(&w->question, ipc_child_free);
	g_clear_pointer(&w->asked, g_free);
	g_clear_pointer(&w->answer, g_free);
	g_clear_pointer(&w->ends, g_free);
	w->asks = w->has_asked = false;
}

/* `why output N' begins with "   1  3 cats    pets.c:21 in main": the source is shown there. */
static void show_call_of_output(struct work *w)
{
	g_autoptr(GRegex) place = g_regex_new("^ *\\d+ .*?  (\\S+):(\\d+) in ", 0, 0, NULL);
	g_autoptr(GMatchInfo) found = NULL;
	g_autofree char *file = NULL, *line = NULL;

	if (!w->answer || !g_str_has_prefix(w->asked, "why output ") ||
	    !g_regex_match(place, w->answer, 0, &found))
		return;
	file = g_match_info_fetch(found, 1);
	line = g_match_info_fetch(found, 2);
	panel_show_line(w->p, file, (unsigned)g_ascii_strtoull(line, NULL, 10));
}

static void question_end(void *arg)
{
	struct work *w = arg;
	g_autofree char *complaint = complaint_of(w->question);
	g_autofree char *answer = g_strconcat(
		w->has_asked ? "" : "> ", w->has_asked ? "" : w->asked, w->has_asked ? "" : "\n",
		w->answer ? w->answer : "", complaint ? complaint : "", NULL);

	panel_answer(w->p, answer, !w->tried_file);
	panel_entitle_output(w->p, NULL);
	show_call_of_output(w);
	if (w->tried_file)
		show_result(w, complaint);
	forget_question(w);
}

/* --- requests --- */

static bool start_question(struct work *w, struct panel *p, const char *const *first,
			   const char *question, const char *asked)
{
	g_auto(GStrv) words = NULL;
	GError *wrong = NULL;
	struct ipc_start how = { .is_answered = strcmp(first[0], "specs") == 0,
				 .on_event = question_event,
				 .on_end = question_end,
				 .arg = w };

	if (w->question) {
		say_in_panel(p, "`%s' is still being answered; Ctrl-C ends that", w->asked);
		return false;
	}
	words = child_words(w->o, first, question);
	how.argv = words;
	w->question = ipc_child_new(&how, &wrong);
	if (w->question) {
		w->asked = g_strdup(asked);
		say_in_panel(p, "%s ...", asked);
	} else {
		panel_say(p, wrong->message);
	}
	g_clear_error(&wrong);
	return w->question;
}

/* EXPR, or EXPR at LINE[:COUNT], of the file that is shown; or at FILE:LINE[:COUNT]. */
static char *take_typed_place(char *text, const char *file)
{
	g_autoptr(GRegex) place =
		g_regex_new("\\s+at\\s+([^\\s:]+:)?(\\d+(?::\\d+)?)\\s*$", 0, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;
	g_autofree char *named = NULL, *line = NULL, *base = NULL;
	gint start;

	if (!g_regex_match(place, text, 0, &match))
		return NULL;
	named = g_match_info_fetch(match, 1);
	line = g_match_info_fetch(match, 2);
	base = g_path_get_basename(file ? file : "");
	g_match_info_fetch_pos(match, 0, &start, NULL);
	text[start] = '\0';
	return *named ? g_strconcat("--at=", named, line, NULL)
		      : g_strconcat("--at=", base, ":", line, NULL);
}

/* "--spec FILE [options]": what a file says must hold, and what breaks it. */
static void ask_specs(struct work *w, struct panel *p, const char *about)
{
	g_autofree char *asked = g_strconcat("why ", about, NULL);
	g_autofree char *line = g_strconcat("specs ", about, NULL);
	g_auto(GStrv) words = NULL;
	g_autoptr(GError) error = NULL;

	if (g_shell_parse_argv(line, NULL, &words, &error))
		start_question(w, p, (const char *const *)words, NULL, asked);
	else
		panel_say(p, error->message);
}

static void ask_why_of_panel(struct work *w, struct panel *p, const struct panel_request *r)
{
	const char *word = r->action == PANEL_WHY ? "why" : "why not";
	/* a suggestion is printed with the word, which the key has said */
	const char *text = g_str_has_prefix(r->text, "why ") ? r->text + strlen("why ") : r->text;
	g_autofree char *about = g_strstrip(g_strdup(text)), *at = NULL;
	g_autofree char *question = NULL, *asked = g_strconcat(word, " ", about, NULL);
	const char *first[] = { "ask", "--in-gdb", NULL, NULL };

	if (r->action == PANEL_WHY && w->asks) {
		w->asks = false;
		ipc_child_tell(w->question, about);
		panel_entitle_output(p, "specification: another test is made");
		say_in_panel(p, "%s ...", *about ? about : "continue");
		return;
	}
	if (r->action == PANEL_WHY && g_str_has_prefix(about, "--spec")) {
		ask_specs(w, p, about);
		return;
	}
	first[2] = at = take_typed_place(about, r->file);
	question = g_strconcat(word, " ", about, NULL);
	if (*about)
		start_question(w, p, first, question, asked);
}

/* The selected line, and which time it is there, where an explanation says that.  flip: of a branch
 * of it alone. */
static char *stop_of_selection(const struct work *w, const struct panel_request *r, bool flip,
			       bool *decides)
{
	g_autofree char *base = g_path_get_basename(r->file);
	const char *stop = NULL;

	*decides = false;
	for (guint i = 0; i < w->e->suspects->len && !stop; i++) {
		const struct explanation_suspect *s = w->e->suspects->pdata[i];

		for (guint k = 0; k < s->instances->len; k++) {
			const struct explanation_instance *one =
				&g_array_index(s->instances, struct explanation_instance, k);
			const struct explanation_statement *st = &g_array_index(
				s->statements, struct explanation_statement, one->statement);

			if (st->line != r->line || g_strcmp0(st->file, r->file) != 0)
				continue;
			*decides = g_strcmp0(st->kind, "condition") == 0;
			stop = *decides || !flip ? one->stop : NULL;
		}
	}
	return stop ? g_strdup(stop) : g_strdup_printf("%s:%u", base, r->line);
}

static void begin_try(struct work *w, struct panel *p, const struct panel_request *r,
		      const char *what)
{
	g_autofree char *text = g_strdup_printf("%s ...", what);

	w->tried_file = g_strdup(r->file);
	w->tried_line = r->line;
	w->tried = g_strdup(what);
	panel_remark(p, r->file, r->line, PANEL_REMARK_RESULT, text);
}

static void try_in_panel(struct work *w, struct panel *p, const struct panel_request *r)
{
	bool flip = r->action == PANEL_FLIP, decides;
	g_autofree char *stop = r->file ? stop_of_selection(w, r, flip, &decides) : NULL;
	g_autofree char *what = NULL, *where = NULL, *asked = NULL, *name = NULL;

	if (!stop)
		return;
	what = flip ? g_strconcat("--flip=", stop, NULL) : g_strconcat("--set=", r->text, NULL);
	/* what a condition reads is set before it, what a line computes after it */
	where = flip ? NULL : g_strconcat(decides ? "--at=" : "--after=", stop, NULL);
	name = g_path_get_basename(r->file);
	asked = flip ? g_strdup_printf("flip %s:%u", name, r->line)
		     : g_strdup_printf("what if %s at %s:%u", r->text, name, r->line);
	if (start_question(w, p, (const char *const[]){ "try", what, where, NULL }, NULL, asked))
		begin_try(w, p, r, flip ? "turned" : r->text);
}

static void add_note(void *arg, const char *file, unsigned line, const char *text)
{
	struct explanation *e = arg;
	g_autofree char *base = g_path_get_basename(file);
	g_autofree char *note = g_strdup_printf("%s:%u: %s (noted by hand)", base, line, text);

	g_ptr_array_add(e->notes, (gpointer)explanation_string(e, note));
}

static void export_answer(const struct work *w, struct panel *p, const char *name)
{
	struct tui_options t = { .color = TUI_COLOR_NEVER,
				 .max_suspects = w->o->max_suspects,
				 .input = w->o->stdin_file };
	guint own_notes = w->e->notes->len;
	FILE *out;
	bool ok;

	if (!w->e->failure.kind) {
		panel_say(p, "there is no answer yet");
		return;
	}
	if (!tui_format_of(name, &t.format)) {
		panel_say(p, "the name says the format: .html, .txt, .json or .dot");
		return;
	}
	out = fopen(name, "we");
	panel_remarks(p, PANEL_REMARK_NOTE, add_note, w->e);
	ok = out && tui_print(out, w->e, &t);
	g_ptr_array_set_size(w->e->notes, (gint)own_notes);
	if (!ok)
		say_in_panel(p, "%s cannot be written: %s", name, g_strerror(errno));
	else
		say_in_panel(p, "written: %s%s", name, w->search ? " (what was found so far)" : "");
	if (out)
		fclose(out);
}

static void cancel_question(struct work *w, struct panel *p)
{
	struct ipc_child *c = w->question ? w->question : w->search;

	if (c)
		ipc_child_cancel(c);
	panel_say(p, c ? "ending ..." : "nothing is running; q quits");
}

static bool start_panel_work(struct work *w, GError **error);

/* What is expected is known: now the answer is looked for. */
static void begin_question(struct work *w, const struct panel_request *r)
{
	g_autoptr(GError) error = NULL;

	panel_lesson_serve(w->lesson, r);
	if (start_panel_work(w, &error))
		panel_set(w->p, w->e, "running the test");
	else
		panel_say(w->p, error->message);
}

static bool request_of_panel(void *arg, struct panel *p, const struct panel_request *r)
{
	struct work *w = arg;

	switch (r->action) {
	case PANEL_WHY:
	case PANEL_WHY_NOT:
		ask_why_of_panel(w, p, r);
		break;
	case PANEL_FLIP:
	case PANEL_WHAT_IF:
		try_in_panel(w, p, r);
		break;
	case PANEL_EXPORT:
		export_answer(w, p, r->text);
		break;
	case PANEL_CANCEL:
		cancel_question(w, p);
		break;
	case PANEL_EXPECT:
		begin_question(w, r);
		break;
	case PANEL_HINT:
	case PANEL_ANSWER:
	case PANEL_CHECK:
		panel_lesson_serve(w->lesson, r);
		break;
	case PANEL_GO_TO:
		w->last = r->file ? panel_leave_break("tbreak", r->file, r->line) : NULL;
		return !w->last;
	case PANEL_GDB:
		w->last = g_strdup(r->text);
		return false;
	default:
		break;
	}
	return true;
}

/* --- the command --- */

enum {
	SERVED = 1u << PANEL_WHY | 1u << PANEL_WHY_NOT | 1u << PANEL_EXPORT | 1u << PANEL_CANCEL |
		 1u << PANEL_GO_TO | 1u << PANEL_FLIP | 1u << PANEL_WHAT_IF | 1u << PANEL_BREAK |
		 1u << PANEL_GDB | 1u << PANEL_EXPECT | 1u << PANEL_HINT | 1u << PANEL_ANSWER |
		 1u << PANEL_CHECK,
};

static bool start_panel_work(struct work *w, GError **error)
{
	/* of wrong output the output is looked at */
	const bool by_output = w->o->expect || w->o->golden;
	const char *first[] = { "explain", by_output ? "--show-output" : NULL, NULL };
	g_auto(GStrv) words = child_words(w->o, first, NULL);
	const struct ipc_start how = {
		.argv = words, .on_event = search_event, .on_end = search_end, .arg = w
	};

	w->search = ipc_child_new(&how, error);
	return w->search != NULL;
}

static void clear_panel_work(struct work *w)
{
	ipc_child_free(w->search);
	forget_question(w);
	explanation_free(w->e);
	g_free(w->tried_file);
	g_free(w->tried);
	g_free(w->last);
}

static bool print_commands(const struct work *w, const struct panel *p, GError **error)
{
	g_autofree char *commands = panel_leave_commands(p, w->last);

	return output_file_write(w->o->output, commands, error);
}

static int print_instead(const struct options *o, GError **error)
{
	struct options text = *o;

	text.output = NULL;
	fputs("gdb-why: the panel needs a terminal (TERM says which); here is the answer as "
	      "text.\n",
	      stderr);
	return explain_command(&text, error);
}

int panel_command(const struct options *o, GError **error)
{
	struct work w = { .o = o, .e = explanation_new() };
	const struct panel_backend backend = { .arg = &w, .request = request_of_panel };
	struct panel *p;
	bool ok, asks;

	if (!panel_can_run()) {
		clear_panel_work(&w);
		return print_instead(o, error);
	}
	p = w.p = panel_new(NULL, strcmp(nl_langinfo(CODESET), "UTF-8") != 0);
	w.lesson = panel_lesson_open(p, o->program[0]);
	asks = panel_lesson_asks(w.lesson, w.e);
	ok = asks || start_panel_work(&w, error);
	if (ok) {
		panel_serve(p, SERVED);
		panel_set(p, w.e, asks ? "not asked yet" : "running the test");
		if (asks)
			panel_ask_expected(p);
		panel_run(p, &backend, tui_color_wanted((enum tui_color_when)o->color, stdout));
		ok = print_commands(&w, p, error);
	}
	panel_lesson_close(w.lesson);
	panel_free(p);
	clear_panel_work(&w);
	return ok ? OPTIONS_EXIT_EXPLAINED : OPTIONS_EXIT_USAGE;
}
