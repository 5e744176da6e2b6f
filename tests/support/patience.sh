# SPDX-License-Identifier: GPL-3.0-or-later
#
# Sourced by tests that wait: how long a thing takes depends on what else the machine does,
# so a wait ends when what it waits for is there, and gives up only when it never comes.

within=$PWD/tests/support/within
# for _ in $patience; do what is awaited && break; sleep 0.05; done
patience=$(seq 2400)
