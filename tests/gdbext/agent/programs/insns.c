/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `insns WHAT': single instructions that a copy of them could get wrong.
 *
 * flags: -fcf-protection
 * ways: transfers flags stack redzone kernel processor registers bytes locks x87 vectors
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define APART __attribute__((noinline, noclone))
#define NAKED __attribute__((naked, noinline, noclone))

static uint64_t cell = 0x1122334455667788;

static void show(const char *what, uint64_t a, uint64_t b)
{
	printf("%s %llx %llx\n", what, (unsigned long long)a, (unsigned long long)b);
}

/* ---- transfers ---- */

static NAKED long pops_more(long a, long b)
{
	__asm__("lea (%rdi,%rsi,4),%rax\n\t"
		"ret $16");
}

static NAKED long tail(long a)
{
	__asm__("endbr64\n\t"
		"lea 1(%rdi),%rdi\n\t"
		"jmp *%rsi");
}

static NAKED long twice(long a)
{
	__asm__("endbr64\n\t"
		"lea (%rdi,%rdi),%rax\n\t"
		"repz ret");
}

/* Returns to an address that it has pushed itself. */
static NAKED long pushed_return(long a)
{
	__asm__("lea 1f(%rip),%rax\n\t"
		"push %rax\n\t"
		"ret\n"
		"1:\n\t"
		"lea 5(%rdi),%rax\n\t"
		"ret");
}

static long (*volatile through)(long) = twice;

static int transfers(void)
{
	long a, b = 3, n = 0;

	__asm__ volatile("xor %%eax,%%eax\n\t"
			 "mov $7,%%ecx\n"
			 "1:\n\t"
			 "add %%rcx,%%rax\n\t"
			 "loop 1b\n\t"
			 "jrcxz 2f\n\t"
			 "ud2\n"
			 "2:\n\t"
			 "mov $1,%%ecx\n\t"
			 "jecxz 2b\n\t"
			 "mov $5,%%ecx\n"
			 "3:\n\t"
			 "inc %%rax\n\t"
			 "test $7,%%al\n\t"
			 "loopne 3b\n\t"
			 "sete %%bl\n"
			 "4:\n\t"
			 "cmp %%eax,%%eax\n\t"
			 "loope 4b"
			 : "=&a"(a), "=&c"(n), "+b"(b)
			 :
			 : "cc");
	show("loops", (uint64_t)a, (uint64_t)n + (uint64_t)b % 256);
	/* On its own stack: the call's arguments are dropped by the callee. */
	__asm__ volatile("mov %%rsp,%%rbx\n\t"
			 "sub $256,%%rsp\n\t"
			 "and $-16,%%rsp\n\t"
			 "mov %%rsp,%%r12\n\t"
			 "push $1\n\t"
			 "push $2\n\t"
			 "call *%[f]\n\t"
			 "sub %%rsp,%%r12\n\t"
			 "mov %%r12,%%rcx\n\t"
			 "mov %%rbx,%%rsp"
			 : "=&a"(a), "=&c"(n)
			 : [f] "r"(pops_more), "D"(100L), "S"(7L)
			 : "rbx", "rdx", "r8", "r9", "r10", "r11", "r12", "memory", "cc");
	show("ret 16", (uint64_t)a, (uint64_t)n);
	__asm__ volatile("sub $128,%%rsp\n\t"
			 "push %[f]\n\t"
			 "call *(%%rsp)\n\t" /* the operand is at rsp */
			 "lea 136(%%rsp),%%rsp"
			 : "=&a"(a)
			 : [f] "r"(twice), "D"(21L)
			 : "rcx", "rdx", "r8", "r9", "r10", "r11", "memory", "cc");
	show("call *(%rsp)", (uint64_t)a, (uint64_t)through(8));
	__asm__ volatile("sub $128,%%rsp\n\t"
			 "mov %[f],%%rsi\n\t"
			 "call *%[g]\n\t"
			 "add $128,%%rsp"
			 : "=&a"(a)
			 : [f] "r"(twice), [g] "r"(tail), "D"(20L)
			 : "rsi", "rcx", "rdx", "r8", "r9", "r10", "r11", "memory", "cc");
	show("tail", (uint64_t)a, (uint64_t)pushed_return(4));
	for (long i = 0; i < 4; i++) {
		__asm__ volatile("lea 1f(%%rip),%%rax\n\t"
				 "movslq (%%rax,%1,4),%%rdx\n\t"
				 "add %%rdx,%%rax\n\t"
				 "notrack jmp *%%rax\n"
				 "1:\n\t"
				 ".long 2f-1b, 3f-1b, 4f-1b, 2f-1b\n"
				 "2: mov $10,%0; jmp 5f\n"
				 "3: mov $11,%0; jmp 5f\n"
				 "4: mov $12,%0\n"
				 "5:"
				 : "=r"(a)
				 : "r"(i)
				 : "rax", "rdx", "cc");
		show("table", (uint64_t)a, (uint64_t)i);
	}
	return 0;
}

/* ---- flags: across the ends of blocks, in all that reads them ---- */

static APART uint64_t long_addition(const uint64_t *a, const uint64_t *b, uint64_t *sum, long n)
{
	uint64_t carry;

	/* The carry lives across the loop's branch. */
	__asm__ volatile("clc\n"
			 "1:\n\t"
			 "mov (%1),%%rax\n\t"
			 "adc (%2),%%rax\n\t"
			 "mov %%rax,(%3)\n\t"
			 "lea 8(%1),%1\n\t"
			 "lea 8(%2),%2\n\t"
			 "lea 8(%3),%3\n\t"
			 "dec %4\n\t"
			 "jnz 1b\n\t"
			 "setc %b0\n\t"
			 "movzbl %b0,%k0"
			 : "=&q"(carry), "+&r"(a), "+&r"(b), "+&r"(sum), "+&r"(n)
			 :
			 : "rax", "cc", "memory");
	return carry;
}

static int flags(void)
{
	uint64_t a[4] = { ~0ull, ~0ull, 5, 1ull << 63 }, b[4] = { 1, 0, ~0ull, 1ull << 63 }, s[4];
	uint64_t x = long_addition(a, b, s, 4), y = 0, z = 0;

	for (int i = 0; i < 4; i++)
		show("adc", s[i], x);
	for (int i = 0; i < 8; i++) {
		/* All six flags are made, and go through jumps unharmed. */
		__asm__ volatile("mov %2,%%eax\n\t"
				 "shl $31,%%eax\n\t"
				 "mov %2,%%ecx\n\t"
				 "shr $1,%%ecx\n\t"
				 "add $0x7fffffff,%%ecx\n\t"
				 "jmp 1f\n"
				 "2:\n\t"
				 "pushfq\n\t"
				 "jmp 3f\n"
				 "1: jmp 2b\n"
				 "3: pop %0\n\t"
				 "cmp %%eax,%%ecx\n\t"
				 "lahf\n\t"
				 "jmp 4f\n"
				 "4: seto %%al\n\t"
				 "sahf\n\t"
				 "cmovc %2,%%eax\n\t"
				 "rcl $3,%%rax\n\t"
				 "mov %%rax,%1"
				 : "=&r"(y), "=&r"(z)
				 : "r"(i)
				 : "rax", "rcx", "cc", "memory");
		show("flags", y & 0x8d5, z & 0xffff);
	}
	__asm__ volatile("stc\n\t"
			 "cmc\n\t"
			 "sbb %0,%0\n\t"
			 "bt $5,%2\n\t"
			 "rcr $1,%0\n\t"
			 "shld $12,%2,%1"
			 : "+&r"(x), "+&r"(y)
			 : "r"(cell)
			 : "cc");
	show("bits", x, y);
	__asm__ volatile("xor %%ecx,%%ecx\n\t"
			 "add $1,%%rcx\n\t" /* a shift by nothing keeps the flags */
			 "mov $64,%%ecx\n\t"
			 "shl %%cl,%0\n\t"
			 "adc $0,%0\n\t"
			 "pushq $0x4d5\n\t" /* parity, zero, sign … and the direction flag */
			 "popfq\n\t"
			 "cld\n\t"
			 "pushfq\n\t"
			 "pop %1"
			 : "+&r"(x), "=&r"(y)
			 :
			 : "rcx", "cc", "memory");
	show("popf", x, y & 0xcd5);
	return 0;
}

/* ---- the stack ---- */

static NAKED uint64_t frames(uint64_t a)
{
	__asm__("endbr64\n\t"
		"enter $32,$0\n\t"
		"mov %rdi,-8(%rbp)\n\t"
		"push -8(%rbp)\n\t"
		"push (%rsp)\n\t" /* the address is formed before rsp moves */
		"pop 8(%rsp)\n\t" /* and here after it has */
		"mov 8(%rsp),%rax\n\t"
		"pushw $0x1234\n\t"
		"popw %ax\n\t"
		"push %rsp\n\t"
		"pop %rdx\n\t"
		"sub %rsp,%rdx\n\t"
		"add %rdx,%rax\n\t"
		"leave\n\t"
		"ret");
}

/* An address that is as long as the stack pointer has it for a while. */
static NAKED uint64_t other_stack(uint64_t *top)
{
	__asm__("endbr64\n\t"
		"xchg %rsp,%rdi\n\t"
		"push $77\n\t"
		"pushq cell(%rip)\n\t"
		"pop %rax\n\t"
		"pop %rdx\n\t"
		"add %rdx,%rax\n\t"
		"mov %rdi,%rsp\n\t"
		"ret");
}

static int stack(void)
{
	static uint64_t room[64];

	show("frames", frames(0xabcdef), other_stack(room + 60));
	show("room", room[59], room[58]);
	return 0;
}

/* What lies below rsp is the function's own. */
static NAKED uint64_t below(uint64_t n)
{
	__asm__("endbr64\n\t"
		"movq $0,-8(%rsp)\n\t"
		"movq $1,-128(%rsp)\n"
		"1:\n\t"
		"mov -8(%rsp),%rax\n\t"
		"add -128(%rsp),%rax\n\t"
		"xchg %rax,-128(%rsp)\n\t"
		"mov %rax,-8(%rsp)\n\t"
		"cmp $3,%rdi\n\t"
		"jne 2f\n\t"
		"stc\n"
		"2:\n\t"
		"lea -1(%rdi),%rdi\n\t"
		"jrcxz 3f\n"
		"3:\n\t"
		"test %rdi,%rdi\n\t"
		"jnz 1b\n\t"
		"mov -128(%rsp),%rax\n\t"
		"ret");
}

static int redzone(void)
{
	for (uint64_t n = 1; n < 60; n += 13)
		show("below", n, below(n));
	return 0;
}

/* ---- the kernel and the processor ---- */

static int kernel(void)
{
	static const char text[] = "by the kernel\n";
	long got, rcx = 5;

	fflush(stdout);
	for (int i = 0; i < 3; i++) {
		__asm__ volatile("syscall"
				 : "=a"(got), "+c"(rcx)
				 : "a"(SYS_write), "D"(1), "S"(text), "d"(sizeof text - 1)
				 : "r11", "memory");
		show("write", (uint64_t)got, rcx != 5);
		fflush(stdout);
	}
	__asm__ volatile("syscall\n"
			 "1:\n\t"
			 "lea 1b(%%rip),%%rdx\n\t"
			 "sub %%rcx,%%rdx"
			 : "=a"(got), "=d"(rcx)
			 : "a"(SYS_getpid)
			 : "rcx", "r11", "memory");
	show("getpid", got == getpid(), (uint64_t)rcx); /* rcx is where control comes back */
	return 0;
}

static int processor(void)
{
	unsigned a = 0, b, c = 0, d, aux, other;
	uint64_t before, after;
	char name[13] = "";

	__asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
	memcpy(name, &b, 4);
	memcpy(name + 4, &d, 4);
	memcpy(name + 8, &c, 4);
	printf("%s %u\n", name, a);
	__asm__ volatile("rdtsc\n\tshl $32,%%rdx\n\tor %%rdx,%%rax" : "=a"(before) : : "rdx", "cc");
	for (volatile int i = 0; i < 1000; i++)
		;
	__asm__ volatile("rdtscp\n\tshl $32,%%rdx\n\tor %%rdx,%%rax"
			 : "=a"(after), "=c"(aux)
			 :
			 : "rdx", "cc");
	__asm__ volatile("lfence\n\tmfence\n\tsfence\n\tpause\n\tprefetcht0 (%0)" : : "r"(name));
	__asm__ volatile("xor %%ecx,%%ecx\n\txgetbv" : "=a"(other) : : "rcx", "rdx", "cc");
	printf("%d %d\n", after > before, other & 1);
	return 0;
}

/* ---- every register ---- */

static int registers(void)
{
	static uint64_t in[16], out[16];

	for (int i = 0; i < 16; i++)
		in[i] = 0x0101010101010101ull * (unsigned)i + 1;
	for (int round = 0; round < 3; round++) {
		/* Each addresses memory with, is loaded, and is kept over branches and calls. */
		__asm__ volatile("lea %[in],%%r15\n\t"
				 "mov 8(%%r15),%%r8\n\t"
				 "mov 16(%%r15),%%r9\n\t"
				 "mov 24(%%r15),%%r10\n\t"
				 "mov 32(%%r15),%%r11\n\t"
				 "mov 40(%%r15),%%r12\n\t"
				 "mov 48(%%r15),%%r13\n\t"
				 "mov 56(%%r15),%%r14\n\t"
				 "cmp %%r10,%%r11\n\t"
				 "jb 1f\n\t"
				 "xchg %%r10,%%r11\n"
				 "1:\n\t"
				 "movzbl %%r10b,%%eax\n\t"
				 "movzbl %%r11b,%%ecx\n\t"
				 "and $7,%%eax\n\t"
				 "and $7,%%ecx\n\t"
				 "mov %%rax,%%r10\n\t"
				 "mov %%rcx,%%r11\n\t"
				 "mov (%%r15,%%r10,8),%%r10\n\t"
				 "add (%%r15,%%r11,8),%%r10\n\t"
				 "xor %%r14,%%r11\n\t"
				 "lea (%%r15),%%r11\n\t"
				 "mov 64(%%r11),%%r11\n\t"
				 "imul $3,72(%%r15),%%r14\n\t"
				 "movsbl 80(%%r15),%%r13d\n\t"
				 "push %%r10\n\t"
				 "push %%r11\n\t"
				 "pop %%r10\n\t"
				 "pop %%r11\n\t"
				 "lea %[out],%%rax\n\t"
				 "mov %%r8,(%%rax)\n\t"
				 "mov %%r9,8(%%rax)\n\t"
				 "mov %%r10,16(%%rax)\n\t"
				 "mov %%r11,24(%%rax)\n\t"
				 "mov %%r12,32(%%rax)\n\t"
				 "mov %%r13,40(%%rax)\n\t"
				 "mov %%r14,48(%%rax)\n\t"
				 "add %%r11,56(%%rax)\n\t"
				 "lock xadd %%r10,64(%%rax)\n\t"
				 "mov %%r10,72(%%rax)"
				 : [out] "+m"(out)
				 : [in] "m"(in)
				 : "rax", "rcx", "r8", "r9", "r10", "r11", "r12", "r13", "r14",
				   "r15", "memory", "cc");
		for (int i = 0; i < 10; i++)
			show("register", (uint64_t)i, out[i]);
		in[4] ^= 0x3333, in[3] += 0x17;
	}
	return 0;
}

static int bytes(void)
{
	uint64_t a = 0x1111111111111111, b = 0x2222222222222222, c, d;
	static uint8_t table[256];

	for (int i = 0; i < 256; i++)
		table[i] = (uint8_t)(i * 7 + 3);
	__asm__ volatile("movb 1+cell(%%rip),%%ah\n\t"
			 "movb 2+cell(%%rip),%%bl\n\t"
			 "movw 3+cell(%%rip),%%cx\n\t"
			 "addb %%ah,%%bh\n\t"
			 "movsbw 7+cell(%%rip),%%dx\n\t"
			 "xchg %%bh,%%al"
			 : "+a"(a), "+b"(b), "=c"(c), "=d"(d)
			 :
			 : "cc");
	show("bytes", a, b);
	show("words", c & 0xffff, d & 0xffff);
	__asm__ volatile("mov %2,%%al\n\t"
			 "xlat\n\t"
			 "movzbl %%al,%%eax"
			 : "=&a"(a)
			 : "b"(table), "r"((uint8_t)9)
			 : "cc");
	__asm__ volatile("movbe %1,%0" : "=r"(b) : "m"(cell));
	show("xlat", a, b);
	__asm__ volatile("movl 4+cell(%%rip),%%eax\n\t" /* zeroes the upper half */
			 "movq $-1,%%rcx\n\t"
			 "movw cell(%%rip),%%cx\n\t" /* which this keeps */
			 "movabs $0x123456789abcdef0,%%rdx\n\t"
			 "xor cell(%%rip),%%rdx"
			 : "=a"(a), "=c"(b), "=d"(d)
			 :
			 : "cc");
	show("widths", a, b ^ d);
	__asm__ volatile("bts %2,%0\n\t"
			 "btr $3,%0\n\t"
			 "popcnt %0,%1\n\t"
			 "bswap %0\n\t"
			 "bsf %0,%%rcx\n\t"
			 "add %%rcx,%1"
			 : "+&r"(a), "=&r"(b)
			 : "r"(40L)
			 : "rcx", "cc");
	show("bits", a, b);
	return 0;
}

/* ---- locked ---- */

static int locks(void)
{
	static uint64_t pair[2] __attribute__((aligned(16))) = { 3, 4 };
	uint64_t x = 5, a = 3, d = 4, old = 9;
	uint8_t swapped;

	for (int i = 0; i < 3; i++) {
		__asm__ volatile("lock cmpxchg16b %0\n\tsete %1"
				 : "+m"(pair), "=q"(swapped), "+a"(a), "+d"(d)
				 : "b"(30L + i), "c"(40L + i)
				 : "cc", "memory");
		show("pair", pair[0] << 8 | pair[1], a << 8 | d | (uint64_t)swapped << 32);
	}
	__asm__ volatile("lock xadd %0,%1" : "+r"(x), "+m"(old) : : "cc", "memory");
	show("xadd", x, old);
	__asm__ volatile("lock cmpxchg %2,%1\n\tlock incq %1\n\tlock btsq $40,%1"
			 : "+a"(x), "+m"(old)
			 : "r"(77L)
			 : "cc", "memory");
	show("cmpxchg", x, old);
	__asm__ volatile("xchg %0,%1" : "+r"(x), "+m"(old) : : "memory");
	show("xchg", x, old);
	return 0;
}

/* ---- the old and the new floating point ---- */

static int x87(void)
{
	double x = 2.0, y = 0.1, z;
	uint16_t control, status;
	long double precise;
	int whole;

	__asm__ volatile("fnstcw %0" : "=m"(control));
	__asm__ volatile("fldl %2\n\t"
			 "fsqrt\n\t"
			 "fldl %3\n\t"
			 "fmulp\n\t"
			 "fld %%st(0)\n\t"
			 "fistpl %1\n\t"
			 "fld1\n\t"
			 "fxch\n\t"
			 "fpatan\n\t"
			 "fstpt %0"
			 : "=m"(precise), "=m"(whole)
			 : "m"(x), "m"(y));
	printf("%x %.18Lf %d\n", control, precise, whole);
	for (int i = 0; i < 3; i++) {
		__asm__ volatile("fldl %2\n\t"
				 "fldl %3\n\t"
				 "fcomip %%st(1)\n\t"
				 "fstp %%st(0)\n\t"
				 "ja 1f\n\t"
				 "fldpi\n\t"
				 "jmp 2f\n"
				 "1: fldln2\n"
				 "2:\n\t"
				 "fstpl %0\n\t"
				 "fnstsw %%ax\n\t"
				 "mov %%ax,%1"
				 : "=m"(z), "=r"(status)
				 : "m"(x), "m"(y)
				 : "ax", "cc");
		printf("%.9f %x\n", z, status & 0x7f00);
		y += 1.5;
	}
	return 0;
}

/* Vector registers up to the last one and, where there are some, their upper halves. */
__attribute__((target("avx2,fma"))) static APART void wide(void)
{
	static float in[16] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 };
	static float out[16];
	unsigned mask = 0;

	for (int i = 0; i < 3; i++) {
		__asm__ volatile("vmovups %[in],%%ymm15\n\t"
				 "vmovups 32+%[in],%%ymm14\n\t"
				 "vfmadd231ps %%ymm14,%%ymm14,%%ymm15\n\t"
				 "vpermilps $0x1b,%%ymm15,%%ymm13\n\t"
				 "vextractf128 $1,%%ymm13,%%xmm12\n\t"
				 "vaddps %%xmm12,%%xmm15,%%xmm11\n\t"
				 "vcmpps $1,%%ymm14,%%ymm13,%%ymm10\n\t"
				 "vmovmskps %%ymm10,%[mask]\n\t"
				 "vmovups %%ymm13,%[out]\n\t"
				 "vmovups %%xmm11,32+%[out]\n\t"
				 "vbroadcastss 8+%[in],%%ymm15\n\t"
				 "vblendps $0x55,%%ymm15,%%ymm14,%%ymm9\n\t"
				 "vmovss %%xmm9,48+%[out]\n\t"
				 "vzeroupper"
				 : [out] "+m"(out), [mask] "=r"(mask)
				 : [in] "m"(in)
				 : "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15",
				   "memory");
		for (int k = 0; k < 13; k++)
			printf("%g ", (double)out[k]);
		printf("%x\n", mask);
		in[3] = out[5];
	}
}

static int vectors(void)
{
	uint64_t in[2] = { 0x1122334455667788, 0x99aabbccddeeff00 }, out[2] = { 0 };
	double x = 0;
	unsigned mask;

	for (int i = 0; i < 3; i++) {
		__asm__ volatile("movdqu %[in],%%xmm15\n\t"
				 "movdqa %%xmm15,%%xmm8\n\t"
				 "paddb %%xmm8,%%xmm15\n\t"
				 "pshufd $0x4e,%%xmm15,%%xmm0\n\t"
				 "pmovmskb %%xmm15,%[mask]\n\t"
				 "movdqu %%xmm0,%[out]\n\t"
				 "cvtsi2sd %[mask],%%xmm15\n\t"
				 "sqrtsd %%xmm15,%%xmm15\n\t"
				 "ucomisd %[x],%%xmm15\n\t"
				 "jbe 1f\n\t"
				 "movsd %%xmm15,%[x]\n"
				 "1:"
				 : [out] "=m"(out), [mask] "=&r"(mask), [x] "+m"(x)
				 : [in] "m"(in)
				 : "xmm0", "xmm8", "xmm15", "memory", "cc");
		show("vectors", out[0], out[1]);
		printf("%x %.6f\n", mask, x);
		in[0] ^= out[1];
	}
	if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
		wide();
	return 0;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(void);
	} all[] = { { "transfers", transfers }, { "flags", flags },
		    { "stack", stack },		{ "redzone", redzone },
		    { "kernel", kernel },	{ "processor", processor },
		    { "registers", registers }, { "bytes", bytes },
		    { "locks", locks },		{ "x87", x87 },
		    { "vectors", vectors } };

	for (size_t i = 0; argc > 1 && i < sizeof all / sizeof *all; i++)
		if (!strcmp(argv[1], all[i].name))
			return all[i].run();
	return 2;
}
