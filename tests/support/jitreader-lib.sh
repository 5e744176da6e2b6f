# SPDX-License-Identifier: GPL-3.0-or-later
# For tests that run tests/gdbext/jitreader/programs/stops.c under GDB, alone and recorded.
. tests/support/patience.sh
CC=${CC:-gcc}
driver=$BUILD/tests/drivers/run-plan
reader=$BUILD/gdb-why-jitreader.so
[ -x "$driver" ] && [ -e "$reader" ] || { echo "$driver or $reader is not there"; exit 1; }
dir=$(mktemp -d "${TMPDIR:-/tmp}/gdb-why-reader.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
failures=0
flags= # more options of run-plan
compared=0

# debug WHAT GDB-ARGUMENT...: runs $program WHAT under GDB.
debug() {
	what=$1
	shift
	"$within" 100 gdb -nx -q -batch -iex 'set debuginfod enabled off' \
		-iex 'set debug-file-directory /nonexistent' -ex 'set confirm off' \
		-ex 'set width 0' -ex 'set height 0' -ex 'set disable-randomization on' \
		-ex 'set startup-with-shell off' -ex "set args $what" "$@" -ex kill \
		"$program" </dev/null 2>&1
}

# recorded ENGINE WHAT GDB-ARGUMENT...: the same under the recorder.
recorded() {
	engine=$1
	shift
	rm -rf "$dir/record"
	mkdir "$dir/record"
	"$driver" "$WHY_AGENT" "$dir/record" $engine $flags --plan-only "$program" || exit 1
	what=$1
	shift
	debug "$what" -ex "set environment LD_PRELOAD $WHY_AGENT" \
		-ex "set environment GDB_WHY_PLAN $dir/record/plan" \
		-ex "jit-reader-load $reader" "$@"
}

# The program's frames; the stack is elsewhere when the environment is another.
frames() {
	sed -n 's/^#[0-9]* *\(0x[0-9a-f]* in \)\{0,1\}//p' | grep -v '^<recorded code>' |
		sed -e 's/0x7ff[0-9a-f]*/STACK/g'
}

complain() {
	echo "FAILED $*"
	failures=$((failures + 1))
}

# build O: $program, optimized that much.
build() {
	program=$dir/stops$1
	"$CC" -g -O"$1" -pthread -o "$program" tests/gdbext/jitreader/programs/stops.c || exit 1
}
