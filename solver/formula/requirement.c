/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/formula/requirement.h"
#include "solver/formula/run-walker.h"
#include "solver/formula/walk-private.h"
#include "solver/source/source.h"

#include <string.h>

/* One row a kind; the first one that says that a run ends is asked. */
static const struct requirement_kind *const kinds[] = {
	&requirement_endless,	&requirement_assert, &requirement_crash, &requirement_exit,
	&requirement_condition, &requirement_output, &requirement_check, &requirement_one_check,
};

const struct requirement_kind *const *requirement_kinds(size_t *n)
{
	*n = G_N_ELEMENTS(kinds);
	return kinds;
}

static const struct requirement_kind *kind_of_end(const struct requirement_end *end)
{
	for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++)
		if (kinds[i]->fails_by && kinds[i]->fails_by(end))
			return kinds[i];
	return NULL;
}

bool requirement_can_be_asked(const struct requirement_end *end)
{
	return kind_of_end(end) != NULL;
}

struct requirement *requirement_new(const struct requirement_end *end)
{
	const struct requirement_kind *kind = kind_of_end(end);
	struct requirement *r = kind ? g_new0(struct requirement, 1) : NULL;

	if (r)
		*r = (struct requirement){ .kind = kind, .end = *end };
	return r;
}

void requirement_free(struct requirement *r)
{
	if (r && r->kind->free)
		r->kind->free(r);
	else
		g_free(r);
}

const struct requirement_kind *
requirement_ends_run(const struct walk *w, const struct run_walker *l, enum requirement_point point)
{
	const struct requirement_kind *own = w->options->requirement->kind;

	if (!own->fails_by)
		return own->ends_run(w, l, point) ? own : NULL;
	for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++)
		if (kinds[i]->fails_by && kinds[i]->ends_run(w, l, point))
			return kinds[i];
	return NULL;
}

struct expected_progress requirement_looks_at_output(const struct requirement *r,
						     const struct run_result *result)
{
	return expected_look_at_run(r->end.expected, result->record, result->end, result->status);
}

bool requirement_is_met(const struct requirement *r, const struct run_result *result,
			const struct run_request *request)
{
	if (r->kind->met)
		return r->kind->met(r, result, request);
	if (r->end.expected)
		return requirement_looks_at_output(r, result).met;
	return result->end == RUN_PASSED;
}

bool requirement_gets_further(const struct requirement *r, const struct run_result *result,
			      struct expected_progress *to)
{
	const struct expected_progress *from = &r->end.differs_at;

	if (!r->end.expected || !from->text_differs)
		return false;
	*to = requirement_looks_at_output(r, result);
	return to->text_differs && to->stream == from->stream && to->at > from->at &&
	       (to->line > from->line ||
		expected_word_is_over(r->end.expected, from->stream, from->at, to->at));
}

void requirement_describe(const struct requirement *r, const struct trace_point *m,
			  struct explanation *e)
{
	e->failure.kind = r->kind->name;
	r->kind->describe(r, m, e);
}

char *requirement_in_words(const struct requirement_end *end)
{
	const struct requirement_kind *kind = kind_of_end(end);

	return kind ? kind->in_words(end) : NULL;
}

void requirement_forbid_path(struct walk *w, const struct run_walker *l,
			     enum requirement_point point)
{
	guint before = w->f->constraints->len;

	walk_require(w, term_false(w->p), true);
	if (point == REQUIREMENT_RAN_OUT && l->number > 0 && w->f->constraints->len > before)
		g_array_index(w->f->constraints, struct constraint, before).crash = true;
}

void requirement_stand_before_step(struct walk *w, struct run_walker *l, struct trace_step *step)
{
	struct instance in = { .selector = SELECTOR_HARD, .reach = w->reach };
	uint32_t entry = w->f->path->len;
	uint64_t link;

	*step = (struct trace_step){ .pc = trace_cursor_pc(l->cursor),
				     .number = trace_cursor_number(l->cursor) };
	step->module = trace_run_module_at(l->run->record, step->pc, &link);
	step->insn = image_insn_at(step->module->image, link);
	w->cursor = l->cursor;
	w->step_run = l->run->record;
	w->step_run_number = l->number;
	w->step = step;
	for (unsigned i = 0; i < 16; i++)
		w->before[i] = trace_cursor_reg(l->cursor, (enum trace_reg)i);
	w->info = w->next_info = insn_info_at(w, step->pc, step->module, step->insn);
	in.statement = w->info->statement;
	in.pc = step->pc;
	in.rbp = w->before[TRACE_RBP];
	in.rsp = w->before[TRACE_RSP];
	in.last = walk_step_number(w);
	w->instance = w->instances->len;
	g_array_append_val(w->instances, in);
	g_array_append_val(w->f->instance_end, entry);
}

/* The text of the statement's line; NULL when its source is not there. */
static char *text_of_statement_line(const struct trace_point *m, const struct image_statement *s)
{
	struct sources *sources = sources_new(trace_point_image(m));
	const struct source *source = sources_get(sources, s->file);
	char *text = NULL;
	size_t at;

	if (source && source_place(source, s->line, 0, &at)) {
		size_t end = at + strcspn(source->text + at, "\n");

		text = source_text(source, source_trim(source, at, end));
	}
	sources_free(sources);
	return text;
}

void requirement_describe_end(struct explanation *e, const struct trace_point *m, const char *cause,
			      const char *requirement)
{
	const struct image_statement *s = trace_point_statement(m);
	struct image_statement call;
	struct explanation_failure *f = &e->failure;
	g_autofree char *text = NULL;

	if (s && image_is_of_system(s->file) &&
	    image_users_call_at(trace_point_image(m), trace_point_frame(m)->pc, &call))
		s = &call;
	text = s ? text_of_statement_line(m, s) : NULL;

	f->cause = explanation_string(e, cause);
	f->requirement = explanation_string(e, requirement);
	if (!s)
		return;
	f->function = explanation_string(e, s->function);
	f->file = explanation_string(e, s->file);
	f->line = s->line;
	f->column = s->column;
	f->text = explanation_string(e, text);
}
