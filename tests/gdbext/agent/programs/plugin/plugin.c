/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loaded by libraries.c: untraced code that calls back. */
static int (*back)(int);
static int loads;

__attribute__((constructor)) static void on_load(void)
{
	loads++;
}

int plugin_set(int (*f)(int))
{
	back = f;
	return loads;
}

int plugin_run(int n)
{
	int s = 0;

	for (int i = 0; i < n; i++)
		s += back(i) * (i % 3 - 1);
	return s;
}

__attribute__((destructor)) static void on_unload(void)
{
	if (back)
		back(-1);
}
