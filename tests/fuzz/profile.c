/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A profile's file: as it comes, and as sections of one that begins rightly.  It is
 * read or refused with one sentence. */
#include "tests/support/profile.h"

#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct code *code_of_shapes(void)
{
	g_autofree char *program = g_strdup_printf("/dev/shm/why-fuzz-profile-%d", (int)getpid());
	g_autofree char *command =
		g_strdup_printf("gcc -g -w -o %s tests/gdbext/profile/programs/shapes.c", program);
	struct image *image = system(command) ? NULL : image_open(program, NULL);

	unlink(program);
	g_assert(image); /* to be run from the project's root */
	return code_new(image, limits_default());
}

static void try(struct code *code, struct units *units, const uint8_t *bytes, size_t size)
{
	struct profile_summary summary;
	g_autoptr(GError) error = NULL;

	if (!profile_try(code, units, bytes, size, &summary, &error))
		g_assert(error && error->domain == PROFILE_ERROR);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct code *code;
	static struct units *units;
	g_autoptr(GByteArray) bytes = NULL;
	size_t n;

	if (!code) {
		code = code_of_shapes();
		units = code_units(code);
	}
	try(code, units, data, size);
	bytes = profile_bytes(code, 2);
	/* Pieces of eight bytes, each preceded by its place. */
	for (; size >= 10; data += 10, size -= 10) {
		uint16_t place;

		memcpy(&place, data, 2);
		n = COUNTS_PAGE + 8ul * place;
		if (n + 8 <= bytes->len)
			memcpy(bytes->data + n, data + 2, 8);
	}
	try(code, units, bytes->data, bytes->len);
	return 0;
}
