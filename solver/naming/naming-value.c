/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The values that a definition may have, written as its type writes them. */
#include "solver/image/variable/variable.h"
#include "solver/naming/naming-private.h"
#include "solver/base/machine.h"
#include "solver/source/expression/expression.h"
#include "solver/source/value.h"

#include <string.h>

static const char *outcome_text(const struct name *name, term_bits value, term_bits natural)
{
	switch (name->polarity->meaning) {
	case POLARITY_TAKEN_IS_TRUE:
		return value ? "true" : "false";
	case POLARITY_TAKEN_IS_FALSE:
		return value ? "false" : "true";
	case POLARITY_SWITCH:
		if (name->polarity->cases[value != 0])
			return name->polarity->cases[value != 0];
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

/* The element or variable that begins at an address; NULL = it has no name. */
static char *object_named_at(const struct name *name, uint64_t address, unsigned size)
{
	struct image_lvalue lv;

	if (!image_name_memory(name->image, &name->frame, address, size, &lv))
		return NULL;
	if (lv.part != address)
		image_lvalue_clear(&lv);
	return lv.text;
}

static const char *place_text(struct naming *n, const struct name *name, const struct definition *d,
			      uint64_t place, uint64_t natural)
{
	g_autofree char *here = object_named_at(name, place, d->size);
	g_autofree char *there = object_named_at(name, natural, d->size);
	int64_t away = (int64_t)(place - natural),
		size = name->type ? (int64_t)name->type->size : 0;
	bool elements = size && away % size == 0 && g_str_has_suffix(name->clause, "]");
	int64_t count = ABS(elements ? away / size : away);

	if (here && there)
		return explanation_string(n->e, here);
	if (!away)
		return "its own place";
	return naming_keep(n, g_strdup_printf("%" G_GINT64_FORMAT " %s%s %s it", count,
					      elements ? "element" : "byte", count == 1 ? "" : "s",
					      away < 0 ? "before" : "after"));
}

static const char *target_text(const struct name *name, term_bits value, term_bits natural)
{
	const char *function = function_at(name, (uint64_t)value);

	if (function && strcmp(name->kind, "call") == 0)
		return function;
	return value == natural ? "one case" : "another case";
}

static term_bits mask_of_low_bits(unsigned bits)
{
	return bits < 128 ? ((term_bits)1 << bits) - 1 : ~(term_bits)0;
}

/* ---- values of several things at once: names those that differ ---- */

struct range {
	uint64_t from, bits; /* bits of the definition's value */
};

static struct range differing_range(term_bits a, term_bits b, unsigned size)
{
	term_bits x = (a ^ b) & mask_of_low_bits(8 * size);
	struct range r = { 0, 8 * size };

	while (x && !(x >> r.from & 1))
		r.from++;
	for (r.bits -= r.from; x && !(x >> (r.from + r.bits - 1) & 1);)
		r.bits--;
	return r;
}

/* What is known of the value while it is taken apart. */
struct narrowing {
	struct name *name;
	const struct image_type *type; /* the type of the thing that holds it */
	const char *head;	       /* the thing's name */
	uint64_t offset;	       /* the bit of it at which the value begins */
	unsigned size;		       /* bytes of the value */
	GString *text;
};

/* False when the value does not hold the whole part. */
static bool take_type_part(struct narrowing *w, const struct image_type *type, uint64_t at,
			   uint64_t bits, unsigned elements)
{
	if (!type || at < w->offset || at + bits > w->offset + 8 * w->size || !bits ||
	    w->name->n_parts == NAME_PARTS)
		return false;
	w->name->parts[w->name->n_parts++] =
		(struct name_part){ type, (unsigned)(at - w->offset), (unsigned)bits, elements };
	return true;
}

/* "[1..2]" of an array. */
static bool take_elements(struct narrowing *w, const struct image_part *array, struct range r)
{
	const struct image_type *t = array->type->target;
	uint64_t element = t ? 8 * t->size : 0, first, last;

	if (array->type->kind != IMAGE_TYPE_ARRAY || !element)
		return false;
	first = (r.from + w->offset - array->at) / element;
	last = (r.from + w->offset + r.bits - 1 - array->at) / element;
	if (!take_type_part(w, t, array->at + first * element, (last - first + 1) * element,
			    (unsigned)(last - first + 1)))
		return false;
	g_string_append_printf(w->text, "[%" G_GUINT64_FORMAT "..%" G_GUINT64_FORMAT "]", first,
			       last);
	return true;
}

/* Goes into the part that holds the range; its name is appended to the text. */
static bool take_range(struct narrowing *w, struct range r)
{
	gsize length = w->text->len;
	struct image_part part;

	g_string_append_printf(w->text, "%s%s", length ? ", " : "", w->head);
	image_part_of(w->type, w->offset + r.from, r.bits, w->text, &part);
	if (part.type &&
	    (take_type_part(w, part.type, part.at, part.bits, 0) || take_elements(w, &part, r)))
		return true;
	g_string_truncate(w->text, length);
	return false;
}

/* Names part after part.  A range that is in none of them has no name. */
static bool take_parts(struct narrowing *w, term_bits a, term_bits b)
{
	struct range r = differing_range(a, b, w->size);

	if (take_range(w, r))
		return true;
	for (term_bits left = (a ^ b) & mask_of_low_bits(8 * w->size); left;) {
		const struct name_part *part;

		r = differing_range(left, 0, w->size);
		r.bits = 1;
		if (!take_range(w, r))
			break;
		part = &w->name->parts[w->name->n_parts - 1];
		left &= ~(mask_of_low_bits(part->bits) << part->shift);
	}
	return w->name->n_parts > 0;
}

/* One instruction may store several elements through a pointer: names the first that differs. */
static void take_element(struct name *name, struct range r)
{
	unsigned bits = 8 * (unsigned)name->type->size;

	name->parts[name->n_parts++] =
		(struct name_part){ name->type, (unsigned)r.from / bits * bits, bits, 0 };
}

/* The place of which the frame has the address: a function that returns a structure in memory is
 * passed where, and keeps that near an end of its frame.  0: it is not there, or there are several
 * such places around at. */
static uint64_t place_of_result(const struct image_frame *f, uint64_t at, uint64_t size)
{
	const uint64_t red_zone = 128, near = 256, word = 8;
	const uint64_t sp = f->regs[TRACE_RSP], bp = f->regs[TRACE_RBP];
	const uint64_t parts[][2] = { { sp - red_zone, sp + near }, { bp - near, bp } };
	uint64_t found = 0, value;

	for (size_t i = 0; f->read && i < G_N_ELEMENTS(parts); i++)
		for (uint64_t p = parts[i][0] & -word; p < parts[i][1]; p += word) {
			if (!f->read(f->arg, p, word, &value) || at - value >= size ||
			    value == found)
				continue;
			if (found)
				return 0;
			found = value;
		}
	return found;
}

/* Where in the object that the name stands for the store begins, in bits: a copy of a structure
 * is several stores.  False when that is not known. */
static bool place_in_object(const struct name *name, const struct definition *d, uint64_t *offset)
{
	const bool memory = d->kind == DEF_MEMORY;
	struct expression x;
	uint64_t from = 0;

	*offset = name->offset;
	if (!memory)
		return true;
	if (strcmp(name->kind, "return") == 0)
		from = place_of_result(&name->frame, d->address, name->type->size);
	else if (expression_look_up(name->image, &name->frame, name->clause, &x) && x.has_address)
		from = x.address;
	if (!from || d->address - from >= name->type->size)
		return strcmp(name->kind, "return") != 0 || d->size == name->type->size;
	*offset = 8 * (d->address - from);
	return true;
}

void naming_narrow(struct naming *n, const struct definition *d, term_bits a, term_bits b,
		   struct name *name)
{
	const struct image_type *type = name->type;
	bool memory = d->kind == DEF_MEMORY;
	g_autoptr(GString) text = g_string_new(NULL);
	g_autofree char *bracketed = NULL;
	struct narrowing w = { name, type, name->clause, name->offset, d->size, text };

	if (name->n_parts || name->unknown || (!memory && d->kind != DEF_REGISTER) || !type ||
	    !type->size || (!image_type_is_aggregate(type) && (!memory || type->size >= d->size)))
		return;
	if (name->variable) {
		w.type = name->variable->type;
		w.head = name->variable->name;
		w.offset = 8 * (d->address - name->object);
	} else if (type->size < d->size) {
		take_element(name, differing_range(a, b, d->size));
		return;
	} else {
		if (!place_in_object(name, d, &w.offset))
			return;
		/* the last statement, where the source does not say what is returned */
		if (strchr(name->clause, ';'))
			w.head = "result";
		else if (strpbrk(name->clause, "*& ("))
			w.head = bracketed = g_strdup_printf("(%s)", name->clause);
	}
	if (!take_parts(&w, a, b))
		return;
	/* the function's own variable keeps its value */
	if (strcmp(name->kind, "return") == 0)
		g_string_append(text, " as it is returned");
	name->clause = explanation_string(n->e, text->str);
	name->kind = "assignment";
}

/* ---- */

/* Is anything known around this address?  It may be one past an object's end. */
static bool is_used_memory(const struct name *name, uint64_t address)
{
	const struct image_frame *f = &name->frame;
	uint64_t byte, around = limits_or_default(name->limits)->name_object;

	for (uint64_t at = address - around; f->read && at <= address + around; at++)
		if (f->read(f->arg, at, 1, &byte))
			return true;
	return false;
}

/* Is this number, which has no name, the address of something? */
static bool is_an_address(const struct name *name, const struct definition *d, uint64_t value)
{
	const uint64_t near_stack = MAIN_STACK_BYTES;

	if (d->size != 8 || value < LOWEST_MAPPED_ADDRESS)
		return false;
	return value - (d->rsp - near_stack) < 2 * near_stack || is_used_memory(name, value);
}

/* An instruction that writes half of a register clears the other half: a wider thing that it
 * passes has no sign from there. */
static bool is_zero_extended(const struct definition *d, const struct image_type *type)
{
	return type && d->kind == DEF_REGISTER && d->reg < TRACE_RFLAGS && d->size == 4 &&
	       type->size == 8 &&
	       (type->kind == IMAGE_TYPE_INT || type->kind == IMAGE_TYPE_POINTER);
}

/* Of a register without a type, in which the run had NULL, the witness tells that it is a pointer.
 */
static const struct image_type *type_of_value(const struct name *name, const struct definition *d,
					      uint64_t value, uint64_t natural)
{
	static const struct image_type plain[] = {
		{ .kind = IMAGE_TYPE_INT, .size = 1, .is_signed = true },
		{ .kind = IMAGE_TYPE_INT, .size = 2, .is_signed = true },
		{ .kind = IMAGE_TYPE_INT, .size = 4, .is_signed = true },
		{ .kind = IMAGE_TYPE_INT, .size = 8, .is_signed = true },
	};
	static const struct image_type pointer = { .kind = IMAGE_TYPE_POINTER, .size = 8 };
	const struct image_type *type = name->type;

	if (type && (type->size == d->size || type->kind == IMAGE_TYPE_STRUCT ||
		     is_zero_extended(d, type) ||
		     /* a register is wider than what it returns or passes */
		     (d->kind == DEF_REGISTER && type->size && type->size < d->size)))
		return type;
	if (!type && (is_an_address(name, d, natural) || is_an_address(name, d, value)))
		return &pointer;
	for (unsigned i = 0; i < G_N_ELEMENTS(plain); i++)
		if (plain[i].size == MIN(d->size, 8))
			type = &plain[i];
	return type;
}

static char *part_text(const struct name *name, const struct name_part *part, term_bits value)
{
	const struct image_type *type = part->type;
	struct image_type array = { .kind = IMAGE_TYPE_ARRAY,
				    .size = part->bits / 8,
				    .target = type,
				    .count = part->elements };

	value = value >> part->shift & mask_of_low_bits(part->bits);
	if (type->is_signed && value >> (part->bits - 1) & 1)
		value |= ~mask_of_low_bits(part->bits);
	if (part->elements)
		type = &array;
	return value_text(name->image, &name->frame, type, (const uint8_t *)&value,
			  MIN(sizeof(value), type->size));
}

static const char *parts_text(struct naming *n, const struct name *name, term_bits value)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (unsigned i = 0; i < name->n_parts; i++) {
		g_autofree char *part = part_text(name, &name->parts[i], value);

		g_string_append_printf(text, "%s%s", i ? ", " : "", part);
	}
	return explanation_string(n->e, text->str);
}

static const char *number_text(struct naming *n, const struct name *name,
			       const struct definition *d, term_bits value)
{
	const struct image_type *type = name->type;
	unsigned size = is_zero_extended(d, type) ? type->size : d->size;
	uint8_t bytes[sizeof(value)];

	memcpy(bytes, &value, sizeof(value));
	return naming_keep(n, value_text(name->image, &name->frame, type, bytes,
					 MIN(size, type ? type->size : 0)));
}

/* Is the value only a part of the aggregate that the name is about?  A register may hold its
 * beginning.  Or did one instruction store more than what has the name? */
static bool is_fragment(const struct name *name, const struct definition *d)
{
	const struct image_type *type = name->type;

	if (!type)
		return false;
	if (!image_type_is_aggregate(type))
		return d->kind == DEF_MEMORY && type->size && type->size < d->size;
	return d->kind == DEF_MEMORY ? type->size != d->size
				     : name->offset || d->reg == TRACE_RDX || d->reg > TRACE_XMM0;
}

/* A 64-bit number in a register, or on the stack, that has no type may be the bits of a
 * floating-point number: as a number it tells a person nothing. */
static bool is_readable_value(const struct name *name, const struct definition *d, uint64_t value)
{
	bool named = d->kind != DEF_REGISTER && g_strcmp0(name->clause, NAMING_NO_NAME) != 0;

	return name->type || named || d->size != 8 || value == (uint64_t)(int64_t)(int32_t)value ||
	       value >> 32 == 0 || is_an_address(name, d, value);
}

/* Is a part of the value in memory that is not known? */
static bool is_unknown_text(const char *text)
{
	return strcmp(text, "?") == 0 || strstr(text, "= ?");
}

/* The argument of the program that begins at the address, as a string; NULL = none does. */
static char *argument_text_at(const struct naming *n, const struct limits *limits, uint64_t address)
{
	char *const *words = n->e->argv;
	uint64_t most = limits_or_default(limits)->origin_calls, argc, argv, start;

	if (!words || !trace_point_main_arguments(n->point, &argc, &argv))
		return NULL;
	for (uint64_t i = 1; i < MIN(argc, most) && words[i - 1]; i++)
		if (trace_point_read_before(n->point, n->now, argv + 8 * i, 8, &start) &&
		    start == address)
			return value_quoted(words[i - 1]);
	return NULL;
}

/* The text that begins at an address where the program writes nothing; NULL = none does. */
static char *constant_memory_text(const struct name *name, uint64_t address)
{
	static const struct image_type character = { .kind = IMAGE_TYPE_CHAR, .size = 1 },
				       pointer = { .kind = IMAGE_TYPE_POINTER,
						   .size = 8,
						   .target = &character };
	uint8_t first, bytes[8];
	bool writable;
	char *text;

	if (!image_initial(name->image, address - name->frame.bias, 1, &first, &writable) ||
	    writable)
		return NULL;
	memcpy(bytes, &address, sizeof(bytes));
	text = value_text(name->image, &name->frame, &pointer, bytes, sizeof(bytes));
	if (*text != '"')
		g_clear_pointer(&text, g_free);
	return text;
}

/* Does a variable lie at the address? */
static bool is_in_global(const struct name *name, uint64_t address)
{
	const struct image_variable *const *v;
	size_t n = image_globals(name->image, &v);
	uint64_t link = address - name->frame.bias;

	for (size_t i = 0; i < n; i++)
		if (v[i]->type && link - v[i]->address < v[i]->type->size)
			return true;
	return false;
}

/* Is it a text?  The bytes of a table may look like an empty text, so one of the two values has
 * to be longer.  What is printed and has no name is a text. */
static char *constant_text_of(const struct name *name, uint64_t value, uint64_t natural)
{
	g_autofree char *a = constant_memory_text(name, value),
			*b = constant_memory_text(name, natural);
	bool longer = a && (strlen(a) > 2 || (b && strlen(b) > 2));

	return longer || (a && name->printed && !is_in_global(name, value)) ? g_steal_pointer(&a)
									    : NULL;
}

/* A bare address tells a person only whether it is the same as another. */
static const char *address_text(struct naming *n, const struct name *name, uint64_t value,
				uint64_t natural)
{
	char *text = argument_text_at(n, name->limits, value);

	if (!text)
		text = constant_text_of(name, value, natural);
	if (text)
		return naming_keep(n, text);
	return value == natural ? "one address" : "another address";
}

/* "another node with key 3", where the text is that of the object which it was. */
static const char *object_text(struct naming *n, const struct name *name,
			       const struct definition *d, term_bits natural, const char *text)
{
	g_autofree char *another = NULL;

	if (!g_str_has_prefix(text, "the ") || strcmp(text, number_text(n, name, d, natural)) != 0)
		return text;
	another = g_strconcat("another ", text + strlen("the "), NULL);
	return explanation_string(n->e, another);
}

const char *naming_value(struct naming *n, const struct name *name, const struct definition *d,
			 term_bits value, term_bits natural)
{
	struct name typed = *name;
	const char *text;

	/* the name may be that of another execution */
	naming_look_behind(n, d);
	typed.frame.regs[TRACE_RBP] = d->rbp;
	typed.frame.regs[TRACE_RSP] = d->rsp;
	if (name->unknown)
		return NULL;
	if (d->kind == DEF_GUARD)
		return explanation_string(n->e, outcome_text(name, value, natural));
	if (d->kind == DEF_ADDRESS)
		return place_text(n, &typed, d, (uint64_t)value, (uint64_t)natural);
	if (d->kind == DEF_TARGET)
		return target_text(name, value, natural);
	if (d->size == 8 && function_at(name, (uint64_t)value))
		return function_at(name, (uint64_t)value);
	if (name->n_parts)
		return parts_text(n, &typed, value);
	if (is_fragment(name, d))
		return NULL;
	if (!is_readable_value(name, d, (uint64_t)natural) ||
	    !is_readable_value(name, d, (uint64_t)value))
		return NULL;
	typed.type = type_of_value(&typed, d, (uint64_t)value, (uint64_t)natural);
	text = number_text(n, &typed, d, value);
	if (is_unknown_text(text))
		return NULL;
	if (typed.type && typed.type->kind == IMAGE_TYPE_POINTER && g_str_has_prefix(text, "0x"))
		return address_text(n, name, (uint64_t)value, (uint64_t)natural);
	if (value != natural && typed.type && typed.type->kind == IMAGE_TYPE_POINTER)
		return object_text(n, &typed, d, natural, text);
	return text;
}
