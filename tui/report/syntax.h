/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keywords, literals and comments of C and C++.  Everything else is plain. */
#ifndef TUI_REPORT_SYNTAX_H
#define TUI_REPORT_SYNTAX_H

#include "tui/report/color.h"

/* The length of the token that begins at p, which is not the end.  first: nothing but blanks stands
 * before it in its line.  *inside: in a comment. */
size_t tui_syntax_token(const char *p, bool first, bool *inside, enum tui_role *role);

#endif
