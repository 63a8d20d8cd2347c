#!/usr/bin/env python3
"""Writes each expression of the test data into a file of its own: expressions.py FOLDER FILE.json..."""
import json
import pathlib
import re
import sys

folder = pathlib.Path(sys.argv[1])
count = 0
for name in sys.argv[2:]:
    text = re.sub(r"^\s*//.*$", "", pathlib.Path(name).read_text(), flags=re.M)
    for cases in json.loads(text).values():
        for case in cases:
            (folder / str(count)).write_text(case["expr"])
            (folder / f"{count}-text").write_text("a ${{ " + case["expr"] + " }} b")
            count += 1
