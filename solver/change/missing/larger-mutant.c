/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/change/missing/larger-mutant.h"

#include "solver/change/code/code-piece-private.h"
#include "solver/change/code/mutant-insn.h"
#include "solver/change/source/expression-parts.h"
#include "solver/image/variable/variable.h"

#include <string.h>

/* Both texts, of `place = value' and nothing else, which may be written twice; false: it is another
 * statement. */
static bool find_plain_assignment(struct mutant_maker *x, uint64_t addr, char **place, char **value)
{
	size_t at;
	const struct source *s = mutant_maker_source(x, addr, &at);
	g_autofree char *text = s ? source_text(s, source_statement(s, at)) : NULL;

	*place = s ? source_text(s, source_assigned(s, at)) : NULL;
	*value = s ? expression_assigned(s, at) : NULL;
	/* a number in its place is another first value */
	return text && *place && *value && g_str_has_prefix(text, *place) &&
	       g_regex_match_simple("^\\s*=[^=]", text + strlen(*place), 0, 0) &&
	       !g_regex_match_simple("^[-\\d.]+$|[?,;{]|\\w\\s*\\(|\\+\\+|--", *value, 0, 0) &&
	       !g_regex_match_simple("\\+\\+|--", *place, 0, 0) && !strstr(*value, *place);
}

/* mov %eax,4(%rdx), which becomes cmp 4(%rdx),%eax by its operation code alone. */
static bool is_store_of_number(const struct insn *in)
{
	const unsigned at = in->i.raw.prefix_count;

	return in->i.mnemonic == ZYDIS_MNEMONIC_MOV && in->o[0].type == ZYDIS_OPERAND_TYPE_MEMORY &&
	       in->o[1].type == ZYDIS_OPERAND_TYPE_REGISTER &&
	       (in->o[0].size == 32 || in->o[0].size == 64) && in->bytes[at] == 0x89;
}

/* The store, unless the comparison leads past it. */
static bool write_compared(struct code_piece *c, const struct insn *in, uint8_t branch)
{
	uint8_t compared[16];
	const uint8_t over[] = { branch, in->i.length };

	memcpy(compared, in->bytes, in->i.length);
	compared[in->i.raw.prefix_count] = 0x3b; /* cmp r/m,r */
	return code_piece_insns(c, compared, in->i.length, in->addr) &&
	       code_piece_bytes(c, over, sizeof over) &&
	       code_piece_insns(c, in->bytes, in->i.length, in->addr);
}

static void add_where_larger(struct mutant_maker *x, const struct insn *in, const char *place,
			     const char *value, bool larger, GArray *all)
{
	enum { JGE = 0x7d, JLE = 0x7e };
	struct code_piece *piece = mutant_maker_piece(x);
	struct mutant made = mutant_of(in, MUTANT_MIRRORED);
	const bool is_plain = g_regex_match_simple("^([\\w.*]|->|\\[\\w*\\])+$", value, 0, 0);
	g_autofree char *words = g_strdup_printf(is_plain ? "`if (%s %c %s)' put before it"
							  : "`if ((%s) %c %s)' put before it",
						 value, larger ? '>' : '<', place);

	made.piece = piece;
	made.words = g_string_chunk_insert_const(x->words, words);
	if (write_compared(piece, in, larger ? JLE : JGE))
		g_array_append_val(all, made);
}

/* Of pointers, and of what is declared there, no old value can be meant. */
static bool is_number_assigned(struct mutant_maker *x, const struct insn *in, const char *place)
{
	const struct image_variable *const *v;
	const size_t n = image_variables_at(x->im, in->addr, &v);
	const struct image_row *row = image_row_at(x->im, in->addr);
	const unsigned line = row ? image_statement(x->im, row->statement)->line : 0;

	for (size_t i = 0; i < n; i++)
		if (g_strcmp0(v[i]->name, place) == 0)
			return v[i]->line != line && v[i]->type &&
			       v[i]->type->kind == IMAGE_TYPE_INT && v[i]->type->is_signed;
	return true;
}

void larger_mutants_of_line(struct mutant_maker *x, const GArray *addrs, GArray *all)
{
	struct insn in;

	for (guint i = addrs->len; i > 0; i--) {
		g_autofree char *place = NULL, *value = NULL;

		if (!mutant_decode(x->im, g_array_index(addrs, uint64_t, i - 1), &in) ||
		    !is_store_of_number(&in))
			continue;
		if (find_plain_assignment(x, in.addr, &place, &value) &&
		    is_number_assigned(x, &in, place)) {
			add_where_larger(x, &in, place, value, true, all);
			add_where_larger(x, &in, place, value, false, all);
		}
		return; /* what a line stores last is what it is for */
	}
}
