#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# limits: any
#
# Where the temporary folder has no room that is said in one sentence, and is not the program's
# failure; nothing stays there.  Each command has small memory file systems of its own in the
# place of all folders that it could take.
. tests/support/samples-lib.sh
need_tool
cat >"$dir/rooms" <<'SH'
#!/bin/sh
# rooms SIZE COMMAND...: the last line is its status and what it leaves
size=$1
shift
# what the new file systems hide is found below /mnt
mount --rbind / /mnt || exit 126
for folder in /dev/shm /tmp; do
	mount -t tmpfs -o "size=$size" tmpfs $folder || exit 126
done
unset GDB_WHY_TMPDIR XDG_RUNTIME_DIR TMPDIR
"$@" 2>&1
echo "$? left: $(ls -A /dev/shm /tmp | grep -v '^/\|^$')"
SH
chmod +x "$dir/rooms"
alone() { # SIZE COMMAND...: with mounts of its own
	if [ "$(id -u)" = 0 ]; then unshare -m "$dir/rooms" "$@"; else unshare -Urm "$dir/rooms" "$@"; fi
}
alone 1m true >"$dir/said" 2>"$dir/err" || { echo "no mounts here: $(cat "$dir/err")"; exit 77; }

cat >"$dir/prints.c" <<'C'
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 1;
	char *text = malloc(n);

	memset(text, 'a', n);
	if (fwrite(text, 1, n, stdout) != (size_t)n || fflush(stdout))
		return 4;
	assert(n == 7);
	return 0;
}
C
"$CC" -g -o "$dir/prints" "$dir/prints.c" || exit 1

# no_room SIZE ARGUMENT...: of gdb-why
no_room() {
	size=$1
	shift
	alone "$size" "/mnt$WHY_BIN" "$@" >"$dir/said"
	[ "$(wc -l <"$dir/said")" = 2 ] && [ "$(tail -n 1 "$dir/said")" = '2 left: ' ] &&
		head -n 1 "$dir/said" | grep -q '^gdb-why: .*\(room\|No space left\).* GDB_WHY_TMPDIR.*\.$' ||
		complain "$size $*: $(cat "$dir/said")"
}
prints=/mnt$dir/prints
for size in 4k 8k 64k 256k; do
	no_room $size explain -- "$prints" 1
	no_room $size record -o /dev/null -- "$prints" 1
done
# There is room for the record, but not for what is printed: that the program ends with 4 is ours.
for command in explain 'record -o /dev/null' 'ask why n'; do
	# shellcheck disable=SC2086
	no_room 1m $command -- "$prints" 3000000
done
alone 16m "/mnt$WHY_BIN" explain -- "$prints" 1000 >"$dir/said"
grep -q "assertion \`n == 7' failed" "$dir/said" && grep -q '^[03] left: $' "$dir/said" ||
	complain "with room: $(cat "$dir/said")"
finish
