/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/change/source/mutant-maker.h"

#include "solver/change/code/code-piece-private.h"
#include "solver/image/variable/variable.h"

struct mutant_maker *mutant_maker_new(const struct image *im, struct expression_texts *texts,
				      const struct limits *limits)
{
	struct mutant_maker *m = g_new0(struct mutant_maker, 1);

	m->im = im;
	m->limits = limits;
	m->texts = texts;
	m->kept = g_ptr_array_new_with_free_func(g_free);
	m->words = g_string_chunk_new(256);
	m->countings = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	return m;
}

void mutant_maker_free(struct mutant_maker *m)
{
	if (!m)
		return;
	g_ptr_array_unref(m->kept);
	g_string_chunk_free(m->words);
	g_hash_table_destroy(m->countings);
	g_free(m);
}

struct code_piece *mutant_maker_piece(struct mutant_maker *m)
{
	struct code_piece *piece = g_new0(struct code_piece, 1);

	g_ptr_array_add(m->kept, piece);
	return piece;
}

struct mutant *mutant_maker_mutant(struct mutant_maker *m)
{
	struct mutant *made = g_new0(struct mutant, 1);

	g_ptr_array_add(m->kept, made);
	return made;
}

void mutant_maker_put(struct mutant_maker *x, const struct trace_insn *insn, const char *text,
		      enum mutant_kind kind, mutant_maker_write *write, const char *format,
		      GArray *all)
{
	struct code_statement *s = code_statement_new(x->im, insn->addr, text, x->limits);
	struct code_piece *piece = mutant_maker_piece(x);
	struct mutant made = {
		.kind = kind, .addr = insn->addr, .length = insn->length, .piece = piece
	};
	/* NOLINTNEXTLINE(clang-diagnostic-format-nonliteral): the caller's */
	g_autofree char *words = g_strdup_printf(format, text);
	size_t avail = 0;
	const uint8_t *now = image_bytes(x->im, insn->addr, &avail);

	made.words = g_string_chunk_insert_const(x->words, words);
	if (s && now && avail >= insn->length && write(piece, insn, now, s))
		g_array_append_val(all, made);
	code_statement_free(s);
}

bool mutant_maker_write_before(struct code_piece *c, const struct trace_insn *insn,
			       const uint8_t *now, const struct code_statement *s)
{
	return code_piece_save(c) && code_statement_put(c, s) && code_piece_restore(c) &&
	       code_piece_insns(c, now, insn->length, insn->addr);
}

void mutant_maker_put_before(struct mutant_maker *x, const struct trace_insn *insn,
			     const char *text, enum mutant_kind kind, GArray *all)
{
	mutant_maker_put(x, insn, text, kind, mutant_maker_write_before, "`%s' put before it", all);
}

const struct source *mutant_maker_source(struct mutant_maker *m, uint64_t addr, size_t *at)
{
	const struct image_row *row = image_row_at(m->im, addr);
	const struct image_statement *st = row ? image_statement(m->im, row->statement) : NULL;
	const struct source *s =
		st ? sources_get(expression_texts_sources(m->texts), st->file) : NULL;

	return s && source_place(s, st->line, st->column, at) ? s : NULL;
}

char *mutant_maker_line(struct mutant_maker *x, uint64_t addr)
{
	size_t at, end;
	const struct source *s = mutant_maker_source(x, addr, &at);

	if (!s)
		return NULL;
	while (at && s->code[at - 1] != '\n')
		at--;
	for (end = at; end < s->length && s->code[end] != '\n'; end++)
		;
	return source_text(s, (struct source_span){ at, end });
}

bool mutant_maker_line_begins(struct mutant_maker *x, uint64_t addr, const char *word)
{
	size_t at;
	const struct source *s = mutant_maker_source(x, addr, &at);

	if (!s)
		return false;
	while (at && s->code[at - 1] != '\n')
		at--;
	at = source_skip(s, at);
	while (s->code[at] == '}' || s->code[at] == '{' || source_has_word(s, at, "else"))
		at = source_skip(s, at + (s->code[at] == 'e' ? strlen("else") : 1));
	return source_has_word(s, at, word);
}

bool mutant_maker_opens_loop(const struct source *s, size_t brace, bool or_do)
{
	size_t end = source_end_before(s, brace), from;

	if (end >= 2 && source_has_word(s, end - 2, "do"))
		return or_do;
	if (!end || s->code[end - 1] != ')')
		return false;
	from = source_opening(s, end - 1);
	from = from == SIZE_MAX ? 0 : source_end_before(s, from);
	while (from && source_is_word(s->code[from - 1]))
		from--;
	return source_has_word(s, from, "while") || source_has_word(s, from, "for");
}

bool mutant_maker_is_global(const struct mutant_maker *x, const char *name)
{
	const struct image_variable *const *globals;
	size_t n = image_globals(x->im, &globals);

	for (size_t i = 0; i < n; i++)
		if (g_strcmp0(globals[i]->name, name) == 0)
			return true;
	return false;
}
