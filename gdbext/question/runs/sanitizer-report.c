/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/question/runs/sanitizer-report.h"
#include "gdbext/question/runs/native-run.h"
#include "gdbext/replay/replay.h"

#include <string.h>

/* "    #0 0x55d1 in append /home/me/list.c:12:3"; NULL = the line is another one. */
static char *place_in_report(const char *line, const char *directory)
{
	g_autoptr(GRegex) frame =
		g_regex_new("^ *#\\d+ 0x[[:xdigit:]]+ in (.+) (\\S+?):(\\d+)(:\\d+)?$",
			    G_REGEX_DEFAULT, G_REGEX_MATCH_DEFAULT, NULL);
	g_autoptr(GMatchInfo) match = NULL;
	g_autofree char *function = NULL, *file = NULL, *number = NULL, *path = NULL, *base = NULL;

	if (!g_regex_match(frame, line, G_REGEX_MATCH_DEFAULT, &match))
		return NULL;
	function = g_match_info_fetch(match, 1);
	file = g_match_info_fetch(match, 2);
	number = g_match_info_fetch(match, 3);
	path = g_canonicalize_filename(file, directory);
	if (!g_file_test(path, G_FILE_TEST_EXISTS))
		return NULL;
	base = g_path_get_basename(file);
	return g_strdup_printf("%s:%s in %s", base, number, function);
}

static const char mark[] = "ERROR: AddressSanitizer: ";

bool sanitizer_report_access(const char *path, struct memory_reported *access)
{
	g_autoptr(GRegex) first = g_regex_new("on (?:address )?0x([[:xdigit:]]+)"
					      "(?:.*\n(READ|WRITE) of size (\\d+) at)?",
					      G_REGEX_DEFAULT, G_REGEX_MATCH_DEFAULT, NULL);
	g_autoptr(GMatchInfo) match = NULL;
	g_autofree char *text = NULL, *address = NULL, *how = NULL, *size = NULL;
	const char *at;

	if (!g_file_get_contents(path, &text, NULL, NULL) || !(at = strstr(text, mark)) ||
	    !g_utf8_validate(at, -1, NULL) ||
	    !g_regex_match(first, at, G_REGEX_MATCH_DEFAULT, &match))
		return false;
	address = g_match_info_fetch(match, 1);
	how = g_match_info_fetch(match, 2);
	size = g_match_info_fetch(match, 3);
	*access = (struct memory_reported){ .address = g_ascii_strtoull(address, NULL, 16),
					    .size = size ? g_ascii_strtoull(size, NULL, 10) : 0,
					    .writes = g_strcmp0(how, "WRITE") == 0 };
	return true;
}

char *sanitizer_report_of(const char *text, const char *directory)
{
	const char *at = strstr(text, mark);
	g_autofree char *what = NULL, *place = NULL;
	g_auto(GStrv) lines = NULL;

	if (!at)
		return NULL;
	at += strlen(mark);
	what = g_strndup(at, strcspn(at, " \n"));
	lines = g_strsplit(at, "\n", -1);
	/* the first stack is that of the access; an empty line ends it */
	for (char **line = lines; *line && **line && !place; line++)
		place = place_in_report(*line, directory);
	return place ? g_strdup_printf("%s at %s", what, place) : g_steal_pointer(&what);
}

void sanitizer_report_add(const struct options *o, GError **error)
{
	struct native_run run;
	g_autofree char *report = NULL;

	if (o->record || !error || !g_error_matches(*error, REPLAY_ERROR, REPLAY_ERROR_SANITIZED) ||
	    !native_run(o, o->program[0], &run, NULL))
		return;
	report = sanitizer_report_of(run.text[PRINTED_ERR]->str, o->directory);
	native_run_clear(&run);
	if (report) {
		GError *said = g_error_new(REPLAY_ERROR, REPLAY_ERROR_SANITIZED,
					   "%s  AddressSanitizer itself reports %s.",
					   (*error)->message, report);

		g_error_free(*error);
		*error = said;
	}
}
