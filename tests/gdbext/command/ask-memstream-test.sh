#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Texts that were printed to a stream of open_memstream: what is shown is what GDB prints at the
# failure, a row below it says which call printed that byte, or the value that it printed, and no row
# names a call that did not.  Where it is not known which one did, none is named.
. tests/support/samples-lib.sh
need_tool
command -v gdb >/dev/null || { echo "gdb is not installed"; exit 77; }

cat >"$dir/stream.c" <<'C'
#define _GNU_SOURCE
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
static char *text, *moved, *copied, *early, *left;
static wchar_t *wide;
static void say(FILE *m, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	vfprintf(m, format, list);
	va_end(list);
}
static char *make(int n, const char *name, int c)
{
	char *made = NULL, xyz[4] = "xyz";
	size_t size = 0;
	FILE *m = open_memstream(&made, &size);
	xyz[1] = 'a' + n;
	fprintf(m, "n=%d;", n); /* n=8; */
	fputs(name, m); /* bat */
	fputc(c, m); /* ! */
	fwrite(xyz, 1, 3, m); /* xiz */
	fprintf(m, " %s %5.2f|", name, n * 0.5); /* bat  4.00| */
	say(m, "v%03d", n + 1); /* v009 */
	putc('-', m);
	fprintf(m, "same");
	fclose(m); /* made */
	return made;
}
static void change(FILE *m, int n)
{
	fprintf(m, "n=%d", n);
	fseek(m, 0, SEEK_SET);
	fputc('N', m);
	fclose(m); /* moved */
}
static void copy(FILE *m, int n)
{
	char name[16];
	strcpy(name, n > 5 ? "cats" : "dog");
	fprintf(m, "%d", n);
	fputs(name, m);
	fprintf(m, "n=%d", n);
	fclose(m);
}
static void flush(FILE *m, int n)
{
	fprintf(m, "a%d", n);
	fflush(m);
	n = early[1];
	fprintf(m, "b%d", n);
	fclose(m);
}
static int sum(const char *s)
{
	int all = 0;
	for (; *s; s++)
		all += *s;
	return all;
}
int main(int argc, char **argv)
{
	char name[8] = "cat", *other = NULL;
	int n = 7 + argc;
	size_t size;
	FILE *m, *m2;
	name[0] = 'b';
	text = make(n, name, '!');
	change(open_memstream(&moved, &size), n);
	copy(open_memstream(&copied, &size), n);
	flush(open_memstream(&early, &size), n);
	m = open_memstream(&left, &size);
	m2 = open_memstream(&other, &size);
	fprintf(m2, "%d", n);
	fprintf(m, "left");
	fprintf(m2, "other");
	fprintf(m, "%d", n);
	fclose(m);
	fclose(m2);
	left[1] = 'E';
	m = open_wmemstream(&wide, &size);
	fwprintf(m, L"w%d", n);
	fclose(m);
	assert(sum(text) + sum(moved) + sum(copied) + sum(early) + sum(left) + sum(other) + wide[1] == 0);
	return 0;
}
C
grep -n . "$dir/stream.c" >"$dir/numbered"

# line TEXT: the number of the line that has it
line() {
	grep -F "$1" "$dir/numbered" | head -1 | cut -d: -f1
}
# rows EXPRESSION: the answer is in $answer; its value is that of GDB
rows() {
	answer=$("$WHY_BIN" ask --record "$dir/record$o" --depth 4 --color never why "$1" -- "$dir/stream$o" 2>&1)
	shown=$(printf '%s\n' "$answer" | sed -n '1s/^[^=]* = \(.*\) at .*/\1/p')
	gdb=$(gdb -nx -batch -ex run -ex 'frame function main' -ex 'printf "@@"' -ex "output $1" "$dir/stream$o" \
		2>/dev/null | sed -n "s/.*@@\([0-9]* \)\{0,1\}//p")
	gdb=${gdb#0x*[0-9a-f] } # where a text lies
	[ -n "$shown" ] && [ "$shown" = "$gdb" ] || complain "-O$o $1: \`$shown', but GDB says \`$gdb': $answer"
}
# has TEXT: a row below the first is of the line that has it
has() {
	printf '%s\n' "$answer" | tail -n +2 | grep -q "  *stream.c:$(line "$1") "
}
# goes EXPRESSION TEXT NOT...: a row is of the line with TEXT, and none of those with NOT
goes() {
	rows "$1"
	has "$2" || complain "-O$o $1: not from $2: $answer"
	expression=$1
	shift 2
	for other; do
		! has "$other" || complain "-O$o $expression: from $other, too: $answer"
	done
}
for o in 0 2; do
	${CC:-gcc} -g -O$o -fno-inline -w -o "$dir/stream$o" "$dir/stream.c" || complain "stream.c does not compile"
	"$WHY_BIN" record -o "$dir/record$o" -- "$dir/stream$o" >"$dir/said" 2>&1
	goes 'text[1]' 'fprintf(m, "n=%d;", n);' 'fputs(name, m); /*' 'n = 7 + argc'
	goes 'text' 'fclose(m); /* made'
	goes 'text[2]' 'n = 7 + argc' 'fputs(name, m); /*' "name[0] = 'b'"
	goes 'text[4]' "name[0] = 'b'" 'n = 7 + argc' 'fputc(c, m)'
	goes 'text[5]' 'fputs(name, m); /*' "name[0] = 'b'" 'fprintf(m, "n=%d;", n);'
	goes 'text[7]' 'fputc(c, m)' 'fputs(name, m); /*' 'fwrite(xyz'
	goes 'text[9]' "xyz[1] = 'a' + n" 'fputc(c, m)' 'fprintf(m, " %s'
	goes 'text[12]' "name[0] = 'b'" 'fwrite(xyz' 'n * 0.5 +'
	goes 'text[17]' 'fprintf(m, " %s' 'fputs(name, m); /*' 'fwrite(xyz' "name[0] = 'b'"
	goes 'text[24]' 'say(m, "v%03d", n + 1)' 'fprintf(m, " %s' "putc('-', m)"
	goes 'text[26]' "putc('-', m)" 'fprintf(m, "same")'
	goes 'text[28]' 'fprintf(m, "same")' "putc('-', m)"
	# what moved the stream may have printed over any of it
	goes 'moved[0]' 'fclose(m); /* moved' 'fprintf(m, "n=%d", n);' "fputc('N', m)"
	# how long the text was that strcpy made is not known
	goes 'copied[0]' 'n = 7 + argc' 'fputs(name, m);'
	rows 'copied[7]'
	! has 'fprintf(m, "%d", n);' || complain "-O$o copied[7]: $answer"
	goes 'early[1]' 'n = 7 + argc' 'fprintf(m, "b%d", n)'
	goes 'early[2]' 'fprintf(m, "b%d", n)' 'fprintf(m, "a%d", n)'
	goes 'early[3]' 'n = early[1]'
	goes 'left[0]' 'fprintf(m, "left")' 'fprintf(m2, "%d", n)' 'fprintf(m2, "other")'
	goes 'left[1]' "left[1] = 'E'" 'fprintf(m, "left")'
	goes 'left[4]' 'n = 7 + argc' 'fprintf(m2, "%d", n)'
	answer=$("$WHY_BIN" ask --record "$dir/record$o" --depth 4 --color never why 'wide[1]' -- "$dir/stream$o" 2>&1)
	! has 'fwprintf(' || complain "-O$o wide[1]: $answer"
done

# A wrong value is printed through the stream: the line that made it is found and proven, and `why
# output' goes on to it.
cat >"$dir/wrong.c" <<'C'
#include <stdio.h>
#include <stdlib.h>
static int difference(int a, int b)
{
	int n = a + b;
	return n;
}
int main(int argc, char **argv)
{
	char *text = NULL;
	size_t size = 0;
	int n = difference(atoi(argv[1]), atoi(argv[2]));
	FILE *m = open_memstream(&text, &size);
	fprintf(m, "of %s and %s:", argv[1], argv[2]);
	fputc(' ', m);
	fprintf(m, "%d\n", n);
	fclose(m);
	fputs("start\n", stdout);
	fputs(text, stdout);
	free(text);
	return 0;
}
C
printf 'start\nof 7 and 3: 4\n' >"$dir/expected"
for o in 0 2; do
	${CC:-gcc} -g -O$o -w -o "$dir/wrong$o" "$dir/wrong.c" || complain "wrong.c does not compile"
	answer=$("$WHY_BIN" explain --color never --expect "$dir/expected" -- "$dir/wrong$o" 7 3 2>&1)
	printf '%s\n' "$answer" | grep -q '^ [12]  .*wrong.c:5 ' || complain "-O$o: wrong.c:5 is not found: $answer"
	printf '%s\n' "$answer" | grep -q 'proven by replay' || complain "-O$o: not proven: $answer"
	answer=$("$WHY_BIN" ask --color never --depth 6 'why output 2' -- "$dir/wrong$o" 7 3 2>&1)
	printf '%s\n' "$answer" | grep -q '^n = 10 at .*wrong.c:16 in main' || complain "-O$o: $answer"
	printf '%s\n' "$answer" | grep -q '[ /]wrong.c:5 ' || complain "-O$o: not from line 5: $answer"
done

# A check of the text: the slice reaches that line.
sed -e 's/^#include <stdio.h>/#include <assert.h>\n#include <stdio.h>/' -e 's/fputs("start.*/assert(text[12] == 52);/' \
	"$dir/wrong.c" >"$dir/check.c"
${CC:-gcc} -g -O0 -w -o "$dir/check" "$dir/check.c" || complain "check.c does not compile"
answer=$("$WHY_BIN" explain --color never --all -- "$dir/check" 7 3 2>&1)
printf '%s\n' "$answer" | grep -q 'proven by replay' || complain "the check is not explained: $answer"
printf '%s\n' "$answer" | grep -q 'check.c:6 .*n = 10' || complain "the way has no line 6: $answer"

finish
