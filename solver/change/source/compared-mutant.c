/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/change/source/compared-mutant.h"

#include "solver/change/code/code-piece-private.h"
#include "solver/change/code/code-value.h"
#include "solver/source/operand-text.h"

#include <string.h>

/* ---- where pointers are asked for ---- */

/* Does the instruction compare a whole register, or eight bytes of memory, with 0? */
static bool compares_with_zero(const struct image *im, const struct trace_insn *insn)
{
	enum { REX_W = 0x48, REX = 0xf8, TEST = 0x85, COMPARE = 0x83, SEVENTH = 7 };
	size_t avail = 0;
	const uint8_t *b = image_bytes(im, insn->addr, &avail);
	unsigned first, second;

	if (!b || avail < insn->length || insn->length < 3 || (b[0] & REX) != REX_W)
		return false;
	first = b[2] >> 3 & 7;
	second = b[2] & 7;
	if (b[1] == TEST)
		return b[2] >> 6 == 3 && first == second;
	return b[1] == COMPARE && first == SEVENTH && !b[insn->length - 1];
}

/* const struct trace_insn *: the line's branches on whether a pointer is NULL.  Free the array. */
static GPtrArray *branches_on_null(const struct image *im, const GArray *addrs)
{
	GPtrArray *branches = g_ptr_array_new();

	for (guint i = 0; i < addrs->len; i++) {
		const struct trace_insn *test =
			image_insn_at(im, g_array_index(addrs, uint64_t, i));
		const struct trace_insn *branch =
			test ? image_insn_at(im, test->addr + test->length) : NULL;

		if (branch && branch->flow == TRACE_FLOW_COND && compares_with_zero(im, test))
			g_ptr_array_add(branches, (gpointer)branch);
	}
	return branches;
}

/* ---- what is asked for ---- */

/* A pointer that a condition asks for. */
struct asked {
	const char *text;
	int at;	       /* in the line */
	bool is_alone; /* `p', rather than `!p' or `p != NULL' */
};

static gint first_in_line_first(gconstpointer a, gconstpointer b)
{
	return ((const struct asked *)a)->at - ((const struct asked *)b)->at;
}

/* Appends where a condition of the line asks for the pointer of this text. */
static void add_asked(const char *line, const char *text, GArray *all)
{
	static const char before[] =
		"(?:(?<=if \\()|(?<=if\\()|(?<=while \\()|(?<=while\\()|(?<=;)|"
		"(?<=&&)|(?<=\\|\\|))\\s*(!?)\\s*",
			  behind[] = "(\\s*[!=]=\\s*NULL)?(?=\\s*(?:[);]|&&|\\|\\|))";
	g_autofree char *name = g_regex_escape_string(text, -1);
	g_autofree char *pattern = g_strdup_printf("%s(%s)%s", before, name, behind);
	g_autoptr(GRegex) regex = g_regex_new(pattern, 0, 0, NULL);
	g_autoptr(GMatchInfo) found = NULL;

	if (!regex)
		return;
	for (g_regex_match(regex, line, 0, &found); g_match_info_matches(found);
	     g_match_info_next(found, NULL)) {
		g_autofree char *negated = g_match_info_fetch(found, 1),
				*compared = g_match_info_fetch(found, 3);
		struct asked a = { .text = text,
				   .is_alone = !*negated && (!compared || !*compared) };

		g_match_info_fetch_pos(found, 2, &a.at, NULL);
		g_array_append_val(all, a);
	}
}

static struct code_value *pointer_value(const struct mutant_maker *x, uint64_t addr,
					const char *text)
{
	struct code_value *v = code_value_new(x->im, addr, text, x->limits);

	if (v && code_value_type(v)->kind != IMAGE_TYPE_POINTER)
		g_clear_pointer(&v, code_value_free);
	return v;
}

/* struct asked, in the order of the line.  Free the array. */
static GArray *pointers_asked_for(struct mutant_maker *x, const GPtrArray *texts, const char *line,
				  uint64_t addr)
{
	GArray *all = g_array_new(FALSE, FALSE, sizeof(struct asked));

	for (guint i = 0; i < texts->len; i++) {
		struct code_value *v = operand_text_has(line, texts->pdata[i])
					       ? pointer_value(x, addr, texts->pdata[i])
					       : NULL;

		if (v)
			add_asked(line, texts->pdata[i], all);
		code_value_free(v);
	}
	g_array_sort(all, first_in_line_first);
	return all;
}

/* ---- mutants ---- */

/* Conditions of short jumps over the branch, when the first of two was compared with the second. */
enum { JUMP_EQUAL = 0x74, JUMP_NOT_EQUAL, JUMP_GREATER = 0x7f, JUMP_GREATER_OR_EQUAL = 0x7d };

/* Takes the branch unless the two compare as the jump over it says. */
static bool write_compared_values(struct code_piece *c, const struct trace_insn *branch,
				  const struct code_value *a, const struct code_value *b,
				  uint8_t over)
{
	static const uint8_t keep[] = { 0x50 }, jump[] = { 0xe9, 0, 0, 0, 0 };
	const uint8_t compare[] = { 0x59, 0x48, 0x39, 0xc1, over, 0 };
	unsigned skip; /* pop %rcx; cmp %rax,%rcx; the jump */

	if (!code_piece_save(c) || !code_value_put(c, a) ||
	    !code_piece_bytes(c, keep, sizeof keep) || !code_value_put(c, b) ||
	    !code_piece_bytes(c, compare, sizeof compare))
		return false;
	skip = c->size;
	if (!code_piece_restore(c) || !code_piece_bytes(c, jump, sizeof jump) ||
	    !code_piece_link(c, c->size - 4, c->size, branch->target))
		return false;
	c->bytes[skip - 1] = (uint8_t)(c->size - skip);
	return code_piece_restore(c);
}

/* Is the branch taken where there is such a pointer? */
static bool is_taken_with_pointer(const struct image *im, const struct trace_insn *branch)
{
	size_t avail = 0;
	const uint8_t *b = image_bytes(im, branch->addr, &avail);

	return b && avail > 1 && (b[0] == 0x0f ? b[1] : b[0]) & 1;
}

static struct mutant mutant_of_comparison(const struct trace_insn *branch, struct code_piece *piece)
{
	return (struct mutant){ .kind = MUTANT_EXPRESSION,
				.addr = branch->addr,
				.length = branch->length,
				.nearness = MUTANT_SAME_VARIABLE,
				.piece = piece };
}

static void add_compared(struct mutant_maker *x, const struct trace_insn *branch, const char *text,
			 const char *other, bool equal, GArray *all)
{
	struct code_value *a = pointer_value(x, branch->addr, text),
			  *b = pointer_value(x, branch->addr, other);
	struct code_piece *piece = mutant_maker_piece(x);
	struct mutant made = mutant_of_comparison(branch, piece);
	g_autofree char *words =
		g_strdup_printf("`%s %s %s' for `%s'", text, equal ? "==" : "!=", other, text);

	if (a && b && code_value_is_of_one_type(code_value_type(a), code_value_type(b)) &&
	    write_compared_values(piece, branch, a, b,
				  equal == is_taken_with_pointer(x->im, branch) ? JUMP_NOT_EQUAL
										: JUMP_EQUAL)) {
		made.words = g_string_chunk_insert_const(x->words, words);
		g_array_append_val(all, made);
	}
	code_value_free(a);
	code_value_free(b);
}

/* Asks for the next element of the list. */
static void add_next(struct mutant_maker *x, const struct trace_insn *branch, const char *text,
		     const char *next, GArray *all)
{
	struct code_value *a = pointer_value(x, branch->addr, text),
			  *b = pointer_value(x, branch->addr, next),
			  *null = code_value_new(x->im, branch->addr, "0", x->limits);
	struct code_piece *piece = mutant_maker_piece(x);
	struct mutant made = mutant_of_comparison(branch, piece);
	g_autofree char *words = g_strdup_printf("`%s' for `%s'", next, text);

	if (a && b && null && code_value_is_of_one_type(code_value_type(a), code_value_type(b)) &&
	    write_compared_values(piece, branch, b, null,
				  is_taken_with_pointer(x->im, branch) ? JUMP_EQUAL
								       : JUMP_NOT_EQUAL)) {
		made.words = g_string_chunk_insert_const(x->words, words);
		g_array_append_val(all, made);
	}
	code_value_free(a);
	code_value_free(b);
	code_value_free(null);
}

/* The instruction before the test behind which the branch stands, where that takes a pointer's
 * place by what it points to: mov 8(%rax),%rax. */
static const struct trace_insn *load_of_asked(const struct image *im,
					      const struct trace_insn *branch)
{
	enum { REX_W = 0x48, LOAD = 0x8b, LOAD_LENGTH = 4, TEST_LENGTH = 3 };
	const struct trace_insn *load = image_insn_at(im, branch->addr - TEST_LENGTH - LOAD_LENGTH);
	size_t avail = 0;
	const uint8_t *b = load ? image_bytes(im, load->addr, &avail) : NULL;

	return b && load->length == LOAD_LENGTH && b[0] == REX_W && b[1] == LOAD &&
			       b[2] >> 6 == 1 && (b[2] >> 3 & 7) == (b[2] & 7)
		       ? load
		       : NULL;
}

/* Asks for the element itself, which may be missing: the next one is not looked at. */
static void add_itself(struct mutant_maker *x, const struct trace_insn *branch, const char *text,
		       const char *element, GArray *all)
{
	const struct trace_insn *load = load_of_asked(x->im, branch);
	struct code_value *a = pointer_value(x, branch->addr, text),
			  *b = pointer_value(x, branch->addr, element);
	g_autofree char *words = g_strdup_printf("`%s' for `%s'", element, text);
	struct mutant made;

	if (load && a && b && code_value_is_of_one_type(code_value_type(a), code_value_type(b))) {
		made = mutant_of_comparison(load, NULL);
		made.size = made.length;
		memset(made.bytes, 0x90, made.size);
		made.words = g_string_chunk_insert_const(x->words, words);
		g_array_append_val(all, made);
	}
	code_value_free(a);
	code_value_free(b);
}

/* Is the second the first, `->' and a name? */
static bool is_member_text(const char *of, const char *text)
{
	const size_t n = strlen(of);

	return g_str_has_prefix(text, of) && g_str_has_prefix(text + n, "->") &&
	       !strpbrk(text + n + 2, "->.[(*+&");
}

static void add_of_branch(struct mutant_maker *x, const struct trace_insn *branch,
			  const struct asked *asked, const GPtrArray *texts, GArray *all)
{
	const char *member = g_strrstr(asked->text, "->");

	if (member) {
		g_autofree char *of = g_strndup(asked->text, (gsize)(member - asked->text));

		add_itself(x, branch, asked->text, of, all);
	}
	for (guint i = 0; i < texts->len; i++) {
		const char *other = texts->pdata[i];

		if (strcmp(other, asked->text) == 0 || strcmp(other, "NULL") == 0)
			continue;
		if (is_member_text(asked->text, other))
			add_next(x, branch, asked->text, other, all);
		if (!asked->is_alone)
			continue;
		add_compared(x, branch, asked->text, other, true, all);
		add_compared(x, branch, asked->text, other, false, all);
	}
}

/* ---- a loop that does one round too many ---- */

/* The only branch among them, if it is one back. */
static const struct trace_insn *branch_back(const struct image *im, const GArray *addrs)
{
	const struct trace_insn *found = NULL;

	for (guint i = 0; i < addrs->len; i++) {
		const struct trace_insn *insn =
			image_insn_at(im, g_array_index(addrs, uint64_t, i));

		if (!insn || insn->flow != TRACE_FLOW_COND)
			continue;
		if (found || insn->target >= insn->addr)
			return NULL;
		found = insn;
	}
	return found;
}

static bool is_signed_number(const struct code_value *v)
{
	const struct image_type *t = v ? code_value_type(v) : NULL;

	return t && t->kind == IMAGE_TYPE_INT && t->is_signed;
}

/* `i < n - 1' for `i < n'. */
static void add_one_less(struct mutant_maker *x, const struct trace_insn *branch, const char *left,
			 const char *sign, const char *bound, GArray *all)
{
	g_autofree char *less = g_strdup_printf("%s - 1", bound);
	struct code_value *a = code_value_new(x->im, branch->addr, left, x->limits),
			  *b = code_value_new(x->im, branch->addr, less, x->limits);
	struct code_piece *piece = mutant_maker_piece(x);
	struct mutant made = mutant_of_comparison(branch, piece);
	g_autofree char *words =
		g_strdup_printf("`%s %s %s' for `%s %s %s'", left, sign, less, left, sign, bound);

	if (is_signed_number(a) && is_signed_number(b) &&
	    write_compared_values(piece, branch, a, b,
				  sign[1] ? JUMP_GREATER : JUMP_GREATER_OR_EQUAL)) {
		made.words = g_string_chunk_insert_const(x->words, words);
		g_array_append_val(all, made);
	}
	code_value_free(a);
	code_value_free(b);
}

static void add_of_loop(struct mutant_maker *x, const GArray *addrs, GArray *all)
{
	static const char pattern[] =
		"\\b(?:for\\s*\\(.*;|while\\s*\\()\\s*([\\w.>-]+?)\\s*"
		"(<=?)\\s*([^;<>=&|?]*[^;<>=&|?\\s])\\s*(?:;|\\)\\s*[;{]?\\s*$)";
	const struct trace_insn *branch = branch_back(x->im, addrs);
	g_autofree char *line = branch ? mutant_maker_line(x, branch->addr) : NULL;
	g_autoptr(GRegex) regex = g_regex_new(pattern, 0, 0, NULL);
	g_autoptr(GMatchInfo) found = NULL;
	g_autofree char *left = NULL, *sign = NULL, *bound = NULL;

	if (!line || !g_regex_match(regex, line, 0, &found))
		return;
	left = g_match_info_fetch(found, 1);
	sign = g_match_info_fetch(found, 2);
	bound = g_match_info_fetch(found, 3);
	/* a number is changed as such */
	if (!g_ascii_isdigit(*bound))
		add_one_less(x, branch, left, sign, bound, all);
}

/* ---- */

static void add_of_pointers(struct mutant_maker *x, const GArray *addrs, GArray *all)
{
	g_autoptr(GPtrArray) branches = branches_on_null(x->im, addrs);
	const struct trace_insn *first = branches->len ? branches->pdata[0] : NULL;
	const struct image_function *f = first ? image_function_at(x->im, first->addr) : NULL;
	g_autofree char *line = f ? mutant_maker_line(x, first->addr) : NULL;
	const GPtrArray *texts = line ? expression_texts_of(x->texts, f) : NULL;
	g_autoptr(GArray) asked = NULL;

	if (!line)
		return;
	asked = pointers_asked_for(x, texts, line, first->addr);
	/* otherwise nobody knows which branch asks for which of them */
	for (guint i = 0; asked->len == branches->len && i < asked->len; i++)
		add_of_branch(x, branches->pdata[i], &g_array_index(asked, struct asked, i), texts,
			      all);
}

void compared_mutants_of_line(struct mutant_maker *x, const GArray *addrs, GArray *all)
{
	const struct image_function *f =
		addrs->len ? image_function_at(x->im, g_array_index(addrs, uint64_t, 0)) : NULL;

	if (!f || f->moving)
		return;
	add_of_pointers(x, addrs, all);
	add_of_loop(x, addrs, all);
}
