/*
 * The smallest upright rectangle around some points.
 *
 *     program X Y [X Y ...] [=EXPECTED]
 *
 * It prints how many posts a fence around the rectangle needs: one every GAP steps along each side,
 * the corners included.  A last argument `=N' is checked.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#define GAP 5

struct box {
	int left, right, top, bottom;
};

static void include(struct box *box, int x, int y)
{
	if (x < box->left)
		box->left = x;
	if (x > box->right)
		box->right = x;
	if (y < box->top)
		box->top = y;
	if (y > box->bottom)
		box->bottom = y;
}

/* Posts along a side, the one at its end not counted: it is the next side's first. */
static int posts(int length)
{
	int n = length / GAP;

	if (length % GAP)
		n++;
	return n;
}

static int fence(const struct box *box)
{
	int width = box->right - box->left;
	int height = box->bottom - box->top;
	int along = posts(width);
	int across = posts(height);

	if (width < 0 || height < 0)
		return 0; /* no box at all */
	return 2 * along + 2 * across;
}

int main(int argc, char **argv)
{
	struct box box;
	int n = argc, expected = -1, found;

	if (argc > 1 && argv[argc - 1][0] == '=') {
		expected = atoi(argv[argc - 1] + 1);
		n--;
	}
	if (n < 3 || n % 2 == 0)
		return 2;
	box.left = box.right = atoi(argv[1]);
	box.top = box.bottom = atoi(argv[2]);
	for (int i = 3; i + 1 < n; i += 2)
		include(&box, atoi(argv[i]), atoi(argv[i + 1]));
	found = fence(&box);
	printf("=%d\n", found);
	if (expected >= 0)
		assert(found == expected);
	return 0;
}
