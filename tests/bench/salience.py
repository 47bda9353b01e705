#!/usr/bin/env python3
"""Learns schema/heads/summary.txt: which pieces of sentences a summary of their session must have.

usage: salience.py [--without SESSION,...] FOLDER... <FEATURES >schema/heads/summary.txt

FEATURES come from salience_tool (compiled as tests/bench/run compiles its tools), which reads the
messages of the FOLDERs' sessions, one after another. A FOLDER holds *-sessions, *-points and
*-facts.ndjson or .ndjson.gz (sessions.py has the grammar). A piece is as good as the share of a key
point's words that it has; one that states a fact is as good as FACT of its importance. Logistic
regression with squared weights as penalty. --without leaves sessions out. Needs numpy and scipy.
"""
import argparse
import collections
import glob
import gzip
import json
import sys
import numpy as np
from scipy.optimize import minimize

PENALTY, FACT = 3., .6

ap = argparse.ArgumentParser()
ap.add_argument('--without', default='')
ap.add_argument('folders', nargs='+')
a = ap.parse_args()


def load(what):
	for folder in a.folders:
		for path in sorted(glob.glob(f'{folder}/*-{what}.ndjson*')):
			with (gzip.open if path.endswith('.gz') else open)(path, 'rb') as f:
				yield from map(json.loads, f)


content = {t['id']: t['content'].encode() for t in load('sessions')}
points, facts = collections.defaultdict(list), collections.defaultdict(list)
for p in load('points'):
	for m in p['messages']:
		points[m].append([t.casefold() for t in p['terms']])
for f in load('facts'):
	begin = content[f['message']].find(f['quote'].encode())
	facts[f['message']].append((begin, begin + len(f['quote'].encode()), f['importance']))


def goal(s):
	begin, end = s['start'], s['start'] + s['length']
	text = content[s['id']][begin:end].decode(errors='ignore').casefold()
	best = max((sum(t in text for t in terms) / len(terms) for terms in points[s['id']]),
		default=0)
	for start, stop, importance in facts[s['id']]:
		both = min(end, stop) - max(begin, start)
		if both > 0 and (both >= .5 * (stop - start) or both >= .5 * (end - begin)):
			best = max(best, FACT * importance)
	return best


pieces = [s for s in map(json.loads, sys.stdin) if s['session'] not in a.without.split(',')]
names = sorted({n for s in pieces for n in s['x']})
at = {n: i for i, n in enumerate(names)}
x, y = np.zeros((len(pieces), len(names))), np.array([goal(s) for s in pieces])
for row, s in zip(x, pieces):
	for n, v in s['x'].items():
		row[at[n]] = v


def loss(w):
	z = x @ w[:-1] + w[-1]
	g = 1 / (1 + np.exp(-z)) - y
	return (np.logaddexp(0, z) - y * z).sum() + .5 * PENALTY * (w[:-1] ** 2).sum(), \
		np.append(x.T @ g + PENALTY * w[:-1], g.sum())


w = minimize(loss, np.zeros(len(names) + 1), jac=True, method='L-BFGS-B').x
print('# Whether a summary of its session must have a piece of a sentence (lib/summary/salience.h).')
print(f'# Learnt by tests/bench/salience.py on {len(pieces)} pieces. lib/math/head.h has the grammar.')
print('section words\nthreshold 0.2\nbias %.3f' % w[-1])
for name, v in zip(names, w):
	if abs(v) >= .01:
		print('weight %s %.3f' % (name, v))
