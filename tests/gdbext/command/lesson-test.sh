#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A student's way through a lesson: start, test, hint, answer, check; what is right, partly right
# and wrong; all formats; nothing in the folder gives the fault away.
set -u
lessons=$PWD/samples/lessons
dir=$(mktemp -d "${TMPDIR:-/tmp}/gdb-why-lesson.XXXXXX") && trap 'rm -rf "$dir"' EXIT
export XDG_CACHE_HOME=$dir/cache XDG_DATA_HOME=$dir/data
failed=0
complain() {
	echo "FAILED $*"
	failed=1
}
lesson() { "$WHY_BIN" lesson "$@"; }
# says STATUS TEXT COMMAND...: its exit status, and a line of what it says
says() {
	want=$1 text=$2
	shift 2
	said=$("$@" 2>&1)
	status=$?
	[ $status -eq "$want" ] || complain "status $status, not $want: $*: $said"
	grep -q -- "$text" <<<"$said" || complain "$* does not say \`$text': $said"
}

says 0 '^ 1  infection  *15 min  State, infection and failure$' lesson
says 2 'There is no lesson `nothing' lesson start nothing "$dir/x"
says 2 'is no folder of a lesson' lesson check "$dir"
says 0 'make test' lesson start infection "$dir/one"
says 2 'is there already' lesson start infection "$dir/one"
says 0 'infection .*started in' lesson

cd "$dir/one" || exit 1
says 2 'Assertion `fee == ' make test
grep -qr 'minutes % 60 > 0\|1410 30\|golden' . && complain "the folder gives the fault or the suite away"
fault=$(grep -n '% 60 > 30' program.c | cut -d: -f1)

says 1 'Nothing was answered' lesson check
says 2 'names no line' lesson answer prog.c:3
says 2 'Name the lines' lesson answer
says 0 'answered' lesson answer program.c:"$fault" --because 'each begun hour counts'
says 0 '^infection: right, 100 of 100 points$' lesson check
says 0 'infection .*100 of 100 points' lesson
grep -q 'because.each begun' .journal || complain "the reason is not kept"

# What the engine found is kept, but not where somebody comes upon it.
find "$XDG_CACHE_HOME" -name 'answer*' | grep -q . || complain "nothing is kept"
grep -rqa 'suspects\|witness' "$XDG_CACHE_HOME" && complain "the cache tells the answer"

# On the way, not executed, too many; with a reason.
charge=$(grep -n 'fee = visit->hours' program.c | cut -d: -f1)
says 0 . lesson answer program.c:"$charge"
says 1 '40 of 100 points' lesson check
says 1 'fee was 250' lesson check
# Before the fault the values are right: that is not on the way.
before=$(grep -n 'if (visit->minutes < 0)' program.c | cut -d: -f1)
says 0 . lesson answer program.c:"$before"
says 1 'wrong, 0 of 100 points' lesson check
says 1 'before anything is wrong; visit->minutes < 0 was false' lesson check
midnight=$(grep -n 'past midnight' program.c | cut -d: -f1)
says 0 . lesson answer "$midnight"
says 1 'never comes there' lesson check
says 0 . lesson answer $((fault + 1))
says 1 "never comes there; in line $fault, visit->minutes % 60 > 30 was false" lesson check
says 0 . lesson answer "$fault" "$charge"
says 1 'Fewer of these lines' lesson check

# Formats.
says 0 . lesson answer "$fault"
lesson check --format json | jq -e '.verdict == "right" and .points == 100 and (.checks | length) == 1' >/dev/null || complain json
lesson check --format gradescope | jq -e '.score == 100 and .tests[0].status == "passed"' >/dev/null || complain gradescope
says 0 '^ok 1 - program.c:' lesson check --format tap
says 0 '<testsuite name="infection" tests="1" failures="0">' lesson check --format junit
lesson check --format junit | python3 -c 'import sys, xml.dom.minidom as x; x.parse(sys.stdin)' || complain "junit is no XML"

# A line is found by its text in a program that was changed since.
sed -i '1i /* mine */' program.c
says 0 . lesson answer $((fault + 1))
says 0 'infection: right' lesson check

# Mended: not at all, wrongly, in another way than the golden program.
says 0 . lesson answer --fix
says 1 'of 12 hidden tests pass' lesson check
sed -i 's/% 60 > 30/% 60 >= 1/' program.c
says 0 'All 12 hidden tests pass' lesson check
cp program.c mended.c
sed -i '/assert(fee/d' program.c
says 1 'no longer checks' lesson check
sed 1d mended.c >program.c

# Hints cost; they come in their order.
says 2 'one after the other' lesson hint 3
says 0 'hint 1 of 3 (5 points)' lesson hint
says 0 'Look in count_hours, lines' lesson hint
says 0 'hint 3 of 3 (30 points)' lesson hint
says 0 . lesson answer "$fault"
says 0 '50 of 100 points, after 3 hints' lesson check

# An examination has none.
says 0 . lesson start infection "$dir/exam" --exam --seed anna
says 2 'examination' lesson hint -C "$dir/exam"
cd "$dir/exam" && make -s >/dev/null || complain "it does not build"
says 2 'explanations are refused' "$WHY_BIN" explain -- ./program 600 690 0 500
says 0 'visit\|stay\|ticket' "$WHY_BIN" ask why fee -- ./program 600 690 0 501
says 2 'explanations are refused' "$WHY_BIN" rank --tests Makefile -- ./program
says 2 'explanations are refused' "$WHY_BIN" lesson key infection --seed anna

# What is left is said by --allow; a mark that cannot be read leaves least.
says 2 'allow' lesson start infection "$dir/gdb" --exam --allow nothing
says 0 . lesson start infection "$dir/gdb" --exam --allow gdb
cp program "$dir/gdb/"
says 2 'explanations and slices are refused' "$WHY_BIN" ask why fee -- "$dir/gdb/program" 600 690 0 501
says 0 . "$WHY_BIN" -q -batch -ex 'print 1' "$dir/gdb/program"
says 0 . lesson start infection "$dir/reading" --exam --allow reading
cp program "$dir/reading/"
says 2 'debuggers are refused' "$WHY_BIN" -q -batch -ex 'print 1' "$dir/reading/program"
says 2 'debuggers are refused' "$WHY_BIN" -q -batch -ex 'print 1' --args "$dir/reading/program" 600
says 0 . lesson answer 34 -C "$dir/reading"
sed -i 's/exam=.*/exam=who knows/' "$dir/gdb/.lesson"
says 2 'debuggers are refused' "$WHY_BIN" ask why fee -- "$dir/gdb/program" 600 690 0 501

# A folder of an instructor's lesson that is on another machine can be answered.
cp -r "$lessons/infection" "$dir/away"
says 0 . lesson start "$dir/away/" "$dir/sent"
mv "$dir/away" "$dir/back"
says 0 answered lesson answer -C "$dir/sent" program.c:"$fault"
says 2 'is no lesson' lesson check "$dir/sent"
mkdir "$dir/class" && cp -r "$dir/sent" "$dir/class/anna"
mv "$dir/back" "$dir/away"
says 0 "anna .*right .*100" lesson grade "$dir/class" --lesson "$dir/away/"

# Where a lesson was measured, a seed gives only what is as difficult as the first variant.
cp -r "$lessons/infection" "$dir/own"
cd "$dir" || exit 1
printf '%s\n' '1 HOUR=250 DAY=2000: 5 links, 8 explanations, rank 1' '1 HOUR=320 DAY=2500: 8 links, 9 explanations, rank 2' \
	'2 HOUR=320 DAY=2500: 12 links, 8 explanations, rank 1' '3 HOUR=320 DAY=2500: 5 links, 8 explanations, rank 0' >own/difficulty.txt
for seed in 1 2 3 4 5 6 7 8; do
	says 0 . lesson start "$dir/own/" "$dir/own-$seed" --seed $seed
	grep -q '% 60 > 30' "own-$seed/program.c" || complain "seed $seed: another fault than those as difficult as the first one"
	grep -q 'HOUR 180' "own-$seed/program.c" && complain "seed $seed: a constant that was not measured"
done
grep -lq 'HOUR 320' own-*/program.c || complain "no seed gives the other variant"
sed -i 1d own/difficulty.txt
says 2 'lesson measure' lesson start "$dir/own/" "$dir/own-9" --seed 9
exit $failed
