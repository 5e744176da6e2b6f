/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/regress/set.h"

GArray *regress_set_new(void)
{
	return g_array_new(FALSE, FALSE, sizeof(unsigned));
}

static int compare_change_numbers(gconstpointer a, gconstpointer b)
{
	unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

	return x < y ? -1 : x > y;
}

GArray *regress_set_of(const unsigned *numbers, guint n)
{
	g_autoptr(GArray) sorted = regress_set_new();
	GArray *s = regress_set_new();

	g_array_append_vals(sorted, numbers, n);
	g_array_sort(sorted, compare_change_numbers);
	for (guint i = 0; i < n; i++) {
		unsigned x = regress_set_at(sorted, i);

		if (!i || x != regress_set_at(sorted, i - 1))
			g_array_append_val(s, x);
	}
	return s;
}

GArray *regress_set_all(guint n)
{
	GArray *s = regress_set_new();

	for (unsigned i = 0; i < n; i++)
		g_array_append_val(s, i);
	return s;
}

GArray *regress_set_copy(const GArray *s)
{
	GArray *copy = regress_set_new();

	g_array_append_vals(copy, s->data, s->len);
	return copy;
}

GArray *regress_set_union(const GArray *a, const GArray *b)
{
	g_autoptr(GArray) both = regress_set_copy(a);

	g_array_append_vals(both, b->data, b->len);
	return regress_set_of((const unsigned *)(const void *)both->data, both->len);
}

/* The members of a that are (or are not) in b. */
static GArray *members_in(const GArray *a, const GArray *b, bool in)
{
	GArray *s = regress_set_new();

	for (guint i = 0; i < a->len; i++) {
		unsigned x = regress_set_at(a, i);

		if (regress_set_has(b, x) == in)
			g_array_append_val(s, x);
	}
	return s;
}

GArray *regress_set_minus(const GArray *a, const GArray *b)
{
	return members_in(a, b, false);
}

GArray *regress_set_common(const GArray *a, const GArray *b)
{
	return members_in(a, b, true);
}

/* The first member that is not below the number. */
static guint place_in_set(const GArray *s, unsigned number)
{
	guint low = 0, high = s->len;

	while (low < high) {
		guint middle = low + (high - low) / 2;

		if (regress_set_at(s, middle) < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void regress_set_add(GArray *s, unsigned number)
{
	guint at = place_in_set(s, number);

	if (at == s->len || regress_set_at(s, at) != number)
		g_array_insert_val(s, at, number);
}

bool regress_set_has(const GArray *s, unsigned number)
{
	guint at = place_in_set(s, number);

	return at < s->len && regress_set_at(s, at) == number;
}

bool regress_set_within(const GArray *a, const GArray *b)
{
	for (guint i = 0; i < a->len; i++)
		if (!regress_set_has(b, regress_set_at(a, i)))
			return false;
	return true;
}

bool regress_set_equal(const GArray *a, const GArray *b)
{
	return a->len == b->len && regress_set_within(a, b);
}

char *regress_set_key(const GArray *s)
{
	GString *key = g_string_new(NULL);

	for (guint i = 0; i < s->len; i++)
		g_string_append_printf(key, "%s%u", i ? "," : "", regress_set_at(s, i));
	return g_string_free(key, FALSE);
}
