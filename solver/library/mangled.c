/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A reader that skips names and counts types; what it does not know ends it. */
#include "solver/library/mangled.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 64 };

struct reader {
	const char *at;
	unsigned depth;
	bool known;
	bool is_template;	/* the name ends with arguments of a template */
	const char *identifier; /* the last one of the name itself; NULL = there is none yet */
	size_t length;
	const char *sign; /* the two letters of the name itself; NULL = it is none */
};

/* ---- pieces ---- */

static bool take_character(struct reader *r, char c)
{
	if (*r->at != c)
		return false;
	r->at++;
	return true;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_lower(char c)
{
	return c >= 'a' && c <= 'z';
}

static bool is_one_of_characters(char c, const char *set)
{
	return c && strchr(set, c);
}

static void give_up_name(struct reader *r)
{
	r->known = false;
	r->at = "";
}

/* 6vector */
static void skip_identifier(struct reader *r)
{
	char *end;
	unsigned long n = strtoul(r->at, &end, 10);

	if (n > strlen(end))
		give_up_name(r);
	else
		r->at = end + n;
	if (r->known && !r->depth) {
		r->identifier = end;
		r->length = n;
		r->sign = NULL;
	}
}

/* S_, S0_, T_, T1_, St, Ss: behind the S or T */
static void skip_substitution(struct reader *r)
{
	if (is_lower(*r->at)) {
		r->at++;
		return;
	}
	while (is_digit(*r->at) || (*r->at >= 'A' && *r->at <= 'Z'))
		r->at++;
	if (!take_character(r, '_'))
		give_up_name(r);
}

/* ---- types ---- */

static unsigned skip_type(struct reader *r);

/* Behind the I, up to its E. */
static void skip_template_arguments(struct reader *r)
{
	r->depth++;
	while (r->known && *r->at && !take_character(r, 'E')) {
		if (take_character(r, 'J'))
			skip_template_arguments(r);
		else if (*r->at == 'L') { /* a constant */
			while (*r->at && *r->at != 'E')
				r->at++;
			take_character(r, 'E');
		} else if (*r->at == 'X') {
			give_up_name(r);
		} else {
			skip_type(r);
		}
	}
	r->depth--;
}

static void skip_component(struct reader *r)
{
	r->is_template = false;
	if (is_digit(*r->at)) {
		skip_identifier(r);
	} else if (take_character(r, 'S') || take_character(r, 'T')) {
		skip_substitution(r);
	} else if (take_character(r, 'I')) {
		skip_template_arguments(r);
		r->is_template = true;
	} else if (is_one_of_characters(*r->at, "CD") && is_one_of_characters(r->at[1], "012345")) {
		r->at += 2; /* a constructor or destructor */
	} else if (take_character(r, 'B')) {
		skip_identifier(r);
	} else if (is_lower(r->at[0]) &&
		   (is_lower(r->at[1]) || is_one_of_characters(r->at[1], "ILMNORSV"))) {
		/* an operator; those that assign end with a capital letter */
		bool converts = r->at[0] == 'c' && r->at[1] == 'v';

		if (!r->depth)
			r->sign = r->at;

		r->at += 2;
		if (converts)
			skip_type(r);
	} else {
		give_up_name(r);
	}
}

/* Behind the N, up to its E. */
static void skip_nested(struct reader *r)
{
	while (is_one_of_characters(*r->at, "KVrRO"))
		r->at++;
	while (r->known && *r->at && !take_character(r, 'E'))
		skip_component(r);
}

static void skip_class(struct reader *r)
{
	skip_component(r);
	while (is_digit(*r->at)) /* St6vector */
		skip_component(r);
	while (*r->at == 'I' || *r->at == 'B')
		skip_component(r);
}

/* How many registers a value of the type takes at most. */
static unsigned skip_type(struct reader *r)
{
	unsigned registers = 2;

	if (++r->depth > DEEPEST)
		give_up_name(r);
	if (is_one_of_characters(*r->at, "PRO")) {
		r->at++;
		skip_type(r);
		registers = 1;
	} else if (is_one_of_characters(*r->at, "KVr")) {
		r->at++;
		registers = skip_type(r);
	} else if (take_character(r, 'N')) {
		skip_nested(r);
	} else if (take_character(r, 'F')) {
		while (r->known && *r->at && !take_character(r, 'E'))
			skip_type(r);
	} else if (is_lower(*r->at)) {
		registers = is_one_of_characters(*r->at, "fdegvz") ? 0
			    : is_one_of_characters(*r->at, "no")   ? 2
								   : 1;
		if (take_character(r, 'z')) /* more than the name tells */
			give_up_name(r);
		else
			r->at++;
	} else if (is_digit(*r->at) || is_one_of_characters(*r->at, "ST")) {
		skip_class(r);
	} else {
		give_up_name(r);
	}
	r->depth--;
	return registers;
}

/* ---- */

static void skip_name(struct reader *r)
{
	if (take_character(r, 'N')) {
		skip_nested(r);
		return;
	}
	if (strncmp(r->at, "St", 2) == 0)
		r->at += 2;
	skip_component(r);
	while (*r->at == 'I' || *r->at == 'B')
		skip_component(r);
}

unsigned mangled_registers(const char *name)
{
	struct reader r = { .at = name, .known = true };
	unsigned n = 2; /* the object, and where a result goes that is an object */

	if (!name || strncmp(name, "_Z", 2) != 0)
		return MANGLED_UNKNOWN;
	r.at += 2;
	skip_name(&r);
	if (r.is_template && *r.at)
		skip_type(&r); /* what it returns */
	while (r.known && *r.at && *r.at != '.' && n < MANGLED_UNKNOWN)
		n += skip_type(&r);
	return r.known && n < MANGLED_UNKNOWN ? n : MANGLED_UNKNOWN;
}

char mangled_number(const char *name, unsigned argument)
{
	struct reader r = { .at = name, .known = true };
	unsigned n;

	if (!name || strncmp(name, "_Z", 2) != 0)
		return 0;
	n = name[2] == 'N' ? 2 : 1;
	r.at += 2;
	skip_name(&r);
	if (r.is_template && *r.at)
		skip_type(&r); /* what it returns */
	while (r.known && *r.at && *r.at != '.' &&
	       (n < argument || is_one_of_characters(*r.at, "fdeg"))) {
		/* what was named before is a reference nearly always */
		bool named_before = *r.at == 'S' && (is_digit(r.at[1]) || r.at[1] == '_');
		unsigned registers = skip_type(&r);

		n += named_before ? 1 : registers;
	}
	return r.known && n == argument && is_one_of_characters(*r.at, "abchijlmstxy") ? *r.at : 0;
}

bool mangled_is_member(const char *name)
{
	return name && strncmp(name, "_ZN", 3) == 0;
}

/* Operators, by the letters that stand for them (Itanium C++ ABI, 5.1.3). */
static const char *words_of_operator(const char *letters)
{
	static const struct {
		char letters[3];
		const char *words;
	} all[] = {
		{ "nw", "new" },	{ "na", "new" },	{ "dl", "delete" },
		{ "da", "delete" },	{ "pl", "operator+" },	{ "mi", "operator-" },
		{ "ml", "operator*" },	{ "dv", "operator/" },	{ "rm", "operator%" },
		{ "ng", "operator-" },	{ "de", "operator*" },	{ "an", "operator&" },
		{ "or", "operator|" },	{ "eo", "operator^" },	{ "co", "operator~" },
		{ "aS", "operator=" },	{ "pL", "operator+=" }, { "mI", "operator-=" },
		{ "mL", "operator*=" }, { "dV", "operator/=" }, { "rM", "operator%=" },
		{ "eq", "operator==" }, { "ne", "operator!=" }, { "lt", "operator<" },
		{ "gt", "operator>" },	{ "le", "operator<=" }, { "ge", "operator>=" },
		{ "ls", "operator<<" }, { "rs", "operator>>" }, { "nt", "operator!" },
		{ "pp", "operator++" }, { "mm", "operator--" }, { "cl", "operator()" },
		{ "ix", "operator[]" }, { "pt", "operator->" }, { "cv", "operator" },
		{ "aa", "operator&&" }, { "oo", "operator||" },
	};

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (strncmp(letters, all[i].letters, 2) == 0)
			return all[i].words;
	return NULL;
}

/* A conversion has the name of its type: "operator bool".  NULL = it is no plain one. */
static const char *words_of_conversion(const char *letters)
{
	static const struct {
		char letter;
		const char *words;
	} all[] = {
		{ 'b', "operator bool" },  { 'c', "operator char" },
		{ 'i', "operator int" },   { 'j', "operator unsigned" },
		{ 'l', "operator long" },  { 'm', "operator unsigned long" },
		{ 'f', "operator float" }, { 'd', "operator double" },
	};

	for (size_t i = 0; strncmp(letters, "cv", 2) == 0 && i < sizeof all / sizeof *all; i++)
		if (letters[2] == all[i].letter)
			return all[i].words;
	return NULL;
}

char *mangled_words(const char *name)
{
	struct reader r = { .at = name, .known = true };
	const char *words, *arguments;

	if (strncmp(name, "_Z", 2) != 0) {
		arguments = strncmp(name, "operator", 8) == 0 ? NULL : strchr(name + 1, '<');
		return strndup(name, arguments ? (size_t)(arguments - name) : strlen(name));
	}
	r.at += 2;
	skip_name(&r);
	words = r.sign ? words_of_conversion(r.sign) : NULL;
	if (r.sign && !words)
		words = words_of_operator(r.sign);
	if (!r.known || (!words && !r.identifier))
		return strdup(name);
	return words ? strdup(words) : strndup(r.identifier, r.length);
}
