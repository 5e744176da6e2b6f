#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The self-check on real programs: Debian's sources of bzip2, ed, gzip and lua5.4,
# built with -g -O0 and -g -O2, run on small real inputs.  Sources and programs
# stay in $BUILD/real; the system's package lists are not touched.
# timeout: 600
[ -x "$WHY_BIN" ] && [ -r "$WHY_AGENT" ] || { echo "gdb-why is not built"; exit 77; }
for tool in apt-get dpkg-source make; do
	command -v "$tool" >/dev/null || { echo "needs $tool, to fetch and build sources"; exit 77; }
done

CC=${CC:-gcc}
real=$BUILD/real
failures=0
checked=0
here=$(pwd)
mkdir -p "$real/lists/partial" "$real/cache/archives/partial" "$real/bin" || exit 1

complain() {
	echo "FAILED $*"
	failures=$((failures + 1))
}

apt() {
	apt-get -q -o Dir::Etc::sourcelist="$real/sources.list" -o Dir::Etc::sourceparts=/dev/null \
		-o Dir::State::lists="$real/lists" -o Dir::Cache="$real/cache" \
		-o APT::Sandbox::User="$(id -un)" -o Acquire::http::Timeout=15 \
		-o Acquire::Retries=1 "$@"
}

# fetch PACKAGE...: each into $real/PACKAGE, once.
fetch() {
	missing=
	for package; do
		[ -e "$real/$package/.complete" ] || missing="$missing $package"
	done
	[ "$missing" ] || return 0
	codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
	echo "deb-src http://deb.debian.org/debian ${codename:-bookworm} main" >"$real/sources.list"
	apt update >"$real/log" 2>&1 || return 1
	# shellcheck disable=SC2086
	(cd "$real" && apt --download-only source $missing) >>"$real/log" 2>&1 || return 1
	for package in $missing; do
		rm -rf "${real:?}/$package"
		dpkg-source --no-check -x "$real/$package"_*.dsc "$real/$package" \
			>>"$real/log" 2>&1 || return 1
		touch "$real/$package/.complete"
	done
}

# build_NAME FLAGS PROGRAM, in the source folder.
build_bzip2() {
	$CC -w -g "$1" -o "$2" bzip2.c blocksort.c huffman.c crctable.c randtable.c compress.c \
		decompress.c bzlib.c
}

build_ed() {
	$CC -w -g "$1" -DPROGVERSION='"1"' -o "$2" ./*.c
}

build_lua5_4() {
	echo '#define DEB_HOST_MULTIARCH "any"' >src/lua5.4-deb-multiarch.h
	cd src && rm -f luac.c &&
		$CC -w -g "$1" -std=gnu99 -DLUA_USE_LINUX -o "$2" l*.c -lm -ldl
}

build_gzip() {
	[ -e config.status ] || ./configure -q
	# keeps make from wanting to run autoconf on the files that Debian's patches touch
	touch aclocal.m4 && find . -name Makefile.in -exec touch {} + &&
		touch configure lib/config.hin && touch config.status lib/config.h &&
		find . -name Makefile -exec touch {} + || return
	make -s -C lib clean && rm -f ./*.o gzip
	make -s -C lib CFLAGS="-g $1" && make -s version.h &&
		make -s gzip CFLAGS="-g $1" && cp gzip "$2"
}

# check NAME OPTIMIZATION INPUT [ARGUMENT...]
check() {
	name=$1 level=$2 input=$3
	shift 3
	program=$real/bin/$name$level
	if [ ! -x "$program" ]; then
		(cd "$real/$name" && "build_$(echo "$name" | tr . _)" "$level" "$program") \
			>"$program.log" 2>&1 </dev/null ||
			{ complain "$name $level: does not build: $(tail -n 1 "$program.log")"; return; }
	fi
	timeout -k 5 120 "$WHY_BIN" explain --check --stdin "$input" -- "$program" "$@" \
		>"$real/out" 2>"$real/err" ||
		complain "$name $level: --check ended with $?: $(head -n 1 "$real/err")"
	sed "s|^|$name $level: |" "$real/out" | tail -n 1
	checked=$((checked + 1))
}

fetch bzip2 ed gzip lua5.4 || {
	echo "cannot fetch sources from Debian: $(tail -n 1 "$real/log")"
	exit 77
}

head -c 2000 "$here/COPYING" >"$real/text"
printf 'a\nhello world\nfoo\nbar\n.\n1,$s/o/0/g\n,p\ng/b/d\n,n\nu\n/w.*d/p\nq\nq\n' >"$real/script.ed"
cat >"$real/script.lua" <<'END'
local t = {}
for i = 1, 30 do t[i] = (i * 7919) % 101 end
table.sort(t, function(a, b) return a > b end)
print(#t, string.format("%5.2f", t[1] / 7), ("hello"):upper())
print(pcall(function() error("x") end))
local co = coroutine.wrap(function(a) return coroutine.yield(a + 1) * 2 end)
print(co(1), co(5), ("abc def"):gsub("%w+", string.reverse), -7 % 3, 1 << 40, 2 ^ 10 // 3)
END
for level in -O0 -O2; do
	check bzip2 $level "$real/text" -zc
	check gzip $level "$real/text" -c
	check ed $level "$real/script.ed" -s
	check lua5.4 $level /dev/null "$real/script.lua"
done
echo "$checked runs checked"
[ "$failures" -eq 0 ]
