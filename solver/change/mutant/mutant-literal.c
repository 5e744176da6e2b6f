/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mutants that read another number than the one that the compiler keeps in memory for several
 * instructions. */
#include "solver/change/mutant/instruction-mutants.h"
#include "solver/change/code/code-piece-private.h"

#include <string.h>

/* The number is a part of the piece: a jump over it, it, and the instruction, which reads it. */
static bool write_literal_piece(struct code_piece *c, const struct insn *in, const uint8_t *bytes,
				unsigned size)
{
	const uint8_t over[] = { 0xeb, (uint8_t)size };
	int32_t distance = -(int32_t)(size + in->i.length);
	unsigned at = sizeof over + size + in->i.raw.disp.offset;

	if (in->i.raw.disp.size != 32 || !code_piece_bytes(c, over, sizeof over) ||
	    !code_piece_bytes(c, bytes, size) || !code_piece_bytes(c, in->bytes, in->i.length))
		return false;
	memcpy(c->bytes + at, &distance, sizeof distance);
	return true;
}

struct code_piece *literal_piece(const struct image *im, uint64_t addr, const uint8_t *bytes,
				 unsigned size, struct mutant *out)
{
	struct code_piece *piece = g_new0(struct code_piece, 1);
	struct insn in;

	if (!mutant_decode(im, addr, &in) || !insn_is_rip_relative(&in) ||
	    !write_literal_piece(piece, &in, bytes, size)) {
		g_free(piece);
		return NULL;
	}
	*out = mutant_of(&in, MUTANT_DATA);
	out->piece = piece;
	return piece;
}
