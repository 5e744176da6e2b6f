#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# `goto' stops in a test that runs in a child process, and in one that its framework runs in the
# program's own process only when it is told to.  timeout: 120
set -u
. tests/support/samples-lib.sh
need_tool

cat >"$dir/fork.c" <<'C'
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static int twice(int n)
{
	return n + 2;
}
int main(int argc, char **argv)
{
	int status;
	if (fork() == 0)
		exit(twice(argc + 2) != 6);
	wait(&status);
	(void)argv;
	return WEXITSTATUS(status);
}
C
"$CC" -g -O0 -w -o "$dir/fork" "$dir/fork.c"
# shellcheck disable=SC2046
"$CC" -g -O0 -w -o "$dir/check" tests/frameworks/check.c $(pkg-config --cflags --libs check)

ask_session() { # PROGRAM COMMAND...
	program=$1
	shift
	printf '%s\n' run why 'goto 1' "$@" quit |
		"$WHY_BIN" "$program" >"$dir/said" 2>&1
}
said() { # TEXT
	grep -qF -e "$1" "$dir/said" || complain "not \`$1': $(tail -n 20 "$dir/said")"
}

ask_session "$dir/fork" 'print n' 'show follow-fork-mode'
said 'hit Temporary breakpoint 1, twice (n=3)'
said '$1 = 3'
said 'Debugger response to a program call of fork or vfork is "parent"'

ask_session "$dir/check" 'print low' 'show environment CK_FORK'
said 'Temporary breakpoint 1, clamp ('
said '$1 = '
said 'Environment variable "CK_FORK" not defined.'

[ $failures -eq 0 ]
