#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check-layers: the tree keeps to tests/layers, and a file that does not is caught.
# And nothing stands in the top folder that does not belong there.
set -u
make -s check-layers || exit 1
if git ls-files 2>/dev/null | sed 's|/.*|/|' | sort -u |
	grep -vxF -e Makefile -e README.md -e COPYING -e gdbext/ -e mi/ -e solver/ -e tui/ -e tests/ \
		-e samples/ | grep -v '^\.'; then
	echo "that does not belong in the top folder"
	exit 1
fi

tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
check=$PWD/tests/house/check-layers.sh
failed=0

# verdict FILE INCLUDE: 0 allowed, 1 refused
verdict() {
	mkdir -p "$tmp/${1%/*}"
	printf '#include %s\n' "$2" >"$tmp/$1"
	(cd "$tmp" && "$check" "$1" >"$tmp/said" 2>&1)
}
refused() {
	verdict "$@"
	[ $? -eq 1 ] && grep -q "^$1:1: " "$tmp/said" && return
	echo "not caught: $1 includes $2"
	failed=1
}
allowed() {
	verdict "$@" && return
	echo "wrongly refused: $1 includes $2: $(cat "$tmp/said")"
	failed=1
}

refused mi/x.c '"solver/explanation.h"'
refused solver/answer/x.c '"mi/parse.h"'
refused solver/answer/x.c '"tui/report/report.h"'
refused solver/image/x.c '"solver/trace/run.h"'
refused solver/trace/x.h '"gdbext/options/options.h"'
refused solver/formula/x.c '"gdbext/agent/engine.h"'
refused tui/report/x.c '"solver/image/image.h"'
refused tui/report/x.c '"gdbext/options/options.h"'
refused gdbext/agent/x.c '"solver/trace/runner.h"'
refused gdbext/agent/x.c '<glib.h>'
refused gdbext/agent/x.c '<Zydis/Zydis.h>'
refused gdbext/replay/x.c '"gdbext/options/options.h"'
refused gdbext/x.c '"gdbext/agent/engine.h"'
refused solver/trace/x.c '<z3.h>'
refused solver/formula/x.c '<z3_api.h>'
refused solver/trace/x.c '<valgrind/libvex.h>'
refused solver/trace/x.c '<libvex_ir.h>'
refused gdbext/x.c '<elfutils/libdw.h>'
refused solver/trace/x.c '<gelf.h>'
refused gdbext/x.c '<json-glib/json-glib.h>'
refused gdbext/replay/x.c '<seccomp.h>'
refused solver/answer/x.c '<ncurses.h>'
refused tui/report/x.c '"line.h"'

allowed solver/answer/x.c '"solver/image/image.h"'
allowed solver/image/x.h '"solver/format/trace.h"'
allowed solver/formula/x.c "\"solver/trace/run.h\""
allowed gdbext/replay/x.c '"solver/format/trace.h"'
allowed gdbext/replay/x.c '"mi/parse.h"'
allowed tui/report/x.c '"solver/explanation.h"'
allowed gdbext/main.c "\"gdbext/command/explain/explain.h\""
allowed solver/smt/z3.c '<z3.h>'
allowed solver/isa/lift.c '<valgrind/libvex.h>'
allowed solver/isa/lift-op.c '<libvex_ir.h>'
allowed solver/isa/insn.c '<Zydis/Zydis.h>'
allowed solver/image/dwarf.c '<elfutils/libdw.h>'
allowed gdbext/agent/x.c '<stdint.h>'
exit $failed
