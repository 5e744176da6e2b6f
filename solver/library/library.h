/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is known of functions that are not traced, by name: the rows of library.def.  The
 * walk of a record sees such a call's arguments and its result and nothing in between.
 *
 * Arguments are numbered from 1 in the order of the ABI (rdi, rsi, rdx, rcx, r8, r9);
 * 0 = none.
 */
#ifndef SOLVER_LIBRARY_LIBRARY_H
#define SOLVER_LIBRARY_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How large a block of the heap is that a function returns. */
enum library_block {
	LIBRARY_NO_BLOCK,
	LIBRARY_SIZED,	 /* argument .size, times argument .count */
	LIBRARY_STRING,	 /* as long as the string in it, with its NUL */
	LIBRARY_PRINTED, /* the number that it returns are characters; and a NUL */
};

/* What its result is made of, or what it writes, where the bytes at its arguments may change:
 * solver/formula/library-call.h has the terms. */
enum library_model {
	LIBRARY_NO_MODEL,
	LIBRARY_COMPARES,   /* argument 1 with argument 2 */
	LIBRARY_MEASURES,   /* the string at argument 1 */
	LIBRARY_FINDS,	    /* the character of argument 2 in what argument 1 points to */
	LIBRARY_FINDS_ANY,  /* one of the characters of argument 2 in the string at argument 1 */
	LIBRARY_FINDS_TEXT, /* the string at argument 2 in the one at argument 1 */
	LIBRARY_SPANS,	    /* how many characters of argument 1 are among those of argument 2 */
	LIBRARY_CONVERTS,   /* the decimal number in argument 1 */
	LIBRARY_MAPS,	    /* the character of argument 1: libc_character() */
	LIBRARY_COPIES,	    /* from argument 2 to argument 1 */
	LIBRARY_FILLS,	    /* argument 1 with the character of argument 2 */
};

/* How it brings in a value that the program did not make; or what it says of the file from which
 * others do. */
enum library_input {
	LIBRARY_NO_INPUT,
	LIBRARY_READS_LINE,	 /* to argument 1, at most argument 2 bytes */
	LIBRARY_READS_ELEMENTS,	 /* to argument 1, argument 2 times the result */
	LIBRARY_READS_BYTES,	 /* to argument 2, as many as it returns */
	LIBRARY_READS_OWN,	 /* to the block that argument 1 points to, as many as it returns */
	LIBRARY_READS_CHARACTER, /* it returns one */
	LIBRARY_SCANS, /* to arguments from the 2nd on, or from the 3rd on where it has a file */
	LIBRARY_SCANS_TEXT,	/* to those from the 3rd on, of the text of argument 1 */
	LIBRARY_MOVES,		/* in a file, so where it is read is not known any more */
	LIBRARY_OPENS_STREAM,	/* it returns one, of the file of argument 1 */
	LIBRARY_OPENS_FILE,	/* it returns a number, of the same; or of another number */
	LIBRARY_FINDS_VARIABLE, /* of the environment */
	LIBRARY_HAS_TABLE,	/* it returns where the address of a table of characters lies */
	LIBRARY_IS_CLOCK,	/* it returns a time, or fills 16 bytes with it */
	LIBRARY_IS_RANDOM,	/* it returns a number, or fills argument 1, argument 2 bytes */
};

/* What it does with the stream that it is given, which may be a text in memory. */
enum library_stream {
	LIBRARY_NO_STREAM,
	LIBRARY_STREAM_OPENS,  /* it returns one: *argument 1 points to its text, *argument 2 is how
				* long that is, whenever it was shown */
	LIBRARY_STREAM_PRINTS, /* .prints says what */
	LIBRARY_STREAM_SHOWS, /* what was printed so far is in the text; without a stream, of all */
	LIBRARY_STREAM_CLOSES, /* the same, and the stream is gone */
	LIBRARY_STREAM_KEEPS,  /* the text stays as it was */
};

enum library_result {
	LIBRARY_OTHER, /* nothing, or nothing that is told here */
	LIBRARY_INT,
	LIBRARY_LONG,
	LIBRARY_SIZE, /* size_t */
	LIBRARY_DOUBLE,
	LIBRARY_FLOAT,
};

/* What becomes of the mode in which floating-point operations round. */
enum library_rounding {
	LIBRARY_ROUNDING_STAYS,
	LIBRARY_ROUNDING_GIVEN,		 /* argument 1, one of <fenv.h>, when it returns 0 */
	LIBRARY_ROUNDING_OF_ENVIRONMENT, /* argument 1 points to it, or is FE_DFL_ENV */
};

/* How it prints, or formats into the memory that it writes. */
enum library_prints {
	LIBRARY_PRINTS_NOTHING,
	LIBRARY_PRINTS_FORMAT, /* the string at argument .format; its values follow */
	LIBRARY_PRINTS_LIST,   /* the same, and the next argument is a va_list of its values */
	LIBRARY_PRINTS_VALUE,  /* argument .printed, as the format .as says */
	LIBRARY_PRINTS_BYTES,  /* argument .printed points to as many as argument .printed_bytes
				* says, times argument .printed_times */
	LIBRARY_PRINTS_STRING, /* the std::string that argument .printed points to */
	LIBRARY_PRINTS_VECTOR, /* argument .printed points to as many pairs of an address and a
				* size, as argument .printed_bytes says */
};

/* How many bytes a function accesses at an argument. */
enum library_extent {
	LIBRARY_EXTENT_NONE,
	LIBRARY_EXTENT_BYTE,	     /* at least one */
	LIBRARY_EXTENT_STRING,	     /* the string there, with its NUL */
	LIBRARY_EXTENT_GIVEN,	     /* argument .size */
	LIBRARY_EXTENT_SOURCE,	     /* as long as the string at argument .size, with its NUL */
	LIBRARY_EXTENT_BEHIND,	     /* the same, behind the string that is there */
	LIBRARY_EXTENT_BEHIND_MOST,  /* the same, but no more than argument .most and a NUL */
	LIBRARY_EXTENT_RESULT,	     /* as many as it returned */
	LIBRARY_EXTENT_RESULT_NUL,   /* and a NUL */
	LIBRARY_EXTENT_RESULT_MOST,  /* and a NUL, but no more than argument .size in all */
	LIBRARY_EXTENT_RESULT_TIMES, /* as many as it returned, times argument .size */
};

struct library_access {
	enum library_extent extent;
	bool writes;
	uint8_t argument, size, most;
};

#define LIBRARY_READS(extent, argument, size, most)                        \
	{                                                                  \
		LIBRARY_EXTENT_##extent, false, (argument), (size), (most) \
	}
#define LIBRARY_WRITES(extent, argument, size, most)                      \
	{                                                                 \
		LIBRARY_EXTENT_##extent, true, (argument), (size), (most) \
	}

#define LIBRARY_ARGUMENT(n) (1u << ((n)-1))
enum { LIBRARY_ACCESSES = 2 };

struct library_function {
	const char *name;
	enum library_block block; /* of the heap, that it makes */
	uint8_t size, count;	  /* arguments; with LIBRARY_STRING .size is the most of them */
	uint8_t at;		  /* argument that points to where the block's address goes;
				   * 0 = it is the result */
	uint8_t copies;		  /* argument that points to what the block begins with */
	uint8_t frees;		  /* argument that is a block which is one no more */
	uint8_t extends;	  /* argument that is a block of which as many bytes may be used as
				   * the function returns */
	uint8_t locks, unlocks;	  /* argument that is a lock which it takes when it returns 0, or
				   * gives back; both: which it gives back while it waits */
	bool zeroes;		  /* the block */
	bool no_return;
	bool fails;	      /* a call of it is a failure of the test */
	bool is_assertion;    /* its arguments are the expression, the file, the line and the
			       * function of an assert() that did not hold */
	bool exits;	      /* the program ends, argument 1 is its status */
	bool keeps_memory;    /* traced code finds its memory as it was */
	bool keeps_arguments; /* what its arguments lead to stays as it was */
	uint8_t writes; /* LIBRARY_ARGUMENT(n) for each argument whose object it may write, and
			 * it writes no other; 0 = it is not told */
	uint8_t room;	/* argument that says how many bytes it writes there at most; copies and
			 * fills have .most for that */
	uint8_t reads;	/* LIBRARY_ARGUMENT(n) for each argument that points to text of which it
			 * makes its result or what it writes; not told where .model tells it */
	struct library_access accesses[LIBRARY_ACCESSES]; /* of memory at its arguments, for checks
							   * of memory; none = it is not told */
	enum library_prints prints;
	uint8_t format; /* argument that says how those behind it are printed */
	uint8_t printed, printed_bytes, printed_times; /* arguments */
	const char *as;				       /* the format of .printed */
	bool styled; /* the stream that it prints to may have a width, a base, a precision */
	enum library_stream uses;
	uint8_t stream; /* argument; of what opens one: 0 */
	uint8_t array;	/* argument that points to an array: what is in it goes in, too */
	uint8_t elements, element_size; /* arguments: of .array */
	uint8_t calls;			/* argument that is a function which it calls, often */
	bool remembers; /* without its first argument it goes on with that of the last call */
	bool libm;	/* depends on its arguments only: libm.h computes it */
	enum library_model model;
	bool text;	 /* of the model: up to a NUL */
	uint8_t most;	 /* of the model: argument that says how many bytes at most; 0 = none */
	bool last;	 /* finds the last one; copies behind the string that is there */
	bool fills;	 /* copies, and fills the rest with NULs */
	bool folds_case; /* compares letters without regard to their case */
	bool others;	 /* spans the characters that are not among them */
	enum library_input input;
	uint8_t file; /* of the input: argument that says what it reads, 0 = standard input; of what
		       * opens one: that becomes another file, 0 = a new one */
	bool descriptor; /* that is a number, and no stream */
	uint8_t filled;	 /* argument that points to what a clock, or chance, fills; 0 = none */
	enum library_result result;
	enum library_rounding rounding;
};

/* NULL when nothing is known of it; name may be NULL. */
const struct library_function *library_find(const char *name);

bool library_fails(const char *name);
bool library_exits(const char *name);
bool library_returns(const char *name); /* true also for what is not known */
bool library_is_put(const char *name);	/* C++'s `<<' of a stream and a value */
bool library_keeps_memory(const char *name);
bool library_formats_memory(const char *name); /* sprintf and its kin */
/* Does it make what it writes of values that are arguments of its own, as a format says? */
bool library_formats_values(const struct library_function *f);
/* Does it make a block that holds a text: a copy of another one, or what a format says? */
bool library_makes_text(const struct library_function *f);

/* Do both take the same arguments and return the same, and do something alike, so that a programmer
 * may take one for the other?  NULL is like nothing. */
bool library_does_alike(const struct library_function *a, const struct library_function *b);

/* The name of the function that assert() calls when it does not hold (.is_assertion). */
const char *library_assertion(void);

/* All rows, for tests. */
const struct library_function *library_rows(size_t *n);

#endif
