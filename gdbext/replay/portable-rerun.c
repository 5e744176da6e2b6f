/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs of a test whose first run was long ago, perhaps elsewhere: with the
 * environment that it had as far as it is known, and with its stack at the same
 * addresses.
 */
#include "gdbext/replay/internal.h"

#include <string.h>

/* Bytes of "_=" with its NUL; the kernel takes 128 KiB in one text.  Paths may
 * be longer, together, by SLACK than when a record was made. */
enum { SHORTEST = 3, LONGEST = 100 << 10, SLACK = 1024 };

static void count_environment(const struct replay *r, char *const *environment, uint64_t *strings,
			      uint64_t *variables)
{
	*strings = strlen(r->program) + 1;
	for (*variables = 0; environment[*variables]; ++*variables)
		*strings += strlen(environment[*variables]) + 1;
}

void replay_surroundings(struct replay *r, struct replay_surroundings *s)
{
	g_autofree char *folder = g_strdup_printf("%s/run.%06u", r->folder->path, 0u);
	g_auto(GStrv) environment = replay_environment(r, folder);

	*s = (struct replay_surroundings){
		.argv = r->argv,
		.environment = r->environment,
		.directory = r->directory ? g_strdup(r->directory) : g_get_current_dir(),
		.stdin_path = r->stdin_path,
		.paths = (const char *const *)r->paths,
		.child = follow_in_words(&r->follow),
		.faults_end = r->faults_end,
	};
	count_environment(r, environment, &s->strings, &s->variables);
}

void replay_surroundings_clear(struct replay_surroundings *s)
{
	g_free((char *)s->directory);
	g_free(s->child);
	*s = (struct replay_surroundings){ 0 };
}

/* What decides which code is loaded must not come from a record. */
static bool may_be_taken(const char *variable)
{
	static const char *const kept_out[] = { "LD_",	    "GDB_WHY_",	       "GCONV_PATH=",
						"LOCPATH=", "GLIBC_TUNABLES=", NULL };

	if (!strchr(variable, '=') || *variable == '=')
		return false;
	for (size_t i = 0; kept_out[i]; i++)
		if (g_str_has_prefix(variable, kept_out[i]))
			return false;
	return true;
}

void replay_take_past(struct replay *r, const struct replay_past *past)
{
	char **now = r->environment;
	GPtrArray *then = g_ptr_array_new();

	r->past = g_new0(struct past, 1);
	r->past->strings = past->strings;
	r->past->variables = past->variables;
	r->past->run_ms = past->run_ms;
	r->past->memory = past->memory;
	r->faults_end = past->faults_end;
	if (past->child && !follow_read(&r->follow, past->child))
		r->follow.child = 0;
	for (char *const *v = past->kept; *v; v++)
		if (may_be_taken(*v))
			g_ptr_array_add(then, g_strdup(*v));
	r->past->n_kept = then->len;
	for (char *const *name = past->names; *name; name++) {
		const char *value = **name ? g_environ_getenv(now, *name) : NULL;

		if (value)
			g_ptr_array_add(then, g_strdup_printf("%s=%s", *name, value));
	}
	r->past->n_taken = then->len;
	g_ptr_array_add(then, NULL);
	g_strfreev(now);
	r->environment = (char **)g_ptr_array_free(then, FALSE);
}

/* Leaves out the longest of those variables whose values are only as they are
 * now; 0 when there is none left. */
static uint64_t leave_one_out(const struct replay *r, GPtrArray *environment)
{
	guint longest = 0;
	uint64_t size = 0;

	for (guint i = 0; i < environment->len && i < r->past->n_taken; i++) {
		if (i < r->past->n_kept || strlen(environment->pdata[i]) <= MAX(size, strlen("_=")))
			continue;
		longest = i;
		size = strlen(environment->pdata[i]);
	}
	if (!size)
		return 0;
	g_free(environment->pdata[longest]);
	environment->pdata[longest] = g_strdup("_=");
	return size - strlen("_=");
}

static void add_colons(GPtrArray *environment, guint preload, uint64_t n)
{
	char *value = environment->pdata[preload];
	GString *text = g_string_new(value);

	for (; n; n--)
		g_string_append_c(text, ':');
	g_free(value);
	environment->pdata[preload] = g_string_free(text, FALSE);
}

/* What the arguments and all pointers take of the stack.  Linux puts the platform's name and some
 * random bytes, 23 in all, between the texts and the pointers, and then rounds down to 16. */
static uint64_t stack_room_of(char *const *argv, guint variables)
{
	guint n = g_strv_length((char **)argv);
	uint64_t strings = 0;

	for (guint i = 0; i < n; i++)
		strings += strlen(argv[i]) + 1;
	/* the number of arguments, and two NULLs behind them and the variables */
	return strings + (n + variables + 3) / 2 * 16;
}

/* How much less room the arguments take than those of the first test. */
static int64_t room_left(const struct replay *r, guint variables)
{
	return r->first_argv ? (int64_t)stack_room_of(r->first_argv, variables) -
				       (int64_t)stack_room_of(r->argv, variables)
			     : 0;
}

unsigned replay_started(const struct replay *r)
{
	return r->started_in_cage;
}

bool replay_lacks_children(const struct replay *r)
{
	return r->follow.absent;
}

bool replay_stack_is_kept(const struct replay *r)
{
	int64_t even = room_left(r, 0), odd = room_left(r, 1);

	return r->past ? !even && !odd : even > -SLACK / 2 && even < LONGEST / 2;
}

/* Where there is no room for all, the runs will show that they differ. */
void replay_pad_environment(const struct replay *r, GPtrArray *environment, guint preload)
{
	const struct past *past = r->past;
	uint64_t strings, variables, missing, left, out;

	if (!past) {
		add_colons(environment, preload,
			   (uint64_t)CLAMP(SLACK + room_left(r, environment->len), 0, LONGEST));
		return;
	}
	g_ptr_array_add(environment, NULL);
	count_environment(r, (char **)environment->pdata, &strings, &variables);
	g_ptr_array_set_size(environment, (gint)environment->len - 1);
	missing = past->variables > variables ? past->variables - variables : 0;
	strings += missing * SHORTEST;
	while (strings > past->strings && (out = leave_one_out(r, environment)))
		strings -= out;
	left = past->strings > strings ? past->strings - strings : 0;
	add_colons(environment, preload, MIN(left, LONGEST));
	left -= MIN(left, LONGEST);
	for (; missing; missing--) {
		GString *text = g_string_new("_=");
		uint64_t more = MIN(left, LONGEST);

		for (left -= more; more; more--)
			g_string_append_c(text, '_');
		g_ptr_array_add(environment, g_string_free(text, FALSE));
	}
}

static bool is_same_start_place(const struct trace_head *a, const struct trace_head *b)
{
	return a->regs[TRACE_RSP] == b->regs[TRACE_RSP] && a->n_modules == b->n_modules &&
	       !memcmp(a->bias, b->bias, sizeof a->bias);
}

const char *replay_difference(const struct replay_failing *failing, const struct run_result *result)
{
	struct trace_head then, now;

	if (result->end == RUN_PASSED && failing->end != RUN_PASSED)
		return "it passes now";
	if (result->end == RUN_TIMEOUT)
		return "it does not end within --run-timeout now";
	if (result->end != failing->end ||
	    (result->end == RUN_STATUS && result->status != failing->status) ||
	    (result->end == RUN_SIGNAL && result->signo != failing->signo))
		return "it fails in another way now";
	if (!replay_read_head(failing->record, failing->thread, &then) ||
	    !replay_read_head(result->record, failing->thread, &now) || then.insns != now.insns)
		return "it takes another way to the failure now";
	return is_same_start_place(&then, &now) ? NULL
						: "its code and stack lie at other addresses now";
}

bool replay_repeat(struct replay *r, const struct replay_failing *failing, const char **differs,
		   GError **error)
{
	struct runner *runner = replay_runner(r);
	struct run_request request = { .record = true, .thread = failing->thread };
	struct run_result result = { 0 };
	struct trace_head then;

	if (replay_read_head(failing->record, failing->thread, &then))
		request.from = trace_left_out(&then);
	if (!runner->run(runner, &request, &result, error))
		return false;
	*differs = replay_difference(failing, &result);
	if (r->past)
		replay_limit_time(r, MAX(r->past->run_ms, result.ms));
	run_result_clear(&result);
	return true;
}
