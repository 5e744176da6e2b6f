#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What the session says of itself, at the start and when a run has ended badly; `why 4'; keys that
# were typed while the program ran; what GDB would ask and what it would show.  timeout: 120
. tests/support/session-lib.sh

cp samples/paper.c "$dir/" || exit 1
cat >"$dir/waits.c" <<'C'
#include <unistd.h>
static int inner(int n) { usleep(700000); return *(volatile int *)(long)n; }
int main(void) { return inner(0); }
C
(cd "$dir" && gcc -g -O0 -o paper paper.c && gcc -g -O0 -o waits waits.c) || exit 1

start_window a 100 60 "'$WHY' -nx --args ./paper 0 0"
wait_for a '^(gdb)$'
expect a "\`run' a failing program, then \`why' explains it"
type_line a 'why 1'
expect a 'has no rows to go on from'
type_line a run
expect a 'SIGABRT'
expect_last a 2 "^.why. explains it\.$"
type_line a 'why b'
wait_screen a '^11          from'
wait_for a '^(gdb)$'
type_line a 'why 2'
wait_screen a '^a = 0 at paper.c:23 in P'
wait_for a '^(gdb)$'
type_line a 'why 1'
wait_screen a '^x = 0 at paper.c:37 in main'
wait_for a '^(gdb)$'
type_line a 'why -d 1 b'
wait_screen a "^try:  .why 1. goes on from row 1; .why -d 2 b. goes further back"
wait_for a '^(gdb)$'
type_line a 'layout src'
expect a "\`panel' shows the source"
type_line a 'tui enable'
type_line a 'attach 1'
expect_last a 1 'A program is being debugged already.  Kill it? (y or n)$'
type_line a n
expect a 'Program not killed.'
type_line a 'break paper.c:26'
type_line a run
type_line a y
wait_screen a '^26'
type_line a 'why 1'
expect a "The program has gone on since the last answer"
type_line a continue
type_line a why
wait_screen a "^try:  .try 1. runs the program with that change; .goto 1. stops there"

# `up' is typed while the program still runs, and half a line after it.
start_window b 100 40 "'$WHY' -q -nx ./waits"
wait_for b '^(gdb)$'
screen b | grep -q 'explains'  && complain "b: -q introduces"
tmux -S "$dir/tmux" send-keys -t b -l run
tmux -S "$dir/tmux" send-keys -t b Enter
wait_screen b 'Starting program'
sleep 0.3
tmux -S "$dir/tmux" send-keys -t b -l up
tmux -S "$dir/tmux" send-keys -t b Enter
tmux -S "$dir/tmux" send-keys -t b -l 'print 6 *'
wait_screen b '^#1 .*main ()'
wait_screen b '^(gdb) print 6 \*$'
tmux -S "$dir/tmux" send-keys -t b -l ' 7'
tmux -S "$dir/tmux" send-keys -t b Enter
wait_screen b '= 42$'

# a prompt with colours, and with a blank at its end
type_keys() {
	tmux -S "$dir/tmux" send-keys -t b -l -- "$1"
	tmux -S "$dir/tmux" send-keys -t b Enter
}
type_keys 'set prompt \001\033[31m\002(mine)\001\033[0m\002 '
wait_screen b '^(mine)$'
type_keys 'print 6 * 8'
wait_screen b '^(mine) print 6 \* 8$'
tmux -S "$dir/tmux" capture-pane -p -e -t b | grep -q "$(printf '\033')\[31m(mine)" ||
	complain "b: the prompt has no colour"

# what `set logging' writes is what the user sees, and not what the session and GDB say to each other
(cd "$dir" && printf '%s\n' 'set confirm off' run 'frame function main' 'set logging file seen' \
	'set logging enabled on' 'print 6 * 9' 'why argc' why 'why --timeout 30 --thorough' 'break paper.c:30' \
	run 'why --timeout 30 not b == 0' 'try 2' 'why -d 1 b' 'why 1' 'print nosuch' 'set logging enabled off' 'print 6 * 7' |
	SECRET_OF_MINE=yes "$WHY" -nx -q --args ./paper 0 0 >said 2>&1)
for text in '= 54' '^argc = 3 at paper.c' 'explanations, each proven by replay' 'No symbol "nosuch"' \
	"b == 0' does not hold" 'it passes (exit status 0)' '^b = 1 at paper.c:27 in P'; do
	grep -q -- "$text" "$dir/seen" || complain "no \`$text' in the log: $(cat "$dir/seen")"
done
grep -q 'SECRET_OF_MINE\|\^done\|= 42' "$dir/seen" && complain "the log has too much: $(cat "$dir/seen")"
grep -q "Copying output to $dir/seen" "$dir/said" && grep -q "Done logging to $dir/seen" "$dir/said" ||
	complain "it is not said: $(cat "$dir/said")"

# what GDB knows of an object stands in the head as far as there is room, not what the record lacks
cat >"$dir/wide.c" <<'C'
#include <stdio.h>
static struct { char key[8][24]; int n; } all;
int main(void)
{
	for (int i = 0; i < 8; i++)
		snprintf(all.key[i], sizeof(all.key[i]), "the key of number %d", i);
	all.n = 8;
	return all.n;
}
C
(cd "$dir" && gcc -g -O0 -w -o wide wide.c &&
	"$WHY" -nx -q -batch -ex 'break 8' -ex run -ex 'why all' --args ./wide >wide.said 2>&1)
tr '\n' ' ' <"$dir/wide.said" | grep -q 'all = {key = {"the key of number 0.*\.\.\. at wide.c:8' ||
	complain "the head of a wide object: $(cat "$dir/wide.said")"
done_testing
