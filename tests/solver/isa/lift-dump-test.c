/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The meaning of an instruction, as it is printed for whoever looks for a mistake in it. */
#include "solver/isa/lift.h"

#include <glib.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char *dumped(const uint8_t *bytes, size_t size, uint32_t *n)
{
	struct lift *lift = lift_new();
	const struct ir_block *b = lift_insn(lift, 0x401000, bytes, size);
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	assert_non_null(b);
	ir_dump(out, b);
	fclose(out);
	*n = b->n_ops;
	lift_free(lift);
	return text;
}

static unsigned count(const char *text, const char *part)
{
	unsigned n = 0;

	for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
		n++;
	return n;
}

/* add 8(%rbx),%rax: reads two registers and memory, adds twice, and writes one. */
static void each_operation_has_a_line(void **state)
{
	static const uint8_t add[] = { 0x48, 0x03, 0x43, 0x08 };
	uint32_t n;
	char *text = dumped(add, sizeof add, &n);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	(void)state;
	assert_true(n > 4 && g_strv_length(lines) > n);
	for (uint32_t i = 0; i < n; i++)
		assert_int_equal(strtoul(lines[i], NULL, 10), i);
	if (count(text, "w64  ADD ") != 2 || count(text, "w64  LOAD ") != 1 ||
	    count(text, "w64  CONST 0x8\n") != 1 || count(text, "w64  GET [") < 2 ||
	    count(text, "PUT [") < 1)
		fail_msg("%s", text);
	free(text);
}

/* addsd %xmm1,%xmm0: the operation of floating-point numbers is named. */
static void floating_point_operations_have_names(void **state)
{
	static const uint8_t add[] = { 0xf2, 0x0f, 0x58, 0xc1 };
	uint32_t n;
	char *text = dumped(add, sizeof add, &n);

	(void)state;
	if (count(text, "w64  FP_ADD ") != 1)
		fail_msg("%s", text);
	assert_null(strstr(text, "?"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_operation_has_a_line),
		cmocka_unit_test(floating_point_operations_have_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
