#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Elements of C++'s containers, and what its pointers point to, are asked about as in the source, and
# have the values that GDB prints; what is in a container stays known when its library changes
# strings, trees and lists beside it.  An object in braces is made in the line that has it.
. tests/support/samples-lib.sh
need_tool
command -v gdb >/dev/null || { echo "gdb is not installed"; exit 77; }
command -v "${CXX:-g++}" >/dev/null || { echo "no C++ compiler"; exit 77; }

cat >"$dir/lots.cc" <<'C'
#include <array>
#include <cassert>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>
struct lot {
	std::string name;
	int pieces;
	double cost;
};
struct shelf {
	void put(const std::string &name, int pieces, double cost)
	{
		lots.push_back({ name, pieces + 1, cost }); /* made */
		level[name] += pieces;
		order.push_back(pieces);
	}
	std::vector<lot> lots;
	std::map<std::string, int> level;
	std::list<int> order;
};
int main()
{
	shelf s;
	std::unique_ptr<lot> one(new lot{ "single", 3, 1.5 });
	std::shared_ptr<lot> shared = std::make_shared<lot>(lot{ "both", 4, 2.5 });
	std::array<int, 4> sizes = { 5, 6, 7, 8 };
	std::vector<int> numbers = { 10, 20, 30 };
	std::string word = "abc";

	s.put("nut", 10, 0.5);
	s.put("a name that is longer than sixteen letters", 5, 2);
	s.put("nut", 4, 0.75);
	word += "d";
	one->pieces++;
	shared->cost = 4;
	auto it = s.lots.begin() + 1;
	numbers[1] = sizes[2];
	it->pieces *= 2; /* stop */
	assert(s.level["nut"] == 15);
	return 0;
}
C
"${CXX:-g++}" -g -O0 -w -o "$dir/lots" "$dir/lots.cc" || complain "lots.cc does not compile"
stop=$(awk '/stop/ { print NR }' "$dir/lots.cc")
made=$(awk '/made/ { print NR }' "$dir/lots.cc")

# value EXPRESSION [in GDB]: what it shows is what GDB prints
value() {
	gdb=$(gdb -nx -batch -ex "break lots.cc:$stop" -ex run -ex 'printf "@@"' -ex "output ${2:-$1}" "$dir/lots" \
		2>/dev/null </dev/null | sed -n 's/.*@@//p')
	[ -n "$gdb" ] || complain "GDB does not print $1"
	asks 0 "$1 = $gdb at $dir/lots.cc:$stop in main" --at "$dir/lots.cc:$stop" "why $1" -- "$dir/lots"
}
value 's.lots[0].pieces' 's.lots._M_impl._M_start[0].pieces'
value 's.lots[1].pieces' 's.lots._M_impl._M_start[1].pieces'
case $out in
*"lots.cc:$made"*"an intermediate"*) ;;
*) ! default_limits || complain "the object in braces is not told of in line $made: $out" ;;
esac
value 's.lots[2].cost' 's.lots._M_impl._M_start[2].cost'
value 'one->pieces' '((std::_Head_base<0, lot *, false> *)&one)->_M_head_impl->pieces'
value '(*shared).cost' 'shared._M_ptr->cost'
value 'sizes[3]' 'sizes._M_elems[3]'
value 'numbers[1]' 'numbers._M_impl._M_start[1]'
value 'it->pieces' 'it._M_current->pieces'

asks 2 'cannot be asked about' --at "$dir/lots.cc:$stop" 'why s.level[0]' -- "$dir/lots"
finish
