/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What GDB asks of a JIT reader; see README.md. */
#include "gdbext/jitreader/guest.h"

#include <gdb/jit-reader.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The functions that GDB knows the made code by. */
#define CACHE_NAME "<recorded code>"
#define THREAD_NAME "<recorder>"

enum {
	DWARF_RIP = 16,
	DWARF_XMM0 = 17,
	DWARF_ST0 = 33,
	DWARF_AFTER_ST = 41,
	DWARF_RFLAGS = 49,
	DWARF_AFTER_SEGMENTS = 56
};

#pragma GCC visibility push(default)
GDB_DECLARE_GPL_COMPATIBLE_READER
#pragma GCC visibility pop

/* By DWARF's numbers. */
static const uint8_t dwarf_registers[16] = { TRACE_RAX, TRACE_RDX, TRACE_RCX, TRACE_RBX,
					     TRACE_RSI, TRACE_RDI, TRACE_RBP, TRACE_RSP,
					     TRACE_R8,	TRACE_R9,  TRACE_R10, TRACE_R11,
					     TRACE_R12, TRACE_R13, TRACE_R14, TRACE_R15 };

struct reader {
	struct gdb_reader_funcs funcs; /* first: GDB's pointer is ours */
	struct describe describe;      /* .agent == 0: none yet */
};

/* ---- symbols ---- */

static bool is_our_symbol_file(const void *memory, long size)
{
	static const uint32_t sizes[] = DESCRIBE_SIZES;
	const struct describe *d = memory;

	if (size < (long)sizeof *d || memcmp(d->magic, DESCRIBE_MAGIC, sizeof d->magic) != 0)
		return false;
	if (!memcmp(d->sizes, sizes, sizeof sizes))
		return true;
	fputs("gdb-why-jitreader.so and gdb-why-agent.so are not of one build: install both "
	      "again.\n",
	      stderr);
	return false;
}

static void name_range(struct gdb_symbol_callbacks *cb, struct gdb_symtab *table,
		       const struct describe_range *range, const char *as)
{
	if (range->from < range->to)
		cb->block_open(cb, table, NULL, range->from, range->to, as);
}

static enum gdb_status read_jit_symbols(struct gdb_reader_funcs *self,
					struct gdb_symbol_callbacks *cb, void *memory, long size)
{
	struct reader *r = (struct reader *)self;
	struct gdb_object *object;
	struct gdb_symtab *table;

	if (!is_our_symbol_file(memory, size))
		return GDB_FAIL;
	memcpy(&r->describe, memory, sizeof r->describe);
	object = cb->object_open(cb);
	table = cb->symtab_open(cb, object, "gdb-why-agent");
	for (unsigned i = 0; i < TRACE_MAX_MODULES; i++)
		name_range(cb, table, &r->describe.modules[i], CACHE_NAME);
	name_range(cb, table, &r->describe.threads, THREAD_NAME);
	cb->symtab_close(cb, table);
	cb->object_close(cb, object);
	return GDB_SUCCESS;
}

/* ---- unwinding ---- */

static unsigned dwarf_number(unsigned reg)
{
	unsigned n = 0;

	while (dwarf_registers[n] != reg)
		n++;
	return n;
}

static bool get_frame_register(struct gdb_unwind_callbacks *cb, unsigned dwarf, uint64_t *value)
{
	struct gdb_reg_value *got = cb->reg_get(cb, (int)dwarf);
	bool known = got->defined && got->size == sizeof *value;

	if (known)
		memcpy(value, got->value, sizeof *value);
	got->free(got);
	return known;
}

static bool view_memory(void *arg, uint64_t addr, void *to, size_t size)
{
	struct gdb_unwind_callbacks *cb = arg;

	return cb->target_read(addr, to, (int)size) == GDB_SUCCESS;
}

static bool view_register(void *arg, enum trace_reg reg, uint64_t *value)
{
	return get_frame_register(arg, dwarf_number(reg), value);
}

static void free_value(struct gdb_reg_value *value)
{
	free(value);
}

static void put_frame_register(struct gdb_unwind_callbacks *cb, unsigned dwarf, const void *bytes,
			       size_t size)
{
	struct gdb_reg_value *value = calloc(1, sizeof *value + size);

	if (!value)
		return;
	value->size = (int)size;
	value->defined = 1;
	value->free = free_value;
	memcpy(value->value, bytes, size);
	cb->reg_set(cb, (int)dwarf, value);
}

/* The caller's frame has the register as this frame has it. */
static void pass_register(struct gdb_unwind_callbacks *cb, unsigned dwarf)
{
	struct gdb_reg_value *got = cb->reg_get(cb, (int)dwarf);

	if (got->defined)
		cb->reg_set(cb, (int)dwarf, got);
	else
		got->free(got);
}

static bool find_guest(struct gdb_reader_funcs *self, struct gdb_unwind_callbacks *cb,
		       struct guest *guest)
{
	const struct reader *r = (const struct reader *)self;
	const struct guest_view view = { view_memory, view_register, cb };
	uint64_t rip;

	return r->describe.agent && get_frame_register(cb, DWARF_RIP, &rip) &&
	       guest_find(&r->describe, &view, rip, guest);
}

static enum gdb_status unwind_frame(struct gdb_reader_funcs *self, struct gdb_unwind_callbacks *cb)
{
	struct guest guest;

	if (!find_guest(self, cb, &guest))
		return GDB_FAIL;
	for (unsigned i = 0; i < 16; i++)
		if (guest.known[dwarf_registers[i]])
			put_frame_register(cb, i, &guest.regs[dwarf_registers[i]], 8);
	put_frame_register(cb, DWARF_RIP, &guest.rip, 8);
	for (unsigned i = DWARF_XMM0; i < DWARF_AFTER_ST; i++)
		if (i != DWARF_XMM0 + 15 || !guest.has_xmm15)
			pass_register(cb, i);
	if (guest.has_xmm15)
		put_frame_register(cb, DWARF_XMM0 + 15, guest.xmm15, sizeof guest.xmm15);
	for (unsigned i = DWARF_RFLAGS; i < DWARF_AFTER_SEGMENTS; i++)
		pass_register(cb, i);
	return GDB_SUCCESS;
}

static struct gdb_frame_id frame_id(struct gdb_reader_funcs *self, struct gdb_unwind_callbacks *cb)
{
	struct guest guest;

	if (!find_guest(self, cb, &guest))
		return (struct gdb_frame_id){ 0 };
	return (struct gdb_frame_id){ guest.code, guest.regs[TRACE_RSP] };
}

/* ---- loading ---- */

static void destroy_reader(struct gdb_reader_funcs *self)
{
	free(self);
}

/* GDB does not survive NULL. */
__attribute__((visibility("default"))) struct gdb_reader_funcs *gdb_init_reader(void)
{
	struct reader *r = calloc(1, sizeof *r);

	if (!r)
		abort();
	r->funcs = (struct gdb_reader_funcs){
		.reader_version = GDB_READER_INTERFACE_VERSION,
		.read = read_jit_symbols,
		.unwind = unwind_frame,
		.get_frame_id = frame_id,
		.destroy = destroy_reader,
	};
	return &r->funcs;
}
