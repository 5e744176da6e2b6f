#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The answer in the panel, on a terminal: changes, the tree of causes, the source, the proofs; a place
# is told when one leaves; without a terminal it is text.
# timeout: 120
set -u
. tests/support/session-lib.sh
mkdir "$dir/old" && cp tests/gdbext/regress/programs/example-old.c "$dir/old/f.c" && cd "$dir" || exit 1
printf 'f: f.c\n\t%s -g -O0 -o f f.c\n' "${CC:-gcc}" >old/Makefile
cp -a old new
sed -i -e '/C1/s/true/false/' -e '/C2/s/>/</' -e '/C3/s/+=/-=/' -e '/C4/s/-=/+=/' new/f.c

send() { # keys as tmux names them
	tmux -S "$dir/tmux" send-keys -t a "$@"
}
wait_dead() {
	for _ in $patience; do
		is_dead a && return
		sleep 0.05
	done
	complain "it did not end"
}

start_window a 160 40 "$WHY regress --panel --color never --old old --new new --run ./f -- 3 2 1"
wait_screen a '2 of 4 changes to blame'
wait_screen a "^assertion .sum == 4' failed at f.c:25"
wait_screen a '  1 ✓ f.c:14 - if (x > y).*+ if (x < y)'
wait_screen a '  2 ✓ f.c:21 - sum += z;'
wait_screen a '14 .*1.*if (x < y)'
wait_screen a 'control f.c:11'
wait_screen a '^ test  ./f 3 2 1'
send ']'
wait_screen a '21 .*2.*sum -= z;.*sum = 1, before 4'
send e C-u out.json Enter
wait_screen a 'written: out.json'
jq -e '[.root[].number] == [2, 3]' out.json >/dev/null || complain "out.json is no answer"
send s
wait_dead
screen a | grep -qx "tbreak $dir/new/f.c:21" || { complain "no place was told"; screen a; }

"$WHY" regress --panel --old old --new new --run ./f -- 3 2 1 >out 2>err || complain "without a terminal"
grep -q '^2 of 4 changes to blame$' out || complain "no text without a terminal"
done_testing
