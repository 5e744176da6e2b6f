/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/report/svg.h"
#include "tui/words/line.h"
#include "tui/words/words.h"

/* Sizes are in pixels.  A monospaced letter of 13 pixels is 7.8 wide in all usual fonts. */
enum { MARGIN = 2, BOX = 46, GAP = 30, STEP = BOX + GAP, PADDING = 10, LANE = 14, FONT = 13 };
static const double letter = 7.85;

enum { MOST_LETTERS = 90, MOST_BOXES = 60 };

/* A link and its two lines of text. */
struct box {
	guint link;
	char *place, *code, *values;
};

struct drawing {
	GString *out;
	const struct explanation *e;
	GArray *boxes;	   /* struct box, top to bottom */
	unsigned width;	   /* of a box */
	unsigned left_out; /* links between the last box but one and the last */
};

static void box_clear(void *p)
{
	struct box *b = p;

	g_free(b->place);
	g_free(b->code);
	g_free(b->values);
}

static const struct explanation_link *link_of_box(const struct drawing *d, guint i)
{
	return &g_array_index(d->e->chain, struct explanation_link,
			      g_array_index(d->boxes, struct box, i).link);
}

static void add_box(struct drawing *d, const struct tui_page *page, guint link)
{
	const struct explanation_link *l =
		&g_array_index(d->e->chain, struct explanation_link, link);
	g_autofree char *code = tui_clean(l->text ? l->text : l->clause);
	g_autofree char *values = tui_words_values(l->values);
	struct box b = { link, tui_place(page, l->file, l->line, MOST_LETTERS / 2), NULL,
			 tui_elide(values, MOST_LETTERS) };
	unsigned letters;

	b.code = tui_elide(code, MOST_LETTERS - tui_width(b.place) - 2);
	letters = MAX(tui_width(b.place) + 2 + tui_width(b.code), tui_width(b.values));
	d->width = MAX(d->width, (unsigned)(letters * letter) + 2 * PADDING);
	g_array_append_val(d->boxes, b);
}

static void add_boxes(struct drawing *d, const struct tui_page *page, const GArray *chain)
{
	guint n = chain->len, head = n > MOST_BOXES ? MOST_BOXES - 1 : n - 1;

	for (guint i = 0; i < n; i++)
		if ((i < head || i == n - 1) && g_array_index(chain, guint, i) < d->e->chain->len)
			add_box(d, page, g_array_index(chain, guint, i));
	d->left_out = n - 1 - head;
}

static unsigned top_of_box(guint i)
{
	return MARGIN + i * STEP;
}

static void put_svg_text(GString *out, const char *class, unsigned x, unsigned y, const char *text)
{
	g_autofree char *safe = g_markup_escape_text(text, -1);

	g_string_append_printf(out, "<text class=\"%s\" x=\"%u\" y=\"%u\">%s</text>\n", class, x, y,
			       safe);
}

static void put_box(const struct drawing *d, guint i)
{
	const struct box *b = &g_array_index(d->boxes, struct box, i);
	unsigned y = top_of_box(i);
	const char *class = i + 1 == d->boxes->len ? "failure" : i == 0 ? "cause" : "step";

	g_string_append_printf(d->out,
			       "<rect class=\"%s\" x=\"%d\" y=\"%u\" width=\"%u\" height=\"%d\" "
			       "rx=\"4\"/>\n",
			       class, MARGIN, y, d->width, BOX);
	put_svg_text(d->out, "place", MARGIN + PADDING, y + 19, b->place);
	put_svg_text(d->out, "code",
		     MARGIN + PADDING + (unsigned)((tui_width(b->place) + 2) * letter), y + 19,
		     b->code);
	put_svg_text(d->out, "values", MARGIN + PADDING, y + 37, b->values);
}

static bool is_link_cause_of(const struct drawing *d, guint from, guint to)
{
	const GArray *because = link_of_box(d, to)->because;

	for (guint k = 0; because && k < because->len; k++)
		if (g_array_index(because, guint, k) ==
		    g_array_index(d->boxes, struct box, from).link)
			return true;
	return false;
}

static const char *class_of_edge(const struct drawing *d, guint from)
{
	return link_of_box(d, from)->edge == EDGE_CONTROL ? "control" : "data";
}

/* From a box to the next one. */
static void put_arrow(const struct drawing *d, guint from)
{
	unsigned x = MARGIN + 3 * PADDING, y = top_of_box(from) + BOX;
	const char *class = class_of_edge(d, from);

	g_string_append_printf(d->out,
			       "<path class=\"%s\" d=\"M%u %u v%d\" marker-end=\"url(#tip)\"/>\n",
			       class, x, y, GAP - 7);
	put_svg_text(d->out, "edge", x + PADDING, y + GAP / 2 + 4, class);
}

/* Past the boxes between, on the right; walker: from 0. */
static void put_detour(const struct drawing *d, guint from, guint to, unsigned walker)
{
	unsigned x = MARGIN + d->width, out = x + (walker + 1) * LANE;

	g_string_append_printf(d->out,
			       "<path class=\"%s\" d=\"M%u %u H%u V%u H%u\" "
			       "marker-end=\"url(#tip)\"/>\n",
			       class_of_edge(d, from), x, top_of_box(from) + BOX / 2 + 5, out,
			       top_of_box(to) + BOX / 2 - 5, x + 7);
}

static unsigned count_detours(const struct drawing *d)
{
	unsigned n = 0;

	for (guint to = 2; to < d->boxes->len; to++)
		for (guint from = 0; from + 1 < to; from++)
			n += is_link_cause_of(d, from, to);
	return n;
}

static void put_svg_edges(const struct drawing *d)
{
	unsigned walker = 0;

	for (guint to = 1; to < d->boxes->len; to++) {
		bool gap = d->left_out && to + 1 == d->boxes->len;

		if (gap) {
			g_autofree char *text = g_strdup_printf("%u more steps", d->left_out);

			put_svg_text(d->out, "edge", MARGIN + 3 * PADDING,
				     top_of_box(to) - GAP / 2 + 4, text);
		} else if (is_link_cause_of(d, to - 1, to)) {
			put_arrow(d, to - 1);
		}
		for (guint from = 0; from + 1 < to; from++)
			if (is_link_cause_of(d, from, to))
				put_detour(d, from, to, walker++);
	}
}

static void draw_svg(struct drawing *d)
{
	unsigned width = 2 * MARGIN + d->width + (count_detours(d) + 1) * LANE;
	unsigned height = top_of_box(d->boxes->len) - GAP + MARGIN;

	g_string_append_printf(d->out,
			       "<svg role=\"img\" width=\"%u\" height=\"%u\" "
			       "viewBox=\"0 0 %u %u\" font-size=\"%d\">\n"
			       "<title>from the cause, at the top, to the failure</title>\n",
			       width, height, width, height, FONT);
	put_svg_edges(d);
	for (guint i = 0; i < d->boxes->len; i++)
		put_box(d, i);
	g_string_append(d->out, "</svg>\n");
}

void tui_svg(GString *out, const struct tui_page *page, const struct explanation *e,
	     const struct explanation_suspect *s)
{
	struct drawing d = { .out = out, .e = e };

	if (!s->chain || s->chain->len < 2)
		return;
	d.boxes = g_array_new(FALSE, FALSE, sizeof(struct box));
	g_array_set_clear_func(d.boxes, box_clear);
	add_boxes(&d, page, s->chain);
	if (d.boxes->len > 1)
		draw_svg(&d);
	g_array_unref(d.boxes);
}
