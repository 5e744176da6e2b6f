# SPDX-License-Identifier: GPL-3.0-or-later
#
# What the samples need beyond one compiler call each; included by the Makefile.

ADVISORY := $(BUILD)/samples/advisory
TOTALS   := $(BUILD)/samples/totals
QUEUE    := $(BUILD)/samples/queue
SUBST    := $(BUILD)/samples/subst
SAMPLES  += $(ADVISORY)/built $(TOTALS)/built $(QUEUE)/built $(SUBST)/built

$(ADVISORY)/built: $(wildcard samples/advisory/*)
$(TOTALS)/built: $(wildcard samples/totals/*)
$(QUEUE)/built: $(wildcard samples/queue/*)
$(SUBST)/built: $(wildcard samples/subst/*) samples/queue/build.sh
$(ADVISORY)/built $(TOTALS)/built $(QUEUE)/built $(SUBST)/built:
	$(say) SAMPLE '$(@D)/v*'
	@mkdir -p $(@D)
	$(Q)CC='$(CC)' samples/$(notdir $(@D))/build.sh $(@D)
	@touch $@

# ADVISORY_TESTS failing tests of each of ADVISORY_VERSIONS (none named: all).
ADVISORY_TESTS ?= 3
bench-advisory: $(ADVISORY)/built
	@WHY_BIN='$(abspath $(BUILD))/gdb-why' \
		tests/bench/versions.sh -n $(ADVISORY_TESTS) advisory $(ADVISORY) $(ADVISORY_VERSIONS)

# The same of TOTALS_VERSIONS: on small inputs, as a person would choose them.
TOTALS_TESTS ?= 3
bench-totals: $(TOTALS)/built
	@WHY_BIN='$(abspath $(BUILD))/gdb-why' \
		tests/bench/versions.sh -s -n $(TOTALS_TESTS) totals $(TOTALS) $(TOTALS_VERSIONS)

# The formula of all paths beside the one that grows on demand.
bench-paths: all $(ADVISORY)/built
	@WHY_BIN='$(abspath $(BUILD))/gdb-why' tests/bench/paths.sh $(ADVISORY) $(ADVISORY_VERSIONS)

# Ranks by all techniques, from the whole suite of each of ADVISORY_VERSIONS,
# TOTALS_VERSIONS, QUEUE_VERSIONS and SUBST_VERSIONS: of one FAMILY or of all.
# RANK_OPTIONS: of rank.sh.
FAMILY ?= advisory totals queue subst
bench-rank: all $(ADVISORY)/built $(TOTALS)/built $(QUEUE)/built $(SUBST)/built
	@WHY_BIN='$(abspath $(BUILD))/gdb-why'; export WHY_BIN; \
	for family in $(FAMILY); do \
		case $$family in \
		advisory) versions='$(ADVISORY_VERSIONS)' ;; \
		totals) versions='$(TOTALS_VERSIONS)' ;; \
		queue) versions='$(QUEUE_VERSIONS)' ;; \
		subst) versions='$(SUBST_VERSIONS)' ;; \
		esac; \
		echo "$$family:"; \
		tests/bench/rank.sh $(RANK_OPTIONS) $$family $(BUILD)/samples/$$family $$versions || exit; \
	done
