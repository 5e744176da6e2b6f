/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which instructions superblock-make.c can translate. */
#include "solver/trace/superblock/superblock-make.h"

#include <string.h>

/* ---- what is computed ---- */

static bool is_word_part(unsigned offset, unsigned width)
{
	return width >= 8 && width <= 64 && offset < IR_STATE_YMM &&
	       offset / 8 == (offset + width / 8 - 1) / 8;
}

static bool is_operator(const struct ir_block *ir, const struct ir_op *op)
{
	enum ir_class group = ir_info(op->kind)->group;

	return (group == IR_CLASS_OPERATOR || group == IR_CLASS_FLAGS) && op->width <= 64 &&
	       (op->a < 0 || ir->ops[op->a].width <= 64) &&
	       (op->b < 0 || ir->ops[op->b].width <= 64) &&
	       (op->c < 0 || ir->ops[op->c].width <= 64);
}

static bool is_memory_width(unsigned width)
{
	return width == 8 || width == 16 || width == 32 || width == 64;
}

static bool is_superblock_op(const struct ir_block *ir, const struct ir_op *op, bool branch)
{
	switch (op->kind) {
	case IR_CONST:
		return op->width <= 64;
	case IR_GET:
		return is_word_part(op->offset, op->width) && op->offset / 8 != IR_STATE_RIP / 8;
	case IR_PUT:
		return is_word_part(op->offset, ir->ops[op->a].width);
	case IR_LOAD:
		return is_memory_width(op->width);
	case IR_STORE:
		return is_memory_width(ir->ops[op->b].width);
	case IR_EXIT:
		return branch;
	case IR_NEXT:
		return true;
	default:
		return is_operator(ir, op);
	}
}

/* Nothing may happen after an exit from the block. */
static bool is_superblock_code(const struct ir_block *ir, bool branch)
{
	bool left = false;

	for (uint32_t i = 0; i < ir->n_ops; i++) {
		const struct ir_op *op = &ir->ops[i];

		if (!is_superblock_op(ir, op, branch) ||
		    (left && (op->kind == IR_PUT || op->kind == IR_STORE || op->kind == IR_LOAD)))
			return false;
		left = left || op->kind == IR_EXIT;
	}
	return ir->complete;
}

const struct trace_mem *superblock_read_operand(const struct trace_insn *insn)
{
	for (unsigned i = 0; i < insn->n_mem; i++)
		if (insn->mem[i].flags & TRACE_MEM_READ)
			return &insn->mem[i];
	return NULL;
}

/* Does the code load exactly the operands that the record tells of? */
static bool loads_its_operand(const struct ir_block *ir, const struct trace_insn *insn)
{
	const struct trace_mem *m = superblock_read_operand(insn);
	unsigned reads = 0, loads = 0, same = 0;

	for (unsigned i = 0; i < insn->n_mem; i++)
		reads += !!(insn->mem[i].flags & TRACE_MEM_READ);
	for (uint32_t i = 0; i < ir->n_ops; i++) {
		loads += ir->ops[i].kind == IR_LOAD;
		same += ir->ops[i].kind == IR_LOAD && m && ir->ops[i].width == 8u * m->size;
	}
	if (insn->flow == TRACE_FLOW_RET)
		return reads == 0;
	return reads <= 1 && loads == reads && same == reads;
}

bool superblock_is_computed(const struct trace_insn *insn)
{
	return insn->flow == TRACE_FLOW_RET || insn->flow == TRACE_FLOW_JUMP_IND ||
	       insn->flow == TRACE_FLOW_CALL_IND;
}

/* Do its ways lead to traced code? For a computed one, the executor looks. */
static bool stays_inside(struct trace_cursor *c, const struct trace_decoded *d)
{
	uint64_t target = d->insn->target + d->module->bias;

	switch (d->insn->flow) {
	case TRACE_FLOW_COND:
		return cursor_decode(c, d->pc + d->insn->length) && cursor_decode(c, target);
	case TRACE_FLOW_JUMP:
	case TRACE_FLOW_CALL:
		return cursor_decode(c, target);
	case TRACE_FLOW_NONE:
		return cursor_decode(c, d->pc + d->insn->length);
	default:
		return !superblock_read_operand(d->insn);
	}
}

/* ---- what is recorded ---- */

/* Is it computed from general registers alone? */
static bool is_of_registers(const struct ir_block *ir, int32_t temp)
{
	const struct ir_op *op;

	if (temp < 0)
		return true;
	op = &ir->ops[temp];
	if (op->kind == IR_LOAD || !is_superblock_op(ir, op, false))
		return false;
	return is_of_registers(ir, op->a) && is_of_registers(ir, op->b) &&
	       is_of_registers(ir, op->c) && is_of_registers(ir, op->d);
}

static bool is_vector_state(unsigned offset, unsigned width)
{
	return offset >= IR_STATE_YMM && width % 8 == 0 && offset + width / 8 <= IR_STATE_SIZE;
}

/* Is it a part of a vector register, unchanged? */
bool superblock_vector_part(const struct ir_block *ir, int32_t temp, struct superblock_part *out)
{
	const struct ir_op *op = &ir->ops[temp];
	unsigned lowest = 0, width = op->width;

	if (op->kind == IR_EXTRACT) {
		lowest = (unsigned)op->value;
		op = &ir->ops[op->a];
	}
	if (op->kind != IR_GET || !is_vector_state(op->offset, op->width) || lowest % 8 ||
	    width % 8)
		return false;
	*out = (struct superblock_part){ .offset = op->offset + lowest / 8,
					 .size = width / 8,
					 .of_offset = op->offset,
					 .of_size = op->width / 8 };
	return true;
}

static bool is_recorded(const struct trace_insn *insn, unsigned offset, unsigned width)
{
	unsigned vector = (offset - IR_STATE_YMM) / 32, at = (offset - IR_STATE_YMM) % 32;

	if (offset / 8 == IR_STATE_RIP / 8)
		return true;
	if (offset < IR_STATE_CC_OP)
		return insn->out_gpr >> offset / 8 & 1 &&
		       offset / 8 == (offset + width / 8 - 1) / 8;
	if (offset < IR_STATE_DFLAG)
		return insn->out_flags;
	return is_vector_state(offset, width) && insn->out_vec >> vector & 1 &&
	       at + width / 8 <= insn->vec_size;
}

/* An instruction whose results are in the record: only the places that it loads from and stores
 * to are computed. */
static bool is_superblock_recorded(const struct trace_insn *insn, const struct ir_block *ir)
{
	struct superblock_part part;
	unsigned writes = 0, stores = 0;

	for (unsigned i = 0; i < insn->n_mem; i++)
		writes += !!(insn->mem[i].flags & TRACE_MEM_WRITE);
	for (uint32_t i = 0; i < ir->n_ops; i++) {
		const struct ir_op *op = &ir->ops[i];

		if (op->kind == IR_EXIT || op->kind == IR_STOREG || op->kind == IR_LOADG ||
		    (op->kind == IR_PUT && !is_recorded(insn, op->offset, ir->ops[op->a].width)) ||
		    (op->kind == IR_LOAD && !is_of_registers(ir, op->a)))
			return false;
		if (op->kind != IR_STORE)
			continue;
		stores++;
		if (!is_of_registers(ir, op->a) || !superblock_vector_part(ir, op->b, &part))
			return false;
	}
	return stores == writes && insn->flow == TRACE_FLOW_NONE;
}

/* ---- both ---- */

bool superblock_can(struct trace_cursor *c, const struct trace_decoded *d)
{
	const struct trace_insn *insn = d->insn;
	bool plain = insn->flags & TRACE_INSN_PLAIN;

	return !(insn->flags & TRACE_INSN_UNSUPPORTED) && insn->rep == TRACE_REP_NONE &&
	       loads_its_operand(d->ir, insn) &&
	       (plain ? is_superblock_code(d->ir, insn->flow == TRACE_FLOW_COND)
		      : is_superblock_recorded(insn, d->ir)) &&
	       stays_inside(c, d);
}
