/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/answer/way-start.h"

#include "solver/answer/chain-private.h"
#include "solver/format/trace.h"
#include "solver/slice/handed.h"

#include <string.h>

const struct explanation_statement *way_statement(const struct explanation_suspect *s)
{
	return &g_array_index(s->statements, struct explanation_statement, 0);
}

bool way_is_of_data(const struct explanation_suspect *s)
{
	return g_strcmp0(way_statement(s)->kind, "data") == 0;
}

/* Is the instruction (link-time) one of the suspect's line? */
static bool is_of_suspected_line(const struct way_run *run, const struct explanation_suspect *s,
				 uint64_t link)
{
	const struct explanation_statement *st = way_statement(s);
	const struct image_row *row = image_row_at(run->program, link);
	const struct image_statement *there =
		row ? image_statement(run->program, row->statement) : NULL;

	return there && there->line == st->line && g_strcmp0(there->file, st->file) == 0;
}

/* ---- a value, or a decision, of known executions ---- */

/* The action by which the execution is changed.  An argument is changed by the last instruction
 * before the call, and its execution is that of the first one of the statement. */
static const struct trace_action *action_of_execution(const struct way_run *run,
						      const struct explanation_suspect *s,
						      const struct explanation_instance *x,
						      uint64_t bias)
{
	const struct trace_action *found = NULL;

	for (guint k = 0; s->actions && k < s->actions->len; k++) {
		const struct trace_action *a = &g_array_index(s->actions, struct trace_action, k);

		if (a->kind == TRACE_ACTION_CODE || a->nth != x->execution)
			continue;
		if (a->addr + bias == x->at.pc)
			return a;
		if (!found && is_of_suspected_line(run, s, a->addr))
			found = a;
	}
	return found;
}

/* The step that the action follows: the first one from the execution on. */
static uint64_t step_of_action(const struct way_run *run, const struct explanation_instance *x,
			       const struct trace_action *a)
{
	const uint64_t most = limits_or_default(run->limits)->way_instances;
	const uint64_t steps = reverse_index_steps(run->index), first = x->at.step;
	uint32_t depth;

	if (first >= steps)
		return UINT64_MAX;
	depth = reverse_index_at(run->index, first)->depth;
	for (uint64_t k = first; k < steps && k - first < most; k++) {
		const struct reverse_index_step s = *reverse_index_at(run->index, k);

		if (s.depth == depth &&
		    reverse_index_insn_of(run->index, &s)->insn->addr == a->addr)
			return k;
	}
	return UINT64_MAX;
}

/* Does the action take place between what the instance gave and its use? */
static bool is_changed_by_action(const struct slice_instance *i, const struct trace_action *a,
				 uint64_t step)
{
	if (i->decides)
		return i->step == step;
	if (i->step > step || i->user <= step)
		return false;
	if (a->kind == TRACE_ACTION_MEM)
		return i->place.memory && a->where < i->place.address + i->place.size &&
		       i->place.address < a->where + a->size;
	return a->kind == TRACE_ACTION_REG && !i->place.memory && i->place.reg == a->reg;
}

/* Is the value fetched on the suspect's line, changed there and then used? */
static bool is_fetched_before(const struct way_run *run, const struct explanation_suspect *s,
			      const struct slice_instance *i, uint64_t step)
{
	struct reverse_index_step user;
	const struct reverse_index_insn *info;

	if (i->decides || i->user > step || (i->effect && i->effect->step <= step))
		return false;
	user = *reverse_index_at(run->index, i->user);
	info = reverse_index_insn_of(run->index, &user);
	return info->module == i->module && is_of_suspected_line(run, s, info->insn->addr);
}

/* *knows: which executions are changed is known. */
static const struct explanation_instance *changed_execution(const struct way_run *run,
							    const struct explanation_suspect *s,
							    const struct slice_instance *i,
							    bool *knows)
{
	for (guint k = 0; k < s->instances->len; k++) {
		const struct explanation_instance *x =
			&g_array_index(s->instances, struct explanation_instance, k);
		const struct trace_action *a =
			x->at.pc ? action_of_execution(run, s, x, i->module->bias) : NULL;
		const uint64_t step = a ? step_of_action(run, x, a) : UINT64_MAX;

		*knows |= step != UINT64_MAX;
		if (step != UINT64_MAX &&
		    (is_changed_by_action(i, a, step) || is_fetched_before(run, s, i, step)))
			return x;
	}
	return NULL;
}

/* ---- changed code ---- */

/* The instruction that a change of the code changes; NULL = it changes none. */
static const struct trace_action *changed_code(const struct explanation_suspect *s)
{
	const struct trace_action *a = s->actions && s->actions->len
					       ? &g_array_index(s->actions, struct trace_action, 0)
					       : NULL;

	return a && a->kind == TRACE_ACTION_CODE && !way_is_of_data(s) ? a : NULL;
}

/* Is what the instance returned handed on by the instruction at pc, which calls? */
static bool is_handed_on_by(struct reverse_index *index, const struct slice_instance *i,
			    uint64_t pc)
{
	for (uint64_t at = handed_by_call(index, i, i->step); at != UINT64_MAX;
	     at = handed_by_call(index, i, at)) {
		const struct reverse_index_step call = *reverse_index_at(index, at);

		if (reverse_index_insn_of(index, &call)->pc == pc)
			return true;
	}
	return false;
}

/* Is what the instance returned changed behind it, by a line that hands it on?  A change of what a
 * call returns is one of the instruction that calls. */
static bool is_changed_behind(const struct way_run *run, const struct explanation_suspect *s,
			      const struct slice_instance *i)
{
	const struct trace_action *a = changed_code(s);
	const uint64_t pc = a ? a->addr + i->module->bias : 0;

	return a && i->effect && !i->decides && !i->place.memory &&
	       (i->place.reg == TRACE_RAX || i->place.reg == TRACE_XMM0) && i->user > i->step + 1 &&
	       reverse_index_met(run->index, pc) &&
	       (reverse_index_find_insn(run->index, i->step + 1, i->user, &pc, 1) != UINT64_MAX ||
		is_handed_on_by(run->index, i, pc));
}

bool way_start_is_of_line(const struct way_run *run, const struct explanation_suspect *s,
			  const struct slice_instance *i)
{
	return is_of_suspected_line(run, s, i->insn->addr);
}

enum way_start way_start(const struct way_run *run, const struct explanation_suspect *s,
			 const struct slice_instance *i,
			 const struct explanation_instance **changed)
{
	const bool is_of_line = way_start_is_of_line(run, s, i);
	bool knows = false;

	*changed = changed_execution(run, s, i, &knows);
	if (knows)
		return *changed ? WAY_BEHIND : WAY_NOT_HERE;
	if (is_of_line && changed_code(s) && changed_code(s)->addr == i->insn->addr)
		return WAY_AT;
	if (is_changed_behind(run, s, i))
		return WAY_BEHIND;
	return is_of_line ? WAY_OF_LINE : WAY_NOT_HERE;
}

struct explanation_link way_start_link(struct explanation *e, const struct explanation_suspect *s,
				       const struct explanation_instance *changed)
{
	const struct explanation_statement *st = way_statement(s);
	struct explanation_link l =
		chain_link(g_strcmp0(st->kind, "condition") == 0 ? EDGE_CONTROL : EDGE_DATA);
	g_autofree char *both =
		changed && changed->actual && changed->witness &&
				strcmp(changed->actual, changed->witness) != 0
			? g_strdup_printf("%s -> %s", changed->actual, changed->witness)
			: NULL;

	l.function = st->function;
	l.file = st->file;
	l.line = st->line;
	l.text = st->text;
	if (!changed)
		return l;
	l.clause = st->clause;
	l.at = changed->at;
	chain_value(&l, g_strcmp0(st->kind, "return") == 0 ? "result" : st->clause,
		    both ? explanation_string(e, both) : changed->actual);
	return l;
}
