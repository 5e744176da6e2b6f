/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The string instructions, with and without repetition, forwards and
 * backwards, counts of zero, flags that end them. */
#include <stdio.h>
#include <string.h>

static char from[64], to[64];

static void show(const char *what, unsigned long a, unsigned long b)
{
	printf("%s %lx %lx %.20s|%.20s\n", what, a, b, from, to);
}

static void copies(void)
{
	char *s = from, *d = to;
	unsigned long n = 10;

	__asm__ volatile("rep movsb" : "+S"(s), "+D"(d), "+c"(n) : : "memory");
	show("movsb", (unsigned long)(s - from), (unsigned long)(d - to));
	n = 0;
	__asm__ volatile("rep movsq" : "+S"(s), "+D"(d), "+c"(n) : : "memory");
	show("none", (unsigned long)(s - from), n);
	s = from + 7;
	d = to + 15;
	n = 2;
	__asm__ volatile("std; rep movsl; cld" : "+S"(s), "+D"(d), "+c"(n) : : "memory");
	show("back", (unsigned long)(s - from + 8), (unsigned long)(d - to));
	__asm__ volatile("movsw; movsb" : "+S"(s), "+D"(d) : : "memory");
	show("single", (unsigned long)(s - from + 8), (unsigned long)(d - to));
}

static void fills(void)
{
	char *d = to;
	unsigned long n = 5;

	__asm__ volatile("rep stosw" : "+D"(d), "+c"(n) : "a"(0x4241) : "memory");
	show("stosw", (unsigned long)(d - to), n);
	n = 3;
	__asm__ volatile("std; add $7,%%eax; rep stosb; cld"
			 : "+D"(d), "+c"(n)
			 : "a"(0x40)
			 : "memory", "cc");
	show("stosb", (unsigned long)(d - to), n);
}

static void searches(void)
{
	char *s = from, *d = from;
	unsigned long n = 64, m = 20;
	unsigned char ended;

	__asm__ volatile("repne scasb; sete %2"
			 : "+D"(d), "+c"(n), "=q"(ended)
			 : "a"('h')
			 : "cc", "memory");
	show("scasb", (unsigned long)(d - from), n * 2 + ended);
	d = to;
	__asm__ volatile("repe cmpsb; seta %3"
			 : "+S"(s), "+D"(d), "+c"(m), "=q"(ended)
			 :
			 : "cc", "memory");
	show("cmpsb", (unsigned long)(d - to), m * 2 + ended);
	s = from;
	d = from;
	m = 6;
	__asm__ volatile("repe cmpsb; sete %3"
			 : "+S"(s), "+D"(d), "+c"(m), "=q"(ended)
			 :
			 : "cc", "memory");
	show("equal", (unsigned long)(d - from), m * 2 + ended);
}

static void loads(void)
{
	char *s = from + 3;
	unsigned long a = 0;

	__asm__ volatile("lodsb; xor $0x20,%%al; lodsw" : "+S"(s), "+a"(a) : : "memory", "cc");
	show("lods", a, (unsigned long)(s - from));
}

int main(void)
{
	strcpy(from, "abcdefghijklmnopqrstuvwxyz");
	strcpy(to, "--------------------------------");
	copies();
	fills();
	searches();
	loads();
	return 0;
}
