/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/specs/spec/weave.h"

#include "gdbext/specs/spec/specs.h"

#include <elf.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

enum { PAGE = 4096, STUB = 16, SLOT = 8, JUMP = 6, CALL = 5 };

/* The copy, while it is made. */
struct copy {
	uint8_t *bytes;
	size_t size;
	Elf64_Phdr *segments;
	unsigned n_segments;
	Elf64_Phdr *code, *variables; /* the segments that grow */
	uint64_t stubs, slots;	      /* link-time addresses */
};

static bool fail_to_weave(GError **error, const struct image *im, const char *why)
{
	g_set_error(error, SPECS_ERROR, SPECS_ERROR_PROGRAM, "Calls in %s cannot be checked: %s.",
		    image_path(im), why);
	return false;
}

static uint8_t *copied_code(const struct copy *c, uint64_t addr)
{
	for (unsigned i = 0; i < c->n_segments; i++) {
		const Elf64_Phdr *p = &c->segments[i];

		if (p->p_type == PT_LOAD && addr >= p->p_vaddr && addr - p->p_vaddr < p->p_filesz &&
		    p->p_offset + (addr - p->p_vaddr) < c->size)
			return c->bytes + p->p_offset + (addr - p->p_vaddr);
	}
	return NULL;
}

/* ---- room for stubs and slots ---- */

static bool is_room_of_zeros(const struct copy *c, uint64_t offset, uint64_t size)
{
	if (offset > c->size || size > c->size - offset)
		return false;
	for (uint64_t i = 0; i < size; i++)
		if (c->bytes[offset + i])
			return false;
	for (unsigned i = 0; i < c->n_segments; i++) {
		const Elf64_Phdr *p = &c->segments[i];

		if (p->p_type == PT_LOAD && p->p_offset < offset + size &&
		    p->p_offset + p->p_filesz > offset)
			return false;
	}
	return true;
}

/* Finds room in the last page of a segment of code, behind the code. */
static bool find_room(struct copy *c, unsigned n)
{
	for (unsigned i = 0; i < c->n_segments; i++) {
		Elf64_Phdr *p = &c->segments[i];
		uint64_t end = p->p_vaddr + p->p_filesz, stubs = (end + STUB - 1) & ~(STUB - 1ull);
		uint64_t size = stubs - end + (n + 1) * STUB;

		if (p->p_type != PT_LOAD)
			continue;
		if (p->p_flags & PF_W)
			c->variables = p;
		if (c->code || !(p->p_flags & PF_X) || p->p_filesz != p->p_memsz ||
		    end % PAGE == 0 || end % PAGE + size > PAGE ||
		    !is_room_of_zeros(c, p->p_offset + p->p_filesz, size))
			continue;
		c->code = p;
		c->stubs = stubs;
		p->p_filesz += size;
		p->p_memsz += size;
	}
	if (!c->code || !c->variables)
		return false;
	c->slots = (c->variables->p_vaddr + c->variables->p_memsz + SLOT - 1) & ~(SLOT - 1ull);
	c->variables->p_memsz = c->slots + n * SLOT - c->variables->p_vaddr;
	return true;
}

static void put_distance(uint8_t *to, uint64_t from, uint64_t target)
{
	int32_t distance = (int32_t)(target - from);

	memcpy(to, &distance, sizeof distance);
}

/* jmp *slot(%rip) */
static void write_stub(const struct copy *c, unsigned i)
{
	uint64_t addr = c->stubs + i * STUB;
	uint8_t *stub = copied_code(c, addr);

	memset(stub, 0xcc, STUB);
	stub[0] = 0xff;
	stub[1] = 0x25;
	put_distance(stub + 2, addr + JUMP, c->slots + i * SLOT);
}

/* ---- places that lead to a function ---- */

/* Where an instruction holds the distance to that address, or the address itself; 0 = it does not
 * lead there. */
static unsigned place_in(const uint8_t *code, const struct trace_insn *insn, uint64_t target,
			 bool *absolute)
{
	int32_t distance;
	uint32_t address;

	*absolute = false;
	if ((insn->flow == TRACE_FLOW_CALL || insn->flow == TRACE_FLOW_JUMP) &&
	    insn->target == target && insn->length >= CALL)
		return insn->length - 4u;
	if (insn->rip_disp_offset && code[insn->rip_disp_offset - 2u] == 0x8d) { /* lea */
		memcpy(&distance, code + insn->rip_disp_offset, sizeof distance);
		if (insn->addr + insn->length + (uint64_t)distance == target)
			return insn->rip_disp_offset;
	}
	if (insn->length == CALL && (code[0] & 0xf8) == 0xb8) { /* mov $address,%reg */
		memcpy(&address, code + 1, sizeof address);
		*absolute = true;
		return address == target ? 1 : 0;
	}
	return 0;
}

static void lead_to_stub(const struct copy *c, const struct image *im, struct weave_function *f,
			 uint64_t stub)
{
	const struct trace_insn *insns;
	size_t n = image_insns(im, &insns);

	for (size_t i = 0; i < n; i++) {
		uint8_t *code = copied_code(c, insns[i].addr);
		bool absolute;
		unsigned place =
			code ? place_in(code, &insns[i], f->function->entry, &absolute) : 0;
		uint32_t address = (uint32_t)stub;

		if (!place || image_function_at(im, insns[i].addr) == f->function)
			continue;
		if (absolute)
			memcpy(code + place, &address, sizeof address);
		else
			put_distance(code + place, insns[i].addr + place + 4, stub);
		f->n_calls++;
	}
}

static const Elf64_Dyn *dynamic_entry(const struct copy *c, int64_t tag)
{
	for (unsigned i = 0; i < c->n_segments; i++) {
		const Elf64_Phdr *p = &c->segments[i];
		const Elf64_Dyn *d = (const void *)(c->bytes + p->p_offset);

		if (p->p_type != PT_DYNAMIC || p->p_offset + p->p_filesz > c->size)
			continue;
		for (uint64_t k = 0; k < p->p_filesz / sizeof *d && d[k].d_tag; k++)
			if (d[k].d_tag == tag)
				return &d[k];
	}
	return NULL;
}

/* A program that is always loaded at the same place has pointers to its functions that nobody
 * lists.  Eight aligned bytes with that value are nothing else, since code lies where no number
 * that a program uses is likely to lead. */
static void lead_fixed_pointers(const struct copy *c, struct weave_function *f, uint64_t stub)
{
	for (unsigned i = 0; i < c->n_segments; i++) {
		const Elf64_Phdr *p = &c->segments[i];

		if (p->p_type != PT_LOAD || p->p_flags & PF_X)
			continue;
		for (uint64_t a = (p->p_vaddr + SLOT - 1) & ~(SLOT - 1ull);
		     a + SLOT <= p->p_vaddr + p->p_filesz; a += SLOT) {
			uint8_t *to = copied_code(c, a);

			if (!to || memcmp(to, &f->function->entry, SLOT))
				continue;
			memcpy(to, &stub, SLOT);
			f->n_calls++;
		}
	}
}

/* Pointers that the loader makes. */
static void lead_pointers(const struct copy *c, struct weave_function *f, uint64_t stub)
{
	const Elf64_Dyn *rela = dynamic_entry(c, DT_RELA), *size = dynamic_entry(c, DT_RELASZ);
	Elf64_Rela *r = rela ? (void *)copied_code(c, rela->d_un.d_ptr) : NULL;

	for (uint64_t i = 0; r && size && i < size->d_un.d_val / sizeof *r; i++)
		if (ELF64_R_TYPE(r[i].r_info) == R_X86_64_RELATIVE &&
		    (uint64_t)r[i].r_addend == f->function->entry) {
			r[i].r_addend = (int64_t)stub;
			f->n_calls++;
		}
}

/* Libraries that call the function find the stub. */
static void lead_symbol(const struct copy *c, const struct weave_function *f, uint64_t stub)
{
	const Elf64_Dyn *symbols = dynamic_entry(c, DT_SYMTAB),
			*names = dynamic_entry(c, DT_STRTAB);
	uint64_t from = symbols ? symbols->d_un.d_ptr : 0, to = names ? names->d_un.d_ptr : 0;

	for (; from + sizeof(Elf64_Sym) <= to; from += sizeof(Elf64_Sym)) {
		Elf64_Sym *s = (void *)copied_code(c, from);

		if (s && ELF64_ST_TYPE(s->st_info) == STT_FUNC &&
		    s->st_value == f->function->entry && s->st_shndx != SHN_UNDEF)
			s->st_value = stub;
	}
}

/* ---- the whole ---- */

static bool read_copy(const struct image *im, struct copy *c, GError **error)
{
	const Elf64_Ehdr *h;

	if (!g_file_get_contents(image_path(im), (char **)&c->bytes, &c->size, error))
		return false;
	h = (const void *)c->bytes;
	if (c->size < sizeof *h || h->e_phoff > c->size ||
	    h->e_phnum * sizeof(Elf64_Phdr) > c->size - h->e_phoff)
		return fail_to_weave(error, im, "its program headers are damaged");
	c->segments = (void *)(c->bytes + h->e_phoff);
	c->n_segments = h->e_phnum;
	return true;
}

static bool write_copy(const struct copy *c, const char *path, GError **error)
{
	if (!g_file_set_contents(path, (char *)c->bytes, (gssize)c->size, error))
		return false;
	if (!chmod(path, 0700))
		return true;
	g_set_error(error, SPECS_ERROR, SPECS_ERROR_PROGRAM, "Cannot write %s: %s.", path,
		    g_strerror(errno));
	return false;
}

static bool weave_all(const struct image *im, struct copy *c, struct weave_function *functions,
		      unsigned n, GError **error)
{
	if (!find_room(c, n))
		return fail_to_weave(error, im,
				     "there is no room behind its code for what leads them to a "
				     "check; link it without -n or -N");
	memcpy(copied_code(c, c->stubs + n * STUB), IMAGE_STUBS_MARK, sizeof IMAGE_STUBS_MARK - 1);
	copied_code(c, c->stubs + n * STUB)[STUB - 1] = (uint8_t)n;
	for (unsigned i = 0; i < n; i++) {
		uint64_t stub = c->stubs + i * STUB;

		functions[i].slot = c->slots + i * SLOT;
		functions[i].n_calls = 0;
		write_stub(c, i);
		lead_to_stub(c, im, &functions[i], stub);
		lead_pointers(c, &functions[i], stub);
		lead_symbol(c, &functions[i], stub);
		if (!image_is_pie(im))
			lead_fixed_pointers(c, &functions[i], stub);
	}
	return true;
}

bool weave(const struct image *im, struct weave_function *functions, unsigned n, const char *path,
	   GError **error)
{
	struct copy c = { 0 };
	bool ok = read_copy(im, &c, error) && weave_all(im, &c, functions, n, error) &&
		  write_copy(&c, path, error);

	g_free(c.bytes);
	return ok;
}
