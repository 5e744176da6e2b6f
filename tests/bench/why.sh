#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# How long `why EXPR' takes to answer on a run of some ten million instructions, beside
# GDB, which only runs the program.
#
#   tests/bench/why.sh [PROGRAM...]      (loop bc lua)
#
# Prints a row a program and optimization: millions of instructions until the end, seconds
# of processor time (user and system, all processes; the best of five, in turns) of GDB
# and of gdb-why, and the ratio of these.
set -u
case ${BUILD:-} in '') BUILD=$(pwd)/build/plain ;; esac
. tests/support/real-lib.sh
driver=$BUILD/tests/drivers/run-plan
agent=${WHY_AGENT:-$BUILD/gdb-why-agent.so}
why=${WHY_BIN:-$BUILD/gdb-why}
[ -x "$driver" ] && [ -x "$why" ] || { echo "why.sh: gdb-why is not built" >&2; exit 2; }
need_tools gdb awk
[ $# -gt 0 ] || set -- loop bc lua
work=$(mktemp -d "${TMPDIR:-/tmp}/gdb-why-bench.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
ulimit -c 0

# cpu COMMAND...: seconds of processor time of it and of what it started.
cpu() {
	("$@" >"$work/out" 2>"$work/err" </dev/null; times) |
		awk 'NR == 2 { split($0, t, /[ms ]+/); print t[1] * 60 + t[2] + t[3] * 60 + t[4] }'
}

least() {
	sort -n "$1" | head -n 1
}

# row NAME PLACE QUESTION PROGRAM ARGS...
row() {
	name=$1 place=$2 question=$3
	shift 3
	mkdir "$work/record"
	"$driver" "$agent" "$work/record" --jit --measure="$work/measure" "$@" >/dev/null 2>&1 </dev/null
	rm -rf "$work/record" "$work/gdb" "$work/why"
	for _ in 1 2 3 4 5; do
		cpu gdb -nx -batch -ex run --args "$@" >>"$work/gdb"
		cpu "$why" ask --at "$place" "$question" -- "$@" >>"$work/why"
		grep -q ' from ' "$work/out" ||
			{ echo "why.sh: $name: no answer: $(head -n 1 "$work/err")" >&2; exit 1; }
	done
	awk -v name="$name" -v insns="$(cut -d ' ' -f 2 "$work/measure")" \
		-v gdb="$(least "$work/gdb")" -v why="$(least "$work/why")" \
		'BEGIN { printf "%-10s %7.1f %7.2f %7.2f %6.1f\n", name, insns / 1e6, gdb, why, why / gdb }'
}

cat >"$work/script.lua" <<'END'
local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
local x = fib(tonumber(arg[1]))
string.dump(fib)
END
cat >"$work/script.bc" <<'END'
define f(n) { if (n < 2) return (n); return (f(n - 1) + f(n - 2)) }
f(16)
quit
END

# program NAME OPTIMIZATION: one row.
program() {
	case $1 in
	loop)
		line=$(grep -n printf tests/bench/loop.c | cut -d : -f 1)
		rounds=300
		[ "$2" = -O2 ] && rounds=700
		$CC -w -g "$2" -o "$work/loop$2" tests/bench/loop.c &&
			row "loop $2" "loop.c:$line" 'why a[7]' "$work/loop$2" $rounds
		;;
	bc)
		built bc "$2" || { echo "bc does not build" >&2; exit 1; }
		row "bc $2" bc_out_num 'why num->n_value[0]' "$program" -q "$work/script.bc"
		;;
	lua)
		built lua5.4 "$2" || { echo "lua5.4 does not build" >&2; exit 1; }
		deep=20
		[ "$2" = -O2 ] && deep=21
		row "lua $2" luaU_dump 'why L->nCcalls' "$program" "$work/script.lua" $deep
		;;
	*)
		echo "why.sh: what is $1?" >&2
		exit 2
		;;
	esac
}

wanted=$(echo "$*" | tr ' ' '\n' | sed -n 's/^bc$/bc/p; s/^lua$/lua5.4/p')
if [ "$wanted" ]; then
	need_tools apt-get dpkg-source make
	# shellcheck disable=SC2086
	fetch $wanted || { echo "cannot fetch sources from Debian" >&2; exit 77; }
fi
printf '%-10s %7s %7s %7s %6s\n' "" Minsn gdb why ratio
for p; do
	for level in -O0 -O2; do
		program "$p" "$level"
	done
done
