/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the files of the reverse index share: reverse-index.c walks the run and makes the logs
 * of its windows, reverse-index-find.c looks for what was written or executed last.
 */
#ifndef SOLVER_TRACE_INDEX_REVERSE_INDEX_PRIVATE_H
#define SOLVER_TRACE_INDEX_REVERSE_INDEX_PRIVATE_H

#include "solver/trace/index/reverse-index.h"
#include "solver/trace/index/word-filter.h"

/* The filters tell apart words of so many bytes: neighbouring ints are written at different
 * times. */
enum { INDEX_WORD = 4 };
#define INDEX_PATH_FACTOR UINT64_C(0x9e3779b97f4a7c15)

struct window {
	struct trace_cursor *start;
	uint64_t first;
	uint64_t path;	    /* hash of what was executed before it */
	uint64_t registers; /* written in it */
	uint32_t shallowest;
	uint64_t highest; /* the stack pointer */
	GArray *calls;	  /* uint64_t: open calls at the start, as reverse_index.calls */
	uint8_t *filter;  /* a bit for each hash of a word that was written, and of an
			   * instruction that was executed */
	GArray *counts;	  /* struct window_count: what was executed in it; NULL = it is the one
			   * at hand, of which .executed tells */
};

/* Executions of a superblock, which has number / 2 then, or of an instruction outside of them, of
 * which .infos has number / 2 and number is odd. */
struct window_count {
	uint32_t number, times;
};

/* What a superblock makes of the hash h of a path: h * factor + sum. */
struct path_piece {
	uint64_t factor, sum; /* 0 = the superblock was not executed */
};

/* The steps of a window, as far as somebody asked for them. */
struct log {
	unsigned window;
	uint64_t used; /* when it was asked last */
	GArray *steps, *events;
	struct trace_cursor *end; /* where they end, with the open calls there */
	GArray *calls;
};

struct reverse_index {
	const struct limits *limits;
	uint64_t size; /* of a window, in steps */
	GPtrArray *windows;
	uint64_t n;	 /* steps */
	uint64_t path;	 /* hash of the addresses of their instructions */
	GPtrArray *logs; /* struct log *; an answer goes to and fro between few windows */
	struct log *log; /* the one at hand; NULL = none yet */
	uint64_t asked;
	uint32_t began;	       /* windows, also those that are gone */
	uint64_t next;	       /* step with which one begins */
	uint64_t held, copied; /* bytes: by the windows' cursors; what was before the last */
	GArray *noted;	       /* uint32_t, by superblock: .began when it was noted */
	GArray *infos;	       /* struct reverse_index_insn */
	GHashTable *by_pc;     /* uint64_t * → number + 1 */
	uint32_t *recent;      /* by hash of the pc: number + 1 */
	GArray *calls;	       /* uint64_t: where return addresses of open calls lie */
	struct memory_streams *streams;
	GArray *executed;  /* uint32_t, in the window at hand, by number of struct window_count */
	GArray *touched;   /* uint32_t: those of which it is not 0 */
	GPtrArray *pieces; /* by superblock: GArray of uint32_t, the numbers of its instructions;
			    * NULL = not executed */
	GArray *paths;	   /* struct path_piece, by superblock */
};

/* No word of memory has this address. */
static inline uint64_t index_word_of_insn(uint64_t pc)
{
	return ~pc;
}

/* Appends instructions to the hash of a path, whether they are executed as a superblock or one by
 * one. */
static inline void index_follow(uint64_t *path, uint64_t pc)
{
	*path = *path * INDEX_PATH_FACTOR + (pc ^ pc >> 29);
}

/* The window that has this step. */
unsigned index_window_of(const struct reverse_index *h, uint64_t number);
/* The step after the window's last one. */
uint64_t index_end_of(const struct reverse_index *h, unsigned w);
/* Counts one more, or so many, in the window at hand. */
static inline void index_count(struct reverse_index *h, uint32_t number, uint32_t times)
{
	if (h->executed->len <= number)
		g_array_set_size(h->executed, number + 1);
	if (!g_array_index(h->executed, uint32_t, number))
		g_array_append_val(h->touched, number);
	g_array_index(h->executed, uint32_t, number) += times;
}
/* The counts of the window at hand, which is over; the caller owns them. */
GArray *index_take_counts(struct reverse_index *h);
/* Makes the counts of two windows, which are freed, those of one. */
GArray *index_join_counts(struct reverse_index *h, GArray *of, GArray *with);
/* Makes h->log the log of at least so many of the window's first steps. */
void index_load(struct reverse_index *h, unsigned w, uint64_t steps);

#endif
