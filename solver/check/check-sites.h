/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the code of a program calls what a table says is a check. */
#ifndef SOLVER_CHECK_CHECK_SITES_H
#define SOLVER_CHECK_CHECK_SITES_H

#include "solver/check/check-count.h"
#include "solver/check/check-table.h"
#include "solver/image/image.h"

struct check_site {
	const struct check_rule *rule;
	const struct image *image;
	const struct trace_insn *insn; /* the call, or the store */
	const char *name;	       /* what it calls, or the variable */
	const char *condition;	       /* the text of an assertion of the program's own, which this
					* call reports; NULL = it is another check */
	/* of check_sites_add_count: its words, and the branch, which is executed for each check,
	 * failing or not; else NULL */
	const char *counts, *compared;
	const struct trace_insn *branch;
	bool returns; /* it is the last one of its function */
};

struct check_sites;

/* table and images must outlive it. */
struct check_sites *check_sites_new(const struct check_table *table, struct image *const *images,
				    size_t n_images);
void check_sites_free(struct check_sites *s); /* NULL is fine */

/* Adds the call as one that reports the program's own assertion; false when it does not
 * (check-own.h). */
bool check_sites_add_own(struct check_sites *s, const struct image *im,
			 const struct trace_insn *call);

/* Adds a store by which the program counts that a check of its own failed.  says: what is said of
 * it; compared: what the check compares, in C.  Both are interned. */
void check_sites_add_count(struct check_sites *s, const struct image *im,
			   const struct check_count *count, const char *says, const char *compared);
/* The one of those whose branch it is; NULL = it is none. */
const struct check_site *check_sites_of_branch(const struct check_sites *s,
					       const struct trace_insn *insn);

/* Adds to set the keys "FILE:LINE" of the lines of all such calls. */
void check_sites_add_own_lines(const struct image *im, GHashTable *set);

/* All of them; *n may be 0. */
const struct check_site *check_sites_all(const struct check_sites *s, size_t *n);
/* The site at a link-time address of an image; NULL = there is none. */
const struct check_site *check_sites_at(const struct check_sites *s, const struct image *im,
					uint64_t link);
/* The i-th framework that the program uses, in the table's order of calls; NULL = not so many. */
const struct check_framework *check_sites_framework(const struct check_sites *s, guint i);

/* Adds to set the keys "FILE:LINE" of lines that make a check, and "FILE" of the source files of
 * the frameworks themselves, and of those that a program names as its tests (image_file_is_given):
 * what stands there is not the fault. */
void check_sites_add_lines(const struct check_sites *s, struct image *const *images,
			   size_t n_images, GHashTable *set);
/* Adds to set (const struct trace_insn *) the branches that decide about calls which the compiler
 * put in, and about traps in their own line, and what looks at AddressSanitizer's shadow.  Such a
 * call or trap stands in the line that it checks, which may be the fault. */
void check_sites_add_branches(const struct check_sites *s, struct image *const *images,
			      size_t n_images, GHashTable *set);
bool check_site_is_inserted(const struct check_site *site);

#endif
