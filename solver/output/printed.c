/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/output/printed.h"
#include "solver/output/arguments.h"
#include "solver/output/inlined-put.h"
#include "solver/output/styled.h"
#include "solver/base/hash.h"
#include "solver/trace/superblock/memory-streams.h"

#include <string.h>

/* ---- what a call prints ---- */

static GArray *new_pieces(void)
{
	return g_array_new(FALSE, TRUE, sizeof(struct printed_piece));
}

/* All that is known is which bytes they are. */
static void make_opaque(struct printed_call *call)
{
	struct printed_piece whole = {
		.directive = { .kind = DIRECTIVE_OPAQUE },
		.width = DIRECTIVE_NONE,
		.precision = DIRECTIVE_NONE,
		.from = call->from,
		.to = call->to,
	};

	g_array_set_size(call->pieces, 0);
	g_array_append_val(call->pieces, whole);
}

/* A piece with the text that it prints; .text NULL: a string that is not known. */
struct guess {
	char *text;
	size_t length; /* known without .text where .sized */
	bool sized;
};

static void clear_guess(gpointer data)
{
	g_free(((struct guess *)data)->text);
}

/* Finds the lengths of strings that are not known.  budget: comparisons that are left. */
static bool guesses_fit(const GArray *guesses, guint i, const char *text, size_t left,
			size_t *lengths, uint64_t *budget)
{
	const struct guess *g;

	if (i == guesses->len)
		return !left;
	g = &g_array_index(guesses, struct guess, i);
	if (g->text) {
		lengths[i] = g->length;
		return g->length <= left && memcmp(g->text, text, g->length) == 0 &&
		       guesses_fit(guesses, i + 1, text + g->length, left - g->length, lengths,
				   budget);
	}
	if (g->sized) {
		lengths[i] = g->length;
		return g->length <= left && guesses_fit(guesses, i + 1, text + g->length,
							left - g->length, lengths, budget);
	}
	for (size_t n = i + 1 == guesses->len ? left : 0; n <= left && *budget; n++) {
		--*budget;
		lengths[i] = n;
		if (guesses_fit(guesses, i + 1, text + n, left - n, lengths, budget))
			return true;
	}
	return false;
}

/* Strings may have been changed by untraced code, so what traced code knows of them need not be
 * what was printed. */
static void forget_strings(const struct printed_call *call, GArray *guesses)
{
	for (guint i = 0; i < guesses->len; i++) {
		const struct printed_piece *p =
			&g_array_index(call->pieces, struct printed_piece, i);

		if (p->directive.kind == DIRECTIVE_STRING || p->directive.kind == DIRECTIVE_BYTES)
			g_clear_pointer(&g_array_index(guesses, struct guess, i).text, g_free);
	}
}

/* A value that its stream printed otherwise than by default. */
static bool restyle_piece(const struct printed_call *call, const GArray *guesses, const char *text,
			  size_t length, size_t *lengths)
{
	const struct guess *g = &g_array_index(guesses, struct guess, 0);

	lengths[0] = length;
	return call->pieces->len == 1 &&
	       styled_fit(&g_array_index(call->pieces, struct printed_piece, 0), g->text, g->length,
			  text, length);
}

static bool place_pieces(struct printed_call *call, GArray *guesses, const char *text,
			 const struct limits *limits)
{
	g_autofree size_t *lengths = g_new0(size_t, guesses->len + 1);
	size_t left = (size_t)(call->to - call->from);
	uint64_t budget = limits_or_default(limits)->output_lengths;
	uint64_t at = call->from;

	if (!guesses_fit(guesses, 0, text, left, lengths, &budget) &&
	    !restyle_piece(call, guesses, text, left, lengths)) {
		forget_strings(call, guesses);
		if (!guesses_fit(guesses, 0, text, left, lengths, &budget))
			return false;
	}
	for (guint i = 0; i < call->pieces->len; i++) {
		struct printed_piece *p = &g_array_index(call->pieces, struct printed_piece, i);

		p->from = at;
		at += lengths[i];
		p->to = at;
	}
	return true;
}

/* Takes the call apart; the cursor stands before it. */
static void take_call_apart(struct printed_call *call, const struct trace_cursor *cursor,
			    GArray *guesses)
{
	struct arguments a;
	unsigned value = 0;

	call->pieces = new_pieces();
	if (!arguments_begin(&a, cursor, call->module, call->insn, call->name))
		return;
	for (struct printed_piece p; arguments_next(&a, &p);) {
		struct guess g = { 0 };

		g.text = arguments_print(&a, &p, &g.length);
		g.sized = p.directive.kind == DIRECTIVE_BYTES;
		if (g.sized)
			g.length = p.directive.length;
		value += (p.directive.width == DIRECTIVE_STAR) +
			 (p.directive.precision == DIRECTIVE_STAR);
		p.value = value;
		value += p.directive.kind != DIRECTIVE_TEXT;
		g_array_append_val(call->pieces, p);
		g_array_append_val(guesses, g);
	}
	if (a.failed)
		g_array_set_size(call->pieces, 0);
	arguments_end(&a);
}

/* ---- texts that were made in memory ---- */

/* A call of sprintf's kin, the last one to that address; or one that printed to a stream. */
struct formatted {
	uint64_t address;	   /* of a stream: the call's step */
	struct printed_call *call; /* the struct printed's */
	GArray *guesses;
	uint64_t length; /* of what it made */
};

/* What a text in memory consists of. */
struct text_parts {
	GArray *pieces;	 /* struct printed_piece, each .made_by some call */
	GArray *guesses; /* struct guess */
};

static void formatted_free(gpointer data)
{
	struct formatted *f = data;

	g_array_free(f->guesses, TRUE);
	g_free(f);
}

/* What the call returned, less what found no room; where: as control came to it. */
static uint64_t length_of_made(const struct trace_cursor *where, const struct trace_cursor *behind,
			       const char *name)
{
	const uint64_t length = trace_cursor_reg(behind, TRACE_RAX) & UINT32_MAX,
		       room = trace_cursor_reg(where, TRACE_RSI);
	const bool bounded = strstr(name, "snprintf") != NULL;

	return bounded && room && length >= room ? room - 1 : length;
}

static struct text_parts new_text_parts(void)
{
	struct text_parts parts = { new_pieces(), g_array_new(FALSE, TRUE, sizeof(struct guess)) };

	g_array_set_clear_func(parts.guesses, clear_guess);
	return parts;
}

static void free_text_parts(struct text_parts *parts)
{
	g_array_unref(parts->pieces);
	g_array_unref(parts->guesses);
}

/* A call of which nothing is known is one piece. */
static void add_text_part(struct text_parts *parts, const struct formatted *f)
{
	struct printed_piece opaque = { .directive = { .kind = DIRECTIVE_OPAQUE },
					.width = DIRECTIVE_NONE,
					.precision = DIRECTIVE_NONE,
					.made_by = f->call };
	const struct guess unknown = { 0 };

	for (guint i = 0; i < f->call->pieces->len; i++) {
		struct printed_piece p = g_array_index(f->call->pieces, struct printed_piece, i);
		struct guess g = g_array_index(f->guesses, struct guess, i);

		p.made_by = f->call;
		g.text = g.text ? g_memdup2(g.text, g.length + 1) : NULL;
		g_array_append_val(parts->pieces, p);
		g_array_append_val(parts->guesses, g);
	}
	if (f->call->pieces->len)
		return;
	g_array_append_val(parts->pieces, opaque);
	g_array_append_val(parts->guesses, unknown);
}

/* A string that earlier calls made is replaced by the pieces of those calls. */
static void put_in_place(GArray *pieces, guint at, struct text_parts *parts, const char *text,
			 const struct limits *limits)
{
	const struct printed_piece whole = g_array_index(pieces, struct printed_piece, at);
	struct printed_call made = { .from = whole.from, .to = whole.to, .pieces = parts->pieces };

	if (!parts->pieces->len || !place_pieces(&made, parts->guesses, text, limits))
		return;
	g_array_remove_index(pieces, at);
	g_array_insert_vals(pieces, at, parts->pieces->data, parts->pieces->len);
}

/* ---- the run ---- */

struct count {
	uint64_t pc, n;
};

struct finding {
	struct printed *p;
	struct trace_run *run;
	const struct trace_output *notes;
	size_t n_notes, next;
	uint64_t written[PRINTED_STREAMS];
	GHashTable *counts;    /* uint64_t * pc → struct count */
	GHashTable *formatted; /* uint64_t * address → struct formatted */
	struct memory_streams *streams;
	GHashTable *streamed; /* uint64_t * step → struct formatted: of calls that print to them */
	struct inlined_puts *puts;
};

/* The calls that printed what the stream shows last; none where something else may have been done
 * with it, or there are too many. */
static void add_parts_of_stream(const struct finding *f, const struct memory_stream *m,
				struct text_parts *parts)
{
	const uint64_t most = limits_or_default(f->p->limits)->output_pieces;
	const struct memory_stream_show *last =
		&g_array_index(m->shows, struct memory_stream_show, m->shows->len - 1);
	bool known = last->is_known;

	for (unsigned i = 0; i < last->calls && known; i++) {
		const struct memory_stream_call *call =
			&g_array_index(m->calls, struct memory_stream_call, i);
		const struct formatted *part =
			call->function ? g_hash_table_lookup(f->streamed, &call->step) : NULL;

		if (part)
			add_text_part(parts, part);
		known = (part || !call->function) && parts->pieces->len <= most;
	}
	if (!known)
		g_array_set_size(parts->pieces, 0);
}

/* What the text at the address consists of that the piece printed; the program may have made it
 * longer or shorter since. */
static void add_parts_of_text(const struct finding *f, const struct printed_piece *p,
			      struct text_parts *parts)
{
	const struct formatted *made = g_hash_table_lookup(f->formatted, &p->bits);
	const struct memory_stream *m = memory_streams_with_text(f->streams, p->bits);

	if (made && made->length == p->to - p->from)
		add_text_part(parts, made);
	else if (!made && m)
		add_parts_of_stream(f, m, parts);
}

static void open_strings(const struct finding *f, const GString *text, GArray *pieces)
{
	for (guint i = pieces->len; i > 0; i--) {
		const struct printed_piece *p = &g_array_index(pieces, struct printed_piece, i - 1);
		struct text_parts parts = new_text_parts();

		if ((p->directive.kind == DIRECTIVE_STRING ||
		     p->directive.kind == DIRECTIVE_BYTES) &&
		    p->width < 0 && p->precision < 0)
			add_parts_of_text(f, p, &parts);
		put_in_place(pieces, i - 1, &parts, text->str + p->from, f->p->limits);
		free_text_parts(&parts);
	}
}

static uint64_t count_call(struct finding *f, uint64_t pc)
{
	struct count *c = g_hash_table_lookup(f->counts, &pc);

	if (!c) {
		c = g_new0(struct count, 1);
		c->pc = pc;
		g_hash_table_insert(f->counts, &c->pc, c);
	}
	return ++c->n;
}

static void printed_call_free(gpointer data)
{
	struct printed_call *call = data;

	if (call->pieces)
		g_array_free(call->pieces, TRUE);
	g_free(call);
}

static const char *text_of_printed_call(const struct finding *f, const struct printed_call *call)
{
	const GString *text = f->p->text[call->stream];

	return call->to <= text->len ? text->str + call->from : NULL;
}

/* A file was emptied, or is written anew from there on: what was printed behind that is gone. */
static void go_back(struct finding *f, unsigned stream, uint64_t to)
{
	GPtrArray *calls = f->p->calls[stream];

	while (calls->len && ((struct printed_call *)calls->pdata[calls->len - 1])->to > to)
		g_ptr_array_remove_index(calls, calls->len - 1);
	f->written[stream] = to;
}

/* The note tells of this call; it may have written to both. */
static void add_printed_call(struct finding *f, const struct printed_call *made, GArray *guesses,
			     const struct trace_output *note)
{
	for (unsigned s = 0; s < PRINTED_STREAMS; s++) {
		struct printed_call *call;
		const char *text;

		if (note->written[s] < f->written[s])
			go_back(f, s, note->written[s]);
		if (note->written[s] == f->written[s])
			continue;
		call = g_memdup2(made, sizeof(*made));
		call->stream = s;
		call->from = f->written[s];
		call->to = note->written[s];
		call->pieces = g_array_copy(made->pieces);
		f->written[s] = call->to;
		text = text_of_printed_call(f, call);
		if (!text || !call->pieces->len || !place_pieces(call, guesses, text, f->p->limits))
			make_opaque(call);
		else
			open_strings(f, f->p->text[s], call->pieces);
		g_ptr_array_add(f->p->calls[s], call);
	}
}

/* What traced code itself put into stdio's buffer, up to the byte. */
static void add_inlined_puts(struct finding *f, unsigned stream, uint64_t to)
{
	const GString *text = f->p->text[stream];
	const uint64_t from = f->written[stream];
	const GArray *puts = from < to && to <= text->len
				     ? inlined_puts_of_text(f->puts, text->str + from, to - from)
				     : NULL;

	for (guint i = 0; puts && i < puts->len; i++) {
		struct printed_call *call = g_memdup2(&g_array_index(puts, struct printed_call, i),
						      sizeof(struct printed_call));
		struct printed_piece piece = inlined_put_piece(call);

		call->stream = stream;
		call->from = piece.from = from + i;
		call->to = piece.to = from + i + 1;
		piece.bits = (uint8_t)text->str[from + i];
		call->pieces = new_pieces();
		g_array_append_val(call->pieces, piece);
		g_ptr_array_add(f->p->calls[stream], call);
	}
}

/* What is told before the step was printed by no call. */
static void take_output_notes(struct finding *f, uint64_t step)
{
	for (; f->next < f->n_notes; f->next++) {
		const struct trace_output *note = &f->notes[f->next];

		if (note->insns > step + 1 || (note->insns == step + 1 && note->native))
			return;
		for (unsigned s = 0; s < PRINTED_STREAMS; s++) {
			if (note->written[s] < f->written[s])
				go_back(f, s, note->written[s]);
			add_inlined_puts(f, s, note->written[s]);
			f->written[s] = note->written[s];
		}
		inlined_puts_forget(f->puts);
	}
}

/* May it make a text in memory? */
static bool may_make_text(const struct finding *f, const char *name)
{
	const struct library_function *called = library_find(name);

	return library_formats_memory(name) || (memory_streams_count(f->streams) && called &&
						called->uses == LIBRARY_STREAM_PRINTS);
}

static const char *name_of_call(const struct finding *f, const struct trace_cursor *cursor)
{
	uint64_t link = 0, pc = trace_cursor_pc(cursor);
	const struct trace_module *m = pc ? trace_run_module_at(f->run, pc, &link) : NULL;
	const struct trace_insn *insn = m ? image_insn_at(m->image, link) : NULL;

	return insn && insn->flow == TRACE_FLOW_CALL ? image_native_name(m->image, insn->target)
						     : NULL;
}

/* Takes guesses.  among: .formatted or .streamed. */
static void keep_formatted(struct finding *f, GHashTable *among, const struct printed_call *made,
			   uint64_t address, GArray *guesses, uint64_t length)
{
	struct formatted *entry = g_new0(struct formatted, 1);

	entry->address = address;
	entry->call = g_memdup2(made, sizeof(*made));
	entry->guesses = guesses;
	entry->length = length;
	g_ptr_array_add(f->p->formatted, entry->call);
	g_hash_table_replace(among, &entry->address, entry);
}

static bool has_room_for_call(const struct finding *f)
{
	return g_hash_table_size(f->streamed) < limits_or_default(f->p->limits)->streams_calls;
}

/* One instruction, which may be a call of what is not traced. */
static int take_next_call(struct finding *f, struct trace_cursor *cursor, uint64_t number,
			  GError **error)
{
	const struct trace_output *note = NULL;
	GArray *guesses = g_array_new(FALSE, TRUE, sizeof(struct guess));
	struct trace_cursor *before = NULL;
	struct trace_step step = { 0 };
	struct printed_call call = { .step = number };
	const bool makes = may_make_text(f, name_of_call(f, cursor));
	bool streams = false;
	int r;

	g_array_set_clear_func(guesses, clear_guess);
	take_output_notes(f, number);
	if (f->next < f->n_notes && f->notes[f->next].insns == number + 1)
		note = &f->notes[f->next];
	if (note || makes)
		before = trace_cursor_copy(cursor);
	memory_streams_before(f->streams, cursor);
	r = trace_cursor_step(cursor, &step, error);
	if (r == 1)
		streams = memory_streams_step(f->streams, cursor, &step, number);
	if (r == 1 && (step.exit_kind == TRACE_EXIT_NATIVE || step.exit_kind == TRACE_EXIT_AWAY))
		call.nth = count_call(f, step.pc);
	if (r == 1 && before) {
		call.pc = step.pc;
		call.module = step.module;
		call.insn = step.insn;
		call.name = step.native_name;
		take_call_apart(&call, before, guesses);
	}
	if (r == 1 && note) {
		while (f->next < f->n_notes && f->notes[f->next].insns == number + 1)
			add_printed_call(f, &call, guesses, &f->notes[f->next++]);
		g_clear_pointer(&call.pieces, g_array_unref);
	} else if (r == 1 && streams && before && has_room_for_call(f)) {
		keep_formatted(f, f->streamed, &call, number, g_steal_pointer(&guesses), 0);
	} else if (r == 1 && before && library_formats_memory(call.name)) {
		keep_formatted(f, f->formatted, &call, trace_cursor_reg(before, TRACE_RDI),
			       g_steal_pointer(&guesses),
			       length_of_made(before, cursor, call.name));
	} else if (call.pieces) {
		g_array_unref(call.pieces);
	}
	g_clear_pointer(&guesses, g_array_unref);
	trace_cursor_free(before);
	return r;
}

static int take_inlined_put(struct finding *f, struct trace_cursor *cursor, uint64_t number,
			    GError **error)
{
	const uint64_t pc = trace_cursor_pc(cursor);
	const struct printed_call made = { .step = number, .pc = pc, .nth = count_call(f, pc) };

	inlined_puts_take(f->puts, cursor, &made);
	return take_next_call(f, cursor, number, error);
}

static bool find_printed_calls(struct finding *f, GError **error)
{
	struct lift *lift = lift_new();
	struct superblocks *superblocks = superblocks_new(inlined_puts_stand_at, f->puts);
	struct trace_cursor *cursor = trace_cursor_new(f->run, trace_run_chosen(f->run), lift);
	struct superblock_run piece;
	int more = 1;

	while (more > 0) {
		if (inlined_puts_stood_at(f->puts, trace_cursor_pc(cursor))) {
			more = take_inlined_put(f, cursor, f->p->steps, error);
			f->p->steps += more == 1;
			continue;
		}
		more = superblocks_run(superblocks, cursor, &piece, error);
		if (more == 1) {
			f->p->steps += piece.n;
			memory_streams_superblock(f->streams, cursor, &piece, f->p->steps);
		} else if (more == 0) {
			more = take_next_call(f, cursor, f->p->steps, error);
			f->p->steps += more == 1;
		}
	}
	trace_cursor_free(cursor);
	superblocks_free(superblocks);
	lift_free(lift);
	return more == 0;
}

static GString *read_text_of_file(const char *path)
{
	g_autofree char *text = NULL;
	gsize length = 0;

	if (!path || !g_file_get_contents(path, &text, &length, NULL))
		return g_string_new(NULL);
	return g_string_new_len(text, (gssize)length);
}

struct printed *printed_new(struct trace_run *run, const char *out, const char *err,
			    const struct limits *limits, GError **error)
{
	struct printed *p = g_new0(struct printed, 1);
	struct finding f = { .p = p, .run = run };
	bool ok;

	p->limits = limits;
	p->formatted = g_ptr_array_new_with_free_func(printed_call_free);
	f.formatted = g_hash_table_new_full(hash_u64, g_int64_equal, NULL, formatted_free);
	f.streamed = g_hash_table_new_full(hash_u64, g_int64_equal, NULL, formatted_free);
	f.streams = memory_streams_new(limits_or_default(limits));
	f.puts = inlined_puts_new(run);
	for (unsigned s = 0; s < PRINTED_STREAMS; s++) {
		p->calls[s] = g_ptr_array_new_with_free_func(printed_call_free);
		p->text[s] = read_text_of_file(s == PRINTED_OUT ? out : err);
	}
	f.n_notes = trace_run_output(run, trace_run_chosen(run), &f.notes);
	f.counts = g_hash_table_new_full(hash_u64, g_int64_equal, NULL, g_free);
	ok = find_printed_calls(&f, error);
	g_hash_table_destroy(f.counts);
	g_hash_table_destroy(f.formatted);
	g_hash_table_destroy(f.streamed);
	memory_streams_free(f.streams);
	inlined_puts_free(f.puts);
	if (!ok)
		g_clear_pointer(&p, printed_free);
	return p;
}

void printed_free(struct printed *p)
{
	for (unsigned s = 0; p && s < PRINTED_STREAMS; s++) {
		g_ptr_array_free(p->calls[s], TRUE);
		g_string_free(p->text[s], TRUE);
	}
	if (p)
		g_ptr_array_free(p->formatted, TRUE);
	g_free(p);
}

const struct printed_call *printed_call_at(const struct printed *p, unsigned stream, uint64_t at)
{
	const GPtrArray *calls = p->calls[stream];
	guint lo = 0, hi = calls->len;

	while (lo < hi) {
		guint mid = lo + (hi - lo) / 2;
		const struct printed_call *call = calls->pdata[mid];

		if (at < call->from)
			hi = mid;
		else if (at >= call->to)
			lo = mid + 1;
		else
			return call;
	}
	return NULL;
}
