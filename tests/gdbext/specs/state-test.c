/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/specs/state.h"
#include "solver/image/variable/variable.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* struct node { struct node *next; int key; }; a function with (struct node *n, int k) */
struct fixture {
	struct image_type number, node, pointer;
	struct image_member members[2];
	struct spec_types *types;
	unsigned block, node_type;
};

static void setup(struct fixture *f)
{
	struct image_member parameters[2];

	f->number = (struct image_type){
		.kind = IMAGE_TYPE_INT, .name = "int", .size = 4, .is_signed = true
	};
	f->node = (struct image_type){ .kind = IMAGE_TYPE_STRUCT,
				       .name = "struct node",
				       .size = 16,
				       .n_members = 2,
				       .members = f->members };
	f->pointer =
		(struct image_type){ .kind = IMAGE_TYPE_POINTER, .size = 8, .target = &f->node };
	f->members[0] = (struct image_member){ .name = "next", .type = &f->pointer };
	f->members[1] =
		(struct image_member){ .name = "key", .type = &f->number, .bit_offset = 64 };
	parameters[0] = (struct image_member){ .name = "n", .type = &f->pointer };
	parameters[1] = (struct image_member){ .name = "k", .type = &f->number };
	f->types = spec_types_new();
	f->node_type = spec_types_number(f->types, &f->node);
	f->block = spec_types_block(f->types, parameters, 2);
}

static struct spec_state *read_ring(const struct fixture *f, const char *keys)
{
	g_autofree char *text =
		g_strdup_printf("object 0 %u 1000 32 "
				"0000000000000000000000000000000007000000000000000000000000000000\n"
				"object 1 %u 2000 16 0000000000000000%.2s00000000000000\n"
				"object 2 %u 3000 16 0000000000000000%.2s00000000000000\n"
				"pointer 0 0 1 0\npointer 1 0 2 0\npointer 2 0 1 0\n",
				f->block, f->node_type, keys, f->node_type, keys + 2);

	return spec_state_read(text, f->types);
}

static void test_words(void **state)
{
	struct fixture f;
	struct spec_state *s;
	g_autofree char *words = NULL;

	(void)state;
	setup(&f);
	assert_true(spec_types_get(f.types, f.block)->size == 32);
	s = read_ring(&f, "0500");
	assert_non_null(s);
	words = spec_state_words(s, f.types);
	assert_string_equal(words, "n = #1 {next #2 {next #1, key 0}, key 5}, k = 7");
	spec_state_free(s);
	spec_types_free(f.types);
}

/* What has the same way from the parameters is the same. */
static void test_pairs(void **state)
{
	struct fixture f;
	struct spec_state *s, *other;
	struct state_pairs *p;
	uint64_t value;

	(void)state;
	setup(&f);
	s = read_ring(&f, "0500");
	other = read_ring(&f, "0609");
	p = state_pairs_new(s, other);
	assert_true(state_pairs_value(p, 0x2008, 4, &value));
	assert_int_equal(value, 6);
	assert_true(state_pairs_value(p, 0x3008, 4, &value));
	assert_int_equal(value, 9);
	assert_true(state_pairs_value(p, 0x2000, 8, &value));
	assert_int_equal(value, 0x3000);
	assert_true(state_pairs_value(p, 0x2001, 1, &value));
	assert_int_equal(value, 0x30);
	assert_true(state_pairs_value(p, 0x1010, 4, &value));
	assert_int_equal(value, 7);
	assert_false(state_pairs_value(p, 0x4000, 4, &value));
	assert_false(state_pairs_value(p, 0x300c, 8, &value));
	state_pairs_free(p);
	spec_state_free(other);
	spec_state_free(s);
	spec_types_free(f.types);
}

/* A node alone, and none. */
static void test_fewer(void **state)
{
	struct fixture f;
	struct spec_state *s, *none, *many;
	struct state_pairs *p;
	uint64_t value;
	g_autofree char *text = NULL, *words = NULL;

	(void)state;
	setup(&f);
	s = read_ring(&f, "0500");
	text = g_strdup_printf("object 0 %u 0 32 "
			       "00000000000000000000000000000000"
			       "ff000000000000000000000000000000\n",
			       f.block);
	none = spec_state_read(text, f.types);
	words = spec_state_words(none, f.types);
	assert_string_equal(words, "n = NULL, k = 255");
	p = state_pairs_new(s, none);
	assert_false(state_pairs_value(p, 0x2008, 4, &value));
	assert_true(state_pairs_value(p, 0x1000, 8, &value));
	assert_int_equal(value, 0);
	state_pairs_free(p);
	/* the other way round, it leads elsewhere, but not to NULL */
	many = read_ring(&f, "0101");
	p = state_pairs_new(none, many);
	assert_true(state_pairs_value(p, 0, 8, &value));
	assert_true(value != 0);
	state_pairs_free(p);
	spec_state_free(many);
	spec_state_free(none);
	spec_state_free(s);
	spec_types_free(f.types);
}

static void test_nonsense(void **state)
{
	const char *const lines[] = { "",
				      "object",
				      "object 0 9 0 8 0000000000000000",
				      "object 0 0 0 16 00",
				      "object 0 0 0 2 0000\nobject 0 0 0 2 0000",
				      "object 0 0 0 2 0000\npointer 0 0 1 0",
				      "object 5000 0 0 2 0000",
				      "object 1 0 0 2 0000",
				      "object 0 0 0 99999 00" };
	struct fixture f;

	(void)state;
	setup(&f);
	for (size_t i = 0; i < G_N_ELEMENTS(lines); i++)
		assert_null(spec_state_read(lines[i], f.types));
	spec_types_free(f.types);
}

static void test_table(void **state)
{
	GString *code = g_string_new(NULL);
	struct fixture f;

	(void)state;
	setup(&f);
	spec_types_write(f.types, code);
	assert_non_null(strstr(code->str, "why_pointers_0[] = { { 0, 0, 0 }, { 0, 0, 0 } }"));
	assert_non_null(strstr(code->str, "why_scalars_0[] = { { 8, 4 }, { 0, 0 } }"));
	assert_non_null(strstr(code->str, "why_pointers_1[] = { { 0, 0, 0 }, { 0, 0, 0 } }"));
	assert_non_null(strstr(code->str, "why_scalars_1[] = { { 16, 4 }, { 0, 0 } }"));
	assert_int_equal(spec_types_n(f.types), 2);
	g_string_free(code, TRUE);
	spec_types_free(f.types);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words), cmocka_unit_test(test_pairs),
		cmocka_unit_test(test_fewer), cmocka_unit_test(test_nonsense),
		cmocka_unit_test(test_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
