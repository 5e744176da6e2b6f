/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The record's files.  What is mapped is the stream's tail, again and again the
 * same pages, and each time they are full they are appended to the record: that is
 * twice as fast as mapping more and more of the record, since fresh pages have to
 * be cleared and mapped.  All blocks of the tail are reserved beforehand, so that
 * a full disk is an error here and not a SIGBUS later.  No descriptor stays open:
 * the program may close or count them.
 */
#include "gdbext/agent/agent.h"

#include "gdbext/agent/sys.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>

#define WINDOWS_START 0x1e0000000000u
#define WINDOW_STEP (64ull << 20)
#define WINDOW_SIZE (256ull << 10) /* a window of this size stays in the processor's cache */

/* "DIRECTORY/NAME.N" */
static bool make_stream_path(char *to, uint64_t room, const char *name, uint32_t number)
{
	const char *directory = in_plan(agent.plan->directory);
	char digits[12];
	unsigned n = 0;
	uint64_t at = 0;

	do
		digits[n++] = (char)('0' + number % 10);
	while (number /= 10);
	for (; *directory && at + 32 < room; directory++)
		to[at++] = *directory;
	if (*directory)
		return false;
	for (to[at++] = '/'; *name; name++)
		to[at++] = *name;
	for (to[at++] = '.'; n; n--)
		to[at++] = digits[n - 1];
	to[at] = '\0';
	return true;
}

static int open_stream_file(const char *name, uint32_t number, int flags)
{
	char path[4096];

	return make_stream_path(path, sizeof path, name, number) ? sys_open(path, flags, 0600) : -1;
}

/* An empty one: of the first thread, which was made for us, or a new one. */
static int open_empty(enum trace_handed what, const char *name, uint32_t number)
{
	int fd = number ? -1 : handed_take(what);

	return fd < 0 ? open_stream_file(name, number, O_RDWR | O_CREAT | O_TRUNC) : fd;
}

/* Writing beyond the limit on file sizes would end the program with a signal. */
static bool may_be_long(uint64_t size)
{
	struct rlimit limit;

	return sys4(SYS_prlimit64, 0, RLIMIT_FSIZE, 0, (long)&limit) || size <= limit.rlim_cur;
}

/* Makes the file at least this long. */
bool file_reserve(int fd, uint64_t from, uint64_t to)
{
	long bad;

	if (!may_be_long(to))
		return false;
	bad = sys4(SYS_fallocate, fd, 0, (long)from, (long)(to - from));
	if (bad == -95 /* EOPNOTSUPP */)
		bad = sys3(SYS_ftruncate, fd, (long)to, 0);
	return !bad;
}

/* The page with the head takes the place of the one that t's block has there. */
static bool map_head(struct agent_thread *t, int fd)
{
	long got = sys6(SYS_mmap, (long)head_of(t), TRACE_STREAM_OFFSET, PROT_READ | PROT_WRITE,
			fd < 0 ? MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS : MAP_FIXED | MAP_SHARED,
			fd, 0);

	return got == (long)head_of(t);
}

/* The window is empty; the bytes before it have been flushed. */
static void start_window(struct agent_thread *t, uint64_t flushed)
{
	t->at = (uint8_t *)t->window;
	t->base = t->window - flushed;
	t->limit = (uint8_t *)t->window + WINDOW_SIZE - MOST_OF_ONE;
	/* Lengths are compared, because a sum could overflow when there is no limit. */
	if (t->max_bytes < (uint64_t)t->limit - t->base)
		t->limit = (uint8_t *)t->base + t->max_bytes;
}

static bool map_window(struct agent_thread *t)
{
	int fd = open_empty(TRACE_HANDED_TAIL, "tail", t->number);
	uint64_t slot = (uint64_t)head_of(t) >> 20 & 0xfff, at = WINDOWS_START + slot * WINDOW_STEP;
	bool done;

	if (fd < 0)
		return false;
	done = file_reserve(fd, 0, WINDOW_SIZE) &&
	       sys_map_at(at, WINDOW_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd,
			  0);
	sys_close(fd);
	if (!done)
		return false;
	t->window = at;
	start_window(t, 0);
	return true;
}

/* From then on, what is written is lost; .at - .base is still the length. */
static void forget_window(struct agent_thread *t, uint64_t length)
{
	if (t->window)
		sys3(SYS_munmap, (long)t->window, WINDOW_SIZE, 0);
	t->window = 0;
	t->at = t->nowhere;
	t->limit = t->nowhere + 1;
	t->base = (uint64_t)t->at - length;
}

bool stream_open(struct agent_thread *t, bool fresh)
{
	bool done;
	int fd;

	forget_window(t, 0);
	if (agent.child)
		return map_head(t, -1);
	fd = fresh ? open_empty(TRACE_HANDED_TRACE, "trace", t->number)
		   : open_stream_file("trace", t->number, O_RDWR);
	if (fd < 0)
		return false;
	done = file_reserve(fd, 0, TRACE_STREAM_OFFSET) && map_head(t, fd) &&
	       (!t->recording || map_window(t));
	sys_close(fd);
	return done;
}

bool stream_announce(const struct trace_head *head)
{
	int fd = open_stream_file("trace", head->thread, O_RDWR | O_CREAT | O_TRUNC);
	bool done;

	if (fd < 0)
		return false;
	done = file_reserve(fd, 0, TRACE_STREAM_OFFSET) &&
	       sys4(SYS_pwrite64, fd, (long)head, sizeof *head, 0) == sizeof *head;
	sys_close(fd);
	return done;
}

static int open_part(const struct agent_thread *t, int flags)
{
	const struct trace_head *head = head_of((void *)(uintptr_t)t);

	if (!t->part_insns)
		return open_stream_file("trace", t->number, flags);
	return open_stream_file(head->part & 1 ? "odd" : "even", t->number, flags | O_CREAT);
}

/* The place in the file where the flushed bytes end. */
static uint64_t end_of_part(const struct agent_thread *t)
{
	const struct trace_head *head = head_of((void *)(uintptr_t)t);

	return t->part_insns ? head->flushed - head->parts[head->part & 1].offset
			     : TRACE_STREAM_OFFSET + head->flushed;
}

/* Where a number was missing that had been flushed, it is written. */
static bool flush_missed(struct agent_thread *t, int fd)
{
	struct trace_missed *missed = missed_of(t);
	uint64_t place = TRACE_STREAM_OFFSET + missed->offset;

	if (!t->mirrors || missed->offset == ~0ull || t->miss == (uint8_t *)&missed->next)
		return true;
	if (sys4(SYS_pwrite64, fd, (long)&missed->next, TRACE_MISS_SIZE, (long)place) !=
	    TRACE_MISS_SIZE)
		return false;
	missed->offset = ~0ull;
	return true;
}

/* Appends the window to the record.  At any moment the bytes from .flushed on are
 * in the window. */
static bool flush_window(struct agent_thread *t)
{
	struct trace_head *head = head_of(t);
	uint64_t from = t->window, end = head->length, left = end - head->flushed;
	uint64_t place = end_of_part(t);
	int fd = open_part(t, O_RDWR);
	bool done = fd >= 0 && may_be_long(place + left) && flush_missed(t, fd);

	while (done && left) {
		long n = sys4(SYS_pwrite64, fd, (long)from, (long)left, (long)place);

		done = n > 0;
		from += done ? (uint64_t)n : 0;
		place += done ? (uint64_t)n : 0;
		left -= done ? (uint64_t)n : 0;
	}
	if (fd >= 0)
		sys_close(fd);
	if (!done)
		return false;
	head->flushed = end;
	mirror_flushed(t);
	start_window(t, end);
	return true;
}

void stream_grow(struct agent_thread *t)
{
	if (head_of(t)->length >= t->max_bytes || !flush_window(t))
		stream_stop(t, TRACE_END_BYTES);
}

void stream_begin(struct agent_thread *t)
{
	struct trace_head *head = head_of(t);

	t->stop = agent.asked.max_insns > t->from ? agent.asked.max_insns : ~0ull;
	t->recording = agent.asked.flags & TRACE_RECORD && !agent.child;
	cells_forget(t);
	jit_forget(t);
	head->first_insns = head->insns;
	if (!t->recording)
		return;
	if (!map_window(t)) {
		stream_stop(t, TRACE_END_BYTES);
		return;
	}
	xmm_store(t->xmm);
	t->miss = NULL;
	log_enter(t, TRACE_WHY_START, ALL_GPR | ALL_XMM);
}

void stream_next_part(struct agent_thread *t)
{
	struct trace_head *head = head_of(t);
	const struct trace_part *now = &head->parts[head->part & 1];
	int fd;

	if (!t->part_insns || !t->recording || head->flushed != head->length ||
	    (!stream_part_is_full(t) && head->length - now->offset < t->part_bytes))
		return;
	/* Killed here, it has one part only: the other one seems to begin after it. */
	head->parts[~head->part & 1] =
		(struct trace_part){ head->insns, head->length, head->n_async };
	__asm__ volatile("" : : : "memory");
	head->part++;
	fd = open_part(t, O_RDWR); /* over what it had: fresh pages cost more than all the rest */
	if (fd < 0) {
		stream_stop(t, TRACE_END_BYTES);
		return;
	}
	sys_close(fd);
	xmm_store(t->xmm);
	log_enter(t, TRACE_WHY_START, ALL_GPR | ALL_XMM);
}

void stream_stop(struct agent_thread *t, uint32_t end)
{
	t->recording = false;
	if (head_of(t)->end == TRACE_END_RUNNING)
		head_of(t)->end = end;
	forget_window(t, head_of(t)->length);
	cells_forget(t);
	jit_forget(t);
}

void stream_record_all(struct agent_thread *t)
{
	struct trace_head *head = head_of(t);

	if (head->known_until <= head->insns)
		return;
	head->known_until = head->insns;
	if (!t->elides)
		return;
	t->elides = false;
	cells_forget(t);
	jit_forget(t);
}

/* The element becomes number *n of the array in the thread's file of that name. */
static void append_to_array(struct agent_thread *t, const char *name, const void *element,
			    uint64_t size, uint64_t *n)
{
	int fd = open_stream_file(name, t->number, O_RDWR | O_CREAT | (*n ? 0 : O_TRUNC));

	if (fd < 0 ||
	    sys4(SYS_pwrite64, fd, (long)element, (long)size, (long)(*n * size)) != (long)size)
		stream_stop(t, TRACE_END_BYTES);
	else
		++*n;
	if (fd >= 0)
		sys_close(fd);
}

void stream_async(struct agent_thread *t, const struct trace_async *a)
{
	append_to_array(t, "async", a, sizeof *a, &head_of(t)->n_async);
}

void stream_output(struct agent_thread *t, const struct trace_output *o)
{
	append_to_array(t, "output", o, sizeof *o, &head_of(t)->n_output);
}

void stream_fork(struct agent_thread *t)
{
	uint8_t page[TRACE_STREAM_OFFSET];

	__builtin_memcpy(page, head_of(t), sizeof page);
	if (!map_head(t, -1))
		agent_give_up(TRACE_GAVE_UP_THREAD, "out of memory");
	__builtin_memcpy(head_of(t), page, sizeof page);
	t->recording = false;
	forget_window(t, head_of(t)->length);
	cells_forget(t);
	jit_forget(t);
}
