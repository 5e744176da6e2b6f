/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/specs/study-private.h"

#include "solver/formula/requirement.h"

static char *line_of_arguments(char *const *argv)
{
	return g_strjoinv("\n", (char **)argv);
}

bool study_is_new(struct study *s, char *const *argv)
{
	return g_hash_table_add(s->seen, line_of_arguments(argv));
}

/* False: the run cannot be taken apart, so nothing comes of it. */
static bool make_path_of_run(struct study *s, struct made *m)
{
	const struct requirement_end end = {
		.end = m->result.end == RUN_SIGNAL ? RUN_SIGNAL : RUN_STATUS,
		.status = m->result.end == RUN_STATUS ? m->result.status : 1,
		.signo = m->result.signo,
		.signal = replay_signal_name(m->result.signo)
	};
	size_t n;
	g_autoptr(GArray) memory = NULL;
	struct path_question q = { .run = study_open_record(s, m->result.record, NULL),
				   .requirement = requirement_new(&end),
				   .program = probe_images(s->probe, &n)[STUDY_PROGRAM],
				   .text = m->text,
				   /* whether more is read is decided after the last call */
				   .first = m->first,
				   .last = m->text ? G_MAXUINT64 : m->last,
				   .solver = s->o->solver,
				   .limits = s->o->limits,
				   .until = s->o->until };

	if (m->state)
		q.memory = memory = heap_memory(m->state, s->probe->spec->types);
	m->is_expanded = true;
	if (q.run && q.requirement && (s->o->input != STUDY_STDIN || q.text))
		m->path = path_new(&q, s->lift, NULL);
	g_debug("a path of %u decisions and %u inputs", m->path ? path_decisions(m->path) : 0,
		m->path ? path_inputs(m->path)->len : 0);
	m->next = m->next_set = m->next_solved = m->path ? path_decisions(m->path) : 0;
	requirement_free((struct requirement *)q.requirement);
	trace_run_free(q.run);
	run_result_clear(&m->result);
	return m->path;
}

/* The arguments of another test; or its standard input alone. */
static char **words_with(const struct made *m, const GArray *values)
{
	return path_words(m->path, m->text ? (char *[]){ m->text, NULL } : m->argv, values);
}

/* A test on another path than the run: the last decision first.  NULL: there is none any more. */
static char **other_path(struct study *s, struct made *m, unsigned *bound)
{
	GArray *values;

	if (!m->is_expanded && !make_path_of_run(s, m))
		return NULL;
	while (m->next > m->bound && !deadline_is_over(s->o->until)) {
		unsigned decision = --m->next;
		g_auto(GStrv) words = NULL;

		if (!path_other_side(m->path, decision, &values))
			continue;
		words = words_with(m, values);
		g_array_unref(values);
		*bound = decision + 1;
		if (study_is_new(s, words))
			return g_steal_pointer(&words);
	}
	g_clear_pointer(&m->path, path_free);
	m->next = 0;
	return NULL;
}

/* For comparison: inputs of the first run with other values, as they come. */
static char **random_test(struct study *s, unsigned *bound)
{
	struct made *m = s->runs->pdata[0];

	*bound = 0;
	if (!m->is_expanded && !make_path_of_run(s, m))
		return NULL;
	for (int tries = 0; m->path && tries < 64; tries++) {
		const GArray *inputs = path_inputs(m->path);
		g_autoptr(GArray) values = g_array_new(FALSE, FALSE, sizeof(int64_t));
		g_auto(GStrv) words = NULL;

		for (guint i = 0; i < inputs->len; i++) {
			const struct path_input *in = &g_array_index(inputs, struct path_input, i);
			int64_t v;

			s->random = s->random * 1103515245 + 12345;
			v = in->kind == PATH_COUNT ? 1 + (s->random >> 16) % 8
			    : s->o->input == STUDY_STDIN && in->kind == PATH_BYTE
				    ? ' ' + (s->random >> 16) % 95
				    : (s->random >> 16) % 16;
			g_array_append_val(values, v);
		}
		words = words_with(m, values);
		if (study_is_new(s, words))
			return g_steal_pointer(&words);
	}
	return NULL;
}

/* Finds the state that changes least among those that take this decision otherwise.  is_set: states
 * that are set in memory, else those that the program's operations make.  False: all were run. */
static bool nearest_state(const struct study *s, const struct made *m, unsigned decision,
			  bool is_set, unsigned *nearest)
{
	unsigned least = G_MAXUINT;

	for (unsigned i = 0; i < heap_n(s->heap); i++) {
		if (!heap_calls(s->heap, i) != is_set || m->leaves[i].decision != decision ||
		    m->leaves[i].changed >= least ||
		    g_hash_table_contains(s->seen, heap_state(s->heap, i)->text))
			continue;
		least = m->leaves[i].changed;
		*nearest = i;
	}
	return least < G_MAXUINT;
}

/* A state that is set in memory may be told as one that operations made before. */
static bool is_new_state(struct study *s, const struct spec_state *state)
{
	return g_hash_table_add(s->seen, g_strdup(state->text)) &&
	       g_hash_table_add(s->seen, spec_state_words(state, s->probe->spec->types));
}

static bool is_new_text(struct study *s, const char *text)
{
	struct spec_state *state = spec_state_read(text, s->probe->spec->types);
	bool is_new = state && is_new_state(s, state);

	spec_state_free(state);
	return is_new;
}

/* A state for a run. */
struct next_state {
	char *text;
	const char *calls; /* heap_calls */
};

/* Likewise a state, of those that keep to what is demanded. */
static bool other_state(struct study *s, struct made *m, bool is_set, unsigned *bound,
			struct next_state *out)
{
	unsigned *next = is_set ? &m->next_set : &m->next, number;

	if (!m->is_expanded && make_path_of_run(s, m))
		m->leaves = heap_leaves(s->heap, m->path, m->state,
					m->parent ? m->parent->leaves : NULL, m->bound);
	while (m->path && *next > m->bound) {
		*bound = (*next)--;
		while (nearest_state(s, m, *next, is_set, &number))
			if (is_new_state(s, heap_state(s->heap, number))) {
				*out = (struct next_state){
					g_strdup(heap_state(s->heap, number)->text),
					heap_calls(s->heap, number)
				};
				return true;
			}
	}
	return false;
}

static bool other_made(struct study *s, struct made *m, unsigned *bound, struct next_state *out)
{
	return other_state(s, m, false, bound, out);
}

static bool other_set(struct study *s, struct made *m, unsigned *bound, struct next_state *out)
{
	return other_state(s, m, true, bound, out);
}

/* Likewise the run's own state with other numbers. */
static bool other_numbers(struct study *s, struct made *m, unsigned *bound, struct next_state *out)
{
	while (m->path && m->next_solved > m->bound && !deadline_is_over(s->o->until)) {
		g_autofree char *text = NULL;
		GArray *values;

		*bound = m->next_solved--;
		if (!path_other_side(m->path, m->next_solved, &values))
			continue;
		text = heap_with_values(m->state, m->path, values);
		g_array_unref(values);
		if (text && is_new_text(s, text)) {
			*out = (struct next_state){ g_steal_pointer(&text), NULL };
			return true;
		}
	}
	g_clear_pointer(&m->path, path_free);
	return false;
}

/* What one of the three gives for one of the runs. */
static bool next_state(struct study *s,
		       bool (*other)(struct study *, struct made *, unsigned *,
				     struct next_state *),
		       struct made **parent, unsigned *bound, struct next_state *out)
{
	bool found = false;

	for (guint i = 1; !found && i < s->runs->len && !deadline_is_over(s->o->until); i++)
		if ((*parent = s->runs->pdata[i])->state)
			found = other(s, *parent, bound, out);
	return found;
}

static bool random_state(struct study *s, struct next_state *out)
{
	unsigned n = heap_n(s->heap);

	for (int tries = 0; n && tries < 64; tries++) {
		unsigned number;

		s->random = s->random * 1103515245 + 12345;
		number = (s->random >> 8) % n;
		if (!is_new_state(s, heap_state(s->heap, number)))
			continue;
		*out = (struct next_state){ g_strdup(heap_state(s->heap, number)->text),
					    heap_calls(s->heap, number) };
		return true;
	}
	return false;
}

/* States that the program's operations make at the function's first call, and at the one that
 * failed. */
static char *states_made(struct study *s, const struct study_test *first)
{
	GString *all = g_string_new(NULL);
	const uint64_t calls[] = { 1, first->call };

	for (size_t i = 0; i < G_N_ELEMENTS(calls) && (!i || calls[i] != calls[0]); i++) {
		const struct probe_order order = { .kind = PROBE_MAKE,
						   .number = s->function,
						   .call = calls[i],
						   .nodes = s->o->nodes,
						   .most = (unsigned)s->o->limits->made_states };
		struct probe_result r = { 0 };

		s->n_runs++;
		if (probe_run(s->probe, first->argv, s->o->stdin_file, &order, &r, NULL) &&
		    r.events.state)
			g_string_append(all, r.events.state);
		probe_result_clear(&r);
	}
	return g_string_free(all, FALSE);
}

/* The states that are there, and the first failing call with its own state as a run.  False: there
 * are none. */
static bool make_heap(struct study *s)
{
	const struct study_test *first = study_first_failing(s);
	const struct probe_order order = { .kind = PROBE_SHOW,
					   .number = s->function,
					   .call = first ? first->call : 0 };
	struct probe_result r = { 0 };

	s->is_without_heap = true;
	s->n_runs++;
	if (first && probe_run(s->probe, first->argv, s->o->stdin_file, &order, &r, &s->no_heap)) {
		g_autofree char *made = states_made(s, first);

		s->heap =
			heap_new(s->probe->spec, s->probe->built,
				 &(struct heap_question){ s->function, r.events.state, made,
							  s->o->nodes, s->o->limits, s->o->until },
				 &s->no_heap);
	}
	probe_result_clear(&r);
	if (!s->heap)
		return false;
	s->is_without_heap = false;
	return study_run(s,
			 &(struct study_given){ .argv = g_strdupv(first->argv),
						.state = heap_shown(s->heap)->text,
						.calls = "" },
			 0, &s->no_heap);
}

/* A run with another state.  False: there is none. */
static bool make_state(struct study *s)
{
	char **argv = ((struct study_test *)s->tests->pdata[0])->argv;
	struct next_state next = { 0 };
	struct made *parent = NULL, *made;
	unsigned bound = 0;
	bool found;

	if (!s->heap)
		return !s->is_without_heap && make_heap(s);
	if (s->o->technique == LOCATE_TAR_RAND)
		found = random_state(s, &next);
	else
		found = next_state(s, other_made, &parent, &bound, &next) ||
			next_state(s, other_set, &parent, &bound, &next) ||
			next_state(s, other_numbers, &parent, &bound, &next);
	if (!found)
		return false;
	made = study_run(s,
			 &(struct study_given){
				 .argv = g_strdupv(argv), .state = next.text, .calls = next.calls },
			 bound, NULL);
	g_free(next.text);
	if (made)
		made->parent = parent;
	return made || !deadline_is_over(s->o->until);
}

bool study_make_test(struct study *s)
{
	const struct made *first = s->runs->pdata[0], *made;
	struct study_given given;
	unsigned bound;
	char **argv = NULL;

	if (s->o->input == STUDY_HEAP)
		return make_state(s);
	if (s->o->technique == LOCATE_TAR_RAND)
		argv = random_test(s, &bound);
	for (guint i = 0; s->o->technique != LOCATE_TAR_RAND && !argv && i < s->runs->len; i++)
		argv = other_path(s, s->runs->pdata[i], &bound);
	if (!argv)
		return false;
	given = (struct study_given){ .argv = argv };
	if (s->o->input == STUDY_STDIN)
		given = (struct study_given){ .argv = g_strdupv(first->argv), .text = argv[0] };
	made = study_run(s, &given, bound, NULL);
	if (s->o->input == STUDY_STDIN)
		g_strfreev(argv);
	return made || !deadline_is_over(s->o->until);
}
