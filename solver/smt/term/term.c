/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/smt/term/term.h"
#include "solver/smt/term/term-private.h"

#include <string.h>

struct rewrite {
	struct term_node node;
	uint32_t result; /* 0 = free */
};

struct term_pool {
	struct term_node *nodes;
	uint32_t n, room;
	uint32_t *table; /* open addressing, power of two */
	uint32_t table_size;
	struct rewrite *rewrites; /* open addressing, power of two */
	uint32_t n_rewrites, rewrites_size;
	const struct limits *limits;
};

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

struct term_pool *term_pool_new(void)
{
	struct term_pool *p = g_new0(struct term_pool, 1);

	p->room = 1024;
	p->nodes = g_new0(struct term_node, p->room);
	p->n = 1;
	p->table_size = 4096;
	p->table = g_new0(uint32_t, p->table_size);
	p->rewrites_size = 1024;
	p->rewrites = g_new0(struct rewrite, p->rewrites_size);
	p->limits = limits_default();
	return p;
}

void term_pool_set_limits(struct term_pool *p, const struct limits *limits)
{
	p->limits = limits_or_default(limits);
}

const struct limits *term_pool_limits(const struct term_pool *p)
{
	return p->limits;
}

void term_pool_free(struct term_pool *p)
{
	if (!p)
		return;
	g_free(p->nodes);
	g_free(p->table);
	g_free(p->rewrites);
	g_free(p);
}

uint32_t term_pool_size(const struct term_pool *p)
{
	return p->n;
}

static void double_the_table(struct term_pool *p)
{
	g_free(p->table);
	p->table_size *= 2;
	p->table = g_new0(uint32_t, p->table_size);
	for (uint32_t i = 1; i < p->n; i++) {
		uint32_t slot = hash_of_node(&p->nodes[i]) & (p->table_size - 1);

		while (p->table[slot])
			slot = (slot + 1) & (p->table_size - 1);
		p->table[slot] = i;
	}
}

uint32_t term_intern(struct term_pool *p, const struct term_node *node)
{
	if (p->n * 2 >= p->table_size)
		double_the_table(p);
	uint32_t slot = hash_of_node(node) & (p->table_size - 1);

	while (p->table[slot]) {
		if (nodes_are_equal(&p->nodes[p->table[slot]], node))
			return p->table[slot];
		slot = (slot + 1) & (p->table_size - 1);
	}
	if (p->n == p->room) {
		p->room *= 2;
		p->nodes = g_renew(struct term_node, p->nodes, p->room);
	}
	p->nodes[p->n] = *node;
	p->table[slot] = p->n;
	return p->n++;
}

/* The slot where the node's rewrite is, or where it would be. */
static struct rewrite *rewrite_slot(const struct term_pool *p, const struct term_node *node)
{
	uint32_t slot = hash_of_node(node) & (p->rewrites_size - 1);

	while (p->rewrites[slot].result && !nodes_are_equal(&p->rewrites[slot].node, node))
		slot = (slot + 1) & (p->rewrites_size - 1);
	return &p->rewrites[slot];
}

uint32_t term_rewritten(const struct term_pool *p, const struct term_node *node)
{
	return rewrite_slot(p, node)->result;
}

static void double_the_rewrites(struct term_pool *p)
{
	struct rewrite *old = p->rewrites;
	uint32_t size = p->rewrites_size;

	p->rewrites_size *= 2;
	p->rewrites = g_new0(struct rewrite, p->rewrites_size);
	for (uint32_t i = 0; i < size; i++)
		if (old[i].result)
			*rewrite_slot(p, &old[i].node) = old[i];
	g_free(old);
}

void term_remember(struct term_pool *p, const struct term_node *node, uint32_t result)
{
	struct rewrite *r;

	if (++p->n_rewrites * 2 >= p->rewrites_size)
		double_the_rewrites(p);
	r = rewrite_slot(p, node);
	*r = (struct rewrite){ *node, result };
}

const struct term_node *term_node(const struct term_pool *p, uint32_t t)
{
	g_assert(t > 0 && t < p->n);
	return &p->nodes[t];
}

unsigned term_width(const struct term_pool *p, uint32_t t)
{
	return term_node(p, t)->width;
}

bool term_is_const(const struct term_pool *p, uint32_t t, uint64_t *value)
{
	const struct term_node *n = term_node(p, t);

	if (n->kind != IR_CONST)
		return false;
	if (value)
		*value = n->value;
	return true;
}

bool term_const_bits(const struct term_pool *p, uint32_t t, term_bits *value)
{
	const struct term_node *n = term_node(p, t);

	if (n->kind == IR_CONST) {
		*value = n->value;
		return true;
	}
	if (n->kind == IR_CONCAT && n->width > 64 && term_node(p, n->a)->kind == IR_CONST &&
	    term_node(p, n->b)->kind == IR_CONST) {
		*value = (term_bits)term_node(p, n->a)->value << term_node(p, n->b)->width |
			 term_node(p, n->b)->value;
		return true;
	}
	return false;
}

term_bits term_mask(unsigned width)
{
	return width >= 128 ? ~(term_bits)0 : ((term_bits)1 << width) - 1;
}

uint32_t term_const(struct term_pool *p, unsigned width, uint64_t value)
{
	g_assert(width >= 1 && width <= 64);
	struct term_node n = { .kind = IR_CONST,
			       .width = (uint8_t)width,
			       .value = value & (uint64_t)term_mask(width) };

	return term_intern(p, &n);
}

uint32_t term_const_wide(struct term_pool *p, unsigned width, term_bits value)
{
	if (width <= 64)
		return term_const(p, width, (uint64_t)value);
	struct term_node n = { .kind = IR_CONCAT, .width = (uint8_t)width };

	n.a = term_const(p, width - 64, (uint64_t)(value >> 64));
	n.b = term_const(p, 64, (uint64_t)value);
	return term_intern(p, &n);
}

uint32_t term_var(struct term_pool *p, unsigned width, uint32_t number)
{
	g_assert(width >= 1 && width <= 128);
	struct term_node n = { .kind = TERM_VAR, .width = (uint8_t)width, .a = number };

	return term_intern(p, &n);
}

uint32_t term_true(struct term_pool *p)
{
	return term_const(p, 1, 1);
}

uint32_t term_false(struct term_pool *p)
{
	return term_const(p, 1, 0);
}

void term_variables(const struct term_pool *p, uint32_t t, GHashTable *seen,
		    void (*visit)(void *arg, uint32_t variable), void *arg)
{
	g_autoptr(GArray) stack = g_array_new(FALSE, FALSE, sizeof(uint32_t));

	g_array_append_val(stack, t);
	while (stack->len) {
		uint32_t top = g_array_index(stack, uint32_t, stack->len - 1);

		g_array_set_size(stack, stack->len - 1);
		if (!top || !g_hash_table_add(seen, GUINT_TO_POINTER(top)))
			continue;
		const struct term_node *n = term_node(p, top);

		if (n->kind == TERM_VAR) {
			visit(arg, top);
			continue;
		}
		g_array_append_val(stack, n->a);
		g_array_append_val(stack, n->b);
		g_array_append_val(stack, n->c);
	}
}
