/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A calculator in reverse Polish notation.
 *
 * test: 8 2 - 3 +
 * prints: result 9
 * faulty: 57
 * fixed: 		push(s, left - right);
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH 16

struct stack {
	double cells[DEPTH];
	int top;
};

static void push(struct stack *s, double value)
{
	if (s->top == DEPTH) {
		fprintf(stderr, "too deep\n");
		exit(2);
	}
	s->cells[s->top++] = value;
}

static double pop(struct stack *s)
{
	if (s->top == 0) {
		fprintf(stderr, "nothing there\n");
		exit(2);
	}
	return s->cells[--s->top];
}

static int is_number(const char *word)
{
	if (*word == '-')
		word++;
	return isdigit((unsigned char)*word);
}

static void apply(struct stack *s, char op)
{
	double right = pop(s);
	double left = pop(s);

	switch (op) {
	case '+':
		push(s, left + right);
		break;
	case '-':
		push(s, right - left);
		break;
	case '*':
		push(s, left * right);
		break;
	case '/':
		push(s, left / right);
		break;
	default:
		fprintf(stderr, "unknown op %c\n", op);
		exit(2);
	}
}

int main(int argc, char **argv)
{
	struct stack stack = { .top = 0 };

	for (int i = 1; i < argc; i++) {
		if (is_number(argv[i]))
			push(&stack, atof(argv[i]));
		else
			apply(&stack, argv[i][0]);
	}
	printf("result %g\n", pop(&stack));
	return 0;
}
