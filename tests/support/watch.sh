# SPDX-License-Identifier: GPL-3.0-or-later
#
# Sourced by tests that watch a variable: some virtual machines accept a hardware watchpoint and
# never report it.  There GDB has to single-step, which $watching tells it.

watching='set can-use-hw-watchpoints 1'
watch_probe=$(mktemp -d "${TMPDIR:-/tmp}/gdb-why-watch.XXXXXX") || exit 1
echo 'int total; int main(void) { total = 1; return total - 1; }' >"$watch_probe/p.c"
"${CC:-gcc}" -g -O0 -o "$watch_probe/p" "$watch_probe/p.c" &&
	gdb -nx -q -batch -ex 'break main' -ex run -ex 'watch total' -ex continue "$watch_probe/p" 2>&1 |
	grep -q 'New value = 1' || watching='set can-use-hw-watchpoints 0'
rm -rf "$watch_probe"
