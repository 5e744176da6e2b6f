#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""type-change.py FILE LINE CHANGE OUT

Types a change of an answer, "`>=' for `>'", into a line of source, as a person would who knows nothing but these words.
Where the words leave open which place of the line is meant, each of them is tried, and several together.  Writes the
files OUT.1.EXT, OUT.2.EXT, ... and prints their names.  Prints nothing for a change that it cannot type, such as a
statement that is moved."""
import itertools
import re
import sys

ORDINAL = r"(?:the (\d+)(?:st|nd|rd|th) )?"
QUOTED = r"`([^']+|'[^']*'|[^']*'[^']*'[^']*)'"


def places(text, word):
    """Where the word stands in the text, not as a part of another one."""
    parts = re.split(r"\s+", word.strip())
    body = r"\s*".join(re.escape(p) for p in parts)
    before = r"(?<![\w.'])" if re.match(r"[\w']", word) else ""
    after = r"(?![\w'])" if re.search(r"[\w']$", word) else ""
    if re.fullmatch(r"[-<>=!+*/%&|^]+", word):
        before, after = r"(?<![-<>=!+*/%&|^])", r"(?![<>=&|+]|-(?!\w))"
    elif re.fullmatch(r"-?[\d.]+", word):
        after = r"(?![\w.'])"
    return [m.span() for m in re.finditer(before + body + after, text)]


def replaced(text, spans, to):
    for a, b in sorted(spans, reverse=True):
        text = text[:a] + to + text[b:]
    return text


def some_of(spans):
    for n in range(1, len(spans) + 1):
        yield from itertools.combinations(spans, n)


def put(text, old, new, ordinal):
    spans = places(text, old)
    if ordinal:
        spans = spans[int(ordinal) - 1:int(ordinal)]
    return [replaced(text, some, new) for some in some_of(spans)]


def one_for_other(text, change):
    m = re.fullmatch(rf"{QUOTED} for {ORDINAL}{QUOTED}(?:, each time)?", change)
    if m:
        return put(text, m.group(3), m.group(1), m.group(2))
    m = re.fullmatch(rf"{ORDINAL}(-?[\w.]+(?:e-\d+)?|'\\?.') for {ORDINAL}(-?[\w.]+(?:e-\d+)?|'\\?.')(?:, each time)?", change)
    return put(text, m.group(4), m.group(2), m.group(3)) if m else None


def both_exchanged(text, change):
    m = re.fullmatch(rf"{ORDINAL}{QUOTED} and {ORDINAL}{QUOTED} exchanged", change)
    if not m:
        return None
    first, second = places(text, m.group(2)), places(text, m.group(4))
    if m.group(1):
        first = first[int(m.group(1)) - 1:int(m.group(1))]
    if m.group(3):
        second = second[int(m.group(3)) - 1:int(m.group(3))]
    out = []
    for a, b in itertools.product(first, second):
        (x, y), (u, v) = sorted((a, b))
        if y <= u:
            out.append(text[:x] + text[u:v] + text[y:u] + text[x:y] + text[v:])
    return out


def arguments_exchanged(text, change):
    m = re.fullmatch(r"arguments (\d+) and (\d+) exchanged", change)
    if not m:
        return None
    one, other = int(m.group(1)) - 1, int(m.group(2)) - 1
    out = []
    for call in re.finditer(r"\w+\s*\(([^()]*(?:\([^()]*\)[^()]*)*)\)", text):
        given = re.split(r",(?![^()]*\))", call.group(1))
        if max(one, other) < len(given):
            given[one], given[other] = given[other], given[one]
            out.append(replaced(text, [call.span(1)], ",".join(given)))
    return out


def fixed_or_left_out(text, change):
    m = re.fullmatch(rf"{QUOTED} (always true|never true|negated|left out)", change)
    if not m:
        return None
    new = {"always true": "1", "never true": "0", "negated": f"!({m.group(1)})"}.get(m.group(2))
    if new:
        return put(text, m.group(1), new, None)
    out = []
    for value in "01":
        out += put(text, m.group(1), value, None)
    return out


def negated(text, change):
    if change != "the condition negated":
        return None
    out = []
    m = re.search(r"\b(?:if|while)\s*\((.*)\)", text)
    if m:
        out.append(replaced(text, [m.span(1)], f"!({m.group(1)})"))
    m = re.search(r"\bfor\s*\([^;]*;([^;]*);", text)
    if m:
        out.append(replaced(text, [m.span(1)], f" !({m.group(1)})"))
    m = re.search(r"(?:return|[^=!<>]=)\s*((?:[^?;=]|==)*[^?;=\s])\s*[?;]", text)
    if m:
        out.append(replaced(text, [m.span(1)], f"!({m.group(1)})"))
    m = re.match(r"\s*\w+\((.*)\);\s*$", text)
    if m:
        first = re.split(r",(?![^()]*\))", m.group(1))[0]
        out += put(text, first, f"!({first})", None)
    return out


def all_left_out(text, change):
    if change in ("the line left out", "a store or call left out") or re.fullmatch(r"the call of \S+ left out", change):
        return [re.sub(r"\S.*", ";", text, count=1)]
    return None


def blocks(text, first, behind=False):
    """A statement before the text, or behind it, with braces and without: the line may be the body of an `if'."""
    both = (text.strip(), first) if behind else (first, text.strip())
    return [" ".join(both), "{ " + " ".join(both) + " }"]


def statement_put(text, change):
    m = re.fullmatch(rf"{QUOTED} put (before|behind) it", change)
    if m:
        return blocks(text, m.group(1) + ";", m.group(2) == "behind")
    m = re.fullmatch(rf"{QUOTED} before it", change)
    return blocks(text, m.group(1)) if m else None


def macro_for_number(text, change):
    """The only number of the line may have a name."""
    m = re.fullmatch(r"(-?[\w.]+(?:e-\d+)?) for (-?[\w.]+)(?: in \S+)?", change)
    if not m:
        return None
    out = put(text, m.group(2), m.group(1), None)
    for name in {w for w in re.findall(r"\b[A-Z][A-Z0-9_]+\b", text)} if not out else []:
        out += put(text, name, m.group(1), None)
    return out


def condition_added(text, change):
    m = re.fullmatch(r"`(&&|\|\|) (.*)' added", change)
    if not m:
        return None
    out = []
    for a, b in re.findall(r"(\b(?:if|while)\s*\()(.*)(?=\))", text):
        for whole in (b, f"({b})"):
            out.append(text.replace(a + b, f"{a}{whole} {m.group(1)} {m.group(2)}"))
    return out


def variants(text, change):
    for form in (one_for_other, both_exchanged, fixed_or_left_out, negated, all_left_out, statement_put, arguments_exchanged,
                 macro_for_number, condition_added):
        out = form(text, change)
        if out:
            return out
    parts = change.split(" and ")
    if len(parts) < 2:
        return []
    texts = [text]
    for part in parts:
        texts = [t for old in texts for t in variants(old, part)]
    return texts


def main(file, line, change, out):
    with open(file, encoding="utf-8") as f:
        lines = f.read().split("\n")
    at = int(line) - 1
    last = at
    while last - at < 8 and last + 1 < len(lines) and not re.search(r"[;{})]\s*(/\*.*\*/|//.*)?$", lines[last]):
        last += 1
    seen = {}
    m = re.fullmatch(r"`(if \(.*\))' before it, down to line (\d+)", change)
    if m:
        to = int(m.group(2))
        seen["\n".join(lines[:at] + [m.group(1) + " {"] + lines[at:to] + ["}"] + lines[to:])] = None
    if change == "this line and the next one exchanged":
        seen["\n".join(lines[:at] + [lines[at + 1], lines[at]] + lines[at + 2:])] = None
    m = re.fullmatch(r"a copy of lines (\d+) to (\d+) put before it", change)
    if m:
        copy = lines[int(m.group(1)) - 1:int(m.group(2))]
        copy[0] = re.sub(r"^\s*\}?\s*else\b", "", copy[0])
        seen["\n".join(lines[:at] + copy + lines[at:])] = None
    for end in {at + 1, last + 1}:
        for text in variants("\n".join(lines[at:end]), change):
            seen.setdefault("\n".join(lines[:at] + [text] + lines[end:]))
    for n, whole in enumerate(list(seen)[:64], 1):
        name = f"{out}.{n}.{file.rsplit('.', 1)[1]}"
        with open(name, "w", encoding="utf-8") as f:
            f.write(whole)
        print(name)


if __name__ == "__main__":
    main(*sys.argv[1:])
