# krules. `make` builds the command and the library; `make help` lists the targets.
MAKEFLAGS += --no-print-directory
CC ?= gcc
BUILD ?= build
OPT ?= -O2 -g
WARN = -Wall -Wextra -Wshadow -Wconversion -Werror
CFLAGS ?=
SANITIZE = -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
PREFIX ?= /usr/local
PACKAGES = lua5.4 sqlite3 libcjson libcrypto mpfr gmp zlib
ALL_CFLAGS = -std=gnu11 $(OPT) $(WARN) -pthread -I. $(shell pkg-config --cflags $(PACKAGES) 2>/dev/null) $(CFLAGS)
LIBS = $(shell pkg-config --libs $(PACKAGES) 2>/dev/null) -lpthread
DEBIAN = gcc make pkg-config liblua5.4-dev libsqlite3-dev libcjson-dev libssl-dev libmpfr-dev libgmp-dev zlib1g-dev
DEBIAN_TEST = python3 sqlite3 openssl parallel
DEBIAN_BENCH = python3-numpy

LIB_SRC = $(wildcard vm/num/*.c vm/text/*.c vm/lang/*.c vm/engine/*.c stdlib/*.c vm/host/*.c vm/store/*.c vm/*.c)
CMD_SRC = $(wildcard vm/cmd/*.c)
REF_SRC = $(wildcard tests/ref/*.c)
LIB_OBJ = $(LIB_SRC:%.c=$(BUILD)/%.o)
CMD_OBJ = $(CMD_SRC:%.c=$(BUILD)/%.o)
REF_OBJ = $(REF_SRC:%.c=$(BUILD)/%.o)
UNIT = $(patsubst tests/unit/%.c,$(BUILD)/unit/%,$(wildcard tests/unit/test_*.c))
TOOLS = $(patsubst tests/tools/%.c,$(BUILD)/tools/%,$(wildcard tests/tools/*.c))
BENCH = $(patsubst tests/bench/%.c,$(BUILD)/bench/%,$(wildcard tests/bench/*.c))
FUZZ = $(patsubst tests/fuzz/%.c,$(BUILD)/%,$(wildcard tests/fuzz/*.c))
FUZZ_SECONDS ?= 60
LIMBS = $(patsubst tests/unit/%.c,$(BUILD)/limbs/unit/%,$(wildcard tests/unit/test_num*.c))

all: $(BUILD)/krules ## build the command and libkrules.a

demo: deps ## install what is missing, build, run the main job on the example data
	$(MAKE) all
	$(BUILD)/krules eval kokoah/pay --data data/kokoah/pay/example --to 2024-03-18 --format table

test: deps-test ## install what the tests need, build, run every test
	$(MAKE) check

check: ## every test (the packages are there)
	$(MAKE) all tools layers limbs docs
	$(MAKE) BUILD=$(BUILD)/asan OPT="-O1 -g" CFLAGS="$(SANITIZE)" all unit
	tests/all --build $(BUILD) --unit $(BUILD)/asan

check-fast: ## transcripts, published cases, examples and documentation, without sanitizers
	$(MAKE) all tools
	for part in transcripts cases examples docs; do tests/all --build $(BUILD) --unit $(BUILD) --only $$part || exit 1; done

check-slow: ## the random tests of the number core with a million cases each; a build with clang
	$(MAKE) unit
	KR_SLOW=1 tests/all --build $(BUILD) --unit $(BUILD) --only unit
	$(MAKE) CC=clang BUILD=$(BUILD)/clang all unit tools

asan: ## the unit tests under AddressSanitizer and UBSan
	$(MAKE) BUILD=$(BUILD)/asan OPT="-O1 -g" CFLAGS="$(SANITIZE)" all unit
	tests/all --build $(BUILD)/asan --unit $(BUILD)/asan --only unit

fuzz: ## the fuzzers for FUZZ_SECONDS each (needs clang)
	$(MAKE) all
	$(MAKE) CC=clang BUILD=$(BUILD)/fuzz OPT="-O1 -g" CFLAGS="-fsanitize=address,fuzzer-no-link -fno-omit-frame-pointer" fuzzers
	tests/fuzz/run $(BUILD) $(FUZZ_SECONDS)
fuzzers: $(FUZZ)

limbs: $(LIMBS) ## the number core as compilers without 128-bit integers build it

unit: $(UNIT) ## build the unit tests
tools: $(TOOLS)
bench: deps-bench ## measure, beside named peers in the same run
	$(MAKE) all tools $(BENCH)
	tests/bench/run $(BUILD)

layers: ## no include points to a layer above, and every header compiles alone
	tests/tools/layers
	@for h in vm/*.h vm/*/*.h stdlib/*.h; do $(CC) $(ALL_CFLAGS) -Wno-unused-function -fsyntax-only -include $$h -x c /dev/null || { echo "$$h does not compile alone"; exit 1; }; done

docs: $(BUILD)/krules ## pages made of the tables: docs/functions.md, errors.md, commands.md, a man page, completion for shells
	$(BUILD)/krules help functions --format markdown >docs/functions.md
	$(BUILD)/krules help errors --format markdown >docs/errors.md
	$(BUILD)/krules help commands --format markdown >docs/commands.md
	@mkdir -p $(BUILD)/share
	$(BUILD)/krules help --format man >$(BUILD)/share/krules.1
	for shell in bash zsh fish; do $(BUILD)/krules help --format $$shell >$(BUILD)/share/completion.$$shell || exit 1; done

deps: ; @$(call install,$(DEBIAN))
deps-test: ; @$(call install,$(DEBIAN) $(DEBIAN_TEST))
deps-bench: ; @$(call install,$(DEBIAN) $(DEBIAN_TEST) $(DEBIAN_BENCH))
define install
missing=""; for p in $(1); do dpkg -s $$p >/dev/null 2>&1 || missing="$$missing $$p"; done; \
if [ -n "$$missing" ]; then echo "installing:$$missing"; sudo=""; [ "$$(id -u)" = 0 ] || sudo=sudo; \
$$sudo apt-get update -qq && DEBIAN_FRONTEND=noninteractive $$sudo apt-get install -y -qq --no-install-recommends $$missing >/dev/null; fi
endef

install: all docs ## to PREFIX (/usr/local)
	install -D -m 755 $(BUILD)/krules $(DESTDIR)$(PREFIX)/bin/krules
	install -D -m 644 $(BUILD)/libkrules.a $(DESTDIR)$(PREFIX)/lib/libkrules.a
	install -D -m 644 vm/krules.h $(DESTDIR)$(PREFIX)/include/krules.h
	install -D -m 644 $(BUILD)/share/krules.1 $(DESTDIR)$(PREFIX)/share/man/man1/krules.1
	install -D -m 644 $(BUILD)/share/completion.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/krules
	install -D -m 644 $(BUILD)/share/completion.zsh $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_krules
	install -D -m 644 $(BUILD)/share/completion.fish $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/krules.fish
	mkdir -p $(DESTDIR)$(PREFIX)/share/krules && cp -r rules $(DESTDIR)$(PREFIX)/share/krules/

clean: ## remove what was built
	rm -rf $(BUILD)
help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 20

$(BUILD)/krules: $(CMD_OBJ) $(BUILD)/libkrules.a
	$(CC) $(ALL_CFLAGS) -o $@ $^ $(LIBS)
$(BUILD)/libkrules.a: $(LIB_OBJ)
	rm -f $@ && ar rcs $@ $^
$(BUILD)/unit/%: $(BUILD)/tests/unit/%.o $(REF_OBJ) $(BUILD)/libkrules.a
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -o $@ $^ $(LIBS)
$(BUILD)/tools/%: $(BUILD)/tests/tools/%.o $(REF_OBJ) $(BUILD)/libkrules.a
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -o $@ $^ $(LIBS)
$(BUILD)/limbs/unit/%: $(BUILD)/limbs/tests/unit/%.o $(patsubst %.c,$(BUILD)/limbs/%.o,$(wildcard vm/num/*.c))
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -o $@ $^ $(LIBS)
$(BUILD)/limbs/%.o: %.c
	@mkdir -p $(@D)
	$(CC) -DKR_NO_INT128 $(ALL_CFLAGS) -MMD -MP -c -o $@ $<
$(FUZZ): $(BUILD)/%: $(BUILD)/tests/fuzz/%.o $(BUILD)/libkrules.a
	$(CC) $(ALL_CFLAGS) -fsanitize=fuzzer -o $@ $^ $(LIBS)
$(BUILD)/bench/%: $(BUILD)/tests/bench/%.o $(BUILD)/libkrules.a
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -o $@ $^ $(LIBS) -lm
$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
.PHONY: all demo test check check-fast check-slow asan fuzz fuzzers limbs docs unit tools bench layers deps deps-test deps-bench install clean help
.SECONDARY:
