/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/command/panel.h"

#include "gdbext/command/explain.h"
#include "gdbext/ipc/child.h"
#include "gdbext/command/panel-leave.h"
#include "tui/report/color.h"
#include "solver/answer/json-read.h"
#include "tui/panel/panel.h"

#include <errno.h>
#include <langinfo.h>
#include <stdarg.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <unistd.h>

struct work {
	const struct options *o;
	int watch;		      /* an epoll's descriptor */
	struct panel_child *search;   /* NULL: it has ended */
	struct panel_child *question; /* NULL: none is being answered */
	char *asked;		      /* the question, in words */
	char *tried_file;	      /* NULL: the question is not what a change does */
	unsigned tried_line;
	char *tried;	       /* the change, in short */
	struct explanation *e; /* what the panel shows */
	gsize read;	       /* bytes of .search's lines that were looked at */
	char *last;	       /* GDB is to do that when the panel is left */
};

static void say(struct panel *p, const char *format, ...) G_GNUC_PRINTF(2, 3);

static void say(struct panel *p, const char *format, ...)
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
	char **given = strcmp(first[0], "try") == 0   ? o->given_try
		       : strcmp(first[0], "ask") == 0 ? o->given_ask
						      : o->given;
	g_autoptr(GPtrArray) words = g_ptr_array_new();

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

/* What it had to complain about, in one line; NULL: nothing. */
static char *complaint_of(const struct panel_child *c)
{
	g_autofree char *text = g_strstrip(g_strdup(c->err->str));
	const char *own = "gdb-why: ";

	if (*text)
		return g_strdup(g_str_has_prefix(text, own) ? text + strlen(own) : text);
	if (WIFSIGNALED(c->status))
		return g_strdup_printf("the search was ended by a signal (%s)",
				       g_strsignal(WTERMSIG(c->status)));
	return NULL;
}

static void show(struct work *w, struct panel *p, struct explanation *e, const char *busy)
{
	panel_set(p, e, busy);
	if (w->e != e)
		explanation_free(w->e);
	w->e = e;
}

/* The last whole line is all that is known. */
static void read_answers(struct work *w, struct panel *p)
{
	const GString *out = w->search->out;
	const char *end = g_strrstr_len(out->str + w->read, (gssize)(out->len - w->read), "\n");
	const char *line;
	struct explanation *e;
	GError *wrong = NULL;

	if (!end)
		return;
	line = g_strrstr_len(out->str + w->read, end - (out->str + w->read), "\n");
	line = line ? line + 1 : out->str + w->read;
	e = tui_json_read(line, end - line, &wrong);
	w->read = (gsize)(end + 1 - out->str);
	if (e)
		show(w, p, e, "searching");
	else
		panel_say(p, wrong->message);
	g_clear_error(&wrong);
}

static void end_search(struct work *w, struct panel *p)
{
	g_autofree char *complaint = complaint_of(w->search);

	show(w, p, w->e, NULL);
	if (complaint)
		panel_say(p, complaint);
	g_clear_pointer(&w->search, panel_child_free);
}

/* The line of a try's answer that says how the run ends, in short: "it fails an
 * assertion, as before", "it passes (exit status 0)". */
static char *how_it_ends(const char *answer)
{
	const char *second = strchr(answer, '\n');
	const char *first = second && g_str_has_prefix(second, "\nit ") ? second + 4 : NULL;

	return first ? g_strchomp(g_strndup(first, strcspn(first, "(,;\n")))
		     : g_strdup("no answer");
}

/* Beside the line where it was tried. */
static void show_result(struct work *w, struct panel *p, const char *complaint)
{
	g_autofree char *end = how_it_ends(w->question->out->str);
	g_autofree char *text = g_strdup_printf("%s: %s", w->tried, end);

	panel_remark(p, w->tried_file, w->tried_line, PANEL_REMARK_RESULT, complaint ? NULL : text);
	panel_say(p, complaint ? complaint : text);
	g_clear_pointer(&w->tried_file, g_free);
	g_clear_pointer(&w->tried, g_free);
}

static void end_question(struct work *w, struct panel *p)
{
	g_autofree char *complaint = complaint_of(w->question);
	g_autofree char *answer = g_strconcat("> ", w->asked, "\n", w->question->out->str,
					      complaint ? complaint : "", NULL);

	panel_answer(p, answer, !w->tried_file);
	if (w->tried_file)
		show_result(w, p, complaint);
	g_clear_pointer(&w->question, panel_child_free);
	g_clear_pointer(&w->asked, g_free);
}

static void turn(void *arg, struct panel *p)
{
	struct work *w = arg;

	if (w->search) {
		panel_child_turn(w->search);
		read_answers(w, p);
		if (w->search->ended)
			end_search(w, p);
	}
	if (w->question) {
		panel_child_turn(w->question);
		if (w->question->ended)
			end_question(w, p);
	}
}

/* --- requests --- */

static bool start_question(struct work *w, struct panel *p, const char *const *first,
			   const char *question, const char *asked)
{
	g_auto(GStrv) words = NULL;
	GError *wrong = NULL;

	if (w->question) {
		say(p, "`%s' is still being answered; Ctrl-C ends that", w->asked);
		return false;
	}
	words = child_words(w->o, first, question);
	w->question = panel_child_start(words, w->watch, &wrong);
	if (w->question) {
		w->asked = g_strdup(asked);
		say(p, "%s ...", asked);
	} else {
		panel_say(p, wrong->message);
	}
	g_clear_error(&wrong);
	return w->question;
}

/* EXPR, or EXPR at LINE[:COUNT], of the file that is shown; or at FILE:LINE[:COUNT]. */
static char *take_place(char *text, const char *file)
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

static void ask(struct work *w, struct panel *p, const struct panel_request *r)
{
	const char *word = r->action == PANEL_WHY ? "why" : "why not";
	g_autofree char *about = g_strstrip(g_strdup(r->text)), *at = NULL;
	g_autofree char *question = NULL, *asked = g_strconcat(word, " ", about, NULL);
	const char *first[] = { "ask", "--color=never", NULL, NULL };

	first[2] = at = take_place(about, r->file);
	question = g_strconcat(word, " ", about, NULL);
	if (*about)
		start_question(w, p, first, question, asked);
}

/* The selected line, and which time it is there, where an explanation says that. */
static char *stop_of(const struct work *w, const struct panel_request *r, bool *decides)
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
			stop = one->stop;
			*decides = g_strcmp0(st->kind, "condition") == 0;
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

static void try(struct work *w, struct panel *p, const struct panel_request *r)
{
	bool flip = r->action == PANEL_FLIP, decides;
	g_autofree char *stop = r->file ? stop_of(w, r, &decides) : NULL;
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

static bool format_of(const char *name, enum tui_format *format)
{
	static const char *const endings[] = {
		[TUI_TEXT] = ".txt", [TUI_JSON] = ".json", [TUI_HTML] = ".html", [TUI_DOT] = ".dot"
	};

	for (size_t i = 0; i < G_N_ELEMENTS(endings); i++)
		if (g_str_has_suffix(name, endings[i])) {
			*format = (enum tui_format)i;
			return true;
		}
	return false;
}

static void add_note(void *arg, const char *file, unsigned line, const char *text)
{
	struct explanation *e = arg;
	g_autofree char *base = g_path_get_basename(file);
	g_autofree char *note = g_strdup_printf("%s:%u: %s (noted by hand)", base, line, text);

	g_ptr_array_add(e->notes, (gpointer)explanation_string(e, note));
}

static void export(const struct work *w, struct panel *p, const char *name)
{
	struct tui_options t = { .color = TUI_COLOR_NEVER, .max_suspects = w->o->max_suspects };
	guint own_notes = w->e->notes->len;
	FILE *out;
	bool ok;

	if (!w->e->failure.kind) {
		panel_say(p, "there is no answer yet");
		return;
	}
	if (!format_of(name, &t.format)) {
		panel_say(p, "the name says the format: .html, .txt, .json or .dot");
		return;
	}
	out = fopen(name, "we");
	panel_remarks(p, PANEL_REMARK_NOTE, add_note, w->e);
	ok = out && tui_print(out, w->e, &t);
	g_ptr_array_set_size(w->e->notes, (gint)own_notes);
	if (!ok)
		say(p, "%s cannot be written: %s", name, g_strerror(errno));
	else
		say(p, "written: %s%s", name, w->search ? " (what was found so far)" : "");
	if (out)
		fclose(out);
}

static void cancel(struct work *w, struct panel *p)
{
	struct panel_child *c = w->question ? w->question : w->search;

	if (c)
		panel_child_interrupt(c);
	panel_say(p, c ? "ending ..." : "nothing is running; q quits");
}

static bool request(void *arg, struct panel *p, const struct panel_request *r)
{
	struct work *w = arg;

	switch (r->action) {
	case PANEL_WHY:
	case PANEL_WHY_NOT:
		ask(w, p, r);
		break;
	case PANEL_FLIP:
	case PANEL_WHAT_IF:
		try(w, p, r);
		break;
	case PANEL_EXPORT:
		export(w, p, r->text);
		break;
	case PANEL_CANCEL:
		cancel(w, p);
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
		 1u << PANEL_GDB,
};

static bool start(struct work *w, GError **error)
{
	static const char *const first[] = { "explain", "--format=json", "--stream", NULL };
	g_auto(GStrv) words = child_words(w->o, first, NULL);

	w->watch = epoll_create1(EPOLL_CLOEXEC);
	w->search = panel_child_start(words, w->watch, error);
	return w->search != NULL;
}

static void clear(struct work *w)
{
	panel_child_free(w->search);
	panel_child_free(w->question);
	explanation_free(w->e);
	if (w->watch >= 0)
		close(w->watch);
	g_free(w->asked);
	g_free(w->tried_file);
	g_free(w->tried);
	g_free(w->last);
}

static bool print_commands(const struct work *w, const struct panel *p, GError **error)
{
	const char *output = w->o->output;
	g_autofree char *commands = panel_leave_commands(p, w->last);

	if (output)
		return g_file_set_contents(output, commands, -1, error);
	fputs(commands, stdout);
	return true;
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
	struct work w = { .o = o, .e = explanation_new(), .watch = -1 };
	struct panel_backend backend = { .arg = &w, .turn = turn, .request = request };
	struct panel *p;
	bool ok;

	if (!panel_can_run()) {
		clear(&w);
		return print_instead(o, error);
	}
	p = panel_new(NULL, strcmp(nl_langinfo(CODESET), "UTF-8") != 0);
	ok = start(&w, error);
	if (ok) {
		backend.fd = w.watch;
		panel_serve(p, SERVED);
		panel_set(p, w.e, "running the test");
		panel_run(p, &backend, tui_color_wanted((enum tui_color_when)o->color, stdout));
		ok = print_commands(&w, p, error);
	}
	panel_free(p);
	clear(&w);
	return ok ? OPTIONS_EXIT_EXPLAINED : OPTIONS_EXIT_USAGE;
}
