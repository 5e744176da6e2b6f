#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What is no regression, cannot be judged, or does not stand in a statement.
# timeout: 300
set -u
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
failed=0
cc=${CC:-gcc}

# A makefile that knows nothing of headers, of itself or of data.
fresh() {
	rm -rf old new
	mkdir old
	printf '#define LIMIT 10\n' >old/limit.h
	printf '#include "limit.h"\n#include <stdio.h>\nint main(int n, char **v)\n{\n\tFILE *f = fopen("data", "r");\n\tint x = 0;\n\n\t(void)v;\n\tif (!f || fscanf(f, "%%d", &x) != 1)\n\t\treturn 2;\n\tfclose(f);\n\treturn n + x + EXTRA > LIMIT;\n}\n' >old/p.c
	printf 'p: p.o\n\t%s -g -o p p.o\np.o: p.c\n\t%s -g -O0 -DEXTRA=0 -c p.c\n' "$cc" "$cc" >old/Makefile
	printf '5\n' >old/data
	cp -a old new
}

run() { # status, text that must be said; the rest: options
	status=$1 text=$2
	shift 2
	"$WHY_BIN" regress --old old --new new "$@" >out 2>&1
	got=$?
	[ $got = "$status" ] || { echo "$text: status $got"; cat out; failed=1; }
	grep -qF -- "$text" out || { echo "not said: $text"; cat out; failed=1; }
}

root() { # the numbers of the root; the rest: options
	want=$1
	shift
	"$WHY_BIN" regress --old old --new new --format json "$@" >out 2>err ||
		{ echo "no answer"; cat err out; failed=1; }
	[ "$(jq -c '[.root[].number]' out)" = "$want" ] || { echo "root: not $want"; cat out; failed=1; }
	jq -e '.proof.new_without_root == "passes" and .proof.old_with_root == "fails"' out >/dev/null ||
		{ echo "not proven"; cat out; failed=1; }
}

fresh
run 1 "There is no difference between the versions" --test ./p
sed -i 's/return 2/return 3/' new/p.c
run 1 "The test passes with both versions" --test ./p
run 2 "The test fails with both versions" --test './p && false'
run 2 "No version has a program ./nothing that can be started after \`make'" --run ./nothing
run 2 "exit status 127, which a shell means by" --test ./nothing
run 2 "does not build with \`false': it fails without a word" --build false --test ./p
run 2 "the build was stopped after 0.2 s" --build 'sleep 9' --build-timeout 0.2 --test ./p
run 3 "The test cannot judge the new version" --test 'exit 125'
run 1 "exchange --old and --new" --test 'grep "return 3" p.c'
echo 0 >count
run 3 "passes and fails in turn" --jobs 1 --test "n=\$((\$(cat $tmp/count) + 1)); echo \$n >$tmp/count; exit \$((n % 2))"
echo 'int main(void) { return undeclared; }' >new/p.c
run 2 "The new version, new, does not build with \`make': p.c:1" --test ./p
run 2 "There is no folder nowhere" --old nowhere --test ./p
run 2 "say what fails" --new new

# A change in a header only, with a harmless one beside it.
fresh
sed -i 's/10/3/' new/limit.h
sed -i 's/return 2/return 3/' new/p.c
root '[1]' --test ./p
root '[1]' --run ./p

# In a makefile only: all has to be built again.
fresh
sed -i 's/EXTRA=0/EXTRA=9/' new/Makefile
root '[1]' --test ./p

# In data only, which the test reads and no compiler sees.
fresh
echo 50 >new/data
root '[1]' --test ./p

# A program's mode, a file that went, a file that came, a new name.
fresh
printf '#!/bin/sh\n./p\n' >old/run.sh && chmod +x old/run.sh && cp old/run.sh new && chmod -x new/run.sh
root '[1]' --test ./run.sh
fresh
rm new/data
root '[1]' --test ./p
fresh
: >new/broken
root '[1]' --test '[ ! -e broken ]'
fresh
mv new/data new/information
"$WHY_BIN" regress --old old --new new --format json --test ./p >out || failed=1
[ "$(jq -r '.root[].kind' out)" = renamed ] || { cat out; failed=1; }

# What has to be reverted as well so that it compiles is no root.
fresh
sed -i 's/\tint x = 0;/\tint x = 0;\n\tint margin = 9;/; s/n + x + EXTRA/n + x + EXTRA + margin/' new/p.c
sed -i 's/int margin = 9/long margin = 9/; s/return 2/return 4/' new/p.c
root '[3]' --test ./p
sed -i 's/\tint x = 0;/\tint x = 0, least = 0;/' old/p.c
sed -i 's/n + x + EXTRA >/n + x + EXTRA + least >/' old/p.c
"$WHY_BIN" regress --old old --new new --format json --test ./p >out || failed=1
jq -e '([.root[].number] | length) == 1 and ([.auxiliary[].number] | length) == 1 and
	([.root[].number, .auxiliary[].number] | sort) == [1, 3]' out >/dev/null ||
	{ echo "neither one is auxiliary"; cat out; failed=1; }

# A test that hangs is a failure; nothing is left behind, --keep excepted.
fresh
sed -i 's/return n + x/for (;;)\n\t\t;\n\treturn n + x/' new/p.c
"$WHY_BIN" regress --old old --new new --run-timeout 1 --keep kept --test ./p >out 2>&1 ||
	{ cat out; failed=1; }
grep -q "out of time after 1 s" out || { cat out; failed=1; }
[ -x kept/bench0/p ] || { echo "nothing was kept"; failed=1; }
exit $failed
