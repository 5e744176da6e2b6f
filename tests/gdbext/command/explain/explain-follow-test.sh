#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Tests that run in other processes: forked children are followed, and other programs are named.
set -u
. tests/support/samples-lib.sh
need_tool

"$CC" -g -O0 -w -o "$dir/fork" tests/endings/fork.c || complain "fork.c does not compile"
fault=$(grep -n '/\* fault \*/' tests/endings/fork.c | cut -d: -f1)
"$WHY_BIN" explain --format=json -- "$dir/fork" >"$dir/answer" 2>"$dir/err" || complain "status $?: $(cat "$dir/err")"
jq -e --argjson fault "$fault" '.failure.cause == "SIGSEGV" and .failure.function == "large" and
	.suspects[0].replay == "passes" and .suspects[0].statements[0].line == $fault' "$dir/answer" >"$dir/index" ||
	complain "child: $(jq -c '[.failure, .suspects[0].statements]' "$dir/answer")"
jq -e '[.notes[] | select(test("child process number 2, which ended by SIGSEGV"))] | length == 1' "$dir/answer" >"$dir/index" ||
	complain "note: $(jq -c .notes "$dir/answer")"
"$WHY_BIN" explain --follow parent -- "$dir/fork" >"$dir/text" 2>"$dir/err"
grep -q '^exit status 1 at' "$dir/text" || complain "--follow parent: $(cat "$dir/text" "$dir/err")"

# A changed run that ends before it becomes the child fails.
cat >"$dir/runner.c" <<'C'
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
	int status = 0;
	for (int i = 0; i < 2; i++) {
		if (!fork())
			exit(i);
		wait(&status);
	}
	return status != 0;
}
C
"$CC" -g -O0 -w -o "$dir/runner" "$dir/runner.c"
"$WHY_BIN" try --flip runner.c:7:2 -- "$dir/runner" >"$dir/text" 2>"$dir/err"
grep -q '^it exits with status 127; before: it exits with status 1' "$dir/text" || complain "no child: $(cat "$dir/text" "$dir/err")"

# The record of a child is one of the child.
"$WHY_BIN" record -o "$dir/fork.why" -- "$dir/fork" >"$dir/text" || complain "record: $(cat "$dir/text")"
"$WHY_BIN" explain --record "$dir/fork.why" >"$dir/text" 2>"$dir/err"
grep -q '^SIGSEGV at .* in large' "$dir/text" && grep -q 'proven by replay' "$dir/text" || complain "--record: $(cat "$dir/text" "$dir/err")"

# A child that fails although the test passes.
cat >"$dir/tolerant.c" <<'C'
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	int odd = argc & 1;

	if (fork() == 0)
		_exit(odd ? 3 : 0);
	wait(NULL);
	return 0;
}
C
"$CC" -g -o "$dir/tolerant" "$dir/tolerant.c" || complain "tolerant.c does not compile"
"$WHY_BIN" explain -- "$dir/tolerant" >"$dir/text" 2>"$dir/err"
[ $? -eq 1 ] && grep -q 'did not fail' "$dir/err" || complain "tolerant: $(cat "$dir/text" "$dir/err")"
"$WHY_BIN" explain --follow child -- "$dir/tolerant" >"$dir/text" 2>"$dir/err"
grep -q '^exit status 3 at' "$dir/text" || complain "--follow child: $(cat "$dir/text" "$dir/err")"
"$WHY_BIN" explain --follow nobody -- "$dir/tolerant" 2>"$dir/err"
[ $? -eq 2 ] && grep -q 'ran no such program' "$dir/err" || complain "--follow nobody: $(cat "$dir/err")"

# A changed run makes no children: they end as in the first run, whose statuses the failure may rest
# on, and the fault in their parent is found.  Without what a child does the test may be another one.
cat >"$dir/parent.c" <<'C'
#include <assert.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static int larger(int a, int b)
{
	int m = a;

	if (b < a) /* fault */
		m = b;
	return m;
}
int main(int argc, char **argv)
{
	int status, n = 4, p[2];
	pid_t child;

	if (strcmp(argv[argc - 1], "pipe") == 0) {
		if (pipe(p) || (child = fork()) < 0)
			return 3;
		if (!child)
			_exit(write(p[1], &n, sizeof n) != sizeof n);
		close(p[1]);
		if (read(p[0], &n, sizeof n) != sizeof n)
			return 4;
		assert(larger(n, 7) == 7);
	}
	for (int i = 0; i < 3; i++) {
		if ((child = fork()) < 0)
			return 5;
		if (!child)
			_exit(i + 3);
		kill(child, 0);
		if (waitpid(child, &status, 0) != child || !WIFEXITED(status))
			return 6;
		n = WEXITSTATUS(status);
	}
	if (wait(&status) != -1)
		return 7;
	assert(larger(n, 7) == 7);
	return 0;
}
C
"$CC" -g -O0 -w -o "$dir/parent" "$dir/parent.c" || complain "parent.c does not compile"
fault=$(grep -n '/\* fault \*/' "$dir/parent.c" | cut -d: -f1)
for engine in jit step; do
	"$WHY_BIN" explain --engine $engine --format=json -- "$dir/parent" >"$dir/answer" 2>"$dir/err" || complain "parent: status $?: $(cat "$dir/err")"
	jq -e --argjson fault "$fault" '.not_run == null and any(.suspects[]; .replay == "passes" and .statements[0].line == $fault) and
		any(.notes[]; contains("makes no child processes"))' "$dir/answer" >"$dir/index" ||
		complain "parent, $engine: $(jq -c '[.not_run, .notes, .suspects[].statements[].line]' "$dir/answer")"
done
"$WHY_BIN" explain --format=json -- "$dir/parent" pipe >"$dir/answer" 2>"$dir/err"
jq -e 'all(.suspects[]; .replay != "passes") and (.not_run | contains("without them the test is not the same"))' "$dir/answer" >"$dir/index" ||
	complain "pipe: $(jq -c '[.not_run, .suspects[].replay]' "$dir/answer")"

# Another program: of a child, of a script and of make.
cat >"$dir/runner.c" <<'C'
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	int status;

	if (fork() == 0) {
		execv(argv[1], argv + 1);
		_exit(127);
	}
	wait(&status);
	return status != 0;
}
C
"$CC" -g -o "$dir/runner" "$dir/runner.c" && "$CC" -g -w -o "$dir/return" tests/endings/return.c || complain "a program does not compile"
test=$(field tests/endings/return.c test)
"$WHY_BIN" explain -- "$dir/runner" "$dir/return" $test >"$dir/text" 2>"$dir/err"
tr '\n' ' ' <"$dir/text" | tr -s ' ' | grep -q "started return, which failed (exit status [0-9]*): gdb-why explain -- $dir/return $test" ||
	complain "exec: $(cat "$dir/text" "$dir/err")"
printf '#!/bin/sh\ncd /\n%s %s "a b" || exit 9\n' "$dir/return" "$test" >"$dir/run.sh"
chmod +x "$dir/run.sh"
"$WHY_BIN" explain -- "$dir/run.sh" 2>"$dir/err"
[ $? -eq 2 ] && grep -q "is a script.* It started return, .*: gdb-why explain --directory / -- $dir/return $test 'a b'\$" "$dir/err" ||
	complain "script: $(cat "$dir/err")"
printf 'check:\n\t@LD_LIBRARY_PATH=%s/lib %s %s\n' "$dir" "$dir/return" "$test" >"$dir/Makefile"
"$WHY_BIN" explain -- make -s -f "$dir/Makefile" check 2>"$dir/err"
grep -q "It started return, .*: LD_LIBRARY_PATH=$dir/lib gdb-why explain -- $dir/return $test\$" "$dir/err" || complain "make: $(cat "$dir/err")"

# With its variables and its standard input; by name it is explained at once.
cat >"$dir/sum.c" <<'C'
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	char line[64];
	int sum = getenv("START") ? atoi(getenv("START")) : 0;

	while (fgets(line, sizeof line, stdin))
		sum += atoi(line);
	printf("%d\n", sum + argc - 1);
	return sum == 22;
}
C
"$CC" -g -o "$dir/sum" "$dir/sum.c" || complain "sum.c does not compile"
printf '5\n6\n7\n' >"$dir/in"
printf '#!/bin/sh\n%s\nSTART=4 %s <%s\n' "$dir/sum" "$dir/sum" "$dir/in" >"$dir/sum.sh"
printf '#!/bin/sh\n%s word | cmp - %s\n' "$dir/sum" "$dir/in" >"$dir/compare.sh"
chmod +x "$dir/sum.sh" "$dir/compare.sh"
"$WHY_BIN" explain -- "$dir/sum.sh" 2>"$dir/err"
grep -q ": START=4 gdb-why explain --stdin $dir/in -- $dir/sum\$" "$dir/err" || complain "variables: $(cat "$dir/err")"
(cd / && "$WHY_BIN" explain --follow sum -- "$dir/sum.sh") >"$dir/text" 2>"$dir/err"
[ $? -eq 0 ] && grep -q '^exit status 1 at .*sum.c:12' "$dir/text" && grep -q 'proven by replay' "$dir/text" &&
	grep -q "follows sum (exit status 1): START=4 " "$dir/err" || complain "--follow sum: $(cat "$dir/text" "$dir/err")"
"$WHY_BIN" ask --follow "$dir/sum" why sum -- "$dir/sum.sh" >"$dir/text" 2>"$dir/err"
grep -q 'sum = 22 at' "$dir/text" || complain "ask: $(cat "$dir/text" "$dir/err")"
# What only compares output has a program that ended well.
"$WHY_BIN" explain -- "$dir/compare.sh" 2>"$dir/err"
grep -q "started sum, which ended well; .*: gdb-why explain --expect FILE -- $dir/sum word\$" "$dir/err" || complain "compare: $(cat "$dir/err")"
echo 0 >"$dir/right"
"$WHY_BIN" explain --follow sum --expect "$dir/right" -- "$dir/compare.sh" >"$dir/text" 2>"$dir/err"
grep -q '^line 1 of the output is "1", expected "0"' "$dir/text" || complain "compare by name: $(cat "$dir/text" "$dir/err")"

# A script that passes, and one that takes too long: nothing is left running.
printf '#!/bin/sh\nexec sleep 987\n' >"$dir/slow.sh"
chmod +x "$dir/slow.sh"
"$WHY_BIN" explain --timeout 1 -- "$dir/slow.sh" 2>"$dir/err"
[ $? -eq 2 ] && ! pgrep -f '^sleep 987' >"$dir/index" || complain "slow: $(cat "$dir/err" "$dir/index")"

[ $failures -eq 0 ]
