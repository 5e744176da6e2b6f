#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Where the faulty line of each program stands among the proven suspects of an answer
# without a suite: `make bench-order'.  The order was chosen with the programs of samples/
# and tests/foreign; those of tests/bench/sealed are not to be looked at for that.
. tests/support/samples-lib.sh
need_tool

rank_of() { # FILE
	name=$(basename "$1" .c)
	words=$(field "$1" test)
	faulty=$(field "$1" faulty)
	[ -n "$faulty" ] || return
	build "$1" "$dir/$name" -w 2>/dev/null || return
	arguments "$1"
	# shellcheck disable=SC2086
	"$WHY_BIN" explain --format json --stdin "$dir/stdin" -- "$dir/$name" $arguments \
		>"$dir/answer" 2>/dev/null </dev/null
	jq -r --arg faulty "$faulty" --arg name "$name" '
		($faulty | split(" ") | map(tonumber)) as $lines
		| [.suspects[] | select(.replay == "passes")] as $proven
		| [$proven | to_entries[] | select([.value.statements[].line] | any(. as $l | $lines | index($l)))
		   | .key + 1][0] as $rank
		| "\($name) \($rank // "-") \($proven | length)"' "$dir/answer"
}

for set in "tuning samples/*.c tests/foreign/*.c" "sealed tests/bench/sealed/*.c"; do
	which=${set%% *}
	for file in ${set#* }; do
		rank_of "$file"
	done >"$dir/ranks"
	[ -z "${V:-}" ] || cat "$dir/ranks"
	awk -v name="$which" '$2 == "-" { lost++; next } { n++; sum += $2; one += $2 == 1; three += $2 <= 3 }
		END { all = n + lost; printf "%s: %d programs, faulty line named in %d, mean rank %.2f, first in %d (%d %%), among the first three in %d (%d %%)\n",
			name, all, n, n ? sum / n : 0, one, 100 * one / all, three, 100 * three / all }' "$dir/ranks"
done
