#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# `why --expect FILE' and `why --golden PROG' in the session and in a plain GDB: wrong output of a run
# that ended well is explained there, and the answer's commands follow it.  timeout: 120
. tests/support/samples-lib.sh
need_tool

cp tests/outputs/slips/until.c "$dir/until.c" || exit 1
(cd "$dir" && "$CC" -g -O0 -w -o until until.c && "$CC" -g -O0 -w -DFIXED -o fixed until.c) || exit 1
read -ra arguments <<<"$(field tests/outputs/slips/until.c test)"
"$dir/fixed" "${arguments[@]}" >"$dir/right"
cd "$dir" || exit 1
printf '%s\n' run 'why --expect right' 'try 1' 'why --golden ./fixed' 'why --memory' 'why --expect none' 'why --expect "right' 'why l' |
	"$WHY_BIN" -q -nx --args ./until "${arguments[@]}" >said 2>&1

says() { # how often, what
	[ "$(tr '\n' ' ' <said | tr -s ' ' | grep -oF -- "$2" | wc -l)" -eq "$1" ] || complain "not $1 times: $2"
}
says 2 "with \`while' for \`if' the test passes"
says 2 'line 1 of the output, "3", should not be there'
says 1 "until.c:18: with \`while' for \`if'"
says 1 'no invalid access to memory was found'
says 1 'The expected output cannot be read'
[ $failures -eq 0 ] || cat said

gdb -q -nx -batch -ex 'set debuginfod enabled off' -ex "source $(dirname "$WHY_BIN")/why.gdb" -ex run -ex 'why --expect right' \
	-ex 'why --golden ./fixed' -ex 'why --memory' -ex 'why --expect none' -ex why --args ./until "${arguments[@]}" >said 2>&1
says 2 "with \`while' for \`if' the test passes"
says 1 'no invalid access to memory was found'
says 1 'The expected output cannot be read'
says 1 'exited with status 0. '
[ $failures -eq 0 ] || cat said
[ $failures -eq 0 ]
