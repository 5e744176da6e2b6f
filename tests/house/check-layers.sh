#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Checks every #include of the files given against tests/layers.  Prints each
# breach as file:line and exits 1 when there is one.
layers=${LAYERS:-${0%/*}/../layers}
[ -r "$layers" ] || { echo "$layers: cannot be read" >&2; exit 2; }
grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*["<]' "$@" /dev/null |
awk -v layers="$layers" '
# A name with * (no slash is matched by it, except at the end) as a regexp.
function pattern(s) {
	gsub(/[.+]/, "\\\\&", s)
	if (s ~ /\*$/) { sub(/\*$/, "", s); gsub(/\*/, "[^/]*", s); return "^" s }
	gsub(/\*/, "[^/]*", s)
	return "^" s "$"
}
function module(path,   p) {
	for (p = path; sub(/\/[^\/]*$/, "", p); )
		if (p in modules) return p
	return path
}
function may(from, to, header,   q) {
	q = "\"" header "\""
	return from == to || ((from, to) in ok) || ((q, from) in ok)
}
function door(file, header,   i, j, w, n, closed) {
	for (i = 1; i <= n_doors; i++) {
		if (header !~ pattern(door_of[i])) continue
		closed = 1
		n = split(door_to[i], w, " ")
		for (j = 1; j <= n; j++)
			if (file ~ pattern(w[j])) return 1
	}
	return !closed
}
BEGIN {
	while ((getline line < layers) > 0) {
		if (line ~ /^#/ || line !~ /:/) continue
		key = line; sub(/:[^:]*$/, "", key)
		rest = line; sub(/.*:/, "", rest)
		if (key ~ /^</) {
			gsub(/[<>]/, "", key)
			door_of[++n_doors] = key; door_to[n_doors] = rest
			continue
		}
		if (key !~ /^"/) modules[key] = 1
		n = split(rest, w, " ")
		for (i = 1; i <= n; i++) ok[key, w[i]] = 1
	}
}
{
	split($0, f, ":"); file = f[1]; sub(/^\.\//, "", file); from = module(file)
	if (match($0, /<[^>]*>/)) {
		header = substr($0, RSTART + 1, RLENGTH - 2)
		if (!door(file, header)) {
			print file ":" f[2] ": <" header "> belongs behind another file"; bad = 1
		}
		next
	}
	if (!match($0, /"[^"]*"/)) next
	header = substr($0, RSTART + 1, RLENGTH - 2)
	to = module(header)
	if (index(header, "/") == 0) {
		print file ":" f[2] ": write \"" header "\" from the root"; bad = 1
	} else if (!may(from, to, header)) {
		print file ":" f[2] ": " from " may not include \"" header "\" of " to; bad = 1
	}
}
END { exit bad }'
