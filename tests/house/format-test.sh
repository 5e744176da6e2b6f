#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The tree is as clang-format leaves it.  Versions differ in what they do, so
# only the one that it was formatted with can tell.
case $(clang-format --version 2>/dev/null) in
*"version 14."*) ;;
*)
	echo "clang-format 14 is not installed"
	exit 77
	;;
esac
make -s check-format
