/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/isa/lift-build.h"

#include "solver/isa/scalar.h"

void lift_build_init(struct lift_build *b)
{
	b->ops = g_array_new(FALSE, FALSE, sizeof(struct ir_op));
	b->complete = true;
}

void lift_build_deinit(struct lift_build *b)
{
	g_array_unref(b->ops);
}

void lift_build_reset(struct lift_build *b)
{
	g_array_set_size(b->ops, 0);
	b->complete = true;
}

static struct ir_op *op_at(const struct lift_build *b, int32_t i)
{
	return &g_array_index(b->ops, struct ir_op, i);
}

unsigned lift_width(const struct lift_build *b, int32_t op)
{
	return op_at(b, op)->width;
}

bool lift_is_const(const struct lift_build *b, int32_t op, uint64_t *value)
{
	const struct ir_op *o = op_at(b, op);

	if (o->kind != IR_CONST)
		return false;
	*value = o->value;
	return true;
}

static bool is_pure(const struct ir_op *op)
{
	enum ir_class group = ir_info(op->kind)->group;

	return group == IR_CLASS_CONSTANT || group == IR_CLASS_OPERATOR ||
	       group == IR_CLASS_FLAGS || group == IR_CLASS_FLOAT;
}

static bool is_same_op(const struct ir_op *x, const struct ir_op *y)
{
	return x->kind == y->kind && x->width == y->width && x->offset == y->offset &&
	       x->a == y->a && x->b == y->b && x->c == y->c && x->d == y->d && x->value == y->value;
}

static bool fold_constant_op(const struct lift_build *b, const struct ir_op *op, uint64_t *out)
{
	const int32_t operand[3] = { op->a, op->b, op->c };
	uint64_t v[3] = { 0, 0, 0 };
	unsigned w[2] = { 1, 1 };

	if (op->kind == IR_CONST || op->width > 64)
		return false;
	for (int i = 0; i < 3; i++) {
		if (operand[i] < 0)
			continue;
		if (!lift_is_const(b, operand[i], &v[i]))
			return false;
		if (i < 2)
			w[i] = lift_width(b, operand[i]);
	}
	return scalar_compute(op, w[0], w[1], v[0], v[1], v[2], out);
}

int32_t lift_emit(struct lift_build *b, struct ir_op op)
{
	uint64_t value;

	if (is_pure(&op)) {
		if (fold_constant_op(b, &op, &value))
			return lift_const(b, op.width, value);
		for (guint i = b->ops->len; i-- > 0;) {
			if (is_same_op(op_at(b, (int32_t)i), &op))
				return (int32_t)i;
		}
	}
	g_array_append_val(b->ops, op);
	return (int32_t)b->ops->len - 1;
}

static struct ir_op make_op(enum ir_kind kind, unsigned width, int32_t x, int32_t y, int32_t z)
{
	return (struct ir_op){
		.kind = (uint8_t)kind, .width = (uint16_t)width, .a = x, .b = y, .c = z, .d = -1
	};
}

int32_t lift_const(struct lift_build *b, unsigned width, uint64_t value)
{
	struct ir_op op = make_op(IR_CONST, width, -1, -1, -1);

	if (width > 64) {
		g_assert(value == 0);
		int32_t half = lift_const(b, width / 2, 0);
		return lift_concat(b, half, half);
	}
	op.value = value & scalar_mask(width);
	return lift_emit(b, op);
}

int32_t lift_unknown(struct lift_build *b, unsigned width)
{
	b->complete = false;
	return lift_emit(b, make_op(IR_UNKNOWN, width, -1, -1, -1));
}

int32_t lift_unary(struct lift_build *b, enum ir_kind kind, int32_t x)
{
	return lift_emit(b, make_op(kind, lift_width(b, x), x, -1, -1));
}

/* x op neutral = x, so that such an op is not made. */
static bool is_neutral(enum ir_kind kind, uint64_t y, unsigned width)
{
	switch ((enum ir_neutral)ir_info(kind)->neutral) {
	case IR_NEUTRAL_ZERO:
		return y == 0;
	case IR_NEUTRAL_ONES:
		return y == scalar_mask(width);
	default:
		return false;
	}
}

int32_t lift_binary(struct lift_build *b, enum ir_kind kind, int32_t x, int32_t y)
{
	unsigned width = lift_width(b, x);
	uint64_t v;

	if (width != lift_width(b, y))
		return lift_unknown(b, width);
	if (lift_is_const(b, y, &v) && is_neutral(kind, v, width))
		return x;
	return lift_emit(b, make_op(kind, width, x, y, -1));
}

int32_t lift_compare(struct lift_build *b, enum ir_kind kind, int32_t x, int32_t y)
{
	if (lift_width(b, x) != lift_width(b, y))
		return lift_unknown(b, 1);
	return lift_emit(b, make_op(kind, 1, x, y, -1));
}

bool lift_rounds_as_state(const struct lift_build *b, int32_t mode)
{
	uint64_t v;

	return !lift_is_const(b, mode, &v) || v == 0;
}

int32_t lift_not(struct lift_build *b, int32_t x)
{
	struct ir_op op = *op_at(b, x);

	if (op.kind == IR_NOT)
		return op.a;
	if (op.kind == IR_COND) {
		/* x86 condition codes come in pairs of opposites */
		op.value ^= 1;
		return lift_emit(b, op);
	}
	return lift_unary(b, IR_NOT, x);
}

int32_t lift_ite(struct lift_build *b, int32_t cond, int32_t x, int32_t y)
{
	uint64_t v;

	if (lift_width(b, cond) != 1 || lift_width(b, x) != lift_width(b, y))
		return lift_unknown(b, lift_width(b, x));
	if (lift_is_const(b, cond, &v))
		return v ? x : y;
	if (x == y)
		return x;
	return lift_emit(b, make_op(IR_ITE, lift_width(b, x), x, y, cond));
}

int32_t lift_extract(struct lift_build *b, int32_t x, unsigned lo, unsigned width)
{
	struct ir_op from = *op_at(b, x), op = make_op(IR_EXTRACT, width, x, -1, -1);
	unsigned inner = from.a >= 0 ? lift_width(b, from.a) : 0;

	if (lo + width > from.width)
		return lift_unknown(b, width);
	if (width == from.width)
		return x;
	switch (from.kind) {
	case IR_EXTRACT:
		return lift_extract(b, from.a, lo + (unsigned)from.value, width);
	case IR_ZEXT:
		if (lo >= inner)
			return lift_const(b, width, 0);
		if (lo == 0 && width >= inner)
			return lift_zext(b, from.a, width);
		/* fall through */
	case IR_SEXT:
		if (lo + width <= inner)
			return lift_extract(b, from.a, lo, width);
		break;
	case IR_CONCAT:
		inner = lift_width(b, from.b);
		if (lo + width <= inner)
			return lift_extract(b, from.b, lo, width);
		if (lo >= inner)
			return lift_extract(b, from.a, lo - inner, width);
		break;
	default:
		break;
	}
	op.value = lo;
	return lift_emit(b, op);
}

int32_t lift_concat(struct lift_build *b, int32_t high, int32_t low)
{
	struct ir_op h = *op_at(b, high), l = *op_at(b, low);
	unsigned width = h.width + l.width;

	/* two neighbouring pieces of one value are one piece again */
	if (h.kind == IR_EXTRACT && l.kind == IR_EXTRACT && h.a == l.a &&
	    h.value == l.value + l.width)
		return lift_extract(b, l.a, (unsigned)l.value, width);
	return lift_emit(b, make_op(IR_CONCAT, width, high, low, -1));
}

static int32_t build_extension(struct lift_build *b, enum ir_kind kind, int32_t x, unsigned width)
{
	const struct ir_op *from = op_at(b, x);

	if (width == from->width)
		return x;
	if (width < from->width)
		return lift_extract(b, x, 0, width);
	if (from->kind == IR_ZEXT || from->kind == kind)
		return build_extension(b, (enum ir_kind)from->kind, from->a, width);
	return lift_emit(b, make_op(kind, width, x, -1, -1));
}

int32_t lift_zext(struct lift_build *b, int32_t x, unsigned width)
{
	return build_extension(b, IR_ZEXT, x, width);
}

int32_t lift_sext(struct lift_build *b, int32_t x, unsigned width)
{
	return build_extension(b, IR_SEXT, x, width);
}

int32_t lift_fp(struct lift_build *b, enum ir_fp fp, unsigned width, int32_t x, int32_t y,
		int32_t z)
{
	struct ir_op op = make_op(IR_FP, width, x, y, z);

	op.value = fp;
	return lift_emit(b, op);
}

unsigned lift_split(struct lift_build *b, int32_t v, unsigned lane, int32_t *out)
{
	unsigned n = lift_width(b, v) / lane;

	for (unsigned i = 0; i < n; i++)
		out[i] = lift_extract(b, v, i * lane, lane);
	return n;
}

int32_t lift_join(struct lift_build *b, const int32_t *lanes, unsigned n)
{
	int32_t part[32];

	g_assert(n >= 1 && n <= 32);
	for (unsigned i = 0; i < n; i++)
		part[i] = lanes[i];
	for (; n > 1; n /= 2) {
		for (unsigned i = 0; i < n / 2; i++)
			part[i] = lift_concat(b, part[2 * i + 1], part[2 * i]);
	}
	return part[0];
}

static void mark_live_operands(const struct ir_op *op, bool *live)
{
	const int32_t operand[4] = { op->a, op->b, op->c, op->d };

	for (int i = 0; i < 4; i++) {
		if (operand[i] >= 0)
			live[operand[i]] = true;
	}
}

static int32_t renumbered_operand(const int32_t *number, int32_t op)
{
	return op < 0 ? op : number[op];
}

struct ir_block *lift_build_finish(struct lift_build *b)
{
	guint n = b->ops->len, kept = 0;
	g_autofree bool *live = g_new0(bool, n + 1);
	g_autofree int32_t *number = g_new(int32_t, n + 1);
	struct ir_block *block = g_new0(struct ir_block, 1);

	for (guint i = n; i-- > 0;) {
		const struct ir_op *op = op_at(b, (int32_t)i);
		live[i] = live[i] || ir_has(op->kind, IR_HAS_EFFECT);
		if (live[i])
			mark_live_operands(op, live);
	}
	block->ops = g_new(struct ir_op, n + 1);
	for (guint i = 0; i < n; i++) {
		struct ir_op op = *op_at(b, (int32_t)i);
		if (!live[i])
			continue;
		op.a = renumbered_operand(number, op.a);
		op.b = renumbered_operand(number, op.b);
		op.c = renumbered_operand(number, op.c);
		op.d = renumbered_operand(number, op.d);
		number[i] = (int32_t)kept;
		block->ops[kept++] = op;
	}
	block->n_ops = kept;
	block->complete = b->complete;
	block->ops = g_renew(struct ir_op, block->ops, kept + 1);
	return block;
}

void lift_block_free(struct ir_block *block)
{
	if (!block)
		return;
	g_free(block->ops);
	g_free(block);
}
