/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of this room share: one row for each option, from which
 * both the reading of the command line and the help are made. */
#ifndef GDBEXT_OPTIONS_OPTIONS_PRIVATE_H
#define GDBEXT_OPTIONS_OPTIONS_PRIVATE_H

#include "gdbext/options/options.h"

#include <stddef.h>

enum option_kind {
	OPTION_FLAG,	/* bool */
	OPTION_FILE,	/* char * */
	OPTION_FILES,	/* char **, repeatable */
	OPTION_SECONDS, /* double */
	OPTION_COUNT,	/* unsigned, min to G_MAXINT32 */
	OPTION_SIZE,	/* guint64, bytes: a number and K, M, G or nothing */
	OPTION_CHOICE,	/* int: index into choices */
	OPTION_LIMIT,	/* a row of solver/limits */
};

/* The commands that take an option. */
enum {
	EXPLAIN = 1 << OPTIONS_EXPLAIN,
	RECORD = 1 << OPTIONS_RECORD,
	ASK = 1 << OPTIONS_ASK,
	RANK = 1 << OPTIONS_RANK,
	PANEL = 1 << OPTIONS_PANEL,
	TRY = 1 << OPTIONS_TRY,
	REGRESS = 1 << OPTIONS_REGRESS,
	SPECS = 1 << OPTIONS_SPECS,
	LESSON = 1 << OPTIONS_LESSON,
	EVALUATE = 1 << OPTIONS_EVALUATE,
	PRINT = EXPLAIN | ASK,
	SEARCH = EXPLAIN | ASK | PANEL,
	TEST = EXPLAIN | RECORD | ASK | PANEL,
	ALL = TEST | RANK | TRY,
	SUITE = EXPLAIN | RANK | EVALUATE,
	WEIGH = EXPLAIN | PANEL,
	KNOWN = EXPLAIN | RANK | PANEL,
};
struct option_row {
	unsigned commands;
	const char *name;
	char letter;
	enum option_kind kind;
	size_t at;		    /* offset in struct options */
	const char *arg;	    /* the name of the value in --help */
	const char *const *choices; /* when kind == OPTION_CHOICE */
	double standard;	    /* default: seconds, a count (below min: the help says it),
				     * or the index of the choice */
	unsigned min;		    /* when kind == OPTION_COUNT */
	const char *help;
	bool expert;	  /* --help lists it after the ordinary options */
	bool hidden;	  /* it is ours: --help does not list it */
	enum limit limit; /* when kind == OPTION_LIMIT */
};

/* What one exit status means. */
struct option_status {
	unsigned commands;
	int status;
	const char *meaning;
};

/* The commands' names, by enum options_command: those before OPTIONS_SESSION. */
enum { N_OPTION_NAMES = OPTIONS_SESSION, MOST_OPTIONS = 128 };
extern const char *const option_names[N_OPTION_NAMES];

/* At most MOST_OPTIONS. */
extern const struct option_row option_rows[];
extern const size_t n_option_rows;

extern const struct option_status option_statuses[];
extern const size_t n_option_statuses;

static inline bool option_is_for(const struct option_row *row, enum options_command command)
{
	return row->commands & 1u << command;
}

/* The values of the options as GOption has read them, as text. options-value.c reads numbers and
 * names from them, so that every mistake is told in the same words. */
union option_raw {
	gboolean flag;
	char *text;
	char **texts;
};

/* Puts the row's value, or its default, into its field; what it keeps is taken out of raw. */
bool option_read(const struct option_row *row, union option_raw *raw, struct options *o,
		 GError **error);
/* raw has an element for each row. */
void options_raw_clear(union option_raw *raw);

/* Do the options of these commands go together, and with the words behind them?  Fills in
 * defaults. */
bool options_check_rank(char **rest, struct options *o, GError **error);
bool options_check_explain(char **rest, const struct options *o, GError **error);
/* Can a file be made where the answer goes?  It is better to know that before the work. */
bool options_check_output(const struct options *o, GError **error);

#endif
