/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/explain.h"

#define DIR "/home/u/src/"

static void set_argv(struct explanation *e, const char *words)
{
	e->argv = g_strsplit(words, " ", -1);
}

struct explanation_suspect *explain_add_suspect(struct explanation *e,
						enum explanation_replay replay)
{
	struct explanation_suspect *s = explanation_suspect_new();

	g_ptr_array_add(e->suspects, s);
	s->rank = e->suspects->len;
	s->score = 1.0 / s->rank;
	s->replay = replay;
	return s;
}

void explain_add_statement(struct explanation_suspect *s, struct explanation_statement st)
{
	g_array_append_val(s->statements, st);
	s->size = s->statements->len;
}

unsigned explain_add_link(struct explanation *e, struct explanation_link l, const char *name,
			  const char *value)
{
	struct explanation_value v = { name, value };

	l.values = g_array_new(FALSE, TRUE, sizeof v);
	l.because = g_array_new(FALSE, FALSE, sizeof(unsigned));
	if (value)
		g_array_append_val(l.values, v);
	g_array_append_val(e->chain, l);
	return e->chain->len - 1;
}

static void lead(struct explanation *e, struct explanation_suspect *s, unsigned index)
{
	if (s->chain->len) {
		unsigned cause = g_array_index(s->chain, unsigned, s->chain->len - 1);
		struct explanation_link *l =
			&g_array_index(e->chain, struct explanation_link, index);

		g_array_append_val(l->because, cause);
	}
	g_array_append_val(s->chain, index);
}

static void fill_paper_failure(struct explanation *e)
{
	struct explanation_value values[] = { { "b", "1" }, { "a", "0" } };

	e->program = "./p";
	set_argv(e, "0 0");
	e->failure.kind = "assert";
	e->failure.function = "P";
	e->failure.file = DIR "p.c";
	e->failure.line = 13;
	e->failure.column = 2;
	e->failure.requirement = "b <= a";
	g_array_append_vals(e->failure.values, values, 2);
	e->complete = true;
}

static void fill_paper_stats(struct explanation *e)
{
	struct explanation_stage stages[] = {
		{ "start", 40, 0, NULL },
		{ "record", 2.5, 50000, "instructions" },
		{ "solve", 112, 1234567, "clauses" },
	};

	e->stats.engine = "step";
	e->stats.instructions = 50000;
	e->stats.statements = 12;
	e->stats.runs = 4;
	e->stats.iterations = 2;
	e->stats.checks = 32;
	e->stats.clauses = 40;
	e->stats.record_ms = 2.5;
	e->stats.solve_ms = 112;
	e->stats.total_ms = 312.5;
	e->stats.concretized = 0;
	e->stats.memory_kb = 41000;
	g_array_append_vals(e->stats.stages, stages, G_N_ELEMENTS(stages));
}

static void add_paper_suspects(struct explanation *e)
{
	struct explanation_suspect *one = explain_add_suspect(e, REPLAY_PASSES);
	struct explanation_suspect *two = explain_add_suspect(e, REPLAY_PASSES);
	unsigned b, y, fails;

	explain_add_statement(one, (struct explanation_statement){ "P", DIR "p.c", 10, 5,
								   "b = a+1;", "assignment", "b",
								   "1", "0", 1, 0, 0, NULL });
	explain_add_statement(two, (struct explanation_statement){
					   "P", DIR "p.c", 9, 7, "if (y < 5)", "condition", "y < 5",
					   "true", "false", 1, 0, 0, NULL });
	explain_add_statement(two, (struct explanation_statement){ "P", DIR "p.c", 12, 5,
								   "b = a+2;", "assignment", "b",
								   NULL, "<= 0", 1, 0, 0, NULL });
	b = explain_add_link(
		e,
		(struct explanation_link){
			"P", DIR "p.c", 10, "b = a+1;", "b", NULL, NULL, EDGE_DATA, { 0 } },
		"b", "1 -> 0");
	y = explain_add_link(
		e,
		(struct explanation_link){
			"P", DIR "p.c", 9, "if (y < 5)", "y < 5", NULL, NULL, EDGE_CONTROL, { 0 } },
		"y < 5", "true -> false");
	fails = explain_add_link(e,
				 (struct explanation_link){ "P",
							    DIR "p.c",
							    13,
							    "assert(b <= a);",
							    "b <= a",
							    NULL,
							    NULL,
							    EDGE_DATA,
							    { 0 } },
				 "b <= a", "false -> true");
	lead(e, one, b);
	lead(e, one, fails);
	lead(e, two, y);
	lead(e, two, b);
	lead(e, two, fails);
}

struct explanation *explain_paper(void)
{
	struct explanation *e = explanation_new();
	struct explanation_line lines[] = {
		{ DIR "p.c", 10, 1, 1, NULL },
		{ DIR "p.c", 9, 0.5, 1, NULL },
		{ DIR "p.c", 12, 0.5, 1, NULL },
	};

	fill_paper_failure(e);
	fill_paper_stats(e);
	add_paper_suspects(e);
	g_array_append_vals(e->lines, lines, G_N_ELEMENTS(lines));
	g_ptr_array_add(e->notes, (char *)"proved for this run only");
	return e;
}

struct explanation *explain_nothing(void)
{
	struct explanation *e = explanation_new();

	e->failure.kind = "assert";
	return e;
}

static void add_odd_suspects(struct explanation *e)
{
	struct explanation_suspect *s;

	s = explain_add_suspect(e, REPLAY_PASSES);
	explain_add_statement(
		s,
		(struct explanation_statement){
			"f", "/usr/src/a/very/long/path/that/goes/on/and/on/and/on/list.c", 1234, 1,
			"total_of_everything = first_part(list, \"a\tb\") + "
			"second_part(list->next, LIMIT) + third_part(list->next->next);",
			"assignment", "total_of_everything", "18446744073709551615", "-1", 3, 0, 0,
			NULL });
	s = explain_add_suspect(e, REPLAY_FAILS);
	s->note = "the assertion failed again";
	explain_add_statement(s,
			      (struct explanation_statement){
				      "größe", DIR "größe.c", 7, 1,
				      "größe = zähle(\"漢字\"); /* \033[31mred\033[0m \xff */",
				      "assignment", "größe", "\"\\n\"", "\"漢\"", 1, 0, 0, NULL });
	s = explain_add_suspect(e, REPLAY_NOT_RUN);
	s->needs_run = true;
	explain_add_statement(s, (struct explanation_statement){ "g", NULL, 0, 0, NULL, "condition",
								 NULL, "false", "true", 1, 0, 0,
								 NULL });
	s = explain_add_suspect(e, REPLAY_NOT_RUN);
	s->note = "no time was left";
	explain_add_statement(s, (struct explanation_statement){ "h", DIR "sub/x.c", 3, 0,
								 "return n;", "return", "n", "1",
								 "2", 1, 0, 0, NULL });
	explain_add_statement(s, (struct explanation_statement){
					 "h", DIR "sub/x.c", 5, 0, "switch (n) {", "switch", "n",
					 "case 1", "default", 1, 0, 0, NULL });
}

struct explanation *explain_odd(void)
{
	struct explanation *e = explanation_new();
	struct explanation_value v = { "total_of_everything", NULL };

	e->program = "./a program";
	set_argv(e, "it's \xff");
	e->failure.kind = "assert";
	e->failure.function = "main";
	e->failure.file = "/home/u/test/odd.c";
	e->failure.line = 99;
	e->failure.requirement = "total_of_everything == expected_total && list_is_sorted(list)";
	g_array_append_val(e->failure.values, v);
	add_odd_suspects(e);
	e->stats.instructions = UINT64_MAX;
	e->stats.total_ms = 1.0 / 0.0;
	return e;
}

struct explanation *explain_long_chain(unsigned n)
{
	struct explanation *e = explanation_new();
	struct explanation_suspect *s;

	fill_paper_failure(e);
	s = explain_add_suspect(e, REPLAY_PASSES);
	explain_add_statement(s, (struct explanation_statement){ "P", DIR "p.c", 1, 1, "x1 = 0;",
								 "assignment", "x1", "1", "0", 1, 0,
								 0, NULL });
	for (unsigned i = 1; i <= n; i++) {
		g_autofree char *text = g_strdup_printf("x%u = x%u;", i, i - 1);
		g_autofree char *name = g_strdup_printf("x%u", i);
		struct explanation_link l = { "P",
					      DIR "p.c",
					      i,
					      explanation_string(e, text),
					      explanation_string(e, name),
					      NULL,
					      NULL,
					      EDGE_DATA,
					      { 0 } };

		lead(e, s, explain_add_link(e, l, l.clause, "1 -> 0"));
	}
	return e;
}
