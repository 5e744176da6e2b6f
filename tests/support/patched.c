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

enum { PAGE = 4096, SLOT = 1024, CODE = SLOT * PATCHED_MOST, JMP = 0xe9, INT3 = 0xcc, NOP = 0x90 };

/* The one whose code is changed now; a signal handler has no argument of its own. */
static struct patched *current;

static void on_breakpoint(int signo, siginfo_t *info, void *data)
{
	greg_t *gregs = ((ucontext_t *)data)->uc_mcontext.gregs;

	(void)signo;
	(void)info;
	for (unsigned i = 0; i < current->n_patches; i++)
		if ((uint64_t)gregs[REG_RIP] == (uint64_t)current->patches[i].at + 1)
			gregs[REG_RIP] = (greg_t)current->patches[i].code;
}

struct patched *patched_new(const char *source)
{
	return patched_new_at(source, "-O0");
}

struct patched *patched_new_at(const char *source, const char *level)
{
	const struct sigaction action = { .sa_sigaction = on_breakpoint, .sa_flags = SA_SIGINFO };
	struct patched *p = g_new0(struct patched, 1);
	g_autofree char *path = NULL;
	g_autofree char *compiler = g_strdup_printf("cc -g %s -w -fwrapv -shared -fPIC", level);
	struct link_map *map;

	p->folder = test_folder_new();
	p->file = g_build_filename(p->folder, "p.c", NULL);
	path = test_compile(p->folder, "p", source, compiler);
	p->im = image_open(path, NULL);
	assert_non_null(p->im);
	p->m = mutator_new(p->im, limits_default());
	p->library = dlopen(path, RTLD_NOW);
	assert_non_null(p->library);
	assert_int_equal(dlinfo(p->library, RTLD_DI_LINKMAP, &map), 0);
	p->bias = map->l_addr;
	for (uint64_t at = (p->bias & ~0xffffull) - (64 << 20); !p->page; at += 1 << 20) {
		void *got = mmap((void *)at, CODE, PROT_READ | PROT_WRITE | PROT_EXEC,
				 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

		if (got != MAP_FAILED)
			p->page = got;
	}
	assert_int_equal(sigaction(SIGTRAP, &action, NULL), 0);
	return p;
}

void patched_free(struct patched *p)
{
	munmap(p->page, CODE);
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

/* Writes the code of one instruction, whose actions begin there, and puts it in place; returns how
 * many actions that were. */
static guint put_one(struct patched *p, const struct trace_action *first, guint n)
{
	struct patch *patch = &p->patches[p->n_patches];
	uint8_t *to = p->page + SLOT * p->n_patches++;
	guint i;

	*patch = (struct patch){ .at = (uint8_t *)(uintptr_t)(first->addr + p->bias),
				 .length = (unsigned)first->where,
				 .code = to };
	for (i = 0; i < n && (!i || first[i].kind != TRACE_ACTION_CODE); i++) {
		if (first[i].kind == TRACE_ACTION_CODE_LINK) {
			put_distance(patch->code + first[i].where, first[i].addr + p->bias,
				     (uint64_t)patch->code + first[i].nth);
			continue;
		}
		memcpy(to, first[i].value, first[i].size);
		to += first[i].size;
	}
	*to = JMP;
	put_distance(to + 1, (uint64_t)patch->at + patch->length, (uint64_t)to + 5);
	assert_int_equal(mprotect((void *)((uint64_t)patch->at & ~(PAGE - 1ull)), 2 * PAGE,
				  PROT_READ | PROT_WRITE | PROT_EXEC),
			 0);
	assert_true(patch->length <= sizeof patch->saved);
	memcpy(patch->saved, patch->at, patch->length);
	memset(patch->at, INT3, patch->length);
	/* code that fits is put where it belongs */
	if (first->size <= first->where) {
		memset(patch->at, NOP, patch->length);
		memcpy(patch->at, first->value, first->size);
	}
	return i;
}

void patched_put(struct patched *p, const GArray *actions)
{
	const struct trace_action *all = (const struct trace_action *)(const void *)actions->data;

	current = p;
	p->n_patches = 0;
	for (guint i = 0; i < actions->len;) {
		assert_true(p->n_patches < PATCHED_MOST);
		i += put_one(p, all + i, actions->len - i);
	}
}

void patched_restore(struct patched *p)
{
	for (; p->n_patches; p->n_patches--) {
		const struct patch *patch = &p->patches[p->n_patches - 1];

		memcpy(patch->at, patch->saved, patch->length);
	}
}
