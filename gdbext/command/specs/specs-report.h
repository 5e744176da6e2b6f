/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What `gdb-why specs' says, as text while it is found, or as one document of JSON
 * (tests/specs.schema.json) at the end.
 */
#ifndef GDBEXT_COMMAND_SPECS_SPECS_REPORT_H
#define GDBEXT_COMMAND_SPECS_SPECS_REPORT_H

#include "gdbext/command/specs/specs-why.h"
#include "gdbext/specs/said.h"
#include "gdbext/specs/save.h"

#include <stdio.h>

struct specs_report;

/* All outlive it; said: what the user said of tests, NULL = nothing. */
struct specs_report *specs_report_new(const struct specs_subject *s, const struct options *o,
				      const struct said *said);
/* Ends the document, if there is one: message is why nothing is violated, or NULL. */
void specs_report_end(struct specs_report *r, int status, const char *message);

/* A violation of PROG's own run; */
void specs_report_violation(struct specs_report *r, const struct spec_event *e);
/* why: what is known of it. */
void specs_report_why(struct specs_report *r, const struct specs_why *why);
/* Where else can be written what a person reads: standard output, or what events tell. */
FILE *specs_report_out(struct specs_report *r);
/* Before the user is asked: what was written has to be seen.  False: it went to standard output. */
bool specs_report_ask(struct specs_report *r);
/* A fault begins: what does not hold. */
void specs_report_begin(struct specs_report *r, const struct study_fault *f);
/* Prints what is known after so many rounds, and the test that is next (NULL = none), as text. */
void specs_report_round(struct specs_report *r, const struct study_round *round);
/* A fault, as far as it is known at the end. */
void specs_report_fault(struct specs_report *r, const struct study_fault *f);
/* Why no states could be given to the call. */
void specs_report_without_states(struct specs_report *r, const char *why);
/* A sentence that the user should know. */
void specs_report_note(struct specs_report *r, const char *note);
/* All tests that were made (struct study_test), the failing one first. */
void specs_report_tests(struct specs_report *r, const GPtrArray *tests);

/* What was saved in the folder. */
void specs_report_saved(struct specs_report *r, const char *directory,
			const struct save_result *saved);

/* ---- shared by the formats ---- */

/* "list.c", 43 of a statement's key; the file is the caller's. */
char *specs_statement(const char *key, unsigned *line);
/* The trimmed text of its line. */
char *specs_source(const struct specs_subject *s, const char *key);
/* "2 1 2", or "l = #1 {…}, k = 1"; the caller's. */
char *specs_input_words(const struct specs_subject *s, const struct study_test *t);
/* "passes", "fails" as the user said of the test; NULL = nothing was said. */
const char *specs_said_of(const struct specs_subject *s, const struct said *said,
			  const struct study_test *t);
unsigned specs_rank_in(const GArray *ratings, const char *statement);

/* ---- specs-json.c ---- */

struct specs_json;
struct specs_json *specs_json_new(const struct specs_subject *s, const struct options *o,
				  const struct said *said);
void specs_json_violation(struct specs_json *j, const struct spec_event *e);
void specs_json_why(struct specs_json *j, const struct specs_why *why);
void specs_json_fault(struct specs_json *j, const struct study_fault *f);
void specs_json_without_states(struct specs_json *j, const char *why);
void specs_json_note(struct specs_json *j, const char *note);
void specs_json_tests(struct specs_json *j, const GPtrArray *tests);
/* The document; the caller's.  Frees j. */
char *specs_json_end(struct specs_json *j, int status, const char *message);

#endif
