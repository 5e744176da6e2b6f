#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A wrong character is found through each function of the C library that has a model: the
# statement that stored it is a proven suspect, and the function's result was not taken as it
# was.  Without models, none of these has an explanation there.
. tests/support/samples-lib.sh
need_tool

source=tests/solver/formula/library-calls.c
line=$(grep -n 'to\[i\] = ' "$source" | cut -d: -f1)
build "$source" "$dir/calls" -fno-builtin

for name in strcmp strncmp memcmp strcasecmp strlen strchr strrchr memchr strspn strcspn atoi strtol \
	strtoul strtoll strstr toupper isdigit isspace memcpy memmove strcpy strncpy strcat memset; do
	"$WHY_BIN" explain --format json -- "$dir/calls" "$name" >"$dir/answer" 2>"$dir/said"
	jq -e --argjson line "$line" '
		any(.suspects[]; .replay == "passes" and any(.statements[]; .line == $line))' \
		"$dir/answer" >/dev/null || complain "$name: line $line is no proven suspect: $(cat "$dir/said")"
done
[ "$failures" -eq 0 ]
