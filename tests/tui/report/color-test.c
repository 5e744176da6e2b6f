/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/report/color.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <pty.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A terminal, and something that is none. */
struct outs {
	FILE *tty, *file;
	int master;
};

static int open_outs(void **state)
{
	struct outs *o = g_new0(struct outs, 1);
	int slave;

	if (openpty(&o->master, &slave, NULL, NULL, NULL) != 0)
		return -1;
	o->tty = fdopen(slave, "w");
	o->file = tmpfile();
	*state = o;
	return o->tty && o->file ? 0 : -1;
}

static int close_outs(void **state)
{
	struct outs *o = *state;

	fclose(o->tty);
	fclose(o->file);
	close(o->master);
	g_free(o);
	return 0;
}

static void environment(const char *no_color, const char *term)
{
	if (no_color)
		setenv("NO_COLOR", no_color, 1);
	else
		unsetenv("NO_COLOR");
	if (term)
		setenv("TERM", term, 1);
	else
		unsetenv("TERM");
}

static void the_option_beats_all(void **state)
{
	struct outs *o = *state;

	environment("1", "dumb");
	assert_true(tui_color_wanted(TUI_COLOR_ALWAYS, o->file));
	environment(NULL, "xterm");
	assert_false(tui_color_wanted(TUI_COLOR_NEVER, o->tty));
}

static void no_color_beats_the_terminal(void **state)
{
	struct outs *o = *state;

	environment("1", "xterm");
	assert_false(tui_color_wanted(TUI_COLOR_AUTO, o->tty));
	environment("", "xterm"); /* no-color.org: only when not empty */
	assert_true(tui_color_wanted(TUI_COLOR_AUTO, o->tty));
}

static void auto_asks_the_terminal(void **state)
{
	struct outs *o = *state;

	environment(NULL, "xterm");
	assert_true(tui_color_wanted(TUI_COLOR_AUTO, o->tty));
	assert_false(tui_color_wanted(TUI_COLOR_AUTO, o->file));
	environment(NULL, "dumb");
	assert_false(tui_color_wanted(TUI_COLOR_AUTO, o->tty));
	environment(NULL, NULL);
	assert_false(tui_color_wanted(TUI_COLOR_AUTO, o->tty));
}

static void off_is_empty(void **state)
{
	(void)state;
	assert_string_equal(tui_color_on(false, TUI_BAD), "");
	assert_string_equal(tui_color_off(false, TUI_BAD), "");
	assert_string_equal(tui_color_off(true, TUI_PLAIN), "");
	assert_string_equal(tui_color_off(true, TUI_BAD), "\033[0m");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_option_beats_all),
		cmocka_unit_test(no_color_beats_the_terminal),
		cmocka_unit_test(auto_asks_the_terminal),
		cmocka_unit_test(off_is_empty),
	};

	return cmocka_run_group_tests(tests, open_outs, close_outs);
}
