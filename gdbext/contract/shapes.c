/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/contract/shapes.h"

#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

enum {
	MOST_OBJECTS = 256,
	MOST_CHOICES = 512,
	MOST_TYPES = 256,
	LARGEST = 4096,
	LINE = 2 * LARGEST + 128,
	MOST_ACCESSES = 20000, /* in one evaluation: more is no end */
	MOST_US = 3000000,
	TICK_US = 50000,
	MOST_TICKS = 4, /* in one evaluation; clocks may tick in bursts on a busy machine */
	BIG_STACK = 1 << 16,
};

struct object {
	uint32_t type;
	uint64_t address; /* in the program; 0 = it is new */
	uint64_t size;
	uint8_t *bytes, *first; /* now; at the start of each evaluation */
	uint8_t *seen;		/* by byte: it was read */
	bool used;		/* something was chosen to lead there */
};

/* What was chosen for a field when it was read for the first time. */
struct choice {
	uint32_t index, count;
};

/* The predicates call us without a context. */
static struct {
	const struct why_shapes *s;
	const struct shapes_bounds *b;
	struct object objects[MOST_OBJECTS];
	uint32_t n, n_given;
	bool leads_back[MOST_TYPES]; /* by type: it leads to its own kind */
	struct choice choices[MOST_CHOICES];
	uint32_t n_choices, at;
	uint32_t bound; /* nodes now */
	bool was_bounded, is_evaluating;
	uint32_t accesses;
	uint64_t evaluations;
	volatile uint64_t seen;	 /* evaluations when the clock ticked last */
	volatile uint32_t ticks; /* since then in the same evaluation */
	sigjmp_buf out;
} search;

static const struct why_type *type_of_object(const struct object *o)
{
	return &search.s->types[o->type];
}

/* ---- types ---- */

static bool shape_type_reaches(uint32_t from, uint32_t to, bool *visited)
{
	const struct why_type *t = &search.s->types[from];

	for (uint32_t i = 0; i < t->n; i++) {
		uint32_t next = t->pointers[i].target;

		if (next == to)
			return true;
		if (visited[next])
			continue;
		visited[next] = true;
		if (shape_type_reaches(next, to, visited))
			return true;
	}
	return false;
}

static void find_node_shapes(void)
{
	for (uint32_t i = 0; i < search.s->n_types && i < MOST_TYPES; i++) {
		bool visited[MOST_TYPES] = { false };

		search.leads_back[i] = shape_type_reaches(i, i, visited);
	}
}

/* ---- objects ---- */

static struct object *add_shape_object(uint32_t type, uint64_t address, uint64_t size)
{
	struct object *o = &search.objects[search.n++];

	*o = (struct object){ type,
			      address,
			      size,
			      aligned_alloc(16, (size + 16) / 16 * 16),
			      calloc(1, size + 1),
			      calloc(1, size + 1),
			      false };
	return o;
}

/* The object in which p lies. */
static struct object *object_around(const uint8_t *p)
{
	for (uint32_t i = 0; i < search.n; i++)
		if (p >= search.objects[i].bytes &&
		    p < search.objects[i].bytes + search.objects[i].size)
			return &search.objects[i];
	return NULL;
}

static bool read_object(const char *line)
{
	unsigned number, type, byte;
	unsigned long address, size;
	int n = 0;
	struct object *o;

	if (sscanf(line, "object %u %u %lx %lu %n", &number, &type, &address, &size, &n) < 4 ||
	    number != search.n || number >= MOST_OBJECTS || size > LARGEST ||
	    type >= search.s->n_types)
		return false;
	o = add_shape_object(type, address, size);
	for (unsigned long i = 0; i < size; i++, n += 2) {
		if (sscanf(line + n, "%2x", &byte) != 1)
			return false;
		o->first[i] = (uint8_t)byte;
	}
	return true;
}

static bool read_pointer_line(const char *line)
{
	unsigned from, to;
	unsigned long offset, inside;
	uint8_t *p;

	if (sscanf(line, "pointer %u %lu %u %lu", &from, &offset, &to, &inside) < 4 ||
	    from >= search.n || to >= search.n || search.objects[from].size < sizeof p ||
	    offset > search.objects[from].size - sizeof p)
		return false;
	p = search.objects[to].bytes + inside;
	memcpy(search.objects[from].first + offset, &p, sizeof p);
	return true;
}

static bool read_state(FILE *in)
{
	static char line[LINE];
	bool ok = true;

	while (ok && fgets(line, sizeof line, in))
		ok = *line == 'o' ? read_object(line) : read_pointer_line(line);
	return ok && search.n && search.b->function < search.s->n &&
	       search.objects[0].type == search.s->all[search.b->function].block;
}

/* A new node has the same values as the first node of its type, but its pointers are null. */
static void add_new_objects(void)
{
	search.n_given = search.n;
	for (uint32_t t = 0; t < search.s->n_types && t < MOST_TYPES; t++) {
		const struct why_type *type = &search.s->types[t];
		const struct object *like = NULL;

		for (uint32_t i = 0; i < search.n_given && !like; i++)
			like = search.objects[i].type == t ? &search.objects[i] : NULL;
		for (uint32_t i = 0; search.leads_back[t] && i < search.b->nodes &&
				     search.n < MOST_OBJECTS && type->size <= LARGEST;
		     i++) {
			struct object *o = add_shape_object(t, 0, type->size);

			if (like && like->size >= type->size)
				memcpy(o->first, like->first, type->size);
			for (uint32_t k = 0; k < type->n; k++)
				memset(o->first + type->pointers[k].offset, 0, sizeof(void *));
		}
	}
}

static void begin_evaluation(void)
{
	for (uint32_t i = 0; i < search.n; i++) {
		struct object *o = &search.objects[i];

		memcpy(o->bytes, o->first, o->size);
		memset(o->seen, 0, o->size);
		o->used = i == 0;
	}
	search.at = 0;
	search.accesses = 0;
}

/* ---- choices ---- */

static uint32_t choose_below(uint32_t count)
{
	struct choice *c = &search.choices[search.at];

	if (search.at == MOST_CHOICES || count < 2)
		return 0;
	if (search.at++ == search.n_choices) {
		search.n_choices++;
		c->index = 0;
	}
	c->count = count;
	return c->index < count ? c->index : 0;
}

static uint32_t used_nodes(void)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < search.n; i++)
		n += search.objects[i].used && search.leads_back[search.objects[i].type];
	return n;
}

/* Places of this type: objects that are used, what lies in them, and the first that is not. */
static uint32_t places_of_type(uint32_t type, uint8_t **all, uint32_t most)
{
	const struct why_type *t = &search.s->types[type];
	uint32_t n = 0;
	bool is_new = false;

	all[n++] = NULL;
	for (uint32_t i = 0; i < search.n && n < most; i++) {
		const struct object *o = &search.objects[i];
		const struct why_type *its = type_of_object(o);

		if (o->type == type && (o->used || !is_new)) {
			if (!o->used && used_nodes() >= search.bound) {
				search.was_bounded = true;
				continue;
			}
			is_new |= !o->used;
			all[n++] = o->bytes;
		}
		for (uint32_t k = 0; t->n == 1 && t->size == sizeof(void *) && o->used &&
				     o->type != type && k < its->n && n < most;
		     k++) /* a pointer to a pointer */
			if (its->pointers[k].target == t->pointers[0].target)
				all[n++] = o->bytes + its->pointers[k].offset;
	}
	return n;
}

static void choose_pointer(struct object *o, uint64_t offset, uint32_t target)
{
	uint8_t *all[MOST_OBJECTS], *p;
	struct object *to;

	if (search.leads_back[target]) {
		uint32_t n = places_of_type(target, all, MOST_OBJECTS);

		p = all[choose_below(n)];
		memcpy(o->bytes + offset, &p, sizeof p);
	}
	memcpy(&p, o->bytes + offset, sizeof p);
	to = p ? object_around(p) : NULL;
	if (to)
		to->used = true;
}

static void choose_number(struct object *o, uint64_t offset, uint32_t size)
{
	uint64_t top = size == 1 ? 1 : search.b->nodes + 1, was = 0, value;
	bool other;

	memcpy(&was, o->first + offset, size);
	other = was > top && (uint32_t)(o - search.objects) < search.n_given;
	value = choose_below((uint32_t)top + 1 + other);
	if (value > top)
		value = was;
	memcpy(o->bytes + offset, &value, size);
}

/* The field of an object that holds this byte is read. */
static void read_field(struct object *o, uint64_t at)
{
	const struct why_type *t = type_of_object(o);
	uint64_t base = t->size ? at - at % t->size : 0, in = at - base;

	if (o->seen[at])
		return;
	for (uint32_t i = 0; i < t->n; i++)
		if (in >= t->pointers[i].offset && in < t->pointers[i].offset + sizeof(void *)) {
			memset(o->seen + base + t->pointers[i].offset, 1, sizeof(void *));
			choose_pointer(o, base + t->pointers[i].offset, t->pointers[i].target);
			return;
		}
	for (uint64_t i = 0; i < t->n_scalars; i++) {
		const struct why_scalar *s = &t->scalars[i];

		if (in < s->offset || in >= s->offset + s->size)
			continue;
		memset(o->seen + base + s->offset, 1, s->size);
		choose_number(o, base + s->offset, s->size);
	}
}

static void note_access(const void *p, uint64_t size)
{
	struct object *o = search.is_evaluating ? object_around(p) : NULL;

	if (search.is_evaluating && ++search.accesses > MOST_ACCESSES)
		siglongjmp(search.out, 1);
	for (uint64_t i = 0; o && i < size && (const uint8_t *)p + i < o->bytes + o->size; i++)
		read_field(o, (uint64_t)((const uint8_t *)p - o->bytes) + i);
}

/* ---- what the compiler calls ---- */

#define ACCESS(name, size)            \
	void __tsan_##name(void *p);  \
	void __tsan_##name(void *p)   \
	{                             \
		note_access(p, size); \
	}
#define ACCESSES(prefix)     \
	ACCESS(prefix##1, 1) \
	ACCESS(prefix##2, 2) \
	ACCESS(prefix##4, 4) \
	ACCESS(prefix##8, 8) \
	ACCESS(prefix##16, 16)
ACCESSES(read)
ACCESSES(write)
ACCESSES(unaligned_read)
ACCESSES(unaligned_write)
ACCESSES(volatile_read)
ACCESSES(volatile_write)
void __tsan_read_range(void *p, unsigned long size);
void __tsan_read_range(void *p, unsigned long size)
{
	note_access(p, size);
}
void __tsan_write_range(void *p, unsigned long size);
void __tsan_write_range(void *p, unsigned long size)
{
	note_access(p, size);
}
void __tsan_init(void);
void __tsan_init(void)
{
}
void __tsan_func_entry(void *caller);
void __tsan_func_entry(void *caller)
{
	(void)caller;
}
void __tsan_func_exit(void);
void __tsan_func_exit(void)
{
}

/* ---- one state ---- */

/* A predicate that cannot stand a state says that it is none. */
static void leave_predicate(int signal)
{
	(void)signal;
	if (search.is_evaluating)
		siglongjmp(search.out, 1);
	_Exit(1);
}

/* A predicate that goes round without an access. */
static void end_long_predicate(int signal)
{
	(void)signal;
	if (!search.is_evaluating || search.seen != search.evaluations)
		search.ticks = 0;
	else if (++search.ticks >= MOST_TICKS)
		siglongjmp(search.out, 1);
	search.seen = search.evaluations;
}

static void catch_crashes(void)
{
	const struct itimerval every = { { 0, TICK_US }, { 0, TICK_US } };
	struct sigaction ticks = { .sa_handler = end_long_predicate,
				   .sa_flags = SA_ONSTACK | SA_RESTART };
	static uint8_t stack[BIG_STACK];
	const int signals[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
	stack_t other = { .ss_sp = stack, .ss_size = sizeof stack };
	struct sigaction act = { .sa_handler = leave_predicate, .sa_flags = SA_ONSTACK };

	sigaltstack(&other, NULL);
	for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++)
		sigaction(signals[i], &act, NULL);
	sigaction(SIGVTALRM, &ticks, NULL);
	setitimer(ITIMER_VIRTUAL, &every, NULL);
}

/* The numbers among the parameters are chosen in any case: the function reads them. */
static bool evaluate_predicate(void)
{
	const struct why_shape *shape = &search.s->all[search.b->function];
	struct object *block = &search.objects[0];
	volatile bool holds = false;

	begin_evaluation();
	search.evaluations++;
	if (!sigsetjmp(search.out, 1)) {
		search.is_evaluating = true;
		holds = shape->holds(block->bytes) != 0;
		for (uint64_t i = 0; holds && i < type_of_object(block)->n_scalars; i++)
			read_field(block, type_of_object(block)->scalars[i].offset);
	}
	search.is_evaluating = false;
	return holds;
}

static bool next_shape(void)
{
	while (search.n_choices) {
		struct choice *c = &search.choices[search.n_choices - 1];

		if (++c->index < c->count)
			return true;
		search.n_choices--;
	}
	return false;
}

static void mark_reached(uint32_t number, bool *reached)
{
	const struct object *o = &search.objects[number];
	const struct why_type *t = type_of_object(o);

	if (reached[number])
		return;
	reached[number] = true;
	for (uint64_t at = 0; t->n && at + t->size <= o->size; at += t->size)
		for (uint32_t k = 0; k < t->n; k++) {
			const struct object *to;
			uint8_t *p;

			memcpy(&p, o->bytes + at + t->pointers[k].offset, sizeof p);
			to = p ? object_around(p) : NULL;
			if (to)
				mark_reached((uint32_t)(to - search.objects), reached);
		}
}

static void write_object(uint32_t number, FILE *out)
{
	const struct object *o = &search.objects[number];

	fprintf(out, "object %u %u %lx %lu ", number, o->type, (unsigned long)o->address,
		(unsigned long)o->size);
	for (uint64_t i = 0; i < o->size; i++)
		fprintf(out, "%02x", o->bytes[i]);
	fputc('\n', out);
}

static void write_pointers(uint32_t number, FILE *out)
{
	const struct object *o = &search.objects[number];
	const struct why_type *t = type_of_object(o);

	for (uint64_t at = 0; t->n && at + t->size <= o->size; at += t->size)
		for (uint32_t k = 0; k < t->n; k++) {
			const struct object *to;
			uint8_t *p;

			memcpy(&p, o->bytes + at + t->pointers[k].offset, sizeof p);
			to = p ? object_around(p) : NULL;
			if (to)
				fprintf(out, "pointer %u %lu %u %lu\n", number,
					(unsigned long)(at + t->pointers[k].offset),
					(unsigned)(to - search.objects),
					(unsigned long)(p - to->bytes));
		}
}

/* States with fewer nodes were written before. */
static bool write_shape_state(FILE *out)
{
	bool reached[MOST_OBJECTS] = { false };
	uint32_t nodes = 0;

	mark_reached(0, reached);
	for (uint32_t i = 0; i < search.n; i++)
		nodes += reached[i] && search.leads_back[search.objects[i].type];
	if (nodes != search.bound)
		return false;
	fputs("state\n", out);
	for (uint32_t i = 0; i < search.n; i++)
		if (reached[i])
			write_object(i, out);
	for (uint32_t i = 0; i < search.n; i++)
		if (reached[i])
			write_pointers(i, out);
	return true;
}

/* ---- all ---- */

/* Processor time, microseconds: a busy machine leaves as many shapes out as an idle one. */
static int64_t shapes_time(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static unsigned search_bound(unsigned most, int64_t since, FILE *out)
{
	unsigned written = 0;

	search.n_choices = 0;
	search.was_bounded = false;
	do {
		if (evaluate_predicate() && write_shape_state(out))
			written++;
	} while (written < most && next_shape() && shapes_time() - since <= MOST_US);
	return written;
}

static void forget_objects(void)
{
	for (uint32_t i = 0; i < search.n; i++) {
		free(search.objects[i].bytes);
		free(search.objects[i].first);
		free(search.objects[i].seen);
	}
	search.n = 0;
}

int shapes_search(const struct why_shapes *s, const struct shapes_bounds *b, FILE *in, FILE *out)
{
	int64_t since;
	unsigned written = 0;
	bool ok;

	search.s = s;
	search.b = b;
	search.n = 0;
	ok = s->n_types <= MOST_TYPES && read_state(in);
	since = shapes_time();
	if (ok) {
		find_node_shapes();
		add_new_objects();
		catch_crashes();
		for (search.bound = 0; search.bound <= b->nodes && written < b->most;
		     search.bound++)
			written += search_bound(b->most - written, since, out);
	}
	forget_objects();
	return ok ? (int)written : -1;
}

int why_search(const struct why_shapes *s, int argc, char **argv)
{
	struct shapes_bounds b = { 0 };

	if (argc != 4)
		return 1;
	b.function = (unsigned)atoi(argv[1]);
	b.nodes = (unsigned)atoi(argv[2]);
	b.most = (unsigned)atoi(argv[3]);
	return shapes_search(s, &b, stdin, stdout) < 0;
}
