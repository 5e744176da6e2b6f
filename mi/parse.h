/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The MI reader: a push parser.  Bytes go in as they come, in pieces of any
 * size; records come out through a callback, at the end of each line.
 *
 * It never fails.  What is not MI becomes an MI_TARGET_OUTPUT record.  So does a
 * line longer than MI_LINE_MAX (in pieces of that size) and one nested deeper
 * than MI_DEPTH_MAX: memory is bounded whatever comes in.
 *
 * Taken as MI though GDB's grammar does not have it: CR before LF, a prompt
 * without its blank or with a record behind it, bare values among results, a
 * comma at the end.  When a program that shares the pipe printed text without a
 * line feed, a record that begins in the middle of the line is still found.
 */
#ifndef MI_PARSE_H
#define MI_PARSE_H

#include "mi/record.h"

#define MI_LINE_MAX ((size_t)16 << 20)
#define MI_DEPTH_MAX 256

/* Gets a record, which it then owns.  Must not feed the same parser. */
typedef void mi_record_fn(struct mi_record *record, void *arg);

struct mi_parser *mi_parser_new(mi_record_fn *callback, void *arg);
void mi_parser_free(struct mi_parser *parser);
typedef struct mi_parser mi_parser; /* for g_autoptr only */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(mi_parser, mi_parser_free)

/* Another line limit than MI_LINE_MAX, at least 1; for tests. */
void mi_parser_set_line_max(struct mi_parser *parser, size_t max);

void mi_parser_feed(struct mi_parser *parser, const char *bytes, size_t n);

/* No more comes: what is left without a line feed is read as a line.  The
 * parser may be fed again afterwards, from the beginning of a line. */
void mi_parser_end(struct mi_parser *parser);

#endif
