/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/change/source/operand-order.h"

#include "solver/change/code/mutant-insn.h"
#include "solver/change/mutant/mutant-operator.h"
#include "solver/change/source/operand-name.h"

#include <string.h>

static bool is_operand_register(const ZydisDecodedOperand *o, ZydisRegister reg)
{
	return o->type == ZYDIS_OPERAND_TYPE_REGISTER &&
	       ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, o->reg.value) ==
		       ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, reg);
}

/* What one of the two is, as far as the line's instructions tell. */
struct summand {
	char *name;    /* NULL = not known */
	guint defined; /* how far before the sum the register was set; 0 = not in the line */
};

/* The variable that the register holds there; NULL: none.  Free it. */
static char *name_in_register(struct mutant_maker *x, uint64_t addr, ZydisRegister reg)
{
	const struct image_frame frame = { .pc = addr };
	const bool is_vector = ZydisRegisterGetClass(reg) == ZYDIS_REGCLASS_XMM;
	const unsigned number = (is_vector ? TRACE_XMM0 : 0) + (unsigned)ZydisRegisterGetId(reg);
	const struct image_variable *const *variables;
	const size_t n = image_variables_at(x->im, addr, &variables);

	for (size_t i = 0; i < n; i++) {
		const struct image_place p = image_locate(x->im, variables[i], &frame);

		if (p.kind == IMAGE_PLACE_REGISTER && p.reg == number && variables[i]->name)
			return g_strdup(variables[i]->name);
	}
	return NULL;
}

/* Does the instruction set the register, and perhaps read it before? */
static bool sets_register(const struct insn *in, ZydisRegister reg)
{
	const ZydisDecodedOperand *o = &in->o[0];

	if (in->i.meta.category == ZYDIS_CATEGORY_CALL)
		return ZydisRegisterGetId(reg) == 0; /* its result */
	return in->i.operand_count_visible >= 2 && is_operand_register(o, reg) &&
	       o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE;
}

/* Is it where the compiler keeps what it computed before? */
static bool is_kept_value(const ZydisDecodedOperand *o)
{
	return o->type == ZYDIS_OPERAND_TYPE_MEMORY && o->mem.base == ZYDIS_REGISTER_RBP &&
	       o->mem.index == ZYDIS_REGISTER_NONE;
}

static struct summand find_summand(struct mutant_maker *x, const GArray *addrs, guint i,
				   const struct insn *sum, const ZydisDecodedOperand *o)
{
	struct summand s = { operand_name(x->im, sum, o), 0 };

	for (guint k = i; o->type == ZYDIS_OPERAND_TYPE_REGISTER && k > 0; k--) {
		struct insn in;

		if (!mutant_decode(x->im, g_array_index(addrs, uint64_t, k - 1), &in) ||
		    !sets_register(&in, o->reg.value))
			continue;
		s.defined = i - k + 1;
		if (in.i.operand_count_visible > 1 &&
		    !(in.o[0].actions & ZYDIS_OPERAND_ACTION_MASK_READ))
			s.name = operand_name(x->im, &in, &in.o[1]);
		return s;
	}
	if (o->type == ZYDIS_OPERAND_TYPE_REGISTER)
		s.name = name_in_register(x, sum->addr, o->reg.value);
	else if (!s.name && is_kept_value(o))
		s.defined = i + 1;
	return s;
}

/* What is added: the two operands, or of an address its base and its index. */
static void take_summands(const struct insn *in, ZydisDecodedOperand *first,
			  ZydisDecodedOperand *second)
{
	*first = in->o[0];
	*second = in->o[1];
	if (in->i.mnemonic != ZYDIS_MNEMONIC_LEA)
		return;
	*first = *second = (ZydisDecodedOperand){ .type = ZYDIS_OPERAND_TYPE_REGISTER };
	first->reg.value = in->o[1].mem.base;
	second->reg.value = in->o[1].mem.index;
}

/* Does the name stand on that side of such an operator in the text? */
static bool stands_beside_symbol(const char *text, const char *name, char symbol, bool left)
{
	g_autofree char *escaped = g_regex_escape_string(name, -1);
	g_autofree char *pattern =
		left ? g_strdup_printf("(?<![\\w.>])%s ?\\%c(?!\\%c)", escaped, symbol, symbol)
		     : g_strdup_printf("(?<!\\%c)\\%c=? ?%s(?![\\w.\\[]|->)", symbol, symbol,
				       escaped);

	return g_regex_match_simple(pattern, text, 0, 0);
}

/* 1: the name is only on the left, -1: only on the right, 0: it does not tell. */
static int side_of_name(const char *text, const char *name, char symbol)
{
	return name ? stands_beside_symbol(text, name, symbol, true) -
			       stands_beside_symbol(text, name, symbol, false)
		    : 0;
}

enum operand_order operand_order_of(struct mutant_maker *x, const GArray *addrs, uint64_t addr,
				    char symbol)
{
	g_autofree char *text = mutant_maker_line(x, addr);
	enum operand_order order = ORDER_UNKNOWN;
	ZydisDecodedOperand one, other;
	struct summand first, second;
	struct insn in;
	guint i = 0;
	int side;

	while (i < addrs->len && g_array_index(addrs, uint64_t, i) != addr)
		i++;
	if (!text || i == addrs->len || !mutant_decode(x->im, addr, &in) ||
	    in.i.operand_count_visible < 2)
		return ORDER_UNKNOWN;
	take_summands(&in, &one, &other);
	first = find_summand(x, addrs, i, &in, &one);
	second = find_summand(x, addrs, i, &in, &other);
	side = side_of_name(text, first.name, symbol) - side_of_name(text, second.name, symbol);
	if (side)
		order = side > 0 ? ORDER_AS_WRITTEN : ORDER_EXCHANGED;
	else if (!first.name && !second.name && first.defined && second.defined)
		/* what stands first is computed first, where neither is a variable */
		order = first.defined > second.defined ? ORDER_AS_WRITTEN : ORDER_EXCHANGED;
	g_free(first.name);
	g_free(second.name);
	return order;
}

void operand_order_leave_out(struct mutant_maker *x, const GArray *addrs, GArray *all)
{
	for (guint i = all->len; i > 0; i--) {
		const struct mutant *made = &g_array_index(all, struct mutant, i - 1);
		const char symbol = mutant_symbol_ordered(made);
		enum operand_order order;

		if (!symbol)
			continue;
		order = operand_order_of(x, addrs, made->addr, symbol);
		if ((made->to != MUTANT_ANOTHER_OPERATOR) != (order == ORDER_EXCHANGED))
			g_array_remove_index(all, i - 1);
	}
}
