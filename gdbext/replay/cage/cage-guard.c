/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/replay/cage/cage-guard.h"

#include "gdbext/replay/cage/cage-children.h"
#include "gdbext/replay/cage/cage-open.h"
#include "gdbext/replay/cage/cage-path.h"
#include "gdbext/replay/cage/cage-wait.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/pidfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define BLOCK 512		  /* of st_blocks */
#define MANY_IN_MEMORY 256	  /* files: then it is looked for those that are closed */
#define MOST_THREADS 4096	  /* as many as can be recorded */
#define SOCKET_HOLDS (256u << 10) /* bytes that wait in it, at most, where nobody raises that */
#define PIPE_HOLDS (64u << 10)
#define WAITS_MS 1    /* how often waits are looked at, */
#define WAITS_A_MS 32 /* and how many of them at most */
/* Linux 6.6: who asks and who answers take turns on one processor, which halves the cost. */
#define NOTIF_SET_FLAGS SECCOMP_IOW(4, __u64)
#define NOTIF_SYNC_WAKE_UP 1ul
#define PIDFD_THREAD_FLAG O_EXCL /* Linux 6.9 */
#define FORK_WITHOUT_A_SIGNAL 0	 /* flags of clone: how gdbext/agent/process/serve.c forks */

struct cage_guard {
	struct cage_guard_options is;
	bool serving; /* it may fork */
	struct cage_files files;
	GArray *waits; /* struct cage_wait */
	struct cage_children children;
	struct seccomp_notif_sizes sizes;
	struct seccomp_notif *request;
	struct seccomp_notif_resp *response;
};

/* The run may be about to read where it may run. */
static void part_from_run(void *guard)
{
	cage_guard_part(guard);
}

static void take_output_file(struct cage_guard *g)
{
	const char *path = g->is.output_file;
	g_autofree char *parent = path ? g_path_get_dirname(path) : NULL;
	struct stat st;

	if (!path || stat(parent, &st))
		return;
	g->files.output_name = strrchr(path, '/') + 1;
	g->files.output_dev = st.st_dev;
	g->files.output_ino = st.st_ino;
	g->files.output_before = g->is.output_before;
}

struct cage_guard *cage_guard_new(const struct cage_guard_options *options)
{
	struct cage_guard *g = g_new0(struct cage_guard, 1);
	const int outputs[] = { options->out, options->err };

	g->is = *options;
	g->files.folder = g_strdup(options->folder);
	g->files.folder_fd = open(options->folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	g->files.in_memory = g_array_new(FALSE, FALSE, sizeof(int));
	g->waits = g_array_new(FALSE, FALSE, sizeof(struct cage_wait));
	cage_children_init(&g->children);
	g->files.room = options->memory ? options->memory / 2 : UINT64_MAX;
	g->files.server = options->serves ? options->pid : 0;
	g->files.until = options->until;
	g->files.hidden = options->hidden;
	g->files.before_proc = part_from_run;
	g->files.data = g;
	for (size_t i = 0; i < G_N_ELEMENTS(outputs); i++) {
		struct stat st;

		if (fstat(outputs[i], &st))
			continue;
		g->files.out_dev[i] = st.st_dev;
		g->files.out_ino[i] = st.st_ino;
	}
	take_output_file(g);
	/* The kernel's may be longer than ours. */
	if (syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &g->sizes))
		g->sizes = (struct seccomp_notif_sizes){ 0 };
	g->sizes.seccomp_notif = (uint16_t)MAX(g->sizes.seccomp_notif, sizeof *g->request);
	g->sizes.seccomp_notif_resp =
		(uint16_t)MAX(g->sizes.seccomp_notif_resp, sizeof *g->response);
	/* Where this fails, questions are slower. */
	ioctl(options->listener, NOTIF_SET_FLAGS, NOTIF_SYNC_WAKE_UP);
	g->request = g_malloc0(g->sizes.seccomp_notif);
	g->response = g_malloc0(g->sizes.seccomp_notif_resp);
	return g;
}

static void forget_in_memory(struct cage_guard *g, guint i)
{
	close(g_array_index(g->files.in_memory, int, i));
	g_array_remove_index_fast(g->files.in_memory, i);
}

void cage_guard_forget(struct cage_guard *g)
{
	while (g->files.in_memory->len)
		forget_in_memory(g, 0);
	g_array_set_size(g->waits, 0);
	cage_children_forget(&g->children);
}

void cage_guard_part(struct cage_guard *g)
{
	together_end(&g->is.together, g->is.pid);
}

void cage_guard_free(struct cage_guard *g)
{
	if (!g)
		return;
	together_end(&g->is.together, 0);
	cage_guard_forget(g);
	g_array_free(g->files.in_memory, TRUE);
	g_array_free(g->waits, TRUE);
	cage_children_clear(&g->children);
	if (g->files.folder_fd >= 0)
		close(g->files.folder_fd);
	if (g->is.listener >= 0)
		close(g->is.listener);
	g_free((char *)(uintptr_t)g->files.folder);
	g_free(g->request);
	g_free(g->response);
	g_free(g);
}

void cage_guard_serve(struct cage_guard *g)
{
	g->serving = g->is.serves;
}

bool cage_guard_gave_files(const struct cage_guard *g)
{
	return g->files.in_memory->len;
}

bool cage_guard_took_plan(const struct cage_guard *g)
{
	return g->files.plan_taken;
}

bool cage_guard_is_output(const struct cage_guard *g, const struct stat *st)
{
	for (int i = 0; i < 2; i++)
		if (g->files.out_dev[i] == st->st_dev && g->files.out_ino[i] == st->st_ino)
			return true;
	return false;
}

bool cage_guard_is_pipe(const struct cage_guard *g, const struct stat *st)
{
	static const char *const names[] = { "ask", "answer" };
	struct stat own;

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
		if (!fstatat(g->files.folder_fd, names[i], &own, AT_SYMLINK_NOFOLLOW) &&
		    own.st_dev == st->st_dev && own.st_ino == st->st_ino)
			return true;
	return false;
}

int cage_guard_fd(const struct cage_guard *g)
{
	return g->is.listener;
}

/* ---- answers ---- */

/* The call returns this: a value, or minus the error. */
static void reply_to(struct cage_guard *g, uint64_t id, int64_t result)
{
	memset(g->response, 0, g->sizes.seccomp_notif_resp);
	g->response->id = id;
	g->response->error = result < 0 ? (int32_t)result : 0;
	g->response->val = result < 0 ? 0 : result;
	ioctl(g->is.listener, SECCOMP_IOCTL_NOTIF_SEND, g->response);
}

static void reply_to_request(struct cage_guard *g, int64_t result)
{
	reply_to(g, g->request->id, result);
}

/* The kernel does it.  Only for calls whose meaning is all in registers: memory may be changed
 * by another thread after we looked. */
static void let_pass(struct cage_guard *g)
{
	memset(g->response, 0, g->sizes.seccomp_notif_resp);
	g->response->id = g->request->id;
	g->response->flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
	ioctl(g->is.listener, SECCOMP_IOCTL_NOTIF_SEND, g->response);
}

/* The call returns a new descriptor for what fd is; fd is closed here. */
static void give_descriptor(struct cage_guard *g, int fd, bool close_on_exec)
{
	struct seccomp_notif_addfd add = { .id = g->request->id,
					   .flags = SECCOMP_ADDFD_FLAG_SEND,
					   .srcfd = (uint32_t)fd,
					   .newfd_flags = close_on_exec ? O_CLOEXEC : 0 };

	if (fd < 0)
		reply_to_request(g, fd);
	else if (ioctl(g->is.listener, SECCOMP_IOCTL_NOTIF_ADDFD, &add) < 0 && errno != ENOENT)
		reply_to_request(g, -errno); /* it has too many open */
	if (fd >= 0)
		close(fd);
}

/* Signals reach only the process that sends them; signal 0 only asks. */
static bool may_signal(pid_t thread, const struct seccomp_data *call)
{
	pid_t to = (pid_t)call->args[0];
	bool by_thread = call->nr == SYS_tgkill || call->nr == SYS_rt_tgsigqueueinfo;
	int signo = (int)call->args[by_thread ? 2 : 1];

	if (call->nr == SYS_tkill)
		return cage_is_same_process(thread, to) || !signo;
	return cage_is_same_process(to, thread) || (!signo && to > 0);
}

static void answer_open(struct cage_guard *g, int at, uint64_t path, int flags)
{
	int fd = cage_open(&g->files, (pid_t)g->request->pid, at, path, flags);

	/* Should the thread be gone and its number another's by now, nobody gets what we opened. */
	give_descriptor(g, fd, flags & O_CLOEXEC);
}

/* A descriptor of ours for what is open there.  The filter lets no thread have descriptors of its
 * own; newer kernels could look at these, too. */
static int take_descriptor(pid_t thread, int theirs)
{
	int of = pidfd_open(thread, PIDFD_THREAD_FLAG), ours;

	if (of < 0)
		of = pidfd_open(cage_process_of(thread), 0);
	if (of < 0)
		return -1;
	ours = pidfd_getfd(of, theirs, 0);
	close(of);
	return ours;
}

/* Is it the fork server itself, between two runs? */
static bool is_server(const struct cage_guard *g, pid_t thread)
{
	return g->serving && thread == g->is.pid;
}

/* fcntl(F_SETFL), done here and on what we looked at.  O_NOATIME stays: by it, the guard keeps
 * the access times of the user's files.  The fork server puts back what was before a run. */
static void answer_set_flags(struct cage_guard *g, int theirs, int flags)
{
	int ours = take_descriptor((pid_t)g->request->pid, theirs);
	int now = ours < 0 ? -1 : fcntl(ours, F_GETFL);
	int kept = is_server(g, (pid_t)g->request->pid) ? 0 : now & O_NOATIME;
	int bad = now < 0 || fcntl(ours, F_SETFL, flags | kept) ? errno : 0;

	if (ours >= 0)
		close(ours);
	reply_to_request(g, -bad);
}

static void begin_wait(struct cage_guard *g)
{
	struct cage_wait wait;
	int bad = cage_wait_begin(g->request, &wait);

	if (bad)
		reply_to_request(g, bad);
	else
		g_array_append_val(g->waits, wait);
}

static void end_waits(struct cage_guard *g)
{
	for (guint i = g->waits->len; i-- > 0;) {
		const struct cage_wait wait = g_array_index(g->waits, struct cage_wait, i);
		int result;

		if (!cage_wait_is_over(&wait, &result))
			continue;
		reply_to(g, wait.id, result);
		g_array_remove_index_fast(g->waits, i);
	}
}

int cage_guard_patience(struct cage_guard *g, int ms)
{
	end_waits(g);
	if (g->waits->len)
		ms = MIN(ms, WAITS_MS + (int)g->waits->len / WAITS_A_MS);
	return g->is.together.holds ? MIN(ms, TOGETHER_MS) : ms;
}

/* ---- processes ---- */

static void answer_start(struct cage_guard *g)
{
	int pid = g->is.started ? cage_children_add(&g->children) : -EAGAIN;

	if (pid > 0)
		++*g->is.started;
	reply_to_request(g, pid);
}

static void answer_clone(struct cage_guard *g)
{
	if (is_server(g, (pid_t)g->request->pid) &&
	    g->request->data.args[0] == FORK_WITHOUT_A_SIGNAL)
		let_pass(g);
	else if (cage_children_starts(g->request))
		answer_start(g);
	else
		reply_to_request(g, -EAGAIN);
}

static void answer_wait(struct cage_guard *g)
{
	int result;

	if (cage_children_wait(&g->children, g->request, g->is.listener, &result))
		reply_to_request(g, result);
	else
		let_pass(g);
}

static void answer_signal(struct cage_guard *g)
{
	const struct seccomp_data *call = &g->request->data;

	if (call->nr == SYS_kill && cage_children_only_seem((int)call->args[0]))
		reply_to_request(g, 0);
	else if (may_signal((pid_t)g->request->pid, call))
		let_pass(g);
	else
		reply_to_request(g, -EPERM);
}

static void answer_call(struct cage_guard *g)
{
	const struct seccomp_data *call = &g->request->data;

	switch (call->nr) {
	case SYS_open:
		answer_open(g, AT_FDCWD, call->args[0], (int)call->args[1]);
		return;
	case SYS_openat:
		answer_open(g, (int)call->args[0], call->args[1], (int)call->args[2]);
		return;
	case SYS_creat:
		answer_open(g, AT_FDCWD, call->args[0], O_WRONLY | O_CREAT | O_TRUNC);
		return;
	case SYS_memfd_create:
		give_descriptor(g, cage_open_memory(&g->files, (unsigned)call->args[1]),
				call->args[1] & 1 /* MFD_CLOEXEC */);
		return;
	case SYS_kill:
	case SYS_tkill:
	case SYS_tgkill:
	case SYS_rt_sigqueueinfo:
	case SYS_rt_tgsigqueueinfo:
		answer_signal(g);
		return;
	case SYS_sched_getaffinity:
		cage_guard_part(g);
		let_pass(g);
		return;
	case SYS_futex:
		begin_wait(g);
		return;
	case SYS_fcntl:
		answer_set_flags(g, (int)call->args[0], (int)call->args[2]);
		return;
	case SYS_clone:
	case SYS_vfork:
		answer_clone(g);
		return;
	case SYS_wait4:
	case SYS_waitid:
		answer_wait(g);
		return;
	default:
		reply_to_request(g, -ENOSYS);
	}
}

/* ---- the account ---- */

static uint64_t bytes_of_file(int fd)
{
	struct stat st;

	return fstat(fd, &st) ? 0 : (uint64_t)st.st_blocks * BLOCK;
}

static uint64_t bytes_in_memory(const struct cage_guard *g)
{
	uint64_t all = 0;

	for (guint i = 0; i < g->files.in_memory->len; i++)
		all += bytes_of_file(g_array_index(g->files.in_memory, int, i));
	return all;
}

static bool is_output_too_long(const struct cage_guard *g, const struct stat *st)
{
	return g->is.output && cage_guard_is_output(g, st) &&
	       (uint64_t)st->st_blocks * BLOCK > g->is.output;
}

/* Are the files in its folder too long, one of them or all together? */
static bool is_within_disk(const struct cage_guard *g)
{
	int fd = openat(g->files.folder_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	bool within = true;
	uint64_t all = 0;

	if (!dir && fd >= 0)
		close(fd);
	while (dir && (entry = readdir(dir))) {
		struct stat st;

		if (fstatat(fd, entry->d_name, &st, AT_SYMLINK_NOFOLLOW))
			continue;
		all += (uint64_t)st.st_blocks * BLOCK;
		within = within && !is_output_too_long(g, &st);
	}
	if (dir)
		closedir(dir);
	return within && all <= g->is.disk;
}

/* The process that runs: of a fork server its one child. */
static pid_t running_process(const struct cage_guard *g)
{
	g_autofree char *path =
		g_strdup_printf("/proc/%d/task/%d/children", (int)g->is.pid, (int)g->is.pid);
	g_autofree char *text = NULL;

	if (g->serving && g_file_get_contents(path, &text, NULL, NULL) && atoi(text) > 0)
		return atoi(text);
	return g->is.pid;
}

/* Has the run the file open or mapped still?  Where that cannot be seen, it has. */
static bool is_held(const struct cage_guard *g, int fd)
{
	pid_t pid = running_process(g);
	g_autofree char *fds = g_strdup_printf("/proc/%d/fd", (int)pid);
	g_autofree char *maps = g_strdup_printf("/proc/%d/maps", (int)pid);
	g_autofree char *text = NULL, *inode = NULL;
	DIR *dir = opendir(fds);
	struct dirent *entry;
	struct stat ours, st;
	bool held = !dir || fstat(fd, &ours);

	while (!held && (entry = readdir(dir)))
		held = !fstatat(dirfd(dir), entry->d_name, &st, 0) && st.st_dev == ours.st_dev &&
		       st.st_ino == ours.st_ino;
	if (dir)
		closedir(dir);
	if (held || !g_file_get_contents(maps, &text, NULL, NULL))
		return true;
	inode = g_strdup_printf(" %lu ", (unsigned long)ours.st_ino);
	return strstr(text, inode);
}

static void forget_what_is_closed(struct cage_guard *g)
{
	for (guint i = g->files.in_memory->len; i > 0; i--)
		if (!is_held(g, g_array_index(g->files.in_memory, int, i - 1)))
			forget_in_memory(g, i - 1);
}

/* A number of /proc/PID/status, 0 = not known. */
static uint64_t status_number(const char *status, const char *name)
{
	const char *line = status ? strstr(status, name) : NULL;

	return line ? strtoull(line + strlen(name), NULL, 10) : 0;
}

/* What its sockets and pipes may hold.  All of its threads have the same descriptors. */
static uint64_t bytes_in_queues(pid_t pid)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/fd", (int)pid);
	DIR *dir = opendir(path);
	struct dirent *entry;
	uint64_t all = 0;

	while (dir && (entry = readdir(dir))) {
		struct stat st;

		if (fstatat(dirfd(dir), entry->d_name, &st, 0))
			continue;
		all += S_ISSOCK(st.st_mode) ? SOCKET_HOLDS : S_ISFIFO(st.st_mode) ? PIPE_HOLDS : 0;
	}
	if (dir)
		closedir(dir);
	return all;
}

static bool is_within_memory(struct cage_guard *g, const char *status, pid_t pid)
{
	/* As long as it has room for few descriptors only, none of them is looked at. */
	bool many = status_number(status, "\nFDSize:") > g->is.memory / SOCKET_HOLDS;
	uint64_t queued = many ? bytes_in_queues(pid) : 0;

	if (queued + bytes_in_memory(g) <= g->is.memory / 2)
		return true;
	forget_what_is_closed(g);
	return queued + bytes_in_memory(g) <= g->is.memory;
}

bool cage_guard_is_within(struct cage_guard *g)
{
	pid_t pid = running_process(g);
	g_autofree char *path = g_strdup_printf("/proc/%d/status", (int)pid);
	g_autofree char *status = NULL;

	if (!g_file_get_contents(path, &status, NULL, NULL))
		status = NULL;
	if (g->is.memory && !is_within_memory(g, status, pid))
		return false;
	if (g->is.disk && !is_within_disk(g))
		return false;
	return status_number(status, "\nThreads:") <= MOST_THREADS;
}

void cage_guard_answer(struct cage_guard *g, short events)
{
	if (!(events & POLLIN)) {
		if (events) { /* its process is being taken apart, which takes a while */
			close(g->is.listener);
			g->is.listener = -1;
		}
		return;
	}
	if (g->files.in_memory->len > MANY_IN_MEMORY)
		forget_what_is_closed(g);
	memset(g->request, 0, g->sizes.seccomp_notif); /* the kernel insists */
	if (!ioctl(g->is.listener, SECCOMP_IOCTL_NOTIF_RECV, g->request))
		answer_call(g);
}
