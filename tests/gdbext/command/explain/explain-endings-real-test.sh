#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A fault put into a Debian program, which exits with another status than 0 by that: the faulty
# line is a proven suspect.  With THOROUGH=1 of two more, of which one crashes.  timeout: 300
set -u
. tests/support/samples-lib.sh
need_tool
. tests/support/real-lib.sh
need_tools apt-get dpkg-source make
# shellcheck disable=SC2046
fetch ed $([ -z "${THOROUGH:-}" ] || echo bc gzip) || { echo "cannot fetch sources from Debian: $(tail -n 1 "$real/log")"; exit 77; }

# A copy of a program's sources, with a fault, built: in $program.
with_fault() { # name, file, sed's command
	cp -a "$real/$1" "$dir/$1"
	program=$dir/$1-faulty
	cmp -s "$dir/$1/$2" <(sed "$3" "$dir/$1/$2") && complain "$1: the fault does not fit"
	fault=$(diff <(sed "$3" "$dir/$1/$2") "$dir/$1/$2" | sed -n '1s/^\([0-9]*\).*/\1/p')
	sed -i "$3" "$dir/$1/$2"
	(cd "$dir/$1" && "build_$1" -O0 "$program") >"$dir/$1.log" 2>&1 </dev/null || {
		complain "$1 does not build: $(tail -n 1 "$dir/$1.log")"
		return 1
	}
}

check() { # how it ends, arguments of explain
	ends=$1
	shift
	"$WHY_BIN" explain --timeout 200 --limit mutant_runs=0 --format=json "$@" >"$dir/answer" 2>"$dir/err" || complain "$program: status $?: $(cat "$dir/err")"
	got=$(jq -r '.failure.cause' "$dir/answer")
	[ "$got" = "$ends" ] || complain "$program: ends by $got, not $ends"
	jq -e --argjson fault "$fault" --arg file "$file" \
		'[.suspects[] | select(.replay == "passes") | .statements[] | select(.file | endswith($file)) | .line] | index($fault)' \
		"$dir/answer" >"$dir/index" ||
		complain "$program: $file:$fault is no proven suspect: $(jq -c '[.suspects[].statements[].line]' "$dir/answer")"
}

if [ "${THOROUGH:-}" ]; then
	# The tree of an array's elements is made a level too late.
	file=bc/storage.c
	printf 'a[3]=5\na[3]\nquit\n' >"$dir/array.bc"
	with_fault bc $file 's/while (log > a_var->a_depth)/while (log > a_var->a_depth + 1)/' &&
		check SIGSEGV -- "$program" "$dir/array.bc"

	# A file that has its name in it is taken for one of another version.
	file=gzip.c
	echo hello >"$dir/hello" && gzip "$dir/hello"
	with_fault gzip $file 's/if ((flags & RESERVED) != 0)/if ((flags \& 0xC8) != 0)/' &&
		check 'exit status 1' -- "$program" -dc "$dir/hello.gz"
fi

# One line is no range.
file=main_loop.c
printf 'a\none\ntwo\nthree\n.\n2p\nQ\n' >"$dir/commands"
with_fault ed $file '318s/first_addr > second_addr/first_addr >= second_addr/' &&
	check 'exit status 1' --stdin "$dir/commands" -- "$program" -s

[ $failures -eq 0 ]
