/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a name means in a frame. */
#include "solver/image/variable/variable.h"
#include "solver/source/expression/c-type.h"
#include "solver/source/expression/expression-private.h"
#include "solver/source/stop.h"

#include <string.h>

const struct image_variable *compile_find_variable(const struct compiler *c, const char *name)
{
	const struct image_variable *const *v, *only = NULL;
	size_t n = image_variables_in_sight(c->im, c->frame->pc, c->frame->around, &v);

	for (size_t i = 0; i < n; i++)
		if (strcmp(v[i]->name, name) == 0)
			return v[i];
	/* elsewhere, where no other function or file has one */
	n = image_globals(c->im, &v);
	for (size_t i = 0; i < n; i++) {
		if (strcmp(v[i]->name, name) != 0)
			continue;
		if (only && only->address != v[i]->address)
			return NULL;
		only = v[i];
	}
	return only;
}

static struct operand operand_of_object(struct compiler *c, const struct image_type *type,
					uint64_t address)
{
	return (struct operand){ type, compile_constant(c, 64, address), -1, 0, 0 };
}

static struct operand unknown_value(struct compiler *c, const struct image_variable *v)
{
	unsigned width = 8 * (unsigned)MIN(MAX(v->type->size, 1), 8);

	if (!c->unknown)
		c->unknown = g_strdup_printf("`%s' is optimized out there", v->name);
	return (struct operand){ v->type, -1,
				 compile_op(c, (struct ir_op){ .kind = IR_UNKNOWN,
							       .width = (uint16_t)width,
							       .a = -1,
							       .b = -1,
							       .c = -1,
							       .d = -1 }),
				 0, 0 };
}

static struct operand in_register(struct compiler *c, const struct image_type *type, unsigned reg)
{
	unsigned at = reg < TRACE_RFLAGS ? IR_STATE_GPR + 8 * reg
					 : IR_STATE_YMM + 32 * (reg - TRACE_XMM0);

	return (struct operand){ type, -1,
				 compile_op(c, (struct ir_op){ .kind = IR_GET,
							       .width = (uint16_t)(8 * type->size),
							       .offset = (uint16_t)at,
							       .a = -1,
							       .b = -1,
							       .c = -1,
							       .d = -1 }),
				 0, 0 };
}

static struct operand place_of_variable(struct compiler *c, const struct image_variable *v)
{
	struct image_place p;

	if (!v->type)
		return compile_fail(c, "the type of `%s' is not known", v->name);
	p = image_locate(c->im, v, c->frame);
	if (p.kind == IMAGE_PLACE_MEMORY)
		return operand_of_object(c, v->type, p.address);
	if (p.kind == IMAGE_PLACE_REGISTER && v->type->size && v->type->size <= 8 &&
	    p.reg != TRACE_RFLAGS)
		return in_register(c, v->type, p.reg);
	if (p.kind == IMAGE_PLACE_VALUE && v->type->size && v->type->size <= 8)
		return (struct operand){ v->type, -1,
					 compile_constant(c, 8 * (unsigned)v->type->size, p.value),
					 0, 0 };
	return unknown_value(c, v);
}

static struct operand compile_variable(struct compiler *c, const struct image_variable *v)
{
	return compile_referred(c, place_of_variable(c, v));
}

/* ---- registers ---- */

static const char *const registers[4][16] = {
	{ "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12",
	  "r13", "r14", "r15" },
	{ "eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi", "r8d", "r9d", "r10d", "r11d",
	  "r12d", "r13d", "r14d", "r15d" },
	{ "ax", "cx", "dx", "bx", "", "bp", "si", "di", "r8w", "r9w", "r10w", "r11w", "r12w",
	  "r13w", "r14w", "r15w" },
	{ "al", "cl", "dl", "bl", "spl", "bpl", "sil", "dil", "r8l", "r9l", "r10l", "r11l", "r12l",
	  "r13l", "r14l", "r15l" },
};
static const enum c_type register_types[] = { C_LONG, C_INT, C_SHORT, C_SCHAR };

/* The status with which the program exits there. */
static struct operand exit_status(struct compiler *c)
{
	int reg = stop_status_register(c->im, c->frame->pc);
	struct operand byte;

	if (reg < 0)
		return compile_fail(c, "that is known only where the program exits, --at exit");
	byte = in_register(c, c_type(C_UCHAR), (unsigned)reg);
	return compile_convert(c, byte, c_type(C_INT));
}

static struct operand machine_name(struct compiler *c, const char *name)
{
	if (strcmp(name, "_exitcode") == 0)
		return exit_status(c);
	if (strcmp(name, "pc") == 0 || strcmp(name, "rip") == 0)
		return (struct operand){ c_type(C_ULONG), -1,
					 compile_constant(c, 64, c->frame->pc + c->frame->bias), 0,
					 0 };
	if (strcmp(name, "eflags") == 0)
		return compile_fail(c, "the flags have what the last computation left to the next "
				       "branch; `why not COND' asks about its condition, `why line "
				       "N' why a line was reached");
	if (strcmp(name, "sp") == 0)
		name = "rsp";
	else if (strcmp(name, "fp") == 0)
		name = "rbp";
	for (unsigned k = 0; *name && k < G_N_ELEMENTS(registers); k++)
		for (unsigned i = 0; i < 16; i++)
			if (strcmp(registers[k][i], name) == 0)
				return in_register(c, c_type(register_types[k]), i);
	return compile_fail(c,
			    "`$%s' is not known to a replay; of GDB's names these are: general "
			    "registers, $pc, $sp, $fp, and $_exitcode where the program exits",
			    name);
}

/* ---- other scopes ---- */

static bool is_of_file(const struct compiler *c, const struct image_function *f, const char *file)
{
	const struct image_row *row = image_row_at(c->im, f->lo);
	const char *path = row ? image_statement(c->im, row->statement)->file : NULL;
	g_autofree char *end = g_strconcat("/", file, NULL);

	return path && (strcmp(path, file) == 0 || g_str_has_suffix(path, end));
}

/* Among the variables that are visible there, one that has a fixed address. */
static const struct image_variable *static_at(const struct compiler *c, uint64_t pc,
					      const char *name)
{
	const struct image_variable *const *v;
	size_t n = image_variables_at(c->im, pc, &v);

	for (size_t i = 0; i < n; i++)
		if (v[i]->address && strcmp(v[i]->name, name) == 0)
			return v[i];
	return NULL;
}

static const struct image_variable *variable_of_file(const struct compiler *c, const char *file,
						     const char *name)
{
	const struct image_function *f;
	size_t n = image_functions(c->im, &f);
	const struct image_variable *v = NULL;

	for (size_t i = 0; i < n && !v; i++)
		if (is_of_file(c, &f[i], file))
			v = static_at(c, f[i].lo, name);
	return v;
}

static const struct image_variable *variable_of_function(const struct compiler *c,
							 const char *function, const char *name)
{
	const struct image_function *f = image_function_named(c->im, function);
	const struct image_variable *v = NULL;

	for (uint64_t pc = f ? f->lo : 0; f && pc < f->hi && !v;) {
		const struct trace_insn *insn = image_insn_at(c->im, pc);

		v = static_at(c, pc, name);
		pc += insn ? insn->length : 1;
	}
	return v;
}

static const struct image_variable *global_variable(const struct compiler *c, const char *name)
{
	const struct image_variable *const *v;
	size_t n = image_globals(c->im, &v);

	for (size_t i = 0; i < n; i++)
		if (strcmp(v[i]->name, name) == 0)
			return v[i];
	return NULL;
}

static struct operand compile_scoped_name(struct compiler *c, const char *scope, const char *name)
{
	const struct image_variable *v =
		!*scope ? global_variable(c, name) : variable_of_function(c, scope, name);

	if (!v && *scope)
		v = variable_of_file(c, scope, name);
	if (v)
		return compile_variable(c, v);
	return *scope ? compile_fail(c, "`%s' has no variable `%s' that is there all the time",
				     scope, name)
		      : compile_fail(c, "there is no variable `%s' outside of functions", name);
}

/* Debug information without macros (-g3) does not have them, but the source does. */
static bool find_macro(const struct compiler *c, const char *name, int64_t *number)
{
	const struct image_row *row = image_row_at(c->im, c->frame->pc);
	const struct image_statement *s = row ? image_statement(c->im, row->statement) : NULL;

	return s && s->file && image_source_number(c->im, s->file, name, number);
}

/* Says where there is a variable of that name, too. */
static struct operand fail_without_variable(struct compiler *c, const char *name)
{
	const struct image_named_variable *v = image_variable_named(c->im, name);
	g_autofree char *file = v && v->line && v->file ? g_path_get_basename(v->file) : NULL;
	g_autofree char *at = file ? g_strdup_printf(" at %s:%u", file, v->line) : g_strdup("");
	g_autofree char *in =
		v && v->function ? g_strdup_printf(" in %s", v->function) : g_strdup("");

	if (!*at && !*in)
		return compile_fail(c, "there is no variable `%s' in sight there", name);
	return compile_fail(c, "there is no variable `%s' in sight there, but there is one%s%s%s",
			    name, in, at, v->has_others ? ", and others" : "");
}

struct operand compile_name(struct compiler *c, const char *name)
{
	const char *inner = strstr(name, "::");
	g_autofree char *scope = inner ? g_strndup(name, (gsize)(inner - name)) : NULL;

	static const struct image_type function_type = { .kind = IMAGE_TYPE_FUNCTION };
	const struct image_variable *v = compile_find_variable(c, name);
	const struct image_type *t;
	const struct image_function *f;
	int64_t number;

	if (scope)
		return compile_scoped_name(c, scope, inner + strlen("::"));
	if (*name == '$')
		return machine_name(c, name + 1);
	if (v)
		return compile_variable(c, v);
	t = image_enumerator_named(c->im, name, &number);
	if (t && t->size && t->size <= 8)
		return (struct operand){
			t, -1, compile_constant(c, 8 * (unsigned)t->size, (uint64_t)number), 0, 0
		};
	f = image_function_named(c->im, name);
	if (f)
		return operand_of_object(c, &function_type, f->entry + c->frame->bias);
	if (find_macro(c, name, &number)) {
		t = c_type(number == (int32_t)number ? C_INT : C_LONG);
		return (struct operand){
			t, -1, compile_constant(c, 8 * (unsigned)t->size, (uint64_t)number), 0, 0
		};
	}
	return fail_without_variable(c, name);
}
