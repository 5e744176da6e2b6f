/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Instructions that libVEX 3.19 gets wrong for us: bit tests of a register by
 * a register (it goes through memory below the stack), the short 16-bit
 * exchange with ax (it clears the upper bits), compare-string without a
 * repeat prefix (it does not know it), and pushfq (it leaves out the flags that
 * are always set).
 */
#include "solver/isa/lift-op.h"

#include "solver/format/trace.h"

#include <string.h>

struct prefixes {
	unsigned length, width;
	uint8_t rex;
};

static struct prefixes read_prefixes(const uint8_t *bytes, size_t length)
{
	struct prefixes p = { .width = 32 };

	if (p.length < length && bytes[p.length] == 0x66) {
		p.width = 16;
		p.length++;
	}
	if (p.length < length && (bytes[p.length] & 0xf0) == 0x40) {
		p.rex = bytes[p.length++];
		if (p.rex & 8)
			p.width = 64;
	}
	return p;
}

static int32_t get_lifted_state(struct lift_build *b, unsigned offset, unsigned width)
{
	return lift_emit(b, (struct ir_op){ .kind = IR_GET,
					    .width = (uint16_t)width,
					    .offset = (uint16_t)offset,
					    .a = -1,
					    .b = -1,
					    .c = -1,
					    .d = -1 });
}

static void put_lifted_state(struct lift_build *b, unsigned offset, int32_t value)
{
	lift_emit(b, (struct ir_op){ .kind = IR_PUT,
				     .offset = (uint16_t)offset,
				     .a = value,
				     .b = -1,
				     .c = -1,
				     .d = -1 });
}

static void put_register(struct lift_build *b, unsigned reg, int32_t value)
{
	bool is_half = lift_width(b, value) == 32;

	put_lifted_state(b, 8 * reg, is_half ? lift_zext(b, value, 64) : value);
}

static int32_t arithmetic_flags(struct lift_build *b)
{
	return lift_emit(b, (struct ir_op){ .kind = IR_FLAGS,
					    .width = 64,
					    .a = get_lifted_state(b, IR_STATE_CC_OP, 64),
					    .b = get_lifted_state(b, IR_STATE_CC_DEP1, 64),
					    .c = get_lifted_state(b, IR_STATE_CC_DEP2, 64),
					    .d = get_lifted_state(b, IR_STATE_CC_NDEP, 64) });
}

static void put_carry(struct lift_build *b, int32_t carry)
{
	int32_t zero = lift_const(b, 64, 0);
	int32_t others =
		lift_binary(b, IR_AND, arithmetic_flags(b), lift_const(b, 64, ~UINT64_C(1)));

	put_lifted_state(b, IR_STATE_CC_OP, lift_const(b, 64, IR_CC_OP_COPY));
	put_lifted_state(b, IR_STATE_CC_DEP1,
			 lift_binary(b, IR_OR, others, lift_zext(b, carry, 64)));
	put_lifted_state(b, IR_STATE_CC_DEP2, zero);
	put_lifted_state(b, IR_STATE_CC_NDEP, zero);
}

/* bt, bts, btr, btc: opcode 0f a3, ab, b3, bb. */
static void bit_test(struct lift_build *b, uint8_t opcode, unsigned reg, unsigned by,
		     unsigned width)
{
	int32_t value = get_lifted_state(b, 8 * reg, width);
	int32_t low = lift_binary(b, IR_AND, get_lifted_state(b, 8 * by, width),
				  lift_const(b, width, width - 1));
	int32_t one = lift_binary(b, IR_SHL, lift_const(b, width, 1), low);
	int32_t carry = lift_extract(b, lift_binary(b, IR_LSHR, value, low), 0, 1);

	if (opcode == 0xab)
		put_register(b, reg, lift_binary(b, IR_OR, value, one));
	else if (opcode == 0xb3)
		put_register(b, reg, lift_binary(b, IR_AND, value, lift_not(b, one)));
	else if (opcode == 0xbb)
		put_register(b, reg, lift_binary(b, IR_XOR, value, one));
	put_carry(b, carry);
}

static void exchange_ax(struct lift_build *b, unsigned reg)
{
	int32_t ax = get_lifted_state(b, 8 * TRACE_RAX, 16),
		other = get_lifted_state(b, 8 * reg, 16);

	put_lifted_state(b, 8 * TRACE_RAX, other);
	put_lifted_state(b, 8 * reg, ax);
}

enum { CC_OP_SUB_8 = 5 }; /* 16, 32, 64 bits follow: flags.h */

static int32_t load_and_move_on(struct lift_build *b, unsigned reg, unsigned width)
{
	int32_t address = get_lifted_state(b, 8 * reg, 64),
		step = get_lifted_state(b, IR_STATE_DFLAG, 64);
	int32_t value = lift_emit(b, (struct ir_op){ .kind = IR_LOAD,
						     .width = (uint16_t)width,
						     .a = address,
						     .b = -1,
						     .c = -1,
						     .d = -1 });
	int32_t log = lift_const(b, 64, (uint64_t)__builtin_ctz(width / 8));

	put_lifted_state(b, 8 * reg,
			 lift_binary(b, IR_ADD, address, lift_binary(b, IR_SHL, step, log)));
	return value;
}

static void compare_strings(struct lift_build *b, unsigned width)
{
	int32_t left = load_and_move_on(b, TRACE_RSI, width);
	int32_t right = load_and_move_on(b, TRACE_RDI, width);
	uint64_t op = CC_OP_SUB_8 + (uint64_t)__builtin_ctz(width / 8);

	put_lifted_state(b, IR_STATE_CC_OP, lift_const(b, 64, op));
	put_lifted_state(b, IR_STATE_CC_DEP1, lift_zext(b, left, 64));
	put_lifted_state(b, IR_STATE_CC_DEP2, lift_zext(b, right, 64));
	put_lifted_state(b, IR_STATE_CC_NDEP, lift_const(b, 64, 0));
}

/* One bit of the state's word, where rflags has it. */
static int32_t flag_of(struct lift_build *b, unsigned state, unsigned shift, unsigned bit)
{
	int32_t word = lift_binary(b, IR_SHL, get_lifted_state(b, state, 64),
				   lift_const(b, 64, (uint64_t)shift));

	return lift_binary(b, IR_AND, word, lift_const(b, 64, UINT64_C(1) << bit));
}

static void push_flags(struct lift_build *b)
{
	const uint64_t always = 0x202; /* a bit that is reserved; interrupts */
	int32_t flags = lift_binary(b, IR_OR, arithmetic_flags(b), lift_const(b, 64, always));
	int32_t sp = lift_binary(b, IR_SUB, get_lifted_state(b, 8 * TRACE_RSP, 64),
				 lift_const(b, 64, 8));

	flags = lift_binary(b, IR_OR, flags, flag_of(b, IR_STATE_DFLAG, 0, 10));
	flags = lift_binary(b, IR_OR, flags, flag_of(b, IR_STATE_ACFLAG, 18, 18));
	flags = lift_binary(b, IR_OR, flags, flag_of(b, IR_STATE_IDFLAG, 21, 21));
	put_lifted_state(b, 8 * TRACE_RSP, sp);
	lift_emit(b, (struct ir_op){ .kind = IR_STORE, .a = sp, .b = flags, .c = -1, .d = -1 });
}

bool lift_by_hand(struct lift_build *b, uint64_t pc, const uint8_t *bytes, size_t length)
{
	struct prefixes p = read_prefixes(bytes, length);
	const uint8_t *code = bytes + p.length;
	size_t left = length - p.length;

	if (left == 3 && code[0] == 0x0f && (code[1] & 0xe7) == 0xa3 && code[2] >= 0xc0) {
		unsigned reg = (code[2] & 7u) | (p.rex & 1u) << 3;
		unsigned by = (code[2] >> 3 & 7u) | (p.rex & 4u) << 1;
		bit_test(b, code[1], reg, by, p.width);
	} else if (left == 1 && p.width == 16 && (code[0] & 0xf8) == 0x90) {
		exchange_ax(b, (code[0] & 7u) | (p.rex & 1u) << 3);
	} else if (left == 1 && (code[0] & 0xfe) == 0xa6) {
		compare_strings(b, code[0] == 0xa6 ? 8 : p.width);
	} else if (left == 1 && p.width != 16 && code[0] == 0x9c) {
		push_flags(b);
	} else {
		return false;
	}
	lift_emit(b, (struct ir_op){ .kind = IR_NEXT,
				     .a = lift_const(b, 64, pc + length),
				     .b = -1,
				     .c = -1,
				     .d = -1 });
	return true;
}

bool lift_is_inexact(const uint8_t *bytes, size_t length)
{
	size_t lock = length > 0 && bytes[0] == 0xf0;
	struct prefixes p = read_prefixes(bytes + lock, length - lock);
	size_t at = lock + p.length;

	if (length == 3 && !memcmp(bytes, "\x0f\x01\xd0", 3)) /* xgetbv: of the processor */
		return true;
	return p.width == 32 && at + 1 < length && bytes[at] == 0x0f && bytes[at + 1] == 0xb1;
}
