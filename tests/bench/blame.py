#!/usr/bin/env python3
"""mem blame on a made repository of 60 commits by 20 sessions: the session and the decision of each
line of the last commit. The programs of mem and git are in PATH.

Two sessions work at a time. Each makes three changes, each after a decision of its user, by edits,
by whole files or by a here-document of the shell. A third of the sessions commit by themselves, of
another third somebody commits later, and of the last the commits were rebased. Some lines are the
same in many changes, and of a fifth of the changes the transcript has only that a file was edited,
as when a formatter did it."""
import json
import os
import random
import subprocess
import sys
import tempfile

NOUNS = "cart order stock price coupon parcel refund basket label queue".split()
VERBS = "load save check count merge split format parse sort close".split()
COMMON = ("    return 0;", "}", "    if (err != 0)", "        goto out;")
START = 1714550400


def git(*args, when=START, stdin=None):
    stamp = "%d +0000" % when
    env = dict(os.environ, GIT_AUTHOR_DATE=stamp, GIT_COMMITTER_DATE=stamp, GIT_AUTHOR_NAME="a",
               GIT_AUTHOR_EMAIL="a@b.c", GIT_COMMITTER_NAME="a", GIT_COMMITTER_EMAIL="a@b.c",
               GIT_CONFIG_GLOBAL="/dev/null")
    return subprocess.run(("git", *args), env=env, input=stdin, capture_output=True, text=True,
                          check=True).stdout


class Session:
    def __init__(self, n, root):
        self.id, self.n, self.root, self.out, self.at = "made-%02d" % n, n, root, [], 0

    def say(self, role, content, at, **more):
        self.at = at
        stamp = subprocess.run(("date", "-u", "-d", "@%d" % at, "+%FT%TZ"), capture_output=True,
                               text=True).stdout.strip()
        self.out.append({"session": self.id, "role": role, "content": content, "time": stamp,
                         "project": self.root, "id": "%s-%d" % (self.id, len(self.out)), **more})

    def call(self, name, arguments, result, at):
        ident = "c%d" % len(self.out)
        call = {"id": ident, "type": "function", "function": {"name": name, "arguments": arguments}}
        self.say("assistant", "", at, tool_calls=[call])
        self.say("tool", result, at + 1, tool_call_id=ident, is_error=False)


def change(rng, s, step, files, truth, at):
    """One decision, and the lines that come of it, in one file."""
    verb, noun = rng.choice(VERBS), rng.choice(NOUNS)
    limit = rng.randrange(2, 900)
    name = "src/%s.c" % rng.choice(NOUNS[:5])
    s.say("user", "How should we %s the %s?" % (verb, noun), at)
    s.say("assistant", "We could stop at %d." % (limit * 2), at + 5)
    decision = "We decided: %s_%s stops at %d." % (verb, noun, limit)
    s.say("user", decision + " Go on with it.", at + 10)
    key = "%s_%s_%d_%d" % (verb, noun, s.n, step)
    new = ["int %s(struct %s *p)" % (key, noun), "{", "    if (p->n > %d)" % limit,
           *rng.sample(COMMON, 2), "    p->%s += %d;" % (noun, rng.randrange(9)), "}"]
    lines = files.setdefault(name, ["/* %s */" % name])
    place = rng.randrange(1, len(lines) + 1)
    before, anchor = list(lines), lines[place - 1]
    lines[place:place] = new
    for i, line in enumerate(new):
        truth[name, key, i] = (s.id, decision)
    path = os.path.join(s.root, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as f:
        f.write("\n".join(lines) + "\n")
    how = rng.random()
    if how < .2:
        s.call("Bash", {"command": "clang-format -i %s" % name}, "", at + 20)
    elif how < .4 and len(before) < 60:
        s.call("Write", {"file_path": path, "content": "\n".join(lines) + "\n"}, "ok", at + 20)
    elif how < .5:
        line = "cat >>%s <<'EOF'\n%s\nEOF" % (name, "\n".join(new))
        s.call("Bash", {"command": line}, "", at + 20)
    else:
        s.call("Edit", {"file_path": path, "old_string": anchor,
                        "new_string": "\n".join([anchor] + new)}, "ok", at + 20)
    return name, key


def make(root):
    rng = random.Random(1)
    git("init", "-q", root)
    os.chdir(root)
    files, truth, sessions, blocks, at = {}, {}, [], {}, START
    for pair in range(10):
        two = [Session(2 * pair + k, root) for k in (0, 1)]
        for step in range(3):
            for s in two:
                at += 600
                name, key = change(rng, s, step, files, truth, at)
                blocks[name, key] = True
                git("add", "-A")
                how = s.n % 3
                git("commit", "-q", "-m", "%s for %s" % (key, s.id[:4]), when=at + (60 if how else 30))
                short = git("rev-parse", "--short", "HEAD").strip()
                if how == 0:
                    s.call("Bash", {"command": "git commit -am '%s'" % key},
                           "[main %s] %s" % (short, key), at + 30)
                elif how == 2:
                    s.call("Bash", {"command": "git commit -am '%s'" % key},
                           "[main abcdef%d] %s" % (step, key), at + 30)
        sessions += two
        at += 7200
    return sessions, truth


def main():
    root = os.path.join(tempfile.mkdtemp(), "repo")
    os.environ["MEM_DB"] = os.path.join(os.path.dirname(root), "mem.db")
    sessions, truth = make(root)
    subprocess.run(["mem-ingest", "-q", "--map", ".", "-"], check=True, text=True,
                   stdout=subprocess.DEVNULL,
                   input="\n".join(json.dumps(r) for s in sessions for r in s.out))
    counts = {}
    for name in sorted({n for n, _, _ in truth}):
        key, i = None, 0
        blame = git("blame", "--line-porcelain", name).split("\n")
        with open(name) as f:
            lines = f.read().split("\n")[:-1]
        summaries = [b[8:].split(" ")[0] for b in blame if b.startswith("summary ")]
        seen = {}
        for n, (line, key) in enumerate(zip(lines, summaries), 1):
            i = seen.get(key, 0)
            seen[key] = i + 1
            if (name, key, i) not in truth:
                continue
            session, decision = truth[name, key, i]
            got = subprocess.run(["mem", "blame", "%s:%d" % (name, n), "-j"], capture_output=True,
                                 text=True).stdout
            w = json.loads(got) if got.strip() else {}
            c = counts.setdefault(w.get("by", "none"), [0, 0, 0])
            c[0] += 1
            c[1] += w.get("session") == session
            c[2] += any(decision[:-1] in d["text"] for d in w.get("decided", [])[-1:])
            if "-v" in sys.argv and w.get("session") != session:
                print(name, n, line, session, w.get("session"), w.get("by"))
    total = [sum(c[k] for c in counts.values()) for k in range(3)]
    for by, c in sorted(counts.items()) + [("all", total)]:
        print("by %-7s %4d lines, right session %.3f, right decision %.3f"
              % (by, c[0], c[1] / c[0], c[2] / c[0]))


main()
