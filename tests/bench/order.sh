#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Where the faulty line of each program stands among the proven suspects of an answer
# without a suite: `make bench-order'; SETS="development sealed" measures these only, V=1
# says each program's rank and time, OPTIONS="--limit order_line=0" goes to explain.
# The order was chosen with the programs of samples/ and tests/foreign (the tuning set)
# and of tests/bench/development; those of tests/bench/sealed, held-out and second
# are not to be looked at for that.
. tests/support/samples-lib.sh
need_tool

files_of() { # SET
	case $1 in
	tuning) echo samples/*.c tests/foreign/*.c ;;
	*) echo "tests/bench/$1"/*.c ;;
	esac
}

# The faulty line's rank and the number of proven suspects, "-" where the line is not among them.
judge() { # FAULTY
	jq -r --arg faulty "$1" '
		($faulty | split(" ") | map(tonumber)) as $lines
		| [.suspects[] | select(.replay == "passes")] as $proven
		| [$proven | to_entries[] | select([.value.statements[].line] | any(. as $l | $lines | index($l)))
		   | .key + 1][0] as $rank
		| "\($rank // "-") \($proven | length) \(.stats.total_ms | floor)"' "$dir/answer"
}

rank_of() { # FILE
	name=$(basename "$1" .c)
	faulty=$(field "$1" faulty)
	[ -n "$faulty" ] || return
	build "$1" "$dir/$name" -w 2>/dev/null || return
	arguments "$1"
	field "$1" prints >"$dir/expected"
	expect=
	[ ! -s "$dir/expected" ] || expect="--expect $dir/expected"
	# shellcheck disable=SC2086
	"$WHY_BIN" explain --format json ${OPTIONS:-} $expect --stdin "$dir/stdin" -- "$dir/$name" $arguments \
		>"$dir/answer" 2>/dev/null </dev/null
	words=$(judge "$faulty" 2>/dev/null)
	echo "$name ${words:-- 0 0}"
}

for which in ${SETS:-tuning development sealed held-out second}; do
	for file in $(files_of "$which"); do
		rank_of "$file"
	done >"$dir/ranks"
	[ -z "${V:-}" ] || cat "$dir/ranks"
	awk -v name="$which" '$2 == "-" { lost++; next } { n++; sum += $2; one += $2 == 1; three += $2 <= 3 }
		END { all = n + lost; printf "%s: %d programs, faulty line named in %d, mean rank %.2f, first in %d (%d %%), among the first three in %d (%d %%)\n",
			name, all, n, n ? sum / n : 0, one, 100 * one / all, three, 100 * three / all }' "$dir/ranks"
done
