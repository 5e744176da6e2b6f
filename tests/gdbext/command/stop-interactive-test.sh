#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The session and the panel are over soon after SIGTERM, and when their terminal is gone, whatever
# they are doing then: at random moments (STOP_SEED, STOP_ROUNDS).  timeout: 300
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
exec python3 tests/gdbext/command/stop-interactive.py
