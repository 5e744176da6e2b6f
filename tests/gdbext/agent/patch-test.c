/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which bytes of a program are overwritten, and that each jump leads where it has to. */
#include "tests/support/hosted.h"

#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>
#include <sys/mman.h>

/* Where control goes from there by jumps alone. */
static uint64_t destination(uint64_t at)
{
	for (unsigned hops = 0; hops < 3; hops++) {
		const uint8_t *p = (const uint8_t *)at;
		int32_t far;

		if (*p == 0xe9) {
			memcpy(&far, p + 1, sizeof far);
			at += 5 + (uint64_t)(int64_t)far;
		} else if (*p == 0xeb) {
			at += 2 + (uint64_t)(int64_t)(int8_t)p[1];
		} else {
			break;
		}
	}
	return at;
}

static uint64_t stub_of_entry(unsigned number)
{
	return agent.modules[0].entry_stubs + (uint64_t)number * STUB_SIZE;
}

static bool is_changed(const struct hosted *h, size_t at)
{
	return h->code[at] != h->file[at];
}

/* The first bytes of functions, and whether each is patched. */
static void entries(const uint8_t *code, size_t size, const size_t *starts, const size_t *ends,
		    unsigned n, const char *patched)
{
	struct hosted *h = hosted_new(code, size, 0);

	for (unsigned i = 0; i < n; i++)
		hosted_function(h, starts[i], ends[i]);
	hosted_start(h);
	for (unsigned i = 0; i < n; i++) {
		uint64_t entry = hosted_address(h, starts[i]);

		if (patched[i] == 'x')
			assert_int_equal(destination(entry), stub_of_entry(i));
		else
			assert_int_equal(destination(entry), entry);
		assert_int_equal(entry_stub(entry), stub_of_entry(i));
	}
	for (size_t at = 0; at <= size; at++) {
		bool is_start = false;

		for (unsigned i = 0; i < n; i++)
			is_start |= starts[i] == at;
		assert_int_equal(entry_stub(hosted_address(h, at)) != 0, is_start);
	}
	hosted_free(h);
}

static void long_functions_get_a_jump(void **state)
{
	static const uint8_t code[] = "\x48\x89\xf8\x48\x01\xf0\xc3"; /* mov, add, ret */
	const size_t start = 0, end = 7;

	(void)state;
	entries(code, 7, &start, &end, 1, "x");
}

/* What pads behind a function may be overwritten, in each form that compilers use. */
static void padding_is_room(void **state)
{
	static const char *const paddings[] = {
		"\xc3\xcc\xcc\xcc\xcc\xcc\xcc\xcc\xcc",
		"\xc3\x90\x90\x90\x90\x90\x90\x90\x90",
		"\xc3\x66\x90\x66\x90\x66\x90\x66\x90",
		"\xc3\x0f\x1f\x80\x10\x10\x10\x10\x90",		/* nopl disp32(%rax) */
		"\xc3\x0f\x1f\x40\x01\x0f\x1f\x40\x01",		/* nopl disp8(%rax) */
		"\xc3\x0f\x1f\x04\x01\x01\x01\x01\x01",		/* nopl (%rcx,%rax,1) */
		"\xc3\x66\x0f\x1f\x44\x01\x01\x90\x90",		/* nopw disp8(%rcx,%rax,1) */
		"\xc3\x66\x2e\x0f\x1f\x84\x01\x10\x10\x10\x10", /* cs nopw disp32(...) */
	};
	const size_t start = 0, end = 1;

	(void)state;
	for (unsigned i = 0; i < G_N_ELEMENTS(paddings); i++)
		entries((const uint8_t *)paddings[i], i == 7 ? 11 : 9, &start, &end, 1, "x");
	/* data is not */
	entries((const uint8_t *)"\xc3\x01\x02\x03\x04\x05", 6, &start, &end, 1, "-");
	entries((const uint8_t *)"\xc3\x0f\x1e\x03\x04\x05", 6, &start, &end, 1, "-");
}

/* A function of two bytes jumps by way of the middle of another one. */
static void short_functions_use_an_island(void **state)
{
	static const uint8_t code[] = "\x31\xc0\xc3" /* xor eax,eax; ret */
				      "\x48\x89\xf8\x48\x01\xf0\x48\x01\xf0\x48\x01\xf0\xc3";
	const size_t starts[] = { 0, 3 }, ends[] = { 3, 16 };
	struct hosted *h;

	(void)state;
	entries(code, 16, starts, ends, 2, "xx");
	/* none is far enough behind the other's own jump: it stays as it is */
	entries(code, 10, starts, (const size_t[]){ 3, 9 }, 2, "-x");
	h = hosted_new(code, 16, 0);
	hosted_function(h, 0, 3);
	hosted_function(h, 3, 16);
	hosted_start(h);
	assert_int_equal(h->code[0], 0xeb);
	assert_false(is_changed(h, 2));
	hosted_free(h);
}

/* What the program itself writes over its code is told from our jumps and from a debugger's
 * breakpoints. */
static void code_that_the_program_changes_is_noticed(void **state)
{
	static const uint8_t code[] = "\x48\x89\xf8\x48\x01\xf0\x48\x01\xf0\xc3";
	struct hosted *h = hosted_new(code, 10, 0);

	(void)state;
	hosted_function(h, 0, 10);
	hosted_start(h);
	assert_true(is_changed(h, 0));
	assert_false(modules_are_changed());
	assert_int_equal(mprotect(h->code, 4096, PROT_READ | PROT_WRITE | PROT_EXEC), 0);
	h->code[8] = 0xf8; /* add %rdi,%rax */
	assert_true(modules_are_changed());
	h->code[8] = 0xf0;
	assert_false(modules_are_changed());
	h->code[6] = 0xcc; /* a breakpoint stands at an instruction's beginning */
	assert_false(modules_are_changed());
	h->code[6] = 0x48;
	h->code[7] = 0xcc; /* and nowhere else */
	assert_true(modules_are_changed());
	hosted_free(h);
}

static void one_byte_is_too_short(void **state)
{
	static const uint8_t code[] = "\xc3\x48\x89\xf8\x48\x01\xf0\xc3\xc3\xc3";
	const size_t starts[] = { 0, 1 }, ends[] = { 1, 8 };

	(void)state;
	entries(code, 10, starts, ends, 2, "-x");
}

/* push rbx; call 1; add; call 1; nop...; ret */
static const uint8_t calls[] = "\x53\xe8\xfb\xff\xff\xff"
			       "\x48\x01\xc3\x48\x01\xc3\x48\x01\xc3"
			       "\xe8\xec\xff\xff\xff"
			       "\x5b\xc3\x90\x90\x90\x90\x90\x90";
enum { BEHIND_FIRST = 6, BEHIND_SECOND = 20, CALLS_END = 22, CALLS_SIZE = 28 };

static struct hosted *start_calls(uint32_t flags)
{
	struct hosted *h = hosted_new(calls, CALLS_SIZE, flags);

	hosted_function(h, 0, CALLS_END);
	return h;
}

static void places_behind_calls_lead_back(void **state)
{
	static const size_t places[] = { BEHIND_FIRST, BEHIND_SECOND };
	struct hosted *h = start_calls(0);

	(void)state;
	hosted_start(h);
	for (unsigned i = 0; i < G_N_ELEMENTS(places); i++) {
		uint64_t at = hosted_address(h, places[i]);
		uint64_t to = destination(at);

		assert_true(comes_back_by_itself(&agent.modules[0], at));
		assert_int_equal(thunk_meaning(to), at);
		assert_int_equal(thunk_for(at), 0);
	}
	assert_false(comes_back_by_itself(&agent.modules[0], hosted_address(h, 9)));
	hosted_free(h);
}

/* A return address elsewhere gets a thunk, always the same. */
static void thunks_stand_for_instructions(void **state)
{
	struct hosted *h = start_calls(0);
	uint64_t at, thunk;

	(void)state;
	hosted_load(h);
	at = hosted_address(h, 9);
	thunk = thunk_for(at);
	assert_true(thunk);
	assert_int_equal(thunk_for(at), thunk);
	assert_int_equal(thunk_meaning(thunk), at);
	assert_int_equal(thunk_meaning(thunk + 1), 0);
	assert_int_equal(thunk_for(at + 1), 0); /* in the middle of an instruction */
	assert_int_equal(thunk_for(at + 4096), 0);
	hosted_free(h);
}

/* The debugger would write its own byte back there. */
static void what_a_debugger_changed_is_left_alone(void **state)
{
	struct hosted *h = start_calls(0);

	(void)state;
	h->code[BEHIND_FIRST] = 0xcc;
	hosted_start(h);
	assert_int_equal(h->code[BEHIND_FIRST], 0xcc);
	assert_false(comes_back_by_itself(&agent.modules[0], hosted_address(h, BEHIND_FIRST)));
	assert_true(comes_back_by_itself(&agent.modules[0], hosted_address(h, BEHIND_SECOND)));
	hosted_free(h);
}

static void rows_are_breakable_when_the_plan_says(void **state)
{
	struct hosted *h = start_calls(0);

	(void)state;
	g_array_index(h->insns, struct trace_insn, 3).flags |= TRACE_INSN_ROW;
	hosted_start(h);
	assert_false(is_breakable(&agent.modules[0], hosted_insn(h, 9)));
	hosted_free(h);
	h = start_calls(TRACE_BREAKPOINTS);
	g_array_index(h->insns, struct trace_insn, 3).flags |= TRACE_INSN_ROW;
	hosted_start(h);
	assert_true(is_breakable(&agent.modules[0], hosted_insn(h, 0))); /* an entry */
	assert_false(is_breakable(&agent.modules[0], hosted_insn(h, 12)));
	hosted_free(h);
}

/* ---- sections of the file ---- */

/* An ELF file with nothing but the names of two sections. */
static GByteArray *file_with_section(const char *name)
{
	g_autofree char *names = g_strdup_printf(".shstrtab%c%s", '\0', name);
	size_t size = strlen(".shstrtab") + 1 + strlen(name) + 1;
	Elf64_Ehdr head = { .e_shnum = 2,
			    .e_shentsize = sizeof(Elf64_Shdr),
			    .e_shoff = sizeof head };
	Elf64_Shdr sections[2] = {
		{ .sh_name = 0, .sh_offset = sizeof head + sizeof sections, .sh_size = size },
		{ .sh_name = sizeof ".shstrtab" }
	};
	GByteArray *file = g_byte_array_new();

	g_byte_array_append(file, (guint8 *)&head, sizeof head);
	g_byte_array_append(file, (guint8 *)sections, sizeof sections);
	g_byte_array_append(file, (guint8 *)names, (guint)size);
	return file;
}

static bool has_section(const GByteArray *file, const char *name)
{
	const struct agent_module m = { .file = file->data, .file_size = file->len };

	return module_has_section(&m, name);
}

/* The file is the user's: whatever stands in it, nothing outside of it is read. */
static void sections_are_found_by_name(void **state)
{
	GByteArray *file = file_with_section(".gcc_except_table");
	Elf64_Ehdr *head = (void *)file->data;
	const struct agent_module none = { 0 };

	(void)state;
	assert_true(has_section(file, ".gcc_except_table"));
	assert_true(has_section(file, ".shstrtab"));
	assert_false(has_section(file, ".gcc_except_tabl"));
	assert_false(has_section(file, ".gcc_except_table2"));
	assert_false(module_has_section(&none, ".text"));
	for (guint left = 0; left + 1 < file->len; left++) {
		uint8_t *exact = g_memdup2(file->data, left);
		const struct agent_module m = { .file = exact, .file_size = left };

		assert_false(module_has_section(&m, ".gcc_except_table"));
		g_free(exact);
	}
	head->e_shstrndx = 2;
	assert_false(has_section(file, ".gcc_except_table"));
	head->e_shstrndx = 0;
	head->e_shoff = ~0ull - 8;
	assert_false(has_section(file, ".gcc_except_table"));
	g_byte_array_free(file, TRUE);
}

/* ---- all rules together ---- */

/* Functions of random instructions, with calls, next to each other or padded. */
static GByteArray *random_code(GRand *r, GArray *starts)
{
	static const struct {
		uint8_t size;
		const char *bytes;
	} some[] = { { 1, "\x53" },
		     { 2, "\x31\xc0" },
		     { 3, "\x48\x01\xf0" },
		     { 1, "\x5b" },
		     { 4, "\x48\x83\xc3\x01" },
		     { 5, "\xb8\1\2\3\4" },
		     { 2, "\x75\x00" },
		     { 5, "\xe8\xfb\xff\xff\xff" } };
	GByteArray *code = g_byte_array_new();

	for (unsigned f = 0; f < 40; f++) {
		unsigned n = (unsigned)g_rand_int_range(r, 0, 9);
		guint at = code->len;

		for (unsigned i = 0; i < n; i++) {
			unsigned k = (unsigned)g_rand_int_range(r, 0, G_N_ELEMENTS(some));

			g_byte_array_append(code, (const guint8 *)some[k].bytes, some[k].size);
		}
		g_byte_array_append(code, (const guint8 *)"\xc3", 1);
		g_array_append_val(starts, at);
		at = code->len;
		g_array_append_val(starts, at);
		while (g_rand_boolean(r))
			g_byte_array_append(code, (const guint8 *)"\xcc", 1);
	}
	return code;
}

/* All that the agent says of itself is so in memory. */
static unsigned check_all(const struct hosted *h)
{
	const struct agent_module *m = &agent.modules[0];
	unsigned found = 0;

	for (guint i = 0; i < h->insns->len; i++) {
		const struct trace_insn *insn = &g_array_index(h->insns, struct trace_insn, i);
		size_t at = insn->addr - HOSTED_LINK;
		uint64_t back = insn->addr + m->bias;

		if (!comes_back_by_itself(m, back))
			continue;
		found++;
		/* the place may be an entry too; that leads to the agent by itself */
		assert_true(is_changed(h, at));
		if (!entry_stub(back))
			assert_int_equal(thunk_meaning(destination(back)), back);
	}
	for (guint i = 0; i < h->entries->len; i++) {
		size_t at = g_array_index(h->entries, uint64_t, i) - HOSTED_LINK;
		uint64_t to = destination(hosted_address(h, at));

		assert_true(to == stub_of_entry(i) || to == hosted_address(h, at));
	}
	return found;
}

static void jumps_do_not_overwrite_each_other(void **state)
{
	unsigned found = 0;

	(void)state;
	for (guint32 seed = 1; seed <= 60; seed++) {
		GRand *r = g_rand_new_with_seed(seed);
		GArray *starts = g_array_new(FALSE, FALSE, sizeof(guint));
		GByteArray *code = random_code(r, starts);
		struct hosted *h =
			hosted_new(code->data, code->len, seed & 1 ? TRACE_BREAKPOINTS : 0);

		for (guint i = 0; i < starts->len; i += 2)
			hosted_function(h, g_array_index(starts, guint, i),
					g_array_index(starts, guint, i + 1));
		for (guint i = 0; i < h->insns->len; i += 3)
			g_array_index(h->insns, struct trace_insn, i).flags |= TRACE_INSN_ROW;
		hosted_start(h);
		found += check_all(h);
		hosted_free(h);
		g_byte_array_free(code, TRUE);
		g_array_free(starts, TRUE);
		g_rand_free(r);
	}
	assert_true(found > 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(long_functions_get_a_jump),
		cmocka_unit_test(padding_is_room),
		cmocka_unit_test(short_functions_use_an_island),
		cmocka_unit_test(one_byte_is_too_short),
		cmocka_unit_test(code_that_the_program_changes_is_noticed),
		cmocka_unit_test(places_behind_calls_lead_back),
		cmocka_unit_test(thunks_stand_for_instructions),
		cmocka_unit_test(what_a_debugger_changed_is_left_alone),
		cmocka_unit_test(rows_are_breakable_when_the_plan_says),
		cmocka_unit_test(sections_are_found_by_name),
		cmocka_unit_test(jumps_do_not_overwrite_each_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
