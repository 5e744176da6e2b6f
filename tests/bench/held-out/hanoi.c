/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The towers of Hanoi by recursion, checked.
 *
 * test: 3
 * faulty: 49
 * fixed: 	solve(t, n - 1, other, to, from);
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#define PEGS 3
#define MOST 10

struct tower {
	int disks[PEGS][MOST];
	int height[PEGS];
	int moves;
};

static void setup(struct tower *t, int n)
{
	for (int p = 0; p < PEGS; p++)
		t->height[p] = 0;
	for (int i = 0; i < n; i++)
		t->disks[0][i] = n - i;
	t->height[0] = n;
	t->moves = 0;
}

static void move(struct tower *t, int from, int to)
{
	int disk = t->disks[from][--t->height[from]];
	int level = t->height[to];

	assert(level == 0 || t->disks[to][level - 1] > disk);
	t->disks[to][level] = disk;
	t->height[to]++;
	t->moves++;
}

static void solve(struct tower *t, int n, int from, int to, int other)
{
	if (n == 0)
		return;
	solve(t, n - 1, from, other, to);
	move(t, from, to);
	solve(t, n - 1, other, from, to);
}

static void print(const struct tower *t)
{
	for (int p = 0; p < PEGS; p++)
		printf("peg %d: %d disks\n", p, t->height[p]);
	printf("%d moves\n", t->moves);
}

int main(int argc, char **argv)
{
	struct tower tower;
	int n = argc > 1 ? atoi(argv[1]) : 2;

	if (n < 1 || n > MOST)
		return 2;
	setup(&tower, n);
	solve(&tower, n, 0, 2, 1);
	print(&tower);
	assert(tower.height[2] == n);
	return 0;
}
