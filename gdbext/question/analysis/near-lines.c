/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/question/analysis/near-lines.h"

#include "gdbext/question/notes.h"
#include "gdbext/question/wrong-output.h"
#include "solver/source/failing-lines.h"
#include "solver/search/nearby.h"
#include "solver/slice/handed.h"
#include "solver/slice/missing.h"

struct gathering {
	const struct question *q;
	GArray *lines;		 /* struct near_line */
	GHashTable *seen;	 /* const struct image_statement *, compared by line */
	GHashTable *failing;	 /* lines that report a failure: failing-lines.h */
	GHashTable *called_back; /* names of functions, not owned */
	GHashTable *handing_on;	 /* const struct image_statement *, compared by line */
	GArray *last;		 /* struct slice_instance: where a text is missing */
	guint next;		 /* of .last */
	bool is_sliced;		 /* the slice ended before near_instances */
	uint32_t newest;	 /* trace_point_turn of the slice's newest instruction */
	unsigned most;
};

/* A line of the slice. */
struct sliced {
	struct near_line line;
	uint64_t latest; /* step of its instances */
	uint64_t addr;	 /* of an instruction of it */
	uint32_t turn;	 /* of its newest instruction: trace_point_turn */
};

/* NULL = none that may be at fault. */
static const struct image_statement *faulty_statement_at(const struct gathering *g,
							 const struct image *im, uint64_t addr)
{
	const struct image_row *row = image_row_at(im, addr);
	const struct image_statement *s = row ? image_statement(im, row->statement) : NULL;

	return !s || row->prologue || !s->file || !s->line || image_is_of_system(s->file) ||
			       failing_lines_has(g->failing, s) ||
			       failing_lines_has(g->q->requirement->reporting, s)
		       ? NULL
		       : s;
}

static void take_near_line(struct gathering *g, const struct near_line *line)
{
	if (g->lines->len < g->most && g_hash_table_add(g->seen, (gpointer)line->statement))
		g_array_append_vals(g->lines, line, 1);
}

static void add_near_line(struct gathering *g, const struct image *im, uint64_t addr,
			  unsigned distance, bool is_elsewhere)
{
	const struct near_line line = { .statement = faulty_statement_at(g, im, addr),
					.distance = distance,
					.is_elsewhere = is_elsewhere };

	if (line.statement)
		take_near_line(g, &line);
}

static void note_called_back(struct gathering *g, const struct slice_instance *i)
{
	const struct image_row *row = image_row_at(i->module->image, i->insn->addr);

	if (i->called_back && row)
		g_hash_table_add(
			g->called_back,
			(gpointer)image_statement(i->module->image, row->statement)->function);
}

/* Where a text is missing, any decision before that may be the reason. */
static void look_for_last_decisions(struct gathering *g)
{
	const struct limits *l = &g->q->o->limits;

	if (wrong_output_start(g->q).lacks_text)
		slice_last_decisions(g->q->index, l->nearby_last, l->nearby_last_insns, g->last);
}

/* The next of them in a line that is not known yet. */
static bool take_last_decision(struct gathering *g)
{
	const guint n = g->lines->len;

	while (g->next < g->last->len && g->lines->len == n) {
		const struct slice_instance *i =
			&g_array_index(g->last, struct slice_instance, g->next++);

		if (i->module->image == g->q->run.images[0])
			add_near_line(g, i->module->image, i->insn->addr, i->distance, false);
	}
	return g->lines->len > n;
}

/* step: that executed the instruction. */
static void note_near_line(struct gathering *g, const struct image *im,
			   const struct trace_insn *insn, uint64_t step, unsigned distance,
			   GHashTable *known, GArray *lines)
{
	const bool is_own = im == g->q->run.images[0];
	const struct sliced fresh = {
		.line.statement = is_own ? faulty_statement_at(g, im, insn->addr) : NULL,
		.line.distance = distance,
		.latest = step,
		.addr = insn->addr,
		.turn = trace_point_turn(g->q->point, im, insn),
	};
	guint number;

	if (!fresh.line.statement)
		return;
	g->newest = MAX(g->newest, fresh.turn);
	number = GPOINTER_TO_UINT(g_hash_table_lookup(known, fresh.line.statement));
	if (number) {
		struct sliced *s = &g_array_index(lines, struct sliced, number - 1);

		s->latest = MAX(s->latest, step);
		s->turn = MAX(s->turn, fresh.turn);
		return;
	}
	g_array_append_val(lines, fresh);
	g_hash_table_insert(known, (gpointer)fresh.line.statement, GUINT_TO_POINTER(lines->len));
}

static void note_near_instance(struct gathering *g, const struct slice_instance *i,
			       GHashTable *known, GArray *lines)
{
	struct reverse_index *index = g->q->index;

	note_near_line(g, i->module->image, i->insn, i->step, i->distance, known, lines);
	for (uint64_t at = handed_by_call(index, i, i->step); at != UINT64_MAX;
	     at = handed_by_call(index, i, at)) {
		const struct reverse_index_step call = *reverse_index_at(index, at);
		const struct reverse_index_insn *info = reverse_index_insn_of(index, &call);

		const struct image_row *row = image_row_at(info->module->image, info->insn->addr);

		note_near_line(g, info->module->image, info->insn, at, i->distance, known, lines);
		if (row)
			g_hash_table_add(
				g->handing_on,
				(gpointer)image_statement(info->module->image, row->statement));
	}
}

/* What the failure depends on; thin: only where its value came from. */
static struct slice *slice_of_failure(const struct question *q, bool thin)
{
	const struct wrong_output_start start = wrong_output_start(q);
	const GArray *missing = start.missing;
	const struct nearby_options options = {
		.point = q->point,
		.index = q->index,
		.requirement = q->requirement,
		.before = start.known,
		.place = start.has_place ? &start.place : NULL,
		.place_is_text = start.is_text,
		.limits = &q->o->limits,
		.missing = missing ? &g_array_index(missing, uint64_t, 0) : NULL,
		.n_missing = missing ? missing->len : 0,
		.thin = thin
	};

	return nearby_slice(&options);
}

/* struct sliced, nearest first.  *whole: the slice has no more; may be NULL.  The slice is freed.
 */
static GArray *lines_of_slice(struct gathering *g, struct slice *slice, bool *whole)
{
	const struct question *q = g->q;
	GHashTable *known = g_hash_table_new(image_line_hash, image_line_equal);
	GArray *lines = g_array_new(FALSE, FALSE, sizeof(struct sliced));
	const struct slice_instance *i = NULL;
	uint64_t n;

	for (n = 0; n < q->o->limits.near_instances && !deadline_is_over(&q->until); n++) {
		i = slice_next(slice);
		if (!i)
			break;
		note_near_instance(g, i, known, lines);
		note_called_back(g, i);
	}
	if (whole)
		*whole = n > 0 && !i;
	slice_free(slice);
	g_hash_table_destroy(known);
	return lines;
}

/* branches: uint64_t, their steps, in one image. */
static GArray *lines_of_decisions(struct gathering *g, const GArray *branches)
{
	if (!branches->len)
		return g_array_new(FALSE, FALSE, sizeof(struct sliced));
	return lines_of_slice(g,
			      slice_of_decisions(g->q->index,
						 (const uint64_t *)(const void *)branches->data,
						 branches->len),
			      NULL);
}

/* What the nearest of the last decisions depend on: the slice of the failure need not have it. */
static GArray *lines_of_last_decisions(struct gathering *g)
{
	g_autoptr(GArray) steps = g_array_new(FALSE, FALSE, sizeof(uint64_t));

	for (guint i = 0; i < g->last->len && steps->len < g->q->o->limits.near_decisions; i++) {
		const struct slice_instance *at = &g_array_index(g->last, struct slice_instance, i);

		if (at->module->image == g->q->run.images[0])
			g_array_append_val(steps, at->step);
	}
	return lines_of_decisions(g, steps);
}

static gint latest_near_line_first(gconstpointer a, gconstpointer b)
{
	const struct sliced *x = *(const struct sliced *const *)a,
			    *y = *(const struct sliced *const *)b;

	return x->latest > y->latest ? -1 : x->latest < y->latest;
}

static gint newest_near_line_first(gconstpointer a, gconstpointer b)
{
	const struct sliced *x = *(const struct sliced *const *)a,
			    *y = *(const struct sliced *const *)b;

	return x->turn > y->turn ? -1 : x->turn < y->turn;
}

/* Their addresses, in this order. */
static GPtrArray *lines_sorted_by(const GArray *lines, GCompareFunc compare)
{
	GPtrArray *sorted = g_ptr_array_new();

	for (guint i = 0; i < lines->len; i++)
		g_ptr_array_add(sorted, &g_array_index(lines, struct sliced, i));
	g_ptr_array_sort(sorted, compare);
	return sorted;
}

/* Does an instruction belong to a line that stands at most so many lines from this one? */
static bool stands_beside(const struct image *im, uint64_t addr, const struct image_statement *s,
			  uint64_t lines)
{
	const struct image_row *row = image_row_at(im, addr);
	const struct image_statement *of = row ? image_statement(im, row->statement) : NULL;

	return of && g_strcmp0(of->file, s->file) == 0 && of->line + lines >= s->line &&
	       of->line <= s->line + lines;
}

/* Appends the addresses (uint64_t) of what the run executed of a function: its branches, or what
 * stands beside a line. */
static void add_executed_of(const struct gathering *g, const struct image_function *f,
			    const struct image_statement *beside, GArray *addrs)
{
	const struct image *im = g->q->run.images[0];
	const struct trace_insn *insn = image_insn_at(im, f->lo);

	for (; insn && insn->addr < f->hi; insn = image_insn_at(im, insn->addr + insn->length))
		if ((beside ? stands_beside(im, insn->addr, beside, g->q->o->limits.near_beside)
			    : insn->flow == TRACE_FLOW_COND) &&
		    trace_point_has_executed(g->q->point, im, insn))
			g_array_append_val(addrs, insn->addr);
}

/* uint64_t: addresses of branches in the functions of these lines, the nearest function first, and
 * of what stands beside the lines.  A branch that went the other way may have left undone what the
 * slice lacks, and so may a statement that stands among others which are near. */
static GArray *code_beside(const struct gathering *g, const GArray *lines)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
	GArray *addrs = g_array_new(FALSE, FALSE, sizeof(uint64_t));

	for (guint i = 0; i < lines->len; i++) {
		const struct sliced *l = &g_array_index(lines, struct sliced, i);
		const struct image_function *f = image_function_at(g->q->run.images[0], l->addr);

		if (f && g_hash_table_add(seen, (gpointer)f))
			add_executed_of(g, f, NULL, addrs);
		if (f)
			add_executed_of(g, f, l->line.statement, addrs);
	}
	return addrs;
}

/* How far a line of the slice is; 0: the slice does not have it. */
static unsigned distance_in_slice(const struct gathering *g, const GArray *lines, uint64_t addr)
{
	const struct image_row *row = image_row_at(g->q->run.images[0], addr);
	const struct image_statement *s =
		row ? image_statement(g->q->run.images[0], row->statement) : NULL;

	for (guint i = 0; s && i < lines->len; i++) {
		const struct near_line *l = &g_array_index(lines, struct sliced, i).line;

		if (image_line_equal(l->statement, s))
			return l->distance;
	}
	return 0;
}

/* The next line beside the near ones, of the slice's lines, that is not known yet. */
static void take_beside(struct gathering *g, const GArray *lines, const GArray *beside, guint *next)
{
	const guint n = g->lines->len;

	while (*next < beside->len && g->lines->len == n) {
		const uint64_t addr = g_array_index(beside, uint64_t, (*next)++);

		add_near_line(g, g->q->run.images[0], addr, distance_in_slice(g, lines, addr),
			      false);
	}
}

static void take_sliced(struct gathering *g, const GArray *lines, guint i)
{
	if (i < lines->len)
		take_near_line(g, &g_array_index(lines, struct sliced, i).line);
}

/* What depends on data that went a long way through a program is far in statements, but may have
 * been executed a moment before: the nearest lines and the latest take turns, with the code
 * beside the nearest ones, with the lines that the value itself came through, of which an
 * interpreter's decisions keep the slice from being full, and with those that decided that nothing
 * more was printed. */
static void take_slice(struct gathering *g)
{
	g_autoptr(GArray) lines = lines_of_slice(g, slice_of_failure(g->q, false), &g->is_sliced);
	g_autoptr(GArray) thin = lines_of_slice(g, slice_of_failure(g->q, true), NULL);
	g_autoptr(GArray) decided = lines_of_last_decisions(g);
	g_autoptr(GPtrArray) latest = lines_sorted_by(lines, latest_near_line_first);
	g_autoptr(GPtrArray) newest = lines_sorted_by(lines, newest_near_line_first);
	g_autoptr(GArray) beside = code_beside(g, lines);
	guint next = 0;

	for (guint i = 0; i < MAX(MAX(lines->len, thin->len), decided->len); i++) {
		take_sliced(g, lines, i);
		take_sliced(g, thin, i);
		take_sliced(g, decided, i);
		take_last_decision(g);
		if (i < latest->len)
			take_near_line(g, &((const struct sliced *)latest->pdata[i])->line);
		if (i < newest->len)
			take_near_line(g, &((const struct sliced *)newest->pdata[i])->line);
		take_beside(g, lines, beside, &next);
	}
}

struct first_time {
	uint64_t addr;
	uint32_t turn; /* trace_point_turn */
};

static gint newest_code_first(gconstpointer a, gconstpointer b)
{
	const struct first_time *x = a, *y = b;

	return x->turn > y->turn ? -1 : x->turn < y->turn;
}

/* Appends those of this time, the newest first. */
static void take_first_times(struct gathering *g, const GArray *executed, uint32_t from,
			     uint32_t until)
{
	for (guint i = 0; i < executed->len && g->lines->len < g->most; i++) {
		const struct first_time *t = &g_array_index(executed, struct first_time, i);

		if (t->turn >= from && t->turn < until)
			add_near_line(g, g->q->run.images[0], t->addr, 0, g->is_sliced);
	}
}

/* What was executed long before the failure did not fail for long.  What was executed for the first
 * time behind all that the failure depends on reports it as a rule, or cleans up. */
static void take_executed(struct gathering *g)
{
	const struct image *im = g->q->run.images[0];
	const uint32_t newest = g->newest ? g->newest : UINT32_MAX - 1;
	g_autoptr(GArray) executed = g_array_new(FALSE, FALSE, sizeof(struct first_time));
	const struct trace_insn *insns;
	const size_t n = image_insns(im, &insns);

	for (size_t i = 0; i < n; i++) {
		const struct first_time t = { insns[i].addr,
					      trace_point_turn(g->q->point, im, &insns[i]) };

		if (t.turn)
			g_array_append_val(executed, t);
	}
	g_array_sort(executed, newest_code_first);
	take_first_times(g, executed, 0, newest + 1);
	take_first_times(g, executed, newest + 1, UINT32_MAX);
}

static void begin_gathering(struct gathering *g, const struct question *q, unsigned most)
{
	*g = (struct gathering){
		.q = q,
		.lines = g_array_new(FALSE, FALSE, sizeof(struct near_line)),
		.seen = g_hash_table_new(image_line_hash, image_line_equal),
		.failing = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
		.called_back = g_hash_table_new(g_str_hash, g_str_equal),
		.handing_on = g_hash_table_new(image_line_hash, image_line_equal),
		.last = g_array_new(FALSE, FALSE, sizeof(struct slice_instance)),
		.most = most,
	};
	for (size_t i = 0; i < q->run.n_images; i++)
		failing_lines_add(g->failing, q->run.images[i]);
}

/* Returns the lines. */
static GArray *finish_gathering(struct gathering *g)
{
	for (guint i = 0; i < g->lines->len; i++) {
		struct near_line *l = &g_array_index(g->lines, struct near_line, i);

		l->is_called_back = l->statement->function &&
				    g_hash_table_contains(g->called_back, l->statement->function);
		l->is_handing_on = g_hash_table_contains(g->handing_on, l->statement);
	}
	g_array_unref(g->last);
	g_hash_table_destroy(g->called_back);
	g_hash_table_destroy(g->handing_on);
	g_hash_table_destroy(g->failing);
	g_hash_table_destroy(g->seen);
	return g->lines;
}

GArray *near_lines(const struct question *q, unsigned most)
{
	struct gathering g;

	begin_gathering(&g, q, most);
	if (q->index) {
		look_for_last_decisions(&g);
		take_slice(&g);
		while (take_last_decision(&g))
			;
	}
	take_executed(&g);
	for (guint i = 0; i < g.lines->len; i++)
		g_debug("near line %u: %s:%u", i + 1,
			g_array_index(g.lines, struct near_line, i).statement->file,
			g_array_index(g.lines, struct near_line, i).statement->line);
	return finish_gathering(&g);
}

GArray *near_lines_behind(const struct question *q, const GArray *branches, unsigned most)
{
	g_autoptr(GArray) lines = NULL;
	struct gathering g;

	begin_gathering(&g, q, most);
	if (q->index)
		lines = lines_of_decisions(&g, branches);
	for (guint i = 0; lines && i < lines->len; i++)
		take_near_line(&g, &g_array_index(lines, struct sliced, i).line);
	return finish_gathering(&g);
}

/* The condition in brackets of its own, as in `while ((c = 0))', is meant so. */
static char *assigned_in_condition(const char *text)
{
	static const char pattern[] = "\\b(?:if|while) ?\\(([\\w.>\\[\\]-]+ ?= ?-?\\w+)\\)";
	g_autoptr(GRegex) regex = g_regex_new(pattern, 0, 0, NULL);
	g_autoptr(GMatchInfo) found = NULL;

	return text && g_regex_match(regex, text, 0, &found) ? g_match_info_fetch(found, 1) : NULL;
}

/* `5 / 9 * x' is 0: the compiler leaves no division that could be changed. */
static char *divided_numbers(const char *text)
{
	static const char pattern[] = "(?<![\\w.\"'])(\\d+) ?/ ?(\\d+)(?![\\w.\"'])";
	g_autoptr(GRegex) regex = g_regex_new(pattern, 0, 0, NULL);
	g_autoptr(GMatchInfo) found = NULL;
	g_autofree char *left = NULL, *right = NULL;
	gint64 of, by;

	if (!text || !g_regex_match(regex, text, 0, &found))
		return NULL;
	left = g_match_info_fetch(found, 1);
	right = g_match_info_fetch(found, 2);
	of = g_ascii_strtoll(left, NULL, 10);
	by = g_ascii_strtoll(right, NULL, 10);
	return by && of % by ? g_strdup_printf("`%s / %s', which is %" G_GINT64_FORMAT
					       "; was `%s.0 / %s' meant?",
					       left, right, of / by, left, right)
			     : NULL;
}

/* Does the line compute with floating-point numbers? */
static bool has_real_numbers(const struct image *im, const struct image_statement *s)
{
	const struct trace_insn *insns;
	size_t n = image_insns(im, &insns);

	for (size_t i = 0; i < n; i++) {
		const struct image_row *row =
			insns[i].out_vec ? image_row_at(im, insns[i].addr) : NULL;

		if (row && image_line_equal(image_statement(im, row->statement), s))
			return true;
	}
	return false;
}

void near_lines_note(struct question *q, const GArray *lines)
{
	const struct image *im = q->run.images[0];

	for (guint i = 0; i < lines->len; i++) {
		const struct image_statement *s =
			g_array_index(lines, struct near_line, i).statement;
		const char *text = image_source_line(im, s->file, s->line);
		g_autofree char *assigned = assigned_in_condition(text);
		g_autofree char *divided = divided_numbers(text);
		g_autofree char *file = g_path_get_basename(s->file);

		if (assigned)
			notes_printf(q->e,
				     "%s:%u assigns where it seems to compare: `%s'; was "
				     "`==' meant?",
				     file, s->line, assigned);
		if (divided && has_real_numbers(im, s))
			notes_printf(q->e, "%s:%u divides whole numbers: %s", file, s->line,
				     divided);
	}
}
