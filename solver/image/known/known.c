/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which loads the re-computation knows without the record.  These are the loads of a
 * slot of the stack frame whose bytes the same activation has stored or loaded before,
 * on each path that leads there, when nothing in between could have changed them
 * unseen.
 *
 * This is a forward must-analysis of each function: it keeps which bytes at constant
 * distances from the stack pointer and from the frame pointer have been accessed.
 * Stores of traced code through any pointer take nothing away, because the
 * re-computation sees them with their addresses.  It does not see what untraced code
 * writes, so a call ends all knowledge, and so does an instruction whose stores it may
 * not model.  Signals and other threads are the recorder's care (struct trace_head
 * .known_until).
 */
#include "solver/image/image-private.h"
#include "solver/image/known/known.h"

#include <string.h>

/* Recorder and re-computation have to agree on these, which are a part of TRACE_VERSION: no limit
 * of an analysis may change them. */
enum {
	LOWEST = -3072, /* how far from the pointers we look */
	HIGHEST = 1024,
	MOST_WORDS = (HIGHEST - LOWEST) / 64,
	WORD = 8,
};

enum base { FROM_RSP, FROM_RBP, N_BASES };

struct facts {
	uint64_t known[N_BASES][MOST_WORDS];
};

/* A piece of straight code. */
struct piece {
	uint32_t first, end; /* numbers of instructions */
	uint32_t in;	     /* 1 + the place of its facts in .pool, 0 = not reached yet */
	bool open;	     /* control may come from a place that we do not know */
};

struct search {
	struct image *im;
	const struct trace_insn *insns;
	uint32_t n_insns;
	uint8_t *starts;  /* by instruction: enum known_start */
	uint32_t *number; /* by instruction that starts a piece: the piece's */
	/* of one function */
	GArray *pieces; /* struct piece */
	GArray *pool;	/* uint64_t: facts of pieces, N_BASES * .words each */
	GArray *todo;	/* uint32_t */
	int lowest;	/* the distance for which the first bit stands */
	unsigned words;
	bool has_frame; /* rbp is a frame pointer wherever it is written */
};

/* ---- where straight code begins ---- */

static const struct image_function *whole_at(const struct search *s, uint64_t addr)
{
	const struct image_function *f = image_function_at(s->im, addr);

	return f && f->parent ? f->parent : f;
}

static void start_at(struct search *s, uint64_t addr, enum known_start how)
{
	const struct trace_insn *insn = image_insn_at(s->im, addr);

	if (insn)
		s->starts[insn - s->insns] |= how;
}

static bool ends_piece(const struct trace_insn *insn)
{
	return insn->flow != TRACE_FLOW_NONE && insn->flow != TRACE_FLOW_CALL &&
	       insn->flow != TRACE_FLOW_CALL_IND;
}

static void find_starts_of(struct search *s, uint32_t i)
{
	const struct trace_insn *insn = &s->insns[i];
	bool jumps = insn->flow == TRACE_FLOW_COND || insn->flow == TRACE_FLOW_JUMP;
	const uint64_t *targets;
	uint64_t table, size;

	if (jumps)
		start_at(s, insn->target,
			 whole_at(s, insn->target) == whole_at(s, insn->addr) ? KNOWN_START
									      : KNOWN_START_OPEN);
	if (insn->flow == TRACE_FLOW_CALL)
		start_at(s, insn->target, KNOWN_START_OPEN);
	if (insn->flow == TRACE_FLOW_JUMP_IND)
		for (size_t n = image_jump_targets(s->im, insn->addr, &targets, &table, &size);
		     n > 0; n--)
			start_at(s, targets[n - 1], KNOWN_START_OPEN);
	if (ends_piece(insn))
		start_at(s, insn->addr + insn->length,
			 insn->flow == TRACE_FLOW_COND ? KNOWN_START_BEHIND_BRANCH : KNOWN_START);
}

static void find_starts(struct search *s)
{
	for (guint i = 0; i < s->im->functions->len; i++) {
		const struct image_function *f =
			&g_array_index(s->im->functions, struct image_function, i);

		start_at(s, f->lo, KNOWN_START_OPEN);
		start_at(s, f->entry, KNOWN_START_OPEN);
	}
	for (uint32_t i = 0; i < s->n_insns; i++)
		find_starts_of(s, i);
}

/* ---- what an instruction does ---- */

static bool follows_piece(const struct search *s, uint32_t i)
{
	return i > 0 && s->insns[i - 1].addr + s->insns[i - 1].length == s->insns[i].addr;
}

static bool moves_stack_to_frame(const struct trace_insn *insn)
{
	return insn->flags & TRACE_INSN_PLAIN && !insn->n_mem && !insn->use_flags &&
	       insn->length == 3 && insn->out_gpr == 1u << TRACE_RBP &&
	       insn->use_gpr == (1u << TRACE_RBP | 1u << TRACE_RSP);
}

static bool uses_stack_top(const struct trace_insn *insn, unsigned flag, int64_t disp)
{
	for (unsigned i = 0; i < insn->n_mem; i++) {
		const struct trace_mem *m = &insn->mem[i];

		if (m->flags & flag && m->base == TRACE_RSP && m->index == TRACE_REG_NONE &&
		    m->disp == disp && m->size == 8)
			return true;
	}
	return false;
}

/* An instruction that moves the stack pointer by eight bytes and does nothing else to it. */
static bool pushes_register(const struct search *s, const struct trace_insn *insn)
{
	size_t avail;
	const uint8_t *bytes = image_bytes(s->im, insn->addr, &avail);
	uint8_t last = bytes ? bytes[insn->length - 1] : 0;

	return insn->flow == TRACE_FLOW_NONE && insn->length <= 2 && last >= 0x50 && last <= 0x57 &&
	       insn->out_gpr == 1u << TRACE_RSP && uses_stack_top(insn, TRACE_MEM_WRITE, -8);
}

static bool pops_register(const struct search *s, const struct trace_insn *insn)
{
	size_t avail;
	const uint8_t *bytes = image_bytes(s->im, insn->addr, &avail);
	uint8_t last = bytes ? bytes[insn->length - 1] : 0;

	return insn->flow == TRACE_FLOW_NONE && insn->length <= 2 && last >= 0x58 && last <= 0x5f &&
	       insn->out_gpr & 1u << TRACE_RSP && (last & 7) != TRACE_RSP &&
	       uses_stack_top(insn, TRACE_MEM_READ, 0);
}

/* Where the opcode of a two-byte instruction (0f …) stands; NULL for other instructions. */
static const uint8_t *second_opcode(const struct search *s, const struct trace_insn *insn,
				    bool *prefixed, bool *upper)
{
	size_t avail;
	const uint8_t *at = image_bytes(s->im, insn->addr, &avail), *end;

	if (!at || avail < insn->length)
		return NULL;
	end = at + insn->length;
	*prefixed = *upper = false;
	for (; at < end && (*at == 0x66 || *at == 0xf2 || *at == 0xf3); at++)
		*prefixed = true;
	if (at < end && (*at & 0xf0) == 0x40)
		*upper = *at++ & 4;
	return end - at >= 3 && at[0] == 0x0f ? at + 1 : NULL;
}

/* Stores of xmm0 to xmm7 to memory (movss, movsd, movaps, movups, movdqa, movq …).  These
 * registers are always known. */
static bool stores_known_vector(const struct search *s, const struct trace_insn *insn)
{
	bool prefixed, upper;
	const uint8_t *op = second_opcode(s, insn, &prefixed, &upper);

	if (!op || upper || insn->n_mem != 1 || insn->mem[0].flags & TRACE_MEM_READ ||
	    insn->out_gpr || insn->out_vec || insn->out_flags)
		return false;
	return *op == 0x11 || *op == 0x29 ||
	       (prefixed && (*op == 0x7e || *op == 0x7f || *op == 0xd6));
}

/* Vector operations on registers, and their comparisons. */
static bool stores_nothing(const struct search *s, const struct trace_insn *insn)
{
	bool prefixed, upper;
	const uint8_t *op = second_opcode(s, insn, &prefixed, &upper);

	for (unsigned i = 0; i < insn->n_mem; i++)
		if (insn->mem[i].flags & TRACE_MEM_WRITE)
			return false;
	return insn->out_vec || insn->out_gpr || insn->n_mem ||
	       (op && (*op == 0x2e || *op == 0x2f));
}

/* Is everything that it changes in memory known afterwards? */
static bool is_modelled(const struct search *s, const struct trace_insn *insn)
{
	return insn->flags & TRACE_INSN_COPY &&
	       (insn->flags & TRACE_INSN_PLAIN || stores_known_vector(s, insn) ||
		stores_nothing(s, insn));
}

/* ---- facts ---- */

/* The first bit of the operand; -1 when it is too far away or not in the frame. */
static int bit_of(const struct search *s, const struct trace_mem *m, enum base *base)
{
	int64_t at = m->disp - s->lowest;

	if (m->index != TRACE_REG_NONE || m->seg || m->flags & (TRACE_MEM_RIP | TRACE_MEM_ADDR32) ||
	    (m->base != TRACE_RSP && (m->base != TRACE_RBP || !s->has_frame)) ||
	    m->disp < s->lowest || at + m->size > (int64_t)s->words * 64)
		return -1;
	*base = m->base == TRACE_RSP ? FROM_RSP : FROM_RBP;
	return (int)at;
}

static void set_known(const struct search *s, struct facts *f, const struct trace_mem *m)
{
	enum base base;
	int from = bit_of(s, m, &base);

	for (int i = from; from >= 0 && i < from + m->size; i++)
		f->known[base][i / 64] |= UINT64_C(1) << i % 64;
}

static bool is_known_operand(const struct search *s, const struct facts *f,
			     const struct trace_mem *m)
{
	enum base base;
	int from = bit_of(s, m, &base);

	for (int i = from; from >= 0 && i < from + m->size; i++)
		if (!(f->known[base][i / 64] >> i % 64 & 1))
			return false;
	return from >= 0;
}

static void forget_facts_of_base(const struct search *s, struct facts *f, enum base base)
{
	memset(f->known[base], 0, s->words * sizeof(uint64_t));
}

/* A push or a call makes the distances from the stack pointer grow by eight, a pop makes them
 * shrink. */
static void shift_distances(const struct search *s, uint64_t *known, bool grow)
{
	for (unsigned i = 0; i < s->words; i++) {
		unsigned k = grow ? s->words - 1 - i : i;
		bool last = grow ? k == 0 : k == s->words - 1;
		uint64_t beside = last ? 0 : known[grow ? k - 1 : k + 1];

		known[k] = grow ? known[k] << WORD | beside >> (64 - WORD)
				: known[k] >> WORD | beside << (64 - WORD);
	}
}

static void change_bases(const struct search *s, const struct trace_insn *insn, struct facts *f)
{
	if (moves_stack_to_frame(insn))
		memcpy(f->known[FROM_RBP], f->known[FROM_RSP], s->words * sizeof(uint64_t));
	else if (insn->out_gpr >> TRACE_RBP & 1)
		forget_facts_of_base(s, f, FROM_RBP);
	if (pushes_register(s, insn) || pops_register(s, insn))
		shift_distances(s, f->known[FROM_RSP], pushes_register(s, insn));
	else if (insn->out_gpr >> TRACE_RSP & 1)
		forget_facts_of_base(s, f, FROM_RSP);
}

static void transfer_facts(const struct search *s, const struct trace_insn *insn, struct facts *f)
{
	if (insn->flow == TRACE_FLOW_CALL || insn->flow == TRACE_FLOW_CALL_IND ||
	    !is_modelled(s, insn)) {
		forget_facts_of_base(s, f, FROM_RSP);
		forget_facts_of_base(s, f, FROM_RBP);
		return;
	}
	for (unsigned i = 0; insn->rep == TRACE_REP_NONE && i < insn->n_mem; i++)
		set_known(s, f, &insn->mem[i]);
	change_bases(s, insn, f);
}

/* ---- one function ---- */

static void give_range(struct search *s, const struct image_function *part, uint32_t *first,
		       uint32_t *end)
{
	uint64_t a = part->lo;

	while (a < part->hi && !image_insn_at(s->im, a))
		a++;
	*first = a < part->hi ? (uint32_t)(image_insn_at(s->im, a) - s->insns) : s->n_insns;
	for (*end = *first; *end < s->n_insns && s->insns[*end].addr < part->hi;)
		++*end;
}

/* Which distances occur, and whether rbp is a frame pointer.  False: nothing can be said of
 * this function, because it jumps to places that we do not know. */
static bool look_at_function(struct search *s, uint32_t first, uint32_t end, int *lowest,
			     int *highest)
{
	const uint64_t *targets;
	uint64_t table, size;

	for (uint32_t i = first; i < end; i++) {
		const struct trace_insn *insn = &s->insns[i];
		bool leaves = insn->out_gpr >> TRACE_RSP & 1 && insn->n_mem == 1;

		if (insn->flow == TRACE_FLOW_JUMP_IND &&
		    !(image_jump_targets(s->im, insn->addr, &targets, &table, &size) && table))
			return false;
		if (insn->out_gpr >> TRACE_RBP & 1 && !moves_stack_to_frame(insn) && !leaves)
			s->has_frame = false;
		for (unsigned k = 0; k < insn->n_mem; k++) {
			const struct trace_mem *m = &insn->mem[k];

			if ((m->base != TRACE_RSP && m->base != TRACE_RBP) || m->disp < LOWEST ||
			    m->disp + m->size > HIGHEST)
				continue;
			*lowest = MIN(*lowest, (int)m->disp);
			*highest = MAX(*highest, (int)m->disp + m->size);
		}
	}
	return true;
}

static void add_known_pieces(struct search *s, uint32_t first, uint32_t end)
{
	for (uint32_t i = first; i < end; i++) {
		struct piece p = { .first = i, .end = i + 1 };

		if (i == first || !follows_piece(s, i) || s->starts[i]) {
			p.open = i == first || !follows_piece(s, i) ||
				 s->starts[i] & KNOWN_START_OPEN;
			s->number[i] = s->pieces->len;
			g_array_append_val(s->pieces, p);
		} else {
			g_array_index(s->pieces, struct piece, s->pieces->len - 1).end = i + 1;
		}
	}
}

static uint64_t *facts_in(const struct search *s, const struct piece *p)
{
	return &g_array_index(s->pool, uint64_t, p->in - 1);
}

static void load_facts(const struct search *s, const struct piece *p, struct facts *f)
{
	for (unsigned b = 0; b < N_BASES; b++)
		memcpy(f->known[b], facts_in(s, p) + b * s->words, s->words * sizeof(uint64_t));
}

/* Control comes to the piece with the facts f, too. */
static void reach_piece(struct search *s, uint32_t number, const struct facts *f)
{
	struct piece *p = &g_array_index(s->pieces, struct piece, number);
	bool changed = !p->in;
	uint64_t *in;

	if (!p->in) {
		p->in = s->pool->len + 1;
		g_array_set_size(s->pool, s->pool->len + N_BASES * s->words);
		for (unsigned b = 0; b < N_BASES && !p->open; b++)
			memcpy(facts_in(s, p) + b * s->words, f->known[b],
			       s->words * sizeof(uint64_t));
	}
	in = facts_in(s, p);
	for (unsigned i = 0; i < N_BASES * s->words; i++) {
		uint64_t both = in[i] & f->known[i / s->words][i % s->words];

		changed |= both != in[i];
		in[i] = both;
	}
	if (changed)
		g_array_append_val(s->todo, number);
}

static void reach_insn(struct search *s, const struct trace_insn *from, uint64_t addr,
		       const struct facts *f)
{
	const struct trace_insn *to = image_insn_at(s->im, addr);

	if (to && whole_at(s, addr) == whole_at(s, from->addr))
		reach_piece(s, s->number[to - s->insns], f);
}

static void walk_known_piece(struct search *s, uint32_t number)
{
	struct piece p = g_array_index(s->pieces, struct piece, number);
	const struct trace_insn *last = &s->insns[p.end - 1];
	struct facts f;

	load_facts(s, &p, &f);
	for (uint32_t i = p.first; i < p.end; i++)
		transfer_facts(s, &s->insns[i], &f);
	if (last->flow == TRACE_FLOW_COND || last->flow == TRACE_FLOW_JUMP)
		reach_insn(s, last, last->target, &f);
	if (last->flow == TRACE_FLOW_COND || !ends_piece(last))
		reach_insn(s, last, last->addr + last->length, &f);
}

static void mark_known_piece(const struct search *s, const struct piece *p)
{
	struct trace_insn *insns = (struct trace_insn *)(void *)s->im->insns->data;
	struct facts f;

	load_facts(s, p, &f);
	for (uint32_t i = p->first; i < p->end; i++) {
		struct trace_insn *insn = &insns[i];

		for (unsigned k = 0; insn->rep == TRACE_REP_NONE && k < insn->n_mem; k++)
			if (insn->mem[k].flags & TRACE_MEM_READ &&
			    is_known_operand(s, &f, &insn->mem[k])) {
				insn->mem[k].flags |= TRACE_MEM_KNOWN;
				insn->mem[k].flags &= (uint8_t)~TRACE_MEM_MIRRORED;
			}
		transfer_facts(s, insn, &f);
	}
}

static void mark_function(struct search *s, const struct image_function *f)
{
	static const struct facts nothing;
	int lowest = 0, highest = 0;
	uint32_t first, end;

	s->has_frame = true;
	g_array_set_size(s->pieces, 0);
	g_array_set_size(s->pool, 0);
	for (const struct image_function *part = f; part; part = image_next_part(s->im, part)) {
		give_range(s, part, &first, &end);
		if (!look_at_function(s, first, end, &lowest, &highest))
			return;
		add_known_pieces(s, first, end);
	}
	s->lowest = lowest - WORD;
	s->words = MIN(MOST_WORDS, (unsigned)(highest + 2 * WORD - s->lowest) / 64 + 1);
	for (uint32_t i = 0; i < s->pieces->len; i++)
		if (g_array_index(s->pieces, struct piece, i).open)
			reach_piece(s, i, &nothing);
	while (s->todo->len) {
		uint32_t number = g_array_index(s->todo, uint32_t, s->todo->len - 1);

		g_array_set_size(s->todo, s->todo->len - 1);
		walk_known_piece(s, number);
	}
	for (uint32_t i = 0; i < s->pieces->len; i++)
		if (g_array_index(s->pieces, struct piece, i).in)
			mark_known_piece(s, &g_array_index(s->pieces, struct piece, i));
}

void image_mark_known(struct image *im)
{
	struct search s = { .im = im, .n_insns = im->insns->len };

	s.insns = (const struct trace_insn *)(const void *)im->insns->data;
	s.starts = g_new0(uint8_t, s.n_insns + 1);
	s.number = g_new0(uint32_t, s.n_insns + 1);
	s.pieces = g_array_new(FALSE, FALSE, sizeof(struct piece));
	s.pool = g_array_new(FALSE, TRUE, sizeof(uint64_t));
	s.todo = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	find_starts(&s);
	known_mark_flags(im, s.starts);
	for (guint i = 0; i < im->functions->len; i++) {
		const struct image_function *f =
			&g_array_index(im->functions, struct image_function, i);

		if (!f->parent)
			mark_function(&s, f);
	}
	g_array_free(s.pieces, TRUE);
	g_array_free(s.pool, TRUE);
	g_array_free(s.todo, TRUE);
	g_free(s.starts);
	g_free(s.number);
}
