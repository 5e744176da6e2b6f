/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Constants of the code and initial values, changed as a slip of the pen would have changed them.
 */
#include "solver/change/data-mutant.h"
#include "tests/support/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const char source[] = "double price(double n) { return n * 25.0; }\n"
			     "float half(float f) { return f * 0.5f; }\n"
			     "double twice(double d) { return d > 7.5 ? d * 1.5 : d + 1.5; }\n"
			     "int whole(int i) { return i * 25; }\n"
			     "int main(void) { return 0; }\n"
			     "int given[2] = { 7 };\n";

struct fixture {
	char *folder, *file;
	struct image *im;
};

static int set_up(void **state)
{
	struct fixture *f = g_new0(struct fixture, 1);
	g_autofree char *path = NULL;

	f->folder = test_folder_new();
	f->file = g_build_filename(f->folder, "p.c", NULL);
	path = test_compile(f->folder, "p", source, "cc -g -O0");
	f->im = image_open(path, NULL);
	assert_non_null(f->im);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	image_free(f->im);
	test_folder_free(f->folder);
	g_free(f->file);
	g_free(f);
	return 0;
}

/* Is there one with these words, which puts that number there?  value: NULL = there is none. */
static void check(const GArray *mutants, const char *words, const void *value, size_t size)
{
	for (guint i = 0; i < mutants->len; i++) {
		const struct data_mutant *m = &g_array_index(mutants, struct data_mutant, i);

		if (strcmp(m->words, words) != 0)
			continue;
		assert_non_null(value);
		assert_null(m->variable);
		assert_int_equal(m->action.size, size);
		assert_memory_equal(m->action.value, value, size);
		return;
	}
	if (value)
		fail_msg("no mutant is `%s'", words);
}

static void a_double(void **state)
{
	const struct fixture *f = *state;
	g_autoptr(GArray) reads = data_constants(f->im, f->file, 1);
	g_autoptr(GArray) mutants = data_mutants(f->im, 0, reads, NULL, false, NULL);
	const double ten_times = 250, tail = 5, head = 2;

	assert_int_equal(reads->len, 1);
	check(mutants, "250 for 25", &ten_times, sizeof ten_times);
	check(mutants, "5 for 25", &tail, sizeof tail);
	check(mutants, "2 for 25", &head, sizeof head);
	check(mutants, "25 for 25", NULL, 0);
}

static void a_float(void **state)
{
	const struct fixture *f = *state;
	g_autoptr(GArray) reads = data_constants(f->im, f->file, 2);
	g_autoptr(GArray) mutants = data_mutants(f->im, 0, reads, NULL, false, NULL);
	const float tenth = 0.05f;

	assert_int_equal(reads->len, 1);
	check(mutants, "0.05 for 0.5", &tenth, sizeof tenth);
}

/* To change one that two instructions read in memory would change it for both. */
static void what_is_read_twice_is_changed_for_one_reader(void **state)
{
	const struct fixture *f = *state;
	g_autoptr(GArray) reads = data_constants(f->im, f->file, 3);
	g_autoptr(GArray) mutants = data_mutants(f->im, 0, reads, NULL, false, NULL);
	const double more = 8.5, less = 0.5;
	uint64_t reader[3];

	assert_int_equal(reads->len, 3);
	for (guint i = 0; i < reads->len; i++)
		reader[i] = g_array_index(reads, struct data_read, i).reader;
	assert_int_equal(reader[0], 0);
	assert_int_not_equal(reader[1], 0);
	assert_int_not_equal(reader[2], 0);
	assert_int_not_equal(reader[1], reader[2]);
	check(mutants, "8.5 for 7.5", &more, sizeof more);
	check(mutants, "0.5 for 1.5", &less, sizeof less);
	for (guint i = 0; i < mutants->len; i++) {
		const struct data_mutant *m = &g_array_index(mutants, struct data_mutant, i);

		assert_true(g_str_has_suffix(m->words, " 7.5") ? !m->reader : m->reader != 0);
	}
}

static void hints(void **state)
{
	const struct fixture *f = *state;
	const struct data_hint all[] = { { 25, 31.5 }, { 24, 1 } };
	g_autoptr(GArray) reads = data_constants(f->im, f->file, 1);
	g_autoptr(GArray) given = g_array_new(FALSE, FALSE, sizeof(struct data_hint));
	g_autoptr(GArray) mutants = NULL;
	const double value = 31.5;

	g_array_append_vals(given, all, G_N_ELEMENTS(all));
	mutants = data_mutants(f->im, 0, reads, given, true, NULL);
	assert_int_equal(mutants->len, 1);
	check(mutants, "31.5 for 25", &value, sizeof value);
}

static double effort_of(const GArray *mutants, const char *words)
{
	for (guint i = 0; i < mutants->len; i++)
		if (strcmp(g_array_index(mutants, struct data_mutant, i).words, words) == 0)
			return g_array_index(mutants, struct data_mutant, i).effort;
	fail_msg("no mutant is `%s'", words);
	return 0;
}

static void append(GArray *reads, uint64_t address)
{
	struct data_read read = { .address = address, .size = 4 };

	g_array_append_val(reads, read);
}

static void what_an_initializer_leaves_out_costs_more(void **state)
{
	const struct fixture *f = *state;
	g_autoptr(GArray) reads = g_array_new(FALSE, TRUE, sizeof(struct data_read));
	const struct image_variable *const *globals;
	g_autoptr(GArray) mutants = NULL;
	size_t n = image_globals(f->im, &globals);

	for (size_t i = 0; i < n; i++)
		for (unsigned k = 0; k < 2 && strcmp(globals[i]->name, "given") == 0; k++)
			append(reads, globals[i]->address + 4 * k);
	assert_int_equal(reads->len, 2);
	mutants = data_mutants(f->im, 0, reads, NULL, false, NULL);
	assert_true(effort_of(mutants, "8 for 7 in given[0]") + 1 <
		    effort_of(mutants, "1 for 0 in given[1]"));
}

static void integers_are_in_the_code(void **state)
{
	const struct fixture *f = *state;
	g_autoptr(GArray) reads = data_constants(f->im, f->file, 4);

	assert_int_equal(reads->len, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_double),
		cmocka_unit_test(a_float),
		cmocka_unit_test(what_is_read_twice_is_changed_for_one_reader),
		cmocka_unit_test(hints),
		cmocka_unit_test(what_an_initializer_leaves_out_costs_more),
		cmocka_unit_test(integers_are_in_the_code),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
