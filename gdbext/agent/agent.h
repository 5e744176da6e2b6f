/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the agent's files share.  See README.md for how the parts play together.
 *
 * Nothing that runs while a thread is "inside" (see struct agent_tls) may call
 * libc or touch a vector register: these are the program's.
 */
#ifndef GDBEXT_AGENT_AGENT_H
#define GDBEXT_AGENT_AGENT_H

#include "solver/format/counts.h"
#include "solver/format/trace.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HIDDEN __attribute__((visibility("hidden")))
#define EXPORTED __attribute__((visibility("default")))
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

enum {
	STUB_SIZE = 24,
	STACK_SIZE = 128 << 10,
	SIGNAL_STACK = 64 << 10,
	FP_ROOM = 16 << 10, /* what the kernel saves of vector and floating-point state */
	MAX_PENDING = 8,
	MAX_LATER = 16,
	MOST_OF_ONE = 4096, /* more than one instruction can log */
};

/* ---- modules ---- */

struct agent_segment {
	uint64_t link, size, offset; /* in the file */
	int protection;		     /* as mprotect takes it */
};

struct agent_module {
	const struct trace_plan_module *plan;
	const uint32_t *index;
	const struct trace_insn *insns;
	const uint64_t *entries;
	const struct count_insn *counts; /* NULL: nothing is counted */
	uint64_t file_size;
	const uint8_t *file;	 /* the ELF file as it is on disk: memory has been patched */
	uint64_t bias, lo, size; /* lo: runtime */
	uint64_t near;		 /* next address for code that must be near, see module_map_near */
	uint64_t entry_stubs, thunks; /* STUB_SIZE each, one for an entry, one for an instruction */
	uint32_t first_entry, first_insn; /* numbers over all modules */
	uint32_t n_segments;
	struct agent_segment segments[4];
	/* Parts that hold no code; the pages that the loader makes read-only after it has filled
	 * them come first. */
	uint32_t n_data;
	struct agent_segment data[6];
	uint8_t *taken, *wanted, *returns, *entered; /* a bit for each byte: see patch.c */
};

/* ---- one instruction, made ready for one thread ---- */

enum cell_kind {
	CELL_NEW, /* not ready */
	CELL_RUN, /* plain, nothing to log */
	CELL_READ1,
	CELL_READ2,
	CELL_READ4,
	CELL_READ8,
	CELL_LOAD1, /* .base: the register */
	CELL_LOAD2,
	CELL_LOAD4,
	CELL_LOAD8,
	CELL_COND,
	CELL_JUMP,
	CELL_CALL,
	CELL_RET,
	CELL_BREAKABLE, /* looks first whether a debugger wants to stop there */
	CELL_SLOW,	/* all others */
};

struct cell {
	void (*code)(uint64_t *state);
	struct cell *next, *target; /* NULL = not traced */
	const struct trace_insn *insn;
	uint64_t addr; /* runtime */
	int64_t disp;  /* of the one operand that is read */
	uint8_t kind, base, index, shift;
	uint8_t cond;
	bool turns_back; /* sets the direction flag, perhaps */
	bool calls_kernel;
	bool told;     /* its outcome is recorded */
	uint32_t mark; /* 1 + number in thread.marks, 0 = none */
	uint32_t module;
};
_Static_assert(sizeof(struct cell) == 64, "one cache line");

/* An instruction with actions. */
struct mark {
	uint64_t addr; /* link-time */
	uint64_t count;
	uint32_t module;
	uint32_t next, end; /* in thread.actions, ascending .nth */
	uint32_t ended;	    /* nothing is to be done there any more */
};

/* An action that waits for an untraced call to come back. */
struct later {
	uint64_t rip, rsp; /* when this is where control is */
	const struct trace_action *action;
};

/* What the kernel puts on the stack for a handler; libc's ucontext_t is longer
 * at its end. */
struct kernel_context {
	uint64_t flags, link;
	stack_t stack;
	uint64_t regs[16]; /* in the order of signal.c */
	uint64_t rip, rflags;
	uint16_t cs, gs, fs, ss;
	uint64_t err, trapno, oldmask, cr2;
	uint64_t fp;
	uint64_t reserved[8];
	uint64_t mask;
};
_Static_assert(sizeof(struct kernel_context) == 304, "the kernel's layout");

struct program_action {
	uint64_t handler, flags, mask;
	bool set; /* by the program */
};

struct pending {
	siginfo_t info;
	struct kernel_context context;
	struct program_action action;
};

/* ---- one thread ---- */

/*
 * Lies right behind the page with its struct trace_head, whose .regs, .rflags
 * and .rip are the guest's registers while it is inside.  Code that runs guest
 * instructions gets the address of .rflags ("state").
 */
struct agent_thread {
	uint8_t code[2048];    /* enter, leave, resume: see emit.c */
	uint64_t host_rsp;     /* where the agent's stack starts */
	uint64_t host_rsp_now; /* while a guest instruction runs */
	uint64_t leave_jump;   /* address of leave's last instruction */
	uint64_t target;       /* where leave goes */
	uint64_t now[17];      /* registers on entering, as struct trace_head has them */
	uint8_t xmm[8][16];
	uint8_t xmm_left[2][16]; /* xmm0 and xmm1 when control left */
	uint8_t vector[32 * 64]; /* vector outputs of one instruction */

	uint32_t number;
	uint32_t owner; /* tid of the thread that has it */
	bool recording, addresses;
	bool elides; /* does not record what has TRACE_MEM_KNOWN */
	bool infers; /* nor outcomes with TRACE_INSN_INFERRED, nor targets that are computed */
	bool started;
	bool used;     /* by a living thread */
	bool backward; /* the guest may have its direction flag set */
	volatile bool leaving;
	volatile bool delivering;
	uint64_t stop; /* instruction count at which the run ends, or recording begins */
	uint64_t from; /* at which it begins, and executions for actions are counted */

	/* The stream: .at is where the next byte goes, .base + length = address. */
	uint8_t *at, *limit;
	uint8_t nowhere[MOST_OF_ONE]; /* .at stays here while nothing is recorded */
	uint64_t base;
	uint64_t window; /* 0 = nothing is mapped */
	uint8_t *mirror; /* NULL = it was never needed */
	bool mirrors;	 /* it is used */
	uint8_t *miss;	 /* where the number of the next miss goes: in the stream or in
			  * struct trace_missed; NULL = the stream has not begun */
	uint64_t missed; /* from which instruction on it is counted */
	uint64_t max_bytes;
	uint64_t part_insns, part_bytes; /* as long as a part of the stream may be, 0 = one part */

	struct cell *cells[TRACE_MAX_MODULES];
	uint8_t *slots[TRACE_MAX_MODULES], *slots_at[TRACE_MAX_MODULES];
	uint64_t slots_size[TRACE_MAX_MODULES];

	/* What it counts in, near each module. */
	struct counts_section *section;
	uint64_t *counters[TRACE_MAX_MODULES];
	uint32_t section_pid; /* of the process that has it */
	uint64_t repeating;   /* the instruction, of which an iteration is done */
	/* A debugger stopped it here and let it go on: the same place once more is not
	 * the program's doing. */
	uint64_t broke_rip, broke_rsp;
	bool passes; /* this instruction is executed whatever stands there */

	bool jit;	 /* the engine */
	bool mark_ended; /* the cache still leaves it at an instruction that has no more actions */
	struct jit_region *regions[TRACE_MAX_MODULES];

	struct mark *marks;
	uint32_t *actions; /* numbers in the plan */
	uint32_t n_marks;
	uint32_t n_later;
	struct later later[MAX_LATER];

	/* Signals that wait for the next boundary between instructions. */
	volatile bool alert;
	volatile uint32_t n_pending;
	struct pending pending[MAX_PENDING];
	uint64_t program_mask;		  /* while signals wait: the mask as the program has it */
	uint64_t resume_rip, resume_mask; /* what the frame says that rt_sigreturn restores */
	bool async_waits;		  /* an untraced handler runs on top of traced code */
	struct trace_async async;
	uint64_t regs_before[17]; /* that handler */
	uint32_t fp_size;	  /* of the copy below; the size of the kernel's frame */
	uint64_t fp_features;	  /* the parts of the state that it has, as bits of XCR0 */
	_Alignas(64) uint8_t fp[FP_ROOM];
	_Alignas(64) uint8_t fp_initial[FP_ROOM];

	_Alignas(64) uint8_t signal_stack[SIGNAL_STACK];
	_Alignas(4096) uint8_t guard[4096];
	uint8_t stack[STACK_SIZE];
};

/* Reached through the thread pointer by stubs; .inside is not 0 while the
 * agent has control, and says how it got it (enum agent_inside). */
struct agent_tls {
	uint32_t inside;
	uint32_t announced; /* 1 + its number; 0 = it gets one when it runs traced code */
	void (*common)(void);
	struct agent_thread *thread;
	uint64_t hidden; /* see signal_mask_shown */
};

enum agent_inside {
	INSIDE_NOT = 0,
	INSIDE_RESUME,		 /* from a signal handler that had interrupted traced code */
	INSIDE_SIGRETURN,	 /* an untraced handler that the agent started returned */
	INSIDE_RESTART,		 /* redirected by a signal */
	INSIDE_FIRST = 16,	 /* + number of the instruction: an untraced call came back there */
	INSIDE_ENTRY = 1u << 31, /* | number of the entry: a traced function was called */
};

extern HIDDEN __thread struct agent_tls agent_tls __attribute__((tls_model("initial-exec")));

/* ---- the process ---- */

/* What is asked of this process: by the plan or, where it was forked for a request, by that. */
struct agent_request {
	const struct trace_action *actions;
	uint32_t n_actions, flags; /* TRACE_RECORD */
	uint64_t max_insns, cpu_us;
};

/* The plan's .output_file while the program has it open. */
struct agent_output_file {
	bool open, appends;
	int fd;
	uint64_t device, inode;
	const void *last; /* the stream that was opened last, when it was looked for the file */
};

struct agent {
	const struct trace_plan *plan; /* NULL = inert */
	struct agent_request asked;
	uint32_t n_modules;
	uint32_t n_threads; /* atomic: next number */
	bool child;	    /* a fork of the recorded process, or nothing is recorded at all */
	bool counting;
	int32_t tp_inside, tp_common; /* from the thread pointer */
	bool has_avx;
	bool jit;
	uint8_t jit_log, jit_scratch; /* registers */
	uint64_t sigreturn_stub;
	uint64_t restorer; /* libc's */
	uint64_t far;	   /* next address for mappings of the agent */
	uint32_t lock;
	uint64_t written[2]; /* see struct trace_output */
	struct agent_output_file output_file;
	uint32_t handed; /* bits 1 << enum trace_handed: open and not taken yet */
	int handed_at;	 /* where TRACE_HANDED_PLAN would be */
	uint32_t taking; /* held while a thread takes its block, which takes .lock */
	struct agent_thread *threads[4096];
	struct agent_module modules[TRACE_MAX_MODULES];
};
extern HIDDEN struct agent agent;

/* A thread's struct trace_head, and behind it its struct agent_thread, is at a
 * multiple of BLOCK_STEP from BLOCKS_START. */
#define BLOCKS_START 0x1f0000000000u
#define BLOCK_STEP (1ull << 20)
#define MAX_THREADS (sizeof agent.threads / sizeof *agent.threads)

HIDDEN void agent_lock(void);
HIDDEN void agent_unlock(void);

static inline struct trace_head *head_of(struct agent_thread *t)
{
	return (struct trace_head *)((uint8_t *)t - TRACE_STREAM_OFFSET);
}

static inline struct trace_missed *missed_of(struct agent_thread *t)
{
	return (struct trace_missed *)((uint8_t *)head_of(t) + TRACE_MISSED_OFFSET);
}

static inline const void *in_plan(uint64_t offset)
{
	return offset ? (const uint8_t *)agent.plan + offset : NULL;
}

/* process/follow.c */
HIDDEN void follow_start(void);
HIDDEN pid_t follow_real_fork(void);
/* start.c: in the plan, the number-th child of the program (from 1), and how a child ended. */
HIDDEN void agent_note_fork(uint32_t number, int32_t pid);
HIDDEN void agent_note_end(int32_t pid, int32_t status);

/* handed.c: descriptors that the process was started with.  All of them are closed before any of
 * the program's own code runs that is not a .preinit_array or a resolver of the loader's. */
HIDDEN void handed_begin(const struct trace_plan *plan);
/* A descriptor for the caller to close, or -1: then it opens the file itself. */
HIDDEN int handed_take(enum trace_handed what);
HIDDEN void handed_end(void);

/* module.c */
/* Anonymous memory (or fd) at an address that is the same in every run and far
 * from the program's; NULL when there is none. */
HIDDEN void *far_map(uint64_t size, int protection, int fd);
HIDDEN bool modules_find(void);
HIDDEN struct agent_module *module_at(uint64_t addr);
/* Executable memory from which the module is in reach of rel32. */
HIDDEN uint8_t *module_map_near(struct agent_module *m, uint64_t size);
/* Does the file have a section of that name? */
HIDDEN bool module_has_section(const struct agent_module *m, const char *name);
/* Bytes of the instruction as they are in the file. */
HIDDEN const uint8_t *module_bytes(const struct agent_module *m, const struct trace_insn *insn);
/* 1 + number of the instruction at runtime address addr, 0 = not traced. */
static inline uint32_t module_insn(const struct agent_module *m, uint64_t addr)
{
	return addr - m->lo < m->size ? m->index[addr - m->lo] : 0;
}

/* The return address that stands for a traced address and brings control back to the agent; and
 * the reverse.  0 = there is none, or none is needed. */
HIDDEN uint64_t thunk_for(uint64_t addr);
HIDDEN uint64_t thunk_meaning(uint64_t addr);

/* patch.c: jumps to stubs at the entries of traced functions, to thunks behind calls. */
HIDDEN bool modules_patch(void);
/* Is any byte of traced code another than in the file, although we did not change it? */
HIDDEN bool modules_are_changed(void);
/* Is there one at this address in the module? */
HIDDEN bool comes_back_by_itself(const struct agent_module *m, uint64_t addr);
/* Control that goes there comes back, and with TRACE_BREAKPOINTS it goes there when
 * a debugger has planted something. */
HIDDEN bool is_breakable(const struct agent_module *m, const struct trace_insn *insn);
static inline bool is_planted_at(uint64_t addr)
{
	enum { INT3 = 0xcc };

	return *(const volatile uint8_t *)addr == INT3;
}
/* The stub of a traced function, 0 = not one. */
HIDDEN uint64_t entry_stub(uint64_t addr);

/* jit/describe.c */
HIDDEN void agent_describe(void);

/* jit/emit.c */
/* What is where in agent_thread.code. */
enum { AT_ENTER = 0, AT_RESTART = 512, AT_RESUME = 640, AT_LEAVE = 1024 };
HIDDEN void emit_stub(uint8_t *at, uint32_t inside);
HIDDEN void emit_thread(struct agent_thread *t);
/* All is ready, registers are being loaded. */
HIDDEN bool emitted_is_leaving(const struct agent_thread *t, uint64_t rip);
HIDDEN uint64_t emitted_resume(const struct agent_thread *t); /* rt_sigreturn comes here */
HIDDEN uint64_t emitted_restart(const struct agent_thread *t);
/* Makes c->code; false when there is no room (all cells have been forgotten). */
HIDDEN bool emit_slot(struct agent_thread *t, struct cell *c);

/* process/thread.c */
HIDDEN void agent_first_entry(void); /* in first.S */
HIDDEN struct agent_thread *thread_new(void);
/* The number of a thread that will start, and its record, which is empty until
 * it runs traced code. */
HIDDEN uint32_t thread_announce(void);
HIDDEN void threads_end(uint32_t end);

/* stream.c */
/* fresh: nobody has announced it. */
HIDDEN bool stream_open(struct agent_thread *t, bool fresh);
/* Makes a record without a stream, which can be read from then on. */
HIDDEN bool stream_announce(const struct trace_head *head);
/* Makes room for one instruction; stops recording when there is none. */
HIDDEN void stream_grow(struct agent_thread *t);
/* Begins the recording that was put off; to be called between two instructions. */
HIDDEN void stream_begin(struct agent_thread *t);
/* With a window: has the present part as many instructions as were asked for? */
static inline bool stream_part_is_full(struct agent_thread *t)
{
	const struct trace_head *head = head_of(t);

	return t->part_insns && t->recording &&
	       head->insns - head->parts[head->part & 1].insns >= t->part_insns;
}
/* Between two instructions, after stream_grow: with a window, begins a new part of
 * the stream when the present one is long enough. */
HIDDEN void stream_next_part(struct agent_thread *t);
HIDDEN void stream_stop(struct agent_thread *t, uint32_t end);
/* Tells the stream that this is the child of a fork: nothing is written any more. */
HIDDEN void stream_fork(struct agent_thread *t);
HIDDEN void stream_async(struct agent_thread *t, const struct trace_async *a);
HIDDEN void stream_output(struct agent_thread *t, const struct trace_output *o);
/* From the next instruction on all loads are recorded. */
HIDDEN void stream_record_all(struct agent_thread *t);

/* Is this operand's value recorded? */
static inline bool is_logged(const struct agent_thread *t, const struct trace_mem *m)
{
	return m->flags & TRACE_MEM_READ && !(t->elides && m->flags & TRACE_MEM_KNOWN);
}
/* Is a conditional branch's outcome recorded? */
static inline bool is_outcome_logged(const struct agent_thread *t, const struct trace_insn *insn)
{
	return t->recording && !(t->infers && insn->flags & TRACE_INSN_INFERRED);
}
/* Is it recorded where a computed jump, a call or a return goes? */
static inline bool is_target_logged(const struct agent_thread *t, const struct trace_insn *insn)
{
	return t->recording && !(t->infers && insn->flow != TRACE_FLOW_RET);
}
/* Is it a load whose recorded value can be taken from the register that it goes to,
 * when it has been executed?  Then what another thread stores in between does no harm. */
static inline bool is_load(const struct agent_thread *t, const struct trace_insn *insn)
{
	return insn->load_reg != TRACE_REG_NONE && insn->flags & TRACE_INSN_PLAIN &&
	       insn->n_mem == 1 && insn->mem[0].size <= 8 && is_logged(t, &insn->mem[0]);
}

/* Is the operand compared with the mirror, or does it go there? */
static inline bool is_mirrored(const struct agent_thread *t, const struct trace_mem *m)
{
	return t->mirrors && t->recording && m->flags & TRACE_MEM_MIRRORED &&
	       (m->flags & TRACE_MEM_WRITE || is_logged(t, m));
}

/* jit/mirror.c */
/* Makes room for it; false when there is none. */
HIDDEN bool mirror_map(struct agent_thread *t);
/* A stream begins, behind its struct trace_enter.  Nothing without a mirror. */
HIDDEN void mirror_begin(struct agent_thread *t);
/* The instruction has stored, or loaded, so many bytes (4 or 8).  What the stream needs goes to
 * at; where it ends then. */
HIDDEN void mirror_store(struct agent_thread *t, uint64_t address, const void *value,
			 unsigned size);
HIDDEN uint8_t *mirror_load(struct agent_thread *t, uint64_t address, const void *value,
			    unsigned size, uint8_t *at);
/* What stands in the window was flushed; the window is to be used anew. */
HIDDEN void mirror_flushed(struct agent_thread *t);

/* True when the file can take the bytes [from, to), and has room for them. */
HIDDEN bool file_reserve(int fd, uint64_t from, uint64_t to);

/* output.c */
/* Between two instructions: notes how much has been written, when it is more than before.
 * native: untraced code comes back. */
HIDDEN void output_note(struct agent_thread *t, bool native);
/* The program is ended here: what is in stdio's buffers, which counts as written, is written. */
HIDDEN void output_write_rest(void);

/* count.c: the profile (counts.h).  All but the first two are for a thread that
 * counts. */
/* file: what the environment says. */
HIDDEN bool counts_start(const char *file);
/* A section for the thread, unless it has one of this process. */
HIDDEN bool counts_open(struct agent_thread *t);
HIDDEN void count_start(struct agent_thread *t, const struct cell *c);
HIDDEN void count_outcome(struct agent_thread *t, const struct cell *c, bool taken);
HIDDEN void count_jump(struct agent_thread *t, const struct cell *c, uint64_t to);
/* Where a computed jump's target is counted; numbers as in struct count_edge. */
HIDDEN uint64_t *count_edge_of(struct agent_thread *t, uint32_t module, uint32_t from, uint32_t to);
/* The instruction at head.rip did not complete.  again: it will be started once more
 * although it has been counted. */
HIDDEN void count_fault(struct agent_thread *t, bool again);
/* A handler came back to it. */
HIDDEN void count_retry(struct agent_thread *t);

/* cell.c */
HIDDEN struct cell *cell_at(struct agent_thread *t, uint64_t addr);
HIDDEN bool cell_prepare(struct agent_thread *t, struct cell *c);
HIDDEN void cells_forget(struct agent_thread *t);

/* jit/jit.c */
HIDDEN void jit_start(void);
HIDDEN void jit_forget(struct agent_thread *t);
/* Runs the guest from head.rip, traced; comes back when run() has to look at what
 * is next.  False when the rest is to be stepped. */
HIDDEN bool jit_run(struct agent_thread *t);
/* Control is to leave the cache soon. */
HIDDEN void jit_alert(struct agent_thread *t);
/* A fault: when it was in the cache, makes struct trace_head say where the guest
 * stands, and the frame's vector registers the guest's. */
HIDDEN bool jit_fault(struct agent_thread *t, struct kernel_context *context);

/* run.c: runs the guest from head.rip; comes back when control is to leave. */
HIDDEN void run(struct agent_thread *t);

/* step.c: one instruction, by all the rules.  The next one; NULL when run()
 * has to look at what is next (head.rip says where). */
HIDDEN struct cell *step(struct agent_thread *t, struct cell *c);
/* The same for what may not be ready. */
HIDDEN void step_at(struct agent_thread *t, struct cell *c);
HIDDEN bool branch_is_taken(unsigned cond, uint64_t *regs);

/* entry.c */
HIDDEN void agent_enter(struct agent_thread *t); /* called from t->code */
HIDDEN void agent_restart(struct agent_thread *t);
enum { ALL_GPR = (1 << 17) - 1, ALL_XMM = 0xff << TRACE_XMM0 };
HIDDEN void log_enter(struct agent_thread *t, unsigned why, uint32_t mask);
/* Control goes to untraced code at head.rip; with a signal waiting it may turn
 * out to go to a traced handler first (head.native). */
HIDDEN void go_native(struct agent_thread *t);
/* Control goes to head.rip, which is traced, because is_planted_at() it. */
HIDDEN void go_break(struct agent_thread *t);

/* process/unwind.c: how dlsym, which looks at where it was called from, is to be called
 * from there: .function, and from .return_place on (an address where a return stands)
 * unless that is 0. */
struct dlsym_way {
	uint64_t function, return_place;
};
HIDDEN struct dlsym_way dlsym_way(void *handle, uint64_t back); /* called from dlsym.S */

/* actions.c */
HIDDEN bool marks_make(struct agent_thread *t);
HIDDEN uint32_t mark_of(struct agent_thread *t, unsigned module, uint64_t link);
/* The action of this kind at the execution that comes; NULL = none. */
HIDDEN const struct trace_action *mark_action(struct agent_thread *t, uint32_t mark, uint32_t kind);
/* The marked execution is over; sp_before: the stack pointer before it.  Carries out what is to
 * be done after it. */
HIDDEN void mark_done(struct agent_thread *t, const struct cell *c, uint64_t sp_before);
HIDDEN void apply_later_actions(struct agent_thread *t);

/* process/process.c */
HIDDEN bool process_start(void);

/* process/signal.c */
/* Starts the handler of the signal that waits: head.rip, .native and the
 * registers are those at its start. */
HIDDEN void signal_deliver(struct agent_thread *t);
/* A handler that signal_deliver started returned: rsp is at its frame. */
HIDDEN __attribute__((noreturn)) void signal_return(struct agent_thread *t);
/* Control is back where the signal had hit: head.rip and the registers. */
HIDDEN void signal_resumed(struct agent_thread *t);
/* The kernel is about to restore the frame at sp by itself. */
HIDDEN void signal_check_return(uint64_t sp);
/* kernel_context.regs in terms of enum trace_reg */
extern HIDDEN const uint8_t signal_order[16];
/* Signals of faults, as a mask, that the engine has to see even if the program
 * does not handle them. */
HIDDEN uint64_t signals_seen(void);
/* These are never blocked.  The program's mask in terms of the kernel's, and the
 * reverse: what the program believes blocked is kept in agent_tls.hidden, and is
 * void when the kernel's mask was changed behind our back (by siglongjmp), which
 * shows from a signal that is blocked in their stead. */
HIDDEN uint64_t signal_mask_hide(uint64_t mask);
HIDDEN uint64_t signal_mask_shown(uint64_t mask);
/* Installs a handler for the signals that the engine has to see, and gives it a stack for the
 * case that the program's own has overflown. */
HIDDEN void signals_start(void);
HIDDEN void signal_stack_set(struct agent_thread *t);
HIDDEN void agent_handler(int signo, siginfo_t *info, void *context);

/* process/signal-api.c */
/* What the program believes to be in force; .handler 0 = default, 1 = ignored. */
HIDDEN struct program_action program_action(int signo);

/* start.c */
/* The program has made traced code writable. */
HIDDEN void agent_note_code(enum trace_own_code what);
/* The recorder cannot go on, and the program not without it: it ends, and the plan says why. */
HIDDEN __attribute__((noreturn)) void agent_give_up(enum trace_gave_up why, const char *what);

/* patched-code.c */
/* Does the plan's changes of code, and starts its clock.  With TRACE_SERVE it returns in the
 * children only, with the change that each was asked for. */
HIDDEN bool code_edit(void);
/* Without TRACE_NATIVE, changes the code that is executed in the program's place.  The modules
 * were found before. */
HIDDEN bool code_edit_recorded(void);

/* process/serve.c */
/* TRACE_SERVE: forks a child for each request.  Returns in the children, with agent.asked as it
 * was requested; false = something failed.  The process itself ends in here. */
HIDDEN bool serve(void);
/* Serves between two instructions of the only thread, from where it stands.  Each child has a
 * record of its own, and goes on with its actions. */
HIDDEN void serve_from_here(struct agent_thread *t);

/* vector.c */
HIDDEN void xmm_store(uint8_t (*to)[16]);	  /* xmm0 to xmm7 */
HIDDEN void xmm_store_results(uint8_t (*to)[16]); /* xmm0 and xmm1 */
HIDDEN void xmm_load(const uint8_t (*from)[16]);
/* The size low bytes of a vector register := value; the rest is kept. */
HIDDEN void vector_patch(unsigned reg, unsigned size, const uint8_t *value);
HIDDEN void vector_start(void);

#endif
