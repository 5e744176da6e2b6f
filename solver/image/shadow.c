/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/image/shadow.h"

#include <string.h>

#define SHADOW_OFFSET 0x7fff8000

enum {
	LONGEST_INSN = 15,
	TO_SHADOW = 4,	/* instructions from the shift to the access of the shadow */
	LONGEST = 24,	/* instructions of a check, up to its branch */
	WRITES = 0x1000 /* bytes of shadow that one function writes, from where it points to */
};

/* name: with the zeros around it, size bytes.  A runtime that is linked statically may be among
 * the program's own symbols only. */
static bool is_symbol_of_runtime(const struct image *im, const char *name, size_t size)
{
	static const char *const tables[] = { ".dynstr", ".strtab" };

	for (size_t i = 0; i < G_N_ELEMENTS(tables); i++) {
		size_t n = 0;
		const uint8_t *names = image_section(im, tables[i], &n);

		if (names && memmem(names, n, name, size))
			return true;
	}
	return false;
}

bool shadow_is_used(const struct image *im)
{
	static const char name[] = "\0__asan_init";

	return is_symbol_of_runtime(im, name, sizeof name);
}

const char *shadow_refused(const struct image *im)
{
	/* what the compiler calls may be another's: __tsan_init is no sign of the runtime */
	static const char library[] = "\0libtsan.so.", threads[] = "\0__tsan_acquire",
			  memory[] = "\0__msan_init", tags[] = "\0__hwasan_init";

	if (is_symbol_of_runtime(im, library, sizeof library - 1) ||
	    is_symbol_of_runtime(im, threads, sizeof threads))
		return "thread";
	if (is_symbol_of_runtime(im, memory, sizeof memory))
		return "memory";
	return is_symbol_of_runtime(im, tags, sizeof tags) ? "hwaddress" : NULL;
}

static char **add_options(char **env, const char *variable, const char *options)
{
	const char *given = g_environ_getenv(env, variable);
	g_autofree char *all = given ? g_strconcat(given, ":", options, NULL) : g_strdup(options);

	/* a record has them already */
	if (given && g_str_has_suffix(given, options))
		return env;
	return g_environ_setenv(env, variable, all, TRUE);
}

char **shadow_environ(const struct image *im, char **env)
{
	static const char leaks[] = "\0__lsan_init";

	if (shadow_is_used(im))
		env = add_options(env, "ASAN_OPTIONS",
				  "verify_asan_link_order=0:detect_leaks=0:symbolize=0");
	if (is_symbol_of_runtime(im, leaks, sizeof leaks))
		env = add_options(env, "LSAN_OPTIONS", "detect_leaks=0");
	return env;
}

static bool bytes_of_insn(const struct image *im, const struct trace_insn *insn, uint8_t *code)
{
	bool writable;

	return insn->length && insn->length <= LONGEST_INSN &&
	       image_initial(im, insn->addr, insn->length, code, &writable);
}

/* shr $3, of 64 bits */
static bool is_shift(const struct image *im, const struct trace_insn *insn)
{
	uint8_t c[LONGEST_INSN];

	return insn->length == 4 && bytes_of_insn(im, insn, c) && (c[0] & 0xf8) == 0x48 &&
	       c[1] == 0xc1 && (c[2] & 0xf8) == 0xe8 && c[3] == 3;
}

/* and $7: the second half of a check, which looks at the byte among the eight */
static bool is_mask(const struct image *im, const struct trace_insn *insn)
{
	uint8_t c[LONGEST_INSN];
	size_t rex;

	if (!bytes_of_insn(im, insn, c) || c[insn->length - 1] != 7)
		return false;
	rex = (c[0] & 0xf0) == 0x40;
	return (insn->length == rex + 2 && c[rex] == 0x24) ||
	       (insn->length == rex + 3 && (c[rex] == 0x83 || c[rex] == 0x80) &&
		(c[rex + 1] & 0xf8) == 0xe0);
}

/* add $SHADOW_OFFSET, and the access comes behind it */
static bool is_offset(const struct image *im, const struct trace_insn *insn)
{
	static const uint8_t offset[4] = { SHADOW_OFFSET & 0xff, SHADOW_OFFSET >> 8 & 0xff,
					   SHADOW_OFFSET >> 16 & 0xff, SHADOW_OFFSET >> 24 };
	uint8_t c[LONGEST_INSN];

	return insn->length > 5 && !insn->n_mem && bytes_of_insn(im, insn, c) &&
	       memcmp(c + insn->length - 4, offset, 4) == 0;
}

/* 0, or TRACE_MEM_READ or _WRITE of memory at a register + SHADOW_OFFSET */
static unsigned accesses_shadow(const struct trace_insn *insn)
{
	for (unsigned i = 0; i < insn->n_mem; i++)
		if (insn->mem[i].disp >= SHADOW_OFFSET &&
		    insn->mem[i].disp < SHADOW_OFFSET + WRITES)
			return insn->mem[i].flags & (TRACE_MEM_READ | TRACE_MEM_WRITE);
	return 0;
}

/* The number of the instruction behind the shift that accesses the shadow; 0 = there is none.
 * *reads: it does not write there. */
static size_t find_access(const struct image *im, const struct trace_insn *insns, size_t left,
			  bool *reads)
{
	for (size_t i = 1; i <= TO_SHADOW && i < left; i++) {
		unsigned how = accesses_shadow(&insns[i]);

		if (!how && is_offset(im, &insns[i]) && i + 1 < left && insns[i + 1].n_mem)
			how = insns[++i].mem[0].flags;
		*reads = how & TRACE_MEM_READ;
		if (how)
			return i;
	}
	return 0;
}

/* The number of instructions up to a branch with a condition, which counts; 0 = none comes. */
static size_t to_branch(const struct trace_insn *insns, size_t left)
{
	for (size_t i = 0; i < LONGEST && i < left; i++) {
		if (insns[i].flow == TRACE_FLOW_COND)
			return i + 1;
		if (insns[i].flow != TRACE_FLOW_NONE)
			return 0;
	}
	return 0;
}

static void shade_insns(const struct trace_insn *insns, size_t n, GHashTable *set)
{
	for (size_t i = 0; i < n; i++)
		g_hash_table_add(set, (gpointer)&insns[i]);
}

/* The second half of a check, if it is one. */
static void add_second(const struct image *im, const struct trace_insn *insns, size_t left,
		       GHashTable *set)
{
	size_t n = to_branch(insns, left);

	for (size_t i = 0; i < n; i++)
		if (is_mask(im, &insns[i])) {
			shade_insns(insns, n, set);
			return;
		}
}

/* What follows the shift. */
static void add_shadow_check(const struct image *im, const struct trace_insn *insns, size_t left,
			     GHashTable *set)
{
	const struct trace_insn *all, *aside;
	bool reads = false;
	size_t n = find_access(im, insns, left, &reads), branch;

	if (!n)
		return;
	shade_insns(insns, n + 1, set);
	branch = reads ? to_branch(insns + n, left - n) : 0;
	if (!branch)
		return;
	shade_insns(insns + n, branch, set);
	n += branch;
	add_second(im, insns + n, left - n, set);
	aside = image_insn_at(im, insns[n - 1].target);
	if (aside)
		add_second(im, aside, image_insns(im, &all) - (size_t)(aside - all), set);
}

/* A call of a sanitizer's runtime. */
static bool is_report(const struct image *im, const struct trace_insn *insn)
{
	const char *name =
		insn->flow == TRACE_FLOW_CALL ? image_native_name(im, insn->target) : NULL;

	return name && (g_str_has_prefix(name, "__asan_") || g_str_has_prefix(name, "__ubsan_"));
}

void shadow_add_checks(const struct image *im, GHashTable *set)
{
	const struct trace_insn *insns;
	size_t n = image_insns(im, &insns);

	for (size_t i = 0; i < n; i++)
		if (is_report(im, &insns[i]))
			g_hash_table_add(set, (gpointer)&insns[i]);
	if (!shadow_is_used(im))
		return;
	for (size_t i = 0; i < n; i++)
		if (is_shift(im, &insns[i]))
			add_shadow_check(im, insns + i, n - i, set);
		else if (accesses_shadow(&insns[i]))
			g_hash_table_add(set, (gpointer)&insns[i]);
}
