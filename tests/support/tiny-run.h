/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests of solver/trace: a record of tiny_code (tiny.h) in a folder of its own. */
#ifndef TESTS_SUPPORT_TINY_RUN_H
#define TESTS_SUPPORT_TINY_RUN_H

#include "tests/support/tiny.h"

#include <glib/gstdio.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

enum { STACK = 0x7fff0000, DATA = 0x600000, FAR = 0x7f0000001000 };

struct fixture {
	char *directory;
	struct image image;
	struct tiny_record record;
	uint64_t regs[17];
	struct lift *lift;
};

static inline uint32_t loaded(uint32_t value, struct tiny_record *r)
{
	tiny_bytes(r, &value, 4);
	return value;
}

static inline int tiny_set_up(void **state)
{
	struct fixture *f = g_new0(struct fixture, 1);

	f->directory = g_dir_make_tmp("why-cursor-XXXXXX", NULL);
	f->lift = lift_new();
	tiny_image(&f->image);
	tiny_begin(&f->record);
	for (unsigned i = 0; i < 17; i++)
		f->regs[i] = 100 + i;
	f->regs[TRACE_RBP] = 0x1122;
	f->regs[TRACE_RSP] = STACK;
	f->regs[TRACE_RDI] = DATA;
	f->regs[TRACE_RSI] = DATA + 0x100;
	f->regs[TRACE_RFLAGS] = 0x202;
	*state = f;
	return 0;
}

static inline int tiny_tear_down(void **state)
{
	struct fixture *f = *state;
	g_autofree char *path = g_build_filename(f->directory, "trace.0", NULL);

	g_unlink(path);
	g_rmdir(f->directory);
	g_free(f->directory);
	g_byte_array_unref(f->record.stream);
	lift_free(f->lift);
	g_free(f);
	return 0;
}

static inline struct trace_run *tiny_open_run(struct fixture *f)
{
	struct image *images[] = { &f->image };
	g_autoptr(GError) error = NULL;
	struct trace_run *run = trace_run_open(f->directory, images, 1, &error);

	assert_null(error);
	assert_non_null(run);
	return run;
}

static inline void tiny_step_to(struct trace_cursor *c, struct trace_step *step, unsigned number)
{
	g_autoptr(GError) error = NULL;

	do
		assert_int_equal(trace_cursor_step(c, step, &error), 1);
	while (step->number < number);
}

/* As if the stream were that long. */
static inline void tiny_set_length(const struct fixture *f, uint64_t length)
{
	g_autofree char *path = g_build_filename(f->directory, "trace.0", NULL);
	int fd = open(path, O_RDWR | O_CLOEXEC);

	assert_int_equal(pwrite(fd, &length, sizeof length, offsetof(struct trace_head, length)),
			 sizeof length);
	close(fd);
}

#endif
