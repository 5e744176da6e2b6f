/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/output/inlined-put.h"

#include "solver/base/hash.h"

#include <stdio.h>
#include <string.h>

/* So far from the put the pointer is stored, at most, in instructions. */
enum { NEAREST = 6 };

/* An instruction that puts. */
struct site {
	uint64_t pc;
	const struct trace_module *module;
	const struct trace_insn *insn;
	unsigned stream;     /* the register that has its address */
	bool pointer_is_new; /* the pointer is stored before the character is */
};

/* What was put into one stream. */
struct puts_of_stream {
	uint64_t address;
	GArray *puts; /* struct printed_call */
	GString *text;
};

struct inlined_puts {
	const struct trace_run *run;
	GHashTable *sites;   /* uint64_t * pc → struct site */
	GHashTable *streams; /* uint64_t * address → struct puts_of_stream */
};

static void puts_of_stream_free(gpointer data)
{
	struct puts_of_stream *of = data;

	g_array_unref(of->puts);
	g_string_free(of->text, TRUE);
	g_free(of);
}

struct inlined_puts *inlined_puts_new(const struct trace_run *run)
{
	struct inlined_puts *p = g_new0(struct inlined_puts, 1);

	p->run = run;
	p->sites = g_hash_table_new_full(hash_u64, g_int64_equal, NULL, g_free);
	p->streams = g_hash_table_new_full(hash_u64, g_int64_equal, NULL, puts_of_stream_free);
	return p;
}

void inlined_puts_free(struct inlined_puts *p)
{
	g_hash_table_destroy(p->sites);
	g_hash_table_destroy(p->streams);
	g_free(p);
}

/* ---- the code ---- */

static bool stores_to_base(const struct trace_insn *insn, unsigned size)
{
	const struct trace_mem *m = &insn->mem[0];

	return insn->n_mem == 1 && m->flags & TRACE_MEM_WRITE && !(m->flags & TRACE_MEM_READ) &&
	       m->size == size && !m->seg && m->base != TRACE_REG_NONE &&
	       m->index == TRACE_REG_NONE;
}

static bool stores_write_pointer(const struct trace_insn *insn)
{
	return stores_to_base(insn, 8) && insn->mem[0].disp == offsetof(FILE, _IO_write_ptr);
}

/* The register with the stream's address, which is the same there and at the put: of the
 * instructions behind the put, or before it, up to the one that stores the pointer. */
static bool finds_stream(const struct image *im, struct site *site, int step)
{
	const struct trace_insn *all, *insn = site->insn;
	const size_t n = image_insns(im, &all);
	unsigned changed = 0;

	for (unsigned left = NEAREST; left; left--) {
		const struct trace_insn *next = insn + step;
		const struct trace_insn *low = step < 0 ? next : insn;

		if (next < all || next >= all + n || low->addr + low->length != low[1].addr ||
		    next->flow != TRACE_FLOW_NONE)
			return false;
		insn = next;
		if (stores_write_pointer(insn)) {
			site->stream = insn->mem[0].base;
			site->pointer_is_new = step < 0;
			return !(changed & 1U << site->stream);
		}
		changed |= insn->out_gpr;
	}
	return false;
}

bool inlined_puts_stood_at(const struct inlined_puts *p, uint64_t pc)
{
	return g_hash_table_size(p->sites) && g_hash_table_contains(p->sites, &pc);
}

bool inlined_puts_stand_at(uint64_t pc, void *puts)
{
	struct inlined_puts *p = puts;
	struct site *site, found = { .pc = pc };
	uint64_t link = 0;

	if (inlined_puts_stood_at(p, pc))
		return true;
	found.module = trace_run_module_at(p->run, pc, &link);
	found.insn = found.module ? image_insn_at(found.module->image, link) : NULL;
	if (!found.insn || !stores_to_base(found.insn, 1) ||
	    (!finds_stream(found.module->image, &found, -1) &&
	     !finds_stream(found.module->image, &found, 1)))
		return false;
	site = g_memdup2(&found, sizeof found);
	g_hash_table_insert(p->sites, &site->pc, site);
	return true;
}

/* ---- the run ---- */

/* The register that is stored, else TRACE_REG_NONE: a constant. */
static unsigned register_stored(const struct trace_insn *insn)
{
	unsigned others = insn->use_gpr & ~(1U << insn->mem[0].base);

	for (unsigned reg = 0; others; reg++, others >>= 1)
		if (others & 1)
			return reg;
	return TRACE_REG_NONE;
}

/* The last byte of the instruction, where that is a constant. */
static const uint8_t *byte_of_constant(const struct trace_module *module,
				       const struct trace_insn *insn)
{
	size_t avail = 0;
	const uint8_t *bytes = image_bytes(module->image, insn->addr, &avail);

	return bytes && avail >= insn->length ? bytes + insn->length - 1 : NULL;
}

static bool byte_put(const struct site *site, const struct trace_cursor *cursor, char *byte)
{
	const unsigned reg = register_stored(site->insn);
	const uint8_t *constant;

	if (reg != TRACE_REG_NONE) {
		*byte = (char)trace_cursor_reg(cursor, reg);
		return true;
	}
	constant = byte_of_constant(site->module, site->insn);
	if (constant)
		*byte = (char)*constant;
	return constant;
}

static struct puts_of_stream *stream_at(struct inlined_puts *p, uint64_t address)
{
	struct puts_of_stream *of = g_hash_table_lookup(p->streams, &address);

	if (of)
		return of;
	of = g_new0(struct puts_of_stream, 1);
	of->address = address;
	of->puts = g_array_new(FALSE, TRUE, sizeof(struct printed_call));
	of->text = g_string_new(NULL);
	g_hash_table_insert(p->streams, &of->address, of);
	return of;
}

void inlined_puts_take(struct inlined_puts *p, const struct trace_cursor *cursor,
		       const struct printed_call *made)
{
	const struct site *site = g_hash_table_lookup(p->sites, &made->pc);
	const struct trace_mem *at = &site->insn->mem[0];
	const uint64_t where = trace_cursor_reg(cursor, at->base) + (uint64_t)at->disp;
	const uint64_t stream = trace_cursor_reg(cursor, site->stream);
	uint8_t bytes[8];
	uint64_t pointer;
	struct printed_call put = *made;
	struct puts_of_stream *of;
	char byte;

	if (!trace_cursor_read(cursor, stream + offsetof(FILE, _IO_write_ptr), sizeof bytes,
			       bytes) ||
	    !byte_put(site, cursor, &byte))
		return;
	memcpy(&pointer, bytes, sizeof pointer);
	if (pointer != where + site->pointer_is_new)
		return; /* something else than a stream */
	put.module = site->module;
	put.insn = site->insn;
	put.name = "putc";
	of = stream_at(p, stream);
	g_array_append_val(of->puts, put);
	g_string_append_c(of->text, byte);
}

const GArray *inlined_puts_of_text(const struct inlined_puts *p, const char *text, size_t length)
{
	GHashTableIter i;
	gpointer value;

	g_hash_table_iter_init(&i, p->streams);
	while (g_hash_table_iter_next(&i, NULL, &value)) {
		const struct puts_of_stream *of = value;

		if (of->text->len == length && memcmp(of->text->str, text, length) == 0)
			return of->puts;
	}
	return NULL;
}

void inlined_puts_forget(struct inlined_puts *p)
{
	g_hash_table_remove_all(p->streams);
}

struct printed_piece inlined_put_piece(const struct printed_call *put)
{
	const unsigned reg = register_stored(put->insn);
	struct printed_piece piece = {
		.directive = { .kind = DIRECTIVE_CHAR, .conversion = 'c', .size = 1 },
		.width = DIRECTIVE_NONE,
		.precision = DIRECTIVE_NONE,
		.place = { .kind = PRINTED_REGISTER, .reg = reg },
	};

	piece.directive.width = piece.directive.precision = DIRECTIVE_NONE;
	if (reg == TRACE_REG_NONE) {
		piece.directive.kind = DIRECTIVE_TEXT;
		piece.directive.text = (const char *)byte_of_constant(put->module, put->insn);
		piece.directive.length = 1;
		piece.place = (struct printed_place){ 0 };
	}
	return piece;
}
