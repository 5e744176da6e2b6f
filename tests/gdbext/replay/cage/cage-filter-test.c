/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The filter decides as that which libseccomp makes of the same rows does. */
#include "gdbext/replay/cage/cage-filter.h"

#include <errno.h>
#include <glib.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
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
	const struct program *inherited; /* NULL = it is the only one */
};

/* What the kernel would find, as far as such filters go. */
static uint32_t run_alone(const struct program *p, const struct seccomp_data *data)
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

/* Of all filters the strictest verdict counts, of equals that of the last (the kernel's
 * seccomp_run_filters). */
static uint32_t run(const struct program *p, const struct seccomp_data *data)
{
	uint32_t own = run_alone(p, data), other;

	if (!p->inherited)
		return own;
	other = run(p->inherited, data);
	return (int32_t)(other & SECCOMP_RET_ACTION_FULL) < (int32_t)(own & SECCOMP_RET_ACTION_FULL)
		       ? other
		       : own;
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
	struct program p = { 0 };
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

static void compare_all(const struct program *ours, const struct program *theirs)
{
	static const uint32_t special[] = { 0x3fffffff, 0x40000000, 0x40000001, 0x7fffffff,
					    0x80000000, 0xfffffffe, 0xffffffff };
	size_t n;
	const struct cage_argument *rows = cage_arguments(&n);
	struct seccomp_data data = { .arch = AUDIT_ARCH_X86_64 };

	for (data.nr = 0; data.nr < 2000; data.nr++)
		compare(ours, theirs, &data);
	for (size_t i = 0; i < G_N_ELEMENTS(special); i++) {
		data.nr = (int)special[i];
		compare(ours, theirs, &data);
	}
	data = (struct seccomp_data){ .nr = 1, .arch = AUDIT_ARCH_I386 };
	compare(ours, theirs, &data);
	compare_rows(ours, theirs, rows, n);
	compare_rows(ours, theirs, more, G_N_ELEMENTS(more));
}

static struct program of_ours(enum cage_part part, const struct program *inherited)
{
	struct program p = { .inherited = inherited };

	p.code = cage_filter_new(part, more, G_N_ELEMENTS(more), &p.n);
	return p;
}

static void test_whole(void **state)
{
	struct program ours = of_ours(CAGE_WHOLE, NULL), theirs = of_libseccomp();

	(void)state;
	compare_all(&ours, &theirs);
	print_message("%u questions, %zu instructions, libseccomp's %zu\n", n_asked, ours.n,
		      theirs.n);
	assert_true(3 * ours.n < 2 * theirs.n);
	g_free(ours.code);
	g_free(theirs.code);
}

static void test_in_two_parts(void **state)
{
	struct program shared = of_ours(CAGE_SHARED, NULL), own = of_ours(CAGE_OWN, &shared),
		       whole = of_ours(CAGE_WHOLE, NULL), theirs = of_libseccomp();

	(void)state;
	compare_all(&own, &theirs);
	print_message("%zu instructions, of which a run's own %zu\n", shared.n + own.n, own.n);
	assert_true(3 * own.n < whole.n);
	g_free(shared.code);
	g_free(own.code);
	g_free(whole.code);
	g_free(theirs.code);
}

static bool is_starting(int call)
{
	size_t n;
	const int *starting = cage_starting_calls(&n);

	for (size_t i = 0; i < n; i++)
		if (starting[i] == call)
			return true;
	return false;
}

/* What starts runs may start them and do what their guards decide, and otherwise no more than
 * they may. */
static void test_shared_part(void **state)
{
	struct program shared = of_ours(CAGE_SHARED, NULL), whole = of_ours(CAGE_WHOLE, NULL);
	struct seccomp_data data = { .arch = AUDIT_ARCH_X86_64 };
	unsigned n_more = 0;

	(void)state;
	for (data.nr = 0; data.nr < 2000; data.nr++) {
		uint32_t verdict = run(&whole, &data);
		bool is_open = verdict == SECCOMP_RET_USER_NOTIF || is_starting(data.nr);

		n_more += is_open && verdict != SECCOMP_RET_ALLOW;
		assert_int_equal(run(&shared, &data), is_open ? SECCOMP_RET_ALLOW : verdict);
	}
	assert_true(n_more > 8 && n_more < 24);
	g_free(shared.code);
	g_free(whole.code);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_whole),
					    cmocka_unit_test(test_in_two_parts),
					    cmocka_unit_test(test_shared_part) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
