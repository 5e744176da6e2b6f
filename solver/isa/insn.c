/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/isa/insn.h"

#include "solver/isa/insn-flags.h"

#include <Zydis/Zydis.h>
#include <string.h>

/* Instructions of which every output follows from general registers, flags and
 * memory in a way that libVEX models.  */
static bool is_recomputable(ZydisMnemonic m)
{
	switch (m) {
	case ZYDIS_MNEMONIC_MOV:
	case ZYDIS_MNEMONIC_MOVZX:
	case ZYDIS_MNEMONIC_MOVSX:
	case ZYDIS_MNEMONIC_MOVSXD:
	case ZYDIS_MNEMONIC_LEA:
	case ZYDIS_MNEMONIC_ADD:
	case ZYDIS_MNEMONIC_SUB:
	case ZYDIS_MNEMONIC_ADC:
	case ZYDIS_MNEMONIC_SBB:
	case ZYDIS_MNEMONIC_AND:
	case ZYDIS_MNEMONIC_OR:
	case ZYDIS_MNEMONIC_XOR:
	case ZYDIS_MNEMONIC_NOT:
	case ZYDIS_MNEMONIC_NEG:
	case ZYDIS_MNEMONIC_INC:
	case ZYDIS_MNEMONIC_DEC:
	case ZYDIS_MNEMONIC_CMP:
	case ZYDIS_MNEMONIC_TEST:
	case ZYDIS_MNEMONIC_SHL:
	case ZYDIS_MNEMONIC_SHR:
	case ZYDIS_MNEMONIC_SAR:
	case ZYDIS_MNEMONIC_ROL:
	case ZYDIS_MNEMONIC_ROR:
	case ZYDIS_MNEMONIC_SHLD:
	case ZYDIS_MNEMONIC_SHRD:
	case ZYDIS_MNEMONIC_MUL:
	case ZYDIS_MNEMONIC_IMUL:
	case ZYDIS_MNEMONIC_DIV:
	case ZYDIS_MNEMONIC_IDIV:
	case ZYDIS_MNEMONIC_PUSH:
	case ZYDIS_MNEMONIC_POP:
	case ZYDIS_MNEMONIC_LEAVE:
	case ZYDIS_MNEMONIC_CBW:
	case ZYDIS_MNEMONIC_CWDE:
	case ZYDIS_MNEMONIC_CDQE:
	case ZYDIS_MNEMONIC_CWD:
	case ZYDIS_MNEMONIC_CDQ:
	case ZYDIS_MNEMONIC_CQO:
	case ZYDIS_MNEMONIC_BSWAP:
	case ZYDIS_MNEMONIC_BSF:
	case ZYDIS_MNEMONIC_BSR:
	case ZYDIS_MNEMONIC_NOP:
	case ZYDIS_MNEMONIC_ENDBR64:
	case ZYDIS_MNEMONIC_CLD:
	case ZYDIS_MNEMONIC_STD:
	case ZYDIS_MNEMONIC_CLC:
	case ZYDIS_MNEMONIC_STC:
	case ZYDIS_MNEMONIC_CMC:
	case ZYDIS_MNEMONIC_CALL:
	case ZYDIS_MNEMONIC_JMP:
	case ZYDIS_MNEMONIC_RET:
		return true;
	case ZYDIS_MNEMONIC_MOVSB:
	case ZYDIS_MNEMONIC_MOVSW:
	case ZYDIS_MNEMONIC_MOVSD:
	case ZYDIS_MNEMONIC_MOVSQ:
	case ZYDIS_MNEMONIC_STOSB:
	case ZYDIS_MNEMONIC_STOSW:
	case ZYDIS_MNEMONIC_STOSD:
	case ZYDIS_MNEMONIC_STOSQ:
	case ZYDIS_MNEMONIC_LODSB:
	case ZYDIS_MNEMONIC_LODSW:
	case ZYDIS_MNEMONIC_LODSD:
	case ZYDIS_MNEMONIC_LODSQ:
	case ZYDIS_MNEMONIC_SCASB:
	case ZYDIS_MNEMONIC_SCASW:
	case ZYDIS_MNEMONIC_SCASD:
	case ZYDIS_MNEMONIC_SCASQ:
	case ZYDIS_MNEMONIC_CMPSB:
	case ZYDIS_MNEMONIC_CMPSW:
	case ZYDIS_MNEMONIC_CMPSD:
	case ZYDIS_MNEMONIC_CMPSQ:
		return true;
	default:
		return false;
	}
}

/* Only the forms on registers are taken: with an operand in memory the bit may lie outside the
 * operand, or the instruction may be locked. */
static bool is_recomputable_on_registers(ZydisMnemonic m)
{
	switch (m) {
	case ZYDIS_MNEMONIC_XCHG:
	case ZYDIS_MNEMONIC_BT:
	case ZYDIS_MNEMONIC_BTS:
	case ZYDIS_MNEMONIC_BTR:
	case ZYDIS_MNEMONIC_BTC:
	case ZYDIS_MNEMONIC_LZCNT:
	case ZYDIS_MNEMONIC_TZCNT:
	case ZYDIS_MNEMONIC_ANDN:
	case ZYDIS_MNEMONIC_BLSI:
	case ZYDIS_MNEMONIC_BLSR:
	case ZYDIS_MNEMONIC_BLSMSK:
	case ZYDIS_MNEMONIC_SAHF:
	case ZYDIS_MNEMONIC_LAHF:
		return true;
	default:
		return false;
	}
}

static uint8_t general_number(ZydisRegister r)
{
	ZydisRegister big = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, r);

	if (big < ZYDIS_REGISTER_RAX || big > ZYDIS_REGISTER_R15)
		return TRACE_REG_NONE;
	return (uint8_t)(big - ZYDIS_REGISTER_RAX);
}

static bool is_vector_register(ZydisRegister r)
{
	ZydisRegisterClass c = ZydisRegisterGetClass(r);

	return c == ZYDIS_REGCLASS_XMM || c == ZYDIS_REGCLASS_YMM || c == ZYDIS_REGCLASS_ZMM;
}

static bool is_plain_register(ZydisRegister r)
{
	return general_number(r) != TRACE_REG_NONE ||
	       ZydisRegisterGetClass(r) == ZYDIS_REGCLASS_FLAGS ||
	       ZydisRegisterGetClass(r) == ZYDIS_REGCLASS_IP;
}

static bool only_plain_operands(const ZydisDecodedInstruction *i, const ZydisDecodedOperand *o)
{
	for (unsigned k = 0; k < i->operand_count; k++)
		if (o[k].type == ZYDIS_OPERAND_TYPE_REGISTER && !is_plain_register(o[k].reg.value))
			return false;
	return true;
}

static bool has_memory(const ZydisDecodedInstruction *i, const ZydisDecodedOperand *o)
{
	for (unsigned k = 0; k < i->operand_count_visible; k++)
		if (o[k].type == ZYDIS_OPERAND_TYPE_MEMORY)
			return true;
	return false;
}

/* libVEX has no `rep lods'; it is taken as a whole, with its result. */
static bool is_repeated_load(const ZydisDecodedInstruction *i)
{
	bool load = i->mnemonic == ZYDIS_MNEMONIC_LODSB || i->mnemonic == ZYDIS_MNEMONIC_LODSW ||
		    i->mnemonic == ZYDIS_MNEMONIC_LODSD || i->mnemonic == ZYDIS_MNEMONIC_LODSQ;

	return load && i->attributes & (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE |
					ZYDIS_ATTRIB_HAS_REPNE);
}

static bool is_plain_insn(const ZydisDecodedInstruction *i, const ZydisDecodedOperand *o)
{
	ZydisInstructionCategory c = i->meta.category;

	if (i->attributes & ZYDIS_ATTRIB_HAS_LOCK || is_repeated_load(i) ||
	    !only_plain_operands(i, o))
		return false;
	if (c == ZYDIS_CATEGORY_CMOV || c == ZYDIS_CATEGORY_SETCC || c == ZYDIS_CATEGORY_COND_BR)
		return true;
	return is_recomputable(i->mnemonic) ||
	       (is_recomputable_on_registers(i->mnemonic) && !has_memory(i, o));
}

static uint8_t segment_number(ZydisRegister r)
{
	return r == ZYDIS_REGISTER_FS ? 1 : r == ZYDIS_REGISTER_GS ? 2 : 0;
}

/* push and call store below the stack pointer that they read; pop computes the
 * address that it stores to after it has moved the stack pointer. */
static int64_t adjustment_of_stack_operand(const ZydisDecodedInstruction *i,
					   const ZydisDecodedOperand *o)
{
	if (i->mnemonic == ZYDIS_MNEMONIC_POP && o->mem.base == ZYDIS_REGISTER_RSP &&
	    o->visibility != ZYDIS_OPERAND_VISIBILITY_HIDDEN)
		return o->size / 8;
	bool writes_stack = o->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN &&
			    o->mem.base == ZYDIS_REGISTER_RSP &&
			    (o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE);

	return writes_stack && (i->meta.category == ZYDIS_CATEGORY_PUSH ||
				i->meta.category == ZYDIS_CATEGORY_CALL)
		       ? -(int64_t)(o->size / 8)
		       : 0;
}

static void add_memory_operand(const ZydisDecodedInstruction *i, const ZydisDecodedOperand *o,
			       uint64_t addr, struct trace_insn *out)
{
	unsigned size = o->size / 8;
	uint8_t flags = 0;

	if (o->actions & ZYDIS_OPERAND_ACTION_MASK_READ)
		flags |= TRACE_MEM_READ;
	if (o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE)
		flags |= TRACE_MEM_WRITE;
	if (o->mem.type != ZYDIS_MEMOP_TYPE_MEM || !flags || size < 1 || size > 64 ||
	    out->n_mem == sizeof(out->mem) / sizeof(out->mem[0]))
		return;
	struct trace_mem *m = &out->mem[out->n_mem++];

	m->base = general_number(o->mem.base);
	m->index = general_number(o->mem.index);
	m->scale = o->mem.index == ZYDIS_REGISTER_NONE ? 1 : o->mem.scale;
	m->seg = segment_number(o->mem.segment);
	m->size = (uint8_t)size;
	m->flags = flags;
	m->disp = o->mem.disp.has_displacement ? o->mem.disp.value : 0;
	m->disp += adjustment_of_stack_operand(i, o);
	if (o->mem.base == ZYDIS_REGISTER_RIP) {
		m->disp += (int64_t)addr + i->length;
		m->flags |= TRACE_MEM_RIP;
	}
	if (i->address_width == 32)
		m->flags |= TRACE_MEM_ADDR32;
}

/* VEX and EVEX forms clear what lies above the register that they name. */
static unsigned written_size(const ZydisDecodedInstruction *i, ZydisRegister r)
{
	unsigned size = ZydisRegisterGetWidth(ZYDIS_MACHINE_MODE_LONG_64, r) / 8;

	return size == 16 && i->encoding != ZYDIS_INSTRUCTION_ENCODING_LEGACY ? 32 : size;
}

static uint16_t general_bit(ZydisRegister r)
{
	uint8_t number = general_number(r);

	return number == TRACE_REG_NONE ? 0 : (uint16_t)(1u << number);
}

static void add_uses(const ZydisDecodedOperand *o, struct trace_insn *out)
{
	if (o->type == ZYDIS_OPERAND_TYPE_REGISTER)
		out->use_gpr |= general_bit(o->reg.value);
	else if (o->type == ZYDIS_OPERAND_TYPE_MEMORY)
		out->use_gpr |= general_bit(o->mem.base) | general_bit(o->mem.index);
}

static void add_outputs(const ZydisDecodedInstruction *i, const ZydisDecodedOperand *o,
			struct trace_insn *out)
{
	ZydisRegister r = o->reg.value;

	if (o->type != ZYDIS_OPERAND_TYPE_REGISTER ||
	    !(o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE))
		return;
	if (is_vector_register(r)) {
		unsigned size = written_size(i, r);

		out->out_vec |= 1u << (ZydisRegisterGetId(r) & 31);
		out->vec_size = (uint8_t)(size > out->vec_size ? size : out->vec_size);
	} else if (general_number(r) != TRACE_REG_NONE) {
		out->out_gpr |= (uint16_t)(1u << general_number(r));
	} else if (ZydisRegisterGetClass(r) == ZYDIS_REGCLASS_FLAGS) {
		out->out_flags = 1;
	}
}

/* Instructions whose decoded memory operands are not what they access: hints,
 * bit strings (the bit's number moves the address), what is masked (it may lie
 * beside what may be accessed), and xlat and enter, which Zydis gives without
 * their index or displacement. */
static bool operands_mislead(const ZydisDecodedInstruction *i)
{
	switch (i->mnemonic) {
	case ZYDIS_MNEMONIC_BT:
	case ZYDIS_MNEMONIC_BTS:
	case ZYDIS_MNEMONIC_BTR:
	case ZYDIS_MNEMONIC_BTC:
	case ZYDIS_MNEMONIC_XLAT:
	case ZYDIS_MNEMONIC_ENTER:
	case ZYDIS_MNEMONIC_CLFLUSH:
	case ZYDIS_MNEMONIC_CLFLUSHOPT:
	case ZYDIS_MNEMONIC_CLWB:
	case ZYDIS_MNEMONIC_CLDEMOTE:
	case ZYDIS_MNEMONIC_CLZERO:
	case ZYDIS_MNEMONIC_MASKMOVDQU:
	case ZYDIS_MNEMONIC_MASKMOVQ:
	case ZYDIS_MNEMONIC_VMASKMOVDQU:
	case ZYDIS_MNEMONIC_VMASKMOVPS:
	case ZYDIS_MNEMONIC_VMASKMOVPD:
	case ZYDIS_MNEMONIC_VPMASKMOVD:
	case ZYDIS_MNEMONIC_VPMASKMOVQ:
	case ZYDIS_MNEMONIC_UD0: /* its operands only carry a number: clang's traps */
	case ZYDIS_MNEMONIC_UD1:
		return true;
	default:
		return is_repeated_load(i) ||
		       (i->avx.mask.reg > ZYDIS_REGISTER_K0 &&
			i->avx.mask.reg <= ZYDIS_REGISTER_K7) ||
		       i->meta.category == ZYDIS_CATEGORY_NOP ||
		       i->meta.category == ZYDIS_CATEGORY_WIDENOP ||
		       i->meta.category == ZYDIS_CATEGORY_PREFETCH ||
		       i->meta.category == ZYDIS_CATEGORY_AVX2GATHER ||
		       i->meta.category == ZYDIS_CATEGORY_GATHER ||
		       i->meta.category == ZYDIS_CATEGORY_SCATTER;
	}
}

/* Outputs that Zydis does not list. */
static void add_unlisted(const ZydisDecodedInstruction *i, struct trace_insn *out)
{
	if (i->mnemonic == ZYDIS_MNEMONIC_SYSCALL || i->mnemonic == ZYDIS_MNEMONIC_INT)
		out->out_gpr |= 1u << TRACE_RAX;
	/* The pointers of cmps and scas. */
	for (unsigned k = 0; i->meta.category == ZYDIS_CATEGORY_STRINGOP && k < out->n_mem; k++)
		out->out_gpr |= (uint16_t)(1u << out->mem[k].base);
	out->use_gpr |= out->out_gpr;
	if (out->use_flags & TRACE_FLAGS_WRITTEN)
		out->out_flags = 1;
	/* the effects that the manual lists are the kernel's; the program only sees a signal */
	if (i->mnemonic == ZYDIS_MNEMONIC_INT3) {
		out->out_flags = 0;
		out->n_mem = 0;
	}
}

/* These change more than their operands, or the direction flag. */
static bool has_wide_effect(const ZydisDecodedInstruction *i)
{
	switch (i->meta.category) {
	case ZYDIS_CATEGORY_SYSCALL:
	case ZYDIS_CATEGORY_SYSRET:
	case ZYDIS_CATEGORY_SYSTEM:
	case ZYDIS_CATEGORY_INTERRUPT:
	case ZYDIS_CATEGORY_IO:
	case ZYDIS_CATEGORY_IOSTRINGOP:
	case ZYDIS_CATEGORY_XSAVE:
	case ZYDIS_CATEGORY_XSAVEOPT:
	case ZYDIS_CATEGORY_VTX:
		return true;
	default:
		break;
	}
	switch (i->mnemonic) {
	case ZYDIS_MNEMONIC_STD:
	case ZYDIS_MNEMONIC_POPF:
	case ZYDIS_MNEMONIC_POPFD:
	case ZYDIS_MNEMONIC_POPFQ:
	case ZYDIS_MNEMONIC_VZEROALL:
	case ZYDIS_MNEMONIC_FXSAVE:
	case ZYDIS_MNEMONIC_FXSAVE64:
	case ZYDIS_MNEMONIC_FXRSTOR:
	case ZYDIS_MNEMONIC_FXRSTOR64:
		return true;
	default:
		return i->meta.isa_set == ZYDIS_ISA_SET_RTM || is_repeated_load(i);
	}
}

static bool can_be_copied(const ZydisDecodedInstruction *i, const ZydisDecodedOperand *o)
{
	bool usual = i->encoding == ZYDIS_INSTRUCTION_ENCODING_LEGACY ||
		     i->encoding == ZYDIS_INSTRUCTION_ENCODING_VEX;

	for (unsigned k = 0; usual && k < i->operand_count; k++) {
		ZydisRegister r = o[k].type == ZYDIS_OPERAND_TYPE_REGISTER ? o[k].reg.value
				  : o[k].type == ZYDIS_OPERAND_TYPE_MEMORY ? o[k].mem.index
									   : ZYDIS_REGISTER_NONE;

		usual = !is_vector_register(r) || ZydisRegisterGetId(r) < 15;
	}
	return usual && !has_wide_effect(i);
}

/* The general register that holds what is loaded. */
static uint8_t loaded_register(const ZydisDecodedInstruction *i, const ZydisDecodedOperand *o)
{
	bool moves = i->mnemonic == ZYDIS_MNEMONIC_MOV || i->mnemonic == ZYDIS_MNEMONIC_MOVZX ||
		     i->mnemonic == ZYDIS_MNEMONIC_MOVSX || i->mnemonic == ZYDIS_MNEMONIC_MOVSXD;

	if (!moves || o[0].type != ZYDIS_OPERAND_TYPE_REGISTER ||
	    o[1].type != ZYDIS_OPERAND_TYPE_MEMORY ||
	    (o[0].reg.value >= ZYDIS_REGISTER_AH && o[0].reg.value <= ZYDIS_REGISTER_BH))
		return TRACE_REG_NONE;
	return general_number(o[0].reg.value);
}

/* What a move or a push stores, .store_reg. */
static uint8_t stored_register(const ZydisDecodedInstruction *i, const ZydisDecodedOperand *o)
{
	bool pushes = i->mnemonic == ZYDIS_MNEMONIC_PUSH;
	const ZydisDecodedOperand *from = &o[pushes ? 0 : 1];

	if (!pushes &&
	    (i->mnemonic != ZYDIS_MNEMONIC_MOV || o[0].type != ZYDIS_OPERAND_TYPE_MEMORY))
		return TRACE_REG_NONE;
	if (from->type == ZYDIS_OPERAND_TYPE_IMMEDIATE && i->raw.imm[0].size == 32)
		return TRACE_REG_IMMEDIATE;
	if (from->type != ZYDIS_OPERAND_TYPE_REGISTER ||
	    (pushes && from->reg.value == ZYDIS_REGISTER_RSP))
		return TRACE_REG_NONE;
	return general_number(from->reg.value);
}

static void add_operands(const ZydisDecodedInstruction *i, const ZydisDecodedOperand *o,
			 uint64_t addr, struct trace_insn *out)
{
	bool vsib = false;

	for (unsigned k = 0; k < i->operand_count; k++) {
		vsib |= o[k].type == ZYDIS_OPERAND_TYPE_MEMORY &&
			is_vector_register(o[k].mem.index);
		add_outputs(i, &o[k], out);
		add_uses(&o[k], out);
	}
	if (vsib || operands_mislead(i) || out->flow == TRACE_FLOW_RET)
		return;
	for (unsigned k = 0; k < i->operand_count; k++)
		if (o[k].type == ZYDIS_OPERAND_TYPE_MEMORY)
			add_memory_operand(i, &o[k], addr, out);
}

static uint8_t condition_of_mnemonic(ZydisMnemonic m)
{
	static const struct {
		ZydisMnemonic mnemonic;
		uint8_t condition;
	} table[] = {
		{ ZYDIS_MNEMONIC_JO, 0 },
		{ ZYDIS_MNEMONIC_JNO, 1 },
		{ ZYDIS_MNEMONIC_JB, 2 },
		{ ZYDIS_MNEMONIC_JNB, 3 },
		{ ZYDIS_MNEMONIC_JZ, 4 },
		{ ZYDIS_MNEMONIC_JNZ, 5 },
		{ ZYDIS_MNEMONIC_JBE, 6 },
		{ ZYDIS_MNEMONIC_JNBE, 7 },
		{ ZYDIS_MNEMONIC_JS, 8 },
		{ ZYDIS_MNEMONIC_JNS, 9 },
		{ ZYDIS_MNEMONIC_JP, 10 },
		{ ZYDIS_MNEMONIC_JNP, 11 },
		{ ZYDIS_MNEMONIC_JL, 12 },
		{ ZYDIS_MNEMONIC_JNL, 13 },
		{ ZYDIS_MNEMONIC_JLE, 14 },
		{ ZYDIS_MNEMONIC_JNLE, 15 },
		{ ZYDIS_MNEMONIC_JRCXZ, TRACE_COND_RCXZ },
		{ ZYDIS_MNEMONIC_JECXZ, TRACE_COND_ECXZ },
		{ ZYDIS_MNEMONIC_LOOP, TRACE_COND_LOOP },
		{ ZYDIS_MNEMONIC_LOOPE, TRACE_COND_LOOPE },
		{ ZYDIS_MNEMONIC_LOOPNE, TRACE_COND_LOOPNE },
	};

	for (size_t k = 0; k < sizeof(table) / sizeof(table[0]); k++)
		if (table[k].mnemonic == m)
			return table[k].condition;
	return 255;
}

/* False when the transfer cannot be emulated (far or transactional). */
static bool set_flow(const ZydisDecodedInstruction *i, const ZydisDecodedOperand *o, uint64_t addr,
		     struct trace_insn *out)
{
	ZydisInstructionCategory c = i->meta.category;
	bool direct = i->operand_count_visible && o[0].type == ZYDIS_OPERAND_TYPE_IMMEDIATE;

	out->flow_reg = TRACE_REG_NONE;
	if (c == ZYDIS_CATEGORY_RET) {
		out->flow = TRACE_FLOW_RET;
		out->ret_pop = direct ? (uint16_t)o[0].imm.value.u : 0;
		return i->mnemonic == ZYDIS_MNEMONIC_RET &&
		       i->meta.branch_type != ZYDIS_BRANCH_TYPE_FAR;
	}
	if (c != ZYDIS_CATEGORY_COND_BR && c != ZYDIS_CATEGORY_UNCOND_BR &&
	    c != ZYDIS_CATEGORY_CALL)
		return true;
	/* outside of a transaction the latter two go on */
	if (i->meta.branch_type == ZYDIS_BRANCH_TYPE_FAR || i->mnemonic == ZYDIS_MNEMONIC_XABORT ||
	    i->mnemonic == ZYDIS_MNEMONIC_XEND)
		return false;
	if (direct)
		out->target = addr + i->length + (uint64_t)o[0].imm.value.s;
	else if (o[0].type == ZYDIS_OPERAND_TYPE_REGISTER)
		out->flow_reg = general_number(o[0].reg.value);
	if (c == ZYDIS_CATEGORY_COND_BR) {
		out->flow = TRACE_FLOW_COND;
		out->cond = condition_of_mnemonic(i->mnemonic);
		return out->cond != 255;
	}
	if (c == ZYDIS_CATEGORY_CALL)
		out->flow = direct ? TRACE_FLOW_CALL : TRACE_FLOW_CALL_IND;
	else
		out->flow = direct ? TRACE_FLOW_JUMP : TRACE_FLOW_JUMP_IND;
	return i->mnemonic == ZYDIS_MNEMONIC_CALL || i->mnemonic == ZYDIS_MNEMONIC_JMP;
}

static uint8_t repetition_of(const ZydisDecodedInstruction *i)
{
	if (i->meta.category != ZYDIS_CATEGORY_STRINGOP || is_repeated_load(i))
		return TRACE_REP_NONE;
	if (i->attributes & ZYDIS_ATTRIB_HAS_REPE)
		return TRACE_REPE;
	if (i->attributes & ZYDIS_ATTRIB_HAS_REPNE)
		return TRACE_REPNE;
	return i->attributes & ZYDIS_ATTRIB_HAS_REP ? TRACE_REP : TRACE_REP_NONE;
}

static bool has_rip_operand(const ZydisDecodedInstruction *i, const ZydisDecodedOperand *o)
{
	for (unsigned k = 0; k < i->operand_count; k++)
		if (o[k].type == ZYDIS_OPERAND_TYPE_MEMORY && o[k].mem.base == ZYDIS_REGISTER_RIP)
			return true;
	return false;
}

bool insn_decode(const uint8_t *bytes, size_t avail, uint64_t addr, struct trace_insn *out)
{
	ZydisDecoder decoder;
	ZydisDecodedInstruction i;
	ZydisDecodedOperand o[ZYDIS_MAX_OPERAND_COUNT];

	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, bytes, avail, &i, o)))
		return false;
	memset(out, 0, sizeof(*out));
	out->addr = addr;
	out->length = i.length;
	out->rep = repetition_of(&i);
	if (!set_flow(&i, o, addr, out) || i.mnemonic == ZYDIS_MNEMONIC_XBEGIN)
		out->flags |= TRACE_INSN_UNSUPPORTED;
	else if (is_plain_insn(&i, o))
		out->flags |= TRACE_INSN_PLAIN;
	add_operands(&i, o, addr, out);
	out->use_flags = insn_uses_of_flags(&i);
	add_unlisted(&i, out);
	if (can_be_copied(&i, o) && !(out->flags & TRACE_INSN_UNSUPPORTED))
		out->flags |= TRACE_INSN_COPY;
	out->sure_flags = insn_sure_flags(&i, o, out);
	out->load_reg = loaded_register(&i, o);
	out->store_reg = stored_register(&i, o);
	if (has_rip_operand(&i, o))
		out->rip_disp_offset = i.raw.disp.offset;
	return true;
}

uint64_t insn_address(const struct trace_mem *mem, const uint64_t regs[16], uint64_t bias,
		      uint64_t fs_base, uint64_t gs_base)
{
	uint64_t a = (uint64_t)mem->disp;

	if (mem->flags & TRACE_MEM_RIP)
		a += bias;
	if (mem->base != TRACE_REG_NONE)
		a += regs[mem->base];
	if (mem->index != TRACE_REG_NONE)
		a += regs[mem->index] * mem->scale;
	if (mem->flags & TRACE_MEM_ADDR32)
		a = (uint32_t)a;
	if (mem->seg)
		a += mem->seg == 1 ? fs_base : gs_base;
	return a;
}

const char *insn_text(const uint8_t *bytes, size_t avail, uint64_t addr, char *buf, size_t size)
{
	ZydisDecoder decoder;
	ZydisDecodedInstruction i;
	ZydisDecodedOperand o[ZYDIS_MAX_OPERAND_COUNT];
	ZydisFormatter formatter;

	if (!size)
		return "";
	buf[0] = '\0';
	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	ZydisFormatterInit(&formatter, ZYDIS_FORMATTER_STYLE_INTEL);
	if (ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, bytes, avail, &i, o)))
		ZydisFormatterFormatInstruction(&formatter, &i, o, i.operand_count_visible, buf,
						size, addr, NULL);
	return buf;
}
