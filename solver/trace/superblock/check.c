/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/trace/private.h"
#include "solver/trace/superblock/superblock.h"

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

static bool covers(uint64_t from, uint64_t size, uint64_t address, unsigned n)
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
	    covers(cursor_word(c, 8 * TRACE_RSP), 8, address, size))
		return;
	for (unsigned i = 0; i < s->n_reads; i++) {
		if (covers(s->reads[i].address, s->reads[i].size, address, size))
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
		if (covers(c->now.written[n++], insn->mem[i].size, address, size))
			return;
	}
	if (is_described(insn))
		check_complain(c,
			       "%u bytes at %#" G_GINT64_MODIFIER
			       "x are written, which is none of its operands",
			       size, address);
}

static char *place(const struct trace_step *s)
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
	g_autofree char *where = place(s);
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

static bool same_values(const struct eval_state *x, const struct eval_state *y)
{
	uint64_t differ = 0, a, b, known;

	_Static_assert(IR_STATE_SIZE % 8 == 0, "whole words");
	for (unsigned at = 0; at < IR_STATE_SIZE; at += 8) {
		memcpy(&a, x->bytes + at, 8);
		memcpy(&b, y->bytes + at, 8);
		memcpy(&known, x->known + at, 8);
		differ |= (a ^ b) & known;
	}
	return !differ;
}

/* The cursor that goes by superblocks has to know the same as the one that checks. */
static const char *difference(const struct trace_cursor *c, const struct trace_cursor *fast,
			      const struct superblock_run *superblock)
{
	if (c->pc != fast->pc || c->number != fast->number || c->at != fast->at)
		return "is at another place";
	if (memcmp(c->state.known, fast->state.known, sizeof(c->state.known)) != 0)
		return "knows other registers";
	if (!same_values(&c->state, &fast->state))
		return "has other values of registers";
	for (unsigned i = 0; i < superblock->n_effects; i++) {
		const struct trace_effect *e = &superblock->effects[i];
		uint8_t ours[64], theirs[64];
		bool known = shadow_read(c->shadow, e->address, e->size, ours);

		if (known != shadow_read(fast->shadow, e->address, e->size, theirs) ||
		    (known && memcmp(ours, theirs, e->size) != 0))
			return "has written something else";
	}
	return NULL;
}

/* Moves both cursors on, by a superblock if that is possible. */
static int check_superblock(struct trace_cursor *c, struct trace_cursor *fast,
			    struct superblocks *superblocks, uint64_t *checked, GError **error)
{
	struct superblock_run superblock = { .n = 1 };
	struct trace_step step;
	const char *differs;
	int by_superblock = superblocks_run(superblocks, fast, &superblock, error), went = 1;

	if (by_superblock < 0)
		return -1;
	for (uint32_t i = 0; i < superblock.n && went > 0; i++) {
		went = trace_cursor_step(c, &step, error);
		*checked += went > 0;
	}
	if (went <= 0)
		return went;
	if (by_superblock == 0 && trace_cursor_step(fast, &step, error) < 0)
		return -1;
	differs = difference(c, fast, &superblock);
	if (!differs)
		return 1;
	g_set_error(error, TRACE_ERROR, TRACE_ERROR_CHECK,
		    "A cursor that goes by superblocks %s before instruction %" G_GUINT64_FORMAT
		    " of thread %u, behind %u instructions at %#" G_GINT64_MODIFIER "x.",
		    differs, c->number, c->thread->head->thread, superblock.n, fast->pc);
	return -1;
}

static bool check_thread(struct trace_run *r, unsigned thread, struct lift *lift, uint64_t *checked,
			 GError **error)
{
	struct trace_cursor *c = trace_cursor_new(r, thread, lift);
	struct trace_cursor *fast = trace_cursor_new(r, thread, lift);
	struct superblocks *superblocks = superblocks_new(NULL, NULL);
	int went;

	trace_cursor_set_check(c, true);
	while ((went = check_superblock(c, fast, superblocks, checked, error)) > 0)
		;
	if (went == 0 && c->n_async < c->thread->head->n_async) {
		g_set_error(error, TRACE_ERROR, TRACE_ERROR_CHECK,
			    "Thread %u does not meet the signal that came before its instruction "
			    "%" G_GUINT64_FORMAT ".",
			    thread, c->thread->async[c->n_async].insns);
		went = -1;
	}
	superblocks_free(superblocks);
	trace_cursor_free(fast);
	trace_cursor_free(c);
	return went == 0;
}

bool trace_check(struct trace_run *r, struct lift *lift, uint64_t *checked, GError **error)
{
	*checked = 0;
	for (unsigned i = 0; i < trace_run_threads(r); i++) {
		if (!check_thread(r, i, lift, checked, error))
			return false;
	}
	return true;
}
