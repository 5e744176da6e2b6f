/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/search/joint.h"

#include <stdlib.h>
#include <string.h>

/* A set of lines, ascending numbers. */
struct set {
	double weight;
	unsigned n;
	unsigned *members;
	const struct explanation_suspect *first; /* of the first test */
	bool needs_run, unchecked;		 /* in one of the tests at least */
};

struct line {
	struct explanation_statement of; /* strings are the answer's */
	double weight;
};

struct joint {
	struct explanation *answer;
	const struct weighting *weighting;
	const struct limits *limits;
	GHashTable *numbers; /* text of a line → number + 1 */
	GPtrArray *lines;    /* GArray of struct line: the statements on it, as first met */
	GArray *sets;	     /* struct set: those of the tests so far; NULL = there was no test */
	unsigned n_tests;
	unsigned left_out; /* sets of which a test does not tell whether they explain it */
	bool all;
};

static void set_clear(gpointer p)
{
	g_free(((struct set *)p)->members);
}

static GArray *new_sets(void)
{
	GArray *sets = g_array_new(FALSE, FALSE, sizeof(struct set));

	g_array_set_clear_func(sets, set_clear);
	return sets;
}

static struct explanation_statement copy_statement(struct explanation *e,
						   const struct explanation_statement *from)
{
	struct explanation_statement s = *from;

	s.function = explanation_string(e, s.function);
	s.file = explanation_string(e, s.file);
	s.text = explanation_string(e, s.text);
	s.kind = explanation_string(e, s.kind);
	s.clause = explanation_string(e, s.clause);
	s.actual = explanation_string(e, s.actual);
	s.witness = explanation_string(e, s.witness);
	return s;
}

/* Its number + 1; 0 = no test has had it so far. */
static unsigned joint_line_number(const struct joint *j, const struct explanation_statement *s)
{
	g_autofree char *key = g_strdup_printf("%s:%u", s->file, s->line);

	return GPOINTER_TO_UINT(g_hash_table_lookup(j->numbers, key));
}

static unsigned number_of_line(struct joint *j, const struct explanation_statement *s)
{
	unsigned known = joint_line_number(j, s);

	if (known)
		return known - 1;
	g_ptr_array_add(j->lines, g_array_new(FALSE, FALSE, sizeof(struct line)));
	g_hash_table_insert(j->numbers, g_strdup_printf("%s:%u", s->file, s->line),
			    GUINT_TO_POINTER(j->lines->len));
	return j->lines->len - 1;
}

static double weight_of(const struct joint *j, unsigned number)
{
	const struct line *l = &g_array_index((GArray *)j->lines->pdata[number], struct line, 0);

	return j->weighting ? weighting_of(j->weighting, l->of.file, l->of.line) : 1;
}

static bool joint_has_member(const struct set *s, unsigned member)
{
	for (unsigned i = 0; i < s->n; i++)
		if (s->members[i] == member)
			return true;
	return false;
}

static bool joint_set_includes(const struct set *big, const struct set *small)
{
	for (unsigned i = 0; i < small->n; i++)
		if (!joint_has_member(big, small->members[i]))
			return false;
	return true;
}

static int compare_member_numbers(const void *a, const void *b)
{
	unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

	return x < y ? -1 : x > y;
}

static void add_member(const struct joint *j, struct set *s, unsigned member)
{
	if (joint_has_member(s, member))
		return;
	s->members[s->n++] = member;
	s->weight += weight_of(j, member);
}

/* The suspect's lines.  Those not met before get its statements. */
static struct set set_of_suspect(struct joint *j, const struct explanation_suspect *s)
{
	struct set set = { .first = s,
			   .needs_run = s->needs_run,
			   .unchecked = s->unchecked,
			   .members = g_new(unsigned, s->statements->len + 1) };
	unsigned before = j->lines->len;

	for (guint i = 0; i < s->statements->len; i++) {
		const struct explanation_statement *st =
			&g_array_index(s->statements, struct explanation_statement, i);
		unsigned number = number_of_line(j, st);

		if (number >= before) {
			struct line line = { .of = copy_statement(j->answer, st) };

			g_array_append_val((GArray *)j->lines->pdata[number], line);
		}
		add_member(j, &set, number);
	}
	qsort(set.members, set.n, sizeof(*set.members), compare_member_numbers);
	return set;
}

static struct set unite_sets(const struct joint *j, const struct set *a, const struct set *b)
{
	struct set u = { .first = a->first,
			 .needs_run = a->needs_run || b->needs_run,
			 .unchecked = a->unchecked || b->unchecked,
			 .members = g_new(unsigned, a->n + b->n + 1) };

	for (unsigned i = 0; i < a->n; i++)
		add_member(j, &u, a->members[i]);
	for (unsigned i = 0; i < b->n; i++)
		add_member(j, &u, b->members[i]);
	qsort(u.members, u.n, sizeof(*u.members), compare_member_numbers);
	return u;
}

static gint cheaper_set_first(gconstpointer a, gconstpointer b)
{
	const struct set *x = a, *y = b;
	int order;

	if (x->weight != y->weight)
		return x->weight < y->weight ? -1 : 1;
	if (x->n != y->n)
		return x->n < y->n ? -1 : 1;
	order = memcmp(x->members, y->members, x->n * sizeof(*x->members));
	/* of two ways to change the same lines, the one that comes to the check is kept */
	return order ? order : (int)x->unchecked - (int)y->unchecked;
}

/* Keeps only sets that include no other one; a set is heavier than the sets that it includes. */
static GArray *keep_smallest_sets(struct joint *j, GArray *sets)
{
	GArray *kept = new_sets();

	g_array_sort(sets, cheaper_set_first);
	for (guint i = 0; i < sets->len; i++) {
		struct set *s = &g_array_index(sets, struct set, i);
		bool larger = s->n > j->limits->size;

		for (guint k = 0; !larger && k < kept->len; k++)
			larger = joint_set_includes(s, &g_array_index(kept, struct set, k));
		if (larger)
			continue;
		if (kept->len == j->limits->joint_sets) {
			j->all = false;
			limits_reached(j->limits, LIMIT_joint_sets);
			break;
		}
		g_array_append_val(kept, *s);
		s->members = NULL; /* taken */
	}
	g_array_unref(sets);
	return kept;
}

static GArray *sets_of_test(struct joint *j, const struct explanation *e)
{
	GArray *sets = new_sets();

	for (guint i = 0; i < e->suspects->len; i++) {
		const struct explanation_suspect *s = e->suspects->pdata[i];
		struct set set;

		if (s->replay != REPLAY_PASSES)
			continue;
		set = set_of_suspect(j, s);
		g_array_append_val(sets, set);
	}
	return keep_smallest_sets(j, sets);
}

static void append_union(const struct joint *j, GArray *to, const struct set *a,
			 const struct set *b)
{
	struct set u = unite_sets(j, a, b);

	g_array_append_val(to, u);
}

/* The unions of set a with each set of b.  Where a includes some sets of b, those unions are a
 * itself, and all other unions include a, so they are left out. */
static void append_unions(const struct joint *j, GArray *to, const struct set *a, const GArray *b)
{
	bool includes_one = false;

	for (guint k = 0; k < b->len; k++) {
		const struct set *one = &g_array_index(b, struct set, k);

		if (!joint_set_includes(a, one))
			continue;
		includes_one = true;
		append_union(j, to, a, one);
	}
	for (guint k = 0; !includes_one && k < b->len; k++)
		append_union(j, to, a, &g_array_index(b, struct set, k));
}

static GArray *unite_all(struct joint *j, GArray *a, GArray *b)
{
	GArray *sets = new_sets();

	for (guint i = 0; i < a->len; i++)
		append_unions(j, sets, &g_array_index(a, struct set, i), b);
	g_array_unref(a);
	g_array_unref(b);
	return keep_smallest_sets(j, sets);
}

static struct explanation_suspect *suspect_of_set(const struct joint *j, const struct set *set)
{
	struct explanation_suspect *s = explanation_suspect_new();

	s->replay = REPLAY_PASSES;
	s->tests = j->n_tests;
	s->size = set->n;
	s->needs_run = set->needs_run;
	s->unchecked = set->unchecked;
	s->weight = j->weighting ? set->weight : 0;
	s->score = j->weighting ? weighting_score(j->weighting, set->weight) : 1.0 / set->n;
	for (unsigned i = 0; i < set->n; i++) {
		const GArray *on = j->lines->pdata[set->members[i]];

		for (guint k = 0; k < on->len; k++)
			g_array_append_val(s->statements, g_array_index(on, struct line, k).of);
	}
	g_array_append_vals(s->chain, set->first->chain->data, set->first->chain->len);
	return s;
}

static void add_lines_of_suspect(struct explanation *e, const struct explanation_suspect *s)
{
	for (guint i = 0; i < s->statements->len; i++) {
		const struct explanation_statement *st =
			&g_array_index(s->statements, struct explanation_statement, i);
		struct explanation_line line = { st->file, st->line, s->score, s->tests, NULL };
		bool known = false;

		for (guint k = 0; !known && k < e->lines->len; k++) {
			const struct explanation_line *l =
				&g_array_index(e->lines, struct explanation_line, k);

			known = l->line == line.line && strcmp(l->file, line.file) == 0;
		}
		if (!known)
			g_array_append_val(e->lines, line);
	}
}

bool joint_answer(struct joint *j)
{
	struct explanation *e = j->answer;
	g_autoptr(GPtrArray) found = g_ptr_array_new();

	for (guint i = 0; i < j->sets->len; i++)
		g_ptr_array_add(found, suspect_of_set(j, &g_array_index(j->sets, struct set, i)));
	g_ptr_array_set_size(e->suspects, 0);
	g_array_set_size(e->lines, 0);
	for (guint i = 0; i < found->len; i++) {
		struct explanation_suspect *s = found->pdata[i];

		s->rank = i + 1;
		g_ptr_array_add(e->suspects, s);
		add_lines_of_suspect(e, s);
	}
	return j->all;
}

static void free_statements(gpointer p)
{
	g_array_unref(p);
}

struct joint *joint_new(struct explanation *answer, const struct weighting *weighting,
			const struct limits *limits)
{
	struct joint *j = g_new0(struct joint, 1);

	*j = (struct joint){
		.answer = answer, .weighting = weighting, .limits = limits, .all = true
	};
	j->numbers = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	j->lines = g_ptr_array_new_with_free_func(free_statements);
	return j;
}

void joint_free(struct joint *j)
{
	if (!j)
		return;
	if (j->sets)
		g_array_unref(j->sets);
	g_hash_table_destroy(j->numbers);
	g_ptr_array_unref(j->lines);
	g_free(j);
}

void joint_add(struct joint *j, const struct explanation *e)
{
	GArray *sets = sets_of_test(j, e);

	g_assert(j->n_tests || e == j->answer);
	j->sets = j->sets ? unite_all(j, j->sets, sets) : sets;
	j->n_tests++;
}

void joint_add_known(struct joint *j, const struct explanation *e)
{
	for (guint i = j->sets->len; i-- > 0;) {
		if (joint_is_explained(j, i, e))
			continue;
		g_array_remove_index(j->sets, i);
		j->left_out++;
	}
	joint_add(j, e);
}

unsigned joint_left_out(const struct joint *j)
{
	return j->left_out;
}

unsigned joint_sets(const struct joint *j)
{
	return j->sets ? j->sets->len : 0;
}

unsigned joint_size(const struct joint *j, unsigned set)
{
	return g_array_index(j->sets, struct set, set).n;
}

bool joint_includes(const struct joint *j, unsigned set, const struct explanation_suspect *s)
{
	for (guint i = 0; i < s->statements->len; i++) {
		const struct explanation_statement *st =
			&g_array_index(s->statements, struct explanation_statement, i);
		unsigned number = joint_line_number(j, st);

		if (!number ||
		    !joint_has_member(&g_array_index(j->sets, struct set, set), number - 1))
			return false;
	}
	return true;
}

bool joint_is_explained(const struct joint *j, unsigned set, const struct explanation *e)
{
	for (guint i = 0; i < e->suspects->len; i++) {
		const struct explanation_suspect *s = e->suspects->pdata[i];

		if (s->replay == REPLAY_PASSES && joint_includes(j, set, s))
			return true;
	}
	return false;
}

void joint_add_lines(const struct joint *j, unsigned set, GHashTable *lines)
{
	const struct set *s = &g_array_index(j->sets, struct set, set);

	for (unsigned i = 0; i < s->n; i++) {
		const struct line *l =
			&g_array_index((GArray *)j->lines->pdata[s->members[i]], struct line, 0);

		g_hash_table_add(lines, g_strdup_printf("%s:%u", l->of.file, l->of.line));
	}
}

bool joint(struct explanation *const *es, unsigned n, const struct weighting *weighting,
	   const struct limits *limits)
{
	struct joint *j = joint_new(es[0], weighting, limits);
	bool all;

	g_assert(n);
	for (unsigned i = 0; i < n; i++)
		joint_add(j, es[i]);
	all = joint_answer(j);
	joint_free(j);
	return all;
}
