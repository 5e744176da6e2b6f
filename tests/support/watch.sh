# SPDX-License-Identifier: GPL-3.0-or-later
#
# Sourced, behind the library that makes $dir, by tests that watch a variable: some virtual machines
# accept a hardware watchpoint and never report it.  There GDB has to single-step, which $watching
# tells it.

watching='set can-use-hw-watchpoints 1'
echo 'int total; int main(void) { total = 1; return total - 1; }' >"$dir/watched.c"
"${CC:-gcc}" -g -O0 -o "$dir/watched" "$dir/watched.c" &&
	gdb -nx -q -batch -ex 'break main' -ex run -ex 'watch total' -ex continue "$dir/watched" 2>&1 |
	grep -q 'New value = 1' || watching='set can-use-hw-watchpoints 0'
