/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that were inlined into others, and other blocks of variables: whose code stands at an
 * address? */
#include "solver/image/image-private.h"

#include <dwarf.h>

/* A range of an inlined function's code, or of a block with variables.  Ranges nest: an address
 * belongs to the innermost one around it. */
struct inlined {
	uint64_t lo, hi;
	const char *name; /* NULL = a block */
	uint64_t block;	  /* the same for all ranges of one */
	uint32_t depth;
	int32_t outer;	  /* the range around this one, -1 = none */
	const char *file; /* of the call that the function was put in the place of; NULL = not
			   * known */
	unsigned line, column;
	bool implicit; /* the compiler made the function */
};

enum { MOST_DEPTH = 64 };

static unsigned number_of_call(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attr;
	Dwarf_Word value = 0;

	dwarf_formudata(dwarf_attr(die, name, &attr), &value);
	return (unsigned)value;
}

static void read_call_place(struct image *im, Dwarf_Die *die, struct inlined *r)
{
	const unsigned file = number_of_call(die, DW_AT_call_file);
	Dwarf_Files *files;
	Dwarf_Die cu;
	size_t n;

	r->line = number_of_call(die, DW_AT_call_line);
	r->column = number_of_call(die, DW_AT_call_column);
	if (dwarf_diecu(die, &cu, NULL, NULL) && dwarf_getsrcfiles(&cu, &files, &n) == 0 &&
	    file < n)
		r->file = image_file_name(im, &cu, dwarf_filesrc(files, file, NULL, NULL));
}

static void add_ranges(struct image *im, Dwarf_Die *die, bool is_function, uint32_t depth)
{
	struct inlined r = { .name = is_function ? image_function_name(im, die) : NULL,
			     .block = dwarf_dieoffset(die),
			     .depth = depth,
			     .outer = -1 };
	Dwarf_Addr base, lo, hi;
	ptrdiff_t at = 0;

	if (is_function && !r.name)
		return;
	if (r.name) {
		r.name = g_string_chunk_insert_const(im->names, r.name);
		r.implicit = image_is_implicit(die);
		read_call_place(im, die, &r);
	}
	while ((at = dwarf_ranges(die, at, &base, &lo, &hi)) > 0) {
		r.lo = lo;
		r.hi = hi;
		if (lo < hi)
			g_array_append_val(im->inlined, r);
	}
}

static bool is_inlined_variable(Dwarf_Die *die)
{
	int tag = dwarf_tag(die);

	return tag == DW_TAG_variable || tag == DW_TAG_formal_parameter;
}

/* Does it have a list of places, one for each part of the code? */
static bool has_moving_place(Dwarf_Die *variable)
{
	Dwarf_Attribute attr;
	unsigned form;

	if (!dwarf_attr(variable, DW_AT_location, &attr))
		return false;
	form = dwarf_whatform(&attr);
	return form == DW_FORM_sec_offset || form == DW_FORM_loclistx || form == DW_FORM_data4 ||
	       form == DW_FORM_data8;
}

static bool has_variables(Dwarf_Die *block)
{
	Dwarf_Die child;

	if (dwarf_child(block, &child) != 0)
		return false;
	do {
		if (is_inlined_variable(&child))
			return true;
	} while (dwarf_siblingof(&child, &child) == 0);
	return false;
}

static void collect_inlined_scopes(struct image *im, Dwarf_Die *scope, bool *moving, uint32_t depth)
{
	Dwarf_Die child;

	if (depth > MOST_DEPTH || dwarf_child(scope, &child) != 0)
		return;
	do {
		int tag = dwarf_tag(&child);

		*moving |= is_inlined_variable(&child) && has_moving_place(&child);
		if (tag == DW_TAG_inlined_subroutine ||
		    (tag == DW_TAG_lexical_block && has_variables(&child)))
			add_ranges(im, &child, tag == DW_TAG_inlined_subroutine, depth);
		if (tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block)
			collect_inlined_scopes(im, &child, moving, depth + 1);
	} while (dwarf_siblingof(&child, &child) == 0);
}

void image_collect_inlined(struct image *im, Dwarf_Die *function, bool *moving)
{
	if (!im->inlined)
		im->inlined = g_array_new(FALSE, FALSE, sizeof(struct inlined));
	collect_inlined_scopes(im, function, moving, 0);
}

static gint outer_first(gconstpointer a, gconstpointer b)
{
	const struct inlined *x = a, *y = b;

	if (x->lo != y->lo)
		return x->lo < y->lo ? -1 : 1;
	return x->depth < y->depth ? -1 : x->depth > y->depth;
}

void image_nest_inlined(struct image *im)
{
	int32_t around = -1;

	if (!im->inlined)
		return;
	g_array_sort(im->inlined, outer_first);
	for (guint i = 0; i < im->inlined->len; i++) {
		struct inlined *r = &g_array_index(im->inlined, struct inlined, i);

		while (around >= 0 &&
		       g_array_index(im->inlined, struct inlined, around).hi <= r->lo)
			around = g_array_index(im->inlined, struct inlined, around).outer;
		r->outer = around;
		around = (int32_t)i;
	}
}

/* Number of the last range that starts at or before addr, -1 = none. */
static int32_t last_inlined_before(const GArray *ranges, uint64_t addr)
{
	guint lo = 0, hi = ranges->len;

	while (lo < hi) {
		guint mid = (lo + hi) / 2;

		if (g_array_index(ranges, struct inlined, mid).lo <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return (int32_t)lo - 1;
}

/* The innermost range around addr, of functions only or of any kind; NULL = none. */
static const struct inlined *innermost_inlined(const struct image *im, uint64_t addr,
					       bool functions)
{
	int32_t i = im->inlined ? last_inlined_before(im->inlined, addr) : -1;

	while (i >= 0) {
		const struct inlined *r = &g_array_index(im->inlined, struct inlined, i);

		if (addr < r->hi && (r->name || !functions))
			return r;
		i = r->outer;
	}
	return NULL;
}

/* The innermost function around that one. */
static const struct inlined *innermost_inlined_around(const struct image *im,
						      const struct inlined *inner)
{
	for (int32_t i = inner->outer; i >= 0;) {
		const struct inlined *r = &g_array_index(im->inlined, struct inlined, i);

		if (r->name)
			return r;
		i = r->outer;
	}
	return NULL;
}

const char *image_inlined_at(const struct image *im, uint64_t addr)
{
	const struct inlined *r = innermost_inlined(im, addr, true);

	return r ? r->name : NULL;
}

bool image_inlined_is_implicit(const struct image *im, uint64_t addr)
{
	const struct inlined *r = innermost_inlined(im, addr, true);

	return r && r->implicit;
}

bool image_users_call_at(const struct image *im, uint64_t addr, struct image_statement *out)
{
	const struct image_function *f = image_function_at(im, addr);
	const struct inlined *r = innermost_inlined(im, addr, true);

	while (r && (r->implicit || (r->file && image_is_of_system(r->file))))
		r = innermost_inlined_around(im, r);
	if (!f || !r || !r->file || !r->line)
		return false;
	*out = (struct image_statement){ .file = r->file, .line = r->line, .column = r->column };
	r = innermost_inlined_around(im, r);
	out->function = r ? r->name : f->name;
	return true;
}

uint64_t image_block_of_variables(const struct image *im, uint64_t addr)
{
	const struct inlined *r = innermost_inlined(im, addr, false);

	return r ? r->block : 0;
}
