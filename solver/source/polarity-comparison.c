/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The polarity of a jump by the comparison in the text and that of the machine. */
#include "solver/source/polarity-private.h"

#include "solver/library/mangled.h"

#include <string.h>

enum polarity_meaning polarity_taken_is(bool value)
{
	return value ? POLARITY_TAKEN_IS_TRUE : POLARITY_TAKEN_IS_FALSE;
}

struct comparison polarity_comparison(const char *code)
{
	struct comparison c = { 0 };

	for (const char *p = code; *p; p++) {
		bool twice = p[1] == *p || p[1] == '=';

		if (*p == '-' && p[1] == '>') {
			p++;
			continue;
		}
		if (*p == '=' || *p == '!' || *p == '<' || *p == '>') {
			bool negation = *p == '!' && p[1] != '=';

			c.equal += *p == '=' && p[1] == '=';
			c.unequal += *p == '!' && p[1] == '=';
			c.less += *p == '<' && p[1] != '<';
			c.greater += *p == '>' && p[1] != '>';
			c.other += negation || (*p == '=' && p[1] != '=') ||
				   ((*p == '<' || *p == '>') && p[1] == *p);
			p += twice && !negation;
			c.last = p[1] == ' ' ? p[2] : p[1];
		} else if ((*p == '&' || *p == '|') && p[1] == *p) {
			c.other++;
		} else if (*p == '?' || *p == '{') {
			c.other++;
		}
	}
	return c;
}

static bool is_less(unsigned cond)
{
	return cond == 2 || cond == 6 || cond == 8 || cond == 12 || cond == 14;
}

static bool is_greater(unsigned cond)
{
	return cond == 3 || cond == 7 || cond == 9 || cond == 13 || cond == 15;
}

/* The instruction in straight code before the jump that sets the flags; NULL = there is none. */
static const struct trace_insn *setting_flags(const struct image *im, uint64_t jump)
{
	const struct trace_insn *insns, *insn = image_insn_at(im, jump);

	image_insns(im, &insns);
	for (; insn > insns && insn[-1].flow == TRACE_FLOW_NONE &&
	       insn[-1].addr + insn[-1].length == insn->addr;
	     insn--)
		if (insn[-1].use_flags & TRACE_FLAGS_WRITTEN)
			return &insn[-1];
	return NULL;
}

/* The constant with which the comparison before the jump compares; false = there is none. */
bool polarity_constant(const struct image *im, uint64_t jump, int8_t *constant)
{
	const struct trace_insn *before = setting_flags(im, jump);
	size_t avail = 0, at = 0;
	const uint8_t *b = before ? image_bytes(im, before->addr, &avail) : NULL;

	if (!b || avail < before->length)
		return false;
	while (at + 1 < before->length && (b[at] == 0x66 || (b[at] & 0xf0) == 0x40))
		at++;
	*constant = (int8_t)b[before->length - 1];
	return b[at] == 0x80 || b[at] == 0x83 || b[at] == 0x3c;
}

/* `is_table(o)', and the code compares: a macro, whose text says nothing of the comparison. */
static bool hides_comparison(const struct image *im, uint64_t jump, const char *code)
{
	const struct trace_insn *before = setting_flags(im, jump);
	size_t avail = 0;
	const uint8_t *b = before ? image_bytes(im, before->addr, &avail) : NULL;
	int8_t constant = 1;

	if (!b || avail < 2 || !g_regex_match_simple("^[! ]*\\w+ *\\(.*\\)$", code, 0, 0))
		return false;
	if (polarity_constant(im, jump, &constant))
		return constant != 0;
	b += (b[0] & 0xf0) == 0x40 || b[0] == 0x66;
	return (b[0] & 0xfc) == 0x38; /* cmp of a register */
}

/* `!f()' of a function that returns a truth value: xor $1,%eax; test %al,%al.  What is tested is
 * turned then, and the text has that, too. */
static bool turns_truth(const struct image *im, uint64_t jump)
{
	static const uint8_t turns[] = { 0x83, 0xf0, 0x01, 0x84, 0xc0 };
	const struct trace_insn *test = setting_flags(im, jump);
	size_t avail = 0;
	const uint8_t *b = test ? image_bytes(im, test->addr - 3, &avail) : NULL;

	return b && avail >= sizeof turns && memcmp(b, turns, sizeof turns) == 0;
}

/* Compares the comparison in the text with that of the jump: `==' and je are the same, `!p' is
 * a je, and a constant on the right is never moved to the left. */
static enum polarity_meaning by_comparison(const char *code, unsigned cond)
{
	struct comparison c = polarity_comparison(code);
	bool je = cond == 4, jne = cond == 5;
	unsigned n = c.equal + c.unequal + c.less + c.greater;
	const char *bare = code;
	bool negated = false;

	if (n == 1 && c.other == 0 && (je || jne) && (c.equal || c.unequal))
		return polarity_taken_is(je == (c.equal == 1));
	if (n == 1 && c.other == 0 && g_ascii_isdigit(c.last) && (c.less || c.greater) &&
	    (is_less(cond) || is_greater(cond)))
		return polarity_taken_is(is_less(cond) == (c.less == 1));
	for (; *bare == '!' || *bare == ' '; bare++)
		negated ^= *bare == '!';
	if (n > 0 || polarity_comparison(bare).other || !(je || jne))
		return POLARITY_UNKNOWN;
	return polarity_taken_is(jne != negated);
}

/* ---- operators of C++ ---- */

/* The call whose result, a truth value, is tested before the jump, as it is or turned; NULL: none
 * is. */
static const struct trace_insn *call_tested(const struct image *im, uint64_t jump)
{
	static const uint8_t tests[] = { 0x84, 0xc0 };
	const struct trace_insn *test = setting_flags(im, jump);
	size_t avail = 0;
	const uint8_t *b = test ? image_bytes(im, test->addr, &avail) : NULL;
	const uint64_t end = test ? test->addr - (turns_truth(im, jump) ? 3 : 0) : 0;

	if (!b || avail < sizeof tests || memcmp(b, tests, sizeof tests) != 0)
		return NULL;
	for (uint64_t length = 2; length <= 7; length++) {
		const struct trace_insn *insn = image_insn_at(im, end - length);

		if (insn && insn->length == length && insn->flow == TRACE_FLOW_CALL)
			return insn;
	}
	return NULL;
}

/* The operator that the text compares with; NULL: none, or several.  Free it. */
static char *only_operator(const char *code)
{
	g_autoptr(GRegex) regex = g_regex_new("(?<![-<>=!])(==|!=|[<>]=?)(?![<>=])", 0, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;
	g_autofree char *found = NULL;

	if (!g_regex_match(regex, code, 0, &match))
		return NULL;
	found = g_match_info_fetch(match, 0);
	return g_match_info_next(match, NULL) ? NULL : g_steal_pointer(&found);
}

static bool are_opposite_operators(const char *a, const char *b)
{
	static const char *const pairs[][2] = { { "==", "!=" }, { "<", ">=" }, { ">", "<=" } };

	for (size_t i = 0; i < G_N_ELEMENTS(pairs); i++)
		if ((strcmp(a, pairs[i][0]) == 0 && strcmp(b, pairs[i][1]) == 0) ||
		    (strcmp(a, pairs[i][1]) == 0 && strcmp(b, pairs[i][0]) == 0))
			return true;
	return false;
}

/* `it == end': C++ calls operator==, and the jump tests what that returned, which the compiler may
 * have turned for `it != end'. */
static enum polarity_meaning by_called_operator(const struct image *im,
						const struct trace_insn *jump,
						const struct trace_insn *call, const char *code)
{
	const struct image_function *f = image_function_at(im, call->target);
	const char *symbol = f ? f->name : image_native_name(im, call->target);
	g_autofree char *name = symbol ? mangled_words(symbol) : NULL;
	g_autofree char *written = only_operator(code);
	const char *called =
		name && g_str_has_prefix(name, "operator") ? name + strlen("operator") : NULL;
	bool opposite;

	if (!called || !written || (jump->cond != 4 && jump->cond != 5))
		return POLARITY_UNKNOWN;
	opposite = are_opposite_operators(called, written);
	if (!opposite && strcmp(called, written) != 0)
		return POLARITY_UNKNOWN;
	return polarity_taken_is((jump->cond == 5) == (opposite == turns_truth(im, jump->addr)));
}

static bool compares_in_text(const char *code)
{
	const struct comparison c = polarity_comparison(code);

	return c.equal + c.unequal + c.less + c.greater > 0;
}

enum polarity_meaning polarity_by_comparison(const struct image *im, const struct trace_insn *jump,
					     const char *code)
{
	const struct trace_insn *call = compares_in_text(code) ? call_tested(im, jump->addr) : NULL;

	if (call)
		return by_called_operator(im, jump, call, code);
	return hides_comparison(im, jump->addr, code) || turns_truth(im, jump->addr)
		       ? POLARITY_UNKNOWN
		       : by_comparison(code, jump->cond);
}

enum polarity_meaning polarity_by_text(const struct image *im, const struct trace_insn *jump,
				       const char *code)
{
	const struct trace_insn *call = compares_in_text(code) ? call_tested(im, jump->addr) : NULL;
	enum polarity_meaning meaning;

	if (call)
		return by_called_operator(im, jump, call, code);
	meaning = hides_comparison(im, jump->addr, code) ? POLARITY_UNKNOWN
							 : by_comparison(code, jump->cond);
	if (meaning == POLARITY_UNKNOWN || !turns_truth(im, jump->addr))
		return meaning;
	return polarity_taken_is(meaning == POLARITY_TAKEN_IS_FALSE);
}
