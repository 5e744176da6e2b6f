/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One wrong value for each function of the C library that values go through:
 * library-calls-test.sh. */
#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The caller gave the wrong one; it is here that it becomes part of a string. */
static char letter(int c)
{
	return (char)c;
}

/* "ab?de", the character comes from outside. */
static void word(char *to, int c)
{
	static const char other[] = "ab_de";

	for (int i = 0; i < 6; i++)
		to[i] = i == 2 ? letter(c) : other[i];
}

static int number(const char *name, char *text)
{
	char copy[32] = "--------------", *end;

	if (!strcmp(name, "strcmp"))
		return strcmp(text, "abcde") == 0;
	if (!strcmp(name, "strncmp"))
		return strncmp(text, "abcXX", 3) == 0;
	if (!strcmp(name, "memcmp"))
		return memcmp(text, "abcde", 6) == 0;
	if (!strcmp(name, "strcasecmp"))
		return strcasecmp(text, "ABCDE") == 0;
	if (!strcmp(name, "strlen"))
		return strlen(text) == 2;
	if (!strcmp(name, "strchr"))
		return strchr(text, 'c') == text + 2;
	if (!strcmp(name, "strrchr"))
		return strrchr(text, 'b') == text + 2;
	if (!strcmp(name, "memchr"))
		return memchr(text, 'c', 5) == text + 2;
	if (!strcmp(name, "strspn"))
		return strspn(text, "abc") == 3;
	if (!strcmp(name, "strcspn"))
		return strcspn(text, "xyz") == 2;
	if (!strcmp(name, "strpbrk"))
		return strpbrk(text, "cxyz") == text + 2;
	if (!strcmp(name, "atoi"))
		return atoi(text + 2) == 7;
	if (!strcmp(name, "strtol"))
		return strtol(text + 2, &end, 10) == 7;
	if (!strcmp(name, "strtoul"))
		return strtoul(text + 2, &end, 10) == 7;
	if (!strcmp(name, "strtoll"))
		return strtoll(text + 2, &end, 10) == 7;
	if (!strcmp(name, "strstr"))
		return strstr(text, "bc") == text + 1;
	if (!strcmp(name, "toupper"))
		return toupper(text[2]) == 'C';
	if (!strcmp(name, "isdigit"))
		return isdigit((unsigned char)text[2]) != 0;
	if (!strcmp(name, "isspace"))
		return (isspace)((unsigned char)text[2]) != 0;
	if (!strcmp(name, "memcpy"))
		return ((char *)memcpy(copy, text, 6))[2] == 'c';
	if (!strcmp(name, "memmove"))
		return ((char *)memmove(text + 1, text, 4))[3] == 'c';
	if (!strcmp(name, "strcpy"))
		return strcpy(copy, text)[2] == 'c';
	if (!strcmp(name, "strncpy"))
		return strncpy(copy, text, 8)[2] == 'c' && !copy[7];
	if (!strcmp(name, "strcat")) {
		strcpy(copy, "xy");
		return strcat(copy, text)[4] == 'c';
	}
	memset(copy, text[2], 3);
	return copy[2] == 'c';
}

int main(int argc, char **argv)
{
	char text[6];
	int given = argc > 1 && strcmp(argv[1], "strcspn") ? 'q' : 'p';

	word(text, given);
	assert(number(argc > 1 ? argv[1] : "", text));
	return 0;
}
