/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/regress/trace/line-code.h"

#include "solver/image/image.h"
#include "solver/image/variable/variable.h"

#include <string.h>

#define LONGEST_TEXT 4096 /* bytes of a string that count */

/* FNV-1a (Fowler, Noll and Vo), 64 bits. */
static void mix_code_bytes(uint64_t *hash, const void *bytes, size_t n)
{
	const uint8_t *b = bytes;

	for (size_t i = 0; i < n; i++)
		*hash = (*hash ^ b[i]) * 0x100000001b3;
}

static void mix_text(uint64_t *hash, const char *text)
{
	if (text)
		mix_code_bytes(hash, text, strnlen(text, LONGEST_TEXT) + 1);
}

/* What is called or jumped to: the name of a function, nothing within one. */
static void mix_target(const struct image *im, uint64_t *hash, const struct trace_insn *insn)
{
	const struct image_function *f = image_function_at(im, insn->target);

	mix_code_bytes(hash, &insn->flow, sizeof insn->flow);
	mix_code_bytes(hash, &insn->cond, sizeof insn->cond);
	if (f && f->lo == insn->target)
		mix_text(hash, f->name);
	else if (!f)
		mix_text(hash, image_native_name(im, insn->target));
}

/* Data that a program counter leads to: by its name, or by its constant content. */
static void mix_data(const struct image *im, uint64_t *hash, const struct trace_insn *insn,
		     uint64_t address)
{
	const struct image_frame frame = { .pc = insn->addr };
	struct image_lvalue variable;
	size_t n = insn->n_mem ? insn->mem[0].size : 0, avail;
	uint8_t some[64], first;
	bool writable = false;

	if (image_name_memory(im, &frame, address, n ? (unsigned)n : 1, &variable)) {
		mix_text(hash, variable.text);
		image_lvalue_clear(&variable);
	} else if (image_slot_name(im, address)) {
		mix_text(hash, image_slot_name(im, address));
	} else if (image_initial(im, address, 1, &first, &writable) && !writable) {
		const uint8_t *text = image_bytes(im, address, &avail);

		if (n && n <= sizeof some && image_initial(im, address, n, some, &writable))
			mix_code_bytes(hash, some, n);
		else if (text)
			mix_code_bytes(hash, text,
				       strnlen((const char *)text, MIN(avail, LONGEST_TEXT)));
	}
}

static void mix_instruction(const struct image *im, uint64_t *hash, const struct trace_insn *insn)
{
	size_t avail, at = insn->rip_disp_offset;
	const uint8_t *bytes = image_bytes(im, insn->addr, &avail);
	int32_t displacement;

	if (!bytes || avail < insn->length)
		return;
	if (insn->target) {
		mix_target(im, hash, insn);
		return;
	}
	if (!at || at + sizeof displacement > insn->length) {
		mix_code_bytes(hash, bytes, insn->length);
		return;
	}
	memcpy(&displacement, bytes + at, sizeof displacement);
	mix_code_bytes(hash, bytes, at);
	mix_code_bytes(hash, bytes + at + sizeof displacement,
		       insn->length - at - sizeof displacement);
	mix_data(im, hash, insn, insn->addr + insn->length + (uint64_t)(int64_t)displacement);
}

/* The line of the function's first instruction, where that is of the same file. */
static unsigned first_line_of_function(const struct image *im, uint64_t address, const char *file)
{
	const struct image_function *f = image_function_at(im, address);
	const struct image_row *row = f ? image_row_at(im, f->lo) : NULL;
	const struct image_statement *s = row ? image_statement(im, row->statement) : NULL;

	return s && g_strcmp0(s->file, file) == 0 ? s->line : 0;
}

GArray *image_line_codes(const struct image *im)
{
	GArray *codes = g_array_new(FALSE, FALSE, sizeof(struct image_line_code));
	const struct trace_insn *insns;
	size_t n = image_insns(im, &insns);

	for (size_t i = 0; i < n; i++) {
		const struct image_row *row = image_row_at(im, insns[i].addr);
		const struct image_statement *s = row ? image_statement(im, row->statement) : NULL;
		struct image_line_code code;

		if (!s || !s->file)
			continue;
		code = (struct image_line_code){ s->file, s->line,
						 first_line_of_function(im, insns[i].addr, s->file),
						 0xcbf29ce484222325 };
		mix_instruction(im, &code.code, &insns[i]);
		g_array_append_val(codes, code);
	}
	return codes;
}
