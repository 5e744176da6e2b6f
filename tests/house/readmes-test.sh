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
	tr "\n" " " <"$readme" | grep -qi "read in this order\| Read \`" || complain "$readme: in which order?"
done
tests/house/neighbours.py || complain "READMEs, tests/layers and includes differ"

# `x.c', `a/b.h', `folder/': from the README's folder, or from the top.
named=0
while IFS= read -r readme; do
	folder=${readme%/*}
	while IFS= read -r name; do
		named=$((named + 1))
		compgen -G "$folder/$name" >/dev/null || compgen -G "$name" >/dev/null ||
			compgen -G "$folder/*/$name" >/dev/null ||
			complain "$readme names $name, which is not there"
	done < <(sed '/^    /d' "$readme" | grep -oE '`[a-zA-Z0-9_.*/-]+(\.[chS]|\.def|\.sh|\.gdb|\.md|\.json|\.csv|\.tsv|[a-z]/)`' | tr -d '`' |
		grep -v '^/\|^\*-test\|^build/' | sort -u)
done < <(find mi solver gdbext tui tests samples -name README.md)
[ "$named" -ge 300 ] || complain "only $named names were found"
exit $failed
