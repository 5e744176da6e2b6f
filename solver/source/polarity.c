/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/source/polarity.h"
#include "solver/source/condition-text.h"
#include "solver/source/polarity-private.h"

#include <string.h>

struct asker {
	const struct limits *limits;
	const struct image *im;
	const struct image_function *function;
	const struct image_statement *statement; /* of the jump */
	const struct source *source;
	struct condition_text text;
	GArray *jumps; /* uint64_t: of this condition, ascending */
};

static const struct image_statement *statement_of_jump(const struct image *im, uint64_t addr)
{
	const struct image_row *row = image_row_at(im, addr);

	return row ? image_statement(im, row->statement) : NULL;
}

static bool place_in_source(const struct asker *a, uint64_t addr, size_t *at)
{
	const struct image_statement *s = statement_of_jump(a->im, addr);

	return s && strcmp(s->file, a->statement->file) == 0 &&
	       source_place(a->source, s->line, s->column, at);
}

static bool belongs_to_condition(const struct asker *a, uint64_t addr)
{
	size_t at;

	return place_in_source(a, addr, &at) && condition_text_covers(&a->text, at);
}

static bool code_begins_with(const struct image *im, uint64_t addr, const char *code, size_t n)
{
	size_t avail = 0;
	const uint8_t *b = image_bytes(im, addr, &avail);

	return b && avail >= n && memcmp(b, code, n) == 0;
}

/* mov $1,%eax; or mov $0,%eax; *value: which. */
static bool sets_truth(const struct asker *a, uint64_t addr, bool *value)
{
	static const char sets[] = { '\xb8', 0, 0, 0, 0 }, sets_1[] = { '\xb8', 1, 0, 0, 0 };

	*value = code_begins_with(a->im, addr, sets_1, sizeof(sets_1));
	return *value || code_begins_with(a->im, addr, sets, sizeof(sets));
}

/* C++ may put the value of `a || f ()' together before it is tested: mov $1,%eax; jmp; mov $0,%eax;
 * test %al,%al; je.  The jump that tests the constant which is set at addr; NULL = none is.
 * *value: the constant. */
static const struct trace_insn *testing_jump(const struct asker *a, uint64_t addr, bool *value)
{
	static const char tests[] = { '\x84', '\xc0' };
	const struct trace_insn *insn = image_insn_at(a->im, addr);
	uint64_t next;

	if (!insn || !sets_truth(a, addr, value))
		return NULL;
	next = addr + insn->length;
	insn = image_insn_at(a->im, next);
	if (insn && insn->flow == TRACE_FLOW_JUMP)
		next = insn->target;
	if (!code_begins_with(a->im, next, tests, sizeof(tests)))
		return NULL;
	insn = image_insn_at(a->im, next + sizeof(tests));
	return insn && insn->flow == TRACE_FLOW_COND && (insn->cond == 4 || insn->cond == 5) ? insn
											     : NULL;
}

static uint64_t side_of(const struct asker *a, const struct trace_insn *jump, bool taken)
{
	const uint64_t side = taken ? jump->target : jump->addr + jump->length;
	bool value;
	const struct trace_insn *tests = testing_jump(a, side, &value);

	return tests ? side_of(a, tests, value == (tests->cond == 5)) : side;
}

/* Jumps that only test what the others put together decide no operand. */
static void leave_out_testing_jumps(struct asker *a)
{
	for (guint i = 0; i < a->jumps->len; i++) {
		const struct trace_insn *jump =
			image_insn_at(a->im, g_array_index(a->jumps, uint64_t, i));

		for (int taken = 0; taken < 2; taken++) {
			const uint64_t side = taken ? jump->target : jump->addr + jump->length;
			bool value;
			const struct trace_insn *tests = testing_jump(a, side, &value);

			for (guint k = i + 1; tests && k < a->jumps->len; k++)
				if (g_array_index(a->jumps, uint64_t, k) == tests->addr) {
					g_array_remove_index(a->jumps, k);
					break;
				}
		}
	}
}

static void find_jumps(struct asker *a)
{
	const struct trace_insn *all, *insn = image_insn_at(a->im, a->function->lo);
	const size_t n = image_insns(a->im, &all);

	a->jumps = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	for (insn = insn ? insn : all; insn < all + n && insn->addr < a->function->hi; insn++)
		if (insn->addr >= a->function->lo && insn->flow == TRACE_FLOW_COND &&
		    belongs_to_condition(a, insn->addr))
			g_array_append_val(a->jumps, insn->addr);
	leave_out_testing_jumps(a);
}

uint64_t polarity_next_jump(const struct image *im, const struct limits *limits, uint64_t at)
{
	for (uint64_t i = 0; i < limits->condition_reach; i++) {
		const struct trace_insn *insn = image_insn_at(im, at);

		if (!insn)
			return 0;
		if (insn->flow == TRACE_FLOW_COND)
			return at;
		if (insn->flow == TRACE_FLOW_JUMP)
			at = insn->target;
		else if (insn->flow == TRACE_FLOW_NONE || insn->flow == TRACE_FLOW_CALL ||
			 insn->flow == TRACE_FLOW_CALL_IND)
			at += insn->length;
		else
			return 0;
	}
	return 0;
}

static uint64_t next_jump(const struct asker *a, uint64_t at)
{
	return polarity_next_jump(a->im, a->limits, at);
}

/* The first place in the source that a side leads to.  Jumps that belong to the condition's own
 * row are followed. */
static bool first_source_place(const struct asker *a, uint64_t addr, size_t *at)
{
	for (uint64_t i = 0; i < a->limits->condition_reach; i++) {
		const struct trace_insn *insn = image_insn_at(a->im, addr);
		bool placed = insn && place_in_source(a, addr, at);

		if (!insn)
			return false;
		if (placed &&
		    !(condition_text_covers(&a->text, *at) && insn->flow == TRACE_FLOW_JUMP))
			return true;
		if (insn->flow == TRACE_FLOW_JUMP)
			addr = insn->target;
		else if (insn->flow == TRACE_FLOW_NONE)
			addr += insn->length;
		else
			return false;
	}
	return false;
}

static bool is_in_span(struct source_span span, size_t at)
{
	return at >= span.from && at < span.to;
}

/* Does the side lead to where only a true condition leads? */
static bool goes_to_body(const struct asker *a, uint64_t addr)
{
	const struct condition_text *c = &a->text;
	bool empty = c->body.to - c->body.from <= 1;
	size_t at;

	if (!first_source_place(a, addr, &at))
		return false;
	if (condition_text_covers(c, at))
		return c->kind == CONDITION_DO || (c->kind == CONDITION_WHILE && empty);
	return is_in_span(c->body, at) ||
	       (c->kind == CONDITION_FOR && empty && is_in_span(c->step, at));
}

/* Is the condition all that is returned or assigned?  Of `!(a && b)' and `(a && b) == 0' the
 * compiler makes the opposite at once. */
static bool is_whole_value(const struct asker *a)
{
	const struct source *s = a->source;
	const size_t from = source_end_before(s, a->text.whole.from),
		     next = source_skip(s, a->text.whole.to), word = strlen("return");

	if (a->text.kind != CONDITION_VALUE || next >= s->length || s->code[next] != ';')
		return false;
	return (from >= word && source_has_word(s, from - word, "return")) ||
	       (from >= 2 && s->code[from - 1] == '=' &&
		!strchr("=!<>+-*/%&|^", s->code[from - 2]));
}

/* `return a && b': the side that sets eax to 1, or to 0, is an outcome of the whole. */
static enum polarity_meaning by_constant(const struct asker *a, const struct trace_insn *jump,
					 int k)
{
	const struct condition_atom *atom =
		&g_array_index(a->text.atoms, struct condition_atom, (guint)k);

	for (int taken = 0; taken < 2; taken++) {
		bool value;
		int outcome;

		if (!sets_truth(a, taken ? jump->target : jump->addr + jump->length, &value))
			continue;
		outcome = value ? CONDITION_TRUE : CONDITION_FALSE;
		if ((atom->if_true == outcome) != (atom->if_false == outcome))
			return polarity_taken_is((atom->if_true == outcome) == (taken == 1));
	}
	return POLARITY_UNKNOWN;
}

static bool is_jump_of_condition(const struct asker *a, uint64_t addr)
{
	for (guint i = 0; i < a->jumps->len; i++)
		if (g_array_index(a->jumps, uint64_t, i) == addr)
			return true;
	return false;
}

/* Does code from this place lead to the body before the condition is asked again?  An optimizer
 * may have arranged it in any way. */
static bool comes_to_body(const struct asker *a, uint64_t addr, GHashTable *seen)
{
	size_t at;

	while (g_hash_table_size(seen) < a->limits->condition_insns) {
		const struct trace_insn *insn = image_insn_at(a->im, addr);

		if (!insn || is_jump_of_condition(a, addr) ||
		    !g_hash_table_add(seen, (gpointer)insn))
			return false;
		if (place_in_source(a, addr, &at) && is_in_span(a->text.body, at) &&
		    !condition_text_covers(&a->text, at))
			return true;
		if (insn->flow == TRACE_FLOW_COND && comes_to_body(a, insn->target, seen))
			return true;
		if (insn->flow == TRACE_FLOW_JUMP)
			addr = insn->target;
		else if (insn->flow == TRACE_FLOW_NONE || insn->flow == TRACE_FLOW_COND ||
			 insn->flow == TRACE_FLOW_CALL || insn->flow == TRACE_FLOW_CALL_IND)
			addr += insn->length;
		else
			return false;
	}
	return false;
}

/* One jump decides the whole condition: one side leads to the body, and the other one does not
 * lead to the rest of the condition. */
static enum polarity_meaning by_body(const struct asker *a, const struct trace_insn *jump)
{
	bool comes[2], asks[2], lost = false;

	for (int taken = 0; taken < 2; taken++) {
		g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
		uint64_t next = next_jump(a, side_of(a, jump, taken));

		comes[taken] = comes_to_body(a, side_of(a, jump, taken), seen);
		lost |= !comes[taken] && g_hash_table_size(seen) >= a->limits->condition_insns;
		asks[taken] = next && is_jump_of_condition(a, next);
	}
	if (lost || comes[0] == comes[1] || asks[comes[0]])
		return POLARITY_UNKNOWN;
	return polarity_taken_is(comes[1]);
}

/* Decides by where the sides lead, for the atom number k; -1 = the whole condition. */
static enum polarity_meaning by_sides(const struct asker *a, const struct trace_insn *jump, int k)
{
	static const struct condition_atom whole = { { 0, 0 }, CONDITION_TRUE, CONDITION_FALSE };
	const struct condition_atom *atom =
		k < 0 ? &whole : &g_array_index(a->text.atoms, struct condition_atom, (guint)k);
	bool one_each = a->jumps->len == a->text.atoms->len;
	bool first, second;

	if (one_each && k >= 0 && k + 1 < (int)a->jumps->len) {
		uint64_t next = g_array_index(a->jumps, uint64_t, (guint)k + 1);

		first = next_jump(a, side_of(a, jump, true)) == next;
		second = next_jump(a, side_of(a, jump, false)) == next;
		if (first != second)
			return polarity_taken_is(first == (atom->if_true == k + 1));
	}
	first = goes_to_body(a, side_of(a, jump, true));
	second = goes_to_body(a, side_of(a, jump, false));
	if (first == second ||
	    (atom->if_true != CONDITION_TRUE && atom->if_false != CONDITION_TRUE))
		return POLARITY_UNKNOWN;
	return polarity_taken_is(first == (atom->if_true == CONDITION_TRUE));
}

/* ---- switches ---- */

/* The label that stands before a place in the body of the switch. */
static char *label_before(const struct asker *a, size_t at)
{
	const struct source *s = a->source;

	for (size_t i = at + 1; i-- > a->text.body.from;) {
		struct source_span span = { i, i };

		if (!source_has_word(s, i, "case") && !source_has_word(s, i, "default"))
			continue;
		while (span.to < a->text.body.to && s->code[span.to] != ':')
			span.to++;
		return source_text(s, source_trim(s, span.from, span.to));
	}
	return NULL;
}

static void find_cases(const struct asker *a, const struct trace_insn *jump, struct polarity *out)
{
	size_t at;

	out->meaning = POLARITY_SWITCH;
	out->clause = source_text(a->source, a->text.whole);
	for (int taken = 0; taken < 2; taken++)
		if (first_source_place(a, side_of(a, jump, taken), &at) &&
		    is_in_span(a->text.body, at))
			out->cases[taken] = label_before(a, at);
}

/* ---- */

static unsigned sides_to_next(const struct asker *a, guint i)
{
	const struct trace_insn *jump = image_insn_at(a->im, g_array_index(a->jumps, uint64_t, i));
	uint64_t next = g_array_index(a->jumps, uint64_t, i + 1);

	return (next_jump(a, side_of(a, jump, true)) == next) +
	       (next_jump(a, side_of(a, jump, false)) == next);
}

static bool is_unsigned(const struct trace_insn *jump)
{
	return jump->cond == 2 || jump->cond == 3 || jump->cond == 6 || jump->cond == 7;
}

/* The sides of the atom's `<' or the like, without blanks; false = it has none. */
static bool sides_of_comparison(const struct asker *a, guint k, char *sides[2])
{
	const struct source_span span = g_array_index(a->text.atoms, struct condition_atom, k).span;
	g_autofree char *code = g_strndup(a->source->code + span.from, span.to - span.from);
	const struct comparison c = polarity_comparison(code);
	char *p = code;

	if (c.less + c.greater != 1 || c.equal + c.unequal + c.other)
		return false;
	while (*p != '<' && (*p != '>' || p[-(p > code)] == '-'))
		p++;
	sides[0] = g_strstrip(g_strndup(code, (gsize)(p - code)));
	sides[1] = g_strstrip(g_strdup(p + 1 + (p[1] == '=')));
	return true;
}

/* Do two atoms compare the same thing, as `c >= '0' && '9' >= c'? */
static bool is_range(const struct asker *a, guint k)
{
	char *x[2] = { 0 }, *y[2] = { 0 };
	bool same = false;

	if (sides_of_comparison(a, k, x) && sides_of_comparison(a, k + 1, y))
		for (int i = 0; i < 4; i++)
			same = same || strcmp(x[i & 1], y[i >> 1]) == 0;
	for (int i = 0; i < 2; i++) {
		g_free(x[i]);
		g_free(y[i]);
	}
	return same;
}

/* `c >= '0' && c <= '9'' may be one unsigned comparison, of c - '0', and a loop has two copies of
 * it: then the jumps are as many as the atoms, but each decides both. */
static bool are_copies_of_range(const struct asker *a, guint i)
{
	uint64_t first = g_array_index(a->jumps, uint64_t, i),
		 second = g_array_index(a->jumps, uint64_t, i + 1);
	int8_t one = 0, other = 0;

	return is_unsigned(image_insn_at(a->im, first)) &&
	       is_unsigned(image_insn_at(a->im, second)) && polarity_constant(a->im, first, &one) &&
	       polarity_constant(a->im, second, &other) && one == other && is_range(a, i);
}

/* Which atom the jump decides; -1 when that is not known.  There is one jump for each atom, and
 * each leads to the next as C evaluates them.  Where both sides lead to the next one, the value
 * so far is put together, and the next jump decides on it. */
static int deciding_number(const struct asker *a, uint64_t jump)
{
	if (a->text.atoms->len == 1)
		return 0;
	if (a->text.atoms->len != a->jumps->len)
		return -1;
	for (guint i = 0; i + 1 < a->jumps->len; i++)
		if (sides_to_next(a, i) == 0 || are_copies_of_range(a, i) ||
		    (sides_to_next(a, i) == 2 && g_array_index(a->jumps, uint64_t, i) != jump))
			return -1;
	for (guint i = 0; i < a->jumps->len; i++)
		if (g_array_index(a->jumps, uint64_t, i) == jump)
			return (int)i;
	return -1;
}

static void ask_about_jump(struct asker *a, const struct trace_insn *jump, struct polarity *out)
{
	struct source_span span = a->text.whole;
	enum polarity_meaning compared;
	g_autofree char *code = NULL;
	int k;

	if (a->text.kind == CONDITION_SWITCH) {
		find_cases(a, jump, out);
		return;
	}
	find_jumps(a);
	k = deciding_number(a, jump->addr);
	if (k >= 0)
		span = g_array_index(a->text.atoms, struct condition_atom, (guint)k).span;
	out->clause = source_text(a->source, span);
	out->meaning = by_sides(a, jump, k);
	if (out->meaning == POLARITY_UNKNOWN && (k < 0 || a->text.atoms->len == 1))
		out->meaning = by_body(a, jump);
	if (k < 0)
		return;
	if (out->meaning == POLARITY_UNKNOWN && is_whole_value(a))
		out->meaning = by_constant(a, jump, k);
	/* There is one jump for each atom, or copies of one, so this is the text to compare with.
	 */
	code = g_strndup(a->source->code + span.from, span.to - span.from);
	compared = polarity_by_comparison(a->im, jump, code);
	if (out->meaning == POLARITY_UNKNOWN && a->jumps->len == a->text.atoms->len)
		out->meaning = compared;
	else if (a->jumps->len > 1 && compared != POLARITY_UNKNOWN && compared != out->meaning)
		/* the jumps are not in the order of the source, or the body was moved */
		out->meaning = POLARITY_UNKNOWN;
}

void polarity_find(const struct image *im, struct sources *sources, const struct limits *limits,
		   uint64_t jump, struct polarity *out)
{
	const struct trace_insn *insn = image_insn_at(im, jump);
	struct asker a = { .limits = limits_or_default(limits),
			   .im = im,
			   .function = image_function_at(im, jump),
			   .statement = statement_of_jump(im, jump) };
	size_t at;

	*out = (struct polarity){ 0 };
	if (!insn || insn->flow != TRACE_FLOW_COND || !a.function || !a.statement)
		return;
	a.source = sources_get(sources, a.statement->file);
	if (!a.source || !place_in_source(&a, jump, &at))
		return;
	if (!condition_text_find(a.source, at, &a.text)) {
		polarity_of_macro(im, sources, a.limits, insn, out);
		return;
	}
	ask_about_jump(&a, insn, out);
	condition_text_clear(&a.text);
	if (a.jumps)
		g_array_free(a.jumps, TRUE);
}

void polarity_clear(struct polarity *s)
{
	g_clear_pointer(&s->clause, g_free);
	g_clear_pointer(&s->cases[0], g_free);
	g_clear_pointer(&s->cases[1], g_free);
}
