# SPDX-License-Identifier: GPL-3.0-or-later
#
# Sourced by tests that hold with any limits, "limits: any" (make check LIMITS=tiny, or huge).
# With other limits than the defaults an explanation may be missing, but nothing that is said
# may be wrong.

# default_limits: what the defaults find may be asked for.
default_limits() {
	[ -z "${GDB_WHY_LIMITS:-}" ]
}

# explained_or_cut STATUS: it is explained, or nothing was found within other limits.
explained_or_cut() {
	[ "$1" = 0 ] || { [ "$1" = 3 ] && ! default_limits; }
}

# when_huge NAME=N...: with LIMITS=huge, options that set these limits, because with their most all
# of the time is taken before what the test asks for; otherwise nothing.
when_huge() {
	[ "${GDB_WHY_LIMITS:-}" != huge ] || printf -- '--limit %s ' "$@"
}
