/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/isa/lift-op.h"

#include <stddef.h>
#include <string.h>

#include <libvex_basictypes.h>
#include <libvex_guest_amd64.h>
#include <libvex_ir.h>

struct convert {
	struct lift_build *b;
	const IRSB *sb;
	int32_t *temps; /* by IRTemp; -1 = not yet defined */
	uint64_t pc, next;
};

static unsigned width_of_vex_type(IRType type)
{
	switch (type) {
	case Ity_I1:
		return 1;
	case Ity_I8:
		return 8;
	case Ity_I16:
	case Ity_F16:
		return 16;
	case Ity_I32:
	case Ity_F32:
	case Ity_D32:
		return 32;
	case Ity_I64:
	case Ity_F64:
	case Ity_D64:
		return 64;
	case Ity_V256:
		return 256;
	default:
		return 128;
	}
}

#define AT(field) offsetof(VexGuestAMD64State, guest_##field)

/* libVEX's guest state in our layout.  The general registers have the same
 * order in both; what is not here (x87, rip, emulation notes) we leave out. */
static const struct {
	uint16_t vex, size, ours;
} places[] = {
	{ AT(RAX), 128, IR_STATE_GPR },	    { AT(CC_OP), 32, IR_STATE_CC_OP },
	{ AT(DFLAG), 8, IR_STATE_DFLAG },   { AT(IDFLAG), 8, IR_STATE_IDFLAG },
	{ AT(ACFLAG), 8, IR_STATE_ACFLAG }, { AT(FS_CONST), 8, IR_STATE_FS },
	{ AT(GS_CONST), 8, IR_STATE_GS },   { AT(SSEROUND), 8, IR_STATE_SSEROUND },
	{ AT(YMM0), 512, IR_STATE_YMM },
};
_Static_assert(AT(R15) - AT(RAX) == 120 && AT(CC_NDEP) - AT(CC_OP) == 24 &&
		       AT(YMM15) - AT(YMM0) == 480,
	       "libVEX keeps these together");

static bool state_offset(int offset, unsigned size, uint16_t *ours)
{
	for (size_t i = 0; i < G_N_ELEMENTS(places); i++) {
		int at = offset - places[i].vex;
		if (at >= 0 && at + (int)size <= places[i].size) {
			*ours = (uint16_t)(places[i].ours + at);
			return true;
		}
	}
	return false;
}

static struct ir_op effect_op(enum ir_kind kind, int32_t x, int32_t y, int32_t z)
{
	return (struct ir_op){ .kind = (uint8_t)kind, .a = x, .b = y, .c = z, .d = -1 };
}

/* ---- expressions ---- */

static int32_t convert_expression(struct convert *c, const IRExpr *e);

static unsigned expression_width(const struct convert *c, const IRExpr *e)
{
	return width_of_vex_type(typeOfIRExpr(c->sb->tyenv, e));
}

static int32_t get_converted_state(struct convert *c, int offset, IRType type)
{
	struct ir_op op = effect_op(IR_GET, -1, -1, -1);

	op.width = (uint16_t)width_of_vex_type(type);
	if (!state_offset(offset, op.width / 8, &op.offset))
		return lift_unknown(c->b, op.width);
	return lift_emit(c->b, op);
}

static int32_t convert_load(struct convert *c, int32_t address, unsigned width)
{
	struct ir_op op = effect_op(IR_LOAD, address, -1, -1);

	op.width = (uint16_t)width;
	return lift_emit(c->b, op);
}

/* One bit a byte, as libVEX writes its vector constants. */
static int32_t vector_constant(struct convert *c, uint32_t bits, unsigned width)
{
	int32_t word[4];
	unsigned n = width / 64;

	for (unsigned i = 0; i < n; i++) {
		uint64_t value = 0;
		for (unsigned byte = 0; byte < 8; byte++) {
			if (bits >> (8 * i + byte) & 1)
				value |= UINT64_C(0xff) << (8 * byte);
		}
		word[i] = lift_const(c->b, 64, value);
	}
	return lift_join(c->b, word, n);
}

static int32_t convert_constant(struct convert *c, const IRConst *con)
{
	uint64_t bits = 0;

	switch (con->tag) {
	case Ico_U1:
		return lift_const(c->b, 1, con->Ico.U1);
	case Ico_U8:
		return lift_const(c->b, 8, con->Ico.U8);
	case Ico_U16:
		return lift_const(c->b, 16, con->Ico.U16);
	case Ico_U32:
		return lift_const(c->b, 32, con->Ico.U32);
	case Ico_U64:
		return lift_const(c->b, 64, con->Ico.U64);
	case Ico_F32:
		memcpy(&bits, &con->Ico.F32, sizeof(con->Ico.F32));
		return lift_const(c->b, 32, bits);
	case Ico_F32i:
		return lift_const(c->b, 32, con->Ico.F32i);
	case Ico_F64:
		memcpy(&bits, &con->Ico.F64, sizeof(bits));
		return lift_const(c->b, 64, bits);
	case Ico_F64i:
		return lift_const(c->b, 64, con->Ico.F64i);
	case Ico_V256:
		return vector_constant(c, con->Ico.V256, 256);
	case Ico_V128:
		return vector_constant(c, con->Ico.V128, 128);
	default:
		return vector_constant(c, con->Ico.U128, 128);
	}
}

static int32_t convert_primitive(struct convert *c, const IRExpr *e, IROp op,
				 IRExpr *const *operand, unsigned n)
{
	int32_t args[4] = { -1, -1, -1, -1 }, result;

	for (unsigned i = 0; i < n; i++)
		args[i] = convert_expression(c, operand[i]);
	result = lift_scalar_op(c->b, op, args);
	if (result < 0)
		result = lift_lane_op(c->b, op, args);
	if (result < 0)
		result = lift_unknown(c->b, expression_width(c, e));
	if (lift_width(c->b, result) != expression_width(c, e))
		return lift_unknown(c->b, expression_width(c, e));
	return result;
}

/* The helper gives the rounding mode as guest_SSEROUND has it; the bits above it are a warning
 * that only valgrind uses. */
static int32_t rounding_of_mxcsr(struct convert *c, int32_t mxcsr)
{
	enum { ROUNDING_CONTROL = 13, ITS_BITS = 2 };

	return lift_zext(c->b, lift_extract(c->b, mxcsr, ROUNDING_CONTROL, ITS_BITS), 64);
}

/* The flag helpers have ops of their own, and the one that reads a rounding mode is
 * simple; others are not modelled. */
static int32_t pure_call(struct convert *c, const IRExpr *e)
{
	const char *name = (const char *)e->Iex.CCall.cee->name;
	IRExpr **args = e->Iex.CCall.args;
	struct ir_op op = { .width = 64, .a = -1, .b = -1, .c = -1, .d = -1 };

	if (g_str_equal(name, "amd64g_calculate_condition") && args[0]->tag == Iex_Const) {
		op.kind = IR_COND;
		op.width = 1;
		op.value = args[0]->Iex.Const.con->Ico.U64;
		args++;
	} else if (g_str_equal(name, "amd64g_calculate_rflags_c")) {
		op.kind = IR_FLAGS_C;
	} else if (g_str_equal(name, "amd64g_calculate_rflags_all")) {
		op.kind = IR_FLAGS;
	} else if (g_str_equal(name, "amd64g_check_ldmxcsr")) {
		return rounding_of_mxcsr(c, convert_expression(c, args[0]));
	} else {
		return lift_unknown(c->b, width_of_vex_type(e->Iex.CCall.retty));
	}
	op.a = convert_expression(c, args[0]);
	op.b = convert_expression(c, args[1]);
	op.c = convert_expression(c, args[2]);
	op.d = convert_expression(c, args[3]);
	return lift_zext(c->b, lift_emit(c->b, op), 64);
}

static int32_t operator_expression(struct convert *c, const IRExpr *e)
{
	IRExpr *operand[4];

	switch (e->tag) {
	case Iex_Unop:
		operand[0] = e->Iex.Unop.arg;
		return convert_primitive(c, e, e->Iex.Unop.op, operand, 1);
	case Iex_Binop:
		operand[0] = e->Iex.Binop.arg1;
		operand[1] = e->Iex.Binop.arg2;
		return convert_primitive(c, e, e->Iex.Binop.op, operand, 2);
	case Iex_Triop:
		operand[0] = e->Iex.Triop.details->arg1;
		operand[1] = e->Iex.Triop.details->arg2;
		operand[2] = e->Iex.Triop.details->arg3;
		return convert_primitive(c, e, e->Iex.Triop.details->op, operand, 3);
	default:
		operand[0] = e->Iex.Qop.details->arg1;
		operand[1] = e->Iex.Qop.details->arg2;
		operand[2] = e->Iex.Qop.details->arg3;
		operand[3] = e->Iex.Qop.details->arg4;
		return convert_primitive(c, e, e->Iex.Qop.details->op, operand, 4);
	}
}

static int32_t convert_expression(struct convert *c, const IRExpr *e)
{
	switch (e->tag) {
	case Iex_Get:
		return get_converted_state(c, e->Iex.Get.offset, e->Iex.Get.ty);
	case Iex_RdTmp:
		if (c->temps[e->Iex.RdTmp.tmp] < 0)
			return lift_unknown(c->b, expression_width(c, e));
		return c->temps[e->Iex.RdTmp.tmp];
	case Iex_Const:
		return convert_constant(c, e->Iex.Const.con);
	case Iex_Load:
		return convert_load(c, convert_expression(c, e->Iex.Load.addr),
				    width_of_vex_type(e->Iex.Load.ty));
	case Iex_ITE:
		return lift_ite(c->b, convert_expression(c, e->Iex.ITE.cond),
				convert_expression(c, e->Iex.ITE.iftrue),
				convert_expression(c, e->Iex.ITE.iffalse));
	case Iex_CCall:
		return pure_call(c, e);
	case Iex_Unop:
	case Iex_Binop:
	case Iex_Triop:
	case Iex_Qop:
		return operator_expression(c, e);
	default:
		return lift_unknown(c->b, expression_width(c, e));
	}
}

/* ---- statements ---- */

static void put_converted_state(struct convert *c, int offset, int32_t value)
{
	unsigned width = lift_width(c->b, value);
	struct ir_op op = effect_op(IR_PUT, value, -1, -1);

	if (offset == (int)AT(RIP))
		return;
	if (state_offset(offset, width / 8, &op.offset))
		lift_emit(c->b, op);
	else if (offset < (int)AT(FTOP) || offset >= (int)AT(EMNOTE))
		return;
	else
		c->b->complete = false;
}

static void convert_store(struct convert *c, int32_t address, int32_t value, int32_t guard)
{
	uint64_t always;

	if (guard >= 0 && lift_is_const(c->b, guard, &always)) {
		if (!always)
			return;
		guard = -1;
	}
	lift_emit(c->b, effect_op(guard < 0 ? IR_STORE : IR_STOREG, address, value, guard));
}

static void convert_guarded_load(struct convert *c, const IRLoadG *l)
{
	IRType result, loaded;
	int32_t guard = convert_expression(c, l->guard), alt = convert_expression(c, l->alt), value;
	struct ir_op op = effect_op(IR_LOADG, convert_expression(c, l->addr), -1, guard);

	typeOfIRLoadGOp(l->cvt, &result, &loaded);
	op.width = (uint16_t)width_of_vex_type(loaded);
	op.b = result == loaded ? alt : lift_const(c->b, op.width, 0);
	value = lift_emit(c->b, op);
	if (l->cvt == ILGop_16Uto32 || l->cvt == ILGop_8Uto32)
		value = lift_ite(c->b, guard, lift_zext(c->b, value, 32), alt);
	else if (l->cvt == ILGop_16Sto32 || l->cvt == ILGop_8Sto32)
		value = lift_ite(c->b, guard, lift_sext(c->b, value, 32), alt);
	c->temps[l->dst] = value;
}

/* What is at address now: the op that loaded it, when nothing was stored
 * since.  (A locked operation loads, then compares and swaps; nobody else runs
 * between.) */
static int32_t loaded_value(struct convert *c, int32_t address, int32_t expected)
{
	const struct ir_op *ops = (const struct ir_op *)(void *)c->b->ops->data;

	if (ops[expected].kind == IR_LOAD && ops[expected].a == address)
		return expected;
	return convert_load(c, address, lift_width(c->b, expected));
}

static void compare_and_swap(struct convert *c, const IRCAS *cas)
{
	int32_t address = convert_expression(c, cas->addr), high = -1;
	int32_t expected = convert_expression(c, cas->expdLo);
	int32_t old = loaded_value(c, address, expected);
	int32_t equal = lift_compare(c->b, IR_EQ, old, expected);

	c->temps[cas->oldLo] = old;
	if (cas->oldHi != IRTemp_INVALID) {
		unsigned size = lift_width(c->b, old) / 8;
		int32_t expected_high = convert_expression(c, cas->expdHi);
		high = lift_binary(c->b, IR_ADD, address, lift_const(c->b, 64, size));
		c->temps[cas->oldHi] = convert_load(c, high, size * 8);
		equal = lift_binary(c->b, IR_AND, equal,
				    lift_compare(c->b, IR_EQ, c->temps[cas->oldHi], expected_high));
	}
	convert_store(c, address, convert_expression(c, cas->dataLo), equal);
	if (high >= 0)
		convert_store(c, high, convert_expression(c, cas->dataHi), equal);
}

/* Widths that an op may have, for size bytes of something. */
static unsigned piece_width(unsigned size)
{
	return size >= 8 ? 8 : size >= 4 ? 4 : size >= 2 ? 2 : 1;
}

static void forget_state(struct convert *c, unsigned offset, unsigned size)
{
	for (unsigned n; size; offset += n, size -= n) {
		n = piece_width(size);
		put_converted_state(c, (int)offset, lift_unknown(c->b, n * 8));
	}
}

static void forget_loaded_memory(struct convert *c, int32_t address, unsigned size)
{
	unsigned at = 0;

	for (unsigned n; size; at += n, size -= n) {
		n = piece_width(size);
		convert_store(c, lift_binary(c->b, IR_ADD, address, lift_const(c->b, 64, at)),
			      lift_unknown(c->b, n * 8), -1);
	}
}

/* After a helper with side effects, everything that it may write is not known. */
static void dirty_call(struct convert *c, const IRDirty *d)
{
	c->b->complete = false;
	if (d->tmp != IRTemp_INVALID)
		c->temps[d->tmp] =
			lift_unknown(c->b, width_of_vex_type(typeOfIRTemp(c->sb->tyenv, d->tmp)));
	if (d->mFx == Ifx_Write || d->mFx == Ifx_Modify)
		forget_loaded_memory(c, convert_expression(c, d->mAddr), (unsigned)d->mSize);
	for (int i = 0; i < d->nFxState; i++) {
		if (d->fxState[i].fx == Ifx_Read)
			continue;
		for (unsigned n = 0; n <= d->fxState[i].nRepeats; n++)
			forget_state(c, d->fxState[i].offset + n * d->fxState[i].repeatLen,
				     d->fxState[i].size);
	}
}

/* Exits for faults (misaligned vectors) and emulation warnings are left out:
 * the instruction did complete. */
static void side_exit(struct convert *c, const IRExpr *guard, IRJumpKind kind, const IRConst *dst)
{
	struct ir_op op = effect_op(IR_EXIT, convert_expression(c, guard), -1, -1);
	uint64_t always;

	if (kind != Ijk_Boring && kind != Ijk_Call && kind != Ijk_Ret)
		return;
	if (lift_is_const(c->b, op.a, &always) && !always)
		return;
	op.value = dst->Ico.U64;
	lift_emit(c->b, op);
}

static void convert_statement(struct convert *c, const IRStmt *s)
{
	switch (s->tag) {
	case Ist_Put:
		put_converted_state(c, s->Ist.Put.offset, convert_expression(c, s->Ist.Put.data));
		break;
	case Ist_WrTmp:
		c->temps[s->Ist.WrTmp.tmp] = convert_expression(c, s->Ist.WrTmp.data);
		break;
	case Ist_Store:
		convert_store(c, convert_expression(c, s->Ist.Store.addr),
			      convert_expression(c, s->Ist.Store.data), -1);
		break;
	case Ist_StoreG:
		convert_store(c, convert_expression(c, s->Ist.StoreG.details->addr),
			      convert_expression(c, s->Ist.StoreG.details->data),
			      convert_expression(c, s->Ist.StoreG.details->guard));
		break;
	case Ist_LoadG:
		convert_guarded_load(c, s->Ist.LoadG.details);
		break;
	case Ist_CAS:
		compare_and_swap(c, s->Ist.CAS.details);
		break;
	case Ist_Dirty:
		dirty_call(c, s->Ist.Dirty.details);
		break;
	case Ist_Exit:
		side_exit(c, s->Ist.Exit.guard, s->Ist.Exit.jk, s->Ist.Exit.dst);
		break;
	case Ist_PutI:
	case Ist_LLSC:
		c->b->complete = false;
		break;
	default: /* NoOp, IMark, AbiHint, MBE */
		break;
	}
}

/* libVEX may write a conditional jump as "exit to the next instruction unless taken".  It is
 * turned round, so that an exit is always the taken side. */
static void turn_round(struct convert *c, int32_t *next)
{
	struct ir_op *last = NULL;
	uint64_t target;

	if (!lift_is_const(c->b, *next, &target) || target == c->next || target == c->pc)
		return;
	for (guint i = c->b->ops->len; i-- > 0;) {
		last = &g_array_index(c->b->ops, struct ir_op, i);
		if (last->kind != IR_CONST)
			break;
	}
	if (!last || last->kind != IR_EXIT || last->value != c->next)
		return;
	struct ir_op taken = *last;
	last->kind = IR_UNKNOWN; /* dead: nothing refers to an exit */
	taken.a = lift_not(c->b, taken.a);
	taken.value = target;
	lift_emit(c->b, taken);
	*next = lift_const(c->b, 64, c->next);
}

static void convert_control(struct convert *c)
{
	int32_t next;

	switch (c->sb->jumpkind) {
	case Ijk_Boring:
	case Ijk_Call:
	case Ijk_Ret:
	case Ijk_Yield:
	case Ijk_InvalICache:
	case Ijk_EmWarn:
		next = convert_expression(c, c->sb->next);
		break;
	default: /* system calls, traps */
		c->b->complete = false;
		next = lift_const(c->b, 64, c->next);
		break;
	}
	turn_round(c, &next);
	lift_emit(c->b, effect_op(IR_NEXT, next, -1, -1));
}

bool lift_statements(struct lift_build *b, const void *irsb, uint64_t pc, size_t length)
{
	struct convert c = { .b = b, .sb = irsb, .pc = pc, .next = pc + length };

	if (c.sb->jumpkind == Ijk_NoDecode)
		return false;
	c.temps = g_new(int32_t, c.sb->tyenv->types_used + 1);
	memset(c.temps, 0xff, sizeof(*c.temps) * ((size_t)c.sb->tyenv->types_used + 1));
	for (int i = 0; i < c.sb->stmts_used; i++)
		convert_statement(&c, c.sb->stmts[i]);
	convert_control(&c);
	g_free(c.temps);
	return true;
}
