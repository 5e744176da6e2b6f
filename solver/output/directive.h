/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One piece of a printf format: literal text, or a directive with what it takes from the
 * arguments.  A directive is used in both directions:
 *
 *     %5.2f   3.14159  --print-->   " 3.14"
 *     %5.2f   " 3.15"  --read-->    the doubles 3.145 to 3.155, exactly those that print so
 */
#ifndef SOLVER_OUTPUT_DIRECTIVE_H
#define SOLVER_OUTPUT_DIRECTIVE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

enum directive_kind {
	DIRECTIVE_TEXT,	   /* no argument: what stands in the format, %% included */
	DIRECTIVE_INT,	   /* d i u o x X; and B: true, false */
	DIRECTIVE_CHAR,	   /* c */
	DIRECTIVE_STRING,  /* s */
	DIRECTIVE_POINTER, /* p */
	DIRECTIVE_FLOAT,   /* f F e E g G a A */
	DIRECTIVE_BYTES,   /* no directive of printf: .length bytes from memory (fwrite) */
	DIRECTIVE_COUNT,   /* n: prints nothing */
	DIRECTIVE_OPAQUE,  /* takes an argument that is not modelled: long double, wide text, %m */
};

enum { DIRECTIVE_NONE = -1, DIRECTIVE_STAR = -2 };

struct directive {
	enum directive_kind kind;
	char conversion;
	unsigned size; /* bytes of the argument that count: 1, 2, 4, 8; OPAQUE: 16 for long
			* double */
	bool is_signed;
	bool left;	      /* flag `-' */
	char flags[8];	      /* as given */
	int width, precision; /* DIRECTIVE_NONE, DIRECTIVE_STAR */
	const char *text;     /* in the format, not terminated */
	size_t length;	      /* of .text; TEXT: what it prints, `%%' once; BYTES: how many */
	bool styled;	      /* C++: its stream may have been told of another style (styled.h) */
	char fill;	      /* C++: what fills the width; 0 = as printf does */
};

/* What an expected text says about the argument. */
struct directive_value {
	uint64_t low, high; /* INT, CHAR, POINTER: equal, cut to .size; FLOAT: the bits of the
			     * smallest and of the largest double that print so */
	const char *text;   /* STRING, BYTES: in the text that was read, not terminated */
	size_t length;
	bool whole; /* STRING: it ends there; false: the precision cut it off */
};

/* Takes a format apart; an array of struct directive that points into it.  NULL: it is no
 * format that can be followed, as one with %1$d. */
GArray *directives_parse(const char *format);

/* The text that the directive prints of these bits (FLOAT: of a double), or of this string of
 * length bytes (STRING, BYTES); width and precision: those in force, DIRECTIVE_NONE = none.
 * Caller frees. */
char *directive_print(const struct directive *d, int width, int precision, uint64_t bits,
		      const char *string, size_t length, size_t *printed);

/* Could the directive have printed these bytes?  Then *out says of which values. */
bool directive_read(const struct directive *d, int width, int precision, const char *text,
		    size_t length, struct directive_value *out);

#endif
