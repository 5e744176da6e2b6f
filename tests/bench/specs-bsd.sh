#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The red-black tree of BSD's sys/tree.h, as Debian's libbsd-dev has it, with faults: the rank of the faulty
# line, tests, and CPU seconds, user and system.  11: it is not among the ten that are shown.
#
#     make bench-specs-bsd
set -u
CC=${CC:-gcc}
here=$PWD/tests/bench/bsd
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
ulimit -c 0

header=/usr/include/bsd/sys/tree.h
if [ ! -e "$header" ]; then
	apt-get -q download -o APT::Sandbox::User= libbsd-dev >fetched 2>&1 && dpkg-deb -x libbsd-dev_*.deb unpacked || {
		tail -3 fetched
		echo 'libbsd-dev could not be fetched by apt-get download; install it'
		exit 77
	}
	header=unpacked$header
fi
mkdir sys && sed '/cdefs.h>/d' "$header" >sys/tree.h || exit 1
# The macros are written out, a statement a line.
$CC -E -P -I. -D__unused= "$here/tree.c" >expanded && clang-format --style='{ColumnLimit: 100}' <expanded >right.c || exit 1

# fault NAME FUNCTION N TEXT OTHER ARGS...: in the Nth line of the function that has the text stands the other.
fault() {
	local name=$1
	line=$(awk -v start="tree_$2(struct tree *head" -v n="$3" -v text="$4" -v other="$5" '
		index($0, start) { inside = 1 }
		inside && (at = index($0, text)) && !--n { print NR >"line"
			$0 = substr($0, 1, at - 1) other substr($0, at + length(text)) }
		/^}/ { inside = 0 }
		{ print }' right.c >tree.c; cat line)
	[ -n "$line" ] && rm line && $CC -g -O0 -w -o tree tree.c || { echo "tree.h has no such line: $name"; return 1; }
	shift 5
	TIMEFORMAT='%U %S'
	spent=$( { time "$WHY_BIN" specs --input heap --timeout 120 --spec "$here/tree-spec.c" -- ./tree "$@" \
		>out 2>err </dev/null; } 2>&1 | awk '{ printf "%.1f", $1 + $2 }')
	rank=$(sed -nE "/^another fault/q; s/^ +([0-9]+)  [0-9.]+ [0-9.]+  tree.c:$line  .*/\1/p" out | head -1)
	printf '%-34s %5s %6s %7s\n' "$name" "${rank:-11}" "$(sed '/^another fault/q' out | grep -cE '^  [0-9]+: ')" "$spent"
}
printf '%-34s %5s %6s %7s\n' fault rank tests 'CPU s'
fault 'rotation: a wrong child' RB_INSERT_COLOR 2 '(tmp)->entry.rbe_left) !=' '(tmp)->entry.rbe_right) !=' 1 2 3
fault 'rotation: a wrong parent' RB_INSERT_COLOR 2 '(gparent)->entry.rbe_parent = (tmp)' '(gparent)->entry.rbe_parent = (gparent)' 1 2 3
fault 'insert: the uncle stays red' RB_INSERT_COLOR 2 '(tmp)->entry.rbe_color = 0' '(tmp)->entry.rbe_color = 1' 1 2 3 4
fault 'insert: the grandparent stays black' RB_INSERT_COLOR 4 '(gparent)->entry.rbe_color = 1' '(gparent)->entry.rbe_color = 0' 1 2 3 4 5 6
fault "remove: the child's parent" RB_REMOVE 2 '(child)->entry.rbe_parent = parent' '(child)->entry.rbe_parent = elm' 2 1 3 4 -3
fault 'remove: a wrong colour' RB_REMOVE 1 'if (color == 0)' 'if (color == 1)' 1 2 3 4 -1
