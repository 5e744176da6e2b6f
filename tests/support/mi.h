/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records gathered from the MI parser, for tests. */
#ifndef TESTS_SUPPORT_MI_H
#define TESTS_SUPPORT_MI_H

#include "mi/parse.h"

/* How test_mi_parse cuts the bytes. */
enum { TEST_MI_WHOLE = 0 };

/* The records in bytes: fed in pieces of `piece' bytes (TEST_MI_WHOLE: at once),
 * or of random sizes when random is given; then ended.  line_max 0: the usual.
 * Free with g_ptr_array_unref. */
GPtrArray *test_mi_parse(const char *bytes, size_t n, size_t piece, GRand *random, size_t line_max);

/* What they print as MI; free it. */
GString *test_mi_print(const GPtrArray *records);

/* One line each, as mi_record_dump writes; free it. */
char *test_mi_dump(const GPtrArray *records);

/* Fails the running test, showing both, unless they are the same. */
void test_mi_assert_same(const GPtrArray *a, const GPtrArray *b, const char *what);

#endif
