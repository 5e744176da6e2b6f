/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files behind image.h share. */
#ifndef SOLVER_IMAGE_IMAGE_PRIVATE_H
#define SOLVER_IMAGE_IMAGE_PRIVATE_H

#include "solver/image/image.h"

#include <elfutils/libdw.h>
#include <gelf.h>

/* A loaded part of the file. */
struct image_segment {
	uint64_t lo, file_hi, hi; /* addresses; [file_hi, hi) is zero */
	uint64_t offset;	  /* in the file */
	bool writable;
};

struct image_pointer {
	uint64_t addr, target;
};

/* A name that is not in the debug information. */
struct image_symbol {
	uint64_t addr;
	const char *name;
};

struct image_types; /* variable/types.h */

struct image {
	char *path;
	char *build_id;
	GMappedFile *file;
	const uint8_t *bytes;
	size_t size;
	bool pie;
	Elf *elf;
	Elf *debug_elf;		 /* the file that dwarf was split off to, or NULL */
	GMappedFile *debug_file; /* of debug_elf */
	char *debug_path;	 /* of debug_file, or NULL */
	Dwarf *dwarf;
	Dwarf_CFI *cfi;	   /* of .eh_frame, made when first asked for */
	GArray *segments;  /* struct image_segment, ascending */
	GArray *relocated; /* uint64_t, ascending: addresses that a relocation fills */
	GArray *pointers;  /* struct image_pointer, ascending: those of them that get an address of
			    * this image */
	GHashTable *natives; /* address → name (not owned): PLT stubs, symbols */
	GHashTable *slots;   /* GOT address → name (not owned) */
	GHashTable *exports; /* name (not owned) → address (uint64_t *) of a function */
	GStringChunk *names;
	/* functions.c */
	GArray *functions;     /* struct image_function, ascending lo */
	GArray *function_dies; /* Dwarf_Off, by function id */
	GArray *beginnings;    /* struct image_beginning, by address */
	GArray *inlined;       /* inlined.c: ranges of code; NULL = none */
	GArray *next_part;     /* uint32_t, by function id: 1 + id of its next cold part, or 0 */
	GArray *insns;	       /* struct trace_insn, ascending */
	uint64_t code_lo, code_hi;
	uint32_t *insn_index; /* 1 + number, by byte of [code_lo, code_hi) */
	/* rows.c */
	GArray *rows;	       /* struct image_row, ascending, not overlapping */
	GPtrArray *statements; /* struct image_statement *, by id */
	GHashTable *sources;   /* file → struct source_lines, see rows.c */
	/* cfg.c */
	GPtrArray *cfgs;	  /* struct image_cfg *, by function id; NULL = not made */
	GHashTable *jump_tables;  /* address of the jump → struct jump_table * */
	GHashTable *table_starts; /* function → GArray of uint64_t: where its jump tables lie */
	GArray *labels;		  /* uint64_t: places within functions whose address is data */
	struct image_types *types;
};

/* names.c: reads the names of im->elf, and the function symbols of the file that its debug
 * information was split off to. */
bool image_read_names(struct image *im);
void image_read_symbols(struct image *im, Elf *elf);
void image_read_functions(struct image *im); /* functions.c */
/* As in the source, with std::string for the template behind it; kept in im->names.  NULL = it has
 * none. */
const char *image_function_name(struct image *im, Dwarf_Die *function);
/* A source file as DWARF names it, absolute where it can be; kept in im->names. */
const char *image_file_name(struct image *im, Dwarf_Die *cu, const char *name);
/* inlined.c: adds the functions that were inlined into one function; then sorts those of all
 * functions.
 * *moving becomes true where a variable has a list of places. */
void image_collect_inlined(struct image *im, Dwarf_Die *function, bool *moving);
void image_nest_inlined(struct image *im);
/* Is the code at addr that of a function that the compiler made and inlined? */
bool image_inlined_is_implicit(const struct image *im, uint64_t addr);
/* rows.c: did the compiler make the function, as it makes constructors that copy member by member?
 * Nobody wrote a statement of it.  The debug information also says so of what a lambda expression
 * does. */
bool image_is_implicit(Dwarf_Die *function);
/* returns.c: false when the callee's debug information, code or name says that it never comes
 * back.  image_find_noreturn has to be called before. */
bool image_call_returns(const struct image *im, const struct trace_insn *insn);
bool image_is_trap(const struct image *im, const struct trace_insn *insn); /* hlt, ud2, int3 */
void image_find_noreturn(struct image *im);
/* known/known.c: sets TRACE_MEM_KNOWN at the operands and TRACE_INSN_INFERRED at the branches that
 * need not be recorded. */
void image_mark_known(struct image *im);
/* The next cold part of the function that `part' belongs to, or NULL.  Called with the function
 * itself it gives the first one. */
const struct image_function *image_next_part(const struct image *im,
					     const struct image_function *part);
void image_read_rows(struct image *im); /* rows.c */
void image_cfgs_free(struct image *im); /* cfg.c */
/* variable/types.c: made when they are first asked for. */
struct image_types *image_types_of(struct image *im);
void image_types_free(struct image_types *t);

#endif
