#!/usr/bin/env python3
"""Fails where shaders take more registers than before, or spill more.

    spirv-if inspect build/*.spv --statistics probe:0 --format json >statistics.json
    grown.py before.json statistics.json

Modules are compared by their files and offsets, and variants by their constants.
"""

import json
import sys

# The largest growth that is accepted, by figure.
ACCEPTED = {"registers": 0, "spills": 0, "scratch": 0}


def figures(path):
    """The figures of each module and variant, by name. A variant that does not compile has None."""
    result = {}
    with open(path) as file:
        report = json.load(file)
    for file in report["files"]:
        for module in file["modules"]:
            statistics = module["statistics"]
            name = f"{file['file']} at {module['offset']}, {statistics['driver']}"
            result[name] = statistics["as_is"].get("figures")
            for variant in statistics["variants"]:
                result[f"{name}, {variant['spec_id']} = {variant['value']}"] = variant["cut"].get("figures")
            dearest = statistics.get("advice", {}).get("dearest")
            if dearest:
                result[f"{name}, dearest combination"] = dearest["outcome"].get("figures")
    return result


def main(before, after):
    grown = 0
    before = figures(before)
    for name, now in figures(after).items():
        then = before.get(name)
        if then is not None and now is None:
            print(f"{name}: no longer compiles")
            grown += 1
        for figure, accepted in ACCEPTED.items():
            if then and now and figure in then and now.get(figure, 0) > then[figure] + accepted:
                print(f"{name}: {figure} {then[figure]} -> {now[figure]}")
                grown += 1
    return 1 if grown else 0


sys.exit(main(*sys.argv[1:]))
