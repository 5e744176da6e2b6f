#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Questions about what a run printed: which call printed a line, why its values are as they are, and
# why something was not printed.
set -u
. tests/support/samples-lib.sh
need_tool

for name in total missing buffer cell; do
	"$CC" -g -O0 -w -o "$dir/$name" "tests/outputs/$name.c" || complain "$name.c does not compile"
done
ask() { "$WHY_BIN" ask "$1" -- "${@:2}" >"$dir/text" 2>"$dir/err"; }

call=$(grep -n 'printf("total' tests/outputs/total.c | cut -d: -f1)
fault=$(grep -n '/\* fault \*/' tests/outputs/total.c | cut -d: -f1)
ask 'why output' "$dir/total" 3 4 5 || complain "why output: $(cat "$dir/err")"
grep -Eq "^ +2  total     9 +total.c:$call in main\$" "$dir/text" && [ "$(wc -l <"$dir/text")" -eq 3 ] ||
	complain "why output: $(cat "$dir/text")"
for which in 2 total '"total"'; do
	ask "why output $which" "$dir/total" 3 4 5 || complain "why output $which: $(cat "$dir/err")"
	grep -q "^sum = 9 at .*total.c:$call in main" "$dir/text" && grep -q "from .*total.c:$fault .*sum = 9" "$dir/text" ||
		complain "why output $which: $(cat "$dir/text")"
done
ask 'why output 4' "$dir/total" 3 4 5
[ $? -eq 3 ] && grep -q 'printed no line 4' "$dir/err" || complain "no line: $(cat "$dir/err")"

# What was formatted before is followed to where it was.
ask 'why output 1' "$dir/buffer" 7 || complain "buffer: $(cat "$dir/err")"
grep -q "buffer.c:$(grep -n 'snprintf(first' tests/outputs/buffer.c | cut -d: -f1) in main n\$\|in main\$" "$dir/text" ||
	complain "buffer: $(cat "$dir/text")"

# Floating-point numbers are shown as such where the text gives no type, and what the compiler put
# aside is not what the text assigns.
ask 'why output 1' "$dir/cell" 1 || complain "cell: $(cat "$dir/err")"
fault=$(grep -n '/\* fault \*/' tests/outputs/cell.c | cut -d: -f1)
tr -s '\n ' '  ' <"$dir/text" >"$dir/words"
grep -q "from cell.c:$fault [^:]* \*cell(argc) = 12.5 " "$dir/words" && ! grep -q 'cell(argc) = 2.5' "$dir/words" ||
	complain "cell: $(cat "$dir/text")"

# What was not printed.
condition=$(grep -n '/\* fault \*/' tests/outputs/missing.c | cut -d: -f1)
ask 'why not output "discount"' "$dir/missing" 10 || complain "why not output: $(cat "$dir/err")"
grep -q "missing.c:$((condition + 1)) in main could print it" "$dir/text" && grep -q "since .*missing.c:$condition .*false" "$dir/text" ||
	complain "why not output: $(cat "$dir/text")"
# A part of a line that a format prints, with and without its values; and a number's causes.
cat >"$dir/rest.c" <<'C'
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	double sum = atof(argv[1]);
	if (sum > 100)
		printf("discount: %.2f of %d\n", sum * 0.1, argc);
	sum = sum - 1;
	printf("total %8.2f\n", sum);
	return 0;
}
C
"$CC" -g -O0 -w -o "$dir/rest" "$dir/rest.c" || complain "rest.c does not compile"
for part in discount count '"t: 12.5"' '"discount: 12.50 of 3"' ' of '; do
	ask "why not output $part" "$dir/rest" 50 || complain "why not output $part: $(cat "$dir/err")"
	grep -q "rest.c:7 in main could print it" "$dir/text" && grep -q "since .*rest.c:6 .*false" "$dir/text" ||
		complain "why not output $part: $(cat "$dir/text")"
done
ask 'why not output "discount: much"' "$dir/rest" 50
[ $? -eq 3 ] && grep -q 'no constant of the program prints' "$dir/err" || complain "much: $(cat "$dir/err")"
ask 'why output 1' "$dir/rest" 50 || complain "number: $(cat "$dir/err")"
grep -q '^sum = 49.00 at .*rest.c:9 in main' "$dir/text" && grep -q 'rest.c:8 .*sum = sum - 1; .*sum = 49$' "$dir/text" &&
	grep -q 'atof returned' "$dir/text" || complain "number: $(cat "$dir/text")"
ask 'why not output total' "$dir/missing" 10
[ $? -eq 1 ] && grep -q 'did print that, in line 1' "$dir/err" || complain "printed: $(cat "$dir/err")"
ask 'why not output nonsense' "$dir/missing" 10
[ $? -eq 3 ] && grep -q 'no constant of the program prints' "$dir/err" || complain "nonsense: $(cat "$dir/err")"
# A text that is only compared is printed nowhere, and the table of a `switch' is no text.
cat >"$dir/looked.c" <<'C'
#include <stdio.h>
#include <string.h>
static int number(int c)
{
	switch (c) {
	case '+': return 1;
	case '-': return 2;
	case '*': return 3;
	case '/': return 4;
	case '%': return 5;
	case '^': return 6;
	}
	return 0;
}
int main(int argc, char **argv)
{
	int on = strcmp(argv[1], "yes") == 0;
	printf("%d %d: %s\n", number(argv[1][0]), argc, on ? "yes" : "no");
	return 0;
}
C
"$CC" -g -O0 -w -o "$dir/looked" "$dir/looked.c" || complain "looked.c does not compile"
for part in yes ': yes' '= 64' '%' '8' 'c'; do
	ask "why not output \"$part\"" "$dir/looked" no
	grep 'could print it' "$dir/text" | grep -v 'looked.c:18 in main' && complain "why not output $part: $(cat "$dir/text")"
done
ask 'why not output yes' "$dir/looked" no
grep -q 'looked.c:18 in main could print it' "$dir/text" || complain "why not output yes: $(cat "$dir/text" "$dir/err")"
ask 'why not output' "$dir/missing" 10
[ $? -eq 2 ] || complain "why not output alone: $(cat "$dir/err")"

# What C++ puts into a stream has the name that the source gives it, whatever the stream made of it.
cat >"$dir/put.cc" <<'C'
#include <iomanip>
#include <iostream>
int main(int argc, char **)
{
	double share = 1.0 / argc;
	int parts = 4 * argc;

	std::cout << std::left << std::setw(8) << "parts" << std::right << std::setw(4) << parts << '\n'
		  << "share " << std::fixed << std::setprecision(3) << share << std::endl;
	return 0;
}
C
if "${CXX:-g++}" -g -O0 -w -o "$dir/put" "$dir/put.cc"; then
	ask 'why output 1' "$dir/put" 2 3 || complain "put: $(cat "$dir/err")"
	grep -q '^parts = 12 at .*put.cc:. in main' "$dir/text" && grep -q 'put.cc:6 .*parts = 12$' "$dir/text" &&
		grep -q 'argc, as the program was started with: 3' "$dir/text" && [ "$(grep -c ' at .*put.cc' "$dir/text")" -eq 1 ] || complain "put 1: $(cat "$dir/text")"
	ask 'why output 2' "$dir/put" 2 3 || complain "put: $(cat "$dir/err")"
	grep -q '^share = 0.333 at .*put.cc:9 in main' "$dir/text" && grep -q 'put.cc:5 ' "$dir/text" ||
		complain "put 2: $(cat "$dir/text")"
	# what the optimizer puts there of a header stands in the place of a line of the program
	"${CXX:-g++}" -g -O2 -w -o "$dir/put-2" "$dir/put.cc"
	ask 'why output' "$dir/put-2" 2 3 || complain "put-2: $(cat "$dir/err")"
	grep -q 'put.cc:. in main$' "$dir/text" && ! grep -q 'ostream\|operator' "$dir/text" || complain "put-2: $(cat "$dir/text")"
	ask 'why output 2' "$dir/put-2" 2 3 || complain "put-2: $(cat "$dir/err")"
	grep -q '^share = 0.333 at .*put.cc:9 in main' "$dir/text" && ! grep -q '/include/' "$dir/text" ||
		complain "put-2, line 2: $(cat "$dir/text")"
fi

# A record tells it, too.
cat >"$dir/status.c" <<'C'
#include <stdio.h>
int main(int argc, char **argv)
{
	printf("%d words\n", argc - 1);
	return argc < 3;
}
C
"$CC" -g -O0 -w -o "$dir/status" "$dir/status.c" || complain "status.c does not compile"
"$WHY_BIN" record -o "$dir/status.why" -- "$dir/status" one >"$dir/text" 2>"$dir/err" || complain "record: $(cat "$dir/err")"
"$WHY_BIN" ask --record "$dir/status.why" why output >"$dir/text" 2>"$dir/err" && grep -q '1 words .*status.c:4 in main' "$dir/text" ||
	complain "record: $(cat "$dir/text" "$dir/err")"

[ $failures -eq 0 ]
