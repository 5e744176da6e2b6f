/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/replay/cage/launch-pack.h"

#include <string.h>

/* Behind it: .n_inherited ints, then strings with their NULs: the path, the directory when there
 * is one, the arguments, the environment, the view's folders. */
struct head {
	sigset_t mask;
	uint64_t limit_memory, limit_cpu, limit_file;
	int32_t handed_at;
	uint32_t n_inherited, n_handed, n_argv, n_envp, n_onto; /* n_onto = 0: there is no view */
	bool stop, caged, forks, has_directory;
};

static void pack_string(GByteArray *to, const char *text)
{
	g_byte_array_append(to, (const guint8 *)text, (guint)strlen(text) + 1);
}

static void pack_strings(GByteArray *to, char *const *texts)
{
	for (; *texts; texts++)
		pack_string(to, *texts);
}

static uint32_t count_folders(const struct view *v)
{
	uint32_t n = 0;

	while (v && n < VIEW_MOST && v->onto[n])
		n++;
	return n;
}

GByteArray *launch_pack(const struct launch *l)
{
	const struct head head = { .mask = l->mask,
				   .limit_memory = l->limit_memory,
				   .limit_cpu = l->limit_cpu,
				   .limit_file = l->limit_file,
				   .handed_at = l->handed_at,
				   .n_inherited = (uint32_t)l->n_inherited,
				   .n_handed = (uint32_t)l->n_handed,
				   .n_argv = g_strv_length((char **)l->argv),
				   .n_envp = g_strv_length((char **)l->envp),
				   .n_onto = count_folders(l->view),
				   .stop = l->stop,
				   .caged = l->cage,
				   .forks = l->forks,
				   .has_directory = l->directory };
	GByteArray *to = g_byte_array_new();

	g_byte_array_append(to, (const guint8 *)&head, sizeof head);
	if (l->n_inherited)
		g_byte_array_append(to, (const guint8 *)l->inherited,
				    (guint)(l->n_inherited * sizeof *l->inherited));
	pack_string(to, l->path);
	if (l->directory)
		pack_string(to, l->directory);
	pack_strings(to, l->argv);
	pack_strings(to, l->envp);
	if (head.n_onto)
		pack_string(to, l->view->folder);
	for (uint32_t i = 0; i < head.n_onto; i++)
		pack_string(to, l->view->onto[i]);
	return to;
}

static const char *next_string(const guint8 **at)
{
	const char *text = (const char *)*at;

	*at += strlen(text) + 1;
	return text;
}

/* NULL-terminated. */
static GPtrArray *next_strings(const guint8 **at, uint32_t n)
{
	GPtrArray *all = g_ptr_array_sized_new(n + 1);

	while (n--)
		g_ptr_array_add(all, (char *)(uintptr_t)next_string(at));
	g_ptr_array_add(all, NULL);
	return all;
}

void launch_unpack(struct launch_parcel *p, const guint8 *bytes)
{
	const struct head *head = (const void *)bytes;
	const guint8 *at = bytes + sizeof *head;

	*p = (struct launch_parcel){ .caged = head->caged };
	p->launch = (struct launch){ .mask = head->mask,
				     .limit_memory = head->limit_memory,
				     .limit_cpu = head->limit_cpu,
				     .limit_file = head->limit_file,
				     .stop = head->stop,
				     .forks = head->forks,
				     .handed_at = head->handed_at,
				     .n_handed = head->n_handed,
				     .inherited = (const void *)at,
				     .n_inherited = head->n_inherited };
	at += head->n_inherited * sizeof *p->launch.inherited;
	p->launch.path = next_string(&at);
	p->launch.directory = head->has_directory ? next_string(&at) : NULL;
	p->argv = next_strings(&at, head->n_argv);
	p->envp = next_strings(&at, head->n_envp);
	if (head->n_onto) {
		p->view.folder = next_string(&at);
		p->launch.view = &p->view;
	}
	for (uint32_t i = 0; i < head->n_onto; i++)
		p->view.onto[i] = next_string(&at);
	p->launch.argv = (char *const *)p->argv->pdata;
	p->launch.envp = (char *const *)p->envp->pdata;
}

void launch_parcel_clear(struct launch_parcel *p)
{
	g_ptr_array_free(p->argv, TRUE);
	g_ptr_array_free(p->envp, TRUE);
}
