#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# `make bench-truth': each value that gdb-why shows is asked of a plain GDB at the same instance,
# and what `try', `flip', `what-if' and `goto' say is compared with the answer: of samples, foreign
# programs, those of the order benchmark, and generated ones in C and C++, at -O0, -Og and -O2.
# Prints a row for each and, at the end, values compared, unknown to GDB, and false, and how many
# each door had.  TRUTH_ASKS: questions for each program; TRUTH_SEEDS: generated programs of each
# kind, from TRUTH_FIRST on; TRUTH_KINDS: which; TRUTH_PROGRAMS: files, in place of all, or `none';
# TRUTH_EXPLAINED: of so many seeds one is explained, too, because a search costs much more than
# questions; TRUTH_LEVELS: options of the compiler; TRUTH_MOST: ends when so many values were compared.
. tests/support/samples-lib.sh
need_tool
command -v gdb >/dev/null || { echo "gdb is not installed"; exit 77; }

rows=$dir/rows
: >"$rows"

# judge FILE OPTION ARGUMENT...
judge() {
	from=$1 option=$2
	shift 2
	name=$(basename "$from")
	name=${name%.c*}
	compile=$CC
	[ "$from" = "${from%.cc}" ] || compile=${CXX:-g++}
	# -g3: GDB knows macros, too; csmith's header stands in a folder of its own
	"$compile" -g3 "$option" -w -I/usr/include/csmith -o "$dir/$name$option" "$from" -lm 2>/dev/null ||
		return 0
	mkdir -p "$dir/work"
	TRUTH_PANEL=
	[ "$option" != -O0 ] || ! command -v tmux >/dev/null || TRUTH_PANEL=1
	export TRUTH_PANEL
	TRUTH_STDIN=${stdin:-/dev/null} timeout 900 python3 tests/support/truth-driver.py "$WHY_BIN" \
		"$dir/$name$option" "$from" "${TRUTH_ASKS:-200}" "$dir/work" "$@" >"$dir/judged" \
		2>"$dir/trouble" || { echo "$name$option: not judged: $(tail -n 1 "$dir/trouble")"; return 0; }
	printf '%s %s\n' "$name$option" "$(sed 1q "$dir/judged")" | tee -a "$rows"
	sed -n '/^false/p' "$dir/judged"
	awk -v most="${TRUTH_MOST:-0}" '{ n += $2 } END { exit !(most && n >= most) }' "$rows" && finish
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

finish() {
	awk '{ n += $2; u += $3; f += $4
		for (i = 5; i <= NF; i++) { split($i, d, ":"); of[d[1]] += d[2] } }
	END {
		printf "%d values compared, %d not known to GDB, %d false\n", n, u, f
		for (door in of) printf "%s:%d ", door, of[door]
		print ""
	}' "$rows"
	exit 0
}

# generate KIND SEED FILE
generate() {
	case $1 in
	csmith)
		# its sum becomes an assertion that fails
		# it leaves a file where it is started
		(cd "$dir" && csmith --seed "$2" --no-argc --no-volatiles --max-funcs 4 --max-block-depth 2 \
			--max-block-size 3 --max-expr-complexity 4 --no-packed-struct 2>/dev/null) |
			sed 's/^#include "csmith.h"/&\n#include <assert.h>/
				s/^ *platform_main_end.*/&\n    assert(crc32_context == 12345);/' >"$3"
		;;
	*) python3 "tests/support/truth-$1.py" "$2" >"$3" ;;
	esac
}

if [ "${TRUTH_PROGRAMS:-}" != none ]; then
	for program in ${TRUTH_PROGRAMS:-samples/*.c tests/foreign/*.c tests/bench/programs/*.c}; do
		arguments "$program"
		stdin=
		[ -z "$(field "$program" stdin)" ] || stdin=$dir/stdin
		rest=$arguments
		levels "$program"
	done
fi
stdin=
seed=${TRUTH_FIRST:-1}
end=$((seed + ${TRUTH_SEEDS:-40}))
while [ "$seed" -lt "$end" ]; do
	TRUTH_ASKS_ONLY=
	[ $((seed % ${TRUTH_EXPLAINED:-1})) -eq 0 ] || TRUTH_ASKS_ONLY=1
	export TRUTH_ASKS_ONLY
	for kind in ${TRUTH_KINDS:-types flow data scope cxx library csmith}; do
		suffix=c
		case $kind in cxx | library) suffix=cc ;; esac
		[ "$kind" != csmith ] || command -v csmith >/dev/null || continue
		generate "$kind" "$seed" "$dir/$kind$seed.$suffix" || exit 1
		rest="abc 17"
		levels "$dir/$kind$seed.$suffix"
	done
	seed=$((seed + 1))
done
finish
