/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An HTML page that loads nothing and has no script. */
#ifndef GDBEXT_LESSON_GRADE_PAGE_H
#define GDBEXT_LESSON_GRADE_PAGE_H

#include <glib.h>

struct lesson_page;

struct lesson_page *lesson_page_new(const char *title);
/* An element with text in it, which is escaped. */
void lesson_page_put(struct lesson_page *p, const char *element, const char *text);
void lesson_page_begin(struct lesson_page *p, const char *element);
void lesson_page_end(struct lesson_page *p, const char *element);
/* Texts (char *) that follow from each other: a drawing by Graphviz's dot where that is installed,
 * and a list in any case. */
void lesson_page_way(struct lesson_page *p, const GPtrArray *way);
/* The whole page; p is gone; free the text. */
char *lesson_page_finish(struct lesson_page *p);

#endif
