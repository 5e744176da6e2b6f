/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/world.h"

#include "gdbext/replay/folder.h"

#include "tests/cage/attack.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <arpa/inet.h>
#include <glib.h>
#include <limits.h>
#include <linux/futex.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <termios.h>

#define WAITED_SIZE 4096
#define CHECKED(call)                                                 \
	__extension__({                                               \
		__typeof__(call) result_ = (call);                    \
		if (result_ < 0)                                      \
			fail_msg("%s: %s", #call, g_strerror(errno)); \
		result_;                                              \
	})

static char *in(const struct world_of_attacks *w, const char *name)
{
	return g_build_filename(w->folder, name, NULL);
}

static void put_at(int fd, int at)
{
	assert_int_equal(CHECKED(dup2(fd, at)), at);
	close(fd);
}

static void make_files(struct world_of_attacks *w)
{
	g_autofree char *file = in(w, "file"), *link = in(w, "link"), *pipe_name = in(w, "pipe");
	g_autofree char *folder = in(w, "folder"), *written = in(w, "written");
	const struct timespec then[2] = { { 1000000000, 5 }, { 1000000000, 7 } };

	assert_true(g_file_set_contents(file, "data\n", -1, NULL));
	assert_true(g_file_set_contents(written, "inherited\n", -1, NULL));
	CHECKED(chmod(file, 0640));
	setxattr(file, "user.test", "value", 5, 0); /* where the file system has them */
	CHECKED(symlink("file", link));
	CHECKED(mkfifo(pipe_name, 0600));
	CHECKED(mkdir(folder, 0700));
	CHECKED(utimensat(AT_FDCWD, file, then, 0));
	w->pipe = CHECKED(open(pipe_name, O_RDWR | O_NONBLOCK | O_CLOEXEC));
	assert_int_equal(write(w->pipe, "waiting", 7), 7);
	put_at(CHECKED(open(file, O_RDONLY)), FD_READ);
	CHECKED(lseek(FD_READ, 3, SEEK_SET));
	put_at(CHECKED(open(written, O_RDWR)), FD_WRITE);
	CHECKED(lseek(FD_WRITE, 2, SEEK_SET));
	put_at(CHECKED(open(folder, O_RDONLY | O_DIRECTORY)), FD_FOLDER);
}

static void make_ends(struct world_of_attacks *w)
{
	struct sockaddr_un name = { .sun_family = AF_UNIX };
	struct sockaddr_in here = { .sin_family = AF_INET };
	int pair[2];

	here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	g_snprintf(name.sun_path, sizeof name.sun_path, "%s/socket", w->folder);
	w->udp = CHECKED(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
	CHECKED(bind(w->udp, (struct sockaddr *)&here, sizeof here));
	w->unix_socket = CHECKED(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
	CHECKED(bind(w->unix_socket, (struct sockaddr *)&name, sizeof name));
	CHECKED(pipe2(w->pipe_ends, O_CLOEXEC));
	assert_int_equal(write(w->pipe_ends[1], "unread", 6), 6);
	put_at(CHECKED(dup(w->pipe_ends[0])), FD_PIPE);
	CHECKED(socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
	w->other_end = CHECKED(fcntl(pair[1], F_DUPFD_CLOEXEC, 3));
	close(pair[1]);
	assert_int_equal(write(w->other_end, "unread", 6), 6);
	put_at(pair[0], FD_SOCKET);
}

static void make_counters(void)
{
	const struct itimerspec later = { .it_value = { 100000, 0 } };
	struct epoll_event event = { .events = EPOLLIN };
	int memory = CHECKED(memfd_create("shared", MFD_CLOEXEC | MFD_ALLOW_SEALING));

	assert_int_equal(write(memory, "shared\n", 7), 7);
	put_at(memory, FD_MEMORY);
	put_at(CHECKED(eventfd(3, EFD_CLOEXEC | EFD_NONBLOCK)), FD_EVENT);
	put_at(CHECKED(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC)), FD_TIMER);
	CHECKED(timerfd_settime(FD_TIMER, 0, &later, NULL));
	put_at(CHECKED(epoll_create1(EPOLL_CLOEXEC)), FD_EPOLL);
	CHECKED(epoll_ctl(FD_EPOLL, EPOLL_CTL_ADD, FD_EVENT, &event));
}

static int waiting_at(int fd)
{
	int n = 0;

	return ioctl(fd, FIONREAD, &n) ? 0 : n;
}

static void make_terminal(struct world_of_attacks *w)
{
	w->terminal = CHECKED(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK));
	CHECKED(grantpt(w->terminal));
	CHECKED(unlockpt(w->terminal));
	put_at(CHECKED(open(ptsname(w->terminal), O_RDWR | O_NOCTTY)), FD_TERMINAL);
	assert_int_equal(write(w->terminal, "typed\n", 6), 6);
	/* The kernel brings it to the other end, and its echo back, a little later. */
	while (waiting_at(FD_TERMINAL) < 6 || waiting_at(w->terminal) < 7)
		g_usleep(1000);
}

/* A place in a file where processes can wait for each other. */
static uint32_t *make_waited(const struct world_of_attacks *w)
{
	g_autofree char *path = in(w, "waited");
	int fd = CHECKED(open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600));
	uint32_t *waited;

	CHECKED(ftruncate(fd, WAITED_SIZE));
	waited = mmap(NULL, WAITED_SIZE, PROT_READ, MAP_SHARED, fd, 0);
	assert_ptr_not_equal(waited, MAP_FAILED);
	close(fd);
	return waited;
}

static void make_others(struct world_of_attacks *w)
{
	g_autofree char *numbers = in(w, "numbers"), *text = NULL;
	struct sockaddr_in bound;
	socklen_t size = sizeof bound;
	sigset_t all, before;

	w->waited = make_waited(w);
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	w->victim = CHECKED(fork());
	if (!w->victim) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;) /* what is sent stays to be seen */
			syscall(SYS_futex, w->waited, FUTEX_WAIT, 0, NULL, NULL, 0);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	w->shm = CHECKED(shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600));
	w->msg = CHECKED(msgget(IPC_PRIVATE, IPC_CREAT | 0600));
	w->sem = CHECKED(semget(IPC_PRIVATE, 1, IPC_CREAT | 0600));
	CHECKED(getsockname(w->udp, (struct sockaddr *)&bound, &size));
	text = g_strdup_printf("%d %d %d %d %d %s\n", (int)w->victim, ntohs(bound.sin_port), w->shm,
			       w->msg, w->sem, ptsname(w->terminal));
	assert_true(g_file_set_contents(numbers, text, -1, NULL));
}

void world_init(struct world_of_attacks *w)
{
	w->folder = g_dir_make_tmp("why-world-XXXXXX", NULL);
	assert_non_null(w->folder);
	w->input = g_strconcat(w->folder, ".input", NULL);
	assert_true(g_file_set_contents(w->input, "\n", -1, NULL));
	make_files(w);
	make_ends(w);
	make_counters();
	make_terminal(w);
	make_others(w);
	CHECKED(chdir(w->folder));
}

void world_deinit(struct world_of_attacks *w)
{
	const int fds[] = { w->terminal,  w->pipe,	   w->udp,	   w->unix_socket,
			    w->other_end, w->pipe_ends[0], w->pipe_ends[1] };

	for (size_t i = 0; i < G_N_ELEMENTS(fds); i++)
		close(fds[i]);
	for (int fd = FD_READ; fd <= FD_LAST; fd++)
		close(fd);
	kill(w->victim, SIGKILL);
	waitpid(w->victim, NULL, 0);
	munmap(w->waited, WAITED_SIZE);
	shmctl(w->shm, IPC_RMID, NULL);
	msgctl(w->msg, IPC_RMID, NULL);
	semctl(w->sem, 0, IPC_RMID);
	folder_remove(w->folder);
	unlink(w->input);
	g_free(w->folder);
	g_free(w->input);
}

/* ---- its state ---- */

static void say_file(GString *s, const char *folder, const char *name)
{
	g_autofree char *path = g_build_filename(folder, name, NULL), *text = NULL;
	char attributes[1024], value[256];
	ssize_t n;
	struct stat st;
	int fd, flags = 0, version = 0;

	if (lstat(path, &st)) {
		g_string_append_printf(s, "%s: %s\n", name, g_strerror(errno));
		return;
	}
	g_string_append_printf(s,
			       "%s: mode %o owner %u:%u links %lu inode %lu size %ld, changed "
			       "%ld.%09ld %ld.%09ld\n",
			       name, st.st_mode, st.st_uid, st.st_gid, (unsigned long)st.st_nlink,
			       (unsigned long)st.st_ino, (long)st.st_size, (long)st.st_mtim.tv_sec,
			       st.st_mtim.tv_nsec, (long)st.st_ctim.tv_sec, st.st_ctim.tv_nsec);
	n = llistxattr(path, attributes, sizeof attributes);
	for (ssize_t at = 0; at < n; at += (ssize_t)strlen(attributes + at) + 1) {
		ssize_t got = lgetxattr(path, attributes + at, value, sizeof value - 1);

		value[MAX(got, 0)] = '\0';
		g_string_append_printf(s, "%s: %s = %s\n", name, attributes + at, value);
	}
	if (!S_ISREG(st.st_mode))
		return;
	/* Of links and folders that time changes when a path goes through them. */
	g_string_append_printf(s, "%s: read %ld.%09ld\n", name, (long)st.st_atim.tv_sec,
			       st.st_atim.tv_nsec);
	fd = open(path, O_RDONLY | O_NOATIME | O_CLOEXEC);
	if (!ioctl(fd, 0x80086601 /* FS_IOC_GETFLAGS */, &flags) &&
	    !ioctl(fd, 0x80087601 /* FS_IOC_GETVERSION */, &version))
		g_string_append_printf(s, "%s: flags %x version %d\n", name, flags, version);
	n = read(fd, value, sizeof value - 1);
	value[MAX(n, 0)] = '\0';
	g_string_append_printf(s, "%s: \"%s\" %s\n", name, value,
			       flock(fd, LOCK_EX | LOCK_NB) ? "locked" : "");
	close(fd);
}

static int compare_names(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void say_folder(GString *s, const char *folder, const char *prefix, bool only_names)
{
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	const char *name;

	while (dir && (name = g_dir_read_name(dir)))
		if (g_str_has_prefix(name, prefix))
			g_ptr_array_add(names, g_strdup(name));
	g_ptr_array_sort(names, compare_names);
	for (guint i = 0; i < names->len; i++)
		if (only_names)
			g_string_append_printf(s, "%s/%s\n", folder, (char *)names->pdata[i]);
		else
			say_file(s, folder, names->pdata[i]);
}

static void say_descriptor(GString *s, int fd)
{
	struct f_owner_ex owner = { 0 };
	int waiting = 0;

	fcntl(fd, F_GETOWN_EX, &owner);
	ioctl(fd, FIONREAD, &waiting);
	g_string_append_printf(s, "descriptor %d: at %ld, flags %x, owner %d, signal %d, %d wait\n",
			       fd, (long)lseek(fd, 0, SEEK_CUR), fcntl(fd, F_GETFL), owner.pid,
			       fcntl(fd, F_GETSIG), waiting);
}

/* A line that begins so in what the kernel says of the descriptor. */
static void say_line(GString *s, int fd, const char *begin)
{
	g_autofree char *path = g_strdup_printf("/proc/self/fdinfo/%d", fd), *text = NULL;
	const char *at = g_file_get_contents(path, &text, NULL, NULL) ? strstr(text, begin) : NULL;

	g_string_append_printf(s, "descriptor %d: %.*s\n", fd, at ? (int)strcspn(at, "\n") : 0, at);
}

static void say_counters(GString *s)
{
	struct itimerspec timer = { 0 };
	char text[16] = "";

	timerfd_gettime(FD_TIMER, &timer);
	say_line(s, FD_EVENT, "eventfd-count");
	say_line(s, FD_EPOLL, "tfd:");
	g_string_append_printf(s, "timer: %s\n",
			       timer.it_value.tv_sec > 50000 && timer.it_value.tv_sec <= 100000
				       ? "late"
				       : "changed");
	if (pread(FD_MEMORY, text, sizeof text - 1, 0) >= 0)
		g_string_append_printf(s, "memory: \"%s\" seals %d\n", text,
				       fcntl(FD_MEMORY, F_GET_SEALS));
}

/* The process that forces the runs. */
static void say_ourselves(GString *s)
{
	struct rlimit files = { 0 };

	getrlimit(RLIMIT_NOFILE, &files);
	g_string_append_printf(s, "ours: priority %d, %lu files\n", getpriority(PRIO_PROCESS, 0),
			       (unsigned long)files.rlim_cur);
}

static void say_terminal(GString *s, int terminal)
{
	struct termios t = { 0 };
	struct winsize size = { 0 };
	int exclusive = 0, line = 0, waiting = 0;

	tcgetattr(FD_TERMINAL, &t);
	ioctl(FD_TERMINAL, TIOCGWINSZ, &size);
	ioctl(FD_TERMINAL, 0x80045440 /* TIOCGEXCL */, &exclusive);
	ioctl(FD_TERMINAL, TIOCGETD, &line);
	ioctl(terminal, FIONREAD, &waiting);
	g_string_append_printf(s,
			       "terminal: %x %x %x %x, %d x %d, exclusive %d, line %d, %d wait, "
			       "session %d\n",
			       t.c_iflag, t.c_oflag, t.c_cflag, t.c_lflag, size.ws_row, size.ws_col,
			       exclusive, line, waiting, (int)tcgetsid(terminal));
}

/* Processes that wait there.  They are moved to where they are already, which counts them. */
static void say_waiters(GString *s, uint32_t *waited)
{
	long n = 0;

	for (int i = 0; i < 500 && !n; i++) { /* it may have been woken, and is on its way back */
		n = syscall(SYS_futex, waited, FUTEX_REQUEUE, 0, INT_MAX, waited, 0);
		if (!n)
			g_usleep(1000);
	}
	g_string_append_printf(s, "waited: by %ld\n", n);
}

static void say_process(GString *s, pid_t pid)
{
	static const char *const lines[] = { "SigPnd:", "ShdPnd:", "TracerPid:" };
	g_autofree char *path = g_strdup_printf("/proc/%d/status", (int)pid), *text = NULL;
	struct rlimit files = { 0 };

	if (!g_file_get_contents(path, &text, NULL, NULL)) {
		g_string_append(s, "the victim is gone\n");
		return;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(lines); i++) {
		const char *at = strstr(text, lines[i]);

		g_string_append_printf(s, "victim: %.*s\n", at ? (int)strcspn(at, "\n") : 0, at);
	}
	if (!strstr(text, "State:\tS") && !strstr(text, "State:\tR"))
		g_string_append(s, "the victim is stopped, or dead\n");
	prlimit(pid, RLIMIT_NOFILE, NULL, &files);
	g_string_append_printf(s, "victim: priority %d, %lu files, class %d\n",
			       getpriority(PRIO_PROCESS, (id_t)pid), (unsigned long)files.rlim_cur,
			       sched_getscheduler(pid));
}

static void say_text_of(GString *s, const char *path)
{
	g_autofree char *text = NULL;

	if (g_file_get_contents(path, &text, NULL, NULL))
		g_string_append_printf(s, "%s:\n%s", path, text);
}

static void say_settings(GString *s, pid_t pid)
{
	static const char *const of_process[] = { "oom_score_adj", "coredump_filter", "comm" };

	for (size_t i = 0; i < G_N_ELEMENTS(of_process); i++) {
		g_autofree char *path = g_strdup_printf("/proc/%d/%s", (int)pid, of_process[i]);

		say_text_of(s, path);
	}
	say_text_of(s, "/proc/sys/kernel/core_pattern");
}

static void say_ipc(GString *s, const struct world_of_attacks *w)
{
	struct shmid_ds shm = { 0 };
	struct msqid_ds msg = { 0 };

	g_string_append_printf(s, "ipc: %d %d attached, %d %d messages %lu, semaphore %d\n",
			       shmctl(w->shm, IPC_STAT, &shm), (int)shm.shm_nattch,
			       msgctl(w->msg, IPC_STAT, &msg), (int)msg.msg_lspid,
			       (unsigned long)msg.msg_qnum, semctl(w->sem, 0, GETVAL));
	g_string_append_printf(s, "ipc: shared memory last used by %d\n", (int)shm.shm_lpid);
	say_folder(s, "/dev/shm", "why-cage", true);
	say_folder(s, "/dev/shm", "sem.why-cage", true);
	say_folder(s, "/dev/mqueue", "why-cage", true);
}

char *world_state(const struct world_of_attacks *w)
{
	GString *s = g_string_new(NULL);
	const int receivers[] = { w->udp, w->unix_socket, w->other_end, w->pipe, w->pipe_ends[0] };
	g_autofree char *folder = in(w, "folder");
	struct utsname name;

	say_folder(s, w->folder, "", false);
	say_folder(s, folder, "", false);
	for (int fd = FD_READ; fd <= FD_LAST; fd++)
		say_descriptor(s, fd);
	say_counters(s);
	say_ourselves(s);
	say_terminal(s, w->terminal);
	say_process(s, w->victim);
	say_waiters(s, w->waited);
	say_settings(s, w->victim);
	say_ipc(s, w);
	for (size_t i = 0; i < G_N_ELEMENTS(receivers); i++) {
		int waiting = 0;

		ioctl(receivers[i], FIONREAD, &waiting);
		g_string_append_printf(s, "receiver %zu: %d bytes\n", i, waiting);
	}
	uname(&name);
	g_string_append_printf(s, "machine: %s %s\n", name.nodename, name.domainname);
	say_text_of(s, "/proc/self/mountinfo");
	return g_string_free(s, FALSE);
}

void world_print_difference(const char *before, const char *after)
{
	g_auto(GStrv) was = g_strsplit(before, "\n", -1), is = g_strsplit(after, "\n", -1);

	for (char **line = was; *line; line++)
		if (!g_strv_contains((const char *const *)is, *line))
			printf("  - %s\n", *line);
	for (char **line = is; *line; line++)
		if (!g_strv_contains((const char *const *)was, *line))
			printf("  + %s\n", *line);
}

/* ---- the program ---- */

char *world_compile(void)
{
	const char *build = g_getenv("BUILD"), *cc = g_getenv("CC");
	g_autofree char *folder = g_build_filename(build ? build : "/tmp", "tests", "cage-programs",
						   program_invocation_short_name, NULL);
	g_autofree char *command =
		g_strdup_printf("%s -g -O0 -shared -fPIC -pthread -o '%s/libearly.so' "
				"tests/cage/early-library.c && "
				"%s -g -O0 -I. -pthread -o '%s/attacks' tests/cage/attacks.c "
				"tests/cage/attacks/*.c "
				"-Wl,--no-as-needed '%s/libearly.so' -lrt -Wl,-rpath,'%s'",
				cc ? cc : "cc", folder, cc ? cc : "cc", folder, folder, folder);
	g_autofree char *path = g_build_filename(folder, "attacks", NULL);

	g_mkdir_with_parents(folder, 0755);
	if (system(command))
		fail_msg("cannot compile: %s", command);
	return g_canonicalize_filename(path, NULL);
}

char **world_attacks(void)
{
	g_autoptr(GDir) dir = g_dir_open("tests/cage/attacks", 0, NULL);
	GPtrArray *names = g_ptr_array_new();
	const char *name;

	assert_non_null(dir);
	while ((name = g_dir_read_name(dir)))
		if (g_str_has_suffix(name, ".c")) {
			char *attack = g_strndup(name, strlen(name) - 2);

			g_ptr_array_add(names, g_strdelimit(attack, "-", '_'));
		}
	g_ptr_array_sort(names, compare_names);
	g_ptr_array_add(names, NULL);
	return (char **)g_ptr_array_free(names, FALSE);
}
