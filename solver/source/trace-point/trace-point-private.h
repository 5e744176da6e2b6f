/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What trace-point.c, which goes to the point, and trace-point-told.c, which tells of it, share. */
#ifndef SOLVER_SOURCE_TRACE_POINT_TRACE_POINT_PRIVATE_H
#define SOLVER_SOURCE_TRACE_POINT_TRACE_POINT_PRIVATE_H

#include "solver/source/trace-point/trace-point.h"
#include "solver/trace/run.h"
#include "solver/trace/superblock/superblock.h"

struct trace_point {
	struct image *const *images;
	size_t n_images;
	struct trace_run *run;
	const struct deadline *until;
	const struct trace_action *actions; /* with which the run was made */
	size_t n_actions;
	struct lift *lift;
	struct superblocks *superblocks;
	struct trace_cursor *cursor; /* at the end, its memory is that of the failure */
	struct call_results *calls;  /* of the line that failed */
	const struct trace_module *module;
	struct image_frame frame;
	uint64_t instructions;
	uint64_t stack;		     /* the stack pointer when the record begins */
	uint64_t argc, argv;	     /* of main, when the record begins with it; else 0 */
	const struct stop *stop;     /* NULL = the end */
	struct reverse_index *index; /* NULL = none is kept */
	struct executed *executed;
	struct foreign_memory *foreign;
	GArray *noted;	 /* bool, by number: superblocks whose instructions are in .executed */
	uint64_t passed; /* how often the run has come to the stop */
	bool arrived;	 /* the run is re-computed up to there */
	trace_point_memory_fn
		*memory; /* is asked for what the record does not tell; NULL = nobody */
	void *memory_arg;
	bool signalled; /* the last instruction was not completed */
	/* The last call of exit after which code of ours ran, as handlers of atexit do; its
	 * .module NULL = there was none. */
	struct exit_call {
		const struct trace_module *module;
		struct image_frame frame;
		uint64_t step; /* of the index */
	} exit_call, ended_by; /* .ended_by: the one that the end of the run belongs to */
};

#endif
