/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Characters that traced code puts into stdio's buffer itself: in optimized code glibc's headers
 * make putc_unlocked and its kin a few instructions, and no call.
 *
 *     mov  0x28(%rdi),%rax      the stream's _IO_write_ptr
 *     cmp  0x30(%rdi),%rax
 *     jae  ...                  the buffer is full: __overflow, a call
 *     lea  0x1(%rax),%rdx
 *     mov  %rdx,0x28(%rdi)
 *     mov  %cl,(%rax)           the put
 *
 * Which of these went to a stream of interest is told by how much was written to it: whoever goes
 * forward through a run has each put noted, and asks at each note of the recorder's for those that
 * are its bytes.
 */
#ifndef SOLVER_OUTPUT_INLINED_PUT_H
#define SOLVER_OUTPUT_INLINED_PUT_H

#include "solver/output/printed.h"

struct inlined_puts;

/* run must outlive it. */
struct inlined_puts *inlined_puts_new(const struct trace_run *run);
void inlined_puts_free(struct inlined_puts *p);

/* Does a put stand there?  A superblocks_end_fn; puts: struct inlined_puts. */
bool inlined_puts_stand_at(uint64_t pc, void *puts);
/* The same for a place that inlined_puts_stand_at was asked of before. */
bool inlined_puts_stood_at(const struct inlined_puts *p, uint64_t pc);
/* Notes the put that the cursor stands before; made: its .step, .pc and .nth. */
void inlined_puts_take(struct inlined_puts *p, const struct trace_cursor *cursor,
		       const struct printed_call *made);
/* Those noted since inlined_puts_forget, an array of struct printed_call with one byte and no
 * pieces yet, that went to one stream and put exactly this text there; NULL = none did. */
const GArray *inlined_puts_of_text(const struct inlined_puts *p, const char *text, size_t length);
void inlined_puts_forget(struct inlined_puts *p);
/* What such a put prints. */
struct printed_piece inlined_put_piece(const struct printed_call *put);

#endif
