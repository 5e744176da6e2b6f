/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two objects may look alike: "the node with key 3".  Then each says where it was made. */
#include "solver/base/ordinal.h"
#include "solver/cause/cause-reading.h"
#include "solver/source/expression/c-expression.h"

#include <string.h>

static bool looks_like(const struct known_cause *a, const struct known_cause *b)
{
	return a->points_to && b->points_to && a->cause.value && b->cause.value &&
	       g_str_has_prefix(a->cause.value, "the ") &&
	       strcmp(a->cause.value, b->cause.value) == 0;
}

static bool has_double(const struct finder *f, const struct known_cause *k)
{
	for (guint i = 0; i < f->tree.causes->len; i++) {
		const struct known_cause *other = cause_at(f, i);

		if (looks_like(k, other) && other->points_to != k->points_to)
			return true;
	}
	return false;
}

static uint64_t pc_of(struct finder *f, uint64_t step)
{
	const struct reverse_index_step s = *reverse_index_at(f->index, step);

	return reverse_index_insn_of(f->index, &s)->pc;
}

/* The call that made the block at the address last before the step. */
static bool find_making(struct finder *f, uint64_t address, uint64_t step, struct reading *out)
{
	*out = (struct reading){ .step = step };
	for (uint64_t left = reverse_index_limits(f->index)->origin_calls; left; left--) {
		if (!cause_reading_before(f, out->step, out))
			return false;
		if (reading_makes_block(out->called) && out->result == address)
			return true;
	}
	return false;
}

/* How often that place has made a block until then, this one included; 0 = too often to count. */
static unsigned count_made(struct finder *f, uint64_t step)
{
	const uint64_t pc = pc_of(f, step);
	struct reading r = { .step = step };
	unsigned n = 1;

	for (uint64_t left = reverse_index_limits(f->index)->origin_calls; left; left--) {
		if (!cause_reading_before(f, r.step, &r))
			return n;
		n += pc_of(f, r.step) == pc;
	}
	return 0;
}

static void say_where(struct finder *f, struct known_cause *k)
{
	uint64_t step = MIN(k->step, reverse_index_steps(f->index));
	const struct image_statement *s;
	g_autofree char *file = NULL, *text = NULL;
	struct reading r;
	unsigned nth;
	struct name n;

	if (!find_making(f, k->points_to, step, &r) ||
	    !naming_statement(f->naming, pc_of(f, r.step), &n))
		return;
	s = n.statement;
	nth = count_made(f, r.step);
	file = g_path_get_basename(s->file);
	text = nth ? g_strdup_printf("%s, made at %s:%u, the %u%s", k->cause.value, file, s->line,
				     nth, ordinal_ending(nth))
		   : g_strdup_printf("%s, made at %s:%u", k->cause.value, file, s->line);
	k->apart = explanation_string(f->e, text);
}

static uint64_t pointer_of(const struct expression_code *code)
{
	return code && code->value >= 0 && code->type->kind == IMAGE_TYPE_POINTER &&
			       code->temps[code->value].known
		       ? code->temps[code->value].w[0]
		       : 0;
}

static void tell_all_apart(struct finder *f)
{
	const struct cause_tree *t = &f->tree;

	if (!f->origins)
		f->origins = cause_origins_new(f->point);
	for (guint i = 0; i < t->causes->len; i++)
		if (has_double(f, cause_at(f, i)))
			say_where(f, cause_at(f, i));
	for (guint i = 0; i < t->causes->len; i++)
		if (cause_at(f, i)->apart)
			cause_at(f, i)->cause.value = cause_at(f, i)->apart;
}

void cause_tell_apart(struct cause_tree *t)
{
	struct finder *f = (struct finder *)t;
	struct known_cause *asked = cause_at(f, 0);

	if (asked->code)
		asked->points_to = pointer_of(asked->code);
	tell_all_apart(f);
}

/* The pointer that the expression has at the trace point; 0 = it is none, or not known. */
static uint64_t pointer_at(const struct trace_point *m, const char *text)
{
	const struct image *im = trace_point_image(m);
	struct c_expression *expression = c_expression_parse(im, text, NULL);
	struct expression_code *code =
		expression ? expression_compile(im, trace_point_frame(m), expression, NULL) : NULL;
	uint64_t pointer = 0;

	if (code) {
		expression_run(code, trace_point_frame(m), trace_point_cursor(m));
		pointer = pointer_of(code);
	}
	expression_code_free(code);
	c_expression_free(expression);
	return pointer;
}

void cause_tell_values_apart(struct explanation *e, const struct trace_point *m,
			     struct reverse_index *index, GArray *values)
{
	struct finder *f = cause_finder(e, m, index, NULL);

	g_ptr_array_set_size(f->tree.causes, 0);
	for (guint i = 0; i < values->len; i++) {
		const struct explanation_value *v =
			&g_array_index(values, struct explanation_value, i);
		struct known_cause *k = g_new0(struct known_cause, 1);

		k->cause.value = v->value;
		k->step = UINT64_MAX;
		k->points_to =
			v->value && g_str_has_prefix(v->value, "the ") ? pointer_at(m, v->name) : 0;
		g_ptr_array_add(f->tree.causes, k);
	}
	tell_all_apart(f);
	for (guint i = 0; i < values->len; i++)
		g_array_index(values, struct explanation_value, i).value =
			cause_at(f, i)->cause.value;
	cause_tree_free(&f->tree);
}
