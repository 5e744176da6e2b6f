/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts in memory, and how far a copy of one reaches. */
#include "solver/cause/cause-private.h"

#include <string.h>

enum { LONGEST_NAME = 256 };

char *cause_text_in_memory(const struct finder *f, uint64_t step, uint64_t address)
{
	g_autoptr(GString) text = g_string_new(NULL);
	uint64_t byte;

	while (text->len < LONGEST_NAME &&
	       trace_point_read_before(f->point, step, address + text->len, 1, &byte)) {
		if (!(uint8_t)byte)
			return text->len && g_utf8_validate(text->str, -1, NULL)
				       ? g_strdup(text->str)
				       : NULL;
		g_string_append_c(text, (char)byte);
	}
	return NULL;
}

uint64_t cause_end_of_variable(const struct finder *f, uint64_t step, uint64_t address)
{
	const struct reverse_index_step at = *reverse_index_at(f->index, step);
	const struct reverse_index_insn *info = reverse_index_insn_of(f->index, &at);
	struct image_frame frame = *trace_point_frame(f->point);
	uint64_t end = 0;
	struct image_lvalue lv;

	frame.pc = info->insn->addr;
	frame.bias = info->module->bias;
	frame.regs[TRACE_RBP] = at.rbp;
	frame.regs[TRACE_RSP] = at.rsp;
	if (!image_name_memory(info->module->image, &frame, address, 1, &lv))
		return end;
	if (lv.variable && lv.variable->type)
		end = lv.object + lv.variable->type->size;
	image_lvalue_clear(&lv);
	return end;
}

/* How long a text in memory was before the step; false = some of its bytes are not known. */
static bool length_in_memory(const struct finder *f, uint64_t step, uint64_t address, uint64_t most,
			     uint64_t *n)
{
	uint64_t byte = 1;

	for (*n = 0; *n < most; (*n)++) {
		if (!trace_point_read_before(f->point, step, address + *n, 1, &byte))
			return false;
		if (!(uint8_t)byte)
			return true;
	}
	return true;
}

bool cause_text_length(void *finder, uint64_t step, uint64_t address, uint64_t *length)
{
	struct finder *f = finder;
	const uint64_t most = reverse_index_limits(f->index)->slice_string;

	return length_in_memory(f, step, address, most, length) && *length < most;
}

bool cause_text_reaches(struct finder *f, const struct library_write *call,
			const struct reverse_index_place *place)
{
	const unsigned from_argument = call->function->copies ? call->function->copies : 2;
	g_autofree char *text = NULL;
	uint64_t from, offset, end;

	if (!library_argument(f->index, call->step, from_argument, &from))
		return true;
	offset = call->source.address - from;
	text = cause_text_in_memory(f, call->step, from);
	if (text)
		return offset <= strlen(text);
	end = cause_end_of_variable(f, call->step, place->address - offset);
	return !end || place->address < end;
}

bool cause_text_behind(struct finder *f, const struct library_write *call,
		       const struct reverse_index_place *place, struct reverse_index_place *from)
{
	const struct library_function *c = call->function;
	uint64_t most = reverse_index_limits(f->index)->slice_string, to, source, old, n;

	if (!library_argument(f->index, call->step, 1, &to) ||
	    !library_argument(f->index, call->step, 2, &source) ||
	    !length_in_memory(f, call->step, to, most, &old))
		return false;
	*from = *place;
	if (place->address - to < old)
		return true;
	if (c->most && library_argument(f->index, call->step, c->most, &n))
		most = MIN(most, n);
	if (!length_in_memory(f, call->step, source, most, &n) || place->address - to - old == n)
		return false;
	if (place->address - to - old < n)
		from->address = source + (place->address - to - old);
	return true;
}

/* "argv[1], ..." for "argv[1][0], ...": the text begins there. */
static char *words_of_origin(char *origin)
{
	char *first = strstr(origin, "[0], ");
	char *words = first && first > origin && first[-1] == ']'
			      ? g_strdup_printf("%.*s%s", (int)(first - origin), origin,
						first + strlen("[0]"))
			      : g_strdup(origin);

	g_free(origin);
	return words;
}

bool cause_add_text(struct finder *f, unsigned effect, const struct wanted *w, uint64_t writer)
{
	uint64_t since = 0;
	struct known_cause made = { .step = UINT64_MAX, .place = w->place };
	g_autofree char *words = NULL;
	char *origin = w->is_text && w->step < reverse_index_steps(f->index)
			       ? cause_origin(f, w->step, &w->place, &since)
			       : NULL;

	words = origin ? words_of_origin(origin) : NULL;
	if (!words || (writer != UINT64_MAX && since <= writer))
		return false;
	made.cause.kind = CAUSE_INITIAL;
	made.cause.clause = explanation_string(f->e, words);
	cause_add(f, cause_at(f, effect), &made, w, NULL);
	return true;
}
