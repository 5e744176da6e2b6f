#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --help, the man page and README.md name the same options with the same
# arguments, and the same exit statuses.
set -u
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
failed=0

"$WHY_BIN" help explain >"$tmp/help" || exit 1
"$WHY_BIN" explain --help | cmp - "$tmp/help" || exit 1

# Each list as lines of "-C --directory DIR" and "status N".
sed -nE 's/^ +(-[A-Za-z], )?(--[a-z-]+)( [A-Z]+)? .*/\1\2\3/p; s/^  ([0-9]+) .*/status \1/p' "$tmp/help" |
	tr -d , | sort >"$tmp/options.help"
sed -nE 's/\\f[BIR]//g; s/\\-/-/g; s/^((-[A-Za-z], )?--[a-z-]+( [A-Z]+)?)$/\1/p; s/^\.B ([0-9]+)$/status \1/p' \
	gdbext/gdb-why.1 | tr -d , | sort >"$tmp/options.man"
sed -nE 's/^\| (`-[A-Za-z]`, )?`(--[a-z-]+( [A-Z]+)?)` \|.*/\1\2/p; s/^\| ([0-9]+) \|.*/status \1/p' README.md |
	tr -d ',`' | sort >"$tmp/options.readme"

for f in man readme; do
	if ! diff "$tmp/options.help" "$tmp/options.$f" >"$tmp/diff"; then
		echo "--help (<) and $f (>) differ:"
		cat "$tmp/diff"
		failed=1
	fi
done
n=$(wc -l <"$tmp/options.help")
[ "$n" -ge 26 ] || { echo "only $n options and statuses were found in --help"; failed=1; }
exit $failed
