#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# timeout: 240
# limits: any
# A small change of the code is one that can be typed: each number that takes another's place is typed
# into the line, compiled and run.  A compiler has numbers and comparisons of its own.
set -u
. tests/support/samples-lib.sh
need_tool

cat >"$dir/year.c" <<'C'
#include <assert.h>
static int is_leap(int y)
{
	return (y % 4 == 0 && y % 100 == 0) || y % 400 == 0; /* fault */
}
int main(void)
{
	int days = 365;
	if (is_leap(2024))
		days = 366;
	assert(days == 366);
	return 0;
}
C
cat >"$dir/found.c" <<'C'
#include <assert.h>
#include <stddef.h>
struct entry { const char *name; int value; };
static const struct entry *find(const struct entry *e, int n, char c)
{
	for (int i = 0; i < n; i++)
		if (e[i].name[0] == c)
			return &e[i];
	return NULL;
}
static int value_of(const struct entry *e, int n, char c)
{
	const struct entry *x = find(e, n, c);
	return x == NULL ? 0 : x->value; /* what it returns is right */
}
int main(void)
{
	struct entry all[3] = { { "a", 1 }, { "b", 0 }, { "c", 3 } }; /* fault */
	assert(6 / value_of(all, 3, 'b') == 3);
	return 0;
}
C
cat >"$dir/name.cpp" <<'C'
#include <cassert>
#include <string>
struct log_of {
	std::string order;
	void add(char c, int n)
	{
		for (int i = 0; i <= n; i++) /* fault */
			order += c;
	}
};
int main()
{
	log_of l;
	l.add('m', 2);
	l.add('z', 1);
	if (l.order != "mmz")
		return 1;
	return 0;
}
C
# typed CHANGE TEXT: the texts that the line may have with "A for B", one a line.
typed() {
	python3 - "$1" "$2" <<'P'
import itertools, re, sys
change, text = sys.argv[1:]
m = re.fullmatch(r"(-?\w+|`[^']+') for (-?\w+|`[^']+')(, each time)?", change)
if m:
	to, of = (w.strip("`'") for w in m.group(1, 2))
	at = [f.span() for f in re.finditer(r"(?<![\w.'])" + re.escape(of) + r"(?![\w.'])", text)]
	for n in range(1, len(at) + 1):
		for some in itertools.combinations(at, n):
			out = text
			for a, b in reversed(some):
				out = out[:a] + to + out[b:]
			print(out)
P
}
for file in year.c found.c name.cpp; do
	compiler=$CC
	[ "${file##*.}" = c ] || compiler=${CXX:-g++}
	for level in -O0 -Og; do
		"$compiler" -g $level -w -o "$dir/prog" "$dir/$file" || complain "$file does not compile"
		"$WHY_BIN" explain --format=json -- "$dir/prog" >"$dir/answer" 2>"$dir/err"
		status=$?
		[ $level != -O0 ] || explained_or_cut $status || complain "$file: $(cat "$dir/err")"
		jq -r '.suspects[] | select(.evidence.change != null) | "\(.statements[0].line) \(.evidence.change)"' "$dir/answer" >"$dir/changes"
		! grep -E ' (.* and )?another (constant|operation|variable)' "$dir/changes" || complain "$file $level: nobody can type that"
		while read -r line change; do
			tried=0 passed=0
			while IFS= read -r text; do
				tried=1
				awk -v at="$line" -v text="$text" 'NR == at { print text; next } { print }' \
					"$dir/$file" >"$dir/typed.${file##*.}"
				"$compiler" -g $level -w -o "$dir/typed" "$dir/typed.${file##*.}" 2>/dev/null &&
					(timeout 10 "$dir/typed") >/dev/null 2>&1 && passed=1
			done < <(typed "$change" "$(sed -n "${line}p" "$dir/$file")")
			[ $tried -eq 0 ] || [ $passed -eq 1 ] || complain "$file $level line $line: typed, \`$change' does not pass"
		done <"$dir/changes"
	done
done
[ $failures -eq 0 ]
