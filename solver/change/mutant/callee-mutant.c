/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/change/mutant/callee-mutant.h"

#include "solver/image/variable/variable.h"
#include "solver/library/library.h"

#include <stdlib.h>
#include <string.h>

enum { CALL = 0xe8, CALL_SIZE = 5 };

/* One that has no debug information. */
struct native {
	const char *name;
	uint64_t addr; /* of its entry in the PLT, or of the function; link-time */
};

struct callee_mutants {
	const struct image *im;
	const struct limits *limits;
	GArray *natives; /* struct native, those that the image calls, each once; NULL = not looked
			  * for yet */
	GStringChunk *words;
};

struct callee_mutants *callee_mutants_new(const struct image *im, const struct limits *limits)
{
	struct callee_mutants *x = g_new0(struct callee_mutants, 1);

	x->im = im;
	x->limits = limits;
	x->words = g_string_chunk_new(256);
	return x;
}

void callee_mutants_free(struct callee_mutants *x)
{
	if (!x)
		return;
	if (x->natives)
		g_array_unref(x->natives);
	g_string_chunk_free(x->words);
	g_free(x);
}

/* 0 = it is no direct call of five bytes. */
static uint64_t address_called_by(const struct image *im, const struct trace_insn *insn)
{
	size_t avail = 0;
	const uint8_t *bytes = insn && insn->flow == TRACE_FLOW_CALL && insn->length == CALL_SIZE
				       ? image_bytes(im, insn->addr, &avail)
				       : NULL;

	return bytes && avail >= CALL_SIZE && bytes[0] == CALL ? insn->target : 0;
}

static const GArray *natives_of(struct callee_mutants *x)
{
	g_autoptr(GHashTable) known = NULL;
	const struct trace_insn *insns;
	size_t n = image_insns(x->im, &insns);

	if (x->natives)
		return x->natives;
	known = g_hash_table_new(g_str_hash, g_str_equal);
	x->natives = g_array_new(FALSE, FALSE, sizeof(struct native));
	for (size_t i = 0; i < n; i++) {
		struct native one = { .addr = address_called_by(x->im, &insns[i]) };

		one.name = one.addr ? image_native_name(x->im, one.addr) : NULL;
		if (one.name && library_find(one.name) && g_hash_table_add(known, (void *)one.name))
			g_array_append_val(x->natives, one);
	}
	return x->natives;
}

static void add_callee_mutant(struct callee_mutants *x, uint64_t addr, const char *from,
			      const char *to, uint64_t entry, GArray *all)
{
	g_autofree char *words = g_strdup_printf("`%s' for `%s'", to, from);
	const struct mutant made = {
		.kind = MUTANT_CALLEE,
		.addr = addr,
		.length = CALL_SIZE,
		.size = CALL_SIZE,
		.bytes = { CALL },
		.link_at = 1,
		.link_to = entry,
		.words = g_string_chunk_insert_const(x->words, words),
	};

	g_array_append_val(all, made);
}

static void add_natives(struct callee_mutants *x, uint64_t addr, const char *name, GArray *all)
{
	const struct library_function *f = library_find(name);
	const GArray *natives = f ? natives_of(x) : NULL;

	for (guint i = 0; natives && i < natives->len; i++) {
		const struct native *one = &g_array_index(natives, struct native, i);

		if (strcmp(one->name, name) != 0 && library_does_alike(f, library_find(one->name)))
			add_callee_mutant(x, addr, name, one->name, one->addr, all);
	}
}

/* ---- the program's own ---- */

static bool is_same_passed_type(const struct image_type *a, const struct image_type *b)
{
	while (a && b && a != b && a->kind == IMAGE_TYPE_POINTER && b->kind == a->kind) {
		a = a->target;
		b = b->target;
	}
	if (!a || !b || a == b)
		return a == b;
	return a->kind == b->kind && a->size == b->size && a->is_signed == b->is_signed &&
	       (a->kind < IMAGE_TYPE_STRUCT || g_strcmp0(a->name, b->name) == 0);
}

/* Types of the parameters in their order: const struct image_type *; NULL = the last one is
 * missing, or there is none at all. */
static GPtrArray *parameter_types_of(const struct image *im, const struct image_function *f)
{
	GPtrArray *types = g_ptr_array_new();
	const struct image_variable *const *variables;
	size_t n = image_variables_at(im, f->body, &variables);

	for (size_t i = 0; i < n; i++)
		if (variables[i]->parameter && variables[i]->function == f)
			g_ptr_array_add(types, (void *)variables[i]->type);
	return types;
}

/* Nobody calls another function in the place of a constructor or a destructor. */
static bool makes_object(const struct image_function *f, const GPtrArray *parameters)
{
	const struct image_type *t = parameters->len ? parameters->pdata[0] : NULL;
	const char *name = t && t->target && t->target->name ? t->target->name : "";
	const size_t length = strcspn(name, "<");

	return *f->name == '~' ||
	       (length && strlen(f->name) == length && strncmp(f->name, name, length) == 0);
}

static bool is_called_alike(const struct image *im, const struct image_function *f,
			    const GPtrArray *parameters, const struct image_function *other)
{
	g_autoptr(GPtrArray) types = NULL;
	bool same = other != f && !other->parent && !other->noreturn && other->name &&
		    strcmp(other->name, "main") != 0 &&
		    is_same_passed_type(image_return_type(im, f), image_return_type(im, other));

	types = same ? parameter_types_of(im, other) : NULL;
	same = types && types->len == parameters->len && !makes_object(f, parameters) &&
	       !makes_object(other, types);
	for (guint i = 0; same && i < types->len; i++)
		same = is_same_passed_type(types->pdata[i], parameters->pdata[i]);
	return same;
}

/* The functions around it, by turns: before it, behind it, and so on. */
static void add_nearby_callees(struct callee_mutants *x, uint64_t addr,
			       const struct image_function *f, GArray *all)
{
	const struct image_function *functions;
	size_t n = image_functions(x->im, &functions), at = 0;
	g_autoptr(GPtrArray) parameters = parameter_types_of(x->im, f);
	const guint before = all->len;

	while (at < n && functions[at].entry != f->entry)
		at++;
	for (size_t away = 1; away < n && all->len - before < x->limits->slip_callees; away++) {
		const struct image_function *around[] = {
			at >= away ? &functions[at - away] : NULL,
			at + away < n ? &functions[at + away] : NULL,
		};

		for (size_t k = 0; k < G_N_ELEMENTS(around); k++)
			if (around[k] && g_strcmp0(around[k]->file, f->file) == 0 &&
			    is_called_alike(x->im, f, parameters, around[k]))
				add_callee_mutant(x, addr, f->name, around[k]->name,
						  around[k]->entry, all);
	}
}

void callee_mutants_of(struct callee_mutants *x, uint64_t addr, GArray *all)
{
	const uint64_t callee = address_called_by(x->im, image_insn_at(x->im, addr));
	const struct image_function *f = callee ? image_function_at(x->im, callee) : NULL;
	const char *name = callee && !f ? image_native_name(x->im, callee) : NULL;

	if (f && f->entry == callee && f->name && !f->parent)
		add_nearby_callees(x, addr, f, all);
	else if (name)
		add_natives(x, addr, name, all);
}
