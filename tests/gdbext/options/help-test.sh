#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Each command has a man page with the options, defaults and exit statuses of its --help;
# ordinary options come before those for experts.  The handbook names no option that is not
# there.  gdb-why(1) names every command and every environment variable that is read.
set -u
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
failed=0
complain() {
	echo "$*"
	failed=1
}

plain() { # a man page's text
	sed -E -e '/^\.\\"/d' -e 's/\\f[BIR]//g' -e 's/\\-/-/g' -e 's/\\&//g' -e 's/\\e/\\/g' \
		-e 's/^\.(BR?|IR?|RB|BI) //' "$1"
}

overview=$BUILD/doc/gdb-why.1
for command in explain record ask rank panel try regress specs lesson evaluate; do
	page=$BUILD/doc/gdb-why-$command.1
	"$WHY_BIN" help $command >"$tmp/help" || exit 1
	"$WHY_BIN" $command --help | cmp - "$tmp/help" || exit 1
	[ -s "$page" ] || { complain "there is no $page"; continue; }
	plain "$page" >"$tmp/page"

	# Lines of "-C --directory DIR" and "status N", in their order.
	sed -nE 's/^ +(-[A-Za-z], )?(--[a-z-]+)( [A-Z=]+)?( .*|$)/\1\2\3/p; s/^  ([0-9]+) .*/status \1/p' \
		"$tmp/help" | tr -d , >"$tmp/options.help"
	sed -nE '/^\.SH (OPTIONS|EXIT)/,/^\.SH (LIMITS|SEE)/{
			s/^((-[A-Za-z], )?--[a-z-]+( [A-Z=]+)?)$/\1/p; s/^([0-9]+)$/status \1/p; }' \
		"$tmp/page" | tr -d , >"$tmp/options.page"
	diff "$tmp/options.help" "$tmp/options.page" ||
		complain "gdb-why-$command(1) does not have the options of its --help (<)"
	[ "$(wc -l <"$tmp/options.help")" -ge 12 ] || complain "help $command has few options"
	[ "$(grep -c '^Options' "$tmp/help")" = 2 ] || complain "help $command does not tell experts' options apart"

	# What is said of each, word by word.
	sed '1,/^Options:/d' "$tmp/help" | grep -oE '\(default: [^)]*$|\(default: [^)]+\)' | tr -d '()' >"$tmp/defaults"
	tr '\n' ' ' <"$tmp/page" >"$tmp/page.line"
	while IFS= read -r default; do
		grep -qF -- "$default" "$tmp/page.line" || complain "gdb-why-$command(1) does not say \`$default'"
	done <"$tmp/defaults"

	plain "$overview" | grep -q "gdb-why-$command(1)\|gdb-why-$command (1)" ||
		complain "gdb-why(1) does not name gdb-why-$command(1)"
	cat "$tmp/help" >>"$tmp/all"
done

# The panel's keys.
"$WHY_BIN" help panel | sed -n '/^Keys:/,/^$/s/^  \(..................\) \(.*\)/\2/p' >"$tmp/keys"
[ "$(wc -l <"$tmp/keys")" -ge 20 ] || complain "few keys in help panel"
plain "$BUILD/doc/gdb-why-panel.1" >"$tmp/page"
grep -vxFf "$tmp/page" "$tmp/keys" && complain "gdb-why-panel(1) does not say these keys"

# The handbook, README.md and the man pages name options that there are.
grep -oE -- '--[a-z]+(-[a-z]+)*' "$tmp/all" | sort -u >"$tmp/known"
printf '%s\n' --help --version --args --interpreter --fullname --cap-add \
	--sshlogin --workdir --retries --array --requeue --wait --wrap >>"$tmp/known"
for page in README.md gdbext/doc/*.md; do
	grep -oE -- '(^|[^a-z-])--[a-z]+(-[a-z]+)*' "$page" | grep -oE -- '--.*' | sort -u >"$tmp/named"
	grep -vxFf "$tmp/known" "$tmp/named" | grep -vxF -- --fast && complain "$page names an option that is not there"
done
[ "$(wc -l <"$tmp/known")" -ge 40 ] || complain "only a few options were found"

# What is ours, and what changes the answer's looks.
for name in $(grep -rhoE 'getenv\("(GDB_WHY_[A-Z_]+|NO_COLOR|G_MESSAGES_DEBUG)"\)' --include=*.c gdbext mi solver tui |
	grep -oE '[A-Z_]{4,}' | sort -u); do
	sed -n '/^\.SH ENVIRONMENT/,/^\.SH FILES/p' "$overview" | grep -qw "$name" ||
		complain "gdb-why(1) says nothing of $name"
done
exit $failed
