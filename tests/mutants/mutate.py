#!/usr/bin/env python3
"""mutate: N one-line changes of the sources, all compiled into one build, each behind its number.

usage: mutate.py ROOT TREE N SEED [EQUIVALENT]

TREE becomes a copy of ROOT in which some lines read "mutant(17) ? CHANGED : AS IT WAS"; the
variable MUTANT in the environment chooses. TREE/mutants lists them, a line each: number, file,
line, what was changed, the line as it was. The same seed gives the same changes of the same
sources; each room has some, and the larger ones more.

Left out by rule, as no test can notice them: calls that only give back memory, and what is listed
in EQUIVALENT (file, line as it was, change; tabs between them; then a line with the reason).
"""
import math
import os
import random
import re
import shutil
import sys

RELATIONS = {' < ': ' <= ', ' <= ': ' < ', ' > ': ' >= ', ' >= ': ' > ', ' == ': ' != ',
             ' != ': ' == '}
JUNCTIONS = {' && ': ' || ', ' || ': ' && '}
GIVES_BACK = re.compile(r'(\w*_)?(free|release|close|reset|clear|drop|unlock|destroy|advise)$')
CONDITION = re.compile(r'^(\t+(?:\} else )?(?:if|while) )\((.*)\)( \{| continue;| break;|'
                       r' return [^;]*;|)$')
RETURN = re.compile(r'^(\t+return )(.+);$')
CALL = re.compile(r'^(\t+)((\w+)\(.*\));$')
ASSIGN = re.compile(r'^(\t+[\w>.\[\]*-]+ [+-]?= )(.+);$')
HEAD = """#include <stdlib.h>
extern int mutant_no;
extern unsigned char *mutant_seen;
static inline __attribute__((unused)) int
mutant(int n)
{
	if (mutant_seen != NULL)
		mutant_seen[n] = 1;
	return mutant_no == n;
}
"""
BODY = """#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include "mutant.h"
int mutant_no = -1;
unsigned char *mutant_seen;
__attribute__((constructor)) static void
mutant_start(void)
{
	const char *no = getenv("MUTANT"), *seen = getenv("MUTANT_SEEN");
	int fd = seen == NULL ? -1 : open(seen, O_RDWR | O_CLOEXEC);
	void *p = fd < 0 ? MAP_FAILED : mmap(NULL, 65536, PROT_WRITE, MAP_SHARED, fd, 0);

	if (no != NULL)
		mutant_no = atoi(no);
	if (p != MAP_FAILED)
		mutant_seen = p;
	if (fd >= 0)
		close(fd);
}
"""


def masked(line):
    """The line with literals and comments blanked, of the same length."""
    line = re.sub(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'', lambda m: '_' * len(m.group()), line)
    return re.sub(r'/\*.*?\*/', lambda m: '_' * len(m.group()), line)


def balanced(text):
    depth = 0
    for c in text:
        depth += (c == '(') - (c == ')')
        if depth < 0:
            return False
    return depth == 0


def edits(expr, blind):
    """Changed forms of an expression, and what each is called."""
    for table, name in ((RELATIONS, 'relation'), (JUNCTIONS, 'junction')):
        for old, new in table.items():
            for m in re.finditer(re.escape(old), blind):
                yield (f'{name} {old.strip()} to {new.strip()}',
                       expr[:m.start()] + new + expr[m.end():])
    # one more or less of memory is not seen but by a sanitizer
    for m in [] if 'alloc' in blind else re.finditer(r' ([+-]) 1\b(?![.\w])', blind):
        yield 'off by one', expr[:m.start()] + expr[m.end():]
    for m in re.finditer(r'(?<= [<>] )\d+\b(?![.\w])|(?<= [<>=]= )\d+\b(?![.\w])', blind):
        yield 'off by one', expr[:m.start()] + str(int(m.group()) + 1) + expr[m.end():]


def changes_of(line):
    """(what, mutated line with NO for the number) of each way to change a line."""
    blind = masked(line)
    if m := CONDITION.match(blind):
        a, b = m.span(2)
        if not balanced(blind[a:b]):
            return
        cond = line[a:b]
        forms = list(edits(cond, blind[a:b])) + [('negated', f'!({cond})')]
        for what, form in forms:
            yield what, f'{line[:a]}mutant(NO) ? ({form}) : ({cond}){line[b:]}'
    elif m := RETURN.match(blind):
        a, b = m.span(2)
        if not balanced(blind[a:b]):
            return
        expr = line[a:b]
        swap = {'0': '-1', '-1': '0', 'true': 'false', 'false': 'true', '1': '0'}.get(expr)
        forms = [(f'returns {swap}', swap)] if swap else list(edits(expr, blind[a:b]))
        for what, form in forms:
            yield what, f'{line[:a]}mutant(NO) ? ({form}) : ({expr});'
    elif m := CALL.match(blind):
        call = line[m.start(2):m.end(2)]
        if balanced(blind[m.start(2):m.end(2)]) and not GIVES_BACK.match(m.group(3)) and \
                m.group(3) not in ('va_end', 'va_start', 'va_copy', 'err_set', 'sizeof'):
            yield 'dropped', f'{m.group(1)}mutant(NO) ? (void)0 : (void)({call});'
    elif m := ASSIGN.match(blind):
        a, b = m.span(2)
        if balanced(blind[a:b]) and '{' not in blind:
            for what, form in edits(line[a:b], blind[a:b]):
                yield what, f'{line[:a]}(mutant(NO) ? ({form}) : ({line[a:b]}));'


def sites(path):
    """(line number, line, changes) of the lines of a file's functions."""
    comment = macro = inside = False
    before = ''
    for no, line in enumerate(open(path, encoding='utf-8').read().split('\n')):
        skip = comment or macro or line.startswith('#')
        macro = (macro or line.startswith('#')) and line.endswith('\\')
        if not comment and '/*' in line and '*/' not in line:
            comment = skip = True
        elif comment and '*/' in line:
            comment = False
        if line == '{':
            inside = True
        elif line == '}':
            inside = False
        # a line that goes on, or goes on from the one before, is no statement of its own
        whole = re.search(r'[;{}:/]$|^\s*$|\)$|^\s*else$', before) is not None
        if inside and not skip and whole:
            changes = list(changes_of(line))
            if changes:
                yield no, line, changes
        if not comment and line.strip():
            before = line


def room_of(path):
    parts = path.split('/')
    if parts[0] == 'bin':
        return 'bin'
    return '/'.join(parts[1:3]) if parts[1] == 'store' else parts[1]


def main():
    root, tree, n, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    known = set()
    if len(sys.argv) > 5:
        for line in open(sys.argv[5], encoding='utf-8'):
            if line.strip() and line[0] not in '#\t':
                known.add(tuple(line.rstrip('\n').split('\t')[:3]))
    rng = random.Random(seed)
    rooms = {}
    for top in ('lib', 'bin'):
        for at, dirs, files in os.walk(os.path.join(root, top)):
            dirs.sort()
            for f in sorted(files):
                path = os.path.relpath(os.path.join(at, f), root)
                # other processors' code is not run here
                if f.endswith('.c') and '/kernels/' not in path and 'x86' not in path:
                    for no, line, changes in sites(os.path.join(root, path)):
                        rooms.setdefault(room_of(path), []).append((path, no, line, changes))
    # each room its share: the square root of its size, so that a small one is seen, too
    weight = {r: len(s) ** .5 for r, s in rooms.items()}
    chosen = []
    for r in sorted(rooms):
        share = math.ceil(n * weight[r] / sum(weight.values()))
        rng.shuffle(rooms[r])
        kept = 0
        for path, no, line, changes in rooms[r]:
            what, form = rng.choice(changes)
            if kept < share and (path, line.strip(), what) not in known:
                chosen.append((path, no, line, what, form))
                kept += 1
    rng.shuffle(chosen)
    chosen = chosen[:n]
    # with new times: what was compiled of the mutants before is no longer so. The tests are copied,
    # too: a run lasts hours, in which they may become those of other sources
    for name in ('lib', 'bin', 'doc', 'man', 'schema', 'tests', 'packaging'):
        to = os.path.join(tree, name)
        os.unlink(to) if os.path.islink(to) else shutil.rmtree(to, ignore_errors=True)
        shutil.copytree(os.path.join(root, name), to, symlinks=True, copy_function=shutil.copy)
    for name in ('Makefile', 'README.md', 'LICENSE'):
        to = os.path.join(tree, name)
        if not os.path.lexists(to):
            os.symlink(os.path.join(root, name), to)
    by_file = {}
    with open(os.path.join(tree, 'mutants'), 'w', encoding='utf-8') as out:
        for k, (path, no, line, what, form) in enumerate(chosen, 1):
            by_file.setdefault(path, []).append((no, form.replace('mutant(NO)', f'mutant({k})')))
            print(k, path, no + 1, what, line.strip(), sep='\t', file=out)
    for path, forms in by_file.items():
        lines = open(os.path.join(root, path), encoding='utf-8').read().split('\n')
        for no, form in forms:
            lines[no] = form
        text = '\n'.join(lines)
        # behind the first include, so that macros which choose a standard stay first
        text = re.sub(r'^#\s*include', '#include "mutant.h"\n#include', text, count=1, flags=re.M)
        if '#include "mutant.h"' not in text:
            text = '#include "mutant.h"\n' + text
        open(os.path.join(tree, path), 'w', encoding='utf-8').write(text)
    open(os.path.join(tree, 'lib/mutant.h'), 'w').write(HEAD)
    open(os.path.join(tree, 'lib/base/mutant.c'), 'w').write(BODY)
    print(f'{len(chosen)} changes in {len(by_file)} files')


if __name__ == '__main__':
    main()
