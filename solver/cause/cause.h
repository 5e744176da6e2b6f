/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Why a value is what it is: the assignments and decisions that made it so, back to
 * inputs and constants, as they happened in the recorded run.  No solver takes part.
 * The answer is a tree that unfolds hop by hop: each cause says what it was and, when
 * asked (cause_unfold), which causes it had itself, the latest first.
 *
 *     why b      b = 1
 *                <- paper.c:27  b = a + 1;     b = 1
 *                   <- paper.c:31  P(x, y);    a = 0
 *                   <~ paper.c:26  if (y < 5)  true       (decided that it ran)
 */
#ifndef SOLVER_CAUSE_CAUSE_H
#define SOLVER_CAUSE_CAUSE_H

#include "solver/slice/slice.h"
#include "solver/source/expression/expression.h"
#include "solver/source/trace-point/trace-point.h"

enum cause_kind {
	CAUSE_ASKED,	/* the question */
	CAUSE_ASSIGNED, /* a statement gave something a value */
	CAUSE_DECIDED,	/* a condition went one way */
	CAUSE_PASSED,	/* a call passed an argument */
	CAUSE_RETURNED, /* a function returned a value */
	CAUSE_INPUT,	/* the value came from code that is not traced */
	CAUSE_INITIAL,	/* the value was there from the start */
};

enum cause_edge {
	CAUSE_DATA,    /* its value went into the effect */
	CAUSE_WHICH,   /* it chose the element or object that was read or written */
	CAUSE_CONTROL, /* it decided that the effect ran */
	CAUSE_AWAY,    /* it decided that the effect did not run; the other way leads there */
};

struct cause_link {
	unsigned cause; /* index */
	enum cause_edge edge;
};

/* Strings are the explanation's; NULL = not known. */
struct cause {
	enum cause_kind kind;
	const char *function, *file;
	unsigned line;
	const char *text;   /* of the source line */
	const char *clause; /* what has the value: "b", "y < 5" */
	const char *value;
	const char *stop; /* the execution, as stop.h understands it: "push+37:2"; see
			   * cause_find_stops */
	GArray *because;  /* struct cause_link; NULL = not unfolded yet */
};

struct cause_tree {
	GPtrArray *causes; /* struct cause *; the first is the question */
	bool cut;	   /* cause_unfold_all was ended by its limit */
	/* A cause lies before the part of the run that was recorded. */
	bool reaches_start;
	/* Functions whose names begin so stand between caller and called: they pass values on, and
	 * neither they nor their decisions are causes.  NULL = there are none. */
	const char *between;
};

/* The tree of a question at m.  index: has all steps up to m.  All of them must outlive the tree.
 */
struct cause_tree *cause_of_value(struct explanation *e, const struct trace_point *m,
				  struct reverse_index *index, const char *text,
				  const struct expression_code *code);
/* The same about a place at m, which text names.  is_text: a byte of a text, which library
 * functions may have written although the program's own code did not look at it since. */
struct cause_tree *cause_of_place(struct explanation *e, const struct trace_point *m,
				  struct reverse_index *index, const char *text,
				  const struct reverse_index_place *place, bool is_text);
/* The same about what a call in the line of m returned last: text is "area(x, y)".  NULL: the line
 * has no such call, or several of the function, or it did not come back. */
struct cause_tree *cause_of_result(struct explanation *e, const struct trace_point *m,
				   struct reverse_index *index, const char *text);
/* Asks why control came to a line the last time before the trace point, or why it never did.
 * bias: that of the line's image.  NULL with a sentence in error when it did not happen so, or
 * when the program's own code has no reason. */
struct cause_tree *cause_of_line(struct explanation *e, const struct trace_point *m,
				 struct reverse_index *index, const struct stop *line,
				 uint64_t bias, bool reached, GError **error);
/* Asks why one call of the function, which has the line, did not come to it; the number-th call,
 * from 1; 0 = the one that m is in. */
struct cause_tree *cause_of_line_in_call(struct explanation *e, const struct trace_point *m,
					 struct reverse_index *index, const struct stop *line,
					 uint64_t bias, const struct image_function *function,
					 uint64_t number, GError **error);
/* What instances of a slice gave, in words: a cause for each struct slice_instance *, in their
 * order, and none is unfolded.  index: that of the slice. */
struct cause_tree *cause_of_instances(struct explanation *e, const struct trace_point *m,
				      struct reverse_index *index, const GPtrArray *instances);
void cause_tree_free(struct cause_tree *t);

/* Finds the causes of one cause; does nothing when they are known. */
void cause_unfold(struct cause_tree *t, unsigned cause);
/* Unfolds the question by so many hops, up to `most' causes in all, and sets t->cut when that
 * limit ended it. */
void cause_unfold_all(struct cause_tree *t, unsigned hops, unsigned most);
/* The same from one of the causes on. */
void cause_unfold_from(struct cause_tree *t, unsigned cause, unsigned hops, unsigned most);

/* Where objects at different addresses have the same text, says of each of them where it was made:
 * "the node with key 3, made at list.c:21, the 2nd".  Call it once, before the tree is shown. */
void cause_tell_apart(struct cause_tree *t);
/* The same of values (struct explanation_value) of expressions at m. */
void cause_tell_values_apart(struct explanation *e, const struct trace_point *m,
			     struct reverse_index *index, GArray *values);

/* Fills in .stop of the causes that were found so far.  This walks the run once more. */
void cause_find_stops(struct cause_tree *t);

#endif
