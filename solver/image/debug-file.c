/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/image/debug-file.h"

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* .gnu_debuglink's checksum: CRC-32 as in zlib. */
static uint32_t debuglink_checksum(const uint8_t *bytes, size_t n)
{
	uint32_t table[256], crc = ~0u;

	for (uint32_t i = 0; i < 256; i++) {
		table[i] = i;
		for (int bit = 0; bit < 8; bit++)
			table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320u : 0);
	}
	for (size_t i = 0; i < n; i++)
		crc = crc >> 8 ^ table[(crc ^ bytes[i]) & 0xff];
	return ~crc;
}

static bool same_build_id(const GMappedFile *file, const void *id, size_t n)
{
	Elf *elf = elf_memory(g_mapped_file_get_contents((GMappedFile *)file),
			      g_mapped_file_get_length((GMappedFile *)file));
	const void *its;
	bool same =
		elf && dwelf_elf_gnu_build_id(elf, &its) == (ssize_t)n && memcmp(its, id, n) == 0;

	elf_end(elf);
	return same;
}

GMappedFile *debug_file_map(const char *path, GError **error)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	GMappedFile *file;

	if (fd < 0) {
		g_set_error_literal(error, G_FILE_ERROR, g_file_error_from_errno(errno),
				    g_strerror(errno));
		return NULL;
	}
	file = g_mapped_file_new_from_fd(fd, TRUE, error);
	close(fd);
	return file;
}

static GMappedFile *map_debug_file(const char *path)
{
	GMappedFile *file =
		g_file_test(path, G_FILE_TEST_IS_REGULAR) ? debug_file_map(path, NULL) : NULL;

	if (file && g_mapped_file_get_length(file) == 0)
		g_clear_pointer(&file, g_mapped_file_unref);
	return file;
}

static GMappedFile *find_by_build_id(Elf *elf, const char *root, char **where)
{
	const void *id;
	ssize_t n = dwelf_elf_gnu_build_id(elf, &id);
	g_autoptr(GString) path = g_string_new(root);
	GMappedFile *file;

	if (n < 2)
		return NULL;
	g_string_append(path, "/.build-id/");
	for (ssize_t i = 0; i < n; i++)
		g_string_append_printf(path, i == 1 ? "/%02x" : "%02x", ((const uint8_t *)id)[i]);
	g_string_append(path, ".debug");
	file = map_debug_file(path->str);
	if (file && !same_build_id(file, id, (size_t)n))
		g_clear_pointer(&file, g_mapped_file_unref);
	if (file)
		*where = g_strdup(path->str);
	return file;
}

static GMappedFile *map_checked(const char *path, uint32_t crc)
{
	GMappedFile *file = map_debug_file(path);

	if (file && debuglink_checksum((const uint8_t *)g_mapped_file_get_contents(file),
				       g_mapped_file_get_length(file)) != crc)
		g_clear_pointer(&file, g_mapped_file_unref);
	return file;
}

static GMappedFile *find_by_link(Elf *elf, const char *path, const char *root, char **where)
{
	GElf_Word crc;
	const char *name = dwelf_elf_gnu_debuglink(elf, &crc);
	g_autofree char *folder = g_path_get_dirname(path);
	g_autofree char *base = name ? g_path_get_basename(name) : NULL;
	GMappedFile *file = NULL;

	if (!name || !*name)
		return NULL;
	g_autofree char *beside = g_build_filename(folder, base, NULL);
	g_autofree char *below = g_build_filename(folder, ".debug", base, NULL);
	g_autofree char *apart = g_build_filename(root, folder, base, NULL);
	const char *const places[] = { beside, below, apart };

	/* a program may link to itself */
	for (size_t i = 0; i < G_N_ELEMENTS(places) && !file; i++)
		if (strcmp(places[i], path) != 0 && (file = map_checked(places[i], crc)))
			*where = g_strdup(places[i]);
	return file;
}

GMappedFile *debug_file_find(Elf *elf, const char *path, const char *root, char **where)
{
	GMappedFile *file = find_by_build_id(elf, root, where);

	return file ? file : find_by_link(elf, path, root, where);
}
