/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/lesson/student.h"

#include <glib/gstdio.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MARK ".lesson"
#define JOURNAL ".journal"
/* A journal that a student did not write by hand is far shorter. */
#define JOURNAL_MOST (1u << 20)

static void entry_clear(gpointer p)
{
	struct lesson_entry *e = p;

	g_free(e->time);
	g_free(e->what);
	g_free(e->text);
}

void lesson_student_free(struct lesson_student *s)
{
	if (!s)
		return;
	g_free(s->folder);
	g_free(s->word);
	g_free(s->seed);
	g_array_unref(s->journal);
	g_free(s);
}

const char *lesson_allow_word(enum lesson_allow a)
{
	static const char *const all[LESSON_N_ALLOWS] = { [LESSON_ALL] = "all",
							  [LESSON_SLICES] = "slices",
							  [LESSON_GDB] = "gdb",
							  [LESSON_READING] = "reading" };

	return all[a];
}

/* --- making it --- */

static bool write_lesson_file(const char *folder, const char *name, const char *text,
			      GError **error)
{
	g_autofree char *path = g_build_filename(folder, name, NULL);

	return g_file_set_contents(path, text, -1, error);
}

static void append_answer_word(GString *out, const char *word)
{
	bool plain = *word && strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
					   "0123456789+-=.,:_/") == strlen(word);
	g_autofree char *quoted = plain ? g_strdup(word) : g_shell_quote(word);

	g_string_append_printf(out, "%s%s", out->len ? " " : "", quoted);
}

/* The failing test's arguments as a shell reads them. */
static char *shell_words(const struct lesson_test *t, const char *expected)
{
	GString *out = g_string_new(NULL);
	g_autofree char *last = g_strstrip(g_strdup(expected));

	for (char **w = t->words; *w; w++)
		append_answer_word(out, *w);
	if (t->asks)
		append_answer_word(out, last);
	return g_string_free(out, FALSE);
}

static char *makefile_text(const struct lesson_variant *v, const char *words)
{
	g_auto(GStrv) parts = g_strsplit(words, "$", -1);
	g_autofree char *safe = g_strjoinv("$$", parts);

	return g_strdup_printf("# `make' builds the program, `make test' runs the failing test.\n"
			       "TEST = %s\n\n"
			       "program: program.c\n"
			       "\t$(CC) -g -O0 %s -o $@ $< -lm -lpthread\n\n"
			       "test: program\n"
			       "\t./program $(TEST)%s\n\n"
			       ".PHONY: test\n",
			       safe, v->lesson->cflags,
			       v->lesson->by_output ? " >printed.txt; diff expected.txt printed.txt"
						    : "");
}

static char *task_of_student(const struct lesson_variant *v, const char *words)
{
	const struct lesson *l = v->lesson;
	g_autofree char *text = g_strdup_printf(
		"# %s\n\n%s\n\nAbout %u minutes.\n\n%s\n\n"
		"`main` reads the arguments and checks the result; the fault is elsewhere.\n\n"
		"## What the tool shows\n\n%s\n\n"
		"## What it cannot know\n\n%s\n\n"
		"## How to go on\n\n"
		"    make test                                the failing test\n"
		"    gdb-why explain %s-- ./program %s\n"
		"    gdb-why lesson hint                      costs points\n"
		"    gdb-why lesson answer program.c:LINE     which line is it?\n"
		"    gdb-why lesson answer --fix              or: program.c is mended\n"
		"    gdb-why lesson check\n\n"
		"## The last question\n\n%s\n",
		l->title, l->goal, l->minutes, g_strstrip(l->task), l->shows, l->cannot,
		l->by_output ? "--expect expected.txt " : "", words, l->final);

	return lesson_say(v, text);
}

static bool make_old(const struct lesson_variant *v, const char *folder, const char *make,
		     GError **error)
{
	g_autofree char *old = g_build_filename(folder, "old", NULL);
	g_autofree char *text = v->lesson->old ? lesson_rename(v, v->lesson->old) : NULL;

	if (!text)
		return true;
	if (g_mkdir(old, 0777)) {
		g_set_error(error, LESSON_ERROR, LESSON_ERROR_FOLDER, "%s cannot be made: %s.", old,
			    g_strerror(errno));
		return false;
	}
	return write_lesson_file(old, "program.c", text, error) &&
	       write_lesson_file(old, "Makefile", make, error);
}

static bool is_free_student_folder(const char *folder)
{
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);

	return !dir || !g_dir_read_name(dir);
}

static char *mark_allowed(const struct lesson_variant *v, const char *word,
			  enum lesson_allow allows)
{
	g_autoptr(GKeyFile) ini = g_key_file_new();

	g_key_file_set_string(ini, "lesson", "name", word);
	if (v->seed)
		g_key_file_set_string(ini, "lesson", "seed", v->seed);
	if (allows != LESSON_ALL)
		g_key_file_set_string(ini, "lesson", "exam", lesson_allow_word(allows));
	return g_key_file_to_data(ini, NULL, NULL);
}

bool lesson_student_start(const struct lesson_variant *v, const char *folder, const char *expected,
			  const char *suite, enum lesson_allow allows, GError **error)
{
	g_autofree char *course = lesson_course(NULL);
	g_autofree char *parent = g_path_get_dirname(v->lesson->folder);
	const char *word = g_strcmp0(course, parent) == 0 ? v->lesson->name : v->lesson->folder;
	g_autofree char *words = shell_words(v->shown, expected);
	g_autofree char *program = lesson_rename(v, v->program), *make = makefile_text(v, words);
	g_autofree char *text = task_of_student(v, words), *marked = mark_allowed(v, word, allows);
	struct lesson_student *s;
	bool ok;

	if (g_mkdir_with_parents(folder, 0777) || !is_free_student_folder(folder)) {
		g_set_error(
			error, LESSON_ERROR, LESSON_ERROR_FOLDER,
			"%s is there already; name another folder: gdb-why lesson start %s DIR.",
			folder, word);
		return false;
	}
	ok = write_lesson_file(folder, "program.c", program, error) &&
	     write_lesson_file(folder, "Makefile", make, error) &&
	     write_lesson_file(folder, "task.md", text, error) &&
	     make_old(v, folder, make, error) &&
	     (!v->lesson->by_output ||
	      write_lesson_file(folder, "expected.txt", expected, error)) &&
	     (!suite || write_lesson_file(folder, "suite.txt", suite, error)) &&
	     write_lesson_file(folder, MARK, marked, error);
	s = ok ? lesson_student_open(folder, error) : NULL;
	ok = s && lesson_student_note(s, "start", v->lesson->name, error);
	lesson_student_free(s);
	return ok;
}

/* --- reading it --- */

static void read_journal(struct lesson_student *s)
{
	g_autofree char *path = g_build_filename(s->folder, JOURNAL, NULL), *text = NULL;
	g_auto(GStrv) lines = NULL;
	GStatBuf st;

	if (g_lstat(path, &st) || !S_ISREG(st.st_mode) || st.st_size > (goffset)JOURNAL_MOST ||
	    !g_file_get_contents(path, &text, NULL, NULL))
		return;
	lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; *line; line++) {
		g_auto(GStrv) parts = g_strsplit(*line, "\t", 3);

		if (g_strv_length(parts) == 3) {
			struct lesson_entry e = { g_strdup(parts[0]), g_strdup(parts[1]),
						  g_strcompress(parts[2]) };

			g_array_append_val(s->journal, e);
		}
	}
}

/* A mark that cannot be read allows least. */
static enum lesson_allow read_allows(GKeyFile *ini)
{
	g_autofree char *word = g_key_file_get_string(ini, "lesson", "exam", NULL);
	unsigned a = LESSON_ALL;

	while (word && a < LESSON_READING &&
	       strcmp(word, lesson_allow_word((enum lesson_allow)a)) != 0)
		a++;
	return (enum lesson_allow)a;
}

struct lesson_student *lesson_student_open(const char *folder, GError **error)
{
	g_autoptr(GKeyFile) ini = g_key_file_new();
	g_autofree char *path = g_build_filename(folder ? folder : ".", MARK, NULL);
	g_autofree char *word = NULL;
	struct lesson_student *s;

	if (!g_key_file_load_from_file(ini, path, G_KEY_FILE_NONE, NULL) ||
	    !(word = g_key_file_get_string(ini, "lesson", "name", NULL))) {
		g_set_error(error, LESSON_ERROR, LESSON_ERROR_FOLDER,
			    "%s is no folder of a lesson; go into one, or make one: gdb-why lesson "
			    "start NAME.",
			    folder ? folder : "This");
		return NULL;
	}
	s = g_new0(struct lesson_student, 1);
	s->folder = g_canonicalize_filename(folder ? folder : ".", NULL);
	s->word = g_steal_pointer(&word);
	s->seed = g_key_file_get_string(ini, "lesson", "seed", NULL);
	s->allows = read_allows(ini);
	s->journal = g_array_new(FALSE, FALSE, sizeof(struct lesson_entry));
	g_array_set_clear_func(s->journal, entry_clear);
	read_journal(s);
	return s;
}

bool lesson_student_note(struct lesson_student *s, const char *what, const char *text,
			 GError **error)
{
	g_autoptr(GDateTime) now = g_date_time_new_now_utc();
	struct lesson_entry e = { g_date_time_format(now, "%Y-%m-%dT%H:%M:%SZ"), g_strdup(what),
				  g_strdup(text) };
	g_autofree char *path = g_build_filename(s->folder, JOURNAL, NULL);
	g_autofree char *escaped = g_strescape(text, NULL);
	g_autofree char *line = g_strdup_printf("%s\t%s\t%s\n", e.time, what, escaped);
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0666);
	bool ok = fd >= 0 && write(fd, line, strlen(line)) == (ssize_t)strlen(line);

	if (!ok)
		g_set_error(error, LESSON_ERROR, LESSON_ERROR_FOLDER, "%s cannot be written: %s.",
			    path, g_strerror(errno));
	if (fd >= 0)
		close(fd);
	g_array_append_val(s->journal, e);
	return ok;
}

const char *lesson_student_latest(const struct lesson_student *s, const char *what)
{
	for (guint i = s->journal->len; i > 0; i--) {
		const struct lesson_entry *e =
			&g_array_index(s->journal, struct lesson_entry, i - 1);

		if (strcmp(e->what, what) == 0)
			return e->text;
	}
	return NULL;
}

unsigned lesson_student_hints(const struct lesson_student *s)
{
	const char *latest = lesson_student_latest(s, "hint");

	return latest ? (unsigned)CLAMP(g_ascii_strtoll(latest, NULL, 10), 0, LESSON_HINTS) : 0;
}

static enum lesson_allow allowed_in(const char *folder)
{
	struct lesson_student *s = lesson_student_open(folder, NULL);
	enum lesson_allow allows = s ? s->allows : LESSON_ALL;

	lesson_student_free(s);
	return allows;
}

enum lesson_allow lesson_allows(const char *program, const char *directory)
{
	g_autofree char *path = program ? g_canonicalize_filename(program, directory) : NULL;
	g_autofree char *folder = path ? g_path_get_dirname(path) : NULL;
	enum lesson_allow here = allowed_in(directory);
	enum lesson_allow there = folder ? allowed_in(folder) : LESSON_ALL;

	return MAX(here, there);
}
