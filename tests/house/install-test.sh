#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# make install puts six files where they belong; make uninstall leaves none.
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
# -o all: what is built is tested, nothing is built here.
run() { make -s -o all "$1" BUILD="$BUILD" DESTDIR="$tmp" PREFIX=/opt/why >"$tmp.log" 2>&1; }
run install || { cat "$tmp.log"; exit 1; }
got=$(cd "$tmp" && find . -type f | sort | tr '\n' ' ')
want='./opt/why/bin/gdb-why ./opt/why/lib/gdb-why/gdb-why-agent.so ./opt/why/lib/gdb-why/gdb-why-jitreader.so ./opt/why/lib/gdb-why/why.sh ./opt/why/share/gdb-why/why.gdb ./opt/why/share/man/man1/gdb-why.1 '
[ "$got" = "$want" ] || { echo "installed: $got"; exit 1; }
"$tmp/opt/why/bin/gdb-why" --version | grep -q '^gdb-why [0-9]' || exit 1
grep -q "'/opt/why/lib/gdb-why/why.sh' ask" "$tmp/opt/why/share/gdb-why/why.gdb" || { echo "why.gdb is not filled in"; exit 1; }
run uninstall || { cat "$tmp.log"; exit 1; }
left=$(find "$tmp" -type f -o -name gdb-why)
rm -f "$tmp.log"
[ -z "$left" ] || { echo "left behind: $left"; exit 1; }
