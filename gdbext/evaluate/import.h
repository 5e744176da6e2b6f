/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Subjects as people have them.  A folder with a subject.conf is one; others are known by what is
 * in them, and a subject.conf with its table of versions is made of each in OUT/subjects/NAME:
 *
 *     SIR                 versions.alt/…/vN and testplans.alt/universe, of Siemens and UNIX
 *                         programs; faults by FaultSeeds.h, or as versions of their own
 *     Codeflaws           folders PROBLEM-bug-WRONG-RIGHT
 *     C-Pack-IPAs         semantically_incorrect_submissions and tests
 *     coverage            a folder for each version, as foreign.h says, with *.buggy.lines
 */
#ifndef GDBEXT_EVALUATE_IMPORT_H
#define GDBEXT_EVALUATE_IMPORT_H

#include "gdbext/evaluate/subject.h"

/* Adds the subjects that path is or holds.  out: the --output folder, where a subject.conf is made
 * unless one is there.  False with error: it is none. */
bool import_subjects(const char *path, const char *out, GPtrArray *subjects, GError **error);

#endif
