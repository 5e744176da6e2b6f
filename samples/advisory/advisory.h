/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two aircraft that may come too close, as seen from one of them, and what its
 * crew should be told.  Heights are in feet, vertical rates in feet a minute
 * (up is positive), distances in metres, closing speeds in metres a second.
 */
#ifndef SAMPLES_ADVISORY_ADVISORY_H
#define SAMPLES_ADVISORY_ADVISORY_H

enum advice {
	ADVICE_NONE,
	ADVICE_WATCH, /* traffic is near: look out */
	ADVICE_KEEP,  /* the present path is right: do not leave it */
	ADVICE_LEVEL, /* the conflict is over: stop climbing or descending */
	ADVICE_CLIMB,
	ADVICE_DESCEND,
	ADVICE_CLIMB_HARD,
	ADVICE_DESCEND_HARD,
};

enum way { WAY_NONE, WAY_UP, WAY_DOWN };

enum link { LINK_NONE, LINK_HEIGHT, LINK_TALKS };

/* Bits of encounter.warnings. */
enum { WARNING_STALL = 1, WARNING_TERRAIN = 2, WARNING_SILENT = 4 };

struct encounter {
	int own_height, own_rate;
	int other_height, other_rate;
	int distance, closing;
	int clearance; /* own height above the ground */
	int link;      /* enum link: what the other tells of itself */
	int intends;   /* enum way: where the other says that it will go */
	int last;      /* enum advice: what was said a second ago */
	int warnings;  /* of other systems on board */
	int yields;    /* 1: in a dispute this aircraft gives way */
};

/* The advice for this moment, an enum advice. */
int advise(const struct encounter *e);

/* The same by the golden version, whatever advise() is. */
int golden_advise(const struct encounter *e);

/* Fills *e from the twelve words in their order; ends the program when they are
 * not twelve. */
void read_encounter(struct encounter *e, int argc, char **argv);

#endif
