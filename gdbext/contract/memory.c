/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Objects are followed by their types (struct why_type).  An object on the heap is as large as its
 * block, so that arrays are whole; any other is as large as its type.  Memory for copies is mapped,
 * not taken from the heap: the heap is the program's.  A faulty program's pointers lead anywhere,
 * so nothing is read before the kernel has said that it is mapped.
 */
#include "gdbext/contract/memory.h"

#include "gdbext/contract/asked.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
	MOST_OBJECTS = 1 << 16,
	MOST_SEGMENT = 1 << 20, /* of the program's variables so many bytes are watched */
	MOST_ROOTS = 32,
	MOST_PIECES = 8,
	SMALLEST_BLOCK = 32,
	BLOCK_HEAD = 16,
	BLOCK_FLAGS = 15,
	BLOCK_IS_MAPPED = 2,
	PAGE = 4096,
	ARENA = 64 << 20,
};

struct object {
	const uint8_t *from;
	uint8_t *copy;
	uint64_t size;
	uint32_t type, next; /* next: 1 + number of another with this hash */
	uint32_t on_page;    /* likewise of one that begins on a page with this hash */
};

/* Objects that lead from one to the other, and copies of them. */
struct objects {
	struct object *all; /* mapped, MOST_OBJECTS */
	uint32_t *heads;    /* likewise: 1 + number of an object */
	uint32_t *pages;    /* likewise: of one that begins on that page */
	uint32_t n;
	uint64_t largest; /* of their sizes */
	uint8_t *arena;
	uint64_t used;
};

static struct {
	struct {
		const uint8_t *at;
		uint64_t size;
	} pieces[MOST_PIECES];
	struct {
		const void *at;
		uint32_t type;
	} roots[MOST_ROOTS];
	unsigned n_pieces, n_roots;
	struct objects before; /* what before(x) leads to */
	struct objects seen;   /* what constraints look at */
	struct objects state;  /* what the parameters of a call lead to */
} memory;

/* ---- how large an object is ---- */

static int is_mapped(const uint8_t *p, uint64_t size)
{
	uint64_t first = (uint64_t)p & ~(uint64_t)(PAGE - 1), end = (uint64_t)p + size;
	unsigned char there[64];

	if (end < (uint64_t)p || first < PAGE)
		return 0;
	for (uint64_t at = first; at < end; at += sizeof there * PAGE) {
		uint64_t n = end - at < sizeof there * PAGE ? end - at : sizeof there * PAGE;

		if (mincore((void *)at, n, there))
			return 0;
	}
	return 1;
}

static int read_safely(const void *from, void *to, uint64_t size)
{
	if (!is_mapped(from, size))
		return 0;
	memcpy(to, from, size);
	return 1;
}

uint64_t block_size(const uint8_t *p)
{
	const uint8_t *end = sbrk(0);
	uint64_t size, next;

	if ((uint64_t)p % BLOCK_HEAD || p > end ||
	    !read_safely(p - sizeof size, &size, sizeof size))
		return 0;
	if (size & BLOCK_IS_MAPPED || (size & ~(uint64_t)BLOCK_FLAGS) < SMALLEST_BLOCK ||
	    size > (uint64_t)(end - p) + BLOCK_HEAD)
		return 0;
	size &= ~(uint64_t)BLOCK_FLAGS;
	/* the block behind it says that this one is in use */
	if (!read_safely(p + size - sizeof next, &next, sizeof next) || !(next & 1))
		return 0;
	return asked_size(p, size - sizeof size);
}

static uint64_t text_size(const uint8_t *p)
{
	uint64_t n = 0;

	while (n < MOST_SEGMENT && (((uint64_t)(p + n) % PAGE && n) || is_mapped(p + n, 1)) && p[n])
		n++;
	return n + 1;
}

static uint64_t object_size(const uint8_t *p, const struct why_type *t)
{
	uint64_t size = block_size(p);

	if (t->is_text && !size)
		return text_size(p);
	if (size < t->size)
		return t->size;
	return t->size ? size - size % t->size : size;
}

/* ---- objects ---- */

static void *map_memory(uint64_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

static uint32_t hash_address(const uint8_t *p)
{
	return (uint32_t)(((uint64_t)p * 0x9e3779b97f4a7c15u) >> 48) % MOST_OBJECTS;
}

static struct object *find_object_around(const struct objects *s, const uint8_t *p)
{
	for (uint32_t i = s->heads ? s->heads[hash_address(p)] : 0; i; i = s->all[i - 1].next)
		if (s->all[i - 1].from == p)
			return &s->all[i - 1];
	return NULL;
}

static uint32_t page_hash(uint64_t page)
{
	return (uint32_t)(page * 0x9e3779b97f4a7c15u >> 48) % MOST_OBJECTS;
}

/* One inside of which p lies. */
static const struct object *find_around(const struct objects *s, const uint8_t *p)
{
	uint64_t page = (uint64_t)p / PAGE, reach = (s->largest + PAGE - 1) / PAGE;

	for (uint64_t back = 0; s->n && back <= reach && back <= page; back++)
		for (uint32_t i = s->pages[page_hash(page - back)]; i; i = s->all[i - 1].on_page)
			if (p > s->all[i - 1].from && p < s->all[i - 1].from + s->all[i - 1].size)
				return &s->all[i - 1];
	return NULL;
}

static int make_room_for_object(struct objects *s)
{
	if (!s->all)
		s->all = map_memory(sizeof *s->all * MOST_OBJECTS);
	if (!s->heads)
		s->heads = map_memory(sizeof *s->heads * MOST_OBJECTS);
	if (!s->pages)
		s->pages = map_memory(sizeof *s->pages * MOST_OBJECTS);
	if (!s->arena)
		s->arena = map_memory(ARENA);
	return s->all && s->heads && s->pages && s->arena && s->n < MOST_OBJECTS;
}

/* NULL: it cannot be read, or there is no room. */
static struct object *add_object_at(struct objects *s, const uint8_t *p, uint32_t type)
{
	uint64_t size = object_size(p, &why_contract.types[type]);
	struct object *o;

	if (!make_room_for_object(s) || !size || size > ARENA - s->used ||
	    !read_safely(p, s->arena + s->used, size))
		return NULL;
	o = &s->all[s->n++];
	*o = (struct object){
		p,    s->arena + s->used,	 size,
		type, s->heads[hash_address(p)], s->pages[page_hash((uint64_t)p / PAGE)]
	};
	s->heads[hash_address(p)] = s->n;
	s->pages[page_hash((uint64_t)p / PAGE)] = s->n;
	if (size > s->largest)
		s->largest = size;
	s->used += (size + BLOCK_FLAGS) & ~(uint64_t)BLOCK_FLAGS;
	return o;
}

static int lies_in(const void *part, uint64_t size, const uint8_t *p)
{
	return part && p >= (const uint8_t *)part && p < (const uint8_t *)part + size;
}

/* A wrong pointer may lead into what is kept here, and from there to everything else. */
static int is_contract_memory(const uint8_t *p)
{
	const struct objects *const all[] = { &memory.before, &memory.seen, &memory.state };

	for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
		if (lies_in(all[i]->all, sizeof *all[i]->all * MOST_OBJECTS, p) ||
		    lies_in(all[i]->heads, sizeof *all[i]->heads * MOST_OBJECTS, p) ||
		    lies_in(all[i]->pages, sizeof *all[i]->pages * MOST_OBJECTS, p) ||
		    lies_in(all[i]->arena, ARENA, p))
			return 1;
	return 0;
}

/* Where a copy points instead of to p. */
static uint8_t *snapshot_copy_of(struct objects *s, uint8_t *p, uint32_t type)
{
	struct object *o = find_object_around(s, p);
	const struct object *around;

	if (is_contract_memory(p))
		return p;
	if (o && o->size >= why_contract.types[type].size)
		return o->copy;
	around = o ? NULL : find_around(s, p);
	if (around)
		return around->copy + (p - around->from);
	o = add_object_at(s, p, type);
	return o ? o->copy : p;
}

/* What objects from number `first' on lead to.  Those that are found come last, so all are
 * visited. */
static void follow_pointers(struct objects *s, uint32_t first, int redirect)
{
	for (uint32_t i = first; i < s->n; i++) {
		const struct object o = s->all[i];
		const struct why_type *t = &why_contract.types[o.type];

		for (uint64_t at = 0; t->n && at + t->size <= o.size; at += t->size)
			for (uint32_t k = 0; k < t->n; k++) {
				uint8_t *p, *to = o.copy + at + t->pointers[k].offset;

				memcpy(&p, to, sizeof p);
				if (p)
					p = snapshot_copy_of(s, p, t->pointers[k].target);
				if (redirect)
					memcpy(to, &p, sizeof p);
			}
	}
}

static void forget_all_objects(struct objects *s)
{
	for (uint32_t i = 0; i < s->n; i++) {
		s->heads[hash_address(s->all[i].from)] = 0;
		s->pages[page_hash((uint64_t)s->all[i].from / PAGE)] = 0;
	}
	s->n = 0;
	s->largest = 0;
	s->used = 0;
}

void *copy_object(const void *object, uint32_t type)
{
	uint32_t first = memory.before.n;
	uint8_t *copy;

	if (!object)
		return NULL;
	copy = snapshot_copy_of(&memory.before, (uint8_t *)object, type);
	follow_pointers(&memory.before, first, 1);
	return copy;
}

void forget_memory(void)
{
	forget_all_objects(&memory.before);
	memory.n_roots = 0;
}

/* ---- all that an object leads to ---- */

uint32_t take_snapshot(const void *object, uint32_t type)
{
	forget_all_objects(&memory.state);
	snapshot_copy_of(&memory.state, (uint8_t *)object, type);
	follow_pointers(&memory.state, 0, 0);
	return memory.state.n;
}

struct seen_object snapshot_object(uint32_t number)
{
	const struct object *o = &memory.state.all[number];

	return (struct seen_object){ o->from, o->copy, o->size, o->type };
}

int snapshot_find(const uint8_t *p, uint32_t *number, uint64_t *at)
{
	const struct object *o = find_object_around(&memory.state, p);

	if (!o)
		o = find_around(&memory.state, p);
	if (!o)
		return 0;
	*number = (uint32_t)(o - memory.state.all);
	*at = (uint64_t)(p - o->from);
	return 1;
}

/* ---- what is changed ---- */

void watch_segments(const struct dl_phdr_info *program)
{
	for (unsigned i = 0; i < program->dlpi_phnum && memory.n_pieces < MOST_PIECES; i++) {
		const ElfW(Phdr) *p = &program->dlpi_phdr[i];

		if (p->p_type != PT_LOAD || !(p->p_flags & PF_W))
			continue;
		memory.pieces[memory.n_pieces].at = (uint8_t *)(program->dlpi_addr + p->p_vaddr);
		memory.pieces[memory.n_pieces++].size =
			p->p_memsz < MOST_SEGMENT ? p->p_memsz : MOST_SEGMENT;
	}
}

int is_variable(const uint8_t *p)
{
	for (unsigned i = 0; i < memory.n_pieces; i++)
		if (p >= memory.pieces[i].at && p < memory.pieces[i].at + memory.pieces[i].size)
			return 1;
	return 0;
}

void watch_object(const void *object, uint32_t type)
{
	if (object && memory.n_roots < MOST_ROOTS) {
		memory.roots[memory.n_roots].at = object;
		memory.roots[memory.n_roots++].type = type;
	}
}

static uint64_t mix_object_bytes(uint64_t sum, const uint8_t *p, uint64_t size)
{
	uint64_t word = 0;

	for (; size >= sizeof word; p += sizeof word, size -= sizeof word) {
		memcpy(&word, p, sizeof word);
		sum = (sum ^ word) * 0x9e3779b97f4a7c15u;
		sum ^= sum >> 29;
	}
	for (; size; size--)
		sum = (sum ^ *p++) * 0x9e3779b97f4a7c15u;
	return sum;
}

uint64_t checksum_of_memory(void)
{
	uint64_t sum = 1;

	for (unsigned i = 0; i < memory.n_pieces; i++)
		sum = mix_object_bytes(sum, memory.pieces[i].at, memory.pieces[i].size);
	for (unsigned i = 0; i < memory.n_roots; i++)
		snapshot_copy_of(&memory.seen, (uint8_t *)memory.roots[i].at, memory.roots[i].type);
	follow_pointers(&memory.seen, 0, 0);
	for (uint32_t i = 0; i < memory.seen.n; i++)
		sum = mix_object_bytes(sum, memory.seen.all[i].from, memory.seen.all[i].size);
	forget_all_objects(&memory.seen);
	return sum;
}
