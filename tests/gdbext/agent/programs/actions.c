/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `actions WHAT': instructions with a label each, executed many times, and one
 * printed character or number for each time, so that tests/gdbext/agent/actions-test.sh
 * can tell which of them an action has changed.
 *
 * ways: loop tree sort handler count table pointers set wide store string calls nested left
 */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Loops around a label count with a volatile variable, so that they are not
 * unrolled. */
#define LABEL(name) ".globl " #name "\n" #name ": "
#define APART __attribute__((noinline, noclone))
#define NAKED __attribute__((naked, noinline, noclone))

enum { SET = 4711 };

static jmp_buf out;
volatile int cell;
volatile long wide_cell;

static void say(int what)
{
	printf("%c", what);
}

/* Taken when x is not 0. */
static APART int branch(int x)
{
	__asm__ goto("test %0,%0\n\t" LABEL(at_branch) "jnz %l1" : : "r"(x) : "cc" : taken);
	return 'n';
taken:
	return 'y';
}

static void loop(void)
{
	for (int i = 0; i < 8; i++)
		say(branch(i & 1));
}

static APART void tree(int depth)
{
	if (depth == 0) {
		say(branch(0));
		return;
	}
	say('(');
	tree(depth - 1);
	say(branch(1));
	tree(depth - 1);
	say(')');
}

static void trees(void)
{
	tree(3);
}

/* What is said does not change what is sorted. */
static int compare(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	say(branch(1));
	return x < y ? -1 : x > y;
}

static void sort(void)
{
	int numbers[] = { 4, 2, 3, 1 };

	qsort(numbers, 4, sizeof *numbers, compare);
	printf(" %d%d%d%d", numbers[0], numbers[1], numbers[2], numbers[3]);
}

static void on_signal(int signo)
{
	(void)signo;
	say(branch(0));
}

static void handler(void)
{
	signal(SIGUSR1, on_signal);
	for (int i = 0; i < 4; i++)
		raise(SIGUSR1);
}

/* rcx decides. */
static void count(void)
{
	for (volatile int i = 0; i < 3; i++) {
		long n = 0, rcx = 4;

		__asm__ volatile("1: inc %0\n\t" LABEL(at_loop) "loop 1b"
				 : "+r"(n), "+c"(rcx)
				 :
				 : "cc");
		printf("%ld,%ld ", n, rcx);
	}
}

static APART int choose(int i)
{
	void *to = i & 1 ? &&odd : &&even;

	__asm__ goto(LABEL(at_jump) "jmp *%0" : : "r"(to) : : odd, even, never);
	__builtin_unreachable();
odd:
	return 'o';
even:
	__asm__ volatile("");
	return 'e';
never:
	__asm__ volatile(LABEL(at_never) "nop");
	return 'x';
}

static void table(void)
{
	for (int i = 0; i < 6; i++)
		say(choose(i));
}

int APART first(void)
{
	return 'a';
}

int APART second(void)
{
	return 'b';
}

int APART third(void)
{
	return 'c';
}

static NAKED int call_through(int (**function)(void))
{
	__asm__("sub $8,%rsp\n\t" LABEL(at_memory_call) "call *(%rdi)\n\tadd $8,%rsp\n\tret");
}

static NAKED int call_by(int (*function)(void))
{
	__asm__("sub $8,%rsp\n\t" LABEL(at_register_call) "call *%rdi\n\tadd $8,%rsp\n\tret");
}

static void pointers(void)
{
	int (*volatile functions[2])(void) = { first, second };

	for (int i = 0; i < 6; i++) {
		say(call_through((int (**)(void)) & functions[i & 1]));
		say(call_by(functions[i & 1]));
	}
	say(third() == 'c' ? '.' : '!');
}

/* Of all sizes: what the rest of rax is tells how much was written. */
static void set(void)
{
	for (volatile long i = 0; i < 4; i++) {
		long rax = 0x1122334455667788 + i;

		__asm__ volatile(LABEL(at_set) "lea 0(%0),%0" : "+a"(rax));
		printf("%lx ", rax);
	}
}

static void wide(void)
{
	register double x __asm__("xmm5") = 1;

	for (volatile int i = 0; i < 4; i++) {
		__asm__ volatile(LABEL(at_wide) "addsd %0,%0" : "+x"(x));
		double y = x;

		printf("%g ", y);
		x = y;
	}
}

static void store(void)
{
	for (volatile int i = 0; i < 4; i++) {
		cell = i;
		wide_cell = -1;
		__asm__ volatile(LABEL(at_store) "nop" : : : "memory");
		printf("%d,%lx ", cell, wide_cell);
	}
}

/* Each iteration is an instance. */
static void string(void)
{
	for (volatile int i = 0; i < 2; i++) {
		char text[9] = "";
		char *to = text;
		long n = 8;

		__asm__ volatile(LABEL(at_string) "rep stosb"
				 : "+D"(to), "+c"(n)
				 : "a"('a' + i)
				 : "memory");
		printf("%s,%ld ", text, n);
	}
}

/* What untraced code returns. */
static NAKED long call_labs(long x)
{
	__asm__("sub $8,%rsp\n\t" LABEL(at_call) "call labs@PLT\n\tadd $8,%rsp\n\tret");
}

static void calls(void)
{
	for (int i = 0; i < 4; i++)
		printf("%ld ", call_labs(-i));
}

/* rax of the call of qsort: whatever it left there, or SET. */
static NAKED long sorted(void *base, size_t n, size_t size,
			 int (*order)(const void *, const void *))
{
	__asm__("sub $8,%rsp\n\t" LABEL(at_sort) "call qsort@PLT\n\tadd $8,%rsp\n\tret");
}

static int deep;

static int order_deep(const void *a, const void *b)
{
	int numbers[] = { 2, 1 };

	if (deep < 3) {
		deep++;
		say('(');
		say(sorted(numbers, 2, sizeof *numbers, order_deep) == SET ? 'S' : '-');
		say(')');
	}
	return *(const int *)a - *(const int *)b;
}

static void nested(void)
{
	int numbers[] = { 2, 1 };

	for (int i = 0; i < 2; i++) {
		deep = 0;
		say(sorted(numbers, 2, sizeof *numbers, order_deep) == SET ? 'S' : '-');
	}
}

static int leave(const void *a, const void *b)
{
	if (deep++ == 0)
		longjmp(out, 1);
	return *(const int *)a - *(const int *)b;
}

/* The first call does not come back. */
static void left(void)
{
	static int numbers[] = { 2, 1 };

	deep = 0;
	if (setjmp(out))
		say('<');
	for (int i = 0; i < 2; i++)
		say(sorted(numbers, 2, sizeof *numbers, leave) == SET ? 'S' : '-');
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} all[] = { { "loop", loop },	      { "tree", trees },    { "sort", sort },
		    { "handler", handler },   { "count", count },   { "table", table },
		    { "pointers", pointers }, { "set", set },	    { "wide", wide },
		    { "store", store },	      { "string", string }, { "calls", calls },
		    { "nested", nested },     { "left", left } };

	for (size_t i = 0; argc > 1 && i < sizeof all / sizeof *all; i++)
		if (!strcmp(argv[1], all[i].name)) {
			all[i].run();
			puts("");
			return 0;
		}
	return 2;
}
