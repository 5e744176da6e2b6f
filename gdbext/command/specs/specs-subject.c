/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/command/specs/specs-subject.h"

#include "gdbext/specs/spec/specs.h"

#include "solver/base/ordinal.h"

void specs_subject_clear(struct specs_subject *s)
{
	spec_built_clear(&s->built);
	spec_free(s->spec);
	image_free(s->image);
	folder_free(s->folder);
}

bool specs_subject_make(struct specs_subject *s, const struct options *o, GError **error)
{
	g_autofree char *path = g_find_program_in_path(o->program[0]);

	*s = (struct specs_subject){ 0 };
	s->image = image_open(path ? path : o->program[0], error);
	if (!s->image || !(s->spec = spec_read(o->spec, error)) ||
	    !spec_bind(s->spec, s->image, o->at, error) || !(s->folder = folder_new(error)))
		return false;
	return spec_build(s->spec, s->image, s->folder->path, &s->built, error);
}

struct probe *specs_subject_probe(const struct specs_subject *s, const struct options *o,
				  const struct deadline *until, GError **error)
{
	const struct replay_options options = { .argv = o->program,
						.directory = o->directory,
						.stdin_file = o->stdin_file,
						.until = until,
						.run_timeout = o->run_timeout,
						.jit = o->engine == OPTIONS_ENGINE_JIT,
						.limits = &o->limits };

	return probe_new(s->spec, &s->built, &options, error);
}

char *specs_name(const struct spec_constraint *c)
{
	g_autofree char *file = g_path_get_basename(c->rule->file);

	return g_strdup_printf("%s (%s:%u)", c->rule->predicate, file, c->rule->line);
}

const struct image_function *specs_function(const struct specs_subject *s,
					    const struct spec_constraint *c)
{
	return g_array_index(s->spec->functions, struct weave_function, c->function).function;
}

char *specs_place(const struct specs_subject *s, const struct spec_constraint *c, uint64_t call)
{
	const struct image_function *f = specs_function(s, c);
	g_autofree char *file = g_path_get_basename(f->file);

	return g_strdup_printf("when %s (%s:%u) %s, the %" G_GUINT64_FORMAT "%s time", f->name,
			       file, f->line, c->at_exit ? "returns" : "is called", call,
			       ordinal_ending(call));
}
