# krules. `make` builds the command and libkrules; `make help` lists the targets.
CC ?= gcc
BUILD ?= build
OPT ?= -O2 -g
WARN = -Wall -Wextra -Wshadow -Wconversion -Werror
CFLAGS ?=
ALL_CFLAGS = -std=gnu11 $(OPT) $(WARN) -pthread -I. $(shell pkg-config --cflags lua5.4 sqlite3 libcjson libcrypto mpfr 2>/dev/null) $(CFLAGS)
LIBS = $(shell pkg-config --libs lua5.4 sqlite3 libcjson libcrypto mpfr gmp 2>/dev/null || echo -llua5.4 -lsqlite3 -lcjson -lcrypto -lmpfr -lgmp) -lz -lpthread
LIB_SRC = $(wildcard vm/num/*.c vm/text/*.c vm/lang/*.c vm/engine/*.c stdlib/*.c vm/host/*.c vm/store/*.c vm/*.c)
CMD_SRC = $(wildcard vm/cmd/*.c)
TEST_SRC = $(wildcard tests/unit/test_*.c)
TEST_LIB = $(wildcard tests/ref/*.c)
LIB_OBJ = $(LIB_SRC:%.c=$(BUILD)/%.o)
CMD_OBJ = $(CMD_SRC:%.c=$(BUILD)/%.o)
TESTS = $(TEST_SRC:tests/unit/%.c=$(BUILD)/tests/%)

all: $(BUILD)/krules

$(BUILD)/krules: $(CMD_OBJ) $(BUILD)/libkrules.a
	$(CC) $(ALL_CFLAGS) -o $@ $^ $(LIBS)
$(BUILD)/libkrules.a: $(LIB_OBJ)
	rm -f $@ && ar rcs $@ $^
$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<
$(BUILD)/tests/%: $(BUILD)/tests/unit/%.o $(TEST_LIB:%.c=$(BUILD)/%.o) $(BUILD)/libkrules.a
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -o $@ $^ $(LIBS)

-include $(LIB_OBJ:.o=.d) $(CMD_OBJ:.o=.d)
.PHONY: all
.SECONDARY:
