/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/panel/canvas.h"

#include <string.h>

void canvas_init(struct canvas *c, unsigned width, unsigned height)
{
	c->width = width;
	c->height = height;
	c->cut = '~';
	c->cells = g_new0(struct canvas_cell, (gsize)width * height + 1);
	for (gsize i = 0; i < (gsize)width * height; i++)
		c->cells[i].c = ' ';
}

void canvas_deinit(struct canvas *c)
{
	g_clear_pointer(&c->cells, g_free);
}

static struct canvas_cell *canvas_cell_at(struct canvas *c, unsigned x, unsigned y)
{
	return x < c->width && y < c->height ? &c->cells[(gsize)y * c->width + x] : NULL;
}

const struct canvas_cell *canvas_at(const struct canvas *c, unsigned x, unsigned y)
{
	return &c->cells[(gsize)y * c->width + x];
}

static unsigned columns_of_character(gunichar c)
{
	return g_unichar_iszerowidth(c) ? 0 : g_unichar_iswide(c) ? 2 : 1;
}

static void put_letter(struct canvas *c, const struct canvas_area *a, unsigned x, unsigned y,
		       enum tui_role role, gunichar letter, unsigned width)
{
	for (unsigned i = 0; i < width; i++) {
		struct canvas_cell *at = canvas_cell_at(c, a->x + x + i, a->y + y);

		if (at)
			*at = (struct canvas_cell){ i ? 0 : letter, role, at->reverse, false };
	}
}

/* What is left of a number or a name that was cut would be another one. */
static void mark_cut(struct canvas *c, const struct canvas_area *a, unsigned y, enum tui_role role,
		     const char *rest)
{
	const unsigned x = a->width - 1;
	const struct canvas_cell *last =
		a->width > 1 ? canvas_cell_at(c, a->x + x, a->y + y) : NULL;

	if (!last || rest[strspn(rest, " ")] == '\0')
		return;
	/* the first half of a wide character goes with the second one */
	if (!last->c)
		put_letter(c, a, x - 1, y, role, ' ', 1);
	put_letter(c, a, x, y, role, c->cut, 1);
}

unsigned canvas_put(struct canvas *c, const struct canvas_area *a, unsigned x, unsigned y,
		    enum tui_role role, const char *text)
{
	if (y >= a->height)
		return x;
	for (const char *p = text; *p; p = g_utf8_next_char(p)) {
		gunichar letter = g_utf8_get_char(p);
		unsigned width = columns_of_character(letter);

		if (x + width > a->width) {
			mark_cut(c, a, y, role, p);
			break;
		}
		put_letter(c, a, x, y, role, letter, width);
		x += width;
	}
	return x;
}

void canvas_embolden(struct canvas *c, const struct canvas_area *a, unsigned from, unsigned until,
		     unsigned y)
{
	for (unsigned x = from; y < a->height && x < MIN(until, a->width); x++) {
		struct canvas_cell *at = canvas_cell_at(c, a->x + x, a->y + y);

		if (at)
			at->bold = true;
	}
}

void canvas_reverse(struct canvas *c, const struct canvas_area *a, unsigned y)
{
	for (unsigned x = 0; y < a->height && x < a->width; x++) {
		struct canvas_cell *at = canvas_cell_at(c, a->x + x, a->y + y);

		if (at)
			at->reverse = true;
	}
}

char *canvas_text(const struct canvas *c)
{
	GString *out = g_string_new(NULL);

	for (unsigned y = 0; y < c->height; y++) {
		for (unsigned x = 0; x < c->width; x++) {
			gunichar letter = canvas_at(c, x, y)->c;

			if (letter)
				g_string_append_unichar(out, letter);
		}
		while (out->len && out->str[out->len - 1] == ' ')
			g_string_truncate(out, out->len - 1);
		g_string_append_c(out, '\n');
	}
	return g_string_free(out, FALSE);
}
