/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/answer/changed-run.h"

#include "solver/slice/counterpart.h"
#include "solver/slice/decision.h"

#include <string.h>

struct changed_run {
	const struct way_run *run;
	struct explanation *e;
	struct image **images; /* as the change makes them; [0] belongs to it when .own */
	bool own;
	struct run_result result;
	struct reverse_index *index;
	struct trace_point *point;
	struct counterpart *counterpart;
};

/* ---- the run ---- */

static const struct trace_action *actions_of_suspect(const struct explanation_suspect *s)
{
	return (const struct trace_action *)(const void *)s->actions->data;
}

/* The code of the program is another one then.  False: it is none that a recorded run has. */
static bool change_images(struct changed_run *c, const struct explanation_suspect *s)
{
	const struct trace_action *actions = actions_of_suspect(s);

	c->images = g_memdup2(c->run->images, c->run->n_images * sizeof(*c->images));
	if (actions->kind != TRACE_ACTION_CODE)
		return true;
	c->images[0] = image_changed(c->run->images[0], actions, s->actions->len);
	c->own = c->images[0] != NULL;
	return c->own;
}

static bool record_changed(struct changed_run *c, const struct explanation_suspect *s)
{
	const struct limits *l = limits_or_default(c->run->limits);
	const struct run_request request = {
		.actions = actions_of_suspect(s),
		.n_actions = s->actions->len,
		.record = true,
		.thread = c->run->thread,
		.max_insns = l->way_changed_insns,
		.images = c->own ? c->images : NULL,
	};

	return c->run->runner->run(c->run->runner, &request, &c->result, NULL) && c->result.record;
}

static bool read_changed(struct changed_run *c, const struct explanation_suspect *s)
{
	const struct limits *l = limits_or_default(c->run->limits);
	const bool is_code = actions_of_suspect(s)->kind == TRACE_ACTION_CODE;

	c->index = reverse_index_new(l);
	c->point = trace_point_new_changed(
		c->images, c->run->n_images, c->result.record, c->run->thread, 0,
		is_code ? NULL : actions_of_suspect(s), is_code ? 0 : s->actions->len, c->index,
		c->run->until, NULL);
	if (c->point)
		c->counterpart = counterpart_new(c->run->index, c->index, l->way_changed_insns);
	return c->counterpart != NULL;
}

struct changed_run *changed_run_new(const struct way_run *run, struct explanation *e,
				    const struct explanation_suspect *s)
{
	struct changed_run *c;

	if (!run->runner || !s->actions || !s->actions->len || trace_point_left_out(run->point) ||
	    reverse_index_steps(run->index) > limits_or_default(run->limits)->way_changed_insns)
		return NULL;
	c = g_new0(struct changed_run, 1);
	c->run = run;
	c->e = e;
	if (!change_images(c, s) || !record_changed(c, s) || !read_changed(c, s)) {
		changed_run_free(c);
		return NULL;
	}
	return c;
}

void changed_run_free(struct changed_run *c)
{
	if (!c)
		return;
	counterpart_free(c->counterpart);
	trace_point_free(c->point);
	reverse_index_free(c->index);
	run_result_clear(&c->result);
	if (c->own)
		image_changed_free(c->images[0]);
	g_free(c->images);
	g_free(c);
}

/* ---- the same instance there ---- */

static uint64_t pc_of_step(struct reverse_index *index, uint64_t step)
{
	const struct reverse_index_step s = *reverse_index_at(index, step);

	return reverse_index_insn_of(index, &s)->pc;
}

static bool is_executed_at(const struct changed_run *c, uint64_t step, uint64_t pc)
{
	return step < reverse_index_steps(c->index) && pc_of_step(c->index, step) == pc;
}

/* The place that the failing run's step accesses is there, in the changed run's, what this becomes:
 * the same operand of the same instruction.  False: it accesses no such place. */
static bool move_place(const struct changed_run *c, uint64_t from, uint64_t to,
		       struct reverse_index_place *place)
{
	unsigned n, m;
	const struct reverse_index_event *was = reverse_index_events(c->run->index, from, &n);
	const struct reverse_index_event *is = reverse_index_events(c->index, to, &m);

	for (unsigned i = 0; i < MIN(n, m); i++)
		if (place->address - was[i].address < was[i].size) {
			place->address += is[i].address - was[i].address;
			return true;
		}
	return false;
}

/* What uses the instance's value with the change; effect: what the effect of i became, which may be
 * another execution than that of the failing run.  UINT64_MAX = not known. */
static uint64_t user_there(const struct changed_run *c, const struct slice_instance *i,
			   const struct slice_instance *effect)
{
	uint64_t same, pc;

	if (i->user >= reverse_index_steps(c->run->index))
		return UINT64_MAX;
	if (!i->effect || !effect->module ||
	    (counterpart_of(c->counterpart, i->effect->step, &same) == COUNTERPART_STEP &&
	     same == effect->step))
		return counterpart_of(c->counterpart, i->user, &same) == COUNTERPART_STEP
			       ? same
			       : UINT64_MAX;
	pc = pc_of_step(c->run->index, i->user);
	return reverse_index_find_insn(c->index, 0, effect->step + 1, &pc, 1);
}

/* Is the step i's own one, or one that the failing run does not execute?  What it executes as well
 * has its own place on the way, or none. */
static bool may_stand_in_for(const struct changed_run *c, const struct slice_instance *i,
			     uint64_t step)
{
	const uint64_t back = counterpart_back(c->counterpart, step);

	return back == i->step || back == UINT64_MAX;
}

/* Has the place its value before step `until' of an execution of the instruction? */
static bool is_written_by(const struct changed_run *c, const struct reverse_index_place *place,
			  uint64_t until, uint64_t pc, uint64_t *step)
{
	struct reverse_index_event event;

	return reverse_index_find(c->index, place, until, step, &event) == INDEX_WRITTEN &&
	       is_executed_at(c, *step, pc);
}

/* The execution of i's instruction that gives what is used with the change. */
static bool find_used_there(const struct changed_run *c, const struct slice_instance *i,
			    const struct slice_instance *effect, struct slice_instance *there)
{
	const uint64_t user = user_there(c, i, effect);

	if (user >= reverse_index_steps(c->index))
		return false;
	if (i->place.memory && !move_place(c, i->user, user, &there->place))
		return false;
	there->user = user;
	return is_written_by(c, &there->place, user, i->pc, &there->step) &&
	       may_stand_in_for(c, i, there->step);
}

/* The same execution, where it is not known what is used. */
static bool find_same_there(const struct changed_run *c, const struct slice_instance *i,
			    struct slice_instance *there)
{
	uint64_t step, writer;

	*there = *i;
	if (counterpart_of(c->counterpart, i->step, &step) != COUNTERPART_STEP ||
	    (i->place.memory && !move_place(c, i->step, step, &there->place)))
		return false;
	there->step = step;
	there->user = step + 1;
	return is_written_by(c, &there->place, step + 1, i->pc, &writer) && writer == step;
}

static bool find_data_there(const struct changed_run *c, const struct slice_instance *i,
			    const struct slice_instance *effect, struct slice_instance *there)
{
	*there = *i;
	return find_used_there(c, i, effect, there) || find_same_there(c, i, there);
}

static bool goes_otherwise(const struct changed_run *c, uint64_t failing, uint64_t changed)
{
	return !reverse_index_at(c->run->index, failing)->value !=
	       !reverse_index_at(c->index, changed)->value;
}

/* The execution of the branch that decides with the change: the same one, or, where that goes the
 * same way, the one that lets the effect come about. */
static bool find_decision_there(const struct changed_run *c, const struct slice_instance *i,
				const struct slice_instance *effect, struct slice_instance *there)
{
	uint64_t step = UINT64_MAX, same, of_effect;
	const bool is_there = counterpart_of(c->counterpart, i->step, &same) == COUNTERPART_STEP;

	*there = *i;
	if (is_there && goes_otherwise(c, i->step, same))
		step = same;
	else if (i->effect && effect->module &&
		 (counterpart_of(c->counterpart, i->effect->step, &of_effect) != COUNTERPART_STEP ||
		  of_effect != effect->step))
		step = slice_decision_before(c->index, effect->step);
	if (!is_executed_at(c, step, i->pc)) {
		if (!is_there)
			return false;
		step = same;
	}
	there->step = step;
	there->user = step + 1;
	return true;
}

/* .module NULL: it is not known which it is. */
static GArray *instances_there(const struct changed_run *c, const GPtrArray *path)
{
	GArray *all = g_array_sized_new(FALSE, TRUE, sizeof(struct slice_instance), path->len + 1);

	g_array_set_size(all, path->len + 1);
	for (guint k = path->len; k > 0; k--) {
		const struct slice_instance *i = path->pdata[k - 1];
		struct slice_instance *there = &g_array_index(all, struct slice_instance, k - 1);

		if (!(i->decides ? find_decision_there : find_data_there)(
			    c, i, &g_array_index(all, struct slice_instance, k), there))
			there->module = NULL;
	}
	return all;
}

/* ---- words ---- */

static const char *words_of(struct changed_run *c, const struct trace_point *point,
			    struct reverse_index *index, const struct slice_instance *i,
			    const struct cause *same)
{
	g_autoptr(GPtrArray) one = g_ptr_array_new();
	const struct cause *cause;
	struct cause_tree *t;
	const char *value;

	g_ptr_array_add(one, (gpointer)i);
	t = cause_of_instances(c->e, point, index, one);
	cause = t->causes->pdata[0];
	value = g_strcmp0(cause->clause, same->clause) == 0 ? cause->value : NULL;
	cause_tree_free(t);
	/* of a branch with more than two ways, or whose condition is not known */
	return i->decides && value && strcmp(value, "true") != 0 && strcmp(value, "false") != 0
		       ? NULL
		       : value;
}

static struct changed_value value_there(struct changed_run *c, const struct slice_instance *i,
					const struct slice_instance *there,
					const struct cause *cause)
{
	struct changed_value v = { 0 };
	struct slice_instance before = *i;
	uint64_t step;

	if (!there->module) {
		if (counterpart_of(c->counterpart, i->step, &step) == COUNTERPART_NOT_RUN)
			v.after = "not run";
		return v;
	}
	v.after = words_of(c, c->point, c->index, there, cause);
	before.step = i->decides ? counterpart_back(c->counterpart, there->step) : UINT64_MAX;
	if (before.step != UINT64_MAX && before.step != i->step)
		v.before = words_of(c, c->run->point, c->run->index, &before, cause);
	return v;
}

GArray *changed_run_values(struct changed_run *c, const GPtrArray *path, const struct cause_tree *t)
{
	GArray *values = g_array_new(FALSE, TRUE, sizeof(struct changed_value));
	g_autoptr(GArray) there = instances_there(c, path);

	for (guint k = 0; k < path->len; k++) {
		const struct changed_value v = value_there(
			c, path->pdata[k], &g_array_index(there, struct slice_instance, k),
			t->causes->pdata[k]);

		g_array_append_val(values, v);
	}
	return values;
}

const char *changed_run_decision(struct changed_run *c, uint64_t step)
{
	g_autoptr(GPtrArray) path = g_ptr_array_new();
	g_autoptr(GArray) values = NULL;
	struct slice_instance i = { .step = step, .decides = true, .user = step + 1 };
	struct reverse_index_step s;
	const struct reverse_index_insn *info;
	struct cause_tree *t;

	if (step >= reverse_index_steps(c->run->index))
		return NULL;
	s = *reverse_index_at(c->run->index, step);
	info = reverse_index_insn_of(c->run->index, &s);
	i.pc = info->pc;
	i.module = info->module;
	i.insn = info->insn;
	if (info->insn->flow != TRACE_FLOW_COND)
		return NULL;
	g_ptr_array_add(path, &i);
	t = cause_of_instances(c->e, c->run->point, c->run->index, path);
	values = changed_run_values(c, path, t);
	cause_tree_free(t);
	return g_array_index(values, struct changed_value, 0).after;
}
