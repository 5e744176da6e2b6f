#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Line counts of the samples and of a program of odd shapes equal gcov's, each and every one,
# also where the run crashes.
dir=$(mktemp -d "${TMPDIR:-/tmp}/gdb-why-gcov.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
ulimit -c 0
. tests/support/profile-lib.sh
need_gcov
allowed=

# same SOURCES OPTIONS ARGS...: counts of one run; OPTIONS for the compiler.  Lines in
# $allowed may have other counts.
same() {
	source=$(realpath $1) options=$2
	what="$(basename "$1") $3 $4 $5"
	shift 2
	rm -rf "$dir/plain" "$dir/gcov" "$dir/profile"
	mkdir "$dir/plain" "$dir/gcov"
	# shellcheck disable=SC2086
	"$CC" -g -O0 -w $options -o "$dir/plain/p" $source -lm || { complain "$what: does not compile"; return; }
	# shellcheck disable=SC2086
	(cd "$dir/gcov" &&
		"$CC" -g -O0 -w --coverage -include "$dir/dump.h" $options -o p $source -lm) || exit 1
	(cd "$dir/plain" && exec "$within" 20 "$profile" --lines="$dir/ours" "$dir/profile" ./p "$@") \
		>"$dir/out" 2>"$dir/err" </dev/null
	status=$?
	(cd "$dir/gcov" && exec "$within" 20 ./p "$@") >"$dir/out.gcov" 2>/dev/null </dev/null
	[ $status = $? ] || complain "$what: ends with $status: $(tail -n 1 "$dir/err")"
	cmp -s "$dir/out" "$dir/out.gcov" || complain "$what: prints something else"
	gcov_counts "$dir/gcov" >"$dir/theirs"
	compare_lines "$what" "$dir/ours" "$dir/theirs"
	while read -r _ at counts; do
		case $allowed in *" $at "*) ;; *) complain "$what: $at: $counts (gcov's) times" ;; esac
	done <"$dir/differ"
}

touch "$dir/KEEP"
for source in samples/*.c; do
	sed -n 's/^ \* test: //p' "$source" | sed "s|KEEP|$dir/KEEP|" >"$dir/tests"
	while read -r words; do
		# shellcheck disable=SC2086
		same "$source" "" $words
	done <"$dir/tests"
done
from=$(realpath samples/advisory)
"$CC" -w -o "$dir/inputs" "$from/gen-inputs.c" && "$dir/inputs" | awk 'NR % 200 == 7' >"$dir/tests"
while read -r words; do
	# shellcheck disable=SC2086
	same "$from/check.c $from/advisory.c $from/inputs.c" "-iquote $from" $words
done <"$dir/tests"
# gcc makes one jump of all computed gotos, on the line of one of them, and gcov counts
# them by themselves.
allowed=" $(grep -n 'goto \*ops' tests/gdbext/profile/programs/shapes.c | sed 's/:.*//; s/^/shapes.c:/' | tr '\n' ' ')"
for way in plain exit jump deep; do
	same tests/gdbext/profile/programs/shapes.c "" $way
done
echo "$lines lines"
[ "$lines" -ge 500 ] || complain "only $lines lines"
finish
