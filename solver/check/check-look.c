/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/check/check-look.h"
#include "solver/base/hash.h"
#include "solver/check/check-words.h"
#include "solver/image/variable/variable.h"
#include "solver/trace/superblock/superblock.h"

struct looking {
	struct trace_run *run;
	const struct check_sites *sites;
	struct trace_cursor *cursor;
	GHashTable *counts; /* uint64_t * pc → its executions */
	struct checks_seen *seen;
};

static const struct check_site *site_at(const struct looking *l, uint64_t pc,
					const struct trace_module **module)
{
	uint64_t link;

	*module = pc ? trace_run_module_at(l->run, pc, &link) : NULL;
	return *module ? check_sites_at(l->sites, (*module)->image, link) : NULL;
}

/* The counted check whose branch stands there. */
static const struct check_site *site_of_branch_at(const struct looking *l, uint64_t pc)
{
	uint64_t link;
	const struct trace_module *module = pc ? trace_run_module_at(l->run, pc, &link) : NULL;
	const struct trace_insn *insn = module ? image_insn_at(module->image, link) : NULL;

	return insn ? check_sites_of_branch(l->sites, insn) : NULL;
}

static bool is_site(uint64_t pc, void *arg)
{
	const struct trace_module *module;

	return site_at(arg, pc, &module) || site_of_branch_at(arg, pc);
}

static uint64_t count_check_executions(struct looking *l, uint64_t pc)
{
	uint64_t *n = g_hash_table_lookup(l->counts, &pc);

	if (!n) {
		uint64_t *entry = g_new0(uint64_t, 2);

		entry[0] = pc;
		g_hash_table_insert(l->counts, entry, entry + 1);
		n = entry + 1;
	}
	return ++*n;
}

static void came_by_check(const struct looking *l, const struct check_site *site, uint64_t times)
{
	if (site)
		g_hash_table_insert(l->seen->came_by, (gpointer)site,
				    GUINT_TO_POINTER((guint)times));
}

/* The statement that called the function in which the cursor stands; NULL = not known. */
static const struct image_statement *caller_of_check(const struct looking *l,
						     const struct image *im)
{
	struct image_frame frame = trace_cursor_frame(l->cursor);
	const struct image_row *row = NULL;
	uint64_t cfa;

	if (image_unwind(im, &frame, &cfa))
		row = image_row_at(im, frame.pc);
	return row ? image_statement(im, row->statement) : NULL;
}

/* Did the call not come back to where it was made? */
static bool went_away(const struct trace_step *step)
{
	return step->exit_kind == TRACE_EXIT_AWAY || (step->exit_kind == TRACE_EXIT_NATIVE &&
						      step->next != step->pc + step->insn->length);
}

static bool stored_zero(const struct trace_cursor *after, const struct trace_step *step)
{
	uint64_t address = (uint64_t)step->insn->mem[0].disp + step->module->bias, value = 0;
	unsigned size = MIN(step->insn->mem[0].size, sizeof(value));

	return !trace_cursor_read(after, address, size, (uint8_t *)&value) || !value;
}

/* Makes the step of a check; *failed tells whether it failed, and *condition what did not hold. */
static int step_check(struct looking *l, const struct check_site *site,
		      const struct trace_module *module, struct failing_check *check, bool *failed,
		      GError **error)
{
	const struct check_rule *rule = site->rule;
	const struct check_call call = { l->cursor, module, site->insn };
	g_autofree char *condition = rule->holds ? check_condition(&call, rule->holds) : NULL;
	struct trace_step step = { 0 };
	bool known = false, holds = condition && check_holds(&call, condition, &known);
	g_autofree char *says = rule->says && !holds ? check_words(&call, rule->says) : NULL;
	int r = trace_cursor_step(l->cursor, &step, error);

	if (rule->stores)
		*failed = r == 1 && !stored_zero(l->cursor, &step);
	else if (rule->holds)
		*failed = known ? !holds : r == 1 && went_away(&step);
	else
		*failed = true;
	*failed &= r >= 0;
	if (*failed) {
		check->condition = known ? g_steal_pointer(&condition) : NULL;
		check->says = g_steal_pointer(&says);
	}
	return r;
}

static int go_on_looking(struct looking *l, guint most, GError **error)
{
	uint64_t pc = trace_cursor_pc(l->cursor);
	const struct trace_module *module;
	const struct check_site *site = site_at(l, pc, &module);
	struct failing_check check = { .site = site, .pc = pc };
	struct trace_step step;
	bool failed = false;
	int r;

	check.nth = count_check_executions(l, pc);
	if (!site) {
		came_by_check(l, site_of_branch_at(l, pc), check.nth);
		return trace_cursor_step(l->cursor, &step, error);
	}
	if (!site->branch)
		came_by_check(l, site, check.nth);
	else
		check.caller = caller_of_check(l, module->image);
	check.made = GPOINTER_TO_UINT(g_hash_table_lookup(l->seen->came_by, site));
	r = step_check(l, site, module, &check, &failed, error);
	if (failed && l->seen->failing->len < most) {
		g_array_append_val(l->seen->failing, check);
	} else if (failed) {
		g_free(check.condition);
		g_free(check.says);
	}
	return r;
}

const struct check_site *checks_at(const struct trace_run *run, const struct check_sites *sites,
				   const struct trace_cursor *cursor, bool *fails, char **condition)
{
	struct looking l = { .sites = sites };
	const struct trace_module *module;
	const struct check_site *site;
	bool known = false, holds = false;

	l.run = (struct trace_run *)run;
	site = site_at(&l, trace_cursor_pc(cursor), &module);
	*condition = NULL;
	if (!site)
		return NULL;
	if (site->rule->holds) {
		const struct check_call call = { cursor, module, site->insn };

		*condition = check_condition(&call, site->rule->holds);
		holds = *condition && check_holds(&call, *condition, &known);
	}
	*fails = site->rule->holds ? known && !holds : !site->rule->stores;
	if (!known)
		g_clear_pointer(condition, g_free);
	return site;
}

static void clear_failing(gpointer data)
{
	struct failing_check *c = data;

	g_free(c->condition);
	g_free(c->says);
}

bool checks_look(struct trace_run *run, const struct check_sites *sites,
		 const struct trace_action *actions, size_t n_actions, guint most,
		 struct checks_seen *out, GError **error)
{
	struct lift *lift = lift_new();
	struct looking l = { .run = run, .sites = sites, .seen = out };
	struct superblocks *superblocks = superblocks_new(is_site, &l);
	struct superblock_run piece;
	int more = 1;

	*out = (struct checks_seen){ g_array_new(FALSE, FALSE, sizeof(struct failing_check)),
				     g_hash_table_new(NULL, NULL), false };
	g_array_set_clear_func(out->failing, clear_failing);
	l.counts = g_hash_table_new_full(hash_u64, g_int64_equal, g_free, NULL);
	l.cursor = trace_cursor_new(run, trace_run_chosen(run), lift);
	if (n_actions)
		trace_cursor_set_actions(l.cursor, actions, n_actions);
	while (more == 1) {
		more = is_site(trace_cursor_pc(l.cursor), &l)
			       ? 0
			       : superblocks_run(superblocks, l.cursor, &piece, error);
		if (more == 0)
			more = go_on_looking(&l, most, error);
	}
	out->whole = more == 0;
	trace_cursor_free(l.cursor);
	superblocks_free(superblocks);
	g_hash_table_destroy(l.counts);
	lift_free(lift);
	if (more < 0)
		checks_seen_clear(out);
	return more == 0;
}

void checks_seen_clear(struct checks_seen *seen)
{
	if (seen->failing)
		g_array_free(seen->failing, TRUE);
	if (seen->came_by)
		g_hash_table_destroy(seen->came_by);
	*seen = (struct checks_seen){ 0 };
}
