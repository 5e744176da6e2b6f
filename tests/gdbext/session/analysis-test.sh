#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# timeout: 120
# The session while a question is being answered: commands, what is typed, what was
# found so far, a second question, Ctrl-C at the prompt and in the program, the end.
. tests/support/session-lib.sh

# Each run of it takes a while, so there is time to do something else.
cat >"$dir/slow.c" <<'C'
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

static void check(int x, int y)
{
	int a, b = 0;

	if (x >= 0)
		a = x;
	else
		a = -x;
	if (y < 5)
		b = a + 1;
	else
		b = a + 2;
	assert(b <= a);
}

int main(int argc, char **argv)
{
	usleep(argc > 3 ? (useconds_t)atoi(argv[3]) : 800000);
	check(atoi(argv[1]), atoi(argv[2]));
	return 0;
}
C
cat >"$dir/loop.c" <<'C'
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int started = argc, forever = getenv("ONCE") != NULL;

	if (getenv("ONCE") && access(getenv("ONCE"), F_OK) == 0)
		sleep(7);
	for (volatile long n = started; forever; n++)
		;
	assert(argv && argc > 1);
}
C
(cd "$dir" && gcc -g -O0 -o slow slow.c && gcc -g -O0 -o loop loop.c) || exit 1

type_keys() { # window, text
	tmux -S "$dir/tmux" send-keys -t "$1" -l -- "$2"
}

# What an analysis runs, and what it leaves behind.
leftovers() {
	pgrep -f -- "^$dir/slow|gdb-why (ask|try) .*$dir" || ls -d "${TMPDIR:-/tmp}"/gdb-why-typed.* 2>/dev/null
}

gone() {
	for _ in $patience; do
		[ -z "$(leftovers)" ] && return
		sleep 0.05
	done
	complain "$1 leaves behind: $(leftovers)"
}

count_of() { # window, pattern
	screen "$1" | grep -c -- "$2"
}

# The line that is typed, and commands, while the first answer is on its way.
check_beside() {
	open_window beside 100 70 "'$WHY' -q -nx --args ./slow 0 0"
	type_line beside 'why'
	wait_screen beside '^why: recording the run, .*Ctrl-C cancels'
	type_keys beside 'print 6*'
	wait_screen beside '^why: [a-z]*, .*Ctrl-C cancels'
	expect beside '(gdb) print 6*'
	type_line beside '7'
	expect beside '$1 = 42'
	type_line beside 'info breakpoints'
	expect beside 'No breakpoints'
	type_line beside 'export answer.txt'
	expect beside 'The answer is not complete yet'
	type_keys beside 'some words'
	expect beside "Found so far, for \`why':"
	expect beside "Answer to \`why':"
	expect beside '2 explanations, each proven by replay'
	[ "$(count_of beside 'Ctrl-C cancels')" = 0 ] || complain "the line about progress stays"
	wait_for beside '^(gdb) some words$'
	press beside C-u
	type_line beside 'export answer.txt'
	[ -s "$dir/answer.txt" ] || complain "export answer.txt writes nothing"
}

# Suspects found so far, and a question that has to wait.
check_found() {
	type_line beside 'why not b == 7'
	type_line beside 'suspects'
	expect beside "Nothing is found yet; \`why not b == 7' is still being answered."
	type_line beside 'why a'
	expect beside "\`why a' will be answered after \`why not b == 7'; Ctrl-C cancels both."
	expect beside "Found so far, for \`why not b == 7':"
	type_line beside 'chain 1'
	expect beside '  1             slow.c:10  a = x;      a = 0 -> 6'
	expect beside "Answer to \`why a':"
	expect beside 'a = 0 at slow.c:'
	wait_for beside '^(gdb)$'
}

# Ctrl-C: the line that is typed, the analysis and those that wait.
check_cancel() {
	type_line beside 'why'
	type_line beside 'why b'
	type_keys beside 'print 1'
	press beside C-c
	expect beside 'print 1Quit'
	expect beside "\`why b' is cancelled."
	expect beside "\`why' is cancelled."
	wait_for beside '^(gdb)$'
	gone "Ctrl-C"
	type_line beside 'why not b == 9'
	wait_screen beside '^why not b == 9: proving'
	press beside C-c
	expect beside "\`why not b == 9' is cancelled."
	gone "Ctrl-C in a proof"
	type_line beside 'flip 4'
	expect beside 'flip 4: running the program with the change'
	press beside C-c
	expect beside "\`flip 4' is cancelled."
	gone "Ctrl-C in flip"
	type_line beside 'print 5 * 5'
	expect beside '= 25'
}

check_quit() {
	type_line beside 'why'
	wait_screen beside '^why: '
	type_keys beside 'quit'
	tmux -S "$dir/tmux" send-keys -t beside Enter
	wait_dead beside
	gone "quit"
	open_window ended 100 40 "'$WHY' -q -nx --args ./slow 0 0"
	type_line ended 'why'
	wait_screen ended '^why: '
	press ended C-d
	wait_dead ended
	gone "the end of the input"
}

# A first Ctrl-C is the program's, the next one the analysis's.
check_running() {
	open_window running 100 40 "'$WHY' -q -nx --args ./loop"
	type_line running 'set environment ONCE ./once'
	type_line running 'break 9'
	type_line running 'run'
	wait_for running '^(gdb)$'
	touch "$dir/once"
	type_line running 'why started'
	wait_screen running '^why started: recording the run'
	type_keys running 'delete'
	tmux -S "$dir/tmux" send-keys -t running Enter
	wait_for running '(y or n)$'
	type_line running 'y'
	rm "$dir/once"
	type_keys running 'continue'
	tmux -S "$dir/tmux" send-keys -t running Enter
	expect running 'Continuing.'
	sleep 0.5
	press running C-c
	expect running 'Program received signal SIGINT'
	wait_for running '^(gdb)$'
	wait_screen running '^why started: '
	press running C-c
	expect running "\`why started' is cancelled."
	type_line running 'print started'
	expect running '$1 = 1'
}

# GDB, or the analysis, is killed; the terminal is gone.
check_kills() {
	open_window kills 100 40 "'$WHY' -q -nx --args ./slow 0 0"
	type_line kills 'why'
	wait_screen kills '^why: '
	pid=$(tmux -S "$dir/tmux" display -p -t kills '#{pane_pid}')
	kill -9 "$(pgrep -P "$pid" -f 'gdb-why ask')"
	expect kills 'The analysis was ended by a signal (Killed).'
	gone "a killed analysis"
	type_line kills 'why'
	wait_screen kills '^why: recording the run'
	for _ in $patience; do
		run=$(pgrep -f "^(\./|$dir/)slow 0 0") && break
		sleep 0.02
	done
	kill -9 $run
	# Before its start GDB does not always see by what.
	expect kills 'was killed by SIGKILL
The recorder was not loaded into the program'
	type_line kills 'why'
	wait_screen kills '^why: '
	kill -9 "$(pgrep -P "$pid" gdb$)"
	wait_dead kills
	expect kills 'GDB was killed by signal 9'
	gone "a killed GDB"
	open_window hangup 100 40 "'$WHY' -q -nx --args ./slow 0 0"
	type_line hangup 'why'
	wait_screen hangup '^why: '
	close_window hangup
	gone "a closed terminal"
}

# Without a terminal each line waits for its answer.
check_order() {
	printf '%s\n' why 'print 1234' 'why not b == 7' 'print 5678' suspects |
		(cd "$dir" && "$within" 60 "$WHY" -q -nx -ex 'why b' --args ./slow 0 0 100) >"$dir/out" 2>"$dir/err"
	found=$(grep -o 'b = 1 at\|proven by replay\|= 1234\|= 5678\|Found so far\|Answer to' "$dir/out" | tr '\n' ' ')
	[ "$found" = 'b = 1 at proven by replay = 1234 proven by replay = 5678 proven by replay ' ] ||
		complain "without a terminal the order is: $found"
	[ -s "$dir/err" ] && complain "without a terminal: $(cat "$dir/err")"
}

# A file of commands with ours among them, and no prompt.
check_script() {
	cat >"$dir/script" <<-'GDB'
		# why among GDB's commands, and those of more than one line
		set $n = 1
		define twice
		print $arg0 * 2
		end
		if $n == 1
		twice 4321
		end
		why
		  suspects
		nosuch
		print 1234
	GDB
	(cd "$dir" && "$within" 60 "$WHY" -nx -batch -x script --args ./slow 0 0 100) >"$dir/out" 2>"$dir/err" </dev/null
	[ $? = 1 ] || complain "-batch: an error does not give status 1"
	found=$(grep -o '= 8642\|proven by replay\|= 1234\|(gdb) ' "$dir/out" | tr '\n' ' ')
	[ "$found" = '= 8642 proven by replay proven by replay ' ] || complain "a script: $found: $(cat "$dir/out")"
	grep -q 'Undefined command: "nosuch"' "$dir/err" && grep -q "What follows \`nosuch' in the script" "$dir/err" ||
		complain "a script with an error: $(cat "$dir/err")"
	(cd "$dir" && "$within" 60 "$WHY" -nx -batch -ex run -ex 'why b' --args ./slow 0 0 100) >"$dir/out" 2>&1 </dev/null
	[ $? = 0 ] || complain "-batch: status is not 0"
	grep -q '^b = 1 at' "$dir/out" || complain "-batch: $(cat "$dir/out")"
}

check_beside
check_found
check_cancel
check_quit
check_running
check_kills
check_order
check_script
done_testing
