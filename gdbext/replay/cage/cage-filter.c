/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The program is made from its end to its start: jumps go forwards only, so where they lead is
 * known when they are made.  A place in it is counted from the end.
 */
#include "gdbext/replay/cage/cage-filter.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdbool.h>

#define FARTHEST 250 /* instructions: what a conditional jump has 8 bits for, with some room */
#define X32_CALLS 0x40000000	/* numbers from here on are those of the x32 ABI ... */
#define SKIPPED_CALL 0xffffffff /* ... but for this: a tracer made it none */
#define LOAD (BPF_LD | BPF_W | BPF_ABS)
#define NO_WORD UINT32_MAX

/* Where a row begins for who has its first word loaded already. */
struct entry {
	guint loaded;
	uint32_t word; /* the offset in struct seccomp_data; NO_WORD = nothing need be loaded */
};

/* Calls that are decided alike, from this number to the next range's. */
struct range {
	uint32_t first;
	bool by_rows;	  /* one call, by its arguments */
	uint32_t verdict; /* what the filter returns, when not .by_rows */
};

static guint append_filter_code(GArray *code, uint16_t operation, uint32_t k, uint8_t t, uint8_t f)
{
	struct sock_filter instruction = { operation, t, f, k };

	g_array_append_val(code, instruction);
	return code->len - 1;
}

/* A place with the same meaning that a jump from here reaches. */
static guint within_reach(GArray *code, guint place)
{
	struct sock_filter there = g_array_index(code, struct sock_filter, place);

	if (code->len - place <= FARTHEST)
		return place;
	if (there.code == (BPF_RET | BPF_K))
		return append_filter_code(code, there.code, there.k, 0, 0);
	return append_filter_code(code, BPF_JMP | BPF_JA, code->len - 1 - place, 0, 0);
}

static guint filter_jump(GArray *code, uint16_t test, uint32_t k, guint t, guint f)
{
	guint yes = within_reach(code, t), no = within_reach(code, f);

	return append_filter_code(code, BPF_JMP | test | BPF_K, k, (uint8_t)(code->len - 1 - yes),
				  (uint8_t)(code->len - 1 - no));
}

/* Returns that are near are shared. */
static guint give_verdict(GArray *code, uint32_t verdict)
{
	for (guint i = code->len; i-- > 0 && code->len - i <= FARTHEST;) {
		const struct sock_filter *f = &g_array_index(code, struct sock_filter, i);

		if (f->code == (BPF_RET | BPF_K) && f->k == verdict)
			return i;
	}
	return append_filter_code(code, BPF_RET | BPF_K, verdict, 0, 0);
}

static uint32_t seccomp_return_of(enum cage_verdict verdict, int error)
{
	return verdict == CAGE_ALLOW ? SECCOMP_RET_ALLOW
	       : verdict == CAGE_ASK ? SECCOMP_RET_USER_NOTIF
				     : SECCOMP_RET_ERRNO | (uint32_t)error;
}

static uint32_t word_of_argument(unsigned number, bool upper)
{
	return (uint32_t)(offsetof(struct seccomp_data, args) + number * sizeof(uint64_t) +
			  (upper ? sizeof(uint32_t) : 0));
}

/* Where it begins for everybody. */
static guint start_of(GArray *code, const struct entry *e)
{
	if (e->word == NO_WORD)
		return e->loaded;
	if (e->loaded != code->len - 1)
		append_filter_code(code, BPF_JMP | BPF_JA, code->len - 1 - e->loaded, 0, 0);
	return append_filter_code(code, LOAD, e->word, 0, 0);
}

/* Compares this word, masked, with the value: when they are equal the filter goes on at t, and
 * otherwise at f, which may look at the same word. */
static struct entry add_word_test(GArray *code, uint32_t word, uint32_t mask, uint32_t value,
				  const struct entry *t, const struct entry *f)
{
	bool kept = mask == UINT32_MAX;
	guint no = kept && f->word == word ? f->loaded : start_of(code, f);
	struct entry e = { .word = word };

	e.loaded = filter_jump(code, BPF_JEQ, value, start_of(code, t), no);
	if (!kept)
		e.loaded = append_filter_code(code, BPF_ALU | BPF_AND | BPF_K, mask, 0, 0);
	return e;
}

static bool has_condition(const struct cage_argument *row, unsigned i)
{
	return i < G_N_ELEMENTS(row->where) && row->where[i].mask;
}

static struct entry add_condition(GArray *code, const struct cage_argument *row, unsigned i,
				  struct entry then, const struct entry *otherwise)
{
	uint64_t mask = row->where[i].mask, value = row->where[i].value;
	unsigned number = row->where[i].number;

	if (mask >> 32)
		then = add_word_test(code, word_of_argument(number, true), (uint32_t)(mask >> 32),
				     (uint32_t)(value >> 32), &then, otherwise);
	if ((uint32_t)mask)
		then = add_word_test(code, word_of_argument(number, false), (uint32_t)mask,
				     (uint32_t)value, &then, otherwise);
	return then;
}

static struct entry decided_entry(GArray *code, uint32_t verdict)
{
	return (struct entry){ .loaded = give_verdict(code, verdict), .word = NO_WORD };
}

static struct entry add_argument_filter(GArray *code, const struct cage_argument *row,
					uint32_t verdict, const struct entry *otherwise)
{
	struct entry e = decided_entry(code, verdict);
	unsigned i = 0;

	while (has_condition(row, i))
		i++;
	while (i--)
		e = add_condition(code, row, i, e, otherwise);
	return e;
}

/* ---- all calls ---- */

struct policy {
	enum cage_part part;
	GArray *rows; /* struct cage_argument */
	GArray *code;
	GArray *ranges;
};

static bool is_starting(uint32_t call)
{
	size_t n;
	const int *starting = cage_starting_calls(&n);

	for (size_t i = 0; i < n; i++)
		if ((uint32_t)starting[i] == call)
			return true;
	return false;
}

/* What this part says of a verdict of the whole. */
static uint32_t in_part(const struct policy *p, uint32_t call, uint32_t verdict)
{
	bool own = verdict == SECCOMP_RET_USER_NOTIF || is_starting(call);

	return p->part == CAGE_WHOLE || own == (p->part == CAGE_OWN) ? verdict : SECCOMP_RET_ALLOW;
}

static guint add_rows_of(struct policy *p, uint32_t call)
{
	uint32_t otherwise = in_part(p, call, SECCOMP_RET_ERRNO | ENOSYS);
	struct entry e = decided_entry(p->code, otherwise);
	bool alike = true; /* all rows from here on say the same */

	for (guint i = p->rows->len; i-- > 0;) {
		const struct cage_argument *row = &g_array_index(p->rows, struct cage_argument, i);
		uint32_t verdict = in_part(p, call, seccomp_return_of(row->verdict, row->error));

		if ((uint32_t)row->call != call)
			continue;
		alike &= verdict == otherwise;
		if (!alike)
			e = add_argument_filter(p->code, row, verdict, &e);
	}
	return start_of(p->code, &e);
}

static bool has_rows(const struct policy *p, uint32_t call)
{
	for (guint i = 0; i < p->rows->len; i++)
		if ((uint32_t)g_array_index(p->rows, struct cage_argument, i).call == call)
			return true;
	return false;
}

static struct range decide_call(const struct policy *p, uint32_t call)
{
	size_t n;
	const struct cage_call *calls = cage_calls(&n);
	struct range r = { call, has_rows(p, call), SECCOMP_RET_ERRNO | ENOSYS };

	for (size_t i = 0; i < n; i++)
		if ((uint32_t)calls[i].call == call)
			r.verdict = seccomp_return_of(calls[i].verdict, calls[i].error);
	r.verdict = in_part(p, call, r.verdict);
	return r;
}

static uint32_t highest_call(const struct policy *p)
{
	size_t n;
	const struct cage_call *calls = cage_calls(&n);
	uint32_t highest = 0;

	for (size_t i = 0; i < n; i++)
		highest = MAX(highest, (uint32_t)calls[i].call);
	for (guint i = 0; i < p->rows->len; i++)
		highest = MAX(highest,
			      (uint32_t)g_array_index(p->rows, struct cage_argument, i).call);
	return highest;
}

static void find_ranges(struct policy *p)
{
	uint32_t end = highest_call(p) + 1; /* nothing from here on has a row */

	for (uint32_t call = 0; call <= end; call++) {
		const struct range *last =
			p->ranges->len ? &g_array_index(p->ranges, struct range, p->ranges->len - 1)
				       : NULL;
		struct range r = decide_call(p, call);

		if (!last || last->by_rows || r.by_rows || last->verdict != r.verdict)
			g_array_append_val(p->ranges, r);
	}
}

/* The tree over n ranges from this one on; the call's number is loaded. */
static guint add_tree(struct policy *p, guint from, guint n)
{
	const struct range *first = &g_array_index(p->ranges, struct range, from);
	guint left, right;

	if (n == 1)
		return first->by_rows ? add_rows_of(p, first->first)
				      : give_verdict(p->code, first->verdict);
	right = add_tree(p, from + n / 2, n - n / 2);
	left = add_tree(p, from, n / 2);
	return filter_jump(p->code, BPF_JGE,
			   g_array_index(p->ranges, struct range, from + n / 2).first, right, left);
}

static void add_policy_filter(struct policy *p)
{
	GArray *code = p->code;
	guint calls = add_tree(p, 0, p->ranges->len);
	guint end = give_verdict(code, SECCOMP_RET_KILL_PROCESS);
	guint skipped = filter_jump(code, BPF_JEQ, SKIPPED_CALL, calls, end);

	filter_jump(code, BPF_JGE, X32_CALLS, skipped, calls);
	append_filter_code(code, LOAD, offsetof(struct seccomp_data, nr), 0, 0);
	calls = code->len - 1;
	filter_jump(code, BPF_JEQ, AUDIT_ARCH_X86_64, calls, end);
	append_filter_code(code, LOAD, offsetof(struct seccomp_data, arch), 0, 0);
}

struct sock_filter *cage_filter_new(enum cage_part part, const struct cage_argument *more, size_t n,
				    size_t *length)
{
	struct policy p = { .part = part,
			    .rows = g_array_new(FALSE, FALSE, sizeof(struct cage_argument)),
			    .code = g_array_new(FALSE, FALSE, sizeof(struct sock_filter)),
			    .ranges = g_array_new(FALSE, FALSE, sizeof(struct range)) };
	size_t n_arguments;
	const struct cage_argument *arguments = cage_arguments(&n_arguments);
	struct sock_filter *filter;

	g_array_append_vals(p.rows, arguments, (guint)n_arguments);
	g_array_append_vals(p.rows, more, (guint)n);
	find_ranges(&p);
	add_policy_filter(&p);
	*length = p.code->len;
	filter = g_new(struct sock_filter, *length);
	for (size_t i = 0; i < *length; i++)
		filter[i] = g_array_index(p.code, struct sock_filter, *length - 1 - i);
	g_array_unref(p.rows);
	g_array_unref(p.ranges);
	g_array_unref(p.code);
	return filter;
}
