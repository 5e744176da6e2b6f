/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A stack in an array.
 *
 * test: 10 20
 * fails: 42
 * faulty: 30
 * fixed: s->top--;
 */
#include <assert.h>
#include <stdlib.h>

#define DEPTH 4

struct stack {
	int items[DEPTH];
	int top;
};

static void push(struct stack *s, int item)
{
	assert(s->top < DEPTH);
	s->items[s->top] = item;
	s->top++;
}

static int pop(struct stack *s)
{
	assert(s->top > 0);
	s->top -= 2;
	return s->items[s->top];
}

int main(int argc, char **argv)
{
	struct stack s = { .top = 0 };

	if (argc != 3)
		return 2;
	push(&s, atoi(argv[1]));
	push(&s, atoi(argv[2]));
	assert(pop(&s) == atoi(argv[2]));
	assert(pop(&s) == atoi(argv[1]));
	return 0;
}
