/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether anybody may read a dump at debug level.  A dump is long: it is only made when GDB_WHY_LOG
 * or G_MESSAGES_DEBUG asks for this log domain; what is said in the end is the log's decision. */
#ifndef SOLVER_BASE_DEBUG_H
#define SOLVER_BASE_DEBUG_H

#include <glib.h>
#include <stdbool.h>
#include <string.h>

/* domain: G_LOG_DOMAIN, the folder's last part. */
static inline bool debug_is_wanted(const char *domain)
{
	const char *rules = g_getenv("GDB_WHY_LOG"), *domains = g_getenv("G_MESSAGES_DEBUG");
	g_autofree char *rule = g_strconcat(domain, ":debug", NULL);

	if (domains && (strstr(domains, "all") || strstr(domains, domain)))
		return true;
	return rules &&
	       (strstr(rules, rule) || g_str_has_prefix(rules, "debug") || strstr(rules, ",debug"));
}

#endif
