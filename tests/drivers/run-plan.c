/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * run-plan AGENT DIRECTORY [OPTIONS] PROGRAM [ARGS…]: records a run.  DIRECTORY
 * must exist; standard files are the caller's.
 *
 *   --addresses        TRACE_ADDRESSES
 *   --jit              with that engine
 *   --breakpoints      TRACE_BREAKPOINTS
 *   --no-record        act and count only
 *   --caged            in a cage
 *   --max-insns=N --max-bytes=N --window=N
 *   --force=ADDR,NTH,TAKEN   --set=ADDR,NTH,REG,SIZE,VALUE
 *   --jump=ADDR,NTH,TO       --store=ADDR,NTH,WHERE,SIZE,VALUE
 *                      actions on thread 0, module 0; ADDR and TO may be
 *                      symbol+offset
 *   --module=PATH      traced as well
 *   --plan-only        writes DIRECTORY/plan and stops
 *   --plain            without the recorder
 *   --measure=FILE     writes there: seconds of processor time of the program's run, and
 *                      instructions and bytes of thread 0 (--plain: 0)
 *   --name=NAME        the program's argv[0], else PROGRAM
 *   --fixed-random     the random bytes that the kernel gives are always the same
 *   --same-as=DIR      the record must tell the same as the one in DIR, but for
 *                      registers that a call may leave as it likes
 *   --check            re-computes the record, with the actions
 *   --actions-done=N   that many of them must have taken place
 *
 * Its exit status is the program's, 128 + signal when it was killed, 2 when
 * something else goes wrong.
 */
#include "gdbext/replay/cage/cage-guard.h"
#include "gdbext/replay/cage/cage.h"
#include "gdbext/replay/cage/launch.h"
#include "gdbext/replay/run/plan.h"
#include "solver/image/image.h"
#include "solver/trace/run.h"
#include "solver/trace/superblock/self-check.h"

#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

struct request {
	GPtrArray *images;
	GArray *actions; /* struct trace_action */
	struct plan_options options;
	bool plan_only, plain, check, fixed_random, caged;
	const char *same_as, *measure, *name;
	const char *actions_done; /* NULL = any */
};

G_NORETURN static void die(GError *error)
{
	fprintf(stderr, "run-plan: %s\n", error->message);
	exit(2);
}

static void add_image(struct request *r, const char *path)
{
	GError *error = NULL;
	struct image *im = image_open(path, &error);

	if (!im)
		die(error);
	g_ptr_array_add(r->images, im);
}

/* "0x1139" or "main+4" */
static uint64_t parse_address(const struct request *r, const char *text)
{
	g_auto(GStrv) parts = g_strsplit(text, "+", 2);
	const struct image_function *f =
		image_function_named(g_ptr_array_index(r->images, 0), parts[0]);

	if (!f)
		return strtoull(text, NULL, 0);
	return f->entry + (parts[1] ? strtoull(parts[1], NULL, 0) : 0);
}

static unsigned parse_register(const char *name)
{
	static const char *const names[] = { "rax", "rcx", "rdx", "rbx", "rsp",	  "rbp",
					     "rsi", "rdi", "r8",  "r9",	 "r10",	  "r11",
					     "r12", "r13", "r14", "r15", "rflags" };

	for (unsigned i = 0; i < G_N_ELEMENTS(names); i++)
		if (!strcmp(name, names[i]))
			return i;
	return TRACE_XMM0 + (unsigned)strtoul(name + strlen("xmm"), NULL, 10);
}

static void add_action(struct request *r, enum trace_action_kind kind, const char *text)
{
	g_auto(GStrv) w = g_strsplit(text, ",", -1);
	struct trace_action a = { .kind = kind };
	uint64_t value;

	a.addr = parse_address(r, w[0]);
	a.nth = strtoull(w[1], NULL, 0);
	if (kind == TRACE_ACTION_FORCE) {
		a.value[0] = (uint8_t)strtoul(w[2], NULL, 0);
	} else if (kind == TRACE_ACTION_JUMP) {
		a.where = parse_address(r, w[2]);
	} else {
		if (kind == TRACE_ACTION_REG)
			a.reg = (uint16_t)parse_register(w[2]);
		else
			a.where = strtoull(w[2], NULL, 0);
		a.size = (uint16_t)strtoul(w[3], NULL, 0);
		value = strtoull(w[4], NULL, 0);
		memcpy(a.value, &value, sizeof value);
	}
	g_array_append_val(r->actions, a);
}

static const char *value_of(const char *word, const char *name)
{
	size_t n = strlen(name);

	return g_str_has_prefix(word, name) && word[n] == '=' ? word + n + 1 : NULL;
}

/* The words before the program; where it starts. */
static char **parse(struct request *r, char **argv)
{
	for (; *argv && g_str_has_prefix(*argv, "--"); argv++) {
		const char *v;

		if (!strcmp(*argv, "--addresses"))
			r->options.flags |= TRACE_ADDRESSES;
		else if (!strcmp(*argv, "--jit"))
			r->options.flags |= TRACE_JIT;
		else if (!strcmp(*argv, "--breakpoints"))
			r->options.flags |= TRACE_BREAKPOINTS;
		else if (!strcmp(*argv, "--no-record"))
			r->options.flags &= ~(uint32_t)TRACE_RECORD;
		else if (!strcmp(*argv, "--caged"))
			r->caged = true;
		else if (!strcmp(*argv, "--plain"))
			r->plain = true;
		else if (!strcmp(*argv, "--plan-only"))
			r->plan_only = true;
		else if (!strcmp(*argv, "--fixed-random"))
			r->fixed_random = true;
		else if ((v = value_of(*argv, "--measure")))
			r->measure = v;
		else if ((v = value_of(*argv, "--name")))
			r->name = v;
		else if ((v = value_of(*argv, "--same-as")))
			r->same_as = v;
		else if (!strcmp(*argv, "--check"))
			r->check = true;
		else if ((v = value_of(*argv, "--max-insns")))
			r->options.max_insns = strtoull(v, NULL, 0);
		else if ((v = value_of(*argv, "--window")))
			r->options.window = strtoull(v, NULL, 0);
		else if ((v = value_of(*argv, "--max-bytes")))
			r->options.max_bytes = strtoull(v, NULL, 0);
		else if ((v = value_of(*argv, "--actions-done")))
			r->actions_done = v;
	}
	return argv;
}

/* These need the image. */
static void parse_actions(struct request *r, char **argv)
{
	for (; *argv && g_str_has_prefix(*argv, "--"); argv++) {
		const char *v;

		if ((v = value_of(*argv, "--force")))
			add_action(r, TRACE_ACTION_FORCE, v);
		else if ((v = value_of(*argv, "--jump")))
			add_action(r, TRACE_ACTION_JUMP, v);
		else if ((v = value_of(*argv, "--set")))
			add_action(r, TRACE_ACTION_REG, v);
		else if ((v = value_of(*argv, "--store")))
			add_action(r, TRACE_ACTION_MEM, v);
		else if ((v = value_of(*argv, "--module")))
			add_image(r, v);
	}
	r->options.actions = (const void *)r->actions->data;
	r->options.n_actions = r->actions->len;
}

static int compare_addresses(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static void describe(struct image *im, struct plan_module *m)
{
	const struct image_function *f;
	size_t n = image_functions(im, &f);
	uint64_t *entries = g_new(uint64_t, n + 1);

	m->path = image_path(im);
	m->n_insns = image_insns(im, &m->insns);
	m->n_entries = 0;
	for (size_t i = 0; i < n; i++)
		if (!f[i].parent)
			entries[m->n_entries++] = f[i].entry;
	qsort(entries, m->n_entries, sizeof *entries, compare_addresses);
	m->entries = entries;
}

static void write_plan(struct request *r, const char *path)
{
	g_autofree struct plan_module *modules = g_new0(struct plan_module, r->images->len);
	g_autofree char *file = g_strconcat(path, "-code", NULL);
	GError *error = NULL;
	struct plan_base *base;

	for (guint i = 0; i < r->images->len; i++)
		describe(g_ptr_array_index(r->images, i), &modules[i]);
	unlink(file); /* of the run before in the same folder */
	base = plan_base_new(modules, r->images->len, file, &error);
	if (!base || !plan_write(base, path, &r->options, &error))
		die(error);
	plan_base_free(base);
	for (guint i = 0; i < r->images->len; i++)
		g_free((void *)modules[i].entries);
}

G_NORETURN static void start(const struct request *r, const char *agent, const char *plan,
			     char **argv)
{
	const char *path = r->options.program;

	if (r->fixed_random)
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
	personality(ADDR_NO_RANDOMIZE);
	if (!r->plain) {
		setenv("LD_PRELOAD", agent, 1);
		setenv(TRACE_PLAN_ENV, plan, 1);
	}
	setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
	if (r->name)
		argv[0] = (char *)(uintptr_t)r->name;
	execv(path, argv);
	perror(path);
	_exit(127);
}

/* Stack guards and mangled pointers come from there. */
static void fix_random(pid_t pid)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/auxv", (int)pid);
	FILE *file;
	uint64_t entry[2];
	int status;

	waitpid(pid, &status, 0);
	file = fopen(path, "r");
	while (file && fread(entry, sizeof entry, 1, file) && entry[0])
		for (unsigned i = 0; entry[0] == AT_RANDOM && i < 2; i++)
			ptrace(PTRACE_POKEDATA, pid, entry[1] + 8 * i,
			       0x1122334455667788 * (i + 1));
	if (file)
		fclose(file);
	ptrace(PTRACE_DETACH, pid, NULL, NULL);
}

static void answer_until_it_ends(struct cage_guard *guard)
{
	struct pollfd fd = { .fd = cage_guard_fd(guard), .events = POLLIN };

	while (poll(&fd, 1, cage_guard_patience(guard, CAGE_GUARD_TICK_MS)) >= 0 &&
	       !(fd.revents & ~POLLIN))
		if (fd.revents)
			cage_guard_answer(guard, fd.revents);
	cage_guard_free(guard);
}

static pid_t start_caged(const struct request *r, const char *agent, const char *plan, char **argv)
{
	struct cage_guard_options options = { .folder = r->options.directory,
					      .out = STDOUT_FILENO,
					      .err = STDERR_FILENO };
	g_auto(GStrv) envp = g_environ_setenv(g_get_environ(), "LD_PRELOAD", agent, TRUE);
	GError *error = NULL;
	struct cage *cage = cage_new(&error);
	struct launch l = { .path = r->options.program,
			    .argv = argv,
			    .in = STDIN_FILENO,
			    .out = STDOUT_FILENO,
			    .err = STDERR_FILENO,
			    .cage = cage,
			    .listener = &options.listener };

	envp = g_environ_setenv(envp, TRACE_PLAN_ENV, plan, TRUE);
	l.envp = envp;
	options.pid = cage ? launch_start(&l, &error) : 0;
	if (!options.pid)
		die(error);
	answer_until_it_ends(cage_guard_new(&options));
	cage_free(cage);
	return options.pid;
}

static int run(const struct request *r, const char *agent, const char *plan, char **argv)
{
	int status;
	pid_t pid = r->caged ? start_caged(r, agent, plan, argv) : fork();

	if (!pid)
		start(r, agent, plan, argv);
	if (pid > 0 && r->fixed_random && !r->caged)
		fix_random(pid);
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		return 2;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static void check_thread(const struct request *r, struct trace_run *record, unsigned number,
			 struct lift *lift)
{
	struct trace_cursor *c = trace_cursor_new(record, number, lift);
	struct trace_step step;
	GError *error = NULL;
	int went;

	trace_cursor_set_check(c, true);
	trace_cursor_set_actions(c, r->options.actions, r->options.n_actions);
	do
		went = trace_cursor_step(c, &step, &error);
	while (went > 0);
	if (went < 0)
		die(error);
	trace_cursor_free(c);
}

static struct trace_run *open_record(const struct request *r, const char *directory)
{
	GError *error = NULL;
	struct trace_run *record = trace_run_open(
		directory, (struct image *const *)r->images->pdata, r->images->len, &error);

	if (!record)
		die(error);
	return record;
}

/* A call leaves some registers as it likes; which ones carry arguments is not
 * known. */
static bool is_kept(const struct trace_step *s, unsigned reg)
{
	const unsigned clobbered = 1u << TRACE_RCX | 0xfu << TRACE_R8;
	const unsigned arguments = 1u << TRACE_RDX | 1u << TRACE_RSI | 1u << TRACE_RDI;

	if (s->enter.why == TRACE_WHY_CALL || s->enter.why == TRACE_WHY_START)
		return !(clobbered >> reg & 1);
	return !((clobbered | arguments) >> reg & 1);
}

static bool same_step(const struct trace_step *a, const struct trace_step *b)
{
	bool same = a->pc == b->pc && a->n_reads == b->n_reads && a->taken == b->taken &&
		    a->exit_kind == b->exit_kind && a->next == b->next && a->native == b->native &&
		    !a->signal == !b->signal;

	for (unsigned i = 0; same && i < a->n_reads; i++)
		same = a->reads[i].address == b->reads[i].address &&
		       a->reads[i].size == b->reads[i].size &&
		       !memcmp(a->reads[i].bytes, b->reads[i].bytes, a->reads[i].size);
	return same;
}

static bool same_registers(const struct trace_cursor *a, const struct trace_cursor *b,
			   const struct trace_step *s)
{
	for (unsigned reg = 0; s->exit_kind == TRACE_EXIT_NATIVE && reg < 16; reg++)
		if (is_kept(s, reg) && trace_cursor_reg(a, reg) != trace_cursor_reg(b, reg)) {
			fprintf(stderr,
				"run-plan: register %u is %#" PRIx64 " and %#" PRIx64 " (%c)\n",
				reg, trace_cursor_reg(a, reg), trace_cursor_reg(b, reg),
				s->enter.why);
			return false;
		}
	return true;
}

static bool compare_thread(struct trace_run *x, struct trace_run *y, unsigned number,
			   struct lift *lift)
{
	struct trace_cursor *a = trace_cursor_new(x, number, lift);
	struct trace_cursor *b = trace_cursor_new(y, number, lift);
	const struct trace_head *h = trace_run_head(x, number), *k = trace_run_head(y, number);
	bool same = h->insns == k->insns && h->end == k->end && h->rip == k->rip &&
		    h->native == k->native && h->actions_done == k->actions_done;
	struct trace_step s, o;
	GError *error = NULL;
	int went, other;

	if (!same)
		fprintf(stderr,
			"run-plan: thread %u ends elsewhere: %" PRIu64 " and %" PRIu64
			" instructions, at %#" PRIx64 " and %#" PRIx64 "\n",
			number, h->insns, k->insns, h->rip, k->rip);
	do {
		went = trace_cursor_step(a, &s, &error);
		other = went < 0 ? -1 : trace_cursor_step(b, &o, &error);
		if (error)
			die(error);
		if (went == other && (!went || (same_step(&s, &o) && same_registers(a, b, &s))))
			continue;
		fprintf(stderr,
			"run-plan: thread %u differs at its instruction %" PRIu64 ", %#" PRIx64
			"\n",
			number, s.number, s.pc);
		went = 0;
		same = false;
	} while (went > 0);
	trace_cursor_free(a);
	trace_cursor_free(b);
	return same;
}

static bool compare(const struct request *r, const char *expected, const char *directory)
{
	struct trace_run *a = open_record(r, expected), *b = open_record(r, directory);
	struct lift *lift = lift_new();
	bool same = trace_run_threads(a) == trace_run_threads(b);

	if (!same)
		fputs("run-plan: not as many threads\n", stderr);
	for (unsigned i = 0; same && i < trace_run_threads(a); i++)
		same = compare_thread(a, b, i, lift);
	trace_run_free(a);
	trace_run_free(b);
	lift_free(lift);
	return same;
}

/* The program is the only child.  Other work on the machine does not count. */
static double cpu_seconds_of_program(void)
{
	struct rusage used = { 0 };

	getrusage(RUSAGE_CHILDREN, &used);
	return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
	       (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
}

static void measure(const struct request *r, const char *directory)
{
	struct trace_run *record = r->plain ? NULL : open_record(r, directory);
	const struct trace_head *h = record ? trace_run_head(record, 0) : NULL;
	FILE *file = fopen(r->measure, "w");

	if (!file ||
	    fprintf(file, "%.6f %" PRIu64 " %" PRIu64 "\n", cpu_seconds_of_program(),
		    h ? h->insns : 0, h ? h->length : 0) < 0 ||
	    fclose(file)) {
		perror(r->measure);
		exit(2);
	}
	trace_run_free(record);
}

static void check(const struct request *r, const char *directory)
{
	struct trace_run *record = open_record(r, directory);
	struct lift *lift = lift_new();
	GError *error = NULL;
	uint64_t checked;

	if (r->check && !r->options.n_actions && !trace_check(record, lift, &checked, &error))
		die(error);
	for (unsigned i = 0; r->check && r->options.n_actions && i < trace_run_threads(record); i++)
		check_thread(r, record, i, lift);
	if (r->actions_done &&
	    trace_run_head(record, 0)->actions_done != strtoull(r->actions_done, NULL, 0)) {
		fprintf(stderr, "run-plan: %" G_GUINT64_FORMAT " actions were done\n",
			trace_run_head(record, 0)->actions_done);
		exit(2);
	}
	trace_run_free(record);
	lift_free(lift);
}

int main(int argc, char **argv)
{
	struct request r = { .options.flags = TRACE_RECORD };
	g_autofree char *plan = NULL, *agent = NULL, *directory = NULL;
	const char *program;
	char **words;
	int status = 0;

	if (argc < 4) {
		fputs("usage: run-plan AGENT DIRECTORY [OPTIONS] PROGRAM [ARGS...]\n", stderr);
		return 2;
	}
	r.images = g_ptr_array_new_with_free_func((GDestroyNotify)image_free);
	r.actions = g_array_new(FALSE, TRUE, sizeof(struct trace_action));
	agent = realpath(argv[1], NULL);
	directory = realpath(argv[2], NULL);
	words = parse(&r, argv + 3);
	add_image(&r, *words);
	parse_actions(&r, argv + 3);
	program = image_path(g_ptr_array_index(r.images, 0));
	r.options.program = program;
	r.options.directory = directory;
	plan = g_build_filename(directory, "plan", NULL);
	write_plan(&r, plan);
	if (!r.plan_only)
		status = run(&r, agent, plan, words);
	if (r.measure)
		measure(&r, directory);
	if (r.check || r.actions_done)
		check(&r, directory);
	if (r.same_as && !compare(&r, r.same_as, directory))
		status = 2;
	g_ptr_array_unref(r.images);
	g_array_unref(r.actions);
	return status;
}
