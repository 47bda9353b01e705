#!/usr/bin/env python3
"""Learns schema/heads/summary.txt: which sentences say what a summary of their session must carry.

usage: salience.py [--without SESSION,...] FOLDER <FEATURES >schema/heads/summary.txt

FEATURES come from salience_tool (compiled as tests/bench/run compiles its tools), which reads the
messages of FOLDER's sessions. FOLDER holds *-sessions.ndjson.gz (session, id, content),
*-points.ndjson.gz (session, terms, messages: key points of a session) and *-facts.ndjson.gz
(message, quote, importance). A sentence is as good as the share of a point's terms that it has;
one that states a fact is as good as .6 of its importance. --without leaves sessions out.
"""
import argparse, glob, gzip, json, math, re, sys

CLASSES = """second hypothetical decide rule todo changed ended began cause fixed owner deadline thanks
negation health""".split()
SHAPES = """by_user asks answers quotes names numbers dates place edge later told_cause""".split()
NAMES = ["bias"] + SHAPES + CLASSES
STRENGTH, FACT = .5, .6

ap = argparse.ArgumentParser()
ap.add_argument("--without", default="")
ap.add_argument("folder")
a = ap.parse_args()


def load(what):
    for path in sorted(glob.glob("%s/*-%s.ndjson.gz" % (a.folder, what))):
        with gzip.open(path, "rt", encoding="utf-8") as f:
            yield from map(json.loads, f)


def words(text):
    for w in re.findall(r"\w+(?:['./_-]\w+)*", text.casefold()):
        if re.search("[\u3040-\u9fff]", w):
            yield from (w[i:i + 2] for i in range(max(1, len(w) - 1)))
        else:
            yield w


content = {t["id"]: t["content"].encode() for t in load("sessions")}
points, facts = {}, {}
for p in load("points"):
    for m in p["messages"]:
        points.setdefault(m, []).append([t.casefold() for t in p["terms"]])
for f in load("facts"):
    facts.setdefault(f["message"], []).append((set(words(f["quote"])), f.get("importance", .5)))
rows, goals = [], []
for line in sys.stdin:
    s = json.loads(line)
    if s["session"] in a.without.split(","):
        continue
    text = content[s["id"]][s["start"]:s["start"] + s["length"]].decode(errors="ignore").casefold()
    own, goal = set(words(text)), 0
    for terms in points.get(s["id"], []):
        goal = max(goal, sum(t in text for t in terms) / len(terms))
    for quote, importance in facts.get(s["id"], []):
        both = len(quote & own)
        if both > 1 and both >= .6 * min(len(quote), len(own)):
            goal = max(goal, FACT * importance)
    rows.append([(0, 1.)] + [(i, s["x"][n]) for i, n in enumerate(NAMES) if n in s["x"]])
    goals.append(goal)

# Logistic regression on soft goals with a quadratic penalty, by Newton's method.
w, n = [0.] * len(NAMES), len(NAMES)
for step in range(25):
    g = list(w)
    h = [[1. if i == k else 0. for k in range(n)] for i in range(n)]
    for x, y in zip(rows, goals):
        p = 1 / (1 + math.exp(-sum(w[i] * v for i, v in x)))
        for i, v in x:
            g[i] += STRENGTH * (p - y) * v
            for k, u in x:
                h[i][k] += STRENGTH * p * (1 - p) * v * u
    for i in range(n):                                    # Gauss and Jordan
        for k in range(n):
            if k != i:
                r = h[k][i] / h[i][i]
                g[k] -= r * g[i]
                h[k] = [c - r * b for b, c in zip(h[i], h[k])]
    w = [v - g[i] / h[i][i] for i, v in enumerate(w)]
print("# Whether a summary of its session must carry a sentence (lib/summary/salience.h).")
print("# Learnt by tests/bench/salience.py on %d sentences. lib/math/head.h has the grammar." % len(rows))
print("section words\nthreshold 0.2\nbias %.3f" % w[0])
for name, v in list(zip(NAMES, w))[1:]:
    print("weight %s %.3f" % (name, v))
