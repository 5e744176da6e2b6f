/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/change/source/expression-parts.h"

#include "solver/change/source/expression-piece.h"
#include "solver/image/variable/variable.h"
#include "solver/source/source.h"

#include <string.h>

static bool is_pointer(const struct image_type *t)
{
	return t->kind == IMAGE_TYPE_POINTER;
}

bool expression_fits(const struct image_type *to, const struct image_type *t)
{
	if (is_pointer(to) != is_pointer(t))
		return false;
	return !is_pointer(to) || !to->target || !t->target ||
	       (to->target->kind == t->target->kind &&
		g_strcmp0(to->target->name, t->target->name) == 0);
}

void expression_worded_mutant(struct mutant_maker *x, const struct value_site *site,
			      const char *words, const struct code_value *v,
			      enum mutant_nearness nearness, GArray *all)
{
	struct code_piece *piece = mutant_maker_piece(x);
	struct mutant made = { .kind = MUTANT_EXPRESSION,
			       .addr = site->addr,
			       .length = site->length,
			       .nearness = nearness,
			       .words = g_string_chunk_insert_const(x->words, words),
			       .piece = piece };

	if (expression_piece_write(piece, site, v, INSTEAD))
		g_array_append_val(all, made);
}

const struct image_type *expression_type(struct mutant_maker *x, const struct value_site *site,
					 const char *text)
{
	struct code_value *v = code_value_new(x->im, site->addr, text, x->limits);
	const struct image_type *type = v ? code_value_type(v) : NULL;

	code_value_free(v);
	return type;
}

char *expression_assigned(const struct source *s, size_t at)
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

/* ---- another divisor ---- */

/* What stands in value from there to there is replaced. */
static void add_replaced(struct mutant_maker *x, const struct value_site *site,
			 const struct image_type *type, const char *value, gint from, gint to,
			 const char *other, enum mutant_nearness nearness, GArray *all)
{
	g_autofree char *text = g_strdup_printf("%.*s%s%s", from, value, other, value + to);
	g_autofree char *words = g_strdup_printf("`%s' for `%.*s'", other, to - from, value + from);
	struct code_value *v = code_value_new(x->im, site->addr, text, x->limits);

	if (v && expression_fits(type, code_value_type(v)))
		expression_worded_mutant(x, site, words, v, nearness, all);
	code_value_free(v);
}

/* What the file divides by elsewhere, too, each once: numbers and names of variables, owned. */
static GPtrArray *divisors_of_file(struct mutant_maker *x, const struct value_site *site)
{
	static const char divides[] = "[/%]=? ?(\\d+|[A-Za-z_]\\w*)\\b(?![.\\[(]|->)";
	GPtrArray *divisors = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GRegex) regex = g_regex_new(divides, 0, 0, NULL);
	g_autoptr(GMatchInfo) found = NULL;
	size_t at;
	const struct source *s = mutant_maker_source(x, site->addr, &at);

	if (s)
		g_regex_match(regex, s->code, 0, &found);
	for (; s && divisors->len < x->limits->mutant_divisors && g_match_info_matches(found);
	     g_match_info_next(found, NULL)) {
		g_autofree char *divisor = g_match_info_fetch(found, 1);

		if (!g_ptr_array_find_with_equal_func(divisors, divisor, g_str_equal, NULL))
			g_ptr_array_add(divisors, g_steal_pointer(&divisor));
	}
	return divisors;
}

/* Ten times as much or a tenth, one more or less, and what other lines divide by, which are the
 * likelier ones: compilers make a multiplication and shifts of a division by a constant, in which
 * no other constant is another divisor. */
static void add_divisors_for(struct mutant_maker *x, const struct value_site *site,
			     const struct image_type *type, const char *value, gint from, gint to,
			     const GPtrArray *divisors, GArray *all)
{
	const gint64 now = g_ascii_strtoll(value + from, NULL, 10);
	const gint64 others[] = { now * 10, now % 10 ? 0 : now / 10, now + 1, now - 1, now * 2 };

	for (size_t i = 0; i < G_N_ELEMENTS(others); i++) {
		g_autofree char *other = g_strdup_printf("%" G_GINT64_FORMAT, others[i]);

		if (others[i] > 0 && now < G_MAXINT32 / 10)
			add_replaced(x, site, type, value, from, to, other,
				     ABS(others[i] - now) == 1 ? MUTANT_SAME_VARIABLE
							       : MUTANT_OTHER_VARIABLE,
				     all);
	}
	for (guint i = 0; i < divisors->len; i++) {
		const char *other = divisors->pdata[i];
		const gint64 number = g_ascii_strtoll(other, NULL, 10);

		if (number > 0 && number != now)
			add_replaced(x, site, type, value, from, to, other, MUTANT_SAME_VARIABLE,
				     all);
	}
}

/* Adds other divisors for each `/ 100', `% 7' and `% (n - 1)'. */
static void add_divisors(struct mutant_maker *x, const struct value_site *site,
			 const struct image_type *type, const char *value,
			 const GPtrArray *divisors, GArray *all)
{
	g_autoptr(GRegex) regex =
		g_regex_new("[/%] ?(?:(\\d+)\\b|\\((\\w+) [-+] 1\\))", 0, 0, NULL);
	g_autoptr(GMatchInfo) found = NULL;

	g_regex_match(regex, value, 0, &found);
	for (; g_match_info_matches(found); g_match_info_next(found, NULL)) {
		g_autofree char *name = g_match_info_fetch(found, 2);
		gint from, to;

		if (g_match_info_fetch_pos(found, 1, &from, &to) && from >= 0 && to > from)
			add_divisors_for(x, site, type, value, from, to, divisors, all);
		else if (name && *name && g_match_info_fetch_pos(found, 2, &from, NULL) &&
			 g_match_info_fetch_pos(found, 0, NULL, &to))
			add_replaced(x, site, type, value, from - 1, to, name,
				     MUTANT_OTHER_VARIABLE, all);
	}
}

/* A quotient that is rounded up, or to the nearest whole number.  `n / 60 + 1' is not rounded up
 * where nothing is left over. */
static void add_roundings(struct mutant_maker *x, const struct value_site *site,
			  const struct image_type *type, const char *value, GArray *all)
{
#define QUOTIENT "^((?:\\w|[.* ]|->|\\[[^]]*\\]|\\([^()]*\\))+?) ?/ ?(\\w+)"
	static const char *const forms[][3] = {
		{ QUOTIENT "$", "(\\1 + \\2 - 1) / \\2", "rounded up" },
		{ QUOTIENT " ?\\+ ?1$", "(\\1 + \\2 - 1) / \\2", "rounded up, without `+ 1'" },
		{ QUOTIENT "$", "(\\1 + \\2 / 2) / \\2", "rounded to the nearest number" },
	};
#undef QUOTIENT

	for (size_t i = 0; i < G_N_ELEMENTS(forms); i++) {
		g_autoptr(GRegex) regex = g_regex_new(forms[i][0], 0, 0, NULL);
		g_autofree char *text = NULL;
		struct code_value *v;

		if (!g_regex_match(regex, value, 0, NULL))
			continue;
		text = g_regex_replace(regex, value, -1, 0, forms[i][1], 0, NULL);
		v = code_value_new(x->im, site->addr, text, x->limits);
		if (v && expression_fits(type, code_value_type(v)))
			expression_worded_mutant(x, site, forms[i][2], v, MUTANT_SAME_VARIABLE,
						 all);
		code_value_free(v);
	}
}

/* ---- another index ---- */

static bool is_whole_number(struct mutant_maker *x, const struct value_site *site, const char *text)
{
	const struct image_type *t = expression_type(x, site, text);

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

		if (g_ascii_isdigit(*other) || strpbrk(other, "([ ") || strcmp(other, now) == 0 ||
		    !is_whole_number(x, site, other))
			continue;
		add_replaced(x, site, type, value, from, to, other, MUTANT_OTHER_VARIABLE, all);
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

/* ---- another arm of a choice ---- */

/* `q->tail' for `NULL' in `p ? p->prev : NULL'. */
static void add_arms(struct mutant_maker *x, const struct value_site *site,
		     const struct image_type *type, const char *value, GArray *all)
{
	const struct image_function *f = image_function_at(x->im, site->addr);
	const GPtrArray *texts = expression_texts_of(x->texts, f);
	g_autoptr(GRegex) regex = g_regex_new("^[^?:]+\\? ?([^?:]+?) ?: ?([^?:]+)$", 0, 0, NULL);
	g_autoptr(GMatchInfo) found = NULL;
	gint from, to;

	if (!g_regex_match(regex, value, 0, &found))
		return;
	for (gint arm = 1; arm <= 2 && g_match_info_fetch_pos(found, arm, &from, &to); arm++)
		for (guint i = 0; i < texts->len; i++) {
			const char *other = texts->pdata[i];
			const gsize n = strlen(other);

			if (!g_ascii_isdigit(*other) &&
			    ((gint)n != to - from || strncmp(other, value + from, n) != 0))
				add_replaced(x, site, type, value, from, to, other,
					     MUTANT_OTHER_VARIABLE, all);
		}
}

/* ---- another order of the same operands ---- */

#define TERM "((?:\\w|\\.|->|\\[[^]]*\\])+)"
#define NOT_BEHIND_TERM "(?<![\\w.>\\])])"
#define NOT_BEHIND_FACTOR "(?<![*/%-])(?<![*/%-] )"

/* A quotient that is taken too early loses what is behind the point; a sum without brackets gives
 * only a part of itself to what follows. */
static void add_orders(struct mutant_maker *x, const struct value_site *site,
		       const struct image_type *type, const char *value, GArray *all)
{
	static const char *const orders[][2] = {
		{ NOT_BEHIND_TERM TERM " ?/ ?" TERM " ?\\* ?" TERM, "\\1 * \\3 / \\2" },
		{ NOT_BEHIND_TERM TERM " ?\\* ?\\(" TERM " ?/ ?" TERM "\\)", "\\1 * \\2 / \\3" },
		{ NOT_BEHIND_TERM NOT_BEHIND_FACTOR TERM " ?([-+]) ?" TERM " ?([*/%]) ?" TERM,
		  "(\\1 \\2 \\3) \\4 \\5" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(orders); i++) {
		g_autoptr(GRegex) regex = g_regex_new(orders[i][0], 0, 0, NULL);
		g_autoptr(GMatchInfo) found = NULL;

		g_regex_match(regex, value, 0, &found);
		for (; g_match_info_matches(found); g_match_info_next(found, NULL)) {
			g_autofree char *other =
				g_match_info_expand_references(found, orders[i][1], NULL);
			gint from, to;

			if (g_match_info_fetch_pos(found, 0, &from, &to))
				add_replaced(x, site, type, value, from, to, other,
					     MUTANT_SAME_VARIABLE, all);
		}
	}
}

/* ---- a missing remainder ---- */

/* `% SIZE', which other lines have, where a counter has to begin anew or a digit is taken. */
static void add_remainders(struct mutant_maker *x, const struct value_site *site,
			   const struct image_type *type, const char *value,
			   const GPtrArray *divisors, GArray *all)
{
	for (guint i = 0; !strchr(value, '%') && i < divisors->len; i++) {
		const char *divisor = divisors->pdata[i];
		g_autofree char *text = g_strdup_printf("(%s) %% %s", value, divisor);
		g_autofree char *words = g_strdup_printf("`%% %s' added", divisor);
		struct code_value *v = code_value_new(x->im, site->addr, text, x->limits);

		if (v && expression_fits(type, code_value_type(v)))
			expression_worded_mutant(x, site, words, v, MUTANT_OTHER_VARIABLE, all);
		code_value_free(v);
	}
}

void expression_part_mutants(struct mutant_maker *x, const struct value_site *site,
			     const struct image_type *type, const char *value, GArray *all)
{
	g_autoptr(GPtrArray) divisors = divisors_of_file(x, site);

	if (type->kind == IMAGE_TYPE_INT) {
		add_roundings(x, site, type, value, all);
		add_divisors(x, site, type, value, divisors, all);
	}
	if (type->kind == IMAGE_TYPE_INT || type->kind == IMAGE_TYPE_CHAR) {
		add_orders(x, site, type, value, all);
		/* a check is met by a remainder by chance */
		if (x->limits->mutant_expressions)
			add_remainders(x, site, type, value, divisors, all);
	}
	add_indices(x, site, type, value, all);
	add_arms(x, site, type, value, all);
}
