/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The first invalid access of small programs, as the record of one run tells it; each with a twin
 * that does the same within its bounds.  timeout: 300 */
#include "solver/memory/memory.h"

#include "tests/support/recorded.h"
#include "tests/support/replay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

struct program {
	const char *name;
	const char *wrong, *right; /* what NEXT stands for in the text */
	enum memory_kind kind;
	const char *text; /* the line with the first FAULT is where it goes wrong */
};

#define HEAD                                                             \
	"#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n" \
	"struct node { int key; struct node *next; };\n"                 \
	"static int zero;\n"
/* p[1] is set if NEXT */
#define UNSET                                                   \
	"int main(void)\n{\n	int *p = malloc(8);\n	if (NEXT)\n" \
	"		p[1] = 1;\n"

static const struct program programs[] = {
	{ "use after free", "free(n);", "struct node *old = n; n = old; (void)old;",
	  MEMORY_AFTER_FREE,
	  HEAD "int main(void)\n{\n	struct node *n = calloc(1, sizeof *n);\n"
	       "	NEXT\n	return n->key; /* FAULT */\n}\n" },
	{ "use after realloc", "realloc(p, 4000)", "p", MEMORY_AFTER_FREE,
	  HEAD "int main(void)\n{\n	char *p = calloc(1, 8), *keep = malloc(8), *q = NEXT;\n"
	       "	free(keep);\n	p[0] = !q; /* FAULT */\n	return 0;\n}\n" },
	{ "free twice", "b", "NULL", MEMORY_FREED_TWICE,
	  HEAD "int main(void)\n{\n	char *a = strdup(\"one\"), *b = a;\n	free(a);\n"
	       "	free(NEXT); /* FAULT */\n	(void)b;\n	return 0;\n}\n" },
	{ "free of a part", "p + 1", "p", MEMORY_NOT_A_BLOCK,
	  HEAD "int main(void)\n{\n	char *p = malloc(8);\n	free(NEXT); /* FAULT */\n"
	       "	return 0;\n}\n" },
	{ "free of a part of a string whose length nobody knows", "p + 1", "p", MEMORY_NOT_A_BLOCK,
	  HEAD "int main(int argc, char **argv)\n{\n	char *p = strdup(argv[0]);\n"
	       "	free(NEXT); /* FAULT */\n	return argc < 1;\n}\n" },
	{ "member array", "8", "7", MEMORY_OUTSIDE,
	  HEAD "struct { int slots[8], limit; } cache;\n"
	       "int main(void)\n{\n	int i = NEXT + zero;\n	cache.slots[i] = 1; /* FAULT */\n"
	       "	return cache.limit > 1;\n}\n" },
	{ "heap index", "4", "3", MEMORY_OUTSIDE,
	  HEAD "int main(void)\n{\n	int *p = malloc(4 * sizeof *p);\n"
	       "	for (int i = 0; i <= NEXT; i++)\n		p[i] = i; /* FAULT */\n"
	       "	return 0;\n}\n" },
	{ "heap index far away", "100", "1", MEMORY_OUTSIDE,
	  HEAD "int main(void)\n{\n	int *p = malloc(8), *q = malloc(4000);\n"
	       "	q[0] = 1;\n	p[NEXT] = 2; /* FAULT */\n	return 0;\n}\n" },
	{ "heap strcpy", "strlen(s)", "strlen(s) + 1", MEMORY_OUTSIDE,
	  HEAD "int main(void)\n{\n	const char *s = \"hello, world and all\";\n"
	       "	char *p = malloc(NEXT);\n	strcpy(p, s); /* FAULT */\n"
	       "	return 0;\n}\n" },
	{ "heap strndup", "p[3] = 'x'", "p[2] = 'x'", MEMORY_OUTSIDE,
	  HEAD "int main(void)\n{\n	char s[] = \"sub-one\";\n	char *p = strndup(s, 3);\n"
	       "	NEXT;\n	return strlen(p) != 3; /* FAULT */\n}\n" },
	{ "as much of a block as may be used", "0", "malloc_usable_size(p)", MEMORY_OUTSIDE,
	  HEAD "#include <malloc.h>\n"
	       "int main(void)\n{\n	char *p = malloc(7);\n	size_t n = NEXT;\n"
	       "	p[n > 7 ? n - 1 : 7] = 'x'; /* FAULT */\n	return n > 100;\n}\n" },
	{ "the distance of two pointers", "p[n + 1] = 0", "p[n] = 0", MEMORY_OUTSIDE,
	  HEAD "static char *names[2];\n"
	       "int main(void)\n{\n	long keep = (long)(names[zero] = strdup(\"some/name\"));\n"
	       "	char *name, *slash, *p;\n	memcpy(&name, &keep, sizeof name);\n"
	       "	slash = strrchr(names[zero], '/');\n"
	       "	long n = slash - name;\n	p = malloc((size_t)n + 1);\n"
	       "	NEXT; /* FAULT */\n	return p[n] > 1;\n}\n" },
	{ "heap strcat", "20", "21", MEMORY_OUTSIDE,
	  HEAD "static char *join(const char *a, const char *b)\n{\n	char *s = malloc(NEXT);\n"
	       "	strcpy(s, a);\n	strcat(s, b); /* FAULT */\n	return s;\n}\n"
	       "int main(void)\n{\n	puts(join(\"0123456789\", \"0123456789\"));\n"
	       "	return 0;\n}\n" },
	{ "heap sprintf", "8", "16", MEMORY_OUTSIDE,
	  HEAD "int main(void)\n{\n	char *s = malloc(NEXT);\n"
	       "	sprintf(s, \"%d-%d\", 1000 + zero, 10000); /* FAULT */\n	puts(s);\n"
	       "	return 0;\n}\n" },
	{ "short allocation", "unsigned short", "size_t", MEMORY_OUTSIDE,
	  HEAD "int main(void)\n{\n	NEXT bytes = 16385 * 4;\n	int *p = malloc(bytes);\n"
	       "	for (int i = 0; i < 16385; i++)\n		p[i] = i; /* FAULT */\n"
	       "	return 0;\n}\n" },
	{ "stack array", "8", "7", MEMORY_OUTSIDE,
	  HEAD
	  "static int sum(int n)\n{\n	int a[8], s = 0;\n	for (int i = 0; i < 8; i++)\n"
	  "		a[i] = i;\n	for (int i = 0; i <= n; i++)\n"
	  "		s += a[i]; /* FAULT */\n	return s;\n}\n"
	  "int main(void)\n{\n	return sum(NEXT) < 0;\n}\n" },
	{ "stack array of the caller", "8", "7", MEMORY_OUTSIDE,
	  HEAD "static void fill(int *a, int n)\n{\n	for (int i = 0; i <= n; i++)\n"
	       "		a[i] = i; /* FAULT */\n}\n"
	       "int main(void)\n{\n	int after[4] = { 0 }, a[8];\n	fill(a, NEXT);\n"
	       "	return after[0] > 100;\n}\n" },
	{ "static array", "32", "31", MEMORY_OUTSIDE,
	  HEAD "static int table[32], other[32];\n"
	       "int main(void)\n{\n	int i = NEXT + zero;\n	table[i] = 1; /* FAULT */\n"
	       "	return other[1];\n}\n" },
	{ "unset member", "0", "1", MEMORY_UNSET_BRANCH,
	  HEAD "int main(void)\n{\n	struct node *n = malloc(sizeof *n);\n	if (NEXT)\n"
	       "		n->key = 1;\n	if (n->key + 1 > 2) /* FAULT */\n		"
	       "puts(\"x\");\n"
	       "	return 0;\n}\n" },
	{ "unset variable", "0", "1", MEMORY_UNSET_BRANCH,
	  HEAD "static int f(int c)\n{\n	int v;\n	if (c)\n		v = 3;\n"
	       "	return v > 2; /* FAULT */\n}\n"
	       "int main(void)\n{\n	int v = f(NEXT);\n	if (v) /* FAULT */\n"
	       "		puts(\"x\");\n	return 0;\n}\n" },
	{ "unset number printed", "0", "1", MEMORY_UNSET_ARGUMENT,
	  HEAD "int main(void)\n{\n	int *p = malloc(8);\n	if (NEXT)\n		p[1] = 1;\n"
	       "	printf(\"%d\\n\", p[1]); /* FAULT */\n	return 0;\n}\n" },
	{ "unset copied", "4", "8", MEMORY_UNSET_BRANCH,
	  HEAD "int main(void)\n{\n	char *p = malloc(8), *q = malloc(8);\n"
	       "	memset(p, 1, NEXT);\n	memcpy(q, p, 8);\n	if (q[6]) /* FAULT */\n"
	       "		puts(\"x\");\n	return 0;\n}\n" },
	{ "unset times three", "0", "1", MEMORY_UNSET_BRANCH,
	  HEAD UNSET
	  "	if (p[1] * 3 > 10) /* FAULT */\n		puts(\"x\");\n	return 0;\n}\n" },
	{ "unset, negated and inverted", "0", "1", MEMORY_UNSET_BRANCH,
	  HEAD UNSET "	if (~-(p[1] ^ 5) > 10) /* FAULT */\n		puts(\"x\");\n"
		     "	return 0;\n}\n" },
	{ "unset under a mask", "1", "0", MEMORY_UNSET_BRANCH,
	  HEAD "int main(void)\n{\n	int *p = malloc(8), mask = zero + NEXT;\n"
	       "	if (p[1] & mask) /* FAULT */\n		puts(\"x\");\n	return 0;\n}\n" },
	{ "unset bits beside others", "b", "a", MEMORY_UNSET_BRANCH,
	  HEAD "struct bits { unsigned a : 4, b : 4; };\n"
	       "int main(void)\n{\n	struct bits *n = malloc(sizeof *n);\n	n->a = 3;\n"
	       "	if (n->NEXT > 2) /* FAULT */\n		puts(\"x\");\n	return 0;\n}\n" },
	{ "unset byte where another one decides", "0x0101", "0x0102", MEMORY_UNSET_BRANCH,
	  HEAD "int main(void)\n{\n	unsigned char *p = malloc(4);\n	p[0] = 1;\n"
	       "	if (*(unsigned short *)p == NEXT) /* FAULT */\n		puts(\"x\");\n"
	       "	return 0;\n}\n" },
	{ "unset distance of a shift", "0", "1", MEMORY_UNSET_BRANCH,
	  HEAD UNSET "	if (4 << p[1] > 10) /* FAULT */\n		puts(\"x\");\n"
		     "	return 0;\n}\n" },
	{ "unset floating-point number", "0", "1", MEMORY_UNSET_BRANCH,
	  HEAD "int main(void)\n{\n	double *d = malloc(16);\n	if (NEXT)\n"
	       "		d[1] = 1;\n	if (d[1] * 2 > 0.5) /* FAULT */\n		"
	       "puts(\"x\");\n"
	       "	return 0;\n}\n" },
	{ "unset index", "0", "1", MEMORY_UNSET_ADDRESS,
	  HEAD "static int t[4];\n" UNSET "	return t[p[1] & 3]; /* FAULT */\n}\n" },
	{ "unset number printed from the stack", "0", "1", MEMORY_UNSET_ARGUMENT,
	  HEAD UNSET "	printf(\"%d %d %d %d %d %d %d\\n\", 1, 2, 3, 4, 5, 6, p[1]); /* FAULT */\n"
		     "	return 0;\n}\n" },
	{ "unset pointer freed", "", "n->next = NULL;", MEMORY_UNSET_ARGUMENT,
	  HEAD "int main(void)\n{\n	struct node *n = malloc(sizeof *n);\n	NEXT\n"
	       "	free(n->next); /* FAULT */\n	return 0;\n}\n" },
	{ "unset, if no other code set it", "", "strtol(\"12\", &end, 10);", MEMORY_UNSET_BRANCH,
	  HEAD "int main(void)\n{\n	char *end;\n	NEXT\n"
	       "	if (end) /* FAULT */\n		puts(\"x\");\n	return 0;\n}\n" },
	{ "unset block, if no other code filled it", "", "qsort(p, 2, 4, fill);",
	  MEMORY_UNSET_BRANCH,
	  HEAD "static int fill(const void *a, const void *b)\n{\n	*(int *)a = 1;\n"
	       "	*(int *)b = 2;\n	return 0;\n}\n"
	       "int main(void)\n{\n	int *p = malloc(8);\n	NEXT\n"
	       "	if (p[1] > 1) /* FAULT */\n		puts(\"x\");\n	return 0;\n}\n" },
	{ "free of a variable", "&local", "p", MEMORY_NOT_A_BLOCK,
	  HEAD "int main(void)\n{\n	int *p = malloc(8), local = 0;\n"
	       "	free(NEXT); /* FAULT */\n	return local;\n}\n" },
	{ "realloc of nothing", "28", "32", MEMORY_OUTSIDE,
	  HEAD "int main(void)\n{\n	int *p = realloc(NULL, NEXT);\n	p[7] = 1; /* FAULT */\n"
	       "	return 0;\n}\n" },
	{ "realloc that shortens", "28", "32", MEMORY_OUTSIDE,
	  HEAD "int main(void)\n{\n	int *p = malloc(64);\n	p = realloc(p, NEXT);\n"
	       "	p[7] = 1; /* FAULT */\n	return 0;\n}\n" },
	{ "realloc that lengthens", "0", "1", MEMORY_UNSET_BRANCH,
	  HEAD "int main(void)\n{\n	int *p = calloc(1, 4);\n	p = realloc(p, 64);\n"
	       "	if (p[0])\n		puts(\"y\");\n	if (NEXT)\n		p[9] = 1;\n"
	       "	if (p[9] > 2) /* FAULT */\n		puts(\"x\");\n	return 0;\n}\n" },
	{ "heap snprintf", "9", "4", MEMORY_OUTSIDE,
	  HEAD "int main(void)\n{\n	char *s = malloc(4);\n"
	       "	snprintf(s, NEXT, \"%d\", 123456789 + zero); /* FAULT */\n	puts(s);\n"
	       "	return 0;\n}\n" },
	{ "heap fread", "3", "2", MEMORY_OUTSIDE,
	  HEAD "int main(void)\n{\n	FILE *f = fopen(\"/dev/zero\", \"r\");\n"
	       "	int *p = malloc(8);\n	fread(p, 4, NEXT, f); /* FAULT */\n"
	       "	return p[1] > 0;\n}\n" },
	{ "heap copy that is checked", "9", "8", MEMORY_OUTSIDE,
	  HEAD "void *__memcpy_chk(void *, const void *, size_t, size_t);\n"
	       "int main(void)\n{\n	char *p = malloc(8), *q = calloc(1, 16);\n"
	       "	__memcpy_chk(p, q, NEXT, 100); /* FAULT */\n	return p[7];\n}\n" },
};

static unsigned line_of(const struct memory_finding *f)
{
	const struct image_row *row =
		f->insn ? image_row_at(f->module->image, f->insn->addr) : NULL;

	return row ? image_statement(f->module->image, row->statement)->line : 0;
}

static struct memory_finding look(const char *text, const char *next, const char *command,
				  unsigned *line)
{
	g_auto(GStrv) parts = g_strsplit(text, "NEXT", 2);
	g_autofree char *whole = g_strjoinv(next, parts);
	struct recorded *r = recorded_new(whole, command, false);
	struct memory_finding f;
	GError *error = NULL;

	if (!memory_check(r->run, &(struct memory_options){ 0 }, &f, &error))
		fail_msg("%s", error->message);
	*line = f.kind == MEMORY_FINE ? 0 : line_of(&f);
	recorded_free(r);
	return f;
}

static bool is_fault(const char *text, unsigned line)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	return line && line <= g_strv_length(lines) && strstr(lines[line - 1], "FAULT");
}

static void finds_the_first_invalid_access(void **state)
{
	unsigned line, wrong = 0;

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(programs); i++) {
		const struct program *p = &programs[i];
		struct memory_finding f = look(p->text, p->wrong, "gcc -g -O0 -w", &line);

		if (f.kind != p->kind || !is_fault(p->text, line)) {
			print_error("%s: kind %d, not %d, in line %u\n", p->name, f.kind, p->kind,
				    line);
			wrong++;
		}
	}
	assert_int_equal(wrong, 0);
}

/* Each is optimized or not; with THOROUGH=1 both. */
static void says_nothing_of_twins(void **state)
{
	const char *thorough = g_getenv("THOROUGH");
	const bool all = thorough && *thorough;
	static const char *const commands[] = { "gcc -g -O0 -w", "gcc -g -O2 -w" };
	unsigned line, wrong = 0;

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(programs) * G_N_ELEMENTS(commands); i++) {
		const struct program *p = &programs[i / 2];
		struct memory_finding f;

		if (!all && i % 2 != i / 2 % 2)
			continue;
		f = look(p->text, p->right, commands[i % 2], &line);
		if (f.kind != MEMORY_FINE) {
			print_error("%s, right, %s: kind %d in line %u\n", p->name, commands[i % 2],
				    f.kind, line);
			wrong++;
		}
	}
	assert_int_equal(wrong, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_the_first_invalid_access),
		cmocka_unit_test(says_nothing_of_twins),
	};

	support_need_replay();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
