#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Backtraces that the real GDB takes while the recorder runs the program are those
# of a plain run: at a crash, an assertion, an abort under qsort, a watchpoint that
# strikes in the middle of a block, and after each of many single instructions (of
# optimized code; with THOROUGH=1 of other code, too).
# Frames of the recorder's own may stand before them.  timeout: 240
. tests/support/jitreader-lib.sh
. tests/support/watch.sh

# compare NAME ENGINE WHAT GDB-ARGUMENT...
compare() {
	name="$1 at -O$o, engine ${2:---step}"
	engine=$2
	what=$3
	shift 3
	debug "$what" "$@" >"$dir/plain.out"
	recorded "$engine" "$what" "$@" >"$dir/recorded.out"
	frames <"$dir/plain.out" >"$dir/plain"
	frames <"$dir/recorded.out" >"$dir/recorded"
	compared=$((compared + 1))
	grep -q 'main (' "$dir/plain" || complain "$name: no backtrace in the plain run"
	cmp -s "$dir/plain" "$dir/recorded" && return
	complain "$name: the backtraces differ"
	diff "$dir/plain" "$dir/recorded"
	tail -n 25 "$dir/recorded.out"
}

# working NAME FILE: two threads work, and nothing on their stacks is unknown.
working() {
	compared=$((compared + 1))
	[ "$(grep -Ec '^#[0-9]+ +(0x[0-9a-f]+ in )?work \(n=' "$2")" = 2 ] &&
		[ "$(grep -Ec '^#[0-9]+ +(0x[0-9a-f]+ in )?worker \(arg=' "$2")" = 2 ] && return
	complain "threads at -O$o, $1"
	cat "$2"
}

# A line for each stop: its frames, those before the innermost of the program's
# left out.  What is not yet initialized may be anything, so arguments count in
# callers only.  With "cached" stops elsewhere than in the recorder's code are left out.
stops() {
	sed 's/0x7ff[0-9a-f]*/STACK/g' | awk -v cached="$1" '
	function flush() { if (line != "" && (!cached || in_cache)) print line; line = ""; in_cache = 0 }
	/^@@/ { flush(); next }
	/^#[0-9]/ {
		if (/^#0 .*<recorded code>/) in_cache = 1
		sub(/^#[0-9]+ +/, ""); sub(/^0x[0-9a-f]+ in /, "")
		if (/^<recorded code>/) { line = ""; next }
		if (line == "") sub(/\(.*\) at/, "() at")
		line = line "; " $0
	}
	/Backtrace stopped/ { line = line "; STOPPED" }
	END { flush() }'
}

# after_each COUNT: GDB commands, a backtrace after each of so many instructions.
after_each() {
	cat >"$dir/each.gdb" <<-END
		set \$i = 0
		while \$i < $1
		  stepi
		  printf "@@ %d\n", \$i
		  bt
		  set \$i = \$i + 1
		end
	END
}

# stepped ENGINE COUNT: what GDB shows after each instruction that the recorder
# executes is what it shows after one of the program's own.
stepped() {
	name="single steps at -O$o, engine ${1:---step}"
	after_each 4000
	debug sort -ex 'break getppid' -ex run -ex 'tbreak qsort' -ex continue \
		-x "$dir/each.gdb" | stops | sort -u >"$dir/plain"
	after_each "$2"
	recorded "$1" sort -ex 'break getppid' -ex run -ex 'tbreak qsort' -ex continue \
		-x "$dir/each.gdb" >"$dir/recorded.out"
	stops cached <"$dir/recorded.out" >"$dir/all"
	sort -u "$dir/all" >"$dir/recorded"
	compared=$((compared + 1))
	seen=$(grep -c . "$dir/recorded")
	[ "$seen" -ge 20 ] || complain "$name: only $seen different backtraces"
	comm -13 "$dir/plain" "$dir/recorded" >"$dir/other"
	[ -s "$dir/other" ] || return
	complain "$name: $(grep -c . "$dir/other") of $seen backtraces are none of a plain run"
	head -n 5 "$dir/other"
}

for o in 0 2; do
	build $o
	for engine in --jit ''; do
		# the engine that users have; the other one with optimized code, with THOROUGH=1 all
		[ "$engine" ] || [ $o = 2 ] || [ "${THOROUGH:-}" ] || continue
		compare crash "$engine" crash -ex run -ex bt
		compare assertion "$engine" assert -ex run -ex bt
		compare 'abort under qsort' "$engine" abort -ex run -ex bt
	done
	compare watchpoint --jit sort -ex 'break getppid' -ex run \
		-ex "$watching" -ex 'watch total if total % 4 == 2' -ex continue -ex bt -ex continue -ex bt
	[ $o = 0 ] && [ -z "${THOROUGH:-}" ] || stepped --jit 3000
	debug threads -ex 'break getpgrp' -ex run -ex 'thread apply all bt' >"$dir/threads"
	working plain "$dir/threads"
	for engine in --jit ''; do
		recorded "$engine" threads -ex 'break getpgrp' -ex run -ex 'thread apply all bt' \
			>"$dir/threads"
		working "recorded $engine" "$dir/threads"
	done
done
echo "$compared situations compared"
exit $((failures > 0))
