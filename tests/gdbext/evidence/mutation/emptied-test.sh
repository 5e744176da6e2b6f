#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What is filled and never emptied.  The statement that is told is typed into the source, which then passes.
set -u
. tests/support/samples-lib.sh
need_tool

cat >"$dir/split.cc" <<'C'
#include <cassert>
#include <string>
#include <vector>
static std::vector<std::string> split(const std::string &line)
{
	std::vector<std::string> parts;
	std::string word;
	for (char c : line) {
		if (c == ' ') {
			if (!word.empty())
				parts.push_back(word);
			/* HERE */
		} else {
			word += c;
		}
	}
	if (!word.empty())
		parts.push_back(word);
	return parts;
}
int main()
{
	const std::vector<std::string> parts = split("to be or  not");
	assert(parts.size() == 4);
	assert(parts[1] == "be");
	assert(parts[3] == "not");
	return 0;
}
C
# check FILE COMPILER STATEMENT: it is told, and mends
check() {
	local file=$1 name=${1%.*}
	$2 -g -O0 -w -o "$dir/$name" "$dir/$file" || complain "$file does not compile"
	sed "s|/\* HERE \*/|$3;|" "$dir/$file" >"$dir/right-$file"
	$2 -g -O0 -w -o "$dir/right-$name" "$dir/right-$file" && "$dir/right-$name" || complain "$3 does not mend $file"
	"$WHY_BIN" explain --all -- "$dir/$name" >"$dir/out" 2>&1
	grep -qF "\`$3' put " "$dir/out" || complain "$file: $(cat "$dir/out")"
}
check split.cc g++ 'word.clear()'
[ $failures -eq 0 ]
