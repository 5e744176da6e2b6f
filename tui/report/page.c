/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/report/page.h"
#include "tui/words/line.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { WIDTH_STANDARD = 80, WIDTH_LEAST = 40, WIDTH_MOST = 100 };

static unsigned columns_of(FILE *out)
{
	struct winsize size;

	if (isatty(fileno(out)) && ioctl(fileno(out), TIOCGWINSZ, &size) == 0)
		return size.ws_col;
	return 0;
}

unsigned tui_width_of(FILE *out)
{
	unsigned columns = columns_of(out);

	return columns ? CLAMP(columns, WIDTH_LEAST, WIDTH_MOST) : WIDTH_STANDARD;
}

bool tui_can_redraw(FILE *out)
{
	const char *term = g_getenv("TERM");

	return term && *term && strcmp(term, "dumb") != 0 && columns_of(out) >= WIDTH_LEAST;
}

void tui_page_init(struct tui_page *page, FILE *out, const struct tui_options *o)
{
	page->out = g_string_new(NULL);
	page->width = o->width ? MAX(o->width, (unsigned)WIDTH_LEAST) : tui_width_of(out);
	page->colors = tui_color_wanted(o->color, out);
	page->directory =
		o->directory ? g_canonicalize_filename(o->directory, NULL) : g_get_current_dir();
	page->last_names = false;
}

void tui_page_deinit(struct tui_page *page)
{
	g_string_free(page->out, TRUE);
	g_free(page->directory);
}

void tui_put(struct tui_page *page, enum tui_role role, const char *text)
{
	if (!*text)
		return;
	g_string_append(page->out, tui_color_on(page->colors, role));
	g_string_append(page->out, text);
	g_string_append(page->out, tui_color_off(page->colors, role));
}

void tui_putf(struct tui_page *page, enum tui_role role, const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list args;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	tui_put(page, role, text);
}

void tui_put_padded(struct tui_page *page, enum tui_role role, const char *text, unsigned width)
{
	unsigned w = tui_width(text);

	tui_put(page, role, text);
	tui_put_blanks(page, w < width ? width - w : 0);
}

void tui_put_blanks(struct tui_page *page, unsigned n)
{
	g_string_append_printf(page->out, "%*s", (int)n, "");
}

void tui_newline(struct tui_page *page)
{
	while (page->out->len && page->out->str[page->out->len - 1] == ' ')
		g_string_truncate(page->out, page->out->len - 1);
	g_string_append_c(page->out, '\n');
}

void tui_put_wrapped(struct tui_page *page, enum tui_role role, const char *text, unsigned indent)
{
	unsigned width = page->width > indent + 20 ? page->width - indent : 20;
	g_autoptr(GPtrArray) lines = tui_wrap(text, width);

	for (unsigned i = 0; i < lines->len; i++) {
		if (i)
			tui_put_blanks(page, indent);
		tui_put(page, role, lines->pdata[i]);
		tui_newline(page);
	}
}

/* path as seen from directory, or NULL when it is not below directory or one of
 * its parents other than /. */
static char *relative_to(const char *directory, const char *path)
{
	g_autofree char *base = g_strdup(directory);
	g_autoptr(GString) up = g_string_new(NULL);

	while (strcmp(base, "/") != 0 && strcmp(base, ".") != 0) {
		size_t n = strlen(base);

		if (strncmp(path, base, n) == 0 && path[n] == '/')
			return g_strconcat(up->str, path + n + 1, NULL);
		char *parent = g_path_get_dirname(base);

		g_free(base);
		base = parent;
		g_string_append(up, "../");
	}
	return NULL;
}

/* False: another file has that last name. */
static bool take_name(GHashTable *files, const char *file)
{
	g_autofree char *name = file ? g_path_get_basename(file) : NULL;
	const char *known = name ? g_hash_table_lookup(files, name) : NULL;

	if (name && !known)
		g_hash_table_insert(files, g_steal_pointer(&name), (char *)file);
	return !known || strcmp(known, file) == 0;
}

void tui_shorten_names(struct tui_page *page, const struct explanation *e)
{
	g_autoptr(GHashTable) files = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	bool differ = take_name(files, e->failure.file);

	for (guint i = 0; i < e->suspects->len; i++) {
		const struct explanation_suspect *s = e->suspects->pdata[i];

		for (guint k = 0; k < s->statements->len; k++)
			differ &= take_name(
				files,
				g_array_index(s->statements, struct explanation_statement, k).file);
	}
	for (guint i = 0; i < e->chain->len; i++)
		differ &=
			take_name(files, g_array_index(e->chain, struct explanation_link, i).file);
	for (guint i = 0; i < e->sources->len; i++)
		differ &=
			take_name(files, ((struct explanation_source *)e->sources->pdata[i])->file);
	page->last_names = differ;
}

char *tui_place(const struct tui_page *page, const char *file, unsigned line, unsigned width)
{
	g_autofree char *absolute =
		file && g_path_is_absolute(file) ? g_canonicalize_filename(file, "/") : NULL;
	g_autofree char *relative = absolute ? relative_to(page->directory, absolute) : NULL;
	const char *shown = relative && strlen(relative) < strlen(absolute) ? relative
			    : absolute					    ? absolute
			    : file					    ? file
									    : "(no source)";
	const char *slash = page->last_names ? strrchr(shown, '/') : NULL;
	g_autofree char *number = line ? g_strdup_printf(":%u", line) : g_strdup("");
	g_autofree char *clean = tui_clean(slash ? slash + 1 : shown);
	unsigned room = width > strlen(number) ? width - (unsigned)strlen(number) : 0;
	const char *tail = clean;

	if (tui_width(clean) <= room)
		return g_strconcat(clean, number, NULL);
	/* The end of a path tells more than its beginning. */
	while (*tail && tui_width(tail) + 3 > room)
		tail = g_utf8_next_char(tail);
	return g_strconcat("...", tail, number, NULL);
}
