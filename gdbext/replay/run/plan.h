/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The plan file of a run (solver/format/trace.h), made from tables of the caller's:
 * what is traced, what is changed, where to write.
 *
 * What is the same for many runs is a file of its own, which is written once
 * (plan_base_new) and which all runs map: it is 25 times as large as the code.
 *
 *     base = plan_base_new(modules, n, file, &error);
 *     plan_write(base, path, &options, &error);      once for each run
 *     plan_base_free(base);
 */
#ifndef GDBEXT_REPLAY_RUN_PLAN_H
#define GDBEXT_REPLAY_RUN_PLAN_H

#include "solver/format/counts.h"
#include "solver/format/trace.h"

#include <glib.h>
#include <stdbool.h>

#define PLAN_ERROR plan_error_quark()
GQuark plan_error_quark(void);
enum plan_error {
	PLAN_ERROR_TOO_LARGE,
	PLAN_ERROR_WRITE,
};

/* What is traced of one ELF file.  It belongs to the caller, and only plan_base_new needs it. */
struct plan_module {
	const char *path;		/* as in /proc/self/maps */
	const struct trace_insn *insns; /* ascending addresses */
	size_t n_insns;
	const uint64_t *entries; /* ascending link-time addresses of functions */
	size_t n_entries;
	const struct count_insn *counts; /* NULL, or as many as instructions */
	uint32_t n_counters, n_edges;
};

struct plan_base;

/* The executable first.  Writes file (absolute), which must not exist and which the caller
 * removes.  About 20 ms for a megabyte of code.  NULL with error when there are too many
 * modules or there is too much code, or no room for the file. */
struct plan_base *plan_base_new(const struct plan_module *modules, size_t n_modules,
				const char *file, GError **error);
void plan_base_free(struct plan_base *base);

/* Strings may be NULL (absent), except .program and, when something is recorded, .directory. */
struct plan_options {
	const char *program;   /* absolute, symbolic links resolved */
	const char *directory; /* absolute, exists */
	const char *in, *out, *err;
	const char *output_file; /* noted in the place of standard output */
	const char *preload;	 /* LD_PRELOAD as the user had it */
	const char *key;	 /* of the profile's file */
	const struct trace_action *actions;
	size_t n_actions;
	uint64_t max_insns, max_bytes, window, from, from_thread;
	uint32_t follow;
	const struct trace_fork
		*forks; /* with .follow or TRACE_NO_CHILDREN: TRACE_MAX_FORKS of them */
	uint32_t flags;
	uint16_t handed, n_handed; /* the descriptors that the process is started with */
};

/* Writes a new file, which nobody has claimed; path must not exist. */
bool plan_write(const struct plan_base *base, const char *path, const struct plan_options *options,
		GError **error);

#endif
