/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/image/variable/variable.h"
#include "solver/naming/naming-private.h"
#include "solver/base/hash.h"
#include "solver/source/expression/assigned-field.h"

#include <math.h>
#include <string.h>

static void free_polarity(gpointer p)
{
	polarity_clear(p);
	g_free(p);
}

struct naming *naming_new(struct explanation *e, const struct trace_point *m)
{
	struct naming *n = g_new0(struct naming, 1);

	n->e = e;
	n->point = m;
	n->sources = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)(void *)sources_free);
	n->polarities = g_hash_table_new_full(hash_u64, g_int64_equal, g_free, free_polarity);
	return n;
}

void naming_count_from(struct naming *n, uint64_t step)
{
	n->first = step;
}

uint64_t naming_step(const struct naming *n, const struct definition *d)
{
	return d->step == DEFINITION_OF_ANOTHER_RUN ? UINT64_MAX : n->first + d->step;
}

void naming_look_behind(struct naming *n, const struct definition *d)
{
	uint64_t step = naming_step(n, d);

	n->now = step == UINT64_MAX ? UINT64_MAX : step + 1;
}

/* What cannot change is the same in each run. */
static bool read_memory_of_name(void *arg, uint64_t address, unsigned size, uint64_t *value)
{
	const struct naming *n = arg;

	return trace_point_read_before(n->point, n->now == UINT64_MAX ? 0 : n->now, address, size,
				       value);
}

void naming_read_past(struct naming *n, struct image_frame *frame)
{
	frame->read = read_memory_of_name;
	frame->arg = n;
}

void naming_free(struct naming *n)
{
	if (!n)
		return;
	g_hash_table_destroy(n->sources);
	g_hash_table_destroy(n->polarities);
	g_free(n);
}

static struct sources *sources_of_naming(struct naming *n, const struct image *im)
{
	struct sources *s = g_hash_table_lookup(n->sources, im);

	if (!s) {
		s = sources_new(im);
		g_hash_table_insert(n->sources, (gpointer)im, s);
	}
	return s;
}

static const struct polarity *polarity_of(struct naming *n, const struct limits *limits,
					  const struct image *im, uint64_t bias, uint64_t pc)
{
	struct polarity *s = g_hash_table_lookup(n->polarities, &pc);

	if (!s) {
		s = g_new0(struct polarity, 1);
		polarity_find(im, sources_of_naming(n, im), limits, pc - bias, s);
		g_hash_table_insert(n->polarities, g_memdup2(&pc, sizeof(pc)), s);
	}
	return s;
}

const char *naming_keep(struct naming *n, char *text)
{
	const char *kept = explanation_string(n->e, text);

	g_free(text);
	return kept;
}

static const char *line_text(struct naming *n, const struct image *im,
			     const struct image_statement *s)
{
	const char *line = image_source_line(im, s->file, s->line);

	return naming_keep(n, line ? g_strstrip(g_strdup(line)) : NULL);
}

bool naming_statement(struct naming *n, uint64_t pc, struct name *out)
{
	uint64_t bias;
	const struct image *im = trace_point_image_at(n->point, pc, &bias);
	const struct image_row *row = im ? image_row_at(im, pc - bias) : NULL;

	if (!row)
		return false;
	*out = (struct name){ .image = im, .statement = image_statement(im, row->statement) };
	out->text = line_text(n, im, out->statement);
	out->kind = "assignment";
	out->clause = out->text;
	out->frame = (struct image_frame){ .pc = pc - bias, .bias = bias };
	naming_read_past(n, &out->frame);
	return true;
}

/* ---- places in the source ---- */

struct spot {
	const struct source *source;
	size_t at;
};

static bool find_named_place(struct naming *n, const struct name *name, struct spot *spot)
{
	const struct image_statement *s = name->statement;

	*spot = (struct spot){ sources_get(sources_of_naming(n, name->image), s->file), 0 };
	return spot->source && source_place(spot->source, s->line, s->column, &spot->at);
}

/* The code of a bracket was made by the compiler; it does not belong to the statement after it. */
static bool find_spot(struct naming *n, const struct name *name, struct spot *spot)
{
	return find_named_place(n, name, spot) && !strchr("{}", spot->source->code[spot->at]);
}

/* The bracket behind the `return' of its line hands on what that returns. */
static bool find_return(struct naming *n, const struct name *name, struct spot *spot)
{
	const struct source *s;

	if (find_spot(n, name, spot))
		return true;
	s = spot->source;
	if (!s || spot->at >= s->length || s->code[spot->at] != '}')
		return false;
	while (spot->at && s->code[spot->at - 1] != '\n')
		if (source_has_word(s, --spot->at, "return"))
			return true;
	return false;
}

/* The type of an expression that stands in the statement. */
static const struct image_type *type_of_expression(const struct name *name, const char *text)
{
	struct image_frame blind = name->frame;
	struct expression x;

	blind.read = NULL;
	return text && expression_look_up(name->image, &blind, text, &x) ? x.type : NULL;
}

bool naming_by_assignment(struct naming *n, struct name *out)
{
	struct spot spot;
	char *text;

	if (!find_spot(n, out, &spot))
		return false;
	text = source_text(spot.source, source_assigned(spot.source, spot.at));
	if (!text)
		return false;
	out->clause = naming_keep(n, text);
	out->type = type_of_expression(out, out->clause);
	return true;
}

const char *naming_assigned(struct naming *n, const struct definition *d)
{
	struct name name;

	return naming_statement(n, d->pc, &name) && naming_by_assignment(n, &name) ? name.clause
										   : NULL;
}

bool naming_by_return(struct naming *n, struct name *out)
{
	const struct image_function *f = image_function_at(out->image, out->frame.pc);
	struct spot spot;
	char *text;

	if (!f || !find_return(n, out, &spot))
		return false;
	text = source_text(spot.source, source_returned(spot.source, spot.at));
	if (!text)
		return false;
	out->kind = "return";
	out->clause = naming_keep(n, text);
	if (strcmp(out->statement->function, f->name) == 0)
		out->type = image_return_type(out->image, f);
	return true;
}

/* ---- memory, conditions ---- */

#define USUAL_DIGITS 30 /* before or behind the point */
#define LARGEST_FRAME (1u << 20)
#define IDENTIFIER "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$"

/* A store to a bit-field stores its neighbours, too.  False when the statement assigns to none;
 * then nothing is written. */
static bool name_bit_field(struct naming *n, const struct definition *d, struct name *out)
{
	struct name field = *out;
	struct image_frame blind = out->frame;
	struct expression x;
	int64_t from;

	blind.read = NULL;
	if (!naming_by_assignment(n, &field) ||
	    !expression_look_up(field.image, &blind, field.clause, &x) || !x.bits)
		return false;
	from = assigned_first_bit(&x, d->address);
	field.type = x.type;
	field.unknown = from < 0 || from + x.bits > 8 * d->size;
	if (!field.unknown) {
		field.n_parts = 1;
		field.parts[0] = (struct name_part){ x.type, (unsigned)from, x.bits, 0 };
	}
	*out = field;
	return true;
}

/* The compiler keeps intermediate results on the stack.  Such a place is not what the statement
 * assigns to: a variable has its own place, and what a pointer leads to has another address. */
static bool is_spilled(const struct name *name, const struct definition *d)
{
	struct expression x;
	bool is_variable = name->clause[strspn(name->clause, IDENTIFIER)] == '\0';
	bool found = expression_look_up(name->image, &name->frame, name->clause, &x);

	if (strcmp(name->kind, "return") == 0)
		return false;
	if (found && x.has_address && x.type)
		return d->address - x.address >= MAX(x.type->size, 1);
	/* what lies in the frame and has a name there was named by it */
	return is_variable ||
	       (d->address >= d->rsp && d->address < d->rbp && d->rbp - d->rsp < LARGEST_FRAME);
}

const struct image_type *naming_type_of_store(const struct trace_insn *insn, uint64_t bits,
					      unsigned size)
{
	static const struct image_type single = { .kind = IMAGE_TYPE_FLOAT, .size = 4 };
	static const struct image_type both = { .kind = IMAGE_TYPE_FLOAT, .size = 8 };
	const uint32_t low = (uint32_t)bits;
	double number = 0;
	float narrow;

	if (!insn || insn->flags & TRACE_INSN_PLAIN || insn->use_flags & TRACE_FLAGS_WRITTEN ||
	    insn->n_mem != 1 || insn->out_vec || insn->mem[0].size != size)
		return NULL;
	if (size == 8) {
		memcpy(&number, &bits, sizeof number);
	} else if (size == 4) {
		memcpy(&narrow, &low, sizeof narrow);
		number = (double)narrow;
	}
	if (bits && !(isfinite(number) && fabs(log10(fabs(number))) < USUAL_DIGITS))
		return NULL;
	return size == 8 ? &both : size == 4 ? &single : NULL;
}

/* A member of the object of a member function of C++, also one that its constructor sets where the
 * source assigns nothing. */
static bool name_own_member(struct naming *n, const struct definition *d, struct name *out)
{
	g_autoptr(GString) text = g_string_new(NULL);
	struct image_part part;
	struct expression x;
	uint64_t at;

	if (!expression_look_up(out->image, &out->frame, "*this", &x) || !x.has_address)
		return false;
	at = d->address - x.address;
	if (at >= x.type->size || d->size > x.type->size - at)
		return false;
	image_part_of(x.type, 8 * at, 8 * d->size, text, &part);
	if (*text->str != '.' || !part.type || !image_name_is_of_source(text->str + 1))
		return false;
	out->clause = naming_keep(n, g_strdup(text->str + 1));
	out->type = part.type;
	out->unknown = part.bits != 8 * (uint64_t)d->size;
	return true;
}

static void name_stored_memory(struct naming *n, const struct definition *d, struct name *out)
{
	struct image_lvalue lv;

	if (name_bit_field(n, d, out))
		return;
	if (image_name_memory(out->image, &out->frame, d->address, d->size, &lv)) {
		out->clause = naming_keep(n, g_strdup(lv.text));
		out->type = lv.type;
		out->variable = lv.variable;
		out->object = lv.object;
		/* a store of some bytes of a number does not tell the number */
		out->unknown =
			lv.type && lv.type->kind <= IMAGE_TYPE_POINTER && lv.type->size > d->size;
		image_lvalue_clear(&lv);
		return;
	}
	if (((!naming_by_assignment(n, out) && !naming_by_return(n, out)) || is_spilled(out, d)) &&
	    !name_own_member(n, d, out)) {
		out->clause = NAMING_NO_NAME;
		out->type = NULL;
	}
	if (!out->type) {
		out->type = naming_type_of_store(image_insn_at(out->image, d->pc - out->frame.bias),
						 (uint64_t)d->actual, d->size);
	}
}

/* Where a store goes. */
static void name_address(struct naming *n, struct name *out)
{
	out->kind = "store";
	if (!naming_by_assignment(n, out))
		out->clause = "what is stored";
}

/* Where a call through a pointer or a `switch' goes. */
static void name_target(const struct definition *d, struct name *out)
{
	const struct trace_insn *insn = image_insn_at(out->image, d->pc - out->frame.bias);
	bool calls = insn && insn->flow == TRACE_FLOW_CALL_IND;

	out->kind = calls ? "call" : "switch";
	out->clause = calls ? "the function called" : out->text;
}

static void name_guard(struct naming *n, const struct formula *f, const struct definition *d,
		       struct name *out)
{
	out->polarity = polarity_of(n, f ? f->limits : NULL, out->image, out->frame.bias, d->pc);
	out->kind = out->polarity->meaning == POLARITY_SWITCH ? "switch" : "condition";
	if (out->polarity->clause)
		out->clause = explanation_string(n->e, out->polarity->clause);
}

bool naming_name(struct naming *n, const struct formula *f, const struct definition *d,
		 struct name *out)
{
	naming_look_behind(n, d);
	if (!naming_statement(n, d->pc, out))
		return false;
	out->frame.regs[TRACE_RBP] = d->rbp;
	out->frame.regs[TRACE_RSP] = d->rsp;
	out->limits = f ? f->limits : NULL;
	if (d->kind == DEF_GUARD)
		name_guard(n, f, d, out);
	else if (d->kind == DEF_MEMORY)
		name_stored_memory(n, d, out);
	else if (d->kind == DEF_ADDRESS)
		name_address(n, out);
	else if (d->kind == DEF_TARGET)
		name_target(d, out);
	else if (d->kind == DEF_REGISTER && f)
		naming_register(n, f, d, out);
	else if (d->kind == DEF_REGISTER && !naming_by_argument(n, d, out) &&
		 !naming_by_return(n, out) && !naming_by_assignment(n, out))
		out->clause = NAMING_NO_NAME;
	return true;
}
