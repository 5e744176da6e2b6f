#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# limits: any
# timeout: 300
#
# A C++ program that counts in a map and sorts a vector: causes are lines of the user's, no line of
# a header of the library's is a suspect, nor is what the compiler adds; and what the record does not
# tell, the debugger of the session does.
. tests/support/samples-lib.sh
need_tool
command -v g++ >/dev/null || { echo "g++ is not installed"; exit 77; }

cat >"$dir/count.cc" <<'C'
#include <algorithm>
#include <cassert>
#include <map>
#include <string>
#include <vector>
struct Word { long text; int count; };
int main(int argc, char **argv)
{
	std::map<int, int> counts;
	std::vector<Word> sorted;
	std::string name(argv[0]);
	for (int i = 0; i < 6; i++)
		counts[i % 3]++;
	for (auto &p : counts)
		sorted.push_back(Word{p.first, p.second});
	std::sort(sorted.begin(), sorted.end(), [](const Word &a, const Word &b) {
		return a.count < b.count;
	});
	name = "best";
	int k = sorted.front().count;
	assert(k == 3);
	return argc > 1;
}
C
squeezed=" \n"
g++ -g -O0 -o "$dir/count" "$dir/count.cc" || complain "count.cc does not compile"
"$WHY_BIN" record -o "$dir/record" -- "$dir/count" >"$dir/said" 2>&1
asks 0 'counts[i % 3]++; counts[i % 3] = 2' --record "$dir/record" --at count.cc:21:1 --depth 6 why k -- "$dir/count"
case $out in
*'c++'* | *_Z*) complain "plumbing is shown: $out" ;;
esac
"$WHY_BIN" explain --record "$dir/record" --timeout 30 --format json -- "$dir/count" >"$dir/answer" 2>"$dir/said"
python3 - "$dir/answer" $(! default_limits || echo suspected) <<'P' || complain "explain: $(cat "$dir/said")"
import json, sys
answer = json.load(open(sys.argv[1]))
rows = [(s["file"], s["line"]) for a in answer["suspects"] for s in a["statements"]]
assert rows or not sys.argv[2:], "nothing is suspected"
for file, line in rows:
    assert file.endswith("count.cc"), "suspected: %s:%d" % (file, line)
    assert line not in (6, 18, 23), "suspected is what the compiler adds to line %d" % line
P

# the way from a suspect goes through what the vector does
sed 's/i < 6/i < 7/; s/sorted\.push_back/if (p.second > 2) &/; s/int k = .*/int k = sorted.size();/' "$dir/count.cc" >"$dir/kept.cc"
g++ -g -O0 -o "$dir/kept" "$dir/kept.cc" || complain "kept.cc does not compile"
"$WHY_BIN" explain --timeout 60 --format json -- "$dir/kept" >"$dir/answer" 2>"$dir/said"
jq -r '.chain as $all | .suspects[].chain[1:][] | $all[.].file' "$dir/answer" >"$dir/files"
[ -s "$dir/files" ] || ! default_limits || complain "kept: no way: $(cat "$dir/said")"
! grep -v 'kept\.cc$' "$dir/files" || complain "kept: a way goes through the library's headers"

printf 'break 21\nrun\nwhy name\nquit\n' >"$dir/typed"
said=$("$WHY_BIN" -nx -q "$dir/count" <"$dir/typed" 2>&1)
case $said in
*'name = "best" at '*) ;;
*) complain "the session does not say what GDB knows: $said" ;;
esac

# A function of a header that was put into the user's line is told by that line, in a program with
# constructors of global objects, too, which have the last line of the file.
cat >"$dir/inlined.cc" <<'C'
#include <cstdlib>
#include <iostream>
#include <string>
static std::string what = "got";
int main(int, char **argv)
{
	long got = argv[1][0] - '0';
	if (got != std::atol(argv[2])) {
		std::cerr << what << " " << got << "\n";
		return 1;
	}
	return 0;
}
C
g++ -g -Og -o "$dir/inlined" "$dir/inlined.cc" || complain "inlined.cc does not compile"
"$WHY_BIN" ask --format=json 'why line 9' -- "$dir/inlined" 3 5 >"$dir/answer" 2>"$dir/said"
# the line in GDB's backtrace of the call
line=$(gdb -nx -batch -ex 'break main' -ex 'run 3 5' -ex 'break strtol' -ex continue -ex backtrace "$dir/inlined" 2>"$dir/said" |
	sed -n 's/^#[0-9]* .* in \?main .*inlined.cc:\([0-9]*\)$/\1/p; s/^#[0-9]* *main .*inlined.cc:\([0-9]*\)$/\1/p' | tail -n 1)
jq -e --argjson line "${line:-0}" '[.. | objects | select((.clause? // "") | tostring | startswith("strtol returned")) | .line] | unique == [$line]' \
	"$dir/answer" >"$dir/index" || complain "inlined: strtol was called in line $line: $(cat "$dir/answer" "$dir/said")"
finish
