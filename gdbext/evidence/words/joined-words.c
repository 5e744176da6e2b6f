/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/evidence/words/joined-words.h"

#include "solver/base/ordinal.h"
#include "solver/change/code/code-line.h"
#include "solver/source/condition-text.h"

#include <string.h>

enum { MOST_CONDITIONS = 6 };

/* Where a jump leads to: to that of another condition, from 0, or out of all of them. */
enum { LEADS_NOWHERE = -3 };

struct joint {
	const struct image *im;
	const struct limits *limits;
	const struct image_function *function;
	const struct image_statement *statement;
	const struct source *source;
	struct condition_text text;
	guint n;
	const struct trace_insn *jumps[MOST_CONDITIONS];
	uint64_t outcomes[2]; /* where control goes when all is false, or true; 0 = not known */
	int leads[MOST_CONDITIONS][2]; /* by a condition's value; CONDITION_TRUE, or another jump */
};

/* What comes of some values of the conditions. */
struct outcome {
	bool value;
	unsigned asked; /* bit k: condition k was asked */
};

/* ---- the source ---- */

struct reader {
	const struct joint *j;
	size_t at, turned; /* turned: of the operator that is read as the other one */
	unsigned values;
};

static struct outcome read_joined(struct reader *r, char sign, bool asks);

static void skip_blanks_read(struct reader *r)
{
	while (r->at < r->j->text.whole.to && g_ascii_isspace(r->j->source->code[r->at]))
		r->at++;
}

/* asks: is what is read asked, or only read over?  A false one has no value. */
static struct outcome read_condition(struct reader *r, bool asks)
{
	const GArray *atoms = r->j->text.atoms;
	struct outcome inner = { false, 0 };

	skip_blanks_read(r);
	for (guint k = 0; k < atoms->len; k++) {
		const struct source_span span = g_array_index(atoms, struct condition_atom, k).span;

		if (span.from != r->at)
			continue;
		r->at = span.to;
		if (asks)
			inner = (struct outcome){ r->values >> k & 1, 1u << k };
		return inner;
	}
	if (r->at >= r->j->text.whole.to)
		return inner;
	if (r->j->source->code[r->at++] == '!') {
		inner = read_condition(r, asks);
		inner.value = !inner.value;
		return inner;
	}
	inner = read_joined(r, '|', asks);
	skip_blanks_read(r);
	r->at++; /* the bracket */
	return inner;
}

/* The sign of the operator at the place that is read; 0 = none is there. */
static char operator_read(struct reader *r)
{
	const char *at;

	skip_blanks_read(r);
	at = r->j->source->code + r->at;
	if (r->at + 1 >= r->j->text.whole.to || at[0] != at[1] || (*at != '&' && *at != '|'))
		return 0;
	if (r->at == r->turned)
		return *at == '&' ? '|' : '&';
	return *at;
}

/* What `||', or `&&', joins. */
static struct outcome read_joined(struct reader *r, char sign, bool asks)
{
	struct outcome left = sign == '|' ? read_joined(r, '&', asks) : read_condition(r, asks);

	while (operator_read(r) == sign) {
		const bool goes_on = asks && left.value == (sign == '&');
		struct outcome right;

		r->at += 2;
		right = sign == '|' ? read_joined(r, '&', goes_on) : read_condition(r, goes_on);
		if (goes_on)
			left.value = right.value;
		left.asked |= right.asked;
	}
	return left;
}

static struct outcome outcome_of_source(const struct joint *j, unsigned values, size_t turned)
{
	struct reader r = { .j = j, .at = j->text.whole.from, .turned = turned, .values = values };

	return read_joined(&r, '|', true);
}

/* ---- the code ---- */

static bool find_condition(struct joint *j, struct sources *sources, uint64_t addr, size_t *at)
{
	j->function = image_function_at(j->im, addr);
	j->statement = code_statement_at(j->im, addr);
	j->source = j->statement ? sources_get(sources, j->statement->file) : NULL;
	return j->function && j->source &&
	       source_place(j->source, j->statement->line, j->statement->column, at) &&
	       condition_text_find(j->source, *at, &j->text);
}

/* A jump for each condition; false: there are others. */
static bool find_jumps_of_joint(struct joint *j)
{
	const struct trace_insn *all;
	const size_t n = image_insns(j->im, &all);
	const struct trace_insn *insn = image_insn_at(j->im, j->function->lo);

	for (; insn && insn < all + n && insn->addr < j->function->hi; insn++) {
		const struct image_statement *s =
			insn->flow == TRACE_FLOW_COND ? code_statement_at(j->im, insn->addr) : NULL;
		size_t at;

		if (!s || strcmp(s->file, j->statement->file) != 0 ||
		    !source_place(j->source, s->line, s->column, &at) ||
		    !condition_text_covers(&j->text, at))
			continue;
		if (j->n == j->text.atoms->len)
			return false;
		j->jumps[j->n++] = insn;
	}
	return j->n == j->text.atoms->len;
}

/* The place behind jumps that always jump. */
static uint64_t place_led_to(const struct joint *j, uint64_t at)
{
	const struct trace_insn *insn = image_insn_at(j->im, at);

	for (uint64_t i = 0;
	     insn && insn->flow == TRACE_FLOW_JUMP && i < j->limits->condition_reach; i++) {
		at = insn->target;
		insn = image_insn_at(j->im, at);
	}
	return at;
}

/* The jump of a later condition that straight code leads to from there, LEADS_NOWHERE: to none. */
static int later_jump(const struct joint *j, guint k, uint64_t at)
{
	for (uint64_t i = 0; i < j->limits->condition_reach; i++) {
		const struct trace_insn *insn = image_insn_at(j->im, at);

		if (!insn)
			return LEADS_NOWHERE;
		for (guint other = k + 1; other < j->n; other++)
			if (insn == j->jumps[other])
				return (int)other;
		if (insn->flow == TRACE_FLOW_NONE || insn->flow == TRACE_FLOW_CALL ||
		    insn->flow == TRACE_FLOW_CALL_IND)
			at += insn->length;
		else if (insn->flow == TRACE_FLOW_JUMP)
			at = insn->target;
		else
			return LEADS_NOWHERE;
	}
	return LEADS_NOWHERE;
}

/* Where control goes from jump k at a place: as .leads. */
static int lead_of_jump(const struct joint *j, guint k, uint64_t at)
{
	const uint64_t place = place_led_to(j, at);

	if (place == j->outcomes[1])
		return CONDITION_TRUE;
	if (place == j->outcomes[0])
		return CONDITION_FALSE;
	return later_jump(j, k, at);
}

static uint64_t side_of_joint(const struct trace_insn *jump, bool taken)
{
	return taken ? jump->target : jump->addr + jump->length;
}

/* Where control goes when the whole condition is true, and when it is false: a jump that does not
 * decide the last condition has one side that leads to another one. */
static void find_outcomes(struct joint *j)
{
	for (guint k = 0; k + 1 < j->n; k++) {
		const struct condition_atom *atom =
			&g_array_index(j->text.atoms, struct condition_atom, k);
		const int out = atom->if_true < 0 ? atom->if_true : atom->if_false;

		for (int taken = 0; taken < 2 && out < 0; taken++) {
			const uint64_t side = side_of_joint(j->jumps[k], taken);

			if (later_jump(j, k, side) == LEADS_NOWHERE)
				j->outcomes[out == CONDITION_TRUE] = place_led_to(j, side);
		}
	}
	for (int taken = 0; taken < 2; taken++)
		for (int value = 0; value < 2; value++)
			if (!j->outcomes[!value] && j->outcomes[value] &&
			    place_led_to(j, side_of_joint(j->jumps[j->n - 1], taken)) ==
				    j->outcomes[value])
				j->outcomes[!value] =
					place_led_to(j, side_of_joint(j->jumps[j->n - 1], !taken));
}

/* For each jump, which side is that of a true condition; false: it is not known. */
static bool find_leads(struct joint *j)
{
	for (guint k = 0; k < j->n; k++) {
		const struct condition_atom *atom =
			&g_array_index(j->text.atoms, struct condition_atom, k);
		const int taken = lead_of_jump(j, k, side_of_joint(j->jumps[k], true)),
			  next = lead_of_jump(j, k, side_of_joint(j->jumps[k], false));
		const bool is_true = taken == atom->if_true && next == atom->if_false;

		if (!is_true && (taken != atom->if_false || next != atom->if_true))
			return false;
		j->leads[k][1] = atom->if_true;
		j->leads[k][0] = atom->if_false;
	}
	return true;
}

/* Where the changed jump goes when it is taken. */
static uint64_t target_of_mutant(const struct mutant *m)
{
	int32_t far;

	if (m->link_to)
		return m->link_to;
	if (m->size == 2)
		return m->addr + m->length + (uint64_t)(int64_t)(int8_t)m->bytes[1];
	memcpy(&far, m->bytes + 2, sizeof far);
	return m->addr + m->length + (uint64_t)(int64_t)far;
}

/* The leads with the changed jump; false: it is none of the condition's. */
static bool change_leads(struct joint *j, const struct mutant *m)
{
	for (guint k = 0; k < j->n; k++) {
		const struct trace_insn *jump = j->jumps[k];
		const unsigned code = m->bytes[m->bytes[0] == 0x0f] & 15;
		const bool is_turned = code != jump->cond,
			   is_true = lead_of_jump(j, k, jump->target) == j->leads[k][1];

		if (jump->addr != m->addr)
			continue;
		/* the changed jump is taken where the old one was, or, turned, where it was not */
		j->leads[k][is_true != is_turned] = lead_of_jump(j, k, target_of_mutant(m));
		j->leads[k][is_true == is_turned] = lead_of_jump(j, k, side_of_joint(jump, false));
		return (code | 1) == (jump->cond | 1);
	}
	return false;
}

/* False: control is lost. */
static bool outcome_of_code(const struct joint *j, unsigned values, struct outcome *out)
{
	int at = 0;

	*out = (struct outcome){ 0 };
	while (at >= 0) {
		out->asked |= 1u << at;
		at = j->leads[at][values >> at & 1];
	}
	out->value = at == CONDITION_TRUE;
	return at != LEADS_NOWHERE;
}

static bool does_same(const struct joint *j, size_t turned)
{
	for (unsigned values = 0; values < 1u << j->n; values++) {
		const struct outcome written = outcome_of_source(j, values, turned);
		struct outcome made;

		if (!outcome_of_code(j, values, &made) || made.value != written.value ||
		    made.asked != written.asked)
			return false;
	}
	return true;
}

/* ---- the words ---- */

/* The operator's number among those of its kind in the condition, from 1; *all: how many there are.
 */
static unsigned number_of_operator(const struct joint *j, size_t at, unsigned *all)
{
	const char *code = j->source->code;
	unsigned number = 0;

	*all = 0;
	for (size_t i = j->text.whole.from; i + 1 < j->text.whole.to; i++) {
		if (code[i] != code[at] || code[i + 1] != code[at])
			continue;
		++*all;
		number += i <= at;
		i++;
	}
	return number;
}

/* How often the lines of the condition have the operator. */
static unsigned times_in_lines(const struct joint *j, char sign)
{
	const char pair[] = { sign, sign, 0 };
	unsigned first, last, n = 0;

	code_condition_lines(j->im, j->statement->file, j->statement->line, &first, &last);
	for (unsigned line = first; line <= last; line++) {
		const char *at = image_source_line(j->im, j->statement->file, line);

		while (at && (at = strstr(at, pair))) {
			n++;
			at += strlen(pair);
		}
	}
	return n;
}

/* NULL: it cannot be said which operator of the lines it is. */
static char *words_of_other_joint(const struct joint *j, size_t at)
{
	const char sign = j->source->code[at], other = sign == '&' ? '|' : '&';
	unsigned all, number = number_of_operator(j, at, &all);

	if (times_in_lines(j, sign) != all)
		return NULL;
	if (all == 1)
		return g_strdup_printf("`%c%c' for `%c%c'", other, other, sign, sign);
	return g_strdup_printf("`%c%c' for the %u%s `%c%c'", other, other, number,
			       ordinal_ending(number), sign, sign);
}

static char *words_of_joint(struct joint *j, const struct mutant *mutant)
{
	char *words = NULL;

	if (j->text.atoms->len < 2 || j->text.atoms->len > MOST_CONDITIONS ||
	    !find_jumps_of_joint(j))
		return NULL;
	find_outcomes(j);
	if (!j->outcomes[0] || !j->outcomes[1] || !find_leads(j) || !does_same(j, SIZE_MAX) ||
	    !change_leads(j, mutant))
		return NULL;
	for (size_t at = j->text.whole.from; !words && at + 1 < j->text.whole.to; at++) {
		const char *code = j->source->code + at;

		if ((*code != '&' && *code != '|') || code[1] != *code)
			continue;
		if (does_same(j, at))
			words = words_of_other_joint(j, at);
		at++;
	}
	return words;
}

char *joined_words(const struct image *im, struct sources *sources, const struct limits *limits,
		   const struct mutant *mutant)
{
	struct joint j = { .im = im, .limits = limits_or_default(limits) };
	char *words = NULL;
	size_t at;

	if (mutant->kind != MUTANT_BRANCH || mutant->from != 1)
		return NULL;
	if (find_condition(&j, sources, mutant->addr, &at)) {
		words = words_of_joint(&j, mutant);
		condition_text_clear(&j.text);
	}
	return words;
}
