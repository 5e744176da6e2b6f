/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/formula/exit.h"
#include "solver/source/stop.h"

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

/* The test passes with exit status 0 only: by exit's argument or what main
 * returns, where that is how the run came by its status.  What another thread
 * returns never is. */
void exit_require_success(struct walk *w, const struct run_walker *l)
{
	bool exits = stop_call_exits(l->step.native_name);
	uint32_t status = exec_register(w, exits ? TRACE_RDI : TRACE_RAX);

	if (!exits && trace_run_chosen(l->run->record) != 0)
		status = 0;
	if (status && w->options->exited) {
		g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);

		harden_literals(w, status, seen);
	}
	/* 256 would do, too, but nobody means it */
	if (status)
		status = term_extract(w->p, status, 0, 32);
	if (!status || (walk_actual(w, status) & 0xff) != (term_bits)(l->run->status & 0xff))
		status = term_const(w->p, 32, (uint64_t)l->run->status & 0xff);
	walk_require(w, term_eq(w->p, status, term_const(w->p, 32, 0)), true);
}
