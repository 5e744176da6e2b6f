/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/output/wanted.h"
#include "solver/output/match.h"
#include "solver/output/part.h"
#include "solver/base/hash.h"
#include "solver/library/library.h"

#include <string.h>

enum {
	LONGEST_CONSTANT = 4096,
	SET_EDI = 5, /* bytes of `mov $32,%edi' */
};

struct wanted {
	const char *text;
	size_t length;
	GArray *pcs;
	unsigned best; /* characters from the source that the best so far prints */
	bool possible;
	bool is_part; /* the text is a part of what is printed; else its beginning */
	struct trace_run *run;
	const struct limits *limits;
};

static void add_wanted(struct wanted *w, uint64_t pc)
{
	w->possible = true;
	for (guint i = 0; i < w->pcs->len; i++)
		if (g_array_index(w->pcs, uint64_t, i) == pc)
			return;
	if (w->pcs->len < w->limits->output_alike)
		g_array_append_val(w->pcs, pc);
}

static void add_if_best(struct wanted *w, uint64_t pc, unsigned literals)
{
	w->possible = true;
	if (literals < w->best)
		return;
	if (literals > w->best)
		g_array_set_size(w->pcs, 0);
	w->best = literals;
	add_wanted(w, pc);
}

/* ---- calls that the run made ---- */

static unsigned literals_of(const GArray *items)
{
	unsigned n = 0;

	for (guint i = 0; i < items->len; i++) {
		const struct match_item *item = &g_array_index(items, struct match_item, i);

		if (item->piece->directive.kind == DIRECTIVE_TEXT)
			n += (unsigned)item->actual_length;
	}
	return n;
}

static bool is_constant_piece(const struct printed_call *call, const struct printed_piece *piece)
{
	uint8_t byte;
	bool writable = true;

	return piece->directive.kind == DIRECTIVE_STRING &&
	       image_initial(call->module->image, piece->bits - call->module->bias, 1, &byte,
			     &writable) &&
	       !writable;
}

bool wanted_is_literal(const struct printed_call *call, const GArray *items)
{
	const struct image *im = call->module->image;
	uint64_t link = call->pc - call->module->bias;
	const struct match_item *only = &g_array_index(items, struct match_item, 0);
	const struct trace_insn *insn = image_insn_at(im, link - SET_EDI);
	size_t avail = 0;
	const uint8_t *bytes = insn ? image_bytes(im, insn->addr, &avail) : NULL;

	return items->len == 1 && only->piece->directive.kind == DIRECTIVE_CHAR && bytes &&
	       avail >= SET_EDI && insn->length == SET_EDI && bytes[0] == 0xbf;
}

bool wanted_constants_exist(const struct printed *p, struct trace_run *run, const GArray *items)
{
	for (guint i = 0; i < items->len; i++) {
		const struct match_item *item = &g_array_index(items, struct match_item, i);
		g_autoptr(GArray) at = g_array_new(FALSE, FALSE, sizeof(uint64_t));

		if (!is_constant_piece(item->call, item->piece))
			continue;
		wanted_strings(p, run, item->expected, item->expected_length, at);
		if (!at->len)
			return false;
	}
	return true;
}

static void try_calls(struct wanted *w, const struct printed *p, unsigned stream)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(hash_u64, g_int64_equal);

	for (guint i = 0; i < p->calls[stream]->len; i++) {
		const struct printed_call *call = p->calls[stream]->pdata[i];
		GArray *items;

		if (!g_hash_table_add(seen, (gpointer)&call->pc))
			continue;
		items = match_items_of(p, stream, call->from, call->to);
		if (items && match_items(items, w->text, w->length, true, w->limits) &&
		    wanted_constants_exist(p, w->run, items))
			add_if_best(w, call->pc, literals_of(items));
		if (items)
			g_array_free(items, TRUE);
	}
}

/* What printed just this text, or its beginning, may print it again, whatever constants there are.
 */
static void try_same_calls(struct wanted *w, const struct printed *p, unsigned stream)
{
	for (guint i = 0; i < p->calls[stream]->len; i++) {
		const struct printed_call *call = p->calls[stream]->pdata[i];
		const size_t n = call->to - call->from;

		if (n && n <= w->length &&
		    memcmp(p->text[stream]->str + call->from, w->text, n) == 0)
			add_wanted(w, call->pc);
	}
}

/* ---- constants that the code refers to ---- */

static bool constant_at(const struct image *im, uint64_t link, GString *out)
{
	uint8_t byte;
	bool writable = false;

	g_string_truncate(out, 0);
	while (out->len < LONGEST_CONSTANT &&
	       image_initial(im, link + out->len, 1, &byte, &writable) && !writable && byte)
		g_string_append_c(out, (char)byte);
	return out->len && out->len < LONGEST_CONSTANT && !writable;
}

/* Tables of numbers, as of a `switch', are no text. */
static bool is_character_of_text(uint8_t byte)
{
	return (byte >= 0x20 && byte != 0x7f && byte < 0xfe) || (byte >= '\a' && byte <= '\r') ||
	       byte == '\33';
}

static bool is_readable_constant(const GString *constant)
{
	for (gsize i = 0; i < constant->len; i++)
		if (!is_character_of_text((uint8_t)constant->str[i]))
			return false;
	return true;
}

/* Is the constant for a function that compares texts or finds a file, as the one in
 * `strcmp(word, "on")'?  Nothing prints it there. */
static bool is_only_looked_at(const struct image *im, const struct trace_insn *insns, size_t n)
{
	const struct library_function *f;
	size_t i = 0;

	while (i < n && insns[i].flow == TRACE_FLOW_NONE)
		i++;
	f = i < n && insns[i].flow == TRACE_FLOW_CALL
		    ? library_find(image_native_name(im, insns[i].target))
		    : NULL;
	return f && ((f->model >= LIBRARY_COMPARES && f->model <= LIBRARY_SPANS) ||
		     f->input == LIBRARY_OPENS_STREAM || f->input == LIBRARY_OPENS_FILE ||
		     f->input == LIBRARY_FINDS_VARIABLE);
}

/* The address that the instruction puts into a register: lea …(%rip), or mov $…, of 4 bytes. */
static uint64_t address_in(const struct image *im, const struct trace_insn *insn)
{
	size_t avail = 0;
	const uint8_t *bytes = image_bytes(im, insn->addr, &avail);
	int32_t disp;

	if (!bytes || avail < insn->length || insn->flow != TRACE_FLOW_NONE)
		return 0;
	if (insn->rip_disp_offset && !insn->n_mem) {
		memcpy(&disp, bytes + insn->rip_disp_offset, sizeof(disp));
		return insn->addr + insn->length + (uint64_t)(int64_t)disp;
	}
	if (insn->length == 5 && bytes[0] >= 0xb8 && bytes[0] <= 0xbf) {
		memcpy(&disp, bytes + 1, sizeof(disp));
		return (uint32_t)disp;
	}
	return 0;
}

static void try_constant(struct wanted *w, const char *constant, uint64_t pc)
{
	g_autofree char *as_line = NULL;
	unsigned literals = w->is_part ? part_of_format(constant, w->text, w->length) : 0;

	if (literals)
		add_if_best(w, pc, literals);
	if (w->is_part)
		return;
	if (match_format(constant, w->text, w->length, true, w->limits, &literals) && literals)
		add_if_best(w, pc, literals);
	/* puts */
	as_line = g_strconcat(constant, "\n", NULL);
	if (!strchr(constant, '%') && strlen(as_line) <= w->length &&
	    memcmp(as_line, w->text, strlen(as_line)) == 0)
		add_if_best(w, pc, (unsigned)strlen(as_line));
}

static void try_constants(struct wanted *w, const struct image *im, uint64_t bias)
{
	const struct trace_insn *insns;
	size_t n = image_insns(im, &insns);
	g_autoptr(GString) constant = g_string_new(NULL);

	for (size_t i = 0; i < n; i++) {
		uint64_t link = address_in(im, &insns[i]);

		if (link && constant_at(im, link, constant) && is_readable_constant(constant) &&
		    !is_only_looked_at(im, insns + i, n - i))
			try_constant(w, constant->str, insns[i].addr + bias);
	}
}

static void try_all_constants(struct wanted *w)
{
	for (unsigned i = 0; i < trace_run_modules(w->run); i++) {
		const struct trace_module *m = trace_run_module(w->run, i);

		try_constants(w, m->image, m->bias);
	}
}

bool wanted_find_part(const struct printed *p, struct trace_run *run, const char *text,
		      size_t length, GArray *pcs)
{
	struct wanted w = { .text = text,
			    .length = length,
			    .pcs = pcs,
			    .run = run,
			    .limits = p->limits,
			    .is_part = true };

	try_all_constants(&w);
	return w.possible;
}

bool wanted_find(const struct printed *p, unsigned stream, struct trace_run *run, const char *text,
		 size_t length, GArray *pcs)
{
	struct wanted w = {
		.text = text, .length = length, .pcs = pcs, .run = run, .limits = p->limits
	};

	try_calls(&w, p, stream);
	try_all_constants(&w);
	try_same_calls(&w, p, stream);
	return w.possible;
}

static bool calls_what_prints(const struct image *im, const struct trace_insn *insn)
{
	const char *name =
		insn->flow == TRACE_FLOW_CALL ? image_native_name(im, insn->target) : NULL;
	const struct library_function *f = library_find(name);

	return (f && f->prints != LIBRARY_PRINTS_NOTHING) || library_is_put(name);
}

bool wanted_is_printed_there(const struct image *im, uint64_t link)
{
	const struct trace_insn *insn = image_insn_at(im, link);
	const struct image_row *row = image_row_at(im, link);
	const struct image_statement *st = row ? image_statement(im, row->statement) : NULL;

	for (; st && insn; insn = image_insn_at(im, insn->addr + insn->length)) {
		row = image_row_at(im, insn->addr);
		if (!row || !image_line_equal(image_statement(im, row->statement), st))
			return false;
		if (calls_what_prints(im, insn))
			return true;
	}
	return false;
}

/* ---- strings ---- */

static void add_address(GArray *addresses, uint64_t at, const struct limits *limits)
{
	for (guint i = 0; i < addresses->len; i++)
		if (g_array_index(addresses, uint64_t, i) == at)
			return;
	if (addresses->len < limits->output_alike)
		g_array_append_val(addresses, at);
}

static void add_printed_strings(const struct printed *p, const char *text, size_t length,
				GArray *addresses)
{
	for (unsigned s = 0; s < PRINTED_STREAMS; s++)
		for (guint i = 0; i < p->calls[s]->len; i++) {
			const struct printed_call *call = p->calls[s]->pdata[i];

			for (guint k = 0; k < call->pieces->len; k++) {
				const struct printed_piece *piece =
					&g_array_index(call->pieces, struct printed_piece, k);

				if (piece->directive.kind == DIRECTIVE_STRING &&
				    piece->to - piece->from == length &&
				    memcmp(p->text[s]->str + piece->from, text, length) == 0)
					add_address(addresses, piece->bits, p->limits);
			}
		}
}

static void search_part(const struct printed *p, const struct trace_module *m, const uint8_t *part,
			uint64_t lo, size_t size, const char *text, size_t length,
			GArray *addresses)
{
	const uint8_t *at = part, *end = part + size;

	while (length && (size_t)(end - at) > length &&
	       (at = memmem(at, (size_t)(end - at) - 1, text, length))) {
		if (!at[length])
			add_address(addresses, m->bias + lo + (uint64_t)(at - part), p->limits);
		at++;
	}
}

void wanted_strings(const struct printed *p, struct trace_run *run, const char *text, size_t length,
		    GArray *addresses)
{
	add_printed_strings(p, text, length, addresses);
	for (unsigned i = 0; i < trace_run_modules(run); i++) {
		const struct trace_module *m = trace_run_module(run, i);
		const uint8_t *part;
		uint64_t lo;
		size_t size;

		for (unsigned k = 0; (part = image_part(m->image, k, &lo, &size)); k++)
			search_part(p, m, part, lo, size, text, length, addresses);
	}
}
