#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# timeout: 120
# The questions of the session: at a breakpoint that is reached many times, after a step,
# at the failure; what can be done with the answer; Ctrl-C in an analysis; what cannot be
# repeated.
. tests/support/session-lib.sh

analyses_of() { # window
	pgrep -P "$(tmux -S "$dir/tmux" display -p -t "$1" '#{pane_pid}')" -f 'gdb-why (ask|try) '
}

# Types a question, and waits for the answer, which may be the screen's only change.
ask() { # window, question
	type_line "$1" "$2"
	for _ in $patience; do
		[ -n "$(analyses_of "$1")" ] || break
		sleep 0.05
	done
	sleep 0.2
	wait_for "$1" '^(gdb)$'
}

cp samples/paper.c samples/larger.c "$dir/" || exit 1
cat >"$dir/visits.c" <<'C'
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static int visit(int n)
{
	int s = 0;

	for (int i = 0; i < n; i++)
		s += i * n;
	return s;
}

int main(void)
{
	int total = 0, n = 0;

	while (scanf("%d", &n) == 1)
		total += visit(n);
	assert(total < 10 && getenv("LIMIT"));
	return 0;
}
C
cat >"$dir/slow.c" <<'C'
#include <assert.h>
#include <unistd.h>

int main(void)
{
	sleep(8);
	assert(0);
}
C
(cd "$dir" && gcc -g -O0 -o paper paper.c && gcc -g -O0 -o visits visits.c && gcc -g -O0 -o slow slow.c) || exit 1

# Everything that a question leaves behind.
leftovers() {
	pgrep -f -- "gdb-why ask .*$dir" || ls -d "${TMPDIR:-/tmp}"/gdb-why-typed.* 2>/dev/null
}

check_failure() {
	open_window paper 100 60 "'$WHY' -q -nx --args ./paper 0 0"
	ask paper 'why'
	expect paper 'with b = 0 the test passes'
	type_line paper 'run'
	expect paper 'SIGABRT'
	before=$(screen paper)
	type_line paper 'suspects'
	expect paper '2 explanations, each proven by replay'
	ask paper 'why b'
	expect paper 'b = 1 at paper.c:30 in P'
	# asking changes nothing in the program
	ask paper 'why b = 7'
	expect paper 'would change the run'
	type_line paper 'frame function P'
	type_line paper 'print b + 700'
	expect paper '= 701'
}

check_answer() {
	type_line paper 'clear-not-a-command'
	type_line paper 'cha 2'
	expect paper 'if (y < 5)       true -> false'
	type_line paper 'chain 3'
	expect paper 'Which suspect?'
	for ext in txt json html dot; do
		[ $ext = txt ] || ask paper 'why'
		type_line paper "export answer.$ext"
		[ -s "$dir/answer.$ext" ] || complain "export answer.$ext writes nothing"
	done
	grep -q '<html' "$dir/answer.html" || complain "answer.html is no page"
	grep -q 'b = 1 at paper.c:30' "$dir/answer.txt" || complain "answer.txt has no tree"
	type_line paper 'export answer.pdf'
	expect paper 'Export where?'
	type_line paper 'help why'
	expect paper 'why has EXPR, in C, its value here?'
}

check_changes() {
	ask paper 'why'
	type_line paper 'flip 1'
	expect paper 'That suspect is not a branch'
	ask paper 'flip 2'
	expect paper 'goes false instead of true'
	expect paper 'paper.c:29: b = 0 instead of 2'
	expect paper 'it passes (exit status 0); before: it fails an assertion'
	ask paper 'try 1'
	expect paper 'paper.c:27: b = 0 instead of 1'
	ask paper 'flip 2 all'
	expect paper 'it fails an assertion, as before'
	ask paper 'flip 2 2'
	expect paper 'is executed only 1 time.'
	ask paper 'flip 2 some'
	expect paper 'is no place to stop at'
	ask paper 'what-if b = 0 at 1'
	expect paper 'it passes (exit status 0)'
	type_line paper 'what-if b = 0'
	expect paper 'What if what?'
	tmux -S "$dir/tmux" send-keys -t paper -l 'panel'
	tmux -S "$dir/tmux" send-keys -t paper Enter
	wait_screen paper '1 .* paper.c:27 gave b = 1; with b = 0 *$'
	wait_screen paper '2 .* paper.c:26 '
	tmux -S "$dir/tmux" send-keys -t paper -l ']b[s'
	wait_for paper '^(gdb)$'
	expect paper 'Temporary breakpoint'
	type_line paper 'info breakpoints'
	wait_screen paper ' del .*paper.c:27'
	wait_screen paper ' keep .*paper.c:26'
	type_line paper 'delete'
	type_line paper 'y'
}

check_goto() {
	type_line paper 'break main'
	type_line paper 'goto 1'
	expect paper 'Start it from the beginning? (y or n)'
	type_line paper 'y'
	wait_for paper '^(gdb)$'
	expect paper 'Temporary breakpoint 4, P (x=0, y=0) at paper.c:27'
	type_line paper 'info breakpoints'
	expect_last paper 3 ' y .*main'
	type_line paper 'next'
	ask paper 'why b'
	expect_last paper 14 'b = 1 at paper.c:30'
	ask paper 'why not b == 0'
	expect paper 'gave b = 1; with b = 0 it holds'
	type_line paper 'kill'
	type_line paper 'y'
	ask paper 'why'
	expect_last paper 20 'the test passes'
	before=$(screen paper)
	tmux -S "$dir/tmux" send-keys -t paper -l 'susp'
	press paper Tab
	expect_last paper 1 '^(gdb) suspects'
}

# The same stop of many, by what the variables hold; the program's input was typed.
check_stop() {
	open_window visits 100 60 "'$WHY' -q -nx ./visits"
	type_line visits 'set environment LIMIT 1'
	type_line visits 'break 10 if n == 4 && i == 2'
	tmux -S "$dir/tmux" send-keys -t visits -l 'run'
	tmux -S "$dir/tmux" send-keys -t visits Enter
	# until it reads
	for _ in $patience; do
		grep -qs '^State:.*sleeping' /proc/"$(pgrep -x -f "$dir/visits" || echo none)"/status && break
		sleep 0.05
	done
	for number in 3 4 1; do
		tmux -S "$dir/tmux" send-keys -t visits -l "$number"
		tmux -S "$dir/tmux" send-keys -t visits Enter
	done
	wait_for visits '^(gdb)$'
	expect visits 'Breakpoint 1, visit (n=4)'
	ask visits 'why s'
	expect visits 's = 4 at visits.c:10 in visit'
	ask visits 'why not s == 100'
	expect visits 'does not hold at visits.c:10 in visit'
	type_line visits 'delete 1'
	ask visits 'why line 7'
	expect visits 'visits.c:7 in visit'
	type_line visits 'set variable i = 77'
	ask visits 'why s'
	expect visits 'reaches the same stop with other values: i is'
}

# In the middle of a larger run.
# Behind a `return' a variable is gone, so it is set before.
check_return() {
	(cd "$dir" && gcc -g -O0 -o larger larger.c) || complain "larger.c does not compile"
	open_window larger 100 60 "'$WHY' -q -nx --args ./larger 1 2 2"
	ask larger 'why'
	number=$(screen larger | sed -n 's/^ \([0-9]\)  larger.c:[0-9]* *return m;.*/\1/p' | tail -1)
	ask larger "what-if m = 2 at ${number:-none}"
	expect larger 'm = 2 before that line'
	expect larger 'it passes (exit status 0)'
}

check_advisory() {
	advisory=$(realpath "${BUILD:-build/plain}")/samples/advisory/v02
	[ -x "$advisory" ] || return
	open_window advisory 120 60 \
		"'$WHY' -q -nx --args '$advisory' 11658 142 11670 -179 1140 38 10000 1 1 3 1 0"
	type_line advisory 'break v02.c:91'
	type_line advisory 'run'
	wait_for advisory '^(gdb)$'
	ask advisory 'why l->gap'
	expect advisory 'l->gap = 60 at'
	ask advisory 'why not l->gap > 10000'
	expect advisory 'with l->gap = 10001'
}

check_cancel() {
	open_window slow 80 24 "'$WHY' -q -nx ./slow"
	tmux -S "$dir/tmux" send-keys -t slow -l 'why'
	tmux -S "$dir/tmux" send-keys -t slow Enter
	for _ in $patience; do
		pgrep -x -f "$dir/slow" >/dev/null && break
		sleep 0.1
	done
	expect slow 'Ctrl-C cancels'
	press slow C-c
	wait_for slow '^(gdb)$'
	expect slow 'Quit'
	for _ in $patience; do
		pgrep -x -f "$dir/slow" >/dev/null || break
		sleep 0.1
	done
	pgrep -x -f "$dir/slow" && complain "Ctrl-C in an analysis leaves the program running"
	[ -z "$(leftovers)" ] || complain "an analysis leaves something behind: $(leftovers)"
	type_line slow 'print 6 * 7'
	expect slow '= 42'
	type_line slow 'suspects'
	expect slow 'There is no answer yet'
}

check_not_repeatable() {
	"$dir/slow" 2>/dev/null &
	other=$!
	open_window attached 100 40 "'$WHY' -q -nx -p $other"
	ask attached 'why'
	expect attached 'This process was attached to, so its run cannot be repeated; `detach'"'"' and'
	expect attached 'set args'
	close_window attached
	kill -9 $other
	(cd "$dir" && gdb -nx -batch -ex run -ex 'generate-core-file paper.core' --args ./paper 0 '0 *') >/dev/null 2>&1
	open_window core 150 40 "'$WHY' -q -nx ./paper paper.core"
	ask core 'why b'
	expect core "A core file is the end of a run that cannot be repeated; start the program here, \`set args 0 '0 *''"
	open_window empty 80 24 "'$WHY' -q -nx"
	ask empty 'why x'
	expect empty 'There is no program to ask about'
}

check_failure
check_answer
check_changes
check_goto
check_stop
check_return
check_advisory
check_cancel
check_not_repeatable
done_testing
