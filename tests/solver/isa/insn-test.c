/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decoding of whole binaries, compared with objdump. */
#include "solver/isa/insn.h"
#include "tests/support/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_BYTES = 15 };

/* A line of objdump's. */
struct line {
	uint64_t addr;
	uint8_t bytes[MOST_BYTES];
	unsigned length;
	const char *text;
};

static bool read_line(char *line, struct line *l)
{
	char *end = NULL, *at;

	l->addr = strtoull(line, &end, 16);
	if (end == line || *end != ':' || end[1] != '\t')
		return false;
	l->length = 0;
	for (at = end + 2; g_ascii_isxdigit(at[0]) && g_ascii_isxdigit(at[1]) && at[2] == ' ';
	     at += 3) {
		if (l->length == MOST_BYTES)
			return false;
		l->bytes[l->length++] = (uint8_t)strtoul(at, NULL, 16);
	}
	at = strchr(at, '\t');
	l->text = at ? at + 1 : "";
	return l->length && at && !strstr(at, "(bad)");
}

/* The mnemonic, behind the prefixes that objdump writes as words. */
static const char *mnemonic(const char *text)
{
	static const char *const prefixes[] = { "bnd ",	   "notrack ", "rep ", "repz ",	  "repnz ",
						"cs ",	   "ds ",      "es ",  "data16 ", "lock ",
						"addr32 ", "fs ",      "gs ",  "ss ",	  "rex" };

	for (size_t i = 0; i < G_N_ELEMENTS(prefixes); i++)
		if (g_str_has_prefix(text, prefixes[i])) {
			text = strchr(text, ' ');
			while (text && *text == ' ')
				text++;
			return text ? mnemonic(text) : "";
		}
	return text;
}

static enum trace_flow flow_of(const char *m)
{
	const char *operand = strchr(m, ' ');
	bool indirect = false;

	while (operand && *operand == ' ')
		operand++;
	indirect = operand && *operand == '*';
	if (g_str_has_prefix(m, "ret"))
		return TRACE_FLOW_RET;
	if (g_str_has_prefix(m, "call"))
		return indirect ? TRACE_FLOW_CALL_IND : TRACE_FLOW_CALL;
	if (g_str_has_prefix(m, "jmp"))
		return indirect ? TRACE_FLOW_JUMP_IND : TRACE_FLOW_JUMP;
	/* a transaction that fails goes elsewhere */
	if (g_str_has_prefix(m, "xbegin"))
		return TRACE_FLOW_COND;
	return *m == 'j' || g_str_has_prefix(m, "loop") ? TRACE_FLOW_COND : TRACE_FLOW_NONE;
}

/* objdump writes where a rip-relative operand lies behind a #. */
static bool place_of(const char *text, uint64_t *place)
{
	const char *comment = strstr(text, "# ");

	if (!comment || !strstr(text, "(%rip)"))
		return false;
	*place = strtoull(comment + 2, NULL, 16);
	return true;
}

static void check(const struct line *l, const struct trace_insn *insn)
{
	const char *m = mnemonic(l->text);
	uint64_t place;

	if (insn->length != l->length || insn->flow != flow_of(m) || insn->addr != l->addr)
		fail_msg("%#lx %s: length %u, expected %u; flow %d, expected %d",
			 (unsigned long)l->addr, l->text, insn->length, l->length, insn->flow,
			 flow_of(m));
	if (insn->flow == TRACE_FLOW_COND || insn->flow == TRACE_FLOW_JUMP ||
	    insn->flow == TRACE_FLOW_CALL)
		assert_int_equal(insn->target, strtoull(strchr(m, ' '), NULL, 16));
	for (unsigned i = 0; i < insn->n_mem; i++) {
		if (!(insn->mem[i].flags & TRACE_MEM_RIP))
			continue;
		if (!place_of(l->text, &place) || (uint64_t)insn->mem[i].disp != place)
			fail_msg("%#lx %s: operand at %#lx", (unsigned long)l->addr, l->text,
				 (unsigned long)insn->mem[i].disp);
	}
}

static void decode_binary(const char *path, unsigned at_least)
{
	g_autofree char *text = test_output("objdump -d -w '%s'", path);
	unsigned decoded = 0;

	for (char *at = text, *end; (end = strchr(at, '\n')); at = end + 1) {
		struct trace_insn insn;
		struct line l;

		*end = '\0';
		if (!read_line(at, &l))
			continue;
		if (!insn_decode(l.bytes, l.length, l.addr, &insn))
			fail_msg("%s: %#lx %s is not decoded", path, (unsigned long)l.addr, l.text);
		check(&l, &insn);
		/* one byte less is no instruction, or a shorter one */
		if (insn_decode(l.bytes, l.length - 1, l.addr, &insn))
			assert_true(insn.length < l.length);
		decoded++;
	}
	assert_true(decoded >= at_least);
}

static void a_program(void **state)
{
	(void)state;
	decode_binary("/bin/ls", 10000);
}

static void this_test(void **state)
{
	g_autofree char *path = g_file_read_link("/proc/self/exe", NULL);

	(void)state;
	assert_non_null(path);
	decode_binary(path, 1000);
}

/* Strings, vectors of all sizes, atomics. */
static void the_c_library(void **state)
{
	g_autofree char *maps = NULL;
	g_auto(GStrv) lines = NULL;

	(void)state;
	assert_true(g_file_get_contents("/proc/self/maps", &maps, NULL, NULL));
	lines = g_strsplit(maps, "\n", -1);
	for (char **l = lines; *l; l++)
		if (g_str_has_suffix(*l, "/libc.so.6")) {
			decode_binary(strchr(*l, '/'), 100000);
			return;
		}
	skip();
}

static void garbage_is_refused(void **state)
{
	static const uint8_t bad[][3] = {
		{ 0x06 }, { 0x0f, 0x04 }, { 0xd6 }, { 0x62 }, { 0xff, 0xff }
	};
	struct trace_insn insn;

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(bad); i++)
		assert_false(insn_decode(bad[i], sizeof bad[i], 0x1000, &insn));
	assert_false(insn_decode(bad[0], 0, 0x1000, &insn));
}

/* What the recorder may execute from a copy, and where it finds what was loaded. */
static void copies_and_loads(void **state)
{
	static const struct {
		uint8_t bytes[8];
		bool copy;
		uint8_t load_reg;
	} rows[] = {
		{ { 0x8b, 0x45, 0xfc }, true, TRACE_RAX },	      /* mov -4(%rbp),%eax */
		{ { 0x44, 0x0f, 0xb6, 0x08 }, true, TRACE_R9 },	      /* movzbl (%rax),%r9d */
		{ { 0x48, 0x63, 0x10 }, true, TRACE_RDX },	      /* movslq (%rax),%rdx */
		{ { 0x8a, 0x20 }, true, TRACE_REG_NONE },	      /* mov (%rax),%ah */
		{ { 0x03, 0x45, 0xfc }, true, TRACE_REG_NONE },	      /* add -4(%rbp),%eax */
		{ { 0x0f, 0x44, 0x00 }, true, TRACE_REG_NONE },	      /* cmove (%rax),%eax */
		{ { 0x89, 0x45, 0xfc }, true, TRACE_REG_NONE },	      /* mov %eax,-4(%rbp) */
		{ { 0xf0, 0xff, 0x00 }, true, TRACE_REG_NONE },	      /* lock incl (%rax) */
		{ { 0x66, 0x0f, 0xef, 0xc1 }, true, TRACE_REG_NONE }, /* pxor %xmm1,%xmm0 */
		{ { 0x66, 0x45, 0x0f, 0xef, 0xf7 }, false, TRACE_REG_NONE }, /* …%xmm15,%xmm14 */
		{ { 0x66, 0x45, 0x0f, 0xef, 0xfe }, false, TRACE_REG_NONE }, /* …%xmm14,%xmm15 */
		{ { 0xc5, 0xfc, 0x77 }, false, TRACE_REG_NONE },	     /* vzeroall */
		{ { 0x0f, 0x05 }, false, TRACE_REG_NONE },		     /* syscall */
		{ { 0xcc }, false, TRACE_REG_NONE },			     /* int3 */
		{ { 0xfd }, false, TRACE_REG_NONE },			     /* std */
		{ { 0x9d }, false, TRACE_REG_NONE },			     /* popf */
		{ { 0x0f, 0xae, 0x00 }, false, TRACE_REG_NONE },	     /* fxsave (%rax) */
	};
	struct trace_insn insn;

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		assert_true(insn_decode(rows[i].bytes, sizeof rows[i].bytes, 0x1000, &insn));
		assert_int_equal(!!(insn.flags & TRACE_INSN_COPY), rows[i].copy);
		assert_int_equal(insn.load_reg, rows[i].load_reg);
	}
}

/* The operand of clang's trap is the number of a check, no place in memory. */
static void traps_access_nothing(void **state)
{
	static const uint8_t trap[15] = { 0x67, 0x0f, 0xb9, 0x40, 0x13 }; /* ud1 0x13(%eax),%eax */
	struct trace_insn insn;

	(void)state;
	assert_true(insn_decode(trap, sizeof trap, 0x1000, &insn));
	assert_int_equal(insn.length, 5);
	assert_int_equal(insn.n_mem, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_program),	    cmocka_unit_test(this_test),
		cmocka_unit_test(the_c_library),    cmocka_unit_test(garbage_is_refused),
		cmocka_unit_test(copies_and_loads), cmocka_unit_test(traps_access_nothing),
	};

	test_need("objdump");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
