#!/usr/bin/env python3
"""mem beside deja-vu, a memory of agents' sessions, on the same made sessions of Claude Code.

    agents.py DIR DEJA [MODEL]     DEJA is its program; MODEL, for mem's vectors. The programs of
                                   mem are in PATH. Prints a line for each program.

Of tests/bench/agents.txt come 200 sessions: 25 kinds of trouble, which each of eight projects had
once, so that a question has to tell both. Half of the sessions are asked about, a quarter of the
questions in words that the session does not use. Counted is whether the session of the first hit is
the right one, and whether it is among the first five. Then the hooks: how many of these questions
bring a block into the prompt, asked in the project's directory, and how many of 60 prompts that
want nothing of the past do. Everything is drawn with one seed."""
import json
import os
import random
import re
import shutil
import subprocess
import sys
import time

PROJECTS = (("billing", "invoices"), ("gallery", "photos"), ("depot", "parcels"),
            ("mailer", "newsletters"), ("atlas", "routes"), ("clinic", "appointments"),
            ("library", "loans"), ("school", "timetables"))
CHATTER = (("run all the tests", "All {n} tests pass."), ("commit it", "Committed as {h}."),
           ("is the changelog right?", "I added a line to it."),
           ("thanks", "You are welcome."), ("and the types?", "They hold, there were {m} errors."),
           ("make the diff smaller", "It is {m} lines now."))
SEED = 1


def troubles():
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "agents.txt")) as f:
        text = re.sub(r"^#.*\n", "", f.read(), flags=re.M)
    blocks, prompts = text.split("\nprompts\n")
    kinds = [dict(line.split(": ", 1) for line in b.strip().split("\n"))
             for b in blocks.split("\n\n") if b.strip()]
    return kinds, prompts.strip().split("\n")


class Session:
    """A session of Claude Code, a line a turn."""

    def __init__(self, number, cwd, started):
        self.id, self.cwd, self.at, self.lines = f"{number:08d}-0000-4000-8000-{number:012d}", \
            cwd, started, []

    def line(self, kind, message):
        self.at += 20
        n = len(self.lines)
        self.lines.append(json.dumps({
            "type": kind, "uuid": f"{self.id}-{n}", "parentUuid": f"{self.id}-{n - 1}",
            "sessionId": self.id, "cwd": self.cwd, "gitBranch": "main", "version": "2.1.0",
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(self.at)),
            "message": message}))

    def user(self, text):
        self.line("user", {"role": "user", "content": text})

    def assistant(self, text, tool=None, **arguments):
        parts = [{"type": "text", "text": text}]
        if tool:
            parts.append({"type": "tool_use", "id": f"t{len(self.lines)}", "name": tool,
                          "input": arguments})
        self.line("assistant", {"role": "assistant", "model": "claude-5", "content": parts})

    def result(self, text):
        self.line("user", {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": f"t{len(self.lines) - 1}", "content": text}]})


def make(home):
    """Writes the sessions below home. Returns the questions, (text, session, cwd), and prompts."""
    rng = random.Random(SEED)
    kinds, prompts = troubles()
    pairs = [(k, p) for k in kinds for p in PROJECTS]
    rng.shuffle(pairs)
    questions = []
    for number, (kind, (project, thing)) in enumerate(pairs):
        n = rng.randrange(12, 900)
        say = {key: re.sub(r"\bN\b", str(n), text).replace("THING", thing)
               .replace("PROJECT", project) for key, text in kind.items()}
        cwd = f"{home}/src/{project}"
        os.makedirs(cwd + "/.git", exist_ok=True)
        s = Session(number, cwd, time.time() - rng.randrange(5, 400) * 86400)
        chatter = rng.sample(CHATTER, 3)

        def chat(pair):
            numbers = {"n": rng.randrange(40, 400), "m": rng.randrange(2, 30),
                       "h": f"{rng.randrange(16 ** 7):07x}"}
            s.user(pair[0])
            s.assistant(pair[1].format(**numbers))

        if number % 3 == 0:
            chat(chatter[0])
        s.user(say["said"])
        s.assistant("I look at the code first.", "Read", file_path=f"{cwd}/{say['file']}")
        s.result("\n".join(f"{i}: {rng.choice(('return', 'call', 'if', 'let'))} x{rng.random():.3f}"
                           for i in range(1, 20)))
        s.assistant("Then I run it.", "Bash", command=say["command"])
        s.result("Exit code: 1\n" + say["error"])
        s.assistant("Found: " + say["cause"] + ".")
        s.user("What do you propose?")
        s.assistant("I propose: " + say["decision"] + ".")
        s.user("Good, do that.")
        s.assistant("Done.", "Edit", file_path=f"{cwd}/{say['file']}", old_string="a",
                    new_string="b")
        s.result("The file has been updated.")
        for pair in chatter[1:]:
            chat(pair)
        folder = f"{home}/.claude/projects/" + re.sub(r"[^A-Za-z0-9]", "-", cwd)
        os.makedirs(folder, exist_ok=True)
        with open(f"{folder}/{s.id}.jsonl", "w") as f:
            f.write("\n".join(s.lines) + "\n")
        os.utime(f"{folder}/{s.id}.jsonl", (s.at, s.at))
        if number % 2 == 0:
            text = (say["other"], say["asks"], f"{project}: {say['said']}",
                    f"{say['error']} in {project}")[number // 2 % 4]
            questions.append((text, s.id, cwd))
    return questions, prompts


def run(command, text=None, cwd=None):
    return subprocess.run(command, input=text, cwd=cwd, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, encoding="utf-8").stdout


class Mem:
    def __init__(self, home, model):
        self.name = "mem, by words" if not model else "mem, with vectors"
        self.db = f"{home}/{'vectors' if model else 'words'}.db"
        os.environ.update(MEM_MODEL=model or "none", MEM_HOOK_MS="20000", MEM_DB=self.db)
        subprocess.run(["mem-ingest", "-q", f"{home}/.claude/projects"], check=True)
        if model:
            subprocess.run(["mem-embed", "-q", "--model", model], check=True)
        self.model = model

    def sessions(self, question):
        os.environ.update(MEM_MODEL=self.model or "none", MEM_DB=self.db)
        return [json.loads(line)["session"] for line in
                run(["mem-search", "-j", "-n", "30", "--", question]).splitlines()]

    def block(self, prompt, cwd, session):
        os.environ.update(MEM_MODEL=self.model or "none", MEM_DB=self.db)
        return run(["mem-hook", "claude-code", "prompt"], json.dumps(
            {"session_id": session, "hook_event_name": "UserPromptSubmit", "prompt": prompt,
             "cwd": cwd, "transcript_path": f"/none/{session}.jsonl"}), cwd)


class Deja:
    name = "deja-vu"

    def __init__(self, home, program):
        self.program = program
        subprocess.run([program, "index"], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)

    def sessions(self, question):
        out = run([self.program, "search", "--json", "--", question])
        return [h["session"]["id"] for h in (json.loads(out) if out else {}).get("hits") or []]

    def block(self, prompt, cwd, session):
        os.environ["CLAUDE_PROJECT_DIR"] = cwd
        return run([self.program, "hook-prompt"], json.dumps(
            {"session_id": session, "hook_event_name": "UserPromptSubmit", "prompt": prompt,
             "cwd": cwd, "transcript_path": f"/none/{session}.jsonl"}), cwd)


def main():
    where, deja, model = sys.argv[1], sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else None
    home = f"{where}/home"
    shutil.rmtree(home, ignore_errors=True)
    for name in [v for v in os.environ if v.startswith(("XDG_", "DEJA_"))]:
        del os.environ[name]
    os.environ["HOME"] = home
    questions, prompts = make(home)
    rng = random.Random(SEED)
    asked_in = [f"{home}/src/{rng.choice(PROJECTS)[0]}" for _ in prompts]
    peers = [lambda: Mem(home, None)] + ([lambda: Mem(home, model)] if model else []) + \
        [lambda: Deja(home, deja)]
    for make_peer in peers:
        p = make_peer()
        first = in_five = recalled = noise = 0
        for i, (text, session, cwd) in enumerate(questions):
            found = list(dict.fromkeys(p.sessions(text)))
            first += found[:1] == [session]
            in_five += session in found[:5]
            recalled += "additionalContext" in p.block(text, cwd, f"asks-{i}")
        for i, (prompt, cwd) in enumerate(zip(prompts, asked_in)):
            noise += "additionalContext" in p.block(prompt, cwd, f"works-{i}")
        print(f"  {p.name:22} right session first {first:3} of {len(questions)}, in five "
              f"{in_five:3}; hooks: a block for {recalled:3} of {len(questions)} questions, for "
              f"{noise:2} of {len(prompts)} prompts that want nothing", flush=True)


main()
