/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which variables are visible and where they are, at every instruction of programs
 * that GDB steps through and says the same of. */
#include "solver/image/image.h"
#include "solver/image/variable/variable.h"
#include "tests/support/mi-gdb.h"
#include "tests/support/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char source[] =
	"#include \"other.h\"\n"
	"struct pair { int x, y; };\n"
	"int v, a[8];\n"
	"static inline int limit(int n, int *out)\n"
	"{\n"
	"	int low = n & 7;\n"
	"	if (low > 3) { long inner = low * 3; v += inner; *out = v; }\n"
	"	return low + v;\n"
	"}\n"
	"__attribute__((noinline)) int twice(int x, const struct pair *p)\n"
	"{\n"
	"	static int calls;\n"
	"	struct pair copy = *p;\n"
	"	int sum = 0;\n"
	"	calls++;\n"
	"	for (int i = 0; i < 3; i++) { int got; sum += limit(x + i, &got); sum += got;\n"
	"		{ unsigned char x = sum; a[i] = x; } }\n"
	"	return sum + copy.x + shared;\n"
	"}\n"
	"int main(int argc, char **argv)\n"
	"{\n"
	"	struct pair pair = { argc, 2 };\n"
	"	(void)argv;\n"
	"	shared = 5;\n"
	"	return twice(argc + 4, &pair) + limit(2, &v) > 9999;\n"
	"}\n"
	"int shared;\n";

/* B: main's address.  S: pc, canonical frame address, 16 registers.  V: name, address or -,
 * value or -, size, of each variable from the innermost block on. */
static const char script[] =
	"import gdb\n"
	"regs = 'rax rcx rdx rbx rsp rbp rsi rdi r8 r9 r10 r11 r12 r13 r14 r15'.split()\n"
	"def symbols(block):\n"
	"    while block and not block.is_global and not block.is_static:\n"
	"        for s in block:\n"
	"            if s.is_variable or s.is_argument or s.is_constant: yield s\n"
	"        block = block.superblock\n"
	"def show(s, frame):\n"
	"    address = value = '-'; size = 0\n"
	"    try:\n"
	"        val = s.value(frame)\n"
	"        size = val.type.strip_typedefs().sizeof\n"
	"        if val.address is not None: address = hex(int(val.address))\n"
	"        if not val.is_optimized_out and val.type.code not in (gdb.TYPE_CODE_STRUCT,\n"
	"                gdb.TYPE_CODE_ARRAY):\n"
	"            value = hex(int(val) & ((1 << 8 * size) - 1))\n"
	"    except (gdb.error, RuntimeError): pass\n"
	"    print('V', s.name, address, value, size)\n"
	"def real(frame):\n"
	"    while frame.type() == gdb.INLINE_FRAME: frame = frame.older()\n"
	"    return frame\n"
	"gdb.execute('set backtrace past-main on'); gdb.execute('set debuginfod enabled off')\n"
	"gdb.execute('break *main', to_string=True); gdb.execute('run', to_string=True)\n"
	"print('B', hex(int(gdb.parse_and_eval('(long)&main'))))\n"
	"for i in range(600):\n"
	"    frame = gdb.newest_frame(); pc = frame.pc()\n"
	"    block = gdb.block_for_pc(pc)\n"
	"    if block is None or real(frame).name() not in ('main', 'twice', 'limit'): break\n"
	"    cfa = int(real(frame).older().read_register('rsp')) & (1 << 64) - 1\n"
	"    print('S', hex(pc), hex(cfa), *[hex(int(frame.read_register(r)) & (1 << 64) - 1)\n"
	"        for r in regs])\n"
	"    for s in symbols(block): show(s, frame)\n"
	"    gdb.execute('stepi', to_string=True)\n"
	"gdb.execute('kill')\n";

static char *folder;

struct step {
	const struct image *im;
	struct image_frame frame;
	uint64_t cfa;
	bool by_frame_pointer;
	GHashTable *shown; /* names that GDB sees here */
	GHashTable *found; /* "name, variable, frame" → its address, as GDB tells it in the body */
};

struct tally {
	unsigned steps, places, unknown;
};

static uint64_t number(const char *text)
{
	return strtoull(text, NULL, 16);
}

static void begin_step(struct step *s, char **w, struct tally *t)
{
	uint64_t cfa = 0;

	assert_int_equal(g_strv_length(w), 19);
	s->frame.pc = number(w[1]) - s->frame.bias;
	s->cfa = number(w[2]);
	for (unsigned i = 0; i < 16; i++)
		s->frame.regs[i] = number(w[3 + i]);
	assert_true(image_cfa(s->im, &s->frame, &cfa));
	assert_int_equal(cfa, s->cfa);
	g_hash_table_remove_all(s->shown);
	t->steps++;
}

/* Of functions, image_variables_at gives what GDB showed, and what is nowhere. */
static void end_step(const struct step *s)
{
	const struct image_variable *const *v;
	size_t n = image_variables_at(s->im, s->frame.pc, &v);

	for (size_t i = 0; i < n; i++) {
		if (!v[i]->function && strcmp(v[i]->name, "calls") != 0)
			continue;
		if (!g_hash_table_contains(s->shown, v[i]->name) &&
		    image_locate(s->im, v[i], &s->frame).kind != IMAGE_PLACE_UNKNOWN)
			fail_msg("%#lx: GDB sees no %s", (unsigned long)s->frame.pc, v[i]->name);
	}
}

static const struct image_variable *first_named(const struct step *s, const char *name)
{
	const struct image_variable *const *v;
	size_t n = image_variables_at(s->im, s->frame.pc, &v);

	for (size_t i = 0; i < n; i++)
		if (strcmp(v[i]->name, name) == 0)
			return v[i];
	return NULL;
}

/* clang tells variables by the frame pointer, which is the caller's at the beginning and the end of
 * a function.  GDB takes that one; the variable is where it was in the body. */
static void check_address(struct step *s, const struct image_variable *v, uint64_t address,
			  uint64_t gdb)
{
	g_autofree char *key =
		g_strdup_printf("%s, %u, %lx", v->name, v->id, (unsigned long)s->cfa);
	const uint64_t *body = g_hash_table_lookup(s->found, key);

	if (!s->by_frame_pointer || !v->function || s->frame.regs[TRACE_RBP] == s->cfa - 16) {
		assert_int_equal(address, gdb);
		g_hash_table_insert(s->found, g_steal_pointer(&key),
				    g_memdup2(&address, sizeof(address)));
	} else if (body) {
		assert_int_equal(address, *body);
	}
}

static void check_variable(struct step *s, char **w, struct tally *t)
{
	const struct image_variable *v = first_named(s, w[1]);
	struct image_place p = { 0 };
	unsigned size = (unsigned)atoi(w[4]);
	uint64_t mask = size < 8 ? (1ull << 8 * size) - 1 : UINT64_MAX;

	/* of several of a name the innermost counts */
	if (!g_hash_table_add(s->shown, g_strdup(w[1])))
		return;
	if (v)
		p = image_locate(s->im, v, &s->frame);
	if (strcmp(w[3], "-") == 0 && strcmp(w[2], "-") == 0) {
		if (p.kind != IMAGE_PLACE_UNKNOWN)
			fail_msg("%#lx: GDB knows no %s", (unsigned long)s->frame.pc, w[1]);
		return;
	}
	if (!v)
		fail_msg("%#lx: there is no %s", (unsigned long)s->frame.pc, w[1]);
	t->places++;
	switch (p.kind) {
	case IMAGE_PLACE_UNKNOWN:
		t->unknown++;
		return;
	case IMAGE_PLACE_MEMORY:
		check_address(s, v, p.address, number(w[2]));
		return;
	case IMAGE_PLACE_REGISTER:
		assert_string_equal(w[2], "-");
		assert_in_range(p.reg, 0, 15);
		assert_int_equal(s->frame.regs[p.reg] & mask, number(w[3]));
		return;
	case IMAGE_PLACE_VALUE:
		assert_int_equal(p.value & mask, number(w[3]));
	}
}

static struct tally follow(const char *command)
{
	g_autofree char *path = test_compile(folder, "prog", source, command);
	g_autofree char *text =
		test_output("gdb -nx -batch -x '%s/script.py' '%s' 2>&1", folder, path);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	struct tally t = { 0 };
	struct step s = { .im = image_open(path, NULL) };

	assert_non_null(s.im);
	s.by_frame_pointer = strcmp(command, "clang -g -O0") == 0;
	s.shown = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	s.found = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	for (char **l = lines; *l; l++) {
		g_auto(GStrv) w = g_strsplit(*l, " ", -1);

		if (g_str_has_prefix(*l, "B "))
			s.frame.bias = number(w[1]) - image_function_named(s.im, "main")->entry;
		if ((g_str_has_prefix(*l, "S ") || !l[1]) && t.steps)
			end_step(&s);
		if (g_str_has_prefix(*l, "S "))
			begin_step(&s, w, &t);
		else if (g_str_has_prefix(*l, "V "))
			check_variable(&s, w, &t);
	}
	if (t.steps < 50)
		fail_msg("%s", text);
	g_hash_table_destroy(s.shown);
	g_hash_table_destroy(s.found);
	image_free((struct image *)s.im);
	return t;
}

static void plain_programs(void **state)
{
	static const char *const commands[] = { "gcc -g -O0", "clang -g -O0", "gcc -g -O0 -no-pie",
						"gcc -g -O0 -fomit-frame-pointer" };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(commands); i++) {
		struct tally t;

		if (g_str_has_prefix(commands[i], "clang") && !test_has("clang"))
			continue;
		t = follow(commands[i]);
		assert_true(t.places > 100);
		assert_int_equal(t.unknown, 0);
	}
}

/* Inlined functions too; what needs the caller's registers (DW_OP_entry_value) or comes
 * in pieces is not known to us. */
static void optimized_programs(void **state)
{
	static const char *const commands[] = { "gcc -g -O2", "gcc -g -Og", "clang -g -O2",
						"gcc -g -O1 -gdwarf-4 -no-pie" };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(commands); i++) {
		struct tally t;

		if (g_str_has_prefix(commands[i], "clang") && !test_has("clang"))
			continue;
		t = follow(commands[i]);
		print_message("%s: %u of %u unknown\n", commands[i], t.unknown, t.places);
		assert_true(t.places > 50);
		assert_true(t.unknown * 3 < t.places);
	}
}

/* ---- names ---- */

/* `extern` must not hide the definition, whichever comes first. */
static void definitions_are_found_behind_declarations(void **state)
{
	g_autofree char *path = test_compile(folder, "prog", source, "gcc -g -O0");
	struct image *im = image_open(path, NULL);
	const struct image_function *f = image_function_named(im, "main");
	const struct image_variable *const *v;
	unsigned found = 0;
	size_t n;

	(void)state;
	n = image_variables_at(im, f->body, &v);
	for (size_t i = 0; i < n; i++)
		if (strcmp(v[i]->name, "shared") == 0) {
			found++;
			assert_true(v[i]->address != 0);
		}
	assert_int_equal(found, 1);
	image_free(im);
}

static size_t index_of(const struct image_variable *const *v, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(v[i]->name, name) == 0)
			return i;
	fail_msg("there is no %s", name);
	return n;
}

/* Its own, then the file's, which C sees, then those of the function around it, which a
 * pointer may lead to. */
static void inlined_functions_see_their_own_first(void **state)
{
	g_autofree char *path = test_compile(folder, "prog", source, "gcc -g -O2");
	struct image *im = image_open(path, NULL);
	const struct image_function *f = image_function_named(im, "twice");
	unsigned seen = 0;

	(void)state;
	for (uint64_t pc = f->lo; pc < f->hi; pc++) {
		const struct image_variable *const *v;
		size_t n = image_variables_at(im, pc, &v), low, file, sum;

		if (g_strcmp0(image_inlined_at(im, pc), "limit") != 0)
			continue;
		assert_true(v[index_of(v, n, "low")]->inlined);
		/* where it begins, it is not entered yet */
		if (g_strcmp0(image_inlined_at(im, pc - 1), "limit") != 0)
			continue;
		seen++;
		assert_true(image_variables_in_sight(im, pc, false, &v) < n);
		low = index_of(v, n, "low");
		file = index_of(v, n, "v");
		sum = index_of(v, n, "sum");
		assert_true(sum >= image_variables_in_sight(im, pc, false, &v));
		assert_true(low < file && file < sum);
		assert_true(v[low]->inlined && v[index_of(v, n, "n")]->inlined);
		assert_false(v[file]->inlined || v[sum]->inlined);
		assert_ptr_equal(v[low]->function, f);
		assert_ptr_equal(v[sum]->function, f);
		assert_null(v[file]->function);
	}
	assert_true(seen > 0);
	image_free(im);
}

/* The source of a range-based loop names none of the variables that it goes through by. */
static void the_compilers_own_have_no_name(void **state)
{
	g_autofree char *path =
		test_compile(folder, "range.cc",
			     "struct box { int at[3]; int total() const;\n"
			     "	int *begin() { return at; } int *end() { return at + 3; } };\n"
			     "int sum(box &all) { int n = 0;\n"
			     "	for (int &x : all) n += x;\n"
			     "	return n; }\n"
			     "int box::total() const { return at[0]; }\n"
			     "int main() { box b = { { 1, 2, 3 } };\n"
			     "	return sum(b) - b.total(); }\n",
			     "g++ -g -O0");
	struct image *im = image_open(path, NULL);
	const char *const functions[] = { "sum", "total" };
	unsigned seen = 0, objects = 0;

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(functions); i++) {
		const struct image_function *f = image_function_named(im, functions[i]);

		assert_non_null(f);
		for (uint64_t pc = f->lo; pc < f->hi; pc++) {
			const struct image_variable *const *v;
			const size_t n = image_variables_at(im, pc, &v);

			for (size_t k = 0; k < n; k++) {
				assert_false(g_str_has_prefix(v[k]->name, "__for"));
				seen += strcmp(v[k]->name, "x") == 0;
				objects += strcmp(v[k]->name, "this") == 0;
			}
		}
	}
	assert_true(seen && objects);
	image_free(im);
}

static int make_folder(void **state)
{
	g_autofree char *file = NULL, *header = NULL;

	(void)state;
	folder = test_folder_new();
	file = g_build_filename(folder, "script.py", NULL);
	header = g_build_filename(folder, "other.h", NULL);
	return g_file_set_contents(file, script, -1, NULL) &&
			       g_file_set_contents(header, "extern int shared;\n", -1, NULL)
		       ? 0
		       : -1;
}

static int remove_folder(void **state)
{
	(void)state;
	test_folder_free(folder);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_programs),
		cmocka_unit_test(optimized_programs),
		cmocka_unit_test(inlined_functions_see_their_own_first),
		cmocka_unit_test(the_compilers_own_have_no_name),
		cmocka_unit_test(definitions_are_found_behind_declarations),
	};

	test_gdb_or_skip();
	test_need("gcc");
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
