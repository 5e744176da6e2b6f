/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A test that does not end within --run-timeout.  Its first run tells nothing but that; other runs
 * are recorded for so many instructions, until there is a loop that goes on during the last half
 * of them (solver/trace/endless-loop.h), and once more as long as that loop needs to show what it
 * does.  That record is then the failing run's.  A recursion without end is cut in the same way.
 */
#ifndef GDBEXT_QUESTION_ENDLESS_H
#define GDBEXT_QUESTION_ENDLESS_H

#include "gdbext/question/question.h"
#include "solver/trace/endless-loop.h"

struct endless;

/* q's run timed out.  Its record becomes one that ends in the loop, and q's runs are made by
 * .runner of a struct of q's from now on.  Otherwise an exit status with one sentence in *error:
 * what it waits for, or that no loop was found. */
int endless_begin(struct question *q, GError **error);
/* The same where the test printed something wrong before (*found), and somebody said what is right:
 * q's record becomes one that ends soon after that.  0, or an exit status with error; q is as
 * before when nothing wrong was printed. */
int endless_begin_output(struct question *q, bool *found, GError **error);
/* The same where the stack is full because of a recursion, one of whose calls returns to that
 * runtime address: q's record becomes one that ends in the recursion.  False, and q is as before,
 * when that cannot be done. */
bool endless_begin_recursion(struct question *q, uint64_t back);
/* A replay_is_endless_fn whose arg is the question: has the run, which goes on, come to a loop that
 * does the same in each round, without code that is not traced, or printed far too much? */
bool endless_is_certain(const struct replay_failing *so_far, void *question);
/* How many of the record's last instructions are looked at first, as a whole: the loop's, and some
 * before it; 0 when the test ended. */
uint64_t endless_part(const struct question *q);
/* What is known of the loop, as a note; does nothing when the test ended. */
void endless_note(struct question *q);
void endless_free(struct endless *e); /* NULL is fine */

#endif
