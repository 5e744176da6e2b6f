/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rounds of loops, in graphs that are written down here. */
#include "solver/image/image.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_BLOCKS = 10, MOST_EDGES = 40 };

struct drawn {
	struct image_block blocks[MOST_BLOCKS];
	uint32_t to[MOST_EDGES];
	struct image_cfg cfg;
};

/* "01 12 21": edges from 0 to 1, from 1 to 2 and from 2 to 1, in the order of where they begin. */
static void draw(struct drawn *d, const char *edges)
{
	uint32_t n = 0;

	memset(d, 0, sizeof(*d));
	d->cfg.blocks = d->blocks;
	for (const char *e = edges; *e; e += e[2] ? 3 : 2) {
		struct image_block *from = &d->blocks[e[0] - '0'];

		d->to[n] = (uint32_t)(e[1] - '0');
		d->cfg.n_blocks = MAX(d->cfg.n_blocks, MAX(d->to[n], (uint32_t)(e[0] - '0')) + 1);
		from->succ = from->succ ? from->succ : &d->to[n];
		from->n_succ++;
		n++;
	}
	for (uint32_t i = 0; i < d->cfg.n_blocks; i++)
		d->blocks[i].id = i;
}

/* The heads in the order of their numbers; "-": no loop has both. */
static void assert_heads(const char *edges, uint32_t a, uint32_t b, const char *expected)
{
	g_autofree bool *heads = NULL;
	char found[MOST_BLOCKS + 1] = "";
	struct drawn d;
	size_t n = 0;

	draw(&d, edges);
	heads = image_round_heads(&d.cfg, a, b);
	for (uint32_t i = 0; heads && i < d.cfg.n_blocks; i++)
		if (heads[i])
			found[n++] = (char)('0' + i);
	assert_string_equal(heads ? found : "-", expected);
}

/* while (1) { if (2) 3; 4; } 5 */
static const char one_loop[] = "01 12 15 23 24 34 41";
/* 1 heads the loop around, 2 the one inside, of 2 and 3; 4 is behind it in the round */
static const char two_loops[] = "01 12 16 23 24 32 45 51";

static void test_heads(void **state)
{
	(void)state;
	assert_heads(one_loop, 2, 3, "1");
	assert_heads(one_loop, 1, 4, "1");
	assert_heads(one_loop, 2, 5, "-");
	assert_heads(one_loop, 0, 2, "-");
	assert_heads(two_loops, 3, 2, "2");
	assert_heads(two_loops, 3, 3, "2");
	assert_heads(two_loops, 3, 4, "1");
	assert_heads(two_loops, 3, 6, "-");
	/* of itself, at the beginning, and with two ways in */
	assert_heads("01 11 12", 1, 1, "1");
	assert_heads("01 10 12", 0, 1, "0");
	assert_heads("01 02 12 21 23", 1, 2, "12");
	/* nothing leads to that loop */
	assert_heads("01 23 32", 2, 3, "");
}

static void assert_leads(const char *edges, uint32_t from, uint32_t to, bool expected)
{
	g_autofree bool *heads = NULL;
	struct drawn d;

	draw(&d, edges);
	heads = image_round_heads(&d.cfg, from, to);
	assert_int_equal(image_leads_to(&d.cfg, from, to, heads), expected);
}

static void test_leads(void **state)
{
	(void)state;
	assert_leads(one_loop, 2, 3, true);
	assert_leads(one_loop, 4, 3, false); /* in the next round only */
	assert_leads(one_loop, 4, 5, true);
	assert_leads(one_loop, 5, 2, false);
	assert_leads(two_loops, 3, 4, true);
	assert_leads(two_loops, 4, 3, false);
	assert_leads(two_loops, 3, 6, true);
	assert_leads(two_loops, 3, 3, false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_heads),
		cmocka_unit_test(test_leads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
