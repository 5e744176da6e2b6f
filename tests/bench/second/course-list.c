/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A list of courses; the middle one is taken out.
 *
 * test: 4 7 9 12
 * faulty: 45
 * fixed: 			previous->next = at->next;
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

struct course {
	int number;
	struct course *next;
};

struct list {
	struct course *first;
	int count;
};

static void add(struct list *l, int number)
{
	struct course *c = malloc(sizeof *c), **end = &l->first;

	c->number = number;
	c->next = NULL;
	while (*end)
		end = &(*end)->next;
	*end = c;
	l->count++;
}

static int take_out(struct list *l, int number)
{
	struct course *previous = NULL;

	for (struct course *at = l->first; at; at = at->next) {
		if (at->number != number) {
			previous = at;
			continue;
		}
		if (previous)
			previous->next = at;
		else
			l->first = at->next;
		l->count--;
		return 1;
	}
	return 0;
}

static int length(const struct list *l)
{
	int n = 0;

	for (const struct course *at = l->first; at; at = at->next)
		n++;
	return n;
}

int main(int argc, char **argv)
{
	struct list list = { NULL, 0 };

	for (int i = 1; i < argc; i++)
		add(&list, atoi(argv[i]));
	printf("%d courses\n", length(&list));
	take_out(&list, 9);
	printf("%d left\n", list.count);
	assert(length(&list) == list.count);
	return 0;
}
