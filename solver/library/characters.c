/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/library/characters.h"

#include <ctype.h>
#include <locale.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct character_function {
	const char *name;
	int (*of)(int c);
};

static const struct character_function functions[] = {
	{ "isalnum", isalnum }, { "isalpha", isalpha }, { "isblank", isblank },
	{ "iscntrl", iscntrl }, { "isdigit", isdigit }, { "isgraph", isgraph },
	{ "islower", islower }, { "isprint", isprint }, { "ispunct", ispunct },
	{ "isspace", isspace }, { "isupper", isupper }, { "isxdigit", isxdigit },
	{ "tolower", tolower }, { "toupper", toupper },
};

static const struct characters_table tables[] = {
	{ "__ctype_b_loc", sizeof(unsigned short) },
	{ "__ctype_tolower_loc", sizeof(int32_t) },
	{ "__ctype_toupper_loc", sizeof(int32_t) },
};

/* Until end_c_locale this thread is in the "C" locale. */
static locale_t begin_c_locale(locale_t *before)
{
	locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);

	*before = uselocale(c);
	return c;
}

static void end_c_locale(locale_t c, locale_t before)
{
	uselocale(before);
	freelocale(c);
}

bool characters_map(const char *function, int32_t values[CHARACTERS])
{
	for (size_t i = 0; function && i < sizeof(functions) / sizeof(functions[0]); i++) {
		if (strcmp(functions[i].name, function) != 0)
			continue;
		locale_t before, here = begin_c_locale(&before);

		for (int c = 0; c < CHARACTERS; c++)
			values[c] = functions[i].of(c + CHARACTERS_FIRST);
		end_c_locale(here, before);
		return true;
	}
	return false;
}

const struct characters_table *characters_table_of(const char *function)
{
	for (size_t i = 0; function && i < sizeof(tables) / sizeof(tables[0]); i++)
		if (strcmp(tables[i].function, function) == 0)
			return &tables[i];
	return NULL;
}

void characters_entries(const struct characters_table *t, int32_t values[CHARACTERS])
{
	locale_t before, here = begin_c_locale(&before);
	const int32_t *numbers = t == &tables[1] ? *__ctype_tolower_loc() : *__ctype_toupper_loc();

	for (int c = CHARACTERS_FIRST; c < CHARACTERS_FIRST + CHARACTERS; c++)
		values[c - CHARACTERS_FIRST] = t == &tables[0] ? (*__ctype_b_loc())[c] : numbers[c];
	end_c_locale(here, before);
}
