/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls of checked functions: whether one is checked, and what is told about it. */
#include "gdbext/contract/contract.h"

#include "gdbext/contract/blocks.h"
#include "gdbext/contract/memory.h"
#include "gdbext/contract/operations.h"
#include "gdbext/contract/state.h"

#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST_FUNCTIONS = 64, NOBODY = -1 };

/* The program has one contract, and its functions are called from where they are called: there is
 * no context to hand through. */
static struct {
	uint64_t bias;
	int fd; /* -1 = nothing is told */
	bool is_checked, stops;
	long only, only_call;	/* -1 = all */
	long whole, whole_call; /* function of the order "call"; -1 = none */
	uint64_t left_out;	/* constraints */
	long within;		/* ms; 0 = an evaluation may take any time */
	timer_t timer;
	bool has_timer;
	enum { NO_STATE, SHOW_STATE, GIVE_STATE, MAKE_STATES } state;
	long state_of, state_call; /* function, and which call of it */
	unsigned nodes, most;	   /* MAKE_STATES */
	bool tells_blocks;	   /* of the call that is being checked */
	uint64_t calls[MOST_FUNCTIONS];
	pthread_mutex_t busy;
	pthread_t owner;
	int active;    /* number of the function that is being checked */
	uint64_t seen; /* checksum before an evaluation */
} contract = {
	.fd = -1, .only = -1, .whole = -1, .busy = PTHREAD_MUTEX_INITIALIZER, .active = NOBODY
};

static void tell_line(const char *line, size_t n)
{
	if (contract.fd >= 0 && write(contract.fd, line, n) != (ssize_t)n)
		contract.fd = -1;
}

static void tell_contract_event(const char *what, uint64_t a, long b)
{
	char line[96];
	int n = b < 0 ? snprintf(line, sizeof line, "@why %s %lu\n", what, (unsigned long)a)
		      : snprintf(line, sizeof line, "@why %s %lu %ld\n", what, (unsigned long)a, b);

	tell_line(line, (size_t)n);
}

/* ---- the start ---- */

static int find_contract_program(struct dl_phdr_info *info, size_t size, void *arg)
{
	(void)size;
	contract.bias = info->dlpi_addr;
	watch_segments(info);
	return *(int *)arg = 1; /* the first one is the program */
}

static bool is_the_program(void)
{
	char path[4096];
	ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);

	if (n < 0 || !&why_contract)
		return false;
	path[n] = '\0';
	return strcmp(path, why_contract.program) == 0;
}

/* "N C" */
static void read_two(const char *value, char **rest, long *number, long *call)
{
	*number = atol(value);
	value = strsep(rest, " ");
	*call = value ? atol(value) : 0;
}

static void read_order(void)
{
	const char *given = getenv(WHY_ORDER_ENV);
	char order[WHY_ORDER_MOST], *rest = order, *word;

	strncpy(order, given ? given : "", sizeof order - 1);
	order[sizeof order - 1] = '\0';
	while ((word = strsep(&rest, " "))) {
		const char *value = strcmp(word, "stop") ? strsep(&rest, " ") : NULL;

		if (!value)
			contract.stops |= !strcmp(word, "stop");
		else if (!strcmp(word, "fd"))
			contract.fd = atoi(value);
		else if (!strcmp(word, "only"))
			read_two(value, &rest, &contract.only, &contract.only_call);
		else if (!strcmp(word, "call"))
			read_two(value, &rest, &contract.whole, &contract.whole_call);
		else if (!strcmp(word, "but"))
			contract.left_out = strtoull(value, NULL, 16);
		else if (!strcmp(word, "nodes"))
			contract.nodes = (unsigned)atol(value);
		else if (!strcmp(word, "most"))
			contract.most = (unsigned)atol(value);
		else if (!strcmp(word, "within"))
			contract.within = atol(value);
		else if (!strcmp(word, "show") || !strcmp(word, "give") || !strcmp(word, "make")) {
			contract.state = *word == 's'	? SHOW_STATE
					 : *word == 'g' ? GIVE_STATE
							: MAKE_STATES;
			read_two(value, &rest, &contract.state_of, &contract.state_call);
		}
	}
}

__attribute__((constructor)) static void start(void)
{
	int found = 0;

	if (!is_the_program() || why_contract.n_functions > MOST_FUNCTIONS)
		return;
	read_order();
	dl_iterate_phdr(find_contract_program, &found);
	for (unsigned i = 0; i < why_contract.n_functions; i++) {
		const struct why_function *f = &why_contract.functions[i];

		*(void **)(contract.bias + f->slot) = f->check;
	}
	contract.is_checked = true;
}

/* ---- calls ---- */

void *why_function(unsigned function)
{
	return (void *)(contract.bias + why_contract.functions[function].entry);
}

/* A call from within a checked one, or from a predicate, is part of it.  Other threads wait. */
int why_begin(unsigned function)
{
	if (!contract.is_checked ||
	    (contract.active != NOBODY && pthread_equal(contract.owner, pthread_self())))
		return 0;
	pthread_mutex_lock(&contract.busy);
	contract.owner = pthread_self();
	contract.active = (int)function;
	contract.calls[function]++;
	tell_contract_event("call", function, (long)contract.calls[function]);
	return 1;
}

static bool has_state(unsigned function)
{
	return contract.state != NO_STATE && contract.state_of == (long)function &&
	       contract.state_call == (long)contract.calls[function];
}

/* Is all that is demanded of this call alone asked about? */
static bool is_call_asked_about(unsigned function)
{
	return contract.whole == (long)function &&
	       contract.whole_call == (long)contract.calls[function];
}

static void fill_block(uint8_t *block, const struct why_place *parameters, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		memcpy(block, parameters[i].at, parameters[i].size);
		block += (parameters[i].size + WHY_BLOCK_ALIGN - 1) / WHY_BLOCK_ALIGN *
			 WHY_BLOCK_ALIGN;
	}
}

/* The block lies where the program never wrote, so that its values are inputs of the record. */
static int take_or_tell_state(unsigned function, void *block, uint32_t type)
{
	bool gives = contract.state == GIVE_STATE;

	if (contract.state == MAKE_STATES)
		operations_make(&(struct operations_question){
			function, contract.calls[function], block, type, contract.nodes,
			contract.most, contract.bias, tell_line });
	if (gives && !take_state(why_contract.state, block))
		_exit(1);
	tell_state(block, type, tell_line);
	return gives;
}

int why_state(unsigned function, void *block, uint32_t type, const struct why_place *parameters,
	      unsigned n)
{
	bool is_told = has_state(function), gives;

	if (!is_told && !is_call_asked_about(function))
		return 0;
	fill_block(block, parameters, n);
	gives = is_told && take_or_tell_state(function, block, type);
	contract.tells_blocks = is_call_asked_about(function) || (gives && contract.only >= 0);
	if (contract.tells_blocks)
		find_blocks(block, type);
	return gives;
}

uint64_t why_block_size(unsigned n)
{
	const void *at;

	return contract.tells_blocks ? found_block(n, &at) : 0;
}

const void *why_block(uint64_t size, unsigned n)
{
	const void *at = NULL;

	(void)size;
	found_block(n, &at);
	return at;
}

void why_end(unsigned function)
{
	tell_contract_event("return", function, (long)contract.calls[function]);
	if (is_call_asked_about(function) || (contract.state == GIVE_STATE && has_state(function)))
		_exit(0); /* nobody asks about what comes behind, or about another state than the
			   * one that was made */
	forget_memory();
	contract.tells_blocks = false;
	contract.active = NOBODY;
	pthread_mutex_unlock(&contract.busy);
}

/* ---- constraints ---- */

/* The kernel ends the program, so that no handler of it is asked.  ms: 0 = it no longer does. */
static void end_within(long ms)
{
	const struct itimerspec when = { .it_value = { ms / 1000, ms % 1000 * 1000000 } };
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL };

	if (!contract.within)
		return;
	if (!contract.has_timer)
		contract.has_timer = !timer_create(CLOCK_MONOTONIC, &event, &contract.timer);
	if (contract.has_timer)
		timer_settime(contract.timer, 0, &when, NULL);
}

int why_evaluates(unsigned constraint)
{
	const struct why_constraint *c = &why_contract.constraints[constraint];

	if (constraint < 64 && contract.left_out >> constraint & 1)
		return 0;
	if (contract.only >= 0 && (contract.only != (long)constraint ||
				   contract.only_call != (long)contract.calls[c->function]))
		return 0;
	if (contract.whole >= 0 && (contract.whole != (long)c->function ||
				    contract.whole_call != (long)contract.calls[c->function]))
		return 0;
	contract.seen = checksum_of_memory();
	tell_contract_event("try", constraint, -1);
	end_within(contract.within);
	return 1;
}

int why_fails(unsigned constraint, int holds)
{
	bool writes = contract.seen != checksum_of_memory();

	end_within(0);
	tell_contract_event(writes ? "writes" : holds ? "holds" : "fails", constraint, -1);
	return (contract.stops || contract.only >= 0 || contract.whole >= 0) && !holds;
}

void why_looks_at(const void *object, uint32_t type)
{
	watch_object(object, type);
}

void *why_copy(const void *object, uint32_t type)
{
	return copy_object(object, type);
}
