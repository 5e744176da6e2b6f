#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# build.sh DIR: makes every faulty version of subst, as samples/queue/build.sh says.
exec samples/queue/build.sh "${1:?build.sh DIR}" subst
