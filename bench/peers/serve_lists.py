"""What every Python library under ./ has in common: it embeds the same list of texts whenever it is asked.

Reads {"folder": ..., "texts": [...]} from the first line of stdin, loads the library's model, and answers with a line.
For each further line it embeds all texts and answers {"seconds": ..., "first": the first vector}.
"""

import json
import sys
import time


def serve(load):
    """`load(folder)` returns a function that takes a list of texts and returns their vectors."""
    answers = sys.stdout
    sys.stdout = sys.stderr  # Nothing a library prints is taken for an answer.
    request = json.loads(sys.stdin.readline())
    embed = load(request["folder"])
    embed(request["texts"][:8])
    print("{}", file=answers, flush=True)
    for _ in sys.stdin:
        start = time.perf_counter()
        vectors = embed(request["texts"])
        seconds = time.perf_counter() - start
        first = [float(value) for value in vectors[0]]
        print(json.dumps({"seconds": seconds, "first": first, "count": len(vectors)}), file=answers, flush=True)
