#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Regressions of real programs, each hidden among harmless changes: which techniques find them, and at
# what cost.  regress.sh [NAME...]: those of the table below; all of them without a name.
# It fetches the sources from Debian, and builds them once in $REGRESS_DIR.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. tests/support/real-lib.sh
fetch sed bc grep diffutils gzip || { echo "the sources cannot be fetched: $real/log" >&2; exit 1; }
dir=${REGRESS_DIR:-$BUILD/bench/regress}
mkdir -p "$dir" && cd "$dir" || exit 1

# name | source package | files | sed script and its file | test, in the tree
table() {
	cat <<'TABLE'
sed-number|sed|sed/execute.c sed/compile.c sed/regexp.c|sed/execute.c|/if (count < sub->numb)/s/</<=/|[ "$(echo aaaa | sed/sed -n s/a/b/2p)" = abaa ]
sed-step|sed|sed/execute.c sed/compile.c sed/utils.c|sed/execute.c|/cmd->range_end = input->line_number;/!{/return (addr->addr_number <= input->line_number);/s/<=/</}|[ "$(seq 9| sed/sed -n '2,~4p'| tr -d '\n')" = 234 ]
bc-divide|bc|lib/number.c bc/execute.c bc/storage.c|lib/number.c|/prod_scale = MIN(full_scale,MAX(scale,/s/MIN(full_scale,MAX/MAX(full_scale,MAX/|[ "$(echo 'scale=2; 1.25*1.25'| bc/bc)" = 1.56 ]
bc-raise|bc|lib/number.c bc/execute.c bc/util.c|lib/number.c|/rscale = MIN (num1->n_scale\*uexponent,/s/\*uexponent//|[ "$(echo 'scale=4; 1.5^3' | bc/bc)" = 3.375 ]
grep-count|grep|src/grep.c src/dfasearch.c src/searchutils.c|src/grep.c|/pending = out_quiet ? 0 : MAX (0, out_after);/s/out_after/out_before/|[ "$(seq 9| src/grep -A1 4| tr -d '\n')" = 45 ]
grep-words|grep|src/grep.c src/dfasearch.c src/kwset.c|src/grep.c|/outleft -= n;/s/-= n/= n/|[ "$(seq 99| src/grep -c -m2 1)" = 2 ]
diff-context|diffutils|src/context.c src/util.c src/io.c|src/context.c|/first1 = MAX (first1 - context, i);/s/first1 - context/first1/|(seq 20; echo) >a; (seq 9; seq 11 20; echo) >b; src/diff -u a b| grep -q '^@@ -7,7 +7,6 @@'
cmp-line|diffutils|src/cmp.c src/util.c src/analyze.c|src/cmp.c|/off_t line_number = 1;/s/= 1/= 0/|(seq 8; echo) >a; (seq 7; echo 9) >b; src/cmp a b| grep -q 'line 8'
gzip-dynamic|gzip|inflate.c gzip.c util.c trees.c deflate.c|inflate.c|/nb = 4 + /s/4 +/5 +/|seq 999 | ./gzip -c | ./gzip -dc | cmp - <(seq 999)
gzip-reverse|gzip|bits.c trees.c deflate.c gzip.c util.c inflate.c|bits.c|/while (--len > 0);/s/> 0/> 1/|seq 99| ./gzip -c| ./gzip -dc| cmp - <(seq 99)
TABLE
}

build() {
	case $1 in
	gzip) echo 'make -s gzip' ;;
	bc) echo 'make -s -C lib && make -s -C bc' ;;
	sed) echo 'make -s sed/sed' ;;
	*) echo 'make -s -C src' ;;
	esac
}

# Unpacks and builds a package once, as its developer has it: with objects.
prepare() {
	[ -e "$1.ready" ] && return
	rm -rf "$1" && cp -a "$real/$1" "$1" || return
	# patches are younger than what autoconf made of them
	find "$1" -type f -exec touch -d 2020-01-01 {} +
	(cd "$1" && FORCE_UNSAFE_CONFIGURE=1 ./configure -q --disable-nls CFLAGS='-g -O0' &&
		{ [ "$1" = bc ] || make -s -k -j2 MAKEINFO=:; eval "$(build "$1")"; }) >"$1.log" 2>&1 ||
		{ echo "$1 does not build: $dir/$1.log" >&2; return 1; }
	touch "$1.ready"
}

printf '%-14s %8s  %-5s %-6s %7s %7s %7s\n' regression changes by right builds tests seconds
table | while IFS='|' read -r name package files file script test; do
	[ $# = 0 ] || [[ " $* " == *" $name "* ]] || continue
	prepare "$package" </dev/null || continue
	rm -rf old new && cp -a "$package" old && cp -a "$package" new
	(cd new && sed -i -e "$script" "$file")
	diff -U0 "old/$file" "new/$file" | sed -n '/^-[^-]/s/^-\s*//p' >wanted
	# shellcheck disable=SC2086 # they are words
	(cd new && "$here/regress-harmless.py" "${SEED:-${#name}}" "${HARMLESS:-100}" $files >/dev/null)
	printf '%s\n' "$test" >test.sh
	for technique in ${TECHNIQUES:-after dd add}; do
		"$WHY_BIN" regress --old old --new new --technique "$technique" --format json \
			--timeout 900 --build "$(build "$package")" --test "bash $dir/test.sh" \
			</dev/null >"$name.$technique.json" 2>"$name.$technique.err"
		jq -r --arg name "$name" --arg by "$technique" --rawfile wanted wanted '
			(if (.root | length) == 1 and (.root[0].text as $text | $wanted | split("\n") | map(select(. != "")) | any(. as $line | $text | contains($line)))
			 then "yes" else "no" end) as $right |
			[$name, .stats.changes, $by, $right, .stats.builds, .stats.tests,
			 (.stats.total_s * 10 | round / 10)] | @tsv' "$name.$technique.json" |
			awk -F'\t' '{ printf "%-14s %8s  %-5s %-6s %7s %7s %7s\n", $1, $2, $3, $4, $5, $6, $7 }'
		[ -s "$name.$technique.json" ] || { echo "$name $technique:"; cat "$name.$technique.err"; }
	done
done
