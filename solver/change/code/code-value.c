/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/change/code/code-value.h"

#include "solver/change/code/code-piece-private.h"
#include "solver/isa/ir.h"

#include <string.h>

struct code_value {
	unsigned depth; /* of its operations, at most */
	struct expression_code *x;
	int32_t op; /* the value's */
};

/* Addresses in the compiled expression tell where they come from: the frame pointer and the image
 * have numbers that nothing else is near to. */
static const uint64_t FRAME = UINT64_C(0x5a00) << 32, IMAGE = UINT64_C(0x3c00) << 32,
		      NEAR = UINT64_C(1) << 20;

static bool put_operation_value(struct code_piece *c, const struct ir_block *ir, int32_t number,
				unsigned depth);

#define PUT(...) \
	code_piece_bytes(c, (const uint8_t[]){ __VA_ARGS__ }, sizeof((uint8_t[]){ __VA_ARGS__ }))

/* Zeros above the width. */
static bool put_cut(struct code_piece *c, unsigned width)
{
	switch (width) {
	case 1:
		return PUT(0x83, 0xe0, 1); /* and $1,%eax */
	case 8:
		return PUT(0x0f, 0xb6, 0xc0); /* movzbl %al,%eax */
	case 16:
		return PUT(0x0f, 0xb7, 0xc0);
	case 32:
		return PUT(0x89, 0xc0); /* mov %eax,%eax */
	default:
		return width == 64;
	}
}

/* The value's sign in all 64 bits, of rax; of_rcx: of rcx. */
static bool put_sign(struct code_piece *c, unsigned width, bool of_rcx)
{
	uint8_t r = of_rcx ? 0xc9 : 0xc0;

	switch (width) {
	case 1:
		return !of_rcx && PUT(0x48, 0xf7, 0xd8); /* neg %rax */
	case 8:
		return PUT(0x48, 0x0f, 0xbe, r);
	case 16:
		return PUT(0x48, 0x0f, 0xbf, r);
	case 32:
		return PUT(0x48, 0x63, r);
	default:
		return width == 64;
	}
}

static bool put_value_constant(struct code_piece *c, uint64_t value)
{
	int32_t near = (int32_t)(value - FRAME);
	uint32_t low = (uint32_t)value;

	if (value + NEAR - FRAME < 2 * NEAR) /* lea near(%rbp),%rax */
		return PUT(0x48, 0x8d, 0x85) && code_piece_bytes(c, &near, sizeof near);
	if (value - IMAGE < UINT32_MAX)
		return PUT(0x48, 0x8d, 0x05) && code_piece_bytes(c, &(uint32_t){ 0 }, 4) &&
		       code_piece_link(c, c->size - 4, c->size, value - IMAGE);
	if (value == low)
		return PUT(0xb8) && code_piece_bytes(c, &low, sizeof low);
	return PUT(0x48, 0xb8) && code_piece_bytes(c, &value, sizeof value);
}

static bool put_value_load(struct code_piece *c, unsigned width)
{
	switch (width) {
	case 8:
		return PUT(0x0f, 0xb6, 0x00); /* movzbl (%rax),%eax */
	case 16:
		return PUT(0x0f, 0xb7, 0x00);
	case 32:
		return PUT(0x8b, 0x00);
	default:
		return width == 64 && PUT(0x48, 0x8b, 0x00);
	}
}

static bool put_value_comparison(struct code_piece *c, enum ir_kind kind, unsigned width)
{
	bool is_signed = kind == IR_SLT || kind == IR_SLE;
	uint8_t code = kind == IR_EQ	? 0x94
		       : kind == IR_ULT ? 0x92
		       : kind == IR_ULE ? 0x96
		       : kind == IR_SLT ? 0x9c
					: 0x9e;

	return (!is_signed || (put_sign(c, width, false) && put_sign(c, width, true))) &&
	       PUT(0x48, 0x39, 0xc8, 0x0f, code, 0xc0, 0x0f, 0xb6, 0xc0);
}

/* rax / rcx or, for the rest, rax % rcx.  A division by zero ends the run, as it does in C. */
static bool put_division(struct code_piece *c, enum ir_kind kind, unsigned width)
{
	const bool is_signed = kind == IR_SDIV || kind == IR_SREM;
	const bool rest = kind == IR_SREM || kind == IR_UREM;

	if (is_signed && (!put_sign(c, width, false) || !put_sign(c, width, true)))
		return false;
	/* push %rdx; cqo; idiv %rcx, or xor %edx,%edx; div %rcx */
	if (!PUT(0x52) ||
	    !(is_signed ? PUT(0x48, 0x99, 0x48, 0xf7, 0xf9) : PUT(0x31, 0xd2, 0x48, 0xf7, 0xf1)))
		return false;
	/* mov %rdx,%rax; pop %rdx */
	return (!rest || PUT(0x48, 0x89, 0xd0)) && PUT(0x5a) && put_cut(c, width);
}

/* rax OP rcx. */
static bool put_operator(struct code_piece *c, enum ir_kind kind, unsigned width)
{
	switch (kind) {
	case IR_ADD:
		return PUT(0x48, 0x01, 0xc8) && put_cut(c, width);
	case IR_SUB:
		return PUT(0x48, 0x29, 0xc8) && put_cut(c, width);
	case IR_MUL:
		return PUT(0x48, 0x0f, 0xaf, 0xc1) && put_cut(c, width);
	case IR_AND:
		return PUT(0x48, 0x21, 0xc8);
	case IR_OR:
		return PUT(0x48, 0x09, 0xc8);
	case IR_XOR:
		return PUT(0x48, 0x31, 0xc8);
	case IR_SHL:
		return PUT(0x48, 0xd3, 0xe0) && put_cut(c, width);
	case IR_LSHR:
		return PUT(0x48, 0xd3, 0xe8);
	case IR_ASHR:
		return put_sign(c, width, false) && PUT(0x48, 0xd3, 0xf8) && put_cut(c, width);
	default:
		return ir_has(kind, IR_HAS_DIVISION) && put_division(c, kind, width);
	}
}

/* A jump over what comes next, which put_here completes. */
static bool put_skip(struct code_piece *c, bool always, unsigned *at)
{
	if (!(always ? PUT(0xe9) : PUT(0x85, 0xc0, 0x0f, 0x84)) || /* test %eax,%eax; jz */
	    !code_piece_bytes(c, &(uint32_t){ 0 }, 4))
		return false;
	*at = c->size;
	return true;
}

static void put_here(struct code_piece *c, unsigned at)
{
	uint32_t distance = c->size - at;

	memcpy(c->bytes + at - sizeof distance, &distance, sizeof distance);
}

static bool put_choice(struct code_piece *c, const struct ir_block *ir, const struct ir_op *op,
		       unsigned depth)
{
	unsigned otherwise, end;

	/* a quotient by zero is not known, but it need not be: the division ends the run */
	if (ir->ops[op->a].kind == IR_UNKNOWN)
		return put_operation_value(c, ir, op->b, depth);
	if (!put_operation_value(c, ir, op->c, depth) || !put_skip(c, false, &otherwise) ||
	    !put_operation_value(c, ir, op->a, depth) || !put_skip(c, true, &end))
		return false;
	put_here(c, otherwise);
	if (!put_operation_value(c, ir, op->b, depth))
		return false;
	put_here(c, end);
	return true;
}

/* The second part of `p && p->x' is not computed where the first one is false. */
static bool put_both(struct code_piece *c, const struct ir_block *ir, const struct ir_op *op,
		     unsigned depth)
{
	unsigned end;

	if (!put_operation_value(c, ir, op->a, depth) || !put_skip(c, false, &end) ||
	    !put_operation_value(c, ir, op->b, depth))
		return false;
	put_here(c, end);
	return true;
}

static bool put_two(struct code_piece *c, const struct ir_block *ir, const struct ir_op *op,
		    unsigned depth)
{
	/* push %rax ...; mov %rax,%rcx; pop %rax */
	return put_operation_value(c, ir, op->a, depth) && PUT(0x50) &&
	       put_operation_value(c, ir, op->b, depth) && PUT(0x48, 0x89, 0xc1, 0x58);
}

static bool put_one(struct code_piece *c, const struct ir_block *ir, const struct ir_op *op,
		    unsigned depth)
{
	unsigned from = ir->ops[op->a].width;

	if (!put_operation_value(c, ir, op->a, depth))
		return false;
	switch (op->kind) {
	case IR_LOAD:
		return put_value_load(c, op->width);
	case IR_NOT:
		return PUT(0x48, 0xf7, 0xd0) && put_cut(c, op->width);
	case IR_NEG:
		return PUT(0x48, 0xf7, 0xd8) && put_cut(c, op->width);
	case IR_ZEXT:
		return true;
	case IR_SEXT:
		return put_sign(c, from, false) && put_cut(c, op->width);
	case IR_EXTRACT:
		return from <= 64 && PUT(0x48, 0xc1, 0xe8, (uint8_t)op->value) &&
		       put_cut(c, op->width);
	default:
		return false;
	}
}

static bool put_operation_value(struct code_piece *c, const struct ir_block *ir, int32_t number,
				unsigned depth)
{
	const struct ir_op *op = &ir->ops[number];
	const struct ir_info *info = ir_info(op->kind);

	if (!depth)
		return false;
	if (op->kind == IR_CONST)
		return op->width <= 64 && put_value_constant(c, op->value);
	if (op->kind == IR_ITE)
		return put_choice(c, ir, op, depth - 1);
	if (op->kind == IR_AND && op->width == 1)
		return put_both(c, ir, op, depth - 1);
	if (info->operands == 1)
		return put_one(c, ir, op, depth - 1);
	if (info->operands != 2 || info->group != IR_CLASS_OPERATOR ||
	    !put_two(c, ir, op, depth - 1))
		return false;
	return ir_has(op->kind, IR_HAS_COMPARISON)
		       ? put_value_comparison(c, op->kind, ir->ops[op->a].width)
		       : put_operator(c, op->kind, op->width);
}

bool code_value_put(struct code_piece *c, const struct code_value *v)
{
	const struct image_type *t = v->x->type;
	bool has_sign = t->kind != IMAGE_TYPE_POINTER && t->is_signed;

	return put_operation_value(c, &v->x->ir, v->op, v->depth) &&
	       (!has_sign || put_sign(c, 8 * (unsigned)t->size, false));
}

/* ---- from the text ---- */

bool code_value_is_of_one_type(const struct image_type *a, const struct image_type *b)
{
	if (a->kind == IMAGE_TYPE_POINTER && b->kind == IMAGE_TYPE_POINTER)
		return a->target && b->target && a->target->kind == b->target->kind &&
		       g_strcmp0(a->target->name, b->target->name) == 0;
	return a->kind == b->kind && a->size == b->size;
}

bool code_value_is_word(const struct image_type *t)
{
	switch (t ? t->kind : IMAGE_TYPE_VOID) {
	case IMAGE_TYPE_BOOL:
	case IMAGE_TYPE_CHAR:
	case IMAGE_TYPE_INT:
	case IMAGE_TYPE_ENUM:
	case IMAGE_TYPE_POINTER:
		return t->size == 1 || t->size == 2 || t->size == 4 || t->size == 8;
	default:
		return false;
	}
}

struct code_value *code_value_new(const struct image *im, uint64_t addr, const char *text,
				  const struct limits *limits)
{
	const struct image_frame frame = { .pc = addr, .bias = IMAGE, .regs[TRACE_RBP] = FRAME };
	struct c_expression *tree = c_expression_parse(im, text, NULL);
	struct expression_code *x = tree ? expression_compile(im, &frame, tree, NULL) : NULL;
	struct code_piece probe = { 0 };
	struct code_value *v = NULL;

	c_expression_free(tree);
	if (x && !x->unknown && x->value >= 0 && !x->bits && code_value_is_word(x->type) &&
	    x->ir.n_ops <= limits->expression_ops) {
		v = g_new0(struct code_value, 1);
		v->depth = (unsigned)limits->expression_depth;
		v->x = x;
		v->op = x->value;
	}
	/* what cannot be written is refused here, once */
	if (v && code_value_put(&probe, v))
		return v;
	g_free(v);
	expression_code_free(x);
	return NULL;
}

void code_value_free(struct code_value *v)
{
	if (!v)
		return;
	expression_code_free(v->x);
	g_free(v);
}

const struct image_type *code_value_type(const struct code_value *v)
{
	return v->x->type;
}
