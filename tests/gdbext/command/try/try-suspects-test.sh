#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Each suspect of an answer, tried again by its number, ends as its proof says; and an
# answer of another environment is refused.  timeout: 300
. tests/support/samples-lib.sh

# Some programs of our own and of others': their headers say which test fails.
tried=0
most=3
[ -z "${THOROUGH:-}" ] || most=6
for file in $(some samples/*.c tests/foreign/[a-h]*.c); do
	name=$(basename "$file" .c)
	words=$(field "$file" test)
	[ -n "$words" ] || continue
	build "$file" "$dir/$name" || continue
	# shellcheck disable=SC2086
	(cd "$dir" && "$WHY_BIN" explain --format json -o "$name.json" -- "./$name" $words) \
		>"$dir/out" 2>&1 || continue
	for n in $(jq '.suspects[] | select(.replay == "passes") | .rank' "$dir/$name.json" | head -n "$most"); do
		# shellcheck disable=SC2086
		(cd "$dir" && "$WHY_BIN" try --suspect "$name.json:$n" -- "./$name" $words) >"$dir/try" 2>&1
		tried=$((tried + 1))
		grep -q '^it passes (exit status 0); before: ' "$dir/try" || {
			complain "$name: suspect $n, tried again, does not pass"
			cat "$dir/try"
		}
	done
done
[ "$tried" -ge 12 ] || complain "only $tried suspects were tried"

# A run that ends well outside of an object is no mended one, as the answer says.
build tests/foreign/reverse.c "$dir/reverse"
(cd "$dir" && "$WHY_BIN" explain --format json -o reverse.json -- ./reverse "$(field "$OLDPWD/tests/foreign/reverse.c" test)" >/dev/null 2>&1)
for n in $(jq '.suspects[] | select(.replay == "fails" and .note != null and (.note | contains("outside of an object"))) | .rank' "$dir/reverse.json"); do
	(cd "$dir" && "$WHY_BIN" try --suspect "reverse.json:$n" -- ./reverse "$(field "$OLDPWD/tests/foreign/reverse.c" test)") >"$dir/try" 2>&1
	grep -q '^this counts as no mending: with this change the run uses memory outside of an object' "$dir/try" ||
		{ complain "reverse: suspect $n"; cat "$dir/try"; }
	refused=yes
done
[ "${refused:-}" ] || ! default_limits || complain "reverse: no suspect is refused: $(jq -c '.suspects[] | [.rank, .replay, .note]' "$dir/reverse.json")"

# A value is set behind the statement that a stop names, not behind the rest of its line, where the
# loop has gone on.
build tests/bench/programs/sum-list.c "$dir/sum-list" -DN=10
(cd "$dir" && "$WHY_BIN" explain --format json -o sum-list.json -- ./sum-list >/dev/null 2>&1)
stop=$(jq -r '.suspects[] | select(.replay == "passes" and (.instances | length) == 1 and .statements[0].clause == "i") |
	.instances[0].stop' "$dir/sum-list.json" | head -n 1)
(cd "$dir" && "$WHY_BIN" try --set 'i = 10' --after "$stop" -- ./sum-list >try 2>&1)
grep -q '^sum-list.c:36: i = 10 after that statement$' "$dir/try" && grep -q '^it passes' "$dir/try" ||
	! default_limits || { complain "sum-list: after $stop"; cat "$dir/try"; }

# A change is judged by what is expected, also in a session.
program=$dir/total
"$CC" -g -O0 -w -o "$program" tests/outputs/total.c && "$CC" -g -O0 -w -DFIXED -o "$program-fixed" tests/outputs/total.c
"$program-fixed" 3 4 5 >"$dir/expected"
"$WHY_BIN" explain --format json --expect "$dir/expected" -- "$program" 3 4 5 >"$dir/answer" 2>"$dir/err"
"$WHY_BIN" try --suspect "$dir/answer:1" -- "$program" 3 4 5 >"$dir/text" 2>&1
grep -q 'exits with status 0, as before' "$dir/text" && grep -q -e '--expect FILE tells' "$dir/text" ||
	{ complain "without what is expected"; cat "$dir/text"; }
"$WHY_BIN" try --expect "$dir/expected" --suspect "$dir/answer:1" -- "$program" 3 4 5 >"$dir/text" 2>&1
grep -q 'what it prints is what is expected; before, it was not' "$dir/text" || { complain "expected"; cat "$dir/text"; }
printf '%s\n' 'run 3 4 5' "why --expect $dir/expected" 'try 1' 'what-if sum = 0 at 1' quit |
	"$WHY_BIN" "$program" >"$dir/text" 2>&1
grep -q 'what it prints is what is expected; before, it was not' "$dir/text" &&
	grep -q 'what it prints is not what is expected, as before' "$dir/text" || { complain "session"; cat "$dir/text"; }

build samples/paper.c "$dir/paper"
cd "$dir" || exit 1
"$WHY_BIN" explain --format json -o paper.json -- ./paper 0 0 >/dev/null 2>&1
LONGER=$(printf '%0900d' 0) "$WHY_BIN" try --suspect paper.json:1 -- ./paper 0 0 >other 2>&1
grep -q 'is of a run in another environment' other || { complain "another environment"; cat other; }
"$WHY_BIN" try --suspect paper.json:9 -- ./paper 0 0 >other 2>&1
grep -q 'The answer in paper.json has no suspect 9' other || { complain "no suspect 9"; cat other; }
"$WHY_BIN" try --suspect paper.json -- ./paper 0 0 >other 2>&1
grep -q 'names no suspect; say FILE:N' other || { complain "no number"; cat other; }
echo "$tried suspects were tried"
exit $((failures > 0))
