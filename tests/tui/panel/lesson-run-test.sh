#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The panel in a lesson's folder, on a terminal: it asks what is expected before it shows the answer,
# gives hints by key, takes an answer, checks it, and shows the way in slides.  timeout: 120
set -u
. tests/support/session-lib.sh
export XDG_CACHE_HOME=$dir/cache XDG_DATA_HOME=$dir/data

send() { # name, keys as tmux names them
	name=$1
	shift
	tmux -S "$dir/tmux" send-keys -t "$name" "$@"
}
open_panel() { # name, arguments
	start_window "$1" 110 34 "env XDG_CACHE_HOME=$dir/cache XDG_DATA_HOME=$dir/data $WHY panel --color never -- $2"
}
journal() { # pattern
	grep -q "$1" "$dir/one/.journal" || complain "the journal has no $1: $(cat "$dir/one/.journal")"
}

"$WHY" lesson start infection "$dir/one" >/dev/null && make -s -C "$dir/one" || exit 1
test=$(sed -n 's/^TEST = //p' "$dir/one/Makefile")

# Nothing of the answer is seen before something is expected.
open_panel a "./one/program $test"
wait_screen a 'what do you expect: which line'
wait_screen a 'task: 0 of 3 hints, not answered'
SCROLL=0 screen a | grep -q 'failed at\|proven' && complain "a: the answer is there before it was asked for"
send a NPage NPage
wait_screen a '34 .*% 60 > 30'
send a '34 hours = 2' Enter
wait_screen a 'proven by replay'
wait_screen a 'You expected line 34'
journal 'expected	34 hours = 2'
journal 'saw	You expected line 34'

# A hint is paid for when it is taken.
send a H
wait_screen a 'a hint costs 5 points'
send a Escape H Enter
wait_screen a 'task: 1 of 3 hints'
wait_screen a 'Hint 1'
send a H
wait_screen a 'a hint costs 15 points'
send a Escape
[ "$(grep -c '	hint	' "$dir/one/.journal")" = 1 ] || complain "a: hints were noted that were not taken"

# An answer, and whether it is right.
send a BTab g / '% 60 > 30' Enter
send a a 'each begun hour' Enter
wait_screen a 'answered'
journal 'because	each begun hour'
send a c
wait_screen a '^ > lesson check'
wait_screen a 'task: 1 of 3 hints, program.c:34: right'

# Step by step.
send a p
wait_screen a 'step 1 of'
wait_screen a 'State, infection and failure'
send a Space
wait_screen a 'failed at'
send a G
wait_screen a 'The last question'
send a q q
for _ in $patience; do is_dead a && break; sleep 0.05; done
is_dead a || complain "a: it did not end"

# It asks once; an examination has no panel.
open_panel b "./one/program $test"
wait_screen b 'proven by replay'
wait_screen b 'task: 1 of 3 hints'
send b q
"$WHY" lesson start infection "$dir/exam" --exam >/dev/null && make -s -C "$dir/exam" || exit 1
"$WHY" panel -- "$dir/exam/program" 1 2>"$dir/said" && complain "exam: it opens"
grep -q 'explanations are refused' "$dir/said" || complain "exam: $(cat "$dir/said")"
done_testing
