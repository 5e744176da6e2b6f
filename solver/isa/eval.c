/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/isa/eval.h"

#include "solver/isa/scalar.h"
#include "solver/isa/lift.h"

#include <string.h>

static const struct ir_value nothing;

static void copy_bytes(void *to, const void *from, unsigned size)
{
	switch (size) {
	case 1:
		memcpy(to, from, 1);
		break;
	case 2:
		memcpy(to, from, 2);
		break;
	case 4:
		memcpy(to, from, 4);
		break;
	case 8:
		memcpy(to, from, 8);
		break;
	default:
		memcpy(to, from, size);
		break;
	}
}

static void get_eval_state(const struct eval_state *s, const struct ir_op *op, struct ir_value *out)
{
	unsigned size = op->width / 8;
	static const struct ir_value all = { .w = { ~UINT64_C(0), ~UINT64_C(0), ~UINT64_C(0),
						    ~UINT64_C(0) } };

	copy_bytes(out->w, s->bytes + op->offset, size);
	if (size == 8) {
		uint64_t known;
		memcpy(&known, s->known + op->offset, 8);
		out->known = known == ~UINT64_C(0);
	} else {
		out->known = memcmp(s->known + op->offset, &all, size) == 0;
	}
}

static void put_eval_state(struct eval_state *s, const struct ir_op *op, const struct ir_value *v,
			   unsigned width)
{
	unsigned size = width / 8;

	copy_bytes(s->bytes + op->offset, v->w, size);
	if (size == 8) {
		uint64_t known = -(uint64_t)v->known;
		memcpy(s->known + op->offset, &known, 8);
	} else {
		memset(s->known + op->offset, v->known ? 0xff : 0, size);
	}
}

static void eval_load(struct eval_memory *m, const struct ir_value *address, unsigned width,
		      struct ir_value *out)
{
	if (address->known)
		out->known = m->load(m, address->w[0], width / 8, (uint8_t *)out->w);
}

static void eval_guarded_load(struct eval_memory *m, const struct ir_op *op,
			      const struct ir_value *temps, struct ir_value *out)
{
	const struct ir_value *guard = &temps[op->c];

	if (guard->known && guard->w[0])
		eval_load(m, &temps[op->a], op->width, out);
	else if (guard->known)
		*out = temps[op->b];
}

/* A store to an unknown address cannot be noted.  The place that it changed shows later, when a
 * load there disagrees. */
static void eval_store(struct eval_memory *m, const struct ir_value *address,
		       const struct ir_value *v, unsigned width, const struct ir_value *guard)
{
	bool sure = !guard || guard->known;

	if (!address->known || (guard && guard->known && !guard->w[0]))
		return;
	m->store(m, address->w[0], width / 8, (const uint8_t *)v->w, sure && v->known);
}

static void eval_flags(const struct ir_op *op, const struct ir_value *temps, struct ir_value *out)
{
	const struct ir_value *a = &temps[op->a], *b = &temps[op->b], *c = &temps[op->c],
			      *d = &temps[op->d];

	out->known = a->known && b->known && c->known && d->known;
	if (!out->known)
		return;
	if (op->kind == IR_COND)
		out->w[0] = lift_condition((unsigned)op->value, a->w[0], b->w[0], c->w[0], d->w[0]);
	else
		out->w[0] = lift_flags(a->w[0], b->w[0], c->w[0], d->w[0]);
	if (op->kind == IR_FLAGS_C)
		out->w[0] &= 1;
}

static bool operands_known(const struct ir_op *op, const struct ir_value *a,
			   const struct ir_value *b, const struct ir_value *c)
{
	if (op->kind == IR_ITE)
		return c->known && (c->w[0] ? a->known : b->known);
	return (op->a < 0 || a->known) && (op->b < 0 || b->known) && (op->c < 0 || c->known);
}

/* In a rounding mode that is not known, results that round are not known either. */
static bool float_operate(const struct eval_state *s, const struct ir_op *op, unsigned wa,
			  const struct ir_value *a, const struct ir_value *b, struct ir_value *out)
{
	bool known = s->known[IR_STATE_SSEROUND];
	unsigned mode = s->bytes[IR_STATE_SSEROUND] & 3;

	return (known || !ir_fp_rounds(op->value)) &&
	       eval_fp_rounding(op, wa, a->w[0], b->w[0], mode, &out->w[0]);
}

static void eval_op(const struct ir_block *block, const struct ir_op *op,
		    const struct eval_state *s, const struct ir_value *temps, struct ir_value *out)
{
	const struct ir_value *a = op->a < 0 ? &nothing : &temps[op->a];
	const struct ir_value *b = op->b < 0 ? &nothing : &temps[op->b];
	const struct ir_value *c = op->c < 0 ? &nothing : &temps[op->c];
	unsigned wa = op->a < 0 ? 1 : block->ops[op->a].width;
	unsigned wb = op->b < 0 ? 1 : block->ops[op->b].width;

	if (!operands_known(op, a, b, c))
		return;
	if (op->kind == IR_FP)
		out->known = float_operate(s, op, wa, a, b, out);
	else if (op->width <= 64 && wa <= 64 && wb <= 64)
		out->known = scalar_compute(op, wa, wb, a->w[0], b->w[0], c->w[0], &out->w[0]);
	else
		out->known = eval_wide(op, wa, wb, a, b, c, out);
}

struct eval_result ir_eval(const struct ir_block *b, struct eval_state *s, struct eval_memory *m,
			   struct ir_value *temps)
{
	struct eval_result r = { .n_ran = b->n_ops };
	bool undecided = false;

	for (uint32_t i = 0; i < b->n_ops; i++) {
		const struct ir_op *op = &b->ops[i];
		struct ir_value *t = &temps[i];
		*t = nothing;
		switch (op->kind) {
		case IR_GET:
			get_eval_state(s, op, t);
			break;
		case IR_PUT:
			put_eval_state(s, op, &temps[op->a], b->ops[op->a].width);
			break;
		case IR_LOAD:
			eval_load(m, &temps[op->a], op->width, t);
			break;
		case IR_LOADG:
			eval_guarded_load(m, op, temps, t);
			break;
		case IR_STORE:
			eval_store(m, &temps[op->a], &temps[op->b], b->ops[op->b].width, NULL);
			break;
		case IR_STOREG:
			eval_store(m, &temps[op->a], &temps[op->b], b->ops[op->b].width,
				   &temps[op->c]);
			break;
		case IR_COND:
		case IR_FLAGS:
		case IR_FLAGS_C:
			eval_flags(op, temps, t);
			break;
		case IR_EXIT:
			undecided = undecided || !temps[op->a].known;
			if (temps[op->a].known && temps[op->a].w[0])
				return (struct eval_result){ i + 1, !undecided, op->value };
			break;
		case IR_NEXT:
			r.next = temps[op->a].w[0];
			r.next_known = !undecided && temps[op->a].known;
			break;
		case IR_UNKNOWN:
			break;
		default:
			eval_op(b, op, s, temps, t);
			break;
		}
	}
	return r;
}
