/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A profile's file is read as it was written, or refused in one sentence. */
#include "tests/support/profile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

struct fixture {
	struct image *image;
	struct code *code;
	struct units *units;
};

static int set_up(void **state)
{
	struct fixture *f = g_new0(struct fixture, 1);
	char path[] = "/tmp/gdb-why-profile.XXXXXX";
	int fd = mkstemp(path);
	g_autofree char *command = g_strdup_printf(
		"${CC:-gcc} -g -O0 -w -o %s tests/gdbext/profile/programs/shapes.c", path);

	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(system(command), 0);
	f->image = image_open(path, NULL);
	unlink(path);
	assert_non_null(f->image);
	f->code = code_new(f->image, limits_default());
	f->units = code_units(f->code);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	units_free(f->units);
	code_free(f->code);
	image_free(f->image);
	g_free(f);
	return 0;
}

static void sections_are_added_up(void **state)
{
	struct fixture *f = *state;
	g_autoptr(GByteArray) bytes = profile_bytes(f->code, 3);
	struct counts counts;
	uint64_t expected = 0;

	for (uint32_t i = 0; i < 3; i++) {
		profile_section_at(bytes, f->code, i)->pid = 10 + i / 2;
		profile_counters_at(bytes, f->code, i)[f->code->n_counters - 1] = 5 + i;
		expected += 5 + i;
	}
	assert_true(
		counts_parse(f->code, PROFILE_KEY, "it", bytes->data, bytes->len, &counts, NULL));
	assert_int_equal(counts.counters[f->code->n_counters - 1], expected);
	assert_int_equal(counts.summary.sections, 3);
	assert_int_equal(counts.summary.processes, 2);
	counts_clear(&counts);
}

/* A process was killed when it had made room for its section, and had not counted it yet. */
static void uncounted_section(void **state)
{
	struct fixture *f = *state;
	g_autoptr(GByteArray) bytes = profile_bytes(f->code, 2);
	struct counts_head *head = (struct counts_head *)(void *)bytes->data;
	struct counts counts;

	head->n_sections = 1;
	assert_true(
		counts_parse(f->code, PROFILE_KEY, "it", bytes->data, bytes->len, &counts, NULL));
	assert_int_equal(counts.summary.sections, 1);
	counts_clear(&counts);
}

/* A thing to do to a file, and whether it is refused. */
enum damage {
	NONE,
	MAGIC,
	VERSION,
	KEY,
	SECTION,
	N_SECTIONS,
	HEAD_PAGE,
	SHORTER,
	LONGER,
	EMPTY,
	FAULT_INSN,
	FAULT_MODULE,
	EDGE_FROM,
	EDGE_TO,
	EDGE_NO_JUMP,
	COUNTER,
	SECTION_PAD,
	N_DAMAGES,
};

static void do_to(GByteArray *bytes, const struct code *code, enum damage damage)
{
	struct counts_head *head = (struct counts_head *)(void *)bytes->data;
	struct counts_section *s = profile_section_at(bytes, code, 0);
	struct count_edge *edge = profile_edges_at(bytes, code, 0);

	switch (damage) {
	case MAGIC:
		head->magic[2]++;
		break;
	case VERSION:
		head->version++;
		break;
	case KEY:
		head->key[COUNTS_KEY - 1]++;
		break;
	case SECTION:
		head->section += COUNTS_PAGE;
		break;
	case N_SECTIONS:
		head->n_sections = G_MAXUINT32;
		break;
	case HEAD_PAGE:
		bytes->data[COUNTS_PAGE - 1] = 1;
		break;
	case FAULT_INSN:
		s->faults[3].insn = (uint32_t)code->n_insns + 1;
		break;
	case FAULT_MODULE:
		s->faults[0].module = 1;
		break;
	case EDGE_FROM:
		edge->from = (uint32_t)code->n_insns + 1;
		break;
	case EDGE_TO:
		edge->to = 1;
		break;
	case EDGE_NO_JUMP:
		edge->from = 1;
		break;
	case COUNTER:
		profile_counters_at(bytes, code, 0)[0] = 1ull << 60;
		break;
	case SECTION_PAD:
		s->pad = 1;
		break;
	default:
		break;
	}
}

static void damage_is_refused(void **state)
{
	struct fixture *f = *state;

	for (enum damage damage = NONE; damage < N_DAMAGES; damage++) {
		g_autoptr(GByteArray) bytes = profile_bytes(f->code, 1);
		g_autoptr(GError) error = NULL;
		struct profile_summary summary;
		size_t size = bytes->len;

		do_to(bytes, f->code, damage);
		if (damage == LONGER)
			g_byte_array_append(bytes, (const guint8 *)"x", 1);
		size = damage == LONGER ? size + 1 : damage == SHORTER ? size - 1 : size;
		size = damage == EMPTY ? 0 : size;
		assert_int_equal(
			profile_try(f->code, f->units, bytes->data, size, &summary, &error),
			damage == NONE);
		if (damage == NONE)
			continue;
		assert_int_equal(error->code, PROFILE_ERROR_FILE);
		assert_true(g_str_has_suffix(error->message, "."));
	}
}

/* Any single byte changed: read or refused, and never more than it may cost. */
static void single_bytes(void **state)
{
	struct fixture *f = *state;
	g_autoptr(GByteArray) bytes = profile_bytes(f->code, 1);
	unsigned refused = 0;

	for (guint i = 0; i < bytes->len; i += i < 1024 ? 1 : 37) {
		g_autoptr(GError) error = NULL;
		struct profile_summary summary;
		uint8_t was = bytes->data[i];

		bytes->data[i] ^= 0xff;
		if (!profile_try(f->code, f->units, bytes->data, bytes->len, &summary, &error)) {
			refused++;
			assert_non_null(error);
		}
		bytes->data[i] = was;
	}
	assert_true(refused > 100);
}

static void missing_files(void **state)
{
	struct fixture *f = *state;
	g_autoptr(GError) none = NULL, folder = NULL;
	struct counts counts;

	assert_false(counts_read(f->code, PROFILE_KEY, "/nonexistent/p", &counts, &none));
	assert_int_equal(none->code, PROFILE_ERROR_NONE);
	assert_false(counts_read(f->code, PROFILE_KEY, "/tmp", &counts, &folder));
	assert_int_equal(folder->code, PROFILE_ERROR_FILE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(uncounted_section), cmocka_unit_test(sections_are_added_up),
		cmocka_unit_test(damage_is_refused), cmocka_unit_test(single_bytes),
		cmocka_unit_test(missing_files),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
