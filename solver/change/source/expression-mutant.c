/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/change/source/expression-mutant.h"

#include "solver/change/code/code-value.h"
#include "solver/change/code/value-site.h"
#include "solver/change/source/expression-parts.h"
#include "solver/change/source/expression-piece.h"
#include "solver/change/source/expression-words.h"
#include "solver/format/trace.h"
#include "solver/image/variable/variable.h"
#include "solver/library/library.h"
#include "solver/library/mangled.h"
#include "solver/source/operand-text.h"
#include "solver/source/source.h"

#include <string.h>

enum { MOST_ARGUMENTS = 6 }; /* in registers */

/* ---- mutants ---- */

/* Members of one name of two objects, or a member and a variable of its name: `n->key' for `key'.
 * They are taken for each other more often than others. */
static bool has_same_name(const char *value, const char *text)
{
	const char *word = operand_text_last_word(text);

	return value && !strpbrk(value, " (") && !strpbrk(text, " (") && *word &&
	       !g_ascii_isdigit(*word) && strcmp(word, operand_text_last_word(value)) == 0 &&
	       strcmp(value, text) != 0;
}

static bool has_member_named(const struct image_type *t, const char *name)
{
	for (uint32_t i = 0; t && i < t->n_members; i++)
		if (g_strcmp0(t->members[i].name, name) == 0)
			return true;
	return false;
}

/* The variable itself, or its member of that name; NULL: it has none. */
static const char *text_with_name(struct mutant_maker *x, const struct image_variable *v,
				  const char *name)
{
	const struct image_type *t = v->type;
	const bool points = t && t->kind == IMAGE_TYPE_POINTER;
	g_autofree char *text = NULL;

	if (!v->name || !t)
		return NULL;
	if (strcmp(v->name, name) == 0)
		return v->name;
	if (!has_member_named(points ? t->target : t, name))
		return NULL;
	text = g_strconcat(v->name, points ? "->" : ".", name, NULL);
	return g_string_chunk_insert_const(x->words, text);
}

/* The members of the object of a member function of C++, which need not stand in it. */
static void add_own_members(struct mutant_maker *x, const struct image_function *f, GPtrArray *all)
{
	const struct image_type *t =
		image_function_has_object(x->im, f) ? image_parameter_type(x->im, f, 0) : NULL;

	t = t ? t->target : NULL;
	for (uint32_t i = 0; t && i < t->n_members; i++) {
		const char *name = t->members[i].name;

		if (name && image_name_is_of_source(name) &&
		    !g_ptr_array_find_with_equal_func(all, name, g_str_equal, NULL))
			g_ptr_array_add(all, (gpointer)g_string_chunk_insert_const(x->words, name));
	}
}

/* The function's expressions, and behind them what has the value's name and stands nowhere, and
 * members of its object.  The array is the caller's. */
static GPtrArray *texts_for(struct mutant_maker *x, const struct value_site *site,
			    const char *value)
{
	const struct image_function *f = image_function_at(x->im, site->addr);
	const GPtrArray *own = expression_texts_of(x->texts, f);
	GPtrArray *all = g_ptr_array_new();
	const struct image_variable *const *variables;
	size_t n = image_variables_at(x->im, site->addr, &variables);

	for (guint i = 0; i < own->len; i++)
		g_ptr_array_add(all, own->pdata[i]);
	for (size_t i = 0; value && i < n; i++) {
		const char *text = text_with_name(x, variables[i], operand_text_last_word(value));

		if (text && has_same_name(value, text) &&
		    !g_ptr_array_find_with_equal_func(all, text, g_str_equal, NULL))
			g_ptr_array_add(all, (gpointer)text);
	}
	add_own_members(x, f, all);
	return all;
}

/* value: the text of what it comes instead of; NULL = not known. */
static void add_expression_mutant(struct mutant_maker *x, const struct value_site *site,
				  const char *text, const struct code_value *v,
				  enum expression_way way, const char *value, GArray *all)
{
	struct code_piece *piece = mutant_maker_piece(x);
	const bool alike = way == INSTEAD && has_same_name(value, text);
	struct mutant made = { .kind = MUTANT_EXPRESSION,
			       .addr = site->addr,
			       .length = site->length,
			       .from = strcmp(text, "1") == 0,
			       .to = way,
			       .nearness = alike ? MUTANT_SAME_VARIABLE : MUTANT_OTHER_VARIABLE,
			       .piece = piece };

	if (!expression_piece_write(piece, site, v, way))
		return;
	made.words = expression_words(x, site, text, way);
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

/* What `a[n++]' is has the type of `a[n]', whose value can be computed again. */
static char *text_without_steps(const char *text)
{
	g_auto(GStrv) ups = g_strsplit(text, "++", -1);
	g_autofree char *other = g_strjoinv("", ups);
	g_auto(GStrv) downs = g_strsplit(other, "--", -1);

	return g_strjoinv("", downs);
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
	g_autofree char *plain = NULL;
	size_t at;

	*text = NULL;
	if (!s || !source_place(s, line, st ? st->column : 0, &at))
		return NULL;
	*text = source_text(s, site->stores ? source_assigned(s, at) : source_returned(s, at));
	if (!*text)
		return NULL;
	if (!site->stores)
		return image_return_type(x->im, f);
	plain = text_without_steps(*text);
	type = expression_type(x, site, plain);
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
	return way == INSTEAD ||
	       (way == WHERE_ZERO ? site->width >= 32 : type->kind != IMAGE_TYPE_POINTER);
}

/* One too many or too few, of what is counted or of a string: a common fault, which needs no 1 in
 * the source.  to_own: a function of the program's own is given it. */
static void add_by_one(struct mutant_maker *x, const struct value_site *site,
		       const struct image_type *type, bool to_own, GArray *all)
{
	const bool is_pointer = type->kind == IMAGE_TYPE_POINTER,
		   counted = !is_pointer || (type->target && type->target->size == 1);
	const guint before = all->len;
	struct code_value *v = counted && !site->is_constant && type->kind != IMAGE_TYPE_BOOL
				       ? code_value_new(x->im, site->addr, "1", x->limits)
				       : NULL;

	if (v) {
		add_expression_mutant(x, site, "1", v, ADDED, NULL, all);
		add_expression_mutant(x, site, "1", v, SUBTRACTED, NULL, all);
	}
	for (guint i = before; i < all->len; i++) {
		struct mutant *made = &g_array_index(all, struct mutant, i);

		if (is_pointer)
			made->nearness = MUTANT_SAME_VARIABLE;
		else if (to_own)
			made->from = 2;
	}
	code_value_free(v);
}

/* ---- */

/* Is it the outcome of a comparison?  Nobody adds 1 to that. */
static bool is_outcome(const char *text)
{
	return g_regex_match_simple("[=!]=|&&|\\|\\||^ *!|[^<]<=?[^<=]|[^->]>=?[^>=]", text, 0, 0);
}

/* What a line's mutants are made of.  value: what they come instead of; NULL = not known.  first:
 * where those of the line begin. */
struct expression_site {
	const struct value_site *at;
	const struct image_type *type;
	const char *own, *value;
	guint first;
};

/* Of many expressions only those that are taken for the value most often. */
static bool has_place_for(const struct mutant_maker *x, const struct expression_site *s,
			  const char *text, enum expression_way way, const GArray *all)
{
	return all->len - s->first < x->limits->mutant_expressions ||
	       (way == INSTEAD && has_same_name(s->value, text));
}

static void add_text_to_site(struct mutant_maker *x, const struct expression_site *s,
			     const char *text, GArray *all)
{
	const bool same = strcmp(text, s->own) == 0;
	struct code_value *v = has_place_for(x, s, text, INSTEAD, all)
				       ? code_value_new(x->im, s->at->addr, text, x->limits)
				       : NULL;

	if (v && expression_fits(s->type, code_value_type(v)))
		for (enum expression_way way = same ? ADDED : INSTEAD; way < WAYS; way++)
			if (is_way_possible(x, s->at, s->type, text, way) &&
			    has_place_for(x, s, text, way, all))
				add_expression_mutant(x, s->at, text, v, way, s->value, all);
	code_value_free(v);
}

static char *value_of_site(struct mutant_maker *x, const struct value_site *site, const char *own)
{
	size_t at;
	const struct source *s = mutant_maker_source(x, site->addr, &at);

	return !s ? NULL : site->stores ? expression_assigned(s, at) : g_strdup(own);
}

/* is_whole: the site has all of the value, and not what a division keeps for a moment. */
/* `int sum = base': what is declared there begins with a variable, where 0 or 1 may be meant. */
static bool begins_with_variable(struct mutant_maker *x, const struct value_site *site,
				 const char *value, const struct image_type *type)
{
	g_autofree char *line = mutant_maker_line(x, site->addr);

	return line && site->stores && type->kind == IMAGE_TYPE_INT &&
	       g_regex_match_simple("^[A-Za-z_]\\w*$", value, 0, 0) &&
	       g_regex_match_simple("^\\s*([a-z]\\w*\\s+)+\\w+\\s*=\\s*\\w+\\s*;", line, 0, 0);
}

static void add_of_site(struct mutant_maker *x, const char *file, unsigned line,
			const struct value_site *site, bool is_whole, guint first, GArray *all)
{
	const struct image_function *f = image_function_at(x->im, site->addr);
	g_autofree char *own = NULL, *value = NULL;
	const struct image_type *type = f ? type_of_site(x, file, line, site, f, &own) : NULL;
	struct expression_site s = { site, type, own, NULL, first };
	g_autoptr(GPtrArray) texts = NULL;

	if (!type)
		return;
	if (is_whole)
		s.value = value = value_of_site(x, site, own);
	if (!is_outcome(own))
		add_by_one(x, site, type, false, all);
	add_applied(x, site, type, all);
	if (value)
		expression_part_mutants(x, site, type, value, all);
	texts = texts_for(x, site, value);
	for (guint i = 0; i < texts->len; i++)
		add_text_to_site(x, &s, texts->pdata[i], all);
	if (value && begins_with_variable(x, site, value, type)) {
		add_text_to_site(x, &s, "0", all);
		add_text_to_site(x, &s, "1", all);
	}
}

/* ---- steps ---- */

/* '+' for `own++', '-' for `own--', 0 = it is no such step. */
static char sign_of_step(struct mutant_maker *x, const struct value_site *site, const char *own)
{
	size_t at;
	const struct source *s = mutant_maker_source(x, site->addr, &at);
	g_autofree char *text = s ? source_text(s, source_statement(s, at)) : NULL;
	g_autofree char *name = g_regex_escape_string(own, -1);
	g_autofree char *up = g_strdup_printf("(\\+\\+ ?%s$|^%s ?\\+\\+)", name, name);
	g_autofree char *down = g_strdup_printf("(-- ?%s$|^%s ?--)", name, name);

	/* nobody means to go on by something else in `for (...; i++)' */
	if (!text || mutant_maker_line_begins(x, site->addr, "for"))
		return 0;
	return g_regex_match_simple(up, text, 0, 0)	? '+'
	       : g_regex_match_simple(down, text, 0, 0) ? '-'
							: 0;
}

/* `i + run' where the line has `i++': by how much a variable says. */
static void add_steps(struct mutant_maker *x, const char *file, unsigned line,
		      const struct value_site *site, GArray *all)
{
	static const char variable[] = "^[A-Za-z_]\\w*((->|\\.)\\w+)*$";
	const struct image_function *f = image_function_at(x->im, site->addr);
	g_autofree char *own = NULL;
	const struct image_type *type = f ? type_of_site(x, file, line, site, f, &own) : NULL;
	const char sign = type && type->kind == IMAGE_TYPE_INT ? sign_of_step(x, site, own) : 0;
	const GPtrArray *texts = sign ? expression_texts_of(x->texts, f) : NULL;

	for (guint i = 0; texts && i < texts->len; i++) {
		const guint before = all->len;
		const char *by = texts->pdata[i];
		g_autofree char *text = g_strdup_printf("%s %c %s", own, sign, by);
		struct code_value *v =
			strcmp(by, own) != 0 && g_regex_match_simple(variable, by, 0, 0)
				? code_value_new(x->im, site->addr, text, x->limits)
				: NULL;

		if (v && expression_fits(type, code_value_type(v)))
			add_expression_mutant(x, site, text, v, INSTEAD, NULL, all);
		/* it is one more part of the sum */
		if (all->len > before)
			g_array_index(all, struct mutant, all->len - 1).to = ADDED;
		code_value_free(v);
	}
}

/* ---- what is passed to a function ---- */

/* The call of an instruction, and the one of its arguments that is looked at. */
struct passed {
	const char *callee;
	const struct image_function *f; /* NULL = a function of the library */
	unsigned argument;		/* from 1 */
	const char *name;		/* of the callee, as the source has it */
	unsigned results, objects;	/* 1: a register before it has where the result goes, or
					 * the object of a member function */
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

/* Which argument it is in the source, from 1. */
static unsigned counted_argument(const struct passed *p)
{
	return p->argument - p->results - p->objects;
}

/* What is passed before the arguments of the source.  Of a function that has no debug information
 * the name tells how many registers it takes at most, with one for the result. */
static void count_hidden_arguments(struct mutant_maker *x, const GArray *addrs, guint call,
				   struct passed *p)
{
	struct value_site site;

	if (p->f) {
		p->results = image_result_in_memory(image_return_type(x->im, p->f));
		p->objects = image_function_has_object(x->im, p->f);
		return;
	}
	p->objects = mangled_is_member(p->callee);
	p->results = p->objects && value_site_of_argument(x->im, addrs, call,
							  mangled_registers(p->callee), &site);
}

/* The words of what is passed, and its type; what is not understood, such as `sizeof b', is a
 * number where it is a constant. */
static const struct image_type *type_of_passed(struct mutant_maker *x, struct passed *p,
					       const struct value_site *site)
{
	size_t at;
	const struct source *s = mutant_maker_source(x, site->addr, &at);
	const struct image_type *type;

	p->text =
		s ? source_text(s, source_argument(s, at, p->name, counted_argument(p) - 1)) : NULL;
	if (p->f)
		return p->text ? image_parameter_type(x->im, p->f, p->argument - 1 - p->results)
			       : NULL;
	type = type_by_mangled(p->callee, p->argument - p->results);
	if (type || !p->text) /* the words of an operator's operand are not looked for */
		return type;
	type = expression_type(x, site, p->text);
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

	if (v && expression_fits(type, code_value_type(v)) &&
	    is_way_possible(x, site, type, text, way))
		add_expression_mutant(x, site, text, v, way, p->text, all);
	code_value_free(v);
}

/* Frees the text. */
static void add_size(struct mutant_maker *x, const struct value_site *site,
		     const struct image_type *type, char *text, GArray *all)
{
	struct code_value *v = code_value_new(x->im, site->addr, text, x->limits);

	if (v && expression_fits(type, code_value_type(v)))
		expression_worded_mutant(x, site, text, v, MUTANT_OTHER_VARIABLE, all);
	code_value_free(v);
	g_free(text);
}

/* Of a library function that is told how many bytes it may write: the size of what it writes, or of
 * so many elements of that. */
static void add_sizes(struct mutant_maker *x, const struct passed *p, const struct value_site *site,
		      const struct image_type *type, GArray *all)
{
	const struct library_function *f = p->f ? NULL : library_find(p->callee);
	size_t at;
	const struct source *s = mutant_maker_source(x, site->addr, &at);
	g_autofree char *object = NULL;

	if (!s || !f || !f->writes || (f->most != p->argument && f->room != p->argument))
		return;
	object = source_text(
		s, source_argument(s, at, p->callee, (unsigned)g_bit_nth_lsf(f->writes, -1)));
	if (!object)
		return;
	add_size(x, site, type, g_strdup_printf("sizeof(%s)", object), all);
	add_size(x, site, type, g_strdup_printf("sizeof(*%s)", object), all);
	if (!strstr(p->text, "sizeof"))
		add_size(x, site, type,
			 g_strdup_printf(strchr(p->text, ' ') ? "(%s) * sizeof(*%s)"
							      : "%s * sizeof(*%s)",
					 p->text, object),
			 all);
}

static void add_of_argument(struct mutant_maker *x, struct passed *p, const struct value_site *site,
			    guint first, GArray *all)
{
	const struct image_function *in = image_function_at(x->im, site->addr);
	const struct image_type *type = in ? type_of_passed(x, p, site) : NULL;
	g_autoptr(GPtrArray) texts = type && p->text ? texts_for(x, site, p->text) : NULL;
	const struct expression_site s = { site, type, p->text, p->text, first };

	if (type)
		add_applied(x, site, type, all);
	if (type && p->text)
		expression_part_mutants(x, site, type, p->text, all);
	if (type && p->text && type->kind == IMAGE_TYPE_INT)
		add_sizes(x, p, site, type, all);
	/* where a text begins that a function looks at, how long it is, from where on */
	if (type && p->text && !strchr(p->text, '"') && !is_outcome(p->text) &&
	    (type->kind == IMAGE_TYPE_POINTER || type->kind == IMAGE_TYPE_INT))
		add_by_one(x, site, type, p->f, all);
	for (enum expression_way way = INSTEAD; way <= SUBTRACTED; way++)
		for (guint i = 0; texts && i < texts->len; i++)
			if (has_place_for(x, &s, texts->pdata[i], way, all))
				add_to_argument(x, p, site, type, texts->pdata[i], way, all);
}

static void add_of_call(struct mutant_maker *x, const GArray *addrs, guint call, guint first,
			GArray *all)
{
	const struct trace_insn *insn = image_insn_at(x->im, g_array_index(addrs, uint64_t, call));
	struct passed p = { .f = image_function_at(x->im, insn->target) };
	g_autofree char *name = NULL;
	struct value_site site;

	if (insn->flow != TRACE_FLOW_CALL)
		return;
	p.callee = p.f ? p.f->name : image_native_name(x->im, insn->target);
	if (!p.callee)
		return;
	p.name = name = mangled_words(p.callee);
	count_hidden_arguments(x, addrs, call, &p);
	for (p.argument = 1 + p.results + p.objects; p.argument <= MOST_ARGUMENTS; p.argument++) {
		if (!value_site_of_argument(x->im, addrs, call, p.argument, &site))
			continue;
		site.argument = (uint8_t)counted_argument(&p);
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

		if (!value_site_of_store(x->im, addr, &site)) {
			if (value_site_of_step(x->im, addr, &site))
				add_steps(x, file, line, &site, all);
			continue;
		}
		add_of_site(x, file, line, &site, row != after, first, all);
		add_steps(x, file, line, &site, all);
		after = row;
	}
	if (value_site_of_return(x->im, addrs, &site))
		add_of_site(x, file, line, &site, true, first, all);
	for (guint i = 0; i < addrs->len; i++)
		add_of_call(x, addrs, i, first, all);
}
