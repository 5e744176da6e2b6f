/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/source/stop.h"
#include "solver/base/hash.h"
#include "solver/library/library.h"

#include <string.h>

G_DEFINE_QUARK(stop, stop_error)

void stop_clear(struct stop *s)
{
	g_clear_pointer(&s->places, g_array_unref);
	g_clear_pointer(&s->text, g_free);
}

bool stop_is_at(const struct stop *s, const struct image *im, uint64_t link)
{
	for (guint i = 0; im == s->image && i < s->places->len; i++)
		if (g_array_index(s->places, uint64_t, i) == link)
			return true;
	return false;
}

static bool is_file(const char *path, const char *name)
{
	size_t n = strlen(path), k = strlen(name);

	return n >= k && strcmp(path + n - k, name) == 0 &&
	       (n == k || path[n - k - 1] == '/' || *name == '/');
}

/* Where GDB puts a breakpoint on the function. */
static uint64_t breakpoint_address_of(const struct image_function *f)
{
	return f->moving ? f->lo : f->body;
}

/* A breakpoint on a function's first line stands after its prologue. */
static uint64_t behind_prologue(const struct image_function *f, uint64_t addr)
{
	return addr == f->lo && !f->parent ? breakpoint_address_of(f) : addr;
}

/* What a search through all rows of an image finds. */
struct look {
	bool file, line;  /* is it there? */
	unsigned after;	  /* the next line that has code, 0 = none */
	GHashTable *seen; /* uint64_t *: as GDB does, once in each block, whose code may stand in
			   * several pieces */
	GArray *places;
};

static void look_at_row(const struct image *im, unsigned line, uint64_t addr, unsigned here,
			struct look *look)
{
	const struct image_function *f = image_function_at(im, addr);
	uint64_t block = image_block_of_variables(im, addr), at;

	look->file = true;
	if (here > line && (!look->after || here < look->after))
		look->after = here;
	if (here != line || !f)
		return;
	look->line = true;
	block = block ? block : ~f->lo;
	if (!g_hash_table_add(look->seen, g_memdup2(&block, sizeof(block))))
		return;
	at = behind_prologue(f, addr);
	g_array_append_val(look->places, at);
}

/* Where the line begins first in each function and block. */
static void look_at_beginnings(const struct image *im, const char *file, unsigned line,
			       struct look *look)
{
	const struct image_beginning *all;
	size_t n = image_beginnings(im, &all);

	for (size_t i = 0; i < n; i++)
		if (is_file(all[i].file, file))
			look_at_row(im, line, all[i].addr, all[i].line, look);
}

/* An optimized line may begin nowhere; then this finds its first code. */
static void look_at_code(const struct image *im, const char *file, unsigned line, struct look *look)
{
	const struct trace_insn *insns;
	size_t n = image_insns(im, &insns);

	for (size_t i = 0; i < n; i++) {
		const struct image_row *row = image_row_at(im, insns[i].addr);
		const struct image_statement *s = row ? image_statement(im, row->statement) : NULL;

		if (s && is_file(s->file, file))
			look_at_row(im, line, insns[i].addr, s->line, look);
	}
}

bool stop_find_line(struct image *const *images, size_t n_images, const char *file, unsigned line,
		    struct stop *out, GError **error)
{
	g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	unsigned after = 0;
	bool known = false;

	for (size_t i = 0; i < 2 * n_images; i++) {
		struct image *im = images[i % n_images];
		g_autoptr(GHashTable) seen =
			g_hash_table_new_full(hash_u64, g_int64_equal, g_free, NULL);
		struct look look = { .seen = seen, .places = places };

		if (i < n_images)
			look_at_beginnings(im, file, line, &look);
		else
			look_at_code(im, file, line, &look);
		if (look.line) {
			*out = (struct stop){ im, g_steal_pointer(&places), 1,
					      g_strdup_printf("%s:%u", file, line), false };
			return true;
		}
		after = look.file ? look.after : after;
		known |= look.file;
	}
	if (after)
		g_set_error(error, STOP_ERROR, STOP_ERROR_PLACE,
			    "There is no code at %s:%u; the next line with code is %u.", file, line,
			    after);
	else if (known)
		g_set_error(error, STOP_ERROR, STOP_ERROR_PLACE,
			    "There is no code at %s:%u or after it.", file, line);
	else
		g_set_error(error, STOP_ERROR, STOP_ERROR_PLACE,
			    "No code of the program is from a file %s; name one that it was built "
			    "from.",
			    file);
	return false;
}

/* "*main+4660", "*main-12": an instruction by its distance from a function's entry, as the session
 * says it where the function around it has no plain name. */
static bool find_distant_stop(struct image *const *images, size_t n_images, const char *text,
			      struct stop *out)
{
	const size_t name = strcspn(text, "+-");
	g_autofree char *function = g_strndup(text, name);
	gint64 distance = 0;

	if (!text[name] ||
	    !g_ascii_string_to_signed(text + name, 10, -G_MAXINT32, G_MAXINT32, &distance, NULL))
		return false;
	for (size_t i = 0; i < n_images; i++) {
		const struct image_function *f = image_function_named(images[i], function);
		const uint64_t place = f ? f->lo + (uint64_t)distance : 0;

		if (!f || !image_insn_at(images[i], place))
			continue;
		*out = (struct stop){ images[i], g_array_new(FALSE, FALSE, sizeof(uint64_t)), 1,
				      g_strdup_printf("*%s", text), true };
		g_array_append_val(out->places, place);
		return true;
	}
	return false;
}

static bool find_function_stop(struct image *const *images, size_t n_images, const char *name,
			       struct stop *out, GError **error)
{
	const char *plus = strchr(name, '+');
	g_autofree char *function = plus ? g_strndup(name, (gsize)(plus - name)) : g_strdup(name);
	guint64 offset = 0;

	if (*name == '*' && find_distant_stop(images, n_images, name + 1, out))
		return true;
	if (plus && !g_ascii_string_to_unsigned(plus + 1, 10, 0, G_MAXUINT32, &offset, NULL))
		n_images = 0;
	for (size_t i = 0; i < n_images; i++) {
		const struct image_function *f = image_function_named(images[i], function);
		uint64_t place = !f ? 0 : plus ? f->lo + offset : breakpoint_address_of(f);

		if (!f || (plus && place >= f->hi))
			continue;
		*out = (struct stop){ images[i], g_array_new(FALSE, FALSE, sizeof(uint64_t)), 1,
				      g_strdup(name), plus != NULL };
		g_array_append_val(out->places, place);
		return true;
	}
	g_set_error(error, STOP_ERROR, STOP_ERROR_PLACE,
		    "The program has no function `%s' with debug information; stops are "
		    "FILE:LINE[:COUNT], FUNCTION[+BYTES][:COUNT] or `failure'.",
		    name);
	return false;
}

/* ---- the end of a run ---- */

static const char *called_name(const struct image *im, const struct trace_insn *insn)
{
	const struct trace_mem *m = &insn->mem[0];

	if (insn->flow == TRACE_FLOW_CALL || insn->flow == TRACE_FLOW_JUMP)
		return image_native_name(im, insn->target);
	if ((insn->flow == TRACE_FLOW_CALL_IND || insn->flow == TRACE_FLOW_JUMP_IND) &&
	    insn->n_mem && m->base == TRACE_REG_NONE && m->index == TRACE_REG_NONE)
		return image_slot_name(im, (uint64_t)m->disp);
	return NULL;
}

int stop_status_register(const struct image *im, uint64_t link)
{
	const struct trace_insn *insn = image_insn_at(im, link);
	const struct image_function *f = insn ? image_function_at(im, link) : NULL;

	if (!insn)
		return -1;
	if (insn->flow == TRACE_FLOW_RET)
		return f && strcmp(f->name, "main") == 0 ? TRACE_RAX : -1;
	return library_exits(called_name(im, insn)) ? TRACE_RDI : -1;
}

bool stop_find_exit(struct image *const *images, size_t n_images, struct stop *out, GError **error)
{
	g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(uint64_t));

	for (size_t i = 0; i < n_images && !places->len; i++) {
		const struct trace_insn *insns;
		size_t n = image_insns(images[i], &insns);

		for (size_t k = 0; k < n; k++)
			if (stop_status_register(images[i], insns[k].addr) >= 0)
				g_array_append_val(places, insns[k].addr);
		if (places->len)
			*out = (struct stop){ images[i], g_steal_pointer(&places), 1,
					      g_strdup("exit"), false };
		if (!places)
			return true;
	}
	g_set_error(error, STOP_ERROR, STOP_ERROR_PLACE,
		    "The program's own code neither returns from main nor calls exit; name another "
		    "place with --at.");
	return false;
}

static bool is_number_text(const char *text)
{
	return *text && strspn(text, "0123456789") == strlen(text);
}

bool stop_find(struct image *const *images, size_t n_images, const char *text, struct stop *out,
	       GError **error)
{
	g_auto(GStrv) words = g_strsplit(text, ":", -1);
	unsigned n = g_strv_length(words);
	guint64 line = 0, count = 1;
	bool in_file = n > 1 && is_number_text(words[1]) && strchr(words[0], '.');

	if (n < 1 || n > 2u + in_file || !*words[0] ||
	    (n == 2u + in_file &&
	     (!is_number_text(words[n - 1]) ||
	      !g_ascii_string_to_unsigned(words[n - 1], 10, 1, G_MAXINT64, &count, NULL))) ||
	    (in_file && !g_ascii_string_to_unsigned(words[1], 10, 1, G_MAXINT32, &line, NULL))) {
		g_set_error(error, STOP_ERROR, STOP_ERROR_PLACE,
			    "`%s' is no place to stop at; say FILE:LINE, FILE:LINE:COUNT, "
			    "FUNCTION or FUNCTION:COUNT.",
			    text);
		return false;
	}
	if (in_file ? !stop_find_line(images, n_images, words[0], (unsigned)line, out, error)
		    : !find_function_stop(images, n_images, words[0], out, error))
		return false;
	out->count = count;
	return true;
}
