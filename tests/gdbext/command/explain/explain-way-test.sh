#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The way from a suspect to the failure tells of each statement on it what it would have given: what
# GDB shows in a program that has the change, or in which a user sets the value.
set -u
. tests/support/samples-lib.sh
need_tool

# way NUMBER: the rows of that suspect's way, "LINE NAME = VALUE"
way() {
	jq -r --argjson n "$1" '.chain as $all | .suspects[$n - 1].chain[] | $all[.] |
		"\(.line) " + ([.values[] | "\(.name) = \(.value)"] | join(", "))' "$dir/all"
}

# has TEXT: a row of the way at hand has it
has() {
	grep -qF -- "$1" "$dir/way" || complain "no \"$1\" in: $(cat "$dir/way")"
}

# in_gdb PROGRAM COMMAND...: GDB's answers, a line each
in_gdb() {
	local program=$1
	shift
	set -- "${@/#/-ex=}"
	gdb -q -batch "$@" "$program" 2>/dev/null | sed -nE 's/^\$[0-9]+ = //p'
}

# ---- a round more: the line's last value is another execution's ----

cat >"$dir/rounds.c" <<'END'
#include <assert.h>
static int table[3] = { 4, 10, 18 };
static int all[2];
static void set(int i, int v)
{
	all[i] = v;
}
static int get(int i)
{
	return all[i];
}
int main(int argc, char **argv)
{
	(void)argv;
	int last = argc + 1;
	for (int i = 0; i < 2; i++) {
		int sum = i;
		for (int k = 0; k < last; k++)
			sum += table[k];
		set(i, sum);
	}
	assert(get(1) == 33);
	return 0;
}
END
sed 's/k < last/k <= last/' "$dir/rounds.c" >"$dir/right.c"
build "$dir/rounds.c" "$dir/rounds"
build "$dir/right.c" "$dir/right"
read -r was will <<<"$(in_gdb "$dir/rounds" 'break 20 if i == 1' run 'print sum') $(in_gdb "$dir/right" 'break 20 if i == 1' run 'print sum')"
[ "$was $will" = "15 33" ] || complain "GDB: $was $will"
# by a formula, and by runs alone
for from in 1000000 0; do
	"$WHY_BIN" explain --format json --limit way_changed_ms=1000000 --limit nearby_from=$from --limit nearby_alone_from=$from -- "$dir/rounds" \
		>"$dir/all" 2>"$dir/err" || complain "$(cat "$dir/err")"
	way 1 >"$dir/way"
	has "18 k < last = false -> true"
	has "argument 2 of set = $was -> $will"
	has "all[1] = $was -> $will"
	has "result = $was -> $will"
done
for number in $(seq "$(jq '.suspects | length' "$dir/all")"); do
	way "$number"
done >"$dir/way"
has "19 sum = $was -> $will"

# ---- a value: its own argument at the head, what follows from it behind ----

cat >"$dir/spent.c" <<'END'
#include <assert.h>
struct account {
	int balance, limit;
};
static int tax(int n)
{
	return n > 100 ? n / 10 : 0;
}
static void put(struct account *a, int amount, int times)
{
	a->balance += amount * times;
}
static void take(struct account *a, int amount)
{
	int fee = tax(amount);

	if (a->balance - amount - fee >= a->limit)
		a->balance -= amount;
}
int main(void)
{
	struct account one = { 20, -50 };

	put(&one, 100, 2);
	take(&one, 150);
	put(&one, 7, 1);
	assert(one.balance == 62);
	return 0;
}
END
build "$dir/spent.c" "$dir/spent"
"$WHY_BIN" explain --format json --limit way_changed_ms=1000000 --limit nearby_from=0 --limit nearby_alone_from=0 --max-suspects 0 -- "$dir/spent" >"$dir/all" 2>"$dir/err" || complain "$(cat "$dir/err")"
ways=0
for number in $(seq "$(jq '.suspects | length' "$dir/all")"); do
	way "$number" >"$dir/way"
	head=$(sed -n '1s/^\([0-9]*\) argument \([0-9]\) of \([a-z]*\) = -*[0-9]* -> \(-*[0-9]*\)$/\1 \2 \3 \4/p' "$dir/way")
	read -r line argument function witness <<<"$head"
	case "$argument $function" in
	'2 put' | '2 take') variable=amount ;;
	'3 put') variable=times ;;
	*) continue ;;
	esac
	[ "$(jq --argjson n "$number" '.suspects[$n - 1].statements | length' "$dir/all")" -eq 1 ] || continue
	ways=$((ways + 1))
	# a user sets the argument in the call of that line, and looks at each later balance
	in_gdb "$dir/spent" "break $line" run "tbreak $function" continue "set var $variable = $witness" \
		finish 'print one.balance' 'tbreak put' continue 'print a->balance' \
		'tbreak 27' continue 'print one.balance' >"$dir/gdb"
	sed -n 's/.*a->balance = .* -> //p' "$dir/way" >"$dir/told"
	[ -s "$dir/told" ] || complain "suspect $number: $(cat "$dir/way")"
	grep -vxFf "$dir/gdb" "$dir/told" && complain "suspect $number, GDB: $(cat "$dir/gdb" "$dir/way")"
done
[ "$ways" -gt 1 ] || complain "$ways suspects are arguments: $(cat "$dir/all")"
[ $failures -eq 0 ]
