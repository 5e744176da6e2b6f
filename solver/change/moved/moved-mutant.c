/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/change/moved/moved-mutant.h"

#include "solver/change/code/code-piece-private.h"
#include "solver/change/missing/missing-way.h"
#include "solver/change/moved/moved-code.h"
#include "solver/image/variable/variable.h"
#include "solver/source/operand-text.h"

#include <string.h>

/* The moved code is passed over where it stands, and executed before the instruction at `where'. */
static void add_moved(struct mutant_maker *x, const struct moved *m, uint64_t where,
		      const char *words, GArray *all)
{
	static const uint8_t jump[] = { 0xe9 };
	struct code_piece *over = mutant_maker_piece(x);
	struct mutant *there = mutant_maker_mutant(x), here;

	if (!moved_execute_before(x, m, where, words, there) ||
	    !code_piece_jump(over, jump, sizeof jump, m->to))
		return;
	here = moved_mutant_at(image_insn_at(x->im, m->from), over, there->words);
	here.also = there;
	g_array_append_val(all, here);
}

/* ---- the statements ---- */

/* Where the statement begins that this line begins with; false: it begins with none. */
static bool find_moved_statement(struct mutant_maker *x, uint64_t addr, struct moved *m)
{
	size_t at;

	m->from = addr;
	m->source = mutant_maker_source(x, addr, &at);
	if (!m->source || !source_place(m->source, moved_line_at(x->im, addr), 0, &at))
		return false;
	m->span.from = at;
	at = source_end_before(m->source, at);
	return at && strchr(";}", m->source->code[at - 1]) && m->source->code[m->span.from] != '}';
}

/* Does the text name a variable that nobody sees at `where', as one of the loop's block? */
static bool names_what_ends_before(struct mutant_maker *x, const struct moved *m, uint64_t where)
{
	const struct image_variable *const *all;
	const size_t n = image_variables_at(x->im, m->from, &all);
	g_autofree char *text = source_text(m->source, m->span);
	bool names = false;

	for (size_t i = 0; text && i < n && !names; i++)
		names = all[i]->function && all[i]->name &&
			(where < all[i]->scope_lo || where >= all[i]->scope_hi) &&
			operand_text_has_word(text, all[i]->name);
	return names;
}

/* ---- behind the loop ---- */

/* Does it end the body of a `for' or a `while', behind other statements? */
static void add_behind(struct mutant_maker *x, struct moved *m, GArray *all)
{
	const size_t brace = source_brace_around(m->source, m->span.from);
	const uint64_t behind = missing_way_behind_loop(x, m->function, m->from);
	g_autofree char *words = NULL;

	if (brace == SIZE_MAX || !behind || !mutant_maker_opens_loop(m->source, brace, false))
		return;
	m->span.to = source_closing(m->source, brace);
	if (m->span.to == SIZE_MAX || !moved_find_code(x, m) || behind <= m->to ||
	    names_what_ends_before(x, m, behind))
		return;
	words = m->first == m->last ? g_strdup("the line moved behind the loop")
				    : g_strdup_printf("lines %u to %u moved behind the loop",
						      m->first, m->last);
	add_moved(x, m, behind, words, all);
}

/* ---- behind the loop, too ---- */

/* Where the statement ends that begins at the place; of an `if', its first branch. */
static size_t end_of_repeated(const struct source *s, size_t at)
{
	size_t end = at;

	if (!source_has_word(s, at, "if"))
		return source_statement(s, at).to;
	end = source_skip(s, at + strlen("if"));
	end = end < s->length && s->code[end] == '(' ? source_closing(s, end) : SIZE_MAX;
	if (end == SIZE_MAX)
		return at;
	end = source_skip(s, end + 1);
	return s->code[end] == '{' ? source_closing(s, end) + 1 : source_statement(s, end).to;
}

/* The statement that the line begins with, be it behind an `else'; false: it is none that may have
 * to be executed once more. */
static bool find_repeated(struct mutant_maker *x, uint64_t addr, struct moved *m)
{
	static const char *const others[] = { "for",   "while",	 "do",	 "switch",  "case",
					      "break", "return", "goto", "continue" };
	size_t at;

	m->from = addr;
	m->source = mutant_maker_source(x, addr, &at);
	if (!m->source || !source_place(m->source, moved_line_at(x->im, addr), 0, &at))
		return false;
	if (m->source->code[at] == '}')
		at = source_skip(m->source, at + 1);
	if (source_has_word(m->source, at, "else"))
		at = source_skip(m->source, at + strlen("else"));
	for (size_t i = 0; i < G_N_ELEMENTS(others); i++)
		if (source_has_word(m->source, at, others[i]))
			return false;
	m->span = (struct source_span){ at, end_of_repeated(m->source, at) };
	return m->span.to > at && m->span.to < m->source->length;
}

/* .span and .from are known. */
static void put_repeated(struct mutant_maker *x, struct moved *m, uint64_t behind, GArray *all)
{
	g_autofree char *text = source_text(m->source, m->span), *words = NULL;
	struct mutant made;
	unsigned lines = 0;

	if (!text || !moved_find_code(x, m) || behind < m->to ||
	    names_what_ends_before(x, m, behind))
		return;
	for (size_t i = m->span.from; i < m->span.to; i++)
		lines += m->source->code[i] == '\n';
	text[strcspn(text, ";")] = '\0';
	words = lines ? g_strdup_printf("a copy of lines %u to %u put before it", m->first,
					m->first + lines)
		      : g_strdup_printf("`%s' put before it", text);
	if (!moved_execute_before(x, m, behind, words, &made))
		return;
	made.kind = MUTANT_MIRRORED;
	g_array_append_val(all, made);
}

/* The statements from there to the end of their block, where several stand in it, and it is no
 * loop's. */
static bool find_repeated_block(const struct source *s, struct source_span *span)
{
	const size_t brace = source_brace_around(s, span->from);
	size_t end = brace == SIZE_MAX ? SIZE_MAX : source_closing(s, brace);

	if (end == SIZE_MAX || source_skip(s, brace + 1) != span->from ||
	    source_skip(s, span->to) >= end || mutant_maker_opens_loop(s, brace, true))
		return false;
	while (end > span->to && g_ascii_isspace(s->code[end - 1]))
		end--;
	span->to = end;
	return true;
}

/* What a loop does at the end of each run of things is forgotten for the last one. */
static void add_repeated(struct mutant_maker *x, uint64_t addr, struct moved *m, GArray *all)
{
	const uint64_t behind = missing_way_behind_loop(x, m->function, addr);
	struct moved block;

	if (!behind || !find_repeated(x, addr, m))
		return;
	block = *m;
	put_repeated(x, m, behind, all);
	if (find_repeated_block(m->source, &block.span))
		put_repeated(x, &block, behind, all);
}

/* ---- once more, for other variables ---- */

static bool find_moved_variable(const struct image *im, const struct image_variable *v,
				uint64_t addr, int64_t *from_rbp)
{
	const uint64_t rbp = UINT64_C(1) << 32;
	const struct image_frame frame = { .pc = addr, .regs[TRACE_RBP] = rbp };
	const struct image_place p = image_locate(im, v, &frame);

	*from_rbp = (int64_t)(p.address - rbp);
	return v->function && v->type && p.kind == IMAGE_PLACE_MEMORY &&
	       *from_rbp == (int32_t)*from_rbp;
}

/* `adj[b].insert(a)' before `adj[a].insert(b)'. */
static void put_with_others(struct mutant_maker *x, struct moved *m, const char *text,
			    const struct image_variable *a, const struct image_variable *b,
			    GArray *all)
{
	g_autofree char *other = operand_text_with(text, a->name, b->name, true);
	g_autofree char *words = g_strdup_printf("`%s' put before it", other);
	struct mutant made;

	m->size = a->type->size;
	if (a->type != b->type || strcmp(other, text) == 0 ||
	    !find_moved_variable(x->im, a, m->from, &m->exchanged[0]) ||
	    !find_moved_variable(x->im, b, m->from, &m->exchanged[1]) ||
	    !moved_execute_before(x, m, m->from, words, &made))
		return;
	made.kind = MUTANT_MIRRORED;
	g_array_append_val(all, made);
}

static bool calls_something(const struct image *im, const struct moved *m)
{
	const struct trace_insn *insn = image_insn_at(im, m->from);

	while (insn && insn->addr < m->to && insn->flow != TRACE_FLOW_CALL)
		insn = moved_insn_behind(im, insn);
	return insn && insn->addr < m->to;
}

/* What is done for one of two variables has to be done for the other, too. */
static void add_with_others(struct mutant_maker *x, uint64_t addr, struct moved *m, GArray *all)
{
	const struct image_variable *const *all_there;
	const size_t n = image_variables_at(x->im, addr, &all_there);
	/* who locates one may look at others */
	g_autofree const struct image_variable **v = g_memdup2(all_there, n * sizeof(*v));
	g_autofree char *text = NULL;
	bool declares = false;

	if (!find_repeated(x, addr, m) || !moved_find_code(x, m) || m->first != m->last ||
	    !calls_something(x->im, m))
		return;
	text = source_text(m->source, m->span);
	for (size_t i = 0; i < n; i++)
		declares |= v[i]->function && v[i]->line == m->first;
	if (!text || declares)
		return;
	text[strcspn(text, ";")] = '\0';
	for (size_t i = 0; i < n; i++)
		for (size_t k = i + 1; k < n; k++)
			if (v[i]->name && v[k]->name && v[i]->function && v[k]->function &&
			    operand_text_has_word(text, v[i]->name) &&
			    operand_text_has_word(text, v[k]->name))
				put_with_others(x, m, text, v[i], v[k], all);
}

/* ---- into the loop ---- */

/* The jump at the end of a `for' that the code stands behind; NULL: it stands behind none. */
static const struct trace_insn *loop_before(struct mutant_maker *x, const struct moved *m)
{
	const struct trace_insn *insn = image_insn_at(x->im, m->function->lo);

	for (; insn && insn->addr < m->from; insn = moved_insn_behind(x->im, insn))
		if (insn->addr + insn->length == m->from)
			return insn->flow == TRACE_FLOW_COND && insn->target < insn->addr &&
					       mutant_maker_line_begins(x, insn->addr, "for")
				       ? insn
				       : NULL;
	return NULL;
}

/* The first instruction of the step in the head of the loop: what the body is followed by; 0: it
 * has none. */
static uint64_t step_of_loop(struct mutant_maker *x, const struct trace_insn *loop)
{
	const unsigned line = moved_line_at(x->im, loop->addr);
	const struct trace_insn *insn = image_insn_at(x->im, loop->target);

	while (insn && insn->addr < loop->addr && moved_line_at(x->im, insn->addr) != line)
		insn = moved_insn_behind(x->im, insn);
	/* a condition would be jumped to from the head */
	for (const struct trace_insn *at = insn; at && at->addr < loop->addr;
	     at = moved_insn_behind(x->im, at)) {
		const struct image_row *row = image_row_at(x->im, at->addr);

		if (row && row->lo > insn->addr)
			return insn->addr;
	}
	return 0;
}

static void add_into(struct mutant_maker *x, struct moved *m, GArray *all)
{
	const struct trace_insn *loop = loop_before(x, m);
	const uint64_t step = loop ? step_of_loop(x, loop) : 0;

	m->span = source_statement(m->source, m->span.from);
	if (step && step > loop->target && moved_find_code(x, m))
		add_moved(x, m, step, "the line moved into the loop before it", all);
}

/* ---- input that ends ---- */

/* What a function of the library returns where there is nothing to be read. */
struct reader {
	const char *name;
	bool returns_pointer; /* NULL; else a number that is not positive */
};

static const struct reader *reader_called(const struct source *s, size_t at)
{
	static const struct reader readers[] = { { "scanf", false },  { "fscanf", false },
						 { "sscanf", false }, { "getline", false },
						 { "fgets", true },   { "gets", true } };

	for (size_t i = 0; i < G_N_ELEMENTS(readers); i++)
		if (source_has_word(s, at, readers[i].name))
			return &readers[i];
	return NULL;
}

static bool write_checked(const struct mutant_maker *x, struct code_piece *c,
			  const struct trace_insn *call, const struct reader *r, uint64_t behind)
{
	static const uint8_t number[] = { 0x85, 0xc0, 0x7f, 5 };	/* test %eax; jg */
	static const uint8_t pointer[] = { 0x48, 0x85, 0xc0, 0x75, 5 }; /* test %rax; jne */
	static const uint8_t jump[] = { 0xe9 };
	size_t avail = 0;
	const uint8_t *now = image_bytes(x->im, call->addr, &avail);

	return now && avail >= call->length && code_piece_insns(c, now, call->length, call->addr) &&
	       (r->returns_pointer ? code_piece_bytes(c, pointer, sizeof pointer)
				   : code_piece_bytes(c, number, sizeof number)) &&
	       code_piece_jump(c, jump, sizeof jump, behind);
}

/* `scanf("%d", &n);' in a loop, and nobody looks at what it returns. */
static void add_checked(struct mutant_maker *x, const struct moved *m, const GArray *addrs,
			GArray *all)
{
	const struct reader *r = reader_called(m->source, m->span.from);
	const uint64_t behind = r ? missing_way_behind_loop(x, m->function, m->from) : 0;

	for (guint i = 0; behind && i < addrs->len; i++) {
		const struct trace_insn *insn =
			image_insn_at(x->im, g_array_index(addrs, uint64_t, i));
		struct code_piece *piece;
		struct mutant made;
		g_autofree char *words = NULL;

		if (insn->flow != TRACE_FLOW_CALL)
			continue;
		piece = mutant_maker_piece(x);
		words = g_strdup_printf("`break' where %s reads nothing", r->name);
		made = moved_mutant_at(insn, piece, g_string_chunk_insert_const(x->words, words));
		made.kind = MUTANT_MISSING;
		if (write_checked(x, piece, insn, r, behind))
			g_array_append_val(all, made);
		return;
	}
}

/* ---- */

void moved_mutants_of_line(struct mutant_maker *x, const GArray *addrs, GArray *all)
{
	const uint64_t first = addrs->len ? g_array_index(addrs, uint64_t, 0) : 0;
	struct moved m = { .function = first ? image_function_at(x->im, first) : NULL }, other;

	if (!m.function || m.function->moving)
		return;
	other = m;
	add_repeated(x, first, &other, all);
	other = m;
	add_with_others(x, first, &other, all);
	/* the first of a loop's body may read, too */
	if (!find_moved_statement(x, first, &m)) {
		if (m.source)
			add_checked(x, &m, addrs, all);
		return;
	}
	other = m;
	add_checked(x, &m, addrs, all);
	add_behind(x, &m, all);
	add_into(x, &other, all);
}

/* ---- another statement that prints ---- */

/* Is the statement a call that prints, and nothing else? */
static bool is_printing(const struct moved *m)
{
	static const char *const names[] = { "printf", "puts",	"putchar", "fprintf",
					     "fputs",  "fputc", "putc" };
	size_t open, close;
	bool found = false;

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
		found |= source_has_word(m->source, m->span.from, names[i]);
	open = m->span.from + strcspn(m->source->code + m->span.from, "(;");
	close = found && m->source->code[open] == '(' ? source_closing(m->source, open) : SIZE_MAX;
	return close != SIZE_MAX && m->source->code[source_skip(m->source, close + 1)] == ';';
}

/* struct moved: those of the function, each text once. */
static GArray *printing_statements(struct mutant_maker *x, const struct image_function *f)
{
	GArray *all = g_array_new(FALSE, FALSE, sizeof(struct moved));
	g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	const struct trace_insn *insn = image_insn_at(x->im, f->lo);

	for (; insn && insn->addr < f->hi; insn = moved_insn_behind(x->im, insn)) {
		struct moved m = { .function = f, .from = insn->addr };
		size_t at;
		char *text;

		m.source = mutant_maker_source(x, insn->addr, &at);
		m.span = m.source ? source_statement(m.source, at) : m.span;
		if (!m.source || !is_printing(&m) || !moved_find_code(x, &m))
			continue;
		text = source_text(m.source, m.span);
		if (text && g_hash_table_add(seen, text))
			g_array_append_val(all, m);
		while (moved_insn_behind(x->im, insn) &&
		       moved_insn_behind(x->im, insn)->addr < m.to)
			insn = moved_insn_behind(x->im, insn);
	}
	return all;
}

static void add_printing(struct mutant_maker *x, const struct moved *m, uint64_t where,
			 const char *format, GArray *all)
{
	g_autofree char *text = source_text(m->source, m->span);
	g_autofree char *words = NULL;
	struct mutant made;

	if (!text || (where >= m->from && where < m->to))
		return;
	text[strcspn(text, ";")] = '\0';
	words = g_strdup_printf(format, text);
	if (!moved_execute_before(x, m, where, words, &made))
		return;
	made.kind = MUTANT_MIRRORED;
	g_array_append_val(all, made);
}

void printing_mutants_of_line(struct mutant_maker *x, const GArray *addrs, GArray *all)
{
	enum { MOST = 12 };
	const uint64_t first = addrs->len ? g_array_index(addrs, uint64_t, 0) : 0;
	const struct image_function *f = first ? image_function_at(x->im, first) : NULL;
	g_autoptr(GArray) statements = NULL;
	uint64_t behind;

	if (!f || f->moving)
		return;
	statements = printing_statements(x, f);
	behind = missing_way_behind_loop(x, f, first);
	for (guint i = 0; i < MIN(statements->len, MOST); i++) {
		const struct moved *m = &g_array_index(statements, struct moved, i);

		add_printing(x, m, first, "`%s' put before it", all);
		if (behind)
			add_printing(x, m, behind, "`%s' put behind the loop", all);
	}
}
