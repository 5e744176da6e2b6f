#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the failing runs of tests/support/canned.h anew, of all programs or of those named; then
# let the tests that use them make the others, for example, where GDB is
#     tests/data/runs/make.sh list
#     CANNED_WRITE=1 make build/plain/tests/solver/search/search-test.res
# --programs, first: only the programs, in /tmp/canned, for runs that were not asked for before.
set -eu
why=${WHY_BIN:-$PWD/build/plain/gdb-why}
top=$PWD
work=/tmp/canned # is part of the records, so always the same
mkdir -p $work

# What the head of the source says: " * cc: FLAGS", " * test: ARGUMENTS".
said() {
	sed -n "s|^ \* $1: ||p" "$source" | head -n 1
}

programs=
[ "${1-}" != --programs ] || { programs=1 && shift; }
[ $# -gt 0 ] || set -- paper $(cd tests/data/runs && ls ./*.c | sed 's|./||;s|\.c$||')
for name; do
	source=$top/tests/data/runs/$name.c
	[ -f "$source" ] || source=$top/samples/$name.c
	cp "$source" $work/
	flags=$(said cc)
	(cd $work && ${CC:-gcc} -g ${flags:--O0} -o "$name" "$name.c" -lm)
	[ -z "$programs" ] || { rm "$work/$name.c" && continue; }
	rm -rf "tests/data/runs/$name" && mkdir "tests/data/runs/$name"
	# shellcheck disable=SC2046
	(cd $work && env -i PATH=/usr/bin:/bin HOME=/ "$why" record \
		-o "$top/tests/data/runs/$name/failing.why" -- "./$name" $(said test))
	chmod 644 "tests/data/runs/$name/failing.why"
	rm "$work/$name.c" # the program stays, so that it can be run
done
