/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/change/mutator.h"
#include "solver/change/place-words.h"

#include "solver/change/code/code-line.h"
#include "solver/change/moved/moved-mutant.h"
#include "solver/change/mutant/callee-mutant.h"
#include "solver/change/mutant/instruction-mutants.h"
#include "solver/change/source/address-mutant.h"
#include "solver/change/source/compared-mutant.h"
#include "solver/change/source/division-mutant.h"
#include "solver/change/source/expression-mutant.h"
#include "solver/change/missing/inserted-mutant.h"
#include "solver/change/missing/missing-mutant.h"
#include "solver/change/missing/null-check-mutant.h"
#include "solver/change/source/field-line.h"
#include "solver/change/source/operand-name.h"
#include "solver/change/source/operand-occurrence.h"
#include "solver/change/source/operand-order.h"
#include "solver/change/source/text-mutant.h"
#include "solver/change/source/truth-line.h"
#include "solver/image/shadow.h"
#include "solver/image/variable/variable.h"
#include "solver/source/operand-text.h"

#include <stdlib.h>
#include <string.h>

/* A place in memory as instructions name it. */
struct place {
	uint64_t function;  /* the function's entry for a place in a frame, else 0 */
	ZydisRegister base; /* RBP, RSP, RIP; NONE: any other register */
	bool indexed;	    /* with an index, which makes it an array */
	uint16_t size;	    /* bits */
	int64_t at;	    /* displacement; RIP: link-time address */
};

struct mutator {
	const struct limits *limits;
	const struct image *im;
	GArray *constants; /* int64_t, distinct */
	GArray *reals;	   /* int64_t, distinct: bits of doubles */
	GArray *places;	   /* struct place, distinct */
	struct expression_texts *texts;
	struct mutant_maker *maker;
	struct inserted_mutants *inserted;
	struct callee_mutants *callees;
	GHashTable *lines;  /* struct image_statement *, by its line → GArray of uint64_t: its
			     * instructions, ascending */
	GHashTable *shadow; /* instructions that no source line has, as solver/image/shadow.h */
	GPtrArray *kept;    /* struct mutant *: what .also points to; struct code_piece * */
};

static bool is_branch(const struct insn *in)
{
	ZydisInstructionCategory c = in->i.meta.category;

	return c == ZYDIS_CATEGORY_COND_BR || c == ZYDIS_CATEGORY_UNCOND_BR ||
	       c == ZYDIS_CATEGORY_CALL || c == ZYDIS_CATEGORY_RET;
}

/* The number of the visible operand that is a constant, or -1. */
static int constant_operand(const struct insn *in)
{
	if (is_branch(in) || insn_is_housekeeping(in))
		return -1;
	for (int k = 0; k < in->i.operand_count_visible; k++)
		if (in->o[k].type == ZYDIS_OPERAND_TYPE_IMMEDIATE)
			return insn_is_reciprocal(in->o[k].imm.value.s) ? -1 : k;
	return -1;
}

/* `lea 1(%rdx),%eax' adds a constant to a number; addresses of variables are taken from the frame,
 * from the program counter, or by an index alone. */
static bool adds_by_lea(const struct insn *in)
{
	const ZydisDecodedOperandMem *m = &in->o[1].mem;

	return in->i.mnemonic == ZYDIS_MNEMONIC_LEA && !insn_is_housekeeping(in) && m->disp.value &&
	       m->base != ZYDIS_REGISTER_NONE && m->base != ZYDIS_REGISTER_RBP &&
	       m->base != ZYDIS_REGISTER_RSP && m->base != ZYDIS_REGISTER_RIP;
}

/* The constant that the instruction computes with; 0 = none. */
static int64_t constant_of(const struct insn *in)
{
	int k = constant_operand(in);

	if (adds_by_lea(in))
		return in->o[1].mem.disp.value;
	if (insn_adds_to_itself(in))
		return 2;
	return k >= 0 ? in->o[k].imm.value.s : 0;
}

static int memory_operand(const struct insn *in)
{
	if (is_branch(in) || insn_is_housekeeping(in) || in->i.mnemonic == ZYDIS_MNEMONIC_LEA)
		return -1;
	for (int k = 0; k < in->i.operand_count_visible; k++)
		if (in->o[k].type == ZYDIS_OPERAND_TYPE_MEMORY &&
		    in->o[k].mem.segment != ZYDIS_REGISTER_FS &&
		    in->o[k].mem.segment != ZYDIS_REGISTER_GS)
			return k;
	return -1;
}

static struct place place_of(const struct image *im, const struct insn *in, int k)
{
	const ZydisDecodedOperandMem *m = &in->o[k].mem;
	const struct image_function *f = image_function_at(im, in->addr);
	struct place p = { .size = in->o[k].size,
			   .at = m->disp.value,
			   .indexed = m->index != ZYDIS_REGISTER_NONE };

	if (m->base == ZYDIS_REGISTER_RIP) {
		p.base = m->base;
		p.at += (int64_t)(in->addr + in->i.length);
	} else if ((m->base == ZYDIS_REGISTER_RBP || m->base == ZYDIS_REGISTER_RSP) && f) {
		p.base = m->base;
		p.function = f->entry;
	}
	return p;
}

static bool is_same_operand_place(const struct place *a, const struct place *b)
{
	return a->function == b->function && a->base == b->base && a->size == b->size &&
	       a->at == b->at && a->indexed == b->indexed;
}

static void add_place(struct mutator *m, struct place p)
{
	for (guint i = 0; i < m->places->len; i++)
		if (is_same_operand_place(&g_array_index(m->places, struct place, i), &p))
			return;
	g_array_append_val(m->places, p);
}

static void add_distinct_constant(GArray *to, int64_t value)
{
	for (guint i = 0; i < to->len; i++)
		if (g_array_index(to, int64_t, i) == value)
			return;
	g_array_append_val(to, value);
}

/* A double that the program reads and never writes is a number of its source. */
static void add_real_constant(struct mutator *m, const struct insn *in, int k)
{
	const struct place p = place_of(m->im, in, k);
	size_t avail = 0;
	const uint8_t *at;
	int64_t bits;

	if (in->o[k].element_type != ZYDIS_ELEMENT_TYPE_FLOAT64 || in->o[k].size != 64 ||
	    p.base != ZYDIS_REGISTER_RIP || image_is_writable(m->im, (uint64_t)p.at))
		return;
	at = image_bytes(m->im, (uint64_t)p.at, &avail);
	if (!at || avail < sizeof bits)
		return;
	memcpy(&bits, at, sizeof bits);
	add_distinct_constant(m->reals, bits);
}

static void note_line_of_insn(struct mutator *m, const struct trace_insn *insn)
{
	const struct image_statement *s = code_statement_at(m->im, insn->addr);
	GArray *addrs = s ? g_hash_table_lookup(m->lines, s) : NULL;

	if (!s || g_hash_table_contains(m->shadow, insn))
		return;
	if (!addrs) {
		addrs = g_array_new(FALSE, FALSE, sizeof(uint64_t));
		g_hash_table_insert(m->lines, (gpointer)s, addrs);
	}
	g_array_append_val(addrs, insn->addr);
}

struct mutator *mutator_new(const struct image *im, const struct limits *limits)
{
	struct mutator *m = g_new0(struct mutator, 1);
	const struct trace_insn *insns;
	size_t n = image_insns(im, &insns);

	m->limits = limits;
	m->im = im;
	m->constants = g_array_new(FALSE, FALSE, sizeof(int64_t));
	m->reals = g_array_new(FALSE, FALSE, sizeof(int64_t));
	m->places = g_array_new(FALSE, FALSE, sizeof(struct place));
	m->texts = expression_texts_new(im, limits);
	m->maker = mutant_maker_new(im, m->texts, limits);
	m->inserted = inserted_mutants_new(im, m->texts, limits);
	m->callees = callee_mutants_new(im, limits);
	m->kept = g_ptr_array_new_with_free_func(g_free);
	m->lines = g_hash_table_new_full(image_line_hash, image_line_equal, NULL,
					 (GDestroyNotify)g_array_unref);
	m->shadow = g_hash_table_new(NULL, NULL);
	shadow_add_checks(im, m->shadow);
	for (size_t i = 0; i < n; i++) {
		struct insn in;
		int k;

		note_line_of_insn(m, &insns[i]);
		if (!mutant_decode(im, insns[i].addr, &in))
			continue;
		k = constant_operand(&in);
		if (k >= 0)
			add_distinct_constant(m->constants, in.o[k].imm.value.s);
		k = memory_operand(&in);
		if (k < 0)
			continue;
		add_place(m, place_of(im, &in, k));
		add_real_constant(m, &in, k);
	}
	return m;
}

void mutator_free(struct mutator *m)
{
	if (!m)
		return;
	g_array_unref(m->constants);
	g_array_unref(m->reals);
	g_array_unref(m->places);
	mutant_maker_free(m->maker);
	inserted_mutants_free(m->inserted);
	callee_mutants_free(m->callees);
	expression_texts_free(m->texts);
	g_ptr_array_unref(m->kept);
	g_hash_table_destroy(m->lines);
	g_hash_table_destroy(m->shadow);
	g_free(m);
}

const GArray *mutator_constants(const struct mutator *m)
{
	return m->constants;
}

const GArray *mutator_reals(const struct mutator *m)
{
	return m->reals;
}

GArray *mutator_skips(const struct mutator *m, const char *file, unsigned line)
{
	return code_skips(m->im, file, line);
}

/* ---- writing them ---- */

static bool with_constant(const struct insn *in, int64_t to, struct mutant *m)
{
	ZydisEncoderOperand value = { .type = ZYDIS_OPERAND_TYPE_IMMEDIATE, .imm.s = to };
	int k = constant_operand(in);
	ZydisEncoderRequest r;

	*m = mutant_of(in, MUTANT_CONSTANT);
	m->from = constant_of(in);
	m->to = to;
	if (!mutant_request(in, &r))
		return false;
	if (adds_by_lea(in)) {
		r.operands[1].mem.displacement = to;
	} else if (insn_adds_to_itself(in)) {
		r.mnemonic = ZYDIS_MNEMONIC_IMUL;
		r.operand_count = 3;
		r.operands[2] = value;
	} else if (k >= 0) {
		r.operands[k].imm.s = to;
	} else {
		r.mnemonic = insn_stores_zero(in) ? ZYDIS_MNEMONIC_MOV : ZYDIS_MNEMONIC_CMP;
		r.operands[1] = value;
	}
	return mutant_encode(in, &r, m);
}

bool mutator_constant(const struct mutator *m, const struct mutant *of, int64_t to,
		      struct mutant *out)
{
	struct insn in;

	return mutant_decode(m->im, of->addr, &in) && with_constant(&in, to, out);
}

bool mutator_literal(const struct mutator *m, uint64_t addr, const uint8_t *bytes, unsigned size,
		     struct mutant *out)
{
	struct code_piece *piece = literal_piece(m->im, addr, bytes, size, out);

	if (piece)
		g_ptr_array_add(m->kept, piece);
	return piece != NULL;
}

static void add_constants(const struct mutator *m, const struct insn *in, GArray *all)
{
	g_autoptr(GArray) values = g_array_new(FALSE, FALSE, sizeof(int64_t));
	int64_t from = constant_of(in);
	const int64_t likely[] = { from + 1, from - 1, from + 2, from - 2, 0, 1, -from };

	if (constant_operand(in) < 0 && !insn_tests_zero(in) && !adds_by_lea(in) &&
	    !insn_adds_to_itself(in) && !insn_stores_zero(in))
		return;
	for (size_t i = 0; i < G_N_ELEMENTS(likely); i++)
		add_distinct_constant(values, likely[i]);
	if (from > 0 && from < 0x80 && g_ascii_isalpha((char)from))
		add_distinct_constant(values, from ^ ('a' ^ 'A'));
	for (guint i = 0; i < m->constants->len && i < m->limits->mutant_constants; i++)
		add_distinct_constant(values, g_array_index(m->constants, int64_t, i));
	for (guint i = 0; i < values->len; i++) {
		int64_t to = g_array_index(values, int64_t, i);
		struct mutant made;

		if (to != from && with_constant(in, to, &made))
			mutants_take(all, in, &made);
	}
}

/* Of a multiplication by a power of two, where the source has that number: an index has none.
 * False: it is no such instruction. */
static bool add_factors(const struct mutator *m, const struct insn *in, GArray *all)
{
	const int64_t from = mutant_factor(in);
	g_autofree char *line = from ? mutant_maker_line(m->maker, in->addr) : NULL;
	g_autofree char *number = g_strdup_printf("%" G_GINT64_FORMAT, from);
	const int64_t likely[] = { from + 1, from - 1, from + 2, from - 2 };

	if (!line || !strchr(line, '*') || !operand_text_has_word(line, number))
		return false;
	for (size_t i = 0; i < G_N_ELEMENTS(likely); i++)
		mutant_of_factor(in, likely[i], all);
	for (guint i = 0; i < m->constants->len && i < m->limits->mutant_constants; i++) {
		const int64_t to = g_array_index(m->constants, int64_t, i);

		if (ABS(to - from) > 2)
			mutant_of_factor(in, to, all);
	}
	return true;
}

/* The variable at a place, and where in it; false: nobody knows. */
static bool name_place(const struct mutator *m, const struct insn *in, const struct place *p,
		       struct image_lvalue *out)
{
	return operand_lvalue(m->im, in->addr, p->base, p->at, p->size / 8, out);
}

/* The address of the whole variable there; 0: nobody knows. */
static uint64_t object_at(const struct mutator *m, const struct insn *in, const struct place *p)
{
	struct image_lvalue l;
	uint64_t object;

	if (!name_place(m, in, p, &l))
		return 0;
	object = l.object;
	image_lvalue_clear(&l);
	return object;
}

char *mutator_place_words(const struct mutator *m, const struct mutant *of)
{
	struct image_lvalue a, b;
	struct insn in;
	struct place from, to;
	char *words = NULL;
	int k = mutant_decode(m->im, of->addr, &in) ? memory_operand(&in) : -1;

	if (k < 0)
		return NULL;
	to = from = place_of(m->im, &in, k);
	to.at = of->to;
	if (!name_place(m, &in, &from, &a))
		return NULL;
	if (name_place(m, &in, &to, &b)) {
		if (place_types_alike(a.type, b.type) && image_name_is_of_source(a.text) &&
		    image_name_is_of_source(b.text))
			words = of->also && of->also->to == of->from
					? g_strdup_printf("`%s' and `%s' exchanged", a.text, b.text)
					: g_strdup_printf("`%s' for `%s'", b.text, a.text);
		image_lvalue_clear(&b);
	}
	image_lvalue_clear(&a);
	return words;
}

bool mutator_number_is_certain(const struct mutator *m, const struct mutant *of, const char *number)
{
	return operand_occurrence_is_of_source(m->maker, of, number);
}

bool mutator_is_bits_of_real(const struct mutator *m, const struct mutant *of)
{
	return of->kind == MUTANT_CONSTANT && operand_stores_real(m->im, of->addr);
}

char *mutator_told_words(const struct mutator *m, const struct mutant *of, const char *words)
{
	const struct image_statement *s = code_statement_at(m->im, of->addr);
	const GArray *addrs = s ? g_hash_table_lookup(m->lines, s) : NULL;

	if (of->kind == MUTANT_CONSTANT)
		return operand_occurrence_of_number(m->maker, of, words);
	return addrs && of->kind == MUTANT_VARIABLE
		       ? operand_occurrence_words(m->maker, addrs, of, words)
		       : g_strdup(words);
}

static void add_other_place(const struct insn *in, int operand, const struct place *from,
			    const struct place *to, enum mutant_nearness nearness, GArray *all,
			    uint64_t *added)
{
	struct mutant made = mutant_of(in, MUTANT_VARIABLE);
	ZydisEncoderRequest r;

	if (to->function != from->function || to->base != from->base || to->size != from->size ||
	    to->at == from->at || to->indexed != from->indexed || !mutant_request(in, &r))
		return;
	made.from = from->at;
	made.to = to->at;
	made.nearness = nearness;
	if (nearness == MUTANT_OTHER_LITERAL)
		made.words = "another constant";
	r.operands[operand].mem.displacement += to->at - from->at;
	if (mutant_encode(in, &r, &made)) {
		mutants_take(all, in, &made);
		(*added)++;
	}
}

/* What lies beside a place is another element or member only as far as the same variable goes. */
static void add_beside(const struct mutator *m, const struct insn *in, int operand, GArray *all,
		       uint64_t *added)
{
	struct place here = place_of(m->im, in, operand);
	uint64_t object = object_at(m, in, &here);
	bool known = here.base != ZYDIS_REGISTER_NONE, is_in[2] = { true, true };

	if (known && !object)
		return;
	for (guint i = 0; i < 2 * m->limits->mutant_beside && *added < m->limits->mutant_places;
	     i++) {
		struct place other = here;

		other.at += (i % 2 ? 1 : -1) * (int64_t)(i / 2 + 1) * here.size / 8;
		if (known && is_in[i % 2])
			is_in[i % 2] = object_at(m, in, &other) == object;
		if (is_in[i % 2])
			add_other_place(in, operand, &here, &other, MUTANT_SAME_VARIABLE, all,
					added);
		else if (!is_in[0] && !is_in[1])
			return;
	}
}

/* A number that the compiler keeps in memory, since no instruction can hold it. */
static bool is_literal(const struct mutator *m, const struct insn *in, const struct place *p)
{
	return p->base == ZYDIS_REGISTER_RIP && !image_is_writable(m->im, (uint64_t)p->at) &&
	       !object_at(m, in, p);
}

static void add_place_mutants(const struct mutator *m, const struct insn *in, GArray *all)
{
	int k = memory_operand(in);
	enum mutant_nearness nearness;
	uint64_t added = 0;
	struct place here;

	if (k < 0)
		return;
	here = place_of(m->im, in, k);
	nearness = is_literal(m, in, &here) ? MUTANT_OTHER_LITERAL : MUTANT_OTHER_VARIABLE;
	add_beside(m, in, k, all, &added);
	for (guint i = 0; i < m->places->len && added < m->limits->mutant_places; i++)
		add_other_place(in, k, &here, &g_array_index(m->places, struct place, i), nearness,
				all, &added);
}

/* ---- calls ---- */

static void add_removed(const struct insn *in, GArray *all)
{
	struct mutant made = mutant_of(in, MUTANT_REMOVED);
	bool stores = in->i.operand_count_visible && in->o[0].type == ZYDIS_OPERAND_TYPE_MEMORY &&
		      in->o[0].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE;

	if ((!stores && in->i.meta.category != ZYDIS_CATEGORY_CALL) || insn_is_housekeeping(in))
		return;
	made.size = made.length;
	memset(made.bytes, 0x90, made.length);
	mutants_take(all, in, &made);
}

/* ---- a line ---- */

static int compare_kinds(const void *a, const void *b)
{
	const struct mutant *x = a, *y = b;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

/* Free it. */
static GArray *addrs_of_line(const struct mutator *m, const char *file, unsigned line)
{
	const struct image_statement like = { .file = file, .line = line };
	const GArray *addrs = g_hash_table_lookup(m->lines, &like);

	return addrs ? g_array_copy((GArray *)addrs) : g_array_new(FALSE, FALSE, sizeof(uint64_t));
}

/* Of the line's branches, and of those of the lines over which its condition goes. */
static struct mutant_targets targets_of_condition(const struct mutator *m, const char *file,
						  unsigned line)
{
	struct mutant_targets to = { .places = g_array_new(FALSE, FALSE, sizeof(uint64_t)) };
	unsigned first, last;

	code_condition_lines(m->im, file, line, &first, &last);
	for (unsigned at = first; at <= last; at++) {
		g_autoptr(GArray) addrs = addrs_of_line(m, file, at);

		mutants_targets_add(m->im, addrs, &to);
	}
	return to;
}

GArray *mutator_line(const struct mutator *m, const char *file, unsigned line)
{
	GArray *all = g_array_new(FALSE, FALSE, sizeof(struct mutant));
	g_autoptr(GArray) addrs = addrs_of_line(m, file, line);
	struct mutant_targets targets = targets_of_condition(m, file, line);

	for (guint i = 0; i < addrs->len; i++) {
		struct insn in, before;
		bool follows =
			i && mutant_decode(m->im, g_array_index(addrs, uint64_t, i - 1), &before);

		if (!mutant_decode(m->im, g_array_index(addrs, uint64_t, i), &in))
			continue;
		if (!add_factors(m, &in, all))
			add_constants(m, &in, all);
		mutants_of_branch(&in, &targets, all);
		if (!insn_is_housekeeping(&in)) {
			mutants_of_operator(&in, all);
			mutants_of_arithmetic(&in, all);
			mutants_of_step(m->im, &in, all);
		}
		mutants_of_sign(m->im, &in, follows ? &before : NULL, all);
		add_place_mutants(m, &in, all);
		mutants_of_call(m->im, &in, all);
		callee_mutants_of(m->callees, in.addr, all);
		add_removed(&in, all);
	}
	g_array_unref(targets.places);
	operand_order_leave_out(m->maker, addrs, all);
	mutants_exchanged(all, m->kept);
	mutants_together(all, m->kept);
	mutant_of_order(m->im, addrs, m->kept, all);
	mutants_one_more(m->im, addrs, m->kept, all);
	missing_mutants_of_line(m->maker, addrs, all);
	moved_mutants_of_line(m->maker, addrs, all);
	text_mutants_of_line(m->maker, addrs, all);
	division_mutants_of_line(m->maker, addrs, all);
	address_mutants_of_line(m->maker, addrs, all);
	expression_mutants_of_line(m->maker, file, line, addrs, all);
	compared_mutants_of_line(m->maker, addrs, all);
	field_line_leave_out(m->maker, addrs, all);
	truth_line_leave_out(m->maker, addrs, all);
	mutants_of_copies(m->im, addrs, all, m->kept);
	g_array_sort(all, compare_kinds);
	return all;
}

GArray *mutator_checks(const struct mutator *m, const char *file, unsigned line, bool numbers)
{
	GArray *all = g_array_new(FALSE, FALSE, sizeof(struct mutant));
	g_autoptr(GArray) addrs = addrs_of_line(m, file, line);

	(numbers ? zero_check_mutants_of_line : null_check_mutants_of_line)(m->maker, addrs, all);
	return all;
}

GArray *mutator_printings(const struct mutator *m, const char *file, unsigned line)
{
	GArray *all = g_array_new(FALSE, FALSE, sizeof(struct mutant));
	g_autoptr(GArray) addrs = addrs_of_line(m, file, line);

	printing_mutants_of_line(m->maker, addrs, all);
	return all;
}

bool mutator_left_out(const struct mutator *m, const struct mutant *of, struct mutant *out)
{
	return zero_check_left_out(m->maker, of, out);
}

GArray *mutator_insertions(const struct mutator *m, const char *file, unsigned line, int64_t only)
{
	GArray *all = g_array_new(FALSE, FALSE, sizeof(struct mutant));

	inserted_mutants_of_line(m->inserted, file, line, only, all);
	return all;
}
