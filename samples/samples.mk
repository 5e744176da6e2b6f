# SPDX-License-Identifier: GPL-3.0-or-later
#
# What the samples need beyond one compiler call each; included by the Makefile.

ADVISORY := $(BUILD)/samples/advisory
SAMPLES  += $(ADVISORY)/built

$(ADVISORY)/built: $(wildcard samples/advisory/*)
	$(say) SAMPLE $(@D)/v*
	@mkdir -p $(@D)
	$(Q)CC='$(CC)' samples/advisory/build.sh $(@D)
	@touch $@

# ADVISORY_TESTS failing tests of each of ADVISORY_VERSIONS (none named: all).
ADVISORY_TESTS ?= 3
bench-advisory: $(ADVISORY)/built
	@WHY_BIN='$(abspath $(BUILD))/gdb-why' \
		tests/bench/advisory.sh -n $(ADVISORY_TESTS) $(ADVISORY) $(ADVISORY_VERSIONS)
