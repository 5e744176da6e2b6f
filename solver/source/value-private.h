/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of value.h: value.c writes C's values, value-library.c those of C++'s library. */
#ifndef SOLVER_SOURCE_VALUE_PRIVATE_H
#define SOLVER_SOURCE_VALUE_PRIVATE_H

#include "solver/image/variable/variable.h"

enum { LONGEST_STRING = 32, MOST_MEMBERS = 6 };

/* Memory as the frame reads it; in its place the given bytes, for [base, base + size). */
struct value_reader {
	const struct image *im;
	const struct image_frame *frame; /* NULL = no other memory is known */
	uint64_t base;
	const uint8_t *bytes;
	size_t size;
	unsigned depth; /* of aggregates and references around what is written */
	bool known;	/* something could be read */
};

bool value_read(struct value_reader *r, uint64_t address, uint64_t size, void *out);
/* The object at the address; "?" where it is not known.  Caller frees. */
char *value_object(struct value_reader *r, const struct image_type *type, uint64_t address);
/* The same of an object that has parts of its own. */
char *value_inner(struct value_reader *r, const struct image_type *type, uint64_t address);
/* "text", of so many bytes; NULL when it is not known, or no text. */
char *value_string(struct value_reader *r, uint64_t address, uint64_t length);

/* An object of C++'s library, in the words of GDB's printers for it: a string, a vector, a map.
 * NULL = it is of no such class.  Caller frees. */
char *value_of_library(struct value_reader *r, const struct image_type *type, uint64_t address);
/* Is it a std::string, which has no parts? */
bool value_is_library_text(const struct image_type *type);

#endif
