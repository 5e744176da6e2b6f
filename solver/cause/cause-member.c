/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Objects of C++'s library are filled by its member functions, which are not traced:
 *
 *     std::string op = text;      op[0] was made by what `basic_string' did there
 *     op.append(more);            or was perhaps changed here, where op was passed to `append'
 */
#include "solver/cause/cause-private.h"
#include "solver/cause/cause-reading.h"
#include "solver/library/mangled.h"

#include <string.h>

/* The member at that offset that is no bit-field; the offset becomes that in the member.  NULL =
 * there is none. */
static const struct image_type *member_around(const struct image_type *t, uint64_t *offset)
{
	for (uint32_t i = 0; i < t->n_members; i++) {
		const struct image_member *m = &t->members[i];
		const uint64_t from = m->bit_offset / 8;

		if (m->bit_size || !m->type || *offset < from || *offset - from >= m->type->size)
			continue;
		*offset -= from;
		return m->type;
	}
	return NULL;
}

/* "12basic_string" for "basic_string<char, ...>", as it stands in the names of member functions;
 * NULL: the class has no name. */
static char *mangled_class(const struct image_type *t)
{
	const size_t n = t->name ? strcspn(t->name, "<") : 0;

	return n ? g_strdup_printf("%zu%.*s", n, (int)n, t->name) : NULL;
}

/* The byte and the object lie so far from the start of the type: the class of the object, as
 * mangled_class, when the byte is in it, and the function is one of its members.  Else NULL. */
static char *class_around(const struct image_type *t, uint64_t byte, uint64_t object,
			  const char *function)
{
	while (t && byte >= object) {
		g_autofree char *class =
			t->kind == IMAGE_TYPE_STRUCT && !object ? mangled_class(t) : NULL;
		uint64_t in = byte;

		if (class && strstr(function, class))
			return g_steal_pointer(&class);
		if (t->kind == IMAGE_TYPE_ARRAY && t->target && t->target->size) {
			in %= t->target->size;
			t = t->target;
		} else {
			t = t->kind == IMAGE_TYPE_STRUCT ? member_around(t, &in) : NULL;
		}
		if (object < byte - in)
			return NULL;
		object -= byte - in;
		byte = in;
	}
	return NULL;
}

static bool is_destructor(const char *function)
{
	return g_str_has_suffix(function, "D1Ev") || g_str_has_suffix(function, "D2Ev");
}

bool cause_may_fill_object(const char *function)
{
	/* these change nothing by themselves */
	static const char *const readers[] = { "operator[]", "at",    "front",	"back",
					       "begin",	     "end",   "rbegin", "rend",
					       "data",	     "c_str", NULL };
	g_autofree char *name = NULL;

	if (!mangled_is_member(function) || g_str_has_prefix(function, "_ZNK"))
		return false;
	name = mangled_words(function);
	return !g_strv_contains(readers, name);
}

static const char *symbol_called_at(struct finder *f, uint64_t step)
{
	const struct reverse_index_insn *info =
		reverse_index_insn_of(f->index, reverse_index_at(f->index, step));

	return info->insn->flow == TRACE_FLOW_CALL
		       ? image_native_name(info->module->image, info->insn->target)
		       : NULL;
}

struct member_call {
	uint64_t step;
	bool constructs;
	char *name; /* as people write it */
};

/* Is the call at the step one of a member function of the object around the place? */
static bool is_of_object(struct finder *f, const struct image_lvalue *lv,
			 const struct reverse_index_place *place, uint64_t step,
			 struct member_call *call)
{
	const char *function = symbol_called_at(f, step);
	g_autofree char *class = NULL, *name = NULL;
	uint64_t object;

	if (!function || !library_argument(f->index, step, 1, &object) || object < lv->object)
		return false;
	class = class_around(lv->variable->type, place->address - lv->object, object - lv->object,
			     function);
	if (!class)
		return false;
	name = mangled_words(function);
	call->step = step;
	call->constructs = g_str_has_suffix(class, name);
	call->name = is_destructor(function) ? NULL : g_steal_pointer(&name);
	return true;
}

/* The last such call before the step that may have filled the object.  False also when the object
 * is no more. */
static bool find_member_call(struct finder *f, const struct image_lvalue *lv,
			     const struct reverse_index_place *place, uint64_t step,
			     struct member_call *call)
{
	uint64_t at = step;

	for (uint64_t left = reverse_index_limits(f->index)->slice_calls; left > 0; left--) {
		at = cause_last_call_of(f, f->origins->members, at);
		if (at == UINT64_MAX ||
		    reverse_index_left_frame(f->index, place->address, at, step))
			return false;
		if (is_of_object(f, lv, place, at, call))
			return call->name != NULL;
	}
	return false;
}

static void take_line_of_call(struct finder *f, struct known_cause *k, uint64_t step)
{
	const struct reverse_index_insn *info = reverse_index_insn_of(
		f->index, reverse_index_at(f->index, cause_users_step(f, step)));
	const struct image *im = info->module->image;
	const struct image_row *row = image_row_at(im, info->insn->addr);

	if (row)
		cause_take_line(f, k, im, image_statement(im, row->statement));
}

/* The variable of a function around the trace point that has the place, and had it at the step. */
static bool find_outer_variable(struct finder *f, uint64_t step,
				const struct reverse_index_place *place, struct image_lvalue *lv)
{
	const struct image *im = trace_point_image(f->point);
	struct image_frame frame = *trace_point_frame(f->point);
	uint64_t cfa;

	if (place->address >= trace_point_stack(f->point) ||
	    reverse_index_left_frame(f->index, place->address, step, reverse_index_steps(f->index)))
		return false;
	for (uint64_t left = reverse_index_limits(f->index)->overflow_frames;
	     left > 0 && image_unwind(im, &frame, &cfa); left--)
		if (image_name_memory(im, &frame, place->address, place->size, lv))
			return true;
	return false;
}

const char *cause_outer_variable(struct finder *f, uint64_t step,
				 const struct reverse_index_place *place)
{
	const char *name;
	struct image_lvalue lv;

	if (!find_outer_variable(f, step, place, &lv))
		return NULL;
	name = explanation_string(f->e, lv.text);
	image_lvalue_clear(&lv);
	return name;
}

/* May it change an object of which it gets the address?  Of a member function that is known
 * otherwise; "RK" is a reference to what it may only read. */
static bool may_fill_argument(const char *function)
{
	return function && !mangled_is_member(function) &&
	       !(g_str_has_prefix(function, "_Z") && strstr(function, "RK"));
}

/* The same of the last call of a function that is no member and got the object's address, where
 * that came after the member's: std::getline(in, line). */
static bool find_call_given(struct finder *f, const struct image_lvalue *lv, uint64_t step,
			    struct member_call *call)
{
	uint64_t given = step, left = reverse_index_limits(f->index)->slice_calls;
	const char *function = NULL;

	do {
		given = cause_call_given(f, lv->object, given);
		function = given == UINT64_MAX ? NULL : symbol_called_at(f, given);
	} while (given != UINT64_MAX && !may_fill_argument(function) && left-- > 0);
	if (!may_fill_argument(function) || (call->name && given < call->step) ||
	    reverse_index_left_frame(f->index, lv->object, given, step))
		return false;
	g_free(call->name);
	*call = (struct member_call){ .step = given, .name = mangled_words(function) };
	return true;
}

const char *cause_member_function(struct finder *f, struct known_cause *k, uint64_t step,
				  const struct reverse_index_place *place)
{
	const struct reverse_index_step s = *reverse_index_at(f->index, step);
	const struct reverse_index_insn *info = reverse_index_insn_of(f->index, &s);
	struct image_frame frame = cause_frame_at(f, info, &s);
	struct member_call call = { 0 };
	struct image_lvalue lv;
	g_autofree char *words = NULL;
	bool filled;

	if (!f->origins ||
	    (!image_name_memory(info->module->image, &frame, place->address, place->size, &lv) &&
	     !find_outer_variable(f, step, place, &lv)))
		return NULL;
	filled = find_member_call(f, &lv, place, step, &call);
	if (find_call_given(f, &lv, step, &call) || filled) {
		words = g_strdup_printf(call.constructs ? "made by `%s'" : "passed to `%s'",
					call.name);
		take_line_of_call(f, k, call.step);
	}
	image_lvalue_clear(&lv);
	g_free(call.name);
	return explanation_string(f->e, words);
}
