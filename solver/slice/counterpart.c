/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/slice/counterpart.h"

/* So many steps, from these on, are the same in both runs. */
struct stretch {
	uint64_t failing, changed, n;
};

struct counterpart {
	GArray *stretches; /* struct stretch, ascending */
};

/* A run that is gone through. */
struct side {
	struct reverse_index *index;
	uint64_t at, end;
	uint64_t looks; /* so many steps may be looked at, to meet the other one again */
};

/* What a step is, in both runs. */
struct place {
	uint64_t link; /* of the instruction */
	uint32_t depth;
	const struct trace_module *module;
};

static struct place place_at(const struct side *s, uint64_t step)
{
	const struct reverse_index_step at = *reverse_index_at(s->index, step);
	const struct reverse_index_insn *info = reverse_index_insn_of(s->index, &at);

	return (struct place){ info->insn->addr, at.depth, info->module };
}

static bool is_same_step(const struct place *a, const struct place *b)
{
	return a->link == b->link && a->depth == b->depth && a->module->bias == b->module->bias;
}

/* Goes on while both do the same. */
static void follow_both(struct counterpart *c, struct side *failing, struct side *changed)
{
	struct stretch s = { failing->at, changed->at, 0 };

	while (failing->at < failing->end && changed->at < changed->end) {
		const struct place a = place_at(failing, failing->at),
				   b = place_at(changed, changed->at);

		if (!is_same_step(&a, &b))
			break;
		failing->at++;
		changed->at++;
		s.n++;
	}
	if (s.n)
		g_array_append_val(c->stretches, s);
}

/* What both do in the same way from their beginnings on, as far as that is known without a look. */
static void skip_same_beginning(struct counterpart *c, struct side *failing, struct side *changed)
{
	const uint64_t same = reverse_index_same_until(failing->index, changed->index);
	const struct stretch s = { 0, 0, MIN(same, MIN(failing->end, changed->end)) };

	failing->at = changed->at = s.n;
	if (s.n)
		g_array_append_val(c->stretches, s);
}

/* The step from .at on that is at the place, before its frame is left; .end = none. */
static uint64_t find_in_frame(struct side *s, const struct place *to)
{
	for (uint64_t k = s->at; k < s->end && s->looks; k++, s->looks--) {
		const struct place here = place_at(s, k);

		if (is_same_step(&here, to))
			return k;
		if (here.depth < to->depth)
			break;
	}
	return s->end;
}

/* The step with which control is back in the frame's caller. */
static uint64_t find_frame_left(struct side *s, uint32_t depth)
{
	for (uint64_t k = s->at; k < s->end && s->looks; k++, s->looks--)
		if (place_at(s, k).depth < depth)
			return k;
	return s->end;
}

/* Where the ways from the branch meet; false: where its function returns, or it is no branch. */
static bool find_meeting(const struct place *branch, struct place *meeting)
{
	const struct image *im = branch->module->image;
	const struct image_function *f = image_function_at(im, branch->link);
	const struct image_cfg *cfg;
	const struct image_block *b;

	while (f && f->parent)
		f = f->parent;
	cfg = f ? image_cfg(im, f) : NULL;
	b = cfg ? image_block_at(im, f, branch->link) : NULL;
	if (!b || b->last != branch->link || b->ipdom < 0)
		return false;
	*meeting = *branch;
	meeting->link = cfg->blocks[b->ipdom].lo;
	return true;
}

/* False: one of them does not come so far. */
static bool go_on_with(struct side *failing, uint64_t a, struct side *changed, uint64_t b)
{
	if (a == failing->end || b == changed->end)
		return false;
	failing->at = a;
	changed->at = b;
	return true;
}

/* Both come to the place. */
static bool meet_at(struct side *failing, struct side *changed, const struct place *to)
{
	return go_on_with(failing, find_in_frame(failing, to), changed, find_in_frame(changed, to));
}

/* One of them only does more, or less, before it does what the other does now. */
static bool meet_at_once(struct side *failing, struct side *changed)
{
	const struct place a = place_at(failing, failing->at), b = place_at(changed, changed->at);
	const uint64_t later = find_in_frame(changed, &a), sooner = find_in_frame(failing, &b);

	if (later != changed->end &&
	    (sooner == failing->end || later - changed->at <= sooner - failing->at))
		changed->at = later;
	else if (sooner != failing->end)
		failing->at = sooner;
	else
		return false;
	return true;
}

static bool meet_behind_frame(struct side *failing, struct side *changed, uint32_t depth)
{
	return go_on_with(failing, find_frame_left(failing, depth), changed,
			  find_frame_left(changed, depth));
}

/* Goes on to where the runs do the same again. */
static bool meet_again(struct side *failing, struct side *changed)
{
	const struct place last = place_at(failing, failing->at - 1);
	struct place to;

	if (find_meeting(&last, &to)) {
		if (meet_at(failing, changed, &to))
			return true;
	} else if (last.depth == place_at(failing, failing->at).depth &&
		   meet_at_once(failing, changed)) {
		return true;
	}
	return last.depth && meet_behind_frame(failing, changed, last.depth);
}

struct counterpart *counterpart_new(struct reverse_index *failing, struct reverse_index *changed,
				    uint64_t most)
{
	struct counterpart *c = g_new0(struct counterpart, 1);
	struct side a = { failing, 0, MIN(most, reverse_index_steps(failing)), most };
	struct side b = { changed, 0, MIN(most, reverse_index_steps(changed)), most };
	uint64_t before;

	c->stretches = g_array_new(FALSE, FALSE, sizeof(struct stretch));
	skip_same_beginning(c, &a, &b);
	do {
		before = a.at + b.at;
		follow_both(c, &a, &b);
	} while (a.at && a.at < a.end && b.at < b.end && a.at + b.at > before &&
		 meet_again(&a, &b));
	return c;
}

void counterpart_free(struct counterpart *c)
{
	if (!c)
		return;
	g_array_unref(c->stretches);
	g_free(c);
}

/* The last stretch that begins with the step or before it; NULL = none. */
static const struct stretch *stretch_before(const struct counterpart *c, uint64_t step,
					    bool is_changed)
{
	const struct stretch *found = NULL;

	for (guint lo = 0, hi = c->stretches->len; lo < hi;) {
		const guint middle = lo + (hi - lo) / 2;
		const struct stretch *s = &g_array_index(c->stretches, struct stretch, middle);

		if ((is_changed ? s->changed : s->failing) <= step) {
			found = s;
			lo = middle + 1;
		} else {
			hi = middle;
		}
	}
	return found;
}

enum counterpart_found counterpart_of(const struct counterpart *c, uint64_t step, uint64_t *changed)
{
	const struct stretch *s = stretch_before(c, step, false);
	const struct stretch *last =
		c->stretches->len
			? &g_array_index(c->stretches, struct stretch, c->stretches->len - 1)
			: NULL;

	if (s && step - s->failing < s->n) {
		*changed = s->changed + (step - s->failing);
		return COUNTERPART_STEP;
	}
	return last && step < last->failing ? COUNTERPART_NOT_RUN : COUNTERPART_UNKNOWN;
}

uint64_t counterpart_back(const struct counterpart *c, uint64_t changed)
{
	const struct stretch *s = stretch_before(c, changed, true);

	return s && changed - s->changed < s->n ? s->failing + (changed - s->changed) : UINT64_MAX;
}
