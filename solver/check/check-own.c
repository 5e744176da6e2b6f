/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/check/check-own.h"

#include <string.h>

enum {
	MOST_BEFORE = 10, /* instructions that set up the arguments */
	LINES_AROUND = 4, /* of a condition that is written in several lines */
	MOST_TEXT = 400,
};

/* What the instructions before a call hand over. */
struct handed_over {
	const struct image *im;
	const struct image_statement *statement; /* of the call */
	bool has_line;
	char *condition; /* NULL = none */
};

static const struct image_statement *statement_of_report(const struct image *im, uint64_t addr)
{
	const struct image_row *row = image_row_at(im, addr);

	return row ? image_statement(im, row->statement) : NULL;
}

static bool is_of_reporting_line(const struct handed_over *h, const struct trace_insn *insn)
{
	const struct image_statement *s = insn ? statement_of_report(h->im, insn->addr) : NULL;

	return s && s->line == h->statement->line && strcmp(s->file, h->statement->file) == 0;
}

/* Is the call made only when a branch of its own line goes there? */
static bool is_made_by_line(const struct handed_over *h, const struct trace_insn *call)
{
	const struct image_function *f = image_function_at(h->im, call->addr);
	const struct image_cfg *cfg = f ? image_cfg(h->im, f) : NULL;
	const struct image_block *b = cfg ? image_block_at(h->im, f, call->addr) : NULL;

	for (uint32_t i = 0; b && i < b->n_control; i++) {
		const struct trace_insn *last =
			image_insn_at(h->im, cfg->blocks[b->control[i]].last);

		if (last && last->flow == TRACE_FLOW_COND && is_of_reporting_line(h, last))
			return true;
	}
	return false;
}

/* What stands in a file at an address and cannot be changed; NULL = no string.  The caller frees
 * it. */
static char *constant_string(const struct image *im, uint64_t addr)
{
	g_autoptr(GString) text = g_string_new(NULL);
	bool writable = false;
	uint8_t c;

	while (image_initial(im, addr + text->len, 1, &c, &writable) && !writable && c &&
	       text->len < MOST_TEXT)
		g_string_append_c(text, (char)c);
	return text->len && text->len < MOST_TEXT ? g_strdup(text->str) : NULL;
}

static char *without_blanks(const char *text)
{
	GString *s = g_string_new(NULL);

	for (; *text; text++)
		if (!g_ascii_isspace(*text) && *text != '\\')
			g_string_append_c(s, *text);
	return g_string_free(s, FALSE);
}

/* Does the source have this text as an argument in the call's line, or in those around it? */
static bool stands_in_source(const struct handed_over *h, const char *text)
{
	const struct image_statement *s = h->statement;
	g_autofree char *argument = g_strdup_printf("(%s", text),
			*wanted = without_blanks(argument), *around = NULL;
	g_autoptr(GString) lines = g_string_new(NULL);

	for (unsigned n = s->line > LINES_AROUND ? s->line - LINES_AROUND : 1;
	     n <= s->line + LINES_AROUND; n++) {
		const char *line = image_source_line(h->im, s->file, n);

		g_string_append(lines, line ? line : "");
	}
	around = without_blanks(lines->str);
	return strstr(around, wanted) != NULL;
}

static void take_reported_text(struct handed_over *h, uint64_t addr)
{
	g_autofree char *text = h->condition ? NULL : constant_string(h->im, addr);

	if (text && stands_in_source(h, text))
		h->condition = g_steal_pointer(&text);
}

static int32_t word_of(const uint8_t *bytes)
{
	int32_t value;

	memcpy(&value, bytes, sizeof(value));
	return value;
}

/* mov $VALUE, %r32: a number, or an address of a program that is loaded where it was linked; lea
 * DISTANCE(%rip), %r64: the address of a constant. */
static void take_reported_argument(struct handed_over *h, const struct trace_insn *insn)
{
	uint8_t code[16];
	bool writable;
	size_t at;

	if (insn->length > sizeof(code) ||
	    !image_initial(h->im, insn->addr, insn->length, code, &writable))
		return;
	at = code[0] == 0x41 ? 1 : 0;
	if (insn->length == at + 5 && (code[at] & 0xf8) == 0xb8) {
		h->has_line |= (uint32_t)word_of(code + at + 1) == h->statement->line;
		take_reported_text(h, (uint32_t)word_of(code + at + 1));
	} else if (insn->length == 7 && (code[0] & 0xfb) == 0x48 && code[1] == 0x8d &&
		   (code[2] & 0xc7) == 0x05) {
		take_reported_text(h, insn->addr + 7 + (uint64_t)(int64_t)word_of(code + 3));
	}
}

char *check_own_condition(const struct image *im, const struct trace_insn *call)
{
	struct handed_over h = { .im = im, .statement = statement_of_report(im, call->addr) };
	const struct trace_insn *all;
	size_t n = image_insns(im, &all), at = (size_t)(call - all);

	if (!h.statement || !h.statement->file || call->flow != TRACE_FLOW_CALL || at >= n)
		return NULL;
	for (size_t i = at; i > 0 && at - i < MOST_BEFORE; i--) {
		if (all[i - 1].flow != TRACE_FLOW_NONE)
			break;
		if (is_of_reporting_line(&h, &all[i - 1])) /* others may be scheduled among them */
			take_reported_argument(&h, &all[i - 1]);
	}
	if (!h.has_line || !h.condition || !is_made_by_line(&h, call))
		g_clear_pointer(&h.condition, g_free);
	return h.condition;
}
