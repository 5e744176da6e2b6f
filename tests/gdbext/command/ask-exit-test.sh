#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Questions at the end of a run: one that exits, whatever its status, or is ended by a
# signal.  timeout: 60
set -u
. tests/support/samples-lib.sh
need_tool

for name in exit return lookup; do
	build "tests/endings/$name.c" "$dir/$name" -w
done

squeezed=' \n'

# An exit status that is not 0 is a failure: at it, with and without --at.
for at in --at=exit --at=failure --color=never; do
	asks 0 '$_exitcode = 1 at ' $at 'why $_exitcode' -- "$dir/exit" 11 15 3
	asks 0 'when' $at 'why $_exitcode' -- "$dir/exit" 11 15 3
	asks 0 'errors = 2 at ' $at 'why errors' -- "$dir/exit" 11 15 3
	asks 0 'exit status 1 at ' $at 'why not $_exitcode == 0' -- "$dir/exit" 11 15 3
	asks 0 'exit status 1 at ' $at 'why not !$_exitcode' -- "$dir/exit" 11 15 3
	asks 0 "\`errors == 0' does not hold at " $at 'why not errors == 0' -- "$dir/exit" 11 15 3
	asks 1 'does hold there' $at 'why not errors == 2' -- "$dir/exit" 11 15 3
done
asks 0 'went true; going false (2 of 3 times), it holds' --at exit 'why not errors == 0' -- "$dir/exit" 11 15 3
asks 0 'if (errors >= 2) true' --at exit 'why $_exitcode' -- "$dir/exit" 11 15 3
asks 0 'passing 3, it holds' --at exit 'why not $_exitcode == 3' -- "$dir/exit" 11 15 3
asks 0 'return failures != 0; failures != 0 = 1' --at exit 'why $_exitcode' -- "$dir/return" 3
asks 0 'was reached' --at exit 'why line 15' -- "$dir/exit" 11 15 3

# So does one that passes come to its end; there is no failure to ask about.
asks 0 '$_exitcode = 0 at ' --at exit 'why $_exitcode' -- "$dir/exit" 1 2
asks 0 'it holds' --at exit 'why not errors == 1' -- "$dir/exit" 1 2
asks 1 'did not fail' 'why errors' -- "$dir/exit" 1 2

# Where a signal ended it the program did not exit, but there is a place to ask at.
for at in --at=exit --at=failure; do
	asks 0 'n = NULL at ' $at 'why n' -- "$dir/lookup" 7
	asks 0 "\`n' does not hold at " $at 'why not n' -- "$dir/lookup" 7
	asks 2 'only where the program exits' $at 'why $_exitcode' -- "$dir/lookup" 7
done
asks 0 'SIGSEGV at ' 'why' -- "$dir/lookup" 7
asks 0 'SIGSEGV at ' --at exit 'why' -- "$dir/lookup" 7
asks 2 'is no place to stop at' --at exit: 'why errors' -- "$dir/exit" 11 15 3

[ $failures -eq 0 ]
