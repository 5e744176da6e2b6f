#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Thirty made-up submissions are graded in one command: right, partly right, wrong, empty, broken
# and malicious ones.  Nothing of the world changes, nothing of the course leaks, and a program
# that reads the answer cannot.  Then an instructor makes a lesson.  timeout: 120
set -u
dir=$(mktemp -d "${TMPDIR:-/tmp}/gdb-why-class.XXXXXX") && trap 'rm -rf "$dir"' EXIT
export XDG_CACHE_HOME=$dir/cache XDG_DATA_HOME=$dir/data
failed=0
complain() {
	echo "FAILED $*"
	failed=1
}
lesson() { "$WHY_BIN" lesson "$@"; }

mkdir "$dir/class" && cp -r samples/lessons "$dir/course" && export GDB_WHY_LESSONS=$dir/course
lesson start infection "$dir/given" >/dev/null || exit 1
line=$(grep -n '% 60 > 30' "$dir/given/program.c" | cut -d: -f1)
n=0
declare -A want
# submit NAME VERDICT: a folder as it was given out, in $to
submit() {
	to=$dir/class/$1
	want[$1]=$2
	cp -r "$dir/given" "$to"
	n=$((n + 1))
}
answer() { lesson answer -C "$to" "$@" >/dev/null || complain "$to: answer $*"; }

for i in 1 2 3 4 5 6; do
	submit right$i right && answer "$line"
	submit onway$i 'partly right' && answer $((line + 6))
	submit wrong$i wrong && answer 27
done
for i in 1 2 3; do
	submit mended$i right && sed -i 's/% 60 > 30/% 60 != 0/' "$to/program.c" && answer --fix
	submit empty$i 'no answer'
done
submit half wrong && sed -i 's/% 60 > 30/% 60 > 29/' "$to/program.c" && answer --fix
submit broken wrong && echo 'int x = ;' >>"$to/program.c" && answer --fix
submit loops wrong && sed -i 's/% 60 > 30) */% 60 > 0)\n\t\tfor (;;) {}\n\telse if (1)/' "$to/program.c" && answer --fix
mkdir "$dir/class/nothing" && want[nothing]='not graded' && n=$((n + 1))

# These try to do harm: delete and write files, signal, read the course, be compiled with it.
touch "$dir/precious"
evil() { # NAME, code in place of the rounding up
	submit "$1" wrong
	python3 - "$to/program.c" "$2" <<'PYTHON'
import sys
path, code = sys.argv[1:]
text = open(path).read()
text = text.replace("static void count_hours", "#include <fcntl.h>\n#include <unistd.h>\n#include <signal.h>\n"
                    "#include <dirent.h>\n\nstatic void count_hours", 1)
text = text.replace("\tvisit->hours = visit->minutes / 60;\n", "\tvisit->hours = visit->minutes / 60;\n" + code + "\n", 1)
open(path, "w").write(text)
PYTHON
	answer --fix
}
evil deletes "unlink(\"$dir/precious\"); remove(\"$dir/course/infection/golden.c\"); rename(\"$dir/precious\", \"$dir/gone\");"
evil signals "kill(getppid(), SIGKILL); kill(-1, SIGTERM);"
evil forks "for (int i = 0; i < 200; i++) if (fork() == 0) for (;;) {}"
# It answers the test that it was given, and no other.
submit constant wrong && sed -i 's/^\treturn visit.fee;/\treturn 500;/' "$to/program.c" && answer --fix
grep -q 'return 500' "$to/program.c" || complain "the constant is not there"
# whoever could read the golden version, or what was found, would be right
evil reads "if (open(\"$dir/course/infection/golden.c\", O_RDONLY) >= 0 || opendir(\"$dir/course\") || opendir(\"$dir/cache/gdb-why/lessons\") || open(\"$dir/given/../course/infection/tests.txt\", O_RDONLY) >= 0) { visit->hours += visit->minutes % 60 > 0; return; }"
submit includes wrong && echo "#include \"$dir/course/infection/golden.c\"" >"$to/program.c" && answer --fix
submit embeds wrong && echo "__asm__(\".incbin \\\"$dir/course/infection/golden.c\\\"\");" >>"$to/program.c" && answer --fix
submit own 'not graded' && sed -i "s|^name=.*|name=$dir/class/own/|" "$to/.lesson"
submit links wrong && rm "$to/program.c" && ln -s "$dir/course/infection/golden.c" "$to/program.c" && answer --fix
[ $n -ge 30 ] || complain "only $n submissions"

(cd "$dir/class" && find . -type f ! -name .journal -exec sha256sum {} + | sort) >"$dir/before"
(cd "$dir/course" && find . -type f -exec sha256sum {} + | sort) >"$dir/course.before"
lesson grade "$dir/class" --format csv -o "$dir/grades.csv" || complain "it is not graded"
(cd "$dir/class" && find . -type f ! -name .journal -exec sha256sum {} + | sort) | cmp -s - "$dir/before" || complain "a submission was changed"
(cd "$dir/course" && find . -type f -exec sha256sum {} + | sort) | cmp -s - "$dir/course.before" || complain "the course was changed"
[ -e "$dir/precious" ] || complain "a file was deleted"

python3 - "$dir/grades.csv" >"$dir/verdicts" <<'PYTHON'
import csv, sys
for row in csv.DictReader(open(sys.argv[1])):
    print(row["student"], row["verdict"], sep="\t")
PYTHON
[ "$(wc -l <"$dir/verdicts")" -eq $n ] || complain "$(wc -l <"$dir/verdicts") rows of $n"
while IFS=$'\t' read -r student verdict; do
	[ "$verdict" = "${want[$student]}" ] || complain "$student: $verdict, not ${want[$student]}: $(grep "^\"$student\"" "$dir/grades.csv")"
done <"$dir/verdicts"

# Other forms of that are as good with a few of them.
mkdir "$dir/few" && cp -r "$dir/class/right1" "$dir/class/wrong1" "$dir/class/half" "$dir/few" || complain "there are no few"
lesson grade "$dir/few" --format junit | python3 -c 'import sys, xml.dom.minidom as x; x.parse(sys.stdin)' || complain "junit is no XML"
lesson grade "$dir/few" >"$dir/table"
grep -q '^what was hard' "$dir/table" && grep -q '^infection  *[0-9]* ' "$dir/table" || complain "no table of what was hard: $(tail -3 "$dir/table")"

# Nothing that tells the answer is in a student's folder.
grep -rlE '(accepted|holds_fault|% 60 > 0)' "$dir/given" && complain "the answer is in the student's folder"

# An instructor's own lesson, from a program, one without its fault, and arguments.
mkdir "$dir/mine" && cp samples/larger.c "$dir/mine/faulty.c"
sed 's/if (b < a)/if (b > a)/' samples/larger.c >"$dir/mine/golden.c"
lesson new "$dir/larger" "$dir/mine/faulty.c" --golden "$dir/mine/golden.c" --tests samples/larger-tests.txt >"$dir/new" || complain "no lesson: $(cat "$dir/new")"
grep -q '^ *program.c:20 ' "$dir/new" || complain "the fault is not told: $(cat "$dir/new")"
lesson start "$dir/larger/" "$dir/larger-given" >/dev/null && lesson answer -C "$dir/larger-given" 20 >/dev/null &&
	lesson check "$dir/larger-given" >"$dir/checked" || complain "the new lesson: $(cat "$dir/checked")"
lesson new "$dir/none" "$dir/mine/golden.c" --golden "$dir/mine/golden.c" --tests samples/larger-tests.txt 2>"$dir/said" &&
	complain "a lesson without a fault is made"
grep -q 'Both programs do the same' "$dir/said" || complain "it says: $(cat "$dir/said")"
(cat samples/larger-tests.txt; echo 1) >"$dir/tests"
sed -i 's/assert(argc == 4);/if (argc != 4) return 3;/' "$dir/mine/faulty.c" "$dir/mine/golden.c"
lesson new "$dir/two" "$dir/mine/faulty.c" --golden "$dir/mine/golden.c" --tests "$dir/tests" >"$dir/said" 2>&1 &&
	complain "a test that the golden program fails is taken"
grep -q 'exits with 3 with .*, so it fails the test, too; leave' "$dir/said" || complain "it says: $(cat "$dir/said")"

# Pages.
lesson report "$dir/larger-given" | grep -q 'answered  *20' || complain report
lesson report "$dir/larger-given" --format html | grep -q '<td>answered</td>' || complain "report in HTML"
lesson handout infection | grep -q '^== The program ==$' || complain handout
lesson handout infection --solution --format html >"$dir/page.html"
python3 -c 'import sys, html.parser; p = html.parser.HTMLParser(); p.feed(open(sys.argv[1]).read())' "$dir/page.html" || complain "the page is no HTML"
grep -q 'From the fault to the failure' "$dir/page.html" || complain "the page has no way"
grep -qiE '(src|href)="?(http|//)|<script' "$dir/page.html" && complain "the page loads something"
! command -v dot >/dev/null || grep -q '<svg' "$dir/page.html" || complain "there is dot, but no picture"
exit $failed
