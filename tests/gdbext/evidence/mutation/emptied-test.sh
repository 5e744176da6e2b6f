#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What is filled and never emptied, and variables that nothing sets, or that begin anew too seldom.  The statement that is told is typed into the source, which then passes.
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

cat >"$dir/list.c" <<'C'
#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct node {
	const char *name;
	struct node *next;
};
static struct node *first;
static void add(const char *name)
{
	struct node *n = malloc(sizeof *n);
	n->name = name;
	n->next = first;
	first = n;
}
static int drop(const char *name)
{
	struct node *prev = NULL, *n = first;
	while (n && strcmp(n->name, name) != 0) {
		/* HERE */
		n = n->next;
	}
	if (!n)
		return 0;
	if (prev)
		prev->next = n->next;
	else
		first = n->next;
	free(n);
	return 1;
}
static int length(void)
{
	int k = 0;
	for (struct node *n = first; n; n = n->next)
		k++;
	return k;
}
int main(void)
{
	add("a");
	add("b");
	add("c");
	add("d");
	assert(drop("b") == 1);
	assert(length() == 3);
	return 0;
}
C
check list.c "$CC" 'prev = n'
first=$(grep -m1 '^ 1 ' "$dir/out")
grep -A3 -F -- "$first" "$dir/out" | grep -qF "\`prev = n' put" || complain "list: $(cat "$dir/out")"

cat >"$dir/rows.c" <<'C'
#include <assert.h>
static void sums(int (*v)[3], int *out)
{
	int s = 0;
	for (int i = 0; i < 3; i++) {
		/* HERE */
		for (int k = 0; k < 3; k++)
			s += v[i][k];
		out[i] = s;
	}
}
int main(void)
{
	int v[3][3] = { { 1, 2, 3 }, { 4, 5, 6 }, { 7, 8, 9 } }, out[3];
	sums(v, out);
	assert(out[0] == 6);
	assert(out[1] == 15);
	assert(out[2] == 24);
	return 0;
}
C
check rows.c "$CC" 's = 0'
first=$(grep -m1 '^ 1 ' "$dir/out")
grep -A3 -F -- "$first" "$dir/out" | grep -qF "\`s = 0' put" || complain "rows: $(cat "$dir/out")"
[ $failures -eq 0 ]
