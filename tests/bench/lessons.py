#!/usr/bin/env python3
"""What a command is told before it is run, and after it failed, on made projects.

    lessons.py [--all] [-v]        The programs of mem are in PATH. Prints a line for each kind.

Each of 60 tasks is a project of its own with an earlier session in which a command failed and then
worked: by another line in its place, or again after some other command. Later the same happens: the
naive call has to be told what worked, the right one and ten common ones nothing. Besides, 28
projects in which nothing may be told: a test that an edit mended, a failure that went by itself,
one in another project, of another user, of a forgotten session, and so on. Half of all are left out
unless --all is given; the rules were made on the other half."""
import json
import os
import subprocess
import sys
import tempfile

COMMON = ("git status", "ls -la", "cat README.md", "git diff | head -50", "rg pump src",
          "make lint", "python3 --version", "npm run build", "git log --oneline -5", "echo done")
WHERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "lessons.txt")
EDIT = ("Edit", {"file_path": "src/x.c", "old_string": "a", "new_string": "b"})


def sh(line):
    return "Bash", {"command": line}


class Past:
    """Records of a session: calls with what they gave."""

    def __init__(self, project, session, day):
        self.project, self.session, self.day, self.n, self.out = project, session, day, 0, []

    def say(self, role, content, **more):
        self.n += 1
        time = "2024-05-%02dT09:%02d:%02dZ" % (self.day, self.n // 60, self.n % 60)
        self.out.append({"session": self.session, "role": role, "content": content, "time": time,
                         "project": self.project, "id": "%s-%d" % (self.session, self.n), **more})

    def call(self, tool, text="ok", status=0):
        ident = "c%d" % self.n
        function = {"name": tool[0], "arguments": tool[1]}
        call = {"id": ident, "type": "function", "function": function}
        self.say("assistant", "", tool_calls=[call])
        self.say("tool", ("Exit code %d\n" % status if status else "") + text, tool_call_id=ident,
                 is_error=status != 0)
        return self


def tasks():
    for copy in "ab":
        with open(WHERE) as f:
            tables = f.read().replace("\n\t", "|").split("\n", 2)[2].strip().split("\n\n")
        for kind, rows in zip(("instead", "cured"), tables):
            for i, row in enumerate(rows.split("\n")):
                line, status, error, then = row.split("|")
                project = "/p/%s%d%s" % (kind, i, copy)
                past = Past(project, project[3:], 1 + (copy == "b"))
                past.say("user", "Get on with it.")
                if copy == "b":
                    past.call(sh("git status"), "clean").call(sh("cat README.md"), "# readme")
                past.call(sh(line), error, int(status))
                if copy == "b":
                    past.call(sh("ls"), "README.md")
                past.call(sh(then), "done")
                if kind == "cured":
                    past.call(sh(line), "all well")
                yield kind, i, project, past.out, line, int(status), error, then


def traps():
    line, error = "make check", "test_pump.c: error: assertion failed: level == 3"
    other = "npm run check", "Error: check failed: 3 of 9 rows differ"
    for copy, line, error in (("a", line, error), ("b", *other)):
        def past(name):
            p = Past("/t/%s%s" % (name, copy), name + copy, 1)
            p.say("user", "Go on.")
            return p
        bad = (sh(line), error, 2)
        yield past("edit").call(*bad).call(EDIT).call(sh(line)), line, error, {}
        calm = past("passing").call(*bad).call(sh("ls")).call(sh("cat x")).call(sh(line))
        yield calm, line, error, {}
        yield past("elsewhere").call(*bad).call(sh(line + " -k")), line, error, {"cwd": "/t/none"}
        yield past("later").call(*bad).call(sh(line + " -k")).call(sh(line)), line, error, {}
        yield past("operand").call(sh("rg pump src"), "rg: error: src: No such file", 2).call(
            sh("rg valve lib")), "rg pump src", "rg: error: src: No such file", {}
        yield past("piped").call(*bad).call(sh(line + " | tail -3")), line, error, {}
        p = past("asked").call(*bad)
        p.say("user", "I have mended it, go on.")
        yield p.call(sh(line + " V=1")), line, error, {}
        yield past("user").call(*bad).call(sh(line + " -k")), line, error, {"user": "other"}
        yield past("gone").call(*bad).call(sh(line + " -k")), line, error, {"forget": True}
        yield past("there").call(sh("fd x"), "bash: fd: command not found", 127).call(
            sh("fdfind x")).call(sh("fd y")), "fd x", "fd: error: x is no directory", {}
        yield past("shows").call(*bad).call(sh(line + " -k"), "going on\n" + error), line, error, {}
        yield past("forced").call(*bad).call(sh(line + " --force")), line, error, {}
        yield past("removed").call(*bad).call(sh("rm -rf out")).call(sh(line)), line, error, {}
        yield past("mended").call(*bad).call(EDIT).call(sh(line + " -k")), line, error, {}


def hook(event, session, project, line, status=0, error="", user="default"):
    call = {"session_id": session, "cwd": project, "tool_name": "Bash",
            "tool_input": {"command": line}}
    if event == "posttool":
        call["error"] = "Exit code %d\n%s" % (status, error)
    got = subprocess.run(["mem-hook", "-u", user, "claude-code", event], input=json.dumps(call),
                         capture_output=True, text=True, check=True).stdout
    return json.loads(got)["hookSpecificOutput"]["additionalContext"] if got.strip() else ""


def main():
    everything, loud = "--all" in sys.argv, "-v" in sys.argv
    os.environ["MEM_DB"] = os.path.join(tempfile.mkdtemp(), "mem.db")
    made, made_traps = list(tasks()), list(traps())
    lines = [r for t in made for r in t[3]] + [r for t in made_traps for r in t[0].out]
    subprocess.run(["mem-ingest", "-q", "--map", ".", "-"], check=True, stdout=subprocess.DEVNULL,
                   input="\n".join(map(json.dumps, lines)), text=True)
    told, calls, false, quiet = {}, {}, 0, 0
    for kind, i, project, _, line, status, error, then in made:
        if i % 2 and not everything:
            continue
        naive = [("posttool", line, status, error)]
        if kind == "instead":
            naive.append(("pretool", line, 0, ""))
        for n, (event, *rest) in enumerate(naive):
            text = hook(event, "%s-%d" % (project, n), project, *rest)
            calls[kind, event] = calls.get((kind, event), 0) + 1
            told[kind, event] = told.get((kind, event), 0) + (then in text)
            if loud:
                print(event, line, "->", text.split("\n")[2:3])
        for n, other in enumerate(COMMON + (then,) + ((line,) if kind == "cured" else ())):
            text = hook("pretool", "%s-r%d" % (project, n), project, other)
            quiet += 1
            false += text != ""
            if text and loud:
                print("FALSE", other, text)
    for n, (past, line, error, how) in enumerate(made_traps):
        if n % 2 and not everything:
            continue
        if how.get("forget"):
            subprocess.run(["mem-forget", "-q", "-f", "-s", past.session], check=True,
                           stdout=subprocess.DEVNULL)
        for event in ("pretool", "posttool"):
            text = hook(event, "t%d%s" % (n, event), how.get("cwd", past.project), line, 2, error,
                        how.get("user", "default"))
            quiet += 1
            false += text != ""
            if text and loud:
                print("FALSE", past.session, event, text)
    for kind, event in sorted(calls):
        print("%-8s %-9s told %2d of %2d" % (kind, event, told[kind, event], calls[kind, event]))
    print("told where nothing was to be told: %d of %d calls" % (false, quiet))


main()
