#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Explains every program of samples/: the faulty line is in a proven suspect,
# and where the head states the exact sets, there are no others.  (The ones with
# a dangerous branch are samples-cage-test.sh's.)
# timeout: 300
. tests/support/samples-lib.sh
need_tool
explain_always="--limit mutant_runs=0"

check_single_trace() {
	name=$(basename "$1" .c)
	explain "$1" "$dir/$name" "$dir/$name-1.json" --no-hijack || {
		complain "$name: --no-hijack ended with $?"
		return
	}
	found=$(all_sets "$dir/$name-1.json")
	same_sets "$1" expect-no-hijack "$found" ||
		complain "$name: --no-hijack gave" $found
}

for file in samples/*.c; do
	[ -z "$(field "$file" danger)" ] || continue
	check_explained "$file"
	[ -z "$(field "$file" expect-no-hijack)" ] || check_single_trace "$file"
done
finish
