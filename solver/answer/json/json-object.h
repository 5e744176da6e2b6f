/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads an answer out of a JSON document that the caller has parsed.  Other callers use
 * json-read.h. */
#ifndef SOLVER_ANSWER_JSON_JSON_OBJECT_H
#define SOLVER_ANSWER_JSON_JSON_OBJECT_H

#include "solver/explanation.h"

#include <json-glib/json-glib.h>

/* As tui_json_read, of an object that is parsed already. */
struct explanation *json_object_to_explanation(JsonObject *o, GError **error);

#endif
