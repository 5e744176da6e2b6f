#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The man page formats without a warning and fits 80 columns.
command -v groff >/dev/null || { echo "groff is not installed"; exit 77; }
out=$(groff -man -Tutf8 -ww -rLL=78n gdbext/doc/gdb-why.1 2>&1 >/dev/null)
[ -z "$out" ] || { echo "$out"; exit 1; }
