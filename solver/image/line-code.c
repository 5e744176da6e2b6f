/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/image/line-code.h"

#include "solver/image/image.h"

#include <string.h>

#define LONGEST_TEXT 4096 /* bytes of a string that count */

struct reading {
	const struct image *image;
	GHashTable *known; /* file and line -> place in .lines, plus 1 */
	GArray *lines;
};

/* FNV-1a (Fowler, Noll and Vo), 64 bits. */
static void mix(uint64_t *hash, const void *bytes, size_t n)
{
	const uint8_t *b = bytes;

	for (size_t i = 0; i < n; i++)
		*hash = (*hash ^ b[i]) * 0x100000001b3;
}

static void mix_text(uint64_t *hash, const char *text)
{
	if (text)
		mix(hash, text, strnlen(text, LONGEST_TEXT) + 1);
}

/* What is called or jumped to: the name of a function, nothing within one. */
static void mix_target(const struct reading *r, uint64_t *hash, const struct trace_insn *insn)
{
	const struct image_function *f = image_function_at(r->image, insn->target);

	mix(hash, &insn->flow, sizeof insn->flow);
	mix(hash, &insn->cond, sizeof insn->cond);
	if (f && f->lo == insn->target)
		mix_text(hash, f->name);
	else if (!f)
		mix_text(hash, image_native_name(r->image, insn->target));
}

/* Data that a program counter leads to: by its name, or by its constant content. */
static void mix_data(const struct reading *r, uint64_t *hash, const struct trace_insn *insn,
		     uint64_t address)
{
	const struct image_frame frame = { .pc = insn->addr };
	struct image_lvalue variable;
	size_t n = insn->n_mem ? insn->mem[0].size : 0, avail;
	uint8_t some[64], first;
	bool writable = false;

	if (image_name_memory(r->image, &frame, address, n ? (unsigned)n : 1, &variable)) {
		mix_text(hash, variable.text);
		image_lvalue_clear(&variable);
	} else if (image_slot_name(r->image, address)) {
		mix_text(hash, image_slot_name(r->image, address));
	} else if (image_initial(r->image, address, 1, &first, &writable) && !writable) {
		const uint8_t *text = image_bytes(r->image, address, &avail);

		if (n && n <= sizeof some && image_initial(r->image, address, n, some, &writable))
			mix(hash, some, n);
		else if (text)
			mix(hash, text, strnlen((const char *)text, MIN(avail, LONGEST_TEXT)));
	}
}

static void mix_instruction(const struct reading *r, uint64_t *hash, const struct trace_insn *insn)
{
	size_t avail, at = insn->rip_disp_offset;
	const uint8_t *bytes = image_bytes(r->image, insn->addr, &avail);
	int32_t displacement;

	if (!bytes || avail < insn->length)
		return;
	if (insn->target) {
		mix_target(r, hash, insn);
		return;
	}
	if (!at || at + sizeof displacement > insn->length) {
		mix(hash, bytes, insn->length);
		return;
	}
	memcpy(&displacement, bytes + at, sizeof displacement);
	mix(hash, bytes, at);
	mix(hash, bytes + at + sizeof displacement, insn->length - at - sizeof displacement);
	mix_data(r, hash, insn, insn->addr + insn->length + (uint64_t)(int64_t)displacement);
}

static struct image_line_code *line_of(struct reading *r, const struct image_statement *s)
{
	g_autofree char *key = g_strdup_printf("%s:%u", s->file, s->line);
	guint known = GPOINTER_TO_UINT(g_hash_table_lookup(r->known, key));

	if (!known) {
		struct image_line_code line = { s->file, s->line, 0xcbf29ce484222325 };

		g_array_append_val(r->lines, line);
		known = r->lines->len;
		g_hash_table_insert(r->known, g_steal_pointer(&key), GUINT_TO_POINTER(known));
	}
	return &g_array_index(r->lines, struct image_line_code, known - 1);
}

GArray *image_line_codes(const struct image *im)
{
	struct reading r = {
		.image = im,
		.known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
		.lines = g_array_new(FALSE, FALSE, sizeof(struct image_line_code)),
	};
	const struct trace_insn *insns;
	size_t n = image_insns(im, &insns);

	for (size_t i = 0; i < n; i++) {
		const struct image_row *row = image_row_at(im, insns[i].addr);
		const struct image_statement *s = row ? image_statement(im, row->statement) : NULL;

		if (s && s->file)
			mix_instruction(&r, &line_of(&r, s)->code, &insns[i]);
	}
	g_hash_table_unref(r.known);
	return r.lines;
}
