/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/evidence/words/operator-words.h"

#include "solver/change/mutant/mutant-operator.h"
#include "solver/source/operand-text.h"

#include <string.h>

/* The text with blanks in the place of what stands in quotes. */
static char *text_without_quoted(const char *text)
{
	char *out = g_strdup(text), quote = 0;

	for (char *at = out; *at; at++) {
		const char c = *at;

		if (quote || c == '"' || c == '\'')
			*at = ' ';
		if (quote && c == '\\' && at[1])
			*++at = ' ';
		else if (quote ? c == quote : c == '"' || c == '\'')
			quote = quote ? 0 : c;
	}
	return out;
}

/* Has the text the operator, followed by `=' or not? */
static bool has_sign(const char *code, const char *sign, bool assigns)
{
	g_autofree char *escaped = g_regex_escape_string(sign, -1);
	g_autofree char *pattern =
		g_strdup_printf("(?<![-+*/%%&|^<>=!])%s(?![-+&|<>%s])%s", escaped,
				assigns ? "" : "=", assigns ? "=(?!=)" : "");

	return g_regex_match_simple(pattern, code, 0, 0);
}

static bool only_writes_memory(const struct image *im, uint64_t addr)
{
	const struct trace_insn *insn = image_insn_at(im, addr);

	return insn && insn->n_mem && !insn->out_gpr && !insn->out_vec;
}

char *operator_words(const struct image *im, const struct mutant *of, const char *text)
{
	g_autofree char *words = mutant_operator_words(of);
	g_autofree char *code = text ? text_without_quoted(text) : NULL;
	g_autofree char *to = NULL, *from = NULL;
	g_autoptr(GRegex) form = g_regex_new("^`([^' =]+)' for `([^' =]+)'$", 0, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;

	if (!code || !g_regex_match(form, words, 0, &match))
		return g_steal_pointer(&words);
	to = g_match_info_fetch(match, 1);
	from = g_match_info_fetch(match, 2);
	if (!has_sign(code, from, true) ||
	    (has_sign(code, from, false) && !only_writes_memory(im, of->addr)))
		return g_steal_pointer(&words);
	return g_strdup_printf("`%s=' for `%s='", to, from);
}

/* `+' of `a + b', `n += b' and `n++'; not the `->' of `p->n', nor the `*' of `*p'. */
static guint operators_in_text(const char *text, const char *sign)
{
	static const struct {
		char sign;
		const char *pattern;
	} patterns[] = {
		{ '+', "\\+\\+|\\+" },
		{ '-', "--|-(?!>)" },
		{ '*', "(?<=[\\w\\])])\\s*\\*(?!\\*)" },
		{ '&', "(?<!&)&(?!&)" },
		{ '|', "(?<!\\|)\\|(?!\\|)" },
		{ '<', "<<" },
		{ '>', ">>" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(patterns); i++)
		if (*sign == patterns[i].sign)
			return operand_text_matches(text, patterns[i].pattern);
	return 1;
}

static bool is_of_same_sign(const struct mutant *m, const char *sign)
{
	const char *written = m->kind == MUTANT_OPERATOR ? mutant_operator_written(m) : NULL;

	return written && *written == *sign && *written != '=';
}

/* The only general register that the instruction sets; -1: it sets none, or several. */
static int register_set(const struct trace_insn *insn)
{
	for (int reg = 0; reg < 16; reg++)
		if (insn->out_gpr == 1u << reg)
			return reg;
	return -1;
}

/* Is what the instruction gives next used as a part of an address? */
static bool gives_address(const struct image *im, uint64_t addr)
{
	enum { NEAR = 8 };
	const struct trace_insn *insn = image_insn_at(im, addr);
	const int reg = insn ? register_set(insn) : -1;

	for (int i = 0; reg >= 0 && i < NEAR; i++) {
		insn = image_insn_at(im, insn->addr + insn->length);
		if (!insn || insn->flow != TRACE_FLOW_NONE)
			return false;
		for (unsigned k = 0; k < insn->n_mem; k++)
			if (insn->mem[k].base == reg || insn->mem[k].index == reg)
				return true;
		if ((insn->use_gpr | insn->out_gpr) >> reg & 1)
			return false;
	}
	return false;
}

static bool has_later(const GArray *all, guint i, uint64_t addr, const char *sign)
{
	for (guint k = i + 1; k < all->len; k++) {
		const struct mutant *m = &g_array_index(all, struct mutant, k);

		if (m->addr == addr && is_of_same_sign(m, sign))
			return true;
	}
	return false;
}

bool operator_is_of_source(const struct image *im, const GArray *all, const struct mutant *of,
			   const char *text)
{
	const char *sign = mutant_operator_written(of);
	guint computing = 0, addressing = 0, written;
	g_autofree char *code = NULL;

	if (!sign || *sign == '=')
		return true;
	code = text_without_quoted(text);
	if (has_sign(code, sign, true) && has_sign(code, sign, false) &&
	    !only_writes_memory(im, of->addr))
		return false; /* it is not known which of the two it is */
	written = operators_in_text(code, sign);
	for (guint i = 0; i < all->len; i++) {
		const struct mutant *m = &g_array_index(all, struct mutant, i);

		if (!is_of_same_sign(m, sign) || has_later(all, i, m->addr, sign))
			continue;
		if (gives_address(im, m->addr))
			addressing++;
		else
			computing++;
	}
	if (sign[1] == '=' && written > 1)
		return false; /* `+=' is one of them, and which one is not known */
	return computing + addressing <= written ||
	       (computing <= written && !gives_address(im, of->addr));
}
