/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/lesson/packed.h"

#include <gio/gio.h>

/* What comes out of the converter, with a 0 behind it; NULL with an error. */
static GBytes *convert_packed(GInputStream *from, GConverter *converter, GError **error)
{
	g_autoptr(GInputStream) in = g_converter_input_stream_new(from, converter);
	g_autoptr(GOutputStream) out = g_memory_output_stream_new_resizable();
	gsize n;

	if (g_output_stream_splice(out, in, G_OUTPUT_STREAM_SPLICE_NONE, NULL, error) < 0 ||
	    !g_output_stream_write_all(out, "", 1, &n, NULL, error) ||
	    !g_output_stream_close(out, NULL, error))
		return NULL;
	return g_memory_output_stream_steal_as_bytes(G_MEMORY_OUTPUT_STREAM(out));
}

static char *read_packed(const char *path, GError **error)
{
	g_autoptr(GFile) file = g_file_new_for_path(path);
	g_autoptr(GFileInputStream) in = g_file_read(file, NULL, error);
	g_autoptr(GZlibDecompressor) z = g_zlib_decompressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP);
	GBytes *text = in ? convert_packed(G_INPUT_STREAM(in), G_CONVERTER(z), error) : NULL;
	gsize n;

	return text ? g_bytes_unref_to_data(text, &n) : NULL;
}

char *packed_read(const char *path, GError **error)
{
	g_autofree char *packed = g_strconcat(path, ".gz", NULL);
	char *text = NULL;

	if (!g_file_test(path, G_FILE_TEST_EXISTS) && g_file_test(packed, G_FILE_TEST_EXISTS))
		return read_packed(packed, error);
	return g_file_get_contents(path, &text, NULL, error) ? text : NULL;
}

bool packed_write(const char *path, const char *text, gsize n, GError **error)
{
	g_autofree char *packed = g_strconcat(path, ".gz", NULL);
	g_autoptr(GInputStream) in = g_memory_input_stream_new_from_data(text, (gssize)n, NULL);
	g_autoptr(GZlibCompressor) z = g_zlib_compressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP, 9);
	g_autoptr(GBytes) bytes = convert_packed(in, G_CONVERTER(z), error);

	/* without the 0 at its end */
	return bytes && g_file_set_contents_full(packed, g_bytes_get_data(bytes, NULL),
						 (gssize)g_bytes_get_size(bytes) - 1,
						 G_FILE_SET_CONTENTS_CONSISTENT, 0600, error);
}

bool packed_exists(const char *path)
{
	g_autofree char *packed = g_strconcat(path, ".gz", NULL);

	return g_file_test(path, G_FILE_TEST_EXISTS) || g_file_test(packed, G_FILE_TEST_EXISTS);
}
