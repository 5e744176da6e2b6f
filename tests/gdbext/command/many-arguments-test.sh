#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# limits: any
#
# A test with 20,000 arguments, as many bytes as the system takes, is answered at hardly more cost
# than one with two: processor time of this and all it starts, each beside the other.
. tests/support/samples-lib.sh
need_tool
command -v python3 >/dev/null || { echo 'python3 is not installed'; exit 77; }
cat >"$dir/count.c" <<'C'
#include <assert.h>
int main(int argc, char **argv)
{
	(void)argv;
	assert(argc == 4);
	return 0;
}
C
"$CC" -g -o "$dir/count" "$dir/count.c" || exit 1
python3 - "$WHY_BIN" "$dir/count" <<'PY' || failures=1
import resource
import subprocess
import sys

TIMES = 20  # measured: 1.5; it was 400


def explain(n):
    """Seconds of processor time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    said = subprocess.run([sys.argv[1], "explain", "--", sys.argv[2]] + ["7" * 90] * n,
                          capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if said.returncode not in (0, 3) or "argc = %d" % (n + 1) not in said.stdout:
        sys.exit("%d arguments: status %d: %s%s" % (n, said.returncode, said.stdout, said.stderr))
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


few, many = explain(2), explain(20000)
print("2 arguments: %.2f s, 20000: %.2f s" % (few, many))
if many > TIMES * few:
    sys.exit("so many arguments cost too much")
PY
finish
