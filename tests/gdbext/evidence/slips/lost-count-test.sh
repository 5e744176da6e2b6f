#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A count that is lost: nobody keeps it, or one member function of several does not.  timeout: 120
set -u
. tests/support/samples-lib.sh
need_tool

cat >"$dir/bank.cc" <<'END'
#include <cassert>
class Account {
public:
	explicit Account(int balance) : balance_(balance) {}
	void deposit(int amount)
	{
		balance_ += amount;
#ifndef LOST
		moves_++;
#endif
	}
	bool withdraw(int amount)
	{
		if (amount > balance_)
			return false;
		balance_ -= amount; /* fault */
		return true;
	}
	int balance() const { return balance_; }
	int moves() const { return moves_; }
private:
	int balance_, moves_ = 0;
};
int main()
{
	Account a(100);
	a.deposit(50);
	a.withdraw(30);
	a.withdraw(200);
	assert(a.balance() == 120);
#ifdef LOST
	assert(a.moves() == 1);
#else
	assert(a.moves() == 2);
#endif
	return 0;
}
END
line=$(grep -n '/\* fault \*/' "$dir/bank.cc" | cut -d: -f1)
changes() { # LINE: what mends it there
	jq -r --argjson line "$1" '.suspects[] | select(.statements[0].line == $line and .replay == "passes") |
		.evidence.change // empty' "$dir/answer"
}
g++ -g -O0 -w -o "$dir/bank" "$dir/bank.cc" && g++ -g -O0 -w -DLOST -o "$dir/lost" "$dir/bank.cc" || complain "it does not compile"
"$WHY_BIN" explain --format json --max-suspects 0 -- "$dir/bank" >"$dir/answer" 2>"$dir/err" || complain "$(cat "$dir/err")"
changes "$line" | grep -qF "\`moves_++' put behind it" || complain "one that does not count: $(jq -c '.suspects[] |
	[.statements[0].line, .evidence.change]' "$dir/answer")"
# the program with that statement passes
sed "${line}s/;/; moves_++;/" "$dir/bank.cc" >"$dir/mended.cc" && g++ -g -O0 -w -o "$dir/mended" "$dir/mended.cc" &&
	"$dir/mended" || complain "that does not mend it"
"$WHY_BIN" explain --format json --max-suspects 0 -- "$dir/lost" >"$dir/answer" 2>"$dir/err" || complain "$(cat "$dir/err")"
jq -r '.suspects[] | .evidence.change // empty' "$dir/answer" | grep -qF "\`moves_++' put" ||
	complain "nobody counts: $(jq -c '.suspects[] | [.statements[0].line, .evidence.change]' "$dir/answer")"
# nobody calls another function where an object is made
jq -e '[.suspects[] | .evidence.change // empty | select(test("for .Account.$"))] == []' "$dir/answer" >/dev/null ||
	complain "a constructor: $(jq -c '.suspects[] | .evidence.change' "$dir/answer")"
[ $failures -eq 0 ]
