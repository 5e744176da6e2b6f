#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# limits: any
#
# timeout: 120
# The session when things end: Ctrl-C at the prompt, in a command, in the program; GDB
# or the program killed; the terminal gone; input that is no terminal.
. tests/support/session-lib.sh

cat >"$dir/loop.c" <<'C'
#include <unistd.h>

int main(void)
{
	volatile long n = 0;

	for (;;)
		n++;
}
C
(cd "$dir" && gcc -g -O0 -o loop loop.c) || exit 1

gdb_of() { # window: the GDB below it
	pgrep -P "$(tmux -S "$dir/tmux" display -p -t "$1" '#{pane_pid}')" gdb
}

start_program() { # window
	tmux -S "$dir/tmux" send-keys -t "$1" -l 'run'
	tmux -S "$dir/tmux" send-keys -t "$1" Enter
	for _ in $patience; do
		grep -qs '^State:.*running' /proc/"$(pgrep -x -f "$dir/loop" || echo none)"/status && break
		sleep 0.05
	done
	sleep 0.2
}

# Waits until processes that match are gone.
gone() { # pattern
	for _ in $patience; do
		pgrep -f -- "$1" >/dev/null || return 0
		sleep 0.05
	done
	return 1
}

check_interrupts() {
	open_window interrupts 80 24 "sh -c 'trap : INT; \"$WHY\" -q -nx ./loop; echo \$? >status'"
	before=$(screen interrupts)
	tmux -S "$dir/tmux" send-keys -t interrupts -l 'print 12345'
	wait_change interrupts
	press interrupts C-c
	expect interrupts 'print 12345Quit'
	type_line interrupts 'print 7 * 8'
	expect interrupts '= 56'
	start_program interrupts
	press interrupts C-c
	wait_for interrupts '^(gdb)$'
	expect interrupts 'Program received signal SIGINT'
	tmux -S "$dir/tmux" send-keys -t interrupts -l 'while 1'
	tmux -S "$dir/tmux" send-keys -t interrupts Enter
	wait_for interrupts '^ *>$'
	tmux -S "$dir/tmux" send-keys -t interrupts -l 'end'
	tmux -S "$dir/tmux" send-keys -t interrupts Enter
	sleep 0.3
	press interrupts C-c
	wait_for interrupts '^(gdb)$'
	type_line interrupts 'print 6 * 7'
	expect interrupts '= 42'
}

# The question of `quit', in its three answers.
check_quit() {
	press interrupts C-d
	expect interrupts 'Quit anyway? (y or n)'
	type_line interrupts 'maybe'
	expect interrupts 'Please answer y or n.'
	type_line interrupts 'n'
	type_line interrupts 'print 5 * 5'
	expect interrupts '= 25'
	type_line interrupts 'quit 3'
	type_line interrupts 'y'
	# tmux does not always know it
	for _ in $patience; do
		[ -s "$dir/status" ] && break
		sleep 0.05
	done
	[ "$(cat "$dir/status")" = 3 ] || complain "quit 3 does not end with 3 but $(cat "$dir/status")"
	gone "^$dir/loop" || complain "quit leaves the program running"
}

check_kills() {
	open_window kills 80 24 "'$WHY' -q -nx ./loop"
	start_program kills
	kill -9 "$(pgrep -x -f "$dir/loop")"
	wait_for kills '^(gdb)$'
	expect kills 'Program terminated with signal SIGKILL'
	start_program kills
	kill -9 "$(gdb_of kills)"
	wait_dead kills
	expect kills 'GDB was killed by signal 9'
	gone "^$dir/loop" || complain "a killed GDB leaves the program running"
}

check_hangup() {
	open_window hangup 80 24 "'$WHY' -q -nx ./loop"
	start_program hangup
	close_window hangup
	gone "^$dir/loop" || complain "a closed terminal leaves the program running"
	gone "^gdb .*\\./loop" || complain "a closed terminal leaves GDB running"
}

check_no_terminal() {
	printf '%s\n' 'break main' run 'print 2 + 3' 'define seven' 'print 7' end seven nosuch |
		(cd "$dir" && "$within" 20 "$WHY" -q -nx ./loop) >"$dir/out" 2>"$dir/err"
	grep -q '^(gdb) .*= 5$' "$dir/out" || complain "no terminal: 2 + 3 is not printed"
	grep -q '= 7$' "$dir/out" || complain "no terminal: a definition is not read"
	grep -q 'Undefined command: "nosuch"' "$dir/err" || complain "no terminal: no complaint"
	gone "^$dir/loop" || complain "the end of the input leaves the program running"
}

check_words() {
	"$WHY" --gdb /nonexistent ./loop </dev/null >"$dir/out" 2>"$dir/err"
	[ $? = 2 ] || complain "a missing GDB: status is not 2"
	grep -q '^gdb-why: There is no GDB at "/nonexistent"' "$dir/err" || complain "a missing GDB is not named"
	"$WHY" -tui </dev/null 2>"$dir/err"
	[ $? = 2 ] || complain "-tui: status is not 2"
	[ "$(wc -l <"$dir/err")" = 1 ] || complain "-tui: not one sentence"
	(cd "$dir" && echo 'print 11 * 11' >script && "$WHY" -q -nx -ex 'print 3 * 3' -x script --args ./loop -ex one </dev/null) \
		>"$dir/out" 2>&1
	grep -q '= 9$' "$dir/out" && grep -q '= 121$' "$dir/out" || complain "-ex and -x are not executed"
}

check_interrupts
check_quit
check_kills
check_hangup
check_no_terminal
check_words
done_testing
