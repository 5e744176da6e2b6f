/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/contract/saved.h"

#include <malloc.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
	MOST_PIECES = 32,
	MOST_BYTES = 16 << 20,
	ROOM = 1 << 18, /* the heap grows by so much before it is kept, so that it stays */
	LARGEST_BLOCK = 1 << 25,
	LINE = 4096 + 128,
};

static struct {
	struct {
		uint8_t *at, *copy;
		uint64_t size;
	} pieces[MOST_PIECES];
	unsigned n;
	uint64_t bytes;
} saved;

static bool add_saved_range(unsigned long lo, unsigned long hi)
{
	if (saved.n == MOST_PIECES || saved.bytes + (hi - lo) > MOST_BYTES)
		return false;
	saved.pieces[saved.n].at = (uint8_t *)lo;
	saved.pieces[saved.n++].size = hi - lo;
	saved.bytes += hi - lo;
	return true;
}

static bool is_libc(const char *path)
{
	const char *name = strrchr(path, '/');

	return name && (!strncmp(name, "/libc.so", strlen("/libc.so")) ||
			!strncmp(name, "/libc-", strlen("/libc-")));
}

/* Variables without a value in the file lie behind those that have one, in a piece without a name.
 */
static bool find_saved_pieces(const char *program, const void *stack, FILE *maps)
{
	char line[LINE], path[LINE];
	unsigned long lo, hi, end = 0;
	bool ok = true;

	while (ok && fgets(line, sizeof line, maps)) {
		char rights[8];
		bool wanted;

		*path = '\0';
		if (sscanf(line, "%lx-%lx %7s %*s %*s %*s %[^\n]", &lo, &hi, rights, path) < 3)
			return false;
		wanted = !strcmp(path, program) || is_libc(path) || !strcmp(path, "[heap]") ||
			 (!*path && lo == end);
		if (wanted && rights[1] == 'w')
			ok = add_saved_range(lo, hi);
		else if (!strcmp(path, "[stack]") && (unsigned long)stack > lo &&
			 (unsigned long)stack < hi)
			ok = add_saved_range((unsigned long)stack, hi);
		end = wanted ? hi : 0;
	}
	return ok;
}

/* The copies are mapped, not taken from the heap. */
static bool copy_saved(void)
{
	uint8_t *room = mmap(NULL, saved.bytes + 1, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (room == MAP_FAILED)
		return false;
	for (unsigned i = 0; i < saved.n; i++) {
		saved.pieces[i].copy = room;
		memcpy(room, saved.pieces[i].at, saved.pieces[i].size);
		room += saved.pieces[i].size;
	}
	return true;
}

int save_memory(const void *stack)
{
	char program[4096];
	ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
	FILE *maps;
	bool ok;

	if (n < 0)
		return 0;
	program[n] = '\0';
	mallopt(M_MMAP_THRESHOLD, LARGEST_BLOCK);
	mallopt(M_TRIM_THRESHOLD, LARGEST_BLOCK);
	free(malloc(ROOM));
	maps = fopen("/proc/self/maps", "re");
	ok = maps && find_saved_pieces(program, stack, maps);
	if (maps)
		fclose(maps);
	return ok && copy_saved();
}

void restore_memory(void)
{
	for (unsigned i = 0; i < saved.n; i++)
		memcpy(saved.pieces[i].at, saved.pieces[i].copy, saved.pieces[i].size);
}
