#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Revisions of a git repository, the commit that broke a test, and Ctrl-C.
# timeout: 180
set -u
command -v git >/dev/null || { echo "git is not installed"; exit 77; }
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
export GDB_WHY_TMPDIR=$tmp/room HOME=$tmp
mkdir "$tmp/room" "$tmp/tree" && cd "$tmp/tree" || exit 1
failed=0 out=$tmp/out err=$tmp/err
complain() {
	echo "$*"
	cat "$out" "$err"
	failed=1
}

git init -q . && git config user.name T && git config user.email t@example.org || exit 1
commit() { git add -A && git commit -qm "$1" || exit 1; }
printf 'p: p.c\n\t%s -g -o p p.c\n' "${CC:-gcc}" >Makefile
echo p >.gitignore
printf 'static int twice(int x)\n{\n\treturn 2 * x;\n}\n\nint main(int n, char **v)\n{\n\t(void)v;\n\treturn twice(n) != 2;\n}\n' >p.c
commit "Begin"
git tag v1
for i in 1 2 3; do
	echo "/* harmless $i */" >>p.c
	commit "Harmless $i"
done
sed -i 's/return 2 \* x/return 3 * x/; s/static int/int twice(int x);\nint/' p.c
commit "Break it"
bad=$(git rev-parse --short=7 HEAD)
for i in 4 5; do
	echo "/* harmless $i */" >>p.c
	commit "Harmless $i"
done

"$WHY_BIN" regress --old v1 --new HEAD --run ./p --format json >"$out" 2>"$err" || complain "no answer"
jq -e '.root[0].text == "-\treturn 2 * x;\n+\treturn 3 * x;\n" and (.root | length) == 1' "$out" >/dev/null ||
	complain "wrong root"
"$WHY_BIN" regress --old v1 --new HEAD --bisect-first --test ./p --format json >"$out" 2>"$err" ||
	complain "no answer with --bisect-first"
jq -e --arg bad "$bad Break it" '.new == $bad and .stats.changes < 4 and (.root | length) == 1' "$out" >/dev/null ||
	complain "--bisect-first found another commit"
"$WHY_BIN" regress --old v1 --new nonsense --test ./p >"$out" 2>"$err"
[ $? = 2 ] && grep -q "neither a folder nor a revision nonsense" "$err" || complain "nonsense is a revision"
"$WHY_BIN" regress --old HEAD --new v1 --bisect-first --test ./p >"$out" 2>"$err"
[ $? = 2 ] && grep -q "is no ancestor" "$err" || complain "bisected backwards"
[ -z "$(git status --porcelain)" ] || complain "the repository was changed: $(git status --porcelain)"

# A home that cannot be read has no configuration of git; nobody but root can read all.
mkdir -m 0 "$tmp/home"
less=
[ "$(id -u)" = 0 ] && less='setpriv --bounding-set=-dac_override,-dac_read_search --inh-caps=-dac_override,-dac_read_search'
# shellcheck disable=SC2086 # they are words
HOME=$tmp/home $less "$WHY_BIN" regress --old v1 --new HEAD --build true --test 'grep -q "2 . x" p.c' --format json >"$out" 2>"$err" ||
	complain "no answer without a home"
jq -e '.root[0].text == "-\treturn 2 * x;\n+\treturn 3 * x;\n"' "$out" >/dev/null || complain "wrong root without a home"

# A repository of another user is not trusted, until its folder is; only root can give one away.
if [ "$(id -u)" = 0 ]; then
	cp -a "$tmp/tree" "$tmp/foreign" && chown -R 12345 "$tmp/foreign"
	ask() { (cd "$tmp/foreign" && "$WHY_BIN" regress --old v1 --new HEAD --build true --test 'grep -q "2 . x" p.c' "$@" >"$out" 2>"$err"); }
	ask
	[ $? = 2 ] && grep -qF "belongs to another user (12345), so git does not trust it; if you do, allow it with \`git config --global --add safe.directory $tmp/foreign'." "$err" ||
		complain "a repository of another user"
	ask --bisect-first
	[ $? = 2 ] && grep -qF "belongs to another user" "$err" || complain "history of another user"
	git config --global --add safe.directory "$tmp/foreign"
	ask --format json
	jq -e '.root[0].text == "-\treturn 2 * x;\n+\treturn 3 * x;\n"' "$out" >/dev/null || complain "not trusted"
fi

# Interrupted in the middle of a build: at once, and nothing is left.
"$WHY_BIN" regress --old v1 --new HEAD --build "touch $tmp/building; sleep 100" --test ./p >"$out" 2>"$err" &
pid=$!
for _ in $(seq 500); do
	[ -e "$tmp/building" ] && break
	sleep 0.05
done
kill -TERM $pid
wait $pid
[ $? = 130 ] || complain "an interrupt has another status"
[ -z "$(ls "$tmp/room")" ] || complain "left behind: $(ls "$tmp/room")"
pgrep -f "touch $tmp/building" >/dev/null && complain "the build goes on"

# Killed: who built and what was built goes, too.
rm -f "$tmp/building"
"$WHY_BIN" regress --old v1 --new HEAD --build "touch $tmp/building; sleep 100" --test ./p >"$out" 2>"$err" &
pid=$!
for _ in $(seq 500); do
	[ -e "$tmp/building" ] && break
	sleep 0.05
done
kill -KILL $pid
wait $pid 2>/dev/null
for _ in $(seq 500); do
	[ -z "$(ls "$tmp/room")" ] && ! pgrep -f "touch $tmp/building" >/dev/null && break
	sleep 0.05
done
[ -z "$(ls "$tmp/room")" ] || complain "left behind when it was killed: $(ls "$tmp/room")"
pgrep -f "touch $tmp/building" >/dev/null && complain "the build goes on when it was killed"
exit $failed
