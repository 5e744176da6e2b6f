/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mutants of calls: two arguments are exchanged. */
#include "solver/change/mutant/instruction-mutants.h"
#include "solver/image/variable/variable.h"
#include "solver/library/mangled.h"

#include <string.h>

enum { CALL = 0xe8, EXCHANGE = 3, MOST = 4 };

/* Counts the first arguments that are set by the instructions between the last branch or call
 * and this call.  The other registers hold leftovers, or what these arguments were copied from. */
static size_t arguments_set(const struct image *im, uint64_t call)
{
	static const unsigned in[MOST] = { TRACE_RDI, TRACE_RSI, TRACE_RDX, TRACE_RCX };
	const struct trace_insn *insns, *at = image_insn_at(im, call);
	unsigned set = 0, read = 0;
	size_t n = 0;

	image_insns(im, &insns);
	for (; at && at > insns && at[-1].addr + at[-1].length == at->addr &&
	       at[-1].flow == TRACE_FLOW_NONE;
	     at--) {
		set |= at[-1].out_gpr & ~read;
		read |= at[-1].use_gpr & ~(unsigned)at[-1].out_gpr;
	}
	while (n < MOST && set & 1u << in[n])
		n++;
	return n;
}

/* At most so many arguments are in registers for whole numbers and pointers.  Of a function without
 * debug information the caller's code tells; an object that it returns has its place for an
 * argument. */
static size_t most_arguments(const struct image *im, uint64_t call, uint64_t callee)
{
	const struct image_function *f = image_function_at(im, callee);
	const struct image_type *returned = f ? image_return_type(im, f) : NULL;
	const struct image_variable *const *variables;
	size_t n = f ? image_variables_at(im, f->body, &variables) : 0;
	size_t parameters = returned && returned->kind >= IMAGE_TYPE_STRUCT;

	for (size_t i = 0; i < n; i++)
		parameters += variables[i]->parameter && variables[i]->function == f;
	return n ? parameters : arguments_set(im, call);
}

static const struct image_type *pointed_type_of(const struct image_type *t)
{
	return t->kind == IMAGE_TYPE_POINTER ? t->target : NULL;
}

enum { NO_ARGUMENT = -1 };

/* The number that the source's argument has which the register-th register for whole numbers holds,
 * from 1; 0 = the object of a member function, NO_ARGUMENT: none is there, or it is not known. */
static int argument_in_register(const struct image *im, const struct image_function *f,
				const char *name, unsigned reg)
{
	const bool in_memory = f && image_result_in_memory(image_return_type(im, f));
	int left = (int)reg - in_memory;
	const struct image_type *t;

	if (!f)
		return (int)reg - (name && mangled_is_member(name));
	for (unsigned i = 0; left > 0 && (t = image_parameter_type(im, f, i)); i++) {
		if (t->kind < IMAGE_TYPE_BOOL || t->kind > IMAGE_TYPE_POINTER || t->size > 8)
			return t->kind == IMAGE_TYPE_FLOAT ? NO_ARGUMENT : (int)reg - in_memory;
		if (t->kind != IMAGE_TYPE_FLOAT && --left == 0)
			return (int)i + 1 - image_function_has_object(im, f);
	}
	return left > 0 ? (int)reg - in_memory : NO_ARGUMENT;
}

/* Would a compiler take the two arguments of the function, from 1, for each other?  A pointer for a
 * number, or for a pointer to something else, nobody writes.  Where nobody knows, they may be. */
static bool may_be_exchanged(const struct image *im, const struct image_function *f, unsigned first,
			     unsigned second)
{
	const struct image_type *returned = f ? image_return_type(im, f) : NULL;
	const struct image_type *a = f ? image_parameter_type(im, f, first - 1) : NULL;
	const struct image_type *b = f ? image_parameter_type(im, f, second - 1) : NULL;
	const struct image_type *x = a ? pointed_type_of(a) : NULL,
				*y = b ? pointed_type_of(b) : NULL;

	if (!a || !b || (returned && returned->kind >= IMAGE_TYPE_STRUCT))
		return true;
	if ((a->kind == IMAGE_TYPE_POINTER) != (b->kind == IMAGE_TYPE_POINTER))
		return false;
	return !x || !y || (x->kind == y->kind && g_strcmp0(x->name, y->name) == 0);
}

/* Whole numbers and pointers only, which are in registers; the call is executed elsewhere, behind
 * the exchange. */
void mutants_of_call(const struct image *im, const struct insn *in, GArray *all)
{
	/* xchg rdi,rsi; rsi,rdx; rdx,rcx; rdi,rdx */
	static const struct {
		uint8_t code[EXCHANGE], first, second;
	} pairs[] = { { { 0x48, 0x87, 0xf7 }, 1, 2 },
		      { { 0x48, 0x87, 0xd6 }, 2, 3 },
		      { { 0x48, 0x87, 0xca }, 3, 4 },
		      { { 0x48, 0x87, 0xd7 }, 1, 3 } };
	const struct image_function *f;
	const char *name;
	uint64_t callee;
	size_t most;
	bool has_object;

	if (in->bytes[0] != CALL)
		return;
	callee = in->addr + in->i.length + (uint64_t)in->o[0].imm.value.s;
	f = image_function_at(im, callee);
	name = f ? f->name : image_native_name(im, callee);
	has_object = f && image_function_has_object(im, f);
	most = most_arguments(im, in->addr, callee);
	for (size_t k = 0; k < G_N_ELEMENTS(pairs); k++) {
		struct mutant made = mutant_of(in, MUTANT_EXCHANGED);

		const int first = argument_in_register(im, f, name, pairs[k].first),
			  second = argument_in_register(im, f, name, pairs[k].second);

		if (pairs[k].second > most || first == NO_ARGUMENT || second == NO_ARGUMENT ||
		    !may_be_exchanged(im, f, (unsigned)(first + has_object),
				      (unsigned)(second + has_object)))
			continue;
		memcpy(made.bytes, pairs[k].code, EXCHANGE);
		made.bytes[EXCHANGE] = CALL;
		made.size = EXCHANGE + 5;
		made.link_at = EXCHANGE + 1;
		made.link_to = callee;
		made.from = first;
		made.to = second;
		mutants_take(all, in, &made);
	}
}
