/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/formula/library-call.h"

#include "solver/formula/character-table.h"
#include "solver/library/library.h"

enum {
	MOST_DIGITS = 9, /* a number of so many is never too large for an int */
	MOST_LONG_DIGITS = 18,
};

/* A call of a function that has a model. */
struct call {
	struct walk *w;
	struct term_pool *p;
	const struct library_function *f;
	uint64_t result;  /* of the run */
	uint32_t outside; /* term: the model does not know the result; 0 = it always does */
};

static uint64_t call_argument(const struct call *c, unsigned number)
{
	static const enum trace_reg registers[] = { TRACE_RDI, TRACE_RSI, TRACE_RDX };

	g_assert(number >= 1 && number <= G_N_ELEMENTS(registers));
	return c->w->before[registers[number - 1]];
}

static uint32_t call_constant(const struct call *c, unsigned width, uint64_t value)
{
	return term_const(c->p, width, value);
}

/* The lowest bits of an argument. */
static uint32_t argument_term(const struct call *c, unsigned number, unsigned width)
{
	static const enum trace_reg registers[] = { TRACE_RDI, TRACE_RSI, TRACE_RDX };
	uint32_t term = exec_register(c->w, registers[number - 1]);

	return term ? term_extract(c->p, term, 0, width)
		    : call_constant(c, width, call_argument(c, number));
}

/* How many bytes the call looks at, at most. */
static uint64_t most_bytes(const struct call *c)
{
	return c->f->most ? call_argument(c, c->f->most) : UINT64_MAX;
}

/* ---- the bytes at an argument ---- */

/* How many bytes of it matter: as far as they are known; a string's up to the NUL that ends it in
 * each case, but not far behind the one that ended it in the run.  *changeable: is any of them? */
static unsigned bytes_at(const struct call *c, uint64_t at, bool *changeable)
{
	uint64_t most = MIN(most_bytes(c), c->w->f->limits->call_bytes), behind = 0;
	bool ended = false, may_change;
	uint8_t value;
	uint64_t i;

	for (i = 0; i < most && behind <= c->w->f->limits->call_longer; i++) {
		if (!memory_look(c->w, at + i, &value, &may_change))
			break;
		*changeable |= may_change;
		ended |= c->f->text && !value;
		behind += ended;
		if (c->f->text && !value && !may_change)
			return (unsigned)i + 1;
	}
	if (i == c->w->f->limits->call_bytes)
		limits_reached(c->w->f->limits, LIMIT_call_bytes);
	return (unsigned)i;
}

/* One of them, which is known. */
static uint32_t byte_at(const struct call *c, uint64_t at)
{
	uint32_t byte = memory_byte(c->w, at);

	return byte ? byte : call_constant(c, 8, 0);
}

static uint32_t is_zero_byte(const struct call *c, uint32_t byte)
{
	return term_eq(c->p, byte, call_constant(c, 8, 0));
}

/* value - low < n, of bytes or of numbers. */
static uint32_t is_within(const struct call *c, uint32_t value, uint64_t low, uint64_t n)
{
	unsigned width = term_width(c->p, value);

	return term_op2(c->p, IR_ULT, term_op2(c->p, IR_SUB, value, call_constant(c, width, low)),
			call_constant(c, width, n));
}

/* ---- strcmp, strncmp, memcmp and their kin ---- */

static uint32_t folded_case(const struct call *c, uint32_t byte)
{
	if (!c->f->folds_case)
		return byte;
	return term_ite(c->p, is_within(c, byte, 'A', 26),
			term_op2(c->p, IR_ADD, byte, call_constant(c, 8, 'a' - 'A')), byte);
}

/* The difference of the first bytes that differ, or its sign if that is what the run gave. */
static uint32_t difference_as_returned(const struct call *c, uint32_t difference)
{
	uint32_t zero = call_constant(c, 32, 0);

	if ((uint32_t)walk_actual(c->w, difference) == (uint32_t)c->result)
		return difference;
	return term_ite(c->p, term_eq(c->p, difference, zero), zero,
			term_ite(c->p, term_op2(c->p, IR_SLT, difference, zero),
				 call_constant(c, 32, UINT32_MAX), call_constant(c, 32, 1)));
}

static uint32_t model_comparison(struct call *c)
{
	uint64_t a = call_argument(c, 1), b = call_argument(c, 2);
	bool changeable = false;
	unsigned n = MIN(bytes_at(c, a, &changeable), bytes_at(c, b, &changeable));
	uint32_t result = call_constant(c, 32, 0), outside = term_true(c->p);

	if (!changeable || !n)
		return 0;
	if (n == most_bytes(c))
		outside = term_false(c->p); /* as many as were to be compared */
	for (unsigned i = n; i > 0; i--) {
		uint32_t x = folded_case(c, byte_at(c, a + i - 1)),
			 y = folded_case(c, byte_at(c, b + i - 1));
		uint32_t same = term_eq(c->p, x, y);
		uint32_t goes_on =
			c->f->text ? term_and(c->p, same, term_not(c->p, is_zero_byte(c, x)))
				   : same;

		result = term_ite(
			c->p, goes_on, result,
			term_op2(c->p, IR_SUB, term_zext(c->p, x, 32), term_zext(c->p, y, 32)));
		outside = term_and(c->p, goes_on, outside);
	}
	c->outside = outside;
	return difference_as_returned(c, result);
}

/* ---- strlen, strchr, strspn and their kin ---- */

/* A search along the bytes of argument 1: of each, whether the search ends there, and with what. */
struct stop {
	uint32_t here, result;
};

static uint32_t byte_among_set(const struct call *c, uint32_t byte, uint64_t set)
{
	uint32_t among = term_false(c->p);
	uint8_t value;
	bool changeable;

	for (uint64_t i = 0; i < c->w->f->limits->call_bytes; i++) {
		if (!memory_look(c->w, set + i, &value, &changeable) || !value)
			break;
		among = term_or(c->p, among, term_eq(c->p, byte, call_constant(c, 8, value)));
	}
	return among;
}

/* The length of the string of argument 2, as it was in the run; the model searches for a string
 * of that length. */
static unsigned length_searched_for(const struct call *c, bool *changeable)
{
	uint64_t text = call_argument(c, 2);
	uint8_t value;
	bool may_change;
	unsigned n = 0;

	while (n < c->w->f->limits->call_bytes &&
	       memory_look(c->w, text + n, &value, &may_change) && value) {
		*changeable |= may_change;
		n++;
	}
	return n;
}

/* The n bytes there are those of argument 2. */
static uint32_t is_text_there(const struct call *c, uint64_t at, unsigned n)
{
	uint64_t text = call_argument(c, 2);
	uint32_t same = term_true(c->p);

	for (unsigned i = 0; i < n; i++)
		same = term_and(c->p, same,
				term_eq(c->p, byte_at(c, at + i), byte_at(c, text + i)));
	return same;
}

/* strstr */
static uint32_t searched_for_text(struct call *c)
{
	uint64_t at = call_argument(c, 1);
	bool changeable = false;
	unsigned n = bytes_at(c, at, &changeable), length = length_searched_for(c, &changeable);
	uint32_t zero = call_constant(c, 64, 0), result = zero, outside = term_true(c->p);

	if (!n || !length || !changeable)
		return 0;
	for (unsigned i = n; i > 0; i--) {
		uint32_t ends = is_zero_byte(c, byte_at(c, at + i - 1)), found = term_false(c->p);

		if (i - 1 + length <= n)
			found = is_text_there(c, at + i - 1, length);
		result = term_ite(c->p, ends, zero,
				  term_ite(c->p, found, call_constant(c, 64, at + i - 1), result));
		outside = term_and(c->p, term_not(c->p, term_or(c->p, ends, found)), outside);
	}
	c->outside = outside;
	return result;
}

static struct stop string_stop_at(const struct call *c, uint64_t at, uint64_t i, uint32_t wanted)
{
	uint32_t byte = byte_at(c, at + i), ends = is_zero_byte(c, byte), found;

	switch (c->f->model) {
	case LIBRARY_MEASURES:
		return (struct stop){ ends, call_constant(c, 64, i) };
	case LIBRARY_SPANS:
		found = byte_among_set(c, byte, call_argument(c, 2));
		return (struct stop){ term_or(c->p, ends,
					      c->f->others ? found : term_not(c->p, found)),
				      call_constant(c, 64, i) };
	default:
		found = c->f->model == LIBRARY_FINDS_ANY
				? byte_among_set(c, byte, call_argument(c, 2))
				: term_eq(c->p, byte, wanted);
		return (struct stop){ c->f->text ? term_or(c->p, found, ends) : found,
				      term_ite(c->p, found, call_constant(c, 64, at + i),
					       call_constant(c, 64, 0)) };
	}
}

/* What the search gives that comes to the end of the most bytes to look at. */
static uint32_t result_behind(const struct call *c, unsigned n)
{
	const bool is_address = c->f->model == LIBRARY_FINDS || c->f->model == LIBRARY_FINDS_ANY;

	return call_constant(c, 64, is_address ? 0 : n);
}

static uint32_t model_search(struct call *c)
{
	uint64_t at = call_argument(c, 1);
	bool changeable = false;
	unsigned n = bytes_at(c, at, &changeable);
	uint32_t wanted = 0, result = result_behind(c, n);
	uint32_t outside = n == most_bytes(c) ? term_false(c->p) : term_true(c->p);

	if (c->f->model == LIBRARY_FINDS)
		wanted = argument_term(c, 2, 8);
	if (!n || (!changeable && !(wanted && walk_is_changeable(c->w, wanted))))
		return 0;
	for (unsigned i = n; i > 0; i--) {
		struct stop s = string_stop_at(c, at, i - 1, wanted);

		result = term_ite(c->p, s.here, s.result, result);
		outside = term_and(c->p, term_not(c->p, s.here), outside);
	}
	c->outside = outside;
	return result;
}

/* strrchr: the last one before the NUL. */
static uint32_t searched_backwards(struct call *c)
{
	uint64_t at = call_argument(c, 1);
	bool changeable = false;
	unsigned n = bytes_at(c, at, &changeable);
	uint32_t wanted = argument_term(c, 2, 8), zero = call_constant(c, 64, 0), result = zero;
	uint32_t outside = term_true(c->p);

	if (!n || (!changeable && !walk_is_changeable(c->w, wanted)))
		return 0;
	for (unsigned i = n; i > 0; i--) {
		uint32_t byte = byte_at(c, at + i - 1), ends = is_zero_byte(c, byte);
		uint32_t here = term_ite(c->p, term_eq(c->p, byte, wanted),
					 call_constant(c, 64, at + i - 1), zero);
		uint32_t later = term_ite(c->p, term_eq(c->p, result, zero), here, result);

		result = term_ite(c->p, ends, here, later);
		outside = term_and(c->p, term_not(c->p, ends), outside);
	}
	c->outside = outside;
	return result;
}

/* ---- atoi, strtol ---- */

/* Blanks and the sign stay as they were; i is left at the first digit. */
static bool skip_to_digits(const struct call *c, uint64_t at, unsigned n, unsigned *i, bool *minus)
{
	uint8_t value = ' ';
	bool changeable;

	for (*i = 0; *i < n; ++*i) {
		if (!memory_look(c->w, at + *i, &value, &changeable) || changeable ||
		    !(value == ' ' || (value >= '\t' && value <= '\r')))
			break;
	}
	*minus = *i < n && value == '-';
	if (*i < n && (value == '-' || value == '+') && !changeable)
		++*i;
	return *i < n;
}

/* strtol is modelled with base 10 only. */
static uint32_t model_conversion(struct call *c)
{
	bool is_long = c->f->result != LIBRARY_INT, changeable = false, minus;
	uint64_t at = call_argument(c, 1);
	unsigned n = bytes_at(c, at, &changeable), i, width = is_long ? 64 : 32;
	unsigned most = is_long ? MOST_LONG_DIGITS : MOST_DIGITS;
	uint32_t value = call_constant(c, width, 0), goes_on = term_true(c->p);

	if (!changeable || !skip_to_digits(c, at, n, &i, &minus) ||
	    ((c->f->writes & LIBRARY_ARGUMENT(2)) && call_argument(c, 3) != 10))
		return 0;
	for (; i < n; i++, most--) {
		uint32_t byte = byte_at(c, at + i);
		uint32_t digit = term_op2(c->p, IR_SUB, byte, call_constant(c, 8, '0'));
		uint32_t longer = term_op2(
			c->p, IR_ADD, term_op2(c->p, IR_MUL, value, call_constant(c, width, 10)),
			term_zext(c->p, digit, width));

		goes_on = term_and(c->p, goes_on, is_within(c, byte, '0', 10));
		if (!most) {
			c->outside = goes_on;
			break;
		}
		value = term_ite(c->p, goes_on, longer, value);
	}
	return minus ? term_op2(c->p, IR_SUB, call_constant(c, width, 0), value) : value;
}

/* ---- toupper, isdigit and their kin ---- */

static uint32_t model_mapping(struct call *c)
{
	int32_t values[CHARACTERS];
	uint32_t character = argument_term(c, 1, 32), index;

	if (!walk_is_changeable(c->w, character) || !characters_map(c->f->name, values))
		return 0;
	index = term_op2(c->p, IR_SUB, character, call_constant(c, 32, (uint32_t)CHARACTERS_FIRST));
	c->outside =
		term_not(c->p, term_op2(c->p, IR_ULT, index, call_constant(c, 32, CHARACTERS)));
	return character_table_choice(c->w, index, values, CHARACTERS, 32);
}

/* ---- memcpy, strcpy, memset and their kin ---- */

static void set_memory_byte(const struct call *c, uint64_t at, uint32_t byte)
{
	symbolic_set(c->w->memory, at, (struct cell){ byte, c->w->instance, false });
}

/* Where the string ends that is there. */
static uint64_t end_of_string(const struct call *c, uint64_t at)
{
	uint8_t value;
	bool changeable;

	for (uint64_t i = 0; i < c->w->f->limits->string_bytes; i++)
		if (!memory_look(c->w, at + i, &value, &changeable) || !value)
			return at + i;
	return at;
}

/* Copies are made from what was there before the first byte was written: the places may overlap.
 * Bytes of which nothing is known, and that are copied to such, stay unknown. */
static void copy_memory(const struct call *c, uint64_t to, uint64_t from, uint64_t n)
{
	g_autofree uint32_t *bytes = NULL;

	if (n > c->w->f->limits->string_bytes) {
		limits_reached(c->w->f->limits, LIMIT_string_bytes);
		return;
	}
	bytes = g_new0(uint32_t, n + 1);
	for (uint64_t i = 0; i < n; i++) {
		bytes[i] = symbolic_get(c->w->memory, from + i).term;
		if (!bytes[i] && symbolic_get(c->w->memory, to + i).term)
			bytes[i] = memory_byte(c->w, from + i);
	}
	for (uint64_t i = 0; i < n; i++)
		if (bytes[i] || symbolic_get(c->w->memory, to + i).term)
			set_memory_byte(c, to + i, bytes[i]);
}

/* Up to the NUL, wherever it is now; what stands behind it is kept, or becomes NULs. */
static void copy_string(const struct call *c, uint64_t to, uint64_t from)
{
	bool changeable = false;
	unsigned n = bytes_at(c, from, &changeable);
	uint64_t end = end_of_string(c, from) - from;
	uint32_t writes = term_true(c->p); /* does it write this byte? */
	uint64_t all = c->f->fills ? MIN(most_bytes(c), c->w->f->limits->call_bytes) : n;

	for (uint64_t i = 0; i < all; i++) {
		uint32_t byte = i < n ? byte_at(c, from + i) : call_constant(c, 8, 0);
		uint32_t rest = c->f->fills ? call_constant(c, 8, 0) : memory_byte(c->w, to + i);

		if (rest || i <= end)
			set_memory_byte(c, to + i,
					rest ? term_ite(c->p, writes, byte, rest) : byte);
		writes = term_and(c->p, writes, term_not(c->p, is_zero_byte(c, byte)));
	}
}

static void model_copied(const struct call *c)
{
	uint64_t to = call_argument(c, 1), from = call_argument(c, 2);

	if (!c->f->text)
		copy_memory(c, to, from, most_bytes(c));
	else
		copy_string(c, c->f->last ? end_of_string(c, to) : to, from);
}

static void model_filled(const struct call *c)
{
	uint64_t to = call_argument(c, 1), n = call_argument(c, 3);
	uint32_t byte = argument_term(c, 2, 8);

	for (uint64_t i = 0; i < MIN(n, c->w->f->limits->string_bytes); i++)
		set_memory_byte(c, to + i, byte);
}

/* ---- the call ---- */

static uint32_t result_of_library_call(struct call *c)
{
	switch (c->f->model) {
	case LIBRARY_COMPARES:
		return model_comparison(c);
	case LIBRARY_MEASURES:
	case LIBRARY_SPANS:
	case LIBRARY_FINDS_ANY:
		return model_search(c);
	case LIBRARY_FINDS:
		return c->f->last ? searched_backwards(c) : model_search(c);
	case LIBRARY_FINDS_TEXT:
		return searched_for_text(c);
	case LIBRARY_CONVERTS:
		return model_conversion(c);
	case LIBRARY_MAPS:
		return model_mapping(c);
	case LIBRARY_COPIES:
		model_copied(c);
		return 0;
	case LIBRARY_FILLS:
		model_filled(c);
		return 0;
	default:
		return 0;
	}
}

uint32_t library_call(struct walk *w)
{
	struct call c = { .w = w,
			  .p = w->p,
			  .f = library_find(w->step->native_name),
			  .result = trace_cursor_reg(w->cursor, TRACE_RAX) };
	uint32_t result;
	unsigned width;

	if (!c.f || c.f->model == LIBRARY_NO_MODEL || w->step->enter.why != TRACE_WHY_RETURN)
		return 0;
	result = result_of_library_call(&c);
	width = result ? term_width(w->p, result) : 64;
	if (!result || !walk_is_changeable(w, result))
		return 0;
	if (width < 64)
		result = term_concat(w->p, term_const(w->p, 64 - width, c.result >> width), result);
	if ((uint64_t)walk_actual(w, result) != c.result ||
	    (c.outside && walk_actual(w, c.outside))) {
		walk_concretized(w);
		return 0;
	}
	if (c.outside)
		walk_require(w, term_not(w->p, c.outside), false);
	return result;
}
