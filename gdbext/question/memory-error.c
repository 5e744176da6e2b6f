/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/question/memory-error-private.h"
#include "gdbext/question/ending.h"
#include "gdbext/question/failure.h"
#include "solver/formula/requirement/requirement-check.h"
#include "solver/formula/requirement/requirement-condition.h"
#include "solver/library/library.h"

#include <string.h>

void memory_error_free(struct memory_error *m)
{
	if (!m)
		return;
	stop_clear(&m->stop);
	trace_point_free(m->call);
	trace_run_free(m->run);
	g_free(m->sentence);
	g_free(m);
}

/* ---- a run ---- */

/* keep: gets the run, whose modules the finding points to; NULL = they are not needed. */
static bool find_memory_error(const struct question *q, const char *record,
			      const struct run_request *request, struct memory_finding *finding,
			      struct trace_run **keep, GError **error)
{
	const struct run_source *s = &q->run;
	bool has_other_code = request && request->images;
	struct trace_run *run = trace_run_open(record, has_other_code ? request->images : s->images,
					       s->n_images, error);
	const struct memory_options options = {
		.actions = request && !has_other_code ? request->actions : NULL,
		.n_actions = request && !has_other_code ? request->n_actions : 0,
		.reported =
			request || !q->memory ? (struct memory_reported){ 0 } : q->memory->reported,
		.accesses_only = !q->o->memory,
	};
	bool ok = run && trace_run_choose(run, s->failing.thread, error);

	*finding = (struct memory_finding){ 0 };
	if (ok && (q->o->memory || trace_run_head(run, s->failing.thread)->insns <=
					   q->o->limits.memory_instructions)) {
		trace_run_end_at(run, &q->until);
		ok = memory_check(run, &options, finding, error);
	}
	if (keep)
		*keep = run;
	else
		trace_run_free(run);
	return ok;
}

/* Does the test pass, or end with the status that it had, without an invalid access until then? */
static bool passes_valid(void *arg, const struct run_result *result,
			 const struct run_request *request)
{
	const struct memory_error *m = arg;
	const struct replay_failing *f = &m->q->run.failing;
	/* the status of a report is no good end */
	bool as_before = f->end == RUN_STATUS && result->end == RUN_STATUS &&
			 result->status == f->status && !m->reported.address;
	struct memory_finding finding;

	return (result->end == RUN_PASSED || as_before) &&
	       find_memory_error(m->q, result->record, request, &finding, NULL, NULL) &&
	       finding.kind == MEMORY_FINE;
}

/* Is the first file's text what the second one begins with; with nothing behind it when exactly? */
static bool is_beginning(const char *path, const char *of, bool exactly)
{
	g_autofree char *text = NULL, *other = NULL;
	gsize n = 0, n_other = 0;

	return g_file_get_contents(path, &text, &n, NULL) &&
	       g_file_get_contents(of, &other, &n_other, NULL) &&
	       (exactly ? n == n_other : n <= n_other) && memcmp(text, other, n) == 0;
}

static enum memory_error_run how_it_went(const struct question *q, const struct run_result *result,
					 const struct run_request *request)
{
	const struct replay_failing *f = &q->run.failing;
	g_autofree char *out = g_build_filename(result->record, "out", NULL);

	if (!passes_valid(q->memory, result, request))
		return MEMORY_ERROR_STAYS;
	return is_beginning(f->out, out, f->end != RUN_SIGNAL) ? MEMORY_ERROR_SAME
							       : MEMORY_ERROR_MENDED;
}

static enum memory_error_run run_with_request(const struct question *q,
					      const struct run_request *request)
{
	struct runner *runner = q->run.runner;
	struct run_result result = { 0 };
	enum memory_error_run went = MEMORY_ERROR_STAYS;

	if (runner && runner->run(runner, request, &result, NULL))
		went = how_it_went(q, &result, request);
	run_result_clear(&result);
	return went;
}

static uint64_t changed_run_insns(const struct question *q)
{
	const struct limits *l = &q->o->limits;
	const struct replay_failing *f = &q->run.failing;

	return l->memory_changed_times * replay_insns(f, f->thread) + l->memory_changed_least;
}

enum memory_error_run memory_error_run_with(const struct question *q,
					    const struct trace_action *actions, size_t n)
{
	const struct run_source *s = &q->run;
	g_autofree struct image **images = g_memdup2(s->images, s->n_images * sizeof *images);
	struct run_request request = {
		.actions = actions,
		.n_actions = n,
		.record = true,
		.max_insns = changed_run_insns(q),
	};
	enum memory_error_run went = MEMORY_ERROR_STAYS;

	if (actions[0].kind != TRACE_ACTION_CODE)
		return run_with_request(q, &request);
	request.images = images;
	images[0] = image_changed(s->images[0], actions, n);
	if (images[0])
		went = run_with_request(q, &request);
	image_changed_free(images[0]);
	return went;
}

static enum requirement_check_here no_check_at(void *arg, const struct run_walker *l,
					       char **condition)
{
	(void)arg, (void)l;
	*condition = NULL;
	return REQUIREMENT_NO_CHECK;
}

/* ---- the requirement ---- */

static const char *const names[] = { "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
				     "r8",  "r9",  "r10", "r11", "r12", "r13", "r14", "r15" };

/* The address of the operand, in C with registers. */
static char *address_of_access(const struct memory_finding *f)
{
	const struct trace_mem *m = &f->insn->mem[f->operand];
	GString *out = g_string_new(NULL);

	g_string_append_printf(out, "%" G_GUINT64_FORMAT "ul",
			       (uint64_t)m->disp +
				       (m->flags & TRACE_MEM_RIP ? f->module->bias : 0));
	if (m->base < 16)
		g_string_append_printf(out, " + (unsigned long)$%s", names[m->base]);
	if (m->index < 16)
		g_string_append_printf(out, " + (unsigned long)$%s * %uul", names[m->index],
				       m->scale);
	return g_string_free(out, FALSE);
}

/* The condition under which the access would have been valid; NULL = it is only known that the
 * run should not come there. */
static char *condition_of_access(const struct memory_finding *f)
{
	const struct memory_object *o = &f->object;
	g_autofree char *address = f->operand >= 0 && f->insn ? address_of_access(f) : NULL;

	if (f->kind == MEMORY_OUTSIDE && address && o->hi - o->lo >= f->size)
		return g_strdup_printf("%s >= %" G_GUINT64_FORMAT "ul && %s <= %" G_GUINT64_FORMAT
				       "ul",
				       address, o->lo, address, o->hi - f->size);
	if (f->kind == MEMORY_AFTER_FREE && address)
		return g_strdup_printf("%s < %" G_GUINT64_FORMAT "ul || %s >= %" G_GUINT64_FORMAT
				       "ul",
				       address, o->lo, address, o->hi);
	if (f->kind == MEMORY_NOT_A_BLOCK && f->has_object && o->is_block && !o->is_freed)
		return g_strdup_printf("(unsigned long)$rdi == %" G_GUINT64_FORMAT "ul", o->lo);
	if (f->kind == MEMORY_FREED_TWICE || f->kind == MEMORY_NOT_A_BLOCK)
		return g_strdup_printf("(unsigned long)$rdi != %" G_GUINT64_FORMAT "ul",
				       f->address);
	return NULL;
}

/* The condition under which the block would have been large enough.  NULL = another size does
 * not help, or it is not known how the size was given. */
static char *size_condition(const struct memory_finding *f)
{
	static const char *const registers[] = { "rdi", "rsi", "rdx", "rcx" };
	const struct memory_object *o = &f->object;
	const struct library_function *by = library_find(o->made.by);
	uint64_t needed = f->start + f->size - o->lo;
	g_autofree char *size = NULL;

	if (f->kind != MEMORY_OUTSIDE || !f->at.by || !o->is_block || f->start < o->lo || !by ||
	    by->block != LIBRARY_SIZED || by->at)
		return NULL;
	size = by->count ? g_strdup_printf("(unsigned long)$%s * (unsigned long)$%s",
					   registers[by->size - 1], registers[by->count - 1])
			 : g_strdup_printf("(unsigned long)$%s", registers[by->size - 1]);
	/* no more than twice of what is needed, which no allocation refuses */
	return g_strdup_printf("%s >= %" G_GUINT64_FORMAT "ul && %s <= %" G_GUINT64_FORMAT "ul",
			       size, needed, size, 2 * needed + 4096);
}

/* The image with the code at a runtime address, and the link-time one; NULL = none has. */
static struct image *image_with(const struct question *q, uint64_t pc, unsigned *number,
				uint64_t *link)
{
	for (unsigned i = 0; i < q->run.n_images; i++) {
		struct image *im = q->run.images[i];
		uint64_t bias;

		*number = i;
		if (trace_point_bias_of(q->point, im, &bias) && image_insn_at(im, pc - bias)) {
			*link = pc - bias;
			return im;
		}
	}
	return NULL;
}

/* A size that is the needed one without its upper bits. */
static const char *cut_to(uint64_t size, uint64_t needed)
{
	return size == (uint8_t)needed	  ? ", which is cut to 8 bits"
	       : size == (uint16_t)needed ? ", which is cut to 16 bits"
	       : size == (uint32_t)needed ? ", which is cut to 32 bits"
					  : "";
}

/* The call of malloc or realloc that made the block, which is too small.  *module, *before: of the
 * instruction in front of the call. */
static bool size_argument(const struct question *q, struct memory_size_argument *out,
			  unsigned *module, uint64_t *before)
{
	static const uint16_t registers[] = { TRACE_RDI, TRACE_RSI, TRACE_RDX, TRACE_RCX };
	const struct memory_finding *f = &q->memory->finding;
	const struct memory_object *o = &f->object;
	const struct library_function *by = o->made.by ? library_find(o->made.by) : NULL;
	const struct trace_insn *insn;
	const struct image *im;

	if (f->kind != MEMORY_OUTSIDE || !f->has_object || !o->is_block || f->start < o->lo ||
	    !by || by->block != LIBRARY_SIZED || by->at || by->count)
		return false;
	im = image_with(q, o->made.before, module, before);
	insn = im ? image_insn_at(im, *before) : NULL;
	*out = (struct memory_size_argument){
		memory_error_statement_at(q, &o->made.frames[0]),
		insn ? image_insn_at(im, insn->addr + insn->length) : NULL,
		o->made.by,
		registers[by->size - 1],
	};
	return out->line && insn;
}

bool memory_error_size_argument(const struct question *q, struct memory_size_argument *out)
{
	unsigned module = 0;
	uint64_t before;

	return size_argument(q, out, &module, &before) && !module && out->call &&
	       out->call->flow == TRACE_FLOW_CALL;
}

const struct image_statement *memory_error_larger_block(const struct question *q, unsigned times,
							struct trace_action *action, char **words)
{
	const struct memory_finding *f = &q->memory->finding;
	const struct memory_object *o = &f->object;
	uint64_t size = o->hi - o->lo, least = f->start + f->size - o->lo;
	uint64_t needed = times ? times * size : least;
	struct trace_action a = { .kind = TRACE_ACTION_REG, .size = 8, .nth = o->made.before_nth };
	struct memory_size_argument at;
	unsigned module = 0;

	if (!size_argument(q, &at, &module, &a.addr) || needed > q->o->limits.memory_block ||
	    needed < least)
		return NULL;
	a.module = module;
	a.thread = q->run.failing.thread;
	a.reg = (uint16_t)at.reg;
	memcpy(a.value, &needed, sizeof needed);
	*action = a;
	*words = g_strdup_printf("%" G_GUINT64_FORMAT " for %" G_GUINT64_FORMAT
				 " as the size for %s%s",
				 needed, size, at.callee, cut_to(size, needed));
	return at.line;
}

bool memory_error_frees_at(const struct question *q, uint64_t addr)
{
	const struct memory_finding *f = &q->memory->finding;
	const struct memory_point *gone =
		f->has_object && f->object.is_freed ? &f->object.gone : NULL;
	unsigned number;
	uint64_t link;

	if (gone && image_with(q, gone->frames[0].pc, &number, &link) && !number && link == addr)
		return true;
	return f->kind == MEMORY_FREED_TWICE && f->insn && f->insn->addr == addr;
}

static bool stop_at_memory_error(struct stop *stop, const struct question *q,
				 const struct memory_point *at)
{
	unsigned number;
	uint64_t link;
	const struct image *im = image_with(q, at->frames[0].pc, &number, &link);

	if (!im)
		return false;
	stop_clear(stop);
	*stop = (struct stop){ .image = im,
			       .places = g_array_new(FALSE, FALSE, sizeof(uint64_t)),
			       .count = at->nth,
			       .text = g_strdup("the call for the block") };
	g_array_append_val(stop->places, link);
	return true;
}

static struct trace_point *point_at(const struct question *q, const struct stop *stop,
				    struct reverse_index *index, GError **error)
{
	const struct run_source *run = &q->run;

	return trace_point_new_at(run->images, run->n_images, run->failing.record,
				  run->failing.thread, stop, 0, index, &q->until, error);
}

static bool go_to_access(struct question *q, struct memory_error *m, GError **error)
{
	const struct memory_finding *f = &m->finding;

	m->stop = (struct stop){ .image = f->module->image,
				 .places = g_array_new(FALSE, FALSE, sizeof(uint64_t)),
				 .count = f->at.nth,
				 .text = g_strdup("the access") };
	g_array_append_val(m->stop.places, f->insn->addr);
	q->index = reverse_index_new(&q->o->limits);
	q->point = point_at(q, &m->stop, q->index, error);
	return q->point != NULL;
}

static struct requirement *require_valid_access(const struct question *q,
						const struct memory_error *m, const char *condition,
						GError **error)
{
	bool holds;

	return requirement_new_condition(q->run.images, q->run.n_images, q->run.failing.thread,
					 m->call ? m->call : q->point, &m->stop, condition, &holds,
					 error);
}

/* NULL with error.  Where neither the place nor the size could have been another one, the run
 * should not have come there. */
static struct requirement *condition_required(const struct question *q, struct memory_error *m,
					      GError **error)
{
	g_autofree char *condition = condition_of_access(&m->finding);
	g_autofree char *size = condition ? NULL : size_condition(&m->finding);
	struct requirement *r = NULL;

	if (size && stop_at_memory_error(&m->stop, q, &m->finding.object.made)) {
		m->call = point_at(q, &m->stop, NULL, error);
		return m->call ? require_valid_access(q, m, size, error) : NULL;
	}
	if (condition)
		r = require_valid_access(q, m, condition, NULL);
	return r ? r : require_valid_access(q, m, "0", error);
}

static bool set_requirement(struct question *q, struct memory_error *m,
			    struct requirement *condition)
{
	const struct requirement_end end = failure_end(&q->run.failing);
	struct requirement_check_options r = { .condition = condition,
					       .may_stay_away = true,
					       .judge = passes_valid,
					       .check_at = no_check_at,
					       .arg = m,
					       .kind = "memory",
					       .wanted = "this access is valid" };

	if (!condition)
		return false;
	g_free(m->sentence);
	m->sentence = memory_error_sentence(&m->finding);
	r.sentence = m->sentence;
	q->requirement = requirement_new_check(&end, &r);
	return true;
}

static bool require_memory_condition(struct question *q, struct memory_error *m, GError **error)
{
	return set_requirement(q, m, condition_required(q, m, error));
}

/* Can the record tell what is invalid?  Without --memory only a crash is explained in this way,
 * and only by what is certainly wrong. */
static bool may_be_looked_at(const struct question *q, struct memory_reported *reported)
{
	const struct replay_failing *f = &q->run.failing;
	uint64_t size, insns;

	if (!replay_is_whole(f, &size, &insns) || f->end == RUN_TIMEOUT || f->end == RUN_LIMIT)
		return false;
	if ((f->end == RUN_STATUS || f->end == RUN_SIGNAL) && f->err &&
	    sanitizer_report_access(f->err, reported))
		return true;
	return q->o->memory || (f->end == RUN_SIGNAL && !q->overflow);
}

int memory_error_require(struct question *q, bool *found, GError **error)
{
	struct memory_reported reported = { 0 };
	struct memory_error *m;

	*found = false;
	if (!may_be_looked_at(q, &reported))
		return 0;
	m = q->memory = g_new0(struct memory_error, 1);
	m->q = q;
	m->reported = reported;
	if (!find_memory_error(q, q->run.failing.record, NULL, &m->finding, &m->run, error))
		return ending_status(*error);
	*found = m->finding.kind != MEMORY_FINE && m->finding.insn;
	if (!*found) {
		g_clear_pointer(&q->memory, memory_error_free);
		return 0;
	}
	question_forget_requirement(q);
	return go_to_access(q, m, error) && require_memory_condition(q, m, error)
		       ? 0
		       : ending_status(*error);
}

void memory_error_note_other(struct question *q)
{
	const struct replay_failing *f = &q->run.failing;
	uint64_t size, insns;
	struct memory_finding finding;
	struct trace_run *run = NULL;

	if (!q->memory && !q->overflow && !q->o->of_suite && replay_is_whole(f, &size, &insns) &&
	    replay_insns(f, f->thread) <= q->o->limits.memory_noted &&
	    find_memory_error(q, f->record, NULL, &finding, &run, NULL) &&
	    finding.kind != MEMORY_FINE)
		memory_error_note_finding(q, &finding);
	trace_run_free(run);
}

static bool is_about_freed(const struct memory_finding *f)
{
	return (f->kind == MEMORY_AFTER_FREE || f->kind == MEMORY_FREED_TWICE) && f->has_object &&
	       f->object.is_freed;
}

bool memory_error_blame_free(struct question *q, GError **error)
{
	struct memory_error *m = q->memory;
	g_autofree char *condition = NULL;

	if (!m || !is_about_freed(&m->finding) ||
	    !stop_at_memory_error(&m->stop, q, &m->finding.object.gone))
		return false;
	question_forget_requirement(q);
	q->index = reverse_index_new(&q->o->limits);
	q->point = point_at(q, &m->stop, q->index, error);
	condition = g_strdup_printf("(unsigned long)$rdi != %" G_GUINT64_FORMAT "ul",
				    m->finding.object.lo);
	return q->point && set_requirement(q, m, require_valid_access(q, m, condition, error));
}

bool memory_error_relax(struct question *q, GError **error)
{
	if (!q->memory || q->run.failing.end != RUN_SIGNAL)
		return false;
	question_forget_requirement(q);
	return question_require_end(q, error) == 0;
}
