# mem: see 'make help'. GNU make. Products go to $B: build, build/asan, build/cov, build/lint.

B       = build
PREFIX  = /usr/local
CFLAGS  = -O2 -g
BINDIR  = $(PREFIX)/bin
DATADIR = $(PREFIX)/share
LIBDIR  = $(PREFIX)/lib
INCLUDEDIR = $(PREFIX)/include
SYSTEM := $(shell uname -s)
# A package of the programs alone gives LIBRARY= for none. macOS has no objcopy, which it takes.
LIBRARY = $(if $(filter Darwin,$(SYSTEM)),,\
	$(INCLUDEDIR)/mem.h $(LIBDIR)/libmem.a $(LIBDIR)/pkgconfig/mem.pc)
MANDIR  = $(DATADIR)/man

# A new program: bin/, man/, tests/, its name here and in schema/programs.txt, a row in man/mem.7.
# 'make lint' refuses five of six.
PROGS = mem mem-ingest mem-search mem-rewrite mem-context mem-list mem-show mem-eval mem-stats \
	mem-check mem-model mem-embed mem-extract mem-remember mem-edit mem-summarize mem-profile \
	mem-llm mem-cluster mem-prune mem-forget mem-hook mem-mcp mem-setup mem-audit mem-export \
	mem-import mem-sync mem-browse mem-resume mem-upkeep mem-seal

# POSIX of 2008, with what macOS and FreeBSD else hide: flock, MAP_ANONYMOUS.
STD_Darwin  = -D_DARWIN_C_SOURCE
STD_FreeBSD = -D__BSD_VISIBLE=1
STD  = -std=c11 -D_XOPEN_SOURCE=700 $(STD_$(SYSTEM))
# A function without its declaration would return 32 bits of a pointer.
WARN = -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wformat=2 -Wvla \
	-Werror=implicit-function-declaration
# -z now costs nothing measurable here: 1.40 ms a start, as with lazy binding. --as-needed keeps
# libjq and SQLite out of what does without them: 'mem' itself starts in 1.0 ms.
HARDEN    = -fPIE -fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2
AS_NEEDED = -Wl,--as-needed
HARDEN_LD = -pie -Wl,-z,relro,-z,now
ARFLAGS   = rcsD
# The linker and ar of macOS have other options, and have these by default.
ifeq ($(SYSTEM),Darwin)
AS_NEEDED = -Wl,-dead_strip_dylibs
HARDEN_LD =
ARFLAGS   = rcs
endif
# No fused multiply-add, and math/real.h for libm's logarithms and powers: a score has the same bits
# on every machine. No folder's name in what is built: the same bytes wherever it is built.
ALL_CFLAGS = $(STD) $(WARN) $(HARDEN) -Ilib -I$B $(WITHOUT) $(CPPFLAGS) $(CFLAGS) \
	-ffp-contract=off $(SAME_PLACE)
SAME_PLACE = -ffile-prefix-map=$(CURDIR)=.
# macOS has iconv in a library of its own.
OF_SYSTEM  = -lm -lpthread -ldl $(if $(filter Darwin,$(SYSTEM)),-liconv)
LIBS       = -lsqlite3 -ljq -lstemmer -lz $(OF_SYSTEM)
# Of the programs that a prompt waits for SQLite, libstemmer and zlib come from their archives,
# where there are any: fewer libraries to find, map and bind, .3 ms a start, 1.5 MB a program.
QUICK      = mem-search mem-context mem-show
archive    = $(if $(filter /%,$(shell $(CC) -print-file-name=lib$(1).a)),-l:lib$(1).a,-l$(1))
SQLITE    := $(call archive,sqlite3)
ZLIB      := $(call archive,z)
STEMMER   := $(call archive,stemmer)
LINK       = $(CC) $(CFLAGS) $(HARDEN_LD) $(AS_NEEDED) $(LDFLAGS)

# POSTGRES=no leaves lib/store/postgres out: a store is a file then.
POSTGRES = yes
ifeq ($(POSTGRES),no)
WITHOUT   = -DWITHOUT_POSTGRES
without   = $(filter-out lib/store/postgres/% tests/unit/dialect_test.c schema/postgres%,$(1))
else
without   = $(1)
endif

# Flags of single files, by name without .c: FLAGS_lib/model/kernels/gemm_avx2 = -mavx2
FLAGS_lib/base/utf8 = -O3
FLAGS_lib/rank/bm25 = -O3
FLAGS_lib/index/corpus = -O3
FLAGS_lib/index/postings_read = -O3
FLAGS_lib/index/postings_page = -O3
FLAGS_lib/math/kmeans_kernel = -O3
FLAGS_lib/math/lsa = -O3
FLAGS_lib/model/encoder_f32 = -O3
# The kernels: one file an instruction set, chosen at run time.
FLAGS_lib/model/kernels/gemm_scalar = -O3
FLAGS_lib/model/kernels/gemm_neon = -O3
ifneq (,$(filter x86_64%,$(shell $(CC) -dumpmachine)))
FLAGS_lib/base/sha256_x86 = -O3 -msse4.1 -msha
FLAGS_lib/model/kernels/gemm_avx2 = -O3 -mavx2
FLAGS_lib/model/kernels/gemm_avxvnni = -O3 -mavx2 -mavxvnni
FLAGS_lib/model/kernels/gemm_avx512 = -O3 -mavx512f -mavx512bw -mavx512vl -mavx512dq -mavx512vnni \
	$(REAL_STACK)
FLAGS_lib/model/kernels/gemm_avx512vbmi = $(FLAGS_lib/model/kernels/gemm_avx512) -mavx512vbmi
endif

LIB_C   := $(call without,$(filter-out lib/net/%,$(sort $(wildcard lib/*/*.c lib/*/*/*.c))))
UNIT_C  := $(call without,$(sort $(wildcard tests/unit/*.c)))
HEADERS := $(sort $(wildcard lib/*/*.h lib/*/*/*.h tests/unit/*.h))
MAN     := $(sort $(wildcard man/*.[1-8]))
# Weights that code has as arrays.
HEADS   := $(addprefix schema/heads/,followup.txt profile.txt prompt.txt)
# Tables of texts that code has as arrays.
ROWS    := $(sort $(wildcard schema/rows/*.txt))
# The statements of the store: first what they share, then in the order of their numbers.
STATEMENTS := $(patsubst %,schema/statements/%.sql,parts messages index accounts records vectors \
	sync names)
OWN_STATEMENTS := schema/statements/postgres.sql schema/statements/citus.sql
# The words of languages, English first: lib/lexicon/lex.awk makes them a table.
WORDS   := schema/lang/en.txt $(filter-out %/en.txt,$(sort $(wildcard schema/lang/*.txt)))
# The words that tell what kind of sentence one reads: lib/statement/cues.awk makes them tables.
CUES    := $(sort $(wildcard schema/cues/*.txt))
SCHEMA  := $(filter-out schema/programs.txt $(WORDS) $(CUES) $(HEADS) $(ROWS) \
	$(STATEMENTS) $(OWN_STATEMENTS),$(call without, \
	$(sort $(wildcard schema/*.txt schema/*.sql \
	schema/*/*.sql schema/*/*.jq schema/*/*.txt schema/*/*.json schema/*/*.js schema/*/*.toml \
	schema/completion/* schema/page/* schema/systemd/* schema/launchd/* schema/*.sh))))
TABLES  := $(patsubst schema/chars/%.tsv,$B/gen/%.h,$(sort $(wildcard schema/chars/*.tsv))) \
	$(HEADS:schema/heads/%.txt=$B/gen/%_weights.h) $(ROWS:schema/rows/%.txt=$B/gen/%_rows.h) \
	$B/gen/programs.h $B/gen/statements.h $B/gen/statements_postgres.h \
	$B/gen/statements_citus.h
# What goes over the network is linked into mem-llm alone.
NET_C   := $(sort $(wildcard lib/net/*.c))
NET_O   := $(NET_C:%.c=$B/%.o)
# Corrections of models' weights for questions (lib/model/adapter.h).
ADAPTERS := $(sort $(wildcard schema/adapters/*.bin))
GEN_O   := $(addprefix $B/gen/,embedded.o adapters.o lex_words.o cues_tables.o)
LIB_O   := $(LIB_C:%.c=$B/%.o) $(GEN_O)
UNITS   := $(UNIT_C:%.c=$B/%)
# What the safety tests are driven by, and what they load into the programs; the fuzz targets, each
# with the replayer.
SHIM_C  := $(wildcard $(patsubst %,tests/torture/%.c,alloc calls fault power sql))
TOOL_C  := $(sort $(filter-out $(SHIM_C),$(wildcard tests/torture/*.c)))
FUZZ_C  := $(sort $(filter-out tests/fuzz/replay.c,$(wildcard tests/fuzz/*.c)))
TOOLS   := $(TOOL_C:%.c=$B/%) $(FUZZ_C:%.c=$B/%) $(SHIM_C:%.c=$B/%.so)
T       := $(sort $(wildcard tests/*.t))

all: $(PROGS:%=$B/%) ## build all programs into build/

.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: all units check check-run check-live check-mcp check-systems check-postgres check-citus \
	model demo lint syntax asan valgrind torture cov mutants bench bench-peers size install \
	install-completion install-units install-library uninstall dist deb static \
	static-check wheel plugin release-check clean help setup FORCE

$B/%.o: %.c $B/flags | $(TABLES)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(FLAGS_$*) -MMD -MP -c -o $@ $<

$B/gen/%.o: $B/gen/%.c $B/flags
	$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$B/libmem.a: $(LIB_O) $B/objects
	@rm -f $@
	$(AR) $(ARFLAGS) $@ $(LIB_O)

$(filter-out $B/mem-llm,$(PROGS:%=$B/%)): $B/%: $B/bin/%.o $B/libmem.a
	$(LINK) -o $@ $< $B/libmem.a $(LIBS)

$(QUICK:%=$B/%): LIBS = $(SQLITE) -ljq $(STEMMER) $(ZLIB) $(OF_SYSTEM)

$B/mem-llm: $B/bin/mem-llm.o $(NET_O) $B/libmem.a
	$(LINK) -o $@ $^ $(LIBS) -lcurl

$(UNITS): $B/tests/unit/%: $B/tests/unit/%.o $B/libmem.a
	$(LINK) -o $@ $< $B/libmem.a $(LIBS)

$(TOOL_C:%.c=$B/%): $B/tests/torture/%: $B/tests/torture/%.o $B/libmem.a
	$(LINK) -o $@ $< $B/libmem.a $(LIBS)

$(FUZZ_C:%.c=$B/%): $B/tests/fuzz/%: $B/tests/fuzz/%.o $B/tests/fuzz/replay.o $B/libmem.a
	$(LINK) -o $@ $(filter %.o,$^) $B/libmem.a $(LIBS)

# Its answers are the target's own, in the place of http.c.
FUZZ_NET_O = $(filter-out %/http.o %/serve.o,$(NET_O))
$B/tests/fuzz/net: $(FUZZ_NET_O)

$(SHIM_C:%.c=$B/%.so): $B/%.so: %.c $B/flags
	@mkdir -p $(@D)
	$(CC) $(STD) $(WARN) -O2 -g -fPIC $(SAME_PLACE) -shared -o $@ $< -ldl

# The library for other programs: one object in which only the names of mem.h are not its own.
OBJCOPY = objcopy
CALLS   := $(shell sed -En 's/^(int|void) (mem_[a-z]*).*/\2/p' lib/mem/mem.h)
$B/library/libmem.a: $B/lib/mem/mem.o $B/libmem.a
	@mkdir -p $(@D)
	@rm -f $@
	$(CC) -r -nostdlib $(LDFLAGS) -o $(@D)/mem.o $^
	$(OBJCOPY) $(CALLS:%=--keep-global-symbol=%) $(@D)/mem.o
	$(AR) $(ARFLAGS) $@ $(@D)/mem.o

$B/library/mem.pc: lib/mem/mem.pc $B/flags
	@mkdir -p $(@D)
	sed -e 's,@PREFIX@,$(PREFIX),; s,@LIBDIR@,$(LIBDIR),; s,@INCLUDEDIR@,$(INCLUDEDIR),' \
		-e 's,@VERSION@,$(VERSION),; s,@LIBS@,$(LIBS),' $< >$@

units: $(UNITS) $(TOOLS) $(if $(LIBRARY),$B/library/libmem.a $B/library/mem.pc)

# Tables of characters are built in.
$(filter %_weights.h,$(TABLES)): $B/gen/%_weights.h: schema/heads/%.txt lib/math/heads.awk
	@mkdir -p $(@D)
	LC_ALL=C awk -f lib/math/heads.awk $< >$@

$(filter %_rows.h,$(TABLES)): $B/gen/%_rows.h: schema/rows/%.txt lib/base/rows.awk
	@mkdir -p $(@D)
	LC_ALL=C awk -f lib/base/rows.awk $< >$@

$(patsubst schema/chars/%.tsv,$B/gen/%.h,$(wildcard schema/chars/*.tsv)): $B/gen/%.h: \
		schema/chars/%.tsv lib/base/tables.awk
	@mkdir -p $(@D)
	LC_ALL=C awk -f lib/base/tables.awk $< >$@

$B/gen/statements.h: lib/store/sql/statements.awk $(STATEMENTS)
	@mkdir -p $(@D)
	LC_ALL=C awk -f lib/store/sql/statements.awk $(STATEMENTS) >$@

$B/gen/statements_%.h: schema/statements/%.sql lib/store/sql/statements.awk \
		schema/statements/parts.sql
	@mkdir -p $(@D)
	LC_ALL=C awk -f lib/store/sql/statements.awk schema/statements/parts.sql $< >$@

# schema/ and the programs' names travel inside the binaries.
$B/gen/embedded.c: lib/base/embedded.sh $(SCHEMA) $B/gen/programs.txt $B/embedded
	sh lib/base/embedded.sh embedded_files programs.txt=$B/gen/programs.txt \
		$(foreach f,$(SCHEMA),$f=$f) >$@

$B/gen/adapters.c: lib/base/embedded.sh $(ADAPTERS) $B/embedded
	@mkdir -p $(@D)
	sh lib/base/embedded.sh adapter_files $(foreach f,$(ADAPTERS),$f=$f) >$@

$B/gen/programs.txt: $(MAN) Makefile
	@mkdir -p $(@D)
	@for p in $(PROGS); do printf '%s\t%s\n' $$p "$$(sed -n 's/^\.Nd //p' man/$$p.1)"; done >$@

$B/gen/programs.h: lib/cli/programs.awk $B/gen/programs.txt schema/programs.txt
	LC_ALL=C awk -f $^ >$@

$B/gen/lex_words.c: lib/lexicon/lex.awk $(WORDS) $B/embedded
	@mkdir -p $(@D)
	LC_ALL=C awk -f lib/lexicon/lex.awk $(WORDS) >$@

$B/gen/cues_tables.c: lib/statement/cues.awk $(CUES) $B/embedded
	@mkdir -p $(@D)
	LC_ALL=C awk -f lib/statement/cues.awk $(CUES) >$@

# Lists that were used last time: other flags, or a file that is gone, rebuild what they touch.
record = @mkdir -p $(@D); echo '$(1)' | cmp -s - $@ || echo '$(1)' >$@
$B/flags: FORCE
	$(call record,$(CC) $(ALL_CFLAGS) $(LINK) $(LIBS) $(SQLITE) $(STEMMER) $(ZLIB))
$B/objects: FORCE
	$(call record,$(LIB_O))
$B/embedded: FORCE
	$(call record,$(SCHEMA) $(WORDS) $(CUES) $(ADAPTERS))

-include $(LIB_O:.o=.d) $(NET_O:.o=.d) $(PROGS:%=$B/bin/%.d) $(UNITS:=.d) $(TOOL_C:%.c=$B/%.d) \
	$(FUZZ_C:%.c=$B/%.d)

# ---- tests ----

# Who says nothing of jobs gets as many as there are processors.
PROCESSORS = $(or $(shell getconf _NPROCESSORS_ONLN 2>/dev/null),1)
PARALLEL = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(PROCESSORS))
PROVEFLAGS = -j2
PROVE = B=$(abspath $B) prove $(PROVEFLAGS) --exec 'sh tests/tools/exec'

check: setup ## install what is missing, build, run all tests; T=tests/0400-search.t runs one
	@echo 'check: $(words $(T)) files of tests; all take some ten minutes of a processor, more' \
		'where it is busy; make check T=tests/0300-search.t runs one'
	@$(MAKE) $(PARALLEL) --no-print-directory all units
	@$(MAKE) --no-print-directory check-run

check-run: all units
	$(PROVE) $(T) $(if $(filter file,$(origin T)),$(UNITS))

# A published model, fetched and converted: its hash is checked. The programs in build/ look into
# build/models. MODEL=multilingual-e5-small, all-MiniLM-L6-v2 or all.
MODEL = multilingual-e5-small
FROM  =
model: $B/mem-model ## get a model: MODEL=NAME or all; FROM=DIR takes it from there
	@$B/mem-model get -o $B/models $(if $(FROM),--from '$(FROM)') $(MODEL) >/dev/null

# The model is fetched and served by pip's packages; it tells how many replies are valid.
check-live: all units ## mem-llm against a real small model on this machine
	@B=$(abspath $B) sh tests/live/run

# Skipped, and says so, where the network does not bring the clients.
check-mcp: all ## mem-mcp under the official clients of its protocol
	@B=$(abspath $B) sh tests/mcp/run

# Nothing is run: no such machine is needed.
check-systems: all ## every file compiles for macOS and FreeBSD, by a compiler that pip brings
	@B=$(abspath $B) CC='$(CC)' sh tests/release/systems $(LIB_C) $(NET_C) $(PROGS:%=bin/%.c)

demo: ## install what is missing, build, get a model, show what mem does
	@CC='$(CC)' sh tests/tools/setup build check model
	@$(MAKE) $(PARALLEL) --no-print-directory all
	@$(MAKE) --no-print-directory model || \
		echo 'demo: there is no model to be had, so it goes on by words alone' >&2
	@B=$(abspath $B) sh tests/demo/run

lint: ## source, man pages and tables against the house rules; gcc and clang with -Werror
	@sh tests/tools/setup build check lint
	@$(MAKE) --no-print-directory all
	@B=$(abspath $B) PROGS='$(PROGS)' prove $(PROVEFLAGS) --exec sh tests/lint/run

syntax: $(LIB_C:%=$B/syntax/%) $(NET_C:%=$B/syntax/%) $(PROGS:%=$B/syntax/bin/%.c) \
	$(UNIT_C:%=$B/syntax/%) $(TOOL_C:%=$B/syntax/%) $(FUZZ_C:%=$B/syntax/%) \
	$(HEADERS:%=$B/syntax/%)

$B/syntax/%.c: %.c $(HEADERS) $(TABLES) $B/flags
	@mkdir -p $(@D)
	@$(CC) $(ALL_CFLAGS) $(FLAGS_$*) -fsyntax-only $< && touch $@

$B/syntax/%.h: %.h $(HEADERS) $B/flags
	@mkdir -p $(@D)
	@$(CC) $(ALL_CFLAGS) -Wno-unused-const-variable -Wno-unused-function -fsyntax-only \
		-x c -include $< /dev/null && touch $@

SANITIZE = -fsanitize=address,undefined -fno-sanitize-recover=all
# REAL_STACK: gcc 12.2 lays vectors of 64 bytes on the sanitizer's own stack as if it were aligned
# (gcc bug 110027)
asan: ## the tests under the address and undefined-behaviour sanitizers
	$(MAKE) B=build/asan \
		REAL_STACK='$(if $(findstring clang,$(CC)),,--param=asan-use-after-return=0)' \
		CFLAGS='-O1 -g -fno-omit-frame-pointer $(SANITIZE)' LDFLAGS='$(SANITIZE)' \
		HARDEN= HARDEN_LD= check

LEAKS = --leak-check=full --errors-for-leak-kinds=definite
valgrind: setup ## the tests with every program under valgrind
	@sh tests/tools/setup valgrind
	@$(MAKE) --no-print-directory all units
	MEM_TEST_WRAP='valgrind -q --error-exitcode=99 $(LEAKS)' \
		$(PROVE) $(T) $(if $(filter file,$(origin T)),$(UNITS))

check-postgres: setup ## the tests of programs, every store in a database of PostgreSQL; T=...
	@$(MAKE) --no-print-directory all units
	B=$(abspath $B) sh tests/tools/check_postgres $(if $(filter file,$(origin T)),,$(T))

check-citus: setup ## a store over three servers of Citus, where Citus is installed
	@$(MAKE) --no-print-directory all units
	B=$(abspath $B) sh tests/tools/check_citus

torture: setup ## kill loops, many writers, each system call failing once
	@$(MAKE) --no-print-directory all units
	$(PROVE) $(sort $(wildcard tests/torture/*.t))

SECONDS = 60
fuzz: ## libFuzzer (clang) on each target for SECONDS=60 on end, from tests/fuzz/corpus
	@$(MAKE) --no-print-directory B=build/fuzz CC=clang HARDEN= HARDEN_LD= \
		CFLAGS='-O1 -g -fno-omit-frame-pointer $(SANITIZE) -fsanitize=fuzzer-no-link' \
		fuzz-run
.PHONY: fuzz fuzz-run
fuzz-run: $(FUZZ_C:%.c=$B/%.o) $(FUZZ_NET_O) $B/libmem.a
	@CC='$(CC)' B=$(abspath $B) SECONDS=$(SECONDS) LIBS='$(LIBS)' \
		NET_O='$(abspath $(FUZZ_NET_O))' sh tests/fuzz/run $(FUZZ_C:tests/fuzz/%.c=%)

# What mem-hook ran is counted, too: it leaves by _exit, before gcov's counts are written. They are
# written before an exec only in GNU mode, where gcc knows exec as its own.
COV_EXIT = build/cov/tests/tools/cov_exit.o
COV = B=build/cov CFLAGS='-O0 -g -std=gnu11 --coverage' \
	LDFLAGS='--coverage -Wl,--wrap=_exit $(COV_EXIT)' HARDEN= HARDEN_LD=
cov: ## lines and branches that the tests run; fails below 96 %, 88 %, and 80 % of a file
	find build/cov -name '*.gcda' -exec rm -f {} + 2>/dev/null || true
	$(MAKE) $(COV) $(COV_EXIT)
	$(MAKE) $(COV) check; status=$$?; sh tests/tools/coverage build/cov || status=1; \
		exit $$status

# Python alone is needed. N=20 SEED=2 tries others; a run that was cut short goes on with SEED as it
# was, unless sources changed. JOBS=2: two tests at a time; ROOMS='text store/whole': only those.
N    ?= 150
SEED ?= 1
JOBS ?= 1
mutants: setup ## N=150 one-line changes of the sources, SEED=1: do the tests notice them?
	@sh tests/mutants/make "$(CURDIR)" build/mutants $(N) $(SEED)
	@$(MAKE) --no-print-directory -C build/mutants B=build all units
	@JOBS=$(JOBS) ROOMS='$(ROOMS)' nice python3 tests/mutants/run.py build/mutants

bench: all ## tables of quality, speed and size
	@B=$(abspath $B) sh tests/bench/run

# What is found, and how long it takes; BENCH=100k: chat lines too.
bench-peers: all ## mem beside stores and memories that pip brings
	@B=$(abspath $B) BENCH_ONLY=peers BENCH=$${BENCH:-sets} sh tests/bench/run

size: ## functions over 60 lines, files over 500, programs over 250
	@perl tests/tools/size $(LIB_C) $(NET_C) $(PROGS:%=bin/%.c) $(HEADERS) $(UNIT_C)

setup: ## install missing tools and libraries (Debian, Ubuntu), or say what is missing
	@CC='$(CC)' sh tests/tools/setup build check

# ---- installing ----

INSTALL = install
# The shells look for a file by the name of the program; zsh for one that names them all.
COMPLETIONS = $(PROGS:%=bash-completion/completions/%) \
	$(PROGS:%=fish/vendor_completions.d/%.fish) zsh/site-functions/_mem
UNITS_DIR = $(DATADIR)/systemd/user
SYSTEMD = $(notdir $(wildcard schema/systemd/*))
# Models that are in build/ are installed, too; a package gives MODELS= for none.
MODELS = $B/models/*.model
install: all install-completion install-units install-library ## into $(DESTDIR)$(PREFIX)
	$(INSTALL) -d $(DESTDIR)$(BINDIR)
	$(INSTALL) -m 755 $(PROGS:%=$B/%) $(DESTDIR)$(BINDIR)
	for s in 1 3 5 7; do $(INSTALL) -d $(DESTDIR)$(MANDIR)/man$$s || exit; done
	for f in $(MAN); do $(INSTALL) -m 644 $$f $(DESTDIR)$(MANDIR)/man$${f##*.} || exit; done
	for f in $(SCHEMA); do $(INSTALL) -d $(DESTDIR)$(DATADIR)/mem/$${f%/*} && \
		$(INSTALL) -m 644 $$f $(DESTDIR)$(DATADIR)/mem/$$f || exit; done
	for f in $(MODELS); do [ ! -e "$$f" ] || { \
		$(INSTALL) -d $(DESTDIR)$(DATADIR)/mem/models && \
		$(INSTALL) -m 644 "$$f" $(DESTDIR)$(DATADIR)/mem/models; } || exit; done
	@[ -n "$(DESTDIR)" ] || sed 's,@MEM@,$(BINDIR)/mem,' packaging/clash.sh | sh

install-completion:
	for f in $(COMPLETIONS); do s=$${f%%[-/]*} to=$(DESTDIR)$(DATADIR)/$$f; \
		$(INSTALL) -d $${to%/*} && sed 's/@PROGRAMS@/$(PROGS)/' schema/completion/mem.$$s \
		>$$to && chmod 644 $$to || exit; done

install-units:
	$(INSTALL) -d $(DESTDIR)$(UNITS_DIR)
	for f in $(SYSTEMD); do to=$(DESTDIR)$(UNITS_DIR)/$$f; \
		sed 's,@COMMAND@,$(BINDIR)/mem-upkeep -q,' schema/systemd/$$f >$$to && \
		chmod 644 $$to || exit; done

install-library: $(if $(LIBRARY),lib/mem/mem.h $B/library/libmem.a $B/library/mem.pc)
	for f in $(LIBRARY); do $(INSTALL) -d $(DESTDIR)$${f%/*} && for from in $^; do \
		[ "$${f##*/}" != "$${from##*/}" ] || \
		$(INSTALL) -m 644 $$from $(DESTDIR)$$f; done || exit; done

# What install may have made, the inner ones first; a system has the last ones of its own.
EMPTIED = $(DATADIR)/mem/models $(DATADIR)/mem $(DATADIR)/bash-completion/completions \
	$(DATADIR)/bash-completion $(DATADIR)/fish/vendor_completions.d $(DATADIR)/fish \
	$(DATADIR)/zsh/site-functions $(DATADIR)/zsh $(UNITS_DIR) $(DATADIR)/systemd
OF_PREFIX = $(INCLUDEDIR) $(LIBDIR)/pkgconfig $(LIBDIR) \
	$(MANDIR)/man1 $(MANDIR)/man3 $(MANDIR)/man5 $(MANDIR)/man7 $(MANDIR) $(DATADIR) \
	$(BINDIR) $(PREFIX)
uninstall: ## removes what install put there; memories and other models stay
	rm -f $(PROGS:%=$(DESTDIR)$(BINDIR)/%)
	for f in $(MAN); do rm -f $(DESTDIR)$(MANDIR)/man$${f##*.}/$${f##*/}; done
	rm -f $(LIBRARY:%=$(DESTDIR)%)
	rm -f $(COMPLETIONS:%=$(DESTDIR)$(DATADIR)/%) $(SYSTEMD:%=$(DESTDIR)$(UNITS_DIR)/%)
	rm -rf $(DESTDIR)$(DATADIR)/mem/schema
	for f in $(MODELS); do rm -f "$(DESTDIR)$(DATADIR)/mem/models/$${f##*/}"; done
	for d in $(EMPTIED) $(if $(filter /usr /usr/%,$(PREFIX)),,$(OF_PREFIX)); do \
		rmdir $(DESTDIR)$$d 2>/dev/null || :; done

# ---- releasing ----

VERSION := $(shell sed -n 's/^\#define MEM_VERSION "\(.*\)"/\1/p' lib/base/base.h)
dist: ## build/mem-VERSION.tar.gz of the last commit, the same bytes wherever it is made
	@mkdir -p $B
	git archive --format=tar --prefix=mem-$(VERSION)/ HEAD | gzip -9n >$B/mem-$(VERSION).tar.gz

deb: dist ## a Debian package, built in build/deb from the archive
	@VERSION=$(VERSION) B=$(abspath $B) sh tests/release/deb

ARCH = $(shell uname -m)
static: ## an archive for any Linux, with musl: ARCH=aarch64 is cross-built; FROM=DIR has sources
	@VERSION=$(VERSION) B=$(abspath $B) FROM='$(FROM)' PROGS='$(PROGS)' \
		sh packaging/static $(ARCH)

static-check: static all units ## pure tests of what static made, and the same scores; by qemu
	@VERSION=$(VERSION) B=$(abspath $B) FROM='$(FROM)' PROGS='$(PROGS)' \
		sh tests/release/static $(ARCH)

wheel: static ## the same as a wheel for pipx
	python3 packaging/wheel $B/mem-$(VERSION)-linux-$(ARCH).tar.gz $B

plugin: ## build/plugin: a marketplace for Claude Code and Codex, an extension for Gemini CLI
	@VERSION=$(VERSION) sh packaging/plugin/build $B/plugin

release-check: ## what a release has to pass, in order
	@VERSION=$(VERSION) B=$(abspath $B) sh tests/release/run

clean: ## removes build/
	rm -rf build

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1 /p' Makefile | sort | \
		while read -r t what; do printf '  %-11s %s\n' "$$t" "$$what"; done
	@echo "variables: PREFIX DESTDIR CC CFLAGS LDFLAGS POSTGRES SQLITE STEMMER ZLIB B T PROVEFLAGS MODEL FROM MODELS ARCH"
