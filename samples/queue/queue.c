/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A waiting room: people with an urgency wait in queues, the most urgent are called first.
 *
 *     queue ROOMS PATIENCE    commands on standard input, one a line:
 *
 *     come NAME URGENCY       NAME waits, with an urgency from 1 to 4
 *     call                    the next one goes into a free room
 *     done NAME               leaves the room
 *     worse NAME              one more urgent, behind those who are so already
 *     move URGENCY PERCENT    who stands at that part of the queue becomes more urgent
 *     leave NAME              does not wait any longer
 *     tick N                  time goes by; whoever waits too long becomes more urgent
 *     show                    who waits
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { URGENCIES = 4, NAME = 12, MOST_ROOMS = 8 };

struct person {
	char name[NAME];
	int urgency;
	int came, since; /* when they came, and came into this queue */
	struct person *next;
};

struct queue {
	struct person *first, *last;
	int length;
};

static struct queue queues[URGENCIES + 1];
static struct person *rooms[MOST_ROOMS];
static int n_rooms, patience, now;
static int called, waited, longest, left, raised;

static void append(struct queue *q, struct person *p)
{
	p->next = NULL;
	if (q->last)
		q->last->next = p;
	else
		q->first = p;
	q->last = p;
	q->length++;
}

static struct person *before(const struct queue *q, const struct person *p)
{
	struct person *at = NULL;

	for (struct person *i = q->first; i && i != p; i = i->next)
		at = i;
	return at;
}

static void take_out(struct queue *q, struct person *p)
{
	struct person *previous = before(q, p);

	if (previous)
		previous->next = p->next;
	else
		q->first = p->next;
	if (q->last == p)
		q->last = previous;
	q->length--;
}

static struct person *at_place(const struct queue *q, int n)
{
	struct person *p = q->first;

	while (p && n > 1) {
		p = p->next;
		n--;
	}
	return p;
}

static struct person *find(const char *name)
{
	for (int u = URGENCIES; u >= 1; u--)
		for (struct person *p = queues[u].first; p; p = p->next)
			if (strcmp(p->name, name) == 0)
				return p;
	return NULL;
}

static void come(const char *name, int urgency)
{
	struct person *p;

	if (urgency < 1 || urgency > URGENCIES) {
		printf("no urgency %d\n", urgency);
		return;
	}
	if (find(name)) {
		printf("%s waits already\n", name);
		return;
	}
	p = malloc(sizeof *p);
	strncpy(p->name, name, NAME - 1);
	p->name[NAME - 1] = '\0';
	p->urgency = urgency;
	p->came = p->since = now;
	append(&queues[urgency], p);
}

static void raise_by_one(struct person *p)
{
	if (p->urgency == URGENCIES)
		return;
	take_out(&queues[p->urgency], p);
	p->urgency++;
	p->since = now;
	append(&queues[p->urgency], p);
	raised++;
}

static int free_room(void)
{
	for (int i = 0; i < n_rooms; i++)
		if (!rooms[i])
			return i;
	return -1;
}

static void call(void)
{
	int room = free_room();

	if (room < 0) {
		printf("all rooms are taken\n");
		return;
	}
	for (int u = URGENCIES; u >= 1; u--) {
		struct person *p = queues[u].first;
		int wait;

		if (!p)
			continue;
		take_out(&queues[u], p);
		rooms[room] = p;
		wait = now - p->came;
		called++;
		waited += wait;
		if (wait > longest)
			longest = wait;
		printf("%s to room %d after %d\n", p->name, room + 1, wait);
		return;
	}
	printf("nobody waits\n");
}

static void done(const char *name)
{
	for (int i = 0; i < n_rooms; i++) {
		if (rooms[i] && strcmp(rooms[i]->name, name) == 0) {
			free(rooms[i]);
			rooms[i] = NULL;
			return;
		}
	}
	printf("%s is in no room\n", name);
}

static void worse(const char *name)
{
	struct person *p = find(name);

	if (!p)
		printf("%s does not wait\n", name);
	else
		raise_by_one(p);
}

static void move(int urgency, int percent)
{
	struct queue *q;
	int place;

	if (urgency < 1 || urgency >= URGENCIES || percent < 0 || percent > 100) {
		printf("cannot move\n");
		return;
	}
	q = &queues[urgency];
	if (!q->length)
		return;
	place = (q->length * percent + 99) / 100;
	if (place < 1)
		place = 1;
	raise_by_one(at_place(q, place));
}

static void leave(const char *name)
{
	struct person *p = find(name);

	if (!p) {
		printf("%s does not wait\n", name);
		return;
	}
	take_out(&queues[p->urgency], p);
	free(p);
	left++;
}

static void tick(int n)
{
	now += n;
	for (int u = URGENCIES - 1; u >= 1; u--) {
		struct person *p = queues[u].first;

		while (p) {
			struct person *next = p->next;

			if (now - p->since > patience * (URGENCIES - u))
				raise_by_one(p);
			p = next;
		}
	}
}

static void show(void)
{
	for (int u = URGENCIES; u >= 1; u--) {
		if (!queues[u].length)
			continue;
		printf("%d:", u);
		for (struct person *p = queues[u].first; p; p = p->next)
			printf(" %s", p->name);
		printf("\n");
	}
}

static void obey(const char *line)
{
	char word[16] = "", name[NAME] = "";
	int n = 0, percent = 0;

	sscanf(line, "%15s", word);
	if (strcmp(word, "come") == 0 && sscanf(line, "%*s %11s %d", name, &n) == 2)
		come(name, n);
	else if (strcmp(word, "call") == 0)
		call();
	else if (strcmp(word, "done") == 0 && sscanf(line, "%*s %11s", name) == 1)
		done(name);
	else if (strcmp(word, "worse") == 0 && sscanf(line, "%*s %11s", name) == 1)
		worse(name);
	else if (strcmp(word, "move") == 0 && sscanf(line, "%*s %d %d", &n, &percent) == 2)
		move(n, percent);
	else if (strcmp(word, "leave") == 0 && sscanf(line, "%*s %11s", name) == 1)
		leave(name);
	else if (strcmp(word, "tick") == 0 && sscanf(line, "%*s %d", &n) == 1)
		tick(n);
	else if (strcmp(word, "show") == 0)
		show();
	else
		printf("what?\n");
}

int main(int argc, char **argv)
{
	char line[80];
	int still = 0;

	if (argc != 3)
		return 2;
	n_rooms = atoi(argv[1]);
	patience = atoi(argv[2]);
	if (n_rooms < 1 || n_rooms > MOST_ROOMS)
		return 2;
	while (fgets(line, sizeof line, stdin))
		obey(line);
	for (int u = 1; u <= URGENCIES; u++)
		still += queues[u].length;
	printf("%d called, %d on the way, %d left, %d raised\n", called, still, left, raised);
	if (called)
		printf("waited %d, at most %d\n", waited / called, longest);
	return 0;
}
