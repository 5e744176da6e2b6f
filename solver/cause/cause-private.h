/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of cause.h: cause-question.c makes the tree, cause.c goes back through the run,
 * cause-words.c names what was found. */
#ifndef SOLVER_CAUSE_CAUSE_PRIVATE_H
#define SOLVER_CAUSE_CAUSE_PRIVATE_H

#include "solver/cause/cause.h"
#include "solver/image/variable/variable.h"
#include "solver/naming/naming.h"
#include "solver/slice/decision.h"
#include "solver/slice/kept-bits.h"
#include "solver/slice/library-read.h"
#include "solver/slice/library-write.h"
#include "solver/slice/operands.h"

/* A cause, and where it was found. */
struct known_cause {
	struct cause cause; /* first */
	uint64_t step;	    /* UINT64_MAX = none, because nothing happened before it */
	struct reverse_index_place place;
	uint64_t until;	    /* CAUSE_INPUT, a result: the call came back before it */
	bool decides;	    /* it is about the step's branch, not about .place */
	bool asks_place;    /* the question is about .place */
	uint64_t before;    /* of a question: as it was before this step */
	bool is_text;	    /* of what is asked: struct wanted */
	uint64_t points_to; /* the value's text is of the object at this address; 0 = it is not */
	const char *apart;  /* the value, told apart from others; NULL = it need not be */
	const struct expression_code
		*code; /* the question is about this expression; NULL = it is not */
};

/* Causes are the same when the same step gave the same place its value. */
struct cause_key {
	uint64_t step, address;
	uint32_t what;
	uint64_t bits; /* of memory: those that matter */
};

struct finder {
	struct cause_tree tree; /* first */
	struct explanation *e;
	const struct trace_point *point;
	struct reverse_index *index;
	struct naming *naming;
	struct cause_origins *origins;	 /* NULL = not needed yet */
	struct library_writers *writers; /* in the image of the point; NULL = not needed yet */
	GHashTable *by_key;		 /* struct cause_key → index + 1 */
};

/* What is looked for: who wrote the place last before the step? */
struct wanted {
	struct reverse_index_place place;
	uint64_t step;
	enum cause_edge edge;
	bool is_text; /* untraced code may have written it behind traced code */
	bool is_read; /* untraced code read it, among others */
	/* the step loaded it, as others had changed it, and may have written it itself behind that
	 */
	bool is_changed;
	struct reverse_index_event changed;
	/* the parameter to which it was copied in a prologue */
	const char *parameter;
	const struct image_type *type;
	uint64_t value; /* with .parameter */
};

/* One call of a function, or the part of it that is one round of a loop. */
struct call {
	uint64_t first, end; /* steps, .end is behind the last one */
	uint32_t depth;	     /* of its own instructions */
};

/* cause-call.c */
struct call cause_call_from(struct finder *f, uint64_t first);
/* The call that the stop is in; false when the stop is not in that function. */
bool cause_find_open_call(struct finder *f, const struct image_function *function, uint64_t bias,
			  struct call *out);
/* Finds the call with that number among *all of the function. */
bool cause_find_call(struct finder *f, uint64_t entry, uint64_t number, uint64_t *all,
		     struct call *out);
/* The round of the innermost loop that has both the line and the place where the program stands in
 * the call; false when no loop has both. */
bool cause_find_round(struct finder *f, const struct stop *line, uint64_t bias,
		      const struct call *call, struct call *round);
/* The last step that executed one of the instructions: in the call, if one is asked about, and not
 * in those that it makes. */
uint64_t cause_last_step(struct finder *f, const struct call *call, const uint64_t *pcs,
			 unsigned n);
/* Where the program stands in a call that is not over. */
struct standing {
	const struct image *im;
	uint64_t pc;	 /* link-time: the next instruction, or the call that is not over */
	uint64_t before; /* the steps of the call, and of those that it makes, end there */
	uint32_t depth;
	bool is_in_call; /* .pc is of a call */
};
/* Where the program stands in each open call, the innermost first, in as many as the limit
 * line_calls says. call: only in that one, and nowhere when it is over. */
GArray *cause_standings(struct finder *f, const struct call *call);
/* From where the program can still come to the place (link-time) before a round of the loop ends
 * that has both: "list.c:21".  NULL when it cannot.  Caller frees. */
char *cause_where_before(const GArray *standings, const struct image *im, uint64_t place);

/* cause-question.c */
struct finder *cause_finder(struct explanation *e, const struct trace_point *m,
			    struct reverse_index *index, const char *text);
/* The call of the user's that led to a step in a library's header; else the step itself. */
uint64_t cause_users_step(struct finder *f, uint64_t step);
void cause_take_name(struct finder *f, struct known_cause *k, const struct name *n);
void cause_take_line(struct finder *f, struct known_cause *k, const struct image *im,
		     const struct image_statement *s);

/* cause.c */
struct known_cause *cause_at(const struct finder *f, unsigned i);
void cause_add(struct finder *f, struct known_cause *effect, const struct known_cause *made,
	       const struct wanted *w, const struct reverse_index_event *event);
/* Adds a place whose writer is looked for. */
void cause_want_place(const struct finder *f, GArray *all, const struct reverse_index_place *place,
		      uint64_t step, enum cause_edge edge);
/* Was the value assigned, passed or returned by the step that made it? */
enum cause_kind cause_kind_of_writer(const struct finder *f, const struct wanted *w,
				     uint64_t number);

/* cause-library.c: adds what the call read that made its result. */
void cause_want_reads(const struct finder *f, GArray *all, uint64_t call, uint64_t until,
		      enum cause_edge edge);
/* Untraced code wrote the bytes there after traced code did (writer; UINT64_MAX = none did): what
 * it copied is looked for, or what it made them of. */
bool cause_is_of_library(struct finder *f, GArray *all, const struct wanted *w, uint64_t writer);

/* cause-words.c: fill k->cause by k's kind and step. */
void cause_name(struct finder *f, struct known_cause *k, const struct wanted *w,
		const struct reverse_index_event *event);

/* cause-result.c: the value of a register, in which a small structure may be passed or returned;
 * NULL = it is not readable. */
const char *cause_value_of_register(struct finder *f, const struct name *n,
				    const struct definition *d, uint64_t value);

/* The frame of the step, whose names are known; it reads no memory. */
struct image_frame cause_frame_at(const struct finder *f, const struct reverse_index_insn *info,
				  const struct reverse_index_step *s);

/* cause-member.c: the member function of the library that got the object around the place last, in
 * words: "made by `basic_string'"; k is told by the line that called it.  NULL: it is not known. */
const char *cause_member_function(struct finder *f, struct known_cause *k, uint64_t step,
				  const struct reverse_index_place *place);

/* The variable of a function around the trace point that has the place, which it had at the step
 * already: its name.  NULL: there is none. */
const char *cause_outer_variable(struct finder *f, uint64_t step,
				 const struct reverse_index_place *place);

/* May a function of that symbol be a member function that changes its object? */
bool cause_may_fill_object(const char *function);

/* cause-hole.c: is it a part of the object that was asked about which no person could see? */
bool cause_is_hidden(const struct known_cause *asked, const struct reverse_index_place *part);
/* Finds who wrote what is wanted, as reverse_index_find; what a function left behind that has
 * returned came from outside. */
enum reverse_index_found cause_look_back(struct finder *f, const struct wanted *w, uint64_t *number,
					 struct reverse_index_event *event);
/* Adds what nobody wrote, or untraced code did. */
void cause_add_origin(struct finder *f, unsigned effect, struct known_cause *made,
		      const struct wanted *w, enum reverse_index_found found,
		      const struct reverse_index_event *event);
/* The place is that of a load of which something was changed by others.  Takes off
 * what it has in common with others, or with no member of the object (.size may become 0).  Is what
 * is left what traced code wrote there? */
bool cause_is_known(struct finder *f, uint64_t load, const struct reverse_index_event *changed,
		    struct reverse_index_place *place);

struct cause_origins;

/* cause-origin.c: where memory came from that no traced code wrote before the step, in words,
 * such as "byte 3 of the 2nd line that `fgets' read from standard input"; NULL = it is not known.
 * Caller frees.  *since: the call that brought it in, 0 = it was there from the start; may be
 * NULL. */
char *cause_origin(struct finder *f, uint64_t step, const struct reverse_index_place *place,
		   uint64_t *since);
/* The same of what a library function returned: "a random number", "byte 3 of a.txt". */
char *cause_origin_of_result(struct finder *f, uint64_t call);
/* The text that begins at the address before the step; NULL = it is not known, or long.  Free it.
 */
char *cause_text_in_memory(const struct finder *f, uint64_t step, uint64_t address);
/* Adds where the text came from that a library function may have read: the program's arguments, or
 * a file that was read after the step writer wrote there (UINT64_MAX = none did).  False: that is
 * not known. */
bool cause_add_text(struct finder *f, unsigned effect, const struct wanted *w, uint64_t writer);
/* The end of the variable that has the address; 0 = there is none. */
uint64_t cause_end_of_variable(const struct finder *f, uint64_t step, uint64_t address);
/* Can the text that the call copies (strcpy, strdup) reach to the place?  As long as it is, or
 * where that is not known, not out of the variable that takes it. */
bool cause_text_reaches(struct finder *f, const struct library_write *call,
			const struct reverse_index_place *place);
/* How long the text at the address was before the step; false: that is not known.  finder: struct
 * finder. */
bool cause_text_length(void *finder, uint64_t step, uint64_t address, uint64_t *length);
/* Where the byte was before the call copied a text behind the one that was there (strcat): in
 * that, or in what it copied.  False: it is not known. */
bool cause_text_behind(struct finder *f, const struct library_write *call,
		       const struct reverse_index_place *place, struct reverse_index_place *from);
/* Is the value in that place of the stack left over from a call before, so that nobody wrote it
 * for the variable that lies there now? */
bool cause_is_leftover(struct finder *f, uint64_t step, const struct reverse_index_place *place);
/* Is it a table by which <ctype.h> knows characters, or where that lies, or one of the cases of a
 * `switch'?  It tells nothing. */
bool cause_is_plumbing(struct finder *f, uint64_t step, const struct reverse_index_place *place);
/* The last call before the step of a library's function that was given the object's address;
 * UINT64_MAX: there is none.  f->origins is there. */
uint64_t cause_call_given(struct finder *f, uint64_t object, uint64_t step);
/* Is it what a call of untraced code returned? */
bool cause_is_result(const struct known_cause *k);
/* `isdigit' is a macro: it calls a function that returns where such a table lies. */
bool cause_is_result_of_plumbing(struct finder *f, const struct known_cause *k);
void cause_origins_free(struct cause_origins *o);

#endif
