/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/base/installed.h"

#include <glib.h>

char *installed_file(const char *kind, const char *name)
{
	g_autofree char *self = g_file_read_link("/proc/self/exe", NULL);
	g_autofree char *bin = self ? g_path_get_dirname(self) : g_strdup(".");
	g_autofree char *beside = g_build_filename(bin, name, NULL);
	g_autofree char *installed = g_build_filename(bin, "..", kind, "gdb-why", name, NULL);

	return g_canonicalize_filename(g_file_test(beside, G_FILE_TEST_EXISTS) ? beside : installed,
				       NULL);
}
