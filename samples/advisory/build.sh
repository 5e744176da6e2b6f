#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# build.sh DIR: makes every faulty version of the advisory, from the project's
# root.  In DIR afterwards, for each version of versions.tsv and for `golden`:
#   vNN.c        its source
#   vNN          its test: twelve numbers as arguments, an assertion
#   vNN-batch    the lines of standard input on which it is wrong
# and inputs.txt, the test inputs.
set -eu
from=samples/advisory
to=${1:?build.sh DIR}
CC=${CC:-gcc}
mkdir -p "$to"

compile() {
	"$CC" -O0 -Wall -Wextra -iquote "$from" "$@"
}

compile -o "$to/gen-inputs" "$from/gen-inputs.c"
"$to/gen-inputs" >"$to/inputs.txt"
compile -c -o "$to/inputs.o" "$from/inputs.c"
compile -c -o "$to/batch.o" "$from/batch.c"
compile -g -c -o "$to/check.o" "$from/check.c"
compile -g -c -o "$to/print.o" "$from/print.c"

for version in golden $(awk -F '\t' 'NR > 1 { print $1 }' "$from/versions.tsv"); do
	awk -v version="$version" -F '\t' '
		NR == FNR { if ($1 == version) { line = $2; text = $5 } next }
		FNR == line { match($0, /^\t*/); $0 = substr($0, 1, RLENGTH) text }
		{ print }' "$from/versions.tsv" "$from/advisory.c" >"$to/$version.c"
	compile -g -c -o "$to/$version.o" "$to/$version.c"
	"$CC" -o "$to/$version" "$to/check.o" "$to/$version.o" "$to/inputs.o"
	"$CC" -o "$to/$version-print" "$to/print.o" "$to/$version.o" "$to/inputs.o"
	"$CC" -o "$to/$version-batch" "$to/batch.o" "$to/$version.o" "$to/inputs.o"
done
