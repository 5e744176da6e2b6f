/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/change/action-text.h"

#include <glib.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const kinds[] = {
	[TRACE_ACTION_FORCE] = "force",	   [TRACE_ACTION_JUMP] = "jump",
	[TRACE_ACTION_REG] = "register",   [TRACE_ACTION_MEM] = "memory",
	[TRACE_ACTION_CODE] = "code",	   [TRACE_ACTION_CODE_MORE] = "more",
	[TRACE_ACTION_CODE_LINK] = "link",
};

char *change_action_text(const struct trace_action *a)
{
	GString *out = g_string_new(NULL);

	g_string_printf(out, "%s module %u thread %u at 0x%" PRIx64 " execution %" PRIu64,
			a->kind < G_N_ELEMENTS(kinds) ? kinds[a->kind] : "other", a->module,
			a->thread, a->addr, a->nth);
	g_string_append_printf(out, " register %u size %u where 0x%" PRIx64 " value ", a->reg,
			       a->size, a->where);
	for (size_t i = 0; i < sizeof(a->value); i++)
		g_string_append_printf(out, "%02x", a->value[i]);
	return g_string_free(out, FALSE);
}

static bool read_value(const char *hex, uint8_t *out, size_t n)
{
	if (strlen(hex) != 2 * n)
		return false;
	for (size_t i = 0; i < n; i++) {
		int high = g_ascii_xdigit_value(hex[2 * i]);
		int low = g_ascii_xdigit_value(hex[2 * i + 1]);

		if (high < 0 || low < 0)
			return false;
		out[i] = (uint8_t)(high << 4 | low);
	}
	return true;
}

static bool read_kind(const char *word, uint32_t *kind)
{
	for (uint32_t i = 0; i < G_N_ELEMENTS(kinds); i++)
		if (strcmp(word, kinds[i]) == 0) {
			*kind = i;
			return true;
		}
	return false;
}

bool change_action_parse(const char *text, struct trace_action *out)
{
	struct trace_action a = { 0 };
	char kind[16], value[2 * sizeof(a.value) + 2];
	int end = 0;

	if (!text ||
	    sscanf(text,
		   "%15s module %" SCNu32 " thread %" SCNu32 " at 0x%" SCNx64 " execution %" SCNu64
		   " register %" SCNu16 " size %" SCNu16 " where 0x%" SCNx64 " value %65s%n",
		   kind, &a.module, &a.thread, &a.addr, &a.nth, &a.reg, &a.size, &a.where, value,
		   &end) != 9 ||
	    text[end] || !read_kind(kind, &a.kind) ||
	    !read_value(value, a.value, sizeof(a.value)) || a.size > sizeof(a.value))
		return false;
	*out = a;
	return true;
}
