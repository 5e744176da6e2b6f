#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A change with which the test passes only because the run goes on behind what the program has set
# is no proof: neither of a turned branch nor of a larger bound in the code.
. tests/support/samples-lib.sh
need_tool

cat >"$dir/post.c" <<'C'
#include <assert.h>
#include <stdlib.h>

enum kind { LETTER, BOOK, PARCEL };
struct item {
	enum kind kind;
	int grams;
};

static const int base[] = { 1, 2, 4 };

static int cost(const struct item *items, int count)
{
	int cost = 0, grams = 0;

	for (int i = 0; i < count; i++) /* LOOP */
		cost += base[items[i].kind];
	for (int i = 0; i < count; i++)
		grams += items[i].grams;
	if (grams > 1000) /* LIMIT */
		cost += 5;
	return cost;
}

int main(int argc, char **argv)
{
	struct item *items = malloc(8 * sizeof *items);
	int n = 0;

	for (int i = 2; i + 1 < argc && n < 8; i += 2) {
		items[n].kind = argv[i][0] == 'b' ? BOOK : argv[i][0] == 'p' ? PARCEL : LETTER;
		items[n].grams = atoi(argv[i + 1]);
		n++;
	}
	assert(cost(items, n) == atoi(argv[1]));
	free(items);
	return 0;
}
C
build "$dir/post.c" "$dir/post" || exit 1

# line MARK
line() {
	grep -n "/\* $1 \*/" "$dir/post.c" | cut -d: -f1
}

# explained EXPECTED: the cost of what is sent, in $dir/answer
explained() {
	"$WHY_BIN" explain --all --format json -- "$dir/post" "$1" l 100 b 400 p 500 >"$dir/answer" 2>"$dir/err" ||
		complain "post $1: $(cat "$dir/err")"
}

# holds FILTER: of the answer
holds() {
	jq -e --argjson loop "$(line LOOP)" --argjson limit "$(line LIMIT)" "$1" "$dir/answer" >/dev/null || {
		complain "$1"
		jq -c '.suspects[] | [.replay, [.statements[].line], .evidence.change, .note]' "$dir/answer"
	}
}

# The next item that malloc gave is nobody's, and happens to be a letter.
explained 8
holds '[.suspects[] | select(.statements[0].line == $loop and .size == 1 and .replay == "passes")] == []'
holds '[.suspects[] | select(.statements[0].line == $loop) | .evidence.change // empty] == []'
holds '.suspects[0] | .replay == "passes" and .statements[0].line != $loop'
# A branch that stays inside is turned as before.
explained 12
holds '.suspects[0] | .replay == "passes" and .statements[0].line == $limit'
finish
