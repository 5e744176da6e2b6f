#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A value that is given behind a statement, of which the place names an instruction in the middle, is
# there behind the whole of it; and a condition is asked about memory that the line itself is about to
# read, although a library may have changed it.
set -u
. tests/support/samples-lib.sh
need_tool

cat >"$dir/sum.c" <<'C'
#include <assert.h>
static double a[3] = { 1, 2, 3 }, b[3] = { 4, 5, 6 };
static double product(void)
{
	double s = 0;
	for (int i = 0; i < 3; i++)
		s += a[i] * b[2 - i];
	return s;
}
int main(void)
{
	assert(product() == 9);
	return 0;
}
C
build "$dir/sum.c" "$dir/sum"
# an instruction that fetches an operand
offset=$(gdb -q -batch -ex 'disassemble product' "$dir/sum" | sed -nE 's/.*<\+([0-9]+)>:[[:space:]]+movsd +\(%.*/\1/p; s/.*<\+([0-9]+)>:[[:space:]]+movsd +0x0\(,.*/\1/p' | head -n 1)
[ -n "$offset" ] || offset=$(gdb -q -batch -ex 'disassemble product' "$dir/sum" | sed -nE 's/.*<\+([0-9]+)>:[[:space:]]+mulsd.*/\1/p' | head -n 1)
"$WHY_BIN" try --set 's = 9' --after "product+$offset:3" -- "$dir/sum" >"$dir/out" 2>&1
grep -q '^it passes' "$dir/out" || complain "product+$offset: $(cat "$dir/out")"

cat >"$dir/seen.cc" <<'C'
#include <cassert>
#include <iostream>
#include <string>
struct Counter {
	int total = 0;
	std::string name = "words";
	void add(int n) { total += n; }
	std::string text() const { return name + std::to_string(total); }
};
int main()
{
	Counter c;
	c.add(3);
	c.add(4);
	std::cout << c.text() << "\n";
	assert(c.total == 8);
	return 0;
}
C
g++ -g -O0 -w -o "$dir/seen" "$dir/seen.cc" || complain "it does not compile"
"$WHY_BIN" ask 'why not c.total == 8' -- "$dir/seen" >"$dir/out" 2>&1
grep -qF "does not hold at" "$dir/out" && grep -q 'c.total = 7' "$dir/out" || complain "$(cat "$dir/out")"
[ $failures -eq 0 ]
