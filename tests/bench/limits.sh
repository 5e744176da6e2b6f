#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What each limit of solver/limits/limits.def is worth: a set of failing programs is explained
# with the default, with half of it and with the double (`make bench-limits').
#
#   tests/bench/limits.sh DIR [LIMIT...]
#
# DIR is what samples/*/build.sh made.  Without LIMIT all limits are measured, which takes
# hours.  SAMPLES, ADVISORY_VERSIONS and TOTALS_VERSIONS choose other programs; none: SAMPLES=' '.
#
#   found   programs of which a proven suspect names the faulty line
#   first   ... the first proven suspect, three: one of the first three
#   proven  suspects that are proven, all programs together
#   runs    of the programs, all together
#   cpu     seconds of processor time (user and system), all together
#
# A row whose half and double differ in nothing but the time says that no program of the
# set comes near the limit.
. tests/support/samples-lib.sh
need_tool
from=${1:?usage: limits.sh DIR [LIMIT...]}
shift
samples=${SAMPLES:-bits bsearch bst bubble crashes expr gcd hash list-remove loops matrix mean octal \
	operations parity ring sortedlist swapsort words}
advisory=${ADVISORY_VERSIONS:-v05 v17 v26}
totals=${TOTALS_VERSIONS:-v03 v33}
TIMEFORMAT='%U %S'
ulimit -c 0

# add NAME FILE LINES STDIN PROGRAM ARGUMENT...: one subject more.
add() {
	printf '%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "$4" "${*:5}" >>"$dir/subjects"
}

line_of() { # FAMILY VERSION
	awk -F '\t' -v version="$2" '$1 == version { print $2 }' "samples/$1/versions.tsv"
}

# The programs of samples/ and tests/foreign say themselves where they are wrong.
add_samples() {
	for name in $samples; do
		file=samples/$name.c
		[ -e "$file" ] || file=tests/foreign/$name.c
		faulty=$(field "$file" faulty)
		build "$file" "$dir/$name" -w 2>/dev/null || continue
		arguments "$file"
		cp "$dir/stdin" "$dir/$name.stdin"
		# shellcheck disable=SC2086
		add "$name" "$name.c" "$faulty" "$dir/$name.stdin" "$dir/$name" $arguments
	done
}

add_advisory() {
	for v in $advisory; do
		# shellcheck disable=SC2046
		add "$v" "$v.c" "$(line_of advisory "$v")" /dev/null "$from/advisory/$v" \
			$("$from/advisory/$v-batch" <"$from/advisory/inputs.txt" | head -n 1)
	done
}

# Of the totals the failing input that is the smallest.
add_totals() {
	for v in $totals; do
		"$from/totals/$v-batch" "$from"/totals/inputs/* | sed 's|.*/||' >"$dir/failing"
		read -r _ input words < <(awk 'NR == FNR { failing[$1] = 1; next } $1 in failing' \
			"$dir/failing" "$from/totals/tests.txt" | while read -r input words; do
			echo "$(wc -c <"$from/totals/inputs/$input") $input $words"
		done | sort -n -s -k 1,1)
		# shellcheck disable=SC2086
		add "t$v" "$v.c" "$(line_of totals "$v")" "$from/totals/inputs/$input" \
			"$from/totals/$v" $words
	done
}

# explain_all OPTION...: found, first, three, proven, runs, cpu of all subjects.
explain_all() {
	while IFS=$'\t' read -r name file lines stdin words; do
		# shellcheck disable=SC2086
		{ time timeout -k 5 120 "$WHY_BIN" explain --format=json --max-suspects 0 "$@" \
			--stdin "$stdin" -- $words >"$dir/answer" 2>/dev/null </dev/null; } 2>"$dir/time"
		jq -r --arg faulty "$lines" --arg file "$file" --arg time "$(tail -n 1 "$dir/time")" '
			($faulty | split(" ") | map(tonumber)) as $lines
			| [.suspects[] | select(.replay == "passes")] as $proven
			| [$proven | to_entries[] | select([.value.statements[]
				| select(.file | endswith($file)) | .line] | any(. as $l | $lines | index($l)))
			   | .key + 1][0] as $rank
			| "\($rank // 0) \($proven | length) \(.stats.runs) \($time)"' "$dir/answer" 2>/dev/null ||
			echo "0 0 0 $(tail -n 1 "$dir/time")"
		[ -z "${V:-}" ] || echo "$name $* $(tail -n 1 "$dir/time")" >&2
	done <"$dir/subjects" | awk '
		{ found += $1 > 0; first += $1 == 1; three += $1 > 0 && $1 <= 3; proven += $2; runs += $3; cpu += $4 + $5 }
		END { printf "%5d %5d %5d %6d %5d %7.2f\n", found, first, three, proven, runs, cpu }'
}

# The limits with their defaults and ends: NAME DEFAULT LEAST MOST.
table() {
	"$WHY_BIN" help limits |
		sed -nE 's/^  ([a-z0-9_]+)=([0-9]+)  .*, ([0-9]+) to ([0-9]+)$/\1 \2 \3 \4/p'
}

: >"$dir/subjects"
add_samples
add_advisory
add_totals
echo "$(wc -l <"$dir/subjects") programs"
printf '%-36s %5s %5s %5s %6s %5s %7s\n' limit found first three proven runs cpu
printf '%-36s %s\n' defaults "$(explain_all)"
table | while read -r name standard least most; do
	case " $* " in "  " | *" $name "*) ;; *) continue ;; esac
	for value in $((standard / 2)) $((standard * 2)); do
		[ "$value" -ge "$least" ] || value=$least
		[ "$value" -le "$most" ] || value=$most
		printf '%-36s %s\n' "$name=$value" "$(explain_all --limit "$name=$value")"
	done
done
