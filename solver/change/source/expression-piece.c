/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/change/source/expression-piece.h"

#include "solver/change/code/code-piece-private.h"
#include "solver/format/trace.h"

/* mov between rax or rcx and the register, or the place where it is kept. */
static bool put_saved_move(struct code_piece *c, unsigned reg, bool from, bool rcx)
{
	uint8_t other = rcx ? 1 : 0;
	uint8_t slot[] = { 0x48, from ? 0x8b : 0x89, (uint8_t)(0x44 | other << 3), 0x24,
			   reg == TRACE_RAX ? CODE_SAVED_RAX : CODE_SAVED_RCX };
	uint8_t move[] = { (uint8_t)(0x48 | (reg >= 8 ? 1 : 0)), from ? 0x8b : 0x89,
			   (uint8_t)(0xc0 | other << 3 | (reg & 7)) };

	return reg <= TRACE_RCX ? code_piece_bytes(c, slot, sizeof slot)
				: code_piece_bytes(c, move, sizeof move);
}

/* The value that is there without the change goes to rax (or rcx). */
static bool put_present(struct code_piece *c, const struct value_site *site, bool rcx)
{
	uint8_t load[] = { 0x48, rcx ? 0xb9 : 0xb8 };

	if (!site->is_constant)
		return put_saved_move(c, site->reg, true, rcx);
	return code_piece_bytes(c, load, sizeof load) &&
	       code_piece_bytes(c, &site->constant, sizeof site->constant);
}

/* rax := the value there now and rax, together. */
static bool put_way(struct code_piece *c, const struct value_site *site, enum expression_way way)
{
	static const uint8_t add[] = { 0x48, 0x01, 0xc8 }, subtract[] = { 0x48, 0x29, 0xc8 },
			     negate[] = { 0x48, 0xf7, 0xd8 }, times[] = { 0x48, 0x0f, 0xaf, 0xc1 },
			     test4[] = { 0x85, 0xc9 }, test8[] = { 0x48, 0x85, 0xc9 },
			     unless_zero[] = { 0x48, 0x0f, 0x45, 0xc1 }; /* cmovne %rcx,%rax */

	if (way == INSTEAD)
		return true;
	if (!put_present(c, site, true))
		return false;
	switch (way) {
	case ADDED:
		return code_piece_bytes(c, add, sizeof add);
	case SUBTRACTED_FROM: /* the other one less the present one */
		return code_piece_bytes(c, subtract, sizeof subtract);
	case SUBTRACTED:
		return code_piece_bytes(c, subtract, sizeof subtract) &&
		       code_piece_bytes(c, negate, sizeof negate);
	case TIMES:
		return code_piece_bytes(c, times, sizeof times);
	default:
		return (site->width == 64 ? code_piece_bytes(c, test8, sizeof test8)
					  : code_piece_bytes(c, test4, sizeof test4)) &&
		       code_piece_bytes(c, unless_zero, sizeof unless_zero);
	}
}

/* Up to where the value can be changed. */
static bool begin_piece(struct code_piece *c, const struct value_site *site)
{
	return (site->stores || code_piece_insns(c, site->bytes, site->size, site->addr)) &&
	       code_piece_save(c);
}

/* The value is what rax has. */
static bool end_piece(struct code_piece *c, const struct value_site *site)
{
	return put_saved_move(c, site->reg, false, false) && code_piece_restore(c) &&
	       (!site->stores || code_piece_insns(c, site->bytes, site->size, site->addr));
}

bool expression_piece_write(struct code_piece *c, const struct value_site *site,
			    const struct code_value *v, enum expression_way way)
{
	return begin_piece(c, site) && code_value_put(c, v) && put_way(c, site, way) &&
	       end_piece(c, site);
}

bool expression_piece_apply(struct code_piece *c, const struct value_site *site,
			    const uint8_t *code, size_t size)
{
	return begin_piece(c, site) && put_present(c, site, false) &&
	       code_piece_bytes(c, code, size) && end_piece(c, site);
}
