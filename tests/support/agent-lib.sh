# SPDX-License-Identifier: GPL-3.0-or-later
#
# Sourced by the tests that run the programs of tests/agent (see tests/README.md):
# $dir is a folder of the test's own, $driver records (tests/drivers/run-plan.c).

. tests/support/patience.sh
CC=${CC:-gcc}
CXX=${CXX:-g++}
driver=$BUILD/tests/drivers/run-plan
[ -x "$driver" ] || { echo "$driver is not there"; exit 1; }
dir=$(mktemp -d "${TMPDIR:-/tmp}/gdb-why-agent.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
ulimit -c 0
failures=0
checked=0

complain() {
	echo "FAILED $*"
	failures=$((failures + 1))
}

# said WORD SOURCE: what stands in the source's " * WORD: " lines.
said() {
	sed -n "s/^ \* $1: //p" "$2"
}

# alone OUT PROGRAM...: run plainly, its output in OUT and its status in $status; a
# signal is 128 + its number.
alone() {
	out=$1
	shift
	(cd "$dir" && exec "$within" 20 "$@") >"$out" 2>"$out.err" </dev/null
	status=$?
}

# record OPTIONS... PROGRAM ARGS...: into $dir/record (the same name for all: it
# lies on the program's stack); its output in $dir/out, its status in $status.
record() {
	rm -rf "$dir/record"
	mkdir "$dir/record"
	(cd "$dir" && exec "$within" 60 "$driver" "$WHY_AGENT" record "$@") \
		>"$dir/out" 2>"$dir/out.err" </dev/null
	status=$?
}

# compiled SOURCE OPTIMIZATION: the program, in $program, and the library that a
# "library: " line names beside it.  C++ is left out where there is no compiler for it.
compiled() {
	name=$(basename "$1")
	program=$dir/${name%.*}$2
	[ -x "$program" ] && return
	for library in $(said library "$1"); do
		"$CC" -g "$2" -w -shared -fPIC -o "$dir/$library.so" "tests/gdbext/agent/programs/$library/$library.c" ||
			return
	done
	compiler=$CC
	[ "${name##*.}" = cc ] && compiler=$CXX
	# shellcheck disable=SC2046
	"$compiler" -g "$2" -w -D_GNU_SOURCE $(said flags "$1") -o "$program" "$1" -pthread -lm -ldl
}

# each_program FUNCTION [SOURCE...]: FUNCTION "NAME OPTIMIZATION WAY" PROGRAM [WAY] for
# each program (or those sources), optimization and way to run it.  Without THOROUGH=1 each
# program is optimized or not in turns, the first one if $first_level is -O2: of two tests each
# has the other half.
each_program() {
	run=$1
	shift
	[ $# -gt 0 ] || set -- tests/gdbext/agent/programs/*.c tests/gdbext/agent/programs/*.cc
	for level in -O0 -O2; do
		skip=
		[ "$level" = "${first_level:--O0}" ] || skip=1
		for source; do
			case $source in
			*/run-plan.c) continue ;;
			*.cc) command -v "$CXX" >/dev/null || continue ;;
			esac
			skipped=$skip
			[ "$skip" ] && skip= || skip=1
			[ -z "${THOROUGH:-}" ] && [ "$skipped" ] && continue
			compiled "$source" $level ||
				{ complain "$source $level: does not compile"; continue; }
			each_way "$run" "$source" "$program"
		done
	done
}

# With $half_of_ways, which THOROUGH=1 overrides, every second way.
each_way() {
	name=$(basename "$program")
	way_number=0
	for way in $(said ways "$2" | grep . || echo -); do
		way_number=$((way_number + 1))
		[ -n "${half_of_ways:-}" ] && [ -z "${THOROUGH:-}" ] && [ $((way_number % 2)) -eq 0 ] && continue
		[ "$way" = - ] && way=
		# shellcheck disable=SC2086
		"$1" "${name%-*} $level $way" "$3" $way
	done
}

# The test's last line, and its status.
finish() {
	echo "$checked checked"
	echo "$failures failed"
	[ "$failures" = 0 ]
}
