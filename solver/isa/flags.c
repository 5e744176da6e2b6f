/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/isa/flags.h"

#include <stddef.h>

/* libVEX's numbers (guest_amd64_defs.h): kinds in this order, each of them for
 * 8, 16, 32 and 64 bits, the last ones for 32 and 64 only. */
static const enum flags_kind by_four[] = {
	FLAGS_ADD, FLAGS_SUB, FLAGS_ADC, FLAGS_SBB, FLAGS_LOGIC, FLAGS_INC,  FLAGS_DEC,
	FLAGS_SHL, FLAGS_SHR, FLAGS_ROL, FLAGS_ROR, FLAGS_UMUL,	 FLAGS_SMUL,
};
static const enum flags_kind by_two[] = {
	FLAGS_ANDN, FLAGS_BLSI, FLAGS_BLSMSK, FLAGS_BLSR, FLAGS_ADCX, FLAGS_ADOX,
};
enum {
	N_FOUR = 4 * sizeof(by_four) / sizeof(by_four[0]),
	N_TWO = 2 * sizeof(by_two) / sizeof(by_two[0]),
};

struct flags_op flags_decode(uint64_t cc_op)
{
	if (cc_op == IR_CC_OP_COPY)
		return (struct flags_op){ FLAGS_COPY, 64 };
	cc_op -= 1;
	if (cc_op < N_FOUR)
		return (struct flags_op){ by_four[cc_op / 4], 8u << cc_op % 4 };
	cc_op -= N_FOUR;
	if (cc_op < N_TWO)
		return (struct flags_op){ by_two[cc_op / 2], 32u << cc_op % 2 };
	return (struct flags_op){ FLAGS_NONE, 64 };
}

const char *flags_kind_name(enum flags_kind kind)
{
	static const char *const names[] = {
		[FLAGS_COPY] = "copy", [FLAGS_ADD] = "add",	  [FLAGS_SUB] = "sub",
		[FLAGS_ADC] = "adc",   [FLAGS_SBB] = "sbb",	  [FLAGS_LOGIC] = "logic",
		[FLAGS_INC] = "inc",   [FLAGS_DEC] = "dec",	  [FLAGS_SHL] = "shl",
		[FLAGS_SHR] = "shr",   [FLAGS_ROL] = "rol",	  [FLAGS_ROR] = "ror",
		[FLAGS_UMUL] = "umul", [FLAGS_SMUL] = "smul",	  [FLAGS_ANDN] = "andn",
		[FLAGS_BLSI] = "blsi", [FLAGS_BLSMSK] = "blsmsk", [FLAGS_BLSR] = "blsr",
		[FLAGS_ADCX] = "adcx", [FLAGS_ADOX] = "adox",	  [FLAGS_NONE] = "none",
	};

	return kind <= FLAGS_NONE ? names[kind] : "none";
}
