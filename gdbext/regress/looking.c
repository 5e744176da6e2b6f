/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A version's run of --run's program, recorded. */
#include "gdbext/question/failure.h"
#include "gdbext/regress/workshop/folders.h"
#include "gdbext/regress/looking-private.h"
#include "gdbext/replay/interrupt.h"

#include <string.h>

/* --run's program and arguments, for that bench. */
static char **program_in(const struct regression *r, const char *folder)
{
	char **argv = g_strdupv(r->o->program);
	char *program = argv[0];

	argv[0] = g_path_is_absolute(program) ? workshop_copy_of(r->workshop, folder, program)
					      : g_strdup(program);
	g_free(program);
	return argv;
}

/* The requirement is what the old version prints. */
static bool expect_output(struct looking *l, struct regress_record *record)
{
	const struct replay_failing *f = &l->failing;

	if (!expected_read(&l->expected, l->r->expected_file, NULL, 0, &l->error))
		return false;
	record->end.expected = &l->expected;
	record->end.differs_at = expected_look_at_run(&l->expected, f->record, f->end, f->status);
	record->out = f->out;
	record->err = f->err;
	return true;
}

bool looking_record(struct looking *l, const char *folder)
{
	const struct options *o = l->r->o;
	g_auto(GStrv) argv = program_in(l->r, folder);
	const struct replay_options options = { .argv = argv,
						.directory = folder,
						.stdin_file = l->r->stdin_file,
						.gdb = o->gdb,
						.run_timeout = o->run_timeout,
						.max_bytes = o->max_record,
						.jit = o->engine == OPTIONS_ENGINE_JIT,
						.output = l->is_new && l->r->expected_file,
						.limits = &o->limits };
	struct regress_record record = {
		.until = { l->deadline, o->timeout, replay_interrupt_flag() }, .limits = &o->limits
	};

	l->paths = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	l->replay = replay_new(&options, &l->error);
	if (!l->replay || !replay_record_failing(l->replay, &l->failing, &l->error))
		return false;
	record.images = replay_images(l->replay, &record.n_images);
	record.directory = l->failing.record;
	record.thread = l->failing.thread;
	record.end = failure_end(&l->failing);
	if (options.output && !expect_output(l, &record))
		return false;
	if (record.end.end == RUN_PASSED) {
		record.end.end = RUN_STATUS;
		record.end.status = 0;
	}
	l->trace = regress_trace_new(&record, &l->error);
	return l->trace != NULL;
}

void looking_forget(struct looking *l)
{
	regress_trace_free(l->trace);
	expected_clear(&l->expected);
	replay_failing_clear(&l->failing);
	replay_free(l->replay);
	g_clear_pointer(&l->paths, g_hash_table_unref);
	g_clear_error(&l->error);
}

const char *looking_file(struct looking *l, const char *file)
{
	char *path;

	if (!file)
		return NULL;
	if (!g_hash_table_contains(l->paths, file)) {
		path = regress_folder_find(l->folder, file);
		g_hash_table_insert(l->paths, g_strdup(file), path);
	}
	return g_hash_table_lookup(l->paths, file);
}
