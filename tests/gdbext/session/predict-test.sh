#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# In a lesson `why' asks first what the student expects, and keeps how the answer differs.
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
done_testing
