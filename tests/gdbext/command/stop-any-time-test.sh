#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every command is over soon after SIGTERM, Ctrl-C or --timeout, whatever it is doing then: at
# random moments (STOP_SEED, STOP_ROUNDS).  timeout: 300
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
exec python3 tests/gdbext/command/stop-any-time.py
