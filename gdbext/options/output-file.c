/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/options/output-file.h"

#include <errno.h>
#include <stdio.h>

bool output_file_write(const char *path, const char *text, GError **error)
{
	FILE *out = path ? fopen(path, "we") : stdout;
	bool ok = out && fputs(text, out) >= 0;

	if (out && path && fclose(out))
		ok = false;
	if (!ok)
		g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(errno),
			    "%s cannot be written: %s.", path ? path : "Standard output",
			    g_strerror(errno));
	return ok;
}
