/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/trace/operands.h"
#include "solver/isa/insn.h"

#include <string.h>

struct operand {
	uint64_t of; /* a load's size, or 64 + the offset in the guest's state */
	uint64_t value;
	uint8_t loaded; /* the register that holds it, TRACE_REG_NONE */
	bool dropped;	/* it is an address */
};

/* What was used since control came to the line. */
struct stretch {
	const char *file;
	unsigned line;
	GArray *operands; /* struct operand */
	uint8_t written[IR_STATE_SIZE];
};

struct counted {
	const struct trace_action *action;
	uint32_t module;
	uint64_t addr, count;
};

static void start_stretch(struct stretch *s, const struct image_statement *at)
{
	s->file = at ? at->file : NULL;
	s->line = at ? at->line : 0;
	g_array_set_size(s->operands, 0);
	memset(s->written, 0, sizeof s->written);
}

static const struct image_statement *statement_of_step(const struct trace_step *step)
{
	const struct image_row *row =
		step->module ? image_row_at(step->module->image, step->insn->addr) : NULL;

	return row ? image_statement(step->module->image, row->statement) : NULL;
}

static bool is_address_register(const struct trace_insn *insn, unsigned reg)
{
	for (unsigned i = 0; i < insn->n_mem; i++)
		if (insn->mem[i].base == reg)
			return true;
	return reg == TRACE_RSP || reg == TRACE_RBP;
}

/* It turns out that what was loaded was a pointer. */
static void drop_pointers(struct stretch *s, const struct trace_insn *insn)
{
	for (unsigned i = 0; i < insn->n_mem; i++) {
		for (guint k = s->operands->len; k > 0; k--) {
			struct operand *o = &g_array_index(s->operands, struct operand, k - 1);

			if (o->loaded == TRACE_REG_NONE || o->loaded != insn->mem[i].base)
				continue;
			o->dropped = true;
			break;
		}
	}
}

/* The registers that it reads and that nothing has written since control came to the line. */
static void add_registers(struct stretch *s, const struct trace_step *step)
{
	for (uint32_t i = 0; i < step->n_ran && i < step->ir->n_ops; i++) {
		const struct ir_op *op = &step->ir->ops[i];
		struct operand o = { 64u + op->offset, step->temps[i].w[0], TRACE_REG_NONE, false };

		if (op->kind == IR_PUT)
			memset(s->written + op->offset, 1,
			       MIN((op->width + 7u) / 8, sizeof s->written - op->offset));
		if (op->kind != IR_GET || op->offset >= IR_STATE_SIZE || s->written[op->offset] ||
		    (op->offset >= IR_STATE_DFLAG && op->offset < IR_STATE_YMM) ||
		    (op->offset < IR_STATE_CC_OP &&
		     is_address_register(step->insn, op->offset / 8)))
			continue;
		g_array_append_val(s->operands, o);
	}
}

static void forget_register(struct stretch *s, uint16_t written)
{
	for (guint k = 0; k < s->operands->len; k++) {
		struct operand *o = &g_array_index(s->operands, struct operand, k);

		if (o->loaded != TRACE_REG_NONE && written >> o->loaded & 1)
			o->loaded = TRACE_REG_NONE;
	}
}

static void add_loads(struct stretch *s, const struct trace_step *step)
{
	forget_register(s, step->insn->out_gpr);
	for (unsigned i = 0; i < step->n_reads; i++) {
		const struct trace_read *r = &step->reads[i];
		struct operand o = { .of = r->size, .loaded = step->insn->load_reg };

		memcpy(&o.value, r->bytes, MIN(r->size, sizeof o.value));
		g_array_append_val(s->operands, o);
	}
}

static GBytes *bytes_of_operands(const struct stretch *s)
{
	GByteArray *all = g_byte_array_new();

	for (guint i = 0; i < s->operands->len; i++) {
		const struct operand *o = &g_array_index(s->operands, struct operand, i);

		if (o->dropped)
			continue;
		g_byte_array_append(all, (const guint8 *)&o->of, sizeof o->of);
		g_byte_array_append(all, (const guint8 *)&o->value, sizeof o->value);
	}
	return g_byte_array_free_to_bytes(all);
}

/* Where it stores. The registers are those after the instruction; a store does not change them. */
static uint64_t address_stored_to(const struct trace_cursor *c, const struct trace_step *step)
{
	const struct trace_insn *insn = step->insn;
	uint64_t regs[16];

	for (unsigned i = 0; i < 16; i++)
		regs[i] = trace_cursor_reg(c, (enum trace_reg)i);
	for (unsigned i = 0; i < insn->n_mem; i++)
		if (insn->mem[i].flags & TRACE_MEM_WRITE)
			return insn_address(&insn->mem[i], regs, step->module->bias, 0, 0);
	return 0;
}

static struct counted *counted_at(GArray *all, uint32_t module, uint64_t addr)
{
	for (guint i = 0; i < all->len; i++) {
		struct counted *c = &g_array_index(all, struct counted, i);

		if (c->module == module && c->addr == addr)
			return c;
	}
	return NULL;
}

static GArray *named_by(const struct trace_action *actions, size_t n)
{
	GArray *all = g_array_new(FALSE, FALSE, sizeof(struct counted));

	for (size_t i = 0; i < n; i++) {
		struct counted c = { &actions[i], actions[i].module, actions[i].addr, 0 };

		if (!counted_at(all, c.module, c.addr))
			g_array_append_val(all, c);
	}
	return all;
}

static uint64_t value_after_action(const struct trace_cursor *c, const struct trace_action *a,
				   uint64_t where)
{
	uint64_t value = 0;
	unsigned size = MIN(a->size, sizeof value);

	if (a->kind == TRACE_ACTION_REG && a->reg < TRACE_RFLAGS)
		value = trace_cursor_reg(c, (enum trace_reg)a->reg);
	else if (a->kind == TRACE_ACTION_MEM)
		trace_cursor_read(c, where, size, (uint8_t *)&value);
	return size && size < sizeof value ? value & ((1ull << 8 * size) - 1) : value;
}

static void instance_clear(gpointer p)
{
	g_bytes_unref(((struct operand_instance *)p)->operands);
}

static void note_stretch_operands(GArray *out, GArray *wanted, const struct stretch *s,
				  const struct trace_cursor *c, const struct trace_run *run,
				  const struct trace_step *step, uint64_t most)
{
	struct operand_instance i = { .module = trace_run_module_number(run, step->module),
				      .addr = step->insn->addr };
	struct counted *of = counted_at(wanted, i.module, i.addr);

	if (!of || ++of->count > most)
		return;
	i.nth = of->count;
	i.operands = bytes_of_operands(s);
	i.where = address_stored_to(c, step);
	i.value = value_after_action(c, of->action, i.where);
	g_array_append_val(out, i);
}

GArray *operands_of(struct trace_run *run, struct lift *lift, const struct trace_action *actions,
		    size_t n, uint64_t most, GError **error)
{
	struct trace_cursor *c = trace_cursor_new(run, trace_run_chosen(run), lift);
	g_autoptr(GArray) wanted = named_by(actions, n);
	GArray *out = g_array_new(FALSE, FALSE, sizeof(struct operand_instance));
	struct stretch s = { .operands = g_array_new(FALSE, FALSE, sizeof(struct operand)) };
	struct trace_step step;
	bool anew = true;
	int more;

	g_array_set_clear_func(out, instance_clear);
	while ((more = trace_cursor_step(c, &step, error)) > 0) {
		const struct image_statement *at = statement_of_step(&step);

		if (anew || !at || at->line != s.line || at->file != s.file)
			start_stretch(&s, at);
		drop_pointers(&s, step.insn);
		add_registers(&s, &step);
		add_loads(&s, &step);
		note_stretch_operands(out, wanted, &s, c, run, &step, most);
		anew = step.insn->flow == TRACE_FLOW_CALL ||
		       step.insn->flow == TRACE_FLOW_CALL_IND || step.insn->flow == TRACE_FLOW_RET;
	}
	trace_cursor_free(c);
	g_array_unref(s.operands);
	if (more < 0)
		g_clear_pointer(&out, g_array_unref);
	return out;
}
