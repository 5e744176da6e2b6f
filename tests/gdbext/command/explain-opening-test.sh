#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What happened stands at the beginning of an answer about a long run: the decision behind an exit
# status, and where wrong contents were made, through copies.  It and each small change that
# prints all that is right are told before the answer is complete.  timeout: 300
. tests/support/samples-lib.sh
need_tool

cat >"$dir/status.c" <<'END'
#include <stdlib.h>
static unsigned noise;
static int check(unsigned n)
{
	if (n % 7 != 3)
		return 2;
	return 0;
}
int main(int argc, char **argv)
{
	int err;
	(void)argv;
	for (int i = 0; i < 1000; i++)
		noise = noise * 31 + (unsigned)i;
	err = check((unsigned)argc * 5);
	if (err > 1)
		exit(3);
	return 0;
}
END
build "$dir/status.c" "$dir/status" || complain "status.c does not compile"
"$WHY_BIN" explain --format=json -- "$dir/status" >"$dir/answer" || complain "status: exit status $?"
jq -e '[.opening[] | [.line, .edge]] as $rows | $rows[1] == [16, "control"] and ($rows | index([[15, "data"]]))' \
	"$dir/answer" >"$dir/index" || complain "status: the opening is $(jq -c .opening "$dir/answer")"
"$WHY_BIN" explain -- "$dir/status" >"$dir/text" || complain "status as text: exit status $?"
grep -q "^  since .*status.c:16  if (err > 1)" "$dir/text" || complain "status as text: $(head -n 4 "$dir/text")"

cat >"$dir/copy.c" <<'END'
#include <stdio.h>
#include <string.h>
static char digits[16], line[32];
int main(int argc, char **argv)
{
	unsigned noise = 0;
	(void)argv;
	for (int i = 0; i < 1000; i++)
		noise = noise * 31 + (unsigned)i;
	for (int i = 0; i < 3 + argc; i++)
		digits[i] = (char)('1' + i);
	digits[1] = '7';
	memcpy(line, "n: ", 3);
	memcpy(line + 3, digits, 5);
	puts(line);
	return noise == 1;
}
END
build "$dir/copy.c" "$dir/copy" || complain "copy.c does not compile"
echo 'n: 1234' >"$dir/expected"
"$WHY_BIN" explain --format=json --stream --expect "$dir/expected" -- "$dir/copy" >"$dir/stream" ||
	complain "contents: exit status $?"
jq -s -e '.[0].opening[0].line == 12 and .[0].suspects == []' "$dir/stream" >"$dir/index" ||
	complain "contents: the first line of the stream is $(head -n 1 "$dir/stream")"
jq -s -e 'map(select(.suspects[0].statements[0].kind == "code" and .suspects[0].statements[0].line == 12)) | length > 0' \
	"$dir/stream" >"$dir/index" || complain "contents: no small change is told early"
jq -s -e '[.[-1].suspects[].statements[0].line] == [12]' "$dir/stream" >"$dir/index" ||
	complain "contents: the answer is $(tail -n 1 "$dir/stream")"

finish
