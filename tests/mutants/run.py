#!/usr/bin/env python3
"""run: which of the mutants of a build do the tests notice? usage: run.py TREE

TREE is what mutate.py made, built in TREE/build. Each mutant is run with the tests of its room, in
the order of the table, until one fails; where none of its room comes by it, with the others, small
ones first. A test is first run once as the sources were, and notes which mutants it comes by, and
only those are run with it. Prints a line for each, and the share that was noticed; status 1 when it
is under WANT (95) percent.

What was found out is kept in TREE/reached and TREE/results until the mutants are made anew, so that
a run that was cut short goes on. JOBS: tests at a time (1). ROOMS: only those, as
'text store/whole'.
"""
import collections
import concurrent.futures
import glob
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time

TREE = os.path.abspath(sys.argv[1])
JOBS, WANT = int(os.environ.get('JOBS') or 1), float(os.environ.get('WANT') or 95)
# What make was called with is not the tests': they have a SEED and an N of their own.
OURS = {'JOBS', 'ROOMS', 'WANT', 'N', 'SEED', 'MAKEFLAGS', 'MAKEOVERRIDES', 'MFLAGS', 'MAKELEVEL'}
Mutant = collections.namedtuple('Mutant', 'no file line what text')


def read_mutants():
    with open(os.path.join(TREE, 'mutants'), encoding='utf-8') as f:
        rows = [line.rstrip('\n').split('\t', 4) for line in f]
    return [Mutant(int(r[0]), *r[1:]) for r in rows]


def room_of(path):
    parts = path.split('/')
    if parts[0] == 'bin':
        return 'bin'
    return '/'.join(parts[1:-1]) if parts[1] == 'store' else parts[1]


def tests_of(m, rooms):
    """Units first, the module's own before all; then the programs of the room."""
    module = os.path.basename(m.file)[:-2]
    names = [module] + [n for n in rooms.get(room_of(m.file), []) if n != module]
    if room_of(m.file) == 'bin':
        # a program has tests of its own, whose names end as its name does
        end = module.replace('mem-', '')
        names = rooms.get('bin/' + module) or [n for n in names if n.endswith('-' + end)] or names
    found = []
    for n in names:
        unit = os.path.join(TREE, 'build/tests/unit', n + '_test')
        script = os.path.join(TREE, 'tests', n + '.t')
        found += [p for p in (unit, script) if os.path.exists(p)]
    return found


def run(test, limit, **more):
    """(status, seconds) of a test; None when it took longer than limit."""
    env = {k: v for k, v in os.environ.items() if k not in OURS}
    env.update(more, B=os.path.join(TREE, 'build'), MEM_TEST_STOP='1',
               MEM_TEST_SECONDS=str(int(limit)))
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as here:
        p = subprocess.Popen(['sh', os.path.join(TREE, 'tests/tools/exec'), test], cwd=here,
                             env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, start_new_session=True)
        try:
            said, _ = p.communicate(timeout=limit)
            status = p.returncode
        except subprocess.TimeoutExpired:
            status, said = None, b''
        try:
            os.killpg(p.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        if status is None:
            p.wait()
    why = [line for line in said.decode('utf-8', 'replace').split('\n')
           if line.startswith('not ok')]
    return status, time.monotonic() - start, why[0] if why else ''


def weight(test):
    """Units before programs, small ones before large ones."""
    return test.endswith('.t'), os.path.getsize(test)


def base_of(test):
    return os.path.basename(test).replace('_test', '')


def reach(test, n):
    """(seconds, mutants it comes by) of a test as the sources were; None when it fails."""
    kept = os.path.join(TREE, 'reached', os.path.basename(test))
    if not os.path.exists(kept):
        seen = kept + '.seen'
        with open(seen, 'wb') as f:
            f.truncate(65536)
        status, took, why = run(test, 3600, MUTANT_SEEN=seen, MUTANT='0')
        with open(seen, 'rb') as f:
            bits = f.read()
        os.unlink(seen)
        with open(kept + '.new', 'w') as f:
            print(status if status is not None else 'late', took, why, sep='\t', file=f)
            print(*[i for i in range(1, n + 1) if bits[i]], file=f)
        os.rename(kept + '.new', kept)
    with open(kept) as f:
        head, rest = f.readline().rstrip('\n').split('\t'), f.readline()
    if head[0] != '0':
        print(f'{base_of(test)} fails as it is: {head[2]}', file=sys.stderr)
        return None
    return float(head[1]), {int(i) for i in rest.split()}


def keep(m, said):
    kept = os.path.join(TREE, 'results', str(m.no))
    with open(kept + '.new', 'w') as f:
        print(said, file=f)
    os.rename(kept + '.new', kept)
    return said


def judge(m, tests, locks, n):
    kept = os.path.join(TREE, 'results', str(m.no))
    if os.path.exists(kept):
        return open(kept).read().rstrip('\n')
    by = []
    for part in tests:
        for test in part:
            with locks[test]:
                got = reach(test, n)
            if got is None or m.no not in got[1]:
                continue
            by.append(base_of(test))
            # a loop without end is noticed by the time, which a busy machine must not use up
            status, _, why = run(test, 60 + 20 * got[0], MUTANT=str(m.no))
            if status != 0:
                return keep(m, f'noticed\t{base_of(test)}: ' + (
                    'no end' if status is None else why or f'status {status}'))
        if by:
            break
    return keep(m, 'unnoticed\t' + (' '.join(by) or 'no test comes by it'))


def main():
    mutants = read_mutants()
    only = os.environ.get('ROOMS', '').split()
    wanted = [m for m in mutants if not only or room_of(m.file) in only]
    rooms = {}
    with open(os.path.join(TREE, 'tests/mutants/rooms'), encoding='utf-8') as f:
        for line in f:
            if line.startswith('\t'):
                rooms[room] += line.split()
            elif not line.startswith('#'):
                room, names = line.split(':')
                rooms[room] = names.split()
    for name in ('reached', 'results'):
        os.makedirs(os.path.join(TREE, name), exist_ok=True)
    every = sorted(glob.glob(os.path.join(TREE, 'build/tests/unit/*_test')) +
                   glob.glob(os.path.join(TREE, 'tests/*.t')), key=weight)
    tests = {}
    for m in mutants:
        own = tests_of(m, rooms)
        tests[m.no] = own, [t for t in every if t not in own]
    locks = {t: threading.Lock() for t in every}
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        results = pool.map(lambda m: judge(m, tests[m.no], locks, len(mutants)), wanted)
        n = collections.Counter()
        for m, said in zip(wanted, results):
            verdict, why = said.split('\t')
            n[verdict] += 1
            print(f'{verdict}\t{m.file}:{m.line}\t{m.what}\t{m.text}\t{why}', flush=True)
    share = 100 * n['noticed'] / max(1, len(wanted))
    print(f'{n["noticed"]} of {len(wanted)} noticed: {share:.1f} %')
    return share < WANT


if __name__ == '__main__':
    sys.exit(main())
