# SPDX-License-Identifier: GPL-3.0-or-later
#
# Read by truth-driver.py: what the text, the page, the panel and the session show of an answer.
# What the first three show is looked up in the JSON of the same answer, whose values a GDB judges;
# what a session's `try', `flip', `what-if' and `goto' say is compared with the answer.
import html
import os
import re
import select
import subprocess
import time

FOLLOWED = int(os.environ.get("TRUTH_FOLLOWED", "5"))
ORDINAL = r"(?: the \d+\w\w (?:of \d+ times?|time)| \(\d+ (?:of \d+ )?times\)| \d+ of \d+ times)?"
GAVE = re.compile(r"gave (.+?)%s; with " % ORDINAL)


def squeezed(text):
    return re.sub(r"\s+", "", text)


def words_of(name, value):
    """How the text, the page and the panel may write it."""
    yield "%s = %s" % (name, value)
    yield "%s: %s" % (name, value)
    yield value


def cells_of(answer, values_of_failure=True):
    """What may stand in a cell: {squeezed text: its pairs of name and value}."""
    steps = answer["chain"] + answer["opening"]
    groups = [l["values"] for l in steps]
    if values_of_failure:
        groups.append(answer["failure"]["values"])
    groups += [[v] for v in answer["line_values"]]
    groups += [[{"name": n, "value": s["actual"]}] for a in answer["suspects"]
               for s in a["statements"] if s["actual"] and s["clause"]
               for n in (["result"] if s["kind"] == "return" else []) + [s["clause"]]]
    # where a value comes from
    out = {squeezed(l["clause"]): [(l["clause"], "")] for l in steps if l["clause"] and not l["values"]}
    for group in groups:
        pairs = [(v["name"], (v["value"] or "").split(" -> ")[0]) for v in group]
        texts = [list(words_of(v["name"], v["value"] or "")) for v in group]
        for form in range(3):
            out.setdefault(squeezed(", ".join(t[form] for t in texts)), pairs)
        mixed = ", ".join(t[1] if re.match("(true|false)", v["value"] or "") and " " in v["name"]
                          else t[0] for t, v in zip(texts, group))
        out.setdefault(squeezed(mixed), pairs)
    for suspect in answer["suspects"]:
        for number, s in enumerate(suspect["statements"]):
            values = [i["actual"] for i in suspect["instances"] if i["statement"] == number]
            if len(set(values)) > 1 and all(values):
                told = ", ".join(values[:4]) + (", ..." if len(values) > 4 else "")
                pairs = [(s["clause"], v) for v in values[:4]] if s["clause"] else [("", "")]
                out.setdefault(squeezed("%s = %s" % (s["clause"], told)), pairs)
                out.setdefault(squeezed(told), pairs)
    return out


def cells_of_text(text):
    """The last column of each way; a cell goes on in lines that have nothing before it."""
    cells, inside = [], False
    for line in text.splitlines():
        if re.match(r"from .*, as it went.*:$", line):
            inside = True
        elif inside and not line.strip():
            inside = False
        elif inside:
            columns = re.split(r"\s{2,}", line.strip())
            if re.match(r"\s{35}", line) and cells:
                cells[-1] += " " + line.strip()
            elif len(columns) > 1 and " more step" not in line and " same way as " not in line:
                cells.append(columns[-1] if len(re.split(r"\s{2,}", line[5:].strip())) > 2 else "")
    whole = " ".join(text.split("\nfrom ")[0].split())
    return [c for c in cells if c] + GAVE.findall(whole)


def cells_of_page(text):
    found = re.findall(r'class="values"[^>]*>([^<]*)<', text)
    return [html.unescape(c) for c in found if c] + GAVE.findall(html.unescape(text))


def cells_of_panel(screen, source):
    """What stands behind the lines of the source."""
    rows = screen.splitlines()
    edges = [r.rfind("\u2502") for r in rows if re.match("\u2500 .*\u2500\u2502\u2500", r)]
    for row in rows if edges else []:
        row = row[:edges[0]].rstrip()
        number = re.match(r"\s*(\d+) ", row)
        code = source[int(number.group(1)) - 1] if number and \
            0 < int(number.group(1)) <= len(source) else ""
        code = code.strip().expandtabs(8)
        if code and code in row:
            cell = row.split(code, 1)[1]
            if re.match(r" {3}\S", cell):
                yield cell.strip()


def look_up(door, shown, answer):
    """Yields (pairs, None) for each cell that the answer has, (None, sentence) for others."""
    cells = cells_of(answer)
    known = {squeezed("%s = %s" % p): [p] for pairs in cells.values() for p in pairs}
    for cell in shown:
        cell = re.sub(r" \(-?\d+, wrapped around\)| -> \?$", "", cell)
        cell = re.sub(r"^(not run -> )(.*?)( = |: )", r"\2\3\1", cell)
        pairs = cells.get(squeezed(cell)) or known.get(squeezed(cell))
        if pairs:
            yield pairs, None
        elif door == "panel" and any(c.startswith(squeezed(cell.rstrip("\u2026~"))) for c in cells):
            continue  # cut at the edge
        elif "..." not in cell and cell != "the output" and not cell.endswith(" is not known"):
            yield None, "%s shows %s, which the answer does not have" % (door, cell)


class Session:
    """A session of gdb-why whose commands come through a pipe."""

    def __init__(self, words, patience):
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT)
        self.patience, self.text, self.number = patience, b"", 0

    def says(self, command):
        """What the command prints; "" when the session is gone or takes too long."""
        self.number += 1
        mark = b"@@%d@@" % self.number
        try:
            self.process.stdin.write(command.encode() + b"\necho " + mark + b"\\n\n")
            self.process.stdin.flush()
        except (BrokenPipeError, ValueError):
            return ""
        end = time.monotonic() + self.patience
        while mark not in self.text:
            ready = select.select([self.process.stdout], [], [], max(0, end - time.monotonic()))[0]
            more = os.read(self.process.stdout.fileno(), 65536) if ready else b""
            if not more:
                self.close()
                return ""
            self.text += more
        said, _, self.text = self.text.partition(mark)
        return said.decode(errors="replace").replace("(gdb) ", "")

    def close(self):
        self.process.kill()
        self.process.wait()


PLAIN = re.compile(r"^(-?\d[\w.+-]*|'.+'|true|false|[A-Z_][A-Z0-9_]*)$")


def outcome(said):
    if "\nthis counts as no mending: " in said:
        return "fails"
    if "\nanother check fails: the answer is about the one at " in said:
        return "passes"
    return "passes" if re.search(r"^it passes", said, re.M) else \
        "fails" if re.search(r"^it (fails|ends|is|exits|prints|does)", said, re.M) else None


def try_says(suspect, said):
    """The values that `try N' tells are those of the suspect's instances."""
    told = re.findall(r"^\S+?:\d+: (.+?) = (.+?) instead of (.+?)(?:, the |$)", said, re.M)
    # a clause may be an assignment itself
    mine = [squeezed("%s = %s instead of %s" % (
        suspect["statements"][i["statement"]]["clause"], i["witness"] or "another value",
        i["actual"])) for i in suspect["instances"]]
    for one in told:
        if squeezed("%s = %s instead of %s" % one) not in mine:
            yield "try %d tells %s = %s instead of %s" % (suspect["rank"], *one)


def followed(session, suspect):
    """Follows one suspect; yields (door, None when it agrees, or a sentence)."""
    n, s = suspect["rank"], suspect["statements"][0]
    if suspect["replay"] not in ("passes", "fails"):
        return
    said = session.says("try %d" % n)
    for wrong in try_says(suspect, said):
        yield "try", wrong
    if outcome(said):
        yield "try", None if outcome(said) == suspect["replay"] else \
            "try %d: it %s, but the answer says that it %s" % (n, outcome(said), suspect["replay"])
    if suspect["size"] != 1 or len(suspect["instances"]) != 1:
        return
    one = suspect["instances"][0]
    if s["kind"] == "condition":
        said = session.says("flip %d" % n)
        if outcome(said):
            yield "flip", None if outcome(said) == suspect["replay"] else \
                "flip %d: it %s, but the answer says that it %s" % (n, outcome(said),
                                                                    suspect["replay"])
    elif s["kind"] == "assignment" and PLAIN.match(one["witness"] or "?"):
        said = session.says("what-if %s = %s at %d" % (s["clause"], one["witness"], n))
        if outcome(said):
            yield "what-if", None if outcome(said) == suspect["replay"] else \
                "what-if %s = %s at %d: it %s, but the answer says that it %s" % (
                    s["clause"], one["witness"], n, outcome(said), suspect["replay"])
    if one["stop"] and one["actual"] and s["kind"] in ("condition", "assignment"):
        session.says("goto %d" % n)
        stop = one["stop"].rsplit(":", 1)[0]
        said = session.says("python truth_judge(%r, %r, %r, %r)" % (stop, s["kind"], s["clause"],
                                                                   one["actual"]))
        false = re.search("TRUTH false: (.*)", said)
        if false:
            yield "goto", "goto %d: %s" % (n, false.group(1))
        elif "TRUTH agrees" in said:
            yield "goto", None


def read_file(path):
    try:
        with open(path, errors="replace") as f:
            return f.read()
    except OSError:
        return ""


def panel_of(words, folder):
    """The panel's screen on a terminal as long as the source; "" where it does not come."""
    tmux = ["tmux", "-S", os.path.join(folder, "tmux")]
    quoted = " ".join("'%s'" % w.replace("'", "'\\''") for w in words)
    subprocess.run([*tmux, "-f", "/dev/null", "new-session", "-d", "-x", "320", "-y", "400",
                    quoted], check=False, capture_output=True)
    screen, before = "", None
    for _ in range(240):
        time.sleep(0.5)
        got = subprocess.run([*tmux, "capture-pane", "-p"], capture_output=True, text=True)
        if got.returncode:
            break
        screen = got.stdout
        done = re.search(r"(explanations?, |no explanation)", screen) and "searching" not in screen
        if done and screen == before:
            break
        before = screen
    subprocess.run([*tmux, "kill-server"], capture_output=True)
    return screen
