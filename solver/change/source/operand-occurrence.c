/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/change/source/operand-occurrence.h"

#include "solver/base/ordinal.h"
#include "solver/change/source/operand-name.h"
#include "solver/source/operand-text.h"
#include "solver/source/polarity.h"

#include <string.h>

/* A variable that an instruction reads. */
struct operand_read {
	uint64_t addr;
	char *name;
};

static void operand_read_clear(gpointer read)
{
	g_free(((struct operand_read *)read)->name);
}

/* The named variables that the line's instructions read (struct operand_read), in their order.
 * Free it. */
static GArray *named_reads(const struct image *im, const GArray *addrs)
{
	GArray *all = g_array_new(FALSE, FALSE, sizeof(struct operand_read));

	g_array_set_clear_func(all, operand_read_clear);
	for (guint i = 0; i < addrs->len; i++) {
		struct operand_read read = { .addr = g_array_index(addrs, uint64_t, i) };
		struct insn in;

		if (!mutant_decode(im, read.addr, &in))
			continue;
		for (unsigned k = 0; k < in.i.operand_count_visible; k++) {
			read.name = in.o[k].actions & ZYDIS_OPERAND_ACTION_MASK_READ
					    ? operand_name(im, &in, &in.o[k])
					    : NULL;
			if (read.name)
				g_array_append_val(all, read);
		}
	}
	return all;
}

/* Which of the names stands there?  NULL: none, or one whose place in the order tells nothing, as
 * of what is assigned to, and of an array, which is read behind its index. */
static const char *name_read_there(const GArray *reads, const char *text, const char *at)
{
	const char *longest = NULL;

	for (guint i = 0; i < reads->len; i++) {
		const char *name = g_array_index(reads, struct operand_read, i).name;

		if (operand_text_stands(text, at, name) &&
		    (!longest || strlen(name) > strlen(longest)))
			longest = name;
	}
	return longest && !g_regex_match_simple("^\\s*(=[^=]|[-+*/%&|^]=|<<=|>>=|\\(|\\[|->)",
						at + strlen(longest), 0, 0)
		       ? longest
		       : NULL;
}

/* The names (const char *, the reads') in the order in which the text has them.  Free it. */
static GPtrArray *names_written(const GArray *reads, const char *text)
{
	GPtrArray *all = g_ptr_array_new();

	for (const char *at = text; *at; at++) {
		const char *name = name_read_there(reads, text, at);

		if (name)
			g_ptr_array_add(all, (gpointer)name);
	}
	return all;
}

/* Leaves out reads of what is not among the names. */
static void keep_written(GArray *reads, const GPtrArray *written)
{
	for (guint i = reads->len; i > 0; i--) {
		const char *name = g_array_index(reads, struct operand_read, i - 1).name;

		if (!g_ptr_array_find_with_equal_func((GPtrArray *)written, name, g_str_equal,
						      NULL))
			g_array_remove_index(reads, i - 1);
	}
}

/* The same, and other names are left out of what is written. */
static void keep_two(GArray *reads, GPtrArray *written, const char *a, const char *b)
{
	for (guint i = written->len; i > 0; i--)
		if (strcmp(written->pdata[i - 1], a) != 0 && strcmp(written->pdata[i - 1], b) != 0)
			g_ptr_array_remove_index(written, i - 1);
	keep_written(reads, written);
}

/* Does the line read what the text has, in this order?  A name alone does not tell: of `n - n * n'
 * the product is computed first. */
static bool are_in_order(const GArray *reads, const GPtrArray *written)
{
	bool differ = false;

	if (reads->len != written->len)
		return false;
	for (guint i = 0; i < reads->len; i++) {
		const char *name = g_array_index(reads, struct operand_read, i).name;

		if (strcmp(name, written->pdata[i]) != 0)
			return false;
		differ = differ || strcmp(name, written->pdata[0]) != 0;
	}
	return differ;
}

/* "the 2nd `a'", "`a'" where it stands once.  NULL: it is not read there.  Free it. */
static char *occurrence_words(const GArray *reads, uint64_t addr, const char *name)
{
	guint n = 0, of = 0;

	for (guint i = 0; i < reads->len; i++) {
		const struct operand_read *r = &g_array_index(reads, struct operand_read, i);

		if (strcmp(r->name, name) != 0)
			continue;
		of++;
		if (r->addr == addr)
			n = of;
	}
	if (!n)
		return NULL;
	return of == 1 ? g_strdup_printf("`%s'", name)
		       : g_strdup_printf("the %u%s `%s'", n, ordinal_ending(n), name);
}

/* The two names of such words; *exchanged: of "`a' and `b' exchanged". */
static bool take_names(const char *words, char **first, char **second, bool *exchanged)
{
	g_autoptr(GRegex) form =
		g_regex_new("^`([^']+)' (for|and) `([^']+)'( exchanged)?$", 0, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;

	if (!g_regex_match(form, words, 0, &match))
		return false;
	*first = g_match_info_fetch(match, 1);
	*second = g_match_info_fetch(match, 3);
	*exchanged = g_str_has_suffix(words, "exchanged");
	return true;
}

char *operand_occurrence_words(struct mutant_maker *x, const GArray *addrs,
			       const struct mutant *mutant, const char *words)
{
	g_autofree char *text = mutant_maker_line(x, mutant->addr), *a = NULL, *b = NULL;
	g_autofree char *one = NULL, *other = NULL;
	g_autoptr(GArray) reads = named_reads(x->im, addrs);
	g_autoptr(GPtrArray) written = text ? names_written(reads, text) : NULL;
	bool exchanged = false;

	if (!written || !take_names(words, &a, &b, &exchanged) || exchanged != !!mutant->also)
		return g_strdup(words);
	keep_written(reads, written);
	if (!are_in_order(reads, written))
		keep_two(reads, written, a, b); /* a macro may read others twice */
	if (!are_in_order(reads, written))
		return g_strdup(words);
	one = exchanged ? occurrence_words(reads, mutant->addr, a) : g_strdup_printf("`%s'", a);
	other = occurrence_words(reads, exchanged ? mutant->also->addr : mutant->addr, b);
	if (!one || !other)
		return g_strdup(words);
	return exchanged ? g_strdup_printf("%s and %s exchanged", one, other)
			 : g_strdup_printf("%s for %s", one, other);
}

/* ---- numbers ---- */

static guint times_of_number(const char *text, const char *number)
{
	guint n = 0;

	for (const char *at = text; *at; at++)
		n += operand_text_stands(text, at, number);
	return n;
}

/* "`text with the new number' for `text'", where the text has the old one once; else NULL. */
static char *words_with_number(const char *text, const char *to, const char *from)
{
	g_autofree char *other = NULL;

	if (!text || times_of_number(text, from) != 1)
		return NULL;
	other = operand_text_with(text, from, to, false);
	return g_strdup_printf("`%s' for `%s'", other, text);
}

/* `sign = 1', where the instruction stores the number and the line says so once; NULL: it does not.
 * Free it. */
static char *assignment_of_number(struct mutant_maker *x, const struct mutant *mutant,
				  const char *line, const char *number)
{
	g_autofree char *name = operand_name_stored(x->im, mutant->addr);
	g_autofree char *word = name ? g_regex_escape_string(name, -1) : NULL;
	g_autofree char *pattern =
		name ? g_strdup_printf("(?<![\\w.>])%s *= *%s(?![\\w.])", word, number) : NULL;
	g_autoptr(GRegex) regex = name ? g_regex_new(pattern, 0, 0, NULL) : NULL;
	g_autoptr(GMatchInfo) match = NULL;
	char *found;

	if (!name || !g_regex_match(regex, line, 0, &match))
		return NULL;
	found = g_match_info_fetch(match, 0);
	if (g_match_info_next(match, NULL))
		g_clear_pointer(&found, g_free);
	return found;
}

bool operand_occurrence_is_of_source(struct mutant_maker *x, const struct mutant *mutant,
				     const char *number)
{
	g_autofree char *line = mutant_maker_line(x, mutant->addr);
	g_autofree char *assignment = line ? assignment_of_number(x, mutant, line, number) : NULL;
	struct polarity p = { 0 };
	bool found = assignment;

	if (!line || assignment)
		return found;
	polarity_find(x->im, expression_texts_sources(x->texts), x->limits,
		      mutant->addr + mutant->length, &p);
	found = p.clause && times_of_number(p.clause, number) == 1;
	polarity_clear(&p);
	return found;
}

char *operand_occurrence_of_number(struct mutant_maker *x, const struct mutant *mutant,
				   const char *words)
{
	g_autoptr(GRegex) form = g_regex_new("^(-?[\\w.]+) for (-?[\\w.]+)$", 0, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;
	g_autofree char *line = mutant_maker_line(x, mutant->addr), *to = NULL, *from = NULL;
	g_autofree char *assignment = NULL;
	struct polarity p = { 0 };
	char *told = NULL;

	if (!line || mutant->also || !g_regex_match(form, words, 0, &match))
		return g_strdup(words);
	to = g_match_info_fetch(match, 1);
	from = g_match_info_fetch(match, 2);
	if (times_of_number(line, from) < 2)
		return g_strdup(words);
	assignment = assignment_of_number(x, mutant, line, from);
	if (!assignment)
		polarity_find(x->im, expression_texts_sources(x->texts), x->limits,
			      mutant->addr + mutant->length, &p);
	told = words_with_number(assignment ? assignment : p.clause, to, from);
	polarity_clear(&p);
	return told ? told : g_strdup(words);
}
