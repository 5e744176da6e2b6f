/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/trace/mirror.h"

#include <glib.h>

struct mirror *mirror_new(void)
{
	struct mirror *m = g_new0(struct mirror, 1);

	m->owners = 1;
	m->next = UINT64_MAX;
	return m;
}

struct mirror *mirror_share(struct mirror *m)
{
	m->owners++;
	return m;
}

void mirror_free(struct mirror *m)
{
	if (m && --m->owners == 0)
		g_free(m);
}

void mirror_own(struct mirror **m)
{
	struct mirror *shared = *m;

	if (shared->owners == 1)
		return;
	shared->owners--;
	*m = g_memdup2(shared, sizeof(*shared));
	(*m)->owners = 1;
}
