#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What recording costs, beside what else follows a program at this level.
#
#   tests/bench/record.sh [PROGRAM...]      (loop bc lua gzip sqlite bzip2)
#
# Prints a row a program and optimization:
#
#   native    seconds of processor time alone: the best of three, as all that is measured in whole
#   jit, step recorded (into memory), as multiples of native
#   window    jit, when only the last million instructions are kept, as `ask' does first
#   stepi     GDB's `stepi N', which goes through libraries as well: its rate, and
#             what the traced instructions would have taken at it, as a multiple
#   full      GDB's `record full', likewise; "refuses" where it gives up
#   none, lackey   valgrind --tool=none, and lackey --trace-mem=yes, by the clock, as multiples;
#             ">" where that had not ended after 20 seconds
#             (RECORD_SHORT=1 leaves the columns from step to lackey out)
#   Minsn, bytes   millions of instructions in the record, and its bytes an instruction
set -u
case ${BUILD:-} in '') BUILD=$(pwd)/build/plain ;; esac
. tests/support/real-lib.sh
driver=$BUILD/tests/drivers/run-plan
agent=${WHY_AGENT:-$BUILD/gdb-why-agent.so}
steps=20000
[ -x "$driver" ] || { echo "record.sh: $driver is not there" >&2; exit 2; }
need_tools apt-get dpkg-source make gdb awk
fetch bc bzip2 gzip lua5.4 sqlite3 || { echo "cannot fetch sources from Debian" >&2; exit 77; }
memory=/dev/shm
[ -w "$memory" ] || memory=${TMPDIR:-/tmp}
work=$(mktemp -d "$memory/gdb-why-bench.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
ulimit -c 0

now() {
	date +%s.%N
}

# compute EXPRESSION: with three digits.
compute() {
	awk "BEGIN { printf \"%.3f\", $1 }"
}

# recorded OPTION PROGRAM...: "seconds instructions bytes" of its run; --plain: without the recorder.
recorded() {
	option=$1
	shift
	rm -rf "$work/record"
	mkdir "$work/record"
	"$driver" "$agent" "$work/record" --max-bytes=4000000000 --measure="$work/measure" $option "$@" \
		>/dev/null 2>&1 </dev/null
	cat "$work/measure"
	rm -rf "$work/record"
}

# best OPTION PROGRAM...: the same of the fastest of three runs.
best() {
	for _ in 1 2 3; do recorded "$@"; done | sort -n | head -n 1
}

# in_gdb FILE PROGRAM...: seconds that GDB takes for its commands in FILE, from main on.
in_gdb() {
	commands=$1
	shift
	began=$(now)
	timeout -k 2 60 gdb -nx -batch -ex 'set confirm off' -ex 'break main' -ex 'run >/dev/null' \
		-x "$commands" -ex kill --args "$@" >"$work/gdb" 2>&1 </dev/null
	compute "$(now) - $began"
}

# stepi_rate PROGRAM...: instructions a second of `stepi N'; full_rate: with `record full'.
stepi_rate() {
	echo stepi >"$work/one.gdb"
	echo "stepi $steps" >"$work/many.gdb"
	short=$(in_gdb "$work/one.gdb" "$@")
	long=$(in_gdb "$work/many.gdb" "$@")
	compute "$steps / ($long - $short + 0.0001)"
}

full_rate() {
	for n in 1 2000; do
		printf 'record full\nset record full stop-at-limit off\nstepi %s\n' $n >"$work/full-$n.gdb"
	done
	short=$(in_gdb "$work/full-1.gdb" "$@")
	long=$(in_gdb "$work/full-2000.gdb" "$@")
	if grep -q 'does not support\|Process record: failed' "$work/gdb"; then
		echo refuses
		return
	fi
	compute "2000 / ($long - $short + 0.0001)"
}

# refused PROGRAM...: does `record full' give up within some seconds?
refused() {
	printf 'record full\nset record full stop-at-limit off\ncontinue\n' >"$work/on.gdb"
	timeout -k 1 8 gdb -nx -batch -ex 'set confirm off' -ex 'break main' -ex 'run >/dev/null' \
		-x "$work/on.gdb" --args "$@" >"$work/gdb" 2>&1 </dev/null
	grep -q 'does not support\|Process record: failed' "$work/gdb"
}

# multiple RATE: what the record's instructions would take at it.
multiple() {
	awk "BEGIN { printf \"%.0f\", $insns / $1 / $native }"
}

ratio() {
	awk "BEGIN { x = $1 / $native; printf x < 100 ? \"%.1f\" : \"%.0f\", x }"
}

valgrind_times() {
	command -v valgrind >/dev/null || { echo -; return; }
	began=$(now)
	timeout -k 1 20 valgrind --log-file=/dev/null "$@" >/dev/null 2>&1 </dev/null && least= || least='>'
	echo "$least$(ratio "$(compute "$(now) - $began")")"
}

# row NAME PROGRAM ARGS...
row() {
	name=$1
	shift
	native=$(best --plain "$@" | cut -d ' ' -f 1)
	jit=$(best --jit "$@")
	window=$(best "--jit --window=1000000" "$@")
	insns=$(echo "$jit" | cut -d ' ' -f 2)
	ratio "${jit%% *}" >>"$work/jit"
	ratio "${window%% *}" >>"$work/window"
	echo | tee -a "$work/window" >>"$work/jit"
	if [ "${RECORD_SHORT:-}" ]; then
		printf '%-10s %7.3f %6s %6s %7.1f %6.2f\n' "$name" "$native" "$(ratio "${jit%% *}")" \
			"$(ratio "${window%% *}")" "$(compute "$insns / 1e6")" \
			"$(compute "$(echo "$jit" | cut -d ' ' -f 3) / $insns")"
		return
	fi
	step=$(recorded "" "$@")
	rate=$(stepi_rate "$@")
	full=$(full_rate "$@")
	refused "$@" && full=refuses
	[ "$full" = refuses ] || full=$(multiple "$full")
	printf '%-10s %7.3f %6s %6s %6s %9.0f/s %8s %8s %6s %7s %7.1f %6.2f\n' "$name" "$native" \
		"$(ratio "${jit%% *}")" "$(ratio "${window%% *}")" "$(ratio "${step%% *}")" "$rate" "$(multiple "$rate")" "$full" \
		"$(valgrind_times --tool=none "$@")" \
		"$(valgrind_times --tool=lackey --trace-mem=yes "$@")" \
		"$(compute "$insns / 1e6")" "$(compute "$(echo "$jit" | cut -d ' ' -f 3) / $insns")"
	compute "${step%% *} / ${jit%% *}" >>"$work/faster"
	echo >>"$work/faster"
}

median() {
	sort -n "$1" | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

for _ in $(seq 40); do cat COPYING; done | head -c 1000000 >"$work/text"
head -c 300000 "$work/text" >"$work/short"
cat >"$work/script.lua" <<'END'
local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
print(fib(24))
local t, s = {}, 0
for i = 1, 30000 do t[i] = (i * 7919) % 10007 end
table.sort(t)
for i = 1, #t do s = s + t[i] * 0.5 end
print(s)
END
cat >"$work/script.bc" <<'END'
define f(n) { if (n < 2) return (n); return (f(n - 1) + f(n - 2)) }
f(18)
scale = 300
for (i = 1; i < 60; i++) s += sqrt(i) / (i * i + 1)
s
END
cat >"$work/query.sql" <<'END'
create table t(a integer primary key, b int, c text);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000)
	insert into t select i, (i * 7919) % 10007, 'x' || (i % 97) from n;
create index tb on t(b);
select c, count(*), sum(b) from t group by c order by 2 desc, 1 limit 3;
select sum(t.b * u.a) from t, t u where t.a = u.b and u.a < 15000;
END

# program NAME OPTIMIZATION: one row.
program() {
	case $1 in
	loop)
		$CC -w -g "$2" -o "$work/loop$2" tests/bench/loop.c &&
			row "loop $2" "$work/loop$2" 20000
		return
		;;
	lua) source=lua5.4 ;;
	sqlite) source=sqlite3 ;;
	*) source=$1 ;;
	esac
	name=$1
	built "$source" "$2" || { echo "$source does not build" >&2; exit 1; }
	case $1 in
	bc) row "$name $2" "$program" -q "$work/script.bc" ;;
	lua) row "$name $2" "$program" "$work/script.lua" ;;
	sqlite) row "$name $2" "$program" -batch :memory: ".read $work/query.sql" ;;
	gzip) row "$name $2" "$program" -c "$work/text" ;;
	bzip2) row "$name $2" "$program" -zkc "$work/short" ;;
	*) echo "record.sh: what is $1?" >&2; exit 2 ;;
	esac
}

if [ "${RECORD_SHORT:-}" ]; then
	printf '%-10s %7s %6s %6s %7s %6s\n' "" native jit window Minsn bytes
else
	printf '%-10s %7s %6s %6s %6s %11s %8s %8s %6s %7s %7s %6s\n' "" native jit window step "stepi" stepi \
		full none lackey Minsn bytes
fi
[ $# -gt 0 ] || set -- loop bc lua gzip sqlite bzip2
for p; do
	for level in -O0 -O2; do
		program "$p" "$level"
	done
done
echo "jit: $(median "$work/jit") times native, and $(median "$work/window") with a window (medians)"
[ "${RECORD_SHORT:-}" ] || echo "jit: $(median "$work/faster") times as fast as step (median)"
