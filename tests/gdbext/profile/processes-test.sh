#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Nothing is lost with threads, forks, threads of forks, the program executed by itself, by
# several at once from a shell, handled faults, and ends of all sorts; and what was left in
# the middle is told.
dir=$(mktemp -d "${TMPDIR:-/tmp}/gdb-why-profile.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
ulimit -c 0
. tests/support/profile-lib.sh
"$CC" -g -O0 -w -o "$dir/many" tests/gdbext/profile/programs/many.c -pthread || exit 1
"$CC" -g -O0 -w -o "$dir/shapes" tests/gdbext/profile/programs/shapes.c || exit 1
work=many.c:$(sed -n '/line "work"/=' tests/gdbext/profile/programs/many.c)

# run STATUS OPTIONS... PROGRAM ARGS...
run() {
	expected=$1
	shift
	what=$*
	rm -f "$dir/profile"
	(cd "$dir" && exec "$within" 30 "$profile" --lines=lines --crashes=crashes --summary=summary \
		--sequences=sequences \
		"$@") >"$dir/out" 2>"$dir/err" </dev/null
	status=$?
	[ $status = "$expected" ] || complain "$what: ends with $status: $(tail -n 1 "$dir/err")"
}

# says FILE LINE...
says() {
	in=$1
	shift
	for line; do
		grep -qx -- "$line" "$dir/$in" || complain "$what: \"$line\" is not in $in: $(tr '\n' ';' <"$dir/$in")"
	done
}

run 0 "$dir/profile" ./many threads
says lines "$work 800000"
says summary "processes 1"
run 0 "$dir/profile" ./many children
says lines "$work 600001"
says summary "processes 5"
run 0 "$dir/profile" ./many faults
says summary "faults 50" "sections 1"
says crashes "faults $(sed -n '/work(\*(vol/=' tests/gdbext/profile/programs/many.c) 50"
says out 50
run 137 "$dir/profile" ./many killed
says lines "$work 1"
run 0 "$dir/profile" ./many stopped
says lines "$work 1"
says out 1
run 0 --shell "$dir/profile" ./many './many once & ./many once & ./many once; wait; exec ./many once'
says lines "$work 4"
says summary "processes 4"
run 139 "$dir/profile" ./shapes crash
says summary "faults 1"
says crashes "leave $(sed -n '/volatile int \*)8 = 1/=' tests/gdbext/profile/programs/shapes.c) 1"
run 3 "$dir/profile" ./shapes exit
says crashes "leave $(sed -n '/exit(3)/=' tests/gdbext/profile/programs/shapes.c) 1"
run 1 "$dir/profile" ./shapes plain
[ ! -s "$dir/crashes" ] || complain "a plain run has $(cat "$dir/crashes")"
# T is taken: at -O0 past the body where a part of && is false, to it where one of || is true.
at() {
	grep -n -F "$1" tests/gdbext/profile/programs/shapes.c | sed 's/:.*//'
}
says sequences "$(at 'if (a && b)') T- 4" "$(at 'if (a && b)') FT 2" "$(at 'if (a && b)') FF 2" \
	"$(at 'if (a || b)') T- 4" "$(at 'if (a || b)') FT 2" "$(at 'if (a || b)') FF 2" \
	"$(at 'if (a && (b || c))') T-- 4" "$(at 'if (a && (b || c))') FT- 2"
finish
