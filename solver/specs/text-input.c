/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/specs/text-input.h"

#include <string.h>

enum kind { GIVES_BYTE, READS, READS_BLOCKS, READS_LINE, LOSES_TRACK };

static const struct {
	const char *name;
	enum kind kind;
} readers[] = {
	{ "getchar", GIVES_BYTE },
	{ "getc", GIVES_BYTE },
	{ "fgetc", GIVES_BYTE },
	{ "_IO_getc", GIVES_BYTE },
	{ "getchar_unlocked", GIVES_BYTE },
	{ "getc_unlocked", GIVES_BYTE },
	{ "read", READS },
	{ "fread", READS_BLOCKS },
	{ "fgets", READS_LINE },
	{ "scanf", LOSES_TRACK },
	{ "__isoc99_scanf", LOSES_TRACK },
	{ "__isoc23_scanf", LOSES_TRACK },
	{ "fscanf", LOSES_TRACK },
	{ "__isoc99_fscanf", LOSES_TRACK },
	{ "__isoc23_fscanf", LOSES_TRACK },
	{ "getline", LOSES_TRACK },
	{ "getdelim", LOSES_TRACK },
	{ "ungetc", LOSES_TRACK },
};

/* What a call took. */
struct piece {
	uint64_t step;
	uint64_t at; /* the buffer; 0 = it returned the byte */
	uint64_t offset, length;
};

struct text_input {
	const char *text;
	uint64_t length, taken;
	bool is_lost;
	GArray *pieces; /* struct piece, by step */
};

struct text_input *text_input_new(const char *text)
{
	struct text_input *t = g_new0(struct text_input, 1);

	t->text = text;
	t->length = strlen(text);
	t->pieces = g_array_new(FALSE, FALSE, sizeof(struct piece));
	return t;
}

void text_input_free(struct text_input *t)
{
	if (!t)
		return;
	g_array_unref(t->pieces);
	g_free(t);
}

static uint64_t line_length(const struct text_input *t, uint64_t room)
{
	uint64_t left = t->length - t->taken;
	const char *end = memchr(t->text + t->taken, '\n', left);

	if (end)
		left = (uint64_t)(end - t->text) - t->taken + 1;
	return room ? MIN(left, room - 1) : 0;
}

static void take_input_text(struct text_input *t, uint64_t step, uint64_t at, uint64_t length)
{
	struct piece p = { step, at, t->taken, length };

	g_array_append_val(t->pieces, p);
	t->taken = MIN(t->taken + length, t->length);
}

/* A call that gave something else read another file. */
static void take_byte(struct text_input *t, uint64_t step, uint64_t result)
{
	int32_t byte = t->taken < t->length ? (uint8_t)t->text[t->taken] : -1;

	if ((int32_t)result == byte)
		take_input_text(t, step, 0, 1);
}

void text_input_note(struct text_input *t, const struct trace_step *step,
		     const uint64_t arguments[3], uint64_t result)
{
	uint64_t left = t->length - t->taken;
	size_t i = 0;

	while (i < G_N_ELEMENTS(readers) && strcmp(readers[i].name, step->native_name) != 0)
		i++;
	if (i == G_N_ELEMENTS(readers) || t->is_lost)
		return;
	switch (readers[i].kind) {
	case GIVES_BYTE:
		take_byte(t, step->number, result);
		break;
	case READS:
		if (arguments[0] == 0 && result <= left)
			take_input_text(t, step->number, arguments[1], result);
		break;
	case READS_BLOCKS:
		if (result <= left && arguments[1] * result <= left)
			take_input_text(t, step->number, arguments[0], arguments[1] * result);
		break;
	case READS_LINE:
		if (result)
			take_input_text(t, step->number, arguments[0],
					line_length(t, arguments[1] & UINT32_MAX));
		break;
	case LOSES_TRACK:
		t->is_lost = true;
	}
}

bool text_input_returned(const struct text_input *t, uint64_t step, unsigned *offset)
{
	for (guint i = 0; i < t->pieces->len; i++) {
		const struct piece *p = &g_array_index(t->pieces, struct piece, i);

		if (p->step != step || p->at)
			continue;
		*offset = (unsigned)p->offset;
		return true;
	}
	return false;
}

bool text_input_at(const struct text_input *t, uint64_t address, uint64_t step, unsigned *offset)
{
	for (guint i = t->pieces->len; i > 0; i--) { /* the last one has written it */
		const struct piece *p = &g_array_index(t->pieces, struct piece, i - 1);

		if (p->step >= step || !p->at || address < p->at || address - p->at >= p->length)
			continue;
		*offset = (unsigned)(p->offset + address - p->at);
		return true;
	}
	return false;
}

void text_input_set_number(char **text, unsigned offset, int64_t value)
{
	const char *from = *text + MIN(offset, strlen(*text)), *to;
	char *changed;

	from += strspn(from, " \t\n");
	to = from + (*from == '-' || *from == '+');
	to += strspn(to, "0123456789");
	changed = g_strdup_printf("%.*s%" G_GINT64_FORMAT "%s", (int)(from - *text), *text, value,
				  to);
	g_free(*text);
	*text = changed;
}
