# SPDX-License-Identifier: GPL-3.0-or-later
#
# Sourced by tests and measurements on real programs: fetches their sources from
# Debian and builds them, in $real, where both stay.  The system's package lists are
# not touched.

. tests/support/patience.sh
CC=${CC:-gcc}
real=$BUILD/real
mkdir -p "$real/lists/partial" "$real/cache/archives/partial" "$real/bin" || exit 1

# need_tools TOOL...: ends the script as skipped where one is missing.
need_tools() {
	for tool; do
		command -v "$tool" >/dev/null || { echo "needs $tool, to fetch and build sources"; exit 77; }
	done
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

# build_NAME FLAGS PROGRAM, in the source folder.  What runs of a program do not agree
# on (time, process number) is made the same for all.
build_bzip2() {
	$CC -w -g "$1" -o "$2" bzip2.c blocksort.c huffman.c crctable.c randtable.c compress.c \
		decompress.c bzlib.c
}

build_ed() {
	$CC -w -g "$1" -DPROGVERSION='"1"' -o "$2" ./*.c
}

build_lua5_4() {
	echo '#define DEB_HOST_MULTIARCH "any"' >src/lua5.4-deb-multiarch.h
	cd src && rm -f luac.c && printf '#include <time.h>\n#define time(t) ((time_t)1)\n' >same.h &&
		$CC -w -g "$1" -std=gnu99 -include ./same.h -DLUA_USE_LINUX '-Dluai_makeseed(L)=1' -o "$2" l*.c -lm -ldl
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

# Its parser, scanner and skeleton are in the sources.
build_flex() {
	[ -e config.status ] || ./configure -q --disable-nls || return
	(cd src && $CC -w -g "$1" -DHAVE_CONFIG_H -DLOCALEDIR='""' -I. -o "$2" buf.c ccl.c dfa.c ecs.c filter.c gen.c main.c \
		misc.c nfa.c options.c parse.c regex.c scan.c scanflags.c scanopt.c skel.c sym.c tables.c tables_shared.c \
		tblcmp.c yylex.c -lm)
}

# Without the tools that only maintainers have.
build_bc() {
	[ -e config.status ] || ./configure -q
	make -s clean
	make -s CFLAGS="-g $1 -w" MAKEINFO=: ACLOCAL=: AUTOCONF=: AUTOMAKE=: AUTOHEADER=: &&
		cp bc/bc "$2"
}

build_mawk() {
	[ -e config.status ] || ./configure -q
	make -s clean
	make -s CFLAGS="-g $1 -w" mawk && cp mawk "$2"
}

# build_gnu DIR NAME PROGRAM FLAGS: of a GNU package, DIR/NAME.  Its library, which has no fault, is made once, where the
# sources are.
build_gnu() {
	tools='MAKEINFO=: ACLOCAL=: AUTOCONF=: AUTOMAKE=: AUTOHEADER=: HELP2MAN=:'
	[ -e config.status ] || ./configure -q --disable-nls CFLAGS="-g -w" || return
	# shellcheck disable=SC2086
	[ ! -e lib/Makefile ] || [ -e lib/.made ] || { make -s -C lib $tools && touch lib/.made; } || return
	rm -f "$1"/*.o "$1/$2"
	# shellcheck disable=SC2086
	[ -z "${5:-}" ] || make -s -C "$1" $tools $5 || return
	# shellcheck disable=SC2086
	make -s -C "$1" CFLAGS="-g $4 -w" $tools "$2" && cp "$1/$2" "$3"
}

build_diffutils() {
	build_gnu src diff "$2" "$1" 'paths.h version.c version.h'
}

build_grep() {
	build_gnu src grep "$2" "$1"
}

build_findutils() {
	[ -e config.status ] || ./configure -q --disable-nls CFLAGS="-g -w" || return
	[ -e gl/.made ] || { make -s -C gl MAKEINFO=: ACLOCAL=: AUTOCONF=: AUTOMAKE=: AUTOHEADER=: && touch gl/.made; } || return
	build_gnu find find "$2" "$1"
}

# One makefile for all, whose library is no folder of its own.
build_sed() {
	[ -e config.status ] || ./configure -q --disable-nls CFLAGS="-g -w" || return
	rm -f sed/*.o sed/sed
	make -s CFLAGS="-g $1 -w" MAKEINFO=: ACLOCAL=: AUTOCONF=: AUTOMAKE=: AUTOHEADER=: HELP2MAN=: sed/sed && cp sed/sed "$2"
}

build_gawk() {
	[ -e config.status ] || ./configure -q --disable-nls --disable-extensions --disable-mpfr CFLAGS="-g -w" || return
	rm -f ./*.o gawk
	make -s -C support && make -s CFLAGS="-g $1 -w" MAKEINFO=: ACLOCAL=: AUTOCONF=: AUTOMAKE=: AUTOHEADER=: gawk && cp gawk "$2"
}

build_sqlite3() {
	if [ ! -e sqlite3.c ]; then
		./configure -q --disable-tcl && make -s sqlite3.c shell.c || return
	fi
	printf '#include <unistd.h>\n#define getpid() 1\n' >same.h
	$CC -w -g "$1" -D_GNU_SOURCE -include ./same.h -DSQLITE_OMIT_RANDOMNESS -DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_LOAD_EXTENSION -o "$2" sqlite3.c shell.c -lm
}

# built NAME OPTIMIZATION: the program, in $program; fails when it does not build.
built() {
	program=$real/bin/$1$2.3
	[ -x "$program" ] || (cd "$real/$1" && "build_$(echo "$1" | tr . _)" "$2" "$program") \
		>"$program.log" 2>&1 </dev/null
}
