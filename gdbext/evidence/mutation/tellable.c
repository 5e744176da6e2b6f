/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Can a change of the code be typed as its words say it?  A compiler has constants and comparisons
 * of its own: the 0 of an `&&' that does not hold, the shift of a bit-field. */
#include "gdbext/evidence/mutation/mutation-private.h"
#include "gdbext/evidence/words/literal-words.h"
#include "solver/change/first-value.h"
#include "solver/source/operand-text.h"

#include <string.h>

static bool is_code_constant(const struct mutant *of, int64_t value)
{
	return of->kind == MUTANT_CONSTANT && of->from == value;
}

/* How many instructions of the line compute with the constant. */
static guint times_in_code(const struct mutation *m, const struct image_statement *s, int64_t value)
{
	g_autoptr(GArray) all = mutator_line(m->mutator, s->file, s->line);
	g_autoptr(GHashTable) addrs =
		g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);

	for (guint i = 0; i < all->len; i++) {
		const struct mutant *of = &g_array_index(all, struct mutant, i);

		if (is_code_constant(of, value))
			g_hash_table_add(addrs, g_memdup2(&of->addr, sizeof of->addr));
	}
	return g_hash_table_size(addrs);
}

/* How often the line has the number, or counts by it. */
static guint times_in_source(const char *text, const char *number)
{
	const bool is_step = strcmp(number, "1") == 0 || strcmp(number, "-1") == 0;
	g_autofree char *pattern =
		g_strdup_printf("(?<![\\w.'\"])%s(?![\\w.'\"])", number + (*number == '-'));

	return operand_text_matches(text, pattern) +
	       (is_step ? operand_text_matches(text, "\\+\\+|--") : 0);
}

/* 0, 1 and -1 are what a compiler puts in by itself.  Elsewhere the line has as many as its code,
 * or it is known what gets the number or is compared with it. */
static bool is_number_of_source(const struct mutation *m, const struct mutant *of,
				const struct image_statement *s, const char *text,
				const char *words)
{
	g_autoptr(GRegex) form = g_regex_new("^-?\\d+ for (-?[01])(, each time)?$", 0, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;
	g_autofree char *number = NULL;
	guint code, source;

	if (!g_regex_match(form, words, 0, &match))
		return true;
	number = g_match_info_fetch(match, 1);
	code = times_in_code(m, s, of->from);
	source = times_in_source(text, number);
	/* a name of a macro's may stand for the only one */
	return code == source ||
	       (!source && code == 1 &&
		literal_in(mutation_image(m), text, of->from) == LITERAL_UNKNOWN) ||
	       (!of->also && mutator_number_is_certain(m->mutator, of, number));
}

/* Does the branch ask for the result of a call that is true or false?  It compares nothing. */
static bool asks_for_truth(const struct image *im, uint64_t addr)
{
	static const uint8_t test_al[] = { 0x84, 0xc0 };
	const struct trace_insn *all, *branch = image_insn_at(im, addr);
	size_t n = image_insns(im, &all), at = branch ? (size_t)(branch - all) : n, avail = 0;
	const uint8_t *bytes;

	if (at >= n || at < 2 || all[at - 2].flow != TRACE_FLOW_CALL)
		return false;
	bytes = image_bytes(im, all[at - 1].addr, &avail);
	return bytes && all[at - 1].length == sizeof test_al && avail >= sizeof test_al &&
	       memcmp(bytes, test_al, sizeof test_al) == 0;
}

const char *mutation_text(const struct mutation *m, uint64_t addr)
{
	const struct image_statement *s = mutation_statement(m, addr);
	const char *line = s ? image_source_line(mutation_image(m), s->file, s->line) : NULL;
	g_autofree char *code = line ? g_strndup(line, operand_text_code_length(line)) : NULL;
	struct first_value first;
	const char *text;

	if (!s || !first_value_stored(mutation_image(m), addr, &first))
		return code ? g_string_chunk_insert_const(m->words, code) : NULL;
	text = g_string_chunk_insert_const(m->words, first.text);
	first_value_clear(&first);
	return text;
}

bool mutation_is_tellable(const struct mutation *m, const struct mutant *of)
{
	const struct image_statement *s = mutation_statement(m, of->addr);
	const char *text = s ? mutation_text(m, of->addr) : NULL;
	g_autofree char *words = NULL;

	if (!text)
		return true;
	if (of->kind == MUTANT_CONDITION)
		return of->to == (of->from ^ 1) || !asks_for_truth(mutation_image(m), of->addr);
	if (of->kind == MUTANT_OPERATOR && !mutation_is_written(m, of, text))
		return false;
	words = mutation_describe(m, of);
	return !g_regex_match_simple("(^|and )another (constant|operation|variable)", words, 0,
				     0) &&
	       (of->kind != MUTANT_CONSTANT || is_number_of_source(m, of, s, text, words));
}
