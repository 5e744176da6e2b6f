#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# With TRACE_BREAKPOINTS the user's breakpoints, finish and what is looked at there
# are in a recorded run what they are in a plain one, and the record can still be
# re-computed.  timeout: 120
. tests/support/jitreader-lib.sh

# line TEXT: the number of the line that has it.
line() {
	grep -nF "$1" tests/gdbext/jitreader/programs/stops.c | sed 's/:.*//;q'
}

# Those that GDB plants before the recorder is ready are lost, and a function's is
# set elsewhere afterwards, as its entry has been changed: so they wait.
cat >"$dir/stops.gdb" <<END
set print frame-arguments scalars
break fold
break stops.c:$(line 'sum += i * by') if n == 3 && i == 2
break twice
break stops.c:$(line 'return x < y')
commands
silent
print x + y
end
break fall if depth == 1
disable
break getppid
run
enable 1 2
bt
info args
continue
bt
info locals
continue
bt
info locals
up
info locals
info args
disable
enable 3
continue
bt
finish
bt
info locals
finish
up
info locals
disable
enable 4
continue
continue
disable
enable 5
continue
bt
info args
up
info args
delete
END

# What GDB shows, without addresses of stack and libraries and what it says on the way.
shown() {
	sed -e 's/0x0*7ff[0-9a-f]*/HIGH/g' -e '/^\[/d' -e '/^Using host/d' -e '/^warning/d'
}

flags='--breakpoints --addresses'
for o in 0 2; do
	build $o
	debug crash -x "$dir/stops.gdb" | shown >"$dir/plain"
	[ "$(grep -c '^Breakpoint [0-9]*, \|^Value returned\|^. = ' "$dir/plain")" -ge 8 ] ||
		complain "-O$o: the plain run does not stop as it should"
	for engine in --jit ''; do
		recorded "$engine" crash -x "$dir/stops.gdb" >"$dir/recorded.out"
		shown <"$dir/recorded.out" >"$dir/recorded"
		diff "$dir/plain" "$dir/recorded" >"$dir/other" || {
			complain "-O$o, engine ${engine:---step}: GDB shows something else"
			head -n 40 "$dir/other"
		}
		rm -f "$dir/record/plan"
		"$driver" "$WHY_AGENT" "$dir/record" $engine --plan-only --check "$program" ||
			complain "-O$o, engine ${engine:---step}: the record cannot be re-computed"
	done
done
exit $((failures > 0))
