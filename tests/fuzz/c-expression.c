/* SPDX-License-Identifier: GPL-3.0-or-later */
/* C expressions as a person may type them, at a place in this program itself, with its types and
 * variables: each is parsed or refused with one sentence; one that is parsed has a type and can be
 * evaluated, or is refused with one sentence, too. */
#include "solver/image/image.h"
#include "solver/image/variable/variable.h"
#include "solver/source/expression/c-expression.h"
#include "solver/source/expression/expression.h"

#include <dlfcn.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct pair {
	struct pair *next;
	unsigned low : 3, high : 5;
	short numbers[4];
	double real;
	union {
		char text[8];
		unsigned char bytes[8];
	};
	enum { SOME_NONE, SOME_ONE } some;
};

static struct pair pairs[2] = { { pairs + 1, 1, 2, { 3, 4 }, 5, { "six" }, SOME_ONE } };

/* Memory that holds something everywhere but at the first page. */
static bool read_made_up(void *arg, uint64_t address, unsigned size, uint64_t *value)
{
	(void)arg;
	*value = address * 0x9e3779b97f4a7c15 >> (64 - 8 * size);
	return address > 4096;
}

/* Where this is called. */
static G_GNUC_NO_INLINE struct image_frame frame_here(void)
{
	struct image_frame here = { .read = read_made_up };
	Dl_info info;

	g_assert(dladdr(__builtin_return_address(0), &info));
	here.bias = (uint64_t)(uintptr_t)info.dli_fbase;
	here.pc = (uint64_t)(uintptr_t)__builtin_return_address(0) - here.bias;
	for (size_t i = 0; i < G_N_ELEMENTS(here.regs); i++)
		here.regs[i] = 0x10000 * (i + 1);
	return here;
}

/* A place where there are variables. */
static G_GNUC_NO_INLINE struct image_frame somewhere(int n, struct pair *p)
{
	volatile short a[4] = { 1, 2, 3, (short)n };
	struct image_frame here = frame_here();

	p->numbers[n & 3] = a[n & 3];
	return here;
}

/* Which may quote the text. */
static void must_be_one_sentence(const GError *error, const char *text)
{
	g_assert(error && (strchr(text, '\n') || !strchr(error->message, '\n')));
}

static void run(const struct image_frame *frame, struct expression_code *code)
{
	struct expression found = { 0 };
	g_autofree char *text = NULL;

	expression_run(code, frame, NULL);
	expression_result(code, frame, &found);
	if (found.has_value && found.type)
		text = image_format(found.type, found.bytes, sizeof found.bytes);
}

static void evaluate(const struct image *im, const struct image_frame *frame,
		     const struct c_expression *e, const char *text)
{
	g_autoptr(GError) error = NULL, no_scalar = NULL;
	struct expression_code *code = expression_compile(im, frame, e, &error);

	if (!code) {
		must_be_one_sentence(error, text);
		return;
	}
	if (expression_truth(code, &no_scalar) < 0)
		must_be_one_sentence(no_scalar, text);
	run(frame, code);
	expression_code_free(code);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct image *im;
	static struct image_frame frame;
	/* bytes that are no text are a typing error at most */
	g_autofree char *text = g_strndup((const char *)data, MIN(size, 512));
	g_autoptr(GError) error = NULL;
	struct c_expression *e;

	if (!im) {
		im = image_open("/proc/self/exe", NULL);
		frame = somewhere((int)size & 1, pairs);
	}
	g_assert(im && image_function_at(im, frame.pc));
	e = c_expression_parse(im, text, &error);
	if (e)
		evaluate(im, &frame, e, text);
	else
		must_be_one_sentence(error, text);
	c_expression_free(e);
	return 0;
}
