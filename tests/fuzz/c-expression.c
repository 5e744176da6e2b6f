/* SPDX-License-Identifier: GPL-3.0-or-later */
/* C expressions as a person may type them, with the types of this program itself: each is
 * parsed or refused with one sentence, and one that is parsed can be compiled or not. */
#include "solver/image/image.h"
#include "solver/source/c-expression.h"
#include "solver/source/expression.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct image *im;
	g_autofree char *text = g_strndup((const char *)data, MIN(size, 512));
	const struct image_frame nowhere = { 0 };
	struct expression_code *code;
	struct c_expression *e;
	GError *error = NULL;

	if (!im)
		im = image_open("/proc/self/exe", NULL);
	g_assert(im);
	e = c_expression_parse(im, text, &error);
	g_assert(!e == !!error);
	g_clear_error(&error);
	code = e ? expression_compile(im, &nowhere, e, &error) : NULL;
	g_clear_error(&error);
	expression_code_free(code);
	c_expression_free(e);
	return 0;
}
