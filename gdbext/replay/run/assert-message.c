/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/replay/run/assert-message.h"

#include <libintl.h>
#include <string.h>

/* assert/assert.c of glibc; the second one before 2.38. */
static const char *const formats[] = {
	"%s%s%s:%u: %s%sAssertion `%s' failed.\n",
	"%s%s%s:%u: %s%sAssertion `%s' failed.\n%n",
};

bool assert_words_of(const char *format, struct assert_words *out)
{
	const char *expression = g_strrstr(format, "%s"), *begin, *end;

	if (!expression || expression - format < 2)
		return false;
	for (begin = expression; begin > format && begin[-1] != '%';)
		begin--;
	if (begin == format || *begin != 's' || ++begin == expression)
		return false;
	end = expression + strlen("%s");
	*out = (struct assert_words){ g_strndup(begin, (gsize)(expression - begin)),
				      g_strndup(end, strcspn(end, "%")) };
	return true;
}

void assert_words_clear(struct assert_words *w)
{
	g_free(w->begin);
	g_free(w->end);
	*w = (struct assert_words){ 0 };
}

/* Takes the last word off that ends before a colon and a blank; NULL: there is
 * none. */
static char *take_last(char *text)
{
	char *colon = g_strrstr(text, ": ");

	if (!colon)
		return NULL;
	*colon = '\0';
	return colon + 2;
}

/* before: "p: p.c:13: P: "; the function is left out where the compiler does not tell
 * it. */
static void read_assert_place(char *before, struct assert_message *out)
{
	char *word, *number;

	if (!take_last(before))
		return;
	for (word = take_last(before); word; word = take_last(before)) {
		number = strrchr(word, ':');
		if (number && strspn(number + 1, "0123456789") == strlen(number + 1)) {
			out->line = (unsigned)g_ascii_strtoull(number + 1, NULL, 10);
			out->file = g_strndup(word, (gsize)(number - word));
			return;
		}
		g_free(out->function);
		out->function = g_strdup(word);
	}
}

bool assert_message_find_in(const char *text, const struct assert_words *w,
			    struct assert_message *out)
{
	const char *begin = g_strrstr(text, w->begin);
	const char *end = begin ? g_strrstr(begin + strlen(w->begin), w->end) : NULL;
	const char *line = begin;
	g_autofree char *before = NULL;

	if (!end)
		return false;
	if (!out)
		return true;
	*out = (struct assert_message){ 0 };
	begin += strlen(w->begin);
	out->expression = g_strndup(begin, (gsize)(end - begin));
	begin -= strlen(w->begin);
	while (line > text && line[-1] != '\n')
		line--;
	before = g_strndup(line, (gsize)(begin - line));
	read_assert_place(before, out);
	return true;
}

static bool find_by_format(const char *text, const char *format, struct assert_message *out)
{
	struct assert_words words = { 0 };
	bool found = assert_words_of(format, &words) && assert_message_find_in(text, &words, out);

	assert_words_clear(&words);
	return found;
}

bool assert_message_find(const char *text, struct assert_message *out)
{
	for (size_t i = 0; i < G_N_ELEMENTS(formats); i++) {
		const char *translated = dgettext("libc", formats[i]);

		if (find_by_format(text, formats[i], out) ||
		    (strcmp(translated, formats[i]) != 0 && find_by_format(text, translated, out)))
			return true;
	}
	return false;
}

void assert_message_clear(struct assert_message *m)
{
	g_free(m->expression);
	g_free(m->file);
	g_free(m->function);
	*m = (struct assert_message){ 0 };
}
