# SPDX-License-Identifier: GPL-3.0-or-later
#
# For tests of the session on a real terminal (tmux): starts programs, types at them, and
# reads the screen.  Sourced.

. tests/support/patience.sh
command -v tmux >/dev/null || { echo "SKIP: tmux is not there"; exit 77; }
command -v gdb >/dev/null || { echo "SKIP: gdb is not there"; exit 77; }
WHY=${WHY_BIN:-$PWD/build/plain/gdb-why}

dir=$(mktemp -d "${TMPDIR:-/tmp}/gdb-why-session.XXXXXX")
failed=0

finish() {
	tmux -S "$dir/tmux" kill-server 2>/dev/null
	rm -rf "$dir"
}
trap finish EXIT

complain() {
	echo "FAILED $*"
	failed=$((failed + 1))
}

# A window of its own for a command, of a size that no user's files change.  The server stays when
# the last window is closed: the next one may come while it is still about to end.
start_window() { # name, columns, rows, command
	tmux -S "$dir/tmux" -f /dev/null new-session -d -s "$1" -x "$2" -y "$3" \
		"cd '$dir' && exec env HOME='$dir' TERM=xterm LC_ALL=C.UTF-8 $4"
	tmux -S "$dir/tmux" set-option -s exit-empty off
	tmux -S "$dir/tmux" set-option -t "$1" remain-on-exit on
}

# The same, and waits for its prompt.
open_window() { # name, columns, rows, command
	start_window "$@"
	wait_for "$1" '^(gdb)$'
}

screen() { # name: without blanks at the ends of lines, nor empty lines at the end
	tmux -S "$dir/tmux" capture-pane -p -J -S ${SCROLL:--2000} -t "$1" |
		sed -e 's/ *$//' | awk '{ a[NR] = $0; if ($0 != "") n = NR } END { for (i = 1; i <= n; i++) print a[i] }'
}

# Until the last line of the screen matches.
wait_for() { # name, pattern
	for _ in $patience; do
		screen "$1" | tail -1 | grep -q -- "$2" && return
		sleep 0.05
	done
	complain "$1: the last line never matched $2"
	screen "$1"
	return 1
}

# Until some line of the screen matches.
wait_screen() { # name, pattern
	for _ in $patience; do
		SCROLL=0 screen "$1" | grep -q -- "$2" && return
		sleep 0.05
	done
	complain "$1: no line ever matched $2"
	SCROLL=0 screen "$1"
	return 1
}

# Soon: until the text stands on the screen.
expect() { # name, text
	for _ in $patience; do
		screen "$1" | grep -qF -- "$2" && return
		sleep 0.05
	done
	complain "$1: it does not say: $2"
	screen "$1"
}

# Soon, in the last lines.
expect_last() { # name, lines, pattern
	for _ in $patience; do
		screen "$1" | tail -"$2" | grep -q -- "$3" && return
		sleep 0.05
	done
	complain "$1: its last $2 lines never matched $3"
	screen "$1"
}

# Until something else stands there than stood in $before, and no longer changes.
wait_change() { # name
	was=$before
	for _ in $patience; do
		now=$(screen "$1")
		[ "$now" != "$before" ] && [ "$now" = "$was" ] && return
		was=$now
		sleep 0.1
	done
}

# At a prompt: types a line and waits for the next prompt.
type_line() { # name, text
	typed=$(tmux -S "$dir/tmux" display -p -t "$1" '#{history_size} #{cursor_y}')
	tmux -S "$dir/tmux" send-keys -t "$1" -l -- "$2"
	tmux -S "$dir/tmux" send-keys -t "$1" Enter
	for _ in $patience; do
		[ "$(tmux -S "$dir/tmux" display -p -t "$1" '#{history_size} #{cursor_y}')" != "$typed" ] &&
			SCROLL=0 screen "$1" | tail -1 | grep -qE '^(\(gdb\)| *>|.*\(y or n\))$' && return
		is_dead "$1" && return
		sleep 0.02
	done
	complain "$1: no prompt after \`$2'"
}

press() { # name, keys as tmux names them
	name=$1
	shift
	before=$(screen "$name")
	tmux -S "$dir/tmux" send-keys -t "$name" "$@"
	wait_change "$name"
}

# Has the program in the window ended?
is_dead() { # name
	[ "$(tmux -S "$dir/tmux" display -p -t "$1" '#{pane_dead}')" = 1 ]
}

wait_dead() { # name
	for _ in $patience; do
		is_dead "$1" && return
		sleep 0.05
	done
	complain "$1: it does not end"
}

close_window() { # name
	tmux -S "$dir/tmux" kill-session -t "$1"
}

done_testing() {
	[ $failed -eq 0 ] || exit 1
}
