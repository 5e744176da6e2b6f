/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/change/missing/inserted-mutant.h"

#include "solver/change/missing/adapted-statement.h"
#include "solver/change/missing/inserted-spot.h"
#include "solver/change/missing/own-statement.h"
#include "solver/change/missing/unset-variable.h"
#include "solver/change/code/code-statement.h"
#include "solver/change/code/code-value.h"
#include "solver/source/operand-text.h"
#include "solver/change/guard/watch.h"
#include "solver/image/variable/variable.h"

#include <string.h>

/* A statement that was compiled for a block of variables. */
struct insertion {
	const char *text;
	int64_t number; /* of the text, from 1 */
	int64_t likely; /* INSERTED_LIKELY and the like; 0 = not */
	struct code_statement *code;
};

struct inserted_mutants {
	const struct image *im;
	const struct limits *limits;
	struct expression_texts *texts;
	GPtrArray *own;	     /* struct own_statement *; NULL = not looked for */
	GHashTable *blocks;  /* block of variables → struct making * */
	GHashTable *numbers; /* text → its number */
	GPtrArray *pieces;   /* struct code_piece * */
	GStringChunk *words;
};

/* What is made for a block of variables. */
struct making {
	struct inserted_mutants *x;
	uint64_t addr;
	const struct image_function *function;
	GHashTable *seen; /* texts */
	GArray *out;	  /* struct insertion */
	uint64_t most;	  /* of them */
	int64_t likely;	  /* of those that are made now: as of an insertion */
	bool is_whole;	  /* else INSERTED_UNSET and INSERTED_ANEW only */
};

static void making_free(gpointer making)
{
	g_hash_table_destroy(((struct making *)making)->seen);
	g_array_unref(((struct making *)making)->out);
	g_free(making);
}

static void insertion_clear(gpointer insertion)
{
	code_statement_free(((struct insertion *)insertion)->code);
}

struct inserted_mutants *inserted_mutants_new(const struct image *im,
					      struct expression_texts *texts,
					      const struct limits *limits)
{
	struct inserted_mutants *x = g_new0(struct inserted_mutants, 1);

	x->im = im;
	x->limits = limits;
	x->texts = texts;
	x->blocks = g_hash_table_new_full(NULL, NULL, NULL, making_free);
	x->numbers = g_hash_table_new(g_str_hash, g_str_equal);
	x->pieces = g_ptr_array_new_with_free_func(g_free);
	x->words = g_string_chunk_new(256);
	return x;
}

void inserted_mutants_free(struct inserted_mutants *x)
{
	if (!x)
		return;
	g_clear_pointer(&x->own, g_ptr_array_unref);
	g_hash_table_destroy(x->blocks);
	g_hash_table_destroy(x->numbers);
	g_ptr_array_unref(x->pieces);
	g_string_chunk_free(x->words);
	g_free(x);
}

/* ---- which statements ---- */

static int64_t number_of_statement(struct inserted_mutants *x, const char *text)
{
	guint known = GPOINTER_TO_UINT(g_hash_table_lookup(x->numbers, text));

	if (!known) {
		known = g_hash_table_size(x->numbers) + 1;
		g_hash_table_insert(x->numbers, (gpointer)text, GUINT_TO_POINTER(known));
	}
	return known;
}

static void make_mutant(struct making *m, const char *text)
{
	struct insertion made = { .text = g_string_chunk_insert_const(m->x->words, text),
				  .likely = m->likely };

	if (m->out->len >= m->most || !g_hash_table_add(m->seen, (gpointer)made.text) ||
	    inserted_spot_keeps_object(m->x->im, m->function, text))
		return;
	made.code = code_statement_new(m->x->im, m->addr, text, m->x->limits);
	if (!made.code)
		return;
	made.number = number_of_statement(m->x, made.text);
	g_array_append_val(m->out, made);
}

/* The same call of each other function; those that take other arguments do not compile. */
static void make_calls(struct making *m, const char *text)
{
	const struct image_function *all;
	size_t n = image_functions(m->x->im, &all);
	const char *arguments;
	const struct image_function *f = code_statement_callee(m->x->im, text, &arguments);

	for (size_t i = 0; f && i < n; i++) {
		g_autofree char *other = g_strconcat(all[i].name, arguments, NULL);

		if (&all[i] != f && !all[i].parent && g_strcmp0(all[i].file, f->file) == 0)
			make_mutant(m, other);
	}
}

static void make_step(struct making *m, const char *variable, const char *step)
{
	g_autofree char *text = g_strconcat(variable, step, NULL);

	make_mutant(m, text);
}

static void make_steps(struct making *m, const char *variable)
{
	static const char *const steps[] = { "++", "--", " = 0" };

	for (size_t i = 0; i < G_N_ELEMENTS(steps); i++)
		make_step(m, variable, steps[i]);
}

/* Does a statement change something of that name, in any file or in the source of this one? */
static bool is_changed_anywhere(const struct inserted_mutants *x, const char *file,
				const char *name)
{
	const struct source *s = sources_get(expression_texts_sources(x->texts), file);

	if (s && operand_text_is_counted(s->code, name))
		return true;
	for (guint i = 0; i < x->own->len; i++) {
		const struct own_statement *own = x->own->pdata[i];
		g_autofree char *place = code_statement_place(own->text);

		if (place && strcmp(operand_text_last_word(place), name) == 0)
			return true;
	}
	return false;
}

/* What nobody counts should be, perhaps. */
static void make_counts(struct making *m, const char *text)
{
	if (!m->likely)
		make_steps(m, text);
	else if (!is_changed_anywhere(m->x, m->function->file, operand_text_last_word(text)))
		make_step(m, text, "++");
}

static bool begins_with_zero(const struct image *im, const struct image_variable *v)
{
	const struct image_frame nowhere = { 0 };
	const struct image_place p = image_locate(im, v, &nowhere);
	uint64_t value = 0;
	bool writable;

	return p.kind == IMAGE_PLACE_MEMORY && v->type && v->type->size <= sizeof(value) &&
	       image_initial(im, p.address, v->type->size, (uint8_t *)&value, &writable) && !value;
}

static void make_globals(struct making *m)
{
	const struct image_variable *const *globals;
	size_t n = image_globals(m->x->im, &globals);

	for (size_t i = 0; i < n; i++)
		if (globals[i]->name && g_strcmp0(globals[i]->file, m->function->file) == 0 &&
		    (!m->likely || begins_with_zero(m->x->im, globals[i])))
			make_counts(m, globals[i]->name);
}

/* Of the numbers in what has that type; path: "", "list->". */
static void make_steps_of_members(struct making *m, const struct image_type *t, const char *path)
{
	for (uint32_t i = 0; t && i < t->n_members; i++) {
		const struct image_member *member = &t->members[i];
		g_autofree char *text = g_strconcat(path, member->name, NULL);

		if (!member->name || !member->type || member->type->kind != IMAGE_TYPE_INT ||
		    !image_name_is_of_source(member->name))
			continue;
		make_counts(m, text);
	}
}

/* Of the numbers in the object of a member function of C++, and in what parameters point to. */
static void make_members(struct making *m)
{
	const struct image_variable *const *all;
	const size_t n = image_variables_at(m->x->im, m->addr, &all);
	/* what compiles a statement looks at variables, too */
	g_autofree const struct image_variable **v = g_memdup2(all, n * sizeof(*v));

	if (image_function_has_object(m->x->im, m->function))
		make_steps_of_members(m, image_parameter_type(m->x->im, m->function, 0)->target,
				      "");
	for (size_t i = 0; i < n; i++) {
		const struct image_type *t = v[i]->parameter ? v[i]->type : NULL;
		g_autofree char *path = NULL;

		if (!t || t->kind != IMAGE_TYPE_POINTER || !v[i]->name ||
		    !image_name_is_of_source(v[i]->name))
			continue;
		path = g_strconcat(v[i]->name, "->", NULL);
		make_steps_of_members(m, t->target, path);
	}
}

static void make_steps_of(struct making *m, const char *text)
{
	g_autofree char *place = code_statement_place(text);

	if (place)
		make_steps(m, place);
}

/* `s = 0' once more, where the function adds to s. */
static void make_resets(struct making *m, const struct source *s)
{
	g_autofree char *body = source_function_body(s, m->function->line);

	for (guint i = 0; body && i < m->x->own->len; i++) {
		const struct own_statement *own = m->x->own->pdata[i];
		g_autofree char *place = own->is_first_value && own->function == m->function
						 ? code_statement_place(own->text)
						 : NULL;

		if (place && operand_text_is_counted(body, place))
			make_mutant(m, own->text);
	}
}

/* Goes through the statements of the function, or through the others of the file. */
static void make_own(struct making *m, bool of_function,
		     void (*what)(struct making *m, const char *text))
{
	for (guint i = 0; i < m->x->own->len; i++) {
		const struct own_statement *own = m->x->own->pdata[i];

		if ((own->function == m->function) == of_function &&
		    g_strcmp0(own->function->file, m->function->file) == 0)
			what(m, own->text);
	}
}

/* ---- assignments that stand nowhere ---- */

/* A variable or a member. */
struct operand {
	char *text;
	const struct image_type *type;
};

static void operand_clear(gpointer operand)
{
	g_free(((struct operand *)operand)->text);
}

static bool is_variable_text(const char *text)
{
	if (g_ascii_isdigit(*text))
		return false;
	for (; *text; text++)
		if (!source_is_word(*text) && !strchr(".->", *text))
			return false;
	return true;
}

/* Adds it once, if it has a value where the statement goes. */
static void add_operand(struct making *m, GArray *all, const char *text)
{
	struct code_value *v;
	struct operand o;

	if (!text || !is_variable_text(text + (*text == '*')))
		return;
	for (guint i = 0; i < all->len; i++)
		if (strcmp(g_array_index(all, struct operand, i).text, text) == 0)
			return;
	v = code_value_new(m->x->im, m->addr, text, m->x->limits);
	if (!v)
		return;
	o = (struct operand){ g_strdup(text), code_value_type(v) };
	g_array_append_val(all, o);
	code_value_free(v);
}

/* alike: `p->size = size' and the like, which are forgotten more often than others. */
static void make_assignment(struct making *m, const struct operand *to, const struct operand *from,
			    bool alike)
{
	bool is_alike =
		strcmp(operand_text_last_word(to->text), operand_text_last_word(from->text)) == 0;
	g_autofree char *set = NULL, *add = NULL;

	if (strcmp(to->text, from->text) == 0 || !code_value_is_of_one_type(to->type, from->type) ||
	    (alike && !is_alike))
		return;
	set = g_strdup_printf("%s = %s", to->text, from->text);
	make_mutant(m, set);
	if (to->type->kind != IMAGE_TYPE_INT || alike)
		return;
	add = g_strdup_printf("%s += %s", to->text, from->text);
	make_mutant(m, add);
}

/* What statements of the function, or of the file's other ones, assign to is likeliest to be
 * assigned to once more. */
static void add_assigned_places(struct making *m, bool of_function, GArray *places)
{
	for (guint i = 0; i < m->x->own->len; i++) {
		const struct own_statement *own = m->x->own->pdata[i];
		g_autofree char *place = NULL;

		if ((own->function != m->function) == of_function ||
		    g_strcmp0(own->function->file, m->function->file) != 0)
			continue;
		place = code_statement_place(own->text);
		add_operand(m, places, place);
	}
}

/* What parameters point to that are for a result: `int *from'. */
static void add_results_given(struct making *m, GArray *places)
{
	const struct image_variable *const *all;
	const size_t n = image_variables_at(m->x->im, m->addr, &all);
	/* what compiles a text looks at variables, too */
	g_autofree const struct image_variable **v = g_memdup2(all, n * sizeof(*v));

	for (size_t i = 0; i < n; i++) {
		const struct image_type *t = v[i]->parameter ? v[i]->type : NULL;
		g_autofree char *text = g_strconcat("*", v[i]->name, NULL);

		if (v[i]->name && t && t->kind == IMAGE_TYPE_POINTER && t->target &&
		    (t->target->kind == IMAGE_TYPE_INT || t->target->kind == IMAGE_TYPE_FLOAT))
			add_operand(m, places, text);
	}
}

static void make_assignments(struct making *m)
{
	const GPtrArray *texts = expression_texts_of(m->x->texts, m->function);
	g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(struct operand));
	g_autoptr(GArray) values = g_array_new(FALSE, FALSE, sizeof(struct operand));
	g_autoptr(GPtrArray) visible = watches_at(m->x->im, m->addr, m->x->limits);

	g_array_set_clear_func(places, operand_clear);
	g_array_set_clear_func(values, operand_clear);
	add_results_given(m, places);
	add_assigned_places(m, true, places);
	add_assigned_places(m, false, places);
	for (guint i = 0; i < texts->len; i++) {
		add_operand(m, places, texts->pdata[i]);
		add_operand(m, values, texts->pdata[i]);
	}
	for (guint i = 0; i < visible->len; i++) {
		add_operand(m, places, ((const struct watch *)visible->pdata[i])->text);
		add_operand(m, values, ((const struct watch *)visible->pdata[i])->text);
	}
	m->most = m->out->len + m->x->limits->insertion_assignments;
	for (int alike = 1; alike >= 0; alike--)
		for (guint i = 0; i < places->len; i++)
			for (guint k = 0; k < values->len; k++)
				make_assignment(m, &g_array_index(places, struct operand, i),
						&g_array_index(values, struct operand, k), alike);
}

/* ---- statements of the function for other variables ---- */

/* How alike the variable is that comes in the place of another one. */
enum likeness { EXCHANGED, OF_ONE_OBJECT, ANY, LIKENESSES };

static void clear_operands(GArray *operands)
{
	g_array_set_clear_func(operands, operand_clear);
	g_array_unref(operands);
}

static void make_with_other(struct making *m, const char *text, const struct operand *a,
			    const struct operand *b, enum likeness likeness)
{
	bool both = operand_text_has(text, b->text),
	     siblings = operand_text_is_of_one_object(a->text, b->text);
	g_autofree char *other = NULL;

	if (a == b || !code_value_is_of_one_type(a->type, b->type) ||
	    (likeness == EXCHANGED ? !both || a > b : siblings != (likeness == OF_ONE_OBJECT)))
		return;
	other = operand_text_with(text, a->text, b->text, likeness == EXCHANGED);
	make_mutant(m, other);
}

static void make_with_others(struct making *m, const char *text, const GArray *operands,
			     enum likeness likeness)
{
	for (guint i = 0; i < operands->len; i++) {
		const struct operand *a = &g_array_index(operands, struct operand, i);

		for (guint k = 0; operand_text_has(text, a->text) && k < operands->len; k++)
			make_with_other(m, text, a, &g_array_index(operands, struct operand, k),
					likeness);
	}
}

/* `adj[b][a] = 1' where the function has `adj[a][b] = 1', `r.n = -r.n' where it has
 * `r.d = -r.d'. */
static void make_renamed(struct making *m)
{
	const GPtrArray *texts = expression_texts_of(m->x->texts, m->function);
	GArray *operands = g_array_new(FALSE, FALSE, sizeof(struct operand));
	const uint64_t most = m->most;

	for (guint i = 0; i < texts->len; i++)
		add_operand(m, operands, texts->pdata[i]);
	m->most = MIN(most, m->out->len + m->x->limits->insertion_renamed);
	for (enum likeness likeness = EXCHANGED; likeness < LIKENESSES; likeness++)
		for (guint i = 0; i < m->x->own->len; i++) {
			const struct own_statement *own = m->x->own->pdata[i];

			if (own->function == m->function)
				make_with_others(m, own->text, operands, likeness);
		}
	m->most = most;
	clear_operands(operands);
}

/* ---- statements that are made to fit ---- */

static void make_adapted(void *making, const char *text)
{
	make_mutant(making, text);
}

static void make_links(struct making *m, const char *text)
{
	const struct adapted_place at = { m->x->im, m->x->limits, m->addr };

	adapted_back_links(&at, text, make_adapted, m);
	adapted_front_links(&at, text, make_adapted, m);
}

/* What other functions call, for variables of this one. */
static void make_calls_of_others(struct making *m)
{
	const struct adapted_place at = { m->x->im, m->x->limits, m->addr };
	const GPtrArray *texts = expression_texts_of(m->x->texts, m->function);
	const uint64_t most = m->most;

	m->most = MIN(most, m->out->len + m->x->limits->insertion_renamed);
	for (guint i = 0; i < m->x->own->len; i++) {
		const struct own_statement *own = m->x->own->pdata[i];

		if (own->function != m->function &&
		    g_strcmp0(own->function->file, m->function->file) == 0)
			adapted_calls(&at, own->text, own->addr, texts, make_adapted, m);
	}
	m->most = most;
}

static void make_from_source(struct making *m)
{
	const struct adapted_place at = { m->x->im, m->x->limits, m->addr };
	const struct source *s =
		sources_get(expression_texts_sources(m->x->texts), m->function->file);

	if (!s)
		return;
	m->likely = INSERTED_ANEW;
	adapted_clears(&at, m->function, s, make_adapted, m);
	make_resets(m, s);
	m->likely = INSERTED_UNSET;
	unset_variables(&at, m->function, s, expression_texts_of(m->x->texts, m->function),
			make_adapted, m);
}

static void make_likeliest(struct making *m)
{
	m->likely = INSERTED_UNSET;
	make_globals(m);
	make_from_source(m);
	m->likely = INSERTED_ANEW;
	make_members(m);
}

static void make_others(struct making *m)
{
	const GPtrArray *texts = expression_texts_of(m->x->texts, m->function);

	m->likely = INSERTED_LIKELY;
	make_own(m, true, make_links);
	make_own(m, true, make_mutant);
	make_own(m, true, make_calls);
	make_calls_of_others(m);
	m->likely = 0;
	make_renamed(m);
	make_own(m, false, make_mutant);
	for (guint i = 0; i < texts->len; i++)
		make_steps(m, texts->pdata[i]);
	make_globals(m);
	make_members(m);
	make_own(m, false, make_steps_of);
	make_assignments(m);
}

static struct making *making_new(struct inserted_mutants *x, const struct image_function *f,
				 uint64_t addr)
{
	struct making *m = g_new0(struct making, 1);

	*m = (struct making){ .x = x, .addr = addr, .function = f };
	m->seen = g_hash_table_new(g_str_hash, g_str_equal);
	m->out = g_array_new(FALSE, FALSE, sizeof(struct insertion));
	g_array_set_clear_func(m->out, insertion_clear);
	m->most = x->limits->insertions;
	make_likeliest(m);
	return m;
}

/* Those of `only', and perhaps others.  To make all of a large function takes long, so those that
 * are not the likeliest wait until they are asked for. */
static const GArray *insertions_at(struct inserted_mutants *x, const struct image_function *f,
				   uint64_t addr, int64_t only)
{
	uint64_t block = image_block_of_variables(x->im, addr);
	gpointer key = block ? (gpointer)(uintptr_t)block : (gpointer)f;
	struct making *m = g_hash_table_lookup(x->blocks, key);

	if (!x->own)
		x->own = own_statements(x->im, x->texts);
	if (!m) {
		m = making_new(x, f, addr);
		g_hash_table_insert(x->blocks, key, m);
	}
	if (only > INSERTED_ANEW && !m->is_whole) {
		make_others(m);
		m->is_whole = true;
	}
	return m->out;
}

/* ---- where ---- */

static enum mutant_kind kind_of_insertion(const struct insertion *what)
{
	return what->likely == INSERTED_UNSET  ? MUTANT_UNSET
	       : what->likely == INSERTED_ANEW ? MUTANT_ANEW
					       : MUTANT_INSERTED;
}

static void add_inserted_mutant(struct inserted_mutants *x, const struct inserted_spot *at,
				const struct insertion *what, GArray *all)
{
	struct code_piece *piece = g_new0(struct code_piece, 1);
	struct mutant made = { .kind = kind_of_insertion(what),
			       .addr = at->insn->addr,
			       .length = at->insn->length,
			       .to = what->number,
			       .piece = piece };
	g_autofree char *words = NULL;

	g_ptr_array_add(x->pieces, piece);
	if (!inserted_spot_write(x->im, at, what->code, piece))
		return;
	words = g_strdup_printf("`%s' put %s it", what->text, at->words);
	made.words = g_string_chunk_insert_const(x->words, words);
	g_array_append_val(all, made);
}

static void add_at(struct inserted_mutants *x, const struct image_function *f,
		   const struct inserted_spot *at, unsigned line, int64_t only, GArray *all)
{
	const GArray *what = insertions_at(x, f, at->insn->addr, only);

	for (guint i = 0; i < what->len; i++) {
		const struct insertion *s = &g_array_index(what, struct insertion, i);

		if ((only > 0 ? s->number == only : s->likely <= only) &&
		    !inserted_spot_is_early(x->im, at, s->text, f->file, line))
			add_inserted_mutant(x, at, s, all);
	}
}

void inserted_mutants_of_line(struct inserted_mutants *x, const char *file, unsigned line,
			      int64_t only, GArray *all)
{
	struct inserted_spot spots[INSERTED_SPOTS];
	const unsigned n = inserted_spots(x->im, x->texts, file, line, spots);

	for (unsigned k = 0; k < n; k++)
		add_at(x, image_function_at(x->im, spots[k].insn->addr), &spots[k], line + k, only,
		       all);
}
