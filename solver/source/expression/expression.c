/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/image/variable/variable.h"
#include "solver/source/expression/expression-private.h"
#include "solver/source/expression/c-type.h"
#include "solver/isa/eval.h"

#include <stdarg.h>
#include <string.h>

static const struct operand failed = { NULL, -1, -1, 0, 0 };

int32_t compile_op(struct compiler *c, struct ir_op op)
{
	g_array_append_val(c->ops, op);
	return (int32_t)c->ops->len - 1;
}

int32_t compile_constant(struct compiler *c, unsigned width, uint64_t value)
{
	uint64_t mask = width < 64 ? (UINT64_C(1) << width) - 1 : ~UINT64_C(0);

	return compile_op(c, (struct ir_op){ .kind = IR_CONST,
					     .width = (uint16_t)width,
					     .a = -1,
					     .b = -1,
					     .c = -1,
					     .d = -1,
					     .value = value & mask });
}

unsigned compile_width(const struct compiler *c, int32_t op)
{
	return g_array_index(c->ops, struct ir_op, (guint)op).width;
}

struct operand compile_fail(struct compiler *c, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (!c->error)
		c->error = g_error_new_valist(C_EXPRESSION_ERROR, C_EXPRESSION_ERROR_TYPE, format,
					      args);
	va_end(args);
	return failed;
}

/* ---- members, elements, pointers ---- */

/* Finds a member, also one of an anonymous struct inside. */
static bool find_member(const struct image_type *t, const char *name, struct image_member *out,
			unsigned depth)
{
	for (uint32_t i = 0; depth < 8 && i < t->n_members; i++) {
		const struct image_member *m = &t->members[i];

		if (m->name && strcmp(m->name, name) == 0) {
			*out = *m;
			return true;
		}
		if (!m->name && m->type && find_member(m->type, name, out, depth + 1)) {
			out->bit_offset += m->bit_offset;
			return true;
		}
	}
	return false;
}

static struct operand operand_of_member(struct compiler *c, struct operand x,
					const struct image_member *m)
{
	int32_t at;

	if (x.address < 0)
		return (struct operand){
			m->type, -1,
			compile_op(c,
				   (struct ir_op){
					   .kind = IR_UNKNOWN,
					   .width = (uint16_t)(8 * MIN(MAX(m->type->size, 1), 8)),
					   .a = -1,
					   .b = -1,
					   .c = -1,
					   .d = -1 }),
			0, 0
		};
	at = compile_op(c, (struct ir_op){ .kind = IR_ADD,
					   .width = 64,
					   .a = x.address,
					   .b = compile_constant(c, 64, m->bit_offset / 8),
					   .c = -1,
					   .d = -1 });
	return compile_referred(c, (struct operand){ m->type, at, -1,
						     m->bit_size ? m->bit_offset % 8 : 0,
						     m->bit_size });
}

static struct operand member_operand(struct compiler *c, struct operand x, const char *name)
{
	struct image_member m;

	if (!x.type)
		return failed;
	if (x.type->kind != IMAGE_TYPE_STRUCT && x.type->kind != IMAGE_TYPE_UNION)
		return compile_fail(c, "`.%s' needs a struct or union before it", name);
	if (!find_member(x.type, name, &m, 0) || !m.type)
		return compile_fail(c, "%s has no member `%s'",
				    x.type->name ? x.type->name : "the struct", name);
	return operand_of_member(c, x, &m);
}

/* Finds a member of that kind and name in the object, its bases, or its members. */
static bool find_inner_member(const struct image_type *t, const char *name,
			      enum image_type_kind kind, struct image_member *out, unsigned depth)
{
	for (uint32_t i = 0; depth < 8 && i < t->n_members; i++) {
		const struct image_member *m = &t->members[i];

		if (m->name && m->type && m->type->kind == kind && strcmp(m->name, name) == 0) {
			*out = *m;
			return true;
		}
		if (m->type && find_inner_member(m->type, name, kind, out, depth + 1)) {
			out->bit_offset += m->bit_offset;
			return true;
		}
	}
	return false;
}

/* An object of C++'s library that is used as a pointer or an array does as the one in it; others
 * are left as they are.  The names are those of libstdc++. */
static struct operand pointer_of_library(struct compiler *c, struct operand x)
{
	static const struct {
		const char *class_name, *member;
		enum image_type_kind kind;
	} all[] = {
		{ "vector<", "_M_start", IMAGE_TYPE_POINTER },
		{ "array<", "_M_elems", IMAGE_TYPE_ARRAY },
		{ "basic_string<", "_M_p", IMAGE_TYPE_POINTER },
		{ "unique_ptr<", "_M_head_impl", IMAGE_TYPE_POINTER },
		{ "shared_ptr<", "_M_ptr", IMAGE_TYPE_POINTER },
		{ "__normal_iterator<", "_M_current", IMAGE_TYPE_POINTER },
	};
	struct image_member m;

	for (size_t i = 0; i < G_N_ELEMENTS(all); i++)
		if (x.type && x.type->kind == IMAGE_TYPE_STRUCT && x.type->name &&
		    g_str_has_prefix(x.type->name, all[i].class_name) &&
		    find_inner_member(x.type, all[i].member, all[i].kind, &m, 0))
			return operand_of_member(c, x, &m);
	return x;
}

static struct operand pointer_target_operand(struct compiler *c, struct operand p)
{
	p = compile_value(c, pointer_of_library(c, p));
	if (!p.type)
		return failed;
	if (p.type->kind != IMAGE_TYPE_POINTER)
		return compile_fail(c, "`*', `->' and `[]' need a pointer");
	if (!p.type->target)
		return compile_fail(c, "a void pointer points to nothing of a known type; cast it");
	return (struct operand){ p.type->target, p.value, -1, 0, 0 };
}

static struct operand element_operand(struct compiler *c, struct operand x, struct operand index)
{
	x = compile_value(c, pointer_of_library(c, x));
	index = compile_value(c, index);
	if (!x.type || !index.type)
		return failed;
	if (x.type->kind != IMAGE_TYPE_POINTER || !c_type_is_integer(index.type))
		return compile_fail(c, "`[]' needs an array or pointer, and a whole number");
	x = compile_offset(c, x, index, false);
	return x.type ? pointer_target_operand(c, x) : failed;
}

static struct operand address_operand(struct compiler *c, struct operand x)
{
	if (!x.type)
		return failed;
	if (x.bits)
		return compile_fail(c, "a bit-field has no address");
	if (x.address < 0)
		return compile_fail(c, "that has no address: it is in a register or a constant");
	return (struct operand){ image_pointer_to(c->im, x.type), -1, x.address, 0, 0 };
}

/* ---- the tree ---- */

static struct operand compile_node(struct compiler *c, const struct c_node *n);

static struct operand literal_operand(struct compiler *c, const struct c_node *n)
{
	uint64_t bits = n->integer;
	float f = (float)n->real;

	if (n->type->kind == IMAGE_TYPE_FLOAT && n->type->size == sizeof(f)) {
		bits = 0;
		memcpy(&bits, &f, sizeof(f));
	} else if (n->type->kind == IMAGE_TYPE_FLOAT) {
		memcpy(&bits, &n->real, sizeof(bits));
	}
	return (struct operand){ n->type, -1,
				 compile_constant(c, 8 * (unsigned)n->type->size, bits), 0, 0 };
}

static struct operand size_operand(struct compiler *c, const struct c_node *n)
{
	const struct image_type *t = n->type;

	if (n->a) {
		struct operand x = compile_node(c, n->a);

		if (x.type && x.bits)
			return compile_fail(c, "a bit-field has no size");
		t = x.type;
	}
	if (!t)
		return failed;
	if (!t->size)
		return compile_fail(c, "the size of that is not known");
	return (struct operand){ c_type(C_ULONG), -1, compile_constant(c, 64, t->size), 0, 0 };
}

static struct operand unary_operand(struct compiler *c, const struct c_node *n)
{
	struct operand x = compile_node(c, n->a);

	if (n->op == '*')
		return pointer_target_operand(c, x);
	if (n->op == '&')
		return address_operand(c, x);
	return compile_unary(c, n->op, x);
}

/* A member function of C++ has the members of its object as names, too: variables of the function
 * hide them, and they hide those outside of it. */
static struct operand name_operand(struct compiler *c, const char *name)
{
	const struct image_variable *v = compile_find_variable(c, name), *of;
	const struct image_type *t;
	struct image_member m;

	if (v && v->function)
		return compile_name(c, name);
	of = compile_find_variable(c, "this");
	t = of && of->function && of->type ? of->type->target : NULL;
	if (!t || !find_member(t, name, &m, 0))
		return compile_name(c, name);
	return member_operand(c, pointer_target_operand(c, compile_name(c, "this")), name);
}

static struct operand compile_node(struct compiler *c, const struct c_node *n)
{
	struct operand x, y;

	switch (n->kind) {
	case C_NODE_CONSTANT:
		return literal_operand(c, n);
	case C_NODE_NAME:
		return name_operand(c, n->name);
	case C_NODE_STRING:
		return compile_fail(c, "a string can only be compared, with `==' or `!='");
	case C_NODE_MEMBER:
		return member_operand(c, compile_node(c, n->a), n->name);
	case C_NODE_INDEX:
		x = compile_node(c, n->a);
		return element_operand(c, x, compile_node(c, n->b));
	case C_NODE_UNARY:
		return unary_operand(c, n);
	case C_NODE_BINARY:
		x = compile_node(c, n->a);
		return compile_binary(c, n->op, x, compile_node(c, n->b));
	case C_NODE_CHOICE:
		x = compile_node(c, n->a);
		y = compile_node(c, n->b);
		return compile_choice(c, x, y, compile_node(c, n->c));
	case C_NODE_CAST:
		x = compile_value(c, compile_node(c, n->a));
		return compile_convert(c, x, n->type);
	case C_NODE_SIZEOF:
		return size_operand(c, n);
	}
	g_assert_not_reached();
}

struct expression_code *expression_compile(const struct image *im, const struct image_frame *frame,
					   const struct c_expression *e, GError **error)
{
	struct compiler c = { im, frame, g_array_new(FALSE, FALSE, sizeof(struct ir_op)), NULL,
			      NULL };
	struct operand x = compile_node(&c, c_expression_root(e));
	bool scalar = x.type && (x.type->kind == IMAGE_TYPE_ARRAY || c_type_is_scalar(x.type)) &&
		      x.type->size;
	struct expression_code *code;

	/* an array as a whole is an object, not a pointer to its first element */
	if (scalar && x.value < 0 && x.type->kind != IMAGE_TYPE_ARRAY && x.type->size <= 8)
		x.value = compile_value(&c, x).value;
	if (c.error || !x.type) {
		g_array_free(c.ops, TRUE);
		g_free(c.unknown);
		g_propagate_error(error, c.error);
		return NULL;
	}
	code = g_new0(struct expression_code, 1);
	*code = (struct expression_code){ .type = x.type,
					  .address = x.address,
					  .value = x.value,
					  .bit = x.bit,
					  .bits = x.bits,
					  .unknown = c.unknown };
	code->ir.n_ops = c.ops->len;
	code->ir.ops = (struct ir_op *)(void *)g_array_free(c.ops, FALSE);
	return code;
}

void expression_code_free(struct expression_code *code)
{
	if (!code)
		return;
	g_free(code->ir.ops);
	g_free(code->temps);
	g_free(code->unknown);
	g_free(code);
}

int32_t expression_truth(struct expression_code *code, GError **error)
{
	struct compiler c = { .ops = g_array_new(FALSE, FALSE, sizeof(struct ir_op)) };
	struct operand x = { code->type, -1, code->value, 0, 0 };
	int32_t op;

	g_array_append_vals(c.ops, code->ir.ops, code->ir.n_ops);
	op = code->value >= 0 ? compile_truth(&c, &x) : -1;
	if (op < 0)
		g_set_error(error, C_EXPRESSION_ERROR, C_EXPRESSION_ERROR_TYPE,
			    "that is no condition: compare it with something");
	g_free(code->ir.ops);
	code->ir.n_ops = c.ops->len;
	code->ir.ops = (struct ir_op *)(void *)g_array_free(c.ops, FALSE);
	return op;
}

/* ---- values ---- */

/* The evaluator's view of a frame's memory. */
struct frame_memory {
	struct eval_memory memory; /* first */
	const struct image_frame *frame;
};

static bool read_frame(const struct image_frame *frame, uint64_t address, unsigned size,
		       uint8_t *out)
{
	for (unsigned at = 0; at < size; at += 8) {
		uint64_t word;
		unsigned n = MIN(size - at, 8);

		if (!frame->read || !frame->read(frame->arg, address + at, n, &word))
			return false;
		memcpy(out + at, &word, n);
	}
	return true;
}

static bool load_bytes(struct eval_memory *m, uint64_t address, unsigned size, uint8_t *out)
{
	return read_frame(((struct frame_memory *)m)->frame, address, size, out);
}

static void fill_state(struct eval_state *s, const struct image_frame *frame,
		       const struct trace_cursor *cursor)
{
	memset(s, 0, sizeof(*s));
	/* what the user types is rounded to nearest, as in GDB, whatever the program does */
	s->known[IR_STATE_SSEROUND] = 0xff;
	if (!frame->read)
		return;
	memcpy(s->bytes + IR_STATE_GPR, frame->regs, 16 * sizeof(frame->regs[0]));
	memset(s->known + IR_STATE_GPR, 0xff, 16 * sizeof(frame->regs[0]));
	for (unsigned i = IR_STATE_YMM; cursor && i < IR_STATE_SIZE; i++) {
		s->bytes[i] = trace_cursor_state(cursor)[i];
		s->known[i] = trace_cursor_state_known(cursor, i, 1) ? 0xff : 0;
	}
}

void expression_run(struct expression_code *code, const struct image_frame *frame,
		    const struct trace_cursor *cursor)
{
	struct frame_memory m = { { load_bytes, NULL }, frame };
	struct eval_state state;

	g_free(code->temps);
	code->temps = g_new0(struct ir_value, MAX(code->ir.n_ops, 1));
	fill_state(&state, frame, cursor);
	ir_eval(&code->ir, &state, &m.memory, code->temps);
}

/* The constants that the members' offsets added to the address of an object. */
static uint64_t offset_in_object(const struct ir_block *ir, int32_t address)
{
	const struct ir_op *op = &ir->ops[address];
	uint64_t offset = 0;

	for (; op->kind == IR_ADD && ir->ops[op->b].kind == IR_CONST; op = &ir->ops[op->a])
		offset += ir->ops[op->b].value;
	return offset;
}

void expression_result(const struct expression_code *code, const struct image_frame *frame,
		       struct expression *out)
{
	const struct ir_value *at = code->address >= 0 ? &code->temps[code->address] : NULL;
	const struct ir_value *v = code->value >= 0 ? &code->temps[code->value] : NULL;

	*out = (struct expression){ .type = code->type, .bit = code->bit, .bits = code->bits };
	if (at) {
		out->known_offset = true;
		out->offset = offset_in_object(&code->ir, code->address);
	}
	if (at && at->known) {
		out->has_address = true;
		out->address = at->w[0];
	}
	if (v && v->known) {
		out->has_value = true;
		memcpy(out->bytes, v->w, MIN(code->type->size, sizeof(out->bytes)));
	} else if (out->has_address && code->type->size && code->type->size <= sizeof(out->bytes)) {
		out->has_value =
			read_frame(frame, out->address, (unsigned)code->type->size, out->bytes);
	}
}

bool expression_hides(const struct expression_code *code, uint64_t address, uint64_t size)
{
	const struct ir_value *at = code->address >= 0 ? &code->temps[code->address] : NULL;
	uint64_t offset = at && at->known ? address - at->w[0] : UINT64_MAX;

	return code->value < 0 && offset < code->type->size &&
	       !image_type_is_named_at(code->type, offset, size);
}

bool expression_look_up(const struct image *im, const struct image_frame *frame, const char *text,
			struct expression *out)
{
	struct c_expression *e = c_expression_parse(im, text, NULL);
	struct expression_code *code = e ? expression_compile(im, frame, e, NULL) : NULL;

	if (code) {
		expression_run(code, frame, NULL);
		expression_result(code, frame, out);
	}
	expression_code_free(code);
	c_expression_free(e);
	return code != NULL;
}
