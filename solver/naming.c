/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/naming.h"
#include "solver/expression.h"
#include "solver/value.h"

#include <string.h>

/* Statement instances that one line's value is made in. */
enum { MOST_PARTS = 8 };

struct naming {
	struct explanation *e;
	const struct moment *moment;
	GHashTable *sources; /* struct image * → struct sources * */
	GHashTable *senses;  /* runtime address → struct sense * */
};

static void free_sense(gpointer p)
{
	sense_clear(p);
	g_free(p);
}

struct naming *naming_new(struct explanation *e, const struct moment *m)
{
	struct naming *n = g_new0(struct naming, 1);

	n->e = e;
	n->moment = m;
	n->sources = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)(void *)sources_free);
	n->senses = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, free_sense);
	return n;
}

void naming_free(struct naming *n)
{
	if (!n)
		return;
	g_hash_table_destroy(n->sources);
	g_hash_table_destroy(n->senses);
	g_free(n);
}

static struct sources *sources_of(struct naming *n, const struct image *im)
{
	struct sources *s = g_hash_table_lookup(n->sources, im);

	if (!s) {
		s = sources_new(im);
		g_hash_table_insert(n->sources, (gpointer)im, s);
	}
	return s;
}

static const struct sense *sense_of(struct naming *n, const struct image *im, uint64_t bias,
				    uint64_t pc)
{
	struct sense *s = g_hash_table_lookup(n->senses, &pc);

	if (!s) {
		s = g_new0(struct sense, 1);
		sense_find(im, sources_of(n, im), pc - bias, s);
		g_hash_table_insert(n->senses, g_memdup2(&pc, sizeof(pc)), s);
	}
	return s;
}

/* Takes text. */
static const char *keep(struct naming *n, char *text)
{
	const char *kept = explanation_string(n->e, text);

	g_free(text);
	return kept;
}

static const char *line_text(struct naming *n, const struct image *im,
			     const struct image_statement *s)
{
	const char *line = image_source_line(im, s->file, s->line);

	return keep(n, line ? g_strstrip(g_strdup(line)) : NULL);
}

bool naming_statement(struct naming *n, uint64_t pc, struct name *out)
{
	uint64_t bias;
	const struct image *im = moment_image_at(n->moment, pc, &bias);
	const struct image_row *row = im ? image_row_at(im, pc - bias) : NULL;

	if (!row)
		return false;
	*out = (struct name){ .image = im, .statement = image_statement(im, row->statement) };
	out->text = line_text(n, im, out->statement);
	out->kind = "assignment";
	out->clause = out->text;
	out->frame = (struct image_frame){ .pc = pc - bias,
					   .bias = bias,
					   .read = moment_frame(n->moment)->read,
					   .arg = moment_frame(n->moment)->arg };
	return true;
}

/* ---- places in the source ---- */

struct spot {
	const struct source *source;
	size_t at;
};

static bool find_spot(struct naming *n, const struct name *name, struct spot *spot)
{
	const struct image_statement *s = name->statement;

	spot->source = sources_get(sources_of(n, name->image), s->file);
	return spot->source && source_place(spot->source, s->line, s->column, &spot->at);
}

/* The type of an expression that stands in the statement. */
static const struct image_type *type_of(const struct name *name, const char *text)
{
	struct image_frame blind = name->frame;
	struct expression x;

	blind.read = NULL;
	return text && expression_look_up(name->image, &blind, text, &x) ? x.type : NULL;
}

static bool name_by_assignment(struct naming *n, struct name *out)
{
	struct spot spot;
	char *text;

	if (!find_spot(n, out, &spot))
		return false;
	text = source_text(spot.source, source_assigned(spot.source, spot.at));
	if (!text)
		return false;
	out->clause = keep(n, text);
	out->type = type_of(out, out->clause);
	return true;
}

static bool name_by_return(struct naming *n, struct name *out)
{
	const struct image_function *f = image_function_at(out->image, out->frame.pc);
	struct spot spot;
	char *text;

	if (!f || !find_spot(n, out, &spot))
		return false;
	text = source_text(spot.source, source_returned(spot.source, spot.at));
	if (!text)
		return false;
	out->kind = "return";
	out->clause = keep(n, text);
	if (strcmp(out->statement->function, f->name) == 0)
		out->type = image_return_type(out->image, f);
	return true;
}

/* ---- registers ---- */

/* The last instruction of an instance (runtime address). */
static uint64_t end_of_instance(const struct formula *f, const struct def *d)
{
	uint32_t entry = g_array_index(f->instance_end, uint32_t, d->instance);
	const struct path_entry *e = &g_array_index(f->path, struct path_entry, entry);

	return e->kind == PATH_STEP ? g_array_index(f->pcs, uint64_t, e->index) : d->pc;
}

static int argument_number(unsigned reg)
{
	static const uint8_t order[] = { TRACE_RDI, TRACE_RSI, TRACE_RDX,
					 TRACE_RCX, TRACE_R8,  TRACE_R9 };

	for (unsigned i = 0; i < G_N_ELEMENTS(order); i++)
		if (order[i] == reg)
			return (int)i;
	return -1;
}

static const struct image_type *parameter_type(const struct image *im,
					       const struct image_function *f, unsigned n)
{
	const struct image_variable *const *v;
	size_t count = image_variables_at(im, f->body, &v);

	for (size_t i = 0; i < count; i++)
		if (v[i]->parameter && !v[i]->inlined && v[i]->function == f && n-- == 0)
			return v[i]->type;
	return NULL;
}

/* The instance ends with, or before, a call that this register is an argument of. */
static bool name_by_call(struct naming *n, uint64_t end, unsigned reg, struct name *out)
{
	const struct trace_insn *insn = image_insn_at(out->image, end - out->frame.bias);
	const struct image_function *f;
	const char *callee;
	int number = argument_number(reg);

	if (insn && insn->flow == TRACE_FLOW_NONE)
		insn = image_insn_at(out->image, insn->addr + insn->length);
	if (!insn || insn->flow != TRACE_FLOW_CALL || number < 0)
		return false;
	f = image_function_at(out->image, insn->target);
	callee = f ? f->name : image_native_name(out->image, insn->target);
	if (!callee)
		return false;
	out->kind = "call";
	out->clause = keep(n, g_strdup_printf("argument %d of %s", number + 1, callee));
	out->type = f ? parameter_type(out->image, f, (unsigned)number) : NULL;
	return true;
}

static bool name_by_register(struct naming *n, uint64_t end, unsigned reg, struct name *out)
{
	const struct trace_insn *insn = image_insn_at(out->image, end - out->frame.bias);
	struct image_frame after = out->frame;
	struct image_lvalue lv;

	after.pc = end - out->frame.bias + (insn ? insn->length : 0);
	if (!image_name_register(out->image, &after, reg, &lv))
		return false;
	out->clause = keep(n, g_strdup(lv.text));
	out->type = lv.type;
	image_lvalue_clear(&lv);
	return true;
}

/* Does the line store its value only after the instance of d?  Then d is a part
 * of what is stored. */
static bool is_stored_later(struct naming *n, const struct formula *f, const struct def *d,
			    const struct name *out)
{
	for (guint i = 0; i < f->defs->len; i++) {
		const struct def *other = &g_array_index(f->defs, struct def, i);
		struct name stored;

		if (other->kind == DEF_MEMORY && other->instance > d->instance &&
		    other->instance <= d->instance + MOST_PARTS && other->rbp == d->rbp &&
		    naming_statement(n, other->pc, &stored) &&
		    stored.statement->line == out->statement->line)
			return true;
	}
	return false;
}

static void name_register(struct naming *n, const struct formula *f, const struct def *d,
			  struct name *out)
{
	uint64_t end = end_of_instance(f, d);

	if (name_by_call(n, end, d->reg, out) || name_by_register(n, end, d->reg, out))
		return;
	if (d->reg == TRACE_RAX && name_by_return(n, out))
		return;
	if (is_stored_later(n, f, d, out) || !name_by_assignment(n, out))
		out->clause = "an intermediate result";
}

/* ---- memory, conditions ---- */

static void name_memory(struct naming *n, const struct def *d, struct name *out)
{
	struct image_lvalue lv;

	if (image_name_memory(out->image, &out->frame, d->address, d->size, &lv)) {
		out->clause = keep(n, g_strdup(lv.text));
		out->type = lv.type;
		image_lvalue_clear(&lv);
		return;
	}
	if (!name_by_assignment(n, out) && !name_by_return(n, out))
		out->clause = "an intermediate result";
}

/* Where a store goes. */
static void name_address(struct naming *n, struct name *out)
{
	if (name_by_assignment(n, out) && out->clause)
		out->clause = keep(n, g_strdup_printf("&(%s)", out->clause));
	else
		out->clause = "where it is stored";
	out->type = NULL;
}

/* Where a call through a pointer or a `switch' goes. */
static void name_target(const struct def *d, struct name *out)
{
	const struct trace_insn *insn = image_insn_at(out->image, d->pc - out->frame.bias);
	bool calls = insn && insn->flow == TRACE_FLOW_CALL_IND;

	out->kind = calls ? "call" : "switch";
	out->clause = calls ? "the function called" : out->text;
}

static void name_guard(struct naming *n, const struct def *d, struct name *out)
{
	out->sense = sense_of(n, out->image, out->frame.bias, d->pc);
	out->kind = out->sense->meaning == SENSE_SWITCH ? "switch" : "condition";
	if (out->sense->clause)
		out->clause = explanation_string(n->e, out->sense->clause);
}

bool naming_name(struct naming *n, const struct formula *f, const struct def *d, struct name *out)
{
	if (!naming_statement(n, d->pc, out))
		return false;
	out->frame.regs[TRACE_RBP] = d->rbp;
	out->frame.regs[TRACE_RSP] = d->rsp;
	if (d->kind == DEF_GUARD)
		name_guard(n, d, out);
	else if (d->kind == DEF_MEMORY)
		name_memory(n, d, out);
	else if (d->kind == DEF_ADDRESS)
		name_address(n, out);
	else if (d->kind == DEF_TARGET)
		name_target(d, out);
	else if (d->kind == DEF_REGISTER)
		name_register(n, f, d, out);
	return true;
}

/* ---- values ---- */

static const char *outcome_text(const struct name *name, term_bits value, term_bits natural)
{
	switch (name->sense->meaning) {
	case SENSE_TAKEN_IS_TRUE:
		return value ? "true" : "false";
	case SENSE_TAKEN_IS_FALSE:
		return value ? "false" : "true";
	case SENSE_SWITCH:
		if (name->sense->cases[value != 0])
			return name->sense->cases[value != 0];
		return value == natural ? "one case" : "another case";
	default:
		return value == natural ? "one way" : "the other way";
	}
}

/* The function that starts at this address, or NULL. */
static const char *function_at(const struct name *name, uint64_t address)
{
	uint64_t link = address - name->frame.bias;
	const struct image_function *f = image_function_at(name->image, link);

	return f && f->entry == link ? f->name : NULL;
}

static const char *place_text(struct naming *n, term_bits value, term_bits natural)
{
	int64_t away = (int64_t)(value - natural);

	if (!away)
		return "where it is";
	return keep(n, g_strdup_printf("%" G_GINT64_FORMAT " byte%s %s it", ABS(away),
				       ABS(away) == 1 ? "" : "s", away < 0 ? "before" : "after"));
}

static const char *target_text(const struct name *name, term_bits value, term_bits natural)
{
	const char *function = function_at(name, (uint64_t)value);

	if (function && strcmp(name->kind, "call") == 0)
		return function;
	return value == natural ? "one case" : "another case";
}

const char *naming_value(struct naming *n, const struct name *name, const struct def *d,
			 term_bits value, term_bits natural)
{
	static const struct image_type plain[] = {
		{ .kind = IMAGE_TYPE_INT, .size = 1, .is_signed = true },
		{ .kind = IMAGE_TYPE_INT, .size = 2, .is_signed = true },
		{ .kind = IMAGE_TYPE_INT, .size = 4, .is_signed = true },
		{ .kind = IMAGE_TYPE_INT, .size = 8, .is_signed = true },
	};
	const struct image_type *type = name->type;
	uint8_t bytes[sizeof(value)];
	const char *text;
	bool whole;

	if (d->kind == DEF_GUARD)
		return explanation_string(n->e, outcome_text(name, value, natural));
	if (d->kind == DEF_ADDRESS)
		return place_text(n, value, natural);
	if (d->kind == DEF_TARGET)
		return target_text(name, value, natural);
	if (d->size == 8 && function_at(name, (uint64_t)value))
		return function_at(name, (uint64_t)value);
	memcpy(bytes, &value, sizeof(value));
	whole = type && (type->size == d->size || type->kind == IMAGE_TYPE_STRUCT ||
			 /* a register is wider than what it returns or passes */
			 (d->kind == DEF_REGISTER && type->size && type->size < d->size));
	if (!whole)
		for (unsigned i = 0; i < G_N_ELEMENTS(plain); i++)
			if (plain[i].size == MIN(d->size, 8))
				type = &plain[i];
	text = keep(n, value_text(name->image, &name->frame, type, bytes,
				  MIN(d->size, type ? type->size : 0)));
	/* A bare address says nothing but whether it is the same. */
	if (type && type->kind == IMAGE_TYPE_POINTER && g_str_has_prefix(text, "0x"))
		return value == natural ? "one address" : "another address";
	return text;
}
