/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which loads and outcomes of branches need not be recorded.  In the functions below a load to
 * %r8 is one of those, and one to %r9 is not.
 */
#include "solver/image/image.h"
#include "tests/support/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define FUNCTION(name, text)                                                    \
	"__attribute__((naked)) void " name "(void) { __asm__ volatile(\n" text \
	"\"pop %rbp; ret\\n\"); }\n"
#define FRAME "\"push %rbp; mov %rsp,%rbp\\n\"\n"

/* clang-format off */
static const char source[] =
	"void callee(void) { }\n"
	FUNCTION("stored", FRAME
		"\"mov %edi,-4(%rbp); mov -4(%rbp),%r8d\\n\"")
	FUNCTION("loaded", FRAME
		"\"mov -4(%rbp),%r9d; mov -4(%rbp),%r8d\\n\"")
	FUNCTION("part", FRAME
		"\"mov %edi,-8(%rbp); movzbl -7(%rbp),%r8d; mov -8(%rbp),%r9\\n\"")
	FUNCTION("two_parts", FRAME
		"\"mov %edi,-8(%rbp); mov %edi,-4(%rbp); mov -8(%rbp),%r8; mov -6(%rbp),%r8d\\n\"")
	FUNCTION("called_between", FRAME
		"\"mov %edi,-4(%rbp); call callee; mov -4(%rbp),%r9d; mov -4(%rbp),%r8d\\n\"")
	FUNCTION("system_call_between", FRAME
		"\"mov %edi,-4(%rbp); syscall; mov -4(%rbp),%r9d\\n\"")
	FUNCTION("other_store_between", FRAME
		"\"mov %edi,-4(%rbp); mov %esi,(%rdx); rep stosb; mov -4(%rbp),%r8d\\n\"")
	FUNCTION("one_way", FRAME
		"\"test %edi,%edi; je 1f; mov %edi,-4(%rbp); 1: mov -4(%rbp),%r9d\\n\"")
	FUNCTION("both_ways", FRAME
		"\"test %edi,%edi; je 1f; mov %edi,-4(%rbp); jmp 2f; 1: mov %esi,-4(%rbp)\\n\"\n"
		"\"2: mov -4(%rbp),%r8d\\n\"")
	FUNCTION("round", FRAME
		"\"mov %edi,-4(%rbp); 1: mov -4(%rbp),%r8d; mov -8(%rbp),%r9d; dec %edi; jne 1b\\n\"\n"
		"\"mov -8(%rbp),%r8d\\n\"")
	FUNCTION("round_with_call", FRAME
		"\"mov %edi,-4(%rbp); 1: mov -4(%rbp),%r9d; call callee; dec %edi; jne 1b\\n\"")
	FUNCTION("indexed", FRAME
		"\"mov %edi,-4(%rbp); mov -4(%rbp,%rax,4),%r9d; mov -4(%rbp,%rax,4),%r9d\\n\"")
	FUNCTION("elsewhere", FRAME
		"\"mov %edi,(%rdx); mov (%rdx),%r9d; mov %fs:-4(%rbp),%r9d; mov %fs:-4(%rbp),%r9d\\n\"")
	FUNCTION("float_store", FRAME
		"\"movss %xmm7,-4(%rbp); mov -4(%rbp),%r8d; movups %xmm1,-32(%rbp); mov -20(%rbp),%r8d\\n\"")
	FUNCTION("unknown_register", FRAME
		"\"movss %xmm8,-4(%rbp); mov -4(%rbp),%r9d\\n\"")
	FUNCTION("not_modelled", FRAME
		"\"mov %edi,-4(%rbp); fstps -8(%rbp); mov -8(%rbp),%r9d; lock xadd %eax,-4(%rbp)\\n\"\n"
		"\"mov -4(%rbp),%r9d\\n\"")
	FUNCTION("bits_elsewhere", FRAME
		"\"mov %edi,-4(%rbp); bts %rax,(%rdx); mov -4(%rbp),%r9d\\n\"")
	FUNCTION("no_frame", "\"push %rbp; mov %rdi,%rbp; mov %esi,8(%rbp); mov 8(%rbp),%r9d\\n\"")
	FUNCTION("stack_pointer",
		"\"push %rbp; mov %edi,-4(%rsp); mov -4(%rsp),%r8d; push %rax; mov 4(%rsp),%r8d\\n\"\n"
		"\"mov (%rsp),%r8; pop %rax; mov -4(%rsp),%r8d; sub $8,%rsp; mov 4(%rsp),%r9d; add $8,%rsp\\n\"")
	FUNCTION("saved_frame_pointer", FRAME "\"mov (%rbp),%r8; mov 8(%rbp),%r9\\n\"")
	FUNCTION("jumps_who_knows_where", FRAME
		"\"mov %edi,-4(%rbp); mov -4(%rbp),%r9d; jmp *%rdi; mov -4(%rbp),%r9d\\n\"")
	FUNCTION("entered_from_elsewhere", FRAME
		"\"mov %edi,-4(%rbp); .globl inner; inner: mov -4(%rbp),%r9d\\n\"")
	FUNCTION("enters_elsewhere", FRAME "\"call inner\\n\"")
	FUNCTION("inferred_compare", "\"cmp %edi,%esi; mov %eax,%ecx; jl 1f; je 1f; nop; 1: nop\\n\"")
	FUNCTION("inferred_others", "\"test %edi,%edi; jne 1f; nop; 1: sub $3,%rdi; ja 1b\\n\"\n"
		"\"inc %edi; jg 1b; shr $3,%edi; je 1b; comisd %xmm0,%xmm1; jp 1b\\n\"")
	FUNCTION("recorded_other_flag", "\"cmp %edi,%esi; inc %edi; jb 1f; nop; 1: shr $3,%edi; jg 1b\\n\"")
	FUNCTION("recorded_perhaps_not_set", "\"1: shr %cl,%edi; je 1b; rol $3,%edi; jb 1b\\n\"")
	FUNCTION("recorded_undefined", "\"1: imul %edi,%esi; je 1b; bsf %edi,%esi; js 1b\\n\"")
	FUNCTION("recorded_other_ways",
		"\"cmp %edi,%esi; 1: jl 2f; dec %edi; jmp 1b; 2: cmp %edi,%esi; call callee; je 2b\\n\"")
	FUNCTION("recorded_counts", "\"1: loop 1b; jrcxz 1b\\n\"")
	FUNCTION("recorded_one_way", "\"cmp %edi,%esi; je 1f; 1: nop\\n\"")
	"int main(void) { return 0; }\n";
/* clang-format on */

enum { R8 = TRACE_R8, R9 = TRACE_R9 };

/* How many loads to r8 and r9 there are; all are marked as they should be. */
static unsigned check_function(const struct image *im, const struct image_function *f)
{
	unsigned n = 0;

	for (uint64_t a = f->lo; a < f->hi;) {
		const struct trace_insn *insn = image_insn_at(im, a);

		assert_non_null(insn);
		a += insn->length;
		if (insn->load_reg != R8 && insn->load_reg != R9)
			continue;
		n++;
		if (!(insn->mem[0].flags & TRACE_MEM_KNOWN) != (insn->load_reg == R9))
			fail_msg("%s: the load at +%u is %smarked", f->name,
				 (unsigned)(insn->addr - f->lo),
				 insn->load_reg == R9 ? "" : "not ");
	}
	return n;
}

static void loads_are_marked(void **state)
{
	char *folder = test_folder_new();
	g_autofree char *path = test_compile(folder, "known", source, "gcc -w -g -O0");
	g_autoptr(GError) error = NULL;
	struct image *im = image_open(path, &error);
	const struct image_function *f;
	unsigned loads = 0;

	(void)state;
	if (!im)
		fail_msg("%s", error->message);
	for (size_t n = image_functions(im, &f); n > 0; n--, f++)
		loads += check_function(im, f);
	assert_int_equal(loads, 39);
	image_free(im);
	test_folder_free(folder);
}

/* Its name says whether all its conditional branches are inferred. */
static unsigned check_branches(const struct image *im, const struct image_function *f)
{
	unsigned n = 0;

	for (uint64_t a = f->lo; a < f->hi;) {
		const struct trace_insn *insn = image_insn_at(im, a);

		a += insn->length;
		if (insn->flow != TRACE_FLOW_COND)
			continue;
		n++;
		if (!(insn->flags & TRACE_INSN_INFERRED) != g_str_has_prefix(f->name, "recorded"))
			fail_msg("%s: the branch at +%u", f->name, (unsigned)(insn->addr - f->lo));
	}
	return n;
}

static void branches_are_marked(void **state)
{
	char *folder = test_folder_new();
	g_autofree char *path = test_compile(folder, "known", source, "gcc -w -g -O0");
	g_autoptr(GError) error = NULL;
	struct image *im = image_open(path, &error);
	const struct image_function *f;
	unsigned branches = 0;

	(void)state;
	if (!im)
		fail_msg("%s", error->message);
	for (size_t n = image_functions(im, &f); n > 0; n--, f++)
		if (g_str_has_prefix(f->name, "inferred") || g_str_has_prefix(f->name, "recorded"))
			branches += check_branches(im, f);
	assert_int_equal(branches, 18);
	image_free(im);
	test_folder_free(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(loads_are_marked),
					    cmocka_unit_test(branches_are_marked) };

	test_need("gcc");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
