#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# An exception that nobody caught is told with its type and its what(), as the program itself says
# them, and with the user's own line; abort without one, and after one that was caught, is not.
# timeout: 300
# limits: any
. tests/support/samples-lib.sh
CXX=${CXX:-g++}
need_tool

cat >"$dir/uncaught.cc" <<'END'
#include <algorithm>
#include <cstdlib>
#include <exception>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

struct mine {
	int code;
};
struct guard {
	int *n;
	~guard() { ++*n; }
};
static int count;
static int parse(const std::string &s)
{
	return std::stoi(s); // stoi
}
static void plain(int n)
{
	if (n > 0)
		throw mine{n}; // mine
}
static void number(int n)
{
	guard g{&count};
	if (n > 0)
		throw 3; // number fixed
}
static void fixed(int n) noexcept
{
	guard g{&count};
	number(n);
}
static void again(int n)
{
	try {
		plain(n);
	} catch (const mine &) {
		throw; // again
	}
}
static void caught(int n)
{
	try {
		plain(n);
	} catch (const mine &m) {
		if (m.code)
			std::abort(); // caught
	}
}
static void ended(int n)
{
	try {
		number(n);
	} catch (int) {
		std::terminate(); // ended
	}
}
static void sorted(int n)
{
	std::vector<int> v(5, n);
	v[2] = -1;
	std::sort(v.begin(), v.end(), [](int a, int b) {
		if (a < 0 || b < 0)
			throw std::logic_error("a negative number\nis there"); // sorted
		return a < b;
	});
}
int main(int argc, char **argv)
{
	const std::string how = argc > 1 ? argv[1] : "";
	std::map<std::string, int> m;
	if (how == "stoi")
		return parse("x");
	if (how == "mine")
		plain(argc);
	if (how == "number")
		number(argc);
	if (how == "fixed")
		fixed(argc);
	if (how == "again")
		again(argc);
	if (how == "caught")
		caught(argc);
	if (how == "ended")
		ended(argc);
	if (how == "sorted")
		sorted(argc);
	if (how == "abort")
		std::abort(); // abort
	if (how == "terminate")
		std::terminate(); // terminate
	return m.at(how); // at
}
END

# What the failure of the program is called, by what it says when it runs by itself.
real_cause() { # program, how
	"$1" "$2" 2>&1 >/dev/null | awk -v how="$2" '
	/^terminate called after throwing/ { split($0, part, "\047"); type = part[2] }
	/^  what\(\):  / { what = ": \"" substr($0, 12); more = 1; next }
	more && NF { what = what "..."; more = 0 }
	END {
		if (type == "")
			print "SIGABRT"
		else
			print (how == "ended" ? "std::terminate after" : "uncaught") " exception " type " (SIGABRT)" (what == "" ? "" : what "\",")
	}'
}

# How it failed is asked for, so that one run is enough.
explain() {
	"$WHY_BIN" explain --timeout 20 --max-runs 1 --max-suspects 1 --limit mutant_runs=0 "$@"
}

check() { # compiler, level
	program=$dir/uncaught-$1$2
	"$1" -g "$2" -w -o "$program" "$dir/uncaught.cc" || { complain "uncaught.cc does not compile with $1"; return; }
	for how in stoi mine number fixed again caught ended sorted abort terminate at; do
		explain --format=json -- "$program" $how >"$dir/answer" 2>"$dir/err"
		want="$(real_cause "$program" $how) $(grep -n "// .*\b$how\b" "$dir/uncaught.cc" | cut -d: -f1)"
		got=$(jq -r '.failure | "\(.cause) \(.line)"' "$dir/answer")
		[ "$got" = "$want" ] || complain "$1 $2 $how: $got, not $want"
	done
}

check "$CXX" -O0
check clang++ -O0

# The headline, also of a record.
"$WHY_BIN" record -o "$dir/stoi.why" -- "$dir/uncaught-$CXX-O0" stoi >"$dir/index"
for from in "--record $dir/stoi.why" "-- $dir/uncaught-$CXX-O0 stoi"; do
	explain $from >"$dir/text" 2>"$dir/err"
	head -n 2 "$dir/text" | tr -s ' \n' ' ' |
		grep -q '^uncaught exception std::invalid_argument (SIGABRT): "stoi", at [^ ]*uncaught.cc:19 in parse' ||
		complain "stoi $from: $(head -n 3 "$dir/text")"
done

finish
