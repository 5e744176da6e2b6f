/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plan of a program's profiles, and how a test is started with it. */
#include "gdbext/profile/private.h"
#include "solver/image/shadow.h"

#include <stdlib.h>
#include <string.h>

#include "gdbext/replay/run/plan.h"
#include "gdbext/replay/preflight.h"

G_DEFINE_QUARK(gdb - why - profile - error, profile_error)

static int compare_planned_addresses(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* The entries of all functions; free with g_free. */
static uint64_t *planned_entries_of(const struct code *code)
{
	guint n = code->functions->len;
	uint64_t *entries = g_new(uint64_t, n + 1);

	for (guint i = 0; i < n; i++)
		entries[i] = g_array_index(code->functions, struct code_function, i)
				     .cfg->function->entry;
	qsort(entries, n, sizeof *entries, compare_planned_addresses);
	return entries;
}

/* The key is a checksum of the program's bytes and of the layout of its counters. */
static bool make_key(struct profile_plan *plan, GError **error)
{
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
	const struct code *code = plan->code;
	uint32_t layout[] = { COUNTS_VERSION, code->n_counters, code->n_edges };
	g_autoptr(GError) cause = NULL;
	g_autofree char *bytes = NULL;
	gsize n;

	if (!g_file_get_contents(image_path(plan->image), &bytes, &n, &cause)) {
		g_set_error(error, PROFILE_ERROR, PROFILE_ERROR_PROGRAM, "Cannot read %s: %s.",
			    image_path(plan->image), cause->message);
		return false;
	}
	g_checksum_update(sum, (const guchar *)bytes, (gssize)n);
	g_checksum_update(sum, (const guchar *)layout, sizeof layout);
	g_checksum_update(sum, (const guchar *)code->counts,
			  (gssize)(code->n_insns * sizeof *code->counts));
	g_strlcpy(plan->key, g_checksum_get_string(sum), sizeof plan->key);
	return true;
}

static bool write_plan(struct profile_plan *plan, GError **error)
{
	const struct code *code = plan->code;
	g_autofree uint64_t *entries = planned_entries_of(code);
	struct plan_module module = { .path = image_path(plan->image),
				      .insns = code->insns,
				      .n_insns = code->n_insns,
				      .entries = entries,
				      .n_entries = code->functions->len,
				      .counts = code->counts,
				      .n_counters = code->n_counters,
				      .n_edges = code->n_edges };
	struct plan_options options = { .program =
						plan->name ? plan->name : image_path(plan->image),
					.key = plan->key,
					.flags = TRACE_JIT | TRACE_COUNT };
	g_autofree char *file = g_build_filename(plan->folder->path, "code", NULL);
	struct plan_base *base = plan_base_new(&module, 1, file, error);
	bool written;

	plan->file = g_build_filename(plan->folder->path, "plan", NULL);
	written = base && plan_write(base, plan->file, &options, error);
	plan_base_free(base);
	return written;
}

static bool make_profile_plan(struct profile_plan *plan, const struct limits *limits,
			      GError **error)
{
	plan->code = code_new(plan->image, limits_or_default(limits));
	if (!make_key(plan, error) || !(plan->folder = folder_new(error)) ||
	    !write_plan(plan, error))
		return false;
	plan->units = code_units(plan->code);
	return true;
}

struct profile_plan *profile_plan_new(const char *program, const struct limits *limits,
				      GError **error)
{
	return profile_plan_new_as(program, NULL, limits, error);
}

struct profile_plan *profile_plan_new_as(const char *program, const char *name,
					 const struct limits *limits, GError **error)
{
	struct profile_plan *plan = g_new0(struct profile_plan, 1);
	g_autofree char *path = preflight_program(program, NULL, error);

	plan->name = g_strdup(name);
	if (path && (plan->agent = preflight_agent(NULL, error)))
		plan->image = image_open(path, error);
	if (plan->image && make_profile_plan(plan, limits, error))
		return plan;
	profile_plan_free(plan);
	return NULL;
}

void profile_plan_free(struct profile_plan *plan)
{
	if (!plan)
		return;
	units_free(plan->units);
	code_free(plan->code);
	image_free(plan->image);
	folder_free(plan->folder);
	g_free(plan->agent);
	g_free(plan->file);
	g_free(plan->name);
	g_free(plan);
}

const struct units *profile_plan_units(const struct profile_plan *plan)
{
	return plan->units;
}

const struct image *profile_plan_image(const struct profile_plan *plan)
{
	return plan->image;
}

const char *profile_plan_build_id(const struct profile_plan *plan)
{
	return plan->key;
}

/* The user's LD_PRELOAD comes after the recorder. */
char **profile_environ(const struct profile_plan *plan, char *const *base, const char *out_file)
{
	char **env = base ? g_strdupv((char **)base) : g_new0(char *, 1);
	const char *preload = g_environ_getenv(env, "LD_PRELOAD");
	g_autofree char *all = preload && *preload ? g_strdup_printf("%s:%s", plan->agent, preload)
						   : g_strdup(plan->agent);

	env = shadow_environ(plan->image, env);
	env = g_environ_setenv(env, "LD_PRELOAD", all, TRUE);
	env = g_environ_setenv(env, TRACE_PLAN_ENV, plan->file, TRUE);
	return g_environ_setenv(env, COUNTS_ENV, out_file, TRUE);
}

bool profile_read(struct profile_plan *plan, const char *out_file, struct spectrum *s,
		  struct profile_summary *summary, GError **error)
{
	struct counts counts;

	if (!counts_read(plan->code, plan->key, out_file, &counts, error))
		return false;
	counts_derive(plan->code, plan->units, &counts, s);
	if (summary)
		*summary = counts.summary;
	counts_clear(&counts);
	return true;
}
