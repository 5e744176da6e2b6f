/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/replay/processes.h"
#include "gdbext/replay/replay.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- the watcher, a process of its own: it waits for all children that it has ---- */

/* What a process executed; empty until it did. */
struct watched {
	GString *text; /* program, directory, standard input, variables, arguments, each with its
			* NUL */
};

static void watched_free(gpointer data)
{
	struct watched *w = data;

	g_string_free(w->text, TRUE);
	g_free(w);
}

static void append_link_target(GString *text, pid_t pid, const char *name)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/%s", (int)pid, name);
	g_autofree char *target = g_file_read_link(path, NULL);

	g_string_append_len(text, target ? target : "", target ? (gssize)strlen(target) + 1 : 1);
}

/* A file that it reads from the beginning, or `|' for a pipe, or nothing. */
static void add_stdin(GString *text, pid_t pid)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/fd/0", (int)pid);
	g_autofree char *about = g_strdup_printf("/proc/%d/fdinfo/0", (int)pid);
	g_autofree char *place = NULL;
	struct stat st;

	if (stat(path, &st) == 0 && S_ISFIFO(st.st_mode))
		g_string_append_c(text, '|');
	else if (stat(path, &st) == 0 && S_ISREG(st.st_mode) &&
		 g_file_get_contents(about, &place, NULL, NULL) &&
		 g_str_has_prefix(place, "pos:\t0\n")) {
		append_link_target(text, pid, "fd/0");
		return;
	}
	g_string_append_c(text, '\0');
}

/* How many variables there are, and they. */
static void add_variables(GString *text, pid_t pid)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/environ", (int)pid);
	g_autofree char *all = NULL;
	gsize length = 0;
	unsigned n = 0;

	if (!g_file_get_contents(path, &all, &length, NULL))
		length = 0;
	for (const char *v = all; length && v < all + length; v += strlen(v) + 1)
		n++;
	g_string_append_printf(text, "%u", n);
	g_string_append_c(text, '\0');
	for (const char *v = all; length && v < all + length; v += strlen(v) + 1)
		g_string_append_len(text, v, (gssize)strlen(v) + 1);
}

static void note_watched_process(GHashTable *all, pid_t pid)
{
	struct watched *w = g_new0(struct watched, 1);
	g_autofree char *path = g_strdup_printf("/proc/%d/cmdline", (int)pid);
	g_autofree char *words = NULL;
	gsize length = 0;

	w->text = g_string_new(NULL);
	append_link_target(w->text, pid, "exe");
	append_link_target(w->text, pid, "cwd");
	add_stdin(w->text, pid);
	add_variables(w->text, pid);
	if (g_file_get_contents(path, &words, &length, NULL))
		g_string_append_len(w->text, words, (gssize)length);
	g_hash_table_replace(all, GINT_TO_POINTER(pid), w);
}

/* One message: its length, the status, the text. */
static void tell_follower(int to, int status, const GString *text)
{
	guint32 head[2] = { (guint32)text->len, (guint32)status };
	const char *rest = text->str;
	size_t left = text->len;

	if (write(to, head, sizeof(head)) != sizeof(head))
		_exit(1);
	while (left) {
		ssize_t n = write(to, rest, left);

		if (n <= 0)
			_exit(1);
		rest += n;
		left -= (size_t)n;
	}
}

static void note_end_of_followed(GHashTable *all, pid_t pid, int to)
{
	const struct watched *w = g_hash_table_lookup(all, GINT_TO_POINTER(pid));
	unsigned long status = 0;

	if (w && !ptrace(PTRACE_GETEVENTMSG, pid, NULL, &status))
		tell_follower(to, (int)status, w->text);
	g_hash_table_remove(all, GINT_TO_POINTER(pid));
}

/* The signal that the process is to get when it goes on. */
static int look_at_stop(GHashTable *all, pid_t pid, int status, int to)
{
	switch (status >> 16) {
	case PTRACE_EVENT_EXEC:
		note_watched_process(all, pid);
		return 0;
	case PTRACE_EVENT_EXIT:
		note_end_of_followed(all, pid, to);
		return 0;
	case 0:
		return WSTOPSIG(status) == SIGTRAP || WSTOPSIG(status) == SIGSTOP
			       ? 0
			       : WSTOPSIG(status);
	default:
		return 0;
	}
}

static void watch_processes(pid_t first, int to)
{
	GHashTable *all = g_hash_table_new_full(NULL, NULL, NULL, watched_free);
	long options = PTRACE_O_EXITKILL | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
		       PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_TRACEEXIT;
	int status;
	pid_t pid;

	if (waitpid(first, &status, 0) != first ||
	    ptrace(PTRACE_SETOPTIONS, first, NULL, (void *)options) ||
	    ptrace(PTRACE_CONT, first, NULL, NULL))
		_exit(1);
	while ((pid = waitpid(-1, &status, __WALL)) > 0)
		if (WIFSTOPPED(status)) {
			long signal = look_at_stop(all, pid, status, to);

			ptrace(PTRACE_CONT, pid, NULL, (void *)signal);
		}
	_exit(0);
}

static void become_command(char *const *argv, const char *directory, const char *stdin_file)
{
	int in = open(stdin_file ? stdin_file : "/dev/null", O_RDONLY);
	int out = open("/dev/null", O_WRONLY);

	if (in < 0 || out < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0 ||
	    (directory && chdir(directory)) || ptrace(PTRACE_TRACEME, 0, NULL, NULL))
		_exit(127);
	raise(SIGSTOP);
	execvp(argv[0], argv);
	_exit(127);
}

static void be_watcher(char *const *argv, const char *directory, const char *stdin_file, int to)
{
	pid_t first;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	for (int signo = 1; signo < 32; signo++)
		signal(signo, signo == SIGINT ? SIG_IGN : SIG_DFL);
	first = fork();
	if (first == 0)
		become_command(argv, directory, stdin_file);
	if (first < 0)
		_exit(1);
	watch_processes(first, to);
}

/* ---- who asks ---- */

static void process_free(gpointer data)
{
	struct process *p = data;

	g_free(p->program);
	g_strfreev(p->argv);
	g_free(p->directory);
	g_strfreev(p->variables);
	g_strfreev(p->unset);
	g_free(p->stdin_file);
	g_free(p);
}

static bool read_all_of_message(int from, void *to, size_t size, const struct deadline *until)
{
	while (size) {
		struct pollfd p = { .fd = from, .events = POLLIN };
		ssize_t n;

		if (deadline_is_over(until))
			return false;
		if (poll(&p, 1, deadline_left_ms(until, 100)) <= 0)
			continue;
		n = read(from, to, size);
		if (n <= 0)
			return false;
		to = (char *)to + n;
		size -= (size_t)n;
	}
	return true;
}

/* What shells, make and the place where it is started change by themselves. */
static bool is_noise(const char *variable)
{
	static const char *const names[] = { "_",	    "PWD",	     "OLDPWD",
					     "SHLVL",	    "MAKEFLAGS",     "MFLAGS",
					     "MAKELEVEL",   "MAKEOVERRIDES", "MAKE_TERMOUT",
					     "MAKE_TERMERR" };
	size_t length = strcspn(variable, "=");

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
		if (strlen(names[i]) == length && strncmp(names[i], variable, length) == 0)
			return true;
	return false;
}

/* Which of its n variables are others than ours. */
static void compare_variables(struct process *p, char **variables, unsigned n)
{
	g_autoptr(GPtrArray) others = g_ptr_array_new();
	g_autoptr(GPtrArray) unset = g_ptr_array_new();
	g_autoptr(GHashTable) has = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_auto(GStrv) ours = g_listenv();

	for (unsigned i = 0; i < n; i++) {
		char *name = g_strndup(variables[i], strcspn(variables[i], "="));
		const char *value = variables[i] + strlen(name);

		if (*value && !is_noise(name) && g_strcmp0(value + 1, g_getenv(name)) != 0)
			g_ptr_array_add(others, g_strdup(variables[i]));
		g_hash_table_add(has, name);
	}
	for (char **name = ours; *name; name++)
		if (!is_noise(*name) && !g_hash_table_contains(has, *name))
			g_ptr_array_add(unset, g_strdup(*name));
	g_ptr_array_add(others, NULL);
	g_ptr_array_add(unset, NULL);
	p->variables = (char **)g_ptr_array_free(g_steal_pointer(&others), FALSE);
	p->unset = (char **)g_ptr_array_free(g_steal_pointer(&unset), FALSE);
}

static struct process *take_words_apart(const char *text, size_t length, int status)
{
	enum { PROGRAM, DIRECTORY, STDIN, N_VARIABLES, VARIABLES };
	g_autoptr(GPtrArray) words = g_ptr_array_new();
	struct process *p;
	guint64 n;

	for (size_t at = 0; at < length; at += strlen(text + at) + 1)
		g_ptr_array_add(words, (gpointer)(text + at));
	g_ptr_array_add(words, NULL);
	if (words->len <= VARIABLES ||
	    !g_ascii_string_to_unsigned(words->pdata[N_VARIABLES], 10, 0,
					words->len - VARIABLES - 1, &n, NULL))
		return NULL;
	p = g_new0(struct process, 1);
	p->status = status;
	p->program = g_strdup(words->pdata[PROGRAM]);
	p->directory = g_strdup(words->pdata[DIRECTORY]);
	p->reads_a_pipe = strcmp(words->pdata[STDIN], "|") == 0;
	if (*(char *)words->pdata[STDIN] == '/')
		p->stdin_file = g_strdup(words->pdata[STDIN]);
	compare_variables(p, (char **)words->pdata + VARIABLES, (unsigned)n);
	p->argv = g_strdupv((char **)words->pdata + VARIABLES + n);
	return p;
}

/* The next process that ended; NULL at the end. */
static struct process *hear_of_process(int from, const struct deadline *until)
{
	enum { LONGEST = 4 << 20 };
	g_autofree char *text = NULL;
	guint32 head[2];

	if (!read_all_of_message(from, head, sizeof(head), until) || head[0] > LONGEST)
		return NULL;
	text = g_malloc0(head[0] + 1);
	return read_all_of_message(from, text, head[0], until)
		       ? take_words_apart(text, head[0], (int)head[1])
		       : NULL;
}

GPtrArray *processes_of(char *const *argv, const char *directory, const char *stdin_file,
			const struct deadline *until)
{
	GPtrArray *all = g_ptr_array_new_with_free_func(process_free);
	struct process *p;
	int ends[2];
	pid_t watcher;

	if (pipe2(ends, O_CLOEXEC)) {
		g_ptr_array_unref(all);
		return NULL;
	}
	watcher = fork();
	if (watcher == 0) {
		close(ends[0]);
		be_watcher(argv, directory, stdin_file, ends[1]);
	}
	close(ends[1]);
	while (watcher > 0 && (p = hear_of_process(ends[0], until)))
		g_ptr_array_add(all, p);
	close(ends[0]);
	if (watcher > 0) {
		kill(watcher, SIGKILL); /* its tracees end with it */
		while (waitpid(watcher, NULL, 0) < 0 && errno == EINTR)
			;
	}
	return all;
}

/* Quoted where a shell needs it. */
static void append_shell_word(GString *out, const char *word)
{
	const char *plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
			    "_-+./:,=@%";
	g_autofree char *quoted = g_shell_quote(word);

	g_string_append(out, *word && strspn(word, plain) == strlen(word) ? word : quoted);
}

/* LD_LIBRARY_PATH=lib, as a shell reads it before a command. */
static void append_shell_assignment(GString *out, const char *variable)
{
	size_t name = strcspn(variable, "=") + 1;

	g_string_append_len(out, variable, (gssize)name);
	append_shell_word(out, variable + name);
	g_string_append_c(out, ' ');
}

static void append_shell_option(GString *out, const char *option, const char *value)
{
	g_string_append_printf(out, "%s ", option);
	append_shell_word(out, value);
	g_string_append_c(out, ' ');
}

char *process_command(const struct process *p, const char *options)
{
	GString *out = g_string_new(NULL);
	g_autofree char *here = g_get_current_dir();

	if (*p->unset)
		g_string_append(out, "env ");
	for (char **name = p->unset; *name; name++)
		append_shell_option(out, "-u", *name);
	for (char **variable = p->variables; *variable; variable++)
		append_shell_assignment(out, *variable);
	g_string_append_printf(out, "gdb-why explain %s", options);
	if (p->stdin_file)
		append_shell_option(out, "--stdin", p->stdin_file);
	if (strcmp(here, p->directory) != 0)
		append_shell_option(out, "--directory", p->directory);
	g_string_append(out, "-- ");
	append_shell_word(out, p->program);
	for (char **word = p->argv + 1; p->argv[0] && *word; word++) {
		g_string_append_c(out, ' ');
		append_shell_word(out, *word);
	}
	return g_string_free(out, FALSE);
}

char *process_end(const struct process *p)
{
	return WIFEXITED(p->status) ? g_strdup_printf("exit status %d", WEXITSTATUS(p->status))
				    : g_strdup(replay_signal_name(WTERMSIG(p->status)));
}
