#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# make install puts the program, the handbook and the man pages where they belong; make
# uninstall leaves nothing.
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
# -o all: what is built is tested, nothing is built here.
run() { make -s -o all "$1" BUILD="$BUILD" DESTDIR="$tmp" PREFIX=/opt/why >"$tmp.log" 2>&1; }
run install || { cat "$tmp.log"; exit 1; }
got=$(cd "$tmp" && find . -type f | LC_ALL=C sort | tr '\n' ' ')
lib=./opt/why/lib/gdb-why
want="./opt/why/bin/gdb-why ./opt/why/include/why-spec.h $lib/contract.h $lib/gdb-why-agent.so "
want="$want$lib/gdb-why-contract.so $lib/gdb-why-criterion.so $lib/gdb-why-jitreader.so $lib/gdb-why-shapes.o $lib/why-spec.h $lib/why.sh "
for page in gdbext/doc/*.md; do want="$want./opt/why/share/doc/gdb-why/${page##*/} "; done
want="$want./opt/why/share/gdb-why/frameworks.conf "
# What tells the answers is packed, so that a student does not come upon it.
for file in samples/lessons/*/*; do
	case $file in */lesson.ini | */golden.c | */tests.txt) file=$file.gz ;; esac
	want="$want./opt/why/share/gdb-why/${file#samples/} "
done
want="$want./opt/why/share/gdb-why/why.gdb "
for page in gdbext/doc/*.1; do want="$want./opt/why/share/man/man1/${page##*/} "; done
[ "$got" = "$want" ] || { echo "installed: $got"; exit 1; }
"$tmp/opt/why/bin/gdb-why" --version | grep -q '^gdb-why [0-9]' || exit 1
grep -q "'/opt/why/lib/gdb-why/why.sh' ask" "$tmp/opt/why/share/gdb-why/why.gdb" || { echo "why.gdb is not filled in"; exit 1; }
grep -q 'max.-runs' "$tmp/opt/why/share/man/man1/gdb-why-explain.1" || { echo "the man page is not filled in"; exit 1; }
GDB_WHY_LESSONS='' "$tmp/opt/why/bin/gdb-why" lesson | grep -q '^ 1  infection' || { echo "the course is not found"; exit 1; }
fault=$(sed -n 's/^wrong=//p' samples/lessons/infection/lesson.ini | head -n 1)
grep -rqF -- "$fault" "$tmp/opt/why/share/gdb-why" && { echo "the course tells the fault: $fault"; exit 1; }
GDB_WHY_LESSONS='' XDG_DATA_HOME="$tmp.data" "$tmp/opt/why/bin/gdb-why" lesson start infection "$tmp.given" >/dev/null &&
	grep -qF -- "$fault" "$tmp.given/program.c" || { echo "the installed lesson cannot be started"; exit 1; }
rm -rf "$tmp.given" "$tmp.data"
run uninstall || { cat "$tmp.log"; exit 1; }
left=$(find "$tmp" -type f -o -name gdb-why)
rm -f "$tmp.log"
[ -z "$left" ] || { echo "left behind: $left"; exit 1; }
