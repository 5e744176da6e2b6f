/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/cause/cause-reading.h"

#include "solver/base/machine.h"

bool reading_makes_block(const struct library_function *f)
{
	return f->block == LIBRARY_SIZED && !f->at && !f->frees;
}

bool reading_copies_text(const struct library_function *f)
{
	return f->block == LIBRARY_STRING && !f->size;
}

static bool brings_values(const struct library_function *f)
{
	return f && (f->input || reading_makes_block(f) || reading_copies_text(f));
}

static bool may_write_anything(const struct library_function *f)
{
	return !f || f->at || !(f->writes || f->block || f->keeps_memory || f->model || f->fails);
}

struct cause_origins *cause_origins_new(const struct trace_point *m)
{
	struct cause_origins *o = g_new0(struct cause_origins, 1);
	const struct image *im = trace_point_image(m);
	const struct trace_insn *insns;
	size_t n = image_insns(im, &insns);

	o->pcs = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	o->called = g_ptr_array_new();
	o->others = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	o->members = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	for (size_t i = 0; i < n; i++) {
		uint64_t pc = insns[i].addr + trace_point_frame(m)->bias;
		const char *name = insns[i].flow == TRACE_FLOW_CALL
					   ? image_native_name(im, insns[i].target)
					   : NULL;
		const struct library_function *f = library_find(name);

		if (name && !image_function_at(im, insns[i].target) && cause_may_fill_object(name))
			g_array_append_val(o->members, pc);
		if (brings_values(f)) {
			g_array_append_val(o->pcs, pc);
			g_ptr_array_add(o->called, (gpointer)f);
		} else if (insns[i].flow == TRACE_FLOW_CALL_IND ||
			   (name && may_write_anything(f))) {
			g_array_append_val(o->others, pc);
		}
	}
	return o;
}

void cause_origins_free(struct cause_origins *o)
{
	if (!o)
		return;
	g_array_unref(o->pcs);
	g_ptr_array_unref(o->called);
	g_array_unref(o->others);
	g_array_unref(o->members);
	g_free(o);
}

bool cause_reading_before(struct finder *f, uint64_t step, struct reading *out)
{
	const struct cause_origins *o = f->origins;
	struct reverse_index_step at;
	uint64_t pc;

	if (!o->pcs->len)
		return false;
	out->step = reverse_index_find_insn(
		f->index, 0, step, (const uint64_t *)(const void *)o->pcs->data, o->pcs->len);
	if (out->step == UINT64_MAX)
		return false;
	at = *reverse_index_at(f->index, out->step);
	pc = reverse_index_insn_of(f->index, &at)->pc;
	out->result = at.value;
	for (guint i = 0; i < o->pcs->len; i++)
		if (g_array_index(o->pcs, uint64_t, i) == pc)
			out->called = o->called->pdata[i];
	for (unsigned i = 1; i <= 6; i++)
		out->known[i] = library_argument(f->index, out->step, i, &out->argument[i]);
	return out->called != NULL;
}

bool cause_is_result(const struct known_cause *k)
{
	return k->step != UINT64_MAX && !k->place.memory &&
	       (k->place.reg == TRACE_RAX || k->place.reg == TRACE_XMM0);
}

bool cause_is_result_of_plumbing(struct finder *f, const struct known_cause *k)
{
	struct reverse_index_place at = { true, 0, 0, 8, 0 };

	if (!cause_is_result(k))
		return false;
	at.address = reverse_index_at(f->index, k->step)->value;
	return at.address >= LOWEST_MAPPED_ADDRESS && cause_is_plumbing(f, k->step + 1, &at);
}

uint64_t cause_last_call_of(struct finder *f, const GArray *pcs, uint64_t before)
{
	return pcs->len ? reverse_index_find_insn(f->index, 0, before,
						  (const uint64_t *)(const void *)pcs->data,
						  pcs->len)
			: UINT64_MAX;
}
