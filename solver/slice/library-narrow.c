/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bytes of its arguments that a call needed for its result: strcmp none behind the first
 * difference, strchr none behind what it found. */
#include "solver/slice/library-read.h"

#include <ctype.h>

/* A call that compares or searches, and what it returned. */
struct narrowing {
	const struct library_function *f;
	const struct trace_cursor *before;
	const struct trace_module *module; /* that calls */
	uint64_t result;
	struct library_read *texts[2]; /* of its first arguments; NULL = not read */
};

static bool byte_before(const struct narrowing *n, unsigned text, uint64_t at, uint8_t *byte)
{
	const uint64_t address = n->texts[text]->place.address + at;
	bool writable;

	return trace_cursor_read(n->before, address, 1, byte) ||
	       (image_initial(n->module->image, address - n->module->bias, 1, byte, &writable) &&
		!writable);
}

static int folded_byte(const struct narrowing *n, uint8_t byte)
{
	return n->f->folds_case ? tolower(byte) : byte;
}

/* Neither is compared behind its end, which is known of a constant; UINT64_MAX = it is not known.
 */
static uint64_t bytes_of_constant(const struct narrowing *n, unsigned text)
{
	const uint64_t from = n->texts[text]->place.address - n->module->bias;
	bool writable = false;
	uint8_t byte;

	for (uint64_t i = 0; i < n->texts[text]->place.size; i++) {
		if (!image_initial(n->module->image, from + i, 1, &byte, &writable) || writable)
			return UINT64_MAX;
		if (!byte)
			return i + 1;
	}
	return UINT64_MAX;
}

static uint64_t most_compared(const struct narrowing *n)
{
	const uint64_t most =
		n->f->text ? MIN(bytes_of_constant(n, 0), bytes_of_constant(n, 1)) : UINT64_MAX;

	return most == UINT64_MAX ? 0 : most;
}

/* How many bytes of both decide; 0 = that is not known, or what is known is not what was compared:
 * the result says which of them was less. */
static uint64_t bytes_compared(const struct narrowing *n)
{
	const uint64_t most = MIN(n->texts[0]->place.size, n->texts[1]->place.size);
	uint8_t a, b;

	for (uint64_t i = 0; i < most; i++) {
		int differ;

		if (!byte_before(n, 0, i, &a) || !byte_before(n, 1, i, &b))
			return 0;
		differ = folded_byte(n, a) - folded_byte(n, b);
		if (differ)
			return (differ > 0) == ((int32_t)n->result > 0) && (int32_t)n->result
				       ? i + 1
				       : 0;
		if (!a && n->f->text)
			return (int32_t)n->result ? 0 : i + 1;
	}
	return 0;
}

/* The same of what was searched or measured, which the result says. */
static uint64_t bytes_searched(const struct narrowing *n)
{
	const uint64_t from = n->texts[0]->place.address;

	if (n->f->model == LIBRARY_MEASURES)
		return n->result + 1;
	return n->f->model == LIBRARY_FINDS && !n->f->last && n->result >= from
		       ? n->result - from + 1
		       : 0;
}

static void cut_text(struct library_read *text, uint64_t size)
{
	if (text && size && size < text->place.size)
		text->place.size = (unsigned)size;
}

static void narrow_texts(struct narrowing *n)
{
	uint64_t size = 0;

	if (n->f->model == LIBRARY_COMPARES && n->texts[0] && n->texts[1]) {
		size = bytes_compared(n);
		size = size ? size : most_compared(n);
	} else if (n->f->model != LIBRARY_COMPARES && n->texts[0])
		size = bytes_searched(n);
	cut_text(n->texts[0], size);
	cut_text(n->f->model == LIBRARY_COMPARES ? n->texts[1] : NULL, size);
}

static bool can_be_narrowed(const struct library_function *f)
{
	return f && (f->model == LIBRARY_COMPARES || f->model == LIBRARY_MEASURES ||
		     f->model == LIBRARY_FINDS);
}

void library_result_reads(struct reverse_index *index, uint64_t call, uint64_t until, GArray *reads)
{
	struct narrowing n = { .f = library_called(index, call) };
	const guint from = reads->len;
	struct trace_cursor *before, *behind;
	struct trace_step step;

	library_reads(index, call, until, reads);
	if (!can_be_narrowed(n.f) || !(before = reverse_index_cursor(index, call)))
		return;
	for (guint i = from; i < reads->len; i++) {
		struct library_read *r = &g_array_index(reads, struct library_read, i);

		if (r->is_argument && r->reg == TRACE_RDI)
			n.texts[0] = r;
		else if (r->is_argument && r->reg == TRACE_RSI)
			n.texts[1] = r;
	}
	n.before = before;
	behind = trace_cursor_copy(before);
	if (trace_cursor_step(behind, &step, NULL) == 1) {
		n.result = trace_cursor_reg(behind, TRACE_RAX);
		n.module = step.module;
		narrow_texts(&n);
	}
	trace_cursor_free(behind);
	trace_cursor_free(before);
}
