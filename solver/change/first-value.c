/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/change/first-value.h"

#include "solver/change/code/mutant-insn.h"
#include "solver/image/variable/variable.h"
#include "solver/source/operand-text.h"

#include <string.h>

/* The class whose constructor the function is; NULL: it is none. */
static const struct image_type *class_constructed(const struct image *im,
						  const struct image_function *f)
{
	const struct image_type *t =
		f && image_function_has_object(im, f) ? image_parameter_type(im, f, 0) : NULL;
	const char *name = t && t->target && t->target->name ? t->target->name : "";
	const size_t length = strcspn(name, "<");

	return length && strlen(f->name) == length && strncmp(f->name, name, length) == 0
		       ? t->target
		       : NULL;
}

/* The member of the class or of its bases at so many bytes. */
static const struct image_member *declared_member_at(const struct image_type *t, uint64_t at)
{
	for (uint32_t i = 0; i < t->n_members; i++) {
		const struct image_member *m = &t->members[i];
		const uint64_t from = m->bit_offset / 8;

		if (m->name && from == at && !m->bit_size)
			return m;
		if (!m->name && m->type && at >= from && at - from < m->type->size)
			return declared_member_at(m->type, at - from);
	}
	return NULL;
}

/* Does it store at a place that a register points to? */
static bool stores_in_object(const struct insn *in)
{
	const ZydisDecodedOperand *to = &in->o[0];

	return in->i.operand_count_visible && to->type == ZYDIS_OPERAND_TYPE_MEMORY &&
	       to->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE &&
	       to->mem.base != ZYDIS_REGISTER_RBP && to->mem.base != ZYDIS_REGISTER_RSP &&
	       to->mem.base != ZYDIS_REGISTER_RIP && to->mem.index == ZYDIS_REGISTER_NONE;
}

/* The instruction there if it stores in an object, or the one behind it, to which it hands a
 * constant of floating point. */
static bool decode_store(const struct image *im, uint64_t addr, struct insn *out)
{
	struct insn in;

	if (!mutant_decode(im, addr, &in))
		return false;
	*out = in;
	if (!insn_is_rip_relative(&in) || in.o[0].type != ZYDIS_OPERAND_TYPE_REGISTER)
		return stores_in_object(out);
	return mutant_decode(im, addr + in.i.length, out) &&
	       out->o[1].type == ZYDIS_OPERAND_TYPE_REGISTER &&
	       out->o[1].reg.value == in.o[0].reg.value && stores_in_object(out);
}

/* `sales = 1' of `int rest = 0, sales = 1;' or `int sales{1};' */
static char *value_declared(const char *line, const char *name)
{
	g_autofree char *quoted = g_regex_escape_string(name, -1);
	g_autofree char *pattern =
		g_strdup_printf("\\b%s\\s*(?:=\\s*|\\{\\s*)([^\\s,;{}][^,;{}]*)", quoted);
	g_autoptr(GRegex) regex = g_regex_new(pattern, 0, 0, NULL);
	g_autoptr(GMatchInfo) found = NULL;
	g_autofree char *value = NULL;

	if (!g_regex_match(regex, line, 0, &found))
		return NULL;
	value = g_match_info_fetch(found, 1);
	return g_strdup_printf("%s = %s;", name, g_strchomp(value));
}

static char *place_declared(const struct image_member *m, const struct image_statement *s)
{
	g_autofree char *file = strcmp(m->file, s->file) != 0 ? g_path_get_basename(m->file) : NULL;

	return g_strdup_printf("line %u%s%s", m->line, file ? " of " : "", file ? file : "");
}

bool first_value_stored(const struct image *im, uint64_t addr, struct first_value *out)
{
	struct insn store;
	const struct image_type *t = decode_store(im, addr, &store)
					     ? class_constructed(im, image_function_at(im, addr))
					     : NULL;
	const struct image_member *m =
		t ? declared_member_at(t, (uint64_t)store.o[0].mem.disp.value) : NULL;
	const struct image_row *row = m ? image_row_at(im, addr) : NULL;
	const struct image_statement *s = row ? image_statement(im, row->statement) : NULL;
	const char *declared = s && m->file ? image_source_line(im, m->file, m->line) : NULL;
	const char *begins = s ? image_source_line(im, s->file, s->line) : NULL;
	char *text;

	/* a constructor that has a value of its own takes that */
	if (!declared || (begins && operand_text_has_word(begins, m->name)))
		return false;
	text = value_declared(declared, m->name);
	if (!text)
		return false;
	*out = (struct first_value){ text, place_declared(m, s) };
	return true;
}

void first_value_clear(struct first_value *f)
{
	g_free(f->text);
	g_free(f->where);
}
