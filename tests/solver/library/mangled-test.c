/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/library/mangled.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void counts_arguments(void **state)
{
	static const struct {
		const char *name;
		unsigned registers; /* with one for an object, and one for where a result goes */
	} names[] = {
		{ "_ZNSaIcED1Ev", 2 },
		{ "_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE4sizeEv", 2 },
		{ "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEC1ERKS4_", 3 },
		{ "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_createERmm", 4 },
		{ "_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_", 6 },
		{ "_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base", 3 },
		{ "_ZNSolsEi", 3 },
		{ "_ZNSolsEd", 2 },
		{ "_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc", 5 },
		{ "_ZNSt8__detail15_List_node_base7_M_hookEPS0_", 3 },
		{ "_ZN3FooILi3EE3barEPFviEl", 4 },
		{ "_Z6formatPKcz", MANGLED_UNKNOWN },
		{ "_ZZ4mainE1x", MANGLED_UNKNOWN },
		{ "_Z3fooN3BarE", 4 },
		{ "_Z99short", MANGLED_UNKNOWN },
		{ "_ZN", 2 },
		{ "_ZN3FoocviEv", 2 },
		{ "_Z3barB5cxx11v", 2 },
		{ "_Z3fooIJidEEvv", 2 },
		{ "_ZN3FooI5ColorXsrT_E5valueEE3barEv", MANGLED_UNKNOWN },
		{ "_Z1fS-", MANGLED_UNKNOWN },
		{ "_Z1f?", MANGLED_UNKNOWN },
		{ "memcpy", MANGLED_UNKNOWN },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (mangled_registers(names[i].name) != names[i].registers)
			fail_msg("%s: %u, not %u", names[i].name, mangled_registers(names[i].name),
				 names[i].registers);
	assert_int_equal(mangled_registers(NULL), MANGLED_UNKNOWN);
}

static void knows_numbers(void **state)
{
	static const struct {
		const char *name;
		unsigned argument;
		char letter;
	} all[] = {
		{ "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEpLEc", 2, 'c' },
		{ "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEpLEc", 1, 0 },
		{ "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEpLEc", 3, 0 },
		{ "_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_c", 2, 'c' },
		{ "_Z3addiPKcl", 1, 'i' },
		{ "_Z3addiPKcl", 2, 0 },
		{ "_Z3addiPKcl", 3, 'l' },
		{ "_Z3adddi", 1, 'i' },
		{ "_ZNSolsEi", 2, 'i' },
		{ "printf", 1, 0 },
		{ "_Z99short", 1, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		assert_int_equal(mangled_number(all[i].name, all[i].argument), all[i].letter);
}

static void writes_as_people_do(void **state)
{
	static const char *const names[][2] = {
		{ "_ZNSolsEi", "operator<<" },
		{ "_ZNKSt9basic_iosIcSt11char_traitsIcEEcvbEv", "operator bool" },
		{ "_ZN3FoocvP3BarEv", "operator" },
		{ "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEpLEc", "operator+=" },
		{ "_ZNSt6vectorIiSaIiEE9push_backERKi", "push_back" },
		{ "_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_c", "operator<<" },
		{ "_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE4sizeEv", "size" },
		{ "_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base", "_Rb_tree_increment" },
		{ "_ZNSt8__detail15_List_node_base7_M_hookEPS0_", "_M_hook" },
		{ "_ZNSt6vectorI3FooSaIS0_EEC1Ev", "vector" },
		{ "_Z3foov", "foo" },
		{ "_Znwm", "new" },
		{ "_Z99short", "_Z99short" },
		{ "sort<int*, main()::<lambda(int, int)> >", "sort" },
		{ "operator<", "operator<" },
		{ "memcpy", "memcpy" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		char *words = mangled_words(names[i][0]);

		assert_string_equal(words, names[i][1]);
		free(words);
	}
	assert_true(mangled_is_member("_ZNSolsEi"));
	assert_false(mangled_is_member("_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_c"));
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(counts_arguments),
					    cmocka_unit_test(knows_numbers),
					    cmocka_unit_test(writes_as_people_do) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
