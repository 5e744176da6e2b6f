/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What makers of mutants share: the program, its source, and what their mutants point to. */
#ifndef SOLVER_CHANGE_SOURCE_MUTANT_MAKER_H
#define SOLVER_CHANGE_SOURCE_MUTANT_MAKER_H

#include "solver/change/code/code-piece.h"
#include "solver/change/code/code-statement.h"
#include "solver/change/source/expression-texts.h"

struct mutant_maker {
	const struct image *im;
	const struct limits *limits;
	struct expression_texts *texts;
	GPtrArray *kept; /* struct code_piece *, struct mutant *: the maker's */
	GStringChunk *words;
	GHashTable *countings; /* missing-step.c: what is counted in which source, and how */
};

/* Nothing is owned. */
struct mutant_maker *mutant_maker_new(const struct image *im, struct expression_texts *texts,
				      const struct limits *limits);
/* Frees also what its mutants point to. */
void mutant_maker_free(struct mutant_maker *m);

/* An empty piece, and a mutant; the maker's. */
struct code_piece *mutant_maker_piece(struct mutant_maker *m);
struct mutant *mutant_maker_mutant(struct mutant_maker *m);

/* What a mutant executes in the place of an instruction, whose bytes are now; false: that cannot be
 * done. */
typedef bool mutant_maker_write(struct code_piece *c, const struct trace_insn *insn,
				const uint8_t *now, const struct code_statement *s);
/* The statement before the instruction. */
mutant_maker_write mutant_maker_write_before;

/* Appends the mutant that executes one more statement, where that can be compiled.  format: of its
 * words, with %s for the text. */
void mutant_maker_put(struct mutant_maker *x, const struct trace_insn *insn, const char *text,
		      enum mutant_kind kind, mutant_maker_write *write, const char *format,
		      GArray *all);
/* The statement before the instruction. */
void mutant_maker_put_before(struct mutant_maker *x, const struct trace_insn *insn,
			     const char *text, enum mutant_kind kind, GArray *all);

/* The source of the statement at a link-time address, and its place there; NULL: there is none. */
const struct source *mutant_maker_source(struct mutant_maker *m, uint64_t addr, size_t *at);
/* The whole line there, without what is a comment; NULL: there is no source.  Free it. */
char *mutant_maker_line(struct mutant_maker *x, uint64_t addr);
/* Does the line of the statement there begin with this word, or with that one behind `else' or a
 * brace? */
bool mutant_maker_line_begins(struct mutant_maker *x, uint64_t addr, const char *word);
/* Does the brace open the body of a `for' or a `while', or also of a `do'? */
bool mutant_maker_opens_loop(const struct source *s, size_t brace, bool or_do);
/* Has the program a variable of that name with a fixed place? */
bool mutant_maker_is_global(const struct mutant_maker *x, const char *name);

#endif
