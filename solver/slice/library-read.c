/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/slice/library-read.h"
#include "solver/base/machine.h"

#include <string.h>

enum {
	MOST_ARGUMENTS = 6,
	FLOAT_ARGUMENTS = 8,
	STACK_ARGUMENTS = 32, /* that are looked at */
};
static const enum trace_reg arguments[MOST_ARGUMENTS] = { TRACE_RDI, TRACE_RSI, TRACE_RDX,
							  TRACE_RCX, TRACE_R8,	TRACE_R9 };

struct reading {
	struct reverse_index *index;
	uint64_t call, until;
	const struct library_function *f;
	GArray *reads;
};

const struct library_function *library_called(struct reverse_index *index, uint64_t step)
{
	const struct reverse_index_step at = *reverse_index_at(index, step);
	const struct reverse_index_insn *info = reverse_index_insn_of(index, &at);

	return info->insn->flow == TRACE_FLOW_CALL
		       ? library_find(image_native_name(info->module->image, info->insn->target))
		       : NULL;
}

uint64_t library_call_of(struct reverse_index *index, uint64_t step)
{
	const struct reverse_index_step at = *reverse_index_at(index, step);
	uint64_t call;

	if (reverse_index_insn_of(index, &at)->insn->flow != TRACE_FLOW_RET)
		return step;
	reverse_index_find_branch(index, step, at.depth, NULL, 0, &call);
	return call == UINT64_MAX ? step : call;
}

bool library_argument_set(struct reverse_index *index, uint64_t call, unsigned argument,
			  uint64_t *value, uint64_t *writer)
{
	const struct reverse_index_place place = { .reg = arguments[argument - 1] };
	struct reverse_index_event event;

	if (reverse_index_find(index, &place, call, writer, &event) != INDEX_WRITTEN)
		return false;
	*value = reverse_index_at(index, *writer)->value;
	return true;
}

bool library_argument(struct reverse_index *index, uint64_t call, unsigned argument,
		      uint64_t *value)
{
	uint64_t writer;

	return library_argument_set(index, call, argument, value, &writer);
}

static void add_library_read(const struct reading *r, const struct library_read *read)
{
	if (!read->place.memory || read->place.size)
		g_array_append_val(r->reads, *read);
}

static void add_text_read(const struct reading *r, uint64_t address, uint64_t size)
{
	const struct library_read read = {
		.place = { .memory = true, .address = address, .size = (unsigned)size },
		.step = r->call,
		.is_text = true,
	};

	add_library_read(r, &read);
}

static void add_register_read(const struct reading *r, unsigned reg, uint64_t step)
{
	const struct library_read read = { .place = { .reg = reg }, .step = step };

	add_library_read(r, &read);
}

/* How long a text is does not stand in the record. */
static uint64_t size_of_text(const struct reading *r)
{
	uint64_t size = reverse_index_limits(r->index)->slice_string, most;

	if (r->f->most && library_argument(r->index, r->call, r->f->most, &most))
		size = MIN(size, most);
	return size;
}

static void add_texts(const struct reading *r, unsigned mask)
{
	for (unsigned i = 1; i <= MOST_ARGUMENTS; i++) {
		struct library_read read = { .place = { .memory = true },
					     .step = r->call,
					     .is_text = true,
					     .is_argument = true,
					     .reg = arguments[i - 1] };

		if (!(mask & LIBRARY_ARGUMENT(i)) ||
		    !library_argument(r->index, r->call, i, &read.place.address) ||
		    read.place.address < LOWEST_MAPPED_ADDRESS)
			continue;
		read.place.size = (unsigned)size_of_text(r);
		add_library_read(r, &read);
	}
}

static unsigned texts_of_model(const struct library_function *f)
{
	switch (f->model) {
	case LIBRARY_NO_MODEL:
	case LIBRARY_MAPS:
	case LIBRARY_FILLS:
		return 0;
	case LIBRARY_COPIES:
		return f->last ? LIBRARY_ARGUMENT(2) : 0; /* else library-write.h tells it */
	case LIBRARY_COMPARES:
		return LIBRARY_ARGUMENT(1) | LIBRARY_ARGUMENT(2);
	default:
		return LIBRARY_ARGUMENT(1);
	}
}

/* ---- printf's kin ---- */

/* Which argument is next, as the ABI passes them. */
struct passed {
	unsigned integers, floats, on_stack;
};

/* A number as it is; of an address, the text there as well. */
static void add_integer(const struct reading *r, struct passed *p, bool is_text)
{
	const uint64_t rsp = reverse_index_at(r->index, r->call)->rsp;

	if (p->integers == MOST_ARGUMENTS) {
		add_text_read(r, rsp + 8 * p->on_stack++, 8);
		return;
	}
	add_register_read(r, arguments[p->integers++], r->call);
	if (is_text)
		add_texts(r, LIBRARY_ARGUMENT(p->integers));
}

static void add_float(const struct reading *r, struct passed *p, bool is_long)
{
	const uint64_t rsp = reverse_index_at(r->index, r->call)->rsp;

	if (is_long || p->floats == FLOAT_ARGUMENTS) {
		add_text_read(r, rsp + 8 * p->on_stack, is_long ? 16 : 8);
		p->on_stack += is_long ? 2 : 1;
	} else {
		add_register_read(r, TRACE_XMM0 + p->floats++, r->call);
	}
}

/* The character of a format that stands in the program's file; 0 = it ends, or is not there. */
static char format_character(const struct reading *r, uint64_t at)
{
	const struct reverse_index_step step = *reverse_index_at(r->index, r->call);
	const struct trace_module *m = reverse_index_insn_of(r->index, &step)->module;
	uint8_t c = 0;
	bool writable;

	return image_initial(m->image, at - m->bias, 1, &c, &writable) && !writable ? (char)c : 0;
}

/* Adds what the directive behind a % prints; where it ends. */
static uint64_t add_directive(const struct reading *r, struct passed *p, uint64_t at)
{
	bool is_long = false;
	char c;

	for (; (c = format_character(r, at)) && strchr("-+ #0123456789.*hljztLq'", c); at++) {
		if (c == '*')
			add_integer(r, p, false);
		is_long |= c == 'L';
	}
	if (c && strchr("fFeEgGaA", c))
		add_float(r, p, is_long);
	else if (c && c != '%' && c != 'm')
		add_integer(r, p, c == 's');
	return c ? at + 1 : at;
}

static void add_printed(const struct reading *r)
{
	struct passed p = { .integers = r->f->format };
	uint64_t at;
	char c;

	if (!library_argument(r->index, r->call, r->f->format, &at))
		return;
	while ((c = format_character(r, at++)) && p.on_stack < STACK_ARGUMENTS)
		if (c == '%')
			at = add_directive(r, &p, at);
}

void library_printed_reads(struct reverse_index *index, uint64_t call, GArray *reads)
{
	const struct reading r = { index, call, call, library_called(index, call), reads };

	if (!r.f)
		return;
	if (r.f->prints == LIBRARY_PRINTS_FORMAT)
		add_printed(&r);
	if (r.f->prints == LIBRARY_PRINTS_VALUE || r.f->prints == LIBRARY_PRINTS_BYTES)
		add_register_read(&r, arguments[r.f->printed - 1], call);
	if (r.f->prints == LIBRARY_PRINTS_BYTES ||
	    (r.f->prints == LIBRARY_PRINTS_VALUE && r.f->as[1] == 's'))
		add_texts(&r, LIBRARY_ARGUMENT(r.f->printed));
}

/* ---- arrays, and the functions that compare their elements ---- */

static void add_array(const struct reading *r)
{
	uint64_t address, n, size = 0;

	if (library_argument(r->index, r->call, r->f->array, &address) &&
	    library_argument(r->index, r->call, r->f->elements, &n) &&
	    library_argument(r->index, r->call, r->f->element_size, &size) && n < UINT32_MAX &&
	    size < UINT32_MAX)
		add_text_read(r, address,
			      MIN(n * size, reverse_index_limits(r->index)->slice_array));
	/* what is searched for, as large as an element at most */
	if (r->f->array > 1 && library_argument(r->index, r->call, 1, &address))
		add_text_read(r, address, MIN(size, 8));
}

/* The runtime addresses at which the function that was given returns. */
static GArray *returns_of(const struct reading *r)
{
	GArray *returns = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	const struct reverse_index_step at = *reverse_index_at(r->index, r->call);
	const struct trace_module *m = reverse_index_insn_of(r->index, &at)->module;
	const struct image_function *f;
	const struct trace_insn *insns;
	uint64_t address;
	size_t n;

	if (!library_argument(r->index, r->call, r->f->calls, &address))
		return returns;
	f = image_function_at(m->image, address - m->bias);
	n = f ? image_insns(m->image, &insns) : 0;
	for (size_t i = 0; i < n; i++) {
		uint64_t pc = insns[i].addr + m->bias;

		if (insns[i].flow == TRACE_FLOW_RET && insns[i].addr >= f->lo &&
		    insns[i].addr < f->hi)
			g_array_append_val(returns, pc);
	}
	return returns;
}

static void add_results(const struct reading *r)
{
	const uint64_t most = reverse_index_limits(r->index)->slice_calls;
	g_autoptr(GArray) returns = returns_of(r);
	uint64_t step = r->until;

	for (uint64_t i = 0; returns->len && i < most; i++) {
		step = reverse_index_find_insn(r->index, r->call + 1, step,
					       (const uint64_t *)(const void *)returns->data,
					       returns->len);
		if (step == UINT64_MAX)
			return;
		add_register_read(r, TRACE_RAX, step);
	}
}

/* ---- all ---- */

void library_reads(struct reverse_index *index, uint64_t call, uint64_t until, GArray *reads)
{
	const struct reading r = { index, call, until, library_called(index, call), reads };

	if (!r.f)
		return;
	add_texts(&r, texts_of_model(r.f) | r.f->reads);
	if (r.f->model == LIBRARY_MAPS)
		add_register_read(&r, TRACE_RDI, call);
	if (r.f->model == LIBRARY_FINDS)
		add_register_read(&r, TRACE_RSI, call);
	if (library_formats_values(r.f))
		add_printed(&r);
	if (r.f->array)
		add_array(&r);
	if (r.f->calls)
		add_results(&r);
}
