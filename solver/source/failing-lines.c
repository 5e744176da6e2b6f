/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/source/failing-lines.h"

#include "solver/library/library.h"

char *failing_lines_key(const struct image_statement *s)
{
	return g_strdup_printf("%s:%u", s->file, s->line);
}

void failing_lines_add(GHashTable *lines, const struct image *im)
{
	const struct trace_insn *insns;
	size_t n = image_insns(im, &insns);

	for (size_t i = 0; i < n; i++) {
		const struct image_row *row;

		if (insns[i].flow != TRACE_FLOW_CALL ||
		    !library_fails(image_native_name(im, insns[i].target)))
			continue;
		row = image_row_at(im, insns[i].addr);
		if (row)
			g_hash_table_add(lines,
					 failing_lines_key(image_statement(im, row->statement)));
	}
}

void failing_lines_add_all(GHashTable *lines, const struct image *im, GHashTable *except)
{
	const struct trace_insn *insns;
	size_t n = image_insns(im, &insns);

	for (size_t i = 0; i < n; i++) {
		const struct image_row *row = image_row_at(im, insns[i].addr);
		g_autofree char *key =
			row ? failing_lines_key(image_statement(im, row->statement)) : NULL;

		if (key && !(except && g_hash_table_contains(except, key)))
			g_hash_table_add(lines, g_steal_pointer(&key));
	}
}

bool failing_lines_has(GHashTable *lines, const struct image_statement *s)
{
	g_autofree char *line = lines ? failing_lines_key(s) : NULL;

	return lines &&
	       (g_hash_table_contains(lines, line) || g_hash_table_contains(lines, s->file));
}

bool failing_lines_is_of_nobody(const struct image *im, const struct image_row *row)
{
	return image_is_of_system(image_statement(im, row->statement)->file) ||
	       image_row_begins_with(im, row, '}');
}
