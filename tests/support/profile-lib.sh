# SPDX-License-Identifier: GPL-3.0-or-later
#
# Sourced by the tests of profiles: compares line counts with gcov's.

. tests/support/patience.sh
CC=${CC:-gcc}
export GDB_WHY_AGENT="$WHY_AGENT"
profile=$BUILD/tests/drivers/run-profile
failures=0
lines=0
differ=0

complain() {
	echo "FAILED $*"
	failures=$((failures + 1))
}

# finish: ends the test.
finish() {
	echo "$failures failed"
	[ "$failures" = 0 ]
	exit
}

# need_gcov: gcc's, for gcc's programs.
need_gcov() {
	command -v gcov >/dev/null || { echo "needs gcov"; exit 77; }
	"$CC" --version | grep -qi clang && { echo "needs gcc"; exit 77; }
	# A crash keeps gcov's counts, too.
	cat >"$dir/dump.h" <<-'END'
		#include <signal.h>
		extern void __gcov_dump(void);
		static void gcov_dump_at(int signo)
		{
			signal(signo, SIG_DFL);
			__gcov_dump();
			raise(signo);
		}
		__attribute__((constructor)) static void gcov_dump_start(void)
		{
			signal(SIGABRT, gcov_dump_at);
			signal(SIGSEGV, gcov_dump_at);
			signal(SIGFPE, gcov_dump_at);
		}
	END
}

# gcov_counts FOLDER: "FILE:LINE TIMES" of all the .gcda there; a file may be compiled twice.
gcov_counts() {
	(cd "$1" && for part in ./*.gcda; do gcov -t "$part" 2>/dev/null; done) | awk -F: '
		$2 + 0 == 0 && $3 == "Source" { n = split($4, path, "/"); file = path[n] }
		{ times = $1; gsub(/[ *]/, "", times); line = $2 + 0 }
		line > 0 && times != "-" && file !~ /\.h$/ {
			sum[file ":" line] += times ~ /[#=]/ ? 0 : times }
		END { for (at in sum) print at, sum[at] }'
}

# compare_lines WHAT OURS GCOV: complains of lines of which one was executed for one
# of both only; $lines compared, $differ have other counts, and stand in
# $dir/differ.  gcov has a function where it is declared, the line table where its body
# begins, so these are compared with the line behind.
compare_lines() {
	awk 'NR == FNR { ours[$1] = $2; next }
		!($1 in ours) { split($1, at, ":"); $1 = at[1] ":" at[2] + 1 }
		!($1 in ours) { next }
		{ n++ }
		!ours[$1] != !$2 { print "executed", $1, ours[$1], $2; next }
		ours[$1] != $2 { print "differ", $1, ours[$1], $2 }
		END { print "lines", n + 0 }' "$2" "$3" >"$dir/compared"
	grep '^executed' "$dir/compared" | while read -r _ at a b; do echo "$1 $at: $a, gcov $b"; done
	grep -q '^executed' "$dir/compared" && complain "$1: a line is executed for one only"
	grep '^differ' "$dir/compared" >"$dir/differ"
	lines=$((lines + $(sed -n 's/^lines //p' "$dir/compared")))
	differ=$((differ + $(wc -l <"$dir/differ")))
}
