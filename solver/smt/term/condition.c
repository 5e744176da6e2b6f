/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/smt/term/condition.h"

/* libVEX's numbering of cc_op: after COPY come families of four (8, 16, 32, 64
 * bits), then pairs (32, 64 bits). */
enum family {
	FAMILY_ADD,
	FAMILY_SUB,
	FAMILY_ADC,
	FAMILY_SBB,
	FAMILY_LOGIC,
	FAMILY_INC,
	FAMILY_DEC,
	FAMILY_SHL,
	FAMILY_SHR,
	FAMILY_ROL,
	FAMILY_ROR,
	FAMILY_UMUL,
	FAMILY_SMUL,
	FAMILY_ANDN,
	FAMILY_BLSI,
	FAMILY_BLSMSK,
	FAMILY_BLSR,
	FAMILY_COPY,
	FAMILY_NONE,
};
enum { CC_OP_FIRST_PAIR = 53, CC_OP_AFTER_BLSR = 61 };
enum { FLAG_C = 0, FLAG_P = 2, FLAG_Z = 6, FLAG_S = 7, FLAG_O = 11 };

/* The operands at the operation's width. */
struct operation {
	struct term_pool *p;
	enum family family;
	unsigned width;
	uint32_t left, right, old; /* dep1, dep2 cut to width; ndep */
	uint32_t result;
	uint32_t old_carry; /* ADC, SBB: width 1 */
};

static enum family family_of(uint64_t cc_op, unsigned *width)
{
	*width = 64;
	if (cc_op == IR_CC_OP_COPY)
		return FAMILY_COPY;
	if (cc_op < CC_OP_FIRST_PAIR) {
		*width = 8u << ((cc_op - 1) % 4);
		return (enum family)((cc_op - 1) / 4);
	}
	if (cc_op >= CC_OP_AFTER_BLSR)
		return FAMILY_NONE;
	*width = 32u << ((cc_op - CC_OP_FIRST_PAIR) % 2);
	return (enum family)(FAMILY_ANDN + (cc_op - CC_OP_FIRST_PAIR) / 2);
}

static uint32_t bit_of_term(struct term_pool *p, uint32_t t, unsigned at)
{
	return term_extract(p, t, at, 1);
}

static uint32_t zero_of_operation(struct operation *o)
{
	return term_const(o->p, o->width, 0);
}

static uint32_t with_carry(struct operation *o, enum ir_kind kind)
{
	uint32_t carry = term_zext(o->p, o->old_carry, o->width);

	return term_op2(o->p, kind, term_op2(o->p, kind, o->left, o->right), carry);
}

static uint32_t result_of_operation(struct operation *o)
{
	struct term_pool *p = o->p;

	switch (o->family) {
	case FAMILY_ADD:
		return term_op2(p, IR_ADD, o->left, o->right);
	case FAMILY_SUB:
		return term_op2(p, IR_SUB, o->left, o->right);
	case FAMILY_ADC:
		return with_carry(o, IR_ADD);
	case FAMILY_SBB:
		return with_carry(o, IR_SUB);
	case FAMILY_UMUL:
	case FAMILY_SMUL:
		return term_op2(p, IR_MUL, o->left, o->right);
	default:
		return o->left;
	}
}

static bool set_up_operation(struct operation *o, struct term_pool *p,
			     const struct condition_thunk *f)
{
	o->p = p;
	o->family = family_of(f->cc_op, &o->width);
	if (o->family == FAMILY_NONE)
		return false;
	o->left = term_extract(p, f->dep1, 0, o->width);
	o->right = term_extract(p, f->dep2, 0, o->width);
	o->old = f->ndep;
	o->old_carry = bit_of_term(p, f->ndep, FLAG_C);
	if (o->family == FAMILY_ADC || o->family == FAMILY_SBB)
		o->right = term_op2(p, IR_XOR, o->right, term_zext(p, o->old_carry, o->width));
	o->result = result_of_operation(o);
	return true;
}

/* The high half of the double-width product. */
static uint32_t product_overflows(struct operation *o)
{
	struct term_pool *p = o->p;
	bool is_signed = o->family == FAMILY_SMUL;
	unsigned w = o->width;
	uint32_t l = is_signed ? term_sext(p, o->left, 2 * w) : term_zext(p, o->left, 2 * w);
	uint32_t r = is_signed ? term_sext(p, o->right, 2 * w) : term_zext(p, o->right, 2 * w);
	uint32_t full = term_op2(p, IR_MUL, l, r);
	uint32_t back = is_signed ? term_sext(p, o->result, 2 * w) : term_zext(p, o->result, 2 * w);

	return term_not(p, term_eq(p, full, back));
}

static uint32_t carry_flag(struct operation *o)
{
	struct term_pool *p = o->p;

	switch (o->family) {
	case FAMILY_ADD:
		return term_op2(p, IR_ULT, o->result, o->left);
	case FAMILY_SUB:
		return term_op2(p, IR_ULT, o->left, o->right);
	case FAMILY_ADC:
		return term_ite(p, o->old_carry, term_op2(p, IR_ULE, o->result, o->left),
				term_op2(p, IR_ULT, o->result, o->left));
	case FAMILY_SBB:
		return term_ite(p, o->old_carry, term_op2(p, IR_ULE, o->left, o->right),
				term_op2(p, IR_ULT, o->left, o->right));
	case FAMILY_INC:
	case FAMILY_DEC:
		return o->old_carry;
	case FAMILY_SHL:
		return bit_of_term(p, o->right, o->width - 1);
	case FAMILY_SHR:
		return bit_of_term(p, o->right, 0);
	case FAMILY_ROL:
		return bit_of_term(p, o->left, 0);
	case FAMILY_ROR:
		return bit_of_term(p, o->left, o->width - 1);
	case FAMILY_UMUL:
	case FAMILY_SMUL:
		return product_overflows(o);
	case FAMILY_BLSI:
		return term_not(p, term_eq(p, o->right, zero_of_operation(o)));
	case FAMILY_BLSMSK:
	case FAMILY_BLSR:
		return term_eq(p, o->right, zero_of_operation(o));
	case FAMILY_COPY:
		return bit_of_term(p, o->left, FLAG_C);
	default:
		return term_false(p);
	}
}

/* Whether the sign bits say that left and right combine to a wrong sign. */
static uint32_t sign_overflow(struct operation *o, bool subtraction)
{
	struct term_pool *p = o->p;
	unsigned top = o->width - 1;
	uint32_t l = bit_of_term(p, o->left, top), r = bit_of_term(p, o->right, top),
		 res = bit_of_term(p, o->result, top);
	uint32_t differ = term_op2(p, IR_XOR, l, r);

	return term_and(p, subtraction ? differ : term_not(p, differ), term_op2(p, IR_XOR, l, res));
}

static uint32_t overflow_flag(struct operation *o)
{
	struct term_pool *p = o->p;
	unsigned top = o->width - 1;
	uint64_t sign = (uint64_t)1 << top;

	switch (o->family) {
	case FAMILY_ADD:
	case FAMILY_ADC:
		return sign_overflow(o, false);
	case FAMILY_SUB:
	case FAMILY_SBB:
		return sign_overflow(o, true);
	case FAMILY_INC:
		return term_eq(p, o->result, term_const(p, o->width, sign));
	case FAMILY_DEC:
		return term_eq(p, o->result, term_const(p, o->width, sign - 1));
	case FAMILY_SHL:
	case FAMILY_SHR:
		return term_op2(p, IR_XOR, bit_of_term(p, o->left, top),
				bit_of_term(p, o->right, top));
	case FAMILY_ROL:
		return term_op2(p, IR_XOR, bit_of_term(p, o->left, top),
				bit_of_term(p, o->left, 0));
	case FAMILY_ROR:
		return term_op2(p, IR_XOR, bit_of_term(p, o->left, top),
				bit_of_term(p, o->left, top - 1));
	case FAMILY_UMUL:
	case FAMILY_SMUL:
		return product_overflows(o);
	case FAMILY_COPY:
		return bit_of_term(p, o->left, FLAG_O);
	default:
		return term_false(p);
	}
}

static bool keeps_old_result_flags(struct operation *o)
{
	return o->family == FAMILY_ROL || o->family == FAMILY_ROR;
}

static uint32_t zero_flag(struct operation *o)
{
	if (o->family == FAMILY_COPY)
		return bit_of_term(o->p, o->left, FLAG_Z);
	if (keeps_old_result_flags(o))
		return bit_of_term(o->p, o->old, FLAG_Z);
	if (o->family == FAMILY_SUB)
		return term_eq(o->p, o->left, o->right);
	if (o->family == FAMILY_BLSMSK)
		return term_false(o->p);
	return term_eq(o->p, o->result, zero_of_operation(o));
}

static uint32_t sign_flag(struct operation *o)
{
	if (o->family == FAMILY_COPY)
		return bit_of_term(o->p, o->left, FLAG_S);
	if (keeps_old_result_flags(o))
		return bit_of_term(o->p, o->old, FLAG_S);
	return term_op2(o->p, IR_SLT, o->result, zero_of_operation(o));
}

static uint32_t parity_flag(struct operation *o)
{
	struct term_pool *p = o->p;

	if (o->family == FAMILY_COPY)
		return bit_of_term(p, o->left, FLAG_P);
	if (keeps_old_result_flags(o))
		return bit_of_term(p, o->old, FLAG_P);
	uint32_t odd = bit_of_term(p, o->result, 0);

	for (unsigned i = 1; i < 8; i++)
		odd = term_op2(p, IR_XOR, odd, bit_of_term(p, o->result, i));
	return term_not(p, odd);
}

static uint32_t less_than(struct operation *o)
{
	if (o->family == FAMILY_SUB)
		return term_op2(o->p, IR_SLT, o->left, o->right);
	return term_op2(o->p, IR_XOR, sign_flag(o), overflow_flag(o));
}

static uint32_t at_most(struct operation *o)
{
	if (o->family == FAMILY_SUB)
		return term_op2(o->p, IR_SLE, o->left, o->right);
	if (o->family == FAMILY_LOGIC)
		return term_op2(o->p, IR_SLE, o->result, zero_of_operation(o));
	return term_or(o->p, zero_flag(o), less_than(o));
}

static uint32_t below_or_equal(struct operation *o)
{
	if (o->family == FAMILY_SUB)
		return term_op2(o->p, IR_ULE, o->left, o->right);
	return term_or(o->p, carry_flag(o), zero_flag(o));
}

uint32_t condition_holds(struct term_pool *p, unsigned condition, const struct condition_thunk *f)
{
	struct operation o;
	uint32_t t;

	if (condition > 15 || !set_up_operation(&o, p, f))
		return 0;
	switch (condition / 2) {
	case 0:
		t = overflow_flag(&o);
		break;
	case 1:
		t = carry_flag(&o);
		break;
	case 2:
		t = zero_flag(&o);
		break;
	case 3:
		t = below_or_equal(&o);
		break;
	case 4:
		t = sign_flag(&o);
		break;
	case 5:
		t = parity_flag(&o);
		break;
	case 6:
		t = less_than(&o);
		break;
	default:
		t = at_most(&o);
		break;
	}
	return condition & 1 ? term_not(p, t) : t;
}

bool condition_compares_signed(struct term_pool *p, unsigned condition,
			       const struct condition_thunk *f, uint32_t values[2])
{
	unsigned width;

	if (condition < 12 || family_of(f->cc_op, &width) != FAMILY_SUB)
		return false;
	values[0] = term_extract(p, f->dep1, 0, width);
	values[1] = term_extract(p, f->dep2, 0, width);
	return true;
}

uint32_t condition_carry(struct term_pool *p, const struct condition_thunk *f)
{
	struct operation o;

	return set_up_operation(&o, p, f) ? term_zext(p, carry_flag(&o), 64) : 0;
}

uint32_t condition_flags(struct term_pool *p, const struct condition_thunk *f)
{
	struct operation o;

	if (!set_up_operation(&o, p, f))
		return 0;
	const struct {
		uint32_t flag;
		unsigned at;
	} parts[] = { { carry_flag(&o), FLAG_C },
		      { parity_flag(&o), FLAG_P },
		      { zero_flag(&o), FLAG_Z },
		      { sign_flag(&o), FLAG_S },
		      { overflow_flag(&o), FLAG_O } };
	uint32_t all = term_const(p, 64, 0);

	for (unsigned i = 0; i < G_N_ELEMENTS(parts); i++)
		all = term_op2(p, IR_OR, all,
			       term_op2(p, IR_SHL, term_zext(p, parts[i].flag, 64),
					term_const(p, 64, parts[i].at)));
	return all;
}
