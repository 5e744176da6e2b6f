#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# limits: any  timeout: 120
#
# A program that changes its own code: recorded runs do not see that, and the answer says so, by
# whatever way it does that.  Code that it makes elsewhere runs as it does alone.
. tests/support/samples-lib.sh
need_tool
# what the answer says of the program is asked for, and few explanations are enough for that
few="--max-size 1 --limit runs=2 --limit passes=1 --limit slip_lines=0 --limit mutant_runs=0
	--limit interval_work=1000 --limit question_effort=1"
cat >"$dir/p.c" <<'C'
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

__attribute__((noinline, aligned(64))) static int number(void)
{
	volatile int a = 0, b = 0, c = 0;

	return a + b + c + 1;
}

/* mov eax, 3; ret */
static const unsigned char three[] = { 0xb8, 3, 0, 0, 0, 0xc3 };

static unsigned char *page_of(void)
{
	return (unsigned char *)((uintptr_t)number & ~(uintptr_t)4095);
}

static void by_syscall(void)
{
	syscall(SYS_mprotect, page_of(), 8192, PROT_READ | PROT_WRITE | PROT_EXEC);
	memcpy((void *)(uintptr_t)number, three, sizeof three);
}

static void by_proc(void)
{
	int fd = open("/proc/self/mem", O_RDWR);

	if (pwrite(fd, three, sizeof three, (off_t)(uintptr_t)number) != sizeof three)
		exit(77);
	close(fd);
}

/* A page that is also mapped elsewhere. */
static void by_second_mapping(void)
{
	int fd = memfd_create("code", 0);
	unsigned char *other;

	if (write(fd, page_of(), 8192) != 8192)
		exit(77);
	other = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	mmap(page_of(), 8192, PROT_READ | PROT_EXEC, MAP_SHARED | MAP_FIXED, fd, 0);
	memcpy(other + ((uintptr_t)number & 4095), three, sizeof three);
}

static int elsewhere(int change)
{
	unsigned char *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int sum = 0;

	memcpy(code, three, sizeof three);
	for (int i = 0; i < 3; i++) {
		sum = sum * 10 + ((int (*)(void))(uintptr_t)code)();
		if (change)
			code[1]++;
		if (change && i == 1) {
			mprotect(code, 4096, PROT_READ | PROT_WRITE);
			code[1] = 9;
			mprotect(code, 4096, PROT_READ | PROT_EXEC);
			change = 0;
		}
	}
	return sum;
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "", *end = argc > 2 ? argv[2] : "";

	if (!strcmp(how, "mprotect"))
		mprotect(page_of(), 8192, PROT_READ | PROT_WRITE | PROT_EXEC);
	else if (!strcmp(how, "syscall"))
		by_syscall();
	else if (!strcmp(how, "proc"))
		by_proc();
	else if (!strcmp(how, "mapping"))
		by_second_mapping();
	printf("%d\n", elsewhere(!strcmp(how, "elsewhere")));
	fflush(stdout);
	if (!strcmp(end, "exit"))
		return 5;
	if (!strcmp(end, "crash"))
		raise(SIGSEGV);
	assert(number() == 4);
	return 0;
}
C
"$CC" -g -O0 -o "$dir/p" "$dir/p.c" || exit 1

# Code that is writable from the start, in a page of the program's data, and changed back.
cat >"$dir/w.c" <<'C'
#include <assert.h>
#include <stdint.h>
#include <string.h>

__attribute__((noinline, aligned(64), section(".writable,\"awx\",@progbits#"))) static int
number(void)
{
	volatile int a = 0, b = 0, c = 0;

	return a + b + c + 1;
}

/* mov eax, 3; ret */
static const unsigned char three[] = { 0xb8, 3, 0, 0, 0, 0xc3 };
static int calls = 4, is;

int main(int argc, char **argv)
{
	unsigned char kept[sizeof three], *code = (unsigned char *)(uintptr_t)number;

	calls++;
	memcpy(kept, code, sizeof kept);
	if (argc > 1) {
		memcpy(code, three, sizeof three);
		is = number();
		if (argv[1][0] == 'b')
			memcpy(code, kept, sizeof kept);
	}
	assert(calls + is == 7);
	return 0;
}
C
"$CC" -g -O0 -o "$dir/w" "$dir/w.c" 2>"$dir/warnings" || exit 1

# It fails alone, and passes when its code stays as it is in the file.
cat >"$dir/s.c" <<'C'
#include <assert.h>
#include <stdint.h>
#include <string.h>

__attribute__((noinline, aligned(64), section(".writable,\"awx\",@progbits#"))) static int
number(void)
{
	volatile int a = 0, b = 0, c = 0;

	return a + b + c + 1;
}

int main(void)
{
	static const unsigned char three[] = { 0xb8, 3, 0, 0, 0, 0xc3 };

	memcpy((void *)(uintptr_t)number, three, sizeof three);
	assert(number() == 1);
	return 0;
}
C
"$CC" -g -O0 -o "$dir/s" "$dir/s.c" 2>"$dir/warnings" || exit 1
"$dir/s" >"$dir/answer" 2>&1 && complain "the program does not fail alone"

says() { # what, how: does the answer say it?
	"$WHY_BIN" explain $few --engine "$engine" -- "$dir/p" $2 >"$dir/answer" 2>&1
	tr -s ' \n' ' ' <"$dir/answer" | grep -q "the program $1"
}
for engine in jit step; do
	for how in '' back; do
		"$WHY_BIN" explain $few --engine "$engine" -- "$dir/w" $how >"$dir/answer" 2>&1
		tr -s ' \n' ' ' <"$dir/answer" | grep -q 'the program can write to its own code' ||
			complain "$engine: writable code, $how: not said: $(cat "$dir/answer")"
		grep -q 'assertion .* .*w.c:29' "$dir/answer" || complain "$engine: $(head -n 1 "$dir/answer")"
	done
	"$WHY_BIN" explain $few --engine "$engine" -- "$dir/w" changed >"$dir/answer" 2>&1
	tr -s ' \n' ' ' <"$dir/answer" | grep -q 'the program changes its own code' ||
		complain "$engine: writable code, changed: not said: $(cat "$dir/answer")"
	"$WHY_BIN" explain $few --engine "$engine" -- "$dir/s" >"$dir/answer" 2>&1 &&
		complain "$engine: code of the file explained: $(cat "$dir/answer")"
	grep -q 'did not fail when it was recorded: .* It changes its own code' "$dir/answer" ||
		complain "$engine: passes as it is in the file: not said: $(cat "$dir/answer")"
	says 'makes its own code writable' mprotect || complain "$engine: not said: $(cat "$dir/answer")"
	for how in syscall proc mapping; do
		for end in assert $([ "$engine" = step ] && [ -z "${THOROUGH:-}" ] || echo exit crash); do
			says 'changes its own code' "$how $end" ||
				complain "$engine: $how, $end: not said: $(cat "$dir/answer")"
		done
	done
	for how in none elsewhere; do
		for end in assert exit; do
			says '[a-z]* its own code' "$how $end" &&
				complain "$engine: $how, $end: said without a reason"
		done
		alone=$("$dir/p" "$how" exit)
		recorded=$("$WHY_BIN" explain $few --engine "$engine" --show-output -- "$dir/p" "$how" exit 2>&1 |
			grep -cx "[^0-9]*$alone[^0-9]*")
		[ "$recorded" -ge 1 ] || complain "$engine: $how: not $alone as alone"
	done
done
finish
