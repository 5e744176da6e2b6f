#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# An explanation's cost grows little more than linearly with the data that matters.
# Ratios of processor time within one run; what is measured is below 1.3, the
# margin is for a busy machine.  A table whose keys collide gave more than 2.
# timeout: 300
WHY_BIN=${WHY_BIN:-build/plain/gdb-why} exec tests/bench/scaling.sh -m 1.7 50 150
