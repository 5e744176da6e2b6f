#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Versions of the advisory with a known faulty line: verdicts are those of the
# version's batch program, every failing test executed the faulty line, scores are
# Ochiai's of the counts beside them, and ranks those of the scores.
set -u
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
export XDG_CACHE_HOME=$tmp/cache
from=$BUILD/samples/advisory
failed=0

# rank_version VERSION WORST: WORST is the last rank that its faulty line may have
rank_version() {
	local line fail all
	line=$(awk -F '\t' -v v="$1" '$1 == v { print $2 }' samples/advisory/versions.tsv)
	"$from/$1-batch" <"$from/inputs.txt" | head -n 30 >"$tmp/wrong"
	awk 'NR % 8 == 0' "$from/inputs.txt" | sort -u - "$tmp/wrong" >"$tmp/suite"
	fail=$("$from/$1-batch" <"$tmp/suite" | wc -l)
	all=$(wc -l <"$tmp/suite")
	"$WHY_BIN" rank --tests "$tmp/suite" --scheme worst --format=json -- "$from/$1" >"$tmp/answer" || failed=1
	jq -e --argjson line "$line" --argjson fail "$fail" --argjson all "$all" --argjson worst "$2" '
		[.lines[].scores[0].score] as $scores
		| .counts.failed == $fail and .counts.passed == $all - $fail
		and all(.lines[];
			.scores[0].score as $s
			| (if .failed == 0 then 0 else .failed / ($fail * (.failed + .passed) | sqrt) end) as $ochiai
			| ($s - $ochiai | fabs) < 1e-12
			and .scores[0].rank == ([$scores[] | select(. >= $s)] | length)
			and .scores[0].first == ([$scores[] | select(. > $s)] | length) + 1)
		and any(.lines[];
			.line == $line and (.file | endswith("/'"$1"'.c"))
			and .failed == $fail and .scores[0].rank <= $worst)' "$tmp/answer" >/dev/null || {
		echo "$1: $fail of $all tests fail; line $line:"
		jq -c --argjson line "$line" '.counts, (.lines[] | select(.line == $line))' "$tmp/answer"
		failed=1
	}
}
rank_version v01 60
rank_version v02 1
rank_version v10 60
exit $failed
