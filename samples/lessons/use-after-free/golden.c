/*
 * Pages that several readers share.
 *
 *     program COMMANDS [EXPECTED]
 *
 * COMMANDS is a word of letters: n makes a page with the next number (1, 2, ...) and opens it, o
 * opens the latest page once more, c closes what was opened last, s adds the number on the page
 * that was opened first to the score.  A page is freed when nobody has it open; there are PAGES
 * pages, and freed ones are used again.  The program prints the score; EXPECTED is checked.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#define PAGES 4
#define READERS 8
#define WEIGHT 10

struct page {
	int number;
	int readers;
	int used;
};

struct desk {
	struct page pages[PAGES];
	struct page *opened[READERS]; /* in the order of opening */
	int n, made, score;
};

static struct page *new_page(struct desk *desk)
{
	for (int i = 0; i < PAGES; i++)
		if (!desk->pages[i].used) {
			desk->pages[i].used = 1;
			desk->pages[i].readers = 0;
			desk->pages[i].number = ++desk->made;
			return &desk->pages[i];
		}
	return NULL;
}

static void open_page(struct desk *desk, struct page *page)
{
	if (!page || desk->n == READERS)
		return;
	page->readers++;
	desk->opened[desk->n++] = page;
}

static void close_page(struct desk *desk)
{
	struct page *page;

	if (desk->n == 0)
		return;
	page = desk->opened[--desk->n];
	page->readers--;
	if (page->readers == 0)
		page->used = 0;
}

static void add_score(struct desk *desk)
{
	if (desk->n > 0)
		desk->score += WEIGHT * desk->opened[0]->number;
}

static int work(struct desk *desk, const char *commands)
{
	for (int i = 0; commands[i]; i++) {
		if (commands[i] == 'n')
			open_page(desk, new_page(desk));
		else if (commands[i] == 'o' && desk->n > 0)
			open_page(desk, desk->opened[desk->n - 1]);
		else if (commands[i] == 'c')
			close_page(desk);
		else if (commands[i] == 's')
			add_score(desk);
	}
	return desk->score;
}

int main(int argc, char **argv)
{
	struct desk desk = { .n = 0 };
	int score;

	if (argc < 2)
		return 2;
	score = work(&desk, argv[1]);
	printf("%d\n", score);
	if (argc > 2)
		assert(score == atoi(argv[2]));
	return 0;
}
