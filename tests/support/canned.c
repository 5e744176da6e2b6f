/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/canned.h"

#include "gdbext/question/failure.h"
#include "gdbext/replay/folder.h"
#include "solver/trace/run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A request in one word. */
static char *name_of(const struct run_request *request)
{
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);

	for (size_t i = 0; i < request->n_actions; i++) {
		const struct trace_action *a = &request->actions[i];
		g_autofree char *text =
			g_strdup_printf("%u %u %u %u %u %lx %lu %lx", a->kind, a->module, a->thread,
					a->reg, a->size, (unsigned long)a->addr,
					(unsigned long)a->nth, (unsigned long)a->where);

		g_checksum_update(sum, (const guchar *)text, -1);
		g_checksum_update(sum, a->value, sizeof a->value);
	}
	if (request->from) {
		g_autofree char *text = g_strdup_printf(
			"from %lu of %u", (unsigned long)request->from, request->thread);

		g_checksum_update(sum, (const guchar *)text, -1);
	}
	return g_strdup_printf("%.24s%c", g_checksum_get_string(sum),
			       request->record	 ? 'r'
			       : request->native ? 'n'
						 : 'e');
}

static char *scratch_folder(struct canned *c)
{
	g_autofree char *pattern = g_build_filename(c->scratch, "run.XXXXXX", NULL);

	assert_non_null(g_mkdtemp(pattern));
	return g_steal_pointer(&pattern);
}

/* All regular files of one folder into another. */
static void copy_files(const char *from, const char *to)
{
	g_autoptr(GDir) folder = g_dir_open(from, 0, NULL);
	const char *name;

	while (folder && (name = g_dir_read_name(folder))) {
		g_autofree char *here = g_build_filename(from, name, NULL);
		g_autofree char *there = g_build_filename(to, name, NULL);
		g_autofree char *text = NULL;
		gsize length;

		if (!strcmp(name, "plan") || g_str_has_prefix(name, "tail.") ||
		    !g_file_get_contents(here, &text, &length, NULL) || !length)
			continue;
		if (g_str_has_prefix(name, "trace.")) {
			const struct trace_head *head = (const void *)text;

			length = MIN(length, TRACE_STREAM_OFFSET + head->length);
		}
		assert_true(g_file_set_contents(there, text, (gssize)length, NULL));
	}
}

static bool run_from_files(struct canned *c, const struct run_request *request,
			   struct run_result *result)
{
	g_autofree char *name = name_of(request);
	const char *line = g_hash_table_lookup(c->known, name);
	int end, folder;
	unsigned long done, insns;

	*result = (struct run_result){ .end = RUN_LIMIT, .record = scratch_folder(c) };
	if (!line) {
		c->unknown++;
		return true;
	}
	assert_int_equal(sscanf(line, "%d %d %d %lu %lu %d", &end, &result->status, &result->signo,
				&done, &insns, &folder),
			 6);
	result->end = (enum run_end)end;
	result->actions_done = done;
	result->insns = insns;
	if (folder) {
		g_autofree char *from = g_strdup_printf("%s/%d", c->folder, folder);

		copy_files(from, result->record);
	}
	return true;
}

static bool run_and_keep(struct canned *c, const struct run_request *request,
			 struct run_result *result, GError **error)
{
	g_autofree char *name = name_of(request);
	unsigned folder = g_hash_table_size(c->known) + 1;
	g_autofree char *to = g_strdup_printf("%s/%u", c->folder, folder);

	if (!c->real->run(c->real, request, result, error))
		return false;
	if (g_hash_table_contains(c->known, name))
		return true;
	if (request->record) {
		/* opening it makes its streams whole */
		trace_run_free(trace_run_open(result->record, c->images, c->n_images, NULL));
		g_mkdir(to, 0755);
		copy_files(result->record, to);
	}
	g_hash_table_insert(c->known, g_steal_pointer(&name),
			    g_strdup_printf("%d %d %d %lu %lu %u", result->end, result->status,
					    result->signo, (unsigned long)result->actions_done,
					    (unsigned long)result->insns,
					    request->record ? folder : 0));
	return true;
}

static bool canned_run(struct runner *runner, const struct run_request *request,
		       struct run_result *result, GError **error)
{
	struct canned *c = (struct canned *)runner;

	c->asked++;
	return c->real ? run_and_keep(c, request, result, error)
		       : run_from_files(c, request, result);
}

static void read_table(struct canned *c)
{
	g_autofree char *path = g_build_filename(c->folder, "table", NULL);
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return;
	lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; *line; line++) {
		char *blank = strchr(*line, ' ');

		if (blank)
			g_hash_table_insert(c->known, g_strndup(*line, (gsize)(blank - *line)),
					    g_strdup(blank + 1));
	}
}

static void write_table(struct canned *c)
{
	g_autofree char *path = g_build_filename(c->folder, "table", NULL);
	g_autoptr(GList) names = g_list_sort(g_hash_table_get_keys(c->known), (GCompareFunc)strcmp);
	g_autoptr(GString) text = g_string_new(NULL);

	for (GList *n = names; n; n = n->next)
		g_string_append_printf(text, "%s %s\n", (char *)n->data,
				       (char *)g_hash_table_lookup(c->known, n->data));
	assert_true(g_file_set_contents(path, text->str, (gssize)text->len, NULL));
}

struct canned *canned_open(const char *folder)
{
	struct canned *c = g_new0(struct canned, 1);
	g_autofree char *path = g_build_filename(folder, "failing.why", NULL);
	const struct record_place place = { .run_timeout = 10 };
	struct requirement_end end;
	const char *why = NULL;
	GError *error = NULL;

	if (g_getenv("WHY_AGENT")) /* where the program is there, it may be run */
		g_setenv("GDB_WHY_AGENT", g_getenv("WHY_AGENT"), FALSE);
	c->runner.run = canned_run;
	c->folder = g_strdup(folder);
	c->scratch = g_dir_make_tmp("gdb-why-canned-XXXXXX", NULL);
	c->known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	c->record = record_open(path, 0, NULL);
	assert_non_null(c->record);
	if (!record_find_program(c->record, &place, &error))
		fail_msg("%s", error->message);
	c->images = record_images(c->record, &c->n_images);
	record_failing(c->record, &c->failing);
	end = failure_end(&c->failing);
	c->requirement = requirement_new(&end);
	assert_non_null(c->requirement);
	read_table(c);
	if (!g_getenv("CANNED_WRITE"))
		return c;
	if (!record_replay(c->record, &why))
		fail_msg("%s", why);
	c->real = replay_runner(record_replay(c->record, &why));
	return c;
}

void canned_free(struct canned *c)
{
	if (c->real)
		write_table(c);
	if (c->unknown)
		print_message(
			"%u runs are in no file of %s; tests/support/canned.h says what to do\n",
			c->unknown, c->folder);
	g_hash_table_destroy(c->known);
	requirement_free(c->requirement);
	replay_failing_clear(&c->failing);
	record_free(c->record);
	folder_remove(c->scratch);
	g_free(c->scratch);
	g_free(c->folder);
	g_free(c);
}
