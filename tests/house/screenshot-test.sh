#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The picture in README.md is what the panel shows: the panel runs in tmux, and its screen
# is drawn as an SVG.  `make screenshots' writes the picture anew.  timeout: 120
set -u
. tests/support/session-lib.sh
picture=$PWD/.github/panel.svg
draw=$PWD/tests/house/terminal-svg.py
columns=132

cp samples/list-drop.c samples/list-drop-tests.txt "$dir/" && cd "$dir" &&
	${CC:-gcc} -g -O0 -o list-drop list-drop.c || exit 1
command='gdb-why panel --tests list-drop-tests.txt -- ./list-drop 7 3 5 2 3'
start_window p $columns 26 "XDG_CACHE_HOME='$dir' $WHY panel --color always ${command#gdb-why panel}"

# Other tests have been asked, so the wrong line is first; select it.
wait_screen p ' 1 ✓ list-drop.c:22 '
wait_screen p 'proven by replay ─' # the search is over
for _ in $(seq 20); do tmux -S "$dir/tmux" send-keys -t p '['; done
wait_screen p '^ *22 .*1+│ '
tmux -S "$dir/tmux" capture-pane -e -p -t p | python3 "$draw" $columns "$command" >shown.svg
tmux -S "$dir/tmux" send-keys -t p q
wait_dead p

if [ -n "${SCREENSHOT_WRITE:-}" ]; then
	cp shown.svg "$picture"
elif ! diff "$picture" shown.svg; then
	complain "the panel does not look like .github/panel.svg any more; \`make screenshots' draws it anew"
fi
done_testing
