/*
 * Two workers and one counter, in any order that you like.
 *
 *     program SCHEDULE [EXPECTED]
 *
 * Each worker adds ROUNDS times STEP to a counter that both have: it takes the lock, reads the
 * counter, writes it back, and gives the lock back; these are four steps.  SCHEDULE is a word of A
 * and B: whose turn it is.  A worker that does not get the lock tries again at its next turn.  When
 * the schedule is over, the workers go on by turns.  The program prints the counter; EXPECTED is
 * checked.  So the order in which threads run, which is else up to the system, is an input here.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#define ROUNDS 1
#define STEP 5
#define NOBODY -1

enum doing { LOCKING, READING, WRITING, UNLOCKING };

struct worker {
	enum doing next;
	int seen; /* the counter as it was read */
	int rounds;
};

struct shared {
	int counter;
	int owner; /* of the lock */
};

static void take_lock(struct shared *shared, struct worker *worker, int self)
{
	if (shared->owner != NOBODY)
		return;
	shared->owner = self;
	worker->next = READING;
}

static void give_lock(struct shared *shared, struct worker *worker)
{
	shared->owner = NOBODY;
	worker->next = LOCKING;
	worker->rounds++;
}

static void turn(struct shared *shared, struct worker *worker, int self)
{
	if (worker->rounds == ROUNDS)
		return;
	if (worker->next == LOCKING) {
		take_lock(shared, worker, self);
	} else if (worker->next == READING) {
		worker->seen = shared->counter;
		worker->next = WRITING;
	} else if (worker->next == WRITING) {
		shared->counter = worker->seen + STEP;
		worker->next = UNLOCKING;
	} else {
		give_lock(shared, worker);
	}
}

static int run(const char *schedule)
{
	struct worker workers[2] = { { LOCKING, 0, 0 }, { LOCKING, 0, 0 } };
	struct shared shared = { 0, NOBODY };

	for (int i = 0; schedule[i]; i++) {
		int self = schedule[i] == 'B';

		turn(&shared, &workers[self], self);
	}
	while (workers[0].rounds + workers[1].rounds < 2 * ROUNDS)
		for (int self = 0; self < 2; self++)
			turn(&shared, &workers[self], self);
	return shared.counter;
}

int main(int argc, char **argv)
{
	int counter;

	if (argc < 2)
		return 2;
	counter = run(argv[1]);
	printf("%d\n", counter);
	if (argc > 2)
		assert(counter == atoi(argv[2]));
	return 0;
}
