/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Traffic lights as a state machine.
 *
 * test: ttttbttt
 * faulty: 70
 * fixed: 		enter(l, YELLOW);
 */
#include <assert.h>
#include <stdio.h>

enum state { RED, RED_YELLOW, GREEN, YELLOW };
enum event { TICK, BUTTON, OTHER };

struct light {
	enum state state;
	int waited;
	int pressed;
	int changes;
};

static enum event event_of(char c)
{
	if (c == 't')
		return TICK;
	if (c == 'b')
		return BUTTON;
	return OTHER;
}

static void enter(struct light *l, enum state next)
{
	l->state = next;
	l->waited = 0;
	l->changes++;
}

static int time_of(const struct light *l)
{
	switch (l->state) {
	case RED:
		return 2;
	case RED_YELLOW:
		return 1;
	case GREEN:
		return l->pressed ? 1 : 4;
	default:
		return 1;
	}
}

static void handle(struct light *l, enum event e)
{
	if (e == BUTTON)
		l->pressed = 1;
	if (e != TICK)
		return;
	l->waited++;
	if (l->waited < time_of(l))
		return;
	switch (l->state) {
	case RED:
		l->pressed = 0;
		enter(l, RED_YELLOW);
		break;
	case RED_YELLOW:
		enter(l, GREEN);
		break;
	case GREEN:
		enter(l, RED);
		break;
	case YELLOW:
		enter(l, RED);
		break;
	}
}

int main(int argc, char **argv)
{
	struct light light = { RED, 0, 0, 0 };
	enum state before;

	for (const char *p = argc > 1 ? argv[1] : ""; *p; p++) {
		before = light.state;
		handle(&light, event_of(*p));
		assert(!(before == GREEN && light.state == RED));
	}
	printf("state %d after %d changes\n", light.state, light.changes);
	return 0;
}
