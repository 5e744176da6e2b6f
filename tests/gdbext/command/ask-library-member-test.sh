#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# limits: any
#
# A byte of an object of C++'s library that its member functions filled is told by them, and by the
# line that called them; what lies beside the object was given nothing by them.
# timeout: 120
. tests/support/samples-lib.sh
need_tool
command -v "${CXX:-g++}" >/dev/null || { echo "no C++ compiler"; exit 77; }

cat >"$dir/members.cc" <<'C'
#include <cassert>
#include <string>
#include <vector>
struct token {
	std::string text;
	int kind;
};
static char copied(const std::vector<std::string> &all, unsigned n)
{
	std::string one = all[n];
	char c = one[0];
	return c;
}
static char added(const std::string &from)
{
	std::string two;
	two.append(from);
	char d = two[0];
	return d;
}
static int beside(const std::string &from)
{
	token three = token();
	token four;
	four.text = from;
	int e = four.kind + three.kind;
	return e;
}
static char member(const std::string &from)
{
	token list[2];
	list[1].text = from;
	char g = list[1].text[1];
	return g;
}
int main(int argc, char **argv)
{
	std::vector<std::string> all(argv, argv + argc);
	char c = copied(all, 1);
	char d = added(all[1]);
	char g = member(all[1]);
	int e = beside(all[1]);
	assert(c == d && g == 'z' && e == 0);
	return 0;
}
C
squeezed=" \n"
${CXX:-g++} -g -O0 -w -o "$dir/members" "$dir/members.cc" || complain "members.cc does not compile"
asks 0 "members.cc:10 std::string one = all[n]; one, made by \`basic_string'" 'why c' -- "$dir/members" xy
asks 0 "members.cc:17 two.append(from); two, passed to \`append'" 'why d' -- "$dir/members" xy
asks 0 "members.cc:32 list[1].text = from; list[1].text, passed to \`operator='" 'why g' -- "$dir/members" xy
asks 0 "four.kind, never initialised" 'why e' -- "$dir/members" xy
case $out in
*basic_string* | *operator=*) complain "four.kind: $out" ;;
esac

# The same of a whole object, at a stop, and of one that a function around has: what nobody looked at
# since, and the part of its memory that no text fills, are no causes of their own.
cat >"$dir/lines.cc" <<'C'
#include <iostream>
#include <string>
static int upper(const std::string &line)
{
	std::string out;
	for (char c : line)
		out += c & ~32;
	return out.size();
}
int main()
{
	std::string text;
	int n = 0;
	while (std::getline(std::cin, text))
		n += upper(text);
	return n;
}
C
${CXX:-g++} -g -O0 -w -o "$dir/lines" "$dir/lines.cc" || complain "lines.cc does not compile"
printf 'ab cd\n' >"$dir/in"
asks 0 "1 from lines.cc:7 out += c & ~32; out, passed to \`operator+='" --stdin "$dir/in" --at lines.cc:8 --shown text why out -- "$dir/lines"
case $out in
*" 2 "*) complain "a second cause of out: $out" ;;
esac
asks 0 "from lines.cc:14 while (std::getline(std::cin,... text, passed to \`getline'" --stdin "$dir/in" --at lines.cc:5 --shown text why line -- "$dir/lines"
asks 0 'operator bool returned' --stdin "$dir/in" --at lines.cc:5 --shown text why line -- "$dir/lines"
finish
