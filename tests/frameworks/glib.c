/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * GLib, which aborts.
 * needs: glib-2.0
 * says: GLib: assertion failed (middle(4, 8) == 6) at
 */
#include <glib.h>
static int middle(int a, int b)
{
	return a + b / 2; /* fault */
}
static void test_middle(void)
{
	g_assert_cmpint(middle(4, 8), ==, 6);
}
int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/middle", test_middle);
	return g_test_run();
}
