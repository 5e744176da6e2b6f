/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/cause/cause-private.h"
#include "solver/image/variable/variable.h"
#include "solver/naming/naming-private.h"
#include "solver/slice/demanded-bits.h"

#include <string.h>

struct known_cause *cause_at(const struct finder *f, unsigned i)
{
	return f->tree.causes->pdata[i];
}

/* ---- what a step is ---- */

static const struct image_statement *statement_of_insn(const struct reverse_index_insn *info)
{
	const struct image *im = info->module->image;
	const struct image_row *row = image_row_at(im, info->insn->addr);

	return row ? image_statement(im, row->statement) : NULL;
}

static bool is_same_statement_line(const struct image_statement *a, const struct image_statement *b)
{
	return a && b && a->line == b->line && strcmp(a->file, b->file) == 0 &&
	       strcmp(a->function, b->function) == 0;
}

/* The register was set on the way to the value, in the same execution of the line; within one
 * execution, code goes forward. */
static bool is_on_the_way(struct finder *f, const struct known_cause *k, uint64_t from,
			  uint64_t writer, const struct reverse_index_place *place)
{
	struct reverse_index_step of_k, s, of_from;
	const struct reverse_index_insn *info, *k_info, *from_info;

	if (k->step == UINT64_MAX || place->memory)
		return false;
	of_k = *reverse_index_at(f->index, k->step);
	of_from = *reverse_index_at(f->index, from);
	s = *reverse_index_at(f->index, writer);
	info = reverse_index_insn_of(f->index, &s);
	k_info = reverse_index_insn_of(f->index, &of_k);
	from_info = reverse_index_insn_of(f->index, &of_from);
	return s.depth == of_k.depth && s.depth == of_from.depth &&
	       is_same_statement_line(statement_of_insn(info), statement_of_insn(k_info)) &&
	       info->pc < from_info->pc && from_info->pc <= k_info->pc;
}

/* ---- new causes ---- */

static void add_edge_to_cause(struct known_cause *k, unsigned cause, enum cause_edge edge)
{
	struct cause_link l = { cause, edge };

	for (guint i = 0; i < k->cause.because->len; i++)
		if (g_array_index(k->cause.because, struct cause_link, i).cause == cause)
			return;
	g_array_append_val(k->cause.because, l);
}

/* "list, never initialised" for "list._M_impl._M_start, never initialised"; NULL: nobody named what
 * that is a part of. */
static const char *words_of_object(struct finder *f, const char *clause)
{
	const char *member = strstr(clause, "._M_"), *words = strstr(clause, ", ");
	g_autofree char *object = member ? g_strndup(clause, (gsize)(member - clause)) : NULL;
	g_autofree char *text = NULL;

	if (!object || strstr(object, ">_M_") || g_str_has_prefix(object, "__"))
		return NULL;
	text = g_strconcat(object, words ? words : "", NULL);
	return explanation_string(f->e, text);
}

/* What a compiler or the library has names of its own for, and the bare address of what has no
 * name, tell a person nothing. */
static void leave_out_plumbing(struct finder *f, struct cause *c)
{
	const bool is_bare = g_strcmp0(c->clause, NAMING_NO_NAME) == 0 &&
			     g_strcmp0(c->value, "one address") == 0;

	if (!is_bare && (!c->clause || image_name_is_of_source(c->clause)))
		return;
	c->clause = is_bare ? NULL : words_of_object(f, c->clause);
	c->value = NULL;
}

/* Two parts of one store that are told in the same words are one cause. */
static bool add_to_part_told(struct finder *f, struct known_cause *effect,
			     const struct known_cause *part)
{
	for (guint i = 0; effect->cause.because && part->place.memory && part->place.bits &&
			  i < effect->cause.because->len;
	     i++) {
		struct known_cause *told = cause_at(
			f, g_array_index(effect->cause.because, struct cause_link, i).cause);

		if (told->step != part->step || !told->place.memory || !told->place.bits ||
		    told->place.address != part->place.address ||
		    told->place.size != part->place.size ||
		    g_strcmp0(told->cause.clause, part->cause.clause) != 0 ||
		    g_strcmp0(told->cause.value, part->cause.value) != 0)
			continue;
		told->place.bits |= part->place.bits;
		return true;
	}
	return false;
}

void cause_add(struct finder *f, struct known_cause *effect, const struct known_cause *made,
	       const struct wanted *w, const struct reverse_index_event *event)
{
	struct cause_key key = { made->step == UINT64_MAX ? w->step : made->step,
				 made->place.memory ? made->place.address : 0,
				 (uint32_t)made->cause.kind << 8 |
					 (made->decides	       ? 0xff
					  : made->place.memory ? 0xfe
							       : made->place.reg),
				 made->place.memory ? made->place.bits : 0 };
	unsigned number = GPOINTER_TO_UINT(g_hash_table_lookup(f->by_key, &key));

	if (!number) {
		struct known_cause *kept = g_memdup2(made, sizeof(*made));

		if (!kept->cause.clause)
			cause_name(f, kept, w, event);
		leave_out_plumbing(f, &kept->cause);
		if (add_to_part_told(f, effect, kept)) {
			g_free(kept);
			return;
		}
		g_ptr_array_add(f->tree.causes, kept);
		number = f->tree.causes->len;
		g_hash_table_insert(f->by_key, g_memdup2(&key, sizeof(key)),
				    GUINT_TO_POINTER(number));
	}
	add_edge_to_cause(effect, number - 1, w->edge);
}

/* ---- backwards ---- */

void cause_want_place(const struct finder *f, GArray *all, const struct reverse_index_place *place,
		      uint64_t step, enum cause_edge edge)
{
	struct wanted w = { .place = *place, .step = step, .edge = edge };

	if (all->len < reverse_index_limits(f->index)->cause_places &&
	    (!place->memory || place->size))
		g_array_append_val(all, w);
}

static void want_cause_operand_registers(const struct finder *f, GArray *all,
					 const struct slice_operands *from, uint64_t without,
					 uint64_t step, enum cause_edge edge)
{
	for (unsigned r = 0; r < 64; r++) {
		const struct reverse_index_place place = slice_operand_register(from, r);

		if ((from->registers & ~without) >> r & 1 && r != TRACE_RSP)
			cause_want_place(f, all, &place, step, edge);
	}
}

static void want_cause_registers(const struct finder *f, GArray *all, uint64_t registers,
				 uint64_t step, enum cause_edge edge)
{
	for (unsigned r = 0; r < 64; r++)
		if (registers >> r & 1 && r != TRACE_RSP)
			cause_want_place(f, all, &(struct reverse_index_place){ .reg = r }, step,
					 edge);
}

/* Adds what went into a step's result, but for the registers by which it found memory; those it
 * returns. */
static uint64_t want_cause_operands(struct finder *f, GArray *all, uint64_t number,
				    const struct reverse_index_place *place, bool decides,
				    enum cause_edge edge)
{
	struct reverse_index_step s = *reverse_index_at(f->index, number);
	const struct reverse_index_insn *info = reverse_index_insn_of(f->index, &s);
	struct slice_operands from;
	const struct reverse_index_event *events;
	struct reverse_index_place part;
	guint before;
	uint64_t addresses;
	unsigned n;

	events = reverse_index_events(f->index, number, &n);
	if (!decides && slice_part_moved(info, place, events, n, &part)) {
		cause_want_place(f, all, &part, number, edge);
		return place->memory || part.memory ? slice_address_registers(info, &s) : 0;
	}
	from = slice_operands_of(info, place, decides);
	addresses = from.loads || place->memory ? slice_address_registers(info, &s) : 0;
	want_cause_operand_registers(f, all, &from, addresses, number, edge);
	for (unsigned i = 0; from.loads && i < n; i++) {
		struct reverse_index_place read = slice_operand_memory(&from, events, i);

		/* a load of a value that others wrote is found itself, and not who wrote before */
		if (events[i].kind == INDEX_STORE)
			continue;
		before = all->len;
		cause_want_place(f, all, &read, number + (events[i].kind == INDEX_CHANGED), edge);
		if (all->len > before && events[i].kind == INDEX_CHANGED) {
			g_array_index(all, struct wanted, all->len - 1).changed = events[i];
			g_array_index(all, struct wanted, all->len - 1).is_changed = true;
		}
	}
	return addresses;
}

/* Adds all of it. */
static void want_inputs(struct finder *f, GArray *all, uint64_t number,
			const struct reverse_index_place *place, bool decides, enum cause_edge edge)
{
	uint64_t addresses = want_cause_operands(f, all, number, place, decides, edge);

	want_cause_registers(f, all, addresses, number, edge == CAUSE_DATA ? CAUSE_WHICH : edge);
}

/* A part of what was looked for. */
static void want_cause_part(const struct finder *f, GArray *all, const struct wanted *of,
			    const struct reverse_index_place *place)
{
	const guint before = all->len;

	cause_want_place(f, all, place, of->step, of->edge);
	if (all->len > before) {
		g_array_index(all, struct wanted, before).is_text = of->is_text;
		g_array_index(all, struct wanted, before).is_read = of->is_read;
	}
}

/* Other steps gave the parts of a place their values that the event did not.  Returns what the
 * event did. */
static struct reverse_index_place want_cause_rest(const struct finder *f, GArray *all,
						  const struct wanted *w, uint64_t number,
						  const struct reverse_index_event *e)
{
	const struct place_parts parts = place_parts_of(f->index, &w->place, number, e);
	struct reverse_index_event part;
	struct wanted before = *w;

	for (unsigned i = 0; i < parts.n_rest; i++)
		want_cause_part(f, all, w, &parts.rest[i]);
	before.step = number;
	want_cause_part(f, all, &before, &parts.kept);
	if (e->kind != INDEX_STORE || parts.written.bits || parts.n_rest)
		return parts.written;
	/* the copy of a structure stores several members at once */
	return e->size > sizeof(e->value) && slice_part_of_store(&w->place, e, &part)
		       ? w->place
		       : slice_place_in_store(&w->place, e);
}

/* The name that a copied argument has in the called function. */
static void note_parameter(struct finder *f, struct wanted *w, uint64_t number,
			   const struct reverse_index_event *e)
{
	struct reverse_index_step s = *reverse_index_at(f->index, number);
	const struct reverse_index_insn *info = reverse_index_insn_of(f->index, &s);
	struct image_frame frame = *trace_point_frame(f->point);
	struct image_lvalue lv;

	frame.pc = info->insn->addr + info->insn->length;
	frame.bias = info->module->bias;
	frame.regs[TRACE_RBP] = s.rbp;
	frame.regs[TRACE_RSP] = s.rsp;
	if (!image_name_memory(info->module->image, &frame, e->address, e->size, &lv))
		return;
	if (lv.variable->parameter) {
		bool whole = lv.object == e->address && lv.object_size == e->size;

		w->parameter = explanation_string(f->e, whole ? lv.variable->name : lv.text);
		w->type = whole ? lv.variable->type : lv.type;
		w->value = e->value;
	}
	image_lvalue_clear(&lv);
}

/* Is it code of a library's header?  How that finds its way through its objects tells nothing. */
static bool is_of_library_header(struct finder *f, uint64_t number)
{
	struct reverse_index_step s = *reverse_index_at(f->index, number);
	const struct image_statement *st = statement_of_insn(reverse_index_insn_of(f->index, &s));

	return st && image_is_of_system(st->file);
}

/* Is it code that only stands between the user's: such a header, or what the tree leaves out? */
static bool is_intermediate_code(struct finder *f, uint64_t number)
{
	struct reverse_index_step s;
	const struct image_statement *st;

	if (is_of_library_header(f, number))
		return true;
	if (!f->tree.between)
		return false;
	s = *reverse_index_at(f->index, number);
	st = statement_of_insn(reverse_index_insn_of(f->index, &s));
	return st && g_str_has_prefix(st->function, f->tree.between);
}

/* The step only passes a value on, so look for who made that value. */
static void pass_value_on(struct finder *f, GArray *all, const struct wanted *w, uint64_t number,
			  const struct reverse_index_event *event)
{
	guint from = all->len;
	struct wanted named = *w;

	if (is_of_library_header(f, number))
		want_cause_operands(f, all, number, &w->place, false, w->edge);
	else
		want_inputs(f, all, number, &w->place, false, w->edge);
	if (w->place.memory)
		note_parameter(f, &named, number, event);
	for (guint i = from; i < all->len; i++) {
		struct wanted *next = &g_array_index(all, struct wanted, i);

		next->parameter = named.parameter;
		next->type = named.type;
		next->value = named.value;
	}
}

enum cause_kind cause_kind_of_writer(const struct finder *f, const struct wanted *w,
				     uint64_t number)
{
	uint32_t depth = reverse_index_at(f->index, number)->depth;
	uint32_t user = w->step < reverse_index_steps(f->index)
				? reverse_index_at(f->index, w->step)->depth
				: depth;

	if (w->place.memory)
		return CAUSE_ASSIGNED;
	if (w->parameter || user > depth)
		return CAUSE_PASSED;
	return user < depth ? CAUSE_RETURNED : CAUSE_ASSIGNED;
}

static void find_decision(struct finder *f, unsigned effect, uint64_t number)
{
	struct known_cause made = { .cause.kind = CAUSE_DECIDED, .decides = true };
	struct wanted w = { .step = number, .edge = CAUSE_CONTROL };

	uint64_t decided;

	do {
		decided = number;
		made.step = number = slice_decision_before(f->index, decided);
	} while (number != UINT64_MAX && is_intermediate_code(f, number));
	if (made.step != UINT64_MAX)
		cause_add(f, cause_at(f, effect), &made, &w, NULL);
	else if (trace_point_left_out(f->point))
		f->tree.reaches_start |= slice_decision_is_lost(f->index, decided);
}

/* Was main entered there, after constructors had run? */
static bool is_entry_of_main(struct finder *f, uint64_t number)
{
	struct reverse_index_step s;
	const struct reverse_index_insn *info;
	const struct image_function *entered;

	if (number + 1 >= reverse_index_steps(f->index))
		return false;
	s = *reverse_index_at(f->index, number + 1);
	info = reverse_index_insn_of(f->index, &s);
	entered = image_function_at(info->module->image, info->insn->addr);
	return entered && entered->entry == info->insn->addr && strcmp(entered->name, "main") == 0;
}

static void look_for_cause(struct finder *f, unsigned effect, GArray *all, struct wanted w)
{
	struct known_cause made = { .place = w.place };
	struct reverse_index_event event = { 0 };
	uint64_t number = 0;
	enum reverse_index_found found = cause_look_back(f, &w, &number, &event);
	struct reverse_index_step s;
	bool on_the_way;

	if (found == INDEX_ENTERED && is_entry_of_main(f, number))
		found = INDEX_NOTHING;
	made.step = found == INDEX_NOTHING ? UINT64_MAX : number;
	if (cause_is_hidden(cause_at(f, effect), &w.place) ||
	    cause_is_of_library(f, all, &w, found == INDEX_WRITTEN ? number : UINT64_MAX))
		return;
	if (found == INDEX_OUTSIDE) {
		want_cause_rest(f, all, &w, number, &event);
		if (cause_is_known(f, number, &event, &made.place)) {
			cause_want_place(f, all, &made.place, number, w.edge);
			return;
		}
	}
	if (w.place.memory && w.is_read && w.is_text &&
	    cause_add_text(f, effect, &w, found == INDEX_WRITTEN ? number : UINT64_MAX))
		return;
	/* what a function may have read, but nobody is known to have written, tells nothing */
	if (w.place.memory && (!made.place.size || (w.is_read && found != INDEX_WRITTEN)))
		return;
	if (found == INDEX_NOTHING || found == INDEX_ENTERED || found == INDEX_OUTSIDE) {
		if (found == INDEX_ENTERED && cause_is_result(&made)) {
			made.until = number + 1;
			made.step = library_call_of(f->index, number);
		}
		cause_add_origin(f, effect, &made, &w, found, &event);
		return;
	}
	if (w.place.memory)
		w.place = want_cause_rest(f, all, &w, number, &event);
	s = *reverse_index_at(f->index, number);
	on_the_way = is_on_the_way(f, cause_at(f, effect), w.step, number, &w.place);
	/* `c ? a : b': the statement decides within itself */
	if (on_the_way)
		find_decision(f, effect, number);
	if (slice_passes_on(reverse_index_insn_of(f->index, &s)) ||
	    is_intermediate_code(f, number)) {
		pass_value_on(f, all, &w, number, &event);
	} else if (on_the_way) {
		want_inputs(f, all, number, &w.place, false, w.edge);
	} else {
		made.place = w.place;
		if (w.place.memory && cause_is_hidden(cause_at(f, effect), &made.place))
			return;
		made.cause.kind = cause_kind_of_writer(f, &w, number);
		cause_add(f, cause_at(f, effect), &made, &w, &event);
	}
}

/* ---- the question ---- */

/* Of an array of characters only the text in it is asked about, with its NUL. */
static uint64_t size_asked(const struct finder *f, const struct image_type *t, uint64_t address)
{
	const struct image_frame *frame = trace_point_frame(f->point);
	const uint64_t most = MIN(t->size, reverse_index_limits(f->index)->cause_bytes);
	uint64_t value, n = 0;

	if (t->kind != IMAGE_TYPE_ARRAY || !t->target || t->target->kind != IMAGE_TYPE_CHAR ||
	    t->target->size != 1)
		return most;
	while (n < most && frame->read(frame->arg, address + n, 1, &value) && value & 0xff)
		n++;
	return MIN(n + 1, most);
}

/* Of a bit-field, those of the word that it lies in. */
static uint64_t bits_that_matter(const struct ir_op *load, uint64_t demanded)
{
	return load->width > 64 || demanded == bits_of_width(load->width) ? 0 : demanded;
}

static void want_places_of(const struct finder *f, const struct expression_code *code,
			   uint64_t before, GArray *all)
{
	g_autofree uint64_t *bits = g_new0(uint64_t, MAX(code->ir.n_ops, 1));

	if (code->value >= 0)
		bits[code->value] = bits_of_width(code->ir.ops[code->value].width);
	demanded_bits(&code->ir, bits, true);
	for (uint32_t i = 0; i < code->ir.n_ops; i++) {
		const struct ir_op *op = &code->ir.ops[i];
		struct reverse_index_place p = { 0 };

		if (op->kind == IR_LOAD && code->temps[op->a].known)
			p = (struct reverse_index_place){ true, 0, code->temps[op->a].w[0],
							  op->width / 8,
							  bits_that_matter(op, bits[i]) };
		else if (op->kind == IR_GET)
			p.reg = op->offset < IR_STATE_YMM
					? op->offset / 8
					: TRACE_XMM0 + (op->offset - IR_STATE_YMM) / 32;
		else
			continue;
		cause_want_place(f, all, &p, before, CAUSE_DATA);
	}
	if (code->value < 0 && code->address >= 0 && code->temps[code->address].known)
		cause_want_place(f, all,
				 &(struct reverse_index_place){
					 true, 0, code->temps[code->address].w[0],
					 (unsigned)size_asked(f, code->type,
							      code->temps[code->address].w[0]),
					 0 },
				 before, CAUSE_DATA);
}

static gint latest_cause_first(gconstpointer a, gconstpointer b, gpointer finder)
{
	const struct cause_link *x = a, *y = b;
	const struct known_cause *k = cause_at(finder, x->cause), *l = cause_at(finder, y->cause);

	/* what is there, then why it is that, then why it came about */
	if (x->edge != y->edge)
		return x->edge > y->edge ? 1 : -1;
	/* what no step wrote was there from the start */
	return k->step + 1 > l->step + 1 ? -1 : k->step + 1 < l->step + 1;
}

void cause_unfold(struct cause_tree *t, unsigned i)
{
	struct finder *f = (struct finder *)t;
	struct known_cause *k = cause_at(f, i);
	g_autoptr(GArray) all = NULL;

	if (k->cause.because)
		return;
	k->cause.because = g_array_new(FALSE, FALSE, sizeof(struct cause_link));
	if (k->cause.kind == CAUSE_INITIAL || (k->cause.kind == CAUSE_INPUT && !cause_is_result(k)))
		return;
	all = g_array_new(FALSE, FALSE, sizeof(struct wanted));
	if (k->code)
		want_places_of(f, k->code, k->before, all);
	else if (k->asks_place)
		cause_want_place(f, all, &k->place, k->before, CAUSE_DATA);
	else if (k->cause.kind == CAUSE_INPUT)
		cause_want_reads(f, all, k->step, k->until, CAUSE_DATA);
	else if (k->cause.kind != CAUSE_ASKED)
		want_inputs(f, all, k->step, &k->place, k->decides, CAUSE_DATA);
	for (guint n = 0; n < all->len; n++) {
		g_array_index(all, struct wanted, n).is_text |= k->is_text;
		look_for_cause(f, i, all, g_array_index(all, struct wanted, n));
	}
	if (!k->code && k->step != UINT64_MAX && k->cause.kind != CAUSE_INPUT)
		find_decision(f, i, k->step);
	g_array_sort_with_data(k->cause.because, latest_cause_first, f);
}
