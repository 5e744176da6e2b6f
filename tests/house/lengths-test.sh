#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# No function has more than 60 lines and no file more than 620; about 40 and 600 are the aim.  No
# folder has more than 15 modules.
# Each exception says why it is better as it is, and up to how many lines; one that is no longer
# needed has to go.

# file, function (- = the file as a whole), lines, reason
exceptions='
solver/trace/superblock/superblock.c perform_superblock_op 110 one switch with an operation a case: the inner loop of walks
solver/isa/insn.c is_recomputable 80 one switch over mnemonics
solver/smt/circuits.c circuit_operator 68 one switch with an operation a case
solver/image/variable/location.c run_other_dwarf_op 66 one switch with an operation of DWARF a case
solver/smt/z3.c operation_in_z3 65 one switch with an operation a case
tests/solver/formula/model/replay-check-test.c - 650 one fixture
'

lengths() {
	# a function begins where its name stands at the start of a line, and ends with } there
	awk '
	/^[a-zA-Z_].*\(/ && !/;$/ { head = $0; first = FNR }
	/^\{/ { inside = head != "" }
	/^\}/ {
		if (inside && match(head, /[a-zA-Z_0-9]+\(/))
			print FILENAME, substr(head, RSTART, RLENGTH - 1), FNR - first + 1
		inside = 0
		head = ""
	}
	FNR == 1 && NR > 1 { print file, "-", lines }
	{ file = FILENAME; lines = FNR }
	END { print file, "-", lines }' "$@"
}

files=$(find gdbext mi solver tui tests -name '*.[ch]' ! -path '*/programs/*' ! -path '*/build/*' \
	! -path 'tests/foreign/*' ! -path 'tests/endings/*' ! -path 'tests/data/*' ! -path 'tests/bench/*' | sort)
[ -n "$files" ] || exit 1
found=$(lengths $files | awk -v exceptions="$exceptions" '
	BEGIN {
		n = split(exceptions, line, "\n")
		for (i = 1; i <= n; i++)
			if (split(line[i], word, " ") > 2)
				most[word[1] " " word[2]] = word[3]
	}
	{
		limit = $2 == "-" ? 620 : 60
		name = $2 == "-" ? $1 : $1 ": " $2
		if ($3 <= limit)
			next
		needed[$1 " " $2] = 1
		if (!($1 " " $2 in most))
			print name " has " $3 " lines, more than " limit
		else if ($3 > most[$1 " " $2])
			print name " has grown to " $3 " lines, its exception says " most[$1 " " $2]
	}
	END {
		for (key in most)
			if (!(key in needed))
				print key " is short enough: take it out of the list of exceptions"
	}')
[ "$(lengths $files | wc -l)" -gt 3000 ] || { echo "it does not find the functions"; exit 1; }
full=$(find gdbext mi solver tui -name '*.c' ! -path '*/build/*' | sed 's|/[^/]*$||' | sort | uniq -c |
	awk '$1 > 15 { print $2 " has " $1 " modules, more than 15: find a room in it" }')
[ -z "$found$full" ] && exit 0
echo "$found$full"
exit 1
