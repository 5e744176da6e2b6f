/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What functions of libstdc++ write of the objects that they are given: a std::string is a part of
 * what it stands in, and of a node of a tree or list only the head is theirs.  By the names that
 * its symbols have had since GCC 5, and the layout that they stand for.
 */
#ifndef SOLVER_SOURCE_TRACE_POINT_LIBRARY_OBJECTS_H
#define SOLVER_SOURCE_TRACE_POINT_LIBRARY_OBJECTS_H

#include "solver/image/variable/variable.h"

struct library_object {
	uint64_t address, size; /* bytes that may be written */
};

/* Appends struct library_object; before: the frame when the function is called, with .read.  False:
 * nothing is known of the function, which is so with name NULL, too. */
bool library_objects_written(const char *name, const struct image_frame *before, GArray *objects);

#endif
