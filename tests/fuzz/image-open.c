/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as an ELF file with DWARF: it is opened and asked, or refused with one sentence. */
#include "solver/image/image.h"
#include "solver/image/variable/variable.h"

#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ask(const struct image *im)
{
	const struct trace_insn *insns;
	size_t n = image_insns(im, &insns);
	g_autoptr(GPtrArray) files = image_source_files(im);

	for (size_t i = 0; i < n && i < 2000; i++) {
		const struct image_row *row = image_row_at(im, insns[i].addr);
		const struct image_function *f = image_function_at(im, insns[i].addr);

		if (row)
			g_assert(image_statement(im, row->statement));
		if (f)
			image_return_type(im, f);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* a file without a name cannot be opened by the path that it is shown under */
	g_autofree char *path = g_strdup_printf("/dev/shm/why-fuzz-image-%d", (int)getpid());
	GError *error = NULL;
	struct image *im;

	g_assert(g_file_set_contents_full(path, (const char *)data, (gssize)size,
					  G_FILE_SET_CONTENTS_NONE, 0700, NULL));
	im = image_open(path, &error);
	unlink(path);

	g_assert(!im == !!error);
	if (im)
		ask(im);
	else
		g_assert(!strchr(error->message, '\n'));
	g_clear_error(&error);
	image_free(im);
	return 0;
}
