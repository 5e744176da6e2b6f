/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Is a run led out of an object by a value that was changed in it?  timeout: 300 */
#include "solver/memory/memory.h"

#include "tests/support/recorded.h"
#include "tests/support/replay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

#define HEAD                                                                        \
	"#include <stdlib.h>\n#include <string.h>\n"                                \
	"static const int table[4] = { 1, 2, 3, 4 };\nstatic int zero, other[4];\n" \
	"int main(void)\n{\n"

static const struct program {
	const char *name, *text; /* what the line with SET stores becomes .value */
	int value;
	enum memory_kind kind;
} programs[] = {
	{ "index of a constant table, behind its end",
	  HEAD "	int i = zero; /* SET */\n	return table[i] > 100;\n}\n", 5,
	  MEMORY_OUTSIDE },
	{ "index of a constant table, its last one",
	  HEAD "	int i = zero; /* SET */\n	return table[i] > 100;\n}\n", 3,
	  MEMORY_FINE },
	{ "through a variable, a sum and a call",
	  "static int at(int *p, int n)\n{\n	return p[n + 1];\n}\n" HEAD
	  "	int i = zero; /* SET */\n	int k = i;\n	return at(other, k) > 100;\n}\n",
	  3, MEMORY_OUTSIDE },
	{ "through a variable, a sum and a call, within bounds",
	  "static int at(int *p, int n)\n{\n	return p[n + 1];\n}\n" HEAD
	  "	int i = zero; /* SET */\n	int k = i;\n	return at(other, k) > 100;\n}\n",
	  2, MEMORY_FINE },
	{ "index of a block",
	  HEAD "	int *p = calloc(4, sizeof *p);\n	int i = zero; /* SET */\n"
	       "	p[i] = 1;\n	return 0;\n}\n",
	  4, MEMORY_OUTSIDE },
	{ "length of a copy",
	  HEAD "	char *p = calloc(1, 8), *q = calloc(1, 64);\n"
	       "	int n = zero; /* SET */\n	memcpy(p, q, n);\n	return 0;\n}\n",
	  9, MEMORY_OUTSIDE },
	{ "length of a copy, within bounds",
	  HEAD "	char *p = calloc(1, 8), *q = calloc(1, 64);\n"
	       "	int n = zero; /* SET */\n	memcpy(p, q, n);\n	return 0;\n}\n",
	  8, MEMORY_FINE },
	{ "what the program does itself",
	  HEAD "	int *p = calloc(4, sizeof *p);\n	int i = zero; /* SET */\n"
	       "	p[4] = 1;\n	return p[i] > 100;\n}\n",
	  2, MEMORY_FINE },
	{ "what decides a branch behind which the program does it",
	  HEAD "	int *p = calloc(4, sizeof *p);\n	int i = zero; /* SET */\n"
	       "	if (i)\n		p[4] = 1;\n	return 0;\n}\n",
	  2, MEMORY_FINE },
};

static unsigned line_of(const struct trace_step *step)
{
	const struct image_row *row = image_row_at(step->module->image, step->insn->addr);

	return row ? image_statement(step->module->image, row->statement)->line : 0;
}

/* The store of the line, with that value in place of its own. */
static struct trace_action change(const struct recorded *r, unsigned line, int value)
{
	struct lift *lift = lift_new();
	struct trace_cursor *c = trace_cursor_new(r->run, r->failing.thread, lift);
	struct trace_action a = { .kind = TRACE_ACTION_MEM,
				  .thread = r->failing.thread,
				  .nth = 1,
				  .size = sizeof(value) };
	struct trace_step step;

	memcpy(a.value, &value, sizeof(value));
	while (!a.where && trace_cursor_step(c, &step, NULL) == 1) {
		uint64_t rbp = trace_cursor_reg(c, TRACE_RBP);
		const struct trace_mem *m = step.insn->mem;

		if (line_of(&step) != line || !step.insn->n_mem || !(m->flags & TRACE_MEM_WRITE) ||
		    m->base != TRACE_RBP)
			continue;
		a.module = trace_run_module_number(r->run, step.module);
		a.addr = step.insn->addr;
		a.where = rbp + (uint64_t)m->disp;
	}
	assert_true(a.where);
	trace_cursor_free(c);
	lift_free(lift);
	return a;
}

/* What a check knows of the code from the failing run changes nothing. */
static enum memory_kind check_with_known_code(const struct recorded *r, struct trace_run *run,
					      struct memory_options options)
{
	struct memory_finding f;

	options.code = memory_code_new(NULL);
	options.tables = true;
	assert_true(memory_check(r->run,
				 &(struct memory_options){ .code = options.code, .tables = true },
				 &f, NULL));
	assert_true(memory_check(run, &options, &f, NULL));
	memory_code_free(options.code);
	return f.kind;
}

static enum memory_kind look(const struct program *p, bool influence)
{
	struct recorded *r = recorded_new(p->text, "gcc -g -O0 -w", false);
	struct runner *runner = replay_runner(r->replay);
	struct trace_action a = change(r, recorded_line(p->text, "/* SET */"), p->value);
	const struct run_request request = {
		.actions = &a, .n_actions = 1, .record = true, .max_insns = 100000
	};
	const struct memory_options options = { .actions = &a,
						.n_actions = 1,
						.influence = influence };
	struct run_result result = { 0 };
	struct memory_finding f;
	struct trace_run *run;

	assert_true(runner->run(runner, &request, &result, NULL));
	assert_int_equal(result.actions_done, 1);
	run = trace_run_open(result.record, r->images, r->n_images, NULL);
	assert_non_null(run);
	assert_true(trace_run_choose(run, r->failing.thread, NULL));
	assert_true(memory_check(run, &options, &f, NULL));
	assert_int_equal(check_with_known_code(r, run, options), f.kind);
	trace_run_free(run);
	run_result_clear(&result);
	recorded_free(r);
	return f.kind;
}

static void finds_what_the_changed_value_leads_to(void **state)
{
	unsigned wrong = 0;

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(programs); i++) {
		enum memory_kind kind = look(&programs[i], true);

		if (kind != programs[i].kind) {
			print_error("%s: kind %d, not %d\n", programs[i].name, kind,
				    programs[i].kind);
			wrong++;
		}
	}
	assert_int_equal(wrong, 0);
}

/* The programs that go wrong by themselves really do. */
static void tells_it_from_what_the_program_does(void **state)
{
	(void)state;
	for (size_t i = G_N_ELEMENTS(programs) - 2; i < G_N_ELEMENTS(programs); i++)
		assert_int_equal(look(&programs[i], false), MEMORY_OUTSIDE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_what_the_changed_value_leads_to),
		cmocka_unit_test(tells_it_from_what_the_program_does),
	};

	support_need_replay();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
