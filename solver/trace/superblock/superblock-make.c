/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/trace/superblock/superblock-make.h"

#include "solver/isa/flags.h"
#include "solver/isa/scalar.h"

#include <string.h>

enum { WORDS = IR_STATE_YMM / 8, MOST_SLOTS = 4096, FIXED = 255 };

/* Slot numbers are + 1, so that 0 is none. */
struct builder {
	GArray *ops;   /* struct superblock_op */
	GArray *slots; /* uint64_t: constants */
	GArray *bits;  /* uint8_t: no bit of the slot above this one can be set; FIXED: it is a
			* constant */
	uint16_t words[WORDS];
	bool changed[WORDS];
	uint16_t *temps; /* of the instruction at hand */
	uint32_t n_temps;
	uint16_t insn;
	bool addresses; /* TRACE_ADDRESSES */
};

/* ---- slots ---- */

static uint16_t new_slot(struct builder *b, uint64_t value, uint8_t bits)
{
	g_array_append_val(b->slots, value);
	g_array_append_val(b->bits, bits);
	return (uint16_t)b->slots->len;
}

static bool is_fixed_slot(const struct builder *b, uint16_t slot)
{
	return g_array_index(b->bits, uint8_t, slot - 1) == FIXED;
}

static uint64_t fixed_value(const struct builder *b, uint16_t slot)
{
	return g_array_index(b->slots, uint64_t, slot - 1);
}

static uint16_t fixed_slot(struct builder *b, uint64_t value)
{
	for (uint16_t slot = 1; slot <= b->slots->len; slot++)
		if (is_fixed_slot(b, slot) && fixed_value(b, slot) == value)
			return slot;
	return new_slot(b, value, FIXED);
}

static bool is_same_superblock_op(const struct superblock_op *x, const struct superblock_op *y)
{
	return x->kind == y->kind && x->size == y->size && x->a == y->a && x->b == y->b &&
	       x->c == y->c && x->d == y->d && x->value == y->value;
}

static unsigned bits_of_superblock_op(const struct superblock_op *op)
{
	if (op->kind < SUPERBLOCK_GET)
		return (unsigned)__builtin_popcountll(op->value);
	return op->kind == SUPERBLOCK_LOAD && op->size < 8 ? 8u * op->size : 64;
}

/* The slot of its result. Nothing is computed twice. */
static uint16_t emit_superblock_op(struct builder *b, struct superblock_op op)
{
	for (guint i = 0; op.kind < SUPERBLOCK_PUT && i < b->ops->len; i++) {
		const struct superblock_op *known = &g_array_index(b->ops, struct superblock_op, i);

		if (is_same_superblock_op(known, &op))
			return known->dst;
	}
	op.dst = new_slot(b, 0, (uint8_t)bits_of_superblock_op(&op));
	g_array_append_val(b->ops, op);
	return op.dst;
}

/* ---- registers ---- */

static uint16_t word_of_superblock(struct builder *b, unsigned word)
{
	if (!b->words[word])
		b->words[word] = emit_superblock_op(
			b, (struct superblock_op){ .kind = SUPERBLOCK_GET, .value = 8 * word });
	return b->words[word];
}

static uint16_t part_of_slot(struct builder *b, uint16_t slot, unsigned lowest, unsigned width)
{
	if (lowest == 0 && width >= g_array_index(b->bits, uint8_t, slot - 1))
		return slot;
	if (is_fixed_slot(b, slot))
		return fixed_slot(b, fixed_value(b, slot) >> lowest & scalar_mask(width));
	return emit_superblock_op(b, (struct superblock_op){ .kind = IR_EXTRACT,
							     .a = slot,
							     .c = (uint16_t)lowest,
							     .value = scalar_mask(width) });
}

static void put_superblock_state(struct builder *b, unsigned offset, unsigned width, uint16_t slot)
{
	unsigned word = offset / 8, lowest = 8 * (offset % 8);

	if (width < 64)
		slot = emit_superblock_op(
			b, (struct superblock_op){ .kind = SUPERBLOCK_INSERT,
						   .a = word_of_superblock(b, word),
						   .b = slot,
						   .c = (uint16_t)lowest,
						   .value = scalar_mask(width) << lowest });
	b->words[word] = slot;
	b->changed[word] = true;
}

/* ---- operators ---- */

/* How far the sign of a value of so many bits has to be shifted to stand in the top bit. */
static uint16_t shift_of(unsigned width)
{
	return (uint16_t)(64 - width);
}

static uint16_t fold_superblock_op(struct builder *b, const struct ir_block *ir,
				   const struct ir_op *op)
{
	uint64_t values[3] = { 0 }, out;
	int32_t operands[3] = { op->a, op->b, op->c };

	if (ir_info(op->kind)->group != IR_CLASS_OPERATOR && op->kind != IR_CONST)
		return 0;
	for (unsigned i = 0; i < 3; i++) {
		if (operands[i] < 0)
			continue;
		if (!is_fixed_slot(b, b->temps[operands[i]]))
			return 0;
		values[i] = fixed_value(b, b->temps[operands[i]]);
	}
	if (!scalar_compute(op, op->a < 0 ? 1 : ir->ops[op->a].width,
			    op->b < 0 ? 1 : ir->ops[op->b].width, values[0], values[1], values[2],
			    &out))
		return 0;
	return fixed_slot(b, out);
}

/* Width of the result that the flags are of, when they can be told from a comparison of dep1 with
 * dep2, or (alone) with zero; 0 = they cannot. */
static unsigned width_of_flags(uint64_t cc_op, unsigned condition, bool *alone)
{
	const struct flags_op flags = flags_decode(cc_op);
	const bool sign_or_zero = condition / 2 == 2 || condition / 2 == 4;

	*alone = flags.kind != FLAGS_SUB;
	switch (flags.kind) {
	case FLAGS_SUB:
	case FLAGS_LOGIC:
		return condition / 2 == 0 || condition / 2 == 5 ? 0 : flags.width;
	case FLAGS_INC:
	case FLAGS_DEC:
	case FLAGS_SHL:
	case FLAGS_SHR:
		return sign_or_zero ? flags.width : 0;
	default:
		return 0;
	}
}

/* The comparison that an even condition code (trace.h) stands for. */
static struct superblock_op comparison_of_condition(struct builder *b, unsigned condition,
						    unsigned width, uint16_t x, uint16_t y)
{
	static const uint8_t kinds[8] = { 0, IR_ULT, IR_EQ, IR_ULE, IR_SLT, 0, IR_SLT, IR_SLE };
	struct superblock_op op = { .kind = kinds[condition / 2], .a = x, .b = y, .value = 1 };

	if (condition / 2 == 4) {
		op.a = emit_superblock_op(
			b, (struct superblock_op){
				   .kind = IR_SUB, .a = x, .b = y, .value = scalar_mask(width) });
		op.b = fixed_slot(b, 0);
	}
	if (op.kind == IR_SLT || op.kind == IR_SLE)
		op.c = shift_of(width);
	return op;
}

/* A condition on flags that this superblock sets, as a comparison; 0 = it is none. */
static uint16_t compare_for_condition(struct builder *b, unsigned condition,
				      const struct superblock_op *flags)
{
	bool alone;
	unsigned width = is_fixed_slot(b, flags->a)
				 ? width_of_flags(fixed_value(b, flags->a), condition, &alone)
				 : 0;
	uint16_t x, y, result;

	if (!width)
		return 0;
	x = part_of_slot(b, flags->b, 0, width);
	y = alone ? fixed_slot(b, 0) : part_of_slot(b, flags->c, 0, width);
	result = emit_superblock_op(b, comparison_of_condition(b, condition, width, x, y));
	if (!(condition & 1))
		return result;
	return emit_superblock_op(
		b, (struct superblock_op){
			   .kind = IR_XOR, .a = result, .b = fixed_slot(b, 1), .value = 1 });
}

static uint16_t make_superblock_op(struct builder *b, const struct ir_block *ir,
				   const struct ir_op *op)
{
	uint16_t slot = fold_superblock_op(b, ir, op);
	struct superblock_op f = { .kind = op->kind, .value = scalar_mask(op->width) };

	if (slot)
		return slot;
	f.a = op->a < 0 ? 0 : b->temps[op->a];
	f.b = op->b < 0 ? 0 : b->temps[op->b];
	f.c = op->c < 0 ? 0 : b->temps[op->c];
	f.d = op->d < 0 ? 0 : b->temps[op->d];
	switch (op->kind) {
	case IR_ZEXT:
		return f.a;
	case IR_EXTRACT:
		return part_of_slot(b, f.a, (unsigned)op->value, op->width);
	case IR_SEXT:
	case IR_SLT:
	case IR_SLE:
		f.c = shift_of(ir->ops[op->a].width);
		break;
	case IR_CONCAT:
		f.c = (uint16_t)ir->ops[op->b].width;
		break;
	case IR_SHL:
	case IR_LSHR:
	case IR_ASHR:
		f.c = op->width;
		break;
	case IR_CLZ:
	case IR_CTZ:
	case IR_SDIV:
	case IR_SREM:
		f.c = ir->ops[op->a].width;
		break;
	case IR_COND:
		f.size = (uint8_t)op->value;
		slot = compare_for_condition(b, f.size, &f);
		if (slot)
			return slot;
		break;
	default:
		break;
	}
	return emit_superblock_op(b, f);
}

/* ---- instructions ---- */

static uint16_t take_load(struct builder *b, const struct trace_insn *insn, const struct ir_op *op)
{
	const struct trace_mem *m = superblock_read_operand(insn);
	struct superblock_op load = { .kind = SUPERBLOCK_LOAD,
				      .a = b->temps[op->a],
				      .size = (uint8_t)(op->width / 8),
				      .c = b->insn };

	/* the target of a return: the record tells it */
	if (!m)
		return new_slot(b, 0, 64);
	load.d = (m->flags & TRACE_MEM_KNOWN ? SUPERBLOCK_KNOWN : 0) |
		 (m->flags & TRACE_MEM_MIRRORED ? SUPERBLOCK_MIRRORED : 0) |
		 (b->addresses ? SUPERBLOCK_ADDRESSED : 0);
	return emit_superblock_op(b, load);
}

/* Taken where the slot is 1; where that is a comparison turned round, that is left to the branch.
 */
static struct superblock_op branch_on(struct builder *b, uint16_t slot)
{
	const uint16_t one = fixed_slot(b, 1);
	const struct superblock_op *last =
		b->ops->len ? &g_array_index(b->ops, struct superblock_op, b->ops->len - 1) : NULL;
	const bool turned = last && last->dst == slot && last->kind == IR_XOR && last->b == one;

	return (struct superblock_op){ .kind = SUPERBLOCK_BRANCH,
				       .a = turned ? last->a : slot,
				       .c = turned };
}

static void take_op(struct builder *b, const struct trace_decoded *d, uint32_t i)
{
	const struct ir_op *op = &d->ir->ops[i];
	uint16_t *out = &b->temps[i];

	switch (op->kind) {
	case IR_CONST:
		*out = fixed_slot(b, op->value & scalar_mask(op->width));
		break;
	case IR_GET:
		*out = part_of_slot(b, word_of_superblock(b, op->offset / 8), 8 * (op->offset % 8),
				    op->width);
		break;
	case IR_PUT:
		put_superblock_state(b, op->offset, d->ir->ops[op->a].width, b->temps[op->a]);
		break;
	case IR_LOAD:
		*out = take_load(b, d->insn, op);
		break;
	case IR_STORE:
		emit_superblock_op(b, (struct superblock_op){
					      .kind = SUPERBLOCK_STORE,
					      .a = b->temps[op->a],
					      .b = b->temps[op->b],
					      .d = d->insn->n_mem &&
						   d->insn->mem[0].flags & TRACE_MEM_MIRRORED,
					      .size = (uint8_t)(d->ir->ops[op->b].width / 8) });
		break;
	case IR_EXIT:
		if (d->insn->flags & TRACE_INSN_INFERRED)
			emit_superblock_op(b, branch_on(b, b->temps[op->a]));
		break;
	case IR_NEXT:
		break;
	default:
		*out = make_superblock_op(b, d->ir, op);
		break;
	}
}

/* What the instruction stores of a vector register, unchanged. */
static void take_vector_store(struct builder *b, const struct trace_decoded *d, uint32_t i)
{
	const struct ir_op *op = &d->ir->ops[i];
	struct superblock_part part;

	g_assert(superblock_vector_part(d->ir, op->b, &part));
	emit_superblock_op(b, (struct superblock_op){ .kind = SUPERBLOCK_STORE_VECTOR,
						      .a = b->temps[op->a],
						      .size = (uint8_t)part.size,
						      .c = (uint16_t)part.of_offset,
						      .d = (uint16_t)part.of_size,
						      .value = part.offset });
}

static void need_superblock_temp(const struct ir_block *ir, int32_t temp, bool *needed)
{
	if (temp < 0 || needed[temp])
		return;
	needed[temp] = true;
	need_superblock_temp(ir, ir->ops[temp].a, needed);
	need_superblock_temp(ir, ir->ops[temp].b, needed);
	need_superblock_temp(ir, ir->ops[temp].c, needed);
	need_superblock_temp(ir, ir->ops[temp].d, needed);
}

/* An instruction whose results are recorded: only the places of its loads and stores are
 * computed. */
static void take_accesses(struct builder *b, const struct trace_decoded *d)
{
	g_autofree bool *needed = g_new0(bool, d->ir->n_ops);

	for (uint32_t i = 0; i < d->ir->n_ops; i++)
		if (d->ir->ops[i].kind == IR_LOAD || d->ir->ops[i].kind == IR_STORE)
			need_superblock_temp(d->ir, d->ir->ops[i].a, needed);
	for (uint32_t i = 0; i < d->ir->n_ops; i++) {
		if (d->ir->ops[i].kind == IR_STORE)
			take_vector_store(b, d, i);
		else if (needed[i] || d->ir->ops[i].kind == IR_LOAD)
			take_op(b, d, i);
	}
}

static uint16_t emit_taken_word(struct builder *b)
{
	return emit_superblock_op(b,
				  (struct superblock_op){ .kind = SUPERBLOCK_TAKE, .c = b->insn });
}

static void put_flags(struct builder *b, uint16_t rflags)
{
	struct superblock_op arithmetic = { .kind = IR_AND,
					    .a = rflags,
					    .b = fixed_slot(b, CURSOR_FLAGS_OSZACP),
					    .value = ~UINT64_C(0) };
	struct superblock_op direction = { .kind = IR_ITE,
					   .a = fixed_slot(b, ~UINT64_C(0)),
					   .b = fixed_slot(b, 1),
					   .c = part_of_slot(b, rflags, CURSOR_BIT_D, 1),
					   .value = ~UINT64_C(0) };

	put_superblock_state(b, IR_STATE_CC_OP, 64, fixed_slot(b, IR_CC_OP_COPY));
	put_superblock_state(b, IR_STATE_CC_DEP1, 64, emit_superblock_op(b, arithmetic));
	put_superblock_state(b, IR_STATE_CC_DEP2, 64, fixed_slot(b, 0));
	put_superblock_state(b, IR_STATE_CC_NDEP, 64, fixed_slot(b, 0));
	put_superblock_state(b, IR_STATE_DFLAG, 64, emit_superblock_op(b, direction));
	put_superblock_state(b, IR_STATE_ACFLAG, 64, part_of_slot(b, rflags, CURSOR_BIT_AC, 1));
	put_superblock_state(b, IR_STATE_IDFLAG, 64, part_of_slot(b, rflags, CURSOR_BIT_ID, 1));
}

/* Takes them in the order of the record. */
static void take_results(struct builder *b, const struct trace_insn *insn)
{
	for (unsigned i = 0; i < 16; i++)
		if (insn->out_gpr >> i & 1)
			put_superblock_state(b, 8 * i, 64, emit_taken_word(b));
	if (insn->out_flags)
		put_flags(b, emit_taken_word(b));
	for (unsigned i = 0; i < 32; i++) {
		if (!(insn->out_vec >> i & 1))
			continue;
		if (i < 16)
			emit_superblock_op(
				b, (struct superblock_op){ .kind = SUPERBLOCK_TAKE_VECTOR,
							   .c = b->insn,
							   .size = insn->vec_size,
							   .value = IR_STATE_YMM + 32 * i });
		else
			emit_superblock_op(b, (struct superblock_op){ .kind = SUPERBLOCK_SKIP,
								      .c = b->insn,
								      .value = insn->vec_size });
	}
}

static void take_insn(struct builder *b, const struct trace_decoded *d)
{
	bool plain = d->insn->flags & TRACE_INSN_PLAIN;

	if (b->n_temps < d->ir->n_ops) {
		b->n_temps = d->ir->n_ops;
		b->temps = g_renew(uint16_t, b->temps, b->n_temps);
	}
	for (uint32_t i = 0; plain && i < d->ir->n_ops; i++)
		take_op(b, d, i);
	if (!plain)
		take_accesses(b, d);
	for (unsigned i = 0; b->addresses && i < d->insn->n_mem; i++)
		if (d->insn->mem[i].flags & TRACE_MEM_WRITE)
			emit_superblock_op(b, (struct superblock_op){ .kind = SUPERBLOCK_SKIP,
								      .c = b->insn,
								      .d = 1,
								      .value = 8 });
	if (!plain)
		take_results(b, d->insn);
	b->insn++;
}

/* ---- the whole ---- */

static void put_back_state(struct builder *b)
{
	for (unsigned word = 0; word < WORDS; word++)
		if (b->changed[word] && word != IR_STATE_RIP / 8)
			emit_superblock_op(b, (struct superblock_op){ .kind = SUPERBLOCK_PUT,
								      .a = b->words[word],
								      .value = 8 * word });
}

static bool uses_slots(const struct superblock_op *op, unsigned operand)
{
	switch (op->kind) {
	case IR_COND:
	case IR_FLAGS:
	case IR_FLAGS_C:
		return true;
	case IR_ITE:
		return operand < 3;
	default:
		return operand < 2;
	}
}

static bool has_effect(const struct superblock_op *op)
{
	return op->kind == SUPERBLOCK_PUT || op->kind >= SUPERBLOCK_LOAD;
}

/* Keeps only the operations that lead to an effect. */
static void drop_unused(struct builder *b)
{
	g_autofree bool *used = g_new0(bool, b->slots->len + 1);
	guint kept = b->ops->len;

	for (guint i = b->ops->len; i-- > 0;) {
		struct superblock_op op = g_array_index(b->ops, struct superblock_op, i);
		uint16_t operands[4] = { op.a, op.b, op.c, op.d };

		if (!used[op.dst] && !has_effect(&op))
			continue;
		for (unsigned k = 0; k < 4; k++)
			if (uses_slots(&op, k))
				used[operands[k]] = true;
		g_array_index(b->ops, struct superblock_op, --kept) = op;
	}
	g_array_remove_range(b->ops, 0, kept);
}

static void count_superblock_needs(struct superblock_code *block)
{
	for (uint32_t i = 0; i < block->n_ops; i++) {
		block->n_stores += block->ops[i].kind == SUPERBLOCK_STORE ||
				   block->ops[i].kind == SUPERBLOCK_STORE_VECTOR;
		block->n_loads += block->ops[i].kind == SUPERBLOCK_LOAD;
	}
}

static void set_end(struct superblock_code *block, const struct trace_decoded *last)
{
	static const enum superblock_end ends[] = {
		[TRACE_FLOW_NONE] = SUPERBLOCK_GOES_ON,
		[TRACE_FLOW_COND] = SUPERBLOCK_BRANCHES,
		[TRACE_FLOW_JUMP] = SUPERBLOCK_JUMPS,
		[TRACE_FLOW_CALL] = SUPERBLOCK_JUMPS,
		[TRACE_FLOW_JUMP_IND] = SUPERBLOCK_COMPUTED,
		[TRACE_FLOW_CALL_IND] = SUPERBLOCK_COMPUTED,
		[TRACE_FLOW_RET] = SUPERBLOCK_RETURNS,
	};

	block->end = last->insn->flags & TRACE_INSN_INFERRED ? SUPERBLOCK_INFERS
							     : ends[last->insn->flow];
	block->follows = last->pc + last->insn->length;
	block->target = last->insn->target + last->module->bias;
}

static GArray *insns_from(struct trace_cursor *c, uint64_t pc, unsigned most,
			  superblock_ends_fn *ends, void *arg)
{
	GArray *insns = g_array_new(FALSE, FALSE, sizeof(struct trace_decoded));

	while (insns->len < most) {
		const struct trace_decoded *d = cursor_decode(c, pc);
		struct trace_decoded this;

		if (!d || (insns->len && (ends(pc, arg) || superblock_is_computed(d->insn))))
			break;
		this = *d; /* another superblock will soon stand in d's place */
		if (!superblock_can(c, &this))
			break;
		g_array_append_val(insns, this);
		pc += this.insn->length;
		if (this.insn->flow != TRACE_FLOW_NONE)
			break;
	}
	return insns;
}

struct superblock_code *superblock_code_new(struct trace_cursor *c, uint64_t pc, unsigned most,
					    superblock_ends_fn *ends, void *arg)
{
	GArray *insns = insns_from(c, pc, most, ends, arg);
	struct builder b = { .ops = g_array_new(FALSE, FALSE, sizeof(struct superblock_op)),
			     .slots = g_array_new(FALSE, FALSE, sizeof(uint64_t)),
			     .bits = g_array_new(FALSE, FALSE, sizeof(uint8_t)),
			     .addresses = c->thread->head->flags & TRACE_ADDRESSES };
	struct superblock_code *block = NULL;
	uint64_t none = 0;

	for (guint i = 0; i < insns->len && b.slots->len < MOST_SLOTS; i++)
		take_insn(&b, &g_array_index(insns, struct trace_decoded, i));
	if (b.insn) {
		put_back_state(&b);
		drop_unused(&b);
		block = g_new0(struct superblock_code, 1);
		set_end(block, &g_array_index(insns, struct trace_decoded, b.insn - 1u));
		block->n_insns = b.insn;
		block->n_ops = b.ops->len;
		g_array_prepend_val(b.slots, none);
		block->ops = (struct superblock_op *)(void *)g_array_steal(b.ops, NULL);
		block->slots = (uint64_t *)(void *)g_array_steal(b.slots, NULL);
		block->insns = (struct trace_decoded *)(void *)g_array_steal(insns, NULL);
		count_superblock_needs(block);
	}
	g_array_free(insns, TRUE);
	g_array_free(b.ops, TRUE);
	g_array_free(b.slots, TRUE);
	g_array_free(b.bits, TRUE);
	g_free(b.temps);
	return block;
}

void superblock_code_free(struct superblock_code *b)
{
	if (!b)
		return;
	g_free(b->ops);
	g_free(b->slots);
	g_free(b->insns);
	g_free(b);
}
