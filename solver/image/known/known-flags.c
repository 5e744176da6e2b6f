/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What follows from the condition flags: which outcomes of conditional branches the re-computation
 * knows without the record (those that test flags which an instruction before them in the same
 * straight code has set to what the manual says), and where the recorder may change flags.
 */
#include "solver/image/image-private.h"
#include "solver/image/known/known.h"

/* A module's instructions. */
struct flags_search {
	struct image *im;
	const struct trace_insn *insns;
	uint32_t n_insns;
	const uint8_t *starts; /* by instruction: enum known_start */
};

static bool is_right_behind(const struct flags_search *s, uint32_t i)
{
	return i > 0 && s->insns[i - 1].addr + s->insns[i - 1].length == s->insns[i].addr;
}

/* Does control never go on behind it, unless it comes back? */
static bool never_falls_through(const struct trace_insn *insn)
{
	return insn->flow == TRACE_FLOW_JUMP || insn->flow == TRACE_FLOW_JUMP_IND ||
	       insn->flow == TRACE_FLOW_RET;
}

/* ---- outcomes ---- */

/* Which flags the branch tests, TRACE_SURE_…; 0 = it is none that tests flags. */
static uint8_t tested_flags(const struct trace_insn *insn)
{
	static const uint8_t by_condition[] = {
		TRACE_SURE_O,
		TRACE_SURE_C,
		TRACE_SURE_Z,
		TRACE_SURE_C | TRACE_SURE_Z,
		TRACE_SURE_S,
		TRACE_SURE_P,
		TRACE_SURE_S | TRACE_SURE_O,
		TRACE_SURE_Z | TRACE_SURE_S | TRACE_SURE_O,
	};
	bool goes_two_ways = insn->target != insn->addr + insn->length;

	return insn->flow == TRACE_FLOW_COND && insn->cond < 16 && goes_two_ways
		       ? by_condition[insn->cond / 2]
		       : 0;
}

/* Control comes to the instruction only from the one before it. */
static bool is_only_after(const struct flags_search *s, uint32_t i)
{
	return is_right_behind(s, i) && !(s->starts[i] & (KNOWN_START | KNOWN_START_OPEN)) &&
	       (s->insns[i - 1].flow == TRACE_FLOW_NONE || s->insns[i - 1].flow == TRACE_FLOW_COND);
}

static void mark_outcomes(const struct flags_search *s)
{
	struct trace_insn *insns = (struct trace_insn *)(void *)s->im->insns->data;

	for (uint32_t i = 0; i < s->n_insns; i++) {
		uint8_t tested = tested_flags(&insns[i]);
		uint32_t k = i;

		while (tested && is_only_after(s, k) &&
		       !(insns[k - 1].use_flags & TRACE_FLAGS_WRITTEN))
			k--;
		if (tested && is_only_after(s, k) && !(tested & ~insns[k - 1].sure_flags))
			insns[i].flags |= TRACE_INSN_INFERRED;
	}
}

/* ---- where flags are dead ---- */

/* Which instructions need the flags as they are before them.  Of untraced code, which keeps to the
 * ABI, neither calls nor returns do. */
struct needs {
	uint8_t *at;					     /* by instruction */
	bool any_behind_call, any_behind_jump, any_function; /* at any such place */
};

static bool is_needed_at(const struct flags_search *s, const struct needs *n, uint64_t addr,
			 bool untraced)
{
	const struct trace_insn *insn = image_insn_at(s->im, addr);

	return insn ? n->at[insn - s->insns] : untraced;
}

static bool is_needed_by_targets(const struct flags_search *s, const struct needs *n, uint64_t addr)
{
	const uint64_t *targets;
	uint64_t table, size;
	size_t left = image_jump_targets(s->im, addr, &targets, &table, &size);
	bool needed = !(left && table) && (n->any_behind_jump || n->any_function);

	for (; left > 0; left--)
		needed = needed || is_needed_at(s, n, targets[left - 1], true);
	return needed;
}

static bool is_needed_behind(const struct flags_search *s, const struct needs *n, uint32_t i)
{
	const struct trace_insn *insn = &s->insns[i];

	switch (insn->flow) {
	case TRACE_FLOW_CALL:
		return is_needed_at(s, n, insn->target, false);
	case TRACE_FLOW_CALL_IND:
		return n->any_function;
	case TRACE_FLOW_RET:
		return n->any_behind_call;
	case TRACE_FLOW_JUMP_IND:
		return is_needed_by_targets(s, n, insn->addr);
	case TRACE_FLOW_JUMP:
		return is_needed_at(s, n, insn->target, false);
	case TRACE_FLOW_NONE:
		return i + 1 < s->n_insns && is_right_behind(s, i + 1)
			       ? n->at[i + 1]
			       : is_needed_at(s, n, insn->addr + insn->length, true);
	default:
		return is_needed_at(s, n, insn->addr + insn->length, true) ||
		       (insn->flow == TRACE_FLOW_COND && is_needed_at(s, n, insn->target, true));
	}
}

static bool needs_flags(const struct flags_search *s, const struct needs *n, uint32_t i)
{
	const struct trace_insn *insn = &s->insns[i];

	if (image_is_trap(s->im, insn))
		return false;
	if (insn->use_flags & TRACE_FLAGS_TESTED || insn->rep != TRACE_REP_NONE ||
	    !(insn->flags & TRACE_INSN_COPY))
		return true;
	return (!(insn->use_flags & TRACE_FLAGS_WRITTEN) || insn->use_flags & TRACE_FLAGS_READ) &&
	       is_needed_behind(s, n, i);
}

static void note_need(const struct flags_search *s, struct needs *n, uint32_t i)
{
	const struct image_function *f = image_function_at(s->im, s->insns[i].addr);
	const struct trace_insn *before = i ? &s->insns[i - 1] : NULL;

	n->at[i] = true;
	n->any_function |= !f || f->entry == s->insns[i].addr || f->lo == s->insns[i].addr;
	n->any_behind_jump |= before && never_falls_through(before);
	n->any_behind_call |=
		before && (before->flow == TRACE_FLOW_CALL || before->flow == TRACE_FLOW_CALL_IND);
}

/* A backward analysis: flags are not needed until something is found that needs them. */
static void mark_dead_flags(const struct flags_search *s)
{
	struct trace_insn *insns = (struct trace_insn *)(void *)s->im->insns->data;
	g_autofree uint8_t *at = g_new0(uint8_t, s->n_insns + 1);
	struct needs n = { .at = at };

	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t i = s->n_insns; i-- > 0;)
			if (!at[i] && needs_flags(s, &n, i)) {
				note_need(s, &n, i);
				changed = true;
			}
	}
	for (uint32_t i = 0; i < s->n_insns; i++)
		if (!at[i])
			insns[i].flags |= TRACE_INSN_FLAGS_DEAD;
}

/* ---- the mirror ---- */

/* Nothing but its load can stop it; divisions (and, for simplicity, products) are left out. */
static bool may_be_compared(const struct trace_insn *insn)
{
	enum { QUOTIENT = 1 << TRACE_RAX | 1 << TRACE_RDX };

	return insn->flags & TRACE_INSN_FLAGS_DEAD && (insn->out_gpr & QUOTIENT) != QUOTIENT;
}

/* See TRACE_MEM_MIRRORED.  The recorder's comparison of what is loaded changes flags. */
static bool is_mirrored_operand(const struct trace_insn *insn)
{
	const struct trace_mem *m = &insn->mem[0];

	if (!(insn->flags & TRACE_INSN_PLAIN) || !(insn->flags & TRACE_INSN_COPY) ||
	    insn->flow != TRACE_FLOW_NONE || insn->rep != TRACE_REP_NONE || insn->n_mem != 1 ||
	    (m->size != 4 && m->size != 8) || m->seg || m->flags & TRACE_MEM_ADDR32)
		return false;
	switch (m->flags & (TRACE_MEM_READ | TRACE_MEM_WRITE)) {
	case TRACE_MEM_READ:
		return may_be_compared(insn);
	case TRACE_MEM_WRITE:
		return insn->store_reg != TRACE_REG_NONE;
	default:
		return false;
	}
}

static void mark_mirrored(const struct flags_search *s)
{
	struct trace_insn *insns = (struct trace_insn *)(void *)s->im->insns->data;

	for (uint32_t i = 0; i < s->n_insns; i++)
		if (is_mirrored_operand(&insns[i]))
			insns[i].mem[0].flags |= TRACE_MEM_MIRRORED;
}

void known_mark_flags(struct image *im, const uint8_t *starts)
{
	struct flags_search s = { .im = im, .n_insns = im->insns->len, .starts = starts };

	s.insns = (const struct trace_insn *)(const void *)im->insns->data;
	mark_outcomes(&s);
	mark_dead_flags(&s);
	mark_mirrored(&s);
}
