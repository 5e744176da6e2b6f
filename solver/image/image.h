/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One ELF file with its DWARF: what the code is, in the words of its source.
 * Functions, rows, the control-flow graph, and the names of what lies outside (PLT); types and
 * variables are in variable/variable.h.  The one door to libdw and libelf.
 *
 * All addresses are link-time addresses (as in the file), uint64_t; add the
 * module's bias for runtime addresses.  Everything returned lives as long as
 * the image.  Not thread-safe (libdw is not).
 */
#ifndef SOLVER_IMAGE_IMAGE_H
#define SOLVER_IMAGE_IMAGE_H

#include "solver/format/trace.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

struct image;

#define IMAGE_ERROR image_error_quark()
GQuark image_error_quark(void);
enum image_error {
	IMAGE_ERROR_OPEN,     /* missing, unreadable, not a regular file */
	IMAGE_ERROR_NOT_ELF,  /* a script, say: the sentence names what it is */
	IMAGE_ERROR_MACHINE,  /* not x86-64 */
	IMAGE_ERROR_NO_DEBUG, /* stripped, or built without -g */
	IMAGE_ERROR_STATIC,   /* no dynamic loader: the agent cannot be loaded */
};

/* Opens an executable or shared object.  Reads headers, line tables and
 * function ranges; functions' variables and graphs are read when asked for.
 * Each error is one full sentence that says what to do. */
struct image *image_open(const char *path, GError **error);
/* The same, but when the image has no debug information of its own it is read from the file
 * debug_path; NULL: from where GDB looks for it. */
struct image *image_open_parts(const char *path, const char *debug_path, GError **error);
void image_free(struct image *im);
/* The image with the code, or the data, that a run has which is recorded with these actions
 * (TRACE_ACTION_CODE, in its module); NULL when they are none for a recorded run.  It shares what
 * is not code with `of', which outlives it.  Free it with image_changed_free. */
struct image *image_changed(struct image *of, const struct trace_action *actions, size_t n);
void image_changed_free(struct image *im);

const char *image_path(const struct image *im); /* absolute, symbolic links resolved */
/* The path of the file with its debug information; NULL when the image has that itself. */
const char *image_debug_path(const struct image *im);
const char *image_build_id(const struct image *im); /* hex, or "" */
bool image_is_pie(const struct image *im);

/* Bytes of the file as loaded at addr: *avail bytes may be read from the
 * result.  NULL outside of every PT_LOAD.  .bss reads as NULL. */
const uint8_t *image_bytes(const struct image *im, uint64_t addr, size_t *avail);

/* The i-th part of the file that is loaded: from address *lo on, *size bytes.  NULL: there are
 * not so many. */
const uint8_t *image_part(const struct image *im, unsigned i, uint64_t *lo, size_t *size);

/* What the file has in the section of this name, *size bytes.  NULL: there is no such section. */
const uint8_t *image_section(const struct image *im, const char *name, size_t *size);

/* The initial value of memory at addr: the file's contents, or 0 for .bss.  False when addr is
 * in no segment, or when a relocation may have changed these bytes.  *writable says whether the
 * program may change it later. */
bool image_initial(const struct image *im, uint64_t addr, size_t size, uint8_t *out,
		   bool *writable);

/* All of its memory lies in [*lo, *hi). */
void image_range(const struct image *im, uint64_t *lo, uint64_t *hi);

/* May the program change what is at addr?  False when it is in no segment. */
bool image_is_writable(const struct image *im, uint64_t addr);

/* The loader fills the 8 bytes at addr with the address of something in this image: *target.  False
 * when it does not. */
bool image_pointer_at(const struct image *im, uint64_t addr, uint64_t *target);

/* ---- functions ---- */

struct image_function {
	uint32_t id;
	const char *name; /* as in the source */
	uint64_t lo, hi;  /* [lo, hi) of the part that holds the entry */
	uint64_t entry;
	uint64_t body;	  /* first address after the prologue (second row), == lo if none */
	const char *file; /* as in DWARF, made absolute with the compilation directory */
	unsigned line;	  /* of its declaration */
	bool noreturn;	  /* DW_AT_noreturn, or no path of it returns */
	bool moving;	  /* variables of its unit move between places, so GDB skips no prologue */
	const struct image_function
		*parent; /* cold parts: the function they belong to; else NULL */
};

/* All functions with debug info, by ascending lo; cold parts
 * (DW_AT_ranges) are entries of their own with .parent set. */
size_t image_functions(const struct image *im, const struct image_function **out);
const struct image_function *image_function_at(const struct image *im, uint64_t addr);
const struct image_function *image_function_named(const struct image *im, const char *name);

/* A program whose calls of some functions go through stubs (gdbext/specs/spec/weave.h) has, at the
 * end of a segment of code, so many stubs of 16 bytes, then this text, zeros, and in the 16th byte
 * their number.  They count as functions, so control that goes through them stays traced. */
#define IMAGE_STUBS_MARK "gdb-why stubs"

/* Name of the innermost inlined function whose code stands at addr, or NULL. */
const char *image_inlined_at(const struct image *im, uint64_t addr);

/* Tells the innermost block of variables around addr from others, as GDB does: an inlined function,
 * a `{ ... }' with variables; 0 = the function itself. */
uint64_t image_block_of_variables(const struct image *im, uint64_t addr);

/* The name of what a call to addr reaches when that has no debug information: a PLT stub's
 * symbol, or a symbol of .symtab; or NULL.  The second function says the same of the GOT slot
 * at addr (for `call *slot(%rip)`). */
const char *image_native_name(const struct image *im, uint64_t addr);
const char *image_slot_name(const struct image *im, uint64_t addr);

/* ---- instructions and rows ---- */

/* All decoded instructions of functions with debug info, ascending; the index
 * and range that trace_plan_module needs can be made from it. */
size_t image_insns(const struct image *im, const struct trace_insn **out);
const struct trace_insn *image_insn_at(const struct image *im,
				       uint64_t addr); /* O(1), NULL if none starts there */

/* A statement: all rows of the same function, file, line and column.  Inlined
 * functions' rows carry the inlined function's name. */
struct image_statement {
	uint32_t id; /* dense, from 0 */
	const char *function;
	const char *file;      /* absolute where DWARF tells */
	unsigned line, column; /* column 0 = not known */
	bool prologue;	       /* rows of a prologue: nothing but argument copies and saves */
};

struct image_row {
	uint64_t lo, hi;
	uint32_t statement;
	bool is_stmt;
	bool prologue;
};

/* For hash tables whose keys are statements that count as equal when they stand on one line; their
 * .file is not NULL. */
guint image_line_hash(gconstpointer statement);
gboolean image_line_equal(gconstpointer a, gconstpointer b);
/* Code of a library's header that was put into the user's: the place of the user's call that it is
 * in the place of.  .id is not set.  False: addr is no such code, or the call is not known. */
bool image_users_call_at(const struct image *im, uint64_t addr, struct image_statement *out);
/* Is the file one of the compiler's or the system's, and not of the program? */
bool image_is_of_system(const char *file);

/* The row that covers addr; NULL = none, or line 0.  O(log n). */
const struct image_row *image_row_at(const struct image *im, uint64_t addr);
const struct image_statement *image_statement(const struct image *im, uint32_t id);

/* Where debuggers stop for a line.  In optimized code several lines may begin at an address, and
 * only the last of them has a row. */
struct image_beginning {
	uint64_t addr;
	const char *file;
	unsigned line;
};
/* All of them, by ascending address. */
size_t image_beginnings(const struct image *im, const struct image_beginning **out);

/* Text of a source line without its newline, or NULL when the file is not
 * there.  Files are read once. */
const char *image_source_line(const struct image *im, const char *file, unsigned line);
/* Does the row's line begin with this bracket?  The code of it was made by the compiler. */
bool image_row_begins_with(const struct image *im, const struct image_row *row, char bracket);
/* Does the instruction, of a function's closing bracket, only move what is returned to the register
 * of the result? */
bool image_moves_result(const struct image *im, const struct image_row *row,
			const struct trace_insn *insn);
/* The number that the file's `#define NAME 5' gives a name.  False: there is none, or there are
 * several. */
bool image_source_number(const struct image *im, const char *file, const char *name,
			 int64_t *number);
/* Sets the text of a file, whatever the disk holds.  Call it before the first question about
 * one of its lines. */
void image_set_source(struct image *im, const char *file, const char *text);
/* The distinct files of all statements; free the array (not the names). */
GPtrArray *image_source_files(const struct image *im);
/* Does the program say of this file that it is not what is tested?  A section of this name has such
 * files, each a text that ends in NUL: their absolute names, or as they were given to the compiler.
 * Tests that gdb-why specs saves have it, and so have specifications (gdbext/specs/save.h,
 * gdbext/contract/why-spec.h). */
#define IMAGE_GIVEN_SECTION "why_given"
bool image_file_is_given(const struct image *im, const char *file);

/* ---- control flow ---- */

struct image_block {
	uint32_t id;
	uint64_t lo, hi; /* [lo, hi); the last instruction starts before hi */
	uint64_t last;	 /* address of the last instruction */
	uint32_t n_succ;
	const uint32_t *succ; /* block ids; taken side of a conditional first, then fall-through */
	bool returns;	      /* ends with ret, or a jump out of the function (tail call) */
	bool stops;	    /* ends in a call that does not return (abort, exit, __assert_fail …),
			     * hlt, ud2, or an indirect jump with unknown targets */
	int32_t ipdom;	    /* immediate post-dominator, -1 = the function's exit (virtual) */
	uint32_t n_control; /* blocks on whose branch this block is control dependent */
	const uint32_t *control;
};

struct image_cfg {
	const struct image_function *function;
	uint32_t n_blocks; /* block 0 holds the entry; includes blocks of cold parts */
	const struct image_block *blocks;
};

/* The graph of a function, made once.  A call does not end a block unless it never returns.
 * Jump tables are resolved.  For post-dominators, a virtual exit follows all `returns` and
 * `stops` blocks; blocks that cannot reach an exit (endless loops) get an edge to it. */
const struct image_cfg *image_cfg(const struct image *im, const struct image_function *f);
/* Block that holds addr in f's graph, or NULL. */
const struct image_block *image_block_at(const struct image *im, const struct image_function *f,
					 uint64_t addr);

/* The blocks with which each round of the innermost loop that holds both blocks begins, true for
 * each; NULL = no loop holds both.  Caller frees. */
bool *image_round_heads(const struct image_cfg *cfg, uint32_t a, uint32_t b);
/* Can control go from one block to the other, over an edge or more, and not enter one of these
 * (NULL = none)? */
bool image_leads_to(const struct image_cfg *cfg, uint32_t from, uint32_t to, const bool *heads);

/* The possible targets of the indirect jump at addr as its jump table lists them (link-time,
 * distinct, ascending); 0 when they are not known.  *table, *table_size: where the table lies; of
 * `goto *labels[i]' *table is 0, and the targets are all labels whose address is data. */
size_t image_jump_targets(const struct image *im, uint64_t addr, const uint64_t **out,
			  uint64_t *table, uint64_t *table_size);
/* Where each entry of that table leads (link-time), in the order of the values that choose one; 0
 * when they are not known. */
size_t image_jump_entries(const struct image *im, uint64_t addr, const uint64_t **out);

#endif
