#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# timeout: 180
# Sixty ordinary GDB commands at the session's prompt and at GDB's own, in two windows:
# the screens are the same, but for what README.md says (where long lines are broken),
# numbers of processes, and the hint after a run that ended badly.
. tests/support/session-lib.sh

cat >"$dir/t.c" <<'C'
#include <stdio.h>
#include <string.h>

struct pair {
	int first, second;
	char name[8];
};

static int total;

static int add(struct pair *p, int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++) {
		sum += p->first * i;
		p->second = sum;
	}
	total += sum;
	return sum;
}

int main(int argc, char **argv)
{
	struct pair p = { argc, 0, "pair" };
	char line[64];

	puts("ready");
	if (fgets(line, sizeof line, stdin))
		printf("read %s", line);
	printf("%d %s\n", add(&p, 4), argv[0] ? "named" : "not named");
	return total;
}
C
(cd "$dir" && gcc -g -O0 -o t t.c) || exit 1

cat >"$dir/lines" <<'KEYS'
set confirm on
show confirm
info line main
list add
list

list 1,5
break add
info breakpoints
tbreak main
run
next
next
!next
some words
bt
up
info locals
p p
p p.name
p/x p.first
p $_
down
info args
info frame
p *p
p p->first * 2
ptype p
whatis p->name
step
step

p i
display sum
info display
next
undisplay 1
watch p->second
continue
info watchpoints
delete 3
until
finish
p $
p $$2
x/2i $pc
info symbol add
info source
p total = 7
p total
set var total = 3
p nosuch
nosuch command
define twice
p $arg0 * 2
end
twice 21
help twice
document twice
Twice its argument.
end
help twice
commands 1
silent
print n
end
if total == 3
echo three\n
else
echo other\n
end
while total > 1
set var total = total - 1
end
p total
p $_siginfo
p sizeof(struct pair)
printf "%d %s\n", total, "x"
info signals SIGINT
handle SIGUSR1 nostop
info sharedlibrary libc
show args
set args one two
show args
show version
run
n
run
!y
other words
bt
p argc
kill
n
kill
y
delete
n
info breakpoints
delete
y
info breakpoints
info program
!run
last words
p $_exitcode
KEYS

# The program that runs in a window: a child of GDB, which is the window's or its child.
program_of() { # window
	pane=$(tmux -S "$dir/tmux" display -p -t "$1" '#{pane_pid}')
	for parent in $pane $(pgrep -P "$pane"); do
		pgrep -P "$parent" -x -f "$dir/t( .*)?" && return
	done
}

# The program, unlike GDB, is about to read a line.
ask_program() { # window, line
	tmux -S "$dir/tmux" send-keys -t "$1" -l -- "$2"
	tmux -S "$dir/tmux" send-keys -t "$1" Enter
	for _ in $patience; do
		grep -qs '^State:.*sleeping' /proc/"$(program_of "$1")"/status && sleep 0.3 && return
		sleep 0.05
	done
	complain "$1: the program does not wait for a line after \`$2'"
}

# Numbers of processes, addresses on the stack (GDB adds to the environment), and what
# GDB and the program wrote at the same time.
steady() {
	sed -e 's/process [0-9]*/process N/' -e 's/0x7f[0-9a-f]*/ADDRESS/g' -e '/^ready$/d' |
		sed -e ':a' -e 'N' -e '$!ba' -e 's/\n    */ /g' | tr -s ' \t' ' ' | sed 's/{ /{/g'
}

open_window why 100 50 "'$WHY' -q -nx --args ./t"
open_window gdb 100 50 "gdb -q -nx --args ./t"
while IFS= read -r line; do
	for window in gdb why; do
		case $line in
		!*) ask_program "$window" "${line#!}" ;;
		*) type_line "$window" "$line" ;;
		esac
	done
done <"$dir/lines"
screen gdb | steady >"$dir/gdb.txt"
screen why | grep -v '^.why. explains it\.$' | steady >"$dir/why.txt"
[ "$(wc -l <"$dir/gdb.txt")" -gt 200 ] || complain "GDB's window has too little on it"
diff -u "$dir/gdb.txt" "$dir/why.txt" || complain "the session reads otherwise than GDB"

# Frames, breakpoints and variables have GDB's colours.
colours() { # window
	tmux -S "$dir/tmux" capture-pane -p -e -J -S -2000 -t "$1" |
		grep -a '^#[0-9]* .* at \|^Breakpoint [0-9]* at \|^.\[36m[a-z]*.\[39m = \|^.[0-9]* = ' |
		grep -av si_signo | steady
}
colours gdb >"$dir/gdb.txt"
colours why >"$dir/why.txt"
grep -q '\[33m' "$dir/gdb.txt" || complain "GDB's window has no colours"
diff -u "$dir/gdb.txt" "$dir/why.txt" || complain "the session has other colours than GDB"
done_testing
