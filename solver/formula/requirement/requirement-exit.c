/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exit status: the test passes with 0 only. */
#include "solver/formula/requirement.h"
#include "solver/formula/run-walker.h"
#include "solver/formula/walk-private.h"
#include "solver/source/stop.h"
#include "solver/library/library.h"

static bool exit_fails_by(const struct requirement_end *end)
{
	return end->end == RUN_STATUS || (end->end == RUN_PASSED && end->expected);
}

/* A run that comes here and did not fail otherwise called exit, or main returned. */
static bool exit_ends_run(const struct walk *w, const struct run_walker *l,
			  enum requirement_point point)
{
	(void)w;
	return point == REQUIREMENT_AFTER_STEP && l->step.exit_kind == TRACE_EXIT_AWAY;
}

/* A literal that becomes the status (`return 1', `die("...", 2)') reports the failure
 * and does not cause it.  One that a variable is given may. */
static void harden_literals(struct walk *w, uint32_t status, GHashTable *seen)
{
	const struct term_node n = *term_node(w->p, status);
	struct definition *d;

	if (!g_hash_table_add(seen, GUINT_TO_POINTER(status)))
		return;
	if (n.kind == TERM_VAR) {
		d = &g_array_index(w->f->definitions, struct definition, n.a);
		if (d->kind == DEF_REGISTER && term_is_const(w->p, d->expr, NULL))
			d->selector = SELECTOR_HARD;
		else if (d->kind == DEF_REGISTER || d->kind == DEF_MEMORY)
			harden_literals(w, d->expr, seen);
		return;
	}
	if (n.kind != IR_ITE && n.kind != IR_ZEXT && n.kind != IR_SEXT && n.kind != IR_EXTRACT &&
	    n.kind != IR_CONCAT)
		return;
	/* an ITE's condition is no part of the value */
	harden_literals(w, n.a, seen);
	if (n.b)
		harden_literals(w, n.b, seen);
}

static unsigned wanted_status(const struct walk *w)
{
	const struct expected_output *e = w->options->requirement->end.expected;

	return e ? (unsigned)e->status : 0;
}

/* The status is exit's argument or what main returns, when the run got its status in that way.
 * What another thread returns is never the status. */
static void exit_encode(struct walk *w, struct run_walker *l, enum requirement_point point,
			bool others_go_on)
{
	bool exits = library_exits(l->step.native_name);
	uint32_t status = exec_register(w, exits ? TRACE_RDI : TRACE_RAX);

	(void)point, (void)others_go_on;
	if (!exits && trace_run_chosen(l->run->record) != 0)
		status = 0;
	if (status && w->options->requirement->kind == &requirement_exit) {
		g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);

		harden_literals(w, status, seen);
	}
	/* 256 would do, too, but nobody means it */
	if (status)
		status = term_extract(w->p, status, 0, 32);
	if (!status || (walk_actual(w, status) & 0xff) != (term_bits)(l->run->status & 0xff))
		status = term_const(w->p, 32, (uint64_t)l->run->status & 0xff);
	walk_require(w, term_eq(w->p, status, term_const(w->p, 32, wanted_status(w))), true);
}

/* ---- in words ---- */

static char *exit_in_words(const struct requirement_end *end)
{
	return g_strdup_printf("exit status %d", end->status);
}

static void exit_describe(const struct requirement *r, const struct trace_point *m,
			  struct explanation *e)
{
	g_autofree char *cause = exit_in_words(&r->end);
	int wanted = r->end.expected ? r->end.expected->status : 0;
	g_autofree char *change = g_strdup_printf("%d -> %d", r->end.status, wanted);
	g_autofree char *required = g_strdup_printf("exit status %d", wanted);
	struct explanation_failure *f = &e->failure;

	requirement_describe_end(e, m, cause, required);
	f->statement = f->text;
	f->mended = (struct explanation_value){ "exit status", explanation_string(e, change) };
}

const struct requirement_kind requirement_exit = {
	.name = "status",
	.fails_by = exit_fails_by,
	.ends_run = exit_ends_run,
	.encode = exit_encode,
	.describe = exit_describe,
	.in_words = exit_in_words,
	.prefers_last = true,
};
