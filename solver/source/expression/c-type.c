/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/source/expression/c-type.h"

#include <string.h>

static const struct image_type types[] = {
	[C_BOOL] = { .kind = IMAGE_TYPE_BOOL, .name = "_Bool", .size = 1 },
	[C_CHAR] = { .kind = IMAGE_TYPE_CHAR, .name = "char", .size = 1, .is_signed = true },
	[C_SCHAR] = { .kind = IMAGE_TYPE_CHAR,
		      .name = "signed char",
		      .size = 1,
		      .is_signed = true },
	[C_UCHAR] = { .kind = IMAGE_TYPE_CHAR, .name = "unsigned char", .size = 1 },
	[C_SHORT] = { .kind = IMAGE_TYPE_INT, .name = "short", .size = 2, .is_signed = true },
	[C_USHORT] = { .kind = IMAGE_TYPE_INT, .name = "unsigned short", .size = 2 },
	[C_INT] = { .kind = IMAGE_TYPE_INT, .name = "int", .size = 4, .is_signed = true },
	[C_UINT] = { .kind = IMAGE_TYPE_INT, .name = "unsigned int", .size = 4 },
	[C_LONG] = { .kind = IMAGE_TYPE_INT, .name = "long", .size = 8, .is_signed = true },
	[C_ULONG] = { .kind = IMAGE_TYPE_INT, .name = "unsigned long", .size = 8 },
	[C_LONG_LONG] = { .kind = IMAGE_TYPE_INT,
			  .name = "long long",
			  .size = 8,
			  .is_signed = true },
	[C_ULONG_LONG] = { .kind = IMAGE_TYPE_INT, .name = "unsigned long long", .size = 8 },
	[C_FLOAT] = { .kind = IMAGE_TYPE_FLOAT, .name = "float", .size = 4 },
	[C_DOUBLE] = { .kind = IMAGE_TYPE_FLOAT, .name = "double", .size = 8 },
	[C_LONG_DOUBLE] = { .kind = IMAGE_TYPE_FLOAT, .name = "long double", .size = 16 },
	[C_VOID] = { .kind = IMAGE_TYPE_VOID, .name = "void" },
};

const struct image_type *c_type(enum c_type t)
{
	return &types[t];
}

/* How often each keyword may stand in a type's name. */
enum word {
	W_VOID,
	W_BOOL,
	W_CHAR,
	W_INT,
	W_FLOAT,
	W_DOUBLE,
	W_SHORT,
	W_LONG,
	W_SIGNED,
	W_UNSIGNED,
	N_WORDS
};

static const char *const words_of_types[N_WORDS] = {
	[W_VOID] = "void",     [W_BOOL] = "_Bool",	  [W_CHAR] = "char",   [W_INT] = "int",
	[W_FLOAT] = "float",   [W_DOUBLE] = "double",	  [W_SHORT] = "short", [W_LONG] = "long",
	[W_SIGNED] = "signed", [W_UNSIGNED] = "unsigned",
};

static enum word word_number(const char *text)
{
	unsigned i = 0;

	if (strcmp(text, "bool") == 0)
		return W_BOOL;
	while (i < N_WORDS && strcmp(text, words_of_types[i]) != 0)
		i++;
	return (enum word)i;
}

bool c_type_is_qualifier(const char *word)
{
	return strcmp(word, "const") == 0 || strcmp(word, "volatile") == 0 ||
	       strcmp(word, "restrict") == 0 || strcmp(word, "_Atomic") == 0;
}

bool c_type_is_word(const char *word)
{
	return word_number(word) != N_WORDS;
}

/* signed or unsigned, and how long it is. */
static const struct image_type *integer_type_of_words(const unsigned *n)
{
	bool u = n[W_UNSIGNED];

	if (n[W_CHAR])
		return n[W_INT] || n[W_SHORT] || n[W_LONG] ? NULL
		       : u				   ? &types[C_UCHAR]
		       : n[W_SIGNED]			   ? &types[C_SCHAR]
							   : &types[C_CHAR];
	if (n[W_SHORT])
		return n[W_LONG] ? NULL : &types[u ? C_USHORT : C_SHORT];
	if (n[W_LONG] == 2)
		return &types[u ? C_ULONG_LONG : C_LONG_LONG];
	if (n[W_LONG])
		return &types[u ? C_ULONG : C_LONG];
	return &types[u ? C_UINT : C_INT];
}

const struct image_type *c_type_of_words(const char *const *words, size_t n_words)
{
	unsigned n[N_WORDS + 1] = { 0 };

	for (size_t i = 0; i < n_words; i++)
		if (++n[word_number(words[i])] > 1 && word_number(words[i]) != W_LONG)
			return NULL;
	if (!n_words || n[N_WORDS] || n[W_LONG] > 2 || (n[W_SIGNED] && n[W_UNSIGNED]))
		return NULL;
	if (n[W_DOUBLE])
		return n_words == 1			? &types[C_DOUBLE]
		       : n_words == 2 && n[W_LONG] == 1 ? &types[C_LONG_DOUBLE]
							: NULL;
	if (n[W_VOID] || n[W_BOOL] || n[W_FLOAT])
		return n_words > 1 ? NULL
				   : &types[n[W_VOID]	? C_VOID
					    : n[W_BOOL] ? C_BOOL
							: C_FLOAT];
	return integer_type_of_words(n);
}

bool c_type_is_integer(const struct image_type *t)
{
	return t->kind == IMAGE_TYPE_BOOL || t->kind == IMAGE_TYPE_CHAR ||
	       t->kind == IMAGE_TYPE_INT || t->kind == IMAGE_TYPE_ENUM;
}

bool c_type_is_arithmetic(const struct image_type *t)
{
	return c_type_is_integer(t) || t->kind == IMAGE_TYPE_FLOAT;
}

bool c_type_is_scalar(const struct image_type *t)
{
	return c_type_is_arithmetic(t) || t->kind == IMAGE_TYPE_POINTER;
}

const struct image_type *c_type_promoted(const struct image_type *t, unsigned bits)
{
	unsigned width = bits ? bits : 8 * (unsigned)t->size;

	if (!c_type_is_integer(t) || width > 64)
		return t;
	if (width < 32 || (width == 32 && t->is_signed))
		return &types[C_INT];
	if (width == 32)
		return &types[C_UINT];
	return &types[t->is_signed ? C_LONG : C_ULONG];
}

const struct image_type *c_type_common(const struct image_type *a, const struct image_type *b)
{
	bool f = a->kind == IMAGE_TYPE_FLOAT, g = b->kind == IMAGE_TYPE_FLOAT;

	if (f != g)
		return f ? a : b;
	if (a->size != b->size)
		return a->size > b->size ? a : b;
	return a->is_signed ? b : a;
}
