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

bool cause_text_reaches(struct finder *f, uint64_t step, const struct reverse_index_place *place)
{
	g_autofree char *text = NULL;
	uint64_t to, from, end;

	if (!library_argument(f->index, step, 1, &to) ||
	    !library_argument(f->index, step, 2, &from))
		return true;
	text = cause_text_in_memory(f, step, from);
	if (text)
		return place->address - to <= strlen(text);
	end = cause_end_of_variable(f, step, to);
	return !end || place->address < end;
}
