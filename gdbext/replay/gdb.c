/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The first run: the program under a headless GDB.
 *
 * GDB attaches to the program, which stands at its very first instruction,
 * instead of starting it: without a shell GDB splits arguments at blanks, with
 * one the environment changes, and in both cases it adds variables of its own.
 * Attached, the program is started by the code that starts all other runs.
 */

#include "gdbext/replay/internal.h"

#include "gdbext/replay/interrupt.h"
#include "gdbext/replay/run/run-clock.h"
#include "mi/cmd.h"
#include "solver/image/shadow.h"
#include "solver/library/library.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_FRAMES 64
#define MAX_TEXT 4096u /* of an assertion; longer ones are cut */
#define ATTACH_TIMEOUT_MS 30000
#define USUAL_PEAK (8ull << 30) /* of address space, when the program is gone too soon to ask */

/* GDB needs no separate debug information of libraries, and reading it takes longer than all the
 * rest. */
static const char *const settings[] = {
	"-gdb-set debug-file-directory /nonexistent",
	NULL,
};

/* In a file, because GDB answers each of these commands that is typed with a table of all signals,
 * which it writes byte by byte.  The thread that gets one of the last may be the one that fails. */
static const char signal_commands[] =
	"handle all nostop noprint pass\n"
	"handle SIGINT nostop noprint pass\n"
	"handle SIGSEGV SIGBUS SIGFPE SIGILL SIGABRT stop print pass\n";

/* What went wrong between us and GDB, in the words of this module. */
static void translate_gdb_error(const struct replay *r, GError **error, GError *cause,
				const char *doing)
{
	enum replay_error code = REPLAY_ERROR_GDB;

	if (g_error_matches(cause, MI_ERROR, MI_ERROR_CANCELLED)) {
		g_error_free(cause);
		if (deadline_check(r->until, error))
			g_set_error(error, REPLAY_ERROR, REPLAY_ERROR_CANCELLED, "Interrupted.");
		return;
	}
	if (g_error_matches(cause, MI_ERROR, MI_ERROR_COMMAND))
		g_set_error(error, REPLAY_ERROR, code, "GDB cannot %s: %s", doing, cause->message);
	else
		g_set_error(error, REPLAY_ERROR, code, "%s", cause->message);
	g_error_free(cause);
}

static const char **gdb_environment(struct replay *r)
{
	return (const char **)r->environment;
}

void replay_limit_time(struct replay *r, double run_ms)
{
	double least = (double)r->limits->caged_least_ms, times = (double)r->limits->caged_times;

	r->caged_timeout = MIN(r->run_timeout, MAX(least, times * run_ms) / 1000);
}

/* Names for the recorder's code, and what stands around it on the stack.  GDB
 * does without as well. */
static void load_reader(struct mi_conn *conn, const char *agent)
{
	g_autofree char *real = realpath(agent, NULL);
	g_autofree char *folder = g_path_get_dirname(real ? real : agent);
	g_autofree char *path = g_build_filename(folder, "gdb-why-jitreader.so", NULL);
	g_autofree char *command = g_strdup_printf("jit-reader-load %s", path);
	g_autoptr(GError) error = NULL;
	g_autofree char *said = mi_cmd_console(conn, command, &error);

	if (!said)
		g_debug("GDB does not load the JIT reader: %s", error->message);
}

static bool set_signals(const struct replay *r, struct mi_conn *conn, GError **error)
{
	g_autofree char *path = g_build_filename(r->folder->path, "signals.gdb", NULL);
	g_autofree char *command = g_strdup_printf("source %s", path);
	g_autofree char *said = NULL;
	g_autoptr(GError) full = NULL;

	if (g_file_set_contents(path, signal_commands, -1, &full))
		said = mi_cmd_console(conn, command, error);
	else
		g_set_error(error, REPLAY_ERROR, REPLAY_ERROR_SYSTEM,
			    "Cannot write GDB's commands: %s; set GDB_WHY_TMPDIR.", full->message);
	unlink(path);
	return said != NULL;
}

struct mi_conn *replay_start_gdb(struct replay *r, const char *gdb, GError **error)
{
	struct mi_options options = {
		.gdb = gdb,
		.environ = gdb_environment(r),
		.commands = settings,
		.bare = true,
		.cancel_fd = replay_interrupt_fd(),
		.until = r->until->end,
	};
	GError *cause = NULL;
	struct mi_conn *conn = mi_conn_start(&options, &cause);
	struct mi_break assertion = { .location = library_assertion(), .pending = true };

	if (conn && set_signals(r, conn, &cause) && mi_cmd_file(conn, r->program, &cause) &&
	    mi_cmd_break(conn, &assertion, NULL, &cause)) {
		load_reader(conn, r->agent);
		return conn;
	}
	mi_conn_free(conn);
	translate_gdb_error(r, error, cause, "read the program");
	return NULL;
}

/* A string in the program, at most MAX_TEXT bytes; NULL when it is not
 * readable. */
static char *read_text_in_gdb(struct mi_conn *conn, uint64_t addr)
{
	GString *text = g_string_new(NULL);

	while (text->len < MAX_TEXT) {
		char piece[256];
		size_t got = 0;

		if (!addr ||
		    !mi_cmd_read_memory(conn, addr + text->len, piece, sizeof piece, &got, NULL))
			return g_string_free(text, text->len == 0);
		g_string_append_len(text, piece, (gssize)strnlen(piece, got));
		if (memchr(piece, '\0', got) || got < sizeof piece)
			break;
	}
	return g_string_free(text, FALSE);
}

static char **frames_in_words(const GArray *frames)
{
	GPtrArray *words = g_ptr_array_new();

	/* The innermost one is that of the function that assert() calls. */
	for (guint i = 1; i < frames->len; i++) {
		const struct mi_frame *f = &g_array_index(frames, struct mi_frame, i);
		const char *file = f->fullname ? f->fullname : f->file;

		g_ptr_array_add(words,
				file ? g_strdup_printf("%s at %s:%u", f->func ? f->func : "??",
						       file, f->line)
				     : g_strdup(f->func ? f->func : "??"));
	}
	g_ptr_array_add(words, NULL);
	return (char **)g_ptr_array_free(words, FALSE);
}

static void read_frames(struct mi_conn *conn, struct replay_failing *failing)
{
	g_autoptr(GArray) frames = mi_cmd_frames(conn, 0, MAX_FRAMES, NULL);
	const struct mi_frame *caller;

	if (!frames || frames->len < 2)
		return;
	failing->frames = frames_in_words(frames);
	caller = &g_array_index(frames, struct mi_frame, 1);
	failing->caller = g_strdup(caller->func);
	failing->caller_file = g_strdup(caller->fullname ? caller->fullname : caller->file);
	failing->caller_line = caller->line;
}

/* The number in the record of the thread whose thread pointer this is.  One that
 * has ended may have had the same. */
static unsigned thread_with(const char *folder, uint64_t fs_base)
{
	struct trace_head head;
	unsigned found = 0;

	for (unsigned thread = 0; replay_read_head(folder, thread, &head); thread++)
		if (head.fs_base == fs_base)
			found = thread;
	return found;
}

/* The function of library_assertion() is about to run. */
static bool read_called_assertion(struct mi_conn *conn, struct replay_failing *failing,
				  GError **cause)
{
	struct mi_register regs[] = { { .name = "rdi" },
				      { .name = "rsi" },
				      { .name = "rdx" },
				      { .name = "rcx" },
				      { .name = "fs_base" } };

	if (!mi_cmd_registers(conn, NULL, regs, G_N_ELEMENTS(regs), cause))
		return false;
	failing->end = RUN_ASSERT;
	failing->expression = read_text_in_gdb(conn, regs[0].known ? regs[0].value : 0);
	failing->file = read_text_in_gdb(conn, regs[1].known ? regs[1].value : 0);
	failing->line = regs[2].known ? (unsigned)regs[2].value : 0;
	failing->function = read_text_in_gdb(conn, regs[3].known ? regs[3].value : 0);
	if (regs[4].known)
		failing->thread = thread_with(failing->record, regs[4].value);
	read_frames(conn, failing);
	return true;
}

/* A signal came; should it end the program, it came to this thread. */
static void note_thread(struct mi_conn *conn, struct replay_failing *failing)
{
	struct mi_register fs_base = { .name = "fs_base" };

	if (mi_cmd_registers(conn, NULL, &fs_base, 1, NULL) && fs_base.known)
		failing->thread = thread_with(failing->record, fs_base.value);
}

static int signal_number(const char *name)
{
	for (int signo = 1; name && signo < NSIG; signo++)
		if (!strcmp(name, replay_signal_name(signo)))
			return signo;
	return SIGKILL; /* one that this system does not know by GDB's name */
}

/* Lets the program go on from a stop; a signal that GDB holds back (SIGTRAP,
 * which it needs itself) reaches the program now. */
static bool go_on_in_gdb(struct mi_conn *conn, const char *signal, GError **cause)
{
	g_autoptr(mi_record) running = NULL;

	if (!signal || !strcmp(signal, "SIGSTOP") || !strcmp(signal, "0"))
		return mi_cmd_continue(conn, cause);
	mi_conn_forget_stops(conn);
	running = mi_conn_command(conn, mi_conn_command_timeout(conn), cause,
				  "-interpreter-exec console \"signal %s\"", signal);
	return running != NULL;
}

/* What the program needs of address space, from a line of /proc/PID/status. */
static uint64_t peak_memory(pid_t pid)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/status", (int)pid);
	g_autofree char *text = NULL;
	const char *line;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return 0;
	line = strstr(text, "VmPeak:");
	return line ? g_ascii_strtoull(line + 7, NULL, 10) << 10 : 0;
}

/* Room for what a hijacked run may reasonably need on top, without bringing the
 * machine down. */
uint64_t replay_memory_for_others(const struct replay *r, uint64_t peak)
{
	uint64_t machine = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);

	if (!peak)
		peak = USUAL_PEAK + (shadow_is_used(r->images[0]) ? SHADOW_RESERVED : 0);
	return peak + MIN(r->limits->caged_memory, machine / 2);
}

void replay_ask_endless(struct replay *r, replay_is_endless_fn *fn, void *arg)
{
	r->is_endless = fn;
	r->endless_arg = arg;
}

/* Milliseconds until the run is looked at while it goes on. */
static gint64 until_look(const struct replay *r, const struct run_clock *clock)
{
	const gint64 passed = (clock->limit - run_clock_left(clock)) / 1000;

	return r->is_endless && r->limits->endless_look_ms
		       ? MAX((gint64)r->limits->endless_look_ms - passed, 0)
		       : G_MAXINT;
}

/* The signals that a process takes, without those that the recorder does; bit 0 is signal 1. */
static uint64_t signals_taken(pid_t pid)
{
	const uint64_t others = 1ull << (SIGSEGV - 1) | 1ull << (SIGBUS - 1) |
				1ull << (SIGFPE - 1) | 1ull << (SIGILL - 1) |
				1ull << (SIGTRAP - 1) | 1ull << 63;
	g_autofree char *path = g_strdup_printf("/proc/%d/status", (int)pid);
	g_autofree char *text = NULL;
	const char *line;

	if (!g_file_get_contents(path, &text, NULL, NULL) || !(line = strstr(text, "SigCgt:")))
		return ~0ull;
	return g_ascii_strtoull(line + strlen("SigCgt:"), NULL, 16) & ~others;
}

/* Asks once. */
static bool is_going_round(struct replay *r, const struct run_clock *clock,
			   const struct replay_failing *so_far)
{
	replay_is_endless_fn *ask = r->is_endless;

	if (!ask || until_look(r, clock) > 0)
		return false;
	r->is_endless = NULL;
	if (replay_insns(so_far, 1) || signals_taken(clock->pid))
		return false;
	r->memory_limit = replay_memory_for_others(r, peak_memory(clock->pid));
	replay_limit_time(r, (double)r->limits->endless_look_ms);
	return ask(so_far, r->endless_arg);
}

/* False with MI_ERROR_TIMEOUT when the run's time is up, or it will never end. */
static bool wait_for_stop(struct replay *r, const struct run_clock *clock,
			  const struct replay_failing *so_far, struct mi_stop *stop, GError **cause)
{
	for (;;) {
		gint64 left = MIN(run_clock_left(clock) / 1000, until_look(r, clock));
		GError *failed = NULL;

		if (mi_cmd_wait(r->gdb, (int)CLAMP(left, 1, G_MAXINT), stop, &failed))
			return true;
		if (!g_error_matches(failed, MI_ERROR, MI_ERROR_TIMEOUT) ||
		    run_clock_left(clock) <= 0 || is_going_round(r, clock, so_far)) {
			g_propagate_error(cause, failed);
			return false;
		}
		g_error_free(failed);
	}
}

/* Does the signal come from what the program did, so that it usually ends the program? */
static bool may_end_it(const char *signal)
{
	static const char *const some[] = {
		"SIGSEGV", "SIGBUS", "SIGILL", "SIGFPE", "SIGABRT", NULL
	};

	return signal && g_strv_contains(some, signal);
}

/* Is it an instruction that failed, as opposed to a decision to end? */
static bool is_fault_signal(const char *signal)
{
	static const char *const some[] = { "SIGSEGV", "SIGBUS", "SIGILL", "SIGFPE", NULL };

	return signal && g_strv_contains(some, signal);
}

/* stops: how many signals that may end a program came, fault the first of those that was one.
 * Without a handler of the program's, the recorder has the fault come once more, and it ends the
 * program. */
static int handled_fault(const struct replay_failing *failing, int fault, unsigned stops)
{
	bool by_itself = failing->end == RUN_SIGNAL && failing->signo == fault && stops <= 2;

	return failing->end == RUN_PASSED || by_itself ? 0 : fault;
}

static void note_own_code(struct replay *r, pid_t pid, struct replay_failing *failing)
{
	if (failing->own_code == TRACE_OWN_CODE_KEPT &&
	    replay_code_is_changed(r, pid, failing->record))
		failing->own_code = TRACE_OWN_CODE_CHANGED;
}

/* Goes on from stop to stop until one tells how the test ended. */
static bool watch_failing_test(struct replay *r, pid_t pid, struct replay_failing *failing,
			       GError **cause)
{
	struct run_clock clock = run_clock_start(pid, r->run_timeout);
	g_autofree char *signal = NULL;
	unsigned stops = 0;
	int fault = 0;

	for (;;) {
		struct mi_stop stop = { 0 };
		bool known = true;

		if (!go_on_in_gdb(r->gdb, signal, cause) ||
		    !wait_for_stop(r, &clock, failing, &stop, cause))
			break;
		if (stop.reason == MI_STOP_EXITED) {
			failing->status = (int)stop.status;
			failing->thread = 0;
			failing->end = stop.status ? RUN_STATUS : RUN_PASSED;
		} else if (stop.reason == MI_STOP_KILLED) {
			failing->end = RUN_SIGNAL;
			failing->signo = signal_number(stop.signal);
		} else if (stop.reason == MI_STOP_BREAKPOINT) {
			note_own_code(r, pid, failing);
			known = read_called_assertion(r->gdb, failing, cause);
			mi_stop_clear(&stop);
			return known;
		} else {
			known = false;
			if (stop.signal && strcmp(stop.signal, "SIGTRAP") != 0)
				note_thread(r->gdb, failing);
			if (may_end_it(stop.signal)) {
				note_own_code(r, pid, failing);
				stops++;
				if (!fault && is_fault_signal(stop.signal))
					fault = signal_number(stop.signal);
			}
			g_free(signal);
			signal = g_steal_pointer(&stop.signal);
		}
		mi_stop_clear(&stop);
		if (known) {
			failing->fault = handled_fault(failing, fault, stops);
			return true;
		}
	}
	if (!g_error_matches(*cause, MI_ERROR, MI_ERROR_TIMEOUT) &&
	    !(g_error_matches(*cause, MI_ERROR, MI_ERROR_CANCELLED) &&
	      replay_interrupt_take_hang()))
		return false;
	g_clear_error(cause);
	failing->end = RUN_TIMEOUT;
	return true;
}

static bool attach_gdb(struct replay *r, pid_t pid, GError **error)
{
	struct mi_stop stop = { 0 };
	GError *cause = NULL;
	g_autoptr(mi_record) done =
		mi_conn_command(r->gdb, ATTACH_TIMEOUT_MS, &cause, "-target-attach %d", (int)pid);

	if (!done && g_error_matches(cause, MI_ERROR, MI_ERROR_COMMAND)) {
		g_set_error(error, REPLAY_ERROR, REPLAY_ERROR_GDB,
			    "GDB may not debug the program (%s); allow ptrace: in a container "
			    "start it with --cap-add=SYS_PTRACE, elsewhere set "
			    "kernel.yama.ptrace_scope to 0 or 1.",
			    cause->message);
		g_error_free(cause);
		return false;
	}
	if (!done || !mi_cmd_wait(r->gdb, ATTACH_TIMEOUT_MS, &stop, &cause)) {
		translate_gdb_error(r, error, cause, "attach to the program");
		return false;
	}
	mi_stop_clear(&stop);
	return true;
}

static bool run_under_gdb(struct replay *r, pid_t pid, struct replay_failing *failing,
			  GError **error)
{
	gint64 start;
	GError *cause = NULL;
	bool known;

	if (!attach_gdb(r, pid, error))
		return false;
	start = g_get_monotonic_time();
	known = watch_failing_test(r, pid, failing, &cause);
	failing->run_ms = (double)(g_get_monotonic_time() - start) / 1e3;
	if (!known) {
		translate_gdb_error(r, error, cause, "run the program");
		return false;
	}
	failing->memory = peak_memory(pid);
	r->memory_limit = replay_memory_for_others(r, failing->memory);
	replay_limit_time(r, failing->run_ms);
	return true;
}

/* GDB reaps what it traces, so the program cannot be gone before GDB is. */
static void end_first_run(struct replay *r, pid_t program)
{
	pid_t gdb = mi_conn_gdb_pid(r->gdb);

	if (program > 0)
		kill(program, SIGKILL); /* a zombie at least, until the supervisor reaps it */
	if (gdb > 0)
		kill(gdb, SIGKILL);
	mi_conn_free(r->gdb);
	r->gdb = NULL;
	supervisor_kill(r->supervisor);
}

static bool make_first_run(struct replay *r, const struct run_place *place,
			   struct replay_failing *found, GError **error)
{
	struct launch l;
	pid_t program = 0;
	bool done;

	found->record = g_strdup(place->folder);
	found->out = g_build_filename(found->record, "out", NULL);
	found->err = g_build_filename(found->record, "err", NULL);
	replay_launch_init(r, place, &l);
	l.stop = true;
	output_file_look(&r->output_file);
	done = deadline_check(r->until, error) &&
	       replay_write_plan(r, found->record, TRACE_RECORD, NULL, NULL, error) &&
	       (program = supervisor_start(r->supervisor, &l, error)) > 0 &&
	       run_under_gdb(r, program, found, error);
	end_first_run(r, program);
	return done && output_file_take(&r->output_file, found->record, error);
}

bool replay_record_failing(struct replay *r, struct replay_failing *failing, GError **error)
{
	struct replay_failing found = { .gdb_ms = r->gdb_ms, .image_ms = r->image_ms };
	struct run_place place;
	bool done;

	g_assert(r->gdb);
	if (!replay_place_make(r, &place, error))
		return false;
	done = make_first_run(r, &place, &found, error);
	replay_place_clear(&place);
	if (done)
		done = deadline_check(r->until, error) &&
		       replay_check_claimed(found.record, found.end == RUN_SIGNAL ? found.signo : 0,
					    error) &&
		       folder_check_room(r->folder, error);
	if (!done) {
		replay_failing_clear(&found);
		return false;
	}
	found.own_code = MAX(found.own_code, replay_own_code(found.record));
	if (!r->follow.child)
		follow_tell_of_children(&r->follow, &found);
	*failing = found;
	return true;
}

/* Makes a first run once more. */
static bool record_anew(struct replay *r, struct replay_failing *failing, GError **error)
{
	r->gdb = replay_start_gdb(r, r->gdb_path, error);
	if (!r->gdb)
		return false;
	supervisor_watch_session(r->supervisor, mi_conn_gdb_pid(r->gdb));
	return replay_record_failing(r, failing, error);
}

bool replay_record_fault(struct replay *r, struct replay_failing *failing, GError **error)
{
	r->faults_end = true;
	return record_anew(r, failing, error);
}

bool replay_record_child(struct replay *r, unsigned child, struct replay_failing *failing,
			 GError **error)
{
	if (!follow_take(&r->follow, failing, child))
		return false;
	return record_anew(r, failing, error);
}

void replay_leave_child(struct replay *r)
{
	r->follow.child = 0;
}

void replay_failing_clear(struct replay_failing *failing)
{
	g_free(failing->expression);
	g_free(failing->file);
	g_free(failing->function);
	g_free(failing->caller);
	g_free(failing->caller_file);
	g_strfreev(failing->frames);
	g_free(failing->record);
	g_free(failing->out);
	g_free(failing->err);
	*failing = (struct replay_failing){ 0 };
}

const char *replay_signal_name(int signo)
{
	static const char *const names[NSIG] = {
		[SIGHUP] = "SIGHUP",	   [SIGINT] = "SIGINT",	      [SIGQUIT] = "SIGQUIT",
		[SIGILL] = "SIGILL",	   [SIGTRAP] = "SIGTRAP",     [SIGABRT] = "SIGABRT",
		[SIGBUS] = "SIGBUS",	   [SIGFPE] = "SIGFPE",	      [SIGKILL] = "SIGKILL",
		[SIGUSR1] = "SIGUSR1",	   [SIGSEGV] = "SIGSEGV",     [SIGUSR2] = "SIGUSR2",
		[SIGPIPE] = "SIGPIPE",	   [SIGALRM] = "SIGALRM",     [SIGTERM] = "SIGTERM",
		[SIGSTKFLT] = "SIGSTKFLT", [SIGCHLD] = "SIGCHLD",     [SIGCONT] = "SIGCONT",
		[SIGSTOP] = "SIGSTOP",	   [SIGTSTP] = "SIGTSTP",     [SIGTTIN] = "SIGTTIN",
		[SIGTTOU] = "SIGTTOU",	   [SIGURG] = "SIGURG",	      [SIGXCPU] = "SIGXCPU",
		[SIGXFSZ] = "SIGXFSZ",	   [SIGVTALRM] = "SIGVTALRM", [SIGPROF] = "SIGPROF",
		[SIGWINCH] = "SIGWINCH",   [SIGIO] = "SIGIO",	      [SIGPWR] = "SIGPWR",
		[SIGSYS] = "SIGSYS",
	};
	const char *name = signo > 0 && signo < NSIG ? names[signo] : NULL;

	return name ? name : "a real-time signal";
}
