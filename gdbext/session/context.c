/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/session/internal.h"

#include "mi/cmd.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void context_clear(struct context *c)
{
	if (c->typed_file)
		unlink(c->typed_file);
	g_free(c->typed_file);
	g_free(c->input);
	g_free(c->program);
	g_free(c->directory);
	g_strfreev(c->environment);
	g_clear_pointer(&c->arguments, g_ptr_array_unref);
	g_clear_pointer(&c->options, g_ptr_array_unref);
	*c = (struct context){ 0 };
}

/* Looked at for one of the program's own. */
enum { MOST_FRAMES = 64 };

static bool cannot_replay(GError **error, const char *why)
{
	g_set_error_literal(error, SESSION_ERROR, SESSION_ERROR_QUESTION, why);
	return false;
}

/* --- the program and how it is started --- */

static bool find_program(struct session *s, struct context *c, GError **error)
{
	g_autoptr(mi_record) r = mi_conn_command(s->gdb, -1, error, "-list-thread-groups");

	if (!r)
		return false;
	c->program = g_strdup(mi_get_text(r->results, "groups.0.executable"));
	if (!origin_is_here(s, c->program, error))
		return false;
	if (!c->program)
		return cannot_replay(
			error, "There is no program to ask about; name one with `file PROG'.");
	return true;
}

/* GDB's lines NAME=VALUE; a value may go on in the next one. */
static bool read_environment(struct session *s, struct context *c, GError **error)
{
	g_autofree char *text = mi_cmd_console(s->gdb, "show environment", error);
	g_auto(GStrv) lines = text ? g_strsplit(text, "\n", -1) : NULL;
	GPtrArray *out = text ? g_ptr_array_new() : NULL;

	for (char **line = lines; line && *line; line++) {
		size_t n = strspn(*line, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_");
		char **last = out->len ? (char **)&out->pdata[out->len - 1] : NULL;

		if (n && (*line)[n] == '=') {
			g_ptr_array_add(out, g_strdup(*line));
		} else if (last && (**line || line[1])) {
			char *longer = g_strconcat(*last, "\n", *line, NULL);

			g_free(*last);
			*last = longer;
		}
	}
	if (!out)
		return false;
	g_ptr_array_add(out, NULL);
	c->environment = (char **)g_ptr_array_free(out, FALSE);
	return true;
}

static char *read_directory(struct session *s)
{
	g_autoptr(mi_record) own = mi_conn_command(s->gdb, -1, NULL, "-gdb-show cwd");
	g_autoptr(mi_record) gdb = mi_conn_command(s->gdb, -1, NULL, "-environment-pwd");
	const char *chosen = own ? mi_get_text(own->results, "value") : NULL;

	if (chosen && *chosen == '/')
		return g_strdup(chosen);
	return g_strdup(gdb ? mi_get_text(gdb->results, "cwd") : NULL);
}

/* The end of a shell's word: quotes hold it together. */
static const char *word_end(const char *p)
{
	char quote = 0;

	for (; *p && (quote || !g_ascii_isspace(*p)); p++) {
		if (*p == '\\' && quote != '\'' && p[1])
			p++;
		else if (quote ? *p == quote : *p == '\'' || *p == '"')
			quote = quote ? 0 : *p;
	}
	return p;
}

/* Takes redirections out of a shell's words; *in: the file of the standard input. */
static char *take_redirections(const char *text, char **in)
{
	GString *rest = g_string_new(NULL);

	for (const char *p = text + strspn(text, " \t"), *end; *p; p = end + strspn(end, " \t\n")) {
		const char *op = p + strspn(p, "0123456789&");
		bool redirects = *op == '<' || *op == '>';

		end = word_end(p);
		if (!redirects) {
			g_string_append_len(rest, p, end - p);
			g_string_append_c(rest, ' ');
			continue;
		}
		op += strspn(op, "<>|");
		if (op == end) {
			op = end + strspn(end, " \t");
			end = word_end(op);
		}
		if (strchr("<0", *p)) {
			g_autofree char *word = g_strndup(op, (gsize)(end - op));

			g_free(*in);
			*in = g_shell_unquote(word, NULL);
		}
	}
	return g_string_free(rest, FALSE);
}

/* The words that the shell makes of text, as it would for the program. */
static bool expand_words(struct context *c, const char *text, GError **error)
{
	g_autofree char *script = g_strconcat("printf '%s\\0' x ", text, NULL);
	const char *argv[] = { "/bin/sh", "-c", script, NULL };
	int pipe_fd = -1;
	GPid pid;
	GString *bytes;
	char buffer[4096];
	ssize_t n;

	if (!g_spawn_async_with_pipes(c->directory, (char **)argv, c->environment,
				      G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, &pid, NULL, &pipe_fd,
				      NULL, error))
		return false;
	bytes = g_string_new(NULL);
	while ((n = read(pipe_fd, buffer, sizeof buffer)) > 0 || (n < 0 && errno == EINTR))
		g_string_append_len(bytes, buffer, MAX(n, 0));
	close(pipe_fd);
	c->arguments = g_ptr_array_new_with_free_func(g_free);
	for (const char *p = bytes->str; p < bytes->str + bytes->len; p += strlen(p) + 1)
		if (p != bytes->str)
			g_ptr_array_add(c->arguments, g_strdup(p));
	g_string_free(bytes, TRUE);
	return true;
}

/* value: NULL = there is none */
static void add_context_option(GPtrArray *words, const char *name, const char *value)
{
	g_ptr_array_add(words, g_strdup(name));
	if (value)
		g_ptr_array_add(words, g_strdup(value));
}

/* What was typed is given to the replay as a file. */
static bool keep_typed(struct session *s, struct context *c, GError **error)
{
	const GString *typed = program_typed(s->program);
	int fd;

	if (!typed->len)
		return true;
	fd = g_file_open_tmp("gdb-why-typed.XXXXXX", &c->typed_file, error);
	if (fd < 0)
		return false;
	close(fd);
	g_autofree char *lines = g_strdelimit(g_strndup(typed->str, typed->len), "\r", '\n');

	c->input = g_strdup(c->typed_file);
	return g_file_set_contents(c->typed_file, lines, (gssize)typed->len, error);
}

/* -gdb-show gives nothing before GDB has shown them once. */
static char *read_arguments(struct session *s, GError **error)
{
	g_autofree char *said = mi_cmd_console(s->gdb, "show args", error);
	const char *from = said ? strchr(said, '"') : NULL;
	const char *to = from ? strrchr(from, '"') : NULL;

	if (!said)
		return NULL;
	return to > from ? g_strndup(from + 1, (gsize)(to - from - 1)) : g_strdup("");
}

static bool read_start(struct session *s, struct context *c, GError **error)
{
	g_autofree char *text = read_arguments(s, error);
	g_autofree char *in = NULL;
	g_autofree char *words = text ? take_redirections(text, &in) : g_strdup("");

	if (!text || !read_environment(s, c, error))
		return false;
	c->directory = read_directory(s);
	if (!expand_words(c, words, error))
		return false;
	if (!in)
		return keep_typed(s, c, error);
	c->input = g_steal_pointer(&in);
	return true;
}

/* --- the stop --- */

/* The value as a text that C can compare with.  NULL: the value is not compared, for example
 * because it is an address, which differs from run to run. */
static char *comparable_value_text(const char *value)
{
	size_t n;

	if (!value)
		return NULL;
	if (strcmp(value, "true") == 0 || strcmp(value, "false") == 0)
		return g_strdup(*value == 't' ? "1" : "0");
	n = strspn(value, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_");
	if (n && !value[n] && !g_ascii_isdigit(*value))
		return g_strdup(value);
	n = *value == '-';
	n += strspn(value + n, G_CSET_DIGITS);
	if (n == (size_t)(*value == '-') || (value[n] && strncmp(value + n, " '", 2) != 0))
		return NULL;
	return g_strndup(value, n);
}

static void add_where_condition(struct context *c, const char *name, const char *value)
{
	g_autofree char *number = comparable_value_text(value);
	g_autofree char *condition = number ? g_strdup_printf("%s == %s", name, number) : NULL;

	if (condition)
		add_context_option(c->options, "--where", condition);
}

/* Behind the part that begins there, of what is in braces: at a comma or the brace that ends it. */
static const char *end_of_value_part(const char *at)
{
	char quote = '\0';
	int depth = 0;

	for (; *at; at++) {
		if (quote && *at == '\\' && at[1])
			at++;
		else if (quote)
			quote = *at == quote ? '\0' : quote;
		else if (*at == '"' || *at == '\'')
			quote = *at;
		else if (*at == '{')
			depth++;
		else if (depth == 0 && (*at == ',' || *at == '}'))
			break;
		else if (*at == '}')
			depth--;
	}
	return at;
}

/* What tells one time from another is often in an object: `{items = 0x..., n = 3}'. */
static void add_member_conditions(struct context *c, const char *name, const char *object)
{
	enum { MOST = 12 };
	const char *at = object;

	for (unsigned n = 0; *at && *at != '}' && n < MOST; n++) {
		const char *begin = at + 1, *end = end_of_value_part(begin);
		g_autofree char *part = g_strstrip(g_strndup(begin, (gsize)(end - begin)));
		char *value = strstr(part, " = ");
		const size_t word = strspn(part, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_");
		g_autofree char *member = NULL;

		if (value == part + word) {
			member = g_strdup_printf("%s.%.*s", name, (int)word, part);
			value += strlen(" = ");
		} else if (g_ascii_isdigit(*part) || *part == '-') {
			member = g_strdup_printf("%s[%u]", name, n);
			value = part;
		}
		if (member)
			add_where_condition(c, member, value);
		at = end;
	}
}

/* Has a number this type? */
static bool is_compared_type(const char *type)
{
	static const char *const words[] = { "int",  "long",  "unsigned", "short", "char",
					     "bool", "_Bool", "size_t",	  "enum" };

	for (size_t i = 0; type && i < G_N_ELEMENTS(words); i++)
		if (g_str_has_prefix(type, words[i]) && !strpbrk(type, "*[("))
			return true;
	return false;
}

/* What counts in a file tells one time from another as well. */
static void add_file_variables(struct session *s, struct context *c, const char *file,
			       GHashTable *seen)
{
	enum { MOST = 24 };
	g_autoptr(mi_record) r = mi_conn_command(s->gdb, -1, NULL, "-symbol-info-variables");
	const struct mi_value *files = r ? mi_get(r->results, "symbols.debug") : NULL, *all = NULL;
	unsigned n = 0;

	for (size_t i = 0; !all && i < mi_count(files); i++)
		if (g_strcmp0(mi_get_text(mi_item(files, i), "fullname"), file) == 0)
			all = mi_get(mi_item(files, i), "symbols");
	for (size_t i = 0; i < mi_count(all) && n < MOST; i++) {
		const char *name = mi_get_text(mi_item(all, i), "name");
		g_autofree char *value = NULL;

		if (!name || !is_compared_type(mi_get_text(mi_item(all, i), "type")) ||
		    g_hash_table_contains(seen, name))
			continue;
		value = mi_cmd_evaluate(s->gdb, NULL, name, NULL);
		add_where_condition(c, name, value);
		n++;
	}
}

/* file: whose variables count, too; NULL = only those of the function. */
static bool read_variables(struct session *s, struct context *c, const char *file, GError **error)
{
	g_autoptr(GArray) variables = mi_cmd_variables(s->gdb, NULL, error);
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = 0; variables && i < variables->len; i++) {
		const struct mi_variable *v = &g_array_index(variables, struct mi_variable, i);
		g_autofree char *object = NULL;

		/* an outer one of the same name is hidden, the compiler has some of its own, and
		 * `n@entry' is what `n' was when the function was called */
		if (!g_hash_table_add(seen, v->name) || g_str_has_prefix(v->name, "__") ||
		    strchr(v->name, '@'))
			continue;
		object = v->value ? NULL : mi_cmd_evaluate(s->gdb, NULL, v->name, NULL);
		if (object && *object == '{')
			add_member_conditions(c, v->name, object);
		else
			add_where_condition(c, v->name, v->value);
	}
	if (variables && file)
		add_file_variables(s, c, file, seen);
	return variables != NULL;
}

/* "*main+4660", for functions of C++, whose names have more than a plain one; NULL: not known. */
static char *distance_from_main(struct session *s, uint64_t addr)
{
	g_autofree char *expression =
		g_strdup_printf("(long) %" G_GUINT64_FORMAT " - (long) &main", addr);
	g_autofree char *distance = mi_cmd_evaluate(s->gdb, NULL, expression, NULL);

	return distance ? g_strdup_printf("*main%s%s", *distance == '-' ? "" : "+", distance)
			: NULL;
}

/* "insert+12", the instruction at an address; NULL: not known. */
static char *instruction_at(struct session *s, uint64_t addr)
{
	g_autofree char *command = g_strdup_printf("info symbol 0x%" G_GINT64_MODIFIER "x", addr);
	g_autofree char *said = mi_cmd_console(s->gdb, command, NULL);
	const char *in = said ? strstr(said, " in section ") : NULL;
	g_auto(GStrv) words = NULL;

	if (!in)
		return NULL;
	*(char *)in = '\0';
	words = g_strsplit(said, " + ", 2);
	if (strspn(words[0], G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_.") < strlen(words[0]))
		return distance_from_main(s, addr);
	return g_strconcat(words[0], "+", words[1] ? words[1] : "0", NULL);
}

/* A breakpoint without condition that was there from the start of the run counted
 * how often the place was reached. */
static unsigned times_of(struct session *s)
{
	g_autoptr(mi_record) r = NULL;
	uint64_t times = 0;

	if (!s->stop_breakpoint || s->stop_breakpoint > s->breakpoints_at_start)
		return 0;
	r = mi_conn_command(s->gdb, -1, NULL, "-break-info %u", s->stop_breakpoint);
	if (!r || mi_get(r->results, "BreakpointTable.body.0.cond") ||
	    mi_get(r->results, "BreakpointTable.body.0.locations") ||
	    mi_get(r->results, "BreakpointTable.body.1") ||
	    !mi_get_u64(r->results, "BreakpointTable.body.0.times", &times))
		return 0;
	return (unsigned)times;
}

/* A call that never returns may be the last instruction of its function. */
static bool is_of_a_library(struct session *s, const struct context *c, const struct mi_frame *f)
{
	g_autofree char *command =
		g_strdup_printf("info symbol 0x%" G_GINT64_MODIFIER "x", f->addr - (f->level > 0));
	g_autofree char *said = mi_cmd_console(s->gdb, command, NULL);
	const char *in = said ? strstr(g_strchomp(said), " in section ") : NULL;
	const char *of = in ? strstr(in, " of ") : NULL;

	return of && g_strcmp0(of + strlen(" of "), c->program) != 0;
}

/* Around the one that is selected, a frame of the program's own: GDB's commands are
 * about that from here on, and are put back by select_frame. */
static bool find_own_frame(struct session *s, const struct context *c, struct mi_frame *f,
			   unsigned *selected, GError **error)
{
	g_autoptr(mi_record) r = mi_conn_command(s->gdb, -1, error, "-stack-info-frame");

	if (!r)
		return false;
	mi_frame_init(f, mi_get(r->results, "frame"));
	*selected = f->level;
	for (unsigned i = 0; i < MOST_FRAMES; i++) {
		g_autoptr(mi_record) up = NULL;
		g_autoptr(mi_record) there = NULL;

		if (f->known && f->file && f->line && !f->from && !is_of_a_library(s, c, f))
			return true;
		up = mi_conn_command(s->gdb, -1, NULL, "-stack-select-frame %u", f->level + 1);
		there = up ? mi_conn_command(s->gdb, -1, NULL, "-stack-info-frame") : NULL;
		if (!there)
			break;
		mi_frame_clear(f);
		mi_frame_init(f, mi_get(there->results, "frame"));
	}
	return cannot_replay(error,
			     "There is no source here to ask about; go to a line of the program's "
			     "own, with `up' or `finish', and ask there.");
}

static bool read_stop_of(struct session *s, struct context *c, const struct mi_frame *f,
			 GError **error)
{
	g_autofree char *place = f->level == 0 ? instruction_at(s, f->addr) : NULL;
	g_autofree char *at = NULL;
	unsigned times = f->level == 0 ? times_of(s) : 0;

	if (!place) {
		g_autofree char *file = g_path_get_basename(f->file);

		place = g_strdup_printf("%s:%u", file, f->line);
	}
	at = times ? g_strdup_printf("%s:%u", place, times) : g_strdup(place);
	add_context_option(c->options, "--at", at);
	return read_variables(s, c, times ? NULL : f->fullname, error);
}

static bool read_stop(struct session *s, struct context *c, GError **error)
{
	struct mi_frame f = { 0 };
	unsigned selected = 0;
	bool ok = find_own_frame(s, c, &f, &selected, error) && read_stop_of(s, c, &f, error);
	g_autoptr(mi_record) back =
		mi_conn_command(s->gdb, -1, NULL, "-stack-select-frame %u", selected);

	mi_frame_clear(&f);
	return ok;
}

/* The innermost frame of the program's own is where it failed; is one around that
 * selected? */
static bool is_around_the_failure(struct session *s, const struct context *c)
{
	struct mi_frame here = { 0 }, innermost = { 0 };
	unsigned selected = 0, none;
	bool around = find_own_frame(s, c, &here, &selected, NULL);
	g_autoptr(mi_record) zero = mi_conn_command(s->gdb, -1, NULL, "-stack-select-frame 0");
	g_autoptr(mi_record) back = NULL;

	around = around && find_own_frame(s, c, &innermost, &none, NULL) &&
		 here.level > innermost.level;
	back = mi_conn_command(s->gdb, -1, NULL, "-stack-select-frame %u", selected);
	mi_frame_clear(&here);
	mi_frame_clear(&innermost);
	return around;
}

char *context_evaluate(struct session *s, const struct context *c, const char *expression,
		       char *(*evaluate)(struct session *s, const char *expression))
{
	struct mi_frame f = { 0 };
	unsigned selected = 0;
	char *value = NULL;
	g_autoptr(mi_record) back = NULL;

	if (!mi_conn_program_pid(s->gdb))
		return NULL;
	if (find_own_frame(s, c, &f, &selected, NULL))
		value = evaluate(s, expression);
	back = mi_conn_command(s->gdb, -1, NULL, "-stack-select-frame %u", selected);
	mi_frame_clear(&f);
	return value;
}

bool context_gather(struct session *s, bool at_stop, struct context *c, GError **error)
{
	c->options = g_ptr_array_new_with_free_func(g_free);
	if (mi_conn_is_running(s->gdb))
		return cannot_replay(error,
				     "The program is running; interrupt it first, then ask.");
	if (!find_program(s, c, error) || !read_start(s, c, error))
		return false;
	if (!at_stop || (s->failed && !is_around_the_failure(s, c)))
		return true;
	if (mi_conn_program_pid(s->gdb))
		return read_stop(s, c, error);
	/* at the end of a run, where that fails or exits */
	add_context_option(c->options, "--at", "exit");
	return true;
}

char **context_command_line(const struct session *s, const struct context *c, const char *record,
			    const char *command, const char *const *words)
{
	GPtrArray *argv = g_ptr_array_new();

	g_ptr_array_add(argv, g_file_read_link("/proc/self/exe", NULL));
	add_context_option(argv, command, NULL);
	if (s->gdb_path && strcmp(command, "specs") != 0)
		add_context_option(argv, "--gdb", s->gdb_path);
	if (record)
		add_context_option(argv, "--record", record);
	else if (c->input)
		add_context_option(argv, "--stdin", c->input);
	for (guint i = 0; i < c->options->len; i++)
		add_context_option(argv, c->options->pdata[i], NULL);
	for (; *words; words++)
		add_context_option(argv, *words, NULL);
	add_context_option(argv, "--", c->program);
	/* the arguments are the record's */
	for (guint i = 0; !record && i < c->arguments->len; i++)
		add_context_option(argv, c->arguments->pdata[i], NULL);
	g_ptr_array_add(argv, NULL);
	return (char **)g_ptr_array_free(argv, FALSE);
}
