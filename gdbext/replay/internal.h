/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the files of replay/ share; for them only.
 */
#ifndef GDBEXT_REPLAY_INTERNAL_H
#define GDBEXT_REPLAY_INTERNAL_H

#include "gdbext/replay/cage/cage-guard.h"
#include "gdbext/replay/folder.h"
#include "gdbext/replay/run/output-file.h"
#include "gdbext/replay/follow.h"
#include "gdbext/replay/cage/supervisor.h"
#include "gdbext/replay/cage/launch.h"
#include "gdbext/replay/run/plan.h"
#include "gdbext/replay/replay.h"

#include "mi/conn.h"

struct checkpoints;
struct handed;

/* The solver's view of a struct replay. */
struct direct {
	struct runner runner; /* first member: the solver's pointer is ours, too */
	struct replay *replay;
	struct checkpoints *checkpoints;
};

/* Everything except .next_run is read-only once the first run is over, so that caged runs may
 * go on side by side. */
struct replay {
	/* The test. */
	char *program;
	char **argv;
	char *directory;   /* NULL = here */
	char **first_argv; /* of the first test; NULL = the test is the first one */
	char *stdin_path, *first_stdin;
	struct output_file output_file; /* takes the place of its standard output */
	char **environment;	  /* the user's environment without LD_PRELOAD and GDB_WHY_PLAN */
	char *user_preload;	  /* the user's LD_PRELOAD, NULL = none */
	char *library, *variable; /* of replay_load_with; NULL = none */
	GArray *inherited;	  /* int: descriptors that the user handed down */
	sigset_t mask;		  /* the signal mask that the user handed down */

	/* How it is run. */
	char *agent;
	double run_timeout;
	double caged_timeout; /* for caged runs, in seconds; known after the first run */
	bool addresses, jit, output;
	const struct limits *limits;
	uint64_t max_insns, max_bytes, window;
	uint64_t memory_limit; /* for caged runs, in bytes; known after the first run */
	struct cage *cage;     /* NULL = this system gives none */
	char *without_cage;    /* the reason then, as a clause */

	/* The images, in the plan's order. */
	char **paths;	       /* NULL-terminated */
	struct image **images; /* as many */
	size_t n_images;
	struct plan_base *plan_base; /* what all plans share */

	struct follow follow; /* the child that runs are of */
	bool faults_end;      /* no handler of the program's takes SIGSEGV and kin */
	char *gdb_path;
	struct folder *folder;
	gint next_run;		       /* atomic */
	struct supervisor *supervisor; /* of the first run */
	struct supervisor *cager;      /* of caged runs; NULL = no cage */
	unsigned started_in_cage;      /* programs, in appearance */
	struct mi_conn *gdb;
	struct past *past;		  /* NULL = this is the first question about the test */
	replay_is_endless_fn *is_endless; /* NULL = nobody asks, or not any more */
	void *endless_arg;
	const struct expected_output *expected; /* replay_expect; NULL = nobody knows */
	gint64 started;				/* monotonic microseconds */
	const struct deadline *until;
	struct deadline never; /* but when a signal comes; for those who do not say */
	double gdb_ms, image_ms;
	struct direct direct;
};

/* A struct replay_past, copied. */
struct past {
	uint64_t strings, variables;
	guint n_kept, n_taken; /* the variables at the beginning of the environment whose values
				* were kept; the first n_taken have the values that they have
				* now */
	double run_ms;
	uint64_t memory;
};

/* What belongs to one run. */
struct run_place {
	char *folder; /* plan, trace.N, out, err; where a file is the output: printed */
	char **envp;
	int in, out, err;
};

/* portable-rerun.c: takes over what was kept of an earlier question's surroundings. */
void replay_take_past(struct replay *r, const struct replay_past *past);
/* Makes the environment (not NULL-terminated; its member number `preload' is our LD_PRELOAD)
 * take as much room as it did in the past.  The loader skips the colons at the end of
 * LD_PRELOAD, and the agent removes it, so the program sees nothing of that.  When there is no
 * past, some colons are added for the future, and more or less of them where another test has
 * shorter or longer arguments than the first. */
void replay_pad_environment(const struct replay *r, GPtrArray *environment, guint preload);
/* The address space for forced runs, when the first run took `peak' (0 = not known). */
uint64_t replay_memory_for_others(const struct replay *r, uint64_t peak);
/* Sets how long caged runs may take, when the first run took run_ms. */
void replay_limit_time(struct replay *r, double run_ms);

/* The environment of the run in folder. */
char **replay_environment(struct replay *r, const char *folder);

/* Makes the folder of the next run with its files.  False with error; then nothing is left. */
bool replay_place_make(struct replay *r, struct run_place *place, GError **error);
/* Closes its files; the folder stays. */
void replay_place_clear(struct run_place *place);

/* Fills in what is the same for all runs. */
void replay_launch_init(struct replay *r, const struct run_place *place, struct launch *l);

/* Starts a caged run in its place, with the limits that l has, and returns its guard.  The
 * caller ends the process (supervisor_end) and frees the guard.  NULL with error. */
struct cage_guard *replay_start_caged(struct replay *r, const struct run_place *place,
				      struct launch *l, bool serves, pid_t *pid, GError **error);

/* Puts together what the plans of all runs with these images, as many as r has, have in common.
 * NULL with error when there is too much. */
#define REPLAY_BASE "code" /* its file in the folder */
struct plan_base *replay_plan_base(const struct replay *r, const char *folder,
				   struct image *const *images, GError **error);

/* Writes FOLDER/plan.  flags: TRACE_RECORD …; handed and request may be NULL. */
bool replay_write_plan(struct replay *r, const char *folder, uint32_t flags,
		       const struct handed *handed, const struct run_request *request,
		       GError **error);

/* False with error when no program took the plan in the folder, so that the run was not
 * recorded, or when the recorder gave up.  signo: the signal that ended it, 0 = none. */
bool replay_check_claimed(const char *folder, int signo, GError **error);
/* Is the plan there no more, or does it say what no recorder would?  Only the program can have
 * written that. */
bool replay_has_lost_plan(const char *folder);
/* The plan in folder, with what the recorder wrote there. */
bool replay_read_plan(const char *folder, struct trace_plan *plan);
/* What the program in folder did to its own code, as far as the recorder saw it. */
enum trace_own_code replay_own_code(const char *folder);
/* Is the code of the living process another than in the files and than the recorder made it?
 * False where its memory cannot be read. */
bool replay_code_is_changed(struct replay *r, pid_t pid, const char *folder);

/* The limits of a caged run. */
void replay_limit_launch(const struct replay *r, const struct run_request *request,
			 struct launch *l);

/* How a process ended, before it is known what that means. */
struct run_ending {
	bool timed_out;
	bool over_limit; /* of what the guard counts */
	struct supervised_end is;
};

/* What the run in folder, which has come to its end, did as an answer to the request. */
void replay_classify(const struct replay *r, const char *folder, const struct run_ending *ending,
		     const struct run_request *request, struct run_result *result);

/* The head of trace.THREAD in folder; false when there is none. */
bool replay_read_head(const char *folder, unsigned thread, struct trace_head *head);

/* Starts GDB and has it ready to attach. */
struct mi_conn *replay_start_gdb(struct replay *r, const char *gdb, GError **error);

/*
 * checkpoint.c: processes that stand at an instruction of the run, from which runs are forked that
 * begin to be recorded, or to count executions for actions, there.
 */
struct checkpoints *checkpoints_new(struct replay *r);
/* Ends all of them.  NULL is fine. */
void checkpoints_free(struct checkpoints *c);
void checkpoints_clear(struct checkpoints *c);
/* Makes the run if there is such a process.  False without error: make it as any other. */
bool checkpoints_run(struct checkpoints *c, const struct run_request *request,
		     struct run_result *result, GError **error);
/* Removes what a run that was made in place (run_request.in_place) left in the folder of its
 * process. */
void checkpoints_forget_run(const char *folder);

bool caged_run(struct runner *runner, const struct run_request *request, struct run_result *result,
	       GError **error);

#endif
