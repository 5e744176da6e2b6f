#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# build.sh DIR [FAMILY]: makes every faulty version of the queue (or of FAMILY, which is made the
# same way), from the project's root.  In DIR afterwards, for each version of versions.tsv and for
# `golden': vNN.c, its source, and vNN.  The suite is in suite.txt, its inputs in inputs/; a test
# passes when a version prints what golden prints.
set -eu
to=${1:?build.sh DIR [FAMILY]}
family=${2:-queue}
from=samples/$family
CC=${CC:-gcc}
mkdir -p "$to/inputs"
to=$(cd "$to" && pwd)

"$CC" -O0 -Wall -Wextra -o "$to/gen-suite" "$from/gen-suite.c"
"$to/gen-suite" "$to" >"$to/suite.txt"
for version in golden $(awk -F '\t' 'NR > 1 { print $1 }' "$from/versions.tsv"); do
	awk -v version="$version" -F '\t' '
		NR == FNR { if ($1 == version) { line = $2; text = substr($0, length($1 $2 $3 $4) + 5) } next }
		FNR == line { match($0, /^[\t ]*/); $0 = substr($0, 1, RLENGTH) text }
		{ print }' "$from/versions.tsv" "$from/$family.c" >"$to/$version.c"
	"$CC" -O0 -g -w -o "$to/$version" "$to/$version.c"
done
