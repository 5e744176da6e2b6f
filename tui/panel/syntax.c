/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/panel/syntax.h"
#include "tui/report/syntax.h"

#include <string.h>

GByteArray *syntax_comments(const GPtrArray *lines)
{
	GByteArray *all = g_byte_array_sized_new(lines->len);
	bool inside = false;

	for (guint i = 0; i < lines->len; i++) {
		const char *line = lines->pdata[i], *p = line;
		guint8 begins = inside;
		enum tui_role role;

		g_byte_array_append(all, &begins, 1);
		while (*p)
			p += tui_syntax_token(p, false, &inside, &role);
	}
	return all;
}

unsigned syntax_put(struct canvas *c, const struct canvas_area *a, unsigned x, unsigned y,
		    const char *code, bool inside)
{
	const char *start = code + strspn(code, " ");

	for (const char *p = code; *p;) {
		enum tui_role role;
		size_t n = tui_syntax_token(p, p == start, &inside, &role);
		g_autofree char *token = g_strndup(p, n);

		x = canvas_put(c, a, x, y, role, token);
		p += n;
	}
	return x;
}
