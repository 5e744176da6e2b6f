/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/question/analysis/native-memory.h"

#include "gdbext/replay/server/native-server.h"
#include "solver/change/code/code-piece.h"

#include <string.h>

enum {
	MOST_RUNS = 8,
	WORDS = 8, /* that one run notes, of 8 bytes */
};

/* Those that functions keep. */
static const unsigned kept[] = { TRACE_RSP, TRACE_RBP, TRACE_RBX, TRACE_R12 };

struct native_memory {
	const struct question *q;
	struct replay_server *server; /* NULL = none was started yet */
	GHashTable *words;	      /* address → struct trace_note */
	unsigned runs;		      /* that are left */
};

struct native_memory *native_memory_new(const struct question *q)
{
	const struct run_source *run = &q->run;
	struct native_memory *m;

	if (!run->replay || q->e->not_run || run->child || run->real_program ||
	    run->failing.run_ms > (double)q->o->limits.second_run_ms ||
	    trace_point_threads(q->point) != 1 || trace_point_image(q->point) != run->images[0])
		return NULL;
	m = g_new0(struct native_memory, 1);
	m->q = q;
	m->runs = MOST_RUNS;
	m->words = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
	return m;
}

void native_memory_free(struct native_memory *m)
{
	if (!m)
		return;
	replay_server_free(m->server);
	g_hash_table_destroy(m->words);
	g_free(m);
}

/* The instruction where the test failed as it is, and what is noted there; NULL: it cannot be
 * executed elsewhere. */
static GArray *notes_of_point(const struct native_memory *m, uint64_t address)
{
	const struct image_frame *frame = trace_point_frame(m->q->point);
	const struct image *im = trace_point_image(m->q->point);
	const struct trace_insn *insn = image_insn_at(im, frame->pc);
	GArray *actions = g_array_new(FALSE, FALSE, sizeof(struct trace_action));
	struct trace_action note = { .kind = TRACE_ACTION_CODE_NOTE, .size = 8 };
	struct code_piece piece = { 0 };
	size_t avail = 0;
	const uint8_t *now = insn ? image_bytes(im, insn->addr, &avail) : NULL;

	if (!now || avail < insn->length ||
	    !code_piece_insns(&piece, now, insn->length, insn->addr)) {
		g_array_unref(actions);
		return NULL;
	}
	code_piece_actions(&piece, insn->addr, insn->length, actions);
	for (size_t i = 0; i < G_N_ELEMENTS(kept); i++) {
		note.reg = (uint16_t)(kept[i] | TRACE_NOTE_REG);
		g_array_append_val(actions, note);
	}
	note.reg = TRACE_RSP;
	for (unsigned i = 0; i < WORDS; i++) {
		note.addr = address + 8 * i - frame->regs[TRACE_RSP];
		g_array_append_val(actions, note);
	}
	return actions;
}

/* Is it the time at which the record stands? */
static bool has_kept_registers(const struct native_memory *m, const struct trace_note *at)
{
	const struct image_frame *frame = trace_point_frame(m->q->point);

	for (size_t i = 0; i < G_N_ELEMENTS(kept); i++)
		if (!at[i].known || at[i].value != frame->regs[kept[i]])
			return false;
	return true;
}

/* What was noted when control came there as often as in the record; NULL: it did not, or the run
 * went otherwise. */
static const struct trace_note *noted_at_point(const struct native_memory *m, const GArray *notes,
					       unsigned width, bool all)
{
	const uint64_t times = trace_point_passed(m->q->point);
	const uint64_t hits = width ? notes->len / width : 0;
	const struct trace_note *at;

	if (width != G_N_ELEMENTS(kept) + WORDS || hits < MAX(times, 1) || (!times && !all))
		return NULL;
	at = &g_array_index(notes, struct trace_note, width * ((times ? times : hits) - 1));
	return has_kept_registers(m, at) ? at : NULL;
}

static bool is_run_made(struct native_memory *m, const GArray *actions)
{
	const uint64_t most_us = 1000 * m->q->o->limits.second_run_ms;

	if (!m->server)
		m->server = replay_server_new(m->q->run.replay, NULL, 0, NULL);
	return m->server && actions->len <= TRACE_MOST_SERVED &&
	       replay_server_run(m->server,
				 (const struct trace_action *)(const void *)actions->data,
				 actions->len, most_us, NULL, NULL, NULL);
}

/* Notes the words from that address on. */
static void note_native_words(struct native_memory *m, uint64_t address)
{
	g_autoptr(GArray) actions = notes_of_point(m, address);
	g_autoptr(GArray) notes = NULL;
	const struct trace_note *at;
	unsigned width = 0;
	bool all = false;

	m->runs--;
	if (!actions || !is_run_made(m, actions)) {
		m->runs = 0;
		return;
	}
	notes = replay_server_notes(m->server, &width, &all);
	at = noted_at_point(m, notes, width, all);
	if (!at)
		m->runs = 0;
	for (unsigned i = 0; at && i < WORDS; i++, address += 8)
		g_hash_table_insert(m->words, g_memdup2(&address, sizeof address),
				    g_memdup2(&at[G_N_ELEMENTS(kept) + i], sizeof *at));
}

static bool read_native_byte(struct native_memory *m, uint64_t address, uint8_t *byte)
{
	const uint64_t word = address & ~UINT64_C(7);
	const struct trace_note *n = g_hash_table_lookup(m->words, &word);

	if (!n && m->runs) {
		note_native_words(m, word);
		n = g_hash_table_lookup(m->words, &word);
	}
	if (!n || !n->known)
		return false;
	*byte = (uint8_t)(n->value >> 8 * (address - word));
	return true;
}

bool native_memory_read(void *memory, uint64_t address, unsigned size, uint64_t *value)
{
	uint8_t bytes[8] = { 0 };

	if (size > sizeof(bytes))
		return false;
	for (unsigned i = 0; i < size; i++)
		if (!read_native_byte(memory, address + i, &bytes[i]))
			return false;
	memcpy(value, bytes, sizeof bytes);
	return true;
}
