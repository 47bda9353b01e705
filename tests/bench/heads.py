#!/usr/bin/env python3
"""heads.py: learns the head that decides what is a fact (schema/heads/fact.txt), or shows what it
finds.

usage: heads.py [--write FILE] [--model NAME ...] DIR

DIR has the labelled sets (../shared/data/dev). facts_tool (tests/bench/heads.sh builds it) and
mem-embed are on PATH. A clause of a user's turn is a fact when at least half of it, or of a marked
quote, lies in the other. Learnt from: gold's sessions and
fixtures/sessions/sessions.txt, and statements.txt beside this file; and with a
third of the weight, and an offset each that is not kept: single memories, statements and
preferences, which are facts, and prompts and commands, which are none. Logistic regression with
squared weights as penalty; of a vector its difference to the mean, folded into the bias.

Printed, for words and each model: recall and precision of the sessions of people who were left out,
by threshold; and messages of LoCoMo, of which nothing is learnt: the share of those with a marked
fact from which one was taken, and of those taken that are marked. The threshold that is written is
the lowest at which PRECISION of what is taken from people left out is marked. Clauses for which
their author does not vouch are never taken (facts_tool.c).
Needs numpy and scipy.
"""
import argparse
import collections
import gzip
import json
import os
import subprocess
import sys
import tempfile
import numpy as np
from scipy.optimize import minimize

# as it takes to have three of four right in chats
PRECISION = .79
L2 = {'words': 5., 'vector': 10.}
VECTOR_SCALE = 4.
EXTRA_WEIGHT = .3
OWN_WEIGHT = 1.5
ONES = (('gold/topics', 'text', 1), ('gold/pairs', 'a', 1), ('gold/pairs', 'b', 1),
	('prefeval/pairs', 'preference', 1), ('gold/gate', 'prompt', 0),
	('cluster/clinc150', 'text', 0))


def load(name):
	with gzip.open(os.path.join(args.dir, name + '.ndjson.gz'), 'rt') as f:
		return [json.loads(line) for line in f]


def load_own(folder, name):
	with open(os.path.join(folder, name + '.ndjson')) as f:
		return [json.loads(line) for line in f]


def run(command, records):
	text = ''.join(json.dumps(r, ensure_ascii=False) + '\n' for r in records)
	out = subprocess.run(command, input=text, text=True, check=True, capture_output=True).stdout
	return [json.loads(line) for line in out.splitlines()]


def talks_of(turns):
	"""The sessions in which people talk with each other, and no assistant."""
	names, helped = collections.defaultdict(set), set()
	for t in turns:
		names[t.get('session')].add(t.get('name') or '')
		if t.get('role') == 'assistant':
			helped.add(t.get('session'))
	return {s for s, n in names.items() if s is not None and len(n - {''}) > 1} - helped


def cut(turns, **more):
	"""The clauses of turns, with their place in characters."""
	talks = talks_of(turns)
	clauses = run(['facts_tool'], [{'session': t.get('session', str(i)),
		'content': t['content'], 'project': t.get('project') or '',
		'role': t.get('role', 'user'), 'talk': int(t.get('session') in talks)}
		for i, t in enumerate(turns)])
	for c in clauses:
		turn = turns[c['line'] - 1]
		c['begin'] = len(turn['content'].encode()[:c['start']].decode(errors='ignore'))
		c['end'] = c['begin'] + len(c['text'])
		c.update(more, turn=turn)
	return clauses


def sessions():
	"""Turns of users as clauses with y, the people they are of, and what facts they touch."""
	out, n_facts = [], {}
	here = os.path.dirname(os.path.abspath(__file__))
	with tempfile.TemporaryDirectory() as own:
		subprocess.run([sys.executable, here + '/sessions.py',
			here + '/../fixtures/sessions/sessions.txt', own],
			check=True)
		sets = [(kind, load(f'gold/{kind}-sessions'), load(f'gold/{kind}-facts'))
			for kind in ('chat', 'work')] + [('own ' + kind,
			load_own(own, kind + '-sessions'), load_own(own, kind + '-facts'))
			for kind in ('chat', 'work')]
	for kind, turns, facts in sets:
		n_facts[kind] = len(facts)
		content = {t['id']: t['content'] for t in turns}
		repeated = {m for f in facts for m in f.get('also', [])}
		of = collections.defaultdict(list)
		for i, f in enumerate(facts):
			begin = content[f['message']].find(f['quote'])
			of[f['message']].append((begin, begin + len(f['quote']), i))
		for c in cut(turns, kind=kind, set='sessions'):
			if c['turn']['role'] != 'user':
				continue
			c['touches'] = []
			for begin, end, i in of[c['turn']['id']]:
				both = min(end, c['end']) - max(begin, c['begin'])
				if both > 0 and (both >= .5 * (end - begin) or
						both >= .5 * (c['end'] - c['begin'])):
					either = max(end, c['end']) - min(begin, c['begin'])
					c['touches'].append((both / either, i))
			c['y'] = len(c['touches']) > 0
			c['right'] = c['y'] or c['turn']['id'] in repeated
			out.append(c)
	return out, n_facts


def people(clauses):
	"""Numbers groups of sessions that share a person or a project."""
	parent = {}

	def root(a):
		while parent.setdefault(a, a) != a:
			a = parent[a]
		return a
	for c in clauses:
		for key in c['turn'].get('name'), c['turn'].get('project'):
			if key:
				parent[root('by ' + key)] = root(c['turn']['session'])
	return np.array([sorted({root(c['turn']['session']) for c in clauses}).index(
		root(c['turn']['session'])) for c in clauses])


def score(clauses, take, n_facts):
	"""Recall and precision: a fact found counts for one marked fact."""
	pairs = sorted(((v, i, k) for k, c in enumerate(clauses) if take[k]
		for v, i in c['touches']), reverse=True)
	facts, used = set(), set()
	for _, i, k in pairs:
		if i not in facts and k not in used:
			facts.add(i)
			used.add(k)
	n = sum(take)
	right = sum(c['right'] for c, t in zip(clauses, take) if t)
	return len(facts) / n_facts, right / max(1, n)


def learn(x, y, weight, penalty):
	def loss(w):
		z = x @ w[:-1] + w[-1]
		p = 1 / (1 + np.exp(-z))
		g = weight * (p - y)
		return (weight * (np.logaddexp(0, z) - y * z)).sum() + \
			.5 * (penalty * w[:-1] ** 2).sum(), \
			np.append(x.T @ g + penalty * w[:-1], g.sum())
	return minimize(loss, np.zeros(x.shape[1] + 1), jac=True, method='L-BFGS-B',
		options={'maxiter': 1000}).x


class Data:
	def __init__(self, model):
		self.clauses, self.n_facts = sessions()
		self.extra = []
		for name, key, y in ONES:
			some = [r for r in load(name) if r.get('topic', 'x')]
			step = 6 if 'clinc' in name else 1
			self.extra += cut([{'content': r[key]} for r in some[::step]],
				set=name, y=y)
		here = os.path.dirname(os.path.abspath(__file__))
		with open(os.path.join(here, 'statements.txt')) as f:
			lines = [line.strip() for line in f if line[0] in '+-']
		for y, sign in enumerate('-+'):
			own = [{'content': line[2:]} for line in lines if line[0] == sign]
			self.extra += cut(own, set='own', y=y)
		turns = [{'session': m['conv'] + m['session'], 'id': m['conv'] + m['id'],
			'name': m['speaker'], 'content': m['text']}
			for m in load('locomo/messages')]
		self.locomo = cut(turns, set='locomo')
		self.marked = {f['conv'] + e for f in load('locomo/facts') for e in f['evidence']}
		everything = self.clauses + self.extra + self.locomo
		self.names = sorted({n for c in everything for n in c['x']})
		self.offsets = sorted({c['set'] for c in self.extra} - {'own'})
		self.mean = None
		if model != 'words':
			texts = sorted({c['text'] for c in everything})
			records = run(['mem-embed', '--filter', '--model', model],
				[{'text': t} for t in texts])
			vectors = dict(zip(texts, (np.array(r['vec']) for r in records)))
			for c in everything:
				c['v'] = vectors[c['text']]
			self.mean = np.mean([c['v'] for c in self.clauses], axis=0)
			self.scale = VECTOR_SCALE / np.sqrt(np.mean(
				[((c['v'] - self.mean) ** 2).sum() for c in self.clauses]))

	def rows(self, clauses):
		at = {n: i for i, n in enumerate(self.names)}
		x = np.zeros((len(clauses), len(self.names)))
		offset = np.zeros((len(clauses), len(self.offsets)))
		for r, c in enumerate(clauses):
			x[r, [at[n] for n in c['x']]] = 1
			if c['set'] in self.offsets:
				offset[r, self.offsets.index(c['set'])] = 3
		if self.mean is not None:
			v = np.array([c['v'] for c in clauses])
			x = np.hstack([x, (v - self.mean) * self.scale])
		return np.hstack([x, offset])


def study(model):
	d = Data(model)
	x, extra = d.rows(d.clauses), d.rows(d.extra)
	y = np.array([c['y'] for c in d.clauses], float)
	group = people(d.clauses)
	penalty = np.full(x.shape[1], L2['words'])
	penalty[len(d.names):] = L2['vector']
	ey = np.array([c['y'] for c in d.extra], float)
	ew = np.array([OWN_WEIGHT if c['set'] == 'own' else EXTRA_WEIGHT for c in d.extra])

	def fit(which):
		return learn(np.vstack([x[which], extra]), np.append(y[which], ey),
			np.append(np.ones(which.sum()), ew), penalty)
	p = np.zeros(len(y))
	for g in set(group):
		w = fit(group != g)
		p[group == g] = 1 / (1 + np.exp(-(x[group == g] @ w[:-1] + w[-1])))
	w = fit(group >= 0)
	q = 1 / (1 + np.exp(-(d.rows(d.locomo) @ w[:-1] + w[-1])))
	threshold = None
	print(f'{model}: left out: recall, precision of chat; of work; of own'
		' chats; own work; LoCoMo')
	for t in np.arange(.5, .9, .0125):
		line = [score([c for c in d.clauses if c['kind'] == kind],
			[a > t for a, c in zip(p, d.clauses) if c['kind'] == kind], n)
			for kind, n in d.n_facts.items()]
		taken = {c['turn']['id'] for c, a in zip(d.locomo, q) if a > t}
		line.append((len(taken & d.marked) / len(d.marked),
			len(taken & d.marked) / max(1, len(taken))))
		of_all = sum(c['right'] for c, a in zip(d.clauses, p) if a > t) / max(1, (p > t).sum())
		if threshold is None and of_all >= PRECISION:
			threshold = t
		print('%6.4f  ' % t + '   '.join('%.3f %.3f' % pair for pair in line)
			+ ('  <' if t == threshold else ''))
	for lang in sorted({c['turn']['lang'] for c in d.clauses}):
		some = [(c, a > threshold) for c, a in zip(d.clauses, p)
			if c['turn']['lang'] == lang]
		print(f'  {lang}: precision %.3f, marked clauses found %.3f' % (
			sum(c['right'] for c, a in some if a) / max(1, sum(a for _, a in some)),
			sum(c['y'] for c, a in some if a) / sum(c['y'] for c, _ in some)))
	return section(model, d, w, threshold)


def section(model, d, w, threshold):
	"""As math/head.h reads it; what is subtracted from a vector goes into the bias."""
	n = len(d.names)
	bias, lines = w[-1], []
	if d.mean is not None:
		v = w[n:n + len(d.mean)] * d.scale
		bias -= v @ d.mean
		for i in range(0, len(v), 12):
			lines.append('vector ' + ' '.join('%.3g' % a for a in v[i:i + 12]))
	return [f'section {model}', 'threshold %.4f' % threshold, 'bias %.4g' % bias] + [
		f'weight {name} %.3g' % a for name, a in zip(d.names, w) if abs(a) >= .005] + lines


parser = argparse.ArgumentParser()
parser.add_argument('--write', default='')
parser.add_argument('--model', action='append', default=[])
parser.add_argument('dir')
args = parser.parse_args()
sections = [study(model) for model in ['words'] + args.model]
if args.write:
	with open(args.write, 'w') as f:
		f.write('# Whether a clause says something lasting: learnt by tests/bench/heads.sh; '
			'lib/math/head.h has the grammar.\n')
		for s in sections:
			f.write('\n' + '\n'.join(s) + '\n')
