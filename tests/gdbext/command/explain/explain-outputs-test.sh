#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# timeout: 120
#
# The page says of each proven explanation what the test prints with it, by a run of its own; texts
# that a program prints are no tags there.
. tests/support/samples-lib.sh
need_tool

cat >"$dir/tags.c" <<'C'
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	int few = atoi(argv[argc - 1]) < 3;
	if (few)
		puts("<b>few</b>");
	else
		puts("many");
	fflush(stdout);
	return few;
}
C
build "$dir/tags.c" "$dir/tags"
"$WHY_BIN" explain --format html -o "$dir/page.html" -- "$dir/tags" 2 >"$dir/said" 2>&1 || complain "status $?: $(cat "$dir/said")"
tr '\n' '~' <"$dir/page.html" >"$dir/line"
grep -q '<details class="printed"><summary>its output differs from line 1 on:</summary>~<pre>  was  &lt;b&gt;few&lt;/b&gt;~  is   many~' \
	"$dir/line" || { complain "the changed output is not on the page"; grep -A5 'class="printed"' "$dir/page.html"; }
grep -q 'its output is the same' "$dir/page.html" || complain "a changed status alone has the same output"
# what was found by runs of changed code, too
"$WHY_BIN" explain --format json -- "$dir/tags" 2 >"$dir/answer" 2>"$dir/said"
proven=$(jq '[.suspects[] | select(.replay == "passes")] | length' "$dir/answer")
shown=$(grep -c 'class="printed"' "$dir/page.html")
[ "$shown" -eq "$proven" ] || complain "$shown outputs are shown for $proven proven explanations"
python3 - "$dir/page.html" <<'P' || complain "the page is no XML"
import re, sys, xml.dom.minidom
xml.dom.minidom.parseString(re.sub(r"<meta ([^>]*[^/])>", r"<meta \1/>", open(sys.argv[1]).read()).replace("<!DOCTYPE html>", ""))
P
finish
