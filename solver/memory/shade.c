/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/memory/shade.h"
#include "solver/memory/shade-compare.h"
#include "solver/base/hash.h"
#include "solver/isa/flags.h"
#include "solver/isa/insn.h"

#include <string.h>

enum { PAGE = 4096 };

struct page {
	uint8_t unset[PAGE]; /* a bit for each bit */
	uint32_t objects[PAGE / 8];
};

struct shades {
	GHashTable *pages; /* address / PAGE → struct page */
	uint64_t last;	   /* the page that was used last, and its number */
	struct page *last_page;
	uint8_t state[IR_STATE_SIZE]; /* unset bits */
	uint32_t objects[16];	      /* of the general registers */
	GArray *temps;		      /* struct temp_shade */
};

/* Most values have nothing unset and no object. */
struct temp_shade {
	bool any; /* else .shade is not set */
	struct shade shade;
};

struct shades *shades_new(void)
{
	struct shades *s = g_new0(struct shades, 1);

	s->pages = g_hash_table_new_full(hash_u64_itself, NULL, NULL, g_free);
	s->temps = g_array_new(FALSE, TRUE, sizeof(struct temp_shade));
	s->last = UINT64_MAX;
	return s;
}

void shades_free(struct shades *s)
{
	if (!s)
		return;
	g_hash_table_destroy(s->pages);
	g_array_free(s->temps, TRUE);
	g_free(s);
}

/* ---- memory ---- */

static struct page *shade_page_at(const struct shades *s, uint64_t address)
{
	struct shades *cache = (struct shades *)s;

	if (s->last != address / PAGE) {
		cache->last = address / PAGE;
		cache->last_page = g_hash_table_lookup(s->pages, GSIZE_TO_POINTER(cache->last));
	}
	return s->last_page;
}

static struct page *make_shade_page(struct shades *s, uint64_t address)
{
	if (!shade_page_at(s, address)) {
		s->last_page = g_new0(struct page, 1);
		g_hash_table_insert(s->pages, GSIZE_TO_POINTER(s->last), s->last_page);
	}
	return s->last_page;
}

static void paint_shade(struct shades *s, uint64_t address, uint64_t size, uint8_t unset)
{
	while (size) {
		uint64_t at = address % PAGE, n = MIN(size, PAGE - at);
		struct page *p = unset ? make_shade_page(s, address) : shade_page_at(s, address);

		if (p) {
			memset(p->unset + at, unset, n);
			for (uint64_t i = at / 8; i <= (at + n - 1) / 8; i++)
				p->objects[i] = 0;
		}
		address += n;
		size -= n;
	}
}

void shades_unset(struct shades *s, uint64_t address, uint64_t size)
{
	paint_shade(s, address, size, 0xff);
}

void shades_set(struct shades *s, uint64_t address, uint64_t size)
{
	paint_shade(s, address, size, 0);
}

bool shades_find_unset(const struct shades *s, uint64_t address, uint64_t size, uint64_t *at)
{
	for (uint64_t i = 0; i < size; i++) {
		const struct page *p = shade_page_at(s, address + i);

		if (!p) {
			i += PAGE - 1 - (address + i) % PAGE;
		} else if (p->unset[(address + i) % PAGE]) {
			*at = address + i;
			return true;
		}
	}
	return false;
}

uint32_t shades_object_at(const struct shades *s, uint64_t address)
{
	const struct page *p = shade_page_at(s, address);

	return p && address % 8 == 0 ? p->objects[address % PAGE / 8] : 0;
}

void shades_copy(struct shades *s, uint64_t to, uint64_t from, uint64_t size)
{
	g_autofree uint8_t *unset = g_malloc0(size + 1);
	g_autofree uint32_t *objects = g_new0(uint32_t, size / 8 + 1);
	bool any = false;

	for (uint64_t i = 0; i < size; i++) {
		const struct page *p = shade_page_at(s, from + i);

		unset[i] = p ? p->unset[(from + i) % PAGE] : 0;
		any |= unset[i] != 0;
	}
	for (uint64_t i = 0; to % 8 == from % 8 && i + 8 <= size; i++)
		if ((from + i) % 8 == 0) {
			objects[i / 8] = shades_object_at(s, from + i);
			any |= objects[i / 8] != 0;
		}
	shades_set(s, to, size);
	for (uint64_t i = 0; any && i < size; i++) {
		struct page *p = make_shade_page(s, to + i);

		p->unset[(to + i) % PAGE] = unset[i];
		if ((to + i) % 8 == 0 && i + 8 <= size)
			p->objects[(to + i) % PAGE / 8] = objects[i / 8];
	}
}

static struct shade load_shade(const struct shades *s, uint64_t address, unsigned size)
{
	struct shade out = { 0 };
	uint8_t *bytes = (uint8_t *)out.unset;

	size = MIN(size, sizeof(out.unset));
	for (unsigned i = 0; i < size;) {
		const struct page *p = shade_page_at(s, address + i);
		const unsigned at = (unsigned)((address + i) % PAGE), n = MIN(size - i, PAGE - at);

		if (p)
			memcpy(bytes + i, p->unset + at, n);
		i += n;
	}
	if (size == 8)
		out.object = shades_object_at(s, address);
	return out;
}

static bool is_any(const struct shade *a)
{
	return a->unset[0] | a->unset[1] | a->unset[2] | a->unset[3];
}

static void shade_store(struct shades *s, uint64_t address, unsigned size,
			const struct shade *value)
{
	const uint8_t *bytes = (const uint8_t *)value->unset;
	bool plain = !is_any(value) && !value->object;

	size = MIN(size, sizeof(value->unset));
	for (unsigned i = 0; i < size; i++) {
		struct page *p =
			plain ? shade_page_at(s, address + i) : make_shade_page(s, address + i);

		if (p) {
			p->unset[(address + i) % PAGE] = bytes[i];
			p->objects[(address + i) % PAGE / 8] = 0;
		}
	}
	if (value->object && size == 8 && address % 8 == 0)
		make_shade_page(s, address)->objects[address % PAGE / 8] = value->object;
}

/* ---- registers ---- */

struct shade shades_register(const struct shades *s, unsigned reg)
{
	struct shade out = { .object = s->objects[reg] };

	memcpy(out.unset, s->state + IR_STATE_GPR + 8 * reg, 8);
	return out;
}

void shades_set_register(struct shades *s, unsigned reg, const struct shade *shade)
{
	memcpy(s->state + IR_STATE_GPR + 8 * reg, shade->unset, 8);
	s->objects[reg] = shade->object;
}

void shades_after_call(struct shades *s)
{
	static const unsigned changed[] = { TRACE_RAX, TRACE_RCX, TRACE_RDX, TRACE_RSI, TRACE_RDI,
					    TRACE_R8,  TRACE_R9,  TRACE_R10, TRACE_R11 };
	const struct shade none = { 0 };

	for (size_t i = 0; i < G_N_ELEMENTS(changed); i++)
		shades_set_register(s, changed[i], &none);
	memset(s->state + IR_STATE_CC_OP, 0, IR_STATE_SIZE - IR_STATE_CC_OP);
}

/* ---- operations ---- */

static uint64_t shade_ones(unsigned width)
{
	return width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}

static struct shade shade_all_unset(unsigned width)
{
	struct shade out = { 0 };

	for (unsigned i = 0; i < 4 && width; i++) {
		out.unset[i] = shade_ones(MIN(width, 64));
		width -= MIN(width, 64);
	}
	return out;
}

static struct shade shade_either(const struct shade *a, const struct shade *b)
{
	struct shade out = { 0 };

	for (unsigned i = 0; i < 4; i++)
		out.unset[i] = a->unset[i] | b->unset[i];
	return out;
}

static struct shade if_any(const struct shade *a, const struct shade *b, unsigned width)
{
	const struct shade u = shade_either(a, b);

	return is_any(&u) ? shade_all_unset(width) : (struct shade){ 0 };
}

/* Carries go from the lowest such bit upwards. */
static struct shade shade_carried(const struct shade *a, const struct shade *b, unsigned width)
{
	struct shade out = { 0 };
	uint64_t u = a->unset[0] | b->unset[0];

	if (width > 64)
		return if_any(a, b, width);
	out.unset[0] = u ? (u | -u) & shade_ones(width) : 0;
	return out;
}

static struct shade shifted_left(const struct shade *a, unsigned by)
{
	struct shade out = { 0 };

	for (unsigned i = by / 64; i < 4; i++) {
		unsigned from = i - by / 64, rest = by % 64;

		out.unset[i] = a->unset[from] << rest;
		if (rest && from)
			out.unset[i] |= a->unset[from - 1] >> (64 - rest);
	}
	return out;
}

static struct shade shifted_right(const struct shade *a, unsigned by)
{
	struct shade out = { 0 };

	for (unsigned i = 0; i + by / 64 < 4; i++) {
		unsigned from = i + by / 64, rest = by % 64;

		out.unset[i] = a->unset[from] >> rest;
		if (rest && from < 3)
			out.unset[i] |= a->unset[from + 1] << (64 - rest);
	}
	return out;
}

static struct shade shade_cut(struct shade a, unsigned width)
{
	const struct shade mask = shade_all_unset(width);

	for (unsigned i = 0; i < 4; i++)
		a.unset[i] &= mask.unset[i];
	return a;
}

static struct shade shade_masked(const struct shade_operand *a, const struct shade_operand *b,
				 bool is_or)
{
	struct shade out = shade_either(a->shade, b->shade);

	if (!a->value->known || !b->value->known)
		return out;
	/* a zero that somebody set makes a zero, whatever the other is; a one in an `or' likewise
	 */
	for (unsigned i = 0; i < 4; i++) {
		uint64_t x = is_or ? ~a->value->w[i] : a->value->w[i],
			 y = is_or ? ~b->value->w[i] : b->value->w[i];

		out.unset[i] &= (x | a->shade->unset[i]) & (y | b->shade->unset[i]);
	}
	return out;
}

/* ---- an instruction ---- */

struct stepping {
	struct shades *s;
	const struct trace_step *step;
	const struct shades_watch *watch;
	struct temp_shade *temps;
};

static struct shade_operand operand_of(const struct stepping *t, int32_t number)
{
	static const struct ir_value unknown = { .known = false };
	static const struct shade none = { 0 };

	if (number < 0)
		return (struct shade_operand){ &none, &unknown, 64 };
	return (struct shade_operand){ t->temps[number].any ? &t->temps[number].shade : &none,
				       &t->step->temps[number], t->step->ir->ops[number].width };
}

static struct shade shade_of_condition(const struct stepping *t, const struct ir_op *op)
{
	struct shade_operand d1 = operand_of(t, op->b), d2 = operand_of(t, op->c);
	const struct ir_value *cc = &t->step->temps[op->a];
	struct flags_op f = flags_decode(cc->known ? cc->w[0] : 0);
	struct shade a, b, out = { 0 };

	if (f.kind == FLAGS_NONE || !f.width)
		f.width = 64;
	a = shade_cut(*d1.shade, f.width);
	b = shade_cut(*d2.shade, f.width);
	d1.shade = &a;
	d2.shade = &b;
	d1.width = d2.width = f.width;
	if (cc->known && shade_condition_is_open((unsigned)op->value, &f, &d1, &d2))
		out.unset[0] = 1;
	return out;
}

/* Are both operands the same register? */
static bool is_same_register(const struct stepping *t, const struct ir_op *op)
{
	const struct ir_op *a = &t->step->ir->ops[op->a], *b = &t->step->ir->ops[op->b];

	return op->a == op->b || (a->kind == IR_GET && b->kind == IR_GET &&
				  a->offset == b->offset && a->width == b->width);
}

/* Is what is added to the pointer an address?  It is when it is larger than the sum. */
static bool is_distance(const struct shade_operand *pointer, const struct shade_operand *other,
			bool subtracts)
{
	uint64_t added = subtracts ? -other->value->w[0] : other->value->w[0];

	return pointer->value->known && other->value->known &&
	       ((int64_t)added < 0 ? -added : added) > pointer->value->w[0] + added;
}

/* A pointer and a number make a pointer; two pointers make a distance, also where it is not known
 * of one of them what it points into. */
static uint32_t object_of_sum(const struct shade_operand *a, const struct shade_operand *b,
			      bool subtracts)
{
	if (a->shade->object && b->shade->object)
		return 0;
	if (a->shade->object)
		return is_distance(a, b, subtracts) ? 0 : a->shade->object;
	return subtracts || !b->shade->object || is_distance(b, a, false) ? 0 : b->shade->object;
}

static struct shade shade_shift(const struct ir_op *op, const struct shade_operand *a,
				const struct shade_operand *b)
{
	uint64_t by = b->value->w[0];
	struct shade out;

	if (is_any(b->shade) || !b->value->known)
		return if_any(a->shade, b->shade, op->width);
	if (op->kind == IR_SHL)
		return by < op->width ? shade_cut(shifted_left(a->shade, (unsigned)by), op->width)
				      : (struct shade){ 0 };
	out = shifted_right(a->shade, (unsigned)MIN(by, 255));
	if (op->kind == IR_ASHR && op->width <= 64 && a->shade->unset[0] >> (op->width - 1) & 1)
		out.unset[0] |= shade_ones(op->width) & ~(shade_ones(op->width) >> MIN(by, 63));
	return out;
}

static struct shade shade_of_choice(const struct ir_op *op, const struct shade_operand *a,
				    const struct shade_operand *b, const struct shade_operand *c)
{
	if (!is_any(c->shade))
		return c->value->known && !(c->value->w[0] & 1) ? *b->shade : *a->shade;
	if (a->value->known && b->value->known &&
	    memcmp(a->value->w, b->value->w, (op->width + 7u) / 8) == 0)
		return shade_either(a->shade, b->shade);
	return shade_all_unset(op->width);
}

static struct shade shade_of_truth(bool open)
{
	return (struct shade){ .unset = { open } };
}

static struct shade of_operator(const struct stepping *t, const struct ir_op *op)
{
	const struct shade_operand a = operand_of(t, op->a), b = operand_of(t, op->b),
				   c = operand_of(t, op->c);
	struct shade out = { 0 };

	switch (op->kind) {
	case IR_ADD:
	case IR_SUB:
		if (op->kind == IR_SUB && is_same_register(t, op))
			return out;
		out = shade_carried(a.shade, b.shade, op->width);
		out.object = object_of_sum(&a, &b, op->kind == IR_SUB);
		return out;
	case IR_MUL:
		return shade_carried(a.shade, b.shade, op->width);
	case IR_NEG:
		return shade_carried(a.shade, a.shade, op->width);
	case IR_AND:
	case IR_OR:
		return shade_masked(&a, &b, op->kind == IR_OR);
	case IR_XOR:
		return is_same_register(t, op) ? out : shade_either(a.shade, b.shade);
	case IR_NOT:
	case IR_ZEXT:
		out = *a.shade;
		out.object = 0;
		return out;
	case IR_SHL:
	case IR_LSHR:
	case IR_ASHR:
		return shade_shift(op, &a, &b);
	case IR_EQ:
		return shade_of_truth(shade_equality_is_open(&a, &b));
	case IR_ULT:
	case IR_ULE:
		return shade_of_truth(a.width <= 64 && shade_order_is_open(&a, &b, false));
	case IR_SLT:
	case IR_SLE:
		return shade_of_truth(a.width <= 64 && shade_order_is_open(&a, &b, true));
	case IR_ITE:
		return shade_of_choice(op, &a, &b, &c);
	case IR_CONCAT:
		out = shifted_left(a.shade, b.width);
		return shade_either(&out, b.shade);
	case IR_EXTRACT:
		return shade_cut(shifted_right(a.shade, (unsigned)op->value), op->width);
	case IR_SEXT:
		out = *a.shade;
		out.object = 0;
		if (op->width <= 64 && out.unset[0] >> (a.width - 1) & 1)
			out.unset[0] |= shade_ones(op->width) & ~shade_ones(a.width);
		return out;
	default:
		return if_any(a.shade, op->b < 0 ? a.shade : b.shade, op->width);
	}
}

static struct shade get_shade(const struct shades *s, const struct ir_op *op)
{
	unsigned bytes = MIN((op->width + 7u) / 8, 32u);
	struct shade out = { 0 };

	if (op->offset + bytes > IR_STATE_SIZE)
		return out;
	memcpy(out.unset, s->state + op->offset, bytes);
	if (op->offset < IR_STATE_GPR + 128 && op->offset % 8 == 0 && op->width == 64)
		out.object = s->objects[op->offset / 8];
	return out;
}

static void put_shade(struct shades *s, const struct ir_op *op, unsigned width,
		      const struct shade *value)
{
	unsigned bytes = MIN((width + 7u) / 8, 32u);

	if (op->offset + bytes > IR_STATE_SIZE)
		return;
	memcpy(s->state + op->offset, value->unset, bytes);
	if (op->offset < IR_STATE_GPR + 128)
		s->objects[op->offset / 8] = op->offset % 8 == 0 && width == 64 ? value->object : 0;
}

static void access_memory(struct stepping *t, const struct ir_op *op, struct shade *out)
{
	const struct shade_operand address = operand_of(t, op->a), value = operand_of(t, op->b);
	bool stores = ir_has(op->kind, IR_HAS_STORE);
	unsigned size = (stores ? value.width : op->width) / 8u;
	uint64_t at = address.value->w[0];

	if (op->c >= 0) {
		const struct shade_operand c = operand_of(t, op->c);

		if (!c.value->known || !(c.value->w[0] & 1)) {
			if (op->kind == IR_LOADG)
				*out = *value.shade;
			return;
		}
	}
	if (!address.value->known || !size)
		return;
	if (!stores)
		*out = load_shade(t->s, at, size);
	t->watch->use(t->watch->arg, stores ? SHADE_STORE : SHADE_LOAD, address.shade, at, size,
		      stores ? NULL : &out->object);
	if (stores)
		shade_store(t->s, at, size, value.shade);
}

/* Whatever the operation is, it makes nothing unset, and no object, of operands without. */
static bool has_shaded_operand(const struct stepping *t, const struct ir_op *op)
{
	return (op->a >= 0 && t->temps[op->a].any) || (op->b >= 0 && t->temps[op->b].any) ||
	       (op->c >= 0 && t->temps[op->c].any);
}

static struct shade shade_of_result(struct stepping *t, const struct ir_op *op, uint32_t number)
{
	struct shade out = { 0 };

	if (op->kind == IR_LOAD || op->kind == IR_LOADG)
		access_memory(t, op, &out);
	else if (op->kind == IR_GET)
		out = get_shade(t->s, op);
	else if (op->kind != IR_CONST && has_shaded_operand(t, op))
		out = op->kind == IR_COND ? shade_of_condition(t, op) : of_operator(t, op);
	if ((op->kind == IR_ADD || op->kind == IR_CONST) && !out.object && op->width == 64)
		out.object = t->watch->object(t->watch->arg, t->step, number);
	return out;
}

static void carry_out(struct stepping *t, uint32_t number)
{
	const struct ir_op *op = &t->step->ir->ops[number];
	struct temp_shade *out = &t->temps[number];
	struct shade_operand a;

	out->any = false;
	switch (op->kind) {
	case IR_UNKNOWN:
		break;
	case IR_PUT:
		a = operand_of(t, op->a);
		put_shade(t->s, op, a.width, a.shade);
		break;
	case IR_STORE:
	case IR_STOREG:
		access_memory(t, op, NULL);
		break;
	case IR_EXIT:
	case IR_NEXT:
		a = operand_of(t, op->a);
		if (is_any(a.shade))
			t->watch->use(t->watch->arg,
				      op->kind == IR_EXIT ? SHADE_BRANCH : SHADE_TARGET, a.shade, 0,
				      0, NULL);
		break;
	default:
		out->shade = shade_of_result(t, op, number);
		out->any = is_any(&out->shade) || out->shade.object;
	}
}

/* What the operations do not tell is set. */
static void set_outputs(struct shades *s, const struct trace_step *step, const uint64_t regs[16],
			uint64_t fs_base, uint64_t gs_base)
{
	const struct shade none = { 0 };

	for (unsigned r = 0; r < 16; r++) {
		if (step->insn->out_gpr >> r & 1)
			shades_set_register(s, r, &none);
		if (step->insn->out_vec >> r & 1)
			memset(s->state + IR_STATE_YMM + 32 * r, 0, 32);
	}
	if (step->insn->out_flags)
		memset(s->state + IR_STATE_CC_OP, 0, IR_STATE_DFLAG - IR_STATE_CC_OP);
	for (unsigned i = 0; i < step->insn->n_mem; i++)
		if (step->insn->mem[i].flags & TRACE_MEM_WRITE)
			shades_set(s,
				   insn_address(&step->insn->mem[i], regs, step->module->bias,
						fs_base, gs_base),
				   step->insn->mem[i].size);
}

void shades_step(struct shades *s, const struct trace_step *step, const uint64_t regs[16],
		 uint64_t fs_base, uint64_t gs_base, const struct shades_watch *watch)
{
	struct stepping t = { s, step, watch, NULL };

	if (s->temps->len < step->ir->n_ops)
		g_array_set_size(s->temps, step->ir->n_ops);
	t.temps = (struct temp_shade *)s->temps->data;
	for (uint32_t i = 0; i < step->n_ran; i++)
		carry_out(&t, i);
	if (!step->ir->complete)
		set_outputs(s, step, regs, fs_base, gs_base);
}
