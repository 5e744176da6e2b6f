#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# limits: any
# timeout: 300
#
# No false value, ever: what explain and `why VARIABLE' show, back to where it came from, is asked
# of a plain GDB at the same instance.  GDB's value is shown, or nothing.  Samples, foreign programs and generated ones,
# plain and optimized.  VALUES_ASKS: questions for each program; VALUES_SEEDS: generated programs;
# VALUES_PROGRAMS: files, in place of a few.  `make bench-truth' asks for more.
. tests/support/samples-lib.sh
need_tool
command -v gdb >/dev/null || { echo "gdb is not installed"; exit 77; }
gdb -nx -batch -ex 'python pass' 2>&1 | grep -q . && { echo "this GDB has no Python"; exit 77; }

total=0 unknown=0 false=0

# judge SOURCE PROGRAM ARGUMENT...
judge() {
	from=$1 program=$2
	shift 2
	python3 tests/support/truth-driver.py "$WHY_BIN" "$program" "$from" \
		"${VALUES_ASKS:-3}" "$dir" "$@" >"$dir/judged" ||
		{ complain "$program: could not be judged"; return; }
	read -r n u f _ <"$dir/judged"
	total=$((total + n)) unknown=$((unknown + u)) false=$((false + f))
	sed -n '/^false/p' "$dir/judged"
}

# both SOURCE ARGUMENT...: without the optimizer, and with it; without THOROUGH=1 in turns.
o=-O2
both() {
	of=$1
	shift
	name=$(basename "$of" .c)
	[ "$o" = -O2 ] && levels=-O0 || levels=-O2
	for o in $([ "${THOROUGH:-}" ] && echo -O0 -O2 || echo "$levels"); do
		gcc -g $o -w -o "$dir/$name$o" "$of" -lm || { complain "$of: does not compile"; return; }
		judge "$of" "$dir/$name$o" "$@"
	done
}

for sample in ${VALUES_PROGRAMS:-samples/paper.c tests/foreign/gcd.c tests/foreign/sortedlist.c}; do
	[ -z "$(field "$sample" stdin)" ] || continue
	arguments "$sample"
	# shellcheck disable=SC2086
	both "$sample" $arguments
done
seed=1
while [ "$seed" -le "${VALUES_SEEDS:-$([ "${THOROUGH:-}" ] && echo 3 || echo 1)}" ]; do
	python3 tests/support/truth-types.py "$seed" >"$dir/random$seed.c"
	both "$dir/random$seed.c" abc 17
	seed=$((seed + 1))
done
echo "$total values compared, $unknown not known to GDB, $false false"
[ "$false" -eq 0 ] || complain "$false values are false"
[ "$total" -gt 60 ] || ! default_limits || complain "only $total values were compared"
finish
