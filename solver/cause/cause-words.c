/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Causes in the words of the source. */
#include "solver/cause/cause-private.h"
#include "solver/image/variable/variable.h"
#include "solver/library/mangled.h"
#include "solver/naming/naming-private.h"
#include "solver/slice/demanded-bits.h"
#include "solver/source/value.h"

#include <string.h>

static const char *keep_cause_text(struct finder *f, char *text)
{
	const char *kept = explanation_string(f->e, text);

	g_free(text);
	return kept;
}

/* The definition, in the sense of naming.h, that a step of the run made. */
static struct definition definition_of_step(const struct reverse_index_insn *info,
					    const struct reverse_index_step *s, uint64_t number,
					    enum definition_kind kind)
{
	return (struct definition){
		.kind = kind,
		.pc = info->pc,
		.rbp = s->rbp,
		.rsp = s->rsp,
		.size = 8,
		.step = number,
	};
}

/* A 32-bit result is extended to the whole register. */
static unsigned register_size(const struct reverse_index_insn *info, unsigned reg)
{
	for (uint32_t i = 0; reg < TRACE_RFLAGS && i < info->ir->n_ops; i++) {
		const struct ir_op *op = &info->ir->ops[i];
		const struct ir_op *from = op->kind == IR_PUT ? &info->ir->ops[op->a] : NULL;

		if (from && op->offset == 8 * reg && from->kind == IR_ZEXT)
			return info->ir->ops[from->a].width >= 32 ? 4 : 8;
	}
	return 8;
}

/* A copy of a structure stores several members at once; of these the one that matters is named. */
static void name_store(struct finder *f, struct known_cause *k, struct definition *d,
		       const struct reverse_index_event *event)
{
	struct reverse_index_event part;
	struct name n;

	d->address = event->address;
	d->size = (uint8_t)MIN(event->size, 16);
	if (!naming_name(f->naming, NULL, d, &n))
		return;
	if (n.type && image_type_is_aggregate(n.type) &&
	    slice_part_of_store(&k->place, event, &part)) {
		d->address = part.address;
		d->size = (uint8_t)part.size;
		event = &part;
		if (!naming_name(f->naming, NULL, d, &n))
			return;
	}
	cause_take_name(f, k, &n);
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

/* The name that the source has for what a program's symbols name. */
static const char *source_name(struct finder *f, const char *symbol)
{
	return symbol ? keep_cause_text(f, mangled_words(symbol)) : NULL;
}

/* The call that passed what the step put into a register; optimized code may change, in between,
 * what a reference refers to. */
static uint64_t call_behind(struct finder *f, uint64_t step, uint64_t until)
{
	const uint32_t depth = reverse_index_at(f->index, step)->depth;
	const uint64_t most = reverse_index_limits(f->index)->name_insns;

	for (uint64_t i = step; i < until && i - step < most; i++)
		if (reverse_index_at(f->index, i + 1)->depth > depth)
			return i;
	return step;
}

static void name_argument(struct finder *f, struct known_cause *k, const struct wanted *w,
			  struct name *n)
{
	struct reverse_index_step user = *reverse_index_at(f->index, w->step);
	const struct reverse_index_insn *info = reverse_index_insn_of(f->index, &user);
	const struct image_function *callee =
		image_function_at(info->module->image, info->insn->addr);
	unsigned number = 0;
	const struct image_type *type =
		callee ? naming_parameter_in(info->module->image, callee, k->place.reg, &number)
		       : NULL;

	n->type = w->type ? w->type : type;
	if (w->parameter)
		n->clause = w->parameter;
	else if (type)
		n->clause = keep_cause_text(
			f, naming_argument_words(number, source_name(f, callee->name)));
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
			const struct reverse_index_insn *info, struct name *n)
{
	const struct image *im = info->module->image;
	struct name assigned = *n;
	uint64_t behind = info->insn->addr + info->insn->length, user = behind;

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
static bool has_value_of_register(const struct reverse_index_insn *info, unsigned reg)
{
	uint64_t others = info->writes & ~(UINT64_C(1) << TRACE_RSP | UINT64_C(1) << TRACE_RFLAGS);

	return others && (unsigned)__builtin_ctzll(others) == reg;
}

/* A 64-bit number without a type may be an address or the bits of a floating-point number: as
 * a number it tells a person nothing. */
static bool is_readable_cause(const struct image_type *type,
			      const struct reverse_index_place *place, uint64_t value)
{
	if (type)
		return true;
	if (!place->memory && place->reg >= TRACE_XMM0)
		return !value;
	return value == (uint64_t)(int64_t)(int32_t)value || value >> 32 == 0;
}

/* A register is wider than what the function returns in it; NULL = nothing is known of it. */
static const struct image_type *returned_type(const struct reverse_index_insn *info)
{
	const struct image *im = info->module->image;
	const struct image_function *f = image_function_at(im, info->insn->addr);
	const struct image_type *type = f ? image_return_type(im, f) : NULL;

	return type && type->kind >= IMAGE_TYPE_BOOL ? type : NULL;
}

/* Of an object that is returned in several registers, none is the result. */
static bool is_result_register(const struct reverse_index_insn *info, unsigned reg)
{
	const struct image *im = info->module->image;
	const struct image_function *f = image_function_at(im, info->insn->addr);
	const struct image_type *type = f ? image_return_type(im, f) : NULL;

	return (reg == TRACE_RAX || reg == TRACE_XMM0) &&
	       !(type && image_type_is_aggregate(type) && type->size > 8);
}

static void name_register_write(struct finder *f, struct known_cause *k, const struct wanted *w,
				struct definition *d, const struct reverse_index_insn *info,
				const struct reverse_index_step *s)
{
	/* other registers that a function leaves behind are not what it returns */
	bool returned = k->cause.kind == CAUSE_RETURNED && is_result_register(info, k->place.reg);
	struct name n;

	if (!naming_statement(f->naming, d->pc, &n))
		return;
	n.frame.regs[TRACE_RBP] = d->rbp;
	n.frame.regs[TRACE_RSP] = d->rsp;
	if (k->cause.kind == CAUSE_PASSED) {
		name_argument(f, k, w, &n);
		d->step = call_behind(f, d->step, w->step);
	} else if (k->cause.kind == CAUSE_RETURNED && !returned) {
		n.clause = n.text;
	} else if (!naming_by_return(f->naming, &n) && !is_assigned(f, k, w, info, &n)) {
		n.clause = n.text;
		n.type = returned ? returned_type(info) : NULL;
	}
	d->reg = (uint8_t)k->place.reg;
	d->size = (uint8_t)(n.type && n.type->size && n.type->size < 8
				    ? n.type->size
				    : register_size(info, k->place.reg));
	cause_take_name(f, k, &n);
	if (!has_value_of_register(info, k->place.reg) ||
	    !is_readable_cause(n.type, &k->place, s->value))
		return;
	k->cause.value = cause_value_of_register(f, &n, d, s->value);
	if (k->cause.value && n.clause == n.text &&
	    !returned) /* the whole line has another value */
		k->cause.clause = NAMING_NO_NAME;
}

static void name_decision(struct finder *f, struct known_cause *k, struct definition *d, bool taken)
{
	struct name n;

	d->size = 1;
	d->actual = taken;
	if (!naming_name(f->naming, NULL, d, &n))
		return;
	cause_take_name(f, k, &n);
	k->cause.value = naming_value(f->naming, &n, d, taken, taken);
}

/* ---- where it came in ---- */

struct image_frame cause_frame_at(const struct finder *f, const struct reverse_index_insn *info,
				  const struct reverse_index_step *s)
{
	struct image_frame frame = *trace_point_frame(f->point);

	frame.pc = info->insn->addr;
	frame.bias = info->module->bias;
	frame.regs[TRACE_RBP] = s->rbp;
	frame.regs[TRACE_RSP] = s->rsp;
	return frame;
}

static const char *name_of_memory(struct finder *f, const struct reverse_index_insn *info,
				  const struct reverse_index_step *s,
				  const struct reverse_index_place *p,
				  const struct image_type **type)
{
	struct image_frame frame = cause_frame_at(f, info, s);
	struct image_lvalue lv;
	const char *text = NULL;

	if (image_name_memory(info->module->image, &frame, p->address, p->size, &lv)) {
		text = explanation_string(f->e, lv.text);
		*type = lv.type;
		image_lvalue_clear(&lv);
	}
	return text;
}

/* The value as it was behind the step: what a pointer points to may change later.  NULL = the
 * value is only a part of what has the type. */
static const char *bytes_text(struct finder *f, const struct reverse_index_insn *info,
			      const struct reverse_index_step *s, uint64_t number,
			      const struct image_type *type, uint64_t value, unsigned size)
{
	const struct definition d = definition_of_step(info, s, number, DEF_REGISTER);
	struct image_frame frame = { .pc = info->insn->addr, .bias = info->module->bias };

	static const struct image_type plain = { .kind = IMAGE_TYPE_INT,
						 .size = 8,
						 .is_signed = true };

	if (type && type->size != size && (image_type_is_aggregate(type) || type->size > size))
		return NULL; /* a part of it does not tell the whole */
	if (!type)
		type = naming_type_of_store(info->insn, value, size);
	if (!type || type->size > 8)
		type = &plain;
	naming_look_behind(f->naming, &d);
	naming_read_past(f->naming, &frame);
	frame.regs[TRACE_RBP] = s->rbp;
	frame.regs[TRACE_RSP] = s->rsp;
	return keep_cause_text(f, value_text(info->module->image, &frame, type,
					     (const uint8_t *)&value, type->size));
}

/* The function of the library that the step calls, or NULL. */
static const char *library_name_called_at(struct finder *f, uint64_t step)
{
	const struct reverse_index_step s = *reverse_index_at(f->index, step);
	const struct reverse_index_insn *info = reverse_index_insn_of(f->index, &s);

	return info->insn->flow == TRACE_FLOW_CALL
		       ? source_name(f, image_native_name(info->module->image, info->insn->target))
		       : NULL;
}

static void name_returned(struct finder *f, struct known_cause *k, const char *callee)
{
	g_autofree char *origin =
		callee ? cause_origin_of_result(f, library_call_of(f->index, k->step)) : NULL;

	if (!callee)
		k->cause.clause = "untraced code returned";
	else if (origin)
		k->cause.clause =
			keep_cause_text(f, g_strdup_printf("%s: %s returned", origin, callee));
	else
		k->cause.clause = keep_cause_text(f, g_strdup_printf("%s returned", callee));
}

/* Names what a call of untraced code returned, or what it gave to a function that it called. */
static void name_result(struct finder *f, struct known_cause *k,
			const struct reverse_index_insn *info, const struct reverse_index_step *s)
{
	const char *callee = library_name_called_at(f, library_call_of(f->index, k->step));
	int argument = k->place.reg == TRACE_RAX ? -1 : argument_number(k->place.reg);
	const struct image_type result = { .kind = IMAGE_TYPE_INT, .size = 4, .is_signed = true };

	if (callee && argument >= 0 && k->place.reg < TRACE_RFLAGS)
		k->cause.clause = keep_cause_text(
			f, g_strdup_printf("argument %d, from %s", argument + 1, callee));
	else
		name_returned(f, k, callee);
	if (k->place.reg == TRACE_RAX && is_readable_cause(NULL, &k->place, s->value))
		k->cause.value = bytes_text(f, info, s, k->step, &result, s->value, 8);
}

/* The bytes of the program's file there, or its zeroes, are what was loaded; or the address of
 * something that the loader put there. */
static bool was_never_written(const struct reverse_index_insn *info,
			      const struct reverse_index_event *event, bool *writable)
{
	uint64_t initial = 0;

	if (event->size == sizeof(initial) &&
	    image_pointer_at(info->module->image, event->address - info->module->bias, &initial)) {
		*writable = true;
		return initial + info->module->bias == event->value;
	}
	return event->size <= sizeof(initial) &&
	       image_initial(info->module->image, event->address - info->module->bias, event->size,
			     (uint8_t *)&initial, writable) &&
	       initial == event->value;
}

/* What the stack held before the program's own code wrote there, as far as it is known. */
static const char *const never_initialised = "never initialised, or filled by a library function";

static bool is_on_stack_at_step(const struct finder *f, const struct reverse_index_step *s,
				uint64_t address)
{
	const uint64_t red_zone = 128;

	return address >= s->rsp - red_zone && address < trace_point_stack(f->point);
}

static const char *words_of_leftover(struct finder *f, struct known_cause *k, uint64_t step,
				     const struct reverse_index_place *place)
{
	const char *member = NULL;

	if (cause_is_leftover(f, step, place))
		return "never initialised: a leftover of the stack";
	member = cause_member_function(f, k, step, place);
	return member ? member : never_initialised;
}

/* A bare address tells a person nothing. */
static const char *without_address(const char *text)
{
	return text && g_str_has_prefix(text, "0x") ? NULL : text;
}

static const char *words_with_origin(struct finder *f, const char *what, const char *origin)
{
	const bool own = !what || strchr(origin, '[');

	return own ? explanation_string(f->e, origin)
		   : keep_cause_text(f, g_strdup_printf("%s, %s", what, origin));
}

/* With --window anything may have made what is there before the first step; NULL = all was kept. */
static const char *words_of_window(struct finder *f)
{
	if (!trace_point_left_out(f->point))
		return NULL;
	f->tree.reaches_start = true;
	return "made before the part of the run that was kept";
}

static void name_outside(struct finder *f, struct known_cause *k,
			 const struct reverse_index_insn *info, const struct reverse_index_step *s,
			 const struct reverse_index_event *event)
{
	static const struct image_type real[] = { { .kind = IMAGE_TYPE_FLOAT, .size = 4 },
						  { .kind = IMAGE_TYPE_FLOAT, .size = 8 } };
	static const struct image_type byte = { .kind = IMAGE_TYPE_CHAR,
						.size = 1,
						.is_signed = true };
	static const struct image_type string = { .kind = IMAGE_TYPE_POINTER,
						  .size = 8,
						  .target = &byte };
	/* what was looked for may be an object of which this was read */
	const struct reverse_index_place read = { true, 0, event->address, event->size, 0 };
	const struct image_type *type = NULL;
	const char *what = name_of_memory(f, info, s, &read, &type), *who;
	g_autofree char *origin = cause_origin(f, k->step, &read, NULL);
	bool writable = true;

	if (origin) {
		k->cause.clause = words_with_origin(f, what, origin);
		type = type ? type : event->size == 1 ? &byte : event->size == 8 ? &string : type;
		k->cause.value = without_address(
			bytes_text(f, info, s, k->step, type, event->value, event->size));
		return;
	}
	if (was_never_written(info, event, &writable))
		who = !writable	     ? "a constant"
		      : event->value ? "as it was initialized"
				     : "zero from the start";
	else if (words_of_window(f))
		who = words_of_window(f);
	else if (is_on_stack_at_step(f, s, event->address))
		who = words_of_leftover(f, k, k->step, &read);
	else
		who = trace_point_threads(f->point) > 1 ? "written by a library or another thread"
							: "written by a library";
	if (!what && !type && !writable && info->insn->out_vec && event->size >= 4)
		type = &real[event->size >= 8];
	k->cause.clause =
		!what && !writable
			? who
			: keep_cause_text(f,
					  g_strdup_printf("%s, %s", what ? what : "memory", who));
	if (is_readable_cause(type, &read, event->value))
		k->cause.value = without_address(
			bytes_text(f, info, s, k->step, type, event->value, event->size));
}

static const char *words_of_initial(const struct image *im, const struct reverse_index_insn *info,
				    const struct known_cause *k)
{
	uint64_t value = 0;
	bool writable = false, known = k->place.size <= sizeof(value) &&
				       image_initial(im, k->place.address - info->module->bias,
						     k->place.size, (uint8_t *)&value, &writable);

	return known && writable && !value ? "never written: zero from the start"
					   : "as it was initialized";
}

static const char *words_of_start(struct finder *f, struct known_cause *k,
				  const struct reverse_index_insn *info,
				  const struct reverse_index_step *s, uint64_t at,
				  const struct image_type **type)
{
	const char *what = name_of_memory(f, info, s, &k->place, type);
	g_autofree char *origin = cause_origin(f, at, &k->place, NULL);

	if (origin)
		return words_with_origin(f, what, origin);
	if (!what)
		what = cause_outer_variable(f, at, &k->place);
	if (!what)
		return "a constant or what memory held at the start";
	if (words_of_window(f))
		return keep_cause_text(f, g_strdup_printf("%s, %s", what, words_of_window(f)));
	return keep_cause_text(
		f, g_strdup_printf("%s, %s", what,
				   is_on_stack_at_step(f, s, k->place.address)
					   ? words_of_leftover(f, k, at, &k->place)
					   : words_of_initial(info->module->image, info, k)));
}

/* Names what was there before the first step. */
static void name_start(struct finder *f, struct known_cause *k, const struct wanted *w)
{
	uint64_t at = w->step < reverse_index_steps(f->index) ? w->step
							      : reverse_index_steps(f->index) - 1;
	struct reverse_index_step s = *reverse_index_at(f->index, at);
	const struct reverse_index_insn *info = reverse_index_insn_of(f->index, &s);
	const struct image *im = info->module->image;
	const struct image_type *type = w->type;
	uint64_t value = 0;
	bool known = false, writable;

	if (k->place.memory) {
		k->cause.clause = words_of_start(f, k, info, &s, at, &type);
		known = !words_of_window(f) && k->place.size <= 8 &&
			image_initial(im, k->place.address - info->module->bias, k->place.size,
				      (uint8_t *)&value, &writable);
	} else if (words_of_window(f)) {
		k->cause.clause = words_of_window(f);
	} else if (w->parameter) {
		k->cause.clause = keep_cause_text(
			f, g_strdup_printf("%s, as the program was started with", w->parameter));
		known = type && type->kind != IMAGE_TYPE_POINTER;
		value = w->value;
		k->place.size = sizeof(value);
	} else {
		k->cause.clause = "what the program was started with";
	}
	if (!type) /* of a bit-field, only its own bits are a number */
		value = bits_as_number(value, k->place.bits);
	if (known)
		k->cause.value = bytes_text(f, info, &s, at, type, value, k->place.size);
}

static void take_statement(struct finder *f, struct known_cause *k)
{
	const struct reverse_index_step s =
		*reverse_index_at(f->index, cause_users_step(f, k->step));
	struct name n;

	if (!naming_statement(f->naming, reverse_index_insn_of(f->index, &s)->pc, &n))
		return;
	n.clause = NULL;
	cause_take_name(f, k, &n);
}

/* ---- the execution ---- */

static gint compare_counted_causes(gconstpointer a, gconstpointer b)
{
	const struct step_count *x = *(struct step_count *const *)a;
	const struct step_count *y = *(struct step_count *const *)b;

	return x->step < y->step ? -1 : x->step > y->step;
}

void cause_find_stops(struct cause_tree *t)
{
	struct finder *f = (struct finder *)t;
	guint n = t->causes->len;
	g_autofree struct step_count *counts = g_new0(struct step_count, n);
	g_autoptr(GPtrArray) sorted = g_ptr_array_new();

	for (guint i = 0; i < n; i++) {
		const struct known_cause *k = cause_at(f, i);
		struct reverse_index_step s;

		if (k->step == UINT64_MAX)
			continue;
		s = *reverse_index_at(f->index, k->step);
		counts[i].pc = reverse_index_insn_of(f->index, &s)->pc;
		counts[i].step = k->step;
		g_ptr_array_add(sorted, &counts[i]);
	}
	g_ptr_array_sort(sorted, compare_counted_causes);
	if (!trace_point_executions(f->point, (struct step_count **)sorted->pdata, sorted->len))
		return;
	for (guint i = 0; i < n; i++)
		if (counts[i].pc)
			cause_at(f, i)->cause.stop =
				keep_cause_text(f, trace_point_stop_text(f->point, &counts[i]));
}

void cause_name(struct finder *f, struct known_cause *k, const struct wanted *w,
		const struct reverse_index_event *event)
{
	struct reverse_index_step s;
	const struct reverse_index_insn *info;
	struct definition d;

	if (k->step == UINT64_MAX) {
		name_start(f, k, w);
		return;
	}
	s = *reverse_index_at(f->index, k->step);
	info = reverse_index_insn_of(f->index, &s);
	if (k->cause.kind == CAUSE_INPUT) {
		take_statement(f, k);
		if (k->place.memory)
			name_outside(f, k, info, &s, event);
		else
			name_result(f, k, info, &s);
		return;
	}
	d = definition_of_step(info, &s, k->step,
			       k->decides	 ? DEF_GUARD
			       : k->place.memory ? DEF_MEMORY
						 : DEF_REGISTER);
	if (k->decides)
		name_decision(f, k, &d, s.value);
	else if (k->place.memory)
		name_store(f, k, &d, event);
	else
		name_register_write(f, k, w, &d, info, &s);
	if (k->cause.value && g_str_has_prefix(k->cause.value, "the "))
		k->points_to = k->place.memory ? event->value : s.value;
}
