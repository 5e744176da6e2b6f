/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each row of library.def makes sense, and says what it has to. */
#include "solver/library/characters.h"
#include "solver/library/library.h"
#include "solver/library/libm.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

/* It accesses what the rest of the row says, too. */
static bool has_sensible_accesses(const struct library_function *f)
{
	bool sensible = true;

	for (unsigned i = 0; i < LIBRARY_ACCESSES; i++) {
		const struct library_access *a = &f->accesses[i];

		sensible &= !a->extent == !a->argument && a->size <= 6 && a->most <= 6;
		sensible &= !a->writes || !f->writes || f->writes & LIBRARY_ARGUMENT(a->argument);
		sensible &= !a->writes || !f->most || f->most == a->size || f->most == a->most;
		sensible &= !a->most || a->extent == LIBRARY_EXTENT_BEHIND_MOST;
	}
	return sensible && !(f->accesses[1].extent && !f->accesses[0].extent);
}

static bool prints_sensibly(const struct library_function *f)
{
	switch (f->prints) {
	case LIBRARY_PRINTS_FORMAT:
	case LIBRARY_PRINTS_LIST:
		return f->format && !f->printed && !f->as;
	case LIBRARY_PRINTS_VALUE:
		return f->printed && f->as && *f->as == '%' && !f->format;
	case LIBRARY_PRINTS_BYTES:
	case LIBRARY_PRINTS_VECTOR:
		return f->printed && f->printed_bytes && !f->format && !f->as;
	case LIBRARY_PRINTS_STRING:
		return f->printed && !f->format && !f->as;
	default:
		return !f->format && !f->printed && !f->as;
	}
}

static bool is_sensible(const struct library_function *f)
{
	bool allocates = f->block != LIBRARY_NO_BLOCK, in_range = true;
	const unsigned arguments[] = { f->size,		f->count,   f->at,	f->copies,
				       f->frees,	f->format,  f->array,	f->elements,
				       f->element_size, f->calls,   f->room,	f->file,
				       f->filled,	f->extends, f->printed, f->printed_bytes,
				       f->printed_times };

	for (size_t i = 0; i < sizeof(arguments) / sizeof(arguments[0]); i++)
		in_range &= arguments[i] <= 6;
	return in_range && library_find(f->name) == f && /* no name twice */
	       has_sensible_accesses(f) && prints_sensibly(f) &&
	       !(f->keeps_arguments && (f->writes || f->frees || f->keeps_memory)) &&
	       (f->block != LIBRARY_SIZED || f->size) && (!f->count || f->size) &&
	       (!f->count || f->count != f->size) && (!f->zeroes || f->block == LIBRARY_SIZED) &&
	       (!f->room || f->writes) && (!(f->file || f->filled) || f->input) &&
	       (!f->at || allocates) && (f->block != LIBRARY_PRINTED || f->at) &&
	       (!f->copies || f->block == LIBRARY_STRING) && !f->array == !f->elements &&
	       !f->array == !f->element_size && (!f->fails || f->no_return) &&
	       !(f->fails && f->exits) && !(f->no_return && (allocates || f->frees)) &&
	       !(f->keeps_memory && (allocates || f->frees || f->no_return)) &&
	       !(f->extends && (allocates || f->frees)) && !(f->libm && f->keeps_memory) &&
	       (!f->libm || f->result != LIBRARY_OTHER);
}

static void each_row_is_sensible(void **state)
{
	size_t n;
	const struct library_function *rows = library_rows(&n);

	(void)state;
	assert_in_range(n, 150, 1000);
	for (size_t i = 0; i < n; i++) {
		if (!is_sensible(&rows[i]))
			print_error("%s\n", rows[i].name);
		assert_true(is_sensible(&rows[i]));
	}
}

/* Which are mistaken for each other: the same arguments, the same result, and alike. */
static void what_does_alike(void **state)
{
	static const struct {
		const char *a, *b;
		bool alike;
	} cases[] = {
		{ "strchr", "strrchr", true },	{ "strcpy", "strcat", true },
		{ "toupper", "tolower", true }, { "isalpha", "isdigit", true },
		{ "sin", "cos", true },		{ "sin", "cosf", false },
		{ "sin", "pow", false },	{ "strchr", "memchr", false },
		{ "strcpy", "strncpy", false }, { "strcpy", "__strcat_chk", false },
		{ "malloc", "free", false },	{ "strlen", "strchr", false },
		{ "strchr", "no_such", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct library_function *a = library_find(cases[i].a),
					      *b = library_find(cases[i].b);

		assert_int_equal(library_does_alike(a, b), cases[i].alike);
		assert_int_equal(library_does_alike(b, a), cases[i].alike);
	}
}

/* "malloc size 1": what the table has to say of the functions that programs use. */
static void what_they_do(void **state)
{
	static const struct {
		const char *name;
		enum library_block block;
		unsigned size, count, at, copies, frees;
		bool zeroes;
	} cases[] = {
		{ "malloc", LIBRARY_SIZED, 1, 0, 0, 0, 0, false },
		{ "calloc", LIBRARY_SIZED, 2, 1, 0, 0, 0, true },
		{ "realloc", LIBRARY_SIZED, 2, 0, 0, 0, 1, false },
		{ "reallocarray", LIBRARY_SIZED, 3, 2, 0, 0, 1, false },
		{ "free", LIBRARY_NO_BLOCK, 0, 0, 0, 0, 1, false },
		{ "aligned_alloc", LIBRARY_SIZED, 2, 0, 0, 0, 0, false },
		{ "posix_memalign", LIBRARY_SIZED, 3, 0, 1, 0, 0, false },
		{ "strdup", LIBRARY_STRING, 0, 0, 0, 1, 0, false },
		{ "strndup", LIBRARY_STRING, 2, 0, 0, 1, 0, false },
		{ "asprintf", LIBRARY_PRINTED, 0, 0, 1, 0, 0, false },
		{ "getline", LIBRARY_PRINTED, 0, 0, 1, 0, 0, false },
		{ "_Znwm", LIBRARY_SIZED, 1, 0, 0, 0, 0, false },
		{ "_ZnamSt11align_val_t", LIBRARY_SIZED, 1, 0, 0, 0, 0, false },
		{ "_ZdlPvm", LIBRARY_NO_BLOCK, 0, 0, 0, 0, 1, false },
		{ "_ZdaPvmSt11align_val_t", LIBRARY_NO_BLOCK, 0, 0, 0, 0, 1, false },
		{ "g_malloc0_n", LIBRARY_SIZED, 2, 1, 0, 0, 0, true },
		{ "g_realloc_n", LIBRARY_SIZED, 3, 2, 0, 0, 1, false },
		{ "g_free", LIBRARY_NO_BLOCK, 0, 0, 0, 0, 1, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct library_function *f = library_find(cases[i].name);

		assert_non_null(f);
		assert_int_equal(f->block, cases[i].block);
		assert_int_equal(f->size, cases[i].size);
		assert_int_equal(f->count, cases[i].count);
		assert_int_equal(f->at, cases[i].at);
		assert_int_equal(f->copies, cases[i].copies);
		assert_int_equal(f->frees, cases[i].frees);
		assert_int_equal(f->zeroes, cases[i].zeroes);
	}
}

static void what_they_access_and_print(void **state)
{
	const struct library_function *f = library_find("memcpy");

	(void)state;
	assert_int_equal(f->accesses[0].extent, LIBRARY_EXTENT_GIVEN);
	assert_int_equal(f->accesses[0].argument, 2);
	assert_false(f->accesses[0].writes);
	assert_int_equal(f->accesses[1].size, 3);
	assert_true(f->accesses[1].writes);
	f = library_find("fwrite");
	assert_int_equal(f->prints, LIBRARY_PRINTS_BYTES);
	assert_int_equal(f->printed_bytes, 3);
	assert_int_equal(f->printed_times, 2);
	assert_true(f->keeps_arguments);
	assert_true(library_formats_values(library_find("snprintf")));
	assert_false(library_formats_values(library_find("vsnprintf")));
	assert_false(library_formats_values(library_find("printf")));
	assert_true(library_formats_memory("vsnprintf"));
	assert_false(library_formats_memory("printf") || library_formats_memory("no_such"));
}

static void how_calls_end(void **state)
{
	(void)state;
	assert_true(library_fails("__assert_fail") && !library_returns("__assert_fail"));
	assert_true(library_fails("abort") && !library_exits("abort"));
	assert_true(library_exits("exit") && !library_returns("exit") && !library_fails("exit"));
	assert_true(library_exits("error") && library_returns("error"));
	assert_false(library_returns("siglongjmp"));
	assert_true(library_keeps_memory("strlen") && !library_keeps_memory("strcpy"));
	assert_true(library_returns("nobody_knows_it") && library_returns(NULL));
	assert_null(library_find("nobody_knows_it"));
	assert_null(library_find(NULL));
}

static void one_function_reports_assertions(void **state)
{
	size_t n;
	const struct library_function *row = library_rows(&n);
	unsigned found = 0;

	(void)state;
	for (size_t i = 0; i < n; i++)
		found += row[i].is_assertion;
	assert_int_equal(found, 1);
	assert_string_equal(library_assertion(), "__assert_fail");
	assert_true(library_fails(library_assertion()));
}

/* A function of mathematics has its row here and its place in libm.c. */
static void libm_has_the_same_rows(void **state)
{
	struct libm_function f;
	size_t n, found = 0;
	const struct library_function *rows = library_rows(&n);

	(void)state;
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(libm_find(rows[i].name, &f), rows[i].libm);
		if (!rows[i].libm)
			continue;
		found++;
		assert_int_equal(f.width, rows[i].result == LIBRARY_DOUBLE ? 64 : 32);
	}
	assert_in_range(found, 60, 200);
}

/* As libm does it, in both precisions. */
static void libm_computes(void **state)
{
	struct libm_function f;
	double d = 0;
	float single = 0;

	(void)state;
	assert_true(libm_find("sqrt", &f));
	assert_int_equal(f.arguments, 1);
	assert_true(libm_double(f.number, 6.25, 99, &d) && d == 2.5);
	assert_true(libm_find("floorf", &f));
	assert_int_equal(f.width, 32);
	assert_true(libm_float(f.number, -1.5f, 99, &single) && single == -2);
	assert_true(libm_find("pow", &f));
	assert_int_equal(f.arguments, 2);
	assert_true(libm_double(f.number, 2, -3, &d) && d == 0.125);
	assert_true(libm_find("fmodf", &f));
	assert_true(libm_float(f.number, 7, 4, &single) && single == 3);
	assert_false(libm_double(~0u, 1, 1, &d));
	assert_false(libm_float(~0u, 1, 1, &single));
	assert_false(libm_find("sqrtff", &f));
	assert_false(libm_find(NULL, &f));
}

/* In the "C" locale, whatever the environment says. */
static void characters_are_those_of_c(void **state)
{
	int32_t upper[CHARACTERS], digit[CHARACTERS], entries[CHARACTERS];
	const struct characters_table *t = characters_table_of("__ctype_b_loc");

	(void)state;
	assert_true(characters_map("toupper", upper) && characters_map("isdigit", digit));
	assert_false(characters_map("strlen", upper));
	assert_false(characters_map(NULL, upper));
	assert_null(characters_table_of("strlen"));
	assert_int_equal(t->size, 2);
	characters_entries(t, entries);
	for (int c = 0; c < 256; c++) {
		const int32_t *of = upper - CHARACTERS_FIRST;

		assert_int_equal(of[c], c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
		assert_int_equal((digit - CHARACTERS_FIRST)[c] != 0, c >= '0' && c <= '9');
		assert_int_equal((entries - CHARACTERS_FIRST)[c] & _ISdigit,
				 c >= '0' && c <= '9' ? _ISdigit : 0);
	}
	characters_entries(characters_table_of("__ctype_tolower_loc"), entries);
	assert_int_equal((entries - CHARACTERS_FIRST)['Q'], 'q');
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_row_is_sensible),
		cmocka_unit_test(what_does_alike),
		cmocka_unit_test(what_they_do),
		cmocka_unit_test(what_they_access_and_print),
		cmocka_unit_test(how_calls_end),
		cmocka_unit_test(one_function_reports_assertions),
		cmocka_unit_test(libm_has_the_same_rows),
		cmocka_unit_test(libm_computes),
		cmocka_unit_test(characters_are_those_of_c),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
