#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# grep finds one function for each name: no two files give a static function the same name, and
# none gives one the name of a function that a header declares.  A name of one word (`find', `keep')
# says too little, except that of a published formula, of an operation on terms, or with a number
# (`put8').

# file name: each function of a file once, declared or defined; $1: what its line begins with
functions() {
	pattern=$1
	shift
	awk -v pattern="$pattern" '
	$0 ~ pattern && match($0, /[A-Za-z_][A-Za-z_0-9]*\(/) && substr($0, 1, RSTART) !~ /[=;{]/ {
		name = substr($0, RSTART, RLENGTH - 1)
		if (name != "__attribute__" && !seen[FILENAME, name]++)
			print FILENAME, name
	}' "$@"
}

statics=$(functions '^static[ \t]' $(find gdbext mi solver tui -name '*.[ch]' | sort))
shown=$(functions '^[a-z].*[ *][a-z_0-9]+\(' $(find gdbext mi solver tui -name '*.h' | sort) |
	sed 's/ / declares /')
[ "$(echo "$statics" | wc -l)" -gt 5000 ] && [ "$(echo "$shown" | wc -l)" -gt 1000 ] ||
	{ echo "it does not find the functions"; exit 1; }
found=$(printf '%s\n' "$shown" "$statics" | awk '
	$2 == "declares" { declared[$3] = $1; next }
	{ where[$2] = where[$2] " " $1; count[$2]++; file[$2] = $1 }
	END {
		for (name in count)
			if (name !~ /[_0-9]/ && where[name] !~ /solver\/rank\/formulas.c|term-eval.c/)
				print name " says too little, it is a function in" where[name]
			else if (count[name] > 1)
				print name " is a function in" where[name] ": name it after what it is about"
			else if (name in declared && declared[name] != file[name])
				print name " is a function in" where[name] ", and " declared[name] " declares it"
	}' | sort)
[ -z "$found" ] && exit 0
echo "$found"
exit 1
