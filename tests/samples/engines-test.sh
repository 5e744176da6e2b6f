#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The answer does not depend on the engine that recorded the runs: for
# some of our samples and those of others (THOROUGH=1: all) both give the same JSON, but for times.
# timeout: 300
. tests/support/samples-lib.sh
need_tool
explain_always="--limit mutant_runs=0"
compared=0

# What an answer says; a search that its time ended may have found more or less.
essence() {
	jq -S 'if .complete then del(.stats) else { failure } end' "$1"
}

for file in $(some samples/*.c tests/foreign/*.c); do
	name=$(basename "$file" .c)
	build "$file" "$dir/$name" 2>/dev/null || { complain "$name: does not compile"; continue; }
	for engine in step jit; do
		# shellcheck disable=SC2046
		explain "$file" "$dir/$name" "$dir/$engine.json" $(field "$file" options) --max-size=1 --engine=$engine
		echo $? >"$dir/$engine.status"
	done
	cmp -s "$dir/step.status" "$dir/jit.status" ||
		complain "$name: ends with $(cat "$dir/jit.status"), by step with $(cat "$dir/step.status")"
	essence "$dir/step.json" >"$dir/step.text"
	essence "$dir/jit.json" >"$dir/jit.text"
	cmp -s "$dir/step.text" "$dir/jit.text" || {
		complain "$name: another answer"
		diff "$dir/step.text" "$dir/jit.text" | head -5
	}
	compared=$((compared + 1))
done
echo "$compared compared"
finish
