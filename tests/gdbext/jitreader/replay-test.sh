#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The GDB that gdb-why starts loads the JIT reader that lies beside the recorder;
# without one the answer is the same.  GDB says little.
dir=$(mktemp -d "${TMPDIR:-/tmp}/gdb-why-reader.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
failed=0

# answer NAME: explains with what lies in $dir/bin.  Names are of one length: the environment, which
# has them, lies on the stack, and the answer has addresses there.
answer() {
	GDB_WHY_AGENT=$dir/bin/gdb-why-agent.so GDB_WHY_MI_RECORD=$dir/$1.mi \
		"$WHY_BIN" explain --format json -- "$BUILD/samples/paper" 0 0 >"$dir/$1" 2>"$dir/$1.err" ||
		{ cat "$dir/$1.err"; failed=1; }
	jq -S '[.failure, .suspects, .chain]' "$dir/$1" >"$dir/$1.told"
}

mkdir "$dir/bin"
cp "$WHY_AGENT" "$BUILD/gdb-why-jitreader.so" "$dir/bin/"
answer with
token=$(sed -n 's/^> \([0-9]*\).*jit-reader-load .*gdb-why-jitreader\.so.*/\1/p' "$dir/with.mi")
[ -n "$token" ] && grep -q "^< $token^done" "$dir/with.mi" || {
	echo "the reader was not loaded:"
	grep -A3 jit-reader "$dir/with.mi"
	failed=1
}
# What GDB prints comes byte by byte, so it must not print tables of signals.
grep -q '^< .*SIGHUP' "$dir/with.mi" && { echo "GDB prints a table of signals"; failed=1; }
rm "$dir/bin/gdb-why-jitreader.so"
answer bare
grep -q line "$dir/with.told" && cmp "$dir/with.told" "$dir/bare.told" || failed=1
exit $failed
