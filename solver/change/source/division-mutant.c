/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/change/source/division-mutant.h"

#include "solver/change/code/mutant-insn.h"
#include "solver/change/code/code-piece-private.h"
#include "solver/change/code/code-value.h"

#include <string.h>

/* ---- a division in the source ---- */

static bool is_of_name(char c)
{
	return source_is_word(c) || c == '.';
}

/* Where the name, number or bracket that ends there begins, with what belongs to it:
 * `s.marks[i]', `p->n', `(a + b)', `f(x)'.  The end itself: nothing does. */
static size_t begin_of_term(const struct source *s, size_t end)
{
	size_t at = end;

	for (;;) {
		size_t open =
			at && strchr(")]", s->code[at - 1]) ? source_opening(s, at - 1) : SIZE_MAX;

		if (open != SIZE_MAX)
			at = open;
		else if (at >= 2 && s->code[at - 1] == '>' && s->code[at - 2] == '-')
			at -= 2;
		else if (at && is_of_name(s->code[at - 1]))
			at--;
		else
			return at;
	}
}

static size_t end_of_term(const struct source *s, size_t from)
{
	size_t at = from;

	while (at < s->length) {
		size_t close = strchr("([", s->code[at]) ? source_closing(s, at) : SIZE_MAX;

		if (close != SIZE_MAX)
			at = close + 1;
		else if (s->code[at] == '-' && s->code[at + 1] == '>')
			at += 2;
		else if (is_of_name(s->code[at]))
			at++;
		else
			break;
	}
	return at;
}

/* `left / right', where left may be a product. */
struct division {
	struct source_span left, right;
};

/* Where the product that ends there begins. */
static size_t begin_of_product(const struct source *s, size_t end)
{
	size_t from = begin_of_term(s, end), before;

	while ((before = source_end_before(s, from)) && strchr("*/%", s->code[before - 1])) {
		size_t factor = source_end_before(s, before - 1), begin = begin_of_term(s, factor);

		if (begin == factor)
			break; /* `*p / n' */
		from = begin;
	}
	return from;
}

static struct division division_at(const struct source *s, size_t slash)
{
	const size_t end = source_end_before(s, slash), right = source_skip(s, slash + 1);

	return (struct division){ { begin_of_product(s, end), end },
				  { right, end_of_term(s, right) } };
}

/* ---- what is converted ---- */

/* The value of the text, a whole number; NULL: it has none. */
static struct code_value *whole_number(struct mutant_maker *x, uint64_t addr,
				       const struct source *s, struct source_span span)
{
	g_autofree char *text = source_text(s, span);
	struct code_value *v = text ? code_value_new(x->im, addr, text, x->limits) : NULL;

	if (v && code_value_type(v)->kind != IMAGE_TYPE_INT) {
		code_value_free(v);
		return NULL;
	}
	return v;
}

static bool divides_whole_number(struct mutant_maker *x, uint64_t addr, const struct source *s,
				 struct source_span span)
{
	struct code_value *v = whole_number(x, addr, s, span);

	code_value_free(v);
	return v != NULL;
}

static bool is_behind_return(const struct source *s, size_t end)
{
	const size_t n = strlen("return");

	return end >= n && source_has_word(s, end - n, "return");
}

/* Is the quotient itself converted, and no sum or product of whole numbers that it is in? */
static bool stands_alone(struct mutant_maker *x, uint64_t addr, const struct source *s,
			 const struct division *d)
{
	const size_t before = source_end_before(s, d->left.from),
		     behind = source_skip(s, d->right.to);
	struct source_span beside;

	if (behind >= s->length || !before)
		return false;
	if (strchr("*/%+-<>", s->code[behind])) {
		beside.from = source_skip(s, behind + 1 + (s->code[behind + 1] == '='));
		beside.to = end_of_term(s, beside.from);
		if (beside.to == beside.from || divides_whole_number(x, addr, s, beside))
			return false;
	} else if (!strchr(";,):", s->code[behind])) {
		return false;
	}
	if (strchr("+-<>", s->code[before - 1])) {
		beside.to = source_end_before(s, before - 1);
		beside.from = begin_of_product(s, beside.to);
		return beside.to > beside.from && !divides_whole_number(x, addr, s, beside);
	}
	return strchr("=(,?:", s->code[before - 1]) || is_behind_return(s, before);
}

/* ---- the mutant ---- */

/* The instruction that makes a floating-point number of a whole one. */
struct conversion {
	uint64_t addr;
	uint8_t length, to; /* the number of its register */
	bool is_double;
};

/* Is the register that is converted computed by the instructions in front of addrs' n-th, and not
 * loaded or returned?  In front of a conversion, its register is cleared. */
static bool is_computed(const struct image *im, const GArray *addrs, guint n)
{
	struct insn d;

	while (n > 0 && mutant_decode(im, g_array_index(addrs, uint64_t, --n), &d)) {
		if (d.i.mnemonic == ZYDIS_MNEMONIC_PXOR)
			continue;
		return d.i.meta.category != ZYDIS_CATEGORY_CALL &&
		       (d.i.meta.category != ZYDIS_CATEGORY_DATAXFER ||
			d.o[1].type != ZYDIS_OPERAND_TYPE_MEMORY);
	}
	return false;
}

static bool find_conversion(const struct image *im, const GArray *addrs, guint n,
			    struct conversion *out)
{
	const uint64_t addr = g_array_index(addrs, uint64_t, n);
	struct insn d;

	if (!mutant_decode(im, addr, &d) ||
	    (d.i.mnemonic != ZYDIS_MNEMONIC_CVTSI2SD && d.i.mnemonic != ZYDIS_MNEMONIC_CVTSI2SS) ||
	    d.o[1].type != ZYDIS_OPERAND_TYPE_REGISTER || !is_computed(im, addrs, n))
		return false;
	*out = (struct conversion){ addr, d.i.length, (uint8_t)ZydisRegisterGetId(d.o[0].reg.value),
				    d.i.mnemonic == ZYDIS_MNEMONIC_CVTSI2SD };
	return out->to < 15;
}

static bool put_converted(struct code_piece *c, const struct conversion *at, unsigned to)
{
	/* cvtsi2sd %rax,%xmm */
	const uint8_t code[] = { at->is_double ? 0xf2 : 0xf3, (uint8_t)(0x48 | to >> 3 << 2), 0x0f,
				 0x2a, (uint8_t)(0xc0 | (to & 7) << 3) };

	return code_piece_bytes(c, code, sizeof code);
}

/* Unoptimized code keeps nothing in xmm15. */
static bool write_division(struct code_piece *c, const struct conversion *at,
			   const struct code_value *left, const struct code_value *right)
{
	/* divsd %xmm15,%xmm */
	const uint8_t divide[] = { at->is_double ? 0xf2 : 0xf3, (uint8_t)(0x41 | at->to >> 3 << 2),
				   0x0f, 0x5e, (uint8_t)(0xc7 | (at->to & 7) << 3) };

	return code_piece_save(c) && code_value_put(c, left) && put_converted(c, at, at->to) &&
	       code_value_put(c, right) && put_converted(c, at, 15) &&
	       code_piece_bytes(c, divide, sizeof divide) && code_piece_restore(c);
}

static void add_division(struct mutant_maker *x, const struct conversion *at,
			 const struct source *s, const struct division *d, GArray *all)
{
	struct code_value *left = whole_number(x, at->addr, s, d->left),
			  *right = whole_number(x, at->addr, s, d->right);
	g_autofree char *text = source_text(s, (struct source_span){ d->left.from, d->right.to });
	g_autofree char *words =
		g_strdup_printf("`(%s)' before `%s'", at->is_double ? "double" : "float", text);
	struct code_piece *piece = mutant_maker_piece(x);
	const struct mutant made = { .kind = MUTANT_MISSING,
				     .addr = at->addr,
				     .length = at->length,
				     .words = g_string_chunk_insert_const(x->words, words),
				     .piece = piece };

	if (left && right && stands_alone(x, at->addr, s, d) &&
	    write_division(piece, at, left, right))
		g_array_append_val(all, made);
	code_value_free(left);
	code_value_free(right);
}

void division_mutants_of_line(struct mutant_maker *x, const GArray *addrs, GArray *all)
{
	const struct image_function *f =
		addrs->len ? image_function_at(x->im, g_array_index(addrs, uint64_t, 0)) : NULL;

	if (!f || f->moving)
		return;
	for (guint i = 0; i < addrs->len; i++) {
		struct conversion at;
		size_t place;
		const struct source *s = find_conversion(x->im, addrs, i, &at)
						 ? mutant_maker_source(x, at.addr, &place)
						 : NULL;
		struct source_span statement = { 0, 0 };

		if (s)
			statement = source_statement(s, place);
		for (size_t k = statement.from; k < statement.to; k++) {
			const struct division d = division_at(s, k);

			if (s->code[k] == '/' && s->code[k + 1] != '=')
				add_division(x, &at, s, &d, all);
		}
	}
}
