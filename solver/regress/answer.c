/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/regress/answer.h"
#include "solver/regress/set.h"

#include <stdarg.h>

static void clear_statement(void *pointer)
{
	g_clear_pointer(&((struct regress_statement *)pointer)->changes, g_array_unref);
}

static void clear_cause(void *pointer)
{
	struct regress_cause *c = pointer;

	g_array_unref(c->statements);
	g_array_unref(c->changes);
}

struct regress_answer *regress_answer_new(const struct regress_changes *changes)
{
	struct regress_answer *a = g_new0(struct regress_answer, 1);

	a->changes = changes;
	a->outcome = REGRESS_NOT_FOUND;
	a->root = regress_set_new();
	a->auxiliary = regress_set_new();
	a->candidates = g_array_new(FALSE, FALSE, sizeof(unsigned));
	a->proof.without = a->proof.with = REGRESS_UNKNOWN;
	a->causes = g_array_new(FALSE, FALSE, sizeof(struct regress_cause));
	g_array_set_clear_func(a->causes, clear_cause);
	a->notes = g_ptr_array_new_with_free_func(g_free);
	a->strings = g_string_chunk_new(1024);
	return a;
}

void regress_answer_free(struct regress_answer *a)
{
	if (!a)
		return;
	g_free(a->old_name);
	g_free(a->new_name);
	g_free(a->test);
	g_free(a->failure);
	g_free(a->proof.without_ending);
	g_free(a->proof.with_ending);
	g_array_unref(a->root);
	g_array_unref(a->auxiliary);
	g_array_unref(a->candidates);
	g_array_unref(a->causes);
	g_ptr_array_unref(a->notes);
	g_string_chunk_free(a->strings);
	g_free(a);
}

void regress_answer_note(struct regress_answer *a, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_ptr_array_add(a->notes, g_strdup_vprintf(format, args));
	va_end(args);
}

const char *regress_answer_string(struct regress_answer *a, const char *text)
{
	return text ? g_string_chunk_insert_const(a->strings, text) : NULL;
}

unsigned regress_answer_add_cause(struct regress_answer *a, int effect, const char *predicate)
{
	struct regress_cause c = {
		.statements = g_array_new(FALSE, TRUE, sizeof(struct regress_statement)),
		.changes = regress_set_new(),
		.effect = effect,
		.generation =
			effect < 0 ? 0 : regress_answer_cause(a, (unsigned)effect)->generation + 1,
		.predicate = regress_answer_string(a, predicate)
	};

	g_array_set_clear_func(c.statements, clear_statement);
	g_array_append_val(a->causes, c);
	return a->causes->len - 1;
}

struct regress_cause *regress_answer_cause(const struct regress_answer *a, unsigned i)
{
	return &g_array_index(a->causes, struct regress_cause, i);
}

void regress_answer_mark_relevant(struct regress_answer *a)
{
	for (guint i = 0; i < a->causes->len; i++) {
		g_autoptr(GArray) held =
			regress_set_common(regress_answer_cause(a, i)->changes, a->root);
		int at = held->len ? (int)i : -1;

		for (; at >= 0; at = regress_answer_cause(a, (unsigned)at)->effect)
			regress_answer_cause(a, (unsigned)at)->relevant = true;
	}
}

const char *regress_technique_name(enum regress_technique t)
{
	static const char *const names[] = {
		[REGRESS_AFTER] = "after", [REGRESS_DD] = "dd", [REGRESS_ADD] = "add"
	};

	return names[t];
}

const char *regress_outcome_name(enum regress_outcome o)
{
	static const char *const names[] = {
		[REGRESS_FOUND] = "found", [REGRESS_NOT_FOUND] = "not found", [REGRESS_CUT] = "cut"
	};

	return names[o];
}

const char *regress_verdict_name(enum regress_verdict v)
{
	static const char *const names[] = { [REGRESS_PASSES] = "passes",
					     [REGRESS_FAILS] = "fails",
					     [REGRESS_BROKEN] = "does not compile",
					     [REGRESS_UNKNOWN] = "not known",
					     [REGRESS_STOPPED] = "not run" };

	return names[v];
}

const char *regress_kind_name(enum regress_kind k)
{
	static const char *const names[] = {
		[REGRESS_LINES] = "lines",     [REGRESS_ADDED] = "added",
		[REGRESS_DELETED] = "deleted", [REGRESS_RENAMED] = "renamed",
		[REGRESS_MODE] = "mode",       [REGRESS_CONTENTS] = "contents"
	};

	return names[k];
}

const char *regress_basis_name(enum regress_basis b)
{
	static const char *const names[] = { [REGRESS_BY_CAUSES] = "causes",
					     [REGRESS_BY_CODE] = "code",
					     [REGRESS_BY_EXECUTED] = "executed",
					     [REGRESS_BY_SOURCES] = "sources",
					     [REGRESS_BY_ALL] = "all" };

	return names[b];
}
