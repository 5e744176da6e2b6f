#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# In a member function of C++ the members of its object are names: what `why' and `explain' say of them
# is what GDB prints there.  A variable of the function hides them, and they hide a global one.
. tests/support/samples-lib.sh
need_tool
command -v gdb >/dev/null || { echo "gdb is not installed"; exit 77; }
command -v "${CXX:-g++}" >/dev/null || { echo "no C++ compiler"; exit 77; }

cat >"$dir/own.cc" <<'C'
#include <cassert>
int seen = 1000, other = 7;
struct base { int own = 40; };
class counter : public base {
public:
	void add(int n)
	{
		int lines = 2 * n;
		total += n;
		lines++;
		seen++;
		own -= n;
		last = n + lines; /* stop */
	}
	int total = 1, lines = 300, seen = 20, last = 0;
};
int main()
{
	counter c;

	c.add(3);
	c.add(4);
	assert(c.total == 9 && other);
	return 0;
}
C
${CXX:-g++} -g -O0 -w -o "$dir/own" "$dir/own.cc" || complain "own.cc does not compile"
stop=$(grep -n '/\* stop \*/' "$dir/own.cc" | cut -d: -f1)

for name in total lines seen own last other 'total + own' 'this->lines'; do
	shown=$("$WHY_BIN" ask --at "own.cc:$stop:2" --depth 1 --color never why "$name" -- "$dir/own" 2>&1 |
		sed -n '1s/^.* = \(.*\) at .*/\1/p')
	gdb=$(gdb -nx -batch -ex "break own.cc:$stop" -ex run -ex continue -ex 'printf "@@"' -ex "output $name" "$dir/own" \
		2>/dev/null | sed -n 's/.*@@//p')
	[ -n "$gdb" ] && [ "$shown" = "$gdb" ] || complain "$name: \`$shown', but GDB says \`$gdb'"
done

"$WHY_BIN" explain --format json --max-suspects 0 -- "$dir/own" >"$dir/answer" 2>"$dir/err"
! default_limits || jq -e 'any(.suspects[]; .statements[0] | .line == 9 and .clause == "total")' "$dir/answer" >"$dir/found" ||
	complain "line 9 gives no total: $(jq -c '[.suspects[].statements[0] | [.line, .clause]]' "$dir/answer")"
! default_limits || jq -e 'any(.suspects[]; .statements[0] | .clause == "argument 1 of add")' "$dir/answer" >"$dir/found" ||
	complain "no argument 1 of add: $(jq -c '[.suspects[].statements[0] | [.line, .clause]]' "$dir/answer")"

finish
