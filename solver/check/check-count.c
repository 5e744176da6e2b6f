/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/check/check-count.h"

#include "solver/source/failing-lines.h"

#include <string.h>

static const struct image_statement *statement_of_store(const struct image *im,
							const struct trace_insn *insn)
{
	const struct image_row *row = image_row_at(im, insn->addr);

	return row ? image_statement(im, row->statement) : NULL;
}

/* Does it store to a variable, and not what a call is to return to? */
static bool stores_to_variable(const struct trace_insn *insn)
{
	return insn->flow == TRACE_FLOW_NONE && insn->n_mem == 1 &&
	       insn->mem[0].flags & TRACE_MEM_WRITE && insn->mem[0].base != TRACE_RSP &&
	       insn->mem[0].index == TRACE_REG_NONE;
}

/* The branch that decides whether the instruction is executed, one of these lines (NULL = of any
 * line); NULL = there is none. */
static const struct trace_insn *deciding_branch(const struct image *im,
						const struct trace_insn *insn, GHashTable *decides)
{
	const struct image_function *f = image_function_at(im, insn->addr);
	const struct image_cfg *cfg = f ? image_cfg(im, f) : NULL;
	const struct image_block *b = cfg ? image_block_at(im, f, insn->addr) : NULL;
	const struct trace_insn *found = NULL;

	for (uint32_t i = 0; b && i < b->n_control; i++) {
		const struct trace_insn *last = image_insn_at(im, cfg->blocks[b->control[i]].last);
		const struct image_statement *s = last ? statement_of_store(im, last) : NULL;

		if (s && s->file && last->flow == TRACE_FLOW_COND &&
		    (!decides || failing_lines_has(decides, s)) &&
		    (!found || last->addr > found->addr))
			found = last;
	}
	return found;
}

static int32_t immediate_of(const struct image *im, const struct trace_insn *insn)
{
	uint8_t bytes[16];
	bool writable;
	int32_t value = 0;

	if (insn->length <= sizeof(bytes) && insn->length > sizeof(value) &&
	    image_initial(im, insn->addr, insn->length, bytes, &writable))
		memcpy(&value, bytes + insn->length - sizeof(value), sizeof(value));
	return value;
}

/* Two stores to the same variable: in memory of the program's, or of the same function. */
static bool counts_the_same(const struct image *im, const struct trace_insn *a,
			    const struct trace_insn *b)
{
	const bool constant = a->store_reg == TRACE_REG_IMMEDIATE;

	return stores_to_variable(b) && a->mem[0].base == b->mem[0].base &&
	       a->mem[0].disp == b->mem[0].disp && a->mem[0].size == b->mem[0].size &&
	       a->mem[0].seg == b->mem[0].seg &&
	       (a->mem[0].base == TRACE_REG_NONE ||
		image_function_at(im, a->addr) == image_function_at(im, b->addr)) &&
	       constant == (b->store_reg == TRACE_REG_IMMEDIATE) &&
	       (!constant || immediate_of(im, a) == immediate_of(im, b));
}

/* The only store of the line that such a branch decides about; false: it has none, or several. */
static bool store_of_line(const struct image *im, const char *file, unsigned line,
			  GHashTable *decides, struct check_count *out)
{
	const struct trace_insn *insns;
	size_t n = image_insns(im, &insns);

	*out = (struct check_count){ 0 };
	for (size_t i = 0; i < n; i++) {
		const struct image_statement *s =
			stores_to_variable(&insns[i]) ? statement_of_store(im, &insns[i]) : NULL;
		const struct trace_insn *branch =
			s && s->line == line && g_strcmp0(s->file, file) == 0
				? deciding_branch(im, &insns[i], decides)
				: NULL;

		if (!branch)
			continue;
		if (out->store && !counts_the_same(im, out->store, &insns[i]))
			return false;
		*out = (struct check_count){ &insns[i], branch };
	}
	return out->store != NULL;
}

GArray *check_count_stores(const struct image *im, const char *file, unsigned line,
			   GHashTable *decides)
{
	GArray *stores = g_array_new(FALSE, FALSE, sizeof(struct check_count));
	const struct trace_insn *insns;
	size_t n = image_insns(im, &insns);
	struct check_count first, other;

	if (!store_of_line(im, file, line, decides, &first))
		return stores;
	g_array_append_val(stores, first);
	for (size_t i = 0; i < n; i++) {
		other.store = &insns[i];
		if (other.store == first.store || !counts_the_same(im, first.store, other.store))
			continue;
		other.branch = deciding_branch(im, other.store, NULL);
		if (other.branch)
			g_array_append_val(stores, other);
	}
	return stores;
}
