#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# limits: any
#
# Tests that do not end: the loop is found at each level of optimization, the faulty line is a
# proven suspect, a golden program is heard, a record answers, too; and of a test that waits, what
# it waits for is said.  timeout: 300
set -u
. tests/support/samples-lib.sh
need_tool

# Small changes of the code are another search, which would try each in a run without an end.
unchanged="--limit slip_all_us=0 --limit slip_lines=0 --limit mutant_first_cpu_us=100000"
# So much is recorded, and so many rounds are explained.
rounds=$(when_huge endless_insns=200000 endless_rounds=64)

# explained OPTION... -- PROGRAM ARG...: its JSON is $dir/answer
explained() {
	# shellcheck disable=SC2086
	"$WHY_BIN" explain $unchanged $rounds --format=json --max-suspects 0 --run-timeout 1 "$@" >"$dir/answer" 2>"$dir/err"
	status=$?
	explained_or_cut $status || complain "$*: status $status: $(cat "$dir/err")"
}

# names LINE: it is a proven suspect
names() {
	! default_limits || jq -e --argjson line "$1" \
		'[.suspects[] | select(.replay == "passes") | .statements[].line] | index($line)' \
		"$dir/answer" >"$dir/index" ||
		complain "line $1 is no proven suspect: $(jq -c '[.suspects[] | [.replay, .statements[].line]]' "$dir/answer")"
}

check() { # file, level
	program=$dir/$(basename "$1" .c)-O$2
	fault=$(grep -n '/\* fault \*/' "$1" | cut -d: -f1)
	read -ra arguments <<<"$(field "$1" test)"
	"$CC" -g -O"$2" -w -o "$program" "$1" || { complain "$1 does not compile"; return; }
	explained -- "$program" "${arguments[@]}"
	# with the most of all limits the time may be up before there is an answer
	default_limits || ! grep -q '^gdb-why: There was no answer within' "$dir/err" || return
	[ "$(jq -r '.failure | .kind, .cause' "$dir/answer" | paste -sd:)" = "endless:endless loop" ] ||
		complain "$program: $(jq -c .failure "$dir/answer")"
	names "$fault"
	cp "$dir/answer" "$program.answer"
	# GDB, too, finds it in that function, after a second of its processor time
	[ "$2" = 0 ] || [ "${THOROUGH:-}" ] || return
	function=$(jq -r .failure.function "$dir/answer")
	timeout -k 10 300 gdb -nx -batch -ex 'set exec-wrapper prlimit --cpu=1:60' -ex "run ${arguments[*]}" -ex bt \
		"$program" >"$dir/gdb" 2>&1 </dev/null
	grep -q "^#[0-9]* .*\b$function (" "$dir/gdb" || complain "$program: not in $function: $(tail -5 "$dir/gdb")"
}

for file in tests/endings/*.c; do
	[ "$(field "$file" ends)" = "endless loop" ] || continue
	for level in $(field "$file" levels); do
		[ "$level" = 0 ] || [ "$file" != tests/endings/late.c ] || [ "${THOROUGH:-}" ] || continue
		check "$file" "$level"
	done
done

# Where nothing changes any more that is said; where the rounds differ that is, too.
notes() { # PROGRAM PATTERN
	! default_limits || jq -e --arg pattern "$2" '.notes | any(test($pattern))' "$dir/$1.answer" >"$dir/index" ||
		complain "$1: $(jq -c .notes "$dir/$1.answer")"
}
notes search-O0 'did the same as the one before'
notes step-O0 'rounds, which differ'

# What it should have printed tells more than that it ends.
sed 's/i != n/i < n/' tests/endings/step.c >"$dir/golden.c" && "$CC" -g -w -o "$dir/golden" "$dir/golden.c"
unchanged="--limit mutant_runs=40" explained --golden "$dir/golden" -- "$dir/step-O0" 8
names "$(grep -n '/\* fault \*/' tests/endings/step.c | cut -d: -f1)"
! default_limits || jq -e '[.suspects[] | select(.replay == "passes")][0] | .. | strings | select(test("`<. for `!="))' \
	"$dir/answer" >"$dir/index" || complain "golden: $(jq -c '.suspects[0]' "$dir/answer")"

# What was printed wrong before the hang comes first, also what is still in stdio's buffer; when
# nothing was, it is the loop.
cat >"$dir/before.c" <<'C'
#include <stdio.h>
#include <stdlib.h>
static int next[] = { 1, 2, 3, 4, -1, 0 };
static int length(int at)
{
	int n = 1; /* fault */

	for (; at >= 0; at = next[at])
		n++;
	return n;
}
int main(int argc, char **argv)
{
	int start = atoi(argv[1]);

	printf("begin\n");
	printf("length %d\n", length(0));
	if (argc > 2) /* without an end, and without a newline */
		for (int at = start; at >= 0; at = next[at] < 0 ? 0 : next[at])
			printf(" %d", at);
	while (start != 0)
		start -= 2;
	printf("end\n");
	return 0;
}
C
"$CC" -g -O0 -o "$dir/before" "$dir/before.c" || complain "before.c does not compile"
fault=$(grep -n '/\* fault \*/' "$dir/before.c" | cut -d: -f1)
printf 'begin\nlength 5\nend\n' >"$dir/right"
for more in "" round; do
	# shellcheck disable=SC2086
	explained --expect "$dir/right" -- "$dir/before" 7 $more
	[ "$(jq -r '.failure | .kind, .cause' "$dir/answer" | paste -sd:)" = 'output:line 2 of the output is "length 6", expected "length 5"' ] ||
		! default_limits || complain "before $more: $(jq -c .failure "$dir/answer")"
	! default_limits || jq -e --argjson line "$fault" '[.suspects[] | select(.further.to == 3) | .statements | select(length == 1)[].line] | index($line)' \
		"$dir/answer" >"$dir/index" || complain "before $more: $(jq -c '[.suspects[] | [.further, .statements[].line]]' "$dir/answer")"
	! default_limits || jq -e '.notes | any(test("does not end either"))' "$dir/answer" >"$dir/index" ||
		complain "before $more: $(jq -c .notes "$dir/answer")"
done
printf 'begin\nlength 6\nend\n' >"$dir/right"
explained --expect "$dir/right" -- "$dir/before" 7
[ "$(jq -r .failure.kind "$dir/answer")" = endless ] || complain "before, right: $(jq -c .failure "$dir/answer")"

# Ctrl-C is the moment of the hang as well; the next one ends the question.
sed 's/^static int search/#include <fcntl.h>\nstatic volatile int n; static void told(void) { if (n++ == 300000) close(creat("told", 0600)); }\n&/; s/lo = mid;/lo = mid, told();/' \
	tests/endings/search.c >"$dir/slow.c"
grep -q ' told();' "$dir/slow.c" && "$CC" -g -w -o "$dir/slow" "$dir/slow.c" || complain "slow.c"
(cd "$dir" && exec env --default-signal=INT "$WHY_BIN" explain $unchanged $rounds --format=json --run-timeout 600 -- ./slow 8 >answer 2>err) &
until [ -e "$dir/told" ] || ! kill -0 $! 2>/dev/null; do sleep 0.1; done
kill -INT $!
wait $!
status=$?
explained_or_cut $status || complain "Ctrl-C: status $status: $(cat "$dir/err")"
[ "$(jq -r '.failure | .kind, .cause' "$dir/answer" | paste -sd:)" = "endless:endless loop" ] ||
	complain "Ctrl-C: $(jq -c .failure "$dir/answer") $(cat "$dir/err")"
jq -e '.notes | any(test("^Ctrl-C ended the test"))' "$dir/answer" >"$dir/index" || complain "Ctrl-C: $(jq -c .notes "$dir/answer")"

# A record of it answers, and `why' at its end.
"$WHY_BIN" record --run-timeout 1 -o "$dir/search.why" -- "$dir/search-O0" 8 | grep -q ', no end$' || complain "record"
explained --record "$dir/search.why"
names "$(grep -n '/\* fault \*/' tests/endings/search.c | cut -d: -f1)"
"$WHY_BIN" ask $rounds --run-timeout 1 'why lo' -- "$dir/search-O0" 8 >"$dir/text" 2>"$dir/err" || complain "ask: $(cat "$dir/err")"
grep -q 'lo = mid' "$dir/text" || ! default_limits || complain "ask: $(cat "$dir/text")"

# Of a suite, such a test is explained when no other fails.
printf '3\n8\n' >"$dir/suite"
explained --no-evidence --failing 1 --tests "$dir/suite" -- "$dir/search-O0"
names "$(grep -n '/\* fault \*/' tests/endings/search.c | cut -d: -f1)"
[ "$(jq -c .tests.explained "$dir/answer")" != '[]' ] || complain "suite: $(jq -c .tests "$dir/answer")"

# Two threads that wait for each other.
cat >"$dir/dead.c" <<'C'
#include <pthread.h>
#include <unistd.h>
static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;
static void take(pthread_mutex_t *first, pthread_mutex_t *second)
{
	pthread_mutex_lock(first);
	pthread_barrier_wait(&both);
	pthread_mutex_lock(second);
}
static void *other(void *unused)
{
	take(&right, &left);
	return unused;
}
int main(void)
{
	pthread_t thread;

	pthread_barrier_init(&both, 0, 2);
	pthread_create(&thread, 0, other, 0);
	take(&left, &right);
	return 0;
}
C
"$CC" -g -O0 -pthread -o "$dir/dead" "$dir/dead.c" || complain "dead.c does not compile"
"$WHY_BIN" explain --run-timeout 1 -- "$dir/dead" >"$dir/out" 2>&1
[ $? -eq 3 ] || complain "dead: another status"
for says in 'did not end within 1 second: ' 'thread 1 waits in pthread_mutex_lock at dead.c:9 for `right.' \
	'which thread 2 took at dead.c:7' 'thread 2 waits .* for `left., which thread 1 took' ': a deadlock\.$'; do
	grep -q "$says" "$dir/out" || complain "dead: no \"$says\" in: $(cat "$dir/out")"
done

# Two threads, each of which waits for the other one to signal a condition.
cat >"$dir/signal.c" <<'C'
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER, done = PTHREAD_COND_INITIALIZER;
static void *work(void *arg)
{
	pthread_mutex_lock(&m);
	pthread_cond_wait(&ready, &m);
	pthread_cond_signal(&done);
	return arg;
}
int main(void)
{
	pthread_t thread;

	pthread_mutex_lock(&m);
	pthread_create(&thread, 0, work, 0);
	pthread_cond_wait(&done, &m);
	return 0;
}
C
"$CC" -g -o "$dir/signal" "$dir/signal.c" -lpthread
"$WHY_BIN" explain --run-timeout 1 -- "$dir/signal" >"$dir/out" 2>&1
[ $? -eq 3 ] && grep -q 'thread 1 waits in pthread_cond_wait at signal.c:17; thread 2 waits in pthread_cond_wait at signal.c:7: each waits for another one, a deadlock\.$' "$dir/out" ||
	complain "signal: $(cat "$dir/out")"
cat >"$dir/reads.c" <<'C'
#include <unistd.h>
int main(void)
{
	int ends[2];
	char c;

	if (pipe(ends))
		return 1;
	return (int)read(ends[0], &c, 1);
}
C
"$CC" -g -o "$dir/reads" "$dir/reads.c"
"$WHY_BIN" explain --run-timeout 1 -- "$dir/reads" >"$dir/out" 2>&1
[ $? -eq 3 ] && grep -q 'within 1 second: it waits in read at reads.c:9\.$' "$dir/out" || complain "reads: $(cat "$dir/out")"

[ $failures -eq 0 ]
