#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# `make bench-truth': each value that answers show is asked of a plain GDB at the same instance:
# samples, foreign programs, those of the order benchmark, and generated ones, at -O0, -Og and
# -O2.  Prints a row for each and, at the end, values compared, unknown to GDB, and false.
# TRUTH_ASKS: questions for each program; TRUTH_SEEDS: generated programs of each kind;
# TRUTH_PROGRAMS: files, in place of all; TRUTH_LEVELS: options of the compiler.
. tests/support/samples-lib.sh
need_tool
command -v gdb >/dev/null || { echo "gdb is not installed"; exit 77; }

rows=$dir/rows
: >"$rows"

# judge FILE OPTION ARGUMENT...
judge() {
	from=$1 option=$2
	shift 2
	name=$(basename "$from" .c)
	"$CC" -g "$option" -w -o "$dir/$name$option" "$from" -lm 2>/dev/null || return 0
	mkdir -p "$dir/work"
	TRUTH_STDIN=${stdin:-/dev/null} timeout 900 python3 tests/support/truth-driver.py "$WHY_BIN" \
		"$dir/$name$option" "$from" "${TRUTH_ASKS:-60}" "$dir/work" "$@" >"$dir/judged" \
		2>"$dir/trouble" || { echo "$name$option: not judged: $(tail -n 1 "$dir/trouble")"; return 0; }
	printf '%s %s\n' "$name$option" "$(sed 1q "$dir/judged")" | tee -a "$rows"
	sed -n '/^false/p' "$dir/judged"
	rm -f "$dir/$name$option"
}

levels() {
	for level in ${TRUTH_LEVELS:--O0 -Og -O2}; do
		case $1 in
		-*) ;;
		*) judge "$1" "$level" $rest ;;
		esac
	done
}

for program in ${TRUTH_PROGRAMS:-samples/*.c tests/foreign/*.c tests/bench/programs/*.c}; do
	arguments "$program"
	stdin=
	[ -z "$(field "$program" stdin)" ] || stdin=$dir/stdin
	rest=$arguments
	levels "$program"
done
stdin=
seed=1
while [ "$seed" -le "${TRUTH_SEEDS:-40}" ]; do
	for kind in types flow; do
		python3 tests/support/truth-$kind.py "$seed" >"$dir/$kind$seed.c" || exit 1
		rest="abc 17"
		levels "$dir/$kind$seed.c"
	done
	seed=$((seed + 1))
done
awk '{ n += $2; u += $3; f += $4 } END { printf "%d values compared, %d not known to GDB, %d false\n", n, u, f }' "$rows"
