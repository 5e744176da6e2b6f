/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For those who have read the JSON around an answer themselves; others use json-read.h. */
#ifndef SOLVER_ANSWER_JSON_JSON_OBJECT_H
#define SOLVER_ANSWER_JSON_JSON_OBJECT_H

#include "solver/explanation.h"

#include <json-glib/json-glib.h>

/* As tui_json_read, of an object that is parsed already. */
struct explanation *json_object_to_explanation(JsonObject *o, GError **error);

#endif
