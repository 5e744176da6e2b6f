/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A collision-avoidance advisory: from the geometry of an encounter to one of
 * eight pieces of advice.  An invention for exercises, not for the air.
 */
#include "advisory.h"

#include <stdbool.h>

enum { BANDS = 5, NEVER = 1000, FAR_OFF = 100000 };
enum { USUAL_RATE = 1500, HARD_RATE = 2500, HIGHEST = 39000, LOWEST = 1100, DELAY = 5 };

struct limits {
	int seconds; /* nearer in time than this is a threat */
	int metres;  /* nearer in space than this is one at once */
	int gap;     /* feet to pass each other at */
};

static const int band_floor[BANDS] = { 0, 1000, 5000, 10000, 20000 };
static const int band_seconds[BANDS] = { 15, 20, 25, 30, 35 };
static const int band_metres[BANDS] = { 370, 650, 1020, 1480, 2040 };

static int gap_of_band(int band)
{
	switch (band) {
	case 0:
		return 300;
	case 1:
		return 350;
	case 2:
		return 400;
	case 3:
		return 600;
	default:
		return 700;
	}
}

static void set_limits(struct limits *l, int clearance)
{
	int band = 0;

	while (band + 1 < BANDS && clearance >= band_floor[band + 1])
		band++;
	l->seconds = band_seconds[band];
	l->metres = band_metres[band];
	l->gap = gap_of_band(band);
}

static int seconds_left(const struct encounter *e)
{
	if (e->closing <= 0)
		return NEVER;
	return e->distance / e->closing;
}

static int height_after(int height, int rate, int seconds)
{
	return height + rate * seconds / 60;
}

/* Feet that this aircraft will be above the other if it flies at that rate. */
static int gap_after(const struct encounter *e, int rate, int seconds)
{
	int own = height_after(e->own_height, rate, seconds);
	int other = height_after(e->other_height, e->other_rate, seconds);

	return own - other;
}

static int size_of(int gap)
{
	return gap < 0 ? -gap : gap;
}

static bool is_near(const struct encounter *e, const struct limits *l, int seconds)
{
	bool soon = seconds < l->seconds && e->distance < 20 * l->metres;
	bool here = e->distance < l->metres && e->closing > -50;

	return soon || here;
}

static bool will_conflict(const struct encounter *e, const struct limits *l, int seconds)
{
	int now = size_of(e->own_height - e->other_height);
	int then = size_of(gap_after(e, e->own_rate, seconds));

	if (e->link == LINK_NONE)
		return false;
	return then < l->gap || (now < l->gap && seconds <= DELAY);
}

static bool may_climb(const struct encounter *e)
{
	return e->own_height < HIGHEST && !(e->warnings & WARNING_STALL);
}

static bool may_descend(const struct encounter *e)
{
	return e->clearance > LOWEST && !(e->warnings & WARNING_TERRAIN);
}

/* Feet between the two when this aircraft goes that way, as its crew will. */
static int miss_by(const struct encounter *e, enum way way, int rate, int seconds)
{
	int slow = seconds < DELAY ? seconds : DELAY;
	int sign = way == WAY_UP ? 1 : -1;
	int lost = (sign * rate - e->own_rate) * slow / 60;

	return sign * (gap_after(e, sign * rate, seconds) - lost);
}

static enum way best_way(const struct encounter *e, const struct limits *l, int seconds)
{
	int up = miss_by(e, WAY_UP, USUAL_RATE, seconds);
	int down = miss_by(e, WAY_DOWN, USUAL_RATE, seconds);

	if (!may_climb(e))
		up = -FAR_OFF;
	if (!may_descend(e))
		down = -FAR_OFF;
	if (up == -FAR_OFF && down == -FAR_OFF)
		return WAY_NONE;
	if (up >= l->gap && down >= l->gap)
		return e->own_height >= e->other_height ? WAY_UP : WAY_DOWN;
	return up >= down ? WAY_UP : WAY_DOWN;
}

/* Both must not go the same way: who yields turns round, if it can. */
static enum way agree(const struct encounter *e, enum way wanted)
{
	if (e->link != LINK_TALKS || e->intends != (int)wanted || !e->yields)
		return wanted;
	if (wanted == WAY_UP && may_descend(e))
		return WAY_DOWN;
	if (wanted == WAY_DOWN && may_climb(e))
		return WAY_UP;
	return WAY_NONE;
}

static int in_words(const struct encounter *e, const struct limits *l, enum way way, int seconds)
{
	bool enough = miss_by(e, way, USUAL_RATE, seconds) >= l->gap;
	bool hard = !enough && seconds < l->seconds / 2;

	if (way == WAY_UP && e->own_rate >= USUAL_RATE && enough)
		return ADVICE_KEEP;
	if (way == WAY_DOWN && e->own_rate <= -USUAL_RATE && enough)
		return ADVICE_KEEP;
	if (hard && miss_by(e, way, HARD_RATE, seconds) > miss_by(e, way, USUAL_RATE, seconds))
		return way == WAY_UP ? ADVICE_CLIMB_HARD : ADVICE_DESCEND_HARD;
	return way == WAY_UP ? ADVICE_CLIMB : ADVICE_DESCEND;
}

static int calm_down(const struct encounter *e, bool near)
{
	int advice = ADVICE_NONE;

	if (e->last >= ADVICE_CLIMB)
		advice = ADVICE_LEVEL;
	else if (near && !(e->warnings & WARNING_SILENT))
		advice = ADVICE_WATCH;
	return advice;
}

int advise(const struct encounter *e)
{
	struct limits limits;
	int seconds = seconds_left(e);
	enum way way;
	bool near;

	set_limits(&limits, e->clearance);
	near = is_near(e, &limits, seconds);
	if (seconds > limits.seconds)
		seconds = limits.seconds;
	if (!near || !will_conflict(e, &limits, seconds))
		return calm_down(e, near);
	way = agree(e, best_way(e, &limits, seconds));
	if (way == WAY_NONE)
		return ADVICE_WATCH;
	return in_words(e, &limits, way, seconds);
}
