/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/report/gdb-text.h"
#include "tui/report/syntax.h"

#include <string.h>

/* GDB's styles, as it sets them unless the user does otherwise. */
#define ADDRESS "\033[34m"
#define FUNCTION "\033[33m"
#define VARIABLE "\033[36m"
#define FILE_NAME "\033[32m"
#define METADATA "\033[2m"
#define OFF "\033[m"

/* Groups with styles of their own: "NAME=" at the beginning of an argument; members and addresses
 * in a value. */
static const char arguments[] = "", value[] = "";

/* Lines that GDB writes, and the style of each group; NULL: it is plain. */
static const struct form {
	const char *pattern, *styles[8];
} forms[] = {
	/* #1  0x0000555555555151 in push (n=3, list=0x0) at list.c:21 */
	{ "^((?:Run till exit from )?#\\d+ +|(?:Temporary breakpoint|Breakpoint|Catchpoint) \\d+, "
	  "|)(0x[0-9a-f]+|)( in |)([A-Za-z_~][^ (]*)( \\()(.*)(\\) at )(.+?)(?=:\\d+$)",
	  { NULL, ADDRESS, NULL, FUNCTION, NULL, arguments, NULL, FILE_NAME } },
	/* #1  0x00007ffff7df8380 in read () from /lib/x86_64-linux-gnu/libc.so.6 */
	{ "^(#\\d+ +)(0x[0-9a-f]+)( in )([A-Za-z_~][^ (]*)( \\()(.*)(\\) from )(.+)$",
	  { NULL, ADDRESS, NULL, FUNCTION, NULL, arguments, NULL, FILE_NAME } },
	{ "^((?:Temporary breakpoint|Breakpoint) \\d+ at )(0x[0-9a-f]+)(: file )(.+?)(?=, line "
	  "\\d+\\.$)",
	  { NULL, ADDRESS, NULL, FILE_NAME } },
	{ "^(Reading symbols from )(.+?)(?=\\.\\.\\.$)", { NULL, FILE_NAME } },
	/* a local variable, and the value of an expression */
	{ "^((?!type = )[A-Za-z_]\\w*)( = )(.+)$", { VARIABLE, NULL, value } },
	{ "^(\\$\\d+ = )(?!0x[0-9a-f]+$)(.+)$", { NULL, value } }, /* that is a number, by p/x */
};

static void put_styled(GString *out, const char *style, const char *text)
{
	if (style && *text)
		g_string_append_printf(out, "%s%s" OFF, style, text);
	else
		g_string_append(out, text);
}

/* "n=3, list=0x0" */
static void put_arguments(GString *out, const char *text)
{
	bool begins = true;

	while (*text) {
		size_t n = strspn(text, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_");
		g_autofree char *word = g_strndup(text, MAX(n, 1));

		put_styled(out, begins && n && text[n] == '=' ? VARIABLE : NULL, word);
		begins = text[0] == ' ' && begins;
		begins = begins || (text[0] == ',' && text[1] == ' ');
		text += MAX(n, 1);
	}
}

/* The length of what begins at text: a quoted text, a remark, a number or word, or one character.
 */
static size_t length_of_part(const char *text)
{
	static const char word[] = G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_";
	size_t n = 1;

	if (g_str_has_prefix(text, "<repeats ") && strchr(text, '>'))
		return (size_t)(strchr(text, '>') - text) + 1;
	if (*text != '"' && *text != '\'')
		return MAX(strspn(text, word), 1);
	while (text[n] && text[n] != *text)
		n += text[n] == '\\' && text[n + 1] ? 2 : 1;
	return text[n] ? n + 1 : n;
}

/* "{first = 1, next = 0x0}" */
static void put_gdb_value(GString *out, const char *text)
{
	bool begins = false, quoted = false; /* GDB counts characters without a style */

	while (*text) {
		size_t n = length_of_part(text);
		g_autofree char *part = g_strndup(text, n);
		bool names = begins && g_str_has_prefix(text + n, " = ");

		const char *style = names					    ? VARIABLE
				    : g_str_has_prefix(part, "0x")		    ? ADDRESS
				    : g_str_has_prefix(part, "<repeats") && !quoted ? METADATA
										    : NULL;

		put_styled(out, style, part);
		quoted = *text == '\'' || (*text == ' ' && quoted);
		begins = *text == '{' || *text == ',' || (*text == ' ' && begins);
		text += n;
	}
}

static void put_coloured_code(GString *out, const char *code)
{
	const char *start = code + strspn(code, " \t");
	bool inside = false;

	for (const char *p = code; *p;) {
		enum tui_role role;
		size_t n = tui_syntax_token(p, p == start, &inside, &role);
		g_autofree char *token = g_strndup(p, n);

		g_string_append_printf(out, "%s%s%s", tui_color_on(true, role), token,
				       tui_color_off(true, role));
		p += n;
	}
}

static bool put_form(GString *out, const struct form *form, const char *line)
{
	g_autoptr(GRegex) regex = g_regex_new(form->pattern, 0, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;
	int end = 0;

	if (!g_regex_match(regex, line, 0, &match))
		return false;
	for (int i = 1; i < g_match_info_get_match_count(match); i++) {
		g_autofree char *part = g_match_info_fetch(match, i);

		if (form->styles[i - 1] == arguments)
			put_arguments(out, part);
		else if (form->styles[i - 1] == value)
			put_gdb_value(out, part);
		else
			put_styled(out, form->styles[i - 1], part);
	}
	g_match_info_fetch_pos(match, 0, NULL, &end);
	g_string_append(out, line + end);
	return true;
}

char *tui_gdb_line(const char *line)
{
	GString *out = g_string_new(NULL);
	size_t digits = strspn(line, G_CSET_DIGITS);
	bool done = digits && line[digits] == '\t';

	if (done) {
		g_string_append_len(out, line, (gssize)digits + 1);
		put_coloured_code(out, line + digits + 1);
	}
	/* whoever wrote escapes has their own colours */
	for (size_t i = 0; !done && i < G_N_ELEMENTS(forms) && !strchr(line, '\033'); i++)
		done = put_form(out, &forms[i], line);
	if (!done)
		g_string_assign(out, line);
	return g_string_free(out, FALSE);
}
