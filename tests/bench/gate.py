#!/usr/bin/env python3
"""gate.py: learns the gate of mem-hook (schema/heads/gate.txt) and says how well it does.

usage: gate.py [--write] [PROMPTS.ndjson ...]

The prompts of tests/fixtures/gate/prompts.txt are always learnt from; files of {"prompt",
"recall"} lines, plain or gzipped, are added. For each set two figures are printed, by words and
with each model that mem-embed finds: what share of the prompts that recall is let through, and of
those that do not; "left out" means learnt from the other sets alone, "tenths" that each prompt was
judged by a head learnt from nine tenths of all that did not hold it. --write writes the head that
all of them together give. Needs numpy and scikit-learn, and build/ made.
"""
import gzip
import json
import os
import subprocess
import sys
import tempfile

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MODELS = ["all-MiniLM-L6-v2", "multilingual-e5-small"]
C = 0.3         # inverse of the regularization's strength
SHARE = 0.15    # scale of a standardized dimension of a vector beside a class of words


def read():
    """Prompts, their labels, and the number of the set of each."""
    text, y, of = [], [], []
    for line in open(os.path.join(ROOT, "tests/fixtures/gate/prompts.txt"), encoding="utf-8"):
        if line[:2] in ("+ ", "- "):
            text.append(line[2:].strip())
            y.append(line[0] == "+")
            of.append(0)
    for n, path in enumerate(a for a in sys.argv[1:] if not a.startswith("-")):
        opened = gzip.open if path.endswith(".gz") else open
        for line in opened(path, "rt", encoding="utf-8"):
            d = json.loads(line)
            text.append(d["prompt"])
            y.append(d["recall"])
            of.append(n + 1)
    return text, np.array(y, dtype=int), np.array(of)


def features(text):
    """What gate_tool says of each prompt: names, and an array [prompts][names]."""
    with tempfile.TemporaryDirectory() as tmp:
        tool = os.path.join(tmp, "gate_tool")
        subprocess.run(["cc", "-std=c11", "-D_XOPEN_SOURCE=700", "-O1", "-I", ROOT + "/lib",
                        "-o", tool, ROOT + "/tests/bench/gate_tool.c", ROOT + "/build/libmem.a",
                        "-lsqlite3", "-ljq", "-lstemmer", "-lz", "-lm", "-lpthread"], check=True)
        out = subprocess.run([tool], input="".join(t.replace("\n", " ") + "\n" for t in text),
                             capture_output=True, text=True, check=True).stdout
    rows = [json.loads(line) for line in out.splitlines()]
    names = sorted({k for r in rows for k in r})
    return names, np.array([[r.get(n, 0) for n in names] for r in rows])


def vectors(text, model):
    lines = "".join(json.dumps({"type": "query", "query": t}) + "\n" for t in text)
    r = subprocess.run([ROOT + "/build/mem-embed", "--filter", "--model", model, "-"], input=lines,
                       capture_output=True, text=True)
    if r.returncode != 0:
        return None
    return np.array([json.loads(line)["vec"] for line in r.stdout.splitlines()])


def learn(x, y):
    return LogisticRegression(C=C, class_weight="balanced", max_iter=5000).fit(x, y)


def tell(what, p, y):
    print("%-52s %.3f of %d, %.3f of %d" % (what, (p[y == 1] >= .5).mean(), (y == 1).sum(),
                                          (p[y == 0] >= .5).mean(), (y == 0).sum()))


def measure(name, x, y, of):
    p = np.zeros(len(y))
    for seed in range(3):
        for tr, te in StratifiedKFold(10, shuffle=True, random_state=seed).split(x, y):
            p[te] += learn(x[tr], y[tr]).predict_proba(x[te])[:, 1] / 3
    for n in sorted(set(of)):
        if len(set(of)) > 1:
            left = learn(x[of != n], y[of != n]).predict_proba(x[of == n])[:, 1]
            tell("%s: set %d left out" % (name, n), left, y[of == n])
        tell("%s: set %d in tenths" % (name, n), p[of == n], y[of == n])


def section(out, name, names, head, mean=None, scale=None):
    w = head.coef_[0]
    bias = head.intercept_[0]
    v = None
    if mean is not None:
        v = w[len(names):] * SHARE / scale
        bias -= float(v @ mean)
    out.append("section %s" % name)
    out.append("bias %.4g" % bias)
    out += ["weight %s %.4g" % (n, a) for n, a in zip(names, w) if abs(a) >= 5e-4]
    if v is not None:
        line = "vector"
        for a in v:
            word = " %.3g" % a
            if len(line) + len(word) > 100:
                out.append(line)
                line = "vector"
            line += word
        out.append(line)


def main():
    text, y, of = read()
    names, x = features(text)
    out = ["# Whether a prompt asks for the past (lib/math/head.h has the grammar). Written by",
           "# tests/bench/gate.py; the features are the classes of schema/cues/gate.txt."]
    measure("words", x, y, of)
    section(out, "words", names, learn(x, y))
    for model in MODELS:
        v = vectors(text, model)
        if v is None:
            print("%s: there is no such model here" % model)
            continue
        mean, scale = v.mean(0), (v - v.mean(0)).std()
        both = np.hstack([x, (v - mean) / scale * SHARE])
        measure(model, both, y, of)
        section(out, model, names, learn(both, y), mean, scale)
    if "--write" in sys.argv:
        with open(os.path.join(ROOT, "schema/heads/gate.txt"), "w") as f:
            f.write("\n".join(out) + "\n")


main()
