#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The handbook's page on limits is the one that `make gdbext/doc/limits.md` makes, and
# `help limits` tells of as many.
set -u
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT

"$WHY_BIN" help limits --format=markdown >"$tmp/page" || exit 1
diff gdbext/doc/limits.md "$tmp/page" || {
	echo "gdbext/doc/limits.md is old: make gdbext/doc/limits.md"
	exit 1
}
rows=$(grep -c '^| `' "$tmp/page")
told=$("$WHY_BIN" help limits | grep -cE '^  [a-z0-9_]+=[0-9]+  ')
[ "$rows" -ge 40 ] || { echo "only $rows limits in the page"; exit 1; }
[ "$rows" = "$told" ] || { echo "$rows limits in the page, $told in help limits"; exit 1; }
