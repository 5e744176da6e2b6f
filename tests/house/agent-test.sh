#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The agent is loaded into any program: it needs nothing but libc, is not
# changed by the loader, has no executable stack, and shows few names.
[ -e "$WHY_AGENT" ] || { echo "$WHY_AGENT is not there"; exit 1; }
failed=0
needed=$(readelf -d "$WHY_AGENT" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
for lib in $needed; do
	case $lib in
	libc.so.6 | ld-linux-x86-64.so.2) ;;
	*) echo "it needs $lib"; failed=1 ;;
	esac
done
if readelf -d "$WHY_AGENT" | grep -q TEXTREL; then
	echo "its code is relocated"
	failed=1
fi
if readelf -lW "$WHY_AGENT" | grep 'GNU_STACK' | grep -q 'RWE'; then
	echo "its stack is executable"
	failed=1
fi
# A sanitizer or coverage runtime would show here.
if readelf --dyn-syms -W "$WHY_AGENT" | grep -E '__(asan|ubsan|tsan|gcov|sanitizer)_'; then
	failed=1
fi
exit $failed
