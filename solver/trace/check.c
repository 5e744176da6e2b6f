/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a record says, beside what the re-computation gives: the first difference is a complaint. */
#include "solver/trace/private.h"

#include "solver/isa/insn.h"

#include <stdarg.h>
#include <string.h>

void check_complain(struct trace_cursor *c, const char *format, ...)
{
	va_list args;

	if (c->now.complaint)
		return;
	va_start(args, format);
	c->now.complaint = g_strdup_vprintf(format, args);
	va_end(args);
}

/* Bytes as one little-endian number. */
static void append_number(GString *text, const void *bytes, size_t size)
{
	const uint8_t *b = bytes;

	g_string_append(text, "0x");
	for (size_t i = size; i-- > 0;)
		g_string_append_printf(text, "%02x", b[i]);
}

void check_value(struct trace_cursor *c, const char *what, const void *ours, const void *recorded,
		 size_t size)
{
	g_autoptr(GString) text = NULL;

	if (memcmp(ours, recorded, size) == 0)
		return;
	text = g_string_new(what);
	g_string_append(text, " is ");
	append_number(text, ours, size);
	g_string_append(text, " by re-computation, ");
	append_number(text, recorded, size);
	g_string_append(text, " in the record");
	check_complain(c, "%s", text->str);
}

static bool bytes_cover(uint64_t from, uint64_t size, uint64_t address, unsigned n)
{
	return address - from < size && address - from + n <= size;
}

/* Gathers and the like have operands that the description leaves out. */
static bool is_described(const struct trace_insn *insn)
{
	return insn->flags & TRACE_INSN_PLAIN || insn->n_mem;
}

void check_load(struct trace_cursor *c, uint64_t address, unsigned size)
{
	const struct trace_step *s = c->now.step;

	if (s->insn->flow == TRACE_FLOW_RET &&
	    bytes_cover(cursor_word(c, 8 * TRACE_RSP), 8, address, size))
		return;
	for (unsigned i = 0; i < s->n_reads; i++) {
		if (bytes_cover(s->reads[i].address, s->reads[i].size, address, size))
			return;
	}
	if (is_described(s->insn))
		check_complain(c,
			       "%u bytes at %#" G_GINT64_MODIFIER
			       "x are read, which the record does not have",
			       size, address);
}

void check_store(struct trace_cursor *c, uint64_t address, unsigned size)
{
	const struct trace_insn *insn = c->now.step->insn;
	unsigned n = 0;

	for (unsigned i = 0; i < insn->n_mem && n < c->now.n_written; i++) {
		if (!(insn->mem[i].flags & TRACE_MEM_WRITE))
			continue;
		if (bytes_cover(c->now.written[n++], insn->mem[i].size, address, size))
			return;
	}
	if (is_described(insn))
		check_complain(c,
			       "%u bytes at %#" G_GINT64_MODIFIER
			       "x are written, which is none of its operands",
			       size, address);
}

static char *step_place(const struct trace_step *s)
{
	uint64_t link = s->insn->addr;
	const struct image_row *row = image_row_at(s->module->image, link);
	const struct image_function *f = image_function_at(s->module->image, link);
	const struct image_statement *st =
		row ? image_statement(s->module->image, row->statement) : NULL;

	if (st)
		return g_strdup_printf("%s (%s:%u)", st->function, st->file, st->line);
	return g_strdup(f ? f->name : "an unnamed function");
}

void check_set_error(const struct trace_cursor *c, GError **error)
{
	const struct trace_step *s = c->now.step;
	g_autofree char *where = step_place(s);
	char text[128];
	size_t avail;
	const uint8_t *bytes = image_bytes(s->module->image, s->insn->addr, &avail);

	g_clear_error(error);
	g_set_error(error, TRACE_ERROR, TRACE_ERROR_CHECK,
		    "Instruction %" G_GUINT64_FORMAT " of thread %u, '%s' at %#" G_GINT64_MODIFIER
		    "x in %s: %s.",
		    s->number, c->thread->head->thread,
		    bytes ? insn_text(bytes, avail, s->insn->addr, text, sizeof(text)) : "?",
		    s->insn->addr, where, c->now.complaint);
}
