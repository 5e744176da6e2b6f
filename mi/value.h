/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values of GDB's machine interface: what stands right of `=' in a record.
 *
 *     bkpt={number="1",thread-groups=["i1"]}
 *
 * is a tuple with two items, a string named "number" and a list named
 * "thread-groups" of one unnamed string.  GDB does not keep its own grammar:
 * lists hold results with repeated keys (stack=[frame={},frame={}]), tuples
 * hold bare values (mi2: bkpt={},{}).  So tuple and list are one shape, items
 * in order, each with or without a name; `kind' keeps the brackets.
 *
 * Invariants: a value owns its name, text and items; text is NUL-terminated
 * after `length' bytes, may hold NULs, and is any bytes (no promise of UTF-8).
 */
#ifndef MI_VALUE_H
#define MI_VALUE_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum mi_kind { MI_STRING, MI_TUPLE, MI_LIST };

struct mi_value {
	enum mi_kind kind;
	char *name;	  /* its key in the parent; NULL: a bare value */
	char *text;	  /* when kind == MI_STRING: unescaped */
	size_t length;	  /* when kind == MI_STRING: bytes of text */
	GPtrArray *items; /* else: of struct mi_value, owned; never NULL */
};

/* New values.  The name is copied and may be NULL. */
struct mi_value *mi_value_new_string(const char *name, const char *text, size_t length);
struct mi_value *mi_value_new(const char *name, enum mi_kind kind);
void mi_value_free(struct mi_value *value);
typedef struct mi_value mi_value; /* for g_autoptr only */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(mi_value, mi_value_free)

/* Adds an item to a tuple or list, which then owns it. */
void mi_value_add(struct mi_value *parent, struct mi_value *item);

/* Number of items; 0 for strings and NULL. */
size_t mi_count(const struct mi_value *value);

/* The i-th item; NULL when there is none. */
const struct mi_value *mi_item(const struct mi_value *value, size_t i);

/* Follows a path of keys and indices from value: "frame.func",
 * "stack.0.addr", "memory.0.contents".  A key means the first item of that
 * name, a number the item at that place.  NULL where the path ends early, and
 * for value == NULL. */
const struct mi_value *mi_get(const struct mi_value *value, const char *path);

/* The string at path; NULL when there is none or it is no string.  It belongs
 * to the value. */
const char *mi_get_text(const struct mi_value *value, const char *path);

/* The number at path, decimal or 0x...; anything after it but a blank is an
 * error ("0x401136 <main>" is fine).  False, *number untouched, when there is
 * none. */
bool mi_get_u64(const struct mi_value *value, const char *path, uint64_t *number);

/* As mi_get_u64, in octal: MI's exit-code. */
bool mi_get_octal(const struct mi_value *value, const char *path, uint64_t *number);

bool mi_value_equal(const struct mi_value *a, const struct mi_value *b);

/* Appends the value as GDB would write it, with its name= if it has one. */
void mi_value_print(const struct mi_value *value, GString *to);

#endif
