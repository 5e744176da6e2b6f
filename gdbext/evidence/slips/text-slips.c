/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/evidence/slips/text-slips.h"

#include "solver/change/code/code-piece.h"

#include <string.h>

/* Where the output differs first, and up to where in that line. */
struct difference {
	const char *was, *wanted; /* whole texts */
	size_t at;
	size_t was_end, wanted_end; /* behind these the line is the same again */
};

static size_t behind_line(const char *text, size_t at)
{
	return at + strcspn(text + at, "\n") + (strchr(text + at, '\n') ? 1 : 0);
}

static bool find_difference(const char *was, const char *wanted, struct difference *out)
{
	struct difference d = { .was = was, .wanted = wanted };

	while (was[d.at] && was[d.at] == wanted[d.at])
		d.at++;
	if (was[d.at] == wanted[d.at])
		return false;
	d.was_end = behind_line(was, d.at);
	d.wanted_end = behind_line(wanted, d.at);
	while (d.was_end > d.at && d.wanted_end > d.at &&
	       was[d.was_end - 1] == wanted[d.wanted_end - 1]) {
		d.was_end--;
		d.wanted_end--;
	}
	*out = d;
	return true;
}

/* ---- the program's texts ---- */

/* An instruction that takes the address of a constant text: lea text(%rip),%reg. */
struct taken {
	const struct trace_insn *insn;
	const char *text;
	uint8_t rex, modrm;
	size_t at;   /* where the difference falls in the text */
	size_t same; /* how many characters around it are those of the output */
};

enum { LONGEST_TEXT = 300 };

static const char *text_taken(const struct image *im, const struct trace_insn *insn,
			      struct taken *out)
{
	size_t avail = 0, length = 0;
	const uint8_t *now = image_bytes(im, insn->addr, &avail);
	const char *text;
	int32_t distance;
	uint64_t target;

	if (!now || avail < 7 || insn->length != 7 || (now[0] & 0xfb) != 0x48 || now[1] != 0x8d ||
	    (now[2] & 0xc7) != 5)
		return NULL;
	memcpy(&distance, now + 3, sizeof distance);
	target = insn->addr + insn->length + (uint64_t)(int64_t)distance;
	text = (const char *)image_bytes(im, target, &avail);
	if (!text || image_is_writable(im, target))
		return NULL;
	length = strnlen(text, avail);
	out->rex = now[0];
	out->modrm = now[2];
	return length && length < MIN(avail, LONGEST_TEXT) ? text : NULL;
}

/* Where in the text the output's difference is: where most of what stands around it agrees. */
static void place_difference(const struct difference *d, struct taken *t)
{
	const size_t length = strlen(t->text);

	t->same = 0;
	for (size_t at = 0; at <= length; at++) {
		size_t before = 0, behind = 0;

		while (before < at && before < d->at &&
		       t->text[at - before - 1] == d->was[d->at - before - 1])
			before++;
		while (t->text[at + behind] && t->text[at + behind] == d->was[d->at + behind])
			behind++;
		if (before + behind > t->same) {
			t->same = before + behind;
			t->at = at;
		}
	}
}

static gint most_alike_first(gconstpointer a, gconstpointer b)
{
	const struct taken *x = a, *y = b;

	if (x->same != y->same)
		return x->same > y->same ? -1 : 1;
	return x->insn->addr < y->insn->addr ? -1 : x->insn->addr > y->insn->addr;
}

/* struct taken: texts of which at least a few characters stand at the difference. */
static GArray *texts_at(const struct question *q, const struct difference *d)
{
	enum { LEAST = 2 };
	const struct image *im = q->run.images[0];
	GArray *all = g_array_new(FALSE, TRUE, sizeof(struct taken));
	const struct trace_insn *insns;
	size_t n = image_insns(im, &insns);

	for (size_t i = 0; i < n; i++) {
		struct taken t = { .insn = &insns[i] };

		t.text = trace_point_has_executed(q->point, im, &insns[i])
				 ? text_taken(im, &insns[i], &t)
				 : NULL;
		if (!t.text)
			continue;
		place_difference(d, &t);
		if (t.same >= MIN(LEAST, strlen(t.text)))
			g_array_append_val(all, t);
	}
	g_array_sort(all, most_alike_first);
	return all;
}

/* ---- changes ---- */

/* The text with so many of its characters from there on replaced. */
static char *text_with(const char *text, size_t at, size_t without, const char *by, size_t n)
{
	return g_strdup_printf("%.*s%.*s%s", (int)at, text, (int)n, by, text + at + without);
}

/* Is most of the text the same?  Another text is a choice that was made elsewhere. */
static bool is_alike(const char *text, const char *other)
{
	const size_t n = strlen(text), m = strlen(other), less = MIN(n, m);
	size_t same = 0, behind = 0;

	while (same < less && text[same] == other[same])
		same++;
	while (behind < less - same && text[n - behind - 1] == other[m - behind - 1])
		behind++;
	return 2 * (same + behind) >= MAX(n, m);
}

static void add_alike(GPtrArray *all, const struct taken *t, char *text)
{
	if (is_alike(t->text, text))
		g_ptr_array_add(all, text);
	else
		g_free(text);
}

/* What the text may have to be: all that differs, or a character more, less or for another.  The
 * end of a format may be a number in the output. */
static GPtrArray *texts_instead(const struct difference *d, const struct taken *t)
{
	GPtrArray *all = g_ptr_array_new_with_free_func(g_free);
	const char *wanted = d->wanted + d->at;
	const size_t differing = d->was_end - d->at, left = strlen(t->text + t->at);

	if (differing <= left && strncmp(t->text + t->at, d->was + d->at, differing) == 0)
		add_alike(all, t,
			  text_with(t->text, t->at, differing, wanted, d->wanted_end - d->at));
	if (*wanted)
		add_alike(all, t, text_with(t->text, t->at, 0, wanted, 1));
	if (left && t->text[t->at] == d->was[d->at]) {
		add_alike(all, t, text_with(t->text, t->at, 1, wanted, 0));
		add_alike(all, t, text_with(t->text, t->at, 1, wanted, *wanted ? 1 : 0));
	}
	if (*wanted && strchr(t->text, '%'))
		add_alike(all, t, text_with(t->text, strlen(t->text), 0, wanted, 1));
	return all;
}

/* The text stands in the piece, behind a jump over it. */
static bool write_text(struct code_piece *c, const struct taken *t, const char *text)
{
	const uint32_t size = (uint32_t)strlen(text) + 1, lea = 7;
	const int32_t back = -(int32_t)(size + lea);

	if (5 + size + lea > sizeof c->bytes)
		return false;
	c->bytes[0] = 0xe9;
	memcpy(c->bytes + 1, &size, sizeof size);
	memcpy(c->bytes + 5, text, size);
	c->bytes[5 + size] = t->rex;
	c->bytes[5 + size + 1] = 0x8d;
	c->bytes[5 + size + 2] = t->modrm;
	memcpy(c->bytes + 5 + size + 3, &back, sizeof back);
	c->size = 5 + size + lea;
	return true;
}

static char *quoted_constant(const char *text)
{
	g_autofree char *escaped = g_strescape(text, NULL);

	return g_strdup_printf("\"%s\"", escaped);
}

static char *words_of_text(const struct taken *t, const char *text)
{
	g_autofree char *now = quoted_constant(t->text), *then = quoted_constant(text);

	return g_strdup_printf("%s for %s", then, now);
}

/* False with error; *spent: no more runs may be made. */
static bool try_text(struct mutation *m, const struct taken *t, const char *text, bool *passes,
		     bool *spent, GArray *actions, GError **error)
{
	struct code_piece piece = { 0 };

	*passes = false;
	g_array_set_size(actions, 0);
	if (!write_text(&piece, t, text))
		return true;
	code_piece_actions(&piece, t->insn->addr, t->insn->length, actions);
	return mutation_try(m, actions, passes, spent, error);
}

static const struct image_statement *statement_that_takes(const struct question *q,
							  const struct trace_insn *insn)
{
	const struct image_row *row = image_row_at(q->run.images[0], insn->addr);

	return row ? image_statement(q->run.images[0], row->statement) : NULL;
}

bool text_slips_search(const struct question *q, const struct expected_output *expected,
		       struct mutation *m, const struct limits *limits, text_slip_found *found,
		       void *arg, GError **error)
{
	g_autofree char *was = NULL;
	g_autoptr(GArray) texts = NULL, actions = NULL;
	struct difference d;
	uint64_t runs = limits->slip_texts;
	bool spent = false;

	if (!expected->text[PRINTED_OUT] || !q->run.failing.out ||
	    !g_file_get_contents(q->run.failing.out, &was, NULL, NULL) ||
	    !find_difference(was, expected->text[PRINTED_OUT]->str, &d))
		return true;
	texts = texts_at(q, &d);
	actions = g_array_new(FALSE, FALSE, sizeof(struct trace_action));
	for (guint i = 0; i < texts->len && !spent; i++) {
		const struct taken *t = &g_array_index(texts, struct taken, i);
		g_autoptr(GPtrArray) changes = texts_instead(&d, t);
		struct text_slip slip = { .statement = statement_that_takes(q, t->insn),
					  .actions = actions,
					  .effort = (double)limits->slip_missing / 100 };
		bool passes = false;

		for (guint k = 0; slip.statement && k < changes->len && runs && !passes && !spent;
		     k++, runs--) {
			if (!try_text(m, t, changes->pdata[k], &passes, &spent, actions, error))
				return false;
			slip.words = passes ? words_of_text(t, changes->pdata[k]) : NULL;
		}
		if (passes)
			found(arg, &slip);
	}
	return true;
}
