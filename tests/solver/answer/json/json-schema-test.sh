#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# limits: any
# A real answer is what the schema says, on stdout as with -o, and the schema
# misses every field of it that is taken away.
. tests/support/limits.sh
strict=--strict
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
for options in '' --no-hijack; do
	"$WHY_BIN" explain --format=json -o "$tmp/answer" $options -- "$BUILD/samples/paper" 0 0
	status=$?
	explained_or_cut $status || { echo "explain $options: status $status"; exit 1; }
	default_limits || strict=
	python3 tests/validate.py $strict tests/answer.schema.json <"$tmp/answer"
	status=$?
	[ $status -eq 0 ] || exit $status
done
stages=$(python3 -c 'import json, sys
print(*[s["name"] for s in json.load(sys.stdin)["stats"]["stages"]])' <"$tmp/answer")
[ "$stages" = "start image record walk formula solve replay changes" ] || {
	echo "the stages are: $stages"
	exit 1
}
"$WHY_BIN" explain --format=json -- "$BUILD/samples/paper" 0 0 |
	python3 tests/validate.py tests/answer.schema.json
