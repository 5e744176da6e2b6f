#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# limits: any
# A record is explained as the run was, here; without the program it is
# explained, and says that nothing is proven.  timeout: 120
set -u
. tests/support/limits.sh
command -v jq >/dev/null || { echo "jq is not installed"; exit 77; }
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
top=$PWD
failed=0
complain() {
	echo "FAILED $*"
	failed=$((failed + 1))
}
# Whatever happens, nothing may stay here.
export GDB_WHY_TMPDIR=$tmp/private
mkdir "$GDB_WHY_TMPDIR"

# same A B [FIELD...]: two answers, but for times and memory, and these fields.  A record does not say
# whether the run forked, so more changes may be tried before the limit of runs is reached.
timeless='walk(if type == "object" then del(.ms,.actions) else . end) | del(.stack,.stats.record_ms,.stats.solve_ms,.stats.total_ms,.stats.memory_kb,.stats.stages,.stats.limits[]?.reached)'
same() {
	a=$1 b=$2 without=$timeless
	shift 2
	for f; do without="$without|del(.$f)"; done
	jq "$without" "$a" >"$tmp/a" && jq "$without" "$b" >"$tmp/b" && diff "$tmp/a" "$tmp/b"
}
explain() { # OUT ARGS...: JSON, exit status 0
	out=$1
	shift
	"$WHY_BIN" explain --limit mutant_runs=0 --format=json -o "$out" "$@"
	status=$?
	explained_or_cut $status || { complain "explain $*: status $status"; return 1; }
	python3 tests/validate.py tests/answer.schema.json <"$out" || complain "explain $*: not by the schema"
}
record() {
	"$WHY_BIN" record "$@" >"$tmp/said" || { complain "record $*: status $?"; return 1; }
}
refused() { # WORDS STATUS ARGS...: one line that holds WORDS
	words=$1 wanted=$2
	shift 2
	"$WHY_BIN" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	status=$?
	if [ $status -ne "$wanted" ] || [ -s "$tmp/out" ] || [ "$(wc -l <"$tmp/err")" -ne 1 ] ||
		! grep -q "^gdb-why: .*$words" "$tmp/err"; then
		complain "gdb-why $*: status $status, said: $(cat "$tmp/out" "$tmp/err")"
	fi
}
none_run() { # OUT: every suspect is "not run", and it says why
	jq -e '.not_run != null and (.notes | any(startswith("nothing was run"))) and
		(.suspects | (length > 0 or ($cut != "")) and all(.replay == "not run"))' \
		--arg cut "${GDB_WHY_LIMITS:-}" "$1" >/dev/null ||
		complain "$1: something was run, or it does not say that nothing was"
}
proven() { # OUT
	jq -e '.not_run == null and ($cut != "" or (.suspects | any(.replay == "passes")))' \
		--arg cut "${GDB_WHY_LIMITS:-}" "$1" >/dev/null ||
		complain "$1: nothing is proven: $(jq .not_run "$1")"
}
build() { # NAME FLAGS...
	name=$1
	shift
	${CC:-gcc} -g -O0 -o "$tmp/$name" "$@" || exit 1
}

# like_the_run RECORD OPTIONS -- PROG ARGS: the record's answer is that of a run, down to
# the number of questions.
like_the_run() {
	from=$1 options=$2
	shift 2
	explain "$tmp/run" $options "$@" && explain "$tmp/again" $options --record "$from" &&
		same "$tmp/run" "$tmp/again" >"$tmp/diff" && return
	cat "$tmp/diff"
	complain "$*: the record's answer differs"
}

# As the run itself, in its place.  Sets of statements are looked for as long as it is
# worth while, so those of the larger sample are left out.
for words in 'paper 0 0' 'bst 5 8 3'; do
	set -- $words
	program=$BUILD/samples/$1
	shift
	record -o "$tmp/r.why" -- "$program" "$@"
	for options in '--max-size 1' '--max-suspects 1 --granularity row'; do
		like_the_run "$tmp/r.why" "$options" -- "$program" "$@"
	done
	"$WHY_BIN" explain --check --record "$tmp/r.why" >/dev/null || complain "$words: --check"
done

# Away from program and sources; with the program under another name and in
# another environment; with another build of it.
mkdir "$tmp/home" "$tmp/away"
cp samples/paper.c "$tmp/home/p.c"
build home/p "$tmp/home/p.c"
(cd "$tmp/home" && "$WHY_BIN" record -- ./p 0 0 >/dev/null) || complain "record in home"
[ "$(stat -c %a "$tmp/home/p.why")" = 600 ] || complain "others may read the record"
explain "$tmp/run" -C "$tmp/home" -- ./p 0 0
cp "$tmp/home/p.why" "$tmp/away/a.why"
mv "$tmp/home/p" "$tmp/away/longer-name-of-p"
mv "$tmp/home/p.c" "$tmp/home/gone.c"
(cd "$tmp/away" && "$WHY_BIN" explain --record a.why >text)
explained_or_cut $? || complain "explain away"
! default_limits || grep -q 'none proven by replay' "$tmp/away/text" && grep -q 'note: nothing was run' "$tmp/away/text" ||
	complain "away: the text does not say that nothing is proven"
explain "$tmp/away/json" --record "$tmp/away/a.why"
none_run "$tmp/away/json"
for field in program argv failure; do
	[ "$(jq -c ".$field" "$tmp/run")" = "$(jq -c ".$field" "$tmp/away/json")" ] ||
		complain "away: $field differs"
done
jq -e '.suspects | all(.statements | all(.text != null))' "$tmp/away/json" >/dev/null ||
	complain "away: the sources are missing"
explain "$tmp/away/json" --record "$tmp/away/a.why" -- "$tmp/away/longer-name-of-p"
same "$tmp/run" "$tmp/away/json" program || complain "under another name: the answer differs"
HOME=/ PADDING=$(printf '%5000s' x) MORE=$(printf '%99999s' x) \
	explain "$tmp/away/json" --record "$tmp/away/a.why" "$tmp/away/longer-name-of-p"
same "$tmp/run" "$tmp/away/json" program || complain "in a larger environment: the answer differs"
(
	cd / && env -i PATH="$PATH" GDB_WHY_TMPDIR="$GDB_WHY_TMPDIR" GDB_WHY_LIMITS="${GDB_WHY_LIMITS:-}" \
		"$WHY_BIN" explain --limit mutant_runs=0 --format=json --record "$tmp/away/a.why" "$tmp/away/longer-name-of-p" >"$tmp/away/json"
)
explained_or_cut $? || complain "in an empty environment"
same "$tmp/run" "$tmp/away/json" program || complain "in an empty environment: the answer differs"
sed 's/b = a + 2/b = a + 3/' "$tmp/home/gone.c" >"$tmp/home/p.c"
build home/p "$tmp/home/p.c"
refused 'is another build than the one recorded' 2 explain --record "$tmp/away/a.why" "$tmp/home/p"
explain "$tmp/away/json" --record "$tmp/away/a.why"
none_run "$tmp/away/json"
jq -e '.not_run | contains("another build")' "$tmp/away/json" >/dev/null || complain "no word of the build"
rm "$tmp/home/p"

# Without build-id the file's checksum counts; without the program inside it is asked for.
for flags in -Wl,--build-id -Wl,--build-id=none; do
	build small "$flags" samples/paper.c
	record --no-program -o "$tmp/small.why" -- "$tmp/small" 0 0
	explain "$tmp/again" --record "$tmp/small.why"
	proven "$tmp/again"
	mv "$tmp/small" "$tmp/moved"
	refused 'does not hold it; name the program' 2 explain --record "$tmp/small.why"
	explain "$tmp/again" --record "$tmp/small.why" "$tmp/moved"
	proven "$tmp/again"
	build other "$flags" -DOTHER "$top/samples/bst.c"
	refused 'is another .* than the one recorded' 2 explain --record "$tmp/small.why" "$tmp/other"
done

# Debug information in a file of its own travels too.
build split -Wl,--build-id samples/paper.c
(cd "$tmp" && objcopy --only-keep-debug split split.debug && strip -g split &&
	objcopy --add-gnu-debuglink=split.debug split) || complain "objcopy"
record -o "$tmp/split.why" -- "$tmp/split" 0 0
rm "$tmp/split.debug"
explain "$tmp/again" --record "$tmp/split.why"
none_run "$tmp/again"

# A traced library travels with the program, and a thread of its own.
cat >"$tmp/lib.c" <<'END'
int twice(int n);
int twice(int n)
{
	return n * 3;
}
END
cat >"$tmp/uses.c" <<'END'
#include <assert.h>
#include <pthread.h>
int twice(int n);
static void *work(void *n)
{
	int m = twice(*(int *)n);

	assert(m == 8);
	return n;
}
int main(void)
{
	int n = 4;
	pthread_t t;

	pthread_create(&t, 0, work, &n);
	return pthread_join(t, 0);
}
END
build libtwice.so -shared -fPIC "$tmp/lib.c"
build uses "$tmp/uses.c" -L"$tmp" -ltwice -Wl,-rpath,"$tmp" -pthread
set -- --trace-lib "$tmp/libtwice.so"
record "$@" -o "$tmp/uses.why" -- "$tmp/uses"
like_the_run "$tmp/uses.why" '' "$@" -- "$tmp/uses"
proven "$tmp/again"
mv "$tmp/libtwice.so" "$tmp/moved.so" && rm "$tmp/lib.c"
explain "$tmp/again" --record "$tmp/uses.why"
none_run "$tmp/again"
jq -e '.not_run | contains("libtwice.so is not on this machine")' "$tmp/again" >/dev/null ||
	complain "no word of the library"
! default_limits || jq -e '.suspects | any(.statements[].text == "return n * 3;")' "$tmp/again" >/dev/null ||
	complain "the library is not looked into"

# Input, working directory and environment are the record's.
cat >"$tmp/reads.c" <<'END'
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
	FILE *f = fopen("here", "r");
	int n = getchar() - '0';
	int m = getenv("MODE") ? 2 : 1;

	n = n * m;
	assert(!f || n == 3);
	return 0;
}
END
build reads "$tmp/reads.c"
mkdir "$tmp/work" && touch "$tmp/work/here"
printf 4 | MODE=x record -C "$tmp/work" --stdin /dev/stdin -o "$tmp/reads.why" -- "$tmp/reads"
MODE=y explain "$tmp/again" --record "$tmp/reads.why"
proven "$tmp/again"
mv "$tmp/work" "$tmp/works"
MODE=y explain "$tmp/again" --record "$tmp/reads.why"
none_run "$tmp/again"
jq -e '.not_run | contains("-C DIR")' "$tmp/again" >/dev/null || complain "no word of -C"
MODE=y explain "$tmp/again" -C "$tmp/works" --record "$tmp/reads.why"
proven "$tmp/again"
MODE=y explain "$tmp/again" -C "$tmp" --record "$tmp/reads.why"
jq -e '.not_run | contains("it passes now")' "$tmp/again" >/dev/null || complain "no word of passing"
mv "$tmp/works" "$tmp/work"
explain "$tmp/again" --record "$tmp/reads.why"
jq -e '.not_run | contains("does not do here what was recorded")' "$tmp/again" >/dev/null ||
	complain "without MODE the program does the same"
printf 4 | MODE=x record -C "$tmp/work" --keep-env MODE --stdin /dev/stdin -o "$tmp/reads.why" -- "$tmp/reads"
explain "$tmp/again" --record "$tmp/reads.why"
proven "$tmp/again"
grep -q 'MODE' "$tmp/reads.why" && complain "the environment stands in the file as it is"

# A run that passed is kept, too, and can be asked about elsewhere.
"$WHY_BIN" record -C "$tmp" -o "$tmp/passed.why" -- "$tmp/reads" >"$tmp/out" 2>"$tmp/err" </dev/null
[ $? -eq 1 ] && grep -q 'passed.why: .*, a run that passed' "$tmp/out" && grep -q 'did not fail' "$tmp/err" ||
	complain "record of a run that passes: $(cat "$tmp/out" "$tmp/err")"
mv "$tmp/reads" "$tmp/reads.away"
"$WHY_BIN" ask --record "$tmp/passed.why" --at exit 'why $_exitcode' >"$tmp/out" 2>&1 &&
	grep -q '_exitcode = 0 at .*reads.c' "$tmp/out" || complain "asked about a run that passed: $(cat "$tmp/out")"
mv "$tmp/reads.away" "$tmp/reads"
refused 'did not fail' 1 explain --record "$tmp/passed.why"

# What does not end in time or room leaves no record; the program goes on.
cat >"$tmp/long.c" <<'END'
#include <assert.h>
#include <stdio.h>
int main(int argc, char **argv)
{
	static int a[16];

	for (int i = 0; i < 100000; i++)
		a[i % 16] += a[(i + argc) % 16] + i;
	fclose(fopen(argv[1], "w"));
	assert(a[0] == 0);
	return 0;
}
END
build long "$tmp/long.c"
refused 'recording had ended before, after .* --max-record' 3 \
	record --max-record 256 -o "$tmp/none.why" -- "$tmp/long" "$tmp/end"
[ -e "$tmp/end" ] || complain "--max-record ended the program"
refused 'recording had ended before' 3 explain --max-record 256 -- "$tmp/long" "$tmp/end"
refused 'there is no folder' 2 record -o "$tmp/missing/none.why" -- "$BUILD/samples/paper" 0 0
[ ! -e "$tmp/none.why" ] || complain "a record was left"
ln -s kept.why "$tmp/link.why"
record -o "$tmp/link.why" -- "$BUILD/samples/paper" 0 0
{ [ -L "$tmp/link.why" ] && [ -s "$tmp/kept.why" ]; } || complain "a record took the place of a link"
"$WHY_BIN" record -o /dev/stdout -- "$BUILD/samples/paper" 0 0 | cat >"$tmp/piped.why"
explain "$tmp/again" --record "$tmp/piped.why"
proven "$tmp/again"

# What a stranger's program printed does nothing to this terminal.
cat >"$tmp/colours.c" <<'END'
#include <assert.h>
#include <stdio.h>
int main(void)
{
	int a = 1;

	printf("\033[31mred\033]0;title\007\tend\n");
	fflush(stdout);
	assert(a == 2);
	return 0;
}
END
build colours "$tmp/colours.c"
record -o "$tmp/colours.why" -- "$tmp/colours"
"$WHY_BIN" explain --show-output --record "$tmp/colours.why" >"$tmp/out" 2>"$tmp/err"
status=$?
explained_or_cut $status || complain "colours: status $status"
grep -q 'red.*end' "$tmp/err" || complain "colours: no output is shown: $(cat "$tmp/err")"
LC_ALL=C grep -q '[[:cntrl:]]' "$tmp/err" && complain "colours: escape codes reach the terminal"

# A file of some KiB that becomes hundreds of MiB is unpacked only when that is asked for.
truncate -s 300M "$tmp/zeros"
record --stdin "$tmp/zeros" -o "$tmp/large.why" -- "$BUILD/samples/paper" 0 0
rm "$tmp/zeros"
[ "$(stat -c %s "$tmp/large.why")" -lt 1000000 ] || complain "large: $(stat -c %s "$tmp/large.why") bytes"
refused 'becomes 30[0-9] MiB when it is unpacked' 2 explain --record "$tmp/large.why"
explain "$tmp/again" --max-record 310M --record "$tmp/large.why"
proven "$tmp/again"
rm "$tmp/large.why"

# Changes of the code are tried on what the test read, too.
cat >"$tmp/sum.c" <<'C'
#include <assert.h>
#include <stdio.h>
int main(void)
{
	int v, sum = 1;

	while (scanf("%d", &v) == 1)
		sum += v;
	assert(sum == 6);
	return 0;
}
C
gcc -g -O0 -o "$tmp/sum" "$tmp/sum.c" || exit 1
echo 1 2 3 >"$tmp/numbers"
"$WHY_BIN" explain --format=json --stdin "$tmp/numbers" -- "$tmp/sum" >"$tmp/run.json" 2>"$tmp/err"
"$WHY_BIN" record -o "$tmp/sum.why" --stdin "$tmp/numbers" -- "$tmp/sum" >"$tmp/said" 2>"$tmp/err"
"$WHY_BIN" explain --format=json --record "$tmp/sum.why" >"$tmp/record.json" 2>"$tmp/err"
changes() {
	jq -c '[.suspects[] | [.replay, .statements[0].line, .evidence.change]]' "$1"
}
[ "$(changes "$tmp/run.json")" = "$(changes "$tmp/record.json")" ] ||
	complain "with standard input: $(changes "$tmp/run.json"), of the record $(changes "$tmp/record.json")"
! default_limits || jq -e '[.suspects[] | select(.statements[0].line == 5)][0].evidence.change == "0 for 1"' "$tmp/record.json" >"$tmp/said" ||
	complain "the change is not told: $(changes "$tmp/record.json")"

# What is no record of ours is refused.
good=$tmp/away/a.why
size=$(stat -c %s "$good")
for n in 0 1 16 63 64 65 127 128 1000 $((size / 2)) $((size - 65)) $((size - 64)) $((size - 1)); do
	head -c "$n" "$good" >"$tmp/cut.why"
	refused 'cannot be used: ' 2 explain --record "$tmp/cut.why"
done
for at in 3 17 25 50 70 $((size / 3)) $((size / 2)) $((size - 100)) $((size - 50)) $((size - 1)); do
	cp "$good" "$tmp/cut.why"
	printf '\377' | dd of="$tmp/cut.why" bs=1 seek="$at" conv=notrunc status=none
	cmp -s "$good" "$tmp/cut.why" || refused 'cannot be used: ' 2 explain --record "$tmp/cut.why"
done
refused 'it is none' 2 explain --record "$WHY_BIN"
refused 'not a regular file' 2 explain --record "$tmp"
refused 'not a regular file' 2 explain --record /dev/null
refused 'cannot be opened' 2 explain --record "$tmp/none.why"
mkfifo "$tmp/fifo"
refused 'not a regular file' 2 explain --record "$tmp/fifo"
refused 'arguments are the record' 2 explain --record "$good" -- "$tmp/reads" 1
refused 'stdin is the record' 2 explain --stdin /dev/null --record "$good"

[ -z "$(ls -A "$GDB_WHY_TMPDIR")" ] || complain "left behind: $(ls "$GDB_WHY_TMPDIR")"
[ -z "$(find "$tmp" -name '*.why.*')" ] || complain "half a record was left"
exit $((failed > 0))
