#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A program that changes its own code: recorded runs do not see that, and the answer says so.  A
# program that makes other memory executable gets no such note.
. tests/support/samples-lib.sh
need_tool
cat >"$dir/p.c" <<'C'
#include <assert.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

static int number(void)
{
	return 1;
}

int main(int argc, char **argv)
{
	uintptr_t page = (uintptr_t)number & ~(uintptr_t)4095;
	void *other = mmap(0, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	mprotect(other, 4096, PROT_READ | PROT_WRITE | PROT_EXEC);
	if (argc > 1 && mprotect((void *)page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC))
		return 0;
	(void)argv;
	assert(number() == 3);
	return 0;
}
C
"$CC" -g -O0 -o "$dir/p" "$dir/p.c" || exit 1
for engine in jit step; do
	"$WHY_BIN" explain --engine "$engine" -- "$dir/p" change >"$dir/answer" 2>&1
	tr -s ' \n' ' ' <"$dir/answer" | grep -q 'makes its own code writable' ||
		complain "$engine: not said: $(cat "$dir/answer")"
	"$WHY_BIN" explain --engine "$engine" -- "$dir/p" >"$dir/answer" 2>&1
	tr -s ' \n' ' ' <"$dir/answer" | grep -q 'makes its own code writable' &&
		complain "$engine: said without a reason"
done
finish
