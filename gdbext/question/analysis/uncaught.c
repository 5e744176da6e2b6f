/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/question/analysis/uncaught.h"

#include "gdbext/question/analysis/open-calls.h"

#include <signal.h>
#include <string.h>

enum { MOST_BYTES = 200 }; /* of what() that are told */

/* An instruction of an image, link-time. */
struct code_place {
	const struct image *image;
	uint64_t addr;
};

struct thrown {
	char *type; /* "std::out_of_range" */
	char *what; /* its first line; NULL = it has none */
};

static void thrown_clear(struct thrown *t)
{
	g_free(t->type);
	g_free(t->what);
}

/* The first line of the text. */
static char *first_line_of(const char *text)
{
	const size_t line = strcspn(text, "\n"), told = MIN(line, MOST_BYTES);
	g_autofree char *valid = g_utf8_make_valid(text, (gssize)told);

	return told < strlen(text) && text[told + 1] ? g_strconcat(valid, "...", NULL)
						     : g_steal_pointer(&valid);
}

/* What std::terminate wrote last; false: nothing of the kind. */
static bool read_thrown(const char *text, struct thrown *t)
{
	static const char begin[] = "terminate called after throwing an instance of '",
			  end[] = "'\n", what[] = "  what():  ";
	const char *from = g_strrstr(text, begin), *to;

	from = from ? from + strlen(begin) : NULL;
	to = from ? strstr(from, end) : NULL;
	if (!to)
		return false;
	t->type = g_utf8_make_valid(from, to - from);
	to += strlen(end);
	t->what = g_str_has_prefix(to, what) ? first_line_of(to + strlen(what)) : NULL;
	return true;
}

/* ---- where ---- */

static struct code_place code_of_step(const struct question *q, uint64_t step)
{
	const struct reverse_index_insn *insn =
		reverse_index_insn_of(q->index, reverse_index_at(q->index, step));

	return (struct code_place){ insn->module->image, insn->insn->addr };
}

/* The user's own line there: that of the code, or that of the user's call of what the compiler
 * put in from a header of the system. */
static bool users_line_at(struct code_place at, struct image_statement *line)
{
	const struct image_row *row = image_row_at(at.image, at.addr);
	const struct image_statement *s = row ? image_statement(at.image, row->statement) : NULL;

	if (!s || image_is_of_system(s->file))
		return image_users_call_at(at.image, at.addr, line);
	*line = *s;
	return true;
}

/* Outwards from the step; *in: the image of the line. */
static bool find_users_line(const struct question *q, uint64_t step, struct image_statement *line,
			    const struct image **in)
{
	for (; step != UINT64_MAX; step = open_calls_outer(q->index, step)) {
		struct code_place at = code_of_step(q, step);

		*in = at.image;
		if (users_line_at(at, line))
			return true;
	}
	return false;
}

/* The name of the library function that the instruction calls; NULL: it calls none. */
static const char *name_called_at_place(struct code_place at)
{
	const struct trace_insn *insn = image_insn_at(at.image, at.addr);

	return insn && insn->flow == TRACE_FLOW_CALL ? image_native_name(at.image, insn->target)
						     : NULL;
}

static bool is_named_one_of(const char *name, const char *const *names)
{
	return name && g_strv_contains(names, name);
}

/* The last step at which a library function of these names was called, by code that has a line;
 * UINT64_MAX: there is none. */
static uint64_t last_call_of(const struct question *q, const char *const *names)
{
	g_autoptr(GArray) pcs = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	const struct trace_insn *insns;
	uint64_t bias;

	for (size_t i = 0; i < q->run.n_images; i++) {
		const struct image *im = q->run.images[i];
		size_t n = image_insns(im, &insns);

		if (!trace_point_bias_of(q->point, im, &bias))
			continue;
		for (size_t k = 0; k < n; k++) {
			const struct code_place at = { im, insns[k].addr };
			uint64_t pc = at.addr + bias;

			if (is_named_one_of(name_called_at_place(at), names) &&
			    image_row_at(im, at.addr))
				g_array_append_val(pcs, pc);
		}
	}
	return pcs->len ? reverse_index_find_insn(q->index, 0, reverse_index_steps(q->index),
						  (const uint64_t *)(const void *)pcs->data,
						  pcs->len)
			: UINT64_MAX;
}

/* Where functions were left by the exception before it ended the program, it was thrown at the last
 * step that throws, unless one of those that came later was caught. */
static uint64_t step_that_threw(const struct question *q)
{
	static const char *const throws[] = { "__cxa_throw", "__cxa_rethrow", NULL };
	static const char *const catches[] = { "__cxa_begin_catch", NULL };
	const uint64_t thrown = last_call_of(q, throws), caught = last_call_of(q, catches);

	return thrown != UINT64_MAX && (caught == UINT64_MAX || caught < thrown)
		       ? thrown
		       : reverse_index_steps(q->index) - 1;
}

/* ---- in words ---- */

/* The program itself ended by abort or raise, whatever was thrown before. */
static bool ends_by_itself(const char *callee)
{
	static const char *const names[] = { "abort", "raise", "kill", "pthread_kill", NULL };

	return is_named_one_of(callee, names);
}

/* The exception had left functions already when it came to one that is noexcept. */
static bool is_left_on_the_way(const char *callee)
{
	static const char *const names[] = { "_Unwind_Resume", "__clang_call_terminate",
					     "__cxa_call_terminate", NULL };

	return is_named_one_of(callee, names);
}

/* A handler of the program's may call it, and so may code that the compiler made where an exception
 * would leave a function that is noexcept: the two are told alike. */
static bool is_terminated(const char *callee)
{
	return g_strcmp0(callee, "_ZSt9terminatev") == 0;
}

static void describe_thrown(struct question *q, const struct thrown *t, const char *callee)
{
	struct explanation_failure *f = &q->e->failure;
	g_autofree char *name =
		g_strdup_printf(is_terminated(callee) ? "std::terminate after exception %s"
						      : "uncaught exception %s",
				t->type);
	g_autofree char *quoted = t->what ? g_strdup_printf(": \"%s\",", t->what) : g_strdup("");
	g_autofree char *cause = g_strdup_printf("%s (SIGABRT)%s", name, quoted);
	g_autofree char *no = g_strconcat("no ", name, NULL);

	f->cause = explanation_string(q->e, cause);
	f->requirement = explanation_string(q->e, no);
	f->mended.name = explanation_string(q->e, name);
}

/* The values are those of variables at the end, so they go when the line is another one. */
static void describe_users_line(struct question *q, const struct image_statement *line,
				const struct image *im)
{
	struct explanation_failure *f = &q->e->failure;
	const char *text = image_source_line(im, line->file, line->line);
	g_autofree char *trimmed = text ? g_strstrip(g_strdup(text)) : NULL;

	if (f->line == line->line && g_strcmp0(f->file, line->file) == 0)
		return;
	f->function = explanation_string(q->e, line->function);
	f->file = explanation_string(q->e, line->file);
	f->line = line->line;
	f->column = line->column;
	f->text = f->statement = explanation_string(q->e, trimmed);
	g_array_set_size(f->values, 0);
}

void uncaught_describe(struct question *q)
{
	const struct replay_failing *f = &q->run.failing;
	struct image_statement line;
	const struct image *in;
	struct thrown t = { 0 };
	g_autofree char *said = NULL;
	const char *callee;
	uint64_t step;

	if (f->end != RUN_SIGNAL || f->signo != SIGABRT || !f->err ||
	    g_strcmp0(q->e->failure.kind, "signal") != 0 || !q->index ||
	    !reverse_index_steps(q->index) || !g_file_get_contents(f->err, &said, NULL, NULL))
		return;
	step = reverse_index_steps(q->index) - 1;
	callee = name_called_at_place(code_of_step(q, step));
	if (ends_by_itself(callee) || !read_thrown(said, &t))
		return;
	describe_thrown(q, &t, callee);
	if (is_left_on_the_way(callee))
		step = step_that_threw(q);
	if (find_users_line(q, step, &line, &in))
		describe_users_line(q, &line, in);
	thrown_clear(&t);
}
