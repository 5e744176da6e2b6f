#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# timeout: 120
# gdb-why evaluate: its ranks are those of gdb-why rank; killed at any moment and continued, it
# gives the same files; shards that are merged give the files of one run; tables, graphs, a page.
set -u
. tests/gdbext/evaluate/subjects.sh
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
export XDG_CACHE_HOME=$tmp/cache
failed=0
complain() {
	echo "$*"
	failed=1
}
evaluate() { "$WHY_BIN" evaluate "$@" 2>>"$tmp/said"; }
same() { # DIR DIR: all but times
	diff -r -x times.csv -x '*.times.csv' -x build "$1" "$2" >"$tmp/diff" ||
		complain "$1 and $2 differ: $(head -n 5 "$tmp/diff")"
}

make_subject "$tmp/mid"
options="--sizes 100,50 --seeds 2 --techniques all,ofc+cw --no-evidence --failing 1"
evaluate $options -o "$tmp/one" "$tmp/mid" || complain "status $?: $(cat "$tmp/said")"

for v in v1 v2 v3 v4 v10; do
	n=$(grep -c "^mid,$v,.*,100,0,27,.*,Ochiai,average," "$tmp/one/results.csv")
	[ "$n" = 1 ] || complain "$v: $n rows of Ochiai"
done
grep -q '^mid,v5,no test fails$' "$tmp/one/skipped.csv" || complain "v5 is not skipped"
grep -q '^mid,v6,its build ends with status 1; build/mid.v6.log tells why$' "$tmp/one/skipped.csv" ||
	complain "v6: $(cat "$tmp/one/skipped.csv")"
grep -q error "$tmp/one/build/mid.v6.log" || complain "no log of v6"
cut -d, -f1-9 "$tmp/one/results.csv" | sort -u >"$tmp/properties"
grep -q '^mid,v3,2,0,100,0,27,' "$tmp/properties" || complain "v3 has two faulty lines"
grep -q '^mid,v10,1,1,100,0,27,' "$tmp/properties" || complain "v10 is an omission"
grep -qE '^mid,v4,1,0,100,0,27,([0-9]+),\1$' "$tmp/properties" || complain "v4 crashes"
grep -qE '^mid,v2,1,0,50,[12],14,' "$tmp/properties" || complain "half of the suite"
# versions by their numbers
[ "$(tail -n +2 "$tmp/one/results.csv" | cut -d, -f2 | uniq | tr '\n' ' ')" = "v1 v2 v3 v4 v10 " ] ||
	complain "order of versions"
[ "$(grep -c 'mid,v1,.*,ofc+cw,' "$tmp/one/results.csv")" = 3 ] || complain "ofc+cw was not measured"
grep -q 'mid,v1,.*,ofc+cw,average,.*,1,1$' "$tmp/one/results.csv" || complain "ofc+cw proves v1"

# The ranks are those of `rank'.
for v in v1 v2 v4; do
	line=$(awk -v v=$v '$1 == v { print $2 }' "$tmp/mid/versions.tsv")
	for scheme in best average worst; do
		(cd "$tmp/mid" && "$WHY_BIN" rank --technique 'ochiai,wong3,sober' --scheme $scheme --format json \
			--golden "$tmp/one/build/mid/golden" --tests tests.txt -- "$tmp/one/build/mid/$v") >"$tmp/rank.json"
		for t in 0 1 2; do
			jq -r --argjson t $t --argjson l "$line" --arg v "$v" --arg s $scheme \
				'"mid,\($v),100,\(.techniques[$t]),\($s),\(.lines[] | select(.line == $l) | .scores[$t].rank),\(.lines | length)"' \
				"$tmp/rank.json" >>"$tmp/expected"
		done
	done
done
cut -d, -f1,2,5,10-13 "$tmp/one/results.csv" | grep -xFf "$tmp/expected" | sort >"$tmp/found"
sort "$tmp/expected" | diff - "$tmp/found" || complain "ranks differ from those of gdb-why rank"
[ "$(wc -l <"$tmp/found")" = 27 ] || complain "27 ranks were not compared"

# The formula of all paths ranks as the one that grows on demand.
make_subject "$tmp/two" && sed -i '/^v[3-6]/d; /^v10/d' "$tmp/two/versions.tsv"
evaluate --techniques ofc,ofc+cw,ba,ba+cw --no-evidence --failing 1 -o "$tmp/ba" "$tmp/two" || complain "ba: $?"
for cw in '' +cw; do
	grep ",ofc$cw," "$tmp/ba/results.csv" | sed "s/,ofc/,ba/" | diff - <(grep ",ba$cw," "$tmp/ba/results.csv") ||
		complain "ba$cw is not as ofc$cw"
done
[ "$(grep -cE '^mid,v[12],.*,ba(\+cw)?,best,[0-9].*,1,1$' "$tmp/ba/results.csv")" = 4 ] || complain "ba proves v1 and v2"

# What follows measures no technique that explains each version, unless there is time for it.
quick=$options
[ "${THOROUGH:-}" ] || quick="--sizes 100,50 --seeds 2 --techniques all --failing 1"
evaluate $quick -o "$tmp/whole" "$tmp/mid" || complain "whole: $?"

# Killed again and again.
rounds=0 finished= most=$([ "${THOROUGH:-}" ] && echo 20 || echo 6)
while [ -z "$finished" ] && [ $rounds -lt 60 ]; do
	rounds=$((rounds + 1))
	"$WHY_BIN" evaluate $quick -o "$tmp/killed" "$tmp/mid" 2>/dev/null &
	pid=$!
	sleep "0.$((rounds * 7 % 10))$((rounds % 10))"
	if kill -0 $pid 2>/dev/null; then kill -KILL $pid; fi
	wait $pid 2>/dev/null && finished=yes
	[ $rounds -lt $most ] || { evaluate $quick -o "$tmp/killed" "$tmp/mid" && finished=yes; }
done
[ -n "$finished" ] || complain "it never finished"
same "$tmp/whole" "$tmp/killed"

# Two shards, each anywhere.
evaluate $quick --shard 1/2 -o "$tmp/s1" "$tmp/mid" || complain "shard 1: $?"
evaluate $quick --shard 2/2 -o "$tmp/s2" "$tmp/mid" || complain "shard 2: $?"
evaluate --merge -o "$tmp/both" "$tmp/s1" "$tmp/s2" || complain "merge: $?"
same "$tmp/whole" "$tmp/both"
: >"$tmp/said"
evaluate --merge -o "$tmp/half" "$tmp/s1" || complain "merge of one: $?"
grep -q '3 versions measured, 1 skipped (skipped.csv says why), 3 not measured yet;' "$tmp/said" || complain "merge of one: $(cat "$tmp/said")"
[ "$(cut -d, -f2 "$tmp/s1/results.csv" | sort -u | wc -l)" = 4 ] || complain "shard 1 has not three versions"
sort "$tmp/whole/times.csv" | cut -d, -f1-5 >"$tmp/times.one"
sort "$tmp/both/times.csv" | cut -d, -f1-5 | diff -q - "$tmp/times.one" >/dev/null || complain "times are missing"

# What it shows.
evaluate --table "$tmp/one" >"$tmp/table" || complain "table: $?"
grep -qE '^Ochiai +5 ' "$tmp/table" || complain "the table has no Ochiai over 5 versions"
evaluate --which Gtypical --graph "$tmp/g.svg" "$tmp/one" || complain "svg: $?"
grep -q '<svg' "$tmp/g.svg" || complain "no drawing"
mkdir "$tmp/graphs" && evaluate --graph "$tmp/graphs" "$tmp/one" || complain "graphs: $?"
for g in Gtheory Gbase Gcrash Gexp_crash Gnon-single Gtypical; do
	dot -Tplain "$tmp/graphs/$g.dot" >"$tmp/plain" || complain "dot does not take $g"
done
awk -F, '$13 == "contradicted"' "$tmp/graphs/matrix.csv" | grep -v 'Gcrash\|crash\|typical\|non-single' &&
	complain "theory is contradicted where it holds"
[ "$(grep -c '^Gtheory,' "$tmp/graphs/matrix.csv")" = 870 ] || complain "the matrix of Gtheory"
[ "$(grep -cE '^Gtypical,mid,(best|average|worst),' "$tmp/graphs/settings.csv")" = 126 ] || complain "three settings of 42 formulas"
# Nor in any version with one faulty line and no crash, whatever the suite and the scheme.
awk -F, 'FILENAME ~ /matrix/ { if ($1 == "Gtheory" && $11 == "more") { n++; a[n] = $2; b[n] = $3 } }
	FILENAME ~ /results/ && $3 == 1 && $4 == 0 && $9 == 0 { at[$1 $2 $5 $6 $11] = 1; rank[$1 $2 $5 $6 $11, $10] = $12 }
	END {
		for (s in at)
			for (i = 1; i <= n; i++)
				if ((s, a[i]) in rank && (s, b[i]) in rank) {
					pairs++
					if (rank[s, a[i]] > rank[s, b[i]]) print s, a[i], "is behind", b[i]
				}
		if (pairs < 1000) print "only", pairs + 0, "pairs were compared"
	}' "$tmp/graphs/matrix.csv" "$tmp/one/results.csv" >"$tmp/reversed"
[ ! -s "$tmp/reversed" ] || complain "theory is reversed: $(head -n 3 "$tmp/reversed")"
evaluate --page "$tmp/page.html" "$tmp/one" || complain "page: $?"
grep -q '<svg' "$tmp/page.html" && xmllint --html --noout "$tmp/page.html" 2>/dev/null
grep -q 'Gnon-single: versions with several faulty lines' "$tmp/page.html" || complain "the page has no Gnon-single"

# A version that was skipped is tried again, and the others are not.
mid_source "$tmp/mid/v6.c" 12 'm = y;'
cp "$tmp/killed/times.csv" "$tmp/times.before"
: >"$tmp/said"
evaluate $quick -o "$tmp/killed" "$tmp/mid" || complain "again: $(cat "$tmp/said")"
grep -q '6 versions measured, 1 skipped (skipped.csv says why)' "$tmp/said" || complain "again: $(cat "$tmp/said")"
grep -q '^mid,v6,' "$tmp/killed/skipped.csv" && complain "v6 is still skipped"
[ "$(grep -c '^mid,v6,.*,100,0,27,.*,Ochiai,average,' "$tmp/killed/results.csv")" = 1 ] || complain "v6 is not measured"
grep -v '^mid,v6,' "$tmp/killed/times.csv" | diff -q - "$tmp/times.before" >/dev/null || complain "others are measured again"
mid_source "$tmp/mid/v6.c" 6 'int m = ;'

# What is wrong is said in a sentence.
wrong() { # SENTENCE ARGS...
	local sentence=$1
	shift
	"$WHY_BIN" evaluate "$@" >"$tmp/out" 2>"$tmp/err"
	local status=$?
	[ $status = 2 ] || complain "evaluate $*: status $status"
	[ "$(wc -l <"$tmp/err")" = 1 ] && grep -qF -- "$sentence" "$tmp/err" || complain "evaluate $*: $(cat "$tmp/err")"
}
wrong 'no subject was named' -o "$tmp/x"
wrong 'is no subject of an evaluation' -o "$tmp/x" "$tmp/nowhere"
wrong 'nothing that a layout is known by: versions.alt' -o "$tmp/x" "$tmp/graphs"
wrong 'made with other options' --sizes 100 -o "$tmp/one" "$tmp/mid"
wrong 'There is no technique' --techniques nonsense -o "$tmp/x" "$tmp/mid"
wrong '--shard takes I/N' --shard 3/2 -o "$tmp/x" "$tmp/mid"
wrong '--sizes takes percentages' --sizes 200 -o "$tmp/x" "$tmp/mid"
wrong 'there are two subjects mid' -o "$tmp/x" "$tmp/mid" "$tmp/mid"
wrong 'There are no measurements in' --table "$tmp/mid"
wrong 'There is no graph' --which Gnone --graph "$tmp/g.dot" "$tmp/one"
wrong 'ends in .svg' --graph "$tmp/g.png" "$tmp/one"
wrong '--merge takes' --merge -o "$tmp/x"
for line in 'v1	0	0' 'v/1	3	0' 'v1	x.c:	0' 'v1	3	yes'; do
	cp -r "$tmp/mid" "$tmp/bad"
	printf 'version\tline\tomission\n%s\n' "$line" >"$tmp/bad/versions.tsv"
	wrong "$tmp/bad/versions.tsv:2: " -o "$tmp/x" "$tmp/bad"
	rm -r "$tmp/bad"
done
echo 'colour = red' >>"$tmp/mid/subject.conf"
wrong 'a subject has no colour' -o "$tmp/x" "$tmp/mid"

# Nothing of it stays.
[ -z "$(ls -A "$tmp/killed" | grep '^\.')" ] || complain "a half file stays: $(ls -A "$tmp/killed")"
exit $failed
