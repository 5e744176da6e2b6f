/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A question and the tree of its causes: how it begins, how far it is unfolded, how it ends. */
#include "solver/cause/cause-private.h"

static guint hash_of_key(gconstpointer p)
{
	const struct cause_key *k = p;

	return (guint)(k->step * 31 + k->address * 7 + k->what + k->bits * 13);
}

static gboolean key_is_equal(gconstpointer a, gconstpointer b)
{
	const struct cause_key *x = a, *y = b;

	return x->step == y->step && x->address == y->address && x->what == y->what &&
	       x->bits == y->bits;
}

static void free_cause(gpointer p)
{
	struct known_cause *k = p;

	g_clear_pointer(&k->cause.because, g_array_unref);
	g_free(k);
}

/* Unfolds each cause of the level, and returns those behind them that seen does not have yet. */
static GArray *unfold_level(struct cause_tree *t, const GArray *level, GHashTable *seen,
			    unsigned most)
{
	GArray *next = g_array_new(FALSE, FALSE, sizeof(unsigned));

	for (guint i = 0; i < level->len; i++) {
		unsigned at = g_array_index(level, unsigned, i);
		const struct cause *c = t->causes->pdata[at];

		t->cut = t->causes->len >= most;
		if (t->cut)
			break;
		cause_unfold(t, at);
		for (guint k = 0; c->because && k < c->because->len; k++) {
			unsigned to = g_array_index(c->because, struct cause_link, k).cause;

			if (g_hash_table_add(seen, GUINT_TO_POINTER(to)))
				g_array_append_val(next, to);
		}
	}
	return next;
}

void cause_unfold_from(struct cause_tree *t, unsigned cause, unsigned hops, unsigned most)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
	GArray *level = g_array_new(FALSE, FALSE, sizeof(unsigned));

	t->cut = false;
	g_array_append_val(level, cause);
	for (unsigned hop = 0; hop < hops && !t->cut; hop++) {
		GArray *next = unfold_level(t, level, seen, most);

		g_array_unref(level);
		level = next;
	}
	/* what a library function made a value of is told with it */
	for (guint i = 0; i < level->len && !t->cut; i++) {
		unsigned at = g_array_index(level, unsigned, i);

		if (((const struct cause *)t->causes->pdata[at])->kind == CAUSE_INPUT)
			cause_unfold(t, at);
	}
	g_array_unref(level);
}

void cause_unfold_all(struct cause_tree *t, unsigned hops, unsigned most)
{
	cause_unfold_from(t, 0, hops, most);
}

void cause_take_line(struct finder *f, struct known_cause *k, const struct image *im,
		     const struct image_statement *s)
{
	const char *line = image_source_line(im, s->file, s->line);
	g_autofree char *trimmed = line ? g_strstrip(g_strdup(line)) : NULL;

	k->cause.function = s->function;
	k->cause.file = s->file;
	k->cause.line = s->line;
	k->cause.text = explanation_string(f->e, trimmed);
}

/* A library's header that was put into the user's code is told as the user's call of it. */
static const struct image_statement *users_statement(const struct image *im, uint64_t addr,
						     const struct image_statement *s,
						     struct image_statement *call)
{
	return image_is_of_system(s->file) && image_users_call_at(im, addr, call) ? call : s;
}

/* Does the code belong to a line of the user's, or to a header that was put into one? */
static bool is_of_user(const struct name *n)
{
	struct image_statement call;

	return !image_is_of_system(n->statement->file) ||
	       image_users_call_at(n->image, n->frame.pc, &call);
}

uint64_t cause_users_step(struct finder *f, uint64_t step)
{
	for (uint64_t at = step; at != UINT64_MAX;) {
		const struct reverse_index_step s = *reverse_index_at(f->index, at);
		struct name n;

		if (naming_statement(f->naming, reverse_index_insn_of(f->index, &s)->pc, &n) &&
		    is_of_user(&n))
			return at;
		reverse_index_find_branch(f->index, at, s.depth, NULL, 0, &at);
	}
	return step;
}

void cause_take_name(struct finder *f, struct known_cause *k, const struct name *n)
{
	struct image_statement call;
	const struct image_statement *s =
		users_statement(n->image, n->frame.pc, n->statement, &call);

	k->cause.clause = n->clause;
	if (s == &call) {
		cause_take_line(f, k, n->image, s);
		return;
	}
	k->cause.function = s->function;
	k->cause.file = s->file;
	k->cause.line = s->line;
	k->cause.text = n->text;
}

struct finder *cause_finder(struct explanation *e, const struct trace_point *m,
			    struct reverse_index *index, const char *text)
{
	struct finder *f = g_new0(struct finder, 1);
	struct known_cause *root = g_new0(struct known_cause, 1);
	const struct image_statement *s = trace_point_statement(m);
	struct image_statement call;

	f->e = e;
	f->point = m;
	f->index = index;
	f->naming = naming_new(e, m);
	f->by_key = g_hash_table_new_full(hash_of_key, key_is_equal, g_free, NULL);
	f->tree.causes = g_ptr_array_new_with_free_func(free_cause);
	root->cause.kind = CAUSE_ASKED;
	root->cause.clause = explanation_string(e, text);
	root->step = UINT64_MAX;
	root->before = reverse_index_steps(index);
	if (s)
		cause_take_line(
			f, root, trace_point_image(m),
			users_statement(trace_point_image(m), trace_point_frame(m)->pc, s, &call));
	g_ptr_array_add(f->tree.causes, root);
	return f;
}

struct cause_tree *cause_of_value(struct explanation *e, const struct trace_point *m,
				  struct reverse_index *index, const char *text,
				  const struct expression_code *code)
{
	struct finder *f = cause_finder(e, m, index, text);

	cause_at(f, 0)->code = code;
	return &f->tree;
}

struct cause_tree *cause_of_place(struct explanation *e, const struct trace_point *m,
				  struct reverse_index *index, const char *text,
				  const struct reverse_index_place *place, bool is_text)
{
	struct finder *f = cause_finder(e, m, index, text);

	cause_at(f, 0)->place = *place;
	cause_at(f, 0)->asks_place = true;
	cause_at(f, 0)->is_text = is_text;
	return &f->tree;
}

static struct known_cause *cause_of_instance(struct finder *f, const struct slice_instance *i)
{
	const struct wanted w = { .place = i->place, .step = i->user };
	struct known_cause *k = g_new0(struct known_cause, 1);
	struct reverse_index_event event = { 0 };
	uint64_t number;

	k->step = i->step;
	k->place = i->place;
	k->decides = i->decides;
	k->cause.kind = i->decides ? CAUSE_DECIDED : cause_kind_of_writer(f, &w, i->step);
	if (!i->decides)
		reverse_index_find(f->index, &i->place, i->user, &number, &event);
	cause_name(f, k, &w, &event);
	return k;
}

struct cause_tree *cause_of_instances(struct explanation *e, const struct trace_point *m,
				      struct reverse_index *index, const GPtrArray *instances)
{
	struct finder *f = cause_finder(e, m, index, NULL);

	g_ptr_array_set_size(f->tree.causes, 0);
	for (guint i = 0; i < instances->len; i++)
		g_ptr_array_add(f->tree.causes, cause_of_instance(f, instances->pdata[i]));
	return &f->tree;
}

void cause_tree_free(struct cause_tree *t)
{
	struct finder *f = (struct finder *)t;

	if (!t)
		return;
	g_ptr_array_free(f->tree.causes, TRUE);
	g_hash_table_destroy(f->by_key);
	naming_free(f->naming);
	cause_origins_free(f->origins);
	library_writers_free(f->writers);
	g_free(f);
}
