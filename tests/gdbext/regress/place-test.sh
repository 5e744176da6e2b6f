#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Trees that were configured where they lie: their build files hold the names of their folders.  Copies
# are built under that name in a mount namespace; where there is none, such files stay out of them.
# Whatever is done, the user's trees are neither built nor changed.
# timeout: 240
set -u
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
failed=0
complain() {
	echo "$*"
	cat out err
	failed=1
}

# What configure makes: a makefile with the absolute name of the folder, and a header.
fresh() {
	rm -rf old new saved
	mkdir old
	cat >old/configure <<'C'
#!/bin/sh
sed "s|@srcdir@|$PWD|" Makefile.in >Makefile
[ -e config.h ] || echo '#define LIMIT 10' >config.h
echo "configured in $PWD at $(date +%N)" >config.log
C
	chmod +x old/configure
	printf 'S = @srcdir@\np: $(S)/p.o\n\t%s -g -o $(S)/p $(S)/p.o\n$(S)/p.o: $(S)/p.c\n\t%s -g -O0 -c -o $(S)/p.o $(S)/p.c\n' \
		"${CC:-gcc}" "${CC:-gcc}" >old/Makefile.in
	printf '#include "config.h"\nint main(int n, char **v)\n{\n\tint x = 5;\n\n\t(void)v;\n\tx += n;\n\treturn x > LIMIT;\n}\n' >old/p.c
	cp -a old new
	sed -i -e 's/x = 5/x = 15/' -e 's/(void)v;/(void)v; (void)n;/' new/p.c
	for i in old new; do (cd "$i" && ./configure && make -s) || exit 1; done
	cp -a old saved
}

regress() {
	"$WHY_BIN" regress --old old --new new --format json "$@" >out 2>err
}

right() {
	jq -e '[.root[].text] == ["-\tint x = 5;\n+\tint x = 15;\n"] and .stats.changes == 2 and
		.proof.new_without_root == "passes" and .proof.old_with_root == "fails"' out >/dev/null
}

untouched() {
	diff -r old saved >diff || complain "$1: the user's tree was changed: $(cat diff)"
}

fresh
before=$(stat -c %Y.%y new/p new/p.o)
regress --test ./p && right || complain "configured trees"
regress --run "$tmp/new/p" --jobs 1 && right || complain "configured trees, the program by its whole name"
jq -e '[.causes[0].statements[] | select(.clause == "x" and .value == "15" and .before == "5")] | length == 1' out \
	>/dev/null || complain "no values of the old version with one job"
[ "$before" = "$(stat -c %Y.%y new/p new/p.o)" ] || complain "the new tree was built"
untouched "configured"

# The same where there are no namespaces: all has to be configured anew, and it is said.
nowhere() {
	unshare -Ur sh -c 'echo 0 >/proc/sys/user/max_user_namespaces && echo 0 >/proc/sys/user/max_mnt_namespaces &&
		exec "$@"' sh "$@"
}
if nowhere true 2>/dev/null; then
	nowhere "$WHY_BIN" regress --old old --new new --test ./p >out 2>err
	[ $? = 2 ] && grep -q "Files of the build (Makefile ...) name the folder $tmp/new" err ||
		complain "nothing is said of makefiles that name their folder"
	nowhere "$WHY_BIN" regress --old old --new new --format json --build './configure && make' --test ./p \
		>out 2>err && right || complain "configured anew"
	[ "$before" = "$(stat -c %Y.%y new/p new/p.o)" ] || complain "the new tree was built in the end"
	untouched "without namespaces"
fi

# A room in the version itself would be copied into itself.
regress --test ./p --keep new/kept
[ $? = 2 ] && grep -q "lies in the version new itself" err || complain "a room in the version"
rm -rf new/kept

# CMake: a tree that was configured in a folder of its own, and in place.
if command -v cmake >/dev/null; then
	for where in build .; do
		fresh
		for i in old new; do
			rm -rf "$i"/Makefile* "$i"/configure "$i"/config.log "$i"/p "$i"/p.o
			printf 'cmake_minimum_required(VERSION 3.5)\nproject(p C)\nset(CMAKE_C_FLAGS "-g -O0")\nadd_executable(p p.c)\n' \
				>"$i/CMakeLists.txt"
			(cd "$i" && mkdir -p "$where" && cd "$where" && cmake "$tmp/$i" && make -s) >out 2>&1 ||
				complain "cmake does not work"
		done
		rm -rf saved && cp -a old saved
		regress --build "make -s -C $where" --test "$where/p" && right ||
			complain "cmake in $where"
		untouched "cmake in $where"
	done
fi
exit $failed
