/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs of a program with its specification, recorded and in the cage. */
#ifndef GDBEXT_SPECS_PROBE_H
#define GDBEXT_SPECS_PROBE_H

#include "gdbext/replay/replay.h"
#include "gdbext/specs/events.h"
#include "gdbext/specs/spec/spec.h"

struct probe {
	struct replay *replay;
	const struct spec *spec;
	const struct spec_built *built;
	uint64_t most_insns;   /* a run ends after so many; 0 = it need not end, … */
	uint64_t predicate_ms; /* … but a predicate may take so long */
};

/* What is demanded in a run: all constraints in all calls; one in one call, at which the run
 * fails as at an assertion; or all in one call, at the first of which it fails so, and after
 * which it ends.  The state at a call may be told, or given: the run ends after it.  MAKE: at the
 * call the program's operations make other states of it (gdbext/contract/operations.h), which are
 * told; that run is not recorded. */
struct probe_order {
	enum { PROBE_ALL, PROBE_ONE, PROBE_CALL, PROBE_SHOW, PROBE_GIVE, PROBE_MAKE } kind;
	unsigned number; /* ONE: of the constraint; CALL, SHOW, GIVE, MAKE: of the function */
	uint64_t call;
	const char *state;    /* GIVE: its lines; CALL, ONE: likewise, or NULL */
	uint64_t left_out;    /* CALL: constraints that are not evaluated, a set; 0 = none */
	unsigned nodes, most; /* MAKE: bounds of states, and of their number */
	uint64_t from;	      /* the instruction with which its record begins */
};

struct probe_result {
	struct run_result run; /* the caller's: run_result_clear */
	struct spec_events events;
};

/* o: .argv, .directory, .stdin_file, .agent, .until, .run_timeout, .jit, .limits; the rest is
 * filled in.  NULL with a sentence. */
struct probe *probe_new(const struct spec *s, const struct spec_built *built,
			const struct replay_options *o, GError **error);
void probe_free(struct probe *p);
/* The copy of the program, and the specification. */
struct image *const *probe_images(const struct probe *p, size_t *n);
/* One run of this test.  False with a sentence. */
bool probe_run(struct probe *p, char *const *argv, const char *stdin_file,
	       const struct probe_order *order, struct probe_result *out, GError **error);
void probe_result_clear(struct probe_result *r);

#endif
