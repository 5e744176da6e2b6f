/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/smt/smt-engine.h"

struct smt {
	const struct smt_engine *engine;
	void *state;
	GArray *core; /* unsigned */
	unsigned checks;
	const struct term_pool *pool;
	const struct deadline *until;
};

struct smt *smt_new(struct term_pool *p, enum smt_kind kind)
{
	struct smt *s = g_new0(struct smt, 1);

	s->engine = kind == SMT_Z3 ? &smt_z3_engine : &smt_bitblast_engine;
	s->state = s->engine->create(p);
	s->pool = p;
	s->core = g_array_new(FALSE, FALSE, sizeof(unsigned));
	return s;
}

void smt_free(struct smt *s)
{
	if (!s)
		return;
	s->engine->free(s->state);
	g_array_free(s->core, TRUE);
	g_free(s);
}

void smt_end_at(struct smt *s, const struct deadline *until)
{
	s->until = until;
	s->engine->end_at(s->state, until);
}

void smt_expect(struct smt *s, uint32_t variable, term_bits value)
{
	if (s->engine->expect)
		s->engine->expect(s->state, variable, value);
}

void smt_assert(struct smt *s, uint32_t boolean)
{
	s->engine->assert(s->state, boolean);
}

enum smt_answer smt_check(struct smt *s, const uint32_t *assumptions, unsigned n,
			  unsigned effort_ms)
{
	enum smt_answer answer = SMT_UNKNOWN;

	if (!deadline_is_over(s->until))
		answer = s->engine->check(s->state, assumptions, n, effort_ms);
	s->checks++;
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
