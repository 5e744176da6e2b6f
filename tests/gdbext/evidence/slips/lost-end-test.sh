#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# timeout: 180
# A text is not ended where another one is: leaving out the condition that compares it mends the test as well, and does
# not keep the missing statement from being looked for.
set -u
. tests/support/samples-lib.sh
need_tool

cat >"$dir/config.c" <<'C'
#include <assert.h>
#include <string.h>
struct entry { char section[16], key[16], value[16]; };
static struct entry entries[8];
static int n;
static void parse_line(char *section, char *s)
{
	char *eq;
	if (*s == '[') {
		char *close = strchr(s, ']');
		if (!close)
			return;
		strcpy(section, s + 1); /* fault */
		return;
	}
	eq = strchr(s, '=');
	if (!eq)
		return;
	*eq = '\0';
	strcpy(entries[n].section, section);
	strcpy(entries[n].key, s);
	strcpy(entries[n++].value, eq + 1);
}
static const char *get(const char *section, const char *key)
{
	for (int i = 0; i < n; i++)
		if (strcmp(entries[i].section, section) == 0 && strcmp(entries[i].key, key) == 0)
			return entries[i].value;
	return NULL;
}
int main(void)
{
	char lines[][16] = { "name=demo", "[net]", "port=80" }, section[16] = "";
	for (int i = 0; i < 3; i++)
		parse_line(section, lines[i]);
	const char *port = get("net", "port");
	assert(port);
	assert(strcmp(port, "80") == 0);
	return 0;
}
C
fault=$(grep -n '/\* fault \*/' "$dir/config.c" | cut -d: -f1)
"$CC" -g -w -O0 -o "$dir/config" "$dir/config.c" || complain "config.c does not compile"
"$WHY_BIN" explain --format=json --max-suspects 0 -- "$dir/config" >"$dir/answer" 2>"$dir/err" || complain "$(cat "$dir/err")"
jq -e --argjson fault "$fault" 'any(.suspects[]; .statements[0].line == $fault and
	.evidence.change == "`*close = '"'\\\\0'"'\u0027 put before it")' "$dir/answer" >/dev/null ||
	complain "$(jq -c '.suspects[] | [.statements[0].line, .evidence.change]' "$dir/answer")"
sed "${fault}s/strcpy/*close = 0; strcpy/" "$dir/config.c" >"$dir/typed.c"
"$CC" -g -w -O0 -o "$dir/typed" "$dir/typed.c" && "$dir/typed" || complain "typed, it does not mend the test"
[ $failures -eq 0 ]
