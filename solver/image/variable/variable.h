/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The types and variables of an image: what a variable is called, where it is at an address, what a
 * piece of memory is in C, and how C writes a value.
 *
 * Everything returned lives as long as the image, except where a function says otherwise.
 */
#ifndef SOLVER_IMAGE_VARIABLE_VARIABLE_H
#define SOLVER_IMAGE_VARIABLE_VARIABLE_H

#include "solver/image/image.h"

/* ---- types ---- */

enum image_type_kind {
	IMAGE_TYPE_VOID,
	IMAGE_TYPE_BOOL,
	IMAGE_TYPE_CHAR,
	IMAGE_TYPE_INT,
	IMAGE_TYPE_FLOAT,
	IMAGE_TYPE_ENUM,
	IMAGE_TYPE_POINTER,
	IMAGE_TYPE_STRUCT,
	IMAGE_TYPE_UNION,
	IMAGE_TYPE_ARRAY,
	IMAGE_TYPE_FUNCTION,
};

struct image_member {
	const char *name; /* NULL = anonymous */
	const struct image_type *type;
	uint64_t bit_offset; /* from the start of the aggregate */
	uint32_t bit_size;   /* 0 = no bit-field */
	unsigned line;	     /* where it is declared, in .file; 0 = not known */
	const char *file;
};

struct image_enumerator {
	const char *name;
	int64_t value;
};

/* Typedefs and qualifiers are looked through. */
struct image_type {
	enum image_type_kind kind;
	const char *name;		 /* "int", "struct node", "color" …; may be NULL */
	uint64_t size;			 /* bytes, 0 = unknown */
	bool is_signed;			 /* BOOL, CHAR, INT, ENUM */
	bool is_reference;		 /* POINTER: of C++, so it is used as what it refers to */
	bool by_reference;		 /* of C++: passed and returned by its address */
	const struct image_type *target; /* POINTER: pointee (NULL = void); ARRAY: element */
	uint64_t count;			 /* ARRAY: elements, 0 = unknown (flexible, VLA) */
	uint32_t n_members;		 /* STRUCT, UNION */
	const struct image_member *members;
	uint32_t n_enumerators; /* ENUM */
	const struct image_enumerator *enumerators;
	/* STRUCT: the first arguments of a C++ template that are types; NULL = there is none */
	const struct image_type *arguments[2];
};

/* The type with this name in C: "node_t", "struct node", "enum color"; NULL = there is none. */
const struct image_type *image_type_named(const struct image *im, const char *name);
/* The enumeration with this enumerator, or NULL. */
const struct image_type *image_enumerator_named(const struct image *im, const char *name,
						int64_t *value);
/* The pointer to a type (NULL = void); the same each time, owned by the image. */
const struct image_type *image_pointer_to(const struct image *im, const struct image_type *target);

/* Is a result of this type stored where the caller says, in its first register for arguments
 * (x86-64 ABI, 3.2.3)?  NULL = void. */
bool image_result_in_memory(const struct image_type *t);
/* Return type of a function (NULL = void). */
const struct image_type *image_return_type(const struct image *im, const struct image_function *f);

/* ---- variables ---- */

struct image_variable {
	uint32_t id;
	const char *name;
	const struct image_type *type;
	const struct image_function
		*function;	     /* whose frame it is in; NULL = file scope, static locals */
	uint64_t scope_lo, scope_hi; /* innermost lexical block's range (link-time) */
	bool parameter;
	bool inlined;	  /* of a function that was inlined into .function */
	const char *file; /* of its declaration, as in struct image_statement; NULL = not known */
	unsigned line;
	uint64_t address; /* link-time, file scope and static locals; 0 = none */
	const void *die;  /* private */
};

/* The variables visible at addr, innermost scope first, then those at file scope of that unit.
 * Where addr is an inlined function's, those of the functions around it come last.  *out is
 * valid until the next call. */
size_t image_variables_at(const struct image *im, uint64_t addr,
			  const struct image_variable *const **out);
/* The same without the last ones, which no source there can name.  around: nor has an inlined
 * function that begins at addr been entered. */
size_t image_variables_in_sight(const struct image *im, uint64_t addr, bool around,
				const struct image_variable *const **out);
/* The name of the function in which those are, where inlined functions that begin at addr have not
 * been entered; NULL = there is no function. */
const char *image_function_around(const struct image *im, uint64_t addr);
/* May a variable or member of this name, as text has it, stand in the user's source?  Compilers and
 * C++'s library keep some for themselves: `__for_begin', `_M_current'. */
bool image_name_is_of_source(const char *text);
/* A variable or parameter, wherever it is. */
struct image_named_variable {
	const char *function; /* in which it is; NULL = at file scope */
	const char *file;     /* of its declaration, as DWARF names it; NULL = not known */
	unsigned line;	      /* 0 = not known */
	bool has_others;      /* there are more of that name */
};
/* One that has this name; NULL = there is none. */
const struct image_named_variable *image_variable_named(const struct image *im, const char *name);
/* The type of the n-th parameter, from 0, of a function; NULL: it has fewer.  It ends what
 * image_variables_at gave. */
const struct image_type *image_parameter_type(const struct image *im,
					      const struct image_function *f, unsigned n);
/* Is its first parameter the object of a member function of C++, which the source does not count
 * among the arguments?  It ends what image_variables_at gave, too. */
bool image_function_has_object(const struct image *im, const struct image_function *f);
/* Is it a member function of C++ that may not change its object, `int size() const'? */
bool image_function_keeps_object(const struct image *im, const struct image_function *f);
/* All with a fixed address in this image, by ascending address. */
size_t image_globals(const struct image *im, const struct image_variable *const **out);

/* Where a variable is. */
struct image_place {
	enum {
		IMAGE_PLACE_UNKNOWN,
		IMAGE_PLACE_MEMORY,
		IMAGE_PLACE_REGISTER,
		IMAGE_PLACE_VALUE
	} kind;
	uint64_t address; /* MEMORY: runtime */
	unsigned reg;	  /* REGISTER: enum trace_reg (or TRACE_XMM0 + n) */
	uint64_t value;	  /* VALUE: implicit value or DW_OP_stack_value result */
};

/* A frame to evaluate in.  regs as they are at pc in that frame (runtime
 * values, hardware order). */
struct image_frame {
	uint64_t pc; /* link-time */
	bool around; /* an inlined function that begins at .pc has not been entered */
	uint64_t bias;
	uint64_t regs[17];
	/* Reads size <= 8 bytes of memory into *value; may be NULL (then what
	 * needs memory is UNKNOWN). */
	bool (*read)(void *arg, uint64_t address, unsigned size, uint64_t *value);
	void *arg;
};

struct image_place image_locate(const struct image *im, const struct image_variable *v,
				const struct image_frame *frame);

/* Canonical frame address at frame->pc by .eh_frame; false when unknown. */
bool image_cfa(const struct image *im, const struct image_frame *frame, uint64_t *cfa);
/* Goes from a frame to the one that called it: .pc is within the call, of the registers only rsp
 * and rbp are known.  *cfa: where the frame ended.  False when that is not known, and *cfa is set
 * when only the caller is not. */
bool image_unwind(const struct image *im, struct image_frame *frame, uint64_t *cfa);

/* The smallest part of a type that holds the bits [at, at + bits): a scalar, or else the
 * aggregate that they are a part of.  Appends the path to it in C: ".size", "[3].x". */
struct image_part {
	const struct image_type *type;
	uint64_t at, bits; /* where in the whole it starts */
};
void image_part_of(const struct image_type *t, uint64_t at, uint64_t bits, GString *text,
		   struct image_part *out);
/* The same, but where a part of the wanted type begins, that is meant, and not its own parts; NULL
 * = the smallest. */
void image_part_of_type(const struct image_type *t, uint64_t at, uint64_t bits,
			const struct image_type *wanted, GString *text, struct image_part *out);

/* The variable (visible at the frame's pc, or any global) whose storage covers
 * [address, address + size), and the path inside it in C ("list.size",
 * "a[3].x", "v"); the smallest scalar that matches.  False when none.
 * *type is the scalar's type (bit-fields: the field's). Free *text. */
struct image_lvalue {
	const struct image_variable *variable;
	const struct image_type *type;
	uint64_t object, object_size; /* runtime address and bytes of the whole variable */
	uint64_t part; /* runtime address of what the text names: it may begin before the address */
	char *text;
};
bool image_name_memory(const struct image *im, const struct image_frame *frame, uint64_t address,
		       unsigned size, struct image_lvalue *out);
/* The same of a whole object: `&o' and not `&o.first' where a `struct outer' is looked for. */
bool image_name_object(const struct image *im, const struct image_frame *frame, uint64_t address,
		       const struct image_type *type, struct image_lvalue *out);
void image_lvalue_clear(struct image_lvalue *lv);

/* A value of a type as C would write it: 42, -1, 'a', true, RED, 0x4052a0,
 * NULL, 1.5.  bytes: type->size of them.  Caller frees. */
char *image_format(const struct image_type *type, const uint8_t *bytes, size_t size);
/* "int", "struct node *", … Caller frees. */
char *image_type_text(const struct image_type *type);

/* Has it parts: is it an array, a structure or a union? */
bool image_type_is_aggregate(const struct image_type *t);
/* The compiler made it: what C++ finds virtual functions by. */
bool image_member_is_hidden(const struct image_member *m);
/* Do some of the object's bytes from the offset on belong to anything that the source names?  Bytes
 * between members do not, nor do hidden members. */
bool image_type_is_named_at(const struct image_type *t, uint64_t offset, uint64_t size);

#endif
