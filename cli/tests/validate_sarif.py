#!/usr/bin/env python3
"""Fails if standard input is not a log file of SARIF 2.1.0, by cli/tests/sarif-2.1.0.schema.json, or has no results.

    PYTHONPATH=FOLDER cli/tests/validate_sarif.py

FOLDER has the package jsonschema of PyPI.
"""

import json
import sys
from pathlib import Path

import jsonschema

SCHEMA = Path(__file__).resolve().with_name("sarif-2.1.0.schema.json")

schema = json.loads(SCHEMA.read_text())
log = json.load(sys.stdin)
validator = jsonschema.validators.validator_for(schema)
validator.check_schema(schema)
errors = [f"{error.json_path}: {error.message}" for error in validator(schema, format_checker=validator.FORMAT_CHECKER).iter_errors(log)]
if not errors and not log["runs"][0]["results"]:
    errors = ["no results"]
if errors:
    sys.exit("\n".join(f"validate_sarif.py: error: {error}" for error in errors))
