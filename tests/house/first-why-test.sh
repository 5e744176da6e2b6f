#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The handbook's page "Your first why" (gdbext/doc/sessions.md), typed line by line: what is
# printed there is said, in that order, all but times, addresses and the width of gaps.  timeout: 60
set -u
. tests/support/session-lib.sh

sed -n '/^## Your first why/,/^## Commands/s/^    //p' gdbext/doc/sessions.md >"$dir/page"
mkdir "$dir/samples" && cp samples/paper.c "$dir/samples/"
mkdir -p "$dir/build/plain/samples"
(cd "$dir" && ${CC:-gcc} -g -O0 -o build/plain/samples/paper samples/paper.c) || exit 1
cd "$dir" || exit 1

squeeze() {
	sed -E -e 's/[ \t]+/ /g' -e 's/^ //' -e 's/ [0-9.]+ m?s$//' -e 's/ $//'
}

# The lines of `wanted', in their order, among those of the screen.
is_said() {
	SCROLL=0 screen page | squeeze >got
	awk 'FILENAME == "now" { want[++n] = $0; next } i < n && $0 == want[i + 1] { i++ }
		END { if (i < n) { print "not said: " want[i + 1]; exit 1 } }' now got
}

# Soon: answers come when they are there.
check_said() { # what was typed
	squeeze <wanted >now
	for _ in $(seq 300); do
		is_said >/dev/null && return
		sleep 0.05
	done
	is_said
	complain "after \`$1'"
	cat got
}

typed_line=
: >wanted
command=$(sed -n '1s/^\$ gdb-why //p' page)
open_window page 110 60 "$WHY $command"
while IFS= read -r line <&3; do
	case $line in
	'(gdb) '*)
		[ -z "$typed_line" ] || check_said "$typed_line"
		: >wanted
		tmux -S "$dir/tmux" send-keys -t page -R \; clear-history -t page
		typed_line=${line#(gdb) }
		type_line page "$typed_line"
		;;
	*' (y or n) y')
		echo "$line" >>wanted
		type_line page y
		;;
	...) ;;
	*)
		echo "$line" >>wanted
		;;
	esac
done 3< <(tail -n +2 page)
check_said "$typed_line"
[ "$(grep -c '^(gdb)' page)" -ge 7 ] || complain "the page has few lines to type"
close_window page
done_testing
