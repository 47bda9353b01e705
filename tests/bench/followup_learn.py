#!/usr/bin/env python3
"""Learns the weights of lib/followup from labelled follow-up questions.

    followup_learn.py chats FILE.txt >chats.ndjson       our own chats (followups.txt) as a SET
    followup_learn.py judge FILE.txt                     what mem-rewrite makes of others
    followup_tool features SET ... >rows
    followup_learn.py learn [--without SET:GROUPS;...] rows >schema/heads/followup.txt

Twice: the second time the features see which questions before were whole. Learnt are two logistic
regressions, whether a question needs what was said and which words, by Newton's method with a
ridge; each for talks of questions alone, which hears little of chats; for Chinese; and for chats,
held near the first.
Sets weigh alike, those named in CHATS more, as they are short; in the first regression needing and
whole questions weigh alike. A rewrite, asked after the same talk or another one, is one more whole
question of little weight. To learn needs numpy.
"""
import json
import re
import subprocess
import sys

if sys.argv[1:2] == ["learn"]:
    import numpy as np

CHATS = {"gold": 3.0, "own": 3.0}  # weights of sets of chats, by name
RIDGE, RIDGE_HAN, NEAR, HEARD = 2.5, 4.0, 8.0, 0.1


def chats(path):
    """The questions of a file of chats. One that nobody answers is no turn of its chat."""
    talk, number, turns, asked = [], 0, [], None
    for line in open(path, encoding="utf-8").read().split("\n"):
        kind, rest = line[:2], line[2:].strip()
        if kind in ("u:", "a:"):
            if asked and kind == "a:":
                turns.append({"role": "user", "text": asked})
            turns.append({"role": "user" if kind == "u:" else "assistant", "text": rest})
            asked = None
        elif kind in ("? ", "= "):
            talk.append({"dialog": "own%d" % number, "query": rest, "rewrite": rest,
                         "history": list(turns), "need": [], "wrong": []})
            asked = rest
        elif kind == "> ":
            talk[-1]["rewrite"] = rest
        elif kind in ("+ ", "- "):
            talk[-1]["need" if kind == "+ " else "wrong"] = rest.split(" | ")
        elif kind == "# ":
            number, turns, asked = number + 1, [], None
        elif line and turns:
            turns[-1]["text"] += "\n" + line
    return talk


def judge(path):
    """What mem-rewrite makes of the questions of a file of chats with "+" and "-" lines."""
    talk = chats(path)
    out = subprocess.run(["mem-rewrite", "-j", "--rules"], text=True, capture_output=True,
                         input="".join(json.dumps(t) + "\n" for t in talk), check=True).stdout
    n, n_whole = 0, 0
    have_all = have_some = wrong = kept = added = right = 0
    for t, line in zip(talk, out.splitlines(), strict=True):
        got = json.loads(line)["rewritten"].casefold()
        said, person = t["query"].casefold(), t["rewrite"].casefold()
        if said == person:
            n_whole += 1
            kept += got == said
            continue
        n += 1
        have = [part.casefold() in got for part in t["need"]]
        have_all += all(have)
        have_some += any(have)
        wrong += any(part.casefold() in got and part.casefold() not in said for part in t["wrong"])
        old = re.findall(r"\w[\w.'-]*", said)
        new = [w for w in re.findall(r"\w[\w.'-]*", got) if w not in old]
        added += len(new)
        right += sum(w in person for w in new)
    print("    own chats, held out: of %d that need words all %.3f, some %.3f; added words that "
          "belong %.3f; a wrong topic %.3f; of %d whole ones untouched %.3f" %
          (n, have_all / n, have_some / n, right / max(1, added), wrong / n, n_whole,
           kept / n_whole))


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
    left_out = {(part.partition(":")[0], g) for part in without.split(";")
                for g in part.partition(":")[2].split(",")}
    parts = open("lib/followup/followup_parts.h", encoding="utf-8").read()
    print("# Whether a question needs the conversation before it, and how likely each of its words is\n"
          "# meant (lib/followup/followup_parts.h): made by tests/bench/followup_learn.py; see there.")
    for kind, rows in read(path).items():
        sets = np.array([r[0] for r in rows])
        copy, y = np.array([r[2] for r in rows]), np.array([r[3] for r in rows])
        x, w = np.stack([r[5] for r in rows]).astype(float), np.zeros(len(rows))
        for s in set(sets):
            w[sets == s] = weigh(kind, s, copy[sets == s], y[sets == s])
        w[[(r[0], r[1]) in left_out for r in rows]] = 0
        talk = np.array([r[4] for r in rows])  # enum followup_kind
        han, chat = talk == 1, talk == 2
        chats = np.array([s in CHATS for s in sets])
        quiet = chats | (chat & (kind == "need"))
        general = fit(x[~han], y[~han], (w * np.where(quiet, HEARD, 1))[~han], RIDGE)
        of_han = fit(x[han], y[han], w[han], RIDGE_HAN)
        names = re.findall(r"X\((\w+), ", parts.partition("%s_FEATURES(X)" % kind.upper())[2]
                           .partition("\n\n")[0])
        names += ["placed+%d" % i for i in range(x.shape[1] - len(names))]
        of_chat = fit(x[chat], y[chat], w[chat], NEAR, general)
        for talk_kind, b in (("plain", general), ("han", of_han), ("chat", of_chat)):
            print("section %s-%s\nprefix %s_" % (kind, talk_kind, kind.upper()))
            for name, v in zip(names, b):
                print("weight %s %.2f" % (name.lower().replace("_", "-"), v))


if len(sys.argv) == 3 and sys.argv[1] == "chats":
    for question in chats(sys.argv[2]):
        print(json.dumps(question, ensure_ascii=False))
elif len(sys.argv) == 3 and sys.argv[1] == "judge":
    judge(sys.argv[2])
elif len(sys.argv) in (3, 5) and sys.argv[1] == "learn":
    learn(sys.argv[-1], sys.argv[3] if len(sys.argv) == 5 else "")
else:
    sys.exit(__doc__)
