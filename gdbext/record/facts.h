/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a record says about the test besides the streams of its threads: the
 * member "facts" of the archive.  NAME=VALUE texts that each end in NUL, in any
 * order; a name that stands for a list is repeated.  Names that are not known
 * are passed over.
 *
 *     program=/home/u/p␀arg=./p␀arg=0␀arg=0␀end=assert␀expression=b <= a␀…
 *
 * The other members:
 *     trace.N, async.N, output.N  as in the run's folder (solver/format/trace.h)
 *     module.N            the Nth traced module, unless --no-program
 *     debug.N             its separate debug information, where it has some
 *     source.N            the Nth source file of them, unless --no-program
 *     stdin               the standard input, unless it was empty
 *     out, err            what the failing run printed
 */
#ifndef GDBEXT_RECORD_FACTS_H
#define GDBEXT_RECORD_FACTS_H

#include "gdbext/replay/replay.h"

#include <glib.h>
#include <stdbool.h>

enum { FACTS_MOST_BYTES = 16 << 20 };

struct facts {
	guint64 streams; /* TRACE_VERSION of the streams */
	/* The test. */
	char *program;	 /* absolute, symbolic links resolved */
	GPtrArray *args; /* char *: argv, the name that it was called by first */
	char *directory; /* absolute */
	/* The traced modules, the program first; three lists of the same length. */
	GPtrArray *modules;   /* char *: absolute paths */
	GPtrArray *build_ids; /* char *: hex, "" = it has none */
	GPtrArray *sums;      /* char *: SHA-256 of the file, hex */
	GPtrArray *sources;   /* char *: as the debug information names them */
	/* The environment: which of its values are kept, and which other names it had. */
	GPtrArray *kept;    /* char *: NAME=VALUE */
	GPtrArray *dropped; /* char *: NAME */
	guint64 strings;    /* bytes of environment and path on the program's stack */
	guint64 variables;  /* bytes of the environment as the program got it */
	/* How it failed; as in struct replay_failing. */
	guint64 end; /* enum run_end */
	guint64 status, signo, thread;
	char *expression, *file, *function;
	guint64 line;
	char *caller, *caller_file;
	guint64 caller_line;
	GPtrArray *frames;  /* char *: "main at p.c:30", innermost first */
	guint64 run_us;	    /* microseconds that the run took under GDB */
	char *child;	    /* the child that was followed; NULL = none */
	guint64 faults_end; /* 1: no handler of the program's took a fault (TRACE_FAULTS_END) */
	guint64 memory;	    /* bytes of address space at most, 0 = not known */
};

/* All lists are empty and all strings NULL; for streams of this version. */
struct facts *facts_new(void);
void facts_free(struct facts *f);

GByteArray *facts_write(const struct facts *f);
/* NULL with RECORD_ERROR_FORMAT when something is missing or makes no sense. */
struct facts *facts_read(const void *bytes, size_t size, GError **error);

#endif
