#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check-headers: every header compiles alone, and one that does not is caught.
make -s check-headers BUILD="$BUILD" || exit 1

tmp=$(mktemp -d "$BUILD/headers.XXXXXX") && trap 'rm -rf "$tmp"' EXIT
printf '#ifndef X_H\n#define X_H\nuint64_t f(void);\n#endif\n' >"$tmp/x.h"
if make -s check-headers BUILD="$tmp" HDR="$tmp/x.h" >/dev/null 2>&1; then
	echo "a header that lacks an include was not caught"
	exit 1
fi
