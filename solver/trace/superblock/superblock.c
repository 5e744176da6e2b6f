/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/trace/superblock/superblock.h"

#include "solver/base/hash.h"
#include "solver/isa/scalar.h"
#include "solver/trace/superblock/superblock-make.h"

#include <string.h>

enum { SLOTS = 1 << 13, MOST_INSNS = 40 };

struct known_superblock {
	uint64_t pc; /* 0 = empty */
	uint32_t number;
	struct superblock_code *block; /* NULL: steps only */
};

struct superblocks {
	struct known_superblock recent[SLOTS];
	GHashTable *by_pc; /* uint64_t * → number + 1, 0 = steps only */
	GPtrArray *blocks; /* struct superblock_code *, by number */
	superblocks_end_fn *ends;
	void *arg;
	GArray *effects; /* struct trace_effect: room for a superblock's */
	GArray *loads;	 /* struct trace_load: the same */
	uint64_t noted_from, noted_size;
};

static bool ends_nowhere(uint64_t pc, void *arg)
{
	(void)pc;
	(void)arg;
	return false;
}

static void free_block(gpointer block)
{
	superblock_code_free(block);
}

struct superblocks *superblocks_new(superblocks_end_fn *ends, void *arg)
{
	struct superblocks *s = g_new0(struct superblocks, 1);

	s->by_pc = g_hash_table_new_full(hash_u64, g_int64_equal, g_free, NULL);
	s->blocks = g_ptr_array_new_with_free_func(free_block);
	s->ends = ends ? ends : ends_nowhere;
	s->arg = arg;
	s->effects = g_array_new(FALSE, FALSE, sizeof(struct trace_effect));
	s->loads = g_array_new(FALSE, FALSE, sizeof(struct trace_load));
	return s;
}

void superblocks_free(struct superblocks *s)
{
	if (!s)
		return;
	g_hash_table_destroy(s->by_pc);
	g_ptr_array_free(s->blocks, TRUE);
	g_array_free(s->effects, TRUE);
	g_array_free(s->loads, TRUE);
	g_free(s);
}

void superblocks_note_loads(struct superblocks *s, uint64_t from, uint64_t size)
{
	s->noted_from = from;
	s->noted_size = size;
}

struct trace_place superblocks_place(const struct superblocks *s, uint32_t number, uint32_t i)
{
	const struct superblock_code *b = s->blocks->pdata[number];
	const struct trace_decoded *d = &b->insns[i];

	return (struct trace_place){ d->pc, d->module, d->insn, d->ir };
}

/* ---- superblocks ---- */

static guint make_piece(struct superblocks *s, struct trace_cursor *c, uint64_t pc)
{
	struct superblock_code *b = superblock_code_new(c, pc, MOST_INSNS, s->ends, s->arg);

	if (b) {
		g_ptr_array_add(s->blocks, b);
		g_array_set_size(s->effects, MAX(s->effects->len, b->n_stores + b->n_loads + 1));
		g_array_set_size(s->loads, MAX(s->loads->len, b->n_loads + 1));
	}
	g_hash_table_insert(s->by_pc, g_memdup2(&pc, sizeof(pc)),
			    GUINT_TO_POINTER(b ? s->blocks->len : 0));
	return b ? s->blocks->len : 0;
}

static const struct known_superblock *known_superblock_at(struct superblocks *s,
							  struct trace_cursor *c, uint64_t pc)
{
	struct known_superblock *p = &s->recent[(pc ^ pc >> 13) % SLOTS];
	gpointer number;

	if (p->pc == pc)
		return p;
	if (!g_hash_table_lookup_extended(s->by_pc, &pc, NULL, &number))
		number = GUINT_TO_POINTER(make_piece(s, c, pc));
	p->pc = pc;
	p->number = GPOINTER_TO_UINT(number) - 1;
	p->block = number ? s->blocks->pdata[p->number] : NULL;
	return p;
}

/* ---- execution ---- */

/* One superblock while it is executed. */
struct going {
	struct trace_cursor *c;
	const uint8_t *at, *end; /* in the stream */
	struct trace_effect *effects;
	unsigned n_effects;
	bool elides;
	struct trace_load *loads;
	unsigned n_loads;
	uint64_t noted_from, noted_size;
	bool infers; /* outcomes with SUPERBLOCK_INFERS are not recorded: */
	bool taken;
};

static void note_superblock_access(struct going *g, uint64_t address, unsigned size)
{
	g->effects[g->n_effects++] = (struct trace_effect){ address, size };
}

static uint64_t low_bytes(const uint8_t *from, unsigned size)
{
	uint64_t value = 0;

	switch (size) {
	case 1:
		return *from;
	case 2:
		memcpy(&value, from, 2);
		return value;
	case 4:
		memcpy(&value, from, 4);
		return value;
	default:
		memcpy(&value, from, 8);
		return value;
	}
}

static bool skip_superblock_bytes(struct going *g, size_t size)
{
	if ((size_t)(g->end - g->at) < size)
		return false;
	g->at += size;
	return true;
}

static bool load_word(struct going *g, const struct superblock_op *op, uint64_t address,
		      uint64_t *out)
{
	const uint8_t *from = g->at;
	uint8_t wide[64];

	if (g->elides && op->d & SUPERBLOCK_KNOWN && !(op->d & SUPERBLOCK_ADDRESSED))
		return op->size > 8 ? shadow_read_fresh(g->c->shadow, address, op->size, wide)
				    : shadow_fetch(g->c->shadow, address, op->size, out);
	if (op->d & SUPERBLOCK_ADDRESSED) {
		if (!skip_superblock_bytes(g, 8))
			return false;
		from += 8;
	}
	if (op->d & SUPERBLOCK_MIRRORED && g->c->mirror) {
		from = mirror_take_load(g->c->mirror, g->c->number + op->c, address, op->size,
					&g->at, g->end);
		if (!from)
			return false;
	} else if (!skip_superblock_bytes(g, op->size)) {
		return false;
	}
	if (op->size > 8) {
		if (shadow_observe(g->c->shadow, address, op->size, from, NULL))
			note_superblock_access(g, address, op->size);
		return true;
	}
	*out = low_bytes(from, op->size);
	if (address - g->noted_from < g->noted_size)
		g->loads[g->n_loads++] = (struct trace_load){ address, op->size, *out };
	if (!shadow_holds(g->c->shadow, address, op->size, *out) &&
	    shadow_observe(g->c->shadow, address, op->size, from, NULL))
		note_superblock_access(g, address, op->size);
	return true;
}

static void store_vector(struct going *g, const struct superblock_op *op, uint64_t address)
{
	const struct eval_state *state = &g->c->state;
	bool known = true;

	for (unsigned i = 0; i < op->d; i++)
		known = known && state->known[op->c + i];
	shadow_write(g->c->shadow, address, op->size, state->bytes + op->value, known);
	note_superblock_access(g, address, op->size);
}

/* Takes one recorded result from the record. */
static bool take_recorded_value(struct going *g, const struct superblock_op *op, uint64_t *out)
{
	const uint8_t *from = g->at;

	if (op->kind == SUPERBLOCK_SKIP)
		return skip_superblock_bytes(g, op->value);
	if (!skip_superblock_bytes(g, op->kind == SUPERBLOCK_TAKE ? 8 : op->size))
		return false;
	if (op->kind == SUPERBLOCK_TAKE) {
		memcpy(out, from, 8);
	} else {
		memcpy(g->c->state.bytes + op->value, from, MIN(op->size, 32));
		memset(g->c->state.known + op->value, 0xff, MIN(op->size, 32));
	}
	return true;
}

/* Rare operations, carried out by the operators of ir.h. */
static uint64_t compute_rare_op(const struct superblock_op *f, uint64_t a, uint64_t b)
{
	struct ir_op op = { .kind = f->kind, .width = (uint16_t)__builtin_popcountll(f->value) };
	uint64_t out = 0;

	scalar_compute(&op, f->c ? f->c : op.width, op.width, a, b, 0, &out);
	return out;
}

/* False when the record has nothing for it.  One switch has all kinds, because this is where
 * the time goes. */
static inline bool perform_superblock_op(struct going *g, const struct superblock_op *op,
					 uint64_t *s)
{
	uint8_t *state = g->c->state.bytes;
	uint64_t a = s[op->a], b = s[op->b], r;

	switch (op->kind) {
	case IR_ADD:
		r = a + b;
		break;
	case IR_SUB:
		r = a - b;
		break;
	case IR_MUL:
		r = a * b;
		break;
	case IR_AND:
		r = a & b;
		break;
	case IR_OR:
		r = a | b;
		break;
	case IR_XOR:
		r = a ^ b;
		break;
	case IR_NOT:
		r = ~a;
		break;
	case IR_NEG:
		r = -a;
		break;
	case IR_SHL:
		r = b < op->c ? a << b : 0;
		break;
	case IR_LSHR:
		r = b < op->c ? a >> b : 0;
		break;
	case IR_ASHR:
		r = scalar_ashr(a, b, op->c);
		break;
	case IR_EQ:
		r = a == b;
		break;
	case IR_ULT:
		r = a < b;
		break;
	case IR_ULE:
		r = a <= b;
		break;
	case IR_SLT:
		r = (int64_t)(a << op->c) < (int64_t)(b << op->c);
		break;
	case IR_SLE:
		r = (int64_t)(a << op->c) <= (int64_t)(b << op->c);
		break;
	case IR_ITE:
		r = s[op->c] ? a : b;
		break;
	case IR_CONCAT:
		r = a << op->c | b;
		break;
	case IR_EXTRACT:
		r = a >> op->c;
		break;
	case IR_SEXT:
		r = (uint64_t)((int64_t)(a << op->c) >> op->c);
		break;
	case IR_COND:
		r = lift_condition(op->size, a, b, s[op->c], s[op->d]);
		break;
	case IR_FLAGS:
		r = lift_flags(a, b, s[op->c], s[op->d]);
		break;
	case IR_FLAGS_C:
		r = lift_flags(a, b, s[op->c], s[op->d]) & 1;
		break;
	case SUPERBLOCK_GET:
		memcpy(&s[op->dst], state + op->value, 8);
		return true;
	case SUPERBLOCK_PUT:
		memcpy(state + op->value, &a, 8);
		return true;
	case SUPERBLOCK_INSERT:
		s[op->dst] = (a & ~op->value) | (b << op->c & op->value);
		return true;
	case SUPERBLOCK_LOAD:
		return load_word(g, op, a, &s[op->dst]);
	case SUPERBLOCK_STORE:
		shadow_write(g->c->shadow, a, op->size, (const uint8_t *)&s[op->b], true);
		if (op->d && g->c->mirror)
			mirror_put(g->c->mirror, a, op->size, (const uint8_t *)&s[op->b]);
		note_superblock_access(g, a, op->size);
		return true;
	case SUPERBLOCK_STORE_VECTOR:
		store_vector(g, op, a);
		return true;
	case SUPERBLOCK_BRANCH:
		g->taken = a != op->c;
		return true;
	case SUPERBLOCK_TAKE:
	case SUPERBLOCK_TAKE_VECTOR:
	case SUPERBLOCK_SKIP:
		return take_recorded_value(g, op, &s[op->dst]);
	default:
		r = compute_rare_op(op, a, b);
		break;
	}
	s[op->dst] = r & op->value;
	return true;
}

/* The operation for which the record has nothing; NULL when there is none. */
static const struct superblock_op *execute_superblock(struct going *g,
						      struct superblock_code *block)
{
	/* counted: of a block without operations there is no pointer to add to */
	for (size_t i = 0; i < block->n_ops; i++)
		if (!perform_superblock_op(g, &block->ops[i], block->slots))
			return &block->ops[i];
	return NULL;
}

/* ---- where control goes ---- */

static bool take_target(struct going *g, const struct superblock_code *b, uint64_t *to)
{
	const struct trace_insn *insn = b->insns[0].insn;
	uint64_t sp = cursor_word(g->c, 8 * TRACE_RSP);

	if (cursor_infers_target(g->c, insn)) {
		*to = cursor_word(g->c, 8u * insn->flow_reg);
		return cursor_decode(g->c, *to);
	}
	if (g->end - g->at < 8)
		return false;
	memcpy(to, g->at, 8);
	if (!cursor_decode(g->c, *to))
		return false;
	if (b->end == SUPERBLOCK_RETURNS && !shadow_holds(g->c->shadow, sp, 8, *to))
		shadow_observe(g->c->shadow, sp, 8, g->at, NULL);
	g->at += 8;
	return true;
}

static bool take_block_branch(struct going *g, const struct superblock_code *b, uint64_t *to)
{
	if (g->at == g->end || *g->at > 1)
		return false;
	*to = *g->at++ ? b->target : b->follows;
	return true;
}

static int fail_in_superblock(struct going *g, unsigned insn, bool result, GError **error)
{
	g->c->number += insn;
	return cursor_fail(g->c, error,
			   result ? "its results are missing" : "its operands are missing");
}

static bool is_result(const struct superblock_op *op)
{
	return op->kind == SUPERBLOCK_TAKE || op->kind == SUPERBLOCK_TAKE_VECTOR ||
	       (op->kind == SUPERBLOCK_SKIP && !op->d);
}

static int execute_superblock_code(struct going *g, struct superblock_code *b, GError **error)
{
	struct trace_cursor *c = g->c;
	const struct superblock_op *missing;
	uint64_t to = b->end == SUPERBLOCK_GOES_ON ? b->follows : b->target;

	if ((b->end == SUPERBLOCK_COMPUTED || b->end == SUPERBLOCK_RETURNS) &&
	    !take_target(g, b, &to))
		return 0;
	missing = execute_superblock(g, b);
	if (missing)
		return fail_in_superblock(g, missing->c, is_result(missing), error);
	if (b->end == SUPERBLOCK_INFERS && g->infers)
		to = g->taken ? b->target : b->follows;
	else if ((b->end == SUPERBLOCK_BRANCHES || b->end == SUPERBLOCK_INFERS) &&
		 !take_block_branch(g, b, &to))
		return fail_in_superblock(g, b->n_insns - 1, false, error);
	c->at = (size_t)(g->at - c->thread->stream);
	c->number += b->n_insns;
	c->pc = to;
	cursor_set_word(c, IR_STATE_RIP, to);
	return 1;
}

/* Are all general registers and flags known? This is found out again after each step. */
static bool is_state_known(struct trace_cursor *c)
{
	if (!c->looked) {
		uint64_t all = ~UINT64_C(0), word;

		for (unsigned at = 0; at < IR_STATE_YMM; at += 8) {
			memcpy(&word, c->state.known + at, 8);
			all &= word;
		}
		c->looked = true;
		c->whole = all == ~UINT64_C(0);
	}
	return c->whole;
}

/* Does what holds up to instruction number `end` end before the cursor is at `until`? */
static bool ends_within(const struct trace_cursor *c, uint64_t end, uint64_t until)
{
	return c->number < end && until > end;
}

/* Must something be done within the next n instructions? */
static bool is_due(const struct trace_cursor *c, unsigned n)
{
	const struct trace_head *head = c->thread->head;
	uint64_t until = c->number + n;

	if (until > head->insns || ends_within(c, head->known_until, until) ||
	    ends_within(c, c->thread->infers_until, until) ||
	    ends_within(c, c->thread->mirrors_until, until))
		return true;
	return c->n_async < head->n_async && c->thread->async[c->n_async].insns > c->number &&
	       c->thread->async[c->n_async].insns < until;
}

/* To look for more actions than this takes as long as to go by steps. */
enum { MOST_ACTIONS = 4 };

/* May an action of the plan change one of its instructions, or what a call brings back? */
static bool may_meet_actions(const struct trace_cursor *c, const struct superblock_code *b)
{
	if (c->later->len)
		return true;
	for (size_t i = 0; i < c->n_actions; i++)
		for (uint32_t k = 0; k < b->n_insns && c->met[i] < c->actions[i].nth; k++)
			if (b->insns[k].insn->addr == c->actions[i].addr)
				return true;
	return false;
}

int superblocks_run(struct superblocks *s, struct trace_cursor *c, struct superblock_run *out,
		    GError **error)
{
	const struct trace_head *head = c->thread->head;
	const struct known_superblock *p;
	struct going g;
	int r;

	if (c->check || c->n_actions > MOST_ACTIONS || c->broken || !c->pc)
		return 0;
	if (!cursor_may_go_on(c, error))
		return -1;
	p = known_superblock_at(s, c, c->pc);
	if (!p->block || is_due(c, p->block->n_insns) || may_meet_actions(c, p->block) ||
	    !is_state_known(c))
		return 0;
	c->n_acted = 0;
	cursor_change_mirror(c);
	g = (struct going){ .c = c,
			    .at = c->thread->stream + c->at,
			    .end = c->thread->stream + head->length,
			    .effects = (struct trace_effect *)(void *)s->effects->data,
			    .elides = c->number < head->known_until,
			    .infers = c->number < c->thread->infers_until,
			    .loads = (struct trace_load *)(void *)s->loads->data,
			    .noted_from = s->noted_from,
			    .noted_size = s->noted_size };
	r = execute_superblock_code(&g, p->block, error);
	if (r <= 0)
		return r;
	*out = (struct superblock_run){ .number = p->number,
					.n = p->block->n_insns,
					.last = p->block->insns[p->block->n_insns - 1].insn,
					.effects = g.effects,
					.n_effects = g.n_effects,
					.loads = g.loads,
					.n_loads = g.n_loads,
					.signal = cursor_signal(c) };
	return 1;
}
