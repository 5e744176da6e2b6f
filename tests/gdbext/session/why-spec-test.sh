#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# timeout: 120
# `why --spec FILE' in the session, at a stop and after a failure, and in the panel.
. tests/support/session-lib.sh

samples=$PWD/samples/specs
cp "$samples/list.c" "$samples/list-spec.c" "$dir/" || exit 1
sed 's/return list_remove(&l, k) .*//; /^int main/,$s/return [^;]*;/abort();/' "$dir/list.c" >"$dir/aborts.c"
echo 'int x;' >"$dir/broken.c"
(cd "$dir" && ${CC:-gcc} -g -O0 -DSIZE_ERR -o list list.c && ${CC:-gcc} -g -O0 -DSIZE_ERR -include stdlib.h -o aborts aborts.c) || exit 1

ask() { # window, question, what the answer says
	type_line "$1" "$2"
	expect "$1" "$3"
	wait_for "$1" '^(gdb)$'
}

check_stop() {
	open_window list 110 60 "'$WHY' -q -nx --args ./list 1 1 2"
	type_line list 'break list_remove'
	type_line list 'run'
	expect list 'Breakpoint 1, list_remove'
	ask list 'why --spec list-spec.c --no-evidence' '3: 1 '
	expect list 'size_ok (list-spec.c:56) does not hold when list_remove'
	expect list '1  2.000 1.000  list.c:43  l->size = 0;'
	type_line list 'export spec.txt'
	grep -q 'list.c:43' "$dir/spec.txt" || complain "export writes another answer"
	type_line list 'print l->size'
	expect list '= 2'
	ask list 'why --spec=list-spec.c --check' 'ranks what the call executed'
	expect list 'called with l = #1'
	ask list 'why --spec none.c' 'There is no file none.c'
	ask list 'why --spec broken.c' 'demands nothing'
	ask list 'why --spec "list-spec.c' 'quot'
	ask list 'why --spec list-spec.c --sideways' 'sideways'
	# Asked after each round; the prompt takes other commands meanwhile.
	ask list 'why --spec list-spec.c --no-evidence --interactive' 'Answer with `say continue'
	expect list 'next test: 2 1 2: violates size_ok'
	type_line list 'print l->size + 40'
	expect list '= 42'
	ask list 'say right 29' '(right, as you said)'
	ask list 'say stop' 'kept in list-spec.c.said'
	grep -qxF 'right list.c:29: if (lst->key == k) {' "$dir/list-spec.c.said" || complain "what was said is not kept"
	rm -f "$dir/list-spec.c.said"
	ask list 'say stop' 'Nothing waits for an answer'
	type_line list 'help why'
	expect list 'why --spec FILE'
}

# The same program ends by a failure.
check_failure() {
	open_window aborts 110 60 "'$WHY' -q -nx --args ./aborts 1 1 2"
	type_line aborts 'run'
	expect aborts 'SIGABRT'
	ask aborts 'why --spec list-spec.c --check' 'ranks what the call executed'
	expect aborts 'size_ok (list-spec.c:56) does not hold'
}

answer_in_panel() { # WORDS
	tmux -S "$dir/tmux" send-keys -t panel -l 'w'
	tmux -S "$dir/tmux" send-keys -t panel -l -- "$1"
	tmux -S "$dir/tmux" send-keys -t panel Enter
}

check_panel() {
	start_window panel 130 50 "'$WHY' panel -- ./aborts 1 1 2"
	wait_screen panel 'explanation'
	tmux -S "$dir/tmux" send-keys -t panel -l 'w'
	tmux -S "$dir/tmux" send-keys -t panel -l -- '--spec list-spec.c --no-evidence'
	tmux -S "$dir/tmux" send-keys -t panel Enter
	wait_screen panel '> why --spec list-spec.c --no-evidence'
	wait_screen panel 'size_ok (list-spec.c:56) does not hold'
	wait_screen panel '1  2.000 1.000  aborts.c:43'
	answer_in_panel '--spec list-spec.c --no-evidence --interactive'
	wait_screen panel 'w, and then: continue, stop, right LINE'
	wait_screen panel 'next test: 2 1 2: violates size_ok'
	wait_screen panel 'specification: the ranking, and what you say of it (.* of'
	answer_in_panel 'right aborts.c:29'
	wait_screen panel '(right, as you said)'
	answer_in_panel 'fail'
	wait_screen panel '(specs) fail'
	answer_in_panel 'stop'
	wait_screen panel 'kept in list-spec.c.said'
	wait_screen panel ' output (.* of'
	grep -q '^fail 2 1 2, call 1$' "$dir/list-spec.c.said" || complain "what was said of a test is not kept"
	tmux -S "$dir/tmux" send-keys -t panel -l 'w'
	tmux -S "$dir/tmux" send-keys -t panel -l -- '--spec none.c'
	tmux -S "$dir/tmux" send-keys -t panel Enter
	wait_screen panel 'There is no file none.c'
	tmux -S "$dir/tmux" send-keys -t panel -l 'q'
}

check_stop
check_failure
check_panel
done_testing
