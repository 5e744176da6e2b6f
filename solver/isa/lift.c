/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/isa/lift.h"

#include "solver/base/hash.h"
#include "solver/isa/lift-op.h"

#include <setjmp.h>
#include <string.h>

#include <libvex_basictypes.h>
#include <libvex.h>
#include <libvex_ir.h>

/* libVEX matches its own marker sequences against the bytes that follow. */
enum { LOOK_AHEAD = 64, LONGEST_INSN = 15 };

struct lift {
	GHashTable *blocks; /* set of struct entry */
	struct lift_build build;
};

/* The key is the address and the code, because runs may have loaded different modules at one
 * address. */
struct entry {
	uint64_t pc;
	size_t length;
	uint8_t bytes[LONGEST_INSN];
	struct ir_block *block;
};

/* ---- libVEX's global state ---- */

/* Its failure callback has no argument. */
static jmp_buf failed;

static void __attribute__((noreturn)) on_failure(void)
{
	longjmp(failed, 1);
}

static void on_log(const HChar *text, SizeT length)
{
	(void)text;
	(void)length;
}

static Bool on_chase(void *opaque, Addr address)
{
	(void)opaque;
	(void)address;
	return False;
}

static UInt on_self_check(void *opaque, VexRegisterUpdates *updates, const VexGuestExtents *extents)
{
	(void)opaque;
	(void)updates;
	(void)extents;
	return 0;
}

static void never_called(void)
{
	g_assert_not_reached();
}

static void init_library(void)
{
	static gsize done;
	VexControl control;

	if (!g_once_init_enter(&done))
		return;
	LibVEX_default_VexControl(&control);
	control.iropt_verbosity = 0;
	control.iropt_level = 1;
	control.iropt_register_updates_default = VexRegUpdAllregsAtEachInsn;
	control.iropt_unroll_thresh = 0;
	control.guest_max_insns = 1;
	control.guest_chase = False;
	LibVEX_Init(on_failure, on_log, 0, &control);
	g_once_init_leave(&done, 1);
}

static void set_arguments(VexTranslateArgs *args, VexGuestExtents *extents)
{
	memset(args, 0, sizeof(*args));
	LibVEX_default_VexArchInfo(&args->archinfo_guest);
	args->archinfo_guest.endness = VexEndnessLE;
	args->archinfo_guest.hwcaps =
		VEX_HWCAPS_AMD64_SSE3 | VEX_HWCAPS_AMD64_SSSE3 | VEX_HWCAPS_AMD64_CX16 |
		VEX_HWCAPS_AMD64_LZCNT | VEX_HWCAPS_AMD64_AVX | VEX_HWCAPS_AMD64_AVX2 |
		VEX_HWCAPS_AMD64_RDTSCP | VEX_HWCAPS_AMD64_BMI | VEX_HWCAPS_AMD64_RDRAND |
		VEX_HWCAPS_AMD64_RDSEED | VEX_HWCAPS_AMD64_F16C;
	args->archinfo_host = args->archinfo_guest;
	args->arch_guest = args->arch_host = VexArchAMD64;
	LibVEX_default_VexAbiInfo(&args->abiinfo_both);
	args->abiinfo_both.guest_stack_redzone_size = 128;
	args->abiinfo_both.guest_amd64_assume_fs_is_const = True;
	args->abiinfo_both.guest_amd64_assume_gs_is_const = True;
	args->guest_extents = extents;
	args->chase_into_ok = on_chase;
	args->needs_self_check = on_self_check;
	args->disp_cp_chain_me_to_slowEP = never_called;
	args->disp_cp_chain_me_to_fastEP = never_called;
	args->disp_cp_xindir = never_called;
	args->disp_cp_xassisted = never_called;
}

/* False when libVEX gives up on these bytes. */
static bool translate_by_libvex(struct lift_build *build, uint64_t pc, const uint8_t *bytes,
				size_t length)
{
	VexTranslateArgs args;
	VexTranslateResult result;
	VexRegisterUpdates updates;
	VexGuestExtents extents;
	IRSB *sb;

	if (setjmp(failed))
		return false;
	set_arguments(&args, &extents);
	args.guest_bytes = bytes;
	args.guest_bytes_addr = pc;
	sb = LibVEX_FrontEnd(&args, &result, &updates);
	if (!sb || extents.n_used != 1 || extents.len[0] != length)
		return false;
	return lift_statements(build, sb, pc, length);
}

/* ---- the cache ---- */

static guint hash_entry(gconstpointer data)
{
	const struct entry *e = data;

	return hash_u64(&e->pc);
}

static gboolean same_entry(gconstpointer a, gconstpointer b)
{
	const struct entry *x = a, *y = b;

	return x->pc == y->pc && x->length == y->length &&
	       memcmp(x->bytes, y->bytes, x->length) == 0;
}

static void free_lift_entry(gpointer data)
{
	struct entry *e = data;

	lift_block_free(e->block);
	g_free(e);
}

struct lift *lift_new(void)
{
	struct lift *l = g_new0(struct lift, 1);

	init_library();
	lift_build_init(&l->build);
	l->blocks = g_hash_table_new_full(hash_entry, same_entry, free_lift_entry, NULL);
	return l;
}

void lift_free(struct lift *l)
{
	if (!l)
		return;
	g_hash_table_unref(l->blocks);
	lift_build_deinit(&l->build);
	g_free(l);
}

static struct ir_block *unknown_block(void)
{
	struct ir_block *block = g_new0(struct ir_block, 1);

	block->n_ops = 1;
	block->ops = g_new0(struct ir_op, 1);
	block->ops[0] = (struct ir_op){ .kind = IR_UNKNOWN, .a = -1, .b = -1, .c = -1, .d = -1 };
	return block;
}

static struct ir_block *lift_one(struct lift_build *build, uint64_t pc, const uint8_t *bytes,
				 size_t length)
{
	uint8_t padded[LOOK_AHEAD];

	lift_build_reset(build);
	if (lift_by_hand(build, pc, bytes, length))
		return lift_build_finish(build);
	memset(padded, 0x90, sizeof(padded));
	memcpy(padded, bytes, MIN(length, sizeof(padded) / 2));
	if (!translate_by_libvex(build, pc, padded, length))
		return unknown_block();
	if (lift_is_inexact(bytes, length))
		build->complete = false;
	return lift_build_finish(build);
}

const struct ir_block *lift_insn(struct lift *l, uint64_t pc, const uint8_t *bytes, size_t length)
{
	struct entry key = { .pc = pc, .length = MIN(length, LONGEST_INSN) }, *e;

	memcpy(key.bytes, bytes, key.length);
	e = g_hash_table_lookup(l->blocks, &key);
	if (e)
		return e->block;
	e = g_memdup2(&key, sizeof(key));
	e->block = lift_one(&l->build, pc, bytes, key.length);
	g_hash_table_add(l->blocks, e);
	return e->block;
}
