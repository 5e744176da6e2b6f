/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/question/stack-overflow.h"
#include "gdbext/question/notes.h"
#include "solver/image/variable/variable.h"
#include "solver/source/value.h"
#include "solver/trace/run.h"

#include <signal.h>
#include <string.h>
#include <sys/resource.h>

enum { MOST_CONDITIONS = 4 }; /* that are named */

/* A call that is open. */
struct call {
	const struct image_function *function;
	uint64_t pc;	 /* link-time: the call in it; the innermost one: where it crashed */
	uint64_t cfa;	 /* the end of its frame */
	char *arguments; /* "i = 6"; NULL = they are not all known */
};

static void call_clear(gpointer call)
{
	g_free(((struct call *)call)->arguments);
}

static bool is_full(const struct question *q)
{
	const struct replay_failing *f = &q->run.failing;
	uint64_t sp = trace_point_frame(q->point)->regs[TRACE_RSP],
		 used = trace_point_stack(q->point) - sp, near = q->o->limits.stack_end;
	struct rlimit limit;

	return f->end == RUN_SIGNAL && f->signo == SIGSEGV && !getrlimit(RLIMIT_STACK, &limit) &&
	       limit.rlim_cur != RLIM_INFINITY && sp < trace_point_stack(q->point) &&
	       used + near > limit.rlim_cur && used < limit.rlim_cur + near;
}

/* The argument as memory has it now; NULL when it is not in memory, or not known.  The caller
 * frees it. */
static char *argument_in_words(const struct image *im, const struct image_frame *frame,
			       const struct image_variable *v)
{
	struct image_place place = image_locate(im, v, frame);
	size_t size = v->type ? v->type->size : 0;
	g_autofree char *text = NULL;
	uint64_t value;

	if (place.kind != IMAGE_PLACE_MEMORY || !size || size > 8 ||
	    !frame->read(frame->arg, place.address, (unsigned)size, &value))
		return NULL;
	text = value_text(im, frame, v->type, (const uint8_t *)&value, size);
	return text ? g_strdup_printf("%s = %s", v->name, text) : NULL;
}

/* NULL when any is not known, or there are none; caller frees. */
static char *arguments_in_words(const struct image *im, const struct image_frame *frame)
{
	const struct image_variable *const *there;
	size_t n = image_variables_at(im, frame->pc, &there);
	/* naming a value asks for variables again, and that forgets these */
	g_autofree const struct image_variable **variables = g_memdup2(there, n * sizeof *there);
	GString *all = g_string_new(NULL);
	bool known = true;

	for (size_t i = 0; known && i < n; i++) {
		g_autofree char *one = NULL;

		if (!variables[i]->parameter || variables[i]->inlined)
			continue;
		one = argument_in_words(im, frame, variables[i]);
		known = one != NULL;
		g_string_append_printf(all, "%s%s", all->len ? ", " : "", one ? one : "");
	}
	return g_string_free(all, !known || !all->len);
}

/* From the innermost call outwards, as far as frames of the image can be unwound. */
static GArray *open_calls(const struct question *q)
{
	GArray *calls = g_array_new(FALSE, TRUE, sizeof(struct call));
	struct image_frame frame = *trace_point_frame(q->point);
	const struct image *im = trace_point_image(q->point);

	g_array_set_clear_func(calls, call_clear);
	while (calls->len < q->o->limits.overflow_frames) {
		struct call c = { image_function_at(im, frame.pc), frame.pc, 0, NULL };

		if (!c.function || !image_cfa(im, &frame, &c.cfa))
			break;
		c.arguments = arguments_in_words(im, &frame);
		g_array_append_val(calls, c);
		if (!image_unwind(im, &frame, &c.cfa))
			break;
	}
	return calls;
}

static const struct call *stacked_call_at(const GArray *calls, guint i)
{
	return &g_array_index(calls, struct call, i);
}

/* How many calls come again and again; 0 = none do.  The innermost one, which did not get as far
 * as the others, does not count. */
static guint cycle_of(const GArray *calls, const struct limits *limits)
{
	const guint rounds = (guint)limits->overflow_rounds;

	for (guint n = 1; n <= limits->overflow_cycle && calls->len > n * rounds; n++) {
		guint same = 0;

		while (same + n + 1 < calls->len &&
		       stacked_call_at(calls, same + 1)->pc ==
			       stacked_call_at(calls, same + n + 1)->pc)
			same++;
		if (same + n + 1 == calls->len || same >= n * rounds)
			return n;
	}
	return 0;
}

/* ---- in words ---- */

static char *names_of(const GArray *calls, guint cycle)
{
	GString *names = g_string_new(NULL);

	for (guint i = cycle; i > 0; i--)
		g_string_append_printf(names, "%s%s", names->len ? ", " : "",
				       stacked_call_at(calls, i)->function->name);
	return g_string_free(names, FALSE);
}

static const char *describe_recursion(struct question *q, const GArray *calls, guint cycle)
{
	g_autofree char *names = names_of(calls, cycle), *cause = NULL;
	uint64_t round = stacked_call_at(calls, cycle + 1)->cfa - stacked_call_at(calls, 1)->cfa,
		 used = trace_point_stack(q->point) - stacked_call_at(calls, 1)->cfa;

	cause = g_strdup_printf(cycle == 1 ? "stack overflow (SIGSEGV): %s calls itself, about "
					     "%" G_GUINT64_FORMAT " calls deep,"
					   : "stack overflow (SIGSEGV): %s call each other, about "
					     "%" G_GUINT64_FORMAT " rounds deep,",
				names, round ? used / round : 0);
	return explanation_string(q->e, cause);
}

/* The statement of the condition at a block's end. */
static const struct image_statement *condition_of_block(const struct image *im,
							const struct image_block *block)
{
	const struct trace_insn *last = image_insn_at(im, block->last);
	const struct image_row *row =
		last && last->flow == TRACE_FLOW_COND ? image_row_at(im, block->last) : NULL;

	return row ? image_statement(im, row->statement) : NULL;
}

/* The conditions on which it depends whether a call of the cycle is made. */
static void note_conditions(struct question *q, const GArray *calls, guint cycle)
{
	const struct image *im = trace_point_image(q->point);
	g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);

	for (guint i = 1; i <= cycle; i++) {
		const struct call *c = stacked_call_at(calls, i);
		const struct image_cfg *cfg = image_cfg(im, c->function);
		const struct image_block *b = image_block_at(im, c->function, c->pc);

		for (uint32_t k = 0; b && k < b->n_control; k++) {
			const struct image_statement *s =
				condition_of_block(im, &cfg->blocks[b->control[k]]);
			const char *line = s ? image_source_line(im, s->file, s->line) : NULL;
			g_autofree char *text = line ? g_strstrip(g_strdup(line)) : NULL;
			g_autofree char *file = s ? g_path_get_basename(s->file) : NULL;

			if (!s || !g_hash_table_add(seen, (gpointer)s) ||
			    g_hash_table_size(seen) > MOST_CONDITIONS)
				continue;
			notes_printf(
				q->e,
				"whether %s goes on calling depends on the condition at %s:%u: "
				"%s",
				c->function->name, file, s->line, text ? text : "?");
		}
	}
	if (!g_hash_table_size(seen))
		notes_printf(q->e, "no condition stands before the call, so nothing ends the "
				   "recursion");
}

static bool is_same_call_again(const struct call *inner, const struct call *outer)
{
	return inner->pc == outer->pc && inner->arguments &&
	       g_strcmp0(inner->arguments, outer->arguments) == 0;
}

/* How many calls before each of the innermost ones there is one with the same arguments; 0 = there
 * is none, or they are not known. */
static guint period_of(const GArray *calls, const struct limits *limits)
{
	for (guint n = 1; n <= limits->overflow_cycle && calls->len > 3 * n; n++) {
		guint same = 0;

		while (same + n + 1 < calls->len &&
		       is_same_call_again(stacked_call_at(calls, same + 1),
					  stacked_call_at(calls, same + n + 1)))
			same++;
		if (same >= 2 * n)
			return n;
	}
	return 0;
}

/* Says that a call with the same arguments is made inside itself. */
static void note_repeated_arguments(struct question *q, const GArray *calls)
{
	guint n = period_of(calls, &q->o->limits);
	const struct call *c = n ? stacked_call_at(calls, 1) : NULL;

	if (n == 1)
		notes_printf(q->e, "each call of %s has the same arguments as the one before: %s",
			     c->function->name, c->arguments);
	else if (n)
		notes_printf(q->e,
			     "the arguments come back every %u calls: %s is called with %s in a "
			     "call that has the same",
			     n, c->function->name, c->arguments);
}

const char *stack_overflow_describe(struct question *q, uint64_t *back)
{
	g_autoptr(GArray) calls = NULL;
	guint cycle;

	if (!is_full(q))
		return NULL;
	calls = open_calls(q);
	cycle = cycle_of(calls, &q->o->limits);
	if (!cycle)
		return NULL;
	*back = stacked_call_at(calls, 1)->pc + 1 + trace_point_frame(q->point)->bias;
	note_repeated_arguments(q, calls);
	note_conditions(q, calls, cycle);
	return describe_recursion(q, calls, cycle);
}
