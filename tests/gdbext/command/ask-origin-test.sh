#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Where a value came from that the program's own code did not make: arguments, environment, files,
# standard input, the clock, chance, and memory as it was; and no more is said than is known.
. tests/support/samples-lib.sh
need_tool

cat >"$dir/origin.c" <<'C'
#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
static int zeroed, given = 7, *at = &given;
static int leftover(void) { int never; return never; }
static void soil(void) { volatile int used[16]; for (int i = 0; i < 16; i++) used[i] = i; }
static int filled(int n) { char text[8]; sprintf(text, "%d", n); return text[1]; }
static int digits(const char *s) { int n = 0; while (isdigit((unsigned char)*s)) { n++; s++; } return n; }
int main(int argc, char **argv, char **envp)
{
	char line[40], raw[4], *own = NULL, *home = getenv("ORIGIN"), first = argv[1][2], big[9];
	size_t room = 0;
	FILE *f = fopen(argv[2], "r");
	int *block = malloc(40), *zeros = calloc(4, 4), left = block[3] != 0, z1 = zeros[2], none = zeroed + *at, h, inner, e0 = envp[0][1];
	char *made = malloc(20);
	time_t now = time(NULL);
	int chance = rand(), lo = leftover(), own_left = (soil(), leftover()), fi = filled(argc * 11), byte1, byte2, c1, l2, l3, d, m1;
	struct timespec spec;
	clock_gettime(CLOCK_REALTIME, &spec);
	sprintf(made, "%s", argv[1]);
	m1 = made[1];
	h = home[1];
	if (fread(raw, 1, 4, f) != 4) return 1;
	byte1 = raw[2];
	if (fread(raw, 1, 4, f) != 4) return 1;
	byte2 = raw[1];
	c1 = fgetc(f);
	if (!fgets(line, sizeof line, stdin)) return 1;
	if (!fgets(line, sizeof line, stdin)) return 1;
	l2 = line[1];
	f = fopen(argv[2], "r");
	if (getline(&own, &room, f) < 1 || getline(&own, &room, f) < 1) return 1;
	l3 = own[2];
	d = digits(argv[3]);
	strcpy(big, argv[4]);
	inner = big[2];
	if (left + none + h + lo + fi + byte1 + byte2 + c1 + l2 + l3 + d + m1 + z1 + chance + inner +
	       first + e0 + (int)now + (int)spec.tv_nsec != 12345)
		abort();
	return 0;
}
C
printf 'ab\ncdefghi\n' >"$dir/data"
printf 'one\ntwo\n' >"$dir/given"
${CC:-gcc} -g -O0 -w -o "$dir/origin" "$dir/origin.c" || complain "origin.c does not compile"
squeezed=' \n'
set -- -x-y "$dir/data" 123 wxyz
ORIGIN=abc "$WHY_BIN" record -o "$dir/record" --stdin "$dir/given" -- "$dir/origin" "$@" >"$dir/said" 2>&1 ||
	complain "record: $(cat "$dir/said")"

# is NAME WORDS: the answer says so.
is() {
	asks 0 "$2" --record "$dir/record" --at origin.c:42:1 --depth 30 why "$1" -- "$dir/origin"
}
is first "argv[1][2], as the program was started with: '-'"
is inner "argv[4][2], as the program was started with"
is h "byte 2 of the environment variable ORIGIN: 'b'"
is h "the environment variable ORIGIN: getenv returned"
is e0 "envp[0][1], as the program was started with"
is byte1 "byte 3 of the file that argv[2] names, which \`fread' read: '\\n'"
is byte2 "byte 6 of the file that argv[2] names, which \`fread' read: 'e'"
is c1 "from the file that argv[2] names: fgetc returned 104"
is l2 "byte 2 of what the 2nd \`fgets' read from standard input: 'w'"
is l3 "line 2 of the file that argv[2] names, byte 3: 'e'"
is none "zeroed, zero from the start: 0"
is none "given, as it was initialized: 7"
is none "at, as it was initialized: &given"
is lo "never, never initialised: a leftover of the stack"
is own_left "never, never initialised: a leftover of the stack"
is left "never initialised: \`malloc' left it as it was"
is z1 "zero, as \`calloc' made it: 0"
is now 'the clock: time returned'
is 'spec.tv_nsec' "the clock, which \`clock_gettime' read"
is chance 'a random number: rand returned'
# the tables of <ctype.h> tell nothing; another function may have filled what it was given
is d "argv[3][2], as the program was started with: '3'"
case $out in
*untraced* | *__ctype*) complain "plumbing of isdigit: $out" ;;
esac
is fi '= 53'
is m1 '= 120'
for name in fi m1; do
	is $name origin.c
	case $out in
	*'a leftover of the stack'* | *'left it as it was'*) complain "$name was filled: $out" ;;
	esac
done
# In C++ constructors run before main.
cat >"$dir/before.cc" <<'C'
#include <iostream>
#include <string>
int main(int argc, char **argv, char **envp)
{
	char first = argv[1][0], named = envp[0][2];
	int twice = 2 * argc;
	std::string text = argv[2];
	std::cout << first << named << twice << text << std::endl;
	return 0;
}
C
if "${CXX:-g++}" -g -O0 -w -o "$dir/before" "$dir/before.cc"; then
	before() { # name, words
		asks 0 "$2" --at before.cc:8 why "$1" -- "$dir/before" xyz abc
	}
	before first "argv[1][0], as the program was started with: 'x'"
	before named "envp[0][2], as the program was started with: "
	before twice "argc, as the program was started with: 3"
fi
# the chain goes through what the C library makes of a text to where that came from
cat >"$dir/numbers.c" <<'C'
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
	char line[40], copy[40], *sign = NULL, *twin = strdup(argv[1]), *other;
	int given = atoi(argv[1]), set = 0, twice = atoi(twin), behind;
	size_t size = 0;
	if (asprintf(&other, "%d", argc) < 0)
		return 1;
	behind = atoi(other);
	while (fgets(line, sizeof line, stdin)) {
		sign = strchr(line, '=');
		size = strlen(line);
		strcpy(copy, sign + 1);
		set = (int)strtol(copy, NULL, 10);
		*sign = 0;
	}
	if (given + twice + behind + set + (int)size != 12345)
		abort();
	return 0;
}
C
${CC:-gcc} -g -O0 -w -o "$dir/numbers" "$dir/numbers.c" || complain "numbers.c does not compile"
printf 'a=7\nb=42\n' >"$dir/settings"
through() { # NAME WORDS
	asks 0 "$2" --stdin "$dir/settings" --depth 30 why "$1" -- "$dir/numbers" 31
}
through given 'argv[1], as the program was started with'
through twice 'argv[1], as the program was started with'
# the block behind the copy of a text is no part of it
through behind 'atoi returned 2'
case $out in
*argv*) complain "behind: $out" ;;
esac
through set "byte 3 of what the 2nd \`fgets' read from standard input"
# the program's own store to the line was before the library filled it again
for name in sign size; do
	through $name "byte 1 of what the 2nd \`fgets' read from standard input"
	case $out in
	*numbers.c:18*) complain "$name: what was stored before: $out" ;;
	esac
done
# a stream that was another file before, a pipe, and standard input that becomes another file
cat >"$dir/again.c" <<'C'
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static char line[40];
int main(int argc, char **argv)
{
	int a, b, c, d, e, g, n;
	FILE *f = fopen(argv[1], "r");

	while (fgets(line, sizeof line, f))
		;
	fclose(f);
	f = fopen(argv[2], "r");
	if (!fgets(line, sizeof line, f)) return 1;
	a = line[0];
	fclose(f);
	f = popen("echo 42", "r");
	if (!fgets(line, sizeof line, f)) return 1;
	b = line[0];
	pclose(f);
	f = fopen(argv[1], "r");
	f = freopen(argv[2], "r", f);
	c = getc(f);
	d = getchar();
	if (!freopen(argv[1], "r", stdin)) return 1;
	e = getchar();
	n = open(argv[2], O_RDONLY);
	if (n < 0 || dup2(n, 0) != 0 || read(0, line, 2) != 2) return 1;
	g = line[1];
	if (a + b + c + d + e + g + argc != 12345)
		abort();
	return 0;
}
C
${CC:-gcc} -g -O0 -w -o "$dir/again" "$dir/again.c" || complain "again.c does not compile"
printf '78\n' >"$dir/other"
"$WHY_BIN" record -o "$dir/record2" --stdin "$dir/given" -- "$dir/again" "$dir/data" "$dir/other" >"$dir/said" 2>&1 ||
	complain "record: $(cat "$dir/said")"
again() {
	asks 0 "$2" --record "$dir/record2" --at again.c:31:1 --depth 30 why "$1" -- "$dir/again"
}
again a "byte 1 of what the 1st \`fgets' read from the file that argv[2] names"
again b "\`fgets' read it from a stream: '4'"
again c "byte 1 of the file that argv[2] names: getc returned 55"
again d "from standard input: getchar returned 111"
again e "from standard input: getchar returned 97"
again g "of a file, which \`read' read: '8'"
# registers that nothing assigns to
asks 2 '`why line 41'"'"' says why it came there' --record "$dir/record" --at origin.c:41:1 why '$rip' -- "$dir/origin"
asks 2 '`why line N'"'"' why a line was reached' --record "$dir/record" --at origin.c:41:1 why '$eflags' -- "$dir/origin"
asks 0 '$pc != 0: true at' --record "$dir/record" --at origin.c:41:1 why '$pc != 0' -- "$dir/origin"
# the table of jumps that a compiler makes of a switch
cat >"$dir/switch.c" <<'C'
#include <assert.h>
int main(int argc, char **argv)
{
	int kind = 0;

	switch (argv[argc - 1][0]) {
	case 'a': kind = 1; break;
	case 'b': kind = 4; break;
	case 'c': kind = 9; break;
	case 'd': kind = 2; break;
	case 'e': kind = 7; break;
	case 'f': kind = 3; break;
	}
	assert(kind == 2);
	return 0;
}
C
${CC:-gcc} -g -O0 -w -o "$dir/switch" "$dir/switch.c" || complain "switch.c does not compile"
asks 0 "argv[1][0], as the program was started with: 'b'" --depth 6 why kind -- "$dir/switch" b
case $out in
*'a constant'*) complain "plumbing of switch: $out" ;;
esac
# an argument is known by its text, and so is what was made of it
cat >"$dir/option.c" <<'C'
#include <stdio.h>
#include <string.h>
static struct { const char *name; int value; } option;
int main(int argc, char **argv)
{
	char **rest = argv + 1;
	option.name = *rest++;
	option.value = strlen(option.name);
	puts(option.name);
	return argc;
}
C
${CC:-gcc} -g -O0 -w -o "$dir/option" "$dir/option.c" || complain "option.c does not compile"
asks 0 'option = {name = "size=4", value = 6} at' --at option.c:9 why option -- "$dir/option" size=4 more
asks 0 'argv[2] = "more" at' --at option.c:9 'why argv[2]' -- "$dir/option" size=4 more
asks 0 '*rest = "more" at' --at option.c:9 'why *rest' -- "$dir/option" size=4 more
asks 0 'argv[3] = NULL at' --at option.c:9 'why argv[3]' -- "$dir/option" size=4 more
asks 0 "argv[1][2] = 'z' at" --at option.c:9 'why argv[1][2]' -- "$dir/option" size=4 more
# two objects that look alike are told apart by where they were made, and others are not
cat >"$dir/twins.c" <<'C'
#include <assert.h>
#include <stdlib.h>
struct node { int key; struct node *next; };
static struct node *push(struct node *head, int key)
{
	struct node *n = malloc(sizeof *n);
	n->key = key;
	n->next = head;
	return n;
}
int main(int argc, char **argv)
{
	struct node *list = NULL, *twin;
	for (int i = 0; i < argc + 1; i++)
		list = push(list, i == 2 ? 1 : i);
	twin = list->next;
	assert(twin == list);
	return 0;
}
C
${CC:-gcc} -g -O0 -w -o "$dir/twins" "$dir/twins.c" || complain "twins.c does not compile"
asks 0 'twin = the node with key 1, made at twins.c:6, the 2nd at' --depth 3 why twin -- "$dir/twins" 1
asks 0 'list = the node with key 1, made at twins.c:6, the 3rd' --depth 3 why twin -- "$dir/twins" 1
asks 0 'list = the node with key 1 at' --depth 3 why list -- "$dir/twins" 1
# Two lines have one constant, which the compiler keeps once: each is told of its own.
cat >"$dir/two.c" <<'C'
int main(void)
{
	double first[] = { 1, 6.5 };
	double second[] = { 6.5, 2 };
	double sum = second[0] - first[0];
	return sum > 5;
}
C
gcc -g -O0 -o "$dir/two" "$dir/two.c"
"$WHY_BIN" ask --at two.c:6 'why second[0]' -- "$dir/two" >"$dir/text" 2>&1
grep -q 'two.c:4 .*a constant' "$dir/text" && ! grep -q 'two.c:3 ' "$dir/text" || complain "two lines: $(cat "$dir/text")"
# The masks by which a compiler takes a sign away, or turns it, are no numbers of the program.
cat >"$dir/signs.c" <<'C'
#include <assert.h>
#include <math.h>
int main(int argc, char **argv)
{
	double x = argc - 5.5, y = -x;
	(void)argv;
	if (fabs(x) > 2)
		y = -y;
	assert(y > 0);
	return 0;
}
C
gcc -g -O0 -o "$dir/signs" "$dir/signs.c"
"$WHY_BIN" ask --all 'why y' -- "$dir/signs" >"$dir/text" 2>&1
grep -q 'signs.c:8' "$dir/text" && grep -q 'signs.c:7' "$dir/text" || complain "signs: $(cat "$dir/text")"
grep -E 'a constant: *(-?nan|-0)' "$dir/text" && complain "signs: $(cat "$dir/text")"
# A text that was copied is told of the line that copied it, not of one that only looked at it before.
cat >"$dir/looked.c" <<'C'
#include <string.h>
static struct { char section[8], key[8]; int value; } table[2];
static void copy(char *to, const char *from, unsigned long n)
{
	while (n > 0 && *from == ' ') {
		from++;
		n--;
	}
	memcpy(to, from, n);
	to[n] = 0;
}
int main(void)
{
	char section[8] = "";
	const char *text = "[net]";
	copy(section, text + 1, 3);
	copy(table[1].section, section, strlen(section));
	return table[1].section[0] != 'n';
}
C
gcc -g -O0 -o "$dir/looked" "$dir/looked.c"
"$WHY_BIN" ask --at looked.c:18 'why table[1].section' -- "$dir/looked" >"$dir/text" 2>&1
grep -qE 'from +looked.c:9 ' "$dir/text" && ! grep -qE 'from +looked.c:5 ' "$dir/text" || complain "looked: $(cat "$dir/text")"
# What was read into a block before it was freed is not what was read there later, and then copied.
cat >"$dir/again.c" <<'C'
#include <assert.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static char *load(const char *name)
{
	char *buffer = malloc(64);
	int fd = open(name, O_RDONLY);
	if (fd < 0 || read(fd, buffer, 60) < 0)
		exit(3);
	close(fd);
	return buffer;
}
int main(int argc, char **argv)
{
	char *first = load(argv[1]), text[8] = "", c;
	int blanks = 0;
	for (int i = 0; i < 5; i++)
		blanks += first[i] == ' ';
	free(first);
	memcpy(text, load(argv[2]), 5);
	c = text[1];
	assert(c == 'L' && blanks);
	return 0;
}
C
gcc -g -O0 -w -o "$dir/again" "$dir/again.c"
echo '{ print }' >"$dir/one"
echo alice >"$dir/two"
"$WHY_BIN" ask 'why c' -- "$dir/again" "$dir/one" "$dir/two" >"$dir/text" 2>&1
grep -q 'byte 2 of the file that argv.2. names' "$dir/text" && ! grep -q 'argv.1.' "$dir/text" || complain "again: $(cat "$dir/text")"
finish
