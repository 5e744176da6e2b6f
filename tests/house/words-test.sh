#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# No identifier is an operator of C++ (not, new, ...): clang-format reads C as C++ and would
# format the lines around it as if it were one.
files=$(find gdbext mi solver tui tests -name '*.[ch]' ! -path '*/build/*' | sort)
[ -n "$files" ] || exit 1
found=$(perl -0777 -ne '
	s{/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"|\x27(?:[^\x27\\\n]|\\.)*\x27|^\s*#[^\n]*}{}gsm;
	print "$ARGV: $1\n" while /\b(not|new|delete|and|or|xor|bitand|bitor|compl|not_eq|and_eq|or_eq|xor_eq|operator)\b/g;
' $files)
[ -z "$found" ] && exit 0
echo "these identifiers are operators of C++, rename them:"
echo "$found"
exit 1
