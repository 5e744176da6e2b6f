/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a register holds when the instance of a statement that set it ends. */
#include "solver/image/variable/variable.h"
#include "solver/library/mangled.h"
#include "solver/naming/naming-private.h"
#include "solver/output/arguments.h"

#include <string.h>

static const struct image_type real_single = { .kind = IMAGE_TYPE_FLOAT, .size = 4 };
static const struct image_type real_double = { .kind = IMAGE_TYPE_FLOAT, .size = 8 };

/* The last instruction of an instance (runtime address). */
static uint64_t end_of_instance(const struct formula *f, const struct definition *d)
{
	uint32_t entry = g_array_index(f->instance_end, uint32_t, d->instance);
	const struct path_entry *e = &g_array_index(f->path, struct path_entry, entry);

	return e->kind == PATH_STEP ? g_array_index(f->pcs, uint64_t, e->index) : d->pc;
}

static const struct image_type *parameter_type(const struct image *im,
					       const struct image_function *f, unsigned n)
{
	const struct image_variable *const *v;
	size_t count = image_variables_at(im, f->body, &v);

	for (size_t i = 0; i < count; i++)
		if (v[i]->parameter && !v[i]->inlined && v[i]->function == f && n-- == 0)
			return v[i]->type;
	return NULL;
}

char *naming_argument_words(unsigned number, const char *callee)
{
	return number ? g_strdup_printf("argument %u of %s", number, callee)
		      : g_strdup_printf("the object of %s", callee);
}

/* Registers of each class are given to parameters of that class in their order (x86-64 ABI, 3.2.3).
 * A structure may take none, one, or two of either. */
const struct image_type *naming_parameter_in(const struct image *im, const struct image_function *f,
					     unsigned reg, unsigned *number)
{
	bool vector = reg >= TRACE_XMM0;
	int left = vector ? (int)(reg - TRACE_XMM0) : naming_argument_number(reg);
	const struct image_type *type;

	if (!vector && image_result_in_memory(image_return_type(im, f)))
		left--; /* the first one is where the result goes */
	for (unsigned i = 0; left >= 0 && (type = parameter_type(im, f, i)); i++) {
		bool real = type->kind == IMAGE_TYPE_FLOAT;

		if (type->kind < IMAGE_TYPE_BOOL || type->kind > IMAGE_TYPE_POINTER ||
		    (!real && type->size > 8))
			return NULL;
		if (type->size > 8 || real != vector || left-- > 0)
			continue;
		*number = i + 1 - image_function_has_object(im, f);
		return type;
	}
	return NULL;
}

/* "argument 2 of f"; n: with the object, from 1. */
static const char *argument_clause(struct naming *n, const char *callee, unsigned number,
				   bool is_traced)
{
	g_autofree char *words = mangled_words(callee);

	if (!is_traced && library_is_put(callee))
		return "the operand of <<";
	if (!is_traced && mangled_is_member(callee))
		number--;
	return naming_keep(n, naming_argument_words(number, words));
}

static bool name_by_call(struct naming *n, const struct naming_role *role, unsigned reg,
			 struct name *out)
{
	const struct image_function *f;
	const struct image_type *type = NULL;
	unsigned number = (unsigned)naming_argument_number(reg) + 1;
	const char *callee;

	if (role->kind != ROLE_ARGUMENT)
		return false;
	f = image_function_at(out->image, role->call->target);
	callee = f ? f->name : image_native_name(out->image, role->call->target);
	if (f)
		type = naming_parameter_in(out->image, f, reg, &number);
	if (!callee || (f && !type))
		return false;
	out->printed = !f && arguments_follow_format(callee);
	out->kind = "call";
	out->clause = argument_clause(n, callee, number, f != NULL);
	out->type = type;
	return true;
}

/* The call to which the vector register goes next as an argument. */
static const struct trace_insn *call_with(const struct limits *limits, const struct image *im,
					  uint64_t at, unsigned reg)
{
	const struct trace_insn *insn = image_insn_at(im, at);

	for (uint64_t left = limits_or_default(limits)->name_insns;
	     insn && left && insn->flow == TRACE_FLOW_NONE; left--) {
		if (insn->out_vec & 1u << (reg - TRACE_XMM0))
			return NULL;
		insn = image_insn_at(im, insn->addr + insn->length);
	}
	return insn && insn->flow == TRACE_FLOW_CALL ? insn : NULL;
}

/* movq %rdx,%xmm0 is the next use of %rdx: the vector register, and *at, behind it.  TRACE_REG_NONE
 * = it is not. */
static unsigned moved_to_vector(const struct limits *limits, const struct image *im, uint64_t *at,
				unsigned reg)
{
	const struct trace_insn *insn = image_insn_at(im, *at);
	uint64_t left = limits_or_default(limits)->name_insns;

	for (; insn && left && insn->flow == TRACE_FLOW_NONE && !(insn->use_gpr & 1u << reg);
	     left--)
		insn = image_insn_at(im, insn->addr + insn->length);
	if (!insn || insn->use_gpr != 1u << reg || insn->n_mem || insn->out_gpr || !insn->out_vec ||
	    insn->out_vec & (insn->out_vec - 1))
		return TRACE_REG_NONE;
	*at = insn->addr + insn->length;
	return TRACE_XMM0 + (unsigned)__builtin_ctz(insn->out_vec);
}

/* printf's kin: which of all arguments it is, the format tells alone.  C++'s `<<' has one. */
static bool name_by_printing(struct naming *n, const struct definition *d, unsigned reg,
			     const struct trace_insn *call, struct name *out)
{
	const char *callee = call ? image_native_name(out->image, call->target) : NULL;

	if (d->size < real_double.size ||
	    !(arguments_follow_format(callee) || library_is_put(callee)))
		return false;
	out->kind = "call";
	out->clause = library_is_put(callee)
			      ? argument_clause(n, callee, 1, false)
			      : naming_keep(n, g_strdup_printf("floating-point argument %u of %s",
							       reg - TRACE_XMM0 + 1, callee));
	out->type = &real_double;
	return true;
}

/* n: from 0, with the object. */
static char *argument_of(const struct image *im, const struct image_function *callee, unsigned n)
{
	g_autofree char *words = mangled_words(callee->name);

	return naming_argument_words(n + 1 - image_function_has_object(im, callee), words);
}

/* Floating-point arguments are counted by themselves (x86-64 ABI, 3.2.3).  at: where the register
 * has its value. */
static bool name_by_vector_call(struct naming *n, const struct limits *limits,
				const struct definition *d, unsigned reg, uint64_t at,
				struct name *out)
{
	const struct trace_insn *call = call_with(limits, out->image, at, reg);
	const struct image_function *callee =
		call ? image_function_at(out->image, call->target) : NULL;
	unsigned left = reg - TRACE_XMM0;
	const struct image_type *type;

	for (unsigned i = 0; callee && (type = parameter_type(out->image, callee, i)); i++) {
		if (type->kind != IMAGE_TYPE_FLOAT || left-- > 0)
			continue;
		out->kind = "call";
		out->clause = naming_keep(n, argument_of(out->image, callee, i));
		out->type = type;
		return type->size == d->size;
	}
	return name_by_printing(n, d, reg, call, out);
}

/* The same of a general register that is only moved to a vector register for the call. */
static bool name_by_move_to_vector(struct naming *n, const struct limits *limits,
				   const struct definition *d, uint64_t at, struct name *out)
{
	unsigned vector = moved_to_vector(limits, out->image, &at, d->reg);

	return vector != TRACE_REG_NONE && name_by_vector_call(n, limits, d, vector, at, out);
}

bool naming_by_argument(struct naming *n, const struct definition *d, struct name *out)
{
	const struct trace_insn *insn = image_insn_at(out->image, out->frame.pc);
	unsigned left = (unsigned)limits_or_default(NULL)->name_insns;
	struct naming_role role;

	if (!insn || insn->flow != TRACE_FLOW_NONE)
		return false;
	if (name_by_move_to_vector(n, NULL, d, insn->addr + insn->length, out))
		return true;
	role = naming_find_role(out->image, insn->addr + insn->length, d->reg, &left);
	return name_by_call(n, &role, d->reg, out);
}

static char *result_of_function(const struct image_function *f)
{
	g_autofree char *words = mangled_words(f->name);

	return g_strdup_printf("the result of %s", words);
}

/* The result, at a place where it is not known yet that the function returns. */
static bool name_by_result(struct naming *n, const struct naming_role *role, struct name *out)
{
	const struct image_function *f = image_function_at(out->image, out->frame.pc);

	if (role->kind != ROLE_RESULT || !f)
		return false;
	out->type = image_return_type(out->image, f);
	if (role->maybe)
		out->clause = naming_keep(n, result_of_function(f));
	else
		out->kind = "return";
	return true;
}

/* ---- where the value goes ---- */

/* Does the instruction store what the register holds, and nothing else? */
static bool stores_it(const struct trace_insn *insn, unsigned reg)
{
	const struct trace_mem *m = &insn->mem[0];

	return insn->n_mem == 1 && !(m->flags & TRACE_MEM_READ) && m->flags & TRACE_MEM_WRITE &&
	       m->base != reg && m->index != reg && insn->use_gpr & 1u << reg &&
	       !(insn->out_gpr & 1u << reg) && insn->flow == TRACE_FLOW_NONE;
}

/* Is the variable in the register before the instruction at frame->pc? */
static bool holds_variable(const struct image *im, const struct image_frame *frame, unsigned reg,
			   const char *name)
{
	const struct image_variable *const *v;
	size_t count = image_variables_at(im, frame->pc, &v);

	for (size_t i = 0; name && i < count; i++) {
		struct image_place p;

		if (g_strcmp0(v[i]->name, name) != 0)
			continue;
		p = image_locate(im, v[i], frame);
		return p.kind == IMAGE_PLACE_REGISTER && p.reg == reg;
	}
	return false;
}

static bool is_line_of(const struct image *im, const struct image_row *row, const struct name *name)
{
	const struct image_statement *s = image_statement(im, row->statement);

	return s->line == name->statement->line && strcmp(s->file, name->statement->file) == 0;
}

/* Is the register set to something else, before anything uses it? */
static bool is_set_anew(const struct formula *f, const struct image *im, uint64_t at, unsigned reg)
{
	unsigned left = (unsigned)limits_or_default(f->limits)->name_insns;

	return naming_find_role(im, at, reg, &left).kind == ROLE_NONE;
}

/* Does the register's value go to the variable `name' (NULL = to the function's result) without
 * a change?  Otherwise it is an operand of the statement, or was set for a call. */
static bool is_passed_to(const struct formula *f, const struct name *from, unsigned reg,
			 const char *name)
{
	const struct image *im = from->image;
	const struct image_row *row = image_row_at(im, from->frame.pc);
	const struct trace_insn *insn = image_insn_at(im, from->frame.pc);
	struct image_frame at = from->frame;
	uint32_t statement = row ? row->statement : 0;

	for (uint64_t left = limits_or_default(f->limits)->name_insns; insn && left; left--) {
		bool own, jumps = insn->flow == TRACE_FLOW_JUMP;

		at.pc = jumps ? insn->target : insn->addr + insn->length;
		insn = image_insn_at(im, at.pc);
		row = insn ? image_row_at(im, at.pc) : NULL;
		own = row && row->statement == statement;
		if (!name && insn && insn->flow == TRACE_FLOW_RET)
			return reg == TRACE_RAX;
		/* the statement may go on at another column */
		if (!name && !own)
			return reg == TRACE_RAX && !(row && is_line_of(im, row, from)) &&
			       !is_set_anew(f, im, at.pc, reg);
		if (!insn || holds_variable(im, &at, reg, name) || (own && stores_it(insn, reg)))
			return insn != NULL;
		if (insn->flow != TRACE_FLOW_NONE && insn->flow != TRACE_FLOW_JUMP)
			return false;
		if (!(insn->use_gpr & 1u << reg))
			continue;
		if (!naming_is_move(im, insn) || !insn->out_gpr)
			return false;
		reg = (unsigned)__builtin_ctz(insn->out_gpr);
	}
	return false;
}

/* Does the code from one address to another, without a jump back, write the register? */
static bool is_register_overwritten(const struct formula *f, const struct image *im, uint64_t from,
				    uint64_t end, unsigned reg)
{
	const struct trace_insn *insn = image_insn_at(im, from);

	for (uint64_t left = limits_or_default(f->limits)->name_insns;
	     insn && insn->addr < end && left; left--) {
		insn = image_insn_at(im, insn->addr + insn->length);
		if (insn && insn->addr <= end && insn->out_gpr & 1u << reg)
			return true;
	}
	return false;
}

/* ---- variables ---- */

/* The register whose value this is, moved or extended; NULL = the value was computed. */
static const struct definition *moved_from(const struct formula *f, const struct definition *d)
{
	const struct term_node *n = term_node(f->pool, d->expr);

	/* an extract from elsewhere, such as the sign, is another value */
	while (n->kind == IR_ZEXT || n->kind == IR_SEXT || (n->kind == IR_EXTRACT && !n->value))
		n = term_node(f->pool, n->a);
	return formula_definition(f, n);
}

/* Is the value nothing but what the other register held?  What came out of a function that was
 * called is not what a variable's register of this one holds, unless it is that of results. */
static bool is_copy_of(const struct formula *f, const struct definition *d, unsigned other)
{
	const struct definition *from = moved_from(f, d);

	if (from && from->kind == DEF_REGISTER && from->rsp < d->rsp)
		return other == TRACE_RAX;
	return from && (from->kind == DEF_REGISTER || from->kind == DEF_INPUT) &&
	       from->reg == other;
}

/* The variable called `name', or any variable for NULL, that is in the register.  copy: the
 * register of which it is a copy. */
static bool name_by_variable(struct naming *n, const struct formula *f, const struct definition *d,
			     const struct image_frame *after, const char *name, bool copy,
			     struct name *out)
{
	const struct image_variable *const *v;
	size_t count = image_variables_at(out->image, after->pc, &v);

	/* then, the variable's value is that of the later instruction */
	if (!copy && d->reg < TRACE_RFLAGS &&
	    is_register_overwritten(f, out->image, out->frame.pc, after->pc - 1, d->reg))
		return false;
	for (size_t i = 0; i < count; i++) {
		struct image_place p = image_locate(out->image, v[i], after);

		if (p.kind != IMAGE_PLACE_REGISTER ||
		    !(copy ? is_copy_of(f, d, p.reg) : p.reg == d->reg) ||
		    (name && g_strcmp0(v[i]->name, name) != 0))
			continue;
		out->clause = naming_keep(n, g_strdup(v[i]->name));
		out->type = v[i]->type;
		return true;
	}
	return false;
}

/* Another register holds the variable, with another value. */
static bool is_elsewhere(const struct formula *f, const struct definition *d,
			 const struct image *im, const struct image_frame *after, const char *name)
{
	const struct image_variable *const *v;
	size_t count = image_variables_at(im, after->pc, &v);

	for (size_t i = 0; i < count; i++) {
		struct image_place p;

		if (g_strcmp0(v[i]->name, name) != 0)
			continue;
		p = image_locate(im, v[i], after);
		return p.kind == IMAGE_PLACE_REGISTER && p.reg != d->reg &&
		       !is_copy_of(f, d, p.reg);
	}
	return false;
}

/* The line's next store stores another value, so this one is not what is assigned. */
static bool is_stored_otherwise(struct naming *n, const struct formula *f,
				const struct definition *d)
{
	uint32_t i = term_node(f->pool, d->variable)->a;
	struct name here, there;

	for (uint32_t k = i + 1;
	     k < f->definitions->len && k < i + limits_or_default(f->limits)->name_definitions;
	     k++) {
		const struct definition *s = &g_array_index(f->definitions, struct definition, k);
		unsigned bits = 8 * MIN(s->size, d->size);
		term_bits mask = bits < 128 ? ((term_bits)1 << bits) - 1 : ~(term_bits)0;

		if (s->kind != DEF_MEMORY || s->rsp != d->rsp ||
		    !naming_statement(n, d->pc, &here) || !naming_statement(n, s->pc, &there))
			continue;
		return here.statement->line == there.statement->line &&
		       strcmp(here.statement->file, there.statement->file) == 0 &&
		       (s->actual & mask) != (d->actual & mask);
	}
	return false;
}

/* A variable in memory that the statement reads. */
static bool name_by_load(struct naming *n, const struct formula *f, const struct definition *d,
			 struct name *out)
{
	const struct definition *from = moved_from(f, d);
	struct image_lvalue lv;
	bool whole;

	/* what the statement itself stored there before may be but a part of what it computes */
	if (!from || from->kind != DEF_MEMORY || from->instance == d->instance ||
	    !image_name_memory(out->image, &out->frame, from->address, from->size, &lv))
		return false;
	whole = lv.type && lv.type->size == from->size && d->size >= from->size;
	if (whole) {
		out->clause = naming_keep(n, g_strdup_printf("%s as it is read here", lv.text));
		out->type = lv.type;
	}
	image_lvalue_clear(&lv);
	return whole;
}

/* A constant or a name, so that nothing is computed. */
static bool is_single(const char *text)
{
	for (const char *p = text; *p; p++)
		if (!source_is_word(*p) && !(p == text && *p == '-'))
			return false;
	return *text != '\0';
}

/* A floating-point result passes through a general register as a whole only. */
static bool is_half_a_float(const struct definition *d, const struct image_type *type)
{
	return type && type->kind == IMAGE_TYPE_FLOAT && type->size != d->size;
}

static bool name_by_text(struct naming *n, const struct formula *f, const struct definition *d,
			 uint64_t end, const struct image_frame *after, struct name *out)
{
	const struct name before = *out;
	struct name last = *out;

	/* the instance's earlier instructions may have used the register otherwise */
	last.frame.pc = end;
	if (naming_by_return(n, out) && !is_half_a_float(d, out->type) &&
	    (is_passed_to(f, &before, d->reg, NULL) || is_passed_to(f, &last, d->reg, NULL) ||
	     is_single(out->clause))) {
		/* of a struct, the second half */
		out->offset = d->reg == TRACE_RDX && out->type && out->type->size > 8 ? 64 : 0;
		return true;
	}
	*out = before;
	if (naming_by_assignment(n, out) &&
	    (is_passed_to(f, &before, d->reg, out->clause) ||
	     is_passed_to(f, &last, d->reg, out->clause)) &&
	    !is_elsewhere(f, d, out->image, after, out->clause) && !is_stored_otherwise(n, f, d))
		return true;
	*out = before;
	return false;
}

/* Does the function return next?  Then xmm0 holds its result. */
static bool returns_from(const struct formula *f, const struct image *im, uint64_t at)
{
	for (unsigned i = 0; i < limits_or_default(f->limits)->name_return; i++) {
		const struct trace_insn *insn = image_insn_at(im, at);

		if (!insn || (insn->flow != TRACE_FLOW_NONE && insn->flow != TRACE_FLOW_JUMP))
			return insn && insn->flow == TRACE_FLOW_RET;
		at = insn->flow == TRACE_FLOW_JUMP ? insn->target : insn->addr + insn->length;
	}
	return false;
}

/* The lowest number in a vector register: that is what is returned or read, as far as the text
 * and the type tell. */
static void name_vector(struct naming *n, const struct formula *f, const struct definition *d,
			uint64_t at, const struct image_frame *after, struct name *out)
{
	const struct name before = *out;

	if (d->reg == TRACE_XMM0 && returns_from(f, out->image, after->pc) &&
	    naming_by_return(n, out) && out->type && out->type->size == d->size)
		return;
	*out = before;
	if (name_by_vector_call(n, f->limits, d, d->reg, at, out))
		return;
	*out = before;
	if (name_by_variable(n, f, d, after, NULL, false, out) || name_by_load(n, f, d, out))
		return;
	out->clause = NAMING_NO_NAME;
	out->type = d->size == 4 ? &real_single : &real_double;
}

void naming_register(struct naming *n, const struct formula *f, const struct definition *d,
		     struct name *out)
{
	uint64_t end = end_of_instance(f, d) - out->frame.bias, at;
	const struct trace_insn *insn = image_insn_at(out->image, end);
	struct image_frame after = out->frame;
	unsigned left = (unsigned)limits_or_default(f->limits)->name_insns;
	struct name assigned = *out;
	bool assigns = naming_by_assignment(n, &assigned);
	struct naming_role role;

	after.pc = end + (insn ? insn->length : 0);
	at = insn && insn->flow != TRACE_FLOW_NONE ? end : after.pc;
	if (d->reg >= TRACE_XMM0) {
		name_vector(n, f, d, at, &after, out);
		return;
	}
	if (name_by_move_to_vector(n, f->limits, d, at, out))
		return;
	role = naming_find_role(out->image, at, d->reg, &left);
	if (assigns && name_by_variable(n, f, d, &after, assigned.clause, false, out))
		return;
	if (name_by_call(n, &role, d->reg, out))
		return;
	if (!assigns && !role.maybe && name_by_result(n, &role, out)) {
		naming_by_return(n, out);
		return;
	}
	/* the register holds a variable that the statement does not change, so the variable was
	 * there before, or comes later */
	if (assigns && is_single(assigned.clause) && name_by_text(n, f, d, end, &after, out))
		return;
	if (name_by_variable(n, f, d, &after, NULL, false, out) ||
	    name_by_text(n, f, d, end, &after, out) ||
	    name_by_variable(n, f, d, &after, NULL, true, out) || name_by_result(n, &role, out) ||
	    name_by_load(n, f, d, out))
		return;
	out->clause = NAMING_NO_NAME;
}
