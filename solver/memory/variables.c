/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Arrays and structures of the program's variables, where code makes their addresses: a constant of
 * an instruction, or a sum with the frame pointer.  Only in code that was not optimized, where such
 * an address is the beginning of what the source names.
 */
#include "solver/image/variable/variable.h"
#include "solver/memory/private.h"
#include "solver/base/hash.h"
#include "solver/base/machine.h"

#include <string.h>

enum { OPERATIONS = 64 }; /* of an instruction that are looked at; the last one: its operand */

/* What an operation of an instruction makes. */
struct made {
	bool is_any;
	bool is_relative; /* .lo is relative to the frame pointer, else runtime */
	uint64_t lo, size;
	const char *name;
};

struct variables {
	GHashTable *made; /* pc * OPERATIONS + operation → struct made */
};

struct variables *variables_new(void)
{
	struct variables *v = g_new0(struct variables, 1);

	v->made = g_hash_table_new_full(hash_u64_itself, NULL, NULL, g_free);
	return v;
}

void variables_free(struct variables *v)
{
	if (v)
		g_hash_table_destroy(v->made);
	g_free(v);
}

static bool read_memory_of_variables(void *arg, uint64_t address, unsigned size, uint64_t *value)
{
	*value = 0;
	return trace_cursor_read(arg, address, size, (uint8_t *)value);
}

static struct image_frame frame_before(const struct checking *c, const struct trace_step *step)
{
	struct image_frame f = { .pc = step->insn->addr,
				 .bias = step->module->bias,
				 .read = read_memory_of_variables,
				 .arg = c->cursor };

	memcpy(f.regs, c->before, sizeof(c->before));
	return f;
}

static bool has_extent(const struct image_variable *v)
{
	const struct image_type *t = v->type;

	return t && t->size &&
	       (t->kind == IMAGE_TYPE_STRUCT || (t->kind == IMAGE_TYPE_ARRAY && t->count));
}

static const char *source_line_of(const struct image *im, uint64_t link)
{
	const struct image_row *row = image_row_at(im, link);
	const struct image_statement *s = row ? image_statement(im, row->statement) : NULL;

	return s ? image_source_line(im, s->file, s->line) : NULL;
}

static bool is_word_of_name(char c)
{
	return g_ascii_isalnum(c) || c == '_';
}

/* Does the text name it, and behind the name, where one is given, is this character? */
static bool text_names_variable(const char *text, const char *name, char behind)
{
	size_t length = strlen(name);

	for (const char *at = text ? strstr(text, name) : NULL; at; at = strstr(at + 1, name))
		if ((at == text || !is_word_of_name(at[-1])) && !is_word_of_name(at[length]) &&
		    (!behind || at[length] == behind))
			return true;
	return false;
}

/* The array that begins there in a structure, and whose elements the line speaks of: size of it,
 * or 0. */
static uint64_t member_array_at(const struct image_type *t, uint64_t offset, const char *line,
				const char **name)
{
	for (uint32_t i = 0; t->kind == IMAGE_TYPE_STRUCT && i < t->n_members; i++) {
		const struct image_member *m = &t->members[i];
		uint64_t at = m->bit_offset / 8;

		if (!m->type || offset < at || offset >= at + m->type->size)
			continue;
		if (m->type->kind != IMAGE_TYPE_ARRAY)
			return member_array_at(m->type, offset - at, line, name);
		if (offset != at || !m->type->count || !m->name ||
		    !text_names_variable(line, m->name, '['))
			return 0;
		*name = m->name;
		return m->type->size;
	}
	return 0;
}

/* The variable whose beginning or part this address is, when the line names it: the end of an array
 * is the beginning of what comes next. */
static void look_up_made_variable(const struct checking *c, const struct trace_step *step,
				  uint64_t address, struct made *m)
{
	const struct image_frame frame = frame_before(c, step);
	const struct image *im = step->module->image;
	const char *line = source_line_of(im, step->insn->addr);
	struct image_lvalue lv;

	if (!image_name_memory(im, &frame, address, 1, &lv))
		return;
	if (has_extent(lv.variable) && lv.object_size && lv.variable->name &&
	    text_names_variable(line, lv.variable->name, 0)) {
		uint64_t size = strchr(line, '&')
					? 0
					: member_array_at(lv.variable->type, address - lv.object,
							  line, &m->name);

		m->is_any = true;
		m->lo = size ? address : lv.object;
		m->size = size ? size : lv.object_size;
		m->name = size ? m->name : lv.variable->name;
	}
	image_lvalue_clear(&lv);
}

static bool is_frame_sum(const struct trace_step *step, const struct ir_op *op)
{
	const struct ir_op *a = &step->ir->ops[op->a], *b = &step->ir->ops[op->b];
	const struct ir_op *reg = a->kind == IR_GET ? a : b, *number = a->kind == IR_GET ? b : a;

	return reg->kind == IR_GET && reg->offset == IR_STATE_GPR + 8 * TRACE_RBP &&
	       number->kind == IR_CONST;
}

/* Asked of each operation that is carried out, so it must be cheap. */
static bool may_make_address(const struct trace_step *step, uint32_t number)
{
	const struct ir_op *op = &step->ir->ops[number];

	return op->kind == IR_CONST ? step->temps[number].w[0] >= LOWEST_MAPPED_ADDRESS
				    : is_frame_sum(step, op);
}

static struct made *make_variable(struct checking *c, const struct trace_step *step,
				  uint32_t number)
{
	const struct ir_op *op = &step->ir->ops[number];
	const struct image *im = step->module->image;
	const struct image_function *f = image_function_at(im, step->insn->addr);
	struct made *m = g_new0(struct made, 1);
	uint64_t address = step->temps[number].w[0], link;
	const struct trace_module *where;

	if (!f || f->moving || !step->temps[number].known)
		return m;
	if (op->kind == IR_CONST) {
		where = trace_run_module_at(c->run, address, &link);
		if (where == step->module && (c->tables || image_is_writable(im, link)) &&
		    step->insn->flow == TRACE_FLOW_NONE)
			look_up_made_variable(c, step, address, m);
	} else {
		look_up_made_variable(c, step, address, m);
		m->is_relative = true;
		m->lo -= c->before[TRACE_RBP];
	}
	return m;
}

static uint32_t made_number(struct checking *c, const struct made *m)
{
	uint64_t lo = m->is_relative ? m->lo + c->before[TRACE_RBP] : m->lo;

	return m->is_any ? objects_add_variable(c->objects, lo, m->size, m->name) : 0;
}

/* Where an element is if its index is 0. */
static uint64_t first_element(const struct checking *c, const struct trace_mem *m)
{
	return (m->base == TRACE_RBP ? c->before[TRACE_RBP] : 0) + (uint64_t)m->disp;
}

uint32_t variables_indexed(struct checking *c, const struct trace_step *step, int operand)
{
	const struct trace_mem *mem = operand < 0 ? NULL : &step->insn->mem[operand];
	gpointer key = GSIZE_TO_POINTER(step->pc * OPERATIONS + OPERATIONS - 1);
	const struct image_function *f;
	struct made *m;

	if (!mem || mem->index == TRACE_REG_NONE || mem->seg ||
	    (mem->base != TRACE_RBP && mem->base != TRACE_REG_NONE))
		return 0;
	m = g_hash_table_lookup(c->variables->made, key);
	if (!m) {
		m = g_new0(struct made, 1);
		f = image_function_at(step->module->image, step->insn->addr);
		if (f && !f->moving)
			look_up_made_variable(c, step, first_element(c, mem), m);
		m->is_relative = mem->base == TRACE_RBP;
		m->lo -= m->is_relative ? c->before[TRACE_RBP] : 0;
		g_hash_table_insert(c->variables->made, key, m);
	}
	return made_number(c, m);
}

uint32_t variables_object(struct checking *c, const struct trace_step *step, uint32_t op)
{
	gpointer key = GSIZE_TO_POINTER(step->pc * OPERATIONS + op);
	struct made *m;

	if (op >= OPERATIONS - 1 || !may_make_address(step, op))
		return 0;
	m = g_hash_table_lookup(c->variables->made, key);
	if (!m) {
		m = make_variable(c, step, op);
		g_hash_table_insert(c->variables->made, key, m);
	}
	return made_number(c, m);
}
