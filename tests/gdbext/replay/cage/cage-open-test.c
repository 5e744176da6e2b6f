/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a caged run gets when it opens a file, asked by a process that does nothing else: files are
 * read, never written; devices, pipes and what others have open are refused. */
#include "gdbext/replay/cage/cage-open.h"
#include "gdbext/replay/cage/cage-path.h"

#include "tests/support/program.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROOM = 1 << 16 };

/* The process that asks: it stands in the folder, and has one file of it open. */
struct asker {
	char *folder, *run;
	char *word; /* shared with it: the path */
	pid_t pid;
	int held; /* its descriptor of the folder's `held' */
	struct cage_files files;
};

static char *at(const struct asker *a, const char *name)
{
	return g_build_filename(a->folder, name, NULL);
}

static void put_file(const struct asker *a, const char *name, const char *text)
{
	g_autofree char *path = at(a, name);

	assert_true(g_file_set_contents(path, text, -1, NULL));
}

static int start(void **state)
{
	struct asker *a = g_new0(struct asker, 1);
	g_autofree char *held = NULL;

	a->folder = test_folder_new();
	a->run = at(a, "run");
	assert_int_equal(g_mkdir(a->run, 0700), 0);
	put_file(a, "data", "0123456789");
	put_file(a, "held", "mine");
	held = at(a, "held");
	a->word = mmap(NULL, 2 * 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(a->word != MAP_FAILED);
	munmap(a->word + 4096, 4096); /* what follows a path may not be there */
	a->held = open(held, O_RDONLY);
	assert_true(a->held >= 0);
	a->pid = fork();
	if (!a->pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (chdir(a->folder))
			_exit(1);
		a->word[0] = '!';
		for (;;)
			pause();
	}
	close(a->held);
	while (*(volatile char *)a->word != '!')
		usleep(1000);
	a->files = (struct cage_files){ .folder = a->run,
					.folder_fd = open(a->run, O_PATH | O_DIRECTORY),
					.in_memory = g_array_new(FALSE, FALSE, sizeof(int)),
					.room = ROOM };
	*state = a;
	return 0;
}

static int end(void **state)
{
	struct asker *a = *state;

	kill(a->pid, SIGKILL);
	waitpid(a->pid, NULL, 0);
	for (guint i = 0; i < a->files.in_memory->len; i++)
		close(g_array_index(a->files.in_memory, int, i));
	g_array_free(a->files.in_memory, TRUE);
	close(a->files.folder_fd);
	munmap(a->word, 4096);
	g_free(a->run);
	test_folder_free(a->folder);
	g_free(a);
	return 0;
}

static int ask_at(struct asker *a, int base, const char *path, int flags)
{
	g_strlcpy(a->word, path, 4096);
	return cage_open(&a->files, a->pid, base, (unsigned long)a->word, flags);
}

static int ask(struct asker *a, const char *path, int flags)
{
	return ask_at(a, AT_FDCWD, path, flags);
}

static void refused(struct asker *a, const char *path, int flags, int error)
{
	int fd = ask(a, path, flags);

	if (fd != -error)
		fail_msg("%s: %d, not %s", path, fd, g_strerror(error));
}

static void holds(int fd, const char *text)
{
	char is[256] = "";
	ssize_t n;

	assert_true(fd >= 0);
	n = pread(fd, is, sizeof is - 1, 0);
	assert_true(n >= 0);
	is[n] = '\0';
	assert_string_equal(is, text);
	close(fd);
}

static void world_has(const struct asker *a, const char *name, const char *text)
{
	g_autofree char *path = at(a, name), *is = NULL;

	assert_int_equal(g_file_get_contents(path, &is, NULL, NULL), text != NULL);
	if (text)
		assert_string_equal(is, text);
}

static void files_are_read_as_they_are(void **state)
{
	struct asker *a = *state;
	g_autofree char *absolute = at(a, "data");

	holds(ask(a, "data", O_RDONLY), "0123456789");
	holds(ask(a, "./run/../data", O_RDONLY), "0123456789");
	holds(ask(a, absolute, O_RDONLY | O_CLOEXEC), "0123456789");
	refused(a, "nothing", O_RDONLY, ENOENT);
	refused(a, "data/x", O_RDONLY, ENOTDIR);
	refused(a, "", O_RDONLY, ENOENT);
}

/* What it gets is not marked by how the guard came to it. */
static void flags_are_as_asked(void **state)
{
	static const int some[] = { 0, O_NONBLOCK, O_APPEND, O_APPEND | O_NONBLOCK };

	for (size_t i = 0; i < G_N_ELEMENTS(some); i++) {
		int fd = ask(*state, "data", O_RDONLY | some[i]);

		assert_true(fd >= 0);
		assert_int_equal(fcntl(fd, F_GETFL) & (O_ACCMODE | O_APPEND | O_NONBLOCK), some[i]);
		close(fd);
	}
}

/* Who holds it may take his time; here it is ourselves, who would wait for ourselves. */
static void leases_are_not_waited_for(void **state)
{
	struct asker *a = *state;
	g_autofree char *data = at(a, "data");
	int fd = open(data, O_RDWR | O_CLOEXEC);

	signal(SIGIO, SIG_IGN);
	if (fcntl(fd, F_SETLEASE, F_WRLCK)) { /* not every file system has them */
		close(fd);
		skip();
	}
	refused(a, "data", O_RDONLY, EAGAIN);
	refused(a, "data", O_RDWR, EAGAIN);
	close(fd);
	holds(ask(a, "data", O_RDONLY), "0123456789");
}

/* A question that is over waits for nothing to be copied. */
static void copying_ends_with_the_question(void **state)
{
	struct asker *a = *state;
	struct deadline over = deadline_in(0, NULL);
	g_autofree char *data = at(a, "large");
	struct stat st;
	int fd;

	a->files.room = 64 << 20;
	put_file(a, "large", "");
	assert_int_equal(truncate(data, 32 << 20), 0);
	fd = ask(a, "large", O_RDWR);
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(st.st_size, 32 << 20);
	close(fd);
	a->files.until = &over;
	fd = ask(a, "large", O_RDWR);
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(st.st_size, 0);
	close(fd);
}

/* It writes to a copy; the file stays, and others do not see the copy. */
static void what_is_written_goes_nowhere(void **state)
{
	struct asker *a = *state;
	int fd = ask(a, "data", O_RDWR);

	assert_int_equal(pwrite(fd, "XX", 2, 3), 2);
	holds(fd, "012XX56789");
	holds(ask(a, "data", O_RDONLY), "0123456789");
	fd = ask(a, "data", O_WRONLY | O_TRUNC);
	assert_int_equal(write(fd, "new", 3), 3);
	close(fd);
	fd = ask(a, "data", O_RDWR | O_APPEND);
	assert_int_equal(write(fd, "!", 1), 1);
	holds(fd, "0123456789!");
	world_has(a, "data", "0123456789");
}

static void new_files_are_in_memory(void **state)
{
	struct asker *a = *state;
	int fd = ask(a, "new", O_RDWR | O_CREAT | O_EXCL);

	assert_int_equal(write(fd, "text", 4), 4);
	holds(fd, "text");
	world_has(a, "new", NULL);
	refused(a, "data", O_RDWR | O_CREAT | O_EXCL, EEXIST);
	refused(a, "nowhere/new", O_RDWR | O_CREAT, ENOENT);
	fd = ask(a, ".", O_RDWR | O_TMPFILE);
	assert_int_equal(write(fd, "gone", 4), 4);
	holds(fd, "gone");
}

/* A copy takes memory, so it has bounds. */
static void memory_is_bounded(void **state)
{
	struct asker *a = *state;
	g_autofree char *path = at(a, "large"), *zeros = g_malloc0(ROOM + 1);
	int fd = 0;

	assert_true(g_file_set_contents(path, zeros, ROOM + 1, NULL));
	refused(a, "large", O_RDWR, ENOSPC);
	fd = ask(a, "large", O_RDONLY);
	assert_true(fd >= 0);
	close(fd);
	for (unsigned i = 0; i < 5000 && fd >= 0; i++) {
		fd = cage_open_memory(&a->files, MFD_CLOEXEC);
		if (fd >= 0)
			close(fd);
	}
	assert_int_equal(fd, -ENFILE);
	assert_int_equal(cage_open_memory(&a->files, MFD_HUGETLB), -EINVAL);
}

static void folders_are_read_only(void **state)
{
	struct asker *a = *state;
	int fd = ask(a, "run", O_RDONLY | O_DIRECTORY);

	assert_true(fd >= 0);
	close(fd);
	refused(a, "run", O_RDWR, EISDIR);
	refused(a, "data", O_RDONLY | O_DIRECTORY, ENOTDIR);
}

static void links_are_followed_unless_it_says_no(void **state)
{
	struct asker *a = *state;
	g_autofree char *link = at(a, "link"), *loop = at(a, "loop");

	assert_int_equal(symlink("data", link), 0);
	assert_int_equal(symlink("loop", loop), 0);
	holds(ask(a, "link", O_RDONLY), "0123456789");
	refused(a, "link", O_RDONLY | O_NOFOLLOW, ELOOP);
	refused(a, "link", O_RDWR | O_CREAT | O_EXCL, EEXIST);
	refused(a, "loop", O_RDONLY, ELOOP);
}

static void few_devices_are_harmless(void **state)
{
	struct asker *a = *state;
	char zeros[4] = { 1, 1, 1, 1 };
	int fd = ask(a, "/dev/zero", O_RDONLY);

	assert_int_equal(read(fd, zeros, 4), 4);
	assert_memory_equal(zeros, "\0\0\0\0", 4);
	close(fd);
	fd = ask(a, "/dev/null", O_WRONLY);
	assert_int_equal(write(fd, "x", 1), 1);
	close(fd);
	refused(a, "/dev/tty", O_RDWR, ENXIO);
	if (g_file_test("/dev/ptmx", G_FILE_TEST_EXISTS))
		assert_int_equal(ask(a, "/dev/ptmx", O_RDWR), -EACCES);
}

/* Another one at the other end would notice. */
static void pipes_and_sockets_are_refused(void **state)
{
	struct asker *a = *state;
	g_autofree char *fifo = at(a, "fifo"), *name = at(a, "socket");
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int s = socket(AF_UNIX, SOCK_STREAM, 0);

	assert_int_equal(mkfifo(fifo, 0600), 0);
	refused(a, "fifo", O_RDONLY, EACCES);
	refused(a, "fifo", O_WRONLY | O_NONBLOCK, EACCES);
	g_strlcpy(address.sun_path, name, sizeof address.sun_path);
	assert_int_equal(bind(s, (struct sockaddr *)&address, sizeof address), 0);
	refused(a, "socket", O_RDWR, ENXIO);
	close(s);
}

/* /proc/self is the run's, not ours. */
static void proc_is_about_the_run(void **state)
{
	struct asker *a = *state;
	static const char *const names[] = { "/proc/self/status", "/proc/thread-self/status",
					     "/proc/self/task/../status" };
	g_autofree char *own = g_strdup_printf("\nPid:\t%d\n", (int)a->pid);

	for (unsigned i = 0; i < G_N_ELEMENTS(names); i++) {
		char text[4096] = "";
		int fd = ask(a, names[i], O_RDONLY);

		assert_true(fd >= 0);
		assert_true(read(fd, text, sizeof text - 1) > 0);
		assert_non_null(strstr(text, own));
		close(fd);
	}
}

static void only_what_the_run_has_open_is_given(void **state)
{
	struct asker *a = *state;
	g_autofree char *own = g_strdup_printf("/proc/self/fd/%d", a->held);
	g_autofree char *by_number = g_strdup_printf("/proc/%d/fd/%d", (int)a->pid, a->held);
	g_autofree char *dev = g_strdup_printf("/dev/fd/%d", a->held);
	g_autofree char *ours = g_strdup_printf("/proc/%d/fd/0", (int)getpid());
	g_autofree char *root = g_strdup_printf("/proc/%d/root/etc", (int)getpid());
	g_autofree char *way = g_strdup_printf("/proc/%d/cwd/Makefile", (int)getpid());

	holds(ask(a, own, O_RDONLY), "mine");
	holds(ask(a, by_number, O_RDONLY), "mine");
	holds(ask(a, "/proc/self/cwd/data", O_RDONLY), "0123456789");
	if (g_file_test("/dev/fd", G_FILE_TEST_IS_SYMLINK))
		holds(ask(a, dev, O_RDONLY), "mine");
	refused(a, ours, O_RDONLY, EACCES);
	refused(a, root, O_RDONLY, EACCES);
	refused(a, way, O_RDONLY, EACCES);
}

static void names_are_relative_to_its_descriptors(void **state)
{
	struct asker *a = *state;

	assert_int_equal(ask_at(a, 900, "data", O_RDONLY), -EBADF);
	assert_int_equal(ask_at(a, a->held, "data", O_RDONLY), -ENOTDIR);
	holds(ask_at(a, 900, "/proc/self/cwd/held", O_RDONLY), "mine"); /* is absolute */
}

/* Its own record goes through; what only looks like it does not. */
static void the_record_is_written(void **state)
{
	struct asker *a = *state;
	static const char *const own[] = { "plan",    "trace.0", "tail.12",
					   "async.3", "even.0",	 "odd.0" };
	static const char *const others[] = { "trace.", "trace.x", "trace.12345", "plan2",
					      "ask",	"answer",  "notes" };

	for (unsigned i = 0; i < G_N_ELEMENTS(own); i++) {
		g_autofree char *path = g_build_filename(a->run, own[i], NULL);
		int fd = ask(a, path, O_RDWR | O_CREAT);

		assert_true(fd >= 0);
		close(fd);
		assert_true(g_file_test(path, G_FILE_TEST_EXISTS));
	}
	for (unsigned i = 0; i < G_N_ELEMENTS(others); i++) {
		g_autofree char *path = g_build_filename(a->run, others[i], NULL);
		int fd = ask(a, path, O_RDWR | O_CREAT);

		assert_true(fd >= 0);
		close(fd);
		assert_false(g_file_test(path, G_FILE_TEST_EXISTS));
	}
	a->files.server = a->pid; /* the fork server has its pipes and its notes */
	for (unsigned i = 4; i < G_N_ELEMENTS(others); i++) {
		g_autofree char *path = g_build_filename(a->run, others[i], NULL);
		int fd = ask(a, path, O_RDWR | O_CREAT);

		assert_true(fd >= 0);
		close(fd);
		assert_true(g_file_test(path, G_FILE_TEST_EXISTS));
	}
}

static void the_output_file_is_data(struct asker *a)
{
	struct stat st;

	assert_int_equal(stat(a->folder, &st), 0);
	a->files.output_name = "data";
	a->files.output_dev = st.st_dev;
	a->files.output_ino = st.st_ino;
}

/* The file that the run writes in the place of its output: in its own folder, with what it held. */
static void the_output_file_is_its_own(void **state)
{
	struct asker *a = *state;
	g_autofree char *before = at(a, "held"), *out = g_build_filename(a->run, "out", NULL);
	int fd;

	the_output_file_is_data(a);
	a->files.output_before = before;
	refused(a, "data", O_RDWR | O_CREAT | O_EXCL, EEXIST); /* as before the test */
	fd = ask(a, "data", O_RDWR | O_APPEND);
	assert_int_equal(write(fd, "!", 1), 1);
	holds(fd, "mine!");
	holds(ask(a, "data", O_RDONLY), "mine!"); /* the second time it is the same */
	fd = ask(a, "./run/../data", O_WRONLY | O_TRUNC);
	assert_int_equal(write(fd, "new", 3), 3);
	close(fd);
	holds(open(out, O_RDONLY), "new");
	world_has(a, "data", "0123456789");
	world_has(a, "held", "mine");
	holds(ask(a, "run/../held", O_RDONLY), "mine"); /* others are what they are */
}

static void the_output_file_may_be_new(void **state)
{
	struct asker *a = *state;
	int fd;

	the_output_file_is_data(a);
	refused(a, "data", O_RDWR, ENOENT); /* it was not there before the test */
	fd = ask(a, "data", O_RDWR | O_CREAT | O_EXCL);
	assert_int_equal(write(fd, "text", 4), 4);
	holds(fd, "text");
	world_has(a, "data", "0123456789");
	a->files.output_before = "/nowhere/at/all";
	holds(ask(a, "data", O_RDONLY), "text"); /* what was before does not matter any more */
}

static void looking_opens_nothing(void **state)
{
	struct asker *a = *state;
	int fd = ask(a, "data", O_PATH | O_RDWR | O_TRUNC);
	char byte;

	assert_true(fd >= 0);
	assert_int_equal(read(fd, &byte, 1), -1);
	assert_int_equal(errno, EBADF);
	close(fd);
	world_has(a, "data", "0123456789");
}

static void nonsense_is_an_error(void **state)
{
	struct asker *a = *state;

	assert_int_equal(cage_open(&a->files, a->pid, AT_FDCWD, 8, O_RDONLY), -EFAULT);
	memset(a->word, 'x', 4096); /* it does not end */
	assert_true(cage_open(&a->files, a->pid, AT_FDCWD, (unsigned long)a->word, O_RDONLY) < 0);
	assert_int_equal(cage_process_of(a->pid), a->pid);
	assert_true(cage_is_same_process(a->pid, a->pid));
	assert_false(cage_is_same_process(getpid(), a->pid));
	assert_false(cage_is_same_process(0, a->pid));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, end)
	const struct CMUnitTest tests[] = {
		TEST(files_are_read_as_they_are),
		TEST(flags_are_as_asked),
		TEST(leases_are_not_waited_for),
		TEST(copying_ends_with_the_question),
		TEST(what_is_written_goes_nowhere),
		TEST(new_files_are_in_memory),
		TEST(memory_is_bounded),
		TEST(folders_are_read_only),
		TEST(links_are_followed_unless_it_says_no),
		TEST(few_devices_are_harmless),
		TEST(pipes_and_sockets_are_refused),
		TEST(proc_is_about_the_run),
		TEST(only_what_the_run_has_open_is_given),
		TEST(names_are_relative_to_its_descriptors),
		TEST(the_record_is_written),
		TEST(the_output_file_is_its_own),
		TEST(the_output_file_may_be_new),
		TEST(looking_opens_nothing),
		TEST(nonsense_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
