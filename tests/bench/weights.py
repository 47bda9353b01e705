#!/usr/bin/env python3
"""weights.py: learns the weights of schema/heads/profile.txt from the signals that tests/bench/weights.sh
has written (signals_tool.c), and says what each signal is worth.

usage: weights.py [--tables] [--only KIND] DIR

DIR has a file SET.MODEL for each labelled set and each model (words: none). Prints, for each kind
of session with and without vectors: how well what was learnt finds, on each set, fitted and with
one part left out at a time (a conversation, or a fifth of the questions where there is one
conversation; for the unknown kind, which is for texts that are like none of these, a whole set with
all that shares its texts); then the weights as the file holds them. --tables: also nDCG@10 by each
signal alone, and what is lost when it is taken out and all others are learnt again, a set a column.

Learning: listwise softmax, each relevant turn against all that are not; questions of a category
share its weight, categories weigh alike, sets as the table below says; squared weights times l2 are
the penalty, and a signal of something found never counts against a turn. Both models' signals are
learnt from together, so that weights serve either.

The unknown kind has a hundred times the penalty. With little of it, weights are learnt that tell
ten sets apart by length or neighbours and ruin the eleventh. Needs numpy and scipy.
"""
import argparse
import collections
import json
import os
import numpy as np
from scipy.optimize import minimize

# of the others .002
L2 = {'unknown': .15, 'unknown+dense': .15, 'chat': .001, 'chat+dense': .001}
FOLDS = 5

LEX = 'turn window session coverage code head'.split()
CHAT = LEX + 'coverage_2 reply speaker date question length length_2 second when who numbers capitals coverage_before'.split()
ASSISTANT = LEX + 'next head_next user length length_2 who strong standing numbers'.split()
NOTES = 'turn window session coverage coverage_2 all head reply question length length_2 second when who passage'.split()
UNKNOWN = NOTES + ['user']
FOUND = set('turn window session coverage coverage_2 all head reply when who passage dense dense_window dense_session dense_user'.split())
# only one set has any: no other could say what it is worth
ALONE = {'code': 2., 'speaker': 1., 'date': 2., 'part': 2., 'named': -1.1, 'things': .5}
# with vectors 1; tried: who the first hit is, the other weights say
FIRST = {'bridge': 1.5}

NOTE_SETS = {'u-locomo': 1.5, 'u-beam-100k': 1.5, 'memdaily-zh': 1, 'cranfield': 1.5, 'cosqa': 5,
	'u-code-words': .3, 'u-code-id': .3, 'facts': .7, 'answers': .7, 'preferences': .7}
# whose texts or questions they share
TEXTS = {'u-code-words': 'u-beam-100k', 'u-code-id': 'u-beam-100k', 'facts': 'u-locomo'}

# kind: sets and what each weighs, signals, weights that these sets cannot teach. A set that begins
# with u- is a chat or a log scored as of the unknown kind.
KINDS = {
	'unknown': ({**NOTE_SETS, 'cranfield': 4, 'cosqa': 4}, NOTES, {**ALONE, **FIRST}),
	'chat': ({'locomo': 1}, CHAT, {'code': 2., 'part': 2., 'things': .98,
		'prompt_speaker': -.37}),
	'assistant': ({'beam-100k': 1, 'code-words': .2, 'code-id': .2}, ASSISTANT,
		{'speaker': 1., 'date': 2., 'part': 2., 'named': -1.95}),
	'unknown+dense': (NOTE_SETS,
		UNKNOWN + 'dense dense_window dense_session dense_user'.split(),
		{**ALONE, 'bridge': 1., 'named': -1.65, 'dense_code': 5., 'dense_alone': 2.}),
	'chat+dense': ({'locomo': 1}, CHAT + 'dense dense_window dense_session dense_near both both_window speaker_before'.split(),
		{'code': 2., 'part': 2., 'things': .9, 'prompt_speaker': -.33,
			'prompt_capitals': -.1, 'dense_alone': 1.}),
	'assistant+dense': ({'beam-100k': 1, 'code-words': .2, 'code-id': .2},
		ASSISTANT + 'dense dense_window dense_session dense_user'.split(),
		{'speaker': 1., 'date': 2., 'part': 2., 'named': -2., 'dense_alone': .5}),
}
FILES = {'code-words': 'code-query_words', 'code-id': 'code-query'}


class Question:
	__slots__ = 'x rel rows n_relevant category part'.split()


def read(path, number):
	"""The questions of a file; number: the part of each conversation."""
	out = []
	with open(path, 'rb') as f:
		names = json.loads(f.readline())['signals']
		while line := f.readline():
			h, q = json.loads(line), Question()
			q.rel = np.frombuffer(f.read(h['n']), np.uint8).astype(bool)
			q.rows = np.frombuffer(f.read(8 * h['n']), np.int64)
			q.x = np.frombuffer(f.read(4 * h['n'] * len(names)),
				np.float32).reshape(h['n'], len(names))
			q.n_relevant, q.category = h['relevant'], h['category']
			q.part = number.setdefault(h['user'], len(number))
			out.append(q)
	if len({q.part for q in out}) == 1:
		for i, q in enumerate(out):
			q.part = i % FOLDS
	elif len({q.part for q in out}) > 50:
		for q in out:
			q.part %= FOLDS
	return names, out


def dcg(rel):
	return (rel / np.log2(np.arange(2, len(rel) + 2))).sum()


def order(s, n=10):
	"""The n best by scores s."""
	return np.argsort(-s, kind='stable')[:n]


class Measure:
	def __init__(self):
		self.by, self.mrr, self.r10 = collections.defaultdict(list), [], []

	def add(self, q, top):
		rel = q.rel[top]
		self.by[q.category].append(dcg(rel) / dcg(np.ones(min(10, q.n_relevant))))
		hits = np.nonzero(rel)[0]
		self.mrr.append(1 / (1 + hits[0]) if len(hits) else 0)
		self.r10.append(rel.sum() / q.n_relevant)

	def macro(self):
		return np.mean([np.mean(v) for v in self.by.values()])

	def text(self):
		return 'nDCG@10 %.3f  R@10 %.3f  MRR@10 %.3f' % (self.macro(), np.mean(self.r10),
			np.mean(self.mrr))


def measure(questions, w):
	m = Measure()
	for q in questions:
		m.add(q, order(q.x @ w))
	return m


def thin(q, at):
	"""Of many candidates those that some side puts first, every fourth of the others, and the
	relevant ones."""
	keep = q.rel.copy()
	keep[::4] = True
	for n in ('turn', 'coverage', 'dense'):
		keep[np.argsort(-q.x[:, at[n]], kind='stable')[:50]] = True
	out = Question()
	out.x, out.rel, out.category, out.part = q.x[keep], q.rel[keep], q.category, q.part
	return out


def fit(sets, free, given, l2, start=None, bounds=None):
	"""Weights [signals] of the free ones, the given ones as they are; sets: (questions,
	weight)."""
	data = []
	for questions, weight in sets:
		n = collections.Counter(q.category for q in questions if q.rel.any())
		data += [(q.x, q.rel, weight / len(n) / n[q.category]) for q in questions
			if q.rel.any()]
	x = np.concatenate([d[0][:, free] for d in data]).astype(np.float64)
	base = np.concatenate([d[0] @ given for d in data])
	rel = np.concatenate([d[1] for d in data])
	at = np.cumsum([0] + [len(d[1]) for d in data])[:-1]
	of = np.repeat(np.arange(len(data)), [len(d[1]) for d in data])
	share = np.array([d[2] / d[1].sum() for d in data])[of] * rel

	def loss(w):
		s = x @ w + base
		e = np.exp(s - np.maximum.reduceat(s, at)[of])
		total = e + np.add.reduceat(e * ~rel, at)[of]
		p = np.maximum(e / np.maximum(total, 1e-300), 1e-300)
		others = np.add.reduceat(share / np.maximum(total, 1e-300), at)[of]
		return -(share * np.log(p)).sum() + l2 * (w * w).sum(), x.T @ (
			~rel * e * others - share * (1 - p)) + 2 * l2 * w

	w0 = np.zeros(len(free)) if start is None else start[free]
	w = given.astype(np.float64).copy()
	w[free] = minimize(loss, w0, jac=True, method='L-BFGS-B', bounds=bounds,
		options={'maxiter': 200}).x
	return w


def models_in(where):
	return sorted(f.removeprefix('locomo.') for f in os.listdir(where)
		if f.startswith('locomo.') and '.db' not in f and f != 'locomo.words')


class Lesson:
	def __init__(self, kind, where, cache):
		sets, signals, given = KINDS[kind]
		self.kind, self.sets = kind, {}
		for name, weight in sets.items():
			plain = name.removeprefix('u-')
			file = ('u' if name != plain else '') + FILES.get(plain, plain)
			models = [m for m in (models_in(where)
				if kind.endswith('+dense') else ['words'])
				if os.path.exists(f'{where}/{file}.{m}')]
			for m in models:
				if (file, m) not in cache:
					cache[file, m] = read(f'{where}/{file}.{m}',
						cache.setdefault(plain, {}))
				self.names, questions = cache[file, m]
				self.sets[name, m] = (questions, weight / len(models))
		if not self.sets:
			return
		self.at = {n: i for i, n in enumerate(self.names)}
		self.given = np.zeros(len(self.names))
		for n, v in given.items():
			self.given[self.at[n]] = v
		self.free = [self.at[n] for n in signals if n not in given]
		self.by_set = kind.startswith('unknown')
		self.learnt = {k: ([thin(q, self.at) for q in s if q.rel.any()]
			if self.by_set else s, weight) for k, (s, weight) in self.sets.items()}

	def part_of(self, key, q):
		return TEXTS.get(key[0], key[0]) if self.by_set else q.part

	def fit(self, free=None, without=None, start=None):
		free = self.free if free is None else free
		sets = [([q for q in s if self.part_of(k, q) != without]
			if without is not None else s, weight)
			for k, (s, weight) in self.learnt.items()]
		bounds = [(0, None) if self.by_set and self.names[f] in FOUND else (None, None)
			for f in free]
		return fit([s for s in sets if s[0]], free, self.given, L2.get(self.kind, .002),
			start, bounds)

	def parts(self):
		return sorted({self.part_of(k, q) for k, (s, _) in self.sets.items() for q in s})

	def left_out(self, start):
		"""Weights of each part, learnt without it."""
		return {p: self.fit(without=p, start=start) for p in self.parts()}

	def measure_left_out(self, key, by_part):
		m = Measure()
		for q in self.sets[key][0]:
			m.add(q, order(q.x @ by_part[self.part_of(key, q)]))
		return m


def tables(lesson, w):
	keys = list(lesson.sets)
	print('  nDCG@10 by a signal alone (the better of both signs); lost without it: '
		+ ', '.join('/'.join(k) for k in keys))
	base = [measure(lesson.sets[k][0], w).macro() for k in keys]
	for i in lesson.free:
		alone = np.zeros(len(w))
		alone[i] = 1
		a = [max(measure(lesson.sets[k][0], sign * alone).macro() for sign in (1, -1))
			for k in keys]
		less = lesson.fit([f for f in lesson.free if f != i], start=w)
		b = [base[n] - measure(lesson.sets[k][0], less).macro()
			for n, k in enumerate(keys)]
		print('  %-14s %6.2f  alone %s  lost %s' % (lesson.names[i], w[i],
			' '.join('%.3f' % v for v in a), ' '.join('%+.4f' % v for v in b)),
			flush=True)


def others(lesson, w):
	"""Mean and deviation of the sums of turns that do not answer: of each question, then of
	each set, then of all."""
	found = []
	for questions, _ in lesson.sets.values():
		sums = [(q.x @ w)[~q.rel] for q in questions if q.rel.any() and (~q.rel).sum() > 2]
		found.append([np.mean([s.mean() for s in sums]), np.mean([s.std() for s in sums])])
	return np.mean(found, axis=0)


def profile(lesson, w):
	"""A section of schema/heads/profile.txt."""
	rows = ['weight %s %.2f' % (n.replace('_', '-'), v) for n, v in zip(lesson.names, w)
		if abs(v) >= .005]
	return '\n'.join(['section ' + lesson.kind.replace('+', '-')] + rows)


def main():
	ap = argparse.ArgumentParser(description=__doc__.splitlines()[0])
	ap.add_argument('dir')
	ap.add_argument('--tables', action='store_true')
	ap.add_argument('--only', action='append')
	a = ap.parse_args()
	cache, entries = {}, []
	for kind in KINDS:
		if a.only and kind not in a.only:
			continue
		lesson = Lesson(kind, a.dir, cache)
		if not lesson.sets:
			print(f'{kind}: left out, no signals of a model in {a.dir}')
			continue
		w = lesson.fit()
		by_part = lesson.left_out(w)
		print(f'{kind}: {len(lesson.parts())} parts, {len(lesson.free)} signals')
		losses = []
		for k in lesson.sets:
			fitted = measure(lesson.sets[k][0], w)
			out = lesson.measure_left_out(k, by_part)
			losses.append(fitted.macro() - out.macro())
			print('  %-22s fitted  %s' % ('/'.join(k), fitted.text()))
			print('  %-22s left out %s' % ('', out.text()), flush=True)
		print('  lost where left out: mean %.4f, worst %.4f' % (np.mean(losses),
			max(losses)))
		signs = [lesson.names[i] for i in lesson.free
			if min(v[i] for v in by_part.values())
			* max(v[i] for v in by_part.values()) < 0]
		print('  no steady sign: ' + (' '.join(signs) or 'none'))
		if a.tables:
			tables(lesson, w)
		print('  turns that do not answer: mean %.2f, deviation %.2f' %
			tuple(others(lesson, w)))
		entries.append(profile(lesson, w))
	print('\n'.join(entries))


if __name__ == '__main__':
	main()
