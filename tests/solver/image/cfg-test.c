/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks of compiled functions, compared with objdump's jumps; what they depend on,
 * with the definitions. */
#include "solver/image/image.h"
#include "tests/support/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

/* No function with a jump table or a call that does not return. */
static const char source[] =
	"int v, a[99];\n"
	"int loops(int n) { int s = 0; for (int i = 0; i < n; i++) { if (a[i] & 1) continue;\n"
	"  for (int j = i; j > 0; j /= 2) { if (a[j] == 7) goto out; s += a[j]; } }\n"
	"  while (s > 9) { s -= v; if (s == 3) break; }\n"
	"  do s++; while (s & 3);\n"
	"out: return s; }\n"
	"int logic(int x, int y) { if ((x > 1 && y < 3) || (x == 9 ? y == 4 : y > 5)) return 1;\n"
	"  return x && y ? v : -v; }\n"
	"int irreducible(int n) { if (n & 1) goto b; a: v++; if (v == 5) return 1;\n"
	"  b: v += 2; if (v < 90) goto a; return 0; }\n"
	"int early(int n) { if (n < 0) return -1; if (n == 0) return 0; if (n == 1) v = 1;\n"
	"  else if (n == 2) v = 2; else { v = 3; return 7; } return v; }\n"
	"void forever(int n) { if (n) for (;;) v++; v = 0; }\n"
	"int straight(int n) { v = n; return loops(n) + logic(n, v); }\n"
	"int main(int c, char **s) { (void)s; if (c == 9) forever(1);\n"
	"  return loops(c) + logic(c, 2) + irreducible(c) + early(c) + straight(c); }\n";

static const char *const commands[] = { "gcc -g -O0", "gcc -g -O2 -fno-inline", "clang -g -O0",
					"clang -g -O2 -fno-inline" };

static char *folder;

static struct image *build(const char *name, const char *text, const char *command, char **path)
{
	g_autoptr(GError) error = NULL;
	struct image *im;

	*path = test_compile(folder, name, text, command);
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

/* ---- blocks: objdump ---- */

struct jump {
	uint64_t at, next, target; /* target 0 = return */
	bool conditional;
};

/* The jumps and returns of a function. */
static GArray *jumps_of(const char *path, const struct image_function *f)
{
	g_autofree char *text = test_output("objdump -d -w --no-show-raw-insn --start-address=%lu "
					    "--stop-address=%lu '%s'",
					    (unsigned long)f->lo, (unsigned long)f->hi, path);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	GArray *jumps = g_array_new(FALSE, FALSE, sizeof(struct jump));
	struct jump *open = NULL;

	for (char **l = lines; *l; l++) {
		char *end;
		uint64_t at = strtoull(*l, &end, 16);
		struct jump j = { .at = at, .next = f->hi };

		if (end == *l || *end != ':' || end[1] != '\t')
			continue;
		if (open)
			open->next = at;
		open = NULL;
		if (g_str_has_prefix(end + 2, "bnd "))
			end += 4;
		if (end[2] != 'j' && !g_str_has_prefix(end + 2, "ret"))
			continue;
		assert_null(strchr(end, '*'));
		if (end[2] == 'j')
			j.target = strtoull(strchr(end + 2, ' '), NULL, 16);
		j.conditional = end[2] == 'j' && !g_str_has_prefix(end + 2, "jmp");
		g_array_append_val(jumps, j);
		open = &g_array_index(jumps, struct jump, jumps->len - 1);
	}
	return jumps;
}

static bool inside(const struct image_function *f, uint64_t addr)
{
	return addr >= f->lo && addr < f->hi;
}

static const struct jump *jump_at(const GArray *jumps, uint64_t at)
{
	for (guint i = 0; i < jumps->len; i++)
		if (g_array_index(jumps, struct jump, i).at == at)
			return &g_array_index(jumps, struct jump, i);
	return NULL;
}

static bool is_leader(const struct image_function *f, const GArray *jumps, uint64_t addr)
{
	bool leads = addr == f->lo;

	for (guint i = 0; i < jumps->len; i++) {
		const struct jump *j = &g_array_index(jumps, struct jump, i);

		leads |= j->next == addr || j->target == addr;
	}
	return leads;
}

static void check_way(const struct image_cfg *cfg, const struct image_block *b, uint32_t *n,
		      uint64_t to)
{
	if (!inside(cfg->function, to)) {
		assert_true(b->returns);
		return;
	}
	assert_true(*n < b->n_succ);
	assert_int_equal(cfg->blocks[b->succ[(*n)++]].lo, to);
}

static void check_block(const struct image_cfg *cfg, const struct image_block *b,
			const GArray *jumps)
{
	const struct jump *j = jump_at(jumps, b->last);
	uint32_t n = 0;

	if (!j)
		check_way(cfg, b, &n, b->hi);
	else if (!j->target)
		assert_true(b->returns);
	else
		check_way(cfg, b, &n, j->target);
	if (j && j->conditional)
		check_way(cfg, b, &n, b->hi);
	assert_int_equal(n, b->n_succ);
}

static void check_function(const struct image *im, const char *path, const struct image_function *f)
{
	const struct image_cfg *cfg = image_cfg(im, f);
	g_autoptr(GArray) jumps = jumps_of(path, f);
	const struct image_block *b = NULL;

	assert_int_equal(cfg->blocks[0].lo, f->entry);
	for (uint64_t a = f->lo; a < f->hi; a++) {
		if (!image_insn_at(im, a))
			continue;
		if (is_leader(f, jumps, a)) {
			b = image_block_at(im, f, a);
			assert_non_null(b);
			assert_int_equal(b->lo, a);
			assert_ptr_equal(&cfg->blocks[b->id], b);
			check_block(cfg, b, jumps);
		}
		assert_ptr_equal(image_block_at(im, f, a), b);
	}
	assert_null(image_block_at(im, f, f->hi));
}

static void blocks_are_between_jumps(void **state)
{
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(commands); i++) {
		g_autofree char *path = NULL;
		struct image *im;
		const struct image_function *f;
		size_t n;

		if (!can_run(commands[i]))
			continue;
		im = build("blocks", source, commands[i], &path);
		n = image_functions(im, &f);
		assert_true(n >= 7);
		for (size_t k = 0; k < n; k++)
			check_function(im, path, &f[k]);
		image_free(im);
	}
}

/* ---- control dependence: its definition ---- */

/* Can the end be reached from node without passing `avoided`?  leaves: nodes that
 * have an edge to the end. */
static bool escapes(const struct image_cfg *cfg, const bool *leaves, uint32_t node,
		    uint32_t avoided, bool *seen)
{
	const struct image_block *b = &cfg->blocks[node];

	if (node == avoided || seen[node])
		return false;
	seen[node] = true;
	if (leaves[node])
		return true;
	for (uint32_t i = 0; i < b->n_succ; i++)
		if (escapes(cfg, leaves, b->succ[i], avoided, seen))
			return true;
	return false;
}

static bool post_dominates(const struct image_cfg *cfg, const bool *leaves, uint32_t a,
			   uint32_t node)
{
	g_autofree bool *seen = g_new0(bool, cfg->n_blocks);

	return a == node || !escapes(cfg, leaves, node, a, seen);
}

static bool depends(const struct image_cfg *cfg, const bool *leaves, uint32_t y, uint32_t x)
{
	const struct image_block *b = &cfg->blocks[x];
	bool found = false;

	for (uint32_t i = 0; i < b->n_succ; i++)
		found |= post_dominates(cfg, leaves, y, b->succ[i]);
	return found && (x == y || !post_dominates(cfg, leaves, y, x));
}

static unsigned check_dependence(const struct image_cfg *cfg)
{
	g_autofree bool *leaves = g_new0(bool, cfg->n_blocks);
	unsigned found = 0;

	for (uint32_t i = 0; i < cfg->n_blocks; i++)
		leaves[i] = cfg->blocks[i].returns || cfg->blocks[i].stops;
	for (uint32_t y = 0; y < cfg->n_blocks; y++)
		for (uint32_t x = 0; x < cfg->n_blocks; x++) {
			const struct image_block *b = &cfg->blocks[y];
			bool listed = false;

			for (uint32_t i = 0; i < b->n_control; i++)
				listed |= b->control[i] == x;
			assert_int_equal(listed, depends(cfg, leaves, y, x));
			found += listed;
		}
	return found;
}

static void dependence_is_what_its_definition_says(void **state)
{
	static const char *const names[] = { "loops", "logic", "irreducible", "early", "straight" };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(commands); i++) {
		g_autofree char *path = NULL;
		unsigned found = 0;
		struct image *im;

		if (!can_run(commands[i]))
			continue;
		im = build("depends", source, commands[i], &path);
		for (size_t k = 0; k < G_N_ELEMENTS(names); k++)
			found +=
				check_dependence(image_cfg(im, image_function_named(im, names[k])));
		assert_true(found > 10);
		image_free(im);
	}
}

/* ---- jump tables ---- */

/* Cases 10 to 17, a line each from line 4 on, no gap. */
static const char table[] = "int v;\n"
			    "int choose(int n) {\n"
			    "switch (n) {\n"
			    "case 10: v *= 3; break;\n"
			    "case 11: v -= n; break;\n"
			    "case 12: v = 12; return n;\n"
			    "case 13: v ^= 5;\n"
			    "case 14: v += v; break;\n"
			    "case 15: v /= 7; break;\n"
			    "case 16: v |= 9; break;\n"
			    "case 17: v++; break;\n"
			    "default: return 5; }\n"
			    "return v; }\n"
			    "int main(int c, char **a) { (void)a; return choose(c + 9); }\n";

static unsigned check_table(const struct image *im)
{
	const struct image_function *f = image_function_named(im, "choose");
	unsigned lines = 0, jumps = 0;

	for (uint64_t a = f->lo; a < f->hi; a++) {
		const struct trace_insn *insn = image_insn_at(im, a);
		const uint64_t *targets;
		uint64_t at, size;
		size_t n;

		if (!insn || insn->flow != TRACE_FLOW_JUMP_IND)
			continue;
		jumps++;
		n = image_jump_targets(im, a, &targets, &at, &size);
		assert_int_equal(n, 8);
		for (size_t i = 0; i < n; i++) {
			const struct image_row *row = image_row_at(im, targets[i]);
			unsigned line = image_statement(im, row->statement)->line;

			assert_in_range(line, 4, 11);
			lines |= 1u << (line - 4);
			assert_true(i == 0 || targets[i - 1] < targets[i]);
		}
		assert_int_equal(lines, 0xff);
		assert_int_equal(image_block_at(im, f, a)->n_succ, 8);
		assert_false(image_block_at(im, f, a)->stops);
	}
	return jumps;
}

static void cases_are_found(void **state)
{
	static const char *const builds[] = {
		"gcc -w -g -O0 -fcf-protection=none",
		"gcc -w -g -O0 -fcf-protection=full -no-pie -fno-pie",
		"gcc -w -g -O1 -fno-inline",
		"clang -w -g -O0",
		"clang -w -g -O0 -no-pie -fno-pie",
		"clang -w -g -O1 -fno-inline -no-pie -fno-pie",
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(builds); i++) {
		g_autofree char *path = NULL;
		struct image *im;

		if (!can_run(builds[i]))
			continue;
		im = build("table", table, builds[i], &path);
		assert_int_equal(check_table(im), 1);
		image_free(im);
	}
}

/* Tables that lie one behind the other, and a jump that has none. */
static const char tables[] = "int v, (*hook)(int);\n"
			     "int choose(int n) {\n"
			     "switch (n) { case 0: v += 3; break; case 1: v *= 4; break;\n"
			     "case 2: v -= 7; break; case 3: v ^= 9; break; case 4: v |= 16;\n"
			     "break; case 5: v /= 3; }\n"
			     "switch (v) { case 0: v += 13; break; case 1: v *= 14; break;\n"
			     "case 2: v -= 17; break; case 3: v ^= 19; break; case 4: v |= 32;\n"
			     "break; case 5: v /= 13; break; case 6: v -= n; }\n"
			     "return hook(v); }\n"
			     "int main(int c, char **a) { (void)a; return choose(c); }\n";

static void tables_end_where_others_begin(void **state)
{
	static const char *const builds[] = {
		"gcc -w -g -O0",
		"gcc -w -g -O2 -fno-inline -fno-jump-tables",
		"gcc -w -g -O2 -fno-inline",
		"gcc -w -g -O0 -no-pie -fno-pie",
		"gcc -w -g -O2 -fno-inline -no-pie -fno-pie",
		"clang -w -g -O0",
		"clang -w -g -O0 -no-pie -fno-pie",
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(builds); i++) {
		g_autofree char *path = NULL;
		struct image *im;
		const struct image_function *f;
		unsigned seen[8] = { 0 };

		if (!can_run(builds[i]))
			continue;
		im = build("tables", tables, builds[i], &path);
		f = image_function_named(im, "choose");
		for (uint64_t a = f->lo; a < f->hi; a++) {
			const struct trace_insn *insn = image_insn_at(im, a);
			const uint64_t *targets;
			uint64_t at, size;
			size_t n;

			if (!insn || insn->flow != TRACE_FLOW_JUMP_IND)
				continue;
			n = image_jump_targets(im, a, &targets, &at, &size);
			assert_in_range(n, 0, 7);
			seen[n]++;
		}
		/* optimized, the call is a jump, or several */
		assert_int_equal(seen[0] > 0, strstr(builds[i], "-O2") != NULL);
		assert_int_equal(seen[6], !strstr(builds[i], "no-jump"));
		assert_int_equal(seen[7], !strstr(builds[i], "no-jump"));
		assert_false(f->noreturn);
		image_free(im);
	}
}

/* An interpreter, which goes from one instruction to the next by `goto *'. */
enum { ADD_LINE = 6 };
static const char labels[] = "int v;\n"
			     "int run(const char *p) {\n"
			     "static const void *const to[] = { &&add, &&twice, &&end };\n"
			     "#define NEXT goto *to[*p++ - '0']\n"
			     "NEXT;\n"
			     "add: v += 5; NEXT;\n"
			     "twice: v *= 2; NEXT;\n"
			     "end: return v; }\n"
			     "int main(int c, char **a) { return c + run(a[1]); }\n";

/* Is there code of that line which a jump decides about? */
static bool is_decided(const struct image *im, const struct image_function *f, unsigned line)
{
	const struct image_cfg *cfg = image_cfg(im, f);
	bool is = false;

	for (uint32_t i = 0; i < cfg->n_blocks; i++) {
		const struct image_row *row = image_row_at(im, cfg->blocks[i].lo);

		is |= row && image_statement(im, row->statement)->line == line &&
		      cfg->blocks[i].n_control;
	}
	return is;
}

static void labels_are_found(void **state)
{
	static const char *const builds[] = { "gcc -w -g -O0 -pie -fPIE",
					      "gcc -w -g -O2 -pie -fPIE -fno-inline",
					      "clang -w -g -O0 -pie -fPIE",
					      "clang -w -g -O2 -pie -fPIE -fno-inline" };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(builds); i++) {
		g_autofree char *path = NULL;
		const struct image_function *f;
		struct image *im;
		unsigned jumps = 0;

		if (!can_run(builds[i]))
			continue;
		im = build("labels", labels, builds[i], &path);
		f = image_function_named(im, "run");
		for (uint64_t a = f->lo; a < f->hi; a++) {
			const struct trace_insn *insn = image_insn_at(im, a);
			const uint64_t *targets;
			uint64_t at, size;

			if (!insn || insn->flow != TRACE_FLOW_JUMP_IND)
				continue;
			jumps++;
			assert_int_equal(image_jump_targets(im, a, &targets, &at, &size), 3);
			assert_false(image_block_at(im, f, a)->stops);
		}
		assert_true(jumps > 0);
		assert_true(is_decided(im, f, ADD_LINE));
		image_free(im);
	}
}

/* ---- size ---- */

/* 80,000 branches in one function, 5,000 functions: work that grows with the square of
 * either takes far longer than what is allowed here. */
static void large_programs_take_no_time(void **state)
{
	g_autoptr(GString) text = g_string_new(
		"void big(void) {\n__asm__(\".rept 80000\\n test %eax, %eax\\n je 1f\\n nop\\n\"\n"
		"\"1:\\n .endr\");\n}\n");
	g_autofree char *path = NULL;
	struct image *im;
	const struct image_function *f;
	clock_t start;
	size_t n;

	(void)state;
	for (int i = 0; i < 5000; i++)
		g_string_append_printf(text, "void f%d(void) {}\n", i);
	g_string_append(text, "int main(void) { big(); return 0; }\n");
	im = build("large", text->str, "gcc -w -g -O0", &path);
	start = clock();
	n = image_functions(im, &f);
	for (size_t i = 0; i < n; i++)
		image_cfg(im, &f[i]);
	f = image_function_named(im, "big");
	assert_int_equal(image_cfg(im, f)->n_blocks, 160001);
	for (uint64_t at = f->lo; at < f->hi; at++)
		assert_non_null(image_block_at(im, f, at));
	assert_true(clock() - start < 4 * CLOCKS_PER_SEC); /* of processor time */
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocks_are_between_jumps),
		cmocka_unit_test(dependence_is_what_its_definition_says),
		cmocka_unit_test(cases_are_found),
		cmocka_unit_test(tables_end_where_others_begin),
		cmocka_unit_test(labels_are_found),
		cmocka_unit_test(large_programs_take_no_time),
	};

	test_need("gcc");
	test_need("objdump");
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
