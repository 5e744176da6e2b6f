/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The calls of a function in the run, and where in them the program stands: a question about a
 * line may be about one of them, or about the round of a loop. */
#include "solver/cause/cause-private.h"

uint64_t cause_last_step(struct finder *f, const struct call *call, const uint64_t *pcs, unsigned n)
{
	uint64_t step = call ? call->end : reverse_index_steps(f->index);

	do
		step = reverse_index_find_insn(f->index, call ? call->first : 0, step, pcs, n);
	while (call && step != UINT64_MAX &&
	       reverse_index_at(f->index, step)->depth != call->depth);
	return step;
}

/* The last step before the given one that is of a caller; UINT64_MAX = there is none. */
static uint64_t last_outside(struct finder *f, uint64_t before, uint32_t depth)
{
	uint64_t call;

	reverse_index_find_branch(f->index, before, depth, NULL, 0, &call);
	return call;
}

/* Where the call that began with the step ended, by halves. */
static uint64_t end_of_call(struct finder *f, uint64_t first, uint32_t depth)
{
	uint64_t open = first + 1, closed = reverse_index_steps(f->index), at;

	for (at = closed; open < closed; at = open + (closed - open) / 2) {
		uint64_t outside = last_outside(f, at, depth);

		if (outside != UINT64_MAX && outside > first)
			closed = MIN(at == closed ? closed : at, outside);
		else if (at == closed)
			return closed;
		else
			open = at + 1;
	}
	return closed;
}

struct call cause_call_from(struct finder *f, uint64_t first)
{
	uint32_t depth = reverse_index_at(f->index, first)->depth;

	return (struct call){ first, end_of_call(f, first, depth), depth };
}

static bool find_standing(struct finder *f, struct standing *s)
{
	const struct image *im = trace_point_image(f->point);
	uint64_t pc = trace_point_frame(f->point)->pc, end = reverse_index_steps(f->index);
	const struct image_function *function = image_function_at(im, pc);
	const struct reverse_index_insn *info;
	struct reverse_index_step last;

	if (!end)
		return false;
	last = *reverse_index_at(f->index, end - 1);
	info = reverse_index_insn_of(f->index, &last);
	*s = (struct standing){ im, pc, end, last.depth, false };
	if (info->insn->flow == TRACE_FLOW_RET && s->depth)
		s->depth--;
	else if (info->insn->flow == TRACE_FLOW_CALL && function && function->entry == pc)
		s->depth++; /* the call just begins */
	return true;
}

/* Goes on to the call around it; false when there is none in the record. */
static bool stand_outside(struct finder *f, struct standing *s)
{
	uint64_t call = last_outside(f, s->before, s->depth), bias = 0;
	struct reverse_index_step step;
	uint64_t pc;

	if (call == UINT64_MAX)
		return false;
	step = *reverse_index_at(f->index, call);
	pc = reverse_index_insn_of(f->index, &step)->pc;
	s->im = trace_point_image_at(f->point, pc, &bias);
	s->pc = pc - bias;
	s->before = call;
	s->depth = step.depth;
	s->is_in_call = true;
	return s->im != NULL;
}

/* The graph and the blocks of where the program stands and of a place in the same function; false
 * when it is in another. */
static bool find_blocks_of_call(const struct standing *s, const struct image *im, uint64_t place,
				const struct image_cfg **cfg, const struct image_block **from,
				const struct image_block **to)
{
	const struct image_function *function = s->im == im ? image_function_at(im, s->pc) : NULL;

	*cfg = function ? image_cfg(im, function) : NULL;
	*from = *cfg ? image_block_at(im, function, s->pc) : NULL;
	*to = *cfg ? image_block_at(im, function, place) : NULL;
	return *from && *to;
}

/* Can control still come to the place in this call and, in a loop, in this round? */
static bool lies_ahead(const struct standing *s, const struct image *im, uint64_t place)
{
	const struct image_block *from, *to;
	const struct image_cfg *cfg;
	g_autofree bool *heads = NULL;

	if (!find_blocks_of_call(s, im, place, &cfg, &from, &to))
		return false;
	if (from == to && (s->is_in_call ? place > s->pc : place >= s->pc))
		return true;
	heads = image_round_heads(cfg, from->id, to->id);
	return image_leads_to(cfg, from->id, to->id, heads);
}

GArray *cause_standings(struct finder *f, const struct call *call)
{
	GArray *all = g_array_new(FALSE, FALSE, sizeof(struct standing));
	uint64_t most = reverse_index_limits(f->index)->line_calls;
	struct standing s;
	bool more = find_standing(f, &s) && (!call || call->end == s.before);

	while (more && all->len < most) {
		if (!call || s.depth == call->depth)
			g_array_append_val(all, s);
		more = (!call || s.depth > call->depth) && stand_outside(f, &s);
	}
	return all;
}

char *cause_where_before(const GArray *standings, const struct image *im, uint64_t place)
{
	const struct image_statement *at;
	const struct image_row *row;
	const struct standing *s = NULL;
	g_autofree char *file = NULL;

	for (guint i = 0; !s && i < standings->len; i++) {
		s = &g_array_index(standings, struct standing, i);
		if (!lies_ahead(s, im, place))
			s = NULL;
	}
	row = s ? image_row_at(s->im, s->pc) : NULL;
	at = row ? image_statement(s->im, row->statement) : NULL;
	if (at)
		file = g_path_get_basename(at->file);
	return at  ? g_strdup_printf("%s:%u", file, at->line)
	       : s ? g_strdup(image_function_at(s->im, s->pc)->name)
		   : NULL;
}

/* The last time that a round began. */
static uint64_t round_began(struct finder *f, const struct image_cfg *cfg, const bool *heads,
			    uint64_t bias, const struct call *call)
{
	g_autoptr(GArray) pcs = g_array_new(FALSE, FALSE, sizeof(uint64_t));

	for (uint32_t i = 0; i < cfg->n_blocks; i++) {
		uint64_t pc = cfg->blocks[i].lo + bias;

		if (heads[i])
			g_array_append_val(pcs, pc);
	}
	return cause_last_step(f, call, (const uint64_t *)(const void *)pcs->data, pcs->len);
}

bool cause_find_round(struct finder *f, const struct stop *line, uint64_t bias,
		      const struct call *call, struct call *round)
{
	struct standing s;

	for (guint i = 0; find_standing(f, &s) && i < line->places->len; i++) {
		uint64_t place = g_array_index(line->places, uint64_t, i), first;
		const struct image_block *from, *to;
		const struct image_cfg *cfg;
		g_autofree bool *heads = NULL;

		if (s.depth == call->depth &&
		    find_blocks_of_call(&s, line->image, place, &cfg, &from, &to))
			heads = image_round_heads(cfg, from->id, to->id);
		first = heads ? round_began(f, cfg, heads, bias, call) : UINT64_MAX;
		*round = (struct call){ first, call->end, call->depth };
		if (first != UINT64_MAX)
			return true;
	}
	return false;
}

bool cause_find_open_call(struct finder *f, const struct image_function *function, uint64_t bias,
			  struct call *out)
{
	struct reverse_index_step first;
	struct standing s;
	uint64_t outside;

	if (!find_standing(f, &s))
		return false;
	outside = last_outside(f, s.before, s.depth);
	*out = (struct call){ outside == UINT64_MAX ? 0 : outside + 1, s.before, s.depth };
	if (out->first >= out->end)
		return s.pc == function->entry;
	first = *reverse_index_at(f->index, out->first);
	return reverse_index_insn_of(f->index, &first)->pc == function->entry + bias;
}

bool cause_find_call(struct finder *f, uint64_t entry, uint64_t number, uint64_t *all,
		     struct call *out)
{
	g_autoptr(GArray) firsts = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	uint64_t step = reverse_index_steps(f->index);

	while ((step = reverse_index_find_insn(f->index, 0, step, &entry, 1)) != UINT64_MAX)
		g_array_append_val(firsts, step);
	*all = firsts->len;
	if (!number || number > firsts->len)
		return false;
	*out = cause_call_from(f, g_array_index(firsts, uint64_t, firsts->len - (guint)number));
	return true;
}
