/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run that a signal ended where it could not go on: what it would have taken to
 * go on there.  What comes after that no run of the formula has seen, unless
 * another walker goes on; so it is a side that no run took, and the requirement is
 * only that the instruction, or the call, does not fail:
 *
 *     n->value   with n == NULL   the address is one that the instruction had
 *                                 before, or the same offset in a heap block
 *     a[i]       outside of a     the address is within a
 *     sum / n    with n == 0      the divisor is not 0
 *     strlen(s)  with s == NULL   the argument is another one
 */
#include "solver/library/library.h"
#include "solver/base/machine.h"
#include "solver/formula/requirement.h"
#include "solver/formula/run-walker.h"
#include "solver/formula/walk-private.h"
#include "solver/isa/eval.h"
#include "solver/isa/insn.h"
#include "solver/source/source.h"

#include <signal.h>
#include <string.h>

/* The signals that end a program where it cannot go on, not by someone else's will. */
static bool crash_fails_by(const struct requirement_end *end)
{
	int signo = end->signo;

	return end->end == RUN_SIGNAL && (signo == SIGSEGV || signo == SIGBUS || signo == SIGFPE ||
					  signo == SIGILL || signo == SIGABRT || signo == SIGTRAP);
}

/* Has a signal ended the walker at its step? */
static bool has_crashed_at_step(const struct run_walker *l)
{
	if (l->ended)
		return l->step.exit_kind == TRACE_EXIT_CUT && l->step.insn;
	return l->step.exit_kind == TRACE_EXIT_AWAY && !library_fails(l->step.native_name);
}

/* What it would have taken to go on is asked for only where the test itself crashes; a run that
 * was changed may also crash. */
static bool crash_ends_run(const struct walk *w, const struct run_walker *l,
			   enum requirement_point point)
{
	if (!l->run->failed || point == REQUIREMENT_BEFORE_STEP)
		return false;
	if (point == REQUIREMENT_AT_STEP)
		return w->options->requirement->kind == &requirement_crash &&
		       has_crashed_at_step(l);
	return l->step.exit_kind == TRACE_EXIT_CUT || l->step.exit_kind == TRACE_EXIT_AWAY;
}

/* ---- what the instruction did not do ---- */

struct reading {
	struct eval_memory memory; /* first */
	const struct walk *w;
};

static bool read_memory_at_crash(struct eval_memory *m, uint64_t address, unsigned size,
				 uint8_t *out)
{
	return trace_cursor_read(((struct reading *)m)->w->cursor, address, size, out);
}

static void write_nothing(struct eval_memory *m, uint64_t address, unsigned size,
			  const uint8_t *bytes, bool known)
{
	(void)m, (void)address, (void)size, (void)bytes, (void)known;
}

/* The values of its operations, as far as they are known; caller frees. */
static struct ir_value *evaluate_crashed_insn(const struct walk *w, const struct ir_block *ir)
{
	struct reading r = { { read_memory_at_crash, write_nothing }, w };
	struct ir_value *temps = g_new0(struct ir_value, MAX(ir->n_ops, 1));
	struct eval_state state;

	memcpy(state.bytes, trace_cursor_state(w->cursor), sizeof(state.bytes));
	for (unsigned i = 0; i < IR_STATE_SIZE; i++)
		state.known[i] = trace_cursor_state_known(w->cursor, i, 1) ? 0xff : 0;
	ir_eval(ir, &state, &r.memory, temps);
	return temps;
}

static bool is_near_the_stack(const struct walk *w, uint64_t at)
{
	uint64_t sp = w->before[TRACE_RSP];

	return at - (sp - w->f->limits->stack_bytes) < 2 * w->f->limits->stack_bytes;
}

static bool is_in_a_block(const struct walk *w, uint64_t at)
{
	for (guint i = 0; i < w->blocks->len; i++) {
		const struct object *o = &g_array_index(w->blocks, struct object, i);

		if (at >= o->lo && at < o->hi)
			return true;
	}
	return false;
}

/* Does the address belong to data of an image that nothing may be stored to? */
static bool is_constant_memory(const struct walk *w, uint64_t at)
{
	uint64_t link;
	const struct trace_module *m = trace_run_module_at(w->step_run, at, &link);
	bool writable = false;
	uint8_t byte;

	return m && !(image_initial(m->image, link, 1, &byte, &writable) && writable);
}

/* Variables are not asked for: debug information says of some that they are where the
 * access went. */
static bool is_accessible(const struct walk *w, uint64_t at, unsigned bytes, bool stores)
{
	uint8_t out[64];

	if (at < LOWEST_MAPPED_ADDRESS || (stores && is_constant_memory(w, at)))
		return false;
	return is_near_the_stack(w, at) || trace_run_module_at(w->step_run, at, NULL) ||
	       (bytes <= sizeof(out) && trace_cursor_read(w->cursor, at, bytes, out)) ||
	       is_in_a_block(w, at);
}

static unsigned size_of_access(const struct ir_block *ir, const struct ir_op *op)
{
	bool loads = ir_has(op->kind, IR_HAS_LOAD);

	return (loads ? op->width : ir->ops[op->b].width) / 8u;
}

static bool is_store_kind(unsigned kind)
{
	return ir_has(kind, IR_HAS_STORE);
}

static bool is_access(unsigned kind)
{
	return ir_has(kind, IR_HAS_LOAD) || is_store_kind(kind);
}

/* The operation that failed; -1: it is not known which. */
static int32_t failed_op(struct walk *w, const struct ir_block *ir, const struct ir_value *temps)
{
	for (uint32_t i = 0; i < ir->n_ops; i++) {
		const struct ir_op *op = &ir->ops[i];

		if (ir_has(op->kind, IR_HAS_DIVISION) && temps[op->b].known && !temps[op->b].w[0])
			return (int32_t)i;
		if (is_access(op->kind) && temps[op->a].known &&
		    !is_accessible(w, temps[op->a].w[0], size_of_access(ir, op),
				   is_store_kind(op->kind)))
			return (int32_t)i;
	}
	return -1;
}

/* ---- where it might have gone ---- */

static uint32_t term_equals_number(struct walk *w, uint32_t term, uint64_t value)
{
	return term_eq(w->p, term, term_const_wide(w->p, term_width(w->p, term), value));
}

/* Any of the blocks of the heap, at that offset. */
static uint32_t in_a_block(struct walk *w, uint32_t address, uint64_t offset, unsigned bytes)
{
	uint32_t any = term_false(w->p);

	if (w->blocks->len > w->f->limits->crash_places)
		limits_reached(w->f->limits, LIMIT_crash_places);
	for (guint i = 0; i < w->blocks->len && i < w->f->limits->crash_places; i++) {
		const struct object *o = &g_array_index(w->blocks, struct object, i);

		if (o->hi - o->lo >= offset + bytes)
			any = term_or(w->p, any, term_equals_number(w, address, o->lo + offset));
	}
	return any;
}

static const struct trace_mem *operand_at(const struct walk *w, const uint64_t *regs, uint64_t at)
{
	const struct trace_insn *insn = w->step->insn;
	const struct trace_head *head = trace_run_head(w->step_run, trace_run_chosen(w->step_run));

	for (unsigned i = 0; i < insn->n_mem; i++)
		if (insn_address(&insn->mem[i], regs, w->step->module->bias, head->fs_base,
				 head->gs_base) == at)
			return &insn->mem[i];
	return NULL;
}

/* Where the instruction went before, in the failing run. */
static uint32_t where_it_went(struct walk *w, uint32_t address, uint64_t at)
{
	const struct trace_mem *m = operand_at(w, w->before, at);
	const struct trace_head *head = trace_run_head(w->step_run, trace_run_chosen(w->step_run));
	const GArray *ends = trace_summary_ends(w->options->summary, w->step->pc);
	uint32_t any = term_false(w->p);

	for (guint i = 0; m && i < ends->len; i++) {
		const struct trace_summary_end *e =
			&g_array_index(ends, struct trace_summary_end, i);
		uint64_t there = insn_address(m, e->regs, w->step->module->bias, head->fs_base,
					      head->gs_base);

		if (there != at)
			any = term_or(w->p, any, term_equals_number(w, address, there));
	}
	return any;
}

/* Elements lie at multiples of their size. */
static uint32_t is_aligned(struct walk *w, uint32_t address, uint64_t lo, unsigned bytes)
{
	unsigned bits = 0;

	while (bits < 3 && bytes >> (bits + 1))
		bits++;
	return bits ? term_equals_number(w, term_extract(w->p, address, 0, bits), lo)
		    : term_true(w->p);
}

static uint32_t in_object(struct walk *w, uint32_t address, uint64_t base, unsigned bytes)
{
	uint32_t inside;
	uint64_t lo, hi;

	if (base < LOWEST_MAPPED_ADDRESS || !memory_object_around(w, base, 1, &lo, &hi) ||
	    hi - lo < bytes)
		return term_false(w->p);
	inside = term_and(w->p, term_op2(w->p, IR_ULE, term_const(w->p, 64, lo), address),
			  term_op2(w->p, IR_ULE, address, term_const(w->p, 64, hi - bytes)));
	return term_and(w->p, inside, is_aligned(w, address, lo, bytes));
}

/* The definition of a variable that the line at hand left in a register for itself, or
 * NULL. */
static struct definition *own_definition(const struct walk *w, uint32_t term)
{
	const struct term_node *n = term_node(w->p, term);
	const struct image_statement *here = w->info->statement;
	struct definition *d = n->kind == TERM_VAR
				       ? &g_array_index(w->f->definitions, struct definition, n->a)
				       : NULL;

	return d && d->kind == DEF_REGISTER && here && d->statement &&
			       d->rsp == w->before[TRACE_RSP] && d->statement->line == here->line &&
			       strcmp(d->statement->file, here->file) == 0
		       ? d
		       : NULL;
}

struct hardening {
	struct walk *w;
	GHashTable *seen;
};

/* What fails must not mend itself. */
static void harden_definition(void *arg, uint32_t variable)
{
	struct hardening *h = arg;
	struct definition *d = own_definition(h->w, variable);

	if (!d)
		return;
	d->selector = SELECTOR_HARD;
	term_variables(h->w->p, d->expr, h->seen, harden_definition, h);
}

static void harden_what_is_own(struct walk *w, uint32_t term)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
	struct hardening h = { w, seen };

	term_variables(w->p, term, seen, harden_definition, &h);
}

/* Appends what is added up; what is constant is summed up. */
static void append_addends(const struct walk *w, uint32_t term, GArray *parts, uint64_t *sum)
{
	const struct definition *own = own_definition(w, term);
	const struct term_node n = *term_node(w->p, own ? own->expr : term);
	uint64_t value;

	if (term_is_const(w->p, own ? own->expr : term, &value)) {
		*sum += value;
	} else if (n.kind == IR_ADD) {
		append_addends(w, n.a, parts, sum);
		append_addends(w, n.b, parts, sum);
	} else {
		g_array_append_val(parts, term);
	}
}

/* Within an array that something is added to the beginning of. */
static uint32_t in_its_array(struct walk *w, uint32_t address, unsigned bytes)
{
	g_autoptr(GArray) parts = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	uint64_t sum = 0;
	uint32_t any;

	append_addends(w, address, parts, &sum);
	any = in_object(w, address, sum, bytes);
	for (guint i = 0; parts->len > 1 && i < parts->len; i++) {
		uint64_t base = (uint64_t)walk_actual(w, g_array_index(parts, uint32_t, i));

		any = term_or(w->p, any, in_object(w, address, base, bytes));
		any = term_or(w->p, any, in_object(w, address, base + sum, bytes));
	}
	return any;
}

/* Where other pointers that the program had point to, the last ones first. */
static uint32_t where_others_point(struct walk *w, uint32_t address, uint64_t at, unsigned bytes)
{
	const struct trace_mem *m = operand_at(w, w->before, at);
	uint64_t offset = m && m->index == TRACE_REG_NONE ? (uint64_t)m->disp : 0;
	uint32_t any = term_false(w->p);
	unsigned found = 0;

	for (guint i = w->f->definitions->len; i > 0 && found < w->f->limits->crash_pointers; i--) {
		const struct definition *d =
			&g_array_index(w->f->definitions, struct definition, i - 1);
		uint64_t there = (uint64_t)d->actual + offset;

		if ((d->kind != DEF_MEMORY && d->kind != DEF_REGISTER) || d->size != 8 ||
		    there == at || there % MIN(bytes, 8) || !is_accessible(w, there, bytes, true))
			continue;
		any = term_or(w->p, any, term_equals_number(w, address, there));
		found++;
	}
	return any;
}

static uint32_t goes_elsewhere(struct walk *w, uint32_t address, uint64_t at, unsigned bytes)
{
	uint32_t any = where_it_went(w, address, at);

	if (at < w->f->limits->null_bytes)
		any = term_or(w->p, any, in_a_block(w, address, at, bytes));
	any = term_or(w->p, any, in_its_array(w, address, bytes));
	return any == term_false(w->p) ? where_others_point(w, address, at, bytes) : any;
}

/* ---- the two kinds ---- */

/* The requirement that an instruction does not fail as it did; false when nothing could have
 * helped. */
static uint32_t works_without_failure(struct walk *w, struct run_walker *l, bool goes_on)
{
	struct trace_step step = l->step;
	g_autofree struct ir_value *temps = evaluate_crashed_insn(w, step.ir);
	int32_t failed = failed_op(w, step.ir, temps);
	const struct ir_op *op = failed < 0 ? NULL : &step.ir->ops[failed];
	uint32_t term;

	if (!op)
		return term_false(w->p);
	step.temps = temps;
	step.n_ran = (uint32_t)failed;
	step.n_reads = 0;
	w->step = &step;
	exec_step(w);
	term = w->terms[ir_has(op->kind, IR_HAS_DIVISION) ? op->b : op->a];
	w->step = &l->step;
	if (!term || !walk_is_changeable(w, term))
		return term_false(w->p);
	walk_rely_on(w, term);
	harden_what_is_own(w, term);
	if (ir_has(op->kind, IR_HAS_DIVISION))
		return term_not(w->p, term_equals_number(w, term, 0));
	w->crashed_at = temps[op->a].w[0];
	/* it has to stay where the other runs went by itself */
	if (goes_on)
		return term_not(w->p, term_equals_number(w, term, w->crashed_at));
	return goes_elsewhere(w, term, w->crashed_at, size_of_access(step.ir, op));
}

/* What a call got in a register before. */
static uint32_t as_before(struct walk *w, uint32_t term, unsigned reg, uint64_t now)
{
	const GArray *ends = trace_summary_ends(w->options->summary, w->step->pc);
	uint32_t any = term_false(w->p);

	for (guint i = 0; i < ends->len; i++) {
		uint64_t then = g_array_index(ends, struct trace_summary_end, i).regs[reg];

		if (then != now)
			any = term_or(w->p, any, term_equals_number(w, term, then));
	}
	return any;
}

/* The other values that an argument may have: what it was before, or a block of the heap; a
 * number that is no address may also be smaller. */
static uint32_t is_another(struct walk *w, unsigned reg, bool goes_on)
{
	uint32_t term = exec_register(w, reg), any;
	uint64_t now = w->before[reg];

	if (!term || !walk_is_changeable(w, term))
		return term_false(w->p);
	walk_rely_on(w, term);
	harden_what_is_own(w, term);
	if (goes_on)
		return term_not(w->p, term_equals_number(w, term, now));
	any = as_before(w, term, reg, now);
	if (now < w->f->limits->null_bytes)
		return term_or(w->p, any, in_a_block(w, term, now, 1));
	if (is_accessible(w, now, 1, false))
		return term_and(w->p, term_not(w->p, term_equals_number(w, term, now)),
				term_or(w->p, any, in_a_block(w, term, 0, 1)));
	return term_or(
		w->p, any,
		term_op2(w->p, IR_ULT, term, term_const(w->p, 64, w->f->limits->null_bytes)));
}

/* Any of the arguments that are places in memory, or of those that are none. */
static uint32_t any_is_another(struct walk *w, bool places, bool goes_on)
{
	static const unsigned arguments[] = { TRACE_RDI, TRACE_RSI, TRACE_RDX, TRACE_RCX };
	uint32_t any = term_false(w->p);

	for (size_t i = 0; i < G_N_ELEMENTS(arguments); i++)
		if (is_accessible(w, w->before[arguments[i]], 1, false) == places)
			any = term_or(w->p, any, is_another(w, arguments[i], goes_on));
	return any;
}

/* A call of code that is not traced crashed.  Its arguments that point to no memory are to blame;
 * if there are none, those that point to memory are. */
static uint32_t call_works(struct walk *w, bool goes_on)
{
	uint32_t any = any_is_another(w, false, goes_on);

	return any == term_false(w->p) || goes_on
		       ? term_or(w->p, any, any_is_another(w, true, goes_on))
		       : any;
}

static void require_to_go_on(struct walk *w, struct run_walker *l, bool goes_on)
{
	size_t mark = symbolic_mark(w->memory);
	bool calls = l->step.exit_kind == TRACE_EXIT_AWAY;
	uint32_t reach = w->reach;
	uint32_t term = calls ? call_works(w, goes_on) : works_without_failure(w, l, goes_on);
	struct unexplored u = { .guard = UINT32_MAX,
				.run = l->number,
				.pc = l->step.pc,
				.nth = walker_count(l, l->step.pc) + !calls,
				.indirect = true };

	symbolic_undo(w->memory, mark);
	walk_require(w, term, true);
	if (!goes_on && term != term_false(w->p)) {
		u.taken = term_and(w->p, w->reach, term);
		g_array_append_val(w->f->unexplored, u);
	}
	if (goes_on)
		w->reach = reach;
}

static void crash_encode(struct walk *w, struct run_walker *l, enum requirement_point point,
			 bool others_go_on)
{
	if (point == REQUIREMENT_AT_STEP)
		require_to_go_on(w, l, others_go_on);
	else
		requirement_forbid_path(w, l, point);
}

/* ---- in words ---- */

/* What stands before `end' in the text, `n->next' before `->key'; NULL: nothing that has a name. */
static char *name_before(const char *text, const char *end)
{
	const char *from = end;

	while (from > text && (source_is_word(from[-1]) || from[-1] == '.' ||
			       (from[-1] == '>' && from - text > 1 && from[-2] == '-') ||
			       (from[-1] == '-' && *from == '>')))
		from--;
	return from < end ? g_strndup(from, (gsize)(end - from)) : NULL;
}

/* `p->next' after the `*' of `*p->next', which is no product. */
static char *name_behind(const char *text, const char *star)
{
	const char *end = star + 1, *before = star;

	while (before > text && before[-1] == ' ')
		before--;
	if (before > text && (source_is_word(before[-1]) || strchr(")]", before[-1])))
		return NULL;
	while (source_is_word(*end) || *end == '.' || g_str_has_prefix(end, "->"))
		end += *end == '-' ? 2 : 1;
	return end > star + 1 ? g_strndup(star + 1, (gsize)(end - star - 1)) : NULL;
}

static bool is_value_named(const GArray *values, const char *name)
{
	for (guint i = 0; i < values->len; i++)
		if (strcmp(g_array_index(values, struct explanation_value, i).name, name) == 0)
			return true;
	return false;
}

/* Adds the pointer to the values if it was NULL there, or whatever it was. */
static bool add_pointer(const struct trace_point *m, struct explanation *e, const char *name,
			bool null_only)
{
	g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(struct explanation_value));
	const struct explanation_value *last;

	if (!name)
		return false;
	trace_point_values(m, e, name, found);
	if (!found->len)
		return false;
	last = &g_array_index(found, struct explanation_value, found->len - 1);
	if (null_only && strcmp(last->value, "NULL") != 0)
		return false;
	if (!is_value_named(e->failure.values, last->name))
		g_array_append_vals(e->failure.values, last, 1);
	return true;
}

/* Adds the values of the text's parts that are not there. */
static void add_parts(const struct trace_point *m, struct explanation *e, const char *text)
{
	g_autoptr(GArray) parts = g_array_new(FALSE, FALSE, sizeof(struct explanation_value));

	trace_point_values(m, e, text, parts);
	for (guint i = 0; i < parts->len; i++) {
		const struct explanation_value *v =
			&g_array_index(parts, struct explanation_value, i);

		if (!is_value_named(e->failure.values, v->name))
			g_array_append_vals(e->failure.values, v, 1);
	}
}

/* Adds the pointers that the text follows and that were NULL; where none was, the last one. */
static void add_followed(const struct trace_point *m, struct explanation *e, const char *text)
{
	g_autofree char *last = NULL;
	bool any = false;

	for (const char *at = text; text && *at; at++) {
		bool arrow = g_str_has_prefix(at, "->");
		g_autofree char *name = arrow || *at == '[' ? name_before(text, at)
					: *at == '*'	    ? name_behind(text, at)
							    : NULL;

		any |= add_pointer(m, e, name, true);
		if (arrow) {
			g_free(last);
			last = g_steal_pointer(&name);
		}
	}
	if (!any)
		add_pointer(m, e, last, false);
}

static void crash_describe(const struct requirement *r, const struct trace_point *m,
			   struct explanation *e)
{
	g_autofree char *no_signal = g_strconcat("no ", r->end.signal, NULL);
	struct explanation_failure *f = &e->failure;

	requirement_describe_end(e, m, r->end.signal, no_signal);
	f->statement = f->text;
	f->mended = (struct explanation_value){ f->cause, "true -> false" };
	if (!trace_point_statement(m))
		return;
	/* what led nowhere comes first */
	add_followed(m, e, f->text);
	add_parts(m, e, f->text);
}

static char *crash_in_words(const struct requirement_end *end)
{
	return g_strdup(end->signal);
}

const struct requirement_kind requirement_crash = {
	.name = "signal",
	.fails_by = crash_fails_by,
	.ends_run = crash_ends_run,
	.encode = crash_encode,
	.describe = crash_describe,
	.in_words = crash_in_words,
	.looks_back = true,
	.prefers_last = true,
};
