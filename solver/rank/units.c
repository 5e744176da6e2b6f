/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/rank/units.h"

static void free_unit_line(void *line)
{
	g_free(((struct unit_line *)line)->file);
}

static void free_sequence(void *sequence)
{
	g_free(((struct unit_sequence *)sequence)->text);
}

struct units *units_new(void)
{
	struct units *u = g_new0(struct units, 1);

	u->lines = g_array_new(FALSE, FALSE, sizeof(struct unit_line));
	g_array_set_clear_func(u->lines, free_unit_line);
	u->statements = g_array_new(FALSE, FALSE, sizeof(struct unit_statement));
	u->blocks = g_array_new(FALSE, FALSE, sizeof(struct unit_block));
	u->edges = g_array_new(FALSE, FALSE, sizeof(struct unit_edge));
	u->predicates = g_array_new(FALSE, FALSE, sizeof(struct unit_predicate));
	u->outcomes = g_array_new(FALSE, FALSE, sizeof(unsigned));
	u->sequences = g_array_new(FALSE, FALSE, sizeof(struct unit_sequence));
	g_array_set_clear_func(u->sequences, free_sequence);
	u->dependences = g_array_new(FALSE, FALSE, sizeof(struct unit_dependence));
	u->numbers = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	return u;
}

void units_free(struct units *u)
{
	if (!u)
		return;
	g_array_unref(u->lines);
	g_array_unref(u->statements);
	g_array_unref(u->blocks);
	g_array_unref(u->edges);
	g_array_unref(u->predicates);
	g_array_unref(u->outcomes);
	g_array_unref(u->sequences);
	g_array_unref(u->dependences);
	g_hash_table_unref(u->numbers);
	g_free(u);
}

/* The number of the key. A new key gets the next number, and UNIT_NONE is returned. The key is
 * taken over. */
static unsigned number_of_key(struct units *u, char *key, unsigned next)
{
	unsigned known = GPOINTER_TO_UINT(g_hash_table_lookup(u->numbers, key));

	if (known) {
		g_free(key);
		return known - 1;
	}
	g_hash_table_insert(u->numbers, key, GUINT_TO_POINTER(next + 1));
	return UNIT_NONE;
}

static char *unit_key_of_line(const char *file, unsigned number)
{
	return g_strdup_printf("l%u %s", number, file);
}

unsigned units_find_line(const struct units *u, const char *file, unsigned number)
{
	g_autofree char *key = unit_key_of_line(file, number);
	unsigned known = GPOINTER_TO_UINT(g_hash_table_lookup(u->numbers, key));

	return known ? known - 1 : UNIT_NONE;
}

unsigned units_line(struct units *u, const char *file, unsigned number)
{
	unsigned next = u->lines->len;
	unsigned known = number_of_key(u, unit_key_of_line(file, number), next);

	if (known != UNIT_NONE)
		return known;
	struct unit_line line = { g_strdup(file), number };
	g_array_append_val(u->lines, line);
	return next;
}

unsigned units_edge(struct units *u, unsigned from, unsigned to)
{
	unsigned next = u->edges->len;

	g_assert(from < u->blocks->len && to < u->blocks->len);
	unsigned known = number_of_key(u, g_strdup_printf("e%u %u", from, to), next);
	if (known != UNIT_NONE)
		return known;
	struct unit_edge edge = { from, to };
	g_array_append_val(u->edges, edge);
	return next;
}

unsigned units_sequence(struct units *u, unsigned predicate, const char *text)
{
	unsigned next = u->sequences->len;

	g_assert(predicate < u->predicates->len);
	unsigned known = number_of_key(u, g_strdup_printf("s%u %s", predicate, text), next);
	if (known != UNIT_NONE)
		return known;
	struct unit_sequence sequence = { predicate, g_strdup(text) };
	g_array_append_val(u->sequences, sequence);
	return next;
}

unsigned units_add_statement(struct units *u, unsigned line, unsigned block)
{
	struct unit_statement statement = { line, block };

	g_assert(line < u->lines->len && (block == UNIT_NONE || block < u->blocks->len));
	g_array_append_val(u->statements, statement);
	return u->statements->len - 1;
}

unsigned units_add_block(struct units *u, bool is_virtual)
{
	struct unit_block block = { is_virtual };

	g_array_append_val(u->blocks, block);
	return u->blocks->len - 1;
}

unsigned units_add_predicate(struct units *u, unsigned statement, unsigned n)
{
	unsigned number = u->predicates->len;
	struct unit_predicate predicate = { statement, u->outcomes->len, n };

	g_assert(statement < u->statements->len && n >= 2);
	g_array_append_val(u->predicates, predicate);
	for (unsigned i = 0; i < n; i++)
		g_array_append_val(u->outcomes, number);
	return number;
}

void units_add_dependence(struct units *u, unsigned a, unsigned b)
{
	struct unit_dependence dependence = { a, b };

	g_assert(a < u->statements->len && b < u->statements->len);
	g_array_append_val(u->dependences, dependence);
}
