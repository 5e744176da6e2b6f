#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# limits: any
# Older containers answer system calls that they do not know with EPERM: close_range() is one.
. tests/support/limits.sh
cat >"${TMPDIR:-/tmp}/refuse.$$.c" <<'C'
#include <errno.h>
#include <seccomp.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);

	if (argc < 2 || seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(close_range), 0) ||
	    seccomp_load(filter))
		return 77;
	execv(argv[1], argv + 1);
	return 126;
}
C
refuse=${TMPDIR:-/tmp}/refuse.$$
trap 'rm -f "$refuse" "$refuse.c"' EXIT
"${CC:-gcc}" -o "$refuse" "$refuse.c" -lseccomp || exit 1
said=$("$refuse" "$WHY_BIN" explain -- "$BUILD/samples/paper" 0 0)
status=$?
[ $status = 77 ] && { echo "no filter may be set here"; exit 77; }
case $status:$said in
0:*'2 explanations, each proven by replay'*) ;;
3:*"cut at the limit"*) ! default_limits || { echo "FAILED with the default limits"; exit 1; } ;;
*) echo "FAILED without close_range(): status $status: $said"; exit 1 ;;
esac
