/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/cause/cause-reading.h"
#include "solver/library/library.h"

#include <string.h>

static const struct reader readers[] = {
	{ .name = "fgets", .kind = FILLS_LINE, .file = 3 },
	{ .name = "fread", .kind = FILLS_BLOCKS, .file = 4 },
	{ .name = "read", .kind = FILLS_BYTES, .file = 1, .descriptor = true },
	{ .name = "getline", .kind = FILLS_OWN, .file = 3 },
	{ .name = "getchar", .kind = GIVES_BYTE },
	{ .name = "getc", .kind = GIVES_BYTE, .file = 1 },
	{ .name = "fgetc", .kind = GIVES_BYTE, .file = 1 },
	{ .name = "scanf", .kind = SCANS },
	{ .name = "__isoc99_scanf", .kind = SCANS },
	{ .name = "__isoc23_scanf", .kind = SCANS },
	{ .name = "fscanf", .kind = SCANS, .file = 1 },
	{ .name = "__isoc99_fscanf", .kind = SCANS, .file = 1 },
	{ .name = "__isoc23_fscanf", .kind = SCANS, .file = 1 },
	{ .name = "sscanf", .kind = SCANS_TEXT },
	{ .name = "__isoc99_sscanf", .kind = SCANS_TEXT },
	{ .name = "__isoc23_sscanf", .kind = SCANS_TEXT },
	{ .name = "ungetc", .kind = MOVES, .file = 2 },
	{ .name = "fseek", .kind = MOVES, .file = 1 },
	{ .name = "fseeko", .kind = MOVES, .file = 1 },
	{ .name = "rewind", .kind = MOVES, .file = 1 },
	{ .name = "fsetpos", .kind = MOVES, .file = 1 },
	{ .name = "lseek", .kind = MOVES, .file = 1, .descriptor = true },
	{ .name = "getenv", .kind = FINDS_VARIABLE },
	{ .name = "secure_getenv", .kind = FINDS_VARIABLE },
	{ .name = "strdup", .kind = COPIES_TEXT },
	{ .name = "__strdup", .kind = COPIES_TEXT },
	{ .name = "malloc", .kind = MAKES_BLOCK },
	{ .name = "calloc", .kind = MAKES_ELEMENTS },
	{ .name = "fopen", .kind = OPENS_STREAM },
	{ .name = "fopen64", .kind = OPENS_STREAM },
	{ .name = "freopen", .kind = OPENS_STREAM, .file = 3 },
	{ .name = "freopen64", .kind = OPENS_STREAM, .file = 3 },
	{ .name = "open", .kind = OPENS_FILE },
	{ .name = "open64", .kind = OPENS_FILE },
	{ .name = "dup2", .kind = OPENS_FILE, .file = 2 }, /* argument 1 is no name */
	{ .name = "dup3", .kind = OPENS_FILE, .file = 2 },
	{ .name = "__ctype_b_loc", .kind = HAS_TABLE },
	{ .name = "__ctype_tolower_loc", .kind = HAS_TABLE },
	{ .name = "__ctype_toupper_loc", .kind = HAS_TABLE },
	{ .name = "time", .kind = IS_CLOCK },
	{ .name = "clock", .kind = IS_CLOCK },
	{ .name = "clock_gettime", .kind = IS_CLOCK, .fills = 2 },
	{ .name = "gettimeofday", .kind = IS_CLOCK, .fills = 1 },
	{ .name = "timespec_get", .kind = IS_CLOCK, .fills = 1 },
	{ .name = "rand", .kind = IS_RANDOM },
	{ .name = "random", .kind = IS_RANDOM },
	{ .name = "lrand48", .kind = IS_RANDOM },
	{ .name = "drand48", .kind = IS_RANDOM },
	{ .name = "arc4random", .kind = IS_RANDOM },
	{ .name = "getrandom", .kind = IS_RANDOM, .fills = 1 },
	{ .name = "getentropy", .kind = IS_RANDOM, .fills = 1 },
};

static const struct reader *find_reader(const char *name)
{
	for (size_t i = 0; name && i < G_N_ELEMENTS(readers); i++)
		if (strcmp(readers[i].name, name) == 0)
			return &readers[i];
	return NULL;
}

static bool may_write_anything(const struct library_function *f)
{
	return !f || f->at || !(f->writes || f->block || f->keeps_memory || f->model || f->fails);
}

struct cause_origins *cause_origins_new(const struct trace_point *m)
{
	struct cause_origins *o = g_new0(struct cause_origins, 1);
	const struct image *im = trace_point_image(m);
	const struct trace_insn *insns;
	size_t n = image_insns(im, &insns);

	o->pcs = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	o->readers = g_ptr_array_new();
	o->others = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	for (size_t i = 0; i < n; i++) {
		uint64_t pc = insns[i].addr + trace_point_frame(m)->bias;
		const char *name = insns[i].flow == TRACE_FLOW_CALL
					   ? image_native_name(im, insns[i].target)
					   : NULL;
		const struct reader *r = find_reader(name);

		if (r) {
			g_array_append_val(o->pcs, pc);
			g_ptr_array_add(o->readers, (gpointer)r);
		} else if (insns[i].flow == TRACE_FLOW_CALL_IND ||
			   (name && may_write_anything(library_find(name)))) {
			g_array_append_val(o->others, pc);
		}
	}
	return o;
}

void cause_origins_free(struct cause_origins *o)
{
	if (!o)
		return;
	g_array_unref(o->pcs);
	g_ptr_array_unref(o->readers);
	g_array_unref(o->others);
	g_free(o);
}

bool cause_reading_before(struct finder *f, uint64_t step, struct reading *out)
{
	const struct cause_origins *o = f->origins;
	struct reverse_index_step at;
	uint64_t pc;

	if (!o->pcs->len)
		return false;
	out->step = reverse_index_find_insn(
		f->index, step, (const uint64_t *)(const void *)o->pcs->data, o->pcs->len);
	if (out->step == UINT64_MAX)
		return false;
	at = *reverse_index_at(f->index, out->step);
	pc = reverse_index_insn_of(f->index, &at)->pc;
	out->result = at.value;
	for (guint i = 0; i < o->pcs->len; i++)
		if (g_array_index(o->pcs, uint64_t, i) == pc)
			out->reader = o->readers->pdata[i];
	for (unsigned i = 1; i <= 6; i++)
		out->known[i] = library_argument(f->index, out->step, i, &out->argument[i]);
	return out->reader != NULL;
}
