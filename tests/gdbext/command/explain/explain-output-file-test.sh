#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# --output-file: tests that fail by what they write to a file.  timeout: 120
set -u
. tests/support/samples-lib.sh
need_tool
here=$PWD

for name in stream descriptor; do
	"$CC" -g -O0 -w -o "$dir/$name" "tests/outputs/file/$name.c" || complain "$name.c does not compile"
done
cd "$dir" || exit 1

# name, written file, expected words of the head: the faulty line is proven.
finds() {
	fault=$(grep -n '/\* fault \*/' "$here/tests/outputs/file/$1.c" | cut -d: -f1)
	"$WHY_BIN" explain --format=json --output-file "$2" --expect wanted -- "./$1" >answer 2>err ||
		complain "$1: status $?: $(cat err)"
	[ "$(jq -r .failure.cause answer)" = "$3" ] || complain "$1 says: $(jq -r .failure.cause answer)"
	jq -e --argjson fault "$fault" '[.suspects[] | select(.replay == "passes") | .statements[].line] | index($fault)' \
		answer >index || complain "$1: line $fault is not found: $(jq -c '[.suspects[] | [.replay, .statements[].line]]' answer)"
}

# It is read by each run as it was before the first one, and only that one writes it.
echo '4 is the count' >state.txt
printf '5 is the count\ntotal 15\nfinal' >wanted
finds stream state.txt 'line 2 of state.txt is "total 10", expected "total 15"'
[ "$(head -n 1 state.txt)" = '5 is the count' ] || complain "state.txt: $(cat state.txt)"

# What stood in it before is not the test's, but is compared.
echo 'points' >grades.txt
printf 'points\n40: B\n50: A\n60: A\n' >wanted
finds descriptor grades.txt 'line 3 of grades.txt is "50: B", expected "50: A"'
[ "$(wc -l <grades.txt)" -eq 4 ] || complain "grades.txt: $(cat grades.txt)"

# The calls of the last writing are those that count.
line=$(grep -n '"total %d' "$here/tests/outputs/file/stream.c" | cut -d: -f1)
"$WHY_BIN" ask --output-file state.txt why output -- ./stream >text 2>err
grep -q "^ *2  total 15 .*stream.c:$line in save" text && [ "$(wc -l <text)" -eq 3 ] ||
	complain "why output: $(cat text err)"

# `try' shows what is written with a suspect.
echo '4 is the count' >state.txt
printf '5 is the count\ntotal 15\nfinal' >all
"$WHY_BIN" explain --format=json --output-file state.txt --expect all -- ./stream >answer 2>err
echo '4 is the count' >state.txt
"$WHY_BIN" try --output-file state.txt --suspect answer:1 -- ./stream >text 2>err
grep -qx '  is   total 15' text || complain "try: $(cat text err)"

# Another program says what is right.
printf '#!/bin/sh\nprintf "40: B\\n50: A\\n60: A\\n" >grades.txt\n' >right && chmod +x right
rm grades.txt
"$WHY_BIN" explain --format=json --output-file grades.txt --golden ./right -- ./descriptor >answer 2>err ||
	complain "--golden: status $?: $(cat err)"
[ "$(jq -r .failure.cause answer)" = 'line 2 of grades.txt is "50: B", expected "50: A"' ] ||
	complain "--golden: $(jq -c .failure answer)"

# What cannot be compared is said in one sentence.
"$WHY_BIN" explain --output-file never.txt --expect wanted -- ./stream >text 2>err
[ $? -eq 2 ] && [ "$(cat err)" = "gdb-why: The test did not write never.txt; --output-file names a file that it writes." ] ||
	complain "never written: $(cat text err)"
"$WHY_BIN" explain --output-file . --expect wanted -- ./stream >text 2>err
[ $? -eq 2 ] && grep -q 'no regular file' err || complain "a folder: $(cat text err)"
"$WHY_BIN" explain --output-file state.txt -- ./stream >text 2>err
[ $? -eq 2 ] && grep -q 'with --expect FILE or --golden PROGRAM' err || complain "nothing expected: $(cat text err)"

[ $failures -eq 0 ]
