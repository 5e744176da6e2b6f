/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/base/debug.h"
#include "solver/smt/smt-engine.h"
#include "solver/smt/smt-lib.h"

#include <errno.h>

struct smt {
	const struct smt_engine *engine;
	void *state;
	GArray *core; /* unsigned */
	unsigned checks;
	struct term_pool *pool;
	const struct deadline *until;
	const char *dump;   /* folder for the questions, or NULL */
	GArray *asserted;   /* uint32_t, kept for the dump only */
	unsigned last_file; /* number of the last question's file */
	bool talks;	    /* GDB_WHY_LOG=smt:debug */
};

struct smt *smt_new(struct term_pool *p, enum smt_kind kind)
{
	struct smt *s = g_new0(struct smt, 1);

	s->engine = kind == SMT_Z3 ? &smt_z3_engine : &smt_bitblast_engine;
	s->state = s->engine->create(p);
	s->pool = p;
	s->core = g_array_new(FALSE, FALSE, sizeof(unsigned));
	s->talks = debug_is_wanted(G_LOG_DOMAIN);
	s->dump = g_getenv("GDB_WHY_SMT_DUMP");
	s->asserted = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	return s;
}

void smt_free(struct smt *s)
{
	if (!s)
		return;
	s->engine->free(s->state);
	g_array_free(s->core, TRUE);
	g_array_free(s->asserted, TRUE);
	g_free(s);
}

void smt_end_at(struct smt *s, const struct deadline *until)
{
	s->until = until;
	s->engine->end_at(s->state, until);
}

const struct deadline *smt_deadline(const struct smt *s)
{
	return s->until;
}

void smt_expect(struct smt *s, uint32_t variable, term_bits value)
{
	if (s->engine->expect)
		s->engine->expect(s->state, variable, value);
}

/* With GDB_WHY_LOG=smt:debug. */
static void say_term(const struct smt *s, const char *what, uint32_t term)
{
	g_autofree char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);

	term_dump(f, s->pool, term);
	fclose(f);
	g_debug("%s: %s", what, text);
}

void smt_assert(struct smt *s, uint32_t boolean)
{
	s->engine->assert(s->state, boolean);
	if (s->talks)
		say_term(s, "must hold", boolean);
	if (s->dump)
		g_array_append_val(s->asserted, boolean);
}

/* Several solvers, of several processes, may write to one folder: the next number that is
 * free. */
static FILE *open_question(struct smt *s)
{
	FILE *f = NULL;

	do {
		g_autofree char *name = g_strdup_printf("%s/%u.smt2", s->dump, ++s->last_file);

		f = fopen(name, "wx");
	} while (!f && errno == EEXIST);
	if (!f) {
		g_warning("GDB_WHY_SMT_DUMP: no file can be made in %s (%s); no more questions "
			  "are written. Name a folder that exists and that you may write to.",
			  s->dump, g_strerror(errno));
		s->dump = NULL;
	}
	return f;
}

/* The question is in the file before it is asked, in case the engine does not return. */
static FILE *write_question(struct smt *s, const uint32_t *assumptions, unsigned n)
{
	FILE *f = open_question(s);

	if (!f)
		return NULL;
	g_autoptr(GArray) terms = g_array_copy(s->asserted);

	g_array_append_vals(terms, assumptions, n);
	smt_lib_write(f, s->pool, (const uint32_t *)(const void *)terms->data, terms->len);
	fflush(f);
	return f;
}

static const char *word_of_answer(enum smt_answer answer)
{
	return answer == SMT_SAT ? "sat" : answer == SMT_UNSAT ? "unsat" : "unknown";
}

static void write_smt_answer(FILE *f, enum smt_answer answer)
{
	fprintf(f, "; gdb-why: %s\n", word_of_answer(answer));
	fclose(f);
}

static void say_question(const struct smt *s, const uint32_t *assumptions, unsigned n,
			 enum smt_answer answer)
{
	for (unsigned i = 0; i < n; i++)
		say_term(s, "assumed", assumptions[i]);
	g_debug("question %u with %u assumptions: %s", s->checks, n, word_of_answer(answer));
}

enum smt_answer smt_check(struct smt *s, const uint32_t *assumptions, unsigned n,
			  unsigned effort_ms)
{
	enum smt_answer answer = SMT_UNKNOWN;
	FILE *dump = s->dump ? write_question(s, assumptions, n) : NULL;

	if (!deadline_is_over(s->until))
		answer = s->engine->check(s->state, assumptions, n, effort_ms);
	s->checks++;
	if (dump)
		write_smt_answer(dump, answer);
	if (s->talks)
		say_question(s, assumptions, n, answer);
	g_array_set_size(s->core, 0);
	for (unsigned i = 0; answer == SMT_UNSAT && i < n; i++)
		if (s->engine->in_core(s->state, assumptions[i]))
			g_array_append_val(s->core, i);
	return answer;
}

const unsigned *smt_core(const struct smt *s, unsigned *n)
{
	*n = s->core->len;
	return (const unsigned *)(const void *)s->core->data;
}

term_bits smt_value(struct smt *s, uint32_t variable)
{
	return s->engine->value(s->state, variable);
}

uint64_t smt_cost(struct smt *s)
{
	return s->engine->cost ? s->engine->cost(s->state) : 0;
}

uint64_t smt_work(const struct smt *s)
{
	return s->engine->work ? s->engine->work(s->state)
			       : s->checks * term_pool_limits(s->pool)->z3_check_work;
}

unsigned smt_checks(const struct smt *s)
{
	return s->checks;
}
