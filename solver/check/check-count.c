/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/check/check-count.h"

#include "solver/image/variable/variable.h"
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

/* The instruction behind it in the code; NULL = there is none. */
static const struct trace_insn *next_insn(const struct image *im, const struct trace_insn *insn)
{
	return insn ? image_insn_at(im, insn->addr + insn->length) : NULL;
}

/* Does the function end in the line that is executed at addr? */
static bool is_last_line(const struct image *im, const struct image_function *f, uint64_t addr)
{
	const struct image_row *row = image_row_at(im, addr), *last = image_row_at(im, f->hi - 1);

	return row && last && image_function_at(im, addr) == f &&
	       image_statement(im, row->statement)->line ==
		       image_statement(im, last->statement)->line;
}

/* lea message(%rip), %rax */
static bool loads_message(const struct image *im, const struct trace_insn *insn)
{
	enum { REX_W = 0x48, LEA = 0x8d, RAX_OF_RIP = 0x05, LENGTH = 7 };
	uint8_t code[3];
	bool writable;

	return insn->length == LENGTH &&
	       image_initial(im, insn->addr, sizeof code, code, &writable) && code[0] == REX_W &&
	       code[1] == LEA && code[2] == RAX_OF_RIP;
}

/* `return 1;', or "return message;": gives a constant as the function's result, and goes to its
 * end. */
static bool gives_constant_result(const struct image *im, const struct trace_insn *insn)
{
	enum { MOVE_TO_EAX = 0xb8, LENGTH = 5 };
	const struct trace_insn *next = next_insn(im, insn);
	const struct image_function *f = image_function_at(im, insn->addr);
	uint8_t code;
	bool writable;

	if (!f || !next ||
	    !is_last_line(im, f, next->flow == TRACE_FLOW_JUMP ? next->target : next->addr))
		return false;
	if (insn->store_reg == TRACE_REG_IMMEDIATE && stores_to_variable(insn))
		return true;
	return loads_message(im, insn) ||
	       (insn->length == LENGTH &&
		image_initial(im, insn->addr, sizeof code, &code, &writable) &&
		code == MOVE_TO_EAX);
}

/* What main returns is the status itself. */
static bool returns_constant(const struct image *im, const struct trace_insn *insn)
{
	return gives_constant_result(im, insn) &&
	       strcmp(image_function_at(im, insn->addr)->name, "main") != 0;
}

static bool counts_in_variable(const struct image *im, const struct trace_insn *insn)
{
	return stores_to_variable(insn) && !gives_constant_result(im, insn);
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

/* The last four bytes of the instruction. */
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

/* Is it the same function of the source, of which C++ may have several instances? */
static bool is_of_same_function(const struct image *im, const struct trace_insn *a,
				const struct trace_insn *b)
{
	const struct image_function *f = image_function_at(im, a->addr),
				    *g = image_function_at(im, b->addr);

	return f == g ||
	       (f && g && f->line && f->line == g->line && g_strcmp0(f->file, g->file) == 0);
}

/* Two stores to the same variable: in memory of the program's, or of the same function. */
static bool counts_the_same(const struct image *im, const struct trace_insn *a,
			    const struct trace_insn *b)
{
	const bool constant = a->store_reg == TRACE_REG_IMMEDIATE;

	if (returns_constant(im, a))
		return returns_constant(im, b) &&
		       (loads_message(im, a) ? loads_message(im, b)
					     : !immediate_of(im, a) == !immediate_of(im, b));
	return stores_to_variable(b) && a->mem[0].base == b->mem[0].base &&
	       a->mem[0].disp == b->mem[0].disp && a->mem[0].size == b->mem[0].size &&
	       a->mem[0].seg == b->mem[0].seg &&
	       (a->mem[0].base == TRACE_REG_NONE || is_of_same_function(im, a, b)) &&
	       constant == (b->store_reg == TRACE_REG_IMMEDIATE) &&
	       (!constant || immediate_of(im, a) == immediate_of(im, b));
}

/* Does the line return a constant, whatever else it stores? */
static bool line_returns(const struct image *im, const char *file, unsigned line)
{
	const struct trace_insn *insns;
	size_t n = image_insns(im, &insns);

	for (size_t i = 0; i < n; i++) {
		const struct image_statement *s =
			returns_constant(im, &insns[i]) ? statement_of_store(im, &insns[i]) : NULL;

		if (s && s->line == line && g_strcmp0(s->file, file) == 0)
			return true;
	}
	return false;
}

/* The only store of the line that such a branch decides about, or what it returns; false: it has
 * none, or several. */
static bool store_of_line(const struct image *im, const char *file, unsigned line,
			  GHashTable *decides, struct check_count *out)
{
	const bool returns = line_returns(im, file, line);
	const struct trace_insn *insns;
	size_t n = image_insns(im, &insns);

	*out = (struct check_count){ .returns = returns };
	for (size_t i = 0; i < n; i++) {
		const struct image_statement *s = (returns ? returns_constant(im, &insns[i])
							   : counts_in_variable(im, &insns[i]))
							  ? statement_of_store(im, &insns[i])
							  : NULL;
		const struct trace_insn *branch =
			s && s->line == line && g_strcmp0(s->file, file) == 0
				? deciding_branch(im, &insns[i], decides)
				: NULL;

		if (!branch)
			continue;
		if (out->store && !counts_the_same(im, out->store, &insns[i]))
			return false;
		out->store = &insns[i];
		out->branch = branch;
		out->zero = returns && !loads_message(im, &insns[i]) &&
			    immediate_of(im, &insns[i]) == 0;
	}
	return out->store != NULL;
}

/* `EXPECT(n == 3);', of which the macro returns, in a function that is called without arguments. */
static bool is_macro_of_test(const struct image *im, const struct trace_insn *store,
			     const struct trace_insn *branch)
{
	const struct image_function *f = image_function_at(im, store->addr);
	const struct image_statement *s = statement_of_store(im, store),
				     *by = statement_of_store(im, branch);
	const char *text =
		f && s && by && s->file && s->line == by->line && g_strcmp0(s->file, by->file) == 0
			? image_source_line(im, s->file, s->line)
			: NULL;

	return text && !image_parameter_type(im, f, image_function_has_object(im, f)) &&
	       g_regex_match_simple("^\\s*(?!if\\b|while\\b|for\\b|switch\\b|return\\b)\\w+\\s*\\(",
				    text, 0, 0);
}

/* Is it another check of those, one of which is first? */
static bool is_same_check(const struct image *im, const struct check_count *first,
			  const struct check_count *other)
{
	return other->branch &&
	       (!first->returns || is_of_same_function(im, first->store, other->store) ||
		is_macro_of_test(im, other->store, other->branch));
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
		other.returns = first.returns;
		other.zero = first.zero;
		if (other.store == first.store || !counts_the_same(im, first.store, other.store))
			continue;
		other.branch = deciding_branch(im, other.store, NULL);
		if (is_same_check(im, &first, &other))
			g_array_append_val(stores, other);
	}
	return stores;
}

GArray *check_count_throws(const struct image *im, const char *function)
{
	GArray *throws = g_array_new(FALSE, FALSE, sizeof(struct check_count));
	const struct trace_insn *insns;
	size_t n = image_insns(im, &insns);

	for (size_t i = 0; i < n; i++) {
		const struct image_function *f = insns[i].flow == TRACE_FLOW_CALL
							 ? image_function_at(im, insns[i].addr)
							 : NULL;
		struct check_count made = { .store = &insns[i], .returns = true };

		if (!f || strcmp(f->name, function) != 0 ||
		    g_strcmp0(image_native_name(im, insns[i].target), "__cxa_throw") != 0)
			continue;
		made.branch = deciding_branch(im, &insns[i], NULL);
		if (made.branch)
			g_array_append_val(throws, made);
	}
	return throws;
}

bool check_count_turn(const struct image *im, struct check_count *c)
{
	const uint64_t behind = c->branch->addr + c->branch->length, target = c->branch->target;
	const bool is_behind =
		c->store->addr >= behind && (target < behind || c->store->addr < target);

	c->store = image_insn_at(im, is_behind ? target : behind);
	return c->store && deciding_branch(im, c->store, NULL) == c->branch;
}
