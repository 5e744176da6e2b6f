/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/question/analysis/first-chain.h"

#include "gdbext/question/analysis/analysis.h"
#include "gdbext/question/own-verdict.h"
#include "gdbext/question/wrong-output.h"
#include "solver/isa/insn.h"
#include "solver/answer/opening.h"
#include "solver/library/library.h"

#include <signal.h>
#include <string.h>

static bool is_long(const struct question *q)
{
	return q->index && reverse_index_steps(q->index) >= q->o->limits.nearby_from;
}

/* Code without a frame pointer has other values in that register. */
static bool points_into_frame(const struct image_frame *frame, unsigned reg)
{
	return reg == TRACE_RSP ||
	       (reg == TRACE_RBP && frame->regs[TRACE_RBP] >= frame->regs[TRACE_RSP] &&
		frame->regs[TRACE_RBP] - frame->regs[TRACE_RSP] < 1 << 20);
}

/* Finds the register by which the access went that a signal ended; false = there is none. */
static bool place_of_pointer(const struct question *q, struct reverse_index_place *place)
{
	const struct image_frame *frame = trace_point_frame(q->point);
	const struct trace_insn *insn = image_insn_at(trace_point_image(q->point), frame->pc);

	for (unsigned i = 0; insn && i < insn->n_mem; i++) {
		const unsigned base = insn->mem[i].base;

		if (base >= TRACE_RFLAGS || points_into_frame(frame, base))
			continue;
		*place = (struct reverse_index_place){ .reg = base };
		return true;
	}
	return false;
}

static bool is_zero(const struct question *q, const struct reverse_index_place *place)
{
	const struct image_frame *frame = trace_point_frame(q->point);
	uint64_t value = place->memory ? 0 : (uint32_t)frame->regs[place->reg];

	return (!place->memory || (place->size <= sizeof(value) &&
				   frame->read(frame->arg, place->address, place->size, &value))) &&
	       !value;
}

/* What a division divides by that a signal ended because it is 0; the dividend is in the other two
 * registers. */
static bool place_of_divisor(const struct question *q, struct reverse_index_place *place)
{
	const struct image_frame *frame = trace_point_frame(q->point);
	const struct trace_insn *insn = image_insn_at(trace_point_image(q->point), frame->pc);
	const uint64_t dividend = 1u << TRACE_RAX | 1u << TRACE_RDX;
	const uint64_t divisor = insn ? insn->use_gpr & ~dividend : 0;
	struct reverse_index_place by = { 0 };

	if (!insn)
		return false;
	if (insn->n_mem == 1 && !insn->mem[0].seg)
		by = (struct reverse_index_place){
			.memory = true,
			.address = insn_address(&insn->mem[0], frame->regs, frame->bias, 0, 0),
			.size = insn->mem[0].size,
		};
	else if (!insn->n_mem && divisor && !(divisor & (divisor - 1)))
		by.reg = (unsigned)__builtin_ctzll(divisor);
	else
		return false;
	if (!is_zero(q, &by))
		return false;
	*place = by;
	return true;
}

/* Asks first where a pointer came from that led nowhere, in short runs, too. */
static bool is_crash(const struct question *q)
{
	return g_strcmp0(q->e->failure.kind, "signal") == 0;
}

/* The library found its own data harmed, as malloc does: nothing in the line that called it led
 * there. */
static bool is_abort_of_library(const struct question *q)
{
	const struct image *im = trace_point_image(q->point);
	const struct trace_insn *insn = image_insn_at(im, trace_point_frame(q->point)->pc);
	const char *name =
		insn && insn->flow == TRACE_FLOW_CALL ? image_native_name(im, insn->target) : NULL;

	return is_crash(q) && q->requirement->end.signo == SIGABRT && name &&
	       !library_exits(name) && strcmp(name, "abort") != 0 && strcmp(name, "raise") != 0;
}

static void describe_first_chain(struct question *q)
{
	const struct wrong_output_start start = wrong_output_start(q);
	struct reverse_index_place other = own_verdict_status(q);
	bool has_other = (q->requirement->end.end == RUN_STATUS && !q->check) ||
			 (is_crash(q) &&
			  (q->requirement->end.signo == SIGFPE ? place_of_divisor(q, &other)
							       : place_of_pointer(q, &other)));
	const struct reverse_index_place *place = start.has_place ? &start.place
						  : has_other	  ? &other
								  : NULL;

	/* a program whose main function is the library's may execute no code of its own */
	if (q->is_opened || !q->index || !reverse_index_steps(q->index))
		return;
	q->is_opened = true;
	if (is_abort_of_library(q))
		return;
	opening_describe(q->e, q->point, q->index, place, &q->o->limits);
}

void first_chain_describe(struct question *q)
{
	if (q->is_opened || (!is_long(q) && !is_crash(q)))
		return;
	describe_first_chain(q);
	analysis_stream(q);
}

void first_chain_instead(struct question *q)
{
	describe_first_chain(q);
}
