/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every instruction of tests/support/insns.h runs on the processor and in the
 * evaluator of its lifted IR, from the same random registers, flags and
 * memory: registers, defined flags, memory and the way taken must be equal.
 */
#include "solver/isa/flags.h"
#include "solver/isa/insn.h"
#include "solver/isa/lift.h"
#include "solver/isa/eval.h"

#include <fenv.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <cmocka.h>

#include "tests/support/insns.h"

extern const uint8_t __start_insns[], __stop_insns[];

enum { PAGE = 4096, ROUNDS = 60, FLAGS = 0x8d5, DIRECTION = 0x400 };
enum { C = 1, P = 4, A = 16, Z = 64, S = 128, O = 2048 };

/* ---- the processor ---- */

/* Offsets are used in the assembly below. */
struct cpu {
	uint64_t regs[16];
	uint64_t rflags;     /* 128 */
	uint64_t host_rsp;   /* 136 */
	uint64_t code;	     /* 144 */
	uint64_t taken;	     /* 152 */
	uint8_t ymm[16][32]; /* 160 */
};
static struct cpu cpu __attribute__((used));

void run_native(void);
void native_done(void);
void native_taken(void);

#define EACH_GPR(op)                                                                          \
	op("rax", "0") op("rcx", "8") op("rdx", "16") op("rbx", "24") op("rbp", "40")         \
		op("rsi", "48") op("rdi", "56") op("r8", "64") op("r9", "72") op("r10", "80") \
			op("r11", "88") op("r12", "96") op("r13", "104") op("r14", "112")     \
				op("r15", "120") op("rsp", "32")
#define EACH_YMM(op)                                                                             \
	op("0") op("1") op("2") op("3") op("4") op("5") op("6") op("7") op("8") op("9") op("10") \
		op("11") op("12") op("13") op("14") op("15")
#define LOAD_GPR(name, at) "movq cpu+" at "(%rip),%" name "\n"
#define SAVE_GPR(name, at) "movq %" name ",cpu+" at "(%rip)\n"
#define LOAD_YMM(n) "vmovdqu cpu+160+32*" n "(%rip),%ymm" n "\n"
#define SAVE_YMM(n) "vmovdqu %ymm" n ",cpu+160+32*" n "(%rip)\n"

__asm__(".text\n.globl run_native,native_done,native_taken\n"
	"run_native:\n"
	"pushq %rbx\npushq %rbp\npushq %r12\npushq %r13\npushq %r14\npushq %r15\n"
	"movq %rsp,cpu+136(%rip)\n" EACH_YMM(LOAD_YMM)	  //
	"pushq cpu+128(%rip)\npopfq\n" EACH_GPR(LOAD_GPR) //
	"jmp *cpu+144(%rip)\n"
	"native_taken:\n"
	"movq $1,cpu+152(%rip)\n"
	"native_done:\n" EACH_GPR(SAVE_GPR) //
	"movq cpu+136(%rip),%rsp\n"
	"pushfq\npopq cpu+128(%rip)\n"
	"cld\n" EACH_YMM(SAVE_YMM) //
	"vzeroupper\n"
	"popq %r15\npopq %r14\npopq %r13\npopq %r12\npopq %rbp\npopq %rbx\n"
	"ret\n");

/* ---- memory that both use: code, data, stack ---- */

struct world {
	struct eval_memory memory;
	uint8_t *real; /* three pages */
	uint8_t shadow[3 * PAGE];
	unsigned strays; /* accesses outside of them */
};

static uint8_t *shadow_at(struct world *w, uint64_t address, unsigned size)
{
	uint64_t at = address - (uint64_t)(uintptr_t)w->real;

	if (at < sizeof(w->shadow) && at + size <= sizeof(w->shadow))
		return w->shadow + at;
	w->strays++;
	return NULL;
}

static bool world_load(struct eval_memory *m, uint64_t address, unsigned size, uint8_t *out)
{
	uint8_t *from = shadow_at((struct world *)m, address, size);

	if (from)
		memcpy(out, from, size);
	return from;
}

static void world_store(struct eval_memory *m, uint64_t address, unsigned size,
			const uint8_t *bytes, bool known)
{
	uint8_t *to = shadow_at((struct world *)m, address, size);

	if (to && known)
		memcpy(to, bytes, size);
}

/* ---- inputs ---- */

static uint64_t seed = 88172645463325252u;

static uint64_t any(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

static uint64_t interesting(void)
{
	static const uint64_t values[] = {
		0,
		1,
		2,
		31,
		32,
		63,
		64,
		255,
		0x7f,
		0x80,
		0x7fff,
		0x8000,
		0x7fffffff,
		0x80000000u,
		0xffffffffu,
		0x7fffffffffffffffu,
		0x8000000000000000u,
		0xffffffffffffffffu,
	};

	switch (any() % 3) {
	case 0:
		return values[any() % (sizeof(values) / sizeof(values[0]))];
	case 1:
		return any() >> any() % 64;
	default:
		return any();
	}
}

static double interesting_double(void)
{
	static const double values[] = {
		0.0, -0.0, 1.0, -1.5, 1e300, -1e-300, 0.1, 3e9, 1e19, 42.5
	};

	return any() % 2 ? values[any() % 10] : (double)(int64_t)any() / 1048576.0;
}

static void fill_vectors(bool floating, bool single)
{
	for (int i = 0; i < 16; i++) {
		for (int lane = 0; lane < 4; lane++) {
			uint64_t word = interesting();
			double d = interesting_double();
			float f[2] = { (float)d, (float)interesting_double() };
			if (floating && single)
				memcpy(&word, f, sizeof(word));
			else if (floating)
				memcpy(&word, &d, sizeof(word));
			memcpy(cpu.ymm[i] + 8 * lane, &word, sizeof(word));
		}
	}
}

static bool begins(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

static bool is_string(const char *text)
{
	static const char *const names[] = { "movsb ", "movsl ", "movsq ", "stosb ",
					     "stosw ", "stosq ", "lodsb ", "lodsl ",
					     "scasb ", "scasq ", "cmpsb ", "cmpsl " };
	char word[16];

	snprintf(word, sizeof(word), "%.14s ", text);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!strcmp(word, names[i]))
			return true;
	}
	return false;
}

static void make_input(struct world *w, const char *text, const uint8_t *code, unsigned length)
{
	uint8_t *data = w->real + PAGE;
	const char *space = strchr(text, ' ');
	bool floating = space && strstr(text, "xmm") && any() % 4;
	bool single = space && (begins(space - 2, "ss") || begins(space - 2, "ps"));
	uint64_t exits[2] = { (uint64_t)(uintptr_t)native_done, (uint64_t)(uintptr_t)native_taken };

	memset(w->real, 0, PAGE);
	memcpy(w->real, code, length);
	memcpy(w->real + length, "\xff\x25\0\0\0\0", 6);
	memcpy(w->real + length + 6, &exits[0], 8);
	memcpy(w->real + 64, "\xff\x25\0\0\0\0", 6);
	memcpy(w->real + 70, &exits[1], 8);
	for (unsigned i = 0; i < 2 * PAGE; i += 8) {
		uint64_t word = interesting();
		memcpy(data + i, &word, 8);
	}
	for (int i = 0; i < 16; i++)
		cpu.regs[i] = interesting();
	fill_vectors(floating, single);
	if (floating)
		memcpy(data + 2048, cpu.ymm[15], 32);
	cpu.rflags = 0x202 | (any() & FLAGS);
	cpu.regs[TRACE_R15] = (uint64_t)(uintptr_t)data + 2048;
	cpu.regs[TRACE_R14] = any() % 16;
	cpu.regs[TRACE_RSP] = (uint64_t)(uintptr_t)w->real + 2 * PAGE + 2048;
	if (is_string(text)) {
		cpu.regs[TRACE_RSI] = (uint64_t)(uintptr_t)data + 512;
		cpu.regs[TRACE_RDI] = (uint64_t)(uintptr_t)data + 1024;
		cpu.rflags |= any() & DIRECTION;
	}
	if (begins(text, "xlat"))
		cpu.regs[TRACE_RBX] = (uint64_t)(uintptr_t)data;
	if (begins(text, "leave"))
		cpu.regs[TRACE_RBP] = (uint64_t)(uintptr_t)data + 1024;
	if (begins(text, "div") && any() % 4)
		cpu.regs[TRACE_RDX] = cpu.regs[TRACE_RDX] % 2;
	if (begins(text, "idiv") && any() % 4)
		cpu.regs[TRACE_RDX] = -(cpu.regs[TRACE_RAX] >> 63);
	cpu.code = (uint64_t)(uintptr_t)w->real;
	cpu.taken = 0;
	memcpy(w->shadow, w->real, sizeof(w->shadow));
}

/* Flags that the architecture leaves undefined. */
static uint64_t undefined(const char *text)
{
	static const struct {
		const char *prefix;
		uint64_t flags;
	} rows[] = {
		{ "imul", S | Z | A | P },
		{ "mul", S | Z | A | P },
		{ "div", FLAGS },
		{ "idiv", FLAGS },
		{ "andn", A | P },
		{ "and", A },
		{ "or", A },
		{ "xor", A },
		{ "test", A },
		{ "shl", A | O },
		{ "shr", A | O },
		{ "sar", A | O },
		{ "sal", A | O },
		{ "rol", O },
		{ "ror", O },
		{ "bsf", FLAGS & ~Z },
		{ "bsr", FLAGS & ~Z },
		{ "bt", O | S | A | P },
		{ "tzcnt", O | S | A | P },
		{ "lzcnt", O | S | A | P },
		{ "bls", A | P },
		{ "bextr", A | S | P },
		{ "bzhi", A | P },
		{ "lock or", A },
		{ "rcl", O },
		{ "rcr", O },
	};

	if (strstr(text, "mulx"))
		return 0;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		bool by_one = !strchr(text, ',');
		if (begins(text, rows[i].prefix))
			return rows[i].flags & ~(by_one && strchr("rs", *text) ? (uint64_t)O : 0);
	}
	return 0;
}

/* bsf and bsr of 0 leave what the processor likes in the destination. */
static bool undefined_result(const struct world *w, const char *text)
{
	uint64_t source = cpu.regs[TRACE_RCX];

	if (!begins(text, "bsf") && !begins(text, "bsr"))
		return false;
	if (strchr(text, '('))
		memcpy(&source, w->shadow + PAGE + 2048, sizeof(source));
	return (text[3] == 'w'	 ? (uint16_t)source
		: text[3] == 'l' ? (uint32_t)source
				 : source) == 0;
}

/* ---- both ways ---- */

static sigjmp_buf trapped;

static void on_trap(int signo)
{
	siglongjmp(trapped, signo);
}

/* False when the processor refused (a division that overflows). */
static bool run_on_processor(unsigned rounding)
{
	static const int modes[] = { FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO };
	bool done = !sigsetjmp(trapped, 1);

	if (done) {
		fesetround(modes[rounding]);
		run_native();
	}
	fesetround(FE_TONEAREST);
	return done;
}

static void load_state(struct eval_state *s, unsigned rounding)
{
	uint64_t direction = cpu.rflags & DIRECTION ? ~UINT64_C(0) : 1;
	uint64_t flags = cpu.rflags & FLAGS;

	memset(s, 0, sizeof(*s));
	memset(s->known, 0xff, sizeof(s->known));
	memcpy(s->bytes + IR_STATE_GPR, cpu.regs, sizeof(cpu.regs));
	memcpy(s->bytes + IR_STATE_CC_DEP1, &flags, 8);
	memcpy(s->bytes + IR_STATE_DFLAG, &direction, 8);
	s->bytes[IR_STATE_SSEROUND] = (uint8_t)rounding;
	memcpy(s->bytes + IR_STATE_YMM, cpu.ymm, sizeof(cpu.ymm));
}

static uint64_t word_of(const struct eval_state *s, unsigned offset)
{
	uint64_t w;

	memcpy(&w, s->bytes + offset, 8);
	return w;
}

static uint64_t flags_of(const struct eval_state *s)
{
	return lift_flags(word_of(s, IR_STATE_CC_OP), word_of(s, IR_STATE_CC_DEP1),
			  word_of(s, IR_STATE_CC_DEP2), word_of(s, IR_STATE_CC_NDEP));
}

static bool all_known(const struct eval_state *s, unsigned from, unsigned size)
{
	for (unsigned i = 0; i < size; i++) {
		if (!s->known[from + i])
			return false;
	}
	return true;
}

/* What differs, or NULL. */
static const char *difference(struct world *w, const struct eval_state *s, const char *text,
			      const struct eval_result *r, unsigned length)
{
	static char what[160];
	uint64_t next = cpu.code + (cpu.taken ? 64 : length);
	uint64_t flags = flags_of(s), ignored = undefined(text);

	for (int i = 0; i < 16; i++) {
		uint64_t mine = word_of(s, 8u * (unsigned)i);
		snprintf(what, sizeof(what), "register %d: processor %#lx, IR %#lx", i, cpu.regs[i],
			 mine);
		if (mine != cpu.regs[i] || !all_known(s, 8u * (unsigned)i, 8))
			return what;
	}
	snprintf(what, sizeof(what), "flags: processor %#lx, IR %#lx (ignored %#lx)",
		 cpu.rflags & FLAGS, flags, ignored);
	if ((flags ^ cpu.rflags) & FLAGS & ~ignored)
		return what;
	for (int i = 0; i < 16; i++) {
		uint64_t theirs, mine = word_of(s, IR_STATE_YMM + 32u * (unsigned)i);
		memcpy(&theirs, cpu.ymm[i], 8);
		snprintf(what, sizeof(what), "ymm%d: processor …%016lx, IR …%016lx", i, theirs,
			 mine);
		if (memcmp(s->bytes + IR_STATE_YMM + 32 * i, cpu.ymm[i], 32))
			return what;
	}
	if (memcmp(w->real, w->shadow, sizeof(w->shadow)))
		return "memory";
	snprintf(what, sizeof(what), "goes to %+ld, IR %+ld", (long)(next - cpu.code),
		 (long)(r->next - cpu.code));
	return !r->next_known || r->next != next ? what : w->strays ? "accesses elsewhere" : NULL;
}

/* Number of rounds compared; -1 after a difference. */
static int compare(struct world *w, const struct ir_block *ir, const char *text,
		   const uint8_t *code, unsigned length, unsigned rounding)
{
	static struct ir_value temps[2048];
	struct eval_state state;
	int compared = 0;

	assert_true(ir->n_ops <= 2048);
	for (int round = 0; round < ROUNDS; round++) {
		struct eval_result r;
		const char *wrong;
		make_input(w, text, code, length);
		load_state(&state, rounding);
		if (undefined_result(w, text) || !run_on_processor(rounding))
			continue;
		w->strays = 0;
		r = ir_eval(ir, &state, &w->memory, temps);
		wrong = difference(w, &state, text, &r, length);
		compared++;
		if (wrong) {
			print_error("%s: %s\n", text, wrong);
			ir_dump(stderr, ir);
			return -1;
		}
	}
	return compared;
}

static void make_world(struct world *w)
{
	*w = (struct world){ .memory = { world_load, world_store } };
	w->real = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE | PROT_EXEC,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(w->real != MAP_FAILED);
	signal(SIGFPE, on_trap);
}

/* Of such an instruction nothing is recorded but its loads: the IR has to tell
 * everything. */
static bool is_plain(const uint8_t *code, unsigned length, const char *text)
{
	struct trace_insn insn;

	assert_true(insn_decode(code, length, 0, &insn));
	if (insn.flags & TRACE_INSN_PLAIN)
		print_error("%s: plain, but not modelled\n", text);
	return insn.flags & TRACE_INSN_PLAIN;
}

static bool is_well_formed(const struct ir_block *ir, const char *text)
{
	uint32_t number;
	const char *wrong = ir_check(ir, &number);

	if (wrong)
		print_error("%s: op %u: %s\n", text, number, wrong);
	return !wrong;
}

static void both_agree(unsigned rounding)
{
	static struct world world;
	struct lift *lift = lift_new();
	unsigned same = 0, different = 0, incomplete = 0;

	make_world(&world);
	for (const uint8_t *at = __start_insns; at < __stop_insns;) {
		unsigned length = *at;
		const uint8_t *code = at + 1;
		const char *text = (const char *)code + length;
		uint64_t pc = (uint64_t)(uintptr_t)world.real;
		const struct ir_block *ir;
		ir = lift_insn(lift, pc, code, length);
		at = (const uint8_t *)text + strlen(text) + 1;
		different += !is_well_formed(ir, text);
		if (!ir->complete) {
			incomplete++;
			different += is_plain(code, length, text);
		} else {
			int n = compare(&world, ir, text, code, length, rounding);
			different += n < 0;
			same += n > 0;
		}
	}
	print_message("%u the same, %u different, %u not modelled\n", same, different, incomplete);
	assert_int_equal(different, 0);
	assert_in_range(same, 600, 2000);
	lift_free(lift);
	munmap(world.real, 3 * PAGE);
}

static void processor_and_ir_agree(void **unused)
{
	(void)unused;
	both_agree(0);
}

static void in_each_rounding_mode(void **unused)
{
	(void)unused;
	for (unsigned mode = 1; mode < 4; mode++)
		both_agree(mode);
}

/* ldmxcsr (%rax): bits 13 and 14 of what is loaded are the mode. */
static void ldmxcsr_sets_the_mode(void **unused)
{
	static const uint8_t code[] = { 0x0f, 0xae, 0x10 };
	static struct world world;
	static struct ir_value temps[64];
	struct lift *lift = lift_new();
	const struct ir_block *ir = lift_insn(lift, 0x1000, code, sizeof(code));
	struct eval_state state;
	uint32_t mxcsr = 0x1f80 | 2 << 13;

	(void)unused;
	make_world(&world);
	memcpy(world.shadow + PAGE, &mxcsr, sizeof(mxcsr));
	cpu.regs[TRACE_RAX] = (uint64_t)(uintptr_t)world.real + PAGE;
	load_state(&state, 0);
	assert_true(ir->n_ops <= 64);
	ir_eval(ir, &state, &world.memory, temps);
	assert_int_equal(state.bytes[IR_STATE_SSEROUND], 2);
	assert_int_equal(state.known[IR_STATE_SSEROUND], 0xff);
	lift_free(lift);
	munmap(world.real, 3 * PAGE);
}

/* As after dlclose and dlopen: other code at an address that was lifted before. */
static void other_code_at_the_same_address(void **state)
{
	static const uint8_t add[] = { 0x48, 0x01, 0xd8 }, sub[] = { 0x48, 0x29, 0xd8 };
	static const uint8_t nop[] = { 0x90 };
	struct lift *lift = lift_new();
	const struct ir_block *first = lift_insn(lift, 0x7f0000001000, add, sizeof(add));
	const struct ir_block *second = lift_insn(lift, 0x7f0000001000, sub, sizeof(sub));
	bool subtracts = false;

	(void)state;
	assert_ptr_not_equal(first, second);
	for (uint32_t i = 0; i < second->n_ops; i++)
		subtracts |= second->ops[i].kind == IR_SUB;
	assert_true(subtracts);
	assert_ptr_not_equal(lift_insn(lift, 0x7f0000001000, nop, sizeof(nop)), second);
	assert_ptr_equal(lift_insn(lift, 0x7f0000001000, add, sizeof(add)), first);
	lift_free(lift);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(processor_and_ir_agree),
		cmocka_unit_test(in_each_rounding_mode),
		cmocka_unit_test(ldmxcsr_sets_the_mode),
		cmocka_unit_test(other_code_at_the_same_address),
	};

	if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi2")) {
		puts("this processor has no AVX2 and BMI2");
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
