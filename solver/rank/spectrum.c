/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/rank/spectrum.h"

#include "solver/rank/units.h"

struct test {
	char *name;
	enum spectrum_verdict verdict;
	gsize start[SPECTRUM_KINDS + 1]; /* of its rows; the last is the end */
};

/* The row being filled. */
struct draft {
	GArray *times; /* of guint64, by unit */
	GArray *met;   /* of unsigned: the units whose times is not 0 */
};

struct spectrum {
	GArray *tests; /* of struct test */
	guint8 *bytes;
	gsize n_bytes, room;
	bool open; /* the last of tests is being filled */
	struct draft draft[SPECTRUM_KINDS];
};

static void free_test(void *test)
{
	g_free(((struct test *)test)->name);
}

struct spectrum *spectrum_new(void)
{
	struct spectrum *s = g_new0(struct spectrum, 1);

	s->tests = g_array_new(FALSE, FALSE, sizeof(struct test));
	g_array_set_clear_func(s->tests, free_test);
	s->room = 4096;
	s->bytes = g_malloc(s->room);
	for (unsigned k = 0; k < SPECTRUM_KINDS; k++) {
		s->draft[k].times = g_array_new(FALSE, TRUE, sizeof(guint64));
		s->draft[k].met = g_array_new(FALSE, FALSE, sizeof(unsigned));
	}
	return s;
}

void spectrum_free(struct spectrum *s)
{
	if (!s)
		return;
	for (unsigned k = 0; k < SPECTRUM_KINDS; k++) {
		g_array_unref(s->draft[k].times);
		g_array_unref(s->draft[k].met);
	}
	g_array_unref(s->tests);
	g_free(s->bytes);
	g_free(s);
}

static struct test *test_at(const struct spectrum *s, unsigned test)
{
	g_assert(test < spectrum_n_tests(s));
	return &g_array_index(s->tests, struct test, test);
}

void spectrum_begin(struct spectrum *s, const char *test, enum spectrum_verdict verdict)
{
	struct test t = { .name = g_strdup(test), .verdict = verdict };

	g_assert(!s->open);
	s->open = true;
	g_array_append_val(s->tests, t);
}

void spectrum_add(struct spectrum *s, enum spectrum_kind kind, unsigned unit, guint64 times)
{
	struct draft *d = &s->draft[kind];

	g_assert(s->open && unit != UNIT_NONE);
	if (!times)
		return;
	if (unit >= d->times->len)
		g_array_set_size(d->times, unit + 1);
	guint64 *sum = &g_array_index(d->times, guint64, unit);
	if (!*sum)
		g_array_append_val(d->met, unit);
	*sum = MIN(*sum + MIN(times, SPECTRUM_MOST), SPECTRUM_MOST);
}

static void write_number(struct spectrum *s, guint64 n)
{
	if (s->room - s->n_bytes < 10) {
		s->room += s->room / 2;
		s->bytes = g_realloc(s->bytes, s->room);
	}
	for (; n >= 0x80; n >>= 7)
		s->bytes[s->n_bytes++] = (guint8)(n | 0x80);
	s->bytes[s->n_bytes++] = (guint8)n;
}

static guint64 read_packed_number(const guint8 **at)
{
	guint64 n = 0;

	for (unsigned shift = 0;; shift += 7) {
		guint8 byte = *(*at)++;
		n |= (guint64)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return n;
	}
}

static int by_unit_number(const void *a, const void *b)
{
	unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

	return (x > y) - (x < y);
}

static void clear_draft(struct draft *d)
{
	for (unsigned i = 0; i < d->met->len; i++)
		g_array_index(d->times, guint64, g_array_index(d->met, unsigned, i)) = 0;
	g_array_set_size(d->met, 0);
}

void spectrum_end(struct spectrum *s)
{
	struct test *t = &g_array_index(s->tests, struct test, s->tests->len - 1);

	g_assert(s->open);
	for (unsigned k = 0; k < SPECTRUM_KINDS; k++) {
		struct draft *d = &s->draft[k];
		unsigned next = 0;

		t->start[k] = s->n_bytes;
		g_array_sort(d->met, by_unit_number);
		for (unsigned i = 0; i < d->met->len; i++) {
			unsigned unit = g_array_index(d->met, unsigned, i);
			write_number(s, unit - next);
			write_number(s, g_array_index(d->times, guint64, unit));
			next = unit + 1;
		}
		clear_draft(d);
	}
	t->start[SPECTRUM_KINDS] = s->n_bytes;
	s->open = false;
}

void spectrum_drop(struct spectrum *s)
{
	g_assert(s->open);
	for (unsigned k = 0; k < SPECTRUM_KINDS; k++)
		clear_draft(&s->draft[k]);
	g_array_set_size(s->tests, s->tests->len - 1);
	s->open = false;
}

unsigned spectrum_n_tests(const struct spectrum *s)
{
	return s->tests->len - s->open;
}

unsigned spectrum_n_verdict(const struct spectrum *s, enum spectrum_verdict verdict)
{
	unsigned n = 0;

	for (unsigned i = 0; i < spectrum_n_tests(s); i++)
		n += test_at(s, i)->verdict == verdict;
	return n;
}

const char *spectrum_name(const struct spectrum *s, unsigned test)
{
	return test_at(s, test)->name;
}

enum spectrum_verdict spectrum_verdict(const struct spectrum *s, unsigned test)
{
	return test_at(s, test)->verdict;
}

void spectrum_set_verdict(struct spectrum *s, unsigned test, enum spectrum_verdict verdict)
{
	test_at(s, test)->verdict = verdict;
}

struct spectrum_row spectrum_row(const struct spectrum *s, unsigned test, enum spectrum_kind kind)
{
	const struct test *t = test_at(s, test);

	return (struct spectrum_row){ .at = s->bytes + t->start[kind],
				      .end = s->bytes + t->start[kind + 1],
				      .unit = UNIT_NONE };
}

bool spectrum_next(struct spectrum_row *row)
{
	if (row->at == row->end)
		return false;
	/* UNIT_NONE + 1 is 0. */
	row->unit += 1 + (unsigned)read_packed_number(&row->at);
	row->times = read_packed_number(&row->at);
	return true;
}

/* A group is counted once for each test: seen holds the last test (+ 1) that executed one of
 * its units. */
static void count_test(const struct spectrum *s, unsigned test, enum spectrum_kind kind,
		       const unsigned *group, unsigned n_units, struct spectrum_counts *counts,
		       unsigned n, unsigned *seen)
{
	bool failed = spectrum_verdict(s, test) == SPECTRUM_FAILED;

	for (struct spectrum_row row = spectrum_row(s, test, kind); spectrum_next(&row);) {
		unsigned g = !group ? row.unit : row.unit < n_units ? group[row.unit] : UNIT_NONE;
		if (g >= n || seen[g] == test + 1)
			continue;
		seen[g] = test + 1;
		counts[g].ef += failed;
		counts[g].ep += !failed;
	}
}

void spectrum_count(const struct spectrum *s, enum spectrum_kind kind, const unsigned *group,
		    unsigned n_units, struct spectrum_counts *counts, unsigned n)
{
	g_autofree unsigned *seen = g_new0(unsigned, n);
	unsigned failed = spectrum_n_verdict(s, SPECTRUM_FAILED);
	unsigned passed = spectrum_n_verdict(s, SPECTRUM_PASSED);

	for (unsigned g = 0; g < n; g++)
		counts[g] = (struct spectrum_counts){ 0 };
	for (unsigned t = 0; t < spectrum_n_tests(s); t++)
		if (spectrum_verdict(s, t) != SPECTRUM_IGNORED)
			count_test(s, t, kind, group, n_units, counts, n, seen);
	for (unsigned g = 0; g < n; g++) {
		counts[g].nf = failed - counts[g].ef;
		counts[g].np = passed - counts[g].ep;
	}
}

void spectrum_sum(const struct spectrum *s, enum spectrum_kind kind, guint64 *passed,
		  guint64 *failed, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		passed[i] = failed[i] = 0;
	for (unsigned t = 0; t < spectrum_n_tests(s); t++) {
		enum spectrum_verdict verdict = spectrum_verdict(s, t);
		guint64 *sum = verdict == SPECTRUM_FAILED ? failed : passed;

		if (verdict == SPECTRUM_IGNORED)
			continue;
		for (struct spectrum_row row = spectrum_row(s, t, kind); spectrum_next(&row);)
			if (row.unit < n)
				sum[row.unit] += row.times;
	}
}

gsize spectrum_bytes(const struct spectrum *s)
{
	return s->n_bytes;
}
