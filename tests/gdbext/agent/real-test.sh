#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The self-check on real programs, with both engines, which have to agree: Debian's
# sources of bzip2, ed, lua5.4 and mawk, run on small real inputs, some built with -g -O0 and some
# with -g -O2; with THOROUGH=1 each with both, and bc, gzip and sqlite3 too.
# timeout: 900
[ -x "$WHY_BIN" ] && [ -r "$WHY_AGENT" ] || { echo "gdb-why is not built"; exit 77; }
. tests/support/real-lib.sh
need_tools apt-get dpkg-source make
failures=0
checked=0
here=$(pwd)

complain() {
	echo "FAILED $*"
	failures=$((failures + 1))
}

# record_both WHAT INPUT PROGRAM [ARGUMENT...]: by both engines; what differs is in $real/err.
record_both() {
	what=$1 from=$2
	shift 2
	"$@" <"$from" >"$real/alone" 2>/dev/null
	for engine in step jit; do
		rm -rf "$real/record"
		mkdir "$real/record"
		options=--fixed-random
		[ "$engine" = jit ] && options="$options --jit --same-as=$real/record.step"
		# shellcheck disable=SC2086
		"$within" 120 "$BUILD/tests/drivers/run-plan" "$WHY_AGENT" "$real/record" $options "$@" \
			<"$from" >"$real/out" 2>"$real/err"
		rm -rf "$real/record.$engine"
		mv "$real/record" "$real/record.$engine"
		cmp -s "$real/alone" "$real/out" || complain "$what: prints something else with $engine"
	done
	rm -rf "$real/record.step" "$real/record.jit"
}

# agree WHAT INPUT PROGRAM [ARGUMENT...]: both engines make the same record, and the
# program prints the same as alone.  A program that asks for the time may get the next second
# in the other run, but hardly three times.
agree() {
	for attempt in 1 2 3; do
		record_both "$@"
		grep -q '^run-plan' "$real/err" || return
		sed "s/^/attempt $attempt: /" "$real/err"
	done
	complain "$1: the engines' records differ"
}

# check NAME OPTIMIZATION INPUT [ARGUMENT...]
check() {
	name=$1 level=$2 input=$3
	shift 3
	built "$name" "$level" ||
		{ complain "$name $level: does not build: $(tail -n 1 "$program.log")"; return; }
	for engine in step jit; do
		"$within" 120 "$WHY_BIN" explain --check --engine=$engine --stdin "$input" \
			-- "$program" "$@" >"$real/out" 2>"$real/err" ||
			complain "$name $level: --check --engine=$engine ended with $?: $(head -n 1 "$real/err")"
		sed "s|^|$name $level, $engine: |" "$real/out" | tail -n 1
	done
	agree "$name $level" "$input" "$program" "$@"
	checked=$((checked + 1))
}

packages='bzip2 ed lua5.4 mawk'
[ -z "${THOROUGH:-}" ] || packages="$packages bc gzip sqlite3"
# shellcheck disable=SC2086
fetch $packages || {
	echo "cannot fetch sources from Debian: $(tail -n 1 "$real/log")"
	exit 77
}

head -c 2000 "$here/COPYING" >"$real/text"
printf 'a\nhello world\nfoo\nbar\n.\n1,$s/o/0/g\n,p\ng/b/d\n,n\nu\n/w.*d/p\nq\nq\n' >"$real/script.ed"
cat >"$real/script.lua" <<'END'
math.randomseed(1)
local t = {}
for i = 1, 30 do t[i] = (i * 7919) % 101 end
table.sort(t, function(a, b) return a > b end)
print(#t, string.format("%5.2f", t[1] / 7), ("hello"):upper())
print(pcall(function() error("x") end))
local co = coroutine.wrap(function(a) return coroutine.yield(a + 1) * 2 end)
print(co(1), co(5), ("abc def"):gsub("%w+", string.reverse), -7 % 3, 1 << 40, 2 ^ 10 // 3)
END
cat >"$real/script.sql" <<'END'
create table t(a integer primary key, b int, c text);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 200)
	insert into t select i, (i * 7919) % 107, 'x' || (i % 17) from n;
create index tb on t(b);
select c, count(*), sum(b) from t group by c order by 2 desc, 1 limit 3;
select sum(t.b * u.a), avg(t.b) from t, t u where t.a = u.b and u.a < 150;
END
cat >"$real/script.bc" <<'END'
scale = 20
define f(n) { if (n < 2) return (1); return (n * f(n - 1)) }
f(25); 2 ^ 200 % 1000007; sqrt(2) / 3
for (i = 0; i < 5; i++) { a[i] = i * 7 % 5; print a[i], " " }
obase = 16; 255 * 255
END
cat >"$real/script.awk" <<'END'
{ for (i = 1; i <= NF; i++) n[tolower($i)]++; s += length($0) }
/the/ { gsub(/[aeiou]/, "-"); last = substr($0, 1, 30) }
END { for (w in n) if (n[w] > 5) k += n[w]; printf "%d %d %s %.3f\n", s, k, last, log(NR) }
END
# bc is built with the help of ed.
check_bc() { command -v ed >/dev/null && check bc "$1" "$real/script.bc" -q; }
# without a seed from the clock, which may tick between two recordings
check_mawk() { check mawk "$1" "$real/text" -W random=1 -f "$real/script.awk"; }
check_bzip2() { check bzip2 "$1" "$real/text" -zc; }
check_gzip() { check gzip "$1" "$real/text" -c; }
check_ed() { check ed "$1" "$real/script.ed" -s; }
check_lua() { check lua5.4 "$1" /dev/null "$real/script.lua"; }
check_sqlite3() { check sqlite3 "$1" "$real/script.sql" -batch :memory:; }
if [ "${THOROUGH:-}" ]; then
	for level in -O0 -O2; do
		for each in bc mawk bzip2 gzip ed lua sqlite3; do
			check_$each $level
		done
	done
else
	check_bzip2 -O0
	check_ed -O2
	check_lua -O0
	check_mawk -O2
fi
echo "$checked runs checked"
[ "$failures" -eq 0 ]
