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
class pair {
public:
	pair(int a, int b) : first(a), second(b) {}
	void swap() { int kept = first; first = second; second = kept; }
	int sum() const { return first + second; }
	int first, second, third = 5;
};
int main()
{
	pair p(2, 7);
	counter c;

	c.add(3);
	c.add(4);
	assert(c.total == 9 && other);
	assert(p.sum() == 10);
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

# What begins with a value of its own has its own name, too, and not one of the statement behind that.
asks 0 'first(a)...  third = 5' 'why p.third' -- "$dir/own"

# says LINE CLAUSE VALUE: a suspect is about that, and has that value
says() {
	"$WHY_BIN" explain --format json --max-suspects 0 -- "$dir/own" >"$dir/answer" 2>"$dir/err"
	! default_limits || jq -e --argjson line "$1" --arg clause "$2" --arg value "$3" \
		'any(.suspects[]; .statements[0] | .line == $line and .clause == $clause and .actual == $value)' \
		"$dir/answer" >"$dir/found" ||
		complain "line $1: no $2 = $3: $(jq -c '[.suspects[].statements[0] | [.line, .clause, .actual]]' "$dir/answer")"
}
says 9 total 8
says "$(grep -n 'c.add(3)' "$dir/own.cc" | cut -d: -f1)" 'argument 1 of add' 3
# the constructor sets it where the source assigns nothing
sed -i 's/c.total == 9/c.total == 8/' "$dir/own.cc"
${CXX:-g++} -g -O0 -w -o "$dir/own" "$dir/own.cc" || complain "own.cc does not compile again"
says "$(grep -n 'first(a)' "$dir/own.cc" | cut -d: -f1)" second 7

# and what member functions returned in the line that failed is told
gdb=$(gdb -nx -batch -ex run -ex 'frame function main' -ex 'printf "@@"' -ex 'output p.first + p.second' "$dir/own" \
	2>/dev/null | sed -n 's/.*@@\([0-9]* \)\{0,1\}//p')
shown=$(jq -r '.failure.values[] | select(.name == "p.sum()") | .value' "$dir/answer")
[ -n "$gdb" ] && [ "$shown" = "$gdb" ] || complain "p.sum(): \`$shown', but by GDB it returned \`$gdb'"

finish
