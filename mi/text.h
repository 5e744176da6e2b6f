/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * C strings as MI writes and reads them, and the two other ways of quoting
 * that its commands need.
 */
#ifndef MI_TEXT_H
#define MI_TEXT_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

/* Reads a C string at *at, which points to its opening quote and stays below
 * end; understands \a \b \e \f \n \r \t \v \" \\ \' \? and one to three octal
 * digits (one byte each: UTF-8 comes as several).  Another character after a
 * backslash stands for itself.  On success appends the bytes and moves *at
 * behind the closing quote; false, *at untouched, when the quotes are missing
 * (to may then hold some of it). */
bool mi_text_read(const char **at, const char *end, GString *to);

/* Appends text as a C string with its quotes, in ASCII: what is not printable
 * is written as \n, \t, \r or three octal digits. */
void mi_text_print(const char *text, size_t length, GString *to);

/* text as one argument of an MI command: a C string, quoted always.  UTF-8
 * stays as it is.  Free it. */
char *mi_quote(const char *text);

/* text as one word of GDB's own command line, where `file' and its like split
 * words at blanks and understand backslashes.  Free it. */
char *mi_quote_word(const char *text);

#endif
