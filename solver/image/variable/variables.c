/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Variables: which ones are visible at an address, and where they are stored. */
#include "solver/image/variable/location.h"
#include "solver/image/variable/scopes.h"
#include "solver/image/variable/types.h"
#include "solver/image/variable/variable.h"

#include <dwarf.h>
#include <string.h>

static uint64_t fixed_address(Dwarf_Die *die)
{
	Dwarf_Attribute attr, indirect;
	Dwarf_Addr address;
	Dwarf_Op *ops;
	size_t n;

	if (!dwarf_attr_integrate(die, DW_AT_location, &attr) ||
	    dwarf_getlocation(&attr, &ops, &n) != 0 || n != 1)
		return 0;
	if (ops[0].atom == DW_OP_addr)
		return ops[0].number;
	/* clang writes it as a number in .debug_addr */
	if ((ops[0].atom == DW_OP_addrx || ops[0].atom == DW_OP_GNU_addr_index) &&
	    dwarf_getlocation_attr(&attr, &ops[0], &indirect) == 0 &&
	    dwarf_formaddr(&indirect, &address) == 0)
		return address;
	return 0;
}

static const char *file_of_die(struct image *im, Dwarf_Die *die)
{
	const char *name = dwarf_decl_file(die);
	Dwarf_Die cu;

	return name && dwarf_diecu(die, &cu, NULL, NULL) ? image_file_name(im, &cu, name) : NULL;
}

static struct image_variable *variable_of_die(struct image *im, Dwarf_Die *die)
{
	struct image_types *t = image_types_of(im);
	struct image_variable *v = g_hash_table_lookup(t->variable_by_die, die->addr);
	Dwarf_Attribute attr;
	Dwarf_Die type;
	int line;

	if (v)
		return v;
	if (!dwarf_diename(die) || !dwarf_attr_integrate(die, DW_AT_type, &attr) ||
	    !dwarf_formref_die(&attr, &type))
		return NULL;
	v = g_new0(struct image_variable, 1);
	v->id = t->variables->len;
	v->name = dwarf_diename(die);
	v->type = image_type_of_die(im, &type);
	v->parameter = dwarf_tag(die) == DW_TAG_formal_parameter;
	v->line = dwarf_decl_line(die, &line) == 0 && line > 0 ? (unsigned)line : 0;
	v->file = file_of_die(im, die);
	v->address = fixed_address(die);
	v->die = die->addr;
	g_ptr_array_add(t->variables, v);
	g_hash_table_insert(t->variable_by_die, die->addr, v);
	return v;
}

/* `for (auto x : all)' has a `__for_range', which no source names; `this' is a parameter. */
static bool is_made_by_compiler(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	bool yes = false;

	return dwarf_tag(die) == DW_TAG_variable &&
	       dwarf_attr_integrate(die, DW_AT_artificial, &attr) &&
	       dwarf_formflag(&attr, &yes) == 0 && yes;
}

static bool is_defined_variable(Dwarf_Die *die)
{
	int tag = dwarf_tag(die);

	/* an `extern' declaration would hide the definition, of which more is known */
	return (tag == DW_TAG_variable || tag == DW_TAG_formal_parameter) &&
	       !dwarf_hasattr(die, DW_AT_declaration) && !is_made_by_compiler(die);
}

/* The variables that stand directly in scope. */
static void add_children(struct image *im, Dwarf_Die *scope, GPtrArray *out)
{
	Dwarf_Die child;

	if (dwarf_child(scope, &child) != 0)
		return;
	do {
		struct image_variable *v =
			is_defined_variable(&child) ? variable_of_die(im, &child) : NULL;

		if (v)
			g_ptr_array_add(out, v);
	} while (dwarf_siblingof(&child, &child) == 0);
}

static bool has_variable_named(const GPtrArray *variables, guint until, const char *name)
{
	for (guint i = 0; i < until; i++)
		if (strcmp(((const struct image_variable *)variables->pdata[i])->name, name) == 0)
			return true;
	return false;
}

/* A copy of a function that gcc made for calls with a constant argument describes that parameter
 * twice: the last time says how its value goes on from the constant. */
static void keep_last_descriptions(GPtrArray *variables)
{
	for (guint i = 0; i < variables->len; i++)
		for (guint k = i + 1; k < variables->len; k++) {
			const struct image_variable *v = variables->pdata[i];
			struct image_variable *other = variables->pdata[k];

			if (strcmp(v->name, other->name) != 0)
				continue;
			variables->pdata[i] = other;
			g_ptr_array_remove_index(variables, k--);
		}
}

/* The variables of a block or function.  A variable that clang has optimized away stands in the
 * abstract function only, but it still hides others of its name. */
static void find_variables(struct image *im, struct scope *scope)
{
	GPtrArray *all = scope->variables = g_ptr_array_new();
	Dwarf_Attribute attr;
	Dwarf_Die origin;

	add_children(im, &scope->die, all);
	keep_last_descriptions(all);
	scope->own = all->len;
	if (!dwarf_attr(&scope->die, DW_AT_abstract_origin, &attr) ||
	    !dwarf_formref_die(&attr, &origin))
		return;
	add_children(im, &origin, all);
	for (guint i = scope->own; i < all->len;)
		if (has_variable_named(all, scope->own,
				       ((struct image_variable *)all->pdata[i])->name))
			g_ptr_array_remove_index(all, i);
		else
			i++;
}

/* Those of a scope of f.  Several scopes may share a variable, so where it is belongs to what is
 * asked now. */
static void add_scope(struct image *im, struct scope *scope, const struct image_function *f,
		      bool inlined, GPtrArray *out)
{
	if (!scope->variables)
		find_variables(im, scope);
	for (guint i = 0; i < scope->variables->len; i++) {
		struct image_variable *v = scope->variables->pdata[i];

		v->inlined = inlined;
		if (v->address)
			continue;
		v->function = f;
		if (scope->is_one_piece && i < scope->own) {
			v->scope_lo = scope->lo;
			v->scope_hi = scope->hi;
		}
	}
	g_ptr_array_extend(out, scope->variables, NULL, NULL);
}

static bool die_of_function(const struct image *im, const struct image_function *f, Dwarf_Die *die)
{
	/* the cache takes one more */
	const struct scope *scope = scope_of_function((struct image *)im, f);

	if (scope)
		*die = scope->die;
	return scope;
}

static bool compile_unit_of(const struct image *im, uint64_t addr, Dwarf_Die *unit)
{
	Dwarf_Die die;

	return die_of_function(im, image_function_at(im, addr), &die) &&
	       dwarf_diecu(&die, unit, NULL, NULL);
}

static void add_file_scope(struct image *im, Dwarf_Die *function, GPtrArray *out)
{
	struct image_types *t = image_types_of(im);
	GPtrArray *known;
	Dwarf_Die unit;

	if (!dwarf_diecu(function, &unit, NULL, NULL))
		return;
	known = g_hash_table_lookup(t->file_scopes, unit.addr);
	if (!known) {
		known = g_ptr_array_new();
		g_hash_table_insert(t->file_scopes, unit.addr, known);
		add_children(im, &unit, known);
	}
	g_ptr_array_extend(out, known, NULL, NULL);
}

enum { MOST_SCOPES = 64 };

static bool is_inlined(struct scope *const *scopes, int i)
{
	while (i > 0 && !scopes[i]->is_inlined)
		i--;
	return i > 0;
}

/* The blocks around addr, outermost first; returns their number.  around: those that begin there
 * are not entered yet.  *own: where the variables of the innermost function begin. */
static int find_scopes(struct image *im, uint64_t addr, bool around, struct scope **scopes,
		       int *own)
{
	int n = 0;

	*own = 0;
	scopes[0] = scope_of_function(im, image_function_at(im, addr));
	if (scopes[0])
		n = 1;
	while (n && n < MOST_SCOPES && (scopes[n] = scope_entered(scopes[n - 1], addr))) {
		/* debuggers that stop where an inlined function begins are still in the one around
		 * it */
		const bool inlined = scopes[n]->is_inlined,
			   begins = inlined && scope_begins_at(scopes[n], addr);

		if (begins && around)
			break;
		if (inlined && !begins)
			*own = n;
		n++;
	}
	return n;
}

const char *image_function_around(const struct image *im, uint64_t addr)
{
	struct scope *scopes[MOST_SCOPES];
	const struct image_function *f = image_function_at(im, addr);
	int own;

	/* the cache takes one more */
	find_scopes((struct image *)im, addr, true, scopes, &own);
	if (own)
		return image_function_name((struct image *)im, &scopes[own]->die);
	return f ? f->name : NULL;
}

/* Fills .visible; returns how many of it are not of functions around an inlined one.  around: as in
 * find_scopes. */
static size_t find_visible(struct image *im, uint64_t addr, bool around)
{
	struct image_types *t = image_types_of(im);
	const struct image_function *f = image_function_at(im, addr);
	struct scope *scopes[MOST_SCOPES];
	int own, n = find_scopes(im, addr, around, scopes, &own);
	size_t in_sight;

	g_clear_pointer(&t->visible, g_ptr_array_unref);
	t->visible = g_ptr_array_new();
	for (int i = n - 1; i >= own; i--)
		add_scope(im, scopes[i], f, is_inlined(scopes, i), t->visible);
	if (n)
		add_file_scope(im, &scopes[0]->die, t->visible);
	in_sight = t->visible->len;
	/* the functions around an inlined one: their names are not visible in it, but the frame
	 * is the same */
	for (int i = own - 1; i >= 0; i--)
		add_scope(im, scopes[i], f, is_inlined(scopes, i), t->visible);
	return in_sight;
}

size_t image_variables_in_sight(const struct image *im, uint64_t addr, bool around,
				const struct image_variable *const **out)
{
	/* the cache takes one more */
	const size_t in_sight = find_visible((struct image *)im, addr, around);

	*out = (const struct image_variable *const *)(void *)im->types->visible->pdata;
	return in_sight;
}

size_t image_variables_at(const struct image *im, uint64_t addr,
			  const struct image_variable *const **out)
{
	image_variables_in_sight(im, addr, false, out);
	return im->types->visible->len;
}

static gint by_variable_address(gconstpointer a, gconstpointer b)
{
	const struct image_variable *x = *(const struct image_variable *const *)a;
	const struct image_variable *y = *(const struct image_variable *const *)b;

	return x->address < y->address ? -1 : x->address > y->address;
}

/* Static locals stand inside of functions and their blocks. */
static void collect_fixed(struct image *im, Dwarf_Die *scope, unsigned depth, GPtrArray *out)
{
	Dwarf_Die child;

	if (depth > 64 || dwarf_child(scope, &child) != 0)
		return;
	do {
		struct image_variable *v;

		switch (dwarf_tag(&child)) {
		case DW_TAG_variable:
			v = fixed_address(&child) ? variable_of_die(im, &child) : NULL;
			if (v)
				g_ptr_array_add(out, v);
			break;
		case DW_TAG_subprogram:
		case DW_TAG_lexical_block:
		case DW_TAG_namespace:
			collect_fixed(im, &child, depth + 1, out);
			break;
		default:
			break;
		}
	} while (dwarf_siblingof(&child, &child) == 0);
}

size_t image_globals(const struct image *im_const, const struct image_variable *const **out)
{
	struct image *im = (struct image *)im_const; /* the cache takes one more */
	struct image_types *t = image_types_of(im);
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;

	if (!t->globals) {
		t->globals = g_ptr_array_new();
		while (dwarf_get_units(im->dwarf, cu, &cu, NULL, NULL, &unit, NULL) == 0)
			collect_fixed(im, &unit, 0, t->globals);
		g_ptr_array_sort(t->globals, by_variable_address);
	}
	*out = (const struct image_variable *const *)(void *)t->globals->pdata;
	return t->globals->len;
}

static bool frame_base_of(const struct image *im, uint64_t pc, Dwarf_Attribute *attr)
{
	Dwarf_Die die;

	return die_of_function(im, image_function_at(im, pc), &die) &&
	       dwarf_attr_integrate(&die, DW_AT_frame_base, attr);
}

/* In optimized code a variable may be known to be a constant. */
static struct image_place locate_constant(Dwarf_Die *die)
{
	struct image_place place = { 0 };
	Dwarf_Attribute attr;
	Dwarf_Word value;

	if (dwarf_attr_integrate(die, DW_AT_const_value, &attr) &&
	    dwarf_formudata(&attr, &value) == 0) {
		place.kind = IMAGE_PLACE_VALUE;
		place.value = value;
	}
	return place;
}

/* Where a function begins, an empty range of a location list says, as to GDB, where the variable is
 * before anything of the function has happened. */
static bool expression_of_entry(const struct image *im, Dwarf_Attribute *location, uint64_t pc,
				Dwarf_Op **ops, size_t *n)
{
	const struct image_function *f = image_function_at(im, pc);
	Dwarf_Addr base, start, end;
	ptrdiff_t offset = 0;

	if (!f || f->entry != pc)
		return false;
	while ((offset = dwarf_getlocations(location, offset, &base, &start, &end, ops, n)) > 0)
		if (start == pc && start == end)
			return true;
		else if (start <= pc && pc < end)
			return false;
	return false;
}

struct image_place image_locate(const struct image *im, const struct image_variable *v,
				const struct image_frame *frame)
{
	struct image_place unknown = { 0 };
	Dwarf_Attribute location, base;
	Dwarf_Die unit, die;
	Dwarf_Op *ops;
	size_t n;
	bool has_base = frame_base_of(im, frame->pc, &base);

	if (v->address) {
		struct image_place fixed = { .kind = IMAGE_PLACE_MEMORY,
					     .address = v->address + frame->bias };

		return fixed;
	}
	if (!compile_unit_of(im, frame->pc, &unit))
		return unknown;
	die = (Dwarf_Die){ .addr = (void *)v->die, .cu = unit.cu };
	if (!dwarf_attr_integrate(&die, DW_AT_location, &location))
		return locate_constant(&die);
	if (!expression_of_entry(im, &location, frame->pc, &ops, &n) &&
	    dwarf_getlocation_addr(&location, frame->pc, &ops, &n, 1) != 1)
		return unknown;
	return location_evaluate(im, frame, has_base ? &base : NULL, ops, n);
}

bool image_name_is_of_source(const char *text)
{
	return !g_str_has_prefix(text, "__") && !strstr(text, "._M_") && !strstr(text, ">_M_");
}

const struct image_type *image_parameter_type(const struct image *im,
					      const struct image_function *f, unsigned n)
{
	const struct image_variable *const *variables;
	size_t all = image_variables_at(im, f->body, &variables);

	for (size_t i = 0; i < all; i++)
		if (variables[i]->parameter && !variables[i]->inlined &&
		    variables[i]->function == f && !n--)
			return variables[i]->type;
	return NULL;
}

bool image_function_has_object(const struct image *im, const struct image_function *f)
{
	const struct image_variable *const *variables;
	size_t all = image_variables_at(im, f->body, &variables);

	for (size_t i = 0; i < all; i++)
		if (variables[i]->parameter && !variables[i]->inlined &&
		    variables[i]->function == f)
			return g_strcmp0(variables[i]->name, "this") == 0;
	return false;
}

/* The type that the type refers to, behind names for it; false: none. */
static bool type_behind(Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Attribute attr;

	return dwarf_attr_integrate(die, DW_AT_type, &attr) && dwarf_formref_die(&attr, type);
}

bool image_function_keeps_object(const struct image *im, const struct image_function *f)
{
	Dwarf_Die die, object, type, target;
	Dwarf_Attribute attr;

	if (!die_of_function(im, f, &die) ||
	    !dwarf_attr_integrate(&die, DW_AT_object_pointer, &attr) ||
	    !dwarf_formref_die(&attr, &object) || !type_behind(&object, &type))
		return false;
	if (dwarf_tag(&type) == DW_TAG_const_type && !type_behind(&type, &type))
		return false;
	return dwarf_tag(&type) == DW_TAG_pointer_type && type_behind(&type, &target) &&
	       dwarf_tag(&target) == DW_TAG_const_type;
}
