#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What strace sees of an explanation: no forced run makes a call outside the list of the cage once
# it was executed.  The failing run comes from a record, since a program that strace follows cannot
# be GDB's as well.  timeout: 120
. tests/support/samples-lib.sh
need_tool
command -v strace >/dev/null || { echo 'needs strace'; exit 77; }
strace -f -qq -o "$dir/try" true 2>/dev/null || { echo 'strace may not trace here'; exit 77; }

cat >"$dir/harm.c" <<'C'
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static void *beside(void *file)
{
	syscall(SYS_unlinkat, AT_FDCWD, file, 0);
	syscall(452, AT_FDCWD, file, 0777, 0);
	return NULL;
}

static void harm(char *file)
{
	struct rlimit limit = { 1, 1 };
	int fd = open(file, O_WRONLY | O_TRUNC), status = write(fd, "x", 1);
	pthread_t thread;

	fchmod(fd, 0777);
	close(fd);
	unlink(file);
	rename(file, "other");
	kill(getppid(), SIGTERM);
	socket(AF_INET, SOCK_STREAM, 0);
	if (!fork())
		execl("/bin/touch", "touch", "other", (char *)NULL);
	status += system("touch other");
	flock(0, LOCK_EX);
	fcntl(0, F_SETOWN, getppid());
	ioctl(0, TIOCSTI, "x");
	prctl(PR_SET_DUMPABLE, 0);
	ptrace(PTRACE_ATTACH, getppid(), 0, 0);
	setrlimit(RLIMIT_CORE, &limit);
	syscall(1000, status);
	pthread_create(&thread, NULL, beside, file);
	pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
	int n = atoi(argv[1]), m = 0;

	if (n > 3)
		harm(argv[argc - 1]);
	if (n > 3)
		m = 1;
	assert(m == 1);
	return 0;
}
C
"$CC" -g -w -pthread -o "$dir/harm" "$dir/harm.c" || exit 1
echo hello >"$dir/file"
"$WHY_BIN" record -o "$dir/record" -- "$dir/harm" 1 "$dir/file" >/dev/null || complain 'no record'
export ASAN_OPTIONS=detect_leaks=0 # which does not work under strace
for engine in jit step; do
	trace=$dir/trace.$engine
	strace -f -qq -o "$trace" "$WHY_BIN" explain --engine $engine --record "$dir/record" \
		>"$dir/answer" 2>&1 || complain "no explanation: $(cat "$dir/answer")"
	python3 tests/cage/strace.py "$trace" >"$dir/said" || complain "$(head -n 20 "$dir/said")"
	cat "$dir/said"
	# It forced runs, and these did what the program does there.
	awk '$1 < 3 || $4 < 10 { exit 1 }' "$dir/said" || complain "too little was seen: $(cat "$dir/said")"
	grep -q ' unlink(' "$trace" && grep -q ' ptrace(PTRACE_ATTACH' "$trace" ||
		complain 'no forced run did harm'
done
[ "$(cat "$dir/file")" = hello ] || complain 'the file was changed'

# The same of commands that do not begin with a record: strace follows only the process that starts
# caged runs, which is there before the first of them.
cat >"$dir/sum.c" <<'C'
#include <assert.h>
#include <stdlib.h>
static int total(int n)
{
	int m = 0;

	for (int i = 0; i <= n; i++)
		m += i;
	return m;
}
int main(int argc, char **argv)
{
	int n = atoi(argv[1]);

	assert(total(n) == n * (n - 1) / 2 || n > 5);
	return 0;
}
C
"$CC" -g -w -o "$dir/sum" "$dir/sum.c" || exit 1
printf '%s\n' 9 0 2 1 7 >"$dir/suite"

# Says the process that starts caged runs of the gdb-why with this number.
starter_of() {
	while kill -0 "$1" 2>/dev/null; do
		for child in $(cat /proc/"$1"/task/*/children 2>/dev/null); do
			[ "$(cat "/proc/$child/comm" 2>/dev/null)" = 'gdb-why cage' ] && echo "$child" && return
		done
		sleep 0.01
	done
	return 1
}
# follow LEAST ARGUMENT...: a command with this many forced runs at least.
follow() {
	least=$1
	shift
	rm -f "$dir/followed"
	"$WHY_BIN" "$@" >"$dir/answer" 2>&1 </dev/null &
	command=$!
	starter=$(starter_of $command) && strace -f -qq -o "$dir/followed" -p "$starter" 2>"$dir/strace"
	wait $command
	grep -q 'not permitted' "$dir/strace" && { echo "strace may not attach here: $1 is not followed"; return; }
	python3 tests/cage/strace.py "$dir/followed" >"$dir/said" || complain "$1: $(head -n 20 "$dir/said")"
	echo "$1: $(cat "$dir/said")"
	awk -v least="$least" '$1 < least { exit 1 }' "$dir/said" ||
		complain "$1: too little was seen: $(cat "$dir/said" "$dir/answer")"
}
follow 2 try --flip sum.c:7 -- "$dir/sum" 2
follow 20 rank --tests "$dir/suite" --technique ofc+cw -- "$dir/sum"
grep -q ' clone(child_stack=NULL, flags=0' "$dir/followed" || complain 'no mutant was followed'

# The reader sees one call more.
awk '/ socket\(AF_INET/ { sub(/<unfinished ...>|\) += .*/, ") = 3") } { print }' "$trace" >"$dir/made-up"
! python3 tests/cage/strace.py "$dir/made-up" >"$dir/said" || complain 'a call that was made is not noticed'
grep -q 'not on the list: .* socket' "$dir/said" || complain "$(cat "$dir/said")"
finish
