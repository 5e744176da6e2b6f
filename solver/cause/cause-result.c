/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a call in the line of the trace point returned, and why; what a register holds. */
#include "solver/cause/cause-private.h"
#include "solver/cause/cause-reading.h"
#include "solver/source/operand-text.h"
#include "solver/source/value.h"

#include <string.h>

/* "area" of "area(x, y)" and "shape.area()"; NULL: the text is no call alone.  Free it. */
static char *name_that_is_called(const char *text)
{
	const size_t head = strcspn(text, "(");
	g_autofree char *before = g_strndup(text, head);
	const char *name = operand_text_last_word(g_strchomp(before));
	unsigned depth = 0;

	for (const char *at = text + head; *at; at++) {
		depth += *at == '(';
		depth -= *at == ')';
		if (!depth)
			return at[1] || !*name ? NULL : g_strdup(name);
	}
	return NULL;
}

static bool calls_named(const struct image *im, const struct trace_insn *insn, const char *name)
{
	const struct image_function *f = image_function_at(im, insn->target);

	return insn->flow == TRACE_FLOW_CALL &&
	       g_strcmp0(f ? f->name : image_native_name(im, insn->target), name) == 0;
}

/* The only call of that function in the line of the statement; NULL: there are none, or several. */
static const struct trace_insn *only_call(const struct image *im, const struct image_statement *st,
					  const char *name)
{
	const struct trace_insn *insns, *found = NULL;
	size_t n = image_insns(im, &insns);

	for (size_t i = 0; i < n; i++) {
		const struct image_row *row =
			calls_named(im, &insns[i], name) ? image_row_at(im, insns[i].addr) : NULL;
		const struct image_statement *s = row ? image_statement(im, row->statement) : NULL;

		if (!s || s->line != st->line || g_strcmp0(s->file, st->file) != 0)
			continue;
		if (found)
			return NULL;
		found = &insns[i];
	}
	return found;
}

static unsigned register_of_result(const struct image *im, const struct trace_insn *call)
{
	const struct image_function *f = image_function_at(im, call->target);
	const struct image_type *t = f ? image_return_type(im, f) : NULL;

	return t && t->kind == IMAGE_TYPE_FLOAT ? TRACE_XMM0 : TRACE_RAX;
}

const char *cause_value_of_register(struct finder *f, const struct name *n,
				    const struct definition *d, uint64_t value)
{
	g_autofree char *text = NULL;
	uint8_t bytes[sizeof value];

	if (!n->type || !image_type_is_aggregate(n->type))
		return naming_value(f->naming, n, d, value, value);
	if (n->type->size > sizeof bytes)
		return NULL;
	memcpy(bytes, &value, sizeof bytes);
	text = value_text(n->image, &n->frame, n->type, bytes, n->type->size);
	return explanation_string(f->e, text);
}

struct cause_tree *cause_of_result(struct explanation *e, const struct trace_point *m,
				   struct reverse_index *index, const char *text)
{
	const struct image *im = trace_point_image(m);
	const struct image_statement *st = trace_point_statement(m);
	g_autofree char *name = st ? name_that_is_called(text) : NULL;
	const struct trace_insn *call = name ? only_call(im, st, name) : NULL;
	uint64_t bias = 0, behind, step;
	struct finder *f;

	if (!call || !trace_point_bias_of(m, im, &bias))
		return NULL;
	behind = call->addr + call->length + bias;
	step = reverse_index_find_insn(index, 0, reverse_index_steps(index), &behind, 1);
	if (step == UINT64_MAX)
		return NULL;
	f = cause_finder(e, m, index, text);
	cause_at(f, 0)->place = (struct reverse_index_place){ .reg = register_of_result(im, call) };
	cause_at(f, 0)->asks_place = true;
	cause_at(f, 0)->before = step;
	return &f->tree;
}
