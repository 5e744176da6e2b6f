/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/base/ordinal.h"

const char *ordinal_ending(uint64_t n)
{
	static const char *const endings[] = { "th", "st", "nd", "rd" };
	uint64_t last = n % 100 / 10 == 1 ? 0 : n % 10;

	return endings[last < 4 ? last : 0];
}
