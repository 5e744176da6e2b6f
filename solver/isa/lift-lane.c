/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/isa/lift-op.h"

#include <libvex_basictypes.h>
#include <libvex_ir.h>

enum shape {
	EACH,	    /* kind(a, b) in each lane */
	COMPARE,    /* all ones where kind(a, b) */
	COMPARE_UP, /* all ones where kind(b, a) */
	NONZERO,    /* all ones where not 0 */
	PICK,	    /* kind(a, b) ? a : b */
	PICK_OTHER, /* kind(a, b) ? b : a */
	SHIFT,	    /* kind(lane, b), b is 8 bits wide; by the lane's width or more: as SMT-LIB */
	WHOLE,	    /* kind(a, b) on the whole vector, b may be 8 bits wide */
	INVERT,
	FP_RM,	 /* fp(b, c) in each lane; a is the rounding mode */
	FP_RM1,	 /* fp(b) in each lane; same */
	FP_EACH, /* fp(a, b) in each lane */
	FP_MASK, /* all ones where fp(a, b) */
	FP_LOW,	 /* fp(a, b) in lane 0, the rest of a */
	FP_LOW_MASK,
	FP_LOW1, /* fp(a) in lane 0, the rest of a */
	ZIP_LOW, /* lanes of the low halves in turn, b's first */
	ZIP_HIGH,
	GET_LANE,   /* lane number b (constant) */
	SET_LANE,   /* lane number b (constant) := c */
	LOW_LANE,   /* lane 0 of a := b */
	KEEP_LOW,   /* lane 0, the rest 0 */
	WIDEN_FROM, /* a, zero-extended to 128 bits */
	LANE_AT,    /* lane .kind */
	JOIN,	    /* a is the highest part */
	LANES_UP,   /* 64 bits: lanes widened to twice the width, unsigned */
	LANES_UP_S, /* signed */
	SIGN_BITS,  /* one bit a byte */
};

struct row {
	unsigned iop;
	uint8_t shape, kind, lane; /* lane: bits; 0 = whole */
};

#define BOTH(op128, op256, shape, kind, lane) \
	{ op128, shape, kind, lane },         \
	{                                     \
		op256, shape, kind, lane      \
	}

static const struct row rows[] = {
	BOTH(Iop_Add8x16, Iop_Add8x32, EACH, IR_ADD, 8),
	BOTH(Iop_Add16x8, Iop_Add16x16, EACH, IR_ADD, 16),
	BOTH(Iop_Add32x4, Iop_Add32x8, EACH, IR_ADD, 32),
	BOTH(Iop_Add64x2, Iop_Add64x4, EACH, IR_ADD, 64),
	BOTH(Iop_Sub8x16, Iop_Sub8x32, EACH, IR_SUB, 8),
	BOTH(Iop_Sub16x8, Iop_Sub16x16, EACH, IR_SUB, 16),
	BOTH(Iop_Sub32x4, Iop_Sub32x8, EACH, IR_SUB, 32),
	BOTH(Iop_Sub64x2, Iop_Sub64x4, EACH, IR_SUB, 64),
	BOTH(Iop_Mul16x8, Iop_Mul16x16, EACH, IR_MUL, 16),
	BOTH(Iop_Mul32x4, Iop_Mul32x8, EACH, IR_MUL, 32),
	BOTH(Iop_CmpEQ8x16, Iop_CmpEQ8x32, COMPARE, IR_EQ, 8),
	BOTH(Iop_CmpEQ16x8, Iop_CmpEQ16x16, COMPARE, IR_EQ, 16),
	BOTH(Iop_CmpEQ32x4, Iop_CmpEQ32x8, COMPARE, IR_EQ, 32),
	BOTH(Iop_CmpEQ64x2, Iop_CmpEQ64x4, COMPARE, IR_EQ, 64),
	BOTH(Iop_CmpGT8Sx16, Iop_CmpGT8Sx32, COMPARE_UP, IR_SLT, 8),
	BOTH(Iop_CmpGT16Sx8, Iop_CmpGT16Sx16, COMPARE_UP, IR_SLT, 16),
	BOTH(Iop_CmpGT32Sx4, Iop_CmpGT32Sx8, COMPARE_UP, IR_SLT, 32),
	BOTH(Iop_CmpGT64Sx2, Iop_CmpGT64Sx4, COMPARE_UP, IR_SLT, 64),
	BOTH(Iop_CmpNEZ8x16, Iop_CmpNEZ8x32, NONZERO, 0, 8),
	BOTH(Iop_CmpNEZ16x8, Iop_CmpNEZ16x16, NONZERO, 0, 16),
	BOTH(Iop_CmpNEZ32x4, Iop_CmpNEZ32x8, NONZERO, 0, 32),
	BOTH(Iop_CmpNEZ64x2, Iop_CmpNEZ64x4, NONZERO, 0, 64),
	BOTH(Iop_Max8Sx16, Iop_Max8Sx32, PICK_OTHER, IR_SLT, 8),
	BOTH(Iop_Max16Sx8, Iop_Max16Sx16, PICK_OTHER, IR_SLT, 16),
	BOTH(Iop_Max32Sx4, Iop_Max32Sx8, PICK_OTHER, IR_SLT, 32),
	BOTH(Iop_Max8Ux16, Iop_Max8Ux32, PICK_OTHER, IR_ULT, 8),
	BOTH(Iop_Max16Ux8, Iop_Max16Ux16, PICK_OTHER, IR_ULT, 16),
	BOTH(Iop_Max32Ux4, Iop_Max32Ux8, PICK_OTHER, IR_ULT, 32),
	BOTH(Iop_Min8Sx16, Iop_Min8Sx32, PICK, IR_SLT, 8),
	BOTH(Iop_Min16Sx8, Iop_Min16Sx16, PICK, IR_SLT, 16),
	BOTH(Iop_Min32Sx4, Iop_Min32Sx8, PICK, IR_SLT, 32),
	BOTH(Iop_Min8Ux16, Iop_Min8Ux32, PICK, IR_ULT, 8),
	BOTH(Iop_Min16Ux8, Iop_Min16Ux16, PICK, IR_ULT, 16),
	BOTH(Iop_Min32Ux4, Iop_Min32Ux8, PICK, IR_ULT, 32),
	BOTH(Iop_ShlN16x8, Iop_ShlN16x16, SHIFT, IR_SHL, 16),
	BOTH(Iop_ShlN32x4, Iop_ShlN32x8, SHIFT, IR_SHL, 32),
	BOTH(Iop_ShlN64x2, Iop_ShlN64x4, SHIFT, IR_SHL, 64),
	BOTH(Iop_ShrN16x8, Iop_ShrN16x16, SHIFT, IR_LSHR, 16),
	BOTH(Iop_ShrN32x4, Iop_ShrN32x8, SHIFT, IR_LSHR, 32),
	BOTH(Iop_ShrN64x2, Iop_ShrN64x4, SHIFT, IR_LSHR, 64),
	BOTH(Iop_SarN16x8, Iop_SarN16x16, SHIFT, IR_ASHR, 16),
	BOTH(Iop_SarN32x4, Iop_SarN32x8, SHIFT, IR_ASHR, 32),
	BOTH(Iop_AndV128, Iop_AndV256, WHOLE, IR_AND, 0),
	BOTH(Iop_OrV128, Iop_OrV256, WHOLE, IR_OR, 0),
	BOTH(Iop_XorV128, Iop_XorV256, WHOLE, IR_XOR, 0),
	BOTH(Iop_NotV128, Iop_NotV256, INVERT, 0, 0),
	{ Iop_ShlV128, WHOLE, IR_SHL, 0 },
	{ Iop_ShrV128, WHOLE, IR_LSHR, 0 },
	BOTH(Iop_Add32Fx4, Iop_Add32Fx8, FP_RM, IR_FP_ADD, 32),
	BOTH(Iop_Sub32Fx4, Iop_Sub32Fx8, FP_RM, IR_FP_SUB, 32),
	BOTH(Iop_Mul32Fx4, Iop_Mul32Fx8, FP_RM, IR_FP_MUL, 32),
	BOTH(Iop_Div32Fx4, Iop_Div32Fx8, FP_RM, IR_FP_DIV, 32),
	BOTH(Iop_Add64Fx2, Iop_Add64Fx4, FP_RM, IR_FP_ADD, 64),
	BOTH(Iop_Sub64Fx2, Iop_Sub64Fx4, FP_RM, IR_FP_SUB, 64),
	BOTH(Iop_Mul64Fx2, Iop_Mul64Fx4, FP_RM, IR_FP_MUL, 64),
	BOTH(Iop_Div64Fx2, Iop_Div64Fx4, FP_RM, IR_FP_DIV, 64),
	{ Iop_Sqrt32Fx4, FP_RM1, IR_FP_SQRT, 32 },
	{ Iop_Sqrt64Fx2, FP_RM1, IR_FP_SQRT, 64 },
	BOTH(Iop_Max32Fx4, Iop_Max32Fx8, FP_EACH, IR_FP_MAX, 32),
	BOTH(Iop_Min32Fx4, Iop_Min32Fx8, FP_EACH, IR_FP_MIN, 32),
	BOTH(Iop_Max64Fx2, Iop_Max64Fx4, FP_EACH, IR_FP_MAX, 64),
	BOTH(Iop_Min64Fx2, Iop_Min64Fx4, FP_EACH, IR_FP_MIN, 64),
	{ Iop_CmpEQ32Fx4, FP_MASK, IR_FP_EQ, 32 },
	{ Iop_CmpLT32Fx4, FP_MASK, IR_FP_LT, 32 },
	{ Iop_CmpLE32Fx4, FP_MASK, IR_FP_LE, 32 },
	{ Iop_CmpUN32Fx4, FP_MASK, IR_FP_UN, 32 },
	{ Iop_CmpEQ64Fx2, FP_MASK, IR_FP_EQ, 64 },
	{ Iop_CmpLT64Fx2, FP_MASK, IR_FP_LT, 64 },
	{ Iop_CmpLE64Fx2, FP_MASK, IR_FP_LE, 64 },
	{ Iop_CmpUN64Fx2, FP_MASK, IR_FP_UN, 64 },
	BOTH(Iop_Add32F0x4, Iop_Add64F0x2, FP_LOW, IR_FP_ADD, 0),
	BOTH(Iop_Sub32F0x4, Iop_Sub64F0x2, FP_LOW, IR_FP_SUB, 0),
	BOTH(Iop_Mul32F0x4, Iop_Mul64F0x2, FP_LOW, IR_FP_MUL, 0),
	BOTH(Iop_Div32F0x4, Iop_Div64F0x2, FP_LOW, IR_FP_DIV, 0),
	BOTH(Iop_Max32F0x4, Iop_Max64F0x2, FP_LOW, IR_FP_MAX, 0),
	BOTH(Iop_Min32F0x4, Iop_Min64F0x2, FP_LOW, IR_FP_MIN, 0),
	BOTH(Iop_CmpEQ32F0x4, Iop_CmpEQ64F0x2, FP_LOW_MASK, IR_FP_EQ, 0),
	BOTH(Iop_CmpLT32F0x4, Iop_CmpLT64F0x2, FP_LOW_MASK, IR_FP_LT, 0),
	BOTH(Iop_CmpLE32F0x4, Iop_CmpLE64F0x2, FP_LOW_MASK, IR_FP_LE, 0),
	BOTH(Iop_CmpUN32F0x4, Iop_CmpUN64F0x2, FP_LOW_MASK, IR_FP_UN, 0),
	BOTH(Iop_Sqrt32F0x4, Iop_Sqrt64F0x2, FP_LOW1, IR_FP_SQRT, 0),
	{ Iop_InterleaveLO8x16, ZIP_LOW, 0, 8 },
	{ Iop_InterleaveLO16x8, ZIP_LOW, 0, 16 },
	{ Iop_InterleaveLO32x4, ZIP_LOW, 0, 32 },
	{ Iop_InterleaveLO64x2, ZIP_LOW, 0, 64 },
	{ Iop_InterleaveHI8x16, ZIP_HIGH, 0, 8 },
	{ Iop_InterleaveHI16x8, ZIP_HIGH, 0, 16 },
	{ Iop_InterleaveHI32x4, ZIP_HIGH, 0, 32 },
	{ Iop_InterleaveHI64x2, ZIP_HIGH, 0, 64 },
	{ Iop_GetElem8x16, GET_LANE, 0, 8 },
	{ Iop_GetElem16x8, GET_LANE, 0, 16 },
	{ Iop_GetElem32x4, GET_LANE, 0, 32 },
	{ Iop_GetElem64x2, GET_LANE, 0, 64 },
	{ Iop_SetElem8x16, SET_LANE, 0, 8 },
	{ Iop_SetElem16x8, SET_LANE, 0, 16 },
	{ Iop_SetElem32x4, SET_LANE, 0, 32 },
	{ Iop_SetElem64x2, SET_LANE, 0, 64 },
	{ Iop_SetV128lo32, LOW_LANE, 0, 32 },
	{ Iop_SetV128lo64, LOW_LANE, 0, 64 },
	{ Iop_ZeroHI64ofV128, KEEP_LOW, 0, 64 },
	{ Iop_ZeroHI96ofV128, KEEP_LOW, 0, 32 },
	{ Iop_ZeroHI112ofV128, KEEP_LOW, 0, 16 },
	{ Iop_ZeroHI120ofV128, KEEP_LOW, 0, 8 },
	{ Iop_32UtoV128, WIDEN_FROM, 0, 0 },
	{ Iop_64UtoV128, WIDEN_FROM, 0, 0 },
	{ Iop_V128to32, LANE_AT, 0, 32 },
	{ Iop_V128to64, LANE_AT, 0, 64 },
	{ Iop_V128HIto64, LANE_AT, 1, 64 },
	{ Iop_V256to64_0, LANE_AT, 0, 64 },
	{ Iop_V256to64_1, LANE_AT, 1, 64 },
	{ Iop_V256to64_2, LANE_AT, 2, 64 },
	{ Iop_V256to64_3, LANE_AT, 3, 64 },
	{ Iop_V256toV128_0, LANE_AT, 0, 128 },
	{ Iop_V256toV128_1, LANE_AT, 1, 128 },
	{ Iop_64HLtoV128, JOIN, 2, 0 },
	{ Iop_V128HLtoV256, JOIN, 2, 0 },
	{ Iop_64x4toV256, JOIN, 4, 0 },
	{ Iop_Widen8Uto16x8, LANES_UP, 0, 8 },
	{ Iop_Widen16Uto32x4, LANES_UP, 0, 16 },
	{ Iop_Widen32Uto64x2, LANES_UP, 0, 32 },
	{ Iop_Widen8Sto16x8, LANES_UP_S, 0, 8 },
	{ Iop_Widen16Sto32x4, LANES_UP_S, 0, 16 },
	{ Iop_Widen32Sto64x2, LANES_UP_S, 0, 32 },
	{ Iop_GetMSBs8x16, SIGN_BITS, 0, 8 },
};

static int32_t lane_mask(struct lift_build *b, int32_t bit, unsigned width)
{
	return lift_sext(b, bit, width);
}

/* One lane of a lane-wise operator. */
static int32_t lane_op(struct lift_build *b, const struct row *r, int32_t x, int32_t y)
{
	enum ir_kind kind = (enum ir_kind)r->kind;
	enum ir_fp fp = (enum ir_fp)r->kind;
	unsigned w = r->lane;

	switch ((enum shape)r->shape) {
	case EACH:
		return lift_binary(b, kind, x, y);
	case COMPARE:
		return lane_mask(b, lift_compare(b, kind, x, y), w);
	case COMPARE_UP:
		return lane_mask(b, lift_compare(b, kind, y, x), w);
	case NONZERO:
		return lane_mask(b, lift_not(b, lift_compare(b, IR_EQ, x, lift_const(b, w, 0))), w);
	case PICK:
		return lift_ite(b, lift_compare(b, kind, x, y), x, y);
	case PICK_OTHER:
		return lift_ite(b, lift_compare(b, kind, x, y), y, x);
	case FP_MASK:
		return lane_mask(b, lift_fp(b, fp, 1, x, y, -1), w);
	case FP_RM1:
		return lift_fp(b, fp, w, x, -1, -1);
	default:
		return lift_fp(b, fp, w, x, y, -1);
	}
}

static int32_t lift_lanewise(struct lift_build *b, const struct row *r, int32_t x, int32_t y)
{
	int32_t left[32], right[32] = { 0 };
	unsigned n = lift_split(b, x, r->lane, left);

	if (y >= 0)
		lift_split(b, y, r->lane, right);
	for (unsigned i = 0; i < n; i++)
		left[i] = lane_op(b, r, left[i], y >= 0 ? right[i] : -1);
	return lift_join(b, left, n);
}

static int32_t shift_lanes(struct lift_build *b, const struct row *r, int32_t x, int32_t amount)
{
	int32_t lane[32], by = lift_zext(b, amount, r->lane);
	unsigned n = lift_split(b, x, r->lane, lane);

	for (unsigned i = 0; i < n; i++)
		lane[i] = lift_binary(b, (enum ir_kind)r->kind, lane[i], by);
	return lift_join(b, lane, n);
}

/* The scalar forms: which lane width follows from the operator's name. */
static unsigned low_lane(unsigned iop)
{
	switch (iop) {
	case Iop_Add64F0x2:
	case Iop_Sub64F0x2:
	case Iop_Mul64F0x2:
	case Iop_Div64F0x2:
	case Iop_Max64F0x2:
	case Iop_Min64F0x2:
	case Iop_CmpEQ64F0x2:
	case Iop_CmpLT64F0x2:
	case Iop_CmpLE64F0x2:
	case Iop_CmpUN64F0x2:
	case Iop_Sqrt64F0x2:
		return 64;
	default:
		return 32;
	}
}

static int32_t with_lane(struct lift_build *b, int32_t v, unsigned number, int32_t value)
{
	int32_t lane[32];
	unsigned n = lift_split(b, v, lift_width(b, value), lane);

	if (number >= n)
		return -1;
	lane[number] = value;
	return lift_join(b, lane, n);
}

static int32_t low_fp(struct lift_build *b, const struct row *r, const int32_t *a)
{
	unsigned w = low_lane(r->iop);
	enum ir_fp fp = (enum ir_fp)r->kind;
	int32_t x = lift_extract(b, a[0], 0, w), result;

	if (r->shape == FP_LOW1)
		result = lift_fp(b, fp, w, x, -1, -1);
	else if (r->shape == FP_LOW)
		result = lift_fp(b, fp, w, x, lift_extract(b, a[1], 0, w), -1);
	else
		result = lane_mask(b, lift_fp(b, fp, 1, x, lift_extract(b, a[1], 0, w), -1), w);
	return with_lane(b, a[0], 0, result);
}

static int32_t zip_lanes(struct lift_build *b, const struct row *r, int32_t high, int32_t low)
{
	int32_t x[32], y[32], out[32];
	unsigned n = lift_split(b, high, r->lane, x);
	unsigned from = r->shape == ZIP_HIGH ? n / 2 : 0;

	lift_split(b, low, r->lane, y);
	for (unsigned i = 0; i < n / 2; i++) {
		out[2 * i] = y[from + i];
		out[2 * i + 1] = x[from + i];
	}
	return lift_join(b, out, n);
}

static int32_t widen_lanes(struct lift_build *b, const struct row *r, int32_t v)
{
	int32_t lane[32];
	unsigned n = lift_split(b, v, r->lane, lane);

	for (unsigned i = 0; i < n; i++)
		lane[i] = r->shape == LANES_UP ? lift_zext(b, lane[i], 2u * r->lane)
					       : lift_sext(b, lane[i], 2u * r->lane);
	return lift_join(b, lane, n);
}

static int32_t join_parts(struct lift_build *b, const int32_t *a, unsigned n)
{
	int32_t part[4];

	for (unsigned i = 0; i < n; i++)
		part[i] = a[n - 1 - i];
	return lift_join(b, part, n);
}

static int32_t sign_bits(struct lift_build *b, int32_t v)
{
	int32_t bit[32];
	unsigned n = lift_width(b, v) / 8;

	for (unsigned i = 0; i < n; i++)
		bit[i] = lift_extract(b, v, i * 8 + 7, 1);
	return lift_join(b, bit, n);
}

static int32_t numbered_lane(struct lift_build *b, const struct row *r, const int32_t *a)
{
	uint64_t number;

	if (!lift_is_const(b, a[1], &number) || (number + 1) * r->lane > lift_width(b, a[0]))
		return -1;
	if (r->shape == SET_LANE)
		return with_lane(b, a[0], (unsigned)number, a[2]);
	return lift_extract(b, a[0], (unsigned)number * r->lane, r->lane);
}

static int32_t moved_lanes(struct lift_build *b, const struct row *r, const int32_t *a)
{
	switch ((enum shape)r->shape) {
	case ZIP_LOW:
	case ZIP_HIGH:
		return zip_lanes(b, r, a[0], a[1]);
	case GET_LANE:
	case SET_LANE:
		return numbered_lane(b, r, a);
	case LOW_LANE:
		return with_lane(b, a[0], 0, a[1]);
	case KEEP_LOW:
		return lift_zext(b, lift_extract(b, a[0], 0, r->lane), 128);
	case WIDEN_FROM:
		return lift_zext(b, a[0], 128);
	case LANE_AT:
		return lift_extract(b, a[0], (unsigned)r->kind * r->lane, r->lane);
	case JOIN:
		return join_parts(b, a, r->kind);
	case LANES_UP:
	case LANES_UP_S:
		return widen_lanes(b, r, a[0]);
	case SIGN_BITS:
		return sign_bits(b, a[0]);
	default:
		return -1;
	}
}

static int32_t computed_lanes(struct lift_build *b, const struct row *r, const int32_t *a)
{
	if ((r->shape == FP_RM || r->shape == FP_RM1) && !lift_rounds_as_state(b, a[0]))
		return -1;
	switch ((enum shape)r->shape) {
	case NONZERO:
		return lift_lanewise(b, r, a[0], -1);
	case EACH:
	case COMPARE:
	case COMPARE_UP:
	case PICK:
	case PICK_OTHER:
	case FP_EACH:
	case FP_MASK:
		return lift_lanewise(b, r, a[0], a[1]);
	case FP_RM:
		return lift_lanewise(b, r, a[1], a[2]);
	case FP_RM1:
		return lift_lanewise(b, r, a[1], -1);
	case SHIFT:
		return shift_lanes(b, r, a[0], a[1]);
	case WHOLE:
		return lift_binary(b, (enum ir_kind)r->kind, a[0],
				   lift_zext(b, a[1], lift_width(b, a[0])));
	case INVERT:
		return lift_not(b, a[0]);
	case FP_LOW:
	case FP_LOW1:
	case FP_LOW_MASK:
		return low_fp(b, r, a);
	default:
		return moved_lanes(b, r, a);
	}
}

int32_t lift_lane_op(struct lift_build *b, unsigned iop, const int32_t *args)
{
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		if (rows[i].iop == iop)
			return computed_lanes(b, &rows[i], args);
	}
	return -1;
}
