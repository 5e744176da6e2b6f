#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# timeout: 180
# limits: any
# What throws has to be done first: lines are exchanged where they stand, so that the exception finds its way through
# them.
set -u
. tests/support/samples-lib.sh
need_tool

cat >"$dir/bank.cc" <<'C'
#include <cassert>
#include <stdexcept>
struct account {
	long cents;
	void deposit(long c) { cents += c; }
	void withdraw(long c)
	{
		if (c > cents)
			throw std::runtime_error("funds");
		cents -= c;
	}
};
static void transfer(account &from, account &to, long c)
{
	to.deposit(c); /* fault */
	from.withdraw(c);
}
int main()
{
	account ann = { 1000 }, bob = { 50 };
	transfer(ann, bob, 300);
	assert(ann.cents == 700 && bob.cents == 350);
	bool thrown = false;
	try {
		transfer(bob, ann, 9999);
	} catch (const std::runtime_error &) {
		thrown = true;
	}
	assert(thrown);
	assert(ann.cents == 700);
	return 0;
}
C
fault=$(grep -n '/\* fault \*/' "$dir/bank.cc" | cut -d: -f1)
"${CXX:-g++}" -g -w -O0 -o "$dir/bank" "$dir/bank.cc" || complain "bank.cc does not compile"
"$WHY_BIN" explain --format=json -- "$dir/bank" >"$dir/answer" 2>"$dir/err"
explained_or_cut $? || complain "$(cat "$dir/err")"
if default_limits; then
	jq -e --argjson fault "$fault" 'any(.suspects[]; .statements[0].line == $fault and .replay == "passes" and
		.evidence.change == "this line and the next one exchanged")' "$dir/answer" >/dev/null ||
		complain "$(jq -c '.suspects[] | [.statements[0].line, .evidence.change]' "$dir/answer")"
	n=$(jq -r '[.suspects[].evidence.change == "this line and the next one exchanged"] | index(true) + 1' "$dir/answer")
	"$WHY_BIN" try --suspect "$dir/answer:$n" -- "$dir/bank" >"$dir/said" 2>&1
	grep -q '^it passes' "$dir/said" || complain "try: $(cat "$dir/said")"
fi
awk -v n="$fault" 'NR == n { kept = $0; next } { print } NR == n + 1 { print kept }' "$dir/bank.cc" >"$dir/typed.cc"
"${CXX:-g++}" -g -w -O0 -o "$dir/typed" "$dir/typed.cc" && "$dir/typed" || complain "typed, it does not mend the test"
[ $failures -eq 0 ]
