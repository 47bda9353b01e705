#!/usr/bin/env python3
"""What the gen_*.py write with: tables of schema/chars, of which lib/base/tables.awk makes C.

A line is as wide as it comes: the files are data, and are made anew rather than edited.
"""


def start(source):
    print("# Made by tests/tools/%s; lib/base/tables.awk makes C of it." % source)


def columns(name, **column):
    """A struct of each row: a column is a line of numbers, each a step from the one before."""
    print("list\t" + name)
    for field, numbers in column.items():
        steps, last = [], 0
        for v in numbers:
            if steps and steps[-1][0] == v - last:
                steps[-1][1] += 1
            else:
                steps.append([v - last, 1])
            last = v
        print(field + "\t" + " ".join("%d*%d" % (s, n) if n > 1 else "%d" % s for s, n in steps))


def chars(name, block, end, of):
    """of: code point -> (class, text) or (class, None), where it stays what it is."""
    print("chars\t%s\t%d\t%d" % (name, block, end))
    cells, run = [], [0, 0]
    for cp in range(end + 1):
        kind, text = of.get(cp, (0, None)) if cp < end else (0, "")
        if run[1] and (text is not None or run[0] != kind):
            cells.append("abcdefghijklmnop"[run[0]] + (str(run[1]) if run[1] > 1 else ""))
            run[1] = 0
        if text is None:
            run = [kind, run[1] + 1]
        elif cp < end:
            assert "\t" not in text and "\n" not in text
            cells.append("ABCDEFGHIJKLMNOP"[kind] +
                text.replace("\\", "\\\\").replace('"', '\\"'))
    line = []
    for cell in cells:
        line.append(cell)
        if len(line) >= 256 and cell[-1] != " ":
            print("\t".join(line))
            line = []
    print("\t".join(line))
