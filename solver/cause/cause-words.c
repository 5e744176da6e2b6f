/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Causes in the words of the source. */
#include "solver/cause/cause-private.h"
#include "solver/naming/naming-private.h"
#include "solver/source/value.h"

#include <string.h>

static const char *keep(struct finder *f, char *text)
{
	const char *kept = explanation_string(f->e, text);

	g_free(text);
	return kept;
}

/* The definition, in the sense of naming.h, that a step of the run made. */
static struct definition definition_at(const struct reverse_index_insn *site,
				       const struct reverse_index_step *s,
				       enum definition_kind kind)
{
	return (struct definition){
		.kind = kind, .pc = site->pc, .rbp = s->rbp, .rsp = s->rsp, .size = 8
	};
}

static void take_place(struct known_cause *k, const struct name *n)
{
	k->cause.function = n->statement->function;
	k->cause.file = n->statement->file;
	k->cause.line = n->statement->line;
	k->cause.text = n->text;
	k->cause.clause = n->clause;
}

/* A 32-bit result is extended to the whole register. */
static unsigned register_size(const struct reverse_index_insn *site, unsigned reg)
{
	for (uint32_t i = 0; reg < TRACE_RFLAGS && i < site->ir->n_ops; i++) {
		const struct ir_op *op = &site->ir->ops[i];
		const struct ir_op *from = op->kind == IR_PUT ? &site->ir->ops[op->a] : NULL;

		if (from && op->offset == 8 * reg && from->kind == IR_ZEXT)
			return site->ir->ops[from->a].width >= 32 ? 4 : 8;
	}
	return 8;
}

static void name_store(struct finder *f, struct known_cause *k, struct definition *d,
		       const struct reverse_index_event *event)
{
	struct name n;

	d->address = event->address;
	d->size = (uint8_t)MIN(event->size, 16);
	if (!naming_name(f->naming, NULL, d, &n))
		return;
	take_place(k, &n);
	if (d->size <= 8)
		k->cause.value = naming_value(f->naming, &n, d, event->value, event->value);
}

/* The number of the argument that the register passes, or -1. */
static int argument_number(unsigned reg)
{
	static const uint8_t order[] = { TRACE_RDI, TRACE_RSI, TRACE_RDX,
					 TRACE_RCX, TRACE_R8,  TRACE_R9 };

	for (unsigned i = 0; i < G_N_ELEMENTS(order); i++)
		if (order[i] == reg)
			return (int)i;
	return reg >= TRACE_XMM0 && reg < TRACE_XMM0 + 8 ? (int)(reg - TRACE_XMM0) : -1;
}

static void name_argument(struct finder *f, struct known_cause *k, const struct wanted *w,
			  struct name *n)
{
	struct reverse_index_step user = *reverse_index_at(f->index, w->step);
	const struct reverse_index_insn *site = reverse_index_insn_of(f->index, &user);
	const struct image_function *callee =
		image_function_at(site->module->image, site->insn->addr);
	int number = argument_number(k->place.reg);

	n->type = w->type;
	if (w->parameter)
		n->clause = w->parameter;
	else if (callee && number >= 0)
		n->clause = keep(f, g_strdup_printf("argument %d of %s", number + 1, callee->name));
}

/* Does DWARF say that the variable is in the register there? */
static bool is_variable_in(const struct image *im, const struct image_frame *frame, uint64_t pc,
			   const char *name, unsigned reg)
{
	const struct image_variable *const *v;
	struct image_frame there = *frame;
	size_t n = image_variables_at(im, pc, &v);

	there.pc = pc;
	for (size_t i = 0; i < n; i++) {
		struct image_place p;

		if (strcmp(v[i]->name, name) != 0)
			continue;
		p = image_locate(im, v[i], &there);
		return p.kind == IMAGE_PLACE_REGISTER && p.reg == reg;
	}
	return false;
}

/* Not every register that a line sets holds what the line assigns to.  It has to be the
 * variable after the instruction, or where the value is used. */
static bool is_assigned(struct finder *f, const struct known_cause *k, const struct wanted *w,
			const struct reverse_index_insn *site, struct name *n)
{
	const struct image *im = site->module->image;
	struct name assigned = *n;
	uint64_t behind = site->insn->addr + site->insn->length, user = behind;

	if (!naming_by_assignment(f->naming, &assigned))
		return false;
	if (w->step < reverse_index_steps(f->index)) {
		struct reverse_index_step s = *reverse_index_at(f->index, w->step);

		user = reverse_index_insn_of(f->index, &s)->insn->addr;
	} else {
		user = trace_point_frame(f->point)->pc;
	}
	if (!is_variable_in(im, &n->frame, behind, assigned.clause, k->place.reg) &&
	    !is_variable_in(im, &n->frame, user, assigned.clause, k->place.reg))
		return false;
	*n = assigned;
	return true;
}

/* Is the step's value that of one of the registers that it wrote? */
static bool has_value(const struct reverse_index_insn *site, unsigned reg)
{
	uint64_t others = site->writes & ~(UINT64_C(1) << TRACE_RSP | UINT64_C(1) << TRACE_RFLAGS);

	return others && (unsigned)__builtin_ctzll(others) == reg;
}

static void name_register_write(struct finder *f, struct known_cause *k, const struct wanted *w,
				struct definition *d, const struct reverse_index_insn *site,
				const struct reverse_index_step *s)
{
	struct name n;

	if (!naming_statement(f->naming, d->pc, &n))
		return;
	n.frame.regs[TRACE_RBP] = d->rbp;
	n.frame.regs[TRACE_RSP] = d->rsp;
	if (k->cause.kind == CAUSE_PASSED)
		name_argument(f, k, w, &n);
	else if (!naming_by_return(f->naming, &n) && !is_assigned(f, k, w, site, &n))
		n.clause = n.text;
	d->reg = (uint8_t)k->place.reg;
	d->size = (uint8_t)(n.type && n.type->size && n.type->size < 8
				    ? n.type->size
				    : register_size(site, k->place.reg));
	take_place(k, &n);
	if (has_value(site, k->place.reg))
		k->cause.value = naming_value(f->naming, &n, d, s->value, s->value);
}

static void name_decision(struct finder *f, struct known_cause *k, struct definition *d, bool taken)
{
	struct name n;

	d->size = 1;
	d->actual = taken;
	if (!naming_name(f->naming, NULL, d, &n))
		return;
	take_place(k, &n);
	k->cause.value = naming_value(f->naming, &n, d, taken, taken);
}

/* ---- where it came in ---- */

static const char *name_of_memory(struct finder *f, const struct reverse_index_insn *site,
				  const struct reverse_index_step *s,
				  const struct reverse_index_place *p,
				  const struct image_type **type)
{
	struct image_frame frame = *trace_point_frame(f->point);
	struct image_lvalue lv;
	const char *text = NULL;

	frame.pc = site->insn->addr;
	frame.bias = site->module->bias;
	frame.regs[TRACE_RBP] = s->rbp;
	frame.regs[TRACE_RSP] = s->rsp;
	if (image_name_memory(site->module->image, &frame, p->address, p->size, &lv)) {
		text = explanation_string(f->e, lv.text);
		*type = lv.type;
		image_lvalue_clear(&lv);
	}
	return text;
}

static const char *bytes_text(struct finder *f, const struct image *im,
			      const struct image_type *type, uint64_t value, unsigned size)
{
	static const struct image_type plain = { .kind = IMAGE_TYPE_INT,
						 .size = 8,
						 .is_signed = true };

	if (!type || type->size > 8 || type->size > size)
		type = &plain;
	return keep(f, value_text(im, trace_point_frame(f->point), type, (const uint8_t *)&value,
				  type->size));
}

/* Names what a call of untraced code returned. */
static void name_result(struct finder *f, struct known_cause *k,
			const struct reverse_index_insn *site, const struct reverse_index_step *s)
{
	const struct image *im = site->module->image;
	const char *callee = image_native_name(im, site->insn->target);
	const struct image_type result = { .kind = IMAGE_TYPE_INT, .size = 4, .is_signed = true };
	bool small = s->value == (uint64_t)(int64_t)(int32_t)s->value || s->value >> 32 == 0;

	k->cause.clause = callee && site->insn->flow == TRACE_FLOW_CALL
				  ? keep(f, g_strdup_printf("%s returned", callee))
				  : "untraced code returned";
	/* a bare address tells a person nothing */
	if (k->place.reg == TRACE_RAX && small)
		k->cause.value = bytes_text(f, im, &result, s->value, 8);
}

/* The bytes of the program's file there, or its zeroes, are what was loaded. */
static bool is_initial(const struct reverse_index_insn *site,
		       const struct reverse_index_event *event, bool *writable)
{
	uint64_t initial = 0;

	return event->size <= sizeof(initial) &&
	       image_initial(site->module->image, event->address - site->module->bias, event->size,
			     (uint8_t *)&initial, writable) &&
	       initial == event->value;
}

static void name_outside(struct finder *f, struct known_cause *k,
			 const struct reverse_index_insn *site, const struct reverse_index_step *s,
			 const struct reverse_index_event *event)
{
	static const struct image_type real[] = { { .kind = IMAGE_TYPE_FLOAT, .size = 4 },
						  { .kind = IMAGE_TYPE_FLOAT, .size = 8 } };
	const uint64_t red_zone = 128;
	const struct image_type *type = NULL;
	const char *what = name_of_memory(f, site, s, &k->place, &type), *who;
	bool writable = true;

	if (is_initial(site, event, &writable))
		who = !writable	     ? "a constant"
		      : event->value ? "as it was initialized"
				     : "zero from the start";
	else if (event->address >= s->rsp - red_zone &&
		 event->address < trace_point_stack(f->point))
		who = "never initialised, or filled by a library function";
	else
		who = "written by untraced code or another thread";
	if (!what && !type && !writable && site->insn->out_vec && event->size >= 4)
		type = &real[event->size >= 8];
	k->cause.clause = !what && !writable
				  ? who
				  : keep(f, g_strdup_printf("%s, %s", what ? what : "memory", who));
	k->cause.value = bytes_text(f, site->module->image, type, event->value, event->size);
}

/* Names what was there before the first step. */
static void name_start(struct finder *f, struct known_cause *k, const struct wanted *w)
{
	uint64_t at = w->step < reverse_index_steps(f->index) ? w->step
							      : reverse_index_steps(f->index) - 1;
	struct reverse_index_step s = *reverse_index_at(f->index, at);
	const struct reverse_index_insn *site = reverse_index_insn_of(f->index, &s);
	const struct image *im = site->module->image;
	const struct image_type *type = w->type;
	uint64_t value = 0;
	bool known = false, writable;

	if (k->place.memory) {
		const char *what = name_of_memory(f, site, &s, &k->place, &type);

		k->cause.clause = what ? keep(f, g_strdup_printf("%s, as it was initialized", what))
				       : "a constant or what memory held at the start";
		known = k->place.size <= 8 &&
			image_initial(im, k->place.address - site->module->bias, k->place.size,
				      (uint8_t *)&value, &writable);
	} else if (w->parameter) {
		k->cause.clause = keep(
			f, g_strdup_printf("%s, as the program was started with", w->parameter));
		known = type && type->kind != IMAGE_TYPE_POINTER;
		value = w->value;
		k->place.size = sizeof(value);
	} else {
		k->cause.clause = "what the program was started with";
	}
	if (known)
		k->cause.value = bytes_text(f, im, type, value, k->place.size);
}

static void take_statement(struct finder *f, struct known_cause *k,
			   const struct reverse_index_insn *site)
{
	struct name n;

	if (!naming_statement(f->naming, site->pc, &n))
		return;
	n.clause = NULL;
	take_place(k, &n);
}

void cause_name(struct finder *f, struct known_cause *k, const struct wanted *w,
		const struct reverse_index_event *event)
{
	struct reverse_index_step s;
	const struct reverse_index_insn *site;
	struct definition d;

	if (k->step == UINT64_MAX) {
		name_start(f, k, w);
		return;
	}
	s = *reverse_index_at(f->index, k->step);
	site = reverse_index_insn_of(f->index, &s);
	if (k->cause.kind == CAUSE_INPUT) {
		take_statement(f, k, site);
		if (k->place.memory)
			name_outside(f, k, site, &s, event);
		else
			name_result(f, k, site, &s);
		return;
	}
	d = definition_at(site, &s,
			  k->decides	    ? DEF_GUARD
			  : k->place.memory ? DEF_MEMORY
					    : DEF_REGISTER);
	if (k->decides)
		name_decision(f, k, &d, s.value);
	else if (k->place.memory)
		name_store(f, k, &d, event);
	else
		name_register_write(f, k, w, &d, site, &s);
}
