#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# README.md and the handbook show what gdb-why says: each `$ command' there is typed, and the
# lines below it come out in that order, all but times, sizes and the width of gaps; a line
# `...' stands for any others.  README.md is short.  timeout: 300
set -u
top=$PWD
dir=$(mktemp -d "${TMPDIR:-/tmp}/gdb-why-readme.XXXXXX") && trap 'rm -rf "$dir"' EXIT
failed=0
complain() {
	echo "FAILED $*"
	failed=1
}

# A folder as the reader's is after `make demo'.
mkdir -p "$dir/build/plain/samples" && cp -r samples "$dir/" && cd "$dir" || exit 1
ln -s "$WHY_BIN" "${WHY_AGENT%/*}"/*.so build/plain/
ln -s "$BUILD"/samples/advisory build/plain/samples/
for name in paper larger; do
	${CC:-gcc} -g -O0 -o "build/plain/samples/$name" "samples/$name.c" || exit 1
done
export PATH=$PWD/build/plain:$PATH XDG_CACHE_HOME=$dir/cache

squeeze() {
	sed -E -e 's/( |\t|\xc2\xa0)+/ /g' -e 's/^ //' -e 's/ [0-9.]+ m?s$//' -e 's/[0-9.]+ KiB/N KiB/' -e 's/ $//'
}

# The lines of $1 among those of $2: one after the other, but where `...' stands.
is_said() {
	awk 'FILENAME == ARGV[1] { want[++n] = $0; next } { got[++m] = $0 }
		END {
			i = j = 1
			while (i <= n) {
				if (want[i] == "...") { gap = 1; i++; continue }
				if (j > m) { print "not said: " want[i]; exit 1 }
				if (got[j] == want[i]) { i++; gap = 0 }
				else if (!gap && i > 1) { print "instead of: " want[i]; print "it says:    " got[j]; exit 1 }
				j++
			}
		}' "$1" "$2"
}

type_page() { # page, at least so many commands
	mkdir -p "$dir/shown" && rm -f "$dir/shown"/*
	n=$("$top/tests/house/shown.py" "$top/$1" "$dir/shown")
	[ "${n:-0}" -ge "$2" ] || complain "$1 shows only ${n:-0} commands"
	for command in "$dir/shown"/*.command; do
		bash "$command" >said 2>&1 </dev/null
		status=$?
		squeeze <said >said.squeezed
		squeeze <"${command%.command}.output" | sed '/^$/d' >wanted
		sed -i '/^$/d' said.squeezed
		if [ $status -eq 2 ] || [ $status -gt 3 ] || ! is_said wanted said.squeezed; then
			complain "$1: $(cat "$command") (status $status)"
			cat said
		fi
	done
}

type_page README.md 4
for page in explain:1 suites:1 questions:2 ranking:1 records:2 tools:1 panel:1; do
	type_page "gdbext/doc/${page%:*}.md" "${page#*:}"
done

# `make demo', for which everything is there: make itself has nothing to do.
mkdir stub && printf '#!/bin/sh\necho "  CC one.c"\n' >stub/make && chmod +x stub/make
(cd "$top" && PATH=$dir/stub:$PATH BUILD=$BUILD .ci/demo) >said 2>&1 || complain "make demo: status $?"
grep -q '^installing' said && grep -q '^built; .*demo.log' said &&
	grep -q '^3 explanations, each proven' said || { complain "make demo says:"; cat said; }

[ "$(wc -l <"$top/README.md")" -le 150 ] || complain "README.md has more than 150 lines"
while IFS= read -r link; do
	[ -e "$top/$link" ] || complain "README.md links $link, which is not there"
done < <(grep -oE '\]\([^)]+\)' "$top/README.md" | sed -E 's/^\]\(|\)$//g')
while IFS= read -r link; do
	[ -e "$top/gdbext/doc/$link" ] || complain "the handbook links $link, which is not there"
done < <(grep -ohE '\]\([^)#]+\)' "$top"/gdbext/doc/*.md | sed -E 's/^\]\(|\)$//g' | sort -u)
exit $failed
