/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gen-suite DIR: DIR/inputs/NNN, lines for subst, and the suite on standard output. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { TESTS = 640 };

static uint32_t state = 7;

static unsigned below(unsigned n)
{
	state = state * 1664525u + 1013904223u;
	return (state >> 16) % n;
}

static const char *const items[] = { "a",  "b",    "c",	     "o",     "1",	".",	 "[abc]", "[a-e]",
				     "\\d", "\\w",  "[^a-c]", "[0-9]", "[xyz-]", "[\\d_]", "_",     "\\.",
				     "l",   "[^ ]", " ",      "-",     "B",	"$",	 "[A-C1-3]" };
static const char *const repeats[] = { "", "", "", "*", "+", "?" };
static const char *const replacements[] = { "x",     "",	"<&>",	  "&&",	     "\\u&",  "-\\t-",
					    "\\n",   "\\&",	"[\\u&]", "a\\\\b",  "@",     "(&)&" };
static const char text[] = "aabbccdeloox19 0_-.,BC$ay";

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	for (int i = 0; i < TESTS; i++) {
		unsigned n = 1 + below(3), lines = 1 + below(3);
		char path[4096];
		FILE *f;

		snprintf(path, sizeof path, "%s/inputs/%03d", argv[1], i);
		f = fopen(path, "w");
		if (!f)
			return 1;
		while (lines--) {
			for (unsigned k = 2 + below(14); k; k--)
				fputc(text[below(sizeof text - 1)], f);
			fputc('\n', f);
		}
		fclose(f);
		printf("%03d: {} '%s", i, below(8) ? "" : "^");
		while (n--)
			printf("%s%s", items[below(sizeof items / sizeof *items)],
			       repeats[below(sizeof repeats / sizeof *repeats)]);
		printf("%s' '%s' <%s\n", below(8) ? "" : "$",
		       replacements[below(sizeof replacements / sizeof *replacements)], path);
	}
	return 0;
}
