/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Types and values, compared with what a program says of itself and with GDB. */
#include "solver/image/image.h"
#include "solver/image/variable/variable.h"
#include "tests/support/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char types[] =
	"#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <stdio.h>\n"
	"#include <string.h>\n"
	"enum color { RED, GREEN = 5, BLUE } color = GREEN, odd_color = 77;\n"
	"enum sign { MINUS = -2, PLUS = 1 } sign = MINUS;\n"
	"typedef unsigned long word; typedef const word *word_pointer;\n"
	"union both { float f; uint32_t u; unsigned char bytes[4]; };\n"
	"struct bits { unsigned a : 3; int b : 7; unsigned long c : 33; bool d : 1; char e; };\n"
	"struct node { char tag; struct node *next; union both both; short pair[2][3];\n"
	"  struct { int inner; double d; }; struct bits bits; enum color color; char tail[]; };\n"
	"struct node node; struct bits bits; union both both = { .f = 1.5f };\n"
	"int i = -42; unsigned u = 4000000000u; long l = -1234567890123; short h = -3;\n"
	"unsigned char uc = 200; signed char sc = -100; char c = 'x'; char newline = '\\n';\n"
	"char quote = '\\''; char control = 7; bool yes = true, no = false; word w = 1ul << 63;\n"
	"double d = 0.1; float f = -2.5f; double huge = 1e300; uint64_t big = ~0ull;\n"
	"struct node *null; const char *volatile text; int matrix[2][3] = { { 1, 2, 3 }, { 4 } };\n"
	"int (*function)(int); void *nothing; word_pointer wp; int **deep; int_least16_t least;\n"
	"struct opaque *opaque; __int128 wide; wchar_t wide_char = L'z'; long double ld = 1.5L;\n";

static const char program[] =
	"#define SIZE(x) printf(\"size %s %zu\\n\", #x, sizeof(x));\n"
	"#define OFFSET(t, m) printf(\"offset %s %s %zu %zu\\n\", #t, #m, offsetof(struct t, m), "
	"\\\n"
	"  sizeof(((struct t *)0)->m));\n"
	"#define BITS(m) do { unsigned char z[sizeof bits]; int first = -1, n = 0;\\\n"
	"  memset(&bits, 0, sizeof bits); bits.m = ~0; memcpy(z, &bits, sizeof z);\\\n"
	"  for (int k = 0; k < (int)sizeof z * 8; k++) if (z[k / 8] >> k % 8 & 1) {\\\n"
	"    if (first < 0) first = k; n++; }\\\n"
	"  printf(\"bits bits %s %d %d\\n\", #m, first, n); } while (0);\n"
	"int main(void) { SIZE(node) SIZE(bits) SIZE(both) SIZE(color) SIZE(i) SIZE(l) SIZE(h)\n"
	"  SIZE(c) SIZE(yes) SIZE(w) SIZE(d) SIZE(f) SIZE(matrix) SIZE(null) SIZE(text) "
	"SIZE(wide)\n"
	"  SIZE(ld)\n"
	"  OFFSET(node, tag) OFFSET(node, next) OFFSET(node, both) OFFSET(node, pair)\n"
	"  OFFSET(node, bits) OFFSET(node, color) OFFSET(bits, e)\n"
	"  BITS(a) BITS(b) BITS(c) BITS(d)\n"
	"  return 0; }\n";

static char *folder;

/* As many ways of writing bit-fields into DWARF as there are. */
static const char *const commands[] = { "gcc -w -g -O0", "gcc -w -g -O0 -gdwarf-3 -gstrict-dwarf",
					"clang -w -g -O0 -gdwarf-4", "clang -w -g -O0" };

static struct image *open_image(const char *command, char **path)
{
	g_autofree char *source = g_strconcat(types, program, NULL);
	g_autoptr(GError) error = NULL;
	struct image *im;

	*path = test_compile(folder, "types", source, command);
	im = image_open(*path, &error);
	if (!im)
		fail_msg("%s", error->message);
	return im;
}

static bool can_run(const char *command)
{
	g_auto(GStrv) words = g_strsplit(command, " ", 2);

	return test_has(words[0]);
}

static const struct image_variable *global(const struct image *im, const char *name)
{
	const struct image_variable *const *v;
	size_t n = image_globals(im, &v);

	for (size_t i = 0; i < n; i++)
		if (strcmp(v[i]->name, name) == 0)
			return v[i];
	fail_msg("there is no variable %s", name);
	return NULL;
}

static const struct image_type *type_of(const struct image *im, const char *name)
{
	assert_non_null(global(im, name)->type);
	return global(im, name)->type;
}

static const struct image_member *member(const struct image_type *t, const char *name)
{
	for (uint32_t i = 0; i < t->n_members; i++)
		if (g_strcmp0(t->members[i].name, name) == 0)
			return &t->members[i];
	fail_msg("there is no member %s", name);
	return NULL;
}

/* ---- layout: the program knows best ---- */

static void check_line(const struct image *im, const char *line)
{
	g_auto(GStrv) w = g_strsplit(line, " ", -1);
	const struct image_member *m;

	if (strcmp(w[0], "size") == 0) {
		assert_int_equal(type_of(im, w[1])->size, atoi(w[2]));
		return;
	}
	m = member(type_of(im, w[1]), w[2]);
	if (strcmp(w[0], "offset") == 0) {
		assert_int_equal(m->bit_offset, 8 * atoi(w[3]));
		assert_int_equal(m->bit_size, 0);
		assert_int_equal(m->type->size, atoi(w[4]));
	} else {
		assert_int_equal(m->bit_offset, atoi(w[3]));
		assert_int_equal(m->bit_size, atoi(w[4]));
	}
}

static void layouts_are_the_programs_own(void **state)
{
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(commands); i++) {
		g_autofree char *path = NULL, *text = NULL;
		g_auto(GStrv) lines = NULL;
		struct image *im;

		if (!can_run(commands[i]))
			continue;
		im = open_image(commands[i], &path);
		text = test_output("'%s'", path);
		lines = g_strsplit(g_strchomp(text), "\n", -1);
		assert_int_equal(g_strv_length(lines), 28);
		for (char **l = lines; *l; l++)
			check_line(im, *l);
		image_free(im);
	}
}

static void kinds_and_parts(void **state)
{
	g_autofree char *path = NULL;
	struct image *im = open_image("gcc -w -g -O0", &path);
	const struct image_type *node = type_of(im, "node"), *t;

	(void)state;
	assert_int_equal(node->kind, IMAGE_TYPE_STRUCT);
	assert_string_equal(node->name, "node");
	assert_int_equal(node->n_members, 8);
	assert_ptr_equal(member(node, "next")->type->target, node);
	assert_int_equal(member(node, "both")->type->kind, IMAGE_TYPE_UNION);
	assert_int_equal(member(member(node, NULL)->type, "d")->type->kind, IMAGE_TYPE_FLOAT);
	assert_int_equal(member(node, "tail")->type->count, 0);
	t = member(node, "pair")->type;
	assert_int_equal(t->kind, IMAGE_TYPE_ARRAY);
	assert_int_equal(t->count, 2);
	assert_int_equal(t->target->count, 3);
	assert_int_equal(t->target->size, 6);
	assert_int_equal(t->target->target->kind, IMAGE_TYPE_INT);
	t = type_of(im, "color");
	assert_int_equal(t->kind, IMAGE_TYPE_ENUM);
	assert_false(t->is_signed);
	assert_int_equal(t->n_enumerators, 3);
	assert_string_equal(t->enumerators[1].name, "GREEN");
	assert_int_equal(t->enumerators[2].value, 6);
	assert_true(type_of(im, "sign")->is_signed);
	assert_int_equal(type_of(im, "sign")->enumerators[0].value, -2);
	assert_int_equal(type_of(im, "yes")->kind, IMAGE_TYPE_BOOL);
	assert_int_equal(type_of(im, "c")->kind, IMAGE_TYPE_CHAR);
	assert_true(type_of(im, "c")->is_signed);
	assert_false(type_of(im, "uc")->is_signed);
	assert_int_equal(type_of(im, "w")->kind, IMAGE_TYPE_INT);
	assert_false(type_of(im, "w")->is_signed);
	assert_null(type_of(im, "nothing")->target);
	assert_int_equal(type_of(im, "function")->target->kind, IMAGE_TYPE_FUNCTION);
	assert_int_equal(type_of(im, "opaque")->target->size, 0);
	image_free(im);
}

static void check_part(const struct image *im, const char *name, unsigned at, unsigned bits,
		       const char *path, unsigned part_at, unsigned part_bits)
{
	g_autoptr(GString) text = g_string_new(name);
	struct image_part part;

	image_part_of(type_of(im, name), at, bits, text, &part);
	assert_string_equal(text->str, path);
	assert_int_equal(part.at, part_at);
	assert_int_equal(part.bits, part_bits);
}

/* The smallest thing that holds given bits. */
static void parts_by_bits(void **state)
{
	g_autofree char *path = NULL;
	struct image *im = open_image("gcc -w -g -O0", &path);
	unsigned pair = (unsigned)member(type_of(im, "node"), "pair")->bit_offset;

	(void)state;
	check_part(im, "bits", 0, 3, "bits.a", 0, 3);
	check_part(im, "bits", 1, 1, "bits.a", 0, 3);
	check_part(im, "bits", 3, 7, "bits.b", 3, 7);
	check_part(im, "bits", 0, 16, "bits", 0, 8 * (unsigned)type_of(im, "bits")->size);
	check_part(im, "matrix", 32, 32, "matrix[0][1]", 32, 32);
	check_part(im, "matrix", 40, 8, "matrix[0][1]", 32, 32);
	check_part(im, "matrix", 32, 64, "matrix[0]", 0, 96);
	check_part(im, "matrix", 64, 64, "matrix", 0, 192);
	check_part(im, "node", pair + 5 * 16, 16, "node.pair[1][2]", pair + 5 * 16, 16);
	check_part(im, "i", 0, 32, "i", 0, 32);
	image_free(im);
}

/* ---- texts and values: GDB ---- */

/* One line for each name: before NAME after. */
static char *gdb_says(const char *path, const char *before, const char *after,
		      const char *const *names, size_t n)
{
	g_autoptr(GString) asked = g_string_new(NULL);

	for (size_t i = 0; i < n; i++)
		g_string_append_printf(asked, " -ex '%s%s%s'", before, names[i], after);
	return test_output("gdb -nx -batch%s '%s' 2>&1", asked->str, path);
}

/* Without these words, or without the blank before a bracket. */
static char *without(const char *text, const char *words)
{
	g_auto(GStrv) parts = g_strsplit(text, words, -1);

	return g_strjoinv(g_str_has_suffix(words, "[") ? "[" : "", parts);
}

static void types_are_written_as_gdb_writes_them(void **state)
{
	static const char *const names[] = { "i",    "u",   "uc",     "d",    "node",
					     "null", "i",   "both",   "text", "nothing",
					     "deep", "yes", "matrix", "bits", "color" };
	g_autofree char *path = NULL, *text = NULL;
	g_auto(GStrv) lines = NULL;
	struct image *im = open_image("gcc -w -g -O0", &path);

	(void)state;
	text = gdb_says(path, "python print(gdb.parse_and_eval(\"",
			"\")"
			".type.strip_typedefs().unqualified())",
			names, G_N_ELEMENTS(names));
	lines = g_strsplit(g_strchomp(text), "\n", -1);
	assert_int_equal(g_strv_length(lines), G_N_ELEMENTS(names));
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *ours = image_type_text(type_of(im, names[i]));
		g_autofree char *plain = without(lines[i], "const ");
		g_autofree char *expected = without(plain, " [");

		assert_string_equal(ours, expected);
	}
	image_free(im);
}

static void values_are_written_as_gdb_writes_them(void **state)
{
	static const char *const names[] = { "i",    "u",   "l",   "h",	 "d",	  "f",	 "w",
					     "huge", "big", "yes", "no", "color", "sign" };
	g_autofree char *path = NULL, *text = NULL;
	g_auto(GStrv) lines = NULL;
	struct image *im = open_image("gcc -w -g -O0", &path);

	(void)state;
	text = gdb_says(path, "print ", "", names, G_N_ELEMENTS(names));
	lines = g_strsplit(g_strchomp(text), "\n", -1);
	assert_int_equal(g_strv_length(lines), G_N_ELEMENTS(names));
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		const struct image_variable *v = global(im, names[i]);
		const char *expected = strstr(lines[i], " = ") + 3;
		uint8_t bytes[8];
		bool writable;
		g_autofree char *ours = NULL;

		assert_true(image_initial(im, v->address, v->type->size, bytes, &writable));
		ours = image_format(v->type, bytes, v->type->size);
		/* any text of a floating-point number that gives the same one */
		if (v->type->kind == IMAGE_TYPE_FLOAT)
			assert_true(g_ascii_strtod(ours, NULL) == g_ascii_strtod(expected, NULL));
		else
			assert_string_equal(ours, expected);
	}
	image_free(im);
}

static void check_value(const struct image *im, const char *name, const char *expected)
{
	const struct image_variable *v = global(im, name);
	uint8_t bytes[256];
	bool writable;
	g_autofree char *ours = NULL;

	assert_true(image_initial(im, v->address, v->type->size, bytes, &writable));
	ours = image_format(v->type, bytes, v->type->size);
	assert_string_equal(ours, expected);
}

static void values_are_written_as_c(void **state)
{
	g_autofree char *path = NULL, *pointer = NULL;
	struct image *im = open_image("gcc -w -g -O0", &path);
	const uint8_t bytes[8] = { 0x34, 0x12 };

	(void)state;
	check_value(im, "c", "'x'");
	check_value(im, "newline", "'\\n'");
	check_value(im, "quote", "'\\''");
	check_value(im, "control", "7");
	check_value(im, "uc", "200");
	check_value(im, "sc", "-100");
	check_value(im, "yes", "true");
	check_value(im, "null", "NULL");
	check_value(im, "odd_color", "77");
	check_value(im, "wide_char", "122");
	check_value(im, "node", "{...}");
	assert_string_equal(type_of(im, "big")->name, "long unsigned int");
	pointer = image_format(type_of(im, "null"), bytes, 8);
	assert_string_equal(pointer, "0x1234");
	image_free(im);
}

static int make_folder(void **state)
{
	(void)state;
	folder = test_folder_new();
	return 0;
}

static int remove_folder(void **state)
{
	(void)state;
	test_folder_free(folder);
	return 0;
}

/* What lies between members, and what the compiler put there, has no name. */
static void bytes_that_have_names(void **state)
{
	static const struct image_type letter = { .kind = IMAGE_TYPE_CHAR, .size = 1 };
	static const struct image_type number = { .kind = IMAGE_TYPE_INT, .size = 4 };
	static const struct image_type pointer = { .kind = IMAGE_TYPE_POINTER, .size = 8 };
	static const struct image_type rest = { .kind = IMAGE_TYPE_ARRAY, .target = &number };
	const struct image_member members[] = {
		{ "_vptr.thing", &pointer, 0, 0 },
		{ "c", &letter, 64, 0 },
		{ "n", &number, 96, 0 },
		{ "bits", &number, 128, 3 },
	};
	const struct image_type thing = {
		.kind = IMAGE_TYPE_STRUCT, .size = 24, .n_members = 4, .members = members
	};
	const struct image_type things = {
		.kind = IMAGE_TYPE_ARRAY, .size = 72, .count = 3, .target = &thing
	};
	const struct image_member open[] = { { "n", &number, 0, 0 }, { "rest", &rest, 64, 0 } };
	const struct image_type flexible = {
		.kind = IMAGE_TYPE_STRUCT, .size = 8, .n_members = 2, .members = open
	};

	(void)state;
	assert_false(image_type_is_named_at(&thing, 0, 8));
	assert_true(image_type_is_named_at(&thing, 0, 9));
	assert_true(image_type_is_named_at(&thing, 8, 1));
	assert_false(image_type_is_named_at(&thing, 9, 3));
	assert_true(image_type_is_named_at(&thing, 9, 4));
	assert_true(image_type_is_named_at(&thing, 16, 1));
	assert_false(image_type_is_named_at(&thing, 17, 7));
	assert_false(image_type_is_named_at(&things, 17, 15));
	assert_true(image_type_is_named_at(&things, 17, 16));
	assert_true(image_type_is_named_at(&things, 20, 30));
	assert_false(image_type_is_named_at(&things, 65, 7));
	assert_false(image_type_is_named_at(&flexible, 4, 4));
	assert_true(image_type_is_named_at(&flexible, 8, 4));
	assert_true(image_type_is_named_at(&number, 2, 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(layouts_are_the_programs_own),
		cmocka_unit_test(kinds_and_parts),
		cmocka_unit_test(parts_by_bits),
		cmocka_unit_test(types_are_written_as_gdb_writes_them),
		cmocka_unit_test(values_are_written_as_gdb_writes_them),
		cmocka_unit_test(values_are_written_as_c),
		cmocka_unit_test(bytes_that_have_names),
	};

	test_need("gcc");
	test_need("gdb");
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
