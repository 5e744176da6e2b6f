/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The run that a question made, kept for the next one about it.  It lies in
 * memory that nothing else can name, so that nothing of it stays behind.
 */
#include "gdbext/session/internal.h"
#include "tui/report/report.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct kept {
	int fd;	       /* -1: there is no such memory */
	char *file;    /* a name for it, while we live */
	int answer_fd; /* likewise, for an answer; -1: not made yet */
	char *answer_file;
	char *run;    /* what it is the record of; NULL: of nothing */
	bool useless; /* this run does not repeat */
};

struct kept *kept_new(void)
{
	struct kept *k = g_new0(struct kept, 1);

	k->answer_fd = -1;
	k->fd = memfd_create("gdb-why record", MFD_CLOEXEC);
	k->file = g_strdup_printf("/proc/%d/fd/%d", getpid(), k->fd);
	return k;
}

void kept_free(struct kept *k)
{
	if (!k)
		return;
	if (k->fd >= 0)
		close(k->fd);
	if (k->answer_fd >= 0)
		close(k->answer_fd);
	g_free(k->answer_file);
	g_free(k->file);
	g_free(k->run);
	g_free(k);
}

static void add_kept_words(GString *to, char *const *words)
{
	for (; words && *words; words++)
		g_string_append_printf(to, "%zu:%s ", strlen(*words), *words);
}

/* A file as it is now. */
static void append_file_stamp(GString *to, const char *file, const char *directory)
{
	g_autofree char *path = file ? g_canonicalize_filename(file, directory) : NULL;
	struct stat st;

	if (path && stat(path, &st) == 0)
		g_string_append_printf(to, "%s %lld %lld.%09ld ", path, (long long)st.st_size,
				       (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
}

char *kept_describe_run(const struct session *s, const struct context *c)
{
	GString *out = g_string_new(NULL);

	g_string_append_printf(out, "%u ", s->runs);
	append_file_stamp(out, c->program, c->directory);
	add_kept_words(out, (char *const[]){ c->directory, NULL });
	for (guint i = 0; i < c->arguments->len; i++)
		add_kept_words(out, (char *const[]){ c->arguments->pdata[i], NULL });
	g_string_append(out, "in ");
	if (c->typed_file)
		add_kept_words(out, (char *const[]){ program_typed(s->program)->str, NULL });
	else
		append_file_stamp(out, c->input, c->directory);
	add_kept_words(out, c->environment);
	return g_string_free(out, FALSE);
}

static bool is_record_of_run(const struct kept *k, const char *run)
{
	return k->run && strcmp(k->run, run) == 0;
}

bool kept_is_there(const struct kept *k, const char *run)
{
	struct stat st;

	return is_record_of_run(k, run) && !k->useless && fstat(k->fd, &st) == 0 && st.st_size > 0;
}

const char *kept_take_new(struct kept *k, const char *run)
{
	if (k->fd < 0 || (is_record_of_run(k, run) && k->useless) || ftruncate(k->fd, 0) < 0)
		return NULL;
	if (!is_record_of_run(k, run)) {
		g_free(k->run);
		k->run = g_strdup(run);
		k->useless = false;
	}
	return k->file;
}

const char *kept_file(const struct kept *k)
{
	return k->file;
}

/* What was cut off is found out when it is read. */
static void drop_record(struct kept *k)
{
	if (k->fd >= 0 && ftruncate(k->fd, 0) < 0)
		g_clear_pointer(&k->run, g_free);
}

void kept_is_useless(struct kept *k)
{
	k->useless = true;
	drop_record(k);
}

static bool write_kept_answer(int fd, const struct explanation *e)
{
	const struct tui_options json = { .format = TUI_JSON };
	int copy = ftruncate(fd, 0) == 0 && lseek(fd, 0, SEEK_SET) == 0 ? dup(fd) : -1;
	FILE *out = copy >= 0 ? fdopen(copy, "w") : NULL;
	bool ok;

	if (!out) {
		if (copy >= 0)
			close(copy);
		return false;
	}
	ok = tui_print(out, e, &json);
	return fclose(out) == 0 && ok;
}

const char *kept_answer(struct kept *k, const struct explanation *e, GError **error)
{
	if (k->answer_fd < 0) {
		k->answer_fd = memfd_create("gdb-why answer", MFD_CLOEXEC);
		k->answer_file = g_strdup_printf("/proc/%d/fd/%d", getpid(), k->answer_fd);
	}
	if (k->answer_fd >= 0 && write_kept_answer(k->answer_fd, e))
		return k->answer_file;
	g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(errno),
		    "The answer cannot be kept: %s.", g_strerror(errno));
	return NULL;
}
