/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/question/user-requirement.h"
#include "gdbext/question/ending.h"
#include "solver/formula/requirement/requirement-condition.h"

#include <string.h>

struct looking {
	const struct question *q;
	const struct stop *stop;
	const char *condition;
};

static struct requirement *require_condition_at(const struct question *q,
						const struct trace_point *m,
						const struct stop *stop, const char *condition,
						bool *holds, GError **error)
{
	return requirement_new_condition(q->run.images, q->run.n_images, q->run.failing.thread, m,
					 stop, condition, holds, error);
}

static bool does_not_hold(const struct trace_point *m, void *arg)
{
	const struct looking *l = arg;
	bool holds = true;

	requirement_free(require_condition_at(l->q, m, l->stop, l->condition, &holds, NULL));
	return !holds;
}

/* "list.c:40:3" says which time, "list.c:40" and "insert" do not. */
static bool has_count(const char *stop)
{
	const char *last = strrchr(stop, ':');
	bool is_number = last && last[1] && strspn(last + 1, "0123456789") == strlen(last + 1);
	const char *first = strchr(stop, ':');

	return is_number && (first != last || !strchr(stop, '.'));
}

static int find_time(struct question *q, struct stop *stop, const char *condition, GError **error)
{
	struct looking l = { q, stop, condition };
	uint64_t count;

	if (!trace_point_find(q->run.images, q->run.n_images, q->run.failing.record,
			      q->run.failing.thread, stop, does_not_hold, &l, &count, &q->until,
			      error))
		return ending_status(*error);
	if (!count) {
		g_set_error(error, OPTIONS_ERROR, OPTIONS_ERROR_USAGE,
			    "The test did not fail: `%s' holds each time that the run comes to %s, "
			    "as far as is known.",
			    condition, stop->text);
		return OPTIONS_EXIT_PASSED;
	}
	stop->count = count;
	return 0;
}

static int go_to_requirement(struct question *q, struct stop *stop, const char *condition,
			     GError **error)
{
	g_autoptr(GError) wrong = NULL;
	bool holds = false;

	q->point = trace_point_new_at(q->run.images, q->run.n_images, q->run.failing.record,
				      q->run.failing.thread, stop, 0, NULL, &q->until, error);
	if (!q->point)
		return g_error_matches(*error, STOP_ERROR, STOP_ERROR_REACHED)
			       ? OPTIONS_EXIT_UNEXPLAINED
			       : ending_status(*error);
	q->requirement = require_condition_at(q, q->point, stop, condition, &holds, &wrong);
	if (q->requirement && !holds)
		return 0;
	if (q->requirement)
		g_set_error(error, OPTIONS_ERROR, OPTIONS_ERROR_USAGE,
			    "The test did not fail: `%s' holds at %s.", condition, stop->text);
	else
		g_set_error(error, OPTIONS_ERROR, OPTIONS_ERROR_USAGE,
			    "`%s' cannot be required: %s.", condition, wrong->message);
	return q->requirement ? OPTIONS_EXIT_PASSED : OPTIONS_EXIT_USAGE;
}

int user_requirement(struct question *q, void *arg, GError **error)
{
	const char *text = q->o->require, *condition = text + strcspn(text, " \t");
	g_autofree char *where = g_strndup(text, (gsize)(condition - text));
	struct stop *stop = arg;
	int status = 0;

	condition += strspn(condition, " \t");
	if (!*where || !*condition) {
		g_set_error(error, OPTIONS_ERROR, OPTIONS_ERROR_USAGE,
			    "--require takes a place and a condition in C, as in --require "
			    "'list.c:40 n >= 0', not `%s'.",
			    text);
		return OPTIONS_EXIT_USAGE;
	}
	if (!stop_find(q->run.images, q->run.n_images, where, stop, error))
		return OPTIONS_EXIT_USAGE;
	if (!has_count(where))
		status = find_time(q, stop, condition, error);
	return status ? status : go_to_requirement(q, stop, condition, error);
}
