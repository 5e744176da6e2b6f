/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A specification: the rules of a C file (gdbext/contract/why-spec.h), which functions they are
 * about, and the shared object that is made of both.
 */
#ifndef GDBEXT_SPECS_SPEC_SPEC_H
#define GDBEXT_SPECS_SPEC_SPEC_H

#include "gdbext/specs/spec/spec-types.h"
#include "gdbext/specs/spec/weave.h"

enum spec_kind { SPEC_INVARIANT, SPEC_PRE, SPEC_POST };

/* A line of the file. */
struct spec_rule {
	enum spec_kind kind;
	char *function;	 /* PRE, POST */
	char *predicate; /* its name is the name of what it demands */
	char *arguments; /* PRE, POST: C expressions; INVARIANT: the type */
	char *file;
	unsigned line;
	char *symbol; /* of a compiled specification: what points to the predicate; else NULL */
};

/* A set of constraints has 64 bits (locate_set), and the last one says that the call crashed
 * (STUDY_CRASHED); constraints behind the 63rd are in no set. */
enum { SPEC_MOST_CONSTRAINTS = 63 };

/* A predicate at one place: when this function is called, or when it returns. */
struct spec_constraint {
	const struct spec_rule *rule;
	unsigned function; /* number in spec.functions */
	bool at_exit;
	char *call; /* the predicate's call in C */
};

struct spec {
	char *path;		  /* absolute */
	char *preprocessed;	  /* of the C compiler; kept for messages */
	struct image *compiled;	  /* NULL: it is a C file (gdbext/specs/spec/spec-compiled.h) */
	GPtrArray *rules;	  /* struct spec_rule */
	GArray *functions;	  /* struct weave_function: those that are checked */
	GArray *constraints;	  /* struct spec_constraint, by number */
	struct spec_types *types; /* of what they look at; filled by spec_build */
	GArray *blocks;		  /* unsigned: by function, the type of its parameters */
};

/* Reads the rules of a file.  NULL with a sentence. */
struct spec *spec_read(const char *path, GError **error);
void spec_free(struct spec *s);
/* Finds the functions of the rules, and at (may be NULL), in the program.  False: one is not
 * there, or nothing is to be checked. */
bool spec_bind(struct spec *s, const struct image *im, const char *at, GError **error);

/* Writes the copy of the program, and compiles what is loaded with it.  folder: exists. */
struct spec_built {
	char *program, *library; /* paths */
	char *preload;		 /* what the program is loaded with, as LD_PRELOAD has it */
	char *source;		 /* of the library */
	char *shapes;		 /* see spec_build_shapes */
	char *state;		 /* a file that a run takes a state from */
};
bool spec_build(struct spec *s, const struct image *im, const char *folder, struct spec_built *out,
		GError **error);
/* The names of generated functions, which stand between a caller and a checked function, begin
 * with this; the function's number follows. */
#define SPEC_CALL "why_call_"
/* The variable in which they keep what a predicate returned. */
#define SPEC_VERDICT "why_holds"
/* The C code of a test: `check', which calls the function with what a struct why_call holds, and
 * asserts what is demanded of it, in the words of cmocka.  The function is called by another name,
 * this and its own.  NULL with a sentence; the caller's. */
#define SPEC_TESTED "why_tested_"
char *spec_test_code(const struct spec *s, const struct image *im, unsigned number, GError **error);
/* Compiles what finds states that keep to what is demanded at a call (gdbext/contract/shapes.h). */
bool spec_build_shapes(const struct spec *s, const struct spec_built *b, GError **error);
void spec_built_clear(struct spec_built *b);

/* "acyclic" and where it stands, "list-spec.c:12". */
const struct spec_constraint *spec_constraint(const struct spec *s, unsigned number);

/* ---- between spec.c, spec-compiled.c and spec-build.c ---- */

enum spec_kind spec_kind_named(const char *name); /* "pre" */

/* Runs the compiler with these words after its name and those of CPPFLAGS, and before those of
 * LDLIBS; what it says on standard error goes to *said.  False with a sentence when it fails. */
bool spec_compile(const struct spec *s, const char *const *words, char **said, GError **error);
/* The folder with what is loaded into the program, and its headers; caller frees. */
char *spec_contract_folder(GError **error);

#endif
