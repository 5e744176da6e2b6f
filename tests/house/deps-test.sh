#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# `make deps`: silent when nothing is missing; installs what is; where it may
# not, prints the very command, and fails only if something is really missing.
set -u
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
real=$(command -v dpkg-query) || { echo "this is no Debian system"; exit 77; }
failed=0
fake() { printf '#!/bin/bash\n%s\n' "$2" >"$tmp/$1" && chmod +x "$tmp/$1"; }
expect() { # expect STATUS GOT WHAT
	[ "$1" = "$2" ] && return
	echo "$3: status $2, not $1:"
	sed 's/^/    /' "$tmp/out"
	failed=1
}
says() {
	grep -qF -- "$1" "$tmp/out" && return
	echo "it does not say: $1"
	sed 's/^/    /' "$tmp/out"
	failed=1
}
deps() { PATH=$tmp:$PATH make -s deps >"$tmp/out" 2>&1 </dev/null; }

# All there: nothing is said, nothing is run.
fake dpkg-query 'shift 3 2>/dev/null; for p; do echo "installed $p"; done'
fake apt-get "echo \"\$@\" >>'$tmp/apt'; exit 1"
deps
expect 0 $? "nothing missing"
[ ! -s "$tmp/out" ] && [ ! -e "$tmp/apt" ] || { echo "it was not silent"; failed=1; }

# Two are missing, and we are root: apt-get is run for these two.
fake dpkg-query "shift 3; for p; do case \$p in libz3-dev|gdb) ;; *) echo \"installed \$p\" ;; esac; done"
fake id 'echo 0'
fake apt-get "echo \"\$@\" >>'$tmp/apt'"
deps
expect 0 $? "two missing, root"
grep -qx 'install -y --no-install-recommends gdb libz3-dev' "$tmp/apt" || {
	echo "apt-get was run as: $(cat "$tmp/apt" 2>/dev/null)"
	failed=1
}

# The lists are too old: updated, then once more.
rm -f "$tmp/apt"
fake apt-get "echo \"\$1\" >>'$tmp/apt'; [ \$1 = update ] || [ \$(wc -l <'$tmp/apt') -gt 1 ]"
deps
expect 0 $? "old lists"
[ "$(tr '\n' ' ' <"$tmp/apt")" = "install update install " ] || {
	echo "apt-get was run as: $(cat "$tmp/apt")"
	failed=1
}

# An ordinary user with sudo.
rm -f "$tmp/apt"
fake id 'echo 1000'
fake apt-get "echo \"\$@\" >>'$tmp/apt'"
fake sudo '[ "$1" = -n ] && shift; exec "$@"'
deps
expect 0 $? "two missing, sudo"
says 'sudo apt-get install -y --no-install-recommends gdb libz3-dev'

# Without: they are there all the same (built by hand), so that is no error.
fake sudo 'exit 1'
fake pkg-config 'exit 0'
fake gdb 'exit 0'
deps
expect 0 $? "not packaged, but there"

# Really missing: the command, and a failure.
fake pkg-config 'exit 1'
deps
expect 2 $? "really missing" # make's own status
says 'sudo apt-get update && sudo apt-get install -y --no-install-recommends libz3-dev'
exit $failed
