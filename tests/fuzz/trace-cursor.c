/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stream of a record: whatever it holds, the cursor comes to an end, and to the same
 * by superblocks. */
#include "solver/trace/superblock/superblock.h"
#include "tests/support/tiny.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_STEPS = 100000 };

/* By superblocks where that is possible, when s is given.  The sentence of an error, or
 * NULL; free it. */
static char *walk(struct trace_run *run, struct lift *lift, bool check, struct superblocks *s)
{
	g_autoptr(GError) error = NULL;
	struct trace_cursor *c = trace_cursor_new(run, 0, lift);
	struct superblock_run superblock;
	struct trace_step step;
	int went = 1;

	trace_cursor_set_check(c, check);
	for (int i = 0; i < MOST_STEPS && went > 0; i++) {
		went = s ? superblocks_run(s, c, &superblock, &error) : 0;
		if (went == 0)
			went = trace_cursor_step(c, &step, &error);
	}
	g_assert(went >= 0 || error);
	trace_cursor_free(c);
	return error ? g_strdup(error->message) : NULL;
}

static void walk_both(const char *directory, struct image *image, struct lift *lift, bool check)
{
	struct image *images[] = { image };
	struct trace_run *run = trace_run_open(directory, images, 1, NULL);
	struct superblocks *s;
	g_autofree char *slow = NULL, *fast = NULL;

	if (!run)
		return;
	s = superblocks_new(NULL, NULL);
	slow = walk(run, lift, check, NULL);
	fast = walk(run, lift, check, s);
	/* addresses that are not those of the code make one of them read elsewhere */
	if (!(trace_run_head(run, 0)->flags & TRACE_ADDRESSES))
		g_assert_cmpstr(slow, ==, fast);
	superblocks_free(s);
	trace_run_free(run);
}

static char *directory;

static void clean_up(void)
{
	g_autofree char *path = g_build_filename(directory, "trace.0", NULL);

	g_unlink(path);
	g_rmdir(directory);
}

/* The first byte: number of instructions; the second: flags of the record,
 * whether a correct entry is put before the rest, whether outcomes are inferred (8), and whether
 * there is a mirror (16). */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct image image;
	static struct lift *lift;
	static const uint64_t regs[17] = { [TRACE_RDX] = TINY_RUN + TINY_POP };
	static const uint8_t mirrored[] = { 0, 4, 17, 20, 35 };
	struct tiny_record record;

	if (!directory) {
		directory = g_strdup_printf("/dev/shm/why-fuzz-%d", (int)getpid());
		g_mkdir(directory, 0700);
		atexit(clean_up);
		lift = lift_new();
		tiny_image(&image);
		for (unsigned i = 0; i < G_N_ELEMENTS(mirrored); i++)
			image.insns[mirrored[i]].mem[0].flags |= TRACE_MEM_MIRRORED;
		image.insns[10].flags |= TRACE_INSN_INFERRED;
	}
	if (size < 2)
		return 0;
	tiny_begin(&record);
	record.head.insns = data[0];
	record.head.flags = (data[1] & TRACE_ADDRESSES) | (data[1] & 8 ? TRACE_INFERS : 0) |
			    (data[1] & 16 ? TRACE_MIRRORS : 0);
	if (data[1] & 1)
		tiny_enter(&record, TRACE_WHY_START, TINY_RUN, 0x1ffff, regs);
	tiny_bytes(&record, data + 2, size - 2);
	tiny_write(&record, directory, -1);
	walk_both(directory, &image, lift, data[1] & 4);
	g_byte_array_unref(record.stream);
	return 0;
}
