/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which calls and functions never return.
 *
 * A function returns when a path from its entry leads to a `ret`, or jumps to a
 * function that returns.  A path ends at a call of a function that does not return.
 * All paths are followed at once, each instruction once.  A path that comes to a call
 * of which nothing is known yet waits there until the callee is found to return.  Paths
 * that still wait at the end wait forever, and so do functions that only call each
 * other.
 */
#include "solver/image/image-private.h"
#include "solver/library/library.h"

/* The name of what a call or jump reaches without debug information, or NULL. */
static const char *native_target(const struct image *im, const struct trace_insn *insn)
{
	bool indirect = insn->flow == TRACE_FLOW_CALL_IND || insn->flow == TRACE_FLOW_JUMP_IND;

	if (!indirect)
		return image_native_name(im, insn->target);
	if (insn->n_mem && insn->mem[0].flags & TRACE_MEM_RIP)
		return image_slot_name(im, (uint64_t)insn->mem[0].disp);
	return NULL;
}

static const struct image_function *function_entered_at(const struct image *im, uint64_t addr)
{
	const struct image_function *f = image_function_at(im, addr);

	return f && f->entry == addr ? f : NULL;
}

/* The function of this image to which the name of a PLT stub or GOT slot leads; a library calls
 * its own functions in this way. */
static const struct image_function *function_exported_as(const struct image *im, const char *name)
{
	const uint64_t *addr = name ? g_hash_table_lookup(im->exports, name) : NULL;

	return addr ? function_entered_at(im, *addr) : NULL;
}

static const struct image_function *function_entered_by(const struct image *im,
							const struct trace_insn *insn)
{
	if (insn->flow == TRACE_FLOW_CALL && image_function_at(im, insn->target))
		return function_entered_at(im, insn->target);
	return function_exported_as(im, native_target(im, insn));
}

bool image_call_returns(const struct image *im, const struct trace_insn *insn)
{
	const struct image_function *callee = function_entered_by(im, insn);

	return callee ? !callee->noreturn : library_returns(native_target(im, insn));
}

bool image_is_trap(const struct image *im, const struct trace_insn *insn)
{
	size_t avail;
	const uint8_t *b = image_bytes(im, insn->addr, &avail);

	return b && (b[0] == 0xf4 || b[0] == 0xcc ||
		     (insn->length == 2 && b[0] == 0x0f && b[1] == 0x0b));
}

/* ---- functions of this image ---- */

enum { RETURNS = 0 };

/* A place where a path of a function goes on; at RETURNS it comes back to the caller. */
struct model_path {
	uint32_t function;
	uint64_t at;
};

struct search {
	struct image *im;
	GArray *open;  /* struct model_path */
	bool *seen;    /* by instruction */
	bool *returns; /* by function */
	GHashTable
		*waiting; /* 1 + id of a function → GArray of struct model_path, until it returns */
};

static const struct image_function *whole_of_searched(const struct image_function *f)
{
	return f && f->parent ? f->parent : f;
}

static void go_on_searching(struct search *s, uint32_t function, uint64_t at)
{
	struct model_path p = { function, at };

	g_array_append_val(s->open, p);
}

/* The path goes on as soon as the callee is found to return. */
static void wait_for_callee(struct search *s, const struct image_function *callee,
			    uint32_t function, uint64_t at)
{
	gpointer key = GUINT_TO_POINTER(callee->id + 1);
	struct model_path p = { function, at };
	GArray *list;

	if (s->returns[callee->id]) {
		go_on_searching(s, function, at);
		return;
	}
	list = g_hash_table_lookup(s->waiting, key);
	if (!list) {
		list = g_array_new(FALSE, FALSE, sizeof(struct model_path));
		g_hash_table_insert(s->waiting, key, list);
	}
	g_array_append_val(list, p);
}

static void function_returns(struct search *s, uint32_t function)
{
	const struct image_function *f =
		&g_array_index(s->im->functions, struct image_function, function);
	GArray *list = g_hash_table_lookup(s->waiting, GUINT_TO_POINTER(function + 1));

	if (s->returns[function] || f->noreturn)
		return;
	s->returns[function] = true;
	if (list)
		g_array_append_vals(s->open, list->data, list->len);
	g_hash_table_remove(s->waiting, GUINT_TO_POINTER(function + 1));
}

static bool is_in_searched_function(const struct search *s, uint32_t function, uint64_t addr)
{
	const struct image_function *f = whole_of_searched(image_function_at(s->im, addr));

	return f && f->id == function && image_insn_at(s->im, addr);
}

/* Goes on inside of the function, or makes a tail call. */
static void jump_to(struct search *s, uint32_t function, uint64_t addr)
{
	const char *name = image_native_name(s->im, addr);
	const struct image_function *callee = image_function_at(s->im, addr)
						      ? function_entered_at(s->im, addr)
						      : function_exported_as(s->im, name);

	if (is_in_searched_function(s, function, addr))
		go_on_searching(s, function, addr);
	else if (callee)
		wait_for_callee(s, callee, function, RETURNS);
	else if (library_returns(name))
		go_on_searching(s, function, RETURNS);
}

static void jump_through(struct search *s, uint32_t function, const struct trace_insn *insn)
{
	const struct image_function *callee;
	const uint64_t *targets;
	uint64_t table, size;
	size_t n = image_jump_targets(s->im, insn->addr, &targets, &table, &size);

	for (size_t i = 0; i < n; i++)
		jump_to(s, function, targets[i]);
	if (n)
		return;
	callee = function_entered_by(s->im, insn);
	if (callee)
		wait_for_callee(s, callee, function, RETURNS);
	else if (library_returns(native_target(s->im, insn)))
		go_on_searching(s, function, RETURNS);
}

/* When nothing of the function stands behind a call, the call does not return, whatever it
 * calls. */
static void search_callee_return(struct search *s, uint32_t function, const struct trace_insn *insn)
{
	uint64_t next = insn->addr + insn->length;
	const struct image_function *callee = function_entered_by(s->im, insn);

	if (!is_in_searched_function(s, function, next))
		return;
	if (callee)
		wait_for_callee(s, callee, function, next);
	else if (image_call_returns(s->im, insn))
		go_on_searching(s, function, next);
}

static void search_return_at(struct search *s, uint32_t function, uint64_t addr)
{
	const struct trace_insn *insn = image_insn_at(s->im, addr);
	uint32_t number = s->im->insn_index[addr - s->im->code_lo] - 1;

	if (s->seen[number])
		return;
	s->seen[number] = true;
	switch (insn->flow) {
	case TRACE_FLOW_RET:
		go_on_searching(s, function, RETURNS);
		return;
	case TRACE_FLOW_COND:
		jump_to(s, function, insn->addr + insn->length);
		jump_to(s, function, insn->target);
		return;
	case TRACE_FLOW_JUMP:
		jump_to(s, function, insn->target);
		return;
	case TRACE_FLOW_JUMP_IND:
		jump_through(s, function, insn);
		return;
	case TRACE_FLOW_CALL:
	case TRACE_FLOW_CALL_IND:
		search_callee_return(s, function, insn);
		return;
	default:
		if (!image_is_trap(s->im, insn))
			jump_to(s, function, insn->addr + insn->length);
	}
}

/* Control comes to C++ handlers from no instruction of the function. */
static void add_catching_functions(struct search *s)
{
	for (guint i = 0; i < s->im->insns->len; i++) {
		const struct trace_insn *insn = &g_array_index(s->im->insns, struct trace_insn, i);

		if ((insn->flow == TRACE_FLOW_CALL || insn->flow == TRACE_FLOW_CALL_IND) &&
		    g_strcmp0(native_target(s->im, insn), "__cxa_begin_catch") == 0)
			go_on_searching(s,
					whole_of_searched(image_function_at(s->im, insn->addr))->id,
					RETURNS);
	}
}

static void add_entries(struct search *s)
{
	for (guint i = 0; i < s->im->functions->len; i++) {
		const struct image_function *f =
			&g_array_index(s->im->functions, struct image_function, i);

		if (f->parent)
			continue;
		/* nothing is known of code that cannot be decoded */
		go_on_searching(s, i, is_in_searched_function(s, i, f->entry) ? f->entry : RETURNS);
	}
}

void image_find_noreturn(struct image *im)
{
	struct search s = { .im = im };

	s.open = g_array_new(FALSE, FALSE, sizeof(struct model_path));
	s.seen = g_new0(bool, im->insns->len + 1);
	s.returns = g_new0(bool, im->functions->len);
	s.waiting = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)(void *)g_array_unref);
	add_entries(&s);
	add_catching_functions(&s);
	while (s.open->len) {
		struct model_path p = g_array_index(s.open, struct model_path, s.open->len - 1);

		g_array_set_size(s.open, s.open->len - 1);
		if (p.at == RETURNS)
			function_returns(&s, p.function);
		else if (!s.returns[p.function])
			search_return_at(&s, p.function, p.at);
	}
	for (guint i = 0; i < im->functions->len; i++) {
		struct image_function *f = &g_array_index(im->functions, struct image_function, i);

		if (!whole_of_searched(f)->parent)
			f->noreturn = !s.returns[whole_of_searched(f)->id];
	}
	g_array_free(s.open, TRUE);
	g_free(s.seen);
	g_free(s.returns);
	g_hash_table_destroy(s.waiting);
}
