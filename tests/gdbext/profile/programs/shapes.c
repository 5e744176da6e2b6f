/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Control flow of all sorts, for tests of profiles: switch by table, computed
 * goto, loops on one line and without end, recursion, exit from within, longjmp,
 * a crash in the middle of a line's call.
 * ways: plain
 * ways: exit
 * ways: jump
 * ways: crash
 * ways: deep
 */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static jmp_buf back;

static int by_table(int x)
{
	switch (x) {
	case 0:
		return 5;
	case 1:
		x += 3;
		break;
	case 2:
		x -= 3;
		/* fall through */
	case 3:
		x *= 2;
		break;
	case 4:
	case 5:
		return 1;
	case 6:
		break;
	default:
		return 2;
	}
	return x;
}

static int by_label(const char *program)
{
	static const void *const ops[] = { &&add, &&twice, &&end };
	int v = 1;

	goto *ops[*program++ - '0'];
add:
	v += 3;
	goto *ops[*program++ - '0'];
twice:
	v *= 2;
	goto *ops[*program++ - '0'];
end:
	return v;
}

static int loops(int n)
{
	int s = 0, i = n;

	while (i)
		i--;
	for (i = 0; i < n; i++)
		s += i;
	do
		s--;
	while (s % 7);
	for (;;) {
		if (s > 50)
			break;
		if (s % 2) {
			s += 3;
			continue;
		}
		s += 5;
	}
	while (1) {
		s--;
		if (s < 20)
			break;
	}
	return s;
}

static int recurse(int n)
{
	return n < 2 ? n : recurse(n - 1) + recurse(n - 2);
}

static void leave(const char *way)
{
	if (!strcmp(way, "exit"))
		exit(3);
	if (!strcmp(way, "jump"))
		longjmp(back, 1);
	if (!strcmp(way, "crash"))
		*(volatile int *)8 = 1;
}

static int several(int a, int b, int c)
{
	int n = 0;

	if (a && b)
		n++;
	if (a || b)
		n += 2;
	if ((a && b) || c)
		n += 4;
	if (a && (b || c))
		n += 8;
	return a ? n : -n;
}

int main(int argc, char **argv)
{
	char text[200] = "";
	int s = 0;

	if (argc < 2)
		return 2;
	for (int i = 0; i < 100; i++)
		s += by_table(i % 8);
	s += by_label("0110102");
	for (int i = 0; i < 8; i++)
		s += several(i & 1, i & 2, i & 4);
	memset(text, 'x', sizeof text - 1);
	s += loops((int)strlen(text)) + recurse(12);
	if (setjmp(back))
		s++;
	else
		leave(argv[1]);
	printf("%d\n", s);
	if (!strcmp(argv[1], "deep"))
		s += recurse(15);
	return s & 1;
}
