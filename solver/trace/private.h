/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What run.c, cursor.c and check.c share; see run.h. */
#ifndef SOLVER_TRACE_PRIVATE_H
#define SOLVER_TRACE_PRIVATE_H

#include "solver/isa/eval.h"
#include "solver/trace/mirror.h"
#include "solver/trace/shadow.h"
#include "solver/trace/run.h"

/* The record of one thread, mapped. */
struct trace_thread {
	GMappedFile *file, *async_file, *output_file;
	const struct trace_head *head;
	const uint8_t *stream; /* head->length bytes */
	const struct trace_async *async;
	const struct trace_output *output; /* head->n_output of them */
	uint64_t infers_until; /* TRACE_INFERS, TRACE_MIRRORS hold for instructions before these: */
	uint64_t mirrors_until;
	/* static-run.c: .head and .stream where no file is mapped, else NULL */
	struct trace_head *owned_head;
	uint8_t *owned_stream;
};
void trace_thread_clear(gpointer thread);

struct trace_run {
	char *directory;
	GArray *threads; /* struct trace_thread */
	struct trace_module modules[TRACE_MAX_MODULES];
	unsigned n_modules;
	unsigned chosen;     /* thread */
	uint64_t first, end; /* trace_run_narrow */
	const struct deadline *until;
};

const struct trace_thread *trace_run_thread(const struct trace_run *r, unsigned thread);

/* An instruction that was met before. */
struct trace_decoded {
	uint64_t pc; /* 0 = empty */
	const struct image *image;
	uint64_t bias;
	uint32_t number;		   /* of the module in its run */
	const struct trace_module *module; /* of the run that asked last */
	const struct trace_insn *insn;
	const struct ir_block *ir;
	bool exact; /* the IR is complete and has no floating point */
};

enum { DECODED_SLOTS = 1 << 13 };

/* An action on a call of untraced code takes place when the call comes back, which is when
 * control is at .rip again with the stack pointer at .rsp. */
struct trace_later {
	uint64_t rip, rsp;
	const struct trace_action *action;
};

struct trace_cursor {
	struct eval_memory memory; /* first: the evaluator's view of shadow */
	struct trace_run *run;
	const struct trace_thread *thread;
	struct lift *lift;
	struct shadow *shadow;
	struct mirror *mirror; /* NULL = TRACE_MIRRORS does not hold from here on */
	struct eval_state state;
	uint64_t pc, number;
	uint64_t end;	   /* trace_run_narrow: of the first step that is not walked; 0 = none */
	size_t at;	   /* in the stream */
	size_t given_back; /* of the stream: give_back_record() */
	uint64_t n_async;  /* applied so far */
	unsigned looks;	   /* since the deadline was looked at */
	bool ignores_deadline;
	bool check, ended;
	bool looked, whole;	/* superblock.c: are the general registers and flags all known? */
	GError *broken;		/* set once something in the record makes no sense */
	struct trace_step last; /* where the end was reached */
	struct ir_value *temps;
	uint32_t n_temps;
	GHashTable *names; /* runtime address → name of an untraced function */
	const struct trace_action *actions;
	uint64_t *met; /* by action: how often its instruction was executed */
	size_t n_actions;
	const struct trace_action **acted; /* n_actions; those of the last step, .n_acted */
	size_t n_acted;
	GArray *later; /* struct trace_later */
	struct {
		const struct trace_step *step; /* being executed */
		uint64_t written[2];	       /* TRACE_ADDRESSES: as recorded */
		unsigned n_written;
		bool acted;	 /* an action changed what it did */
		char *complaint; /* the first thing that differs */
	} now;
	struct trace_decoded *decoded; /* DECODED_SLOTS; cursors may share them */
};

/* complete.c: makes path, which is thread number's trace.N in directory, out of what the
 * recorder left beside it.  False with error when it cannot be written. */
bool trace_complete(const char *directory, unsigned number, const char *path, GError **error);

/* The instruction at runtime address pc, NULL when it is not traced. */
const struct trace_decoded *cursor_decode(struct trace_cursor *c, uint64_t pc);

/* Did the recorder leave out the outcome of this conditional branch, which is next? */
static inline bool cursor_infers(const struct trace_cursor *c, const struct trace_insn *insn)
{
	return insn->flags & TRACE_INSN_INFERRED && c->number < c->thread->infers_until;
}

/* Did it leave out where this jump or call goes, which is next? */
static inline bool cursor_infers_target(const struct trace_cursor *c, const struct trace_insn *insn)
{
	return insn->flow != TRACE_FLOW_RET && c->number < c->thread->infers_until;
}

/* Before the next instruction: the mirror becomes the cursor's own, or is not needed any more. */
void cursor_change_mirror(struct trace_cursor *c);

/* Of rflags. */
enum { CURSOR_FLAGS_OSZACP = 0x8d5, CURSOR_BIT_D = 10, CURSOR_BIT_AC = 18, CURSOR_BIT_ID = 21 };
uint64_t cursor_word(const struct trace_cursor *c, unsigned offset);
void cursor_set_word(struct trace_cursor *c, unsigned offset, uint64_t value);
void cursor_set_rflags(struct trace_cursor *c, uint64_t rflags);
uint64_t cursor_rflags_of(const struct eval_state *s);
/* The untraced function to which s, of which .insn, .module and .native are there, goes; NULL: its
 * name is not known. */
const char *cursor_native_name(struct trace_cursor *c, const struct trace_step *s);

/* Takes size bytes of the stream; NULL at its end. */
const uint8_t *cursor_take(struct trace_cursor *c, size_t size);
/* Once in a while: false with error when the run is to be walked no further. */
bool cursor_may_go_on(struct trace_cursor *c, GError **error);
int cursor_fail(struct trace_cursor *c, GError **error, const char *format, ...)
	G_GNUC_PRINTF(3, 4);

/* enter.c: control comes from untraced code, or a signal handler starts. */
bool cursor_enter(struct trace_cursor *c, struct trace_enter *enter, GError **error);
const struct trace_async *cursor_signal(struct trace_cursor *c);

/* check.c: a difference is kept as c->now.complaint. */
void check_complain(struct trace_cursor *c, const char *format, ...) G_GNUC_PRINTF(2, 3);
void check_load(struct trace_cursor *c, uint64_t address, unsigned size);
void check_store(struct trace_cursor *c, uint64_t address, unsigned size);
void check_value(struct trace_cursor *c, const char *what, const void *ours, const void *recorded,
		 size_t size);
void check_set_error(const struct trace_cursor *c, GError **error);

#endif
