/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Carries one instruction out on the symbolic store. */
#include "solver/smt/term/condition.h"
#include "solver/base/machine.h"
#include "solver/formula/library-call.h"
#include "solver/formula/sorted-array.h"
#include "solver/formula/walk-private.h"
#include "solver/library/libm.h"

#include <string.h>

static uint64_t state_key(unsigned offset)
{
	return SYMBOLIC_STATE + offset / 8;
}

static uint64_t state_word(const struct walk *w, unsigned offset)
{
	uint64_t v;

	memcpy(&v, trace_cursor_state(w->cursor) + (offset & ~7u), sizeof(v));
	return v;
}

static term_bits concrete_value(const struct walk *w, int32_t op)
{
	const struct ir_value *v = &w->step->temps[op];

	return (term_bits)v->w[1] << 64 | v->w[0];
}

static unsigned width_of_op(const struct walk *w, int32_t op)
{
	return w->step->ir->ops[op].width;
}

static term_bits cut_result(term_bits v, unsigned width)
{
	return width >= 128 ? v : v & (((term_bits)1 << width) - 1);
}

/* What cannot be expressed gets the value that it had in the run. */
static uint32_t concretize_op(struct walk *w, int32_t op)
{
	unsigned width = width_of_op(w, op);

	if (width > 128 || !w->step->temps[op].known)
		return 0;
	return term_const_wide(w->p, width, cut_result(concrete_value(w, op), width));
}

static bool may_change(struct walk *w, int32_t op)
{
	return op >= 0 && w->terms[op] && walk_is_changeable(w, w->terms[op]);
}

/* Something is lost only if the operands may change. */
static uint32_t give_up_on(struct walk *w, int32_t i)
{
	const struct ir_op *op = &w->step->ir->ops[i];

	if (may_change(w, op->a) || may_change(w, op->b) || may_change(w, op->c))
		walk_concretized(w);
	return concretize_op(w, i);
}

/* The term of an operand; what has none is a constant. */
static uint32_t term_of(struct walk *w, int32_t op)
{
	if (op < 0)
		return 0;
	return w->terms[op] ? w->terms[op] : concretize_op(w, op);
}

/* The register to which a cell of the state belongs; the low word of a vector register counts
 * as one. */
static uint8_t register_of_cell(uint64_t key)
{
	unsigned offset = 8 * (unsigned)(key - SYMBOLIC_STATE);

	return (uint8_t)(offset < IR_STATE_YMM ? offset / 8
					       : TRACE_XMM0 + (offset - IR_STATE_YMM) / 32);
}

/* The part of the cell that the instance computed; above it are zeros, or what a
 * single-precision operation kept. */
static uint32_t computed_part(const struct walk *w, uint64_t key, uint32_t term)
{
	const struct term_node *n = term_node(w->p, term);

	if (n->kind == IR_ZEXT && term_width(w->p, n->a) % 8 == 0)
		return n->a;
	if (n->kind == IR_CONCAT && register_of_cell(key) >= TRACE_XMM0 &&
	    term_width(w->p, n->b) == 32)
		return n->b;
	return term;
}

/* Is it what a comparison gave, 0 or 1? */
static bool gives_truth_value(const struct walk *w, uint32_t term)
{
	const struct term_node *n = term_node(w->p, term);

	while (n->kind == IR_ZEXT) {
		term = n->a;
		n = term_node(w->p, term);
	}
	return term_width(w->p, term) == 1;
}

/* What main returns is a status, which another comparison may give, but also any number. */
static bool is_of_main(const struct image_statement *s)
{
	return s && s->function && strcmp(s->function, "main") == 0;
}

static uint32_t define_register(struct walk *w, uint64_t key, struct cell c)
{
	static const struct image_type truth = { .kind = IMAGE_TYPE_BOOL };
	const struct instance *in = &g_array_index(w->instances, struct instance, c.instance);
	uint32_t raw = computed_part(w, key, c.term);
	unsigned width = term_width(w->p, raw);
	uint32_t above = width < 64 ? term_extract(w->p, c.term, width, 64 - width) : 0;
	struct definition *d =
		walk_define(w, DEF_REGISTER, width, raw, in->selector, walk_actual(w, raw));

	d->reg = register_of_cell(key);
	d->size = (uint8_t)(width / 8);
	d->statement = in->statement;
	d->instance = c.instance;
	d->reach = in->reach;
	d->pc = in->pc;
	d->rbp = in->rbp;
	d->rsp = in->rsp;
	/* what reads it may come much later */
	d->step = in->last;
	if (d->reg >= TRACE_XMM0)
		walk_forbid_overflow_of_float(w, d);
	else if (gives_truth_value(w, raw) && !is_of_main(in->statement))
		walk_keep_to_names(w, d, &truth);
	return above ? term_concat(w->p, above, d->variable) : d->variable;
}

/* Another instance reads a pending register.  From here on its value is a variable, for which
 * its statement may be relaxed. */
static uint32_t soften_register(struct walk *w, uint64_t key, struct cell c)
{
	struct pending_key name = { key, c.instance, c.term };
	gpointer old = g_hash_table_lookup(w->softened, &name);

	if (!old) {
		old = GUINT_TO_POINTER(define_register(w, key, c));
		g_hash_table_insert(w->softened, g_memdup2(&name, sizeof(name)), old);
	}
	c.term = GPOINTER_TO_UINT(old);
	c.pending = false;
	symbolic_set(w->memory, key, c);
	return c.term;
}

uint32_t exec_settle(struct walk *w, uint64_t key, struct cell c)
{
	return c.pending ? soften_register(w, key, c) : c.term;
}

static uint32_t state_cell(struct walk *w, unsigned offset)
{
	uint64_t key = state_key(offset);
	struct cell c = symbolic_get(w->memory, key);

	if (!c.term)
		return 0;
	return c.pending && c.instance != w->instance ? soften_register(w, key, c) : c.term;
}

uint32_t exec_register(struct walk *w, unsigned reg)
{
	return state_cell(w, 8 * reg);
}

static uint32_t get_symbolic_state(struct walk *w, const struct ir_op *op)
{
	unsigned low = op->offset % 8 * 8;
	uint32_t whole = state_cell(w, op->offset);

	if (!whole || op->width > 128)
		return 0;
	if (op->width <= 64)
		return low + op->width <= 64 ? term_extract(w->p, whole, low, op->width) : 0;
	uint32_t high = state_cell(w, op->offset + 8u);

	return high ? term_extract(w->p, term_concat(w->p, high, whole), 0, op->width) : 0;
}

/* Stack and frame addresses, and pointers into the program itself.  No statement computes them;
 * the compiler chose where to put things. */
static bool is_layout(const struct walk *w, uint32_t term)
{
	uint64_t v, sp = trace_cursor_reg(w->cursor, TRACE_RSP);
	const uint64_t near_stack = MAIN_STACK_BYTES;

	if (!term_is_const(w->p, term, &v) || term_width(w->p, term) != 64)
		return false;
	return v - (sp - near_stack) < 2 * near_stack ||
	       trace_run_module_at(w->step_run, v, NULL) != NULL;
}

static bool may_be_relaxed(const struct walk *w, uint32_t term)
{
	return w->info->selector != SELECTOR_HARD && !is_layout(w, term) &&
	       !walk_is_received(w, term);
}

/* scalar: it is everything that matters in a vector register. */
static void set_state(struct walk *w, unsigned offset, uint32_t term, bool scalar)
{
	bool general = offset < 8 * 16 && offset / 8 != TRACE_RSP;
	bool floating = scalar && offset >= IR_STATE_YMM && (offset - IR_STATE_YMM) % 32 < 8;
	struct cell c = { term, w->instance, false };

	c.pending = (general || floating) && !w->info->restores && may_be_relaxed(w, term);
	symbolic_set(w->memory, state_key(offset), c);
}

/* One 8-byte cell's worth of a PUT. */
static void put_state_word(struct walk *w, unsigned offset, unsigned width, uint32_t value)
{
	unsigned low = offset % 8 * 8;
	uint32_t old, term = value;

	if (width < 64) {
		old = state_cell(w, offset);
		if (!old)
			old = term_const(w->p, 64, state_word(w, offset));
		if (low)
			term = term_concat(w->p, term, term_extract(w->p, old, 0, low));
		if (low + width < 64)
			term = term_concat(
				w->p, term_extract(w->p, old, low + width, 64 - low - width), term);
	}
	set_state(w, offset, term, true);
}

static void put_symbolic_state(struct walk *w, const struct ir_op *op)
{
	unsigned width = width_of_op(w, op->a);
	uint32_t value = term_of(w, op->a);
	const struct ir_value *v = &w->step->temps[op->a];
	uint32_t words[4];

	if (op->offset >= IR_STATE_OTHER)
		return;
	if (width <= 64) {
		put_state_word(w, op->offset, width,
			       value ? value : term_const(w->p, width, v->w[0]));
		return;
	}
	for (unsigned i = 0; i < width / 64; i++)
		words[i] = value ? term_extract(w->p, value, 64 * i, 64)
				 : term_const(w->p, 64, v->w[i]);
	for (unsigned i = 0; i < width / 64; i++)
		set_state(w, op->offset + 8 * i, words[i], term_is_const(w->p, words[1], NULL));
}

static bool condition_thunk_of(struct walk *w, const struct ir_op *op, struct condition_thunk *t)
{
	if (!term_is_const(w->p, term_of(w, op->a), &t->cc_op))
		return false;
	t->dep1 = term_of(w, op->b);
	t->dep2 = term_of(w, op->c);
	t->ndep = term_of(w, op->d);
	return t->dep1 && t->dep2 && t->ndep;
}

/* A value that is compared as a signed value is one. */
static void record_comparison(struct walk *w, unsigned condition, const struct condition_thunk *t)
{
	uint32_t values[2];

	if (!condition_compares_signed(w->p, condition, t, values))
		return;
	walk_forbid_overflow(w, values[0]);
	walk_forbid_overflow(w, values[1]);
}

static uint32_t flags_op(struct walk *w, const struct ir_op *op)
{
	struct condition_thunk t;

	if (!condition_thunk_of(w, op, &t))
		return 0;
	if (op->kind == IR_COND) {
		record_comparison(w, (unsigned)op->value, &t);
		return condition_holds(w->p, (unsigned)op->value, &t);
	}
	return op->kind == IR_FLAGS_C ? condition_carry(w->p, &t) : condition_flags(w->p, &t);
}

/* When a divisor becomes zero, the program crashes. */
static void forbid_zero(struct walk *w, uint32_t divisor)
{
	uint32_t zero = term_const_wide(w->p, term_width(w->p, divisor), 0);

	if (walk_is_changeable(w, divisor))
		walk_require(w, term_not(w->p, term_eq(w->p, divisor, zero)), false);
}

/* Terms know one rounding mode.  In another mode, values stay those of the run. */
static bool rounds_to_nearest(const struct walk *w)
{
	return trace_cursor_state_known(w->cursor, IR_STATE_SSEROUND, 1) &&
	       (state_word(w, IR_STATE_SSEROUND) & 3) == 0;
}

static uint32_t operator_term(struct walk *w, int32_t i)
{
	const struct ir_op *op = &w->step->ir->ops[i];
	uint32_t a = term_of(w, op->a), b = term_of(w, op->b), c = term_of(w, op->c);

	if (op->width > 128 || !a || (op->b >= 0 && !b) || (op->c >= 0 && !c))
		return 0;
	if (op->kind == IR_FP && ir_fp_rounds(op->value) && !rounds_to_nearest(w))
		return 0;
	if (ir_has(op->kind, IR_HAS_DIVISION))
		forbid_zero(w, b);
	w->f->has_floats |= op->kind == IR_FP && (may_change(w, op->a) || may_change(w, op->b));
	return term_op(w->p, op->kind, op->width, a, b, c, op->value);
}

static uint32_t load_memory(struct walk *w, const struct ir_op *op)
{
	if (op->width > 128)
		return 0;
	return memory_load(w, op->a, term_of(w, op->a), op->width / 8);
}

static void store_symbolically(struct walk *w, const struct ir_op *op)
{
	unsigned width = width_of_op(w, op->b);
	uint32_t value = term_of(w, op->b);
	const struct ir_value *v = &w->step->temps[op->b];

	if (!value && width <= 64)
		value = term_const(w->p, width, v->w[0]);
	if (value)
		memory_store(w, op->a, term_of(w, op->a), value, width / 8);
	else
		memory_store_words(w, op->a, v->w, width / 64);
}

static uint32_t value_of_op(struct walk *w, int32_t i)
{
	const struct ir_op *op = &w->step->ir->ops[i];

	if (ir_is_operator(op->kind))
		return operator_term(w, i);
	switch (op->kind) {
	case IR_CONST:
		return concretize_op(w, i);
	case IR_GET:
		return get_symbolic_state(w, op);
	case IR_LOAD:
		return load_memory(w, op);
	case IR_LOADG:
		return concrete_value(w, op->c) & 1 ? load_memory(w, op) : term_of(w, op->b);
	case IR_COND:
	case IR_FLAGS_C:
	case IR_FLAGS:
		return flags_op(w, op);
	default:
		return 0;
	}
}

/* The jump that an IR_EXIT makes is the taken side, or the other one. */
static void leave_on(struct walk *w, const struct ir_op *op)
{
	const struct trace_insn *insn = w->step->insn;
	uint32_t condition = term_of(w, op->a);

	if (insn->flow != TRACE_FLOW_COND || !condition)
		return;
	bool to_target = op->value == insn->target + w->step->module->bias;

	w->predicate = to_target ? condition : term_not(w->p, condition);
}

static void run_op(struct walk *w, int32_t i)
{
	const struct ir_op *op = &w->step->ir->ops[i];

	switch (op->kind) {
	case IR_PUT:
		put_symbolic_state(w, op);
		return;
	case IR_STORE:
		store_symbolically(w, op);
		return;
	case IR_STOREG:
		if (concrete_value(w, op->c) & 1)
			store_symbolically(w, op);
		return;
	case IR_EXIT:
		leave_on(w, op);
		return;
	case IR_NEXT: {
		uint32_t t = term_of(w, op->a);

		w->target = t && !term_is_const(w->p, t, NULL) ? t : 0;
		return;
	}
	default:
		w->terms[i] = value_of_op(w, i);
		if (!w->terms[i] && op->kind != IR_CONST && op->width && op->width <= 128)
			w->terms[i] = give_up_on(w, i);
	}
}

static void take_flags(struct walk *w)
{
	for (unsigned o = IR_STATE_CC_OP; o <= IR_STATE_DFLAG; o += 8)
		symbolic_set(w->memory, state_key(o),
			     (struct cell){ term_const(w->p, 64, state_word(w, o)), w->instance,
					    false });
}

/* The IR does not tell these register outputs, so they are taken from the record. */
static void take_recorded_outputs(struct walk *w)
{
	const struct trace_insn *insn = w->step->insn;

	for (unsigned r = 0; r < 16; r++)
		if (insn->out_gpr & 1u << r)
			set_state(w, 8 * r, term_const(w->p, 64, state_word(w, 8 * r)), true);
	for (unsigned v = 0; v < 16; v++)
		for (unsigned i = 0; insn->out_vec & 1u << v && i < 4; i++)
			set_state(
				w, IR_STATE_YMM + 32 * v + 8 * i,
				term_const(w->p, 64, state_word(w, IR_STATE_YMM + 32 * v + 8 * i)),
				false);
	if (insn->out_flags)
		take_flags(w);
	if (insn->out_gpr || insn->out_vec)
		walk_concretized(w);
}

static void set_input(struct walk *w, unsigned reg)
{
	uint64_t v = state_word(w, 8 * reg);
	struct definition *d =
		walk_define(w, DEF_INPUT, 64, term_const(w->p, 64, v), SELECTOR_HARD, v);

	d->reg = (uint8_t)reg;
	d->statement = w->info ? w->info->statement : NULL;
	symbolic_set(w->memory, state_key(8 * reg),
		     (struct cell){ d->variable, w->instance, false });
}

void exec_enter(struct walk *w, bool from_outside)
{
	const uint32_t caller_saved = 0xfc7; /* rax rcx rdx rsi rdi r8 … r11 */

	for (unsigned r = 0; r < 16; r++) {
		bool same = symbolic_get(w->memory, state_key(8 * r)).term &&
			    trace_cursor_reg(w->cursor, r) == w->before[r];

		if (r == TRACE_RSP || (!same && !(caller_saved & 1u << r)))
			symbolic_set(w->memory, state_key(8 * r),
				     (struct cell){ term_const(w->p, 64, state_word(w, 8 * r)),
						    w->instance, false });
		else if (caller_saved & 1u << r && (from_outside || !same))
			set_input(w, r);
	}
	for (unsigned o = IR_STATE_YMM; o < IR_STATE_YMM + 8 * 32; o += 8)
		symbolic_set(w->memory, state_key(o),
			     (struct cell){ term_const(w->p, 64, state_word(w, o)), w->instance,
					    false });
	take_flags(w);
}

uint32_t exec_vector(struct walk *w, unsigned number)
{
	return state_cell(w, IR_STATE_YMM + 32 * number);
}

/* The lowest bits of a vector register. */
static uint32_t scalar_argument(struct walk *w, unsigned number, unsigned width)
{
	uint32_t whole = state_cell(w, IR_STATE_YMM + 32 * number);

	return whole ? term_extract(w->p, whole, 0, width) : 0;
}

/* What a function of libm returns for arguments that may change, as a term.  0 for all other
 * calls, and when this machine's library computes something else than the run showed. */
static uint32_t result_of_call(struct walk *w, const struct trace_step *st)
{
	struct libm_function f;
	uint32_t a, b = 0, term;

	if (st->enter.why != TRACE_WHY_RETURN || !libm_find(st->native_name, &f))
		return 0;
	a = scalar_argument(w, 0, f.width);
	if (f.arguments > 1)
		b = scalar_argument(w, 1, f.width);
	if (!a || (f.arguments > 1 && !b) ||
	    !(walk_is_changeable(w, a) || (b && walk_is_changeable(w, b))))
		return 0;
	term = term_op(w->p, IR_FP, f.width, a, b, 0, IR_FP_CALL + f.number);
	if (!rounds_to_nearest(w) ||
	    walk_actual(w, term) != cut_result(state_word(w, IR_STATE_YMM), f.width)) {
		walk_concretized(w);
		return 0;
	}
	return term;
}

static void come_back(struct walk *w, const struct trace_step *st)
{
	uint32_t result = result_of_call(w, st), number = library_call(w), above;
	unsigned width = result ? term_width(w->p, result) : 64;

	sorted_array_step(w);
	exec_enter(w, true);
	if (number)
		symbolic_set(w->memory, state_key(8 * TRACE_RAX),
			     (struct cell){ number, w->instance, false });
	if (!result)
		return;
	if (width < 64) {
		above = term_const(w->p, 64 - width, state_word(w, IR_STATE_YMM) >> width);
		result = term_concat(w->p, above, result);
	}
	symbolic_set(w->memory, state_key(IR_STATE_YMM),
		     (struct cell){ result, w->instance, false });
}

void exec_step(struct walk *w)
{
	const struct trace_step *st = w->step;

	if (st->ir->n_ops > w->n_terms) {
		w->n_terms = st->ir->n_ops;
		w->terms = g_renew(uint32_t, w->terms, w->n_terms);
	}
	w->predicate = w->target = 0;
	for (uint32_t i = 0; i < st->n_ran; i++) {
		w->terms[i] = 0;
		run_op(w, (int32_t)i);
	}
	if (st->patched && (!st->ir->complete || st->differs))
		take_recorded_outputs(w);
	if (st->exit_kind == TRACE_EXIT_NATIVE)
		come_back(w, st);
}
