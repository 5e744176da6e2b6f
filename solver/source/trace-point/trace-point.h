/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A trace point: the recorded run, re-computed up to one instruction, so that what the
 * program held there can be asked for by name.  It is where the test failed, or where
 * the run came to a stop.
 */
#ifndef SOLVER_SOURCE_TRACE_POINT_TRACE_POINT_H
#define SOLVER_SOURCE_TRACE_POINT_TRACE_POINT_H

#include "solver/explanation.h"
#include "solver/image/image.h"
#include "solver/image/variable/variable.h"
#include "solver/source/stop.h"
#include "solver/trace/index/reverse-index.h"
#include "solver/trace/superblock/step-counts.h"

struct trace_point;

/* record: of the failing run; thread: the one that failed; line: where it failed, 0 = not known
 * (then results of calls are not known either); index: gets every step, NULL = none.  images must
 * outlive it. */
struct trace_point *trace_point_new(struct image *const *images, size_t n_images,
				    const char *record, unsigned thread, unsigned line,
				    struct reverse_index *index, const struct deadline *until,
				    GError **error);
/* The end of a run that was made with these actions (n of them, not owned, which outlive the trace
 * point). */
struct trace_point *trace_point_new_changed(struct image *const *images, size_t n_images,
					    const char *record, unsigned thread, unsigned line,
					    const struct trace_action *actions, size_t n,
					    struct reverse_index *index,
					    const struct deadline *until, GError **error);
/* The same at the place where the run comes to a stop (NULL = where it failed).  index: gets
 * every step until then; NULL = none.  line: as above, where the stop stands behind the line's
 * calls. STOP_ERROR_REACHED when the run does not come there so often. */
struct trace_point *trace_point_new_at(struct image *const *images, size_t n_images,
				       const char *record, unsigned thread, const struct stop *stop,
				       unsigned line, struct reverse_index *index,
				       const struct deadline *until, GError **error);
void trace_point_free(struct trace_point *m);
/* When it has to be over; NULL = never. */
const struct deadline *trace_point_until(const struct trace_point *m);
/* How often the run comes to the stop in all. */
bool trace_point_count(struct image *const *images, size_t n_images, const char *record,
		       unsigned thread, const struct stop *stop, uint64_t *count,
		       const struct deadline *until, GError **error);
/* The number of the first time that the run comes to the stop and is_meant says yes; 0: never.
 * is_meant is given a trace point, which it may use until it returns. */
typedef bool trace_point_is_meant_fn(const struct trace_point *m, void *arg);
bool trace_point_find(struct image *const *images, size_t n_images, const char *record,
		      unsigned thread, const struct stop *stop, trace_point_is_meant_fn *is_meant,
		      void *arg, uint64_t *count, const struct deadline *until, GError **error);
/* At the end of a run that called exit and ended in a handler of atexit: the step of that call,
 * which is where the frame is; else UINT64_MAX. */
uint64_t trace_point_exit_step(const struct trace_point *m);
/* A cursor that stands at the trace point. */
const struct trace_cursor *trace_point_cursor(const struct trace_point *m);

/* Memory that untraced code wrote is asked of somebody else, who has it as it was there: what
 * .read of the frame does not know.  memory: NULL = of nobody. */
typedef bool trace_point_memory_fn(void *arg, uint64_t address, unsigned size, uint64_t *value);
void trace_point_ask(struct trace_point *m, trace_point_memory_fn *memory, void *arg);
/* How often the run came to the stop; 0 = it stands at its end. */
uint64_t trace_point_passed(const struct trace_point *m);

/* The frame that failed, at the call that reported it. */
const struct image_frame *trace_point_frame(const struct trace_point *m);
/* Reads memory as it was before a step of the run, 8 bytes at most; false when any of them is not
 * known.  That needs the index; without it only what cannot change is known. */
bool trace_point_read_before(const struct trace_point *m, uint64_t step, uint64_t address,
			     unsigned size, uint64_t *value);
/* The last step before this one that executed the instruction in the same frame; UINT64_MAX = none,
 * or there is no index. */
uint64_t trace_point_in_frame(const struct trace_point *m, const struct limits *limits,
			      uint64_t step, uint64_t pc);
/* Fills in the how-manieth executions they were, in the whole run; false when the record does not
 * tell, because it leaves the run's beginning out.  counts: ascending by step. */
bool trace_point_executions(const struct trace_point *m, struct step_count **counts, size_t n);
/* An execution as a stop, "push+37:2"; NULL = it has none.  Caller frees. */
char *trace_point_stop_text(const struct trace_point *m, const struct step_count *execution);
/* Did a signal end the run within the instruction of that frame? */
bool trace_point_is_signalled(const struct trace_point *m);
/* The statement that failed; NULL when its code has no line. */
const struct image_statement *trace_point_statement(const struct trace_point *m);
/* The function whose code failed. */
const struct image *trace_point_image(const struct trace_point *m);
/* The image that holds a runtime address, NULL = none; *bias: the module's bias. */
const struct image *trace_point_image_at(const struct trace_point *m, uint64_t pc, uint64_t *bias);
/* How many instructions came before those of the record. */
uint64_t trace_point_left_out(const struct trace_point *m);
/* Where the image was loaded; false when it was not. */
bool trace_point_bias_of(const struct trace_point *m, const struct image *im, uint64_t *bias);
/* Was the instruction, one of im's, executed until then? */
bool trace_point_has_executed(const struct trace_point *m, const struct image *im,
			      const struct trace_insn *insn);
/* In which turn instructions were executed for the first time: 1 is the first one of the run, 0 was
 * never executed.  Those of a superblock may count as executed together. */
uint32_t trace_point_turn(const struct trace_point *m, const struct image *im,
			  const struct trace_insn *insn);
/* How many instructions of the record came before its first execution; UINT64_MAX = it was never
 * executed. */
uint64_t trace_point_first_step(const struct trace_point *m, const struct image *im,
				const struct trace_insn *insn);
/* Fills in which lines of e's sources were executed until then. */
void trace_point_coverage(const struct trace_point *m, struct explanation *e);
/* The stack pointer when the thread's record begins.  Two runs whose stacks lie at different
 * places do not share addresses. */
uint64_t trace_point_stack(const struct trace_point *m);
/* main's argc and argv; false when the thread's record does not begin with main. */
bool trace_point_main_arguments(const struct trace_point *m, uint64_t *argc, uint64_t *argv);
uint64_t trace_point_instructions(const struct trace_point *m); /* of that thread */
uint64_t trace_point_executed(const struct trace_point *m);	/* with those that came before */
unsigned trace_point_threads(const struct trace_point *m); /* how many threads ran traced code */

/* Appends those values of the parts of a condition that are known to values (struct
 * explanation_value). */
void trace_point_values(const struct trace_point *m, struct explanation *e, const char *condition,
			GArray *values);

#endif
