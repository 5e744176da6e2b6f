/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/image/variable/variable.h"
#include "solver/trace/acted.h"
#include "solver/trace/private.h"

#include "solver/base/hash.h"
#include "solver/isa/insn.h"

#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>

/* ---- state ---- */

static uint64_t word_of_state(const struct eval_state *s, unsigned offset)
{
	uint64_t word;

	memcpy(&word, s->bytes + offset, sizeof(word));
	return word;
}

uint64_t cursor_word(const struct trace_cursor *c, unsigned offset)
{
	return word_of_state(&c->state, offset);
}

void cursor_set_word(struct trace_cursor *c, unsigned offset, uint64_t value)
{
	memcpy(c->state.bytes + offset, &value, sizeof(value));
	memset(c->state.known + offset, 0xff, sizeof(value));
}

enum { FLAG_D = 1 << CURSOR_BIT_D, FLAG_AC = 1 << CURSOR_BIT_AC, FLAG_ID = 1 << CURSOR_BIT_ID };

void cursor_set_rflags(struct trace_cursor *c, uint64_t rflags)
{
	cursor_set_word(c, IR_STATE_CC_OP, IR_CC_OP_COPY);
	cursor_set_word(c, IR_STATE_CC_DEP1, rflags & CURSOR_FLAGS_OSZACP);
	cursor_set_word(c, IR_STATE_CC_DEP2, 0);
	cursor_set_word(c, IR_STATE_CC_NDEP, 0);
	cursor_set_word(c, IR_STATE_DFLAG, rflags & FLAG_D ? ~UINT64_C(0) : 1);
	cursor_set_word(c, IR_STATE_ACFLAG, !!(rflags & FLAG_AC));
	cursor_set_word(c, IR_STATE_IDFLAG, !!(rflags & FLAG_ID));
}

uint64_t cursor_rflags_of(const struct eval_state *s)
{
	uint64_t flags =
		lift_flags(word_of_state(s, IR_STATE_CC_OP), word_of_state(s, IR_STATE_CC_DEP1),
			   word_of_state(s, IR_STATE_CC_DEP2), word_of_state(s, IR_STATE_CC_NDEP));

	if (word_of_state(s, IR_STATE_DFLAG) != 1)
		flags |= FLAG_D;
	if (word_of_state(s, IR_STATE_ACFLAG))
		flags |= FLAG_AC;
	if (word_of_state(s, IR_STATE_IDFLAG))
		flags |= FLAG_ID;
	return flags | 2;
}

uint64_t trace_cursor_reg(const struct trace_cursor *c, enum trace_reg reg)
{
	if (reg < TRACE_RFLAGS)
		return cursor_word(c, IR_STATE_GPR + 8u * reg);
	if (reg == TRACE_RFLAGS)
		return cursor_rflags_of(&c->state);
	return reg < TRACE_XMM0 + 16 ? cursor_word(c, IR_STATE_YMM + 32u * (reg - TRACE_XMM0)) : 0;
}

uint64_t trace_cursor_pc(const struct trace_cursor *c)
{
	return c->pc;
}

uint64_t trace_cursor_number(const struct trace_cursor *c)
{
	return c->number;
}

const uint8_t *trace_cursor_state(const struct trace_cursor *c)
{
	return c->state.bytes;
}

bool trace_cursor_state_known(const struct trace_cursor *c, unsigned offset, unsigned size)
{
	for (unsigned i = 0; i < size; i++) {
		if (offset + i >= IR_STATE_SIZE || !c->state.known[offset + i])
			return false;
	}
	return true;
}

bool trace_cursor_read(const struct trace_cursor *c, uint64_t addr, size_t size, uint8_t *out)
{
	return shadow_read(c->shadow, addr, size, out);
}

bool trace_cursor_read_initial(const struct trace_cursor *c, const struct trace_module *module,
			       uint64_t addr, size_t size, uint8_t *out)
{
	bool writable;

	if (trace_cursor_read(c, addr, size, out))
		return true;
	for (size_t i = 0; i < size; i++)
		if (!trace_cursor_read(c, addr + i, 1, out + i) &&
		    !(module && image_initial(module->image, addr + i - module->bias, 1, out + i,
					      &writable)) &&
		    !trace_run_started_with(c->run, addr + i, out + i))
			return false;
	return true;
}

static bool frame_read(void *arg, uint64_t address, unsigned size, uint64_t *value)
{
	const struct trace_cursor *c = arg;

	*value = 0;
	return size <= 8 && shadow_read(c->shadow, address, size, (uint8_t *)value);
}

struct image_frame trace_cursor_frame(const struct trace_cursor *c)
{
	uint64_t pc = c->pc ? c->pc : c->last.pc;
	struct image_frame frame = { .pc = pc, .read = frame_read, .arg = (void *)c };
	const struct trace_module *m = trace_run_module_at(c->run, pc, &frame.pc);

	frame.bias = m ? m->bias : 0;
	for (unsigned i = 0; i < 17; i++)
		frame.regs[i] = trace_cursor_reg(c, (enum trace_reg)i);
	return frame;
}

/* ---- the stream ---- */

const uint8_t *cursor_take(struct trace_cursor *c, size_t size)
{
	const uint8_t *from = c->thread->stream + c->at;

	if (size > c->thread->head->length - c->at)
		return NULL;
	c->at += size;
	return from;
}

/* The stream begins, behind its struct trace_enter. */
static bool begin_mirror(struct trace_cursor *c)
{
	const struct trace_thread *t = c->thread;
	const uint8_t *at = t->stream + c->at;

	if (c->number >= t->mirrors_until)
		return true;
	c->mirror = mirror_new();
	if (!mirror_take_next(c->mirror, c->number, &at, t->stream + t->head->length))
		return false;
	c->at = (size_t)(at - t->stream);
	return true;
}

void cursor_change_mirror(struct trace_cursor *c)
{
	if (c->mirror && c->number >= c->thread->mirrors_until)
		g_clear_pointer(&c->mirror, mirror_free);
	else if (c->mirror)
		mirror_own(&c->mirror);
}

int cursor_fail(struct trace_cursor *c, GError **error, const char *format, ...)
{
	va_list args;
	g_autofree char *why = NULL;

	va_start(args, format);
	why = g_strdup_vprintf(format, args);
	va_end(args);
	g_clear_error(&c->broken);
	g_set_error(&c->broken, TRACE_ERROR, TRACE_ERROR_FORMAT,
		    "The record in '%s' is damaged: at instruction %" G_GUINT64_FORMAT
		    " of thread %u, %s; record the run again.",
		    c->run->directory, c->number, c->thread->head->thread, why);
	if (error)
		*error = g_error_copy(c->broken);
	return -1;
}

void trace_cursor_ignore_deadline(struct trace_cursor *c)
{
	c->ignores_deadline = true;
}

/* What was read of a long record takes no memory any more.  Where a copy of the cursor is behind,
 * it is read from the file again. */
static void give_back_record(struct trace_cursor *c)
{
	enum { AT_ONCE = 16 << 20 };
	const size_t passed = c->at / AT_ONCE * AT_ONCE;

	if (passed <= c->given_back || !c->thread->file)
		return;
	madvise(g_mapped_file_get_contents(c->thread->file) + c->given_back, passed - c->given_back,
		MADV_DONTNEED);
	c->given_back = passed;
}

bool cursor_may_go_on(struct trace_cursor *c, GError **error)
{
	enum { STEPS_BETWEEN_LOOKS = 1024 };

	if (c->ignores_deadline || ++c->looks % STEPS_BETWEEN_LOOKS)
		return true;
	give_back_record(c);
	return deadline_check(c->run->until, error);
}

/* ---- memory, as the evaluator sees it ---- */

static bool on_cursor_load(struct eval_memory *m, uint64_t address, unsigned size, uint8_t *out)
{
	struct trace_cursor *c = (struct trace_cursor *)m;

	if (c->check)
		check_load(c, address, size);
	return shadow_read(c->shadow, address, size, out);
}

static void on_cursor_store(struct eval_memory *m, uint64_t address, unsigned size,
			    const uint8_t *bytes, bool known)
{
	struct trace_cursor *c = (struct trace_cursor *)m;

	if (c->check)
		check_store(c, address, size);
	shadow_write(c->shadow, address, size, bytes, known);
}

/* ---- instructions ---- */

static bool is_exact(const struct ir_block *ir)
{
	for (uint32_t i = 0; i < ir->n_ops; i++) {
		if (ir->ops[i].kind == IR_FP)
			return false;
	}
	return ir->complete;
}

static bool decode_at_cursor(struct trace_cursor *c, uint64_t pc, struct trace_decoded *d)
{
	for (unsigned i = 0; i < c->run->n_modules; i++) {
		const struct trace_module *m = &c->run->modules[i];
		const struct trace_insn *insn = image_insn_at(m->image, pc - m->bias);
		size_t avail;
		const uint8_t *bytes = insn ? image_bytes(m->image, insn->addr, &avail) : NULL;
		if (!bytes || avail < insn->length)
			continue;
		d->pc = pc;
		d->image = m->image;
		d->bias = m->bias;
		d->number = i;
		d->module = m;
		d->insn = insn;
		d->ir = lift_insn(c->lift, pc, bytes, insn->length);
		d->exact = is_exact(d->ir);
		return true;
	}
	return false;
}

/* The cursor of another run may have met it.  Does this run have the same code there? */
static bool is_known_here(const struct trace_cursor *c, struct trace_decoded *d)
{
	const struct trace_module *m = &c->run->modules[d->number];

	if (d->number >= c->run->n_modules || m->image != d->image || m->bias != d->bias)
		return false;
	d->module = m;
	return true;
}

const struct trace_decoded *cursor_decode(struct trace_cursor *c, uint64_t pc)
{
	struct trace_decoded *d = &c->decoded[(pc ^ pc >> 13) % DECODED_SLOTS];

	if (d->pc == pc && pc && is_known_here(c, d))
		return d;
	return decode_at_cursor(c, pc, d) ? d : NULL;
}

void trace_cursor_share(struct trace_cursor *c, const struct trace_cursor *with)
{
	struct trace_decoded *own = c->decoded;

	c->decoded = g_rc_box_acquire(with->decoded);
	g_rc_box_release(own);
}

/* ---- life ---- */

/* More is recorded than was asked for.  The walk starts at what was asked for, and knows no
 * memory there. */
static void skip_to_wanted(struct trace_cursor *c, uint64_t left_out)
{
	struct trace_step step;

	while (c->number < left_out && trace_cursor_step(c, &step, NULL) > 0)
		;
	shadow_free(c->shadow);
	c->shadow = shadow_new();
}

/* All 0.  Its state is aligned more than what malloc gives. */
static struct trace_cursor *alloc_cursor(void)
{
	return g_aligned_alloc0(1, sizeof(struct trace_cursor), _Alignof(struct trace_cursor));
}

struct trace_cursor *trace_cursor_new(struct trace_run *r, unsigned thread, struct lift *lift)
{
	struct trace_cursor *c = alloc_cursor();
	struct trace_enter enter;

	c->memory = (struct eval_memory){ on_cursor_load, on_cursor_store };
	c->run = r;
	c->thread = trace_run_thread(r, thread);
	c->end = thread == r->chosen ? r->end : 0;
	c->lift = lift;
	c->shadow = shadow_new();
	c->names = g_hash_table_new_full(hash_u64, g_int64_equal, g_free, NULL);
	c->decoded = g_rc_box_alloc0(DECODED_SLOTS * sizeof(struct trace_decoded));
	c->n_temps = 256;
	c->temps = g_new(struct ir_value, c->n_temps);
	c->later = g_array_new(FALSE, FALSE, sizeof(struct trace_later));
	memset(c->state.known, 0xff, IR_STATE_YMM);
	cursor_set_rflags(c, 0);
	cursor_set_word(c, IR_STATE_FS, c->thread->head->fs_base);
	cursor_set_word(c, IR_STATE_GS, c->thread->head->gs_base);
	c->last.exit_kind = TRACE_EXIT_CUT;
	if (c->thread->head->length == 0)
		return c;
	c->number = c->thread->head->first_insns;
	c->n_async = c->thread->head->first_async;
	if (cursor_enter(c, &enter, NULL)) {
		c->pc = enter.rip;
		cursor_set_word(c, IR_STATE_RIP, c->pc);
		if (!begin_mirror(c))
			cursor_fail(c, NULL, "it ends within an entry");
		cursor_signal(c);
		if (trace_run_left_out(r, thread) > c->number)
			skip_to_wanted(c, trace_run_left_out(r, thread));
	}
	return c;
}

void trace_cursor_free(struct trace_cursor *c)
{
	if (!c)
		return;
	shadow_free(c->shadow);
	mirror_free(c->mirror);
	g_hash_table_unref(c->names);
	g_clear_error(&c->broken);
	g_free(c->now.complaint);
	g_free(c->temps);
	g_rc_box_release(c->decoded);
	g_array_unref(c->later);
	g_free(c->met);
	g_free(c->acted);
	g_aligned_free(c);
}

struct trace_cursor *trace_cursor_copy(const struct trace_cursor *c)
{
	struct trace_cursor *copy = alloc_cursor();

	*copy = *c;
	copy->shadow = shadow_copy(c->shadow);
	copy->mirror = c->mirror ? mirror_share(c->mirror) : NULL;
	g_rc_box_acquire(c->decoded);
	copy->names = g_hash_table_ref(c->names);
	copy->broken = c->broken ? g_error_copy(c->broken) : NULL;
	copy->temps = g_new(struct ir_value, c->n_temps);
	copy->later = g_array_copy(c->later);
	copy->met = g_memdup2(c->met, (c->n_actions + 1) * sizeof *c->met);
	copy->acted = g_memdup2(c->acted, (c->n_actions + 1) * sizeof(*c->acted));
	copy->now.step = NULL;
	copy->now.complaint = NULL;
	return copy;
}

uint64_t trace_cursor_copied(const struct trace_cursor *c)
{
	return shadow_copied(c->shadow);
}

void trace_cursor_set_check(struct trace_cursor *c, bool on)
{
	c->check = on;
}

void trace_cursor_set_actions(struct trace_cursor *c, const struct trace_action *actions,
			      size_t n_actions)
{
	g_free(c->met);
	g_free(c->acted);
	c->actions = actions;
	c->n_actions = n_actions;
	c->met = g_new0(uint64_t, n_actions + 1);
	c->acted = g_new0(const struct trace_action *, n_actions + 1);
}

const struct trace_action *const *trace_cursor_acted(const struct trace_cursor *c, size_t *n)
{
	*n = c->n_acted;
	return c->acted;
}
