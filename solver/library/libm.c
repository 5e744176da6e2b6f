/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/library/libm.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

struct row {
	const char *name; /* the single-precision one has an f at its end */
	double (*one)(double a);
	double (*two)(double a, double b);
	float (*one_float)(float a);
	float (*two_float)(float a, float b);
};

static const struct row rows[] = {
#define LIBM_ONE(name) { #name, name, NULL, name##f, NULL },
#define LIBM_TWO(name) { #name, NULL, name, NULL, name##f },
#include "solver/library/library.def"
};

bool libm_find(const char *name, struct libm_function *f)
{
	for (unsigned i = 0; name && i < sizeof(rows) / sizeof(rows[0]); i++) {
		size_t length = strlen(rows[i].name);

		if (strncmp(name, rows[i].name, length) != 0 ||
		    (name[length] && strcmp(name + length, "f") != 0))
			continue;
		*f = (struct libm_function){ i, rows[i].two ? 2 : 1, name[length] ? 32 : 64 };
		return true;
	}
	return false;
}

bool libm_double(unsigned number, double a, double b, double *out)
{
	if (number >= sizeof(rows) / sizeof(rows[0]))
		return false;
	*out = rows[number].two ? rows[number].two(a, b) : rows[number].one(a);
	return true;
}

bool libm_float(unsigned number, float a, float b, float *out)
{
	if (number >= sizeof(rows) / sizeof(rows[0]))
		return false;
	*out = rows[number].two ? rows[number].two_float(a, b) : rows[number].one_float(a);
	return true;
}
