/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/change/source/address-mutant.h"

#include "solver/change/code/mutant-insn.h"
#include "solver/image/variable/variable.h"

/* Addresses in a frame count from here. */
static const uint64_t FRAME = UINT64_C(0x5a00) << 32;

/* What an instruction takes the address of. */
struct taken {
	struct insn in;
	bool in_frame; /* by rbp, else by the program counter */
	uint64_t address;
};

static bool takes_address(const struct image *im, uint64_t addr, struct taken *out)
{
	const ZydisDecodedOperandMem *m = &out->in.o[1].mem;

	if (!mutant_decode(im, addr, &out->in) || out->in.i.mnemonic != ZYDIS_MNEMONIC_LEA ||
	    insn_is_housekeeping(&out->in) || m->index != ZYDIS_REGISTER_NONE ||
	    (m->base != ZYDIS_REGISTER_RBP && m->base != ZYDIS_REGISTER_RIP))
		return false;
	out->in_frame = m->base == ZYDIS_REGISTER_RBP;
	out->address = (uint64_t)m->disp.value + (out->in_frame ? FRAME : addr + out->in.i.length);
	return true;
}

/* Where the variable is there; false: not in memory. */
static bool find_address_of(const struct image *im, const struct taken *t,
			    const struct image_variable *v, uint64_t *address)
{
	const struct image_frame frame = { .pc = t->in.addr, .regs[TRACE_RBP] = FRAME };
	const struct image_place p = image_locate(im, v, &frame);

	*address = p.address;
	return v->name && v->type && p.kind == IMAGE_PLACE_MEMORY &&
	       (v->function != NULL) == t->in_frame;
}

/* As a compiler wants what a pointer points to. */
static bool is_same_pointee(const struct image_type *a, const struct image_type *b)
{
	if (!a || !b || a->kind != b->kind || a->size != b->size)
		return a == b;
	return a->kind == IMAGE_TYPE_ARRAY || a->kind == IMAGE_TYPE_POINTER
		       ? is_same_pointee(a->target, b->target)
		       : g_strcmp0(a->name, b->name) == 0;
}

static void add_other_address(struct mutant_maker *x, const struct taken *t,
			      const struct image_variable *of, const struct image_variable *other,
			      GArray *all)
{
	struct mutant made = mutant_of(&t->in, MUTANT_VARIABLE);
	g_autofree char *words = g_strdup_printf("`%s' for `%s'", other->name, of->name);
	ZydisEncoderRequest r;
	uint64_t there;

	if (other == of || !image_name_is_of_source(of->name) ||
	    !image_name_is_of_source(other->name) || !is_same_pointee(of->type, other->type) ||
	    !find_address_of(x->im, t, other, &there) || there == t->address ||
	    !mutant_request(&t->in, &r))
		return;
	made.from = (int64_t)t->address;
	made.to = (int64_t)there;
	made.nearness = MUTANT_OTHER_VARIABLE;
	made.words = g_string_chunk_insert_const(x->words, words);
	r.operands[1].mem.displacement += made.to - made.from;
	if (mutant_encode(&t->in, &r, &made))
		mutants_take(all, &t->in, &made);
}

static void add_addresses(struct mutant_maker *x, const struct taken *t, GArray *all)
{
	const struct image_variable *const *visible;
	const size_t n = image_variables_at(x->im, t->in.addr, &visible);
	g_autofree const struct image_variable **variables =
		g_memdup2(visible, n * sizeof *variables);
	const struct image_variable *of = NULL;
	uint64_t there;

	for (size_t i = 0; !of && i < n; i++)
		if (find_address_of(x->im, t, variables[i], &there) && there == t->address)
			of = variables[i];
	for (size_t i = 0; of && i < n; i++)
		add_other_address(x, t, of, variables[i], all);
}

void address_mutants_of_line(struct mutant_maker *x, const GArray *addrs, GArray *all)
{
	for (guint i = 0; i < addrs->len; i++) {
		struct taken t;

		if (takes_address(x->im, g_array_index(addrs, uint64_t, i), &t))
			add_addresses(x, &t, all);
	}
}
