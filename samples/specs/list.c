/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A linked list, after the running example of SAT-TAR (Gopinath, Zaeem, Khurshid, ASE 2012).
 *
 *     list KEY KEYS...        makes a list of KEYS and removes KEY from it
 *
 * A version of it has one or two of these faults: -DREMOVE_ERR, -DHEAD_ERR, -DSIZE_ERR, -DSTEP_ERR.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
	struct node *next;
	int key;
};

struct list {
	struct node *header;
	int size;
};

static bool list_remove(struct list *l, int k)
{
	struct node *prev, *lst;
	prev = NULL;
	lst = l->header;
	while (lst != NULL) {
		if (lst->key == k) {
			if (prev != NULL)
#ifdef REMOVE_ERR
				prev->next = lst;
#else
				prev->next = lst->next;
#endif
			else
#ifdef HEAD_ERR
				l->header = l->header;
#else
				l->header = l->header->next;
#endif
#ifdef SIZE_ERR
			l->size = 0;
#else
			l->size = l->size - 1;
#endif
			return true;
		}
		prev = lst;
#ifdef STEP_ERR
		lst = lst->next ? lst->next->next : NULL;
#else
		lst = lst->next;
#endif
	}
	return false;
}

int main(int argc, char **argv)
{
	struct list l = { NULL, 0 };
	struct node **tail = &l.header;

	if (argc < 2)
		return 2;
	for (int i = 2; i < argc; i++) {
		struct node *n = malloc(sizeof *n);

		n->next = NULL;
		n->key = atoi(argv[i]);
		*tail = n;
		tail = &n->next;
		l.size++;
	}
	list_remove(&l, atoi(argv[1]));
	return 0;
}
