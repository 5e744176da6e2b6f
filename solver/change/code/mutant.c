/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a mutant costs, and how it gets into the program. */
#include "solver/change/code/code-piece.h"

#include <string.h>

static void append_one(const struct mutant *m, GArray *actions)
{
	struct code_piece piece = { 0 };
	struct trace_action a = {
		.kind = TRACE_ACTION_CODE, .addr = m->addr, .where = m->length, .size = m->size
	};

	if (m->piece && m->piece->in_place) {
		code_piece_actions(m->piece, m->addr, m->length, actions);
		return;
	}
	if ((m->piece || m->link_to) && code_piece_mutant(&piece, m)) {
		code_piece_actions(&piece, m->addr, m->length, actions);
		return;
	}
	memcpy(a.value, m->bytes, m->size);
	g_array_append_val(actions, a);
}

void mutant_actions(const struct mutant *m, GArray *actions)
{
	for (; m; m = m->also)
		append_one(m, actions);
}

bool mutant_turns_case(const struct mutant *m)
{
	return m->kind == MUTANT_CONSTANT && (m->from ^ m->to) == ('a' ^ 'A') && m->from > 0 &&
	       m->from < 0x80 && g_ascii_isalpha((char)m->from);
}

/* Who errs by one has counted, and nobody counts that far. */
static bool is_round(int64_t n, const struct limits *l)
{
	return n % 10 == 0 && (n < 0 ? -(uint64_t)n : (uint64_t)n) >= l->slip_round;
}

static uint64_t effort_of_constant(const struct mutant *m, const struct limits *l)
{
	uint64_t apart = m->to > m->from ? (uint64_t)m->to - (uint64_t)m->from
					 : (uint64_t)m->from - (uint64_t)m->to;

	if (m->to < 0 && m->from >= 0)
		return apart == 1 ? l->slip_by_two : l->slip_by_more;
	if (apart == 1)
		return is_round(m->from, l) ? l->slip_by_more : l->slip_by_one;
	if (apart == 2 || m->nearness == MUTANT_SEEN_VALUE || !m->to || m->to == 1 ||
	    mutant_turns_case(m))
		return l->slip_by_two;
	return l->slip_by_more;
}

static bool is_equality(int64_t code)
{
	return code == 4 || code == 5;
}

/* `<' and `>' for each other, by their condition codes, signed and unsigned. */
static bool is_turned(int64_t a, int64_t b)
{
	return (a ^ b) == (a >= 8 ? (12 ^ 15) : (2 ^ 7));
}

bool mutant_is_choice(const struct mutant *m)
{
	const uint8_t *code = m->bytes;
	unsigned at = 0;

	at += code[at] == 0x66;		 /* two bytes */
	at += (code[at] & 0xf0) == 0x40; /* REX */
	return m->kind == MUTANT_CONDITION && m->to == (m->from ^ 1) && at + 1 < m->size &&
	       code[at] == 0x0f && (code[at + 1] & 0xf0) == 0x40;
}

static uint64_t effort_of_condition(const struct mutant *m, const struct limits *l)
{
	return mutant_is_choice(m)			    ? l->slip_turned
	       : m->to == (m->from ^ 1)			    ? l->slip_negated
	       : is_equality(m->from) != is_equality(m->to) ? l->slip_equality
	       : is_turned(m->from, m->to)		    ? l->slip_turned
							    : l->slip_condition;
}

static uint64_t effort_of_variable(const struct mutant *m, const struct limits *l)
{
	const uint64_t efforts[] = {
		[MUTANT_OTHER_VARIABLE] = l->slip_variable,
		[MUTANT_SAME_VARIABLE] = l->slip_element,
		[MUTANT_OTHER_LITERAL] = l->slip_by_more,
		[MUTANT_SEEN_VALUE] = l->slip_variable, /* of no variable */
	};

	return efforts[m->nearness];
}

static uint64_t effort_of_operator(const struct mutant *m, const struct limits *l)
{
	return m->to == MUTANT_SIGN_TURNED ? l->slip_sign
	       : m->to == MUTANT_OPERANDS_EXCHANGED || m->to == MUTANT_STEP_BEFORE ||
			       m->to == MUTANT_STEP_BEHIND
		       ? l->slip_turned
	       : m->to == MUTANT_LEFT_OUT ? l->slip_part
					  : l->slip_operator;
}

static uint64_t effort_of_expression(const struct mutant *m, const struct limits *l)
{
	if (m->from)
		return l->slip_one_more;
	if (m->nearness == MUTANT_SAME_VARIABLE)
		return l->slip_element;
	return m->to ? l->slip_part : l->slip_expression;
}

double mutant_effort(const struct mutant *m, const struct limits *l)
{
	const uint64_t efforts[] = {
		[MUTANT_CONSTANT] = effort_of_constant(m, l),
		[MUTANT_CONDITION] = effort_of_condition(m, l),
		[MUTANT_OPERATOR] = effort_of_operator(m, l),
		[MUTANT_VARIABLE] = effort_of_variable(m, l),
		[MUTANT_EXPRESSION] = effort_of_expression(m, l),
		[MUTANT_EXCHANGED] = l->slip_variable,
		[MUTANT_CALLEE] = l->slip_variable,
		[MUTANT_BRANCH] = l->slip_branch,
		[MUTANT_DROPPED] = l->slip_dropped,
		[MUTANT_MISSING] = l->slip_missing,
		[MUTANT_MIRRORED] = l->slip_mirrored,
		[MUTANT_ONE_MORE] = m->from ? l->slip_one_more : l->slip_counted,
		[MUTANT_ORDER] = l->slip_order,
		[MUTANT_CHECK] = l->slip_null_check,
		[MUTANT_ZERO_CHECK] = l->slip_zero_check,
		[MUTANT_REMOVED] = l->slip_removed,
		[MUTANT_SKIPPED] = l->slip_removed,
		[MUTANT_INSERTED] = l->slip_inserted,
		[MUTANT_ANEW] = l->slip_anew,
		[MUTANT_UNSET] = l->slip_unset,
	};

	if (m->kind == MUTANT_DATA)
		return m->effort;
	if (m->also && m->kind == MUTANT_CONSTANT)
		return (double)(efforts[m->kind] + l->slip_together) / 100;
	return (double)efforts[m->kind] / 100;
}

double guard_effort(const struct mutant *m, const struct guard *g, const struct limits *l)
{
	uint64_t effort = m->kind == MUTANT_DROPPED ? l->slip_guard_condition
			  : m->kind == MUTANT_REMOVED || m->kind == MUTANT_SKIPPED
				  ? l->slip_guard_statement
				  : l->slip_guard_value;

	return (double)effort / 100 + g->cost;
}
