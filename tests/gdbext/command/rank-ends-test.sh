#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# limits: any
# Tests that do not end by themselves: time-outs, crashes, processes left behind,
# tests at once, Ctrl-C.  Whatever happens, nothing goes on running and no folder
# stays.
set -u
. tests/support/patience.sh
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
mkdir "$tmp/room" && export XDG_CACHE_HOME=$tmp/cache GDB_WHY_TMPDIR=$tmp/room
failed=0
# No other process has this name.
p=$tmp/p$$

cat >"$tmp/p.c" <<'C'
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void wait_for(const char *name)
{
	while (access(name, F_OK))
		usleep(1000);
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";

	if (!strcmp(how, "sleep")) {
		if (argc > 2)
			close(creat(argv[2], 0600));
		signal(SIGTERM, SIG_IGN);
		while (1)
			pause();
	} else if (!strcmp(how, "spin")) {
		for (volatile unsigned i = 0;; i++)
			;
	} else if (!strcmp(how, "crash")) {
		abort();
	} else if (!strcmp(how, "fork")) {
		if (!fork())
			while (1)
				pause();
		return atoi(argv[2]);
	} else if (!strcmp(how, "daemon")) {
		if (!fork() && setsid() > 0 && !fork())
			while (1)
				pause();
		usleep(10000);
		return atoi(argv[2]);
	} else if (!strcmp(how, "meet")) {
		close(creat(argv[2], 0600));
		wait_for(argv[3]);
	} else if (!strcmp(how, "flood")) {
		while (1)
			puts("more");
	}
	return atoi(how);
}
C
"$CC" -g -O0 -o "$p" "$tmp/p.c" || exit 1

wrong() {
	echo "$1: status $status"
	jq -c "[.tests[].verdict]" "$tmp/answer"
	head -n 20 "$tmp/errors"
	failed=1
}
nothing_is_left() {
	if pgrep -f "$p" >"$tmp/left" || [ -n "$(ls -A "$tmp/room")" ]; then
		echo "$1 leaves:"
		pgrep -fa "$p"
		ls -A "$tmp/room"
		failed=1
	fi
}
# rank OPTIONS..., the suite on standard input
rank() {
	cat >"$tmp/suite"
	"$WHY_BIN" rank --format=json -C "$tmp" --tests suite "$@" -- "$p" >"$tmp/answer" 2>"$tmp/errors"
	status=$?
}
verdicts() {
	[ "$(jq -r '[.tests[].verdict] | join(",")' "$tmp/answer")" = "$1" ]
}

rank --run-timeout 2 -j 4 <<'S'
0
sleep
spin
crash
{} crash; exit $?
{} sleep | cat
fork 0
fork 1
daemon 0
{} sleep & {} 0
S
{ [ $status -eq 0 ] &&
	verdicts "passed,failed: time,failed: time,failed: crash,failed: crash,failed: time,passed,failed: status,passed,passed"; } ||
	wrong "time-outs"
nothing_is_left "time-outs"

# A program that writes without end, compared with another.
printf '#!/bin/sh\necho\n' >"$tmp/other" && chmod +x "$tmp/other"
rank --run-timeout 2 --golden ./other <<'S'
flood
{} 0; echo
S
{ [ $status -eq 3 ] && grep -q "all 2 failed" "$tmp/errors"; } || wrong "flood"
nothing_is_left "flood"

# Two tests that wait for each other pass when they run at once, and only then.
for jobs in 2 1; do
	rm -f "$tmp/a" "$tmp/b"
	rank --no-cache --run-timeout $((jobs == 2 ? 20 : 2)) -j $jobs <<'S'
meet a b
meet b a
0
1
S
	if [ $jobs = 2 ]; then expected=passed,passed; else expected='failed: time,passed'; fi
	{ [ $status -eq 0 ] && verdicts "$expected,passed,failed: status"; } || wrong "-j $jobs"
done
nothing_is_left "-j"

# interrupt SIGNAL, with the suite on standard input, whose last test makes $tmp/late
interrupt() {
	cat >"$tmp/suite"
	rm -f "$tmp/late"
	# bash lets background jobs ignore SIGINT
	env --default-signal=INT "$WHY_BIN" rank --format=json -C "$tmp" --tests suite -j 2 -- "$p" >"$tmp/answer" 2>"$tmp/errors" &
	local pid=$!
	until [ -e "$tmp/late" ]; do sleep 0.01; done
	kill -"$1" $pid
	wait $pid
	status=$?
}
printf '%s\n' 0 '{} 0 x' 1 '{} crash' 'sleep late' sleep '0 y' >"$tmp/in"
interrupt INT <"$tmp/in"
{ [ $status -eq 130 ] && jq -e '.counts.not_run == 3 and .counts.passed == 2 and .counts.failed == 2' \
	"$tmp/answer" >/dev/null; } || wrong "Ctrl-C"
nothing_is_left "Ctrl-C"
printf '%s\n' 0 'sleep late' sleep 1 >"$tmp/in"
interrupt TERM <"$tmp/in"
{ [ $status -eq 130 ] && [ ! -s "$tmp/answer" ] &&
	grep -q '^gdb-why: Interrupted after . of 4 tests' "$tmp/errors"; } || wrong "early SIGTERM"
nothing_is_left "SIGTERM"
# What was measured before the interrupt is known afterwards.
printf '%s\n' 0 '{} 0 x' 1 '{} crash' >"$tmp/in"
rank <"$tmp/in"
{ [ $status -eq 0 ] && jq -e '.counts.cached == 4' "$tmp/answer" >/dev/null; } || wrong "after Ctrl-C"

# Killed: the folder goes, and the tests with it.
printf '%s\n' 0 'sleep late' >"$tmp/suite"
rm -f "$tmp/late"
"$WHY_BIN" rank -C "$tmp" --tests suite -- "$p" >"$tmp/answer" 2>"$tmp/errors" &
pid=$!
until [ -e "$tmp/late" ]; do sleep 0.01; done
kill -KILL $pid
wait $pid 2>/dev/null
for _ in $patience; do
	pgrep -f "$p" >/dev/null || [ -n "$(ls -A "$tmp/room")" ] || break
	sleep 0.01
done
nothing_is_left "SIGKILL"

# The bar is for terminals.
printf '%s\n' 0 1 >"$tmp/suite"
if command -v script >/dev/null; then
	script -qec "'$WHY_BIN' rank --no-cache -C '$tmp' --tests suite -- '$p' >/dev/null" /dev/null >"$tmp/bar" </dev/null
	grep -q 'of 2 tests, . failed' "$tmp/bar" || { echo "no bar:"; cat "$tmp/bar"; failed=1; }
fi
"$WHY_BIN" rank --no-cache -C "$tmp" --tests suite -- "$p" 2>&1 >/dev/null | grep . && failed=1
exit $failed
