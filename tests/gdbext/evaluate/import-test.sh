#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Subjects in the layouts of SIR, Codeflaws, C-Pack-IPAs and Defects4J's coverage: which lines are
# faulty, and that they are measured.
set -u
. tests/gdbext/evaluate/subjects.sh
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
export XDG_CACHE_HOME=$tmp/cache
failed=0
complain() {
	echo "$*"
	failed=1
}
# lists NAME, with what --list says on standard input
lists() {
	"$WHY_BIN" evaluate --list -o "$tmp/$1.out" "$tmp/$1" >"$tmp/list" 2>"$tmp/said" ||
		complain "$1: $(cat "$tmp/said")"
	diff - "$tmp/list" || complain "$1: other versions"
}
# measures NAME: prints version, tests, failed, rank of Naish2 (best)
measures() {
	"$WHY_BIN" evaluate --techniques naish2,jaccard -o "$tmp/$1.out" "$tmp/$1" 2>"$tmp/said" ||
		complain "$1: $(cat "$tmp/said")"
	tail -n +2 "$tmp/$1.out/skipped.csv" | grep . && complain "$1: versions are skipped"
	grep ',Naish2,best,' "$tmp/$1.out/results.csv" | cut -d, -f2,7,8,12
}

make_siemens "$tmp/mid"
lists mid <<'END'
mid	v1	mid.c:12
mid	v2	mid.c:8
mid	v3	mid.c:16	omission
mid	v4	mid.c:3,mid.c:12
END
measures mid >"$tmp/got"
# 2 1 2 and so on: each counted by hand with the right program
cat >"$tmp/count.sh" <<'END'
wrong=0 all=0
while read -r words; do
	all=$((all + 1))
	[ "$("$1" $words)" = "$("$2" $words)" ] || wrong=$((wrong + 1))
done
echo "$all,$wrong"
END
for v in v1 v2 v3; do
	expected=$(mid_suite | sh "$tmp/count.sh" "$tmp/mid.out/build/mid/$v" "$tmp/mid.out/build/mid/$v.right")
	grep -q "^$v,$expected,[0-9]" "$tmp/got" || complain "$v: $(grep "^$v," "$tmp/got"), not $expected"
done
grep '^v1,' "$tmp/got" | sed 's/v1/v4/' | diff - <(grep '^v4,' "$tmp/got") || complain "v4, by a macro, is not as v1"
# C of today.
make_siemens "$tmp/modern"
for file in "$tmp/modern/source.alt/source.orig/mid.c" "$tmp"/modern/versions.alt/versions.orig/v*/mid.c; do
	echo 'int last(int n) { for (int i = 0;; i++) if (i == n) return i; }' >>"$file"
done
[ "$(measures modern | wc -l)" = 4 ] || complain "C of today: $(cat "$tmp/modern.out/skipped.csv")"
# What somebody wrote into subject.conf stays.
echo '# mine' >>"$tmp/mid.out/subjects/mid/subject.conf"
"$WHY_BIN" evaluate --list -o "$tmp/mid.out" "$tmp/mid" >/dev/null
grep -q '^# mine' "$tmp/mid.out/subjects/mid/subject.conf" || complain "subject.conf was written again"

make_unix "$tmp/unix"
lists unix <<'END'
unix	v1.F_AB_1	mid.c:14
unix	v1.F_AB_2	mid.c:25	omission
END
measures unix >"$tmp/got2"
[ "$(cut -d, -f3 "$tmp/got2" | head -n 1)" = "$(grep ^v1, "$tmp/got" | cut -d, -f3)" ] ||
	complain "the seeded fault 1 is not v1: $(cat "$tmp/got2")"
grep -q '^v1.F_AB_1,27,' "$tmp/got2" || complain "a test with other fields was not left out: $(cat "$tmp/got2")"

make_releases "$tmp/releases"
lists releases <<'END'
releases	v1.F_AB_1	mid.c:14
releases	v1.F_AB_2	mid.c:25	omission
releases	v2.F_AB_1	mid.c:14
releases	v2.F_AB_2	mid.c:25	omission
END
grep -q '4 tests are left out: a script of theirs is not there' "$tmp/said" || complain "releases: $(cat "$tmp/said")"
scripts=$tmp/releases/testplans.alt/testscripts
{
	mid_suite | sed 's/^/{} /'
	cat <<END
export MODE=fast; {} 1 2 3 <three
export MODE=fast; {} '[a-z]' 2 3
export MODE=fast; sh '$scripts/write.sh' 4 5 >/dev/null 2>&1; {} 30 2 $tmp/3; result=\$?; cat ../written 2>/dev/null; rm -f ../written; KEEP=yes; . '$scripts/remove.sh' >/dev/null 2>&1; exit \$result
END
} | diff - "$tmp/releases.out/subjects/releases/v1.F_AB_1.txt" || complain "the plan of a release"
cmp "$tmp"/releases.out/subjects/releases/v{1.F_AB_2,2.F_AB_1}.txt || complain "v2 has not the last plan before it"
measures releases >"$tmp/got5"
grep -q '^v1.F_AB_1,30,' "$tmp/got5" && grep -q '^v2.F_AB_2,30,' "$tmp/got5" || complain "releases: $(cat "$tmp/got5")"

make_files "$tmp/files"
lists files <<'END'
files	v1.MID_1	mid.c:19
files	v1.MID_2	main.c:8
files	v1.MID_3	mid.c:3
END
measures files >"$tmp/got4"
for v in v1.MID_1 v1.MID_2 v1.MID_3; do
	expected=$(mid_suite | sh "$tmp/count.sh" "$tmp/files.out/build/files/$v" "$tmp/files.out/build/files/$v.right")
	grep -q "^$v,$expected,[0-9]" "$tmp/got4" || complain "$v: $(grep "^$v," "$tmp/got4"), not $expected"
done
grep -q '^v1.MID_1,.*,1$' "$tmp/got4" || complain "MID_1 is not first: $(cat "$tmp/got4")"

make_codeflaws "$tmp/flaws"
lists flaws <<'END'
codeflaws	12-A-bug-100-101	wrong.c:12
codeflaws	12-B-bug-7-9	wrong.c:8
END
measures flaws | cut -d, -f1-3 >"$tmp/got3"
[ "$(cut -d, -f2,3 "$tmp/got3" | head -n 1)" = "$(grep ^v1, "$tmp/got" | cut -d, -f2,3)" ] ||
	complain "Codeflaws: $(cat "$tmp/got3")"

make_cpack "$tmp/pack"
lists pack <<'END'
c-pack-ipas	year-1-lab02-ex01-stu_001-sub_001	wrong.c:12,wrong.c:15
c-pack-ipas	year-1-lab02-ex01-stu_002-sub_001	wrong.c:8
END
measures pack | grep -q '^year-1-lab02-ex01-stu_002-sub_001,27,' || complain "C-Pack-IPAs"

# What one that was killed left behind is gone.
echo half >"$tmp/pack.out/subjects/c-pack-ipas/.new"
"$WHY_BIN" evaluate --list -o "$tmp/pack.out" "$tmp/pack" >/dev/null || complain "C-Pack-IPAs, again"
[ ! -e "$tmp/pack.out/subjects/c-pack-ipas/.new" ] || complain "C-Pack-IPAs: half a file is left"

# Of the three lines, two are executed by the same tests as they fail: the fault is first.
make_coverage "$tmp/foreign"
lists foreign <<'END'
foreign	Lang-1	org/x/Foo:2
foreign	Lang-2	org/x/Foo.java:7	omission
foreign	Own-1	a.py:2
foreign	Own-3	a.py:2
END
measures foreign | diff - <(printf 'Lang-1,4,2,1\nLang-2,4,2,3\nOwn-1,4,2,1\nOwn-3,4,2,1\n') || complain "coverage"

# Where no faulty line has code, those that use it are ranked.
make_declared "$tmp/declared" "$tmp/uses"
measures declared >"$tmp/got6"
measures uses >"$tmp/got7"
diff "$tmp/got6" "$tmp/got7" || complain "lines without code"
cut -d, -f2,3 "$tmp/declared.out/results.csv" | diff -q - <(cut -d, -f2,3 "$tmp/uses.out/results.csv") >/dev/null ||
	complain "declared: the numbers of faulty lines"
[ "$(grep -cE ',6,[1-9],[0-9]+$' "$tmp/got6")" = 5 ] || complain "declared: $(cat "$tmp/got6")"

wrong() { # NAME SENTENCE: the version is skipped for that
	"$WHY_BIN" evaluate -o "$tmp/w" "$tmp/$1" 2>/dev/null
	grep -qF "$2" "$tmp/w/skipped.csv" || complain "$1: $(cat "$tmp/w/skipped.csv")"
	rm -rf "$tmp/w"
}
echo '1 0 -' >>"$tmp/foreign/Lang-1/matrix.txt"
echo 't5,MAYBE,1,1,1' >>"$tmp/foreign/Own-1/coverage.csv"
rm "$tmp/foreign/Lang-2/matrix"
mkdir "$tmp/foreign/Own-2" && echo 'a.py#1#' >"$tmp/foreign/Own-2/Own-2.buggy.lines"
printf 'test;outcome;a.py:1\nt1;PASS;1\n' >"$tmp/foreign/Own-2/coverage.csv"
wrong foreign 'Lang-1/matrix.txt:5: a row has a 0 or a 1 for each of the 3 lines'
wrong foreign 'Own-1/coverage.csv:6: a row has'
wrong foreign 'Own-2/coverage.csv:1: the columns are test, outcome and lines such as a.py:12, with commas'
wrong foreign 'there is no matrix.txt in'
mkdir -p "$tmp/empty/versions.alt/versions.orig/v1" "$tmp/empty/testplans.alt"
echo 1 2 3 >"$tmp/empty/testplans.alt/universe"
"$WHY_BIN" evaluate -o "$tmp/w" "$tmp/empty" 2>"$tmp/said" && complain "no version, and status 0"
grep -q 'looks like SIR, but no faulty version' "$tmp/said" || complain "empty: $(cat "$tmp/said")"
exit $failed
