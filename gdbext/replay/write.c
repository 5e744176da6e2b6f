/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plan of a run: what plan.h needs for it, and what the recorder wrote into it. */
#include "gdbext/replay/handed.h"
#include "gdbext/replay/internal.h"
#include "gdbext/replay/interrupt.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static int compare_traced_addresses(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Free with g_free.  Cold parts are jumped to, never called. */
static uint64_t *entries_of_functions(const struct image *im, size_t *n)
{
	const struct image_function *functions;
	size_t count = image_functions(im, &functions);
	uint64_t *entries = g_new(uint64_t, count + 1);

	*n = 0;
	for (size_t i = 0; i < count; i++)
		if (!functions[i].parent)
			entries[(*n)++] = functions[i].entry;
	qsort(entries, *n, sizeof *entries, compare_traced_addresses);
	return entries;
}

struct plan_base *replay_plan_base(const struct replay *r, const char *folder,
				   struct image *const *images, GError **error)
{
	g_autofree struct plan_module *modules = g_new0(struct plan_module, r->n_images);
	g_autofree char *file = g_build_filename(folder, REPLAY_BASE, NULL);
	struct plan_base *base;

	for (size_t i = 0; i < r->n_images; i++) {
		modules[i].path = image_path(images[i]);
		modules[i].n_insns = image_insns(images[i], &modules[i].insns);
		modules[i].entries = entries_of_functions(images[i], &modules[i].n_entries);
	}
	base = plan_base_new(modules, r->n_images, file, error);
	for (size_t i = 0; i < r->n_images; i++)
		g_free((void *)modules[i].entries);
	return base;
}

bool replay_write_plan(struct replay *r, const char *folder, uint32_t flags,
		       const struct handed *handed, const struct run_request *request,
		       GError **error)
{
	g_autofree char *path = g_build_filename(folder, "plan", NULL);
	g_autofree char *own_output = g_build_filename(folder, "out", NULL);
	struct plan_base *own = NULL;
	bool written;
	struct plan_options o = {
		.program = r->program,
		.directory = folder,
		.preload = r->user_preload,
		.max_insns = r->max_insns,
		.max_bytes = r->max_bytes,
		.follow = r->follow.child,
		.forks = r->follow.forks,
		.flags = flags | (r->addresses ? TRACE_ADDRESSES : 0) | (r->jit ? TRACE_JIT : 0) |
			 (r->faults_end ? TRACE_FAULTS_END : 0),
	};

	if (r->output && flags & TRACE_RECORD && !(request && request->n_actions))
		o.flags |= TRACE_OUTPUT;
	/* a caged run writes its own one */
	o.output_file = r->output_file.path && request ? own_output : r->output_file.path;
	if (handed) {
		o.handed = handed->at;
		o.n_handed = handed->n;
	}
	if (request) {
		o.actions = request->actions;
		o.n_actions = request->n_actions;
		o.max_insns = request->max_insns;
		o.from = request->from;
		o.from_thread = request->thread;
		o.flags |= r->follow.absent ? TRACE_NO_CHILDREN : 0;
	} else {
		o.window = r->window;
	}
	if (request && request->images)
		own = replay_plan_base(r, folder, request->images, error);
	if (request && request->images && !own)
		return false;
	written = plan_write(own ? own : r->plan_base, path, &o, error);
	plan_base_free(own);
	return written;
}

/* What the recorder could not do is not the program's failure. */
static bool gave_up(uint32_t why, const char *folder, GError **error)
{
	static const char *const sentences[] = {
		[TRACE_GAVE_UP_FILES] = "its standard files cannot be opened",
		[TRACE_GAVE_UP_MAPPING] = "there is no address space for a copy of its code; raise "
					  "the limit (ulimit -v)",
		[TRACE_GAVE_UP_RECORD] = "there is no room for a record, or files may not grow "
					 "(ulimit -f); make room or set GDB_WHY_TMPDIR",
		[TRACE_GAVE_UP_CODE] = "this system does not let its code be changed",
		[TRACE_GAVE_UP_THREAD] = "there is no room for the record of another thread, or no "
					 "memory; make room or set GDB_WHY_TMPDIR",
		[TRACE_GAVE_UP_PROFILE] = "there is no room for its profile; make room or set "
					  "GDB_WHY_TMPDIR",
		[TRACE_GAVE_UP_INSIDE] = "it does what the recorder cannot follow",
	};

	g_set_error(error, REPLAY_ERROR, REPLAY_ERROR_SYSTEM,
		    "The program cannot be recorded in %s: %s.", folder,
		    why < G_N_ELEMENTS(sentences) && sentences[why] ? sentences[why]
								    : "the recorder gave up");
	return false;
}

bool replay_read_plan(const char *folder, struct trace_plan *plan)
{
	g_autofree char *path = g_build_filename(folder, "plan", NULL);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : pread(fd, plan, sizeof *plan, 0);

	if (fd >= 0)
		close(fd);
	return got == sizeof *plan;
}

enum trace_own_code replay_own_code(const char *folder)
{
	struct trace_plan plan;

	return replay_read_plan(folder, &plan) ? plan.own_code : TRACE_OWN_CODE_KEPT;
}

bool replay_has_lost_plan(const char *folder)
{
	struct trace_plan plan;

	return !replay_read_plan(folder, &plan) || !plan.claimed ||
	       plan.gave_up > TRACE_GAVE_UP_INSIDE;
}

static char *printed_errors(const char *folder)
{
	g_autofree char *path = g_build_filename(folder, "err", NULL);
	char *text = NULL;

	return g_file_get_contents(path, &text, NULL, NULL) ? text : g_strdup("");
}

/* "libfoo.so.1: cannot open shared object file: No such file or directory"; NULL = it loaded all.
 */
static char *loader_said(const char *errors)
{
	static const char mark[] = ": error while loading shared libraries: ";
	const char *at = strstr(errors, mark);

	return at ? g_strndup(at + strlen(mark), strcspn(at + strlen(mark), "\n")) : NULL;
}

bool replay_check_claimed(const char *folder, int signo, GError **error)
{
	struct trace_plan plan;
	g_autofree char *errors = NULL, *missing = NULL;

	if (replay_read_plan(folder, &plan) && plan.claimed)
		return plan.gave_up == TRACE_GAVE_UP_NOT || gave_up(plan.gave_up, folder, error);
	/* a run that was stopped before its start is not to blame */
	replay_interrupt_return_hang();
	if (!replay_check_interrupt(error))
		return false;
	errors = printed_errors(folder);
	missing = loader_said(errors);
	if (missing) {
		g_set_error(error, REPLAY_ERROR, REPLAY_ERROR_PROGRAM,
			    "The program does not start alone either: %s; install that library, or "
			    "set LD_LIBRARY_PATH.",
			    missing);
		return false;
	}
	/* AddressSanitizer's runtime ends a program in which another library comes before it. */
	if (strstr(errors, "ASan runtime does not come first")) {
		g_set_error(error, REPLAY_ERROR, REPLAY_ERROR_SANITIZED,
			    "The program was built with -fsanitize=address, whose runtime does not "
			    "run together with the recorder; build it without, with -g alone, and "
			    "`explain --memory' looks for invalid accesses itself.");
		return false;
	}
	/* Its own code does not run before the recorder's. */
	if (signo == SIGKILL) {
		g_set_error(error, REPLAY_ERROR, REPLAY_ERROR_PROGRAM,
			    "The program was killed by SIGKILL before its start; what sent that "
			    "signal must be found outside the program.");
		return false;
	}
	g_set_error(error, REPLAY_ERROR, REPLAY_ERROR_SYSTEM,
		    "The recorder was not loaded into the program, which may be using another C "
		    "library or loader, or be killed before its start; run it with LD_PRELOAD set "
		    "to gdb-why-agent.so to see what the loader says.");
	return false;
}
