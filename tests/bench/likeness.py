#!/usr/bin/env python3
"""likeness.py: learns schema/heads/same.txt, by which mem-remember tells whether a statement says
the same as an older one.

usage: likeness.py PAIRS FACTS TOOL FOLDER

PAIRS has records {a, b, label: same | update | different} with the vectors of mem-embed --filter of
both, by model: {vec_a: {MODEL: [...]}, vec_b: {...}}; FACTS has {set, session, text, id,
supersedes: [id], vec: {MODEL: [...]}}, where supersedes is null for facts of a long chat of which
nobody said which end others.
TOOL is likeness_tool.c. FOLDER gets the file. Pairs that a difference
forbids teach nothing about being the same. Two statements of PAIRS that are not a pair, and two
FACTS of which neither supersedes the other, are different; together they weigh ten times as much as
what is to be found, so that a large memory is not full of false alarms. Two facts of one long chat
are not the same, either, and weigh five times as much: they speak of the same few things all the
time.
What is printed was judged by weights of four fifths of the pairs, sessions and chats, among which
it was not.
"""
import collections
import json
import random
import subprocess
import sys

import numpy as np

UNRELATED = {"all-MiniLM-L6-v2": .0542849, "multilingual-e5-small": .768174589}
USED = ["sim", "dice", "frame", "replaced", "moved", "others", "shared", "lacking", "change", "han",
        "keyed"]
THRESHOLD = {"words": .7, "vectors": .6}
WEIGH = {"other": 10, "talk": 5}
TALK_SHARE = .3            # of the pairs of facts of one chat are looked at


def load(path):
    return [json.loads(line) for line in open(path, encoding="utf-8")]


def read_rows(pairs, facts):
    """Rows (older, newer, label, fold, vectors of both)."""
    rng = random.Random(1)
    rows = [(p["a"], p["b"], p["label"], i % 5, p["vec_a"], p["vec_b"])
            for i, p in enumerate(pairs)]
    for _ in range(12000):
        p, q = rng.sample(pairs, 2)
        x, y = rng.choice("ab"), rng.choice("ab")
        rows.append((p[x], q[y], "other", -1, p["vec_" + x], q["vec_" + y]))
    for j, f in enumerate(facts):
        for g in facts[:j]:
            if g["set"] != f["set"]:
                continue
            if f["supersedes"] is None:
                label, fold = "talk", sum(f["set"].encode()) % 5
                if rng.random() > TALK_SHARE:
                    continue
            else:
                label = "ends" if g["id"] in f["supersedes"] else "other"
                fold = sum(f["session"].encode()) % 5
            rows.append((g["text"], f["text"], label, fold, g["vec"], f["vec"]))
    return rows


def read_figures(tool, rows):
    text = "".join("\t".join([" ".join(r[0].split()), " ".join(r[1].split()), "nan"]) + "\n"
                   for r in rows)
    out = subprocess.run([tool], input=text, text=True, capture_output=True, check=True).stdout
    lines = [line.split("\t") for line in out.splitlines()]
    x = np.array([[float(v) for v in line[:-1]] for line in lines[1:]])
    return lines[0][:-1], x, np.array([line[-1] for line in lines[1:]])


def fit(x, y, w):
    """Logistic regression by Newton's method, with a penalty of half the squared weights."""
    x = np.hstack([x, np.ones((len(x), 1))])
    b = np.zeros(x.shape[1])
    for _ in range(40):
        p = 1 / (1 + np.exp(-x @ b))
        gradient = x.T @ (w * (p - y)) + b
        hessian = (x * (w * p * (1 - p))[:, None]).T @ x + np.eye(len(b))
        step = np.linalg.solve(hessian, gradient)
        b -= step
        if abs(step).max() < 1e-8:
            break
    return b


def judge(x, b):
    return 1 / (1 + np.exp(-(x @ b[:-1] + b[-1])))


def learn(how, names, x, differs, rows, sims):
    used = [n for n in USED if how == "vectors" or n != "sim"]
    label = np.array([r[2] for r in rows])
    fold = np.array([r[3] for r in rows])
    y = (label == "same").astype(float)
    teaches = differs == "-"
    w = np.where(label == "talk", 0., 1.)
    for other, times in WEIGH.items():
        w[label == other] = times * y.sum() / (label == other).sum()
    views = []
    for sim in sims if how == "vectors" else [np.zeros(len(rows))]:
        v = x.copy()
        v[:, names.index("sim")] = np.maximum(sim, 0)
        views.append(v[:, [names.index(n) for n in used]])

    def of(rest):
        k = teaches & rest
        return fit(np.vstack([v[k] for v in views]), np.tile(y[k], len(views)),
                   np.tile(w[k], len(views)))

    threshold = THRESHOLD[how]
    by_fold = [of(fold != f) for f in range(5)]
    for v, model in zip(views, list(UNRELATED) if how == "vectors" else ["words"]):
        p = np.array([judge(v[i], by_fold[max(fold[i], 0)]) for i in range(len(rows))])
        yes = (p >= threshold) & teaches
        print(model, {c: "%d of %d" % (n, (label == c).sum())
                            for c, n in sorted(collections.Counter(label[yes]).items())})
    b = of(np.ones(len(rows), bool))
    lines = ["section " + how, "threshold %g" % threshold, "bias %.3f" % b[-1]]
    return lines + ["weight %s %.3f" % (n, v) for n, v in zip(used, b)]


def main():
    pairs, facts, tool, folder = load(sys.argv[1]), load(sys.argv[2]), sys.argv[3], sys.argv[4]
    rows = read_rows(pairs, facts)
    names, x, differs = read_figures(tool, rows)
    sims = []
    for m, u in UNRELATED.items():
        cosines = np.array([np.dot(r[4][m], r[5][m]) for r in rows])
        sims.append((cosines - u) / (1 - u))
    lines = ["# Learnt by tests/bench/likeness.py: the figures are those of statement/likeness.h."]
    for how in ("words", "vectors"):
        lines += learn(how, names, x, differs, rows, sims)
    with open("%s/same.txt" % folder, "w", encoding="utf-8") as f:
        f.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
