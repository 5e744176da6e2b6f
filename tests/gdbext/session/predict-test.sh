#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# In a lesson `why' and `explain' ask first what the student expects, and keep how the answer differs.
. tests/support/session-lib.sh

export XDG_CACHE_HOME=$dir/cache XDG_DATA_HOME=$dir/data
"$WHY_BIN" lesson start infection "$dir/given" >/dev/null || exit 1
make -s -C "$dir/given" || exit 1
words=$(sed -n 's/^TEST = //p' "$dir/given/Makefile")
line=$(grep -n '% 60 > 30' "$dir/given/program.c" | cut -d: -f1)

open_window lesson 100 40 "$WHY_BIN -q --args $dir/given/program $words"
wait_for lesson '^(gdb)$'
type_line lesson run
expect lesson 'SIGABRT'
press lesson -l why
press lesson Enter
wait_screen lesson 'which line, and which value there?'
press lesson -l "$line remainder 30"
press lesson Enter
wait_screen lesson "You expected line $line"
wait_screen lesson 'of [0-9]*, where'
type_line lesson 'lesson'
expect lesson '# State, infection and failure'
type_line lesson 'lesson hint'
expect lesson 'hint 1 of 3 (5 points)'
type_line lesson "lesson answer program.c:$line --because 'each begun hour'"
expect lesson 'is it right? gdb-why lesson check'
type_line lesson 'lesson check'
expect lesson 'infection: right, 95 of 100 points'
close_window lesson
"$WHY_BIN" lesson report "$dir/given" >"$dir/report"
grep -q "expected  *$line remainder 30" "$dir/report" && grep -q 'saw  *You expected line' "$dir/report" ||
	complain "the report does not say it: $(cat "$dir/report")"

# So does `explain' on a terminal; an empty line is no answer.  A pipe is not asked.
start_window explain 100 60 "sh -c '$WHY_BIN explain -- $dir/given/program $words; echo the end; cat'"
wait_screen explain 'which line, and which value there?'
press explain -l "27 nothing"
press explain Enter
wait_screen explain 'You expected line 27 (.27 nothing.); it is in '
wait_screen explain 'the end'
close_window explain
cp "$dir/given/.journal" "$dir/before"
start_window skip 100 60 "sh -c '$WHY_BIN explain -- $dir/given/program $words; echo the end; cat'"
wait_screen skip 'which line, and which value there?'
press skip Enter
wait_screen skip 'the end'
close_window skip
"$WHY_BIN" explain -- "$dir/given/program" $words </dev/null >"$dir/out"
grep -q 'expect:' "$dir/out" && complain "a pipe is asked"
cmp -s "$dir/given/.journal" "$dir/before" || complain "nothing was expected, but the journal says $(tail -1 "$dir/given/.journal")"
done_testing
