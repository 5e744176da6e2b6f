#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Small changes are tried of lines that are near the failure in statements and of those that were
# executed last, in turns: what is far in statements may have been executed a moment before.  Those
# that were executed for the first time last take turns with them: what goes on all the time hides them.
. tests/support/samples-lib.sh
need_tool

# The sum reads forty variables that were set before; x went through ten lines since.
{
	printf '#include <stdio.h>\nint main(int argc, char **argv)\n{\n\t(void)argv;\n'
	for i in {1..40}; do echo "	volatile int v$i = argc + $i;"; done
	printf '	volatile int x0 = argc - 1; /* + */\n'
	for i in {1..10}; do echo "	volatile int x$i = x$((i - 1));"; done
	printf '	printf("%%d\\n", x10'
	printf ' + v%d' {1..40}
	printf ');\n\treturn 0;\n}\n'
} >"$dir/sum.c"
echo $((2 + 40 + 820)) >"$dir/right"
line=$(grep -n '/\* + \*/' "$dir/sum.c" | cut -d: -f1)
gcc -g -O0 -o "$dir/sum" "$dir/sum.c" || exit 1

GDB_WHY_LOG=evidence:debug "$WHY_BIN" explain --expect "$dir/right" -- "$dir/sum" >"$dir/out" 2>"$dir/log"
nth=$(sed -n 's/.*sum\.c:\([0-9]*\): parts 0 to 1 .*/\1/p' "$dir/log" | grep -nxm 1 "$line" | cut -d: -f1)
[ -n "$nth" ] || complain "small changes of line $line were not tried: $(cat "$dir/log")"
[ "${nth:-99}" -le 30 ] || complain "line $line is number $nth of those that were tried"

# All lines are executed in each of three rounds, but for the faulty one, which the last one executes.
{
	printf '#include <stdio.h>\nint main(int argc, char **argv)\n{\n\t(void)argv;\n'
	for i in {0..10}; do echo "	volatile int x$i = argc;"; done
	for i in {1..40}; do echo "	volatile int v$i = argc + $i;"; done
	printf '	for (int round = 0; round < 3; round++) {\n'
	printf '		if (round == 2)\n			x0 = argc - 1; /* + */\n'
	for i in {1..10}; do echo "		x$i = x$((i - 1));"; done
	for i in {1..40}; do echo "		v$i += argc;"; done
	printf '	}\n	printf("%%d\\n", x10'
	printf ' + v%d' {1..40}
	printf ');\n\treturn 0;\n}\n'
} >"$dir/rounds.c"
echo $((2 + 160 + 820)) >"$dir/right"
line=$(grep -n '/\* + \*/' "$dir/rounds.c" | cut -d: -f1)
gcc -g -O0 -o "$dir/rounds" "$dir/rounds.c" || exit 1

GDB_WHY_LOG=evidence:debug "$WHY_BIN" explain --expect "$dir/right" -- "$dir/rounds" >"$dir/out" 2>"$dir/log"
nth=$(sed -n 's/.*rounds\.c:\([0-9]*\): parts 0 to 1 .*/\1/p' "$dir/log" | grep -nxm 1 "$line" | cut -d: -f1)
[ -n "$nth" ] || complain "small changes of line $line were not tried: $(cat "$dir/log")"
[ "${nth:-99}" -le 15 ] || complain "line $line is number $nth of those that were tried"

# That no more digits are printed was decided by n; what is printed, and where, says that c was no
# digit.
{
	printf '#include <stdio.h>\nstatic void out(int c)\n{\n	if (c == 10)\n		putchar(10);\n	else\n'
	printf '		putchar(c);\n}\nint main(int argc, char **argv)\n{\n\t(void)argv;\n'
	echo '	volatile int n = argc; /* + */'
	for i in {1..60}; do echo "	volatile int v$i = argc + $i;"; done
	printf '	for (int i = 0; i < n; i++)\n		out(48 + i);\n	out(10);\n	return 0;\n}\n'
} >"$dir/decided.c"
echo 01 >"$dir/right"
line=$(grep -n '/\* + \*/' "$dir/decided.c" | cut -d: -f1)
gcc -g -O0 -o "$dir/decided" "$dir/decided.c" || exit 1

GDB_WHY_LOG=evidence:debug "$WHY_BIN" explain --expect "$dir/right" -- "$dir/decided" >"$dir/out" 2>"$dir/log"
nth=$(sed -n 's/.*decided\.c:\([0-9]*\): parts 0 to 1 .*/\1/p' "$dir/log" | grep -nxm 1 "$line" | cut -d: -f1)
[ "${nth:-99}" -le 15 ] || complain "line $line is number $nth of those that were tried: $(cat "$dir/log")"
[ "$failures" -eq 0 ]
