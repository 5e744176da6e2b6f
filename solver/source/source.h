/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Source text as far as an answer quotes it: statements, what they assign to, the
 * arguments of calls, the parts of conditions.  This is no parser of C: it looks at
 * brackets, keywords and operators, and finds nothing where it is not sure.
 *
 * Places are offsets into a file's text.  `code` is the same text with comments,
 * directives and the insides of literals blanked, so that the brackets and operators in
 * it are real ones.
 */
#ifndef SOLVER_SOURCE_SOURCE_H
#define SOLVER_SOURCE_SOURCE_H

#include "solver/image/image.h"

struct source {
	char *text, *code; /* of the same length */
	size_t length;
	GArray *lines; /* size_t: where each line starts */
};

struct source_span {
	size_t from, to; /* [from, to), without blanks at either end; empty = there is none */
};

/* The text is copied. */
struct source *source_new(const char *text);
void source_free(struct source *s);

/* Files are read through the image, each once, and belong to the cache. */
struct sources;
struct sources *sources_new(const struct image *im);
void sources_free(struct sources *s);
const struct source *sources_get(struct sources *s,
				 const char *file); /* NULL = the file is not there */

/* The place of a line and column (from 1; column 0 = the first word).  False when the file has
 * no such place. */
bool source_place(const struct source *s, unsigned line, unsigned column, size_t *at);

/* The simple statement around a place: up to the `;', the brace, or the end of the part of a
 * for's head. */
struct source_span source_statement(const struct source *s, size_t at);
/* What the statement around a place assigns to, counts up, or declares with a value: `b',
 * `list->size', `*p'.  When there are several, the one at the place. */
struct source_span source_assigned(const struct source *s, size_t at);
/* What a return statement at the place returns. */
struct source_span source_returned(const struct source *s, size_t at);
/* The n-th argument, from 0, in the call of `function' within the statement around a place. */
struct source_span source_argument(const struct source *s, size_t at, const char *function,
				   unsigned n);

/* The code of the function that is declared on the line, from its brace on, with comments and
 * literals blanked; NULL: there is none.  Free it. */
char *source_function_body(const struct source *s, unsigned line);

/* C++: the operand of `<<' around a place, which is put into a stream; before: so many operands of
 * the statement before that one. */
struct source_span source_put(const struct source *s, size_t at, unsigned before);

/* The line on which the n-th element, from 0, of the initializer of an array stands: `name' is
 * declared on that line or further down, `name[] = { ... }'.  0 when it cannot be told, because
 * there is no such initializer, or its elements say themselves which they are. */
unsigned source_element_line(const struct source *s, unsigned line, const char *name, uint64_t n);

/* The text of a span in one line, blanks and comments squeezed.  Caller frees;
 * NULL for an empty one. */
char *source_text(const struct source *s, struct source_span span);

/* ---- for code that reads on from there ---- */

bool source_is_word(char c); /* of an identifier */
/* The bracket that matches the one at a place, or SIZE_MAX. */
size_t source_closing(const struct source *s, size_t open);
size_t source_opening(const struct source *s, size_t close);
/* The innermost `{' around a place; SIZE_MAX: there is none. */
size_t source_brace_around(const struct source *s, size_t at);
struct source_span source_trim(const struct source *s, size_t from, size_t to);
/* Does exactly this word stand at a place? */
bool source_has_word(const struct source *s, size_t at, const char *word);
/* The next place from `at' on that is not blank; s->length when there is none. */
size_t source_skip(const struct source *s, size_t at);
/* Where what stands in front of a place ends, blanks left out; 0 when nothing does. */
size_t source_end_before(const struct source *s, size_t at);

#endif
