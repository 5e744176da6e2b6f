#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A terminal's screen, as `tmux capture-pane -e -p' prints it, as an SVG picture.

    tmux capture-pane -e -p -t name | terminal-svg.py COLUMNS TITLE >picture.svg
"""
import re
import sys
import unicodedata
from xml.sax.saxutils import escape

CELL_WIDTH, CELL_HEIGHT, MARGIN, BAR = 8.0, 17, 12, 26
PAPER, INK, FAINT = "#1c1f26", "#d6d9df", "#7d8590"
COLORS = ["#000000", "#ff6b68", "#7ec97a", "#e5c07b", "#6cb0f6", "#c792ea", "#56c8d8", "#ffffff"]


class Look:
    """What SGR sequences have set so far."""

    def __init__(self):
        self.reset()

    def reset(self):
        self.color, self.bold, self.faint, self.reverse = None, False, False, False

    def obey(self, codes):
        for code in codes:
            if code == 0:
                self.reset()
            elif code == 1:
                self.bold = True
            elif code == 2:
                self.faint = True
            elif code == 7:
                self.reverse = True
            elif code == 22:
                self.bold = self.faint = False
            elif code == 27:
                self.reverse = False
            elif 30 <= code <= 37:
                self.color = COLORS[code - 30]
            elif code == 39:
                self.color = None

    def key(self):
        return (self.color or (FAINT if self.faint else INK), self.bold, self.reverse)


def columns(text):
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def runs(line, look):
    """Pieces of a line that look alike: (column, text, look)."""
    at = 0
    for part in re.split(r"(\x1b\[[0-9;]*m)", line):
        if part.startswith("\x1b["):
            look.obey([int(c or 0) for c in part[2:-1].split(";")])
        elif part:
            yield at, part, look.key()
            at += columns(part)


def draw_run(at, text, y, look):
    color, bold, reverse = look
    x, width = MARGIN + at * CELL_WIDTH, columns(text) * CELL_WIDTH
    if reverse:
        yield f'<rect x="{x:g}" y="{y - 13}" width="{width:g}" height="{CELL_HEIGHT}" fill="{color}"/>'
    if text.strip():
        weight = ' font-weight="bold"' if bold else ""
        yield (f'<text x="{x:g}" y="{y}" textLength="{width:g}" xml:space="preserve" '
               f'fill="{PAPER if reverse else color}"{weight}>{escape(text)}</text>')


def main():
    n_columns, title = int(sys.argv[1]), sys.argv[2]
    lines = sys.stdin.read().rstrip("\n").split("\n")
    width, height = n_columns * CELL_WIDTH + 2 * MARGIN, len(lines) * CELL_HEIGHT + BAR + MARGIN
    print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height}" '
          f'viewBox="0 0 {width:g} {height}" role="img">')
    print(f"<title>{escape(title)}</title>")
    print(f'<rect width="{width:g}" height="{height}" rx="8" fill="{PAPER}"/>')
    print('<g font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="13">')
    print(f'<text x="{MARGIN}" y="18" fill="{FAINT}">$ {escape(title)}</text>')
    look = Look()
    for row, line in enumerate(lines):
        for at, text, drawn in runs(line, look):
            for element in draw_run(at, text, BAR + 14 + row * CELL_HEIGHT, drawn):
                print(element)
    print("</g>\n</svg>")


if __name__ == "__main__":
    main()
