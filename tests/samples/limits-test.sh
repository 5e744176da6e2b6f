#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# With all limits at their least, and at their most, samples are still explained or said to
# be unexplained: no crash, no hang, an answer that is valid, that names the limit which cut it, and that
# calls proven only what is.
# timeout: 600
# limits: any
. tests/support/samples-lib.sh
need_tool
export EXPLAIN_TIMEOUT=60
samples="paper crashes"
[ -z "${THOROUGH:-}" ] || samples="$samples loops list-remove max3 mean list-head unlink bst"
samples=${*:-$samples}

# contains JSON JSON: each proven set of the first holds a set of the second.
contains() {
	jq -ne --slurpfile a "$1" --slurpfile b "$2" '
		def sets: [.suspects[] | select(.replay == "passes") | [.statements[].line] | unique];
		($b[0] | sets) as $known
		| all($a[0] | sets[]; . as $s | any($known[]; (. - $s) == []))' >/dev/null
}

# explain_with LIMITS FILE PROGRAM OUT: none = the defaults.
explain_with() {
	limits=$1
	shift
	[ "$limits" = none ] && limits=
	GDB_WHY_LIMITS=$limits explain "$@" --timeout 20 --run-timeout 2
}

check_with() { # LIMITS FILE NAME [OPTION...]
	out=$dir/$3-$1.json
	explain_with "$1" "$2" "$dir/$3" "$out" "${@:4}"
	status=$?
	case $status in
	0 | 3) ;;
	*) complain "$3: with limits $1 it ended with $status: $(head -n 1 "$out.err")"; return ;;
	esac
	# Nothing was found when the time was up, which is said.
	grep -q '^gdb-why: There was no answer within' "$out.err" && { echo "$3 $1: no answer"; return; }
	[ "$1" ] && tests/validate.py tests/answer.schema.json <"$out" >"$dir/valid" 2>&1
	[ $? != 1 ] || [ -z "$1" ] || complain "$3: with limits $1: $(head -n 1 "$dir/valid")"
	# proven are supersets of proven ones, where all of these are known
	[ "$(jq .complete "$dir/$3-none.json")" = false ] || contains "$out" "$dir/$3-none.json" ||
		complain "$3: with limits $1 proven are $(echo $(proven_sets "$out")), else $(echo $(proven_sets "$dir/$3-none.json"))"
	jq -e '.complete == false or ([.stats.limits[] | select(.cuts and .reached > 0)] == [])' \
		"$out" >/dev/null || complain "$3: with limits $1 a cut answer is called complete"
	jq -e '(.complete or (.suspects | length) >= 20 or ([.stats.limits[] | select(.cuts and .reached > 0) | .name] as $cut
		| ($cut == []) or any(.notes[]; . as $n | any($cut[]; . as $c | $n | contains("`" + $c + "'"'"'")))))' \
		"$out" >/dev/null || complain "$3: with limits $1 no note names the limit: $(jq -c '[.notes, .stats.limits]' "$out")"
	printf '%-12s %-5s status %s, proven %s, complete %s\n' "$3" "$1" "$status" \
		"$(echo $(proven_sets "$out"))" "$(jq .complete "$out")"
}

[[ " $samples " = *" paper "* ]] || samples="paper $samples"
for name in $samples; do
	build "samples/$name.c" "$dir/$name" || { complain "$name: does not compile"; continue; }
	explain_with none "samples/$name.c" "$dir/$name" "$dir/$name-none.json"
	[ $? = 0 ] || { complain "$name is not explained with the default limits"; continue; }
	for limits in tiny huge; do
		check_with $limits "samples/$name.c" "$name"
	done
done

# A few at a time, on a program of which all explanations are known; where they fail together,
# each alone says which it is.
[ "$(jq .complete "$dir/paper-none.json")" = true ] || complain "paper's answer is not complete"
"$WHY_BIN" help limits | sed -nE 's/^  ([a-z0-9_]+)=[0-9]+  .*, ([0-9]+) to ([0-9]+)$/\1 \2 \3/p' >"$dir/limits"
groups=$([ "${THOROUGH:-}" ] && echo 24 || echo 8)

# settings COLUMN GROUP: the options that set the group's limits to that column's values.
settings() {
	awk -v c="$1" -v g="$2" -v n=$groups 'NR % n == g { print "--limit", $1 "=" $c }' "$dir/limits"
}

holds_with() { # OPTION...
	check_with "" samples/paper.c paper "$@" >"$dir/said"
	! grep FAILED "$dir/said"
}

for column in 2 3; do
	for ((group = 0; group < groups; group++)); do
		# shellcheck disable=SC2046  # an option and its value are two words
		holds_with $(settings $column $group) && continue
		while read -r option value; do
			holds_with "$option" "$value" || echo "that is $option $value"
		done < <(settings $column $group)
	done
done
count=$(wc -l <"$dir/limits")
echo "$count limits, each at its least and its most"
[ "$count" -ge 50 ] || complain "only $count limits were tried"

# The message on a wrong setting is one line, and nothing is run.
for wrong in "GDB_WHY_LIMITS=small explain" "GDB_WHY_LIMITS= explain --limit runs=0"; do
	said=$(env ${wrong%% *} "$WHY_BIN" ${wrong#* } -- /bin/false 2>&1)
	[ $? = 2 ] && [ "$(echo "$said" | wc -l)" = 1 ] || complain "$wrong: $said"
done
finish
