/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/expression.h"
#include "solver/source.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 32 };

struct reader {
	const struct image *im;
	const struct image_frame *frame;
	const char *at;
	unsigned depth;
	bool failed;
};

static struct expression additive(struct reader *r);

static void skip_blanks(struct reader *r)
{
	r->at += strspn(r->at, " \t\n");
}

static bool take(struct reader *r, const char *token)
{
	size_t n = strlen(token);

	skip_blanks(r);
	if (strncmp(r->at, token, n) != 0)
		return false;
	r->at += n;
	return true;
}

static struct expression fail(struct reader *r)
{
	r->failed = true;
	return (struct expression){ 0 };
}

static void read_value(const struct reader *r, struct expression *x)
{
	uint64_t size = x->type ? x->type->size : 0;

	x->has_value = false;
	if (!x->has_address || !r->frame->read || size == 0 || size > sizeof(x->bytes))
		return;
	for (unsigned at = 0; at < size; at += 8) {
		uint64_t word;
		unsigned n = (unsigned)MIN(size - at, 8);

		if (!r->frame->read(r->frame->arg, x->address + at, n, &word))
			return;
		memcpy(x->bytes + at, &word, n);
	}
	x->has_value = true;
}

static struct expression object_at(const struct reader *r, const struct image_type *type,
				   bool has_address, uint64_t address)
{
	struct expression x = { .type = type, .has_address = has_address, .address = address };

	read_value(r, &x);
	return x;
}

static bool as_integer(const struct expression *x, int64_t *out)
{
	uint64_t v = 0;
	unsigned spare;

	if (!x->has_value || !x->type || x->type->size == 0 || x->type->size > 8)
		return false;
	memcpy(&v, x->bytes, x->type->size);
	spare = 64 - 8 * (unsigned)x->type->size;
	*out = x->type->is_signed ? (int64_t)(v << spare) >> spare : (int64_t)v;
	return true;
}

/* An integer that was worked out or written down. */
static struct expression integer(const struct image_type *type, bool known, int64_t v)
{
	static const struct image_type plain = {
		.kind = IMAGE_TYPE_INT, .name = "long", .size = 8, .is_signed = true
	};
	struct expression x = { .type = type ? type : &plain, .has_value = known };

	memcpy(x.bytes, &v, MIN(x.type->size, sizeof(v)));
	return x;
}

static struct expression variable(struct reader *r, const char *name)
{
	const struct image_variable *const *v;
	const struct image_variable *found = NULL;
	size_t n = image_variables_at(r->im, r->frame->pc, &v);
	struct image_place p;

	for (size_t i = 0; i < n && !found; i++)
		if (strcmp(v[i]->name, name) == 0)
			found = v[i];
	n = found ? 0 : image_globals(r->im, &v);
	for (size_t i = 0; i < n && !found; i++)
		if (strcmp(v[i]->name, name) == 0)
			found = v[i];
	if (!found || !found->type)
		return fail(r);
	p = image_locate(r->im, found, r->frame);
	if (p.kind == IMAGE_PLACE_MEMORY)
		return object_at(r, found->type, true, p.address);
	if (p.kind == IMAGE_PLACE_REGISTER && p.reg < 16)
		return integer(found->type, r->frame->read && found->type->size <= 8,
			       (int64_t)r->frame->regs[p.reg]);
	return integer(found->type, p.kind == IMAGE_PLACE_VALUE && r->frame->read != NULL,
		       (int64_t)p.value);
}

static struct expression primary(struct reader *r)
{
	g_autofree char *name = NULL;
	struct expression x;
	size_t n = 0;

	skip_blanks(r);
	if (take(r, "(")) {
		x = additive(r);
		return take(r, ")") ? x : fail(r);
	}
	if (g_ascii_isdigit(*r->at)) {
		char *end;
		int64_t v = strtoll(r->at, &end, 0);

		r->at = end + strspn(end, "uUlL");
		return source_is_word(*r->at) || *r->at == '.' ? fail(r) : integer(NULL, true, v);
	}
	while (source_is_word(r->at[n]))
		n++;
	if (n == 0)
		return fail(r);
	name = g_strndup(r->at, n);
	r->at += n;
	return variable(r, name);
}

static struct expression target_of(struct reader *r, const struct expression *x, int64_t index)
{
	bool array = x->type && x->type->kind == IMAGE_TYPE_ARRAY;
	int64_t base = (int64_t)x->address;
	bool known = array ? x->has_address : as_integer(x, &base);

	if (!x->type || (!array && x->type->kind != IMAGE_TYPE_POINTER) || !x->type->target)
		return fail(r);
	return object_at(r, x->type->target, known,
			 (uint64_t)(base + index * (int64_t)x->type->target->size));
}

/* Also a member of an anonymous one inside. */
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

static struct expression member_of(struct reader *r, const struct expression *x)
{
	g_autofree char *name = NULL;
	struct image_member m;
	size_t n = 0;

	skip_blanks(r);
	while (source_is_word(r->at[n]))
		n++;
	name = g_strndup(r->at, n);
	r->at += n;
	if (!x->type || !find_member(x->type, name, &m, 0) || m.bit_size)
		return fail(r);
	return object_at(r, m.type, x->has_address, x->address + m.bit_offset / 8);
}

static struct expression element_of(struct reader *r, const struct expression *x)
{
	struct expression index = additive(r), element;
	int64_t i = 0;
	bool known = as_integer(&index, &i);

	if (r->failed || !take(r, "]"))
		return fail(r);
	element = target_of(r, x, i);
	if (!known)
		element.has_address = element.has_value = false;
	return element;
}

static struct expression postfix(struct reader *r)
{
	struct expression x = primary(r);

	while (!r->failed) {
		if (take(r, "->")) {
			struct expression aggregate = target_of(r, &x, 0);

			x = member_of(r, &aggregate);
		} else if (take(r, ".")) {
			x = member_of(r, &x);
		} else if (take(r, "[")) {
			x = element_of(r, &x);
		} else {
			break;
		}
	}
	return x;
}

static struct expression unary(struct reader *r)
{
	struct expression x;
	int64_t v = 0;

	if (r->depth++ > DEEPEST)
		return fail(r);
	if (take(r, "*")) {
		x = unary(r);
		return r->failed ? x : target_of(r, &x, 0);
	}
	if (take(r, "&")) {
		x = unary(r);
		return r->failed || !x.type ? x : integer(NULL, x.has_address, (int64_t)x.address);
	}
	if (take(r, "-")) {
		x = unary(r);
		return integer(NULL, as_integer(&x, &v), -v);
	}
	return postfix(r);
}

static struct expression additive(struct reader *r)
{
	struct expression x = unary(r);

	while (!r->failed) {
		struct expression y;
		int64_t a = 0, b = 0;
		bool minus, known;

		skip_blanks(r);
		minus = *r->at == '-' && r->at[1] != '>';
		if (!minus && *r->at != '+')
			break;
		r->at++;
		y = unary(r);
		if (x.type && x.type->target)
			return fail(r);
		known = as_integer(&x, &a) && as_integer(&y, &b);
		x = integer(NULL, known, minus ? a - b : a + b);
	}
	return x;
}

bool expression_look_up(const struct image *im, const struct image_frame *frame, const char *text,
			struct expression *out)
{
	struct reader r = { .im = im, .frame = frame, .at = text };
	struct expression x = additive(&r);

	skip_blanks(&r);
	if (r.failed || *r.at || !x.type)
		return false;
	*out = x;
	return true;
}

/* ---- the parts of a condition ---- */

static void clear_part(void *p)
{
	struct expression_part *part = p;

	g_free(part->text);
	g_free(part->call);
}

static bool is_keyword(const char *word)
{
	static const char *const keywords[] = { "sizeof", "struct",   "union",	"enum",	   "int",
						"char",	  "unsigned", "signed", "long",	   "short",
						"const",  "volatile", "void",	"double",  "float",
						"NULL",	  "true",     "false",	"_Alignof" };

	for (size_t i = 0; i < G_N_ELEMENTS(keywords); i++)
		if (strcmp(word, keywords[i]) == 0)
			return true;
	return false;
}

/* Where the name that starts at a place ends, with members and elements. */
static size_t end_of_name(const struct source *s, size_t at)
{
	for (;;) {
		size_t next;

		while (source_is_word(s->code[at]))
			at++;
		next = source_skip(s, at);
		if (s->code[next] == '[' && source_closing(s, next) != SIZE_MAX)
			at = source_closing(s, next) + 1;
		else if (s->code[next] == '.')
			at = source_skip(s, next + 1);
		else if (strncmp(s->code + next, "->", 2) == 0)
			at = source_skip(s, next + 2);
		else
			return at;
		if (at >= s->length)
			return s->length;
	}
}

/* The unary stars before a name; SIZE_MAX when its address is taken. */
static size_t start_of_part(const struct source *s, size_t name)
{
	size_t start = name;

	for (size_t i = name; i > 0; i--) {
		char c = s->code[i - 1];
		bool unary = i == 1 || strchr("(!=<>&|+-,*~", s->code[i - 2]) ||
			     (i > 2 && s->code[i - 2] == ' ' &&
			      strchr("(!=<>&|+-,*~?:", s->code[i - 3]));

		if (c == '&' && unary && !(i > 1 && s->code[i - 2] == '&'))
			return SIZE_MAX;
		if (c != '*' || !unary)
			break;
		start = i - 1;
	}
	return start;
}

static void add_part(GArray *parts, char *text, char *call)
{
	struct expression_part part = { text, call };

	for (guint i = 0; !call && i < parts->len; i++)
		if (strcmp(g_array_index(parts, struct expression_part, i).text, text) == 0) {
			clear_part(&part);
			return;
		}
	g_array_append_val(parts, part);
}

/* Adds the part that starts with the word at a place; returns where to go on. */
static size_t take_part(const struct source *s, size_t at, GArray *parts)
{
	size_t word_end = at, open, end, start;
	g_autofree char *word = NULL;

	while (source_is_word(s->code[word_end]))
		word_end++;
	word = g_strndup(s->code + at, word_end - at);
	open = source_skip(s, word_end);
	if (g_ascii_isdigit(*word))
		return word_end;
	if (strcmp(word, "sizeof") == 0 && s->code[open] == '(')
		return MIN(source_closing(s, open), s->length - 1) + 1;
	if (is_keyword(word))
		return word_end;
	if (s->code[open] == '(' && source_closing(s, open) != SIZE_MAX) {
		struct source_span span = { at, source_closing(s, open) + 1 };

		add_part(parts, source_text(s, span), g_steal_pointer(&word));
		return open + 1;
	}
	end = end_of_name(s, at);
	start = start_of_part(s, at);
	if (start != SIZE_MAX)
		add_part(parts, source_text(s, (struct source_span){ start, end }), NULL);
	return word_end; /* an index has parts of its own */
}

static bool is_member(const struct source *s, size_t at)
{
	while (at > 0 && s->code[at - 1] == ' ')
		at--;
	return at > 0 && (s->code[at - 1] == '.' ||
			  (at > 1 && s->code[at - 1] == '>' && s->code[at - 2] == '-'));
}

GArray *expression_parts(const char *condition)
{
	struct source *s = source_new(condition);
	GArray *parts = g_array_new(FALSE, FALSE, sizeof(struct expression_part));

	g_array_set_clear_func(parts, clear_part);
	for (size_t at = 0; at < s->length;)
		if (!source_is_word(s->code[at]))
			at++;
		else if (is_member(s, at))
			while (source_is_word(s->code[at]))
				at++;
		else
			at = take_part(s, at, parts);
	source_free(s);
	return parts;
}
