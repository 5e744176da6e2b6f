/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/isa/libm.h"

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
	{ "log", log, NULL, logf, NULL },
	{ "log2", log2, NULL, log2f, NULL },
	{ "log10", log10, NULL, log10f, NULL },
	{ "log1p", log1p, NULL, log1pf, NULL },
	{ "exp", exp, NULL, expf, NULL },
	{ "exp2", exp2, NULL, exp2f, NULL },
	{ "expm1", expm1, NULL, expm1f, NULL },
	{ "sqrt", sqrt, NULL, sqrtf, NULL },
	{ "cbrt", cbrt, NULL, cbrtf, NULL },
	{ "sin", sin, NULL, sinf, NULL },
	{ "cos", cos, NULL, cosf, NULL },
	{ "tan", tan, NULL, tanf, NULL },
	{ "asin", asin, NULL, asinf, NULL },
	{ "acos", acos, NULL, acosf, NULL },
	{ "atan", atan, NULL, atanf, NULL },
	{ "sinh", sinh, NULL, sinhf, NULL },
	{ "cosh", cosh, NULL, coshf, NULL },
	{ "tanh", tanh, NULL, tanhf, NULL },
	{ "erf", erf, NULL, erff, NULL },
	{ "erfc", erfc, NULL, erfcf, NULL },
	{ "tgamma", tgamma, NULL, tgammaf, NULL },
	{ "fabs", fabs, NULL, fabsf, NULL },
	{ "floor", floor, NULL, floorf, NULL },
	{ "ceil", ceil, NULL, ceilf, NULL },
	{ "trunc", trunc, NULL, truncf, NULL },
	{ "round", round, NULL, roundf, NULL },
	{ "rint", rint, NULL, rintf, NULL },
	{ "nearbyint", nearbyint, NULL, nearbyintf, NULL },
	{ "pow", NULL, pow, NULL, powf },
	{ "atan2", NULL, atan2, NULL, atan2f },
	{ "fmod", NULL, fmod, NULL, fmodf },
	{ "hypot", NULL, hypot, NULL, hypotf },
	{ "fmin", NULL, fmin, NULL, fminf },
	{ "fmax", NULL, fmax, NULL, fmaxf },
	{ "copysign", NULL, copysign, NULL, copysignf },
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
