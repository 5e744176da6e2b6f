/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/specs/events.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

struct reader {
	struct spec_events *e;
	GString *state;
	bool trying;
};

static void end_try(struct reader *r, const char *verdict)
{
	struct spec_event *last =
		r->e->all->len ? &g_array_index(r->e->all, struct spec_event, r->e->all->len - 1)
			       : NULL;

	if (!last || !r->trying)
		return;
	r->trying = false;
	last->verdict = !strcmp(verdict, "holds")    ? SPEC_HOLDS
			: !strcmp(verdict, "writes") ? SPEC_WRITES
						     : SPEC_FAILS;
}

/* What the program wrote before it, without an end of line, may stand in the same line. */
static void read_event_line(struct reader *r, const char *whole)
{
	const char *line = strstr(whole, "@why ");
	char what[16];
	unsigned number;
	unsigned long call = 0;

	if (!line)
		return;
	if (g_str_has_prefix(line, "@why object ") || g_str_has_prefix(line, "@why pointer ") ||
	    g_str_has_prefix(line, "@why made")) {
		g_string_append_printf(r->state, "%s\n", line + strlen("@why "));
		return;
	}
	if (sscanf(line, "@why %15s %u %lu", what, &number, &call) < 2)
		return;
	if (!strcmp(what, "call") && number < r->e->calls->len) {
		r->e->is_inside = true;
		r->e->function = number;
		g_array_index(r->e->calls, uint64_t, number) = call;
	} else if (!strcmp(what, "return")) {
		r->e->is_inside = false;
	} else if (!strcmp(what, "try") && r->e->is_inside) {
		struct spec_event event = { .constraint = number,
					    .call = g_array_index(r->e->calls, uint64_t,
								  r->e->function),
					    .verdict = SPEC_UNENDING };

		g_array_append_val(r->e->all, event);
		r->trying = true;
	} else {
		end_try(r, what);
	}
}

void spec_events_read(const char *text, unsigned n_functions, struct spec_events *out)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	struct reader r = { .e = out, .state = g_string_new(NULL) };

	*out = (struct spec_events){ .all = g_array_new(FALSE, FALSE, sizeof(struct spec_event)),
				     .calls = g_array_new(FALSE, TRUE, sizeof(uint64_t)) };
	g_array_set_size(out->calls, n_functions);
	for (char **line = lines; *line; line++)
		read_event_line(&r, *line);
	out->state = g_string_free(r.state, !r.state->len);
}

void spec_events_clear(struct spec_events *e)
{
	g_clear_pointer(&e->all, g_array_unref);
	g_clear_pointer(&e->calls, g_array_unref);
	g_clear_pointer(&e->state, g_free);
}

const struct spec_event *spec_events_first(const struct spec_events *e)
{
	for (guint i = 0; i < e->all->len; i++)
		if (g_array_index(e->all, struct spec_event, i).verdict != SPEC_HOLDS)
			return &g_array_index(e->all, struct spec_event, i);
	return NULL;
}

const struct spec_event *spec_events_misbehaviour(const struct spec_events *e)
{
	const struct spec_event *first = spec_events_first(e);

	for (guint i = 0; i < e->all->len; i++)
		if (g_array_index(e->all, struct spec_event, i).verdict == SPEC_WRITES)
			return &g_array_index(e->all, struct spec_event, i);
	return first && first->verdict == SPEC_UNENDING ? first : NULL;
}

/* Was the same demanded when the call began, and held? */
static bool held_before(const struct spec_events *e, const struct spec *s,
			const struct spec_event *last)
{
	const struct spec_constraint *c = spec_constraint(s, last->constraint);

	for (guint i = 0; c && c->at_exit && i < e->all->len; i++) {
		const struct spec_event *x = &g_array_index(e->all, struct spec_event, i);
		const struct spec_constraint *b = spec_constraint(s, x->constraint);

		if (b && !b->at_exit && b->function == c->function && x->call == last->call &&
		    x->verdict == SPEC_HOLDS && !strcmp(b->call, c->call))
			return true;
	}
	return false;
}

void spec_events_blame(struct spec_events *e, const struct spec *s, int signo)
{
	struct spec_event *last =
		e->all->len ? &g_array_index(e->all, struct spec_event, e->all->len - 1) : NULL;

	if (!last || last->verdict != SPEC_UNENDING || (signo != SIGSEGV && signo != SIGBUS) ||
	    !held_before(e, s, last))
		return;
	last->verdict = SPEC_FAILS;
	last->signo = signo;
	e->is_inside = false; /* the function itself came back */
}
