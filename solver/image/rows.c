/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Line tables: rows, the statements that they belong to, prologues, sources. */
#include "solver/image/image-private.h"

#include <dwarf.h>
#include <string.h>

struct statements {
	struct image *im;
	GHashTable *by_text;		   /* "function:file:line:column" (owned) → id + 1 */
	const struct image_function *last; /* NULL = none was asked about */
	bool last_is_implicit;
};

static uint32_t statement_id(struct statements *s, const char *function, const char *file,
			     unsigned line, unsigned column, bool prologue)
{
	g_autofree char *key =
		g_strdup_printf("%s:%s:%u:%u:%d", function, file, line, column, prologue);
	gpointer old = g_hash_table_lookup(s->by_text, key);
	struct image_statement *st;

	if (old)
		return GPOINTER_TO_UINT(old) - 1;
	st = g_new0(struct image_statement, 1);
	*st = (struct image_statement){
		s->im->statements->len, function, file, line, column, prologue
	};
	g_ptr_array_add(s->im->statements, st);
	g_hash_table_insert(s->by_text, g_steal_pointer(&key),
			    GUINT_TO_POINTER(s->im->statements->len));
	return st->id;
}

/* A row of the table, before it is cut at function ends. */
struct raw_row {
	Dwarf_Addr lo, hi;
	const char *file;
	int line, column;
	bool is_stmt;
	bool opens; /* of the same place as the first row at lo: those before it are empty */
};

/* At -O2 several rows may start at an address; the last one has the code.  Of a function in one
 * line, that row's column tells it from the one that opens the function. */
static bool is_opening(Dwarf_Lines *lines, size_t i, Dwarf_Addr at, int line, int column)
{
	int first = 0, first_column = 0;

	for (;; i--) {
		Dwarf_Line *before = i ? dwarf_onesrcline(lines, i - 1) : NULL;
		Dwarf_Addr addr;
		bool end = false;

		if (!before || dwarf_lineendsequence(before, &end) != 0 || end ||
		    dwarf_lineaddr(before, &addr) != 0 || addr != at)
			break;
	}
	dwarf_lineno(dwarf_onesrcline(lines, i), &first);
	dwarf_linecol(dwarf_onesrcline(lines, i), &first_column);
	return first == line && first_column == column;
}

static bool read_dwarf_row(struct image *im, Dwarf_Die *cu, Dwarf_Lines *lines, size_t i, size_t n,
			   struct raw_row *r)
{
	Dwarf_Line *l = dwarf_onesrcline(lines, i), *next;
	bool end = false;

	if (!l || i + 1 >= n || dwarf_lineendsequence(l, &end) != 0 || end ||
	    dwarf_lineaddr(l, &r->lo) != 0)
		return false;
	next = dwarf_onesrcline(lines, i + 1);
	if (!next || dwarf_lineaddr(next, &r->hi) != 0 || r->hi <= r->lo)
		return false;
	r->line = r->column = 0;
	dwarf_lineno(l, &r->line);
	dwarf_linecol(l, &r->column);
	dwarf_linebeginstatement(l, &r->is_stmt);
	r->opens = is_opening(lines, i, r->lo, r->line, r->column);
	r->file = image_file_name(im, cu, dwarf_linesrc(l, NULL, NULL));
	return r->line > 0;
}

/* The prologue is what stands at the function's opening line, from its entry on.  It ends with
 * the first row of another line, or with a second row at this line.  In optimized code a
 * function may begin with a row of its body. */
static bool is_in_prologue(struct image_function *f, const struct raw_row *r, bool first)
{
	return first && r->opens && r->lo == f->entry && r->hi < f->hi;
}

bool image_is_implicit(Dwarf_Die *function)
{
	const char *name = dwarf_diename(function);
	Dwarf_Attribute attr;

	return name && !g_str_has_prefix(name, "operator()") &&
	       dwarf_attr_integrate(function, DW_AT_artificial, &attr);
}

static bool is_implicit(struct statements *s, const struct image_function *f)
{
	Dwarf_Die die;

	if (s->last == f)
		return s->last_is_implicit;
	s->last = f;
	s->last_is_implicit =
		f->id < s->im->function_dies->len &&
		dwarf_offdie(s->im->dwarf, g_array_index(s->im->function_dies, Dwarf_Off, f->id),
			     &die) &&
		image_is_implicit(&die);
	return s->last_is_implicit;
}

static void add_statement_row(struct statements *s, const struct raw_row *r)
{
	struct image *im = s->im;
	struct image_function *f = (struct image_function *)image_function_at(im, r->lo);
	struct image_row row = { .lo = r->lo, .hi = r->hi, .is_stmt = r->is_stmt };
	const char *inlined = image_inlined_at(im, r->lo);

	if (!f)
		return;
	row.hi = MIN(row.hi, f->hi);
	row.prologue = is_in_prologue(f, r, f->body == f->lo);
	if (row.prologue)
		f->body = row.hi;
	row.prologue |= is_implicit(s, f) || image_inlined_is_implicit(im, r->lo);
	row.statement = statement_id(s, inlined ? inlined : f->name, r->file, (unsigned)r->line,
				     r->column > 0 ? (unsigned)r->column : 0, row.prologue);
	g_array_append_val(im->rows, row);
}

static gint by_row_address(gconstpointer a, gconstpointer b)
{
	const struct image_row *x = a, *y = b;

	return x->lo < y->lo ? -1 : x->lo > y->lo;
}

static void drop_overlapping_rows(GArray *rows)
{
	guint kept = 0;

	for (guint i = 0; i < rows->len; i++) {
		struct image_row r = g_array_index(rows, struct image_row, i);

		if (kept && g_array_index(rows, struct image_row, kept - 1).hi > r.lo)
			g_array_index(rows, struct image_row, kept - 1).hi = r.lo;
		g_array_index(rows, struct image_row, kept++) = r;
	}
	g_array_set_size(rows, kept);
}

/* What g++ says of the parts of an object in braces, `f({ a, b })': that they stand where the
 * function ends.  They are the statement's, which goes on behind them. */
static uint32_t statement_around(const struct image *im, guint first, guint end, unsigned last_line)
{
	const struct image_row *rows = &g_array_index(im->rows, struct image_row, 0);
	const struct image_statement *before, *behind;

	if (!first || end >= im->rows->len ||
	    image_function_at(im, rows[first - 1].lo) != image_function_at(im, rows[end].lo))
		return UINT32_MAX;
	before = im->statements->pdata[rows[first - 1].statement];
	behind = im->statements->pdata[rows[end].statement];
	return image_line_equal(before, behind) && before->line < last_line &&
			       !rows[first - 1].prologue
		       ? before->id
		       : UINT32_MAX;
}

static unsigned line_of_row(const struct image *im, guint i)
{
	const struct image_row *r = &g_array_index(im->rows, struct image_row, i);

	return ((const struct image_statement *)im->statements->pdata[r->statement])->line;
}

/* [first, end): the rows of one function of C++. */
static void put_parts_into_statements(struct image *im, guint first, guint end)
{
	unsigned last_line = 0;

	for (guint i = first; i < end; i++)
		last_line = MAX(last_line, line_of_row(im, i));
	for (guint i = first; i < end; i++) {
		guint behind = i;
		uint32_t around;

		while (behind < end && line_of_row(im, behind) == last_line)
			behind++;
		around = behind > i ? statement_around(im, i, behind, last_line) : UINT32_MAX;
		for (; around != UINT32_MAX && i < behind; i++)
			g_array_index(im->rows, struct image_row, i).statement = around;
	}
}

static void put_parts_of_objects(struct image *im)
{
	for (guint first = 0, end; first < im->rows->len; first = end) {
		const struct image_row *r = &g_array_index(im->rows, struct image_row, first);
		const struct image_function *f = image_function_at(im, r->lo);
		const struct image_statement *s = im->statements->pdata[r->statement];

		for (end = first + 1; end < im->rows->len; end++)
			if (image_function_at(
				    im, g_array_index(im->rows, struct image_row, end).lo) != f)
				break;
		if (f && !g_str_has_suffix(s->file, ".c"))
			put_parts_into_statements(im, first, end);
	}
}

/* Where the rows of a sequence are, while they are read one after the other. */
struct sequence {
	const char *file; /* of the last row that counts; NULL = it is the first */
	Dwarf_Addr at;
	bool has_stmt; /* has the address a row already at which debuggers stop? */
	int line;
	bool is_parted; /* has the line, since it began, a row with a discriminator? */
};

/* Ends the rows of a file where the first row of another file has the same address, as GDB does;
 * nobody stops at the ended rows. */
static void end_rows_of(struct image *im, const char *file, Dwarf_Addr at)
{
	for (guint i = im->beginnings->len; i > 0; i--) {
		const struct image_beginning *b =
			&g_array_index(im->beginnings, struct image_beginning, i - 1);

		if (b->addr != at)
			break;
		if (strcmp(b->file, file) == 0)
			g_array_remove_index(im->beginnings, i - 1);
	}
}

static void add_beginning(struct image *im, Dwarf_Line *line, const char *file, Dwarf_Addr at)
{
	const struct trace_insn *insn = image_insn_at(im, at);
	struct image_beginning b = { .addr = at, .file = file };
	int number = 0;

	if (!insn)
		return;
	((struct trace_insn *)insn)->flags |= TRACE_INSN_ROW;
	if (dwarf_lineno(line, &number) != 0 || number <= 0)
		return;
	b.line = (unsigned)number;
	g_array_append_val(im->beginnings, b);
}

/* The place where debuggers stop.  At -O2 that is often a row that has no code of its own. */
static void mark_insn(struct image *im, Dwarf_Die *cu, Dwarf_Line *line, struct sequence *s)
{
	bool is_stmt = false, end = true, changed;
	unsigned discriminator = 0;
	bool parted, same;
	const char *file;
	int number = 0;
	Dwarf_Addr at;

	/* the end of a sequence is where another function may begin */
	if (!line || dwarf_lineendsequence(line, &end) != 0 || end ||
	    dwarf_linebeginstatement(line, &is_stmt) != 0 || dwarf_lineaddr(line, &at) != 0) {
		*s = (struct sequence){ 0 };
		return;
	}
	file = image_file_name(im, cu, dwarf_linesrc(line, NULL, NULL));
	changed = s->file && file && strcmp(file, s->file) != 0;
	if (at != s->at)
		s->has_stmt = false;
	else if (changed && !is_stmt && s->has_stmt)
		return;
	if (changed)
		end_rows_of(im, s->file, at);
	/* as in GDB, a line that has discriminators does not begin again while it goes on */
	dwarf_lineno(line, &number);
	dwarf_linediscriminator(line, &discriminator);
	same = !changed && s->file && number == s->line;
	parted = discriminator != 0 || (number == s->line && s->is_parted);
	*s = (struct sequence){ file, at, s->has_stmt || is_stmt, number, parted };
	if (is_stmt && file && !(same && parted))
		add_beginning(im, line, file, at);
}

static gint beginning_by_address(gconstpointer a, gconstpointer b)
{
	const struct image_beginning *x = a, *y = b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

size_t image_beginnings(const struct image *im, const struct image_beginning **out)
{
	*out = &g_array_index(im->beginnings, struct image_beginning, 0);
	return im->beginnings->len;
}

void image_read_rows(struct image *im)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die die;
	struct statements s = { .im = im };

	im->rows = g_array_new(FALSE, FALSE, sizeof(struct image_row));
	im->statements = g_ptr_array_new_with_free_func(g_free);
	im->beginnings = g_array_new(FALSE, FALSE, sizeof(struct image_beginning));
	s.by_text = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	while (dwarf_get_units(im->dwarf, cu, &cu, NULL, NULL, &die, NULL) == 0) {
		struct sequence sequence = { 0 };
		Dwarf_Lines *lines;
		size_t n;

		if (dwarf_getsrclines(&die, &lines, &n) != 0)
			continue;
		for (size_t i = 0; i < n; i++) {
			struct raw_row r;

			mark_insn(im, &die, dwarf_onesrcline(lines, i), &sequence);
			if (read_dwarf_row(im, &die, lines, i, n, &r))
				add_statement_row(&s, &r);
		}
	}
	g_hash_table_destroy(s.by_text);
	g_array_sort(im->rows, by_row_address);
	drop_overlapping_rows(im->rows);
	put_parts_of_objects(im);
	g_array_sort(im->beginnings, beginning_by_address);
}

const struct image_row *image_row_at(const struct image *im, uint64_t addr)
{
	guint lo = 0, hi = im->rows->len;

	while (lo < hi) {
		guint mid = (lo + hi) / 2;
		const struct image_row *r = &g_array_index(im->rows, struct image_row, mid);

		if (addr < r->lo)
			hi = mid;
		else if (addr >= r->hi)
			lo = mid + 1;
		else
			return r;
	}
	return NULL;
}

guint image_line_hash(gconstpointer statement)
{
	const struct image_statement *s = statement;

	return g_str_hash(s->file) * 31 + s->line;
}

gboolean image_line_equal(gconstpointer a, gconstpointer b)
{
	const struct image_statement *x = a, *y = b;

	return x->line == y->line && strcmp(x->file, y->file) == 0;
}

bool image_is_of_system(const char *file)
{
	/* clang names them "/usr/bin/../lib/gcc/..." */
	g_autofree char *direct = strstr(file, "/../") ? g_canonicalize_filename(file, "/") : NULL;
	const char *path = direct ? direct : file;

	return g_str_has_prefix(path, "/usr/include/") || g_str_has_prefix(path, "/usr/lib/");
}

const struct image_statement *image_statement(const struct image *im, uint32_t id)
{
	g_assert(id < im->statements->len);
	return im->statements->pdata[id];
}

/* A file's text, cut into lines.  The number of lines is kept, because files of hundreds of
 * thousands of lines are asked for one line at a time. */
struct source_lines {
	char **lines; /* NULL = the file cannot be read */
	guint n;
	GHashTable *numbers; /* char * → int64_t *, image_source_number; NULL = not looked for */
};

static struct source_lines *source_lines_new(const char *text)
{
	struct source_lines *s = g_new0(struct source_lines, 1);

	if (text) {
		s->lines = g_strsplit(text, "\n", -1);
		s->n = g_strv_length(s->lines);
	}
	return s;
}

static void source_lines_free(gpointer data)
{
	struct source_lines *s = data;

	if (s->numbers)
		g_hash_table_unref(s->numbers);
	g_strfreev(s->lines);
	g_free(s);
}

static void make_sources(struct image *im)
{
	if (!im->sources)
		im->sources =
			g_hash_table_new_full(g_str_hash, g_str_equal, g_free, source_lines_free);
}

void image_set_source(struct image *im, const char *file, const char *text)
{
	make_sources(im);
	g_hash_table_insert(im->sources, g_strdup(file), source_lines_new(text));
}

GPtrArray *image_source_files(const struct image *im)
{
	GPtrArray *files = g_ptr_array_new();
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = 0; i < im->statements->len; i++) {
		const struct image_statement *s = im->statements->pdata[i];

		if (s->file && g_hash_table_add(seen, (gpointer)s->file))
			g_ptr_array_add(files, (gpointer)s->file);
	}
	return files;
}

static struct source_lines *source_lines_of(struct image *im, const char *file)
{
	struct source_lines *s;

	make_sources(im);
	s = g_hash_table_lookup(im->sources, file);
	if (!s) {
		g_autofree char *text = NULL;

		g_file_get_contents(file, &text, NULL, NULL);
		s = source_lines_new(text);
		g_hash_table_insert(im->sources, g_strdup(file), s);
	}
	return s;
}

const char *image_source_line(const struct image *im_const, const char *file, unsigned line)
{
	/* the cache takes one more */
	const struct source_lines *s = source_lines_of((struct image *)im_const, file);

	return line > 0 && line <= s->n ? s->lines[line - 1] : NULL;
}

static gboolean is_key_of(gpointer key, gpointer value, gpointer table)
{
	(void)value;
	return g_hash_table_contains(table, key);
}

/* A name that stands for different numbers, under conditions of the preprocessor, stands for
 * none. */
static GHashTable *defined_numbers(const struct source_lines *s)
{
	GHashTable *all = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	g_autoptr(GRegex) regex = g_regex_new(
		"^\\s*#\\s*define\\s+(\\w+)\\s+(?:(-?\\d\\w*)|\\(\\s*(-?\\d\\w*)\\s*\\))"
		"\\s*(?:/[/*].*)?$",
		0, 0, NULL);
	g_autoptr(GHashTable) ambiguous =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (guint i = 0; i < s->n; i++) {
		g_autoptr(GMatchInfo) found = NULL;
		g_autofree char *plain = NULL, *bracketed = NULL;
		char *name, *end;
		int64_t *number, *before;

		if (!strchr(s->lines[i], '#') || !g_regex_match(regex, s->lines[i], 0, &found))
			continue;
		name = g_match_info_fetch(found, 1);
		plain = g_match_info_fetch(found, 2);
		bracketed = g_match_info_fetch(found, 3);
		number = g_new(int64_t, 1);
		*number = g_ascii_strtoll(*plain ? plain : bracketed, &end, 0);
		before = g_hash_table_lookup(all, name);
		if (end[strspn(end, "uUlL")] || (before && *before != *number))
			g_hash_table_add(ambiguous, g_strdup(name));
		g_hash_table_insert(all, name, number);
	}
	g_hash_table_foreach_remove(all, is_key_of, ambiguous);
	return all;
}

bool image_source_number(const struct image *im_const, const char *file, const char *name,
			 int64_t *number)
{
	struct source_lines *s = source_lines_of((struct image *)im_const, file);
	const int64_t *found;

	if (!s->numbers)
		s->numbers = defined_numbers(s);
	found = g_hash_table_lookup(s->numbers, name);
	if (found)
		*number = *found;
	return found;
}

bool image_row_begins_with(const struct image *im, const struct image_row *row, char bracket)
{
	const struct image_statement *s = image_statement(im, row->statement);
	const char *line = image_source_line(im, s->file, s->line);

	return line && line[strspn(line, " \t")] == bracket;
}

bool image_moves_result(const struct image *im, const struct image_row *row,
			const struct trace_insn *insn)
{
	return !insn->n_mem && insn->flow == TRACE_FLOW_NONE && !insn->out_flags &&
	       image_row_begins_with(im, row, '}');
}
