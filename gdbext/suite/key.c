/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/suite/key.h"

#include "gdbext/suite/command.h"

#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

static void add_stamp(GString *to, const char *path)
{
	struct stat st;

	g_string_append(to, path);
	if (stat(path, &st) == 0)
		g_string_append_printf(to, " %jd %jd.%09ld", (intmax_t)st.st_size,
				       (intmax_t)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
	g_string_append_c(to, '\n');
}

void suite_key(const struct suite_conditions *c, const struct suite_test *t, guint8 *key)
{
	g_autoptr(GPtrArray) files = suite_command_files(t, c->directory);
	g_autoptr(GString) text = g_string_new(NULL);
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
	g_autofree char *command = suite_command_text(t);
	gsize length = SUITE_KEY;

	/* no line of a suite holds a newline; names of files may, and come last */
	g_string_append_printf(text, "%s\n%g %d\n", command, c->timeout, c->output);
	g_string_append_printf(text, "%s\n%s\n%s\n", c->build, c->directory, c->shown);
	for (unsigned i = 0; i < files->len; i++)
		add_stamp(text, files->pdata[i]);
	g_checksum_update(sum, (const guchar *)text->str, (gssize)text->len);
	g_checksum_get_digest(sum, key, &length);
}

char *suite_build_of_file(const char *program, GError **error)
{
	GString *text = g_string_new("contents ");
	guint8 digest[SUITE_DIGEST];
	guint64 length;

	if (!suite_digest_file(program, &length, digest, error)) {
		g_string_free(text, TRUE);
		return NULL;
	}
	for (int i = 0; i < SUITE_DIGEST; i++)
		g_string_append_printf(text, "%02x", digest[i]);
	return g_string_free(text, FALSE);
}

char *suite_build_of_program(const char *program, const char *build_id, const char *recorder)
{
	char *argv[] = { (char *)program, NULL };
	g_auto(GStrv) env = g_environ_setenv(g_get_environ(), "LD_TRACE_LOADED_OBJECTS", "1", TRUE);
	GString *text = g_string_new(build_id);
	g_autofree char *said = NULL;
	g_auto(GStrv) lines = NULL;

	/* the loader lists them, and the program does not start */
	if (g_spawn_sync(NULL, argv, env, G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, &said, NULL, NULL,
			 NULL))
		lines = g_strsplit(said, "\n", -1);
	g_string_append_c(text, '\n');
	add_stamp(text, recorder);
	for (char **l = lines; l && *l; l++) {
		const char *path = strstr(*l, " => /");
		const char *end = path ? strrchr(path, '(') : NULL;

		if (end) {
			g_autofree char *name = g_strndup(path + 4, (gsize)(end - path) - 4);

			add_stamp(text, g_strstrip(name));
		}
	}
	return g_string_free(text, FALSE);
}
