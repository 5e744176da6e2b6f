/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What gdb-why says about its own work, for those who look into it.  Each folder is a
 * log domain of GLib (its last name: "mi", "formula", "replay"; the Makefile sets it),
 * and GDB_WHY_LOG chooses what is said:
 *
 *   GDB_WHY_LOG=mi:debug,formula:info
 *   GDB_WHY_LOG=debug                   for all folders
 *
 * Levels: error, critical, warning (the default), message, info, debug; each one
 * includes those before it.  G_MESSAGES_DEBUG works as in all programs with GLib.  All
 * of it goes to standard error, because standard output is the answer.
 */
#ifndef GDBEXT_OPTIONS_LOG_H
#define GDBEXT_OPTIONS_LOG_H

#include <glib.h>
#include <stdbool.h>

struct log_rules;

/* spec: the value of GDB_WHY_LOG; domains: that of G_MESSAGES_DEBUG; NULL = not set.  NULL with
 * error when spec makes no sense. */
struct log_rules *log_rules_new(const char *spec, const char *domains, GError **error);
void log_rules_free(struct log_rules *r);
bool log_rules_say(const struct log_rules *r, const char *domain, GLogLevelFlags level);

/* Makes the environment's rules hold for the process.  Call it once, before there are threads.
 * False with error when GDB_WHY_LOG makes no sense. */
bool log_start(GError **error);

#endif
