/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/contract/state.h"

#include "gdbext/contract/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TOLD = 1024, LARGEST = 4096, LINE = 2 * LARGEST + 128 };

/* ---- what is sent ---- */

static void tell_object(uint32_t number, void (*line)(const char *, size_t))
{
	struct seen_object o = snapshot_object(number);
	char text[LINE];
	int n = snprintf(text, sizeof text, "@why object %u %u %lx %lu ", number, o.type,
			 (unsigned long)o.from, (unsigned long)o.size);

	for (uint64_t i = 0; i < o.size; i++)
		n += snprintf(text + n, sizeof text - (size_t)n, "%02x", o.copy[i]);
	text[n++] = '\n';
	line(text, (size_t)n);
}

static void tell_pointers(uint32_t number, void (*line)(const char *, size_t))
{
	struct seen_object o = snapshot_object(number);
	const struct why_type *t = &why_contract.types[o.type];

	for (uint64_t at = 0; t->n && at + t->size <= o.size; at += t->size)
		for (uint32_t k = 0; k < t->n; k++) {
			uint64_t offset = at + t->pointers[k].offset, inside;
			const uint8_t *p;
			uint32_t target;
			char text[128];

			memcpy(&p, o.copy + offset, sizeof p);
			if (p && snapshot_find(p, &target, &inside))
				line(text, (size_t)snprintf(text, sizeof text,
							    "@why pointer %u %lu %u %lu\n", number,
							    (unsigned long)offset, target,
							    (unsigned long)inside));
		}
}

/* A state that is too large is not told. */
void tell_state(const void *block, uint32_t type, void (*line)(const char *text, size_t n))
{
	uint32_t n = take_snapshot(block, type);

	if (n > MOST_TOLD)
		return;
	for (uint32_t i = 0; i < n; i++)
		if (snapshot_object(i).size > LARGEST)
			return;
	for (uint32_t i = 0; i < n; i++)
		tell_object(i, line);
	for (uint32_t i = 0; i < n; i++)
		tell_pointers(i, line);
}

/* ---- taking ---- */

struct taken {
	uint8_t *at[MOST_TOLD];
	uint64_t size[MOST_TOLD];
};

static int take_object(struct taken *all, const char *line, void *block)
{
	unsigned number, type, byte;
	unsigned long address, size;
	int n = 0;

	if (sscanf(line, "object %u %u %lx %lu %n", &number, &type, &address, &size, &n) < 4 ||
	    number >= MOST_TOLD || size > LARGEST)
		return 0;
	all->at[number] = !number			    ? block
			  : is_variable((uint8_t *)address) ? (uint8_t *)address
							    : malloc(size);
	all->size[number] = size;
	for (unsigned long i = 0; all->at[number] && i < size; i++, n += 2) {
		if (sscanf(line + n, "%2x", &byte) != 1)
			return 0;
		all->at[number][i] = (uint8_t)byte;
	}
	return all->at[number] != NULL;
}

static int take_pointer(const struct taken *all, const char *line)
{
	unsigned from, to;
	unsigned long offset, inside;
	uint8_t *p;

	if (sscanf(line, "pointer %u %lu %u %lu", &from, &offset, &to, &inside) < 4 ||
	    from >= MOST_TOLD || to >= MOST_TOLD || !all->at[from] || !all->at[to] ||
	    all->size[from] < sizeof p || offset > all->size[from] - sizeof p)
		return 0;
	p = all->at[to] + inside;
	memcpy(all->at[from] + offset, &p, sizeof p);
	return 1;
}

int take_state(const char *path, void *block)
{
	static struct taken all; /* larger than a stack of the program may be */
	char line[LINE];
	FILE *f = fopen(path, "re");
	int ok = f != NULL;

	memset(&all, 0, sizeof all);
	while (ok && fgets(line, sizeof line, f))
		ok = *line == 'o' ? take_object(&all, line, block) : take_pointer(&all, line);
	if (f)
		fclose(f);
	return ok && all.at[0];
}
