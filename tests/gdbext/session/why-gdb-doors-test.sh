#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# GDB itself prints what why.gdb answers: in its TUI, behind its machine interface, in
# definitions, conditions and hooks, in logs, and for Python.  timeout: 300
set -u
. tests/support/session-lib.sh

build=$(dirname "$WHY")
cp samples/paper.c "$dir/" && cd "$dir" && ${CC:-gcc} -g -O0 -o paper paper.c || exit 1
cat >common <<-END
	set confirm off
	set pagination off
	set debuginfod enabled off
	set width 0
	source $build/why.gdb
END

has() { # file, pattern, times
	[ "$(grep -c -- "$2" "$1")" = "${3:-1}" ] || { complain "$1: not ${3:-1} times $2"; cat "$1"; }
}

# Each line of the machine interface is one of its records.
gdb -nx -q -i=mi --args ./paper 0 0 >mi 2>mi.err <<-END
	source common
	why b
	-interpreter-exec console "why --row 1 b"
	-gdb-exit
END
grep -v '^[0-9]*[~&=*^+@]\|^(gdb)' mi >strange
[ -s strange ] && { complain "the machine interface says what it does not know"; cat strange; }
[ -s mi.err ] && { complain "it says something beside the machine interface"; cat mi.err; }
has mi '^~"b = 1 at paper.c:30 in P.n"'
has mi '^~" 1  from           paper.c:27'
has mi '^~"b = 1 at paper.c:27 in P.n"'

cat >script <<-'END'
	source common
	define twice
	  why $arg0
	  why $arg0
	end
	define hookpost-list
	  why x
	end
	twice b
	if 1
	  why y
	end
	list 26
	set logging file log
	set logging enabled on
	why b + 0
	set logging enabled off
END
gdb -nx -batch -x script --args ./paper 0 0 >out 2>&1 </dev/null
has out '^b = 1 at paper.c:30 in P$' 2
has out '^y = 0 at paper.c:30 in P$'
has out '^x = 0 at paper.c:30 in P$'
has log '^b + 0 = 1 at paper.c:30 in P$'

# In a session GDB executes the bodies; what works at the prompt alone says so.
cat >script <<-'END'
	set width 0
	define twice
	  why $arg0
	  why $arg0
	end
	twice b
	if 1
	  why y
	  explain not b == 0
	  chain 2
	end
	why x
END
"$WHY" -q -nx -batch -x script --args ./paper 0 0 >session 2>&1 </dev/null
has session '^b = 1 at paper.c:30 in P$' 2
has session '^y = 0 at paper.c:30 in P$'
has session "^.b == 0' does not hold at paper.c:30 in P"
has session '^x = 0 at paper.c:30 in P$'
has session '^`chain. works at the prompt, not in a definition, a condition or a hook.$'

# A command of the user's with such a name stays in bodies.
cat >.gdbinit-own <<-'END'
	define try
	  echo the user tries\n
	end
END
printf 'if 1\ntry\nend\n' >script
"$WHY" -q -nx -batch -ix .gdbinit-own -x script >session 2>&1 </dev/null
has session '^the user tries$'

if gdb -nx -batch -ex 'python print("there")' 2>/dev/null | grep -q there; then
	cat >script <<-'END'
		source common
		python text = gdb.execute("why b", to_string=True)
		python print("lines:", len(text.splitlines()), "first:", text.splitlines()[0])
	END
	gdb -nx -batch -x script --args ./paper 0 0 >python 2>&1 </dev/null
	has python 'lines: 12 first: b = 1 at paper.c:30 in P'
	has python '^b = 1' 0
fi

# On GDB's own screen each line begins where it should.
start_window tui 100 40 "gdb -nx -q -x common --args ./paper 0 0"
wait_for tui '^(gdb)$'
tmux -S "$dir/tmux" send-keys -t tui 'layout src' Enter
wait_screen tui 'paper.c'
tmux -S "$dir/tmux" send-keys -t tui 'why b' Enter
wait_screen tui '^11          from   argv.2., as'
wait_for tui '^(gdb)$'
SCROLL=0 screen tui >screen
has screen '^b = 1 at paper.c:30 in P$'
has screen '^ 1  from           paper.c:27'
has screen '^ 6      when       paper.c:22'
tmux -S "$dir/tmux" send-keys -t tui 'panel' Enter
wait_screen tui '2 explanations, each proven by replay'
tmux -S "$dir/tmux" send-keys -t tui q
wait_for tui '^(gdb)$'
SCROLL=0 screen tui | grep -q 'lq*paper.c\|┌─*paper.c' || { complain "the panel does not give GDB's screen back"; SCROLL=0 screen tui; }

own=/tmp/gdb-why.$(tmux -S "$dir/tmux" list-panes -t tui -F '#{pane_pid}')
[ -e "$own" ] && complain "left behind: $own"
done_testing
