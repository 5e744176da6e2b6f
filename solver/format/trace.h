/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The record of a run and the plan for one: the two files that the agent
 * (inside the program) and the rest of gdb-why share.  Fixed-layout,
 * little-endian, x86-64 only; this header needs <stdint.h> and nothing else.
 *
 * THE PLAN is written before the program starts and mapped by the agent.  It
 * says which instructions are traced (decoded beforehand: the agent has no
 * decoder of its own), where to write the record, what to change on the way
 * (actions) and what the run may not do (limits, cage).
 *
 * THE RECORD has one file "trace.N" for each thread that ran traced code.  N is 0 for the main
 * thread; the others are numbered in the order of their creation, or, where libc does not start
 * them, of their first traced instruction.  A thread that ran no traced code has an empty stream.
 * The file is a page with struct trace_head and struct trace_start, then the stream.  The stream
 * holds what cannot be re-computed from the instructions themselves, in program order.  As long as
 * a file "tail.N" exists, the stream's last bytes, from .flushed on, stand at the start of that
 * file and not yet in trace.N (trace_run_open completes the record).
 *
 * With struct trace_plan .window only the last part of a long run is kept.  The stream is then in
 * parts, which lie in the files "even.N" and "odd.N" by turns, and only the last two parts are
 * there; trace_run_open makes one stream of them.  A part but the very first begins with a
 * struct trace_enter of kind TRACE_WHY_START that nothing entered: the registers as they are
 * between two instructions.  Two parts hold more than was asked for; a reader starts where that
 * begins.  Such a record knows nothing of memory at its start, so nothing is
 * elided in it.
 *
 * For each instruction executed, in this order, nothing else and unaligned:
 *
 *   1. for each memory operand that is read (struct trace_insn .mem order) and
 *      is not elided: [8 bytes address, only with TRACE_ADDRESSES] then its
 *      .size bytes, as they were before the instruction.  `ret` has no memory
 *      operand here.  Elided is, without TRACE_ADDRESSES, an operand with
 *      TRACE_MEM_KNOWN of one of the first .known_until instructions.  With TRACE_MIRRORS an
 *      operand with TRACE_MEM_MIRRORED is there only when the mirror has something else (below).
 *   2. with TRACE_ADDRESSES: 8 bytes address of each operand that is written.
 *   3. TRACE_FLOW_COND: one byte, 1 = taken, 0 = not taken.  With TRACE_INFERS, one with
 *      TRACE_INSN_INFERRED has none.
 *      TRACE_FLOW_JUMP_IND, _CALL_IND, _RET: 8 bytes, the runtime address
 *      that control went to (for `ret` always the address in the program,
 *      whatever stood on the stack to bring control back to the agent).
 *      With TRACE_INFERS, only `ret` has them.
 *   4. not TRACE_INSN_PLAIN: its register outputs as they are afterwards: each
 *      general register of .out_gpr in ascending order (8 bytes), rflags if
 *      .out_flags (8 bytes), each vector register of .out_vec in ascending
 *      order (.vec_size bytes).
 *   5. if control went to code that is not traced: when it comes back, a
 *      struct trace_enter and its values.  If the stream ends there, it never
 *      came back.
 *
 * THE MIRROR, with TRACE_MIRRORS, is what recorder and reader both keep of the memory that the
 * thread has used, so that most loads need not be recorded: TRACE_MIRROR_SIZE bytes, all 0 at
 * first, of which the byte at a modulo that size stands for each address a.
 * An operand that is read, has TRACE_MEM_MIRRORED and is not elided is compared with the bytes
 * that stand for it (those beyond the mirror's end are 0 at first, too).  When they are the same,
 * the stream has nothing.  Else it has TRACE_MISS_SIZE bytes and the value: the former say how
 * many instructions later this happens the next time, counted from the instruction at hand; all
 * bits set = not in this stream.  The first such number, counted from where the stream begins,
 * stands behind the struct trace_enter with which the stream begins.  What was read then is what
 * the mirror has; so is what an operand that is written and has TRACE_MEM_MIRRORED was given.
 * A number that was not known yet when it was flushed stands in struct trace_missed until the next
 * time something is.  A stream in parts has no mirror.
 *
 * A repeated string instruction (`rep movsb`) is executed iteration by
 * iteration.  Each iteration is an instruction of its own to this format.  When
 * the count is zero, at the start or at the end, one more instruction is
 * counted, which reads and writes nothing and only moves on.  For `repe`/`repne`
 * the iteration in which the flag ends the loop moves on by itself.
 *
 * Signals and other things that happen between two instructions stand in
 * "async.N", an array of struct trace_async in order: "when .insns instructions
 * were completed and control was about to execute the one at .rip".  The stream
 * was .offset bytes long then, but that alone does not say when: what loops
 * without a load or a conditional branch adds nothing to it.
 *
 * With TRACE_OUTPUT "output.N" is an array of struct trace_output in order: each time that untraced
 * code comes back, or traced code leaves, and more had been written since the last one.
 *
 * Worked example.  main is entered, then
 *     mov  -4(%rbp),%eax    stream: 07 00 00 00          (4 bytes loaded; nothing
 *                                   if main has stored them and called nothing since)
 *     cmp  $5,%eax          stream: -
 *     jle  1f               stream: 00                   (not taken; nothing where it is
 *                                   inferred from eax)
 *     call puts@plt         stream: 45 01 .. (struct trace_enter, RETURN,
 *                                   mask = the registers puts changed, rip =
 *                                   the instruction after the call, values)
 *     ret                   stream: 8 bytes, where main's caller goes on;
 *                           not traced, so the stream ends here or goes on
 *                           with a trace_enter when main's module is entered
 *                           again (an atexit handler, say).
 */
#ifndef SOLVER_FORMAT_TRACE_H
#define SOLVER_FORMAT_TRACE_H

#include <stdint.h>

#define TRACE_VERSION 8
#define TRACE_OLDEST_VERSION 7 /* of the records that are still read */
#define TRACE_PLAN_MAGIC "gwplan2"
#define TRACE_HEAD_MAGIC "gwtrce1"
/* The plan's absolute path.  Before it may stand a number of TRACE_PLAN_DIGITS digits: the plan is
 * open there, TRACE_HANDED_PLAN; 0 = it is not. */
#define TRACE_PLAN_ENV "GDB_WHY_PLAN"
enum { TRACE_PLAN_DIGITS = 5 };
#define TRACE_STREAM_OFFSET 4096
#define TRACE_MAX_MODULES 16

/* General registers are numbered as the hardware does: rax rcx rdx rbx rsp
 * rbp rsi rdi r8 … r15.  (DWARF's and VEX's numbers differ.) */
enum trace_reg {
	TRACE_RAX,
	TRACE_RCX,
	TRACE_RDX,
	TRACE_RBX,
	TRACE_RSP,
	TRACE_RBP,
	TRACE_RSI,
	TRACE_RDI,
	TRACE_R8,
	TRACE_R9,
	TRACE_R10,
	TRACE_R11,
	TRACE_R12,
	TRACE_R13,
	TRACE_R14,
	TRACE_R15,
	TRACE_RFLAGS,
	TRACE_XMM0, /* … TRACE_XMM0 + 15 */
	TRACE_REG_IMMEDIATE = 254,
	TRACE_REG_NONE = 255,
};

/* ---- decoded instructions (in the plan; made by solver/isa/insn.c) ---- */

enum trace_flow {
	TRACE_FLOW_NONE,     /* goes on with the next instruction */
	TRACE_FLOW_COND,     /* jcc, jrcxz, loop… : .cond, .target */
	TRACE_FLOW_JUMP,     /* .target */
	TRACE_FLOW_JUMP_IND, /* through .mem[0] (read) or register .flow_reg */
	TRACE_FLOW_CALL,     /* .target */
	TRACE_FLOW_CALL_IND, /* as JUMP_IND */
	TRACE_FLOW_RET,	     /* pops 8 + .ret_pop bytes */
};

/* .cond: 0 to 15 are the condition codes of jcc (o no b ae e ne be a s ns p
 * np l ge le g), then: */
enum {
	TRACE_COND_RCXZ = 16,
	TRACE_COND_ECXZ,
	TRACE_COND_LOOP,
	TRACE_COND_LOOPE,
	TRACE_COND_LOOPNE
};

enum trace_rep { TRACE_REP_NONE, TRACE_REP, TRACE_REPE, TRACE_REPNE };

enum {
	TRACE_MEM_READ = 1,
	TRACE_MEM_WRITE = 2,
	TRACE_MEM_RIP = 4,    /* .disp is a link-time address: add the module's bias */
	TRACE_MEM_ADDR32 = 8, /* effective address is cut to 32 bits */
	/* A read one, of which the re-computation has all bytes: traced code of this
	 * thread has read or written them since untraced code ran last.  Found by
	 * solver/image/known, whose rule is part of TRACE_VERSION. */
	TRACE_MEM_KNOWN = 16,
	/* The mirror has it: a plain instruction's only operand, of 4 or 8 bytes, which is either
	 * read, where flags need not be kept, or written, from .store_reg.  Also found by
	 * solver/image/known. */
	TRACE_MEM_MIRRORED = 32,
};

struct trace_mem {
	int64_t disp;
	uint8_t base, index; /* enum trace_reg or TRACE_REG_NONE */
	uint8_t scale;	     /* 1, 2, 4, 8 */
	uint8_t seg;	     /* 0, or 1 = fs, 2 = gs: its base is added */
	uint8_t size;	     /* bytes, 1 to 64 */
	uint8_t flags;	     /* TRACE_MEM_… */
	uint16_t pad;
};

enum {
	/* Only general registers, flags and memory are involved and every
	 * output can be re-computed from the inputs: nothing but loads and
	 * flow is logged.  All others (vector, x87, cpuid, locked, …) log
	 * their register outputs. */
	TRACE_INSN_PLAIN = 1,
	/* May be executed only at its own address or not at all by us
	 * (far transfers, xbegin, …): the run ends with TRACE_END_UNSUPPORTED. */
	TRACE_INSN_UNSUPPORTED = 2,
	/* A copy of it does the same anywhere (its transfer and what it addresses
	 * relative to itself apart): it does not enter the kernel by itself, does not set
	 * the direction flag, and leaves vector register 15 alone. */
	TRACE_INSN_COPY = 4,
	/* A row of the line table starts here that debuggers stop at. */
	TRACE_INSN_ROW = 8,
	/* A TRACE_FLOW_COND whose outcome follows from what the re-computation has: straight code
	 * before it sets the flags that it tests, and the manual says to what.  Found by
	 * solver/image/known, whose rule is part of TRACE_VERSION. */
	TRACE_INSN_INFERRED = 16,
	/* What runs from this instruction on does not depend on the arithmetic flags before it. */
	TRACE_INSN_FLAGS_DEAD = 32,
};

/* .use_flags.  TESTED: the outcome depends on the flags before.  READ: it does, or some of the
 * arithmetic flags may keep their value. */
enum { TRACE_FLAGS_READ = 1, TRACE_FLAGS_WRITTEN = 2, TRACE_FLAGS_TESTED = 4 };

/* .sure_flags: those that a conditional branch may test. */
enum { TRACE_SURE_C = 1, TRACE_SURE_P = 2, TRACE_SURE_Z = 4, TRACE_SURE_S = 8, TRACE_SURE_O = 16 };

struct trace_insn {
	uint64_t addr;	 /* link-time address in its module */
	uint64_t target; /* link-time, direct transfers */
	struct trace_mem mem[2];
	uint32_t out_vec;
	uint16_t out_gpr;
	uint16_t ret_pop;
	uint8_t length, flow, cond, rep;
	uint8_t flags, n_mem, out_flags, vec_size;
	uint8_t flow_reg;	 /* JUMP_IND, CALL_IND through a register, else NONE */
	uint8_t rip_disp_offset; /* where a rip-relative disp32 stands in the bytes, 0 = none */
	uint16_t use_gpr;   /* every general register that is read, written or part of an address */
	uint8_t use_flags;  /* TRACE_FLAGS_… */
	uint8_t load_reg;   /* the low bytes of this general register are afterwards what
			     * the one operand that is read was, else NONE */
	uint8_t sure_flags; /* TRACE_SURE_…: flags that it always sets, to what the re-computation
			     * has, too */
	uint8_t store_reg; /* the general register whose low bytes are stored, TRACE_REG_IMMEDIATE =
			    * the sign-extended last four bytes of the instruction are, else NONE */
};
_Static_assert(sizeof(struct trace_insn) == 72, "layout");

/* ---- the plan ---- */

enum {
	TRACE_RECORD = 1,    /* write the record (else only act and count) */
	TRACE_ADDRESSES = 2, /* log addresses too, for --check */
	TRACE_OUTPUT = 4,    /* note how much was written to standard output and error */
	TRACE_JIT = 8,	     /* with the engine TRACE_ENGINE_JIT */
	TRACE_COUNT = 16,    /* instead of a record, a profile: counts.h */
	/* What a debugger plants at a row, a function's entry or behind a call is
	 * executed there, with the program's registers; the rest of the row is not. */
	TRACE_BREAKPOINTS = 32,
	/* The program's own code is executed, and nothing is recorded. */
	TRACE_NATIVE = 64,
	/* The process does not go on from a certain point: with TRACE_NATIVE from where it comes
	 * to its main, else from .from_thread's instruction number .from.  There it writes a
	 * struct trace_served to the pipe "answer" of .directory.  Then, for each struct
	 * trace_request in the pipe "ask", it forks a child that goes on with these actions more,
	 * and answers how the child ended, until "ask" ends. */
	TRACE_SERVE = 128,
	/* SIGSEGV, SIGBUS, SIGFPE and SIGILL end the process where they come, although the
	 * program has handlers for them. */
	TRACE_FAULTS_END = 256,
	/* Children are not made: fork returns the number of a process that does not exist, and
	 * that ends as .forks says. */
	TRACE_NO_CHILDREN = 512,
	/* In struct trace_head only, as the recorder decides: */
	TRACE_INFERS = 1024,  /* outcomes of branches with TRACE_INSN_INFERRED are not recorded, nor
			       * targets that are in a register or an operand */
	TRACE_MIRRORS = 2048, /* there is a mirror */
};

/* Why the recorder ended the program: no exit status of the program's own says that. */
enum trace_gave_up {
	TRACE_GAVE_UP_NOT,
	TRACE_GAVE_UP_FILES,   /* its standard files cannot be opened */
	TRACE_GAVE_UP_MAPPING, /* its code cannot be mapped once more */
	TRACE_GAVE_UP_RECORD,  /* no record can be made: the disk, or a limit */
	TRACE_GAVE_UP_CODE,    /* its code may not be changed */
	TRACE_GAVE_UP_THREAD,  /* a thread cannot be recorded: memory, or the disk */
	TRACE_GAVE_UP_PROFILE, /* there is no file to count in */
	TRACE_GAVE_UP_INSIDE,  /* memory for code, an unwinder … is missing */
};

/* What the program did to its own traced code.  Recorded runs execute that code as it is in the
 * file, so what the program writes there is not executed. */
enum trace_own_code {
	TRACE_OWN_CODE_KEPT,
	TRACE_OWN_CODE_WRITABLE, /* some is writable from the start */
	TRACE_OWN_CODE_OPENED,	 /* made it writable */
	TRACE_OWN_CODE_CHANGED,	 /* at the end it was another */
};

/* What all runs of a question share is a file of its own, .base, which stands TRACE_PLAN_BASE
 * bytes behind the plan's start.  Offsets are from the start of the plan file and may lead
 * into either; arrays are 16-aligned; strings end in NUL; offset 0 = absent. */
#define TRACE_PLAN_BASE (16u << 20)

enum { TRACE_MAX_FORKS = 64 };

/* Files that a process may find open when it starts, so that it need not open them: in this order,
 * some or all, at descriptors that follow each other. */
enum trace_handed {
	TRACE_HANDED_PLAN,    /* the plan itself, to be read and written */
	TRACE_HANDED_BASE,    /* .base */
	TRACE_HANDED_PROGRAM, /* .program, to be read */
	TRACE_HANDED_TRACE,   /* trace.0, empty */
	TRACE_HANDED_TAIL,    /* tail.0, empty */
	TRACE_MOST_HANDED,
};

/* A child that the program made. */
struct trace_fork {
	int32_t pid;
	int32_t status; /* as wait tells it; 0 as well when it was not waited for */
};

struct trace_plan {
	char magic[8];
	uint32_t version;
	uint32_t flags;
	uint32_t claimed;   /* pid of the process that took the plan, set by the agent */
	uint32_t n_modules; /* struct trace_plan_module, the executable first */
	uint32_t n_actions;
	uint32_t gave_up;  /* enum trace_gave_up, set by the agent */
	uint32_t own_code; /* enum trace_own_code, set by the agent */
	/* The program becomes the child that its .follow-th fork makes, from 1; 0 = it does not.
	 * Children before that are not made, and end as .forks says. */
	uint32_t follow;
	uint64_t base; /* string: the file with .modules and what they lead to */
	uint64_t modules, actions;
	uint64_t program;      /* string: absolute path; another executable leaves the plan alone */
	uint64_t directory;    /* string: absolute, exists; trace.N and async.N go there */
	uint64_t in, out, err; /* strings: files for descriptors 0, 1, 2 (0 = leave) */
	uint64_t output_file;  /* string, TRACE_OUTPUT: takes the place of standard output; 0 = none
				*/
	uint64_t preload;      /* string: LD_PRELOAD as the user had it (0 = unset it) */
	uint64_t max_insns;    /* per thread, 0 = no limit: then TRACE_END_INSNS and _exit(0) */
	uint64_t max_bytes;    /* of the stream per thread, 0 = no limit */
	uint64_t window;       /* keep at least so many instructions of a thread, where .max_bytes
				* allows; 0 = all */
	uint64_t from; /* thread .from_thread is recorded from its instruction number .from on
			* (its first = 0), and executions for actions are counted from there */
	uint64_t from_thread;
	uint64_t key; /* string, TRACE_COUNT: of the profile's file */
	/* For each module, set by the agent: runtime address of bits, one for each byte from .lo
	 * to .hi, which the agent itself has changed.  0 = it has changed none. */
	uint64_t patched[TRACE_MAX_MODULES];
	uint32_t n_forks; /* set by the agent: the program's forks; the first ones are .forks */
	uint16_t handed;  /* the first of .n_handed descriptors, enum trace_handed */
	uint16_t n_handed;
	struct trace_fork forks[TRACE_MAX_FORKS]; /* set by the agent, unless .follow or
						   * TRACE_NO_CHILDREN is */
};

struct trace_served {
	int32_t status; /* as wait tells it, -1 = there was no child, and there will be none */
	uint32_t cpu_us;
};

struct trace_plan_module {
	uint64_t path;	  /* string: as in /proc/self/maps */
	uint64_t lo, hi;  /* link-time addresses: traced code lies in [lo, hi) */
	uint64_t index;	  /* uint32_t[hi - lo]: 1 + number in .insns of the instruction that
			   * starts at this byte, 0 = none, so not traced */
	uint64_t insns;	  /* struct trace_insn[n_insns], ascending .addr */
	uint64_t entries; /* uint64_t[n_entries], ascending: starts of traced functions,
			   * which untraced code may call */
	uint32_t n_insns, n_entries;
	uint64_t counts; /* TRACE_COUNT: struct count_insn[n_insns] */
	uint32_t n_counters, n_edges;
};

/* An action is done once: when .thread executes the instruction .addr of
 * .module for the .nth time (1 = first; iterations of rep count).  "Afterwards"
 * is, for a call of code that is not traced, when it has come back. */
enum trace_action_kind {
	TRACE_ACTION_FORCE, /* a TRACE_FLOW_COND goes value[0] ? taken : not taken */
	TRACE_ACTION_JUMP,  /* an indirect jump or call goes to .where (link-time, same module) */
	TRACE_ACTION_REG,   /* afterwards .size low bytes of register .reg := value (4 bytes
			     * zero-extend);   .reg may be TRACE_XMM0 + n: .size low bytes, the rest
			     * kept
			     */
	TRACE_ACTION_MEM,   /* afterwards .size bytes at runtime address .where := value */
	/* The instruction of .where bytes at .addr becomes .size bytes of code, from the start on,
	 * with no-ops behind them.  With TRACE_NATIVE more than .where are executed elsewhere, and
	 * control then goes on behind the instruction; a run that is recorded takes no more, and
	 * its plan has the new instructions.  Where .addr is no code but data, the .size = .where
	 * bytes there get that initial value. */
	TRACE_ACTION_CODE,
	/* With TRACE_NATIVE: about the TRACE_ACTION_CODE before them, whose code is executed
	 * elsewhere. MORE: .size further bytes of it.  LINK: the four bytes from its byte .where on
	 * become the distance from its byte .nth to the link-time address .addr.  NOTE: each time
	 * that control comes there, the .size (at most 8) bytes at .addr + register .reg
	 * (TRACE_NOTE_NONE: .addr is a link-time address) are noted; with TRACE_NOTE_REG the
	 * register itself; where .thread is 1 these bytes are a pointer, and what is noted are the
	 * bytes .where behind where it points. */
	TRACE_ACTION_CODE_MORE,
	TRACE_ACTION_CODE_LINK,
	TRACE_ACTION_CODE_NOTE,
	/* With TRACE_NATIVE and TRACE_SERVE: the process serves before it executes the instruction
	 * at .addr of .module for the first time, and not before the program starts.  Its runs
	 * note nothing. */
	TRACE_ACTION_CODE_SERVE,
};

enum {
	TRACE_NOTE_NONE = 0xff,	    /* .reg: no register */
	TRACE_NOTE_REG = 0x100,	    /* .reg: the register's own value */
	TRACE_NOTE_FLAGS = 0x1ff,   /* .reg: the flags */
	TRACE_NOTES_SIZE = 1 << 18, /* bytes of the file "notes" of the plan's .directory */
};

/* The file "notes", which a process with TRACE_SERVE shares with its children: the notes of the
 * last child.  After the head come .n_hits times .n_values of struct trace_note. */
struct trace_notes {
	uint32_t n_hits, n_values;
	uint32_t lost; /* hits for which there was no room */
	uint32_t unused;
};

struct trace_note {
	uint64_t value;
	uint64_t known; /* 0: there is no such memory */
};

/* With TRACE_MEM_BITS as .reg of a TRACE_ACTION_MEM, only those bits of .value are written that are
 * set in the bytes of .value from TRACE_MEM_MASK on: a bit-field's, and not its neighbours'.  .size
 * is at most TRACE_MEM_MASK. */
enum { TRACE_MEM_BITS = 1, TRACE_MEM_MASK = 16 };

struct trace_action {
	uint32_t kind;
	uint32_t module;
	uint32_t thread;
	uint16_t reg;
	uint16_t size;
	uint64_t addr; /* link-time */
	uint64_t nth;
	uint64_t where;
	uint8_t value[32];
};

/* What a TRACE_ACTION_MEM makes of the i-th byte of its memory; i < .size. */
static inline uint8_t trace_action_byte(const struct trace_action *a, unsigned i, uint8_t before)
{
	uint8_t bits = a->reg != TRACE_MEM_BITS ? 0xff
		       : i < TRACE_MEM_MASK	? a->value[TRACE_MEM_MASK + i]
						: 0;

	return (uint8_t)((before & ~bits) | (a->value[i] & bits));
}

/* What a process with TRACE_SERVE is asked for: the first .n_actions actions, and no more bytes. */
#define TRACE_MOST_SERVED 56 /* actions: a pipe takes them at once */
struct trace_request {
	uint32_t n_actions;
	uint32_t flags; /* TRACE_RECORD: the child is recorded */
	uint64_t max_insns;
	uint64_t cpu_us; /* TRACE_NATIVE: SIGKILL comes after so much time, 0 = never */
	struct trace_action actions[TRACE_MOST_SERVED];
};
_Static_assert(sizeof(struct trace_request) <= 4096, "PIPE_BUF");

/* ---- the record ---- */

enum trace_engine { TRACE_ENGINE_STEP = 1, TRACE_ENGINE_JIT = 2 };

enum trace_end {
	TRACE_END_RUNNING, /* as left by a crash, a kill, or a thread that never came back */
	TRACE_END_EXIT,	   /* the process called exit, or the thread ended */
	TRACE_END_INSNS,   /* max_insns */
	TRACE_END_BYTES, /* max_bytes, or no room on the disk: recording stopped, the program ran on
			  */
	TRACE_END_UNSUPPORTED, /* stands at an instruction that cannot be traced */
};

/* Where a part of the stream begins. */
struct trace_part {
	uint64_t insns, offset, n_async;
};

enum { TRACE_PART_START = 16 + 17 * 8 + 8 * 16 }; /* bytes of what a part begins with */

/* First page of trace.N; kept up to date while the thread runs.  A file that is
 * empty or begins with zeros was being made when the process ended. */
struct trace_head {
	char magic[8];
	uint32_t version;
	uint32_t flags; /* the plan's, and those of the head only */
	uint32_t engine;
	uint32_t thread;
	uint32_t pid, tid;
	uint32_t end; /* enum trace_end */
	uint32_t n_modules;
	uint64_t bias[TRACE_MAX_MODULES]; /* runtime minus link-time, in the plan's order */
	uint64_t fs_base, gs_base;
	uint64_t length; /* bytes in the stream */
	uint64_t insns;	 /* instructions completed; a reader stops after that many */
	uint64_t n_async;
	uint64_t actions_done;
	/* TRACE_MEM_KNOWN holds for that many instructions, as long as nobody else writes to
	 * the thread's memory: until it is not the only thread any more, a signal handler is
	 * called between two instructions, or untraced code comes back where it was not called.
	 * ~0 = so far it does. */
	uint64_t known_until;
	uint64_t window; /* the plan's; not 0: .offset of struct trace_async is of no use */
	/* When there is a window: the number of the part that is being written, from 0, and
	 * where this part and the one before it begin (parts[part & 1]).  In a complete record:
	 * how many instructions and struct trace_async came before the stream starts. */
	uint64_t part;
	struct trace_part parts[2];
	uint64_t first_insns, first_async;
	uint64_t n_output; /* struct trace_output; 0 without TRACE_OUTPUT */
	/* Where the thread stands: all registers before the next instruction. */
	uint64_t regs[16];
	uint64_t rflags;
	uint64_t rip;
	uint64_t native; /* 1 while it is in code that is not traced */
	uint64_t flushed;
};

/* TRACE_MIRRORS. */
enum { TRACE_MIRROR_SIZE = 1 << 16, TRACE_MISS_SIZE = 6 };
#define TRACE_MISS_NONE 0xffffffffffffull
/* Behind the head, at this place of its page.  Only while the recorder's files are as it left
 * them: */
#define TRACE_MISSED_OFFSET 960
struct trace_missed {
	uint64_t offset; /* in the stream, of a number that may not be there yet; ~0 = none */
	uint64_t next;	 /* its TRACE_MISS_SIZE low bytes are that number */
};
_Static_assert(sizeof(struct trace_head) <= TRACE_MISSED_OFFSET, "layout");

/* What the program was started with, behind the main thread's head, at this place of its page; all
 * 0 where that is not known.  As much of it is kept as there is room for. */
#define TRACE_START_OFFSET 1024
struct trace_start {
	uint64_t array; /* runtime address of argv */
	uint64_t texts; /* where the arguments' texts begin, which lie one behind the other */
	uint32_t n_array, n_texts; /* bytes of each in .bytes */
	uint8_t bytes[TRACE_STREAM_OFFSET - TRACE_START_OFFSET - 24];
};

/* How many instructions were before those that are asked for, in a complete record. */
static inline uint64_t trace_left_out(const struct trace_head *head)
{
	uint64_t kept = head->insns - head->first_insns;

	return head->first_insns + (head->window && kept > head->window ? kept - head->window : 0);
}

enum trace_why {
	TRACE_WHY_START = 'S',	/* first entry of this thread; all registers */
	TRACE_WHY_RETURN = 'R', /* an untraced call came back (also: setjmp again, by longjmp) */
	TRACE_WHY_CALL = 'C',	/* untraced code called a traced function; all registers */
	TRACE_WHY_RESUME =
		'M', /* a signal handler came back to what it interrupted; all registers */
};

/* Followed by 8 bytes for each bit 0 to 16 of mask (enum trace_reg), then 16
 * bytes for each bit 17 to 24 (xmm0 to xmm7), ascending.  A register that is
 * not in the mask has the value it had when control left. */
struct trace_enter {
	uint8_t tag; /* 'E' */
	uint8_t why;
	uint16_t pad;
	uint32_t mask;
	uint64_t rip;
};

/* When .insns instructions of the thread were completed, so many bytes had been written to the
 * files that descriptors 1 and 2 were when the program began: what is in stdio's buffers counts as
 * written. */
struct trace_output {
	uint64_t insns;
	uint64_t written[2]; /* standard output, standard error */
	uint64_t native;     /* 1 = untraced code wrote it, that the last instruction called; 0 =
			      * traced code did, into stdio's buffer */
};

enum { TRACE_ASYNC_SIGNAL = 1 };

/* A signal handler that is traced starts: control is at .handler with .regs. */
struct trace_async {
	uint64_t insns;
	uint64_t offset;
	uint64_t rip;
	uint32_t kind;
	uint32_t signo;
	uint64_t handler;
	uint64_t regs[17];
};

#endif
