/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/panel/canvas.h"

void canvas_init(struct canvas *c, unsigned width, unsigned height)
{
	c->width = width;
	c->height = height;
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

unsigned canvas_put(struct canvas *c, const struct canvas_area *a, unsigned x, unsigned y,
		    enum tui_role role, const char *text)
{
	if (y >= a->height)
		return x;
	for (const char *p = text; *p; p = g_utf8_next_char(p)) {
		gunichar letter = g_utf8_get_char(p);
		unsigned width = columns_of_character(letter);

		if (x + width > a->width)
			break;
		for (unsigned i = 0; i < width; i++) {
			struct canvas_cell *at = canvas_cell_at(c, a->x + x + i, a->y + y);

			if (at)
				*at = (struct canvas_cell){ i ? 0 : letter, role, at->reverse };
		}
		x += width;
	}
	return x;
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
