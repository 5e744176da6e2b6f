/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/source/trace-point/call-results.h"
#include "solver/library/library.h"
#include "solver/source/source.h"
#include "solver/source/value.h"

#include <string.h>

enum { REGISTERS = 6 };

/* A call in the line, and what became of it the last time. */
struct call {
	const struct image *image; /* the image that it is in */
	const struct image_statement *statement;
	uint64_t link, back; /* link-time: the instruction, and the one after it */
	const char *name;
	const struct image_type *type; /* the type of its result */
	bool has_object; /* it is a member function, whose object is its first argument */
	bool called, has_result;
	bool has_arguments; /* .arguments are those of the call that returned .result */
	uint64_t rsp, arguments[REGISTERS], result;
};

struct call_results {
	struct image *const *images;
	size_t n_images;
	GArray *calls; /* struct call, in order of their addresses */
};

static const struct image_type int_type = {
	.kind = IMAGE_TYPE_INT, .name = "int", .size = 4, .is_signed = true
};
static const struct image_type long_type = {
	.kind = IMAGE_TYPE_INT, .name = "long", .size = 8, .is_signed = true
};
static const struct image_type size_type = { .kind = IMAGE_TYPE_INT,
					     .name = "unsigned long",
					     .size = 8 };

/* The types of results of functions without debug information. */
static const struct image_type *native_type(const char *name)
{
	const struct library_function *f = library_find(name);

	switch (f ? f->result : LIBRARY_OTHER) {
	case LIBRARY_INT:
		return &int_type;
	case LIBRARY_LONG:
		return &long_type;
	case LIBRARY_SIZE:
		return &size_type;
	default:
		return NULL;
	}
}

/* A function of one of the images that another one calls; only its name tells. */
static const struct image_type *type_elsewhere(const struct call_results *r, const char *name)
{
	for (size_t i = 0; i < r->n_images; i++) {
		const struct image_function *f = image_function_named(r->images[i], name);

		if (f)
			return image_return_type(r->images[i], f);
	}
	return native_type(name);
}

static void add_result_call(struct call_results *r, const struct image *im,
			    const struct trace_insn *insn, const struct image_statement *s)
{
	const struct image_function *f = image_function_at(im, insn->target);
	struct call c = {
		.image = im, .statement = s, .link = insn->addr, .back = insn->addr + insn->length
	};

	c.name = f ? f->name : image_native_name(im, insn->target);
	if (!c.name)
		return;
	c.has_object = f && image_function_has_object(im, f);
	c.type = f ? image_return_type(im, f) : type_elsewhere(r, c.name);
	if (c.type && c.type->size && c.type->size <= 8 && c.type->kind < IMAGE_TYPE_STRUCT)
		g_array_append_val(r->calls, c);
}

static void add_calls_in_line(struct call_results *r, const struct image *im, unsigned line)
{
	const struct trace_insn *insns;
	size_t n = image_insns(im, &insns);

	for (size_t i = 0; i < n; i++) {
		const struct image_row *row;

		if (insns[i].flow != TRACE_FLOW_CALL)
			continue;
		row = image_row_at(im, insns[i].addr);
		if (row && image_statement(im, row->statement)->line == line)
			add_result_call(r, im, &insns[i], image_statement(im, row->statement));
	}
}

struct call_results *call_results_new(struct image *const *images, size_t n_images, unsigned line)
{
	struct call_results *r = g_new0(struct call_results, 1);

	r->images = images;
	r->n_images = n_images;
	r->calls = g_array_new(FALSE, FALSE, sizeof(struct call));
	for (size_t i = 0; line && i < n_images; i++)
		add_calls_in_line(r, images[i], line);
	return r;
}

void call_results_free(struct call_results *r)
{
	if (!r)
		return;
	g_array_unref(r->calls);
	g_free(r);
}

/* ---- the run ---- */

static struct call *result_call_at(const struct call_results *r, guint i)
{
	return &g_array_index(r->calls, struct call, i);
}

bool call_results_any(const struct call_results *r)
{
	return r->calls->len > 0;
}

bool call_results_is_noted_at(const struct call_results *r, const struct image *im, uint64_t link)
{
	for (guint i = 0; i < r->calls->len; i++) {
		const struct call *c = result_call_at(r, i);

		if (c->image == im && (c->back == link || c->link == link))
			return true;
	}
	return false;
}

static bool take_result(struct call *c, const struct trace_cursor *cursor)
{
	c->result = trace_cursor_reg(cursor, TRACE_RAX);
	if (c->type->kind != IMAGE_TYPE_FLOAT)
		return true;
	memcpy(&c->result, trace_cursor_state(cursor) + IR_STATE_YMM, sizeof(c->result));
	return trace_cursor_state_known(cursor, IR_STATE_YMM, (unsigned)c->type->size);
}

/* What comes later in the line's code has not been called in this evaluation yet. */
static void begin_call(struct call_results *r, guint number, const struct trace_cursor *cursor)
{
	static const uint8_t order[REGISTERS] = { TRACE_RDI, TRACE_RSI, TRACE_RDX,
						  TRACE_RCX, TRACE_R8,	TRACE_R9 };
	struct call *c = result_call_at(r, number);

	for (guint i = number; i < r->calls->len; i++)
		result_call_at(r, i)->called = result_call_at(r, i)->has_result = false;
	c->called = true;
	c->rsp = trace_cursor_reg(cursor, TRACE_RSP);
	for (unsigned i = 0; i < REGISTERS; i++)
		c->arguments[i] = trace_cursor_reg(cursor, (enum trace_reg)order[i]);
}

/* What it called may have called it again since. */
static void end_call(struct call *c, const struct trace_cursor *cursor)
{
	uint64_t rsp = trace_cursor_reg(cursor, TRACE_RSP);

	c->has_arguments = c->called && c->rsp == rsp;
	c->called = true;
	c->rsp = rsp;
	c->has_result = take_result(c, cursor);
}

void call_results_note(struct call_results *r, const struct image *im, uint64_t link,
		       const struct trace_cursor *cursor)
{
	for (guint i = 0; i < r->calls->len; i++) {
		struct call *c = result_call_at(r, i);

		if (c->image != im)
			continue;
		if (c->back == link)
			end_call(c, cursor);
		if (c->link == link)
			begin_call(r, i, cursor);
	}
}

/* ---- which call of the text it was ---- */

static bool is_plain_type(const struct image_type *t)
{
	return t && t->size && t->size <= 8 && t->kind != IMAGE_TYPE_FLOAT &&
	       t->kind >= IMAGE_TYPE_BOOL && t->kind <= IMAGE_TYPE_POINTER;
}

/* The end of the argument that begins at a place: at its comma, or at the closing bracket. */
static size_t end_of_argument(const struct source *s, size_t at, size_t close)
{
	while (at < close && s->code[at] != ',') {
		size_t matching = strchr("([{", s->code[at]) ? source_closing(s, at) : SIZE_MAX;

		at = matching == SIZE_MAX ? at + 1 : MIN(matching + 1, close);
	}
	return at;
}

enum fit { FIT_UNKNOWN, FIT_NOT, FIT_IS };

static enum fit argument_fits(const struct image *im, const struct image_frame *frame,
			      const char *text, uint64_t given)
{
	struct expression x;

	if (!expression_look_up(im, frame, text, &x) || !is_plain_type(x.type) || !x.has_value)
		return FIT_UNKNOWN;
	/* the parameter's type may be wider or narrower */
	return memcmp(x.bytes, &given, MIN(x.type->size, 4)) == 0 ? FIT_IS : FIT_NOT;
}

/* Is the text a call of a member function with the object that the call had? */
static enum fit object_fits(const struct call *c, const struct image *im,
			    const struct image_frame *frame, const struct source *s, size_t open)
{
	size_t end = open;
	bool arrow;
	g_autofree char *text = NULL;

	while (end && source_is_word(s->code[end - 1]))
		end--;
	arrow = end > 1 && s->code[end - 1] == '>';
	if (!end || (!arrow && s->code[end - 1] != '.'))
		return FIT_UNKNOWN;
	text = g_strdup_printf(arrow ? "%.*s" : "&(%.*s)", (int)(end - 1 - arrow), s->code);
	return argument_fits(im, frame, text, c->arguments[0]);
}

/* Was the call given these arguments?  It is not known in which register they are after one that
 * is not known. */
static enum fit call_fits(const struct call *c, const struct image *im,
			  const struct image_frame *frame, const char *text)
{
	struct source *s = source_new(text);
	const size_t close = s->length ? s->length - 1 : SIZE_MAX;
	const size_t open = close == SIZE_MAX ? SIZE_MAX : source_opening(s, close);
	enum fit fit = FIT_UNKNOWN, one = FIT_IS;
	size_t at = open + 1;

	if (open == SIZE_MAX) {
		source_free(s);
		return FIT_UNKNOWN;
	}
	if (c->has_object)
		fit = object_fits(c, im, frame, s, open);
	for (unsigned i = c->has_object;
	     fit != FIT_NOT && close != SIZE_MAX && at < close && i < REGISTERS; i++) {
		size_t end = end_of_argument(s, at, close);
		g_autofree char *argument = source_text(s, source_trim(s, at, end));

		one = argument ? argument_fits(im, frame, argument, c->arguments[i]) : FIT_UNKNOWN;
		if (one == FIT_UNKNOWN)
			break;
		fit = one;
		if (fit == FIT_NOT)
			break;
		at = end + 1;
	}
	source_free(s);
	return fit;
}

static bool is_call_of_line(const struct call *c, const struct image *im,
			    const struct image_frame *frame, const char *name)
{
	const struct image_row *row = image_row_at(im, frame->pc);
	const struct image_statement *s = row ? image_statement(im, row->statement) : NULL;

	return c->image == im && strcmp(c->name, name) == 0 && s &&
	       strcmp(s->file, c->statement->file) == 0 &&
	       strcmp(s->function, c->statement->function) == 0;
}

static unsigned count_parts(const GArray *parts, const char *call)
{
	unsigned n = 0;

	for (guint i = 0; i < parts->len; i++)
		n += g_strcmp0(g_array_index(parts, struct expression_part, i).call, call) == 0;
	return n;
}

char *call_results_text(const struct call_results *r, const struct image *im,
			const struct image_frame *frame, const GArray *parts, guint i)
{
	const struct expression_part *part = &g_array_index(parts, struct expression_part, i);
	const struct call *found = NULL;
	unsigned in_code = 0;
	bool known = true;

	for (guint k = 0; k < r->calls->len; k++) {
		const struct call *c = result_call_at(r, k);
		enum fit fit;

		if (!is_call_of_line(c, im, frame, part->call))
			continue;
		in_code++;
		fit = !c->called	 ? FIT_NOT
		      : c->has_arguments ? call_fits(c, im, frame, part->text)
					 : FIT_UNKNOWN;
		if (fit == FIT_NOT && count_parts(parts, part->call) > 1)
			continue;
		known &= c->has_result && c->rsp == frame->regs[TRACE_RSP] &&
			 (!found || found->result == c->result);
		found = c;
	}
	if (!found || !known || (in_code > 1 && count_parts(parts, part->call) < 2))
		return NULL;
	return value_text(im, frame, found->type, (const uint8_t *)&found->result,
			  found->type->size);
}
