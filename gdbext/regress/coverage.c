/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/regress/coverage.h"
#include "gdbext/profile/profile.h"
#include "gdbext/regress/workshop/folders.h"
#include "solver/regress/trace/line-code.h"

#include <stdio.h>
#include <string.h>

struct looking {
	struct workshop *workshop;
	struct coverage *coverage;
};

/* The name of a file in the tree, NULL when it is elsewhere; files: those that were asked for. */
static const char *file_in(GHashTable *files, const char *folder, const char *name)
{
	if (!g_hash_table_contains(files, name))
		g_hash_table_insert(files, (char *)(uintptr_t)name,
				    regress_folder_find(folder, name));
	return g_hash_table_lookup(files, name);
}

static void add_codes(struct coverage *c, const char *folder, const struct image *image)
{
	g_autoptr(GArray) codes = image_line_codes(image);
	g_autoptr(GHashTable) files = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);

	for (guint i = 0; i < codes->len; i++) {
		const struct image_line_code *l = &g_array_index(codes, struct image_line_code, i);
		const char *file = file_in(files, folder, l->file);

		if (file)
			coverage_add_code(c, file, l->line, l->entry, l->code);
	}
}

static void add_lines_of_profile(struct coverage *c, const char *folder,
				 const struct profile_plan *plan, const struct spectrum *s)
{
	const struct units *u = profile_plan_units(plan);
	g_autofree guint64 *counts = profile_lines(plan, s, 0);
	g_autoptr(GHashTable) files = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);

	for (guint i = 0; i < u->lines->len; i++) {
		const struct unit_line *l = &g_array_index(u->lines, struct unit_line, i);
		const char *file = file_in(files, folder, l->file);

		if (file)
			coverage_add_count(c, file, l->number, counts[i]);
	}
}

static void add_profile_lines(struct coverage *c, const char *folder, const struct units *u,
			      const struct spectrum *s)
{
	g_autoptr(GHashTable) files = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
	struct spectrum_row row = spectrum_row(s, 0, SPECTRUM_OUTCOME);

	while (spectrum_next(&row)) {
		unsigned number = g_array_index(u->outcomes, unsigned, row.unit);
		const struct unit_predicate *p =
			&g_array_index(u->predicates, struct unit_predicate, number);
		unsigned line =
			g_array_index(u->statements, struct unit_statement, p->statement).line;
		const struct unit_line *l = &g_array_index(u->lines, struct unit_line, line);
		const char *file = p->n == 2 ? file_in(files, folder, l->file) : NULL;

		if (file)
			coverage_add_way(c, file, l->number, row.unit == p->first, row.times);
	}
}

/* Runs the test with the counters of one program. */
static void look_at_program(struct looking *l, const char *folder, const char *program)
{
	g_autofree char *path = g_build_filename(folder, program, NULL);
	g_autofree char *out = g_strconcat(folder, ".profile", NULL);
	g_autofree char *name = workshop_name(l->workshop, folder, path);
	struct profile_plan *plan = profile_plan_new_as(path, name, NULL, NULL);
	g_auto(GStrv) base = NULL, env = NULL;
	struct spectrum *s;

	if (!plan)
		return;
	base = g_get_environ();
	env = profile_environ(plan, base, out);
	remove(out);
	s = spectrum_new();
	spectrum_begin(s, "test", SPECTRUM_FAILED);
	if (workshop_run_test(l->workshop, folder, env) && profile_read(plan, out, s, NULL, NULL)) {
		spectrum_end(s);
		add_lines_of_profile(l->coverage, folder, plan, s);
		add_profile_lines(l->coverage, folder, profile_plan_units(plan), s);
		add_codes(l->coverage, folder, profile_plan_image(plan));
		l->coverage->programs++;
	} else {
		spectrum_drop(s);
	}
	remove(out);
	spectrum_free(s);
	profile_plan_free(plan);
}

static int compare_ages(gconstpointer a, gconstpointer b)
{
	const struct regress_entry *x = *(void *const *)a, *y = *(void *const *)b;

	return x->mtime > y->mtime ? -1 : x->mtime < y->mtime;
}

static bool is_program_file(const char *folder, const struct regress_entry *e)
{
	g_autofree char *path = g_build_filename(folder, e->path, NULL);
	char beginning[18] = "";
	FILE *file = e->mode == 0100755 ? fopen(path, "re") : NULL;
	bool ok = file && fread(beginning, 1, sizeof beginning, file) == sizeof beginning &&
		  memcmp(beginning, "\177ELF", 4) == 0 &&
		  (beginning[16] == 2 || beginning[16] == 3) /* ET_EXEC, ET_DYN */;

	if (file)
		fclose(file);
	return ok && !strstr(e->path, ".so");
}

static void look_at_all(const char *folder, void *arg)
{
	g_autoptr(GPtrArray) entries = regress_folder_list(folder, NULL);
	const struct looking *l = arg;
	uint64_t n = 0, most = workshop_limits(l->workshop)->regress_programs;

	if (!entries)
		return;
	g_ptr_array_sort(entries, compare_ages);
	for (guint i = 0; i < entries->len && n < most; i++) {
		const struct regress_entry *e = g_ptr_array_index(entries, i);

		if (is_program_file(folder, e)) {
			look_at_program(arg, folder, e->path);
			n++;
		}
	}
}

struct coverage *coverage_new(struct workshop *w, const GArray *reverted)
{
	struct coverage *c = coverage_empty_new();
	struct looking looking = { w, c };

	if (workshop_lend(w, reverted, look_at_all, &looking) && c->programs)
		return c;
	coverage_free(c);
	return NULL;
}
