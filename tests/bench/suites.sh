#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Test suites of real programs, with the program as it is and with each run of it
# recorded: the results have to be the same.
#
#   tests/bench/suites.sh [PACKAGE...]      (gzip mawk diffutils)
#
# ENGINE=step takes the other engine. Prints a row a package: tests, how many passed
# plainly and recorded, how often the program was run, seconds for both; and each test
# with another result.
set -u
case ${BUILD:-} in '') BUILD=$(pwd)/build/plain ;; esac
. tests/support/real-lib.sh
driver=$BUILD/tests/drivers/run-plan
agent=${WHY_AGENT:-$BUILD/gdb-why-agent.so}
[ -x "$driver" ] || { echo "suites.sh: $driver is not there" >&2; exit 2; }
need_tools apt-get dpkg-source make perl
engine=--jit
[ "${ENGINE:-jit}" = step ] && engine=
memory=/dev/shm
[ -w "$memory" ] || memory=${TMPDIR:-/tmp}
work=$(mktemp -d "$memory/gdb-why-suites.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
ulimit -c 0
failures=0

# What its programs are.
programs_of() {
	case $1 in
	gzip) echo gzip ;;
	mawk) echo mawk ;;
	diffutils) echo src/diff src/cmp src/sdiff src/diff3 ;;
	*) echo "suites.sh: what is $1?" >&2; exit 2 ;;
	esac
}

# make_it GOAL: without the tools that only maintainers have.
make_it() {
	make -k "$1" CFLAGS='-g -O2' MAKEINFO=: HELP2MAN=: ACLOCAL=: AUTOCONF=: AUTOMAKE=: AUTOHEADER=: \
		</dev/null 2>&1
}

# prepare NAME: its sources anew, built, in $tree.
prepare() {
	tree=$real/suite-$1
	rm -rf "$tree"
	cp -a "$real/$1" "$tree" || return
	(cd "$tree" && { [ ! -e Makefile ] || make distclean; } && ./configure -q && make_it all) \
		>"$tree.log" 2>&1 </dev/null
	for program in $(programs_of "$1"); do
		[ -x "$tree/$program" ] || return
	done
}

# wrap PROGRAM...: in its place a script that records it, called as by PATH.
wrap() {
	for program; do
		mkdir -p "$(dirname "$program")/unwrapped"
		mv "$program" "$(dirname "$program")/unwrapped/"
		cat >"$program" <<-END
			#!/bin/sh
			record=\$(mktemp -d "$work/XXXXXX") || exit 99
			echo >>"$work/runs"
			"$driver" "$agent" "\$record" $engine --max-bytes=500000000 \\
				--name="\${0##*/}" \\
				"$(dirname "$program")/unwrapped/$(basename "$program")" "\$@"
			status=\$?
			rm -rf "\$record"
			exit \$status
		END
		chmod +x "$program"
	done
}

# results OUT: what each test came to, and the seconds it took in $seconds.
results() {
	began=$(date +%s)
	(cd "$tree" && make_it check) >"$tree.check"
	seconds=$(($(date +%s) - began))
	if grep -q '^# TOTAL' "$tree.check"; then
		grep -E '^(PASS|FAIL|SKIP|XFAIL|XPASS|ERROR): ' "$tree.check" | sort -u >"$1"
	else
		cat "$tree.check" >"$1"
	fi
}

passed() {
	grep -c -E '^(PASS|XFAIL): |passed|consistent' "$1"
}

suite() {
	prepare "$1" || { echo "$1: does not build: $(tail -n 1 "$tree.log")"; failures=1; return; }
	results "$work/plain"
	plain_seconds=$seconds
	# shellcheck disable=SC2046
	(cd "$tree" && wrap $(for p in $(programs_of "$1"); do echo "$tree/$p"; done))
	: >"$work/runs"
	results "$work/recorded"
	printf '%-10s %5d results %5d passed plainly %5d recorded %6d runs recorded %5d s %5d s\n' "$1" \
		"$(wc -l <"$work/plain")" "$(passed "$work/plain")" "$(passed "$work/recorded")" \
		"$(wc -l <"$work/runs")" "$plain_seconds" "$seconds"
	[ -s "$work/plain" ] && cmp -s "$work/plain" "$work/recorded" && return
	diff "$work/plain" "$work/recorded"
	failures=1
}

[ $# -gt 0 ] || set -- gzip mawk diffutils
fetch "$@" || { echo "cannot fetch sources from Debian: $(tail -n 1 "$real/log")"; exit 77; }
for package; do
	suite "$package"
done
exit $failures
