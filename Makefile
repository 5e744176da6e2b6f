# gdb-why: the only Makefile.  `make help` lists what it does.
#
# Knobs:  SAN=address,undefined   sanitizer build, in its own folder
#         DEV=1                   warnings are errors
#         CC, CFLAGS, LDFLAGS     yours, never overwritten here
#         PREFIX, DESTDIR         where `make install` goes (/usr/local)
#         BUILD=DIR               build there instead of build/plain
#         LIMITS=tiny, huge       tests: all limits at their least, or most
#         THOROUGH=1              tests: all programs and seeds, where otherwise some do
#         V=1                     show the commands

.DELETE_ON_ERROR:
.SUFFIXES:
.DEFAULT_GOAL := all

VERSION := 0.1.0

comma := ,
ifeq ($(origin CC),default)
CC := gcc
endif
PKG_CONFIG ?= pkg-config
INSTALL    ?= install
CFLAGS     ?= -O2 -g
PREFIX     ?= /usr/local

BUILD ?= build/$(or $(subst $(comma),-,$(SAN)),plain)

WARN := -Wall -Wextra -Werror=implicit-function-declaration -Werror=int-conversion -Wmissing-prototypes -Wstrict-prototypes -Wshadow \
	-Wwrite-strings -Wpointer-arith -Wvla -Wundef -fno-common \
	$(if $(DEV),-Werror)
SANFLAGS := $(if $(SAN),-fsanitize=$(SAN) -fno-sanitize-recover=$(SAN) -fno-omit-frame-pointer)

ALL_CFLAGS  = -std=gnu17 $(WARN) $(SANFLAGS) $(CFLAGS)
ALL_LDFLAGS = $(SANFLAGS) -Wl,--as-needed $(LDFLAGS)
CPPFLAGS   += -D_GNU_SOURCE -iquote .

# The agent is loaded into the program under test: it has to leave the
# program's vector state alone, needs nothing but libc, and is never built with
# sanitizers.  Its code and constants are one segment, since each
# segment costs every forced run two calls and a page fault.
AGENT_CFLAGS  = -std=gnu17 $(WARN) -O2 -g -fPIC -mgeneral-regs-only -fno-stack-protector \
	-fvisibility=hidden -fno-strict-aliasing -fcf-protection=none -fno-tree-vectorize
AGENT_LDFLAGS = -shared -Wl,-z,now -Wl,-z,relro -Wl,-z,noexecstack -Wl,-z,noseparate-code \
	-Wl,-z,defs -Wl,--as-needed \
	-Wl,-soname,gdb-why-agent.so

# The JIT reader is loaded into GDB, whose exceptions pass through it.
READER_CFLAGS  = -std=gnu17 $(WARN) -O2 -g -fPIC -fexceptions -fvisibility=hidden
READER_LDFLAGS = -shared -Wl,-z,now -Wl,-z,relro -Wl,-z,noexecstack -Wl,-z,defs -Wl,--as-needed \
	-Wl,-soname,gdb-why-jitreader.so

# Libraries.  They are looked up only for goals that compile, so that `make
# deps` and `make demo` start on a machine that has none of them.  Zydis ships
# no .pc file on Debian 12; valgrind's links its core, which a program of ours
# must not have, so libVEX is named by hand.
ifneq ($(filter-out deps demo check check-all help clean check-layers format check-format uninstall,\
	$(or $(MAKECMDGOALS),all)),)
PACKAGES := glib-2.0 json-glib-1.0 z3 libdw libelf libseccomp libzstd ncursesw libgit2 gsl
pc = $(shell $(PKG_CONFIG) $(1))
# Asked once, and not for each command.
PC_CPPFLAGS := $(patsubst -I%,-isystem %,$(call pc,--cflags $(PACKAGES)))
PC_LDLIBS   := $(call pc,--libs $(PACKAGES))
PC_VALGRIND := $(call pc,--variable=libdir valgrind)
CPPFLAGS += $(PC_CPPFLAGS)
LDLIBS   += $(PC_LDLIBS) -lZydis -lZycore \
	-L$(PC_VALGRIND)/valgrind -lvex-amd64-linux -lcadical -lreadline -lstdc++ -lgcc -lm -pthread
TEST_LIBS := $(call pc,--libs cmocka)
endif

# Sources.  A new .c, test or sample is picked up by being there.
AGENT_ROOMS := $(patsubst %/,%,gdbext/agent/ $(wildcard gdbext/agent/*/))
LOADED    := $(AGENT_ROOMS) gdbext/jitreader gdbext/contract gdbext/frameworks
MODULES   := mi gdbext solver $(filter-out $(LOADED) gdbext/doc,$(patsubst %/,%, \
	$(wildcard $(foreach top,gdbext solver tui,$(top)/*/ $(top)/*/*/))))
MAIN      := gdbext/main.c
SRC       := $(filter-out gdbext/main.c,$(wildcard $(addsuffix /*.c,$(MODULES))))
AGENT_SRC := $(wildcard $(foreach room,$(AGENT_ROOMS),$(room)/*.c $(room)/*.S))
READER_SRC := $(wildcard gdbext/jitreader/*.c)
CONTRACT_SRC := $(wildcard gdbext/contract/*.c)
HDR       := $(wildcard $(addsuffix /*.h,$(MODULES) $(LOADED)))
LIB_OBJ   := $(SRC:%.c=$(BUILD)/%.o)
MAIN_OBJ  := $(MAIN:%.c=$(BUILD)/%.o)
AGENT_OBJ := $(addprefix $(BUILD)/,$(addsuffix .o,$(basename $(AGENT_SRC))))
READER_OBJ := $(READER_SRC:%.c=$(BUILD)/%.o)
CONTRACT_OBJ := $(CONTRACT_SRC:%.c=$(BUILD)/%.o)
RUNNERS   := $(patsubst gdbext/frameworks/%.c,$(BUILD)/gdb-why-%.so,$(wildcard gdbext/frameworks/*.c))
RUNNER_OBJ := $(RUNNERS:$(BUILD)/gdb-why-%.so=$(BUILD)/gdbext/frameworks/%.o)
UNIT      := $(patsubst %.c,$(BUILD)/%,$(shell find tests -name '*-test.c' -not -path 'tests/frameworks/*' | sort))
SUPPORT   := $(patsubst %.c,$(BUILD)/%.o,$(filter-out %/exit-counted.c,$(wildcard tests/support/*.c)))
SCRIPT    := $(shell find tests -name '*-test.sh' | sort)
# These are about the text, which sanitizers do not change: one run of them is enough.
ABOUT_TEXT := $(patsubst %,tests/house/%-test.sh,format headers layers lengths make-help paths readmes words)
ifneq ($(SAN),)
SCRIPT    := $(filter-out $(ABOUT_TEXT),$(SCRIPT))
endif
FUZZ      := $(patsubst tests/fuzz/%.c,%,$(wildcard tests/fuzz/*.c))
DRIVER    := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/drivers/*.c))
# The part of the agent that needs no program around it: its unit tests have it in themselves.
HOSTED    := $(patsubst %,$(BUILD)/hosted/gdbext/agent/%.o,actions cell count entry first handed \
	jit/emit jit/jit jit/jit-block jit/jit-emit jit/jit-flow jit/jit-mirror jit/mirror module output patch process/serve process/thread \
	run step stream sys vector)
OBJ       := $(DRIVER:=.o) $(LIB_OBJ) $(MAIN_OBJ) $(AGENT_OBJ) $(READER_OBJ) $(CONTRACT_OBJ) $(RUNNER_OBJ) $(SUPPORT) $(UNIT:=.o) $(HOSTED)

PROG    := $(BUILD)/gdb-why
LIB     := $(BUILD)/libwhy.a
HELP    := $(if $(SUPPORT),$(BUILD)/libtest.a)
AGENT   := $(BUILD)/gdb-why-agent.so
READER  := $(BUILD)/gdb-why-jitreader.so
CONTRACT := $(addprefix $(BUILD)/,gdb-why-contract.so gdb-why-shapes.o why-spec.h contract.h)
SAMPLES := $(patsubst %.c,$(BUILD)/%,$(wildcard samples/*.c))

# The course: a folder a lesson.
LESSONS := $(patsubst %/,%,$(wildcard samples/lessons/*/))

MAN     := $(patsubst gdbext/doc/%.1,$(BUILD)/doc/%.1,$(wildcard gdbext/doc/*.1))

all: $(PROG) $(LIB) $(AGENT) $(READER) $(CONTRACT) $(RUNNERS) $(BUILD)/frameworks.conf $(BUILD)/why.gdb $(BUILD)/why.sh $(MAN)

# The options in man pages are those of `gdb-why help'.
$(BUILD)/doc/%.1: gdbext/doc/%.1 gdbext/doc/help-to-man.awk $(PROG)
	@mkdir -p $(@D)
	$(Q)$(PROG) help $(patsubst gdb-why-%,%,$(filter-out gdb-why,$*)) >$@.help
	$(Q)awk -v help=$@.help -f gdbext/doc/help-to-man.awk $< >$@.new && rm $@.help && mv $@.new $@

# For a plain GDB: it needs to know where its script is.
fill_why = sed -e 's|@SCRIPT@|$(1)/why.sh|' -e 's|@SCRIPT_FOLDER@|$(2)|' gdbext/why.gdb
$(BUILD)/why.sh: gdbext/why.sh
	@mkdir -p $(@D)
	$(Q)$(INSTALL) -m 755 $< $@
$(BUILD)/frameworks.conf: gdbext/frameworks.conf
	$(Q)cp $< $@

$(BUILD)/why.gdb: gdbext/why.gdb $(BUILD)/flags
	$(Q)$(call fill_why,$(abspath $(BUILD)),$(abspath $(BUILD))) >$@

$(BUILD)/gdb-why: $(MAIN_OBJ) $(LIB) $(BUILD)/flags
	$(say) LINK $@
	$(Q)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $(filter %.o %.a,$^) $(LDLIBS)

# `q', not `r': two folders may have a file of the same name.
$(LIB): $(LIB_OBJ) $(BUILD)/objects
$(HELP): $(SUPPORT) $(BUILD)/objects
$(LIB) $(HELP):
	$(say) AR $@
	$(Q)rm -f $@ && $(AR) qcs $@ $(filter %.o,$^)

# libVEX's headers include each other without their folder.
$(filter $(BUILD)/solver/isa/lift%,$(LIB_OBJ)): private CPPFLAGS += -isystem /usr/include/valgrind
$(BUILD)/gdbext/options/options-help.o $(BUILD)/gdbext/record/archive-write.o: private CPPFLAGS += -DGDB_WHY_VERSION='"$(VERSION)"'

$(AGENT_OBJ): private ALL_CFLAGS = $(AGENT_CFLAGS)
$(BUILD)/gdb-why-agent.so: $(AGENT_OBJ) $(BUILD)/flags
	$(say) LINK $@
	$(Q)$(CC) $(AGENT_LDFLAGS) -o $@ $(filter %.o,$^)

$(READER_OBJ): private ALL_CFLAGS = $(READER_CFLAGS)
$(BUILD)/gdb-why-jitreader.so: $(READER_OBJ) $(BUILD)/flags
	$(say) LINK $@
	$(Q)$(CC) $(READER_LDFLAGS) -o $@ $(filter %.o,$^)

# What is loaded with a specification has no name of its own: the specification names its path.
$(CONTRACT_OBJ): private ALL_CFLAGS = $(READER_CFLAGS)
$(BUILD)/gdb-why-contract.so: $(filter-out %/shapes.o,$(CONTRACT_OBJ)) $(BUILD)/flags
	$(say) LINK $@
	$(Q)$(CC) -shared -Wl,-z,now -Wl,-z,relro -Wl,-z,noexecstack -o $@ $(filter %.o,$^)
$(BUILD)/gdb-why-shapes.o: $(BUILD)/gdbext/contract/shapes.o
	$(Q)cp $< $@
# What is loaded with a framework's tests, one library for each file.
$(RUNNER_OBJ): private ALL_CFLAGS = $(READER_CFLAGS)
$(RUNNERS): $(BUILD)/gdb-why-%.so: $(BUILD)/gdbext/frameworks/%.o $(BUILD)/flags
	$(say) LINK $@
	$(Q)$(CC) -shared -Wl,-z,now -Wl,-z,relro -Wl,-z,noexecstack -o $@ $(filter %.o,$^)
$(BUILD)/why-spec.h $(BUILD)/contract.h: $(BUILD)/%.h: gdbext/contract/%.h
	@mkdir -p $(@D)
	$(Q)$(INSTALL) -m 644 $< $@

# A log domain for each room, and the folders in it: gdbext/options/log.h.
room = $(or $(if $(filter-out tests/%,$(1)),$(word 2,$(subst /, ,$(1)))),$(notdir $(1)))
$(BUILD)/%.o: %.c $(BUILD)/flags
	$(say) CC $<
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) -DG_LOG_DOMAIN='"$(call room,$(<D))"' $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/%.o: %.S $(BUILD)/flags
	$(say) AS $<
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# Without sanitizers, too; but counted by `make coverage'.
$(HOSTED): private ALL_CFLAGS = $(AGENT_CFLAGS) $(CFLAGS)
$(BUILD)/hosted/%.o: %.c $(BUILD)/flags
	$(say) CC $<
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<
$(BUILD)/hosted/%.o: %.S $(BUILD)/flags
	$(say) AS $<
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<
$(filter $(BUILD)/tests/gdbext/agent/%,$(UNIT)): $(HOSTED)

# Some two hundred programs, which gold links in two thirds of the time.
TEST_LINKER := $(if $(SAN),,$(shell command -v ld.gold >/dev/null && echo -fuse-ld=gold))
$(UNIT): %: %.o $(HELP) $(LIB) $(BUILD)/flags
	$(say) LINK $@
	$(Q)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) $(TEST_LINKER) -o $@ $(filter %.o %.a,$^) $(LDLIBS) $(TEST_LIBS)

# Runs a program under the recorder alone, for tests of the recorder.
$(DRIVER): %: %.o $(LIB) $(BUILD)/flags
	$(say) LINK $@
	$(Q)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $(filter %.o %.a,$^) $(LDLIBS)

# Samples are built as a user's program would be.
SAMPLE_CFLAGS := -g -O0
$(BUILD)/samples/%: samples/%.c
	$(say) SAMPLE $@
	@mkdir -p $(@D)
	$(Q)$(CC) $(SAMPLE_CFLAGS) -o $@ $< -lm
-include samples/samples.mk
samples: $(SAMPLES)

# Changed flags, or a source that came or went, rebuild; nothing else does.
$(BUILD)/flags: stamp = $(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(ALL_LDFLAGS) $(LDLIBS) $(AGENT_CFLAGS) \
	$(AGENT_LDFLAGS) $(READER_CFLAGS) $(READER_LDFLAGS) $(VERSION)
$(BUILD)/objects: stamp = $(LIB_OBJ) $(SUPPORT)
$(BUILD)/flags $(BUILD)/objects: FORCE
	@mkdir -p $(@D)
	@echo '$(subst ','\'',$(stamp))' >$@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@
FORCE:

-include $(OBJ:.o=.d)

# Targets that a fresh machine can start: dependencies first, then a second
# make that finds them.
deps:
	@.ci/deps
demo:
	@BUILD='$(BUILD)' .ci/demo
check: deps
	@+$(MAKE) --no-print-directory run-check

# All that can be checked without a person: a night's worth.  A part that fails does not keep the
# others.
check-all: deps
	@+failed=0; for part in 'THOROUGH=1 run-check' 'SAN=address,undefined run-check' bench-lessons 'stress stress-cage' fuzz; do \
		echo "== $$part"; $(MAKE) --no-print-directory $$part || failed=1; done; exit $$failed

# One target a test, so `make -j4 check` runs them side by side, and
# `make build/plain/tests/mi/parse-test.res` runs one.  A test says 0 (passed),
# 77 (cannot run here: the reason is its output) or anything else (failed).  A
# test that needs longer says so in its source: "timeout: 300", in seconds, of which
# a sanitizer build gets four times as many.  Each of its processes may use so much
# processor time, and all of it ten times as much wall time: a busy machine is no failure.
# LIMITS=tiny and LIMITS=huge run all with the least and the most limits: of tests whose
# source says "limits: any", the others are skipped.
TEST_TIMEOUT ?= 60
# The tools are those that `make deps' installed, whatever stands before them in PATH.  What
# GLib finds critical ends a program.
TEST_ENV = env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u NO_COLOR -u GDB_WHY_LOG -u DEBUGINFOD_URLS \
	PATH='/usr/bin:/bin:$(PATH)' LC_ALL=C.UTF-8 TZ=UTC G_DEBUG=fatal-criticals \
	CC='$(CC)' BUILD='$(abspath $(BUILD))' \
	WHY_BIN='$(abspath $(BUILD))/gdb-why' WHY_AGENT='$(abspath $(BUILD))/gdb-why-agent.so' \
	GDB_WHY_LIMITS='$(LIMITS)' THOROUGH='$(THOROUGH)'
RESULTS := $(UNIT:=.res) $(SCRIPT:%.sh=$(BUILD)/%.res)
# What takes minutes begins first, so that no processor waits for it at the end.
LONGEST := $(patsubst %,$(BUILD)/tests/samples/%-test.res,limits lessons)
RESULTS := $(filter $(LONGEST),$(RESULTS)) $(filter-out $(LONGEST),$(RESULTS))
define run_test
$(say) TEST $(1)
@mkdir -p $(@D); limit=$$(sed -n 's/.*timeout: \([0-9][0-9]*\).*/\1/p' $(2) | head -n 1); \
 limit=$$(($${limit:-$(TEST_TIMEOUT)} * $(if $(SAN),4,1))); \
 if [ -n '$(LIMITS)' ] && ! grep -q '^[#*/ ]*limits: any' $(2); then \
	echo 'its answers are those of the default limits' >$@.log; (exit 77); \
 else $(TEST_ENV) tests/support/within $$limit $(1) >$@.log 2>&1 </dev/null; fi; \
 case $$? in 0) r=passed ;; 77) r=skipped ;; 124|137|152) r=failed; echo "out of time" >>$@.log ;; \
 *) r=failed ;; esac; echo "$$r $(2)" >$@; times >$@.times
endef
$(UNIT:=.res): $(BUILD)/%.res: $(BUILD)/% all $(SAMPLES) FORCE
	$(call run_test,$(BUILD)/$*,$*.c)
$(SCRIPT:%.sh=$(BUILD)/%.res): $(BUILD)/%.res: %.sh all $(SAMPLES) $(DRIVER) FORCE
	$(call run_test,./$<,$<)

run-check: $(RESULTS)
	@for r in $(RESULTS); do case $$(cat $$r) in failed*|skipped*) \
		cat $$r; sed 's/^/    /' $$r.log ;; esac; \
	done; \
	for r in $(RESULTS); do case $$(cat $$r) in failed*) echo "again: make $(if $(SAN),SAN=$(SAN) )$$r" ;; esac; done
	@for r in $(RESULTS); do sed -n "2s|\$$| $$(cut -d' ' -f2- $$r)|p" $$r.times; done | awk '{ \
		split($$1, user, "m"); split($$2, kernel, "m"); \
		printf "%6.0f s of processor time: %s\n", user[1] * 60 + user[2] + kernel[1] * 60 + kernel[2], $$3 }' | sort -rn | head -n 10
	@cat $(RESULTS) /dev/null | awk '{ n[$$1]++ } END { \
		printf "%d passed, %d failed, %d skipped\n", n["passed"], n["failed"], n["skipped"]; \
		exit n["failed"] > 0 }'

# The picture in README.md.
screenshots: all
	@$(TEST_ENV) SCREENSHOT_WRITE=1 tests/house/screenshot-test.sh

run-units: $(filter-out $(BUILD)/tests/cage/%,$(UNIT:=.res))
	@! grep -h '^failed' $^ /dev/null

# Lines executed, folder by folder: by unit tests alone, then by all tests.  What ran once
# stays counted, so both begin with nothing.  gcov's own execve() writes files, which a caged
# child may not.
COVERAGE_BUILD := build/coverage
COVERAGE_MAKE = $(MAKE) --no-print-directory BUILD=$(COVERAGE_BUILD) \
	CFLAGS='-g -O0 --coverage -fprofile-update=atomic -fno-builtin-execve' \
	LDFLAGS='--coverage -Wl,--wrap=_exit $(COVERAGE_BUILD)/exit.o'
$(COVERAGE_BUILD)/exit.o: tests/support/exit-counted.c
	@mkdir -p $(@D)
	$(Q)$(CC) -g -O0 -c -o $@ $<
coverage-units: $(COVERAGE_BUILD)/exit.o
	@find $(COVERAGE_BUILD) -name '*.gcda' -delete 2>/dev/null; rm -f $(COVERAGE_BUILD)/all.json
	-@+$(COVERAGE_MAKE) -k run-units
	@tests/house/coverage.py read $(COVERAGE_BUILD) $(COVERAGE_BUILD)/units.json
	@tests/house/coverage.py table $(COVERAGE_BUILD)/units.json $(COVERAGE_BUILD)/all.json
	@tests/house/coverage.py check $(COVERAGE_BUILD)/units.json tests/coverage-floors
# What was measured last becomes the floor, where it is higher.
coverage-floors:
	@tests/house/coverage.py raise $(COVERAGE_BUILD)/units.json tests/coverage-floors
coverage: coverage-units
	-@+$(COVERAGE_MAKE) -k run-check
	@tests/house/coverage.py read $(COVERAGE_BUILD) $(COVERAGE_BUILD)/all.json
	@tests/house/coverage.py table $(COVERAGE_BUILD)/units.json $(COVERAGE_BUILD)/all.json

# Measurements; their recipes stand in samples/samples.mk.
bench: bench-advisory bench-totals bench-record bench-profile bench-rank bench-why bench-runs
bench-advisory: all $(SAMPLES)
bench-advisory bench-totals: all $(SAMPLES)
bench-record: all $(DRIVER)
	@BUILD='$(abspath $(BUILD))' CC='$(CC)' WHY_AGENT='$(abspath $(BUILD))/gdb-why-agent.so' \
		tests/bench/record.sh $(RECORD_PROGRAMS)
bench-profile: all $(DRIVER)
	@BUILD='$(abspath $(BUILD))' CC='$(CC)' WHY_AGENT='$(abspath $(BUILD))/gdb-why-agent.so' \
		tests/bench/profile.sh $(PROFILE_VERSIONS)

# Where the faulty line stands in answers without a suite; V=1: each program.
bench-order: all
	@BUILD='$(abspath $(BUILD))' WHY_BIN='$(abspath $(BUILD))/gdb-why' tests/bench/order.sh

# Where the faulty line of each structure in samples/specs stands; ONLY=, TECHNIQUES=, INPUT=.
bench-specs: all
	@CC='$(CC)' WHY_BIN='$(abspath $(BUILD))/gdb-why' tests/bench/specs.sh

# The same of GLib's own structures, which are fetched; GLIB=, ONLY=.
bench-specs-glib: all
	@CC='$(CC)' WHY_BIN='$(abspath $(BUILD))/gdb-why' GLIB='$(GLIB)' tests/bench/specs-glib.sh

# The same of BSD's red-black tree, whose header is fetched.
bench-specs-bsd: all
	@CC='$(CC)' WHY_BIN='$(abspath $(BUILD))/gdb-why' tests/bench/specs-bsd.sh

bench-limits: all $(SAMPLES)
	@WHY_BIN='$(abspath $(BUILD))/gdb-why' tests/bench/limits.sh '$(abspath $(BUILD))/samples' $(LIMIT)
bench-why: all $(DRIVER)
	@BUILD='$(abspath $(BUILD))' CC='$(CC)' WHY_AGENT='$(abspath $(BUILD))/gdb-why-agent.so' \
		tests/bench/why.sh $(WHY_PROGRAMS)

# Every value that an answer shows is asked of a plain GDB.
bench-truth: all
	@CC='$(CC)' WHY_BIN='$(abspath $(PROG))' tests/bench/truth.sh

# What a caged run costs; BASE=DIR: beside another checkout, which is built.
bench-runs: all $(DRIVER) $(SAMPLES)
	@BUILD='$(abspath $(BUILD))' CC='$(CC)' LIBS='$(LDLIBS)' CPPFLAGS='$(CPPFLAGS)' tests/bench/runs.sh $(BASE)

bench-long: all
	@CC='$(CC)' WHY_BIN='$(PROG)' tests/bench/long.sh $(LONG_LEVEL:%=-O %) $(LONG_ROUNDS)

# Each lesson with five seeds, all proven: is it as it says, and how difficult is each variant?
LESSON_SEEDS ?= ada ivan kim lea otto
bench-lessons: all
	@$(TEST_ENV) V=1 LESSON_PROVE=all LESSON_SEEDS='$(LESSON_SEEDS)' LESSONS='$(notdir $(LESSON))' \
		tests/samples/lessons-test.sh

bench-faults: all
	$(Q)tests/bench/faults.sh $(FAULTS)
bench-scaling: all
	@CC='$(CC)' WHY_BIN='$(PROG)' tests/bench/scaling.sh

bench-regress: all
	@BUILD='$(abspath $(BUILD))' WHY_BIN='$(abspath $(BUILD))/gdb-why' \
		tests/bench/regress.sh $(REGRESSIONS)

bench-suites: all $(DRIVER)
	@BUILD='$(abspath $(BUILD))' CC='$(CC)' WHY_AGENT='$(abspath $(BUILD))/gdb-why-agent.so' \
		tests/bench/suites.sh $(SUITES)

# The recorder's runs of the samples and of hard programs, many times over.
STRESS_RUNS ?= 100
stress: all $(DRIVER)
	@$(TEST_ENV) STRESS_RUNS=$(STRESS_RUNS) tests/gdbext/agent/stress-test.sh

# Forced runs that attack the world, so many of them; the world must stay as it is.  Then gdb-why
# is killed so often while programs run that do all to stay; nothing may stay.
CAGE_RUNS ?= 10000
CAGE_KILLS ?= 200
stress-cage: all $(BUILD)/tests/cage/attacks-test $(BUILD)/tests/cage/modes-test
	@$(TEST_ENV) CAGE_RUNS=$(CAGE_RUNS) $(BUILD)/tests/cage/attacks-test
	@$(TEST_ENV) CAGE_RUNS=$(CAGE_RUNS) $(BUILD)/tests/cage/modes-test
	@$(TEST_ENV) STOP_ROUNDS=0 STOP_KILLS=$(CAGE_KILLS) tests/gdbext/command/stop-any-time-test.sh

# make fuzz/mi-parse: libFuzzer on one parser.  It starts from tests/fuzz/NAME.corpus;
# what it finds, and what crashes, stays in build/fuzz, where the library is
# built by clang.
FUZZ_SECONDS ?= 60
FUZZ_MAKE = $(MAKE) --no-print-directory BUILD=build/fuzz CC=clang SAN=address,undefined \
	CFLAGS='-g -O1 -fsanitize=fuzzer-no-link'
fuzz: $(FUZZ:%=fuzz/%)
$(FUZZ:%=fuzz/%): fuzz/%: tests/fuzz/%.c
	@+$(FUZZ_MAKE) build/fuzz/libwhy.a build/fuzz/tests/fuzz/$*.o
	@mkdir -p build/fuzz/$*.corpus
	clang -fsanitize=fuzzer,address,undefined -o build/fuzz/$* build/fuzz/tests/fuzz/$*.o \
		build/fuzz/libwhy.a $(LDLIBS)
	@echo '$*: $(FUZZ_SECONDS) s'
	@build/fuzz/$* -max_total_time=$(FUZZ_SECONDS) -print_final_stats=1 -artifact_prefix=build/fuzz/$*- \
		$(patsubst %,-dict=%,$(wildcard tests/fuzz/$*.dict)) \
		build/fuzz/$*.corpus $(wildcard tests/fuzz/$*.corpus) >build/fuzz/$*.log 2>&1 || \
		{ tail -n 40 build/fuzz/$*.log; exit 1; }
	@awk '/^#[0-9].* cov: /{ for (i = 1; i < NF; i++) if ($$i == "cov:") cov = $$(i + 1) } \
		/number_of_executed_units/{ n = $$2 } \
		END { printf "  %d executions, %d edges covered\n", n, cov }' build/fuzz/$*.log

check-layers:
	@tests/house/check-layers.sh $(SRC) $(MAIN) $(AGENT_SRC) $(READER_SRC) $(HDR)

# Every header compiles on its own: a source file that includes it first has shown so already.
SHOWN = $(if $(filter check-headers,$(MAKECMDGOALS)),$(shell awk 'FNR == 1 { first = 1 } \
	first && /^\#include/ { first = 0; if (match($$0, /"[^"]*"/)) print substr($$0, RSTART + 1, RLENGTH - 2) }' \
	$(SRC) $(MAIN) $(AGENT_SRC) $(READER_SRC) /dev/null))
check-headers: $(patsubst %,$(BUILD)/%.alone,$(filter-out $(SHOWN),$(HDR)))
$(BUILD)/%.h.alone: %.h $(HDR)
	@mkdir -p $(@D)
	$(Q)echo '#include "$<"' | $(CC) $(CPPFLAGS) $(ALL_CFLAGS) -Werror -fsyntax-only -xc -
	@touch $@

FORMATTED = $(SRC) $(MAIN) $(HDR) $(filter %.c,$(AGENT_SRC)) $(READER_SRC) \
	$(wildcard $(UNIT:$(BUILD)/%=%.c) tests/support/*.[ch] tests/drivers/*.c tests/gdbext/*/programs/*.c tests/fuzz/*.c tests/cage/*.[ch] tests/cage/attacks/*.c)
format:
	@clang-format -i $(FORMATTED)
check-format:
	@clang-format --dry-run -Werror $(FORMATTED)

# A page of the handbook, made from the table of limits; a test compares it.
gdbext/doc/limits.md: $(PROG) solver/limits/limits.def
	$(Q)$(PROG) help limits --format=markdown >$@.new && mv $@.new $@

install: all
	$(INSTALL) -d '$(DESTDIR)$(PREFIX)/bin' '$(DESTDIR)$(PREFIX)/lib/gdb-why' \
		'$(DESTDIR)$(PREFIX)/share/gdb-why' '$(DESTDIR)$(PREFIX)/share/man/man1' \
		'$(DESTDIR)$(PREFIX)/share/doc/gdb-why'
	$(INSTALL) -m 755 $(BUILD)/gdb-why '$(DESTDIR)$(PREFIX)/bin/gdb-why'
	$(INSTALL) -m 755 $(BUILD)/gdb-why-agent.so '$(DESTDIR)$(PREFIX)/lib/gdb-why/gdb-why-agent.so'
	$(INSTALL) -m 755 $(BUILD)/gdb-why-jitreader.so '$(DESTDIR)$(PREFIX)/lib/gdb-why/gdb-why-jitreader.so'
	$(INSTALL) -m 755 $(BUILD)/gdb-why-contract.so '$(DESTDIR)$(PREFIX)/lib/gdb-why/gdb-why-contract.so'
	$(INSTALL) -m 755 $(RUNNERS) '$(DESTDIR)$(PREFIX)/lib/gdb-why'
	$(INSTALL) -m 644 $(BUILD)/gdb-why-shapes.o gdbext/contract/contract.h gdbext/contract/why-spec.h '$(DESTDIR)$(PREFIX)/lib/gdb-why'
	$(INSTALL) -d '$(DESTDIR)$(PREFIX)/include'
	$(INSTALL) -m 644 gdbext/contract/why-spec.h '$(DESTDIR)$(PREFIX)/include/why-spec.h'
	$(INSTALL) -m 755 gdbext/why.sh '$(DESTDIR)$(PREFIX)/lib/gdb-why/why.sh'
	$(INSTALL) -m 644 gdbext/frameworks.conf '$(DESTDIR)$(PREFIX)/share/gdb-why/frameworks.conf'
	$(call fill_why,$(PREFIX)/lib/gdb-why,$(PREFIX)/share/gdb-why) >'$(DESTDIR)$(PREFIX)/share/gdb-why/why.gdb'
	chmod 644 '$(DESTDIR)$(PREFIX)/share/gdb-why/why.gdb'
	$(INSTALL) -m 644 $(MAN) '$(DESTDIR)$(PREFIX)/share/man/man1'
	$(INSTALL) -m 644 $(wildcard gdbext/doc/*.md) '$(DESTDIR)$(PREFIX)/share/doc/gdb-why'
	for lesson in $(LESSONS); do to='$(DESTDIR)$(PREFIX)/share/gdb-why/lessons'/$${lesson##*/}; \
		$(INSTALL) -d "$$to" && $(INSTALL) -m 644 $$lesson/* "$$to" && \
		gzip -9nf "$$to"/lesson.ini "$$to"/golden.c "$$to"/tests.txt || exit; done
uninstall:
	rm -f '$(DESTDIR)$(PREFIX)/bin/gdb-why' '$(DESTDIR)$(PREFIX)/include/why-spec.h' $(patsubst $(BUILD)/doc/%,'$(DESTDIR)$(PREFIX)/share/man/man1/%',$(MAN))
	rm -rf '$(DESTDIR)$(PREFIX)/lib/gdb-why' '$(DESTDIR)$(PREFIX)/share/gdb-why' '$(DESTDIR)$(PREFIX)/share/doc/gdb-why'

clean:
	rm -rf build

help:
	@sed -n '1,/^$$/s/^# \{0,1\}//p' Makefile
	@echo 'Targets:'
	@echo '  all             the program, its library, the agent and the JIT reader'
	@echo '  demo            install what is missing, build, explain samples/larger; the log is $(BUILD)/demo.log'
	@echo '  check           install what is missing, build, run all tests (-jN: side by side)'
	@echo '  check-all       check, the same with sanitizers, stress, stress-cage, fuzz: a night'"'"'s worth'
	@echo '  bench           measurements; bench-advisory, bench-totals: of one sample family'
	@echo '  bench-record    what recording costs, beside GDB and valgrind'
	@echo '  bench-profile   tests a second, plain and with their profiles'
	@echo '  bench-rank      how high the faults rank, by all techniques, of all families or FAMILY='
	@echo '  bench-paths     the formula of all paths beside the one that grows on demand, on the advisory'
	@echo '  bench-specs     structures with specifications: rank of the faulty line by technique, tests, time'
	@echo '  bench-specs-bsd   the same of the red-black tree of BSD, fetched by apt-get download'
	@echo '  bench-specs-glib  the same of structures of GLib, fetched by apt-get source or in GLIB='
	@echo '  bench-order     where the faulty line stands in answers without a suite: tuning set, sealed set'
	@echo '  bench-limits    what half and the double of each limit, or of LIMIT=, do to answers and their cost'
	@echo '  bench-why       how long why EXPR takes on long runs, beside GDB alone'
	@echo '  bench-truth     how many of the values shown are not those that a plain GDB shows'
	@echo '  bench-runs      what a caged run costs; BASE=DIR: beside another checkout, which is built'
	@echo '  bench-long      what an explanation costs beside a loop that does not matter (LONG_ROUNDS, LONG_LEVEL=2)'
	@echo '  bench-lessons   each lesson with five seeds: proven, and how difficult; LESSON=: one of them'
	@echo '  bench-scaling   how the cost of an explanation grows with the data that matters'
	@echo '  bench-regress   regressions of real programs: AFTER, DD and ADD'
	@echo '  bench-suites    test suites of real programs, each run of them recorded'
	@echo '  stress          runs of the recorder, each STRESS_RUNS times (100)'
	@echo '  stress-cage     CAGE_RUNS (10000) forced runs that attack the world, CAGE_KILLS (200) kills'
	@echo '  screenshots     draws the picture in README.md anew'
	@echo '  coverage        lines that tests execute, by folder: units alone, all; coverage-units: the first'
	@echo '                  and fails where a folder is below tests/coverage-floors; coverage-floors raises them'
	@echo '  fuzz            libFuzzer on every parser for FUZZ_SECONDS each; fuzz/NAME: on one'
	@echo '  check-layers    who may include whom (tests/layers)'
	@echo '  check-headers   every header compiles alone'
	@echo '  check-format    the tree is as clang-format leaves it; format: make it so'
	@echo '  samples         the programs of samples/'
	@echo '  deps            install missing Debian packages'
	@echo '  install, uninstall, clean, help'

.PHONY: all deps demo check check-all run-units coverage coverage-units coverage-floors run-check bench bench-advisory bench-totals bench-record bench-profile bench-rank bench-paths bench-order bench-specs bench-specs-bsd bench-specs-glib bench-limits bench-why bench-runs bench-long bench-truth bench-lessons bench-scaling bench-regress bench-suites stress stress-cage screenshots fuzz $(FUZZ:%=fuzz/%) check-layers \
	check-headers format check-format install uninstall clean help samples FORCE

Q   := $(if $(V),,@)
say := $(if $(V),@:,@echo ' ')
