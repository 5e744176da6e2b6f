/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads what json.h writes: an answer that another process found. */
#ifndef SOLVER_ANSWER_JSON_JSON_READ_H
#define SOLVER_ANSWER_JSON_JSON_READ_H

#include "solver/explanation.h"

#define TUI_JSON_ERROR tui_json_error_quark()
GQuark tui_json_error_quark(void);
enum tui_json_error {
	TUI_JSON_ERROR_SYNTAX, /* it is no JSON, or does not follow this schema */
};

/* The explanation belongs to the caller.  Fields that are missing or have another type are
 * taken as not known; indices that lead nowhere are left out.  Its .sources are read from the
 * files that it names, if these are there. */
struct explanation *tui_json_read(const char *text, gssize length, GError **error);

#endif
