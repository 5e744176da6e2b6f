/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a test suite: each line is a test or is named, and what is started
 * without a shell has the words that a shell would make of it. */
#include "gdbext/suite/command.h"

#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_words(const struct suite_test *t, const struct suite_command *c)
{
	g_auto(GStrv) words = NULL;
	int n;

	if (!c->direct || strchr(t->command, '<'))
		return;
	g_assert(g_shell_parse_argv(t->command, &n, &words, NULL));
	g_assert((guint)n == g_strv_length(c->argv));
	for (int i = 1; i < n; i++)
		g_assert_cmpstr(words[i], ==, c->argv[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct suite *s = suite_parse("s", (const char *)data, size);
	g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);

	for (unsigned i = 0; i < s->tests->len; i++) {
		struct suite_test *t = s->tests->pdata[i];
		struct suite_command c;

		g_assert(g_hash_table_add(names, t->name));
		g_assert(*t->name && !strchr(t->name, '/') && !strchr(t->command, '\n'));
		g_assert(strstr(t->command, "{}"));
		suite_command_init(&c, t, "/bin/my p", "./p", "/");
		check_words(t, &c);
		suite_command_clear(&c);
	}
	for (unsigned i = 0; i < s->wrong->len; i++)
		g_assert(g_str_has_prefix(s->wrong->pdata[i], "s:"));
	suite_free(s);
	return 0;
}
