/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An image with other code in a few places, which shares the rest with the file's own image. */
#include "solver/image/image-private.h"
#include "solver/isa/insn.h"

#include <string.h>

enum { NOP = 0x90 };

/* Puts the bytes there as the recorder does. */
static bool put_changed_bytes(struct image *im, const struct trace_action *a)
{
	size_t avail = 0;
	const uint8_t *now = image_bytes(im, a->addr, &avail);
	uint8_t *to;

	if (!now || a->where > avail || a->size > a->where || a->size > sizeof a->value)
		return false;
	to = (uint8_t *)im->bytes + (now - im->bytes);
	memset(to, NOP, a->where);
	memcpy(to, a->value, a->size);
	return true;
}

/* The instructions that are at a's place now; false when there is something else. */
static bool decode_place(const struct image *im, const struct trace_action *a, GArray *to)
{
	const uint64_t end = a->addr + a->where;

	for (uint64_t at = a->addr; at < end;) {
		struct trace_insn insn;
		size_t avail;
		const uint8_t *bytes = image_bytes(im, at, &avail);

		if (!bytes || !insn_decode(bytes, MIN(avail, end - at), at, &insn))
			return false;
		g_array_append_val(to, insn);
		at += insn.length;
	}
	return true;
}

/* What was known of loads there was known of the function as it was. */
static void forget_known(struct image *im, const struct image_function *f)
{
	for (guint i = 0; i < im->insns->len; i++) {
		struct trace_insn *insn = &g_array_index(im->insns, struct trace_insn, i);

		for (unsigned k = 0; insn->addr >= f->lo && insn->addr < f->hi && k < insn->n_mem;
		     k++)
			insn->mem[k].flags &= (uint8_t)~TRACE_MEM_KNOWN;
	}
}

/* What was known of flags: they may go from one function into another now. */
static void forget_flags(struct image *im)
{
	for (guint i = 0; i < im->insns->len; i++) {
		struct trace_insn *insn = &g_array_index(im->insns, struct trace_insn, i);

		insn->flags &= (uint8_t) ~(TRACE_INSN_INFERRED | TRACE_INSN_FLAGS_DEAD);
		for (unsigned k = 0; k < insn->n_mem; k++)
			insn->mem[k].flags &= (uint8_t)~TRACE_MEM_MIRRORED;
	}
}

static void forget_known_at(struct image *im, uint64_t addr)
{
	const struct image_function *f = image_function_at(im, addr);

	if (f && f->parent)
		f = f->parent;
	for (; f; f = image_next_part(im, f))
		forget_known(im, f);
}

static bool put_insns(struct image *im, const struct trace_action *a)
{
	const struct trace_insn *old = image_insn_at(im, a->addr);
	g_autoptr(GArray) place = g_array_new(FALSE, FALSE, sizeof(struct trace_insn));
	guint at, n = 0;

	if (!put_changed_bytes(im, a))
		return false;
	if (!old) /* data; or an instruction begins before it, and another change ends in it */
		return a->size == a->where && !image_function_at(im, a->addr);
	if (!decode_place(im, a, place))
		return false;
	at = (guint)(old - (const struct trace_insn *)(const void *)im->insns->data);
	while (at + n < im->insns->len &&
	       g_array_index(im->insns, struct trace_insn, at + n).addr < a->addr + a->where)
		n++;
	g_array_remove_range(im->insns, at, n);
	g_array_insert_vals(im->insns, at, place->data, place->len);
	memset(im->insn_index, 0, (im->code_hi - im->code_lo) * sizeof *im->insn_index);
	for (guint i = 0; i < im->insns->len; i++)
		im->insn_index[g_array_index(im->insns, struct trace_insn, i).addr - im->code_lo] =
			i + 1;
	forget_known_at(im, a->addr);
	return true;
}

struct image *image_changed(struct image *of, const struct trace_action *actions, size_t n)
{
	struct image *im;

	image_types_of(of); /* made now, so that both have the same */
	im = g_memdup2(of, sizeof *of);
	im->bytes = g_memdup2(of->bytes, of->size);
	im->insns = g_array_copy(of->insns);
	im->insn_index =
		g_memdup2(of->insn_index, (of->code_hi - of->code_lo + 1) * sizeof *of->insn_index);
	im->cfgs = NULL;
	im->jump_tables = im->table_starts = NULL;
	im->labels = NULL;
	im->cfi = NULL;
	for (size_t i = 0; i < n; i++)
		if (actions[i].kind != TRACE_ACTION_CODE || !put_insns(im, &actions[i])) {
			image_changed_free(im);
			return NULL;
		}
	forget_flags(im);
	return im;
}

void image_changed_free(struct image *im)
{
	if (!im)
		return;
	image_cfgs_free(im);
	if (im->cfi)
		dwarf_cfi_end(im->cfi);
	g_array_unref(im->insns);
	g_free(im->insn_index);
	g_free((gpointer)im->bytes);
	g_free(im);
}
