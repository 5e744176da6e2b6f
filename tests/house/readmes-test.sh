#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every folder has a README that says what it is; a folder of code also says in which order
# to read it and who may include it.  A file or folder that a README names is there.
set -u
failed=0
complain() {
	echo "$*"
	failed=1
}

mapfile -t folders < <(find mi solver gdbext tui tests samples -type d \
	-not -name '*.corpus' -not -path '*/programs*' -not -path '*/data/*' | sort)
[ "${#folders[@]}" -ge 50 ] || complain "only ${#folders[@]} folders were found"
for folder in "${folders[@]}"; do
	[ -s "$folder/README.md" ] || complain "$folder has no README.md"
done
for readme in {solver,gdbext,tui}/*/README.md {solver,gdbext,tui}/*/*/README.md mi/README.md; do
	folder=${readme%/*}
	compgen -G "$folder/*.c" >/dev/null || continue
	IFS= read -r -d '' text <"$readme"
	text=${text//$'\n'/ }
	[[ ${text,,} == *"read in this order"* || ${text,,} == *' read `'* ]] || complain "$readme: in which order?"
done
tests/house/neighbours.py || complain "READMEs, tests/layers and includes differ"

# `x.c', `a/b.h', `folder/': from the README's folder, or from the top.
named=0
while read -r readme name; do
	folder=${readme%/*}
	named=$((named + 1))
	compgen -G "$folder/$name" >/dev/null || compgen -G "$name" >/dev/null ||
		compgen -G "$folder/*/$name" >/dev/null ||
		complain "$readme names $name, which is not there"
done < <(find mi solver gdbext tui tests samples -name README.md -exec awk '
	/^    / { next }
	{
		while (match($0, /`[a-zA-Z0-9_.*\/-]+(\.[chS]|\.def|\.sh|\.gdb|\.md|\.json|\.csv|\.tsv|[a-z]\/)`/)) {
			name = substr($0, RSTART + 1, RLENGTH - 2)
			if (name !~ /^\/|^\*-test|^build\//)
				print FILENAME, name
			$0 = substr($0, RSTART + RLENGTH)
		}
	}' {} + | sort -u)
[ "$named" -ge 300 ] || complain "only $named names were found"
exit $failed
