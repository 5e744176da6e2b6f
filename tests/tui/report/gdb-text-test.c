/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of GDB, compared with what GDB 13 writes on a terminal of its own. */
#include "tui/report/gdb-text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

/* "<b>": blue begins, and so on; "<>": it ends. */
static char *spelled(const char *text)
{
	static const struct {
		const char *sequence, *spelling;
	} all[] = { { "\033[34m", "<b>" }, { "\033[33m", "<y>" }, { "\033[36m", "<c>" },
		    { "\033[32m", "<g>" }, { "\033[2m", "<d>" },  { "\033[35m", "<m>" },
		    { "\033[m", "<>" },	   { "\033[0m", "<>" } };
	GString *out = g_string_new(text);

	for (size_t i = 0; i < G_N_ELEMENTS(all); i++)
		g_string_replace(out, all[i].sequence, all[i].spelling, 0);
	return g_string_free(out, FALSE);
}

static void lines(void **state)
{
	static const struct {
		const char *line, *styled;
	} all[] = {
		{ "Breakpoint 1, P (x=0, y=0) at paper.c:22",
		  "Breakpoint 1, <y>P<> (<c>x<>=0, <c>y<>=0) at <g>paper.c<>:22" },
		{ "#1  0x00005555555551fd in main (argc=3, argv=0x7ffe) at paper.c:37",
		  "#1  <b>0x00005555555551fd<> in <y>main<> (<c>argc<>=3, <c>argv<>=0x7ffe) at "
		  "<g>paper.c<>:37" },
		{ "#0  read () from /lib/libc.so.6", "#0  read () from /lib/libc.so.6" },
		{ "#0  0x00007ffff7ec1 in read () from /lib/libc.so.6",
		  "#0  <b>0x00007ffff7ec1<> in <y>read<> () from <g>/lib/libc.so.6<>" },
		{ "f (s=\"a=1, b\", t=2) at ../x.c:4",
		  "<y>f<> (<c>s<>=\"a=1, b\", <c>t<>=2) at <g>../x.c<>:4" },
		{ "Breakpoint 1 at 0x1157: file paper.c, line 22.",
		  "Breakpoint 1 at <b>0x1157<>: file <g>paper.c<>, line 22." },
		{ "Reading symbols from ./paper...", "Reading symbols from <g>./paper<>..." },
		{ "a = 32767", "<c>a<> = 32767" },
		{ "$1 = 5", "$1 = 5" },
		{ "$2 = (char **) 0x7ffe \"0x1\"", "$2 = (char **) <b>0x7ffe<> \"0x1\"" },
		{ "p = {first = 1, {a = 2}, s = \"b = 1, c = 0x2\\\", d = 2\", n = 0x0}",
		  "<c>p<> = {<c>first<> = 1, {<c>a<> = 2}, <c>s<> = \"b = 1, c = 0x2\\\", d = "
		  "2\", <c>n<> = <b>0x0<>}" },
		{ "$3 = 0x1", "$3 = 0x1" },
		{ "a = {0 <repeats 9 times>}", "<c>a<> = {0 <d><repeats 9 times><>}" },
		{ "a = \"x\", '0' <repeats 9 times>", "<c>a<> = \"x\", '0' <repeats 9 times>" },
		{ "type = struct pair {", "type = struct pair {" },
		{ "22\t\tif (x >= 0)", "22\t\t<m>if<> (x >= <y>0<>)" },
		{ "8 (gdb) is no line", "8 (gdb) is no line" },
		{ "", "" },
		/* the program of the user coloured it */
		{ "\033[31ma\033[m = 3", "\033[31ma<> = 3" },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
		g_autofree char *styled = tui_gdb_line(all[i].line);
		g_autofree char *is = spelled(styled);

		assert_string_equal(is, all[i].styled);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(lines) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
