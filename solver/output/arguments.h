/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The arguments of one call that prints, piece by piece, as the calling convention passes
 * them (System V ABI, AMD64, section 3.2.3 and, for va_list, 3.5.7).  Which functions print,
 * and what, is told by solver/library/library.def.
 */
#ifndef SOLVER_OUTPUT_ARGUMENTS_H
#define SOLVER_OUTPUT_ARGUMENTS_H

#include "solver/library/library.h"
#include "solver/output/printed.h"

struct arguments {
	const struct trace_cursor *cursor; /* before the call */
	const struct trace_module *module;
	const struct library_function *printer;
	GArray *directives; /* struct directive */
	guint at;
	/* the next ones */
	bool is_list;	   /* va_list, in memory */
	unsigned gp, fp;   /* registers used so far; is_list: offsets into the save area */
	uint64_t saved;	   /* is_list: the save area */
	uint64_t overflow; /* the next one on the stack */
	bool failed;	   /* something is not known: the pieces so far are worth nothing */
};

/* Do the function's values follow a format, as printf's do? */
bool arguments_follow_format(const char *name);
/* Is the function called by that name in the source, or for it ("__printf_chk" for "printf"), one
 * whose values are arguments of its own?  *name: as the source calls it; *first: the number of its
 * first value among its arguments, from 0. */
bool arguments_in_source(const char *called, const char **name, unsigned *first);
/* Is it the name of one of C++'s `operator<<', the user's own among them?  NULL is none. */
bool arguments_are_put(const char *name);
/* False when the function is not known to print or to format.  cursor: before the call by insn. */
bool arguments_begin(struct arguments *a, const struct trace_cursor *cursor,
		     const struct trace_module *module, const struct trace_insn *insn,
		     const char *name);
/* The same for a function whose argument number format, counted from 0, is a format that its values
 * follow. */
bool arguments_begin_format(struct arguments *a, const struct trace_cursor *cursor,
			    const struct trace_module *module, const struct trace_insn *insn,
			    unsigned format);
/* The next piece, without its place in the text; false at the end. */
bool arguments_next(struct arguments *a, struct printed_piece *p);
/* What the piece prints, as far as traced code knows; NULL = not known.  Caller frees. */
char *arguments_print(const struct arguments *a, const struct printed_piece *p, size_t *length);
void arguments_end(struct arguments *a);

#endif
