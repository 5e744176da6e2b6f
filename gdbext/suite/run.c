/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/suite/run.h"

#include "gdbext/replay/folder.h"
#include "gdbext/replay/interrupt.h"
#include "gdbext/replay/preflight.h"
#include "gdbext/replay/cage/supervisor.h"
#include "gdbext/suite/key.h"
#include "gdbext/suite/pool.h"

#include <string.h>

static void outcome_clear(gpointer outcome)
{
	g_clear_pointer(&((struct suite_outcome *)outcome)->golden_printed, g_bytes_unref);
}

void suite_result_free(struct suite_result *r)
{
	if (!r)
		return;
	suite_free(r->suite);
	profile_plan_free(r->plan);
	spectrum_free(r->spectrum);
	if (r->outcomes)
		g_array_unref(r->outcomes);
	g_free(r->program);
	g_free(r->shown);
	g_free(r->directory);
	g_free(r);
}

void suite_result_command(const struct suite_result *r, unsigned test, struct suite_command *c)
{
	suite_command_init(c, r->suite->tests->pdata[test], r->program, r->shown, r->directory);
}

static struct suite_result *prepare_suite_run(const struct suite_options *o, GError **error)
{
	struct suite_result *r = g_new0(struct suite_result, 1);

	r->directory =
		o->directory ? preflight_directory(o->directory, error) : g_get_current_dir();
	r->shown = g_strdup(o->program);
	if (!r->directory || !(r->suite = suite_read(o->tests, r->directory, error)) ||
	    !(r->program = preflight_program(o->program, r->directory, error)) ||
	    !(r->plan = profile_plan_new(r->program, o->limits, error))) {
		suite_result_free(r);
		return NULL;
	}
	r->spectrum = spectrum_new();
	r->outcomes = g_array_new(FALSE, TRUE, sizeof(struct suite_outcome));
	g_array_set_clear_func(r->outcomes, outcome_clear);
	g_array_set_size(r->outcomes, r->suite->tests->len);
	for (unsigned i = 0; i < r->outcomes->len; i++) {
		struct suite_outcome *of = &g_array_index(r->outcomes, struct suite_outcome, i);

		of->verdict = SUITE_UNKNOWN;
		of->row = UNIT_NONE;
	}
	return r;
}

/* What the tests are compared with. */
static bool prepare_rule(struct pool *p, const struct suite_options *o, GError **error)
{
	p->rule = o->golden ? SUITE_BY_GOLDEN : o->expected ? SUITE_BY_EXPECTED : SUITE_BY_STATUS;
	if (o->golden) {
		p->golden = preflight_program(o->golden, p->result->directory, error);
		return p->golden &&
		       (p->golden_conditions.build = suite_build_of_file(p->golden, error));
	}
	if (!o->expected)
		return true;
	p->expected = g_canonicalize_filename(o->expected, p->result->directory);
	if (g_file_test(p->expected, G_FILE_TEST_IS_DIR))
		return true;
	g_set_error(error, SUITE_ERROR, SUITE_ERROR_EXPECT,
		    "There is no folder %s; --expected needs one with a file NAME.out for each "
		    "test.",
		    o->expected);
	return false;
}

static bool prepare_conditions(struct pool *p, const struct suite_options *o, GError **error)
{
	struct suite_conditions *c = &p->conditions, *g = &p->golden_conditions;
	g_autofree char *recorder = preflight_agent(NULL, error);

	if (!recorder)
		return false;
	c->build = suite_build_of_program(p->result->program,
					  profile_plan_build_id(p->result->plan), recorder);
	c->shown = g->shown = p->result->shown;
	c->directory = g->directory = p->result->directory;
	c->timeout = g->timeout = o->run_timeout;
	c->output = p->rule != SUITE_BY_STATUS;
	g->output = true;
	if (!o->no_cache) {
		p->cache = suite_cache_open(NULL, c->build);
		p->golden_cache = p->golden ? suite_cache_open(NULL, g->build) : NULL;
	}
	return true;
}

static void pool_clear(struct pool *p)
{
	suite_cache_close(p->cache);
	suite_cache_close(p->golden_cache);
	supervisor_free(p->supervisor);
	folder_free(p->folder);
	g_free(p->golden);
	g_free(p->expected);
	g_free(p->conditions.build);
	g_free(p->golden_conditions.build);
}

struct suite_result *suite_run(const struct suite_options *o, GError **error)
{
	gint64 start = g_get_monotonic_time();
	struct suite_result *r = prepare_suite_run(o, error);
	struct pool pool = { .result = r, .options = o };
	bool ok = false;

	if (!r)
		return NULL;
	ok = prepare_rule(&pool, o, error) && (pool.folder = folder_new(error)) &&
	     (pool.supervisor = supervisor_new(NULL, NULL, 0, error)) &&
	     prepare_conditions(&pool, o, error) && pool_run(&pool, error);
	pool_clear(&pool);
	r->ms = (double)(g_get_monotonic_time() - start) / 1e3;
	if (!ok)
		g_clear_pointer(&r, suite_result_free);
	return r;
}
