#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# timeout: 120
# limits: any
# What library functions wrote is told where the test failed as GDB shows it there, at the time that failed.
set -u
. tests/support/samples-lib.sh
need_tool

cat >"$dir/texts.c" <<'C'
#include <stdio.h>
#include <string.h>
struct list { char text[24]; int used; };
static int fails;
static void add(struct list *l, const char *word, int n)
{
	l->used += snprintf(l->text + l->used, sizeof l->text - l->used, "%s%d,", word, n);
}
static void check(const char *got, const char *want)
{
	if (strcmp(got, want) != 0)
		fails++; /* counted */
}
int main(void)
{
	struct list l = { "", 0 };
	check(l.text, "");
	add(&l, "a", 1);
	check(l.text, "a1,");
	add(&l, "b", 3);
	check(l.text, "a1,b2,");
	return fails != 0;
}
C
cat >"$dir/path.c" <<'C'
#include <assert.h>
#include <string.h>
int main(int argc, char **argv)
{
	char path[16];
	strcpy(path, "usr");
	strcat(path, argv[0] ? "/ib" : "/lib");
	assert(strcmp(path, "usr/lib") == 0);
	return 0;
}
C
for name in texts path; do
	"$CC" -g -w -O0 -o "$dir/$name" "$dir/$name.c" || complain "$name.c does not compile"
	"$WHY_BIN" explain --format=json -- "$dir/$name" >"$dir/$name.json" 2>"$dir/err"
	explained_or_cut $? || complain "$name: $(cat "$dir/err")"
done
line=$(grep -n '/\* counted \*/' "$dir/texts.c" | cut -d: -f1)
gdb -nx -batch -ex "break texts.c:$line" -ex run -ex 'printf "%s|%s\n", got, want' "$dir/texts" >"$dir/gdb" 2>&1
[ "$(jq -r '.failure.values | map(.value | fromjson) | join("|")' "$dir/texts.json")" = "$(tail -1 "$dir/gdb")" ] ||
	complain "texts: $(jq -c .failure.values "$dir/texts.json"), and GDB: $(tail -1 "$dir/gdb")"
gdb -nx -batch -ex 'break __assert_fail' -ex run -ex 'frame function main' -ex 'printf "%s\n", path' "$dir/path" >"$dir/gdb" 2>&1
[ "$(jq -r '.failure.values[] | select(.name == "path").value | fromjson' "$dir/path.json")" = "$(tail -1 "$dir/gdb")" ] ||
	complain "path: $(jq -c .failure.values "$dir/path.json"), and GDB: $(tail -1 "$dir/gdb")"
[ $failures -eq 0 ]
