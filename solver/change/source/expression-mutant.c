/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/change/source/expression-mutant.h"

#include "solver/change/code/code-value.h"
#include "solver/change/code/value-site.h"
#include "solver/change/source/expression-piece.h"
#include "solver/format/trace.h"
#include "solver/image/variable/variable.h"
#include "solver/library/library.h"
#include "solver/library/mangled.h"
#include "solver/source/source.h"

#include <string.h>

enum { MOST_ARGUMENTS = 6 }; /* in registers */

/* ---- mutants ---- */

static bool is_pointer(const struct image_type *t)
{
	return t->kind == IMAGE_TYPE_POINTER;
}

static bool fits_operand_type(const struct image_type *to, const struct image_type *t)
{
	if (is_pointer(to) != is_pointer(t))
		return false;
	return !is_pointer(to) || !to->target || !t->target ||
	       (to->target->kind == t->target->kind &&
		g_strcmp0(to->target->name, t->target->name) == 0);
}

static const char *words_of_expression_mutant(struct mutant_maker *x, const struct value_site *site,
					      const char *text, enum expression_way way)
{
	static const char *const words[WAYS] = { [ADDED] = "`+ %s' added",
						 [SUBTRACTED] = "`- %s' added",
						 [SUBTRACTED_FROM] = "`%s -' before the value",
						 [TIMES] = "`* %s' added" };
	g_autofree char *out = NULL, *added = NULL;

	if (way == INSTEAD)
		out = site->argument
			      ? g_strdup_printf("`%s' passed as argument %u", text, site->argument)
			      : g_strdup_printf(site->stores ? "`%s' stored" : "`%s' returned",
						text);
	else if (way == WHERE_ZERO)
		out = g_strdup_printf("`%s' where the value is 0", text);
	else
		/* NOLINTNEXTLINE(clang-diagnostic-format-nonliteral): one of those above */
		added = g_strdup_printf(words[way], text);
	if (added && site->argument)
		out = g_strdup_printf("%s to argument %u", added, site->argument);
	return g_string_chunk_insert_const(x->words, out ? out : added);
}

/* words: not owned. */
static void add_worded(struct mutant_maker *x, const struct value_site *site, const char *words,
		       const struct code_value *v, GArray *all)
{
	struct code_piece *piece = mutant_maker_piece(x);
	struct mutant made = { .kind = MUTANT_EXPRESSION,
			       .addr = site->addr,
			       .length = site->length,
			       .words = g_string_chunk_insert_const(x->words, words),
			       .piece = piece };

	if (expression_piece_write(piece, site, v, INSTEAD))
		g_array_append_val(all, made);
}

static void add_expression_mutant(struct mutant_maker *x, const struct value_site *site,
				  const char *text, const struct code_value *v,
				  enum expression_way way, GArray *all)
{
	struct code_piece *piece = mutant_maker_piece(x);
	struct mutant made = { .kind = MUTANT_EXPRESSION,
			       .addr = site->addr,
			       .length = site->length,
			       .from = strcmp(text, "1") == 0,
			       .to = way,
			       .piece = piece };

	if (!expression_piece_write(piece, site, v, way))
		return;
	made.words = words_of_expression_mutant(x, site, text, way);
	g_array_append_val(all, made);
}

/* ---- the value itself ---- */

/* What the value is changed to, in rax, from what it is there; the code uses rcx, too. */
static const struct applied {
	const char *words;
	enum image_type_kind kind;
	uint8_t type_size, size, code[16];
} applied[] = {
	/* movzbl %al,%ecx; sub $'A',%ecx; cmp $25,%ecx; ja; or $0x20,%eax */
	{ "`tolower' of the value",
	  IMAGE_TYPE_CHAR,
	  1,
	  14,
	  { 0x0f, 0xb6, 0xc8, 0x83, 0xe9, 0x41, 0x83, 0xf9, 0x19, 0x77, 3, 0x83, 0xc8, 0x20 } },
	{ "`toupper' of the value",
	  IMAGE_TYPE_CHAR,
	  1,
	  14,
	  { 0x0f, 0xb6, 0xc8, 0x83, 0xe9, 0x61, 0x83, 0xf9, 0x19, 0x77, 3, 0x83, 0xe0, 0xdf } },
	/* mov %eax,%ecx; neg %eax; cmovs %ecx,%eax */
	{ "`abs' of the value",
	  IMAGE_TYPE_INT,
	  4,
	  7,
	  { 0x89, 0xc1, 0xf7, 0xd8, 0x0f, 0x48, 0xc1 } },
	{ "`labs' of the value",
	  IMAGE_TYPE_INT,
	  8,
	  10,
	  { 0x48, 0x89, 0xc1, 0x48, 0xf7, 0xd8, 0x48, 0x0f, 0x48, 0xc1 } },
	{ "`-' before the value", IMAGE_TYPE_INT, 4, 2, { 0xf7, 0xd8 } },
	{ "`-' before the value", IMAGE_TYPE_INT, 8, 3, { 0x48, 0xf7, 0xd8 } },
};

static void add_applied(struct mutant_maker *x, const struct value_site *site,
			const struct image_type *type, GArray *all)
{
	for (size_t i = 0; i < G_N_ELEMENTS(applied); i++) {
		const struct applied *a = &applied[i];
		struct code_piece *piece;
		struct mutant made = { .kind = MUTANT_EXPRESSION,
				       .addr = site->addr,
				       .length = site->length,
				       .to = (int64_t)(WAYS + i),
				       .words = a->words };

		if (type->kind != a->kind || type->size != a->type_size ||
		    (type->kind == IMAGE_TYPE_INT && !type->is_signed) || site->is_constant)
			continue;
		made.piece = piece = mutant_maker_piece(x);
		if (expression_piece_apply(piece, site, a->code, a->size))
			g_array_append_val(all, made);
	}
}

/* NULL: the text has no value there. */
static const struct image_type *type_of_text(struct mutant_maker *x, const struct value_site *site,
					     const char *text)
{
	struct code_value *v = code_value_new(x->im, site->addr, text, x->limits);
	const struct image_type *type = v ? code_value_type(v) : NULL;

	code_value_free(v);
	return type;
}

/* What the statement assigns to, or returns, and of which type that is. */
static const struct image_type *type_of_site(struct mutant_maker *x, const char *file,
					     unsigned line, const struct value_site *site,
					     const struct image_function *f, char **text)
{
	const struct source *s = sources_get(expression_texts_sources(x->texts), file);
	const struct image_row *row = image_row_at(x->im, site->addr);
	const struct image_statement *st = row ? image_statement(x->im, row->statement) : NULL;
	const struct image_type *type;
	size_t at;

	*text = NULL;
	if (!s || !source_place(s, line, st ? st->column : 0, &at))
		return NULL;
	*text = source_text(s, site->stores ? source_assigned(s, at) : source_returned(s, at));
	if (!*text)
		return NULL;
	if (!site->stores)
		return image_return_type(x->im, f);
	type = type_of_text(x, site, *text);
	return type && 8 * type->size == site->width ? type : NULL;
}

/* Numbers alone are other constants, which mutants of other kinds try.  Above the bits of a small
 * value may stand anything. */
static bool is_way_possible(const struct mutant_maker *x, const struct value_site *site,
			    const struct image_type *type, const char *text,
			    enum expression_way way)
{
	int64_t number;

	if (g_ascii_isdigit(*text) || (*text == '-' && g_ascii_isdigit(text[1])))
		return false;
	/* a name of an enumeration is a value, and nothing to count with */
	if (way != INSTEAD && way != WHERE_ZERO && image_enumerator_named(x->im, text, &number))
		return false;
	return way == INSTEAD || (way == WHERE_ZERO ? site->width >= 32 : !is_pointer(type));
}

/* One too many or too few, of what is counted or of a string: a common fault, which needs no 1 in
 * the source. */
static void add_by_one(struct mutant_maker *x, const struct value_site *site,
		       const struct image_type *type, GArray *all)
{
	bool counted = !is_pointer(type) || (type->target && type->target->size == 1);
	struct code_value *v = counted && !site->is_constant && type->kind != IMAGE_TYPE_BOOL
				       ? code_value_new(x->im, site->addr, "1", x->limits)
				       : NULL;

	if (v) {
		add_expression_mutant(x, site, "1", v, ADDED, all);
		add_expression_mutant(x, site, "1", v, SUBTRACTED, all);
	}
	code_value_free(v);
}

/* ---- another divisor ---- */

/* What the statement assigns; `n / 100' of `n /= 100'.  NULL: that is not known. */
static char *assigned_value(const struct source *s, size_t at)
{
	const struct source_span to = source_assigned(s, at);
	size_t from = source_skip(s, to.to), end;
	g_autofree char *left = NULL, *right = NULL;
	char sign = 0;

	if (from >= s->length || to.to <= to.from)
		return NULL;
	if (strchr("+-*/%&|^", s->code[from]) && s->code[from + 1] == '=')
		sign = s->code[from++];
	if (s->code[from] != '=' || s->code[from + 1] == '=')
		return NULL;
	from = source_skip(s, from + 1);
	for (end = from; end < s->length && !strchr(";,", s->code[end]); end++)
		if (strchr("([", s->code[end]))
			end = MIN(source_closing(s, end), s->length - 1);
	right = source_text(s, source_trim(s, from, end));
	if (!sign || !right)
		return g_steal_pointer(&right);
	left = source_text(s, to);
	if (!left)
		return NULL;
	return strpbrk(right, " +-") ? g_strdup_printf("%s %c (%s)", left, sign, right)
				     : g_strdup_printf("%s %c %s", left, sign, right);
}

/* divisor: in value, from there to there. */
static void add_divisor(struct mutant_maker *x, const struct value_site *site,
			const struct image_type *type, const char *value, gint from, gint to,
			const char *other, GArray *all)
{
	g_autofree char *text = g_strdup_printf("%.*s%s%s", from, value, other, value + to);
	g_autofree char *words = g_strdup_printf("`%s' for `%.*s'", other, to - from, value + from);
	struct code_value *v = code_value_new(x->im, site->addr, text, x->limits);

	if (v && fits_operand_type(type, code_value_type(v)))
		add_worded(x, site, words, v, all);
	code_value_free(v);
}

/* Ten times as much or a tenth, and one more or less: compilers make a multiplication and shifts of
 * a division by a constant, in which no other constant is another divisor. */
static void add_divisors_for(struct mutant_maker *x, const struct value_site *site,
			     const struct image_type *type, const char *value, gint from, gint to,
			     GArray *all)
{
	const gint64 now = g_ascii_strtoll(value + from, NULL, 10);
	const gint64 others[] = { now * 10, now % 10 ? 0 : now / 10, now + 1, now - 1, now * 2 };

	for (size_t i = 0; i < G_N_ELEMENTS(others); i++) {
		g_autofree char *other = g_strdup_printf("%" G_GINT64_FORMAT, others[i]);

		if (others[i] > 0 && now < G_MAXINT32 / 10)
			add_divisor(x, site, type, value, from, to, other, all);
	}
}

/* Adds other divisors for each `/ 100', `% 7' and `% (n - 1)'. */
static void add_divisors(struct mutant_maker *x, const struct value_site *site,
			 const struct image_type *type, const char *value, GArray *all)
{
	g_autoptr(GRegex) regex =
		g_regex_new("[/%] ?(?:(\\d+)\\b|\\((\\w+) [-+] 1\\))", 0, 0, NULL);
	g_autoptr(GMatchInfo) found = NULL;

	g_regex_match(regex, value, 0, &found);
	for (; g_match_info_matches(found); g_match_info_next(found, NULL)) {
		g_autofree char *name = g_match_info_fetch(found, 2);
		gint from, to;

		if (g_match_info_fetch_pos(found, 1, &from, &to) && from >= 0 && to > from)
			add_divisors_for(x, site, type, value, from, to, all);
		else if (name && *name && g_match_info_fetch_pos(found, 2, &from, NULL) &&
			 g_match_info_fetch_pos(found, 0, NULL, &to))
			add_divisor(x, site, type, value, from - 1, to, name, all);
	}
}

/* A quotient that is rounded up, or to the nearest whole number. */
static void add_roundings(struct mutant_maker *x, const struct value_site *site,
			  const struct image_type *type, const char *value, GArray *all)
{
	static const char *const forms[][2] = {
		{ "(\\1 + \\2 - 1) / \\2", "rounded up" },
		{ "(\\1 + \\2 / 2) / \\2", "rounded to the nearest number" },
	};
	g_autoptr(GRegex) regex = g_regex_new(
		"^((?:\\w|[.* ]|->|\\[[^]]*\\]|\\([^()]*\\))+?) ?/ ?(\\w+)$", 0, 0, NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(forms) && g_regex_match(regex, value, 0, NULL); i++) {
		g_autofree char *text = g_regex_replace(regex, value, -1, 0, forms[i][0], 0, NULL);
		struct code_value *v = code_value_new(x->im, site->addr, text, x->limits);

		if (v && fits_operand_type(type, code_value_type(v)))
			add_worded(x, site, forms[i][1], v, all);
		code_value_free(v);
	}
}

/* ---- another index ---- */

static bool is_whole_number(struct mutant_maker *x, const struct value_site *site, const char *text)
{
	const struct image_type *t = type_of_text(x, site, text);

	return t && t->kind == IMAGE_TYPE_INT;
}

/* Variables of the function for the index that stands in value from there to there. */
static void add_indices_for(struct mutant_maker *x, const struct value_site *site,
			    const struct image_type *type, const char *value, gint from, gint to,
			    const GPtrArray *texts, GArray *all)
{
	g_autofree char *now = g_strndup(value + from, (gsize)(to - from));

	for (guint i = 0; i < texts->len; i++) {
		const char *other = texts->pdata[i];
		g_autofree char *text = NULL, *words = NULL;
		struct code_value *v;

		if (g_ascii_isdigit(*other) || strpbrk(other, "([ ") || strcmp(other, now) == 0 ||
		    !is_whole_number(x, site, other))
			continue;
		text = g_strdup_printf("%.*s%s%s", from, value, other, value + to);
		words = g_strdup_printf("`%s' for `%s'", other, now);
		v = code_value_new(x->im, site->addr, text, x->limits);
		if (v && fits_operand_type(type, code_value_type(v)))
			add_worded(x, site, words, v, all);
		code_value_free(v);
	}
}

/* Adds other indices for each `a[0]' and `a[n - 1]'.  When the index is a constant, no
 * instruction computes it. */
static void add_indices(struct mutant_maker *x, const struct value_site *site,
			const struct image_type *type, const char *value, GArray *all)
{
	const struct image_function *f = image_function_at(x->im, site->addr);
	const GPtrArray *texts = expression_texts_of(x->texts, f);
	g_autoptr(GRegex) regex = g_regex_new("\\[([A-Z0-9_ +*-]+)\\]", 0, 0, NULL);
	g_autoptr(GMatchInfo) found = NULL;

	g_regex_match(regex, value, 0, &found);
	for (; g_match_info_matches(found); g_match_info_next(found, NULL)) {
		gint from, to;

		if (g_match_info_fetch_pos(found, 1, &from, &to) && to > from)
			add_indices_for(x, site, type, value, from, to, texts, all);
	}
}

static void add_parts_of_value(struct mutant_maker *x, const struct value_site *site,
			       const struct image_type *type, const char *own, GArray *all)
{
	size_t at;
	const struct source *s = mutant_maker_source(x, site->addr, &at);
	g_autofree char *value = !s ? NULL : site->stores ? assigned_value(s, at) : g_strdup(own);

	if (value && type->kind == IMAGE_TYPE_INT) {
		add_divisors(x, site, type, value, all);
		add_roundings(x, site, type, value, all);
	}
	if (value)
		add_indices(x, site, type, value, all);
}

/* ---- */

/* Is it the outcome of a comparison?  Nobody adds 1 to that. */
static bool is_outcome(const char *text)
{
	return g_regex_match_simple("[=!]=|&&|\\|\\||^ *!|[^<]<=?[^<=]|[^->]>=?[^>=]", text, 0, 0);
}

/* first: where the line's mutants begin.  is_whole: the site has all of the value, and not what
 * a division keeps for a moment. */
static void add_of_site(struct mutant_maker *x, const char *file, unsigned line,
			const struct value_site *site, bool is_whole, guint first, GArray *all)
{
	const struct image_function *f = image_function_at(x->im, site->addr);
	g_autofree char *own = NULL;
	const struct image_type *type = f ? type_of_site(x, file, line, site, f, &own) : NULL;
	const GPtrArray *texts = type ? expression_texts_of(x->texts, f) : NULL;

	if (type && !is_outcome(own))
		add_by_one(x, site, type, all);
	if (type)
		add_applied(x, site, type, all);
	if (type && is_whole)
		add_parts_of_value(x, site, type, own, all);
	for (guint i = 0; texts && i < texts->len; i++) {
		struct code_value *v =
			code_value_new(x->im, site->addr, texts->pdata[i], x->limits);
		bool same = strcmp(texts->pdata[i], own) == 0;

		if (v && fits_operand_type(type, code_value_type(v)))
			for (enum expression_way way = same ? ADDED : INSTEAD; way < WAYS; way++)
				if (is_way_possible(x, site, type, texts->pdata[i], way) &&
				    all->len - first < x->limits->mutant_expressions)
					add_expression_mutant(x, site, texts->pdata[i], v, way,
							      all);
		code_value_free(v);
	}
}

/* ---- what is passed to a function ---- */

/* The call of an instruction, and the one of its arguments that is looked at. */
struct passed {
	const char *callee;
	const struct image_function *f; /* NULL = a function of the library */
	unsigned argument;		/* from 1 */
	char *text;			/* in the words of the source */
};

/* The type of a number that a function of C++'s library is given, by its name. */
static const struct image_type *type_by_mangled(const char *callee, unsigned argument)
{
	static const struct image_type types[] = {
		{ .kind = IMAGE_TYPE_CHAR, .size = 1, .is_signed = true },
		{ .kind = IMAGE_TYPE_INT, .size = 4, .is_signed = true },
		{ .kind = IMAGE_TYPE_INT, .size = 8, .is_signed = true },
	};

	switch (mangled_number(callee, argument)) {
	case 'c':
		return &types[0];
	case 'i':
		return &types[1];
	case 'l':
		return &types[2];
	default:
		return NULL;
	}
}

/* The words of what is passed, and its type; what is not understood, such as `sizeof b', is a
 * number where it is a constant. */
static const struct image_type *type_of_passed(struct mutant_maker *x, struct passed *p,
					       const struct value_site *site)
{
	size_t at;
	const struct source *s = mutant_maker_source(x, site->addr, &at);
	const struct image_type *type;

	p->text = s ? source_text(s, source_argument(s, at, p->callee, p->argument - 1)) : NULL;
	if (!p->text) /* the words of an operator's operand are not looked for */
		return p->f ? NULL : type_by_mangled(p->callee, p->argument);
	if (p->f)
		return image_parameter_type(x->im, p->f, p->argument - 1);
	type = type_of_text(x, site, p->text);
	if (type || !site->is_constant || site->width < 32 || strchr("\"\'&", *p->text))
		return type;
	return image_type_named(x->im, site->width == 64 ? "long" : "int");
}

/* An expression in the place of what is passed, or added to it. */
static void add_to_argument(struct mutant_maker *x, const struct passed *p,
			    const struct value_site *site, const struct image_type *type,
			    const char *text, enum expression_way way, GArray *all)
{
	const bool same = strcmp(text, p->text) == 0;
	struct code_value *v = same || (way != INSTEAD && type->kind != IMAGE_TYPE_INT)
				       ? NULL
				       : code_value_new(x->im, site->addr, text, x->limits);

	if (v && fits_operand_type(type, code_value_type(v)) &&
	    is_way_possible(x, site, type, text, way))
		add_expression_mutant(x, site, text, v, way, all);
	code_value_free(v);
}

/* Of a library function that is told how many bytes it may write: the size of what it writes. */
static void add_sizes(struct mutant_maker *x, const struct passed *p, const struct value_site *site,
		      const struct image_type *type, GArray *all)
{
	static const char *const forms[] = { "sizeof(%s)", "sizeof(*%s)" };
	const struct library_function *f = p->f ? NULL : library_find(p->callee);
	size_t at;
	const struct source *s = mutant_maker_source(x, site->addr, &at);
	g_autofree char *object = NULL;

	if (!s || !f || !f->writes || (f->most != p->argument && f->room != p->argument))
		return;
	object = source_text(
		s, source_argument(s, at, p->callee, (unsigned)g_bit_nth_lsf(f->writes, -1)));
	for (size_t i = 0; object && i < G_N_ELEMENTS(forms); i++) {
		g_autofree char *text = g_strdup_printf(forms[i], object);
		struct code_value *v = code_value_new(x->im, site->addr, text, x->limits);

		if (v && fits_operand_type(type, code_value_type(v)))
			add_worded(x, site, text, v, all);
		code_value_free(v);
	}
}

static void add_of_argument(struct mutant_maker *x, struct passed *p, const struct value_site *site,
			    guint first, GArray *all)
{
	const struct image_function *in = image_function_at(x->im, site->addr);
	const struct image_type *type = in ? type_of_passed(x, p, site) : NULL;
	const GPtrArray *texts = type && p->text ? expression_texts_of(x->texts, in) : NULL;

	if (type)
		add_applied(x, site, type, all);
	if (type && p->text && type->kind == IMAGE_TYPE_INT) {
		add_divisors(x, site, type, p->text, all);
		add_sizes(x, p, site, type, all);
	}
	for (enum expression_way way = INSTEAD; way <= SUBTRACTED; way++)
		for (guint i = 0; texts && i < texts->len; i++)
			if (all->len - first < x->limits->mutant_expressions)
				add_to_argument(x, p, site, type, texts->pdata[i], way, all);
}

static void add_of_call(struct mutant_maker *x, const GArray *addrs, guint call, guint first,
			GArray *all)
{
	const struct trace_insn *insn = image_insn_at(x->im, g_array_index(addrs, uint64_t, call));
	struct passed p = { .f = image_function_at(x->im, insn->target) };
	struct value_site site;

	if (insn->flow != TRACE_FLOW_CALL)
		return;
	p.callee = p.f ? p.f->name : image_native_name(x->im, insn->target);
	for (p.argument = 1; p.callee && p.argument <= MOST_ARGUMENTS; p.argument++) {
		if (!value_site_of_argument(x->im, addrs, call, p.argument, &site))
			continue;
		add_of_argument(x, &p, &site, first, all);
		g_clear_pointer(&p.text, g_free);
	}
}

void expression_mutants_of_line(struct mutant_maker *x, const char *file, unsigned line,
				const GArray *addrs, GArray *all)
{
	const guint first = all->len;
	const struct image_row *after = NULL;
	struct value_site site;

	/* what a line assigns last is wrong most often */
	for (guint i = addrs->len; i > 0; i--) {
		const uint64_t addr = g_array_index(addrs, uint64_t, i - 1);
		const struct image_row *row = image_row_at(x->im, addr);

		if (!value_site_of_store(x->im, addr, &site))
			continue;
		add_of_site(x, file, line, &site, row != after, first, all);
		after = row;
	}
	if (value_site_of_return(x->im, addrs, &site))
		add_of_site(x, file, line, &site, true, first, all);
	for (guint i = 0; i < addrs->len; i++)
		add_of_call(x, addrs, i, first, all);
}
