#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Explains the first half of the small programs of tests/foreign, each with one
# wrong line: that line is in a proven suspect.  (In two halves, so that they run
# side by side.)
# timeout: 300
. tests/support/samples-lib.sh
need_tool
explain_always="--limit mutant_runs=0"

for file in tests/foreign/[a-g]*.c; do
	check_explained "$file"
done
finish
