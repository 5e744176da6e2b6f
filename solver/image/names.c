/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of what the debug information does not describe: PLT stubs, GOT slots, symbols.  And
 * which addresses relocations fill. */
#include "solver/image/image-private.h"
#include "solver/base/hash.h"
#include "solver/isa/insn.h"

#include <string.h>

static void add_name(GHashTable *t, uint64_t addr, const char *name)
{
	uint64_t *key;

	if (!name || !*name || g_hash_table_contains(t, &addr))
		return;
	key = g_new(uint64_t, 1);
	*key = addr;
	g_hash_table_insert(t, key, (gpointer)name);
}

static const char *symbol_name(struct image *im, const GElf_Shdr *symtab, Elf_Data *data,
			       size_t index)
{
	GElf_Sym sym;

	if (!data || !gelf_getsym(data, (int)index, &sym))
		return NULL;
	return elf_strptr(im->elf, symtab->sh_link, sym.st_name);
}

static void read_relocations(struct image *im, Elf_Scn *scn, const GElf_Shdr *shdr)
{
	Elf_Data *data = elf_getdata(scn, NULL), *symbols = NULL;
	Elf_Scn *linked = elf_getscn(im->elf, shdr->sh_link);
	GElf_Shdr symtab = { 0 };

	if (linked && gelf_getshdr(linked, &symtab))
		symbols = elf_getdata(linked, NULL);
	for (size_t i = 0; data && shdr->sh_entsize && i < shdr->sh_size / shdr->sh_entsize; i++) {
		GElf_Rela r;

		if (!gelf_getrela(data, (int)i, &r))
			return;
		g_array_append_val(im->relocated, r.r_offset);
		if (GELF_R_TYPE(r.r_info) == R_X86_64_RELATIVE) {
			struct image_pointer p = { r.r_offset, (uint64_t)r.r_addend };

			g_array_append_val(im->pointers, p);
		}
		if (GELF_R_SYM(r.r_info))
			add_name(im->slots, r.r_offset,
				 symbol_name(im, &symtab, symbols, GELF_R_SYM(r.r_info)));
	}
}

static void read_elf_symbols(struct image *im, Elf *elf, Elf_Scn *scn, const GElf_Shdr *shdr)
{
	Elf_Data *data = elf_getdata(scn, NULL);

	for (size_t i = 0; data && shdr->sh_entsize && i < shdr->sh_size / shdr->sh_entsize; i++) {
		const char *name;
		GElf_Sym sym;

		if (!gelf_getsym(data, (int)i, &sym))
			return;
		if (GELF_ST_TYPE(sym.st_info) != STT_FUNC || !sym.st_value)
			continue;
		name = elf_strptr(elf, shdr->sh_link, sym.st_name);
		add_name(im->natives, sym.st_value, name);
		if (shdr->sh_type == SHT_DYNSYM && name)
			g_hash_table_insert(im->exports, (gpointer)name,
					    g_memdup2(&sym.st_value, sizeof(sym.st_value)));
	}
}

/* A stub is `[endbr64;] [bnd] jmp *slot(%rip)`, aligned to 16 bytes (.plt.got:
 * 8); it has its slot's name. */
static void read_stubs(struct image *im, const GElf_Shdr *shdr)
{
	size_t loaded = 0;
	uint64_t end = image_bytes(im, shdr->sh_addr, &loaded)
			       ? shdr->sh_addr + MIN(shdr->sh_size, loaded)
			       : 0;

	for (uint64_t a = shdr->sh_addr; a < end;) {
		struct trace_insn insn;
		size_t avail = 0;
		const uint8_t *bytes = image_bytes(im, a, &avail);

		if (!bytes || !insn_decode(bytes, MIN(avail, end - a), a, &insn)) {
			a++;
			continue;
		}
		if (insn.flow == TRACE_FLOW_JUMP_IND && insn.n_mem &&
		    insn.mem[0].flags & TRACE_MEM_RIP) {
			uint64_t slot = (uint64_t)insn.mem[0].disp;
			const char *name = image_slot_name(im, slot);

			add_name(im->natives, a - a % (shdr->sh_entsize == 8 ? 8 : 16), name);
		}
		a += insn.length;
	}
}

static gint compare_symbol_addresses(gconstpointer a, gconstpointer b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static void for_each_section(struct image *im, Elf *elf,
			     void (*read)(struct image *im, Elf *elf, Elf_Scn *scn,
					  const GElf_Shdr *shdr, const char *name))
{
	Elf_Scn *scn = NULL;
	size_t strings;

	if (elf_getshdrstrndx(elf, &strings) < 0)
		return;
	while ((scn = elf_nextscn(elf, scn))) {
		GElf_Shdr shdr;

		if (gelf_getshdr(scn, &shdr))
			read(im, elf, scn, &shdr, elf_strptr(elf, strings, shdr.sh_name));
	}
}

static void read_symbol_table(struct image *im, Elf *elf, Elf_Scn *scn, const GElf_Shdr *shdr,
			      const char *name)
{
	(void)name;
	if (shdr->sh_type == SHT_RELA && shdr->sh_flags & SHF_ALLOC)
		read_relocations(im, scn, shdr);
	else if (shdr->sh_type == SHT_SYMTAB || shdr->sh_type == SHT_DYNSYM)
		read_elf_symbols(im, elf, scn, shdr);
}

static void read_split_off(struct image *im, Elf *elf, Elf_Scn *scn, const GElf_Shdr *shdr,
			   const char *name)
{
	(void)name;
	if (shdr->sh_type == SHT_SYMTAB)
		read_elf_symbols(im, elf, scn, shdr);
}

static void read_plt(struct image *im, Elf *elf, Elf_Scn *scn, const GElf_Shdr *shdr,
		     const char *name)
{
	(void)elf;
	(void)scn;
	if (name && g_str_has_prefix(name, ".plt"))
		read_stubs(im, shdr);
}

void image_read_symbols(struct image *im, Elf *elf)
{
	for_each_section(im, elf, read_split_off);
}

bool image_read_names(struct image *im)
{
	im->relocated = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	im->pointers = g_array_new(FALSE, FALSE, sizeof(struct image_pointer));
	im->natives = g_hash_table_new_full(hash_u64, g_int64_equal, g_free, NULL);
	im->slots = g_hash_table_new_full(hash_u64, g_int64_equal, g_free, NULL);
	im->exports = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
	for_each_section(im, im->elf, read_symbol_table);
	for_each_section(im, im->elf, read_plt);
	g_array_sort(im->relocated, compare_symbol_addresses);
	g_array_sort(im->pointers, compare_symbol_addresses); /* .addr stands first */
	return true;
}

/* clang calls AddressSanitizer's memcpy, and what stands for free, by names of their own. */
static const char *name_without_sanitizer(const char *name)
{
	static const char *const prefixes[] = { "__interceptor_", "___interceptor_" };

	if (name && g_str_has_prefix(name, "__asan_mem"))
		return name + strlen("__asan_");
	for (size_t i = 0; name && i < G_N_ELEMENTS(prefixes); i++)
		if (g_str_has_prefix(name, prefixes[i]))
			return name + strlen(prefixes[i]);
	return name;
}

const char *image_native_name(const struct image *im, uint64_t addr)
{
	return name_without_sanitizer(g_hash_table_lookup(im->natives, &addr));
}

const char *image_slot_name(const struct image *im, uint64_t addr)
{
	return g_hash_table_lookup(im->slots, &addr);
}
