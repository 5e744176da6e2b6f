#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the failing runs of tests/support/canned.h anew; then let the tests that use them make
# the others: CANNED_WRITE=1 make build/plain/tests/solver/search/search-test.res
set -eu
why=${WHY_BIN:-$PWD/build/plain/gdb-why}
top=$PWD
mkdir -p /tmp/canned
cp samples/paper.c /tmp/canned/
(cd /tmp/canned && ${CC:-gcc} -g -O0 -o paper paper.c)
rm -rf tests/data/runs/paper/*
cd /tmp/canned
env -i PATH=/usr/bin:/bin HOME=/ "$why" record -o "$top/tests/data/runs/paper/failing.why" -- ./paper 0 0
chmod 644 "$top/tests/data/runs/paper/failing.why"
rm -rf /tmp/canned/paper.c
