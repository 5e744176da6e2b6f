/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Why a call does not keep to its specification: what it was called with, the causes of what the
 * predicate found, and which statements could have been otherwise so that all would hold.
 */
#ifndef GDBEXT_COMMAND_SPECS_SPECS_WHY_H
#define GDBEXT_COMMAND_SPECS_SPECS_WHY_H

#include "gdbext/command/specs/specs-subject.h"
#include "gdbext/question/question.h"
#include "solver/cause/cause.h"
#include "solver/source/expression/expression.h"

#include <stdio.h>

struct specs_why {
	struct probe *probe;
	struct question q;
	bool is_asked;		    /* .q is filled */
	char *called_with;	    /* "l = #1 {…}, k = 1"; NULL = not known */
	struct cause_tree *causes;  /* of the predicate's result; NULL = not known */
	struct c_expression *asked; /* of .causes, and what follows */
	struct expression_code *code;
	GHashTable *reporting; /* of .q */
};

/* e: a violation of PROG's own run.  0, or the exit status with error; clear w in any case. */
int specs_why(struct specs_why *w, const struct specs_subject *s, const struct options *o,
	      const struct spec_event *e, GError **error);
/* What is known of it, as text. */
void specs_why_print(FILE *out, const struct specs_why *w, const struct options *o);
void specs_why_clear(struct specs_why *w);

#endif
