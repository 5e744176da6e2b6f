/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/command/specs.h"

#include "gdbext/replay/folder.h"
#include "gdbext/replay/interrupt.h"
#include "gdbext/replay/replay.h"
#include "gdbext/specs/specs.h"
#include "gdbext/specs/watch.h"

#include <stdio.h>
#include <string.h>

/* A program and its specification, built. */
struct subject {
	struct image *image;
	struct spec *spec;
	struct folder *folder;
	struct spec_built built;
};

static void subject_clear(struct subject *s)
{
	spec_built_clear(&s->built);
	spec_free(s->spec);
	image_free(s->image);
	folder_free(s->folder);
}

static bool subject_make(struct subject *s, const struct options *o, GError **error)
{
	g_autofree char *path = g_find_program_in_path(o->program[0]);

	*s = (struct subject){ 0 };
	s->image = image_open(path ? path : o->program[0], error);
	if (!s->image || !(s->spec = spec_read(o->spec, error)) ||
	    !spec_bind(s->spec, s->image, o->at, error) || !(s->folder = folder_new(error)))
		return false;
	return spec_build(s->spec, s->image, s->folder->path, &s->built, error);
}

/* ---- what is said ---- */

/* "size_ok (list-spec.c:12)" */
static char *name_of(const struct spec_constraint *c)
{
	g_autofree char *file = g_path_get_basename(c->rule->file);

	return g_strdup_printf("%s (%s:%u)", c->rule->predicate, file, c->rule->line);
}

static char *place_of(const struct subject *s, const struct spec_constraint *c, uint64_t call)
{
	const struct image_function *f =
		g_array_index(s->spec->functions, struct weave_function, c->function).function;
	g_autofree char *file = g_path_get_basename(f->file);

	return g_strdup_printf("when %s (%s:%u) %s, the %" G_GUINT64_FORMAT "%s time", f->name,
			       file, f->line, c->at_exit ? "returns" : "is called", call,
			       call % 100 - call % 10 == 10 ? "th"
			       : call % 10 == 1		    ? "st"
			       : call % 10 == 2		    ? "nd"
			       : call % 10 == 3		    ? "rd"
							    : "th");
}

static int tell_violation(const struct subject *s, const struct spec_event *e)
{
	const struct spec_constraint *c = spec_constraint(s->spec, e->constraint);
	g_autofree char *name = name_of(c), *place = place_of(s, c, e->call);

	printf("%s does not hold %s:\n    %s\n", name, place, c->call);
	return OPTIONS_EXIT_EXPLAINED;
}

/* A predicate that does what a predicate must not do. */
static int tell_misbehaviour(const struct subject *s, const struct watched *w,
			     const struct spec_event *e, GError **error)
{
	const struct spec_constraint *c = spec_constraint(s->spec, e->constraint);
	g_autofree char *name = name_of(c), *place = place_of(s, c, e->call);
	g_autofree char *what = NULL;

	if (e->verdict == SPEC_WRITES)
		what = g_strdup("changes what it looks at; a predicate only reads");
	else if (w->was_ended)
		what = g_strdup("does not end; mend it, or give it longer with --limit "
				"predicate_ms=N");
	else if (w->exited)
		what = g_strdup("ends the program; a predicate returns");
	else
		what = g_strdup_printf("crashes with %s; it has to stand every structure, also a "
				       "broken one",
				       replay_signal_name(w->number));
	g_set_error(error, SPECS_ERROR, SPECS_ERROR_SPEC, "The predicate %s, %s, %s.", name, place,
		    what);
	return OPTIONS_EXIT_USAGE;
}

static int tell_nothing_violated(const struct subject *s, const struct watched *w, GError **error)
{
	uint64_t calls = 0;

	for (guint i = 0; i < w->events.calls->len; i++)
		calls += g_array_index(w->events.calls, uint64_t, i);
	if (w->events.is_inside)
		g_set_error(
			error, SPECS_ERROR, SPECS_ERROR_PROGRAM,
			"The program ended in %s, before it could be checked; `gdb-why explain' "
			"says why a program crashes.",
			g_array_index(s->spec->functions, struct weave_function, w->events.function)
				.function->name);
	else if (!calls && !w->exited)
		g_set_error(error, SPECS_ERROR, SPECS_ERROR_PROGRAM,
			    "The program ended by %s before it called a function that is checked.",
			    replay_signal_name(w->number));
	else if (!calls)
		g_set_error(
			error, SPECS_ERROR, SPECS_ERROR_PROGRAM,
			"The program called no function that is checked; give other arguments.");
	else
		g_set_error(error, SPECS_ERROR, SPECS_ERROR_PROGRAM,
			    "All that was checked held: %u evaluations in %" G_GUINT64_FORMAT
			    " calls.",
			    w->events.all->len, calls);
	return !calls || w->events.is_inside ? OPTIONS_EXIT_UNEXPLAINED : OPTIONS_EXIT_PASSED;
}

/* ---- --check ---- */

static int check(const struct subject *s, const struct options *o, const struct deadline *until,
		 GError **error)
{
	const struct watch_options options = { .argv = o->program,
					       .stdin_file = o->stdin_file,
					       .directory = o->directory,
					       .stop = true,
					       .until = until,
					       .limits = &o->limits };
	struct watched w;
	const struct spec_event *e;
	int status;

	if (!watch_run(s->spec, &s->built, &options, &w, error))
		return replay_interrupted() ? OPTIONS_EXIT_INTERRUPTED : OPTIONS_EXIT_USAGE;
	e = spec_events_first(&w.events);
	fflush(stdout);
	if (e && e->verdict == SPEC_FAILS)
		status = tell_violation(s, e);
	else if (e)
		status = tell_misbehaviour(s, &w, e, error);
	else if (w.was_ended)
		status = OPTIONS_EXIT_UNEXPLAINED,
		g_set_error(error, SPECS_ERROR, SPECS_ERROR_PROGRAM,
			    "The program was not over after %g seconds; give it longer with "
			    "--timeout.",
			    o->timeout);
	else
		status = tell_nothing_violated(s, &w, error);
	watched_clear(&w);
	return status;
}

int specs_command(const struct options *o, GError **error)
{
	struct deadline until = deadline_in(o->timeout, replay_interrupt_flag());
	struct subject s;
	int status = OPTIONS_EXIT_USAGE;

	if (!replay_interrupt_install(NULL, NULL, error))
		return status;
	if (subject_make(&s, o, error))
		status = check(&s, o, &until, error);
	subject_clear(&s);
	replay_interrupt_restore();
	return status;
}
