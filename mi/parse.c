/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mi/parse.h"
#include "mi/syntax.h"

#include <string.h>

/* In the middle of a line, a record is looked for at this many places only, because otherwise
 * a long line full of marks would cost the square of its length. */
#define TRIES_MAX 64
/* A line buffer that has become larger than this is freed after the line. */
#define BUFFER_KEPT ((size_t)1 << 20)

struct mi_parser {
	mi_record_fn *callback;
	void *arg;
	size_t line_max;
	GString *line;	  /* the beginning of a line, at most line_max bytes */
	bool in_overlong; /* earlier pieces of this line were given out */
};

struct mi_parser *mi_parser_new(mi_record_fn *callback, void *arg)
{
	struct mi_parser *parser = g_new0(struct mi_parser, 1);

	parser->callback = callback;
	parser->arg = arg;
	parser->line_max = MI_LINE_MAX;
	parser->line = g_string_new(NULL);
	return parser;
}

void mi_parser_free(struct mi_parser *parser)
{
	if (!parser)
		return;
	g_string_free(parser->line, TRUE);
	g_free(parser);
}

void mi_parser_set_line_max(struct mi_parser *parser, size_t max)
{
	g_assert(max >= 1);
	parser->line_max = max;
}

static void give_text(struct mi_parser *parser, const char *text, size_t length, bool ended)
{
	struct mi_record *record = g_new0(struct mi_record, 1);

	record->kind = MI_TARGET_OUTPUT;
	record->text = g_malloc(length + 1);
	memcpy(record->text, text, length);
	record->text[length] = 0;
	record->length = length;
	record->ended = ended;
	parser->callback(record, parser->arg);
}

/* What a line says: prompts, and at most one record behind them. */
struct said {
	unsigned prompts;
	struct mi_record *record;
};

/* Reads all of line..end as MI; false when it is not. */
static bool read_mi(const char *line, const char *end, struct said *said)
{
	said->prompts = 0;
	said->record = NULL;
	while (mi_syntax_prompt(line, end, &line))
		said->prompts++;
	if (line == end)
		return said->prompts > 0;
	said->record = mi_syntax_record(line, end);
	return said->record != NULL;
}

static bool read_usual_mi(const char *line, const char *end, struct said *said)
{
	if (!read_mi(line, end, said))
		return false;
	if (said->record && !mi_syntax_is_usual(said->record)) {
		g_clear_pointer(&said->record, mi_record_free);
		return false;
	}
	return true;
}

static void give_mi(struct mi_parser *parser, const struct said *said)
{
	for (unsigned i = 0; i < said->prompts; i++) {
		struct mi_record *prompt = g_new0(struct mi_record, 1);

		prompt->kind = MI_PROMPT;
		parser->callback(prompt, parser->arg);
	}
	if (said->record)
		parser->callback(said->record, parser->arg);
}

/* Where the token of a mark inside a line begins. */
static const char *token_before(const char *line, const char *mark)
{
	const char *start = mark;

	while (start > line && g_ascii_isdigit(start[-1]))
		start--;
	return start > line ? start : mark;
}

/* The line begins with text that the program printed, and goes on with what GDB says. */
static bool give_text_and_mi(struct mi_parser *parser, const char *line, const char *end)
{
	const char *mark = line;

	for (unsigned tries = 0; tries < TRIES_MAX; tries++) {
		struct said said;
		const char *start;

		do {
			if (++mark >= end)
				return false;
		} while (!*mark || !strchr("^*=~@&(", *mark));
		start = token_before(line, mark);
		if (!read_usual_mi(start, end, &said)) {
			start = mark;
			if (!read_usual_mi(start, end, &said))
				continue;
		}
		give_text(parser, line, (size_t)(start - line), false);
		give_mi(parser, &said);
		return true;
	}
	return false;
}

/* A whole line without its line feed; ended: there was one. */
static void read_mi_line(struct mi_parser *parser, const char *line, size_t length, bool ended)
{
	const char *end = line + length;
	struct said said;

	if (parser->in_overlong) {
		parser->in_overlong = false;
		give_text(parser, line, length, ended);
		return;
	}
	while (end > line && end[-1] == '\r')
		end--;
	if (read_mi(line, end, &said))
		give_mi(parser, &said);
	else if (!give_text_and_mi(parser, line, end))
		give_text(parser, line, length, ended);
}

static void empty_buffer(struct mi_parser *parser)
{
	if (parser->line->allocated_len > BUFFER_KEPT) {
		g_string_free(parser->line, TRUE);
		parser->line = g_string_new(NULL);
	}
	g_string_truncate(parser->line, 0);
}

/* Adds as many bytes to the line as it has room for. Bytes that are left over mean that the
 * line is too long. */
static size_t add_to_line(struct mi_parser *parser, const char *bytes, size_t n)
{
	size_t room = parser->line_max - parser->line->len;

	g_string_append_len(parser->line, bytes, (gssize)MIN(n, room));
	if (n <= room)
		return n;
	parser->in_overlong = true;
	give_text(parser, parser->line->str, parser->line->len, false);
	empty_buffer(parser);
	return room;
}

void mi_parser_feed(struct mi_parser *parser, const char *bytes, size_t n)
{
	const char *end = bytes + n;

	while (bytes < end) {
		const char *feed = memchr(bytes, '\n', (size_t)(end - bytes));
		const char *stop = feed ? feed : end;

		while (bytes < stop)
			bytes += add_to_line(parser, bytes, (size_t)(stop - bytes));
		if (feed) {
			read_mi_line(parser, parser->line->str, parser->line->len, true);
			empty_buffer(parser);
			bytes = feed + 1;
		}
	}
}

void mi_parser_end(struct mi_parser *parser)
{
	if (parser->line->len)
		read_mi_line(parser, parser->line->str, parser->line->len, false);
	empty_buffer(parser);
	parser->in_overlong = false;
}
