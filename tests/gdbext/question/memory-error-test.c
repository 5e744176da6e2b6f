/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is said of the first invalid access of small programs, which lines its story has, which
 * changes make it valid, and what is asked where none does; with GDB and the cage.  timeout: 300 */
#include "gdbext/question/memory-error.h"

#include "gdbext/evidence/slips/slips.h"
#include "gdbext/question/analysis/analysis.h"
#include "tests/support/program.h"
#include "tests/support/recorded.h"
#include "tests/support/replay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

struct asked {
	char *folder, *program;
	const char *source;
	struct options options;
	struct question q;
	GError *error;
	int status;
};

static void parse(struct options *o, const char *also, char *program)
{
	g_autofree char *line = g_strdup_printf("gdb-why explain %s--", also);
	g_auto(GStrv) words = g_strsplit(line, " ", -1);
	g_autoptr(GPtrArray) all = g_ptr_array_new();
	GError *error = NULL;
	char **argv;
	int argc;

	for (char **w = words; *w; w++)
		g_ptr_array_add(all, *w);
	g_ptr_array_add(all, program);
	argc = (int)all->len;
	g_ptr_array_add(all, NULL);
	argv = (char **)all->pdata;
	if (!options_parse(&argc, &argv, o, &error))
		fail_msg("%s", error->message);
}

static void ask(struct asked *a, const char *source, const char *also)
{
	memset(a, 0, sizeof *a);
	a->source = source;
	a->folder = test_folder_new();
	a->program = test_compile(a->folder, "p.c", source, "gcc -g -O0 -w");
	parse(&a->options, also, a->program);
	a->status = question_start(&a->q, &a->options, question_require_pass, NULL, &a->error);
}

static void end(struct asked *a)
{
	question_clear(&a->q);
	options_clear(&a->options);
	g_clear_error(&a->error);
	g_free(a->program);
	test_folder_free(a->folder);
}

static unsigned line_of(const struct asked *a, const char *text)
{
	return recorded_line(a->source, text);
}

static bool has_note(const struct asked *a, const char *format, const char *text)
{
	g_autofree char *note = g_strdup_printf(format, line_of(a, text));

	for (guint i = 0; i < a->q.e->notes->len; i++)
		if (strcmp(a->q.e->notes->pdata[i], note) == 0)
			return true;
	return false;
}

#define HEAD "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\nstatic int zero;\n"

/* ---- in words ---- */

static const struct {
	const char *source, *sentence; /* of the line with FAULT */
} cases[] = {
	{ HEAD "int main(void)\n{\n	int *p = malloc(16);\n	p[5] = 1; /* FAULT */\n"
	       "	return 0;\n}\n",
	  "invalid write: writes 4 bytes, 4 bytes behind the end of a block of 16 bytes" },
	{ HEAD "int main(void)\n{\n	char *p = malloc(1);\n	p[1] = 1; /* FAULT */\n"
	       "	return 0;\n}\n",
	  "invalid write: writes 1 byte, right behind the end of a block of 1 byte" },
	{ HEAD "int main(void)\n{\n	int *p = calloc(4, 4);\n	return p[zero - 1] == "
	       "77; /* FAULT */\n}\n",
	  "invalid read: reads 4 bytes, 4 bytes before the beginning of a block of 16 bytes" },
	{ HEAD "static int t[4], u[4];\nint main(void)\n{\n	int i = zero + 4;\n"
	       "	t[i] = 1; /* FAULT */\n	return 0;\n}\n",
	  "invalid write: writes 4 bytes, right behind the end of `t', which has 16 bytes" },
	{ HEAD "int main(void)\n{\n	const char *s = \"hello\";\n	char *p = malloc(4);\n"
	       "	strcpy(p, s); /* FAULT */\n	return 0;\n}\n",
	  "invalid write: strcpy writes 6 bytes, right behind the end of a block of 4 bytes" },
	{ HEAD "int main(void)\n{\n	int *p = calloc(2, 4);\n	free(p);\n"
	       "	return p[1] == 77; /* FAULT */\n}\n",
	  "use after free: reads 4 bytes in a block of 8 bytes that was freed" },
	{ HEAD "int main(void)\n{\n	int *p = malloc(8);\n	free(p + 1); /* FAULT */\n"
	       "	return 0;\n}\n",
	  "invalid free: free is given what is no block's beginning" },
	{ HEAD "int main(void)\n{\n	int *p = malloc(8);\n	free(p);\n"
	       "	free(p); /* FAULT */\n	return 0;\n}\n",
	  "double free: a block of 8 bytes that was freed is given to free again" },
	{ HEAD "int main(void)\n{\n	int *p = malloc(8);\n"
	       "	if (p[1] + 1 > 2) /* FAULT */\n		puts(\"x\");\n	return 0;\n}\n",
	  "uninitialised value: a branch depends on it" },
	{ HEAD "int main(void)\n{\n	int *p = malloc(8);\n"
	       "	printf(\"%d %d\\n\", 1, p[1]); /* FAULT */\n	return 0;\n}\n",
	  "uninitialised value: argument 3 of printf" },
	{ HEAD "int main(void)\n{\n	char *p = malloc(8);\n	p[0] = p[1] = 'a';\n"
	       "	printf(\"%d %s\\n\", 1, p); /* FAULT */\n	return 0;\n}\n",
	  "uninitialised value: byte 3 of the text that printf gets as argument 3, "
	  "in a block of 8 bytes" },
	{ HEAD "int main(void)\n{\n	char *p = malloc(4);\n	memcpy(p, \"one\", 3);\n"
	       "	puts(p); /* FAULT */\n	return 0;\n}\n",
	  "uninitialised value: byte 4 of the text that puts gets as argument 1, "
	  "in a block of 4 bytes" },
};

static void the_failure_is_worded(void **state)
{
	struct asked a;
	unsigned wrong = 0;

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		const struct explanation_failure *f;

		ask(&a, cases[i].source, "--memory ");
		if (a.status)
			fail_msg("%s: %s", cases[i].sentence, a.error->message);
		analysis_begin(&a.q);
		f = &a.q.e->failure;
		if (f->line != line_of(&a, "FAULT") || g_strcmp0(f->cause, cases[i].sentence)) {
			print_error("`%s' in line %u, not `%s'\n", f->cause, f->line,
				    cases[i].sentence);
			wrong++;
		}
		end(&a);
	}
	assert_int_equal(wrong, 0);
}

static void a_valid_run_is_no_failure(void **state)
{
	struct asked a;

	(void)state;
	ask(&a,
	    HEAD "int main(void)\n{\n	int *p = malloc(16);\n	char *s = malloc(4), b[8];\n"
		 "	p[3] = 1;\n	free(p);\n	memset(s, 'a', 3);\n"
		 "	snprintf(b, 8, \"%d\", zero);\n	printf(\"%s %.3s\\n\", b, s);\n"
		 "	strcpy(b, getenv(\"PATH\") ? \"x\" : \"y\");\n	puts(b);\n	s[3] = "
		 "0;\n	puts(s);\n	return strlen(b) != 1;\n}\n",
	    "--memory ");
	assert_int_equal(a.status, OPTIONS_EXIT_PASSED);
	assert_non_null(strstr(a.error->message, "no invalid access to memory was found"));
	assert_null(a.q.memory);
	end(&a);
}

/* ---- a block that was freed too early ---- */

static const char freed[] = HEAD "static int *make(int v)\n{\n"
				 "	int *p = malloc(4); /* MADE */\n"
				 "	*p = v;\n	return p;\n}\n"
				 "static void drop(int *p)\n{\n	free(p); /* GONE */\n}\n"
				 "int main(void)\n{\n"
				 "	int *keep = make(1); /* FIRST */\n"
				 "	int *p = make(2); /* SECOND */\n"
				 "	drop(p); /* DROPPED */\n"
				 "	int is = *p; /* FAULT */\n"
				 "	printf(\"%d\\n\", *keep);\n"
				 "	return is == 77;\n}\n";

static void the_story_of_a_block(void **state)
{
	static const char *const places[] = { "GONE", "DROPPED", "MADE", "SECOND" };
	struct asked a;
	g_autofree char *made = NULL, *gone = NULL;
	GPtrArray *story;

	(void)state;
	ask(&a, freed, "--memory ");
	assert_int_equal(a.status, 0);
	story = memory_error_story(&a.q);
	assert_int_equal(story->len, G_N_ELEMENTS(places));
	for (guint i = 0; i < story->len; i++)
		assert_int_equal(((const struct image_statement *)story->pdata[i])->line,
				 line_of(&a, places[i]));
	g_ptr_array_unref(story);
	memory_error_note(&a.q);
	made = g_strdup_printf("the block was allocated by malloc at p.c:%%u in make (the 2nd call "
			       "of make), called at p.c:%u in main",
			       line_of(&a, "SECOND"));
	gone = g_strdup_printf("it was freed by free at p.c:%%u in drop, called at p.c:%u in main",
			       line_of(&a, "DROPPED"));
	assert_true(has_note(&a, made, "MADE"));
	assert_true(has_note(&a, gone, "GONE"));
	/* another size of the block would be no help */
	assert_null(memory_error_larger_block(&a.q, 0, NULL, NULL));
	end(&a);
}

/* The requirement becomes that the block is not freed there. */
static void the_free_may_be_to_blame(void **state)
{
	struct asked a;
	uint64_t before;

	(void)state;
	ask(&a, freed, "--memory ");
	assert_int_equal(a.status, 0);
	before = trace_point_instructions(a.q.point);
	assert_true(memory_error_blame_free(&a.q, &a.error));
	assert_null(a.error);
	assert_non_null(a.q.requirement);
	assert_true(trace_point_instructions(a.q.point) < before);
	assert_false(memory_error_relax(&a.q, &a.error)); /* no signal ended it */
	end(&a);
}

static void slips_of_a_use_after_free(void **state)
{
	struct asked a;
	struct slips *slips;
	bool found = false;

	(void)state;
	ask(&a, freed, "--memory ");
	assert_int_equal(a.status, 0);
	analysis_begin(&a.q);
	slips = slips_new(&a.q, 120);
	assert_true(slips_search(slips, &a.error));
	assert_true(slips_found(slips));
	assert_true(slips_gather(slips, &a.error));
	slips_free(slips);
	for (guint i = 0; i < a.q.e->suspects->len; i++) {
		const struct explanation_suspect *s = a.q.e->suspects->pdata[i];
		unsigned line = g_array_index(s->statements, struct explanation_statement, 0).line;

		assert_int_equal(s->replay, REPLAY_PASSES);
		assert_non_null(s->evidence);
		found |= line == line_of(&a, "DROPPED") || line == line_of(&a, "GONE");
		/* what has nothing to do with the block mends nothing */
		assert_int_not_equal(line, line_of(&a, "FIRST"));
	}
	assert_true(found);
	end(&a);
}

/* ---- a block that is too small ---- */

static const char small[] = HEAD "int main(void)\n{\n"
				 "	unsigned char n = zero + 260;\n"
				 "	char *p = malloc(n); /* MADE */\n"
				 "	memset(p, 1, 260); /* FAULT */\n"
				 "	return 0;\n}\n";

static void a_larger_block(void **state)
{
	struct asked a;
	struct trace_action action;
	uint64_t size;
	g_autofree char *words = NULL;
	const struct image_statement *line;

	(void)state;
	ask(&a, small, "--memory ");
	assert_int_equal(a.status, 0);
	line = memory_error_larger_block(&a.q, 0, &action, &words);
	assert_non_null(line);
	assert_int_equal(line->line, line_of(&a, "MADE"));
	assert_string_equal(words, "260 for 4 as the size for malloc, which is cut to 8 bits");
	memcpy(&size, action.value, sizeof size);
	assert_int_equal(size, 260);
	/* with it the run is valid, and prints what it printed; with less it is not */
	assert_int_equal(memory_error_run_with(&a.q, &action, 1), MEMORY_ERROR_SAME);
	size = 259;
	memcpy(action.value, &size, sizeof size);
	assert_int_equal(memory_error_run_with(&a.q, &action, 1), MEMORY_ERROR_STAYS);
	assert_false(memory_error_blame_free(&a.q, &a.error)); /* it was not freed */
	end(&a);
}

static void the_larger_block_is_an_answer(void **state)
{
	struct asked a;
	struct slips *slips;
	bool found = false;

	(void)state;
	ask(&a, small, "--memory ");
	assert_int_equal(a.status, 0);
	analysis_begin(&a.q);
	slips = slips_new(&a.q, 120);
	assert_true(slips_search(slips, &a.error));
	assert_true(slips_gather(slips, &a.error));
	slips_free(slips);
	for (guint i = 0; i < a.q.e->suspects->len; i++) {
		const struct explanation_suspect *s = a.q.e->suspects->pdata[i];

		found |= g_array_index(s->statements, struct explanation_statement, 0).line ==
				 line_of(&a, "MADE") &&
			 s->evidence && strstr(s->evidence->change, "260 for 4 as the size");
	}
	assert_true(found);
	end(&a);
}

/* ---- a crash ---- */

/* free finds the damage later, and aborts. */
static const char crash[] = HEAD "int main(void)\n{\n"
				 "	int *p = malloc(8);\n"
				 "	free(p); /* GONE */\n"
				 "	free(p); /* FAULT */\n"
				 "	return 0;\n}\n";

static void a_crash_is_explained_by_its_first_cause(void **state)
{
	struct asked a;

	(void)state;
	ask(&a, crash, "");
	assert_int_equal(a.status, 0);
	assert_non_null(a.q.memory);
	assert_int_equal(a.q.run.failing.end, RUN_SIGNAL);
	memory_error_note(&a.q);
	assert_string_equal(a.q.e->notes->pdata[0], "the test ends by SIGABRT afterwards");
	/* the second free is what frees it again, and the first one frees it */
	assert_true(memory_error_relax(&a.q, &a.error));
	assert_non_null(a.q.requirement);
	end(&a);
}

static void a_crash_without_an_object_is_a_crash(void **state)
{
	static const char program[] =
		HEAD "int main(void) { int *p = NULL; return *p; /* FAULT */ }\n";
	struct asked a;

	(void)state;
	ask(&a, program, "");
	assert_int_equal(a.status, 0);
	assert_null(a.q.memory);
	assert_non_null(a.q.requirement);
	memory_error_note(&a.q);
	assert_int_equal(a.q.e->notes->len, 0);
	assert_false(memory_error_relax(&a.q, &a.error));
	assert_false(memory_error_blame_free(&a.q, &a.error));
	end(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_failure_is_worded),
		cmocka_unit_test(a_valid_run_is_no_failure),
		cmocka_unit_test(the_story_of_a_block),
		cmocka_unit_test(the_free_may_be_to_blame),
		cmocka_unit_test(slips_of_a_use_after_free),
		cmocka_unit_test(a_larger_block),
		cmocka_unit_test(the_larger_block_is_an_answer),
		cmocka_unit_test(a_crash_is_explained_by_its_first_cause),
		cmocka_unit_test(a_crash_without_an_object_is_a_crash),
	};

	support_need_replay();
	g_setenv("GDB_WHY_AGENT", g_getenv("WHY_AGENT"), TRUE);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
