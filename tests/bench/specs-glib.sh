#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Structures of GLib, of Debian's own sources (apt-get source, without root), compiled with -g -O0, with a
# fault in each, and a specification as a user would write it (tests/bench/glib): the rank of the faulty line,
# tests, and CPU seconds, user and system.  11: it is not among the ten that are shown.
#
#     make bench-specs-glib             GLIB=DIR: sources that are unpacked there already; ONLY=tree one structure
set -u
CC=${CC:-gcc} ONLY=${ONLY:-}
here=$PWD/tests/bench/glib
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
ulimit -c 0

fetch() {
	local options=(-q -o "Dir::Etc::sourcelist=$tmp/src.sources" -o Dir::Etc::sourceparts=-
		-o "Dir::State::lists=$tmp/lists" -o "Dir::Cache=$tmp/cache" -o APT::Sandbox::User=)

	mkdir -p lists/partial cache/archives/partial
	sed 's/^Types:.*/Types: deb-src/' /etc/apt/sources.list.d/debian.sources >src.sources &&
		apt-get "${options[@]}" update && apt-get "${options[@]}" source --download-only glib2.0 &&
		mkdir unpacked && tar -xf glib2.0_*.orig.tar.xz -C unpacked --strip-components 1
}
if [ -z "${GLIB:-}" ]; then
	fetch >fetched 2>&1 || {
		tail -3 fetched
		echo 'GLib could not be fetched by apt-get source; unpack it, and name its folder: GLIB=DIR'
		exit 77
	}
	GLIB=$tmp/unpacked
fi
cflags=$(pkg-config --cflags glib-2.0) || { echo 'libglib2.0-dev is not installed'; exit 77; }
export CPPFLAGS=$cflags LDLIBS=-lglib-2.0 G_SLICE=always-malloc
cp -r "$GLIB/glib" glib && : >config.h

# build STRUCTURE FILE SED: the program, and in $line the number of the line that was changed.
build() {
	sed -E "$3" "$GLIB/glib/$2" >"glib/$2"
	line=$(cmp "$GLIB/glib/$2" "glib/$2" | sed -nE 's/.*line ([0-9]+)$/\1/p')
	[ -n "$line" ] || { echo "$2 has no such line any more: $3"; return 1; }
	# shellcheck disable=SC2086
	$CC -g -O0 -w -DGLIB_COMPILATION -DG_LOG_DOMAIN='"GLib"' -I. -Iglib $cflags -c -o part.o "glib/$2" &&
		$CC -g -O0 $cflags -o "$1" "$here/$1.c" part.o -lglib-2.0
}
# fault STRUCTURE NAME FILE SED ARGS...
fault() {
	local structure=$1 name=$2 file=$3 rank
	[ -z "$ONLY" ] || [ "$ONLY" = "$structure" ] || return
	build "$1" "$3" "$4" || return
	shift 4
	TIMEFORMAT='%U %S'
	spent=$( { time "$WHY_BIN" specs --input heap --timeout 120 --spec "$here/$structure-spec.c" -- "./$structure" "$@" \
		>out 2>err </dev/null; } 2>&1 | awk '{ printf "%.1f", $1 + $2 }')
	rank=$(sed -nE "/^another fault/q; s/^ +([0-9]+)  [0-9.]+ [0-9.]+  $file:$line  .*/\\1/p" out | head -1)
	printf '%-6s %-28s %5s %6s %7s\n' "$structure" "$name" "${rank:-11}" \
		"$(sed '/^another fault/q' out | grep -cE '^  [0-9]+: ')" "$spent"
}
printf '%-6s %-28s %5s %6s %7s\n' of fault rank tests 'CPU s'
sorted='/^g_list_insert_sorted_real/,/^}/'
fault list 'wrong prev' glist.c "${sorted}s/new_list->prev = tmp_list->prev;/new_list->prev = tmp_list;/" 1 3 2
fault list "the loop's comparison" glist.c "${sorted}s/while (.*cmp) > 0/while \\1 < 0/" 1 3 2
fault queue 'pop_tail leaves freed node' gqueue.c '/^g_queue_pop_tail \(/,/^}/s/queue->tail->next = NULL;/queue->tail->next = node;/' 1 2 3 -
fault queue 'push_tail counts wrong' gqueue.c '/^g_queue_push_tail \(/,/^}/s/queue->length\+\+/queue->length = 1/' 1 2 3
fault tree 'rotate_left' gtree.c 's/node->right = right->left;/node->right = right->right;/' 1 2 3 4 5 6
fault tree 'balance after rotation' gtree.c '/^g_tree_node_rotate_right/,/^}/s/node->balance = a_bal - b_bal \+ 1;/node->balance = a_bal - b_bal;/' 6 5 4 3
fault hash 'remove leaves no tombstone' ghash.c 's/hash_table->hashes\[i\] = TOMBSTONE_HASH_VALUE;/hash_table->hashes[i] = UNUSED_HASH_VALUE;/' 1 9 17 -1
fault hash 'noccupied not counted' ghash.c '/^g_hash_table_insert_node/,/^}/s/hash_table->noccupied\+\+;/hash_table->noccupied = hash_table->nnodes;/' 1 2 -1 3
