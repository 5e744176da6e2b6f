/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/smt/term/node-index.h"

#include <string.h>

/* The terms of LINE_TERMS neighbours, as youngest operands, have LINE_ENTRIES entries. */
enum { LINE_TERMS = 4, LINE_ENTRIES = 8, FIRST_LINES = 256, FIRST_TABLE = 1024 };

void node_index_init(struct node_index *x, size_t stride)
{
	*x = (struct node_index){ .stride = stride,
				  .n_lines = FIRST_LINES,
				  .table_size = FIRST_TABLE };
	x->lines = g_new0(uint32_t, (size_t)x->n_lines * LINE_ENTRIES);
	x->table = g_new0(uint32_t, x->table_size);
}

void node_index_deinit(struct node_index *x)
{
	g_free(x->lines);
	g_free(x->table);
}

static const struct term_node *node_of_number(const struct node_index *x, const void *nodes,
					      uint32_t number)
{
	return (const void *)((const char *)nodes + number * x->stride);
}

static uint64_t hash_of_node(const struct term_node *n)
{
	uint64_t h = n->kind | (uint64_t)n->width << 8 | (uint64_t)n->a << 32;

	h = (h ^ n->b) * 0x9e3779b97f4a7c15u;
	h = (h ^ (h >> 29) ^ n->c) * 0xbf58476d1ce4e5b9u;
	h = (h ^ (h >> 32) ^ n->value) * 0x94d049bb133111ebu;
	return h ^ (h >> 31);
}

static bool nodes_are_equal(const struct term_node *x, const struct term_node *y)
{
	return x->kind == y->kind && x->width == y->width && x->a == y->a && x->b == y->b &&
	       x->c == y->c && x->value == y->value;
}

static bool has_operands(const struct term_node *n)
{
	return n->kind != IR_CONST && n->kind != TERM_VAR;
}

static uint32_t line_of_node(const struct term_node *n)
{
	return MAX(n->a, MAX(n->b, n->c)) / LINE_TERMS;
}

static uint32_t find_in_table(const struct node_index *x, const void *nodes,
			      const struct term_node *node)
{
	uint32_t slot = hash_of_node(node) & (x->table_size - 1);

	while (x->table[slot] && !nodes_are_equal(node_of_number(x, nodes, x->table[slot]), node))
		slot = (slot + 1) & (x->table_size - 1);
	return x->table[slot];
}

uint32_t node_index_find(const struct node_index *x, const void *nodes,
			 const struct term_node *node)
{
	uint32_t line = line_of_node(node);

	if (!has_operands(node))
		return find_in_table(x, nodes, node);
	if (line >= x->n_lines)
		return 0;
	for (const uint32_t *e = x->lines + (size_t)line * LINE_ENTRIES, *end = e + LINE_ENTRIES;
	     e < end; e++) {
		if (!*e)
			return 0;
		if (nodes_are_equal(node_of_number(x, nodes, *e), node))
			return *e;
	}
	return find_in_table(x, nodes, node);
}

static void put_in_table(struct node_index *x, const void *nodes, uint32_t number)
{
	uint32_t slot = hash_of_node(node_of_number(x, nodes, number)) & (x->table_size - 1);

	while (x->table[slot])
		slot = (slot + 1) & (x->table_size - 1);
	x->table[slot] = number;
}

static void add_to_table(struct node_index *x, const void *nodes, uint32_t number)
{
	uint32_t *old = x->table, size = x->table_size;

	if (++x->n_in_table * 2 >= size) {
		x->table_size *= 2;
		x->table = g_new0(uint32_t, x->table_size);
		for (uint32_t i = 0; i < size; i++)
			if (old[i])
				put_in_table(x, nodes, old[i]);
		g_free(old);
	}
	put_in_table(x, nodes, number);
}

static void make_lines(struct node_index *x, uint32_t line)
{
	uint32_t n = x->n_lines;

	while (line >= n)
		n *= 2;
	if (n == x->n_lines)
		return;
	x->lines = g_renew(uint32_t, x->lines, (size_t)n * LINE_ENTRIES);
	memset(x->lines + (size_t)x->n_lines * LINE_ENTRIES, 0,
	       (size_t)(n - x->n_lines) * LINE_ENTRIES * sizeof(*x->lines));
	x->n_lines = n;
}

void node_index_add(struct node_index *x, const void *nodes, uint32_t number)
{
	const struct term_node *node = node_of_number(x, nodes, number);
	uint32_t line = line_of_node(node);

	if (has_operands(node)) {
		make_lines(x, line);
		for (unsigned i = 0; i < LINE_ENTRIES; i++) {
			uint32_t *e = &x->lines[(size_t)line * LINE_ENTRIES + i];

			if (!*e) {
				*e = number;
				return;
			}
		}
	}
	add_to_table(x, nodes, number);
}
