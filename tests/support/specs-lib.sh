# SPDX-License-Identifier: GPL-3.0-or-later
#
# Sourced by the tests of `gdb-why specs': a folder to work in, and what the command says.  What runs leave
# is put into $tmp/folders.

CC=${CC:-gcc}
root=$PWD samples=$PWD/samples/specs
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
export GDB_WHY_TMPDIR=$tmp/folders XDG_CACHE_HOME=$tmp/cache && mkdir folders || exit 1
ulimit -c 0
failed=0

complain() {
	echo "FAILED $*"
	sed 's/^/    /' out | head -60
	failed=1
}

# specs STATUS OPTIONS...: what it says is in out.
specs() {
	local want=$1
	shift
	"$WHY_BIN" specs "$@" >out 2>&1 </dev/null
	local got=$?
	[ $got = "$want" ] || complain "status $got instead of $want: $*"
}

says() { # PATTERN
	grep -qE -- "$1" out || complain "not said: $1"
}
says_not() { # PATTERN
	grep -qE -- "$1" out && complain "said: $1"
}

# done_testing: nothing may be left, either.
done_testing() {
	ls -A "$GDB_WHY_TMPDIR" >out
	[ -s out ] && complain "folders are left"
	exit $failed
}
