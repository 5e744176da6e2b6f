/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/library/library.h"

#include "solver/library/libm.h"

#include <string.h>

static const struct library_function rows[] = {
#define LIBRARY(function, ...) { .name = #function, __VA_ARGS__ },
#define LIBM_ONE(function)                                             \
	{ .name = #function, .libm = true, .result = LIBRARY_DOUBLE }, \
		{ .name = #function "f", .libm = true, .result = LIBRARY_FLOAT },
#define LIBM_TWO(function) LIBM_ONE(function)
#include "solver/library/library.def"
};

const struct library_function *library_rows(size_t *n)
{
	*n = sizeof(rows) / sizeof(rows[0]);
	return rows;
}

const struct library_function *library_find(const char *name)
{
	for (size_t i = 0; name && i < sizeof(rows) / sizeof(rows[0]); i++)
		if (strcmp(rows[i].name, name) == 0)
			return &rows[i];
	return NULL;
}

bool library_does_alike(const struct library_function *a, const struct library_function *b)
{
	struct libm_function x, y;

	if (!a || !b || a->result != b->result)
		return false;
	if (a->libm || b->libm)
		return a->libm && b->libm && libm_find(a->name, &x) && libm_find(b->name, &y) &&
		       x.arguments == y.arguments && x.width == y.width;
	/* those that check a buffer's size take that, too */
	return a->model && a->model == b->model && a->text == b->text && a->most == b->most &&
	       a->writes == b->writes &&
	       (strncmp(a->name, "__", 2) == 0) == (strncmp(b->name, "__", 2) == 0);
}

bool library_fails(const char *name)
{
	const struct library_function *f = library_find(name);

	return f && f->fails;
}

const char *library_assertion(void)
{
	const struct library_function *f = rows;

	while (!f->is_assertion)
		f++;
	return f->name;
}

bool library_exits(const char *name)
{
	const struct library_function *f = library_find(name);

	return f && f->exits;
}

bool library_returns(const char *name)
{
	const struct library_function *f = library_find(name);

	return !f || !f->no_return;
}

bool library_is_put(const char *name)
{
	const struct library_function *f = library_find(name);

	return f && f->styled;
}

bool library_keeps_memory(const char *name)
{
	const struct library_function *f = library_find(name);

	return f && f->keeps_memory;
}

bool library_formats_memory(const char *name)
{
	const struct library_function *f = library_find(name);

	return f && f->prints && f->writes;
}

bool library_formats_values(const struct library_function *f)
{
	return (f->writes || f->block) && f->prints == LIBRARY_PRINTS_FORMAT;
}

bool library_makes_text(const struct library_function *f)
{
	return f->block && (f->copies || library_formats_values(f));
}
