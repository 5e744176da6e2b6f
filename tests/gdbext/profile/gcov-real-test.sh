#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Line counts of Debian's bzip2 at -O0, compressing real text, against gcov's: the same
# lines are executed, and as often, but for conditions over several lines, and an if
# that gcov counts once more where its first branch ends (README.md of gdbext/profile).
# timeout: 120
. tests/support/real-lib.sh
need_tools apt-get dpkg-source make
dir=$(mktemp -d "${TMPDIR:-/tmp}/gdb-why-gcov.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
. tests/support/profile-lib.sh
need_gcov
fetch bzip2 || { echo "cannot fetch sources from Debian: $(tail -n 1 "$real/log")"; exit 77; }
built bzip2 -O0 || { echo "bzip2 does not build: $(tail -n 1 "$program.log")"; exit 1; }
mkdir "$dir/plain" "$dir/gcov"
cat "$real"/bzip2/*.c | head -c 400000 >"$dir/text"
cp "$program" "$dir/plain/bzip2"
(cd "$dir/gcov" && cp "$real"/bzip2/*.[ch] . && "$CC" -w -g -O0 --coverage -o bzip2 bzip2.c blocksort.c \
	huffman.c crctable.c randtable.c compress.c decompress.c bzlib.c) || exit 1

# same ARGS...: in both folders, by the same name.
same() {
	rm -f "$dir/profile" "$dir"/gcov/*.gcda
	(cd "$dir/plain" && "$profile" --lines="$dir/ours" "$dir/profile" ./bzip2 "$@") >"$dir/out" 2>"$dir/err"
	(cd "$dir/gcov" && ./bzip2 "$@") >"$dir/out.gcov"
	cmp -s "$dir/out" "$dir/out.gcov" || complain "bzip2 $*: prints something else: $(tail -n 1 "$dir/err")"
	gcov_counts "$dir/gcov" >"$dir/theirs"
	compare_lines "bzip2 $*" "$dir/ours" "$dir/theirs"
	cat "$dir/differ"
}

same -k -c ../text
cp "$dir/out" "$dir/text.bz2"
same -d -k -c ../text.bz2
echo "$lines lines, $differ have other counts"
[ "$lines" -gt 4000 ] || complain "only $lines lines"
[ $((differ * 100)) -lt "$lines" ] || complain "$differ lines have other counts"
finish
