/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From LD_PRELOAD to "all is ready": runs before any constructor of the program. */
#include "gdbext/agent/agent.h"

#include "gdbext/agent/sys.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PLAN_ADDRESS 0x1c0000000000u

struct agent agent;

extern char **environ;

/* The variable's place in environ, NULL when it is not set. */
static char **find_environment_variable(const char *name)
{
	size_t n = strlen(name);

	for (char **e = environ; e && *e; e++)
		if (!strncmp(*e, name, n) && (*e)[n] == '=')
			return e;
	return NULL;
}

static void remove_variable(const char *name)
{
	char **e = find_environment_variable(name);

	for (; e && *e; e++)
		e[0] = e[1];
}

/* Works in place: nothing is allocated, and nothing else moves. */
static void restore_environment(void)
{
	static char kept[4096];
	static const char name[] = "LD_PRELOAD";
	const char *preload = in_plan(agent.plan->preload);
	char **e = find_environment_variable(name);
	size_t n = preload ? strlen(preload) + 1 : 0;

	remove_variable(TRACE_PLAN_ENV);
	e = find_environment_variable(name);
	if (!e)
		return;
	if (!preload) {
		remove_variable(name);
		return;
	}
	if (strlen(*e + sizeof name) + 1 < n) {
		if (n + sizeof name > sizeof kept)
			return;
		memcpy(kept, *e, sizeof name);
		*e = kept;
	}
	memcpy(*e + sizeof name, preload, n);
}

/* ---- the plan ---- */

/* Closes fd.  least: the file's size; NULL when it is less, or cannot be mapped there. */
static const void *map_shared(uint64_t address, int fd, uint64_t least)
{
	uint64_t size = fd < 0 ? 0 : sys_file_size(fd);
	const void *mapped = NULL;

	if (size >= least)
		mapped = sys_map_at(address, size, PROT_READ, MAP_SHARED, fd, 0);
	if (fd >= 0)
		sys_close(fd);
	return mapped;
}

/* Goes to the path; 0 = the plan is not open. */
static int read_plan_number(const char **value)
{
	int number = 0;

	for (; **value >= '0' && **value <= '9'; ++*value)
		number = number * 10 + **value - '0';
	return number;
}

static const struct trace_plan *map_plan(const char *path)
{
	int handed = read_plan_number(&path), base;
	const struct trace_plan *plan =
		map_shared(PLAN_ADDRESS, handed ? handed : sys_open(path, O_RDWR, 0), sizeof *plan);

	if (!plan || memcmp(plan->magic, TRACE_PLAN_MAGIC, sizeof plan->magic) != 0 ||
	    plan->version != TRACE_VERSION || !plan->base)
		return NULL;
	handed_begin(plan);
	if (handed)
		handed_take(TRACE_HANDED_PLAN); /* closed */
	base = handed_take(TRACE_HANDED_BASE);
	if (base < 0)
		base = sys_open((const char *)plan + plan->base, O_RDONLY, 0);
	return map_shared(PLAN_ADDRESS + TRACE_PLAN_BASE, base, 1) ? plan : NULL;
}

static bool is_this_program(const struct trace_plan *plan)
{
	char path[4096];
	ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);

	if (n < 0 || !plan->program)
		return false;
	path[n] = '\0';
	return !strcmp(path, (const char *)plan + plan->program);
}

/* We write to its head as well. */
static struct trace_plan *open_head(const struct trace_plan *plan)
{
	bool done = !sys3(SYS_mprotect, (long)plan, sizeof *plan, PROT_READ | PROT_WRITE);

	return done ? (struct trace_plan *)(uintptr_t)plan : NULL;
}

static void close_head(const struct trace_plan *plan)
{
	sys3(SYS_mprotect, (long)plan, sizeof *plan, PROT_READ);
}

/* The first process that comes here gets it. */
static bool claim_plan(const struct trace_plan *plan)
{
	uint32_t nobody = 0, me = (uint32_t)getpid();
	struct trace_plan *head = open_head(plan);
	bool done = head && __atomic_compare_exchange_n(&head->claimed, &nobody, me, false,
							__ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);

	close_head(plan);
	return done;
}

static bool take_plan(void)
{
	char **variable = find_environment_variable(TRACE_PLAN_ENV);
	const char *path = variable ? *variable + sizeof TRACE_PLAN_ENV : NULL;
	const struct trace_plan *plan = path ? map_plan(path) : NULL;

	if (!plan)
		return false;
	if (!is_this_program(plan) || (!(plan->flags & TRACE_COUNT) && !claim_plan(plan)))
		return false;
	agent.plan = plan;
	agent.asked = (struct agent_request){ in_plan(plan->actions), plan->n_actions, plan->flags,
					      plan->max_insns, 0 };
	follow_start();
	return true;
}

/* ---- the rest ---- */

static bool redirect_descriptor(int to, uint64_t file, int flags)
{
	const char *path = in_plan(file);
	int fd = path ? open(path, flags | O_CLOEXEC, 0600) : -1;

	if (!path)
		return true;
	if (fd < 0 || dup2(fd, to) < 0)
		return false;
	close(fd);
	return true;
}

static bool redirect_all(void)
{
	const struct trace_plan *p = agent.plan;
	const char *out = in_plan(p->out), *err = in_plan(p->err);

	if (!redirect_descriptor(STDIN_FILENO, p->in, O_RDONLY) ||
	    !redirect_descriptor(STDOUT_FILENO, p->out, O_WRONLY | O_CREAT | O_TRUNC))
		return false;
	if (out && err && !strcmp(out, err))
		return dup2(STDOUT_FILENO, STDERR_FILENO) >= 0;
	return redirect_descriptor(STDERR_FILENO, p->err, O_WRONLY | O_CREAT | O_TRUNC);
}

static bool find_thread_pointer(void)
{
	uint64_t pointer;

	__asm__("mov %%fs:0,%0" : "=r"(pointer));
	agent.tp_inside = (int32_t)((uint64_t)&agent_tls.inside - pointer);
	agent.tp_common = (int32_t)((uint64_t)&agent_tls.common - pointer);
	return (uint64_t)&agent_tls.inside == pointer + (uint64_t)(int64_t)agent.tp_inside;
}

static bool make_sigreturn_stub(void)
{
	uint8_t *stub = far_map(4096, PROT_READ | PROT_WRITE | PROT_EXEC, -1);

	if (stub)
		emit_stub(stub, INSIDE_SIGRETURN);
	agent.sigreturn_stub = (uint64_t)stub;
	return stub;
}

void agent_note_code(enum trace_own_code what)
{
	struct trace_plan *head = open_head(agent.plan);

	if (!head)
		return;
	if (head->own_code < what)
		head->own_code = what;
	close_head(agent.plan);
}

void agent_note_fork(uint32_t number, int32_t pid)
{
	struct trace_plan *head = number <= TRACE_MAX_FORKS ? open_head(agent.plan) : NULL;

	if (!head)
		return;
	head->forks[number - 1] = (struct trace_fork){ pid, 0 };
	if (head->n_forks < number)
		head->n_forks = number;
	close_head(agent.plan);
}

void agent_note_end(int32_t pid, int32_t status)
{
	struct trace_plan *head = open_head(agent.plan);

	for (uint32_t i = 0; head && i < head->n_forks; i++)
		if (head->forks[i].pid == pid)
			head->forks[i].status = status;
	if (head)
		close_head(agent.plan);
}

/* The controller compares the rest of the code with the files. */
static void tell_patched(void)
{
	struct trace_plan *head = open_head(agent.plan);

	if (!head)
		return;
	for (uint32_t i = 0; i < agent.n_modules; i++)
		head->patched[i] = (uint64_t)agent.modules[i].taken;
	close_head(agent.plan);
}

/* The controller reads it in the plan. */
void agent_give_up(enum trace_gave_up why, const char *what)
{
	struct trace_plan *head = agent.plan ? open_head(agent.plan) : NULL;

	if (head)
		head->gave_up = why;
	else
		sys_say("the program cannot be recorded: ", what);
	sys_exit(127);
}

static void start_counting(void)
{
	char **variable = find_environment_variable(COUNTS_ENV);

	agent.counting = agent.child = true;
	if (!variable || !counts_start(*variable + sizeof COUNTS_ENV))
		agent_give_up(TRACE_GAVE_UP_PROFILE, "GDB_WHY_PROFILE does not name a file");
}

/* After this there is nothing to do; the program goes on as if there were no plan. */
static void start_native(void)
{
	if (!code_edit())
		agent_give_up(TRACE_GAVE_UP_CODE, "its code may not be changed");
	agent.plan = NULL;
}

/* The kernel puts the arguments' texts behind each other, and the environment behind argv. */
static void note_arguments(struct trace_start *to, int argc, char **argv)
{
	const char *end =
		argc > 0 && argv[argc - 1] ? argv[argc - 1] + strlen(argv[argc - 1]) + 1 : NULL;
	uint64_t array = ((uint64_t)argc + 1) * sizeof *argv, texts; /* with the NULL behind it */

	if (!end || end < argv[0] || argv[argc])
		return;
	texts = (uint64_t)(end - argv[0]);
	array = array < sizeof to->bytes ? array : sizeof to->bytes;
	texts = texts < sizeof to->bytes - array ? texts : sizeof to->bytes - array;
	to->array = (uint64_t)argv;
	to->texts = (uint64_t)argv[0];
	to->n_array = (uint32_t)array;
	to->n_texts = (uint32_t)texts;
	memcpy(to->bytes, argv, array);
	memcpy(to->bytes + array, argv[0], texts);
}

static void start_as_planned(int argc, char **argv)
{
	if (agent.plan->flags & TRACE_COUNT)
		start_counting(); /* the environment stays, for what the program executes */
	else
		restore_environment();
	vector_start();
	if (!redirect_all())
		agent_give_up(TRACE_GAVE_UP_FILES, "its standard files cannot be opened");
	if (agent.plan->flags & TRACE_NATIVE) {
		start_native();
		return;
	}
	if (!find_thread_pointer() || !make_sigreturn_stub() || !modules_find())
		agent_give_up(TRACE_GAVE_UP_MAPPING, "its code cannot be mapped once more");
	if (!code_edit_recorded())
		agent_give_up(TRACE_GAVE_UP_CODE, "its code may not be changed");
	agent.jit = agent.plan->flags & TRACE_JIT;
	if (agent.jit)
		jit_start();
	if (!thread_new())
		agent_give_up(TRACE_GAVE_UP_RECORD, "the record cannot be made");
	note_arguments((void *)((uint8_t *)head_of(agent.threads[0]) + TRACE_START_OFFSET), argc,
		       argv);
	signals_start();
	if (!process_start() || !modules_patch())
		agent_give_up(TRACE_GAVE_UP_CODE, "its code may not be changed");
	tell_patched();
	agent_describe();
}

/* libc gives its constructors what it gives to main. */
__attribute__((constructor)) static void start(int argc, char **argv)
{
	if (take_plan())
		start_as_planned(argc, argv);
	handed_end();
}
