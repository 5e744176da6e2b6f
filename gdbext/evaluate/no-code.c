/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/evaluate/no-code.h"

#include "gdbext/evaluate/declared.h"

#include <string.h>

struct file {
	const char *name; /* as the units call it, or where the declaration is */
	struct source *source;
	bool *has_code; /* of each line, from 1 */
	bool *seen;	/* what it declares is known */
};

struct search {
	const struct units *units;
	const GArray *lines;
	GPtrArray *files; /* struct file *, owned */
	GPtrArray *names; /* char *, owned: what is declared */
	bool *found;	  /* of each of .lines */
	bool any;
};

static void file_free(gpointer p)
{
	struct file *f = p;

	source_free(f->source);
	g_free(f->has_code);
	g_free(f->seen);
	g_free(f);
}

static struct file *file_named(const struct search *s, const char *name)
{
	for (guint i = 0; i < s->files->len; i++)
		if (strcmp(((struct file *)s->files->pdata[i])->name, name) == 0)
			return s->files->pdata[i];
	return NULL;
}

/* name has to outlive the search.  NULL: it cannot be read. */
static struct file *add_searched_file(struct search *s, const char *name, const char *path)
{
	struct file *f = file_named(s, name);
	g_autofree char *text = NULL;

	if (f || !g_file_get_contents(path, &text, NULL, NULL))
		return f;
	f = g_new0(struct file, 1);
	f->name = name;
	f->source = source_new(text);
	f->has_code = g_new0(bool, f->source->lines->len + 2);
	f->seen = g_new0(bool, f->source->lines->len + 2);
	g_ptr_array_add(s->files, f);
	return f;
}

static const struct unit_line *unit_line_of(const struct search *s, guint i)
{
	return &g_array_index(s->units->lines, struct unit_line,
			      g_array_index(s->lines, unsigned, i));
}

static void read_files(struct search *s)
{
	for (guint i = 0; i < s->lines->len; i++) {
		const struct unit_line *l = unit_line_of(s, i);
		struct file *f = add_searched_file(s, l->file, l->file);

		if (f && l->number && l->number <= f->source->lines->len)
			f->has_code[l->number] = true;
	}
}

/* A header without code is no file of the units: it stands beside one of these, or in the
 * subject's folder. */
static struct file *file_of_place(struct search *s, const struct subject *subject,
				  const struct subject_place *p)
{
	struct file *f = NULL;
	g_autofree char *own = p->file ? g_build_filename(subject->folder, p->file, NULL) : NULL;

	for (guint i = 0; i < s->files->len; i++)
		if (subject_is_in_file(p, ((struct file *)s->files->pdata[i])->name))
			return s->files->pdata[i];
	for (guint i = 0; p->file && !f && i < s->files->len; i++) {
		const struct file *known = s->files->pdata[i];
		g_autofree char *folder = g_path_get_dirname(known->name);
		g_autofree char *path = g_build_filename(folder, p->file, NULL);

		f = add_searched_file(s, p->file, path);
	}
	return f || !own ? f : add_searched_file(s, p->file, own);
}

/* ---- lines ---- */

static void find_line_without_code(struct search *s, const struct file *f, unsigned line)
{
	for (guint i = 0; i < s->lines->len; i++) {
		const struct unit_line *l = unit_line_of(s, i);

		if (l->number == line && strcmp(l->file, f->name) == 0)
			s->found[i] = s->any = true;
	}
}

static void note_names(struct search *s, struct file *f, unsigned line)
{
	f->seen[line] = true;
	g_ptr_array_extend_and_steal(s->names, declared_names(f->source, line));
}

/* Has the statement around the line code on an earlier line?  Else what it declares is meant. */
static void look_at_place(struct search *s, struct file *f, unsigned line)
{
	unsigned first, at = line;

	if (!line || line > f->source->lines->len)
		return;
	first = declared_begin(f->source, line);
	while (at > first && !f->has_code[at])
		at--;
	if (f->has_code[at])
		find_line_without_code(s, f, at);
	else
		note_names(s, f, line);
}

/* with_code: finds the lines that have code and use the names; else notes what the others declare.
 * Is there any? */
static bool look_for_uses(struct search *s, bool with_code, const GPtrArray *names)
{
	bool any = false;

	for (guint i = 0; i < s->files->len; i++) {
		struct file *f = s->files->pdata[i];

		for (unsigned line = 1; line <= f->source->lines->len; line++) {
			if (f->has_code[line] != with_code || f->seen[line] ||
			    !declared_is_used(f->source, line, names))
				continue;
			any = true;
			if (with_code)
				find_line_without_code(s, f, line);
			else
				note_names(s, f, line);
		}
	}
	return any;
}

/* A macro may be in another one, and a size in a declaration. */
static void follow_macros(struct search *s, const struct limits *limits)
{
	for (uint64_t i = 0; i < limits->declared_uses && s->names->len; i++) {
		g_autoptr(GPtrArray) names = s->names;

		s->names = g_ptr_array_new_with_free_func(g_free);
		if (!look_for_uses(s, true, names))
			look_for_uses(s, false, names);
	}
}

GArray *no_code_lines(const struct subject *subject, const struct subject_version *v,
		      const struct units *u, const GArray *lines, const struct limits *limits)
{
	struct search s = { .units = u,
			    .lines = lines,
			    .files = g_ptr_array_new_with_free_func(file_free),
			    .names = g_ptr_array_new_with_free_func(g_free),
			    .found = g_new0(bool, lines->len + 1) };
	GArray *found = g_array_new(FALSE, FALSE, sizeof(unsigned));

	read_files(&s);
	for (guint i = 0; i < v->faulty->len; i++) {
		const struct subject_place *p = &g_array_index(v->faulty, struct subject_place, i);
		struct file *f = file_of_place(&s, subject, p);

		if (f)
			look_at_place(&s, f, p->line);
	}
	if (!s.any)
		follow_macros(&s, limits);
	for (unsigned i = 0; i < lines->len; i++)
		if (s.found[i])
			g_array_append_val(found, i);
	g_ptr_array_unref(s.files);
	g_ptr_array_unref(s.names);
	g_free(s.found);
	return found;
}
