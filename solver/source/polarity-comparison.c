/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The polarity of a jump by the comparison in the text and that of the machine. */
#include "solver/source/polarity-private.h"

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

enum polarity_meaning polarity_by_comparison(const struct image *im, const struct trace_insn *jump,
					     const char *code)
{
	return hides_comparison(im, jump->addr, code) || turns_truth(im, jump->addr)
		       ? POLARITY_UNKNOWN
		       : by_comparison(code, jump->cond);
}

enum polarity_meaning polarity_by_text(const struct image *im, const struct trace_insn *jump,
				       const char *code)
{
	enum polarity_meaning meaning = hides_comparison(im, jump->addr, code)
						? POLARITY_UNKNOWN
						: by_comparison(code, jump->cond);

	if (meaning == POLARITY_UNKNOWN || !turns_truth(im, jump->addr))
		return meaning;
	return polarity_taken_is(meaning == POLARITY_TAKEN_IS_FALSE);
}
