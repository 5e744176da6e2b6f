/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/answer/witness-words.h"

#include "solver/change/guard/watch.h"

#include <string.h>

struct words {
	struct explanation *e;
	struct reverse_index *index;
	const struct trace_point *point;
};

/* The number that the text is: "-3", "97 'a'", "true", "NULL". */
static bool number_in_text(const char *text, int64_t *out)
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

/* Did this place hold the number before the step, and had the program given it that? */
static bool held_number_before(struct reverse_index *index, uint64_t step, uint64_t address,
			       unsigned size, int64_t value)
{
	const struct reverse_index_place place = { .memory = true,
						   .address = address,
						   .size = size };
	struct reverse_index_event before;
	uint64_t number;

	return reverse_index_find(index, &place, step, &number, &before) == INDEX_WRITTEN &&
	       before.address == address && before.size == size &&
	       is_number_in(before.value, size, value) &&
	       !reverse_index_left_frame(index, address, number, step);
}

/* Had the place that the step stores to this value before? */
static bool held_value_before(struct reverse_index *index, uint64_t step, const char *witness)
{
	const struct reverse_index_event *store =
		step < reverse_index_steps(index) ? store_of(index, step) : NULL;
	int64_t value;

	return store && number_in_text(witness, &value) &&
	       held_number_before(index, step, store->address, store->size, value);
}

static bool is_negated(const struct explanation_instance *one)
{
	int64_t from, to;

	return number_in_text(one->actual, &from) && number_in_text(one->witness, &to) &&
	       from == -to && ABS(from) > 1;
}

static const struct explanation_instance *instance_of_suspect(const struct explanation_suspect *s,
							      guint i)
{
	return &g_array_index(s->instances, struct explanation_instance, i);
}

/* ---- another variable ---- */

/* Where the watch is in the frame that the step has; false: its place is not so simple. */
static bool address_of_watch(const struct reverse_index_step *at, const struct watch *w,
			     uint64_t bias, uint64_t *address)
{
	uint64_t base = w->reg == TRACE_RBP ? at->rbp : w->reg == TRACE_RSP ? at->rsp : bias;

	*address = base + (uint64_t)w->disp;
	return w->kind == WATCH_MEMORY &&
	       (w->reg == TRACE_RBP || w->reg == TRACE_RSP || w->reg == TRACE_NOTE_NONE);
}

/* The step that executed the instruction: a result is counted until its call is over.  UINT64_MAX =
 * there is none. */
static uint64_t step_of_execution(const struct words *of, const struct explanation_execution *at)
{
	uint64_t steps = reverse_index_steps(of->index);

	return at->pc && at->step < steps
		       ? reverse_index_find_insn(of->index, 0, at->step + 1, &at->pc, 1)
		       : UINT64_MAX;
}

/* Did the step make the whole number that the answer tells?  A floating-point one has other bits.
 */
static bool makes_integer(const struct words *of, const struct explanation_instance *one,
			  uint64_t step)
{
	const struct reverse_index_event *store = store_of(of->index, step);
	uint64_t made = reverse_index_at(of->index, step)->value;
	int64_t actual;

	if (!number_in_text(one->actual, &actual))
		return false;
	return store ? is_number_in(store->value, store->size, actual)
		     : is_number_in(made, 8, actual) || is_number_in(made, 4, actual);
}

static bool is_held_by(const struct words *of, const struct explanation_instance *one,
		       const struct watch *w, uint64_t bias)
{
	uint64_t address, step = step_of_execution(of, &one->at);
	int64_t value;

	return step != UINT64_MAX && number_in_text(one->witness, &value) &&
	       makes_integer(of, one, step) &&
	       address_of_watch(reverse_index_at(of->index, step), w, bias, &address) &&
	       held_number_before(of->index, step, address, w->size, value);
}

static bool is_held_by_each_time(const struct words *of, const struct explanation_suspect *s,
				 const struct watch *w, uint64_t bias)
{
	guint i = 0;

	while (i < s->instances->len && is_held_by(of, instance_of_suspect(s, i), w, bias))
		i++;
	return i > 0 && i == s->instances->len;
}

/* Is there a value that no variable has by chance?  Many variables are 0 or 1. */
static bool has_unlikely_value(const struct explanation_suspect *s)
{
	int64_t value;

	for (guint i = 0; i < s->instances->len; i++)
		if (number_in_text(instance_of_suspect(s, i)->witness, &value) &&
		    (value > 1 || value < -1))
			return true;
	return false;
}

/* The only variable that is there and has these values; NULL = none, or several.  Free it. */
static char *other_variable(const struct words *of, const struct explanation_suspect *s,
			    const char *own)
{
	const struct image *im;
	g_autoptr(GPtrArray) watches = NULL;
	const char *found = NULL;
	uint64_t bias, pc = s->instances->len ? instance_of_suspect(s, 0)->at.pc : 0;
	unsigned n = 0;

	im = pc && has_unlikely_value(s) ? trace_point_image_at(of->point, pc, &bias) : NULL;
	if (!im)
		return NULL;
	watches = watches_at(im, pc - bias, reverse_index_limits(of->index));
	for (guint i = 0; i < watches->len && n < 2; i++) {
		const struct watch *w = watches->pdata[i];

		if (w->type->kind == IMAGE_TYPE_FLOAT || g_strcmp0(w->text, own) == 0 ||
		    !is_held_by_each_time(of, s, w, bias))
			continue;
		found = w->text;
		n++;
	}
	return n == 1 ? g_strdup(found) : NULL;
}

/* ---- the words ---- */

static bool is_value_kind(const struct explanation_statement *s)
{
	static const char *const kinds[] = { "assignment", "return", "call" };

	for (unsigned i = 0; s->kind && i < G_N_ELEMENTS(kinds); i++)
		if (strcmp(s->kind, kinds[i]) == 0)
			return true;
	return !s->kind;
}

/* What is true of each of its executions. */
static const char *words_of_each_execution(const struct words *of,
					   const struct explanation_suspect *s,
					   const struct explanation_statement *st)
{
	bool before = s->instances->len > 0, negated = before;
	g_autofree char *other = NULL, *text = NULL;

	for (guint i = 0; i < s->instances->len; i++) {
		const struct explanation_instance *one = instance_of_suspect(s, i);

		negated = negated && is_negated(one);
		before = before && one->at.pc &&
			 held_value_before(of->index, one->at.step, one->witness);
	}
	if (before)
		return "as before this line";
	other = other_variable(of, s, st->clause);
	if (!other)
		return negated ? "the other sign" : NULL;
	text = g_strdup_printf("the value of `%s'", other);
	return explanation_string(of->e, text);
}

void witness_words_add(struct explanation *e, struct reverse_index *index,
		       const struct trace_point *m)
{
	const struct words of = { .e = e, .index = index, .point = m };

	for (guint i = 0; i < e->suspects->len; i++) {
		const struct explanation_suspect *s = e->suspects->pdata[i];
		struct explanation_statement *st;
		const char *words = NULL;

		if (s->replay != REPLAY_PASSES || s->statements->len != 1)
			continue;
		st = &g_array_index(s->statements, struct explanation_statement, 0);
		if (is_value_kind(st) && st->witness)
			words = words_of_each_execution(&of, s, st);
		if (words)
			st->witness_is = words;
	}
}

/* A store that goes elsewhere is undone where it went and made there; where its value is another
 * one, too, that is a third change.  A large one may be an address, which tells a person nothing.
 */
const char *witness_words_stored(struct explanation *e, const struct trace_point *m,
				 const struct explanation_suspect *suspect, uint64_t pc,
				 const char *witness)
{
	enum { BOTH = 3 };
	const struct trace_action *last = NULL;
	uint64_t bias = 0;
	int64_t value = 0;
	g_autofree char *text = NULL;
	unsigned n = 0;

	if (!trace_point_image_at(m, pc, &bias) || !suspect->actions)
		return witness;
	for (guint i = 0; i < suspect->actions->len; i++) {
		const struct trace_action *a =
			&g_array_index(suspect->actions, struct trace_action, i);

		if (a->kind != TRACE_ACTION_MEM || a->addr != pc - bias)
			continue;
		n = last && last->nth == a->nth ? n + 1 : 1;
		last = a;
	}
	if (n < BOTH || last->size > sizeof value)
		return witness;
	memcpy(&value, last->value, last->size);
	text = last->size == sizeof(int64_t) && value >> 32 && value >> 32 != -1
		       ? g_strdup_printf("%s, another value", witness)
	       : last->size == sizeof(int32_t)
		       ? g_strdup_printf("%s, the value %d", witness, (int32_t)value)
		       : g_strdup_printf("%s, the value %" G_GINT64_FORMAT, witness, value);
	return explanation_string(e, text);
}
