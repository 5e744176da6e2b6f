/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a value came from that traced code did not make: an argument of the program, the
 * environment, a file, the heap as it was. */
#include "solver/cause/cause-file.h"
#include "solver/image/variable/variable.h"

#include <string.h>

enum { LONGEST_VARIABLE = 65536, CTYPE_TABLE = 384 * 4 };

/* ---- what a call wrote ---- */

static bool made_by_library(const struct finder *f, const struct reading *r, uint64_t *to,
			    uint64_t *size)
{
	enum { LEAST_BLOCK = 24 }; /* behind it another block may begin */
	const struct library_function *c = r->called;

	*to = r->result;
	if (reading_copies_text(c)) {
		g_autofree char *text =
			r->known[1] ? cause_text_in_memory(f, r->step, r->argument[1]) : NULL;

		*size = text ? strlen(text) + 1 : LEAST_BLOCK;
		return r->known[1] && r->result;
	}
	*size = r->argument[c->size] * (c->count ? r->argument[c->count] : 1);
	return r->known[c->size] && (!c->count || r->known[c->count]) && r->result;
}

/* Where the call wrote, or the block that it returned; false = nowhere that is known. */
static bool filled_by_call(const struct finder *f, const struct reading *r, uint64_t step,
			   uint64_t *to, uint64_t *size)
{
	static const unsigned buffer[] = {
		[LIBRARY_READS_LINE] = 1, [LIBRARY_READS_ELEMENTS] = 1, [LIBRARY_READS_BYTES] = 2
	};

	switch (r->called->input) {
	case LIBRARY_NO_INPUT:
		return made_by_library(f, r, to, size);
	case LIBRARY_READS_LINE:
		*to = r->argument[1];
		*size = r->result && r->known[2] ? (uint32_t)r->argument[2] : 0;
		return r->known[1];
	case LIBRARY_READS_ELEMENTS:
	case LIBRARY_READS_BYTES:
		*to = r->argument[buffer[r->called->input]];
		*size = cause_bytes_read(r);
		return r->known[1] && r->known[2];
	case LIBRARY_READS_OWN:
		*size = cause_bytes_read(r) + 1;
		return r->known[1] &&
		       trace_point_read_before(f->point, step, r->argument[1], 8, to);
	case LIBRARY_FINDS_VARIABLE:
		*to = r->result;
		*size = LONGEST_VARIABLE;
		return r->known[1] && r->result;
	case LIBRARY_IS_CLOCK:
	case LIBRARY_IS_RANDOM:
		*to = r->argument[r->called->filled];
		*size = r->called->input == LIBRARY_IS_CLOCK ? 16 : r->argument[2];
		return r->called->filled && r->known[r->called->filled];
	default:
		return false;
	}
}

/* What scanf and its kin store, they store where an argument says. */
static bool is_scanned_place(const struct finder *f, const struct reading *r, uint64_t address)
{
	unsigned first = r->called->input == LIBRARY_SCANS && !r->called->file ? 2 : 3;

	if (r->called->input != LIBRARY_SCANS && r->called->input != LIBRARY_SCANS_TEXT)
		return false;
	for (unsigned i = first; i <= 6; i++) {
		uint64_t end = r->known[i] ? cause_end_of_variable(f, r->step, r->argument[i]) : 0;

		if (r->known[i] && address >= r->argument[i] &&
		    address < (end ? end : r->argument[i] + 8))
			return true;
	}
	return false;
}

/* Did a scanning function store there before the step? */
static bool was_scanned(struct finder *f, uint64_t step, uint64_t address)
{
	struct reading r = { .step = step };

	for (uint64_t left = reverse_index_limits(f->index)->origin_calls; left > 0; left--) {
		if (!cause_reading_before(f, r.step, &r))
			return false;
		if (is_scanned_place(f, &r, address))
			return true;
	}
	return false;
}

static char *words_of_scan(struct finder *f, const struct reading *r)
{
	const char *name = r->called->name;
	g_autofree char *file =
		r->called->input == LIBRARY_SCANS_TEXT ? NULL : cause_file_name(f, r);

	if (g_str_has_prefix(name, "__iso"))
		name = strrchr(name, '_') + 1;
	return file ? g_strdup_printf("`%s' read it from %s", name, file)
		    : g_strdup_printf("`%s' made it", name);
}

/* May a function of which nothing is known have written there since the call? */
static bool is_untouched(struct finder *f, const struct reading *r, uint64_t step)
{
	uint64_t call = cause_last_call_of(f, f->origins->others, step);

	return call == UINT64_MAX || call < r->step;
}

static char *words_of_new_block(struct finder *f, const struct reading *r, uint64_t step)
{
	/* C++ has a name for each type of its arguments */
	const char *name = g_str_has_prefix(r->called->name, "_Zn") ? "new" : r->called->name;

	if (!is_untouched(f, r, step))
		return g_strdup_printf("of a block that `%s' made, written by a library function",
				       name);
	return r->called->zeroes
		       ? g_strdup_printf("zero, as `%s' made it", name)
		       : g_strdup_printf("never initialised: `%s' left it as it was", name);
}

static char *words_of_block(struct finder *f, const struct reading *r, uint64_t byte, uint64_t step)
{
	g_autofree char *name = NULL;

	switch (r->called->input) {
	case LIBRARY_FINDS_VARIABLE:
		name = cause_text_in_memory(f, r->step, r->argument[1]);
		return g_strdup_printf("byte %" G_GUINT64_FORMAT " of %s%s", byte + 1,
				       name ? "the environment variable " : "the environment",
				       name ? name : "");
	case LIBRARY_NO_INPUT:
		return words_of_new_block(f, r, step);
	case LIBRARY_IS_CLOCK:
		return g_strdup_printf("the clock, which `%s' read", r->called->name);
	case LIBRARY_IS_RANDOM:
		return g_strdup_printf("random, which `%s' made", r->called->name);
	default:
		return cause_file_words(f, r, byte, step);
	}
}

/* ---- the arguments of the program ---- */

/* A string, as far as it is known where it begins. */
struct string {
	const char *array; /* "argv" */
	uint64_t number, start;
};

/* The last string of an array that begins before the address and whose place is known. */
static void string_before(const struct finder *f, uint64_t step, uint64_t array, uint64_t n,
			  const char *name, uint64_t address, struct string *best)
{
	for (uint64_t i = 0; i < n; i++) {
		uint64_t start;

		if (trace_point_read_before(f->point, step, array + 8 * i, 8, &start) && start &&
		    start <= address && start > best->start)
			*best = (struct string){ name, i, start };
	}
}

/* Only the program knows where the environment's array ends: whoever looks at an element has
 * looked at those before it. */
static bool is_of_environment(const struct finder *f, uint64_t step, uint64_t environment,
			      uint64_t address, uint64_t most)
{
	uint64_t string;

	if (address < environment || address >= environment + 8 * most)
		return false;
	for (uint64_t at = environment; at < address; at += 8)
		if (!trace_point_read_before(f->point, step, at, 8, &string) || !string)
			return false;
	return true;
}

/* least: where a string begins that is known otherwise; the one that is found begins behind it. */
static char *of_arguments(struct finder *f, uint64_t step, uint64_t address, uint64_t least)
{
	static const char started[] = "as the program was started with";
	const uint64_t most = reverse_index_limits(f->index)->origin_calls;
	struct string best = { .start = least };
	uint64_t n, argv, environment;

	if (address < trace_point_stack(f->point) ||
	    !trace_point_main_arguments(f->point, &n, &argv))
		return NULL;
	environment = argv + 8 * (n + 1);
	if (address >= argv && address < environment)
		return g_strdup_printf("argv[%" G_GUINT64_FORMAT "], %s", (address - argv) / 8,
				       started);
	if (is_of_environment(f, step, environment, address, most))
		return g_strdup_printf("envp[%" G_GUINT64_FORMAT "], %s",
				       (address - environment) / 8, started);
	string_before(f, step, argv, MIN(n, most), "argv", address, &best);
	string_before(f, step, environment, most, "envp", address, &best);
	if (!best.array)
		return NULL;
	return g_strdup_printf("%s[%" G_GUINT64_FORMAT "][%" G_GUINT64_FORMAT "], %s", best.array,
			       best.number, address - best.start, started);
}

/* ---- together ---- */

/* What is known so far of where a place came from. */
struct search {
	uint64_t address, step;	 /* the place, before that step */
	uint64_t since;		 /* the call that brought it in */
	struct reading variable; /* the call of getenv whose string begins last before it */
	struct reading text;	 /* a copy of a text, of unknown length, that may reach to it */
	bool has_variable, has_text;
};

/* Takes a call into account.  Returns the words when it tells where the place came from. */
static char *consider_reading(struct finder *f, struct search *s, const struct reading *r)
{
	uint64_t to = 0, size = 0;

	if (is_scanned_place(f, r, s->address))
		return words_of_scan(f, r);
	if (r->called->input == LIBRARY_READS_OWN && r->known[1] && s->address - r->argument[1] < 8)
		return cause_file_words(f, r, UINT64_MAX, 0);
	if (!filled_by_call(f, r, s->step, &to, &size) || s->address < to ||
	    s->address - to >= size)
		return NULL;
	if (reading_copies_text(r->called)) {
		/* two that may reach there: it is not known which does */
		if (!s->has_text)
			s->text = *r;
		s->has_text = true;
		return NULL;
	}
	if (r->called->input == LIBRARY_FINDS_VARIABLE) {
		if (!s->has_variable || to > s->variable.result)
			s->variable = *r;
		s->has_variable = true;
		return NULL;
	}
	if (s->has_text && to > s->text.result)
		s->has_text = false; /* the block that begins behind it */
	return s->has_text ? NULL : words_of_block(f, r, s->address - to, s->step);
}

/* One pass over the calls before s->step. */
static char *search_calls(struct finder *f, struct search *s)
{
	struct reading r = { .step = s->step };

	for (uint64_t left = reverse_index_limits(f->index)->origin_calls; left > 0; left--) {
		char *words =
			cause_reading_before(f, r.step, &r) ? consider_reading(f, s, &r) : NULL;

		s->since = words ? r.step : 0;
		if (words || r.step == UINT64_MAX || !r.called)
			return words;
	}
	return NULL;
}

char *cause_origin(struct finder *f, uint64_t step, const struct reverse_index_place *place,
		   uint64_t *since)
{
	struct search s = { .address = place->address, .step = step };
	char *words;

	if (!f->origins)
		f->origins = cause_origins_new(f->point);
	for (uint64_t copies = 0;; copies++) {
		words = search_calls(f, &s);
		if (words || !s.has_text || copies == reverse_index_limits(f->index)->origin_copies)
			break;
		s.address = s.text.argument[1] + (s.address - s.text.result);
		s.step = s.text.step;
		s.has_text = s.has_variable = false;
	}
	if (since)
		*since = s.since;
	if (words)
		return words;
	words = of_arguments(f, s.step, s.address, s.has_variable ? s.variable.result : 0);
	return words || !s.has_variable
		       ? words
		       : words_of_block(f, &s.variable, s.address - s.variable.result, s.step);
}

/* What a register that passes arguments was set to since the last call; calls do not keep them. */
static bool was_given(struct finder *f, uint64_t call, unsigned argument, uint64_t since,
		      uint64_t *value)
{
	static const enum trace_reg order[] = { TRACE_RDI, TRACE_RSI, TRACE_RDX,
						TRACE_RCX, TRACE_R8,  TRACE_R9 };
	const struct reverse_index_place place = { .reg = order[argument - 1] };
	struct reverse_index_event event;
	uint64_t writer;

	return reverse_index_find(f->index, &place, call, &writer, &event) == INDEX_WRITTEN &&
	       (since == UINT64_MAX || writer > since) &&
	       library_argument(f->index, call, argument, value);
}

/* The last call of a library's function before the step; the registers that pass arguments to the
 * next one are set behind it. */
static uint64_t library_call_before(struct finder *f, uint64_t call)
{
	const uint64_t before = cause_last_call_of(f, f->origins->others, call),
		       reader = cause_last_call_of(f, f->origins->pcs, call);

	return before == UINT64_MAX || (reader != UINT64_MAX && reader > before) ? reader : before;
}

uint64_t cause_call_given(struct finder *f, uint64_t object, uint64_t step)
{
	uint64_t call = step;

	for (uint64_t left = reverse_index_limits(f->index)->origin_calls; left > 0; left--) {
		uint64_t given;

		call = library_call_before(f, call);
		for (unsigned i = 1; call != UINT64_MAX && i <= 6; i++)
			if (was_given(f, call, i, library_call_before(f, call), &given) &&
			    given == object)
				return call;
		if (call == UINT64_MAX)
			break;
	}
	return UINT64_MAX;
}

/* Was a function of which nothing is known given a place of the stack?  It may find others there.
 */
static bool was_given_away(struct finder *f, uint64_t step)
{
	uint64_t call = cause_last_call_of(f, f->origins->others, step);

	for (uint64_t left = reverse_index_limits(f->index)->origin_calls; left > 0; left--) {
		uint64_t before, given, rsp;

		if (call == UINT64_MAX)
			return false;
		before = library_call_before(f, call);
		rsp = reverse_index_at(f->index, call)->rsp;
		for (unsigned i = 1; i <= 6; i++)
			if (was_given(f, call, i, before, &given) && given >= rsp &&
			    given < trace_point_stack(f->point))
				return true;
		call = cause_last_call_of(f, f->origins->others, call);
	}
	return true;
}

bool cause_is_leftover(struct finder *f, uint64_t step, const struct reverse_index_place *place)
{
	struct library_write call;

	if (!f->origins)
		f->origins = cause_origins_new(f->point);
	return !(f->writers && library_write_before(f->writers, place, step, &call)) &&
	       !was_scanned(f, step, place->address) && !was_given_away(f, step);
}

/* A `switch' may load where its cases are from a table. */
static bool is_table_of_jumps(struct finder *f, uint64_t step,
			      const struct reverse_index_place *place)
{
	enum { LOAD_TO_JUMP = 8 };
	const uint64_t end = MIN(step + LOAD_TO_JUMP, reverse_index_steps(f->index));
	const struct reverse_index_step s = *reverse_index_at(f->index, step);
	const struct reverse_index_insn *info = reverse_index_insn_of(f->index, &s);

	if (image_is_writable(info->module->image, place->address - info->module->bias))
		return false;
	for (uint64_t i = step; i < end; i++) {
		const struct reverse_index_step next = *reverse_index_at(f->index, i);

		info = reverse_index_insn_of(f->index, &next);
		if (info->insn->flow == TRACE_FLOW_JUMP_IND)
			return true;
	}
	return false;
}

bool cause_is_plumbing(struct finder *f, uint64_t step, const struct reverse_index_place *place)
{
	struct reading r = { .step = step };

	if (is_table_of_jumps(f, step, place))
		return true;
	if (!f->origins)
		f->origins = cause_origins_new(f->point);
	for (uint64_t left = reverse_index_limits(f->index)->origin_calls; left > 0; left--) {
		uint64_t table;

		if (!cause_reading_before(f, r.step, &r))
			return false;
		if (r.called->input != LIBRARY_HAS_TABLE)
			continue;
		if (place->address == r.result)
			return true;
		if (trace_point_read_before(f->point, step, r.result, 8, &table) &&
		    place->address - table + CTYPE_TABLE < 2 * CTYPE_TABLE)
			return true;
	}
	return false;
}

char *cause_origin_of_result(struct finder *f, uint64_t call)
{
	struct reading r = { .step = call + 1 };
	g_autofree char *name = NULL;

	if (!f->origins)
		f->origins = cause_origins_new(f->point);
	if (!cause_reading_before(f, r.step, &r) || r.step != call)
		return NULL;
	switch (r.called->input) {
	case LIBRARY_READS_CHARACTER:
		return (int32_t)r.result < 0 ? NULL : cause_file_words(f, &r, 0, 0);
	case LIBRARY_FINDS_VARIABLE:
		name = r.known[1] ? cause_text_in_memory(f, call, r.argument[1]) : NULL;
		return name ? g_strdup_printf("the environment variable %s", name)
			    : g_strdup("of the environment");
	case LIBRARY_IS_CLOCK:
		return r.called->filled ? NULL : g_strdup("the clock");
	case LIBRARY_IS_RANDOM:
		return r.called->filled ? NULL : g_strdup("a random number");
	default:
		return NULL;
	}
}
