/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An image of a few instructions without any file behind it, and a record to
 * be put together by hand: for tests of solver/trace.  It defines the part of
 * image.h that solver/trace uses, so it is included by one .c of a program.
 */
#ifndef TESTS_SUPPORT_TINY_H
#define TESTS_SUPPORT_TINY_H

#include "solver/image/image.h"
#include "solver/isa/insn.h"
#include "solver/trace/run.h"

#include <string.h>

/* clang-format off */
__asm__(".pushsection .rodata\n"
	"tiny_code:\n"
	"push %rbp\n"              /* 0 */
	"mov %rsp,%rbp\n"          /* 1 */
	"mov 0x10(%rdi),%eax\n"    /* 4 */
	"cmp $5,%eax\n"            /* 7 */
	"jle 1f\n"                 /* 10 */
	"call tiny_code+0x800\n"   /* 12: not traced */
	"1: mov %eax,-4(%rbp)\n"   /* 17 */
	"mov -4(%rbp),%ecx\n"      /* 20 */
	"rep movsb\n"              /* 23 */
	"rdtsc\n"                  /* 25 */
	"add %ecx,%eax\n"          /* 27 */
	"pxor %xmm0,%xmm0\n"       /* 29 */
	"jmp *%rdx\n"              /* 33 */
	"pop %rbp\n"               /* 35 */
	"ret\n"                    /* 36 */
	"tiny_end:\n"
	".popsection\n");
/* clang-format on */
extern const uint8_t tiny_code[] __attribute__((visibility("hidden")));
extern const uint8_t tiny_end[] __attribute__((visibility("hidden")));

enum {
	TINY_LINK = 0x1000, /* link-time address of the code */
	TINY_BIAS = 0x400000,
	TINY_RUN = TINY_LINK + TINY_BIAS,
	TINY_JMP = 33,
	TINY_POP = 35,
	TINY_SIZE = 0x900, /* of the module */
};

struct image {
	struct trace_insn insns[37];
	bool starts[37];
};

static inline void tiny_image(struct image *im)
{
	size_t size = (size_t)(tiny_end - tiny_code);

	memset(im, 0, sizeof(*im));
	for (size_t at = 0; at < size; at += im->insns[at].length) {
		im->starts[at] = true;
		if (!insn_decode(tiny_code + at, size - at, TINY_LINK + at, &im->insns[at]))
			break;
	}
}

const struct trace_insn *image_insn_at(const struct image *im, uint64_t addr)
{
	uint64_t at = addr - TINY_LINK;

	return at < G_N_ELEMENTS(im->insns) && im->starts[at] ? &im->insns[at] : NULL;
}

const uint8_t *image_bytes(const struct image *im, uint64_t addr, size_t *avail)
{
	uint64_t at = addr - TINY_LINK;

	if (!im || at >= (size_t)(tiny_end - tiny_code))
		return NULL;
	*avail = (size_t)(tiny_end - tiny_code) - at;
	return tiny_code + at;
}

bool image_initial(const struct image *im, uint64_t addr, size_t size, uint8_t *out, bool *writable)
{
	if (!im || addr - TINY_LINK >= TINY_SIZE)
		return false;
	memset(out, 0, size);
	*writable = false;
	return true;
}

const char *image_native_name(const struct image *im, uint64_t addr)
{
	return im && addr == TINY_LINK + 0x800 ? "elsewhere" : NULL;
}

const char *image_slot_name(const struct image *im, uint64_t addr)
{
	(void)im;
	(void)addr;
	return NULL;
}

const struct image_row *image_row_at(const struct image *im, uint64_t addr)
{
	static const struct image_row row;

	return im && addr >= TINY_LINK ? &row : NULL;
}

const struct image_statement *image_statement(const struct image *im, uint32_t id)
{
	static const struct image_statement statement = { 0, "tiny", "tiny.c", 7, 1, false };

	return im && id == 0 ? &statement : NULL;
}

const struct image_function *image_function_at(const struct image *im, uint64_t addr)
{
	(void)im;
	(void)addr;
	return NULL;
}

/* ---- a record ---- */

struct tiny_record {
	GByteArray *stream;
	struct trace_head head;
};

static inline void tiny_bytes(struct tiny_record *r, const void *bytes, size_t size)
{
	g_byte_array_append(r->stream, bytes, (guint)size);
}

static inline void tiny_word(struct tiny_record *r, uint64_t word)
{
	tiny_bytes(r, &word, 8);
}

static inline void tiny_enter(struct tiny_record *r, uint8_t why, uint64_t rip, uint32_t mask,
			      const uint64_t *regs)
{
	struct trace_enter e = { .tag = 'E', .why = why, .mask = mask, .rip = rip };

	tiny_bytes(r, &e, sizeof(e));
	for (unsigned i = 0; i < 17; i++) {
		if (mask >> i & 1)
			tiny_word(r, regs[i]);
	}
}

static inline void tiny_begin(struct tiny_record *r)
{
	memset(r, 0, sizeof(*r));
	r->stream = g_byte_array_new();
	memcpy(r->head.magic, TRACE_HEAD_MAGIC, sizeof(r->head.magic));
	r->head.version = TRACE_VERSION;
	r->head.n_modules = 1;
	r->head.bias[0] = TINY_BIAS;
}

/* Writes it as thread 0 of directory; length: of the stream, or -1 for all. */
static inline void tiny_write(struct tiny_record *r, const char *directory, gssize length)
{
	g_autofree char *path = g_build_filename(directory, "trace.0", NULL);
	g_autoptr(GByteArray) file = g_byte_array_new();

	g_byte_array_set_size(file, TRACE_STREAM_OFFSET);
	memset(file->data, 0, file->len);
	r->head.length = length < 0 ? r->stream->len : (uint64_t)length;
	memcpy(file->data, &r->head, sizeof(r->head));
	g_byte_array_append(file, r->stream->data, (guint)r->head.length);
	g_file_set_contents(path, (const char *)file->data, file->len, NULL);
}

#endif
