#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# limits: any
#
# Objects of C++'s library are shown as GDB's printers show them, objects that refer to themselves
# are shown at all, and of what has holes the members are shown.
. tests/support/samples-lib.sh
need_tool
command -v gdb >/dev/null || { echo "gdb is not installed"; exit 77; }
command -v g++ >/dev/null || { echo "g++ is not installed"; exit 77; }

cat >"$dir/library.cc" <<'C'
#include <array>
#include <cassert>
#include <cstdlib>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>
struct Point { int x, y; };
struct Word { std::string text; int count; };
struct Itself { Itself &self; long key; Itself(long k) : self(*this), key(k) {} };
struct Other;
struct One { int a; Other *pointer; Other &other; explicit One(Other &o); };
struct Other { One &one; char tag; long v; explicit Other(One &o) : one(o), tag('t'), v(2) {} };
One::One(Other &o) : a(1), pointer(&o), other(o) {}
static long around(int n)
{
	Itself itself(n), &ref = itself;
	alignas(One) char space[sizeof(One)];
	One *one = (One *)space;
	Other other(*one);
	new (one) One(other);
	return ref.self.self.key + one->other.v;
}
int main(int argc, char **argv)
{
	int n = atoi(argv[argc - 1]);
	std::map<int, Point> no_map;
	std::unordered_map<int, int> hashed{{7, n}};
	std::shared_ptr<Point> none;
	std::optional<int> maybe(n), empty;
	std::optional<Point> point(Point{7, n});
	std::array<int, 3> three{1, 2, n};
	std::pair<int, double> two{n, 2.5};
	std::vector<int> many(10, n), no_vector;
	std::vector<std::pair<int, int>> pairs(2, std::make_pair(n, 3));
	std::vector<Word> words;
	std::set<int> one{n};
	std::list<int> no_list;
	std::deque<int> deque(4, n), no_deque;
	deque.push_front(8);
	words.push_back(Word{"cat", n});
	long k = around(n) + no_map.size();
	for (int x : deque) k += x - x;
	assert(k == 4);
}
C
squeezed=" \n"
g++ -std=c++17 -g -O0 -o "$dir/library" "$dir/library.cc" || complain "library.cc does not compile"
"$WHY_BIN" record -o "$dir/record" -- "$dir/library" 1 >"$dir/said" 2>&1

# shown AT EXPRESSION
shown() {
	"$WHY_BIN" ask --record "$dir/record" --at "library.cc:$1:1" --color never why "$2" -- \
		"$dir/library" 2>&1 | sed -n '1s/^[^=]* = \(.*\) at .*library\.cc.*/\1/p'
}

# same AT EXPRESSION...: GDB prints what the answer begins with.
same() {
	at=$1
	shift
	for expression; do
		shown=$(shown "$at" "$expression")
		gdb=$(gdb -nx -batch -ex "break library.cc:$at" -ex run -ex 'set print repeats unlimited' \
			-ex 'set print elements 6' -ex 'printf "@@"' -ex "output $expression" --args \
			"$dir/library" 1 2>/dev/null | sed -n 's/.*@@//p' |
			sed 's/^(.* &) //; s/@0x[0-9a-f]*: //; s/0x0/NULL/; s/\([0-9]\)\.\.\./\1, .../')
		[ -n "$shown" ] && [ "$shown" = "$gdb" ] ||
			complain "$at: $expression: \`$shown', but GDB says \`$gdb'"
		compared=$((compared + 1))
	done
}

# is AT EXPRESSION TEXT: what GDB writes, without addresses, and with ? for what is not known
is() {
	shown=$(shown "$1" "$2")
	[ "$shown" = "$3" ] || complain "$1: $2: \`$shown', not \`$3'"
}

compared=0
same 51 no_map hashed none maybe empty point three two many pairs no_list deque no_deque
is 51 words 'std::vector of length 1, capacity 1 = {{text = ?, count = 1}}'
is 30 itself '{self = {...}, key = 1}'
is 30 ref '{self = {...}, key = 1}'
is 30 ref.self.self.key 1
is 30 other "{one = {...}, tag = 't', v = 2}"
is 30 '*one' '{a = 1, pointer = &other, other = {...}}'
[ "$compared" -eq 13 ] || complain "only $compared values compared"
finish
