/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/smt/term/term.h"
#include "solver/smt/term/node-index.h"
#include "solver/smt/term/term-private.h"

#include <string.h>

struct rewrite {
	struct term_node node; /* first: what the index looks at */
	uint32_t result;
};

struct term_pool {
	struct term_node *nodes;
	uint32_t n, room;
	struct node_index index; /* of nodes */
	struct rewrite *rewrites;
	uint32_t n_rewrites, rewrites_room;
	struct node_index rewrites_index;
	const struct limits *limits;
};

struct term_pool *term_pool_new(void)
{
	struct term_pool *p = g_new0(struct term_pool, 1);

	p->room = 1024;
	p->nodes = g_new0(struct term_node, p->room);
	p->n = 1;
	node_index_init(&p->index, sizeof(*p->nodes));
	p->rewrites_room = 256;
	p->rewrites = g_new0(struct rewrite, p->rewrites_room);
	p->n_rewrites = 1; /* 0 is no number */
	node_index_init(&p->rewrites_index, sizeof(*p->rewrites));
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
	node_index_deinit(&p->index);
	g_free(p->rewrites);
	node_index_deinit(&p->rewrites_index);
	g_free(p);
}

uint32_t term_pool_size(const struct term_pool *p)
{
	return p->n;
}

uint32_t term_intern(struct term_pool *p, const struct term_node *node)
{
	uint32_t known = node_index_find(&p->index, p->nodes, node);

	if (known)
		return known;
	if (p->n == p->room) {
		p->room *= 2;
		p->nodes = g_renew(struct term_node, p->nodes, p->room);
	}
	p->nodes[p->n] = *node;
	node_index_add(&p->index, p->nodes, p->n);
	return p->n++;
}

uint32_t term_rewritten(const struct term_pool *p, const struct term_node *node)
{
	return p->rewrites[node_index_find(&p->rewrites_index, p->rewrites, node)].result;
}

void term_remember(struct term_pool *p, const struct term_node *node, uint32_t result)
{
	uint32_t known = node_index_find(&p->rewrites_index, p->rewrites, node);

	if (known) {
		p->rewrites[known].result = result;
		return;
	}
	if (p->n_rewrites == p->rewrites_room) {
		p->rewrites_room *= 2;
		p->rewrites = g_renew(struct rewrite, p->rewrites, p->rewrites_room);
	}
	p->rewrites[p->n_rewrites] = (struct rewrite){ *node, result };
	node_index_add(&p->rewrites_index, p->rewrites, p->n_rewrites++);
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
