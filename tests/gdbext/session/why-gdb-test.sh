#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# why.gdb in a plain GDB on a terminal: questions where the program stands, where it does
# not run, and after it failed; the panel and back; nothing stays in /tmp.  timeout: 120
set -u
. tests/support/session-lib.sh

build=$(dirname "$WHY")
top=$PWD
cp samples/paper.c "$dir/" && cd "$dir" && ${CC:-gcc} -g -O0 -o paper paper.c || exit 1
cat >sum.c <<'C'
#include <assert.h>
#include <stdio.h>
#include <string.h>
static int add(int sum, int c)
{
	int more = c == '\\' ? 0 : c - '0';

	return sum + more;
}
int main(int argc, char **argv)
{
	char line[80] = "";
	int sum = 0;

	if (argc > 1)
		strcpy(line, argv[1]);
	else if (!fgets(line, sizeof(line), stdin))
		return 1;
	for (int i = 0; line[i] >= '0'; i++)
		sum = add(sum, line[i]);
	assert(sum == 7);
	return 0;
}
C
${CC:-gcc} -g -O0 -o sum sum.c || exit 1
echo 123 >input

open_gdb() { # name, program and arguments
	start_window "$1" 110 60 "gdb -nx -q -ex 'set confirm off' -ex 'set pagination off' -ex 'set debuginfod enabled off' -ex 'source $build/why.gdb' ${2:+--args ${2:-}}"
	wait_for "$1" '^(gdb)$'
}

# What a command of GDB's prints.
ask() { # name, command
	tmux -S "$dir/tmux" send-keys -t "$1" -R \; clear-history -t "$1"
	tmux -S "$dir/tmux" send-keys -t "$1" -l -- "$2"
	tmux -S "$dir/tmux" send-keys -t "$1" Enter
	wait_prompt "$1" "$2"
	screen "$1" >"$dir/got"
}

# The last line is a prompt, and the command stands above it.
wait_prompt() { # name, command
	for _ in $patience; do
		screen "$1" >"$dir/now"
		[ "$(tail -1 "$dir/now")" = '(gdb)' ] && grep -qF -- "${2:0:60}" "$dir/now" && return
		sleep 0.05
	done
	complain "$1: no prompt after \`$2'"
	cat "$dir/now"
}

expect() { # name, pattern
	grep -q -- "$2" "$dir/got" || { complain "$1: nothing matches $2"; cat "$dir/got"; }
}

open_gdb a "./paper 0 0"
ask a 'why b'
expect a '^b = 1 at paper.c:30 in P$'
ask a 'help why'
expect a '^Usage: why \[EXPR | not COND'
ask a 'help panel'
expect a 'temporary breakpoint'
ask a 'help suspects'
expect a 'As why without'
ask a 'help why-not'
expect a 'As why not COND'
ask a 'break 26'
ask a 'run'
expect a '^26'
ask a 'why a'
expect a '^a = 0 at paper.c:26 in P$'
ask a 'why y < 5 && x >= 0'
expect a '^y < 5 && x >= 0: true at paper.c:26 in P$'
# What an answer suggests works as it is printed.
ask a 'why -d 1 a'
expect a "^try:  .why --row 1 a. goes on from row 1; .why -d 2 a. goes further back$"
ask a 'why --row 1 a'
expect a '^a = 0 at paper.c:23 in P$'
ask a 'why -d 2 a'
expect a "^try:  .why --row 2 a. goes on from row 2; .why -d 4 a. goes further back$"
ask a 'why 1'
expect a "1 is a constant; .why --row 1 EXPR. goes on from row 1"
ask a 'explain'
expect a '^ 1  paper.c:27 '
expect a '^try:  .tbreak paper.c:27. and .run. stop there$'
ask a 'why --all --timeout 30'
expect a '^ 1  paper.c:27 '
ask a 'why --timeout 30 not a == 3'
expect a "^\`a == 3' does not hold at paper.c:26 in P"
ask a 'why-not a == 3'
expect a "^\`a == 3' does not hold at paper.c:26 in P"
expect a 'with a = 3 it holds'
ask a 'why not a =='
expect a 'cannot be asked about'
ask a 'next'
expect a '^27'
ask a 'suspects'
expect a '^2 explanations, each proven by replay'
ask a 'continue'
expect a 'SIGABRT'
ask a 'why'
expect a '^ 1  paper.c:27 '
ask a 'why b'
expect a '^b = 1 at paper.c:30 in P$'

# The panel, which comes back: to a place, to none.
tmux -S "$dir/tmux" send-keys -t a -l panel
tmux -S "$dir/tmux" send-keys -t a Enter
wait_screen a '2 explanations, each proven by replay ─'
tmux -S "$dir/tmux" send-keys -t a ']'
tmux -S "$dir/tmux" send-keys -t a b
wait_screen a '26● 2'
tmux -S "$dir/tmux" send-keys -t a s
wait_screen a "stops there.$"
wait_prompt a 'stops there.'
screen a | grep -q 'Temporary breakpoint 3 at .*paper.c, line 26' || { complain "a: no place"; screen a; }
ask a 'info breakpoints'
expect a 'del  y .*paper.c:26'
expect a 'keep y .*paper.c:26'
ask a 'delete 2'
tmux -S "$dir/tmux" send-keys -t a -R \; clear-history -t a
tmux -S "$dir/tmux" send-keys -t a -l panel
tmux -S "$dir/tmux" send-keys -t a Enter
wait_screen a 'proven by replay'
tmux -S "$dir/tmux" send-keys -t a q
wait_prompt a panel
ask a 'info breakpoints'
[ "$(grep -c paper.c "$dir/got")" = 2 ] || complain "a: q set a breakpoint"
ask a 'kill'
ask a 'why-not b == 0'
expect a "b == 0' does not hold at paper.c:30"

# The third time at a place, input from a file, arguments as a shell reads them.
open_gdb b ./sum
ask b 'break 8'
ask b 'run <input'
ask b 'continue 2'
ask b 'info args'
expect b "c = 51 '3'\|c = 51"
ask b 'why sum'
expect b '^sum = 3 at sum.c:8 in add$'
ask b "why not c == '0'"
expect b "c == '0'' does not hold at sum.c:8 in add"
ask b "run '1\\\\2'"
ask b 'continue'
ask b "why c == '\\\\\\\\'"
expect b "'\\\\\\\\': true at sum.c:8 in add"
ask b 'up'
ask b 'why line 19'
expect b '^sum.c:19 in main was reached'

# Nothing to run; a core file would be no better; gdb-why is not there.
open_gdb c
ask c 'why'
expect c 'there is no program; name it with'
mkdir away && cp "$build/why.sh" away/ && sed "s|$build|$dir/away|" "$build/why.gdb" >away/why.gdb
ask c 'file paper'
ask c "source $dir/away/why.gdb"
ask c 'why b'
expect c 'the program gdb-why is not where it was installed'

for window in a b c; do
	own=/tmp/gdb-why.$(tmux -S "$dir/tmux" list-panes -t "$window" -F '#{pane_pid}')
	[ -e "$own" ] && complain "left behind: $own"
done
done_testing
