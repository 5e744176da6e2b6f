/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/specs/leave.h"

struct leave {
	struct leave_path path;
	GArray *looked_at; /* uint32_t: definitions with another value, and decisions */
	term_bits *values; /* by definition */
	struct term_memo *memo;
};

static term_bits cut_to_width(int64_t value, unsigned width)
{
	return width < 64 ? (uint64_t)value & ((UINT64_C(1) << width) - 1) : (uint64_t)value;
}

static term_bits value_after_leave_so_far(void *arg, uint32_t number)
{
	return ((term_bits *)arg)[number];
}

static const struct definition *left_definition(const struct leave *l, uint32_t number)
{
	return &g_array_index(l->path.definitions, struct definition, number);
}

static bool is_decision(const struct leave *l, unsigned next, uint32_t number)
{
	return next < l->path.decisions->len &&
	       number == g_array_index(l->path.decisions, uint32_t, next);
}

/* What depends on no input has the value that it had, in all questions. */
struct leave *leave_new(const struct leave_path *path)
{
	struct leave *l = g_new0(struct leave, 1);
	unsigned next = 0;

	l->path = *path;
	l->looked_at = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	l->values = g_new0(term_bits, MAX(path->n, 1));
	l->memo = term_memo_new(path->pool, value_after_leave_so_far, l->values);
	for (uint32_t i = 0; i < path->n; i++) {
		bool decides = is_decision(l, next, i);

		l->values[i] = left_definition(l, i)->actual;
		next += decides;
		if (path->depends[i] != FIXED || decides)
			g_array_append_val(l->looked_at, i);
	}
	return l;
}

void leave_free(struct leave *l)
{
	if (!l)
		return;
	g_array_unref(l->looked_at);
	g_free(l->values);
	term_memo_free(l->memo);
	g_free(l);
}

unsigned leave_at(struct leave *l, const GArray *values)
{
	guint input = 0;
	unsigned next = 0;

	term_memo_forget(l->memo, l->values);
	for (guint k = 0; k < l->looked_at->len; k++) {
		uint32_t i = g_array_index(l->looked_at, uint32_t, k);
		const struct definition *d = left_definition(l, i);

		l->values[i] = d->actual;
		if (l->path.depends[i] == INPUT)
			l->values[i] = cut_to_width(g_array_index(values, int64_t, input++),
						    term_width(l->path.pool, d->variable));
		else if (l->path.depends[i] == DEPENDS && d->expr)
			l->values[i] = term_eval(l->memo, d->expr);
		if (!is_decision(l, next, i))
			continue;
		if (l->values[i] != d->actual)
			break;
		next++;
	}
	return next;
}
