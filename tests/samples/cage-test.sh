#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# limits: any
#
# Explains the samples whose untaken branch does harm: the answer comes, within twice its time
# limit, the file named KEEP stands, and no process is left behind.
# timeout: 300
. tests/support/samples-lib.sh
need_tool

# processes PROGRAM: how many run that file.
processes() {
	found=0
	for exe in /proc/[0-9]*/exe; do
		[ "$(readlink "$exe" 2>/dev/null)" = "$1" ] && found=$((found + 1))
	done
	echo "$found"
}

caged=0
for file in samples/*.c; do
	[ -n "$(field "$file" danger)" ] || continue
	caged=$((caged + 1))
	rm -f "$dir/keep"
	started=$(date +%s)
	check_explained "$file"
	took=$(($(date +%s) - started))
	[ "$took" -le 120 ] || complain "$file: took $took seconds"
	[ "$(cat "$dir/keep" 2>/dev/null)" = kept ] || complain "$file: the file did not survive"
	left=$(processes "$dir/$(basename "$file" .c)")
	[ "$left" = 0 ] || complain "$file: $left processes left behind"
done
[ "$caged" -ge 5 ] || complain "only $caged samples with a danger found"
finish
