#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Wrong usage: one line on stderr that says what to do, nothing on stdout,
# status 2.
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
failed=0
wrong() {
	"$WHY_BIN" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	status=$?
	if [ $status -ne 2 ] || [ -s "$tmp/out" ] || [ "$(wc -l <"$tmp/err")" -ne 1 ] ||
		! grep -q '^gdb-why: ' "$tmp/err"; then
		echo "gdb-why $*: status $status, said:"
		cat "$tmp/out" "$tmp/err"
		failed=1
	fi
}
wrong -batch-silent
wrong --nonsense
wrong explain
wrong explain --
wrong explain --nonsense -- ./p
wrong explain --timeout never -- ./p
wrong explain --max-size 0 -- ./p
wrong explain --format xml -- ./p
wrong explian -- ./p
wrong explain -- "$tmp/missing"
wrong explain -- tests
wrong explain -C "$tmp/missing" -- /bin/true
wrong explain --stdin "$tmp/missing" -- "$BUILD/samples/paper" 0 0
wrong explain -o "$tmp/missing/out" -- "$BUILD/samples/paper" 0 0
wrong explain --gdb "$tmp/missing" -- "$BUILD/samples/paper" 0 0
wrong rank
wrong rank -- /bin/true
wrong rank --tests "$tmp/missing" -- "$BUILD/samples/paper"
wrong rank --tests tests/data --technique nonsense -- "$BUILD/samples/paper"
wrong rank --tests README.md -- "$tmp/missing"
"$WHY_BIN" --help >"$tmp/out" && grep -q '^Usage: gdb-why' "$tmp/out" || failed=1
"$WHY_BIN" --version >"$tmp/out" && grep -q '^gdb-why [0-9]' "$tmp/out" || failed=1
exit $failed
