#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What happened stands at the beginning of an answer about a long run: the decision behind an exit
# status, and where wrong contents were made, through copies.  It and each small change that
# prints all that is right are told before the answer is complete, and a crash before memory is checked.
# timeout: 300
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

# A crash is told so after a short run, too.
cat >"$dir/null.c" <<'END'
#include <stddef.h>
static int ten = 10;
static int *find(int n)
{
	if (n == 1)
		return &ten;
	return NULL;
}
int main(int argc, char **argv)
{
	int *p = find(argc + 1);
	(void)argv;
	return *p == 11;
}
END
build "$dir/null.c" "$dir/null" || complain "null.c does not compile"
"$WHY_BIN" explain -- "$dir/null" >"$dir/text" || complain "null: exit status $?"
[ "$(sed -n 's/^  \(from\|since\) *[^ ]*null.c:\([0-9]*\) .*/\1 \2/p' "$dir/text" | paste -sd ' ')" = "from 11 from 7 since 5 from 11" ] ||
	complain "null: $(head -n 6 "$dir/text")"
grep -q 'NULL = NULL' "$dir/text" && complain "null: a constant is told as its own value"

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

cat >"$dir/crash.c" <<'END'
#include <stdlib.h>
static struct { char name[8]; int *count; } all = { .name = "a" };
static int *find(int n)
{
	int *block = malloc(sizeof(int));

	for (int i = 0; i < 1000; i++)
		*block = i;
	return n > 1 ? block : NULL;
}
int main(int argc, char **argv)
{
	int *found = find(argc);

	if (argc == 2)
		((int *)malloc(4))[2] = atoi(argv[1]);
	all.count = found;
	return *all.count;
}
END
build "$dir/crash.c" "$dir/crash" -Wno-array-bounds || complain "crash.c does not compile"
"$WHY_BIN" explain -- "$dir/crash" >"$dir/text" || complain "crash: exit status $?"
[ "$(grep -c ^SIGSEGV "$dir/text")" = 1 ] && sed -n 2p "$dir/text" | grep -q "^  from .*crash.c:17" &&
	grep -q "^[1-9][0-9]* explanation" "$dir/text" || complain "crash as text: $(cat "$dir/text")"

# The access that was invalid before takes the crash's place.
sed 's/return n > 1 ? block/return n > 2 ? block/' "$dir/crash.c" >"$dir/before.c"
build "$dir/before.c" "$dir/before" -Wno-array-bounds || complain "before.c does not compile"
"$WHY_BIN" explain --format=json --stream -- "$dir/before" 7 >"$dir/stream" || complain "before: exit status $?"
jq -s -e '(.[0] | .failure.kind == "signal" and .failure.line == 18 and .opening[0].line == 17 and .suspects == []) and
	(.[-1].failure | .kind == "memory" and .line == 16)' "$dir/stream" >"$dir/index" ||
	complain "before: $(jq -s -c '[.[] | [.failure, .opening]]' "$dir/stream")"
"$WHY_BIN" explain -- "$dir/before" 7 >"$dir/text" || complain "before as text: exit status $?"
head -n 1 "$dir/text" | grep -q SIGSEGV && [ "$(grep -n "invalid write" "$dir/text" | cut -d: -f1)" -gt 2 ] ||
	complain "before as text: $(cat "$dir/text")"

# Of a short run nothing is found within the limits: what happened is told in its place, also where
# the text that was printed is a constant, so that the choice of it is what counts.
cat >"$dir/none.c" <<'END'
#include <stdio.h>
#include <string.h>

static const char *value_of(const char *text)
{
	const char *eq = strrchr(text, '=');

	if (eq == text + 4)
		return eq + 1;
	return NULL;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		const char *v = value_of(argv[i]);

		printf("%s\n", v ? v : "none");
	}
	return 0;
}
END
build "$dir/none.c" "$dir/none" || complain "none.c does not compile"
printf '1\n-x=2\n' >"$dir/expected"
"$WHY_BIN" explain --limit slip_lines=0 --format=json --expect "$dir/expected" -- "$dir/none" some=1 opts=-x=2 >"$dir/answer"
jq -e '.suspects == [] and ([.opening[] | .line] == [18, 16, 10, 8, 6, 0]) and
	(.opening[-1].clause | startswith("argv[2], "))' "$dir/answer" >"$dir/index" ||
	complain "none: $(jq -c '[.suspects, .opening]' "$dir/answer")"
"$WHY_BIN" explain --limit slip_lines=0 --expect "$dir/expected" -- "$dir/none" some=1 opts=-x=2 >"$dir/text"
[ "$(grep -c '^line 2 of the output' "$dir/text")" = 1 ] && grep -q '^  since .*none.c:8 ' "$dir/text" ||
	complain "none as text: $(cat "$dir/text")"

# Of a sum the operand is followed that is not 0: the test that failed, not the one before it.
cat >"$dir/sum.c" <<'END'
static int limit = 3;
static unsigned noise;
static int is_low(int n)
{
	if (n < 1)
		return 1;
	return 0;
}
static int is_high(int n)
{
	if (n < 5)
		return 1;
	return 0;
}
int main(void)
{
	int bad = 0;
	for (unsigned i = 0; i < 1000; i++)
		noise = noise * 31 + i;
	bad += is_low(limit);
	bad += is_high(limit);
	return bad;
}
END
build "$dir/sum.c" "$dir/sum" || complain "sum.c does not compile"
"$WHY_BIN" explain --format=json -- "$dir/sum" >"$dir/answer" || complain "sum: exit status $?"
jq -e '[.opening[] | .line] as $rows | ($rows | index([21, 12])) and ($rows[:3] | index([20]) | not)' "$dir/answer" >"$dir/index" ||
	complain "sum: the opening is $(jq -c '[.opening[] | [.line, .clause]]' "$dir/answer")"
finish
