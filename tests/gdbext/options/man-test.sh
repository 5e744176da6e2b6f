#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The man pages format without a warning and fit 80 columns.
command -v groff >/dev/null || { echo "groff is not installed"; exit 77; }
failed=0 pages=0
for page in "$BUILD"/doc/*.1; do
	pages=$((pages + 1))
	out=$(groff -man -Tutf8 -ww -rLL=78n "$page" 2>&1 >/dev/null)
	[ -z "$out" ] || { echo "$out"; failed=1; }
	grep -n '^\.\\" \(options\|keys\|statuses\)$' "$page" && { echo "$page was not filled in"; failed=1; }
done
[ $pages -ge 7 ] || { echo "only $pages pages"; failed=1; }
exit $failed
