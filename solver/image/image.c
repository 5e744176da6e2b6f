/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/image/debug-file.h"
#include "solver/image/image-private.h"

#include <dwarf.h>
#include <elfutils/libdwelf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

G_DEFINE_QUARK(image - error - quark, image_error)

static bool fail_with_image_error(GError **error, enum image_error code, const char *format, ...)
	G_GNUC_PRINTF(3, 4);

static bool fail_with_image_error(GError **error, enum image_error code, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_propagate_error(error, g_error_new_valist(IMAGE_ERROR, (int)code, format, args));
	va_end(args);
	return false;
}

static bool map_image_file(struct image *im, const char *path, GError **error)
{
	struct stat st;
	GError *cause = NULL;

	im->path = realpath(path, NULL);
	if (!im->path || stat(im->path, &st) < 0)
		return fail_with_image_error(error, IMAGE_ERROR_OPEN,
					     "%s: %s; give the program's path.", path,
					     g_strerror(errno));
	if (!S_ISREG(st.st_mode))
		return fail_with_image_error(error, IMAGE_ERROR_OPEN,
					     "%s is not a regular file; give a program.", path);
	im->file = debug_file_map(im->path, &cause);
	if (!im->file) {
		fail_with_image_error(error, IMAGE_ERROR_OPEN, "%s cannot be read: %s.", path,
				      cause->message);
		g_clear_error(&cause);
		return false;
	}
	im->bytes = (const uint8_t *)g_mapped_file_get_contents(im->file);
	im->size = g_mapped_file_get_length(im->file);
	return true;
}

static bool is_x86_64_elf(struct image *im, const char *path, GError **error)
{
	const Elf64_Ehdr *h = (const Elf64_Ehdr *)(const void *)im->bytes;

	if (im->size >= 2 && memcmp(im->bytes, "#!", 2) == 0)
		return fail_with_image_error(error, IMAGE_ERROR_NOT_ELF,
					     "%s is a script; give the program that it runs.",
					     path);
	if (im->size < sizeof(*h) || memcmp(im->bytes, ELFMAG, SELFMAG) != 0)
		return fail_with_image_error(
			error, IMAGE_ERROR_NOT_ELF,
			"%s is not an ELF program; give one that a compiler made.", path);
	if (h->e_ident[EI_CLASS] == ELFCLASS32 &&
	    (h->e_machine == EM_386 || h->e_machine == EM_X86_64))
		return fail_with_image_error(
			error, IMAGE_ERROR_MACHINE,
			"%s is a 32-bit program, and only x86-64 ones can be explained; compile "
			"it for 64 bits (-m64).",
			path);
	if (h->e_ident[EI_CLASS] != ELFCLASS64 || h->e_ident[EI_DATA] != ELFDATA2LSB ||
	    h->e_machine != EM_X86_64)
		return fail_with_image_error(
			error, IMAGE_ERROR_MACHINE,
			"%s is not an x86-64 program, and only those can be explained.", path);
	im->pie = h->e_type == ET_DYN;
	return true;
}

static void add_segment(struct image *im, const GElf_Phdr *p)
{
	struct image_segment s = { .lo = p->p_vaddr,
				   .file_hi = p->p_vaddr + p->p_filesz,
				   .hi = p->p_vaddr + p->p_memsz,
				   .offset = p->p_offset,
				   .writable = p->p_flags & PF_W };

	if (p->p_offset > im->size || p->p_filesz > im->size - p->p_offset || s.hi < s.lo ||
	    s.file_hi < s.lo || s.file_hi > s.hi)
		return;
	g_array_append_val(im->segments, s);
}

/* Its header is in *shdr. */
static Elf_Scn *section_named(Elf *elf, const char *wanted, GElf_Shdr *shdr)
{
	Elf_Scn *scn = NULL;
	size_t strings;

	if (elf_getshdrstrndx(elf, &strings) < 0)
		return NULL;
	while ((scn = elf_nextscn(elf, scn))) {
		const char *name =
			gelf_getshdr(scn, shdr) ? elf_strptr(elf, strings, shdr->sh_name) : NULL;

		if (name && strcmp(name, wanted) == 0)
			return scn;
	}
	return NULL;
}

static bool has_section(Elf *elf, const char *wanted)
{
	GElf_Shdr shdr;

	return section_named(elf, wanted, &shdr);
}

const uint8_t *image_section(const struct image *im, const char *name, size_t *size)
{
	GElf_Shdr shdr;

	if (!section_named(im->elf, name, &shdr) || shdr.sh_type == SHT_NOBITS ||
	    shdr.sh_offset > im->size || shdr.sh_size > im->size - shdr.sh_offset)
		return NULL;
	*size = shdr.sh_size;
	return im->bytes + shdr.sh_offset;
}

/* A static-pie has a dynamic section, as a shared object has, but the linker marks it. */
static bool is_marked_pie(const struct image *im)
{
	size_t size = 0;
	const uint8_t *bytes = image_section(im, ".dynamic", &size);
	Elf64_Dyn entry;

	for (size_t at = 0; bytes && at + sizeof entry <= size; at += sizeof entry) {
		memcpy(&entry, bytes + at, sizeof entry);
		if (entry.d_tag == DT_FLAGS_1)
			return entry.d_un.d_val & DF_1_PIE;
	}
	return false;
}

static bool read_headers(struct image *im, const char *path, GError **error)
{
	size_t n = 0;
	bool interpreter = false, dynamic = false;

	elf_version(EV_CURRENT);
	im->elf = elf_memory((char *)im->bytes, im->size);
	if (!im->elf || elf_getphdrnum(im->elf, &n) < 0)
		return fail_with_image_error(error, IMAGE_ERROR_NOT_ELF,
					     "%s is a damaged ELF file: %s.", path, elf_errmsg(-1));
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr p;

		if (!gelf_getphdr(im->elf, (int)i, &p))
			continue;
		interpreter |= p.p_type == PT_INTERP;
		dynamic |= p.p_type == PT_DYNAMIC;
		if (p.p_type == PT_LOAD)
			add_segment(im, &p);
	}
	/* a shared object has no interpreter, but it may be traced */
	if (!dynamic || (!interpreter && (!im->pie || is_marked_pie(im))))
		return fail_with_image_error(
			error, IMAGE_ERROR_STATIC,
			"%s is statically linked, so the recorder cannot be loaded into it; "
			"link it dynamically (without -static or -static-pie).",
			path);
	return true;
}

/* Debug information of a stripped program, and its symbols. */
static void open_debug_file(struct image *im)
{
	if (im->debug_path)
		im->debug_file = debug_file_map(im->debug_path, NULL);
	else
		im->debug_file =
			debug_file_find(im->elf, im->path, "/usr/lib/debug", &im->debug_path);
	if (!im->debug_file)
		return;
	im->debug_elf = elf_memory(g_mapped_file_get_contents(im->debug_file),
				   g_mapped_file_get_length(im->debug_file));
	if (!im->debug_elf || !has_section(im->debug_elf, ".debug_info"))
		return;
	im->dwarf = dwarf_begin_elf(im->debug_elf, DWARF_C_READ, NULL);
	image_read_symbols(im, im->debug_elf);
}

/* -gsplit-dwarf leaves of each unit a skeleton, which names the .dwo file with the rest. */
static bool is_split(const struct image *im)
{
	Dwarf_CU *unit = NULL;
	uint8_t type = 0;

	while (dwarf_get_units(im->dwarf, unit, &unit, NULL, &type, NULL, NULL) == 0)
		if (type == DW_UT_skeleton)
			return true;
	return false;
}

static bool has_functions(const struct image *im, const char *path, GError **error)
{
	if (im->functions->len)
		return true;
	if (is_split(im))
		return fail_with_image_error(
			error, IMAGE_ERROR_NO_DEBUG,
			"%s has its debug information in .dwo files (-gsplit-dwarf), which are "
			"not read; compile it with -g alone.",
			path);
	return fail_with_image_error(
		error, IMAGE_ERROR_NO_DEBUG,
		"%s has debug information but no function in it; compile your sources with -g.",
		path);
}

static bool read_debug_info(struct image *im, const char *path, GError **error)
{
	if (has_section(im->elf, ".debug_info"))
		im->dwarf = dwarf_begin_elf(im->elf, DWARF_C_READ, NULL);
	else
		open_debug_file(im);
	if (!im->dwarf)
		return fail_with_image_error(
			error, IMAGE_ERROR_NO_DEBUG,
			"%s has no debug information (built without -g, or stripped); compile "
			"it with -g.",
			path);
	image_read_functions(im);
	if (!has_functions(im, path, error))
		return false;
	image_find_noreturn(im);
	image_mark_known(im);
	image_read_rows(im);
	return true;
}

static void read_build_id(struct image *im)
{
	const void *id;
	ssize_t n = dwelf_elf_gnu_build_id(im->elf, &id);
	GString *hex = g_string_new(NULL);

	for (ssize_t i = 0; i < n; i++)
		g_string_append_printf(hex, "%02x", ((const uint8_t *)id)[i]);
	im->build_id = g_string_free(hex, FALSE);
}

struct image *image_open(const char *path, GError **error)
{
	return image_open_parts(path, NULL, error);
}

struct image *image_open_parts(const char *path, const char *debug_path, GError **error)
{
	struct image *im = g_new0(struct image, 1);

	im->debug_path = g_strdup(debug_path);
	im->segments = g_array_new(FALSE, FALSE, sizeof(struct image_segment));
	im->names = g_string_chunk_new(4096);
	if (map_image_file(im, path, error) && is_x86_64_elf(im, path, error) &&
	    read_headers(im, path, error) && image_read_names(im) &&
	    read_debug_info(im, path, error)) {
		read_build_id(im);
		return im;
	}
	image_free(im);
	return NULL;
}

static void free_array(GArray *a)
{
	if (a)
		g_array_free(a, TRUE);
}

void image_free(struct image *im)
{
	if (!im)
		return;
	image_cfgs_free(im);
	image_types_free(im->types);
	free_array(im->functions);
	free_array(im->function_dies);
	free_array(im->inlined);
	free_array(im->next_part);
	free_array(im->insns);
	free_array(im->rows);
	free_array(im->beginnings);
	free_array(im->segments);
	free_array(im->relocated);
	free_array(im->pointers);
	g_free(im->insn_index);
	g_clear_pointer(&im->statements, g_ptr_array_unref);
	g_clear_pointer(&im->sources, g_hash_table_destroy);
	g_clear_pointer(&im->natives, g_hash_table_destroy);
	g_clear_pointer(&im->slots, g_hash_table_destroy);
	g_clear_pointer(&im->exports, g_hash_table_destroy);
	g_string_chunk_free(im->names);
	if (im->cfi)
		dwarf_cfi_end(im->cfi);
	if (im->dwarf)
		dwarf_end(im->dwarf);
	if (im->debug_elf)
		elf_end(im->debug_elf);
	if (im->debug_file)
		g_mapped_file_unref(im->debug_file);
	if (im->elf)
		elf_end(im->elf);
	if (im->file)
		g_mapped_file_unref(im->file);
	free(im->path);
	g_free(im->build_id);
	g_free(im->debug_path);
	g_free(im);
}

const char *image_path(const struct image *im)
{
	return im->path;
}

const char *image_debug_path(const struct image *im)
{
	return im->debug_path;
}

const char *image_build_id(const struct image *im)
{
	return im->build_id;
}

bool image_is_pie(const struct image *im)
{
	return im->pie;
}

static const struct image_segment *image_segment_at(const struct image *im, uint64_t addr)
{
	for (guint i = 0; i < im->segments->len; i++) {
		const struct image_segment *s =
			&g_array_index(im->segments, struct image_segment, i);

		if (addr >= s->lo && addr < s->hi)
			return s;
	}
	return NULL;
}

const uint8_t *image_bytes(const struct image *im, uint64_t addr, size_t *avail)
{
	const struct image_segment *s = image_segment_at(im, addr);

	if (!s || addr >= s->file_hi)
		return NULL;
	*avail = s->file_hi - addr;
	return im->bytes + s->offset + (addr - s->lo);
}

const uint8_t *image_part(const struct image *im, unsigned i, uint64_t *lo, size_t *size)
{
	const struct image_segment *s;

	if (i >= im->segments->len)
		return NULL;
	s = &g_array_index(im->segments, struct image_segment, i);
	*lo = s->lo;
	*size = s->file_hi - s->lo;
	return im->bytes + s->offset;
}

static bool a_relocation_touches(const struct image *im, uint64_t addr, size_t size)
{
	guint lo = 0, hi = im->relocated->len;

	/* the first slot that ends after addr */
	while (lo < hi) {
		guint mid = (lo + hi) / 2;

		if (g_array_index(im->relocated, uint64_t, mid) + 8 <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < im->relocated->len && g_array_index(im->relocated, uint64_t, lo) < addr + size;
}

bool image_pointer_at(const struct image *im, uint64_t addr, uint64_t *target)
{
	guint lo = 0, hi = im->pointers->len;

	while (lo < hi) {
		guint mid = (lo + hi) / 2;
		const struct image_pointer *p =
			&g_array_index(im->pointers, struct image_pointer, mid);

		if (p->addr == addr) {
			*target = p->target;
			return true;
		}
		if (p->addr < addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return false;
}

void image_range(const struct image *im, uint64_t *lo, uint64_t *hi)
{
	const guint n = im->segments->len;

	*lo = n ? g_array_index(im->segments, struct image_segment, 0).lo : 0;
	*hi = n ? g_array_index(im->segments, struct image_segment, n - 1).hi : 0;
}

bool image_is_writable(const struct image *im, uint64_t addr)
{
	const struct image_segment *s = image_segment_at(im, addr);

	return s && s->writable;
}

bool image_initial(const struct image *im, uint64_t addr, size_t size, uint8_t *out, bool *writable)
{
	const struct image_segment *s = image_segment_at(im, addr);

	if (!s || size > s->hi - addr || a_relocation_touches(im, addr, size))
		return false;
	for (size_t i = 0; i < size; i++)
		out[i] = addr + i < s->file_hi ? im->bytes[s->offset + (addr + i - s->lo)] : 0;
	*writable = s->writable;
	return true;
}
