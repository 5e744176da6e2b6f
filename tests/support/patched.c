/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/patched.h"

#include "solver/format/trace.h"
#include "tests/support/program.h"

#include <dlfcn.h>
#include <link.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { PAGE = 4096, JMP = 0xe9, INT3 = 0xcc, NOP = 0x90 };

/* The one whose code is changed now; a signal handler has no argument of its own. */
static struct patched *current;

static void on_breakpoint(int signo, siginfo_t *info, void *data)
{
	greg_t *gregs = ((ucontext_t *)data)->uc_mcontext.gregs;

	(void)signo;
	(void)info;
	gregs[REG_RIP] = (greg_t)current->page;
}

struct patched *patched_new(const char *source)
{
	const struct sigaction action = { .sa_sigaction = on_breakpoint, .sa_flags = SA_SIGINFO };
	struct patched *p = g_new0(struct patched, 1);
	g_autofree char *path = NULL;
	struct link_map *map;

	p->folder = test_folder_new();
	p->file = g_build_filename(p->folder, "p.c", NULL);
	path = test_compile(p->folder, "p", source, "cc -g -O0 -w -fwrapv -shared -fPIC");
	p->im = image_open(path, NULL);
	assert_non_null(p->im);
	p->m = mutator_new(p->im, limits_default());
	p->library = dlopen(path, RTLD_NOW);
	assert_non_null(p->library);
	assert_int_equal(dlinfo(p->library, RTLD_DI_LINKMAP, &map), 0);
	p->bias = map->l_addr;
	for (uint64_t at = (p->bias & ~0xffffull) - (64 << 20); !p->page; at += 1 << 20) {
		void *got = mmap((void *)at, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC,
				 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

		if (got != MAP_FAILED)
			p->page = got;
	}
	assert_int_equal(sigaction(SIGTRAP, &action, NULL), 0);
	return p;
}

void patched_free(struct patched *p)
{
	munmap(p->page, PAGE);
	dlclose(p->library);
	mutator_free(p->m);
	image_free(p->im);
	test_folder_free(p->folder);
	g_free(p->file);
	g_free(p);
}

void *patched_function(const struct patched *p, const char *name)
{
	return dlsym(p->library, name);
}

static void put_distance(uint8_t *at, uint64_t to, uint64_t from)
{
	int32_t distance = (int32_t)(to - from);

	memcpy(at, &distance, sizeof distance);
}

void patched_put(struct patched *p, const GArray *actions)
{
	const struct trace_action *first = &g_array_index(actions, struct trace_action, 0);
	uint8_t *to = p->page;

	current = p;
	p->at = (uint8_t *)(uintptr_t)(first->addr + p->bias);
	p->length = (unsigned)first->where;
	for (guint i = 0; i < actions->len; i++) {
		const struct trace_action *a = &g_array_index(actions, struct trace_action, i);

		if (a->kind == TRACE_ACTION_CODE_LINK) {
			put_distance(p->page + a->where, a->addr + p->bias,
				     (uint64_t)p->page + a->nth);
			continue;
		}
		memcpy(to, a->value, a->size);
		to += a->size;
	}
	*to = JMP;
	put_distance(to + 1, (uint64_t)p->at + p->length, (uint64_t)to + 5);
	assert_int_equal(mprotect((void *)((uint64_t)p->at & ~(PAGE - 1ull)), 2 * PAGE,
				  PROT_READ | PROT_WRITE | PROT_EXEC),
			 0);
	memcpy(p->saved, p->at, p->length);
	memset(p->at, INT3, p->length);
	/* code that fits is put where it belongs */
	if (first->size <= first->where) {
		memset(p->at, NOP, p->length);
		memcpy(p->at, first->value, first->size);
	}
}

void patched_restore(struct patched *p)
{
	memcpy(p->at, p->saved, p->length);
}
