/*
 * The next tasks: a heap.
 *
 *     program PRIORITY... [=EXPECTED]
 *
 * The priorities are put into a binary heap, the least on top, then all are taken out.  The program
 * prints them as one number, in base BASE; `=N' is checked.  Invariant: no element is less than its
 * parent.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST 8
#define BASE 100

struct heap {
	int at[MOST];
	int n;
};

static void swap(struct heap *heap, int i, int k)
{
	int kept = heap->at[i];

	heap->at[i] = heap->at[k];
	heap->at[k] = kept;
}

static void push(struct heap *heap, int value)
{
	int i = heap->n++;

	heap->at[i] = value;
	while (i > 0 && heap->at[i] < heap->at[(i - 1) / 2]) {
		swap(heap, i, (i - 1) / 2);
		i = (i - 1) / 2;
	}
}

static int pop(struct heap *heap)
{
	int top = heap->at[0], i = 0;

	heap->at[0] = heap->at[--heap->n];
	for (;;) {
		int child = 2 * i + 1;

		if (child >= heap->n)
			break;
		if (child + 1 < heap->n && heap->at[child + 1] < heap->at[child])
			child++;
		if (heap->at[i] <= heap->at[child])
			break;
		swap(heap, i, child);
		i = child;
	}
	return top;
}

int main(int argc, char **argv)
{
	struct heap heap = { .n = 0 };
	long result = 0, expected = -1;

	for (int i = 1; i < argc; i++) {
		if (argv[i][0] == '=')
			expected = atol(argv[i] + 1);
		else if (heap.n < MOST)
			push(&heap, atoi(argv[i]));
	}
	while (heap.n > 0)
		result = result * BASE + pop(&heap);
	printf("=%ld\n", result);
	if (expected >= 0)
		assert(result == expected);
	return 0;
}
