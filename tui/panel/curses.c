/* SPDX-License-Identifier: GPL-3.0-or-later */
#define NCURSES_WIDECHAR 1
#include "tui/panel/panel.h"

#include <curses.h>
#include <glib-unix.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

/* Colour pairs, by role. */
static const struct {
	short color; /* -1: the terminal's own */
	attr_t attribute;
} looks[] = {
	[TUI_PLAIN] = { -1, A_NORMAL },
	[TUI_FAILURE] = { COLOR_RED, A_BOLD },
	[TUI_PLACE] = { COLOR_CYAN, A_NORMAL },
	[TUI_CODE] = { -1, A_BOLD },
	[TUI_GOOD] = { COLOR_GREEN, A_NORMAL },
	[TUI_BAD] = { COLOR_RED, A_NORMAL },
	[TUI_FAINT] = { -1, A_DIM },
	[TUI_HEADING] = { -1, A_BOLD },
	[TUI_KEYWORD] = { COLOR_MAGENTA, A_NORMAL },
	[TUI_LITERAL] = { COLOR_YELLOW, A_NORMAL },
	[TUI_COMMENT] = { COLOR_BLUE, A_NORMAL },
};

static void start_colors(bool wanted)
{
	if (!wanted || !has_colors() || start_color() == ERR)
		return;
	use_default_colors();
	for (short i = 0; i < (short)G_N_ELEMENTS(looks); i++)
		init_pair((short)(i + 1), looks[i].color, -1);
}

static void show_cell(const struct canvas_cell *cell, bool colors)
{
	wchar_t text[] = { (wchar_t)cell->c, 0 };
	attr_t attribute = looks[cell->role].attribute | (cell->reverse ? A_REVERSE : 0) |
			   (cell->bold ? A_BOLD : 0);
	cchar_t c;

	setcchar(&c, text, attribute, colors ? (short)(cell->role + 1) : 0, NULL);
	add_wch(&c);
}

static void show_panel(struct panel *p, bool colors)
{
	struct canvas c;

	canvas_init(&c, (unsigned)COLS, (unsigned)LINES);
	panel_draw(p, &c);
	for (unsigned y = 0; y < c.height; y++) {
		move((int)y, 0);
		for (unsigned x = 0; x < c.width; x++)
			if (canvas_at(&c, x, y)->c)
				show_cell(canvas_at(&c, x, y), colors);
	}
	canvas_deinit(&c);
	refresh();
}

static const struct {
	wint_t curses;
	int key;
} keys[] = {
	{ KEY_UP, PANEL_UP },	      { KEY_DOWN, PANEL_DOWN },
	{ KEY_LEFT, PANEL_LEFT },     { KEY_RIGHT, PANEL_RIGHT },
	{ KEY_PPAGE, PANEL_PAGE_UP }, { KEY_NPAGE, PANEL_PAGE_DOWN },
	{ KEY_HOME, PANEL_HOME },     { KEY_END, PANEL_END },
	{ KEY_ENTER, PANEL_ENTER },   { KEY_BACKSPACE, PANEL_BACKSPACE },
	{ KEY_BTAB, PANEL_BACKTAB },  { KEY_F(1), PANEL_F1 },
	{ KEY_F(5), PANEL_F5 },	      { KEY_F(6), PANEL_F6 },
	{ KEY_F(7), PANEL_F7 },	      { KEY_F(8), PANEL_F8 },
	{ KEY_F(10), PANEL_F10 },
};

static int key_of_input(int status, wint_t c)
{
	if (status == KEY_CODE_YES) {
		for (size_t i = 0; i < G_N_ELEMENTS(keys); i++)
			if (keys[i].curses == c)
				return keys[i].key;
		return 0;
	}
	switch (c) {
	case '\n':
	case '\r':
		return PANEL_ENTER;
	case 27:
		return PANEL_ESCAPE;
	case 127:
	case 8:
		return PANEL_BACKSPACE;
	default:
		return (int)c;
	}
}

static void take_mouse(struct panel *p)
{
	MEVENT event;

	if (getmouse(&event) == OK && event.bstate & (BUTTON1_PRESSED | BUTTON1_CLICKED))
		panel_click(p, (unsigned)event.x, (unsigned)event.y);
}

/* All keys that are there; false: the panel ends. */
static bool take_keys(struct panel *p, const struct panel_backend *backend)
{
	wint_t c;
	int status;

	while ((status = get_wch(&c)) != ERR) {
		struct panel_request r;

		if (status == KEY_CODE_YES && c == KEY_MOUSE) {
			take_mouse(p);
			continue;
		}
		if (status == KEY_CODE_YES && c == KEY_RESIZE)
			continue;
		r = panel_key(p, key_of_input(status, c));
		if (r.action == PANEL_QUIT)
			return false;
		if (r.action != PANEL_NOTHING && backend->request &&
		    !backend->request(backend->arg, p, &r))
			return false;
	}
	return true;
}

/* Ctrl-C is for the backend, Ctrl-Z still stops us. */
static void take_interrupt_key(void)
{
	struct termios t;

	if (tcgetattr(STDIN_FILENO, &t) != 0)
		return;
	t.c_cc[VINTR] = _POSIX_VDISABLE;
	if (tcsetattr(STDIN_FILENO, TCSADRAIN, &t) == 0)
		def_prog_mode();
}

static gboolean on_panel_keyboard(gint fd, GIOCondition condition, gpointer arg)
{
	bool *gone = arg;

	(void)fd;
	*gone = condition & (G_IO_HUP | G_IO_ERR | G_IO_NVAL);
	return G_SOURCE_CONTINUE;
}

/* One turn of it waits for one event; a resized window interrupts the wait, too. */
static void loop_over_events(struct panel *p, const struct panel_backend *backend, bool colors)
{
	bool gone = false;
	guint keyboard = g_unix_fd_add(STDIN_FILENO, G_IO_IN | G_IO_HUP | G_IO_ERR,
				       on_panel_keyboard, &gone);

	do {
		show_panel(p, colors);
		g_main_context_iteration(NULL, TRUE);
	} while (!gone && take_keys(p, backend));
	g_source_remove(keyboard);
}

bool panel_can_run(void)
{
	int status;
	bool can;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) ||
	    setupterm(NULL, STDOUT_FILENO, &status) != OK)
		return false;
	can = cursor_address != NULL;
	del_curterm(cur_term);
	return can;
}

bool panel_run(struct panel *p, const struct panel_backend *backend, bool colors)
{
	SCREEN *screen;

	if (!panel_can_run())
		return false;
	screen = newterm(NULL, stdout, stdin);
	if (!screen)
		return false;
	cbreak();
	take_interrupt_key();
	noecho();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	curs_set(0);
	set_escdelay(25);
	mousemask(BUTTON1_PRESSED | BUTTON1_CLICKED, NULL);
	mouseinterval(0);
	start_colors(colors);
	loop_over_events(p, backend, colors && has_colors());
	endwin();
	delscreen(screen);
	return true;
}
