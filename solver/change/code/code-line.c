/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/change/code/code-line.h"

#include "solver/change/code/mutant.h"

#include <string.h>

enum { MOST_CONDITION_LINES = 16 };

const struct image_statement *code_statement_at(const struct image *im, uint64_t addr)
{
	const struct image_row *row = image_row_at(im, addr);
	const struct image_statement *s =
		row && !row->prologue ? image_statement(im, row->statement) : NULL;

	return s && !s->prologue ? s : NULL;
}

bool code_stands_on(const struct image *im, uint64_t addr, const char *file, unsigned line)
{
	const struct image_statement *s = code_statement_at(im, addr);

	return s && s->line == line && strcmp(s->file, file) == 0;
}

static bool is_joining(const char *text)
{
	return strncmp(text, "&&", 2) == 0 || strncmp(text, "||", 2) == 0;
}

/* Does the condition of this line go on in the next one? */
static bool goes_on_below(const struct image *im, const char *file, unsigned line)
{
	const char *here = image_source_line(im, file, line);
	const char *below = here ? image_source_line(im, file, line + 1) : NULL;
	const char *end = here ? here + strlen(here) : NULL;

	if (!below)
		return false;
	while (end > here && g_ascii_isspace(end[-1]))
		end--;
	below += strspn(below, " \t");
	return is_joining(below) || (end - here > 2 && is_joining(end - 2));
}

void code_condition_lines(const struct image *im, const char *file, unsigned line, unsigned *first,
			  unsigned *last)
{
	*first = *last = line;
	while (*first > 1 && line - *first < MOST_CONDITION_LINES &&
	       goes_on_below(im, file, *first - 1))
		--*first;
	while (*last - line < MOST_CONDITION_LINES && goes_on_below(im, file, *last))
		++*last;
}

/* The line's code from *lo to *hi; false: there is none, or other code stands in between. */
static bool find_piece(const struct image *im, const char *file, unsigned line, uint64_t *lo,
		       uint64_t *hi)
{
	const struct trace_insn *insns;
	size_t n = image_insns(im, &insns);

	*lo = *hi = 0;
	for (size_t i = 0; i < n; i++) {
		if (!code_stands_on(im, insns[i].addr, file, line))
			continue;
		if (*hi && insns[i].addr != *hi)
			return false;
		if (!*hi)
			*lo = insns[i].addr;
		*hi = insns[i].addr + insns[i].length;
	}
	return *hi;
}

static void add_skip(GArray *all, const struct trace_insn *first, uint64_t to)
{
	struct mutant m = { .kind = MUTANT_SKIPPED,
			    .addr = first->addr,
			    .length = first->length,
			    .size = 5,
			    .link_at = 1,
			    .link_to = to,
			    .bytes = { 0xe9 } };

	for (guint i = 0; i < all->len; i++)
		if (g_array_index(all, struct mutant, i).link_to == to)
			return;
	for (; m.size <= m.length; m.size++)
		m.bytes[m.size] = 0x90;
	g_array_append_val(all, m);
}

GArray *code_skips(const struct image *im, const char *file, unsigned line)
{
	GArray *all = g_array_new(FALSE, FALSE, sizeof(struct mutant));
	const struct trace_insn *first, *insn;
	uint64_t lo, hi;

	if (!find_piece(im, file, line, &lo, &hi))
		return all;
	first = image_insn_at(im, lo);
	if (image_function_at(im, lo) == image_function_at(im, hi))
		add_skip(all, first, hi);
	for (uint64_t at = lo; at < hi; at += insn->length) {
		insn = image_insn_at(im, at);
		if (insn->flow == TRACE_FLOW_COND && (insn->target < lo || insn->target >= hi))
			add_skip(all, first, insn->target);
	}
	return all;
}
