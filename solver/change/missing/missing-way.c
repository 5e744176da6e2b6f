/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/change/missing/missing-way.h"

#include "solver/change/code/code-piece-private.h"
#include "solver/image/variable/variable.h"

#include <string.h>

/* ---- the source at an instruction ---- */

static bool stands_between(const struct source *s, size_t from, size_t to, const char *word)
{
	for (size_t at = from; at < to; at++)
		if (source_has_word(s, at, word))
			return true;
	return false;
}

/* Does the statement there stand behind a label of a `switch'? */
static bool is_labelled(struct mutant_maker *x, uint64_t addr)
{
	size_t at, from;
	const struct source *s = mutant_maker_source(x, addr, &at);

	if (!s)
		return false;
	for (from = at; from && !strchr(";}", s->code[from - 1]); from--)
		;
	return stands_between(s, from, at, "case") || stands_between(s, from, at, "default");
}

/* ---- ways that lead elsewhere ---- */

/* The ways to a place from the code in front of it, and where they are to lead. */
struct detour {
	const struct image_function *function;
	uint64_t from, at; /* the code in front of the place: [from, at) */
	uint64_t to;
	const char *words;
};

static bool falls_through(const struct trace_insn *insn)
{
	return insn->flow == TRACE_FLOW_NONE || insn->flow == TRACE_FLOW_CALL ||
	       insn->flow == TRACE_FLOW_COND;
}

static bool jumps_to(const struct trace_insn *insn, uint64_t target)
{
	return (insn->flow == TRACE_FLOW_COND || insn->flow == TRACE_FLOW_JUMP) &&
	       insn->target == target;
}

/* The instruction leads to d->to where it led to d->at. */
static bool write_detour(struct code_piece *c, const struct trace_insn *insn, const uint8_t *now,
			 const struct detour *d)
{
	const uint8_t jump[] = { 0xe9 };
	uint8_t branch[] = { 0x0f, (uint8_t)(0x80 | (now[now[0] == 0x0f] & 15)) };

	if (!jumps_to(insn, d->at))
		return code_piece_insns(c, now, insn->length, insn->addr) &&
		       code_piece_jump(c, jump, sizeof jump, d->to);
	return insn->flow == TRACE_FLOW_JUMP ? code_piece_jump(c, jump, sizeof jump, d->to)
					     : code_piece_jump(c, branch, sizeof branch, d->to);
}

/* One instruction of the detour; before: those that lead elsewhere already. */
static struct mutant *add_detour_insn(struct mutant_maker *x, const struct trace_insn *insn,
				      const struct detour *d, const struct mutant *before)
{
	struct code_piece *piece = mutant_maker_piece(x);
	struct mutant *made = mutant_maker_mutant(x);
	size_t avail = 0;
	const uint8_t *now = image_bytes(x->im, insn->addr, &avail);

	*made = (struct mutant){ .kind = MUTANT_MISSING,
				 .addr = insn->addr,
				 .length = insn->length,
				 .piece = piece,
				 .words = d->words,
				 .also = before };
	return now && avail >= insn->length && write_detour(piece, insn, now, d) ? made : NULL;
}

/* All ways from there, but those of a `switch', which knows where it leads. */
static void add_detour(struct mutant_maker *x, const struct detour *d, GArray *all)
{
	const struct trace_insn *insn = image_insn_at(x->im, d->from);
	struct mutant *made = NULL;

	for (; insn && insn->addr < d->at; insn = image_insn_at(x->im, insn->addr + insn->length)) {
		bool is_last = insn->addr + insn->length == d->at && falls_through(insn);

		if ((!is_last && !jumps_to(insn, d->at)) ||
		    mutant_maker_line_begins(x, insn->addr, "switch"))
			continue;
		made = add_detour_insn(x, insn, d, made);
		if (!made)
			return;
	}
	if (made)
		g_array_append_val(all, *made);
}

/* ---- `break' ---- */

static bool is_break(struct mutant_maker *x, uint64_t addr)
{
	size_t at;
	const struct source *s = mutant_maker_source(x, addr, &at);

	return (s && source_has_word(s, at, "break")) || mutant_maker_line_begins(x, addr, "break");
}

/* Where the next `break' behind a place leads, or the last one in front of it. */
static uint64_t end_of_switch(struct mutant_maker *x, const struct image_function *f,
			      uint64_t place)
{
	const struct trace_insn *insn = image_insn_at(x->im, f->lo);
	uint64_t found = 0;

	for (; insn && insn->addr < f->hi; insn = image_insn_at(x->im, insn->addr + insn->length)) {
		if (insn->flow != TRACE_FLOW_JUMP || insn->target <= place ||
		    insn->target >= f->hi || !is_break(x, insn->addr))
			continue;
		found = insn->target;
		if (insn->addr >= place)
			break;
	}
	return found;
}

static const struct trace_insn *insn_before(const struct image *im, uint64_t from, uint64_t at)
{
	const struct trace_insn *insn = image_insn_at(im, from);

	while (insn && insn->addr + insn->length < at)
		insn = image_insn_at(im, insn->addr + insn->length);
	return insn && insn->addr + insn->length == at ? insn : NULL;
}

static unsigned line_of_address(const struct image *im, uint64_t addr)
{
	const struct image_row *row = image_row_at(im, addr);

	return row ? image_statement(im, row->statement)->line : 0;
}

/* The statement in front of the place, which control comes to from another one. */
static const char *behind_another(struct mutant_maker *x, const struct image_function *f,
				  uint64_t place)
{
	const struct trace_insn *before = insn_before(x->im, f->lo, place);
	g_autofree char *words = g_strdup_printf("`break' put behind line %u",
						 before ? line_of_address(x->im, before->addr) : 0);

	return before ? g_string_chunk_insert_const(x->words, words) : NULL;
}

/* Control goes from the line to the next label of a `switch': at its end, or where another branch
 * of an `if' follows. */
static void add_break(struct mutant_maker *x, const struct image_function *f,
		      const struct trace_insn *last, GArray *all)
{
	struct detour d = { .function = f, .from = f->lo, .words = "`break' put behind it" };
	const bool jumps =
		last->flow == TRACE_FLOW_JUMP && !mutant_maker_line_begins(x, last->addr, "switch");

	d.at = jumps ? last->target : last->addr + last->length;
	if ((!jumps && !falls_through(last)) || d.at >= f->hi || d.at <= last->addr ||
	    !is_labelled(x, d.at))
		return;
	d.to = end_of_switch(x, f, d.at);
	if (jumps)
		d.words = is_break(x, last->addr) ? NULL : behind_another(x, f, d.at);
	if (d.to && d.words)
		add_detour(x, &d, all);
}

/* Is control led around the instruction, to the one behind it, by a condition behind this place? So
 * it ends what an `if' executes. */
static bool ends_branch(const struct image *im, uint64_t from, const struct trace_insn *last)
{
	const struct trace_insn *insn = image_insn_at(im, from);

	for (; insn && insn->addr < last->addr; insn = image_insn_at(im, insn->addr + insn->length))
		if (insn->flow == TRACE_FLOW_COND && insn->target == last->addr + last->length)
			return true;
	return false;
}

static bool opens_switch(const struct source *s, size_t brace)
{
	size_t end = source_end_before(s, brace), from;

	if (!end || s->code[end - 1] != ')')
		return false;
	from = source_opening(s, end - 1);
	from = from == SIZE_MAX ? 0 : source_end_before(s, from);
	return from >= strlen("switch") && source_has_word(s, from - strlen("switch"), "switch");
}

/* Is it the `switch' in the loop that a `break' would leave? */
static bool is_in_switch(struct mutant_maker *x, uint64_t loop, uint64_t place)
{
	size_t at, from;
	const struct source *s = mutant_maker_source(x, place, &at);

	if (!s || mutant_maker_source(x, loop, &from) != s)
		return true;
	for (at = source_brace_around(s, at); at != SIZE_MAX && at > from;
	     at = source_brace_around(s, at))
		if (opens_switch(s, at))
			return true;
	return false;
}

/* The jump back at the end of the innermost loop around a place. */
static const struct trace_insn *loop_around(struct mutant_maker *x, const struct image_function *f,
					    uint64_t place)
{
	const struct trace_insn *insn = image_insn_at(x->im, f->lo), *found = NULL;

	for (; insn && insn->addr < f->hi; insn = image_insn_at(x->im, insn->addr + insn->length))
		if ((insn->flow == TRACE_FLOW_COND || insn->flow == TRACE_FLOW_JUMP) &&
		    insn->target <= place && insn->target >= f->lo && insn->addr > place &&
		    (!found || insn->target >= found->target))
			found = insn;
	if (!found || found->addr + found->length >= f->hi ||
	    (!mutant_maker_line_begins(x, found->addr, "for") &&
	     !mutant_maker_line_begins(x, found->addr, "while")))
		return NULL;
	return found;
}

uint64_t missing_way_behind_loop(struct mutant_maker *x, const struct image_function *f,
				 uint64_t place)
{
	const struct trace_insn *loop = loop_around(x, f, place);
	const struct trace_insn *behind =
		loop ? image_insn_at(x->im, loop->addr + loop->length) : NULL;

	/* over what a `break' leads to, which comes there, too */
	if (behind && behind->flow == TRACE_FLOW_JUMP && behind->target > behind->addr &&
	    behind->target < f->hi)
		return behind->target;
	return behind ? behind->addr : 0;
}

/* A loop that counts, sums up or collects, and that is in no other loop, is not left with the
 * first. */
static bool counts_in_loop(struct mutant_maker *x, const struct image_function *f,
			   const struct trace_insn *loop, uint64_t place)
{
	g_autofree char *line = mutant_maker_line(x, place);

	return line && !loop_around(x, f, loop->addr + loop->length) &&
	       g_regex_match_simple("(?<![\\w>.])\\w+\\s*(\\+\\+|--|[-+*]=)|(\\+\\+|--)\\w+\\s*;",
				    line, 0, 0);
}

/* Does it jump over the `else' of the branch that ends there, within the loop? */
static bool jumps_over_else(struct mutant_maker *x, const struct trace_insn *loop,
			    const struct trace_insn *last)
{
	static const char *const words[] = { "break", "continue", "goto", "switch", "return" };
	bool leaves = is_break(x, last->addr);

	for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
		leaves |= mutant_maker_line_begins(x, last->addr, words[i]);
	return !leaves && last->flow == TRACE_FLOW_JUMP && last->target > last->addr &&
	       last->target <= loop->addr;
}

/* The line is the last that an `if' in a loop executes. */
static void add_break_of_loop(struct mutant_maker *x, const struct image_function *f,
			      const struct trace_insn *last, GArray *all)
{
	struct detour d = { f, last->addr, last->addr + last->length, 0, "`break' put behind it" };
	const struct trace_insn *loop = loop_around(x, f, last->addr);
	const struct mutant *made;

	if (!loop || is_in_switch(x, loop->addr, last->addr) ||
	    counts_in_loop(x, f, loop, last->addr))
		return;
	d.to = loop->addr + loop->length;
	if (jumps_over_else(x, loop, last)) {
		d.at = last->target;
		made = add_detour_insn(x, last, &d, NULL);
		if (made)
			g_array_append_vals(all, made, 1);
	} else if ((last->flow == TRACE_FLOW_NONE || last->flow == TRACE_FLOW_CALL) &&
		   ends_branch(x->im, loop->target, last)) {
		add_detour(x, &d, all);
	}
}

/* ---- `return' ---- */

/* Where the code of the function's last brace begins; 0 = it is not known. */
static uint64_t last_brace(const struct image *im, const struct image_function *f)
{
	const struct trace_insn *insn = image_insn_at(im, f->lo);
	const struct image_row *row = NULL;

	for (; insn && insn->addr < f->hi; insn = image_insn_at(im, insn->addr + insn->length))
		if (insn->flow == TRACE_FLOW_RET)
			row = image_row_at(im, insn->addr);
	return row && image_row_begins_with(im, row, '}') ? row->lo : 0;
}

/* The line is the last that an `if' executes, in a function that returns nothing, and other
 * statements follow. */
static void add_return(struct mutant_maker *x, const struct image_function *f,
		       const struct trace_insn *last, GArray *all)
{
	struct detour d = { f, last->addr, last->addr + last->length, last_brace(x->im, f),
			    "`return' put behind it" };
	const struct image_row *next = image_row_at(x->im, d.at);

	if (image_return_type(x->im, f) || !d.to || d.at >= d.to || !next ||
	    image_row_begins_with(x->im, next, '}') ||
	    (last->flow != TRACE_FLOW_NONE && last->flow != TRACE_FLOW_CALL) ||
	    loop_around(x, f, last->addr) || !ends_branch(x->im, f->lo, last))
		return;
	add_detour(x, &d, all);
}

/* ---- `while' and `else' ---- */

/* The code that an `if' executes when its conditions hold. */
struct body {
	uint64_t from, end; /* where control goes when they do not */
};

static bool find_body(const struct image *im, const struct image_function *f, const GArray *addrs,
		      struct body *out)
{
	*out = (struct body){ 0 };
	for (guint i = 0; i < addrs->len; i++) {
		const struct trace_insn *insn =
			image_insn_at(im, g_array_index(addrs, uint64_t, i));

		if (insn->flow == TRACE_FLOW_COND && insn->target > insn->addr &&
		    insn->target < f->hi && insn->target >= out->end)
			*out = (struct body){ insn->addr + insn->length, insn->target };
	}
	return out->end > out->from;
}

static void add_while(struct mutant_maker *x, const struct image_function *f, uint64_t condition,
		      const struct body *body, GArray *all)
{
	const struct trace_insn *last = insn_before(x->im, body->from, body->end);
	const struct detour d = { f, body->from, body->end, condition, "`while' for `if'" };

	/* an `else' is jumped over */
	if (last && falls_through(last))
		add_detour(x, &d, all);
}

/* The outermost `if' that the one with this condition stands behind: where its body begins; 0 =
 * none. */
static uint64_t body_before(struct mutant_maker *x, const struct image_function *f,
			    uint64_t condition)
{
	const struct trace_insn *insn = image_insn_at(x->im, f->lo);
	uint64_t from = 0;
	unsigned line = 0;

	for (; insn && insn->addr < condition;
	     insn = image_insn_at(x->im, insn->addr + insn->length)) {
		if (insn->flow != TRACE_FLOW_COND || insn->target != condition ||
		    (line ? line_of_address(x->im, insn->addr) != line
			  : !mutant_maker_line_begins(x, insn->addr, "if")))
			continue;
		line = line_of_address(x->im, insn->addr);
		from = insn->addr + insn->length;
	}
	return from;
}

static void add_else(struct mutant_maker *x, const struct image_function *f, uint64_t condition,
		     const struct body *body, GArray *all)
{
	const struct trace_insn *last = insn_before(x->im, body->from, body->end);
	struct detour d = { f, body_before(x, f, condition), condition, body->end,
			    "`else' put before it" };

	if (last && last->flow == TRACE_FLOW_JUMP && last->target > body->end)
		d.to = last->target; /* it has an `else' of its own */
	if (d.from && last)
		add_detour(x, &d, all);
}

static void add_of_if(struct mutant_maker *x, const struct image_function *f, const GArray *addrs,
		      GArray *all)
{
	uint64_t condition = g_array_index(addrs, uint64_t, 0);
	struct body body;

	if (!mutant_maker_line_begins(x, condition, "if") || !find_body(x->im, f, addrs, &body))
		return;
	add_while(x, f, condition, &body, all);
	add_else(x, f, condition, &body, all);
}

/* ---- */

void missing_ways_of_line(struct mutant_maker *x, const struct image_function *f,
			  const GArray *addrs, GArray *all)
{
	const uint64_t last = g_array_index(addrs, uint64_t, addrs->len - 1);

	add_of_if(x, f, addrs, all);
	add_break(x, f, image_insn_at(x->im, last), all);
	add_break_of_loop(x, f, image_insn_at(x->im, last), all);
	add_return(x, f, image_insn_at(x->im, last), all);
}
