/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs of the failing test for one question.  The first one runs under a headless GDB,
 * which says how the test fails; all others run without GDB, in a cage, through the
 * solver's struct runner.
 *
 *     replay_interrupt_install(…);            (gdbext/replay/interrupt.h)
 *     r = replay_new(&options, &error);
 *     replay_record_failing(r, &failing, &error);
 *     solver(…, replay_runner(r), …);
 *     replay_free(r);
 *
 * All runs are of the same program with the same arguments, environment, working
 * directory, standard input and addresses; only replay_turn_to changes arguments and
 * input, between runs.  A struct replay owns a private temporary folder (folder.h), a
 * GDB, and a supervisor process (supervisor.h) that removes what is left when we die;
 * replay_free ends them all.
 */
#ifndef GDBEXT_REPLAY_REPLAY_H
#define GDBEXT_REPLAY_REPLAY_H

#include "gdbext/replay/cage/error.h"
#include "solver/base/deadline.h"
#include "solver/format/trace.h"
#include "solver/image/image.h"
#include "solver/output/expected.h"
#include "solver/limits/limits.h"
#include "solver/trace/runner.h"

#include <glib.h>
#include <stdbool.h>

/* What is known of the runs of an earlier question, so that runs now can be like those.  The
 * program's stack holds its environment, so runs can only be compared when the environment
 * takes as much room as it did then; missing text is filled up. */
struct replay_past {
	char *const *kept;  /* NAME=VALUE, NULL-terminated */
	char *const *names; /* the names of those whose values are as they are now;
			     * NULL-terminated */
	uint64_t strings;   /* struct replay_surroundings */
	uint64_t variables;
	double run_ms;	   /* the time that the first run took */
	uint64_t memory;   /* bytes of address space that it took, 0 = not known */
	const char *child; /* the child that it was of (follow_in_words); NULL = none */
	bool faults_end;   /* replay_record_fault */
};

/* Strings are copied. */
struct replay_options {
	char *const *argv;	/* PROG ARGS…, NULL-terminated, at least PROG */
	const char *directory;	/* run there; NULL = here */
	const char *stdin_file; /* relative to here, not to .directory; NULL = /dev/null */
	/* A file that the test writes and that takes the place of its standard output in all that
	 * follows; relative to here, NULL = none. */
	const char *output_file;
	const char *const
		*trace_libs; /* shared objects traced as well, NULL-terminated; may be NULL */
	const char *gdb;     /* NULL = "gdb" */
	const char *agent;   /* gdb-why-agent.so; NULL = $GDB_WHY_AGENT, beside our own
			      * executable, or ../lib/gdb-why from there */
	const struct deadline *until; /* all of it is to be over then; outlives the replay; NULL =
				       * when a signal comes */
	double run_timeout;	      /* seconds a run may take, 0 = 60; direct runs that take far
				       * longer than the first one end sooner */
	bool addresses;		      /* record addresses too, for --check */
	bool output;		      /* note what was printed when: TRACE_OUTPUT */
	bool jit;		      /* TRACE_ENGINE_JIT, else TRACE_ENGINE_STEP */
	const struct limits *limits;  /* outlives the replay; NULL = the defaults */
	uint64_t max_insns;	      /* of the first run, 0 = no limit */
	uint64_t max_bytes;	      /* of a record, 0 = what fits */
	uint64_t window; /* of the first run: keep about the last so many instructions, 0 = all */
	/* Not NULL: the first run was made before, by this program (absolute) under the name of
	 * .argv's first word.  There is no GDB, and no other first run is made. */
	const struct replay_past *past;
	const char *program; /* with .past or .direct; NULL = .argv's first word */
	bool direct;	     /* there is no GDB and no first run: all runs are caged */
};

struct replay;

/* Looks at the program before anything runs: found (in PATH like a shell when
 * its name has no slash), executable, x86-64, with debug info, dynamically
 * linked.  Starts GDB, which gets ready meanwhile.  Call before opening files
 * without O_CLOEXEC: descriptors that are open now are the program's too. */
struct replay *replay_new(const struct replay_options *options, GError **error);
/* Ends all processes and removes the folder with all records. NULL is fine. */
void replay_free(struct replay *r);

const char *replay_program(const struct replay *r); /* absolute, symbolic links resolved */
/* The traced images in the plan's order, the program first; r's. */
struct image *const *replay_images(const struct replay *r, size_t *n);

/* How the test fails. Owned by the caller: replay_failing_clear. */
struct replay_failing {
	enum run_end end;
	int status; /* RUN_STATUS */
	int signo;  /* RUN_SIGNAL */
	/* RUN_ASSERT: the arguments of __assert_fail, as GDB read them. */
	char *expression, *file, *function;
	unsigned line;
	unsigned thread; /* RUN_ASSERT, RUN_SIGNAL: its number in the record; else 0 */
	/* RUN_ASSERT: the frame that called it where GDB could tell, else NULL, 0. */
	char *caller, *caller_file;
	unsigned caller_line;
	char **frames; /* RUN_ASSERT: "main at p.c:30", innermost first, NULL-terminated */
	char *record;  /* its directory; lives as long as the struct replay */
	/* Files with what the program printed; likewise.  There is no .out when it did not write
	 * the .output_file of the options. */
	char *out, *err;
	double gdb_ms;		      /* until GDB was ready, counted from replay_new */
	double image_ms;	      /* to open the images, while GDB started */
	double run_ms;		      /* of the program under GDB */
	uint64_t memory;	      /* bytes of address space at most, 0 = not known */
	enum trace_own_code own_code; /* what it did to it; what it wrote there was not seen */
	/* SIGSEGV, SIGBUS, SIGFPE or SIGILL, which came before this end and was handled by the
	 * program; 0 = none. */
	int fault;
};

/* Before the first run: the test is run with these words (the first one is its name, as in .argv)
 * and with these variables NAME=VALUE, where the user has not set them.  LD_PRELOAD names a library
 * that is loaded before the user's.  Both are copied. */
void replay_adapt(struct replay *r, char *const *argv, char *const *variables);
/* The first run, under GDB, uncaged, recorded.  Once for each struct replay.
 * True also when the test passes or hangs: failing->end says so. */
bool replay_record_failing(struct replay *r, struct replay_failing *failing, GError **error);
void replay_failing_clear(struct replay_failing *failing);
/* After replay_record_failing: another first run, in which the program becomes the child that
 * follow.h found in that run.  All runs from now on do.  When it ends well, *failing says so. */
bool replay_record_child(struct replay *r, unsigned child, struct replay_failing *failing,
			 GError **error);
/* After replay_record_failing that found a fault: another first run, which ends by the fault.  All
 * runs from now on do. */
bool replay_record_fault(struct replay *r, struct replay_failing *failing, GError **error);
/* From now on runs are of the program itself again, as its first run was. */
void replay_leave_child(struct replay *r);
/* After replay_record_failing, another test of the same program.  From now on
 * all runs are of that test; what was recorded before stays.  stdin_file: as in
 * the options. */
bool replay_turn_to(struct replay *r, char *const *argv, const char *stdin_file, GError **error);
/* What the test that r is turned to has to print; NULL = nobody knows.  A changed run that wrote
 * far more (limit output_more) is ended.  It is not known any more when r is turned to another
 * test; it outlives that. */
void replay_expect(struct replay *r, const struct expected_output *expected);
/* Does the stack start where it did in the first test?  Only where the arguments are much longer it
 * does not. */
bool replay_stack_is_kept(const struct replay *r);
/* So many programs did its caged runs start in appearance (cage/cage-children.h). */
unsigned replay_started(const struct replay *r);
/* Did the first run fork, while caged runs are only told that they did (follow.h)? */
bool replay_lacks_children(const struct replay *r);
/* Its first run, without GDB and in the cage: where it failed is what the
 * program printed.  *threads: how many were recorded; .thread is the first,
 * whichever failed. */
bool replay_record_other(struct replay *r, struct replay_failing *failing, unsigned *threads,
			 GError **error);
/* Whether the first run, of which so much is known so far, will never end.  Other runs may be made.
 */
typedef bool replay_is_endless_fn(const struct replay_failing *so_far, void *arg);
/* Has that asked once while the first run goes on (limit endless_look_ms), unless another thread or
 * a signal that the program takes may change what it does; if it will not, it is over as if its
 * time were up. */
void replay_ask_endless(struct replay *r, replay_is_endless_fn *fn, void *arg);
/* How many instructions a thread of the failing run executed while it was recorded; 0: there is no
 * such thread. */
uint64_t replay_insns(const struct replay_failing *failing, unsigned thread);
/* A part of the test's run, without GDB and in the cage: a thread's instructions from that number
 * on, and until that one.  .end is RUN_TIMEOUT when it had not ended then.  Runs from now on may
 * take so many times the time that this took. */
bool replay_record_part(struct replay *r, unsigned thread, uint64_t from, uint64_t until,
			struct replay_failing *failing, GError **error);
/* Was the thread that failed recorded until then?  False: a limit, or the disk,
 * ended that after so many bytes and instructions. */
bool replay_is_whole(const struct replay_failing *failing, uint64_t *bytes, uint64_t *insns);

/* What all runs get; r's. */
struct replay_surroundings {
	char *const *argv, *const *environment; /* less LD_PRELOAD and GDB_WHY_PLAN */
	const char *directory;			/* absolute */
	const char *stdin_path;			/* "/dev/null" = empty */
	const char *const *paths;		/* of replay_images, absolute */
	char *child;				/* follow_in_words */
	bool faults_end;			/* replay_record_fault */
	uint64_t strings;   /* bytes of the environment and of the program's path */
	uint64_t variables; /* in the environment, ours included */
};
void replay_surroundings(struct replay *r, struct replay_surroundings *s);
void replay_surroundings_clear(struct replay_surroundings *s);

/* With .past, or when only the end of the run was recorded and trace_run_open has
 * completed that: one run, caged and unchanged.  True with *differs NULL when it
 * fails in the same place after as many instructions as the recorded one did,
 * with the same addresses; else *differs says in words what it did (static). */
bool replay_repeat(struct replay *r, const struct replay_failing *failing, const char **differs,
		   GError **error);

/* What a run did otherwise than the failing one, both recorded: in words, static; NULL = it ended
 * in the same way after as many instructions of the failing thread, with the same addresses. */
const char *replay_difference(const struct replay_failing *failing,
			      const struct run_result *result);

/* From now on this shared object is loaded with the program, before what the user's LD_PRELOAD
 * names, and this variable (NAME=VALUE) is added to its environment.  Values of the same length
 * keep the program's stack where it was. */
void replay_load_with(struct replay *r, const char *library, const char *variable);

/* Runs it directly, recorded, in the cage; after replay_record_failing or replay_repeat.  Runs
 * share nothing but r's read-only parts; each has its own folder.  r's. */
struct runner *replay_runner(struct replay *r);

/* Why no run can be caged here, as a clause: then only the first run is made.  NULL = runs can be
 * caged. */
const char *replay_without_cage(const struct replay *r);

/* Name of a signal, "SIGSEGV"; static. */
const char *replay_signal_name(int signo);

#endif
