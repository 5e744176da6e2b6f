/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the search decided, one line of JSON for each decision: --trace-search. */
#ifndef SOLVER_ANSWER_JSON_JSON_DECISION_H
#define SOLVER_ANSWER_JSON_JSON_DECISION_H

#include "solver/search/search.h"

/* {"candidate": [{"file", "line", "column"} …], "technique", "verdict", "runs", "ms"}, with a
 * newline; caller frees. */
char *json_of_decision(const struct search *s, const struct search_decision *d);

#endif
