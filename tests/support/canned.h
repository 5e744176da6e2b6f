/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A failing run and a runner made of files: what the runs of a program did when they were made
 * with GDB and the recorder, for tests of the solver's policy that need neither.
 *
 *     tests/data/runs/paper/failing.why    the program, its source, its failing run
 *     tests/data/runs/paper/table          one line a run: what was asked, how it ended
 *     tests/data/runs/paper/3/             the record of the third
 *
 * With CANNED_WRITE=1 runs that no file has are made, and written down; where the search asks
 * for other runs than before:
 *
 *     tests/data/runs/make.sh --programs
 *     CANNED_WRITE=1 make build/plain/tests/solver/search/search-test.res
 *     rm -r /tmp/canned
 */
#ifndef TESTS_SUPPORT_CANNED_H
#define TESTS_SUPPORT_CANNED_H

#include "gdbext/record/record.h"
#include "solver/formula/requirement.h"
#include "solver/trace/runner.h"

struct canned {
	struct runner runner; /* first */
	char *folder, *scratch;
	struct record *record;
	struct image *const *images;
	size_t n_images;
	struct replay_failing failing;
	struct requirement *requirement; /* that the test passes */
	GHashTable *known;		 /* char * of a request → char *: its line's rest */
	struct runner *real;		 /* NULL = of files */
	unsigned asked, unknown;	 /* runs; those that no file has: over a limit */
};

struct canned *canned_open(const char *folder);
void canned_free(struct canned *c);

#endif
