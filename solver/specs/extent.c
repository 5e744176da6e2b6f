/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/specs/extent.h"

#include "solver/source/failing-lines.h"

static const struct image_statement *statement_in_extent(const struct image *im, uint64_t addr)
{
	const struct image_row *row = image_row_at(im, addr);

	return row && !row->prologue && !image_row_begins_with(im, row, '}')
		       ? image_statement(im, row->statement)
		       : NULL;
}

struct finder {
	const struct extent_question *q;
	struct extent *e;
	const struct trace_module *program, *specification;
	struct extent_call *inside; /* NULL = in none */
	uint64_t before;	    /* inside none: the program's last step */
	uint64_t sp;		    /* inside: the stack pointer after the call */
};

static void call_free(gpointer data)
{
	struct extent_call *c = data;

	g_hash_table_unref(c->lines);
	g_free(c);
}

static void enter_extent_call(struct finder *f, const struct trace_step *step, uint64_t sp)
{
	struct extent_call *c = g_new0(struct extent_call, 1);

	c->lines = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	c->first = c->last = step->number + 1;
	c->before = f->before;
	g_ptr_array_add(f->e->calls, c);
	f->inside = c;
	f->sp = sp;
}

static void note_extent_step(struct finder *f, const struct trace_step *step)
{
	const struct image *im = f->program->image;
	const struct image_statement *s;
	const struct image_function *function;

	f->inside->last = step->number;
	if (step->module != f->program)
		return;
	s = statement_in_extent(im, step->insn->addr);
	function = image_function_at(im, step->insn->addr);
	if (s)
		g_hash_table_add(f->inside->lines, failing_lines_key(s));
	if (s && function)
		g_hash_table_add(f->e->functions,
				 (gpointer)(function->parent ? function->parent : function));
}

static void look_at_step(struct finder *f, const struct trace_cursor *c,
			 const struct trace_step *step)
{
	uint64_t sp = trace_cursor_reg(c, TRACE_RSP);

	if (!f->inside) {
		if (step->module == f->specification &&
		    step->next == f->q->entry + f->program->bias)
			enter_extent_call(f, step, sp);
		else if (step->module == f->program)
			f->before = step->number;
		return;
	}
	note_extent_step(f, step);
	if (step->module == f->program && sp == f->sp + 8 &&
	    trace_run_module_at(f->q->run, step->next, NULL) == f->specification)
		f->inside = NULL;
}

struct extent *extent_find(const struct extent_question *q, struct lift *lift, GError **error)
{
	struct extent *e = g_new0(struct extent, 1);
	struct finder f = { .q = q,
			    .e = e,
			    .program = trace_run_module(q->run, q->program),
			    .specification = trace_run_module(q->run, q->specification) };
	struct trace_cursor *c = trace_cursor_new(q->run, trace_run_chosen(q->run), lift);
	struct trace_step step;
	int got;

	e->calls = g_ptr_array_new_with_free_func(call_free);
	e->functions = g_hash_table_new(NULL, NULL);
	if (q->actions)
		trace_cursor_set_actions(
			c, (const struct trace_action *)(const void *)q->actions->data,
			q->actions->len);
	while ((got = trace_cursor_step(c, &step, error)) == 1)
		look_at_step(&f, c, &step);
	trace_cursor_free(c);
	if (got == 0)
		return e;
	extent_free(e);
	return NULL;
}

void extent_free(struct extent *e)
{
	if (!e)
		return;
	g_ptr_array_unref(e->calls);
	g_hash_table_destroy(e->functions);
	g_free(e);
}

GPtrArray *extent_statements(const struct image *im, const struct image_function *f)
{
	GPtrArray *all = g_ptr_array_new_with_free_func(g_free);

	for (uint64_t a = f->lo; a < f->hi; a++) {
		const struct image_statement *s =
			image_insn_at(im, a) ? statement_in_extent(im, a) : NULL;
		g_autofree char *key = s ? failing_lines_key(s) : NULL;

		if (key && !g_ptr_array_find_with_equal_func(all, key, g_str_equal, NULL))
			g_ptr_array_add(all, g_steal_pointer(&key));
	}
	return all;
}
