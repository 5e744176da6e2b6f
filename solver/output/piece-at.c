/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/output/piece-at.h"
#include "solver/output/arguments.h"

struct known_piece {
	struct printed_piece piece;
	char *text;	 /* NULL = not known */
	uint64_t length; /* UINT64_MAX = not known */
};

static void clear_known_piece(gpointer data)
{
	g_free(((struct known_piece *)data)->text);
}

static bool is_text_of_file(const struct trace_module *module, uint64_t address)
{
	uint8_t byte;
	bool writable;

	return image_initial(module->image, address - module->bias, 1, &byte, &writable) &&
	       !writable;
}

static struct known_piece known_piece_of(const struct arguments *a, const struct printed_piece *p)
{
	const enum directive_kind kind = p->directive.kind;
	struct known_piece k = { .piece = *p, .length = UINT64_MAX };
	size_t length = 0;

	/* untraced code may have written what a string points to */
	if (kind != DIRECTIVE_STRING || is_text_of_file(a->module, p->bits))
		k.text = arguments_print(a, p, &length);
	if (kind == DIRECTIVE_BYTES)
		g_clear_pointer(&k.text, g_free);
	if (k.text)
		k.length = length;
	if (kind == DIRECTIVE_BYTES)
		k.length = p->directive.length;
	return k;
}

/* NULL: they are not known. */
static GArray *known_pieces_of_call(const struct trace_cursor *cursor,
				    const struct trace_module *module,
				    const struct trace_insn *insn, const char *name)
{
	GArray *pieces = g_array_new(FALSE, TRUE, sizeof(struct known_piece));
	struct arguments a;
	bool known = arguments_begin(&a, cursor, module, insn, name);

	g_array_set_clear_func(pieces, clear_known_piece);
	if (!known)
		return g_array_unref(pieces), NULL;
	for (struct printed_piece p; arguments_next(&a, &p);) {
		const struct known_piece k = known_piece_of(&a, &p);

		g_array_append_val(pieces, k);
	}
	known = !a.failed;
	arguments_end(&a);
	if (!known)
		g_clear_pointer(&pieces, g_array_unref);
	return pieces;
}

static const struct known_piece *known_piece_number(const GArray *pieces, guint i)
{
	return &g_array_index(pieces, struct known_piece, i);
}

/* The number of the piece that made the byte, counted from the beginning, or of the first whose
 * length is not known.  *from: where it begins. */
static guint find_piece_forward(const GArray *pieces, uint64_t at, uint64_t *from)
{
	guint i = 0;

	for (*from = 0; i < pieces->len; *from += known_piece_number(pieces, i++)->length)
		if (known_piece_number(pieces, i)->length == UINT64_MAX ||
		    at - *from < known_piece_number(pieces, i)->length)
			break;
	return i;
}

/* The same from the end, where *to is; the number behind it. */
static guint find_piece_backward(const GArray *pieces, uint64_t length, uint64_t at, uint64_t *to)
{
	guint i = pieces->len;

	for (*to = length; i > 0; *to -= known_piece_number(pieces, --i)->length)
		if (known_piece_number(pieces, i - 1)->length > *to ||
		    *to - known_piece_number(pieces, i - 1)->length <= at)
			break;
	return i;
}

static void take_known_piece(const struct known_piece *k, uint64_t offset, struct piece_at *out)
{
	*out = (struct piece_at){ .piece = k->piece, .offset = offset, .byte = -1 };
	if (k->text && offset < k->length)
		out->byte = (uint8_t)k->text[offset];
}

static bool find_known_piece(const GArray *pieces, uint64_t length, uint64_t at,
			     struct piece_at *out)
{
	uint64_t from, to;
	guint first = find_piece_forward(pieces, at, &from), last;

	if (first == pieces->len)
		return false;
	if (known_piece_number(pieces, first)->length != UINT64_MAX ||
	    (length == UINT64_MAX && pieces->len == 1)) {
		take_known_piece(known_piece_number(pieces, first), at - from, out);
		return true;
	}
	if (length == UINT64_MAX)
		return false;
	last = find_piece_backward(pieces, length, at, &to);
	if (!last || last - 1 < first)
		return false;
	if (known_piece_number(pieces, last - 1)->length == UINT64_MAX && last - 1 > first)
		return false;
	if (last - 1 > first)
		from = to - known_piece_number(pieces, last - 1)->length;
	take_known_piece(known_piece_number(pieces, last - 1), at - from, out);
	return true;
}

/* What is printed is as long as its pieces, where these are known. */
static bool have_pieces_length(const GArray *pieces, uint64_t length)
{
	uint64_t sum = 0;

	for (guint i = 0; i < pieces->len; i++) {
		if (known_piece_number(pieces, i)->length == UINT64_MAX)
			return true;
		sum += known_piece_number(pieces, i)->length;
	}
	return length == UINT64_MAX || sum == length;
}

bool piece_at(const struct trace_cursor *cursor, const struct trace_module *module,
	      const struct trace_insn *insn, const char *name, uint64_t length, uint64_t at,
	      struct piece_at *out)
{
	GArray *pieces = known_pieces_of_call(cursor, module, insn, name);
	bool found = pieces && at < length && have_pieces_length(pieces, length) &&
		     find_known_piece(pieces, length, at, out);

	if (pieces)
		g_array_unref(pieces);
	return found;
}
