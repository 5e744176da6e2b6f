/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/isa/lift-op.h"

#include <libvex_basictypes.h>
#include <libvex_ir.h>

enum shape {
	BINARY,	 /* kind(a, b) */
	SHIFT,	 /* kind(a, b), b is 8 bits wide */
	COMPARE, /* kind(a, b) : 1 */
	DIFFER,	 /* a != b */
	NONZERO, /* a != 0 */
	MASK,	 /* all ones where a != 0 */
	UNARY,	 /* kind(a) */
	SPREAD,	 /* a | -a */
	MAXIMUM, /* unsigned */
	UWIDEN,	 /* to .width */
	SWIDEN,
	CUT,   /* low .width bits */
	HIGH,  /* high half */
	PAIR,  /* a high, b low */
	SAME,  /* the bits as they are */
	UMULL, /* both widened to twice the width */
	SMULL,
	UDIVMOD, /* quotient low, remainder high; a twice as wide as b */
	SDIVMOD,
	UDIVMOD1, /* the same, a as wide as b */
	SDIVMOD1,
	BYTESWAP, /* within the whole width */
	FP2,	  /* fp(b, c); a is the rounding mode */
	FP1,	  /* fp(b), same */
	FPCMP,	  /* as the x87 status word has it */
	FPNEG,
	FPABS,
	FPWIDEN, /* fp(a) to .width */
	FPCONV,	 /* fp(b) to .width; a is the rounding mode */
	FPTOINT, /* fp(b) to .width, rounded by a */
};

/* Operators first … first + n - 1 have the same shape (their widths are those
 * of their operands). */
struct row {
	unsigned first;
	uint8_t n, shape, kind;
	uint16_t width;
};

/* Families of operators that libVEX numbers one after the other, which is asserted. */
#define FROM_8_TO_64(X)             \
	X(Add, BINARY, IR_ADD)      \
	X(Sub, BINARY, IR_SUB)      \
	X(Mul, BINARY, IR_MUL)      \
	X(Or, BINARY, IR_OR)        \
	X(And, BINARY, IR_AND)      \
	X(Xor, BINARY, IR_XOR)      \
	X(Shl, SHIFT, IR_SHL)       \
	X(Shr, SHIFT, IR_LSHR)      \
	X(Sar, SHIFT, IR_ASHR)      \
	X(CmpEQ, COMPARE, IR_EQ)    \
	X(CmpNE, DIFFER, 0)         \
	X(Not, UNARY, IR_NOT)       \
	X(CasCmpEQ, COMPARE, IR_EQ) \
	X(CasCmpNE, DIFFER, 0)      \
	X(ExpCmpNE, DIFFER, 0)      \
	X(MullS, SMULL, IR_MUL)     \
	X(MullU, UMULL, IR_MUL)     \
	X(CmpNEZ, NONZERO, 0)       \
	X(Left, SPREAD, 0)
#define FROM_64_TO_32(X)         \
	X(Clz, UNARY, IR_CLZ)    \
	X(Ctz, UNARY, IR_CTZ)    \
	X(ClzNat, UNARY, IR_CLZ) \
	X(CtzNat, UNARY, IR_CTZ) \
	X(PopCount, UNARY, IR_POPCNT)
#define FROM_32_TO_64(X)             \
	X(CmpLT, S, COMPARE, IR_SLT) \
	X(CmpLE, S, COMPARE, IR_SLE) \
	X(CmpLT, U, COMPARE, IR_ULT) \
	X(CmpLE, U, COMPARE, IR_ULE) \
	X(CmpwNEZ, , MASK, 0)

#define CHECK_8_TO_64(op, shape, kind)                                                       \
	_Static_assert(Iop_##op##16 == Iop_##op##8 + 1 && Iop_##op##32 == Iop_##op##8 + 2 && \
			       Iop_##op##64 == Iop_##op##8 + 3,                              \
		       "libVEX numbers " #op " otherwise");
#define CHECK_64_TO_32(op, shape, kind) \
	_Static_assert(Iop_##op##32 == Iop_##op##64 + 1, "libVEX numbers " #op " otherwise");
#define CHECK_32_TO_64(op, sign, shape, kind)                        \
	_Static_assert(Iop_##op##64##sign == Iop_##op##32##sign + 1, \
		       "libVEX numbers " #op #sign " otherwise");
FROM_8_TO_64(CHECK_8_TO_64)
FROM_64_TO_32(CHECK_64_TO_32)
FROM_32_TO_64(CHECK_32_TO_64)

#define ROW_8_TO_64(op, shape, kind) { Iop_##op##8, 4, shape, kind, 0 },
#define ROW_64_TO_32(op, shape, kind) { Iop_##op##64, 2, shape, kind, 0 },
#define ROW_32_TO_64(op, sign, shape, kind) { Iop_##op##32##sign, 2, shape, kind, 0 },

static const struct row rows[] = {
	FROM_8_TO_64(ROW_8_TO_64) FROM_64_TO_32(ROW_64_TO_32) FROM_32_TO_64(ROW_32_TO_64) //
	{ Iop_Max32U, 1, MAXIMUM, 0, 0 },
	{ Iop_DivU32, 1, BINARY, IR_UDIV, 0 },
	{ Iop_DivS32, 1, BINARY, IR_SDIV, 0 },
	{ Iop_DivU64, 1, BINARY, IR_UDIV, 0 },
	{ Iop_DivS64, 1, BINARY, IR_SDIV, 0 },
	{ Iop_DivModU64to32, 1, UDIVMOD, 0, 0 },
	{ Iop_DivModS64to32, 1, SDIVMOD, 0, 0 },
	{ Iop_DivModU128to64, 1, UDIVMOD, 0, 0 },
	{ Iop_DivModS128to64, 1, SDIVMOD, 0, 0 },
	{ Iop_DivModS64to64, 1, SDIVMOD1, 0, 0 },
	{ Iop_DivModU64to64, 1, UDIVMOD1, 0, 0 },
	{ Iop_DivModS32to32, 1, SDIVMOD1, 0, 0 },
	{ Iop_DivModU32to32, 1, UDIVMOD1, 0, 0 },
	{ Iop_8Uto16, 1, UWIDEN, 0, 16 },
	{ Iop_8Uto32, 1, UWIDEN, 0, 32 },
	{ Iop_8Uto64, 1, UWIDEN, 0, 64 },
	{ Iop_16Uto32, 1, UWIDEN, 0, 32 },
	{ Iop_16Uto64, 1, UWIDEN, 0, 64 },
	{ Iop_32Uto64, 1, UWIDEN, 0, 64 },
	{ Iop_8Sto16, 1, SWIDEN, 0, 16 },
	{ Iop_8Sto32, 1, SWIDEN, 0, 32 },
	{ Iop_8Sto64, 1, SWIDEN, 0, 64 },
	{ Iop_16Sto32, 1, SWIDEN, 0, 32 },
	{ Iop_16Sto64, 1, SWIDEN, 0, 64 },
	{ Iop_32Sto64, 1, SWIDEN, 0, 64 },
	{ Iop_64to8, 1, CUT, 0, 8 },
	{ Iop_32to8, 1, CUT, 0, 8 },
	{ Iop_64to16, 1, CUT, 0, 16 },
	{ Iop_16to8, 1, CUT, 0, 8 },
	{ Iop_32to16, 1, CUT, 0, 16 },
	{ Iop_64to32, 1, CUT, 0, 32 },
	{ Iop_128to64, 1, CUT, 0, 64 },
	{ Iop_16HIto8, 1, HIGH, 0, 0 },
	{ Iop_32HIto16, 1, HIGH, 0, 0 },
	{ Iop_64HIto32, 1, HIGH, 0, 0 },
	{ Iop_128HIto64, 1, HIGH, 0, 0 },
	{ Iop_8HLto16, 1, PAIR, 0, 0 },
	{ Iop_16HLto32, 1, PAIR, 0, 0 },
	{ Iop_32HLto64, 1, PAIR, 0, 0 },
	{ Iop_64HLto128, 1, PAIR, 0, 0 },
	{ Iop_Not1, 1, UNARY, IR_NOT, 0 },
	{ Iop_And1, 1, BINARY, IR_AND, 0 },
	{ Iop_Or1, 1, BINARY, IR_OR, 0 },
	{ Iop_32to1, 1, CUT, 0, 1 },
	{ Iop_64to1, 1, CUT, 0, 1 },
	{ Iop_1Uto8, 1, UWIDEN, 0, 8 },
	{ Iop_1Uto32, 1, UWIDEN, 0, 32 },
	{ Iop_1Uto64, 1, UWIDEN, 0, 64 },
	{ Iop_1Sto8, 1, SWIDEN, 0, 8 },
	{ Iop_1Sto16, 1, SWIDEN, 0, 16 },
	{ Iop_1Sto32, 1, SWIDEN, 0, 32 },
	{ Iop_1Sto64, 1, SWIDEN, 0, 64 },
	{ Iop_Reverse8sIn32_x1, 1, BYTESWAP, 0, 0 },
	{ Iop_Reverse8sIn64_x1, 1, BYTESWAP, 0, 0 },
	{ Iop_ReinterpV128asI128, 1, SAME, 0, 0 },
	{ Iop_ReinterpI128asV128, 1, SAME, 0, 0 },
	{ Iop_ReinterpF64asI64, 1, SAME, 0, 0 },
	{ Iop_ReinterpI64asF64, 1, SAME, 0, 0 },
	{ Iop_ReinterpF32asI32, 1, SAME, 0, 0 },
	{ Iop_ReinterpI32asF32, 1, SAME, 0, 0 },
	{ Iop_AddF64, 1, FP2, IR_FP_ADD, 0 },
	{ Iop_SubF64, 1, FP2, IR_FP_SUB, 0 },
	{ Iop_MulF64, 1, FP2, IR_FP_MUL, 0 },
	{ Iop_DivF64, 1, FP2, IR_FP_DIV, 0 },
	{ Iop_AddF32, 1, FP2, IR_FP_ADD, 0 },
	{ Iop_SubF32, 1, FP2, IR_FP_SUB, 0 },
	{ Iop_MulF32, 1, FP2, IR_FP_MUL, 0 },
	{ Iop_DivF32, 1, FP2, IR_FP_DIV, 0 },
	{ Iop_SqrtF64, 1, FP1, IR_FP_SQRT, 0 },
	{ Iop_SqrtF32, 1, FP1, IR_FP_SQRT, 0 },
	{ Iop_NegF64, 1, FPNEG, 0, 0 },
	{ Iop_NegF32, 1, FPNEG, 0, 0 },
	{ Iop_AbsF64, 1, FPABS, 0, 0 },
	{ Iop_AbsF32, 1, FPABS, 0, 0 },
	{ Iop_CmpF64, 1, FPCMP, 0, 0 },
	{ Iop_CmpF32, 1, FPCMP, 0, 0 },
	{ Iop_I32StoF64, 1, FPWIDEN, IR_FP_FROM_INT, 64 },
	{ Iop_F32toF64, 1, FPWIDEN, IR_FP_CONVERT, 64 },
	{ Iop_I64StoF64, 1, FPCONV, IR_FP_FROM_INT, 64 },
	{ Iop_I32StoF32, 1, FPCONV, IR_FP_FROM_INT, 32 },
	{ Iop_I64StoF32, 1, FPCONV, IR_FP_FROM_INT, 32 },
	{ Iop_F64toF32, 1, FPCONV, IR_FP_CONVERT, 32 },
	{ Iop_F64toI32S, 1, FPTOINT, IR_FP_TO_INT, 32 },
	{ Iop_F64toI64S, 1, FPTOINT, IR_FP_TO_INT, 64 },
	{ Iop_F32toI32S, 1, FPTOINT, IR_FP_TO_INT, 32 },
	{ Iop_F32toI64S, 1, FPTOINT, IR_FP_TO_INT, 64 },
	{ Iop_RoundF64toInt, 1, FPTOINT, IR_FP_ROUND, 64 },
	{ Iop_RoundF32toInt, 1, FPTOINT, IR_FP_ROUND, 32 },
};

static int32_t is_zero_op(struct lift_build *b, int32_t x)
{
	return lift_compare(b, IR_EQ, x, lift_const(b, lift_width(b, x), 0));
}

static int32_t wide_product(struct lift_build *b, bool is_signed, int32_t x, int32_t y)
{
	unsigned width = 2 * lift_width(b, x);

	if (is_signed)
		return lift_binary(b, IR_MUL, lift_sext(b, x, width), lift_sext(b, y, width));
	return lift_binary(b, IR_MUL, lift_zext(b, x, width), lift_zext(b, y, width));
}

static int32_t quotient_and_remainder(struct lift_build *b, bool is_signed, int32_t x, int32_t y)
{
	unsigned half = lift_width(b, y), wide = lift_width(b, x);
	int32_t d = is_signed ? lift_sext(b, y, wide) : lift_zext(b, y, wide);
	int32_t q = lift_binary(b, is_signed ? IR_SDIV : IR_UDIV, x, d);
	int32_t r = lift_binary(b, is_signed ? IR_SREM : IR_UREM, x, d);

	return lift_concat(b, lift_extract(b, r, 0, half), lift_extract(b, q, 0, half));
}

static int32_t swap_bytes(struct lift_build *b, int32_t x)
{
	int32_t byte[32], swapped[32];
	unsigned n = lift_split(b, x, 8, byte);

	for (unsigned i = 0; i < n; i++)
		swapped[i] = byte[n - 1 - i];
	return lift_join(b, swapped, n);
}

static int32_t sign_bit(struct lift_build *b, unsigned width)
{
	return lift_const(b, width, UINT64_C(1) << (width - 1));
}

/* 0x45 unordered, 0x40 equal, 0x01 less, 0x00 greater. */
static int32_t fp_compare(struct lift_build *b, int32_t x, int32_t y)
{
	int32_t less = lift_ite(b, lift_fp(b, IR_FP_LT, 1, x, y, -1), lift_const(b, 32, 1),
				lift_const(b, 32, 0));
	int32_t equal =
		lift_ite(b, lift_fp(b, IR_FP_EQ, 1, x, y, -1), lift_const(b, 32, 0x40), less);

	return lift_ite(b, lift_fp(b, IR_FP_UN, 1, x, y, -1), lift_const(b, 32, 0x45), equal);
}

static int32_t fp_op(struct lift_build *b, const struct row *row, const int32_t *a)
{
	enum ir_fp fp = (enum ir_fp)row->kind;
	unsigned width = lift_width(b, a[0]);
	bool has_mode = row->shape == FP2 || row->shape == FP1 || row->shape == FPCONV;

	if (has_mode && !lift_rounds_as_state(b, a[0]))
		return -1;
	switch ((enum shape)row->shape) {
	case FP2:
		return lift_fp(b, fp, lift_width(b, a[1]), a[1], a[2], -1);
	case FP1:
		return lift_fp(b, fp, lift_width(b, a[1]), a[1], -1, -1);
	case FPCMP:
		return fp_compare(b, a[0], a[1]);
	case FPNEG:
		return lift_binary(b, IR_XOR, a[0], sign_bit(b, width));
	case FPABS:
		return lift_binary(b, IR_AND, a[0], lift_not(b, sign_bit(b, width)));
	case FPWIDEN:
		return lift_fp(b, fp, row->width, a[0], -1, -1);
	case FPCONV:
		return lift_fp(b, fp, row->width, a[1], -1, -1);
	case FPTOINT:
		return lift_fp(b, fp, row->width, a[1], a[0], -1);
	default:
		return -1;
	}
}

static int32_t lift_division(struct lift_build *b, enum shape shape, int32_t x, int32_t y)
{
	unsigned wide = 2 * lift_width(b, y);

	switch (shape) {
	case UDIVMOD:
		return quotient_and_remainder(b, false, x, y);
	case SDIVMOD:
		return quotient_and_remainder(b, true, x, y);
	case UDIVMOD1:
		return quotient_and_remainder(b, false, lift_zext(b, x, wide), y);
	default:
		return quotient_and_remainder(b, true, lift_sext(b, x, wide), y);
	}
}

static int32_t integer_op(struct lift_build *b, const struct row *row, const int32_t *a)
{
	enum ir_kind kind = (enum ir_kind)row->kind;
	unsigned width = lift_width(b, a[0]);

	switch ((enum shape)row->shape) {
	case BINARY:
		return lift_binary(b, kind, a[0], a[1]);
	case SHIFT:
		return lift_binary(b, kind, a[0], lift_zext(b, a[1], width));
	case COMPARE:
		return lift_compare(b, kind, a[0], a[1]);
	case DIFFER:
		return lift_not(b, lift_compare(b, IR_EQ, a[0], a[1]));
	case NONZERO:
		return lift_not(b, is_zero_op(b, a[0]));
	case MASK:
		return lift_sext(b, lift_not(b, is_zero_op(b, a[0])), width);
	case UNARY:
		return kind == IR_NOT ? lift_not(b, a[0]) : lift_unary(b, kind, a[0]);
	case SPREAD:
		return lift_binary(b, IR_OR, a[0], lift_unary(b, IR_NEG, a[0]));
	case MAXIMUM:
		return lift_ite(b, lift_compare(b, IR_ULT, a[0], a[1]), a[1], a[0]);
	case UWIDEN:
		return lift_zext(b, a[0], row->width);
	case SWIDEN:
		return lift_sext(b, a[0], row->width);
	case CUT:
		return lift_extract(b, a[0], 0, row->width);
	case HIGH:
		return lift_extract(b, a[0], width / 2, width / 2);
	case PAIR:
		return lift_concat(b, a[0], a[1]);
	case SAME:
		return a[0];
	case UMULL:
	case SMULL:
		return wide_product(b, row->shape == SMULL, a[0], a[1]);
	case UDIVMOD:
	case SDIVMOD:
	case UDIVMOD1:
	case SDIVMOD1:
		return lift_division(b, (enum shape)row->shape, a[0], a[1]);
	case BYTESWAP:
		return swap_bytes(b, a[0]);
	default:
		return fp_op(b, row, a);
	}
}

int32_t lift_scalar_op(struct lift_build *b, unsigned iop, const int32_t *args)
{
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		if (iop >= rows[i].first && iop < rows[i].first + rows[i].n)
			return integer_op(b, &rows[i], args);
	}
	return -1;
}
