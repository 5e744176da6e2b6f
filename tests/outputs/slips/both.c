/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A statement is missing that another one of the function says for other variables.
 * test: 0
 * change: `way[b][a] = 1' put before it
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { N = 6 };
static int way[N][N], far[N];
static void connect(int a, int b)
{
#ifdef FIXED
	way[b][a] = 1;
#endif
	way[a][b] = 1; /* fault */
}
static void measure(int from)
{
	int queue[N * N], first = 0, last = 0;
	memset(far, -1, sizeof(far));
	far[from] = 0;
	queue[last++] = from;
	while (first < last) {
		int at = queue[first++];
		for (int to = 0; to < N; to++)
			if (way[at][to] && far[to] < 0) {
				far[to] = far[at] + 1;
				queue[last++] = to;
			}
	}
}
int main(int argc, char **argv)
{
	connect(0, 1);
	connect(2, 1);
	connect(2, 3);
	connect(4, 3);
	measure(argc > 1 ? atoi(argv[1]) : 0);
	for (int i = 0; i < N; i++)
		printf("%d: %d\n", i, far[i]);
	return 0;
}
