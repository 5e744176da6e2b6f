/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions with debug info and the instructions in them. */
#include "solver/image/image-private.h"
#include "solver/isa/insn.h"

#include <dwarf.h>
#include <string.h>

/* Limits what a damaged file may ask for. */
enum { MOST_CODE = 1 << 30 };

static const char *attribute_string(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attr;

	return dwarf_formstring(dwarf_attr_integrate(die, name, &attr));
}

const char *image_function_name(struct image *im, Dwarf_Die *function)
{
	const char *name = dwarf_diename(function);
	g_autofree char *kept = NULL;

	if (name && strstr(name, "basic_string<char")) {
		g_autoptr(GRegex) string =
			g_regex_new("std::(__cxx11::)?basic_string<char(, std::char_traits<char>, "
				    "std::allocator<char> ?)?>( (?=>))?",
				    0, 0, NULL);

		kept = g_regex_replace_literal(string, name, -1, 0, "std::string", 0, NULL);
		name = kept;
	}
	return name ? g_string_chunk_insert_const(im->names, name) : NULL;
}

/* Source file names are made absolute with the compilation directory.  Where that is relative
 * (-fdebug-prefix-map), the name stays relative. */
const char *image_file_name(struct image *im, Dwarf_Die *cu, const char *name)
{
	const char *directory;
	g_autofree char *full = NULL;

	if (!name)
		return "";
	directory = g_path_is_absolute(name) ? NULL : attribute_string(cu, DW_AT_comp_dir);
	/* libdw has put a relative directory in front of it */
	full = directory && g_path_is_absolute(directory) ? g_canonicalize_filename(name, directory)
							  : g_strdup(name);
	return g_string_chunk_insert_const(im->names, full);
}

struct unit {
	struct image *im;
	Dwarf_Die cu;
	bool moving;
};

static bool holds_code(const struct image *im, uint64_t lo, uint64_t hi)
{
	size_t avail;

	return lo < hi && hi - lo < MOST_CODE && image_bytes(im, lo, &avail) && avail >= hi - lo;
}

static int add_function(Dwarf_Die *die, void *arg)
{
	struct unit *u = arg;
	struct image_function f = { 0 };
	Dwarf_Addr base, lo, hi, entry;
	Dwarf_Off offset = dwarf_dieoffset(die);
	ptrdiff_t at = 0;
	int line = 0;

	if (dwarf_entrypc(die, &entry) != 0 && dwarf_ranges(die, 0, &base, &entry, &hi) <= 0)
		return DWARF_CB_OK;
	f.name = image_function_name(u->im, die);
	f.name = f.name ? f.name : "?";
	f.file = image_file_name(u->im, &u->cu, dwarf_decl_file(die));
	f.line = dwarf_decl_line(die, &line) == 0 && line > 0 ? (unsigned)line : 0;
	f.noreturn = dwarf_hasattr_integrate(die, DW_AT_noreturn);
	f.entry = entry;
	image_collect_inlined(u->im, die, &u->moving);
	while ((at = dwarf_ranges(die, at, &base, &lo, &hi)) > 0) {
		if (!holds_code(u->im, lo, hi))
			continue;
		f.lo = f.body = lo;
		f.hi = hi;
		f.id = (uint32_t)offset; /* until they are sorted */
		g_array_append_val(u->im->functions, f);
	}
	return DWARF_CB_OK;
}

/* They have no entry in the debug information. */
static void add_stubs(struct image *im)
{
	enum { STUB = 16 };

	for (guint i = 0; i < im->segments->len; i++) {
		const struct image_segment *s =
			&g_array_index(im->segments, struct image_segment, i);
		uint64_t size = s->file_hi - s->lo;
		const uint8_t *end = im->bytes + s->offset + size;
		unsigned n = size >= STUB && !memcmp(end - STUB, IMAGE_STUBS_MARK,
						     sizeof IMAGE_STUBS_MARK - 1)
				     ? end[-1]
				     : 0;

		for (unsigned k = 1; k <= n && (k + 1) * STUB <= size; k++) {
			uint64_t lo = s->file_hi - (k + 1) * STUB;
			struct image_function f = { .name = "checked call",
						    .file = "",
						    .lo = lo,
						    .hi = lo + STUB,
						    .entry = lo,
						    .body = lo,
						    .id = UINT32_MAX };

			g_array_append_val(im->functions, f);
		}
	}
}

static gint by_function_address(gconstpointer a, gconstpointer b)
{
	const struct image_function *x = a, *y = b;

	return x->lo < y->lo ? -1 : x->lo > y->lo;
}

static void drop_overlapping_functions(GArray *functions)
{
	uint64_t end = 0;

	for (guint i = 0; i < functions->len;) {
		const struct image_function *f =
			&g_array_index(functions, struct image_function, i);

		if (f->lo < end) {
			g_array_remove_index(functions, i);
		} else {
			end = f->hi;
			i++;
		}
	}
}

static void number_functions(struct image *im)
{
	g_array_sort(im->functions, by_function_address);
	drop_overlapping_functions(im->functions);
	im->function_dies = g_array_new(FALSE, FALSE, sizeof(Dwarf_Off));
	for (guint i = 0; i < im->functions->len; i++) {
		struct image_function *f = &g_array_index(im->functions, struct image_function, i);
		Dwarf_Off offset = f->id;

		g_array_append_val(im->function_dies, offset);
		f->id = i;
	}
}

/* A range that does not hold the entry belongs to the range that does. */
static void join_cold_parts(struct image *im)
{
	uint32_t none = 0;

	im->next_part = g_array_new(FALSE, TRUE, sizeof(uint32_t));
	for (guint i = 0; i < im->functions->len; i++)
		g_array_append_val(im->next_part, none);
	for (guint i = 0; i < im->functions->len; i++) {
		struct image_function *f = &g_array_index(im->functions, struct image_function, i);

		if (f->entry < f->lo || f->entry >= f->hi)
			f->parent = image_function_at(im, f->entry);
		if (!f->parent)
			continue;
		g_array_index(im->next_part, uint32_t, i) =
			g_array_index(im->next_part, uint32_t, f->parent->id);
		g_array_index(im->next_part, uint32_t, f->parent->id) = i + 1;
	}
}

const struct image_function *image_next_part(const struct image *im,
					     const struct image_function *part)
{
	uint32_t next = g_array_index(im->next_part, uint32_t, part->id);

	return next ? &g_array_index(im->functions, struct image_function, next - 1) : NULL;
}

static void find_code_range(struct image *im)
{
	im->code_lo = g_array_index(im->functions, struct image_function, 0).lo;
	im->code_hi =
		g_array_index(im->functions, struct image_function, im->functions->len - 1).hi;
	if (im->code_hi - im->code_lo >= MOST_CODE)
		im->code_hi = im->code_lo; /* nothing is decoded, so nothing is traced */
}

static void decode_function(struct image *im, const struct image_function *f)
{
	for (uint64_t a = f->lo; a < f->hi;) {
		struct trace_insn insn;
		size_t avail;
		const uint8_t *bytes = image_bytes(im, a, &avail);

		if (!bytes || !insn_decode(bytes, MIN(avail, f->hi - a), a, &insn)) {
			a++;
			continue;
		}
		g_array_append_val(im->insns, insn);
		im->insn_index[a - im->code_lo] = im->insns->len;
		a += insn.length;
	}
}

void image_read_functions(struct image *im)
{
	Dwarf_CU *cu = NULL;
	struct unit u = { .im = im };

	im->functions = g_array_new(FALSE, FALSE, sizeof(struct image_function));
	im->insns = g_array_new(FALSE, FALSE, sizeof(struct trace_insn));
	while (dwarf_get_units(im->dwarf, cu, &cu, NULL, NULL, &u.cu, NULL) == 0) {
		guint first = im->functions->len;

		u.moving = false;
		dwarf_getfuncs(&u.cu, add_function, &u, 0);
		for (guint i = first; i < im->functions->len; i++)
			g_array_index(im->functions, struct image_function, i).moving = u.moving;
	}
	if (!im->functions->len)
		return;
	add_stubs(im);
	image_nest_inlined(im);
	number_functions(im);
	join_cold_parts(im);
	find_code_range(im);
	im->insn_index = g_new0(uint32_t, im->code_hi - im->code_lo + 1);
	for (guint i = 0; im->code_hi > im->code_lo && i < im->functions->len; i++)
		decode_function(im, &g_array_index(im->functions, struct image_function, i));
}

size_t image_functions(const struct image *im, const struct image_function **out)
{
	*out = (const struct image_function *)(const void *)im->functions->data;
	return im->functions->len;
}

const struct image_function *image_function_at(const struct image *im, uint64_t addr)
{
	guint lo = 0, hi = im->functions->len;

	while (lo < hi) {
		guint mid = (lo + hi) / 2;
		const struct image_function *f =
			&g_array_index(im->functions, struct image_function, mid);

		if (addr < f->lo)
			hi = mid;
		else if (addr >= f->hi)
			lo = mid + 1;
		else
			return f;
	}
	return NULL;
}

const struct image_function *image_function_named(const struct image *im, const char *name)
{
	for (guint i = 0; i < im->functions->len; i++) {
		const struct image_function *f =
			&g_array_index(im->functions, struct image_function, i);

		if (!f->parent && strcmp(f->name, name) == 0)
			return f;
	}
	return NULL;
}

size_t image_insns(const struct image *im, const struct trace_insn **out)
{
	*out = (const struct trace_insn *)(const void *)im->insns->data;
	return im->insns->len;
}

const struct trace_insn *image_insn_at(const struct image *im, uint64_t addr)
{
	uint32_t n;

	if (addr < im->code_lo || addr >= im->code_hi)
		return NULL;
	n = im->insn_index[addr - im->code_lo];
	return n ? &g_array_index(im->insns, struct trace_insn, n - 1) : NULL;
}
