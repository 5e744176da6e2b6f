/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/question/runs/real-program.h"
#include "gdbext/replay/processes.h"
#include "solver/image/image.h"

#include <stdlib.h>
#include <string.h>

/* The test itself, executed once more by its runner, is no news. */
static bool is_test(const struct process *p, const struct options *o)
{
	g_autofree char *found = g_find_program_in_path(o->program[0]);
	g_autofree char *real = found ? realpath(found, NULL) : NULL;

	return real && strcmp(real, p->program) == 0;
}

static bool can_be_explained(const struct process *p, const struct options *o)
{
	struct image *im = is_test(p, o) ? NULL : image_open(p->program, NULL);

	image_free(im);
	return im;
}

char *real_program_find(const struct options *o, const struct deadline *until)
{
	g_autoptr(GPtrArray) all = processes_of(o->program, o->directory, o->stdin_file, until);
	const struct process *found = NULL;
	g_autofree char *command = NULL, *end = NULL, *name = NULL;

	for (guint i = 0; all && i < all->len && !(found && found->status); i++) {
		const struct process *p = all->pdata[i];

		if ((p->status || !found) && can_be_explained(p, o))
			found = p;
	}
	if (!found)
		return NULL;
	command = process_command(found, found->status ? "" : "--expect FILE ");
	end = process_end(found);
	name = g_path_get_basename(found->program);
	return g_strdup_printf("%s, which %s%s%s: %s", name, found->status ? "failed (" : "",
			       found->status ? end
					     : "ended well; if what it printed is wrong, put what "
					       "is right into FILE",
			       !found->status	     ? ""
			       : found->reads_a_pipe ? ") with a pipe as its standard input; put "
						       "what it reads into a file behind --stdin"
						     : ")",
			       command);
}

void real_program_add(const struct options *o, const struct deadline *until, GError **error)
{
	g_autofree char *found = NULL;

	if (o->record || !error || !*error ||
	    !(g_error_matches(*error, IMAGE_ERROR, IMAGE_ERROR_NOT_ELF) ||
	      g_error_matches(*error, IMAGE_ERROR, IMAGE_ERROR_NO_DEBUG) ||
	      g_error_matches(*error, IMAGE_ERROR, IMAGE_ERROR_STATIC)))
		return;
	found = real_program_find(o, until);
	if (found) {
		GError *said = g_error_new((*error)->domain, (*error)->code, "%s It started %s",
					   (*error)->message, found);

		g_error_free(*error);
		*error = said;
	}
}
