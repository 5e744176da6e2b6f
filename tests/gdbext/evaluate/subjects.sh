# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced: made-up subjects for tests of `gdb-why evaluate'.

# The middle of three numbers, or what a version of it says.  mid_source FILE [LINE TEXT]...
mid_source() {
	cat >"$1" <<-'END'
	#include <stdio.h>
	#include <stdlib.h>

	static int mid(int x, int y, int z)
	{
		int m = z;

		if (y < z) {
			if (x < y)
				m = y;
			else if (x < z)
				m = x;
		} else {
			if (x > y)
				m = y;
			else if (x > z)
				m = x;
		}
		return m;
	}

	int main(int argc, char **argv)
	{
		if (argc < 4)
			return 2;
		printf("%d\n", mid(atoi(argv[1]), atoi(argv[2]), atoi(argv[3])));
		return 0;
	}
	END
	local file=$1
	shift
	while [ $# -gt 0 ]; do
		sed -i "$1s|.*|$2|" "$file"
		shift 2
	done
}

mid_suite() {
	for x in 1 2 3; do for y in 1 2 3; do for z in 1 2 3; do echo "$x $y $z"; done; done; done
}

# A subject of five versions that fail, one that does not, and one that does not compile.
make_subject() {
	mkdir -p "$1"
	mid_source "$1/golden.c"
	mid_source "$1/v1.c" 12 'm = y;'
	mid_source "$1/v2.c" 8 'if (y > z) {'
	mid_source "$1/v3.c" 12 'm = y;' 15 'm = x;'
	mid_source "$1/v4.c" 17 'abort();'
	mid_source "$1/v5.c" 6 'int m = z;' # the same
	mid_source "$1/v6.c" 6 'int m = ;'
	mid_source "$1/v10.c" 16 'else if (x >= z + 9)'
	mid_suite >"$1/tests.txt"
	cat >"$1/subject.conf" <<-'END'
	[subject]
	name = mid
	build = gcc -g -O0 -o {out}/golden golden.c
	build-version = gcc -g -O0 -o {out}/{version} {version}.c
	program = {out}/{version}
	golden = {out}/golden
	file = {version}.c
	suite = tests.txt
	END
	printf 'version\tline\tomission\n' >"$1/versions.tsv"
	printf '%s\n' 'v1	12	0' 'v2	8	0' 'v3	12,15	0' 'v4	17	0' 'v5	6	0' 'v6	6	0' 'v10	16	1' \
		>>"$1/versions.tsv"
}

# SIR's layout of a Siemens program: make_siemens FOLDER
make_siemens() {
	mkdir -p "$1/source.alt/source.orig" "$1/testplans.alt" "$1/inputs/input"
	mid_source "$1/source.alt/source.orig/mid.c"
	mkdir -p "$1"/versions.alt/versions.orig/v{1,2,3,4}
	mid_source "$1/versions.alt/versions.orig/v1/mid.c" 12 'm = y;'
	mid_source "$1/versions.alt/versions.orig/v2/mid.c" 8 'if (y > z) {'
	mid_source "$1/versions.alt/versions.orig/v3/mid.c"
	sed -i 16,17d "$1/versions.alt/versions.orig/v3/mid.c"
	# a macro; the blank line 3 has its definition
	mid_source "$1/versions.alt/versions.orig/v4/mid.c" 3 '#define FIRST (y)' 12 'm = FIRST;'
	mid_suite >"$1/testplans.alt/universe"
	sed -i 's/^3 3 3$/3 3 3 < input\/empty/; 1s/^/ /' "$1/testplans.alt/universe"
	: >"$1/inputs/input/empty"
}

# SIR's layout of a UNIX program: releases with seeded faults.
make_unix() {
	local v=$1/versions.alt/versions.seeded/v1
	mkdir -p "$v" "$1/versions.alt/versions.orig/v1" "$1/testplans.alt" "$1/inputs"
	mid_source "$1/versions.alt/versions.orig/v1/mid.c"
	mid_source "$v/mid.c"
	sed -i -e '1i #include "FaultSeeds.h"' \
		-e '12c #ifdef F_AB_1\n				m = y;\n#else\n				m = x;\n#endif' \
		-e '16,17c #ifndef F_AB_2\n			else if (x > z)\n				m = x;\n#endif' "$v/mid.c"
	printf '/* #define F_AB_1 */\n/*#define F_AB_2 */\n' >"$v/FaultSeeds.h"
	mid_suite | sed 's/.*/-P[&]/' >"$1/testplans.alt/v0.universe"
	echo "-P['{}' 2 3] -X[script]" >>"$1/testplans.alt/v0.universe"
}

# Two releases with plans of their own, in SIR's format of plans: every kind of field, blanks before and
# in the brackets, brackets in a field, a script that is there and one that is not, a driver.
make_releases() {
	local v plans=$1/testplans.alt
	make_unix "$1"
	rm "$plans/v0.universe"
	cp -r "$1/versions.alt/versions.seeded/v1" "$1/versions.alt/versions.seeded/v2"
	mkdir -p "$plans/v1" "$plans/testscripts"
	echo 'echo "$1 $2" >../written' >"$plans/testscripts/write.sh"
	echo 'rm -f ../written; [ "$KEEP" != yes ]' >"$plans/testscripts/remove.sh"
	echo '1 2 3' >"$1/inputs/three"
	mid_suite | sed 's/.*/-P [ & ]/' >"$plans/v1/v0.cov.universe"
	cat >>"$plans/v1/v0.cov.universe" <<-'END'
	setenv MODE fast
	-C[a comment] -P[1 2] -P[3] -I[three] -O[t28] -A[an old [comment\]]
	-P['[a-z]' 2 3] -B
	-S[write.sh 4 5] -P[\{TEST} 2 $experiment_root/3] -F[../written|w\{TEST}] -x[remove.sh KEEP=yes]
	-D[driver] -P[1 2 3]
	-P[1 2 3] -X[missing.sh]
	END
	cp "$plans/v1/v0.cov.universe" "$plans/v1/v0.cov.universe.orig"
}

# The same of several files: what only the preprocessor sees, a negated condition, an other file; the
# release is there without faults, too, and its plan has an empty line.
make_files() {
	local v=$1/versions.alt/versions.seeded/v1
	mkdir -p "$v" "$1/testplans.alt" "$1/inputs"
	printf '#include "FaultSeeds.h"\n\nint mid(int x, int y, int z);\n' >"$v/mid.h"
	cat >"$v/mid.c" <<-'END'
	#include "mid.h"
	#ifdef MID_3
	#define START y
	#else
	#define START z
	#endif

	int mid(int x, int y, int z)
	{
		int m = START;

		if (y < z) {
			if (x < y)
				m = y;
			else if (x < z)
	#if !defined(MID_1)
				m = x;
	#else
				m = y;
	#endif
		} else {
			if (x > y)
				m = y;
			else if (x > z)
				m = x;
		}
		return m;
	}
	END
	cat >"$v/main.c" <<-'END'
	#include <stdio.h>
	#include <stdlib.h>
	#include "mid.h"

	int main(int argc, char **argv)
	{
	#ifdef MID_2
		if (argc < 4 || argv[1][0] == '2')
	#else
		if (argc < 4)
	#endif
			return 2;
		printf("%d\n", mid(atoi(argv[1]), atoi(argv[2]), atoi(argv[3])));
		return 0;
	}
	END
	printf '/* #define MID_1 */\n#define MID_2\n// #define MID_3\n' >"$v/FaultSeeds.h"
	mkdir -p "$1/versions.alt/versions.orig" && cp -r "$v" "$1/versions.alt/versions.orig/v1"
	mid_suite | sed 's/.*/-P[&]/; 5s/$/\n/' >"$1/testplans.alt/v0.cov.universe"
}

# The middle of three numbers from standard input: read_mid FILE LINE TEXT...
read_mid() {
	mid_source "$@"
	sed -i -e 's/^if (argc < 4)$/int x, y, z;\n\tif (scanf("%d%d%d", \&x, \&y, \&z) < 3)/' \
		-e 's/mid(atoi.*);/mid(x, y, z));/' -e 's/int argc, char \*\*argv/void/' "$1"
}

make_inputs() { # FOLDER FORMAT
	local n=0 x y z
	mid_suite | while read -r x y z; do
		n=$((n + 1))
		# shellcheck disable=SC2059
		echo "$x $y $z" >"$1/$(printf "$2" $n)"
	done
}

make_codeflaws() {
	local a=$1/12-A-bug-100-101 b=$1/12-B-bug-7-9
	mkdir -p "$a" "$b"
	read_mid "$a/12-A-100.c" 12 'm = y;'
	read_mid "$a/12-A-101.c"
	make_inputs "$a" input-pos%d
	read_mid "$b/12-B-7.c" 8 'if (y > z) {'
	read_mid "$b/12-B-9.c"
	make_inputs "$b" heldout-input-neg%d
}

make_cpack() {
	local ex=$1/semantically_incorrect_submissions/year-1/lab02/ex01
	mkdir -p "$1/tests/lab02/ex01" "$ex/ex01-stu_001-sub_001" "$ex/ex01-stu_002-sub_001"
	read_mid "$ex/ex01-stu_001-sub_001.c" 12 'm = y;' 15 'm = x;'
	read_mid "$ex/ex01-stu_001-sub_001/ex01-stu_001-sub_001_fixed.c"
	read_mid "$ex/ex01-stu_002-sub_001/ex01-stu_002-sub_001.c" 8 'if (y > z) {'
	read_mid "$ex/ex01-stu_002-sub_001/ex01-stu_002-sub_001_fixed.c"
	make_inputs "$1/tests/lab02/ex01" ex01_%d.in
}

# What other tools measured: four tests, three lines; line 2 of Foo is faulty.
make_coverage() {
	mkdir -p "$1/Lang-1" "$1/Lang-2" "$1/Own-1"
	printf 'name\norg.x$Foo#bar(int):1\norg.x$Foo#bar(int):2\norg.x$Foo#baz():7\n' >"$1/Lang-1/spectra.csv"
	printf '1 1 0 -\n1 0 1 +\n1 1 1 -\n1 0 0 +\n' >"$1/Lang-1/matrix.txt"
	printf 'name,outcome\nt1,FAIL\nt2,PASS\nt3,FAIL\nt4,PASS\n' >"$1/Lang-1/tests.csv"
	echo 'org/x/Foo.java#2#return a, b;' >"$1/Lang-1/Lang-1.buggy.lines"
	printf 'org/x/Foo.java#1\norg/x/Foo.java#2\norg/x/Foo.java#7\n' >"$1/Lang-2/spectra"
	cp "$1/Lang-1/matrix.txt" "$1/Lang-2/matrix"
	printf 'org/x/Foo.java#7#FAULT_OF_OMISSION\n' >"$1/Lang-2/Lang-2.buggy.lines"
	printf 'test,outcome,a.py:1,a.py:2,a.py:7\nt1,FAIL,1,2,0\nt2,PASS,1,0,5\nt3,error,9,1,1\n"t,4",PASS,1,0,0\n' \
		>"$1/Own-1/coverage.csv"
	echo 'a.py#2#x = 1' >"$1/Own-1/Own-1.buggy.lines"
	cp -r "$1/Own-1" "$1/Own-3" && echo 'a.py:2' >"$1/Own-3/Own-1.buggy.lines"
}

# Faults in lines that have no code, in a program with a header.  Two subjects: one names these lines,
# the other one those that use them.
make_declared() { # FOLDER FOLDER
	local v
	mkdir -p "$1/golden" "$2"
	printf '#define CAPACITY 4\nstruct item {\n\tint weight;\n};\nenum kind { LIGHT = 1,\n\tHEAVY = 3 };\n' >"$1/golden/list.h"
	cat >"$1/golden/p.c" <<-'END'
	#include <stdio.h>
	#include <stdlib.h>
	#include "list.h"
	#define SPARE (CAPACITY - 1)
	static const int prices[] = { 10, 20,
		35, 40 };
	static struct item items[SPARE];
	static int limit = 500;

	int main(int argc, char **argv)
	{
		unsigned n = sizeof items / sizeof *items;
		int sum = 0;

		for (unsigned i = 1; i < (unsigned)argc && i <= n; i++) {
			items[i - 1].weight = atoi(argv[i]);
			if (items[i - 1].weight > limit)
				sum += prices[HEAVY];
			else
				sum += prices[LIGHT];
		}
		printf("%d\n", sum);
		return 0;
	}
	END
	for v in macro member enumerator initialiser value; do cp -r "$1/golden" "$1/$v"; done
	sed -i 's/CAPACITY 4/CAPACITY 3/' "$1/macro/list.h"
	sed -i 's/int weight/char weight/' "$1/member/list.h"
	sed -i 's/HEAVY = 3/HEAVY = 2/' "$1/enumerator/list.h"
	sed -i 's/35, 40/35, 41/' "$1/initialiser/p.c"
	sed -i 's/= 500/= 400/' "$1/value/p.c"
	printf '%s\n' 100 450 600 '1 2' '1 2 3' '600 1' >"$1/tests.txt"
	cat >"$1/subject.conf" <<-END
	[subject]
	name = declared
	build-version = gcc -g -O0 -o {out}/{version} $1/{version}/p.c && gcc -g -O0 -o {out}/golden $1/golden/p.c
	program = {out}/{version}
	golden = {out}/golden
	suite = $1/tests.txt
	END
	cp "$1/subject.conf" "$2"
	printf '%s\t%s\n' version line macro list.h:1 member list.h:3 enumerator list.h:6 initialiser p.c:6 \
		value p.c:8 >"$1/versions.tsv"
	printf '%s\t%s\n' version line macro p.c:12,p.c:16,p.c:17 member p.c:16,p.c:17 enumerator p.c:18 \
		initialiser p.c:18,p.c:20 value p.c:17 >"$2/versions.tsv"
}
