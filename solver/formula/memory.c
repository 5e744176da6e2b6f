/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads and stores on the symbolic store: bytes, and what an address may point to. */
#include "solver/formula/character-table.h"
#include "solver/formula/heap.h"
#include "solver/formula/run-walker.h"
#include "solver/formula/walk-private.h"
#include "solver/image/variable/variable.h"

#include <string.h>

/* A byte that came from outside.  The same byte at the same address is one variable, because
 * both sides of a branch, and each region around, ask for it again. */
static uint32_t input_byte(struct walk *w, uint64_t at, uint8_t value)
{
	uint64_t name = at << 8 | value;
	gpointer known = g_hash_table_lookup(w->inputs, &name);

	if (!known) {
		struct definition *d = walk_define(w, DEF_INPUT, 8, term_const(w->p, 8, value),
						   SELECTOR_HARD, value);

		d->address = at;
		d->size = 1;
		known = GUINT_TO_POINTER(d->variable);
		g_hash_table_insert(w->inputs, g_memdup2(&name, sizeof(name)), known);
	}
	symbolic_set(w->memory, at, (struct cell){ GPOINTER_TO_UINT(known), w->instance, false });
	return GPOINTER_TO_UINT(known);
}

/* The loader puts pointers there, as into a table of strings. */
static bool loaded_pointer_byte(const struct trace_module *m, uint64_t link, uint8_t *value)
{
	uint64_t pointer;

	for (unsigned i = 0; i < 8; i++)
		if (image_pointer_at(m->image, link - i, &pointer)) {
			*value = (uint8_t)((pointer + m->bias) >> 8 * i);
			return true;
		}
	return false;
}

/* Initial contents of the image's data. */
static bool initial_byte(const struct walk *w, uint64_t at, uint8_t *value)
{
	uint64_t link;
	const struct trace_module *m = trace_run_module_at(w->step_run, at, &link);
	bool writable;

	return m && (image_initial(m->image, link, 1, value, &writable) ||
		     loaded_pointer_byte(m, link, value));
}

/* The cursor has executed the step, so its memory already has what the step stores. */
static bool is_written_now(const struct walk *w, uint64_t at)
{
	const struct ir_block *ir = w->step->ir;

	for (uint32_t i = 0; i < w->step->n_ran; i++) {
		const struct ir_op *op = &ir->ops[i];

		if ((op->kind == IR_STORE || op->kind == IR_STOREG) &&
		    at - w->step->temps[op->a].w[0] < ir->ops[op->b].width / 8u)
			return true;
	}
	return false;
}

/* The value that was stored there, or the zero with which its block began; 0 = not known. */
static uint32_t stored_byte(const struct walk *w, uint64_t at)
{
	struct cell cell = symbolic_get(w->memory, at);

	return heap_is_zero(w, at, cell) ? term_const(w->p, 8, 0) : cell.term;
}

/* The value of a byte to which no traced code has stored yet. */
static bool original_byte_of_walk(const struct walk *w, uint64_t at, uint8_t *value)
{
	return trace_summary_byte(w->options->summary, at, value) || initial_byte(w, at, value) ||
	       (!is_written_now(w, at) && trace_cursor_read(w->cursor, at, 1, value));
}

uint32_t memory_byte(struct walk *w, uint64_t at)
{
	uint8_t value;
	uint32_t known = stored_byte(w, at);

	if (known)
		return known;
	return original_byte_of_walk(w, at, &value) ? input_byte(w, at, value) : 0;
}

uint32_t memory_bytes(struct walk *w, uint64_t at, unsigned bytes)
{
	uint32_t term = 0;

	for (unsigned i = 0; i < bytes; i++) {
		uint32_t byte = memory_byte(w, at + i);

		if (!byte)
			return 0;
		term = term ? term_concat(w->p, byte, term) : byte;
	}
	return term;
}

bool memory_look(struct walk *w, uint64_t at, uint8_t *value, bool *changeable)
{
	uint32_t known = stored_byte(w, at);

	*changeable = known && walk_is_changeable(w, known);
	if (!known)
		return original_byte_of_walk(w, at, value);
	*value = (uint8_t)walk_actual(w, known);
	return true;
}

uint32_t memory_untouched(struct walk *w, uint64_t at)
{
	uint8_t value;

	if (heap_is_zero(w, at, (struct cell){ 0 }))
		return term_const(w->p, 8, 0);
	/* each frame has a new stack */
	if (!trace_run_module_at(w->step_run, at, NULL) && !heap_block_around(w, at))
		return 0;
	return trace_summary_byte(w->options->summary, at, &value) || initial_byte(w, at, &value)
		       ? input_byte(w, at, value)
		       : 0;
}

/* What the step read at this byte, and whether it came from outside. */
static bool byte_read_by_step(const struct walk *w, uint64_t at, uint8_t *value, bool *outside)
{
	for (unsigned i = 0; i < w->step->n_reads; i++) {
		const struct trace_read *r = &w->step->reads[i];

		if (at - r->address >= r->size)
			continue;
		*value = r->bytes[at - r->address];
		*outside = r->outside >> (at - r->address) & 1;
		return true;
	}
	return false;
}

/* Does the store hold this value there already?  That is so when outside code wrote it earlier
 * and traced code did not store there. */
static bool store_holds_byte(struct walk *w, uint64_t at, uint8_t value)
{
	uint32_t known = stored_byte(w, at);

	return known && walk_actual(w, known) == value;
}

static uint32_t load_fixed(struct walk *w, uint64_t at, unsigned bytes)
{
	uint32_t term = 0;

	heap_note_load(w, at, bytes);
	character_table_note_load(w, at, bytes);
	for (unsigned i = 0; i < bytes; i++) {
		uint8_t value;
		bool outside = false;
		uint32_t byte;

		if (byte_read_by_step(w, at + i, &value, &outside) && outside &&
		    !store_holds_byte(w, at + i, value))
			byte = input_byte(w, at + i, value);
		else
			byte = memory_byte(w, at + i);
		if (!byte)
			return 0;
		term = term ? term_concat(w->p, byte, term) : byte;
	}
	return term;
}

/* The variable at this address: one of the present frame or of its callers. */
static bool variable_around(const struct walk *w, uint64_t at, unsigned bytes, struct object *o)
{
	const struct walker_frame *f = walker_frame_around(w->active->pdata[0], at);
	struct image_frame frame = f ? f->caller : trace_cursor_frame(w->cursor);
	const struct trace_module *m = f ? f->module : w->step->module;
	struct image_lvalue lv;

	if (!image_name_memory(m->image, &frame, at, bytes, &lv))
		return false;
	o->lo = lv.object;
	o->hi = lv.object + lv.object_size;
	image_lvalue_clear(&lv);
	return true;
}

bool memory_object_around(const struct walk *w, uint64_t at, unsigned bytes, uint64_t *lo,
			  uint64_t *hi)
{
	const struct object *block = heap_block_around(w, at);
	struct object o;

	if (block)
		o = *block;
	else if (!variable_around(w, at, bytes, &o))
		return false;
	*lo = o.lo;
	*hi = o.hi;
	return true;
}

static void add_written_place(GArray *places, uint64_t at)
{
	for (guint i = 0; i < places->len; i++)
		if (g_array_index(places, uint64_t, i) == at)
			return;
	g_array_append_val(places, at);
}

/* The addresses that the present runs have here, that of the first run first, and the address
 * that the failing run would have. */
static GArray *places_of_runs(struct walk *w, int32_t op, uint32_t address)
{
	GArray *places = g_array_new(FALSE, FALSE, sizeof(uint64_t));

	add_written_place(places, w->step->temps[op].w[0]);
	for (guint i = 1; i < w->active->len; i++) {
		const struct run_walker *l = w->active->pdata[i];

		if ((uint32_t)op < l->step.n_ran)
			add_written_place(places, l->step.temps[op].w[0]);
	}
	if (!w->crashed_at || (uint64_t)walk_actual(w, address) != w->crashed_at)
		add_written_place(places, (uint64_t)walk_actual(w, address));
	return places;
}

static bool a_run_goes_there(const struct walk *w, int32_t op, uint64_t place)
{
	bool any = w->step->temps[op].w[0] == place;

	for (guint i = 1; i < w->active->len; i++) {
		const struct run_walker *l = w->active->pdata[i];

		any |= (uint32_t)op < l->step.n_ran && l->step.temps[op].w[0] == place;
	}
	return any;
}

/* Was the address loaded as a pointer, without an index added to it? */
static bool is_plain_pointer(const struct walk *w, uint32_t address)
{
	const struct term_node *n = term_node(w->p, address);

	if (n->kind == IR_ADD)
		return (term_is_const(w->p, n->a, NULL) && is_plain_pointer(w, n->b)) ||
		       (term_is_const(w->p, n->b, NULL) && is_plain_pointer(w, n->a));
	return n->kind == TERM_VAR || n->kind == IR_ITE;
}

/* Adds the same offset in heap blocks of the same size: pointers to other nodes. */
static bool add_peers(const struct walk *w, const struct object *o, uint64_t at, GArray *places)
{
	bool any = false;

	for (guint i = 0; i < w->blocks->len; i++) {
		const struct object *peer = &g_array_index(w->blocks, struct object, i);

		if (peer->lo == o->lo || peer->hi - peer->lo != o->hi - o->lo)
			continue;
		if (places->len >= w->f->limits->address_places) {
			limits_reached(w->f->limits, LIMIT_address_places);
			break;
		}
		add_written_place(places, peer->lo + (at - o->lo));
		any = true;
	}
	return any;
}

/* Adds what belongs to the address: for a pointer to a node other nodes, otherwise the other
 * elements of its object. */
static void add_places_around(const struct walk *w, uint32_t address, uint64_t at, unsigned bytes,
			      GArray *places)
{
	struct object o;
	const struct object *block = heap_block_around(w, at);

	if (block)
		o = *block;
	else if (!variable_around(w, at, bytes, &o))
		return;
	if (block && add_peers(w, &o, at, places) && is_plain_pointer(w, address))
		return;
	if ((o.hi - o.lo) / bytes > w->f->limits->address_places) {
		limits_reached(w->f->limits, LIMIT_address_places);
		return;
	}
	for (uint64_t a = o.lo + (at - o.lo) % bytes; a + bytes <= o.hi; a += bytes)
		add_written_place(places, a);
}

/* The constant part of an address, to which what may change is added: the beginning of an
 * array, for example. */
static uint64_t constant_part(const struct walk *w, uint32_t address)
{
	const struct term_node *n = term_node(w->p, address);
	uint64_t value;

	if (n->kind == IR_ADD)
		return constant_part(w, n->a) + constant_part(w, n->b);
	return term_is_const(w->p, address, &value) ? value : 0;
}

/* The addresses that an access may go to: where the runs went, and what belongs to one of these
 * places.  A changed run may have gone astray, so the runs are tried one after the other. */
static GArray *places_of_access(struct walk *w, int32_t op, uint32_t address, unsigned bytes)
{
	GArray *places = places_of_runs(w, op, address);
	guint of_runs = places->len;

	if (w->options->hard_addresses)
		return places;
	for (guint i = 0; i < of_runs && places->len == of_runs; i++)
		add_places_around(w, address, g_array_index(places, uint64_t, i), bytes, places);
	if (places->len == of_runs)
		add_places_around(w, address, constant_part(w, address), bytes, places);
	return places;
}

/* The access must stay in one of these places, because anywhere else it is a failure. */
static void stay_within(struct walk *w, uint32_t address, const GArray *places)
{
	uint32_t any = term_false(w->p);

	for (guint i = 0; i < places->len; i++)
		any = term_or(w->p, any,
			      term_eq(w->p, address,
				      term_const(w->p, 64, g_array_index(places, uint64_t, i))));
	walk_require(w, any, false);
}

/* The value at an address that may change. */
static uint32_t load_anywhere(struct walk *w, int32_t op, uint32_t address, unsigned bytes,
			      uint32_t value)
{
	g_autoptr(GArray) places = places_of_access(w, op, address, bytes);

	walk_rely_on(w, address);
	for (guint i = places->len; i > 1; i--) {
		uint64_t place = g_array_index(places, uint64_t, i - 1);
		uint32_t there = memory_bytes(w, place, bytes);

		if (there)
			value = term_ite(w->p, term_eq(w->p, address, term_const(w->p, 64, place)),
					 there, value);
		else
			g_array_remove_index(places, i - 1);
	}
	stay_within(w, address, places);
	return value;
}

uint32_t memory_load(struct walk *w, int32_t op, uint32_t address, unsigned bytes)
{
	uint64_t at = w->step->temps[op].w[0];
	uint32_t value = load_fixed(w, at, bytes), entry;

	if (!value || !address || !walk_is_changeable(w, address))
		return value;
	entry = character_table_entry(w, at, address, bytes);
	if (entry && walk_actual(w, entry) == walk_actual(w, value))
		return entry;
	return load_anywhere(w, op, address, bytes, value);
}

/* The C type of what is stored to; asked once for each instruction. */
static void learn_type(struct walk *w, uint64_t at, unsigned bytes)
{
	struct image_frame frame = trace_cursor_frame(w->cursor);
	struct image_lvalue lv;

	if (w->info->type_known)
		return;
	w->info->type_known = true;
	if (!image_name_memory(w->step->module->image, &frame, at, bytes, &lv))
		return;
	w->info->is_float = lv.type && lv.type->kind == IMAGE_TYPE_FLOAT && lv.type->size == bytes;
	if (lv.type && (lv.type->kind == IMAGE_TYPE_INT || lv.type->kind == IMAGE_TYPE_ENUM) &&
	    lv.type->size == bytes) {
		w->info->type_size = (uint8_t)bytes;
		w->info->is_signed = lv.type->is_signed;
	}
	if (lv.type && lv.type->size == bytes &&
	    (lv.type->kind == IMAGE_TYPE_BOOL || lv.type->kind == IMAGE_TYPE_ENUM))
		w->info->named = lv.type;
	image_lvalue_clear(&lv);
}

/* The value that is stored, or the variable that stands for it if its statement may be relaxed. */
static uint32_t stored_value(struct walk *w, uint32_t address, uint64_t at, uint32_t value,
			     unsigned bytes)
{
	struct definition *d;

	if (w->info->selector == SELECTOR_HARD || w->info->saves || walk_is_received(w, value))
		return value;
	learn_type(w, at, bytes);
	if (w->info->is_signed && w->info->type_size)
		walk_forbid_overflow(w, value);
	d = walk_define(w, DEF_MEMORY, 8 * bytes, value, w->info->selector, walk_actual(w, value));
	d->statement = w->info->statement;
	d->instance = w->instance;
	d->reach = w->reach;
	d->pc = w->step->pc;
	d->address = at;
	d->address_term = address && walk_is_changeable(w, address) ? address : 0;
	d->size = (uint8_t)bytes;
	if (w->info->is_float)
		walk_forbid_overflow_of_float(w, d);
	if (w->info->named)
		walk_keep_to_names(w, d, w->info->named);
	walk_keep_neighbours(w, d, value);
	return d->variable;
}

/* when: the term that says that the store goes there, 0 = it does.  Memory of which nothing was
 * known was not in use.  There, it is enough that a run stores (stores). */
static void store_bytes(struct walk *w, uint64_t at, uint32_t value, unsigned bytes, uint32_t when,
			bool stores)
{
	for (unsigned i = 0; i < bytes; i++) {
		uint32_t byte = term_extract(w->p, value, 8 * i, 8), old;

		if (when) {
			old = memory_byte(w, at + i);
			if (old)
				byte = term_ite(w->p, when, byte, old);
			else if (!stores)
				byte = 0;
		}
		symbolic_set(w->memory, at + i, (struct cell){ byte, w->instance, false });
	}
}

/* May the statement have meant to store somewhere else?  Not if the compiler chose the place: a
 * variable by its name, a saved register. */
static bool address_may_be_relaxed(const struct walk *w, uint32_t address, unsigned bytes)
{
	uint64_t v;

	return !w->options->hard_addresses && w->info->selector != SELECTOR_HARD &&
	       !w->info->saves && bytes <= 8 && address && !term_is_const(w->p, address, &v);
}

/* The value at the address, which is one of the places. */
static uint32_t content_at(struct walk *w, uint32_t address, const GArray *places, unsigned bytes)
{
	uint32_t content = 0;

	for (guint i = places->len; i > 0; i--) {
		uint64_t place = g_array_index(places, uint64_t, i - 1);
		uint32_t there = memory_bytes(w, place, bytes);

		if (there && content)
			content =
				term_ite(w->p, term_eq(w->p, address, term_const(w->p, 64, place)),
					 there, content);
		else if (there)
			content = there;
	}
	return content;
}

/* May the statement have meant the place, where the runs that are walked have it store at another?
 * A run whose blocks of the heap lie elsewhere has a place that is in another block here.  Meant
 * is another node of the same size, or another block from its beginning on. */
static bool may_be_meant(const struct walk *w, uint64_t at, uint64_t place)
{
	const struct object *own = heap_block_around(w, at), *other = heap_block_around(w, place);

	return !own || !other || own->hi - own->lo == other->hi - other->lo ||
	       at - own->lo == place - other->lo;
}

/* A statement that is relaxed stores where it did, or in a place that it may have meant. */
static void require_meant(struct walk *w, uint32_t variable, uint32_t address, uint64_t at,
			  const GArray *places)
{
	uint32_t any = term_eq(w->p, variable, address);
	guint meant = 0;

	for (guint i = 0; i < places->len; i++) {
		uint64_t place = g_array_index(places, uint64_t, i);

		if (!may_be_meant(w, at, place))
			continue;
		any = term_or(w->p, any, term_eq(w->p, variable, term_const(w->p, 64, place)));
		meant++;
	}
	if (meant < places->len)
		walk_require(w, any, false);
}

/* Elsewhere, the store would overwrite what is not the bit-field's with the neighbours of its own.
 */
static bool has_neighbours(const struct walk *w, uint32_t stored)
{
	const struct definition *d = formula_definition(w->f, term_node(w->p, stored));

	return d && d->kept;
}

/* The address as a variable for which its statement may be relaxed, or unchanged. */
static uint32_t relaxable_address(struct walk *w, uint32_t address, uint64_t at, uint32_t stored,
				  const GArray *places, unsigned bytes)
{
	uint32_t before, variable;
	struct definition *d;

	if (!address_may_be_relaxed(w, address, bytes) || places->len == 1 ||
	    has_neighbours(w, stored))
		return address;
	before = content_at(w, address, places, bytes);
	if (!before)
		return address;
	d = walk_define(w, DEF_ADDRESS, 64, address, w->info->selector, at);
	d->statement = w->info->statement;
	d->instance = w->instance;
	d->pc = w->step->pc;
	d->address = at;
	d->size = (uint8_t)bytes;
	d->stored = stored;
	d->before = before;
	variable = d->variable;
	/* a link may go into another structure: from a list's node to its head */
	if (bytes < sizeof(uint64_t))
		require_meant(w, variable, address, at, places);
	return variable;
}

/* NULL: it stores where it does. */
static GArray *places_of_store(struct walk *w, int32_t op, uint32_t address, unsigned bytes)
{
	if (!address ||
	    !(walk_is_changeable(w, address) || address_may_be_relaxed(w, address, bytes)))
		return NULL;
	return places_of_access(w, op, address, bytes);
}

void memory_store(struct walk *w, int32_t op, uint32_t address, uint32_t value, unsigned bytes)
{
	uint64_t at = w->step->temps[op].w[0];
	g_autoptr(GArray) places = places_of_store(w, op, address, bytes);
	uint32_t stored;

	if (!places) {
		stored = stored_value(w, 0, at, value, bytes);
		store_bytes(w, at, stored, bytes, 0, true);
		return;
	}
	walk_rely_on(w, address);
	stored = stored_value(w, address, at, value, bytes);
	address = relaxable_address(w, address, at, stored, places, bytes);
	if (places->len == 1)
		store_bytes(w, at, stored, bytes, 0, true);
	for (guint i = 0; places->len > 1 && i < places->len; i++) {
		uint64_t place = g_array_index(places, uint64_t, i);

		store_bytes(w, place, stored, bytes,
			    term_eq(w->p, address, term_const(w->p, 64, place)),
			    a_run_goes_there(w, op, place));
	}
	stay_within(w, address, places);
}

void memory_store_words(struct walk *w, int32_t op, const uint64_t *words, unsigned n)
{
	uint64_t at = w->step->temps[op].w[0];

	for (unsigned i = 0; i < n; i++)
		store_bytes(w, at + 8 * i, term_const(w->p, 64, words[i]), 8, 0, true);
}
