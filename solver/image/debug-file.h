/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds debug information that was split off a program (objcopy --only-keep-debug), in
 * the places where GDB looks for it ("Separate Debug Files" in its manual):
 * ROOT/.build-id/ab/cdef.debug, and the name in .gnu_debuglink beside the program, in
 * .debug there, and in ROOT/FOLDER-OF-THE-PROGRAM.
 */
#ifndef SOLVER_IMAGE_DEBUG_FILE_H
#define SOLVER_IMAGE_DEBUG_FILE_H

#include <gelf.h>
#include <glib.h>

/* The file with elf's debug information, mapped, or NULL.  Its build id or its checksum is the
 * one that elf names, so it is the right one.  path: of the program, absolute; root: usually
 * "/usr/lib/debug".  Free it with g_mapped_file_unref.  *where: its path, to be freed; it is
 * not written when there is none. */
GMappedFile *debug_file_find(Elf *elf, const char *path, const char *root, char **where);

/* Maps a file to be read as ELF: pages that are written to are private copies,
 * since libelf uncompresses sections in place. */
GMappedFile *debug_file_map(const char *path, GError **error);

#endif
