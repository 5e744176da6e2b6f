/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What has to be touched when a file of a tree changes, beside what its makefile knows.
 *
 * Files that include a changed file are built again although the makefile does not say so.  Files
 * that a release has ready-made, as `configure' or a parser, are kept from being made again by
 * programs that may not be there: they become as young as what they are made from.
 */
#ifndef GDBEXT_REGRESS_WORKSHOP_DEPENDENTS_H
#define GDBEXT_REGRESS_WORKSHOP_DEPENDENTS_H

#include <glib.h>
#include <stdbool.h>

struct dependents;

/* Reads the tree in the folder. */
struct dependents *dependents_new(const char *folder);
void dependents_free(struct dependents *d);

/* In a copy of the tree the file changed: what includes it and what is made of it gets the same
 * time (ns). */
void dependents_touch(const struct dependents *d, const char *copy, const char *path, gint64 time);
/* All sources, so that everything is built again, and what autoconf and automake made. */
void dependents_touch_all(const struct dependents *d, const char *copy, gint64 time);
/* Does the file say how all is built?  Then nothing that was built before it changed counts. */
bool dependents_is_of_the_build(const char *path);

#endif
