#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What why.gdb has the shell do for it:
#
#     why.sh begin PID         makes a private folder for that GDB
#     why.sh put PID NAME      keeps standard input there, after what is there
#     why.sh ask PID WORDS     asks the question WORDS and what was put as `words'; the answer is
#                              left there as `answer.gdb', commands that print it
#     why.sh panel PID         opens the panel; 10: `go-to.gdb' is what GDB is to do then
#     why.sh end PID           removes the folder
#
# GDB waits meanwhile, so nothing here may ask it anything.
set -u

verb=$1 dir=/tmp/gdb-why.$2
GO_TO=10

complain() {
	printf 'gdb-why: %s\n' "$*" >&2
	exit 2
}

is_ours() {
	[ -d "$dir" ] && [ ! -L "$dir" ] && [ -O "$dir" ]
}

# GDB commands that print standard input; GDB takes blanks off the beginning of what it echoes.
as_echoes() {
	sed -e 's/\\/\\\\/g' -e 's/^\([[:space:]]\)/\\\1/' -e 's/^/echo /' -e 's/$/\\n/'
}

between() { # file, text before, text behind
	sed -e "1s/^$2//" -e "\$s/$3\$//" "$dir/$1"
}

find_program() {
	for why in "${0%/*}/gdb-why" "${0%/*}/../../bin/gdb-why"; do
		[ -x "$why" ] && return
	done
	complain "the program gdb-why is not where it was installed, ${0%/*}/../../bin; install it" \
		"again, then source the new why.gdb."
}

# How often GDB has come to the place by the breakpoint that it stopped at, when
# that can be told: the breakpoint is of this place alone, and each hit stops.
hits() { # FILE:LINE
	number=$(sed -n 's/.*stopped at breakpoint \([0-9]*\).*/\1/p' "$dir/program" | head -n 1)
	awk -v number="${number:-none}" -v place="$1" '
		/^[0-9]/ { here = $1 == number; at = 0; sub(".*/", ""); sub(".* at ", "") }
		here && $0 == place { at = 1 }
		here && /stop only/ { at = 0 }
		here && at && /already hit [0-9]+ time/ { sub(".*already hit ", ""); print $1 }' \
		"$dir/breakpoints"
}

# Variables that are numbers, and members of objects that are, as "NAME == VALUE".
numbers() {
	cat "$dir/args" "$dir/locals" 2>/dev/null | awk '
		/^[A-Za-z_][A-Za-z_0-9]* = -?[0-9]+$/ { print $1 " == " $3 }
		/^[A-Za-z_][A-Za-z_0-9]* = \{[A-Za-z_]/ {
			# without what is deeper, or in quotes
			object = substr($0, length($1) + 5)
			gsub(/"([^"\\]|\\.)*"/, "", object)
			sub(/\}$/, "", object)
			while (gsub(/\{[^{}]*\}/, "", object));
			n = split(object, members, /, /)
			for (i = 1; i <= n; i++)
				if (members[i] ~ /^[A-Za-z_][A-Za-z_0-9]* = -?[0-9]+$/) {
					sub(" = ", " == ", members[i])
					print $1 "." members[i]
				}
		}'
}

# Puts options before the words of the command: where the question is asked.
set_stop() {
	at='' where=''
	grep -q 'SIGABRT\|SIGSEGV\|SIGFPE\|SIGBUS\|SIGILL' "$dir/program" && return
	# it does not run: at the end of a run, where that fails or exits
	[ -e "$dir/line" ] || {
		at=exit
		return
	}
	at=$(sed -n 's/^Line \([0-9]*\) of "\(.*\)" .*/\2:\1/p' "$dir/line" | head -n 1)
	# a frame around an inlined function has the same place, and stands in another line
	if ! grep -q '^Stack level 0,' "$dir/frame"; then
		caller=$(sed -n 's/^ rip = .* (\(.*:[0-9]*\)); saved .*/\1/p' "$dir/frame" | head -n 1)
		at=${caller:-$at}
	fi
	[ -n "$at" ] || complain "there is no line information where the program stands; go \`up' to" \
		"a frame that has some."
	at=${at##*/}
	object=$(sed -n '1s/.* in section [^ ]* of //p' "$dir/symbol")
	if [ -n "$object" ] && [ "$object" != "$executable" ]; then
		complain "the program stands in a library; go \`up' to a frame of its own and ask there."
	fi
	count=$(hits "$at")
	# a line may be begun in several places
	if [ -z "$count" ] && grep -q '^Stack level 0,' "$dir/frame"; then
		here=$(sed -n 's/ in section .*//; s/ + /+/; /+/!s/$/+0/; 1p' "$dir/symbol")
		case $here in *[!A-Za-z0-9_+.]*) ;; *) at=$here ;; esac
	fi
	if [ -n "$count" ]; then
		at=$at:$count
	elif "$why" help ask | grep -q -e '--where'; then
		where=$(numbers)
	fi
}

# In the program's folder, with its arguments as the shell reads them, which may
# send its input elsewhere; 3 and 4 are our output and errors.
answer() {
	input=$(readlink /proc/self/fd/0)
	set -- "$executable" "$@"
	case $verb-$options in
	panel-*) set -- -- "$@" ;;
	ask-) eval "set -- $before \"\$question\" -- \"\$@\"" ;;
	*) eval "set -- $options -- \"\$@\"" ;;
	esac
	[ -f "$input" ] && set -- "--stdin=$input" "$@"
	if [ "$verb" = panel ]; then
		exec "$why" panel -o "$dir/place" "$@" </dev/tty >&3 2>&4
	fi
	if [ -n "$question_about_stop" ] && [ -n "$at" ]; then
		while IFS= read -r condition; do
			[ -z "$condition" ] || set -- "--where=$condition" "$@"
		done <<-END
			$where
		END
		set -- "--at=$at" "$@"
	fi
	command=ask
	[ -z "$options" ] || command=explain
	exec "$why" "$command" --in-gdb "$@" </dev/null >&3 2>&4
}

run_gdb_why() {
	find_program
	grep -q '^Local core dump' "$dir/files" && complain "a core file cannot be run again; start" \
		"the program that it is of, with the same arguments."
	executable=$(sed -n 's/^Symbols from "\(.*\)"\.$/\1/p' "$dir/files" | head -n 1)
	[ -n "$executable" ] || complain "there is no program; name it with \`file'."
	args=$(between arguments 'Argument list to give program being debugged when it is started is "' '"\.')
	folder=$(sed -n 's/^Current working directory that will be .* is "\(.*\)"\.$/\1/p' "$dir/folder")
	if [ -n "$folder" ]; then
		cd "$folder" || exit 2
	fi
	[ -z "$question_about_stop" ] || set_stop
	exec 3>&1 4>&2
	(
		# what the program wrote last time stays
		set -C
		eval "answer $args"
	)
}

question_about_stop='' options='' before=''
case $verb in
begin)
	is_ours && rm -rf "$dir"
	mkdir -m 700 "$dir" || complain "$dir cannot be made; remove it."
	exit
	;;
esac
is_ours || complain "$dir is not this user's; remove it."
case $verb in
put)
	cat >>"$dir/$3"
	;;
ask)
	shift 2
	words=$(cat "$dir/words" 2>/dev/null | tr '\n' ' ')
	question="$* $words"
	case "$*-$words" in
	why- | 'why- ' | 'why---all ') ;;
	why---all\ --row\ * | why---all\ --depth\ *) question_about_stop=yes ;;
	why---all\ --*) options=$words ;;
	why---row\ * | why---depth\ * | why---all\ *) question_about_stop=yes ;;
	why---*\ not\ *)
		question_about_stop=yes
		question="why not ${words#* not }"
		before=${words%% not *}
		;;
	why---*) options=$words ;;
	*) question_about_stop=yes ;;
	esac
	(run_gdb_why) >"$dir/answer" 2>&1
	status=$?
	as_echoes <"$dir/answer" >"$dir/answer.gdb"
	exit $status
	;;
panel)
	: >"$dir/place"
	(run_gdb_why) || exit
	[ -s "$dir/place" ] || exit 0
	cat "$dir/place" - >"$dir/go-to.gdb" <<-'END'
		if $_thread
		  echo `run' or `continue' stops there.\n
		else
		  echo `run' stops there.\n
		end
	END
	exit $GO_TO
	;;
end)
	rm -rf "$dir"
	;;
esac
