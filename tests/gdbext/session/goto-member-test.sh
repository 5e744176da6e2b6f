#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# `goto' stops in member functions of C++, of which several may have one name, at the execution that
# the suspect is about.  timeout: 120
set -u
. tests/support/samples-lib.sh
need_tool

cat >"$dir/member.cc" <<'C'
#include <cassert>
struct Pot {
	int left = 10;
	void take(int n) { left -= n; }
	void take(char c) { left -= c - '0'; }
};
struct Jug {
	int left = 10;
	void take(int n)
	{
		left += n; /* fault */
	}
};
int main()
{
	Pot pot;
	Jug jug;
	for (int i = 1; i <= 3; i++) {
		pot.take(1);
		pot.take('1');
		jug.take(2);
	}
	assert(pot.left == 4);
	assert(jug.left == 4);
	return 0;
}
C
g++ -g -O0 -w -o "$dir/member" "$dir/member.cc" || complain "it does not compile"
line=$(grep -n '/\* fault \*/' "$dir/member.cc" | cut -d: -f1)
"$WHY_BIN" -q -batch -ex run -ex why -ex 'goto 1' -ex 'bt 1' -ex 'print left' -ex 'info breakpoints' \
	--args "$dir/member" >"$dir/said" 2>&1
rank=$(grep -oE "^ *[0-9]+  member.cc:$line" "$dir/said" | awk '{ print $1 }' | head -n 1)
[ "$rank" = 1 ] || complain "the fault is not first: $(cat "$dir/said")"
grep -q "^#0 .*Jug::take (.*member.cc:$line" "$dir/said" || complain "goto: $(tail -n 5 "$dir/said")"
# the value before the execution that is changed is the program's own
left=$(sed -n 's/^\$1 = //p' "$dir/said")
nth=$(sed -nE '/^ *1  member.cc/,/^ *2  /s/.*the ([1-3])(st|nd|rd) of 3 times.*/\1/p' "$dir/said" | head -n 1)
[ "${left:-0}" -eq $((10 + 2 * (${nth:-1} - 1))) ] || complain "left = $left, execution $nth: $(cat "$dir/said")"

# a value that is there before the program starts, and a suspect that changes several executions
cat >"$dir/initial.c" <<'C'
#include <assert.h>
static int step = 3;
int main(void)
{
	int sum = 0;
	for (int i = 0; i < 4; i++)
		sum += step;
	assert(sum == 8);
	return 0;
}
C
build "$dir/initial.c" "$dir/initial"
cat >"$dir/many.c" <<'C'
#include <assert.h>
static int a[4] = { 5, 6, 7, 1 };
int main(void)
{
	int count = 0;
	for (int i = 0; i < 4; i++)
		if (a[i] > 4)
			count++;
	assert(count == 1);
	return 0;
}
C
build "$dir/many.c" "$dir/many"

# rank PROGRAM LINE: of the suspect that begins with that line, as `why' lists it
rank() {
	"$WHY_BIN" -q -batch -ex run -ex why --args "$dir/$1" >"$dir/said" 2>&1
	grep -oE "^ *[0-9]+  $1.c:$2 " "$dir/said" | awk '{ print $1 }' | head -n 1
}

initial=$(rank initial 2)
[ -n "$initial" ] || complain "suspects: $(cat "$dir/said")"
"$WHY_BIN" -q -batch -ex run -ex why -ex "goto $initial" -ex 'print step' --args "$dir/initial" >"$dir/said" 2>&1
grep -qx 'The value is there before the program starts; this goes to its beginning.' "$dir/said" &&
	grep -qE '^Temporary breakpoint 1, main \(\) at ' "$dir/said" || complain "goto $initial: $(cat "$dir/said")"
many=$(rank many 7)
grep -q 'going false (2 of 4' "$dir/said" || complain "suspects: $(cat "$dir/said")"
"$WHY_BIN" -q -batch -ex run -ex why -ex "goto $many" -ex 'print i' --args "$dir/many" >"$dir/said" 2>&1
grep -qx 'The suspect changes 2 executions; this goes to the last of them that the failing run comes to.' "$dir/said" ||
	complain "goto $many: $(cat "$dir/said")"
[ $failures -eq 0 ]
