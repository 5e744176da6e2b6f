# SPDX-License-Identifier: GPL-3.0-or-later
#
# Sourced by the samples tests: reads what a sample says about itself in the
# comment at its head (samples/README.md has the fields), builds it and runs it.

. tests/support/limits.sh
. tests/support/patience.sh
CC=${CC:-gcc}
failures=0
dir=$(mktemp -d "${TMPDIR:-/tmp}/gdb-why-samples.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM

# field FILE NAME: the values of a field, one a line.
field() {
	sed -n '/^ \*\//q; s/^ \* '"$2"': //p' "$1"
}

complain() {
	echo "FAILED $*"
	failures=$((failures + 1))
}

# some FILE...: every third of them; with THOROUGH=1 all.
some() {
	number=0
	for one; do
		[ -z "${THOROUGH:-}" ] && [ $((number % 3)) -ne 0 ] || echo "$one"
		number=$((number + 1))
	done
}

# build FILE PROGRAM [OPTION...]
build() {
	build_from=$1 build_to=$2
	shift 2
	"$CC" -g -O0 -Wall -Wextra -Werror -o "$build_to" "$@" "$build_from" -lm
}

# corrected FILE: its text with each faulty line replaced by its correction.
corrected() {
	field "$1" fixed >"$dir/fixed"
	awk -v lines="$(field "$1" faulty)" -v fixes="$dir/fixed" '
		BEGIN { n = split(lines, at, " "); for (i = 1; i <= n; i++) getline fix[at[i]] <fixes }
		FNR in fix { print fix[FNR]; next } { print }' "$1"
}

# arguments FILE: the test's arguments in $arguments, a file of its own for KEEP.
# The shell splits them; samples keep to words without quotes.
arguments() {
	echo kept >"$dir/keep"
	arguments=$(field "$1" test | sed "s|KEEP|$dir/keep|g")
	field "$1" stdin >"$dir/stdin"
}

# need_tool: ends the test as skipped where the built program or jq is missing.
need_tool() {
	command -v jq >/dev/null || { echo "jq is not installed"; exit 77; }
	[ -x "${WHY_BIN:-}" ] || { echo "WHY_BIN names no built gdb-why"; exit 77; }
}

# GDB calls a function of the program only if it can write vector registers: some versions cannot on a
# processor that has AMX.
need_gdb_calls() {
	command -v gdb >/dev/null || { echo "gdb is not installed"; exit 77; }
	! gdb -nx -batch -ex starti -ex 'set var $xmm0.v2_double[0] = 1' "$(command -v true)" 2>&1 |
		grep "Couldn't write extended state status" || exit 77
}

# asks STATUS TEXT ARGUMENT...: `gdb-why ask' ends so, and says that; runs of the
# characters $squeezed count as one blank.  What it said stays in $out.  With other limits than the
# defaults it may say less.
asks() {
	want=$1 text=$2
	shift 2
	out=$("$WHY_BIN" ask --all --color never "$@" 2>&1)
	got=$?
	[ -z "${squeezed:-}" ] || out=$(printf '%s\n' "$out" | tr -s "$squeezed" ' ')
	[ $got -eq "$want" ] || complain "ask $*: status $got instead of $want: $out"
	case $out in
	*"$text"*) ;;
	*) ! default_limits || complain "ask $*: no \`$text' in: $out" ;;
	esac
}

# explain FILE PROGRAM OUT [OPTION...]: the answer as JSON in OUT.  Of the options in $explain_always
# "--limit mutant_runs=0" leaves out small changes of the code, which are another search.
explain() {
	explain_file=$1 explain_program=$2 explain_out=$3
	shift 3
	arguments "$explain_file"
	# shellcheck disable=SC2086
	"$within" "${EXPLAIN_TIMEOUT:-120}" "$WHY_BIN" explain --format=json --max-suspects 0 ${explain_always:-} "$@" --stdin "$dir/stdin" \
		-- "$explain_program" $arguments >"$explain_out" 2>"$explain_out.err"
}

# proven_sets JSON: the sets of lines of the proven suspects, one a line, sorted.
proven_sets() {
	jq -r '.suspects[] | select(.replay == "passes")
		| "{" + ([.statements[].line] | unique | map(tostring) | join(",")) + "}"' "$1" | sort -u
}

# all_sets JSON: the same for all suspects.
all_sets() {
	jq -r '.suspects[] | "{" + ([.statements[].line] | unique | map(tostring) | join(",")) + "}"' \
		"$1" | sort -u
}

# same_sets FILE FIELD FOUND: whether FOUND holds exactly the sets that the field states.
same_sets() {
	[ "$(field "$1" "$2" | tr ' ' '\n' | sort -u)" = "$3" ]
}

# check_explained FILE: explains a sample and compares with what its head says.
# Prints a line about it; counts failures.
check_explained() {
	name=$(basename "$1" .c)
	out=$dir/$name.json
	build "$1" "$dir/$name" || { complain "$name: does not compile"; return; }
	# shellcheck disable=SC2046
	explain "$1" "$dir/$name" "$out" $(field "$1" options)
	status=$?
	if ! explained_or_cut "$status"; then
		complain "$name: gdb-why ended with $status: $(head -n 1 "$out.err")"
		return
	fi
	jq -e . "$out" >/dev/null 2>&1 || { complain "$name: the answer is not JSON"; return; }
	verdict=ok
	[ "$(jq .failure.line "$out")" = "$(field "$1" fails)" ] ||
		{ complain "$name: the failure is shown at line $(jq .failure.line "$out")"; verdict=bad; }
	default_limits || return
	found=$(proven_sets "$out")
	for line in $(field "$1" faulty); do
		echo "$found" | grep -Eq "[{,]${line}[,}]" ||
			{ complain "$name: line $line is in no proven suspect"; verdict=bad; }
	done
	if [ -n "$(field "$1" expect)" ]; then
		if ! same_sets "$1" expect "$found" || ! same_sets "$1" expect "$(all_sets "$out")"; then
			complain "$name: expected $(field "$1" expect), proven are $(echo $found), all" \
				"$(all_sets "$out" | tr '\n' ' ')"
			verdict=bad
		fi
	fi
	printf '%-12s %-3s faulty %-8s proven %s of %s  %s ms  %s\n' "$name" "$verdict" \
		"$(field "$1" faulty)" "$(jq '[.suspects[] | select(.replay == "passes")] | length' "$out")" \
		"$(jq '.suspects | length' "$out")" "$(jq '.stats.total_ms | floor' "$out")" \
		"$(echo $found)"
}

finish() {
	echo "$failures failed"
	[ "$failures" = 0 ]
	exit
}

# check_first LINE CHANGE SED: the program that SED makes of $dir/right.c is wrong; of $dir/suite, by
# what $dir/right prints, the change of that line mends all tests and comes first.
check_first() {
	sed "$3" "$dir/right.c" >"$dir/wrong.c"
	build "$dir/wrong.c" "$dir/wrong"
	"$WHY_BIN" explain --format json --tests "$dir/suite" --golden "$dir/right" -- "$dir/wrong" >"$dir/answer" 2>"$dir/err"
	jq -e --argjson line "$1" --arg change "$2" '.suspects[0]
		| .statements[0].line == $line and .evidence.change == $change and .evidence.broken == 0' \
		"$dir/answer" >"$dir/index" || {
		complain "line $1 is not first, with $2"
		jq -c '.suspects[] | [.rank, .statements[0].line, .statements[0].witness, .evidence]' "$dir/answer"
		cat "$dir/err"
	}
}
