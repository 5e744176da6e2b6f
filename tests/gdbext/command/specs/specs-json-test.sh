#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# timeout: 120
# gdb-why specs --format json: one document for each way in which it ends, by tests/specs.schema.json.
set -u
. tests/support/specs-lib.sh
# answer STATUS CONDITION OPTIONS...: CONDITION in Python of the document d.
answer() {
	local want=$1 condition=$2
	shift 2
	"$WHY_BIN" specs --format json "$@" >out 2>err </dev/null
	local got=$?
	[ $got = "$want" ] || complain "status $got instead of $want: $*"
	python3 "$root/tests/validate.py" "$root/tests/specs.schema.json" <out || complain "not by the schema: $*"
	python3 -c '
import json, sys
d = json.load(open("out"))
assert d["status"] == int(sys.argv[2]), "status"
f = d["faults"][0] if d["faults"] else None
assert eval("(" + sys.argv[1] + ")"), sys.argv[1]
' "$condition" "$want" 2>err || complain "$(tail -1 err): $*"
}
# What stands in it is of the schema of the question that it answers.
part() { # MEMBER SCHEMA
	python3 -c 'import json, sys
json.dump(json.load(open("out"))["faults"][0][sys.argv[1]], sys.stdout)' "$1" |
		python3 "$root/tests/validate.py" "$root/tests/$2" || complain "$1 is not by $2"
}
for version in SIZE_ERR HEAD_ERR NONE; do
	$CC -g -O0 -D$version -o list-$version "$samples/list.c" || exit 1
done
$CC -g -O0 -DSIZE_ERR -DHEAD_ERR -o both "$samples/list.c" || exit 1
$CC -g -O0 -DROOT_ERR -o root "$samples/bst.c" || exit 1
list=$samples/list-spec.c
answer 0 '[v["name"] for v in f["test"]["violates"]] == ["size_ok"] and f["test"]["arguments"] == ["1", "1", "2"]
	and f["called_with"].endswith("k = 1") and not f["statements"]' --check --spec "$list" -- ./list-SIZE_ERR 1 1 2
part causes causes.schema.json
part explanation answer.schema.json
answer 0 'f["statements"][0]["line"] == 43 and f["statements"][0]["rank"] == 1 and f["statements"][0]["mends"] == 1
	and f["rounds"][0]["test"]["arguments"] == ["2", "1", "2"] and len(f["rounds"]) == 2
	and f["rounds"][1]["executed"] is False and f["causes"] is None' --rounds 2 --spec "$list" -- ./list-SIZE_ERR 1 1 2
answer 0 '[x["test"]["violates"][0]["name"] for x in d["faults"]] == ["remove_ok", "size_ok"]' \
	--spec "$list" -- ./both 1 1
answer 0 'f["rounds"][0]["test"]["state"].startswith("t = #1 {")' --input heap --spec "$samples/bst-spec.c" -- ./root 5
answer 1 'not d["faults"] and d["message"].startswith("All that was checked held")' --spec "$list" -- ./list-NONE 1 1 2
answer 1 'not d["faults"] and d["message"].startswith("All that was checked held")' --check --spec "$list" -- ./list-NONE 1 1 2
answer 3 'd["message"].startswith("The program called no function")' --check --spec "$list" -- ./list-NONE
printf 'int n; int next(void) { return ++n; }\nint main(void) { next(); return next(); }\n' >count.c
printf '#include "why-spec.h"\nstatic int small(int r) { return r < 2; }\nWHY_POST(next, small, result)\n' >count-spec.c
$CC -g -O0 -o count count.c || exit 1
answer 0 'd["no_states"].startswith("The state at the call cannot be chosen")' --input heap --spec count-spec.c -- ./count
done_testing
