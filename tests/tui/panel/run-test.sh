#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# gdb-why panel on a terminal: explanations appear, questions are answered, the place is
# told, nothing is left running.  timeout: 120
set -u
. tests/support/session-lib.sh

cp samples/paper.c "$dir/" && cd "$dir" && ${CC:-gcc} -g -O0 -o paper paper.c || exit 1

send() { # name, keys as tmux names them
	name=$1
	shift
	tmux -S "$dir/tmux" send-keys -t "$name" "$@"
}

wait_dead() { # name
	for _ in $patience; do
		is_dead "$1" && return
		sleep 0.05
	done
	complain "$1: it did not end"
}

# No process of ours has the program or its folder in its command line.
nothing_left() { # name
	for _ in $patience; do
		grep -slz -- "$dir/paper\|^--events=3\$" /proc/[0-9]*/cmdline 2>/dev/null |
			while read -r f; do [ "$(readlink "${f%/cmdline}/cwd")" = "$dir" ] && echo "$f"; done |
			grep -q . || return
		sleep 0.05
	done
	complain "$1: something is left running"
}

expect_screen() { # name, golden name
	SCROLL=0 screen "$1" >"$dir/got"
	if [ -n "${PANEL_WRITE:-}" ]; then
		cp "$dir/got" "$OLDPWD/tests/data/panel/$2.txt"
	elif ! diff "$OLDPWD/tests/data/panel/$2.txt" "$dir/got"; then
		complain "$1: not as tests/data/panel/$2.txt"
	fi
}

# The whole answer: what comes later would move what is shown.
wait_answer() { # name
	wait_screen "$1" '2 explanations, each proven by replay'
	wait_screen "$1" 'data paper.c:30'
	wait_screen "$1" '23 .*a = x;   a = 0'
}

# The answer, a question, an export, a place.
start_window a 100 30 "$WHY panel --color never -- ./paper 0 0"
wait_answer a
expect_screen a live-answer
send a w C-u b Enter
wait_screen a '^ > why b'
wait_screen a '(as row 3)'
expect_screen a live-why
send a w C-u 'a at 30' Enter
wait_screen a '^ > why a at 30'
wait_screen a 'a = 0 at'
send a W C-u 'b == 0' Enter
wait_screen a '^ > why not b == 0'
wait_screen a 'holds'
send a W C-u 'b ==' Enter
wait_screen a 'cannot be asked about'
send a Tab ] f
wait_screen a '^ > flip paper.c:26$'
wait_screen a "y < 5' goes false instead of true"
wait_screen a '26 .*if (y < 5) .*\[turned: fails an assert'
send a BTab [ = C-u 'b = 0' Enter
wait_screen a '^ > what if b = 0 at paper.c:27$'
wait_screen a 'it passes (exit status 0); before'
wait_screen a '27 .*\[b = 0: passes'
send a m 'the fault?' Enter
wait_screen a '^\[b = 0: passes\]   # the fault?$'
send a e C-u out.html Enter
wait_screen a 'written: out.html'
grep -q '<html' out.html || complain "out.html is no page"
grep -q 'paper.c:27: the fault? (noted by hand)' out.html || complain "no note in out.html"
send a e C-u out.xyz Enter
wait_screen a 'the name says the format'
send a b
wait_screen a '27● 1.*b = a + 1'
send a b
wait_screen a 'no breakpoint there'
send a ']' b '[' C-c
wait_screen a 'nothing is running'
send a BTab BTab BTab g ']'
send a s
wait_dead a
screen a | grep -q '^break .*/paper.c:26$' || { complain "a: no breakpoint was told"; screen a; }
screen a | grep -q '^tbreak .*/paper.c:26$' || { complain "a: no place was told"; screen a; }
nothing_left a

# Resized to the least size, while it runs; no characters but ASCII's.
start_window b 100 30 "LC_ALL=C $WHY panel -o place -- ./paper 0 0"
wait_screen b 'proven by replay'
tmux -S "$dir/tmux" resize-window -t b -x 60 -y 16
wait_screen b '^- paper.c -*$'
wait_screen b 'each proven by replay -'
expect_screen b live-narrow
LC_ALL=C grep -q '[^ -~]' "$dir/got" && complain "b: other characters than ASCII's"
send b s
wait_dead b
grep -qx 'tbreak .*/paper.c:27' place || complain "b: the place is not in its file: $(cat place)"

# A click selects.
start_window c 100 30 "$WHY panel -- ./paper 0 0"
wait_screen c '2 explanations, each proven by replay'
tmux -S "$dir/tmux" send-keys -t c -l "$(printf '\033[<0;70;4M\033[<0;70;4m')"
wait_screen c 'true -> false'
SCROLL=0 screen c | grep -q 'flip' && complain "c: a click was taken for keys"
send c q
wait_dead c

# What the test printed stands before the answers.
start_window l 100 30 "$WHY panel --show-output -- ./paper 0 0"
wait_answer l
send l w C-u b Enter
wait_screen l '^ > why b'
wait_screen l '(as row 3)'
send l g
wait_screen l "^ > the test's standard output was empty"
wait_screen l "Assertion .b <= a' failed"
send l q
wait_dead l

# What was tried stands where it was tried; a key for GDB is its command.
start_window i 120 40 "$WHY panel -o place -- ./paper 0 0"
wait_answer i
send i = C-u 'b = 0' Enter
wait_screen i '\[b = 0: passes\]'
send i ']' f
wait_screen i '\[turned: fails an assertion\]'
send i '[' b m 'or here' Enter
wait_screen i '# or here'
wait_screen i '23 .*a = x;   a = 0'
expect_screen i live-tried
send i F8
wait_dead i
printf 'break %s\nnext\n' "$dir/paper.c:27" | diff - place || complain "i: F8 told: $(cat place)"

# What the tests of a suite executed.
sed 's/b = a + 2/b = a - 2/' paper.c >paper-j.c
${CC:-gcc} -g -O0 -o paper-j paper-j.c || exit 1
printf '%s\n' '0 0' '0 7' '-1 7' >suite
start_window j 100 30 "env XDG_CACHE_HOME=$dir/cache $WHY panel --tests suite -- ./paper-j 0 0"
wait_screen j 'proven by replay'
wait_screen j '25   + .*a = -x;'
wait_screen j '27  1 │ .*b = a + 1;'
wait_screen j '31   + .*return b;'
send j q
wait_dead j

# NO_COLOR: none, but dim and bold.
start_window k 100 30 "NO_COLOR=1 $WHY panel -- ./paper 0 0"
wait_screen k '2 explanations, each proven by replay'
tmux -S "$dir/tmux" capture-pane -p -e -t k >coloured
grep -q $'\e\\[[0-9;]*3[1-7]m' coloured && complain "k: colours in spite of NO_COLOR"
grep -q $'\e\\[[0-9;]*2m[^\e]*a = -x' coloured || complain "k: what was not executed is not dim"
send k q
wait_dead k

# The child is killed; the test passes; Ctrl-C while the program runs.
cat >slow.c <<'C'
#include <assert.h>
#include <unistd.h>
int main(void)
{
	sleep(30);
	assert(0);
}
C
${CC:-gcc} -g -O0 -o paper-slow slow.c || exit 1
start_window d 100 30 "$WHY panel --run-timeout 60 -- ./paper-slow"
wait_screen d 'running the test'
send d C-c
wait_screen d 'nterrupted'
send d q
wait_dead d
nothing_left d

start_window e 100 30 "$WHY panel --run-timeout 60 -- ./paper-slow"
wait_screen e 'running the test'
for _ in $patience; do
	child=
	for pid in $(pgrep -f -- "--events=3 --run-timeout=60 -- ./paper-slow"); do
		[ "$(readlink "/proc/$pid/cwd")" = "$dir" ] && child=$pid && break
	done
	[ -n "$child" ] && break
	sleep 0.05
done
kill -KILL "$child"
wait_screen e 'ended by a signal (Killed)'
send e q
wait_dead e
nothing_left e

start_window f 100 30 "$WHY panel --run-timeout 60 -- ./paper-slow"
wait_screen f 'running the test'
send f q
wait_dead f
nothing_left f

start_window g 100 30 "$WHY panel -- ./paper -1 5"
wait_screen g 'did not fail\|explanation'
send g q
wait_dead g

# No terminal that it could run on.
for how in "TERM=dumb" "TERM=no-such"; do
	start_window "h$how" 100 30 "$how $WHY panel -- ./paper 0 0"
	wait_dead "h$how"
	screen "h$how" | grep -q 'panel needs a terminal' || complain "$how: no sentence"
	screen "h$how" | grep -q '^ 1  paper.c:27' || complain "$how: no answer"
done
"$WHY" panel -- ./paper 0 0 >out 2>err || complain "to a file: status $?"
grep -q '^ 1  paper.c:27' out || complain "to a file: no answer"
[ "$(wc -l <err)" = 1 ] || complain "to a file: $(cat err)"

# The lines of --stream.
"$WHY" explain --format json --stream -- ./paper 0 0 >lines || complain "--stream: status $?"
"$WHY" explain --format json -- ./paper 0 0 >whole
python3 - <<'PY' || complain "--stream: lines"
import json
lines = [json.loads(l) for l in open("lines")]
whole = json.load(open("whole"))
counts = [len(l["suspects"]) for l in lines]
assert counts[0] == 0 and counts == sorted(counts) and counts[-1] == 2, counts
assert all(l["complete"] is False for l in lines[:-1]) and lines[-1]["complete"]
for key in whole:
    assert key == "stats" or lines[-1][key] == whole[key], key
PY
done_testing
