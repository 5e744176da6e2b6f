/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/source/executed.h"

#include "solver/rank/spectrum.h"
#include "solver/rank/units.h"

#include <string.h>

/* Which instructions of an image were executed, by their numbers. */
struct seen {
	const struct image *image;
	const struct trace_insn *insns;
	uint32_t *turns; /* executed_turn */
	uint64_t *steps; /* executed_step */
};

struct executed {
	GArray *seen; /* struct seen, one an image that executed anything */
	uint32_t n;   /* instructions noted so far */
};

struct executed *executed_new(void)
{
	struct executed *x = g_new0(struct executed, 1);

	x->seen = g_array_new(FALSE, TRUE, sizeof(struct seen));
	return x;
}

void executed_free(struct executed *x)
{
	if (!x)
		return;
	for (guint i = 0; i < x->seen->len; i++) {
		g_free(g_array_index(x->seen, struct seen, i).turns);
		g_free(g_array_index(x->seen, struct seen, i).steps);
	}
	g_array_free(x->seen, TRUE);
	g_free(x);
}

static struct seen *seen_of(const struct executed *x, const struct image *im)
{
	for (guint i = 0; i < x->seen->len; i++) {
		struct seen *s = &g_array_index(x->seen, struct seen, i);

		if (s->image == im)
			return s;
	}
	return NULL;
}

static struct seen *begin_image(struct executed *x, const struct image *im)
{
	struct seen s = { .image = im };
	const size_t n = image_insns(im, &s.insns) + 1;

	s.turns = g_new0(uint32_t, n);
	s.steps = g_new0(uint64_t, n);
	g_array_append_val(x->seen, s);
	return &g_array_index(x->seen, struct seen, x->seen->len - 1);
}

void executed_add(struct executed *x, const struct image *im, const struct trace_insn *insn,
		  uint64_t step)
{
	struct seen *s = seen_of(x, im);

	if (!s)
		s = begin_image(x, im);
	if (s->turns[insn - s->insns])
		return;
	s->turns[insn - s->insns] = ++x->n;
	s->steps[insn - s->insns] = step;
}

/* --- lines --- */

enum { NO_CODE, NOT_EXECUTED, EXECUTED };

/* One of the above for each statement of the image. */
static uint8_t *states_of(const struct executed *x, const struct image *im, uint32_t *n_statements)
{
	const struct seen *s = seen_of(x, im);
	const struct trace_insn *insns;
	size_t n = image_insns(im, &insns);
	GByteArray *states = g_byte_array_new();

	for (size_t i = 0; i < n; i++) {
		const struct image_row *row = image_row_at(im, insns[i].addr);
		uint8_t state = s && s->turns[i] ? EXECUTED : NOT_EXECUTED;

		if (!row)
			continue;
		if (row->statement >= states->len) {
			guint old = states->len;

			g_byte_array_set_size(states, row->statement + 1);
			memset(states->data + old, NO_CODE, states->len - old);
		}
		states->data[row->statement] = MAX(states->data[row->statement], state);
	}
	*n_statements = states->len;
	return g_byte_array_free(states, FALSE);
}

/* lines: the state of line n at n. */
static void add_states(const struct image *im, const uint8_t *states, uint32_t n, const char *file,
		       GByteArray *lines)
{
	for (uint32_t id = 0; id < n; id++) {
		const struct image_statement *s = image_statement(im, id);

		if (states[id] != NO_CODE && s->line < lines->len && g_strcmp0(s->file, file) == 0)
			lines->data[s->line] = MAX(lines->data[s->line], states[id]);
	}
}

static void put_executed_lines(struct explanation_source *source, const GByteArray *lines,
			       bool whole)
{
	for (guint line = 1; line < lines->len; line++) {
		struct explanation_coverage c = { .line = line,
						  .executed = lines->data[line] == EXECUTED };

		if (lines->data[line] == EXECUTED || (whole && lines->data[line] == NOT_EXECUTED))
			g_array_append_val(source->coverage, c);
	}
}

uint32_t executed_turn(const struct executed *x, const struct image *im,
		       const struct trace_insn *insn)
{
	const struct seen *s = seen_of(x, im);

	return s ? s->turns[insn - s->insns] : 0;
}

uint64_t executed_step(const struct executed *x, const struct image *im,
		       const struct trace_insn *insn)
{
	const struct seen *s = seen_of(x, im);

	return s && s->turns[insn - s->insns] ? s->steps[insn - s->insns] : UINT64_MAX;
}

void executed_describe(const struct executed *x, struct image *const *images, size_t n_images,
		       bool whole, struct explanation *e)
{
	g_autofree uint8_t **states = g_new0(uint8_t *, n_images + 1);
	g_autofree uint32_t *n = g_new0(uint32_t, n_images + 1);

	for (guint i = 0; i < e->sources->len; i++) {
		struct explanation_source *source = e->sources->pdata[i];
		g_autoptr(GByteArray) lines = g_byte_array_new();

		if (source->coverage->len || !source->lines->len)
			continue;
		g_byte_array_set_size(lines, source->lines->len + 1);
		memset(lines->data, NO_CODE, lines->len);
		for (size_t k = 0; k < n_images; k++) {
			if (!states[k])
				states[k] = states_of(x, images[k], &n[k]);
			add_states(images[k], states[k], n[k], source->file, lines);
		}
		put_executed_lines(source, lines, whole);
	}
	for (size_t k = 0; k < n_images; k++)
		g_free(states[k]);
}

/* --- tests --- */

static struct explanation_coverage *coverage_of_source(const struct explanation *e,
						       const char *file, unsigned line)
{
	const struct explanation_source *source = explanation_source(e, file);
	guint lo = 0, hi = source ? source->coverage->len : 0;

	while (lo < hi) {
		guint middle = (lo + hi) / 2;
		struct explanation_coverage *c =
			&g_array_index(source->coverage, struct explanation_coverage, middle);

		if (c->line == line)
			return c;
		if (c->line < line)
			lo = middle + 1;
		else
			hi = middle;
	}
	return NULL;
}

void executed_tests(struct explanation *e, const struct units *u, const struct spectrum *s)
{
	g_autofree unsigned *group = g_new(unsigned, u->statements->len + 1);
	g_autofree struct spectrum_counts *counts = g_new0(struct spectrum_counts, u->lines->len);

	for (guint i = 0; i < u->statements->len; i++)
		group[i] = g_array_index(u->statements, struct unit_statement, i).line;
	spectrum_count(s, SPECTRUM_STATEMENT, group, u->statements->len, counts, u->lines->len);
	for (guint i = 0; i < u->lines->len; i++) {
		const struct unit_line *l = &g_array_index(u->lines, struct unit_line, i);
		struct explanation_coverage *c = coverage_of_source(e, l->file, l->number);

		if (!c)
			continue;
		c->passed = counts[i].ep;
		c->failed = counts[i].ef;
	}
}
