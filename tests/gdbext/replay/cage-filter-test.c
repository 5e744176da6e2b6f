/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The filter decides as that which libseccomp makes of the same rows does. */
#include "gdbext/replay/cage-filter.h"

#include <errno.h>
#include <glib.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* As the cage adds them: the number of a process, pointers. */
static const struct cage_argument more[] = {
	{ SYS_tgkill, { { 0, UINT64_MAX, 0x428a2f9871374491 } }, CAGE_ALLOW, 0 },
	{ SYS_tgkill, { { 0, 0, 0 } }, CAGE_ASK, 0 },
	{ SYS_execve,
	  { { 0, UINT64_MAX, 0x6a09e667bb67ae85 },
	    { 1, UINT64_MAX, 0x3c6ef372a54ff53a },
	    { 2, UINT64_MAX, 0x510e527f9b05688c } },
	  CAGE_ALLOW,
	  0 },
};

struct program {
	struct sock_filter *code;
	size_t n;
};

/* What the kernel would find, as far as such filters go. */
static uint32_t run(const struct program *p, const struct seccomp_data *data)
{
	uint32_t a = 0;

	for (size_t at = 0; at < p->n; at++) {
		const struct sock_filter *f = &p->code[at];

		switch (f->code) {
		case BPF_LD | BPF_W | BPF_ABS:
			memcpy(&a, (const char *)data + f->k, sizeof a);
			break;
		case BPF_ALU | BPF_AND | BPF_K:
			a &= f->k;
			break;
		case BPF_JMP | BPF_JA:
			at += f->k;
			break;
		case BPF_JMP | BPF_JEQ | BPF_K:
			at += a == f->k ? f->jt : f->jf;
			break;
		case BPF_JMP | BPF_JGE | BPF_K:
			at += a >= f->k ? f->jt : f->jf;
			break;
		case BPF_JMP | BPF_JGT | BPF_K:
			at += a > f->k ? f->jt : f->jf;
			break;
		case BPF_RET | BPF_K:
			return f->k;
		default:
			fail_msg("no such instruction: %x", f->code);
		}
	}
	fail_msg("it runs over its end");
	return 0;
}

/* ---- libseccomp's ---- */

static uint32_t scmp_action(const struct cage_argument *row)
{
	return row->verdict == CAGE_ALLOW ? SCMP_ACT_ALLOW
	       : row->verdict == CAGE_ASK ? SCMP_ACT_NOTIFY
					  : SCMP_ACT_ERRNO((uint16_t)row->error);
}

/* A row without conditions is for what the row before does not say; libseccomp has no order. */
static int add_rows(scmp_filter_ctx ctx, const struct cage_argument *rows, size_t n)
{
	int bad = 0;

	for (size_t i = 0; i < n && !bad; i++) {
		struct scmp_arg_cmp are[G_N_ELEMENTS(rows->where)];
		unsigned k = 0;

		for (; k < G_N_ELEMENTS(are) && rows[i].where[k].mask; k++)
			are[k] = SCMP_CMP64(rows[i].where[k].number, SCMP_CMP_MASKED_EQ,
					    rows[i].where[k].mask, rows[i].where[k].value);
		if (!k) {
			assert_int_equal(rows[i - 1].call, rows[i].call);
			are[k++] = SCMP_CMP64(rows[i - 1].where[0].number, SCMP_CMP_NE,
					      rows[i - 1].where[0].value);
		}
		bad = seccomp_rule_add_array(ctx, scmp_action(&rows[i]), rows[i].call, k, are);
	}
	return bad;
}

static struct program of_libseccomp(void)
{
	scmp_filter_ctx ctx = seccomp_init(SCMP_ACT_ERRNO(ENOSYS));
	int fd = memfd_create("filter", MFD_CLOEXEC);
	struct program p;
	struct stat st;
	size_t n;
	const struct cage_call *calls = cage_calls(&n);
	const struct cage_argument *rows;

	assert_int_equal(seccomp_attr_set(ctx, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS), 0);
	assert_int_equal(seccomp_attr_set(ctx, SCMP_FLTATR_CTL_OPTIMIZE, 2), 0);
	for (size_t i = 0; i < n; i++) {
		const struct cage_argument row = {
			calls[i].call, { { 0, 0, 0 } }, calls[i].verdict, calls[i].error
		};

		assert_int_equal(seccomp_rule_add(ctx, scmp_action(&row), row.call, 0), 0);
	}
	rows = cage_arguments(&n);
	assert_int_equal(add_rows(ctx, rows, n), 0);
	assert_int_equal(add_rows(ctx, more, G_N_ELEMENTS(more)), 0);
	assert_int_equal(seccomp_export_bpf(ctx, fd), 0);
	assert_int_equal(fstat(fd, &st), 0);
	p.n = (size_t)st.st_size / sizeof *p.code;
	p.code = g_malloc((size_t)st.st_size);
	assert_int_equal(pread(fd, p.code, (size_t)st.st_size, 0), st.st_size);
	close(fd);
	seccomp_release(ctx);
	return p;
}

/* ---- questions ---- */

static unsigned n_asked;

static void compare(const struct program *ours, const struct program *theirs,
		    const struct seccomp_data *data)
{
	uint32_t a = run(ours, data), b = run(theirs, data);

	n_asked++;
	if (a != b)
		fail_msg("call %d (%llx, %llx, %llx): %x, libseccomp %x", data->nr,
			 (unsigned long long)data->args[0], (unsigned long long)data->args[1],
			 (unsigned long long)data->args[2], a, b);
}

/* What the row asks for, and each bit of it otherwise. */
static void compare_around(const struct program *ours, const struct program *theirs,
			   const struct cage_argument *row, uint64_t others)
{
	struct seccomp_data data = { .nr = row->call, .arch = AUDIT_ARCH_X86_64 };

	for (unsigned i = 0; i < G_N_ELEMENTS(data.args); i++)
		data.args[i] = others;
	for (unsigned k = 0; k < G_N_ELEMENTS(row->where) && row->where[k].mask; k++)
		data.args[row->where[k].number] =
			(others & ~row->where[k].mask) | row->where[k].value;
	compare(ours, theirs, &data);
	for (unsigned i = 0; i < G_N_ELEMENTS(data.args); i++)
		for (unsigned bit = 0; bit < 64; bit++) {
			data.args[i] ^= (uint64_t)1 << bit;
			compare(ours, theirs, &data);
			data.args[i] ^= (uint64_t)1 << bit;
		}
}

static void compare_rows(const struct program *ours, const struct program *theirs,
			 const struct cage_argument *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		compare_around(ours, theirs, &rows[i], 0);
		compare_around(ours, theirs, &rows[i], UINT64_MAX);
		compare_around(ours, theirs, &rows[i], 0x0123456789abcdef);
	}
}

static void test_verdicts(void **state)
{
	static const uint32_t special[] = { 0x3fffffff, 0x40000000, 0x40000001, 0x7fffffff,
					    0x80000000, 0xfffffffe, 0xffffffff };
	size_t n;
	const struct cage_argument *rows = cage_arguments(&n);
	struct program ours, theirs = of_libseccomp();
	struct seccomp_data data = { .arch = AUDIT_ARCH_X86_64 };

	(void)state;
	ours.code = cage_filter_new(more, G_N_ELEMENTS(more), &ours.n);
	for (data.nr = 0; data.nr < 2000; data.nr++)
		compare(&ours, &theirs, &data);
	for (size_t i = 0; i < G_N_ELEMENTS(special); i++) {
		data.nr = (int)special[i];
		compare(&ours, &theirs, &data);
	}
	data = (struct seccomp_data){ .nr = 1, .arch = AUDIT_ARCH_I386 };
	compare(&ours, &theirs, &data);
	compare_rows(&ours, &theirs, rows, n);
	compare_rows(&ours, &theirs, more, G_N_ELEMENTS(more));
	print_message("%u questions, %zu instructions, libseccomp's %zu\n", n_asked, ours.n,
		      theirs.n);
	assert_true(3 * ours.n < 2 * theirs.n);
	g_free(ours.code);
	g_free(theirs.code);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_verdicts) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
