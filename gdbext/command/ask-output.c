/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/command/ask-output.h"
#include "gdbext/command/ask-tree.h"
#include "gdbext/options/output-file.h"
#include "gdbext/ipc/event.h"
#include "gdbext/question/ending.h"
#include "gdbext/question/question.h"
#include "gdbext/question/wrong-output.h"
#include "solver/cause/cause.h"
#include "solver/output/arguments.h"
#include "solver/output/lines.h"
#include "solver/output/wanted.h"
#include "solver/source/expression/expression.h"
#include "solver/source/source.h"
#include "tui/report/cause.h"
#include "tui/words/line.h"

#include <string.h>

enum { MOST_LISTED = 400, MOST_VALUES = 4, MOST_INSNS_OF_STATEMENT = 500 };

struct asking {
	struct question q; /* first */
	const char *about; /* NULL = all lines */
	bool negated;
	struct trace_run *run;
	struct printed *printed;
	GArray *lines;	       /* struct text_line, of standard output */
	uint64_t character_pc; /* of the last call of which a character was explained */
	FILE *out;
};

/* ---- the run, and what it printed ---- */

static int require_printed(struct question *q, void *arg, GError **error)
{
	struct asking *a = arg;
	const struct run_source *run = &q->run;
	const struct trace_output *notes;

	if (q->o->output_file && !wrong_output_has_file(&run->failing, q->o->output_file, error))
		return ending_status(*error);
	a->run = trace_run_open(run->failing.record, run->images, run->n_images, error);
	if (!a->run || !trace_run_choose(a->run, run->failing.thread, error))
		return ending_status(*error);
	trace_run_end_at(a->run, &q->until);
	a->printed =
		printed_new(a->run, run->failing.out, run->failing.err, &a->q.o->limits, error);
	if (!a->printed)
		return ending_status(*error);
	a->lines = lines_split(a->printed->text[PRINTED_OUT]);
	if (a->lines->len && !trace_run_output(a->run, run->failing.thread, &notes)) {
		options_wrong(error,
			      "The record does not tell which calls printed something, or another "
			      "process or thread did; ask about the program itself.");
		return OPTIONS_EXIT_UNEXPLAINED;
	}
	return 0;
}

static const struct text_line *line_number(const struct asking *a, guint i)
{
	return &g_array_index(a->lines, struct text_line, i);
}

/* Of a library's header that was put into the user's code: the user's call of that.  False = it is
 * not known. */
static bool statement_of_call(const struct printed_call *call, struct image_statement *out)
{
	const struct image *im = call->module->image;
	const struct image_row *row = image_row_at(im, call->insn->addr);
	const struct image_statement *s = row ? image_statement(im, row->statement) : NULL;

	if (s && !(image_is_of_system(s->file) && image_users_call_at(im, call->insn->addr, out)))
		*out = *s;
	return s;
}

/* "total.c:21 in main" */
static char *place_of_call(const struct printed_call *call)
{
	struct image_statement s;
	g_autofree char *file = NULL;

	if (!call || !statement_of_call(call, &s))
		return g_strdup("code without source");
	file = g_path_get_basename(s.file);
	return g_strdup_printf("%s:%u in %s", file, s.line, s.function);
}

static char *as_shown(const struct text_line *line)
{
	size_t n = line->length && line->text[line->length - 1] == '\n' ? line->length - 1
									: line->length;
	g_autofree char *text = g_strndup(line->text, n);
	g_autofree char *valid = g_utf8_make_valid(text, -1);

	return tui_clean_code(valid);
}

/* ---- all lines ---- */

/* The calls that printed the line, each once. */
static void list_line(struct asking *a, guint i)
{
	const struct text_line *line = line_number(a, i);
	g_autofree char *text = as_shown(line);
	const struct printed_call *last = NULL;
	g_autofree char *before = NULL;
	GString *places = g_string_new(NULL);

	for (gsize at = line->at; at < line->at + line->length; at++) {
		const struct printed_call *call = printed_call_at(a->printed, PRINTED_OUT, at);
		g_autofree char *place = NULL;

		if (call == last)
			continue;
		last = call;
		place = place_of_call(call);
		if (g_strcmp0(place, before) != 0)
			g_string_append_printf(places, "%s%s", places->len ? ", " : "", place);
		g_free(before);
		before = g_steal_pointer(&place);
	}
	fprintf(a->out, "%4u  %-40s  %s\n", i + 1, text, places->str);
	g_string_free(places, TRUE);
}

static bool loses_buffered_output(const struct asking *a)
{
	const enum run_end end = a->q.run.failing.end;

	return end == RUN_ASSERT || end == RUN_SIGNAL || end == RUN_TIMEOUT;
}

static int list_all(struct asking *a)
{
	for (guint i = 0; i < MIN(a->lines->len, MOST_LISTED); i++)
		list_line(a, i);
	if (a->lines->len > MOST_LISTED)
		fprintf(a->out, "      ... and %u lines more\n", a->lines->len - MOST_LISTED);
	if (!a->lines->len)
		fprintf(a->out, "The run printed nothing on its standard output%s.\n",
			loses_buffered_output(a) ? "; what its library had not written out when "
						   "the run was ended is lost"
						 : "");
	return OPTIONS_EXIT_EXPLAINED;
}

/* ---- one line ---- */

/* How C has the value that a piece shows, before its call; NULL = not in an expression. */
static char *expression_of(const struct printed_piece *p)
{
	static const char *const registers[16] = {
		[TRACE_RDI] = "$rdi", [TRACE_RSI] = "$rsi", [TRACE_RDX] = "$rdx",
		[TRACE_RCX] = "$rcx", [TRACE_R8] = "$r8",   [TRACE_R9] = "$r9",
	};
	const struct directive *d = &p->directive;
	const char *type = d->kind == DIRECTIVE_STRING ? "char *"
			   : d->kind == DIRECTIVE_CHAR ? "char"
			   : d->kind != DIRECTIVE_INT  ? NULL
			   : d->size == 8	       ? "long"
			   : d->size == 4	       ? "int"
			   : d->size == 2	       ? "short"
						       : "signed char";

	if (!type)
		return NULL;
	if (p->place.kind == PRINTED_MEMORY)
		return g_strdup_printf("*(%s *)%#" G_GINT64_MODIFIER "x", type, p->place.address);
	if (p->place.kind != PRINTED_REGISTER || p->place.reg >= 16 || !registers[p->place.reg])
		return NULL;
	return g_strdup_printf("(%s)%s", type, registers[p->place.reg]);
}

static bool is_put_call(const struct image *im, const struct trace_insn *insn)
{
	const struct image_function *f = image_function_at(im, insn->target);

	return insn->flow == TRACE_FLOW_CALL &&
	       arguments_are_put(f ? f->name : image_native_name(im, insn->target));
}

/* A variable alone, or a constant, has no place of its own: the call that puts it into the stream
 * then has that of the next operand that has one.  How many operands that is further on. */
static unsigned puts_behind_call(const struct printed_call *call)
{
	const struct image *im = call->module->image;
	const struct image_row *row = image_row_at(im, call->insn->addr), *at = row;
	const struct trace_insn *insn = call->insn;
	unsigned n = 0;

	for (unsigned left = MOST_INSNS_OF_STATEMENT; left && insn && at; left--) {
		insn = image_insn_at(im, insn->addr + insn->length);
		at = insn ? image_row_at(im, insn->addr) : NULL;
		if (!at || !is_put_call(im, insn))
			continue;
		if (at->statement != row->statement)
			break;
		n++;
	}
	return n;
}

/* Is it putc_unlocked, inlined, or the call that it makes where the buffer is full? */
static bool is_of_inlined_put(const struct printed_call *call)
{
	return call->insn->flow == TRACE_FLOW_NONE || g_strcmp0(call->name, "__overflow") == 0;
}

/* What it puts; programs call it by several names. */
static char *text_of_inlined_put(const struct source *source, size_t at)
{
	static const char *const names[] = { "putc_unlocked", "putchar_unlocked", "fputc_unlocked",
					     "putc",	      "putchar",	  "fputc" };
	char *text = NULL;

	for (size_t i = 0; !text && i < G_N_ELEMENTS(names); i++)
		text = source_text(source, source_argument(source, at, names[i], 0));
	return text;
}

/* The argument as the source has it: the first one behind the format is number 0 of the call's
 * values.  Caller frees. */
static char *argument_text(const struct printed_call *call, unsigned value)
{
	struct image_statement s;
	struct sources *sources =
		statement_of_call(call, &s) ? sources_new(call->module->image) : NULL;
	const struct source *source = sources ? sources_get(sources, s.file) : NULL;
	const char *name;
	char *text = NULL;
	unsigned first;
	size_t at;

	if (source && source_place(source, s.line, s.column, &at)) {
		if (is_of_inlined_put(call))
			text = text_of_inlined_put(source, at);
		else if (library_is_put(call->name))
			text = source_text(source, source_put(source, at, puts_behind_call(call)));
		else if (arguments_in_source(call->name, &name, &first))
			text = source_text(source,
					   source_argument(source, at, name, first + value));
	}
	sources_free(sources);
	if (!text && call->name && !g_str_has_prefix(call->name, "_"))
		text = g_strdup_printf("what %s prints", call->name);
	return text ? text : g_strdup("what is printed");
}

static bool find_stop_of_call(struct asking *a, const struct printed_call *call, struct stop *stop,
			      struct reverse_index *index, GError **error)
{
	const struct run_source *run = &a->q.run;

	*stop = (struct stop){ .image = call->module->image,
			       .places = g_array_new(FALSE, FALSE, sizeof(uint64_t)),
			       .count = call->nth,
			       .text = g_strdup("the call") };
	g_array_append_val(stop->places, call->insn->addr);
	g_clear_pointer(&a->q.point, trace_point_free);
	a->q.point = trace_point_new_at(run->images, run->n_images, run->failing.record,
					run->failing.thread, stop, 0, index, &a->q.until, error);
	return a->q.point != NULL;
}

static void print_tree(struct asking *a, struct cause_tree *tree, const char *title)
{
	const struct tui_options t = { .format = TUI_TEXT,
				       .color = a->q.o->events ? TUI_COLOR_NEVER
							       : (enum tui_color_when)a->q.o->color,
				       .deeper = ask_tree_deeper(&a->q) };

	cause_unfold_all(tree, a->q.o->depth, (unsigned)a->q.o->limits.causes);
	tui_print_causes(a->out, tree, title, &t);
	cause_tree_free(tree);
}

/* Without what only fills the width; the blanks of a string are its own. */
static const char *without_filling(const struct printed_piece *p, char *text)
{
	const bool is_string = p->directive.kind == DIRECTIVE_STRING && !p->directive.styled;

	if (!is_string)
		return g_strstrip(text);
	if (p->width <= 0)
		return text;
	return p->directive.left ? g_strchomp(text) : g_strchug(text);
}

/* The text as it was printed; the explanation owns it. */
static const char *printed_value(const struct asking *a, const struct printed_piece *p)
{
	const GString *all = a->printed->text[PRINTED_OUT];
	g_autofree char *text =
		p->to <= all->len ? g_strndup(all->str + p->from, (gsize)(p->to - p->from)) : NULL;
	g_autofree char *valid = text ? g_utf8_make_valid(text, -1) : NULL, *quoted = NULL;

	if (!valid)
		return NULL;
	if (p->directive.kind != DIRECTIVE_STRING)
		return explanation_string(a->q.e, without_filling(p, valid));
	quoted = g_strdup_printf("\"%s\"", without_filling(p, valid));
	return explanation_string(a->q.e, quoted);
}

/* The place of the number is asked about, since C has no name for it. */
static void explain_float(struct asking *a, const struct printed_piece *p,
			  struct reverse_index *index, const char *name, const char *title)
{
	const struct reverse_index_place place = {
		.memory = p->place.kind == PRINTED_MEMORY,
		.reg = p->place.kind == PRINTED_REGISTER ? (unsigned)p->place.reg : 0,
		.address = p->place.kind == PRINTED_MEMORY ? p->place.address : 0,
		.size = 8,
	};
	struct cause_tree *tree = cause_of_place(a->q.e, a->q.point, index, name, &place, false);

	((struct cause *)tree->causes->pdata[0])->value = printed_value(a, p);
	print_tree(a, tree, title);
}

/* Why the argument has its value. */
static bool explain_value(struct asking *a, const struct printed_call *call,
			  const struct printed_piece *p)
{
	struct reverse_index *index = reverse_index_new(&a->q.o->limits);
	g_autofree char *text = expression_of(p), *name = argument_text(call, p->value);
	g_autofree char *title = g_strconcat("why ", name, NULL);
	struct c_expression *e = NULL;
	struct expression_code *code = NULL;
	struct stop stop = { 0 };
	bool is_float = p->directive.kind == DIRECTIVE_FLOAT && p->place.kind != PRINTED_NOWHERE;
	bool done = (text || is_float) && find_stop_of_call(a, call, &stop, index, NULL);

	if (done && is_float)
		explain_float(a, p, index, name, title);
	else if (done)
		e = c_expression_parse(call->module->image, text, NULL);
	if (e)
		code = expression_compile(call->module->image, trace_point_frame(a->q.point), e,
					  NULL);
	if (code) {
		struct cause_tree *tree;

		expression_run(code, trace_point_frame(a->q.point), trace_point_cursor(a->q.point));
		tree = cause_of_value(a->q.e, a->q.point, index, name, code);
		((struct cause *)tree->causes->pdata[0])->value = printed_value(a, p);
		print_tree(a, tree, title);
	}
	done = done && (code || is_float);
	expression_code_free(code);
	c_expression_free(e);
	g_clear_pointer(&a->q.point, trace_point_free);
	reverse_index_free(index);
	stop_clear(&stop);
	return done;
}

/* "'a'", but not "'a' + i". */
static bool is_literal_text(const char *text)
{
	const char *end = text + 1;

	if (*text != '\'' && *text != '"')
		return false;
	while (*end && *end != *text)
		end += *end == '\\' && end[1] ? 2 : 1;
	return *end && !end[1];
}

/* A constant has no cause, and of characters that one call prints in a loop the first is enough. */
static bool tells_nothing(struct asking *a, const struct printed_call *call,
			  const struct printed_piece *p)
{
	g_autofree char *name = argument_text(call, p->value);
	const bool is_character = p->directive.kind == DIRECTIVE_CHAR;
	const bool again = is_character && a->character_pc == call->pc;

	if (p->directive.kind == DIRECTIVE_TEXT || is_literal_text(name) ||
	    (is_character && (char)p->bits == '\n'))
		return true;
	if (is_character)
		a->character_pc = call->pc;
	return again;
}

/* The values that the call's pieces show within the line; how many were explained. */
static unsigned explain_values(struct asking *a, const struct printed_call *call,
			       const struct text_line *line)
{
	unsigned done = 0;

	for (guint i = 0; i < call->pieces->len && done < MOST_VALUES; i++) {
		const struct printed_piece *p =
			&g_array_index(call->pieces, struct printed_piece, i);

		const struct printed_call *by = p->made_by ? p->made_by : call;

		if (p->from < line->at + line->length && p->to > line->at &&
		    !tells_nothing(a, by, p))
			done += explain_value(a, by, p);
	}
	return done;
}

static int explain_line(struct asking *a, guint number)
{
	const struct text_line *line = line_number(a, number);
	const struct printed_call *last = NULL;
	unsigned values = 0;

	list_line(a, number);
	for (gsize at = line->at; at < line->at + line->length && values < MOST_VALUES; at++) {
		const struct printed_call *call = printed_call_at(a->printed, PRINTED_OUT, at);

		if (call && call != last)
			values += explain_values(a, call, line);
		last = call;
	}
	if (!values)
		fputs("It shows no value that can be asked about; `why line N' says why its call "
		      "was reached.\n",
		      a->out);
	return OPTIONS_EXIT_EXPLAINED;
}

/* The line with that number, or the first one that holds that text; G_MAXUINT = there is none. */
static guint find_output_line(const struct asking *a)
{
	g_autofree char *text = g_strdup(a->about);
	size_t n = strlen(text);
	guint64 number;

	if (g_ascii_string_to_unsigned(text, 10, 0, G_MAXUINT32, &number, NULL))
		return number && number <= a->lines->len ? (guint)number - 1 : G_MAXUINT;
	if (n > 1 && text[0] == '"' && text[n - 1] == '"') {
		text[n - 1] = 0;
		memmove(text, text + 1, n - 1);
	}
	for (guint i = 0; i < a->lines->len; i++)
		if (g_strstr_len(line_number(a, i)->text, (gssize)line_number(a, i)->length, text))
			return i;
	return G_MAXUINT;
}

/* ---- what was not printed ---- */

static char *text_without_quotes(const char *text)
{
	size_t n = strlen(text);

	return n > 1 && text[0] == '"' && text[n - 1] == '"' ? g_strndup(text + 1, n - 2)
							     : g_strdup(text);
}

/* Why the run did not come to that line, or that it did. */
static void explain_missing_line(struct asking *a, const struct image *im, uint64_t bias,
				 uint64_t link, bool whole)
{
	const struct image_row *row = image_row_at(im, link);
	const struct image_statement *s = row ? image_statement(im, row->statement) : NULL;
	struct reverse_index *index = reverse_index_new(&a->q.o->limits);
	const struct run_source *run = &a->q.run;
	g_autofree char *file = s ? g_path_get_basename(s->file) : NULL, *title = NULL;
	struct stop line = { 0 };
	struct cause_tree *tree = NULL;
	g_autoptr(GError) why = NULL;

	a->q.point = trace_point_new_at(run->images, run->n_images, run->failing.record,
					run->failing.thread, NULL, 0, index, &a->q.until, NULL);
	if (s && a->q.point &&
	    stop_find_line(run->images, run->n_images, s->file, s->line, &line, NULL)) {
		fprintf(a->out,
			wanted_is_printed_there(im, link) ? "%s:%u in %s could print it%s.\n"
							  : "%s:%u in %s has that text%s.\n",
			file, s->line, s->function, whole ? "" : ", or its beginning");
		title = g_strdup_printf("why not line %s:%u", file, s->line);
		tree = cause_of_line(a->q.e, a->q.point, index, &line, bias, false, &why);
		if (tree)
			print_tree(a, tree, title);
		else
			fprintf(a->out, "%s\n", why->message);
	}
	stop_clear(&line);
	g_clear_pointer(&a->q.point, trace_point_free);
	reverse_index_free(index);
}

/* A call and the format that it gets may be found both. */
static bool is_new_line(GHashTable *lines, const struct image *im, uint64_t link)
{
	const struct image_row *row = image_row_at(im, link);
	const struct image_statement *s = row ? image_statement(im, row->statement) : NULL;

	return !s || !s->file || g_hash_table_add(lines, (gpointer)s);
}

static int explain_missing(struct asking *a, GError **error)
{
	g_autoptr(GArray) pcs = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	g_autoptr(GHashTable) lines = g_hash_table_new(image_line_hash, image_line_equal);
	g_autofree char *text = text_without_quotes(a->about);
	bool whole;

	if (find_output_line(a) != G_MAXUINT) {
		options_wrong(error,
			      "The run did print that, in line %u; `why output %u' says why.",
			      find_output_line(a) + 1, find_output_line(a) + 1);
		return OPTIONS_EXIT_PASSED;
	}
	if (!((whole = wanted_find_part(a->printed, a->run, text, strlen(text), pcs)) ||
	      wanted_find(a->printed, PRINTED_OUT, a->run, text, strlen(text), pcs)) ||
	    !pcs->len) {
		options_wrong(error,
			      "No format and no constant of the program prints `%s' as a whole.",
			      text);
		return OPTIONS_EXIT_UNEXPLAINED;
	}
	for (guint i = 0; i < MIN(pcs->len, a->q.o->limits.output_places); i++) {
		uint64_t link, pc = g_array_index(pcs, uint64_t, i);
		const struct trace_module *m = trace_run_module_at(a->run, pc, &link);

		if (m && is_new_line(lines, m->image, link))
			explain_missing_line(a, m->image, m->bias, link, whole);
	}
	return OPTIONS_EXIT_EXPLAINED;
}

/* ---- the command ---- */

static int answer_output_question(struct asking *a, GError **error)
{
	guint line;

	if (a->negated)
		return explain_missing(a, error);
	if (!a->about)
		return list_all(a);
	line = find_output_line(a);
	if (line != G_MAXUINT)
		return explain_line(a, line);
	options_wrong(error, "The run printed no line %s%s; `why output' lists them.",
		      g_ascii_isdigit(*a->about) ? "" : "with ", a->about);
	return OPTIONS_EXIT_UNEXPLAINED;
}

static bool write_asked_answer(const struct options *o, const char *text, GError **error)
{
	if (o->events)
		event_write((int)o->events, &(struct event){ .kind = EVENT_RESULT, .text = text });
	else
		return output_file_write(o->output, text, error);
	return true;
}

int ask_output_command(const struct options *o, GError **error)
{
	struct asking a = { .about = options_asks_output(o) };
	g_autofree char *text = NULL;
	size_t size = 0;
	int status;

	a.negated = !g_str_has_prefix(o->question, "why output");
	if (!*a.about)
		a.about = NULL;
	if (a.negated && !a.about) {
		options_wrong(error, "Why was what not printed?  Say a part of a line: "
				     "why not output \"TEXT\".");
		return OPTIONS_EXIT_USAGE;
	}
	if (o->format != TUI_TEXT) {
		options_wrong(error, "Answers about output are text; leave --format out.");
		return OPTIONS_EXIT_USAGE;
	}
	a.out = open_memstream(&text, &size);
	status = question_start(&a.q, o, require_printed, &a, error);
	if (!status)
		status = answer_output_question(&a, error);
	fclose(a.out);
	if (status == OPTIONS_EXIT_EXPLAINED && !write_asked_answer(o, text, error))
		status = OPTIONS_EXIT_USAGE;
	if (a.lines)
		g_array_free(a.lines, TRUE);
	printed_free(a.printed);
	trace_run_free(a.run);
	question_clear(&a.q);
	return status;
}
