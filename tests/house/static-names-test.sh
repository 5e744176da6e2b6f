#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# grep finds one function for the name of a static function: no two files give theirs the same
# name.  tests/house/shared-names lists the names that still stand in several files, and in how
# many.  A name of one word (`find', `keep') never does.  The list only shrinks:
# tests/house/static-names-test.sh --list prints it as it is now.

# file name: each static function of a file once, declared or defined
functions() {
	awk '
	/^static[ \t]/ && match($0, /[A-Za-z_][A-Za-z_0-9]*\(/) && substr($0, 1, RSTART) !~ /[=;{]/ {
		name = substr($0, RSTART, RLENGTH - 1)
		if (name != "__attribute__" && !seen[FILENAME, name]++)
			print FILENAME, name
	}' "$@"
}

files=$(find gdbext mi solver tui -name '*.[ch]' ! -path '*/build/*' | sort)
all=$(functions $files)
[ "$(echo "$all" | wc -l)" -gt 5000 ] || { echo "it does not find the functions"; exit 1; }
if [ "$1" = --list ]; then
	sed -n '/^#/p' tests/house/shared-names
	echo "$all" | awk '{ n[$2]++ } END { for (i in n) if (n[i] > 1) print n[i], i }' | sort -k 2
	exit 0
fi
found=$(echo "$all" | awk '
	FNR == NR { if ($1 !~ /^#/) allowed[$2] = $1; next }
	{ where[$2] = where[$2] " " $1; count[$2]++ }
	END {
		for (name in count) {
			if (count[name] > 1 && name !~ /_/)
				print name " says too little, it is a function in" where[name]
			else if (count[name] > (name in allowed ? allowed[name] : 1))
				print name " is a function in" where[name] ": name it after what it is about"
		}
		for (name in allowed)
			if (allowed[name] < 2 || count[name] < allowed[name])
				print "shared-names: " allowed[name] " " name " has to become " \
					(count[name] > 1 ? count[name] " " name : "nothing")
	}' tests/house/shared-names - | sort)
[ -z "$found" ] && exit 0
echo "$found"
exit 1
