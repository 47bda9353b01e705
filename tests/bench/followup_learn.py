#!/usr/bin/env python3
"""Learns the weights of lib/followup from labelled follow-up questions.

    followup_learn.py chats FILE.txt >chats.ndjson       our own chats (followups.txt) as a SET
    followup_tool features SET ... >rows
    followup_learn.py learn [--without SET:GROUPS] rows >lib/followup/followup_weights.c

Twice: the second time the features see which questions before were whole. Learnt are two logistic
regressions, whether a question needs what was said and which words, by Newton's method with a
ridge; each for talks of questions alone, which hears little of chats; for Chinese; and for chats,
held near the first.
Sets weigh alike, those named in CHATS more, as they are short; in the first regression needing and
whole questions weigh alike. A rewrite, asked after the same talk or another one, is one more whole
question of little weight. Needs numpy.
"""
import json
import sys

import numpy as np

CHATS = {"gold": 3.0, "own": 3.0}  # weights of sets of chats, by name
RIDGE, RIDGE_HAN, NEAR, HEARD = 2.5, 4.0, {"need": 8.0, "term": 20.0}, 0.1


def chats(path):
    talk, number, turns = [], 0, []
    for line in open(path, encoding="utf-8").read().split("\n"):
        kind, rest = line[:2], line[2:]
        if kind in ("u:", "a:"):
            turns.append({"role": "user" if kind == "u:" else "assistant", "text": rest.strip()})
        elif kind in ("? ", "= "):
            talk.append({"dialog": "own%d" % number, "query": rest, "rewrite": rest,
                         "history": list(turns)})
            turns.append({"role": "user", "text": rest})
        elif kind == "> ":
            talk[-1]["rewrite"] = rest
        elif kind == "# ":
            number, turns = number + 1, []
        elif line and turns:
            turns[-1]["text"] += "\n" + line
    for item in talk:
        print(json.dumps(item, ensure_ascii=False))


def read(path):
    rows = {"need": [], "term": []}
    for line in open(path, encoding="utf-8"):
        f = line.split(" ")
        if f[0] in rows:
            rows[f[0]].append((f[1], f[3], int(f[4]), int(f[6]), int(f[5]),
                               np.array(f[7:], np.float32)))
    return rows


def fit(x, y, w, ridge, near=None):
    b = np.zeros(x.shape[1]) if near is None else near.copy()
    centre = b.copy()
    r = np.full(x.shape[1], ridge)
    r[0] = 1e-3
    for _ in range(12):
        p = 1 / (1 + np.exp(-np.clip(x @ b, -30, 30)))
        h = (x * (w * p * (1 - p))[:, None]).T @ x + np.diag(r)
        b = b - np.linalg.solve(h, x.T @ (w * (p - y)) + r * (b - centre))
    return b


def weigh(kind, name, copy, y):
    """Weights of the rows of one set; each part of it sums up to its share."""
    of_set, w = 500 * CHATS.get(name, 1.0), np.zeros(len(y))
    if kind == "term":
        return np.full(len(y), of_set / max(1, y.sum()))
    real = copy < 2
    own = (real & (y == 0)).sum() >= 30
    parts = [(real & (y == 1), 1.0), (real & (y == 0), 1.0 if own else 0.0),
             (copy == 2, 0.03 if own else 0.6), (copy == 3, 0.8 if name == "rewrite-zh" else 0.2)]
    for rows, share in parts:
        w[rows] = share * of_set / max(1, rows.sum())
    return w


def learn(path, without):
    name, _, groups = without.partition(":")
    left_out = {(name, g) for g in groups.split(",")}
    print('/* followup_weights.c: made by tests/bench/followup_learn.py; see there. */\n'
          '#include "followup/followup_parts.h"\n\n'
          'const struct followup_weights followup_weights = {')
    for kind, rows in read(path).items():
        sets = np.array([r[0] for r in rows])
        copy, y = np.array([r[2] for r in rows]), np.array([r[3] for r in rows])
        x, w = np.stack([r[5] for r in rows]).astype(float), np.zeros(len(rows))
        for s in set(sets):
            w[sets == s] = weigh(kind, s, copy[sets == s], y[sets == s])
        w[[(r[0], r[1]) in left_out for r in rows]] = 0
        talk = np.array([r[4] for r in rows])  # enum followup_kind
        han, chat = talk == 1, talk == 2
        quiet = chat & np.array([s in CHATS or kind == "need" for s in sets])
        general = fit(x[~han], y[~han], (w * np.where(quiet, HEARD, 1))[~han], RIDGE)
        of_han = fit(x[han], y[han], w[han], RIDGE_HAN)
        print("\t.%s = {" % kind)
        for b in (general, of_han, fit(x[chat], y[chat], w[chat], NEAR[kind], general)):
            print("\t\t{")
            for i in range(0, len(b), 10):
                print("\t\t\t" + ", ".join("%.2ff" % v for v in b[i:i + 10]) + ",")
            print("\t\t},")
        print("\t},")
    print("};")


if len(sys.argv) == 3 and sys.argv[1] == "chats":
    chats(sys.argv[2])
elif len(sys.argv) in (3, 5) and sys.argv[1] == "learn":
    learn(sys.argv[-1], sys.argv[3] if len(sys.argv) == 5 else "")
else:
    sys.exit(__doc__)
