/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Objects of libstdc++, by its names of their members; written as its printers for GDB do. */
#include "solver/source/value-private.h"

#include <string.h>

/* ---- members of members ---- */

struct place {
	const struct image_type *type; /* NULL = not found */
	uint64_t address;
};

/* A member of the object, of its bases, or of its members. */
static struct place find_inside(const struct image_type *t, uint64_t address, const char *name,
				unsigned depth)
{
	struct place found = { NULL, 0 };

	for (uint32_t i = 0; depth < 8 && !found.type && i < t->n_members; i++) {
		const struct image_member *m = &t->members[i];
		uint64_t at = address + m->bit_offset / 8;

		if (m->name && strcmp(m->name, name) == 0 && m->type && !m->bit_size)
			return (struct place){ m->type, at };
		if (m->type && m->type->kind == IMAGE_TYPE_STRUCT)
			found = find_inside(m->type, at, name, depth + 1);
	}
	return found;
}

static struct place member_place(struct place of, const char *name)
{
	return find_inside(of.type, of.address, name, 0);
}

/* A word of memory: a pointer, or a number of that size. */
static bool read_word(struct value_reader *r, uint64_t address, uint64_t *word)
{
	return value_read(r, address, sizeof(*word), word);
}

static bool read_member(struct value_reader *r, struct place of, const char *name, uint64_t *word)
{
	struct place m = member_place(of, name);

	return m.type && m.type->size == sizeof(*word) && read_word(r, m.address, word);
}

static const char *name_of_type(const struct image_type *t)
{
	return t && t->name ? t->name : "";
}

/* ---- strings ---- */

static char *library_string_text(struct value_reader *r, struct place of, const char *label)
{
	uint64_t text, length;

	(void)label;
	return of.type->arguments[0] && of.type->arguments[0]->size == 1 &&
			       read_member(r, of, "_M_p", &text) &&
			       read_member(r, of, "_M_string_length", &length)
		       ? value_string(r, text, length)
		       : NULL;
}

/* ---- elements ---- */

static const char *plural_ending(uint64_t n)
{
	return n == 1 ? "" : "s";
}

/* "std::set with 2 elements = {", without the end where there are none. */
static GString *with_elements(const char *label, uint64_t count)
{
	GString *out = g_string_new(NULL);

	g_string_printf(out, "std::%s with %" G_GUINT64_FORMAT " element%s", label, count,
			plural_ending(count));
	return count ? g_string_append(out, " = {") : out;
}

static void add_element(struct value_reader *r, GString *out, unsigned *n,
			const struct image_type *type, uint64_t address)
{
	g_autofree char *value = value_inner(r, type, address);

	g_string_append_printf(out, "%s%s", (*n)++ ? ", " : "", value);
}

static char *close_elements(GString *out, unsigned shown, uint64_t all)
{
	if (shown < all)
		g_string_append(out, shown ? ", ..." : "...");
	return g_string_free(g_string_append_c(out, '}'), FALSE);
}

static char *vector_text(struct value_reader *r, struct place of, const char *label)
{
	const struct image_type *t = of.type->arguments[0];
	struct place start = member_place(of, "_M_start");
	uint64_t from, end, room, count;
	unsigned n = 0;
	GString *out;

	(void)label;
	if (!t || !t->size || !start.type || start.type->target != t ||
	    !read_word(r, start.address, &from) || !read_member(r, of, "_M_finish", &end) ||
	    !read_member(r, of, "_M_end_of_storage", &room) || end < from || room < end)
		return NULL;
	count = (end - from) / t->size;
	out = g_string_new(NULL);
	g_string_printf(out,
			"std::vector of length %" G_GUINT64_FORMAT ", capacity %" G_GUINT64_FORMAT,
			count, (room - from) / t->size);
	if (!count)
		return g_string_free(out, FALSE);
	g_string_append(out, " = {");
	while (n < count && n < MOST_MEMBERS)
		add_element(r, out, &n, t, from + n * t->size);
	return close_elements(out, n, count);
}

/* An iterator of a deque: where it stands, and the block that it stands in. */
struct deque_end {
	uint64_t at, first, last, block;
};

static bool read_deque_end(struct value_reader *r, struct place of, const char *name,
			   struct deque_end *end)
{
	struct place it = member_place(of, name);

	return it.type && read_member(r, it, "_M_cur", &end->at) &&
	       read_member(r, it, "_M_first", &end->first) &&
	       read_member(r, it, "_M_last", &end->last) &&
	       read_member(r, it, "_M_node", &end->block) && end->at >= end->first &&
	       end->at <= end->last;
}

/* What follows in the deque. */
static bool next_of_deque(struct value_reader *r, struct deque_end *it, uint64_t size,
			  uint64_t a_block)
{
	it->at += size;
	if (it->at < it->last)
		return true;
	it->block += sizeof(it->block);
	if (!read_word(r, it->block, &it->first))
		return false;
	it->at = it->first;
	it->last = it->first + a_block;
	return true;
}

/* Its blocks of elements stand in a list of their addresses. */
static char *deque_text(struct value_reader *r, struct place of, const char *label)
{
	enum { BLOCK = 512, MOST_BLOCKS = 1 << 20 };
	const struct image_type *t = of.type->arguments[0];
	struct deque_end it, end;
	uint64_t a_block, blocks, count;
	unsigned n = 0;
	GString *out;

	if (!t || !t->size || !read_deque_end(r, of, "_M_start", &it) ||
	    !read_deque_end(r, of, "_M_finish", &end) || end.block < it.block)
		return NULL;
	a_block = t->size < BLOCK ? BLOCK / t->size * t->size : t->size;
	blocks = (end.block - it.block) / sizeof(it.block);
	if (blocks > MOST_BLOCKS)
		return NULL;
	count = blocks ? ((blocks - 1) * a_block + it.last - it.at + end.at - end.first) / t->size
		       : (end.at - it.at) / t->size;
	out = with_elements(label, count);
	if (!count)
		return g_string_free(out, FALSE);
	while (n < count && n < MOST_MEMBERS) {
		add_element(r, out, &n, t, it.at);
		if (!next_of_deque(r, &it, t->size, a_block))
			break;
	}
	return close_elements(out, n, count);
}

/* What it is made of says what is in it. */
static char *adapter_text(struct value_reader *r, struct place of, const char *label)
{
	struct place c = member_place(of, "c");
	g_autofree char *inner = c.type ? value_inner(r, c.type, c.address) : NULL;

	return inner && g_str_has_prefix(inner, "std::")
		       ? g_strdup_printf("std::%s wrapping: %s", label, inner)
		       : NULL;
}

/* ---- maps and sets ---- */

/* A map's element is a pair; that of a set has its number. */
static void add_map_entry(struct value_reader *r, GString *out, unsigned *n,
			  const struct image_type *type, uint64_t address)
{
	bool pair = g_str_has_prefix(name_of_type(type), "pair<") && type->n_members >= 2;
	const struct image_member *value = pair ? &type->members[type->n_members - 1] : NULL;
	const struct image_member *key = pair ? &type->members[type->n_members - 2] : NULL;
	g_autofree char *first = NULL, *second = NULL;

	if (pair) {
		first = value_inner(r, key->type, address + key->bit_offset / 8);
		second = value_inner(r, value->type, address + value->bit_offset / 8);
	} else {
		first = g_strdup_printf("%u", *n);
		second = value_inner(r, type, address);
	}
	g_string_append_printf(out, "%s[%s] = %s", (*n)++ ? ", " : "", first, second);
}

/* The next node of a red-black tree in its order; its words: color, parent, left, right. */
static bool next_node(struct value_reader *r, uint64_t *node)
{
	enum { PARENT = 8, LEFT = 16, RIGHT = 24, DEEPEST_TREE = 256 };
	uint64_t at = *node, next;
	unsigned left = DEEPEST_TREE;

	if (!read_word(r, at + RIGHT, &next))
		return false;
	if (next) {
		while (next && left--) {
			at = next;
			if (!read_word(r, at + LEFT, &next))
				return false;
		}
		*node = at;
		return true;
	}
	while (left-- && read_word(r, at + PARENT, &next)) {
		uint64_t right;

		if (!read_word(r, next + RIGHT, &right))
			return false;
		if (right != at) {
			*node = next;
			return true;
		}
		at = next;
	}
	return false;
}

static char *tree_text(struct value_reader *r, struct place of, const char *label)
{
	enum { NODE_HEAD = 32 };
	struct place t = member_place(of, "_M_t");
	const struct image_type *type = t.type ? t.type->arguments[1] : NULL;
	uint64_t count, node;
	unsigned n = 0;
	GString *out;

	if (!type || !type->size || !read_member(r, t, "_M_node_count", &count))
		return NULL;
	out = with_elements(label, count);
	if (!count)
		return g_string_free(out, FALSE);
	if (read_member(r, t, "_M_left", &node))
		do
			add_map_entry(r, out, &n, type, node + NODE_HEAD);
		while (n < count && n < MOST_MEMBERS && next_node(r, &node));
	return close_elements(out, n, count);
}

/* Behind its link, a node has the element. */
static char *hash_table(struct value_reader *r, struct place of, const char *label)
{
	struct place t = member_place(of, "_M_h");
	const struct image_type *type = t.type ? t.type->arguments[1] : NULL;
	uint64_t count, node;
	unsigned n = 0;
	GString *out;

	if (!type || !type->size || !read_member(r, t, "_M_element_count", &count) ||
	    !read_member(r, t, "_M_nxt", &node))
		return NULL;
	out = with_elements(label, count);
	if (!count)
		return g_string_free(out, FALSE);
	while (n < count && n < MOST_MEMBERS && node) {
		add_map_entry(r, out, &n, type, node + sizeof(node));
		if (!read_word(r, node, &node))
			break;
	}
	return close_elements(out, n, count);
}

static char *list_text(struct value_reader *r, struct place of, const char *label)
{
	enum { NODE_HEAD = 16 };
	const struct image_type *type = of.type->arguments[0];
	struct place first = member_place(of, "_M_next"), size = member_place(of, "_M_size");
	uint64_t node, count;
	unsigned n = 0;
	GString *out;

	(void)label;
	if (!type || !type->size || !first.type || !size.type ||
	    !read_word(r, size.address, &count) || !read_word(r, first.address, &node))
		return NULL;
	if (!count)
		return g_strdup("empty std::__cxx11::list");
	out = g_string_new("std::__cxx11::list = {");
	while (n < count && n < MOST_MEMBERS) {
		g_autofree char *value = value_inner(r, type, node + NODE_HEAD);

		g_string_append_printf(out, "%s[%u] = %s", n ? ", " : "", n, value);
		n++;
		if (!read_word(r, node, &node))
			break;
	}
	return close_elements(out, n, count);
}

/* ---- pointers that own, and values that may be there ---- */

static char *unique_pointer(struct value_reader *r, struct place of, const char *label)
{
	const struct image_type *type = of.type->arguments[0];
	struct place head = member_place(of, "_M_head_impl");
	g_autofree char *pointer = NULL;

	(void)label;
	/* a deleter of its own may come first */
	if (!type || !head.type || head.type->kind != IMAGE_TYPE_POINTER ||
	    head.type->target != type)
		return NULL;
	pointer = value_inner(r, head.type, head.address);
	return g_strdup_printf("std::unique_ptr<%s> = {get() = %s}", name_of_type(type), pointer);
}

static char *shared_pointer(struct value_reader *r, struct place of, const char *label)
{
	enum { USES = 8, WEAK = 12 };
	const struct image_type *type = of.type->arguments[0];
	struct place to = member_place(of, "_M_ptr");
	g_autofree char *pointer = NULL, *counts = NULL;
	uint32_t uses = 0, weak = 0;
	uint64_t counter;

	if (!type || !to.type || !read_member(r, of, "_M_pi", &counter))
		return NULL;
	if (counter &&
	    (!value_read(r, counter + USES, 4, &uses) || !value_read(r, counter + WEAK, 4, &weak)))
		counts = g_strdup("use count ?");
	else if (counter && uses)
		counts = g_strdup_printf("use count %u, weak count %u", uses, weak - 1);
	else if (counter)
		counts = g_strdup_printf("expired, weak count %u", weak);
	else
		counts = g_strdup("empty");
	pointer = value_inner(r, to.type, to.address);
	return g_strdup_printf("std::%s<%s> (%s) = {get() = %s}", label, name_of_type(type), counts,
			       pointer);
}

static char *optional_text(struct value_reader *r, struct place of, const char *label)
{
	const struct image_type *type = of.type->arguments[0];
	struct place engaged = member_place(of, "_M_engaged"), payload = { NULL, 0 };
	g_autofree char *value = NULL;
	uint8_t there;

	(void)label;
	for (struct place p = of; p.type && p.type->kind == IMAGE_TYPE_STRUCT;
	     p = member_place(p, "_M_payload"))
		payload = member_place(p, "_M_payload");
	if (!type || !engaged.type || !value_read(r, engaged.address, 1, &there) || there > 1)
		return NULL;
	if (!there)
		return g_strdup_printf("std::optional<%s> [no contained value]",
				       name_of_type(type));
	if (!payload.type)
		payload = member_place(of, "_M_payload");
	if (!payload.type)
		return NULL;
	value = value_inner(r, type, payload.address);
	return g_strdup_printf("std::optional<%s> = {[contained value] = %s}", name_of_type(type),
			       value);
}

/* ---- which class ---- */

static const struct {
	const char *name;
	char *(*text)(struct value_reader *r, struct place of, const char *label);
} classes[] = {
	{ "basic_string<", library_string_text },
	{ "vector<", vector_text },
	{ "map<", tree_text },
	{ "multimap<", tree_text },
	{ "set<", tree_text },
	{ "multiset<", tree_text },
	{ "unordered_map<", hash_table },
	{ "unordered_set<", hash_table },
	{ "list<", list_text },
	{ "deque<", deque_text },
	{ "stack<", adapter_text },
	{ "queue<", adapter_text },
	{ "priority_queue<", adapter_text },
	{ "unique_ptr<", unique_pointer },
	{ "shared_ptr<", shared_pointer },
	{ "weak_ptr<", shared_pointer },
	{ "optional<", optional_text },
};

bool value_is_library_text(const struct image_type *type)
{
	return type->kind == IMAGE_TYPE_STRUCT &&
	       g_str_has_prefix(name_of_type(type), "basic_string<");
}

char *value_of_library(struct value_reader *r, const struct image_type *type, uint64_t address)
{
	for (size_t i = 0; i < G_N_ELEMENTS(classes); i++) {
		const char *name = classes[i].name;
		g_autofree char *label = NULL;
		char *text;

		if (!g_str_has_prefix(name_of_type(type), name))
			continue;
		label = g_strndup(name, strlen(name) - 1);
		text = classes[i].text(r, (struct place){ type, address }, label);
		/* its members are nobody's but the library's */
		return text ? text
			    : g_strdup(r->known && !value_is_library_text(type) ? "{...}" : "?");
	}
	return NULL;
}
