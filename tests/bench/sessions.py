#!/usr/bin/env python3
"""sessions.py: turns the labelled sessions of sessions.txt into the files that are learnt and
measured from.

usage: sessions.py SESSIONS FOLDER

SESSIONS has a session a paragraph:

	= N01 chat en assistant 2025-02-03T19:10 PROJECT    name, set, language, form, time
	Ann: hi. [[i live in Galway|fact|.9]], and you?     a turn; \\n: a new line
	assistant: In a computer.                           or user, tool
	* lives in Galway | galway                         a key point, and its words
	? Where does Ann live? | 2025-03-01 | galway | rome  a question, its
	          time or nothing, words of the right answer, words of wrong ones

[[QUOTE|KIND|IMPORTANCE]] is a lasting fact. FOLDER gets chat- and work-sessions, -facts, -points and
-state.ndjson: a turn has session, lang, kind, turn, id, time, role, name, project, content; a fact
id, session, message, quote, kind, importance; a point session, point, terms, messages; a question
question, asof, answer_terms, wrong_terms.
"""
import collections
import datetime
import json
import os
import re
import sys

files = collections.defaultdict(list)


def terms(text):
	return [t.strip().casefold() for t in text.split(',')]


def read_turn(s, line):
	who, text = line.split(': ', 1)
	role = who if who in ('user', 'assistant', 'tool') else 'user'
	text, plain, found = text.replace('\\n', '\n'), '', []
	for part in re.split(r'(\[\[.*?\]\])', text, flags=re.S):
		if part.startswith('[['):
			found.append(part[2:-2].rsplit('|', 2))
			part = found[-1][0]
		plain += part
	turn = len(s['turns'])
	key = f'{s["session"]}:{turn}'
	time = s['time'] + datetime.timedelta(seconds=45 * turn)
	s['turns'].append((key, plain.casefold()))
	files[s['set'] + '-sessions'].append({'session': s['session'], 'lang': s['lang'],
		'kind': s['form'], 'turn': turn, 'id': key, 'time': time.isoformat() + 'Z',
		'role': role, 'name': who if who != role else '', 'project': s['project'],
		'content': plain})
	facts = files[s['set'] + '-facts']
	for quote, kind, importance in found:
		facts.append({'id': f'{s["set"]}{len(facts)}', 'session': s['session'],
			'message': key, 'quote': quote, 'kind': kind,
			'fact': quote, 'importance': float(importance)})


def read_point(s, line):
	point, words = line.split(' | ')
	words, messages = terms(words), []
	need = set(words)
	for key, text in sorted(s['turns'], key=lambda t: -sum(w in t[1] for w in words)):
		if any(w in text for w in need):
			messages.append(key)
			need -= {w for w in need if w in text}
	if need:
		sys.exit(f'{s["session"]}: no turn has {need}')
	files[s['set'] + '-points'].append({'session': s['session'], 'point': point,
		'terms': words, 'messages': messages})


def read(line, s):
	if line[0] == '=':
		name, which, lang, form, time, *project = line[2:].split()
		return {'session': name, 'set': which, 'lang': lang, 'form': form, 'turns': [],
			'time': datetime.datetime.fromisoformat(time),
			'project': project[0] if project else None}
	if line[0] == '*':
		read_point(s, line[2:])
	elif line[0] == '?':
		question, asof, right, wrong = (t.strip() for t in line[2:].split('|'))
		files[s['set'] + '-state'].append({'question': question, 'asof': asof,
			'answer_terms': terms(right), 'wrong_terms': terms(wrong)})
	elif line[0] != '#':
		read_turn(s, line)
	return s


session = None
for text in open(sys.argv[1], encoding='utf-8'):
	if text.strip():
		session = read(text.rstrip('\n'), session)
os.makedirs(sys.argv[2], exist_ok=True)
for what, records in files.items():
	with open(os.path.join(sys.argv[2], what + '.ndjson'), 'w', encoding='utf-8') as f:
		f.writelines(json.dumps(r, ensure_ascii=False) + '\n' for r in records)
