/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/evidence/mended-line.h"

#include "solver/answer/describe.h"
#include "solver/answer/order/evidence.h"
#include "solver/change/code/code-line.h"

#include <string.h>

struct mended_line *mended_line_new(struct mutation *m, const char *file, unsigned line,
				    const struct mutation_verdict *v)
{
	struct mended_line *l = g_new0(struct mended_line, 1);

	l->file = g_strdup(file);
	l->line = line;
	l->change = v->guard ? g_strdup(v->change) : mutation_told(m, &v->best);
	l->condition = g_strdup(v->guard);
	l->actions = v->guard ? g_array_copy((GArray *)v->actions)
			      : g_array_new(FALSE, FALSE, sizeof(struct trace_action));
	if (!v->guard)
		mutant_actions(&v->best, l->actions);
	l->evidence = (struct explanation_evidence){
		.change = l->change,
		.condition = l->condition,
		.effort = v->guard ? v->effort : mutation_effort(m, &v->best),
		.mended = v->mended,
		.failing = v->failing,
		.broken = v->broken,
		.passing = v->passing,
	};
	return l;
}

struct mended_line *mended_line_of_data(struct mutation *m, const struct image_statement *declared,
					const struct mutation_verdict *v)
{
	struct mended_line *l = mended_line_new(m, declared->file, declared->line, v);

	l->declared = *declared;
	return l;
}

void mended_line_free(gpointer mended)
{
	struct mended_line *l = mended;

	if (!l)
		return;
	g_free(l->file);
	g_free(l->change);
	g_free(l->condition);
	g_array_unref(l->actions);
	g_free(l);
}

bool mended_line_is_suspect(const struct explanation *e, const char *file, unsigned line)
{
	for (guint i = 0; i < e->suspects->len; i++)
		if (evidence_is_of_line_alone(e->suspects->pdata[i], file, line))
			return true;
	return false;
}

static bool is_mended_line_named(const struct explanation *e, const struct mended_line *m)
{
	for (guint i = 0; i < e->lines->len; i++) {
		const struct explanation_line *l =
			&g_array_index(e->lines, struct explanation_line, i);

		if (l->line == m->line && strcmp(l->file, m->file) == 0)
			return true;
	}
	return false;
}

static const struct image_statement *statement_of(const struct image *im,
						  const struct mended_line *l)
{
	const struct trace_insn *insns;
	size_t n = image_insns(im, &insns);

	if (l->declared.line)
		return &l->declared;
	for (size_t i = 0; i < n; i++)
		if (code_stands_on(im, insns[i].addr, l->file, l->line))
			return image_statement(im, image_row_at(im, insns[i].addr)->statement);
	return NULL;
}

bool mended_line_show(const struct mended_line *l, const struct image *im, struct explanation *e,
		      unsigned n)
{
	const struct code_change change = { .statement = statement_of(im, l),
					    .words = l->change,
					    .actions = l->actions,
					    .is_data = l->declared.line };
	struct explanation_line line = { .line = l->line, .tests = n };

	if (!change.statement)
		return false;
	line.file = change.statement->file;
	if (!mended_line_is_suspect(e, l->file, l->line)) {
		describe_code_change(e, im, &change);
		((struct explanation_suspect *)e->suspects->pdata[e->suspects->len - 1])->tests = n;
	}
	if (!is_mended_line_named(e, l))
		g_array_append_val(e->lines, line);
	return true;
}
