/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/change/source/text-mutant.h"

#include "solver/change/code/code-piece-private.h"
#include "solver/source/expression/expression.h"

#include <Zydis/Zydis.h>
#include <string.h>

/* ---- the comparison in the source ---- */

struct sides {
	char *left, *right;
	bool equal; /* `==', not `!=' */
};

/* The first comparison of the statement there; false: it has none. */
static bool find_sides(struct mutant_maker *x, uint64_t addr, struct sides *out)
{
	static const char pattern[] = "([\\w.\\[\\]]+(?:->[\\w.\\[\\]]+)*) ?([=!])= ?"
				      "([\\w.\\[\\]]+(?:->[\\w.\\[\\]]+)*|\"[^\"]*\")";
	g_autoptr(GRegex) regex = g_regex_new(pattern, 0, 0, NULL);
	g_autoptr(GMatchInfo) found = NULL;
	const struct image_row *row = image_row_at(x->im, addr);
	const struct image_statement *st = row ? image_statement(x->im, row->statement) : NULL;
	const char *line = st ? image_source_line(x->im, st->file, st->line) : NULL;
	g_autofree char *sign = NULL;

	if (!line || !g_regex_match(regex, line, 0, &found))
		return false;
	sign = g_match_info_fetch(found, 2);
	*out = (struct sides){ g_match_info_fetch(found, 1), g_match_info_fetch(found, 3),
			       *sign == '=' };
	return true;
}

static void sides_clear(struct sides *s)
{
	g_free(s->left);
	g_free(s->right);
}

/* Is it a pointer to characters, or an array of them? */
static bool points_to_text(const struct mutant_maker *x, uint64_t addr, const char *text)
{
	const struct image_frame frame = { .pc = addr };
	struct expression found;
	const struct image_type *t;

	if (*text == '"')
		return true;
	t = expression_look_up(x->im, &frame, text, &found) ? found.type : NULL;
	return t && (t->kind == IMAGE_TYPE_POINTER || t->kind == IMAGE_TYPE_ARRAY) && t->target &&
	       t->target->kind == IMAGE_TYPE_CHAR && t->target->size == 1;
}

/* ---- its code ---- */

struct comparison {
	const struct trace_insn *insn, *jump;
	ZydisDecodedInstruction i;
	ZydisDecodedOperand o[ZYDIS_MAX_OPERAND_COUNT];
	bool jumps_when_equal;
};

static bool is_of_addresses(const struct image *im, struct comparison *c)
{
	ZydisDecoder decoder;
	size_t avail = 0;
	const uint8_t *bytes = image_bytes(im, c->insn->addr, &avail);

	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	if (!bytes ||
	    !ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, bytes, MIN(avail, 15u), &c->i, c->o)) ||
	    c->i.mnemonic != ZYDIS_MNEMONIC_CMP || c->i.operand_count_visible != 2)
		return false;
	for (unsigned k = 0; k < 2; k++)
		if (c->o[k].size != 64 || c->o[k].type == ZYDIS_OPERAND_TYPE_IMMEDIATE ||
		    (c->o[k].type == ZYDIS_OPERAND_TYPE_MEMORY &&
		     c->o[k].mem.base == ZYDIS_REGISTER_RSP))
			return false;
	return true;
}

/* A comparison of two addresses, and the jump by whether they are equal. */
static bool find_comparison(const struct image *im, const GArray *addrs, struct comparison *out)
{
	for (guint i = 1; i < addrs->len; i++) {
		size_t avail = 0;
		const uint8_t *now;
		uint8_t condition;

		out->insn = image_insn_at(im, g_array_index(addrs, uint64_t, i - 1));
		out->jump = image_insn_at(im, g_array_index(addrs, uint64_t, i));
		now = image_bytes(im, out->jump->addr, &avail);
		if (out->jump->flow != TRACE_FLOW_COND || !now || avail < out->jump->length ||
		    out->insn->addr + out->insn->length != out->jump->addr)
			continue;
		condition = now[now[0] == 0x0f] & 15;
		out->jumps_when_equal = condition == 4;
		if ((condition | 1) == 5 && is_of_addresses(im, out))
			return true;
	}
	return false;
}

/* ---- the mutant ---- */

/* The operand to the register. */
static bool put_operand(struct code_piece *c, const struct comparison *of, unsigned operand,
			ZydisRegister to)
{
	ZydisEncoderRequest r;
	uint8_t bytes[ZYDIS_MAX_INSTRUCTION_LENGTH];
	ZyanUSize size = sizeof bytes;

	if (!ZYAN_SUCCESS(ZydisEncoderDecodedInstructionToEncoderRequest(&of->i, of->o, 2, &r)))
		return false;
	r.mnemonic = ZYDIS_MNEMONIC_MOV;
	r.prefixes = 0;
	r.operands[1] = r.operands[operand];
	r.operands[0] =
		(ZydisEncoderOperand){ .type = ZYDIS_OPERAND_TYPE_REGISTER, .reg.value = to };
	/* a distance from the program counter counts from the end of the comparison */
	return ZYAN_SUCCESS(ZydisEncoderEncodeInstruction(&r, bytes, &size)) &&
	       code_piece_insns(c, bytes, (unsigned)size, of->insn->addr + of->insn->length - size);
}

static bool put_way_out(struct code_piece *c, uint64_t to)
{
	return code_piece_restore(c) && code_piece_bytes(c, (const uint8_t[5]){ 0xe9 }, 5) &&
	       code_piece_link(c, c->size - 4, c->size, to);
}

/* Compares the characters at r11, in which unoptimized code keeps nothing, and rax. */
static bool write_text_comparison(struct code_piece *c, const struct comparison *of)
{
	static const uint8_t loop[] = {
		0x8a, 0x08,	  /* mov (%rax),%cl */
		0x41, 0x3a, 0x0b, /* cmp (%r11),%cl */
		0x75, 0,	  /* jne, to the second end */
		0x84, 0xc9,	  /* test %cl,%cl */
		0x74, 8,	  /* je, to the first end */
		0x48, 0xff, 0xc0, /* inc %rax */
		0x49, 0xff, 0xc3, /* inc %r11 */
		0xeb, 0xed,	  /* jmp */
	};
	const uint64_t next = of->jump->addr + of->jump->length, target = of->jump->target;
	unsigned differs;

	if (!code_piece_save(c) || !put_operand(c, of, 0, ZYDIS_REGISTER_R11) ||
	    !put_operand(c, of, 1, ZYDIS_REGISTER_RAX) || !code_piece_bytes(c, loop, sizeof loop))
		return false;
	differs = c->size - sizeof loop + 7;
	if (!put_way_out(c, of->jumps_when_equal ? target : next))
		return false;
	c->bytes[differs - 1] = (uint8_t)(c->size - differs);
	return put_way_out(c, of->jumps_when_equal ? next : target);
}

void text_mutants_of_line(struct mutant_maker *x, const GArray *addrs, GArray *all)
{
	struct comparison of;
	struct sides s;
	struct code_piece *piece;
	struct mutant made = { .kind = MUTANT_MISSING };
	g_autofree char *words = NULL;

	if (!find_comparison(x->im, addrs, &of) || !find_sides(x, of.insn->addr, &s))
		return;
	made.addr = of.jump->addr;
	made.length = of.jump->length;
	made.piece = piece = mutant_maker_piece(x);
	words = g_strdup_printf("`strcmp(%s, %s) %c= 0' for comparing addresses", s.left, s.right,
				s.equal ? '=' : '!');
	made.words = g_string_chunk_insert_const(x->words, words);
	if (points_to_text(x, of.insn->addr, s.left) && points_to_text(x, of.insn->addr, s.right) &&
	    write_text_comparison(piece, &of))
		g_array_append_val(all, made);
	sides_clear(&s);
}
