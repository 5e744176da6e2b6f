#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What the search says of its techniques: --stats counts what --trace-search tells one by one,
# and both agree with the answer.
set -u
. tests/support/samples-lib.sh
need_tool

explain_traced() { # program, arguments...
	rm -f "$dir/trace"
	"$WHY_BIN" explain --format=json --max-suspects 0 --trace-search "$dir/trace" -- "$@" >"$dir/answer" ||
		complain "$1: status $?"
}

check_trace() { # name
	jq -se 'length > 0 and all(.[]; (keys == ["candidate", "ms", "runs", "technique", "verdict"])
		and (.candidate | all(.[]; .line > 0 and (.file | length > 0)))
		and .ms >= 0 and .runs >= 0
		and (.verdict | IN("proven", "fails", "not run", "none", "refuted", "learned", "deferred", "undecided")))' \
		"$dir/trace" >"$dir/out" || complain "$1: the trace has another form: $(head -n 3 "$dir/trace")"
	# each number of the table is the sum over the trace
	jq -se --slurpfile trace "$dir/trace" '.[0].stats.techniques as $table
		| ($trace | map(.technique) | unique) == ($table | keys)
		and ($table | to_entries | all(.[];
			.key as $name | [$trace[] | select(.technique == $name)] as $lines
			| .value.tried == ($lines | length)
			and .value.runs == ($lines | map(.runs) | add)
			and .value.proven == ($lines | map(select(.verdict == "proven")) | length)
			and .value.refuted == ($lines | map(select(.verdict | IN("none", "refuted"))) | length)))' \
		"$dir/answer" >"$dir/out" || complain "$1: table and trace differ: $(jq -c .stats.techniques "$dir/answer")"
	# what was proven is in the answer, beside lines that only a small change of their code names, and nothing is asked about again that was decided
	jq -se --slurpfile trace "$dir/trace" '
		(.[0].suspects | map(select(.replay == "passes" and (.statements[0].kind | IN("code", "data") | not))) | length)
			== ($trace | map(select(.verdict == "proven")) | length)' \
		"$dir/answer" >"$dir/out" || complain "$1: the proven ones are not those of the answer"
	jq -se '[.[] | select(.verdict | IN("proven", "refuted")) | .candidate] | length == (unique | length)' \
		"$dir/trace" >"$dir/out" || complain "$1: a candidate was decided twice"
}

for file in samples/paper.c samples/mean.c samples/list-remove.c tests/endings/lookup.c; do
	name=$(basename "$file" .c)
	read -ra arguments <<<"$(field "$file" test)"
	"$CC" -g -O0 -w -o "$dir/$name" "$file" -lm || { complain "$file does not compile"; continue; }
	explain_traced "$dir/$name" "${arguments[@]}"
	check_trace "$name"
done

# With floating point numbers are moved by secants; no interval solver or circuit finds them.
explain_traced "$dir/mean" $(field samples/mean.c test)
jq -e '.stats.techniques | has("secant-search") and (has("interval-solver") | not)' "$dir/answer" >"$dir/out" ||
	complain "mean: $(jq -c .stats.techniques "$dir/answer")"

# Of several failing tests, one after the other; what was in the file is not kept.
printf '%s\n' '0 0' '1 1' '0 9' >"$dir/suite"
echo stale >"$dir/trace"
"$WHY_BIN" explain --tests "$dir/suite" --failing all --no-cache --no-evidence --trace-search "$dir/trace" -- "$dir/paper" \
	>"$dir/out" || complain "--tests: status $?"
check_lines=$(jq -s 'map(select(.candidate == [])) | length' "$dir/trace") || complain "--tests: $(head -n 2 "$dir/trace")"
[ "$check_lines" -ge 3 ] || complain "--tests: the searches of all tests are not there"

# The table, as a person reads it.
"$WHY_BIN" explain --stats -- "$dir/paper" 0 0 >"$dir/text"
grep -q '^technique .* tried .* found .* proven .* refuted .* runs .* time$' "$dir/text" || complain "no table"
grep -q '^interval-solver ' "$dir/text" || complain "no interval solver: $(cat "$dir/text")"

# A file that cannot be written.
"$WHY_BIN" explain --trace-search "$dir/none/trace" -- "$dir/paper" 0 0 >"$dir/out" 2>"$dir/err"
[ $? -eq 2 ] && grep -q 'name another file with --trace-search' "$dir/err" || complain "$(cat "$dir/err")"

[ $failures -eq 0 ]
