/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/check/check-sites.h"
#include "solver/check/check-own.h"
#include "solver/image/shadow.h"
#include "solver/image/variable/variable.h"

struct check_sites {
	GArray *sites;	       /* struct check_site */
	GHashTable *by_insn;   /* struct trace_insn * → index + 1 */
	GHashTable *branches;  /* the same of the branches of counted checks */
	GPtrArray *frameworks; /* struct check_framework *, those that are used */
};

/* A check that the framework's own code makes tells of another one. */
static bool is_site_of_framework(const struct check_site *site)
{
	const struct check_framework *f = site->rule->framework;
	const struct image_row *row = f ? image_row_at(site->image, site->insn->addr) : NULL;

	return row &&
	       check_framework_has_file(f, image_statement(site->image, row->statement)->file);
}

static void add_site(struct check_sites *s, struct check_site site)
{
	const struct check_framework *f = site.rule->framework;

	if (is_site_of_framework(&site))
		return;
	g_array_append_val(s->sites, site);
	g_hash_table_insert(s->by_insn, (gpointer)site.insn, GUINT_TO_POINTER(s->sites->len));
	if (f && !g_ptr_array_find(s->frameworks, f, NULL))
		g_ptr_array_add(s->frameworks, (gpointer)f);
}

/* ---- calls ---- */

/* A jump out of its function is a call, too: the last one of a function. */
static bool leaves_function(const struct image *im, const struct trace_insn *insn)
{
	const struct image_function *f = image_function_at(im, insn->addr);

	return f && (insn->target < f->lo || insn->target >= f->hi);
}

static bool goes_through_slot(const struct trace_insn *insn)
{
	return insn->flow == TRACE_FLOW_CALL_IND && insn->n_mem &&
	       insn->mem[0].base == TRACE_REG_NONE && insn->mem[0].index == TRACE_REG_NONE;
}

/* The name of what is called; *file: where it is defined, NULL = not known. */
static const char *called_function_name(const struct image *im, const struct trace_insn *insn,
					const char **file)
{
	const struct image_function *f;

	*file = NULL;
	if (goes_through_slot(insn))
		return image_slot_name(im, (uint64_t)insn->mem[0].disp);
	if (insn->flow != TRACE_FLOW_CALL &&
	    !(insn->flow == TRACE_FLOW_JUMP && leaves_function(im, insn)))
		return NULL;
	f = image_function_at(im, insn->target);
	if (!f || f->entry != insn->target)
		return image_native_name(im, insn->target);
	*file = f->file;
	return f->name;
}

static void add_calls(struct check_sites *s, const struct check_table *t, const struct image *im)
{
	const struct trace_insn *insns;
	size_t n = image_insns(im, &insns);

	for (size_t i = 0; i < n; i++) {
		struct check_site site = { .image = im, .insn = &insns[i] };
		const char *file;

		site.name = called_function_name(im, &insns[i], &file);
		site.rule = check_table_find(t, site.name, file, false);
		if (site.rule)
			add_site(s, site);
	}
}

bool check_sites_add_own(struct check_sites *s, const struct image *im,
			 const struct trace_insn *call)
{
	static const struct check_rule rule = { .name = (char *)"assertion" };
	const bool is_known = g_hash_table_contains(s->by_insn, call);
	g_autofree char *condition = is_known ? NULL : check_own_condition(im, call);
	struct check_site site = { .rule = &rule, .image = im, .insn = call };
	const char *file;

	if (!condition)
		return false;
	site.name = called_function_name(im, call, &file);
	site.condition = g_intern_string(condition);
	add_site(s, site);
	return true;
}

/* ---- stores ---- */

void check_sites_add_count(struct check_sites *s, const struct image *im,
			   const struct check_count *count, const char *says, const char *compared)
{
	static const struct check_rule rule = { .name = (char *)"count" };

	if (g_hash_table_contains(s->by_insn, count->store))
		return;
	add_site(s, (struct check_site){ .rule = &rule,
					 .image = im,
					 .insn = count->store,
					 .name = says,
					 .counts = says,
					 .compared = compared,
					 .branch = count->branch,
					 .returns = count->returns });
	g_hash_table_insert(s->branches, (gpointer)count->branch, GUINT_TO_POINTER(s->sites->len));
}

const struct check_site *check_sites_of_branch(const struct check_sites *s,
					       const struct trace_insn *insn)
{
	guint found = GPOINTER_TO_UINT(g_hash_table_lookup(s->branches, insn));

	return found ? &g_array_index(s->sites, struct check_site, found - 1) : NULL;
}

/* The variable, or member of one, that is stored to; interned, NULL = none of fixed address. */
static const char *stored_variable(const struct image *im, const struct trace_insn *insn)
{
	const struct image_frame frame = { .pc = insn->addr };
	const struct trace_mem *m = insn->n_mem ? &insn->mem[0] : NULL;
	struct image_lvalue found;
	const char *name;

	if (!m || !(m->flags & TRACE_MEM_WRITE) || m->base != TRACE_REG_NONE ||
	    m->index != TRACE_REG_NONE ||
	    !image_name_memory(im, &frame, (uint64_t)m->disp, m->size, &found))
		return NULL;
	name = g_intern_string(found.text);
	image_lvalue_clear(&found);
	return name;
}

static void add_stores(struct check_sites *s, const struct check_table *t, const struct image *im)
{
	const struct trace_insn *insns;
	size_t n = image_insns(im, &insns);

	for (size_t i = 0; i < n; i++) {
		struct check_site site = { .image = im, .insn = &insns[i] };

		site.name = stored_variable(im, &insns[i]);
		site.rule = check_table_find(t, site.name, NULL, true);
		if (site.rule)
			add_site(s, site);
	}
}

struct check_sites *check_sites_new(const struct check_table *table, struct image *const *images,
				    size_t n_images)
{
	struct check_sites *s = g_new0(struct check_sites, 1);

	s->sites = g_array_new(FALSE, FALSE, sizeof(struct check_site));
	s->by_insn = g_hash_table_new(NULL, NULL);
	s->branches = g_hash_table_new(NULL, NULL);
	s->frameworks = g_ptr_array_new();
	for (size_t i = 0; i < n_images; i++) {
		add_calls(s, table, images[i]);
		if (check_table_has_variables(table))
			add_stores(s, table, images[i]);
	}
	return s;
}

void check_sites_free(struct check_sites *s)
{
	if (!s)
		return;
	g_array_free(s->sites, TRUE);
	g_hash_table_destroy(s->by_insn);
	g_hash_table_destroy(s->branches);
	g_ptr_array_free(s->frameworks, TRUE);
	g_free(s);
}

const struct check_site *check_sites_all(const struct check_sites *s, size_t *n)
{
	*n = s->sites->len;
	return (const struct check_site *)(const void *)s->sites->data;
}

const struct check_site *check_sites_at(const struct check_sites *s, const struct image *im,
					uint64_t link)
{
	const struct trace_insn *insn = image_insn_at(im, link);
	guint found = insn ? GPOINTER_TO_UINT(g_hash_table_lookup(s->by_insn, insn)) : 0;

	return found ? &g_array_index(s->sites, struct check_site, found - 1) : NULL;
}

const struct check_framework *check_sites_framework(const struct check_sites *s, guint i)
{
	return i < s->frameworks->len ? s->frameworks->pdata[i] : NULL;
}

bool check_site_is_inserted(const struct check_site *site)
{
	return site->rule->framework && site->rule->framework->inserted;
}

/* The line of an instruction; NULL = it has none. */
static const struct image_statement *statement_of_site(const struct image *im, uint64_t link)
{
	const struct image_row *row = image_row_at(im, link);

	return row ? image_statement(im, row->statement) : NULL;
}

static bool stand_in_one_line(const struct image *im, uint64_t a, uint64_t b)
{
	const struct image_statement *x = statement_of_site(im, a), *y = statement_of_site(im, b);

	return x && y && x->line == y->line && strcmp(x->file, y->file) == 0;
}

/* The branches that decide about the instruction; in_line: those of its own line. */
static void add_deciding_branches(const struct image *im, const struct trace_insn *insn,
				  bool in_line, GHashTable *set)
{
	const struct image_function *f = image_function_at(im, insn->addr);
	const struct image_cfg *cfg = f ? image_cfg(im, f) : NULL;
	const struct image_block *b = cfg ? image_block_at(im, f, insn->addr) : NULL;

	for (uint32_t i = 0; b && i < b->n_control; i++) {
		const struct image_block *decides = &cfg->blocks[b->control[i]];
		const struct trace_insn *last = image_insn_at(im, decides->last);

		if (last && last->flow == TRACE_FLOW_COND &&
		    (!in_line || stand_in_one_line(im, last->addr, insn->addr)))
			g_hash_table_add(set, (gpointer)last);
	}
}

/* ud2 (gcc) and ud1 with the number of a check (clang). */
static bool is_trap(const struct image *im, const struct trace_insn *insn)
{
	uint8_t code[3];
	bool writable, prefixed;

	if (insn->flow != TRACE_FLOW_NONE || insn->out_gpr || insn->n_mem || insn->length < 2 ||
	    !image_initial(im, insn->addr, 2, code, &writable))
		return false;
	prefixed = code[0] == 0x67;
	if (prefixed && !image_initial(im, insn->addr + 1, 2, code, &writable))
		return false;
	return code[0] == 0x0f && (code[1] == 0x0b || code[1] == 0xb9);
}

/* -fsanitize=… with traps, and conditions with __builtin_trap() in one line, as in macros. */
static void add_branches_of_traps(const struct image *im, GHashTable *set)
{
	const struct trace_insn *insns;
	size_t n = image_insns(im, &insns);

	for (size_t i = 0; i < n; i++)
		if (is_trap(im, &insns[i]))
			add_deciding_branches(im, &insns[i], true, set);
}

void check_sites_add_branches(const struct check_sites *s, struct image *const *images,
			      size_t n_images, GHashTable *set)
{
	for (guint i = 0; i < s->sites->len; i++) {
		const struct check_site *site = &g_array_index(s->sites, struct check_site, i);

		if (check_site_is_inserted(site))
			add_deciding_branches(site->image, site->insn, false, set);
	}
	for (size_t i = 0; i < n_images; i++) {
		add_branches_of_traps(images[i], set);
		shadow_add_checks(images[i], set);
	}
}

static void add_line_of(const struct image *im, uint64_t link, GHashTable *set)
{
	const struct image_statement *st = statement_of_site(im, link);

	if (st)
		g_hash_table_add(set, g_strdup_printf("%s:%u", st->file, st->line));
}

void check_sites_add_own_lines(const struct image *im, GHashTable *set)
{
	const struct trace_insn *insns;
	size_t n = image_insns(im, &insns);

	for (size_t i = 0; i < n; i++) {
		g_autofree char *condition = check_own_condition(im, &insns[i]);

		if (condition)
			add_line_of(im, insns[i].addr, set);
	}
}

static bool is_of_tests(const struct check_sites *s, const struct image *im, const char *file)
{
	for (guint k = 0; k < s->frameworks->len; k++)
		if (check_framework_has_file(s->frameworks->pdata[k], file))
			return true;
	return image_file_is_given(im, file);
}

void check_sites_add_lines(const struct check_sites *s, struct image *const *images,
			   size_t n_images, GHashTable *set)
{
	for (guint i = 0; i < s->sites->len; i++) {
		const struct check_site *site = &g_array_index(s->sites, struct check_site, i);

		if (!check_site_is_inserted(site))
			add_line_of(site->image, site->insn->addr, set);
	}
	for (size_t i = 0; i < n_images; i++) {
		g_autoptr(GPtrArray) files = image_source_files(images[i]);

		for (guint f = 0; f < files->len; f++)
			if (is_of_tests(s, images[i], files->pdata[f]))
				g_hash_table_add(set, g_strdup(files->pdata[f]));
	}
}
