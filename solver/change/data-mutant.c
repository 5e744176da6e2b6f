/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/change/data-mutant.h"
#include "solver/change/first-value.h"

#include "solver/base/hash.h"
#include "solver/change/code/code-line.h"
#include "solver/source/source.h"
#include "solver/trace/superblock/superblock.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- what was read ---- */

/* A scalar that had its initial value when it was read. */
struct initial_read {
	struct data_read read;
	uint64_t last; /* the count of such reads, after its last one */
};

/* Loops read the same scalars again and again. */
struct known_read {
	uint64_t link, value;
	unsigned size;
	guint number; /* in .reads, + 1; 0 = it has not its initial value */
};

enum { KNOWN_READS = 1024 };

struct reading {
	const struct image *im;
	uint64_t bias, count;
	GArray *reads;	    /* struct initial_read */
	GHashTable *number; /* address → its number in .reads, + 1; both themselves */
	struct known_read known[KNOWN_READS];
};

/* Does it still have its initial value? */
static bool has_initial_value(const struct image *im, uint64_t link, unsigned size, uint64_t value)
{
	uint8_t bytes[8];
	bool writable;

	return image_initial(im, link, size, bytes, &writable) && memcmp(bytes, &value, size) == 0;
}

static guint number_of_read(struct reading *r, uint64_t link, unsigned size, uint64_t value)
{
	struct initial_read fresh = { { link, size, 0 }, 0 };
	guint number;

	if ((size & (size - 1)) || !has_initial_value(r->im, link, size, value))
		return 0;
	number = GPOINTER_TO_UINT(g_hash_table_lookup(r->number, GSIZE_TO_POINTER(link)));
	if (number) {
		g_array_index(r->reads, struct initial_read, number - 1).read.size = size;
		return number;
	}
	g_array_append_val(r->reads, fresh);
	g_hash_table_insert(r->number, GSIZE_TO_POINTER(link), GUINT_TO_POINTER(r->reads->len));
	return r->reads->len;
}

static void note_data_read(struct reading *r, uint64_t address, unsigned size, uint64_t value)
{
	const uint64_t link = address - r->bias;
	struct known_read *k = &r->known[link % KNOWN_READS];

	if (k->link != link || k->size != size || k->value != value)
		*k = (struct known_read){ link, value, size, number_of_read(r, link, size, value) };
	if (k->number)
		g_array_index(r->reads, struct initial_read, k->number - 1).last = ++r->count;
}

static void note_step_reads(struct reading *r, const struct trace_step *step)
{
	for (unsigned i = 0; i < step->n_reads; i++) {
		const struct trace_read *read = &step->reads[i];
		uint64_t value = 0;

		if (read->size > sizeof value)
			continue;
		memcpy(&value, read->bytes, read->size);
		note_data_read(r, read->address, read->size, value);
	}
}

static int go_on_reading(struct reading *r, struct superblocks *s, struct trace_cursor *c,
			 GError **error)
{
	struct trace_step step = { 0 };
	struct superblock_run piece;
	int more = superblocks_run(s, c, &piece, error);

	if (more > 0)
		for (unsigned i = 0; i < piece.n_loads; i++)
			note_data_read(r, piece.loads[i].address, piece.loads[i].size,
				       piece.loads[i].value);
	if (more == 0 && (more = trace_cursor_step(c, &step, error)) > 0)
		note_step_reads(r, &step);
	return more;
}

static bool walk_data_reads(struct reading *r, struct trace_cursor *c, GError **error)
{
	struct superblocks *s = superblocks_new(NULL, NULL);
	uint64_t lo, hi;
	int more = 1;

	image_range(r->im, &lo, &hi);
	superblocks_note_loads(s, lo + r->bias, hi - lo);
	while (more > 0)
		more = go_on_reading(r, s, c, error);
	superblocks_free(s);
	return more == 0;
}

static gint latest_first(gconstpointer a, gconstpointer b)
{
	const struct initial_read *x = a, *y = b;

	return (x->last < y->last) - (x->last > y->last);
}

/* A read, and how many elements of its variable were read after it. */
struct turn {
	struct data_read read;
	guint nth, order;
};

static gint in_turns(gconstpointer a, gconstpointer b)
{
	const struct turn *x = a, *y = b;

	if (x->nth != y->nth)
		return x->nth < y->nth ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

/* The variables take turns, so that a long table does not take the place of all others. */
static void take_turns(const struct image *im, GArray *reads)
{
	const struct image_frame nowhere = { 0 };
	g_autoptr(GHashTable) counts = g_hash_table_new(NULL, NULL);
	g_autoptr(GArray) turns = g_array_new(FALSE, FALSE, sizeof(struct turn));

	for (guint i = 0; i < reads->len; i++) {
		struct turn t = { g_array_index(reads, struct data_read, i), 0, i };
		struct image_lvalue lv;

		if (image_name_memory(im, &nowhere, t.read.address, t.read.size, &lv)) {
			t.nth = GPOINTER_TO_UINT(g_hash_table_lookup(counts, lv.variable));
			g_hash_table_insert(counts, (gpointer)lv.variable,
					    GUINT_TO_POINTER(t.nth + 1));
			image_lvalue_clear(&lv);
		}
		g_array_append_val(turns, t);
	}
	g_array_sort(turns, in_turns);
	for (guint i = 0; i < reads->len; i++)
		g_array_index(reads, struct data_read, i) =
			g_array_index(turns, struct turn, i).read;
}

static GArray *reads_of(const struct reading *r, unsigned most)
{
	GArray *reads = g_array_new(FALSE, FALSE, sizeof(struct data_read));

	g_array_sort(r->reads, latest_first);
	for (guint i = 0; i < r->reads->len; i++)
		g_array_append_val(reads, g_array_index(r->reads, struct initial_read, i).read);
	take_turns(r->im, reads);
	if (reads->len > most)
		g_array_set_size(reads, most);
	return reads;
}

static bool find_bias(const struct trace_run *run, const struct image *im, uint64_t *bias)
{
	for (unsigned i = 0; i < trace_run_modules(run); i++)
		if (trace_run_module(run, i)->image == im) {
			*bias = trace_run_module(run, i)->bias;
			return true;
		}
	return false;
}

GArray *data_reads(struct trace_run *run, struct trace_cursor *from, const struct image *im,
		   unsigned most, GError **error)
{
	struct reading r = { .im = im, .known = { { .link = UINT64_MAX } } };
	GArray *reads = NULL;

	if (!find_bias(run, im, &r.bias))
		return g_array_new(FALSE, FALSE, sizeof(struct data_read));
	r.reads = g_array_new(FALSE, FALSE, sizeof(struct initial_read));
	r.number = g_hash_table_new(hash_u64_itself, NULL);
	if (walk_data_reads(&r, from, error))
		reads = reads_of(&r, most);
	g_array_unref(r.reads);
	g_hash_table_destroy(r.number);
	return reads;
}

/* ---- other values ---- */

/* A scalar of a variable, as it is in the file. */
struct element {
	const struct image_variable *variable; /* NULL = a constant of the code */
	const struct image_statement *statement;
	const struct image_type *type;
	char *text;    /* "days[7]", "line 7" of a member's first value; NULL = another constant */
	unsigned line; /* where its value stands */
	uint64_t address, reader;
	uint8_t bytes[8];
	bool implied; /* an element or member that is 0 because an initializer leaves it out */
};

static void element_clear(gpointer element)
{
	g_free(((struct element *)element)->text);
}

static bool is_type_of_number(const struct image_type *t)
{
	return t->kind == IMAGE_TYPE_INT || t->kind == IMAGE_TYPE_CHAR ||
	       t->kind == IMAGE_TYPE_BOOL || t->kind == IMAGE_TYPE_ENUM ||
	       (t->kind == IMAGE_TYPE_FLOAT && t->size <= 8);
}

/* The line of the element that the text names, the fourth one for "items[3].price"; 0 = it cannot
 * be told. */
static unsigned line_of_element(struct sources *sources, const struct image_variable *v,
				const char *text)
{
	const struct source *source = sources_get(sources, v->file);
	size_t name = strlen(v->name);
	unsigned line = 0;

	if (source && strncmp(text, v->name, name) == 0 && text[name] == '[')
		line = source_element_line(source, v->line, v->name,
					   g_ascii_strtoull(text + name + 1, NULL, 10));
	return line ? line : v->line;
}

static bool is_implied(const struct image *im, const struct element *e)
{
	static const uint8_t zero[8];
	const char *text = image_source_line(im, e->variable->file, e->line);

	return memcmp(e->bytes, zero, e->type->size) == 0 && strpbrk(e->text, "[.") && text &&
	       !g_regex_match_simple("\\b0|'\\\\0|\\bfalse\\b", text, 0, 0);
}

static bool reads_constant(const struct trace_insn *insn, const struct data_read *r)
{
	return insn->rip_disp_offset && insn->n_mem == 1 && !(insn->flags & TRACE_INSN_PLAIN) &&
	       insn->mem[0].size == r->size && (uint64_t)insn->mem[0].disp == r->address;
}

/* The only instruction that reads it, which computes with floating-point numbers; 0: there is none,
 * or another one. */
static uint64_t reader_of(const struct image *im, const struct data_read *r)
{
	const struct trace_insn *insns;
	size_t n = image_insns(im, &insns);
	uint64_t reader = 0;

	for (size_t i = 0; i < n; i++) {
		if (!reads_constant(&insns[i], r))
			continue;
		if (reader)
			return 0;
		reader = insns[i].addr;
	}
	return reader;
}

/* The line of the instruction. */
static const struct image_statement *user_at(const struct image *im, uint64_t reader)
{
	const struct image_row *row = reader ? image_row_at(im, reader) : NULL;

	return row ? image_statement(im, row->statement) : NULL;
}

static char *words_of_first_value(const struct image *im, uint64_t reader)
{
	struct first_value first;

	if (!reader || !first_value_stored(im, reader, &first))
		return NULL;
	g_free(first.text);
	return first.where;
}

static double real_of_element(const struct element *e)
{
	union {
		float f;
		double d;
	} v;

	memcpy(&v, e->bytes, sizeof(v));
	return e->type->size == sizeof(v.d) ? v.d : (double)v.f;
}

static bool find_constant(const struct image *im, const struct data_read *r, struct element *e)
{
	static const struct image_type single = { .kind = IMAGE_TYPE_FLOAT,
						  .name = "float",
						  .size = 4 },
				       real = { .kind = IMAGE_TYPE_FLOAT,
						.name = "double",
						.size = 8 };
	const uint64_t reader = r->reader ? r->reader : reader_of(im, r);
	bool writable = true;

	if ((r->size != 4 && r->size != 8) ||
	    !image_initial(im, r->address, r->size, e->bytes, &writable) || writable)
		return false;
	e->statement = user_at(im, reader);
	if (!e->statement || image_is_of_system(e->statement->file))
		return false;
	e->line = e->statement->line;
	e->text = words_of_first_value(im, reader);
	e->type = r->size == 4 ? &single : &real;
	/* what `fabs' and a change of sign mask with is no number of the source */
	return !isnan(real_of_element(e)) &&
	       !(signbit(real_of_element(e)) && fpclassify(real_of_element(e)) == FP_ZERO);
}

static GArray *elements_of(const struct image *im, const GArray *reads)
{
	GArray *elements = g_array_new(FALSE, TRUE, sizeof(struct element));
	const struct image_frame nowhere = { 0 };
	struct sources *sources = sources_new(im);

	g_array_set_clear_func(elements, element_clear);
	for (guint i = 0; i < reads->len; i++) {
		const struct data_read *r = &g_array_index(reads, struct data_read, i);
		struct element e = { .address = r->address, .reader = r->reader };
		struct image_lvalue lv;
		bool writable;

		if (!image_name_memory(im, &nowhere, r->address, r->size, &lv)) {
			if (find_constant(im, r, &e))
				g_array_append_val(elements, e);
			continue;
		}
		if (lv.type->size == r->size && is_type_of_number(lv.type) && lv.variable->file &&
		    lv.variable->line && !image_is_of_system(lv.variable->file) &&
		    image_initial(im, r->address, r->size, e.bytes, &writable)) {
			e.variable = lv.variable;
			e.type = lv.type;
			e.text = g_strdup(lv.text);
			e.line = line_of_element(sources, lv.variable, lv.text);
			e.implied = e.type->kind != IMAGE_TYPE_ENUM && is_implied(im, &e);
			g_array_append_val(elements, e);
		}
		image_lvalue_clear(&lv);
	}
	sources_free(sources);
	return elements;
}

static int64_t integer_of_element(const struct element *e)
{
	unsigned shift = 64 - 8 * (unsigned)e->type->size;
	uint64_t bits;

	memcpy(&bits, e->bytes, 8);
	return e->type->is_signed ? (int64_t)(bits << shift) >> shift
				  : (int64_t)(bits << shift >> shift);
}

static void add_data_mutant(GArray *mutants, unsigned module, const struct element *e,
			    const uint8_t *bytes, double effort, const struct limits *l)
{
	struct data_mutant m = { .variable = e->variable,
				 .statement = e->statement,
				 .line = e->line,
				 .reader = e->reader,
				 .effort = effort +
					   (e->implied ? (double)l->slip_unwritten / 100 : 0) };
	g_autofree char *from = NULL, *to = NULL;

	if (memcmp(bytes, e->bytes, e->type->size) == 0)
		return;
	from = image_format(e->type, e->bytes, e->type->size);
	to = image_format(e->type, bytes, e->type->size);
	m.words = g_strdup_printf("%s for %s%s%s", to, from, e->text ? " in " : "",
				  e->text ? e->text : "");
	m.action = (struct trace_action){ .kind = TRACE_ACTION_CODE,
					  .module = module,
					  .addr = e->address,
					  .where = e->type->size,
					  .size = (uint16_t)e->type->size };
	memcpy(m.action.value, bytes, e->type->size);
	g_array_append_val(mutants, m);
}

/* Does the type have it, and does the source have a name for it? */
static bool is_value_of_type(const struct image_type *t, int64_t value)
{
	bool named = t->kind != IMAGE_TYPE_ENUM;

	for (uint32_t i = 0; i < t->n_enumerators && !named; i++)
		named = t->enumerators[i].value == value;
	return named && (t->is_signed || value >= 0) && (t->kind != IMAGE_TYPE_BOOL || value <= 1);
}

/* 25 for 52: two digits that stand side by side were typed in the wrong order. */
static void add_swapped_digits(GArray *mutants, unsigned module, const struct element *e,
			       const struct limits *l)
{
	g_autofree char *text = g_strdup_printf("%" PRId64, integer_of_element(e));
	size_t length = strlen(text);

	for (size_t i = 0; i + 1 < length; i++) {
		g_autofree char *other = g_strdup(text);
		int64_t value;

		other[i] = text[i + 1];
		other[i + 1] = text[i];
		value = g_ascii_strtoll(other, NULL, 10);
		if (g_ascii_isdigit(text[i]) && is_value_of_type(e->type, value))
			add_data_mutant(mutants, module, e, (const uint8_t *)&value,
					(double)l->slip_by_more / 100, l);
	}
}

/* Names are confused however far their values are from each other. */
static void add_other_enumerators(GArray *mutants, unsigned module, const struct element *e,
				  const struct limits *l)
{
	const struct image_type *t = e->type;

	for (uint32_t i = 0; t->kind == IMAGE_TYPE_ENUM && i < t->n_enumerators; i++)
		add_data_mutant(mutants, module, e, (const uint8_t *)&t->enumerators[i].value,
				(double)l->slip_element / 100, l);
}

static void add_integers(GArray *mutants, unsigned module, const struct element *e,
			 const struct limits *l)
{
	int64_t v = integer_of_element(e);
	const struct {
		int64_t value;
		uint64_t effort;
	} others[] = {
		{ v + 1, l->slip_by_one },   { v - 1, l->slip_by_one },
		{ -v, l->slip_by_two },	     { 0, l->slip_by_two },
		{ 1, l->slip_by_two },	     { v + 2, l->slip_by_two },
		{ v - 2, l->slip_by_two },   { v + 10, l->slip_by_more },
		{ v - 10, l->slip_by_more }, { v * 10, l->slip_by_more },
		{ v / 10, l->slip_by_more },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(others); i++)
		if (is_value_of_type(e->type, others[i].value))
			add_data_mutant(mutants, module, e, (const uint8_t *)&others[i].value,
					(double)others[i].effort / 100, l);
	add_swapped_digits(mutants, module, e, l);
	add_other_enumerators(mutants, module, e, l);
}

/* The number as it would be written: with the digits of another one. */
static double as_written(double v)
{
	char text[G_ASCII_DTOSTR_BUF_SIZE];

	return g_ascii_strtod(g_ascii_formatd(text, sizeof text, "%.12g", v), NULL);
}

static void add_real_data(GArray *mutants, unsigned module, const struct element *e, double value,
			  uint64_t effort, const struct limits *l)
{
	double d = as_written(value);
	float f = (float)d;

	add_data_mutant(mutants, module, e,
			e->type->size == 8 ? (const uint8_t *)&d : (const uint8_t *)&f,
			(double)effort / 100, l);
}

/* 5 and 2 for 25: a digit too much was typed. */
static void add_shorter(GArray *mutants, unsigned module, const struct element *e,
			const struct limits *l)
{
	char text[G_ASCII_DTOSTR_BUF_SIZE];
	size_t length = strlen(g_ascii_formatd(text, sizeof text, "%.6g", real_of_element(e)));

	for (size_t i = 0; i < length && length > 1; i++) {
		g_autofree char *shorter = g_strdup_printf("%.*s%s", (int)i, text, text + i + 1);

		if (g_ascii_isdigit(text[i]))
			add_real_data(mutants, module, e, g_ascii_strtod(shorter, NULL),
				      l->slip_by_more, l);
	}
}

/* Has it been counted, so that it may be wrong by one? */
static bool is_counting_number(double v, const struct limits *l)
{
	return v == floor(v) && (fmod(v, 10) != 0 || fabs(v) < (double)l->slip_round);
}

static void add_reals(GArray *mutants, unsigned module, const struct element *e,
		      const struct limits *l)
{
	double v = real_of_element(e);
	const double others[] = { v + 1, v - 1, v * 10, v / 10, -v, v * 2, v / 2, 1 - v, 0, 1 };

	for (size_t i = 0; i < G_N_ELEMENTS(others); i++)
		add_real_data(mutants, module, e, others[i],
			      i < 2 && is_counting_number(v, l) ? l->slip_by_one
			      : i >= 2 && i < 5			? l->slip_by_two
								: l->slip_by_more,
			      l);
	add_shorter(mutants, module, e, l);
}

/* The values that stand beside it in the variable. */
static void add_values_beside(GArray *mutants, unsigned module, const GArray *elements, guint which,
			      const struct limits *l)
{
	const struct element *e = &g_array_index(elements, struct element, which);
	guint before = mutants->len;

	for (guint i = 0; i < elements->len && mutants->len < before + l->data_others; i++) {
		const struct element *other = &g_array_index(elements, struct element, i);
		bool known = false;

		if (!e->variable || other->variable != e->variable || other->type != e->type)
			continue;
		for (guint k = before; k < mutants->len; k++)
			known |= memcmp(g_array_index(mutants, struct data_mutant, k).action.value,
					other->bytes, e->type->size) == 0;
		if (!known)
			add_data_mutant(mutants, module, e, other->bytes,
					(double)l->slip_element / 100, l);
	}
}

GArray *data_constants(const struct image *im, const char *file, unsigned line)
{
	GArray *reads = g_array_new(FALSE, FALSE, sizeof(struct data_read));
	const struct trace_insn *insns;
	size_t n = image_insns(im, &insns);

	for (size_t i = 0; i < n; i++) {
		const struct trace_insn *insn = &insns[i];
		struct data_read r = { (uint64_t)insn->mem[0].disp, insn->mem[0].size, 0 };
		struct element e = { .address = r.address };

		if (!reads_constant(insn, &r) || !code_stands_on(im, insn->addr, file, line))
			continue;
		if (!reader_of(im, &r))
			r.reader = insn->addr;
		if (find_constant(im, &r, &e))
			g_array_append_val(reads, r);
	}
	return reads;
}

static void mutant_clear(gpointer mutant)
{
	g_free(((struct data_mutant *)mutant)->words);
}

static bool is_nearly_equal(double a, double b)
{
	return fabs(a - b) <= 1e-9 * fabs(b);
}

static void add_hinted_data(GArray *mutants, unsigned module, const struct element *e,
			    const GArray *hints, const struct limits *l)
{
	bool real = e->type->kind == IMAGE_TYPE_FLOAT;
	double is = real ? real_of_element(e) : (double)integer_of_element(e);

	for (guint i = 0; i < hints->len; i++) {
		const struct data_hint *h = &g_array_index(hints, struct data_hint, i);
		int64_t value = (int64_t)h->to;

		if (!is_nearly_equal(h->from, is))
			continue;
		if (real)
			add_real_data(mutants, module, e, h->to, l->slip_by_more, l);
		else if ((double)value == h->to && is_value_of_type(e->type, value))
			add_data_mutant(mutants, module, e, (const uint8_t *)&value,
					(double)l->slip_by_more / 100, l);
	}
}

GArray *data_mutants(const struct image *im, unsigned module, const GArray *reads,
		     const GArray *hints, bool only, const struct limits *limits)
{
	const struct limits *l = limits_or_default(limits);
	GArray *mutants = g_array_new(FALSE, FALSE, sizeof(struct data_mutant));
	g_autoptr(GArray) elements = elements_of(im, reads);

	g_array_set_clear_func(mutants, mutant_clear);
	for (guint i = 0; i < elements->len; i++) {
		const struct element *e = &g_array_index(elements, struct element, i);

		if (hints)
			add_hinted_data(mutants, module, e, hints, l);
		if (only)
			continue;
		add_values_beside(mutants, module, elements, i, l);
		if (e->type->kind == IMAGE_TYPE_FLOAT)
			add_reals(mutants, module, e, l);
		else
			add_integers(mutants, module, e, l);
	}
	return mutants;
}
