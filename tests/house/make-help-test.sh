#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# `make help' names each target once, each name is a target, and each target of .PHONY is named.
set -u
failed=0
complain() {
	echo "$*"
	failed=1
}
help=$(make -s help) || exit 1
targets=$(sed -n '/^Targets:/,$p' <<<"$help")
mapfile -t names < <(sed -nE 's/^  ([a-z].*)/\1/p' <<<"$targets" | sed -E 's/  .*//; s/, /\n/g')
[ "${#names[@]}" -ge 30 ] || complain "only ${#names[@]} targets were found"
twice=$(printf '%s\n' "${names[@]}" | sort | uniq -d)
[ -z "$twice" ] || complain "named twice: $twice"
phony=$(sed -n '/^\.PHONY:/,/[^\\]$/p' Makefile | sed -E 's/^\.PHONY://; s/\\$//; s/\$\([^)]*\)//g')
for name in "${names[@]}"; do
	grep -qw -- "$name" <<<"$phony" || complain "$name is no target"
done
for name in $phony; do
	case $name in
	FORCE | run-*) continue ;; # parts of others
	esac
	grep -qE "(^|[^a-z-])$name([^a-z-]|$)" <<<"$targets" || complain "$name is not named"
done
exit $failed
