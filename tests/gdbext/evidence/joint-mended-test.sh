#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# timeout: 300
# A change that mends all failing tests was found when the first of them was explained, so that the
# others were looked at for a short time, and what explains each of them does not name its line.
# The joint answer has the line all the same.
set -u
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
export XDG_CACHE_HOME=$tmp/cache
from=$BUILD/samples/advisory
line=$(awk -F '\t' '$1 == "v43" { print $2 }' samples/advisory/versions.tsv)
"$WHY_BIN" rank --format=json --technique joint --failing 3 --tests "$from/inputs.txt" -- "$from/v43" >"$tmp/answer" 2>"$tmp/said" &&
	jq -e --argjson line "$line" '[.lines[] | select(.line == $line and (.file | endswith("/v43.c")))][0].scores[0].rank == 1' \
		"$tmp/answer" >/dev/null || {
	echo "line $line of v43 does not rank first: $(jq -c '[.lines[:4][] | [.line, .scores[0].rank]]' "$tmp/answer") $(cat "$tmp/said")"
	exit 1
}
