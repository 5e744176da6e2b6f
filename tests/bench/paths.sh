#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The formula of all paths (BA, as BugAssist) beside the one that grows on demand (OFC): sets of
# lines, times, sizes, for the first failing input of versions of the advisory.
#
#   tests/bench/paths.sh DIR [VERSION...]
#
# DIR is what samples/advisory/build.sh made; sets are of at most PATHS_SIZE lines (1).  A row a
# version: proven sets of each; =, or how many
# only the one or the other has; * where the one or the other was cut off by a limit; seconds;
# runs; iterations of OFC.
set -u
from=${1:?usage: paths.sh DIR [VERSION...]}
shift
why=${WHY_BIN:-build/plain/gdb-why}
size=${PATHS_SIZE:-1}
timeout=${PATHS_TIMEOUT:-60}
work=$(mktemp -d "${TMPDIR:-/tmp}/gdb-why-bench.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
ulimit -c 0

# explained HOW INPUT...: the proven sets of lines, sorted
explained() {
	how=$1
	shift
	# shellcheck disable=SC2086
	"$why" explain --paths "$how" --thorough --max-suspects 0 --max-size "$size" --timeout "$timeout" --format json \
		-- "$from/$version" $1 >"$work/$how.json" 2>/dev/null || return 1
	jq -r '.suspects[] | select(.replay == "passes") | [.statements[].line] | unique | map(tostring) | join("+")' \
		"$work/$how.json" | sort -u >"$work/$how"
}
field() {
	jq -r "$2" "$work/$1.json"
}

printf '%-5s %5s %5s %7s %8s %8s %6s %6s %5s\n' '' OFC BA same 'OFC s' 'BA s' runs runs it.
tail -n +2 samples/advisory/versions.tsv | cut -f 1 | while read -r version; do
	case " $* " in "  " | *" $version "*) ;; *) continue ;; esac
	input=$("$from/$version-batch" <"$from/inputs.txt" | head -n 1)
	explained on-demand "$input" && explained all "$input" || { echo "$version: not explained" >&2; continue; }
	more=$(comm -23 "$work/on-demand" "$work/all" | wc -l) less=$(comm -13 "$work/on-demand" "$work/all" | wc -l)
	same="+$more-$less"
	[ "$same" != +0-0 ] || same==
	[ "$(field on-demand .complete)" = true ] || same="$same*"
	[ "$(field all .complete)" = true ] || same="$same*"
	printf '%-5s %5d %5d %7s %8.2f %8.2f %6d %6d %5d\n' "$version" "$(wc -l <"$work/on-demand")" "$(wc -l <"$work/all")" \
		"$same" "$(field on-demand '.stats.total_ms / 1000')" "$(field all '.stats.total_ms / 1000')" \
		"$(field on-demand .stats.runs)" "$(field all .stats.runs)" "$(field on-demand .stats.iterations)"
done
