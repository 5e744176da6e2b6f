#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A condition of C++ whose operands call functions is put together before it is tested.  Its operands are
# told apart all the same: which one goes the other way, what it was, and in which execution, as GDB has
# it; and goto stops there, in a function with a tag ([abi:cxx11]).  timeout: 120
set -u
. tests/support/samples-lib.sh
need_tool

cat >"$dir/common.cc" <<'C'
#include <cassert>
#include <map>
#include <string>
struct Counts {
	std::map<std::string, int> all;
	std::string commonest() const
	{
		std::string best;
		int most = 0;
		for (const auto &p : all)
			if (p.second > most || p.first.size() > 2) {
				most = p.second;
				best = p.first;
			}
		return best;
	}
};
int main()
{
	Counts c;
	c.all = { { "a", 1 }, { "cat", 2 }, { "it", 1 }, { "the", 5 }, { "was", 3 }, { "we", 2 } };
	assert(c.commonest() == "the");
	return 0;
}
C
g++ -g -O0 -w -o "$dir/common" "$dir/common.cc" || complain "it does not compile"
"$WHY_BIN" explain --format json -- "$dir/common" >"$dir/answer" 2>"$dir/err" || complain "$(cat "$dir/err")"
jq -r '[.suspects[] | select(.statements[0].kind == "condition" and .size == 1 and (.instances | length) == 1)][0] |
	"\(.rank) \(.statements[0].actual) \(.instances[0].stop) \(.statements[0].clause)"' "$dir/answer" >"$dir/first"
read -r rank actual stop clause <"$dir/first"
[ "$clause" = "p.first.size() > 2" ] && [ "$actual" = true ] || complain "$(cat "$dir/first" "$dir/answer")"
offset=${stop#*+}
in_gdb() {
	gdb -q -batch "$@" "$dir/common" 2>/dev/null | sed -nE 's/^\$[0-9]+ = //p'
}
in_gdb -ex "break *('Counts::commonest() const'+${offset%:*})" -ex "ignore 1 $((${offset#*:} - 1))" -ex run \
	-ex 'print p.first._M_string_length > 2' -ex 'output p.first._M_dataplus._M_p' -ex 'echo \n' \
	-ex 'print p.second > most' >"$dir/gdb"
[ "$(cat "$dir/gdb")" = "true
false" ] || complain "GDB at $stop: $(cat "$dir/gdb")"
word=$(gdb -q -batch -ex "break *('Counts::commonest() const'+${offset%:*})" -ex "ignore 1 $((${offset#*:} - 1))" -ex run \
	-ex 'output p.first._M_dataplus._M_p' "$dir/common" 2>/dev/null | sed -nE 's/.*0x[0-9a-f]+ ("[a-z]*")$/\1/p')
"$WHY_BIN" -q -batch -ex run -ex why -ex "goto $rank" -ex 'output p.first._M_dataplus._M_p' --args "$dir/common" >"$dir/said" 2>&1
[ -n "$word" ] && grep -qF "$word" <(tail -n 1 "$dir/said") || complain "goto: $word, $(tail -n 3 "$dir/said")"
# An operator of C++ is a function: what it returned is tested, not what its text compares.
cat >"$dir/find.cc" <<'C'
#include <cstdio>
#include <map>
#include <string>
static std::map<std::string, int> counts = { { "cat", 2 }, { "dog", 5 } };
static int count(const std::string &w)
{
	auto it = counts.find(w);
	return it == counts.end() ? -1 : it->second;
}
static int other(const std::string &w)
{
	auto it = counts.find(w);
	return it != counts.end() ? it->second : -1;
}
int main()
{
	int there = count("dog"), none = count("cow"), same = other("dog"), no = other("cow");
	std::printf("%d %d %d %d\n", there, none, same, no);
	return 0; // asked
}
C
line=$(grep -n '// asked' "$dir/find.cc" | cut -d: -f1)
for flags in '-O0 -std=c++17' '-O0 -std=c++20' '-Og -std=c++17' '-Og -std=c++20'; do
	# shellcheck disable=SC2086
	g++ -g $flags -w -o "$dir/find" "$dir/find.cc" || complain "find.cc does not compile with $flags"
	for asked in 'there 8 false' 'none 8 true' 'same 13 true' 'no 13 false'; do
		set -- $asked
		"$WHY_BIN" ask --format json --at "find.cc:$line" "why $1" -- "$dir/find" >"$dir/answer" 2>"$dir/err" || continue
		jq -r --argjson line "$2" '.causes[] | select(.line == $line and .kind == "condition") |
			"\(.clause) \(.value)"' "$dir/answer" | grep 'counts.end()' >"$dir/decided"
		! grep -qvE " ($3|one way|the other way)$" "$dir/decided" ||
			complain "$flags $1: $(cat "$dir/decided")"
		case $flags in -O0*) grep -q " $3$" "$dir/decided" ||
			complain "$flags $1: it is not said that it went $3: $(jq -c . "$dir/answer")" ;; esac
	done
done
[ $failures -eq 0 ]
