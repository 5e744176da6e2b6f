/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/change/source/field-line.h"

#include "solver/change/mutant/instruction-mutants.h"
#include "solver/source/expression/expression.h"
#include "solver/source/operand-text.h"

#include <string.h>

struct field_line {
	struct mutant_maker *maker;
	const GArray *addrs;
	char *text;
	bool assigns; /* to a bit-field */
};

static bool has_bit_fields(const struct image_type *t)
{
	for (uint32_t i = 0; i < t->n_members; i++) {
		const struct image_member *m = &t->members[i];

		if (m->bit_size || (m->type && m->type->kind == IMAGE_TYPE_STRUCT &&
				    m->type->size < t->size && has_bit_fields(m->type)))
			return true;
	}
	return false;
}

/* Is it a bit-field, or, where these count, a structure that has some? */
static bool is_of_field(const struct image *im, uint64_t addr, const char *text, bool structures)
{
	const struct image_frame frame = { .pc = addr };
	struct expression e;

	if (!expression_look_up(im, &frame, text, &e))
		return false;
	return e.bits || (structures && e.type && e.type->kind == IMAGE_TYPE_STRUCT &&
			  has_bit_fields(e.type));
}

static bool uses_field(const struct image *im, uint64_t addr, const char *text)
{
	g_autoptr(GArray) parts = expression_parts(text);

	for (guint i = 0; i < parts->len; i++) {
		const struct expression_part *part =
			&g_array_index(parts, struct expression_part, i);

		if (!part->call && is_of_field(im, addr, part->text, true))
			return true;
	}
	return false;
}

static bool assigns_to_field(struct mutant_maker *x, uint64_t addr)
{
	size_t at;
	const struct source *s = mutant_maker_source(x, addr, &at);
	g_autofree char *text = s ? source_text(s, source_assigned(s, at)) : NULL;

	return text && is_of_field(x->im, addr, text, false);
}

/* The sign of C for what the instruction does with single bits; NULL: it does nothing with them. */
static const char *sign_of_bits(const struct insn *in)
{
	switch (in->i.mnemonic) {
	case ZYDIS_MNEMONIC_AND:
	case ZYDIS_MNEMONIC_TEST:
	case ZYDIS_MNEMONIC_BT:
		return "(?<!&)&(?!&)";
	case ZYDIS_MNEMONIC_OR:
	case ZYDIS_MNEMONIC_BTS:
		return "(?<!\\|)\\|(?!\\|)";
	case ZYDIS_MNEMONIC_XOR:
		return "\\^|~";
	case ZYDIS_MNEMONIC_SHL:
		return "<<";
	case ZYDIS_MNEMONIC_SHR:
	case ZYDIS_MNEMONIC_SAR:
		return ">>";
	default:
		return NULL;
	}
}

/* The operand that is a constant; -1 = there is none. */
static int operand_of_constant(const struct insn *in)
{
	for (int k = 0; k < in->i.operand_count_visible; k++)
		if (in->o[k].type == ZYDIS_OPERAND_TYPE_IMMEDIATE)
			return k;
	return -1;
}

static bool has_number(const struct field_line *l, int64_t number)
{
	g_autofree char *word = g_strdup_printf("%" G_GINT64_FORMAT, ABS(number));

	return operand_text_has_word(l->text, word);
}

/* `d.day = 1' clears the field first and then puts the number in: may it be this one? */
static bool is_put_into_field(const struct field_line *l, const struct insn *in, int64_t from,
			      int64_t to)
{
	struct insn before;
	uint64_t cleared;
	guint i = 0;
	int k;

	while (i < l->addrs->len && g_array_index(l->addrs, uint64_t, i) != in->addr)
		i++;
	if (in->i.mnemonic != ZYDIS_MNEMONIC_OR || !i || i == l->addrs->len ||
	    !mutant_decode(l->maker->im, g_array_index(l->addrs, uint64_t, i - 1), &before) ||
	    before.i.mnemonic != ZYDIS_MNEMONIC_AND)
		return false;
	k = operand_of_constant(&before);
	cleared = k >= 0 ? ~(uint64_t)before.o[k].imm.value.s : 0;
	return cleared & 1 && !(cleared & (cleared + 1)) && has_number(l, from) &&
	       !((uint64_t)to & ~cleared);
}

/* May the source have that number?  `i < 10' and `i <= 9' are the same. */
static bool is_of_source(const struct field_line *l, const struct insn *in, const struct mutant *m)
{
	const char *sign = sign_of_bits(in);

	if (is_put_into_field(l, in, m->from, m->to))
		return true;
	if (sign && !operand_text_matches(l->text, sign))
		return false;
	return has_number(l, m->from) ||
	       (!sign && (has_number(l, m->from + 1) || has_number(l, m->from - 1) || !m->from ||
			  m->from == 1 || m->from == -1));
}

static bool writes_memory(const struct insn *in)
{
	return in->i.operand_count_visible && in->o[0].type == ZYDIS_OPERAND_TYPE_MEMORY &&
	       in->o[0].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE;
}

/* Of one that stores a word with a bit-field: does it concern the field alone? */
static bool leaves_neighbours(const struct insn *in, const struct mutant *m)
{
	switch (m->kind) {
	case MUTANT_VARIABLE:
	case MUTANT_ONE_MORE:
	case MUTANT_EXPRESSION:
		return false;
	case MUTANT_OPERATOR:
		return !writes_memory(in);
	case MUTANT_REMOVED: /* what it puts in may have been cleared by another one */
		return !sign_of_bits(in);
	default:
		return true;
	}
}

static bool may_be_meant_of_field(const struct field_line *l, const struct mutant *m)
{
	const char *sign;
	struct insn in;

	if (!mutant_decode(l->maker->im, m->addr, &in))
		return true;
	if (l->assigns && !leaves_neighbours(&in, m))
		return false;
	if (m->kind == MUTANT_CONSTANT && !is_of_source(l, &in, m))
		return false;
	sign = m->kind == MUTANT_OPERATOR ? sign_of_bits(&in) : NULL;
	return !sign || operand_text_matches(l->text, sign);
}

void field_line_leave_out(struct mutant_maker *x, const GArray *addrs, GArray *all)
{
	const uint64_t first = addrs->len ? g_array_index(addrs, uint64_t, 0) : 0;
	struct field_line l = { .maker = x, .addrs = addrs };

	if (!addrs->len || !all->len)
		return;
	l.text = mutant_maker_line(x, first);
	if (l.text && uses_field(x->im, first, l.text)) {
		l.assigns = assigns_to_field(x, first);
		for (guint i = all->len; i > 0; i--)
			if (!may_be_meant_of_field(&l, &g_array_index(all, struct mutant, i - 1)))
				g_array_remove_index(all, i - 1);
	}
	g_free(l.text);
}
