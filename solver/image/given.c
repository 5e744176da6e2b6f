/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that a program says are not what is tested. */
#include "solver/image/image.h"

#include <string.h>

/* "kept/tests.c" and "/home/me/kept/tests.c" are the same file as far as anybody can tell here. */
static bool is_given_file(const char *file, const char *named, size_t length)
{
	size_t all = strlen(file);

	if (length > 2 && !strncmp(named, "./", 2)) {
		named += 2;
		length -= 2;
	}
	return length && all >= length && !memcmp(file + all - length, named, length) &&
	       (all == length || *named == '/' || file[all - length - 1] == '/');
}

bool image_file_is_given(const struct image *im, const char *file)
{
	size_t size = 0;
	const char *p = (const char *)image_section(im, IMAGE_GIVEN_SECTION, &size);

	for (const char *end = p ? p + size : NULL; p && p < end;) {
		const char *nul = memchr(p, 0, (size_t)(end - p));

		if (!nul)
			break;
		if (is_given_file(file, p, (size_t)(nul - p)))
			return true;
		p = nul + 1;
	}
	return false;
}
