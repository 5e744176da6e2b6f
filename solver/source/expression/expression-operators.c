/* SPDX-License-Identifier: GPL-3.0-or-later */
/* C's conversions and operators as operations of ir.h. */
#include "solver/image/variable/variable.h"
#include "solver/source/expression/c-type.h"
#include "solver/source/expression/expression-private.h"

static const struct operand failed = { NULL, -1, -1, 0, 0 };

static int32_t two_operand_op(struct compiler *c, enum ir_kind kind, unsigned width, int32_t a,
			      int32_t b)
{
	return compile_op(c, (struct ir_op){ .kind = (uint8_t)kind,
					     .width = (uint16_t)width,
					     .a = a,
					     .b = b,
					     .c = -1,
					     .d = -1 });
}

static int32_t one_operand_op(struct compiler *c, enum ir_kind kind, unsigned width, int32_t a)
{
	return two_operand_op(c, kind, width, a, -1);
}

static int32_t compile_floating_op(struct compiler *c, enum ir_fp what, unsigned width, int32_t a,
				   int32_t b)
{
	return compile_op(c, (struct ir_op){ .kind = IR_FP,
					     .width = (uint16_t)width,
					     .a = a,
					     .b = b,
					     .c = -1,
					     .d = -1,
					     .value = what });
}

static int32_t choose_op(struct compiler *c, int32_t condition, int32_t a, int32_t b)
{
	return compile_op(c, (struct ir_op){ .kind = IR_ITE,
					     .width = (uint16_t)compile_width(c, a),
					     .a = a,
					     .b = b,
					     .c = condition,
					     .d = -1 });
}

static int32_t compile_resize(struct compiler *c, int32_t op, bool is_signed, unsigned width)
{
	unsigned from = compile_width(c, op);

	if (from == width)
		return op;
	return one_operand_op(c,
			      from > width ? IR_EXTRACT
			      : is_signed  ? IR_SEXT
					   : IR_ZEXT,
			      width, op);
}

static struct operand value_operand(const struct image_type *type, int32_t op)
{
	return (struct operand){ type, -1, op, 0, 0 };
}

static bool is_float(const struct image_type *t)
{
	return t->kind == IMAGE_TYPE_FLOAT;
}

static unsigned bits_of_type(const struct image_type *t)
{
	return 8 * (unsigned)t->size;
}

/* ---- values and conversions ---- */

static struct operand load_operand(struct compiler *c, struct operand x)
{
	unsigned bytes = x.bits ? (x.bit + x.bits + 7) / 8 : (unsigned)x.type->size;
	int32_t op;

	if (bytes > 8)
		return compile_fail(c, "values of more than 8 bytes cannot be computed with");
	op = one_operand_op(c, IR_LOAD, 8 * bytes, x.address);
	if (x.bits) {
		op = compile_op(c, (struct ir_op){ .kind = IR_EXTRACT,
						   .width = (uint16_t)x.bits,
						   .a = op,
						   .b = -1,
						   .c = -1,
						   .d = -1,
						   .value = x.bit });
		op = compile_resize(c, op, x.type->is_signed, bits_of_type(x.type));
	}
	return (struct operand){ x.type, -1, op, 0, x.bits };
}

struct operand compile_value(struct compiler *c, struct operand x)
{
	if (!x.type)
		return failed;
	if (x.type->kind == IMAGE_TYPE_ARRAY && x.address >= 0)
		return value_operand(image_pointer_to(c->im, x.type->target), x.address);
	if (x.type->kind == IMAGE_TYPE_FUNCTION && x.address >= 0)
		return value_operand(image_pointer_to(c->im, x.type), x.address);
	if (!c_type_is_scalar(x.type) || !x.type->size)
		return compile_fail(c, "a whole %s is not a number; name a member",
				    x.type->name ? x.type->name : "struct, union or void");
	return x.value >= 0 ? x : load_operand(c, x);
}

struct operand compile_referred(struct compiler *c, struct operand x)
{
	if (!x.type || x.type->kind != IMAGE_TYPE_POINTER || !x.type->is_reference ||
	    !x.type->target)
		return x;
	x = compile_value(c, x);
	return x.type ? (struct operand){ x.type->target, x.value, -1, 0, 0 } : failed;
}

int32_t compile_truth(struct compiler *c, const struct operand *x)
{
	unsigned width = compile_width(c, x->value);
	int32_t zero = compile_constant(c, width, 0);
	int32_t is_zero = is_float(x->type) ? compile_floating_op(c, IR_FP_EQ, 1, x->value, zero)
					    : two_operand_op(c, IR_EQ, 1, x->value, zero);

	return one_operand_op(c, IR_NOT, 1, is_zero);
}

/* A number of 64 bits with its highest bit set is halved, converted, and doubled again. */
static int32_t float_of_unsigned_long(struct compiler *c, int32_t op, unsigned width)
{
	int32_t bit = compile_constant(c, 64, 1), zero = compile_constant(c, 64, 0);
	int32_t half = two_operand_op(c, IR_OR, 64, two_operand_op(c, IR_LSHR, 64, op, bit),
				      two_operand_op(c, IR_AND, 64, op, bit));
	int32_t converted = compile_floating_op(c, IR_FP_FROM_INT, width, half, -1);
	int32_t doubled = compile_floating_op(c, IR_FP_ADD, width, converted, converted);

	return choose_op(c, two_operand_op(c, IR_SLT, 1, op, zero), doubled,
			 compile_floating_op(c, IR_FP_FROM_INT, width, op, -1));
}

static int32_t float_of_expression(struct compiler *c, const struct operand *x, unsigned width)
{
	int32_t wide;

	if (is_float(x->type))
		return bits_of_type(x->type) == width
			       ? x->value
			       : compile_floating_op(c, IR_FP_CONVERT, width, x->value, -1);
	wide = compile_resize(c, x->value, x->type->is_signed, 64);
	if (bits_of_type(x->type) == 64 && !x->type->is_signed)
		return float_of_unsigned_long(c, wide, width);
	return compile_floating_op(c, IR_FP_FROM_INT, width, wide, -1);
}

struct operand compile_convert(struct compiler *c, struct operand x, const struct image_type *to)
{
	int32_t op;

	if (!x.type || !c_type_is_scalar(to) || !to->size || to->size > 8)
		return x.type ? compile_fail(c, "that type cannot be converted to") : failed;
	if (is_float(to))
		return x.type->kind == IMAGE_TYPE_POINTER
			       ? compile_fail(c, "a pointer is no floating number")
			       : value_operand(to, float_of_expression(c, &x, bits_of_type(to)));
	if (to->kind == IMAGE_TYPE_BOOL)
		return value_operand(to, one_operand_op(c, IR_ZEXT, 8, compile_truth(c, &x)));
	if (!is_float(x.type))
		return value_operand(
			to, compile_resize(c, x.value, x.type->is_signed, bits_of_type(to)));
	op = compile_floating_op(c, IR_FP_TO_INT, 64, x.value, compile_constant(c, 32, 3));
	return value_operand(to, compile_resize(c, op, true, bits_of_type(to)));
}

static struct operand compile_promotion(struct compiler *c, struct operand x)
{
	return compile_convert(c, x, c_type_promoted(x.type, x.bits));
}

/* ---- operators ---- */

static struct operand truth_value(struct compiler *c, int32_t bit)
{
	return value_operand(c_type(C_INT), one_operand_op(c, IR_ZEXT, 32, bit));
}

struct operand compile_unary(struct compiler *c, unsigned op, struct operand x)
{
	x = compile_value(c, x);
	if (!x.type)
		return failed;
	if (op == '!')
		return truth_value(c, one_operand_op(c, IR_NOT, 1, compile_truth(c, &x)));
	if (!c_type_is_arithmetic(x.type) || (op == '~' && is_float(x.type)))
		return compile_fail(c, "`%c' takes a number", (char)op);
	x = compile_promotion(c, x);
	if (!x.type || op == '+')
		return x;
	if (is_float(x.type))
		return value_operand(
			x.type, two_operand_op(c, IR_XOR, bits_of_type(x.type), x.value,
					       compile_constant(
						       c, bits_of_type(x.type),
						       UINT64_C(1) << (bits_of_type(x.type) - 1))));
	return value_operand(x.type, one_operand_op(c, op == '~' ? IR_NOT : IR_NEG,
						    bits_of_type(x.type), x.value));
}

struct operand compile_offset(struct compiler *c, struct operand p, struct operand index,
			      bool minus)
{
	uint64_t size = p.type->target ? p.type->target->size : 1;
	int32_t bytes;

	if (!size)
		return compile_fail(c, "the size of what the pointer points to is not known");
	bytes = two_operand_op(c, IR_MUL, 64,
			       compile_resize(c, index.value, index.type->is_signed, 64),
			       compile_constant(c, 64, size));
	return value_operand(p.type,
			     two_operand_op(c, minus ? IR_SUB : IR_ADD, 64, p.value, bytes));
}

static struct operand pointer_difference_operand(struct compiler *c, const struct operand *p,
						 const struct operand *q)
{
	uint64_t size = p->type->target ? p->type->target->size : 1;

	if (!size)
		return compile_fail(c, "the size of what the pointers point to is not known");
	return value_operand(c_type(C_LONG),
			     two_operand_op(c, IR_SDIV, 64,
					    two_operand_op(c, IR_SUB, 64, p->value, q->value),
					    compile_constant(c, 64, size)));
}

/* a < b, a <= b and a == b; the other comparisons follow by swapping and negating. */
static int32_t compared_op(struct compiler *c, enum ir_kind kind, const struct image_type *t,
			   int32_t a, int32_t b)
{
	if (is_float(t))
		return compile_floating_op(c,
					   kind == IR_EQ    ? IR_FP_EQ
					   : kind == IR_SLT ? IR_FP_LT
							    : IR_FP_LE,
					   1, a, b);
	if (!t->is_signed && kind != IR_EQ)
		kind = kind == IR_SLT ? IR_ULT : IR_ULE;
	return two_operand_op(c, kind, 1, a, b);
}

static struct operand comparison_operand(struct compiler *c, unsigned op,
					 const struct image_type *t, int32_t a, int32_t b)
{
	switch (op) {
	case '<':
		return truth_value(c, compared_op(c, IR_SLT, t, a, b));
	case '>':
		return truth_value(c, compared_op(c, IR_SLT, t, b, a));
	case C_OP_LE:
		return truth_value(c, compared_op(c, IR_SLE, t, a, b));
	case C_OP_GE:
		return truth_value(c, compared_op(c, IR_SLE, t, b, a));
	case C_OP_EQ:
		return truth_value(c, compared_op(c, IR_EQ, t, a, b));
	default:
		return truth_value(c, one_operand_op(c, IR_NOT, 1, compared_op(c, IR_EQ, t, a, b)));
	}
}

static bool is_comparison(unsigned op)
{
	return op == '<' || op == '>' || (op >= C_OP_LE && op <= C_OP_NE);
}

static struct operand float_arithmetic(struct compiler *c, unsigned op, const struct image_type *t,
				       int32_t a, int32_t b)
{
	enum ir_fp what = op == '+'   ? IR_FP_ADD
			  : op == '-' ? IR_FP_SUB
			  : op == '*' ? IR_FP_MUL
				      : IR_FP_DIV;

	if (op != '+' && op != '-' && op != '*' && op != '/')
		return compile_fail(c, "that operator takes whole numbers");
	return value_operand(t, compile_floating_op(c, what, bits_of_type(t), a, b));
}

/* A quotient by zero has no value. */
static struct operand quotient_operand(struct compiler *c, unsigned op, const struct image_type *t,
				       int32_t a, int32_t b)
{
	unsigned w = bits_of_type(t);
	enum ir_kind kind =
		op == '/' ? (t->is_signed ? IR_SDIV : IR_UDIV) : (t->is_signed ? IR_SREM : IR_UREM);
	int32_t q = two_operand_op(c, kind, w, a, b), zero;

	if (g_array_index(c->ops, struct ir_op, (guint)b).kind == IR_CONST &&
	    g_array_index(c->ops, struct ir_op, (guint)b).value)
		return value_operand(t, q);
	zero = two_operand_op(c, IR_EQ, 1, b, compile_constant(c, w, 0));
	return value_operand(t, choose_op(c, zero, one_operand_op(c, IR_UNKNOWN, w, -1), q));
}

static struct operand arithmetic_operand(struct compiler *c, unsigned op,
					 const struct image_type *t, int32_t a, int32_t b)
{
	unsigned w = bits_of_type(t);

	if (is_float(t))
		return float_arithmetic(c, op, t, a, b);
	switch (op) {
	case '+':
		return value_operand(t, two_operand_op(c, IR_ADD, w, a, b));
	case '-':
		return value_operand(t, two_operand_op(c, IR_SUB, w, a, b));
	case '*':
		return value_operand(t, two_operand_op(c, IR_MUL, w, a, b));
	case '&':
		return value_operand(t, two_operand_op(c, IR_AND, w, a, b));
	case '|':
		return value_operand(t, two_operand_op(c, IR_OR, w, a, b));
	case '^':
		return value_operand(t, two_operand_op(c, IR_XOR, w, a, b));
	default:
		return quotient_operand(c, op, t, a, b);
	}
}

static struct operand shift_operand(struct compiler *c, unsigned op, struct operand x,
				    struct operand y)
{
	unsigned w;

	if (!c_type_is_integer(x.type) || !c_type_is_integer(y.type))
		return compile_fail(c, "shifts take whole numbers");
	x = compile_promotion(c, x);
	w = bits_of_type(x.type);
	return value_operand(x.type,
			     two_operand_op(c,
					    op == C_OP_SHL	? IR_SHL
					    : x.type->is_signed ? IR_ASHR
								: IR_LSHR,
					    w, x.value, compile_resize(c, y.value, false, w)));
}

/* At least one of them is a pointer. */
static struct operand with_pointer(struct compiler *c, unsigned op, struct operand x,
				   struct operand y)
{
	bool p = x.type->kind == IMAGE_TYPE_POINTER, q = y.type->kind == IMAGE_TYPE_POINTER;

	if (is_float(x.type) || is_float(y.type))
		return compile_fail(c, "a pointer and a floating number do not go together");
	if (is_comparison(op))
		return comparison_operand(c, op, c_type(C_ULONG),
					  compile_resize(c, x.value, x.type->is_signed, 64),
					  compile_resize(c, y.value, y.type->is_signed, 64));
	if (op == '-' && p && q)
		return pointer_difference_operand(c, &x, &y);
	if (op == '+' && p != q)
		return p ? compile_offset(c, x, y, false) : compile_offset(c, y, x, false);
	if (op == '-' && p)
		return compile_offset(c, x, y, true);
	return compile_fail(c, "that operator takes numbers, not pointers");
}

struct operand compile_binary(struct compiler *c, unsigned op, struct operand x, struct operand y)
{
	const struct image_type *t;

	x = compile_value(c, x);
	y = compile_value(c, y);
	if (!x.type || !y.type)
		return failed;
	if (op == C_OP_AND || op == C_OP_OR) {
		int32_t a = compile_truth(c, &x), b = compile_truth(c, &y);
		int32_t decided = compile_constant(c, 1, op == C_OP_OR);

		return truth_value(c, op == C_OP_OR ? choose_op(c, a, decided, b)
						    : choose_op(c, a, b, decided));
	}
	if (x.type->kind == IMAGE_TYPE_POINTER || y.type->kind == IMAGE_TYPE_POINTER)
		return with_pointer(c, op, x, y);
	if (op == C_OP_SHL || op == C_OP_SHR)
		return shift_operand(c, op, x, y);
	t = c_type_common(c_type_promoted(x.type, x.bits), c_type_promoted(y.type, y.bits));
	x = compile_convert(c, x, t);
	y = compile_convert(c, y, t);
	if (!x.type || !y.type)
		return failed;
	return is_comparison(op) ? comparison_operand(c, op, t, x.value, y.value)
				 : arithmetic_operand(c, op, t, x.value, y.value);
}

struct operand compile_choice(struct compiler *c, struct operand x, struct operand y,
			      struct operand z)
{
	const struct image_type *t;

	x = compile_value(c, x);
	y = compile_value(c, y);
	z = compile_value(c, z);
	if (!x.type || !y.type || !z.type)
		return failed;
	if (y.type->kind == IMAGE_TYPE_POINTER)
		t = y.type;
	else if (z.type->kind == IMAGE_TYPE_POINTER)
		t = z.type;
	else
		t = c_type_common(c_type_promoted(y.type, y.bits), c_type_promoted(z.type, z.bits));
	y = compile_convert(c, y, t);
	z = compile_convert(c, z, t);
	if (!y.type || !z.type)
		return failed;
	return value_operand(t, choose_op(c, compile_truth(c, &x), y.value, z.value));
}
