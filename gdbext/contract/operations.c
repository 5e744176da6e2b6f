/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/contract/operations.h"

#include "gdbext/contract/memory.h"
#include "gdbext/contract/saved.h"
#include "gdbext/contract/state.h"

#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum {
	MOST_STRUCTURES = 120,
	MOST_DEPTH = 8,
	MOST_TYPES = 256,
	MOST_VALUES = 12,
	TEXT = 512,
	TICK_US = 8000,	 /* one call takes at most two */
	BUDGET_MS = 500, /* of processor time */
	BIG_STACK = 1 << 16,
	SMALL_NUMBERS = 4096, /* no object lies on the first page */
};

/* A call of an operation, and the structure that it was made of. */
struct step {
	uint32_t from; /* number of the structure */
	uint32_t operation;
	long numbers[WHY_OPERATION_NUMBERS];
};

/* Signal handlers have no context. */
static struct {
	const struct operations_question *q;
	const struct why_builder *b;
	struct step steps[MOST_STRUCTURES]; /* how a structure is made; the first one is there */
	uint64_t sums[MOST_STRUCTURES];	    /* what it looks like */
	bool goes_on[MOST_STRUCTURES];
	uint32_t n, told;
	bool leads_back[MOST_TYPES];
	bool takes_anything; /* pointers to void are numbers in this program, it seems */
	void *first;	     /* the structure at the call */
	volatile sig_atomic_t is_calling;
	volatile sig_atomic_t calls, seen;
	sigjmp_buf out;
} making;

/* ---- a call that may do anything ---- */

static void leave_operation(int signal)
{
	if (making.is_calling && (signal != SIGVTALRM || making.seen == making.calls))
		siglongjmp(making.out, 1);
	if (signal != SIGVTALRM)
		_exit(1);
	making.seen = making.calls;
}

/* What exit has done until here is undone with all else. */
static void leave_exit(void)
{
	if (making.is_calling)
		siglongjmp(making.out, 1);
}

static void catch_all(void)
{
	static uint8_t stack[BIG_STACK];
	const int signals[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGVTALRM };
	const struct itimerval every = { { 0, TICK_US }, { 0, TICK_US } };
	stack_t other = { .ss_sp = stack, .ss_size = sizeof stack };
	struct sigaction act = { .sa_handler = leave_operation,
				 .sa_flags = SA_ONSTACK | SA_NODEFER };

	sigaltstack(&other, NULL);
	for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++)
		sigaction(signals[i], &act, NULL);
	atexit(leave_exit);
	setitimer(ITIMER_VIRTUAL, &every, NULL);
}

static void set_structure(void *structure)
{
	memcpy((uint8_t *)making.q->block + making.b->structure, &structure, sizeof structure);
}

static void *call_operation(const struct step *s, void *structure)
{
	const struct why_operation *o = &making.b->operations[s->operation];

	making.calls++;
	return o->call((void *)(making.q->bias + o->entry), structure, s->numbers);
}

/* False: an operation crashed, did not end, or ended the program. */
static bool make_structure(uint32_t number, void **structure)
{
	const struct step *way[MOST_DEPTH + 1];
	unsigned n = 0;

	for (uint32_t at = number; at && n <= MOST_DEPTH; at = making.steps[at].from)
		way[n++] = &making.steps[at];
	restore_memory();
	*structure = making.first;
	if (sigsetjmp(making.out, 1)) {
		making.is_calling = false;
		return false;
	}
	making.is_calling = true;
	while (n)
		*structure = call_operation(way[--n], *structure);
	making.is_calling = false;
	return true;
}

static bool may_be_called(void)
{
	volatile bool holds = false;

	if (!sigsetjmp(making.out, 1)) {
		making.is_calling = true;
		making.calls++;
		holds = why_contract.shapes[making.q->function].holds(making.q->block) != 0;
	}
	making.is_calling = false;
	return holds;
}

/* ---- what a structure looks like ---- */

static bool operation_type_reaches(uint32_t from, uint32_t to, bool *visited)
{
	const struct why_type *t = &why_contract.types[from];

	for (uint32_t i = 0; i < t->n; i++) {
		uint32_t next = t->pointers[i].target;

		if (next == to)
			return true;
		if (next < MOST_TYPES && !visited[next] && (visited[next] = true) &&
		    operation_type_reaches(next, to, visited))
			return true;
	}
	return false;
}

static void find_node_operations(void)
{
	for (uint32_t i = 0; i < why_contract.n_types && i < MOST_TYPES; i++) {
		bool visited[MOST_TYPES] = { false };

		making.leads_back[i] = operation_type_reaches(i, i, visited);
	}
}

static uint64_t mix_result(uint64_t sum, uint64_t value)
{
	sum = (sum ^ value) * 0x9e3779b97f4a7c15u;
	return sum ^ sum >> 29;
}

/* What its pointers lead to, and its numbers; what lies between them may be anything. */
static uint64_t sum_of(const struct seen_object *o, uint64_t sum)
{
	const struct why_type *t = &why_contract.types[o->type];

	sum = mix_result(sum, o->type);
	for (uint64_t i = 0; t->is_text && i < o->size; i++)
		sum = mix_result(sum, o->copy[i]);
	for (uint64_t at = 0; t->size && at + t->size <= o->size; at += t->size) {
		for (uint32_t k = 0; k < t->n; k++) {
			const uint8_t *p;
			uint64_t inside = 0;
			uint32_t to = 0;

			memcpy(&p, o->copy + at + t->pointers[k].offset, sizeof p);
			if (p && !snapshot_find(p, &to, &inside))
				to = UINT32_MAX;
			sum = mix_result(sum, p ? (uint64_t)to << 32 | inside | 1u << 31 : 0);
		}
		for (uint64_t k = 0; k < t->n_scalars; k++) {
			uint64_t value = 0;

			memcpy(&value, o->copy + at + t->scalars[k].offset, t->scalars[k].size);
			sum = mix_result(sum, value);
		}
	}
	return sum;
}

/* False: it is too large, or there already. */
static bool is_state_new(uint64_t *sum)
{
	uint32_t n = take_snapshot(making.q->block, making.q->type);
	unsigned nodes = 0;

	*sum = 1;
	for (uint32_t i = 0; i < n; i++) {
		const struct seen_object o = snapshot_object(i);

		nodes += o.type < MOST_TYPES && making.leads_back[o.type];
		*sum = sum_of(&o, *sum);
	}
	for (uint32_t i = 0; i < making.n; i++)
		if (making.sums[i] == *sum)
			return false;
	return n && nodes <= making.q->nodes;
}

/* ---- what is told ---- */

/* "list_add(l, 1) list_add(l, 2)" */
static size_t write_way(uint32_t number, char *text, size_t n)
{
	const struct step *s = &making.steps[number];
	const struct why_operation *o = &making.b->operations[s->operation];

	if (!number)
		return n;
	n = write_way(s->from, text, n);
	n += (size_t)snprintf(text + n, n < TEXT ? TEXT - n : 0, " %s(", o->name);
	for (unsigned i = 0, k = 0; n < TEXT && i <= o->numbers; i++) {
		const char *comma = i ? ", " : "";

		if (i == o->at)
			n += (size_t)snprintf(text + n, TEXT - n, "%s%s", comma, making.b->name);
		else
			n += (size_t)snprintf(text + n, TEXT - n, "%s%ld", comma, s->numbers[k++]);
	}
	n += (size_t)snprintf(text + n, n < TEXT ? TEXT - n : 0, ")");
	return n;
}

static void tell_one(uint32_t number)
{
	char text[TEXT + 2];
	size_t n = (size_t)snprintf(text, TEXT, "@why made %lu", (unsigned long)making.q->call);

	n = write_way(number, text, n);
	if (!may_be_called())
		return;
	making.told++;
	if (n >= TEXT)
		n = TEXT;
	text[n++] = '\n';
	making.q->line(text, n);
	tell_state(making.q->block, making.q->type, making.q->line);
}

/* Is this parameter chosen?  A pointer to void that leads somewhere is not. */
static bool is_parameter_chosen(uint32_t which)
{
	return !making.b->numbers[which].is_anything || making.takes_anything;
}

static void set_operation_number(uint32_t which, long value)
{
	const struct why_scalar *p = &making.b->numbers[which].at;

	memcpy((uint8_t *)making.q->block + p->offset, &value, p->size);
}

/* The structure, with each number that the call may get. */
static void tell_all(uint32_t number, uint32_t which)
{
	if (making.told >= making.q->most)
		return;
	if (which == making.b->n_numbers) {
		tell_one(number);
		return;
	}
	if (!is_parameter_chosen(which)) {
		tell_all(number, which + 1);
		return;
	}
	for (long v = 0; v <= (long)making.q->nodes + 1; v++) {
		set_operation_number(which, v);
		tell_all(number, which + 1);
	}
	set_operation_number(which, 0);
}

/* One that no call may get goes no further: who calls an operation on what is broken? */
static void tell_structure(uint32_t number)
{
	uint32_t before = making.told;

	tell_all(number, 0);
	making.goes_on[number] = making.told > before;
}

/* ---- all ---- */

static bool operations_are_late(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000 > BUDGET_MS;
}

static unsigned depth_of(uint32_t number)
{
	unsigned n = 0;

	for (; number; number = making.steps[number].from)
		n++;
	return n;
}

static void try_step(const struct step *s)
{
	void *structure;
	uint64_t sum;

	making.steps[making.n] = *s;
	if (!make_structure(making.n, &structure))
		return;
	set_structure(structure);
	if (!is_state_new(&sum))
		return;
	making.sums[making.n] = sum;
	tell_structure(making.n++);
}

/* Every operation with all its numbers. */
static void go_on_from(uint32_t number)
{
	struct step s = { .from = number };

	for (s.operation = 0; s.operation < making.b->n_operations; s.operation++) {
		uint32_t count = making.q->nodes + 2, all = 1;

		if (making.b->operations[s.operation].takes_anything && !making.takes_anything)
			continue;
		for (uint32_t i = 0; i < making.b->operations[s.operation].numbers; i++)
			all *= count;
		for (uint32_t i = 0;
		     i < all && making.n < MOST_STRUCTURES && !operations_are_late(); i++) {
			uint32_t rest = i;

			for (uint32_t k = 0; k < WHY_OPERATION_NUMBERS; k++, rest /= count)
				s.numbers[k] = rest % count;
			try_step(&s);
		}
	}
}

/* Has the call pointers to void, all of which are small numbers? */
static bool are_numbers(void)
{
	unsigned n = 0;

	for (uint32_t i = 0; i < making.b->n_numbers; i++) {
		const struct why_number *p = &making.b->numbers[i];
		uint64_t value = 0;

		memcpy(&value, (uint8_t *)making.q->block + p->at.offset, p->at.size);
		if (p->is_anything && value >= SMALL_NUMBERS)
			return false;
		n += p->is_anything;
	}
	return n;
}

void operations_make(const struct operations_question *q)
{
	const struct why_builder *b = &why_contract.builders[q->function];
	static struct operations_question question;

	question = *q;
	making.q = &question;
	making.b = b;
	if (!b->n_operations || !save_memory(__builtin_frame_address(0)))
		_exit(0);
	find_node_operations();
	catch_all();
	memcpy(&making.first, (uint8_t *)q->block + b->structure, sizeof making.first);
	making.takes_anything = are_numbers();
	for (uint32_t i = 0; i < b->n_numbers; i++)
		if (is_parameter_chosen(i))
			set_operation_number(i, 0);
	making.n = 0;
	is_state_new(&making.sums[0]);
	making.n = 1;
	tell_structure(0);
	for (uint32_t i = 0; i < making.n && making.told < q->most && !operations_are_late(); i++)
		if (making.goes_on[i] && depth_of(i) < MOST_DEPTH)
			go_on_from(i);
	_exit(0);
}
