/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DWARF location expressions, evaluated on a frame (DWARF 5, section 2.5). */
#include "solver/image/variable/location.h"

#include <dwarf.h>
#include <stdlib.h>

/* enum trace_reg (or TRACE_XMM0 + n) of DWARF's number, or TRACE_REG_NONE. */
static unsigned register_of_dwarf(unsigned dwarf)
{
	/* in hardware order */
	static const uint8_t general[8] = { TRACE_RAX, TRACE_RDX, TRACE_RCX, TRACE_RBX,
					    TRACE_RSI, TRACE_RDI, TRACE_RBP, TRACE_RSP };

	if (dwarf < 8)
		return general[dwarf];
	if (dwarf < 16)
		return dwarf;
	return dwarf >= 17 && dwarf < 33 ? TRACE_XMM0 + dwarf - 17 : TRACE_REG_NONE;
}

enum { DEPTH = 64 };

struct machine {
	const struct image *im;
	const struct image_frame *frame;
	Dwarf_Attribute *frame_base; /* of the function; NULL = none */
	uint64_t stack[DEPTH];
	unsigned n;
	bool failed;
	struct image_place place; /* when an operation names a place at once */
};

static void push_dwarf_value(struct machine *m, uint64_t v)
{
	if (m->n == DEPTH)
		m->failed = true;
	else
		m->stack[m->n++] = v;
}

static uint64_t pop_dwarf_value(struct machine *m)
{
	if (m->n == 0) {
		m->failed = true;
		return 0;
	}
	return m->stack[--m->n];
}

static void push_register(struct machine *m, unsigned dwarf, uint64_t offset)
{
	unsigned r = register_of_dwarf(dwarf);

	if (r > TRACE_R15)
		m->failed = true;
	else
		push_dwarf_value(m, m->frame->regs[r] + offset);
}

static void dereference_top(struct machine *m, unsigned size)
{
	uint64_t v, address = pop_dwarf_value(m);

	if (m->failed || !m->frame->read || size > 8 ||
	    !m->frame->read(m->frame->arg, address, size, &v))
		m->failed = true;
	else
		push_dwarf_value(m, v);
}

static bool evaluate_cfa(const struct image *im_const, const struct image_frame *frame,
			 uint64_t *cfa, bool *by_stack);

/* In the prologue and behind the epilogue of a function with a frame pointer, the register is the
 * caller's, and the CFA is told by the stack pointer.  The function's own frame pointer is that of
 * the place where it saves the caller's, right below the return address. */
static uint64_t frame_pointer(const struct machine *m)
{
	uint64_t cfa;
	bool by_stack = false;

	return evaluate_cfa(m->im, m->frame, &cfa, &by_stack) && by_stack
		       ? cfa - 16
		       : m->frame->regs[TRACE_RBP];
}

static void push_frame_base(struct machine *m, uint64_t offset)
{
	struct image_place p = { 0 };
	Dwarf_Op *ops;
	size_t n;

	if (m->frame_base && dwarf_getlocation_addr(m->frame_base, m->frame->pc, &ops, &n, 1) == 1)
		p = location_evaluate(m->im, m->frame, NULL, ops, n);
	if (p.kind == IMAGE_PLACE_REGISTER && p.reg == TRACE_RBP)
		push_dwarf_value(m, frame_pointer(m) + offset);
	else if (p.kind == IMAGE_PLACE_REGISTER && p.reg <= TRACE_R15)
		push_dwarf_value(m, m->frame->regs[p.reg] + offset);
	else if (p.kind == IMAGE_PLACE_MEMORY)
		push_dwarf_value(m, p.address + offset);
	else
		m->failed = true;
}

static void dwarf_arithmetic(struct machine *m, unsigned op)
{
	uint64_t b = pop_dwarf_value(m), a = pop_dwarf_value(m);

	switch (op) {
	case DW_OP_plus:
		push_dwarf_value(m, a + b);
		break;
	case DW_OP_minus:
		push_dwarf_value(m, a - b);
		break;
	case DW_OP_mul:
		push_dwarf_value(m, a * b);
		break;
	case DW_OP_and:
		push_dwarf_value(m, a & b);
		break;
	case DW_OP_or:
		push_dwarf_value(m, a | b);
		break;
	case DW_OP_xor:
		push_dwarf_value(m, a ^ b);
		break;
	case DW_OP_shl:
		push_dwarf_value(m, b < 64 ? a << b : 0);
		break;
	case DW_OP_shr:
		push_dwarf_value(m, b < 64 ? a >> b : 0);
		break;
	case DW_OP_shra:
		push_dwarf_value(m, (uint64_t)((int64_t)a >> (b < 64 ? b : 63)));
		break;
	default:
		m->failed = true;
	}
}

static void name_register(struct machine *m, unsigned dwarf)
{
	m->place.reg = register_of_dwarf(dwarf);
	m->place.kind = m->place.reg == TRACE_REG_NONE ? IMAGE_PLACE_UNKNOWN : IMAGE_PLACE_REGISTER;
}

static bool is_arithmetic(unsigned op)
{
	return op == DW_OP_plus || op == DW_OP_minus || op == DW_OP_mul || op == DW_OP_and ||
	       op == DW_OP_or || op == DW_OP_xor || op == DW_OP_shl || op == DW_OP_shr ||
	       op == DW_OP_shra;
}

static void run_other_dwarf_op(struct machine *m, const Dwarf_Op *op)
{
	uint64_t top;

	switch (op->atom) {
	case DW_OP_addr:
		push_dwarf_value(m, op->number + m->frame->bias);
		break;
	case DW_OP_fbreg:
		push_frame_base(m, op->number);
		break;
	case DW_OP_bregx:
		push_register(m, (unsigned)op->number, op->number2);
		break;
	case DW_OP_regx:
		name_register(m, (unsigned)op->number);
		break;
	case DW_OP_call_frame_cfa:
		m->failed |= !image_cfa(m->im, m->frame, &top);
		push_dwarf_value(m, m->failed ? 0 : top);
		break;
	case DW_OP_const1u:
	case DW_OP_const1s:
	case DW_OP_const2u:
	case DW_OP_const2s:
	case DW_OP_const4u:
	case DW_OP_const4s:
	case DW_OP_const8u:
	case DW_OP_const8s:
	case DW_OP_constu:
	case DW_OP_consts:
		push_dwarf_value(m, op->number);
		break;
	case DW_OP_plus_uconst:
		push_dwarf_value(m, pop_dwarf_value(m) + op->number);
		break;
	case DW_OP_neg:
		push_dwarf_value(m, -pop_dwarf_value(m));
		break;
	case DW_OP_not:
		push_dwarf_value(m, ~pop_dwarf_value(m));
		break;
	case DW_OP_dup:
		top = pop_dwarf_value(m);
		push_dwarf_value(m, top);
		push_dwarf_value(m, top);
		break;
	case DW_OP_drop:
		pop_dwarf_value(m);
		break;
	case DW_OP_deref:
		dereference_top(m, 8);
		break;
	case DW_OP_deref_size:
		dereference_top(m, (unsigned)op->number);
		break;
	case DW_OP_nop:
		break;
	case DW_OP_stack_value:
		m->place.value = pop_dwarf_value(m);
		m->place.kind = IMAGE_PLACE_VALUE;
		break;
	default:
		m->failed = true;
	}
}

static void run_dwarf_op(struct machine *m, const Dwarf_Op *op)
{
	unsigned a = op->atom;

	if (a >= DW_OP_lit0 && a <= DW_OP_lit31)
		push_dwarf_value(m, a - DW_OP_lit0);
	else if (a >= DW_OP_reg0 && a <= DW_OP_reg31)
		name_register(m, a - DW_OP_reg0);
	else if (a >= DW_OP_breg0 && a <= DW_OP_breg31)
		push_register(m, a - DW_OP_breg0, op->number);
	else if (is_arithmetic(a))
		dwarf_arithmetic(m, a);
	else
		run_other_dwarf_op(m, op);
}

struct image_place location_evaluate(const struct image *im, const struct image_frame *frame,
				     Dwarf_Attribute *frame_base, const Dwarf_Op *ops, size_t n)
{
	struct machine m = { .im = im, .frame = frame, .frame_base = frame_base };
	const struct image_place unknown = { 0 };

	for (size_t i = 0; i < n && !m.failed; i++)
		run_dwarf_op(&m, &ops[i]);
	if (m.failed)
		return unknown;
	if (m.place.kind == IMAGE_PLACE_UNKNOWN && m.n) {
		m.place.kind = IMAGE_PLACE_MEMORY;
		m.place.address = m.stack[m.n - 1];
	}
	return m.place;
}

/* by_stack: is it told by the stack pointer? */
static bool evaluate_cfa(const struct image *im_const, const struct image_frame *frame,
			 uint64_t *cfa, bool *by_stack)
{
	struct image *im = (struct image *)im_const; /* the table is read on demand */
	Dwarf_Frame *f = NULL;
	Dwarf_Op *ops;
	size_t n;
	struct image_place p = { 0 };

	if (!im->cfi)
		im->cfi = dwarf_getcfi_elf(im->elf);
	if (!im->cfi || dwarf_cfi_addrframe(im->cfi, frame->pc, &f) != 0)
		return false;
	if (dwarf_frame_cfa(f, &ops, &n) == 0 && n) {
		p = location_evaluate(im, frame, NULL, ops, n);
		*by_stack = n == 1 && (ops[0].atom == DW_OP_breg7 ||
				       (ops[0].atom == DW_OP_bregx && ops[0].number == 7));
	}
	free(f);
	if (p.kind != IMAGE_PLACE_MEMORY)
		return false;
	*cfa = p.address;
	return true;
}

bool image_cfa(const struct image *im, const struct image_frame *frame, uint64_t *cfa)
{
	bool by_stack;

	return evaluate_cfa(im, frame, cfa, &by_stack);
}

bool image_unwind(const struct image *im, struct image_frame *frame, uint64_t *cfa)
{
	uint64_t back, saved;

	if (!image_cfa(im, frame, cfa) || !frame->read ||
	    !frame->read(frame->arg, *cfa - 8, 8, &back))
		return false;
	/* a frame pointer is kept right below the return address */
	if (frame->regs[TRACE_RBP] == *cfa - 16 && frame->read(frame->arg, *cfa - 16, 8, &saved))
		frame->regs[TRACE_RBP] = saved;
	frame->regs[TRACE_RSP] = *cfa;
	frame->pc = back - frame->bias - 1; /* within the call */
	return true;
}
