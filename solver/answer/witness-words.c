/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/answer/witness-words.h"

#include <string.h>

/* The number that the text is: "-3", "97 'a'", "true", "NULL". */
static bool number_of(const char *text, int64_t *out)
{
	char *end = NULL;

	if (!text)
		return false;
	if (strcmp(text, "NULL") == 0 || strcmp(text, "false") == 0 || strcmp(text, "true") == 0) {
		*out = strcmp(text, "true") == 0;
		return true;
	}
	*out = g_ascii_strtoll(text, &end, 0);
	return end != text && (*end == '\0' || *end == ' ');
}

/* The only store of the step; NULL = there is none, or there are several. */
static const struct reverse_index_event *store_of(struct reverse_index *index, uint64_t step)
{
	const struct reverse_index_event *found = NULL, *events;
	unsigned n, stores = 0;

	events = reverse_index_events(index, step, &n);
	for (unsigned i = 0; i < n; i++)
		if (events[i].kind == INDEX_STORE) {
			found = &events[i];
			stores++;
		}
	return stores == 1 && found->size <= sizeof found->value ? found : NULL;
}

static bool is_number_in(uint64_t bits, unsigned size, int64_t number)
{
	unsigned unused = 64 - 8 * size;
	uint64_t low = bits << unused >> unused;

	return low == (uint64_t)number || (int64_t)(bits << unused) >> unused == number;
}

/* Had the place that the step stores to this value before, and had the program given it that? */
static bool held(struct reverse_index *index, uint64_t step, const char *witness)
{
	const struct reverse_index_event *store =
		step < reverse_index_steps(index) ? store_of(index, step) : NULL;
	struct reverse_index_event before;
	struct reverse_index_place place;
	uint64_t number;
	int64_t value;

	if (!store || !number_of(witness, &value))
		return false;
	place = (struct reverse_index_place){ .memory = true,
					      .address = store->address,
					      .size = store->size };
	return reverse_index_find(index, &place, step, &number, &before) == INDEX_WRITTEN &&
	       before.address == place.address && before.size == place.size &&
	       is_number_in(before.value, before.size, value) &&
	       !reverse_index_left_frame(index, place.address, number, step);
}

static bool is_negated(const struct explanation_instance *one)
{
	int64_t from, to;

	return number_of(one->actual, &from) && number_of(one->witness, &to) && from == -to &&
	       ABS(from) > 1;
}

static bool changes_value(const struct explanation_statement *s)
{
	return !s->kind || strcmp(s->kind, "assignment") == 0;
}

/* What is true of each of its executions. */
static const char *words_of(const struct explanation_suspect *s, struct reverse_index *index)
{
	bool before = s->instances->len > 0, negated = before;

	for (guint i = 0; i < s->instances->len; i++) {
		const struct explanation_instance *one =
			&g_array_index(s->instances, struct explanation_instance, i);

		negated = negated && is_negated(one);
		before = before && one->at.pc && one->at.step != UINT64_MAX &&
			 held(index, one->at.step, one->witness);
	}
	return before ? "as before this line" : negated ? "the other sign" : NULL;
}

void witness_words_add(struct explanation *e, struct reverse_index *index)
{
	for (guint i = 0; i < e->suspects->len; i++) {
		const struct explanation_suspect *s = e->suspects->pdata[i];
		struct explanation_statement *st;

		if (s->replay != REPLAY_PASSES || s->statements->len != 1)
			continue;
		st = &g_array_index(s->statements, struct explanation_statement, 0);
		if (changes_value(st) && st->witness)
			st->witness_is = words_of(s, index);
	}
}
